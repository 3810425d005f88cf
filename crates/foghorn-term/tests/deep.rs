//! A chain of a million nodes goes through everything: built, measured, printed, parsed, evaluated, substituted, rewritten,
//! abstracted, dropped. Anything that recursed over depth would overflow the stack of a test thread.

use foghorn_term::eval::{Model, Value, evaluate};
use foghorn_term::rules::simplifier;
use foghorn_term::text::{Scope, parse_term, print_term};
use foghorn_term::{BitVecValue, Op, Sort, Substitution, TermId, TermPool};

const DEPTH: usize = 1_000_000;

/// `~(x ⊕ ~(x ⊕ …))`, as written: what is not merged stays deep.
fn chain(pool: &mut TermPool, depth: usize) -> TermId {
    let x = pool.bv_symbol("x", 8);
    let y = pool.bv_symbol("y", 8);
    (0..depth).fold(x, |term, level| match level % 3 {
        0 => pool.intern(Op::BvNot, &[term]),
        1 => pool.intern(Op::BvUdiv, &[term, y]),
        _ => pool.intern(Op::BvSrem, &[y, term]),
    })
}

#[test]
fn a_deep_chain_is_measured_printed_and_parsed() {
    let mut pool = TermPool::new();
    let deep = chain(&mut pool, DEPTH);
    assert_eq!(pool.depth(deep), DEPTH + 1);
    assert_eq!(pool.dag_size(&[deep]), DEPTH + 2);
    assert_eq!(pool.free_symbols(&[deep]).len(), 2);
    let text = print_term(&pool, deep);
    assert_eq!(
        parse_term(&mut pool, &Scope::default(), &text).unwrap(),
        deep
    );
}

#[test]
fn a_deep_chain_is_evaluated_and_substituted() {
    let mut pool = TermPool::new();
    let deep = chain(&mut pool, DEPTH);
    let (x, y) = (pool.bv_symbol("x", 8), pool.bv_symbol("y", 8));
    let mut substitution = Substitution::new();
    let (three, seven) = (pool.bv(8, 3), pool.bv(8, 7));
    substitution.insert(&pool, x, three);
    substitution.insert(&pool, y, seven);
    let folded = pool.substitute(deep, &substitution);
    let mut model = Model::new();
    model.set_term(&pool, x, Value::BitVec(BitVecValue::from_u64(8, 3)));
    model.set_term(&pool, y, Value::BitVec(BitVecValue::from_u64(8, 7)));
    let value = evaluate(&pool, &model, deep).unwrap();
    assert_eq!(pool.literal_value(folded), Some(value));
}

#[test]
fn a_deep_chain_is_rewritten_and_abstracted() {
    let mut pool = TermPool::new();
    let deep = chain(&mut pool, DEPTH);
    let rewritten = simplifier().rewrite(&mut pool, deep);
    assert!(pool.depth(rewritten) > DEPTH / 2);
    let abstraction = pool.abstract_shared(&[deep], 2);
    assert_eq!(pool.expand_definitions(&abstraction), vec![deep]);
    assert_eq!(pool.cone_of_influence(&[deep], &[deep]), vec![deep]);
}

#[test]
fn deep_memories_are_read_through() {
    let mut pool = TermPool::new();
    let sort = pool.array_sort(Sort::BitVec(32), Sort::BitVec(32));
    let mut array = pool.symbol("m", sort);
    let value = pool.bv_symbol("v", 32);
    for index in 0..200_000u64 {
        let at = pool.bv(32, index);
        array = pool.store(array, at, value);
    }
    let at = pool.bv(32, 5_000_000);
    let read = pool.select(array, at);
    let result = simplifier().rewrite(&mut pool, read);
    assert_eq!(print_term(&pool, result), "(select m #x004c4b40)");
}

#[test]
fn deep_lambdas_are_reduced_and_evaluated() {
    let mut pool = TermPool::new();
    let sort = Sort::BitVec(32);
    let index_sort = pool.sort_intern(sort);
    let array_sort = pool.array_sort(sort, sort);
    let mut array = pool.symbol("m", array_sort);
    let value = pool.bv_symbol("v", 32);
    for index in 0..100_000u64 {
        let variable = pool.bound_variable(index_sort);
        let at = pool.bv(32, index);
        let (hit, old) = (pool.equal(variable, at), pool.select(array, variable));
        let body = pool.ite(hit, value, old);
        array = pool.lambda(variable, body);
    }
    let at = pool.bv(32, 5_000_000);
    let read = pool.select(array, at);
    let mut model = Model::new();
    model.set_term(&pool, value, Value::BitVec(BitVecValue::from_u64(32, 9)));
    assert_eq!(
        evaluate(&pool, &model, read),
        Ok(Value::BitVec(BitVecValue::zero(32)))
    );
    let result = simplifier().rewrite(&mut pool, read);
    assert_eq!(print_term(&pool, result), "(select m #x004c4b40)");
}

#[test]
fn a_growing_sum_is_not_quadratic() {
    let mut pool = TermPool::new();
    let mut sum = pool.bv_symbol("x0", 64);
    for number in 1..200_000 {
        let next = pool.bv_symbol(&format!("x{number}"), 64);
        sum = pool.bv_add(sum, next);
    }
    assert!(pool.bytes() < 120_000_000, "{}", pool.bytes());
    assert!(pool.tree_size(sum) >= 200_000);
}

#[test]
fn a_wide_conjunction_is_not_quadratic() {
    let mut pool = TermPool::new();
    let atoms: Vec<TermId> = (0..60_000)
        .map(|n| pool.symbol(&format!("a{n}"), Sort::Bool))
        .collect();
    let mut conjuncts = vec![atoms[0]];
    for pair in atoms.windows(2) {
        let negated = pool.not(pair[0]);
        conjuncts.push(pool.or(&[negated, pair[1]]));
    }
    let conjunction = pool.and(&conjuncts);
    let rewritten = simplifier()
        .with_step_limit(400_000)
        .try_rewrite(&mut pool, conjunction);
    assert!(rewritten.is_ok());
}

/// The table places terms by their youngest child; one that all share is its worst case.
#[test]
fn many_parents_of_one_child_are_found_again() {
    let mut pool = TermPool::new();
    let old: Vec<TermId> = (0..300_000).map(|n| pool.bv(32, n)).collect();
    let young = pool.bv_symbol("young", 32);
    let made: Vec<TermId> = old
        .iter()
        .map(|&x| pool.intern(Op::BvUlt, &[x, young]))
        .collect();
    let length = pool.len();
    for (&x, &term) in old.iter().zip(&made) {
        assert_eq!(pool.intern(Op::BvUlt, &[x, young]), term);
    }
    assert_eq!(pool.len(), length);
    assert!(
        made.windows(2).all(|pair| pair[0] < pair[1]),
        "all are different"
    );
}

/// A chain of an operator over symbols, in the order given, as a loop makes it.
fn chained(pool: &mut TermPool, op: Op, order: impl Iterator<Item = u32>) -> TermId {
    let symbols: Vec<TermId> = order
        .map(|i| pool.bv_symbol(&format!("x{i}"), 32))
        .collect();
    let (first, rest) = symbols.split_first().expect("not empty");
    rest.iter()
        .fold(*first, |chain, &next| pool.make(op, &[chain, next]))
}

#[test]
fn long_chains_of_the_same_operands_are_equal_in_any_order() {
    let mut pool = TermPool::new();
    let mut simplifier = foghorn_term::rules::simplifier();
    for op in [Op::BvAdd, Op::BvAnd, Op::BvOr, Op::BvXor] {
        let forwards = chained(&mut pool, op, 0..300);
        let turned = chained(&mut pool, op, (1..300).chain([0]));
        let shorter = chained(&mut pool, op, 1..300);
        assert_ne!(forwards, turned, "merging is bounded");
        let equal = pool.equal(forwards, turned);
        let equal = simplifier.rewrite(&mut pool, equal);
        assert_eq!(pool.as_bool(equal), Some(true), "{op:?}");
        let open = pool.equal(forwards, shorter);
        let open = simplifier.rewrite(&mut pool, open);
        assert_eq!(pool.as_bool(open), None, "{op:?}");
    }
    let five = pool.bv(32, 5);
    let forwards = chained(&mut pool, Op::BvAdd, 0..300);
    let turned = chained(&mut pool, Op::BvAdd, (1..300).chain([0]));
    let more = pool.bv_add(turned, five);
    let differ = pool.equal(forwards, more);
    let differ = simplifier.rewrite(&mut pool, differ);
    assert_eq!(pool.as_bool(differ), Some(false));
}
