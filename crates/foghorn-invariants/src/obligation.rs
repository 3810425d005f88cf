//! What has to be shown, as assertions on numbers.

use foghorn_core::CheckKind;
use foghorn_ir::InstId;

use crate::decision::Conjunction;
use crate::emitter::Place;

/// Where a claim of the program comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum ObligationKind {
    /// A check instruction.
    Check(CheckKind),
    /// An access whose pointer names an object and that lies within its bounds. That the object is
    /// alive is part of it only where `alive` says so: the object can then never be dead here.
    Access { alive: bool },
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
