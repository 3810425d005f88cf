//! Zones: the split sparse graph against the dense matrix, on generated control-flow graphs.
//!
//! Both run the same equations through the same fixpoint engine; only the representation differs.
//! The programs have `n` variables in groups of five that are related among themselves, as the
//! variables of a real function are, and a fixed number of loops that each work on one group.

use std::time::Instant;

use crate::domain::AbstractDomain;
use crate::fixpoint::graph::{Graph, NodeId};
use crate::fixpoint::iterator::{Options, Transformer, solve};
use crate::graph::Weight;
use crate::graph::dense::DenseMatrix;
use crate::graph::split::{Constraint, SplitGraph};
use crate::thresholds::Thresholds;
use foghorn_core::Figure;

/// Loops of a generated program, whatever the number of variables.
const LOOPS: usize = 8;

/// Variables of a group.
const GROUP: usize = 5;

/// The dense matrix is run up to this many variables: its states take n² weights each.
const LARGEST_DENSE: usize = 500;

const SIZES: [usize; 6] = [50, 100, 200, 500, 1_000, 2_000];

/// Statements on numbered variables.
#[derive(Clone, Copy, Debug)]
enum Step {
    Constant(u32, Weight),
    Offset(u32, u32, Weight),
    Assume(Constraint),
}

/// A representation of zones.
trait Representation: Clone + std::fmt::Debug + 'static {
    fn unconstrained(variables: usize) -> Self;
    /// False when nothing is left.
    fn step(&mut self, step: Step) -> bool;
    fn is_below(&self, other: &Self) -> bool;
    fn hull(&self, other: &Self) -> Self;
    fn intersection(&self, other: &Self) -> Option<Self>;
    fn extrapolation(&self, other: &Self) -> Self;
    fn refinement(&self, other: &Self) -> Self;
}

impl Representation for SplitGraph {
    fn unconstrained(_: usize) -> Self {
        Self::default()
    }

    fn step(&mut self, step: Step) -> bool {
        match step {
            Step::Constant(x, c) => self.assign_constant(x, c),
            Step::Offset(x, y, c) => self.assign_offset(x, y, c),
            Step::Assume(constraint) => return self.add(constraint).is_feasible(),
        }
        true
    }

    fn is_below(&self, other: &Self) -> bool {
        self.leq(other)
    }

    fn hull(&self, other: &Self) -> Self {
        self.join(other)
    }

    fn intersection(&self, other: &Self) -> Option<Self> {
        self.meet(other)
    }

    fn extrapolation(&self, other: &Self) -> Self {
        self.widen(other, &())
    }

    fn refinement(&self, other: &Self) -> Self {
        self.narrow(other)
    }
}

impl Representation for DenseMatrix {
    fn unconstrained(variables: usize) -> Self {
        Self::unconstrained(variables)
    }

    fn step(&mut self, step: Step) -> bool {
        match step {
            Step::Constant(x, c) => self.assign_constant(x, c),
            Step::Offset(x, y, c) => self.assign_offset(x, y, c),
            Step::Assume(constraint) => return self.add(constraint).is_feasible(),
        }
        true
    }

    fn is_below(&self, other: &Self) -> bool {
        self.leq(other)
    }

    fn hull(&self, other: &Self) -> Self {
        self.join(other)
    }

    fn intersection(&self, other: &Self) -> Option<Self> {
        self.meet(other)
    }

    fn extrapolation(&self, other: &Self) -> Self {
        self.widen(other, &())
    }

    fn refinement(&self, other: &Self) -> Self {
        self.narrow(other)
    }
}

/// A state of the benchmark; `None` is ⊥.
#[derive(Clone, Debug)]
struct State<R> {
    variables: usize,
    zone: Option<R>,
}

impl<R: Representation> State<R> {
    fn top(variables: usize) -> Self {
        Self {
            variables,
            zone: Some(R::unconstrained(variables)),
        }
    }

    fn with(&self, zone: Option<R>) -> Self {
        Self {
            variables: self.variables,
            zone,
        }
    }

    fn both(&self, other: &Self, combine: impl FnOnce(&R, &R) -> R) -> Self {
        match (&self.zone, &other.zone) {
            (None, _) => other.clone(),
            (_, None) => self.clone(),
            (Some(left), Some(right)) => self.with(Some(combine(left, right))),
        }
    }
}

impl<R: Representation> AbstractDomain for State<R> {
    fn top(&self) -> Self {
        State::top(self.variables)
    }

    fn bottom(&self) -> Self {
        self.with(None)
    }

    fn is_top(&self) -> bool {
        false
    }

    fn is_bottom(&self) -> bool {
        self.zone.is_none()
    }

    fn leq(&self, other: &Self) -> bool {
        match (&self.zone, &other.zone) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(left), Some(right)) => left.is_below(right),
        }
    }

    fn join(&self, other: &Self) -> Self {
        self.both(other, R::hull)
    }

    fn meet(&self, other: &Self) -> Self {
        let zones = self.zone.as_ref().zip(other.zone.as_ref());
        self.with(zones.and_then(|(left, right)| left.intersection(right)))
    }

    fn widen(&self, other: &Self, _: &Thresholds) -> Self {
        self.both(other, R::extrapolation)
    }

    fn narrow(&self, other: &Self) -> Self {
        let zones = self.zone.as_ref().zip(other.zone.as_ref());
        self.with(zones.map(|(left, right)| left.refinement(right)))
    }
}

/// A generated program: steps per node and the graph between them.
struct Generated {
    variables: usize,
    steps: Vec<Vec<Step>>,
    edges: Vec<(usize, usize)>,
}

fn vertex(index: usize) -> u32 {
    u32::try_from(index).expect("invariant: programs are small")
}

fn at_most(target: usize, source: usize, weight: Weight) -> Step {
    Step::Assume(Constraint::Difference {
        source: vertex(source),
        target: vertex(target),
        weight,
    })
}

/// Relates the variables of one group: a counter, its limit, two copies and a free follower.
fn set_up(first: usize) -> Vec<Step> {
    let at = |offset: usize| vertex(first + offset);
    vec![
        Step::Constant(at(0), 0),
        Step::Assume(Constraint::Lower(at(1), 1)),
        Step::Offset(at(2), at(0), 3),
        Step::Offset(at(3), at(1), -1),
        at_most(first + 4, first + 1, 7),
    ]
}

impl Generated {
    /// `looping` programs have back edges; others run each body at most once.
    fn new(variables: usize, looping: bool) -> Self {
        let groups = variables / GROUP;
        let entry = (0..groups)
            .flat_map(|group| set_up(group * GROUP))
            .collect();
        let mut program = Self {
            variables,
            steps: vec![entry],
            edges: Vec::new(),
        };
        let mut last = 0;
        for round in 0..LOOPS {
            last = program.counting_loop(last, (round * groups / LOOPS) * GROUP, looping);
        }
        program
    }

    fn node(&mut self, steps: Vec<Step>) -> usize {
        self.steps.push(steps);
        self.steps.len() - 1
    }

    /// Six nodes on the group at `i`: while i < n { if .. { x := i + 2 } else { x := x + 1 }; i++ }.
    fn counting_loop(&mut self, before: usize, i: usize, looping: bool) -> usize {
        let (n, x) = (i + 1, i + 2);
        let head = self.node(Vec::new());
        let body = self.node(vec![at_most(i, n, -1)]);
        let left = self.node(vec![Step::Offset(vertex(x), vertex(i), 2)]);
        let right = self.node(vec![
            at_most(x, n, 9),
            Step::Offset(vertex(x), vertex(x), 1),
        ]);
        let next = self.node(vec![Step::Offset(vertex(i), vertex(i), 1)]);
        let exit = self.node(vec![at_most(n, i, 0)]);
        self.edges.extend([
            (before, head),
            (head, body),
            (body, left),
            (body, right),
            (left, next),
            (right, next),
            (
                if looping { next } else { head },
                if looping { head } else { exit },
            ),
            (if looping { head } else { next }, exit),
        ]);
        exit
    }

    /// Solves the program; answers seconds and transfers.
    fn run<R: Representation>(&self) -> (f64, usize) {
        let node = |index: usize| NodeId::from_u32(vertex(index));
        let mut graph = Graph::new(self.steps.len(), [node(0)]);
        for (from, to) in &self.edges {
            graph.add_edge(node(*from), node(*to));
        }
        let top: State<R> = State::top(self.variables);
        let mut equations = Equations {
            program: self,
            top: top.clone(),
        };
        let started = Instant::now();
        let solution = solve(&graph, &mut equations, &top, &Options::default());
        let seconds = started.elapsed().as_secs_f64();
        assert!(!solution.before(node(self.steps.len() - 1)).is_bottom());
        (seconds, solution.steps)
    }
}

struct Equations<'a, R> {
    program: &'a Generated,
    top: State<R>,
}

impl<R: Representation> Transformer for Equations<'_, R> {
    type State = State<R>;

    fn node(&mut self, node: NodeId, before: &State<R>) -> State<R> {
        let mut after = before.clone();
        for step in &self.program.steps[node.as_u32() as usize] {
            if after.zone.as_mut().is_some_and(|zone| !zone.step(*step)) {
                after.zone = None;
            }
        }
        after
    }

    fn initial(&mut self, node: NodeId) -> Option<State<R>> {
        (node.as_u32() == 0).then(|| self.top.clone())
    }
}

/// The figures of zones.
#[must_use]
pub fn run() -> Vec<Figure> {
    let mut figures = against_dense(&SIZES, 3);
    figures.push(without_loops(LARGEST_DENSE, 3));
    figures.push(shared_records());
    figures
}

/// The ratio on a program without loops. There is no widening, so the matrix is never closed from
/// scratch, which is what dominates its time otherwise.
fn without_loops(size: usize, rounds: usize) -> Figure {
    let program = Generated::new(size, false);
    let (mut sparse, mut dense) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..rounds {
        sparse = sparse.min(program.run::<SplitGraph>().0);
        dense = dense.min(program.run::<DenseMatrix>().0);
    }
    Figure {
        name: format!("absint/zones-dense-over-sparse-{size}-without-loops"),
        value: dense / sparse,
        unit: "times faster".to_owned(),
        detail: format!("{size} variables: sparse {sparse:.5} s, dense {dense:.5} s"),
    }
}

/// The least of `rounds` times of each representation at each size, alternating.
fn against_dense(sizes: &[usize], rounds: usize) -> Vec<Figure> {
    let mut lines = Vec::new();
    let mut ratios = Vec::new();
    let (mut sparse_times, mut dense_times) = (Vec::new(), Vec::new());
    for &size in sizes {
        let program = Generated::new(size, true);
        let (mut sparse, mut dense) = (f64::INFINITY, f64::INFINITY);
        let mut steps = 0;
        for _ in 0..rounds {
            let (seconds, transfers) = program.run::<SplitGraph>();
            sparse = sparse.min(seconds);
            steps = transfers;
            if size <= LARGEST_DENSE {
                dense = dense.min(program.run::<DenseMatrix>().0);
            }
        }
        sparse_times.push((size, sparse));
        if size <= LARGEST_DENSE {
            dense_times.push((size, dense));
            ratios.push((size, dense / sparse));
            let ratio = dense / sparse;
            lines.push(format!(
                "{size} variables: sparse {sparse:.5} s, dense {dense:.5} s, {ratio:.1}x, {steps} transfers"
            ));
        } else {
            lines.push(format!(
                "{size} variables: sparse {sparse:.5} s, {steps} transfers"
            ));
        }
    }
    let detail = lines.join("; ");
    let figure = |name: String, value: f64, unit: &str| Figure {
        name,
        value,
        unit: unit.to_owned(),
        detail: detail.clone(),
    };
    let mut figures: Vec<Figure> = ratios
        .iter()
        .map(|(size, ratio)| {
            figure(
                format!("absint/zones-dense-over-sparse-{size}"),
                *ratio,
                "times faster",
            )
        })
        .collect();
    let unit = "exponent of time over variables";
    figures.push(figure(
        "absint/zones-sparse-growth".to_owned(),
        growth(&sparse_times),
        unit,
    ));
    figures.push(figure(
        "absint/zones-dense-growth".to_owned(),
        growth(&dense_times),
        unit,
    ));
    figures
}

fn growth(times: &[(usize, f64)]) -> f64 {
    let (Some(first), Some(last)) = (times.first(), times.last()) else {
        return f64::NAN;
    };
    (last.1 / first.1).ln() / (last.0 as f64 / first.0 as f64).ln()
}

/// How many records a join and a widening of near relatives allocate.
fn shared_records() -> Figure {
    let variables = 2_000;
    let mut base = SplitGraph::default();
    for group in 0..variables / GROUP {
        for step in set_up(group * GROUP) {
            base.step(step);
        }
    }
    let mut changed = base.clone();
    for group in (0..variables / GROUP).step_by(80) {
        changed.step(Step::Offset(
            vertex(group * GROUP),
            vertex(group * GROUP),
            1,
        ));
    }
    let joined = base.join(&changed).sharing(&[&base, &changed]);
    let widened = base.widen(&changed, &()).sharing(&[&base, &changed]);
    let fresh = joined.total - joined.shared;
    let fresh_widened = widened.total - widened.shared;
    Figure {
        name: "absint/zones-join-rebuilt-records".to_owned(),
        value: fresh as f64 / joined.total as f64,
        unit: "of all records".to_owned(),
        detail: format!(
            "{variables} variables, 5 counters moved: a join allocates {fresh} of {} records, a widening {fresh_widened}",
            joined.total
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::{Generated, against_dense, shared_records, without_loops};
    use crate::graph::dense::DenseMatrix;
    use crate::graph::split::SplitGraph;

    #[test]
    fn both_representations_take_the_same_way() {
        let program = Generated::new(40, true);
        assert_eq!(
            program.run::<SplitGraph>().1,
            program.run::<DenseMatrix>().1
        );
    }

    #[test]
    fn the_ratio_grows_with_the_variables() {
        let figures = against_dense(&[50, 200], 2);
        assert!(figures[1].value > figures[0].value, "{figures:?}");
    }

    #[test]
    fn joins_and_assignments_alone_are_faster_too() {
        assert!(without_loops(150, 2).value > 2.0);
    }

    #[test]
    fn joins_share_records() {
        assert!(shared_records().value < 0.02, "{:?}", shared_records());
    }
}
