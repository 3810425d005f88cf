//! How a run ended, and everything that must be said about it.

use super::choice::Choice;
use super::object::{Allocation, Life};
use super::observer::ProgramPoint;
use super::value::ObjectKind;
use foghorn_core::{CheckKind, Exhausted, SpanId, SpanTable};
use std::fmt::Write;
use std::sync::Arc;

/// The end of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The program ended by itself, and the checks on its final memory passed.
    Exited {
        code: i32,
    },
    /// The program called `abort`.
    Aborted {
        code: i32,
    },
    /// An enabled check failed.
    Failed(Box<Failure>),
    /// An assumption of the program did not hold: the run says nothing.
    AssumptionViolated {
        span: SpanId,
    },
    /// Something happened that a disabled group of checks would have caught and that has no
    /// meaning on the machine.
    AssumedAway {
        kind: CheckKind,
        span: SpanId,
    },
    /// The run came to a construct that Foghorn cannot execute.
    Unsupported {
        construct: Arc<str>,
        span: SpanId,
    },
    /// The inputs were used up.
    InputExhausted {
        span: SpanId,
    },
    OutOfSteps,
    OutOfMemory {
        span: SpanId,
    },
    /// More calls were active at once than the options allow.
    TooDeep {
        span: SpanId,
    },
    OutOfBudget(Exhausted),
    /// The pure form says something about memory that is not so: a mistake of Foghorn, never of the
    /// program.
    Inconsistent {
        detail: Arc<str>,
        span: SpanId,
    },
}

/// A check that did not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    pub kind: CheckKind,
    /// The innermost place outside the models of library functions; for memory that was not
    /// given back, where it was allocated.
    pub span: SpanId,
    /// The instruction there, as far as one is known: a macro puts several checks at one place of the
    /// source.
    pub point: Option<ProgramPoint>,
    pub message: String,
    /// Active calls, innermost first, those of models included.
    pub stack: Vec<StackFrame>,
    pub object: Option<ObjectDescription>,
}

impl Failure {
    /// Whether it is at this place of the program that ran.
    #[must_use]
    pub fn is_at(&self, span: SpanId, point: Option<ProgramPoint>) -> bool {
        let points = self.point.zip(point);
        self.span == span && points.is_none_or(|(own, other)| own == other)
    }
}

/// One active call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StackFrame {
    pub function: Arc<str>,
    /// What it executes now.
    pub span: SpanId,
    /// Part of Foghorn's own model of the C library.
    pub is_model: bool,
}

/// The object that a failed access is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObjectDescription {
    pub kind: ObjectKind,
    /// The source's name of a variable or function.
    pub name: Option<Arc<str>>,
    /// `None` if the object is long dead.
    pub size: Option<u64>,
    pub offset: i64,
    pub life: Life,
    pub allocation: Option<Allocation>,
    /// Where it was allocated or declared.
    pub allocated_at: SpanId,
    /// Where it was freed or went out of scope.
    pub ended_at: SpanId,
}

/// A run from beginning to end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    pub outcome: Outcome,
    /// Everything that the program did not determine, in order.
    pub choices: Vec<Choice>,
    /// Operations that are not modelled precisely and were passed, each with its first place.
    pub over_approximations: Vec<(Arc<str>, SpanId)>,
    /// Functions without a body that were called: assumed to change no memory.
    pub external_calls: Vec<Arc<str>>,
    pub steps: u64,
    /// Where the objects lay whose addresses the program asked for, in the order of asking; only
    /// the first [`MAX_PLACEMENTS`].
    pub layout: Vec<Placement>,
}

/// Objects whose places a run notes.
pub const MAX_PLACEMENTS: usize = 1 << 12;

/// An object that has an address, since the program asked for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placement {
    pub base: u64,
    pub size: u64,
    pub kind: ObjectKind,
    /// The source's name of a variable or function.
    pub name: Option<Arc<str>>,
    pub allocated_at: SpanId,
}

impl Run {
    /// Whether the real program can do what this run did, given the same inputs: it passed no
    /// over-approximation.
    pub fn is_trustworthy(&self) -> bool {
        self.over_approximations.is_empty()
    }
}

impl ObjectDescription {
    /// One clause about the object, for a message.
    pub fn describe(&self, spans: &SpanTable) -> String {
        let kind = match self.kind {
            ObjectKind::Function => "function",
            ObjectKind::Global => "global",
            ObjectKind::Stack => "stack object",
            ObjectKind::Heap => "heap object",
        };
        let mut text = match &self.name {
            Some(name) => format!("offset {} of {kind} '{name}'", self.offset),
            None => format!("offset {} of a {kind}", self.offset),
        };
        // Writing to a string does not fail.
        if let Some(size) = self.size {
            let _ = write!(text, " of {size} bytes");
        }
        if self.allocated_at.is_known() {
            let _ = write!(text, ", allocated at {}", spans.describe(self.allocated_at));
        }
        if self.ended_at.is_known() {
            let how = match self.life {
                Life::Alive => "restarted",
                Life::OutOfScope => "out of scope since",
                Life::Freed => "freed at",
            };
            let _ = write!(text, ", {how} {}", spans.describe(self.ended_at));
        }
        text
    }
}

impl Failure {
    /// Several lines: place, kind and message, then the object and the active calls.
    pub fn describe(&self, spans: &SpanTable) -> String {
        let mut text = format!(
            "{}: {}: {}",
            spans.describe(self.span),
            self.kind,
            self.message
        );
        // Writing to a string does not fail.
        if let Some(object) = &self.object {
            let _ = write!(text, "\n  {}", object.describe(spans));
        }
        for frame in &self.stack {
            let model = if frame.is_model {
                " (library model)"
            } else {
                ""
            };
            let place = spans.describe(frame.span);
            let _ = write!(text, "\n  in {}{model} at {place}", frame.function);
        }
        text
    }
}
