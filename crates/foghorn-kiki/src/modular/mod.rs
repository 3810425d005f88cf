//! Functions one by one: summaries instead of inlining (§2.4.4 of the 2LS thesis).
//!
//! Each function that can be looked at by itself ([`driver`]) gets a [contract](contract): what arguments may make it fail,
//! and what holds of arguments and results when it returns. Callees come first, and their contracts stand in the place of
//! their calls; a function that calls itself is a fixpoint of its own summary ([`crate::cut::calls`]). Then the program is
//! looked at with contracts in the place of calls. Where a function is called as it should not be, it is executed there
//! instead: that is the context in which its general summary does not suffice.
//!
//! Invariants:
//! - A contract holds of any arguments, so no fact of the program's own executions is used in finding it.
//! - What contracts leave open is decided by executing all functions: nothing is refuted from a summary.

mod claims;
pub mod contract;
mod driver;

pub(crate) use driver::recurs;

use crate::answer::{KikiReport, SiteVerdict};
use crate::cut::calls::{Calls, Target};
use crate::engine::{Decided, Engine, Kiki, Mode, News, Outcome, attempt};
use contract::Contract;
use foghorn_core::Budget;
use foghorn_encode::claim::Argument;
use foghorn_encode::execute::Notes;
use foghorn_encode::execute::settings::{Facts, InitialRegions};
use foghorn_encode::semantics::cells::Cells;
use foghorn_ir::{FunctionId, Module};
use foghorn_smt::SolverError;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Programs are looked at so often, with ever fewer contracts.
const MOST_ATTEMPTS: usize = 8;

/// What is known of functions.
#[derive(Default)]
pub(crate) struct Modular {
    contracts: BTreeMap<FunctionId, Rc<Contract>>,
    /// Checks that hold whatever functions are called with.
    pub(crate) decided: Decided,
    notes: Notes,
}

impl Modular {
    /// With checks that are decided otherwise.
    pub(crate) fn with_decided(decided: Decided) -> Self {
        Modular {
            decided,
            ..Modular::default()
        }
    }

    /// Looks at each function by itself, callees first.
    pub(crate) fn summarise(
        &mut self,
        module: &Module,
        options: &Kiki,
        budget: &Budget,
        tell: &mut dyn FnMut(News<'_>),
    ) -> Result<(), SolverError> {
        let functions = driver::candidates(module, &options.settings.checks);
        let mut with_drivers = module.clone();
        let targets = functions.into_iter().map(|function| Target {
            function,
            driver: driver::add_driver(&mut with_drivers, function),
        });
        let targets: Vec<Target> = targets.collect();
        let mut options = options.clone();
        options.settings.facts = Facts::default();
        options.settings.initial = InitialRegions::default();
        for target in targets {
            if budget.check().is_err() {
                break;
            }
            with_drivers.entry = Some(target.driver);
            let calls = Calls {
                contracts: self.contracts.clone(),
                target: Some(target),
            };
            let decided = std::mem::take(&mut self.decided);
            let cells = Cells::attempts(&with_drivers).next();
            let cells = cells.unwrap_or(Cells::Bytes);
            let engine = Engine::open(&with_drivers, &options, cells, budget, tell, decided);
            let mut engine = engine?.with_calls(calls);
            let contract = engine.summarise(target)?;
            let outcome = engine.finish();
            self.decided = outcome.decided;
            add_notes(&mut self.notes, &outcome.report.notes);
            if let Some(contract) = contract {
                self.contracts.insert(target.function, Rc::new(contract));
            }
        }
        Ok(())
    }

    /// Looks at the program with contracts in the place of calls; its report if that decides everything.
    pub(crate) fn prove(
        &mut self,
        module: &Module,
        options: &Kiki,
        budget: &Budget,
        tell: &mut dyn FnMut(News<'_>),
    ) -> Result<Option<KikiReport>, SolverError> {
        let options = Kiki {
            mode: Mode::Invariants,
            ..options.clone()
        };
        let mut contracts = self.contracts.clone();
        for _ in 0..MOST_ATTEMPTS {
            if contracts.is_empty() {
                break;
            }
            let calls = Calls {
                contracts: contracts.clone(),
                target: None,
            };
            let decided = std::mem::take(&mut self.decided);
            let Outcome {
                mut report,
                decided,
                violated,
            } = attempt(module, &options, budget, tell, decided, &calls)?;
            self.decided = decided;
            let is_safe = |verdict: &SiteVerdict| matches!(verdict, SiteVerdict::Safe);
            let mut answers = report.answers.iter();
            if report.incomplete.is_none() && answers.all(|it| is_safe(&it.verdict)) {
                add_notes(&mut report.notes, &self.notes);
                if options.argues {
                    let argument = report.argument.get_or_insert_with(|| Argument::by("kiki"));
                    for contract in contracts.values() {
                        claims::add(argument, module, contract);
                    }
                }
                return Ok(Some(report));
            }
            if violated.is_empty() {
                break;
            }
            contracts.retain(|function, _| !violated.contains(function));
        }
        Ok(None)
    }

    /// The contracts, for people.
    pub(crate) fn describe(&self, module: &Module) -> Vec<String> {
        let contracts = self.contracts.values();
        contracts
            .flat_map(|contract| contract.describe(module))
            .collect()
    }
}

fn add_notes(all: &mut Notes, more: &Notes) {
    for name in &more.external_calls {
        if !all.external_calls.contains(name) {
            all.external_calls.push(name.clone());
        }
    }
    for (what, span) in &more.over_approximations {
        if !all
            .over_approximations
            .iter()
            .any(|(known, _)| known == what)
        {
            all.over_approximations.push((what.clone(), *span));
        }
    }
    all.fixed_arguments |= more.fixed_arguments;
    all.addresses_as_pointers |= more.addresses_as_pointers;
}
