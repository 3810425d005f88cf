//! What code outside the program may change, seen by the functions that call it.
//!
//! A function's summary knows the memory that the function and its callees access. That is not
//! enough where code outside the program is called: it may change whatever pointers reach from what
//! it knows, whoever accesses that. So a function that calls such code learns from its callers all
//! fields and links behind the globals that say what the code knows ([`Graph::outside`]); and so do
//! the functions between it and the entry, which import its summary anyway.

use super::node::Field;
use super::{Cell, CollapseReason, Flags, Graph, NodeId};
use foghorn_ir::Module;
use rustc_hash::{FxHashMap, FxHashSet};

impl Graph {
    /// Makes this graph know everything that its caller's knows behind what code outside the program
    /// knows.
    pub fn learn(&mut self, caller: &Graph) {
        let outside = self.outside.iter();
        let mut work: Vec<(Cell, Cell)> = outside
            .filter_map(|global| Some((*caller.globals.get(global)?, *self.globals.get(global)?)))
            .collect();
        let mut known: FxHashMap<NodeId, Cell> = FxHashMap::default();
        while let Some((theirs, ours)) = work.pop() {
            let theirs = caller.lookup(theirs);
            let origin = ours.plus(-theirs.offset);
            if let Some(&known) = known.get(&theirs.node) {
                self.unify(known, origin);
                continue;
            }
            known.insert(theirs.node, origin);
            self.learn_node(caller, theirs.node, origin, &mut work);
        }
    }

    fn learn_node(
        &mut self,
        caller: &Graph,
        node: NodeId,
        origin: Cell,
        work: &mut Vec<(Cell, Cell)>,
    ) {
        let theirs = &caller.nodes[node];
        if theirs.collapsed {
            self.collapse(origin, CollapseReason::Inherited);
        } else {
            self.fold(origin, theirs.stride);
        }
        if theirs.flags.contains(Flags::USED_AS_POINTER) {
            self.add_flags(origin, Flags::USED_AS_POINTER);
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

    /// The nodes that code which knows the object at a cell may change, in order of their numbers:
    /// all that links reach and that hold anything but constants.
    pub fn changeable_from(&self, module: &Module, root: Cell) -> Vec<NodeId> {
        let mut seen: FxHashSet<NodeId> = FxHashSet::default();
        let mut work = vec![self.lookup(root).node];
        while let Some(id) = work.pop() {
            if seen.insert(id) {
                let links = self.nodes[id].fields.values().filter_map(|it| it.link);
                work.extend(links.map(|link| self.lookup(link).node));
            }
        }
        let mut found: Vec<NodeId> = seen
            .into_iter()
            .filter(|&id| self.may_change(module, id))
            .collect();
        found.sort_unstable();
        found
    }

    fn may_change(&self, module: &Module, node: NodeId) -> bool {
        let sites = self.nodes[node].all_sites();
        let fixed = |site: &super::Site| match site {
            super::Site::Global(global) => !module.is_changed_outside(*global),
            super::Site::Instruction(..) | super::Site::Environment => false,
        };
        sites.is_empty() || !sites.iter().all(fixed)
    }
}
