//! Abstract interpretation, standing on its own.

pub mod analysis;
pub mod domain;
pub mod fixpoint;
pub mod language;
pub mod laws;
pub mod linear;
pub mod machine;
pub mod number;
pub mod persistent_map;
pub mod pipeline;
pub mod registry;
pub mod thresholds;
pub mod value;
pub mod variable;
