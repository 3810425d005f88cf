//! What loops leave in arrays, as likely claims.
//!
//! A loop that stores at `base + constant + i · scale`, where `i` counts its iterations, up or down, has filled the places
//! that it came to: with a number, with what was known before the loop, with what another array holds at a place that
//! goes along, with what the array itself held before, or with a formula over these and the index. That is what loop
//! summarisation knows of it, said as a claim about every object and offset; it is repeated at the heads of all loops
//! behind. Where an array is changed in its place, what the loop has not come to yet is claimed to be as before. Nothing
//! of it is believed: what does not follow is taken out of the argument.

mod affine;
pub mod function;
mod place;

use foghorn_encode::claim::build::number;
use foghorn_encode::claim::{Argument, Expression, Formula, LoopClaim, Subject, View};
use foghorn_ir::{
    BinaryOp, BlockId, Body, CastOp, InstId, Instruction, Module, RegionId, ValueDef, ValueId,
};
use function::Function;
use place::{Place, place};

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
        for (head, formula) in claims_of(body) {
            if let Some(LoopClaim::Invariant { holds, .. }) = claims.loops.get_mut(&head.as_u32()) {
                holds.push(formula);
            }
        }
    }
}

/// Claims by the heads at which they are made.
fn claims_of(body: &Body) -> Vec<(BlockId, Formula)> {
    let function = Function::new(body);
    let mut all = vec![];
    for (head, id) in stores(&function).into_iter().take(MOST_STORES) {
        let Some(store) = Store::new(&function, head, id) else {
            continue;
        };
        for (_, other) in function.loops.iter() {
            let at = other.header;
            if function.dominators.dominates(head, at)
                && let Some(memory) = function.memory_at(at, store.region)
            {
                all.extend(store.filled(memory).map(|claim| (at, claim)));
            }
        }
        all.extend(store.kept().map(|claim| (head, claim)));
    }
    all
}

/// Stores in loops, each with the heads of the loops around it.
fn stores(function: &Function<'_>) -> Vec<(BlockId, InstId)> {
    let mut found = vec![];
    for (loop_id, data) in function.loops.iter() {
        for (block, content) in function.body.blocks.iter() {
            if !function.loops.contains(loop_id, block) {
                continue;
            }
            let stores = content.instructions.iter().filter(|id| {
                let instruction = &function.body.instructions[**id].instruction;
                matches!(instruction, Instruction::Store { .. })
            });
            found.extend(stores.map(|id| (data.header, *id)));
        }
    }
    found
}

/// A store, seen from the head of a loop around it.
struct Store<'f, 'b> {
    function: &'f Function<'b>,
    head: BlockId,
    place: Place,
    /// What it stores at the offset that is spoken of.
    value: Expression,
    bytes: u32,
    region: RegionId,
    /// The contents before the loop, if what is stored depends on them.
    before: Option<ValueId>,
}

impl<'f, 'b> Store<'f, 'b> {
    fn new(function: &'f Function<'b>, head: BlockId, store: InstId) -> Option<Self> {
        let data = &function.body.instructions[store];
        let Instruction::Store { pointer, value, .. } = &data.instruction else {
            return None;
        };
        let width = function.body.ty(*value).int_width()?;
        if width % 8 != 0 {
            return None;
        }
        let place = place(function, head, *pointer)?;
        let region = data.memory.first()?.region;
        let mut stored = Stored {
            function,
            head,
            region,
            place: &place,
            before: None,
        };
        let value = stored.value(*value, 0)?;
        let before = stored.before;
        Some(Store {
            function,
            head,
            value,
            bytes: width / 8,
            region,
            before,
            place,
        })
    }

    fn content(&self, memory: ValueId) -> Expression {
        Expression::content(
            Subject::Value(memory.as_u32()),
            Expression::EveryObject,
            Expression::EveryOffset,
            self.bytes,
            View::Signed,
        )
    }

    /// All places to which the loop came hold the value.
    fn filled(&self, memory: ValueId) -> Option<Formula> {
        let is_filled = self.place.is_passed(self.function, true)?;
        let holds = self.content(memory).equals(self.value.clone());
        Some(Formula::for_every(is_filled.implies(holds)))
    }

    /// Places to which the loop will come hold what they held before it.
    fn kept(&self) -> Option<Formula> {
        let memory = self.function.memory_at(self.head, self.region)?;
        let before = self.content(self.before?);
        let is_left = self.place.is_passed(self.function, false)?;
        let holds = self.content(memory).equals(before);
        Some(Formula::for_every(is_left.implies(holds)))
    }
}

/// The value of a store, as an expression over the offset that is spoken of.
struct Stored<'s, 'f, 'b> {
    function: &'f Function<'b>,
    head: BlockId,
    region: RegionId,
    /// Which tells the iteration that stored there.
    place: &'s Place,
    /// The contents before the loop, once they are used.
    before: Option<ValueId>,
}

impl Stored<'_, '_, '_> {
    fn value(&mut self, value: ValueId, depth: u32) -> Option<Expression> {
        let body = self.function.body;
        let width = body.ty(value).int_width()?;
        if let Some(constant) = self.function.number(value) {
            return Some(number(constant));
        }
        if self.function.is_before(self.head, value) {
            return Some(self.function.known(value).expression());
        }
        if body.blocks[self.head].params.contains(&value) {
            return self.place.parameter(self.function, self.head, value);
        }
        if depth == DEEPEST {
            return None;
        }
        match self.function.instruction(value)? {
            Instruction::Cast { op, operand } => match op {
                CastOp::SExt | CastOp::Trunc => {
                    Some(self.value(*operand, depth + 1)?.wrapped(width, true))
                }
                CastOp::ZExt => {
                    let bits = body.ty(*operand).int_width()?;
                    Some(self.value(*operand, depth + 1)?.wrapped(bits, false))
                }
                _ => None,
            },
            Instruction::Binary { op, lhs, rhs } => {
                let (a, b) = (self.value(*lhs, depth + 1)?, self.value(*rhs, depth + 1)?);
                let exact = match op {
                    BinaryOp::Add => a.plus(b),
                    BinaryOp::Sub => a.minus(b),
                    BinaryOp::Mul => a.times(self.function.number(*rhs)?),
                    _ => return None,
                };
                Some(exact.wrapped(width, true))
            }
            Instruction::Load { pointer, .. } => self.loaded(value, *pointer),
            _ => None,
        }
    }

    /// What an array, which the loop does not change or only there, holds at a place that goes along.
    fn loaded(&mut self, value: ValueId, pointer: ValueId) -> Option<Expression> {
        let ValueDef::Result(id, _) = self.function.body.values[value].def else {
            return None;
        };
        let used = self.function.body.instructions[id].memory.first()?;
        let mut memory = used.input;
        let from = place(self.function, self.head, pointer)?;
        if !self.function.is_before(self.head, memory) {
            memory = self.function.initial(self.head, memory)?;
            if used.region == self.region {
                self.before = Some(memory);
            }
        }
        let offset = self.place.along(self.function, self.head, &from)?;
        let bytes = self.function.body.ty(value).int_width()? / 8;
        Some(Expression::content(
            Subject::Value(memory.as_u32()),
            from.object(),
            offset,
            bytes,
            View::Signed,
        ))
    }
}
