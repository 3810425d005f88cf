//! Checks: a rule that derives `false` where one can fail, and what holds behind it.

use super::{State, Step};
use crate::clauses::{Maker, SiteRef};
use foghorn_core::{CheckKind, SiteKind, WhenOff};
use foghorn_ir::InstId;
use foghorn_term::TermId;

impl Maker<'_> {
    /// A site of the frame on top; inside a model of a library function it is the model's call.
    pub fn site(&self, state: &State, kind: SiteKind, id: InstId) -> SiteRef {
        let mut point = state.point(id);
        let mut frames = state.frames.iter().rev();
        let mut top = frames.next();
        for below in frames {
            let Some(call) = top.and_then(|frame| frame.call) else {
                break;
            };
            if !self.module.functions[point.function].is_model {
                break;
            }
            point = foghorn_ir::interpret::ProgramPoint {
                function: below.function,
                instruction: call,
            };
            top = Some(below);
        }
        SiteRef {
            kind,
            point: Some(point),
        }
    }

    /// A check of a kind that stands for its group.
    pub fn check_kind(
        &mut self,
        state: &mut State,
        id: InstId,
        site: SiteKind,
        kind: CheckKind,
        condition: TermId,
    ) -> Step<()> {
        let selected = self.settings.checks.contains(kind) || site == SiteKind::Call;
        if !selected {
            return match kind.when_off() {
                WhenOff::MachineMeaning => Ok(()),
                WhenOff::AssumedAway | WhenOff::AlwaysOn => self.assume(state, condition),
            };
        }
        let site = self.site(state, site, id);
        if self.only_returns(&site) {
            // The copy in the entry has the executions in which it fails.
            return match self.is_asked(&site) {
                true => self.assume(state, condition),
                false => Ok(()),
            };
        }
        // Nothing is concluded from what somebody else proved.
        if !self.is_asked(&site) {
            return Ok(());
        }
        if site.kind.is_written() {
            self.note_arrival(state, Some(site));
        }
        self.check(state, site, condition)?;
        self.assume(state, condition)
    }

    /// A rule for the failure of an open site.
    pub fn check(&mut self, state: &mut State, site: SiteRef, condition: TermId) -> Step<()> {
        if !self.is_open(&site) || self.known(state, condition) == Some(true) {
            return Ok(());
        }
        // Where another place than the tracked one was read, the same failure is found with that place
        // tracked: every real state satisfies the predicate for it too.
        if state.premises.len() > 1
            && !state.hit
            && !matches!(site.kind, SiteKind::Leak | SiteKind::Cleanup)
        {
            return Ok(());
        }
        let fails = self.pool.not(condition);
        let mut failing = state.clone();
        if self.assume(&mut failing, fails).is_ok() {
            self.emit_failure(&failing, site);
        }
        Ok(())
    }
}
