//! What the formulas of a run mention: the cells that rows should speak of, and the program's constants.

use crate::cut::Cut;
use crate::cut::record::{CutLoop, Followed};
use foghorn_encode::execute::context::ContextId;
use foghorn_encode::execute::event::{Event, What};
use foghorn_term::{BitVecValue, Op, TermId, TermPool};
use num_bigint::BigInt;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Cells of one loop that rows speak of; further ones are any.
const MOST_CELLS: usize = 40;

/// All terms that answers depend on.
pub(crate) fn roots(loops: &[CutLoop], events: &[Event]) -> Vec<TermId> {
    let mut roots = vec![];
    for event in events {
        roots.push(event.guard);
        match &event.what {
            What::Assume { condition }
            | What::Check { condition, .. }
            | What::Obligation { condition, .. } => roots.push(*condition),
            What::Input { .. } | What::Read { .. } | What::Unwinding { .. } => {}
        }
    }
    for cut in loops {
        for copy in &cut.copies {
            roots.extend(copy.back.iter().flat_map(|back| back.values.clone()));
            roots.extend(copy.back.iter().map(|back| back.guard));
        }
    }
    roots
}

/// Lets the policy follow each cell of a loop-back memory that a formula reads at a literal place; whether one is new.
pub(crate) fn follow_cells(pool: &TermPool, policy: &mut Cut, roots: &[TermId]) -> bool {
    let loops = policy.loops();
    let mut owners: FxHashMap<&str, (usize, usize)> = FxHashMap::default();
    for (index, cut) in loops.iter().enumerate() {
        for (function, parameter) in &cut.memories {
            owners.insert(function, (index, *parameter));
        }
    }
    let mut found: Vec<BTreeSet<Followed>> = vec![BTreeSet::new(); loops.len()];
    for term in pool.post_order(roots) {
        let Op::Apply(function) = pool.op(term) else {
            continue;
        };
        let name: &str = &pool.function_data(function).name;
        let Some(&(index, parameter)) = owners.get(name) else {
            continue;
        };
        let place = [0, 1].map(|child| {
            let literal = pool.as_bitvec(pool.child(term, child));
            literal.and_then(BitVecValue::to_u64)
        });
        if let [Some(object), Some(offset)] = place {
            found[index].insert(Followed {
                parameter,
                object,
                offset,
            });
        }
    }
    let mut is_new = false;
    let entries: Vec<ContextId> = loops.iter().map(|cut| cut.head.entry).collect();
    for (entry, cells) in entries.into_iter().zip(found) {
        for cell in cells.into_iter().take(MOST_CELLS) {
            is_new |= policy.follow(entry, cell);
        }
    }
    is_new
}

/// The numbers that formulas mention, with those next to them and their negatives, in order.
pub(crate) fn constants(pool: &TermPool, roots: &[TermId]) -> Vec<BigInt> {
    let mut found: BTreeSet<BigInt> = BTreeSet::new();
    for term in pool.post_order(roots) {
        let Some(value) = pool.as_bitvec(term) else {
            continue;
        };
        for number in [value.to_signed(), BigInt::from(value.to_biguint())] {
            for near in [-1, 0, 1] {
                let near: BigInt = &number + near;
                found.insert(-near.clone());
                found.insert(near);
            }
        }
    }
    found.into_iter().collect()
}
