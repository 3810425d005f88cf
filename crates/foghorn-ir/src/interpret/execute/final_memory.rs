//! Checks on the memory that a program leaves behind.
//!
//! A heap object leaks if it is alive and nothing reaches it: no global, no stack object or
//! register of a call that is still active (after `exit`; a program that returned has none), and
//! no heap object that is itself reached. A pointer into the middle of an object, or one past its
//! end, reaches it as well.

use super::{Machine, Step};
use crate::interpret::object::Allocation;
use crate::interpret::observer::{Observer, ProgramPoint};
use crate::interpret::report::{Failure, ObjectDescription, Outcome};
use crate::interpret::value::{ObjectId, ObjectKind, Pointer};
use foghorn_core::CheckKind;
use rustc_hash::FxHashSet;

impl<O: Observer> Machine<'_, O> {
    /// Leaks, then objects that were not freed.
    pub(super) fn check_final_memory(&self) -> Step<()> {
        if self.options.enabled(CheckKind::Leak) {
            let alive = self.heap_objects();
            if alive.is_empty() {
                return Ok(());
            }
            let reached = self.reached_objects();
            let lost: Vec<_> = alive.iter().filter(|id| !reached.contains(id)).collect();
            if let Some(&&first) = lost.first() {
                return Err(self.left_behind(CheckKind::Leak, first, lost.len()));
            }
        }
        self.check_all_freed()
    }

    /// What must hold at every end, that by `abort` too, where nothing is lost yet but all is left.
    pub(super) fn check_all_freed(&self) -> Step<()> {
        if !self.options.enabled(CheckKind::NotFreed) {
            return Ok(());
        }
        let alive = self.heap_objects();
        match alive.first() {
            Some(&first) => Err(self.left_behind(CheckKind::NotFreed, first, alive.len())),
            None => Ok(()),
        }
    }

    /// The heap objects that are alive.
    fn heap_objects(&self) -> Vec<ObjectId> {
        let objects = self.memory.objects();
        objects
            .filter(|object| object.live != 0 && object.id.kind() == ObjectKind::Heap)
            .map(|object| object.id)
            .collect()
    }

    fn reached_objects(&self) -> FxHashSet<ObjectId> {
        let mut work = self.roots();
        let mut reached = FxHashSet::default();
        while let Some(id) = work.pop() {
            if let Some(object) = self.memory.object(id)
                && reached.insert(id)
                && object.live != 0
            {
                work.extend(object.referenced());
            }
        }
        reached
    }

    fn roots(&self) -> Vec<ObjectId> {
        let mut roots: Vec<ObjectId> = self
            .memory
            .objects()
            .filter(|object| object.live != 0 && object.id.kind() != ObjectKind::Heap)
            .map(|object| object.id)
            .collect();
        for frame in &self.frames {
            let registers = frame.code.pointer_registers.iter();
            roots.extend(registers.map(|&register| {
                self.registers[frame.base + register as usize]
                    .pointer()
                    .object
            }));
        }
        roots
    }

    /// The instruction that made an object, unless a model of the library did it.
    fn allocated_by(&self, object: &ObjectDescription) -> Option<ProgramPoint> {
        let Some(Allocation::Instruction(function, instruction)) = object.allocation else {
            return None;
        };
        let is_model = self.program.module.functions[function].is_model;
        (!is_model).then_some(ProgramPoint {
            function,
            instruction,
        })
    }

    fn left_behind(&self, kind: CheckKind, first: ObjectId, count: usize) -> Box<Outcome> {
        let object = self.describe(Pointer {
            object: first,
            offset: 0,
        });
        let size = object.as_ref().and_then(|object| object.size).unwrap_or(0);
        let what = match kind {
            CheckKind::Leak => "is not freed and nothing points to it any more",
            _ => "is not freed",
        };
        let more = match count {
            1 => String::new(),
            _ => format!(" (and {} more)", count - 1),
        };
        let message = format!("memory of {size} bytes {what} when the program ends{more}");
        Box::new(Outcome::Failed(Box::new(Failure {
            kind,
            span: object.as_ref().map_or_else(|| self.span(), place),
            point: object.as_ref().and_then(|object| self.allocated_by(object)),
            message,
            stack: self.stack(),
            object,
        })))
    }
}

fn place(object: &ObjectDescription) -> foghorn_core::SpanId {
    object.allocated_at
}
