//! Strongly connected components.
//!
//! R. Tarjan, "Depth-first search and linear graph algorithms", with its recursion on an explicit
//! stack. Components come out callees first: each before every component that has an edge to it.

use super::digraph::Digraph;
use cranelift_entity::{EntityRef, SecondaryMap};

/// The strongly connected components of a graph in reverse topological order.
#[derive(Clone, Debug)]
pub struct StronglyConnected<N: EntityRef> {
    /// Members of all components, component by component.
    members: Vec<N>,
    /// Where each component starts in `members`; one entry more than there are components.
    starts: Vec<u32>,
    component: SecondaryMap<N, u32>,
    cyclic: Vec<bool>,
}

impl<N: EntityRef> StronglyConnected<N> {
    pub fn new(graph: &Digraph<N>) -> Self {
        let mut tarjan = Tarjan::new(graph);
        for vertex in graph.vertices() {
            if tarjan.index[vertex] == 0 {
                tarjan.search_from(vertex);
            }
        }
        let mut result = tarjan.result;
        result.cyclic = (0..result.len())
            .map(|component| {
                let members = result.members(component);
                members.len() > 1 || graph.successors(members[0]).contains(&members[0])
            })
            .collect();
        result
    }

    /// Number of components.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// The vertices of a component.
    pub fn members(&self, component: usize) -> &[N] {
        &self.members[self.starts[component] as usize..self.starts[component + 1] as usize]
    }

    /// The component of a vertex.
    pub fn component(&self, vertex: N) -> usize {
        self.component[vertex] as usize
    }

    /// Whether a path from the component's vertices leads back to them: it has several members, or
    /// one with an edge to itself.
    pub fn is_cyclic(&self, component: usize) -> bool {
        self.cyclic[component]
    }

    /// The components, each before all that have an edge to it.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &[N]> {
        (0..self.len()).map(|component| self.members(component))
    }
}

struct Tarjan<'g, N: EntityRef> {
    graph: &'g Digraph<N>,
    /// Order of discovery from 1; 0 is undiscovered.
    index: SecondaryMap<N, u32>,
    low: SecondaryMap<N, u32>,
    next_index: u32,
    /// Discovered vertices whose component is not complete.
    open: Vec<N>,
    result: StronglyConnected<N>,
}

const NO_COMPONENT: u32 = u32::MAX;

impl<'g, N: EntityRef> Tarjan<'g, N> {
    fn new(graph: &'g Digraph<N>) -> Self {
        let mut tarjan = Tarjan {
            graph,
            index: SecondaryMap::new(),
            low: SecondaryMap::new(),
            next_index: 1,
            open: vec![],
            result: StronglyConnected {
                members: vec![],
                starts: vec![0],
                component: SecondaryMap::with_default(NO_COMPONENT),
                cyclic: vec![],
            },
        };
        tarjan.index.resize(graph.vertex_count());
        tarjan.low.resize(graph.vertex_count());
        tarjan
    }

    fn discover(&mut self, vertex: N) {
        self.index[vertex] = self.next_index;
        self.low[vertex] = self.next_index;
        self.next_index += 1;
        self.open.push(vertex);
    }

    fn search_from(&mut self, root: N) {
        let mut path = vec![(root, 0)];
        self.discover(root);
        while let Some((vertex, next)) = path.last_mut() {
            let vertex = *vertex;
            if let Some(&successor) = self.graph.successors(vertex).get(*next) {
                *next += 1;
                if self.index[successor] == 0 {
                    self.discover(successor);
                    path.push((successor, 0));
                } else if self.result.component[successor] == NO_COMPONENT {
                    self.low[vertex] = self.low[vertex].min(self.index[successor]);
                }
                continue;
            }
            path.pop();
            if let Some(&(parent, _)) = path.last() {
                self.low[parent] = self.low[parent].min(self.low[vertex]);
            }
            if self.low[vertex] == self.index[vertex] {
                self.close_component(vertex);
            }
        }
    }

    fn close_component(&mut self, root: N) {
        let number = u32::try_from(self.result.len()).expect("invariant: indices are 32 bits");
        loop {
            let member = self.open.pop().expect("invariant: the root is open");
            self.result.component[member] = number;
            self.result.members.push(member);
            if member == root {
                break;
            }
        }
        let end = u32::try_from(self.result.members.len()).expect("invariant: 32 bits");
        self.result.starts.push(end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::naive::{RandomGraph, reaches};
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]

        #[test]
        fn components_by_mutual_reachability(random in RandomGraph::strategy(14)) {
            let graph = random.graph();
            let components = StronglyConnected::new(&graph);
            for a in graph.vertices() {
                prop_assert!(components.members(components.component(a)).contains(&a));
                for b in graph.vertices() {
                    let mutual = reaches(&graph, a, b) && reaches(&graph, b, a);
                    prop_assert_eq!(components.component(a) == components.component(b), mutual);
                }
                for &b in graph.successors(a) {
                    prop_assert!(components.component(b) <= components.component(a));
                }
                let on_cycle = graph.successors(a).iter().any(|&next| reaches(&graph, next, a));
                prop_assert_eq!(components.is_cyclic(components.component(a)), on_cycle);
            }
            let total: usize = components.iter().map(<[_]>::len).sum();
            prop_assert_eq!(total, graph.vertex_count());
        }
    }
}
