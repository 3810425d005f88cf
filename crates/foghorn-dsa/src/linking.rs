//! Pointers that code outside the program leaves in memory.
//!
//! A function without a body may store a pointer to anything that it knows in anything that it may
//! change: `link(&a, &b)` may make `a.next` point to `b`. It may return such a pointer too. What the
//! pointer leads to is then one with everything that is known outside and that it can lead to.
//!
//! That every pointer leads to every object would make one heap of bytes of all that is known. So a
//! pointer is taken to lead to what has the shape that it is used with: where both are accessed, they
//! are accessed as numbers of the same width or as pointers, and what is accessed through the pointer
//! lies within the object. C says as much (the rule of effective types, section 6.5 of the standard,
//! but for characters), and the report says that it is assumed. Pointers into the middle of objects
//! are considered; objects that this leads to at several offsets become arrays or collapse.
//!
//! A pointer that nobody follows leads nowhere here: merging it would tell nothing
//! (`docs/decisions/0123-pointers-that-are-left-by-others.md`).

use crate::graph::{AccessKind, Cell, Field, Flags, Graph, Node, NodeId, Site};
use crate::local::constant_length;
use crate::solve::Solution;
use foghorn_ir::{Global, GlobalId, Instruction, Module};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

impl Solution {
    /// Lets pointers lead to what code outside the program may make them lead to; whether that
    /// changed anything.
    pub(crate) fn link_outside(&mut self, module: &Module) -> bool {
        let mut changed = false;
        for group in self.groups.values_mut() {
            let graph = &mut group.graph;
            let before = graph.both_versions();
            let roots: Vec<GlobalId> = graph.outside.iter().copied().collect();
            for root in roots {
                let pairs = graph.possible_links(module, root);
                for (place, target) in pairs {
                    graph.unify(place, target);
                }
            }
            if graph.both_versions() != before {
                graph.apply_copies();
                changed = true;
            }
        }
        changed
    }
}

impl Graph {
    /// Pairs of cells of which the first is where a pointer leads that code which knows `root` may
    /// change, and the second where it may make it lead.
    fn possible_links(&self, module: &Module, root: GlobalId) -> Vec<(Cell, Cell)> {
        let Some(&root) = self.globals.get(&root) else {
            return vec![];
        };
        let known = self.reachable_from(root);
        let links = |node: NodeId| {
            let fields = self.nodes[node].fields.values();
            fields.filter_map(|field| field.link.map(|link| self.lookup(link)))
        };
        let objects = known.iter().copied();
        let objects: BTreeSet<NodeId> = objects
            .filter(|&node| !self.holds(module, node, Global::is_outside))
            .collect();
        let targets = known.iter().flat_map(|&node| links(node));
        let targets: BTreeSet<Cell> = targets
            .filter(|cell| objects.contains(&cell.node))
            .collect();
        let changed = known.iter().filter(|&&node| {
            self.may_change(module, node) || self.holds(module, node, Global::is_returned)
        });
        let places: BTreeSet<Cell> = changed.flat_map(|&node| links(node)).collect();
        let places = places
            .into_iter()
            .filter(|cell| self.is_followed(cell.node));
        let by_shape = self.fields_by_shape(&objects);
        let mut pairs = vec![];
        for place in places {
            let near = targets.iter().copied();
            let inside = self.inner_targets(place, &by_shape);
            let all: BTreeSet<Cell> = near.chain(inside).collect();
            let fitting = all
                .into_iter()
                .filter(|&target| target != place && self.fits(module, place, target));
            pairs.extend(fitting.map(|target| (place, target)));
        }
        pairs
    }

    /// Whether a global of which that is true lies in a node.
    fn holds(&self, module: &Module, node: NodeId, is: fn(&Global) -> bool) -> bool {
        let sites = self.nodes[node].all_sites();
        sites.iter().any(|site| match site {
            Site::Global(global) => is(&module.globals[*global]),
            Site::Instruction(..) | Site::Environment => false,
        })
    }

    /// Whether something is accessed or called through pointers to a node.
    fn is_followed(&self, node: NodeId) -> bool {
        let node = &self.nodes[node];
        !node.fields.is_empty() || node.bulk.is_some() || node.flags.contains(Flags::FUNCTION)
    }

    /// The places of all fields of nodes, by how long they are.
    fn fields_by_shape(&self, nodes: &BTreeSet<NodeId>) -> FxHashMap<i64, Vec<Cell>> {
        let mut found: FxHashMap<i64, Vec<Cell>> = FxHashMap::default();
        for &node in nodes {
            for (&start, field) in &self.nodes[node].fields {
                let place = Cell::new(node, start);
                found.entry(field.length).or_default().push(place);
            }
        }
        found
    }

    /// Where a pointer would lead if one of the fields that are accessed through it were a field of
    /// another node.
    fn inner_targets(&self, place: Cell, by_shape: &FxHashMap<i64, Vec<Cell>>) -> Vec<Cell> {
        let mut found = vec![];
        for (start, field) in &self.nodes[place.node].fields {
            for &other in by_shape.get(&field.length).into_iter().flatten() {
                if are_alike(field, &self.nodes[other.node].fields[&other.offset]) {
                    let target = other.plus(place.offset.wrapping_sub(*start));
                    found.push(self.lookup(target));
                }
            }
        }
        found
    }

    /// Whether a pointer that is used as those to `place` can lead to `target`.
    fn fits(&self, module: &Module, place: Cell, target: Cell) -> bool {
        let (used, object) = (&self.nodes[place.node], &self.nodes[target.node]);
        let is_function = |node: &Node| node.flags.contains(Flags::FUNCTION);
        if is_function(used) || is_function(object) {
            return is_function(used) && is_function(object);
        }
        if used.collapsed || object.collapsed {
            return true;
        }
        let distance = target.offset.wrapping_sub(place.offset);
        // What is accessed of the object by other ways says nothing of the pointer.
        let same = place.node == target.node;
        overlaps_fit(used, object, distance)
            && overlaps_fit(object, used, distance.wrapping_neg())
            && (same || has_room(module, used, object, distance))
    }
}

/// Whether all fields of one node, seen `distance` bytes further on in another, are fields there or
/// lie where nothing is accessed.
fn overlaps_fit(node: &Node, other: &Node, distance: i64) -> bool {
    node.fields.iter().all(|(&start, field)| {
        let from = other.normalise(start.wrapping_add(distance));
        let to = from.saturating_add(field.length);
        if other.stride > 0 && to > other.stride {
            return other.fields.is_empty();
        }
        let met = other.overlapping(from, to);
        met.iter().all(|&at| {
            let theirs = &other.fields[&at];
            at == from && theirs.length == field.length && are_alike(field, theirs)
        })
    })
}

/// Whether two fields are accessed alike: as numbers, or as pointers.
fn are_alike(one: &Field, other: &Field) -> bool {
    let typed = |field: &Field| -> Vec<AccessKind> {
        let kinds = field.accesses.iter();
        kinds.filter(|&kind| kind != AccessKind::Raw).collect()
    };
    let (one, other) = (typed(one), typed(other));
    one.is_empty() || other.is_empty() || one.iter().any(|kind| other.contains(kind))
}

/// Whether what is accessed of one node lies within the objects of another, `distance` bytes further
/// on.
fn has_room(module: &Module, used: &Node, object: &Node, distance: i64) -> bool {
    let Some(size) = greatest_size(module, object) else {
        return true;
    };
    let Some((from, to)) = hull(used) else {
        return true;
    };
    if object.stride > 0 {
        return to.saturating_sub(from) <= size;
    }
    let (from, to) = (from.saturating_add(distance), to.saturating_add(distance));
    // The object begins somewhere, and all that is accessed of it is in it.
    let (first, last) = hull(object).unwrap_or((from, to));
    to.max(last).saturating_sub(from.min(first)) <= size
}

/// The bytes from the first to the last field.
fn hull(node: &Node) -> Option<(i64, i64)> {
    let (&first, _) = node.fields.first_key_value()?;
    let (&last, field) = node.fields.last_key_value()?;
    Some((first, last.saturating_add(field.length)))
}

/// The size of the largest object, if all have one that is known.
fn greatest_size(module: &Module, node: &Node) -> Option<i64> {
    let sites = node.all_sites();
    let sizes: Option<Vec<i64>> = sites.iter().map(|site| size_of(module, *site)).collect();
    sizes?.into_iter().max()
}

fn size_of(module: &Module, site: Site) -> Option<i64> {
    match site {
        Site::Global(global) => i64::try_from(module.globals[global].size).ok(),
        Site::Instruction(function, id) => {
            let body = module.functions[function].body.as_ref()?;
            match &body.instructions[id].instruction {
                Instruction::Allocate { size, .. } => constant_length(body, *size),
                _other => None,
            }
        }
        Site::Environment => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::{Options, analyse};
    use foghorn_ir::{ValueId, parse_module};

    /// `v2` is loaded from an object that is known outside; `v0` and `v1` are objects that are too, if
    /// they are stored.
    fn leads_to_both(size: u32, ty: &str, kept: bool) -> bool {
        let kept = match kept {
            true => "store v1 to @__foghorn_outside.b, align 8",
            false => "store null to @__foghorn_outside.b, align 8",
        };
        let text = format!(
            "foghorn-ir 1
layout pointer-bytes 8
entry @main
global @__foghorn_outside.a size 8 align 8 = zero
global @__foghorn_outside.b size 8 align 8 = zero
global @__foghorn_outside size 16 align 8 = {{ 0: @__foghorn_outside.a, 8: @__foghorn_outside.b }}
function @outside() {{
block0:
  call-havoc-reachable \"outside\"(@__foghorn_outside, true)
  return
}}
function @main() -> i32 {{
block0:
  v0:ptr = allocate stack 16, align 8
  v1:ptr = allocate stack {size}, align 8
  store v0 to @__foghorn_outside.a, align 8
  {kept}
  call @outside()
  v2:ptr = load v0, align 8
  v3:ptr = pointer-add v2 + 8
  store 1:i32 to v3, align 4
  v4:ptr = pointer-add v1 + 8
  v5:{ty} = load v4, align 4
  return 0:i32
}}
"
        );
        let module = parse_module(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let analysis = analyse(&module, &Options::default());
        let main = module.function_named("main").expect("there");
        let body = module.functions[main].body.as_ref().expect("a body");
        let loaded: Vec<ValueId> = body
            .instructions
            .values()
            .filter_map(|data| data.results.first().copied())
            .collect();
        let cell = |index: usize| analysis.cell(main, loaded[index]);
        assert!(cell(2).is_some());
        cell(2) == cell(1)
    }

    #[test]
    fn a_pointer_that_is_left_leads_to_what_is_used_like_it() {
        assert!(leads_to_both(16, "i32", true));
        assert!(!leads_to_both(16, "i32", false), "it is not known outside");
        assert!(!leads_to_both(16, "i8", true), "another width");
        assert!(!leads_to_both(16, "f32", true), "another type");
    }
}
