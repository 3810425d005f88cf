//! Regions that are finite in the sense of the finite-maps paper (section 4): a call reaches a
//! bounded number of their cells, so that they can be passed as a finite map.
//!
//! A node is finite if it is reached from parameters and globals by finitely many steps, none of
//! them into an array or around a cycle, and if a call makes a bounded number of its objects. What
//! the call's callees make counts too: an allocation is repeated if it stands in a loop, or in a
//! function that is called from a loop or recursively, wherever below the call that is.

use super::touched::{outside, straight_line};
use crate::calls::calls_of;
use crate::graph::{Graph, Node, NodeId, Site};
use crate::solve::Solution;
use foghorn_ir::{FunctionId, InstId, Module};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::OnceCell;

/// Nodes of which a call of the function reaches a bounded number of objects. None for functions
/// that share a graph, as mutually recursive ones do.
pub fn finite_nodes(
    module: &Module,
    solution: &Solution,
    function: FunctionId,
) -> FxHashSet<NodeId> {
    let graph = solution.graph_of(function);
    let group = solution.group_of[function].expect("invariant: has a body");
    if solution.groups[group].functions.len() > 1 {
        return FxHashSet::default();
    }
    let roots = outside(solution, function);
    // Most functions reach nothing that instructions make.
    let activations = OnceCell::new();
    let bounded = |id: &NodeId| {
        let node = &graph.nodes[*id];
        let activations =
            || activations.get_or_init(|| Activations::of(module, solution, function));
        node.distance() == 0
            && node.derived.is_empty()
            && allocations(node).all(|(owner, id)| !activations().repeats(owner, id))
    };
    let mut infinite: Vec<NodeId> = roots.iter().copied().filter(|id| !bounded(id)).collect();
    infinite.extend(on_cycles(graph, &roots));
    let mut seen: FxHashSet<NodeId> = infinite.iter().copied().collect();
    while let Some(id) = infinite.pop() {
        for field in graph.nodes[id].fields.values() {
            let Some(link) = field.link else { continue };
            let target = graph.lookup(link).node;
            if seen.insert(target) {
                infinite.push(target);
            }
        }
    }
    roots.difference(&seen).copied().collect()
}

/// The instructions that may make an object of a node.
fn allocations(node: &Node) -> impl Iterator<Item = (FunctionId, InstId)> + '_ {
    let sites = node.sites.iter().chain(node.outer_sites.iter());
    sites.filter_map(|site| match site {
        Site::Instruction(function, id) => Some((*function, *id)),
        Site::Global(_) | Site::Environment => None,
    })
}

/// The functions that a call may start, and what they execute a bounded number of times.
struct Activations {
    /// For each function that is started: the instructions that are executed a bounded number of
    /// times; `None` if the function itself is started without bound.
    started: FxHashMap<FunctionId, Option<FxHashSet<InstId>>>,
}

impl Activations {
    fn of(module: &Module, solution: &Solution, function: FunctionId) -> Self {
        let mut started = FxHashMap::default();
        let mut pending = vec![(function, false)];
        while let Some((caller, repeated)) = pending.pop() {
            match started.get(&caller) {
                Some(None) => continue,
                Some(Some(_)) if !repeated => continue,
                Some(Some(_)) | None => {}
            }
            let once: FxHashSet<InstId> = straight_line(module, caller).collect();
            for (call, callees) in calls_of(module, caller, &solution.targets) {
                for callee in callees {
                    let recursive = solution.group_of[callee] == solution.group_of[caller];
                    pending.push((callee, repeated || recursive || !once.contains(&call)));
                }
            }
            started.insert(caller, (!repeated).then_some(once));
        }
        Activations { started }
    }

    /// Whether the call may execute an instruction any number of times.
    fn repeats(&self, function: FunctionId, instruction: InstId) -> bool {
        match self.started.get(&function) {
            None => false,
            Some(None) => true,
            Some(Some(once)) => !once.contains(&instruction),
        }
    }
}

/// Nodes from which links lead back to themselves: what remains after removing, again and again,
/// nodes without predecessors.
fn on_cycles(graph: &Graph, nodes: &FxHashSet<NodeId>) -> Vec<NodeId> {
    let mut incoming: FxHashMap<NodeId, u32> = nodes.iter().map(|&id| (id, 0)).collect();
    let targets = |id: NodeId| {
        let fields = graph.nodes[id].fields.values();
        fields.filter_map(|field| Some(graph.lookup(field.link?).node))
    };
    for &id in nodes {
        for target in targets(id) {
            *incoming.entry(target).or_default() += 1;
        }
    }
    let mut free: Vec<NodeId> = incoming
        .iter()
        .filter(|(_, count)| **count == 0)
        .map(|(&id, _)| id)
        .collect();
    while let Some(id) = free.pop() {
        incoming.remove(&id);
        for target in targets(id) {
            if let Some(count) = incoming.get_mut(&target) {
                *count -= 1;
                if *count == 0 {
                    free.push(target);
                }
            }
        }
    }
    incoming.into_keys().collect()
}
