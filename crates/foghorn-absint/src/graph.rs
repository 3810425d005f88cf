//! Sparse weighted graphs behind the weakly relational domains.
//!
//! Zones and octagons keep their constraints in graphs whose edges say `target − source ≤ weight`.
//! This folder knows nothing of the language or of the domain traits: a vertex is a number, and
//! `domain/` gives it a meaning. [`dense`] is the textbook matrix, kept as the oracle that the
//! sparse graphs are tested and measured against.

pub mod chunked;
pub mod dense;
pub mod octagonal;
pub mod row;
pub mod split;

/// Weights are 128 bits wide; see [`representable`] for what happens beyond.
pub type Weight = i128;

/// Largest weight that is kept. Sums of two kept weights never overflow, and a constraint whose
/// weight is larger is dropped, which only ever loses precision.
pub const WEIGHT_LIMIT: Weight = 1 << 100;

/// A sum as a weight that may be kept, or `None` when the constraint has to be given up.
#[must_use]
pub fn representable(weight: Weight) -> Option<Weight> {
    (-WEIGHT_LIMIT..=WEIGHT_LIMIT)
        .contains(&weight)
        .then_some(weight)
}

/// The smaller of two optional upper bounds, where `None` means no bound.
#[must_use]
pub fn tighter(left: Option<Weight>, right: Option<Weight>) -> Option<Weight> {
    match (left, right) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (Some(a), None) | (None, Some(a)) => Some(a),
        (None, None) => None,
    }
}

/// The larger of two optional upper bounds, where `None` means no bound.
#[must_use]
pub fn looser(left: Option<Weight>, right: Option<Weight>) -> Option<Weight> {
    match (left, right) {
        (Some(a), Some(b)) => Some(a.max(b)),
        (Some(_) | None, None) | (None, Some(_)) => None,
    }
}

/// Whether the upper bound `left` implies the upper bound `right`.
#[must_use]
pub fn implies(left: Option<Weight>, right: Option<Weight>) -> bool {
    match (left, right) {
        (_, None) => true,
        (None, Some(_)) => false,
        (Some(a), Some(b)) => a <= b,
    }
}
