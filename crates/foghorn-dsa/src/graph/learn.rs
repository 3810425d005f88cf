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
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

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
        let reached = self.reachable_from(root).into_iter();
        reached.filter(|&id| self.may_change(module, id)).collect()
    }

    /// The nodes that links reach from a cell, its own among them.
    pub fn reachable_from(&self, root: Cell) -> BTreeSet<NodeId> {
        let mut seen = BTreeSet::new();
        let mut work = vec![self.lookup(root).node];
        while let Some(id) = work.pop() {
            if seen.insert(id) {
                let links = self.nodes[id].fields.values().filter_map(|it| it.link);
                work.extend(links.map(|link| self.lookup(link).node));
            }
        }
        seen
    }

    /// Whether code outside the program may change an object of a node that it knows.
    pub(crate) fn may_change(&self, module: &Module, node: NodeId) -> bool {
        let sites = self.nodes[node].all_sites();
        let fixed = |site: &super::Site| match site {
            super::Site::Global(global) => !module.is_changed_outside(*global),
            super::Site::Instruction(..) | super::Site::Environment => false,
        };
        sites.is_empty() || !sites.iter().all(fixed)
    }
}

#[cfg(test)]
mod tests {
    use crate::Options;
    use crate::memory_ssa::plan::purify;
    use foghorn_ir::interpret::{Listed, Options as RunOptions, Outcome, Program, RecordedWorld};
    use foghorn_ir::{Builtin, Callee, Instruction, parse_module};

    /// Only `main` accesses what `outside` changes, and `between` knows nothing of it.
    const PROGRAM: &str = "foghorn-ir 1
layout pointer-bytes 8
entry @main
global @__foghorn_outside size 8 align 8 = zero
global @shared size 8 align 8 = zero
function @outside() {
block0:
  call-havoc-reachable \"outside\"(@__foghorn_outside, false)
  return
}
function @between() {
block0:
  call @outside()
  return
}
function @main() -> i32 {
block0:
  v0:ptr = allocate stack 8, align 8
  store v0 to @__foghorn_outside, align 8
  v1:ptr = pointer-add v0 + 4
  store 1:i32 to v1, align 4
  store 1:i32 to @shared, align 4
  call @between()
  v2:i32 = load v1, align 4
  v3:i32 = load @shared, align 4
  v4:i32 = add v2, v3
  return v4
}
";

    #[test]
    fn callees_know_what_callers_keep_behind_what_is_known_outside() {
        let mut module = parse_module(PROGRAM).expect("well formed");
        purify(&mut module, &Options::default());
        let outside = module.function_named("outside").expect("there");
        let body = module.functions[outside].body.as_ref().expect("a body");
        let change = body.instructions.values().find(|data| {
            let Instruction::Call { callee, .. } = &data.instruction else {
                return false;
            };
            matches!(callee, Callee::Builtin(Builtin::HavocReachable(_)))
        });
        let changed = change.map(|data| data.memory.iter().filter(|it| it.output.is_some()));
        assert_eq!(
            changed.map(Iterator::count),
            Some(1),
            "the field, not @shared"
        );
        let mut choices = Listed::parse("5").expect("well formed");
        let mut world = RecordedWorld::default();
        let run = Program::new(&module).run(&RunOptions::default(), &mut choices, &mut world);
        let outcome = run.expect("it starts").outcome;
        assert_eq!(outcome, Outcome::Exited { code: 6 });
    }
}
