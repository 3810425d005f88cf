//! The sparse octagon against the dense one: random sequences of operations must agree exactly.

use super::dense::DenseOctagon;
use super::{Constraint, Literal, OctagonalGraph};
use proptest::prelude::*;

const VARIABLES: u32 = 4;

#[derive(Clone, Debug)]
enum Operation {
    Add(Constraint),
    Forget(u32),
    Constant(u32, i128),
    Offset(u32, Literal, i128),
    Join(Vec<Operation>),
    Meet(Vec<Operation>),
    Widen(Vec<Operation>),
}

fn literal() -> impl Strategy<Value = Literal> {
    (0..2 * VARIABLES).prop_map(Literal)
}

fn step() -> impl Strategy<Value = Operation> {
    prop_oneof![
        5 => (literal(), literal(), -5i128..11).prop_map(|(source, target, weight)| {
            Operation::Add(Constraint { source, target, weight })
        }),
        1 => (literal(), -4i128..8).prop_map(|(it, w)| Operation::Add(Constraint::upper(it, w))),
        1 => (0..VARIABLES).prop_map(Operation::Forget),
        1 => (0..VARIABLES, -5i128..5).prop_map(|(v, c)| Operation::Constant(v, c)),
        2 => (0..VARIABLES, literal(), -3i128..4).prop_map(|(v, o, c)| Operation::Offset(v, o, c)),
    ]
}

fn operation() -> impl Strategy<Value = Operation> {
    let branch = || prop::collection::vec(step(), 0..12);
    prop_oneof![
        6 => step(),
        1 => branch().prop_map(Operation::Join),
        1 => branch().prop_map(Operation::Meet),
        1 => branch().prop_map(Operation::Widen),
    ]
}

type Pair = (OctagonalGraph, DenseOctagon);

fn start() -> Pair {
    (
        OctagonalGraph::default(),
        DenseOctagon::unconstrained(VARIABLES as usize),
    )
}

fn equal(dense: &mut DenseOctagon, left: Literal, right: Literal, offset: i128) {
    let there = Constraint {
        source: right,
        target: left,
        weight: offset,
    };
    let back = Constraint {
        source: left,
        target: right,
        weight: -offset,
    };
    assert!(dense.add(there).is_feasible() && dense.add(back).is_feasible());
}

/// `variable := literal + offset` by way of a fresh variable, so that self-assignment works too.
fn assign_dense(
    dense: &DenseOctagon,
    variable: u32,
    literal: Literal,
    offset: i128,
) -> DenseOctagon {
    let mut wide = DenseOctagon::unconstrained(VARIABLES as usize + 1);
    for s in (0..2 * VARIABLES).map(Literal) {
        for target in (0..2 * VARIABLES).map(Literal) {
            if let Some(weight) = dense.difference(s, target).filter(|_| s != target) {
                assert!(
                    wide.add(Constraint {
                        source: s,
                        target,
                        weight
                    })
                    .is_feasible()
                );
            }
        }
    }
    equal(&mut wide, Literal::positive(VARIABLES), literal, offset);
    wide.forget(variable);
    equal(
        &mut wide,
        Literal::positive(variable),
        Literal::positive(VARIABLES),
        0,
    );
    wide.forget(VARIABLES);
    let mut narrow = DenseOctagon::unconstrained(VARIABLES as usize);
    for s in (0..2 * VARIABLES).map(Literal) {
        for target in (0..2 * VARIABLES).map(Literal) {
            if let Some(weight) = wide.difference(s, target).filter(|_| s != target) {
                assert!(
                    narrow
                        .add(Constraint {
                            source: s,
                            target,
                            weight
                        })
                        .is_feasible()
                );
            }
        }
    }
    narrow
}

fn densify(graph: &OctagonalGraph) -> DenseOctagon {
    let mut dense = DenseOctagon::unconstrained(VARIABLES as usize);
    for constraint in graph.constraints() {
        assert!(dense.add(constraint).is_feasible());
    }
    dense
}

fn apply((mut sparse, mut dense): Pair, operation: &Operation) -> Option<Pair> {
    match operation {
        Operation::Add(constraint) => {
            let before = sparse.clone();
            let feasible = sparse.add(*constraint);
            assert_eq!(
                feasible,
                dense.add(*constraint),
                "{constraint:?} on {before:?}"
            );
            return feasible.is_feasible().then_some((sparse, dense));
        }
        Operation::Forget(v) => {
            sparse.forget(*v);
            dense.forget(*v);
        }
        Operation::Constant(v, c) => {
            sparse.assign_constant(*v, *c);
            dense.forget(*v);
            let plus = Literal::positive(*v);
            assert!(dense.add(Constraint::upper(plus, *c)).is_feasible());
            assert!(
                dense
                    .add(Constraint::upper(plus.negated(), -*c))
                    .is_feasible()
            );
        }
        Operation::Offset(v, o, c) => {
            dense = assign_dense(&dense, *v, *o, *c);
            sparse.assign_offset(*v, *o, *c);
        }
        Operation::Join(branch) => {
            let Some(other) = run(branch, (sparse.clone(), dense.clone())) else {
                return Some((sparse, dense));
            };
            return Some((sparse.join(&other.0), dense.join(&other.1)));
        }
        Operation::Meet(branch) => {
            let Some(other) = run(branch, start()) else {
                return Some((sparse, dense));
            };
            let (meet, expected) = (sparse.meet(&other.0), dense.meet(&other.1));
            assert_eq!(
                meet.is_some(),
                expected.is_some(),
                "meet of {sparse:?} and {:?}",
                other.0
            );
            return meet.zip(expected);
        }
        Operation::Widen(branch) => {
            let Some(other) = run(branch, (sparse.clone(), dense.clone())) else {
                return Some((sparse, dense));
            };
            let joined = sparse.join(&other.0);
            let widened = sparse.widen(&joined, &());
            assert!(joined.leq(&widened) && sparse.leq(&widened));
            return Some((widened.clone(), densify(&widened)));
        }
    }
    Some((sparse, dense))
}

fn run(operations: &[Operation], from: Pair) -> Option<Pair> {
    operations.iter().try_fold(from, |pair, operation| {
        let pair = apply(pair, operation)?;
        agree(&pair);
        Some(pair)
    })
}

fn agree((sparse, dense): &Pair) {
    let mut closed = sparse.clone();
    closed.normalise();
    for source in (0..2 * VARIABLES).map(Literal) {
        assert_eq!(
            closed.upper(source),
            dense.upper(source),
            "upper {source:?} of {closed:?}"
        );
        for (target, weight) in closed.successors(source).iter() {
            let target = Literal(target);
            assert_eq!(
                closed.edge(target.negated(), source.negated()),
                Some(weight)
            );
        }
        for target in (0..2 * VARIABLES).map(Literal) {
            let (mine, theirs) = (
                closed.difference(source, target),
                dense.difference(source, target),
            );
            assert_eq!(mine, theirs, "{source:?} -> {target:?} of {closed:?}");
        }
    }
}

fn cases() -> u32 {
    std::env::var("FOGHORN_LAW_CASES")
        .ok()
        .and_then(|it| it.parse().ok())
        .unwrap_or(500)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases()))]

    #[test]
    fn sparse_and_dense_agree(operations in prop::collection::vec(operation(), 1..20)) {
        run(&operations, start());
    }

    #[test]
    fn order_agrees(
        left in prop::collection::vec(step(), 0..8),
        right in prop::collection::vec(step(), 0..8),
    ) {
        if let (Some(a), Some(b)) = (run(&left, start()), run(&right, start())) {
            prop_assert_eq!(a.0.leq(&b.0), a.1.leq(&b.1));
        }
    }

    #[test]
    fn widening_stabilises(steps in prop::collection::vec(prop::collection::vec(step(), 1..6), 80)) {
        let mut widened = OctagonalGraph::default();
        widened.assign_constant(0, 0);
        widened.assign_constant(1, 0);
        widened.assign_offset(2, Literal::negative(3), 1);
        let mut changes = 0;
        for branch in &steps {
            let mut from = widened.clone();
            from.normalise();
            let dense = densify(&from);
            let Some((next, _)) = run(branch, (from, dense)) else { continue };
            if !next.leq(&widened) {
                changes += 1;
                widened = widened.widen(&next, &());
            }
        }
        prop_assert!(changes <= 8 + 24);
    }
}

#[test]
fn parity_empties_over_the_integers() {
    let mut graph = OctagonalGraph::default();
    let (x, y) = (Literal::positive(0), Literal::positive(1));
    // x = y and x + y = 1 has a rational model and no integer one.
    assert!(
        graph
            .add(Constraint {
                source: x,
                target: y,
                weight: 0
            })
            .is_feasible()
    );
    assert!(
        graph
            .add(Constraint {
                source: y,
                target: x,
                weight: 0
            })
            .is_feasible()
    );
    assert!(
        graph
            .add(Constraint {
                source: y.negated(),
                target: x,
                weight: 1
            })
            .is_feasible()
    );
    assert!(
        !graph
            .add(Constraint {
                source: x,
                target: y.negated(),
                weight: -1
            })
            .is_feasible()
    );
}
