//! Calls by their summaries: what is handed over, what comes back, and what memory holds behind them.

use super::summary::Summary;
use super::{Entry, Maker, Meaning, Part, Role, Signature};
use crate::clauses::emit::part_of;
use crate::datum::Datum;
use crate::form::MemoryForm;
use crate::layout::Layout;
use crate::memory::{Contents, Kept, Node, Target};
use crate::path::state::{CalledFunction, Premise};
use crate::path::{Event, State, Step};
use crate::sabotage::Sabotage;
use foghorn_ir::{Body, FunctionId, InstId, MemoryRole, Type, ValueId};
use foghorn_smt::horn::Application;
use foghorn_term::TermId;
use rustc_hash::FxHashMap;

impl<'t> Maker<'t> {
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
                    match self.sabotage == Sabotage::WrongArgument
                        && (number, part) == (Some(0), Part::Number)
                    {
                        true => Some(self.literal(entry.width.unwrap_or(1), 0).term),
                        false => Some(self.argument_of(state, function, value, &datum, part)?),
                    }
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
        let flag = signature.place(&Role::Failed);
        state.events.push(Event::Called {
            premise: state.body.len(),
        });
        if let Some(flag) = flag {
            let mut failing = state.clone();
            first[flag] = self.pool.bool(true);
            failing.body.push(Application {
                predicate: summary.predicate,
                arguments: first.clone(),
            });
            self.emit_error(&failing, Meaning::Propagation, "failed.call");
            first[flag] = self.pool.bool(false);
        }
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
