//! The trace of an executed program: what it does, in order, inputs, assumptions, checks.
//!
//! The order is an order of execution: along any path, what comes first in the program comes first
//! here, and events of other paths have guards that are false. So one list speaks for all paths.

use foghorn_core::{SiteKind, SpanId};
use foghorn_ir::interpret::ProgramPoint;
use foghorn_term::TermId;
use std::sync::Arc;

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
        /// Smaller cells of memory would make it hold.
        of_cells: bool,
    },
}
