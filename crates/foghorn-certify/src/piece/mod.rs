//! Pieces of a program, executed with terms: from the program's start, from the start of a function, or
//! from the head of a loop, on all ways to where claims stand next.
//!
//! - [`world`](mod@world): terms, axioms, objects; `life`, `memory` and `shadow` are what happened to them;
//! - [`plan`](mod@plan): what must be known of a function before it is executed;
//! - [`walk`](mod@walk): the ways through a piece, joined where they meet; `call` what becomes of calls;
//! - `instruction`, `access`, `builtin`, `address`: what one instruction does;
//! - `claims`: claims where a way meets them; `outer` and `dominating` what is known where a piece begins;
//! - [`formula`](mod@formula): claims as terms.
//!
//! Invariant: what is not expressed is any value, so what follows in a piece holds in the program.

mod access;
mod address;
mod builtin;
mod call;
mod claims;
mod dominating;
pub mod formula;
mod instruction;
mod life;
mod memory;
mod outer;
pub mod plan;
mod shadow;
pub mod walk;
pub mod world;
