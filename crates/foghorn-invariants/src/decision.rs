//! What the truth of an `i1` says about numbers.
//!
//! The goto language has conditions without connectives, and a domain need not follow booleans
//! through `and` and `or`. So the translation carries with each `i1` a [`Decision`]: conditions in
//! disjunctive normal form that hold when it is true, and such that hold when it is false. A branch
//! on the value assumes them, a check has to refute them.
//!
//! Because values are in SSA form, a decision is as true where the value is used as where it is
//! defined: a variable of the decision can only change on a path that also defines the value again.

use foghorn_absint::language::Condition;

/// All of these hold.
pub type Conjunction = Vec<Condition>;

/// More alternatives than this are not told apart.
const MAXIMAL_ALTERNATIVES: usize = 4;

/// Longer conjunctions are not kept.
const MAXIMAL_LITERALS: usize = 8;

/// What holds when a truth value is true, and what when it is false. Each list is a disjunction
/// that includes every such state; an empty one says that there is none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Decision {
    pub holds: Vec<Conjunction>,
    pub fails: Vec<Conjunction>,
}

impl Decision {
    #[must_use]
    pub fn constant(value: bool) -> Decision {
        let (always, never) = (vec![Vec::new()], Vec::new());
        if value {
            Decision {
                holds: always,
                fails: never,
            }
        } else {
            Decision {
                holds: never,
                fails: always,
            }
        }
    }

    /// Exactly the condition.
    #[must_use]
    pub fn literal(condition: Condition) -> Decision {
        if let Condition::Constant(value) = condition {
            return Decision::constant(value);
        }
        Decision {
            fails: vec![vec![condition.negate()]],
            holds: vec![vec![condition]],
        }
    }

    /// The condition, if the decision is exactly one.
    #[must_use]
    pub fn as_literal(&self) -> Option<&Condition> {
        match (&self.holds[..], &self.fails[..]) {
            ([holds], [fails]) => match (&holds[..], &fails[..]) {
                ([condition], [opposite]) if *opposite == condition.negate() => Some(condition),
                _ => None,
            },
            _ => None,
        }
    }

    #[must_use]
    pub fn negated(self) -> Decision {
        Decision {
            holds: self.fails,
            fails: self.holds,
        }
    }

    /// What holds when the value is `truth`.
    #[must_use]
    pub fn when(&self, truth: bool) -> &[Conjunction] {
        if truth { &self.holds } else { &self.fails }
    }

    /// `None` when the result would be too large.
    #[must_use]
    pub fn and(&self, other: &Decision) -> Option<Decision> {
        Some(Decision {
            holds: product(&self.holds, &other.holds)?,
            fails: union(&self.fails, &other.fails)?,
        })
    }

    #[must_use]
    pub fn or(&self, other: &Decision) -> Option<Decision> {
        let both = self.clone().negated().and(&other.clone().negated())?;
        Some(both.negated())
    }

    #[must_use]
    pub fn xor(&self, other: &Decision) -> Option<Decision> {
        let different = union(
            &product(&self.holds, &other.fails)?,
            &product(&self.fails, &other.holds)?,
        )?;
        let equal = union(
            &product(&self.holds, &other.holds)?,
            &product(&self.fails, &other.fails)?,
        )?;
        Some(Decision {
            holds: different,
            fails: equal,
        })
    }

    /// `on_true` where this holds, else `on_false`.
    #[must_use]
    pub fn select(&self, on_true: &Decision, on_false: &Decision) -> Option<Decision> {
        let choose = |truth: bool| {
            union(
                &product(&self.holds, on_true.when(truth))?,
                &product(&self.fails, on_false.when(truth))?,
            )
        };
        Some(Decision {
            holds: choose(true)?,
            fails: choose(false)?,
        })
    }
}

fn union(left: &[Conjunction], right: &[Conjunction]) -> Option<Vec<Conjunction>> {
    let mut all = left.to_vec();
    all.extend(right.iter().filter(|it| !left.contains(it)).cloned());
    (all.len() <= MAXIMAL_ALTERNATIVES).then_some(all)
}

fn product(left: &[Conjunction], right: &[Conjunction]) -> Option<Vec<Conjunction>> {
    let mut all: Vec<Conjunction> = Vec::new();
    for a in left {
        for b in right {
            let mut both = a.clone();
            both.extend(b.iter().filter(|it| !a.contains(it)).cloned());
            if both.len() > MAXIMAL_LITERALS || all.len() >= MAXIMAL_ALTERNATIVES {
                return None;
            }
            all.push(both);
        }
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use foghorn_absint::linear::LinearConstraint;
    use foghorn_absint::variable::{Type, VariableId};

    fn at_most(index: u32, limit: i64) -> Condition {
        let x = VariableId::new(index, Type::Integer { width: 8 });
        LinearConstraint::less_or_equal(x, limit).into()
    }

    #[test]
    fn connectives_expand() {
        let (a, b) = (at_most(0, 1), at_most(1, 2));
        let (x, y) = (Decision::literal(a.clone()), Decision::literal(b.clone()));
        let both = x.and(&y).unwrap();
        assert_eq!(both.holds, vec![vec![a.clone(), b.clone()]]);
        assert_eq!(both.fails, vec![vec![a.negate()], vec![b.negate()]]);
        let either = x.or(&y).unwrap();
        assert_eq!(either.fails, vec![vec![a.negate(), b.negate()]]);
        let differ = x.xor(&Decision::constant(true)).unwrap();
        assert_eq!(differ, x.clone().negated());
        assert_eq!(differ.as_literal(), Some(&a.negate()));
    }

    #[test]
    fn constants_decide() {
        let x = Decision::literal(at_most(0, 1));
        assert!(x.and(&Decision::constant(false)).unwrap().holds.is_empty());
        assert_eq!(x.or(&Decision::constant(false)).unwrap(), x);
        let chosen = Decision::constant(true).select(&x, &Decision::constant(false));
        assert_eq!(chosen.unwrap(), x);
    }

    #[test]
    fn large_decisions_are_given_up() {
        let mut sum = Decision::literal(at_most(0, 0));
        for index in 1..MAXIMAL_ALTERNATIVES as u32 {
            sum = sum.or(&Decision::literal(at_most(index, 0))).unwrap();
        }
        assert_eq!(sum.or(&Decision::literal(at_most(99, 0))), None);
    }
}
