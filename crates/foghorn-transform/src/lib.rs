//! Passes over the IR.
//!
//! Each pass is a function on a body or a module that keeps the meaning of every execution and
//! every check; [`passes`] is the table of all of them. [`prepare`] is what the commands run on the
//! front end's output, [`inline()`] what they run where the user asks for it. [`mixed`] is no line of the table:
//! it keeps which checks fail, and not each execution.

mod cleanup;
mod fold_checks;
mod inline;
mod lives;
pub mod loops;
pub mod mixed;
pub mod passes;
mod printing;
mod promote;
mod replacements;
mod scopes;

pub use cleanup::cleanup;
pub use fold_checks::fold_checks;
pub use inline::{InlineOptions, inline};
pub use passes::{PASSES, Pass, run_passes};
pub use printing::leave_out_printing;
pub use promote::promote;
pub use scopes::renew_objects;

use foghorn_ir::Module;
use foghorn_ir::verify::verify_module;

/// What [`prepare`] did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Prepared {
    /// Branches around a trap that became checks.
    pub checks: usize,
    /// Stack slots that became values.
    pub promoted: usize,
    /// Stack objects that are allocated for each of their lives.
    pub renewed: usize,
}

/// Checks out of traps, values out of stack slots (unless `promote_slots` is false), clean-up; and
/// an object for each life of a stack object.
pub fn prepare(module: &mut Module, promote_slots: bool) -> Prepared {
    let mut done = Prepared::default();
    let pointer_bytes = module.layout.pointer_bytes;
    for function in module.functions.values_mut() {
        let Some(body) = &mut function.body else {
            continue;
        };
        done.checks += fold_checks(body);
        if promote_slots {
            done.promoted += promote(body, pointer_bytes);
        }
        cleanup(body);
    }
    done.renewed = renew_objects(module);
    debug_assert_valid(module);
    done
}

/// In debug builds, stops at a module that breaks an invariant of the IR.
fn debug_assert_valid(module: &Module) {
    if cfg!(debug_assertions) {
        let breaches = verify_module(module);
        let text: Vec<String> = breaches.iter().map(ToString::to_string).collect();
        assert!(
            text.is_empty(),
            "invariant: passes keep the IR valid\n{}",
            text.join("\n")
        );
    }
}
