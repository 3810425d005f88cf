//! Procedures by their summaries (fig. 4 of the SeaHorn paper).
//!
//! A summary relates what a procedure is called with to what it leaves: values, what the tracked object
//! holds, the counters, and whether it failed. Where a check fails the procedure is left at once with the
//! flag set, and so is its caller; the program has failed where the flag reaches the entry. A procedure is
//! entered only with what somebody calls it with, since what memory holds elsewhere is not among its
//! arguments. Contents behind a call are asked of the summary again for each place that is read.

use super::cut::{AT_ENTRY, number_entry};
use super::explore::Pending;
use super::{Cut, CutKey, Entry, Maker, Meaning, Part, Role, Signature};
use crate::clauses::emit::part_of;
use crate::datum::{Datum, Pointer};
use crate::form::MemoryForm;
use crate::layout::{CellKind, Layout};
use crate::memory::{Contents, Kept, Node, Target};
use crate::path::state::{AtEntry, CalledFunction, Premise};
use crate::path::{Event, State, Step};
use foghorn_ir::{Body, FunctionId, HaltKind, InstId, MemoryRole, Type, ValueId};
use foghorn_smt::horn::Application;
use foghorn_term::{FunctionId as Predicate, Sort, TermId};
use rustc_hash::FxHashMap;

/// The summary of a function.
#[derive(Clone, Debug)]
pub struct Summary {
    pub predicate: Predicate,
    pub signature: Signature,
    /// The cut at its entry.
    pub entry: usize,
}

impl<'t> Maker<'t> {
    /// Arguments for what a procedure is called with; whether they need an object, and an offset.
    pub(super) fn entry_roles(
        &mut self,
        function: FunctionId,
        slots: &mut usize,
        counters: bool,
    ) -> (Vec<Entry>, bool, bool) {
        let body = self.body(function);
        let mut made = Signature::default();
        let (mut by_object, mut by_offset) = (false, false);
        for &value in &body.blocks[body.entry].params {
            if !self.matters(function, value) {
                continue;
            }
            let name = format!("entry.{}", self.name_of(0, function, value));
            match body.ty(value) {
                Type::Memory(region) => {
                    let layout = self.layouts.get(function, region).clone();
                    if !layout.tracked {
                        continue;
                    }
                    by_object |= layout.by_object;
                    by_offset |= layout.by_offset;
                    let slot = (!layout.is_single()).then_some(*slots);
                    let role = |part| Role::Entry { value, part, slot };
                    self.add_contents(&mut made, &name, &layout, role);
                    *slots += 1;
                }
                ty => {
                    let cell = self.cell_of_type(ty);
                    let role = |part| Role::Entry {
                        value,
                        part,
                        slot: None,
                    };
                    self.add_cell(&mut made, &name, cell, role);
                }
            }
        }
        for (kept, width, name) in self.ghosts() {
            let slot = *slots;
            let role = |_| Role::EntryGhost { kept, slot };
            let layout = Layout::of_objects(width);
            self.add_contents(&mut made, &format!("entry.{name}"), &layout, role);
            (by_object, *slots) = (true, slot + 1);
        }
        if counters && self.needs.heap {
            made.entries
                .push(number_entry(Role::EntryNextHeap, "entry.heap"));
        }
        if counters && self.needs.stack {
            made.entries
                .push(number_entry(Role::EntryNextStack, "entry.stack"));
        }
        (made.entries, by_object, by_offset)
    }

    fn cell_of_type(&self, ty: Type) -> CellKind {
        match ty {
            Type::Ptr => CellKind::Pointer,
            ty => CellKind::Number {
                width: self.width_of(ty),
            },
        }
    }

    /// The results of a function that its summary tells: their types or regions.
    fn result_types(&self, function: FunctionId) -> Vec<Type> {
        let body = self.body(function);
        let scalars = self.module.functions[function].signature.results.iter();
        let memories = body.memory_results().map(Type::Memory);
        scalars.copied().chain(memories).collect()
    }

    /// The summary of a function; it is explored later.
    fn summary(&mut self, function: FunctionId) -> Summary {
        if let Some(known) = self.summaries.get(&function) {
            return known.clone();
        }
        let mut slots = 0;
        let (entries, mut by_object, mut by_offset) = self.entry_roles(function, &mut slots, true);
        let name = self.module.functions[function].name.to_string();
        let mut at_entry = Signature {
            entries: entries.clone(),
        };
        self.add_tracked(&mut at_entry, by_object, by_offset);
        let entry = self.entry_cut(function, at_entry, &name);
        let mut made = Signature { entries };
        for (number, ty) in self.result_types(function).into_iter().enumerate() {
            let name = format!("result{number}");
            match ty {
                Type::Memory(region) => {
                    let layout = self.layouts.get(function, region).clone();
                    by_object |= layout.by_object;
                    by_offset |= layout.by_offset;
                    let slot = (!layout.is_single()).then_some(slots);
                    let role = |part| Role::Result { number, part, slot };
                    if layout.tracked {
                        self.add_contents(&mut made, &name, &layout, role);
                    }
                    slots += 1;
                }
                ty => {
                    let cell = self.cell_of_type(ty);
                    let role = |part| Role::Result {
                        number,
                        part,
                        slot: None,
                    };
                    self.add_cell(&mut made, &name, cell, role);
                }
            }
        }
        for (kept, width, name) in self.ghosts() {
            let slot = slots;
            let role = |_| Role::Ghost { kept, slot };
            let layout = Layout::of_objects(width);
            self.add_contents(&mut made, name, &layout, role);
            slots += 1;
        }
        self.add_counters(&mut made);
        self.add_tracked(&mut made, by_object, by_offset);
        made.entries.push(Entry {
            role: Role::Failed,
            sort: Sort::Bool,
            width: None,
            name: "failed".to_owned(),
            fixed: None,
        });
        let predicate = self.declare(&format!("{name}.summary"), &made);
        self.system.predicates.push(predicate);
        let summary = Summary {
            predicate,
            signature: made,
            entry,
        };
        self.summaries.insert(function, summary.clone());
        summary
    }

    fn entry_cut(&mut self, function: FunctionId, signature: Signature, name: &str) -> usize {
        let key = CutKey {
            procedure: function,
            frames: vec![(function, self.body(function).entry, AT_ENTRY, None)],
        };
        let mut signature = signature;
        self.fix(&key, &mut signature);
        let predicate = self.declare(&format!("{name}.entry"), &signature);
        self.system.predicates.push(predicate);
        let formals = self.formals(&signature);
        let number = self.cuts.len();
        self.cuts.push(Cut {
            key: key.clone(),
            predicate,
            signature,
            formals,
        });
        self.by_key.insert(key, number);
        self.entries.push(number);
        number
    }

    pub(super) fn begin_summary(&mut self, pending: &mut Pending) -> bool {
        let fresh = std::mem::take(&mut self.entries);
        let found = !fresh.is_empty();
        pending.add_cuts(fresh);
        found
    }

    pub(super) fn empty_entry(&mut self) -> AtEntry {
        let initial = |kept| Contents::new(Node::Initial(kept));
        AtEntry {
            data: FxHashMap::default(),
            life: initial(Kept::Life),
            size: initial(Kept::Size),
            origin: initial(Kept::Origin),
            next_heap: self.pool.int(0),
            next_stack: self.pool.int(0),
        }
    }

    /// What an argument of a cut says of the entry; at the entry itself, of now as well.
    pub(super) fn bind_entry(
        &mut self,
        state: &mut State,
        entry: &Entry,
        (term, next): (TermId, Option<TermId>),
        cut: &Cut,
    ) {
        let kept_in = |maker: &Self, slot: usize| {
            Contents::new(match maker.form.memory {
                MemoryForm::Cells => Node::Slot(slot),
                MemoryForm::Arrays => {
                    let places = cut.signature.slot(slot);
                    Node::Arrays(places.iter().map(|place| cut.formals[*place]).collect())
                }
            })
        };
        let pointer_bits = self.pointer_bits;
        let datum = match entry.role {
            Role::Entry {
                part: Part::Offset, ..
            } => return,
            Role::Entry {
                slot: Some(slot), ..
            }
            | Role::EntryGhost { slot, .. } => Datum::Contents(kept_in(self, slot)),
            Role::Entry {
                part: Part::Object, ..
            } => Datum::Pointer(Pointer {
                object: term,
                offset: self.value_of(pointer_bits, next.unwrap_or(term)),
            }),
            _ => Datum::number(self.value_of(entry.width.unwrap_or(1), term)),
        };
        let Some(at_entry) = &mut state.entry else {
            return;
        };
        match (entry.role, datum) {
            (Role::Entry { value, slot, .. }, datum) => {
                let body = self.module.functions[cut.key.procedure].body.as_ref();
                let is_memory = body.is_some_and(|body| body.ty(value).region().is_some());
                let datum = match (is_memory, slot) {
                    (true, None) => Datum::Contents(Contents::new(Node::Single(datum))),
                    _ => datum,
                };
                at_entry.data.insert(value, datum.clone());
                if cut.is_entry() {
                    state.frames[0].values.insert(value, datum);
                }
            }
            (Role::EntryGhost { kept, .. }, Datum::Contents(contents)) => {
                let (then, now) = match kept {
                    Kept::Life => (&mut at_entry.life, &mut state.life),
                    Kept::Size => (&mut at_entry.size, &mut state.size),
                    Kept::Origin => (&mut at_entry.origin, &mut state.origin),
                    Kept::Region(..) => return,
                };
                *then = contents.clone();
                if cut.is_entry() {
                    *now = contents;
                }
            }
            (Role::EntryNextHeap, _) => at_entry.next_heap = term,
            (Role::EntryNextStack, _) => at_entry.next_stack = term,
            _ => {}
        }
    }

    /// An argument that says how the procedure was called.
    pub(super) fn entry_argument(&mut self, state: &mut State, role: Role) -> Step<TermId> {
        let at_entry = state.entry.clone();
        let at_entry = at_entry.expect("invariant: only procedures with summaries have entries");
        match role {
            Role::Entry { value, part, .. } => {
                let datum = at_entry.data.get(&value).cloned();
                let datum = datum.expect("invariant: parameters that matter are bound");
                self.argument_of(state, self.procedure, value, &datum, part)
            }
            Role::EntryGhost { kept, .. } => {
                let contents = match kept {
                    Kept::Life => at_entry.life,
                    Kept::Size => at_entry.size,
                    Kept::Origin | Kept::Region(..) => at_entry.origin,
                };
                let (_, layout) = self.ghost(state, kept);
                self.kept_part(state, &contents, &layout, Part::Number)
            }
            Role::EntryNextHeap => Ok(at_entry.next_heap),
            Role::EntryNextStack => Ok(at_entry.next_stack),
            other => unreachable!("invariant: {other:?} is not of the entry"),
        }
    }

    /// A part of a value or of contents of the tracked cell.
    fn argument_of(
        &mut self,
        state: &mut State,
        function: FunctionId,
        value: ValueId,
        datum: &Datum,
        part: Part,
    ) -> Step<TermId> {
        match (datum, self.body(function).ty(value)) {
            (Datum::Contents(contents), Type::Memory(region)) => {
                let layout = self.layouts.get(function, region).clone();
                self.kept_part(state, contents, &layout, part)
            }
            (datum, _) => Ok(part_of(datum, part)),
        }
    }

    /// Where a failure leads: out of the procedure with the flag set, or to `false`.
    pub(super) fn failure_head(&mut self, state: &State) -> Option<Application> {
        if !self.summarised.contains(&self.procedure) {
            return None;
        }
        let mut state = state.clone();
        let yes = self.pool.bool(true);
        let head = self.summary_head(&mut state, None, yes);
        Some(head.unwrap_or_else(|_| unreachable!("invariant: how it was called is known")))
    }

    /// The summary's arguments where the procedure is left.
    fn summary_head(
        &mut self,
        state: &mut State,
        results: Option<&[Datum]>,
        failed: TermId,
    ) -> Step<Application> {
        let function = self.procedure;
        let summary = self.summary(function);
        let types = self.result_types(function);
        let mut arguments = vec![];
        for entry in &summary.signature.entries {
            let any = |maker: &mut Self| {
                let symbol = maker.pool.fresh_symbol(&entry.name, entry.sort);
                if let Some(width) = entry.width {
                    maker.note_validity(width, symbol);
                }
                symbol
            };
            arguments.push(match (entry.role, results) {
                (Role::Failed, _) => failed,
                (Role::TrackedObject, _) => self.tracked_terms().0,
                (Role::TrackedOffset, _) => self.tracked_terms().1,
                (
                    Role::Entry { .. }
                    | Role::EntryGhost { .. }
                    | Role::EntryNextHeap
                    | Role::EntryNextStack,
                    _,
                ) => self.entry_argument(state, entry.role)?,
                (_, None) => any(self),
                (Role::Result { number, part, .. }, Some(results)) => match types[number] {
                    Type::Memory(region) => {
                        let layout = self.layouts.get(function, region).clone();
                        match &results[number] {
                            Datum::Contents(contents) => {
                                self.kept_part(state, contents, &layout, part)?
                            }
                            other => part_of(other, part),
                        }
                    }
                    _ => part_of(&results[number], part),
                },
                (Role::Ghost { kept, .. }, Some(_)) => {
                    let (contents, layout) = self.ghost(state, kept);
                    self.kept_part(state, &contents, &layout, Part::Number)?
                }
                (Role::NextHeap, Some(_)) => state.next_heap,
                (Role::NextStack, Some(_)) => state.next_stack,
                (Role::Value { .. } | Role::Content { .. } | Role::Mark { .. }, Some(_)) => {
                    unreachable!("invariant: a summary has no values of frames")
                }
            });
        }
        Ok(Application {
            predicate: summary.predicate,
            arguments,
        })
    }

    /// The procedure returns.
    pub(super) fn end_procedure(&mut self, state: &mut State, values: &[ValueId]) -> Step<()> {
        if !self.summarised.contains(&self.procedure) {
            return self.end_program(state, HaltKind::Exit);
        }
        let results: Vec<Datum> = values.iter().map(|it| self.get(state, *it)).collect();
        self.end_frame(state);
        let no = self.pool.bool(false);
        let head = self.summary_head(state, Some(&results), no)?;
        let name = format!("return.{}", self.module.functions[self.procedure].name);
        self.emit(state, Some(head), Meaning::Step, &name);
        Ok(())
    }

    pub fn call_summary(
        &mut self,
        state: &mut State,
        body: &'t Body,
        id: InstId,
        function: FunctionId,
        arguments: &[ValueId],
    ) -> Step<()> {
        if self.module.functions[function].is_model || self.module.entry == Some(function) {
            return Err(self.refuse(state, "recursion"));
        }
        let data = self.arguments(state, body, id, arguments);
        let summary = self.summary(function);
        let mut before: FxHashMap<usize, Contents> = FxHashMap::default();
        let mut terms: Vec<Option<TermId>> = vec![];
        let mut inputs: FxHashMap<Role, TermId> = FxHashMap::default();
        let params = self.body(function).blocks[self.body(function).entry]
            .params
            .clone();
        for (place, entry) in summary.signature.entries.iter().enumerate() {
            let term = match entry.role {
                Role::Entry { value, part, .. } => {
                    let number = params.iter().position(|it| *it == value);
                    let datum = data[number.expect("invariant: it is a parameter")].clone();
                    if let Datum::Contents(contents) = &datum {
                        before.insert(place, contents.clone());
                    }
                    Some(self.argument_of(state, function, value, &datum, part)?)
                }
                Role::EntryGhost { kept, .. } => {
                    let (contents, layout) = self.ghost(state, kept);
                    before.insert(place, contents.clone());
                    Some(self.kept_part(state, &contents, &layout, Part::Number)?)
                }
                Role::EntryNextHeap => Some(state.next_heap),
                Role::EntryNextStack => Some(state.next_stack),
                Role::TrackedObject => Some(self.tracked_terms().0),
                Role::TrackedOffset => Some(self.tracked_terms().1),
                _ => None,
            };
            if let Some(term) = term {
                inputs.insert(entry.role, term);
            }
            terms.push(term);
        }
        self.emit_entry(state, &summary, &inputs);
        let mut first: Vec<TermId> = vec![];
        for (entry, term) in summary.signature.entries.iter().zip(terms) {
            first.push(match term {
                Some(term) => term,
                None => self.fresh_output(entry),
            });
        }
        self.after_call(state, body, id, function, &summary, (first, before))
    }

    fn fresh_output(&mut self, entry: &Entry) -> TermId {
        let symbol = self.pool.fresh_symbol(&entry.name, entry.sort);
        if let Some(width) = entry.width {
            self.note_validity(width, symbol);
        }
        symbol
    }

    /// Somebody calls a procedure.
    fn emit_entry(&mut self, state: &State, summary: &Summary, inputs: &FxHashMap<Role, TermId>) {
        let cut = self.cuts[summary.entry].clone();
        let arguments = cut
            .signature
            .entries
            .iter()
            .map(|entry| inputs[&entry.role]);
        let arguments: Vec<TermId> = arguments.collect();
        let head = Application {
            predicate: cut.predicate,
            arguments: cut.signature.free(&arguments),
        };
        let name = format!("call.{}", self.pool.function_data(cut.predicate).name);
        self.emit(state, Some(head), Meaning::Step, &name);
    }

    /// Goes on behind a call, and hands its failure up.
    fn after_call(
        &mut self,
        state: &mut State,
        body: &'t Body,
        id: InstId,
        function: FunctionId,
        summary: &Summary,
        (mut first, before): (Vec<TermId>, FxHashMap<usize, Contents>),
    ) -> Step<()> {
        let signature = &summary.signature;
        let flag = signature
            .place(&Role::Failed)
            .expect("invariant: a summary has a flag");
        state.events.push(Event::Called {
            premise: state.body.len(),
        });
        let mut failing = state.clone();
        first[flag] = self.pool.bool(true);
        failing.body.push(Application {
            predicate: summary.predicate,
            arguments: first.clone(),
        });
        self.emit_error(&failing, Meaning::Propagation, "failed.call");
        first[flag] = self.pool.bool(false);
        state.body.push(Application {
            predicate: summary.predicate,
            arguments: first.clone(),
        });
        let (object, offset) = self.tracked_terms();
        let given = signature.entries.iter().zip(&first);
        let given = given.map(|(entry, term)| (!entry.role.depends_on_place()).then_some(*term));
        let call = state.calls.len();
        let called = CalledFunction {
            function,
            arguments: given.collect(),
            before,
            premises: vec![Premise {
                object,
                offset: Some(offset),
                arguments: first.clone(),
            }],
        };
        state.calls.push(called);
        for (entry, term) in signature.entries.iter().zip(&first) {
            match entry.role {
                Role::NextHeap => {
                    let grows = self.pool.int_le(state.next_heap, *term);
                    state.next_heap = *term;
                    self.assume(state, grows)?;
                }
                Role::NextStack => {
                    let grows = self.pool.int_le(*term, state.next_stack);
                    state.next_stack = *term;
                    self.assume(state, grows)?;
                }
                Role::Ghost { kept, slot } => {
                    let after = self.called(call, slot, signature, &first);
                    match kept {
                        Kept::Life => state.life = after,
                        Kept::Size => state.size = after,
                        Kept::Origin => state.origin = after,
                        Kept::Region(..) => {}
                    }
                }
                _ => {}
            }
        }
        self.set_results(state, body, id, function, summary, (call, &first));
        Ok(())
    }

    fn called(
        &self,
        call: usize,
        slot: usize,
        signature: &Signature,
        first: &[TermId],
    ) -> Contents {
        Contents::new(match self.form.memory {
            MemoryForm::Cells => Node::Called { call, place: slot },
            MemoryForm::Arrays => {
                let places = signature.slot(slot);
                Node::Arrays(places.iter().map(|place| first[*place]).collect())
            }
        })
    }

    fn set_results(
        &mut self,
        state: &mut State,
        body: &'t Body,
        id: InstId,
        function: FunctionId,
        summary: &Summary,
        (call, first): (usize, &[TermId]),
    ) {
        let caller = state.frame().function;
        let data = &body.instructions[id];
        let scalars = data.results.len();
        let parts = |number: usize| -> Vec<TermId> {
            let entries = summary.signature.entries.iter().zip(first);
            let own = entries.filter(
                |(entry, _)| matches!(entry.role, Role::Result { number: it, .. } if it == number),
            );
            own.map(|(_, term)| *term).collect()
        };
        for (number, &result) in data.results.iter().enumerate() {
            if self.matters(caller, result) {
                let cell = self.cell_of_type(body.ty(result));
                let datum = self.cell_of_terms(cell, &parts(number));
                self.set(state, result, datum);
            }
        }
        let callee = self.body(function);
        let parameters: Vec<_> = callee.memory_parameters().map(|(_, it)| it).collect();
        let results: Vec<_> = callee.memory_results().collect();
        for used in &data.memory {
            let (MemoryRole::Argument(number), Some(output)) = (used.role, used.output) else {
                continue;
            };
            if !self.matters(caller, output) {
                continue;
            }
            let region = parameters.get(number as usize);
            let place = region.and_then(|region| results.iter().position(|it| it == region));
            let Some((place, region)) = place.zip(region) else {
                let same = self.get(state, used.input);
                self.set(state, output, same);
                continue;
            };
            let layout = self.layouts.get(function, *region).clone();
            let number = scalars + place;
            let slot = summary
                .signature
                .entries
                .iter()
                .find_map(|entry| match entry.role {
                    Role::Result {
                        number: it, slot, ..
                    } if it == number => Some(slot),
                    _ => None,
                });
            let contents = match slot {
                Some(Some(slot)) => self.called(call, slot, &summary.signature, first),
                Some(None) => {
                    let datum = self.cell_of_terms(layout.cell, &parts(number));
                    Contents::new(Node::Single(datum))
                }
                None => Contents::new(Node::Anything),
            };
            self.set(state, output, Datum::Contents(contents));
        }
    }

    /// What a place holds behind a call: the summary is asked about it.
    pub fn read_called(
        &mut self,
        state: &mut State,
        (call, slot): (usize, usize),
        layout: &Layout,
        target: &Target,
    ) -> Step<Datum> {
        let called = state.calls[call].clone();
        let summary = self.summary(called.function);
        let zero = self.distance(0).term;
        let offset = match layout.by_offset {
            true => target.offset.term,
            false => zero,
        };
        let fits = |premise: &&Premise| {
            let object = !layout.by_object || premise.object == target.object;
            object && (!layout.by_offset || premise.offset == Some(offset))
        };
        let known = called
            .premises
            .iter()
            .find(fits)
            .map(|it| it.arguments.clone());
        let arguments = match known {
            Some(arguments) => arguments,
            None => {
                let made = self.ask_summary(state, &called, &summary, target, offset)?;
                state.calls[call].premises.push(Premise {
                    object: target.object,
                    offset: Some(offset),
                    arguments: made.clone(),
                });
                made
            }
        };
        let places = summary.signature.slot(slot);
        let terms: Vec<TermId> = places.iter().map(|place| arguments[*place]).collect();
        Ok(self.cell_of_terms(layout.cell, &terms))
    }

    fn ask_summary(
        &mut self,
        state: &mut State,
        called: &CalledFunction,
        summary: &Summary,
        target: &Target,
        offset: TermId,
    ) -> Step<Vec<TermId>> {
        let offset_value = self.integers.any(self.pointer_bits, offset);
        let place_target = Target {
            object: target.object,
            offset: offset_value,
        };
        let mut arguments = vec![];
        for (place, entry) in summary.signature.entries.iter().enumerate() {
            arguments.push(match (entry.role, called.arguments[place]) {
                (Role::TrackedObject, _) => target.object,
                (Role::TrackedOffset, _) => offset,
                (_, Some(given)) => given,
                (Role::Entry { value, part, .. }, None) => {
                    let Type::Memory(region) = self.body(called.function).ty(value) else {
                        unreachable!("invariant: only memories depend on a place");
                    };
                    let layout = self.layouts.get(called.function, region).clone();
                    let before = called.before[&place].clone();
                    let datum = self.read(state, &before, &layout, &place_target)?;
                    part_of(&datum, part)
                }
                (Role::EntryGhost { kept, .. }, None) => {
                    let (_, layout) = self.ghost(state, kept);
                    let before = called.before[&place].clone();
                    let datum = self.read(state, &before, &layout, &place_target)?;
                    part_of(&datum, Part::Number)
                }
                (_, None) => self.fresh_output(entry),
            });
        }
        state.body.push(Application {
            predicate: summary.predicate,
            arguments: arguments.clone(),
        });
        Ok(arguments)
    }
}
