//! Addresses: bases of objects, where the program asks for them.
//!
//! The memory model promises that bases are aligned and not null, that no object wraps around, and
//! that objects which live at the same time do not overlap. Nothing else is said about them, so
//! what holds here holds for every layout: objects may touch, and use the place of dead ones.

use super::access::FIRST_ADDRESS;
use super::pointer::{leaves, map_leaves};
use crate::execute::Executor;
use crate::execute::event::What;
use crate::semantics::object::{Kind, NULL, Object, UNKNOWN};
use foghorn_term::{Op, Sort, TermId, TermPool};
use rustc_hash::FxHashMap;

impl Executor<'_, '_> {
    /// The address of a pointer as a number; exposes the objects it may lead to.
    pub(crate) fn address(&mut self, pointer: TermId) -> TermId {
        // Behind a head whose state was replaced a pointer may lead to an object without a number.
        let elsewhere = match self.has_loss() {
            true => {
                let sort = Sort::BitVec(self.pointer_bits);
                self.pool.fresh_symbol("elsewhere", sort)
            }
            false => self.pool.bv_zero(self.pointer_bits),
        };
        let guard = self.guard();
        self.by_object(pointer, elsewhere, |executor, object, offset| {
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
    pub(crate) fn base_address(&mut self, number: u64) -> Option<TermId> {
        let object = self.memo.objects.get(number)?;
        if let Some(base) = object.base {
            return Some(base);
        }
        let (size, align, allocated) = (object.size, object.align, object.allocated);
        let width = self.pointer_bits;
        let pool = &mut *self.pool;
        let base = *self
            .memo
            .bases
            .entry(number)
            .or_insert_with(|| pool.fresh_symbol("base", Sort::BitVec(width)));
        self.memo.objects.set_base(number, base);
        self.place(base, size, align, allocated);
        self.keep_apart(number);
        Some(base)
    }

    /// Aligned, not null, not around the end of the address space: the end is an address too.
    fn place(&mut self, base: TermId, size: TermId, align: u64, allocated: TermId) {
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
        let mut conditions = vec![aligned, not_null, fits];
        if self.has_external_contents {
            let first = self.pool.bv(width, FIRST_ADDRESS);
            conditions.push(self.pool.make(Op::BvUle, &[first, base]));
        }
        let placed = self.pool.and(&conditions);
        let axiom = self.pool.implies(allocated, placed);
        self.trace.axioms.push(axiom);
    }

    /// An object with a base lies apart from the others of its time. This is assumed rather than an
    /// axiom: where there is no room for one more object, only what comes later does not happen.
    pub(crate) fn keep_apart(&mut self, number: u64) {
        let objects = &self.memo.objects;
        let Some(object) = objects.get(number).filter(|object| object.base.is_some()) else {
            return;
        };
        let mut conditions = vec![];
        for &other in objects.in_order() {
            if other != number
                && let Some(other) = objects.get(other)
                && let Some(apart) = apart(self.pool, object, other)
            {
                let together = object.coexists(self.pool, other);
                conditions.push(self.pool.implies(together, apart));
            }
        }
        let always = self.pool.bool(true);
        for condition in conditions {
            self.note_under(always, What::Assume { condition });
        }
    }

    /// The condition under which an object does not exist now: not allocated, or dead.
    fn absence(&mut self, number: u64) -> Option<TermId> {
        let object = self.memo.objects.get(number)?;
        let (allocated, dead) = (object.allocated, object.dead);
        let unallocated = self.pool.not(allocated);
        Some(self.pool.or(&[unallocated, dead]))
    }

    fn expose(&mut self, number: u64, guard: TermId) {
        if let Some(object) = self.memo.objects.get_mut(number) {
            object.exposed = self.pool.or(&[object.exposed, guard]);
        }
    }

    /// The pointer that an integer means: into the exposed living object that contains the address
    /// or ends just before it; null for 0; else unknown.
    ///
    /// Mostly the integer is a pointer that was written to memory of bytes and is read back. Then
    /// the object can be read off the form of the address, and no other needs to be asked: a base
    /// is only ever part of a value in executions that made the object.
    pub(crate) fn pointer_from_address(&mut self, address: TermId) -> TermId {
        self.pointer_from_address_or(address, None)
    }

    /// The same, but that a number which no exposed object explains may be the pointer `left` that code
    /// outside the program left.
    pub(super) fn pointer_from_address_or(
        &mut self,
        address: TermId,
        left: Option<TermId>,
    ) -> TermId {
        let mut pointers: FxHashMap<TermId, TermId> = FxHashMap::default();
        for leaf in leaves(self.pool, address) {
            let pointer = self.pointer_from_leaf(leaf, left);
            pointers.insert(leaf, pointer);
        }
        let result = map_leaves(self.pool, address, |_, leaf| pointers[&leaf]);
        self.memory.simplify(self.pool, result)
    }

    fn pointer_from_leaf(&mut self, address: TermId, left: Option<TermId>) -> TermId {
        if let Some(value) = self.pool.as_bitvec(address)
            && value.is_zero()
        {
            return self.pointer_to(NULL, 0);
        }
        let Some((number, offset)) = self.relative_to_object(address) else {
            return self.pointer_from_number(address, left);
        };
        let Some(object) = self.memo.objects.get(number) else {
            return self.pointer_from_number(address, left);
        };
        let (size, dead) = (object.size, object.dead);
        let within = self.pool.make(Op::BvUle, &[offset, size]);
        let alive = self.pool.not(dead);
        let explained = self.pool.and(&[within, alive]);
        let explained = self.memory.simplify(self.pool, explained);
        let base = self.pool.bv(self.pointer_bits, number);
        let pointer = self.pool.pointer(base, offset);
        if self.pool.as_bool(explained) == Some(true) {
            return pointer;
        }
        let otherwise = self.pointer_from_number(address, left);
        self.pool.ite(explained, pointer, otherwise)
    }

    /// The object whose base is part of a sum, and the rest of the sum.
    fn relative_to_object(&mut self, address: TermId) -> Option<(u64, TermId)> {
        let terms = match self.pool.op(address) {
            Op::BvAdd => self.pool.children(address).to_vec(),
            _ => vec![address],
        };
        let place = |term: &TermId| self.memo.objects.with_base(*term);
        let (at, number) = terms
            .iter()
            .enumerate()
            .find_map(|(at, term)| Some((at, place(term)?)))?;
        let mut rest = terms;
        rest.remove(at);
        let offset = match rest.as_slice() {
            [] => self.pool.bv_zero(self.pointer_bits),
            rest => self.pool.bv_sum(rest),
        };
        Some((number, offset))
    }

    /// The pointer that a number means of which nothing is known. Where an object ends and another
    /// begins it leads into the latter.
    fn pointer_from_number(&mut self, address: TermId, left: Option<TermId>) -> TermId {
        let width = self.pointer_bits;
        let unknown = self.pool.bv(width, UNKNOWN);
        let is_constant = self.pool.as_bitvec(address).is_some();
        let mut result = match left.filter(|_| !is_constant) {
            Some(left) => left,
            None => self.pool.pointer(unknown, address),
        };
        if self.has_loss() {
            return self.any_pointer_from(address);
        }
        let candidates = self.addressable();
        self.trace.notes.addresses_as_pointers |= !candidates.is_empty();
        for at_end in [true, false] {
            for &(number, base, size, exists, exposed) in &candidates {
                let offset = self.pool.bv_sub(address, base);
                let within = match at_end {
                    true => self.pool.equal(offset, size),
                    false => self.pool.make(Op::BvUlt, &[offset, size]),
                };
                let here = self.pool.and(&[within, exists, exposed]);
                let object = self.pool.bv(width, number);
                let pointer = self.pool.pointer(object, offset);
                result = self.pool.ite(here, pointer, result);
            }
        }
        let zero = self.pool.bv_zero(width);
        let is_null = self.pool.equal(address, zero);
        let null = self.pointer_to(NULL, 0);
        self.pool.ite(is_null, null, result)
    }

    /// The pointer that a number means where an earlier iteration may have exposed objects: any but null.
    fn any_pointer_from(&mut self, address: TermId) -> TermId {
        self.trace.notes.addresses_as_pointers = true;
        let any = self.any_pointer("pointer from number");
        let zero = self.pool.bv_zero(self.pointer_bits);
        let is_null = self.pool.equal(address, zero);
        let null = self.pointer_to(NULL, 0);
        self.pool.ite(is_null, null, any)
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

/// That two objects share no byte, if both have bases. Of objects that do not wrap around and are
/// not empty this is said without cases: the way from either to the other is not shorter than the
/// object.
fn apart(pool: &mut TermPool, left: &Object, right: &Object) -> Option<TermId> {
    let (x, y) = (left.base?, right.base?);
    let (x_room, y_room) = (room(pool, left), room(pool, right));
    if is_occupied(pool, left) && is_occupied(pool, right) {
        let (forth, back) = (pool.bv_sub(y, x), pool.bv_sub(x, y));
        let parts = [
            pool.make(Op::BvUle, &[x_room, forth]),
            pool.make(Op::BvUle, &[y_room, back]),
            // This follows, but solvers of bits do not see it at once.
            pool.not_equal(x, y),
        ];
        return Some(pool.and(&parts));
    }
    let (x_end, y_end) = (pool.bv_add(x, x_room), pool.bv_add(y, y_room));
    let below = pool.make(Op::BvUle, &[x_end, y]);
    let above = pool.make(Op::BvUle, &[y_end, x]);
    Some(pool.or(&[below, above]))
}

/// The bytes that no other object may have: heap objects and functions are told apart by their
/// addresses even where they have no bytes.
fn room(pool: &mut TermPool, object: &Object) -> TermId {
    match object.kind {
        Kind::Global | Kind::Stack => object.size,
        Kind::Heap | Kind::Function(_) => {
            let width = pool.width(object.size);
            let (zero, one) = (pool.bv_zero(width), pool.bv(width, 1));
            let empty = pool.equal(object.size, zero);
            pool.ite(empty, one, object.size)
        }
    }
}

/// Whether an object has an address of its own in any case.
fn is_occupied(pool: &TermPool, object: &Object) -> bool {
    match object.kind {
        Kind::Heap | Kind::Function(_) => true,
        Kind::Global | Kind::Stack => {
            let size = pool.as_bitvec(object.size);
            size.is_some_and(|size| !size.is_zero())
        }
    }
}
