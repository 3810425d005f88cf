//! What the formulas of loops compare: a quantity with a number, where a loop changes its way, or two quantities.

use crate::cut::record::CutLoop;
use crate::invariant::{Invariants, Row};
use crate::template::{Reading, Split, Threshold, choose};
use foghorn_term::{Op, TermId, TermPool};
use num_bigint::BigInt;
use std::collections::{BTreeMap, BTreeSet};

/// Numbers of one loop at which rows are split; others cost more than they say.
const MOST: usize = 4;

/// Rows on each side of a split.
const MOST_ROWS: usize = 40;

/// Adds rows that are split where a formula compares a quantity at a head with a number.
pub(crate) fn add_splits(
    pool: &TermPool,
    loops: &[CutLoop],
    roots: &[TermId],
    all: &mut Invariants,
) {
    let mut found = thresholds(pool, loops, roots);
    let mut done: Vec<&CutLoop> = vec![];
    for (index, cut) in loops.iter().enumerate() {
        // Entries that share an invariant share its rows.
        let is_same = |it: &&CutLoop| it.key == cut.key && it.quantities == cut.quantities;
        if done.iter().any(is_same) {
            continue;
        }
        done.push(cut);
        let Some(thresholds) = found.remove(&index) else {
            continue;
        };
        let shapes = crate::invariant::shapes(pool, cut, &Invariants::default());
        let pattern = choose::on_a_side(&shapes);
        if pattern.len() > MOST_ROWS {
            continue;
        }
        let splits = thresholds.into_iter().take(MOST).map(|threshold| {
            let split = Split::new(threshold, pattern.clone());
            Row::new(Box::new(split))
        });
        all.extend(cut, splits.collect());
    }
}

/// By the number of the loop.
fn thresholds(
    pool: &TermPool,
    loops: &[CutLoop],
    roots: &[TermId],
) -> BTreeMap<usize, BTreeSet<Threshold>> {
    let heads = quantities_at_heads(pool, loops);
    let mut found: BTreeMap<usize, BTreeSet<Threshold>> = BTreeMap::new();
    for term in pool.post_order(roots) {
        let (reading, is_strict) = match pool.op(term) {
            Op::BvSlt => (Reading::Signed, true),
            Op::BvSle => (Reading::Signed, false),
            Op::BvUlt => (Reading::Unsigned, true),
            Op::BvUle => (Reading::Unsigned, false),
            _ => continue,
        };
        let (left, right) = (pool.child(term, 0), pool.child(term, 1));
        let read = |term: TermId| -> Option<BigInt> {
            let value = pool.as_bitvec(term)?;
            Some(crate::template::read(value, reading))
        };
        // `x < c` and `c <= x` part at c - 1, `x <= c` and `c < x` at c.
        let (value, at) = match (read(left), read(right)) {
            (None, Some(number)) => (left, number - i32::from(is_strict)),
            (Some(number), None) => (right, number - i32::from(!is_strict)),
            _ => continue,
        };
        // Beyond the least number there is no lower side.
        let width = pool.width(value);
        let least = match reading {
            Reading::Signed => -(BigInt::from(1) << (width - 1)),
            Reading::Unsigned => BigInt::from(0),
        };
        if at < least {
            continue;
        }
        for &(index, quantity) in heads.get(&value).into_iter().flatten() {
            if !loops[index].quantities[quantity].is_carried() {
                continue;
            }
            let threshold = Threshold {
                quantity,
                reading,
                at: at.clone(),
            };
            found.entry(index).or_default().insert(threshold);
        }
    }
    found
}

/// Loop and quantity of each term that a quantity is at a head.
type Heads = BTreeMap<TermId, Vec<(usize, usize)>>;

fn quantities_at_heads(pool: &TermPool, loops: &[CutLoop]) -> Heads {
    let mut heads = Heads::new();
    for (index, cut) in loops.iter().enumerate() {
        let Some(copy) = cut.copies.first() else {
            continue;
        };
        for (quantity, &value) in copy.head.values.iter().enumerate() {
            if pool.as_bitvec(value).is_some() {
                continue;
            }
            heads.entry(value).or_default().push((index, quantity));
            // Comparisons may have moved into the choice between loop-back and first value.
            if pool.op(value) == Op::Ite && pool.child(value, 0) == cut.select {
                let back = pool.child(value, 1);
                heads.entry(back).or_default().push((index, quantity));
            }
        }
    }
    heads
}

/// The pairs of quantities of each loop that are compared with each other, a constant apart or not.
pub(crate) fn compared_pairs(
    pool: &TermPool,
    loops: &[CutLoop],
    roots: &[TermId],
) -> BTreeMap<usize, BTreeSet<(usize, usize)>> {
    let heads = quantities_at_heads(pool, loops);
    let mut found: BTreeMap<usize, BTreeSet<(usize, usize)>> = BTreeMap::new();
    for term in pool.post_order(roots) {
        let is_comparison = matches!(
            pool.op(term),
            Op::BvSlt | Op::BvSle | Op::BvUlt | Op::BvUle | Op::Equal
        );
        if !is_comparison {
            continue;
        }
        let [left, right] = [0, 1].map(|side| {
            let term = without_constant(pool, pool.child(term, side));
            heads.get(&term).map_or(&[][..], Vec::as_slice)
        });
        for &(index, one) in left {
            for &(other_index, other) in right {
                let quantities = &loops[index].quantities;
                let is_pair = index == other_index
                    && one != other
                    && (quantities[one].is_carried() || quantities[other].is_carried());
                if is_pair {
                    let pair = (one.min(other), one.max(other));
                    found.entry(index).or_default().insert(pair);
                }
            }
        }
    }
    found
}

/// `x` for `x + c`.
fn without_constant(pool: &TermPool, term: TermId) -> TermId {
    if pool.op(term) != Op::BvAdd {
        return term;
    }
    let [left, right] = [0, 1].map(|side| pool.child(term, side));
    match (pool.as_bitvec(left), pool.as_bitvec(right)) {
        (None, Some(_)) => left,
        (Some(_), None) => right,
        _ => term,
    }
}
