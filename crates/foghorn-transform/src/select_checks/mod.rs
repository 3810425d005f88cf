//! Only the selected checks remain.
//!
//! A [`Instruction::Check`] of a group that is off is removed where the machine gives what follows
//! a meaning, and becomes an [`Instruction::Assume`] where it gives none
//! ([`CheckKind::when_off`] is the table). Checks that are implicit in memory instructions stay
//! implicit: [`foghorn_ir::sites::site_checks`] lists them per instruction, and engines ask the selection.
//!
//! Where memory has to be freed before the program ends, a failing assertion stays: it is such an
//! end.
//!
//! Invariant: what remains before an `unreachable` is still a check or an assumption of false. A
//! trap that could not be folded into a check (both sides of its branch trap) ends the execution
//! even where the operation has a machine meaning: the code that would go on does not exist.

use foghorn_core::{CheckKind, CheckSelection, WhenOff};
use foghorn_ir::{BlockId, Body, InstId, Instruction, Module, Terminator};

/// What [`select_checks`] did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Selected {
    /// Checks that were taken out.
    pub removed: usize,
    /// Checks that became assumptions.
    pub assumed: usize,
}

/// Runs the pass.
pub fn select_checks(module: &mut Module, selection: &CheckSelection) -> Selected {
    let mut done = Selected::default();
    let bodies = module
        .functions
        .values_mut()
        .filter_map(|f| f.body.as_mut());
    for body in bodies {
        for block in body.blocks.keys() {
            select_in_block(body, block, selection, &mut done);
        }
    }
    done
}

fn select_in_block(
    body: &mut Body,
    block: BlockId,
    selection: &CheckSelection,
    done: &mut Selected,
) {
    let data = &mut body.blocks[block];
    let ends = data.terminator == Terminator::Unreachable;
    let last = data.instructions.last().copied();
    let instructions = &mut body.instructions;
    data.instructions.retain(|&id| {
        let Some(kind) = switched_off(&instructions[id].instruction, selection) else {
            return true;
        };
        if kind.when_off() == WhenOff::MachineMeaning && !(ends && last == Some(id)) {
            done.removed += 1;
            return false;
        }
        done.assumed += 1;
        let Instruction::Check { condition, .. } = instructions[id].instruction else {
            unreachable!("invariant: only checks are switched off");
        };
        instructions[id].instruction = Instruction::Assume { condition };
        true
    });
}

/// The kind of a check that is not made.
fn switched_off(instruction: &Instruction, selection: &CheckSelection) -> Option<CheckKind> {
    match instruction {
        Instruction::Check { kind, .. } if !selection.contains(*kind) => {
            let is_end = kind.ends_program() && selection.contains(CheckKind::NotFreed);
            (!is_end).then_some(*kind)
        }
        _ => None,
    }
}

/// The checks of a kind that is on, block by block: what an engine has to answer for explicitly.
pub fn explicit_checks(body: &Body) -> impl Iterator<Item = (BlockId, InstId, CheckKind)> + '_ {
    body.blocks.iter().flat_map(move |(block, data)| {
        let instructions = data.instructions.iter();
        instructions.filter_map(move |&id| match body.instructions[id].instruction {
            Instruction::Check { kind, .. } => Some((block, id, kind)),
            _ => None,
        })
    })
}
