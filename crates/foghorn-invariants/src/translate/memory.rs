//! Pointers, objects and accesses.
//!
//! Here is whether accesses lie within their objects; what they read and write is in `contents`.

use foghorn_absint::language::{BinaryOperator, Statement};
use foghorn_absint::linear::{LinearConstraint, LinearExpression};
use foghorn_absint::number::Number;
use foghorn_absint::variable::Type as GotoType;
use foghorn_core::CheckKind;
use foghorn_dsa::Site;
use foghorn_ir::{AllocationKind, Constant, InstId, Instruction, ValueDef, ValueId};

use super::FunctionTranslator;
use super::comparison::linear;
use super::operand::{PointerView, Truth};
use crate::contents::Contents;
use crate::decision::Conjunction;
use crate::dropped::DroppedKind;
use crate::obligation::ObligationKind;
use crate::shape::Shape;

/// What an access does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Direction {
    Read,
    Write,
}

/// The null pointer.
pub(super) fn null() -> PointerView {
    PointerView {
        is_object: Truth::Constant(false),
        offset: LinearExpression::constant(0),
        size: Some(LinearExpression::constant(0)),
    }
}

impl FunctionTranslator<'_> {
    /// The pointer that a pointer is an offset of, within the function.
    pub(super) fn root(&self, pointer: ValueId) -> ValueId {
        let mut root = pointer;
        while let ValueDef::Result(instruction, _) = self.body.values[root].def
            && let Instruction::PointerAdd { base, .. } =
                &self.body.instructions[instruction].instruction
        {
            root = *base;
        }
        root
    }

    /// Whether the objects that an instruction accesses live as long as the program: globals, what the
    /// outside handed over, and the heap of a program that frees nothing.
    fn is_never_freed(&self, id: InstId) -> bool {
        let uses = &self.body.instructions[id].memory;
        let lasting = |site: &Site| match site {
            Site::Global(_) => true,
            Site::Instruction(function, instruction) => {
                let body = self.module.functions[*function].body.as_ref();
                body.is_some_and(|body| match body.instructions[*instruction].instruction {
                    Instruction::Allocate { kind, .. } => match kind {
                        AllocationKind::Permanent => true,
                        AllocationKind::Heap => self.regions.never_frees,
                        AllocationKind::Stack => false,
                    },
                    _ => false,
                })
            }
            Site::Environment => false,
        };
        !uses.is_empty()
            && uses.iter().all(|memory| {
                let facts = self.regions.of(self.function, memory.region);
                facts
                    .is_some_and(|facts| !facts.sites.is_empty() && facts.sites.iter().all(lasting))
            })
    }

    /// Whether the object of a pointer can be dead at no time the function runs: a global, or a
    /// stack object of this call without a scope of its own.
    fn is_always_alive(&self, pointer: ValueId) -> bool {
        let root = self.root(pointer);
        match self.body.values[root].def {
            ValueDef::Constant(Constant::Global(_)) => true,
            ValueDef::Constant(
                Constant::Int(_)
                | Constant::F32(_)
                | Constant::F64(_)
                | Constant::Null
                | Constant::Function(_),
            )
            | ValueDef::Param(..)
            | ValueDef::Memory(..) => false,
            ValueDef::Result(instruction, _) => {
                let data = &self.body.instructions[instruction];
                let on_stack = matches!(
                    data.instruction,
                    Instruction::Allocate {
                        kind: AllocationKind::Stack,
                        ..
                    }
                );
                on_stack && !self.has_scope(root)
            }
        }
    }

    /// Whether the function may end the life of a stack object before it returns.
    fn has_scope(&self, object: ValueId) -> bool {
        let ends = |id: InstId| match &self.body.instructions[id].instruction {
            Instruction::LifetimeStart { pointer } | Instruction::LifetimeEnd { pointer } => {
                self.root(*pointer) == object || !self.is_root_known(*pointer)
            }
            Instruction::StackRestore { .. } => true,
            _ => false,
        };
        let mut blocks = self.body.blocks.values();
        blocks.any(|block| block.instructions.iter().any(|id| ends(*id)))
    }

    /// Whether a pointer is an offset of an allocation of this function.
    fn is_root_known(&self, pointer: ValueId) -> bool {
        let ValueDef::Result(instruction, _) = self.body.values[self.root(pointer)].def else {
            return false;
        };
        let instruction = &self.body.instructions[instruction].instruction;
        matches!(instruction, Instruction::Allocate { .. })
    }

    pub(super) fn pointer_add(
        &mut self,
        result: ValueId,
        base: ValueId,
        constant: i64,
        scaled: &[(ValueId, i64)],
    ) {
        let Shape::Pointer(target) = self.shapes[result] else {
            return;
        };
        let mut view = self.pointer(base);
        view.offset.add_constant(&Number::from(constant));
        for (index, scale) in scaled {
            let index = self.expression(*index).scaled(&Number::from(*scale));
            view.offset = view.offset.plus(&index);
        }
        self.set_pointer(target, view);
    }

    pub(super) fn allocate(&mut self, id: InstId, kind: AllocationKind, size: ValueId) {
        if kind == AllocationKind::Heap {
            // Whether what is allocated is freed again is not followed.
            for (check, obligation) in [
                (CheckKind::Leak, ObligationKind::Leak),
                (CheckKind::NotFreed, ObligationKind::Cleanup),
            ] {
                if self.is_on(check) {
                    self.oblige(id, obligation, vec![Vec::new()]);
                }
            }
        }
        self.forget_newborn(id);
        let Shape::Pointer(target) = self.shapes[self.body.result(id)] else {
            return;
        };
        let view = PointerView {
            is_object: Truth::Constant(true),
            offset: LinearExpression::constant(0),
            size: Some(self.expression(size)),
        };
        self.set_pointer(target, view);
        // No object is as large as half of the addresses.
        let some = LinearConstraint::less_or_equal(0, target.size);
        self.emitter.assume(some.into());
    }

    /// A new object has contents that nobody determined.
    fn forget_newborn(&mut self, id: InstId) {
        let site = Site::Instruction(self.function, id);
        for region in self.body.regions.keys() {
            let facts = self.regions.of(self.function, region);
            if facts.is_none_or(|facts| facts.sites.contains(&site)) {
                match self.contents[region] {
                    Contents::Population(population) => self.bear(id, region, population),
                    Contents::Dropped | Contents::Scalar { .. } | Contents::Array { .. } => {
                        self.havoc_region(region);
                    }
                }
            }
        }
    }

    /// Null may always be freed; of other pointers it is not known whether they may.
    pub(super) fn free(&mut self, id: InstId, pointer: ValueId) {
        let violations = self.null_test(pointer).fails;
        self.oblige(id, ObligationKind::Free, violations);
    }

    pub(super) fn load(
        &mut self,
        id: InstId,
        pointer: ValueId,
        align: u32,
        earlier: Option<ValueId>,
    ) {
        let bytes = self.store_size(self.body.result(id));
        self.access(id, pointer, bytes, Direction::Read);
        self.alignment(id, pointer, align);
        match earlier {
            Some(earlier) => self.repeat(id, earlier),
            None => self.read_memory(id, pointer),
        }
    }

    pub(super) fn store(&mut self, id: InstId, pointer: ValueId, value: ValueId, align: u32) {
        let bytes = self.store_size(value);
        self.access(id, pointer, bytes, Direction::Write);
        self.alignment(id, pointer, align);
        self.write_memory(id, pointer, value);
    }

    pub(super) fn store_size(&self, value: ValueId) -> u32 {
        let ty = self.body.ty(value);
        ty.store_size(self.module.layout.pointer_bytes)
    }

    /// An access to so many bytes: it fails, or it lies within an object.
    fn access(&mut self, id: InstId, pointer: ValueId, bytes: u32, direction: Direction) {
        let length = LinearExpression::constant(bytes);
        let valid = self.valid(pointer, &length);
        let mut violations: Vec<Conjunction> = valid.iter().map(|it| vec![it.negate()]).collect();
        self.add_unknown_size(pointer, &mut violations);
        self.oblige_access(id, pointer, violations, direction);
        self.emitter.assume_all(&valid);
    }

    fn oblige_access(
        &mut self,
        id: InstId,
        pointer: ValueId,
        violations: Vec<Conjunction>,
        direction: Direction,
    ) {
        let kind = ObligationKind::Access {
            alive: self.is_always_alive(pointer) || self.is_never_freed(id),
            writable: direction == Direction::Read || self.is_writable(id, pointer),
        };
        self.oblige(id, kind, violations);
    }

    /// Whether an instruction that writes through a pointer never meets a constant.
    fn is_writable(&self, id: InstId, pointer: ValueId) -> bool {
        let root = self.root(pointer);
        if let Some(Constant::Global(global)) = self.body.as_constant(root) {
            return !self.module.globals[global].constant;
        }
        if self.is_root_known(pointer) {
            return true;
        }
        let written = self.body.instructions[id].memory.iter();
        let mut written = written.filter(|it| it.output.is_some()).peekable();
        written.peek().is_some()
            && written.all(|it| {
                let facts = self.regions.of(self.function, it.region);
                facts.is_some_and(|facts| !facts.constant)
            })
    }

    /// The offset is a multiple of the alignment, and so is the address of the object.
    fn alignment(&mut self, id: InstId, pointer: ValueId, align: u32) {
        if !self.options.alignment || align <= 1 || !self.is_on(CheckKind::Misaligned) {
            return;
        }
        let offset = self.pointer(pointer).offset;
        let low = self.low_bits(offset, align);
        let mut violations = vec![vec![linear(LinearConstraint::not_equal(low, 0))]];
        if self
            .object_alignment(pointer)
            .is_none_or(|object| object < align)
        {
            violations.push(Vec::new());
        }
        self.oblige(id, ObligationKind::Alignment, violations);
    }

    /// A number modulo a power of two, as an expression.
    fn low_bits(&mut self, number: LinearExpression, modulus: u32) -> LinearExpression {
        let ty = GotoType::Integer {
            width: self.pointer_bits(),
        };
        let (whole, low) = (self.emitter.temporary(ty), self.emitter.temporary(ty));
        self.emitter.assign(whole, number);
        self.emitter.push(Statement::Binary {
            operator: BinaryOperator::And,
            target: low,
            left: whole.into(),
            right: i64::from(modulus - 1).into(),
        });
        LinearExpression::variable(low)
    }

    /// The alignment of the object of a pointer, if it is known within the function.
    fn object_alignment(&self, pointer: ValueId) -> Option<u32> {
        match self.body.values[self.root(pointer)].def {
            ValueDef::Constant(Constant::Global(global)) => Some(self.module.globals[global].align),
            ValueDef::Result(instruction, _) => {
                match self.body.instructions[instruction].instruction {
                    Instruction::Allocate { align, .. } => Some(align),
                    _ => None,
                }
            }
            ValueDef::Constant(
                Constant::Int(_)
                | Constant::F32(_)
                | Constant::F64(_)
                | Constant::Null
                | Constant::Function(_),
            )
            | ValueDef::Param(..)
            | ValueDef::Memory(..) => None,
        }
    }

    /// Where the size of an object is not known, a violation can always be.
    fn add_unknown_size(&self, pointer: ValueId, violations: &mut Vec<Conjunction>) {
        if self.pointer(pointer).size.is_none() {
            violations.push(Vec::new());
        }
    }

    /// What holds of a pointer at which `length` bytes lie within an object.
    fn valid(&self, pointer: ValueId, length: &LinearExpression) -> Conjunction {
        let view = self.pointer(pointer);
        let mut valid = vec![
            view.is_object.is(true),
            linear(LinearConstraint::less_or_equal(0, view.offset.clone())),
        ];
        if let Some(size) = view.size {
            let end = view.offset.plus(length);
            valid.push(linear(LinearConstraint::less_or_equal(end, size)));
        }
        valid
    }

    /// An access to a number of bytes that the program computes; to none, any pointer will do.
    pub(super) fn range_access(
        &mut self,
        id: InstId,
        pointer: ValueId,
        length: ValueId,
        direction: Direction,
    ) {
        let length = self.expression(length);
        if length.as_constant().is_some_and(Number::is_zero) {
            return;
        }
        let valid = self.valid(pointer, &length);
        let non_zero = linear(LinearConstraint::not_equal(length.clone(), 0));
        let negative = linear(LinearConstraint::less(length.clone(), 0));
        let mut violations: Vec<Conjunction> = valid
            .iter()
            .map(|it| vec![non_zero.clone(), it.negate()])
            .collect();
        // As an unsigned number it is beyond the size of every object.
        violations.push(vec![negative.clone()]);
        self.add_unknown_size(pointer, &mut violations);
        self.oblige_access(id, pointer, violations, direction);
        self.emitter.assume(negative.negate());
        if length.is_constant() {
            self.emitter.assume_all(&valid);
        } else {
            self.dropped.count(DroppedKind::SymbolicLength);
        }
    }
}
