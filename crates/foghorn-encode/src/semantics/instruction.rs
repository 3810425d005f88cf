//! Instructions: scalars here, the rest by whoever knows.

use crate::execute::Executor;
use crate::execute::event::What;
use crate::float::format_of;
use crate::scalar;
use crate::semantics::object::{NULL, Origin, UNKNOWN};
use cranelift_entity::EntityRef;
use foghorn_core::{CheckKind, SiteKind};
use foghorn_ir::{
    Body, CastOp, Constant, InstId, Instruction, IntPredicate, NondetOrigin, Type, ValueId,
};
use foghorn_term::{BitVecValue, Sort, TermId};

impl<'m> Executor<'m, '_> {
    /// The sort of the values of a type.
    pub fn sort(&self, ty: Type) -> Sort {
        match ty {
            Type::Int(1) => Sort::Bool,
            Type::Int(width) => Sort::BitVec(width.into()),
            Type::F32 => Sort::BitVec(32),
            Type::F64 => Sort::BitVec(64),
            Type::Ptr => Sort::Pointer {
                width: self.pointer_bits,
            },
            Type::Memory(_) => unreachable!("invariant: memories have no sort of their own"),
        }
    }

    pub(crate) fn constant(&mut self, ty: Type, constant: Constant) -> TermId {
        match constant {
            Constant::Int(bits) => {
                let width = ty.int_width().unwrap_or(self.pointer_bits);
                let bits = self.pool.bitvec(BitVecValue::from_u128(width, bits));
                scalar::from_bits(self.pool, bits)
            }
            Constant::F32(bits) => self.pool.bv(32, bits.into()),
            Constant::F64(bits) => self.pool.bv(64, bits),
            Constant::Null => self.pointer_to(NULL, 0),
            Constant::Global(global) => {
                let number = self.memo.objects.number(Origin::Global(global));
                self.pointer_to(number, 0)
            }
            Constant::Function(function) => {
                let number = self.memo.objects.number(Origin::Function(function));
                self.pointer_to(number, 0)
            }
        }
    }

    /// A pointer to a known place.
    pub(crate) fn pointer_to(&mut self, object: u64, offset: i64) -> TermId {
        let width = self.pointer_bits;
        let base = self.pool.bv(width, object);
        let offset = self.pool.bitvec(BitVecValue::from_i64(width, offset));
        self.pool.pointer(base, offset)
    }

    /// Executes one instruction.
    pub fn instruction(&mut self, id: InstId) {
        let body: &'m Body = self.frame().body;
        let data = &body.instructions[id];
        match &data.instruction {
            Instruction::Binary { op, lhs, rhs } => {
                let width = body.ty(*lhs).int_width().unwrap_or(1);
                let (lhs, rhs) = (self.get(*lhs), self.get(*rhs));
                let term = scalar::binary(self.pool, *op, width, lhs, rhs);
                self.set_result(id, term);
            }
            Instruction::Overflows {
                op,
                signed,
                lhs,
                rhs,
            } => {
                let (lhs, rhs) = (self.get(*lhs), self.get(*rhs));
                let term = scalar::overflows(self.pool, *op, *signed, lhs, rhs);
                self.set_result(id, term);
            }
            Instruction::Unary { op, operand } => {
                let operand = self.get(*operand);
                let term = scalar::unary(self.pool, *op, operand);
                self.set_result(id, term);
            }
            Instruction::Compare {
                predicate,
                lhs,
                rhs,
            } => self.compare(body, id, *predicate, *lhs, *rhs),
            Instruction::Cast { op, operand } => self.cast(body, id, *op, *operand),
            Instruction::FloatUnary { .. }
            | Instruction::FloatBinary { .. }
            | Instruction::FusedMultiplyAdd { .. }
            | Instruction::FloatCompare { .. } => self.float(body, id),
            Instruction::Select {
                condition,
                on_true,
                on_false,
            } => {
                let condition = self.get(*condition);
                let condition = self.memory.simplify(self.pool, condition);
                let (on_true, on_false) = (self.get(*on_true), self.get(*on_false));
                let term = self.pool.ite(condition, on_true, on_false);
                self.set_result(id, term);
            }
            Instruction::PointerAdd {
                base,
                constant,
                scaled,
            } => self.pointer_add(id, *base, *constant, scaled),
            Instruction::Nondet { origin } => self.nondet(body, id, origin),
            Instruction::Check {
                kind, condition, ..
            } => {
                let condition = self.get(*condition);
                if kind.ends_program() && !self.is_enabled(*kind) {
                    self.end_unless(condition);
                } else {
                    self.explicit_check(id, *kind, condition);
                }
            }
            Instruction::Assume { condition } => {
                let condition = self.get(*condition);
                self.assume(condition);
            }
            Instruction::Bind { .. } => {}
            Instruction::Allocate { .. }
            | Instruction::Free { .. }
            | Instruction::LifetimeStart { .. }
            | Instruction::LifetimeEnd { .. }
            | Instruction::StackSave
            | Instruction::StackRestore { .. } => self.lifetime(body, id),
            Instruction::Load { .. }
            | Instruction::Store { .. }
            | Instruction::MemoryCopy { .. }
            | Instruction::MemorySet { .. } => self.access(body, id),
            Instruction::Call { callee, arguments } => self.call(body, id, callee, arguments),
        }
    }

    /// A check of the program. One that is switched off and whose failure has a meaning on the
    /// machine says nothing.
    fn explicit_check(&mut self, id: InstId, kind: CheckKind, condition: TermId) {
        if !self.is_enabled(kind) && self.settings.has_machine_meaning(kind) {
            return;
        }
        if kind == CheckKind::InvalidCall && !self.is_enabled(kind) {
            // Behind an undetermined function pointer anything may happen, and go on.
            self.oblige(
                id,
                condition,
                "a call through a pointer to no known function",
            );
        }
        self.check(SiteKind::Explicit(kind), id, condition);
    }

    fn compare(
        &mut self,
        body: &Body,
        id: InstId,
        predicate: IntPredicate,
        lhs: ValueId,
        rhs: ValueId,
    ) {
        let is_pointer = body.ty(lhs) == Type::Ptr;
        let (lhs, rhs) = (self.get(lhs), self.get(rhs));
        let term = if is_pointer {
            self.compare_pointers(id, predicate, lhs, rhs)
        } else {
            scalar::compare(self.pool, predicate, lhs, rhs)
        };
        let term = self.memory.simplify(self.pool, term);
        self.set_result(id, term);
    }

    fn cast(&mut self, body: &Body, id: InstId, op: CastOp, operand: ValueId) {
        let (from, to) = (body.ty(operand), body.ty(body.instructions[id].results[0]));
        let operand = self.get(operand);
        let width = to.int_width().unwrap_or(self.pointer_bits);
        let term = match op {
            CastOp::Trunc | CastOp::ZExt => scalar::zero_resized(self.pool, operand, width),
            CastOp::SExt => scalar::sign_resized(self.pool, operand, width),
            CastOp::PtrToInt => {
                let address = self.address(operand);
                scalar::zero_resized(self.pool, address, width)
            }
            CastOp::IntToPtr => {
                let address = scalar::as_bits(self.pool, operand);
                let address = self.pool.zero_resize(self.pointer_bits, address);
                self.pointer_from_address(address)
            }
            CastOp::FpTrunc
            | CastOp::FpExt
            | CastOp::FpToUi
            | CastOp::FpToSi
            | CastOp::UiToFp
            | CastOp::SiToFp
            | CastOp::Bitcast => self
                .memo
                .floats
                .cast(self.pool, op, from, to, operand)
                .expect("invariant: the verifier checks conversions"),
        };
        self.set_result(id, term);
    }

    fn float(&mut self, body: &Body, id: InstId) {
        let format = |value: ValueId| {
            format_of(body.ty(value)).expect("invariant: float operators have float operands")
        };
        let term = match &body.instructions[id].instruction {
            Instruction::FloatUnary { op, operand } => {
                let format = format(*operand);
                let operand = self.get(*operand);
                self.memo.floats.unary(self.pool, *op, format, operand)
            }
            Instruction::FloatBinary { op, lhs, rhs } => {
                let format = format(*lhs);
                let (lhs, rhs) = (self.get(*lhs), self.get(*rhs));
                self.memo.floats.binary(self.pool, *op, format, lhs, rhs)
            }
            Instruction::FusedMultiplyAdd { a, b, c } => {
                let format = format(*a);
                let operands = [self.get(*a), self.get(*b), self.get(*c)];
                self.memo
                    .floats
                    .fused_multiply_add(self.pool, format, operands)
            }
            Instruction::FloatCompare {
                predicate,
                lhs,
                rhs,
            } => {
                let format = format(*lhs);
                let (lhs, rhs) = (self.get(*lhs), self.get(*rhs));
                self.memo
                    .floats
                    .compare(self.pool, *predicate, format, lhs, rhs)
            }
            other => unreachable!("invariant: {other:?} is no float operator"),
        };
        self.set_result(id, term);
    }

    fn nondet(&mut self, body: &Body, id: InstId, origin: &NondetOrigin) {
        let Some(&result) = body.instructions[id].results.first() else {
            return;
        };
        if let Some(region) = body.ty(result).region() {
            let cell = self.cells.of(&body.regions[region]);
            let name = format!("m{}.{}", self.context().index(), region.index());
            let memory = self.arbitrary_memory(&name, cell);
            self.set(result, memory);
            return;
        }
        if let NondetOrigin::OverApproximated(what) = origin {
            let span = self.span(id);
            self.note_over_approximation(what, span);
        }
        let term = self.input(id, 0, origin, body.ty(result));
        self.set(result, term);
    }

    /// A value that the program does not determine.
    pub(crate) fn input(
        &mut self,
        id: InstId,
        number: u32,
        origin: &NondetOrigin,
        ty: Type,
    ) -> TermId {
        if let NondetOrigin::External(name) | NondetOrigin::Change(name) = origin {
            self.note_external(name);
        }
        let point = self.point(id);
        let width = match ty {
            Type::Ptr => self.pointer_bits,
            Type::Int(width) => width.into(),
            Type::F32 => 32,
            Type::F64 => 64,
            Type::Memory(_) => unreachable!("invariant: memories are no inputs"),
        };
        let symbol = self.symbol(id, number, origin.name(), Sort::BitVec(width));
        if let (Type::Ptr, NondetOrigin::External(_) | NondetOrigin::Change(_), true) =
            (ty, origin, self.has_external_contents)
        {
            let left = self.left_outside(id);
            let pointer = match origin {
                // Somebody who looks for what is known: a number alone leads nowhere.
                NondetOrigin::Change(_) => left,
                _other => self.pointer_from_address_or(symbol, Some(left)),
            };
            let bits = self.pointer_bits_of(pointer);
            self.note(What::Input {
                point: Some(point),
                bits,
            });
            return pointer;
        }
        self.note(What::Input {
            point: Some(point),
            bits: symbol,
        });
        match (ty, origin) {
            (Type::Ptr, NondetOrigin::Uninitialised(_)) => {
                let unknown = self.pool.bv(self.pointer_bits, UNKNOWN);
                self.pool.pointer(unknown, symbol)
            }
            (Type::Ptr, _) => self.pointer_from_address(symbol),
            (Type::Int(_) | Type::F32 | Type::F64 | Type::Memory(_), _) => {
                scalar::from_bits(self.pool, symbol)
            }
        }
    }
}
