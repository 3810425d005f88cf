//! Contents that calls move.
//!
//! A function that fills or copies what it is given has all fields of its callers' objects there,
//! and its callers have all of its fields ([`crate::graph::import`]). If it is given one object at
//! two places, a field at `x` of the object also is at `x + d`, hence at `x + 2d` and so on: one
//! more in every round, until there are too many. This is what copies within one graph do
//! ([`crate::graph::cycles`]), and it ends in the same way: the object is an array of stride `d`.
//!
//! Bindings of such functions and copies are taken together, over all graphs, so that longer ways
//! round are found too.

use crate::graph::cycles::{Distances, moves_often};
use crate::graph::import::Nodes;
use crate::graph::{Cell, Graph};
use crate::solve::{GroupId, Solution};
use rustc_hash::FxHashMap;

/// Two cells whose contents are the same for so many bytes.
struct Relation {
    length: i64,
    first: (GroupId, Cell),
    second: (GroupId, Cell),
}

impl Solution {
    /// Folds what moves within itself without end; whether there was any.
    pub(crate) fn fold_shifts(&mut self) -> bool {
        let mut relations = self.relations();
        // The relation that closes a cycle is then the shortest in it.
        relations.sort_by_key(|relation| -relation.length);
        let mut distances = Distances::default();
        let mut folded = false;
        for Relation {
            length,
            first,
            second,
        } in relations
        {
            let place = |(group, cell): (GroupId, Cell)| {
                let graph = &self.groups[group].graph;
                let cell = graph.lookup(cell);
                is_structure(graph, cell).then_some(((group, cell.node), cell.offset))
            };
            let (Some(a), Some(b)) = (place(first), place(second)) else {
                continue;
            };
            let distance = distances.relate(a, b);
            if moves_often(length, distance) {
                self.groups[first.0].graph.fold(first.1, distance);
                folded = true;
            }
        }
        folded
    }

    fn relations(&self) -> Vec<Relation> {
        let mut found = vec![];
        for (caller, group) in &self.groups {
            found.extend(group.graph.copies.iter().map(|copy| Relation {
                length: copy.length.unwrap_or(i64::MAX),
                first: (caller, copy.destination),
                second: (caller, copy.source),
            }));
            let mut from_globals: FxHashMap<GroupId, Nodes> = FxHashMap::default();
            for edge in group.calls.iter().filter(|edge| edge.leader.is_none()) {
                let Some(callee) = self.group_of[edge.callee] else {
                    continue;
                };
                let globals = from_globals.entry(callee).or_insert_with(|| {
                    let globals = self.simulate_globals(caller, callee);
                    found.extend(self.bulk_bindings(caller, callee, &globals));
                    globals
                });
                let own = self.simulate_call(caller, edge, globals);
                found.extend(self.bulk_bindings(caller, callee, &own));
            }
        }
        found
    }

    /// The nodes of a callee that it fills or copies, with what they are in the caller.
    fn bulk_bindings(&self, caller: GroupId, callee: GroupId, nodes: &Nodes) -> Vec<Relation> {
        let theirs = &self.groups[callee].graph;
        let mut bound: Vec<_> = nodes.iter().collect();
        bound.sort_unstable();
        let bulk = bound.into_iter().filter_map(|(&node, &origin)| {
            Some(Relation {
                length: theirs.nodes[node].bulk?.length(),
                first: (callee, Cell::new(node, 0)),
                second: (caller, origin),
            })
        });
        bulk.collect()
    }
}

fn is_structure(graph: &Graph, cell: Cell) -> bool {
    let node = &graph.nodes[cell.node];
    !node.collapsed && node.stride == 0
}
