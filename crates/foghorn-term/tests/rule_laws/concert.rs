//! All rules together on random terms: the rewriter ends, keeps the value, and facts admit what is computed.

use foghorn_term::eval::{EvalError, Evaluator, Value};
use foghorn_term::generate::{Fragment, Generator};
use foghorn_term::rewrite::Rewriter;
use foghorn_term::rules::{Facts, LAMBDA_ENCODING, RuleSet, TABLES};
use foghorn_term::text::print_script;
use foghorn_term::{Sort, TermId, TermPool};
use std::ops::Range;

/// How many terms per fragment; `FOGHORN_TERM_CASES` asks for more.
fn cases(default: u64) -> u64 {
    std::env::var("FOGHORN_TERM_CASES")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(default)
}

fn fragments() -> Vec<Fragment> {
    // The rules of finite maps assume well-formed maps, which random ones are not.
    let everything = Fragment {
        finite_maps: Vec::new(),
        ..Fragment::everything()
    };
    vec![
        Fragment::default(),
        Fragment::bit_vectors(&[1, 2]),
        Fragment::bit_vectors(&[2, 64, 65, 130]),
        Fragment {
            ranges: true,
            ..Fragment::arrays_and_functions()
        },
        Fragment::linear_integers(),
        everything,
    ]
}

/// Facts belong to a pool, so each term gets a set of rules of its own.
pub fn check(rules: fn() -> RuleSet, seeds: Range<u64>) {
    for (number, fragment) in fragments().iter().enumerate() {
        for seed in seeds.clone() {
            let mut pool = TermPool::new();
            let mut generator = Generator::new(&mut pool, fragment.clone(), seed);
            let formula = generator.formula(&mut pool, 40);
            let mut rewriter = Rewriter::new(rules()).with_step_limit(200_000);
            let result = rewriter.try_rewrite(&mut pool, formula);
            let result = result.unwrap_or_else(|e| panic!("fragment {number} seed {seed}: {e}"));
            agree(
                &pool,
                &mut generator,
                formula,
                result,
                &format!("fragment {number} seed {seed}"),
            );
        }
    }
}

fn agree(pool: &TermPool, generator: &mut Generator, before: TermId, after: TermId, what: &str) {
    for _ in 0..3 {
        let model = generator.model(pool);
        let mut evaluator = Evaluator::new(pool, &model);
        match (evaluator.evaluate(before), evaluator.evaluate(after)) {
            (Ok(x), Ok(y)) => {
                assert_eq!(
                    x,
                    y,
                    "{what}\n{}\n{}",
                    print_script(pool, before),
                    print_script(pool, after)
                );
            }
            (Err(EvalError::FunctionEquality), _) | (_, Err(EvalError::FunctionEquality)) => {}
            (x, y) => panic!("{what}: {x:?} {y:?}"),
        }
    }
}

#[test]
fn rewriting_keeps_the_value() {
    check(|| RuleSet::new(TABLES), 0..cases(150));
}

#[test]
fn the_lambda_encoding_keeps_the_value() {
    let fragment = Fragment {
        lambdas: true,
        ranges: true,
        ..Fragment::arrays_and_functions()
    };
    for seed in 0..cases(100) {
        let mut pool = TermPool::new();
        let mut generator = Generator::new(&mut pool, fragment.clone(), seed);
        let formula = generator.formula(&mut pool, 30);
        let mut tables = TABLES.to_vec();
        tables.insert(0, LAMBDA_ENCODING);
        let mut rewriter = Rewriter::new(RuleSet::new(&tables)).with_step_limit(200_000);
        let Ok(result) = rewriter.try_rewrite(&mut pool, formula) else {
            panic!("seed {seed} does not end")
        };
        agree(
            &pool,
            &mut generator,
            formula,
            result,
            &format!("seed {seed}"),
        );
    }
}

#[test]
fn facts_admit_every_value() {
    for seed in 0..cases(150) {
        let mut pool = TermPool::new();
        let fragment = Fragment::bit_vectors(&[1, 5, 8, 128]);
        let mut generator = Generator::new(&mut pool, fragment, seed);
        let formula = generator.formula(&mut pool, 60);
        let mut facts = Facts::default();
        let model = generator.model(&pool);
        let mut evaluator = Evaluator::new(&pool, &model);
        for term in pool.post_order(&[formula]) {
            let Sort::BitVec(_) = pool.sort(term) else {
                continue;
            };
            let fact = facts.get(&pool, term).expect("narrow enough");
            let Ok(Value::BitVec(value)) = evaluator.evaluate(term) else {
                panic!("a bit-vector")
            };
            let value = value.to_u128().expect("narrow enough");
            assert!(
                fact.admits(value),
                "seed {seed}: {fact:?} {value:#x} {}",
                print_script(&pool, term)
            );
        }
    }
}

/// The rules do not chase each other, and what they make does not explode: the work stays near the size of the term.
#[test]
fn rewriting_large_terms_ends() {
    for (number, fragment) in fragments().iter().enumerate() {
        for seed in 0..4 {
            let mut pool = TermPool::new();
            let mut generator = Generator::new(&mut pool, fragment.clone(), 1000 + seed);
            let formula = generator.formula(&mut pool, 1500);
            let size = pool.dag_size(&[formula]) as u64;
            let mut rewriter =
                Rewriter::new(RuleSet::new(TABLES)).with_step_limit(500 * size + 10_000);
            let result = rewriter.try_rewrite(&mut pool, formula);
            let result =
                result.unwrap_or_else(|e| panic!("fragment {number} seed {seed} size {size}: {e}"));
            agree(
                &pool,
                &mut generator,
                formula,
                result,
                &format!("fragment {number} seed {seed}"),
            );
        }
    }
}
