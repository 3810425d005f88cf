//! What is no longer known behind a loop head whose state was replaced.
//!
//! A policy that puts any state in the place of the first one at a head ([`super::policy`]) lets the executor meet three
//! things that it never meets otherwise, and each of them must stay possible:
//! - contents that nobody wrote here may be pointers that an earlier iteration wrote;
//! - an integer may be the address of an object that an earlier iteration exposed;
//! - a pointer may lead to an object that an earlier iteration made and that no number of this run stands for.
//!
//! The first two become anything. Whether an access to an object of the third kind is valid, nobody knows: its check may
//! fail and may hold ([`Executor::undetermined_if_lost`]). Were it only to fail, what comes behind it would be reached by no
//! run, and be called safe. Where that check is off, and the access would be assumed to be valid, it is an obligation that
//! there is none.

use super::Executor;
use crate::semantics::object::{NULL, UNKNOWN};
use foghorn_ir::{Cell, InstId};
use foghorn_term::{Op, Sort, TermId};
use rustc_hash::FxHashSet;

/// What a policy has replaced so far.
#[derive(Debug, Default)]
pub(crate) struct Loss {
    /// Some state was replaced.
    is_any: bool,
    /// Objects may exist that have no number.
    of_objects: bool,
    /// Functions whose values are what memories held that may hold pointers.
    contents: FxHashSet<String>,
}

impl Executor<'_, '_> {
    /// From now on states are not only those that were executed; `of_objects` says that there may be objects that an
    /// iteration made which is not executed.
    pub fn lose_track(&mut self, of_objects: bool) {
        self.loss.is_any = true;
        self.loss.of_objects |= of_objects;
    }

    /// Whether objects may exist that have no number.
    pub fn has_lost_objects(&self) -> bool {
        self.loss.of_objects
    }

    /// A memory with any contents, pointers to objects among them. One name, one memory.
    pub fn any_contents(&mut self, name: &str, cell: Cell) -> TermId {
        self.loss.contents.insert(format!("{name}.read"));
        self.arbitrary_memory(name, cell)
    }

    /// Any pointer, to objects that are known and others.
    pub fn any_pointer(&mut self, name: &str) -> TermId {
        let sort = Sort::BitVec(self.pointer_bits);
        let (base, offset) = (
            self.pool.fresh_symbol(name, sort),
            self.pool.fresh_symbol(name, sort),
        );
        self.pool.pointer(base, offset)
    }

    /// Whether some state was replaced.
    pub(crate) fn has_loss(&self) -> bool {
        self.loss.is_any
    }

    /// Whether a term is what a memory held that may hold pointers.
    pub(crate) fn may_hold_pointer(&self, term: TermId) -> bool {
        match self.pool.op(term) {
            Op::Apply(function) => {
                let name = &self.pool.function_data(function).name;
                self.loss.contents.contains(&**name)
            }
            _ => false,
        }
    }

    /// Whether something that is asked of an object is so, if the pointer leads to one that has no number: anything may be,
    /// the same for each question (`number`) of an instruction. `none` if there is no such object.
    pub(crate) fn undetermined_if_lost(
        &mut self,
        (id, number): (InstId, u32),
        pointer: TermId,
        none: bool,
    ) -> TermId {
        match self.may_be_lost(pointer) {
            true => self.symbol(id, number, "of a lost object", Sort::Bool),
            false => self.pool.bool(none),
        }
    }

    /// Whether a pointer may lead to an object that has no number.
    pub(crate) fn may_be_lost(&mut self, pointer: TermId) -> bool {
        self.loss.of_objects && self.possible_objects(pointer).is_none()
    }

    /// The answer is exact only if a pointer leads to no object that has no number.
    pub(crate) fn oblige_to_have_number(&mut self, id: InstId, pointer: TermId) {
        if !self.may_be_lost(pointer) {
            return;
        }
        let known = self.has_number(pointer);
        self.oblige(
            id,
            known,
            "an access to an object that an earlier iteration of a loop made",
        );
    }

    /// That a pointer leads to an object that has a number, or to none.
    pub(crate) fn has_number(&mut self, pointer: TermId) -> TermId {
        let base = self.base_of(pointer);
        let mut numbers = vec![NULL, UNKNOWN];
        numbers.extend_from_slice(self.memo.objects.in_order());
        let mut cases = vec![];
        for number in numbers {
            let literal = self.pool.bv(self.pointer_bits, number);
            cases.push(self.equal_bases(base, literal));
        }
        self.pool.or(&cases)
    }
}
