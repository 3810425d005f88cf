//! Execution: the state of a run and the order in which its parts run.

mod access;
mod argument;
mod builtin;
mod call;
mod failure;
mod final_memory;
mod lifetime;
mod math;
mod nondet;
mod outside;
mod placement;
mod pure;
mod scalar;
mod startup;
mod step;

use super::choice::{Choice, ChoiceSource};
use super::decode::Code;
use super::decode::op::Place;
use super::memory::Memory;
use super::observer::{Observer, ProgramPoint};
use super::options::Options;
use super::report::{Outcome, Placement, Run};
use super::value::{ObjectId, Slot};
use super::world::World;
use super::{Program, StartError};
use crate::body::{Body, InstId, ValueId};
use crate::module::FunctionId;
use foghorn_core::SpanId;
use std::sync::Arc;

/// What a step gives, or the end of the run.
type Step<T> = Result<T, Box<Outcome>>;

/// Steps between two looks at the clock and at the memory in use.
const BURST: u64 = 1 << 16;

/// An active call.
#[derive(Clone, Copy)]
struct Frame<'p> {
    function: FunctionId,
    body: &'p Body,
    code: &'p Code,
    /// Its first register.
    base: usize,
    /// The op that it executes.
    at: usize,
    /// The number of stack objects when it began.
    objects: usize,
}

/// A run in progress.
pub(super) struct Machine<'p, O> {
    program: &'p Program<'p>,
    options: &'p Options,
    choices: &'p mut dyn ChoiceSource,
    world: &'p mut dyn World,
    observer: O,
    memory: Memory,
    registers: Vec<Slot>,
    frames: Vec<Frame<'p>>,
    stack_objects: Vec<ObjectId>,
    log: Vec<Choice>,
    over_approximations: Vec<(Arc<str>, SpanId)>,
    external_calls: Vec<Arc<str>>,
    /// The bases that were chosen.
    layout: Vec<Placement>,
    /// Steps of finished bursts.
    steps: u64,
    /// Steps left of this burst.
    fuel: u64,
    /// How far the offsets of pointers are shifted to wrap them: 32 bits less than a register
    /// where pointers are narrow.
    wrap: u32,
    /// Only for a program in pure form.
    pure: Option<Box<pure::PureState>>,
}

impl<'p, O: Observer> Machine<'p, O> {
    /// A machine with all globals in place.
    pub fn start(
        program: &'p Program<'p>,
        options: &'p Options,
        choices: &'p mut dyn ChoiceSource,
        world: &'p mut dyn World,
        observer: O,
    ) -> Result<Self, StartError> {
        let layout = program.module.layout;
        let mut memory = Memory::new(
            layout.pointer_bytes,
            options.address_seed,
            options.max_memory,
        );
        memory.set_alignment_checked(options.alignment);
        let mut machine = Machine {
            program,
            options,
            choices,
            world,
            observer,
            memory,
            registers: vec![],
            frames: vec![],
            stack_objects: vec![],
            log: vec![],
            over_approximations: vec![],
            external_calls: vec![],
            layout: vec![],
            steps: 0,
            fuel: 0,
            wrap: 64 - layout.pointer_bits(),
            pure: None,
        };
        machine.place_globals().ok_or(StartError::OutOfMemory)?;
        Ok(machine)
    }

    /// Constructors, entry, destructors, checks on the final memory.
    pub fn whole_run(mut self, entry: FunctionId) -> Run {
        let outcome = match self.phases(entry) {
            Ok(code) => Outcome::Exited { code },
            Err(outcome) => *outcome,
        };
        Run {
            outcome,
            choices: self.log,
            over_approximations: self.over_approximations,
            external_calls: self.external_calls,
            steps: self.steps - self.fuel,
            layout: self.layout,
        }
    }

    fn phases(&mut self, entry: FunctionId) -> Step<i32> {
        let module = self.program.module;
        for &constructor in &module.constructors {
            self.call_from_outside(constructor)?;
        }
        let code = self.call_entry(entry)?;
        for &destructor in &module.destructors {
            self.call_from_outside(destructor)?;
        }
        self.check_final_memory()?;
        Ok(code)
    }

    fn call_from_outside(&mut self, function: FunctionId) -> Step<()> {
        let params = self.program.module.functions[function]
            .signature
            .params
            .len();
        self.call_function(function, &vec![Slot::default(); params])?;
        Ok(())
    }

    fn frame(&self) -> &Frame<'p> {
        self.frames.last().expect("invariant: a call is active")
    }

    fn place(&self) -> Place {
        let frame = self.frame();
        frame.code.places[frame.at]
    }

    /// The source location of what a frame executes.
    fn span_of(frame: &Frame<'p>) -> SpanId {
        match frame.code.places[frame.at] {
            Place::Instruction(id) => frame.body.instructions[id].span,
            Place::Terminator(block) => frame.body.blocks[block].terminator_span,
        }
    }

    /// The source location of what is executed now.
    fn span(&self) -> SpanId {
        self.frames.last().map_or(SpanId::UNKNOWN, Self::span_of)
    }

    fn point(&self) -> Option<ProgramPoint> {
        self.frames.last().and_then(Self::point_of)
    }

    fn point_of(frame: &Frame<'p>) -> Option<ProgramPoint> {
        match frame.code.places[frame.at] {
            Place::Instruction(instruction) => Some(ProgramPoint {
                function: frame.function,
                instruction,
            }),
            Place::Terminator(_) => None,
        }
    }

    fn get(&self, value: ValueId) -> Slot {
        let frame = self.frame();
        self.registers[frame.base + frame.code.registers[value] as usize]
    }

    fn set(&mut self, value: ValueId, slot: Slot) {
        let frame = self.frame();
        let register = frame.base + frame.code.registers[value] as usize;
        self.registers[register] = slot;
    }

    /// Gives the only result of an instruction its value.
    fn set_result(&mut self, instruction: InstId, slot: Slot) {
        if let Some(&result) = self.frame().body.instructions[instruction].results.first() {
            self.set(result, slot);
        }
    }

    /// Steps for the next burst, if there are any left.
    fn refuel(&mut self) -> Step<()> {
        if self.memory.is_exhausted() {
            let span = self.span();
            return Err(Box::new(Outcome::OutOfMemory { span }));
        }
        if let Err(resource) = self.options.budget.check() {
            return Err(Box::new(Outcome::OutOfBudget(resource)));
        }
        let left = self
            .options
            .max_steps
            .map_or(u64::MAX, |max| max - self.steps);
        if left == 0 {
            return Err(Box::new(Outcome::OutOfSteps));
        }
        self.fuel = left.min(BURST);
        self.steps += self.fuel;
        Ok(())
    }
}
