//! File tests: programs whose headers state the truth, run through every engine.
//!
//! A test is a C file under `tests/suites/`. The comment at its top says what the program is about
//! and then, as `key: value`, what is true of it:
//!
//! ```text
//! // Off-by-one write past a stack array, reached only in the last iteration.
//! // check:   memory-safety
//! // expect:  unsafe out-of-bounds @ line 12
//! // engines: run kiki
//! // kiki:    unknown FIXME: needs an array invariant
//! ```
//!
//! - [`header`] reads it; a key that is missing or unknown fails.
//! - [`engine`] is the trait by which an engine enrols, and [`foghorn_run`], [`sanitizer`] are two.
//! - [`judge`] compares an answer with the truth: the opposite of the truth is a *soundness
//!   failure*, an unexpected `unknown` a *precision failure*, an unexpected success *improved*.
//! - [`suite`] runs a folder and reports what to do about each failure.
//! - [`snapshot`] compares printed IR with the `.fir` file beside a program. `FOGHORN_BLESS=1`
//!   rewrites those, and never a header.
//!
//! `crates/foghorn/tests/suites.rs` is then:
//!
//! ```no_run
//! //! Whole-path tests: the programs of tests/suites/ through the release binary.
//!
//! use foghorn_testkit::{FoghornIr, FoghornRun, check_snapshots, run_suite, suites};
//!
//! #[test]
//! fn defects_are_found_and_repaired_twins_are_not_reported() {
//!     run_suite(&suites().join("defects"), &[&FoghornRun::new()]).assert_clean();
//! }
//!
//! #[test]
//! fn programs_print_what_the_machine_prints() {
//!     run_suite(&suites().join("run"), &[&FoghornRun::new()]).assert_clean();
//! }
//!
//! #[test]
//! fn printed_ir_of_each_language_feature() {
//!     check_snapshots(&suites().join("ir"), &FoghornIr::new()).assert_clean();
//! }
//! ```
//!
//! The binary is the one that the variable `FOGHORN` names, else `target/release/foghorn`.

pub mod engine;
pub mod foghorn_absint;
pub mod foghorn_bmc;
pub mod foghorn_ir;
pub mod foghorn_run;
pub mod fuzz;
pub mod header;
pub mod judge;
pub mod list_programs;
pub mod loop_programs;
pub mod process;
pub mod processor;
pub mod report;
pub mod sanitizer;
pub mod schema;
pub mod snapshot;
pub mod suite;
pub mod workspace;

pub use engine::{Answer, Engine, Found};
pub use foghorn_absint::FoghornAbsint;
pub use foghorn_bmc::FoghornBmc;
pub use foghorn_ir::FoghornIr;
pub use foghorn_run::FoghornRun;
pub use fuzz::fuzz;
pub use header::{Case, Expectation};
pub use list_programs::list_program;
pub use loop_programs::loop_program;
pub use report::Report;
pub use sanitizer::Sanitizer;
pub use snapshot::{Printer, check_snapshots};
pub use suite::run_suite;
pub use workspace::{binary, programs, suites};
