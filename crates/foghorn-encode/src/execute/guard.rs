//! Path conditions (guards): when blocks are reached, and how two paths meet.
//!
//! A guard is a conjunction of branch conditions. Where paths meet, what both have in common is
//! kept as it is and only the rest is disjoined: the two sides of a branch meet in exactly the
//! guard before the branch, and a value that differs is selected by the branch's own condition
//! rather than by the whole guard (the gates of gated SSA, §2.5 of the SEAM thesis).

use foghorn_term::{Op, TermId, TermPool};
use smallvec::SmallVec;

/// Two guards that meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Meeting {
    /// Holds if either does.
    pub guard: TermId,
    /// Under `guard`: whether it is the first.
    pub first: TermId,
}

type Conjuncts = SmallVec<[TermId; 8]>;

fn conjuncts(pool: &TermPool, guard: TermId) -> Conjuncts {
    match pool.op(guard) {
        Op::And => Conjuncts::from_slice(pool.children(guard)),
        Op::True => Conjuncts::new(),
        _ => Conjuncts::from_slice(&[guard]),
    }
}

/// The guard and the gate of two paths that exclude each other.
pub fn meet(pool: &mut TermPool, first: TermId, second: TermId) -> Meeting {
    let (a, b) = (conjuncts(pool, first), conjuncts(pool, second));
    let common: Conjuncts = a.iter().copied().filter(|part| b.contains(part)).collect();
    let only = |parts: &Conjuncts| -> Conjuncts {
        let parts = parts.iter().copied();
        parts.filter(|part| !common.contains(part)).collect()
    };
    let (mut only_a, mut only_b) = (only(&a), only(&b));
    // A condition on one side whose negation alone is the other side says nothing there.
    if let [single] = only_a[..] {
        drop_negation(pool, &mut only_b, single);
    } else if let [single] = only_b[..] {
        drop_negation(pool, &mut only_a, single);
    }
    let gate = gate(pool, &only(&a), &only(&b));
    let (rest_a, rest_b) = (pool.and(&only_a), pool.and(&only_b));
    let rest = pool.or(&[rest_a, rest_b]);
    let mut parts = common;
    parts.push(rest);
    Meeting {
        guard: pool.and(&parts),
        first: gate,
    }
}

fn drop_negation(pool: &mut TermPool, parts: &mut Conjuncts, single: TermId) {
    let negation = pool.not(single);
    parts.retain(|part| *part != negation);
}

/// The shorter way to tell the two apart.
fn gate(pool: &mut TermPool, only_a: &Conjuncts, only_b: &Conjuncts) -> TermId {
    // One condition that both sides decide differently is enough.
    for &part in only_a {
        let negation = pool.not(part);
        if only_b.contains(&negation) {
            return part;
        }
    }
    if only_b.len() < only_a.len() {
        let second = pool.and(only_b);
        return pool.not(second);
    }
    pool.and(only_a)
}

#[cfg(test)]
mod tests {
    use super::*;
    use foghorn_term::Sort;

    fn symbol(pool: &mut TermPool, name: &str) -> TermId {
        pool.symbol(name, Sort::Bool)
    }

    #[test]
    fn the_sides_of_a_branch_meet_in_the_guard_before_it() {
        let mut pool = TermPool::new();
        let (g, h, c) = (
            symbol(&mut pool, "g"),
            symbol(&mut pool, "h"),
            symbol(&mut pool, "c"),
        );
        let before = pool.and(&[g, h]);
        let no = pool.not(c);
        let (left, right) = (pool.and(&[before, c]), pool.and(&[before, no]));
        let meeting = meet(&mut pool, left, right);
        assert_eq!(meeting.guard, before);
        assert_eq!(meeting.first, c);
    }

    #[test]
    fn an_early_exit_meets_a_late_one_without_repeating_itself() {
        let mut pool = TermPool::new();
        let (g, c, d) = (
            symbol(&mut pool, "g"),
            symbol(&mut pool, "c"),
            symbol(&mut pool, "d"),
        );
        let no = pool.not(c);
        let (early, late) = (pool.and(&[g, c]), pool.and(&[g, no, d]));
        let meeting = meet(&mut pool, early, late);
        let either = pool.or(&[c, d]);
        assert_eq!(meeting.guard, pool.and(&[g, either]));
        assert_eq!(meeting.first, c);
    }
}
