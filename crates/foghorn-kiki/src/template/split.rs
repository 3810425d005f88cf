//! The split template: rows of their own on each side of a number that the program compares a quantity with.
//!
//! Loops in phases are what needs it: which side of the number a counter is on says which way the loop goes (symbolic
//! paths of §5.5 of the 2LS thesis, where the path is a comparison).

use super::{Reading, Template, Words, literal, read};
use foghorn_encode::claim::{Expression, Formula};
use foghorn_term::{BitVecValue, TermId, TermPool};
use num_bigint::BigInt;

/// `x <= c ∧ T₁ ∨ x > c ∧ T₂`.
#[derive(Clone, Debug)]
pub struct Split {
    quantity: usize,
    reading: Reading,
    at: BigInt,
    /// The rows up to the number, and those beyond it; `None` if sides are no longer told apart.
    sides: Option<[Vec<Box<dyn Template>>; 2]>,
}

/// A number that a program compares a quantity with: the last one of the lower side.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Threshold {
    pub quantity: usize,
    pub reading: Reading,
    pub at: BigInt,
}

impl Split {
    /// The rows of `pattern`, on each side of a number.
    pub fn new(threshold: Threshold, pattern: Vec<Box<dyn Template>>) -> Self {
        Split {
            quantity: threshold.quantity,
            reading: threshold.reading,
            at: threshold.at,
            sides: Some([pattern.clone(), pattern]),
        }
    }

    fn is_low(&self, state: &[BitVecValue]) -> bool {
        read(&state[self.quantity], self.reading) <= self.at
    }

    /// Changes the rows on the side of a state.
    fn grow(
        &mut self,
        state: &[BitVecValue],
        grow: impl Fn(&mut Box<dyn Template>, &[BitVecValue]) -> bool,
    ) -> bool {
        let is_low = self.is_low(state);
        let Some([low, high]) = &mut self.sides else {
            return false;
        };
        let side = if is_low { low } else { high };
        let mut changed = false;
        for row in side {
            changed |= grow(row, state);
        }
        changed
    }
}

impl Template for Split {
    fn is_bottom(&self) -> bool {
        let sides = self.sides.as_ref();
        sides.is_some_and(|sides| sides.iter().flatten().all(|row| row.is_bottom()))
    }

    fn is_top(&self) -> bool {
        self.sides.is_none()
    }

    fn forget(&mut self) {
        self.sides = None;
    }

    fn formula(&self, pool: &mut TermPool, values: &[TermId]) -> TermId {
        let Some(sides) = &self.sides else {
            return pool.bool(true);
        };
        let value = values[self.quantity];
        let at = literal(pool, pool.width(value), &self.at);
        let is_low = match self.reading {
            Reading::Signed => pool.bv_sle(value, at),
            Reading::Unsigned => pool.bv_ule(value, at),
        };
        let [low, high] = sides.each_ref().map(|rows| {
            let rows: Vec<TermId> = rows.iter().map(|row| row.formula(pool, values)).collect();
            pool.and(&rows)
        });
        pool.ite(is_low, low, high)
    }

    fn join(&mut self, state: &[BitVecValue]) -> bool {
        self.grow(state, |row, state| row.join(state))
    }

    fn widen(&mut self, state: &[BitVecValue]) -> bool {
        self.grow(state, |row, state| row.widen(state))
    }

    fn bound(&self) -> Option<(BigInt, BigInt)> {
        None
    }

    /// Bounds are not searched for on each side.
    fn raise(&mut self, _: BigInt) {}

    fn describe(&self, names: &[String]) -> Vec<String> {
        let Some([low, high]) = &self.sides else {
            return vec![];
        };
        let unsigned = match self.reading {
            Reading::Signed => "",
            Reading::Unsigned => " (unsigned)",
        };
        let mut all = vec![];
        for (sign, rows) in [("<=", low), (">", high)] {
            let when = format!("{} {sign} {}{unsigned}", names[self.quantity], self.at);
            if rows.iter().all(|row| row.is_bottom()) {
                all.push(format!("!({when})"));
            }
            let rows = rows.iter().flat_map(|row| row.describe(names));
            all.extend(rows.map(|row| format!("{when} => {row}")));
        }
        all
    }

    fn claim(&self, words: &dyn Words) -> Option<Formula> {
        let Some([low, high]) = &self.sides else {
            return Some(Formula::Constant(true));
        };
        let is_low = words
            .read(self.quantity, self.reading)?
            .at_most(Expression::Number(self.at.to_string()));
        let side = |rows: &[Box<dyn Template>], when: Formula| {
            let mut parts = vec![when];
            // A row that has no words says nothing.
            parts.extend(rows.iter().filter_map(|row| row.claim(words)));
            parts.retain(|part| *part != Formula::Constant(true));
            Formula::all(parts)
        };
        let beyond = is_low.clone().negated();
        Some(Formula::any(vec![side(low, is_low), side(high, beyond)]))
    }

    fn duplicate(&self) -> Box<dyn Template> {
        Box::new(self.clone())
    }
}
