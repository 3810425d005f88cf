//! Closed forms: the variables of a loop after any number of iterations.

use super::definition::Contents;
use super::fold::mentions;
use super::linear::Linear;
use super::rehearse::Rehearsal;
use super::shape::{Change, Fold};
use super::track::Track;
use super::{Draft, Summariser, fold};
use foghorn_encode::execute::new_name;
use foghorn_ir::{Cell, InstId, ValueId};
use foghorn_term::{Op, Sort, TermId};

impl<'m> Summariser<'_, 'm, '_> {
    /// A parameter of the head after any number of iterations.
    pub(super) fn value_after(
        &mut self,
        draft: &mut Draft<'_, 'm>,
        seeing: &Rehearsal,
        tracks: Option<&Vec<Track>>,
        place: usize,
    ) -> Option<TermId> {
        let (param, first) = (draft.parameters[place], draft.first[place]);
        let counter = draft.shape.counter.map(|counter| counter.parameter);
        if counter == Some(place) {
            return Some(draft.counter);
        }
        let term = match &draft.shape.changes[place] {
            Change::Kept => Some(first),
            Change::Moved(by) => Some(self.place_at(draft, place, *by, draft.wide)),
            _ if !seeing.is_complete => None,
            Change::Folded(fold, parts) => {
                let parts = parts.iter().map(|part| {
                    let term = seeing.values.get(&part.value).copied();
                    Some((term?, part.negative))
                });
                let parts = parts.collect::<Option<Vec<_>>>();
                parts.and_then(|parts| self.fold_over(draft, first, *fold, &parts))
            }
            Change::Set(value) => {
                let value = seeing.values.get(value).copied();
                value.and_then(|value| self.last_value(draft, first, value))
            }
            Change::Stored(stores) => tracks.and_then(|tracks| {
                let stores: Vec<(InstId, &Track)> = stores.iter().copied().zip(tracks).collect();
                self.contents_after(draft, seeing, first, param, &stores)
            }),
            Change::Other => None,
        };
        match term {
            Some(term) => Some(term),
            None => self.arbitrary_parameter(draft.body, param),
        }
    }

    /// What is combined over all indices so far.
    pub(super) fn fold_over(
        &mut self,
        draft: &mut Draft<'_, 'm>,
        first: TermId,
        fold: Fold,
        parts: &[(TermId, bool)],
    ) -> Option<TermId> {
        let Sort::BitVec(width) = self.executor.pool.sort(first) else {
            return None;
        };
        let mut element = fold::unit(self.executor.pool, fold, width);
        for &(part, negative) in parts {
            let part = match negative {
                true => self.executor.pool.bv_neg(part),
                false => part,
            };
            element = fold::combine(self.executor.pool, fold, element, part);
        }
        let element = self.lift(draft, element)?;
        let all = self.known.folds.keep(
            self.executor.pool,
            (fold, element),
            (draft.wide_first, draft.wide),
            draft.most,
        );
        Some(fold::combine(self.executor.pool, fold, first, all))
    }

    /// What the iteration before set.
    pub(super) fn last_value(
        &mut self,
        draft: &Draft<'_, 'm>,
        first: TermId,
        value: TermId,
    ) -> Option<TermId> {
        let mut unknown = draft.unknown.iter();
        if unknown.any(|&unknown| mentions(self.executor.pool, value, unknown)) {
            return None;
        }
        let before = self.counter_before(draft);
        let value = draft.index.at(self.executor.pool, value, before);
        let none = self.executor.pool.equal(draft.counter, draft.index.first);
        Some(self.executor.pool.ite(none, first, value))
    }

    /// The counter of the iteration before.
    pub(super) fn counter_before(&mut self, draft: &Draft<'_, 'm>) -> TermId {
        let one = self
            .executor
            .pool
            .bv(self.executor.pool.width(draft.counter), 1);
        self.executor.pool.bv_sub(draft.counter, one)
    }

    /// Contents after the stores of all iterations so far.
    pub(super) fn contents_after(
        &mut self,
        draft: &mut Draft<'_, 'm>,
        seeing: &Rehearsal,
        first: TermId,
        param: ValueId,
        stores: &[(InstId, &Track)],
    ) -> Option<TermId> {
        let region = draft.body.ty(param).region()?;
        let cell = self.executor.cell(&draft.body.regions[region]);
        let bytes: i64 = match cell {
            Cell::Word { bytes } => bytes.into(),
            Cell::Bytes => 1,
            Cell::Pointer => return None,
        };
        for (place, (id, track)) in stores.iter().enumerate() {
            let width = i64::from(self.executor.pool.width(seeing.stores.get(id)?.1));
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
            let value = match self.lift(draft, bits) {
                Some(value) => value,
                None => self.any_at(self.bound_index(), self.executor.pool.width(bits)),
            };
            memory = self.fill(draft, memory, cell, track, value);
            self.executor.note_obligations(*id);
        }
        Some(memory)
    }

    /// A memory in which the cells of all indices so far have a value that depends on the index.
    pub(super) fn fill(
        &mut self,
        draft: &Draft<'_, 'm>,
        memory: TermId,
        cell: Cell,
        track: &Track,
        value: TermId,
    ) -> TermId {
        let name = new_name(self.executor.pool, "written");
        let contents = self.executor.arbitrary_memory(&name, cell);
        let any = self.executor.pool.pointer(track.base, draft.wide);
        let sort = self.executor.pool.sort(value);
        let read = self
            .executor
            .memory
            .read(self.executor.pool, contents, any, sort);
        let Op::Apply(function) = self.executor.pool.op(read) else {
            unreachable!("invariant: a cell of an unknown memory is an application")
        };
        self.known.definitions.define(
            function,
            Contents {
                start: track.rest.clone(),
                stride: track.stride.cast_unsigned(),
                value,
            },
        );
        let [from, to] = [draft.wide_first, draft.wide]
            .map(|end| Linear::of(self.executor.pool, end).times(track.stride));
        let start = from.plus(&track.rest).term(self.executor.pool);
        let length = to.minus(&from).term(self.executor.pool);
        let start = self.executor.pool.pointer(track.base, start);
        self.executor
            .memory
            .copy(self.executor.pool, memory, start, contents, start, length)
    }
}
