//! Whole programs of the concrete semantics, with calls, an explicit stack and limited fuel.

use cranelift_entity::EntityRef as _;

use crate::language::interpreter::Oracle;
use crate::language::interpreter::state::{Frame, Heap};
use crate::language::interpreter::step::{Outcome, step};
use crate::language::program::{BlockId, FunctionId, Program, Terminator};
use crate::language::statement::Statement;
use crate::variable::{Type, VariableId};

/// What an observer of a run sees.
#[derive(Debug)]
pub enum Event<'a> {
    /// Control is at the start of a block.
    Block {
        function: FunctionId,
        block: BlockId,
        frame: &'a Frame,
    },
    /// Control is before statement `position` of a block.
    Statement {
        function: FunctionId,
        block: BlockId,
        position: usize,
        frame: &'a Frame,
    },
    /// The statement did not continue.
    Stopped {
        function: FunctionId,
        block: BlockId,
        position: usize,
        outcome: Outcome,
    },
}

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    Returned,
    Stopped(Outcome),
    /// A block without successors, or an unknown function.
    Stuck,
    OutOfFuel,
}

struct Activation {
    function: FunctionId,
    block: BlockId,
    position: usize,
    frame: Frame,
    /// Where the caller wants the results.
    results: Vec<VariableId>,
}

/// Copies a scalar or an array from one frame to another.
fn pass(
    from: &mut Frame,
    source: VariableId,
    to: &mut Frame,
    target: VariableId,
    oracle: &mut dyn Oracle,
) {
    if source.ty() == Type::Array {
        let bytes = from.arrays.get(&source).cloned().unwrap_or_default();
        to.arrays.insert(target, bytes);
    } else {
        let value = from.get(source, oracle);
        to.set(target, value);
    }
}

/// Runs a function from a frame that holds its parameters, for at most `fuel` statements and
/// jumps, telling `observer` of every event.
pub fn run(
    program: &Program,
    function: FunctionId,
    frame: Frame,
    fuel: usize,
    oracle: &mut dyn Oracle,
    observer: &mut dyn FnMut(&Event<'_>),
) -> Ending {
    let entry = program.functions[function].entry;
    let mut heap = Heap::default();
    let mut stack = vec![Activation {
        function,
        block: entry,
        position: 0,
        frame,
        results: Vec::new(),
    }];
    for _ in 0..fuel {
        let top = stack
            .last_mut()
            .expect("invariant: the run ends with the last activation");
        let (function, block, position) = (top.function, top.block, top.position);
        let body = &program.functions[function].blocks[block];
        if position == 0 {
            observer(&Event::Block {
                function,
                block,
                frame: &top.frame,
            });
        }
        if let Some(statement) = body.statements.get(position) {
            observer(&Event::Statement {
                function,
                block,
                position,
                frame: &top.frame,
            });
            top.position += 1;
            if let Statement::Call { .. } = statement {
                if !call(program, statement, &mut stack, oracle) {
                    return Ending::Stuck;
                }
                continue;
            }
            let outcome = step(statement, &mut top.frame, &mut heap, oracle);
            if outcome != Outcome::Continue {
                observer(&Event::Stopped {
                    function,
                    block,
                    position,
                    outcome,
                });
                return Ending::Stopped(outcome);
            }
            continue;
        }
        match &body.terminator {
            Terminator::Goto(targets) if targets.is_empty() => return Ending::Stuck,
            Terminator::Goto(targets) => {
                top.block = targets[oracle.choose(targets.len())];
                top.position = 0;
            }
            Terminator::Return(results) => {
                if return_to_caller(&mut stack, results, oracle) {
                    return Ending::Returned;
                }
            }
        }
    }
    Ending::OutOfFuel
}

/// Pushes the activation of a callee; false when there is no such function.
fn call(
    program: &Program,
    statement: &Statement,
    stack: &mut Vec<Activation>,
    oracle: &mut dyn Oracle,
) -> bool {
    let Statement::Call {
        results,
        function,
        arguments,
    } = statement
    else {
        return false;
    };
    let Some(callee) = program.function(function) else {
        return false;
    };
    let caller = stack.last_mut().expect("invariant: a call has a caller");
    let mut frame = Frame::default();
    for (argument, parameter) in arguments.iter().zip(&program.functions[callee].parameters) {
        pass(&mut caller.frame, *argument, &mut frame, *parameter, oracle);
    }
    debug_assert!(callee.index() < program.functions.len());
    stack.push(Activation {
        function: callee,
        block: program.functions[callee].entry,
        position: 0,
        frame,
        results: results.clone(),
    });
    true
}

/// Pops an activation; true when it was the last.
fn return_to_caller(
    stack: &mut Vec<Activation>,
    returned: &[VariableId],
    oracle: &mut dyn Oracle,
) -> bool {
    let mut callee = stack.pop().expect("invariant: a return has an activation");
    let Some(caller) = stack.last_mut() else {
        return true;
    };
    for (result, source) in callee.results.iter().zip(returned) {
        pass(
            &mut callee.frame,
            *source,
            &mut caller.frame,
            *result,
            oracle,
        );
    }
    false
}
