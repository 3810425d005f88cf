//! Which quantities make up the state of a machine: those of which cheap rows have found that they have few values.

use crate::cut::record::{CutLoop, Quantity};
use crate::invariant::{Invariants, Row, shapes};
use crate::template::choose::interval_of;
use crate::template::{Count, Difference, Reading, Shape, States, Template, Values};
use foghorn_term::TermPool;
use std::collections::{BTreeMap, BTreeSet};

/// Quantities that make up a state; with more of them combinations are too many to be told apart.
const MOST: usize = 48;

/// Numbers of many values that are all related with each other, if they are no more.
const FEW: usize = 6;

/// Rows about what quantities were when the loop was entered.
const MOST_SINCE_ENTRY: usize = 12;

/// Pairs that are related in each state.
const MOST_PAIRS: usize = 15;

/// Adds rows of states for these loops. `compared` has the pairs of quantities of each loop that formulas compare.
pub(crate) fn add_rows(
    pool: &TermPool,
    loops: &[CutLoop],
    found: &Invariants,
    compared: &BTreeMap<usize, BTreeSet<(usize, usize)>>,
    all: &mut Invariants,
) {
    let mut done: Vec<&CutLoop> = vec![];
    for (index, cut) in loops.iter().enumerate() {
        // Entries that share an invariant share its rows.
        let is_same = |it: &&CutLoop| it.key == cut.key && it.quantities == cut.quantities;
        if done.iter().any(is_same) {
            continue;
        }
        done.push(cut);
        let shapes = shapes(pool, cut, found);
        let of: Vec<usize> = (0..shapes.len())
            .filter(|&at| is_of_state(&shapes[at]))
            .collect();
        let own = compared.get(&index).cloned().unwrap_or_default();
        let mut pattern = relations(&shapes, own);
        pattern.extend(since_entry(pool, cut, &shapes));
        // The values of one quantity are a row of their own.
        if of.len() > MOST || (of.len() < 2 && pattern.is_empty()) {
            continue;
        }
        let states = States::new(of, pattern);
        all.extend(cut, vec![Row::new(Box::new(states))]);
    }
}

/// A number that stands for many objects is no part of a state.
fn is_of_state(shape: &Shape) -> bool {
    shape.count == Count::Few
        && !shape.is_fixed
        && shape.width <= 64
        && !(shape.is_name && shape.width > 1)
}

/// Rows that relate numbers of many values to what they were when the loop was entered, and say what those of few values
/// were, unless that is a literal.
fn since_entry(pool: &TermPool, cut: &CutLoop, shapes: &[Shape]) -> Vec<Box<dyn Template>> {
    let mut rows: Vec<Box<dyn Template>> = vec![];
    for (at, quantity) in cut.quantities.iter().enumerate() {
        let Quantity::Entered { of } = *quantity else {
            continue;
        };
        if pool.as_bitvec(cut.first.values[of]).is_some() || rows.len() >= MOST_SINCE_ENTRY {
            continue;
        }
        rows.push(match shapes[of].count {
            Count::Many | Count::Unknown => Box::new(Difference::new(of, at)),
            // From other entries no iteration comes back.
            Count::One | Count::Few => Box::new(Values::new(at)),
        });
    }
    rows
}

/// Rows of numbers of many values: differences of those that the program compares; if they are few, all differences and
/// their bounds.
fn relations(shapes: &[Shape], compared: BTreeSet<(usize, usize)>) -> Vec<Box<dyn Template>> {
    let is_free = |at: usize| {
        let shape = &shapes[at];
        shape.is_number() && matches!(shape.count, Count::Many | Count::Unknown)
    };
    let free: Vec<usize> = (0..shapes.len()).filter(|&at| is_free(at)).collect();
    let mut pairs: Vec<(usize, usize)> = compared.into_iter().collect();
    pairs.retain(|&(left, right)| is_free(left) && is_free(right));
    if free.len() <= FEW {
        for (at, &left) in free.iter().enumerate() {
            pairs.extend(free[at + 1..].iter().map(|&right| (left, right)));
        }
    }
    pairs.sort_unstable();
    pairs.dedup();
    pairs.retain(|&(left, right)| {
        let (left, right) = (&shapes[left], &shapes[right]);
        left.width == right.width && !(left.is_fixed && right.is_fixed)
    });
    let pairs = pairs.into_iter().take(MOST_PAIRS);
    let differences =
        pairs.map(|(left, right)| -> Box<dyn Template> { Box::new(Difference::new(left, right)) });
    let mut rows: Vec<Box<dyn Template>> = differences.collect();
    if free.len() <= FEW {
        for at in free.into_iter().filter(|&at| !shapes[at].is_fixed) {
            rows.extend(interval_of(at, shapes[at].width, Reading::Signed));
        }
    }
    rows
}
