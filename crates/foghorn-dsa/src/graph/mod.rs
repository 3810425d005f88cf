//! Points-to graphs.
//!
//! A node stands for a set of objects (or parts of objects) that the analysis does not tell
//! apart. A [`Cell`] is a node and an offset in bytes; offsets are relative to the node's own
//! origin, which need not be the start of an object, and may be negative (`container_of`). The
//! accessed bytes of a node are its [`Field`]s: ranges that never overlap, because overlapping
//! accesses merge. A field links to the cell that pointers stored in it point to.
//!
//! Shapes of nodes, from precise to coarse: a structure (`stride` 0); an array, whose offsets
//! count modulo the stride; a collapsed node, which is one field. Unification ([`unify`]) only
//! ever goes in that direction, so that every iteration over graphs ends.
//!
//! What an integer may hold is content like a pointer's, with one difference: integers computed
//! from pointers in ways that lose the offset (masks, differences, single bytes) are *derived*
//! ([`Node::derived`]); they unify with what they derive from only once something uses them as a
//! pointer. A length `end - begin` so merges nothing.
//!
//! Cells and offset-aware unification are those of section 4 of the finite-maps paper; array
//! nodes and collapse those of SeaDSA (section 4.2.7 of the SeaHorn survey).

mod access;
pub mod copy;
pub(crate) mod cycles;
pub mod import;
mod learn;
pub mod node;
pub mod sorted;
pub mod unify;

pub use node::{AccessKind, AccessSet, Extent, Field, Flags, Node, Site};

use crate::options::Sabotage;
use cranelift_entity::{EntityRef, PrimaryMap, entity_impl};
use foghorn_core::SpanId;
use foghorn_ir::{FunctionId, GlobalId};
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};

/// A node of a [`Graph`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(u32);
entity_impl!(NodeId, "n");

/// A place in a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cell {
    pub node: NodeId,
    pub offset: i64,
}

impl Cell {
    pub fn new(node: NodeId, offset: i64) -> Self {
        Cell { node, offset }
    }

    /// The cell `bytes` further on.
    #[must_use]
    pub fn plus(self, bytes: i64) -> Self {
        Cell::new(self.node, self.offset.wrapping_add(bytes))
    }
}

/// Why a node was collapsed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CollapseReason {
    /// An access or a copy that does not fit between two multiples of the array's stride.
    CrossesStride,
    /// A pointer computed from an integer whose offset is not known.
    IntegerArithmetic,
    /// A copy from or to a collapsed node.
    CopyOfCollapsed,
    /// More fields than [`unify::MOST_FIELDS`].
    TooManyFields,
    /// Unified with a collapsed node, or a callee's or caller's view of one.
    Inherited,
    /// Its address was asked for, and integers may point anywhere into it.
    Exposed,
    /// The mode has one region for everything.
    Flat,
}

impl CollapseReason {
    pub fn name(self) -> &'static str {
        match self {
            CollapseReason::CrossesStride => "crosses-stride",
            CollapseReason::IntegerArithmetic => "integer-arithmetic",
            CollapseReason::CopyOfCollapsed => "copy-of-collapsed",
            CollapseReason::TooManyFields => "too-many-fields",
            CollapseReason::Inherited => "inherited",
            CollapseReason::Exposed => "exposed",
            CollapseReason::Flat => "flat",
        }
    }
}

/// A collapse, for the statistics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Collapse {
    pub node: NodeId,
    pub reason: CollapseReason,
    /// The instruction at which it happened.
    pub span: SpanId,
}

/// The points-to graph of a set of mutually recursive functions.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    pub nodes: PrimaryMap<NodeId, Node>,
    pub globals: BTreeMap<GlobalId, Cell>,
    pub functions: BTreeMap<FunctionId, Cell>,
    /// Globals that say what code outside the program knows, where it changes all that they reach
    /// ([`learn`]).
    pub outside: BTreeSet<GlobalId>,
    /// All objects whose addresses were asked for, once they are one ([`crate::exposure`]).
    pub exposed: Option<Cell>,
    /// Copies of memory, whose two sides must have equal fields ([`copy`]).
    pub copies: Vec<copy::Copy>,
    /// Ranges whose every byte goes to or comes from outside ([`Graph::fill_gaps`]).
    pub covers: Vec<(Cell, i64)>,
    pub collapses: Vec<Collapse>,
    /// Grows with every change that a caller or callee could notice.
    pub version: u64,
    /// Grows when callers told something new.
    pub outer_version: u64,
    /// What is being processed, to be named as the cause of a collapse.
    pub span: SpanId,
    pub pointer_bytes: u32,
    /// Globals whose initialisers were not read yet.
    pub uninitialised: Vec<GlobalId>,
    pub(crate) sabotage: Option<Sabotage>,
    flat: bool,
    known_copies: FxHashSet<copy::Copy>,
    /// What each copy was last applied to, if it then changed nothing.
    applied: Vec<Option<copy::Applied>>,
    /// How many copies there were when equal ones were last forgotten.
    distinct_copies: usize,
    pending: Vec<unify::Work>,
}

impl Graph {
    pub fn new(pointer_bytes: u32) -> Self {
        Graph {
            pointer_bytes,
            ..Graph::default()
        }
    }

    /// Has one collapsed node for everything from here on.
    pub fn make_flat(&mut self) {
        let cell = self.fresh();
        self.collapse(cell, CollapseReason::Flat);
        self.flat = true;
    }

    /// A new empty node.
    pub fn fresh(&mut self) -> Cell {
        if self.flat {
            return Cell::new(NodeId::new(0), 0);
        }
        Cell::new(self.nodes.push(Node::default()), 0)
    }

    /// The representative of a cell, its offset brought into the node's shape.
    pub fn find(&mut self, cell: Cell) -> Cell {
        let Cell { node, mut offset } = cell;
        // Path compression in two passes: first the root with the whole displacement …
        let (mut root, mut delta) = (node, 0_i64);
        while let Some((parent, step)) = self.nodes[root].parent {
            root = parent;
            delta = delta.wrapping_add(step);
        }
        // … then every node on the way points to it.
        let (mut at, mut left) = (node, delta);
        while let Some((parent, step)) = self.nodes[at].parent {
            self.nodes[at].parent = Some((root, left));
            left = left.wrapping_sub(step);
            at = parent;
        }
        offset = offset.wrapping_add(delta);
        Cell::new(root, self.nodes[root].normalise(offset))
    }

    /// As [`Graph::find`], without compression.
    pub fn lookup(&self, cell: Cell) -> Cell {
        let Cell {
            mut node,
            mut offset,
        } = cell;
        while let Some((parent, step)) = self.nodes[node].parent {
            node = parent;
            offset = offset.wrapping_add(step);
        }
        Cell::new(node, self.nodes[node].normalise(offset))
    }

    /// The representative nodes.
    pub fn representatives(&self) -> impl Iterator<Item = (NodeId, &Node)> {
        self.nodes.iter().filter(|(_, node)| node.parent.is_none())
    }

    /// A number that grows with every change at all.
    pub fn both_versions(&self) -> u64 {
        self.version + self.outer_version
    }

    /// The cell of a global's first byte.
    pub fn global(&mut self, global: GlobalId) -> Cell {
        if let Some(&cell) = self.globals.get(&global) {
            return cell;
        }
        let cell = self.fresh();
        let node = &mut self.nodes[cell.node];
        node.flags |= Flags::GLOBAL | Flags::USED_AS_POINTER;
        node.sites.insert(Site::Global(global));
        self.globals.insert(global, cell);
        self.uninitialised.push(global);
        self.version += 1;
        cell
    }

    /// The cell of a function's address.
    pub fn function(&mut self, function: FunctionId) -> Cell {
        if let Some(&cell) = self.functions.get(&function) {
            return cell;
        }
        let cell = self.fresh();
        let node = &mut self.nodes[cell.node];
        node.flags |= Flags::FUNCTION | Flags::USED_AS_POINTER;
        node.functions.insert(function);
        self.functions.insert(function, cell);
        cell
    }

    /// The cell of all exposed objects.
    pub fn exposed(&mut self) -> Cell {
        if let Some(cell) = self.exposed {
            return cell;
        }
        let cell = self.fresh();
        self.add_flags(cell, Flags::USED_AS_POINTER);
        self.exposed = Some(cell);
        cell
    }

    pub fn add_flags(&mut self, cell: Cell, flags: Flags) {
        let root = self.find(cell).node;
        let node = &mut self.nodes[root];
        if !node.flags.contains(flags) {
            node.flags |= flags;
            self.version += 1;
            if flags.contains(Flags::USED_AS_POINTER) {
                self.activate(root);
            }
        }
    }

    /// Notes that bytes of a range from `cell` on are accessed together with others.
    pub fn add_bulk(&mut self, cell: Cell, extent: Extent) {
        self.add_flags(cell, Flags::BULK);
        let cell = self.find(cell);
        let node = &mut self.nodes[cell.node];
        let extent = extent.moved(cell.offset).within(node.stride);
        let hull = node.bulk.map_or(extent, |known| known.hull(extent));
        if node.bulk != Some(hull) {
            node.bulk = Some(hull);
            self.version += 1;
        }
    }

    pub fn add_site(&mut self, cell: Cell, site: Site) {
        let root = self.find(cell).node;
        if self.nodes[root].sites.insert(site) {
            self.version += 1;
        }
    }
}
