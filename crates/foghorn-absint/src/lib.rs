//! Abstract interpretation, standing on its own.

pub mod analysis;
pub mod diagram;
pub mod domain;
pub mod fixpoint;
pub mod graph;
pub mod language;
pub mod laws;
pub mod linear;
pub mod machine;
pub mod number;
pub mod persistent_map;
pub mod pipeline;
pub mod polyhedron;
pub mod registry;
pub mod thresholds;
pub mod value;
pub mod variable;
