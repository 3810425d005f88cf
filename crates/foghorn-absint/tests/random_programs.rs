//! Whole random programs: invariants hold of every state that a run reaches.
//!
//! `FOGHORN_PROGRAMS=1000 cargo test --release -p foghorn-absint --test random_programs` runs the
//! full number; the default keeps the suite quick.

// Tables and timings of a run are wanted by whoever asks for `--nocapture`.
#![allow(clippy::print_stderr)]

use std::panic::{AssertUnwindSafe, catch_unwind};

use foghorn_absint::language::{parse_program, print_program};
use foghorn_absint::laws::programs::{check_program, random_program};
use foghorn_absint::laws::random::Random;
use foghorn_absint::pipeline::Mode;
use foghorn_absint::registry;

fn programs() -> u64 {
    std::env::var("FOGHORN_PROGRAMS")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(15)
}

#[test]
fn every_reached_state_belongs_to_the_invariants() {
    let wanted = std::env::var("FOGHORN_LAW_DOMAIN").ok();
    let mut failures = Vec::new();
    for (description, _) in registry::enrolled() {
        if wanted
            .as_ref()
            .is_some_and(|wanted| !wanted.split(',').any(|one| one == description))
        {
            continue;
        }
        let top = registry::domain(&description).expect("enrolled descriptions are valid");
        let started = std::time::Instant::now();
        let (mut states, mut checks) = (0, 0);
        for seed in 0..programs() {
            let mut random = Random::new(seed, "programs");
            let program = random_program(&mut random);
            let mode = if seed % 2 == 0 {
                Mode::Contexts
            } else {
                Mode::Summaries
            };
            let checked = catch_unwind(AssertUnwindSafe(|| {
                check_program(&program, &top, mode, 30, &mut random)
            }));
            match checked {
                Ok(Ok(runs)) => {
                    states += runs.states;
                    checks += runs.checks;
                }
                Ok(Err(why)) => {
                    failures.push(format!("{description}, seed {seed}, {mode:?}: {why}"));
                    break;
                }
                Err(_) => {
                    failures.push(format!("{description}, seed {seed}, {mode:?}: panicked"));
                    break;
                }
            }
        }
        eprintln!(
            "{description}: {states} states, {checks} checks, {:?}",
            started.elapsed()
        );
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

#[test]
fn printed_programs_are_read_back() {
    for seed in 0..300 {
        let program = random_program(&mut Random::new(seed, "printed"));
        let text = print_program(&program);
        let read = parse_program(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        // Variables are numbered as they are read, which may change the order of terms, once.
        let once = print_program(&read);
        assert_eq!(once.lines().count(), text.lines().count());
        let again = parse_program(&once).unwrap_or_else(|error| panic!("{error}\n{once}"));
        assert_eq!(print_program(&again), once);
        assert_eq!(read.functions.len(), program.functions.len());
    }
}
