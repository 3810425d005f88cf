//! Forward analysis of one function: the states that reach each block.
//!
//! States are kept per block and recomputed inside (§4.2.2 of the SeaHorn paper);
//! [`FunctionStates::walk`] does that for whoever wants the state before each statement.

use cranelift_entity::EntityRef as _;

use crate::analysis::constants;
use crate::analysis::liveness::Liveness;
use crate::domain::ProgramDomain;
use crate::fixpoint::{Graph, NodeId, Options, Solution, Transformer, solve};
use crate::language::{BlockId, Function, FunctionId, Program, Statement, Terminator};

/// What a call does to a state.
pub trait CallSemantics<D> {
    fn call(&mut self, call: &Statement, state: &mut D);
}

/// Calls give any results.
#[derive(Clone, Copy, Debug, Default)]
pub struct OpaqueCalls;

impl<D: ProgramDomain> CallSemantics<D> for OpaqueCalls {
    fn call(&mut self, call: &Statement, state: &mut D) {
        state.transfer(call);
    }
}

/// Enough for most functions, and few enough that bounds which climb them all do so soon.
const THRESHOLDS: usize = 64;

/// How to analyse.
#[derive(Clone, Debug)]
pub struct AnalysisOptions {
    pub delay: u32,
    pub descending: u32,
    /// At how many constants of the program widenings pause, at most.
    pub thresholds: usize,
    /// Whether dead variables are forgotten at the end of blocks and on edges.
    pub liveness: bool,
}

impl Default for AnalysisOptions {
    fn default() -> AnalysisOptions {
        AnalysisOptions {
            delay: 1,
            descending: 2,
            thresholds: THRESHOLDS,
            liveness: false,
        }
    }
}

impl AnalysisOptions {
    /// The options of the fixpoint engine for a function.
    #[must_use]
    pub fn fixpoint(&self, function: &Function) -> Options {
        Options {
            delay: self.delay,
            descending: self.descending,
            thresholds: constants::collect(function, self.thresholds),
        }
    }
}

/// The node of a block in the graph of its function.
#[must_use]
pub fn node_of(block: BlockId) -> NodeId {
    NodeId::new(block.index())
}

/// The block of a node.
#[must_use]
pub fn block_of(node: NodeId) -> BlockId {
    BlockId::new(node.index())
}

/// The graph of a function's blocks.
#[must_use]
pub fn graph_of(function: &Function) -> Graph {
    let mut graph = Graph::new(function.blocks.len(), [node_of(function.entry)]);
    for block in function.blocks.keys() {
        for successor in function.successors(block) {
            graph.add_edge(node_of(block), node_of(*successor));
        }
    }
    graph
}

/// Applies the statements of a block.
pub fn transfer_block<D: ProgramDomain>(
    function: &Function,
    block: BlockId,
    state: &mut D,
    calls: &mut dyn CallSemantics<D>,
) {
    for statement in &function.blocks[block].statements {
        if state.is_bottom() {
            return;
        }
        transfer_statement(statement, state, calls);
    }
}

/// Applies one statement.
pub fn transfer_statement<D: ProgramDomain>(
    statement: &Statement,
    state: &mut D,
    calls: &mut dyn CallSemantics<D>,
) {
    if let Statement::Call { .. } = statement {
        calls.call(statement, state);
    } else {
        state.transfer(statement);
    }
}

/// The states that reach the blocks of one function.
#[derive(Clone, Debug)]
pub struct FunctionStates<D> {
    pub function: FunctionId,
    pub solution: Solution<D>,
}

impl<D: ProgramDomain> FunctionStates<D> {
    /// The states that reach the start of a block.
    #[must_use]
    pub fn before_block(&self, block: BlockId) -> &D {
        self.solution.before(node_of(block))
    }

    /// The states the function was entered with: those of the entry block, or ⊤ where that block
    /// is also jumped to.
    #[must_use]
    pub fn before_entry(&self, program: &Program) -> D {
        let function = &program.functions[self.function];
        let entry = function.entry;
        let jumped_to = function
            .blocks
            .keys()
            .any(|b| function.successors(b).contains(&entry));
        let state = self.before_block(entry);
        if jumped_to {
            state.top()
        } else {
            state.clone()
        }
    }

    /// The states after the last statement of a block.
    pub fn after_block(
        &self,
        program: &Program,
        block: BlockId,
        calls: &mut dyn CallSemantics<D>,
    ) -> D {
        let mut state = self.before_block(block).clone();
        transfer_block(&program.functions[self.function], block, &mut state, calls);
        state
    }

    /// Recomputes the states inside the blocks, and shows each statement with the state before it.
    pub fn walk(
        &self,
        program: &Program,
        calls: &mut dyn CallSemantics<D>,
        visitor: &mut dyn FnMut(BlockId, usize, &Statement, &D),
    ) {
        for (block, body) in &program.functions[self.function].blocks {
            let mut state = self.before_block(block).clone();
            for (position, statement) in body.statements.iter().enumerate() {
                visitor(block, position, statement, &state);
                transfer_statement(statement, &mut state, calls);
            }
        }
    }

    /// Joins the states at the returns, each treated by `project` first.
    pub fn at_returns(
        &self,
        program: &Program,
        calls: &mut dyn CallSemantics<D>,
        project: &mut dyn FnMut(&mut D, &[crate::variable::VariableId]),
    ) -> Option<D> {
        let mut exit: Option<D> = None;
        for (block, body) in &program.functions[self.function].blocks {
            let Terminator::Return(results) = &body.terminator else {
                continue;
            };
            let mut state = self.after_block(program, block, calls);
            if state.is_bottom() {
                continue;
            }
            project(&mut state, results);
            exit = Some(exit.map_or_else(|| state.clone(), |exit| exit.join(&state)));
        }
        exit
    }
}

struct Forward<'a, D> {
    function: &'a Function,
    entry: &'a D,
    calls: &'a mut dyn CallSemantics<D>,
    liveness: Option<&'a Liveness>,
    /// States outside these are of no interest, by block.
    restriction: Option<&'a Solution<D>>,
}

impl<D: ProgramDomain> Forward<'_, D> {
    fn restrict(&self, node: NodeId, state: D) -> D {
        match self.restriction {
            Some(restriction) => state.meet(restriction.before(node)),
            None => state,
        }
    }
}

impl<D: ProgramDomain> Transformer for Forward<'_, D> {
    type State = D;

    fn node(&mut self, node: NodeId, before: &D) -> D {
        let block = block_of(node);
        let mut state = before.clone();
        transfer_block(self.function, block, &mut state, self.calls);
        if let Some(liveness) = &self.liveness
            && !state.is_bottom()
        {
            state.forget(liveness.dead_after(block));
        }
        state
    }

    fn edge(&mut self, from: NodeId, to: NodeId, after: &D) -> D {
        let mut state = after.clone();
        if let Some(liveness) = &self.liveness {
            let dead = liveness.dead_between(self.function, block_of(from), block_of(to));
            state.forget(&dead);
        }
        self.restrict(to, state)
    }

    fn initial(&mut self, node: NodeId) -> Option<D> {
        (block_of(node) == self.function.entry).then(|| self.restrict(node, self.entry.clone()))
    }
}

/// A function with what every analysis of it needs, whatever the entry state.
#[derive(Clone, Debug)]
pub struct Prepared {
    function: FunctionId,
    graph: Graph,
    fixpoint: Options,
    liveness: Option<Liveness>,
    /// Whether widenings pause anywhere.
    has_thresholds: bool,
}

impl Prepared {
    #[must_use]
    pub fn new(program: &Program, function: FunctionId, options: &AnalysisOptions) -> Prepared {
        let body = &program.functions[function];
        Prepared {
            function,
            graph: graph_of(body),
            fixpoint: options.fixpoint(body),
            liveness: options.liveness.then(|| Liveness::new(body)),
            has_thresholds: options.thresholds > 0,
        }
    }

    /// Analyses the function from an entry state.
    pub fn analyse<D: ProgramDomain>(
        &self,
        program: &Program,
        entry: &D,
        calls: &mut dyn CallSemantics<D>,
    ) -> FunctionStates<D> {
        self.analyse_within(program, entry, calls, None)
    }

    /// As [`Prepared::analyse`], keeping only states that belong to a restriction of each block.
    pub fn analyse_within<D: ProgramDomain>(
        &self,
        program: &Program,
        entry: &D,
        calls: &mut dyn CallSemantics<D>,
        restriction: Option<&Solution<D>>,
    ) -> FunctionStates<D> {
        let function = self.function;
        let mut transformer = Forward {
            function: &program.functions[function],
            entry,
            calls,
            liveness: self.liveness.as_ref(),
            restriction,
        };
        let mut fixpoint = self.fixpoint.clone();
        if self.has_thresholds {
            let body = &program.functions[function];
            fixpoint.thresholds = constants::with_parameters(&fixpoint.thresholds, body, entry);
        }
        let solution = solve(&self.graph, &mut transformer, entry, &fixpoint);
        FunctionStates { function, solution }
    }
}

/// Analyses a function from an entry state.
pub fn analyse<D: ProgramDomain>(
    program: &Program,
    function: FunctionId,
    entry: &D,
    calls: &mut dyn CallSemantics<D>,
    options: &AnalysisOptions,
) -> FunctionStates<D> {
    Prepared::new(program, function, options).analyse(program, entry, calls)
}
