//! The interpreter: what a program in IR means, executed.
//!
//! It is the ground truth of Foghorn. Differential tests compare it with native runs, and every
//! counterexample is replayed in it before it is reported. Memory is made of objects
//! ([`memory`]) whose bytes carry initialisation and provenance ([`segment`]); pointers are pairs
//! of object and offset ([`value`]); addresses exist only where the program asks for them
//! ([`address`]). Whatever the program does not determine comes from a [`ChoiceSource`] and is
//! noted, so that a run can be repeated exactly.
//!
//! Bodies are translated once into a dense register code ([`decode`]); a loop with an explicit
//! stack of frames executes it ([`execute`]), so that deep recursion of the program is no
//! recursion here.
//!
//! Either form of a body can be run. The pure form runs on the same memory, and what it says about
//! memory is checked while it runs ([`ownership`]): a run that ends otherwise than as
//! [`Outcome::Inconsistent`] did what the impure form does.
//!
//! The module must satisfy the invariants of the verifier. Calls of functions without a body
//! return a chosen value and change no memory; the run lists them.

pub mod address;
pub mod arithmetic;
pub mod choice;
mod copy;
mod decode;
mod execute;
pub mod float;
pub mod float_format;
mod indeterminate;
mod memory;
mod object;
pub mod observer;
pub mod options;
mod ownership;
mod placement;
pub mod report;
mod segment;
#[cfg(test)]
mod tests;
mod value;
pub mod world;

use crate::body::Body;
use crate::module::{FunctionId, Module};
use cranelift_entity::EntityRef;
use std::sync::{Arc, OnceLock};

pub use choice::{
    BaseRequest, Choice, ChoiceRequest, ChoiceSource, Listed, Seeded, Zeros, choices_to_text,
    known_object, pointer_to_known,
};
pub use decode::{function_object, global_object};
pub use object::{Allocation, Life};
pub use observer::{Access, Change, Hop, Observed, Observer, ProgramPoint};
pub use options::Options;
pub use report::{Failure, ObjectDescription, Outcome, Placement, Run, StackFrame};
pub use value::{ObjectId, ObjectKind, Pointer};
pub use world::{RecordedWorld, World};

/// A module ready to run, any number of times, also by several threads at once.
#[derive(Debug)]
pub struct Program<'m> {
    module: &'m Module,
    code: Vec<OnceLock<decode::Code>>,
    events: bool,
}

/// Why a module cannot be run at all.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StartError {
    #[error("the program has no entry function")]
    NoEntry,
    #[error("the entry function '{0}' has no body")]
    EntryWithoutBody(Arc<str>),
    #[error("the program's globals do not fit into the memory it may use")]
    OutOfMemory,
}

impl<'m> Program<'m> {
    /// Prepares a module.
    pub fn new(module: &'m Module) -> Self {
        Program {
            module,
            code: module.functions.iter().map(|_| OnceLock::new()).collect(),
            events: false,
        }
    }

    /// Prepares a module so that an observer is also told of blocks and of source variables.
    pub fn with_events(module: &'m Module) -> Self {
        Program {
            events: true,
            ..Self::new(module)
        }
    }

    pub fn module(&self) -> &'m Module {
        self.module
    }

    /// Runs the program from its constructors to its end.
    pub fn run(
        &self,
        options: &Options,
        choices: &mut dyn ChoiceSource,
        world: &mut dyn World,
    ) -> Result<Run, StartError> {
        self.run_observed(options, choices, world, ())
    }

    /// Runs the program while an observer watches.
    pub fn run_observed<O: Observer>(
        &self,
        options: &Options,
        choices: &mut dyn ChoiceSource,
        world: &mut dyn World,
        observer: O,
    ) -> Result<Run, StartError> {
        let entry = self.module.entry.ok_or(StartError::NoEntry)?;
        if self.module.functions[entry].body.is_none() {
            let name = self.module.functions[entry].name.clone();
            return Err(StartError::EntryWithoutBody(name));
        }
        let machine = execute::Machine::start(self, options, choices, world, observer);
        machine.map(|machine| machine.whole_run(entry))
    }

    /// The code of a function with a body.
    fn code(&self, function: FunctionId, body: &Body) -> &decode::Code {
        self.code[function.index()].get_or_init(|| decode::decode(self.module, body, self.events))
    }
}
