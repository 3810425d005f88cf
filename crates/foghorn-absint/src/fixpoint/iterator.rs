//! Chaotic iteration over a weak topological order, widening and narrowing interleaved.
//!
//! Each component is iterated upwards with widening at its head until the head is stable, then
//! downwards with narrowing, before what follows it is looked at (Amato and Scozzari, "Localizing
//! widening and narrowing"): the loss of a widening is repaired where it happened and does not
//! reach outer loops. Inner components start afresh in each iteration of an outer one; the outer
//! head's widening alone ensures that this ends.
//!
//! Only the states before nodes are kept. The loop nest is walked with an explicit stack.

use cranelift_entity::EntityRef as _;

use crate::domain::AbstractDomain;
use crate::fixpoint::graph::{Graph, NodeId};
use crate::fixpoint::wto::{WeakTopologicalOrder, WtoItem, WtoKind};
use crate::thresholds::Thresholds;

/// The equations: what a node and an edge do to a state.
pub trait Transformer {
    type State: AbstractDomain;

    /// The state after a node, from the state before it.
    fn node(&mut self, node: NodeId, before: &Self::State) -> Self::State;

    /// What of the state after `from` goes to `to`.
    fn edge(&mut self, _from: NodeId, _to: NodeId, after: &Self::State) -> Self::State {
        after.clone()
    }

    /// Whether the node has states after it even when there are none before.
    fn generates(&self, _node: NodeId) -> bool {
        false
    }

    /// The state that enters from outside at a node, if any.
    fn initial(&mut self, node: NodeId) -> Option<Self::State>;
}

/// How to iterate.
#[derive(Clone, Debug)]
pub struct Options {
    /// Iterations of a component before the first widening.
    pub delay: u32,
    /// Descending iterations of a component, at most.
    pub descending: u32,
    pub thresholds: Thresholds,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            delay: 1,
            descending: 2,
            thresholds: Thresholds::none(),
        }
    }
}

/// States before nodes; ⊥ where nothing reaches.
#[derive(Clone, Debug)]
pub struct Solution<S> {
    before: Vec<S>,
    /// How many times a node was transformed, in all.
    pub steps: usize,
}

impl<S> Solution<S> {
    #[must_use]
    pub fn before(&self, node: NodeId) -> &S {
        &self.before[node.index()]
    }

    /// Replaces the state before a node.
    pub fn set_before(&mut self, node: NodeId, state: S) {
        self.before[node.index()] = state;
    }
}

enum Phase {
    Ascending { iterations: u32 },
    Descending { left: u32 },
}

struct Loop {
    head: usize,
    end: usize,
    phase: Phase,
}

struct Iteration<'a, T: Transformer> {
    graph: &'a Graph,
    order: WeakTopologicalOrder<NodeId>,
    transformer: &'a mut T,
    options: &'a Options,
    bottom: T::State,
    before: Vec<T::State>,
    after: Vec<Option<T::State>>,
    steps: usize,
}

/// Solves the equations. `some` is any element of the domain.
pub fn solve<T: Transformer>(
    graph: &Graph,
    transformer: &mut T,
    some: &T::State,
    options: &Options,
) -> Solution<T::State> {
    let bottom = some.bottom();
    let mut iteration = Iteration {
        graph,
        order: WeakTopologicalOrder::new(graph, graph.roots()),
        transformer,
        options,
        before: vec![bottom.clone(); graph.len()],
        after: vec![None; graph.len()],
        bottom,
        steps: 0,
    };
    iteration.run();
    Solution {
        before: iteration.before,
        steps: iteration.steps,
    }
}

impl<T: Transformer> Iteration<'_, T> {
    /// Joins what comes into a node along the edges that `accepts` takes.
    fn incoming(&mut self, node: NodeId, accepts: impl Fn(usize) -> bool) -> T::State {
        let mut state = self
            .transformer
            .initial(node)
            .unwrap_or_else(|| self.bottom.clone());
        for from in self.graph.predecessors(node) {
            let Some(position) = self.order.position(*from) else {
                continue;
            };
            if !accepts(position) {
                continue;
            }
            if let Some(after) = &self.after[from.index()] {
                if after.is_bottom() {
                    continue;
                }
                let passed = self.transformer.edge(*from, node, after);
                state = if state.is_bottom() {
                    passed
                } else {
                    state.join(&passed)
                };
            }
        }
        state
    }

    fn transform(&mut self, node: NodeId, before: T::State) {
        let after = if before.is_bottom() && !self.transformer.generates(node) {
            self.bottom.clone()
        } else {
            self.steps += 1;
            self.transformer.node(node, &before)
        };
        self.before[node.index()] = before;
        self.after[node.index()] = Some(after);
    }

    fn run(&mut self) {
        let mut loops: Vec<Loop> = Vec::new();
        let mut position = 0;
        loop {
            if loops
                .last()
                .is_some_and(|innermost| innermost.end == position)
            {
                let mut innermost = loops.pop().expect("invariant: just seen");
                if self.again(&mut innermost) {
                    position = innermost.head + 1;
                    loops.push(innermost);
                }
                continue;
            }
            let Some(&WtoItem { node, kind }) = self.order.items().get(position) else {
                return;
            };
            match kind {
                WtoKind::Vertex => {
                    let before = self.incoming(node, |_| true);
                    self.transform(node, before);
                }
                WtoKind::Head { end } => {
                    let head = position;
                    let before = self.incoming(node, |from| from < head || from >= end);
                    self.transform(node, before);
                    loops.push(Loop {
                        head,
                        end,
                        phase: Phase::Ascending { iterations: 0 },
                    });
                }
            }
            position += 1;
        }
    }

    /// At the end of a component: whether its body must be gone through again.
    fn again(&mut self, current: &mut Loop) -> bool {
        let node = self.order.items()[current.head].node;
        let incoming = self.incoming(node, |_| true);
        let old = self.before[node.index()].clone();
        match &mut current.phase {
            Phase::Ascending { iterations } => {
                if !incoming.leq(&old) {
                    let next = if *iterations < self.options.delay {
                        old.join(&incoming)
                    } else {
                        old.widen(&incoming, &self.options.thresholds)
                    };
                    *iterations += 1;
                    self.transform(node, next);
                    return true;
                }
                current.phase = Phase::Descending {
                    left: self.options.descending,
                };
                self.descend(current, node, &old, &incoming)
            }
            Phase::Descending { .. } => self.descend(current, node, &old, &incoming),
        }
    }

    fn descend(
        &mut self,
        current: &mut Loop,
        node: NodeId,
        old: &T::State,
        incoming: &T::State,
    ) -> bool {
        let Phase::Descending { left } = &mut current.phase else {
            return false;
        };
        if *left == 0 || old.leq(incoming) {
            return false;
        }
        *left -= 1;
        let narrowed = old.narrow(incoming);
        if old.leq(&narrowed) {
            return false;
        }
        self.transform(node, narrowed);
        true
    }
}
