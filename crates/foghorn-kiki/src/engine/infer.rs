//! The search for invariants, and what they prove.

use super::Engine;
use crate::answer::{LoopInvariant, ShownInvariant};
use crate::arrays;
use crate::cut::record::CutLoop;
use crate::engine::News;
use crate::follow;
use crate::guess::Guesses;
use crate::invariant::Invariants;
use crate::phases;
use crate::problem::{Problem, state_invariant};
use crate::sabotage::Sabotage;
use crate::states;
use crate::strategy::{Inference, Inferred};
use crate::template::{Kind, Selection};
use foghorn_core::UnknownReason;
use foghorn_encode::execute::{Memo, Trace};
use foghorn_ir::interpret::Allocation;
use foghorn_smt::SolverError;
use foghorn_term::{TermId, TermPool};
use std::collections::BTreeMap;
use std::time::Instant;

/// Invariants are looked for with no more copies: more of them seldom make others hold, and each costs.
const COPIES_WITH_INVARIANTS: u32 = 2;

impl Engine<'_> {
    /// Looks for invariants, cheap ones first, and asks after each kind what they prove.
    pub(super) fn infer_and_prove(
        &mut self,
        trace: &Trace,
        problem: &Problem,
        copies: u32,
    ) -> Result<Option<UnknownReason>, SolverError> {
        let mut assumed = vec![];
        for cut in &problem.loops {
            for known in self.remembered.iter().filter(|known| known.is_of(cut)) {
                let pool = &mut self.session.pool;
                // They were shown with one copy, which is the last of every loop around.
                let known = state_invariant(pool, cut, &known.invariant, &[], Sabotage::None);
                assumed.extend(known);
            }
        }
        let infers = self.options.mode.infers()
            && !problem.loops.is_empty()
            && copies <= COPIES_WITH_INVARIANTS;
        let stages = match infers {
            true => self.options.selection.stages(),
            false => vec![Selection::of(&[])],
        };
        let mut inexact = None;
        self.pending.clear();
        for selection in stages {
            if infers {
                let found = self.infer(problem, copies, &selection, &assumed)?;
                assumed.extend(found);
            }
            self.tell(copies, "proving");
            inexact = self.prove(trace, problem, &assumed)?;
            if inexact.is_none() {
                self.report.shown.append(&mut self.pending);
            }
            if inexact.is_none() && self.is_all_decided(trace) || self.budget.check().is_err() {
                break;
            }
        }
        Ok(inexact)
    }

    /// Finds invariants; what they say at heads.
    pub(super) fn infer(
        &mut self,
        problem: &Problem,
        copies: u32,
        selection: &Selection,
        assumed: &[TermId],
    ) -> Result<Vec<TermId>, SolverError> {
        self.tell(copies, "looking for invariants");
        let started = Instant::now();
        let most = self.options.most_rows;
        let roots = follow::roots(&problem.loops, &problem.events);
        let (pool, loops) = (&self.session.pool, &problem.loops);
        let compared = phases::compared_pairs(pool, loops, &roots);
        let known = (selection, &self.cheap);
        let mut invariants = Invariants::choose(pool, loops, &compared, known, most);
        if selection.is_cheap() {
            let guesses = Guesses::new(self.module, &self.options.guesses);
            guesses.add_rows(pool, loops, &mut invariants);
            arrays::add_rows(pool, loops, &mut invariants);
        }
        if selection.has(Kind::States) {
            states::add_rows(pool, loops, &self.cheap, &compared, &mut invariants);
        }
        if selection.has(Kind::Power) {
            phases::add_splits(pool, loops, &roots, &mut invariants);
        }
        let constants = follow::constants(pool, &roots);
        for what in &invariants.left_out {
            let warning = format!("too many rows: {what} are left out");
            if !self.report.warnings.contains(&warning) {
                self.report.warnings.push(warning);
            }
        }
        let mut states = 0;
        // Invariants are one way of three: others need time too. States of a machine are most often all that is missing.
        let share = if selection.has(Kind::States) { 2 } else { 3 };
        let most = self.budget.remaining().map(|left| left / share);
        let budget = match most {
            Some(most) => self.budget.within(most),
            None => self.budget.clone(),
        };
        let tell = &mut *self.tell;
        let mut inference = Inference {
            problem,
            session: &mut self.session,
            strategy: self.options.strategy,
            budget: &budget,
            assumed,
            constants: &constants,
            states: 0,
            watch: &mut |invariants| {
                states += 1;
                tell(News::Parameters(invariants));
            },
        };
        let inferred = inference.run(&mut invariants)?;
        let own = &mut self.report.statistics;
        own.states += states;
        own.inferring += started.elapsed();
        own.rows = invariants.iter().map(|(_, _, it)| it.rows.len()).sum();
        if selection.is_cheap() {
            self.cheap = invariants.clone();
        }
        if inferred == Inferred::Fixpoint {
            self.note_invariants(&invariants, copies);
            self.note_shown(problem, &invariants, copies);
            if copies == 1 && !self.cut.has_late_cut() {
                self.remembered.extend(invariants.remember(&problem.loops));
                if !self.cut.is_of_any_arguments() {
                    self.find_facts(problem, &invariants, assumed)?;
                }
            }
        }
        Ok(problem.invariants(&mut self.session.pool, &invariants))
    }

    fn note_invariants(&mut self, invariants: &Invariants, copies: u32) {
        let all = invariants.iter().map(|(_, _, invariant)| LoopInvariant {
            loop_name: invariant.loop_name.clone(),
            copies,
            rows: invariant
                .rows
                .iter()
                .flat_map(|row| row.template.describe(&invariant.names))
                .collect(),
        });
        let all: Vec<LoopInvariant> = all.collect();
        self.report
            .invariants
            .retain(|known| known.copies == copies);
        self.report.invariants.extend(all);
    }

    /// Keeps what was found as data, to be believed if no obligation is violated.
    fn note_shown(&mut self, problem: &Problem, invariants: &Invariants, copies: u32) {
        let found = shown(&self.session.pool, &self.memo, problem, invariants, copies);
        self.pending.extend(found);
    }
}

/// What is said of loops as data. A loop that was cut in the middle is not among it: what holds there says nothing of its
/// first iterations.
pub(super) fn shown(
    pool: &TermPool,
    memo: &Memo,
    problem: &Problem,
    invariants: &Invariants,
    copies: u32,
) -> Vec<ShownInvariant> {
    let mut seen: Vec<&CutLoop> = vec![];
    let mut all = vec![];
    for cut in problem.loops.iter().filter(|cut| cut.head.iteration == 0) {
        let is_known =
            |other: &&CutLoop| other.key == cut.key && other.quantities == cut.quantities;
        let Some(invariant) = invariants.of(cut).filter(|_| !seen.iter().any(is_known)) else {
            continue;
        };
        seen.push(cut);
        let values = cut.first.values.iter();
        all.push(ShownInvariant {
            key: cut.key.clone(),
            quantities: cut.quantities.clone(),
            widths: values.map(|&value| pool.width(value)).collect(),
            invariant: invariant.clone(),
            objects: objects_of(memo, cut),
            alive: cut.alive.clone(),
            copies,
        });
    }
    all
}

/// What made the objects that were there when a loop was entered.
fn objects_of(memo: &Memo, cut: &CutLoop) -> BTreeMap<u64, Allocation> {
    let known = cut.known.iter().filter_map(|&number| {
        let object = memo.objects.get(number)?;
        Some((number, object.allocation))
    });
    known.collect()
}
