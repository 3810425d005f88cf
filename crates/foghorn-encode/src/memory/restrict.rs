//! `ite` whose sides know its condition.
//!
//! A read at one leaf of a pointer meets the merge that made that leaf possible: `ite(c, ite(c, v, w), …)`. What the inner
//! choice would have been otherwise (`w`, the cell before it was written, and of a pointer cell a pointer to anywhere) can
//! never be seen there. It has to go at once: a pointer that may point anywhere meets every write that it is read over.

use super::pointer::children;
use foghorn_term::{Op, TermId, TermPool};
use rustc_hash::FxHashMap;

/// Nodes of a side that are looked at.
const MOST_NODES: usize = 64;

/// `ite(condition, then, otherwise)`, each side as it is where it is chosen.
pub(super) fn chosen(
    pool: &mut TermPool,
    condition: TermId,
    then: TermId,
    otherwise: TermId,
) -> TermId {
    let (atom, truth) = match pool.op(condition) {
        Op::Not => (pool.child(condition, 0), false),
        _ => (condition, true),
    };
    let then = restricted(pool, then, atom, truth);
    let otherwise = restricted(pool, otherwise, atom, !truth);
    merged(pool, condition, then, otherwise)
}

/// `ite` with one of its sides, where the other one is a choice between that and something else, taken together: the end
/// of a list that may end at any node is one leaf and not as many as there are nodes.
fn merged(pool: &mut TermPool, condition: TermId, then: TermId, otherwise: TermId) -> TermId {
    if pool.op(otherwise) == Op::Ite {
        let [inner, x, y] = children(pool, otherwise);
        if x == then {
            let either = pool.or(&[condition, inner]);
            return pool.ite(either, then, y);
        }
        if y == then {
            let negated = pool.not(inner);
            let either = pool.or(&[condition, negated]);
            return pool.ite(either, then, x);
        }
    }
    if pool.op(then) == Op::Ite {
        let [inner, x, y] = children(pool, then);
        if y == otherwise {
            let both = pool.and(&[condition, inner]);
            return pool.ite(both, x, otherwise);
        }
        if x == otherwise {
            let negated = pool.not(inner);
            let both = pool.and(&[condition, negated]);
            return pool.ite(both, y, otherwise);
        }
    }
    pool.ite(condition, then, otherwise)
}

/// The side of a choice that is left when its condition is decided.
fn side(pool: &TermPool, term: TermId, atom: TermId, truth: bool) -> Option<TermId> {
    let decided = pool.op(term) == Op::Ite && pool.child(term, 0) == atom;
    decided.then(|| pool.child(term, if truth { 1 } else { 2 }))
}

/// A value where a condition is decided: choices by it, nested in other choices and in offsets, are made.
fn restricted(pool: &mut TermPool, term: TermId, atom: TermId, truth: bool) -> TermId {
    let mut known: FxHashMap<TermId, TermId> = FxHashMap::default();
    let mut stack = vec![term];
    while let Some(&top) = stack.last() {
        if known.contains_key(&top) {
            stack.pop();
            continue;
        }
        if known.len() > MOST_NODES {
            return term;
        }
        if let Some(side) = side(pool, top, atom, truth) {
            match known.get(&side).copied() {
                Some(value) => {
                    known.insert(top, value);
                }
                None => stack.push(side),
            }
            continue;
        }
        let first = match pool.op(top) {
            Op::Ite => 1,
            Op::Pointer => 0,
            _ => {
                known.insert(top, top);
                continue;
            }
        };
        let mut children: [TermId; 3] = [top; 3];
        let operands = pool.children(top);
        let count = operands.len();
        children[..count].copy_from_slice(operands);
        let missing = children[first..count]
            .iter()
            .find(|child| !known.contains_key(child));
        if let Some(&missing) = missing {
            stack.push(missing);
            continue;
        }
        let new: Vec<TermId> = (0..count)
            .map(|position| match position < first {
                true => children[position],
                false => known[&children[position]],
            })
            .collect();
        let made = if new[..] == children[..count] {
            top
        } else {
            pool.make(pool.op(top), &new)
        };
        known.insert(top, made);
    }
    known[&term]
}

#[cfg(test)]
mod tests {
    use super::*;
    use foghorn_term::Sort;

    #[test]
    fn what_cannot_be_chosen_goes() {
        let mut pool = TermPool::new();
        let [c, d] = ["c", "d"].map(|name| pool.symbol(name, Sort::Bool));
        let [x, y, z] = ["x", "y", "z"].map(|name| pool.bv_symbol(name, 8));
        let inner = pool.ite(c, x, y);
        let under_another = pool.ite(d, inner, z);
        let expected_side = pool.ite(d, x, z);
        let expected = pool.ite(c, expected_side, y);
        assert_eq!(chosen(&mut pool, c, under_another, inner), expected);
        let not_c = pool.not(c);
        assert_eq!(chosen(&mut pool, not_c, inner, x), inner);
        let pointer = pool.pointer(z, inner);
        let at_x = pool.pointer(z, x);
        let other = pool.pointer(y, y);
        let expected = pool.ite(c, at_x, other);
        assert_eq!(chosen(&mut pool, c, pointer, other), expected);
    }
}
