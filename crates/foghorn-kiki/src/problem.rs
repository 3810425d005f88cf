//! Formulas of a run with cut loops: who reaches what.
//!
//! Events come in the order of execution, and an assumption, a check that held or an obligation governs what comes behind
//! it. A formula is therefore built from the end: a place that is looked for is an alternative, a condition that was
//! passed a conjunct (formula 2.18 is the case of back edges, 2.12 that of checks).
//!
//! # Windows
//! With k copies, an execution that has come to an iteration i >= k-1 of a loop is looked at through the k iterations up
//! to i: the loop-back values are those at the head of the first of them, and the copies before the last go on. Whatever
//! happens in iteration i happens in the last copy. An earlier iteration is met from the first values. So where loop-back
//! values were selected, an earlier copy leads to the next one ([`Problem::windows`]), and its checks were looked at
//! before and are assumed ([`Problem::checks`]): only checks of the same execution, since the copies of one entry into a
//! loop are consecutive iterations, and another entry has values and copies of its own.

use crate::cut::calls::Precondition;
use crate::cut::record::CutLoop;
use crate::invariant::{Invariant, Invariants};
use crate::sabotage::Sabotage;
use foghorn_encode::execute::event::{Event, SiteIndex, What};
use foghorn_ir::FunctionId;
use foghorn_term::{Sort, TermId, TermPool};
use rustc_hash::FxHashSet;

/// A place that is looked for.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// How many events come before it.
    pub position: usize,
    /// It is reached, and what is looked for is so.
    pub condition: TermId,
}

/// What an event that must not happen is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Suspect {
    Check(SiteIndex),
    /// An obligation, or a recursion that goes on.
    Inexact,
    /// A function with a contract is called as it should not be: the number of the precondition.
    Precondition(usize),
}

/// A back edge at which rows have to hold.
#[derive(Clone, Debug)]
pub struct BackEdge {
    /// Index of the loop's entry.
    pub cut: usize,
    pub values: Vec<TermId>,
    pub target: Target,
    /// Set if this one is looked for.
    pub wanted: TermId,
}

/// A run as formulas.
#[derive(Debug)]
pub struct Problem {
    pub loops: Vec<CutLoop>,
    pub events: Vec<Event>,
    /// Obligations that functions are called as they should be, in order.
    pub preconditions: Vec<Precondition>,
    copies: usize,
    pub sabotage: Sabotage,
    /// What holds of windows.
    windows: Vec<TermId>,
    pub back_edges: Vec<BackEdge>,
    /// That some back edge that is wanted is taken.
    pub taken: TermId,
}

impl Problem {
    /// The formulas of a run with so many copies.
    pub fn new(
        pool: &mut TermPool,
        loops: Vec<CutLoop>,
        events: Vec<Event>,
        copies: u32,
    ) -> Problem {
        let mut problem = Problem {
            loops,
            events,
            preconditions: vec![],
            copies: copies as usize,
            sabotage: Sabotage::None,
            windows: vec![],
            back_edges: vec![],
            taken: pool.bool(false),
        };
        problem.make_windows(pool);
        problem.make_back_edges(pool);
        problem
    }

    /// With a fault.
    #[must_use]
    pub fn with_sabotage(self, sabotage: Sabotage) -> Self {
        Problem { sabotage, ..self }
    }

    /// With the obligations that functions are called as they should be.
    #[must_use]
    pub fn with_preconditions(self, preconditions: &[Precondition]) -> Self {
        Problem {
            preconditions: preconditions.to_vec(),
            ..self
        }
    }

    fn precondition_at(&self, position: usize) -> Option<usize> {
        let known = &self.preconditions;
        known.binary_search_by_key(&position, |it| it.position).ok()
    }

    /// The same run, asking which of these arguments the places have that are looked for: rows of `cut` have to hold of
    /// `arguments` there.
    #[must_use]
    pub fn of_arguments(
        &self,
        pool: &mut TermPool,
        cut: CutLoop,
        arguments: &[TermId],
        targets: &[Target],
    ) -> Problem {
        let mut problem = Problem {
            loops: vec![cut],
            events: self.events.clone(),
            preconditions: self.preconditions.clone(),
            copies: self.copies,
            sabotage: self.sabotage,
            windows: self.windows.clone(),
            back_edges: vec![],
            taken: self.taken,
        };
        for &target in targets {
            problem.back_edges.push(BackEdge {
                cut: 0,
                values: arguments.to_vec(),
                target,
                wanted: pool.fresh_symbol("wanted", Sort::Bool),
            });
        }
        problem.taken = problem.some_wanted(pool);
        problem
    }

    fn make_windows(&mut self, pool: &mut TermPool) {
        for cut in &self.loops {
            for copy in cut.copies.iter().take(self.copies - 1) {
                let selected = pool.and(&[cut.select, copy.head.guard]);
                let goes_on = match &copy.back {
                    Some(back) => back.guard,
                    None => pool.bool(false),
                };
                self.windows.push(pool.implies(selected, goes_on));
            }
        }
    }

    fn make_back_edges(&mut self, pool: &mut TermPool) {
        let mut found = vec![];
        for (index, cut) in self.loops.iter().enumerate() {
            for (number, copy) in cut.copies.iter().enumerate() {
                let Some(back) = &copy.back else {
                    continue;
                };
                let mut condition = back.guard;
                if number + 1 < self.copies {
                    let first = pool.not(cut.select);
                    condition = pool.and(&[condition, first]);
                }
                found.push(BackEdge {
                    cut: index,
                    values: back.values.clone(),
                    target: Target {
                        position: back.position,
                        condition,
                    },
                    wanted: pool.fresh_symbol("wanted", Sort::Bool),
                });
            }
        }
        self.back_edges = found;
        self.taken = self.some_wanted(pool);
    }

    /// The same, with rows that have to hold at the first arrivals too: what holds at a head however it is reached. The
    /// driver of a function that is looked at by itself is left out: its first arrival is no call.
    #[must_use]
    pub fn with_first_arrivals(&self, pool: &mut TermPool, driver: Option<FunctionId>) -> Problem {
        let mut problem = Problem {
            loops: self.loops.clone(),
            events: self.events.clone(),
            preconditions: self.preconditions.clone(),
            copies: self.copies,
            sabotage: self.sabotage,
            windows: self.windows.clone(),
            back_edges: self.back_edges.clone(),
            taken: self.taken,
        };
        for (index, cut) in self.loops.iter().enumerate() {
            if Some(cut.key.function) == driver {
                continue;
            }
            problem.back_edges.push(BackEdge {
                cut: index,
                values: cut.first.values.clone(),
                target: Target {
                    position: cut.first.position,
                    condition: cut.first.guard,
                },
                wanted: pool.fresh_symbol("wanted", Sort::Bool),
            });
        }
        problem.taken = problem.some_wanted(pool);
        problem
    }

    /// That some edge that is wanted is taken.
    fn some_wanted(&self, pool: &mut TermPool) -> TermId {
        let mut targets = vec![];
        for edge in &self.back_edges {
            targets.push(Target {
                condition: pool.and(&[edge.wanted, edge.target.condition]),
                ..edge.target
            });
        }
        self.reach(pool, targets)
    }

    /// That one of these is reached, with all that holds before it.
    pub fn reach(&self, pool: &mut TermPool, mut targets: Vec<Target>) -> TermId {
        targets.sort_by_key(|target| target.position);
        let mut formula = pool.bool(false);
        let mut at = self.events.len();
        while let Some(target) = targets.pop() {
            while at > target.position {
                at -= 1;
                formula = pass(pool, &self.events[at], formula);
            }
            formula = pool.or(&[target.condition, formula]);
        }
        while at > 0 {
            at -= 1;
            formula = pass(pool, &self.events[at], formula);
        }
        formula
    }

    /// What holds of windows, whatever is looked for.
    pub fn windows(&self) -> &[TermId] {
        &self.windows
    }

    /// That no loop-back value is selected: executions from the start.
    pub fn from_the_start(&self, pool: &mut TermPool) -> Vec<TermId> {
        let selects = self.loops.iter().map(|cut| cut.select);
        selects.map(|select| pool.not(select)).collect()
    }

    /// The events that must not happen and are not `settled`, with where they are looked for: not in a copy before the
    /// last if loop-back values were selected there.
    pub fn suspects(
        &self,
        pool: &mut TermPool,
        settled: &FxHashSet<SiteIndex>,
    ) -> Vec<(Suspect, Target)> {
        let mut suspects = vec![];
        for (position, event) in self.events.iter().enumerate() {
            let (suspect, violated) = match &event.what {
                What::Check { condition, site } if !settled.contains(site) => {
                    (Suspect::Check(*site), pool.not(*condition))
                }
                What::Obligation { condition, .. } => {
                    let suspect = match self.precondition_at(position) {
                        Some(number) => Suspect::Precondition(number),
                        None => Suspect::Inexact,
                    };
                    (suspect, pool.not(*condition))
                }
                What::Unwinding { .. } => (Suspect::Inexact, pool.bool(true)),
                What::Check { .. }
                | What::Input { .. }
                | What::Read { .. }
                | What::Assume { .. } => continue,
            };
            let mut parts = vec![event.guard, violated];
            for cut in &self.loops {
                let before_last = cut.copies.iter().take(self.copies - 1);
                for copy in before_last {
                    if copy.events.contains(&position) {
                        parts.push(match self.sabotage {
                            Sabotage::OtherEntry => pool.bool(false),
                            _ => pool.not(cut.select),
                        });
                    }
                }
            }
            let condition = pool.and(&parts);
            if pool.as_bool(condition) != Some(false) {
                let target = Target {
                    position,
                    condition,
                };
                suspects.push((suspect, target));
            }
        }
        suspects
    }

    /// The invariants where loop-back values are selected (formula 2.19), at the heads of all copies.
    pub fn invariants(&self, pool: &mut TermPool, invariants: &Invariants) -> Vec<TermId> {
        let mut all = vec![];
        for cut in &self.loops {
            if let Some(invariant) = invariants.of(cut) {
                let is_careless = self.sabotage == Sabotage::UnseenEntry;
                let unseen = match is_careless || self.is_of_all_entries(cut) {
                    true => vec![],
                    false => self.selects_before_last(cut),
                };
                let stated = state_invariant(pool, cut, invariant, &unseen, self.sabotage);
                all.extend(stated);
            }
        }
        all
    }

    /// Whether all entries into the loop, from other copies of loops around it, have the same quantities and so share what
    /// is said of them.
    fn is_of_all_entries(&self, cut: &CutLoop) -> bool {
        let mut others = self.loops.iter().filter(|other| other.key == cut.key);
        others.all(|other| other.quantities == cut.quantities)
    }

    /// The selections of loops around an entry that is in a copy of theirs before the last. Where one of them is selected,
    /// that copy leads to the next, so that no back edge of the loop within is looked at there: what holds of it was shown
    /// of the entry in the last copy.
    fn selects_before_last(&self, cut: &CutLoop) -> Vec<TermId> {
        let position = cut.first.position;
        let mut selects = vec![];
        for around in self.loops.iter().filter(|it| it.select != cut.select) {
            let mut before_last = around.copies.iter().take(self.copies - 1);
            // At the seam of two copies it may be in either; what is not assumed is no loss of soundness.
            if before_last.any(|copy| copy.events.start <= position && position <= copy.events.end)
            {
                selects.push(around.select);
            }
        }
        selects
    }
}

/// What an invariant says at the heads of all copies of a loop, where loop-back values are selected, and none of the loops
/// around it that are `unseen`.
pub fn state_invariant(
    pool: &mut TermPool,
    cut: &CutLoop,
    invariant: &Invariant,
    unseen: &[TermId],
    sabotage: Sabotage,
) -> Vec<TermId> {
    let mut seen = vec![cut.select];
    for &select in unseen {
        seen.push(pool.not(select));
    }
    let seen = pool.and(&seen);
    let mut all = vec![];
    for place in &cut.placeholders {
        for row in &invariant.rows {
            let holds = row.template.formula(pool, &place.values);
            let guarded = pool.implies(place.guard, holds);
            if pool.as_bool(guarded) != Some(true) {
                all.push(guarded);
            }
        }
    }
    for values in &cut.places {
        let guard = match cut.copies.first() {
            Some(copy) => pool.and(&[seen, copy.head.guard]),
            None => continue,
        };
        for row in invariant
            .rows
            .iter()
            .filter(|row| row.template.is_of_arrays())
        {
            let holds = row.template.formula(pool, values);
            all.push(pool.implies(guard, holds));
        }
    }
    for copy in &cut.copies {
        let guard = match sabotage {
            Sabotage::DroppedGuard => copy.head.guard,
            _ => pool.and(&[seen, copy.head.guard]),
        };
        for row in &invariant.rows {
            let holds = row.template.formula(pool, &copy.head.values);
            let guarded = pool.implies(guard, holds);
            if pool.as_bool(guarded) != Some(true) {
                all.push(guarded);
            }
        }
    }
    all
}

/// What has to hold before an event for something behind it to be reached.
fn pass(pool: &mut TermPool, event: &Event, rest: TermId) -> TermId {
    match &event.what {
        What::Input { .. } | What::Read { .. } | What::Unwinding { .. } => rest,
        What::Assume { condition }
        | What::Check { condition, .. }
        | What::Obligation { condition, .. } => {
            let holds = pool.implies(event.guard, *condition);
            pool.and(&[holds, rest])
        }
    }
}
