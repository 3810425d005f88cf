//! Counts for people and benchmarks.

use crate::Analysis;
use crate::graph::{CollapseReason, Flags};
use crate::regions::types::RefinementCounts;
use foghorn_core::SpanId;
use foghorn_ir::{Cell as CellLayout, Module};
use serde::Serialize;
use std::collections::BTreeMap;

/// What an analysis found, in numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Statistics {
    pub functions: usize,
    pub instructions: usize,
    /// Graphs: sets of mutually recursive functions, and the environment.
    pub graphs: usize,
    /// Nodes with fields or allocation sites, over all graphs.
    pub nodes: usize,
    /// Those of them that are collapsed, and that are arrays.
    pub collapsed_nodes: usize,
    pub array_nodes: usize,
    /// Regions over all functions, and by what their cells hold.
    pub regions: usize,
    pub byte_regions: usize,
    pub word_regions: usize,
    pub pointer_regions: usize,
    /// Memory parameters over all functions.
    pub parameters: usize,
    pub largest_function_regions: usize,
    /// Allocation sites (globals, stack slots, heap calls) in collapsed nodes, of all that are
    /// accessed.
    pub collapsed_sites: usize,
    pub sites: usize,
    pub indirect_calls: usize,
    pub indirect_targets: usize,
    pub unresolved_calls: usize,
    pub call_graph_rounds: u32,
    pub rounds: u32,
    /// Why nodes collapsed, without those that inherit it from another graph.
    pub collapses: BTreeMap<String, usize>,
    /// What dividing fields by types came to, if it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub types: Option<RefinementCounts>,
}

/// Where and why a node collapsed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CollapsePlace {
    pub span: SpanId,
    pub reason: CollapseReason,
}

impl Analysis {
    /// Counts.
    pub fn statistics(&self, module: &Module) -> Statistics {
        let mut counts = Statistics {
            graphs: self.solution.groups.len(),
            call_graph_rounds: self.solution.call_graph_rounds,
            rounds: self.solution.rounds,
            types: self.types.clone(),
            ..Statistics::default()
        };
        for (id, function) in &module.functions {
            let Some(body) = &function.body else { continue };
            counts.functions += 1;
            counts.instructions += body
                .blocks
                .values()
                .map(|block| block.instructions.len() + 1)
                .sum::<usize>();
            let regions = self.function(id);
            counts.regions += regions.regions.len();
            counts.parameters += regions.parameters.len();
            counts.largest_function_regions =
                counts.largest_function_regions.max(regions.regions.len());
            for region in regions.regions.values() {
                match region.cell {
                    CellLayout::Bytes => counts.byte_regions += 1,
                    CellLayout::Word { .. } => counts.word_regions += 1,
                    CellLayout::Pointer => counts.pointer_regions += 1,
                }
            }
        }
        self.count_nodes(&mut counts);
        for targets in self.solution.targets.values() {
            counts.indirect_calls += 1;
            counts.indirect_targets += targets.len();
            counts.unresolved_calls += usize::from(targets.is_empty());
        }
        for place in self.collapses() {
            *counts
                .collapses
                .entry(place.reason.name().to_owned())
                .or_default() += 1;
        }
        counts
    }

    fn count_nodes(&self, counts: &mut Statistics) {
        for (id, group) in &self.solution.groups {
            for (_, node) in group.graph.representatives() {
                if node.fields.is_empty() && node.sites.is_empty() {
                    continue;
                }
                counts.nodes += 1;
                counts.collapsed_nodes += usize::from(node.collapsed);
                counts.array_nodes += usize::from(node.stride > 0);
                // Every object that outlives a call is known to the environment's graph; objects
                // are counted where their site is.
                let touched =
                    node.flags.contains(Flags::READ) || node.flags.contains(Flags::MODIFIED);
                let own = node.sites.iter().filter(|site| match site {
                    crate::Site::Global(_) => id == self.solution.root,
                    crate::Site::Instruction(function, _) => {
                        self.solution.group_of[*function] == Some(id)
                    }
                    crate::Site::Environment => false,
                });
                let own = if touched { own.count() } else { 0 };
                counts.sites += own;
                counts.collapsed_sites += if node.collapsed { own } else { 0 };
            }
        }
    }

    /// The causes of all collapses, each once with its number of collapses: the most frequent
    /// first, then in the order of places.
    pub fn collapse_counts(&self) -> Vec<(CollapsePlace, usize)> {
        let places = self.collapses();
        let equal = places.chunk_by(|a, b| a == b);
        let mut counts: Vec<_> = equal.map(|same| (same[0], same.len())).collect();
        counts.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
        counts
    }

    /// The causes of all collapses, in the order of places.
    pub fn collapses(&self) -> Vec<CollapsePlace> {
        let groups = self.solution.groups.values();
        let all = groups.flat_map(|group| &group.graph.collapses);
        let mut places: Vec<CollapsePlace> = all
            .filter(|collapse| collapse.reason != CollapseReason::Inherited)
            .map(|collapse| CollapsePlace {
                span: collapse.span,
                reason: collapse.reason,
            })
            .collect();
        places.sort_unstable();
        places
    }
}
