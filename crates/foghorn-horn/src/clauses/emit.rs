//! Paths as rules.

use super::{Arrival, Maker, Meaning, Part, Role, RuleOrigin, SiteRef};
use crate::datum::Datum;
use crate::form::MemoryForm;
use crate::layout::Layout;
use crate::memory::{Contents, Kept, Target};
use crate::path::numbers::all;
use crate::path::{State, Step};
use foghorn_ir::{InstId, Type};
use foghorn_smt::horn::{Application, Rule};
use foghorn_term::{Op, TermId};
use rustc_hash::FxHashSet;

impl Maker<'_> {
    /// A rule for a path.
    pub fn emit(&mut self, state: &State, head: Option<Application>, meaning: Meaning, name: &str) {
        let Some(rule) = self.rule(state, head, name) else {
            return;
        };
        self.system.rules.push(rule);
        self.rules.push(RuleOrigin {
            meaning,
            events: state.events.clone(),
            continues: self.current.is_some_and(|cut| !self.cuts[cut].is_entry()),
        });
    }

    /// The rule of a path; `None` if no execution takes it.
    fn rule(&mut self, state: &State, head: Option<Application>, name: &str) -> Option<Rule> {
        let mut conditions = state.constraints.clone();
        let arguments = state
            .body
            .iter()
            .chain(head.as_ref())
            .flat_map(|application| application.arguments.iter().copied());
        let mut roots: Vec<TermId> = conditions.iter().copied().chain(arguments).collect();
        // What is true of symbols may speak of others in turn.
        let mut variables: Vec<TermId> = vec![];
        let mut seen: FxHashSet<TermId> = FxHashSet::default();
        while !roots.is_empty() {
            let symbols: Vec<TermId> = self
                .pool
                .post_order(&roots)
                .filter(|term| matches!(self.pool.op(*term), Op::Symbol(_)))
                .collect();
            roots.clear();
            for symbol in symbols {
                if seen.insert(symbol) {
                    variables.push(symbol);
                    for known in self.true_of.get(&symbol).into_iter().flatten() {
                        conditions.push(*known);
                        roots.push(*known);
                    }
                }
            }
        }
        conditions.dedup();
        let constraint = all(&mut self.pool, &conditions);
        if self.pool.as_bool(constraint) == Some(false) {
            return None;
        }
        Some(Rule {
            name: format!("{name}.{}", self.system.rules.len()),
            variables,
            body: state.body.clone(),
            constraint,
            head,
        })
    }

    /// A path comes to a check that the program states, or to its end.
    pub fn note_arrival(&mut self, state: &State, at: Option<SiteRef>) {
        let head = self.failure_head(state);
        if let Some(rule) = self.rule(state, head, "arrival") {
            self.arrivals.push(Arrival { at, rule });
        }
    }

    /// A path on which a check fails.
    pub fn emit_failure(&mut self, state: &State, site: SiteRef) {
        let name = format!("fail.{}", site.kind.representative());
        self.emit_error(state, Meaning::Failure(site), &name);
    }

    /// A path on which the encoding would have to know more than it does.
    pub fn oblige(&mut self, state: &State, condition: TermId, what: &str, id: InstId) {
        let mut failing = state.clone();
        if self.assume(&mut failing, condition).is_ok() {
            let span = self.body(state.frame().function).instructions[id].span;
            let meaning = Meaning::Obligation(what.to_owned(), span);
            self.emit_error(&failing, meaning, "obligation");
        }
    }

    /// Where a path has come to a cut: the cut, if it is new.
    pub fn emit_arrival(&mut self, state: &mut State) -> Step<Option<usize>> {
        let number = self.cut_at(state);
        let arguments = self.arguments_at(state, number)?;
        let cut = &self.cuts[number];
        let head = Application {
            predicate: cut.predicate,
            arguments: cut.signature.free(&arguments),
        };
        let name = format!("to.{}", self.pool.function_data(cut.predicate).name);
        self.emit(state, Some(head), Meaning::Step, &name);
        Ok(self.queued.insert(number).then_some(number))
    }

    /// The arguments of a cut's predicate in a state that has come to it.
    fn arguments_at(&mut self, state: &mut State, number: usize) -> Step<Vec<TermId>> {
        let signature = self.cuts[number].signature.clone();
        let mut arguments = Vec::with_capacity(signature.entries.len());
        for (place, entry) in signature.entries.iter().enumerate() {
            if entry.fixed.is_some() {
                arguments.push(self.cuts[number].formals[place]);
                continue;
            }
            arguments.push(match entry.role {
                Role::Value { frame, value, part } => {
                    let datum = self.value_in(state, frame, value);
                    part_of(&datum, part)
                }
                Role::Content {
                    frame, value, part, ..
                } => {
                    let function = state.frames[frame].function;
                    let Type::Memory(region) = self.body(function).ty(value) else {
                        unreachable!("invariant: contents are of memories");
                    };
                    let layout = self.layouts.get(function, region).clone();
                    let Datum::Contents(contents) = self.value_in(state, frame, value) else {
                        unreachable!("invariant: contents are of memories");
                    };
                    self.kept_part(state, &contents, &layout, part)?
                }
                Role::Ghost { kept, .. } => {
                    let (contents, layout) = self.ghost(state, kept);
                    self.kept_part(state, &contents, &layout, Part::Number)?
                }
                Role::TrackedObject => self.tracked_terms().0,
                Role::TrackedOffset => self.tracked_terms().1,
                Role::NextHeap => state.next_heap,
                Role::NextStack => state.next_stack,
                Role::Mark { frame } => state.frames[frame].mark,
                Role::Entry { .. }
                | Role::EntryGhost { .. }
                | Role::EntryNextHeap
                | Role::EntryNextStack => self.entry_argument(state, entry.role)?,
                Role::Result { .. } | Role::Failed => {
                    unreachable!("invariant: only summaries have results")
                }
            });
        }
        Ok(arguments)
    }

    /// Life, sizes or origins of a state.
    pub fn ghost(&self, state: &State, kept: Kept) -> (Contents, Layout) {
        match kept {
            Kept::Life => (state.life.clone(), Layout::of_objects(1)),
            Kept::Size => (state.size.clone(), Layout::of_objects(self.pointer_bits)),
            Kept::Origin => (state.origin.clone(), Layout::of_objects(32)),
            Kept::Region(..) => unreachable!("invariant: regions are values"),
        }
    }

    /// An argument for contents: what the tracked cell holds, or an array.
    pub fn kept_part(
        &mut self,
        state: &mut State,
        contents: &Contents,
        layout: &Layout,
        part: Part,
    ) -> Step<TermId> {
        if self.form.memory == MemoryForm::Arrays && !layout.is_single() {
            let arrays = self.arrays_of(contents, layout);
            let place = usize::from(part == Part::Offset);
            return Ok(arrays[place]);
        }
        let tracked = self.tracked(state);
        let target = Target {
            object: tracked.object,
            offset: tracked.offset,
        };
        let datum = self.read(state, contents, layout, &target)?;
        Ok(part_of(&datum, part))
    }

    fn value_in(&mut self, state: &State, frame: usize, value: foghorn_ir::ValueId) -> Datum {
        match state.frames[frame].values.get(&value) {
            Some(datum) => datum.clone(),
            None => {
                let function = state.frames[frame].function;
                match self.body(function).ty(value) {
                    Type::Memory(_) => {
                        Datum::Contents(Contents::new(crate::memory::Node::Anything))
                    }
                    ty => self.unknown_value(ty),
                }
            }
        }
    }
}

/// A part of a value.
pub fn part_of(datum: &Datum, part: Part) -> TermId {
    match (datum, part) {
        (Datum::Number { value, .. }, _) => value.term,
        (Datum::Pointer(pointer), Part::Offset) => pointer.offset.term,
        (Datum::Pointer(pointer), Part::Object | Part::Number) => pointer.object,
        (Datum::Contents(_), _) => unreachable!("invariant: contents are read before"),
    }
}
