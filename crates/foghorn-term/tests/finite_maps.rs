//! Finite maps are reduced away, in place where the keys are known, and keep their meaning where they are well-formed.

use foghorn_term::eval::{Evaluator, Value};
use foghorn_term::generate::{Random, random_model};
use foghorn_term::rules::{expand_finite_map, simplifier};
use foghorn_term::{BitVecValue, Op, Sort, TermId, TermPool};

const WIDTH: u32 = 3;

fn mentions_maps(pool: &TermPool, term: TermId) -> bool {
    pool.post_order(&[term])
        .any(|term| matches!(pool.sort(term), Sort::FiniteMap { .. }))
}

/// A map of symbols, updated and read at its own keys only, under random conditions.
fn well_formed(pool: &mut TermPool, random: &mut Random, size: u32) -> (TermId, Vec<TermId>) {
    let sort = pool.finite_map_sort(Sort::BitVec(WIDTH), Sort::BitVec(WIDTH), size);
    let start = expand_finite_map(pool, "fm", sort);
    let keys: Vec<TermId> = pool.children(start).iter().copied().step_by(2).collect();
    let mut map = start;
    for step in 0..6 {
        let (key, value) = (
            *random.pick(&keys),
            pool.bv_symbol(&format!("v{step}"), WIDTH),
        );
        let updated = pool.finite_map_set(map, key, value);
        let condition = pool.symbol(&format!("c{step}"), Sort::Bool);
        map = if random.one_in(2) {
            updated
        } else {
            pool.ite(condition, updated, map)
        };
    }
    let read = pool.finite_map_get(map, *random.pick(&keys));
    (read, keys)
}

#[test]
fn well_formed_maps_are_reduced_to_scalars() {
    let mut random = Random::new(5);
    for round in 0..300 {
        let mut pool = TermPool::new();
        let (read, _) = well_formed(&mut pool, &mut random, 1 + round % 4);
        let reduced = simplifier().rewrite(&mut pool, read);
        assert!(!mentions_maps(&pool, reduced));
        for _ in 0..20 {
            let model = random_model(&pool, &mut random);
            let mut evaluator = Evaluator::new(&pool, &model);
            assert_eq!(
                evaluator.evaluate(read),
                evaluator.evaluate(reduced),
                "round {round}"
            );
        }
    }
}

/// The exponential blow-up that figure 5 is there to avoid: known keys are updated in place.
#[test]
fn known_keys_are_updated_in_place() {
    let mut pool = TermPool::new();
    let keys: Vec<TermId> = (0..3).map(|key| pool.bv(32, 8 * key)).collect();
    let entries: Vec<(TermId, TermId)> = keys
        .iter()
        .enumerate()
        .map(|(n, &key)| (key, pool.bv_symbol(&format!("e{n}"), 32)))
        .collect();
    let mut map = pool.finite_map(&entries);
    for step in 0..500 {
        let value = pool.bv_symbol(&format!("v{step}"), 32);
        map = pool.finite_map_set(map, keys[step % 3], value);
    }
    let reduced = simplifier().rewrite(&mut pool, map);
    assert_eq!(pool.op(reduced), Op::FiniteMap);
    assert_eq!(
        pool.dag_size(&[reduced]),
        7,
        "three keys, three values, the map"
    );
}

#[test]
fn a_map_has_the_default_at_keys_it_does_not_hold() {
    let mut pool = TermPool::new();
    let (key, value, other) = (pool.bv(8, 1), pool.bv(8, 7), pool.bv(8, 2));
    let map = pool.finite_map(&[(key, value)]);
    let (hit, miss) = (
        pool.finite_map_get(map, key),
        pool.finite_map_get(map, other),
    );
    let model = foghorn_term::eval::Model::new();
    let mut evaluator = Evaluator::new(&pool, &model);
    assert_eq!(
        evaluator.evaluate(hit),
        Ok(Value::BitVec(BitVecValue::from_u64(8, 7)))
    );
    assert_eq!(
        evaluator.evaluate(miss),
        Ok(Value::BitVec(BitVecValue::zero(8)))
    );
}
