//! The table of passes.
//!
//! Every pass is a line of [`PASSES`] and thereby takes part in the differential tests. A pass stays only
//! as long as a command needs it (docs/decisions/0200).

use crate::inline::{InlineOptions, inline};
use crate::{cleanup, fold_checks, promote, renew_objects};
use foghorn_ir::{Body, Module};

/// A pass by name.
#[derive(Clone, Copy)]
pub struct Pass {
    pub name: &'static str,
    /// One line for lists.
    pub doc: &'static str,
    pub run: fn(&mut Module),
}

/// Every pass, in an order in which they can be run.
pub const PASSES: &[Pass] = &[
    Pass {
        name: "fold-checks",
        doc: "branches around a trap become checks",
        run: |module| {
            on_bodies(module, |body| {
                fold_checks(body);
                cleanup(body);
            });
        },
    },
    Pass {
        name: "promote",
        doc: "stack slots whose address goes nowhere become values",
        run: |module| {
            let pointer_bytes = module.layout.pointer_bytes;
            on_bodies(module, |body| {
                promote(body, pointer_bytes);
                cleanup(body);
            });
        },
    },
    Pass {
        name: "renew-objects",
        doc: "a stack object whose address outlives its scope is a new one each time",
        run: |module| {
            renew_objects(module);
        },
    },
    Pass {
        name: "cleanup",
        doc: "blocks that nothing reaches and values that nothing uses go",
        run: |module| on_bodies(module, cleanup),
    },
    Pass {
        name: "inline",
        doc: "small functions, and those called once, in place of their calls",
        run: |module| {
            inline(module, &InlineOptions::default());
        },
    },
    Pass {
        name: "inline-all",
        doc: "every function that is not recursive in place of its calls",
        run: |module| {
            inline(module, &InlineOptions::everything());
        },
    },
];

fn on_bodies(module: &mut Module, mut pass: impl FnMut(&mut Body)) {
    let bodies = module
        .functions
        .values_mut()
        .filter_map(|f| f.body.as_mut());
    bodies.for_each(&mut pass);
}

/// Runs passes in order; in debug builds the module is verified after each.
pub fn run_passes(module: &mut Module, passes: &[Pass]) {
    for pass in passes {
        (pass.run)(module);
        crate::debug_assert_valid(module);
    }
}
