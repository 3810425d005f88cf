//! The normalising builders keep the value of every term.

use foghorn_term::eval::{EvalError, Evaluator};
use foghorn_term::generate::{Fragment, Generator};
use foghorn_term::{TermId, TermPool};

/// Rebuilds a term bottom-up with the normalising constructor.
fn rebuilt(pool: &mut TermPool, root: TermId) -> TermId {
    let order: Vec<TermId> = pool.post_order(&[root]).collect();
    let mut new = std::collections::HashMap::new();
    for term in order {
        let children: Vec<TermId> = pool.children(term).iter().map(|child| new[child]).collect();
        let made = if children.is_empty() {
            term
        } else {
            pool.make(pool.op(term), &children)
        };
        new.insert(term, made);
    }
    new[&root]
}

#[test]
fn making_keeps_the_value() {
    let fragments = [
        Fragment::default(),
        Fragment::bit_vectors(&[2, 64, 65, 200]),
        Fragment::arrays_and_functions(),
        Fragment::linear_integers(),
        Fragment::floats(),
        Fragment::everything(),
    ];
    let (mut decided, mut open) = (0, 0);
    for (number, fragment) in fragments.iter().enumerate() {
        for seed in 0..150 {
            let mut pool = TermPool::new();
            let mut generator =
                Generator::new(&mut pool, fragment.clone(), seed * 10 + number as u64);
            let formula = generator.formula(&mut pool, 40);
            let made = rebuilt(&mut pool, formula);
            for _ in 0..3 {
                let model = generator.model(&pool);
                let mut evaluator = Evaluator::new(&pool, &model);
                match (evaluator.evaluate(formula), evaluator.evaluate(made)) {
                    (Ok(before), Ok(after)) => {
                        assert_eq!(before, after, "fragment {number} seed {seed}");
                        decided += 1;
                    }
                    (Err(EvalError::FunctionEquality), _)
                    | (_, Err(EvalError::FunctionEquality)) => open += 1,
                    (before, after) => panic!("{before:?} {after:?}"),
                }
            }
        }
    }
    assert!(decided > 20 * open, "{decided} decided, {open} open");
}
