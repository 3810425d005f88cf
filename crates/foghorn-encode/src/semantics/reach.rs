//! Memory leaks: which heap objects are still reached when the entry returns.
//!
//! Then only globals are left, and what they lead to. The entry returns the contents of every
//! region that the program may have changed, so pointers are read from there: from the globals and
//! from the heap objects, at each place where a whole pointer can lie. Only what was plainly stored
//! counts as a pointer to an object; whatever else is read counts as none. So an object that is
//! said to be reached is, and one that is not said to be may be all the same: then the leak does
//! not happen when the run is repeated, and the answer stays open.

use super::pointer::{leaves, literal, map_leaves};
use crate::execute::Executor;
use crate::semantics::object::{Kind, Origin};
use foghorn_ir::{Body, Cell, GlobalId, RegionId, Type};
use foghorn_term::{Op, TermId};
use rustc_hash::FxHashMap;

/// More heap objects than this are not followed.
const MOST_OBJECTS: usize = 128;
/// Pointers that are looked for in one object.
const MOST_PLACES: u64 = 32;
/// Reads over all.
const MOST_READS: usize = 8192;

/// The condition under which each heap object is reached; none is where there is no entry.
pub(crate) type Reached = FxHashMap<u64, TermId>;

/// An object that holds a pointer to another under a condition.
struct Edge {
    from: u64,
    to: u64,
    condition: TermId,
}

impl Executor<'_, '_> {
    /// What is reached when the entry has returned these values.
    pub(crate) fn find_reached(&mut self, body: &Body, values: &[TermId]) -> Reached {
        let regions: Vec<RegionId> = body.memory_results().collect();
        let first = values.len().saturating_sub(regions.len());
        let memories: Vec<(RegionId, TermId)> = regions
            .into_iter()
            .zip(values[first..].iter().copied())
            .filter(|(region, _)| self.cells.of(&body.regions[*region]) == Cell::Pointer)
            .collect();
        let heap = self.heap_objects();
        if heap.is_empty() || heap.len() > MOST_OBJECTS {
            return Reached::default();
        }
        let mut holders = vec![];
        for &(region, memory) in &memories {
            let globals: Vec<GlobalId> = self.module.globals.keys().collect();
            for id in globals {
                if self.settings.initial.may_hold(region, id) && !self.module.globals[id].constant {
                    let number = self.memo.objects.number(Origin::Global(id));
                    holders.push((number, memory));
                }
            }
            holders.extend(heap.iter().map(|&number| (number, memory)));
        }
        let edges = self.edges(&holders);
        self.propagate(&heap, &edges)
    }

    fn heap_objects(&self) -> Vec<u64> {
        let objects = self.memo.objects.in_order().iter().copied();
        let is_heap = |number: &u64| {
            let object = self.memo.objects.get(*number);
            object.is_some_and(|object| object.kind == Kind::Heap)
        };
        objects.filter(is_heap).collect()
    }

    /// The pointers that objects hold.
    fn edges(&mut self, holders: &[(u64, TermId)]) -> Vec<Edge> {
        let bytes = u64::from(self.pointer_bits / 8);
        let mut edges = vec![];
        let mut reads = 0;
        for &(from, memory) in holders {
            let size = self.memo.objects.get(from).map(|object| object.size);
            let size = size.and_then(|size| literal(self.pool, size));
            let places = size.map_or(MOST_PLACES, |size| (size / bytes).min(MOST_PLACES));
            for place in 0..places {
                reads += 1;
                if reads > MOST_READS {
                    return edges;
                }
                let offset = self.pool.bv(self.pointer_bits, place * bytes);
                let start = self.pointer_to(from, 0);
                let pointer = self.move_pointer(start, offset);
                let sort = self.sort(Type::Ptr);
                let value = self.memory.read(self.pool, memory, pointer, sort);
                let value = self.memory.simplify(self.pool, value);
                self.note_edges(from, value, &mut edges);
            }
        }
        edges
    }

    fn note_edges(&mut self, from: u64, value: TermId, edges: &mut Vec<Edge>) {
        let mut targets: Vec<u64> = vec![];
        for leaf in leaves(self.pool, value) {
            let target = self.plain_target(leaf);
            let target = target.filter(|number| {
                let object = self.memo.objects.get(*number);
                object.is_some_and(|object| object.kind == Kind::Heap)
            });
            targets.extend(target.filter(|number| !targets.contains(number)));
        }
        for to in targets {
            let here: FxHashMap<TermId, bool> = leaves(self.pool, value)
                .into_iter()
                .map(|leaf| (leaf, self.plain_target(leaf) == Some(to)))
                .collect();
            let condition = map_leaves(self.pool, value, |pool, leaf| pool.bool(here[&leaf]));
            edges.push(Edge {
                from,
                to,
                condition,
            });
        }
    }

    /// The object of a pointer that says which it is.
    fn plain_target(&self, leaf: TermId) -> Option<u64> {
        match self.pool.op(leaf) {
            Op::Pointer => literal(self.pool, self.pool.child(leaf, 0)),
            _ => None,
        }
    }

    /// What the globals lead to, over any number of heap objects.
    fn propagate(&mut self, heap: &[u64], edges: &[Edge]) -> Reached {
        let never = self.pool.bool(false);
        let mut reached: Reached = heap.iter().map(|&number| (number, never)).collect();
        let mut alive: FxHashMap<u64, TermId> = FxHashMap::default();
        for &number in heap {
            if let Some(object) = self.memo.objects.get(number) {
                let (allocated, dead) = (object.allocated, object.dead);
                let lives = self.pool.not(dead);
                alive.insert(number, self.pool.and(&[allocated, lives]));
            }
        }
        // One way and back, as lists are built at either end.
        for round in 0..=heap.len() {
            let mut changed = false;
            let order: Vec<&Edge> = match round % 2 {
                0 => edges.iter().collect(),
                _ => edges.iter().rev().collect(),
            };
            for edge in order {
                let from = match (reached.get(&edge.from), alive.get(&edge.from)) {
                    (Some(&from), Some(&lives)) => self.pool.and(&[from, lives]),
                    _ => self.pool.bool(true),
                };
                let through = self.pool.and(&[from, edge.condition]);
                let known = reached[&edge.to];
                let now = self.pool.or(&[known, through]);
                if now != known {
                    reached.insert(edge.to, now);
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        reached
    }
}
