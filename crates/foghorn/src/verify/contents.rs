//! What loops leave in arrays, as likely claims.
//!
//! A loop that stores at `base + constant + i · scale`, where `i` is a parameter of its head, has filled the places
//! below `i`: with a number, with what was known before the loop, with what another array holds at the same index, or
//! with a formula over the index. That is what loop summarisation knows of it, said as a claim about every object and
//! offset; it is repeated at the heads of all loops behind. Nothing of it is believed: what does not follow is taken out
//! of the argument.

use foghorn_encode::claim::build::number;
use foghorn_encode::claim::{Argument, Expression, Formula, LoopClaim, Subject, View};
use foghorn_ir::graph::{ControlFlowGraph, DominatorTree, LoopForest};
use foghorn_ir::{
    BinaryOp, BlockId, Body, CastOp, Constant, InstId, Instruction, Module, RegionId, Type,
    ValueDef, ValueId,
};
use std::collections::BTreeMap;

/// Stores of one function beyond these are not looked at.
const MOST_STORES: usize = 16;
/// Operations within the value that is stored.
const DEEPEST: u32 = 6;

/// Adds such claims to those of an argument that has invariants.
pub fn add_filled(module: &Module, argument: &mut Argument) {
    for function in module.functions.values() {
        let Some(body) = &function.body else { continue };
        let Some(claims) = argument.functions.get_mut(&*function.name) else {
            continue;
        };
        for (head, formula) in Filling::new(body).claims() {
            if let Some(LoopClaim::Invariant { holds, .. }) = claims.loops.get_mut(&head.as_u32()) {
                holds.push(formula);
            }
        }
    }
}

/// One function.
struct Filling<'b> {
    body: &'b Body,
    loops: LoopForest,
    dominators: DominatorTree<BlockId>,
    /// Where values are defined that are no constants.
    defined: BTreeMap<ValueId, BlockId>,
}

/// A place that a loop stores to in each iteration.
struct Place {
    base: ValueId,
    constant: i64,
    scale: u64,
    index: Index,
}

/// A parameter of a loop's head plus a constant, made as wide as a pointer.
#[derive(Clone, Copy)]
struct Index {
    counter: ValueId,
    plus: i128,
    signed: bool,
}

impl<'b> Filling<'b> {
    fn new(body: &'b Body) -> Self {
        let cfg = ControlFlowGraph::new(body);
        let mut defined = BTreeMap::new();
        for (block, data) in body.blocks.iter() {
            defined.extend(data.params.iter().map(|it| (*it, block)));
            for id in &data.instructions {
                let data = &body.instructions[*id];
                let outputs = data.memory.iter().filter_map(|used| used.output);
                let all = data.results.iter().copied().chain(outputs);
                defined.extend(all.map(|it| (it, block)));
            }
        }
        Filling {
            body,
            loops: LoopForest::new(&cfg),
            dominators: DominatorTree::new(cfg.graph(), body.entry),
            defined,
        }
    }

    /// Claims by the heads at which they are made.
    fn claims(&self) -> Vec<(BlockId, Formula)> {
        let mut all = vec![];
        for (head, id) in self.stores().into_iter().take(MOST_STORES) {
            let Some((place, value, region)) = self.filled(head, id) else {
                continue;
            };
            for (_, other) in self.loops.iter() {
                let at = other.header;
                let memory = self
                    .dominators
                    .dominates(head, at)
                    .then(|| self.memory_at(at, region))
                    .flatten();
                if let Some(memory) = memory {
                    let bytes = self.bytes(id);
                    all.push((at, claim(&place, memory, bytes, value.clone())));
                }
            }
        }
        all
    }

    /// Stores in loops, each with the heads of the loops around it.
    fn stores(&self) -> Vec<(BlockId, InstId)> {
        let mut found = vec![];
        for (loop_id, data) in self.loops.iter() {
            for (block, content) in self.body.blocks.iter() {
                if !self.loops.contains(loop_id, block) {
                    continue;
                }
                let stores = content.instructions.iter().filter(|id| {
                    let instruction = &self.body.instructions[**id].instruction;
                    matches!(instruction, Instruction::Store { .. })
                });
                found.extend(stores.map(|id| (data.header, *id)));
            }
        }
        found
    }

    fn bytes(&self, store: InstId) -> u32 {
        match &self.body.instructions[store].instruction {
            Instruction::Store { value, .. } => match self.body.ty(*value).int_width() {
                Some(width) => width / 8,
                None => 0,
            },
            _ => 0,
        }
    }

    /// The place and the value of a store, seen from the head of a loop around it.
    fn filled(&self, head: BlockId, store: InstId) -> Option<(Place, Expression, RegionId)> {
        let data = &self.body.instructions[store];
        let Instruction::Store { pointer, value, .. } = &data.instruction else {
            return None;
        };
        let width = self.body.ty(*value).int_width()?;
        if width % 8 != 0 {
            return None;
        }
        let place = self.place(head, *pointer)?;
        // The index that was stored at is told by the place.
        let offset = distance(&place).quotient(place.scale);
        let slot = offset.minus(number(place.index.plus));
        let value = self.value(head, *value, (place.index.counter, &slot), 0)?;
        Some((place, value, data.memory.first()?.region))
    }

    /// Whether a value is there before the loop of a head begins.
    fn is_before(&self, head: BlockId, value: ValueId) -> bool {
        if self.body.as_constant(value).is_some() {
            return true;
        }
        let block = self.defined.get(&value);
        block.is_some_and(|block| self.dominators.strictly_dominates(*block, head))
    }

    fn place(&self, head: BlockId, pointer: ValueId) -> Option<Place> {
        let (mut base, mut sum, mut found) = (pointer, 0_i64, None);
        while !self.is_before(head, base) {
            let Instruction::PointerAdd {
                base: below,
                constant,
                scaled,
            } = self.instruction(base)?
            else {
                return None;
            };
            sum = sum.checked_add(*constant)?;
            for (index, scale) in scaled {
                let scale = u64::try_from(*scale).ok().filter(|it| *it > 0)?;
                if found.replace((*index, scale)).is_some() {
                    return None;
                }
            }
            base = *below;
        }
        let (index, scale) = found?;
        Some(Place {
            base,
            constant: sum,
            scale,
            index: self.index(head, index, true)?,
        })
    }

    fn index(&self, head: BlockId, value: ValueId, signed: bool) -> Option<Index> {
        if self.body.blocks[head].params.contains(&value) {
            return Some(Index {
                counter: value,
                plus: 0,
                signed,
            });
        }
        match self.instruction(value)? {
            Instruction::Cast { op, operand } => match op {
                CastOp::SExt => self.index(head, *operand, true),
                CastOp::ZExt => self.index(head, *operand, false),
                _ => None,
            },
            Instruction::Binary { op, lhs, rhs } => {
                let by = self.number(*rhs)?;
                let found = self.index(head, *lhs, signed)?;
                let plus = match op {
                    BinaryOp::Add => found.plus + by,
                    BinaryOp::Sub => found.plus - by,
                    _ => return None,
                };
                Some(Index { plus, ..found })
            }
            _ => None,
        }
    }

    fn instruction(&self, value: ValueId) -> Option<&'b Instruction> {
        match self.body.values[value].def {
            ValueDef::Result(id, 0) => Some(&self.body.instructions[id].instruction),
            ValueDef::Result(..)
            | ValueDef::Param(..)
            | ValueDef::Memory(..)
            | ValueDef::Constant(_) => None,
        }
    }

    /// A constant, read as signed.
    fn number(&self, value: ValueId) -> Option<i128> {
        let width = self.body.ty(value).int_width()?;
        match self.body.as_constant(value)? {
            Constant::Int(bits) => {
                let unused = 128 - width;
                Some((bits << unused).cast_signed() >> unused)
            }
            Constant::F32(_)
            | Constant::F64(_)
            | Constant::Null
            | Constant::Global(_)
            | Constant::Function(_) => None,
        }
    }

    /// What is stored, where the counter of the iteration is this.
    fn value(
        &self,
        head: BlockId,
        value: ValueId,
        counter: (ValueId, &Expression),
        depth: u32,
    ) -> Option<Expression> {
        let width = self.body.ty(value).int_width()?;
        if let Some(constant) = self.number(value) {
            return Some(number(constant));
        }
        if self.is_before(head, value) {
            return Some(Expression::Signed(Subject::Value(value.as_u32())));
        }
        if value == counter.0 {
            return Some(counter.1.clone());
        }
        if depth == DEEPEST {
            return None;
        }
        let part = |of: ValueId| self.value(head, of, counter, depth + 1);
        match self.instruction(value)? {
            Instruction::Cast { op, operand } => match op {
                CastOp::SExt | CastOp::Trunc => Some(part(*operand)?.wrapped(width, true)),
                CastOp::ZExt => {
                    let bits = self.body.ty(*operand).int_width()?;
                    Some(part(*operand)?.wrapped(bits, false))
                }
                _ => None,
            },
            Instruction::Binary { op, lhs, rhs } => {
                let (a, b) = (part(*lhs)?, part(*rhs)?);
                let exact = match op {
                    BinaryOp::Add => a.plus(b),
                    BinaryOp::Sub => a.minus(b),
                    BinaryOp::Mul => a.times(self.number(*rhs)?),
                    _ => return None,
                };
                Some(exact.wrapped(width, true))
            }
            Instruction::Load { pointer, .. } => self.loaded(head, value, *pointer, counter),
            _ => None,
        }
    }

    /// What another array, which the loop does not change, holds at the same index.
    fn loaded(
        &self,
        head: BlockId,
        value: ValueId,
        pointer: ValueId,
        (counter, slot): (ValueId, &Expression),
    ) -> Option<Expression> {
        let ValueDef::Result(id, _) = self.body.values[value].def else {
            return None;
        };
        let memory = self.body.instructions[id].memory.first()?.input;
        let from = self.place(head, pointer)?;
        if !self.is_before(head, memory) || from.index.counter != counter {
            return None;
        }
        let base = Subject::Value(from.base.as_u32());
        let index = slot.clone().plus(number(from.index.plus));
        let offset = Expression::Offset(base)
            .plus(number(from.constant.into()))
            .plus(index.times(from.scale.into()));
        let bytes = self.body.ty(value).int_width()? / 8;
        let memory = Subject::Value(memory.as_u32());
        let object = Expression::Object(base);
        Some(Expression::content(
            memory,
            object,
            offset,
            bytes,
            View::Signed,
        ))
    }

    /// The contents of a region where a loop begins: a parameter of its head, or what the loop uses and does not change.
    fn memory_at(&self, head: BlockId, region: RegionId) -> Option<ValueId> {
        let mut params = self.body.blocks[head].params.iter();
        let own = params.find(|it| self.body.ty(**it) == Type::Memory(region));
        if let Some(own) = own {
            return Some(*own);
        }
        let id = self.loops.with_header(head)?;
        let blocks = self.body.blocks.iter();
        let inside = blocks.filter(|(block, _)| self.loops.contains(id, *block));
        let mut uses = inside
            .flat_map(|(_, data)| &data.instructions)
            .flat_map(|id| &self.body.instructions[*id].memory);
        let used = uses.find(|it| it.region == region && self.is_before(head, it.input));
        used.map(|it| it.input)
    }
}

/// Bytes from the first place that the loop could fill to the offset that is spoken of.
fn distance(place: &Place) -> Expression {
    let base = Expression::Offset(Subject::Value(place.base.as_u32()));
    Expression::EveryOffset
        .minus(base)
        .minus(number(place.constant.into()))
}

/// All places of an index from 0 on and below the counter hold the value.
fn claim(place: &Place, memory: ValueId, bytes: u32, value: Expression) -> Formula {
    let counter = Subject::Value(place.index.counter.as_u32());
    let counter = match place.index.signed {
        true => Expression::Signed(counter),
        false => Expression::Unsigned(counter),
    };
    let end = counter
        .plus(number(place.index.plus))
        .times(place.scale.into());
    let start = number(place.index.plus * i128::from(place.scale));
    let object = Expression::Object(Subject::Value(place.base.as_u32()));
    let is_filled = Formula::all([
        Expression::EveryObject.equals(object),
        distance(place).remainder(place.scale).equals(number(0)),
        start.at_most(distance(place)),
        distance(place).less(end),
    ]);
    let content = Expression::content(
        Subject::Value(memory.as_u32()),
        Expression::EveryObject,
        Expression::EveryOffset,
        bytes,
        View::Signed,
    );
    Formula::for_every(is_filled.implies(content.equals(value)))
}
