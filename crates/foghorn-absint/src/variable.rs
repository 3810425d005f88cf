//! Variables and their types.
//!
//! A [`VariableId`] carries its type, so that every operation of a domain knows the width it works
//! at without asking a symbol table. Domains that need variables of their own (a cell of an array,
//! the value of a parameter on entry, a temporary) do not allocate them: a *ghost* is computed from
//! the variable it belongs to, so two states always agree on its name and no join has to rename.
//!
//! Invariant: the key (index and ghost tag) determines the type.

use std::fmt;

/// The type of a variable (fig. 5 of the SeaHorn paper: integers, booleans, pointers, arrays).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Type {
    /// A machine integer of `width` ≥ 1 bits, stored as a bit pattern; its value in conditions and
    /// in abstract states is the signed one.
    Integer {
        width: u32,
    },
    /// A mathematical integer.
    Unbounded,
    Boolean,
    /// A pointer, which may be null.
    Pointer,
    /// A pointer that is never null.
    Reference,
    /// A sequence of bytes.
    Array,
}

impl Type {
    /// Whether variables of this type are dimensions of numeric domains.
    #[must_use]
    pub fn is_integer(self) -> bool {
        match self {
            Type::Integer { .. } | Type::Unbounded => true,
            Type::Boolean | Type::Pointer | Type::Reference | Type::Array => false,
        }
    }

    #[must_use]
    pub fn is_pointer(self) -> bool {
        matches!(self, Type::Pointer | Type::Reference)
    }

    /// The width of a machine integer, `None` for every other type.
    #[must_use]
    pub fn width(self) -> Option<u32> {
        match self {
            Type::Integer { width } => Some(width),
            Type::Unbounded | Type::Boolean | Type::Pointer | Type::Reference | Type::Array => None,
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Integer { width } => write!(formatter, "i{width}"),
            Type::Unbounded => write!(formatter, "int"),
            Type::Boolean => write!(formatter, "bool"),
            Type::Pointer => write!(formatter, "ptr"),
            Type::Reference => write!(formatter, "ref"),
            Type::Array => write!(formatter, "array"),
        }
    }
}

/// What a ghost variable stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum GhostKind {
    /// The summary of all elements of an array, by element size.
    Smashed = 1,
    /// A cell of an array at a constant offset.
    Cell = 2,
    /// The content of a segment of a partitioned array.
    Segment = 3,
    /// Ghosts of pointers: the payload says which.
    PointerPart = 4,
    /// For domains that need dimensions of their own (terms, decision diagrams).
    Internal = 5,
    /// Results over ℤ; never alive between two statements.
    Scratch = 6,
}

/// A variable of a program, or a ghost of one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VariableId {
    index: u32,
    ghost: u32,
    ty: Type,
}

impl VariableId {
    /// Variable number `index` of a program.
    #[must_use]
    pub fn new(index: u32, ty: Type) -> VariableId {
        VariableId {
            index,
            ghost: 0,
            ty,
        }
    }

    #[must_use]
    pub fn ty(self) -> Type {
        self.ty
    }

    /// The width of a machine integer, `None` for unbounded integers and other types.
    #[must_use]
    pub fn width(self) -> Option<u32> {
        self.ty.width()
    }

    /// The index in the program's table of variables of this variable, or of the one this is a
    /// ghost of.
    #[must_use]
    pub fn index(self) -> u32 {
        self.index
    }

    #[must_use]
    pub fn is_ghost(self) -> bool {
        self.ghost != 0
    }

    /// A number that identifies the variable, for maps keyed by integers.
    #[must_use]
    pub fn key(self) -> u64 {
        (u64::from(self.index) << 32) | u64::from(self.ghost)
    }

    /// A ghost of this variable, of the same type. `payload` must be below 2^20.
    #[must_use]
    pub fn ghost(self, kind: GhostKind, payload: u32) -> VariableId {
        self.typed_ghost(kind, payload, self.ty)
    }

    /// As [`VariableId::ghost`], of another type; the type must be a function of kind and payload.
    #[must_use]
    pub fn typed_ghost(self, kind: GhostKind, payload: u32, ty: Type) -> VariableId {
        debug_assert!(payload < 1 << 20, "invariant: ghost payloads have 20 bits");
        debug_assert!(
            self.ghost & !LEVEL_MASK == 0,
            "invariant: ghosts have no ghosts"
        );
        let ghost = (u32::from(kind as u8) << 28) | payload | (self.ghost & LEVEL_MASK);
        VariableId {
            index: self.index,
            ghost,
            ty,
        }
    }

    /// An unbounded integer for results over ℤ within one transfer function.
    #[must_use]
    pub fn scratch(index: u32, number: u32) -> VariableId {
        let ghost = (u32::from(GhostKind::Scratch as u8) << 28) | number;
        VariableId {
            index,
            ghost,
            ty: Type::Unbounded,
        }
    }

    /// The kind tag and payload of a ghost, `None` for a variable of the program (or a copy of one).
    #[must_use]
    pub fn ghost_of(self) -> Option<(GhostKind, u32)> {
        let kind = match self.ghost >> 28 {
            1 => GhostKind::Smashed,
            2 => GhostKind::Cell,
            3 => GhostKind::Segment,
            4 => GhostKind::PointerPart,
            5 => GhostKind::Internal,
            6 => GhostKind::Scratch,
            _ => return None,
        };
        Some((kind, self.ghost & 0xf_ffff))
    }

    /// The copy of this variable on another level; unlike [`VariableId::ghost`] it keeps ghosts
    /// apart, so that a cell of an array has a primed cell.
    #[must_use]
    pub fn copy_on(self, level: Level) -> VariableId {
        debug_assert!(
            self.ghost & LEVEL_MASK == 0,
            "invariant: copies are not copied again"
        );
        VariableId {
            ghost: self.ghost | ((level as u32) << 20),
            ..self
        }
    }

    /// The variable this one is a copy of, and the level; `None` when it is no copy.
    #[must_use]
    pub fn copied_from(self) -> Option<(VariableId, Level)> {
        let level = match (self.ghost & LEVEL_MASK) >> 20 {
            1 => Level::Primed,
            2 => Level::Entry,
            3 => Level::Formal,
            4 => Level::Temporary,
            _ => return None,
        };
        Some((
            VariableId {
                ghost: self.ghost & !LEVEL_MASK,
                ..self
            },
            level,
        ))
    }
}

const LEVEL_MASK: u32 = 0xff << 20;

/// A whole second vocabulary of variables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Level {
    /// Values after a statement, in backward transfer functions.
    Primed = 1,
    /// Values on entry of a function, in summaries.
    Entry = 2,
    /// Formals of a callee while its summary is instantiated at a call.
    Formal = 3,
    /// Scratch of one transfer function.
    Temporary = 4,
}

impl fmt::Display for VariableId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "v{}", self.index)?;
        if self.ghost != 0 {
            let kind = self.ghost >> 28;
            let level = (self.ghost & LEVEL_MASK) >> 20;
            write!(formatter, "#{kind}.{level}.{}", self.ghost & 0xf_ffff)?;
        }
        Ok(())
    }
}

impl fmt::Debug for VariableId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}
