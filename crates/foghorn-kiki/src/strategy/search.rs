//! Bounds of rows, by search.

use super::{Inference, Strategy, ask};
use crate::invariant::{Invariants, Row};
use foghorn_smt::SolverError;
use foghorn_smt::solver::Answer;
use num_bigint::BigInt;

impl Inference<'_> {
    /// Searches the bounds of rows that keep growing.
    pub(super) fn search_bounds(&mut self, invariants: &mut Invariants) -> Result<(), SolverError> {
        let patience = self.strategy.patience();
        let mut done: Vec<(usize, usize)> = vec![];
        for index in 0..self.problem.loops.len() {
            let cut = &self.problem.loops[index];
            let Some(invariant) = invariants.of(cut) else {
                continue;
            };
            let is_tired = |row: &Row| row.grown > patience && row.template.bound().is_some();
            let rows = invariant.rows.iter().enumerate();
            let tired: Vec<usize> = rows
                .filter(|(_, row)| is_tired(row))
                .map(|(at, _)| at)
                .collect();
            for row in tired {
                // Entries that share an invariant share its rows.
                let first = (0..=index).find(|&other| {
                    let other = &self.problem.loops[other];
                    other.key == cut.key && other.quantities == cut.quantities
                });
                let place = (first.unwrap_or(index), row);
                if !done.contains(&place) {
                    done.push(place);
                    self.search_bound(invariants, index, row)?;
                }
            }
        }
        Ok(())
    }

    /// Raises a bound to one that is inductive as far as others allow: without those that still grow if that gives one,
    /// else with them.
    fn search_bound(
        &mut self,
        invariants: &mut Invariants,
        index: usize,
        row: usize,
    ) -> Result<(), SolverError> {
        let cut = &self.problem.loops[index];
        let Some((low, high)) = invariants
            .of(cut)
            .and_then(|invariant| invariant.rows[row].template.bound())
        else {
            return Ok(());
        };
        let mut tried = invariants.clone();
        tried.forget_growing(cut, row);
        let place = (index, row);
        let mut found = self.search(&tried, place, low.clone(), high.clone())?;
        if found == high {
            found = self.search(invariants, place, low, high)?;
        }
        if let Some(invariant) = invariants.of_mut(&self.problem.loops[index]) {
            let row = &mut invariant.rows[row];
            row.template.raise(found);
            row.grown = 0;
            row.searched += 1;
        }
        Ok(())
    }

    /// A bound that suffices, the least as far as a search by halves finds it.
    fn search(
        &mut self,
        invariants: &Invariants,
        place: (usize, usize),
        low: BigInt,
        high: BigInt,
    ) -> Result<BigInt, SolverError> {
        // Where other rows have grown with the same state, the bound may be right by now.
        if self.suffices(invariants, place, &low)? {
            return Ok(low);
        }
        if self.strategy == Strategy::Mixed {
            return self.search_constants(invariants, place, &low, high);
        }
        // `low` does not suffice, `high` does.
        let (mut low, mut high) = (low, high);
        while &high - &low > BigInt::from(1) {
            if self.budget.check().is_err() {
                break;
            }
            let middle: BigInt = (&low + &high) >> 1;
            match self.suffices(invariants, place, &middle)? {
                true => high = middle,
                false => low = middle,
            }
        }
        Ok(high)
    }

    /// The least number of the program that suffices: what lies between two of them is seldom the end of anything.
    fn search_constants(
        &mut self,
        invariants: &Invariants,
        place: (usize, usize),
        low: &BigInt,
        high: BigInt,
    ) -> Result<BigInt, SolverError> {
        let constants = self.constants.iter();
        let between: Vec<BigInt> = constants
            .filter(|&it| it > low && *it < high)
            .cloned()
            .collect();
        let (mut from, mut to) = (0, between.len());
        while from < to {
            let middle = (from + to) / 2;
            match self.suffices(invariants, place, &between[middle])? {
                true => to = middle,
                false => from = middle + 1,
            }
        }
        Ok(between.get(from).cloned().unwrap_or(high))
    }

    /// Whether nothing leads beyond a bound from states within it.
    fn suffices(
        &mut self,
        invariants: &Invariants,
        (index, row): (usize, usize),
        bound: &BigInt,
    ) -> Result<bool, SolverError> {
        let mut tried = invariants.clone();
        let cut = &self.problem.loops[index];
        let Some(invariant) = tried.of_mut(cut) else {
            return Ok(false);
        };
        invariant.rows[row].template.raise(bound.clone());
        let template = invariant.rows[row].template.duplicate();
        let pool = &mut self.session.pool;
        let mut assumptions = vec![self.problem.taken];
        assumptions.extend_from_slice(self.problem.windows());
        assumptions.extend_from_slice(self.assumed);
        assumptions.extend(self.problem.invariants(pool, &tried));
        for edge in &self.problem.back_edges {
            let other = &self.problem.loops[edge.cut];
            let is_same = other.key == cut.key && other.quantities == cut.quantities;
            let left = match is_same {
                true => {
                    let holds = template.formula(pool, &edge.values);
                    pool.not(holds)
                }
                false => pool.bool(false),
            };
            assumptions.push(pool.implies(edge.wanted, left));
        }
        let answer = ask(self.session, &assumptions, self.budget)?;
        Ok(answer == Answer::Unsatisfiable)
    }
}
