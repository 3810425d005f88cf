//! Reads at a choice of places, `read(m, ite(c, p, q))`.
//!
//! ARM answers for such a pointer as a whole (§5.2 of the SEAM thesis), so the read goes down undivided as long as that is
//! as good as reading at `p` and at `q`: over what meets neither, over a write that it hits whatever is chosen, and over
//! one that both may meet, which costs one case split undivided and two divided. It is divided, `ite(c, read(m, p),
//! read(m, q))`, where one side can go on without the operation or the store-maps lead the sides to different places:
//! there each finds its own write, and nothing of the other's is left in its value.
//!
//! Dividing too early copies: of a data structure that is one of two, everything that is computed from it would be
//! computed twice.

use super::Seam;
use super::interval::{Interval, mask};
use super::read::Step;
use super::relate::{Access, Relation};
use crate::memory::pointer::children;
use foghorn_term::{Op, TermId, TermPool};

/// Nodes up to which an offset counts as a choice between few literals.
const MOST_LEAVES: u32 = 64;

/// A pointer that is one of two.
#[derive(Clone, Copy)]
pub(super) struct Choice {
    condition: TermId,
    then: TermId,
    otherwise: TermId,
}

impl Seam {
    /// The choice that an access is at, with ARM.
    pub(super) fn choice(&mut self, pool: &mut TermPool, access: Access) -> Option<Choice> {
        if !self.options.arm {
            return None;
        }
        let (condition, then, otherwise) = self.sides(pool, access.pointer)?;
        Some(Choice {
            condition,
            then,
            otherwise,
        })
    }

    /// One step of a read at a choice of places: on as a whole, or into both sides.
    pub(super) fn step_with_choice(
        &mut self,
        pool: &mut TermPool,
        memory: TermId,
        read: Access,
        choice: Choice,
    ) -> Step {
        match self.common_target(pool, memory, read) {
            Some(target) if target != memory => {
                self.statistics.store_map_misses += 1;
                Step::On(target, read)
            }
            Some(_) if !self.divides(pool, memory, read, choice) => self.step(pool, memory, read),
            Some(_) | None => {
                let at = |pointer| (memory, Access { pointer, ..read });
                self.choose(choice.condition, at(choice.then), at(choice.otherwise))
            }
        }
    }

    /// The memory that the store-maps of all objects that a read may meet lead to; `None` when they lead to different ones
    /// or hold cells that the read may meet, or when nothing is known of one of its places.
    fn common_target(&mut self, pool: &TermPool, memory: TermId, read: Access) -> Option<TermId> {
        let map = self.address_range_map(pool, read.pointer);
        let Some(maps) = self.store_maps.get(&memory) else {
            return Some(memory);
        };
        let ranges = map.ranges.as_ref()?;
        let all = mask(self.width);
        let mut target = None;
        for &(base, at) in ranges {
            let last = at.high.checked_add(u64::from(read.size - 1));
            let reached = match last.filter(|&last| last <= all) {
                Some(high) => Interval { high, ..at },
                None => Interval::full(self.width),
            };
            let below = maps.target(base, reached)?;
            if *target.get_or_insert(below) != below {
                return None;
            }
        }
        target
    }

    /// Whether one side of a choice can do without the operation that made a memory, and the other cannot.
    fn divides(
        &mut self,
        pool: &mut TermPool,
        memory: TermId,
        read: Access,
        choice: Choice,
    ) -> bool {
        let sides = [choice.then, choice.otherwise];
        match pool.op(memory) {
            Op::MemoryWrite | Op::MemoryWriteBytes => {
                let [_, pointer, value] = children(pool, memory);
                let size = match pool.op(memory) {
                    Op::MemoryWriteBytes => pool.width(value) / 8,
                    _ => 1,
                };
                let written = Access { pointer, size };
                let skips = self.statistics.arm_skips;
                let mut relation = |pointer| self.relate(pool, Access { pointer, ..read }, written);
                let divides = relation(read.pointer) == Relation::Unknown
                    && sides.map(&mut relation) != [Relation::Unknown; 2];
                self.statistics.arm_skips = skips;
                divides
            }
            Op::MemorySet | Op::MemoryCopy => {
                let (start, length) = (pool.child(memory, 1), {
                    let operands = pool.children(memory);
                    operands[operands.len() - 1]
                });
                let skips = self.statistics.arm_skips;
                let mut decided = |pointer| {
                    let access = Access { pointer, ..read };
                    self.in_range(pool, access, start, length).is_some()
                };
                let divides = !decided(read.pointer) && sides.map(&mut decided) != [false; 2];
                self.statistics.arm_skips = skips;
                divides
            }
            // What is read of a symbol is a function of base and offset: at the leaves it is the same as for other reads.
            Op::Symbol(_) => true,
            _ => false,
        }
    }

    /// The two sides of a pointer that a read goes into, so that each leaf finds its own write: `read(m, ite(c, p, q)) =
    /// ite(c, read(m, p), read(m, q))`. Within one object that is done where the offsets at the leaves are literals.
    fn sides(&mut self, pool: &mut TermPool, pointer: TermId) -> Option<(TermId, TermId, TermId)> {
        if pool.op(pointer) == Op::Ite {
            let [condition, then, otherwise] = children(pool, pointer);
            return Some((condition, then, otherwise));
        }
        let [base, offset] = children(pool, pointer);
        if pool.op(offset) != Op::Ite || !self.has_literal_leaves(pool, offset) {
            return None;
        }
        let [condition, then, otherwise] = children(pool, offset);
        let (then, otherwise) = (pool.pointer(base, then), pool.pointer(base, otherwise));
        Some((condition, then, otherwise))
    }

    /// Whether an `ite` is a choice between few literals.
    fn has_literal_leaves(&mut self, pool: &TermPool, term: TermId) -> bool {
        if let Some(&known) = self.literal_leaves.get(&term) {
            return known;
        }
        let mut stack = vec![term];
        let mut visited = 0;
        let mut literal = true;
        while let Some(top) = stack.pop() {
            visited += 1;
            match pool.op(top) {
                Op::Ite => stack.extend(&pool.children(top)[1..]),
                Op::Constant(_) => {}
                _ => literal = false,
            }
            if !literal || visited > MOST_LEAVES {
                literal = false;
                break;
            }
        }
        self.literal_leaves.insert(term, literal);
        literal
    }
}
