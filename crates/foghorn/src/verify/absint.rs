//! The abstract interpreter's side: from a proof to a report, and what is handed on.

use super::outside::Outside;
use super::request::{Interim, ProvedSite};
use cranelift_entity::EntityRef;
use foghorn_core::{CheckGroup, CheckKind, CheckSelection, SiteKind, UnknownReason};
use foghorn_invariants::Proof;
use foghorn_invariants::site::{SiteResult, SiteStatus};
use foghorn_ir::interpret::ProgramPoint;
use foghorn_ir::{FunctionId, InstId, Module};
use foghorn_witness::report::{CheckIds, CheckReport, VerdictName, VerificationReport};
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
    pub outside: &'m Outside,
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
        let mut ids = CheckIds::default();
        let sites = proof.sites.iter();
        let checks: Vec<CheckReport> = sites
            .map(|site| self.check(proof, site, &mut ids))
            .collect();
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

    fn check(&self, proof: &Proof, site: &SiteResult, ids: &mut CheckIds) -> CheckReport {
        let kind = site.kind.representative();
        let span = self.module.spans.span(site.span);
        // What the pure form adds has no name in the program.
        let function = self.module.functions.get(site.point.function);
        let function = function.map_or_else(String::new, |it| it.name.to_string());
        let reason = match site.status {
            SiteStatus::Unreached | SiteStatus::Proved => None,
            SiteStatus::Open(obligation) => Some(self.open(proof, site, obligation)),
        };
        CheckReport {
            id: ids.next(&function, kind, span.line, span.column),
            kind,
            file: self.module.spans.file_name(span.file).to_string(),
            line: span.line,
            column: span.column,
            function,
            verdict: match reason {
                None => VerdictName::Safe,
                Some(_) => VerdictName::Unknown,
            },
            reason,
            trace: None,
            harness: None,
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
        let called = proof.notes.external_calls.iter().map(String::as_str);
        assumptions.extend(self.outside.assumptions(called));
        if !self.misaligned && self.checks.contains(CheckKind::Misaligned) {
            assumptions
                .push("misaligned accesses are no errors (--misaligned reports them)".to_owned());
        }
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
