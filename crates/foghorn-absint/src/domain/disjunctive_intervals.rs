//! Disjunctive intervals: environments of [`DisjunctiveInterval`]s.

use crate::domain::environment::NonRelational;
use crate::value::disjunctive::DisjunctiveInterval;

/// The domain of disjunctive intervals.
pub type DisjunctiveIntervals = NonRelational<DisjunctiveInterval>;
