//! Linear decision diagrams over bounds: boolean combinations of `x ≤ c`, hash-consed.
//!
//! Chaki, Gurfinkel and Strichman, *Decision Diagrams for Linear Arithmetic* (FMCAD 2009), order
//! the tests of a diagram by variable and then by constant. For tests `x ≤ c` the tests of one
//! variable then form a chain, which is kept here as one node with several cells: the node of `x`
//! with cuts `c₁ < … < cₙ` has a child for each of `(−∞, c₁]`, `(c₁, c₂]`, …, `(cₙ, +∞)`. No BDD
//! library serves, because the constants of the tests are not known beforehand.
//!
//! Invariants: variables ascend from the root; neighbouring children differ; equal nodes are one
//! node. So equality of sets is equality of [`NodeId`]s, and every node but [`FALSE`] is satisfiable.
//!
//! Recursion is as deep as there are variables on a path, which the size limit of the domain on top
//! bounds.

use std::rc::Rc;

use cranelift_entity::{PrimaryMap, entity_impl};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::{SmallVec, smallvec};

use crate::number::Number;
use crate::value::AbstractValue as _;
use crate::value::interval::{Bound, Interval};
use crate::variable::VariableId;

/// A node of a [`Diagrams`] table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(u32);
entity_impl!(NodeId, "node");

/// The empty set.
pub const FALSE: NodeId = NodeId(0);
/// All states.
pub const TRUE: NodeId = NodeId(1);

/// Most nodes have few cells, so that they are made without an allocation.
type Cuts = SmallVec<[Number; 3]>;
type Children = SmallVec<[NodeId; 4]>;

#[derive(PartialEq, Eq, Hash, Debug)]
struct Node {
    variable: VariableId,
    cuts: Cuts,
    children: Children,
}

impl Node {
    /// The least interval of the values that do not lead to [`FALSE`].
    fn range(&self) -> Interval {
        let first = self.children.iter().position(|child| *child != FALSE);
        let last = self.children.iter().rposition(|child| *child != FALSE);
        let (Some(first), Some(last)) = (first, last) else {
            return Interval::bottom();
        };
        let lower = first.checked_sub(1).map_or(Bound::MinusInfinity, |below| {
            Bound::Finite(&self.cuts[below] + &Number::ONE)
        });
        let upper = self.cuts.get(last);
        let upper = upper.map_or(Bound::PlusInfinity, |cut| Bound::Finite(cut.clone()));
        Interval::new(lower, upper)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Operation {
    And,
    Or,
}

/// One cell of a node: the values of its variable that lead to a child.
#[derive(Clone, Debug)]
pub struct Cell {
    pub values: Interval,
    pub child: NodeId,
}

/// A table of nodes, shared by the states of one analysis.
#[derive(Debug)]
pub struct Diagrams {
    nodes: PrimaryMap<NodeId, Option<Rc<Node>>>,
    unique: FxHashMap<Rc<Node>, NodeId>,
    cache: FxHashMap<(Operation, NodeId, NodeId), NodeId>,
    quantified: FxHashMap<(NodeId, VariableId), NodeId>,
    /// How many elements stand at a node.
    roots: FxHashMap<NodeId, usize>,
    free: Vec<NodeId>,
    /// The number of nodes in use at which garbage is next collected.
    collect_at: usize,
}

/// Makes a node from a variable, its cuts and its rebuilt children.
type Rebuilder<'a> = dyn FnMut(&mut Diagrams, VariableId, &[Number], Children) -> NodeId + 'a;

/// The fewest nodes for which garbage is worth collecting.
const SMALLEST_COLLECTION: usize = 1 << 14;

/// The results of operations are remembered until there are this many.
const CACHE_LIMIT: usize = 1 << 18;

impl Default for Diagrams {
    fn default() -> Self {
        let mut nodes = PrimaryMap::new();
        nodes.push(None);
        nodes.push(None);
        Self {
            nodes,
            unique: FxHashMap::default(),
            cache: FxHashMap::default(),
            quantified: FxHashMap::default(),
            roots: FxHashMap::default(),
            free: Vec::new(),
            collect_at: SMALLEST_COLLECTION,
        }
    }
}

impl Diagrams {
    fn node(&self, id: NodeId) -> Option<&Node> {
        self.nodes[id].as_deref()
    }

    /// An inner node, to be looked at while others are made.
    fn inner(&self, id: NodeId) -> Rc<Node> {
        let node = self.nodes[id].as_ref();
        node.expect("invariant: only inner nodes are asked for")
            .clone()
    }

    /// The variable tested at a node; `None` at the leaves.
    #[must_use]
    pub fn variable(&self, id: NodeId) -> Option<VariableId> {
        self.node(id).map(|node| node.variable)
    }

    /// The cells of a node, ascending; none at the leaves.
    #[must_use]
    pub fn cells(&self, id: NodeId) -> Vec<Cell> {
        let Some(node) = self.node(id) else {
            return Vec::new();
        };
        let mut lower = Bound::MinusInfinity;
        let mut cells = Vec::with_capacity(node.children.len());
        for (index, &child) in node.children.iter().enumerate() {
            let cut = node.cuts.get(index);
            let upper = cut.map_or(Bound::PlusInfinity, |cut| Bound::Finite(cut.clone()));
            cells.push(Cell {
                values: Interval::new(lower, upper),
                child,
            });
            lower = cut.map_or(Bound::PlusInfinity, |cut| Bound::Finite(cut + &Number::ONE));
        }
        cells
    }

    /// The node with these cells, which must ascend and cover ℤ.
    fn make(&mut self, variable: VariableId, cuts: &[Number], children: &[NodeId]) -> NodeId {
        let mut node = Node {
            variable,
            cuts: Cuts::new(),
            children: Children::new(),
        };
        for (index, &child) in children.iter().enumerate() {
            if node.children.last() == Some(&child) {
                node.cuts.pop();
            } else {
                node.children.push(child);
            }
            node.cuts.extend(cuts.get(index).cloned());
        }
        if node.cuts.is_empty() {
            return node.children[0];
        }
        if let Some(&known) = self.unique.get(&node) {
            return known;
        }
        let node = Rc::new(node);
        let id = match self.free.pop() {
            Some(id) => {
                self.nodes[id] = Some(node.clone());
                id
            }
            None => self.nodes.push(Some(node.clone())),
        };
        self.unique.insert(node, id);
        id
    }

    /// Keeps a node, and what it reaches, until it is released as often as it was retained.
    pub fn retain(&mut self, id: NodeId) {
        *self.roots.entry(id).or_insert(0) += 1;
    }

    pub fn release(&mut self, id: NodeId) {
        if let Some(count) = self.roots.get_mut(&id) {
            *count -= 1;
            if *count == 0 {
                self.roots.remove(&id);
            }
        }
    }

    /// Frees the nodes that no retained one reaches, when there are many nodes. Only to be called
    /// between operations: an unretained result of one would be lost.
    pub fn collect_garbage(&mut self) {
        if self.unique.len() < self.collect_at {
            return;
        }
        let mut live = FxHashSet::default();
        let mut stack: Vec<NodeId> = self.roots.keys().copied().collect();
        while let Some(next) = stack.pop() {
            if let Some(node) = self.node(next)
                && live.insert(next)
            {
                stack.extend(&node.children);
            }
        }
        let (nodes, free) = (&mut self.nodes, &mut self.free);
        self.unique.retain(|_, id| {
            let keep = live.contains(id);
            if !keep {
                nodes[*id] = None;
                free.push(*id);
            }
            keep
        });
        // Hash order decides which number is reused next; only the order of numbers depends on it.
        self.free.sort_unstable_by(|a, b| b.cmp(a));
        self.cache.clear();
        self.quantified.clear();
        self.collect_at = SMALLEST_COLLECTION.max(2 * self.unique.len());
    }

    /// The states where the variable lies in an interval.
    pub fn interval(&mut self, variable: VariableId, interval: &Interval) -> NodeId {
        if interval.is_bottom() {
            return FALSE;
        }
        let (mut cuts, mut children) = (Cuts::new(), Children::new());
        if let Bound::Finite(lower) = interval.lower() {
            cuts.push(lower - &Number::ONE);
            children.push(FALSE);
        }
        children.push(TRUE);
        if let Bound::Finite(upper) = interval.upper() {
            cuts.push(upper.clone());
            children.push(FALSE);
        }
        self.make(variable, &cuts, &children)
    }

    /// The states where the variable differs from a value.
    pub fn different(&mut self, variable: VariableId, value: &Number) -> NodeId {
        let cuts = [value - &Number::ONE, value.clone()];
        self.make(variable, &cuts, &[TRUE, FALSE, TRUE])
    }

    pub fn and(&mut self, left: NodeId, right: NodeId) -> NodeId {
        self.combine(Operation::And, left, right)
    }

    pub fn or(&mut self, left: NodeId, right: NodeId) -> NodeId {
        self.combine(Operation::Or, left, right)
    }

    fn combine(&mut self, operation: Operation, left: NodeId, right: NodeId) -> NodeId {
        let (neutral, absorbing) = match operation {
            Operation::And => (TRUE, FALSE),
            Operation::Or => (FALSE, TRUE),
        };
        if left == right || right == neutral || left == absorbing {
            return left;
        }
        if left == neutral || right == absorbing {
            return right;
        }
        let key = (operation, left.min(right), left.max(right));
        if let Some(&known) = self.cache.get(&key) {
            return known;
        }
        let (first, second) = (self.inner(left), self.inner(right));
        let variable = first.variable.min(second.variable);
        let (no_cuts, whole_left, whole_right) = (Cuts::new(), smallvec![left], smallvec![right]);
        let cells = |node: &'_ Rc<Node>| node.variable == variable;
        let (first_cuts, first_children) = if cells(&first) {
            (&first.cuts, &first.children)
        } else {
            (&no_cuts, &whole_left)
        };
        let (second_cuts, second_children) = if cells(&second) {
            (&second.cuts, &second.children)
        } else {
            (&no_cuts, &whole_right)
        };
        let (mut cuts, mut children) = (Cuts::new(), Children::new());
        let (mut i, mut j) = (0, 0);
        loop {
            children.push(self.combine(operation, first_children[i], second_children[j]));
            let next = match (first_cuts.get(i), second_cuts.get(j)) {
                (None, None) => break,
                (Some(x), None) => x.clone(),
                (None, Some(y)) => y.clone(),
                (Some(x), Some(y)) => x.min(y).clone(),
            };
            i += usize::from(first_cuts.get(i) == Some(&next));
            j += usize::from(second_cuts.get(j) == Some(&next));
            cuts.push(next);
        }
        let result = self.make(variable, &cuts, &children);
        if self.cache.len() >= CACHE_LIMIT {
            self.cache.clear();
        }
        self.cache.insert(key, result);
        result
    }

    /// Rebuilds a diagram bottom-up: `each` gets a variable, its cuts and its rebuilt children.
    fn rebuild(
        &mut self,
        id: NodeId,
        memo: &mut FxHashMap<NodeId, NodeId>,
        each: &mut Rebuilder<'_>,
    ) -> NodeId {
        let Some(variable) = self.variable(id) else {
            return id;
        };
        if let Some(&known) = memo.get(&id) {
            return known;
        }
        let node = self.inner(id);
        let rebuilt: Children = node
            .children
            .iter()
            .map(|child| self.rebuild(*child, memo, each))
            .collect();
        let result = each(self, variable, &node.cuts, rebuilt);
        memo.insert(id, result);
        result
    }

    /// Existential quantification.
    pub fn exists(&mut self, id: NodeId, variable: VariableId) -> NodeId {
        match self.node(id) {
            None => return id,
            Some(node) if node.variable > variable => return id,
            Some(_) => {}
        }
        if let Some(&known) = self.quantified.get(&(id, variable)) {
            return known;
        }
        let node = self.inner(id);
        let result = if node.variable == variable {
            node.children
                .iter()
                .fold(FALSE, |all, child| self.or(all, *child))
        } else {
            let rebuilt: Children = node
                .children
                .iter()
                .map(|child| self.exists(*child, variable))
                .collect();
            self.make(node.variable, &node.cuts, &rebuilt)
        };
        if self.quantified.len() >= CACHE_LIMIT {
            self.quantified.clear();
        }
        self.quantified.insert((id, variable), result);
        result
    }

    /// Renames variables. The order of tests may change, so the result is put together anew.
    pub fn rename(&mut self, id: NodeId, renaming: &dyn Fn(VariableId) -> VariableId) -> NodeId {
        self.rebuild(
            id,
            &mut FxHashMap::default(),
            &mut |diagrams, x, cuts, children| {
                let scaffold = diagrams.make(x, cuts, &children);
                let Some(_) = diagrams.variable(scaffold).filter(|top| *top == x) else {
                    return scaffold;
                };
                let cells = diagrams.cells(scaffold);
                cells.into_iter().fold(FALSE, |all, cell| {
                    let guard = diagrams.interval(renaming(x), &cell.values);
                    let part = diagrams.and(guard, cell.child);
                    diagrams.or(all, part)
                })
            },
        )
    }

    /// The image under variable := factor · variable + constant, where the factor is 1 or −1.
    pub fn shift(
        &mut self,
        id: NodeId,
        variable: VariableId,
        negate: bool,
        constant: &Number,
    ) -> NodeId {
        self.rebuild(
            id,
            &mut FxHashMap::default(),
            &mut |diagrams, x, cuts, mut children| {
                if x != variable {
                    return diagrams.make(x, cuts, &children);
                }
                if negate {
                    // x ≤ k becomes x' ≥ c − k, the opposite of x' ≤ c − k − 1.
                    children.reverse();
                    let moved = cuts
                        .iter()
                        .rev()
                        .map(|cut| &(constant - cut) - &Number::ONE);
                    return diagrams.make(x, &moved.collect::<Vec<_>>(), &children);
                }
                diagrams.make(
                    x,
                    &cuts.iter().map(|cut| cut + constant).collect::<Vec<_>>(),
                    &children,
                )
            },
        )
    }

    /// The least union of cells of a grid that includes the diagram: each test that is not among
    /// `allowed` is removed by joining what it separates.
    pub fn round(&mut self, id: NodeId, allowed: &dyn Fn(VariableId) -> Vec<Number>) -> NodeId {
        self.rebuild(
            id,
            &mut FxHashMap::default(),
            &mut |diagrams, x, cuts, children| {
                let grid = allowed(x);
                let (mut kept, mut merged) = (Vec::new(), Vec::new());
                let mut current = FALSE;
                // A child belongs to every grid cell its own cell meets.
                let mut grid_at = 0;
                for (index, child) in children.iter().enumerate() {
                    current = diagrams.or(current, *child);
                    let cut = cuts.get(index);
                    while let Some(line) = grid.get(grid_at) {
                        if cut.is_some_and(|cut| line > cut) {
                            break;
                        }
                        kept.push(line.clone());
                        merged.push(current);
                        grid_at += 1;
                        let ends_here = cut == Some(line);
                        current = if ends_here { FALSE } else { *child };
                    }
                }
                merged.push(current);
                diagrams.make(x, &kept, &merged)
            },
        )
    }

    /// Whether a diagram has more nodes than `limit`.
    #[must_use]
    pub fn exceeds(&self, id: NodeId, limit: usize) -> bool {
        let mut seen = FxHashSet::default();
        let mut stack = vec![id];
        while let Some(next) = stack.pop() {
            let Some(node) = self.node(next) else {
                continue;
            };
            if seen.insert(next) {
                if seen.len() > limit {
                    return true;
                }
                stack.extend(&node.children);
            }
        }
        false
    }

    /// Every node below and including `id` but the leaves, each once, parents first.
    #[must_use]
    pub fn reachable(&self, id: NodeId) -> Vec<NodeId> {
        let mut seen = FxHashSet::default();
        let (mut stack, mut found) = (vec![id], Vec::new());
        while let Some(next) = stack.pop() {
            let Some(node) = self.node(next) else {
                continue;
            };
            if seen.insert(next) {
                found.push(next);
                stack.extend(node.children.iter().rev());
            }
        }
        found
    }

    /// An interval that contains every value the variable takes in the set.
    #[must_use]
    pub fn bounds(&self, id: NodeId, variable: VariableId) -> Interval {
        if id == FALSE {
            return Interval::bottom();
        }
        let mut hull = Interval::bottom();
        let mut seen = FxHashSet::default();
        let mut stack = vec![id];
        while let Some(next) = stack.pop() {
            if next == FALSE || !seen.insert(next) {
                continue;
            }
            match self.node(next) {
                Some(node) if node.variable < variable => stack.extend(&node.children),
                Some(node) if node.variable == variable => hull = hull.join(&node.range()),
                Some(_) | None => return Interval::top(),
            }
        }
        hull
    }

    /// Every cut of every variable in the diagram, ascending.
    #[must_use]
    pub fn cuts(&self, id: NodeId) -> FxHashMap<VariableId, Vec<Number>> {
        let mut all: FxHashMap<VariableId, Vec<Number>> = FxHashMap::default();
        for id in self.reachable(id) {
            if let Some(node) = self.node(id) {
                all.entry(node.variable)
                    .or_default()
                    .extend(node.cuts.iter().cloned());
            }
        }
        for cuts in all.values_mut() {
            cuts.sort_unstable();
            cuts.dedup();
        }
        all
    }

    /// The boxes of the set, up to a limit: conjunctions of intervals whose union it is.
    #[must_use]
    pub fn boxes(&self, id: NodeId, limit: usize) -> Vec<Vec<(VariableId, Interval)>> {
        let mut found = Vec::new();
        let mut stack = vec![(id, Vec::new())];
        while let Some((next, path)) = stack.pop() {
            if next == TRUE {
                found.push(path);
                if found.len() > limit {
                    break;
                }
                continue;
            }
            let Some(variable) = self.variable(next) else {
                continue;
            };
            for cell in self.cells(next).into_iter().rev() {
                let mut longer = path.clone();
                longer.push((variable, cell.values));
                stack.push((cell.child, longer));
            }
        }
        found
    }
}
