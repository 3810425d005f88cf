//! Fixpoint engine: weak topological orders and chaotic iteration with widening and narrowing.
//!
//! Knows nothing of programs: it solves equations over a graph whose nodes and edges are
//! transformed by a [`iterator::Transformer`] (§4.2.3 of the SeaHorn paper).

pub mod graph;
pub mod iterator;
pub mod wto;

pub use graph::{Graph, NodeId};
pub use iterator::{Options, Solution, Transformer, solve};
pub use wto::{WeakTopologicalOrder, WtoItem, WtoKind};
