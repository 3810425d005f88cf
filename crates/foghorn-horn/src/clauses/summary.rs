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
use crate::form::{MemoryForm, ProcedureForm};
use crate::layout::{CellKind, Layout};
use crate::memory::{Contents, Kept, Node};
use crate::path::state::AtEntry;
use crate::path::{State, Step};
use foghorn_ir::{FunctionId, HaltKind, Type, ValueId};
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

    pub(super) fn cell_of_type(&self, ty: Type) -> CellKind {
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
    pub(super) fn summary(&mut self, function: FunctionId) -> Summary {
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
        if self.form.procedures != ProcedureForm::Mixed {
            made.entries.push(Entry {
                role: Role::Failed,
                sort: Sort::Bool,
                width: None,
                name: "failed".to_owned(),
                fixed: None,
            });
        }
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
    pub(super) fn argument_of(
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

    /// Where a failure leads: out of the procedure with the flag set, or to `false`. With mixed semantics nothing fails in a
    /// procedure; but what the encoding would have to know there is asked for at once.
    pub(super) fn failure_head(&mut self, state: &State) -> Option<Application> {
        if !self.summarised.contains(&self.procedure)
            || self.form.procedures == ProcedureForm::Mixed
        {
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
}
