//! A callee's graph seen from its caller.
//!
//! *Import* (bottom-up) makes the caller's graph simulate the callee's: a map from nodes to cells
//! that respects fields and links, starting at the parameters, results and globals. Only what is
//! reachable from them is visited, so that a summary never grows by what a callee keeps to itself.
//!
//! *Export* (top-down) tells the callee what the caller knows: where its objects come from, and
//! which of its fields are one in this caller. For the pure form each call must bind different
//! memory parameters to different regions, so fields that coincide in some caller are unified in
//! the callee. (Section 4 of the finite-maps paper: simulation and alias at calls.)

use super::node::{Field, WHOLE};
use super::unify::gcd;
use super::{Cell, CollapseReason, Extent, Flags, Graph, NodeId};
use crate::options::Sabotage;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// Callee nodes to the cells of their origins in the caller's graph, as of the time it was made.
pub type Nodes = FxHashMap<NodeId, Cell>;

/// Fields of the caller, each with the first field of the callee that is in it and its position.
pub type Aliases = FxHashMap<Cell, (Cell, i64)>;

/// The simulation of a call: what globals reach, as for all calls between the two graphs, and what
/// only this call's arguments and results do.
#[derive(Debug, Default)]
pub struct Simulation {
    pub own: Nodes,
    globals: Rc<Nodes>,
}

impl Simulation {
    fn get(&self, node: NodeId) -> Option<Cell> {
        let own = self.own.get(&node);
        own.or_else(|| self.globals.get(&node)).copied()
    }
}

/// Flags about objects, which flow from callers to callees too.
const OBJECT_FLAGS: [Flags; 6] = [
    Flags::HEAP,
    Flags::STACK,
    Flags::GLOBAL,
    Flags::FUNCTION,
    Flags::EXTERNAL,
    Flags::UNKNOWN,
];

impl Graph {
    /// Makes this graph simulate `callee` from the pairs of callee and own cells. `hidden` keeps,
    /// from one import at a call to the next, the nodes that only derivations reach. Nodes that
    /// globals reach are known already, and not visited again.
    pub fn import(
        &mut self,
        callee: &Graph,
        roots: &[(Cell, Cell)],
        hidden: &mut Vec<(Cell, Cell)>,
        globals: Rc<Nodes>,
    ) -> Simulation {
        let mut simulation = Simulation {
            own: Nodes::default(),
            globals,
        };
        let mut work: Vec<(Cell, Cell)> = roots.iter().chain(hidden.iter()).copied().collect();
        work.reverse();
        let mut order = vec![];
        let mut derived_from = 0;
        loop {
            while let Some((theirs, ours)) = work.pop() {
                let theirs = callee.lookup(theirs);
                let origin = ours.plus(-theirs.offset);
                if let Some(known) = simulation.get(theirs.node) {
                    self.unify(known, origin);
                    continue;
                }
                simulation.own.insert(theirs.node, origin);
                order.push(theirs.node);
                self.import_node(callee, theirs.node, origin, &mut work);
            }
            let derived = self.import_derivations(callee, &order[derived_from..], &simulation);
            derived_from = order.len();
            if derived.is_empty() {
                break;
            }
            hidden.extend(derived.iter().copied());
            work = derived;
        }
        self.import_copies(callee, &simulation);
        simulation
    }

    fn import_node(
        &mut self,
        callee: &Graph,
        node: NodeId,
        origin: Cell,
        work: &mut Vec<(Cell, Cell)>,
    ) {
        let theirs = &callee.nodes[node];
        if theirs.collapsed {
            self.collapse(origin, CollapseReason::Inherited);
        } else {
            self.fold(origin, theirs.stride);
        }
        self.add_flags(origin, theirs.flags);
        if let Some(extent) = theirs.bulk {
            self.add_bulk(origin, extent);
        }
        let root = self.find(origin).node;
        let ours = &mut self.nodes[root];
        let more_sites = ours.sites.unite(&theirs.sites);
        if ours.functions.unite(&theirs.functions) | more_sites {
            self.version += 1;
        }
        for (&start, field) in &theirs.fields {
            let bare = Field {
                link: None,
                ..field.clone()
            };
            self.insert_field(origin.plus(start), field.length, bare);
            self.settle();
            if let Some(link) = field.link {
                let place = self.find(origin.plus(start));
                let place = self.nodes[place.node]
                    .field_at(place.offset)
                    .map(|start| Cell::new(place.node, start))
                    .expect("invariant: inserted above");
                let ours = self.link_at(place);
                work.push((link, ours));
            }
        }
    }

    /// Adds the derivations of nodes that are simulated; pairs for sources that are not yet.
    fn import_derivations(
        &mut self,
        callee: &Graph,
        nodes: &[NodeId],
        simulation: &Simulation,
    ) -> Vec<(Cell, Cell)> {
        let mut missing = vec![];
        let mut fresh: FxHashMap<NodeId, Cell> = FxHashMap::default();
        for &node in nodes {
            for source in callee.sources(node, simulation) {
                let own = simulation.get(source);
                let own = own.unwrap_or_else(|| {
                    *fresh.entry(source).or_insert_with(|| {
                        let cell = self.fresh();
                        missing.push((Cell::new(source, 0), cell));
                        cell
                    })
                });
                self.derive(simulation.own[&node], own);
            }
        }
        missing
    }

    /// What a node is computed from, through integers that nobody else knows of. They themselves
    /// point nowhere, and are left out: a caller need not know how its callee computes.
    fn sources(&self, node: NodeId, simulation: &Simulation) -> Vec<NodeId> {
        let derived = &self.nodes[node].derived;
        if derived.is_empty() {
            return vec![];
        }
        let mut found = vec![];
        let mut seen: FxHashSet<NodeId> = FxHashSet::default();
        let mut work: Vec<NodeId> = derived.iter().copied().collect();
        while let Some(source) = work.pop() {
            let source = self.lookup(Cell::new(source, 0)).node;
            if !seen.insert(source) {
                continue;
            }
            let data = &self.nodes[source];
            if simulation.get(source).is_some() || !data.is_boring() {
                found.push(source);
            } else {
                work.extend(data.derived.iter());
            }
        }
        found.sort_unstable();
        found
    }

    fn import_copies(&mut self, callee: &Graph, simulation: &Simulation) {
        for copy in &callee.copies {
            let (destination, source) =
                (callee.lookup(copy.destination), callee.lookup(copy.source));
            // What globals reach alone was copied for all calls.
            let own = |cell: Cell| simulation.own.contains_key(&cell.node);
            if !own(destination) && !own(source) {
                continue;
            }
            let ours = (
                simulation.get(destination.node),
                simulation.get(source.node),
            );
            if let (Some(to), Some(from)) = ours {
                let to = to.plus(destination.offset);
                let from = from.plus(source.offset);
                self.add_copy(to, from, copy.length);
            }
        }
    }

    /// The simulation of `callee` as it stands, in the order in which nodes are reached, without
    /// those that globals reach.
    pub fn simulate(
        &self,
        callee: &Graph,
        roots: &[(Cell, Cell)],
        globals: &Nodes,
    ) -> Vec<(NodeId, Cell)> {
        let mut seen = Nodes::default();
        let mut order = vec![];
        let mut work: Vec<(Cell, Cell)> = roots.iter().rev().copied().collect();
        while let Some((theirs, ours)) = work.pop() {
            let theirs = callee.lookup(theirs);
            let origin = self.lookup(ours.plus(-theirs.offset));
            if globals.contains_key(&theirs.node) || seen.insert(theirs.node, origin).is_some() {
                continue;
            }
            order.push((theirs.node, origin));
            for (&start, field) in &callee.nodes[theirs.node].fields {
                let Some(link) = field.link else { continue };
                let ours = self.lookup(origin.plus(start));
                let node = &self.nodes[ours.node];
                let own = node
                    .field_at(ours.offset)
                    .and_then(|at| node.fields[&at].link);
                work.extend(own.map(|own| (link, own)));
            }
        }
        order
    }

    /// Tells `callee` what this graph, its caller's, knows. `simulation` is up to date. Gives the
    /// fields that were met; those of what globals reach are given to the calls.
    pub fn export(
        &self,
        callee: &mut Graph,
        simulation: &[(NodeId, Cell)],
        globals: &Aliases,
    ) -> Aliases {
        let mut first = Aliases::default();
        for &(node, origin) in simulation {
            let theirs = Cell::new(node, 0);
            let ours = &self.nodes[origin.node];
            self.export_object(callee, theirs, origin.node);
            self.export_fields(callee, theirs, origin);
            // The node may have been merged by what came before; then its fields are met again
            // under their new name in the next round.
            let starts: Vec<i64> = callee.nodes[node].fields.keys().copied().collect();
            for start in starts {
                let position = ours.normalise(origin.offset.wrapping_add(start));
                let Some(field) = ours.field_at(position) else {
                    continue;
                };
                let key = Cell::new(origin.node, field);
                let own = theirs.plus(start);
                match globals.get(&key).or_else(|| first.get(&key)) {
                    None => {
                        first.insert(key, (own, position));
                    }
                    Some(&(other, at)) => {
                        if ours.collapsed {
                            callee.collapse(own, CollapseReason::Inherited);
                            callee.collapse(other, CollapseReason::Inherited);
                        }
                        self.export_alias(callee, (other, at), (own, position));
                    }
                }
            }
        }
        first
    }

    fn export_object(&self, callee: &mut Graph, theirs: Cell, own: NodeId) {
        let ours = &self.nodes[own];
        for flag in OBJECT_FLAGS {
            if ours.flags.contains(flag) {
                callee.add_flags(theirs, flag);
            }
        }
        let root = callee.find(theirs).node;
        let node = &mut callee.nodes[root];
        let mut more = node.outer_sites.unite(&ours.sites);
        // Pointers of the callee that share a node may be elements of an array apart here
        // (record 0102).
        let apart = gcd(node.outer_stride, ours.distance());
        if apart != node.outer_stride && self.sabotage != Some(Sabotage::Distances) {
            node.outer_stride = apart;
            more = true;
        }
        more |= node.outer_sites.unite(&ours.outer_sites);
        more |= node.outer_functions.unite(&ours.functions);
        more |= node.outer_functions.unite(&ours.outer_functions);
        if more {
            callee.outer_version += 1;
        }
    }

    /// A node that the callee copies or fills has all fields there that the caller knows.
    fn export_fields(&self, callee: &mut Graph, theirs: Cell, origin: Cell) {
        let place = callee.lookup(theirs);
        let Some(extent) = callee.nodes[place.node].bulk else {
            return;
        };
        let ours = &self.nodes[origin.node];
        // In the caller's offsets: its origin is where the callee's node has `place`.
        let wanted = extent.moved(origin.offset.wrapping_sub(place.offset));
        let extent = match ours.collapsed {
            true => Extent::ALL,
            false => wanted.within(ours.stride),
        };
        // What is one element of the caller's array may be a later one for the callee.
        let mut elements = wanted.from.wrapping_sub(extent.from);
        if ours.collapsed {
            callee.collapse(theirs, CollapseReason::Inherited);
            elements = 0;
        } else if extent == Extent::ALL {
            callee.fold(theirs, ours.stride);
            elements = 0;
        }
        for start in ours.overlapping(extent.from, extent.to) {
            let at = start.wrapping_add(elements).wrapping_sub(origin.offset);
            callee.touch(theirs.plus(at), ours.fields[&start].length, None);
        }
    }

    /// Two fields of the callee that are one here: the same bytes where their positions agree.
    fn export_alias(&self, callee: &mut Graph, first: (Cell, i64), second: (Cell, i64)) {
        let ((a, at_a), (b, at_b)) = (first, second);
        let shift = at_b.wrapping_sub(at_a);
        callee.unify(a, b.plus(-shift));
        let (a, b) = (callee.find(a), callee.find(b));
        if callee.nodes[a.node].collapsed {
            return;
        }
        let length = |graph: &Graph, cell: Cell| {
            let node = &graph.nodes[cell.node];
            node.field_at(cell.offset)
                .map(|start| (start, start + node.fields[&start].length))
        };
        if let (Some((from_a, to_a)), Some((from_b, to_b))) = (length(callee, a), length(callee, b))
            && from_a != from_b
        {
            let (from, to) = (from_a.min(from_b), to_a.max(to_b));
            debug_assert!(to - from < WHOLE);
            callee.touch(Cell::new(a.node, from), to - from, None);
        }
    }
}
