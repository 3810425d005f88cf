//! Each memory representation against the evaluator of the theory of memory, on random programs and random models.
//!
//! `FOGHORN_MEMORY_PROGRAMS=2000` runs the large mode; the default is smaller so that it takes seconds.

mod agreement;
mod broken;
mod program;
mod theory;

use broken::{Broken, Fault};
use foghorn_encode::memory::{Arrays, Lambdas, MemoryRepresentation, Seam, SeamOptions};
use foghorn_term::TermPool;
use foghorn_term::eval::{Evaluator, Value};
use foghorn_term::generate::Random;
use foghorn_term::text::print_term;
use theory::Theory;

const WIDTHS: [u32; 3] = [8, 16, 64];

fn programs() -> u64 {
    let count = std::env::var("FOGHORN_MEMORY_PROGRAMS").ok();
    count.map_or(60, |count| count.parse().expect("a number of programs"))
}

/// Runs the program of a seed and compares every read with the theory under several models.
fn compare(seed: u64, make: &dyn Fn(u32) -> Box<dyn MemoryRepresentation>) -> Result<(), String> {
    let width = WIDTHS[seed as usize % WIDTHS.len()];
    let steps = 4 + seed % 16;
    let mut pool = TermPool::new();
    let truth = program::run(seed, width, steps, &mut pool, &mut Theory { width });
    let mut memory = make(width);
    let ours = program::run(seed, width, steps, &mut pool, &mut *memory);
    assert_eq!(truth.reads.len(), ours.reads.len());
    let simplify = |&read: &_| memory.simplify(&mut pool, read);
    let simplified: Vec<_> = ours.reads.iter().map(simplify).collect();
    let mut random = Random::new(seed ^ 0x5eed);
    for _ in 0..6 {
        let model = program::model(&mut pool, width, &mut random);
        let mut evaluator = Evaluator::new(&pool, &model);
        for obligation in &ours.obligations {
            let holds = evaluator.evaluate(obligation.condition).unwrap();
            if holds != Value::Bool(true) {
                return Err(format!("seed {seed}: {}", obligation.what));
            }
        }
        for (number, &expected) in truth.reads.iter().enumerate() {
            let expected_value = evaluator.evaluate(expected).unwrap();
            for ours in [ours.reads[number], simplified[number]] {
                let value = evaluator.evaluate(ours).unwrap();
                if value != expected_value {
                    let (was, became) = (print_term(&pool, expected), print_term(&pool, ours));
                    return Err(format!(
                        "seed {seed} width {width} read {number}: {was} became {became}"
                    ));
                }
            }
        }
    }
    Ok(())
}

fn agrees_with_theory(make: impl Fn(u32) -> Box<dyn MemoryRepresentation>) {
    for seed in 0..programs() {
        if let Err(difference) = compare(seed, &make) {
            panic!("{difference}");
        }
    }
}

fn seam(arm: bool, store_map: bool) -> impl Fn(u32) -> Box<dyn MemoryRepresentation> {
    move |width| Box::new(Seam::new(width, SeamOptions { arm, store_map }))
}

#[test]
fn arrays_agree_with_the_theory() {
    agrees_with_theory(|width| Box::new(Arrays::new(width)));
}

#[test]
fn lambdas_agree_with_the_theory() {
    agrees_with_theory(|width| Box::new(Lambdas::new(width)));
}

#[test]
fn seam_agrees_with_the_theory() {
    agrees_with_theory(seam(true, true));
}

#[test]
fn seam_without_store_maps_agrees_with_the_theory() {
    agrees_with_theory(seam(true, false));
}

#[test]
fn seam_without_arm_agrees_with_the_theory() {
    agrees_with_theory(seam(false, true));
}

#[test]
fn seam_without_either_agrees_with_the_theory() {
    agrees_with_theory(seam(false, false));
}

/// A representation that is wrong in any one kind of operation is found out.
#[test]
fn broken_representations_are_caught() {
    for fault in Fault::ALL {
        let broken = |width| -> Box<dyn MemoryRepresentation> {
            let inner = seam(true, true)(width);
            Box::new(Broken {
                inner,
                fault,
                width,
            })
        };
        let caught = (0..60).any(|seed| compare(seed, &broken).is_err());
        assert!(caught, "{fault:?}");
    }
}
