//! Abstract interpretation library (skeleton of the relational part).
pub mod graph;
