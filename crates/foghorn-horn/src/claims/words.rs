//! What the arguments of a predicate are called in claims.

use super::bits::Bits;
use super::read::Read;
use super::sum::{Part as SumPart, Sum, object_number};
use crate::clauses::{Entry, Part, Role};
use crate::form::{Form, IntegerForm, MemoryForm};
use crate::layout::{CellKind, Layout, Layouts};
use crate::memory::Kept;
use foghorn_dsa::Site;
use foghorn_encode::claim::build::number;
use foghorn_encode::claim::{Expression, FIRST_OBJECT, Formula, Subject, View};
use foghorn_ir::graph::{ControlFlowGraph, DominatorTree};
use foghorn_ir::{BlockId, Body, FunctionId, InstId, Module, RegionId, Type, ValueId};
use foghorn_term::eval::Value;
use num_bigint::BigInt;

/// An argument in the language of claims.
#[derive(Clone, Debug)]
pub enum Word {
    Truth(Formula),
    /// A number over linear arithmetic, signed.
    Number(Expression),
    /// A bit-vector.
    Bits(Bits),
    /// The number of an object.
    Object(Expression),
    /// The number that the next object gets.
    Counter(Expression),
}

impl Word {
    /// A value of the program that is no pointer.
    pub fn integer(of: Subject, width: u32, as_bits: bool) -> Word {
        match (width, as_bits) {
            (1, _) => Word::Truth(Formula::Truth(of)),
            (_, false) => Word::Number(Expression::Signed(of)),
            (_, true) => Word::Bits(Bits {
                width,
                unsigned: Expression::Unsigned(of),
            }),
        }
    }

    /// As a reader of definitions takes it.
    pub fn read(&self) -> Read {
        match self {
            Word::Truth(formula) => Read::Truth(formula.clone()),
            Word::Number(of) => Read::Number(Sum::of(SumPart::Number(of.clone()))),
            Word::Bits(bits) => Read::Bits(bits.clone()),
            Word::Object(of) => Read::Number(Sum::of(SumPart::Object(of.clone()))),
            Word::Counter(of) => Read::Number(Sum::of(SumPart::Counter(of.clone()))),
        }
    }

    /// That it is this literal.
    pub fn is(&self, literal: &Value) -> Option<Formula> {
        match (self, literal) {
            (Word::Truth(formula), Value::Bool(true)) => Some(formula.clone()),
            (Word::Truth(formula), Value::Bool(false)) => Some(formula.clone().negated()),
            (Word::Number(of), Value::Int(number)) => {
                let literal = Expression::Number(number.to_string());
                Some(of.clone().equals(literal))
            }
            (Word::Object(of), Value::Int(number)) => {
                Some(of.clone().equals(object_number(number)?))
            }
            (Word::Bits(bits), Value::BitVec(value)) => {
                let literal = Expression::Number(value.to_biguint().to_string());
                Some(bits.unsigned.clone().equals(literal))
            }
            _ => None,
        }
    }
}

/// When claims of a place speak.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// Where a function is called.
    Called,
    /// At the head of a loop.
    Head(BlockId),
    /// Where a function returns.
    Returned,
}

/// A place of which claims are made.
pub struct Place<'a> {
    pub module: &'a Module,
    pub layouts: &'a Layouts,
    pub form: Form,
    pub function: FunctionId,
    pub body: &'a Body,
    pub when: When,
    /// The frame that arguments must be of; what belongs to callers has no word.
    pub frame: usize,
    dominators: DominatorTree<BlockId>,
}

impl<'a> Place<'a> {
    pub fn new(
        module: &'a Module,
        (layouts, form): (&'a Layouts, Form),
        (function, body): (FunctionId, &'a Body),
        when: When,
        frame: usize,
    ) -> Self {
        Place {
            module,
            layouts,
            form,
            function,
            body,
            when,
            frame,
            dominators: DominatorTree::new(ControlFlowGraph::new(body).graph(), body.entry),
        }
    }

    fn as_bits(&self) -> bool {
        self.form.integers == IntegerForm::Bits
    }

    fn pointer_bits(&self) -> u32 {
        self.module.layout.pointer_bits()
    }

    /// The word for an argument.
    pub fn word(&self, entry: &Entry) -> Option<Word> {
        match entry.role {
            Role::Value { frame, value, part } if frame == self.frame => {
                self.value(Subject::Value(value.as_u32()), part, entry.width)
            }
            Role::Content {
                frame, value, part, ..
            } if frame == self.frame => self.content_of(value, part),
            Role::Value { .. } | Role::Content { .. } => None,
            Role::Entry { value, part, .. } if self.frame == 0 => match self.body.ty(value) {
                Type::Memory(_) => self.content_of(value, part),
                _ => self.value(Subject::Value(value.as_u32()), part, entry.width),
            },
            Role::Result { number, part, .. } => self.result(number, part, entry.width),
            Role::Ghost { kept, .. } => self.ghost(kept, false),
            Role::EntryGhost { kept, .. } if self.frame == 0 => self.ghost(kept, true),
            Role::TrackedObject => Some(Word::Object(Expression::EveryObject)),
            Role::TrackedOffset => Some(self.offset(Expression::EveryOffset)),
            Role::NextHeap => Some(Word::Counter(Expression::NextObject)),
            Role::EntryNextHeap if self.frame == 0 => Some(Word::Counter(match self.when {
                When::Called => Expression::NextObject,
                When::Head(_) | When::Returned => Expression::NextObjectAtEntry,
            })),
            Role::Failed => Some(Word::Truth(Formula::Constant(false))),
            Role::Entry { .. }
            | Role::EntryGhost { .. }
            | Role::EntryNextHeap
            | Role::EntryNextStack
            | Role::NextStack
            | Role::Mark { .. } => None,
        }
    }

    fn value(&self, of: Subject, part: Part, width: Option<u32>) -> Option<Word> {
        Some(match part {
            Part::Number => Word::integer(of, width?, self.as_bits()),
            Part::Object => Word::Object(Expression::Object(of)),
            Part::Offset => self.offset(Expression::Offset(of)),
        })
    }

    /// An offset, signed.
    fn offset(&self, of: Expression) -> Word {
        let width = self.pointer_bits();
        match self.as_bits() {
            false => Word::Number(of),
            true => Word::Bits(Bits {
                width,
                unsigned: of.wrapped(width, false),
            }),
        }
    }

    fn result(&self, number: usize, part: Part, width: Option<u32>) -> Option<Word> {
        let subject = Subject::Result(u32::try_from(number).ok()?);
        let scalars = self.module.functions[self.function].signature.results.len();
        match number.checked_sub(scalars) {
            None => self.value(subject, part, width),
            Some(memory) => {
                let region = self.body.memory_results().nth(memory)?;
                self.content(subject, region, part)
            }
        }
    }

    fn content_of(&self, value: ValueId, part: Part) -> Option<Word> {
        let region = self.body.ty(value).region()?;
        self.content(Subject::Value(value.as_u32()), region, part)
    }

    fn content(&self, memory: Subject, region: RegionId, part: Part) -> Option<Word> {
        let layout = self.layouts.get(self.function, region);
        if self.form.memory == MemoryForm::Arrays && !layout.is_single() {
            return None;
        }
        let object = match layout.by_object {
            true => Expression::EveryObject,
            false => self.only_object(layout)?,
        };
        let offset = match layout.by_offset {
            true => Expression::EveryOffset,
            false => number(layout.start?.into()),
        };
        let read = |view| {
            let (object, offset) = (object.clone(), offset.clone());
            Expression::content(memory, object, offset, layout.bytes, view)
        };
        match (layout.cell, part, self.as_bits()) {
            (CellKind::Number { .. }, Part::Number, false) => {
                Some(Word::Number(read(View::Signed)))
            }
            (CellKind::Number { width }, Part::Number, true) => Some(Word::Bits(Bits {
                width,
                unsigned: read(View::Unsigned),
            })),
            (CellKind::Pointer, Part::Object, _) => Some(Word::Object(read(View::Object))),
            (CellKind::Pointer, Part::Offset, _) => Some(self.offset(read(View::Offset))),
            (CellKind::Number { .. } | CellKind::Pointer, _, _) => None,
        }
    }

    /// The only object of a region.
    fn only_object(&self, layout: &Layout) -> Option<Expression> {
        match layout.only? {
            Site::Global(global) => {
                let first = BigInt::from(FIRST_OBJECT) + self.module.functions.len();
                let place = first + global.as_u32();
                Some(Expression::Number(place.to_string()))
            }
            Site::Instruction(function, id) if function == self.function => self.made(id),
            Site::Instruction(..) | Site::Environment => None,
        }
    }

    /// The object that an instruction has made before, if every way here has passed it.
    pub fn made(&self, id: InstId) -> Option<Expression> {
        let When::Head(head) = self.when else {
            return None;
        };
        let mut blocks = self.body.blocks.iter();
        let own = blocks.find(|(_, block)| block.instructions.contains(&id));
        let (block, _) = own?;
        let result = self.body.instructions[id].results.first()?;
        let is_visible = self.dominators.strictly_dominates(block, head);
        is_visible.then(|| Expression::Object(Subject::Value(result.as_u32())))
    }

    fn ghost(&self, kept: Kept, at_entry: bool) -> Option<Word> {
        let object = Expression::EveryObject;
        match kept {
            Kept::Life => Some(Word::Truth(match (at_entry, self.when) {
                (false, _) | (true, When::Called) => Formula::Alive(object),
                (true, When::Head(_) | When::Returned) => Formula::AliveAtEntry(object),
            })),
            Kept::Size => Some(self.offset(Expression::Size(Box::new(object)))),
            Kept::Origin | Kept::Region(..) => None,
        }
    }

    /// Whether an argument is about the function that claims are made of, and not one of its callers.
    fn is_own(&self, entry: &Entry) -> bool {
        match entry.role {
            Role::Value { frame, .. } | Role::Content { frame, .. } => frame == self.frame,
            Role::Entry { .. } | Role::EntryGhost { .. } => self.frame == 0,
            _ => true,
        }
    }

    /// The memory that an argument is about.
    pub fn memory(&self, entry: &Entry) -> Option<Subject> {
        if !self.is_own(entry) {
            return None;
        }
        match entry.role {
            Role::Content { value, .. } | Role::Entry { value, .. } => {
                Some(Subject::Value(value.as_u32()))
            }
            Role::Result { number, .. } => Some(Subject::Result(u32::try_from(number).ok()?)),
            _ => None,
        }
    }

    /// What is certain of the objects that an argument's region has: claims speak of every object, and say nothing of what
    /// the region holds elsewhere or before anybody wrote it.
    pub fn guard(&self, entry: &Entry) -> Option<Formula> {
        self.memory(entry)?;
        let region = match entry.role {
            Role::Content { value, .. } | Role::Entry { value, .. } => self.body.ty(value).region(),
            Role::Result { number, .. } => {
                let scalars = self.module.functions[self.function].signature.results.len();
                let memory = number.checked_sub(scalars)?;
                self.body.memory_results().nth(memory)
            }
            _ => None,
        };
        let layout = self.layouts.get(self.function, region?);
        if !layout.by_object {
            return None;
        }
        let k = || Expression::EveryObject;
        let mut all = vec![Formula::Alive(k())];
        if layout.on_heap {
            all.push(Formula::OnHeap(k()));
        }
        if let Some(size) = layout.size {
            let size = Expression::Number(size.to_string());
            all.push(Expression::Size(Box::new(k())).equals(size));
        }
        Some(Formula::All(all))
    }
}
