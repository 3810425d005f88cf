//! What assumptions say about single values, used in all that comes after them.
//!
//! Behind `assume(size <= 10)` the upper sixty bits of `size` are zero. A solver that works on bits
//! finds that out by propagation, but only after a formula with a full multiplier has been made for
//! `size * count`. So the value is replaced by its low bits, extended with zeros, in everything
//! that the assumption governs: `a ∧ r` and `a ∧ r[x := 0…0·x[k..0]]` are equivalent where `a`
//! implies `x < 2^(k+1)`. A value that is equal to a literal is replaced by the literal.
//!
//! Bounds are found in conjunctions of comparisons with literals and with values that are bounded
//! themselves.

use foghorn_term::rewrite::Rewriter;
use foghorn_term::rules::RuleSet;
use foghorn_term::{BitVecValue, Op, Substitution, TermId, TermPool};
use rustc_hash::FxHashMap;

/// Values up to this one are few enough to be looked at one by one.
const FEW: u64 = 3;

/// What an assumption allows behind it.
#[derive(Debug, Default)]
pub struct Narrowing {
    pub replaced: Substitution,
    pub few: Vec<Few>,
}

/// A value with few possibilities.
#[derive(Clone, Copy, Debug)]
pub struct Few {
    value: TermId,
    /// What it is replaced by.
    narrow: TermId,
    largest: u64,
}

impl Few {
    /// A formula about what is behind the assumption as one case for each possibility, where the
    /// value is multiplied with something unknown: `n * size` is hard to reason about, `n * 1` and
    /// `n * 2` are not. None where it is not.
    pub fn split(
        &self,
        pool: &mut TermPool,
        simplifier: &mut Rewriter<RuleSet>,
        formula: TermId,
    ) -> Vec<TermId> {
        if !self.is_factor(pool, formula) {
            return vec![];
        }
        let width = pool.width(self.value);
        let mut cases = vec![];
        for possibility in 0..=self.largest {
            let literal = pool.bv(width, possibility);
            let mut replaced = Substitution::new();
            replaced.insert(pool, self.narrow, literal);
            replaced.insert(pool, self.value, literal);
            let case = pool.substitute(formula, &replaced);
            let case = simplifier.rewrite(pool, case);
            let is = pool.equal(self.value, literal);
            cases.push(pool.and(&[is, case]));
        }
        cases
    }

    fn is_factor(&self, pool: &TermPool, formula: TermId) -> bool {
        pool.post_order(&[formula]).any(|term| {
            pool.op(term) == Op::BvMul
                && pool
                    .children(term)
                    .iter()
                    .any(|&child| match pool.op(child) {
                        Op::ZeroExtend(_) => {
                            child == self.narrow || pool.child(child, 0) == self.narrow
                        }
                        _ => child == self.narrow,
                    })
        })
    }
}

/// The largest value of terms, as assumptions give it.
#[derive(Debug, Default)]
pub struct Bounds {
    largest: FxHashMap<TermId, u64>,
}

impl Bounds {
    /// Takes an assumption in. What may be replaced by what behind it.
    pub fn assume(&mut self, pool: &mut TermPool, condition: TermId) -> Narrowing {
        let mut narrowing = Narrowing::default();
        let mut facts = vec![condition];
        while let Some(fact) = facts.pop() {
            if pool.op(fact) == Op::And {
                facts.extend_from_slice(pool.children(fact));
                continue;
            }
            if let Some((value, largest)) = self.bound(pool, fact) {
                self.learn(pool, value, largest, &mut narrowing);
            } else if let Some((value, literal)) = equality(pool, fact) {
                narrowing.replaced.insert(pool, value, literal);
            }
        }
        narrowing
    }

    fn learn(
        &mut self,
        pool: &mut TermPool,
        value: TermId,
        largest: u64,
        narrowing: &mut Narrowing,
    ) {
        let known = self.largest.get(&value).copied().unwrap_or(u64::MAX);
        if largest >= known || !is_opaque(pool, value) {
            return;
        }
        self.largest.insert(value, largest);
        let width = pool.width(value);
        let bits = (u64::BITS - largest.leading_zeros()).max(1);
        if bits < width && narrowing.replaced.get(value).is_none() {
            let low = pool.extract(bits - 1, 0, value);
            let narrow = pool.zero_extend(width - bits, low);
            narrowing.replaced.insert(pool, value, narrow);
            if largest <= FEW {
                narrowing.few.push(Few {
                    value,
                    narrow,
                    largest,
                });
            }
        }
    }

    /// The value that a fact bounds from above, with the bound.
    fn bound(&self, pool: &TermPool, fact: TermId) -> Option<(TermId, u64)> {
        let (op, negated, left, right) = comparison(pool, fact)?;
        // `left < right`, or `left <= right`.
        let (left, right, strict) = match (op, negated) {
            (Op::BvUlt, false) => (left, right, true),
            (Op::BvUle, false) => (left, right, false),
            (Op::BvUlt, true) => (right, left, false),
            (Op::BvUle, true) => (right, left, true),
            _ => return None,
        };
        let largest = self.largest_of(pool, right)?;
        let largest = if strict {
            largest.checked_sub(1)?
        } else {
            largest
        };
        Some((left, largest))
    }

    fn largest_of(&self, pool: &TermPool, term: TermId) -> Option<u64> {
        match pool.as_bitvec(term) {
            Some(literal) => BitVecValue::to_u64(literal),
            None => self.largest.get(&term).copied(),
        }
    }
}

fn comparison(pool: &TermPool, fact: TermId) -> Option<(Op, bool, TermId, TermId)> {
    let (fact, negated) = match pool.op(fact) {
        Op::Not => (pool.child(fact, 0), true),
        _ => (fact, false),
    };
    match pool.op(fact) {
        op @ (Op::BvUlt | Op::BvUle) => {
            Some((op, negated, pool.child(fact, 0), pool.child(fact, 1)))
        }
        _ => None,
    }
}

/// A value that a fact makes equal to a literal.
fn equality(pool: &TermPool, fact: TermId) -> Option<(TermId, TermId)> {
    if pool.op(fact) != Op::Equal {
        return None;
    }
    let [left, right] = pool.child_array::<2>(fact)?;
    match (pool.as_bitvec(left), pool.as_bitvec(right)) {
        (None, Some(_)) if is_opaque(pool, left) => Some((left, right)),
        (Some(_), None) if is_opaque(pool, right) => Some((right, left)),
        _ => None,
    }
}

/// Nothing about the term is known from its form.
fn is_opaque(pool: &TermPool, term: TermId) -> bool {
    matches!(pool.op(term), Op::Symbol(_) | Op::Apply(_) | Op::Select)
}

#[cfg(test)]
mod tests {
    use super::*;
    use foghorn_term::Sort;

    fn symbols(pool: &mut TermPool) -> (TermId, TermId) {
        (
            pool.fresh_symbol("x", Sort::BitVec(64)),
            pool.fresh_symbol("y", Sort::BitVec(64)),
        )
    }

    #[test]
    fn a_bounded_value_is_its_low_bits() {
        let mut pool = TermPool::new();
        let (x, y) = symbols(&mut pool);
        let ten = pool.bv(64, 10);
        let below = pool.make(Op::BvUlt, &[x, ten]);
        let mut bounds = Bounds::default();
        let replaced = bounds.assume(&mut pool, below);
        let narrow = replaced.replaced.get(x).expect("x is bounded");
        let low = pool.extract(3, 0, x);
        assert_eq!(narrow, pool.zero_extend(60, low));
        assert_eq!(replaced.replaced.get(y), None);
    }

    #[test]
    fn bounds_go_through_other_values() {
        let mut pool = TermPool::new();
        let (x, y) = symbols(&mut pool);
        let ten = pool.bv(64, 10);
        let first = pool.make(Op::BvUle, &[y, ten]);
        let second = pool.make(Op::BvUle, &[x, y]);
        let mut bounds = Bounds::default();
        bounds.assume(&mut pool, first);
        assert!(bounds.assume(&mut pool, second).replaced.get(x).is_some());
    }

    #[test]
    fn a_negated_comparison_bounds_the_other_side() {
        let mut pool = TermPool::new();
        let (x, _) = symbols(&mut pool);
        let ten = pool.bv(64, 10);
        let above = pool.make(Op::BvUlt, &[ten, x]);
        let not_above = pool.not(above);
        let mut bounds = Bounds::default();
        assert!(
            bounds
                .assume(&mut pool, not_above)
                .replaced
                .get(x)
                .is_some()
        );
        let lower = pool.make(Op::BvUlt, &[ten, x]);
        let replaced = Bounds::default().assume(&mut pool, lower).replaced;
        assert!(replaced.is_empty());
    }

    #[test]
    fn an_equality_with_a_literal_is_the_literal() {
        let mut pool = TermPool::new();
        let (x, _) = symbols(&mut pool);
        let ten = pool.bv(64, 10);
        let equal = pool.equal(x, ten);
        let replaced = Bounds::default().assume(&mut pool, equal).replaced;
        assert_eq!(replaced.get(x), Some(ten));
    }

    #[test]
    fn a_factor_with_few_possibilities_is_split_into_cases() {
        let mut pool = TermPool::new();
        let (x, y) = symbols(&mut pool);
        let (three, hundred) = (pool.bv(64, 3), pool.bv(64, 100));
        let below = pool.make(Op::BvUlt, &[x, three]);
        let narrowing = Bounds::default().assume(&mut pool, below);
        let product = pool.bv_mul(x, y);
        let formula = pool.make(Op::BvUlt, &[product, hundred]);
        let merged = pool.substitute(formula, &narrowing.replaced);
        let mut simplifier = foghorn_term::rules::simplifier();
        let [few] = narrowing.few[..] else {
            panic!("x has few possibilities");
        };
        let split = few.split(&mut pool, &mut simplifier, merged);
        assert_eq!(split.len(), 3);
        let split = pool.or(&split);
        let products = |root| {
            let mut terms = pool.post_order(&[root]);
            terms.any(|term| pool.op(term) == Op::BvMul)
        };
        assert!(products(merged) && !products(split));
        for (size, count) in [(0, 7), (1, 99), (1, 100), (2, 49), (2, 50), (2, 1 << 63)] {
            let mut model = foghorn_term::eval::Model::new();
            for (symbol, value) in [(x, size), (y, count)] {
                let Op::Symbol(symbol) = pool.op(symbol) else {
                    panic!("a symbol");
                };
                let value = BitVecValue::from_u64(64, value);
                model.set(symbol, foghorn_term::eval::Value::BitVec(value));
            }
            let mut evaluator = foghorn_term::eval::Evaluator::new(&pool, &model);
            let [one, other] = [formula, split].map(|term| {
                let value = evaluator.evaluate(term).expect("all symbols have values");
                value.as_bool()
            });
            assert_eq!(one, other, "{size} times {count}");
        }
    }

    #[test]
    fn a_value_that_is_no_factor_is_not_split() {
        let mut pool = TermPool::new();
        let (x, y) = symbols(&mut pool);
        let three = pool.bv(64, 3);
        let below = pool.make(Op::BvUlt, &[x, three]);
        let narrowing = Bounds::default().assume(&mut pool, below);
        let formula = pool.make(Op::BvUlt, &[x, y]);
        let merged = pool.substitute(formula, &narrowing.replaced);
        let mut simplifier = foghorn_term::rules::simplifier();
        let split = narrowing.few[0].split(&mut pool, &mut simplifier, merged);
        assert!(split.is_empty());
    }
}
