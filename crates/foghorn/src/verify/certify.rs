//! Invariants of the abstract interpreter as a certificate.
//!
//! A certificate is made from an analysis of its own: one context per function, because what holds
//! in several contexts taken together need not follow from itself, and without the contents of
//! memory, of which a certificate does not speak.

use foghorn_absint::registry::RegistryError;
use foghorn_certify::certificate::VERSION;
use foghorn_certify::{Certificate, FunctionCertificate};
use foghorn_core::{Budget, CheckSelection};
use foghorn_invariants::{
    Analysis, AnalysisOptions, RegionTable, Scope, TranslationOptions, analyse,
};
use foghorn_ir::{FunctionId, Module};
use foghorn_witness::report::VerificationReport;

/// The domain whose invariants are certified unless another is asked for.
pub const DOMAIN: &str = "zones+bool";

/// Infers invariants of a program in pure form and puts them into a certificate.
pub fn certificate(
    module: &Module,
    checks: &CheckSelection,
    domain: &str,
) -> Result<Certificate, RegistryError> {
    let options = AnalysisOptions {
        domain: domain.to_owned(),
        scope: Scope::Contexts,
        contexts: 1,
        translation: TranslationOptions {
            checks: checks.groups().collect(),
            alignment: false,
        },
        ..AnalysisOptions::default()
    };
    let mut analysis = analyse(module, &RegionTable::default(), &options)?;
    let mut certificate = Certificate {
        version: VERSION,
        checks: checks.to_string(),
        functions: Default::default(),
    };
    for (id, function) in module.functions.iter() {
        let claims = claims(module, &mut analysis, id);
        if !claims.blocks.is_empty() {
            certificate
                .functions
                .insert(function.name.to_string(), claims);
        }
    }
    Ok(certificate)
}

/// Adds to a report whether the invariants of the program are inductive.
pub fn add_certificate(
    report: &mut VerificationReport,
    module: &Module,
    checks: &CheckSelection,
    budget: &Budget,
) -> anyhow::Result<()> {
    let certificate = certificate(module, checks, DOMAIN)?;
    let outcome = foghorn_certify::check(module, checks, &certificate, budget)?;
    let counts = [
        ("certificate_edges", outcome.edges),
        ("certificate_facts", outcome.facts),
        ("certificate_failures", outcome.failures.len()),
        ("certificate_checks", outcome.checks_proved),
    ];
    for (name, count) in counts {
        report.statistics.insert(name.to_owned(), count as f64);
    }
    for failure in &outcome.failures {
        let how = match failure.undecided {
            true => "was not decided",
            false => "does not follow",
        };
        report.warnings.push(format!(
            "certificate: in {} block{}, {}: {} {how}",
            failure.function, failure.block, failure.place, failure.fact
        ));
    }
    Ok(())
}

fn claims(module: &Module, analysis: &mut Analysis, id: FunctionId) -> FunctionCertificate {
    let mut claims = FunctionCertificate::default();
    let Some(body) = &module.functions[id].body else {
        return claims;
    };
    for block in body.blocks.keys() {
        if let Some(mut facts) = analysis.facts(module, id, block) {
            facts.extend(analysis.implied_facts(module, id, block));
            claims.blocks.insert(block.as_u32(), facts);
        }
    }
    claims.returns = analysis.facts_returned(module, id);
    claims
}
