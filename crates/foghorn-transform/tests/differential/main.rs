//! Programs before and after every pass, through the interpreter: the same output, the same inputs
//! asked for, the same end, and the same failing check at the same place with the same calls.
//!
//! `FOGHORN_CASES=20000` runs that many random programs instead of the default.

mod harness;
mod programs;

use foghorn_transform::{PASSES, PassOptions};
use harness::{Tally, differs, selections};

fn cases(default: u64) -> u64 {
    let given = std::env::var("FOGHORN_CASES").ok();
    given.map_or(default, |text| text.parse().expect("a number"))
}

#[test]
fn every_pass_keeps_what_random_programs_do() {
    let mut tallies = vec![Tally::default(); PASSES.len()];
    for seed in 0..cases(150) {
        let module = programs::program(seed, 60);
        for (pass, tally) in PASSES.iter().zip(&mut tallies) {
            for checks in selections() {
                let options = PassOptions {
                    checks,
                    ..PassOptions::default()
                };
                match differs(&module, &[*pass], &options, 0..2) {
                    Ok(more) => tally.add(more),
                    Err(difference) => panic!(
                        "{} differs on program {seed} with --check {}\n{difference}",
                        pass.name, options.checks
                    ),
                }
            }
        }
    }
    for (pass, tally) in PASSES.iter().zip(tallies) {
        assert!(
            tally.compared > 0 && tally.failed > 0,
            "{}: {tally:?}",
            pass.name
        );
        eprintln!("{}: {tally:?}", pass.name);
    }
}
