//! Pointers as terms: pairs of object and offset under nested `ite`.
//!
//! Where a pointer leads is read off its leaves. A leaf whose object is a literal needs no case
//! split; anything else is compared with every object there is.

use crate::execute::Executor;
use crate::semantics::object::{NULL, UNKNOWN};
use foghorn_core::{CheckKind, SiteKind};
use foghorn_ir::{InstId, IntPredicate, ValueId};
use foghorn_term::{BitVecValue, Op, TermId, TermPool};
use rustc_hash::FxHashMap;

/// More leaves than this are not multiplied by an addition: base and offset are kept apart instead.
const LEAF_LIMIT: usize = 64;

/// Rebuilds the `ite`s above the leaves of a pointer (or of any term) with new leaves.
pub(crate) fn map_leaves(
    pool: &mut TermPool,
    root: TermId,
    mut leaf: impl FnMut(&mut TermPool, TermId) -> TermId,
) -> TermId {
    let mut done: FxHashMap<TermId, TermId> = FxHashMap::default();
    let mut work = vec![root];
    while let Some(&term) = work.last() {
        if done.contains_key(&term) {
            work.pop();
            continue;
        }
        if pool.op(term) != Op::Ite {
            let mapped = leaf(pool, term);
            done.insert(term, mapped);
            work.pop();
            continue;
        }
        let [condition, then, otherwise] = pool
            .child_array::<3>(term)
            .expect("invariant: ite has three children");
        match (done.get(&then), done.get(&otherwise)) {
            (Some(&then), Some(&otherwise)) => {
                let mapped = pool.ite(condition, then, otherwise);
                done.insert(term, mapped);
                work.pop();
            }
            (first, second) => {
                if second.is_none() {
                    work.push(otherwise);
                }
                if first.is_none() {
                    work.push(then);
                }
            }
        }
    }
    done[&root]
}

/// The leaves of nested `ite`s, each once.
pub(crate) fn leaves(pool: &TermPool, root: TermId) -> Vec<TermId> {
    let mut seen = rustc_hash::FxHashSet::default();
    let (mut work, mut found) = (vec![root], vec![]);
    while let Some(term) = work.pop() {
        if !seen.insert(term) {
            continue;
        }
        if pool.op(term) == Op::Ite {
            let children = pool.children(term);
            work.extend_from_slice(&[children[2], children[1]]);
        } else {
            found.push(term);
        }
    }
    found
}

/// The parts of a pointer that is a leaf.
fn parts(pool: &mut TermPool, leaf: TermId) -> (TermId, TermId) {
    match pool.op(leaf) {
        Op::Pointer => (pool.child(leaf, 0), pool.child(leaf, 1)),
        _ => (pool.pointer_base(leaf), pool.pointer_offset(leaf)),
    }
}

/// The number of an object, if the term is a literal.
pub(crate) fn literal(pool: &TermPool, base: TermId) -> Option<u64> {
    pool.as_bitvec(base).and_then(BitVecValue::to_u64)
}

impl Executor<'_, '_> {
    /// The object of a pointer, as a number.
    pub fn base_of(&mut self, pointer: TermId) -> TermId {
        map_leaves(self.pool, pointer, |pool, leaf| parts(pool, leaf).0)
    }

    /// The offset of a pointer.
    pub fn offset_of(&mut self, pointer: TermId) -> TermId {
        map_leaves(self.pool, pointer, |pool, leaf| parts(pool, leaf).1)
    }

    pub(crate) fn pointer_add(
        &mut self,
        id: InstId,
        base: ValueId,
        constant: i64,
        scaled: &[(ValueId, i64)],
    ) {
        let width = self.pointer_bits;
        let mut terms = vec![self.pool.bitvec(BitVecValue::from_i64(width, constant))];
        for &(index, scale) in scaled {
            let index = self.get(index);
            let scale = self.pool.bitvec(BitVecValue::from_i64(width, scale));
            terms.push(self.pool.make(Op::BvMul, &[index, scale]));
        }
        let distance = self.pool.bv_sum(&terms);
        let distance = self.memory.simplify(self.pool, distance);
        let pointer = self.get(base);
        let moved = self.move_pointer(pointer, distance);
        self.set_result(id, moved);
    }

    /// A pointer moved within its object.
    pub fn move_pointer(&mut self, pointer: TermId, distance: TermId) -> TermId {
        if self
            .pool
            .as_bitvec(distance)
            .is_some_and(BitVecValue::is_zero)
        {
            return pointer;
        }
        if leaves(self.pool, pointer).len() > LEAF_LIMIT {
            let (base, offset) = (self.base_of(pointer), self.offset_of(pointer));
            let offset = self.pool.bv_add(offset, distance);
            return self.pool.pointer(base, offset);
        }
        let memory = &mut *self.memory;
        map_leaves(self.pool, pointer, |pool, leaf| {
            let (base, offset) = parts(pool, leaf);
            let offset = pool.bv_add(offset, distance);
            let offset = memory.simplify(pool, offset);
            pool.pointer(base, offset)
        })
    }

    /// A term by cases of where a pointer leads: for each object (and null and unknown) that it may
    /// lead to, what `case` says of the object and the offset; `otherwise` if it leads to none.
    pub(crate) fn by_object(
        &mut self,
        pointer: TermId,
        otherwise: TermId,
        mut case: impl FnMut(&mut Self, u64, TermId) -> TermId,
    ) -> TermId {
        let mut answers: FxHashMap<TermId, TermId> = FxHashMap::default();
        for leaf in leaves(self.pool, pointer) {
            let (base, offset) = parts(self.pool, leaf);
            let answer = self.by_base(base, otherwise, &mut |executor, object| {
                case(executor, object, offset)
            });
            answers.insert(leaf, answer);
        }
        map_leaves(self.pool, pointer, |_, leaf| answers[&leaf])
    }

    fn by_base(
        &mut self,
        base: TermId,
        otherwise: TermId,
        case: &mut dyn FnMut(&mut Self, u64) -> TermId,
    ) -> TermId {
        let mut answers: FxHashMap<TermId, TermId> = FxHashMap::default();
        for leaf in leaves(self.pool, base) {
            let answer = match literal(self.pool, leaf) {
                Some(number) => case(self, number),
                None => self.by_every_object(leaf, otherwise, case),
            };
            answers.insert(leaf, answer);
        }
        map_leaves(self.pool, base, |_, leaf| answers[&leaf])
    }

    /// Nothing is known about the base: one case for each object.
    fn by_every_object(
        &mut self,
        base: TermId,
        otherwise: TermId,
        case: &mut dyn FnMut(&mut Self, u64) -> TermId,
    ) -> TermId {
        let mut numbers = vec![NULL, UNKNOWN];
        numbers.extend_from_slice(self.memo.objects.in_order());
        let mut result = otherwise;
        for number in numbers.into_iter().rev() {
            let answer = case(self, number);
            let literal = self.pool.bv(self.pointer_bits, number);
            let here = self.pool.equal(base, literal);
            result = self.pool.ite(here, answer, result);
        }
        result
    }

    /// The objects that a pointer may lead to; `None` if it may lead anywhere.
    pub(crate) fn possible_objects(&mut self, pointer: TermId) -> Option<Vec<u64>> {
        let base = self.base_of(pointer);
        let mut numbers: Vec<u64> = leaves(self.pool, base)
            .into_iter()
            .map(|leaf| literal(self.pool, leaf))
            .collect::<Option<_>>()?;
        numbers.sort_unstable();
        numbers.dedup();
        Some(numbers)
    }

    pub(crate) fn may_be_unknown(&mut self, pointer: TermId) -> bool {
        self.possible_objects(pointer)
            .is_none_or(|objects| objects.contains(&UNKNOWN))
    }

    pub(crate) fn compare_pointers(
        &mut self,
        id: InstId,
        predicate: IntPredicate,
        lhs: TermId,
        rhs: TermId,
    ) -> TermId {
        match predicate {
            IntPredicate::Eq => self.pointers_equal(lhs, rhs),
            IntPredicate::Ne => {
                let equal = self.pointers_equal(lhs, rhs);
                self.pool.not(equal)
            }
            IntPredicate::Ult
            | IntPredicate::Ule
            | IntPredicate::Ugt
            | IntPredicate::Uge
            | IntPredicate::Slt
            | IntPredicate::Sle
            | IntPredicate::Sgt
            | IntPredicate::Sge => self.pointers_ordered(id, predicate, lhs, rhs),
        }
    }

    /// Objects are compared, then offsets; an unknown pointer has only an address.
    pub(crate) fn pointers_equal(&mut self, lhs: TermId, rhs: TermId) -> TermId {
        if lhs == rhs {
            return self.pool.bool(true);
        }
        let (left, right) = (self.base_of(lhs), self.base_of(rhs));
        let (left_offset, right_offset) = (self.offset_of(lhs), self.offset_of(rhs));
        let same_object = self.equal_bases(left, right);
        let same_offset = self.pool.equal(left_offset, right_offset);
        let structural = self.pool.and(&[same_object, same_offset]);
        if !self.may_be_unknown(lhs) && !self.may_be_unknown(rhs) {
            return structural;
        }
        let unknown = self.pool.bv(self.pointer_bits, UNKNOWN);
        let (left_unknown, right_unknown) = (
            self.pool.equal(left, unknown),
            self.pool.equal(right, unknown),
        );
        let different = self.pool.not(same_object);
        let by_address = self.pool.or(&[left_unknown, right_unknown]);
        let by_address = self.pool.and(&[different, by_address]);
        if self.pool.as_bool(by_address) == Some(false) {
            return structural;
        }
        let (left, right) = (self.address(lhs), self.address(rhs));
        let same_address = self.pool.equal(left, right);
        self.pool.ite(by_address, same_address, structural)
    }

    /// Equality of object numbers with the literals among the leaves decided.
    pub(crate) fn equal_bases(&mut self, left: TermId, right: TermId) -> TermId {
        if let Some(number) = literal(self.pool, right) {
            return map_leaves(self.pool, left, |pool, leaf| {
                let literal = pool.bv(pool.width(leaf), number);
                pool.equal(leaf, literal)
            });
        }
        if literal(self.pool, left).is_some() {
            return self.equal_bases(right, left);
        }
        self.pool.equal(left, right)
    }

    /// Within one object the order of offsets. Across objects it is a check of its own, and where
    /// that is off the order of addresses; null is no other object.
    fn pointers_ordered(
        &mut self,
        id: InstId,
        predicate: IntPredicate,
        lhs: TermId,
        rhs: TermId,
    ) -> TermId {
        let (left, right) = (self.base_of(lhs), self.base_of(rhs));
        let (left_offset, right_offset) = (self.offset_of(lhs), self.offset_of(rhs));
        let same = self.equal_bases(left, right);
        let by_offset =
            crate::scalar::compare(self.pool, predicate.as_signed(), left_offset, right_offset);
        let null = self.pool.bv(self.pointer_bits, NULL);
        let unknown = self.pool.bv(self.pointer_bits, UNKNOWN);
        let nothing = [left, right].map(|base| self.equal_bases(base, null));
        let mut allowed = vec![same];
        allowed.extend(nothing);
        let allowed = self.pool.or(&allowed);
        if self.is_enabled(CheckKind::PointerComparison) {
            self.check(SiteKind::PointerOrder, id, allowed);
        }
        // Offsets tell the order within one object, but not of addresses read as signed numbers,
        // nor of what is no object.
        let no_object = [left, right].map(|base| {
            let (is_null, is_unknown) = (
                self.equal_bases(base, null),
                self.equal_bases(base, unknown),
            );
            self.pool.or(&[is_null, is_unknown])
        });
        let in_object = self.pool.not(no_object[0]);
        let mut by_offsets = self.pool.and(&[same, in_object]);
        if predicate.is_signed() {
            by_offsets = self.pool.bool(false);
        }
        let by_offsets = self.memory.simplify(self.pool, by_offsets);
        if self.pool.as_bool(by_offsets) == Some(true) {
            return by_offset;
        }
        let (left, right) = (self.address(lhs), self.address(rhs));
        let by_address = crate::scalar::compare(self.pool, predicate, left, right);
        self.pool.ite(by_offsets, by_offset, by_address)
    }
}
