//! Names for what happens once per run: which call, in which iteration of which loops.
//!
//! Inputs and objects are named by their instruction and its context. The names do not depend on
//! the bound, so a run with a larger bound meets the same symbols and the same terms again, and
//! the solver keeps what it has learned about them.

use cranelift_entity::{PrimaryMap, entity_impl};
use foghorn_ir::InstId;
use foghorn_term::TermId;
use rustc_hash::FxHashMap;

/// A call path with the iterations of its active loops.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ContextId(u32);
entity_impl!(ContextId, "context");

/// One step into a context.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// The n-th function that the program's start calls: constructors, entry, destructors.
    Start(u32),
    Call(InstId),
    /// Iteration number and the position of the loop's head.
    Iteration(u32, u32),
}

/// All contexts met so far and what was named in them.
#[derive(Debug, Default)]
pub struct Contexts {
    steps: PrimaryMap<ContextId, (Option<ContextId>, Step)>,
    known: FxHashMap<(Option<ContextId>, Step), ContextId>,
    symbols: FxHashMap<(ContextId, InstId, u32), TermId>,
}

impl Contexts {
    pub fn enter(&mut self, parent: Option<ContextId>, step: Step) -> ContextId {
        let key = (parent, step);
        *self
            .known
            .entry(key)
            .or_insert_with(|| self.steps.push(key))
    }

    /// The calls on the way to a context, the first one first.
    pub fn calls_to(&self, context: ContextId) -> Vec<InstId> {
        let mut calls = vec![];
        let mut at = Some(context);
        while let Some(context) = at {
            let (parent, step) = self.steps[context];
            if let Step::Call(call) = step {
                calls.push(call);
            }
            at = parent;
        }
        calls.reverse();
        calls
    }

    /// The symbol for the n-th thing that an instruction leaves open in a context.
    pub fn symbol(
        &mut self,
        context: ContextId,
        instruction: InstId,
        number: u32,
        make: impl FnOnce() -> TermId,
    ) -> TermId {
        *self
            .symbols
            .entry((context, instruction, number))
            .or_insert_with(make)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cranelift_entity::EntityRef;

    #[test]
    fn the_same_path_has_the_same_name() {
        let mut contexts = Contexts::default();
        let start = contexts.enter(None, Step::Start(0));
        let call = contexts.enter(Some(start), Step::Call(InstId::new(3)));
        let iteration = contexts.enter(Some(call), Step::Iteration(1, 0));
        assert_eq!(contexts.enter(None, Step::Start(0)), start);
        assert_eq!(contexts.enter(Some(call), Step::Iteration(1, 0)), iteration);
        assert_ne!(contexts.enter(Some(call), Step::Iteration(2, 0)), iteration);
    }
}
