//! Unrolling to a bound: the bounded form of a program, without loops and without recursion.
//!
//! A loop with bound k has its jump back to the header taken at most k times; recursion with
//! bound d nests at most d calls beyond the first within a set of mutually recursive functions.
//! Whatever would go further runs into a check of kind `unwinding`, which fails: an execution that
//! passes none of these checks is an execution of the whole program, and if none of them can fail,
//! the bounded form is the whole program.
//!
//! Loops are unrolled from the inside out on loop-closed SSA ([`body`]), also irreducible ones:
//! within a loop only jumps to its header make a round, once the loops inside are gone. Recursive
//! functions are copied level by level ([`recursion`]). Recursion through pointers to functions is
//! left alone and named in the result.

mod body;
mod recursion;

use crate::cleanup::cleanup;
use crate::loop_closed::close_loops;
use foghorn_ir::graph::{CallGraph, ControlFlowGraph, LoopForest};
use foghorn_ir::loops::{loop_name, number_loops};
use foghorn_ir::{Body, FunctionId, Module};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// How far to unroll.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnrollOptions {
    /// Rounds of a loop that has no bound of its own.
    pub bound: u32,
    /// Nested calls of recursive functions that have no bound of their own.
    pub recursion: u32,
    /// Bounds by name: of a loop (`function.N`), or of the recursion of a function.
    pub bounds: BTreeMap<String, u32>,
    /// Instructions that the module may grow to.
    pub max_instructions: usize,
}

impl Default for UnrollOptions {
    fn default() -> Self {
        UnrollOptions {
            bound: 4,
            recursion: 4,
            bounds: BTreeMap::new(),
            max_instructions: 2_000_000,
        }
    }
}

/// What [`unroll`] did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unrolled {
    pub loops: usize,
    /// Recursive functions that were copied.
    pub functions: usize,
    /// Functions that are still recursive, through pointers.
    pub still_recursive: Vec<Arc<str>>,
}

/// Why a program was not unrolled.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnrollError {
    #[error("'{name}', for which a bound is given, is neither a loop nor a recursive function")]
    UnknownLoop { name: String },
    #[error("unrolling '{name}' {bound} times would take more than {limit} instructions")]
    TooLarge {
        name: String,
        bound: u32,
        limit: usize,
    },
}

/// Runs the pass.
pub fn unroll(module: &mut Module, options: &UnrollOptions) -> Result<Unrolled, UnrollError> {
    let mut done = Unrolled::default();
    let mut unknown: BTreeSet<&str> = options.bounds.keys().map(String::as_str).collect();
    let mut room = Room {
        used: 0,
        limit: options.max_instructions,
    };
    for id in module.functions.keys().collect::<Vec<_>>() {
        let Some(mut body) = module.functions[id].body.take() else {
            continue;
        };
        cleanup(&mut body);
        let result = unroll_body(module, id, &mut body, options, &mut unknown, &mut room);
        cleanup(&mut body);
        module.functions[id].body = Some(body);
        done.loops += result?;
    }
    done.functions = recursion::unroll(module, options, &mut unknown, &mut room)?;
    if let Some(&name) = unknown.first() {
        return Err(UnrollError::UnknownLoop {
            name: name.to_owned(),
        });
    }
    let calls = CallGraph::new(module);
    let left = module.functions.iter();
    let left = left.filter(|&(id, _)| calls.is_recursive(id));
    done.still_recursive = left.map(|(_, function)| function.name.clone()).collect();
    Ok(done)
}

/// The instructions that may still be made.
struct Room {
    used: usize,
    limit: usize,
}

impl Room {
    /// Room for `copies` times `size` instructions more.
    fn take(&mut self, size: usize, copies: u32, name: &str) -> Result<(), UnrollError> {
        let more = size.saturating_mul(copies as usize);
        self.used = self.used.saturating_add(more);
        match self.used > self.limit {
            true => Err(UnrollError::TooLarge {
                name: name.to_owned(),
                bound: copies,
                limit: self.limit,
            }),
            false => Ok(()),
        }
    }
}

/// Unrolls the loops of one body; returns how many there were.
fn unroll_body(
    module: &Module,
    function: FunctionId,
    body: &mut Body,
    options: &UnrollOptions,
    unknown: &mut BTreeSet<&str>,
    room: &mut Room,
) -> Result<usize, UnrollError> {
    close_loops(body);
    let cfg = ControlFlowGraph::new(body);
    let forest = LoopForest::new(&cfg);
    let order = number_loops(module, body, &cfg, &forest);
    let mut members = body::Members::new(&forest);
    for (id, found) in forest.iter().rev() {
        let number = order.iter().position(|&(other, _)| other == id);
        let number = number.expect("invariant: every loop has a number");
        let name = loop_name(module, function, number);
        unknown.remove(&*name);
        let bound = options.bounds.get(&*name).copied().unwrap_or(options.bound);
        room.take(members.size(body, id), bound, &name)?;
        let message = format!("loop {name} goes on after {bound} rounds");
        let new = body::unroll_loop(
            body,
            &members,
            id,
            found.header,
            bound,
            order[number].1,
            &message,
        );
        members.grow(&forest, id, &new);
    }
    Ok(forest.len())
}
