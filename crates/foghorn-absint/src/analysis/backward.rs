//! Backward analysis: the states that may still reach a failing assertion, and its alternation
//! with the forward analysis.
//!
//! From the negation of an assertion, necessary preconditions are propagated against the flow,
//! each met with the forward invariant at its place (§4.2.5 of the SeaHorn paper). If they are
//! empty at the entry, the assertion cannot fail. Otherwise a forward analysis restricted to them
//! may be more precise, and so on, until nothing changes (Cousot and Cousot, "Refining model
//! checking by abstract interpretation"); this proves assertions that need a disjunction which the
//! domain cannot express.

use crate::analysis::forward::{
    AnalysisOptions, CallSemantics, FunctionStates, Prepared, block_of, graph_of, node_of,
    transfer_statement,
};
use crate::domain::ProgramDomain;
use crate::fixpoint::{NodeId, Solution, Transformer, solve};
use crate::language::{BlockId, Condition, Function, FunctionId, Program, Statement};

/// A statement of a function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place {
    pub function: FunctionId,
    pub block: BlockId,
    pub position: usize,
}

/// What is not to happen, at a place.
#[derive(Clone, Debug)]
pub struct Target {
    /// Before the statement there, or at the end of the block.
    pub place: Place,
    /// Each is a conjunction; one that holds is a failure.
    pub failures: Vec<Vec<Condition>>,
}

impl Target {
    /// The failure of an assertion. A place that is no assertion fails whenever it is reached.
    #[must_use]
    pub fn of_assertion(program: &Program, place: Place) -> Target {
        let body = &program.functions[place.function].blocks[place.block];
        let failure = if let Statement::Assert { condition } = &body.statements[place.position] {
            vec![condition.negate()]
        } else {
            vec![]
        };
        Target {
            place,
            failures: vec![failure],
        }
    }

    /// The states among these that fail; none if no failure can be.
    fn failing<D: ProgramDomain>(&self, before: &D) -> Option<D> {
        let failing = self.failures.iter().filter_map(|failure| {
            let mut state = before.clone();
            for condition in failure {
                if state.is_bottom() {
                    break;
                }
                state.assume(condition);
            }
            (!state.is_bottom()).then_some(state)
        });
        failing.reduce(|some, others| some.join(&others))
    }
}

struct Backward<'a, D> {
    function: &'a Function,
    forward: &'a FunctionStates<D>,
    calls: &'a mut dyn CallSemantics<D>,
    target: &'a Target,
}

impl<D: ProgramDomain> Backward<'_, D> {
    /// The states before each statement of a block, and those at its end.
    fn states_inside(&mut self, block: BlockId) -> Vec<D> {
        let mut state = self.forward.before_block(block).clone();
        let mut states = vec![state.clone()];
        for statement in &self.function.blocks[block].statements {
            transfer_statement(statement, &mut state, self.calls);
            states.push(state.clone());
        }
        states
    }
}

impl<D: ProgramDomain> Transformer for Backward<'_, D> {
    type State = D;

    /// From the states at the end of a block that may fail later to those at its start.
    fn node(&mut self, node: NodeId, after: &D) -> D {
        let block = block_of(node);
        let states = self.states_inside(block);
        let mut failing = after.clone();
        let statements = &self.function.blocks[block].statements;
        for (position, before) in states.iter().enumerate().rev() {
            if let Some(statement) = statements.get(position)
                && !failing.is_bottom()
            {
                failing.backward(statement, before);
            }
            let place = self.target.place;
            if place.block == block
                && place.position == position
                && let Some(here) = self.target.failing(before)
            {
                failing = if failing.is_bottom() {
                    here
                } else {
                    failing.join(&here)
                };
            }
        }
        failing.meet(self.forward.before_block(block))
    }

    fn generates(&self, node: NodeId) -> bool {
        block_of(node) == self.target.place.block
    }

    fn initial(&mut self, _node: NodeId) -> Option<D> {
        None
    }
}

/// The states at the start of each block from which the failure may come.
pub fn necessary_preconditions<D: ProgramDomain>(
    program: &Program,
    target: &Target,
    forward: &FunctionStates<D>,
    calls: &mut dyn CallSemantics<D>,
    options: &AnalysisOptions,
) -> Solution<D> {
    let function = &program.functions[target.place.function];
    let graph = graph_of(function).reversed([node_of(target.place.block)]);
    let mut transformer = Backward {
        function,
        forward,
        calls,
        target,
    };
    let some = forward.before_block(function.entry).clone();
    let after = solve(&graph, &mut transformer, &some, &options.fixpoint(function));
    // The engine keeps the states a node starts from, which backwards are those at its end.
    let mut before = after.clone();
    for block in function.blocks.keys() {
        let node = node_of(block);
        let end = after.before(node);
        let start = if end.is_bottom() && !transformer.generates(node) {
            end.clone()
        } else {
            transformer.node(node, end)
        };
        before.set_before(node, start);
    }
    before
}

/// What the alternation found.
#[derive(Clone, Debug)]
pub struct Refinement<D> {
    /// Whether no execution fails.
    pub proved: bool,
    /// The last invariants: they hold of executions that may still fail.
    pub forward: FunctionStates<D>,
    pub rounds: usize,
}

/// Alternates backward and forward analysis for one target until it is proved, nothing changes, or
/// `rounds` are over. It starts from what a forward analysis found.
pub fn refine<D: ProgramDomain>(
    program: &Program,
    target: &Target,
    forward: FunctionStates<D>,
    calls: &mut dyn CallSemantics<D>,
    options: &AnalysisOptions,
    rounds: usize,
) -> Refinement<D> {
    let function = &program.functions[target.place.function];
    let entry = forward.before_entry(program);
    let prepared = Prepared::new(program, forward.function, options);
    let mut refinement = Refinement {
        proved: cannot_fail(program, target, &forward, calls),
        forward,
        rounds: 0,
    };
    while !refinement.proved && refinement.rounds < rounds {
        refinement.rounds += 1;
        let known = &refinement.forward;
        let preconditions = necessary_preconditions(program, target, known, calls, options);
        if preconditions.before(node_of(function.entry)).is_bottom() {
            refinement.proved = true;
            break;
        }
        let within = Some(&preconditions);
        let next = prepared.analyse_within(program, &entry, calls, within);
        let mut blocks = function.blocks.keys();
        let stable = blocks.all(|b| known.before_block(b).leq(next.before_block(b)));
        refinement.proved = cannot_fail(program, target, &next, calls);
        refinement.forward = next;
        if stable {
            break;
        }
    }
    refinement
}

fn cannot_fail<D: ProgramDomain>(
    program: &Program,
    target: &Target,
    states: &FunctionStates<D>,
    calls: &mut dyn CallSemantics<D>,
) -> bool {
    let place = target.place;
    let body = &program.functions[place.function].blocks[place.block];
    let mut state = states.before_block(place.block).clone();
    for statement in &body.statements[..place.position] {
        transfer_statement(statement, &mut state, calls);
    }
    target.failing(&state).is_none()
}
