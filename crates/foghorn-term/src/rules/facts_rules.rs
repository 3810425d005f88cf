//! Rules that read facts: what known bits and intervals decide.

use super::rules;
use crate::op::{Op, OpKind};
use crate::pool::TermId;
use crate::rewrite::Step;
use crate::value::BitVecValue;

rules! {
    /// Known bits and intervals.
    table FACTS = "facts";

    #[doc = "a term whose bits are all known is a literal"]
    rule fact_is_literal [
        BvAnd, BvOr, BvXor, BvAdd, BvMul, BvNot, BvNeg, BvShl, BvLshr, BvAshr, BvUdiv, BvUrem, Concat, Extract,
        ZeroExtend, SignExtend, Ite
    ] [
        "(bvand (bvor x ones) k)", "((_ extract {2w-1} {w}) (bvlshr wide (concat zero k)))",
        "(bvlshr (bvand x one) one)"
    ] (cx, t) {
        if cx.pool.is_literal(t) {
            return None;
        }
        let fact = cx.fact(t)?;
        let value = fact.value()?;
        Some(Step::done(cx.pool.bitvec(BitVecValue::from_u128(fact.width, value))))
    }

    #[doc = "unsigned comparisons are decided where the intervals do not overlap"]
    rule fact_decides_unsigned [BvUlt, BvUle] [
        "(bvult ((_ zero_extend 2) x) (concat #b01 x))", "(bvule ((_ zero_extend 2) x) (concat #b01 y))",
        "(bvult (concat #b11 x) ((_ zero_extend 2) x))"
    ] (cx, t) {
        let [a, b] = cx.args(t)?;
        let (a, b) = (cx.fact(a)?, cx.fact(b)?);
        let strict = cx.pool.op(t) == Op::BvUlt;
        let decided = if strict {
            if a.high < b.low { true } else if a.low >= b.high { false } else { return None }
        } else if a.high <= b.low {
            true
        } else if a.low > b.high {
            false
        } else {
            return None;
        };
        Some(Step::done(cx.pool.bool(decided)))
    }

    #[doc = "signed comparisons are decided where the signs differ, and unsigned where they agree"]
    rule fact_decides_signed [BvSlt, BvSle] [
        "(bvslt (bvor x min) (bvand y max))", "(bvsle (bvand x max) (bvor y min))", "(bvslt (bvand x max) (bvand y max))",
        "(bvsle ((_ zero_extend 2) x) ((_ zero_extend 2) y))"
    ] (cx, t) {
        let [a, b] = cx.args(t)?;
        let (left, right) = (cx.fact(a)?.sign()?, cx.fact(b)?.sign()?);
        if left != right {
            return Some(Step::done(cx.pool.bool(left)));
        }
        let unsigned = if cx.pool.op(t) == Op::BvSlt { Op::BvUlt } else { Op::BvUle };
        Some(Step::rewrite(1, cx.pool.make(unsigned, &[a, b])))
    }

    #[doc = "x & k = x where k has every bit that x may have; x | k = x where x has every bit of k"]
    rule fact_mask_without_effect [BvAnd, BvOr] ["(bvand ((_ zero_extend 2) x) (concat #b01 ones))", "(bvor (bvor x k) k)"] (cx, t) {
        let [x, literal] = cx.args(t)?;
        let mask = cx.fact(literal)?.value()?;
        let fact = cx.fact(x)?;
        let all = BitVecValue::ones(fact.width).to_u128()?;
        let without_effect = if cx.pool.op(t) == Op::BvAnd {
            !mask & all & !fact.zeros == 0
        } else {
            mask & !fact.ones == 0
        };
        without_effect.then(|| Step::done(x))
    }

    #[doc = "x + y = x | y where no bit can be set in both"]
    rule fact_disjoint_sum [BvAdd] ["(bvadd (concat x zero) ((_ zero_extend {w}) y))"] (cx, t) {
        let [x, y] = cx.args(t)?;
        let (a, b) = (cx.fact(x)?, cx.fact(y)?);
        let all = BitVecValue::ones(a.width).to_u128()?;
        if a.zeros | b.zeros != all {
            return None;
        }
        // Only where the disjunction is taken apart again: otherwise a sum says more.
        let sliced = |term| matches!(cx.pool.op(term), Op::Concat | Op::ZeroExtend(_));
        (sliced(x) && sliced(y)).then(|| Step::rewrite(1, cx.pool.bv_or(x, y)))
    }

    #[doc = "(x · 0…0) | (0…0 · y) = x · y where the zeros cover the other part"]
    rule concat_from_disjoint_parts [BvOr] ["(bvor (concat x zero) ((_ zero_extend {w}) y))"] (cx, t) {
        let [a, b] = cx.args(t)?;
        let (concat, extension) = if cx.pool.op(a) == Op::Concat { (a, b) } else { (b, a) };
        let [high, zeros] = cx.view(concat, OpKind::Concat)?;
        let [low] = cx.args(extension)?;
        let Op::ZeroExtend(_) = cx.pool.op(extension) else { return None };
        let (gap, width) = (cx.bits(zeros)?, cx.pool.width(low));
        if !gap.is_zero() || width > gap.width() {
            return None;
        }
        let low = cx.pool.zero_extend(gap.width() - width, low);
        Some(Step::rewrite(2, cx.pool.concat(high, low)))
    }

    #[doc = "a sign extension or arithmetic shift of what is not negative is a zero extension or logical shift"]
    rule fact_not_negative_extension [SignExtend, BvAshr] [
        "((_ sign_extend 3) (bvand x max))", "(bvashr (bvand x max) y)"
    ] (cx, t) {
        let x = cx.pool.child(t, 0);
        if cx.fact(x)?.sign()? {
            return None;
        }
        let unsigned = match cx.pool.op(t) {
            Op::SignExtend(by) => Op::ZeroExtend(by),
            _ => Op::BvLshr,
        };
        let children = cx.pool.children(t).to_vec();
        Some(Step::rewrite(1, cx.pool.make(unsigned, &children)))
    }

    #[doc = "signed division and remainder of what is not negative are the unsigned ones"]
    rule fact_not_negative_division [BvSdiv, BvSrem, BvSmod] [
        "(bvsdiv (bvand x max) (bvand y max))", "(bvsrem (bvand x max) (bvand y max))",
        "(bvsmod (bvand x max) (bvand y max))"
    ] (cx, t) {
        let [a, b] = cx.args(t)?;
        if cx.fact(a)?.sign()? || cx.fact(b)?.sign()? {
            return None;
        }
        let unsigned = if cx.pool.op(t) == Op::BvSdiv { Op::BvUdiv } else { Op::BvUrem };
        Some(Step::rewrite(1, cx.pool.make(unsigned, &[a, b])))
    }

    #[doc = "x % y = x where x is less than y for sure; x / y = 0 there"]
    rule fact_division_of_less [BvUdiv, BvUrem] [
        "(bvurem ((_ zero_extend 2) x) (concat #b01 y))", "(bvudiv ((_ zero_extend 2) x) (concat #b01 y))"
    ] (cx, t) {
        let [a, b] = cx.args(t)?;
        let (dividend, divisor) = (cx.fact(a)?, cx.fact(b)?);
        if dividend.high >= divisor.low {
            return None;
        }
        let zero: TermId = cx.pool.bv_zero(dividend.width);
        Some(Step::done(if cx.pool.op(t) == Op::BvUdiv { zero } else { a }))
    }

    #[doc = "a product that cannot overflow does not"]
    rule fact_no_overflow [BvUmulOverflow] ["(bvumulo ((_ zero_extend {w}) x) ((_ zero_extend {w}) y))"] (cx, t) {
        let [a, b] = cx.args(t)?;
        let (a, b) = (cx.fact(a)?, cx.fact(b)?);
        let greatest = BitVecValue::ones(a.width).to_u128()?;
        let fits = a.high.checked_mul(b.high).is_some_and(|product| product <= greatest);
        fits.then(|| Step::done(cx.pool.bool(false)))
    }

    #[doc = "bits of a slice that are known at its top become a zero extension"]
    rule fact_known_top [BvAdd] ["(bvadd ((_ zero_extend {w}) x) ((_ zero_extend {w}) y))"] (cx, t) {
        let fact = cx.fact(t)?;
        let needed = 128 - fact.high.leading_zeros();
        let children = cx.pool.children(t).to_vec();
        let narrow = |term: TermId| matches!(cx.pool.op(term), Op::ZeroExtend(_)) || cx.pool.is_literal(term);
        if needed == 0 || needed >= fact.width || !children.iter().all(|&child| narrow(child)) {
            return None;
        }
        // A sum that needs fewer bits is computed in fewer bits.
        let slices: Vec<TermId> = children.iter().map(|&child| cx.pool.extract(needed - 1, 0, child)).collect();
        let sum = cx.pool.make(Op::BvAdd, &slices);
        Some(Step::full(cx.pool.zero_extend(fact.width - needed, sum)))
    }
}
