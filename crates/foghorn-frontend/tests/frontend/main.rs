//! Tests of the front end as a whole. One binary, because each links all of LLVM.

mod arguments;
mod bad_input;
#[cfg(feature = "llvm22")]
mod rust;
mod translate;
