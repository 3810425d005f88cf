//! The loop.
//!
//! [`Machine::burst`] executes ops for as long as they are simple. Everything that needs more than
//! registers and plain memory leaves it with an [`Event`], is done by the slow ways in the sibling
//! modules, and the loop is entered again.

use super::{Frame, Machine, Step};
use crate::body::InstId;
use crate::instruction::{Instruction, Terminator};
use crate::interpret::arithmetic::{
    binary, compare, narrow_binary, narrow_cut, narrow_overflows, narrow_signed,
};
use crate::interpret::decode::Code;
use crate::interpret::decode::op::{Op, Order, Place};
use crate::interpret::float;
use crate::interpret::memory::Memory;
use crate::interpret::observer::Observer;
use crate::interpret::report::Outcome;
use crate::interpret::value::{Pointer, Slot};
use crate::module::FunctionId;
use foghorn_core::CheckKind;

/// Why the loop was left.
enum Event {
    /// The instruction of this op is to be executed the slow way.
    Slow,
    Call {
        callee: FunctionId,
        site: u32,
    },
    Return {
        values: u32,
        count: u32,
    },
    /// The terminator of this op ends the program.
    End,
    Refuel,
}

#[inline(always)]
fn ordered(order: Order, lhs: u64, rhs: u64, width: u8) -> bool {
    let signed = |bits| narrow_signed(bits, width.into());
    match order {
        Order::Equal => lhs == rhs,
        Order::NotEqual => lhs != rhs,
        Order::UnsignedLess => lhs < rhs,
        Order::UnsignedLessOrEqual => lhs <= rhs,
        Order::SignedLess => signed(lhs) < signed(rhs),
        Order::SignedLessOrEqual => signed(lhs) <= signed(rhs),
    }
}

#[inline(always)]
fn load<const N: usize>(memory: &Memory, pointer: Pointer) -> Option<u64> {
    if let Some(bytes) = memory.load_plain::<N>(pointer) {
        let mut word = [0; 8];
        word[..N].copy_from_slice(&bytes);
        return Some(u64::from_le_bytes(word));
    }
    memory.load_marked(pointer, N)
}

#[inline(always)]
fn store<const N: usize>(memory: &mut Memory, pointer: Pointer, value: u64) -> bool {
    let mut bytes = [0; N];
    bytes.copy_from_slice(&value.to_le_bytes()[..N]);
    memory.store_plain(pointer, bytes) || memory.store_marked(pointer, &bytes)
}

impl<'p, O: Observer> Machine<'p, O> {
    /// Runs until the oldest call returns; its results.
    pub(super) fn run(&mut self) -> Step<Vec<Slot>> {
        loop {
            let frame = *self.frame();
            let (event, at) = self.burst(frame.code, frame.base, frame.at);
            self.frames
                .last_mut()
                .expect("invariant: a call is active")
                .at = at;
            match event {
                Event::Slow => self.slow()?,
                Event::Call { callee, site } => self.call_site(callee, site)?,
                Event::Return { values, count } => {
                    if let Some(results) = self.return_from_call(values, count) {
                        return Ok(results);
                    }
                }
                Event::End => return Err(self.end_of_program()),
                Event::Refuel => self.refuel()?,
            }
        }
    }

    /// Executes simple ops from `at` on. Gives the op at which it stopped.
    #[allow(clippy::cognitive_complexity)]
    fn burst(&mut self, code: &'p Code, base: usize, mut at: usize) -> (Event, usize) {
        let registers = &mut self.registers[base..base + code.frame_size];
        let memory = &mut self.memory;
        let ops = &code.ops[..];
        let (mut fuel, wrap) = (self.fuel, self.wrap);
        macro_rules! low {
            ($register:expr) => {
                registers[$register as usize].low
            };
        }
        macro_rules! set {
            ($to:expr, $value:expr) => {
                registers[$to as usize] = $value
            };
        }
        let event = loop {
            if fuel == 0 {
                break Event::Refuel;
            }
            fuel -= 1;
            match ops[at] {
                Op::Move { to, from } => set!(to, registers[from as usize]),
                Op::Add {
                    to,
                    lhs,
                    rhs,
                    width,
                } => {
                    let sum = low!(lhs).wrapping_add(low!(rhs));
                    set!(to, Slot::narrow(narrow_cut(sum, width.into())));
                }
                Op::Sub {
                    to,
                    lhs,
                    rhs,
                    width,
                } => {
                    let difference = low!(lhs).wrapping_sub(low!(rhs));
                    set!(to, Slot::narrow(narrow_cut(difference, width.into())));
                }
                Op::Mul {
                    to,
                    lhs,
                    rhs,
                    width,
                } => {
                    let product = low!(lhs).wrapping_mul(low!(rhs));
                    set!(to, Slot::narrow(narrow_cut(product, width.into())));
                }
                Op::And { to, lhs, rhs } => set!(to, Slot::narrow(low!(lhs) & low!(rhs))),
                Op::Or { to, lhs, rhs } => set!(to, Slot::narrow(low!(lhs) | low!(rhs))),
                Op::Xor { to, lhs, rhs } => set!(to, Slot::narrow(low!(lhs) ^ low!(rhs))),
                Op::Narrow {
                    op,
                    to,
                    lhs,
                    rhs,
                    width,
                } => {
                    let bits = narrow_binary(op, width.into(), low!(lhs), low!(rhs));
                    set!(to, Slot::narrow(bits));
                }
                Op::Wide {
                    op,
                    to,
                    lhs,
                    rhs,
                    width,
                } => {
                    let (lhs, rhs) = (registers[lhs as usize], registers[rhs as usize]);
                    set!(
                        to,
                        Slot::wide(binary(op, width.into(), lhs.bits(), rhs.bits()))
                    );
                }
                Op::Overflows {
                    op,
                    signed,
                    to,
                    lhs,
                    rhs,
                    width,
                } => {
                    let truth = narrow_overflows(op, signed, width.into(), low!(lhs), low!(rhs));
                    set!(to, Slot::truth(truth));
                }
                Op::Compare {
                    order,
                    to,
                    lhs,
                    rhs,
                    width,
                } => {
                    set!(to, Slot::truth(ordered(order, low!(lhs), low!(rhs), width)));
                }
                Op::CompareWide {
                    predicate,
                    to,
                    lhs,
                    rhs,
                    width,
                } => {
                    let (lhs, rhs) = (registers[lhs as usize], registers[rhs as usize]);
                    let truth = compare(predicate, width.into(), lhs.bits(), rhs.bits());
                    set!(to, Slot::truth(truth));
                }
                Op::PointerEqual {
                    to,
                    lhs,
                    rhs,
                    negated,
                } => {
                    let (lhs, rhs) = (registers[lhs as usize], registers[rhs as usize]);
                    match pointers_equal(lhs.pointer(), rhs.pointer()) {
                        Some(equal) => set!(to, Slot::truth(equal != negated)),
                        None => break Event::Slow,
                    }
                }
                Op::Truncate { to, from, width } => {
                    set!(to, Slot::narrow(narrow_cut(low!(from), width.into())));
                }
                Op::SignExtend { to, from, old, new } => {
                    let number = narrow_signed(low!(from), old.into()).cast_unsigned();
                    set!(to, Slot::narrow(narrow_cut(number, new.into())));
                }
                Op::Cast {
                    op,
                    to,
                    from,
                    old,
                    new,
                } => match float::cast(op, old, new, registers[from as usize].bits()) {
                    Some(bits) => set!(to, Slot::wide(bits)),
                    None => break Event::Slow,
                },
                Op::Float32 { op, to, lhs, rhs } => {
                    let bits = float::binary_f32(op, low!(lhs) as u32, low!(rhs) as u32);
                    set!(to, Slot::narrow(bits.into()));
                }
                Op::Float64 { op, to, lhs, rhs } => {
                    set!(
                        to,
                        Slot::narrow(float::binary_f64(op, low!(lhs), low!(rhs)))
                    );
                }
                Op::FloatUnary {
                    op,
                    double,
                    to,
                    from,
                } => {
                    let bits = if double {
                        float::unary_f64(op, low!(from))
                    } else {
                        float::unary_f32(op, low!(from) as u32).into()
                    };
                    set!(to, Slot::narrow(bits));
                }
                Op::FloatCompare {
                    predicate,
                    double,
                    to,
                    lhs,
                    rhs,
                } => {
                    let truth = if double {
                        float::compare_f64(predicate, low!(lhs), low!(rhs))
                    } else {
                        float::compare_f32(predicate, low!(lhs) as u32, low!(rhs) as u32)
                    };
                    set!(to, Slot::truth(truth));
                }
                Op::Select {
                    to,
                    condition,
                    on_true,
                    on_false,
                } => {
                    let from = if low!(condition) != 0 {
                        on_true
                    } else {
                        on_false
                    };
                    set!(to, registers[from as usize]);
                }
                Op::Offset { to, base, constant } => {
                    let Slot { low, high } = registers[base as usize];
                    let low = wrapped(low.wrapping_add_signed(constant.into()), wrap);
                    set!(to, Slot { low, high });
                }
                Op::Index {
                    to,
                    base,
                    index,
                    scale,
                    constant,
                } => {
                    let Slot { low, high } = registers[base as usize];
                    let scaled = wrapped(low!(index), wrap)
                        .wrapping_mul(i64::from(scale).cast_unsigned())
                        .wrapping_add_signed(constant.into());
                    let low = wrapped(low.wrapping_add(scaled), wrap);
                    set!(to, Slot { low, high });
                }
                Op::Load8 { to, pointer } => {
                    match load::<1>(memory, registers[pointer as usize].pointer()) {
                        Some(bits) if !O::ENABLED => set!(to, Slot::narrow(bits)),
                        Some(_) | None => break Event::Slow,
                    }
                }
                Op::Load16 { to, pointer } => {
                    match load::<2>(memory, registers[pointer as usize].pointer()) {
                        Some(bits) if !O::ENABLED => set!(to, Slot::narrow(bits)),
                        Some(_) | None => break Event::Slow,
                    }
                }
                Op::Load32 { to, pointer } => {
                    match load::<4>(memory, registers[pointer as usize].pointer()) {
                        Some(bits) if !O::ENABLED => set!(to, Slot::narrow(bits)),
                        Some(_) | None => break Event::Slow,
                    }
                }
                Op::Load64 { to, pointer } => {
                    match load::<8>(memory, registers[pointer as usize].pointer()) {
                        Some(bits) if !O::ENABLED => set!(to, Slot::narrow(bits)),
                        Some(_) | None => break Event::Slow,
                    }
                }
                Op::LoadPointer { to, pointer } => {
                    match memory.load_whole_pointer(registers[pointer as usize].pointer()) {
                        Some(loaded) if !O::ENABLED => set!(to, loaded.into()),
                        Some(_) | None => break Event::Slow,
                    }
                }
                Op::Store8 { pointer, value } => {
                    let pointer = registers[pointer as usize].pointer();
                    if O::ENABLED || !store::<1>(memory, pointer, low!(value)) {
                        break Event::Slow;
                    }
                }
                Op::Store16 { pointer, value } => {
                    let pointer = registers[pointer as usize].pointer();
                    if O::ENABLED || !store::<2>(memory, pointer, low!(value)) {
                        break Event::Slow;
                    }
                }
                Op::Store32 { pointer, value } => {
                    let pointer = registers[pointer as usize].pointer();
                    if O::ENABLED || !store::<4>(memory, pointer, low!(value)) {
                        break Event::Slow;
                    }
                }
                Op::Store64 { pointer, value } => {
                    let pointer = registers[pointer as usize].pointer();
                    if O::ENABLED || !store::<8>(memory, pointer, low!(value)) {
                        break Event::Slow;
                    }
                }
                Op::StorePointer { pointer, value } => {
                    let pointer = registers[pointer as usize].pointer();
                    let stored = registers[value as usize].pointer();
                    if O::ENABLED || !memory.store_whole_pointer(pointer, stored) {
                        break Event::Slow;
                    }
                }
                Op::Require { condition } => {
                    if low!(condition) == 0 {
                        break Event::Slow;
                    }
                }
                Op::RequireNoOverflow {
                    op,
                    signed,
                    lhs,
                    rhs,
                    width,
                } => {
                    if narrow_overflows(op, signed, width.into(), low!(lhs), low!(rhs)) {
                        break Event::Slow;
                    }
                }
                Op::RequireOrder {
                    order,
                    lhs,
                    rhs,
                    width,
                } => {
                    if !ordered(order, low!(lhs), low!(rhs), width) {
                        break Event::Slow;
                    }
                }
                Op::Call { callee, site } => break Event::Call { callee, site },
                Op::Slow | Op::EnterBlock { .. } => break Event::Slow,
                Op::Jump { to } => {
                    at = to as usize;
                    continue;
                }
                Op::Branch { condition, to } => {
                    if low!(condition) != 0 {
                        at = to as usize;
                        continue;
                    }
                }
                Op::BranchCompare {
                    order,
                    lhs,
                    rhs,
                    width,
                    to,
                } => {
                    if ordered(order, low!(lhs), low!(rhs), width) {
                        at = to as usize;
                        continue;
                    }
                }
                Op::Return { values, count } => break Event::Return { values, count },
                Op::End => break Event::End,
            }
            at += 1;
        };
        self.fuel = fuel;
        (event, at)
    }

    /// Executes the instruction of the current op and goes on to the next.
    fn slow(&mut self) -> Step<()> {
        let frame = *self.frame();
        let depth = self.frames.len();
        match frame.code.ops[frame.at] {
            Op::EnterBlock { block } => self.observer.block(frame.function, block),
            _ => {
                match frame.code.places[frame.at] {
                    Place::Instruction(id) if frame.body.is_pure() => self.execute_pure(&frame, id),
                    Place::Instruction(id) => self.execute(&frame, id),
                    Place::Terminator(block) => self.check_returned(&frame, block),
                }?;
            }
        }
        // A call began: it is the new frame that goes on, and the return will step over the call.
        if self.frames.len() == depth
            && let Some(frame) = self.frames.last_mut()
        {
            frame.at += 1;
        }
        Ok(())
    }

    /// Executes one instruction from the IR itself.
    pub(super) fn execute(&mut self, frame: &Frame<'p>, id: InstId) -> Step<()> {
        let data = &frame.body.instructions[id];
        match &data.instruction {
            Instruction::Binary { .. }
            | Instruction::FloatUnary { .. }
            | Instruction::FloatBinary { .. }
            | Instruction::FloatCompare { .. }
            | Instruction::Select { .. } => Ok(()),
            Instruction::Overflows { .. }
            | Instruction::Unary { .. }
            | Instruction::Compare { .. }
            | Instruction::Cast { .. }
            | Instruction::FusedMultiplyAdd { .. }
            | Instruction::PointerAdd { .. } => self.scalar(frame, id),
            Instruction::Nondet { origin } => {
                let slot = self.nondet(origin, frame.body.ty(data.results[0]))?;
                self.set_result(id, slot);
                Ok(())
            }
            Instruction::Allocate { .. }
            | Instruction::Free { .. }
            | Instruction::LifetimeStart { .. }
            | Instruction::LifetimeEnd { .. }
            | Instruction::StackSave
            | Instruction::StackRestore { .. } => self.lifetime(frame, id),
            Instruction::Load { .. }
            | Instruction::Store { .. }
            | Instruction::MemoryCopy { .. }
            | Instruction::MemorySet { .. } => self.access(frame, id),
            Instruction::Call { callee, arguments } => {
                self.call_instruction(callee, arguments, &data.results)
            }
            Instruction::Check { kind, message, .. } => self.check_failed(*kind, message.as_ref()),
            Instruction::Assume { .. } => {
                let span = self.span();
                Err(Box::new(Outcome::AssumptionViolated { span }))
            }
            Instruction::Bind { variable, value } => {
                if let Some(point) = self.point() {
                    let (slot, ty) = (self.get(*value), frame.body.ty(*value));
                    let bits = match ty {
                        crate::Type::Ptr => slot.low.into(),
                        crate::Type::Int(_)
                        | crate::Type::F32
                        | crate::Type::F64
                        | crate::Type::Memory(_) => slot.bits(),
                    };
                    self.observer.bind(point, *variable, ty, bits);
                }
                Ok(())
            }
        }
    }

    /// A terminator that ends the program.
    fn end_of_program(&mut self) -> Box<Outcome> {
        let frame = *self.frame();
        let span = self.span();
        let unreachable = Box::new(Outcome::AssumedAway {
            kind: CheckKind::Unreachable,
            span,
        });
        let Place::Terminator(block) = self.place() else {
            return unreachable;
        };
        match frame.body.blocks[block].terminator {
            Terminator::Halt { kind, code } => self.halt(kind, code),
            Terminator::Unreachable
            | Terminator::Jump(_)
            | Terminator::Branch { .. }
            | Terminator::Return { .. } => unreachable,
        }
    }
}

/// Whether pointers are equal, where that can be told without addresses: objects are compared,
/// then offsets, but an unknown pointer has only an address.
#[inline(always)]
pub(super) fn pointers_equal(lhs: Pointer, rhs: Pointer) -> Option<bool> {
    if lhs.object == rhs.object {
        return Some(lhs.offset == rhs.offset);
    }
    let known = |pointer: Pointer| pointer.object.is_object() || pointer == Pointer::NULL;
    (known(lhs) && known(rhs)).then_some(false)
}

/// An offset wrapped at the width of a pointer.
#[inline(always)]
pub(super) fn wrapped(offset: u64, wrap: u32) -> u64 {
    ((offset << wrap).cast_signed() >> wrap).cast_unsigned()
}
