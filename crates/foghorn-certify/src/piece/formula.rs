//! Claims as terms.
//!
//! Numbers of a claim have no width, so each expression becomes a signed bit-vector that is wide enough
//! for all its values.

use super::world::{Known, LifeId, OBJECT_BITS, Pointer, World};
use foghorn_encode::claim::{
    BitOperation, Comparison, Content, Expression, Formula, Subject, View,
};
use foghorn_ir::Type;
use foghorn_term::{BitVecValue, Op, TermId};
use std::collections::{BTreeMap, BTreeSet};

/// Wider numbers are refused: nobody means them.
const WIDEST: u32 = 1024;

/// What the words of a claim mean at a place.
#[derive(Clone, Debug)]
pub struct Scope {
    pub subjects: BTreeMap<Subject, Known>,
    pub life: LifeId,
    pub life_at_entry: LifeId,
    pub next: TermId,
    pub next_at_entry: TermId,
}

/// The subjects that a formula speaks of.
pub fn subjects(formula: &Formula) -> BTreeSet<Subject> {
    let mut found = BTreeSet::new();
    visit(formula, &mut found);
    found
}

fn visit(formula: &Formula, found: &mut BTreeSet<Subject>) {
    match formula {
        Formula::Constant(_) => {}
        Formula::Truth(subject) => {
            found.insert(*subject);
        }
        Formula::Compare { left, right, .. } => {
            visit_expression(left, found);
            visit_expression(right, found);
        }
        Formula::Alive(of) | Formula::AliveAtEntry(of) | Formula::OnHeap(of) => {
            visit_expression(of, found);
        }
        Formula::Not(of) | Formula::ForEvery(of) => visit(of, found),
        Formula::All(parts) | Formula::Any(parts) => {
            parts.iter().for_each(|part| visit(part, found));
        }
        Formula::Implies(a, b) => {
            visit(a, found);
            visit(b, found);
        }
    }
}

fn visit_expression(expression: &Expression, found: &mut BTreeSet<Subject>) {
    match expression {
        Expression::Number(_)
        | Expression::EveryObject
        | Expression::EveryOffset
        | Expression::NextObject
        | Expression::NextObjectAtEntry => {}
        Expression::Signed(subject)
        | Expression::Unsigned(subject)
        | Expression::Object(subject)
        | Expression::Offset(subject) => {
            found.insert(*subject);
        }
        Expression::Size(of)
        | Expression::Scaled(_, of)
        | Expression::Quotient(of, _)
        | Expression::Remainder(of, _)
        | Expression::Wrapped { of, .. } => visit_expression(of, found),
        Expression::Content(content) => {
            found.insert(content.memory);
            visit_expression(&content.object, found);
            visit_expression(&content.offset, found);
        }
        Expression::Sum(parts) => parts.iter().for_each(|part| visit_expression(part, found)),
        Expression::Product(left, right) | Expression::Bits { left, right, .. } => {
            visit_expression(left, found);
            visit_expression(right, found);
        }
        Expression::Choice(condition, a, b) => {
            visit(condition, found);
            visit_expression(a, found);
            visit_expression(b, found);
        }
    }
}

/// Whether a formula speaks of every object.
pub fn is_universal(formula: &Formula) -> bool {
    match formula {
        Formula::ForEvery(_) => true,
        Formula::All(parts) | Formula::Any(parts) => parts.iter().any(is_universal),
        Formula::Implies(a, b) => is_universal(a) || is_universal(b),
        Formula::Not(of) => is_universal(of),
        Formula::Constant(_)
        | Formula::Truth(_)
        | Formula::Compare { .. }
        | Formula::Alive(_)
        | Formula::AliveAtEntry(_)
        | Formula::OnHeap(_) => false,
    }
}

/// Makes terms of claims.
pub struct Reader<'r, 'a> {
    pub world: &'r mut World<'a>,
    pub scope: &'r Scope,
    /// What every object and offset stand for.
    pub every: Pointer,
}

impl Reader<'_, '_> {
    /// The term of a formula; `None` if it says what cannot be expressed here.
    pub fn formula(&mut self, formula: &Formula) -> Option<TermId> {
        self.read(formula, true)
    }

    fn read(&mut self, formula: &Formula, positive: bool) -> Option<TermId> {
        Some(match formula {
            Formula::Constant(value) => self.world.pool.bool(*value),
            Formula::Truth(subject) => match self.subject(*subject)? {
                Known::Scalar(term) if self.world.pool.sort(term) == foghorn_term::Sort::Bool => {
                    term
                }
                Known::Scalar(_) | Known::Pointer(_) | Known::Memory(_) => return None,
            },
            Formula::Compare {
                relation,
                left,
                right,
            } => {
                let (left, right) = (self.expression(left)?, self.expression(right)?);
                let (left, right) = self.same_width(left, right);
                let pool = &mut self.world.pool;
                match relation {
                    Comparison::LessOrEqual => pool.bv_sle(left, right),
                    Comparison::Less => {
                        let not = pool.bv_sle(right, left);
                        pool.not(not)
                    }
                    Comparison::Equal => pool.equal(left, right),
                    Comparison::NotEqual => pool.not_equal(left, right),
                }
            }
            Formula::Alive(of) => {
                let object = self.object(of)?;
                self.world.is_alive(self.scope.life, object)
            }
            Formula::AliveAtEntry(of) => {
                let object = self.object(of)?;
                self.world.is_alive(self.scope.life_at_entry, object)
            }
            Formula::OnHeap(of) => {
                let object = self.object(of)?;
                self.world.is_heap(object)
            }
            Formula::Not(of) => {
                let of = self.read(of, !positive)?;
                self.world.pool.not(of)
            }
            Formula::All(parts) => {
                let parts: Option<Vec<TermId>> =
                    parts.iter().map(|it| self.read(it, positive)).collect();
                self.world.pool.and(&parts?)
            }
            Formula::Any(parts) => {
                let parts: Option<Vec<TermId>> =
                    parts.iter().map(|it| self.read(it, positive)).collect();
                self.world.pool.or(&parts?)
            }
            Formula::Implies(a, b) => {
                let (a, b) = (self.read(a, !positive)?, self.read(b, positive)?);
                self.world.pool.implies(a, b)
            }
            // Of some object: no instances would do.
            Formula::ForEvery(_) if !positive => return None,
            Formula::ForEvery(of) if is_universal(of) => return None,
            Formula::ForEvery(of) => self.read(of, positive)?,
        })
    }

    fn subject(&self, subject: Subject) -> Option<Known> {
        self.scope.subjects.get(&subject).copied()
    }

    fn scalar(&mut self, subject: Subject) -> Option<TermId> {
        match self.subject(subject)? {
            Known::Scalar(term) => {
                Some(foghorn_encode::scalar::as_bits(&mut self.world.pool, term))
            }
            Known::Pointer(_) | Known::Memory(_) => None,
        }
    }

    fn pointer(&self, subject: Subject) -> Option<Pointer> {
        match self.subject(subject)? {
            Known::Pointer(pointer) => Some(pointer),
            Known::Scalar(_) | Known::Memory(_) => None,
        }
    }

    /// The number of an object as such.
    fn object(&mut self, expression: &Expression) -> Option<TermId> {
        match expression {
            Expression::EveryObject => Some(self.every.object),
            Expression::Object(subject) => Some(self.pointer(*subject)?.object),
            Expression::Content(content) if content.view == View::Object => {
                Some(self.content_pointer(content)?.object)
            }
            other => {
                let number = self.expression(other)?;
                Some(self.world.pool.sign_resize(OBJECT_BITS, number))
            }
        }
    }

    fn offset(&mut self, expression: &Expression) -> Option<TermId> {
        match expression {
            Expression::EveryOffset => Some(self.every.offset),
            other => {
                let number = self.expression(other)?;
                let bits = self.world.bits();
                Some(self.world.pool.sign_resize(bits, number))
            }
        }
    }

    fn content(&mut self, content: &Content, ty: Type) -> Option<Known> {
        let Known::Memory(memory) = self.subject(content.memory)? else {
            return None;
        };
        let place = Pointer {
            object: self.object(&content.object)?,
            offset: self.offset(&content.offset)?,
        };
        Some(self.world.read(memory, place, ty))
    }

    fn content_pointer(&mut self, content: &Content) -> Option<Pointer> {
        match self.content(content, Type::Ptr)? {
            Known::Pointer(pointer) => Some(pointer),
            Known::Scalar(_) | Known::Memory(_) => None,
        }
    }

    fn unsigned(&mut self, term: TermId) -> TermId {
        self.world.pool.zero_extend(1, term)
    }

    /// A number as a signed bit-vector.
    fn expression(&mut self, expression: &Expression) -> Option<TermId> {
        let term = match expression {
            Expression::Number(number) => self.number(number)?,
            Expression::Signed(subject) => self.scalar(*subject)?,
            Expression::Unsigned(subject) => {
                let term = self.scalar(*subject)?;
                self.unsigned(term)
            }
            Expression::Object(_) | Expression::EveryObject => {
                let object = self.object(expression)?;
                self.unsigned(object)
            }
            Expression::Offset(subject) => self.pointer(*subject)?.offset,
            Expression::EveryOffset => self.every.offset,
            Expression::Size(of) => {
                let object = self.object(of)?;
                self.world.size(object)
            }
            Expression::NextObject => self.unsigned(self.scope.next),
            Expression::NextObjectAtEntry => self.unsigned(self.scope.next_at_entry),
            Expression::Content(content) => self.viewed(content)?,
            Expression::Sum(parts) => {
                let mut sum = self.number("0")?;
                for part in parts {
                    let part = self.expression(part)?;
                    let (a, b) = self.same_width(sum, part);
                    let (a, b) = (self.widened(a, 1), self.widened(b, 1));
                    sum = self.world.pool.bv_add(a, b);
                }
                sum
            }
            Expression::Scaled(factor, of) => {
                let (factor, of) = (self.number(factor)?, self.expression(of)?);
                self.product(factor, of)
            }
            Expression::Product(left, right) => {
                let (left, right) = (self.expression(left)?, self.expression(right)?);
                self.product(left, right)
            }
            Expression::Quotient(of, by) => self.divided(of, by, true)?,
            Expression::Remainder(of, by) => self.divided(of, by, false)?,
            Expression::Choice(condition, then, otherwise) => {
                let condition = self.read_choice(condition)?;
                let (then, otherwise) = (self.expression(then)?, self.expression(otherwise)?);
                let (then, otherwise) = self.same_width(then, otherwise);
                self.world.pool.ite(condition, then, otherwise)
            }
            Expression::Wrapped { bits, signed, of } => {
                let of = self.low_bits(*bits, of)?;
                match signed {
                    true => of,
                    false => self.unsigned(of),
                }
            }
            Expression::Bits {
                operation,
                bits,
                left,
                right,
            } => {
                let (left, right) = (self.low_bits(*bits, left)?, self.low_bits(*bits, right)?);
                let op = match operation {
                    BitOperation::And => Op::BvAnd,
                    BitOperation::Or => Op::BvOr,
                    BitOperation::Xor => Op::BvXor,
                };
                let term = self.world.pool.make(op, &[left, right]);
                self.unsigned(term)
            }
        };
        (self.world.pool.width(term) <= WIDEST).then_some(term)
    }

    /// A condition within a number has no sense of direction.
    fn read_choice(&mut self, condition: &Formula) -> Option<TermId> {
        match is_universal(condition) {
            true => None,
            false => self.read(condition, true),
        }
    }

    fn viewed(&mut self, content: &Content) -> Option<TermId> {
        match content.view {
            View::Signed | View::Unsigned => {
                let width = u8::try_from(content.bytes.checked_mul(8)?).ok()?;
                if width == 0 || width > 128 {
                    return None;
                }
                let Known::Scalar(term) = self.content(content, Type::Int(width))? else {
                    return None;
                };
                Some(match content.view {
                    View::Unsigned => self.unsigned(term),
                    View::Signed | View::Object | View::Offset => term,
                })
            }
            View::Object => {
                let object = self.content_pointer(content)?.object;
                Some(self.unsigned(object))
            }
            View::Offset => Some(self.content_pointer(content)?.offset),
        }
    }

    fn low_bits(&mut self, bits: u32, of: &Expression) -> Option<TermId> {
        if bits == 0 || bits > WIDEST {
            return None;
        }
        let of = self.expression(of)?;
        Some(self.world.pool.sign_resize(bits, of))
    }

    fn number(&mut self, text: &str) -> Option<TermId> {
        let value: i128 = text.parse().ok()?;
        let bits = 129 - value.unsigned_abs().leading_zeros().min(127);
        let bits = bits.min(128);
        let cut = value.cast_unsigned() & (u128::MAX >> (128 - bits));
        Some(self.world.pool.bitvec(BitVecValue::from_u128(bits, cut)))
    }

    fn widened(&mut self, term: TermId, by: u32) -> TermId {
        self.world.pool.sign_extend(by, term)
    }

    fn same_width(&mut self, a: TermId, b: TermId) -> (TermId, TermId) {
        let pool = &mut self.world.pool;
        let width = pool.width(a).max(pool.width(b));
        let (a, b) = (pool.sign_resize(width, a), pool.sign_resize(width, b));
        (a, b)
    }

    fn product(&mut self, a: TermId, b: TermId) -> TermId {
        let pool = &mut self.world.pool;
        let width = pool.width(a) + pool.width(b);
        let (a, b) = (pool.sign_resize(width, a), pool.sign_resize(width, b));
        pool.bv_mul(a, b)
    }

    /// Division by a power of two: the high bits, or the low ones.
    fn divided_by_power(&mut self, of: TermId, bits: u32, quotient: bool) -> TermId {
        let pool = &mut self.world.pool;
        let width = pool.width(of).max(bits + 1);
        let of = pool.sign_resize(width, of);
        if quotient {
            return pool.extract(width - 1, bits, of);
        }
        match bits.checked_sub(1) {
            Some(high) => {
                let low = pool.extract(high, 0, of);
                pool.zero_extend(1, low)
            }
            None => pool.bv_zero(1),
        }
    }

    /// Division by a number above 0, rounded down, or what it leaves.
    fn divided(&mut self, of: &Expression, by: &str, quotient: bool) -> Option<TermId> {
        let number = by.parse::<u128>().ok().filter(|by| *by > 0)?;
        let (of, by) = (self.expression(of)?, self.number(by)?);
        if number.is_power_of_two() {
            return Some(self.divided_by_power(of, number.trailing_zeros(), quotient));
        }
        let (of, by) = self.same_width(of, by);
        let (of, by) = (self.widened(of, 1), self.widened(by, 1));
        let pool = &mut self.world.pool;
        let rest = pool.make(Op::BvSrem, &[of, by]);
        let zero = pool.bv_zero(pool.width(of));
        let negative = pool.bv_slt(rest, zero);
        if quotient {
            let cut = pool.make(Op::BvSdiv, &[of, by]);
            let ones = pool.bv_ones(pool.width(of));
            let lower = pool.bv_add(cut, ones);
            Some(pool.ite(negative, lower, cut))
        } else {
            let raised = pool.bv_add(rest, by);
            Some(pool.ite(negative, raised, rest))
        }
    }
}
