//! A few values: `x ∈ {c₁, …, cₙ}`, which is what states of automata need.

use super::{Template, Words};
use foghorn_encode::claim::Formula;
use foghorn_term::{BitVecValue, TermId, TermPool};
use num_bigint::BigInt;
use std::collections::BTreeMap;

/// More values than this are any value.
const MOST: usize = 10;

/// The values of one quantity.
#[derive(Clone, Debug)]
pub struct Values {
    quantity: usize,
    /// By the number that the bits are; `None` if it may have any.
    known: Option<BTreeMap<num_bigint::BigUint, BitVecValue>>,
    /// Numbers from here on mean the same.
    from: Option<u64>,
}

impl Values {
    pub fn new(quantity: usize) -> Self {
        Values {
            quantity,
            known: Some(BTreeMap::new()),
            from: None,
        }
    }

    /// For numbers that name something, where all from a certain one on mean the same.
    pub fn of_names(quantity: usize, from: u64) -> Self {
        Values {
            from: Some(from),
            ..Values::new(quantity)
        }
    }

    /// The number that stands for all that mean the same.
    fn representative(&self, value: &BitVecValue) -> BitVecValue {
        match self.from {
            Some(from) if value.to_u64().is_none_or(|value| value >= from) => {
                BitVecValue::from_u64(value.width(), from)
            }
            Some(_) | None => value.clone(),
        }
    }
}

impl Template for Values {
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
            let own = values[self.quantity];
            cases.push(match self.from {
                Some(from) if value.to_u64() == Some(from) => pool.bv_ule(literal, own),
                Some(_) | None => pool.equal(own, literal),
            });
        }
        pool.or(&cases)
    }

    fn join(&mut self, state: &[BitVecValue]) -> bool {
        let value = self.representative(&state[self.quantity]);
        let Some(known) = &mut self.known else {
            return false;
        };
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
        match &self.known {
            Some(known) if !known.is_empty() => {
                let all: Vec<String> = known.keys().map(ToString::to_string).collect();
                vec![format!(
                    "{} in {{{}}}",
                    names[self.quantity],
                    all.join(", ")
                )]
            }
            Some(_) | None => vec![],
        }
    }

    fn claim(&self, words: &dyn Words) -> Option<Formula> {
        let Some(known) = &self.known else {
            return Some(Formula::Constant(true));
        };
        let mut cases = vec![];
        for value in known.values() {
            cases.push(match self.from {
                Some(from) if value.to_u64() == Some(from) => words.is_lost(self.quantity)?,
                Some(_) | None => words.is(self.quantity, value)?,
            });
        }
        Some(Formula::any(cases))
    }

    fn counted_values(&self) -> Option<(usize, Option<usize>)> {
        Some((self.quantity, self.known.as_ref().map(BTreeMap::len)))
    }

    fn duplicate(&self) -> Box<dyn Template> {
        Box::new(self.clone())
    }
}
