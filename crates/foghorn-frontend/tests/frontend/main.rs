//! Tests of the front end as a whole. One binary, because each links all of LLVM.

mod bad_input;
mod translate;
