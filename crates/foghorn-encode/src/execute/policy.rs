//! What becomes of loops and calls: the executor's policy (bounded unwinding, loop summarisation, and cutting loops for
//! k-induction differ in nothing else).
//!
//! The executor walks the blocks and knows what instructions mean; a policy decides at the head of a loop and at a call.
//! What it may do is what the public methods and fields of [`Executor`] offer:
//! - read the program: [`Executor::body`], [`Executor::plan`], [`Executor::function`], [`Executor::module`];
//! - read and replace the head's parameters: [`Executor::get`] gives their values, [`Executor::set`] puts other terms in
//!   their place, registers and memories ([`Executor::arbitrary_value`] makes one of which nothing is known);
//! - go through an iteration without consequences: [`Executor::rehearse`], [`Executor::instruction`];
//! - state what holds and what has to hold: [`Executor::assume`], [`Executor::note`], [`Executor::note_under`];
//! - look at what goes back to the head: [`Executor::repetition`], [`Executor::back_edge`];
//! - say that objects may have died meanwhile: [`Executor::objects`], [`Executor::set_life`];
//! - say that earlier iterations are not executed: [`Executor::lose_track`], with any contents and pointers in the place of
//!   theirs ([`Executor::any_contents`], [`Executor::any_pointer`]);
//! - change the whole trace in the end: [`LoopPolicy::finish`].
//!
//! A loop of which a policy makes one iteration stand for any is one whose parameters it replaced when the head was entered
//! and for which it answers [`Repeat::Stop`]: nothing goes back, and the ways out of the loop are those of that iteration.
//! What a loop can change is in the parameters of its head, memories included, because the program is in pure form; in the
//! lives of objects; and in the marks of accesses and the user's shadows, so that a policy that replaces parameters must leave
//! programs with these to another ([`Executor::may_have_hidden_state`]), or know that the loop does not change them
//! ([`Executor::has_marks`]).

use super::Executor;
use super::context::ContextId;
use super::{Repetition, Trace};
use foghorn_ir::{BlockId, FunctionId};
use foghorn_term::{TermId, TermPool};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What becomes of loops and calls.
pub trait LoopPolicy {
    /// The program is about to start.
    fn begin(&mut self, _executor: &mut Executor<'_, '_>) {}

    /// The head of a loop is entered, from outside (`head.iteration` is 0) or again. Its parameters have their values;
    /// facts about the block are assumed after this.
    fn enter(&mut self, _executor: &mut Executor<'_, '_>, _head: &LoopHead) {}

    /// An iteration has ended, and something leads back to the head. What is stated here is stated under a guard of its
    /// own ([`Executor::note_under`]): the paths that left the loop are not these.
    fn repeat(&mut self, executor: &mut Executor<'_, '_>, head: &LoopHead) -> Repeat;

    /// A function with a body is called.
    fn call(
        &mut self,
        executor: &mut Executor<'_, '_>,
        activation: &Activation<'_>,
    ) -> CallTreatment;

    /// The program has ended: the policy may change all that happened.
    fn finish(&mut self, _pool: &mut TermPool, _trace: &mut Trace) {}
}

/// Where a policy is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoopHead {
    pub function: FunctionId,
    /// The head's block.
    pub block: BlockId,
    /// The loop, a number of [`super::plan::FunctionPlan::components`].
    pub component: usize,
    /// Names this entry into the loop: the calls and the iterations of loops around it. It is the same in all
    /// iterations, and no two entries of a run have the same.
    pub entry: ContextId,
    /// The iteration that begins or has ended, from 0.
    pub iteration: u32,
}

/// Whether a loop goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repeat {
    /// Another iteration is executed.
    Again,
    /// Nothing is: what leads back to the head is dropped.
    Stop,
}

/// A call of a function with a body.
#[derive(Clone, Copy, Debug)]
pub struct Activation<'a> {
    pub function: FunctionId,
    /// The values of its parameters, then the memories.
    pub arguments: &'a [TermId],
    /// How often the function would be active.
    pub depth: u32,
    /// How often for reasons that inputs decide.
    pub undecided_depth: u32,
}

/// What becomes of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CallTreatment {
    /// The function is executed.
    Enter,
    /// The path ends here. Whoever says so has noted what that leaves out.
    Stop,
    /// The call has these results: scalars, then the memories that it modifies.
    Replace(Vec<TermId>),
}

/// Bounded unwinding: loops and recursion are executed up to a bound, and what would go on is noted.
#[derive(Clone, Debug)]
pub struct Unwind {
    /// Iterations of a loop, and activations of a recursive function, that could have ended
    /// otherwise.
    pub bound: u32,
    /// The same for loops by name (`function.N`).
    pub bounds: BTreeMap<Arc<str>, u32>,
    /// Iterations and activations that constants decide.
    pub decided: u32,
}

impl Unwind {
    /// The usual limits for a bound.
    pub fn new(bound: u32) -> Self {
        Unwind {
            bound,
            bounds: BTreeMap::new(),
            decided: bound.saturating_mul(256).max(1024),
        }
    }

    /// With bounds of loops by name.
    #[must_use]
    pub fn with_bounds(self, bounds: BTreeMap<Arc<str>, u32>) -> Self {
        Unwind { bounds, ..self }
    }
}

impl LoopPolicy for Unwind {
    fn repeat(&mut self, executor: &mut Executor<'_, '_>, head: &LoopHead) -> Repeat {
        let Repetition { guard, undecided } = executor.repetition();
        let name = executor.loop_name(head);
        let bound = self.bounds.get(&name).copied().unwrap_or(self.bound);
        if undecided < bound && head.iteration + 1 < self.decided.max(undecided) {
            return Repeat::Again;
        }
        executor.note_loop_beyond(guard, head);
        Repeat::Stop
    }

    fn call(
        &mut self,
        executor: &mut Executor<'_, '_>,
        activation: &Activation<'_>,
    ) -> CallTreatment {
        if activation.depth <= self.decided && activation.undecided_depth <= self.bound {
            return CallTreatment::Enter;
        }
        executor.note_recursion_beyond(activation.function);
        CallTreatment::Stop
    }
}
