//! What has to be shown, as assertions on numbers.

use foghorn_core::CheckKind;
use foghorn_ir::InstId;

use crate::decision::Conjunction;
use crate::emitter::Place;

/// Where a claim of the program comes from. There is one for everything that can fail in a run, so
/// that a program whose obligations all hold cannot fail.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum ObligationKind {
    /// A check instruction.
    Check(CheckKind),
    /// An access whose pointer names an object and that lies within its bounds.
    Access {
        /// The object can never be dead here. Otherwise nothing is said of its life.
        alive: bool,
        /// What is written is never an object declared constant. Otherwise nothing is said of that.
        writable: bool,
    },
    /// An access is aligned.
    Alignment,
    /// What is freed is null. Of other pointers nothing is shown.
    Free,
    /// A call through a pointer that the pointer analysis did not resolve is not reached.
    Call,
    /// Pointers whose order is asked for belong to one object, or one is null.
    PointerOrder,
    /// No object is allocated on the heap here, so none is lost.
    Leak,
    /// No object is allocated on the heap here, so none is left over.
    Cleanup,
}

impl ObligationKind {
    /// Whether the claim is all that a run needs here; otherwise it only helps where it says that
    /// no run comes.
    #[must_use]
    pub fn is_complete(self) -> bool {
        match self {
            ObligationKind::Access { alive, writable } => alive && writable,
            ObligationKind::Check(_)
            | ObligationKind::Alignment
            | ObligationKind::Free
            | ObligationKind::Call
            | ObligationKind::PointerOrder
            | ObligationKind::Leak
            | ObligationKind::Cleanup => true,
        }
    }
}

/// A claim of the program at a place.
#[derive(Clone, Debug)]
pub struct Obligation {
    pub kind: ObligationKind,
    pub instruction: InstId,
    pub place: Place,
    /// The claim holds if none of these can be satisfied at the place.
    pub violations: Vec<Conjunction>,
}
