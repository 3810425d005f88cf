//! Dominator trees, of control-flow graphs and of their reverse.
//!
//! The algorithm is semi-NCA (L. Georgiadis, "Linear-time algorithms for dominators and related
//! problems"): semidominators by path compression as Lengauer and Tarjan compute them, then
//! each immediate dominator as the nearest common ancestor of the semidominator and the parent.
//! Queries "does a dominate b" compare the discovery and leaving times of a walk of the tree.
//!
//! A vertex that the root does not reach has no dominators: every query about one is false.

use super::cfg::ControlFlowGraph;
use super::digraph::{DepthFirst, Digraph};
use crate::body::BlockId;
use cranelift_entity::{EntityRef, SecondaryMap};

/// The dominator tree of the vertices that a root reaches.
#[derive(Clone, Debug)]
pub struct DominatorTree<N: EntityRef> {
    root: N,
    nodes: SecondaryMap<N, Node<N>>,
    /// Reached vertices such that each comes after its immediate dominator.
    preorder: Vec<N>,
}

#[derive(Clone, Debug)]
struct Node<N> {
    parent: Option<N>,
    children: Vec<N>,
    /// Discovery and leaving time in a walk of the tree; 0, 0 for vertices that are not in it.
    enter: u32,
    leave: u32,
    depth: u32,
}

impl<N: EntityRef> DominatorTree<N> {
    /// The dominators of what `root` reaches.
    pub fn new(graph: &Digraph<N>, root: N) -> Self {
        let search = DepthFirst::new(graph, &[root]);
        let immediate = SemiNca::run(graph, &search);
        let empty = Node {
            parent: None,
            children: vec![],
            enter: 0,
            leave: 0,
            depth: 0,
        };
        let mut nodes = SecondaryMap::with_default(empty);
        nodes.resize(graph.vertex_count());
        for (number, &vertex) in search.preorder.iter().enumerate().skip(1) {
            let parent = search.preorder[immediate[number] as usize];
            nodes[vertex].parent = Some(parent);
            nodes[parent].children.push(vertex);
        }
        let mut tree = DominatorTree {
            root,
            nodes,
            preorder: Vec::with_capacity(search.preorder.len()),
        };
        tree.number();
        tree
    }

    fn number(&mut self) {
        let mut clock = 1;
        let mut path = vec![(self.root, 0)];
        self.nodes[self.root].enter = clock;
        self.preorder.push(self.root);
        while let Some((vertex, next)) = path.last_mut() {
            clock += 1;
            let Some(&child) = self.nodes[*vertex].children.get(*next) else {
                self.nodes[*vertex].leave = clock;
                path.pop();
                continue;
            };
            *next += 1;
            let depth = self.nodes[*vertex].depth + 1;
            let node = &mut self.nodes[child];
            (node.enter, node.depth) = (clock, depth);
            self.preorder.push(child);
            path.push((child, 0));
        }
    }

    pub fn root(&self) -> N {
        self.root
    }

    /// Whether the root reaches the vertex.
    pub fn contains(&self, vertex: N) -> bool {
        self.nodes[vertex].enter != 0
    }

    /// The closest strict dominator; `None` for the root and for what it does not reach.
    pub fn immediate_dominator(&self, vertex: N) -> Option<N> {
        self.nodes[vertex].parent
    }

    /// The vertices that `vertex` dominates immediately.
    pub fn children(&self, vertex: N) -> &[N] {
        &self.nodes[vertex].children
    }

    /// Whether every path from the root to `b` passes `a`; each vertex dominates itself. Constant
    /// time.
    pub fn dominates(&self, a: N, b: N) -> bool {
        let (a, b) = (&self.nodes[a], &self.nodes[b]);
        a.enter != 0 && a.enter <= b.enter && b.leave <= a.leave
    }

    /// [`Self::dominates`] between different vertices.
    pub fn strictly_dominates(&self, a: N, b: N) -> bool {
        a != b && self.dominates(a, b)
    }

    /// Distance from the root in the tree.
    pub fn depth(&self, vertex: N) -> u32 {
        self.nodes[vertex].depth
    }

    /// All vertices in the tree, each after its immediate dominator.
    pub fn preorder(&self) -> &[N] {
        &self.preorder
    }

    /// The last vertex that dominates both; `None` if either is not in the tree.
    pub fn nearest_common_dominator(&self, a: N, b: N) -> Option<N> {
        if !self.contains(a) || !self.contains(b) {
            return None;
        }
        let mut at = a;
        while !self.dominates(at, b) {
            at = self.immediate_dominator(at)?;
        }
        Some(at)
    }
}

/// State of the algorithm; vertices are named by their depth-first number.
struct SemiNca {
    semi: Vec<u32>,
    /// On the path from a vertex to the root of its virtual tree: the number of least `semi`.
    label: Vec<u32>,
    /// Parent in the virtual forest, shortened by path compression.
    ancestor: Vec<u32>,
    path: Vec<u32>,
}

impl SemiNca {
    /// Immediate dominators by depth-first number; the root has itself.
    fn run<N: EntityRef>(graph: &Digraph<N>, search: &DepthFirst<N>) -> Vec<u32> {
        let count = u32::try_from(search.preorder.len()).expect("invariant: indices are 32 bits");
        let mut state = SemiNca {
            semi: (0..count).collect(),
            label: (0..count).collect(),
            ancestor: search.parent.clone(),
            path: vec![],
        };
        for w in (1..count).rev() {
            let vertex = search.preorder[w as usize];
            let mut semi = search.parent[w as usize];
            for &predecessor in graph.predecessors(vertex) {
                if let Some(v) = search.number(predecessor) {
                    semi = semi.min(state.evaluate(v, w));
                }
            }
            state.semi[w as usize] = semi;
        }
        let mut immediate = search.parent.clone();
        for w in 1..count as usize {
            while immediate[w] > state.semi[w] {
                immediate[w] = immediate[immediate[w] as usize];
            }
        }
        immediate
    }

    /// The least semidominator on the tree path to `v` from the first ancestor not greater than
    /// `last`, exclusive. Only numbers greater than `last` have their semidominator already.
    fn evaluate(&mut self, v: u32, last: u32) -> u32 {
        if v <= last {
            return v;
        }
        let mut at = v;
        while self.ancestor[at as usize] > last {
            self.path.push(at);
            at = self.ancestor[at as usize];
        }
        while let Some(below) = self.path.pop() {
            let above = self.ancestor[below as usize];
            let (mine, theirs) = (self.label[below as usize], self.label[above as usize]);
            if self.semi[theirs as usize] < self.semi[mine as usize] {
                self.label[below as usize] = theirs;
            }
            self.ancestor[below as usize] = self.ancestor[above as usize];
        }
        self.semi[self.label[v as usize] as usize]
    }
}

/// Post-dominators of the reachable blocks, towards a virtual exit behind every block that has no
/// successors.
///
/// A block from which no exit can be reached (it is stuck in an endless loop) has none.
#[derive(Clone, Debug)]
pub struct PostDominators {
    tree: DominatorTree<BlockId>,
}

impl PostDominators {
    pub fn new(cfg: &ControlFlowGraph) -> Self {
        let count = cfg.graph().vertex_count();
        let exit = BlockId::new(count);
        let mut edges: Vec<_> = cfg.exits().map(|block| (exit, block)).collect();
        for &block in cfg.reverse_postorder() {
            edges.extend(cfg.successors(block).iter().map(|&next| (next, block)));
        }
        PostDominators {
            tree: DominatorTree::new(&Digraph::new(count + 1, &edges), exit),
        }
    }

    /// The virtual exit: the root of the tree, and no block of the body.
    pub fn exit(&self) -> BlockId {
        self.tree.root()
    }

    /// The tree over blocks and [`Self::exit`].
    pub fn tree(&self) -> &DominatorTree<BlockId> {
        &self.tree
    }

    /// Whether every path from `b` to an exit passes `a`, and there is such a path.
    pub fn post_dominates(&self, a: BlockId, b: BlockId) -> bool {
        self.tree.dominates(a, b)
    }

    /// The closest strict post-dominator that is a block; `None` if that is the virtual exit or
    /// if no exit can be reached.
    pub fn immediate_post_dominator(&self, block: BlockId) -> Option<BlockId> {
        let parent = self.tree.immediate_dominator(block);
        parent.filter(|&parent| parent != self.exit())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::naive::{RandomGraph, reaches, reaches_without};
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]

        /// Against the definition: `a` dominates `b` iff `b` cannot be reached without `a`.
        #[test]
        fn dominators_by_removing_vertices(random in RandomGraph::strategy(14)) {
            let (graph, root) = (random.graph(), random.root());
            let tree = DominatorTree::new(&graph, root);
            for b in graph.vertices() {
                prop_assert_eq!(tree.contains(b), reaches(&graph, root, b));
                let mut strict = vec![];
                for a in graph.vertices() {
                    let expected = tree.contains(b) && !reaches_without(&graph, root, b, a);
                    prop_assert_eq!(tree.dominates(a, b), expected, "{} dominates {}", a, b);
                    if tree.strictly_dominates(a, b) { strict.push(a); }
                }
                let immediate = strict.iter().copied()
                    .find(|&a| strict.iter().all(|&other| tree.dominates(other, a)));
                prop_assert_eq!(tree.immediate_dominator(b), immediate);
                prop_assert_eq!(tree.depth(b) as usize, strict.len());
            }
        }

        #[test]
        fn post_dominators_by_removing_vertices(random in RandomGraph::strategy(12)) {
            let cfg = ControlFlowGraph::from_graph(random.graph(), random.root());
            let post = PostDominators::new(&cfg);
            let to_exit = |from, without| cfg.exits()
                .any(|exit| reaches_without(cfg.graph(), from, exit, without));
            let nothing = post.exit();
            for &b in cfg.reverse_postorder() {
                for &a in cfg.reverse_postorder() {
                    let expected = to_exit(b, nothing) && !to_exit(b, a);
                    prop_assert_eq!(post.post_dominates(a, b), expected, "{} over {}", a, b);
                }
            }
        }

        #[test]
        fn common_dominators(random in RandomGraph::strategy(12)) {
            let graph = random.graph();
            let tree = DominatorTree::new(&graph, random.root());
            for &a in tree.preorder() {
                for &b in tree.preorder() {
                    let deepest = tree.preorder().iter().copied()
                        .filter(|&d| tree.dominates(d, a) && tree.dominates(d, b))
                        .max_by_key(|&d| tree.depth(d));
                    prop_assert_eq!(tree.nearest_common_dominator(a, b), deepest);
                }
            }
        }
    }

    #[test]
    fn an_endless_loop_has_no_post_dominator() {
        let b = BlockId::new;
        let graph = Digraph::new(3, &[(b(0), b(1)), (b(1), b(1)), (b(0), b(2))]);
        let post = PostDominators::new(&ControlFlowGraph::from_graph(graph, b(0)));
        assert!(!post.post_dominates(b(1), b(1)));
        assert_eq!(post.immediate_post_dominator(b(0)), Some(b(2)));
        assert_eq!(post.immediate_post_dominator(b(2)), None);
    }

    #[test]
    fn a_ladder_of_two_hundred_thousand_blocks() {
        let count = 200_000;
        let b = BlockId::new;
        let mut edges: Vec<_> = (1..count).map(|i| (b(i - 1), b(i))).collect();
        edges.extend((2..count).map(|i| (b(i - 2), b(i))));
        let tree = DominatorTree::new(&Digraph::new(count, &edges), b(0));
        assert_eq!(tree.immediate_dominator(b(count - 1)), Some(b(0)));
    }
}
