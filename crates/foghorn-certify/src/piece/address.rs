//! Addresses, where the program asks for them.
//!
//! The memory model promises that an object does not lie at 0, does not wrap around, and lies apart from
//! those that are alive at the same time. Nothing else is known of where it lies.

use super::world::{LifeId, OBJECT_BITS, Pointer, World};
use foghorn_encode::claim::FIRST_OBJECT;
use foghorn_term::{Op, Sort, TermId};

/// Objects beyond this are not kept apart.
const MOST_OBJECTS: usize = 24;

impl World<'_> {
    /// The address of a pointer; of what is no object its offset.
    pub(super) fn address(&mut self, pointer: Pointer) -> TermId {
        let base = self.by_leaf(pointer.object, 0, &mut |world, leaf| world.base(leaf));
        let address = self.pool.bv_add(base, pointer.offset);
        self.addresses.entry(address).or_insert(pointer);
        address
    }

    /// Where an object lies; 0 for what is no object.
    fn base(&mut self, object: TermId) -> TermId {
        let bits = self.bits();
        let zero = self.pool.bv_zero(bits);
        if self
            .literal(object)
            .is_some_and(|number| number < FIRST_OBJECT)
        {
            return zero;
        }
        if let Some((_, base)) = self.bases.iter().find(|(known, _)| *known == object) {
            return *base;
        }
        let base = self.pool.fresh_symbol("base", Sort::BitVec(bits));
        let first = self.pool.bv(OBJECT_BITS, FIRST_OBJECT);
        let is_object = self.pool.make(Op::BvUle, &[first, object]);
        let size = self.size(object);
        let has_bytes = self.pool.bv_slt(zero, size);
        let end = self.pool.bv_add(base, size);
        let not_null = self.pool.not_equal(base, zero);
        let in_order = self.pool.make(Op::BvUlt, &[base, end]);
        let in_order = self.pool.implies(has_bytes, in_order);
        let placed = self.pool.and(&[not_null, in_order]);
        let nowhere = self.pool.equal(base, zero);
        let axiom = self.pool.ite(is_object, placed, nowhere);
        self.axioms.push(axiom);
        for (other, theirs) in self.bases.clone() {
            let same = self.pool.equal(object, other);
            let equal = self.pool.equal(base, theirs);
            let axiom = self.pool.implies(same, equal);
            self.axioms.push(axiom);
        }
        self.bases.push((object, base));
        base
    }

    /// Objects that are alive now lie apart.
    pub(super) fn keep_apart(&mut self, guard: TermId, life: LifeId) {
        let bits = self.bits();
        let zero = self.pool.bv_zero(bits);
        let known = self.bases.clone();
        for (index, &(one, base)) in known.iter().enumerate().take(MOST_OBJECTS) {
            for &(other, theirs) in &known[..index] {
                let sizes = [one, other].map(|object| self.size(object));
                let have_bytes = sizes.map(|size| self.pool.bv_slt(zero, size));
                let alive = [one, other].map(|object| self.is_alive(life, object));
                let different = self.pool.not_equal(one, other);
                let ends = [
                    self.pool.bv_add(base, sizes[0]),
                    self.pool.bv_add(theirs, sizes[1]),
                ];
                let before = self.pool.make(Op::BvUle, &[ends[0], theirs]);
                let after = self.pool.make(Op::BvUle, &[ends[1], base]);
                let apart = self.pool.or(&[before, after]);
                let conditions = [
                    guard,
                    different,
                    have_bytes[0],
                    have_bytes[1],
                    alive[0],
                    alive[1],
                ];
                let both = self.pool.and(&conditions);
                let axiom = self.pool.implies(both, apart);
                self.axioms.push(axiom);
            }
        }
    }
}
