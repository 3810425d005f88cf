//! Equations between long chains of one operator.
//!
//! A sum of a thousand summands is nested sums of a few each, because merging is bounded. Two such
//! sums of the same summands in another order are then different terms. Here both sides are taken
//! apart down to what is no chain, and compared as wholes: as sums with coefficients, as sets for
//! `&` and `|`, as sets of what occurs an odd number of times for `⊕`.

use super::{Context, rules};
use crate::op::Op;
use crate::pool::TermId;
use crate::rewrite::Step;
use crate::value::BitVecValue;
use std::collections::BTreeMap;

/// Chains with more parts than this are left alone: each equation takes its sides apart anew.
const MOST_PARTS: usize = 8192;

rules! {
    /// Chains.
    table CHAIN = "chain";

    #[doc = "Σa = Σb is decided where the difference of both sides is constant, whatever the order and nesting"]
    rule equality_of_sums [Equal] [
        "(= (bvadd x (bvneg (bvadd y (bvneg x))) z) (bvadd z (bvneg y) x x))",
        "(= (bvadd x (bvneg (bvadd y one))) (bvadd (bvneg y) x))"
    ] (cx, t) {
        let [a, b] = cx.args(t)?;
        if !is_nested(cx, a, Op::BvAdd) && !is_nested(cx, b, Op::BvAdd) {
            return None;
        }
        let width = cx.pool.width(a);
        let minus_one = BitVecValue::ones(width);
        let parts = BTreeMap::from([(a, BitVecValue::one(width)), (b, minus_one)]);
        let constant = constant_difference(cx, parts, width)?;
        Some(Step::done(cx.pool.bool(constant.is_zero())))
    }

    #[doc = "chains of &, | or ⊕ with the same operands are equal, whatever the order and nesting, and so are their slices"]
    rule equality_of_bitwise_chains [Equal] [
        "(= (bvand x (bvand y z)) (bvand (bvand z x) y))", "(= (bvxor x (bvxor y z)) (bvxor (bvxor z x) y))",
        "(= ((_ extract {i} {j}) (bvor x (bvor y z))) ((_ extract {i} {j}) (bvor (bvor z x) y)))"
    ] (cx, t) {
        let [a, b] = unsliced(cx, t)?;
        let op = cx.pool.op(a);
        let bitwise = matches!(op, Op::BvAnd | Op::BvOr | Op::BvXor);
        if !bitwise || op != cx.pool.op(b) || !(is_nested(cx, a, op) || is_nested(cx, b, op)) {
            return None;
        }
        let same = operands(cx, op, a)? == operands(cx, op, b)?;
        same.then(|| Step::done(cx.pool.bool(true)))
    }
}

/// The sides of an equation, or what both are the same slice of.
fn unsliced(cx: &Context<'_>, equation: TermId) -> Option<[TermId; 2]> {
    let [a, b] = cx.args(equation)?;
    let slice = cx.pool.op(a);
    let both = matches!(slice, Op::Extract(..)) && slice == cx.pool.op(b);
    let (inner, other) = (cx.pool.children(a), cx.pool.children(b));
    match (both, inner, other) {
        (true, &[x], &[y]) if cx.pool.width(x) == cx.pool.width(y) => Some([x, y]),
        _ => Some([a, b]),
    }
}

/// Whether merging stopped at this term.
fn is_nested(cx: &Context<'_>, term: TermId, op: Op) -> bool {
    let linear = |child: &TermId| {
        let inner = cx.pool.op(*child);
        inner == op
            || (inner == Op::BvNeg && op == Op::BvAdd && cx.pool.op(cx.pool.child(*child, 0)) == op)
    };
    cx.pool.op(term) == op && cx.pool.children(term).iter().any(linear)
}

/// What a sum of terms with coefficients comes to if it is the same for all values. Terms are taken
/// apart from the youngest to the oldest: each is met once, with all of its coefficient.
fn constant_difference(
    cx: &Context<'_>,
    mut parts: BTreeMap<TermId, BitVecValue>,
    width: u32,
) -> Option<BitVecValue> {
    let mut constant = BitVecValue::zero(width);
    for _ in 0..MOST_PARTS {
        let Some((term, coefficient)) = parts.pop_last() else {
            return Some(constant);
        };
        if coefficient.is_zero() {
            continue;
        }
        if let Some(literal) = cx.bits(term) {
            constant = constant.add(&literal.mul(&coefficient));
            continue;
        }
        let coefficient = match cx.pool.op(term) {
            Op::BvAdd => coefficient,
            Op::BvNeg => coefficient.neg(),
            _ => return None,
        };
        for &child in cx.pool.children(term) {
            let sum = parts
                .entry(child)
                .or_insert_with(|| BitVecValue::zero(width));
            *sum = sum.add(&coefficient);
        }
    }
    None
}

/// The operands of a chain, in order; of `⊕` those that do not cancel.
fn operands(cx: &Context<'_>, op: Op, chain: TermId) -> Option<Vec<TermId>> {
    let mut odd: BTreeMap<TermId, bool> = BTreeMap::from([(chain, true)]);
    let mut found = Vec::new();
    for _ in 0..MOST_PARTS {
        let Some((term, is_odd)) = odd.pop_last() else {
            return Some(found);
        };
        if op == Op::BvXor && !is_odd {
            continue;
        }
        if cx.pool.op(term) != op {
            found.push(term);
            continue;
        }
        for &child in cx.pool.children(term) {
            let parity = odd.entry(child).or_insert(false);
            *parity = !*parity;
        }
    }
    None
}
