//! What an unwound program does, in order: inputs, assumptions, checks.
//!
//! The order is an order of execution: along any path, what comes first in the program comes first
//! here, and events of other paths have guards that are false. So one list speaks for all paths.

use foghorn_core::{CheckKind, SpanId};
use foghorn_ir::interpret::ProgramPoint;
use foghorn_term::TermId;
use std::sync::Arc;

/// What a check site states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SiteKind {
    /// A `check` of the program.
    Explicit(CheckKind),
    /// A load, store, copy or fill touches only bytes of a living object.
    Dereference,
    /// An access is aligned.
    Alignment,
    /// What is freed is null or the start of a living heap object.
    Free,
    /// What is called is a function of fitting type.
    Call,
    /// Pointers whose order is asked for belong to one object.
    PointerOrder,
    /// Nothing on the heap is lost when the program ends.
    Leak,
    /// Everything on the heap is freed when the program ends.
    Cleanup,
}

impl SiteKind {
    /// The check kinds that a failure here can be.
    pub fn admits(self, kind: CheckKind) -> bool {
        match self {
            SiteKind::Explicit(own) => own == kind,
            SiteKind::Dereference => matches!(
                kind,
                CheckKind::NullDereference
                    | CheckKind::OutOfBounds
                    | CheckKind::UseAfterFree
                    | CheckKind::UseAfterScope
                    | CheckKind::UninitialisedPointer
                    | CheckKind::UnknownPointer
                    | CheckKind::ConstantWrite
            ),
            SiteKind::Alignment => kind == CheckKind::Misaligned,
            SiteKind::Free => matches!(kind, CheckKind::InvalidFree | CheckKind::DoubleFree),
            SiteKind::Call => kind == CheckKind::InvalidCall,
            SiteKind::PointerOrder => kind == CheckKind::PointerComparison,
            SiteKind::Leak => kind == CheckKind::Leak,
            SiteKind::Cleanup => kind == CheckKind::NotFreed,
        }
    }

    /// The kind that stands for the site as long as no failure tells which it is.
    pub fn representative(self) -> CheckKind {
        match self {
            SiteKind::Explicit(kind) => kind,
            SiteKind::Dereference => CheckKind::OutOfBounds,
            SiteKind::Alignment => CheckKind::Misaligned,
            SiteKind::Free => CheckKind::InvalidFree,
            SiteKind::Call => CheckKind::InvalidCall,
            SiteKind::PointerOrder => CheckKind::PointerComparison,
            SiteKind::Leak => CheckKind::Leak,
            SiteKind::Cleanup => CheckKind::NotFreed,
        }
    }
}

/// A place that states something. Inside a model of a library function it is the call of the
/// model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Site {
    pub kind: SiteKind,
    /// `None` for the end of the program.
    pub point: Option<ProgramPoint>,
    pub span: SpanId,
}

/// Index of a site in the run.
pub type SiteIndex = usize;

/// Something that happens under a guard.
#[derive(Clone, Debug)]
pub struct Event {
    pub guard: TermId,
    pub what: What,
}

/// What happens.
#[derive(Clone, Debug)]
pub enum What {
    /// The program takes a value it does not determine: the bits.
    Input {
        point: Option<ProgramPoint>,
        bits: TermId,
    },
    /// A load gives these bits, some of which nobody may have written.
    Read {
        point: ProgramPoint,
        bits: TermId,
    },
    Assume {
        condition: TermId,
    },
    Check {
        condition: TermId,
        site: SiteIndex,
    },
    /// A loop or recursion would go on beyond its bound.
    Unwinding {
        name: Arc<str>,
        span: SpanId,
    },
    /// The encoding is exact only if this holds.
    Obligation {
        condition: TermId,
        what: Arc<str>,
        span: SpanId,
    },
}
