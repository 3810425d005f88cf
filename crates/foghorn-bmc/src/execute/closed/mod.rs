//! Loops closed: any number of iterations at once, by what one of them does.
//!
//! A loop is entered in the state after `n` iterations, for any `n`, and gone through once more; nothing
//! goes back to its head. That covers every iteration and every way out, if the state after `n`
//! iterations is one that the values of the variables allow:
//! - the counter is any number that the iteration before did not stop at ([`index`]);
//! - what moves by the same distance each time is where that many moves lead;
//! - sums, and the like over other operators, are folds over the indices so far ([`fold`]);
//! - what was stored at `base + stride · counter` is defined for each index so far ([`definition`]);
//! - anything else is anything.
//!
//! What one iteration does as a function of the counter is found out by a rehearsal ([`rehearse`]) of the
//! path that goes on. Whatever is true of the result only under a condition leaves that condition behind
//! as an obligation. So the program that is checked allows every execution, and others: what is proved
//! of it holds, and what fails may not.
//!
//! Loops with births, deaths or stores of pointers are unwound as ever.

mod after;
mod cases;
mod consequence;
mod definition;
mod fold;
mod index;
mod linear;
mod order;
mod rehearse;
mod shape;
mod track;

use super::Executor;
use crate::event::What;
use crate::plan::FunctionPlan;
use definition::{Definitions, new_function, new_name};
use foghorn_ir::{Body, Cell, Instruction, Module, Type, ValueId};
use foghorn_term::{Sort, TermId};
pub use fold::Folds;
use index::{Extension, Index};
use rehearse::Rehearsal;
use shape::Change;
pub(super) use shape::Shape;
use std::rc::Rc;

/// What is known of all loops that were closed.
#[derive(Debug)]
pub(super) struct Closed {
    definitions: Definitions,
    folds: Folds,
    /// Whether contents may become anything: no pointer is read as bits.
    may_forget: bool,
}

/// Whether a program has a loop that counts and that can be closed.
pub fn has_closable_loops(module: &Module) -> bool {
    let mut bodies = module.functions.values().filter_map(|it| it.body.as_ref());
    bodies.any(|body| {
        let plan = FunctionPlan::new(body);
        (0..plan.components.len()).any(|component| {
            let shape = Shape::of(module, body, &plan, component);
            shape.is_some_and(|shape| shape.counter.is_some())
        })
    })
}

/// The state at the head of a loop, to be.
struct Head {
    parameters: Vec<TermId>,
    /// What holds because iterations went on, and what has to hold, in order.
    events: Vec<What>,
}

/// A loop on its way to be closed.
struct Closing<'s, 'm> {
    shape: &'s Shape,
    body: &'m Body,
    /// The parameters of the head, and their first values.
    parameters: &'m [ValueId],
    first: Vec<TermId>,
    index: Index,
    /// The counter at the head, in its own width and in that of addresses.
    counter: TermId,
    wide: TermId,
    wide_first: TermId,
    /// Indices are at most this.
    most: i128,
    /// Symbols that stand for what is not known in a rehearsal.
    unknown: Vec<TermId>,
    extensions: Vec<Extension>,
}

impl<'m, 'r> Executor<'m, 'r> {
    /// Begins to close loops.
    pub(super) fn close_loops(&mut self) {
        let index = self
            .pool
            .fresh_symbol("index", Sort::BitVec(self.pointer_bits));
        let may_forget = self.module.functions.values().all(|function| {
            let bodies = function.body.iter();
            bodies.into_iter().all(|body| {
                body.blocks.values().all(|block| {
                    block.instructions.iter().all(|&id| {
                        let data = &body.instructions[id];
                        let is_load = matches!(data.instruction, Instruction::Load { .. });
                        let is_pointer = is_load && body.ty(data.results[0]) == Type::Ptr;
                        !is_pointer || {
                            let region = &body.regions[data.memory[0].region];
                            self.cells.of(region) == Cell::Pointer
                        }
                    })
                })
            })
        });
        self.closed = Some(Closed {
            definitions: Definitions::new(index),
            folds: Folds::new(index),
            may_forget,
        });
    }

    /// Replaces what is defined in all that happened, and hands the folds on.
    pub(super) fn finish_closing(&mut self) {
        let Some(closed) = self.closed.take() else {
            return;
        };
        let mut definitions = closed.definitions;
        let mut folds = closed.folds;
        folds.known.clone_from(&definitions.known);
        self.trace.folds = Some(folds);
        for axiom in &mut self.trace.axioms {
            *axiom = definitions.expand(self.pool, *axiom);
        }
        for event in &mut self.trace.events {
            event.guard = definitions.expand(self.pool, event.guard);
            match &mut event.what {
                What::Input { bits: term, .. }
                | What::Read { bits: term, .. }
                | What::Assume { condition: term }
                | What::Check {
                    condition: term, ..
                }
                | What::Obligation {
                    condition: term, ..
                } => *term = definitions.expand(self.pool, *term),
                What::Unwinding { .. } => {}
            }
        }
    }

    /// Puts the state after any number of iterations in the place of that at the first entry. `false` if
    /// the loop has to be unwound.
    pub(super) fn close_loop(&mut self, component: usize) -> bool {
        if self.closed.is_none() || self.marks.is_some() {
            return false;
        }
        let Some(shape) = self.shape(component) else {
            return false;
        };
        let body: &'m Body = self.frame().body;
        let parameters = &body.blocks[shape.path[0]].params;
        let first: Vec<TermId> = parameters.iter().map(|&param| self.get(param)).collect();
        let head = match shape.counter {
            Some(_) => self.counted(&shape, body, parameters, first),
            None => self.forgotten(&shape, body, parameters, &first),
        };
        let Some(head) = head else {
            return false;
        };
        for (&param, &term) in parameters.iter().zip(&head.parameters) {
            self.set(param, term);
        }
        for what in head.events {
            match what {
                What::Assume { condition } => self.assume(condition),
                other => self.note(other),
            }
        }
        true
    }

    /// What a loop of the present function does to its variables.
    fn shape(&mut self, component: usize) -> Option<Rc<Shape>> {
        let (module, frame) = (self.module, self.frame());
        let (body, plan) = (frame.body, Rc::clone(&frame.plan));
        let key = (frame.function, component);
        let shapes = &mut self.memo.shapes;
        let shape = shapes
            .entry(key)
            .or_insert_with(|| Shape::of(module, body, &plan, component).map(Rc::new));
        shape.clone()
    }

    /// A loop of which nothing is known but what it leaves alone.
    fn forgotten(
        &mut self,
        shape: &Shape,
        body: &'m Body,
        parameters: &'m [ValueId],
        first: &[TermId],
    ) -> Option<Head> {
        let mut terms = vec![];
        for ((&param, &first), change) in parameters.iter().zip(first).zip(&shape.changes) {
            terms.push(match change {
                Change::Kept => first,
                _ => self.anything(body, param)?,
            });
        }
        Some(Head {
            parameters: terms,
            events: vec![],
        })
    }

    /// Any value of a parameter.
    fn anything(&mut self, body: &Body, param: ValueId) -> Option<TermId> {
        let ty = body.ty(param);
        if let Some(region) = ty.region() {
            let cell = self.cells.of(&body.regions[region]);
            let may_forget = self.closed.as_ref().is_some_and(|it| it.may_forget);
            if cell == Cell::Pointer || !may_forget {
                return None;
            }
            let name = new_name(self.pool, "forgotten");
            return Some(self.arbitrary_memory(&name, cell));
        }
        match ty {
            Type::Ptr | Type::Memory(_) => None,
            Type::Int(_) | Type::F32 | Type::F64 => {
                let sort = self.sort(ty);
                Some(self.pool.fresh_symbol("any", sort))
            }
        }
    }

    /// Something for each index of which nothing is known, at an index.
    fn any_at(&mut self, index: TermId, width: u32) -> TermId {
        let argument = self.pool.sort_id(index);
        let sort = self.pool.sort_intern(Sort::BitVec(width));
        let function = new_function(self.pool, "any", &[argument], sort);
        self.pool.apply(function, &[index])
    }

    /// A loop with a counter.
    fn counted(
        &mut self,
        shape: &Shape,
        body: &'m Body,
        parameters: &'m [ValueId],
        first: Vec<TermId>,
    ) -> Option<Head> {
        let mut closing = self.closing(shape, body, parameters, first)?;
        let index = closing.index.clone();
        let rehearsed = self.rehearsed(&mut closing)?;
        let blind = self.rehearse(shape, &index, &rehearsed, &mut |_, _, _| false);
        if self.ends_soon(&closing, &blind) {
            return None;
        }
        self.bound_indices(&mut closing, &blind)?;
        let tracks = self.tracks(&mut closing, &blind);
        let mut trust = |executor: &mut Executor<'m, 'r>, id, pointer| {
            executor.is_untouched(&mut closing, &tracks, id, pointer)
        };
        let seeing = self.rehearse(shape, &index, &rehearsed, &mut trust);
        let mut terms = vec![];
        for place in 0..parameters.len() {
            terms.push(self.after(&mut closing, &seeing, tracks.get(&place), place)?);
        }
        let events = self.consequences(&mut closing, &blind, &seeing);
        Some(Head {
            parameters: terms,
            events,
        })
    }

    fn closing<'s>(
        &mut self,
        shape: &'s Shape,
        body: &'m Body,
        parameters: &'m [ValueId],
        first: Vec<TermId>,
    ) -> Option<Closing<'s, 'm>> {
        let counter = shape.counter?;
        let sort = self.sort(body.ty(parameters[counter.parameter]));
        let Sort::BitVec(width) = sort else {
            return None;
        };
        let full = self.pointer_bits;
        if width > full {
            return None;
        }
        let symbol = self.pool.fresh_symbol("each", sort);
        let mut index = Index {
            symbol,
            wide: symbol,
            signed: counter.signed,
            first: first[counter.parameter],
        };
        index.wide = index.widen(self.pool, full, symbol);
        let counter = self.pool.fresh_symbol("counter", sort);
        Some(Closing {
            shape,
            body,
            parameters,
            wide: index.widen(self.pool, full, counter),
            wide_first: index.widen(self.pool, full, index.first),
            first,
            index,
            counter,
            most: 0,
            unknown: vec![],
            extensions: vec![],
        })
    }

    /// The parameters of the head in a rehearsal.
    fn rehearsed(&mut self, closing: &mut Closing<'_, 'm>) -> Option<Vec<TermId>> {
        let mut terms = vec![];
        for (place, change) in closing.shape.changes.iter().enumerate() {
            let (param, first) = (closing.parameters[place], closing.first[place]);
            let is_counter = closing
                .shape
                .counter
                .is_some_and(|counter| counter.parameter == place);
            terms.push(match change {
                _ if is_counter => closing.index.symbol,
                Change::Kept => first,
                _ if closing.body.ty(param).region().is_some() => first,
                Change::Moved(by) => self.moved_at(closing, place, *by, closing.index.wide),
                Change::Folded(..) | Change::Set(_) | Change::Other | Change::Stored(_) => {
                    let unknown = self.anything(closing.body, param)?;
                    closing.unknown.push(unknown);
                    unknown
                }
            });
        }
        Some(terms)
    }

    /// Where a parameter that moves by the same distance each time is at an index.
    fn moved_at(&mut self, closing: &Closing<'_, 'm>, place: usize, by: i64, at: TermId) -> TermId {
        let first = closing.first[place];
        let rounds = self.pool.bv_sub(at, closing.wide_first);
        let width = match self.pool.sort(first) {
            Sort::BitVec(width) => width,
            _ => self.pointer_bits,
        };
        let rounds = self.pool.zero_resize(width, rounds);
        let step = self
            .pool
            .bitvec(foghorn_term::BitVecValue::from_i64(width, by));
        let distance = self.pool.bv_mul(rounds, step);
        match self.pool.sort(first) {
            Sort::BitVec(_) => self.pool.bv_add(first, distance),
            _ => self.moved(first, distance),
        }
    }

    /// Whether few iterations, as constants decide, are all: those are executed.
    fn ends_soon(&mut self, closing: &Closing<'_, 'm>, blind: &Rehearsal) -> bool {
        let Some(&goes_on) = blind.conditions.first() else {
            return false;
        };
        let mut counter = closing.index.first;
        let one = self.pool.bv(self.pool.width(counter), 1);
        for _ in 0..self.limits.closed_from {
            let goes_on = closing.index.at(self.pool, goes_on, counter);
            let goes_on = self.memory.simplify(self.pool, goes_on);
            match self.pool.as_bool(goes_on) {
                Some(true) => {}
                Some(false) => return true,
                None => return false,
            }
            counter = self.pool.bv_add(counter, one);
        }
        false
    }

    /// How large indices can be without their multiples wrapping around.
    fn bound_indices(&mut self, closing: &mut Closing<'_, 'm>, blind: &Rehearsal) -> Option<()> {
        let pointers = blind.loads.iter().copied();
        let pointers = pointers.chain(blind.stores.values().map(|&(pointer, _)| pointer));
        let mut longest = 1;
        for pointer in pointers.collect::<Vec<_>>() {
            if let Some(track) = self.track(closing, pointer) {
                longest = longest.max(track.stride);
            }
        }
        let width = self.pool.width(closing.counter);
        let full = self.pointer_bits;
        let room = (1i128 << (full - 1)) / i128::from(longest);
        let largest = (1i128 << (width - u32::from(closing.index.signed))) - 1;
        if width < full && largest >= room {
            return None;
        }
        // A number that is not negative at the width of addresses.
        closing.most = largest.min(room).min((1i128 << (full - 1)) - 1);
        let closed = self.closed.as_mut()?;
        let known = &mut closed.definitions.known;
        known.insert(closed.definitions.index, (0, closing.most));
        known.insert(closing.wide, (0, closing.most));
        Some(())
    }

    /// The index that stands for all.
    fn bound_index(&self) -> TermId {
        let closed = self.closed.as_ref().expect("invariant: loops are closed");
        closed.definitions.index
    }
}
