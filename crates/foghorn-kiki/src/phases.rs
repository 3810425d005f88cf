//! Where loops change their way: numbers that their formulas compare a quantity with.

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
        let pattern = choose::on_a_side(&crate::invariant::shapes(pool, cut));
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
    let mut heads: BTreeMap<TermId, (usize, usize)> = BTreeMap::new();
    for (index, cut) in loops.iter().enumerate() {
        let Some(copy) = cut.copies.first() else {
            continue;
        };
        for (quantity, &value) in copy.head.values.iter().enumerate() {
            if !cut.quantities[quantity].is_carried() || pool.as_bitvec(value).is_some() {
                continue;
            }
            heads.insert(value, (index, quantity));
            // Comparisons may have moved into the choice between loop-back and first value.
            if pool.op(value) == Op::Ite && pool.child(value, 0) == cut.select {
                heads.insert(pool.child(value, 1), (index, quantity));
            }
        }
    }
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
        if let Some(&(index, quantity)) = heads.get(&value) {
            let threshold = Threshold {
                quantity,
                reading,
                at,
            };
            found.entry(index).or_default().insert(threshold);
        }
    }
    found
}
