//! Claims as data.
//!
//! Functions are named by name, blocks and values by their numbers in the pure form of the program,
//! which the same source always gives.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The version of the format.
pub const VERSION: u32 = 1;

/// The claims of a program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Certificate {
    pub version: u32,
    /// Groups of checks that are on.
    pub checks: String,
    /// Functions that are not listed are claimed never to be called.
    pub functions: BTreeMap<String, FunctionCertificate>,
}

/// The claims of a function.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FunctionCertificate {
    /// What holds whenever a block starts; blocks that are not listed are claimed not to be reached.
    pub blocks: BTreeMap<u32, Vec<Fact>>,
    /// What holds of parameters and results; `None` claims that it never returns.
    pub returns: Option<Vec<Fact>>,
}

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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
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
    /// The size of the object.
    Size,
}
