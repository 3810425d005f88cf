//! A solver process that dies, babbles or keeps silent: each is an error value within a second of
//! the budget, and the next query works.

use foghorn_core::Budget;
use foghorn_smt::SolverError;
use foghorn_smt::smtlib::{SmtLibProfile, SmtLibSolver, SolverCommand};
use foghorn_smt::solver::{Answer, Limits, Solver};
use foghorn_term::{Sort, TermPool};
use std::path::Path;
use std::time::{Duration, Instant};

const BUDGET: Duration = Duration::from_millis(500);

/// A shell script that behaves badly on its first run and is z3 ever after.
fn flaky(folder: &Path, misbehaviour: &str) -> SmtLibSolver {
    let z3 = format!("{}/../../.deps/z3/bin/z3", env!("CARGO_MANIFEST_DIR"));
    let marker = folder.join("ran-before");
    let script = format!(
        "if [ -e {0} ]; then exec {z3} -in -smt2; fi\ntouch {0}\n{misbehaviour}\n",
        marker.display()
    );
    let profile = SmtLibProfile {
        command: SolverCommand::new("sh", &["-c", &script]),
        ..SmtLibProfile::z3(&z3)
    };
    SmtLibSolver::new(profile)
}

fn check(misbehaviour: &str, expected: impl Fn(&SolverError) -> bool) {
    let folder = tempfile::tempdir().unwrap();
    let mut solver = flaky(folder.path(), misbehaviour);
    let mut pool = TermPool::new();
    let p = pool.symbol("p", Sort::Bool);
    solver.assert(&pool, p).unwrap();
    solver.set_budget(Budget::unlimited().within(BUDGET));
    let start = Instant::now();
    let error = solver.check(&pool).unwrap_err();
    let elapsed = start.elapsed();
    assert!(expected(&error), "{misbehaviour}: {error}");
    assert!(
        elapsed < BUDGET + Duration::from_secs(1),
        "{misbehaviour}: {elapsed:?}"
    );

    solver.set_budget(Budget::unlimited().within(Duration::from_secs(20)));
    let not_p = pool.not(p);
    assert_eq!(solver.check(&pool).unwrap(), Answer::Satisfiable);
    assert_eq!(
        solver.check_assuming(&pool, &[not_p]).unwrap(),
        Answer::Unsatisfiable
    );
}

fn died(error: &SolverError) -> bool {
    matches!(error, SolverError::Died { .. })
}

fn garbage(error: &SolverError) -> bool {
    matches!(error, SolverError::Garbage { .. })
}

fn exhausted(error: &SolverError) -> bool {
    matches!(error, SolverError::Exhausted(_))
}

#[test]
fn one_that_dies_at_once() {
    check("exit 1", died);
}

#[test]
fn one_that_is_killed_in_the_middle_of_a_query() {
    check(
        "while read line; do case $line in *check-sat*) kill -9 $$;; esac; done",
        died,
    );
}

#[test]
fn one_that_prints_garbage() {
    check(
        "while read line; do echo 'segmentation fault (just kidding)'; done",
        garbage,
    );
}

#[test]
fn one_that_never_stops_printing_garbage() {
    check("exec yes", garbage);
}

#[test]
fn one_that_complains() {
    check("while read line; do echo '(error \"no\")'; done", garbage);
}

#[test]
fn one_that_never_closes_a_parenthesis() {
    check("exec yes '('", exhausted);
}

#[test]
fn one_that_never_answers() {
    check("exec sleep 1000", exhausted);
}

#[test]
fn one_that_is_not_there() {
    let profile = SmtLibProfile::z3("/nonexistent/solver");
    let mut solver = SmtLibSolver::new(profile);
    let pool = TermPool::new();
    assert!(matches!(
        solver.check(&pool),
        Err(SolverError::CannotStart { .. })
    ));
}
