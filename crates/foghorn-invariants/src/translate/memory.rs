//! Pointers, objects and accesses.
//!
//! The contents of memory are not followed: what is loaded is any value. What is followed is
//! whether accesses lie within their objects.

use foghorn_absint::linear::{LinearConstraint, LinearExpression};
use foghorn_absint::number::Number;
use foghorn_ir::{AllocationKind, Constant, InstId, Instruction, ValueDef, ValueId};

use super::FunctionTranslator;
use super::comparison::linear;
use super::operand::{PointerView, Truth};
use crate::decision::Conjunction;
use crate::dropped::DroppedKind;
use crate::obligation::ObligationKind;
use crate::shape::Shape;

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

    pub(super) fn allocate(&mut self, result: ValueId, size: ValueId) {
        let Shape::Pointer(target) = self.shapes[result] else {
            return;
        };
        let view = PointerView {
            is_object: Truth::Constant(true),
            offset: LinearExpression::constant(0),
            size: Some(self.expression(size)),
        };
        self.set_pointer(target, view);
        self.assume_size(target.size);
    }

    pub(super) fn load(&mut self, id: InstId, pointer: ValueId) {
        let result = self.body.result(id);
        let bytes = self.body.ty(result);
        let bytes = bytes.store_size(self.module.layout.pointer_bytes);
        self.access(id, pointer, bytes);
        self.drop_results(id, DroppedKind::Load);
    }

    /// An access to so many bytes: it fails, or it lies within an object.
    pub(super) fn access(&mut self, id: InstId, pointer: ValueId, bytes: u32) {
        let length = LinearExpression::constant(bytes);
        let valid = self.valid(pointer, &length);
        let mut violations: Vec<Conjunction> = valid.iter().map(|it| vec![it.negate()]).collect();
        self.add_unknown_size(pointer, &mut violations);
        self.oblige_access(id, pointer, violations);
        self.emitter.assume_all(&valid);
    }

    fn oblige_access(&mut self, id: InstId, pointer: ValueId, violations: Vec<Conjunction>) {
        let kind = ObligationKind::Access {
            alive: self.is_always_alive(pointer),
        };
        self.oblige(id, kind, violations);
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
    pub(super) fn range_access(&mut self, id: InstId, pointer: ValueId, length: ValueId) {
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
        self.oblige_access(id, pointer, violations);
        self.emitter.assume(negative.negate());
        if length.is_constant() {
            self.emitter.assume_all(&valid);
        } else {
            self.dropped.count(DroppedKind::SymbolicLength);
        }
    }
}
