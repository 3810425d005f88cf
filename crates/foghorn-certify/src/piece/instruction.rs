//! What instructions do, on the terms of a piece.
//!
//! The encoding is this crate's own: nothing here is shared with the executor that engines use, except
//! what scalars and floats mean. A value that is not expressed is any value.

use super::walk::{State, Walker};
use super::world::{Known, MemoryId, OBJECT_BITS, Pointer};
use foghorn_core::{CheckKind, SiteKind};
use foghorn_encode::claim::UNKNOWN;
use foghorn_encode::float::format_of;
use foghorn_encode::scalar;
use foghorn_ir::{CastOp, Constant, InstId, Instruction, IntPredicate, Type, ValueId};
use foghorn_term::{BitVecValue, Op, Sort, TermId};

impl<'a> Walker<'a, '_, '_> {
    pub(super) fn constant(&mut self, ty: Type, constant: Constant) -> Known {
        let world = &mut *self.world;
        match constant {
            Constant::Int(value) => {
                let width = ty.int_width().unwrap_or_else(|| world.bits());
                let bits = world.pool.bitvec(BitVecValue::from_u128(width, value));
                Known::Scalar(scalar::from_bits(&mut world.pool, bits))
            }
            Constant::F32(bits) => Known::Scalar(world.pool.bv(32, bits.into())),
            Constant::F64(bits) => Known::Scalar(world.pool.bv(64, bits)),
            Constant::Null => Known::Pointer(world.null()),
            Constant::Global(global) => {
                let number = world.global_number(global);
                Known::Pointer(world.pointer_to(number))
            }
            Constant::Function(function) => {
                let number = super::world::World::function_number(function);
                Known::Pointer(world.pointer_to(number))
            }
        }
    }

    /// The result of an instruction that is a function of its operands.
    pub(super) fn pure_result(
        &mut self,
        instruction: &'a Instruction,
        result: ValueId,
        get: &mut dyn FnMut(&mut Self, ValueId) -> Known,
    ) -> Known {
        let ty = self.body.ty(result);
        match instruction {
            Instruction::Binary { op, lhs, rhs } => {
                let width = self.body.ty(*lhs).int_width().unwrap_or(1);
                let (a, b) = (term(get(self, *lhs)), term(get(self, *rhs)));
                Known::Scalar(scalar::binary(&mut self.world.pool, *op, width, a, b))
            }
            Instruction::Overflows {
                op,
                signed,
                lhs,
                rhs,
            } => {
                let (a, b) = (term(get(self, *lhs)), term(get(self, *rhs)));
                Known::Scalar(scalar::overflows(&mut self.world.pool, *op, *signed, a, b))
            }
            Instruction::Unary { op, operand } => {
                let operand = term(get(self, *operand));
                Known::Scalar(scalar::unary(&mut self.world.pool, *op, operand))
            }
            Instruction::Compare {
                predicate,
                lhs,
                rhs,
            } => {
                let (a, b) = (get(self, *lhs), get(self, *rhs));
                Known::Scalar(match (a, b) {
                    (Known::Pointer(a), Known::Pointer(b)) => self.order(*predicate, a, b),
                    (a, b) => scalar::compare(&mut self.world.pool, *predicate, term(a), term(b)),
                })
            }
            Instruction::Cast { op, operand } => {
                let (from, operand) = (self.body.ty(*operand), get(self, *operand));
                self.cast(*op, operand, from, ty)
            }
            Instruction::Select {
                condition,
                on_true,
                on_false,
            } => {
                let condition = term(get(self, *condition));
                let (a, b) = (get(self, *on_true), get(self, *on_false));
                self.world.choose(condition, a, b)
            }
            Instruction::PointerAdd {
                base,
                constant,
                scaled,
            } => {
                let bits = self.world.bits();
                let mut to = pointer(get(self, *base));
                let constant = self.world.signed(bits, (*constant).into());
                to.offset = self.world.pool.bv_add(to.offset, constant);
                for (index, scale) in scaled {
                    let index = term(get(self, *index));
                    let scale = self.world.signed(bits, (*scale).into());
                    let moved = self.world.pool.bv_mul(index, scale);
                    to.offset = self.world.pool.bv_add(to.offset, moved);
                }
                Known::Pointer(to)
            }
            other => self.float_result(other, ty, get),
        }
    }

    fn float_result(
        &mut self,
        instruction: &'a Instruction,
        ty: Type,
        get: &mut dyn FnMut(&mut Self, ValueId) -> Known,
    ) -> Known {
        let bits = match instruction {
            Instruction::FloatUnary { op, operand } => {
                let format = format_of(self.body.ty(*operand));
                let operand = term(get(self, *operand));
                let world = &mut *self.world;
                format.map(|format| world.floats.unary(&mut world.pool, *op, format, operand))
            }
            Instruction::FloatBinary { op, lhs, rhs } => {
                let format = format_of(self.body.ty(*lhs));
                let (a, b) = (term(get(self, *lhs)), term(get(self, *rhs)));
                let world = &mut *self.world;
                format.map(|format| world.floats.binary(&mut world.pool, *op, format, a, b))
            }
            Instruction::FusedMultiplyAdd { a, b, c } => {
                let format = format_of(self.body.ty(*a));
                let operands = [*a, *b, *c].map(|it| term(get(self, it)));
                let world = &mut *self.world;
                format.map(|format| {
                    let pool = &mut world.pool;
                    world.floats.fused_multiply_add(pool, format, operands)
                })
            }
            Instruction::FloatCompare {
                predicate,
                lhs,
                rhs,
            } => {
                let format = format_of(self.body.ty(*lhs));
                let (a, b) = (term(get(self, *lhs)), term(get(self, *rhs)));
                let world = &mut *self.world;
                let pool = &mut world.pool;
                format.map(|format| world.floats.compare(pool, *predicate, format, a, b))
            }
            _ => None,
        };
        self.world.take_float_axioms();
        match bits {
            Some(bits) => Known::Scalar(bits),
            None => self.any(ty),
        }
    }

    fn cast(&mut self, op: CastOp, operand: Known, from: Type, to: Type) -> Known {
        let world = &mut *self.world;
        match (op, operand) {
            (CastOp::Trunc | CastOp::ZExt | CastOp::SExt, Known::Scalar(operand)) => {
                let width = to.int_width().unwrap_or(1);
                Known::Scalar(match op {
                    CastOp::SExt => scalar::sign_resized(&mut world.pool, operand, width),
                    _ => scalar::zero_resized(&mut world.pool, operand, width),
                })
            }
            (CastOp::PtrToInt, Known::Pointer(pointer)) => {
                let address = self.world.address(pointer);
                let width = to.int_width().unwrap_or(1);
                Known::Scalar(scalar::zero_resized(&mut self.world.pool, address, width))
            }
            (CastOp::IntToPtr, Known::Scalar(address)) => {
                if world.literal(address) == Some(0) {
                    return Known::Pointer(world.null());
                }
                self.any(to)
            }
            (CastOp::Bitcast, Known::Scalar(bits)) => Known::Scalar(bits),
            (
                CastOp::FpTrunc
                | CastOp::FpExt
                | CastOp::FpToUi
                | CastOp::FpToSi
                | CastOp::UiToFp
                | CastOp::SiToFp,
                Known::Scalar(operand),
            ) => {
                let bits = world.floats.cast(&mut world.pool, op, from, to, operand);
                world.take_float_axioms();
                match bits {
                    Some(bits) => Known::Scalar(bits),
                    None => self.any(to),
                }
            }
            (_, Known::Scalar(_) | Known::Pointer(_) | Known::Memory(_)) => self.any(to),
        }
    }

    /// A comparison of pointers: objects, then offsets. Addresses are not known.
    fn order(&mut self, predicate: IntPredicate, a: Pointer, b: Pointer) -> TermId {
        let world = &mut *self.world;
        let same = world.same_object(a.object, b.object);
        match predicate {
            IntPredicate::Eq | IntPredicate::Ne => {
                let offsets = world.pool.equal(a.offset, b.offset);
                let structural = world.pool.and(&[same, offsets]);
                let unknown = world.pool.bv(OBJECT_BITS, UNKNOWN);
                let unknowns = [a, b].map(|it| world.same_object(it.object, unknown));
                let any = world.pool.or(&unknowns);
                let other = world.pool.not(same);
                let by_address = world.pool.and(&[other, any]);
                let equal = match world.pool.as_bool(by_address) {
                    Some(false) => structural,
                    Some(true) | None => {
                        let open = world.pool.fresh_symbol("equal", Sort::Bool);
                        world.pool.ite(by_address, open, structural)
                    }
                };
                match predicate {
                    IntPredicate::Ne => world.pool.not(equal),
                    _ => equal,
                }
            }
            IntPredicate::Ult | IntPredicate::Ule | IntPredicate::Ugt | IntPredicate::Uge => {
                let by_offset = predicate.as_signed();
                let ordered = scalar::compare(&mut world.pool, by_offset, a.offset, b.offset);
                let open = world.pool.fresh_symbol("order", Sort::Bool);
                let first = world
                    .pool
                    .bv(OBJECT_BITS, foghorn_encode::claim::FIRST_OBJECT);
                let is_object = world.pool.make(Op::BvUle, &[first, a.object]);
                let decided = world.pool.and(&[same, is_object]);
                world.pool.ite(decided, ordered, open)
            }
            IntPredicate::Slt | IntPredicate::Sle | IntPredicate::Sgt | IntPredicate::Sge => {
                world.pool.fresh_symbol("order", Sort::Bool)
            }
        }
    }

    /// One instruction of the block at hand that is no call of a function.
    pub(super) fn instruction(&mut self, id: InstId, state: &mut State) {
        let data = &self.body.instructions[id];
        match &data.instruction {
            Instruction::Check {
                kind, condition, ..
            } => {
                let condition = term(self.get(*condition));
                let selected = self.world.checks.contains(*kind);
                if selected {
                    self.ask(state, id, SiteKind::Explicit(*kind), condition);
                }
                if *kind == CheckKind::InvalidCall && !selected {
                    // What such a call would do is not in the program, whoever asks about it.
                    self.oblige(state, condition, "a call that leads nowhere known");
                }
                if selected || kind.always_stops() {
                    self.end_unless(state, id, *kind, condition);
                }
            }
            Instruction::Assume { condition } => {
                let condition = term(self.get(*condition));
                self.assume(state, condition);
            }
            Instruction::Bind { .. } => {}
            Instruction::Nondet { .. } => {
                for &result in &data.results {
                    let any = self.any(self.body.ty(result));
                    self.set(result, any);
                }
            }
            Instruction::Allocate {
                kind, size, align, ..
            } => self.allocate(id, (*kind, (*align).into()), *size, state),
            Instruction::Free { pointer } => {
                let pointer = pointer_of(self.get(*pointer));
                self.free(id, pointer, state);
            }
            Instruction::LifetimeStart { pointer } => {
                let pointer = pointer_of(self.get(*pointer));
                self.come_to_life(pointer, state);
                for used in &data.memory {
                    self.forget(used, pointer, None);
                }
            }
            Instruction::LifetimeEnd { pointer } => {
                let pointer = pointer_of(self.get(*pointer));
                state.life = self.world.set_alive(state.life, pointer.object, false);
            }
            Instruction::StackSave => {
                let next = self.world.next_object();
                let bits = self.world.bits();
                let mark = self.world.pool.zero_resize(bits, next);
                self.set(data.results[0], Known::Scalar(mark));
            }
            Instruction::StackRestore { mark } => {
                let mark = term(self.get(*mark));
                let from = self.world.pool.zero_resize(OBJECT_BITS, mark);
                state.life = self.world.end_stack(state.life, from);
            }
            Instruction::Load { .. }
            | Instruction::Store { .. }
            | Instruction::MemoryCopy { .. }
            | Instruction::MemorySet { .. } => self.access(id, state),
            Instruction::Call { .. } => {
                unreachable!("invariant: calls are for whoever walks the piece")
            }
            instruction => {
                let result = data.results[0];
                if let Instruction::Compare {
                    predicate,
                    lhs,
                    rhs,
                } = instruction
                {
                    self.ask_order(id, *predicate, (*lhs, *rhs), state);
                }
                let known =
                    self.pure_result(instruction, result, &mut |walker, value| walker.get(value));
                let known = match instruction {
                    Instruction::Cast { op, operand } => self.exposed(*op, *operand, known, state),
                    _ => known,
                };
                self.set(result, known);
            }
        }
    }

    /// What is known of a conversion between pointers and numbers because of what is alive now.
    fn exposed(&mut self, op: CastOp, operand: ValueId, known: Known, state: &State) -> Known {
        match (op, self.get(operand)) {
            (CastOp::PtrToInt, of) => {
                let object = pointer_of(of).object;
                self.world.exposures.push((object, state.guard));
                self.world.keep_apart(state.guard, state.life);
                known
            }
            // The number is that of a pointer, which it becomes again if its object is alive.
            (CastOp::IntToPtr, Known::Scalar(address)) => {
                if self.body.ty(operand).int_width() != Some(self.world.bits()) {
                    return known;
                }
                let unexplained = match self.rules.exposes() {
                    true => known,
                    false => self.world.unknown_at(address),
                };
                let known = self.world.explain(address, state.life, unexplained);
                let Some(pointer) = self.world.addresses.get(&address).copied() else {
                    return known;
                };
                let alive = self.world.is_alive(state.life, pointer.object);
                self.world.choose(alive, Known::Pointer(pointer), known)
            }
            (_, Known::Scalar(_) | Known::Pointer(_) | Known::Memory(_)) => known,
        }
    }

    /// The program ends, or is left, where a check fails; then what must be freed by its end is looked at.
    fn end_unless(&mut self, state: &mut State, _: InstId, kind: CheckKind, condition: TermId) {
        if kind.ends_program() && !self.world.checks.contains(kind) {
            let fails = self.world.pool.not(condition);
            let mut ends = *state;
            self.assume(&mut ends, fails);
            self.ask_all_freed(&ends, false);
        }
        self.assume(state, condition);
    }

    fn ask_order(
        &mut self,
        id: InstId,
        predicate: IntPredicate,
        (lhs, rhs): (ValueId, ValueId),
        state: &mut State,
    ) {
        let is_equality = matches!(predicate, IntPredicate::Eq | IntPredicate::Ne);
        let selected = self.world.checks.contains(CheckKind::PointerComparison);
        if let (Known::Pointer(a), Known::Pointer(b), false, true) =
            (self.get(lhs), self.get(rhs), is_equality, selected)
        {
            let world = &mut *self.world;
            let same = world.same_object(a.object, b.object);
            let null = world.pool.bv_zero(OBJECT_BITS);
            let nulls = [a, b].map(|it| world.same_object(it.object, null));
            let allowed = world.pool.or(&[same, nulls[0], nulls[1]]);
            self.ask(state, id, SiteKind::PointerOrder, allowed);
            self.assume(state, allowed);
        }
    }
}

/// A scalar, which the verifier says that it is.
pub(super) fn term(known: Known) -> TermId {
    match known {
        Known::Scalar(term) => term,
        Known::Pointer(_) | Known::Memory(_) => unreachable!("invariant: a scalar by its type"),
    }
}

fn pointer(known: Known) -> Pointer {
    pointer_of(known)
}

/// A pointer, which the verifier says that it is.
pub(super) fn pointer_of(known: Known) -> Pointer {
    match known {
        Known::Pointer(pointer) => pointer,
        Known::Scalar(_) | Known::Memory(_) => unreachable!("invariant: a pointer by its type"),
    }
}

/// A memory, which the verifier says that it is.
pub(super) fn memory_of(known: Known) -> MemoryId {
    match known {
        Known::Memory(memory) => memory,
        Known::Scalar(_) | Known::Pointer(_) => unreachable!("invariant: a memory by its type"),
    }
}
