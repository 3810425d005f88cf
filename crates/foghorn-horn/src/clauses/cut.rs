//! Places at which the program is cut, and the states with which paths begin there.

use super::{Entry, Maker, Part, Role, Signature};
use crate::datum::{Datum, Pointer};
use crate::form::MemoryForm;
use crate::layout::{CellKind, Layout};
use crate::memory::{Contents, Kept, Node};
use crate::path::state::Premise;
use crate::path::{Frame, State};
use crate::sabotage::Sabotage;
use foghorn_encode::integers::{Range, Value};
use foghorn_ir::{BlockId, FunctionId, InstId, Type, ValueId};
use foghorn_smt::horn::Application;
use foghorn_term::{FunctionId as Predicate, Sort, TermId};
use rustc_hash::{FxHashMap, FxHashSet};

/// A place in a frame: function, block, next instruction, and the call that made the frame.
pub type FramePlace = (FunctionId, BlockId, usize, Option<InstId>);

/// A place of the program with the calls around it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CutKey {
    pub procedure: FunctionId,
    pub frames: Vec<FramePlace>,
}

/// A place with its predicate.
#[derive(Clone, Debug)]
pub struct Cut {
    pub key: CutKey,
    pub predicate: Predicate,
    pub signature: Signature,
    /// A symbol for each argument.
    pub formals: Vec<TermId>,
}

/// Stands for the next instruction where a procedure has just been called.
pub const AT_ENTRY: usize = usize::MAX;

impl Cut {
    /// Whether it is the entry of a procedure that has a summary.
    pub fn is_entry(&self) -> bool {
        self.key
            .frames
            .last()
            .is_some_and(|frame| frame.2 == AT_ENTRY)
    }
}

impl Maker<'_> {
    /// The cut of the paths that are followed now.
    pub fn source(&self, _: &State) -> usize {
        self.current.expect("invariant: only cuts have slots")
    }

    /// The object and cell that predicates speak of.
    pub fn tracked_terms(&mut self) -> (TermId, TermId) {
        if let Some(known) = self.tracked {
            return known;
        }
        let object = self.pool.fresh_symbol("k", Sort::Int);
        let offset = self.any_number("k.offset", self.pointer_bits).term;
        self.tracked = Some((object, offset));
        (object, offset)
    }

    /// The same as a pointer.
    pub fn tracked(&mut self, _: &State) -> Pointer {
        let (object, offset) = self.tracked_terms();
        Pointer {
            object,
            offset: self.integers.any(self.pointer_bits, offset),
        }
    }

    fn key_of(&self, state: &State) -> CutKey {
        let place = |frame: &Frame| (frame.function, frame.block, frame.index, frame.call);
        CutKey {
            procedure: self.procedure,
            frames: state.frames.iter().map(place).collect(),
        }
    }

    /// The cut at which a path has arrived.
    pub fn cut_at(&mut self, state: &State) -> usize {
        let key = self.key_of(state);
        if let Some(known) = self.by_key.get(&key) {
            return *known;
        }
        let mut signature = self.signature_of(&key);
        self.fix(&key, &mut signature);
        let number = self.cuts.len();
        let (function, block, index, _) = key.frames[key.frames.len() - 1];
        let name = format!(
            "{}.{block}{}{}",
            self.module.functions[function].name,
            if index > 0 {
                format!(".{index}")
            } else {
                String::new()
            },
            if key.frames.len() > 1 {
                format!(".in{number}")
            } else {
                String::new()
            },
        );
        let predicate = self.declare(&name, &signature);
        let formals = self.formals(&signature);
        self.system.predicates.push(predicate);
        self.cuts.push(Cut {
            key: key.clone(),
            predicate,
            signature,
            formals,
        });
        self.by_key.insert(key, number);
        number
    }

    /// Notes which arguments are literals.
    pub fn fix(&self, key: &CutKey, signature: &mut Signature) {
        for entry in &mut signature.entries {
            entry.fixed = self.constants.get(&(key.clone(), entry.role)).cloned();
        }
    }

    /// A symbol for each argument, or the literal that it is.
    pub fn formals(&mut self, signature: &Signature) -> Vec<TermId> {
        let formals = signature.entries.iter().map(|entry| {
            let fixed = entry.fixed.clone();
            match (fixed.and_then(|value| self.pool.literal(value)), entry.role) {
                (Some(literal), _) => literal,
                (None, Role::TrackedObject) => self.tracked_terms().0,
                (None, Role::TrackedOffset) => self.tracked_terms().1,
                (None, _) => self.pool.fresh_symbol(&entry.name, entry.sort),
            }
        });
        formals.collect()
    }

    /// A predicate whose name is free.
    pub fn declare(&mut self, name: &str, signature: &Signature) -> Predicate {
        let free = signature.entries.iter().filter(|it| it.fixed.is_none());
        let sorts: Vec<_> = free.map(|it| self.pool.sort_intern(it.sort)).collect();
        let bool = self.pool.sort_intern(Sort::Bool);
        (0..)
            .find_map(|number: usize| {
                let name = match number {
                    0 => name.to_owned(),
                    _ => format!("{name}.{number}"),
                };
                match self.pool.find_function(&name) {
                    Some(_) => None,
                    None => self.pool.function(&name, &sorts, bool).ok(),
                }
            })
            .expect("invariant: there are more numbers than names")
    }

    fn signature_of(&mut self, key: &CutKey) -> Signature {
        let mut made = Signature::default();
        let mut slots = 0;
        let (mut by_object, mut by_offset) = (false, false);
        for (number, &(function, block, index, _)) in key.frames.iter().enumerate() {
            let call = key.frames.get(number + 1).and_then(|(_, _, _, call)| *call);
            for value in self.live(function, block, index, call) {
                match self.body(function).ty(value) {
                    Type::Memory(region) => {
                        let layout = self.layouts.get(function, region).clone();
                        if !layout.tracked {
                            continue;
                        }
                        by_object |= layout.by_object;
                        by_offset |= layout.by_offset;
                        let name = format!("m{number}.{value}");
                        let role = |part| Role::Content {
                            frame: number,
                            value,
                            part,
                            single: layout.is_single(),
                            slot: slots,
                        };
                        self.add_contents(&mut made, &name, &layout, role);
                        slots += 1;
                    }
                    ty => {
                        let role = |part| Role::Value {
                            frame: number,
                            value,
                            part,
                        };
                        let name = self.name_of(number, function, value);
                        let width = self.width_of(ty);
                        let cell = match ty {
                            Type::Ptr => CellKind::Pointer,
                            _ => CellKind::Number { width },
                        };
                        self.add_cell(&mut made, &name, cell, role);
                    }
                }
            }
            if number > 0 && self.needs.stack && self.needs.life {
                made.entries
                    .push(number_entry(Role::Mark { frame: number }, "mark"));
            }
        }
        for (kept, width, name) in self.ghosts() {
            let role = |_| Role::Ghost { kept, slot: slots };
            let layout = Layout::of_objects(width);
            self.add_contents(&mut made, name, &layout, role);
            (by_object, slots) = (true, slots + 1);
        }
        self.add_counters(&mut made);
        if self.summarised.contains(&key.procedure) {
            let entry = self.entry_roles(key.procedure, &mut slots, true);
            (by_object, by_offset) = (by_object || entry.1, by_offset || entry.2);
            made.entries.extend(entry.0);
        }
        self.add_tracked(&mut made, by_object, by_offset);
        made
    }

    /// The object and the offset that a predicate speaks of.
    pub fn add_tracked(&mut self, made: &mut Signature, by_object: bool, by_offset: bool) {
        if self.form.memory == MemoryForm::Cells {
            if by_object {
                made.entries.push(number_entry(Role::TrackedObject, "k"));
            }
            if by_offset {
                let width = self.pointer_bits;
                made.entries.push(Entry {
                    role: Role::TrackedOffset,
                    sort: self.integers.sort(width),
                    width: Some(width),
                    name: "k.offset".to_owned(),
                    fixed: None,
                });
            }
        }
    }

    /// Counters of objects.
    pub fn add_counters(&self, made: &mut Signature) {
        if self.needs.heap {
            made.entries.push(number_entry(Role::NextHeap, "next.heap"));
        }
        if self.needs.stack {
            made.entries
                .push(number_entry(Role::NextStack, "next.stack"));
        }
    }

    /// What is kept of every object.
    pub fn ghosts(&self) -> Vec<(Kept, u32, &'static str)> {
        let all = [
            (self.needs.life, (Kept::Life, 1, "alive")),
            (self.needs.size, (Kept::Size, self.pointer_bits, "size")),
            (self.needs.origin, (Kept::Origin, 32, "origin")),
        ];
        all.into_iter()
            .filter(|(is, _)| *is)
            .map(|(_, it)| it)
            .collect()
    }

    pub fn name_of(&self, frame: usize, function: FunctionId, value: ValueId) -> String {
        let name = self.body(function).values[value].name.as_deref();
        match (frame, name) {
            (0, Some(name)) => format!("{value}.{name}"),
            (0, None) => format!("{value}"),
            (frame, Some(name)) => format!("f{frame}.{value}.{name}"),
            (frame, None) => format!("f{frame}.{value}"),
        }
    }

    /// Arguments for a value.
    pub fn add_cell(
        &mut self,
        made: &mut Signature,
        name: &str,
        cell: CellKind,
        role: impl Fn(Part) -> Role,
    ) {
        let sorts = self.cell_sorts(cell);
        self.add_parts(made, name, cell, &sorts, true, role);
    }

    /// Arguments for contents.
    pub fn add_contents(
        &mut self,
        made: &mut Signature,
        name: &str,
        layout: &Layout,
        role: impl Fn(Part) -> Role,
    ) {
        let plain = layout.is_single() || self.form.memory == MemoryForm::Cells;
        let sorts = match plain {
            true => self.cell_sorts(layout.cell),
            false => self.array_sorts(layout),
        };
        self.add_parts(made, name, layout.cell, &sorts, plain, role);
    }

    fn add_parts(
        &mut self,
        made: &mut Signature,
        name: &str,
        cell: CellKind,
        sorts: &[Sort],
        plain: bool,
        role: impl Fn(Part) -> Role,
    ) {
        let parts: &[(Part, Option<u32>, &str)] = match cell {
            CellKind::Number { width } => &[(Part::Number, Some(width), "")],
            CellKind::Pointer => &[
                (Part::Object, None, ".object"),
                (Part::Offset, Some(self.pointer_bits), ".offset"),
            ],
        };
        for ((part, width, suffix), sort) in parts.iter().zip(sorts) {
            made.entries.push(Entry {
                role: role(*part),
                sort: *sort,
                width: width.filter(|_| plain),
                name: format!("{name}{suffix}"),
                fixed: None,
            });
        }
    }

    /// A number of a width that a term is.
    pub fn value_of(&self, width: u32, term: TermId) -> Value {
        let value = self.integers.any(width, term);
        match self.pool.as_int(term) {
            Some(number) => value.within(&Range::one(number.clone())),
            None => value,
        }
    }

    /// The values that are live in a frame. What a call will define is not there yet.
    fn live(
        &self,
        function: FunctionId,
        block: BlockId,
        index: usize,
        call: Option<InstId>,
    ) -> Vec<ValueId> {
        let body = self.body(function);
        let matters = |value: ValueId| self.matters(function, value);
        let facts = &self.functions[&function];
        let mut live = facts.liveness.before(body, block, index, &matters);
        if index == 0 {
            let params = body.blocks[block].params.iter();
            live.extend(params.copied().filter(|param| matters(*param)));
        }
        if self.sabotage == Sabotage::MissingLive
            && let Some(lost) = live
                .iter()
                .rev()
                .copied()
                .find(|it| matches!(body.ty(*it), Type::Int(_)))
        {
            live.remove(&lost);
        }
        if let Some(call) = call {
            body.instructions[call].for_each_definition(|value| {
                live.remove(&value);
            });
        }
        live.into_iter().collect()
    }

    /// What is true of an argument because of what it stands for.
    pub fn note_entry(
        &mut self,
        signature: &Signature,
        entry: &Entry,
        term: TermId,
        state: &mut State,
    ) {
        if entry.fixed.is_some() {
            return;
        }
        if let Some(width) = entry.width {
            self.note_validity(width, term);
        }
        let is_object = match entry.role {
            Role::Value { part, .. }
            | Role::Content { part, .. }
            | Role::Entry { part, .. }
            | Role::Result { part, .. } => part == Part::Object && entry.sort == Sort::Int,
            _ => false,
        };
        if !is_object {
            return;
        }
        state.old.insert(term);
        let own = state.premises[0].arguments.clone();
        let place =
            |now: Role, then: Role| signature.place(&now).or_else(|| signature.place(&then));
        if let Some(place) = place(Role::NextHeap, Role::EntryNextHeap) {
            let older = self.pool.int_lt(term, own[place]);
            self.true_of.entry(term).or_default().push(older);
        }
        if let Some(place) = place(Role::NextStack, Role::EntryNextStack) {
            let older = self.pool.int_lt(own[place], term);
            self.true_of.entry(term).or_default().push(older);
        }
    }

    /// The state in which paths from a cut begin.
    pub fn state_at(&mut self, number: usize) -> State {
        let cut = self.cuts[number].clone();
        let mut state = self.empty_state();
        let application = Application {
            predicate: cut.predicate,
            arguments: cut.signature.free(&cut.formals),
        };
        state.body.push(application);
        let place = |role: &Role| cut.signature.place(role).map(|at| cut.formals[at]);
        let (object, offset) = self.tracked_terms();
        state.premises.push(Premise {
            object,
            offset: Some(offset),
            arguments: cut.formals.clone(),
        });
        let counter = |now: &Role, then: &Role| match cut.is_entry() {
            true => place(then),
            false => place(now),
        };
        let heap = counter(&Role::NextHeap, &Role::EntryNextHeap);
        let stack = counter(&Role::NextStack, &Role::EntryNextStack);
        state.next_heap = heap.unwrap_or(state.next_heap);
        state.next_stack = stack.unwrap_or(state.next_stack);
        if self.summarised.contains(&cut.key.procedure) {
            state.entry = Some(self.empty_entry());
        }
        for &(function, block, index, call) in &cut.key.frames {
            state.frames.push(Frame {
                function,
                block,
                index: if index == AT_ENTRY { 0 } else { index },
                values: FxHashMap::default(),
                call,
                mark: state.next_stack,
            });
        }
        let entries: Vec<(Entry, TermId)> = cut
            .signature
            .entries
            .iter()
            .cloned()
            .zip(cut.formals.iter().copied())
            .collect();
        for (entry, term) in &entries {
            self.note_entry(&cut.signature, entry, *term, &mut state);
        }
        for (at, (entry, term)) in entries.iter().enumerate() {
            let next = entries.get(at + 1).map(|(_, term)| *term);
            self.bind(&mut state, entry, (*term, next), &cut);
        }
        state
    }

    fn bind(
        &mut self,
        state: &mut State,
        entry: &Entry,
        (term, next): (TermId, Option<TermId>),
        cut: &Cut,
    ) {
        let any = |maker: &Self, width: u32, term: TermId| -> Value { maker.value_of(width, term) };
        let slot_contents = |maker: &Self, slot: usize| -> Contents {
            Contents::new(match maker.form.memory {
                MemoryForm::Cells => Node::Slot(slot),
                MemoryForm::Arrays => {
                    let places = cut.signature.slot(slot);
                    Node::Arrays(places.iter().map(|place| cut.formals[*place]).collect())
                }
            })
        };
        match entry.role {
            Role::Value { frame, value, part } => {
                let datum = match part {
                    Part::Number => Datum::number(any(self, entry.width.unwrap_or(1), term)),
                    Part::Object => Datum::Pointer(Pointer {
                        object: term,
                        offset: any(self, self.pointer_bits, next.unwrap_or(term)),
                    }),
                    Part::Offset => return,
                };
                state.frames[frame].values.insert(value, datum);
            }
            Role::Content {
                frame,
                value,
                part,
                single,
                slot,
            } => {
                let contents = match (single, part) {
                    (_, Part::Offset) => return,
                    (true, Part::Number) => Contents::new(Node::Single(Datum::number(any(
                        self,
                        entry.width.unwrap_or(1),
                        term,
                    )))),
                    (true, Part::Object) => Contents::new(Node::Single(Datum::Pointer(Pointer {
                        object: term,
                        offset: any(self, self.pointer_bits, next.unwrap_or(term)),
                    }))),
                    (false, _) => slot_contents(self, slot),
                };
                let datum = Datum::Contents(contents);
                state.frames[frame].values.insert(value, datum);
            }
            Role::Ghost { kept, slot } => {
                let contents = slot_contents(self, slot);
                match kept {
                    Kept::Life => state.life = contents,
                    Kept::Size => state.size = contents,
                    Kept::Origin => state.origin = contents,
                    Kept::Region(..) => {}
                }
            }
            Role::Mark { frame } => state.frames[frame].mark = term,
            Role::TrackedObject
            | Role::TrackedOffset
            | Role::NextHeap
            | Role::NextStack
            | Role::Result { .. }
            | Role::Failed => {}
            Role::Entry { .. }
            | Role::EntryGhost { .. }
            | Role::EntryNextHeap
            | Role::EntryNextStack => self.bind_entry(state, entry, (term, next), cut),
        }
    }

    /// A state without frames, at the program's start.
    pub fn empty_state(&mut self) -> State {
        let first = self.numbering.first_heap();
        let initial = |kept| Contents::new(Node::Initial(kept));
        State {
            frames: vec![],
            constraints: vec![],
            decided: FxHashMap::default(),
            ranges: FxHashMap::default(),
            body: vec![],
            premises: vec![],
            calls: vec![],
            life: initial(Kept::Life),
            size: initial(Kept::Size),
            origin: initial(Kept::Origin),
            next_heap: self.pool.int(first),
            next_stack: self.pool.int(crate::objects::FIRST_STACK),
            new: vec![],
            old: FxHashSet::default(),
            events: vec![],
            hit: false,
            splits: 0,
            arriving: false,
            entry: None,
        }
    }
}

pub(super) fn number_entry(role: Role, name: &str) -> Entry {
    Entry {
        role,
        sort: Sort::Int,
        width: None,
        name: name.to_owned(),
        fixed: None,
    }
}
