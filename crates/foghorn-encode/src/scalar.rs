//! Integer instructions as terms, bit for bit what the interpreter computes.
//!
//! Truth values (`i1`) are Boolean terms, wider integers bit-vectors of their width. The theory of
//! bit-vectors and the IR agree on division by zero; shifts differ, because the IR takes amounts
//! modulo the width rounded up to a power of two. Tests compare every operator with
//! [`foghorn_ir::interpret::arithmetic`] on all operands of small widths.

use foghorn_ir::{BinaryOp, IntPredicate, OverflowOp, UnaryOp};
use foghorn_term::{Op, Sort, TermId, TermPool};

/// The term as a bit-vector: Booleans become one bit.
pub fn as_bits(pool: &mut TermPool, term: TermId) -> TermId {
    match pool.sort(term) {
        Sort::Bool => pool.bool_to_bv(term),
        _ => term,
    }
}

/// A bit-vector of the IR's width as the IR's value: one bit becomes a Boolean.
pub fn from_bits(pool: &mut TermPool, bits: TermId) -> TermId {
    if pool.width(bits) == 1 {
        let one = pool.bv(1, 1);
        pool.equal(bits, one)
    } else {
        bits
    }
}

/// An operator on two integers of `width` bits.
pub fn binary(pool: &mut TermPool, op: BinaryOp, width: u32, lhs: TermId, rhs: TermId) -> TermId {
    if width == 1 {
        return binary_on_truth(pool, op, lhs, rhs);
    }
    match op {
        BinaryOp::Add => pool.bv_add(lhs, rhs),
        BinaryOp::Sub => pool.bv_sub(lhs, rhs),
        BinaryOp::Mul => pool.make(Op::BvMul, &[lhs, rhs]),
        BinaryOp::UDiv => pool.make(Op::BvUdiv, &[lhs, rhs]),
        BinaryOp::SDiv => pool.make(Op::BvSdiv, &[lhs, rhs]),
        BinaryOp::URem => pool.make(Op::BvUrem, &[lhs, rhs]),
        BinaryOp::SRem => pool.make(Op::BvSrem, &[lhs, rhs]),
        BinaryOp::Shl => shift(pool, Op::BvShl, width, lhs, rhs),
        BinaryOp::LShr => shift(pool, Op::BvLshr, width, lhs, rhs),
        BinaryOp::AShr => shift(pool, Op::BvAshr, width, lhs, rhs),
        BinaryOp::And => pool.make(Op::BvAnd, &[lhs, rhs]),
        BinaryOp::Or => pool.make(Op::BvOr, &[lhs, rhs]),
        BinaryOp::Xor => pool.make(Op::BvXor, &[lhs, rhs]),
    }
}

/// One bit: sums are exclusive, shifts by the amount modulo one do nothing, and a quotient is
/// what the definition for a zero divisor makes of it.
fn binary_on_truth(pool: &mut TermPool, op: BinaryOp, lhs: TermId, rhs: TermId) -> TermId {
    match op {
        BinaryOp::Add | BinaryOp::Sub | BinaryOp::Xor => pool.xor(lhs, rhs),
        BinaryOp::Mul | BinaryOp::And => pool.and(&[lhs, rhs]),
        BinaryOp::Or => pool.or(&[lhs, rhs]),
        // By zero all ones, by one the dividend; -1 / -1 wraps to -1 at one bit.
        BinaryOp::UDiv | BinaryOp::SDiv => {
            let zero = pool.not(rhs);
            pool.or(&[lhs, zero])
        }
        // By zero the dividend, else nothing is left.
        BinaryOp::URem | BinaryOp::SRem => {
            let zero = pool.not(rhs);
            pool.and(&[lhs, zero])
        }
        BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr => lhs,
    }
}

fn shift(pool: &mut TermPool, op: Op, width: u32, lhs: TermId, rhs: TermId) -> TermId {
    let mask = u64::from(width.next_power_of_two() - 1);
    let mask = pool.bv(width, mask);
    let amount = pool.make(Op::BvAnd, &[rhs, mask]);
    pool.make(op, &[lhs, amount])
}

/// Whether the mathematical result does not fit.
pub fn overflows(
    pool: &mut TermPool,
    op: OverflowOp,
    signed: bool,
    lhs: TermId,
    rhs: TermId,
) -> TermId {
    let (lhs, rhs) = (as_bits(pool, lhs), as_bits(pool, rhs));
    match (op, signed) {
        (OverflowOp::Add, false) => pool.bv_uadd_overflow(lhs, rhs),
        (OverflowOp::Add, true) => pool.bv_sadd_overflow(lhs, rhs),
        (OverflowOp::Sub, false) => pool.bv_usub_overflow(lhs, rhs),
        (OverflowOp::Sub, true) => pool.bv_ssub_overflow(lhs, rhs),
        (OverflowOp::Mul, false) => pool.make(Op::BvUmulOverflow, &[lhs, rhs]),
        (OverflowOp::Mul, true) => pool.make(Op::BvSmulOverflow, &[lhs, rhs]),
    }
}

/// An operator on one integer.
pub fn unary(pool: &mut TermPool, op: UnaryOp, operand: TermId) -> TermId {
    let bits = as_bits(pool, operand);
    let result = match op {
        UnaryOp::CountOnes => count_ones(pool, bits),
        UnaryOp::LeadingZeros => {
            let width = pool.width(bits);
            first_one(pool, bits, (0..width).rev())
        }
        UnaryOp::TrailingZeros => {
            let width = pool.width(bits);
            first_one(pool, bits, 0..width)
        }
        UnaryOp::ByteSwap => reversed(pool, bits, 8),
        UnaryOp::BitReverse => reversed(pool, bits, 1),
    };
    from_bits(pool, result)
}

/// Sums neighbours pairwise, so that most additions are narrow in value.
fn count_ones(pool: &mut TermPool, bits: TermId) -> TermId {
    let width = pool.width(bits);
    let mut counts: Vec<TermId> = (0..width)
        .map(|index| {
            let bit = pool.extract(index, index, bits);
            pool.zero_resize(width, bit)
        })
        .collect();
    while counts.len() > 1 {
        counts = counts.chunks(2).map(|pair| pool.bv_sum(pair)).collect();
    }
    counts[0]
}

/// The number of zeros before the first one in the given order of bits, or the width.
fn first_one(
    pool: &mut TermPool,
    bits: TermId,
    order: impl DoubleEndedIterator<Item = u32> + ExactSizeIterator,
) -> TermId {
    let width = pool.width(bits);
    let count = order.len();
    let mut result = pool.bv(width, count as u64);
    for (number, index) in order.enumerate().rev() {
        let is_one = pool.bv_bit(index, bits);
        let here = pool.bv(width, number as u64);
        result = pool.ite(is_one, here, result);
    }
    result
}

/// Groups of `size` bits in the opposite order.
fn reversed(pool: &mut TermPool, bits: TermId, size: u32) -> TermId {
    let width = pool.width(bits);
    let mut result: Option<TermId> = None;
    let mut low = 0;
    while low < width {
        let high = (low + size).min(width) - 1;
        let group = pool.extract(high, low, bits);
        result = Some(match result {
            Some(upper) => pool.concat(upper, group),
            None => group,
        });
        low = high + 1;
    }
    result.expect("invariant: integers have bits")
}

/// The order or equality of two integers.
pub fn compare(pool: &mut TermPool, predicate: IntPredicate, lhs: TermId, rhs: TermId) -> TermId {
    match predicate {
        IntPredicate::Eq => pool.equal(lhs, rhs),
        IntPredicate::Ne => pool.not_equal(lhs, rhs),
        IntPredicate::Ult => ordered(pool, Op::BvUlt, lhs, rhs),
        IntPredicate::Ule => ordered(pool, Op::BvUle, lhs, rhs),
        IntPredicate::Ugt => ordered(pool, Op::BvUlt, rhs, lhs),
        IntPredicate::Uge => ordered(pool, Op::BvUle, rhs, lhs),
        IntPredicate::Slt => ordered(pool, Op::BvSlt, lhs, rhs),
        IntPredicate::Sle => ordered(pool, Op::BvSle, lhs, rhs),
        IntPredicate::Sgt => ordered(pool, Op::BvSlt, rhs, lhs),
        IntPredicate::Sge => ordered(pool, Op::BvSle, rhs, lhs),
    }
}

fn ordered(pool: &mut TermPool, op: Op, lhs: TermId, rhs: TermId) -> TermId {
    let (lhs, rhs) = (as_bits(pool, lhs), as_bits(pool, rhs));
    pool.make(op, &[lhs, rhs])
}

/// To `width` bits: the low ones, or zeros above.
pub fn zero_resized(pool: &mut TermPool, term: TermId, width: u32) -> TermId {
    let bits = as_bits(pool, term);
    let resized = pool.zero_resize(width, bits);
    from_bits(pool, resized)
}

/// To `width` bits: the low ones, or copies of the sign above.
pub fn sign_resized(pool: &mut TermPool, term: TermId, width: u32) -> TermId {
    let bits = as_bits(pool, term);
    let resized = pool.sign_resize(width, bits);
    from_bits(pool, resized)
}

#[cfg(test)]
mod tests {
    use super::*;
    use foghorn_ir::interpret::arithmetic;
    use foghorn_term::BitVecValue;

    fn literal(pool: &mut TermPool, width: u32, value: u128) -> TermId {
        let bits = pool.bitvec(BitVecValue::from_u128(width, value));
        from_bits(pool, bits)
    }

    fn number(pool: &TermPool, term: TermId) -> u128 {
        match pool.as_bool(term) {
            Some(truth) => u128::from(truth),
            None => pool
                .as_bitvec(term)
                .and_then(BitVecValue::to_u128)
                .expect("literals fold"),
        }
    }

    #[test]
    fn operators_on_two_integers_agree_with_the_interpreter() {
        let mut pool = TermPool::new();
        for width in 1..=5 {
            for lhs in 0..1_u128 << width {
                for rhs in 0..1_u128 << width {
                    let (a, b) = (
                        literal(&mut pool, width, lhs),
                        literal(&mut pool, width, rhs),
                    );
                    for &op in BinaryOp::ALL {
                        let term = binary(&mut pool, op, width, a, b);
                        let expected = arithmetic::binary(op, width, lhs, rhs);
                        assert_eq!(number(&pool, term), expected, "{op:?} i{width} {lhs} {rhs}");
                    }
                    for &op in OverflowOp::ALL {
                        for signed in [false, true] {
                            let term = overflows(&mut pool, op, signed, a, b);
                            let expected = arithmetic::overflows(op, signed, width, lhs, rhs);
                            assert_eq!(
                                pool.as_bool(term),
                                Some(expected),
                                "{op:?} {signed} i{width} {lhs} {rhs}"
                            );
                        }
                    }
                    for &predicate in IntPredicate::ALL {
                        let term = compare(&mut pool, predicate, a, b);
                        let expected = arithmetic::compare(predicate, width, lhs, rhs);
                        assert_eq!(pool.as_bool(term), Some(expected), "{predicate:?} i{width}");
                    }
                }
            }
        }
    }

    #[test]
    fn operators_on_one_integer_agree_with_the_interpreter() {
        let mut pool = TermPool::new();
        for width in [1, 4, 7, 16] {
            for value in (0..1_u128 << width).step_by(if width > 8 { 37 } else { 1 }) {
                let operand = literal(&mut pool, width, value);
                for &op in UnaryOp::ALL {
                    if op == UnaryOp::ByteSwap && width % 16 != 0 {
                        continue;
                    }
                    let term = unary(&mut pool, op, operand);
                    let expected = arithmetic::unary(op, width, value);
                    assert_eq!(number(&pool, term), expected, "{op:?} i{width} {value}");
                }
            }
        }
    }
}
