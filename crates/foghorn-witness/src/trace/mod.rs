//! A failing run told in terms of the source: what happened, line by line, up to the failed check.
//!
//! The types here are what `--json` prints under `trace` (`docs/guide/json.md` describes them);
//! everything is text and numbers of the source, no ids of ours. [`record`] watches a run and
//! makes the steps, [`fold`] leaves out the middle of long loops and deep recursion, [`value`]
//! writes values as the source would.
//!
//! Invariants: steps stand in the order of execution; every input of the run is in
//! [`Trace::inputs`], also where the step that took it was folded away.

pub mod changes;
pub mod fold;
pub(crate) mod naming;
pub mod record;
#[cfg(test)]
mod tests;
pub mod value;

use crate::outside::OutsideReport;
use foghorn_core::CheckKind;
use serde::{Deserialize, Serialize};

/// A place in the source and the function it stands in.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Location {
    pub file: String,
    /// From 1; 0 where the source has no place for it.
    pub line: u32,
    /// From 1; 0 where it is not known.
    pub column: u32,
    pub function: String,
}

/// A failing run from the entry to the failed check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trace {
    pub inputs: Vec<Input>,
    /// What the run read, by source.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub streams: Vec<StreamText>,
    pub steps: Vec<Step>,
    pub failure: FailedCheck,
    /// The arguments and the environment of the program, if it has any.
    #[serde(skip_serializing_if = "OutsideReport::is_empty", default)]
    pub outside: OutsideReport,
}

/// One thing that happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    #[serde(flatten)]
    pub location: Location,
    /// Calls active, the entry's included.
    pub depth: usize,
    #[serde(flatten)]
    pub event: Event,
}

/// What happened in a step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "step", rename_all = "kebab-case")]
pub enum Event {
    /// The program starts in this function.
    Start,
    /// A function is called; the location is that of the call.
    Call { callee: String },
    /// A called function returned.
    Return { callee: String },
    /// A variable got a value.
    Assign {
        variable: String,
        #[serde(rename = "type")]
        ty: String,
        value: String,
    },
    /// Memory was written: a variable that has an address, a part of one, or a heap object.
    Store {
        target: String,
        #[serde(rename = "type")]
        ty: String,
        value: String,
    },
    /// A function without a definition changed memory, as far as somebody looked at it later.
    Change {
        by: String,
        target: String,
        #[serde(rename = "type")]
        ty: String,
        value: String,
    },
    /// A value that the program does not determine was asked for.
    Input(Input),
    /// A heap object came into being.
    Allocate { object: String, bytes: u64 },
    /// A heap object was freed.
    Free { object: String },
    /// A condition was decided: control went on in this line.
    Branch { to_line: u32 },
    /// An iteration of the loop at this line begins, counted from 1.
    Iteration { number: u64 },
    /// Something that is not shown.
    Omitted { what: Omission, count: u64 },
}

/// What was left out of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Omission {
    /// Iterations of the innermost loop.
    Iterations,
    /// Active calls, in the middle of a deep recursion.
    Calls,
    /// Single steps.
    Steps,
}

/// A value that the program did not determine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Input {
    /// The position among all such values of the run, from 0.
    pub index: usize,
    pub source: InputSource,
    /// The function that was asked, or the variable that had no value.
    pub name: String,
    #[serde(rename = "type")]
    pub ty: String,
    pub value: String,
    /// The bits, as `0x…`: what `foghorn run --inputs` reads.
    pub bits: String,
}

/// Where an undetermined value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum InputSource {
    /// A nondet function of a verification dialect, or a library function.
    Input,
    /// A stream or file that the program reads.
    Stream,
    /// A function or global without a definition.
    External,
    /// Whether a function without a definition changes memory, and what it leaves there.
    Change,
    /// A variable or memory that was read before it was written.
    Uninitialised,
    /// A value that the compiler left open.
    Undefined,
    /// An operation that Foghorn does not model precisely.
    OverApproximated,
}

/// The bytes that a run read from one source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StreamText {
    /// `standard input`, or `files`: all others together, in the order of reading.
    pub source: String,
    /// The bytes, as a C string literal would have them.
    pub text: String,
    /// The same bytes as hexadecimal digits.
    pub bytes: String,
    /// Whether the run came to the end of the source, or to an error.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub end: Option<StreamEnd>,
}

/// How a source ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StreamEnd {
    End,
    Error,
}

/// The check at the end of the run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailedCheck {
    #[serde(flatten)]
    pub location: Location,
    pub kind: CheckKind,
    pub message: String,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub object: Option<FailedObject>,
    /// Where objects lay, a clause each, if the check does not fail wherever they lie.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub layout: Vec<String>,
    /// The variables of the failing function that have a value, by their last one.
    pub variables: Vec<VariableValue>,
    /// Active calls, innermost first; without the models of library functions.
    pub stack: Vec<Location>,
}

/// The object that a failed access is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailedObject {
    /// One clause: which object, how large, what became of it.
    pub description: String,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub bytes: Option<u64>,
    pub offset: i64,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub allocated_at: Option<Location>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub ended_at: Option<Location>,
}

/// A variable and its value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VariableValue {
    pub variable: String,
    #[serde(rename = "type")]
    pub ty: String,
    pub value: String,
}
