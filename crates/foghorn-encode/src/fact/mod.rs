//! Facts: what one engine tells another about the values of a function.
//!
//! A fact is data, so that it can be written down, sent to another process and read by a person
//! (`text`), and it has a term over whatever stands for the values ([`Fact::term`]). Values are named by
//! their numbers in the pure form of the program, which the same source always gives.

mod term;
#[cfg(test)]
mod tests;
mod text;

use foghorn_ir::{FunctionId, Module};
use serde::{Deserialize, Serialize};

/// One condition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Fact {
    /// `Σ factor · quantity + constant` compared with 0, over the integers; machine integers are
    /// read as signed. Numbers are decimal.
    Linear {
        terms: Vec<(Quantity, String)>,
        constant: String,
        relation: Relation,
    },
    /// Numbers of one width, read as unsigned.
    Unsigned {
        strict: bool,
        left: Operand,
        right: Operand,
    },
    /// The truth value is this.
    Truth { of: Quantity, is: bool },
    /// If a truth value is this, then so is another one.
    Implied {
        when: (Quantity, bool),
        then: (Quantity, bool),
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Relation {
    #[serde(rename = "<=")]
    LessOrEqual,
    #[serde(rename = "==")]
    Equal,
    #[serde(rename = "!=")]
    NotEqual,
}

/// A quantity, or a number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Operand {
    Quantity(Quantity),
    Number(String),
}

/// Something of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Quantity {
    pub subject: Subject,
    pub aspect: Aspect,
}

/// What is spoken of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Subject {
    /// A value of the function.
    Value(u32),
    /// The n-th result of the function; only where it returns.
    Result(u32),
}

/// What of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Aspect {
    /// An integer of more than one bit.
    Integer,
    /// An `i1`.
    Boolean,
    /// Whether a pointer names an object.
    IsObject,
    /// Its bytes from the start of the object, or its address without one.
    Offset,
    /// The size of the object; a function has one of its own ([`function_size`]).
    Size,
}

/// What stands for the size of a function: a number that no other object has, so that size and offset
/// say which function a pointer names. Nothing can be read there, as if it were smaller than nothing.
#[must_use]
pub fn function_size(function: FunctionId) -> i64 {
    -1 - i64::from(function.as_u32())
}

/// What no pointer's size is below.
#[must_use]
pub fn least_size(module: &Module) -> i64 {
    let last = module.functions_with_address().into_iter().next_back();
    last.map_or(0, function_size)
}

/// What is known whenever a block starts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockFacts {
    pub function: u32,
    pub block: u32,
    /// `None` if no run comes there.
    pub facts: Option<Vec<Fact>>,
}

impl Fact {
    /// What it speaks of, in the order in which [`Fact::term`] wants their terms.
    pub fn quantities(&self) -> impl Iterator<Item = Quantity> + '_ {
        let (linear, operands): (&[(Quantity, String)], Vec<Quantity>) = match self {
            Fact::Linear { terms, .. } => (terms, vec![]),
            Fact::Unsigned { left, right, .. } => {
                let sides = [left, right].into_iter();
                let quantities = sides.filter_map(|side| match side {
                    Operand::Quantity(quantity) => Some(*quantity),
                    Operand::Number(_) => None,
                });
                (&[], quantities.collect())
            }
            Fact::Truth { of, .. } => (&[], vec![*of]),
            Fact::Implied { when, then } => (&[], vec![when.0, then.0]),
        };
        linear.iter().map(|(of, _)| *of).chain(operands)
    }
}
