//! Substitution, measures, cones and definitions, case by case.

use foghorn_term::eval::{Evaluator, Value};
use foghorn_term::generate::{Fragment, Generator};
use foghorn_term::text::{parse_script, print_term};
use foghorn_term::{Op, Sort, Substitution, TermId, TermPool};

fn parsed(text: &str) -> (TermPool, Vec<TermId>) {
    let mut pool = TermPool::new();
    let terms = parse_script(&mut pool, text).unwrap();
    (pool, terms)
}

#[test]
fn substitution_is_simultaneous() {
    let (mut pool, terms) = parsed("(declare-const x Int) (declare-const y Int) (<= x y) x y");
    let swap: Substitution = [(terms[1], terms[2]), (terms[2], terms[1])]
        .into_iter()
        .collect();
    let swapped = pool.substitute(terms[0], &swap);
    assert_eq!(print_term(&pool, swapped), "(<= y x)");
}

#[test]
fn a_substituted_variable_is_not_captured() {
    let mut pool = TermPool::new();
    let int = pool.sort_intern(Sort::Int);
    let p = pool.int_symbol("p");
    let x = pool.bound_variable(int);
    let body = pool.int_add(x, p);
    let inner = pool.lambda(x, body);
    // p := x, where x is free in the replacement: the λ must rename its variable.
    let mut substitution = Substitution::new();
    substitution.insert(&pool, p, x);
    let replaced = pool.substitute(inner, &substitution);
    let Op::Lambda(bound) = pool.op(replaced) else {
        panic!("a λ stays one")
    };
    assert_ne!(Op::Bound(bound), pool.op(x));
    let three = pool.int(3);
    let reduced = pool.beta_reduce(replaced, three);
    let five = pool.int(5);
    let mut close = Substitution::new();
    close.insert(&pool, x, five);
    let closed = pool.substitute(reduced, &close);
    assert_eq!(pool.as_int(closed), Some(&8.into()));
}

#[test]
fn a_shadowed_variable_is_left_alone() {
    let mut pool = TermPool::new();
    let int = pool.sort_intern(Sort::Int);
    let x = pool.bound_variable(int);
    let one = pool.int(1);
    let body = pool.int_add(x, one);
    let inner = pool.lambda(x, body);
    let read = pool.select(inner, x);
    let outer = pool.lambda(x, read);
    let seven = pool.int(7);
    let reduced = pool.beta_reduce(outer, seven);
    let again = pool.beta_reduce(pool.child(reduced, 0), pool.child(reduced, 1));
    assert_eq!(pool.as_int(again), Some(&8.into()));
}

#[test]
fn substituting_a_value_agrees_with_evaluating() {
    let fragment = Fragment {
        lambdas: true,
        ranges: true,
        ..Fragment::arrays_and_functions()
    };
    for seed in 0..200 {
        let mut pool = TermPool::new();
        let mut generator = Generator::new(&mut pool, fragment.clone(), seed);
        let formula = generator.formula(&mut pool, 40);
        let model = generator.model(&pool);
        let mut substitution = Substitution::new();
        for symbol in pool.free_symbols(&[formula]) {
            let value = model.get(symbol).unwrap().clone();
            if let Some(literal) = pool.literal(value) {
                let term = pool.intern(Op::Symbol(symbol), &[]);
                substitution.insert(&pool, term, literal);
            }
        }
        let closed = pool.substitute(formula, &substitution);
        let mut evaluator = Evaluator::new(&pool, &model);
        let (Ok(before), Ok(after)) = (evaluator.evaluate(formula), evaluator.evaluate(closed))
        else {
            continue;
        };
        assert_eq!(before, after, "seed {seed}");
    }
}

#[test]
fn sizes_count_sharing_or_not() {
    let mut pool = TermPool::new();
    let mut term = pool.bv_symbol("x", 8);
    for _ in 0..200 {
        term = pool.intern(Op::BvAnd, &[term, term]);
    }
    assert_eq!(pool.dag_size(&[term]), 201);
    assert_eq!(pool.tree_size(term), u128::MAX);
    assert_eq!(pool.tree_size(pool.child(term, 0)), u128::MAX);
    let small = (0..196).fold(term, |term, _| pool.child(term, 0));
    assert_eq!(pool.tree_size(small), 31);
}

#[test]
fn the_cone_keeps_what_is_connected() {
    let (pool, terms) = parsed(
        "(declare-const x Int) (declare-const y Int) (declare-const z Int) (declare-const u Int) (declare-const w Int)
         (declare-fun f (Int) Int)
         (<= x y) (<= y z) (<= u w) (= 1 2) (= (f u) 3) (<= x 4) (= (f 1) x)",
    );
    let goal = [terms[5]];
    let cone = pool.cone_of_influence(&terms[..4], &goal);
    assert_eq!(
        cone,
        vec![terms[0], terms[1], terms[3]],
        "z by y, and the literal conjunct"
    );
    let cone = pool.cone_of_influence(&terms[..5], &[terms[6]]);
    assert_eq!(cone.len(), 5, "the function connects u with x");
}

#[test]
fn the_cone_of_definitions_follows_their_direction() {
    let (mut pool, terms) = parsed(
        "(declare-const a Int) (declare-const b Int) (declare-const c Int) a b c (+ b 1) (+ c 2) (+ a 3)",
    );
    let definitions = [(terms[0], terms[3]), (terms[1], terms[4])];
    assert_eq!(
        pool.cone_of_definitions(&definitions, &[terms[5]]),
        definitions.to_vec()
    );
    let b = pool.int_add(terms[1], terms[2]);
    assert_eq!(
        pool.cone_of_definitions(&definitions, &[b]),
        vec![definitions[1]]
    );
}

#[test]
fn definitions_keep_the_meaning() {
    for seed in 0..100 {
        let mut pool = TermPool::new();
        let mut generator = Generator::new(&mut pool, Fragment::default(), seed);
        let formula = generator.formula(&mut pool, 60);
        let abstraction = pool.abstract_shared(&[formula], 2);
        for &(_, definition) in &abstraction.definitions {
            for &child in pool.children(definition) {
                let shared = abstraction
                    .definitions
                    .iter()
                    .any(|&(_, other)| other == child);
                assert!(!shared, "shared terms are mentioned by name");
            }
        }
        assert_eq!(pool.expand_definitions(&abstraction), vec![formula]);
        let mut model = generator.model(&pool);
        for &(symbol, definition) in &abstraction.definitions {
            let value = Evaluator::new(&pool, &model).evaluate(definition).unwrap();
            model.set_term(&pool, symbol, value);
        }
        let mut evaluator = Evaluator::new(&pool, &model);
        assert_eq!(
            evaluator.evaluate(formula),
            evaluator.evaluate(abstraction.roots[0])
        );
    }
}

#[test]
fn memory_follows_its_axioms() {
    let (pool, terms) = parsed(
        "(declare-const m (Mem 8 (_ BitVec 8))) (declare-const n (Mem 8 (_ BitVec 8)))
         (declare-const p (Ptr 8)) (declare-const q (Ptr 8)) (declare-const s (_ BitVec 8)) (declare-const v (_ BitVec 8))
         (declare-const w (_ BitVec 16))
         (= (mem.read (mem.write m p v) q) (ite (= p q) v (mem.read m q)))
         (= (mem.read (mem.set m p v s) q)
            (ite (and (= (ptr.base p) (ptr.base q)) (bvult (ptr.diff q p) s)) v (mem.read m q)))
         (= (mem.read (mem.copy m p n p s) q)
            (ite (and (= (ptr.base p) (ptr.base q)) (bvult (ptr.diff q p) s)) (mem.read n q) (mem.read m q)))
         (= ((_ mem.read_bytes 2) (mem.write_bytes m p w) p) w)
         (= ((_ mem.read_bytes 2) m p) (concat (mem.read m (ptr.add p #x01)) (mem.read m p)))
         (=> (ptr.lt p q) (and (ptr.le p q) (= (ptr.base p) (ptr.base q))))
         (= (ptr.add p (ptr.diff q p)) (ptr (ptr.base p) (ptr.offset q)))",
    );
    let mut random = foghorn_term::generate::Random::new(3);
    for _ in 0..2000 {
        let model = foghorn_term::generate::random_model(&pool, &mut random);
        let mut evaluator = Evaluator::new(&pool, &model);
        for &axiom in &terms {
            assert_eq!(
                evaluator.evaluate(axiom),
                Ok(Value::Bool(true)),
                "{}",
                print_term(&pool, axiom)
            );
        }
    }
}

#[test]
fn division_follows_smt_lib() {
    let (pool, terms) = parsed(
        "(declare-const p Int)
         (= (bvudiv #x05 #x00) #xff) (= (bvurem #x05 #x00) #x05) (= (bvsdiv #x85 #x00) #x01) (= (bvsdiv #x05 #x00) #xff)
         (= (bvsrem #x85 #x00) #x85) (= (bvsmod #x85 #x00) #x85) (= (bvsdiv #x80 #xff) #x80) (= (bvsmod #xfb #x03) #x01)
         (= (bvsrem #xfb #x03) #xfe) (= (bvshl #x01 #x08) #x00) (= (bvlshr #x80 #xff) #x00) (= (bvashr #x80 #xff) #xff)
         (= (div -7 2) -4) (= (mod -7 2) 1) (= (div -7 -2) 4) (= (mod -7 -2) 1) (= (div 7 -2) -3)
         (= (div p 0) 0) (= (mod p 0) p)",
    );
    for &term in &terms {
        let model = foghorn_term::eval::Model::new();
        let value = Evaluator::new(&pool, &model).evaluate(term);
        assert_eq!(value, Ok(Value::Bool(true)), "{}", print_term(&pool, term));
    }
}
