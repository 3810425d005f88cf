//! Programs before and after every pass, through the interpreter: the same output, the same inputs
//! asked for, the same end, and the same failing check at the same place with the same calls.
//!
//! `FOGHORN_CASES=3000` runs that many random programs instead of the default.

// How much was compared is worth seeing with --nocapture.
#![allow(clippy::print_stderr)]

mod broken;
mod harness;
mod programs;
mod suites;

use foghorn_transform::unroll::UnrollOptions;
use foghorn_transform::{PASSES, Pass, PassOptions, parse_passes};
use harness::{Tally, differs, selections};

fn cases(default: u64) -> u64 {
    let given = std::env::var("FOGHORN_CASES").ok();
    given.map_or(default, |text| text.parse().expect("a number"))
}

/// Runs passes on random programs; panics at the first difference.
fn on_random_programs(passes: &[Pass], unroll: &UnrollOptions, count: u64) -> Tally {
    let names: Vec<_> = passes.iter().map(|pass| pass.name).collect();
    let mut tally = Tally::default();
    for seed in 0..count {
        let module = programs::program(seed, 60);
        for checks in selections() {
            let options = PassOptions {
                checks,
                unroll: unroll.clone(),
                ..PassOptions::default()
            };
            match differs(&module, passes, &options, 0..2) {
                Ok(more) => tally.add(more),
                Err(difference) => panic!(
                    "{names:?} differs on program {seed} with --check {}\n{difference}",
                    options.checks
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
        let tally = on_random_programs(&[*pass], &UnrollOptions::default(), cases(60));
        assert!(tally.compared > 0 && tally.failed > 0, "{tally:?}");
    }
}

#[test]
fn all_passes_together_keep_what_random_programs_do() {
    let list = "fold-checks,promote,cleanup,select-checks,constants,simplify,value-numbering,slice,\
                inline,constants,simplify,value-numbering,slice,loop-closed,unroll,constants,\
                simplify,value-numbering,slice";
    let passes = parse_passes(list).expect("passes of the table");
    let tally = on_random_programs(&passes, &UnrollOptions::default(), cases(60));
    assert!(tally.compared > 0 && tally.failed > 0, "{tally:?}");
}

#[test]
fn what_goes_beyond_a_bound_runs_into_an_unwinding_check() {
    let unroll = UnrollOptions {
        bound: 1,
        recursion: 1,
        ..UnrollOptions::default()
    };
    let passes = parse_passes("unroll").expect("a pass of the table");
    let tally = on_random_programs(&passes, &unroll, cases(60));
    assert!(tally.compared > 0 && tally.unwound > 0, "{tally:?}");
}
