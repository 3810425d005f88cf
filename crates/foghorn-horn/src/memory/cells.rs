//! One arbitrary object, or one cell of it, with its contents, its life and its size.
//!
//! A predicate is `P(scalars, k, contents of k)`. Every real state satisfies it for every `k`, so a read
//! at `p` may use `P(scalars, p, contents of p)` as one more premise. That is sound, and not exact: the two
//! premises may stem from different executions. Refutations are replayed, and what is not repeated then is an imprecision.

use super::Target;
use crate::clauses::{Maker, Role};
use crate::datum::{Datum, Pointer};
use crate::layout::{CellKind, Layout};
use crate::path::numbers::all;
use crate::path::state::Premise;
use crate::path::{Interrupt, State, Step};
use crate::sabotage::Sabotage;
use foghorn_smt::horn::Application;
use foghorn_term::TermId;

/// A path that has split so often asks for further places without a path for each on which it is the tracked one. Where what
/// an attempt found is named anew in the next, there would be no end otherwise.
const MOST_SPLITS: usize = 32;

impl Maker<'_> {
    /// What the predicate at the start of the path says of a place.
    pub(super) fn read_slot(
        &mut self,
        state: &mut State,
        slot: usize,
        layout: &Layout,
        target: &Target,
    ) -> Step<Datum> {
        let arguments = self.premise(state, layout, target)?;
        let cut = self.source(state);
        let places: Vec<usize> = self.cuts[cut].signature.slot(slot);
        let terms: Vec<TermId> = places.iter().map(|place| arguments[*place]).collect();
        Ok(self.cell_of_terms(layout.cell, &terms))
    }

    /// Terms as what a cell holds.
    pub(crate) fn cell_of_terms(&mut self, cell: CellKind, terms: &[TermId]) -> Datum {
        match cell {
            CellKind::Number { width } => Datum::number(self.value_of(width, terms[0])),
            CellKind::Pointer => Datum::Pointer(Pointer {
                object: terms[0],
                offset: self.value_of(self.pointer_bits, terms[1]),
            }),
        }
    }

    /// The arguments of the predicate at the start for a place; a premise that was made already, if it
    /// speaks of the place.
    fn premise(
        &mut self,
        state: &mut State,
        layout: &Layout,
        target: &Target,
    ) -> Step<Vec<TermId>> {
        let offset = layout.by_offset.then_some(target.offset.term);
        let fits = |premise: &&Premise| {
            let object = !layout.by_object || premise.object == target.object;
            object && (offset.is_none() || premise.offset == offset)
        };
        if let Some(known) = state.premises.iter().find(fits) {
            return Ok(known.arguments.clone());
        }
        // Of the tracked place itself the predicate is a premise already, and that one is exact.
        let own = self.tracked(state);
        let mut here = vec![];
        if layout.by_object {
            here.push(self.same_object(state, own.object, target.object));
        }
        if layout.by_offset {
            here.push(self.offsets_equal(state, &own.offset, &target.offset));
        }
        let here = all(&mut self.pool, &here);
        let is_here = match self.known(state, here) {
            Some(known) => Some(known),
            // One of the two paths must find the failures that depend on this place.
            None if !state.hit && state.splits < MOST_SPLITS => return Err(Interrupt::Split(here)),
            None => self.decide(state, here)?,
        };
        if is_here == Some(true) {
            if self.sabotage == Sabotage::LostHit {
                return Err(Interrupt::Stopped);
            }
            state.hit = true;
            return Ok(state.premises[0].arguments.clone());
        }
        // Two premises that stem from different executions are a derivation of none.
        let span = self.span(state);
        self.note_imprecision("memory at two places of one execution", span);
        let cut = self.source(state);
        let signature = self.cuts[cut].signature.clone();
        let own = state.premises[0].arguments.clone();
        let mut arguments = Vec::with_capacity(own.len());
        for (entry, own) in signature.entries.iter().zip(own) {
            arguments.push(match &entry.role {
                Role::TrackedObject => target.object,
                Role::TrackedOffset => match offset {
                    Some(offset) => offset,
                    None => self.distance(0).term,
                },
                role if role.depends_on_place() && entry.fixed.is_none() => {
                    let fresh = self.pool.fresh_symbol(&entry.name, entry.sort);
                    self.note_entry(&signature, entry, fresh, state);
                    fresh
                }
                _ => own,
            });
        }
        state.body.push(Application {
            predicate: self.cuts[cut].predicate,
            arguments: signature.free(&arguments),
        });
        state.premises.push(Premise {
            object: target.object,
            offset: Some(offset.unwrap_or(self.distance(0).term)),
            arguments: arguments.clone(),
        });
        Ok(arguments)
    }
}
