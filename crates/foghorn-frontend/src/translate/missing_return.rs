//! The end of a function that was to return something.
//!
//! C++ forbids to come there, and clang checks it. C forbids only the use of the result that is not
//! there, so clang does not, and the result is whatever was where it should be. Where a function has
//! a path to its end without a `return`, it remembers whether it passed one:
//!
//! - if every call of it uses the result, that is checked at its end;
//! - if only some do, a global tells them, and they check it;
//! - if its address is taken and calls through pointers use results, nobody can tell who uses this
//!   one, and its end is unsupported.
//!
//! clang keeps the result in a slot named `retval`, which every `return` writes.

use super::function::FunctionTranslator;
use super::module::ModuleTranslator;
use crate::llvm::{BasicBlock, Opcode, TypeShape, Value, ValueKind};
use foghorn_core::CheckKind;
use foghorn_ir::{
    AllocationKind, Constant, Global, GlobalContents, GlobalId, Initializer, Type, ValueId,
};
use rustc_hash::FxHashSet;

/// What is done about the end of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MissingReturn {
    /// It is not reached without a `return`, or nobody uses the result.
    Harmless,
    /// It must not be reached.
    Checked,
    /// Callers look at a global to know.
    Told(GlobalId),
    /// Nobody knows who uses the result.
    Unsupported,
}

/// The slots of a function that matter here.
struct Slots<'p> {
    result: Value<'p>,
    /// Where clang notes which way to go after the end of a scope.
    destination: Option<Value<'p>>,
}

impl<'p> Slots<'p> {
    fn of(function: Value<'p>) -> Option<Self> {
        let entry = *function.blocks().first()?;
        let slots = entry.instructions().into_iter();
        let slots: Vec<Value<'p>> = slots
            .filter(|it| it.opcode() == Opcode::LLVMAlloca)
            .collect();
        let named = |name: &str| slots.iter().copied().find(|it| it.name() == name);
        let result = named("retval")?;
        let is_scalar = matches!(
            result.allocated_type().shape(),
            TypeShape::Int(_) | TypeShape::Float(_) | TypeShape::Pointer
        );
        let is_plain = |user: &Value<'p>| {
            user.kind() == ValueKind::LLVMInstructionValueKind
                && match user.opcode() {
                    Opcode::LLVMLoad => true,
                    Opcode::LLVMStore => user.operand(0) != result,
                    _ => false,
                }
        };
        (is_scalar && result.users().iter().all(is_plain)).then(|| Slots {
            result,
            destination: named("cleanup.dest.slot"),
        })
    }

    /// Whether there is a path from the entry to a `ret` on which nothing writes the result.
    fn may_stay_empty(&self, function: Value<'p>) -> bool {
        let Some(&entry) = function.blocks().first() else {
            return false;
        };
        let mut seen: FxHashSet<(BasicBlock<'p>, Option<u128>)> = FxHashSet::default();
        let mut open = vec![(entry, None)];
        while let Some((block, mut way)) = open.pop() {
            if !seen.insert((block, way)) {
                continue;
            }
            let mut written = false;
            for instruction in block.instructions() {
                if instruction.opcode() != Opcode::LLVMStore {
                    continue;
                }
                let slot = instruction.operand(1);
                written |= slot == self.result;
                if Some(slot) == self.destination {
                    way = instruction.operand(0).int_bits();
                }
            }
            let Some(terminator) = block.terminator().filter(|_| !written) else {
                continue;
            };
            if terminator.opcode() == Opcode::LLVMRet {
                return true;
            }
            let successors = self.successors(terminator, way);
            open.extend(successors.into_iter().map(|block| (block, way)));
        }
        false
    }

    /// The blocks behind a terminator; where a scope ends, the one that is asked for.
    fn successors(&self, terminator: Value<'p>, way: Option<u128>) -> Vec<BasicBlock<'p>> {
        let all = terminator.successors();
        let Some(way) = way.filter(|_| terminator.opcode() == Opcode::LLVMSwitch) else {
            return all;
        };
        let asked = terminator.operand(0);
        let asks_for_way = asked.kind() == ValueKind::LLVMInstructionValueKind
            && asked.opcode() == Opcode::LLVMLoad
            && Some(asked.operand(0)) == self.destination;
        if !asks_for_way {
            return all;
        }
        let cases = u32::try_from(all.len()).unwrap_or(1);
        let chosen = (1..cases).find(|&i| terminator.switch_case(i - 1).int_bits() == Some(way));
        vec![all[chosen.unwrap_or(0) as usize]]
    }
}

impl<'p> ModuleTranslator<'p> {
    /// What is done about the end of a function, which callers must know too.
    pub(crate) fn missing_return(&mut self, function: Value<'p>) -> MissingReturn {
        if let Some(&known) = self.missing_returns.get(&function) {
            return known;
        }
        let decision = self.decide_missing_return(function);
        self.missing_returns.insert(function, decision);
        decision
    }

    fn decide_missing_return(&mut self, function: Value<'p>) -> MissingReturn {
        let slots = (!function.is_declaration()).then(|| Slots::of(function));
        if !slots
            .flatten()
            .is_some_and(|it| it.may_stay_empty(function))
        {
            return MissingReturn::Harmless;
        }
        let is_call = |user: &Value<'p>| {
            user.kind() == ValueKind::LLVMInstructionValueKind
                && matches!(user.opcode(), Opcode::LLVMCall | Opcode::LLVMInvoke)
                && user.callee() == function
                && !user.arguments().contains(&function)
        };
        let users = function.users();
        let (calls, others): (Vec<_>, Vec<_>) = users.into_iter().partition(is_call);
        if !others.is_empty() && self.uses_indirect_results() {
            return MissingReturn::Unsupported;
        }
        let used = calls.iter().filter(|call| call.is_used()).count();
        match used {
            0 => MissingReturn::Harmless,
            all if all == calls.len() && others.is_empty() => MissingReturn::Checked,
            _ => {
                let contents = GlobalContents::Initialised(Initializer::default());
                MissingReturn::Told(self.module.globals.push(Global {
                    name: format!("whether {} returned something", function.name()).into(),
                    size: 1,
                    align: 1,
                    constant: false,
                    contents,
                    span: foghorn_core::SpanId::UNKNOWN,
                }))
            }
        }
    }

    /// Whether a call through a pointer uses a result anywhere in the program.
    fn uses_indirect_results(&mut self) -> bool {
        let uses = |instruction: Value<'p>| {
            matches!(instruction.opcode(), Opcode::LLVMCall | Opcode::LLVMInvoke)
                && !matches!(
                    instruction.callee().kind(),
                    ValueKind::LLVMFunctionValueKind | ValueKind::LLVMInlineAsmValueKind
                )
                && instruction.is_used()
        };
        let program = self.program;
        *self.indirect_results.get_or_insert_with(|| {
            let functions = program.functions().into_iter();
            let mut blocks = functions.flat_map(Value::blocks);
            blocks.any(|block| block.instructions().into_iter().any(uses))
        })
    }
}

/// A result that may be missing: its slot, and the object that says whether it was written.
#[derive(Clone, Copy)]
pub(crate) struct WatchedResult<'p> {
    slot: Value<'p>,
    written: ValueId,
    decision: MissingReturn,
}

impl<'p> FunctionTranslator<'_, 'p> {
    /// Starts to watch the result, if it may be missing where it is used.
    pub(crate) fn watch_result(&mut self) {
        let decision = self.module.missing_return(self.function);
        if self.is_unchecked || decision == MissingReturn::Harmless {
            return;
        }
        let Some(slots) = Slots::of(self.function) else {
            return;
        };
        let size = self.size(1);
        let written = self.allocate(AllocationKind::Stack, size, 1);
        let no = self.body.int(8, 0);
        self.store(written, no, 1);
        self.watched = Some(WatchedResult {
            slot: slots.result,
            written,
            decision,
        });
    }

    /// The slot of the result has been made. What it holds without a `return` is not looked at, so
    /// it need not be undetermined.
    pub(crate) fn start_result(&mut self, slot: Value<'p>, pointer: ValueId) {
        if self.watched.is_some_and(|it| it.slot == slot)
            && let [ty] = self.module.types_of(slot.allocated_type())[..]
        {
            let zero = self.zero(ty);
            self.store(pointer, zero, 1);
        }
    }

    /// A store has been made to `slot`.
    pub(crate) fn note_result(&mut self, slot: Value<'p>) {
        if let Some(watched) = self.watched.filter(|it| it.slot == slot) {
            let yes = self.body.int(8, 1);
            self.store(watched.written, yes, 1);
        }
    }

    /// The end of the function.
    pub(crate) fn check_result(&mut self) {
        let Some(watched) = self.watched else { return };
        let written = self.load(watched.written, 1, Type::I8);
        match watched.decision {
            MissingReturn::Harmless => {}
            MissingReturn::Checked => {
                let fine = self.truth(written);
                self.check(CheckKind::MissingReturn, fine, None);
            }
            MissingReturn::Told(global) => {
                let place = self.body.constant(Type::Ptr, Constant::Global(global));
                self.store(place, written, 1);
            }
            MissingReturn::Unsupported => {
                let fine = self.truth(written);
                let construct = format!(
                    "end of '{}' without a result, called through a pointer",
                    self.function.name()
                );
                self.check(CheckKind::Unsupported, fine, Some(&construct));
            }
        }
    }

    /// The result of a call is used; it must be there.
    pub(crate) fn check_returned(&mut self, call: Value<'p>, callee: Value<'p>) {
        if callee.is_declaration() || !call.is_used() {
            return;
        }
        if let MissingReturn::Told(global) = self.module.missing_return(callee) {
            let place = self.body.constant(Type::Ptr, Constant::Global(global));
            let written = self.load(place, 1, Type::I8);
            let fine = self.truth(written);
            self.check(CheckKind::MissingReturn, fine, None);
        }
    }
}
