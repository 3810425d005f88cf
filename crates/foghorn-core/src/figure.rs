//! Measured numbers.

use serde::Serialize;

/// A ratio, a growth exponent or a count. Seconds are detail only, because they say more about the
/// machine than about what is measured.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Figure {
    pub name: String,
    pub value: f64,
    pub unit: String,
    pub detail: String,
}
