//! What is known at the head of a loop because iterations went on, and what has to be shown there.

use super::Closing;
use super::linear::{self, Linear};
use super::rehearse::Rehearsal;
use crate::event::What;
use crate::execute::Executor;
use foghorn_term::{Substitution, TermId, TermPool};

impl<'m> Executor<'m, '_> {
    /// What holds at the head because iterations went on, and what has to hold there.
    pub(super) fn consequences(
        &mut self,
        closing: &mut Closing<'_, 'm>,
        blind: &Rehearsal,
        seeing: &Rehearsal,
    ) -> Vec<What> {
        let (counter, first) = (closing.counter, closing.index.first);
        let not_less = |pool: &mut TermPool, a, b| match closing.index.signed {
            true => pool.bv_sle(b, a),
            false => pool.bv_ule(b, a),
        };
        let grown = not_less(self.pool, counter, first);
        let mut events = vec![What::Assume { condition: grown }];
        let none = self.pool.equal(counter, first);
        let before = self.before(closing);
        let went_on = self.instance(closing, &blind.conditions, before);
        let condition = self.pool.or(&[none, went_on]);
        events.push(What::Assume { condition });
        let width = self.pool.width(counter);
        if width == self.pointer_bits {
            let most = self.pool.bv(width, closing.most as u64);
            let begun = not_less(self.pool, most, first);
            let not_yet = not_less(self.pool, most, counter);
            let went_on = self.instance(closing, &blind.conditions, most);
            let not_begun = self.pool.not(begun);
            let condition = self.pool.or(&[not_begun, not_yet, went_on]);
            events.push(What::Assume { condition });
        }
        let conditions = self.requirements(closing);
        let head = closing.shape.path[0];
        let span = closing.body.blocks[head].terminator_span;
        events.extend(conditions.into_iter().map(|condition| What::Obligation {
            condition,
            what: "the iterations of a loop do not go around the address space".into(),
            span,
            of_cells: false,
        }));
        let went_on = self.instance(closing, &seeing.conditions, before);
        let condition = self.pool.or(&[none, went_on]);
        events.push(What::Assume { condition });
        events
    }

    /// What one iteration that went on tells. What is unknown in it has nothing to do with other
    /// iterations.
    pub(super) fn instance(
        &mut self,
        closing: &Closing<'_, 'm>,
        conditions: &[TermId],
        counter: TermId,
    ) -> TermId {
        let all = self.pool.and(conditions);
        let mut renamed = Substitution::new();
        for &unknown in &closing.unknown {
            let sort = self.pool.sort(unknown);
            let other = self.pool.fresh_symbol("then", sort);
            renamed.insert(self.pool, unknown, other);
        }
        renamed.insert(self.pool, closing.index.symbol, counter);
        self.pool.substitute(all, &renamed)
    }

    /// What makes indices exact, as far as the forms of terms do not show it.
    pub(super) fn requirements(&mut self, closing: &mut Closing<'_, 'm>) -> Vec<TermId> {
        let width = self.pool.width(closing.counter);
        let full = self.pointer_bits;
        let nothing = linear::Known::default();
        let first = Linear::of(self.pool, closing.wide_first);
        let last = Linear::of(self.pool, closing.wide).plus(&Linear::constant(full, -1));
        let mut required = vec![];
        let mut require = |executor: &mut Self, sum: &Linear, least: i128, most: i128| {
            let (low, high) = sum.range(executor.pool, &nothing);
            let [least_term, most_term] = [least, most].map(|end| {
                let end = Linear::constant(full, end as i64);
                end.term(executor.pool)
            });
            let term = sum.term(executor.pool);
            if low < least {
                required.push(executor.pool.bv_sle(least_term, term));
            }
            if high > most {
                required.push(executor.pool.bv_sle(term, most_term));
            }
        };
        require(self, &first, 0, closing.most);
        if width == full {
            let counter = Linear::of(self.pool, closing.wide);
            require(self, &counter, 0, closing.most);
        } else {
            for extension in &closing.extensions {
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
