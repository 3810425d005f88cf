//! From what went wrong to a report that a person can use.

use super::{Frame, Machine, Step};
use crate::instruction::{AllocationKind, Instruction};
use crate::interpret::object::{Allocation, Life};
use crate::interpret::observer::{Observer, ProgramPoint};
use crate::interpret::report::{Failure, ObjectDescription, Outcome, StackFrame};
use crate::interpret::value::{ObjectId, ObjectKind, Pointer};
use foghorn_core::{CheckKind, SpanId, WhenOff};
use std::sync::Arc;

impl<'p, O: Observer> Machine<'p, O> {
    /// A `Check` whose condition is false. Where its group is off, the run goes on if the machine
    /// has a meaning for what follows.
    pub(super) fn check_failed(&mut self, kind: CheckKind, message: Option<&Arc<str>>) -> Step<()> {
        let text = message.map_or_else(|| kind.to_string(), ToString::to_string);
        if kind == CheckKind::Unsupported {
            let (construct, span) = (text.into(), self.reported_span(&self.stack()));
            return Err(Box::new(Outcome::Unsupported { construct, span }));
        }
        if self.options.enabled(kind) {
            return Err(self.fail(kind, text, None));
        }
        match kind.when_off() {
            WhenOff::MachineMeaning => Ok(()),
            WhenOff::AssumedAway if kind.ends_program() => {
                self.check_all_freed()?;
                Err(self.assumed_away(kind))
            }
            WhenOff::AssumedAway | WhenOff::AlwaysOn => Err(self.assumed_away(kind)),
        }
    }

    fn assumed_away(&self, kind: CheckKind) -> Box<Outcome> {
        let span = self.reported_span(&self.stack());
        Box::new(Outcome::AssumedAway { kind, span })
    }

    /// An access that is not valid.
    pub(super) fn access_failed(
        &mut self,
        kind: CheckKind,
        pointer: Pointer,
        length: u64,
        write: bool,
    ) -> Box<Outcome> {
        let what = if write { "write" } else { "read" };
        let bytes = if length == 1 { "byte" } else { "bytes" };
        let how = match kind {
            CheckKind::NullDereference => format!("through null (address {})", pointer.offset),
            CheckKind::UninitialisedPointer => "through an uninitialised pointer".to_owned(),
            CheckKind::UnknownPointer => {
                format!("at {:#x}, which belongs to no object", pointer.offset)
            }
            CheckKind::UseAfterFree => "of freed memory".to_owned(),
            CheckKind::UseAfterScope => "of an object out of scope".to_owned(),
            CheckKind::ConstantWrite => "to a constant".to_owned(),
            CheckKind::Misaligned => "at a misaligned address".to_owned(),
            _ => match self.memory.object(pointer.object) {
                Some(object) => {
                    format!("at offset {} of {} bytes", pointer.offset, object.size)
                }
                None => format!("at offset {}", pointer.offset),
            },
        };
        self.fail_or_assume(kind, format!("{what} of {length} {bytes} {how}"), pointer)
    }

    /// A failure of a check that has no meaning on the machine where it is not reported.
    pub(super) fn fail_or_assume(
        &mut self,
        kind: CheckKind,
        message: String,
        pointer: Pointer,
    ) -> Box<Outcome> {
        if self.options.enabled(kind) {
            self.fail(kind, message, Some(pointer))
        } else {
            self.assumed_away(kind)
        }
    }

    pub(super) fn fail(
        &self,
        kind: CheckKind,
        message: String,
        pointer: Option<Pointer>,
    ) -> Box<Outcome> {
        let stack = self.stack();
        let span = self.reported_span(&stack);
        let object = pointer.and_then(|pointer| self.describe(pointer));
        Box::new(Outcome::Failed(Box::new(Failure {
            kind,
            span,
            point: self.reported_point(),
            message,
            stack,
            object,
        })))
    }

    /// The innermost place outside the models of library functions.
    fn reported_span(&self, stack: &[StackFrame]) -> SpanId {
        let outside = stack.iter().find(|frame| !frame.is_model);
        outside
            .or(stack.first())
            .map_or(SpanId::UNKNOWN, |frame| frame.span)
    }

    /// The innermost instruction outside the models of library functions.
    fn reported_point(&self) -> Option<ProgramPoint> {
        let is_model = |frame: &&Frame<'p>| self.program.module.functions[frame.function].is_model;
        let mut outside = self.frames.iter().rev().skip_while(is_model);
        let frame = outside.next().or(self.frames.last())?;
        Self::point_of(frame)
    }

    /// Active calls, innermost first; calls that were inlined are told apart.
    pub(super) fn stack(&self) -> Vec<StackFrame> {
        let mut stack = vec![];
        for frame in self.frames.iter().rev() {
            self.push_inlined(frame, &mut stack);
        }
        stack
    }

    fn push_inlined(&self, frame: &Frame<'p>, stack: &mut Vec<StackFrame>) {
        let module = self.program.module;
        let mut span = Self::span_of(frame);
        while let Some(site) = &module.spans.span(span).inlined_at {
            stack.push(StackFrame {
                function: site.callee.clone(),
                span,
                is_model: self.is_model_named(&site.callee),
            });
            span = site.call;
        }
        let function = &module.functions[frame.function];
        stack.push(StackFrame {
            function: function.name.clone(),
            span,
            is_model: function.is_model,
        });
    }

    fn is_model_named(&self, name: &str) -> bool {
        let module = self.program.module;
        module
            .function_named(name)
            .is_some_and(|function| module.functions[function].is_model)
    }

    /// Where the innermost call outside the models stands; quick, as every heap object asks.
    pub(super) fn span_outside_models(&self) -> SpanId {
        let functions = &self.program.module.functions;
        let outside = self
            .frames
            .iter()
            .rev()
            .find(|frame| !functions[frame.function].is_model);
        outside.map_or_else(|| self.span(), Self::span_of)
    }

    /// A place without the models that were inlined into it.
    pub(super) fn peel_models(&self, mut span: SpanId) -> SpanId {
        let spans = &self.program.module.spans;
        while let Some(site) = &spans.span(span).inlined_at
            && self.is_model_named(&site.callee)
        {
            span = site.call;
        }
        span
    }

    /// What is known about the object of a pointer.
    pub(super) fn describe(&self, pointer: Pointer) -> Option<ObjectDescription> {
        let id = pointer.object;
        if !id.is_object() {
            return None;
        }
        let Some(object) = self.memory.object(id) else {
            return Some(forgotten(id, pointer.offset));
        };
        Some(ObjectDescription {
            kind: id.kind(),
            name: self.name_of(object.allocation),
            size: Some(object.size),
            offset: pointer.offset,
            life: object.life,
            allocation: Some(object.allocation),
            allocated_at: self.peel_models(object.allocated_at),
            ended_at: self.peel_models(object.ended_at),
        })
    }

    /// How the source calls what was allocated.
    pub(super) fn name_of(&self, allocation: Allocation) -> Option<Arc<str>> {
        let module = self.program.module;
        match allocation {
            Allocation::Global(global) => Some(module.globals[global].name.clone()),
            Allocation::Function(function) => Some(module.functions[function].name.clone()),
            Allocation::Instruction(function, id) => {
                let body = module.functions[function].body.as_ref()?;
                if let Instruction::Allocate { kind, .. } = body.instructions[id].instruction {
                    match kind {
                        // The name of a pointer to the heap is not the name of what it points to.
                        AllocationKind::Heap => return None,
                        AllocationKind::Permanent => {
                            return module.functions[function].handed_over().map(Into::into);
                        }
                        AllocationKind::Stack => {}
                    }
                }
                let result = *body.instructions[id].results.first()?;
                body.values[result].name.clone()
            }
            Allocation::Arguments => Some("argv".into()),
        }
    }
}

/// An object whose slot has been used again.
fn forgotten(id: ObjectId, offset: i64) -> ObjectDescription {
    ObjectDescription {
        kind: id.kind(),
        name: None,
        size: None,
        offset,
        life: match id.kind() {
            ObjectKind::Heap => Life::Freed,
            ObjectKind::Stack | ObjectKind::Global | ObjectKind::Function => Life::OutOfScope,
        },
        allocation: None,
        allocated_at: SpanId::UNKNOWN,
        ended_at: SpanId::UNKNOWN,
    }
}
