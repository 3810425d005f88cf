//! Addresses, where the program asks for them.
//!
//! The memory model promises that an object does not lie at 0, is aligned, does not wrap around, and lies apart from
//! those that are alive at the same time. Nothing else is known of where it lies.

use super::world::{Birth, Kind, Known, LifeId, OBJECT_BITS, Pointer, World};
use foghorn_encode::claim::{FIRST_OBJECT, UNKNOWN};
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
        let room = self.room(object);
        let has_room = self.pool.bv_slt(zero, room);
        let end = self.pool.bv_add(base, room);
        let not_null = self.pool.not_equal(base, zero);
        let in_order = self.pool.make(Op::BvUlt, &[base, end]);
        let in_order = self.pool.implies(has_room, in_order);
        let align = self.aligns.get(&object).copied().unwrap_or(1);
        let mask = self.pool.bv(bits, align - 1);
        let low = self.pool.make(Op::BvAnd, &[base, mask]);
        let aligned = self.pool.equal(low, zero);
        let placed = self.pool.and(&[not_null, in_order, aligned]);
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

    /// The bytes that no other object may have: heap objects and functions are told apart by their addresses even where
    /// they have no bytes.
    fn room(&mut self, object: TermId) -> TermId {
        let bits = self.bits();
        let size = self.size(object);
        let is_function = self.is_kind(object, Kind::Function);
        let on_heap = self.is_heap(object);
        let (zero, one) = (self.pool.bv_zero(bits), self.pool.bv(bits, 1));
        let empty = self.pool.equal(size, zero);
        let empty = self.pool.and(&[on_heap, empty]);
        let least = self.pool.or(&[is_function, empty]);
        self.pool.ite(least, one, size)
    }

    /// Objects that are alive now lie apart, and those that were alive when one of them came to life.
    pub(super) fn keep_apart(&mut self, guard: TermId, life: LifeId) {
        let known: Vec<TermId> = self.bases.iter().map(|it| it.0).collect();
        let known = &known[..known.len().min(MOST_OBJECTS)];
        for (index, &one) in known.iter().enumerate() {
            for &other in &known[..index] {
                let alive = [one, other].map(|object| self.is_alive(life, object));
                let together = self.pool.and(&[guard, alive[0], alive[1]]);
                self.part(one, other, together);
            }
        }
        // An object that has no base yet is asked about again.
        let (now, later): (Vec<Birth>, Vec<Birth>) = std::mem::take(&mut self.births)
            .into_iter()
            .partition(|birth| known.contains(&birth.object));
        self.births = later;
        self.placed.extend(now);
        for birth in self.placed.clone() {
            for &other in known.iter().filter(|it| **it != birth.object) {
                if !self.parted.insert((birth.object, other)) {
                    continue;
                }
                let alive = self.is_alive(birth.before, other);
                let together = self.pool.and(&[birth.guard, alive]);
                self.part(birth.object, other, together);
            }
        }
    }

    /// Two objects share no byte if something holds.
    fn part(&mut self, one: TermId, other: TermId, together: TermId) {
        if self.pool.as_bool(together) == Some(false) {
            return;
        }
        let zero = self.pool.bv_zero(self.module.layout.pointer_bits());
        let bases = [one, other].map(|object| self.base(object));
        let rooms = [one, other].map(|object| self.room(object));
        let have_room = rooms.map(|room| self.pool.bv_slt(zero, room));
        let different = self.pool.not_equal(one, other);
        let ends = [0, 1].map(|index| self.pool.bv_add(bases[index], rooms[index]));
        let before = self.pool.make(Op::BvUle, &[ends[0], bases[1]]);
        let after = self.pool.make(Op::BvUle, &[ends[1], bases[0]]);
        let apart = self.pool.or(&[before, after]);
        let conditions = [together, different, have_room[0], have_room[1]];
        let both = self.pool.and(&conditions);
        let axiom = self.pool.implies(both, apart);
        self.axioms.push(axiom);
    }

    /// The pointer that a number is which no object explains.
    pub(super) fn unknown_at(&mut self, address: TermId) -> Known {
        Known::Pointer(Pointer {
            object: self.pool.bv(OBJECT_BITS, UNKNOWN),
            offset: address,
        })
    }

    /// The pointer that a number becomes: into the living object with an exposed address that contains it, null for 0,
    /// else what is given.
    pub(super) fn explain(&mut self, address: TermId, life: LifeId, otherwise: Known) -> Known {
        let zero = self.pool.bv_zero(self.bits());
        let mut known = otherwise;
        let exposures = self.exposures.clone();
        for (object, guard) in exposures.into_iter().take(MOST_OBJECTS) {
            let base = self.by_leaf(object, 0, &mut |world, leaf| world.base(leaf));
            let offset = self.pool.bv_sub(address, base);
            let size = self.size(object);
            let has_bytes = self.pool.bv_slt(zero, size);
            let inside = self.pool.make(Op::BvUlt, &[offset, size]);
            let alive = self.is_alive(life, object);
            let first = self.pool.bv(OBJECT_BITS, FIRST_OBJECT);
            let is_object = self.pool.make(Op::BvUle, &[first, object]);
            let here = self.pool.and(&[guard, is_object, has_bytes, inside, alive]);
            known = self.choose(here, Known::Pointer(Pointer { object, offset }), known);
        }
        let is_null = self.pool.equal(address, zero);
        let null = Known::Pointer(self.null());
        self.choose(is_null, null, known)
    }
}
