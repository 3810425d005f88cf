//! The sparse graph against the dense matrix: random sequences of operations must agree exactly.

use super::{Constraint, SplitGraph};
use crate::graph::dense::DenseMatrix;
use proptest::prelude::*;

const VERTICES: u32 = 6;

#[derive(Clone, Debug)]
enum Operation {
    Add(Constraint),
    Forget(u32),
    Constant(u32, i128),
    Offset(u32, u32, i128),
    Rename(u32, u32),
    /// Joins with a state built from the same start by the given constraints and shifts.
    Join(Vec<Operation>),
    Meet(Vec<Operation>),
    Widen(Vec<Operation>),
}

fn constraint() -> impl Strategy<Value = Constraint> {
    let vertex = 0..VERTICES;
    let weight = -6i128..12;
    prop_oneof![
        (vertex.clone(), weight.clone()).prop_map(|(v, w)| Constraint::Upper(v, w)),
        (vertex.clone(), weight.clone()).prop_map(|(v, w)| Constraint::Lower(v, w - 8)),
        (vertex.clone(), vertex, weight).prop_map(|(source, target, weight)| {
            Constraint::Difference {
                source,
                target,
                weight,
            }
        }),
    ]
}

fn step() -> impl Strategy<Value = Operation> {
    let vertex = 0..VERTICES;
    prop_oneof![
        4 => constraint().prop_map(Operation::Add),
        1 => vertex.clone().prop_map(Operation::Forget),
        1 => (vertex.clone(), -5i128..5).prop_map(|(v, c)| Operation::Constant(v, c)),
        2 => (vertex.clone(), vertex.clone(), -3i128..4)
            .prop_map(|(v, o, c)| Operation::Offset(v, o, c)),
        1 => (vertex.clone(), vertex).prop_map(|(v, o)| Operation::Rename(v, o)),
    ]
}

fn operation() -> impl Strategy<Value = Operation> {
    let branch = || prop::collection::vec(step(), 0..14);
    prop_oneof![
        6 => step(),
        1 => branch().prop_map(Operation::Join),
        1 => branch().prop_map(Operation::Meet),
        1 => branch().prop_map(Operation::Widen),
    ]
}

type Pair = (SplitGraph, DenseMatrix);

fn start() -> Pair {
    (
        SplitGraph::default(),
        DenseMatrix::unconstrained(VERTICES as usize),
    )
}

/// Applies one operation to both; `None` when both became infeasible.
fn apply((mut sparse, mut dense): Pair, operation: &Operation, fresh: bool) -> Option<Pair> {
    match operation {
        Operation::Add(constraint) => {
            let feasible = sparse.add(*constraint);
            assert_eq!(
                feasible,
                dense.add(*constraint),
                "{constraint:?} on {sparse:?}"
            );
            return feasible.is_feasible().then_some((sparse, dense));
        }
        Operation::Forget(v) => {
            sparse.forget(*v);
            dense.forget(*v);
        }
        Operation::Constant(v, c) => {
            sparse.assign_constant(*v, *c);
            dense.assign_constant(*v, *c);
        }
        Operation::Offset(v, o, c) => {
            sparse.assign_offset(*v, *o, *c);
            dense.assign_offset(*v, *o, *c);
        }
        Operation::Rename(from, to) => {
            if from != to {
                sparse.rename(*from, *to);
                dense.assign_offset(*to, *from, 0);
                dense.forget(*from);
            }
        }
        Operation::Join(branch) => {
            let Some(other) = run(branch, (sparse.clone(), dense.clone()), fresh) else {
                return Some((sparse, dense));
            };
            return Some((sparse.join(&other.0), dense.join(&other.1)));
        }
        Operation::Meet(branch) => {
            let Some(other) = run(branch, start(), fresh) else {
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
            let Some(other) = run(branch, (sparse.clone(), dense.clone()), fresh) else {
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

/// The closed matrix of the constraints that a graph stores, closed by the other algorithm.
fn densify(graph: &SplitGraph) -> DenseMatrix {
    let mut dense = DenseMatrix::unconstrained(VERTICES as usize);
    for constraint in graph.constraints() {
        assert!(dense.add(constraint).is_feasible());
    }
    dense
}

fn run(operations: &[Operation], from: Pair, fresh: bool) -> Option<Pair> {
    operations.iter().try_fold(from, |pair, operation| {
        let pair = apply(pair, operation, fresh)?;
        agree(&pair);
        Some(pair)
    })
}

fn agree((sparse, dense): &Pair) {
    let mut closed = sparse.clone();
    closed.normalise();
    closed.check_invariants();
    for v in 0..VERTICES {
        assert_eq!(closed.upper(v), dense.upper(v), "upper {v} of {closed:?}");
        assert_eq!(closed.lower(v), dense.lower(v), "lower {v} of {closed:?}");
        for u in 0..VERTICES {
            assert_eq!(
                closed.difference(v, u),
                dense.difference(v, u),
                "{v}->{u} of {closed:?}"
            );
        }
    }
}

impl SplitGraph {
    fn check_invariants(&self) {
        for (vertex, record) in self.records.iter() {
            let offset = record.potential - self.origin;
            assert!(
                record.upper.is_none_or(|upper| offset <= upper),
                "potential {vertex}"
            );
            assert!(
                record.lower.is_none_or(|lower| offset >= lower),
                "potential {vertex}"
            );
            for (target, weight) in record.successors.iter() {
                assert!(
                    self.potential(target) - record.potential <= weight,
                    "potential {vertex}"
                );
                assert_eq!(self.predecessors(target).get(vertex), Some(weight));
            }
            for (source, weight) in record.predecessors.iter() {
                assert_eq!(self.successors(source).get(vertex), Some(weight));
            }
        }
    }
}

fn cases() -> u32 {
    std::env::var("FOGHORN_LAW_CASES")
        .ok()
        .and_then(|it| it.parse().ok())
        .unwrap_or(1000)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases()))]

    #[test]
    fn sparse_and_dense_agree(operations in prop::collection::vec(operation(), 1..24)) {
        run(&operations, start(), true);
    }

    #[test]
    fn order_agrees(
        left in prop::collection::vec(step(), 0..10),
        right in prop::collection::vec(step(), 0..10),
    ) {
        if let (Some(a), Some(b)) = (run(&left, start(), true), run(&right, start(), true)) {
            prop_assert_eq!(a.0.leq(&b.0), a.1.leq(&b.1));
            let join = a.0.join(&b.0);
            prop_assert!(a.0.leq(&join) && b.0.leq(&join));
        }
    }

    /// Widening along any chain of arguments reaches a fixed point.
    #[test]
    fn widening_stabilises(steps in prop::collection::vec(prop::collection::vec(step(), 1..6), 60)) {
        let mut widened = SplitGraph::default();
        widened.assign_constant(0, 0);
        widened.assign_constant(1, 0);
        widened.assign_offset(2, 3, 1);
        let mut changes = 0;
        for branch in &steps {
            let mut from = widened.clone();
            from.normalise();
            let dense = densify(&from);
            let Some((next, _)) = run(branch, (from, dense), true) else { continue };
            if !next.leq(&widened) {
                changes += 1;
                widened = widened.widen(&next, &());
            }
        }
        prop_assert!(changes <= 2 * 4 + 12);
    }
}

#[test]
fn copies_share_all_but_what_changes() {
    let mut graph = SplitGraph::default();
    for v in 0..100 {
        graph.assign_constant(v, i128::from(v));
    }
    let mut changed = graph.clone();
    changed.assign_offset(7, 7, 1);
    let join = graph.join(&changed);
    let sharing = join.sharing(&[&graph]);
    assert_eq!((sharing.shared, sharing.total), (99, 100));
    let widened = graph.widen(&changed, &());
    assert_eq!(widened.sharing(&[&graph]).shared, 99);
    assert_eq!(widened.upper(7), None);
}
