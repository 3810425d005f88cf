//! The table of precision: programs with the invariants that each domain must find.
//!
//! Every `tests/precision/*.fog` starts with comments that say what is expected:
//!
//! ```text
//! // What the program shows.
//! // mode: summaries                           (default: contexts)
//! // refine: 3                                 (rounds of backward analysis; default 0)
//! // expect zones at exit: x == y              (entailed at the start of the block)
//! // cannot intervals at exit: x == y          (not entailed; an improvement must update this)
//! // check zones: safe warning unreachable     (all checks of the program, in order)
//! ```
//!
//! A block of a function other than `main` is written `function.block`.

// Tables and timings of a run are wanted by whoever asks for `--nocapture`.
#![allow(clippy::print_stderr)]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use foghorn_absint::domain::{AbstractDomain as _, ProgramDomain as _};
use foghorn_absint::language::parse_condition;
use foghorn_absint::pipeline::{Mode, Report, Request, analyse_text, facts};

#[derive(Default)]
struct Header {
    mode: Mode,
    refine: usize,
    /// (domain, place, condition, whether it must be entailed)
    claims: Vec<(String, String, String, bool)>,
    checks: Vec<(String, String)>,
}

fn header(text: &str) -> Result<Header, String> {
    let mut header = Header::default();
    let mut lines = text
        .lines()
        .map_while(|line| line.strip_prefix("//"))
        .map(str::trim);
    if lines.next().is_none_or(str::is_empty) {
        return Err("the first line must say what the program shows".to_owned());
    }
    for line in lines {
        let (key, rest) = line.split_once(' ').unwrap_or((line, ""));
        match key {
            "mode:" => {
                header.mode = match rest {
                    "summaries" => Mode::Summaries,
                    "contexts" => Mode::Contexts,
                    other => return Err(format!("no mode `{other}`")),
                }
            }
            "refine:" => header.refine = rest.parse().map_err(|error| format!("{error}"))?,
            "expect" | "cannot" => {
                let (head, condition) = rest.split_once(": ").ok_or("a claim needs `: `")?;
                let (domain, place) = head.split_once(" at ").ok_or("a claim needs ` at `")?;
                let claim = (domain.to_owned(), place.to_owned(), condition.to_owned());
                header
                    .claims
                    .push((claim.0, claim.1, claim.2, key == "expect"));
            }
            "check" => {
                let (domain, statuses) = rest.split_once(": ").ok_or("a check needs `: `")?;
                header.checks.push((domain.to_owned(), statuses.to_owned()));
            }
            other => return Err(format!("unknown key `{other}`")),
        }
    }
    if header.claims.iter().all(|claim| !claim.3) && header.checks.is_empty() {
        return Err("nothing is expected".to_owned());
    }
    Ok(header)
}

/// Whether the condition is entailed at the place in every context, and what is known there.
fn entailed(report: &Report, place: &str, condition: &str) -> Result<(bool, String), String> {
    let (function, label) = place.split_once('.').unwrap_or(("main", place));
    let program = &report.program;
    let function = program.function(function).ok_or("no such function")?;
    let blocks = &program.functions[function].blocks;
    let (block, _) = blocks
        .iter()
        .find(|(_, b)| b.label == label)
        .ok_or("no such block")?;
    let condition = parse_condition(condition, program, function).map_err(|e| e.to_string())?;
    let mut known = Vec::new();
    let mut holds = true;
    for states in report.states.of(function) {
        let state = states.before_block(block);
        if state.is_bottom() && condition != foghorn_absint::language::Condition::Constant(false) {
            return Err("the block is unreachable, so everything would hold".to_owned());
        }
        holds &= state.entails(&condition);
        known.extend(facts(program, state));
    }
    Ok((holds, known.join(", ")))
}

fn test_file(text: &str, table: &mut BTreeMap<String, usize>) -> Result<(), String> {
    let header = header(text)?;
    let mut reports: BTreeMap<String, Report> = BTreeMap::new();
    let domains = header.claims.iter().map(|claim| &claim.0);
    for domain in domains.chain(header.checks.iter().map(|check| &check.0)) {
        let request = Request {
            domain: domain.clone(),
            mode: header.mode,
            refinement_rounds: header.refine,
            ..Request::default()
        };
        let report = analyse_text(text, &request).map_err(|error| error.to_string())?;
        reports.insert(domain.clone(), report);
    }
    for (domain, place, condition, expected) in &header.claims {
        let (holds, known) = entailed(&reports[domain], place, condition)
            .map_err(|why| format!("{domain} at {place}: {why}"))?;
        match (holds, expected) {
            (false, true) => {
                return Err(format!(
                    "{domain} at {place} must entail {condition}, knows {known}"
                ));
            }
            (true, false) => {
                return Err(format!("improved: {domain} at {place} entails {condition}"));
            }
            (true, true) | (false, false) => *table.entry(domain.clone()).or_default() += 1,
        }
    }
    for (domain, expected) in &header.checks {
        let statuses: Vec<String> = reports[domain]
            .checks
            .iter()
            .map(|check| check.status.to_string())
            .collect();
        if statuses.join(" ") != *expected {
            return Err(format!(
                "{domain}: checks are {}, not {expected}",
                statuses.join(" ")
            ));
        }
        *table.entry(domain.clone()).or_default() += 1;
    }
    Ok(())
}

#[test]
fn every_program_has_its_invariants() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/precision");
    let mut files: Vec<_> = fs::read_dir(&folder)
        .expect("the folder of programs")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "fog"))
        .collect();
    files.sort();
    let mut failures = Vec::new();
    let mut table = BTreeMap::new();
    for path in &files {
        let text = fs::read_to_string(path).expect("a readable program");
        if let Err(why) = test_file(&text, &mut table) {
            failures.push(format!(
                "{}: {why}",
                path.file_name().unwrap_or_default().display()
            ));
        }
    }
    eprintln!("{} programs; claims by domain: {table:?}", files.len());
    assert!(
        failures.is_empty(),
        "{} failures:\n{}",
        failures.len(),
        failures.join("\n")
    );
    assert!(files.len() >= 80, "programs went missing");
}
