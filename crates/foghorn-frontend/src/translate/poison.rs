//! Poison: what LLVM's operations do where a promise of theirs is broken.
//!
//! C that we compile carries checks of its own, put there by clang. Bitcode and textual IR that
//! others made do not, and an optimiser may have moved operations to where their results are not
//! needed: `add nsw` that overflows is no error there, its result is *poison*, and only a use of
//! poison is one. So for functions of such files
//!
//! - what is undefined at once (division by zero, the smallest integer divided by -1) is checked at
//!   the operation;
//! - an operation whose result is certainly used in the same block before anything can end the
//!   execution is checked at the operation too, which is where a reader looks for it; code that no
//!   optimiser saw is nearly all of that kind;
//! - the result of any other operation gets companions, one `i1` for each kind of broken promise,
//!   that follow it through operations, selections and φ-nodes and are checked where it is used.
//!
//! A use is a branch, an access through it, a store of it, a call with it, a `ret`, a divisor. LLVM
//! lets poison be stored and returned; C's programs that do so have failed before (decision 0119).
//! `freeze` turns poison into any value. An address outside its object is no failure before an
//! access, as in C that we compile ourselves, so `inbounds` is not among the promises.

use super::Unsupported;
use super::function::{FunctionTranslator, Scalars};
use super::intrinsic::stem;
use super::promise::Promise;
use crate::llvm::{BasicBlock, Opcode, Value, ValueKind};
use foghorn_core::CheckKind;
use foghorn_ir::{Type, ValueId};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::collections::BTreeSet;

/// Which promises a scalar may rest on that are broken: for each kind whether one is.
pub(crate) type Companions = SmallVec<[(CheckKind, ValueId); 1]>;

/// What is known about poison in one function.
#[derive(Default)]
pub(crate) struct Poison<'p> {
    /// The kinds of broken promises that may reach a value, if any.
    kinds: FxHashMap<Value<'p>, BTreeSet<CheckKind>>,
    /// Operations that are checked where they stand.
    at_once: FxHashSet<Value<'p>>,
    /// The companions of the scalars of a value.
    companions: FxHashMap<Value<'p>, Vec<Companions>>,
}

impl<'p> Poison<'p> {
    /// Looks at a function of which `blocks` are reachable.
    pub(crate) fn new(blocks: &[BasicBlock<'p>]) -> Self {
        let mut poison = Poison::default();
        let places = Places::new(blocks);
        let mut work = vec![];
        for instruction in blocks.iter().flat_map(|block| block.instructions()) {
            let kinds = Promise::of(instruction)
                .into_iter()
                .filter(|it| it.is_deferred());
            let kinds: BTreeSet<CheckKind> = kinds.map(Promise::kind).collect();
            if kinds.is_empty() {
                continue;
            }
            if places.is_used_at_once(instruction, &mut FxHashSet::default()) {
                poison.at_once.insert(instruction);
            } else {
                poison.kinds.insert(instruction, kinds);
                work.push(instruction);
            }
        }
        while let Some(value) = work.pop() {
            let kinds = poison.kinds.get(&value).cloned().unwrap_or_default();
            for user in value.users() {
                if !is_instruction(user) || !passes_on(user) {
                    continue;
                }
                let known = poison.kinds.entry(user).or_default();
                let before = known.len();
                known.extend(&kinds);
                if known.len() > before {
                    work.push(user);
                }
            }
        }
        poison
    }

    /// The kinds that may reach a φ-node, in the order of its parameters.
    pub(crate) fn kinds_of(&self, phi: Value<'p>) -> Vec<CheckKind> {
        let kinds = self.kinds.get(&phi);
        kinds.map_or(vec![], |kinds| kinds.iter().copied().collect())
    }

    pub(crate) fn set(&mut self, value: Value<'p>, companions: Vec<Companions>) {
        if companions.iter().any(|lane| !lane.is_empty()) {
            self.companions.insert(value, companions);
        }
    }
}

fn is_instruction(value: Value<'_>) -> bool {
    value.kind() == ValueKind::LLVMInstructionValueKind
}

/// Whether the result of an instruction is poison where an operand is.
fn passes_on(user: Value<'_>) -> bool {
    match user.opcode() {
        Opcode::LLVMStore
        | Opcode::LLVMLoad
        | Opcode::LLVMBr
        | Opcode::LLVMSwitch
        | Opcode::LLVMIndirectBr
        | Opcode::LLVMRet
        | Opcode::LLVMInvoke
        | Opcode::LLVMCallBr
        | Opcode::LLVMResume
        | Opcode::LLVMFreeze
        | Opcode::LLVMAlloca
        | Opcode::LLVMVAArg
        | Opcode::LLVMAtomicCmpXchg
        | Opcode::LLVMAtomicRMW => false,
        Opcode::LLVMCall => is_operation(user),
        _ => true,
    }
}

/// Whether a call is an operation on numbers, written as an intrinsic.
fn is_operation(call: Value<'_>) -> bool {
    let callee = call.callee();
    if callee.kind() != ValueKind::LLVMFunctionValueKind {
        return false;
    }
    let name = callee.name();
    const OPERATIONS: &[&str] = &[
        "abs",
        "smax",
        "smin",
        "umax",
        "umin",
        "scmp",
        "ucmp",
        "ctpop",
        "ctlz",
        "cttz",
        "bswap",
        "bitreverse",
        "fshl",
        "fshr",
        "expect",
        "fabs",
        "fma",
        "fmuladd",
        "copysign",
    ];
    name.starts_with("llvm.")
        && (OPERATIONS.contains(&stem(&name))
            || name.contains(".with.overflow")
            || name.contains(".sat.")
            || name.contains("vector.reduce"))
}

/// The operands that must not be poison where an instruction is executed.
fn used_operands<'p>(user: Value<'p>) -> Vec<Value<'p>> {
    match user.opcode() {
        Opcode::LLVMUDiv | Opcode::LLVMSDiv | Opcode::LLVMURem | Opcode::LLVMSRem => {
            vec![user.operand(1)]
        }
        Opcode::LLVMBr if !user.is_conditional() => vec![],
        Opcode::LLVMBr | Opcode::LLVMSwitch | Opcode::LLVMIndirectBr => vec![user.operand(0)],
        Opcode::LLVMCall if is_operation(user) => vec![],
        Opcode::LLVMFreeze => vec![],
        _ if passes_on(user) => vec![],
        _ => user.operands(),
    }
}

/// Where instructions stand in their blocks.
struct Places<'p> {
    /// The block's number, the position in it, and how many calls stand before it there.
    of: FxHashMap<Value<'p>, (usize, usize, usize)>,
}

impl<'p> Places<'p> {
    fn new(blocks: &[BasicBlock<'p>]) -> Self {
        let mut of = FxHashMap::default();
        for (number, block) in blocks.iter().enumerate() {
            let mut calls = 0;
            for (position, instruction) in block.instructions().into_iter().enumerate() {
                of.insert(instruction, (number, position, calls));
                calls += usize::from(may_not_return(instruction));
            }
        }
        Places { of }
    }

    /// Whether a broken promise is certainly met by a use in the same block, with nothing in
    /// between that could end the execution.
    fn is_used_at_once(&self, value: Value<'p>, seen: &mut FxHashSet<Value<'p>>) -> bool {
        let Some(&(block, position, calls)) = self.of.get(&value) else {
            return false;
        };
        value.users().into_iter().any(|user| {
            let Some(&(other, at, before)) = self.of.get(&user) else {
                return false;
            };
            if other != block || at <= position || before > calls || !seen.insert(user) {
                return false;
            }
            if used_operands(user).contains(&value) {
                return true;
            }
            // One arm of a selection is not looked at.
            let chooses = matches!(user.opcode(), Opcode::LLVMSelect | Opcode::LLVMPHI);
            let is_vector = user.opcode() == Opcode::LLVMExtractElement
                || user.opcode() == Opcode::LLVMInsertElement
                || user.opcode() == Opcode::LLVMShuffleVector;
            (!chooses || user.opcode() == Opcode::LLVMSelect && user.operand(0) == value)
                && !is_vector
                && passes_on(user)
                && self.is_used_at_once(user, seen)
        })
    }
}

fn may_not_return(instruction: Value<'_>) -> bool {
    if instruction.opcode() != Opcode::LLVMCall {
        return false;
    }
    let callee = instruction.callee();
    callee.kind() != ValueKind::LLVMFunctionValueKind || !callee.name().starts_with("llvm.")
}

impl<'p> FunctionTranslator<'_, 'p> {
    /// Checks that stand before an instruction: what it uses is no poison, and what is undefined at
    /// once, or used at once, does not happen.
    pub(crate) fn check_promises(&mut self, instruction: Value<'p>) -> Result<(), Unsupported> {
        if !self.is_unchecked {
            return Ok(());
        }
        for operand in used_operands(instruction) {
            self.check_use(operand);
        }
        let at_once = self.poison.at_once.contains(&instruction);
        for promise in Promise::of(instruction) {
            if promise.is_deferred() && !at_once {
                continue;
            }
            for kept in self.kept(promise, instruction)? {
                self.check(promise.kind(), kept, Some(promise.message()));
            }
        }
        Ok(())
    }

    fn check_use(&mut self, operand: Value<'p>) {
        let Some(lanes) = self.poison.companions.get(&operand).cloned() else {
            return;
        };
        for (kind, broken) in lanes.into_iter().flatten() {
            let kept = self.not(broken);
            let message = "use of the result of an operation outside its domain";
            self.check(kind, kept, Some(message));
        }
    }

    /// What follows the results of an instruction; for `freeze` also the results themselves.
    pub(crate) fn follow_poison(
        &mut self,
        instruction: Value<'p>,
        results: Scalars,
    ) -> Result<Scalars, Unsupported> {
        if instruction.opcode() == Opcode::LLVMFreeze {
            return Ok(self.frozen(instruction, results));
        }
        if !self.poison.kinds.contains_key(&instruction) || instruction.opcode() == Opcode::LLVMPHI
        {
            return Ok(results);
        }
        let mut lanes = self.inherited(instruction, results.len())?;
        let own = !self.poison.at_once.contains(&instruction);
        for promise in Promise::of(instruction).into_iter().filter(|_| own) {
            if !promise.is_deferred() {
                continue;
            }
            let kept = self.kept(promise, instruction)?;
            for (lane, kept) in lanes.iter_mut().zip(kept) {
                let broken = self.not(kept);
                self.join(lane, promise.kind(), broken);
            }
        }
        self.poison.set(instruction, lanes);
        Ok(results)
    }

    /// A frozen value is any value where it was poison.
    fn frozen(&mut self, instruction: Value<'p>, results: Scalars) -> Scalars {
        let Some(lanes) = self.poison.companions.get(&instruction.operand(0)).cloned() else {
            return results;
        };
        let pairs = results.into_iter().zip(lanes);
        pairs
            .map(|(mut value, lane)| {
                for (_, broken) in lane {
                    let any = self.undefined(self.body.ty(value));
                    value = self.select(broken, any, value);
                }
                value
            })
            .collect()
    }

    fn join(&mut self, lane: &mut Companions, kind: CheckKind, broken: ValueId) {
        match lane.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, known)) => *known = self.or(*known, broken),
            None => lane.push((kind, broken)),
        }
    }

    /// Companions that come from operands, lane by lane where there are as many.
    fn inherited(
        &mut self,
        instruction: Value<'p>,
        count: usize,
    ) -> Result<Vec<Companions>, Unsupported> {
        match instruction.opcode() {
            Opcode::LLVMSelect => return self.selected(instruction, count),
            Opcode::LLVMShuffleVector => return self.shuffled(instruction),
            Opcode::LLVMExtractElement => {
                if let Some(lane) = instruction.operand(1).int_bits() {
                    let lane = usize::try_from(lane).unwrap_or(usize::MAX);
                    let lanes = self.companions_of(instruction.operand(0));
                    return Ok(vec![lanes.get(lane).cloned().unwrap_or_default()]);
                }
            }
            Opcode::LLVMInsertElement => {
                if let Some(lane) = instruction.operand(2).int_bits() {
                    let mut lanes = self.companions_of(instruction.operand(0));
                    lanes.resize(count, Companions::new());
                    let value = self.companions_of(instruction.operand(1));
                    let lane = usize::try_from(lane).unwrap_or(usize::MAX);
                    if let Some(place) = lanes.get_mut(lane) {
                        *place = value.into_iter().next().unwrap_or_default();
                    }
                    return Ok(lanes);
                }
            }
            _ => {}
        }
        let mut lanes = vec![Companions::new(); count];
        for operand in instruction.operands() {
            let from = self.companions_of(operand);
            if from.len() == count {
                for (lane, from) in lanes.iter_mut().zip(from) {
                    for (kind, broken) in from {
                        self.join(lane, kind, broken);
                    }
                }
            } else {
                for (kind, broken) in from.into_iter().flatten() {
                    for lane in &mut lanes {
                        self.join(lane, kind, broken);
                    }
                }
            }
        }
        Ok(lanes)
    }

    fn companions_of(&self, value: Value<'p>) -> Vec<Companions> {
        self.poison
            .companions
            .get(&value)
            .cloned()
            .unwrap_or_default()
    }

    /// A selection is poison where its condition is, or the arm that it takes.
    fn selected(
        &mut self,
        instruction: Value<'p>,
        count: usize,
    ) -> Result<Vec<Companions>, Unsupported> {
        let condition = self.operand(instruction.operand(0))?;
        let of_condition = self.companions_of(instruction.operand(0));
        let [on_true, on_false] = [1, 2].map(|arm| self.companions_of(instruction.operand(arm)));
        let mut lanes = vec![];
        for index in 0..count {
            let pick = |lanes: &[Companions]| lanes.get(index).cloned().unwrap_or_default();
            let of_lane = if condition.len() == 1 { 0 } else { index };
            let mut lane = of_condition.get(of_lane).cloned().unwrap_or_default();
            let never = self.bool(false);
            let taken = condition[of_lane];
            for (kind, broken) in pick(&on_true) {
                let broken = self.select(taken, broken, never);
                self.join(&mut lane, kind, broken);
            }
            for (kind, broken) in pick(&on_false) {
                let broken = self.select(taken, never, broken);
                self.join(&mut lane, kind, broken);
            }
            lanes.push(lane);
        }
        Ok(lanes)
    }

    fn shuffled(&mut self, instruction: Value<'p>) -> Result<Vec<Companions>, Unsupported> {
        let width = self.module.leaf_count(instruction.operand(0).ty())?;
        let [first, second] = [0, 1].map(|side| self.companions_of(instruction.operand(side)));
        let picks = instruction.shuffle_mask().into_iter();
        Ok(picks
            .map(|pick| {
                let Some(pick) = pick.and_then(|pick| usize::try_from(pick).ok()) else {
                    return Companions::new();
                };
                let lanes = if pick < width { &first } else { &second };
                let lane = lanes.get(pick % width.max(1));
                lane.cloned().unwrap_or_default()
            })
            .collect())
    }

    /// Parameters for the companions of a φ-node.
    pub(crate) fn add_companions(&mut self, block: foghorn_ir::BlockId, phi: Value<'p>) {
        let kinds = self.poison.kinds_of(phi);
        if kinds.is_empty() {
            return;
        }
        let count = self.module.types_of(phi.ty()).len();
        let mut lanes = vec![];
        for _ in 0..count {
            let lane = kinds
                .iter()
                .map(|&kind| (kind, self.body.add_param(block, Type::BOOL)));
            lanes.push(lane.collect::<Companions>());
        }
        self.poison.set(phi, lanes);
    }

    /// The arguments for those parameters where the φ-node becomes `value`.
    pub(crate) fn companion_arguments(&mut self, phi: Value<'p>, value: Value<'p>) -> Vec<ValueId> {
        let kinds = self.poison.kinds_of(phi);
        if kinds.is_empty() {
            return vec![];
        }
        let count = self.module.types_of(phi.ty()).len();
        let from = self.companions_of(value);
        let never = self.bool(false);
        let mut arguments = vec![];
        for lane in 0..count {
            for kind in &kinds {
                let of_lane = from.get(lane).and_then(|lane| {
                    let mut known = lane.iter();
                    known.find(|(known, _)| known == kind)
                });
                arguments.push(of_lane.map_or(never, |&(_, broken)| broken));
            }
        }
        arguments
    }
}
