//! A few differences: `x - y ∈ {c₁, …, cₙ}` on the machine's own integers, where a wrap-around is no other case.

use super::{Reading, Template, Words};
use foghorn_encode::claim::{Expression, Formula};
use foghorn_term::{BitVecValue, Op, TermId, TermPool};
use num_bigint::{BigInt, BigUint};
use std::collections::BTreeMap;

/// More differences than this are any.
const MOST: usize = 4;

/// The differences of two quantities of one width.
#[derive(Clone, Debug)]
pub struct Difference {
    left: usize,
    right: usize,
    /// By the number that the bits are; `None` if it may be any.
    known: Option<BTreeMap<BigUint, BitVecValue>>,
}

impl Difference {
    pub fn new(left: usize, right: usize) -> Self {
        Difference {
            left,
            right,
            known: Some(BTreeMap::new()),
        }
    }
}

impl Template for Difference {
    fn is_bottom(&self) -> bool {
        self.known.as_ref().is_some_and(BTreeMap::is_empty)
    }

    fn is_top(&self) -> bool {
        self.known.is_none()
    }

    fn forget(&mut self) {
        self.known = None;
    }

    fn formula(&self, pool: &mut TermPool, values: &[TermId]) -> TermId {
        let Some(known) = &self.known else {
            return pool.bool(true);
        };
        let mut cases = vec![];
        for value in known.values() {
            let literal = pool.bitvec(value.clone());
            let sum = pool.make(Op::BvAdd, &[values[self.right], literal]);
            cases.push(pool.equal(values[self.left], sum));
        }
        pool.or(&cases)
    }

    fn join(&mut self, state: &[BitVecValue]) -> bool {
        let Some(known) = &mut self.known else {
            return false;
        };
        let value = state[self.left].sub(&state[self.right]);
        let is_new = known.insert(value.to_biguint(), value).is_none();
        if known.len() > MOST {
            self.known = None;
        }
        is_new
    }

    fn widen(&mut self, state: &[BitVecValue]) -> bool {
        self.join(state)
    }

    fn bound(&self) -> Option<(BigInt, BigInt)> {
        None
    }

    fn raise(&mut self, _: BigInt) {}

    fn describe(&self, names: &[String]) -> Vec<String> {
        let known = self.known.iter().flatten();
        let all: Vec<String> = known
            .map(|(_, value)| value.to_signed().to_string())
            .collect();
        let (left, right) = (&names[self.left], &names[self.right]);
        match &all[..] {
            [] => vec![],
            [one] => vec![format!("{left} - {right} == {one}")],
            _ => vec![format!("{left} - {right} in {{{}}}", all.join(", "))],
        }
    }

    fn claim(&self, words: &dyn Words) -> Option<Formula> {
        let Some(known) = &self.known else {
            return Some(Formula::Constant(true));
        };
        let mut cases = vec![];
        for value in known.values() {
            let left = words.read(self.left, Reading::Unsigned)?;
            let right = words.read(self.right, Reading::Unsigned)?;
            let literal = Expression::Number(value.to_biguint().to_string());
            let difference = left.minus(right).wrapped(value.width(), false);
            cases.push(difference.equals(literal));
        }
        Some(Formula::any(cases))
    }

    fn duplicate(&self) -> Box<dyn Template> {
        Box::new(self.clone())
    }
}
