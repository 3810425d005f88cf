//! The invariant of a summarised loop: what is known at the head of a loop because iterations went on, and what has to be shown there.

use super::linear::{self, Linear};
use super::rehearse::Rehearsal;
use super::{Draft, Summariser};
use foghorn_encode::execute::event::What;
use foghorn_term::{Substitution, TermId, TermPool};

impl<'m> Summariser<'_, 'm, '_> {
    /// What holds at the head because iterations went on, and what has to hold there.
    pub(super) fn consequences(
        &mut self,
        draft: &mut Draft<'_, 'm>,
        blind: &Rehearsal,
        seeing: &Rehearsal,
    ) -> Vec<What> {
        let (counter, first) = (draft.counter, draft.index.first);
        let not_less = |pool: &mut TermPool, a, b| match draft.index.signed {
            true => pool.bv_sle(b, a),
            false => pool.bv_ule(b, a),
        };
        let grown = not_less(self.executor.pool, counter, first);
        let mut events = vec![What::Assume { condition: grown }];
        let none = self.executor.pool.equal(counter, first);
        let before = self.counter_before(draft);
        let went_on = self.instance(draft, &blind.conditions, before);
        let condition = self.executor.pool.or(&[none, went_on]);
        events.push(What::Assume { condition });
        let width = self.executor.pool.width(counter);
        if width == self.executor.pointer_bits() {
            let most = self.executor.pool.bv(width, draft.most as u64);
            let begun = not_less(self.executor.pool, most, first);
            let not_yet = not_less(self.executor.pool, most, counter);
            let went_on = self.instance(draft, &blind.conditions, most);
            let not_begun = self.executor.pool.not(begun);
            let condition = self.executor.pool.or(&[not_begun, not_yet, went_on]);
            events.push(What::Assume { condition });
        }
        let conditions = self.requirements(draft);
        let head = draft.shape.path[0];
        let span = draft.body.blocks[head].terminator_span;
        events.extend(conditions.into_iter().map(|condition| What::Obligation {
            condition,
            what: "the iterations of a loop do not go around the address space".into(),
            span,
            of_cells: false,
        }));
        let went_on = self.instance(draft, &seeing.conditions, before);
        let condition = self.executor.pool.or(&[none, went_on]);
        events.push(What::Assume { condition });
        events
    }

    /// What one iteration that went on tells. What is unknown in it has nothing to do with other
    /// iterations.
    pub(super) fn instance(
        &mut self,
        draft: &Draft<'_, 'm>,
        conditions: &[TermId],
        counter: TermId,
    ) -> TermId {
        let all = self.executor.pool.and(conditions);
        let mut renamed = Substitution::new();
        for &unknown in &draft.unknown {
            let sort = self.executor.pool.sort(unknown);
            let other = self.executor.pool.fresh_symbol("then", sort);
            renamed.insert(self.executor.pool, unknown, other);
        }
        renamed.insert(self.executor.pool, draft.index.symbol, counter);
        self.executor.pool.substitute(all, &renamed)
    }

    /// What makes indices exact, as far as the forms of terms do not show it.
    pub(super) fn requirements(&mut self, draft: &mut Draft<'_, 'm>) -> Vec<TermId> {
        let width = self.executor.pool.width(draft.counter);
        let full = self.executor.pointer_bits();
        let nothing = linear::Known::default();
        let first = Linear::of(self.executor.pool, draft.wide_first);
        let last = Linear::of(self.executor.pool, draft.wide).plus(&Linear::constant(full, -1));
        let mut required = vec![];
        let mut require = |own: &mut Self, sum: &Linear, least: i128, most: i128| {
            let (low, high) = sum.range(own.executor.pool, &nothing);
            let [least_term, most_term] = [least, most].map(|end| {
                let end = Linear::constant(full, end as i64);
                end.term(own.executor.pool)
            });
            let term = sum.term(own.executor.pool);
            if low < least {
                required.push(own.executor.pool.bv_sle(least_term, term));
            }
            if high > most {
                required.push(own.executor.pool.bv_sle(term, most_term));
            }
        };
        require(self, &first, 0, draft.most);
        if width == full {
            let counter = Linear::of(self.executor.pool, draft.wide);
            require(self, &counter, 0, draft.most);
        } else {
            for extension in &draft.extensions {
                let plus = Linear::constant(full, extension.plus);
                let half = 1i128 << (width - 1);
                let (least, most) = match extension.signed {
                    true => (-half, half - 1),
                    false => (0, 2 * half - 1),
                };
                // The last index is at least the first one, if there is any.
                require(self, &first.plus(&plus), least, most);
                require(self, &last.plus(&plus), i128::MIN, most);
            }
        }
        required.sort_unstable();
        required.dedup();
        required
    }
}
