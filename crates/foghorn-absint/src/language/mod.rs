//! The goto language that is analysed: statements, control-flow graphs, text, execution.
//!
//! Fig. 5 of the SeaHorn paper (§4.2.1). [`statement`] has the statements, [`program`] functions
//! and the builder, [`printer`] the text syntax.

pub mod interpreter;
mod lexer;
pub mod parser;
pub mod printer;
pub mod program;
pub mod statement;

pub use parser::{SyntaxError, parse_condition, parse_program};
pub use printer::{print_condition, print_program, print_statement};
pub use program::{Block, BlockId, Function, FunctionBuilder, FunctionId, Program, Terminator};
pub use statement::{
    ArrayAccess, BinaryOperator, BooleanOperator, Cast, Condition, Endianness, Operand, Statement,
    UnsignedRelation,
};
