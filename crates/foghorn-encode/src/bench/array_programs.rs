//! Ten programs over one integer array: §8.3 of the SEAM thesis. Everything is decided before a solver is asked.
//!
//! The thesis takes ten programs over a single integer array from SV-COMP's `array-crafted` folder. That folder has five
//! such programs (`bAnd`, `bor`, `xor`, `mapsum`, `mapavg`), each in files numbered by size: 1 has 100 elements, 2 has
//! 1,000, 3 has 10,000. These here are the five in our own words at the first two sizes: 22,020 reads, where table 8.4
//! counts 23,192 simplifications by store-maps. At the third size a representation that reads linearly walks past some
//! 10^8 writes per program, which is no longer a comparison but a wait. The sizes follow from that and from nothing else;
//! they are not to be changed for a ratio.

use super::machine::{Machine, WIDTH};
use foghorn_term::{Op, TermId};

/// What a program makes of the elements.
#[derive(Clone, Copy)]
enum Fold {
    And,
    Or,
    Xor,
    /// The sum of the elements and of their indices, in 64 bits.
    Sum,
    /// That sum divided by the number of elements.
    Average,
}

/// The five programs.
const FOLDS: [(&str, Fold); 5] = [
    ("bAnd", Fold::And),
    ("bor", Fold::Or),
    ("xor", Fold::Xor),
    ("mapsum", Fold::Sum),
    ("mapavg", Fold::Average),
];

/// The numbers of elements.
const SIZES: [u64; 2] = [100, 1_000];

/// A program by its name.
pub(super) struct Program {
    pub name: String,
    fold: Fold,
    size: u64,
}

impl Program {
    pub fn run(&self, machine: &mut Machine) {
        permuted(machine, self.fold, self.size);
    }
}

/// The ten programs.
pub(super) fn programs() -> Vec<Program> {
    let sizes = SIZES.iter();
    let all = sizes.flat_map(|&size| FOLDS.map(|(name, fold)| (name, fold, size)));
    all.map(|(name, fold, size)| Program {
        name: format!("{name} {size}"),
        fold,
        size,
    })
    .collect()
}

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

/// What a program returns for the elements as they are.
fn folded(machine: &mut Machine, fold: Fold, array: TermId, size: u64) -> TermId {
    let mut elements = loads(machine, array, size);
    let pool = &mut machine.pool;
    let op = match fold {
        Fold::And => Op::BvAnd,
        Fold::Or => Op::BvOr,
        Fold::Xor => Op::BvXor,
        Fold::Sum | Fold::Average => Op::BvAdd,
    };
    match fold {
        Fold::And | Fold::Or | Fold::Xor => pool.make(op, &elements),
        Fold::Sum | Fold::Average => {
            for element in &mut elements {
                *element = pool.sign_extend(WIDTH - 32, *element);
            }
            elements.push(pool.bv(WIDTH, size * (size - 1) / 2));
            let sum = pool.make(op, &elements);
            if matches!(fold, Fold::Sum) {
                return sum;
            }
            let size = pool.bv(WIDTH, size);
            pool.bv_sdiv(sum, size)
        }
    }
}

/// A result survives the swap of the first two elements and a rotation by one.
fn permuted(machine: &mut Machine, fold: Fold, size: u64) {
    let array = filled(machine, size);
    let before = folded(machine, fold, array, size);
    swap(machine, array, 0, 1);
    let swapped = folded(machine, fold, array, size);
    check_equal(machine, before, swapped);
    let start = machine.element(array, 0);
    let first = machine.load(start);
    for index in 0..size - 1 {
        let (to, from) = (
            machine.element(array, index),
            machine.element(array, index + 1),
        );
        let value = machine.load(from);
        machine.store(to, value);
    }
    let end = machine.element(array, size - 1);
    machine.store(end, first);
    let rotated = folded(machine, fold, array, size);
    check_equal(machine, before, rotated);
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
