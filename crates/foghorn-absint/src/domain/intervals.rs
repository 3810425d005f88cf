//! The interval domain (Cousot and Cousot 1976; §4.2.4 of the SeaHorn paper): lb ≤ x ≤ ub.
//!
//! The model of a non-relational domain: the value is in [`crate::value::interval`], the lifting in
//! [`crate::domain::environment`], and the enrolment is its line in [`crate::registry`].

use crate::domain::environment::NonRelational;
use crate::value::interval::Interval;

/// Environments of intervals.
pub type Intervals = NonRelational<Interval>;
