//! Sparse conditional constant propagation (Wegman and Zadeck, TOPLAS 1991).
//!
//! Finds values that are one constant on every path that can be executed, assuming of a branch
//! only what its condition allows; replaces them, decides branches, and cuts what follows an
//! assumption or a check that never holds. Folding uses the interpreter's own functions, so the two
//! agree by construction.
//!
//! Kept: every check in code that can be reached (also one that now reads `check … true`, so that
//! each site still has a verdict), every input, every effect. What follows `check … false` is cut
//! only if the check stops the execution whether its group is on or off.

mod fold;
mod solve;

pub use fold::fold;

use crate::cleanup::cleanup;
use crate::replacements::Replacements;
use foghorn_ir::{Body, Constant, Instruction, Terminator};

/// What [`propagate_constants`] did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Propagated {
    /// Values that became constants.
    pub values: usize,
    /// Blocks whose rest cannot be reached.
    pub cut: usize,
}

/// Runs the pass on one body.
pub fn propagate_constants(body: &mut Body) -> Propagated {
    let solution = solve::solve(body);
    let mut replacements = Replacements::default();
    for (value, constant) in solution {
        let new = body.constant(body.ty(value), constant);
        replacements.set(value, new);
    }
    replacements.apply(body);
    let cut = cut_after_false(body);
    cleanup(body);
    Propagated {
        values: replacements.len(),
        cut,
    }
}

/// Drops assumptions of true and what follows a condition that never holds.
fn cut_after_false(body: &mut Body) -> usize {
    let mut cut = 0;
    for block in body.blocks.keys() {
        let holds = |body: &Body, value| body.as_constant(value).map(|c| c != Constant::Int(0));
        let mut keep = Vec::with_capacity(body.blocks[block].instructions.len());
        let mut stopped = false;
        for id in std::mem::take(&mut body.blocks[block].instructions) {
            let (stops, drops) = match body.instructions[id].instruction {
                Instruction::Assume { condition } => (true, holds(body, condition) == Some(true)),
                Instruction::Check { kind, .. } => (kind.always_stops(), false),
                _ => (false, false),
            };
            let never = match body.instructions[id].instruction {
                Instruction::Assume { condition } | Instruction::Check { condition, .. } => {
                    holds(body, condition) == Some(false)
                }
                _ => false,
            };
            if !drops {
                keep.push(id);
            }
            if stops && never {
                stopped = true;
                break;
            }
        }
        body.blocks[block].instructions = keep;
        if stopped && body.blocks[block].terminator != Terminator::Unreachable {
            body.blocks[block].terminator = Terminator::Unreachable;
            cut += 1;
        }
    }
    cut
}
