//! Memory values of the pure form, checked against the one memory of the run.
//!
//! A register of a memory type holds a [`Version`]. An instruction with memory uses checks that it
//! takes the current versions, is executed as in the impure form while the ranges that it accesses
//! are noted, and then the owners of these ranges are checked and the new versions made. So a run
//! of the pure form either does what the impure form does or ends as
//! [`Outcome::Inconsistent`].

use super::{Frame, Machine, Step};
use crate::body::{BlockId, InstId, ValueId};
use crate::instruction::{Instruction, Terminator};
use crate::interpret::observer::Observer;
use crate::interpret::ownership::{Instance, NOWHERE, Ownership, Version};
use crate::interpret::report::Outcome;
use crate::interpret::value::{Pointer, Slot};
use crate::memory::{Cell, MemoryRole, RegionId};
use crate::module::FunctionId;
use crate::types::Type;

/// What a run of the pure form keeps beside the memory.
#[derive(Default)]
pub(super) struct PureState {
    ownership: Ownership,
    /// What the instruction being executed has accessed.
    ranges: Vec<Range>,
}

#[derive(Clone, Copy)]
struct Range {
    pointer: Pointer,
    length: u64,
    write: bool,
}

impl Version {
    fn slot(self) -> Slot {
        Slot {
            low: self.number,
            high: self.instance.into(),
        }
    }

    fn from_slot(slot: Slot) -> Self {
        Version {
            instance: Instance::try_from(slot.high).unwrap_or(Instance::MAX),
            number: slot.low,
        }
    }
}

impl<'p, O: Observer> Machine<'p, O> {
    /// Notes an access of the instruction being executed.
    #[inline]
    pub(super) fn note_range(&mut self, pointer: Pointer, length: u64, write: bool) {
        if let Some(pure) = &mut self.pure
            && length > 0
        {
            pure.ranges.push(Range {
                pointer,
                length,
                write,
            });
        }
    }

    /// Indeterminate contents of a region of its own.
    pub(super) fn fresh_memory(&mut self, region: RegionId) -> Slot {
        let typed = self.frame().body.regions[region].typed;
        let pure = self.pure.get_or_insert_default();
        pure.ownership.begin(typed).slot()
    }

    /// The memories that a function gets which is called from outside.
    pub(super) fn initial_memories(&mut self, frame: &Frame<'p>) {
        if !frame.body.is_pure() {
            return;
        }
        let memories: Vec<_> = frame.body.memory_parameters().collect();
        for (parameter, region) in memories {
            let memory = self.fresh_memory(region);
            self.set(parameter, memory);
        }
    }

    /// Executes an instruction of a pure body that may access memory.
    pub(super) fn execute_pure(&mut self, frame: &Frame<'p>, id: InstId) -> Step<()> {
        let data = &frame.body.instructions[id];
        for memory in &data.memory {
            self.demand_current(memory.input)?;
        }
        if let Instruction::Call { .. } = data.instruction
            && data
                .memory
                .iter()
                .any(|m| matches!(m.role, MemoryRole::Argument(_)))
        {
            return self.call_with_memories(frame, id);
        }
        self.pure.get_or_insert_default().ranges.clear();
        self.execute(frame, id)?;
        self.check_ranges(frame, id)?;
        for memory in &data.memory {
            if let Some(output) = memory.output {
                let Version { instance, .. } = Version::from_slot(self.get(memory.input));
                let pure = self.pure.get_or_insert_default();
                let version = pure.ownership.advance(instance);
                self.set(output, version.slot());
            }
        }
        Ok(())
    }

    fn demand_current(&mut self, memory: ValueId) -> Step<()> {
        let version = Version::from_slot(self.get(memory));
        let pure = self.pure.get_or_insert_default();
        if pure.ownership.is_current(version) {
            return Ok(());
        }
        Err(self.inconsistent(&format!(
            "takes {memory}, which are not the current contents"
        )))
    }

    fn inconsistent(&self, what: &str) -> Box<Outcome> {
        let function = &self.program.module.functions[self.frame().function].name;
        let place = self.place();
        Box::new(Outcome::Inconsistent {
            detail: format!("function {function}, {place:?}: {what}").into(),
            span: self.span(),
        })
    }

    fn instances(&self, frame: &Frame<'p>, id: InstId, write: bool) -> Vec<Instance> {
        let uses = frame.body.instructions[id].memory.iter();
        let fitting = uses.filter(|memory| match memory.role {
            MemoryRole::Access => true,
            MemoryRole::Destination => write,
            MemoryRole::Source => !write,
            MemoryRole::Argument(_) => false,
        });
        let instance = |input| Version::from_slot(self.get(input)).instance;
        let mut instances: Vec<_> = fitting.map(|memory| instance(memory.input)).collect();
        match frame.body.instructions[id].instruction {
            Instruction::Load { .. } | Instruction::Store { .. } => {}
            _ => instances.push(NOWHERE),
        }
        instances
    }

    /// Whether what was accessed belongs to the regions that the instruction names.
    fn check_ranges(&mut self, frame: &Frame<'p>, id: InstId) -> Step<()> {
        let ranges = match &mut self.pure {
            Some(pure) if !pure.ranges.is_empty() => std::mem::take(&mut pure.ranges),
            Some(_) | None => return Ok(()),
        };
        let is_copy = matches!(
            frame.body.instructions[id].instruction,
            Instruction::MemoryCopy { .. }
        );
        let fits = match ranges[..] {
            [from, to] if is_copy => self.copy_fits(frame, id, to, from),
            _ => ranges
                .iter()
                .all(|&range| self.range_fits(frame, id, range)),
        };
        if let Some(pure) = &mut self.pure {
            pure.ranges = ranges;
        }
        if fits {
            return Ok(());
        }
        Err(self.inconsistent("accesses bytes of another region"))
    }

    fn copy_fits(&mut self, frame: &Frame<'p>, id: InstId, to: Range, from: Range) -> bool {
        let place = |range: Range| (range.pointer.object, range.pointer.offset.cast_unsigned());
        let destinations = self.instances(frame, id, true);
        let sources = self.instances(frame, id, false);
        let ownership = &mut self.pure.get_or_insert_default().ownership;
        ownership.touch_copy(place(to), place(from), to.length, &destinations, &sources)
    }

    fn range_fits(&mut self, frame: &Frame<'p>, id: InstId, range: Range) -> bool {
        let among = self.instances(frame, id, range.write);
        let (object, at) = (range.pointer.object, range.pointer.offset.cast_unsigned());
        let cell = self.accessed_cell(frame, id);
        let pointer_bytes = self.program.module.layout.pointer_bytes;
        let ownership = &mut self.pure.get_or_insert_default().ownership;
        let in_cell = match (cell, &among[..]) {
            (Some(cell), &[instance]) => {
                ownership.touch_cell(object, at, range.length, instance, cell, pointer_bytes)
            }
            _ => true,
        };
        in_cell
            && match range.write {
                true => ownership.overwrite(object, at, range.length, &among),
                false => ownership.touch(object, at, range.length, &among),
            }
    }

    /// The cell of the region that a load or store accesses, whose type must fit it.
    fn accessed_cell(&self, frame: &Frame<'p>, id: InstId) -> Option<Cell> {
        let data = &frame.body.instructions[id];
        let value = match data.instruction {
            Instruction::Load { .. } => *data.results.first()?,
            Instruction::Store { value, .. } => value,
            _ => return None,
        };
        let cell = frame.body.regions[data.memory.first()?.region].cell;
        match (cell, frame.body.ty(value)) {
            // Never of the width of a cell, and so reported.
            (Cell::Pointer, Type::Int(_) | Type::F32 | Type::F64 | Type::Memory(_))
            | (Cell::Word { .. }, Type::Ptr) => Some(Cell::Word { bytes: 32 }),
            (Cell::Bytes | Cell::Word { .. } | Cell::Pointer, _) => Some(cell),
        }
    }

    /// A direct call that passes memories on. What it leaves comes with the return.
    fn call_with_memories(&mut self, frame: &Frame<'p>, id: InstId) -> Step<()> {
        let data = &frame.body.instructions[id];
        let memories: Vec<Slot> = data.memory.iter().map(|m| self.get(m.input)).collect();
        let Instruction::Call { callee, arguments } = &data.instruction else {
            return Ok(());
        };
        self.call_instruction(callee, arguments, &data.results)?;
        let called = *self.frame();
        let first = called.base + called.code.first_param + arguments.len();
        self.registers[first..first + memories.len()].copy_from_slice(&memories);
        Ok(())
    }

    /// Whether a function that is called through a pointer needs no memories, which it does not
    /// get.
    pub(super) fn demand_no_memories(&mut self, function: FunctionId) -> Step<()> {
        let body = self.program.module.functions[function].body.as_ref();
        if body.is_none_or(|body| body.memory_parameters().next().is_none()) {
            return Ok(());
        }
        Err(self.inconsistent("calls through a pointer what takes memories"))
    }

    /// Whether a return gives current contents.
    pub(super) fn check_returned(&mut self, frame: &Frame<'p>, block: BlockId) -> Step<()> {
        let Terminator::Return { values } = &frame.body.blocks[block].terminator else {
            return Ok(());
        };
        for &value in values {
            if frame.body.ty(value).region().is_some() {
                self.demand_current(value)?;
            }
        }
        Ok(())
    }
}
