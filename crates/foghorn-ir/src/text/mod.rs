//! The textual form of a module, `.fir`.
//!
//! [`print_module`] and [`parse_module`] are inverse up to the numbering of entities:
//! `print(parse(print(m))) == print(m)`, and everything that has a meaning is kept: layout,
//! initialisers, signatures, names, variables, spans with the calls they were inlined at. What is
//! dead (instructions in no block, locations that nothing has) is not printed.
//!
//! ```text
//! foghorn-ir 1
//! layout pointer-bytes 8
//! entry @main
//! inline-site ^0 = "twice" ! main.c:9:10
//!
//! constant @text size 3 align 1 = { 0: "hi" } ! main.c:1:12
//! declare @puts(ptr) -> i32
//!
//! function @main(i32) -> i32 ! main.c:8 {
//!   variable var0 argc signed ! main.c:8:14
//! block0(v0.argc:i32):
//!   bind var0, v0
//!   v1:i1 = overflows signed mul v0, 2     ! main.c:3:20 ^0
//!   v2:i1 = xor v1, true
//!   check signed-overflow v2
//!   v3:i32 = mul v0, 2                     ! main.c:3:20 ^0
//!   return v3
//! }
//! ```
//!
//! - Constants stand where they are used. A number takes the type that its place demands (that of
//!   the result, of the other operand, of a size); where the place demands none, the type follows:
//!   `7:i32`. A hexadecimal number of a floating-point type gives its bits.
//! - `! file:line:column` is the location of what precedes it, and `^0` the inlined call it came
//!   by, listed at the top with outer calls before inner ones.
//! - `as "any pointer"` behind a load or store is the class of C types as which it accesses memory.
//! - A pure body begins with `pure` and its regions, `region region0 name word 4 modified` or
//!   `region region0 name bytes likely word 4 modified`, with `typed` before the last word if it
//!   holds what is accessed as one type; the type of a region's contents is
//!   `region0`. Brackets behind an instruction hold the memory that
//!   it takes and leaves: `[v5 -> v6:region0]` of a load or store, `[to v5 -> v6:region0, from v7]`
//!   of a copy, `[0 = v5 -> v6:region0, 1 = v7]` of a call.
//! - `;` starts a comment. Line breaks mean nothing.
//! - `!` and names that are no identifiers are quoted; `\xx` is a byte in hexadecimal.

mod dot;
mod lex;
mod number;
mod parse;
mod print;
mod print_instruction;
mod quote;
mod sites;

#[cfg(test)]
mod tests;

pub use dot::{draw_calls, draw_control_flow};
pub use number::Numbering;
pub use parse::{ParseError, parse_module};
pub use print::{print_function, print_module};
