//! Rules for bitwise operators: lattice laws, complements and masks.

use super::{Context, rules};
use crate::op::{Op, OpKind};
use crate::pool::TermId;
use crate::rewrite::Step;

rules! {
    /// Bitwise operators.
    table BITVEC = "bitvec";

    #[doc = "x & 0 = 0, x & -1 = x, x & x = x, x & ~x = 0, and likewise for | and ⊕; nested ones are merged"]
    rule bitwise_normal [BvAnd, BvOr, BvXor] [
        "(bvand x zero)", "(bvand x ones)", "(bvand x y x)", "(bvand x (bvnot x))", "(bvor x zero)", "(bvor x ones)",
        "(bvor x (bvor y z))", "(bvor x (bvnot x))", "(bvxor x zero)", "(bvxor x x)", "(bvxor x y x)", "(bvand k x l)"
    ] (cx, t) {
        super::boolean::normalised(cx, t)
    }

    #[doc = "~~x = x and ~k folds"]
    rule bvnot_bvnot [BvNot] ["(bvnot (bvnot x))", "(bvnot k)"] (cx, t) {
        let [a] = cx.args(t)?;
        if cx.pool.is_literal(a) {
            return super::boolean::normalised(cx, t);
        }
        let [inner] = cx.view(a, OpKind::BvNot)?;
        Some(Step::done(inner))
    }

    #[doc = "~x = -1 ⊕ x inside an exclusive or: x ⊕ -1 = ~x, ~x ⊕ y = ~(x ⊕ y)"]
    rule bvxor_complement [BvXor] ["(bvxor x ones)", "(bvxor (bvnot x) y)", "(bvxor x (bvnot x))"] (cx, t) {
        let mut children = cx.pool.children(t).to_vec();
        if let Some(position) = children.iter().position(|&child| cx.pool.op(child) == Op::BvNot) {
            children[position] = cx.pool.child(children[position], 0);
        } else {
            let last = children.pop()?;
            if !cx.bits(last)?.is_ones() {
                return None;
            }
        }
        let rest = cx.pool.make(Op::BvXor, &children);
        Some(Step::rewrite(2, cx.pool.bv_not(rest)))
    }

    #[doc = "~(x + k) = -x + (-1 - k) for a literal k, ~-x = x - 1"]
    rule bvnot_of_sum [BvNot] ["(bvnot (bvadd x one))", "(bvnot (bvneg x))"] (cx, t) {
        let [inner] = cx.args(t)?;
        let ones = cx.pool.bv_ones(cx.pool.width(t));
        match cx.pool.op(inner) {
            Op::BvNeg => {
                let x = cx.pool.child(inner, 0);
                Some(Step::rewrite(1, cx.pool.bv_add(x, ones)))
            }
            Op::BvAdd => {
                let children = cx.pool.children(inner).to_vec();
                if children.len() != 2 || !cx.pool.is_literal(children[1]) {
                    return None;
                }
                let (negated, literal) = (cx.pool.bv_neg(children[0]), cx.pool.bv_sub(ones, children[1]));
                Some(Step::rewrite(2, cx.pool.bv_add(negated, literal)))
            }
            _ => None,
        }
    }

    #[doc = "-~x = x + 1"]
    rule bvneg_of_bvnot [BvNeg] ["(bvneg (bvnot x))"] (cx, t) {
        let [inner] = cx.args(t)?;
        let [x] = cx.view(inner, OpKind::BvNot)?;
        let one = cx.pool.bv(cx.pool.width(t), 1);
        Some(Step::rewrite(1, cx.pool.bv_add(x, one)))
    }

    #[doc = "x & (x | y) = x, x | (x & y) = x"]
    rule bitwise_absorption [BvAnd, BvOr] ["(bvand x (bvor x y))", "(bvor (bvand y x) x)"] (cx, t) {
        let op = cx.pool.op(t);
        let dual = if op == Op::BvAnd { Op::BvOr } else { Op::BvAnd };
        let children = cx.pool.children(t).to_vec();
        let absorbed = |child: TermId| {
            cx.pool.op(child) == dual && cx.pool.children(child).iter().any(|inner| children.contains(inner))
        };
        let kept: Vec<TermId> = children.iter().copied().filter(|&child| !absorbed(child)).collect();
        (kept.len() < children.len()).then(|| Step::rewrite(1, cx.pool.make(op, &kept)))
    }

    #[doc = "x & 2^i - 1 = 0…0 · x[i-1:0]: a mask of low bits is a slice"]
    rule mask_as_slice [BvAnd] ["(bvand x low)"] (cx, t) {
        let [x, literal] = cx.args(t)?;
        let mask = cx.bits(literal)?;
        let (bits, width) = (mask.low_mask_bits()?, mask.width());
        let slice = cx.pool.extract(bits - 1, 0, x);
        Some(Step::rewrite(2, cx.pool.zero_extend(width - bits, slice)))
    }

    #[doc = "x & k where the set bits of k are the highest ones is x[n-1:i] · 0…0"]
    rule high_mask_as_slice [BvAnd] ["(bvand x min)"] (cx, t) {
        let [x, literal] = cx.args(t)?;
        let mask = cx.bits(literal)?;
        let width = mask.width();
        let cleared = mask.not().low_mask_bits()?;
        if cleared == width {
            return None;
        }
        let slice = cx.pool.extract(width - 1, cleared, x);
        let zeros = cx.pool.bv_zero(cleared);
        Some(Step::rewrite(2, cx.pool.concat(slice, zeros)))
    }

    #[doc = "a bitwise operator of concatenations that are cut alike is the concatenation of the parts' operators"]
    rule bitwise_of_concats [BvAnd, BvOr, BvXor] [
        "(bvand (concat x y) (concat y z))", "(bvor (concat zero y) (concat x zero))", "(bvxor (concat x y) (concat k l))"
    ] (cx, t) {
        let [a, b] = cx.args(t)?;
        let [high, low] = cx.view(a, OpKind::Concat)?;
        let (high_width, low_width) = (cx.pool.width(high), cx.pool.width(low));
        let (other_high, other_low) = split(cx, b, high_width, low_width)?;
        let op = cx.pool.op(t);
        let (high, low) = (cx.pool.make(op, &[high, other_high]), cx.pool.make(op, &[low, other_low]));
        Some(Step::rewrite(2, cx.pool.concat(high, low)))
    }
}

/// A concatenation or a literal, cut at the given place.
pub(super) fn split(
    cx: &mut Context<'_>,
    term: TermId,
    high: u32,
    low: u32,
) -> Option<(TermId, TermId)> {
    if let Some(value) = cx.bits(term) {
        let (upper, lower) = (
            value.extract(high + low - 1, low),
            value.extract(low - 1, 0),
        );
        return Some((cx.pool.bitvec(upper), cx.pool.bitvec(lower)));
    }
    let [upper, lower] = cx.view(term, OpKind::Concat)?;
    (cx.pool.width(upper) == high && cx.pool.width(lower) == low).then_some((upper, lower))
}
