//! One suite for every solver: what the traits promise, checked the same way for each back end.
//!
//! A new back end enrols in one line at the end of this file.

use foghorn_core::Budget;
use foghorn_smt::SolverError;
use foghorn_smt::auto::AutoSolver;
use foghorn_smt::dump::Dumping;
use foghorn_smt::portfolio::Portfolio;
use foghorn_smt::sat::SatSolver;
use foghorn_smt::smtlib::{SmtLibProfile, SmtLibSolver};
use foghorn_smt::solver::{Answer, Interrupt, Limits, PushPop, Solver, UnsatCore};
use foghorn_smt::z3::Z3Solver;
use foghorn_term::eval::Value;
use foghorn_term::{BitVecValue, Op, Sort, TermId, TermPool};
use std::time::{Duration, Instant};

trait Full: Solver + PushPop + UnsatCore + Interrupt + Limits {}
impl<S: Solver + PushPop + UnsatCore + Interrupt + Limits> Full for S {}

fn conforms<S: Full>(make: impl Fn() -> S) {
    models_satisfy(&mut make());
    every_operator_agrees_with_its_definition(&mut make());
    assertions_accumulate(&mut make());
    assumptions_are_forgotten_and_cores_blame(&mut make());
    frames_scope_assertions(&mut make());
    functions_are_functions(&mut make());
    pointers_are_pairs(&mut make());
    misuse_is_an_error(&mut make());
    wide_words_work(&mut make());
    deep_terms_work(&mut make());
    budgets_end_checks(&mut make());
    interrupts_end_checks(&mut make());
}

fn must(answer: Result<Answer, SolverError>, expected: &Answer) {
    assert_eq!(&answer.unwrap(), expected);
}

fn sat(answer: Result<Answer, SolverError>) {
    must(answer, &Answer::Satisfiable);
}

fn unsat(answer: Result<Answer, SolverError>) {
    must(answer, &Answer::Unsatisfiable);
}

fn holds<S: Solver>(solver: &mut S, pool: &TermPool, term: TermId) {
    assert_eq!(solver.value(pool, term).unwrap(), Value::Bool(true));
}

fn number<S: Solver>(solver: &mut S, pool: &TermPool, term: TermId) -> u64 {
    solver
        .value(pool, term)
        .unwrap()
        .as_bitvec()
        .to_u64()
        .unwrap()
}

fn models_satisfy<S: Full>(solver: &mut S) {
    let mut pool = TermPool::new();
    let (x, y) = (pool.bv_symbol("x", 16), pool.bv_symbol("y", 16));
    let unused = pool.bv_symbol("unused", 16);
    let product = pool.bv_mul(x, y);
    let wanted = pool.bv(16, 1517);
    let is_product = pool.equal(product, wanted);
    let one = pool.bv(16, 1);
    let small = pool.bv(16, 256);
    let x_big = pool.bv_ult(one, x);
    let y_big = pool.bv_ult(one, y);
    let x_small = pool.bv_ult(x, small);
    let y_small = pool.bv_ult(y, small);
    solver.declare(&pool, unused).unwrap();
    let all = [is_product, x_big, y_big, x_small, y_small];
    for term in all {
        solver.assert(&pool, term).unwrap();
    }
    sat(solver.check(&pool));
    for term in all {
        holds(solver, &pool, term);
    }
    let (a, b) = (number(solver, &pool, x), number(solver, &pool, y));
    assert_eq!(a * b % 65536, 1517);
    assert_eq!(number(solver, &pool, product), 1517);
    number(solver, &pool, unused);
    // A term that was never asserted has a value too.
    let sum = pool.bv_add(x, y);
    assert_eq!(number(solver, &pool, sum), (a + b) % 65536);
}

const BINARY: &[Op] = &[
    Op::BvAdd,
    Op::BvMul,
    Op::BvUdiv,
    Op::BvUrem,
    Op::BvSdiv,
    Op::BvSrem,
    Op::BvSmod,
    Op::BvAnd,
    Op::BvOr,
    Op::BvXor,
    Op::BvShl,
    Op::BvLshr,
    Op::BvAshr,
    Op::BvUlt,
    Op::BvUle,
    Op::BvSlt,
    Op::BvSle,
    Op::BvUmulOverflow,
    Op::BvSmulOverflow,
    Op::Concat,
    Op::Equal,
];
const UNARY: &[Op] = &[
    Op::BvNot,
    Op::BvNeg,
    Op::Extract(5, 2),
    Op::ZeroExtend(3),
    Op::SignExtend(3),
];

/// Each operator on symbols that assertions fix, against the builders' constant folding.
fn every_operator_agrees_with_its_definition<S: Full>(solver: &mut S) {
    let mut pool = TermPool::new();
    let width = 7;
    let operands = [
        (0, 0),
        (77, 0),
        (100, 3),
        (3, 100),
        (64, 127),
        (127, 127),
        (90, 66),
    ];
    for (i, (a, b)) in operands.into_iter().enumerate() {
        let x = pool.bv_symbol(&format!("x{i}"), width);
        let y = pool.bv_symbol(&format!("y{i}"), width);
        let (c, d) = (pool.bv(width, a), pool.bv(width, b));
        let fixes = [pool.equal(x, c), pool.equal(y, d)];
        let mut expected = Vec::new();
        for op in BINARY {
            let (symbolic, folded) = (pool.intern(*op, &[x, y]), pool.make(*op, &[c, d]));
            expected.push((symbolic, pool.literal_value(folded).unwrap()));
        }
        for op in UNARY {
            let (symbolic, folded) = (pool.intern(*op, &[x]), pool.make(*op, &[c]));
            expected.push((symbolic, pool.literal_value(folded).unwrap()));
        }
        for fix in fixes {
            solver.assert(&pool, fix).unwrap();
        }
        sat(solver.check(&pool));
        for (term, value) in expected {
            let got = solver.value(&pool, term).unwrap();
            assert_eq!(got, value, "{:?} of {a} and {b}", pool.op(term));
        }
    }
}

fn assertions_accumulate<S: Full>(solver: &mut S) {
    let mut pool = TermPool::new();
    let x = pool.bv_symbol("x", 8);
    for bound in (10..20).rev() {
        let bound = pool.bv(8, bound);
        let below = pool.bv_ult(x, bound);
        solver.assert(&pool, below).unwrap();
        sat(solver.check(&pool));
        holds(solver, &pool, below);
    }
    let ten = pool.bv(8, 10);
    let above = pool.bv_ule(ten, x);
    solver.assert(&pool, above).unwrap();
    unsat(solver.check(&pool));
    unsat(solver.check(&pool));
}

fn assumptions_are_forgotten_and_cores_blame<S: Full>(solver: &mut S) {
    let mut pool = TermPool::new();
    let (x, y) = (pool.bv_symbol("x", 8), pool.bv_symbol("y", 8));
    let (five, six) = (pool.bv(8, 5), pool.bv(8, 6));
    let x_is_five = pool.equal(x, five);
    let x_is_six = pool.equal(x, six);
    let y_is_five = pool.equal(y, five);
    let y_is_six = pool.equal(y, six);
    let same = pool.equal(x, y);
    solver.assert(&pool, same).unwrap();
    unsat(solver.check_assuming(&pool, &[x_is_five, x_is_six]));
    sat(solver.check(&pool));
    sat(solver.check_assuming(&pool, &[x_is_five]));
    assert_eq!(number(solver, &pool, y), 5);
    let p = pool.symbol("p", Sort::Bool);
    let not_p = pool.not(p);
    unsat(solver.check_assuming(&pool, &[p, x_is_five, y_is_six]));
    let core = solver.core().unwrap();
    assert!(!core.contains(&p), "p has nothing to do with it");
    assert!(core.contains(&x_is_five) && core.contains(&y_is_six));
    unsat(solver.check_assuming(&pool, &core));
    sat(solver.check_assuming(&pool, &[not_p, x_is_five, y_is_five]));
    holds(solver, &pool, not_p);
    // One alone is blamed and forgotten like several.
    let apart = pool.not(same);
    unsat(solver.check_assuming(&pool, &[apart]));
    assert_eq!(solver.core().unwrap(), [apart]);
    sat(solver.check(&pool));
    assert!(matches!(solver.core(), Err(SolverError::NoCore)));
}

fn frames_scope_assertions<S: Full>(solver: &mut S) {
    let mut pool = TermPool::new();
    let (x, y) = (pool.bv_symbol("x", 8), pool.bv_symbol("y", 8));
    let (five, six) = (pool.bv(8, 5), pool.bv(8, 6));
    let x_is_five = pool.equal(x, five);
    let x_is_six = pool.equal(x, six);
    let sum = pool.bv_add(x, y);
    let sum_is_six = pool.equal(sum, six);
    solver.assert(&pool, x_is_five).unwrap();
    solver.push().unwrap();
    solver.assert(&pool, sum_is_six).unwrap();
    sat(solver.check(&pool));
    assert_eq!(number(solver, &pool, y), 1);
    solver.push().unwrap();
    solver.assert(&pool, x_is_six).unwrap();
    unsat(solver.check(&pool));
    solver.pop(1).unwrap();
    sat(solver.check(&pool));
    solver.pop(1).unwrap();
    // y was first mentioned in a frame that is gone.
    let y_is_five = pool.equal(y, five);
    solver.push().unwrap();
    solver.assert(&pool, y_is_five).unwrap();
    sat(solver.check(&pool));
    assert_eq!(number(solver, &pool, sum), 10);
    solver.pop(1).unwrap();
    assert!(matches!(
        solver.pop(1),
        Err(SolverError::NothingToPop {
            wanted: 1,
            available: 0
        })
    ));
}

fn functions_are_functions<S: Full>(solver: &mut S) {
    let mut pool = TermPool::new();
    let byte = pool.sort_intern(Sort::BitVec(8));
    let f = pool.function("f", &[byte, byte], byte).unwrap();
    let names = ["a", "b", "c"];
    let x: Vec<TermId> = names.iter().map(|n| pool.bv_symbol(n, 8)).collect();
    let fab = pool.apply(f, &[x[0], x[1]]);
    let fcb = pool.apply(f, &[x[2], x[1]]);
    let nested = pool.apply(f, &[fab, fcb]);
    let twisted = pool.apply(f, &[fcb, fab]);
    let differ = pool.not_equal(nested, twisted);
    let same = pool.equal(x[0], x[2]);
    solver.assert(&pool, differ).unwrap();
    sat(solver.check(&pool));
    holds(solver, &pool, differ);
    let (left, right) = (number(solver, &pool, fab), number(solver, &pool, fcb));
    let (a, c) = (number(solver, &pool, x[0]), number(solver, &pool, x[2]));
    assert!(a != c || left == right);
    assert_ne!(left, right);
    unsat(solver.check_assuming(&pool, &[same]));
}

fn pointers_are_pairs<S: Full>(solver: &mut S) {
    let mut pool = TermPool::new();
    let p = pool.symbol("p", Sort::Pointer { width: 8 });
    let q = pool.symbol("q", Sort::Pointer { width: 8 });
    let four = pool.bv(8, 4);
    let moved = pool.pointer_add(p, four);
    let is_q = pool.equal(moved, q);
    let less = pool.intern(Op::PointerLt, &[p, q]);
    let difference = pool.pointer_difference(q, p);
    solver.assert(&pool, is_q).unwrap();
    solver.assert(&pool, less).unwrap();
    sat(solver.check(&pool));
    assert_eq!(number(solver, &pool, difference), 4);
    let (p, q) = (
        solver.value(&pool, p).unwrap(),
        solver.value(&pool, q).unwrap(),
    );
    assert_eq!(p.as_pointer().0, q.as_pointer().0);
    assert_eq!(
        p.as_pointer().1.add(&BitVecValue::from_u64(8, 4)),
        *q.as_pointer().1
    );
}

fn misuse_is_an_error<S: Full>(solver: &mut S) {
    let mut pool = TermPool::new();
    let p = pool.symbol("p", Sort::Bool);
    assert!(matches!(solver.value(&pool, p), Err(SolverError::NoModel)));
    assert!(matches!(solver.core(), Err(SolverError::NoCore)));
    solver.assert(&pool, p).unwrap();
    sat(solver.check(&pool));
    assert!(matches!(solver.core(), Err(SolverError::NoCore)));
    let not_p = pool.not(p);
    solver.assert(&pool, not_p).unwrap();
    assert!(matches!(solver.value(&pool, p), Err(SolverError::NoModel)));
    unsat(solver.check(&pool));
    assert!(matches!(solver.value(&pool, p), Err(SolverError::NoModel)));
    assert_eq!(solver.core().unwrap(), []);
}

fn wide_words_work<S: Full>(solver: &mut S) {
    let mut pool = TermPool::new();
    let x = pool.bv_symbol("x", 129);
    let one = pool.bv(129, 1);
    let hundred = pool.bv(129, 100);
    let shifted = pool.intern(Op::BvShl, &[one, x]);
    let top = pool.bv_is_negative(shifted);
    let in_range = pool.bv_ugt(x, hundred);
    solver.assert(&pool, top).unwrap();
    solver.assert(&pool, in_range).unwrap();
    sat(solver.check(&pool));
    assert_eq!(number(solver, &pool, x), 128);
    let value = solver.value(&pool, shifted).unwrap();
    assert_eq!(value.as_bitvec(), &BitVecValue::min_signed(129));
}

fn deep_terms_work<S: Full>(solver: &mut S) {
    let mut pool = TermPool::new();
    let [x, y, z] = ["x", "y", "z"].map(|name| pool.bv_symbol(name, 4));
    let mut term = x;
    for _ in 0..3_000 {
        let masked = pool.intern(Op::BvAnd, &[term, y]);
        term = pool.intern(Op::BvOr, &[masked, z]);
    }
    let claim = pool.not_equal(term, x);
    solver.assert(&pool, claim).unwrap();
    sat(solver.check(&pool));
    let (x, y, z) = (
        number(solver, &pool, x),
        number(solver, &pool, y),
        number(solver, &pool, z),
    );
    assert_eq!(number(solver, &pool, term), (x & y) | z);
    assert_ne!((x & y) | z, x);
}

/// The factors of a product of two primes of 32 bits: nobody finds them soon.
fn hard(pool: &mut TermPool) -> TermId {
    let product = 3_037_000_493u64 * 2_654_435_761;
    let factors = ["u", "v"].map(|name| {
        let factor = pool.bv_symbol(name, 32);
        pool.zero_extend(32, factor)
    });
    let made = pool.bv_mul(factors[0], factors[1]);
    let wanted = pool.bv(64, product);
    pool.equal(made, wanted)
}

/// The solver says what it should after it was stopped.
fn still_works<S: Full>(solver: &mut S, pool: &mut TermPool) {
    solver.pop(1).unwrap();
    let x = pool.bv_symbol("x", 8);
    let three = pool.bv(8, 3);
    let claim = pool.bv_ult(x, three);
    solver.assert(pool, claim).unwrap();
    sat(solver.check(pool));
    holds(solver, pool, claim);
}

fn budgets_end_checks<S: Full>(solver: &mut S) {
    let mut pool = TermPool::new();
    let claim = hard(&mut pool);
    solver.push().unwrap();
    solver.assert(&pool, claim).unwrap();
    let start = Instant::now();
    solver.set_budget(Budget::unlimited().within(Duration::from_millis(300)));
    let answer = solver.check(&pool);
    assert!(
        matches!(answer, Err(SolverError::Exhausted(_))),
        "{answer:?}"
    );
    assert!(
        start.elapsed() < Duration::from_millis(1300),
        "{:?}",
        start.elapsed()
    );
    solver.set_budget(Budget::unlimited());
    still_works(solver, &mut pool);
}

fn interrupts_end_checks<S: Full>(solver: &mut S) {
    let mut pool = TermPool::new();
    let claim = hard(&mut pool);
    solver.push().unwrap();
    solver.assert(&pool, claim).unwrap();
    let interrupter = solver.interrupter();
    let start = Instant::now();
    let ringer = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(200));
        interrupter.interrupt();
    });
    let answer = solver.check(&pool);
    ringer.join().unwrap();
    assert!(
        matches!(answer, Err(SolverError::Exhausted(_))),
        "{answer:?}"
    );
    assert!(
        start.elapsed() < Duration::from_millis(1300),
        "{:?}",
        start.elapsed()
    );
    still_works(solver, &mut pool);
}

/// A program that `./x setup` installs beside the sources.
fn dependency(path: &str) -> String {
    format!("{}/../../.deps/{path}", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn z3_in_process_conforms() {
    conforms(|| Z3Solver::new().unwrap());
}

#[test]
fn sat_conforms() {
    conforms(SatSolver::new);
}

#[test]
fn z3_as_a_process_conforms() {
    conforms(|| SmtLibSolver::new(SmtLibProfile::z3(&dependency("z3/bin/z3"))));
}

#[test]
fn yices_conforms() {
    conforms(|| SmtLibSolver::new(SmtLibProfile::yices(&dependency("yices/bin/yices-smt2"))));
}

#[test]
fn a_portfolio_conforms() {
    conforms(|| Portfolio::new(Z3Solver::new().unwrap(), SatSolver::new()));
}

#[test]
fn a_dumping_solver_conforms() {
    let folder = tempfile::tempdir().unwrap();
    conforms(|| Dumping::new(SatSolver::new(), folder.path()).unwrap());
}

#[test]
fn auto_conforms() {
    conforms(AutoSolver::new);
}
