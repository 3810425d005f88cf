//! What `foghorn verify` is going to run.

use super::options::{EngineOptions, HornFormOptions, InvariantOptions, KikiOptions};
use crate::arguments::{AfterFailureArgument, EngineArgument, VerifyArguments};
use foghorn_core::CheckSelection;
use foghorn_driver::{AfterFailure, Plan, Stage, memory};
use foghorn_invariants::prove::LADDER;
use std::time::Duration;

/// Runs, which take moments or are not worth waiting for.
const TRIALS: (f64, Duration) = (0.125, Duration::from_secs(3));

/// The cheapest domain, for which the same holds.
const GLANCE: (f64, Duration) = (0.05, Duration::from_secs(1));

/// Loop summarisation: where it helps it does so soon.
const SUMMARISE: (f64, Duration) = (0.15, Duration::from_secs(4));

/// The other domains, which leave some time to what follows.
const INVARIANTS: (f64, Duration) = (0.4, Duration::from_secs(60));

/// kIkI: what it proves it proves soon, since its formulas grow with each k.
const KIKI: (f64, Duration) = (0.3, Duration::from_secs(60));

/// First turns of those that share a core. Of 60 outside tasks, half of those that an engine decides alone it decides
/// in so much processor time: domains and summaries 0.1 s, k-induction 0.1 s, Horn clauses 1.2 s; and three
/// quarters in 0.2 s, 2 s and 3.5 s.
const SHORT_TURN: Duration = Duration::from_secs(1);
const LONG_TURN: Duration = Duration::from_secs(2);

/// Facts that are proved again help those that follow paths, and nothing depends on them.
const CERTIFY: (f64, Duration) = (0.1, Duration::from_secs(5));

/// The plan for these arguments. Cheap attempts come first, whatever the engine; those that take longer
/// take turns; the plan depends on how many stages run at once.
pub fn plan(
    arguments: &VerifyArguments,
    checks: &CheckSelection,
    time: Option<Duration>,
    jobs: usize,
) -> Plan {
    let mut plan = Plan {
        checks: checks.groups().collect(),
        jobs,
        time,
        memory_mb: memory_limit(arguments.memory_limit),
        after_failure: after_failure(arguments, checks),
        stages: vec![],
    };
    let maker = Maker {
        options: &arguments.options,
        invariants: &arguments.invariants,
        horn: &arguments.horn,
        kiki: &arguments.kiki,
        without: &arguments.without,
    };
    let trials = !arguments.no_trials;
    match arguments.engine {
        EngineArgument::Trial => {
            plan.add(maker.trial());
        }
        EngineArgument::Absint => {
            plan.add(maker.absint(arguments.invariants.domain.as_deref()));
        }
        EngineArgument::Acceleration => {
            plan.add(maker.acceleration());
        }
        EngineArgument::Bmc => maker.bounded(&mut plan, trials),
        EngineArgument::Horn => maker.horn_alone(&mut plan),
        EngineArgument::Kiki => {
            plan.add(maker.kiki());
        }
        EngineArgument::Auto if arguments.no_invariants => maker.bounded(&mut plan, trials),
        EngineArgument::Auto => maker.all(&mut plan, trials),
    }
    if arguments.invariants.certify && arguments.engine != EngineArgument::Trial {
        plan.add(maker.certify());
    }
    plan
}

/// By default other failures are looked for as long as the first one took; where one answer was asked
/// for, it is the answer.
fn after_failure(arguments: &VerifyArguments, checks: &CheckSelection) -> AfterFailure {
    if arguments.options.keep_going {
        return AfterFailure::Rest;
    }
    match arguments.after_failure {
        Some(AfterFailureArgument::Stop) => AfterFailure::Stop,
        Some(AfterFailureArgument::Rest) => AfterFailure::Rest,
        Some(AfterFailureArgument::For(time)) => AfterFailure::For(time),
        None if arguments.property.is_some() || checks.groups().count() == 1 => AfterFailure::Stop,
        None => AfterFailure::AsLongAgain,
    }
}

/// Megabytes that the stages may use. Without a limit of the user's, a quarter of what there is stays
/// for everything else, so that a machine does not begin to swap.
fn memory_limit(given: Option<u64>) -> Option<u64> {
    match given {
        Some(0) => None,
        Some(limit) => Some(limit),
        None => memory::available_bytes().map(|bytes| (bytes / 4 * 3) >> 20),
    }
}

/// Makes stages with the options of the command line.
struct Maker<'a> {
    options: &'a EngineOptions,
    invariants: &'a InvariantOptions,
    horn: &'a HornFormOptions,
    kiki: &'a KikiOptions,
    /// Engines that the user does not want in the plan of all.
    without: &'a [EngineArgument],
}

impl Maker<'_> {
    fn is_wanted(&self, engine: EngineArgument) -> bool {
        !self.without.contains(&engine)
    }

    fn trial(&self) -> Stage {
        let stage = Stage::new(
            "trial",
            "a few concrete runs refute what needs no particular input",
        );
        stage.with_voice(0).with_share(TRIALS.0, TRIALS.1)
    }

    fn absint(&self, domain: Option<&str>) -> Stage {
        let mut stage = Stage::new("absint", "proves what follows from invariants");
        stage.options = self.invariants.absint();
        stage.options.set_flag("no-facts", self.options.no_facts);
        if let Some(domain) = domain {
            stage.options.set("domain", domain);
        }
        stage
    }

    fn acceleration(&self) -> Stage {
        let why = "summarises loops: proves for any number of iterations at once";
        let mut stage = Stage::new("acceleration", why);
        stage.options = self.options.acceleration();
        stage
    }

    fn bmc(&self) -> Stage {
        let why = "refutes, and proves what it can unwind completely";
        let mut stage = Stage::new("bmc", why).with_voice(2);
        stage.options = self.options.bmc();
        stage
    }

    fn horn(&self) -> Stage {
        let why = "solves Horn clauses: proves for any number of iterations, calls and objects";
        let mut stage = Stage::new("horn", why);
        stage.options = self.horn.options();
        stage
    }

    /// Horn clauses, with what can be said about loops beforehand.
    fn horn_alone(&self, plan: &mut Plan) {
        if !self.options.no_facts {
            let stage = self.certify().only_loops();
            plan.add(stage.with_share(GLANCE.0, GLANCE.1));
        }
        plan.add(self.horn());
    }

    fn kiki(&self) -> Stage {
        let why = "k-induction with invariants in templates: proves and refutes";
        let mut stage = Stage::new("kiki", why);
        stage.options = self.kiki.kiki(self.options);
        stage
    }

    fn certify(&self) -> Stage {
        Stage::new(
            "certify",
            "proves again what holds at loops, so that others may use it",
        )
        .with_voice(0)
    }

    /// Bounded model checking, with what goes before it.
    fn bounded(&self, plan: &mut Plan, trials: bool) {
        let (summarises, unwinds) = self.options.summarises_and_unwinds();
        if trials && unwinds {
            plan.add(self.trial());
        }
        if summarises {
            let stage = self.acceleration();
            plan.add(match unwinds {
                true => stage.only_loops().with_share(SUMMARISE.0, SUMMARISE.1),
                false => stage,
            });
        }
        if unwinds {
            plan.add(self.bmc());
        }
    }

    /// All engines.
    fn all(&self, plan: &mut Plan, trials: bool) {
        let (summarises, unwinds) = self.options.summarises_and_unwinds();
        let (summarises, bmc) = (
            summarises && self.is_wanted(EngineArgument::Acceleration),
            unwinds && self.is_wanted(EngineArgument::Bmc),
        );
        let given = self.invariants.domain.as_deref();
        let absint = self.is_wanted(EngineArgument::Absint);
        let glance = given.is_none() && absint;
        if trials && unwinds && self.is_wanted(EngineArgument::Trial) {
            plan.add(self.trial());
        }
        if glance {
            let stage = self.absint(Some(LADDER[0])).only_loops();
            plan.add(stage.with_share(GLANCE.0, GLANCE.1));
        }
        if bmc {
            // On several cores it has one for itself. On one it takes turns, and what can be said about loops soon
            // is said before.
            let stage = self.bmc();
            if plan.jobs == 1 {
                if glance && !self.options.no_facts {
                    let stage = self.certify().only_loops();
                    plan.add(stage.with_share(GLANCE.0, GLANCE.1));
                }
                plan.add(stage.in_turns(LONG_TURN));
            } else {
                plan.add(stage);
            }
        }
        if summarises {
            let stage = self.acceleration().only_loops();
            let stage = stage.with_share(SUMMARISE.0, SUMMARISE.1);
            plan.add(stage.in_turns(SHORT_TURN));
        }
        if absint {
            let stage = self.absint(given).only_loops().in_turns(SHORT_TURN);
            let number = plan.add(stage.with_share(INVARIANTS.0, INVARIANTS.1));
            if unwinds && !self.options.no_facts {
                let stage = self.certify().only_loops().after(&[number]);
                plan.add(stage.with_share(CERTIFY.0, CERTIFY.1));
            }
        }
        self.induction(plan);
    }

    /// What proves by induction and takes longer: where there are neither loops nor recursion, unwinding
    /// proves as well.
    fn induction(&self, plan: &mut Plan) {
        if self.is_wanted(EngineArgument::Kiki) {
            let stage = self.kiki().only_loops().in_turns(LONG_TURN);
            plan.add(stage.with_share(KIKI.0, KIKI.1));
        }
        if self.is_wanted(EngineArgument::Horn) {
            plan.add(self.horn().only_loops().in_turns(LONG_TURN));
        }
    }
}
