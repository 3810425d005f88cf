//! Invariants hold of every state that a run reaches.
//!
//! The programs are textual IR: those beside this test, and every `.ir` file of the directory that
//! `FOGHORN_IR_DIR` names (`foghorn ir program.c > program.ir` makes them).
//! `FOGHORN_IR_DOMAINS` replaces the list of domains, separated by commas; `FOGHORN_IR_SCOPES`
//! the first so many of the three scopes.

// What was compared is wanted by whoever asks for `--nocapture`.
#![allow(clippy::print_stderr)]

use foghorn_absint::analysis::checker::CheckStatus;
use foghorn_core::CheckKind;
use foghorn_dsa::memory_ssa::plan::purify;
use foghorn_invariants::obligation::ObligationKind;
use foghorn_invariants::watch::{Checker, Watched};
use foghorn_invariants::{AnalysisOptions, CheckResult, RegionTable, Scope, analyse};
use foghorn_ir::interpret::{Failure, Options, Outcome, Program, RecordedWorld, Seeded};
use foghorn_ir::{Module, parse_module, verify_module};
use std::path::{Path, PathBuf};

fn programs() -> Vec<PathBuf> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    let others = std::env::var_os("FOGHORN_IR_DIR").map(PathBuf::from);
    let mut files = Vec::new();
    for directory in [Some(own), others].into_iter().flatten() {
        let entries = std::fs::read_dir(&directory).expect("a directory of programs");
        let paths = entries.map(|entry| entry.expect("readable").path());
        files.extend(paths.filter(|path| path.extension().is_some_and(|it| it == "ir")));
    }
    files.sort();
    files
}

fn read(path: &Path) -> Module {
    let text = std::fs::read_to_string(path).expect("a readable program");
    parse_module(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn domains() -> Vec<String> {
    let wanted = std::env::var("FOGHORN_IR_DOMAINS");
    let wanted = wanted.unwrap_or_else(|_| "ric+bool+adapt,zones+bool+partition".to_owned());
    wanted.split(',').map(str::to_owned).collect()
}

fn scopes() -> Vec<Scope> {
    let wanted = std::env::var("FOGHORN_IR_SCOPES").ok();
    let count = wanted.and_then(|text| text.parse().ok()).unwrap_or(3);
    let all = [Scope::Function, Scope::Contexts, Scope::Summaries];
    all.into_iter().take(count).collect()
}

#[derive(Default)]
struct Tally {
    programs: usize,
    states: usize,
    checks: usize,
    safe: usize,
    violations: Vec<String>,
}

/// Runs a program a few times under one analysis.
fn compare(
    path: &Path,
    module: &Module,
    regions: &RegionTable,
    options: &AnalysisOptions,
    tally: &mut Tally,
) {
    let mut analysis = analyse(module, regions, options).expect("a domain");
    let checks = analysis.checks();
    tally.programs += 1;
    tally.checks += checks.len();
    tally.safe += checks.iter().filter(|it| is_safe(it.status)).count();
    let watched = Watched::new(module, &analysis);
    let breaches = verify_module(&watched.module);
    assert!(breaches.is_empty(), "{}: {breaches:?}", path.display());
    let program = Program::with_events(&watched.module);
    for seed in 0..3 {
        let run_options = Options {
            checks: options.translation.checks.clone(),
            max_steps: Some(400_000),
            max_memory: 64 << 20,
            ..Options::default()
        };
        let mut checker = Checker::new(&watched, &analysis);
        let mut world = RecordedWorld::default();
        let run = program
            .run_observed(
                &run_options,
                &mut Seeded::new(seed),
                &mut world,
                &mut checker,
            )
            .expect("a program with an entry");
        tally.states += checker.states;
        let place = format!(
            "{} ({}, {:?})",
            path.display(),
            options.domain,
            options.scope
        );
        let found = checker.violations.into_iter().take(3);
        tally
            .violations
            .extend(found.map(|it| format!("{place}: {it}")));
        if let Outcome::Failed(failure) = &run.outcome
            && let Some(claim) = refuted_claim(&watched.module, &checks, failure)
        {
            tally.violations.push(format!("{place}: {claim}"));
        }
    }
}

fn is_safe(status: CheckStatus) -> bool {
    matches!(status, CheckStatus::Safe | CheckStatus::Unreachable)
}

/// A failure although everything of its kind at its place was called safe.
fn refuted_claim(module: &Module, checks: &[CheckResult], failure: &Failure) -> Option<String> {
    let place = failure.stack.first()?;
    let is_bounds = matches!(
        failure.kind,
        CheckKind::NullDereference | CheckKind::OutOfBounds | CheckKind::UnknownPointer
    );
    let mut claims = checks.iter().filter(|check| {
        let function = &module.functions[check.function];
        let body = function.body.as_ref().expect("checks are in bodies");
        let same_kind = match check.kind {
            ObligationKind::Check(kind) => kind == failure.kind,
            ObligationKind::Access { .. } => is_bounds,
            ObligationKind::Alignment => failure.kind == CheckKind::Misaligned,
            ObligationKind::Free => {
                matches!(failure.kind, CheckKind::InvalidFree | CheckKind::DoubleFree)
            }
            ObligationKind::Call => failure.kind == CheckKind::InvalidCall,
            ObligationKind::PointerOrder => failure.kind == CheckKind::PointerComparison,
            ObligationKind::Leak => failure.kind == CheckKind::Leak,
            ObligationKind::Cleanup => failure.kind == CheckKind::NotFreed,
        };
        function.name == place.function
            && body.instructions[check.instruction].span == place.span
            && same_kind
    });
    let first = claims.next()?;
    let all_safe = is_safe(first.status) && claims.all(|check| is_safe(check.status));
    all_safe.then(|| format!("{first:?} was called safe and failed: {failure:?}"))
}

/// A comparison that takes wrong values for right ones would compare nothing.
#[test]
fn wrong_values_are_noticed() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/loops.ir");
    let module = read(&path);
    for domain in domains() {
        let options = AnalysisOptions {
            domain,
            ..AnalysisOptions::default()
        };
        let analysis = analyse(&module, &RegionTable::default(), &options).expect("a domain");
        let watched = Watched::new(&module, &analysis);
        let program = Program::with_events(&watched.module);
        let mut checker = Checker::new(&watched, &analysis);
        checker.distortion = 1000;
        let (mut choices, mut world) = (Seeded::new(0), RecordedWorld::default());
        let options = Options {
            max_steps: Some(50_000),
            ..Options::default()
        };
        program
            .run_observed(&options, &mut choices, &mut world, &mut checker)
            .expect("a program with an entry");
        assert!(checker.violations.len() * 2 > checker.states);
    }
}

#[test]
fn every_reached_state_satisfies_the_invariants() {
    for domain in domains() {
        for scope in scopes() {
            let mut tally = Tally::default();
            let started = std::time::Instant::now();
            for path in programs() {
                let module = read(&path);
                let mut options = AnalysisOptions {
                    domain: domain.clone(),
                    scope,
                    ..AnalysisOptions::default()
                };
                let mut pure = module.clone();
                let pointers = purify(&mut pure, &foghorn_dsa::Options::default());
                let regions = RegionTable::new(&pure, &pointers);
                compare(&path, &pure, &regions, &options, &mut tally);
                // Integers also wrap.
                options.translation.checks.clear();
                compare(&path, &pure, &regions, &options, &mut tally);
                compare(
                    &path,
                    &module,
                    &RegionTable::default(),
                    &options,
                    &mut tally,
                );
            }
            eprintln!(
                "{domain}, {scope:?}: {} analyses, {} states, {} of {} checks safe, {:?}",
                tally.programs,
                tally.states,
                tally.safe,
                tally.checks,
                started.elapsed()
            );
            let violations = tally.violations;
            assert!(violations.is_empty(), "{}", violations.join("\n"));
        }
    }
}
