//! Where memories come from: the tree of which memory was made from which, with common ancestors in logarithmic time.
//!
//! The parent of a write, set or copy is the memory that it changes; the parent of a merge is the nearest memory that both
//! sides come from. A read that finds nothing on either side of a merge thus goes on at a memory that both sides lead to;
//! these memories are marked, and reads of them are remembered, so that the second side does not read them again.
//!
//! Each memory also has a far ancestor (a skew-binary jump), chosen by depth alone, so that the nearest common ancestor of
//! two memories takes logarithmically many steps.

use foghorn_term::TermId;
use rustc_hash::{FxHashMap, FxHashSet};

#[derive(Clone, Copy)]
struct Entry {
    parent: TermId,
    jump: TermId,
    depth: u32,
}

/// The tree of memories.
#[derive(Default)]
pub(super) struct History {
    entries: FxHashMap<TermId, Entry>,
    joints: FxHashSet<TermId>,
}

impl History {
    /// A memory that comes from nowhere.
    pub fn root(&mut self, memory: TermId) {
        let entry = Entry {
            parent: memory,
            jump: memory,
            depth: 0,
        };
        self.entries.entry(memory).or_insert(entry);
    }

    /// A memory made from another one.
    pub fn child(&mut self, memory: TermId, parent: TermId) {
        if self.entries.contains_key(&memory) {
            return;
        }
        self.root(parent);
        let above = self.entries[&parent];
        let far = self.entries[&above.jump];
        let equal_steps = above.depth - far.depth == far.depth - self.entries[&far.jump].depth;
        let jump = if equal_steps && above.depth > 0 {
            far.jump
        } else {
            parent
        };
        let depth = above.depth + 1;
        let entry = Entry {
            parent,
            jump,
            depth,
        };
        self.entries.insert(memory, entry);
    }

    /// A memory made from two, which come from a common one or not.
    pub fn merge(&mut self, memory: TermId, a: TermId, b: TermId) {
        match self.common_ancestor(a, b) {
            Some(ancestor) => {
                self.joints.insert(ancestor);
                self.child(memory, ancestor);
            }
            None => self.root(memory),
        }
    }

    /// Whether some merge's sides both come from this memory.
    pub fn is_joint(&self, memory: TermId) -> bool {
        self.joints.contains(&memory)
    }

    /// The nearest memory that both come from.
    pub fn common_ancestor(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        self.root(a);
        self.root(b);
        let (mut a, mut b) = (a, b);
        if self.entries[&a].depth < self.entries[&b].depth {
            std::mem::swap(&mut a, &mut b);
        }
        let depth = self.entries[&b].depth;
        while self.entries[&a].depth > depth {
            let entry = self.entries[&a];
            let far = self.entries[&entry.jump].depth >= depth;
            a = if far { entry.jump } else { entry.parent };
        }
        while a != b {
            let (x, y) = (self.entries[&a], self.entries[&b]);
            if x.depth == 0 {
                return None;
            }
            (a, b) = if x.jump == y.jump {
                (x.parent, y.parent)
            } else {
                (x.jump, y.jump)
            };
        }
        Some(a)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use foghorn_term::generate::Random;

    /// Common ancestors by jumps are those that walking up finds.
    #[test]
    fn common_ancestors_are_the_nearest() {
        let mut random = Random::new(11);
        let mut history = History::default();
        let mut parents = vec![0usize];
        history.root(TermId::from_u32(0));
        for number in 1..2_000usize {
            let recent = random.one_in(4);
            let parent = if recent {
                random.index(number)
            } else {
                number - 1
            };
            parents.push(parent);
            let term = |number: usize| TermId::from_u32(number as u32);
            history.child(term(number), term(parent));
        }
        let path = |mut number: usize| {
            let mut path = vec![number];
            while number != 0 {
                number = parents[number];
                path.push(number);
            }
            path
        };
        for _ in 0..2_000 {
            let (a, b) = (random.index(2_000), random.index(2_000));
            let above = path(a);
            let nearest = path(b).into_iter().find(|x| above.contains(x)).unwrap();
            let found =
                history.common_ancestor(TermId::from_u32(a as u32), TermId::from_u32(b as u32));
            assert_eq!(found, Some(TermId::from_u32(nearest as u32)));
        }
    }
}
