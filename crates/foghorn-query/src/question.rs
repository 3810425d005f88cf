//! Verification conditions: from the list of events to questions for the solver.
//!
//! One question for all open checks: is there an execution that fails one of them? Read from the
//! end of the list to its front, a check is an alternative and an assumption a condition on all
//! that follows it: `v₁ ∨ (a ∧ (v₂ ∨ …))`. A check that passed needs no condition of its own: if an
//! execution fails several checks, the first one that it fails is the one it is reported for.

use crate::bounds::{Bounds, Few, Narrowing};
use foghorn_encode::execute::event::{Event, SiteIndex, What};
use foghorn_term::eval::{EvalError, Evaluator};
use foghorn_term::rules::simplifier;
use foghorn_term::{TermId, TermPool};
use rustc_hash::FxHashSet;

/// What a question is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// A check fails, or an obligation of the encoding does.
    Failure,
    /// A loop or recursion goes beyond its bound.
    Beyond,
}

/// Events that are settled: their conditions are taken for granted.
#[derive(Clone, Debug, Default)]
pub struct Settled {
    pub sites: FxHashSet<SiteIndex>,
    /// Obligations by the index of their event.
    pub obligations: FxHashSet<usize>,
}

impl Settled {
    /// Settles an obligation, and with it all of the same place: one answer for all iterations that pass there.
    pub fn settle_obligations(&mut self, events: &[Event], index: usize) {
        let What::Obligation { what, span, .. } = &events[index].what else {
            return;
        };
        let same = |event: &Event| {
            matches!(&event.what, What::Obligation { what: other, span: place, .. }
                if other == what && place == span)
        };
        let passing = events.iter().enumerate();
        let passing = passing.filter(|(_, event)| same(event));
        self.obligations.extend(passing.map(|(index, _)| index));
    }
}

/// A question as formulas.
pub struct Posed {
    /// Its models are executions that answer the question.
    pub whole: TermId,
    /// Formulas that together have the models of the whole: one for each possibility of a value with
    /// few, where that makes products vanish; none where nothing is told apart. Each is easier to
    /// refute, but its models are models of what simplified terms say, not of all that the program
    /// computes.
    pub cases: Vec<TermId>,
}

/// Makes formulas of a question.
pub fn pose(pool: &mut TermPool, events: &[Event], settled: &Settled, question: Question) -> Posed {
    let mut simplifier = simplifier();
    let split = &mut |pool: &mut TermPool, few: Few, whole| few.split(pool, &mut simplifier, whole);
    backwards(pool, events, split, |pool, index, event, rest| {
        let open = is_open(event, index, settled, question);
        before(pool, event, open, rest)
    })
}

/// The formula whose models are executions that reach one of the sites, as far as assumptions decide
/// it: nothing stops at a check.
pub fn reaches(pool: &mut TermPool, events: &[Event], sites: &FxHashSet<SiteIndex>) -> TermId {
    let whole = &mut |_: &mut TermPool, _: Few, _| vec![];
    let question = backwards(pool, events, whole, |pool, _, event, rest| {
        match &event.what {
            What::Assume { condition } => {
                let holds = pool.implies(event.guard, *condition);
                pool.and(&[holds, rest])
            }
            What::Check { site, .. } if sites.contains(site) => pool.or(&[event.guard, rest]),
            What::Check { .. }
            | What::Obligation { .. }
            | What::Input { .. }
            | What::Read { .. }
            | What::Unwinding { .. } => rest,
        }
    });
    question.whole
}

/// Builds a formula from the last event to the first, each step given what comes behind it. What
/// assumptions on every path say of single values is used in all that they govern.
fn backwards(
    pool: &mut TermPool,
    events: &[Event],
    split: &mut dyn FnMut(&mut TermPool, Few, TermId) -> Vec<TermId>,
    mut step: impl FnMut(&mut TermPool, usize, &Event, TermId) -> TermId,
) -> Posed {
    let mut narrowed = narrowings(pool, events);
    let (mut whole, mut cases) = (pool.bool(false), Vec::new());
    for (index, event) in events.iter().enumerate().rev() {
        if let Some((_, narrowing)) = narrowed.pop_if(|(at, _)| *at == index) {
            for rest in std::iter::once(&mut whole).chain(&mut cases) {
                *rest = pool.substitute(*rest, &narrowing.replaced);
            }
            for few in narrowing.few {
                if cases.is_empty() {
                    cases = split(pool, few, whole);
                }
            }
        }
        for rest in std::iter::once(&mut whole).chain(&mut cases) {
            *rest = step(pool, index, event, *rest);
        }
    }
    Posed { whole, cases }
}

/// The formula for the executions that come to an event, given that for those that go on from it.
fn before(pool: &mut TermPool, event: &Event, open: bool, rest: TermId) -> TermId {
    match &event.what {
        What::Input { .. } | What::Read { .. } => rest,
        What::Assume { condition }
        | What::Check { condition, .. }
        | What::Obligation { condition, .. } => {
            let not = pool.not(*condition);
            let violated = pool.and(&[event.guard, not]);
            if open {
                pool.or(&[violated, rest])
            } else {
                let holds = pool.not(violated);
                pool.and(&[holds, rest])
            }
        }
        What::Unwinding { .. } if open => pool.or(&[event.guard, rest]),
        What::Unwinding { .. } => rest,
    }
}

/// What assumptions on every path let us replace behind them, by the index of the event.
fn narrowings(pool: &mut TermPool, events: &[Event]) -> Vec<(usize, Narrowing)> {
    let mut bounds = Bounds::default();
    let mut narrowings = vec![];
    for (index, event) in events.iter().enumerate() {
        if let What::Assume { condition } = event.what
            && pool.as_bool(event.guard) == Some(true)
        {
            let narrowing = bounds.assume(pool, condition);
            if !narrowing.replaced.is_empty() {
                narrowings.push((index, narrowing));
            }
        }
    }
    narrowings
}

fn is_open(event: &Event, index: usize, settled: &Settled, question: Question) -> bool {
    match (&event.what, question) {
        (What::Check { site, .. }, Question::Failure) => !settled.sites.contains(site),
        (What::Obligation { .. }, Question::Failure) => !settled.obligations.contains(&index),
        (What::Unwinding { .. }, Question::Beyond) => true,
        (
            What::Check { .. }
            | What::Obligation { .. }
            | What::Unwinding { .. }
            | What::Assume { .. }
            | What::Input { .. }
            | What::Read { .. },
            _,
        ) => false,
    }
}

/// The first open event that an execution violates.
pub fn first_violation(
    evaluator: &mut Evaluator<'_>,
    events: &[Event],
    settled: &Settled,
    question: Question,
) -> Result<Option<usize>, EvalError> {
    for (index, event) in events.iter().enumerate() {
        if !is_open(event, index, settled, question) {
            continue;
        }
        if !evaluator.evaluate(event.guard)?.as_bool() {
            continue;
        }
        let violated = match &event.what {
            What::Check { condition, .. } | What::Obligation { condition, .. } => {
                !evaluator.evaluate(*condition)?.as_bool()
            }
            What::Unwinding { .. } => true,
            What::Assume { .. } | What::Input { .. } | What::Read { .. } => false,
        };
        if violated {
            return Ok(Some(index));
        }
    }
    Ok(None)
}
