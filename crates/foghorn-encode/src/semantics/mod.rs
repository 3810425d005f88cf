//! Operational semantics: what each instruction does to a symbolic store of values, memories and objects, as terms.
//!
//! The executor ([`crate::execute`]) walks the program and asks here what an instruction means: [`instruction`]
//! dispatches, [`access`] reads and writes, [`pointer`] and [`address`] say where pointers lead, [`lifetime`] allocates
//! and ends objects ([`object`]), [`builtin`] has what C libraries ask of the machine, [`reach`] what is left at the end.
//! Scalars and floats are in [`crate::scalar`] and [`crate::float`], memories in [`crate::memory`].
//!
//! Each meaning is that of the interpreter, or allows more and then says so: by an obligation, by a note.

pub mod access;
mod address;
mod builtin;
pub mod cells;
mod instruction;
mod lifetime;
pub mod object;
mod pointer;
pub(crate) mod reach;
