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
    AnalysisOptions, CallSemantics, FunctionStates, analyse, analyse_within, block_of, graph_of,
    node_of, transfer_statement,
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

struct Backward<'a, D> {
    function: &'a Function,
    forward: &'a FunctionStates<D>,
    calls: &'a mut dyn CallSemantics<D>,
    /// The assertion whose failure is asked for.
    target: Place,
}

impl<D: ProgramDomain> Backward<'_, D> {
    /// The states before each statement of a block.
    fn states_inside(&mut self, block: BlockId) -> Vec<D> {
        let mut state = self.forward.before_block(block).clone();
        let mut states = Vec::new();
        for statement in &self.function.blocks[block].statements {
            states.push(state.clone());
            transfer_statement(statement, &mut state, self.calls);
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
        for (position, (statement, before)) in statements.iter().zip(&states).enumerate().rev() {
            if !failing.is_bottom() {
                failing.backward(statement, before);
            }
            let is_target = self.target.block == block && self.target.position == position;
            if let (Statement::Assert { condition }, true) = (statement, is_target) {
                let mut here = before.clone();
                here.assume(&condition.negate());
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
        block_of(node) == self.target.block
    }

    fn initial(&mut self, _node: NodeId) -> Option<D> {
        None
    }
}

/// The states at the start of each block from which the assertion may fail.
pub fn necessary_preconditions<D: ProgramDomain>(
    program: &Program,
    target: Place,
    forward: &FunctionStates<D>,
    calls: &mut dyn CallSemantics<D>,
    options: &AnalysisOptions,
) -> Solution<D> {
    let function = &program.functions[target.function];
    let graph = graph_of(function).reversed([node_of(target.block)]);
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
    /// Whether no execution fails the assertion.
    pub proved: bool,
    /// The last invariants: they hold of executions that may still fail.
    pub forward: FunctionStates<D>,
    pub rounds: usize,
}

/// Alternates backward and forward analysis for one assertion until it is proved, nothing changes,
/// or `rounds` are over.
pub fn refine<D: ProgramDomain>(
    program: &Program,
    target: Place,
    entry: &D,
    calls: &mut dyn CallSemantics<D>,
    options: &AnalysisOptions,
    rounds: usize,
) -> Refinement<D> {
    let function = &program.functions[target.function];
    let mut forward = analyse(program, target.function, entry, calls, options);
    for round in 0..rounds {
        let preconditions = necessary_preconditions(program, target, &forward, calls, options);
        if preconditions.before(node_of(function.entry)).is_bottom() {
            return Refinement {
                proved: true,
                forward,
                rounds: round + 1,
            };
        }
        let restricted = Some(&preconditions);
        let next = analyse_within(program, target.function, entry, calls, options, restricted);
        if cannot_fail(program, target, &next, calls) {
            return Refinement {
                proved: true,
                forward: next,
                rounds: round + 1,
            };
        }
        let stable = function
            .blocks
            .keys()
            .all(|b| forward.before_block(b).leq(next.before_block(b)));
        forward = next;
        if stable {
            return Refinement {
                proved: false,
                forward,
                rounds: round + 1,
            };
        }
    }
    Refinement {
        proved: false,
        forward,
        rounds,
    }
}

fn cannot_fail<D: ProgramDomain>(
    program: &Program,
    target: Place,
    states: &FunctionStates<D>,
    calls: &mut dyn CallSemantics<D>,
) -> bool {
    let body = &program.functions[target.function].blocks[target.block];
    let mut state = states.before_block(target.block).clone();
    for statement in &body.statements[..target.position] {
        transfer_statement(statement, &mut state, calls);
    }
    // A place that is no assertion is never proved, unless it is not reached.
    let condition = if let Statement::Assert { condition } = &body.statements[target.position] {
        condition
    } else {
        &Condition::Constant(false)
    };
    state.entails(condition)
}
