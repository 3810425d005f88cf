//! The abstract interpreter's side: from a proof to a report, and what is handed on.

use super::assumptions::{Circumstances, Noticed};
use super::request::{Interim, ProvedSite};
use super::sites::Sites;
use cranelift_entity::EntityRef;
use foghorn_core::{Assumption, CheckKind, SiteKind, UnknownReason};
use foghorn_invariants::Proof;
use foghorn_invariants::site::{SiteResult, SiteStatus};
use foghorn_ir::interpret::ProgramPoint;
use foghorn_ir::{FunctionId, InstId, Instruction, Module};
use foghorn_witness::report::{CheckReport, VerdictName, VerificationReport};
use std::collections::BTreeMap;

/// The name of the engine in reports.
const ENGINE: &str = "absint";

/// Facts of an invariant that are told; where there are more, it is only said that there are.
const TOLD: usize = 12;

/// Makes reports of proofs, in the terms of the program as it was before the pure form.
pub struct ProofReporter<'m> {
    pub module: &'m Module,
    pub circumstances: Circumstances<'m>,
    /// Whether integers become pointers of which only the pointer analysis says where they lead.
    pub addresses_as_pointers: bool,
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
        let mut report = VerificationReport::new(ENGINE, checks, None);
        report.assume(self.assumptions(proof));
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
            unreached: site.status == SiteStatus::Unreached && is_explicit(site.kind),
            ..self.sites.check(site.kind, Some(site.point), site.span)
        }
    }

    /// What an explicit check says about itself.
    fn message(&self, site: &SiteResult) -> String {
        let function = self.module.functions.get(site.point.function);
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
    fn open(&self, proof: &Proof, site: &SiteResult, obligation: usize) -> UnknownReason {
        if site.kind == SiteKind::Explicit(CheckKind::Unsupported) {
            return UnknownReason::Unsupported {
                construct: self.message(site),
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

    fn assumptions(&self, proof: &Proof) -> Vec<Assumption> {
        let calls = proof.notes.external_calls.iter();
        self.circumstances.assumptions(&Noticed {
            external_calls: calls.map(String::as_str).collect(),
            addresses_as_pointers: self.addresses_as_pointers,
            // Whatever the arguments are.
            fixed_arguments: false,
        })
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

/// Whether somebody wrote the check, or clang did: accesses behind a branch that is never taken, and
/// what a model of the library does not come to, are no news.
pub(super) fn is_explicit(kind: SiteKind) -> bool {
    let of_models = [
        CheckKind::Unsupported,
        CheckKind::LibraryPrecondition,
        CheckKind::Overlap,
    ];
    matches!(kind, SiteKind::Explicit(kind) if !of_models.contains(&kind))
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
