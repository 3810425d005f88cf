//! Encodings of programs into terms: operational semantics over a symbolic store, and symbolic execution of all paths.
//!
//! [`execute`] walks a program in pure form and writes down what happens, with a policy that decides what becomes of loops
//! and calls; [`semantics`] says what each instruction does.
//!
//! [`scalar`] and [`float`] give instructions on integers and floats their meaning as terms, bit for bit that of the
//! interpreter.
//!
//! [`integers`] has the same integers behind a trait: as bit-vectors, or exact over linear arithmetic.
//!
//! [`fact`] is what engines tell each other about values; [`claim`] is what they say so that it can be proved again.
//!
//! [`memory`] has the trait [`memory::MemoryRepresentation`] and its three implementations, as the SEAM thesis defines
//! them: ARRAYS and LAMBDAS (figures 2.11 and 2.12) and SEAM (chapters 4 to 6). The executor
//! asks for memories, reads and writes through that trait only.
//!
//! No function in this crate recurses over the depth of a term or of a chain of writes, and none depends on a solver.

pub mod bench;
pub mod claim;
pub mod execute;
pub mod fact;
pub mod float;
pub mod integers;
pub mod memory;
pub mod scalar;
pub mod semantics;
