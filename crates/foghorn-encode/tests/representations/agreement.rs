//! The representations against each other, by solvers: SEAM against ARRAYS with Z3, SEAM against LAMBDAS with our own
//! bit-blaster. Reads of the initial memories are written alike in both formulas first.

use crate::program;
use foghorn_encode::memory::{Arrays, Lambdas, MemoryRepresentation, Seam, SeamOptions};
use foghorn_smt::sat::SatSolver;
use foghorn_smt::solver::{Answer, Solver};
use foghorn_smt::z3::Z3Solver;
use foghorn_term::{Op, Sort, TermId, TermPool};
use rustc_hash::FxHashMap;

const WIDTH: u32 = 8;

/// How reads of the initial memories are written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Common {
    /// As elements of the arrays of ARRAYS.
    Arrays,
    /// As applications of LAMBDAS' functions.
    Functions,
}

/// Writes SEAM's reads of initial memories in the common way.
fn written_alike(pool: &mut TermPool, term: TermId, common: Common) -> TermId {
    let mut new: FxHashMap<TermId, TermId> = FxHashMap::default();
    let order: Vec<TermId> = pool.post_order(&[term]).collect();
    for old in order {
        let children: Vec<TermId> = pool.children(old).iter().map(|child| new[child]).collect();
        let made = match pool.op(old) {
            Op::Apply(function) => {
                let name = pool.function_data(function).name.to_string();
                let number = name
                    .trim_start_matches("theory.m")
                    .trim_end_matches(".read");
                let index = pool.concat(children[0], children[1]);
                let element = match common {
                    Common::Arrays => {
                        let symbol = pool.find_symbol(&format!("arrays.m{number}")).unwrap();
                        let sort = pool.sort_of(pool.symbol_data(symbol).sort);
                        let array = pool.symbol(&format!("arrays.m{number}"), sort);
                        pool.select(array, index)
                    }
                    Common::Functions => {
                        let name = format!("lambdas.m{number}");
                        let function = pool.find_function(&name).unwrap();
                        pool.apply(function, &[index])
                    }
                };
                match pool.sort(old) {
                    Sort::Pointer { width } => {
                        let base = pool.extract(2 * width - 1, width, element);
                        let offset = pool.extract(width - 1, 0, element);
                        pool.pointer(base, offset)
                    }
                    _ => element,
                }
            }
            op => pool.make(op, &children),
        };
        new.insert(old, made);
    }
    new[&term]
}

/// Proves that two representations read the same; the number of formulas proved.
fn agree(
    make: impl Fn() -> Box<dyn MemoryRepresentation>,
    common: Common,
    seeds: std::ops::Range<u64>,
    mut solver: impl FnMut() -> Box<dyn Solver>,
) -> usize {
    let mut proved = 0;
    for seed in seeds {
        let mut pool = TermPool::new();
        let mut other = make();
        let theirs = program::run(seed, WIDTH, 4 + seed % 4, &mut pool, &mut *other);
        let mut seam = Seam::new(WIDTH, SeamOptions::default());
        let ours = program::run(seed, WIDTH, 4 + seed % 4, &mut pool, &mut seam);
        let small = pool.bv_symbol("small", WIDTH);
        let bound = pool.bv(WIDTH, 8);
        let fact = pool.bv_ult(small, bound);
        for (&a, &b) in ours.reads.iter().zip(&theirs.reads) {
            let a = written_alike(&mut pool, a, common);
            let equal = pool.intern(Op::Equal, &[a, b]);
            let differ = pool.intern(Op::Not, &[equal]);
            let mut solver = solver();
            solver.assert(&pool, fact).unwrap();
            solver.assert(&pool, differ).unwrap();
            let answer = solver.check(&pool).unwrap();
            assert_eq!(answer, Answer::Unsatisfiable, "seed {seed}");
            proved += 1;
        }
    }
    proved
}

/// Programs: a tenth of what runs against the evaluator, at least a dozen.
fn seeds() -> u64 {
    (crate::programs() / 10).max(12)
}

#[test]
fn seam_agrees_with_arrays_by_z3() {
    let z3 = || -> Box<dyn Solver> { Box::new(Z3Solver::new().unwrap()) };
    let arrays = || -> Box<dyn MemoryRepresentation> { Box::new(Arrays::with_bound(WIDTH, 16)) };
    let proved = agree(arrays, Common::Arrays, 0..seeds(), z3);
    assert!(proved >= 60, "{proved}");
}

#[test]
fn seam_agrees_with_lambdas_by_our_own_solver() {
    let sat = || -> Box<dyn Solver> { Box::new(SatSolver::new()) };
    let lambdas = || -> Box<dyn MemoryRepresentation> { Box::new(Lambdas::new(WIDTH)) };
    let proved = agree(lambdas, Common::Functions, 100..100 + seeds(), sat);
    assert!(proved >= 60, "{proved}");
}
