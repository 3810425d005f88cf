//! The body of a function: blocks, instructions, values.
//!
//! Entities live in dense maps and are named by newtype indices. Nothing is ever removed from the
//! maps: an instruction that is in no block, or a block that nothing reaches, is dead.

use crate::constant::Constant;
use crate::instruction::{Instruction, Terminator};
use crate::memory::{Form, MemoryUse, Region, RegionId};
use crate::types::Type;
use cranelift_entity::{PrimaryMap, entity_impl};
use foghorn_core::SpanId;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use std::sync::Arc;

/// An SSA value of a [`Body`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ValueId(u32);
entity_impl!(ValueId, "v");

/// A basic block of a [`Body`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct BlockId(u32);
entity_impl!(BlockId, "block");

/// An instruction of a [`Body`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct InstId(u32);
entity_impl!(InstId, "inst");

/// A source variable of a [`Body`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct VariableId(u32);
entity_impl!(VariableId, "var");

/// A function's code. Parameters of the function are the parameters of the entry block.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(from = "StoredBody")]
pub struct Body {
    pub entry: BlockId,
    pub blocks: PrimaryMap<BlockId, Block>,
    pub instructions: PrimaryMap<InstId, InstructionData>,
    pub values: PrimaryMap<ValueId, ValueData>,
    pub variables: PrimaryMap<VariableId, Variable>,
    pub form: Form,
    /// Empty in the impure form.
    pub regions: PrimaryMap<RegionId, Region>,
    #[serde(skip_serializing)]
    constants: FxHashMap<(Type, Constant), ValueId>,
}

/// What is written of a [`Body`]: which constants it has follows from its values.
#[derive(Deserialize)]
struct StoredBody {
    entry: BlockId,
    blocks: PrimaryMap<BlockId, Block>,
    instructions: PrimaryMap<InstId, InstructionData>,
    values: PrimaryMap<ValueId, ValueData>,
    variables: PrimaryMap<VariableId, Variable>,
    form: Form,
    regions: PrimaryMap<RegionId, Region>,
}

impl From<StoredBody> for Body {
    fn from(stored: StoredBody) -> Self {
        let values = stored.values.iter();
        let constants = values.filter_map(|(value, data)| match data.def {
            ValueDef::Constant(constant) => Some(((data.ty, constant), value)),
            ValueDef::Param(..) | ValueDef::Result(..) | ValueDef::Memory(..) => None,
        });
        Body {
            constants: constants.collect(),
            entry: stored.entry,
            blocks: stored.blocks,
            instructions: stored.instructions,
            values: stored.values,
            variables: stored.variables,
            form: stored.form,
            regions: stored.regions,
        }
    }
}

/// A basic block.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Block {
    pub params: Vec<ValueId>,
    pub instructions: Vec<InstId>,
    pub terminator: Terminator,
    pub terminator_span: SpanId,
}

/// An instruction with its results and its place in the source.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct InstructionData {
    pub instruction: Instruction,
    pub results: SmallVec<[ValueId; 1]>,
    /// The memory that it takes and leaves; empty in the impure form.
    pub memory: SmallVec<[MemoryUse; 1]>,
    /// Of a load or store: the class of C types as which it accesses memory, if the front end was
    /// asked for it and the access is not one that may be of any type.
    pub effective_type: Option<Arc<str>>,
    pub span: SpanId,
}

/// A value: its type, where it is defined, and how the source calls it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ValueData {
    pub ty: Type,
    pub def: ValueDef,
    pub name: Option<Arc<str>>,
}

/// Where a value is defined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ValueDef {
    /// The n-th parameter of a block.
    Param(BlockId, u32),
    /// The n-th result of an instruction.
    Result(InstId, u32),
    /// The memory that the n-th memory use of an instruction leaves.
    Memory(InstId, u32),
    Constant(Constant),
}

/// A variable as the source declares it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Variable {
    pub name: Arc<str>,
    /// Where it is declared.
    pub span: SpanId,
    /// Its integers are signed in the source, for printing.
    pub signed: bool,
    /// The stack slot that holds it, as long as it lives in memory.
    pub slot: Option<ValueId>,
}

impl Default for Body {
    fn default() -> Self {
        Self::new()
    }
}

impl Body {
    /// A body with an empty entry block that ends in `unreachable`.
    pub fn new() -> Self {
        let mut blocks = PrimaryMap::new();
        let entry = blocks.push(Block::new());
        Body {
            entry,
            blocks,
            instructions: PrimaryMap::new(),
            values: PrimaryMap::new(),
            variables: PrimaryMap::new(),
            form: Form::Impure,
            regions: PrimaryMap::new(),
            constants: FxHashMap::default(),
        }
    }

    /// A new block that ends in `unreachable` until it is given a terminator.
    pub fn add_block(&mut self) -> BlockId {
        self.blocks.push(Block::new())
    }

    /// A new last parameter of `block`.
    pub fn add_param(&mut self, block: BlockId, ty: Type) -> ValueId {
        let index = u32::try_from(self.blocks[block].params.len()).expect("invariant: few params");
        let def = ValueDef::Param(block, index);
        let value = self.values.push(ValueData {
            ty,
            def,
            name: None,
        });
        self.blocks[block].params.push(value);
        value
    }

    /// A new instruction that is in no block yet.
    pub fn create_instruction(
        &mut self,
        instruction: Instruction,
        results: &[Type],
        span: SpanId,
    ) -> InstId {
        let id = self.instructions.push(InstructionData {
            instruction,
            results: SmallVec::new(),
            memory: SmallVec::new(),
            effective_type: None,
            span,
        });
        for (index, &ty) in results.iter().enumerate() {
            let index = u32::try_from(index).expect("invariant: few results");
            let def = ValueDef::Result(id, index);
            let value = self.values.push(ValueData {
                ty,
                def,
                name: None,
            });
            self.instructions[id].results.push(value);
        }
        id
    }

    /// A new instruction at the end of `block`.
    pub fn append(
        &mut self,
        block: BlockId,
        instruction: Instruction,
        results: &[Type],
        span: SpanId,
    ) -> InstId {
        let id = self.create_instruction(instruction, results, span);
        self.blocks[block].instructions.push(id);
        id
    }

    /// The only result of an instruction that has one.
    pub fn result(&self, instruction: InstId) -> ValueId {
        let results = &self.instructions[instruction].results;
        debug_assert_eq!(
            results.len(),
            1,
            "{instruction} has {} results",
            results.len()
        );
        results[0]
    }

    /// The value of a constant; equal constants of one type are one value. Integers are cut to
    /// their width.
    pub fn constant(&mut self, ty: Type, constant: Constant) -> ValueId {
        let constant = match (ty, constant) {
            (Type::Int(width), Constant::Int(bits)) => Constant::Int(truncate(bits, width.into())),
            (_, other) => other,
        };
        let values = &mut self.values;
        *self.constants.entry((ty, constant)).or_insert_with(|| {
            values.push(ValueData {
                ty,
                def: ValueDef::Constant(constant),
                name: None,
            })
        })
    }

    /// The integer constant `value`, modulo 2^width.
    pub fn int(&mut self, width: u8, value: i128) -> ValueId {
        self.constant(Type::Int(width), Constant::Int(value.cast_unsigned()))
    }

    /// The constant that a value is, if it is one.
    pub fn as_constant(&self, value: ValueId) -> Option<Constant> {
        match self.values[value].def {
            ValueDef::Constant(constant) => Some(constant),
            ValueDef::Param(..) | ValueDef::Result(..) | ValueDef::Memory(..) => None,
        }
    }

    pub fn ty(&self, value: ValueId) -> Type {
        self.values[value].ty
    }
}

impl Block {
    fn new() -> Self {
        Block {
            params: vec![],
            instructions: vec![],
            terminator: Terminator::Unreachable,
            terminator_span: SpanId::UNKNOWN,
        }
    }
}

/// The low `width` bits.
pub fn truncate(bits: u128, width: u32) -> u128 {
    if width >= 128 {
        bits
    } else {
        bits & ((1 << width) - 1)
    }
}
