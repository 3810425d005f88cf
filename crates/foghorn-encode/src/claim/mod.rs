//! Claims: what an engine says of a program so that another program can prove it again.
//!
//! A [`Formula`] speaks of one place of one function in the pure form: the head of a loop, the start of
//! the function, or where it returns. Its [`Expression`]s are whole numbers without bounds, so that
//! nothing in a claim overflows; a machine integer is read as signed or as unsigned, and machine
//! arithmetic is written with [`Expression::Wrapped`]. What is spoken of:
//!
//! - values that are in scope there ([`Subject::Value`]), and where a function returns what it returns
//!   ([`Subject::Result`]);
//! - of a pointer its object, as a number, and its offset in bytes;
//! - of a memory what it holds of an object at an offset. In the pure form contents of a region are
//!   values too, so a claim names the memory: a parameter of a loop's head, or for what was there at the
//!   call the parameter of the function;
//! - of an object its size, whether it is alive now or was at the call, whether it is on the heap;
//! - how many objects there have been: numbers are given in the order of allocation and never again, so
//!   a number below [`Expression::NextObject`] is that of an object that exists or existed.
//!
//! Numbers of objects: 0 is null ([`NULL`]), 1 a pointer that no object explains ([`UNKNOWN`]), then
//! come functions, globals, and what is allocated.
//!
//! The one quantifier is [`Formula::ForEvery`] object (and offset). Where it is shown it stands for an
//! arbitrary object, where it is assumed it is instantiated at that object and at each accessed place,
//! so that no question to a solver has a quantifier.
//!
//! An [`Argument`] is the claims of one engine about all functions. Every claim is data: it is written as
//! JSON or postcard by `serde`, and read by people as [`std::fmt::Display`] shows it.
//!
//! See `docs/guide/certificates.md` for the language and [`build`](mod@build) for how claims are made.

pub mod argument;
pub mod build;
mod convert;
mod text;

pub use crate::fact::Subject;
pub use argument::{Argument, Contract, FunctionClaims, LoopClaim};

use serde::{Deserialize, Serialize};

/// The object number of null.
pub const NULL: u64 = 0;
/// The object number of a pointer that no object explains; its offset is its address.
pub const UNKNOWN: u64 = 1;
/// The least number of an object.
pub const FIRST_OBJECT: u64 = 2;

/// A condition.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Formula {
    Constant(bool),
    /// The `i1` is true.
    Truth(Subject),
    Compare {
        relation: Comparison,
        left: Expression,
        right: Expression,
    },
    /// The object with this number is alive.
    Alive(Expression),
    /// The object with this number was alive when the function was called.
    AliveAtEntry(Expression),
    /// The object with this number was allocated on the heap.
    OnHeap(Expression),
    Not(Box<Formula>),
    All(Vec<Formula>),
    Any(Vec<Formula>),
    Implies(Box<Formula>, Box<Formula>),
    /// Of every object and every offset, which [`Expression::EveryObject`] and
    /// [`Expression::EveryOffset`] name within. It is not nested.
    ForEvery(Box<Formula>),
}

/// How two numbers are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Comparison {
    #[serde(rename = "<=")]
    LessOrEqual,
    #[serde(rename = "<")]
    Less,
    #[serde(rename = "==")]
    Equal,
    #[serde(rename = "!=")]
    NotEqual,
}

/// A whole number. Literals are decimal, so that no width limits them.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Expression {
    Number(String),
    /// A machine integer read as signed.
    Signed(Subject),
    /// A machine integer read as unsigned; of an `i1` 1 or 0.
    Unsigned(Subject),
    /// The object of a pointer.
    Object(Subject),
    /// The offset of a pointer, signed.
    Offset(Subject),
    /// Bytes of the object with this number; a function has a number of its own below 0
    /// ([`crate::fact::function_size`]), null and what is no object have 0.
    Size(Box<Expression>),
    /// What a memory holds.
    Content(Box<Content>),
    /// The object of [`Formula::ForEvery`].
    EveryObject,
    /// The offset of [`Formula::ForEvery`].
    EveryOffset,
    /// The number that the next object gets.
    NextObject,
    /// The same when the function was called.
    NextObjectAtEntry,
    Sum(Vec<Expression>),
    /// A number times an expression.
    Scaled(String, Box<Expression>),
    Product(Box<Expression>, Box<Expression>),
    /// Division by a number above 0, rounded down.
    Quotient(Box<Expression>, String),
    /// What that division leaves, never negative.
    Remainder(Box<Expression>, String),
    /// One or the other.
    Choice(Box<Formula>, Box<Expression>, Box<Expression>),
    /// The low bits, read as signed or as unsigned.
    Wrapped {
        bits: u32,
        signed: bool,
        of: Box<Expression>,
    },
    /// An operation on the low bits, read as unsigned.
    Bits {
        operation: BitOperation,
        bits: u32,
        left: Box<Expression>,
        right: Box<Expression>,
    },
}

/// An operation on bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BitOperation {
    And,
    Or,
    Xor,
}

/// What a memory holds at a place.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Content {
    /// A value that is the contents of a region.
    pub memory: Subject,
    /// The number of the object.
    pub object: Expression,
    /// Bytes from its start.
    pub offset: Expression,
    pub bytes: u32,
    pub view: View,
}

/// What is read there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum View {
    Signed,
    Unsigned,
    /// The object of a pointer.
    Object,
    /// The offset of a pointer.
    Offset,
}
