//! Constant propagation: x = c.

use crate::domain::environment::NonRelational;
use crate::value::constant::Constant;

/// Environments of constants.
pub type Constants = NonRelational<Constant>;
