//! Constrained Horn clauses from programs, and what their solutions say about the checks.
//!
//! The pure program of a task becomes a system of clauses whose least solution contains every state
//! that an execution can be in where the program is cut: at the heads of loops, at the entries of
//! procedures and behind their calls (§3.2 of the SeaHorn paper, large step; with a cut at every
//! block it is the small step of fig. 3). A check that fails is a clause that derives `false`. A
//! solution that a solver found and another one checked proves the checks; a derivation of `false`
//! becomes the inputs of a run that is executed before anybody is told.
//!
//! - [`form`]: what distinguishes one system for a program from another;
//! - [`datum`]: values as terms, pointers as an object and an offset;
//! - [`objects`]: how objects are numbered; [`layout`]: what is kept of a region;
//! - [`memory`]: contents of regions, lives and sizes as lists of changes, read at one place;
//! - [`path`]: one path from a cut to the next, instruction by instruction;
//! - [`clauses`]: all paths of a program as rules; [`slice`] and [`liveness`]: which values matter;
//! - [`mixed`]: the program with failures in its entry only;
//! - [`solve`], [`answer`], [`door`]: forms and solvers in turn, derivations as runs, the engine; [`show`]:
//!   what was proved, in the words of C, [`claims`] and [`argue`]: in those of certificates; [`vacuity`]: checks that no execution
//!   comes to.
//!
//! Soundness: whatever an execution does has a path here. Where an instruction is not expressed
//! exactly its result is any value of its type, and that is noted by name; what cannot be
//! over-approximated ends the construction ([`path::Refusal`]).

pub mod answer;
pub mod argue;
pub mod bench;
pub mod claims;
pub mod clauses;
mod contest;
pub mod datum;
pub mod door;
pub mod form;
pub mod layout;
pub mod liveness;
pub mod memory;
pub mod mixed;
pub mod objects;
pub mod path;
mod refute;
pub mod sabotage;
pub mod show;
pub mod slice;
pub mod solve;
pub mod vacuity;
mod work;
