//! The variables of a loop after any number of iterations.

use super::definition::{Contents, new_name};
use super::fold::mentions;
use super::linear::Linear;
use super::rehearse::Rehearsal;
use super::shape::{Change, Fold};
use super::track::Track;
use super::{Closing, fold};
use crate::execute::Executor;
use foghorn_ir::{Cell, InstId, ValueId};
use foghorn_term::{Op, Sort, TermId};

impl<'m> Executor<'m, '_> {
    /// A parameter of the head after any number of iterations.
    pub(super) fn after(
        &mut self,
        closing: &mut Closing<'_, 'm>,
        seeing: &Rehearsal,
        tracks: Option<&Vec<Track>>,
        place: usize,
    ) -> Option<TermId> {
        let (param, first) = (closing.parameters[place], closing.first[place]);
        let counter = closing.shape.counter.map(|counter| counter.parameter);
        if counter == Some(place) {
            return Some(closing.counter);
        }
        let closed = match &closing.shape.changes[place] {
            Change::Kept => Some(first),
            Change::Moved(by) => Some(self.moved_at(closing, place, *by, closing.wide)),
            _ if !seeing.is_complete => None,
            Change::Folded(fold, parts) => {
                let parts = parts.iter().map(|part| {
                    let term = seeing.values.get(&part.value).copied();
                    Some((term?, part.negative))
                });
                let parts = parts.collect::<Option<Vec<_>>>();
                parts.and_then(|parts| self.folded(closing, first, *fold, &parts))
            }
            Change::Set(value) => {
                let value = seeing.values.get(value).copied();
                value.and_then(|value| self.last(closing, first, value))
            }
            Change::Stored(stores) => tracks.and_then(|tracks| {
                let stores: Vec<(InstId, &Track)> = stores.iter().copied().zip(tracks).collect();
                self.written(closing, seeing, first, param, &stores)
            }),
            Change::Other => None,
        };
        match closed {
            Some(term) => Some(term),
            None => self.anything(closing.body, param),
        }
    }

    /// What is combined over all indices so far.
    pub(super) fn folded(
        &mut self,
        closing: &mut Closing<'_, 'm>,
        first: TermId,
        fold: Fold,
        parts: &[(TermId, bool)],
    ) -> Option<TermId> {
        let Sort::BitVec(width) = self.pool.sort(first) else {
            return None;
        };
        let mut element = fold::unit(self.pool, fold, width);
        for &(part, negative) in parts {
            let part = match negative {
                true => self.pool.bv_neg(part),
                false => part,
            };
            element = fold::combine(self.pool, fold, element, part);
        }
        let element = self.lifted(closing, element)?;
        let closed = self.closed.as_mut()?;
        let all = closed.folds.keep(
            self.pool,
            (fold, element),
            (closing.wide_first, closing.wide),
            closing.most,
        );
        Some(fold::combine(self.pool, fold, first, all))
    }

    /// What the iteration before set.
    pub(super) fn last(
        &mut self,
        closing: &Closing<'_, 'm>,
        first: TermId,
        value: TermId,
    ) -> Option<TermId> {
        let mut unknown = closing.unknown.iter();
        if unknown.any(|&unknown| mentions(self.pool, value, unknown)) {
            return None;
        }
        let before = self.before(closing);
        let value = closing.index.at(self.pool, value, before);
        let none = self.pool.equal(closing.counter, closing.index.first);
        Some(self.pool.ite(none, first, value))
    }

    /// The counter of the iteration before.
    pub(super) fn before(&mut self, closing: &Closing<'_, 'm>) -> TermId {
        let one = self.pool.bv(self.pool.width(closing.counter), 1);
        self.pool.bv_sub(closing.counter, one)
    }

    /// Contents after the stores of all iterations so far.
    pub(super) fn written(
        &mut self,
        closing: &mut Closing<'_, 'm>,
        seeing: &Rehearsal,
        first: TermId,
        param: ValueId,
        stores: &[(InstId, &Track)],
    ) -> Option<TermId> {
        let region = closing.body.ty(param).region()?;
        let cell = self.cells.of(&closing.body.regions[region]);
        let bytes: i64 = match cell {
            Cell::Word { bytes } => bytes.into(),
            Cell::Bytes => 1,
            Cell::Pointer => return None,
        };
        for (place, (id, track)) in stores.iter().enumerate() {
            let width = i64::from(self.pool.width(seeing.stores.get(id)?.1));
            let alone = stores[..place]
                .iter()
                .all(|(_, other)| other.base != track.base);
            if width != 8 * bytes || track.stride != bytes || !alone || bytes.count_ones() != 1 {
                return None;
            }
        }
        let mut memory = first;
        for (id, track) in stores {
            let bits = seeing.stores[id].1;
            let value = match self.lifted(closing, bits) {
                Some(value) => value,
                None => self.any_at(self.bound_index(), self.pool.width(bits)),
            };
            memory = self.filled(closing, memory, cell, track, value);
            self.obligations(*id);
        }
        Some(memory)
    }

    /// A memory in which the cells of all indices so far have a value that depends on the index.
    pub(super) fn filled(
        &mut self,
        closing: &Closing<'_, 'm>,
        memory: TermId,
        cell: Cell,
        track: &Track,
        value: TermId,
    ) -> TermId {
        let name = new_name(self.pool, "written");
        let contents = self.arbitrary_memory(&name, cell);
        let any = self.pool.pointer(track.base, closing.wide);
        let sort = self.pool.sort(value);
        let read = self.memory.read(self.pool, contents, any, sort);
        let Op::Apply(function) = self.pool.op(read) else {
            unreachable!("invariant: a cell of an unknown memory is an application")
        };
        let closed = self.closed.as_mut().expect("invariant: loops are closed");
        closed.definitions.define(
            function,
            Contents {
                start: track.rest.clone(),
                stride: track.stride.cast_unsigned(),
                value,
            },
        );
        let [from, to] = [closing.wide_first, closing.wide]
            .map(|end| Linear::of(self.pool, end).times(track.stride));
        let start = from.plus(&track.rest).term(self.pool);
        let length = to.minus(&from).term(self.pool);
        let start = self.pool.pointer(track.base, start);
        self.memory
            .copy(self.pool, memory, start, contents, start, length)
    }
}
