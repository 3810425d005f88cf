//! Addresses: bases of objects, where the program asks for them.
//!
//! The memory model promises that bases are aligned and not null, that an object and the byte
//! behind it do not wrap around, and that objects which live at the same time do not overlap.
//! Nothing else is said about them, so what holds here holds for every layout.

use super::Executor;
use crate::object::{NULL, UNKNOWN};
use foghorn_term::{Op, Sort, TermId};

impl Executor<'_, '_> {
    /// The address of a pointer as a number; exposes the objects it may lead to.
    pub(super) fn address(&mut self, pointer: TermId) -> TermId {
        let zero = self.pool.bv_zero(self.pointer_bits);
        let guard = self.guard();
        self.by_object(pointer, zero, |executor, object, offset| {
            match executor.base_address(object) {
                Some(base) => {
                    executor.expose(object, guard);
                    executor.pool.bv_add(base, offset)
                }
                // Null and unknown pointers: the offset is the address.
                None => offset,
            }
        })
    }

    /// The base of an object, with the axioms about it; `None` for what is no object.
    pub(super) fn base_address(&mut self, number: u64) -> Option<TermId> {
        let object = self.memo.objects.get(number)?;
        if let Some(base) = object.base {
            return Some(base);
        }
        let (size, align, born) = (object.size, object.align, object.born);
        let width = self.pointer_bits;
        let pool = &mut *self.pool;
        let base = *self
            .memo
            .bases
            .entry(number)
            .or_insert_with(|| pool.fresh_symbol("base", Sort::BitVec(width)));
        self.memo.objects.get_mut(number)?.base = Some(base);
        self.place(base, size, align, born);
        self.keep_apart(number, base, size);
        Some(base)
    }

    /// Aligned, not null, not around the end of the address space.
    fn place(&mut self, base: TermId, size: TermId, align: u64, born: TermId) {
        let width = self.pointer_bits;
        let zero = self.pool.bv_zero(width);
        let mask = self.pool.bv(width, align.max(1) - 1);
        let low = self.pool.make(Op::BvAnd, &[base, mask]);
        let aligned = self.pool.equal(low, zero);
        let not_null = self.pool.not_equal(base, zero);
        let end = self.pool.bv_add(base, size);
        let fits = self.pool.make(Op::BvUlt, &[base, end]);
        let empty = self.pool.equal(size, zero);
        let fits = self.pool.or(&[fits, empty]);
        let ones = self.pool.bv_ones(width);
        let has_end = self.pool.not_equal(end, ones);
        let placed = self.pool.and(&[aligned, not_null, fits, has_end]);
        let axiom = self.pool.implies(born, placed);
        self.trace.axioms.push(axiom);
    }

    /// Objects that are alive now lie apart, with a byte between them.
    fn keep_apart(&mut self, number: u64, base: TermId, size: TermId) {
        let end = self.pool.bv_add(base, size);
        let Some(own_absence) = self.absence(number) else {
            return;
        };
        let others: Vec<(u64, TermId, TermId)> = self
            .memo
            .objects
            .in_order()
            .iter()
            .filter(|&&other| other != number)
            .filter_map(|&other| {
                let object = self.memo.objects.get(other)?;
                Some((other, object.base?, object.size))
            })
            .collect();
        for (other, other_base, other_size) in others {
            let Some(other_absence) = self.absence(other) else {
                continue;
            };
            let other_end = self.pool.bv_add(other_base, other_size);
            let below = self.pool.make(Op::BvUlt, &[end, other_base]);
            let above = self.pool.make(Op::BvUlt, &[other_end, base]);
            let axiom = self.pool.or(&[own_absence, other_absence, below, above]);
            self.trace.axioms.push(axiom);
        }
    }

    /// The condition under which an object does not exist now: not born, or dead.
    fn absence(&mut self, number: u64) -> Option<TermId> {
        let object = self.memo.objects.get(number)?;
        let (born, dead) = (object.born, object.dead);
        let unborn = self.pool.not(born);
        Some(self.pool.or(&[unborn, dead]))
    }

    fn expose(&mut self, number: u64, guard: TermId) {
        if let Some(object) = self.memo.objects.get_mut(number) {
            object.exposed = self.pool.or(&[object.exposed, guard]);
        }
    }

    /// The pointer that an integer means: into the exposed living object that contains the address
    /// or ends just before it; null for 0; else unknown.
    pub(super) fn pointer_from_address(&mut self, address: TermId) -> TermId {
        let width = self.pointer_bits;
        let unknown = self.pool.bv(width, UNKNOWN);
        let mut result = self.pool.pointer(unknown, address);
        let candidates = self.addressable();
        self.trace.notes.addresses_as_pointers |= !candidates.is_empty();
        // An object that contains the address is preferred to one that ends there; it is the only
        // one, as living objects do not overlap.
        for inside in [false, true] {
            for &(number, base, size, exists, exposed) in &candidates {
                let offset = self.pool.bv_sub(address, base);
                let here = if inside {
                    self.pool.make(Op::BvUlt, &[offset, size])
                } else {
                    self.pool.equal(offset, size)
                };
                let here = self.pool.and(&[here, exists, exposed]);
                let object = self.pool.bv(width, number);
                let pointer = self.pool.pointer(object, offset);
                result = self.pool.ite(here, pointer, result);
            }
        }
        let zero = self.pool.bv_zero(width);
        let is_null = self.pool.equal(address, zero);
        let null = self.pointer_to(NULL, 0);
        let result = self.pool.ite(is_null, null, result);
        self.memory.simplify(self.pool, result)
    }

    /// Objects that have a base: number, base, size, whether they are alive, whether exposed.
    fn addressable(&mut self) -> Vec<(u64, TermId, TermId, TermId, TermId)> {
        let numbers = self.memo.objects.in_order().to_vec();
        let mut found = vec![];
        for number in numbers {
            let Some(object) = self.memo.objects.get(number) else {
                continue;
            };
            if let Some(base) = object.base {
                let (size, exposed) = (object.size, object.exposed);
                let absent = self.absence(number);
                let absent = absent.expect("invariant: the object is there");
                let exists = self.pool.not(absent);
                found.push((number, base, size, exists, exposed));
            }
        }
        found
    }
}
