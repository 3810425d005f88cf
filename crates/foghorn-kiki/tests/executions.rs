//! What is shown of loops against executions, on random programs with loops over two arrays: each state that comes back to a
//! head has to satisfy the rows that were shown of it.
//!
//! `FOGHORN_KIKI_PROGRAMS` sets the number of programs, `FOGHORN_KIKI_FIRST` the first of them, `FOGHORN_KIKI_SECONDS` the
//! time for each.

use foghorn_core::Budget;
use foghorn_ir::{Module, parse_module};
use foghorn_kiki::audit::{Audit, AuditOptions, audit};
use foghorn_kiki::{Kiki, Mode, Sabotage, check};
use foghorn_testkit::loop_program;
use std::time::Duration;

fn number(name: &str, usual: u64) -> u64 {
    let given = std::env::var(name).ok();
    given.and_then(|text| text.parse().ok()).unwrap_or(usual)
}

fn random_program(seed: u64) -> (Module, String) {
    let text = loop_program(seed);
    let mut module = parse_module(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    foghorn_dsa::memory_ssa::plan::purify(&mut module, &foghorn_dsa::Options::default());
    (module, text)
}

/// Shows invariants of a program, every loop of which is cut, and compares them with a few of its runs.
fn observe(module: &Module, sabotage: Sabotage) -> Audit {
    let options = Kiki {
        mode: Mode::Invariants,
        decided: 0,
        argues: false,
        sabotage,
        ..Kiki::default()
    };
    let time = Duration::from_secs(number("FOGHORN_KIKI_SECONDS", 2));
    let budget = Budget::unlimited().within(time);
    let report = check(module, &options, &budget, &mut |_| {}).expect("it solves");
    let runs = AuditOptions {
        checks: options.settings.checks,
        steps: 20_000,
        runs: 4,
        max_memory: 1 << 24,
    };
    audit(module, &report.shown, &runs)
}

#[test]
fn what_is_shown_holds_in_executions() {
    let count = number("FOGHORN_KIKI_PROGRAMS", 16);
    let first = number("FOGHORN_KIKI_FIRST", 0);
    let mut states = 0;
    for seed in first..first + count {
        let (module, text) = random_program(seed);
        let found = observe(&module, Sabotage::None);
        let violations = &found.violations;
        assert!(violations.is_empty(), "seed {seed}: {violations:?}\n{text}");
        states += found.states as u64;
    }
    assert!(
        states > count,
        "{states} states compared in {count} programs"
    );
}

/// Bounds that are one too small are seen by executions too.
#[test]
fn a_bound_off_by_one_is_seen() {
    let seen = (0..16).any(|seed| {
        let (module, _) = random_program(seed);
        !observe(&module, Sabotage::BoundOffByOne)
            .violations
            .is_empty()
    });
    assert!(seen);
}
