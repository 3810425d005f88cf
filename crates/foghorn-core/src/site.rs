//! Check sites: the claims about a program that engines decide one by one, report, and hand on to
//! each other.

use crate::check::CheckKind;
use serde::{Deserialize, Serialize};

/// What a check site states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
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

    /// Whether somebody wrote the check, or clang did: accesses behind a branch that is never taken, and
    /// what a model of the library does not come to, are no news.
    pub fn is_written(self) -> bool {
        let of_models = [
            CheckKind::Unsupported,
            CheckKind::LibraryPrecondition,
            CheckKind::Overlap,
        ];
        matches!(self, SiteKind::Explicit(kind) if !of_models.contains(&kind))
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
