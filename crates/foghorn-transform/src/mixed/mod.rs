//! Mixed semantics: failures are reached from the entry only (§2 and fig. 2 of the SeaHorn paper).
//!
//! A call either returns, or the program fails inside it and what the caller would have done does not matter.
//! So each call of a function that can fail becomes a choice: the call as it was, of a function in which nothing
//! fails, or a jump into a copy of the function's body in the entry, which returns to nobody. A function has one
//! copy, entered with arguments, however often it is called; a recursive one is a loop.
//!
//! - **What returns does not fail.** In all functions but the entry the checks that count are assumptions. What an
//!   instruction checks without a `check` (an access, a `free`) is no instruction that could be replaced: an
//!   execution in which it fails outside the entry is not considered, and whoever reads the program has to know
//!   that ([`Mixed::is_returning`]).
//! - **What is copied ends in the copy.** Where the function returns, the copy is cut off by an assumption of
//!   false; where the program ends in it, the program ends.
//! - Models of the library stay as they are, since what fails in them is said of their calls. A model that calls a
//!   function of the program which can fail is refused.
//! - An entry that is called again is a function like others, under a second name.
//!
//! Kept: a run fails at a check of the program if and only if one fails at a copy of the check, with the same
//! inputs; [`Mixed::original`] says of which. Tested in both directions through the interpreter.

mod copy;
mod fallible;

use copy::{copy_function, split_calls};
use fallible::Fallible;
use foghorn_core::CheckKind;
use foghorn_ir::interpret::ProgramPoint;
use foghorn_ir::{
    Body, Callee, Function, FunctionId, InstId, Instruction, Module, Terminator, Type,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// The origin of choices between a call that returns and one that fails.
pub const ENTERS: &str = "__foghorn_call_fails";

/// What a program with mixed semantics is made from.
pub struct MixedOptions<'o> {
    /// Whether something that an instruction checks counts: executions in which it fails are failures.
    pub can_fail: &'o dyn Fn(ProgramPoint) -> bool,
    /// Whether a `check` counts.
    pub counts: &'o dyn Fn(ProgramPoint, CheckKind) -> bool,
}

/// How a program with mixed semantics came about.
#[derive(Clone, Debug, Default)]
pub struct Mixed {
    /// The entry.
    entry: Option<FunctionId>,
    /// Instructions of the entry that are copies, and what they are copies of.
    origins: FxHashMap<InstId, ProgramPoint>,
    /// Instructions of the entry that choose between a call that returns and one that fails.
    choices: FxHashSet<InstId>,
    /// The entry as a function that is called.
    again: Option<FunctionId>,
    /// Functions with a copy.
    pub copied: Vec<FunctionId>,
    /// Models of the library.
    models: FxHashSet<FunctionId>,
}

/// Why a program has no mixed semantics.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotMixed {
    #[error("the program has no entry")]
    NoEntry,
    #[error("a call through a pointer may lead to {0}, which can fail")]
    Indirect(String),
    #[error("{0}, a model of the library, calls a function that can fail")]
    CalledBack(String),
}

impl Mixed {
    /// What an instruction of the new program is in the original one; `None` for choices that only the new one makes.
    pub fn original(&self, point: ProgramPoint) -> Option<ProgramPoint> {
        if self.entry == Some(point.function) {
            if self.choices.contains(&point.instruction) {
                return None;
            }
            let known = self.origins.get(&point.instruction);
            return Some(known.copied().unwrap_or(point));
        }
        match (self.again == Some(point.function), self.entry) {
            (true, Some(entry)) => Some(ProgramPoint {
                function: entry,
                instruction: point.instruction,
            }),
            _ => Some(point),
        }
    }

    /// Whether executions in which something fails in a function are not considered.
    pub fn is_returning(&self, function: FunctionId) -> bool {
        self.entry != Some(function) && !self.models.contains(&function)
    }
}

/// Gives a program mixed semantics. Nothing is changed where that is refused.
///
/// # Errors
/// If a failure might be left inside a call.
pub fn mix(module: &mut Module, options: &MixedOptions<'_>) -> Result<Mixed, NotMixed> {
    let entry = module
        .entry
        .filter(|entry| module.functions[*entry].body.is_some())
        .ok_or(NotMixed::NoEntry)?;
    let fallible = Fallible::new(module, entry, options)?;
    let mut mixed = Mixed {
        entry: Some(entry),
        models: fallible.models.clone(),
        ..Mixed::default()
    };
    let mut copied: Vec<FunctionId> = fallible.functions.iter().copied().collect();
    if fallible.entry_is_called {
        let again = call_again(module, entry);
        mixed.again = Some(again);
        // What was the entry among the callees is the second one now.
        copied
            .iter_mut()
            .filter(|id| **id == entry)
            .for_each(|id| *id = again);
    }
    copied.sort_unstable();
    let Some(mut body) = module.functions[entry].body.take() else {
        return Err(NotMixed::NoEntry);
    };
    let mut entries = FxHashMap::default();
    for &function in &copied {
        let inner = module.functions[function].body.as_ref();
        let inner = inner.expect("invariant: functions that can fail have bodies");
        let (block, made) = copy_function(&mut body, inner);
        entries.insert(function, block);
        for (old, new) in made {
            let point = ProgramPoint {
                function,
                instruction: old,
            };
            let point = mixed.original(point).unwrap_or(point);
            mixed.origins.insert(new, point);
        }
    }
    mixed.choices = split_calls(&mut body, &entries);
    module.functions[entry].body = Some(body);
    module.functions[entry].is_model = false;
    for (id, function) in module.functions.iter_mut() {
        if let Some(body) = function.body.as_mut().filter(|_| mixed.is_returning(id)) {
            let counts = |instruction: InstId, kind: CheckKind| {
                let point = ProgramPoint {
                    function: id,
                    instruction,
                };
                mixed
                    .original(point)
                    .is_some_and(|point| (options.counts)(point, kind))
            };
            return_only(body, &counts);
        }
    }
    mixed.copied = copied;
    crate::debug_assert_valid(module);
    Ok(mixed)
}

/// The entry as a second function, which is called instead.
fn call_again(module: &mut Module, entry: FunctionId) -> FunctionId {
    let mut function: Function = module.functions[entry].clone();
    function.name = format!("{}#again", function.name).into();
    function.is_model = false;
    let again = module.functions.push(function);
    for function in module.functions.values_mut() {
        for data in function
            .body
            .iter_mut()
            .flat_map(|it| it.instructions.values_mut())
        {
            if let Instruction::Call {
                callee: Callee::Direct(callee),
                ..
            } = &mut data.instruction
                && *callee == entry
            {
                *callee = again;
            }
        }
    }
    again
}

/// Makes checks assumptions; nobody ends the program here.
fn return_only(body: &mut Body, counts: &dyn Fn(InstId, CheckKind) -> bool) {
    for id in body.instructions.keys().collect::<Vec<_>>() {
        let data = &mut body.instructions[id];
        if let Instruction::Check {
            kind, condition, ..
        } = data.instruction
            && counts(id, kind)
        {
            data.instruction = Instruction::Assume { condition };
        }
    }
    for block in body.blocks.keys().collect::<Vec<_>>() {
        if let Terminator::Halt { .. } = body.blocks[block].terminator {
            cut_off(body, block);
        }
    }
}

/// No execution leaves a block.
fn cut_off(body: &mut Body, block: foghorn_ir::BlockId) {
    let span = body.blocks[block].terminator_span;
    let condition = body.constant(Type::BOOL, foghorn_ir::Constant::Int(0));
    body.append(block, Instruction::Assume { condition }, &[], span);
    body.blocks[block].terminator = Terminator::Unreachable;
}
