//! Executions from the start that the solver found: run before they are believed.

use foghorn_core::Budget;
use foghorn_encode::execute::event::{Event, Site, What};
use foghorn_encode::execute::settings::Settings;
use foghorn_encode::semantics::object::Objects;
use foghorn_ir::Module;
use foghorn_query::Session;
use foghorn_query::layout::Layout;
use foghorn_query::replay::{Replay, Script, replay};
use foghorn_smt::SolverError;
use foghorn_smt::solver::Answer;
use foghorn_term::eval::{Evaluator, Model};
use foghorn_term::{Op, TermId};

/// Bounds on the sizes of objects that are tried, in this order: an object of an exabyte is no test case.
const SMALL_OBJECTS: [u64; 2] = [1 << 10, 1 << 24];

/// A run of the program, as far as a replay needs it.
pub struct Execution<'a> {
    pub module: &'a Module,
    pub settings: &'a Settings,
    pub budget: &'a Budget,
    pub events: &'a [Event],
    pub objects: &'a Objects,
}

impl Execution<'_> {
    /// The values in the solver's last model of all that a replay asks for.
    fn model(&self, session: &mut Session, formulas: &[TermId]) -> Result<Model, SolverError> {
        let mut roots = formulas.to_vec();
        for event in self.events {
            roots.push(event.guard);
            match &event.what {
                What::Input { bits, .. } | What::Read { bits, .. } => roots.push(*bits),
                What::Check { condition, .. } => roots.push(*condition),
                What::Assume { .. } | What::Unwinding { .. } | What::Obligation { .. } => {}
            }
        }
        roots.extend(Layout::terms(self.objects));
        roots.extend(Script::terms(self.objects));
        session.model(&roots)
    }

    /// Moves the solver to a model with small objects, if there is one.
    fn prefer_small_objects(
        &self,
        session: &mut Session,
        formulas: &[TermId],
    ) -> Result<(), SolverError> {
        let numbers = self.objects.in_order().iter();
        let objects = numbers.filter_map(|&number| self.objects.get(number));
        let open: Vec<(TermId, TermId)> = objects
            .filter(|object| session.pool.as_bitvec(object.size).is_none())
            .map(|object| (object.allocated, object.size))
            .collect();
        if open.is_empty() {
            return Ok(());
        }
        let width = self.module.layout.pointer_bits();
        for largest in SMALL_OBJECTS {
            let largest = session.pool.bv(width, largest);
            let mut all = formulas.to_vec();
            for &(allocated, size) in &open {
                let fits = session.pool.make(Op::BvUle, &[size, largest]);
                all.push(session.pool.implies(allocated, fits));
            }
            if session.ask_all(&all, self.budget)? == Answer::Satisfiable {
                return Ok(());
            }
        }
        session.ask_all(formulas, self.budget)?;
        Ok(())
    }

    /// Runs the execution that is the solver's last model of these formulas; it should fail at a site.
    pub fn replay(
        &self,
        session: &mut Session,
        formulas: &[TermId],
        find_site: impl FnOnce(&mut Evaluator<'_>) -> Option<Site>,
    ) -> Result<Option<(Site, Replay)>, SolverError> {
        self.prefer_small_objects(session, formulas)?;
        let model = self.model(session, formulas)?;
        let mut evaluator = Evaluator::new(&session.pool, &model);
        let Some(site) = find_site(&mut evaluator) else {
            return Ok(None);
        };
        let script = Script::new(&mut evaluator, self.events, self.objects)
            .map_err(|error| SolverError::Internal(error.to_string()))?;
        let outcome = replay(
            self.module,
            self.settings,
            self.budget,
            script,
            &site,
            |_| None,
        );
        Ok(Some((site, outcome)))
    }
}
