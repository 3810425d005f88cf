//! Rules for comparisons: figure 2.2 of the SEAM thesis, and comparisons with the ends of the range.
//!
//! Of `(a op p) ⋈ (b op q) ⇝ p ⋈ q` the instances that hold of machine arithmetic are here: equations cancel what is
//! injective, and only integers cancel a summand under `≤` and `<`.

use super::{Context, rules};
use crate::op::{Op, OpKind};
use crate::pool::TermId;
use crate::rewrite::Step;
use crate::value::BitVecValue;
use num_bigint::BigInt;

rules! {
    /// Comparisons (fig. 2.2).
    table COMPARISON = "comparison";

    #[doc = "a = b is ⊤ where ⊢ a = b and ⊥ where ⊢ a ≠ b"]
    rule equality_decided [Equal] [
        "(= x x)", "(= zero ones)", "(= (bvadd x one) x)", "(= (+ p 3) (+ p 4))", "(= true false)"
    ] (cx, t) {
        let [a, b] = cx.args(t)?;
        let decided = cx.decide_equal(a, b)?;
        Some(Step::done(cx.pool.bool(decided)))
    }

    #[doc = "(a = ⊤) = a, (a = ⊥) = ¬a, (¬a = ¬b) = (a = b), and the older operand comes first"]
    rule equality_normal [Equal] ["(= a true)", "(= false a)", "(= (not a) (not b))", "(= (not a) b)", "(= y x)"] (cx, t) {
        super::boolean::normalised(cx, t)
    }

    #[doc = "(a = ¬a) = ⊥"]
    rule equality_of_complements [Equal] ["(= a (not a))", "(= (bvnot x) x)"] (cx, t) {
        let [a, b] = cx.args(t)?;
        let complement = |a: TermId, b: TermId| {
            matches!(cx.pool.op(a), Op::Not | Op::BvNot) && cx.pool.child(a, 0) == b
        };
        (complement(a, b) || complement(b, a)).then(|| Step::done(cx.pool.bool(false)))
    }

    #[doc = "(a + p = a + q) = (p = q), and likewise for ⊕: common operands cancel"]
    rule equality_cancel [Equal] [
        "(= (bvadd x y) (bvadd x z))", "(= (bvxor x y) (bvxor z x))", "(= (bvadd x y) x)", "(= (+ p q) (+ p r))"
    ] (cx, t) {
        let [a, b] = cx.args(t)?;
        let op = [a, b].into_iter().map(|side| cx.pool.op(side));
        let op = op.into_iter().find(|op| matches!(op, Op::BvAdd | Op::BvXor | Op::IntAdd))?;
        let (left, right) = cancelled(cx, op, a, b)?;
        Some(Step::rewrite(2, cx.pool.equal(left, right)))
    }

    #[doc = "(-x = -y) = (x = y), (~x = ~y) = (x = y)"]
    rule equality_of_involutions [Equal] ["(= (bvneg x) (bvneg y))", "(= (bvnot x) (bvnot y))", "(= (- p) (- q))"] (cx, t) {
        let [a, b] = cx.args(t)?;
        let op = cx.pool.op(a);
        if !matches!(op, Op::BvNeg | Op::BvNot | Op::IntNeg) || op != cx.pool.op(b) {
            return None;
        }
        let (a, b) = (cx.pool.child(a, 0), cx.pool.child(b, 0));
        Some(Step::rewrite(1, cx.pool.equal(a, b)))
    }

    #[doc = "(x + k = l) = (x = l - k), (x ⊕ k = l) = (x = l ⊕ k), (-x = l) = (x = -l), (~x = l) = (x = ~l)"]
    rule equality_solve [Equal] [
        "(= (bvadd x one) k)", "(= (bvxor x ones) k)", "(= (bvneg x) k)", "(= (bvnot x) k)", "(= (+ p 3) 5)"
    ] (cx, t) {
        let [a, b] = cx.args(t)?;
        let (side, literal) = if cx.pool.is_literal(b) { (a, b) } else { (b, a) };
        if !cx.pool.is_literal(literal) {
            return None;
        }
        let op = cx.pool.op(side);
        let children = cx.pool.children(side).to_vec();
        let (rest, moved) = match (op, &children[..]) {
            (Op::BvNeg | Op::BvNot | Op::IntNeg, &[x]) => (x, cx.pool.make(op, &[literal])),
            (Op::BvAdd | Op::BvXor | Op::IntAdd, [rest @ .., last]) if cx.pool.is_literal(*last) => {
                let moved = match op {
                    Op::BvAdd => cx.pool.bv_sub(literal, *last),
                    Op::BvXor => cx.pool.bv_xor(literal, *last),
                    _ => cx.pool.int_sub(literal, *last),
                };
                (cx.pool.make(op, rest), moved)
            }
            _ => return None,
        };
        Some(Step::rewrite(1, cx.pool.equal(rest, moved)))
    }

    #[doc = "x < x is ⊥, x ≤ x is ⊤"]
    rule comparison_with_itself [BvUlt, BvUle, BvSlt, BvSle, IntLe, IntLt] [
        "(bvult x x)", "(bvule x x)", "(bvslt x x)", "(bvsle x x)", "(<= p p)", "(< p p)"
    ] (cx, t) {
        let [a, b] = cx.args(t)?;
        let reflexive = matches!(cx.pool.op(t), Op::BvUle | Op::BvSle | Op::IntLe);
        (a == b).then(|| Step::done(cx.pool.bool(reflexive)))
    }

    #[doc = "nothing is below the least or above the greatest number; everything is at least the least"]
    rule comparison_at_ends [BvUlt, BvUle, BvSlt, BvSle] [
        "(bvult x zero)", "(bvult ones x)", "(bvule zero x)", "(bvule x ones)", "(bvslt x min)", "(bvslt max x)",
        "(bvsle min x)", "(bvsle x max)"
    ] (cx, t) {
        let [a, b] = cx.args(t)?;
        let ends = Ends::of(cx.pool.op(t), cx.pool.width(a));
        let (left, right) = (cx.bits(a), cx.bits(b));
        let strict = matches!(cx.pool.op(t), Op::BvUlt | Op::BvSlt);
        let decided = if strict {
            left.as_ref() == Some(&ends.greatest) || right.as_ref() == Some(&ends.least)
        } else {
            left.as_ref() == Some(&ends.least) || right.as_ref() == Some(&ends.greatest)
        };
        decided.then(|| Step::done(cx.pool.bool(!strict)))
    }

    #[doc = "x ≤ least is x = least, x < least + 1 is x = least, and so on at both ends, strict ones as disequations"]
    rule comparison_near_ends [BvUlt, BvUle, BvSlt, BvSle] [
        "(bvule x zero)", "(bvule ones x)", "(bvult zero x)", "(bvult x ones)", "(bvult x one)", "(bvsle x min)",
        "(bvsle max x)", "(bvslt min x)", "(bvslt x max)"
    ] (cx, t) {
        let [a, b] = cx.args(t)?;
        let op = cx.pool.op(t);
        let width = cx.pool.width(a);
        let ends = Ends::of(op, width);
        let strict = matches!(op, Op::BvUlt | Op::BvSlt);
        let one = BitVecValue::one(width);
        let (x, end, equal) = match (cx.bits(a), cx.bits(b)) {
            (None, Some(k)) if !strict && k == ends.least => (a, ends.least, true),
            (None, Some(k)) if strict && k == ends.greatest => (a, ends.greatest, false),
            (None, Some(k)) if strict && k == ends.least.add(&one) => (a, ends.least, true),
            (Some(k), None) if !strict && k == ends.greatest => (b, ends.greatest, true),
            (Some(k), None) if strict && k == ends.least => (b, ends.least, false),
            (Some(k), None) if strict && k == ends.greatest.sub(&one) => (b, ends.greatest, true),
            _ => return None,
        };
        let end = cx.pool.bitvec(end);
        let equation = cx.pool.equal(x, end);
        let result = if equal { equation } else { cx.pool.not(equation) };
        Some(Step::rewrite(2, result))
    }

    #[doc = "x ≤ k is x < k + 1 and k ≤ x is k - 1 < x where that does not wrap"]
    rule comparison_strict [BvUle, BvSle] ["(bvule x one)", "(bvule one x)"] (cx, t) {
        let [a, b] = cx.args(t)?;
        let op = cx.pool.op(t);
        let width = cx.pool.width(a);
        let (ends, one) = (Ends::of(op, width), BitVecValue::one(width));
        let strict = if op == Op::BvUle { Op::BvUlt } else { Op::BvSlt };
        let children = match (cx.bits(a), cx.bits(b)) {
            (None, Some(k)) if k != ends.greatest => [a, cx.pool.bitvec(k.add(&one))],
            (Some(k), None) if k != ends.least => [cx.pool.bitvec(k.sub(&one)), b],
            _ => return None,
        };
        Some(Step::rewrite(1, cx.pool.make(strict, &children)))
    }

    #[doc = "a + p ≤ a + q is p ≤ q of integers, and likewise for <"]
    rule integer_comparison_cancel [IntLe, IntLt] ["(<= (+ p q) (+ p r))", "(< (+ p q) p)", "(<= (+ p 1) (+ q 3))"] (cx, t) {
        let [a, b] = cx.args(t)?;
        let (left, right) = cancelled(cx, Op::IntAdd, a, b).or_else(|| literals_moved(cx, a, b))?;
        Some(Step::rewrite(2, cx.pool.make(cx.pool.op(t), &[left, right])))
    }

    #[doc = "p < q is p + 1 ≤ q of integers, where one side is a literal"]
    rule integer_strict [IntLt] ["(< p 3)", "(< 3 p)"] (cx, t) {
        let [a, b] = cx.args(t)?;
        if let Some(k) = cx.pool.as_int(a) {
            let k = cx.pool.int(k + BigInt::from(1));
            return Some(Step::rewrite(1, cx.pool.int_le(k, b)));
        }
        let k = cx.pool.as_int(b)? - BigInt::from(1);
        let k = cx.pool.int(k);
        Some(Step::rewrite(1, cx.pool.int_le(a, k)))
    }
}

/// The ends of the range in the order of a comparison.
struct Ends {
    least: BitVecValue,
    greatest: BitVecValue,
}

impl Ends {
    fn of(op: Op, width: u32) -> Self {
        if matches!(op, Op::BvUlt | Op::BvUle) {
            Ends {
                least: BitVecValue::zero(width),
                greatest: BitVecValue::ones(width),
            }
        } else {
            Ends {
                least: BitVecValue::min_signed(width),
                greatest: BitVecValue::max_signed(width),
            }
        }
    }
}

/// Operands of an n-ary operator, or the term itself as the only one.
fn operands(cx: &Context<'_>, op: Op, term: TermId) -> Vec<TermId> {
    if cx.pool.op(term) == op {
        cx.pool.children(term).to_vec()
    } else {
        vec![term]
    }
}

/// Both sides without the operands they have in common, if they have one.
fn cancelled(cx: &mut Context<'_>, op: Op, a: TermId, b: TermId) -> Option<(TermId, TermId)> {
    const FEW: usize = 64;
    let (mut left, mut right) = (operands(cx, op, a), operands(cx, op, b));
    let before = left.len();
    if before > FEW || right.len() > FEW {
        return None;
    }
    left.retain(
        |operand| match right.iter().position(|other| other == operand) {
            Some(position) => {
                right.remove(position);
                false
            }
            None => true,
        },
    );
    if left.len() == before {
        return None;
    }
    let sort = cx.pool.sort(a);
    let mut rebuilt = |operands: &[TermId]| match (operands, sort) {
        ([], crate::sort::Sort::BitVec(width)) => cx.pool.bv_zero(width),
        ([], _) => cx.pool.int(0),
        _ => cx.pool.make(op, operands),
    };
    Some((rebuilt(&left), rebuilt(&right)))
}

/// `p + k ⋈ q + l` with both literals moved to one side.
fn literals_moved(cx: &mut Context<'_>, a: TermId, b: TermId) -> Option<(TermId, TermId)> {
    let [left @ .., k] = cx.view::<2>(a, OpKind::IntAdd)?;
    let [right @ .., l] = cx.view::<2>(b, OpKind::IntAdd)?;
    let difference = cx.pool.as_int(l)? - cx.pool.as_int(k)?;
    let difference = cx.pool.int(difference);
    Some((left[0], cx.pool.int_add(right[0], difference)))
}
