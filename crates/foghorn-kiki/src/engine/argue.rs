//! The argument for what was proved: claims that another program can prove again (`docs/guide/certificates.md`).

use super::{Engine, infer};
use crate::claims;
use crate::cut::record::CutLoop;
use crate::follow;
use crate::invariant::{Invariants, Row};
use crate::problem::Problem;
use crate::strategy::{Inference, Inferred};
use foghorn_encode::claim::{Argument, LoopClaim};
use foghorn_ir::FunctionId;
use foghorn_smt::SolverError;
use std::time::Duration;

/// Time for an argument: whoever has proved something need not wait longer for it.
const MOST_TIME: Duration = Duration::from_secs(5);

impl Engine<'_> {
    /// Makes claims of the invariants, so that they hold at first arrivals too, and of the loops that were executed as they
    /// are that they go round no more often. A program without loops that were cut needs no claims.
    pub(super) fn argue(&mut self, problem: &Problem, copies: u32) -> Result<(), SolverError> {
        if !problem.loops.is_empty() && self.options.argues {
            self.report.argument = Some(self.claims(problem, copies, None)?);
        }
        Ok(())
    }

    /// The claims about loops that were cut or executed as they are, without those of a driver.
    pub(super) fn claims(
        &mut self,
        problem: &Problem,
        copies: u32,
        driver: Option<FunctionId>,
    ) -> Result<Argument, SolverError> {
        let mut shown = self.newest(&problem.loops);
        let mut invariants = Invariants::of_shown(&problem.loops, &shown);
        let arrivals = problem.with_first_arrivals(&mut self.session.pool, driver);
        let roots = follow::roots(&arrivals.loops, &arrivals.events);
        let constants = follow::constants(&self.session.pool, &roots);
        let third = self.budget.remaining().map(|left| left / 3);
        let time = third.map_or(MOST_TIME, |third| third.min(MOST_TIME));
        let budget = self.budget.within(time);
        let mut inference = Inference {
            problem: &arrivals,
            session: &mut self.session,
            strategy: self.options.strategy,
            budget: &budget,
            assumed: &[],
            constants: &constants,
            states: 0,
            watch: &mut |_| {},
        };
        if inference.run(&mut invariants)? == Inferred::Fixpoint {
            shown = infer::shown(&self.session.pool, &self.memo, problem, &invariants, copies);
        }
        shown.retain(|it| Some(it.key.function) != driver);
        let mut argument = claims::argument(self.module, &shown, copies);
        // A proof by the iterations before alone needs their number and no invariant.
        for cut in &problem.loops {
            let function = cut.key.function;
            if Some(function) == driver {
                continue;
            }
            let claims = argument.function(&self.module.functions[function].name);
            let own = claims.loops.entry(cut.key.block.as_u32());
            own.or_insert(LoopClaim::Invariant {
                holds: vec![],
                copies,
            });
        }
        for (function, block) in self.cut.unwound() {
            let name = &self.module.functions[function].name;
            let claims = argument.function(name);
            let times = self.options.decided;
            claims
                .loops
                .entry(block.as_u32())
                .or_insert(LoopClaim::Unwound { times });
        }
        Ok(argument)
    }

    /// What was shown of these entries with the most copies.
    fn newest(&self, loops: &[CutLoop]) -> Vec<crate::answer::ShownInvariant> {
        let most = self.report.shown.iter().map(|shown| shown.copies).max();
        let newest = self.report.shown.iter().filter(|shown| {
            let is_of = |cut: &CutLoop| cut.key == shown.key && cut.quantities == shown.quantities;
            Some(shown.copies) == most && loops.iter().any(is_of)
        });
        newest.cloned().collect()
    }
}

impl Invariants {
    /// What was shown of these entries, to be made larger; nothing is said of the others.
    fn of_shown(loops: &[CutLoop], shown: &[crate::answer::ShownInvariant]) -> Invariants {
        let mut invariants = Invariants::default();
        for cut in loops {
            if invariants.of(cut).is_some() {
                continue;
            }
            let own = shown
                .iter()
                .filter(|it| it.key == cut.key && it.quantities == cut.quantities);
            let rows = own.flat_map(|it| &it.invariant.rows);
            let rows = rows.map(|row| Row::new(row.template.clone())).collect();
            invariants.insert(cut, rows);
        }
        invariants
    }
}
