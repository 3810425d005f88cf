//! Formulas shaped like those of bounded model checking, with their answers.

use crate::solver::Answer;
use foghorn_term::{TermId, TermPool};

/// A formula with what is known of it.
pub struct BenchFormula {
    pub family: &'static str,
    pub name: String,
    pub pool: TermPool,
    pub term: TermId,
    pub expected: Answer,
}

fn formula(
    family: &'static str,
    name: String,
    expected: Answer,
    build: impl FnOnce(&mut TermPool) -> TermId,
) -> BenchFormula {
    let mut pool = TermPool::new();
    let term = build(&mut pool);
    BenchFormula {
        family,
        name,
        pool,
        term,
        expected,
    }
}

fn expected(satisfiable: bool) -> Answer {
    if satisfiable {
        Answer::Satisfiable
    } else {
        Answer::Unsatisfiable
    }
}

/// The suite: 28 formulas of each of four families, small ones first.
pub fn formulas() -> Vec<BenchFormula> {
    let mut suite = Vec::new();
    for size in 0..14 {
        for satisfiable in [false, true] {
            suite.push(formula(
                "arithmetic",
                format!("loop-{size}-{satisfiable}"),
                expected(satisfiable),
                |pool| unrolled_loop(pool, 6 + 2 * size, satisfiable),
            ));
        }
    }
    for size in 0..14 {
        for satisfiable in [false, true] {
            suite.push(formula(
                "masks",
                format!("masks-{size}-{satisfiable}"),
                expected(satisfiable),
                |pool| bit_count(pool, 8 + 2 * (size / 2) as u32, size % 2, satisfiable),
            ));
        }
    }
    for size in 0..14 {
        for satisfiable in [false, true] {
            suite.push(formula(
                "multipliers",
                format!("product-{size}-{satisfiable}"),
                expected(satisfiable),
                |pool| distributed_product(pool, 3 + (size / 4) as u32, size % 4, satisfiable),
            ));
        }
    }
    for size in 0..14 {
        for satisfiable in [false, true] {
            suite.push(formula(
                "ite-chains",
                format!("memory-{size}-{satisfiable}"),
                expected(satisfiable),
                |pool| swapped_memory(pool, 1 + size / 2, satisfiable),
            ));
        }
    }
    suite
}

/// A loop that adds a bounded input to a counter or halves it, unrolled: the counter stays below a
/// bound that it just cannot (or can) reach.
fn unrolled_loop(pool: &mut TermPool, steps: usize, reachable: bool) -> TermId {
    let width = 32;
    let mut counter = pool.bv_zero(width);
    let mut facts = Vec::new();
    let seven = pool.bv(width, 7);
    for step in 0..steps {
        let input = pool.bv_symbol(&format!("in{step}"), width);
        let small = pool.bv_ule(input, seven);
        facts.push(small);
        let choice = pool.symbol(&format!("c{step}"), foghorn_term::Sort::Bool);
        let added = pool.bv_add(counter, input);
        let one = pool.bv(width, 1);
        let halved = pool.bv_lshr(added, one);
        counter = pool.ite(choice, added, halved);
    }
    let most = 7 * steps as u64;
    let bound = pool.bv(width, if reachable { most } else { most + 1 });
    facts.push(pool.bv_ule(bound, counter));
    pool.and(&facts)
}

/// The number of set bits, counted one by one and by halving masks, cannot differ; with one mask
/// bit wrong it can.
fn bit_count(pool: &mut TermPool, width: u32, variant: usize, broken: bool) -> TermId {
    let x = pool.bv_symbol("x", width);
    let mut slow = pool.bv_zero(width);
    for i in 0..width {
        let bit = pool.extract(i, i, x);
        let bit = pool.zero_resize(width, bit);
        slow = pool.bv_add(slow, bit);
    }
    let mut fast = x;
    let mut distance = 1;
    while distance < width {
        let mut bits = foghorn_term::BitVecValue::zero(width);
        for i in (0..width).filter(|i| (i / distance).is_multiple_of(2)) {
            let one = foghorn_term::BitVecValue::one(width);
            bits = bits.or(&one.shl_by(i));
        }
        if broken && distance == 2 {
            let wrong =
                foghorn_term::BitVecValue::one(width).shl_by(4 * (variant as u32 + 1) % width);
            bits = bits.xor(&wrong);
        }
        let mask = pool.bitvec(bits);
        let amount = pool.bv(width, u64::from(distance));
        let low = pool.bv_and(fast, mask);
        let high = pool.bv_lshr(fast, amount);
        let high = pool.bv_and(high, mask);
        fast = pool.bv_add(low, high);
        distance *= 2;
    }
    let differ = pool.not_equal(slow, fast);
    if variant == 0 {
        return differ;
    }
    // The same through a mask and a comparison, as a check in a program would have it.
    let limit = pool.bv(width, u64::from(width));
    let too_many = pool.bv_ult(limit, fast);
    pool.or(&[differ, too_many])
}

/// Products distribute over sums; with a carry lost they do not.
fn distributed_product(pool: &mut TermPool, width: u32, variant: usize, broken: bool) -> TermId {
    let a = pool.bv_symbol("a", width);
    let b = pool.bv_symbol("b", width);
    let c = pool.bv_symbol("c", width);
    let wide = 2 * width;
    let [a, b, c] = [a, b, c].map(|x| pool.zero_resize(wide, x));
    let sum = match variant % 2 {
        0 => pool.bv_add(a, b),
        _ => {
            let minus = pool.bv_neg(b);
            pool.bv_add(a, minus)
        }
    };
    let left = pool.intern(foghorn_term::Op::BvMul, &[sum, c]);
    let first = pool.intern(foghorn_term::Op::BvMul, &[a, c]);
    let second = pool.intern(foghorn_term::Op::BvMul, &[b, c]);
    let second = if variant.is_multiple_of(2) {
        second
    } else {
        pool.bv_neg(second)
    };
    // An exclusive or in place of the sum loses the carries.
    let right = if broken {
        pool.bv_xor(first, second)
    } else {
        pool.bv_add(first, second)
    };
    let differ = pool.not_equal(left, right);
    if variant < 2 {
        return differ;
    }
    let modulus = pool.bv(wide, 13);
    let (left, right) = (pool.bv_urem(left, modulus), pool.bv_urem(right, modulus));
    pool.not_equal(left, right)
}

/// A memory of a few cells, written at symbolic places and read back: exchanging two cells twice
/// gives the first memory again; with one exchange between other cells in the middle it need not.
fn swapped_memory(pool: &mut TermPool, exchanges: usize, broken: bool) -> TermId {
    let (index_width, cell_width) = (3, 16);
    let cells = 1usize << index_width;
    let first: Vec<TermId> = (0..cells)
        .map(|i| pool.bv_symbol(&format!("m{i}"), cell_width))
        .collect();
    let places: Vec<(TermId, TermId)> = (0..exchanges)
        .map(|i| {
            let from = pool.bv_symbol(&format!("i{i}"), index_width);
            let to = pool.bv_symbol(&format!("j{i}"), index_width);
            (from, to)
        })
        .collect();
    let mut memory = first.clone();
    for (from, to) in &places {
        memory = exchange(pool, &memory, *from, *to);
    }
    if broken {
        let (from, to) = (
            pool.bv_symbol("odd", index_width),
            pool.bv_symbol("even", index_width),
        );
        memory = exchange(pool, &memory, from, to);
    }
    for (from, to) in places.iter().rev() {
        memory = exchange(pool, &memory, *from, *to);
    }
    let at = pool.bv_symbol("at", index_width);
    let before = read(pool, &first, at);
    let after = read(pool, &memory, at);
    pool.not_equal(before, after)
}

/// The cell at a symbolic index, as a chain of if-then-else.
fn read(pool: &mut TermPool, memory: &[TermId], at: TermId) -> TermId {
    let width = pool.width(at);
    let mut value = memory[0];
    for (i, cell) in memory.iter().enumerate().skip(1) {
        let index = pool.bv(width, i as u64);
        let here = pool.equal(at, index);
        value = pool.ite(here, *cell, value);
    }
    value
}

fn write(pool: &mut TermPool, memory: &[TermId], at: TermId, value: TermId) -> Vec<TermId> {
    let width = pool.width(at);
    memory
        .iter()
        .enumerate()
        .map(|(i, cell)| {
            let index = pool.bv(width, i as u64);
            let here = pool.equal(at, index);
            pool.ite(here, value, *cell)
        })
        .collect()
}

fn exchange(pool: &mut TermPool, memory: &[TermId], from: TermId, to: TermId) -> Vec<TermId> {
    let (a, b) = (read(pool, memory, from), read(pool, memory, to));
    let memory = write(pool, memory, from, b);
    write(pool, &memory, to, a)
}
