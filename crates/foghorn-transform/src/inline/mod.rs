//! Inlining, callees before callers.
//!
//! A direct call of a function with a body that is not recursive can be replaced by a copy of the
//! body. Which calls are is decided by size and by number of call sites ([`InlineOptions`]).
//!
//! Kept: spans say where the code was inlined, so that reports show the same calls; the stack
//! objects of a call are new each time and die at its return ([`copy`]); the entry, constructors,
//! destructors and functions whose address is taken remain callable. Functions that nothing calls
//! any more stay until [`crate::slice`].

mod copy;

use crate::cleanup::cleanup;
use copy::inline_calls;
use cranelift_entity::SecondaryMap;
use foghorn_ir::graph::CallGraph;
use foghorn_ir::{Body, FunctionId, Module};

/// Which calls are inlined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InlineOptions {
    /// Functions of at most this many instructions are inlined wherever they are called.
    pub small: usize,
    /// Functions that are called at one place are inlined there up to this size.
    pub called_once: usize,
    /// A function that has grown to this size takes in no more.
    pub largest_caller: usize,
}

impl Default for InlineOptions {
    fn default() -> Self {
        InlineOptions {
            small: 40,
            called_once: 2_000,
            largest_caller: 20_000,
        }
    }
}

impl InlineOptions {
    /// Every call that can be inlined.
    pub fn everything() -> Self {
        InlineOptions {
            small: usize::MAX,
            called_once: usize::MAX,
            largest_caller: usize::MAX,
        }
    }
}

/// Runs the pass; returns how many calls were inlined.
pub fn inline(module: &mut Module, options: &InlineOptions) -> usize {
    let calls = CallGraph::new(module);
    let mut sites: SecondaryMap<FunctionId, usize> = SecondaryMap::new();
    for caller in module.functions.keys() {
        for site in calls.sites(caller) {
            for &callee in &site.callees {
                sites[callee] += 1;
            }
        }
    }
    let mut inlined = 0;
    let order: Vec<FunctionId> = calls.bottom_up().collect();
    for caller in order {
        let Some(mut body) = module.functions[caller].body.take() else {
            continue;
        };
        let mut size = instruction_count(&body);
        let mut wanted = |module: &Module, callee: FunctionId| {
            let Some(inner) = &module.functions[callee].body else {
                return false;
            };
            let cost = instruction_count(inner);
            let once = sites[callee] == 1 && !calls.is_address_taken(callee);
            let fits = cost <= options.small || (once && cost <= options.called_once);
            let takes = fits && !calls.is_recursive(callee) && size < options.largest_caller;
            if takes {
                size += cost;
            }
            takes
        };
        let count = inline_calls(module, &mut body, &mut wanted);
        if count > 0 {
            cleanup(&mut body);
            inlined += count;
        }
        module.functions[caller].body = Some(body);
    }
    inlined
}

/// Number of instructions in blocks.
fn instruction_count(body: &Body) -> usize {
    body.blocks.values().map(|b| b.instructions.len()).sum()
}
