//! Strided accesses: where the pointers of a loop lead as its counter grows.

use super::fold::mentions;
use super::linear::Linear;
use super::rehearse::Rehearsal;
use super::shape::Change;
use super::{Draft, Summariser};
use foghorn_ir::InstId;
use foghorn_term::TermId;
use rustc_hash::FxHashMap;

/// A store of each iteration: `base + offset`, a sum with a multiple of the index.
#[derive(Clone, Debug)]
pub(super) struct Track {
    pub base: TermId,
    pub stride: i64,
    pub rest: Linear,
}

impl<'m> Summariser<'_, 'm, '_> {
    /// A term of a rehearsal as a term of the bound index; `None` if it depends on what is unknown.
    pub(super) fn lift(&mut self, draft: &mut Draft<'_, 'm>, term: TermId) -> Option<TermId> {
        let bound = self.bound_index();
        let mut unknown = draft.unknown.iter();
        if unknown.any(|&unknown| mentions(self.executor.pool, term, unknown)) {
            return None;
        }
        let extensions = &mut draft.extensions;
        let term = draft
            .index
            .lift(self.executor.pool, term, bound, extensions);
        Some(self.known.definitions.expand(self.executor.pool, term))
    }

    /// Where a pointer of a rehearsal leads, if that is a multiple of the index from somewhere in one
    /// object.
    pub(super) fn track(&mut self, draft: &mut Draft<'_, 'm>, pointer: TermId) -> Option<Track> {
        let (base, offset) = (
            self.executor.base_of(pointer),
            self.executor.offset_of(pointer),
        );
        self.executor.pool.as_bitvec(base)?;
        let offset = self.lift(draft, offset)?;
        let bound = self.bound_index();
        let (stride, rest) = Linear::of(self.executor.pool, offset).split(bound);
        let varies = rest
            .summand_terms()
            .any(|part| mentions(self.executor.pool, part, bound));
        (stride > 0 && !varies).then_some(Track { base, stride, rest })
    }

    /// The tracks of the stores to contents that change in no other way, by the place of the contents.
    pub(super) fn tracks(
        &mut self,
        draft: &mut Draft<'_, 'm>,
        blind: &Rehearsal,
    ) -> FxHashMap<usize, Vec<Track>> {
        let mut tracks = FxHashMap::default();
        if !blind.is_complete {
            return tracks;
        }
        for (place, change) in draft.shape.changes.iter().enumerate() {
            let Change::Stored(stores) = change else {
                continue;
            };
            let found = stores.iter().map(|id| {
                let &(pointer, bits) = blind.stores.get(id)?;
                let bytes = i64::from(self.executor.pool.width(bits) / 8);
                self.track(draft, pointer)
                    .filter(|track| bytes <= track.stride)
            });
            if let Some(found) = found.collect::<Option<Vec<Track>>>() {
                tracks.insert(place, found);
            }
        }
        tracks
    }

    /// Whether a load in an iteration is from cells that no earlier iteration wrote.
    pub(super) fn is_untouched(
        &mut self,
        draft: &mut Draft<'_, 'm>,
        tracks: &FxHashMap<usize, Vec<Track>>,
        id: InstId,
        pointer: TermId,
    ) -> bool {
        let region = draft.body.instructions[id].memory[0].region;
        let place = draft
            .parameters
            .iter()
            .position(|&param| draft.body.ty(param).region() == Some(region));
        let Some(stores) = place.and_then(|place| tracks.get(&place)) else {
            return false;
        };
        let base = self.executor.base_of(pointer);
        let literal = self.executor.pool.as_bitvec(base).is_some();
        if literal && stores.iter().all(|store| store.base != base) {
            return true;
        }
        let Some(load) = self.track(draft, pointer) else {
            return false;
        };
        // Distances that cannot come around the address space.
        let farthest = 1i64 << (self.executor.pointer_bits() - 3);
        stores.iter().all(|store| {
            let ahead = load.rest.minus(&store.rest).number();
            store.base != load.base
                || (store.stride == load.stride
                    && ahead.is_some_and(|ahead| (0..farthest).contains(&ahead)))
        })
    }
}
