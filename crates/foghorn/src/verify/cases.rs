//! What holds case by case in loops that are state machines, as likely claims.
//!
//! A number that only ever gets constants is one of them, and in each of its cases other such numbers are bounded by
//! constants of theirs. No domain of convex sets says so; as candidates these claims are few, and those that do not
//! follow are taken out of the argument (Houdini, as for all others).

use foghorn_encode::claim::build::{number, signed};
use foghorn_encode::claim::{Argument, Formula, LoopClaim, Subject};
use foghorn_ir::graph::{ControlFlowGraph, LoopForest};
use foghorn_ir::{BlockId, Body, Constant, Instruction, IntPredicate, Module, ValueDef, ValueId};
use std::collections::{BTreeMap, BTreeSet};

/// Cases of one number, and bounds of another, beyond which nothing is claimed.
const MOST_CASES: usize = 40;
const MOST_BOUNDS: usize = 8;
/// Claims at one head.
const MOST_CLAIMS: usize = 600;
/// Parameters of blocks behind each other that are looked through.
const DEEPEST: u32 = 12;

/// The constants that a parameter of a head gets or is compared with.
#[derive(Default)]
struct Cases {
    numbers: BTreeSet<i128>,
    /// It gets something else, too.
    is_open: bool,
}

/// Adds such claims to those of an argument that has invariants.
pub fn add_cases(module: &Module, argument: &mut Argument) {
    for function in module.functions.values() {
        let Some(body) = &function.body else { continue };
        let Some(claims) = argument.functions.get_mut(&*function.name) else {
            continue;
        };
        let cfg = ControlFlowGraph::new(body);
        for (_, data) in LoopForest::new(&cfg).iter() {
            let head = data.header;
            if let Some(LoopClaim::Invariant { holds, .. }) = claims.loops.get_mut(&head.as_u32()) {
                let cases = cases(body, &cfg, head);
                holds.extend(likely(&cases).into_iter().take(MOST_CLAIMS));
            }
        }
    }
}

fn likely(cases: &BTreeMap<ValueId, Cases>) -> Vec<Formula> {
    let of = |value: &ValueId| signed(Subject::Value(value.as_u32()));
    let mut all = vec![];
    let machines = cases
        .iter()
        .filter(|(_, it)| (2..=MOST_CASES).contains(&it.numbers.len()));
    for (state, its) in machines {
        if !its.is_open {
            let numbers = its.numbers.iter();
            let any = numbers.map(|case| of(state).equals(number(*case)));
            all.push(Formula::any(any));
        }
        for (other, theirs) in cases.iter().filter(|(other, _)| *other != state) {
            for bound in theirs.numbers.iter().take(MOST_BOUNDS) {
                for case in &its.numbers {
                    let when = || of(state).equals(number(*case));
                    all.push(when().implies(of(other).at_most(number(*bound))));
                    all.push(when().implies(number(*bound).at_most(of(other))));
                    all.push(when().implies(of(other).differs(number(*bound))));
                }
            }
        }
    }
    all
}

fn cases(body: &Body, cfg: &ControlFlowGraph, head: BlockId) -> BTreeMap<ValueId, Cases> {
    let mut all: BTreeMap<ValueId, Cases> = BTreeMap::new();
    for (index, &param) in body.blocks[head].params.iter().enumerate() {
        if body.ty(param).int_width().is_some_and(|width| width > 1) {
            let mut found = Cases::default();
            let mut seen = BTreeSet::from([param]);
            gather(body, cfg, (head, index), &mut seen, &mut found, 0);
            all.insert(param, found);
        }
    }
    for data in body.instructions.values() {
        if let Instruction::Compare {
            predicate: IntPredicate::Eq | IntPredicate::Ne,
            lhs,
            rhs,
        } = &data.instruction
            && let (Some(found), Some(case)) = (all.get_mut(lhs), constant(body, *rhs))
        {
            found.numbers.insert(case);
        }
    }
    all.retain(|_, it| !it.numbers.is_empty());
    all
}

/// What a parameter of a block gets.
fn gather(
    body: &Body,
    cfg: &ControlFlowGraph,
    (block, index): (BlockId, usize),
    seen: &mut BTreeSet<ValueId>,
    found: &mut Cases,
    depth: u32,
) {
    for from in cfg.predecessors(block) {
        let targets = body.blocks[*from].terminator.targets();
        for target in targets.into_iter().filter(|it| it.block == block) {
            note(body, cfg, target.arguments[index], seen, found, depth);
        }
    }
}

/// What a value can be, through parameters of blocks and selections.
fn note(
    body: &Body,
    cfg: &ControlFlowGraph,
    value: ValueId,
    seen: &mut BTreeSet<ValueId>,
    found: &mut Cases,
    depth: u32,
) {
    if let Some(case) = constant(body, value) {
        found.numbers.insert(case);
        return;
    }
    if !seen.insert(value) {
        return;
    }
    match body.values[value].def {
        ValueDef::Param(before, at) if depth < DEEPEST && before != body.entry => {
            gather(body, cfg, (before, at as usize), seen, found, depth + 1);
        }
        ValueDef::Result(id, _) => match &body.instructions[id].instruction {
            Instruction::Select {
                on_true, on_false, ..
            } if depth < DEEPEST => {
                note(body, cfg, *on_true, seen, found, depth + 1);
                note(body, cfg, *on_false, seen, found, depth + 1);
            }
            _ => found.is_open = true,
        },
        ValueDef::Param(..) | ValueDef::Memory(..) | ValueDef::Constant(_) => found.is_open = true,
    }
}

fn constant(body: &Body, value: ValueId) -> Option<i128> {
    let width = body.ty(value).int_width()?;
    match body.as_constant(value)? {
        Constant::Int(bits) => {
            let unused = 128 - width;
            Some((bits << unused).cast_signed() >> unused)
        }
        Constant::F32(_)
        | Constant::F64(_)
        | Constant::Null
        | Constant::Global(_)
        | Constant::Function(_) => None,
    }
}
