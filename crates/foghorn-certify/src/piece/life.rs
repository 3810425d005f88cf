//! Which objects are alive, as a chain of what happened to them.

use super::world::{Kind, LifeId, World};
use foghorn_term::{Op, Sort, TermId};

/// One event.
#[derive(Clone, Copy, Debug)]
pub(super) enum LifeNode {
    /// The program begins: what is permanent is alive, and nothing else is there.
    Start,
    /// Nobody knows; objects with numbers from the bound on are not there yet.
    Any { bound: TermId },
    /// One object is alive or not.
    Set {
        before: LifeId,
        object: TermId,
        alive: bool,
    },
    /// The stack objects with numbers from here on have died.
    StackEnds { before: LifeId, from: TermId },
    /// A function was called that may have freed objects: of those that were there before it only the
    /// heap's, and those only if it frees at all.
    Called {
        before: LifeId,
        after: LifeId,
        from: TermId,
        frees: bool,
    },
    Choice {
        condition: TermId,
        then: LifeId,
        otherwise: LifeId,
    },
}

impl World<'_> {
    fn life(&mut self, node: LifeNode) -> LifeId {
        let id = LifeId(u32::try_from(self.lives.len()).expect("invariant: few events"));
        self.lives.push(node);
        id
    }

    /// Nothing has been allocated.
    pub fn first_life(&mut self) -> LifeId {
        self.life(LifeNode::Start)
    }

    /// Anything may be alive that has a number below the bound.
    pub fn any_life(&mut self, bound: TermId) -> LifeId {
        self.life(LifeNode::Any { bound })
    }

    /// The same with one object alive or dead.
    pub fn set_alive(&mut self, before: LifeId, object: TermId, alive: bool) -> LifeId {
        self.life(LifeNode::Set {
            before,
            object,
            alive,
        })
    }

    /// The same without the stack objects from a number on.
    pub fn end_stack(&mut self, before: LifeId, from: TermId) -> LifeId {
        if self.next_object() == from {
            return before;
        }
        self.life(LifeNode::StackEnds { before, from })
    }

    /// What a call leaves.
    pub fn call_life(&mut self, before: LifeId, from: TermId, frees: bool) -> LifeId {
        let bound = self.next_object();
        let after = self.any_life(bound);
        self.life(LifeNode::Called {
            before,
            after,
            from,
            frees,
        })
    }

    /// One or the other.
    pub fn choose_life(&mut self, condition: TermId, then: LifeId, otherwise: LifeId) -> LifeId {
        if then == otherwise {
            return then;
        }
        self.life(LifeNode::Choice {
            condition,
            then,
            otherwise,
        })
    }

    /// Whether nothing has happened between two moments, but that calls ended which had no objects on the stack.
    pub(super) fn is_same_life(&self, before: LifeId, behind: LifeId) -> bool {
        let mut at = behind;
        while at != before {
            match self.lives[at.0 as usize] {
                LifeNode::StackEnds { before, .. } => at = before,
                LifeNode::Start
                | LifeNode::Any { .. }
                | LifeNode::Set { .. }
                | LifeNode::Called { .. }
                | LifeNode::Choice { .. } => return false,
            }
        }
        true
    }

    /// That an object is alive.
    pub fn is_alive(&mut self, life: LifeId, object: TermId) -> TermId {
        self.by_leaf(object, 0, &mut |world, leaf| {
            world.leaf_is_alive(life, leaf)
        })
    }

    fn leaf_is_alive(&mut self, life: LifeId, object: TermId) -> TermId {
        let permanent = self.is_permanent(object);
        match self.pool.as_bool(permanent) {
            Some(true) => permanent,
            Some(false) => self.allocated_is_alive(life, object),
            None => {
                let alive = self.allocated_is_alive(life, object);
                self.pool.or(&[permanent, alive])
            }
        }
    }

    fn allocated_is_alive(&mut self, life: LifeId, object: TermId) -> TermId {
        if let Some(alive) = self.life_reads.get(&(life, object)) {
            return *alive;
        }
        let alive = match self.lives[life.0 as usize] {
            LifeNode::Start => self.pool.bool(false),
            LifeNode::Any { bound } => self.unknown_life(life, bound, object),
            LifeNode::Set {
                before,
                object: set,
                alive,
            } => {
                let here = self.same_object(object, set);
                let now = self.pool.bool(alive);
                match self.pool.as_bool(here) {
                    Some(true) => now,
                    Some(false) => self.allocated_is_alive(before, object),
                    None => {
                        let before = self.allocated_is_alive(before, object);
                        self.pool.ite(here, now, before)
                    }
                }
            }
            LifeNode::StackEnds { before, from } => {
                let alive = self.allocated_is_alive(before, object);
                let younger = self.pool.make(Op::BvUle, &[from, object]);
                let on_stack = self.is_kind(object, Kind::Stack);
                let ends = self.pool.and(&[younger, on_stack]);
                let stays = self.pool.not(ends);
                self.pool.and(&[alive, stays])
            }
            LifeNode::Called {
                before,
                after,
                from,
                frees,
            } => {
                let was_there = self.pool.make(Op::BvUlt, &[object, from]);
                let mut keeps = vec![was_there];
                if frees {
                    let on_heap = self.is_heap(object);
                    keeps.push(self.pool.not(on_heap));
                }
                let keeps = self.pool.and(&keeps);
                let before = self.allocated_is_alive(before, object);
                let after = self.allocated_is_alive(after, object);
                self.pool.ite(keeps, before, after)
            }
            LifeNode::Choice {
                condition,
                then,
                otherwise,
            } => {
                let then = self.allocated_is_alive(then, object);
                let otherwise = self.allocated_is_alive(otherwise, object);
                self.pool.ite(condition, then, otherwise)
            }
        };
        self.life_reads.insert((life, object), alive);
        alive
    }

    fn unknown_life(&mut self, life: LifeId, bound: TermId, object: TermId) -> TermId {
        let alive = self.pool.fresh_symbol("alive", Sort::Bool);
        let exists = self.pool.make(Op::BvUlt, &[object, bound]);
        let axiom = self.pool.implies(alive, exists);
        self.axioms.push(axiom);
        if self.never_frees {
            let on_heap = self.is_heap(object);
            let there = self.pool.and(&[on_heap, exists]);
            let axiom = self.pool.implies(there, alive);
            self.axioms.push(axiom);
        }
        let known = self.base_lives.entry(life).or_default().clone();
        for (other, theirs) in known {
            let same = self.pool.equal(object, other);
            let equal = self.pool.equal(alive, theirs);
            let axiom = self.pool.implies(same, equal);
            self.axioms.push(axiom);
        }
        self.base_lives
            .entry(life)
            .or_default()
            .push((object, alive));
        let offset = self.pool.bv_zero(self.module.layout.pointer_bits());
        self.places.push(super::world::Pointer { object, offset });
        alive
    }
}
