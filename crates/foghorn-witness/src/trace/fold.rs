//! Leaving out the middle of what is long.
//!
//! Steps are collected in scopes: one for the body of each active call, and within it one for
//! each loop that is being executed. A loop keeps its first and its last iterations, since the
//! first show what it does and the last why it failed; what it costs to keep a trace therefore
//! does not grow with the number of iterations. A call that returned keeps its first and last
//! steps, and of a deep recursion the outermost and innermost calls are kept.

use super::{Event, Omission, Step};
use foghorn_ir::graph::LoopId;
use std::collections::VecDeque;

/// Iterations that are shown at each end of a loop.
const FIRST_ITERATIONS: usize = 2;
const LAST_ITERATIONS: usize = 3;
/// Steps of a call that returned.
const CALL_STEPS: usize = 60;
/// Active calls that are shown at each end of a recursion.
const OUTER_CALLS: usize = 6;
const INNER_CALLS: usize = 10;
/// Steps of a whole trace, of which a third are its first.
const TRACE_STEPS: usize = 1500;

/// The steps of a loop that is being executed, or of a function's body.
#[derive(Debug, Default)]
pub struct Scope {
    /// The loop; `None` for a body.
    pub of: Option<LoopId>,
    /// Steps of the current iteration.
    steps: Vec<Step>,
    first: Vec<Vec<Step>>,
    last: VecDeque<Vec<Step>>,
    /// The number of the current iteration, from 1.
    pub iteration: u64,
    skipped: u64,
}

impl Scope {
    /// The scope of a function's body.
    pub fn body() -> Self {
        Self::default()
    }

    /// The scope of a loop in its first iteration.
    pub fn of_loop(id: LoopId) -> Self {
        Scope {
            of: Some(id),
            iteration: 1,
            ..Self::default()
        }
    }

    pub fn push(&mut self, step: Step) {
        self.steps.push(step);
    }

    pub fn extend(&mut self, steps: Vec<Step>) {
        self.steps.extend(steps);
    }

    pub fn last_mut(&mut self) -> Option<&mut Step> {
        self.steps.last_mut()
    }

    /// The current iteration is over and another one begins.
    pub fn next_iteration(&mut self) {
        let done = std::mem::take(&mut self.steps);
        self.iteration += 1;
        if self.first.len() < FIRST_ITERATIONS {
            self.first.push(done);
            return;
        }
        self.last.push_back(done);
        // The current iteration counts among the last ones.
        if self.last.len() >= LAST_ITERATIONS {
            self.last.pop_front();
            self.skipped += 1;
        }
    }

    /// All steps that were kept, with a note on what was not.
    pub fn into_steps(self) -> Vec<Step> {
        let mut steps: Vec<Step> = self.first.into_iter().flatten().collect();
        let rest = self.last.into_iter().flatten().chain(self.steps);
        let mut rest = rest.peekable();
        if self.skipped > 0
            && let Some(next) = rest.peek()
        {
            let note = omitted(next, Omission::Iterations, self.skipped);
            steps.push(note);
        }
        steps.extend(rest);
        steps
    }
}

fn omitted(next: &Step, what: Omission, count: u64) -> Step {
    Step {
        event: Event::Omitted { what, count },
        ..next.clone()
    }
}

/// At most `first + last` steps, with a note between them on how many are missing.
fn cut(mut steps: Vec<Step>, first: usize, last: usize) -> Vec<Step> {
    if steps.len() <= first + last + 1 {
        return steps;
    }
    let end = steps.len() - last;
    let note = omitted(&steps[end], Omission::Steps, (end - first) as u64);
    steps.splice(first..end, [note]);
    steps
}

/// The steps of a call that returned.
pub fn returned_call(steps: Vec<Step>) -> Vec<Step> {
    cut(steps, CALL_STEPS / 2, CALL_STEPS / 2)
}

/// The steps of all active calls, outermost first.
pub fn active_calls(calls: Vec<Vec<Step>>) -> Vec<Step> {
    let count = calls.len();
    let mut steps = vec![];
    for (index, call) in calls.into_iter().enumerate() {
        if index < OUTER_CALLS || index + INNER_CALLS >= count {
            steps.extend(call);
        } else if index == OUTER_CALLS
            && let Some(near) = call.first().or(steps.last())
        {
            let missing = (count - OUTER_CALLS - INNER_CALLS) as u64;
            steps.push(omitted(near, Omission::Calls, missing));
        }
    }
    cut(steps, TRACE_STEPS / 3, TRACE_STEPS - TRACE_STEPS / 3)
}
