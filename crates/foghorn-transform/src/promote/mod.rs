//! Stack slots become SSA values.
//!
//! clang keeps every local variable in memory. A slot whose address goes nowhere but into loads
//! and stores at constant offsets is split into *fields* (an offset and a type; all accesses to a
//! byte must agree on its field), and each field becomes an SSA value, with block parameters at
//! the iterated dominance frontier of its definitions where it is live (Cytron et al., TOPLAS
//! 1991, pruned).
//!
//! We do this ourselves rather than by LLVM's `mem2reg` for one reason: what an uninitialised
//! variable holds. C gives it one indeterminate value that all reads see until it is written;
//! `mem2reg` gives each read its own `undef`. Here the start of a field's life defines it by one
//! [`Instruction::Nondet`] with the variable's name.
//!
//! Invariants kept: no check disappears (an access through a promoted slot is in bounds, alive and
//! writable by construction), and a store to a variable of the source leaves an
//! [`Instruction::Bind`].

mod rename;
mod slots;

use foghorn_ir::Body;
use foghorn_ir::graph::{ControlFlowGraph, DominatorTree};

#[cfg(doc)]
use foghorn_ir::Instruction;

/// Runs the pass; returns how many slots were promoted.
pub fn promote(body: &mut Body, pointer_bytes: u32) -> usize {
    let cfg = ControlFlowGraph::new(body);
    let slots = slots::find(body, &cfg, pointer_bytes);
    let promoted = slots.promoted();
    if promoted > 0 {
        let tree = DominatorTree::new(cfg.graph(), cfg.entry());
        rename::run(body, &cfg, &tree, &slots);
    }
    promoted
}
