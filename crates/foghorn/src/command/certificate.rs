//! `foghorn check-certificate`: are invariants inductive on the IR, by a solver?

use super::{CommandResult, Failure};
use crate::arguments::{CertificateArguments, ProgramArguments};
use crate::exit::Exit;
use crate::program;
use crate::standard_input::read_text;
use crate::verify::{certificate, certify};
use anyhow::Context;
use foghorn_certify::certificate::VERSION;
use foghorn_certify::{Certificate, Outcome, ProofCertificate, document};
use foghorn_core::{Budget, CheckSelection};
use std::path::{Path, PathBuf};

/// Failures beyond these are counted.
const LISTED: usize = 20;

pub fn execute(arguments: &CertificateArguments) -> CommandResult {
    if let Some((path, program)) = written(arguments) {
        let text = read_text(&path).map_err(Failure::input)?;
        if version_of(&text) == Some(u64::from(document::VERSION)) {
            return check_written(&path, &text, program, arguments);
        }
    }
    let given = arguments.program.clone().with_any_arguments();
    let mut module = program::load(&given, &[])?.module;
    program::purify(&mut module);
    let checks: CheckSelection = arguments.check.parse().map_err(Failure::usage)?;
    let certificate = match &arguments.certificate {
        Some(path) => read(path).map_err(Failure::input)?,
        None => {
            let domain = &arguments.domain;
            certify::certificate(&module, &checks, domain).map_err(Failure::usage)?
        }
    };
    if let Some(path) = &arguments.write {
        let text = serde_json::to_string(&certificate).map_err(Failure::internal)?;
        std::fs::write(path, text + "\n")
            .with_context(|| format!("cannot write {}", path.display()))
            .map_err(Failure::input)?;
    }
    let checks: CheckSelection = certificate.checks.parse().map_err(Failure::input)?;
    let budget = match super::verify::seconds(arguments.timeout)? {
        Some(time) => Budget::unlimited().within(time),
        None => Budget::unlimited(),
    };
    let outcome = foghorn_certify::check(&module, &checks, &certificate, &budget)
        .map_err(Failure::internal)?;
    print(&outcome);
    Ok(exit(&outcome))
}

/// The certificate that was given, by its option or as the first file, and the program that remains.
fn written(arguments: &CertificateArguments) -> Option<(PathBuf, ProgramArguments)> {
    let mut program = arguments.program.clone();
    if let Some(path) = &arguments.certificate {
        return Some((path.clone(), program));
    }
    let first = program.files.first()?;
    let is_certificate = first
        .extension()
        .is_some_and(|it| it == "json" || it == "certificate")
        && first
            .file_name()
            .is_none_or(|it| it != "compile_commands.json");
    if program.files.len() < 2 || !is_certificate {
        return None;
    }
    let path = program.files.remove(0);
    Some((path, program))
}

fn version_of(text: &str) -> Option<u64> {
    let value: serde_json::Value = serde_json::from_str(text).ok()?;
    value.get("version")?.as_u64()
}

/// Checks a certificate that `verify --certificate` wrote, by itself.
fn check_written(
    path: &Path,
    text: &str,
    program: ProgramArguments,
    arguments: &CertificateArguments,
) -> CommandResult {
    let certificate: ProofCertificate = serde_json::from_str(text)
        .with_context(|| format!("{} is no certificate", path.display()))
        .map_err(Failure::input)?;
    // What was asked is part of the certificate: whoever reads the answer has to see it.
    let asked = certificate.checks.clone();
    let given = program.quietly().with_any_arguments();
    let mut module = program::load(&given, &[])?.module;
    program::purify(&mut module);
    let budget = match super::verify::seconds(arguments.timeout)? {
        Some(time) => Budget::unlimited().within(time),
        None => Budget::unlimited(),
    };
    let folder = arguments
        .proofs
        .then(|| tempfile::Builder::new().prefix("foghorn-").tempdir());
    let folder = folder
        .transpose()
        .context("cannot make a folder for proofs")
        .map_err(Failure::internal)?;
    let place = folder.as_ref().map(|folder| folder.path().to_owned());
    let checked = certificate::check_deep(module, certificate, budget, place)
        .map_err(|error| Failure::internal(anyhow::anyhow!(error)))?;
    for sentence in checked.wrong.iter().take(LISTED) {
        println!("refused: {sentence}");
    }
    for sentence in checked.undecided.iter().take(LISTED) {
        println!("not decided: {sentence}");
    }
    if arguments.proofs {
        let (all, by_proof) = checked.refutations;
        println!("{by_proof} of {all} refutations of the solver were checked by their proofs");
    }
    let is_whole = checked.shown == checked.sites;
    println!(
        "{} of {} checks follow ({asked}){}",
        checked.shown,
        checked.sites,
        match is_whole {
            true => "",
            false => ": the certificate does not prove the program",
        }
    );
    Ok(
        match (
            checked.wrong.is_empty(),
            checked.undecided.is_empty() && is_whole,
        ) {
            (false, _) => Exit::Unsafe,
            (true, true) => Exit::Success,
            (true, false) => Exit::Unknown,
        },
    )
}

/// Success only if every fact and every check follows. A fact that does not makes the certificate
/// wrong; a check that does not leaves the program open.
fn exit(outcome: &Outcome) -> Exit {
    let is_wrong = outcome.failures.iter().any(|failure| !failure.undecided);
    match (is_wrong, outcome.failures.is_empty(), outcome.checks_open) {
        (true, _, _) => Exit::Unsafe,
        (false, true, 0) => Exit::Success,
        (false, _, _) => Exit::Unknown,
    }
}

fn read(path: &Path) -> anyhow::Result<Certificate> {
    let text = read_text(path)?;
    let certificate: Certificate = serde_json::from_str(&text)
        .with_context(|| format!("{} is no certificate", path.display()))?;
    if certificate.version != VERSION {
        anyhow::bail!(
            "{} is a certificate of version {}, not {VERSION}",
            path.display(),
            certificate.version
        );
    }
    Ok(certificate)
}

fn print(outcome: &Outcome) {
    for failure in outcome.failures.iter().take(LISTED) {
        let how = match failure.undecided {
            true => "not decided",
            false => "does not follow",
        };
        println!(
            "{how}: {} block{}, {}: {}",
            failure.function, failure.block, failure.place, failure.fact
        );
    }
    println!(
        "{} edges, {} facts, {} that do not follow, {} not decided; {}",
        outcome.edges,
        outcome.facts,
        outcome.failures.iter().filter(|it| !it.undecided).count(),
        outcome.failures.iter().filter(|it| it.undecided).count(),
        of_checks(outcome)
    );
}

fn of_checks(outcome: &Outcome) -> String {
    match (outcome.checks_proved, outcome.checks_open) {
        (1, 0) => "the check follows".to_owned(),
        (proved, 0) => format!("all {proved} checks follow"),
        (proved, open) => format!(
            "{proved} of {} checks follow: the certificate does not prove the program",
            proved + open
        ),
    }
}
