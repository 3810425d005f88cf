//! Open checks once more, from their failures backwards.
//!
//! A forward analysis joins what a check would have to keep apart; the states from which it can
//! still fail are fewer, and what the next forward analysis finds of them is more exact (§4.2.5 of
//! the SeaHorn paper). Each function is looked at by itself, in each context in which it was
//! analysed: what its callers do is in the states it is entered with.

use foghorn_absint::analysis::backward::{Place, Target, refine};
use foghorn_absint::analysis::checker::CheckStatus;
use foghorn_absint::analysis::interprocedural::ProgramStates;

use crate::analysis::{Analysis, AnalysisOptions, CheckResult};
use crate::obligation::Obligation;
use crate::translate::FunctionTranslation;

/// Rounds of both directions for one check; most that can be proved this way are in the first.
const ROUNDS: usize = 3;

/// More open checks than these are a sign that something else is missing.
const MOST_REFINED: usize = 64;

impl Analysis {
    /// Proves open checks among `known` from their failures backwards; `known` is as
    /// [`Analysis::checks`] gives it. How many that are.
    pub fn prove_backwards(
        &mut self,
        known: &mut [CheckResult],
        options: &AnalysisOptions,
    ) -> usize {
        let Analysis {
            translation,
            states,
        } = self;
        let functions = translation.functions.values().flatten();
        let obligations = functions.flat_map(|function| {
            let of_function = function.obligations.iter();
            of_function.map(move |obligation| (function, obligation))
        });
        let open = known.iter_mut().zip(obligations).filter(|(check, _)| {
            let is_open = matches!(check.status, CheckStatus::Warning | CheckStatus::Error);
            is_open && check.kind.is_complete()
        });
        let mut proved = 0;
        for (check, (function, obligation)) in open.take(MOST_REFINED) {
            let target = target(function, obligation);
            let ProgramStates { functions, calls } = states;
            let mut contexts = functions.iter().filter(|it| it.function == function.goto);
            let holds = contexts.all(|context| {
                let (program, calls) = (&translation.program, &mut **calls);
                let found = refine(
                    program,
                    &target,
                    context.clone(),
                    calls,
                    &options.fixpoint,
                    ROUNDS,
                );
                found.proved
            });
            if holds {
                check.status = CheckStatus::Safe;
                proved += 1;
            }
        }
        proved
    }
}

fn target(function: &FunctionTranslation, obligation: &Obligation) -> Target {
    Target {
        place: Place {
            function: function.goto,
            block: obligation.place.block,
            position: obligation.place.position,
        },
        failures: obligation.violations.clone(),
    }
}
