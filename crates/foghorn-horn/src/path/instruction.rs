//! Instructions: numbers here, the rest by whoever knows.

use super::{Event, Interrupt, State, Step};
use crate::clauses::Maker;
use crate::datum::{Datum, Pointer};
use crate::memory::{Contents, Node};
use crate::sabotage::Sabotage;
use foghorn_core::{CheckKind, SiteKind, SpanId, WhenOff};
use foghorn_encode::integers::Value;
use foghorn_ir::{
    BinaryOp, Body, CastOp, Constant, FunctionId, InstId, Instruction, NondetOrigin, Type,
    ValueDef, ValueId,
};
use foghorn_term::{Sort, TermId};

impl<'t> Maker<'t> {
    /// The body of a function that is executed.
    pub fn body(&self, function: FunctionId) -> &'t Body {
        let module = self.module;
        let body = module.functions[function].body.as_ref();
        body.expect("invariant: what is executed has a body")
    }

    /// The place of what is executed.
    pub fn span(&self, state: &State) -> SpanId {
        let frame = state.frame();
        let body = self.body(frame.function);
        let block = &body.blocks[frame.block];
        match block.instructions.get(frame.index) {
            Some(id) => body.instructions[*id].span,
            None => block.terminator_span,
        }
    }

    /// Whether an open site can depend on a value.
    pub fn matters(&self, function: FunctionId, value: ValueId) -> bool {
        self.relevance.contains(function, value)
    }

    /// The value in the frame on top. One that was not computed because it does not matter is any.
    pub fn get(&mut self, state: &State, value: ValueId) -> Datum {
        let frame = state.frame();
        let body = self.body(frame.function);
        if let ValueDef::Constant(constant) = body.values[value].def {
            return self.constant(body.ty(value), constant);
        }
        match frame.values.get(&value) {
            Some(Datum::Number { value, address }) => Datum::Number {
                value: self.narrow(state, value),
                address: address.clone(),
            },
            Some(other) => other.clone(),
            None => match body.ty(value) {
                Type::Memory(_) => Datum::Contents(Contents::new(Node::Anything)),
                ty => self.unknown_value(ty),
            },
        }
    }

    /// A value that no predicate tells.
    pub fn unknown_value(&mut self, ty: Type) -> Datum {
        match (self.sabotage, ty) {
            (Sabotage::MissingLive, Type::Int(_)) => {
                let width = self.width_of(ty);
                Datum::number(self.literal(width, 0))
            }
            _ => self.any_datum("unused", ty),
        }
    }

    pub fn set(&mut self, state: &mut State, value: ValueId, datum: Datum) {
        state.frame_mut().values.insert(value, datum);
    }

    pub fn number(&mut self, state: &State, value: ValueId) -> Value {
        match self.get(state, value) {
            Datum::Number { value, .. } => value,
            other => unreachable!("invariant: {other:?} is a number"),
        }
    }

    pub fn pointer(&mut self, state: &State, value: ValueId) -> Pointer {
        match self.get(state, value) {
            Datum::Pointer(pointer) => pointer,
            other => unreachable!("invariant: {other:?} is a pointer"),
        }
    }

    pub fn contents(&mut self, state: &State, value: ValueId) -> Contents {
        match self.get(state, value) {
            Datum::Contents(contents) => contents,
            other => unreachable!("invariant: {other:?} is contents"),
        }
    }

    fn constant(&mut self, ty: Type, constant: Constant) -> Datum {
        match constant {
            Constant::Int(bits) => {
                let width = self.width_of(ty);
                Datum::number(self.literal(width, bits))
            }
            Constant::F32(bits) => Datum::number(self.literal(32, bits.into())),
            Constant::F64(bits) => Datum::number(self.literal(64, bits.into())),
            Constant::Null => Datum::Pointer(self.null_pointer()),
            Constant::Global(global) => {
                let number = self.numbering.global(global);
                Datum::Pointer(self.pointer_to(number, 0))
            }
            Constant::Function(function) => {
                let number = self.numbering.function(function);
                Datum::Pointer(self.pointer_to(number, 0))
            }
        }
    }

    /// Executes one instruction.
    pub fn instruction(&mut self, state: &mut State, id: InstId) -> Step<()> {
        let function = state.frame().function;
        let body = self.body(function);
        let data = &body.instructions[id];
        if !data.instruction.has_effect()
            && !data.results.iter().any(|it| self.matters(function, *it))
            && !matches!(data.instruction, Instruction::Compare { .. })
        {
            return Ok(());
        }
        match &data.instruction {
            Instruction::Binary { op, lhs, rhs } => self.binary(state, id, *op, (*lhs, *rhs)),
            Instruction::Overflows {
                op,
                signed,
                lhs,
                rhs,
            } => {
                let width = self.width_of(body.ty(*lhs));
                let (lhs, rhs) = (self.number(state, *lhs), self.number(state, *rhs));
                let term =
                    self.integers
                        .overflows(&mut self.pool, *op, *signed, width, (&lhs, &rhs));
                self.set_truth(state, id, term);
                Ok(())
            }
            Instruction::Unary { op, operand } => {
                let width = self.width_of(body.ty(*operand));
                let operand = self.number(state, *operand);
                let value = self.integers.unary(&mut self.pool, *op, width, &operand);
                self.set_number(state, id, value);
                Ok(())
            }
            Instruction::Compare {
                predicate,
                lhs,
                rhs,
            } => {
                let term = match (self.get(state, *lhs), self.get(state, *rhs)) {
                    (Datum::Pointer(left), Datum::Pointer(right)) => {
                        self.compare_pointers(state, id, *predicate, (&left, &right))?
                    }
                    (Datum::Number { value: left, .. }, Datum::Number { value: right, .. }) => {
                        let width = self.width_of(body.ty(*lhs));
                        for value in [&left, &right] {
                            if self.pool.sort(value.term) == Sort::Int {
                                state.ranges.insert(value.term, value.range.clone());
                            }
                        }
                        self.integers
                            .compare(&mut self.pool, *predicate, width, &left, &right)
                    }
                    _ => unreachable!("invariant: values of one type are compared"),
                };
                self.set_truth(state, id, term);
                Ok(())
            }
            Instruction::Cast { op, operand } => self.cast(state, body, id, *op, *operand),
            Instruction::FloatUnary { .. }
            | Instruction::FloatBinary { .. }
            | Instruction::FusedMultiplyAdd { .. }
            | Instruction::FloatCompare { .. } => {
                self.any_result(state, id, "floating-point arithmetic");
                Ok(())
            }
            Instruction::Select {
                condition,
                on_true,
                on_false,
            } => {
                let condition = self.number(state, *condition).term;
                let (a, b) = (self.get(state, *on_true), self.get(state, *on_false));
                let chosen = match self.known(state, condition) {
                    Some(true) => a,
                    Some(false) => b,
                    None => self.select(condition, &a, &b),
                };
                self.set(state, data.results[0], chosen);
                Ok(())
            }
            Instruction::PointerAdd {
                base,
                constant,
                scaled,
            } => {
                let base = self.pointer(state, *base);
                let moved = self.move_pointer(state, &base, *constant, scaled);
                self.note_havocs(data.span);
                self.set(state, data.results[0], Datum::Pointer(moved));
                Ok(())
            }
            Instruction::Nondet { origin } => {
                self.nondet(state, body, id, origin);
                Ok(())
            }
            Instruction::Check {
                kind, condition, ..
            } => self.explicit_check(state, id, *kind, *condition),
            Instruction::Assume { condition } => {
                let condition = self.number(state, *condition).term;
                self.assume(state, condition)
            }
            Instruction::Bind { .. } => Ok(()),
            Instruction::Allocate { .. }
            | Instruction::Free { .. }
            | Instruction::LifetimeStart { .. }
            | Instruction::LifetimeEnd { .. }
            | Instruction::StackSave
            | Instruction::StackRestore { .. } => self.lifetime(state, body, id),
            Instruction::Load { .. }
            | Instruction::Store { .. }
            | Instruction::MemoryCopy { .. }
            | Instruction::MemorySet { .. } => self.access(state, body, id),
            Instruction::Call { callee, arguments } => {
                self.call(state, body, id, callee, arguments)
            }
        }
    }

    pub fn set_truth(&mut self, state: &mut State, id: InstId, term: TermId) {
        let value = self.integers.any(1, term);
        self.set_number(state, id, value);
    }

    pub fn set_number(&mut self, state: &mut State, id: InstId, value: Value) {
        let data = &self.body(state.frame().function).instructions[id];
        self.note_havocs(data.span);
        self.set(state, data.results[0], Datum::number(value));
    }

    /// Results of which nothing is known.
    pub fn any_result(&mut self, state: &mut State, id: InstId, what: &str) {
        let body = self.body(state.frame().function);
        self.note_imprecision(what, body.instructions[id].span);
        for &result in &body.instructions[id].results {
            let value = self.any_datum("result", body.ty(result));
            self.set(state, result, value);
        }
    }

    fn binary(
        &mut self,
        state: &mut State,
        id: InstId,
        op: BinaryOp,
        (lhs, rhs): (ValueId, ValueId),
    ) -> Step<()> {
        let width = self.width_of(self.body(state.frame().function).ty(lhs));
        let (left, right) = (self.get(state, lhs), self.get(state, rhs));
        let (
            Datum::Number {
                value: a,
                address: p,
            },
            Datum::Number {
                value: b,
                address: q,
            },
        ) = (left, right)
        else {
            unreachable!("invariant: numbers are combined");
        };
        let mut value = self.integers.binary(&mut self.pool, op, width, &a, &b);
        if self.sabotage == Sabotage::DroppedCarry && op == BinaryOp::Add {
            let sum = self.pool.int_add(a.term, b.term);
            value = self.integers.any(width, sum);
        }
        if let (BinaryOp::Sub, Some(p), Some(q)) = (op, p, q)
            && width == self.pointer_bits
        {
            // Within one object addresses differ as offsets do.
            let same = self.same_object(state, p.object, q.object);
            let offsets = self
                .integers
                .binary(&mut self.pool, op, width, &p.offset, &q.offset);
            value = self.select_value(same, &offsets, &value);
        }
        self.set_number(state, id, value);
        Ok(())
    }

    fn cast(
        &mut self,
        state: &mut State,
        body: &'t Body,
        id: InstId,
        op: CastOp,
        operand: ValueId,
    ) -> Step<()> {
        let (from, to) = (body.ty(operand), body.ty(body.instructions[id].results[0]));
        let result = body.instructions[id].results[0];
        let datum = self.get(state, operand);
        match (op, datum) {
            (CastOp::PtrToInt, Datum::Pointer(pointer)) => {
                let width = self.width_of(to);
                let address = self.address_of(&pointer);
                let address = match (address, width) {
                    (Datum::Number { value, address }, width) if width == self.pointer_bits => {
                        Datum::Number { value, address }
                    }
                    (Datum::Number { value, .. }, width) if width < self.pointer_bits => {
                        let bits = self.pointer_bits;
                        Datum::number(self.integers.truncate(&mut self.pool, bits, width, &value))
                    }
                    (Datum::Number { value, .. }, width) => {
                        let bits = self.pointer_bits;
                        Datum::number(self.integers.zero_extend(
                            &mut self.pool,
                            bits,
                            width,
                            &value,
                        ))
                    }
                    (other, _) => other,
                };
                self.note_imprecision("the address of an object", body.instructions[id].span);
                self.set(state, result, address);
            }
            (CastOp::IntToPtr, Datum::Number { value, address }) => {
                let width = self.width_of(from);
                let pointer = match width == self.pointer_bits {
                    true => self.pointer_of(state, &value, address.as_deref())?,
                    false => self.any_pointer("pointer"),
                };
                self.set(state, result, Datum::Pointer(pointer));
            }
            (CastOp::Trunc, Datum::Number { value, .. }) => {
                let (from, to) = (self.width_of(from), self.width_of(to));
                let value = self.integers.truncate(&mut self.pool, from, to, &value);
                self.set_number(state, id, value);
            }
            (CastOp::ZExt, Datum::Number { value, .. }) => {
                let (from, to) = (self.width_of(from), self.width_of(to));
                let value = self.integers.zero_extend(&mut self.pool, from, to, &value);
                self.set_number(state, id, value);
            }
            (CastOp::SExt, Datum::Number { value, .. }) => {
                let (from, to) = (self.width_of(from), self.width_of(to));
                let value = self.integers.sign_extend(&mut self.pool, from, to, &value);
                self.set_number(state, id, value);
            }
            (CastOp::Bitcast, Datum::Number { value, address }) => {
                self.set(state, result, Datum::Number { value, address });
            }
            _ => self.any_result(state, id, "a conversion of floating-point numbers"),
        }
        Ok(())
    }

    fn nondet(&mut self, state: &mut State, body: &'t Body, id: InstId, origin: &NondetOrigin) {
        let Some(&result) = body.instructions[id].results.first() else {
            return;
        };
        if let Type::Memory(region) = body.ty(result) {
            let layout = self.layouts.get(state.frame().function, region).clone();
            let contents = match layout.is_single() {
                true => Node::Single(self.unwritten(layout.cell)),
                false => Node::Unwritten,
            };
            self.set(state, result, Datum::Contents(Contents::new(contents)));
            return;
        }
        match origin {
            NondetOrigin::OverApproximated(what) => {
                self.note_over_approximation(what, body.instructions[id].span);
            }
            NondetOrigin::External(name) | NondetOrigin::Change(name) => self.note_external(name),
            NondetOrigin::Input(_) | NondetOrigin::Uninitialised(_) | NondetOrigin::Undefined => {}
        }
        let point = Some(state.point(id));
        self.input(state, result, point, origin);
    }

    /// A value that the program does not determine.
    pub fn input(
        &mut self,
        state: &mut State,
        result: ValueId,
        point: Option<foghorn_ir::interpret::ProgramPoint>,
        origin: &NondetOrigin,
    ) {
        let ty = self.body(state.frame().function).ty(result);
        let datum = match (ty, origin) {
            (Type::Ptr, NondetOrigin::Uninitialised(_)) => Datum::Pointer(self.unknown_pointer()),
            (Type::Ptr, _) => {
                self.note_imprecision("a pointer from outside", self.span(state));
                Datum::Pointer(self.any_pointer("input"))
            }
            (ty, _) => self.any_datum("input", ty),
        };
        let term = match &datum {
            Datum::Number { value, .. } => value.term,
            Datum::Pointer(pointer) => pointer.offset.term,
            Datum::Contents(_) => unreachable!("invariant: memories are no inputs"),
        };
        let width = self.width_of(ty);
        state.events.push(Event::Input { point, term, width });
        self.set(state, result, datum);
    }

    fn explicit_check(
        &mut self,
        state: &mut State,
        id: InstId,
        kind: CheckKind,
        condition: ValueId,
    ) -> Step<()> {
        let site = SiteKind::Explicit(kind);
        if self.settings.checks.contains(kind) && !self.is_asked(&self.site(state, site, id)) {
            return Ok(());
        }
        let term = self.number(state, condition).term;
        if kind.ends_program() && !self.settings.checks.contains(kind) {
            return self.end_unless(state, term);
        }
        if kind == CheckKind::InvalidCall && !self.settings.checks.contains(kind) {
            let fails = self.pool.not(term);
            self.oblige(
                state,
                fails,
                "a call through a pointer to no known function",
                id,
            );
        }
        debug_assert!(kind.when_off() != WhenOff::AlwaysOn || self.settings.checks.contains(kind));
        self.check_kind(state, id, site, kind, term)
    }

    /// The program ends here if a condition does not hold.
    fn end_unless(&mut self, state: &mut State, condition: TermId) -> Step<()> {
        if self.needs.origin {
            let fails = self.pool.not(condition);
            let mut ending = state.clone();
            match self.assume(&mut ending, fails) {
                Ok(()) => self.end_program(&mut ending, foghorn_ir::HaltKind::Abort)?,
                Err(Interrupt::Stopped) => {}
                Err(other) => return Err(other),
            }
        }
        self.assume(state, condition)
    }
}
