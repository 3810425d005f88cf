//! The power template: a template for each value of a quantity that tells cases apart (§5.5 of the 2LS thesis has one for
//! each symbolic path through the loops; which path was taken last is what such a quantity says).

use super::{Template, Words};
use foghorn_encode::claim::Formula;
use foghorn_term::{BitVecValue, TermId, TermPool};
use num_bigint::{BigInt, BigUint};
use std::collections::BTreeMap;

/// More cases than this are told apart no longer.
const MOST: usize = 12;

/// A value, and the rows that hold where the quantity has it.
type Case = (BitVecValue, Vec<Box<dyn Template>>);

/// `⋁ᵥ (case == v ∧ Tᵥ)`.
#[derive(Clone, Debug)]
pub struct Power {
    case: usize,
    /// What each case starts with.
    pattern: Vec<Box<dyn Template>>,
    /// `None` if cases are no longer told apart.
    cases: Option<BTreeMap<BigUint, Case>>,
}

impl Power {
    /// The rows of `pattern`, for each value of the quantity `case`.
    pub fn new(case: usize, pattern: Vec<Box<dyn Template>>) -> Self {
        Power {
            case,
            pattern,
            cases: Some(BTreeMap::new()),
        }
    }
}

impl Template for Power {
    fn is_bottom(&self) -> bool {
        self.cases.as_ref().is_some_and(BTreeMap::is_empty)
    }

    fn is_top(&self) -> bool {
        self.cases.is_none()
    }

    fn forget(&mut self) {
        self.cases = None;
    }

    fn formula(&self, pool: &mut TermPool, values: &[TermId]) -> TermId {
        let Some(cases) = &self.cases else {
            return pool.bool(true);
        };
        let mut all = vec![];
        for (value, rows) in cases.values() {
            let literal = pool.bitvec(value.clone());
            let mut parts = vec![pool.equal(values[self.case], literal)];
            parts.extend(rows.iter().map(|row| row.formula(pool, values)));
            all.push(pool.and(&parts));
        }
        pool.or(&all)
    }

    fn join(&mut self, state: &[BitVecValue]) -> bool {
        let Some(cases) = &mut self.cases else {
            return false;
        };
        let value = &state[self.case];
        let case = cases
            .entry(value.to_biguint())
            .or_insert_with(|| (value.clone(), self.pattern.clone()));
        let mut changed = false;
        for row in &mut case.1 {
            changed |= row.join(state);
        }
        if cases.len() > MOST {
            self.cases = None;
        }
        changed
    }

    fn widen(&mut self, state: &[BitVecValue]) -> bool {
        let Some(cases) = &mut self.cases else {
            return false;
        };
        match cases.get_mut(&state[self.case].to_biguint()) {
            Some((_, rows)) => {
                let mut changed = false;
                for row in rows {
                    changed |= row.widen(state);
                }
                changed
            }
            None => self.join(state),
        }
    }

    fn bound(&self) -> Option<(BigInt, BigInt)> {
        None
    }

    /// Bounds are not searched for in each case: what has grown is any from here on.
    fn raise(&mut self, _: BigInt) {}

    fn describe(&self, names: &[String]) -> Vec<String> {
        let Some(cases) = &self.cases else {
            return vec![];
        };
        let mut all = vec![];
        for (value, (_, rows)) in cases {
            for row in rows.iter().flat_map(|row| row.describe(names)) {
                all.push(format!("{} == {value} => {row}", names[self.case]));
            }
        }
        all
    }

    fn claim(&self, words: &dyn Words) -> Option<Formula> {
        let Some(cases) = &self.cases else {
            return Some(Formula::Constant(true));
        };
        let mut all = vec![];
        for (value, rows) in cases.values() {
            let mut parts = vec![words.is(self.case, value)?];
            // A row that has no words says nothing.
            parts.extend(rows.iter().filter_map(|row| row.claim(words)));
            parts.retain(|part| *part != Formula::Constant(true));
            all.push(Formula::all(parts));
        }
        Some(Formula::any(all))
    }

    fn duplicate(&self) -> Box<dyn Template> {
        Box::new(self.clone())
    }
}
