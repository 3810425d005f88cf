//! Watching a run and writing down what a reader of the source wants to know.
//!
//! The run tells two parties: an observer (calls, blocks, variables, memory) and the source of
//! its choices. Both write into one [`Recorder`]. What happens inside models of library functions
//! is told at the place of the call, and only what matters outside: inputs, allocations, frees.

use super::VariableValue;
use super::changes::Changes;
use super::fold::{Scope, active_calls, returned_call};
use super::naming::Names;
use super::value::{show, show_bits};
use super::{Event, FailedCheck, FailedObject, Input, InputSource, Location, Step, Trace};
use crate::outside::Texts;
use crate::stream;
use foghorn_core::SpanId;
use foghorn_ir::graph::{ControlFlowGraph, LoopForest};
use foghorn_ir::interpret::{
    Access, Change, ChoiceRequest, ChoiceSource, Failure, ObjectDescription, ObjectKind, Observed,
    Observer, Pointer, ProgramPoint,
};
use foghorn_ir::module::START_WITH_ARGUMENTS;
use foghorn_ir::{BlockId, Body, FunctionId, Module, NondetOrigin, Terminator, Type, VariableId};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// How the choices of a library function begin that are no text.
const LIBRARY: &str = "__foghorn_library_";

/// An active call outside the models of library functions.
struct Frame {
    function: FunctionId,
    /// The body, then the loops that are being executed, outermost first.
    scopes: Vec<Scope>,
    block: Option<BlockId>,
    variables: BTreeMap<VariableId, VariableValue>,
}

/// What has happened so far.
pub struct Recorder<'m> {
    module: &'m Module,
    names: Names<'m>,
    loops: BTreeMap<FunctionId, LoopForest>,
    /// Active calls of functions of the program, outermost first.
    frames: Vec<Frame>,
    /// All active calls: where a library model was called, `None` for a frame.
    active: Vec<Option<SpanId>>,
    /// The place of the call that is entered next.
    call: SpanId,
    inputs: Vec<Input>,
    /// Changes by functions without a body, in this run and as an earlier one found them.
    changes: Changes,
    foreseen: Changes,
    /// The type of the value that a changed place is just given.
    changed: Option<Type>,
    /// The steps of calls that ended before the failure with nothing around them: constructors.
    before: Vec<Step>,
    texts: Texts<'m>,
}

impl<'m> Recorder<'m> {
    pub fn new(module: &'m Module) -> Self {
        Recorder {
            module,
            names: Names::new(module),
            loops: BTreeMap::new(),
            frames: vec![],
            active: vec![],
            call: SpanId::UNKNOWN,
            inputs: vec![],
            changes: Changes::default(),
            foreseen: Changes::default(),
            changed: None,
            before: vec![],
            texts: Texts::new(module),
        }
    }

    /// A recorder of the same run again, which tells changes where they happen.
    #[must_use]
    pub fn again(self) -> Self {
        Recorder {
            foreseen: self.changes,
            ..Recorder::new(self.module)
        }
    }

    /// Whether anything was changed from outside.
    pub fn has_changes(&self) -> bool {
        !self.changes.is_empty()
    }

    /// The trace of a run that ended in this failure.
    pub fn finish(mut self, failure: &Failure) -> Trace {
        let variables = match self.frames.last() {
            Some(frame) => frame.variables.values().cloned().collect(),
            None => vec![],
        };
        let failure = self.failed_check(failure, variables);
        let mut calls = vec![std::mem::take(&mut self.before)];
        for frame in self.frames {
            calls.push(close(frame.scopes));
        }
        Trace {
            inputs: self.inputs,
            streams: vec![],
            steps: active_calls(calls),
            failure,
            outside: self.texts.finish().report(),
        }
    }

    fn failed_check(&self, failure: &Failure, variables: Vec<VariableValue>) -> FailedCheck {
        let outside = failure.stack.iter().filter(|frame| !frame.is_model);
        let stack: Vec<Location> = outside
            .map(|frame| self.names.location(frame.span, &frame.function))
            .collect();
        let function = stack.first().map_or("", |place| &place.function);
        FailedCheck {
            location: self.names.location(failure.span, function),
            kind: failure.kind,
            message: failure.message.clone(),
            object: failure
                .object
                .as_ref()
                .map(|object| self.failed_object(object)),
            layout: vec![],
            variables,
            stack,
        }
    }

    fn failed_object(&self, object: &ObjectDescription) -> FailedObject {
        let place = |span: SpanId| span.is_known().then(|| self.names.location(span, ""));
        FailedObject {
            description: object.describe(&self.module.spans),
            bytes: object.size,
            offset: object.offset,
            allocated_at: place(object.allocated_at),
            ended_at: place(object.ended_at),
        }
    }

    fn body(&self, function: FunctionId) -> Option<&'m Body> {
        self.module.functions[function].body.as_ref()
    }

    fn span_of(&self, at: ProgramPoint) -> SpanId {
        self.body(at.function).map_or(SpanId::UNKNOWN, |body| {
            body.instructions[at.instruction].span
        })
    }

    /// The place at which an instruction of the newest frame, or of a model it called, acts.
    fn visible(&self, span: SpanId) -> SpanId {
        let models = self.active.iter().rev().map_while(|model| *model);
        models.last().unwrap_or(span)
    }

    fn in_model(&self) -> bool {
        self.active.last().is_some_and(Option::is_some)
    }

    /// A step of the newest frame; steps without a place in the source are not told.
    fn push(&mut self, span: SpanId, event: Event) {
        let depth = self.frames.len();
        let Some(frame) = self.frames.last_mut() else {
            return;
        };
        let function = &self.module.functions[frame.function].name;
        let location = self.names.location(span, function);
        let scope = frame.scopes.last_mut();
        let scope = scope.expect("invariant: a frame has the scope of its body");
        scope.push(Step {
            location,
            depth,
            event,
        });
    }

    fn enter(&mut self, function: FunctionId) {
        let data = &self.module.functions[function];
        // What the start of the program makes is no part of the run that a reader follows.
        let starts = &*data.name == START_WITH_ARGUMENTS;
        if starts || data.is_model && !self.active.is_empty() {
            self.active.push(Some(self.call));
            return;
        }
        let started = self.frames.is_empty();
        if !started {
            let callee = data.name.to_string();
            self.push(self.visible(self.call), Event::Call { callee });
        }
        self.active.push(None);
        self.frames.push(Frame {
            function,
            scopes: vec![Scope::body()],
            block: None,
            variables: BTreeMap::new(),
        });
        if started {
            self.push(data.span, Event::Start);
        }
    }

    fn leave(&mut self) {
        if let Some(Some(_)) = self.active.pop() {
            return;
        }
        let Some(frame) = self.frames.pop() else {
            return;
        };
        let steps = returned_call(close(frame.scopes));
        let depth = self.frames.len();
        let scope = self.frames.last_mut().and_then(|f| f.scopes.last_mut());
        let Some(scope) = scope else {
            self.before.extend(steps);
            return;
        };
        // The call is the last step there. If nothing is told of it, neither is its end.
        let call = scope.last_mut().map(|step| step.location.clone());
        if let Some(location) = call
            && !steps.is_empty()
        {
            scope.extend(steps);
            let callee = self.module.functions[frame.function].name.to_string();
            scope.push(Step {
                location,
                depth,
                event: Event::Return { callee },
            });
        }
    }

    fn enter_block(&mut self, function: FunctionId, block: BlockId) {
        if self.in_model() {
            return;
        }
        let Some(body) = self.body(function) else {
            return;
        };
        let forest = self
            .loops
            .entry(function)
            .or_insert_with(|| LoopForest::new(&ControlFlowGraph::new(body)));
        let Some(frame) = self.frames.last_mut() else {
            return;
        };
        let previous = frame.block.replace(block);
        let own_loop = forest.with_header(block);
        let continues = previous.is_some_and(|previous| {
            forest
                .with_header(previous)
                .is_some_and(|id| forest.contains(id, block))
        });
        // Loops that the jump leaves are closed.
        while let Some(id) = frame.scopes.last().and_then(|scope| scope.of)
            && !forest.contains(id, block)
        {
            let scope = frame.scopes.pop().expect("invariant: just seen");
            let outer = frame.scopes.last_mut();
            outer
                .expect("invariant: the body's scope stays")
                .extend(scope.into_steps());
        }
        let mut number = 1;
        match (own_loop, frame.scopes.last_mut()) {
            (Some(id), Some(scope)) if scope.of == Some(id) => {
                scope.next_iteration();
                number = scope.iteration;
            }
            (Some(id), _) => frame.scopes.push(Scope::of_loop(id)),
            (None, _) => {}
        }
        if let Some(previous) = previous
            && own_loop.is_none()
            && !continues
        {
            self.branch(body, previous, block);
        }
        if own_loop.is_some() {
            let span = block_span(body, block);
            if span.is_known() {
                self.push(span, Event::Iteration { number });
            }
        }
    }

    /// Control went from a block that ends in a condition to one of its targets.
    fn branch(&mut self, body: &Body, from: BlockId, to: BlockId) {
        let data = &body.blocks[from];
        let Terminator::Branch {
            on_true, on_false, ..
        } = &data.terminator
        else {
            return;
        };
        let (span, target) = (data.terminator_span, block_span(body, to));
        if on_true.block == on_false.block || !span.is_known() || !target.is_known() {
            return;
        }
        let to_line = self.module.spans.span(target).line;
        let line = self.module.spans.span(span).line;
        // The parts of one condition (`a && b`) are one decision: the last says where it led.
        let frame = self.frames.last_mut();
        if let Some(last) = frame
            .and_then(|frame| frame.scopes.last_mut())
            .and_then(Scope::last_mut)
            && last.location.line == line
            && let Event::Branch { to_line: known } = &mut last.event
        {
            *known = to_line;
            return;
        }
        self.push(span, Event::Branch { to_line });
    }

    fn bind(&mut self, at: ProgramPoint, variable: VariableId, ty: Type, value: Observed) {
        if self.in_model() {
            return;
        }
        let Some(body) = self.body(at.function) else {
            return;
        };
        let data = &body.variables[variable];
        let value = VariableValue {
            variable: data.name.to_string(),
            ty: ty.to_string(),
            value: show(&self.names, ty, value, data.signed),
        };
        if let Some(frame) = self.frames.last_mut() {
            frame.variables.insert(variable, value.clone());
        }
        let VariableValue {
            variable,
            ty,
            value,
        } = value;
        let event = Event::Assign {
            variable,
            ty,
            value,
        };
        self.push(self.span_of(at), event);
    }

    fn store(&mut self, access: &Access, ty: Type, value: Observed) {
        self.texts.store(access, value);
        if self.in_model() {
            return;
        }
        let variable = self.names.variable_in(access.allocation);
        let signed = variable.is_none_or(|variable| variable.signed);
        let value = show(&self.names, ty, value, signed);
        let target = self.names.target(access);
        self.push(
            self.span_of(access.at),
            Event::Store {
                target,
                ty: ty.to_string(),
                value,
            },
        );
    }

    fn allocate(&mut self, access: &Access, span: SpanId) {
        self.names.enter(access);
        self.texts.allocate(access);
        if access.object.kind() == ObjectKind::Heap {
            let object = self.names.object(access.object);
            let bytes = access.length;
            self.push(self.visible(span), Event::Allocate { object, bytes });
        }
    }

    fn free(&mut self, access: &Access) {
        let object = self.names.object(access.object);
        let span = self.visible(self.span_of(access.at));
        self.push(span, Event::Free { object });
    }

    /// An object is changed: what somebody looks at later is told here.
    fn change(&mut self, access: &Access, by: &str) {
        let number = self.changes.begin(access.object);
        let span = self.visible(self.span_of(access.at));
        let variable = self.names.variable_in(access.allocation);
        let signed = variable.is_none_or(|variable| variable.signed);
        for bytes in self.foreseen.of(number).to_vec() {
            let part = Access {
                offset: bytes.offset,
                length: bytes.length,
                ..*access
            };
            let event = Event::Change {
                by: by.to_owned(),
                target: self.names.target(&part),
                ty: bytes.ty.to_string(),
                value: show(&self.names, bytes.ty, bytes.value, signed),
            };
            self.push(span, event);
        }
    }

    fn determine(&mut self, access: &Access, bits: u128) {
        self.texts.determine(access, bits);
        if let Some(ty) = self.changed.take() {
            self.changes.determine(access, ty, Observed::Bits(bits));
        }
    }

    fn determine_pointer(&mut self, access: &Access, pointer: Pointer) {
        if let Some(ty) = self.changed.take() {
            let value = Observed::Pointer(pointer);
            self.changes.determine(access, ty, value);
        }
    }

    fn input(&mut self, request: &ChoiceRequest<'_>, bits: u128) {
        let name = request.origin.name();
        let signed = !is_unsigned_name(name);
        let mut input = Input {
            index: request.index,
            source: source_of(request.origin),
            name: name.strip_prefix(LIBRARY).unwrap_or(name).to_owned(),
            ty: request.ty.to_string(),
            value: show_bits(request.ty, bits, signed),
            bits: format!("{bits:#x}"),
        };
        if stream::is_stream(request.origin) {
            input.source = InputSource::Stream;
            let told = stream::told(request.origin, request.ty, bits);
            if let Some((name, what)) = told {
                (input.name, input.value) = (name.to_owned(), what);
                self.inputs.push(input.clone());
                self.push(self.visible(request.span), Event::Input(input));
            } else {
                self.inputs.push(input);
            }
            return;
        }
        self.inputs.push(input.clone());
        self.texts.choice(request.origin.name(), bits);
        self.changed = None;
        if let NondetOrigin::Change(_) = request.origin {
            // Told where the change happens.
            self.changed = Some(request.ty);
            return;
        }
        if Texts::explains(request.origin.name()) {
            return;
        }
        // A slot that the compiler made up has no meaning for a reader.
        if let NondetOrigin::Uninitialised(name) = request.origin
            && &**name != "memory"
            && !self.names.is_variable(name)
        {
            return;
        }
        self.push(self.visible(request.span), Event::Input(input));
    }
}

/// The steps of a frame whose loops all end here.
fn close(scopes: Vec<Scope>) -> Vec<Step> {
    let mut inner = vec![];
    for mut scope in scopes.into_iter().rev() {
        scope.extend(inner);
        inner = scope.into_steps();
    }
    inner
}

/// The first place in the source that a block names.
fn block_span(body: &Body, block: BlockId) -> SpanId {
    let data = &body.blocks[block];
    let spans = data
        .instructions
        .iter()
        .map(|&id| body.instructions[id].span);
    spans
        .chain([data.terminator_span])
        .find(|span| span.is_known())
        .unwrap_or(SpanId::UNKNOWN)
}

fn source_of(origin: &NondetOrigin) -> InputSource {
    match origin {
        NondetOrigin::Input(_) => InputSource::Input,
        NondetOrigin::External(_) => InputSource::External,
        NondetOrigin::Change(_) => InputSource::Change,
        NondetOrigin::Uninitialised(_) => InputSource::Uninitialised,
        NondetOrigin::Undefined => InputSource::Undefined,
        NondetOrigin::OverApproximated(_) => InputSource::OverApproximated,
    }
}

/// Whether the name of a nondet function says that its values have no sign.
pub(crate) fn is_unsigned_name(name: &str) -> bool {
    let suffix = name.rsplit(['_', '.']).next().unwrap_or(name);
    suffix.starts_with("unsigned")
        || suffix == "t" && name.ends_with("size_t")
        || matches!(
            suffix,
            "uchar" | "ushort" | "uint" | "ulong" | "ulonglong" | "bool" | "Bool"
        )
        || matches!(suffix, "u8" | "u16" | "u32" | "u64" | "u128")
        || suffix
            .strip_prefix("uint")
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}

/// The observer's half of a recorder.
pub(crate) struct Watch<'r, 'm>(pub &'r RefCell<Recorder<'m>>);

impl Observer for Watch<'_, '_> {
    fn write(&mut self, access: Access) {
        self.0.borrow_mut().texts.write(&access);
    }
    fn store(&mut self, access: Access, ty: Type, value: Observed) {
        self.0.borrow_mut().store(&access, ty, value);
    }
    fn change(&mut self, access: Access, change: &Change<'_>) {
        self.0.borrow_mut().change(&access, change.by);
    }
    fn determine(&mut self, access: Access, bits: u128) {
        self.0.borrow_mut().determine(&access, bits);
    }
    fn determine_pointer(&mut self, access: Access, pointer: Pointer) {
        self.0.borrow_mut().determine_pointer(&access, pointer);
    }
    fn allocate(&mut self, access: Access, span: SpanId) {
        self.0.borrow_mut().allocate(&access, span);
    }
    fn free(&mut self, access: Access) {
        self.0.borrow_mut().free(&access);
    }
    fn call(&mut self, _: ProgramPoint, at: SpanId, _: FunctionId) {
        self.0.borrow_mut().call = at;
    }
    fn bind(&mut self, at: ProgramPoint, variable: VariableId, ty: Type, bits: u128) {
        // A pointer is told by `bind_pointer`.
        if ty != Type::Ptr {
            let value = Observed::Bits(bits);
            self.0.borrow_mut().bind(at, variable, ty, value);
        }
    }
    fn bind_pointer(&mut self, at: ProgramPoint, variable: VariableId, pointer: Pointer) {
        let value = Observed::Pointer(pointer);
        self.0.borrow_mut().bind(at, variable, Type::Ptr, value);
    }
    fn block(&mut self, function: FunctionId, block: BlockId) {
        self.0.borrow_mut().enter_block(function, block);
    }
    fn enter(&mut self, function: FunctionId, _: usize) {
        self.0.borrow_mut().enter(function);
    }
    fn leave(&mut self, _: FunctionId, _: usize) {
        self.0.borrow_mut().leave();
    }
}

/// The choices' half of a recorder: passes on what another source chooses.
pub(crate) struct Told<'r, 'm, 'c> {
    pub recorder: &'r RefCell<Recorder<'m>>,
    pub inner: &'c mut dyn ChoiceSource,
}

impl ChoiceSource for Told<'_, '_, '_> {
    fn choose(&mut self, request: &ChoiceRequest<'_>) -> Option<u128> {
        let bits = self.inner.choose(request)?;
        let bits = request.counted(bits);
        self.recorder.borrow_mut().input(request, bits);
        Some(bits)
    }
}
