//! `sat` on what bounded model checking asks of it: large formulas once, then many checks.

#![allow(clippy::print_stdout)]

use foghorn_smt::sat::SatSolver;
use foghorn_smt::solver::{Answer, PushPop, Solver};
use foghorn_term::eval::Value;
use foghorn_term::{Sort, TermId, TermPool};
use std::time::{Duration, Instant};

fn number(value: &Value) -> u64 {
    value.as_bitvec().to_u64().unwrap()
}

/// Guards, an ite tower over 64-bit data and object ids, `steps` times.
fn tower(pool: &mut TermPool, steps: usize) -> (Vec<TermId>, TermId, TermId) {
    let start = pool.bv_symbol("start", 64);
    let (mut value, mut guard, mut object) = (start, pool.bool(true), pool.bv(64, 2));
    let mut facts = Vec::new();
    for step in 0..steps {
        let choice = pool.symbol(&format!("c{step}"), Sort::Bool);
        let constant = pool.bv(64, 4 + step as u64 % 5);
        let moved = pool.bv_add(value, constant);
        value = pool.ite(choice, moved, value);
        let other = pool.bv(64, 2 + step as u64 % 7);
        object = pool.ite(choice, other, object);
        let is_object = pool.equal(object, other);
        let open = pool.or(&[is_object, choice]);
        guard = pool.and(&[guard, open]);
        facts.push(pool.implies(choice, is_object));
    }
    (facts, guard, value)
}

fn time_of(steps: usize) -> (Duration, usize) {
    let mut pool = TermPool::new();
    let (facts, guard, _) = tower(&mut pool, steps);
    let mut solver = SatSolver::new();
    let start = Instant::now();
    for fact in &facts {
        solver.assert(&pool, *fact).unwrap();
    }
    solver.assert(&pool, guard).unwrap();
    assert_eq!(solver.check(&pool).unwrap(), Answer::Satisfiable);
    (start.elapsed(), pool.len())
}

/// Linear in the size: eight times the formula takes far less than 64 times as long.
/// `FOGHORN_SAT_STEPS=150000` asks for a formula of about a million nodes.
#[test]
fn asserting_is_linear() {
    let steps = match std::env::var("FOGHORN_SAT_STEPS") {
        Ok(text) => text.parse().unwrap(),
        Err(_) => 4_000,
    };
    let (small, small_size) = time_of(steps / 8);
    let (large, large_size) = time_of(steps);
    println!("{small_size} nodes {small:?}, {large_size} nodes {large:?}");
    assert!(large < small * 24, "{small:?} then {large:?}");
}

#[test]
fn a_formula_is_asserted_once_and_checked_often() {
    let mut pool = TermPool::new();
    let (facts, guard, value) = tower(&mut pool, 60);
    let mut solver = SatSolver::new();
    for fact in &facts {
        solver.assert(&pool, *fact).unwrap();
    }
    solver.assert(&pool, guard).unwrap();
    let start = pool.bv_symbol("start", 64);
    for round in 0..20u64 {
        let wanted = pool.bv(64, 1000 + round);
        let reached = pool.equal(value, wanted);
        assert_eq!(
            solver.check_assuming(&pool, &[reached]).unwrap(),
            Answer::Satisfiable
        );
        assert_eq!(number(&solver.value(&pool, value).unwrap()), 1000 + round);
        // New clauses in between.
        let bound = pool.bv(64, 1000 - round);
        let below = pool.bv_ule(start, bound);
        solver.assert(&pool, below).unwrap();
    }
}

/// Definitions, also circular ones and late ones, do not change what is satisfiable.
#[test]
fn definitions_and_known_bits_keep_models() {
    let mut pool = TermPool::new();
    let [x, y, z] = ["x", "y", "z"].map(|name| pool.bv_symbol(name, 16));
    let (one, limit) = (pool.bv(16, 1), pool.bv(16, 9));
    let next = pool.bv_add(y, one);
    let back = pool.bv_mul(x, z);
    let mut facts = vec![pool.equal(x, next), pool.equal(y, back)];
    facts.push(pool.bv_ule(z, limit));
    let least = pool.bv(16, 4);
    facts.push(pool.bv_sle(least, x));
    let greatest = pool.bv(16, 20_000);
    facts.push(pool.bv_sle(x, greatest));
    let mut solver = SatSolver::new();
    for fact in &facts {
        solver.assert(&pool, *fact).unwrap();
    }
    // x * (1 - z) = 1: x is the inverse of 1 - z, and in these bounds only that of -5 is.
    let answer = solver.check(&pool).unwrap();
    assert_eq!(answer, Answer::Satisfiable);
    for fact in &facts {
        assert_eq!(solver.value(&pool, *fact).unwrap(), Value::Bool(true));
    }
    let values = [x, y, z].map(|term| number(&solver.value(&pool, term).unwrap()));
    assert_eq!(values[0], (values[1] + 1) & 0xffff);
    assert_eq!(values[1], (values[0] * values[2]) & 0xffff);
    assert_eq!((values[0], values[2]), (13107, 6));
    solver.push().unwrap();
    let even = pool.bv(16, 50);
    let is_even = pool.equal(x, even);
    solver.assert(&pool, is_even).unwrap();
    assert_eq!(solver.check(&pool).unwrap(), Answer::Unsatisfiable);
    solver.pop(1).unwrap();
    assert_eq!(solver.check(&pool).unwrap(), Answer::Satisfiable);
}

/// Reads of an arbitrary memory: a function whose applications must agree where pointers do.
#[test]
fn many_reads_of_arbitrary_memory() {
    let mut pool = TermPool::new();
    let (word, byte) = (
        pool.sort_intern(Sort::BitVec(64)),
        pool.sort_intern(Sort::BitVec(8)),
    );
    let read = pool.function("read", &[word, word], byte).unwrap();
    let offset = pool.bv_symbol("offset", 64);
    let mut facts = Vec::new();
    for i in 0..200u64 {
        let (base, at) = (pool.bv(64, 2 + i % 3), pool.bv(64, i));
        let at = if i % 2 == 0 {
            at
        } else {
            pool.bv_add(offset, at)
        };
        let cell = pool.apply(read, &[base, at]);
        let expected = pool.bv(8, i % 251);
        facts.push(pool.equal(cell, expected));
    }
    let mut solver = SatSolver::new();
    for fact in &facts {
        solver.assert(&pool, *fact).unwrap();
    }
    assert_eq!(solver.check(&pool).unwrap(), Answer::Satisfiable);
    for fact in &facts {
        assert_eq!(solver.value(&pool, *fact).unwrap(), Value::Bool(true));
    }
    // With offset 1, read 3 of base 2 + 0 is at 4, where read 4 has another base; with offset 3,
    // read 3 is at 6 like read 6 of the same base.
    let one = pool.bv(64, 1);
    let clash = pool.equal(offset, one);
    assert_eq!(
        solver.check_assuming(&pool, &[clash]).unwrap(),
        Answer::Satisfiable
    );
    let three = pool.bv(64, 3);
    let clash = pool.equal(offset, three);
    assert_eq!(
        solver.check_assuming(&pool, &[clash]).unwrap(),
        Answer::Unsatisfiable
    );
}
