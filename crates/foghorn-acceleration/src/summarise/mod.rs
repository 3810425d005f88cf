//! Loop summarisation (acceleration): any number of iterations at once, by what one of them does.
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
//! Loops with allocations, deaths or stores of pointers are unwound as ever.

mod after;
mod cases;
mod consequence;
mod definition;
mod fold;
mod index;
mod linear;
mod order;
mod policy;
mod rehearse;
mod shape;
mod track;

pub use fold::Folds;
pub use policy::{Summarise, has_summarisable_loops};

use definition::new_function;
use foghorn_encode::execute::event::What;
use foghorn_encode::execute::{Executor, new_name};
use foghorn_ir::{Body, Cell, Type, ValueId};
use foghorn_term::{Sort, TermId};
use index::{Extension, Index};
use policy::Known;
use rehearse::Rehearsal;
use shape::{Change, Shape};

/// The state at the head of a loop, to be.
struct Head {
    parameters: Vec<TermId>,
    /// What holds because iterations went on, and what has to hold, in order.
    events: Vec<What>,
}

/// A loop on its way to be summarised.
struct Draft<'s, 'm> {
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

/// A loop's summary being made, by going through its instructions.
struct Summariser<'a, 'm, 'r> {
    executor: &'a mut Executor<'m, 'r>,
    known: &'a mut Known,
}

impl<'m, 'r> Summariser<'_, 'm, 'r> {
    fn replace_state(&mut self, shape: &Shape, from: u32) -> bool {
        let body: &'m Body = self.executor.body();
        let parameters = &body.blocks[shape.path[0]].params;
        let first = parameters.iter().map(|&param| self.executor.get(param));
        let first: Vec<TermId> = first.collect();
        let head = match shape.counter {
            Some(_) => self.summarise_counted(shape, body, parameters, first, from),
            None => self.forget(shape, body, parameters, &first),
        };
        let Some(head) = head else {
            return false;
        };
        for (&param, &term) in parameters.iter().zip(&head.parameters) {
            self.executor.set(param, term);
        }
        for what in head.events {
            match what {
                What::Assume { condition } => self.executor.assume(condition),
                other => self.executor.note(other),
            }
        }
        true
    }

    /// A loop of which nothing is known but what it leaves alone.
    fn forget(
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
                _ => self.arbitrary_parameter(body, param)?,
            });
        }
        Some(Head {
            parameters: terms,
            events: vec![],
        })
    }

    /// Any value of a parameter.
    fn arbitrary_parameter(&mut self, body: &Body, param: ValueId) -> Option<TermId> {
        let ty = body.ty(param);
        if let Some(region) = ty.region() {
            let cell = self.executor.cell(&body.regions[region]);
            let may_forget = self.known.may_forget;
            if cell == Cell::Pointer || !may_forget {
                return None;
            }
            let name = new_name(self.executor.pool, "forgotten");
            return Some(self.executor.arbitrary_memory(&name, cell));
        }
        match ty {
            Type::Ptr | Type::Memory(_) => None,
            Type::Int(_) | Type::F32 | Type::F64 => {
                let sort = self.executor.sort(ty);
                Some(self.executor.pool.fresh_symbol("any", sort))
            }
        }
    }

    /// Something for each index of which nothing is known, at an index.
    fn any_at(&mut self, index: TermId, width: u32) -> TermId {
        let argument = self.executor.pool.sort_id(index);
        let sort = self.executor.pool.sort_intern(Sort::BitVec(width));
        let function = new_function(self.executor.pool, "any", &[argument], sort);
        self.executor.pool.apply(function, &[index])
    }

    /// A loop with a counter.
    fn summarise_counted(
        &mut self,
        shape: &Shape,
        body: &'m Body,
        parameters: &'m [ValueId],
        first: Vec<TermId>,
        from: u32,
    ) -> Option<Head> {
        let mut draft = self.begin_draft(shape, body, parameters, first)?;
        let index = draft.index.clone();
        let rehearsed = self.rehearsal_parameters(&mut draft)?;
        let blind = self.rehearse(shape, &index, &rehearsed, &mut |_, _, _| false);
        if self.ends_soon(&draft, &blind, from) {
            return None;
        }
        self.bound_indices(&mut draft, &blind)?;
        let tracks = self.tracks(&mut draft, &blind);
        let mut trust = |own: &mut Summariser<'_, 'm, 'r>, id, pointer| {
            own.is_untouched(&mut draft, &tracks, id, pointer)
        };
        let seeing = self.rehearse(shape, &index, &rehearsed, &mut trust);
        let mut terms = vec![];
        for place in 0..parameters.len() {
            terms.push(self.value_after(&mut draft, &seeing, tracks.get(&place), place)?);
        }
        let events = self.consequences(&mut draft, &blind, &seeing);
        Some(Head {
            parameters: terms,
            events,
        })
    }

    fn begin_draft<'s>(
        &mut self,
        shape: &'s Shape,
        body: &'m Body,
        parameters: &'m [ValueId],
        first: Vec<TermId>,
    ) -> Option<Draft<'s, 'm>> {
        let counter = shape.counter?;
        let sort = self.executor.sort(body.ty(parameters[counter.parameter]));
        let Sort::BitVec(width) = sort else {
            return None;
        };
        let full = self.executor.pointer_bits();
        if width > full {
            return None;
        }
        let symbol = self.executor.pool.fresh_symbol("each", sort);
        let mut index = Index {
            symbol,
            wide: symbol,
            signed: counter.signed,
            first: first[counter.parameter],
        };
        index.wide = index.widen(self.executor.pool, full, symbol);
        let counter = self.executor.pool.fresh_symbol("counter", sort);
        Some(Draft {
            shape,
            body,
            parameters,
            wide: index.widen(self.executor.pool, full, counter),
            wide_first: index.widen(self.executor.pool, full, index.first),
            first,
            index,
            counter,
            most: 0,
            unknown: vec![],
            extensions: vec![],
        })
    }

    /// The parameters of the head in a rehearsal.
    fn rehearsal_parameters(&mut self, draft: &mut Draft<'_, 'm>) -> Option<Vec<TermId>> {
        let mut terms = vec![];
        for (place, change) in draft.shape.changes.iter().enumerate() {
            let (param, first) = (draft.parameters[place], draft.first[place]);
            let is_counter = draft
                .shape
                .counter
                .is_some_and(|counter| counter.parameter == place);
            terms.push(match change {
                _ if is_counter => draft.index.symbol,
                Change::Kept => first,
                _ if draft.body.ty(param).region().is_some() => first,
                Change::Moved(by) => self.place_at(draft, place, *by, draft.index.wide),
                Change::Folded(..) | Change::Set(_) | Change::Other | Change::Stored(_) => {
                    let unknown = self.arbitrary_parameter(draft.body, param)?;
                    draft.unknown.push(unknown);
                    unknown
                }
            });
        }
        Some(terms)
    }

    /// Where a parameter that moves by the same distance each time is at an index.
    fn place_at(&mut self, draft: &Draft<'_, 'm>, place: usize, by: i64, at: TermId) -> TermId {
        let first = draft.first[place];
        let rounds = self.executor.pool.bv_sub(at, draft.wide_first);
        let width = match self.executor.pool.sort(first) {
            Sort::BitVec(width) => width,
            _ => self.executor.pointer_bits(),
        };
        let rounds = self.executor.pool.zero_resize(width, rounds);
        let step = self
            .executor
            .pool
            .bitvec(foghorn_term::BitVecValue::from_i64(width, by));
        let distance = self.executor.pool.bv_mul(rounds, step);
        match self.executor.pool.sort(first) {
            Sort::BitVec(_) => self.executor.pool.bv_add(first, distance),
            _ => self.executor.move_pointer(first, distance),
        }
    }

    /// Whether few iterations, as constants decide, are all: those are executed.
    fn ends_soon(&mut self, draft: &Draft<'_, 'm>, blind: &Rehearsal, from: u32) -> bool {
        let Some(&goes_on) = blind.conditions.first() else {
            return false;
        };
        let mut counter = draft.index.first;
        let one = self.executor.pool.bv(self.executor.pool.width(counter), 1);
        for _ in 0..from {
            let goes_on = draft.index.at(self.executor.pool, goes_on, counter);
            let goes_on = self.executor.simplify(goes_on);
            match self.executor.pool.as_bool(goes_on) {
                Some(true) => {}
                Some(false) => return true,
                None => return false,
            }
            counter = self.executor.pool.bv_add(counter, one);
        }
        false
    }

    /// How large indices can be without their multiples wrapping around.
    fn bound_indices(&mut self, draft: &mut Draft<'_, 'm>, blind: &Rehearsal) -> Option<()> {
        let pointers = blind.loads.iter().copied();
        let pointers = pointers.chain(blind.stores.values().map(|&(pointer, _)| pointer));
        let mut longest = 1;
        for pointer in pointers.collect::<Vec<_>>() {
            if let Some(track) = self.track(draft, pointer) {
                longest = longest.max(track.stride);
            }
        }
        let width = self.executor.pool.width(draft.counter);
        let full = self.executor.pointer_bits();
        let room = (1i128 << (full - 1)) / i128::from(longest);
        let largest = (1i128 << (width - u32::from(draft.index.signed))) - 1;
        if width < full && largest >= room {
            return None;
        }
        // A number that is not negative at the width of addresses.
        draft.most = largest.min(room).min((1i128 << (full - 1)) - 1);
        let definitions = &mut self.known.definitions;
        let known = &mut definitions.known;
        known.insert(definitions.index, (0, draft.most));
        known.insert(draft.wide, (0, draft.most));
        Some(())
    }

    /// The index that stands for all.
    fn bound_index(&self) -> TermId {
        self.known.definitions.index
    }
}
