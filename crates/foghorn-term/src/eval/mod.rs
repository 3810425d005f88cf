//! Evaluation.
mod array;
mod float;
mod scalar;
mod value;
pub use array::ArrayValue;
pub use scalar::apply_scalar;
pub use value::Value;
