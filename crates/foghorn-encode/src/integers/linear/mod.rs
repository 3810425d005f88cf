//! Exact machine integers over linear arithmetic, signed-canonical.
//!
//! An integer of `w` bits is the number from -2^(w-1) to 2^(w-1)-1 that its bits are as a signed
//! number. A result that may leave that range comes back by an `ite` carry (`ite(s > max, s - 2^w,
//! s)`), and the carry is left out where the operands' ranges exclude it. Neither `mod 2^w`
//! everywhere nor an existential carry is an alternative: Spacer solves a loop of three lines with
//! neither. Only where a result may be many times too large (products and shifts whose ranges say
//! nothing, truncation) does a `mod` remain.
//!
//! Products and quotients of two unknown numbers are not linear. [`Products`] says whether they are
//! terms all the same or havoc.

mod bitwise;
mod divide;
mod view;

use super::range::power;
use super::{Havoc, Integers, Range, Value};
use crate::scalar;
use foghorn_ir::interpret::arithmetic;
use foghorn_ir::{BinaryOp, IntPredicate, OverflowOp, UnaryOp};
use foghorn_term::{Sort, TermId, TermPool};
use num_bigint::BigInt;

/// What becomes of products, quotients and remainders of two unknown numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Products {
    /// Any number within the range; the answer says so.
    #[default]
    Havoc,
    /// Terms that are not linear; exact, for solvers that can.
    Terms,
}

/// Integers over linear arithmetic.
#[derive(Clone, Debug, Default)]
pub struct Linear {
    products: Products,
    havocs: Vec<Havoc>,
}

impl Linear {
    /// With this treatment of products.
    pub fn new(products: Products) -> Self {
        Linear {
            products,
            havocs: Vec::new(),
        }
    }

    /// Some number within a range that is not known exactly.
    fn havoc(&mut self, pool: &mut TermPool, range: Range, operation: impl Into<String>) -> Value {
        let symbol = pool.fresh_symbol("havoc", Sort::Int);
        let (low, high) = (pool.int(range.low.clone()), pool.int(range.high.clone()));
        let bounds = [pool.int_le(low, symbol), pool.int_le(symbol, high)];
        self.havocs.push(Havoc {
            symbol,
            assumption: pool.and(&bounds),
            operation: operation.into(),
        });
        Value {
            term: symbol,
            range,
        }
    }

    /// Some truth value that is not known.
    fn havoc_truth(&mut self, pool: &mut TermPool, operation: impl Into<String>) -> TermId {
        let symbol = pool.fresh_symbol("havoc", Sort::Bool);
        self.havocs.push(Havoc {
            symbol,
            assumption: pool.bool(true),
            operation: operation.into(),
        });
        symbol
    }

    /// The product as a number, if it is linear or may be a term.
    fn product(&self, pool: &mut TermPool, lhs: &Value, rhs: &Value) -> Option<Value> {
        let linear = lhs.range.single().is_some() || rhs.range.single().is_some();
        if !linear && self.products == Products::Havoc {
            return None;
        }
        let factor = |pool: &mut TermPool, value: &Value| match value.range.single() {
            Some(number) => pool.int(number.clone()),
            None => value.term,
        };
        let (left, right) = (factor(pool, lhs), factor(pool, rhs));
        Some(Value {
            term: pool.int_mul(left, right),
            range: lhs.range.mul(&rhs.range),
        })
    }
}

fn is_truth(width: u32) -> bool {
    width == 1
}

/// A Boolean term as a value.
fn truth(term: TermId) -> Value {
    Value {
        term,
        range: Range::signed(1),
    }
}

impl Integers for Linear {
    fn name(&self) -> &'static str {
        "linear"
    }

    fn sort(&self, width: u32) -> Sort {
        if is_truth(width) {
            Sort::Bool
        } else {
            Sort::Int
        }
    }

    fn literal(&mut self, pool: &mut TermPool, width: u32, bits: u128) -> Value {
        if is_truth(width) {
            return truth(pool.bool(bits & 1 == 1));
        }
        let number = BigInt::from(arithmetic::signed(bits, width));
        Value {
            term: pool.int(number.clone()),
            range: Range::one(number),
        }
    }

    fn any(&self, width: u32, term: TermId) -> Value {
        Value {
            term,
            range: Range::signed(width),
        }
    }

    fn validity(&self, pool: &mut TermPool, width: u32, term: TermId) -> Option<TermId> {
        if is_truth(width) {
            return None;
        }
        let range = Range::signed(width);
        let (low, high) = (pool.int(range.low), pool.int(range.high));
        let bounds = [pool.int_le(low, term), pool.int_le(term, high)];
        Some(pool.and(&bounds))
    }

    fn binary(
        &mut self,
        pool: &mut TermPool,
        op: BinaryOp,
        width: u32,
        lhs: &Value,
        rhs: &Value,
    ) -> Value {
        if is_truth(width) {
            return truth(scalar::binary(pool, op, width, lhs.term, rhs.term));
        }
        match op {
            BinaryOp::Add => {
                let sum = Value {
                    term: pool.int_add(lhs.term, rhs.term),
                    range: lhs.range.add(&rhs.range),
                };
                view::wrap(pool, width, &sum)
            }
            BinaryOp::Sub => {
                let difference = Value {
                    term: pool.int_sub(lhs.term, rhs.term),
                    range: lhs.range.sub(&rhs.range),
                };
                view::wrap(pool, width, &difference)
            }
            BinaryOp::Mul => match self.product(pool, lhs, rhs) {
                Some(product) => view::wrap(pool, width, &product),
                None => {
                    let range = lhs.range.mul(&rhs.range);
                    let all = Range::signed(width);
                    let range = if range.is_within(&all) { range } else { all };
                    self.havoc(pool, range, format!("mul i{width}"))
                }
            },
            BinaryOp::UDiv | BinaryOp::URem => self.divide_unsigned(pool, op, width, lhs, rhs),
            BinaryOp::SDiv | BinaryOp::SRem => self.divide_signed(pool, op, width, lhs, rhs),
            BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr => {
                self.shift(pool, op, width, lhs, rhs)
            }
            BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => self.bitwise(pool, op, width, lhs, rhs),
        }
    }

    fn unary(&mut self, pool: &mut TermPool, op: UnaryOp, width: u32, operand: &Value) -> Value {
        if is_truth(width) {
            return self.unary_on_truth(pool, op, operand);
        }
        if let Some(number) = operand.range.single() {
            let bits = view::bits_of(number, width);
            return self.literal(pool, width, arithmetic::unary(op, width, bits));
        }
        // Counts are at most the width, which may be a negative number of that many bits.
        let counts = Range::new(0, width);
        let all = Range::signed(width);
        let range = match op {
            UnaryOp::CountOnes | UnaryOp::LeadingZeros | UnaryOp::TrailingZeros
                if counts.is_within(&all) =>
            {
                counts
            }
            UnaryOp::CountOnes
            | UnaryOp::LeadingZeros
            | UnaryOp::TrailingZeros
            | UnaryOp::ByteSwap
            | UnaryOp::BitReverse => all,
        };
        self.havoc(pool, range, format!("{op:?} i{width}"))
    }

    fn overflows(
        &mut self,
        pool: &mut TermPool,
        op: OverflowOp,
        signed: bool,
        width: u32,
        (lhs, rhs): (&Value, &Value),
    ) -> TermId {
        if is_truth(width) {
            return view::overflows_on_truth(pool, op, signed, lhs.term, rhs.term);
        }
        let seen = |pool: &mut TermPool, value: &Value| match signed {
            true => value.clone(),
            false => view::unsigned(pool, width, value),
        };
        let (lhs, rhs) = (seen(pool, lhs), seen(pool, rhs));
        let fits = match signed {
            true => Range::signed(width),
            false => Range::unsigned(width),
        };
        let result = match op {
            OverflowOp::Add => Value {
                term: pool.int_add(lhs.term, rhs.term),
                range: lhs.range.add(&rhs.range),
            },
            OverflowOp::Sub => Value {
                term: pool.int_sub(lhs.term, rhs.term),
                range: lhs.range.sub(&rhs.range),
            },
            OverflowOp::Mul => match self.product(pool, &lhs, &rhs) {
                Some(product) => product,
                None if lhs.range.mul(&rhs.range).is_within(&fits) => return pool.bool(false),
                None => return self.havoc_truth(pool, format!("overflow of mul i{width}")),
            },
        };
        view::is_outside(pool, &result, &fits)
    }

    fn compare(
        &mut self,
        pool: &mut TermPool,
        predicate: IntPredicate,
        width: u32,
        lhs: &Value,
        rhs: &Value,
    ) -> TermId {
        if is_truth(width) {
            return view::compare_truth(pool, predicate, lhs.term, rhs.term);
        }
        view::compare(pool, predicate, width, lhs, rhs)
    }

    fn truncate(&mut self, pool: &mut TermPool, from: u32, to: u32, operand: &Value) -> Value {
        if is_truth(from) {
            return operand.clone();
        }
        if is_truth(to) {
            let two = pool.int(2);
            let low = pool.int_mod(operand.term, two);
            let one = pool.int(1);
            return truth(pool.equal(low, one));
        }
        view::wrap(pool, to, operand)
    }

    fn zero_extend(&mut self, pool: &mut TermPool, from: u32, to: u32, operand: &Value) -> Value {
        if is_truth(to) {
            return operand.clone();
        }
        if is_truth(from) {
            let (one, zero) = (pool.int(1), pool.int(0));
            return Value {
                term: pool.ite(operand.term, one, zero),
                range: Range::new(0, 1),
            };
        }
        if from == to {
            return operand.clone();
        }
        view::unsigned(pool, from, operand)
    }

    fn sign_extend(&mut self, pool: &mut TermPool, from: u32, to: u32, operand: &Value) -> Value {
        if is_truth(from) && !is_truth(to) {
            let (ones, zero) = (pool.int(-1), pool.int(0));
            return Value {
                term: pool.ite(operand.term, ones, zero),
                range: Range::new(-1, 0),
            };
        }
        operand.clone()
    }

    fn take_havocs(&mut self) -> Vec<Havoc> {
        std::mem::take(&mut self.havocs)
    }
}

impl Linear {
    /// One bit: a population count is the bit, the zeros before a one are its opposite.
    fn unary_on_truth(&mut self, pool: &mut TermPool, op: UnaryOp, operand: &Value) -> Value {
        truth(match op {
            UnaryOp::CountOnes | UnaryOp::ByteSwap | UnaryOp::BitReverse => operand.term,
            UnaryOp::LeadingZeros | UnaryOp::TrailingZeros => pool.not(operand.term),
        })
    }
}

/// The shift amount that counts: modulo the width rounded up to a power of two.
fn amount_mask(width: u32) -> BigInt {
    power(width.next_power_of_two().trailing_zeros()) - 1
}
