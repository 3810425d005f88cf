//! What callers and callees of different groups tell each other.
//!
//! A call imports the callee's summary into the caller's graph and exports aliasing back
//! ([`crate::graph::import`]). Two things keep this cheap in programs with large tables of
//! functions, whose calls outnumber their instructions:
//! - Everything that is reachable from globals is the same for all calls between two groups. It is
//!   exchanged once per pair of groups; a call adds what only its arguments and results reach.
//! - Calls of one function on the same cells are one.

use crate::graph::import::{Aliases, Nodes};
use crate::graph::{Cell, Graph};
use crate::options::{Options, Sabotage};
use crate::solve::{GroupId, Solution};
use foghorn_ir::{FunctionId, InstId};
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;
use std::rc::Rc;

/// A call from one group into another.
#[derive(Clone, Debug)]
pub struct Edge {
    /// `None` for calls by the environment.
    pub site: Option<(FunctionId, InstId)>,
    pub callee: FunctionId,
    /// Parameters, results and arguments that stand for each other: callee's cell, caller's cell.
    pub(crate) roots: Vec<(Cell, Cell)>,
    /// The same for nodes that only derivations reach.
    hidden: Vec<(Cell, Cell)>,
    /// A call of the same callee on the same cells, which does everything for this one too.
    pub(crate) leader: Option<(FunctionId, InstId)>,
    imported: Option<u64>,
    exported: Option<(u64, u64)>,
}

impl Edge {
    pub fn new(site: Option<(FunctionId, InstId)>, callee: FunctionId) -> Self {
        Edge {
            site,
            callee,
            roots: vec![],
            hidden: vec![],
            leader: None,
            imported: None,
            exported: None,
        }
    }
}

impl Solution {
    fn callee_group(&self, edge: &Edge) -> GroupId {
        self.group_of[edge.callee].expect("invariant: callees have graphs")
    }

    /// Imports what is new at all calls of a group; whether anything was.
    pub(crate) fn import_calls(&mut self, group: GroupId) -> bool {
        let mut graph = std::mem::take(&mut self.groups[group].graph);
        let mut calls = std::mem::take(&mut self.groups[group].calls);
        let mut hidden = std::mem::take(&mut self.groups[group].hidden);
        let mut from_globals: FxHashMap<GroupId, Rc<Nodes>> = FxHashMap::default();
        self.share_calls(&mut graph, &mut calls);
        for edge in calls.iter_mut().filter(|edge| edge.leader.is_none()) {
            let callee = self.callee_group(edge);
            let theirs = &self.groups[callee].graph;
            if edge.imported == Some(theirs.version) {
                continue;
            }
            let globals = from_globals.entry(callee).or_insert_with(|| {
                let roots = shared_roots(theirs, &mut graph);
                let hidden = hidden.entry(callee).or_default();
                graph.outside.extend(&theirs.outside);
                let simulation = graph.import(theirs, &roots, hidden, Rc::default());
                Rc::new(simulation.own)
            });
            graph.import(theirs, &edge.roots, &mut edge.hidden, globals.clone());
            edge.imported = Some(theirs.version);
        }
        let busy = !from_globals.is_empty();
        if busy {
            graph.apply_copies();
        }
        self.groups[group].graph = graph;
        self.groups[group].calls = calls;
        self.groups[group].hidden = hidden;
        busy
    }

    /// Finds calls of one callee on the same cells: the first of them stands for all. Unification
    /// never takes cells apart, so that it does for good.
    fn share_calls(&mut self, graph: &mut Graph, calls: &mut [Edge]) {
        let mut first = FxHashMap::default();
        for edge in calls.iter_mut().filter(|edge| edge.leader.is_none()) {
            let Some(site) = edge.site else { continue };
            let callee = self.callee_group(edge);
            let theirs = &mut self.groups[callee].graph;
            let cells: Vec<(Cell, Cell)> = edge
                .roots
                .iter()
                .map(|&(cell, own)| (theirs.find(cell), graph.find(own)))
                .collect();
            match first.entry((edge.callee, cells)) {
                Entry::Vacant(entry) => {
                    entry.insert(site);
                }
                Entry::Occupied(entry) => {
                    edge.leader = Some(*entry.get());
                    edge.roots = vec![];
                    edge.hidden = vec![];
                }
            }
        }
    }

    /// Tells callees what is new in a group; whether anything changed in them.
    pub(crate) fn export_calls(&mut self, group: GroupId, options: &Options) -> bool {
        if options.sabotage == Some(Sabotage::Export) {
            return false;
        }
        let mut graph = std::mem::take(&mut self.groups[group].graph);
        let mut calls = std::mem::take(&mut self.groups[group].calls);
        let mut from_globals: FxHashMap<GroupId, (Rc<Nodes>, Aliases)> = FxHashMap::default();
        let mut busy = false;
        for edge in calls.iter_mut().filter(|edge| edge.leader.is_none()) {
            let callee = self.callee_group(edge);
            let hidden = self.groups[group].hidden.get(&callee);
            let hidden = hidden.cloned().unwrap_or_default();
            let theirs = &mut self.groups[callee].graph;
            if edge.exported == Some((graph.both_versions(), theirs.version)) {
                continue;
            }
            let (before, version) = (theirs.both_versions(), theirs.version);
            let (globals, aliases) = from_globals.entry(callee).or_insert_with(|| {
                theirs.learn(&graph);
                let mut roots = shared_roots(theirs, &mut graph);
                roots.extend(hidden);
                let order = graph.simulate(theirs, &roots, &Nodes::default());
                let aliases = graph.export(theirs, &order, &Aliases::default());
                (Rc::new(order.into_iter().collect()), aliases)
            });
            let roots = edge.roots.iter().chain(&edge.hidden);
            let roots: Vec<(Cell, Cell)> = roots.copied().collect();
            let order = graph.simulate(theirs, &roots, globals);
            graph.export(theirs, &order, aliases);
            theirs.apply_copies();
            // What merged in the callee is told again under its new name.
            let settled = theirs.version == version;
            edge.exported = settled.then(|| (graph.both_versions(), version));
            busy |= theirs.both_versions() != before;
        }
        self.groups[group].graph = graph;
        self.groups[group].calls = calls;
        busy
    }

    /// A call from one group into another, or the one that stands for it.
    pub fn edge(
        &self,
        group: GroupId,
        caller: FunctionId,
        instruction: InstId,
        callee: FunctionId,
    ) -> &Edge {
        let calls = &self.groups[group].calls;
        let find = |site: (FunctionId, InstId)| {
            let key = |edge: &Edge| (edge.site, edge.callee);
            let wanted = (Some(site), callee);
            let found = match self.sorted {
                true => calls.binary_search_by_key(&wanted, key).ok(),
                false => calls.iter().position(|edge| key(edge) == wanted),
            };
            &calls[found.expect("invariant: every call between groups has an edge")]
        };
        let mut edge = find((caller, instruction));
        // Who stood for others may have become equal to an earlier one since.
        while let Some(leader) = edge.leader {
            edge = find(leader);
        }
        edge
    }

    /// Where nodes of a called group that globals reach are in the graph of a group that calls it.
    pub fn simulate_globals(&self, caller: GroupId, callee: GroupId) -> Nodes {
        let (ours, theirs) = (&self.groups[caller].graph, &self.groups[callee].graph);
        let mut roots: Vec<(Cell, Cell)> = theirs
            .globals
            .iter()
            .filter_map(|(global, &cell)| Some((cell, *ours.globals.get(global)?)))
            .collect();
        roots.extend(theirs.exposed.zip(ours.exposed));
        let hidden = self.groups[caller].hidden.get(&callee);
        roots.extend(hidden.into_iter().flatten());
        ours.simulate(theirs, &roots, &Nodes::default())
            .into_iter()
            .collect()
    }

    /// The same for nodes that only a call's arguments and results reach.
    pub(crate) fn simulate_call(&self, caller: GroupId, edge: &Edge, globals: &Nodes) -> Nodes {
        let ours = &self.groups[caller].graph;
        let theirs = self.graph_of(edge.callee);
        let roots = edge.roots.iter().chain(&edge.hidden);
        let roots: Vec<(Cell, Cell)> = roots.copied().collect();
        ours.simulate(theirs, &roots, globals).into_iter().collect()
    }
}

/// What all calls between two groups share: globals, and the node of all exposed objects.
fn shared_roots(theirs: &Graph, ours: &mut Graph) -> Vec<(Cell, Cell)> {
    let mut roots = vec![];
    for (&global, &cell) in &theirs.globals {
        roots.push((cell, ours.global(global)));
    }
    roots.extend(theirs.exposed.map(|cell| (cell, ours.exposed())));
    roots
}
