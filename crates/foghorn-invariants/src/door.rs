//! The abstract interpreter as an engine: it proves, and it never refutes.

use crate::analysis::Scope;
use crate::prove::{LADDER, Proof, ProofOptions, prove};
use crate::site::{SiteResult, SiteStatus};
use foghorn_absint::registry::{FUNCTORS, NUMERIC, RegistryError};
use foghorn_core::{Budget, CheckKind, SiteKind, UnknownReason};
use foghorn_engine::{
    Engine, EngineEntry, EngineOptions, EngineReport, Knowledge, Noticed, OptionError, Power,
    Progress, Sink, SiteAnswer, SitePlace, SiteVerdict, Task,
};
use foghorn_ir::Instruction;
use std::collections::{BTreeMap, BTreeSet};

/// The engine in the table.
pub const ENTRY: EngineEntry = EngineEntry {
    name: NAME,
    about: "abstract interpretation: proves what follows from invariants",
    power: Power::Proves,
    make,
};

const NAME: &str = "absint";

/// Facts of an invariant that are told; where there are more, it is only said that there are.
const TOLD: usize = 12;

/// How it is asked to prove.
#[derive(Clone, Debug)]
struct AbstractInterpreter {
    ladder: Vec<String>,
    scope: Scope,
    backward: bool,
    /// Whether others are told what holds at loops.
    facts: bool,
}

/// Options: `domain` (one instead of all), `inter`, `backward`, `no-facts`.
fn make(options: &EngineOptions) -> Result<Box<dyn Engine>, OptionError> {
    let ladder = match options.text("domain") {
        Some(domain) => {
            foghorn_absint::registry::domain(domain)
                .map_err(|error| OptionError::new("domain", explain(&error)))?;
            vec![domain.to_owned()]
        }
        None => LADDER.iter().map(|&domain| domain.to_owned()).collect(),
    };
    let scope = match options.text("inter") {
        None | Some("contexts") => Scope::Contexts,
        Some("summaries") => Scope::Summaries,
        Some("none") => Scope::Function,
        Some(other) => {
            let problem = format!("'{other}' is none of none, summaries, contexts");
            return Err(OptionError::new("inter", problem));
        }
    };
    Ok(Box::new(AbstractInterpreter {
        ladder,
        scope,
        backward: options.flag("backward"),
        facts: !options.flag("no-facts"),
    }))
}

/// What can be said instead of a domain that does not exist.
fn explain(error: &RegistryError) -> String {
    let bases: Vec<&str> = NUMERIC.iter().map(|entry| entry.name).collect();
    let functors: Vec<&str> = FUNCTORS.iter().map(|entry| entry.name).collect();
    format!(
        "{error}; a domain is one of {}, and +{} add to it",
        bases.join(", "),
        functors.join(", +")
    )
}

impl Engine for AbstractInterpreter {
    fn name(&self) -> &'static str {
        NAME
    }

    fn can(&self, _: &Task) -> Result<(), String> {
        Ok(())
    }

    fn run(
        &self,
        task: &Task,
        knowledge: &Knowledge,
        _: &Budget,
        sink: &mut dyn Sink,
    ) -> EngineReport {
        let options = ProofOptions {
            ladder: self.ladder.clone(),
            scope: self.scope,
            checks: task.checks().clone(),
            alignment: task.alignment(),
            backward: self.backward,
        };
        sink.progress(Progress::phase("inferring invariants"));
        let mut known = knowledge.clone();
        // Each rung is told, and the ladder is left when others have proved the rest.
        let mut told = |proof: &Proof| {
            sink.interim(&self.report(task, proof));
            if let Some(news) = sink.news() {
                // What speaks of another program is refused, and nothing is lost by it.
                let _ = known.join(&news);
            }
            let site = |site: &SiteResult| task.sites().find(site.kind, site.point);
            let mut sites = proof.sites.iter();
            sites.all(|it| it.status.is_proved() || site(it).is_some_and(|id| known.is_proved(id)))
        };
        match prove(task.pure(), task.regions(), &options, &mut told) {
            Ok(proof) => self.report(task, &proof),
            Err(error) => EngineReport::undecided(UnknownReason::Failure {
                what: error.to_string(),
            }),
        }
    }
}

impl AbstractInterpreter {
    /// What is proved so far.
    fn report(&self, task: &Task, proof: &Proof) -> EngineReport {
        let mut answers = vec![];
        let mut met = BTreeSet::new();
        for site in &proof.sites {
            let place = match task.sites().find(site.kind, site.point) {
                Some(id) => {
                    met.insert(id);
                    SitePlace::Listed(id)
                }
                None => SitePlace::Further {
                    kind: site.kind,
                    point: Some(site.point),
                    span: site.span,
                },
            };
            answers.push(SiteAnswer {
                site: place,
                verdict: match site.status {
                    SiteStatus::Unreached | SiteStatus::Proved => SiteVerdict::Safe,
                    SiteStatus::Open(obligation) => {
                        SiteVerdict::Unknown(open(task, proof, site, obligation))
                    }
                },
                unreached: site.status == SiteStatus::Unreached && site.kind.is_written(),
            });
        }
        // There is an obligation for everything that can fail in a run, so no run comes to the rest.
        let rest = task.sites().iter().filter(|(id, _)| !met.contains(id));
        answers.extend(rest.map(|(id, _)| SiteAnswer {
            site: SitePlace::Listed(id),
            verdict: SiteVerdict::Safe,
            unreached: false,
        }));
        EngineReport {
            answers,
            noticed: Noticed {
                external_calls: proof.notes.external_calls.clone(),
                addresses_as_pointers: task.regions().addresses_as_pointers,
                // Whatever the arguments are.
                fixed_arguments: false,
                over_approximations: proof.notes.over_approximations.clone(),
            },
            facts: match self.facts {
                true => proof.facts.clone(),
                false => vec![],
            },
            statistics: statistics(proof),
            ..EngineReport::default()
        }
    }
}

/// What an explicit check says about itself.
fn message(task: &Task, site: &SiteResult) -> String {
    let function = task.program().functions.get(site.point.function);
    let body = function.and_then(|function| function.body.as_ref());
    let check = body.and_then(|body| body.instructions.get(site.point.instruction));
    match check.map(|check| &check.instruction) {
        Some(Instruction::Check {
            kind,
            message: Some(message),
            ..
        }) if site.kind == SiteKind::Explicit(*kind) => message.to_string(),
        _ => "what may be reached here".to_owned(),
    }
}

/// Why a site is not proved.
fn open(task: &Task, proof: &Proof, site: &SiteResult, obligation: usize) -> UnknownReason {
    if site.kind == SiteKind::Explicit(CheckKind::Unsupported) {
        return UnknownReason::Unsupported {
            construct: message(task, site),
            location: task.program().spans.describe(site.span),
        };
    }
    let known = proof.invariants.get(&obligation);
    let mut invariant = known.cloned().unwrap_or_default();
    if invariant.len() > TOLD {
        invariant.truncate(TOLD);
        invariant.push("…".to_owned());
    }
    UnknownReason::Unproved { invariant }
}

fn statistics(proof: &Proof) -> BTreeMap<String, f64> {
    let proved = proof.sites.iter().filter(|site| site.status.is_proved());
    let mut statistics = BTreeMap::from([
        ("checks".to_owned(), proof.sites.len() as f64),
        ("checks_proved".to_owned(), proved.count() as f64),
    ]);
    for (kind, count) in proof.dropped.iter() {
        statistics.insert(format!("dropped_{kind}"), count as f64);
    }
    statistics
}
