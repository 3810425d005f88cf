//! Graph algorithms over dense indices.
//!
//! Everything here works on a [`Digraph`], whose vertices are any newtype index: blocks of a body
//! ([`ControlFlowGraph`]), functions of a module ([`CallGraph`]), or nodes of another crate's
//! graphs. All algorithms keep their own stacks, because control-flow graphs of generated code
//! have paths of a hundred thousand blocks, and all results depend on the order of edges only.

pub mod call_graph;
pub mod cfg;
pub mod digraph;
pub mod dominators;
pub mod frontiers;
pub mod loops;
pub mod scc;
pub mod wto;

#[cfg(test)]
mod naive;

pub use call_graph::{CallGraph, CallSite};
pub use cfg::ControlFlowGraph;
pub use digraph::{DepthFirst, Digraph};
pub use dominators::{DominatorTree, PostDominators};
pub use frontiers::DominanceFrontiers;
pub use loops::{Loop, LoopForest, LoopId};
pub use scc::StronglyConnected;
pub use wto::{WeakTopologicalOrder, WtoItem, WtoKind};
