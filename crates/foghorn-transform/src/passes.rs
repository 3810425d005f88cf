//! The table of passes.
//!
//! Every pass that can be named (`foghorn ir --passes a,b,c`) is a line of [`PASSES`]. A new pass
//! enrols here, and thereby in the differential tests.

use crate::inline::{InlineOptions, inline};
use crate::loop_closed::close_loops;
use crate::unroll::{UnrollError, UnrollOptions, unroll};
use crate::{
    cleanup, constants, fold_checks, promote, renew_objects, select_checks, simplify, slice,
    value_numbering,
};
use foghorn_core::CheckSelection;
use foghorn_ir::{Body, Module};

/// What passes may be told.
#[derive(Clone, Debug, Default)]
pub struct PassOptions {
    /// The checks that are made.
    pub checks: CheckSelection,
    pub inline: InlineOptions,
    pub unroll: UnrollOptions,
}

/// Why a pass could not do its work.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PassError {
    #[error("unknown pass '{name}'; one of: {known}")]
    UnknownPass { name: String, known: String },
    #[error(transparent)]
    Unroll(#[from] UnrollError),
}

/// A pass by name.
#[derive(Clone, Copy)]
pub struct Pass {
    pub name: &'static str,
    /// One line for lists.
    pub doc: &'static str,
    pub run: fn(&mut Module, &PassOptions) -> Result<(), PassError>,
}

/// Every pass, in an order in which they can be run.
pub const PASSES: &[Pass] = &[
    Pass {
        name: "fold-checks",
        doc: "branches around a trap become checks",
        run: |module, _| {
            on_bodies(module, |body| {
                fold_checks(body);
                cleanup(body);
            })
        },
    },
    Pass {
        name: "promote",
        doc: "stack slots whose address goes nowhere become values",
        run: |module, _| {
            let pointer_bytes = module.layout.pointer_bytes;
            on_bodies(module, |body| {
                promote(body, pointer_bytes);
                cleanup(body);
            })
        },
    },
    Pass {
        name: "renew-objects",
        doc: "a stack object whose address outlives its scope is a new one each time",
        run: |module, _| {
            renew_objects(module);
            Ok(())
        },
    },
    Pass {
        name: "cleanup",
        doc: "blocks that nothing reaches and values that nothing uses go",
        run: |module, _| on_bodies(module, cleanup),
    },
    Pass {
        name: "select-checks",
        doc: "checks of groups that are off go or become assumptions",
        run: |module, options| {
            select_checks(module, &options.checks);
            Ok(())
        },
    },
    Pass {
        name: "constants",
        doc: "sparse conditional constant propagation",
        run: |module, _| {
            on_bodies(module, |body| {
                constants::propagate_constants(body);
            })
        },
    },
    Pass {
        name: "simplify",
        doc: "copies and algebraic identities",
        run: |module, _| {
            on_bodies(module, |body| {
                simplify::simplify(body);
            })
        },
    },
    Pass {
        name: "value-numbering",
        doc: "common subexpressions and checks that were made already",
        run: |module, _| {
            on_bodies(module, |body| {
                value_numbering::number_values(body);
            })
        },
    },
    Pass {
        name: "slice",
        doc: "only what can influence a check, an assumption, an input or the end",
        run: |module, options| {
            slice::slice(module, &options.checks);
            Ok(())
        },
    },
    Pass {
        name: "inline",
        doc: "small functions, and those called once, in place of their calls",
        run: |module, options| {
            inline(module, &options.inline);
            Ok(())
        },
    },
    Pass {
        name: "inline-all",
        doc: "every function that is not recursive in place of its calls",
        run: |module, _| {
            inline(module, &InlineOptions::everything());
            Ok(())
        },
    },
    Pass {
        name: "loop-closed",
        doc: "values leave loops through block parameters only",
        run: |module, _| {
            on_bodies(module, |body| {
                cleanup(body);
                close_loops(body);
            })
        },
    },
    Pass {
        name: "unroll",
        doc: "no loops and no recursion, up to a bound, with unwinding checks",
        run: |module, options| {
            unroll(module, &options.unroll)?;
            Ok(())
        },
    },
];

fn on_bodies(module: &mut Module, mut pass: impl FnMut(&mut Body)) -> Result<(), PassError> {
    let bodies = module
        .functions
        .values_mut()
        .filter_map(|f| f.body.as_mut());
    bodies.for_each(&mut pass);
    Ok(())
}

/// The passes of a list of names separated by commas.
pub fn parse_passes(list: &str) -> Result<Vec<Pass>, PassError> {
    let names = list.split(',').map(str::trim).filter(|n| !n.is_empty());
    names
        .map(|name| {
            let found = PASSES.iter().find(|pass| pass.name == name).copied();
            found.ok_or_else(|| PassError::UnknownPass {
                name: name.to_owned(),
                known: PASSES.iter().map(|p| p.name).collect::<Vec<_>>().join(", "),
            })
        })
        .collect()
}

/// Runs passes in order; in debug builds the module is verified after each.
pub fn run_passes(
    module: &mut Module,
    passes: &[Pass],
    options: &PassOptions,
) -> Result<(), PassError> {
    for pass in passes {
        (pass.run)(module, options)?;
        crate::debug_assert_valid(module);
    }
    Ok(())
}
