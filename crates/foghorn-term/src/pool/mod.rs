//! The hash-consed pool: every term exists once, so equality of terms is equality of `TermId`s.
//!
//! Layout, chosen for size (well under 96 bytes per node with the table) and locality: nodes of 24 bytes in one vector,
//! children of all nodes in one arena in node order (so a node's children end where the next node's begin), and a hash
//! table of node indices that keeps terms made together together (`table.rs`). Nothing is boxed per term and dropping a pool frees a handful of vectors, whatever the
//! depth of its terms.
//!
//! Invariants: children have smaller ids than their parent; a node's sort is the one `infer` computes; terms are never
//! changed nor removed. A consequence used throughout: a term cannot contain a term younger than itself.

mod declare;
mod infer;
mod table;
mod walk;

pub use declare::{Constant, DeclarationError, Symbol};
pub use infer::SortError;
pub use walk::PostOrder;

use crate::op::{BoundId, Op};
use crate::sort::{Sort, SortId, SortTable};
use cranelift_entity::{EntityRef, entity_impl};
use declare::Declarations;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};
use table::HashIndex;

/// A term of one pool.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TermId(u32);
entity_impl!(TermId, "t");

/// Which λ-bound variables occur free in a term: an over-approximation that is exact for terms under one λ.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Loose {
    /// The term is closed.
    None,
    /// Only this variable.
    One(BoundId),
    /// Possibly several.
    Many,
}

/// `Loose` in four bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
struct PackedLoose(u32);

impl PackedLoose {
    const NONE: Self = PackedLoose(u32::MAX);
    const MANY: Self = PackedLoose(u32::MAX - 1);

    fn one(bound: BoundId) -> Self {
        PackedLoose(bound.as_u32())
    }

    fn join(self, other: Self) -> Self {
        if self == Self::NONE || self == other {
            other
        } else if other == Self::NONE {
            self
        } else {
            Self::MANY
        }
    }

    fn without(self, bound: BoundId) -> Self {
        if self == Self::one(bound) {
            Self::NONE
        } else {
            self
        }
    }
}

#[derive(Clone, Copy)]
struct Node {
    op: Op,
    sort: SortId,
    /// Index of the first child in the arena.
    children: u32,
    loose: PackedLoose,
}

/// Owner of terms, sorts and declarations.
#[derive(Clone)]
pub struct TermPool {
    nodes: Vec<Node>,
    arena: Vec<TermId>,
    table: HashIndex,
    pub(crate) sorts: SortTable,
    pub(crate) declarations: Declarations,
    truth: [TermId; 2],
}

impl Default for TermPool {
    fn default() -> Self {
        Self::new()
    }
}

/// Grows by half instead of doubling, which bounds the slack of a large pool.
fn reserve_one<T>(vector: &mut Vec<T>, more: usize) {
    if vector.capacity() - vector.len() < more {
        vector.reserve_exact((vector.len() / 2).max(more).max(64));
    }
}

/// Each word is folded in by a widening multiplication, so that all bits of all words reach the result.
fn hash(op: Op, children: &[TermId]) -> u32 {
    const FACTOR: u128 = 0xd6e8_feb8_6659_fd93;
    let mut hasher = FxHasher::default();
    op.hash(&mut hasher);
    let folded = children.iter().fold(hasher.finish(), |state, child| {
        let product = u128::from(state ^ u64::from(child.as_u32())).wrapping_mul(FACTOR);
        product as u64 ^ (product >> 64) as u64
    });
    (folded >> 32) as u32
}

/// The number of the youngest child.
fn youngest(children: &[TermId]) -> Option<u32> {
    children.iter().map(|child| child.as_u32()).max()
}

fn children_of<'a>(nodes: &[Node], arena: &'a [TermId], index: usize) -> &'a [TermId] {
    let start = nodes[index].children as usize;
    let end = nodes
        .get(index + 1)
        .map_or(arena.len(), |next| next.children as usize);
    &arena[start..end]
}

impl TermPool {
    /// An empty pool, which holds `true` and `false` only.
    pub fn new() -> Self {
        let mut pool = TermPool {
            nodes: Vec::new(),
            arena: Vec::new(),
            table: HashIndex::new(),
            sorts: SortTable::default(),
            declarations: Declarations::default(),
            truth: [TermId(0); 2],
        };
        pool.truth = [pool.intern(Op::False, &[]), pool.intern(Op::True, &[])];
        pool
    }

    /// The term with this operator and these children, as they are: no normalisation.
    ///
    /// # Panics
    /// When the children do not fit the operator; see [`TermPool::try_intern`].
    pub fn intern(&mut self, op: Op, children: &[TermId]) -> TermId {
        match self.try_intern(op, children) {
            Ok(term) => term,
            Err(error) => panic!("invariant: terms are well-sorted: {error}"),
        }
    }

    /// The term with this operator and these children, or why there is none.
    pub fn try_intern(&mut self, op: Op, children: &[TermId]) -> Result<TermId, SortError> {
        let hash = hash(op, children);
        let (nodes, arena) = (&self.nodes, &self.arena);
        let same = |index: u32| {
            nodes[index as usize].op == op && children_of(nodes, arena, index as usize) == children
        };
        if let Some(found) = self.table.find(hash, youngest(children), same) {
            return Ok(TermId(found));
        }
        let sort = self.infer(op, children)?;
        Ok(self.insert(hash, op, children, sort))
    }

    fn insert(&mut self, hash: u32, op: Op, children: &[TermId], sort: SortId) -> TermId {
        let start = u32::try_from(self.arena.len()).expect("invariant: the arena fits 32 bits");
        let index = u32::try_from(self.nodes.len()).expect("invariant: the pool fits 32 bits");
        let loose = self.loose_of(op, children);
        reserve_one(&mut self.nodes, 1);
        reserve_one(&mut self.arena, children.len());
        self.arena.extend_from_slice(children);
        self.nodes.push(Node {
            op,
            sort,
            children: start,
            loose,
        });
        self.table.insert(hash, youngest(children), index);
        TermId(index)
    }

    fn loose_of(&self, op: Op, children: &[TermId]) -> PackedLoose {
        if let Op::Bound(bound) = op {
            return PackedLoose::one(bound);
        }
        let joined = children.iter().fold(PackedLoose::NONE, |joined, child| {
            joined.join(self.nodes[child.index()].loose)
        });
        if let Op::Lambda(bound) = op {
            joined.without(bound)
        } else {
            joined
        }
    }

    pub(crate) fn loose(&self, term: TermId) -> Loose {
        match self.nodes[term.index()].loose {
            PackedLoose::NONE => Loose::None,
            PackedLoose::MANY => Loose::Many,
            PackedLoose(bound) => Loose::One(BoundId::from_u32(bound)),
        }
    }

    /// Whether no λ-bound variable occurs free. Never true of an open term; may be false of a closed one with nested λs.
    pub fn is_closed(&self, term: TermId) -> bool {
        self.loose(term) == Loose::None
    }

    /// The operator of a term.
    #[inline]
    pub fn op(&self, term: TermId) -> Op {
        self.nodes[term.index()].op
    }

    /// The children of a term, in order.
    #[inline]
    pub fn children(&self, term: TermId) -> &[TermId] {
        children_of(&self.nodes, &self.arena, term.index())
    }

    /// The `index`-th child of a term.
    #[inline]
    pub fn child(&self, term: TermId, index: usize) -> TermId {
        self.children(term)[index]
    }

    /// The children of a term when there are exactly `N` of them.
    #[inline]
    pub fn child_array<const N: usize>(&self, term: TermId) -> Option<[TermId; N]> {
        self.children(term).try_into().ok()
    }

    /// The sort of a term, as an id.
    #[inline]
    pub fn sort_id(&self, term: TermId) -> SortId {
        self.nodes[term.index()].sort
    }

    /// The sort of a term.
    #[inline]
    pub fn sort(&self, term: TermId) -> Sort {
        self.sorts.get(self.sort_id(term))
    }

    /// The sort behind an id.
    pub fn sort_of(&self, id: SortId) -> Sort {
        self.sorts.get(id)
    }

    /// The id of a sort.
    pub fn sort_intern(&mut self, sort: Sort) -> SortId {
        self.sorts.intern(sort)
    }

    /// Bits of a bit-vector term.
    ///
    /// # Panics
    /// When the term is no bit-vector.
    pub fn width(&self, term: TermId) -> u32 {
        match self.sort(term) {
            Sort::BitVec(width) => width,
            other => panic!("invariant: {other:?} is a bit-vector sort"),
        }
    }

    /// Number of terms.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Never: a pool holds `true` and `false`.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Bytes that the pool has reserved: nodes, children, hash table, sorts and declarations.
    pub fn bytes(&self) -> usize {
        self.nodes.capacity() * std::mem::size_of::<Node>()
            + self.arena.capacity() * std::mem::size_of::<TermId>()
            + self.table.bytes()
            + self.sorts.bytes()
            + self.declarations.bytes()
    }

    pub(crate) fn truth(&self, value: bool) -> TermId {
        self.truth[usize::from(value)]
    }
}
