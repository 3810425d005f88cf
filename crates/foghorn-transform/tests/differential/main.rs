//! Programs before and after every pass, through the interpreter: the same output, the same inputs
//! asked for, the same end, and the same failing check at the same place with the same calls.
//!
//! `FOGHORN_CASES=3000` runs that many random programs instead of the default.

// How much was compared is worth seeing with --nocapture.
#![allow(clippy::print_stderr)]

mod broken;
mod harness;
mod mixed;
mod programs;
mod suites;

use foghorn_transform::{PASSES, Pass};
use harness::{Tally, differs, selections};

fn cases(default: u64) -> u64 {
    let given = std::env::var("FOGHORN_CASES").ok();
    given.map_or(default, |text| text.parse().expect("a number"))
}

/// Runs passes on random programs; panics at the first difference.
fn on_random_programs(passes: &[Pass], count: u64) -> Tally {
    let names: Vec<_> = passes.iter().map(|pass| pass.name).collect();
    let mut tally = Tally::default();
    for seed in 0..count {
        let module = programs::program(seed, 60);
        for checks in selections() {
            match differs(&module, passes, &checks, 0..2) {
                Ok(more) => tally.add(more),
                Err(difference) => panic!(
                    "{names:?} differs on program {seed} with --check {checks}\n{difference}"
                ),
            }
        }
    }
    eprintln!("{names:?}: {tally:?}");
    tally
}

#[test]
fn every_pass_keeps_what_random_programs_do() {
    for pass in PASSES {
        let tally = on_random_programs(&[*pass], cases(60));
        assert!(tally.compared > 0 && tally.failed > 0, "{tally:?}");
    }
}

#[test]
fn all_passes_together_keep_what_random_programs_do() {
    let tally = on_random_programs(PASSES, cases(60));
    assert!(tally.compared > 0 && tally.failed > 0, "{tally:?}");
}
