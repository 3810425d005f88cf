//! Slicing: only what can influence a check, an assumption, an input or the end of the program.
//!
//! - [`module`]: functions that nothing reaches and globals that nothing names go.
//! - [`stores`]: stores into stack objects that nobody reads go, with the objects.
//! - [`control`]: instructions and branches on which nothing that matters depends, by data or by
//!   control, go. Branches that decide whether a loop ends stay, and so does every loop.
//!
//! Stays always: memory accesses other than the above (their own checks are among the properties,
//! and where those are off they are assumptions), calls, allocations, and every input, so that a
//! model of the slice replays in the whole program. Checks and assumptions of the constant true go.

mod control;
mod module;
mod stores;

use foghorn_core::{CheckKind, CheckSelection};
use foghorn_ir::{Body, Module};

/// What [`slice`] removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sliced {
    pub functions: usize,
    pub globals: usize,
    pub instructions: usize,
    pub branches: usize,
}

/// Runs the pass.
pub fn slice(module: &mut Module, selection: &CheckSelection) -> Sliced {
    let (functions, globals) = module::remove_unreached(module);
    let mut done = Sliced {
        functions,
        globals,
        ..Sliced::default()
    };
    let pointer_bytes = module.layout.pointer_bytes;
    // A stack object that is alive at `_exit` keeps heap objects from being leaked.
    let keep_pointers = selection.contains(CheckKind::Leak);
    for body in module
        .functions
        .values_mut()
        .filter_map(|f| f.body.as_mut())
    {
        let before = placed(body);
        stores::remove_unread(body, pointer_bytes, keep_pointers);
        done.branches += control::slice_body(body);
        done.instructions += before - placed(body).min(before);
    }
    let (functions, globals) = module::remove_unreached(module);
    done.functions += functions;
    done.globals += globals;
    done
}

/// Number of instructions in blocks.
fn placed(body: &Body) -> usize {
    body.blocks.values().map(|b| b.instructions.len()).sum()
}
