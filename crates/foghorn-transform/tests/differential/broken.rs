//! Passes that are wrong on purpose: the comparison must notice each.

use crate::harness::{differs, selections};
use crate::programs::program;
use foghorn_ir::{BinaryOp, Body, Instruction, IntPredicate, Module, Terminator};
use foghorn_transform::Pass;

type Broken = fn(&mut Module);

/// Changes instructions in blocks; `false` removes one.
fn instructions(module: &mut Module, change: impl Fn(&mut Instruction) -> bool) {
    for body in bodies(module) {
        for block in body.blocks.keys() {
            let mut list = std::mem::take(&mut body.blocks[block].instructions);
            list.retain(|&id| change(&mut body.instructions[id].instruction));
            body.blocks[block].instructions = list;
        }
    }
}

fn bodies(module: &mut Module) -> impl Iterator<Item = &mut Body> {
    module
        .functions
        .values_mut()
        .filter_map(|f| f.body.as_mut())
}

/// One wrong pass a line, each after a fault that a real pass could have.
const BROKEN: &[(&str, Broken)] = &[
    ("drops checks", |module| {
        instructions(module, |i| !matches!(i, Instruction::Check { .. }));
    }),
    ("drops stores", |module| {
        instructions(module, |i| !matches!(i, Instruction::Store { .. }));
    }),
    ("drops ends of lives", |module| {
        instructions(module, |i| {
            !matches!(
                i,
                Instruction::LifetimeEnd { .. } | Instruction::Free { .. }
            )
        });
    }),
    ("folds a subtraction as an addition", |module| {
        instructions(module, |i| {
            if let Instruction::Binary { op, .. } = i
                && *op == BinaryOp::Sub
            {
                *op = BinaryOp::Add;
            }
            true
        });
    }),
    ("takes a signed order for an unsigned one", |module| {
        instructions(module, |i| {
            if let Instruction::Compare { predicate, .. } = i
                && *predicate == IntPredicate::Slt
            {
                *predicate = IntPredicate::Sle;
            }
            true
        });
    }),
    ("forgets which target is which", |module| {
        for body in bodies(module) {
            for block in body.blocks.values_mut() {
                if let Terminator::Branch {
                    on_true, on_false, ..
                } = &mut block.terminator
                {
                    std::mem::swap(on_true, on_false);
                }
            }
        }
    }),
    ("loses where a check stands", |module| {
        for body in bodies(module) {
            for data in body.instructions.values_mut() {
                if let Instruction::Check { .. } = data.instruction {
                    data.span = foghorn_core::SpanId::UNKNOWN;
                }
            }
        }
    }),
    (
        "asks for the inputs of one block in another order",
        |module| {
            for body in bodies(module) {
                for block in body.blocks.keys() {
                    let mut inputs: Vec<_> = body.blocks[block].instructions.clone();
                    inputs.retain(|&id| {
                        matches!(
                            body.instructions[id].instruction,
                            Instruction::Nondet { .. }
                        )
                    });
                    if let [first, .., last] = inputs[..] {
                        let (a, b) = (body.instructions[first].span, body.instructions[last].span);
                        body.instructions[first].span = b;
                        body.instructions[last].span = a;
                    }
                }
            }
        },
    ),
    ("keeps the first round of a loop for all", |module| {
        for body in bodies(module) {
            for block in body.blocks.keys() {
                let params = body.blocks[block].params.clone();
                let [_, carried] = params[..] else { continue };
                let back = block;
                for data in body.blocks.values_mut() {
                    for target in data.terminator.targets_mut() {
                        if target.block == back && target.arguments[1] != carried {
                            target.arguments[1] = target.arguments[0];
                        }
                    }
                }
            }
        }
    }),
    ("returns another constant", |module| {
        for body in bodies(module) {
            let wrong = body.int(32, 41);
            for block in body.blocks.values_mut() {
                if let Terminator::Return { values } = &mut block.terminator {
                    *values = vec![wrong];
                }
            }
        }
    }),
];

#[test]
fn each_broken_pass_is_caught() {
    for &(fault, run) in BROKEN {
        let pass = Pass {
            name: "broken",
            doc: fault,
            run,
        };
        let caught = (0..200)
            .find(|&seed| differs(&program(seed, 60), &[pass], &selections()[0], 0..2).is_err());
        assert!(caught.is_some(), "nobody notices a pass that {fault}");
        eprintln!("{fault}: caught on program {caught:?}");
    }
}
