//! The sign domain: x < 0, x = 0, x > 0 and unions of these.

use crate::domain::environment::NonRelational;
use crate::value::sign::Sign;

/// Environments of signs.
pub type Signs = NonRelational<Sign>;
