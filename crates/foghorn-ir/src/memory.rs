//! The pure form: memory as ordinary values (the SEA-IR of the SEAM thesis, §2.5).
//!
//! In the *impure* form, which the front end gives, loads and stores work on one memory that no
//! value names. In the *pure* form a body divides memory into [`Region`]s, such that no two
//! accesses of different regions touch the same byte, and every operation on memory says by
//! [`MemoryUse`]s which contents of which region it takes and which it leaves behind:
//!
//! ```text
//!   store 7:i32 to v3, align 4 [v5 -> v6:region0]
//!   v7:i32 = load v3, align 4 [v6]
//! ```
//!
//! - Contents of a region are values of [`crate::Type::Memory`]. Where paths meet they are
//!   parameters of the block like any other value.
//! - A function takes the contents of regions that it shares with its callers as the last
//!   parameters of its entry block and returns those that it modifies, in the same order, as the
//!   last values of its return ([`Interface`]). The signature tells of scalars only, so that a
//!   function has one signature in both forms.
//! - A region that a call of the function has for itself begins as a `nondet` of its type.
//! - Lives and sizes of objects are not contents, and in no region.
//!
//! The verifier has the rules.

use crate::body::{Body, InstId, InstructionData, ValueData, ValueDef, ValueId};
use crate::types::Type;
use cranelift_entity::entity_impl;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

/// A region of memory of one [`Body`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct RegionId(u32);
entity_impl!(RegionId, "region");

/// How a body says what it does to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub enum Form {
    /// By side effects on one memory.
    #[default]
    Impure,
    /// By values, one region at a time.
    Pure,
}

/// A class of bytes that the accesses of a body may share.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Region {
    /// For people; names nothing.
    pub name: Arc<str>,
    pub cell: Cell,
    /// The cells that all accesses seem made for, where their places are not known well enough to
    /// promise it: an engine that takes these has to show that each access is of a whole one.
    /// Otherwise the same as `cell`.
    pub likely: Cell,
    /// It holds only what is accessed as one type. Regions of other types may hold the same bytes;
    /// then a byte is read in the region in which it was written last.
    pub typed: bool,
    pub interface: Interface,
}

/// What one cell of a region holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Cell {
    /// One byte; accesses may have any width and alignment.
    Bytes,
    /// One integer or float of that many bytes, as bits: every access has that width and lies at a
    /// multiple of it.
    Word { bytes: u32 },
    /// One pointer value, object and offset: every access is of a pointer, at a multiple of its
    /// size.
    Pointer,
}

/// Who else sees a region of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Interface {
    /// Nobody: each call of the function has one of its own, with indeterminate contents at first.
    Local,
    /// The caller passes it, and the function does not write to it.
    Read,
    /// The caller passes it, and the function returns its contents.
    Modified,
}

impl Interface {
    /// Whether the caller passes the region.
    pub fn is_parameter(self) -> bool {
        match self {
            Interface::Local => false,
            Interface::Read | Interface::Modified => true,
        }
    }
}

/// Contents of a region that an instruction takes and leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemoryUse {
    pub region: RegionId,
    /// The contents before.
    pub input: ValueId,
    /// The contents after; `None` if the instruction does not change them.
    pub output: Option<ValueId>,
    pub role: MemoryRole,
}

/// What part a region plays in an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum MemoryRole {
    /// The one region that a load reads or a store writes.
    Access,
    /// A region of the bytes that are written by a copy, a fill, a builtin, or the birth of an
    /// object.
    Destination,
    /// A region of the bytes that are read by a copy or a builtin; the n-th source region of a
    /// copy feeds the n-th destination region.
    Source,
    /// The n-th memory parameter of the called function.
    Argument(u32),
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cell::Bytes => f.write_str("bytes"),
            Cell::Word { bytes } => write!(f, "word {bytes}"),
            Cell::Pointer => f.write_str("pointer"),
        }
    }
}

impl fmt::Display for Interface {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Interface::Local => "local",
            Interface::Read => "read",
            Interface::Modified => "modified",
        })
    }
}

impl Body {
    pub fn is_pure(&self) -> bool {
        self.form == Form::Pure
    }

    /// The memory parameters, in order: the last parameters of the entry block.
    pub fn memory_parameters(&self) -> impl Iterator<Item = (ValueId, RegionId)> + '_ {
        let params = self.blocks[self.entry].params.iter();
        params.filter_map(|&param| Some((param, self.ty(param).region()?)))
    }

    /// The regions whose contents the function returns, in order: the last values of its return.
    pub fn memory_results(&self) -> impl Iterator<Item = RegionId> + '_ {
        let parameters = self.memory_parameters().map(|(_, region)| region);
        parameters.filter(|&region| {
            let region = self.regions.get(region);
            region.is_some_and(|region| region.interface == Interface::Modified)
        })
    }

    /// Adds a use to an instruction and gives the contents after it, if it changes them.
    pub fn add_memory_use(
        &mut self,
        instruction: InstId,
        region: RegionId,
        input: ValueId,
        role: MemoryRole,
        modifies: bool,
    ) -> Option<ValueId> {
        let index = self.instructions[instruction].memory.len();
        let index = u32::try_from(index).expect("invariant: few uses of memory");
        let output = modifies.then(|| {
            self.values.push(ValueData {
                ty: Type::Memory(region),
                def: ValueDef::Memory(instruction, index),
                name: None,
            })
        });
        self.instructions[instruction].memory.push(MemoryUse {
            region,
            input,
            output,
            role,
        });
        output
    }
}

impl InstructionData {
    /// Calls `f` on every operand, then on the memory that the instruction takes.
    pub fn for_each_operand(&self, mut f: impl FnMut(ValueId)) {
        self.instruction.for_each_operand(&mut f);
        self.memory.iter().for_each(|memory| f(memory.input));
    }

    /// Replaces every operand, and the memory that the instruction takes, by `f` of it.
    pub fn map_operands(&mut self, mut f: impl FnMut(ValueId) -> ValueId) {
        self.instruction.map_operands(&mut f);
        for memory in &mut self.memory {
            memory.input = f(memory.input);
        }
    }

    /// Calls `f` on every value that the instruction defines.
    pub fn for_each_definition(&self, f: impl FnMut(ValueId)) {
        let outputs = self.memory.iter().filter_map(|memory| memory.output);
        self.results.iter().copied().chain(outputs).for_each(f);
    }
}
