//! Inter-procedural analyses (§4.2.6 of the SeaHorn paper).
//!
//! Both stand on [`passing`]: a *summary* of a function is a state over copies of its parameters
//! as they were on entry and over its results; a call relates the arguments to the copies, meets
//! with the summary and reads the results.
//!
//! - [`summaries`]: bottom-up summaries, then top-down with the joined preconditions of all calls.
//!   Every function is analysed twice; functions in a cycle of the call graph see each other as
//!   opaque.
//! - [`contexts`]: top-down, one analysis per calling context that no earlier one covers, with a
//!   limit; recursion is solved as a fixpoint over the table of contexts.

pub mod call_graph;
pub mod contexts;
pub mod passing;
pub mod summaries;

use crate::analysis::checker::{self, Check};
use crate::analysis::forward::{CallSemantics, FunctionStates};
use crate::domain::ProgramDomain;
use crate::language::{FunctionId, Program};

/// The states of every function that was reached, once per context.
pub struct ProgramStates<D> {
    pub functions: Vec<FunctionStates<D>>,
    /// What calls do, for looking inside blocks.
    pub calls: Box<dyn CallSemantics<D>>,
}

impl<D: ProgramDomain> ProgramStates<D> {
    /// The checks of all functions, combined over the contexts.
    pub fn checks(&mut self, program: &Program) -> Vec<Check> {
        let mut all = Vec::new();
        for states in &self.functions {
            all.extend(checker::check(program, states, &mut *self.calls));
        }
        checker::combine(all)
    }

    /// The contexts of one function.
    pub fn of(&self, function: FunctionId) -> impl Iterator<Item = &FunctionStates<D>> {
        self.functions
            .iter()
            .filter(move |states| states.function == function)
    }
}
