//! The abstract interpreter's side: from a proof to a report, and what is handed on.

use super::assumptions::of_program;
use super::request::{Interim, ProvedSite};
use super::sites::Sites;
use crate::arguments::ProgramArguments;
use cranelift_entity::EntityRef;
use foghorn_core::{CheckGroup, CheckKind, CheckSelection, SiteKind, UnknownReason};
use foghorn_invariants::Proof;
use foghorn_invariants::site::{SiteResult, SiteStatus};
use foghorn_ir::interpret::ProgramPoint;
use foghorn_ir::{FunctionId, InstId, Module};
use foghorn_witness::report::{CheckReport, VerdictName, VerificationReport};
use std::collections::BTreeMap;

/// The name of the engine in reports.
const ENGINE: &str = "absint";

/// Facts of an invariant that are told; where there are more, it is only said that there are.
const TOLD: usize = 12;

/// Makes reports of proofs, in the terms of the program as it was before the pure form.
pub struct ProofReporter<'m> {
    pub module: &'m Module,
    pub checks: &'m CheckSelection,
    /// Whether misaligned accesses are reported.
    pub misaligned: bool,
    /// The program as the engine sees it.
    pub pure: &'m Module,
    /// How the program is started.
    pub program: &'m ProgramArguments,
    /// All checks of the program.
    pub sites: &'m Sites<'m>,
}

impl ProofReporter<'_> {
    /// What is proved so far, to be told and to be handed on.
    pub fn interim(&self, proof: &Proof) -> Interim {
        let proved = proof.sites.iter().filter(|site| site.status.is_proved());
        Interim {
            report: self.report(proof),
            proved: proved.map(handed_on).collect(),
            facts: proof.facts.clone(),
        }
    }

    fn report(&self, proof: &Proof) -> VerificationReport {
        let sites = proof.sites.iter();
        let checks: Vec<CheckReport> = sites.map(|site| self.check(proof, site)).collect();
        // There is an obligation for everything that can fail in a run, so no run comes to the rest.
        let checks = self.sites.complete(checks, &|_, _| true, None);
        let termination = self.checks.has_group(CheckGroup::Termination);
        let incomplete = termination.then(|| UnknownReason::Failure {
            what: "whether the program terminates is not decided by this engine".to_owned(),
        });
        let mut report = VerificationReport::new(ENGINE, checks, incomplete);
        report.assumptions = self.assumptions(proof);
        report.warnings = self.warnings(proof);
        report.statistics = statistics(proof);
        report
    }

    fn check(&self, proof: &Proof, site: &SiteResult) -> CheckReport {
        let reason = match site.status {
            SiteStatus::Unreached | SiteStatus::Proved => None,
            SiteStatus::Open(obligation) => Some(self.open(proof, site, obligation)),
        };
        CheckReport {
            verdict: match reason {
                None => VerdictName::Safe,
                Some(_) => VerdictName::Unknown,
            },
            reason,
            ..self.sites.check(site.kind, Some(site.point), site.span)
        }
    }

    /// Why a site is not proved.
    fn open(&self, proof: &Proof, site: &SiteResult, obligation: usize) -> UnknownReason {
        if site.kind == SiteKind::Explicit(CheckKind::Unsupported) {
            return UnknownReason::Unsupported {
                construct: "what may be reached here".to_owned(),
                location: self.module.spans.describe(site.span),
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

    fn assumptions(&self, proof: &Proof) -> Vec<String> {
        let of_checks = self.checks.assumptions().into_iter();
        let mut assumptions: Vec<String> = of_checks.map(ToOwned::to_owned).collect();
        for name in &proof.notes.external_calls {
            assumptions.push(format!(
                "'{name}' has no body: it returns anything and changes no memory"
            ));
        }
        if !self.misaligned && self.checks.contains(CheckKind::Misaligned) {
            assumptions
                .push("misaligned accesses are no errors (--misaligned reports them)".to_owned());
        }
        assumptions.extend(of_program(self.module, self.pure, self.program));
        assumptions
    }

    fn warnings(&self, proof: &Proof) -> Vec<String> {
        let notes = &proof.notes.over_approximations;
        let imprecise = notes.iter().map(|(what, span)| {
            let place = self.module.spans.describe(*span);
            format!("{place}: {what} is not modelled precisely")
        });
        imprecise.collect()
    }
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

fn handed_on(site: &SiteResult) -> ProvedSite {
    ProvedSite {
        kind: site.kind,
        function: site.point.function.as_u32(),
        instruction: site.point.instruction.as_u32(),
    }
}

/// The site as the bounded model checker knows it.
pub fn taken_over(site: &ProvedSite) -> (SiteKind, ProgramPoint) {
    let point = ProgramPoint {
        function: FunctionId::new(site.function as usize),
        instruction: InstId::new(site.instruction as usize),
    };
    (site.kind, point)
}
