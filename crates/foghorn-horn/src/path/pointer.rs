//! Pointers: where they lead, how they compare, what their addresses are.

use super::{State, Step};
use crate::clauses::Maker;
use crate::datum::{Datum, Pointer};
use crate::objects::{NULL, UNKNOWN};
use cranelift_entity::EntityRef;
use foghorn_core::{CheckKind, SiteKind, SpanId};
use foghorn_encode::integers::Value;
use foghorn_ir::{BinaryOp, GlobalId, InstId, IntPredicate, ValueId};
use foghorn_term::{Sort, TermId};

impl Maker<'_> {
    /// Whether two numbers name one object, as far as the path tells.
    pub fn same_object(&mut self, state: &State, left: TermId, right: TermId) -> TermId {
        if left == right {
            return self.pool.bool(true);
        }
        let is_new = |term: TermId| state.new.contains(&term);
        let is_old = |term: TermId| state.old.contains(&term) || self.pool.as_int(term).is_some();
        let apart =
            (is_new(left) && (is_new(right) || is_old(right))) || (is_new(right) && is_old(left));
        if apart {
            return self.pool.bool(false);
        }
        self.pool.equal(left, right)
    }

    /// Whether a pointer leads to a certain number.
    pub fn leads_to(&mut self, state: &State, pointer: &Pointer, number: i64) -> TermId {
        let number = self.pool.int(number);
        self.same_object(state, pointer.object, number)
    }

    pub fn move_pointer(
        &mut self,
        state: &State,
        base: &Pointer,
        constant: i64,
        scaled: &[(ValueId, i64)],
    ) -> Pointer {
        let width = self.pointer_bits;
        let mut offset = self.narrow(state, &base.offset);
        let mut terms = vec![self.distance(constant)];
        for &(index, scale) in scaled {
            let index = self.number(state, index);
            let scale = self.distance(scale);
            terms.push(
                self.integers
                    .binary(&mut self.pool, BinaryOp::Mul, width, &index, &scale),
            );
        }
        for term in terms {
            offset = self
                .integers
                .binary(&mut self.pool, BinaryOp::Add, width, &offset, &term);
        }
        Pointer {
            object: base.object,
            offset,
        }
    }

    /// The address of a pointer: not known but for null, and that of nothing else is zero.
    pub fn address_of(&mut self, pointer: &Pointer) -> Datum {
        let address = self.any_number("address", self.pointer_bits);
        let null = self.pool.int(NULL);
        let is_null = self.pool.equal(pointer.object, null);
        if self.pool.as_bool(is_null) == Some(true) {
            return Datum::number(pointer.offset.clone());
        }
        // The address of null is its offset, and that of an object's start is not zero.
        let equal = self.pool.equal(address.term, pointer.offset.term);
        let known = self.pool.implies(is_null, equal);
        self.true_of.entry(address.term).or_default().push(known);
        let unknown = self.pool.int(UNKNOWN);
        let zero = self.distance(0);
        let at_start = self.pool.equal(pointer.offset.term, zero.term);
        let is_unknown = self.pool.equal(pointer.object, unknown);
        let is_zero = self.pool.equal(address.term, zero.term);
        let (not_null, not_unknown, not_zero) = (
            self.pool.not(is_null),
            self.pool.not(is_unknown),
            self.pool.not(is_zero),
        );
        let object = self.pool.and(&[not_null, not_unknown, at_start]);
        let known = self.pool.implies(object, not_zero);
        self.true_of.entry(address.term).or_default().push(known);
        Datum::Number {
            value: address,
            address: Some(Box::new(pointer.clone())),
        }
    }

    /// Whether the address of a pointer leads back to it: its object is alive and the offset within, so that nothing
    /// else lies there.
    pub fn leads_back(&mut self, state: &mut State, pointer: &Pointer) -> Step<TermId> {
        if self.leads_back_always(pointer) {
            return Ok(self.pool.bool(true));
        }
        let zero = self.distance(0);
        let at_start = self.pool.equal(pointer.offset.term, zero.term);
        let is_at_start = self.pool.as_bool(at_start) == Some(true);
        if !self.needs.life || !(is_at_start || self.needs.size) {
            return Ok(self.pool.bool(false));
        }
        let no_object = [NULL, UNKNOWN].map(|number| self.leads_to(state, pointer, number));
        let no_object = self.pool.or(&no_object);
        let object = self.pool.not(no_object);
        let alive = self.is_alive(state, pointer)?;
        let within = match is_at_start {
            true => self.pool.bool(true),
            false => self.is_within(state, pointer, &zero, None)?,
        };
        Ok(self.pool.and(&[object, alive, within]))
    }

    /// The same where nothing has to be known of the moment: of the start of an object that never dies.
    fn leads_back_always(&self, pointer: &Pointer) -> bool {
        let globals = self.numbering.global(GlobalId::new(0))..self.numbering.first_once_on_stack();
        let immortal = globals
            .into_iter()
            .any(|number| self.pool.as_int(pointer.object) == Some(&number.into()));
        let at_start = pointer.offset.range.single() == Some(&0.into());
        immortal && at_start
    }

    /// What a number means as a pointer: null for zero; the pointer whose address it is where that leads back to it;
    /// else any, since another object may lie there.
    pub fn pointer_of_number(
        &mut self,
        value: &Value,
        address: Option<&Pointer>,
        leads_back: Option<TermId>,
    ) -> Pointer {
        let zero = self.distance(0);
        let is_zero = self.pool.equal(value.term, zero.term);
        if self.pool.as_bool(is_zero) == Some(true) {
            return self.null_pointer();
        }
        let (null, mut other) = (self.null_pointer(), self.any_pointer("pointer"));
        if let Some(pointer) = address {
            let back = match leads_back {
                Some(condition) => condition,
                None => {
                    let always = self.leads_back_always(pointer);
                    self.pool.bool(always)
                }
            };
            if self.pool.as_bool(back) == Some(true) {
                return pointer.clone();
            }
            other = self.select_pointer(back, pointer, &other);
        }
        self.note_imprecision("an integer that becomes a pointer", SpanId::UNKNOWN);
        self.select_pointer(is_zero, &null, &other)
    }

    /// What a number means as a pointer now.
    pub fn pointer_of(
        &mut self,
        state: &mut State,
        value: &Value,
        address: Option<&Pointer>,
    ) -> Step<Pointer> {
        let back = match address {
            Some(pointer) => Some(self.leads_back(state, pointer)?),
            None => None,
        };
        Ok(self.pointer_of_number(value, address, back))
    }

    fn select_pointer(&mut self, condition: TermId, then: &Pointer, other: &Pointer) -> Pointer {
        Pointer {
            object: self.pool.ite(condition, then.object, other.object),
            offset: self.select_value(condition, &then.offset, &other.offset),
        }
    }

    pub fn compare_pointers(
        &mut self,
        state: &mut State,
        id: InstId,
        predicate: IntPredicate,
        (left, right): (&Pointer, &Pointer),
    ) -> Step<TermId> {
        let same = self.same_object(state, left.object, right.object);
        let (a, b) = (
            self.narrow(state, &left.offset),
            self.narrow(state, &right.offset),
        );
        let unknown = [left, right].map(|pointer| self.leads_to(state, pointer, UNKNOWN));
        let unknown = self.pool.or(&unknown);
        match predicate {
            IntPredicate::Eq | IntPredicate::Ne => {
                if left == right {
                    return Ok(self.pool.bool(predicate == IntPredicate::Eq));
                }
                let offsets = self.compare(IntPredicate::Eq, &a, &b);
                let mut equal = self.pool.and(&[same, offsets]);
                // Addresses are compared, of which nothing is known.
                let any = self.pool.fresh_symbol("compared", Sort::Bool);
                equal = match self.decide(state, unknown)? {
                    Some(true) => any,
                    Some(false) => equal,
                    None => self.pool.ite(unknown, any, equal),
                };
                Ok(match predicate {
                    IntPredicate::Eq => equal,
                    _ => self.pool.not(equal),
                })
            }
            IntPredicate::Ult
            | IntPredicate::Ule
            | IntPredicate::Ugt
            | IntPredicate::Uge
            | IntPredicate::Slt
            | IntPredicate::Sle
            | IntPredicate::Sgt
            | IntPredicate::Sge => {
                let null = [left, right].map(|pointer| self.leads_to(state, pointer, NULL));
                let allowed = self.pool.or(&[same, null[0], null[1]]);
                self.check_kind(
                    state,
                    id,
                    SiteKind::PointerOrder,
                    CheckKind::PointerComparison,
                    allowed,
                )?;
                let by_offset = self.compare(predicate.as_signed(), &a, &b);
                let either = self.pool.or(&[null[0], null[1], unknown]);
                let object = self.pool.not(either);
                let by_offsets = match predicate.is_signed() {
                    true => self.pool.bool(false),
                    false => self.pool.and(&[same, object]),
                };
                let any = self.pool.fresh_symbol("ordered", Sort::Bool);
                Ok(self.pool.ite(by_offsets, by_offset, any))
            }
        }
    }
}
