//! Bounds from assumed facts: conjunctions of comparisons and equations, signed and unsigned.
//!
//! A comparison `a < b` bounds `a` from above by what bounds `b`, and `b` from below by what bounds `a`. A signed one says
//! the same where both are known to be non-negative, and `0 ≤ a` makes `a` so.

use super::interval::{Interval, Intervals, mask};
use foghorn_term::{Op, TermId, TermPool};

/// Draws bounds from a fact.
pub(super) fn assume(pool: &TermPool, intervals: &mut Intervals, fact: TermId) {
    let mut conjuncts = vec![fact];
    let mut atoms: Vec<(TermId, bool)> = Vec::new();
    while let Some(fact) = conjuncts.pop() {
        match pool.op(fact) {
            Op::And => conjuncts.extend(pool.children(fact)),
            Op::Not if pool.op(pool.child(fact, 0)) == Op::Or => {
                let disjuncts = pool.children(pool.child(fact, 0));
                atoms.extend(
                    disjuncts
                        .iter()
                        .map(|&disjunct| literal(pool, disjunct, false)),
                );
            }
            _ => atoms.push(literal(pool, fact, true)),
        }
    }
    // The second round uses what the first has found: signs above all.
    for _ in 0..2 {
        for &(atom, positive) in &atoms {
            assume_atom(pool, intervals, atom, positive);
        }
    }
}

/// A formula without its outermost negation, and whether it holds.
fn literal(pool: &TermPool, formula: TermId, positive: bool) -> (TermId, bool) {
    match pool.op(formula) {
        Op::Not => (pool.child(formula, 0), !positive),
        _ => (formula, positive),
    }
}

fn assume_atom(pool: &TermPool, intervals: &mut Intervals, atom: TermId, positive: bool) {
    let &[a, b] = pool.children(atom) else {
        return;
    };
    match (pool.op(atom), positive) {
        (Op::Equal, true) => equate(pool, intervals, a, b),
        (Op::BvUlt, true) => order(pool, intervals, a, b, true),
        (Op::BvUle, true) => order(pool, intervals, a, b, false),
        (Op::BvUlt, false) => order(pool, intervals, b, a, false),
        (Op::BvUle, false) => order(pool, intervals, b, a, true),
        (Op::BvSlt, true) => signed_order(pool, intervals, a, b, true),
        (Op::BvSle, true) => signed_order(pool, intervals, a, b, false),
        (Op::BvSlt, false) => signed_order(pool, intervals, b, a, false),
        (Op::BvSle, false) => signed_order(pool, intervals, b, a, true),
        _ => {}
    }
}

fn equate(pool: &TermPool, intervals: &mut Intervals, a: TermId, b: TermId) {
    if let (Some(x), Some(y)) = (intervals.get(pool, a), intervals.get(pool, b)) {
        intervals.bound(pool, a, y);
        intervals.bound(pool, b, x);
    }
}

/// `a < b` or `a ≤ b`, unsigned.
fn order(pool: &TermPool, intervals: &mut Intervals, a: TermId, b: TermId, strict: bool) {
    let (Some(x), Some(y)) = (intervals.get(pool, a), intervals.get(pool, b)) else {
        return;
    };
    let gap = u64::from(strict);
    let all = mask(pool.width(a));
    if let (Some(high), Some(low)) = (y.high.checked_sub(gap), x.low.checked_add(gap))
        && low <= all
    {
        intervals.bound(pool, a, Interval { low: 0, high });
        intervals.bound(pool, b, Interval { low, high: all });
    }
}

/// `a < b` or `a ≤ b`, signed.
fn signed_order(pool: &TermPool, intervals: &mut Intervals, a: TermId, b: TermId, strict: bool) {
    let (Some(x), Some(y)) = (intervals.get(pool, a), intervals.get(pool, b)) else {
        return;
    };
    let most = mask(pool.width(a)) >> 1;
    let minus_one = mask(pool.width(a));
    // Whatever is above a number that is not negative, or above -1, is not negative.
    let above = x.high <= most || (strict && x == Interval::exactly(minus_one));
    if above {
        intervals.bound(pool, b, Interval { low: 0, high: most });
    }
    let y = intervals.get(pool, b).unwrap_or(y);
    if x.high <= most && y.high <= most {
        order(pool, intervals, a, b, strict);
    }
}
