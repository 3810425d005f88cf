//! The evaluator: the ground truth that rewriting, printing and solvers are compared with.
//!
//! Every theory is total, as SMT-LIB defines it. Where SMT-LIB leaves a result open, the model decides (integer division
//! by zero: [`Model::divide_by_zero`]) or the evaluator makes the choice stated in `machine.rs`; builders and rules never
//! rely on such a choice. Nothing recurses: evaluation is a machine with explicit stacks, also through λs.

mod array;
mod float;
mod machine;
mod model;
mod ranges;
mod scalar;
mod value;

pub use array::ArrayValue;
pub use machine::{EvalError, Evaluator, evaluate};
pub use model::{FunctionValue, Model};
pub use scalar::apply_scalar;
pub use value::Value;
