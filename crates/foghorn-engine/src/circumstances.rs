//! What an answer rests on, the same for every engine.

use foghorn_core::{Assumption, AssumptionKind, SpanId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What is taken for granted about a program by whoever made the task, in the order of reports.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Circumstances {
    /// By the selection of checks.
    pub of_checks: Vec<Assumption>,
    /// Of each function without a body that an engine may meet; functions that may not be called at
    /// all are not listed.
    pub of_functions: BTreeMap<String, AssumptionKind>,
    /// By options, and by what the program does.
    pub of_options: Vec<Assumption>,
    /// By how the program is started, and on what machine.
    pub of_start: Vec<Assumption>,
    /// By the front end.
    pub of_translation: Vec<Assumption>,
}

/// What an engine noticed on its way.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Noticed {
    /// Functions without a body that are called.
    pub external_calls: Vec<String>,
    /// Integers become pointers to objects.
    pub addresses_as_pointers: bool,
    /// `main` was given no arguments.
    pub fixed_arguments: bool,
    /// Operations that are not modelled precisely, each with its first place.
    pub over_approximations: Vec<(String, SpanId)>,
}

impl Circumstances {
    /// What an answer rests on that came from an engine which noticed this.
    pub fn assumptions(&self, noticed: &Noticed) -> Vec<Assumption> {
        let mut assumptions = self.of_checks.clone();
        let called = noticed.external_calls.iter();
        assumptions.extend(called.filter_map(|name| {
            let kind = *self.of_functions.get(name)?;
            Some(Assumption::of(kind, name))
        }));
        assumptions.extend(self.of_options.iter().cloned());
        let by_engine = [
            (
                AssumptionKind::UnrelatedIntegers,
                noticed.addresses_as_pointers,
            ),
            (AssumptionKind::NoArguments, noticed.fixed_arguments),
        ];
        let by_engine = by_engine.into_iter().filter(|(_, is_made)| *is_made);
        assumptions.extend(by_engine.map(|(kind, _)| Assumption::from(kind)));
        assumptions.extend(self.of_start.iter().cloned());
        assumptions.extend(self.of_translation.iter().cloned());
        assumptions
    }
}
