//! The states template: which combinations of values a few quantities have together, and what relates others there.
//!
//! State machines are what needs it: tasks with program counters, flags and events, each of few values, of which few
//! combinations are reached (the power template of §5.5 of the 2LS thesis, with a path for each combination).

use super::{Template, Words};
use foghorn_encode::claim::Formula;
use foghorn_term::{BitVecValue, TermId, TermPool};
use num_bigint::{BigInt, BigUint};
use std::collections::BTreeMap;

/// More combinations than this are not told apart.
const MOST: usize = 600;

/// A row of a combination that has grown so often is widened.
const PATIENCE: u32 = 12;

/// A combination.
#[derive(Clone, Debug)]
struct Case {
    /// The values of the quantities, in order.
    values: Vec<BitVecValue>,
    /// What holds where they have them, with how often each row has grown.
    rows: Vec<(Box<dyn Template>, u32)>,
}

impl Case {
    fn grow(&mut self, state: &[BitVecValue]) -> bool {
        let mut any = false;
        for (row, grown) in &mut self.rows {
            let changed = match *grown < PATIENCE {
                true => row.join(state),
                false => row.widen(state),
            };
            *grown += u32::from(changed);
            any |= changed;
        }
        any
    }
}

/// `⋁ᵥ (q₁ == v₁ ∧ … ∧ qₙ == vₙ ∧ Tᵥ)`.
#[derive(Clone, Debug)]
pub struct States {
    of: Vec<usize>,
    /// What each combination starts with.
    pattern: Vec<Box<dyn Template>>,
    /// In the order of their numbers; `None` if combinations are no longer told apart.
    cases: Option<BTreeMap<Vec<BigUint>, Case>>,
}

impl States {
    /// The rows of `pattern`, for each combination of values of the quantities `of`.
    pub fn new(of: Vec<usize>, pattern: Vec<Box<dyn Template>>) -> Self {
        States {
            of,
            pattern,
            cases: Some(BTreeMap::new()),
        }
    }

    fn place(&self, state: &[BitVecValue]) -> Vec<BigUint> {
        let own = self.of.iter();
        own.map(|&quantity| state[quantity].to_biguint()).collect()
    }

    /// The cases that agree up to a quantity, as alternatives of its values: combinations share their beginnings, so that
    /// one more of them makes few new terms.
    fn branch(
        &self,
        pool: &mut TermPool,
        values: &[TermId],
        cases: &[&Case],
        depth: usize,
    ) -> TermId {
        let Some(&quantity) = self.of.get(depth) else {
            let rows = cases.iter().flat_map(|case| &case.rows);
            let rows: Vec<TermId> = rows.map(|row| row.0.formula(pool, values)).collect();
            return pool.and(&rows);
        };
        let mut alternatives = vec![];
        for group in cases.chunk_by(|left, right| left.values[depth] == right.values[depth]) {
            let literal = pool.bitvec(group[0].values[depth].clone());
            let is_it = pool.equal(values[quantity], literal);
            let rest = self.branch(pool, values, group, depth + 1);
            alternatives.push(pool.and(&[is_it, rest]));
        }
        pool.or(&alternatives)
    }
}

impl Template for States {
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
        let cases: Vec<&Case> = cases.values().collect();
        match cases.is_empty() {
            true => pool.bool(false),
            false => self.branch(pool, values, &cases, 0),
        }
    }

    fn join(&mut self, state: &[BitVecValue]) -> bool {
        let place = self.place(state);
        let Some(cases) = &mut self.cases else {
            return false;
        };
        let mut changed = false;
        let case = cases.entry(place).or_insert_with(|| {
            changed = true;
            let own = self.of.iter();
            let rows = self.pattern.iter();
            Case {
                values: own.map(|&quantity| state[quantity].clone()).collect(),
                rows: rows.map(|row| (row.clone(), 0)).collect(),
            }
        });
        let has_grown = case.grow(state);
        changed |= has_grown;
        if cases.len() > MOST {
            self.cases = None;
        }
        changed
    }

    fn widen(&mut self, state: &[BitVecValue]) -> bool {
        self.join(state)
    }

    fn bound(&self) -> Option<(BigInt, BigInt)> {
        None
    }

    /// Bounds are not searched for in each case.
    fn raise(&mut self, _: BigInt) {}

    fn describe(&self, names: &[String]) -> Vec<String> {
        let mut all = vec![];
        for case in self.cases.iter().flatten().map(|(_, case)| case) {
            let own = self.of.iter().zip(&case.values);
            let own = own.map(|(&of, value)| format!("{} == {}", names[of], value.to_biguint()));
            let mut parts: Vec<String> = own.collect();
            let rows = case.rows.iter();
            parts.extend(rows.flat_map(|row| row.0.describe(names)));
            all.push(format!("({})", parts.join(" && ")));
        }
        match all.is_empty() {
            true => vec![],
            false => vec![all.join(" || ")],
        }
    }

    fn claim(&self, words: &dyn Words) -> Option<Formula> {
        let Some(cases) = &self.cases else {
            return Some(Formula::Constant(true));
        };
        let mut all = vec![];
        for case in cases.values() {
            let mut parts = vec![];
            for (&of, value) in self.of.iter().zip(&case.values) {
                parts.push(words.is(of, value)?);
            }
            // A row that has no words says nothing.
            let rows = case.rows.iter();
            parts.extend(rows.filter_map(|row| row.0.claim(words)));
            parts.retain(|part| *part != Formula::Constant(true));
            all.push(Formula::all(parts));
        }
        Some(Formula::any(all))
    }

    fn duplicate(&self) -> Box<dyn Template> {
        Box::new(self.clone())
    }

    fn has_many_cases(&self) -> bool {
        true
    }
}
