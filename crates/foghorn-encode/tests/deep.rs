//! Long chains: nothing recurses, and with store-maps a read at a constant place does not look at the chain.

use foghorn_encode::memory::{Arrays, CellKind, Lambdas, MemoryRepresentation, Seam, SeamOptions};
use foghorn_term::{Op, Sort, TermId, TermPool};

const WIDTH: u32 = 64;
const WORD: Sort = Sort::BitVec(32);

fn seam(arm: bool, store_map: bool) -> Seam {
    Seam::new(WIDTH, SeamOptions { arm, store_map })
}

fn place(pool: &mut TermPool, base: u64, offset: u64) -> TermId {
    let (base, offset) = (pool.bv(WIDTH, base), pool.bv(WIDTH, offset));
    pool.pointer(base, offset)
}

/// Writes `count` words to one object, each a value of its own.
fn chain(pool: &mut TermPool, memory: &mut dyn MemoryRepresentation, count: u64) -> TermId {
    let mut state = memory.arbitrary(pool, "m", CellKind::Word { bytes: 4 });
    for index in 0..count {
        let (pointer, value) = (place(pool, 2, 4 * index), pool.bv(32, index));
        state = memory.write(pool, state, pointer, value);
    }
    state
}

fn reads_both_ends(memory: &mut dyn MemoryRepresentation, count: u64) {
    let mut pool = TermPool::new();
    let state = chain(&mut pool, memory, count);
    for index in [0, count / 2, count - 1] {
        let pointer = place(&mut pool, 2, 4 * index);
        let value = memory.read(&mut pool, state, pointer, WORD);
        let value = memory.simplify(&mut pool, value);
        let expected = pool.bv(32, index);
        assert_eq!(value, expected, "{} at {index}", memory.name());
    }
}

#[test]
fn chains_of_a_hundred_thousand_writes_are_read() {
    reads_both_ends(&mut seam(true, true), 100_000);
    reads_both_ends(&mut seam(true, false), 100_000);
    reads_both_ends(&mut seam(false, false), 100_000);
    reads_both_ends(&mut Lambdas::new(WIDTH), 100_000);
    reads_both_ends(&mut Arrays::new(WIDTH), 100_000);
}

#[test]
fn an_unknown_place_in_a_long_chain_is_a_long_case_split() {
    for options in [(true, true), (true, false), (false, true), (false, false)] {
        let mut pool = TermPool::new();
        let mut memory = seam(options.0, options.1);
        let state = chain(&mut pool, &mut memory, 20_000);
        let index = pool.bv_symbol("i", WIDTH);
        let four = pool.bv(WIDTH, 4);
        let (base, offset) = (pool.bv(WIDTH, 2), pool.bv_mul(index, four));
        let pointer = pool.pointer(base, offset);
        let value = memory.read(&mut pool, state, pointer, WORD);
        assert_eq!(pool.op(value), Op::Ite);
        assert_eq!(memory.statistics().splits, 20_000);
    }
}

#[test]
fn store_maps_answer_without_walking() {
    let mut pool = TermPool::new();
    let mut memory = seam(true, true);
    let state = chain(&mut pool, &mut memory, 10_000);
    for index in 0..10_000 {
        let pointer = place(&mut pool, 2, 4 * index);
        memory.read(&mut pool, state, pointer, WORD);
    }
    let statistics = memory.statistics();
    assert_eq!(statistics.store_map_hits, 10_000);
    assert_eq!((statistics.skips, statistics.splits), (0, 0));
}

/// A second write to an older version finds that version's store-map (§7.2 of the thesis leaves it out in the cold).
#[test]
fn older_versions_keep_their_store_maps() {
    let mut pool = TermPool::new();
    let mut memory = seam(true, true);
    let state = chain(&mut pool, &mut memory, 1_000);
    let (pointer, value) = (place(&mut pool, 2, 0), pool.bv_symbol("v", 32));
    let versions: Vec<TermId> = (0..100)
        .map(|number| {
            let by = pool.bv(32, number);
            let value = pool.bv_add(value, by);
            memory.write(&mut pool, state, pointer, value)
        })
        .collect();
    for version in versions {
        let pointer = place(&mut pool, 2, 4 * 500);
        let value = memory.read(&mut pool, version, pointer, WORD);
        assert_eq!(value, pool.bv(32, 500));
    }
    assert_eq!(memory.statistics().skips, 0);
}

/// Twenty thousand merges, none of which touches what is read: with store-maps they are not looked at, without each is
/// looked at once and the common ancestor is not read twice.
#[test]
fn merges_do_not_double_the_work() {
    for store_map in [true, false] {
        let mut pool = TermPool::new();
        let mut memory = seam(true, store_map);
        let mut state = memory.arbitrary(&mut pool, "m", CellKind::Word { bytes: 4 });
        let (kept, expected) = (place(&mut pool, 7, 0), pool.bv_symbol("kept", 32));
        state = memory.write(&mut pool, state, kept, expected);
        for index in 0..20_000u64 {
            let condition = pool.symbol(&format!("c{index}"), Sort::Bool);
            let (pointer, value) = (place(&mut pool, 2, 0), pool.bv(32, index));
            let written = memory.write(&mut pool, state, pointer, value);
            state = memory.merge(&mut pool, condition, written, state);
        }
        let value = memory.read(&mut pool, state, kept, WORD);
        assert_eq!(value, expected);
        let skips = memory.statistics().skips;
        assert_eq!(skips, if store_map { 0 } else { 20_000 });
    }
}

/// A read of what the budget no longer allows ends at once, with a value of the right sort.
#[test]
fn a_read_ends_with_its_budget() {
    let mut pool = TermPool::new();
    let mut memory = seam(true, false);
    let state = chain(&mut pool, &mut memory, 20_000);
    let index = pool.bv_symbol("i", WIDTH);
    let base = pool.bv(WIDTH, 2);
    let pointer = pool.pointer(base, index);
    let budget = foghorn_core::Budget::unlimited();
    budget.cancel();
    memory.set_budget(&budget);
    let value = memory.read(&mut pool, state, pointer, WORD);
    assert_eq!(pool.sort(value), WORD);
    assert!(pool.is_literal(value), "nothing was walked to the end");
}
