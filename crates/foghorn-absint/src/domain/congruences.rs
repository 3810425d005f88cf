//! Congruences and their reduced product with intervals (Granger; §4.2.4 of the SeaHorn paper).

use crate::domain::environment::NonRelational;
use crate::value::congruence::Congruence;
use crate::value::product::IntervalCongruence;

/// x ∈ aℤ + b.
pub type Congruences = NonRelational<Congruence>;

/// Both at once: x ∈ [lb, ub] ∩ aℤ + b.
pub type IntervalCongruences = NonRelational<IntervalCongruence>;
