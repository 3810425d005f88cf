//! Nodes, their fields, and what is known of them.

use super::sorted::SortedSet;
use super::unify::gcd;
use super::{Cell, NodeId};
use foghorn_ir::{FunctionId, GlobalId, InstId, Type};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use std::collections::BTreeMap;

/// Where objects of a node come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Site {
    Global(GlobalId),
    /// An `Allocate`.
    Instruction(FunctionId, InstId),
    /// What the environment hands to the program: `main`'s arguments, results of external
    /// functions, and everything reachable from them.
    Environment,
}

/// Properties of a node, as a set of bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags(u16);

impl Flags {
    pub const HEAP: Flags = Flags(1);
    pub const STACK: Flags = Flags(1 << 1);
    pub const GLOBAL: Flags = Flags(1 << 2);
    pub const FUNCTION: Flags = Flags(1 << 3);
    /// Passed to or obtained from a function without a body.
    pub const EXTERNAL: Flags = Flags(1 << 4);
    /// Pointed to by a nondeterministic pointer.
    pub const UNKNOWN: Flags = Flags(1 << 5);
    pub const INT_TO_PTR: Flags = Flags(1 << 6);
    pub const PTR_TO_INT: Flags = Flags(1 << 7);
    /// Some value of pointer type points here, as opposed to integers only.
    pub const USED_AS_POINTER: Flags = Flags(1 << 8);
    /// Copied, filled or handed to a builtin in a range: all fields in it count.
    pub const BULK: Flags = Flags(1 << 9);
    pub const READ: Flags = Flags(1 << 10);
    pub const MODIFIED: Flags = Flags(1 << 11);
    pub const FREED: Flags = Flags(1 << 12);
    /// The address was asked for, as an integer or by an order of pointers.
    pub const EXPOSED: Flags = Flags(1 << 13);

    /// Names for pictures and JSON.
    pub const NAMES: &'static [(Flags, &'static str)] = &[
        (Flags::HEAP, "heap"),
        (Flags::STACK, "stack"),
        (Flags::GLOBAL, "global"),
        (Flags::FUNCTION, "function"),
        (Flags::EXTERNAL, "external"),
        (Flags::UNKNOWN, "unknown"),
        (Flags::INT_TO_PTR, "int-to-ptr"),
        (Flags::PTR_TO_INT, "ptr-to-int"),
        (Flags::BULK, "bulk"),
        (Flags::READ, "read"),
        (Flags::MODIFIED, "modified"),
        (Flags::FREED, "freed"),
        (Flags::EXPOSED, "exposed"),
    ];

    pub fn contains(self, other: Flags) -> bool {
        self.0 & other.0 == other.0
    }

    pub fn names(self) -> Vec<&'static str> {
        let all = Self::NAMES.iter();
        all.filter(|(flag, _)| self.contains(*flag))
            .map(|(_, name)| *name)
            .collect()
    }
}

impl std::ops::BitOr for Flags {
    type Output = Flags;
    fn bitor(self, other: Flags) -> Flags {
        Flags(self.0 | other.0)
    }
}

impl std::ops::BitOrAssign for Flags {
    fn bitor_assign(&mut self, other: Flags) {
        self.0 |= other.0;
    }
}

/// What one access reads or writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum AccessKind {
    Int {
        bytes: u8,
    },
    Float {
        bytes: u8,
    },
    Pointer,
    /// Bytes of no type: a range that only copies, fills and builtins touch.
    Raw,
}

impl AccessKind {
    pub fn of(ty: Type) -> Self {
        let bytes = u8::try_from(ty.store_size(8)).expect("invariant: at most 16 bytes");
        match ty {
            Type::Int(_) => AccessKind::Int { bytes },
            Type::Ptr => AccessKind::Pointer,
            Type::F32 | Type::F64 => AccessKind::Float { bytes },
            Type::Memory(_) => AccessKind::Raw,
        }
    }
}

/// The types seen at a field, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AccessSet(SmallVec<[AccessKind; 2]>);

impl AccessSet {
    /// Whether the kind was not in the set before.
    pub fn insert(&mut self, kind: AccessKind) -> bool {
        match self.0.binary_search(&kind) {
            Ok(_) => false,
            Err(place) => {
                self.0.insert(place, kind);
                true
            }
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = AccessKind> + '_ {
        self.0.iter().copied()
    }
}

/// A range of bytes that are accessed together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Field {
    pub length: i64,
    /// Where pointers stored here point to.
    pub link: Option<Cell>,
    pub accesses: AccessSet,
}

/// A range of offsets. The least and the greatest number stand for no bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    pub from: i64,
    pub to: i64,
}

impl Extent {
    pub const ALL: Extent = Extent {
        from: i64::MIN,
        to: i64::MAX,
    };

    /// So many bytes from an offset on; without a length all that follow.
    pub fn at(from: i64, length: Option<i64>) -> Self {
        let to = length.map_or(i64::MAX, |length| from.saturating_add(length));
        Extent { from, to }
    }

    pub fn length(self) -> i64 {
        self.to.saturating_sub(self.from)
    }

    /// The same range seen from an origin that is `distance` bytes before.
    #[must_use]
    pub fn moved(self, distance: i64) -> Self {
        let moved = |bound: i64| match bound {
            i64::MIN | i64::MAX => bound,
            _ => bound.saturating_add(distance),
        };
        Extent {
            from: moved(self.from),
            to: moved(self.to),
        }
    }

    /// The least range around two.
    #[must_use]
    pub fn hull(self, other: Self) -> Self {
        Extent {
            from: self.from.min(other.from),
            to: self.to.max(other.to),
        }
    }

    /// The range in an array: within one element, or everywhere.
    #[must_use]
    pub fn within(self, stride: i64) -> Self {
        if stride == 0 {
            return self;
        }
        let from = self.from.rem_euclid(stride);
        if self.length() <= stride - from {
            Extent::at(from, Some(self.length()))
        } else {
            Extent::ALL
        }
    }
}

/// The length of the only field of a collapsed node.
pub const WHOLE: i64 = i64::MAX;

/// See the [module doc](super).
#[derive(Clone, Debug, Default)]
pub struct Node {
    /// `(p, d)`: offset `x` here is offset `x + d` there.
    pub parent: Option<(NodeId, i64)>,
    /// 0 for a structure, else offsets count modulo this.
    pub stride: i64,
    pub collapsed: bool,
    pub flags: Flags,
    /// By start. Ranges do not overlap; an array's lie within `0..stride`.
    pub fields: BTreeMap<i64, Field>,
    /// Bytes of which some are copied, filled or handed to a builtin in a range.
    pub bulk: Option<Extent>,
    /// Nodes from which integers in this node's place are computed, at no known offset. Some may
    /// have been merged since.
    pub derived: SortedSet<NodeId>,
    /// The graph's version at the last change of the shape, the fields or a link.
    pub changed: u64,
    pub sites: SortedSet<Site>,
    pub functions: SortedSet<FunctionId>,
    /// What callers told of the objects' shape: pointers to this node may be multiples of this many
    /// bytes apart in one object; 0 if they are not. Like the two that follow, it never goes back
    /// to callers.
    pub outer_stride: i64,
    /// Sites and functions that callers told of. They never go back to callers: another caller's
    /// objects are no business of this one.
    pub outer_sites: SortedSet<Site>,
    pub outer_functions: SortedSet<FunctionId>,
}

impl Node {
    /// All allocation sites, in order.
    pub fn all_sites(&self) -> SortedSet<Site> {
        self.sites.with(&self.outer_sites)
    }

    /// Pointers to the same offset of this node may be multiples of this many bytes apart in one
    /// object; 0 if an object lies at one place of the node.
    pub fn distance(&self) -> i64 {
        if self.collapsed {
            1
        } else {
            gcd(self.stride, self.outer_stride)
        }
    }

    /// The first of all allocation sites.
    pub fn first_site(&self) -> Option<Site> {
        let firsts = [self.sites.first(), self.outer_sites.first()];
        firsts.into_iter().flatten().min().copied()
    }

    /// All functions, in order.
    pub fn all_functions(&self) -> SortedSet<FunctionId> {
        self.functions.with(&self.outer_functions)
    }

    /// Whether nothing would be lost without the node: an integer that is no pointer and that is
    /// at most computed from others.
    pub fn is_boring(&self) -> bool {
        self.fields.is_empty()
            && self.sites.is_empty()
            && self.functions.is_empty()
            && !self.flags.contains(Flags::USED_AS_POINTER)
    }

    /// An offset brought into the node's shape.
    pub fn normalise(&self, offset: i64) -> i64 {
        if self.collapsed {
            0
        } else if self.stride > 0 {
            offset.rem_euclid(self.stride)
        } else {
            offset
        }
    }

    /// The start of the field that contains a normalised offset.
    pub fn field_at(&self, offset: i64) -> Option<i64> {
        let (&start, field) = self.fields.range(..=offset).next_back()?;
        (field.length == WHOLE || offset < start + field.length).then_some(start)
    }

    /// Starts of the fields that overlap `from..to`, in order.
    pub fn overlapping(&self, from: i64, to: i64) -> Vec<i64> {
        let before = self.fields.range(..from).next_back();
        let before = before.filter(|(start, field)| start.saturating_add(field.length) > from);
        let inside = self
            .fields
            .range(from..to.max(from))
            .map(|(&start, _)| start);
        before
            .map(|(&start, _)| start)
            .into_iter()
            .chain(inside)
            .collect()
    }
}
