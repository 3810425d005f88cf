//! Each step by itself, and that what is left is smaller.

use super::*;
use crate::chc::{self, ChcFile};

fn read(text: &str) -> ChcFile {
    chc::read(text).unwrap()
}

fn simplified(text: &str) -> Simplified {
    let file = read(text);
    simplify(&file.pool, &file.system)
}

const CHAIN: &str = "
    (declare-fun entry (Int Int Int) Bool)
    (declare-fun inv (Int Int Int Int) Bool)
    (declare-fun middle (Int Int) Bool)
    (declare-fun nobody (Int) Bool)
    (declare-fun dead (Int) Bool)
    (assert (forall ((x Int) (y Int) (z Int)) (=> (= x 0) (entry x y z))))
    (assert (forall ((x Int) (y Int) (z Int)) (=> (entry x y z) (inv x y 5 z))))
    (assert (forall ((x Int) (y Int) (c Int) (z Int)) (=> (and (inv x y c z) (< x 10)) (middle x z))))
    (assert (forall ((x Int) (z Int) (y Int)) (=> (middle x z) (inv (+ x 1) y 5 (+ z 1)))))
    (assert (forall ((x Int) (y Int) (c Int) (z Int)) (=> (inv x y c z) (dead y))))
    (assert (forall ((x Int)) (=> (nobody x) (middle x x))))
    (assert (forall ((x Int) (y Int) (c Int) (z Int)) (=> (and (inv x y c z) (> x (* 2 c))) false)))";

#[test]
fn a_chain_becomes_one_loop_with_one_argument() {
    let file = read(CHAIN);
    let made = simplify(&file.pool, &file.system);
    assert_eq!(made.system.predicates.len(), 1);
    assert_eq!(made.system.rules.len(), 3);
    let names: FxHashMap<&str, &Image> = file
        .system
        .predicates
        .iter()
        .map(|p| (&*file.pool.function_data(*p).name, &made.images[p]))
        .collect();
    assert_eq!(names["entry"], &Image::Resolved);
    assert_eq!(names["middle"], &Image::Resolved);
    assert_eq!(names["nobody"], &Image::Empty);
    assert_eq!(names["dead"], &Image::Unneeded);
    let Image::Kept {
        positions,
        constants,
        ..
    } = names["inv"]
    else {
        panic!("the loop is kept");
    };
    assert_eq!(positions, &[0]);
    let constants: Vec<usize> = constants.iter().map(|(place, _)| *place).collect();
    assert_eq!(constants, [2]);
}

#[test]
fn a_resolved_rule_knows_its_original_ones() {
    let made = simplified(CHAIN);
    let sizes: Vec<usize> = made.unfoldings.iter().map(|u| u.nodes.len()).collect();
    assert_eq!(sizes.iter().sum::<usize>(), 5, "{sizes:?}");
    for unfolding in &made.unfoldings {
        for (node, (_, premises)) in unfolding.nodes.iter().enumerate() {
            let later = premises.iter().flatten().all(|child| *child > node);
            assert!(later, "children come after their parents");
        }
    }
}

#[test]
fn a_predicate_that_depends_on_itself_is_kept() {
    let made = simplified(
        "(declare-fun p (Int) Bool)
         (declare-fun q (Int) Bool)
         (assert (p 0))
         (assert (forall ((x Int)) (=> (p x) (q (+ x 1)))))
         (assert (forall ((x Int)) (=> (q x) (p (+ x 1)))))
         (assert (forall ((x Int)) (=> (and (p x) (< x 0)) false)))",
    );
    assert_eq!(made.system.predicates.len(), 1);
}

#[test]
fn an_argument_that_differs_once_is_no_constant() {
    let made = simplified(
        "(declare-fun p (Int Int) Bool)
         (assert (p 0 3))
         (assert (forall ((x Int) (c Int)) (=> (and (p x c) (= x 50)) (p 0 4))))
         (assert (forall ((x Int) (c Int)) (=> (p x c) (p (+ x 1) c))))
         (assert (forall ((x Int) (c Int)) (=> (and (p x c) (= c 5)) false)))",
    );
    let arity = |predicate| made.pool.function_data(predicate).arguments.len();
    assert_eq!(
        made.system
            .predicates
            .iter()
            .map(|p| arity(*p))
            .sum::<usize>(),
        2
    );
}

#[test]
fn arguments_that_two_premises_share_are_read() {
    let made = simplified(
        "(declare-fun p (Int) Bool)
         (declare-fun q (Int) Bool)
         (assert (p 0))
         (assert (q 1))
         (assert (forall ((x Int)) (=> (p x) (p (+ x 2)))))
         (assert (forall ((x Int)) (=> (q x) (q (+ x 2)))))
         (assert (forall ((x Int)) (=> (and (p x) (q x)) false)))",
    );
    let arity = |predicate| made.pool.function_data(predicate).arguments.len();
    assert!(made.system.predicates.iter().all(|p| arity(*p) == 1));
}
