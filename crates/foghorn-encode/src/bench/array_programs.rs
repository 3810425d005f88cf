//! Ten programs over one integer array, in the manner of §8.3 of the SEAM thesis: long sequences of reads over writes at
//! constant places, which unrolled loops leave behind. Everything is decided before a solver is asked.

use super::machine::Machine;
use foghorn_term::{Op, TermId};

/// A program.
pub(super) type Program = (&'static str, fn(&mut Machine));

/// The ten programs.
pub(super) const PROGRAMS: [Program; 10] = [
    ("conjunction", |machine| conjunction(machine, 101, 40)),
    ("disjunction", |machine| {
        permuted(machine, Op::BvOr, 101, 12);
    }),
    ("sum", |machine| permuted(machine, Op::BvAdd, 101, 12)),
    ("exclusive-or", |machine| {
        permuted(machine, Op::BvXor, 101, 12);
    }),
    ("zero-sum", zero_sum),
    ("ping-pong", ping_pong),
    ("rotation", rotation),
    ("transposition", transposition),
    ("sieve", sieve),
    ("fibonacci", fibonacci),
];

fn filled(machine: &mut Machine, size: u64) -> TermId {
    let array = machine.object();
    for index in 0..size {
        let (place, value) = (machine.element(array, index), machine.any_int());
        machine.store(place, value);
    }
    array
}

fn loads(machine: &mut Machine, array: TermId, size: u64) -> Vec<TermId> {
    (0..size)
        .map(|index| {
            let place = machine.element(array, index);
            machine.load(place)
        })
        .collect()
}

fn swap(machine: &mut Machine, array: TermId, i: u64, j: u64) {
    let (a, b) = (machine.element(array, i), machine.element(array, j));
    let (x, y) = (machine.load(a), machine.load(b));
    machine.store(a, y);
    machine.store(b, x);
}

fn check_equal(machine: &mut Machine, a: TermId, b: TermId) {
    let equal = machine.pool.equal(a, b);
    machine.check(equal);
}

/// Figure 8.9: the conjunction of an array's elements survives swaps from both ends of a prefix of `selected` elements.
pub(super) fn conjunction(machine: &mut Machine, size: u64, selected: u64) {
    let array = filled(machine, size);
    let before = loads(machine, array, size);
    let before = machine.pool.make(Op::BvAnd, &before);
    let (mut i, mut j) = (0, selected);
    while i < j {
        swap(machine, array, i, j);
        let after = loads(machine, array, size);
        let after = machine.pool.make(Op::BvAnd, &after);
        check_equal(machine, before, after);
        (i, j) = (i + 1, j - 1);
    }
}

/// What a commutative operator makes of all elements survives neighbours being swapped, in several rounds.
fn permuted(machine: &mut Machine, op: Op, size: u64, rounds: u64) {
    let array = filled(machine, size);
    let before = loads(machine, array, size);
    let before = machine.pool.make(op, &before);
    for round in 0..rounds {
        for index in (round % 2..size - 1).step_by(2) {
            swap(machine, array, index, index + 1);
        }
        let after = loads(machine, array, size);
        let after = machine.pool.make(op, &after);
        check_equal(machine, before, after);
    }
}

/// Adding to every element and subtracting the same again leaves the array as it was.
fn zero_sum(machine: &mut Machine) {
    let size = 256;
    let array = filled(machine, size);
    let before = loads(machine, array, size);
    for round in 1..6 {
        for sign in [round, -round] {
            let by = machine
                .pool
                .bitvec(foghorn_term::BitVecValue::from_i64(32, sign));
            for index in 0..size {
                let place = machine.element(array, index);
                let old = machine.load(place);
                let new = machine.pool.bv_add(old, by);
                machine.store(place, new);
            }
        }
    }
    let after = loads(machine, array, size);
    for (a, b) in before.into_iter().zip(after) {
        check_equal(machine, a, b);
    }
}

/// Copying back and forth between two arrays keeps the elements.
fn ping_pong(machine: &mut Machine) {
    let size = 300;
    let array = filled(machine, size);
    let other = machine.object();
    let before = loads(machine, array, size);
    for round in 0..8 {
        let (from, to) = if round % 2 == 0 {
            (array, other)
        } else {
            (other, array)
        };
        for index in 0..size {
            let (from, to) = (machine.element(from, index), machine.element(to, index));
            let value = machine.load(from);
            machine.store(to, value);
        }
    }
    let after = loads(machine, array, size);
    for (a, b) in before.into_iter().zip(after) {
        check_equal(machine, a, b);
    }
}

/// Rotating by one as often as there are elements rotates by nothing.
fn rotation(machine: &mut Machine) {
    let size = 40;
    let array = filled(machine, size);
    let before = loads(machine, array, size);
    for _ in 0..size {
        for index in 0..size - 1 {
            swap(machine, array, index, index + 1);
        }
    }
    let after = loads(machine, array, size);
    for (a, b) in before.into_iter().zip(after) {
        check_equal(machine, a, b);
    }
}

/// Transposing a square matrix twice leaves it as it was.
fn transposition(machine: &mut Machine) {
    let side = 60;
    let array = filled(machine, side * side);
    let before = loads(machine, array, side * side);
    for _ in 0..2 {
        for row in 0..side {
            for column in 0..row {
                swap(machine, array, row * side + column, column * side + row);
            }
        }
    }
    let after = loads(machine, array, side * side);
    for (a, b) in before.into_iter().zip(after) {
        check_equal(machine, a, b);
    }
}

/// The sieve of Eratosthenes crosses out what it must.
fn sieve(machine: &mut Machine) {
    let size = 2000;
    let array = machine.object();
    let (zero, one) = (machine.pool.bv_zero(32), machine.pool.bv(32, 1));
    for index in 0..size {
        let place = machine.element(array, index);
        machine.store(place, one);
    }
    for factor in 2..size {
        let place = machine.element(array, factor);
        if factor * factor >= size || machine.load(place) == zero {
            continue;
        }
        for multiple in (factor * factor..size).step_by(factor as usize) {
            let place = machine.element(array, multiple);
            machine.store(place, zero);
        }
    }
    let marks = loads(machine, array, size);
    for (index, mark) in marks.into_iter().enumerate().skip(2) {
        let prime = (2..index)
            .take_while(|d| d * d <= index)
            .all(|d| index % d != 0);
        check_equal(machine, mark, if prime { one } else { zero });
    }
}

/// Fibonacci numbers by a table: each is the exclusive or of what it was made of, read back.
fn fibonacci(machine: &mut Machine) {
    let size = 3000;
    let array = machine.object();
    for index in 0..2 {
        let (place, one) = (machine.element(array, index), machine.pool.bv(32, 1));
        machine.store(place, one);
    }
    for index in 2..size {
        let (a, b) = (
            machine.element(array, index - 1),
            machine.element(array, index - 2),
        );
        let (x, y) = (machine.load(a), machine.load(b));
        let sum = machine.pool.bv_add(x, y);
        let place = machine.element(array, index);
        machine.store(place, sum);
    }
    let values = loads(machine, array, size);
    for window in values.windows(3) {
        let sum = machine.pool.bv_add(window[0], window[1]);
        check_equal(machine, sum, window[2]);
    }
}
