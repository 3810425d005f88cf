//! Claims as data.
//!
//! Functions are named by name, blocks and values by their numbers in the pure form of the program,
//! which the same source always gives.

use foghorn_encode::fact::Fact;
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
