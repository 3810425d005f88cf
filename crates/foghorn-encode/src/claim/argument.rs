//! The claims of one engine about a whole program.
//!
//! Whoever checks an argument executes each function piece by piece: from its start and from the head of
//! each loop that has an invariant, on all ways to the next such place. What lies between has no claims
//! and needs none.
//!
//! - A function with a contract is checked by itself and called by its contract, recursion included.
//!   Without one it becomes part of its callers, if it calls itself nowhere and none of its loops has an
//!   invariant; else it is taken to have a contract that says nothing.
//! - A loop is passed by an invariant or unwound completely. One that is not listed is unwound as often
//!   as [`Argument::unwinding`] says; without that its invariant says nothing.
//! - An invariant with `copies` above 1 is k-inductive: it is shown in the first `copies` iterations, and
//!   in any further one from the `copies` before it, in which the checks of the loop are known to hold.
//!   Another loop with an invariant inside, or an entry past the head, makes the number 1.

use super::Formula;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Why checks hold, in the words of one engine.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Argument {
    /// The engine.
    pub by: String,
    /// By the names of functions.
    pub functions: BTreeMap<String, FunctionClaims>,
    /// How often loops and recursions that are not listed go round at most.
    pub unwinding: Option<u32>,
}

/// The claims about one function.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FunctionClaims {
    pub contract: Option<Contract>,
    /// By the numbers of the blocks that are heads of loops.
    pub loops: BTreeMap<u32, LoopClaim>,
}

/// What callers grant and what they get.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contract {
    /// Of parameters and memories at the call.
    pub requires: Vec<Formula>,
    /// Of parameters, results and memories where it returns; `None` claims that it never does.
    pub ensures: Option<Vec<Formula>>,
}

/// How a loop is passed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LoopClaim {
    /// All of this holds whenever a run comes to the head.
    Invariant { holds: Vec<Formula>, copies: u32 },
    /// No run that enters the loop comes back to the head more often than this.
    Unwound { times: u32 },
}

impl LoopClaim {
    /// An invariant that is shown from one iteration to the next.
    pub fn invariant(holds: Vec<Formula>) -> Self {
        LoopClaim::Invariant { holds, copies: 1 }
    }
}
