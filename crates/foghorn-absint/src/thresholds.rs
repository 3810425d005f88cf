//! Widening thresholds: bounds that a widening stops at before it gives up.
//!
//! Collected from the constants of a program (§4.2.3 of the SeaHorn paper); an unstable bound jumps
//! to the next threshold instead of infinity. The set is finite, so termination is kept.

use std::sync::Arc;

use crate::number::Number;
use crate::value::interval::Bound;

/// A finite set of numbers, cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct Thresholds(Arc<[Number]>);

impl Thresholds {
    /// No thresholds: unstable bounds go to infinity at once.
    #[must_use]
    pub fn none() -> Thresholds {
        Thresholds::default()
    }

    #[must_use]
    pub fn new(numbers: impl IntoIterator<Item = Number>) -> Thresholds {
        let mut sorted: Vec<Number> = numbers.into_iter().collect();
        sorted.sort_unstable();
        sorted.dedup();
        Thresholds(sorted.into())
    }

    /// The thresholds, ascending.
    #[must_use]
    pub fn numbers(&self) -> &[Number] {
        &self.0
    }

    /// The least threshold ≥ `bound`, or +∞.
    #[must_use]
    pub fn above(&self, bound: &Bound) -> Bound {
        let Bound::Finite(value) = bound else {
            return bound.clone();
        };
        let position = self.0.partition_point(|threshold| threshold < value);
        self.0
            .get(position)
            .map_or(Bound::PlusInfinity, |found| Bound::Finite(found.clone()))
    }

    /// The greatest threshold ≤ `bound`, or −∞.
    #[must_use]
    pub fn below(&self, bound: &Bound) -> Bound {
        let Bound::Finite(value) = bound else {
            return bound.clone();
        };
        let position = self.0.partition_point(|threshold| threshold <= value);
        match position.checked_sub(1) {
            Some(found) => Bound::Finite(self.0[found].clone()),
            None => Bound::MinusInfinity,
        }
    }
}
