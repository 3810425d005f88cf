//! How often a loop goes round, where its counter shows it.
//!
//! Looked for: a parameter of the header that starts at a constant and changes by a constant each
//! time round, and a branch, executed in every round, that leaves the loop when a comparison of the
//! counter (before or after the change) with a constant says so. The count is found by counting, so
//! that wrapping is right, up to a limit.

use foghorn_ir::graph::{ControlFlowGraph, DominatorTree, LoopForest, LoopId};
use foghorn_ir::interpret::arithmetic;
use foghorn_ir::{
    BinaryOp, BlockId, Body, Constant, Instruction, IntPredicate, Terminator, ValueDef, ValueId,
};

/// Rounds beyond this are not counted.
const LIMIT: u64 = 1 << 17;

/// How often the jump back to the header is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TripCount {
    /// Exactly so often, unless the program ends within.
    Exactly(u64),
    /// The loop can also be left elsewhere, earlier.
    AtMost(u64),
}

/// A counter: where it starts and what a round adds.
#[derive(Clone, Copy)]
struct Counter {
    param: ValueId,
    next: ValueId,
    width: u32,
    start: u128,
    step: u128,
}

/// A condition under which the loop goes on.
struct Guard {
    predicate: IntPredicate,
    /// Whether it looks at the counter after the change.
    after: bool,
    limit: u128,
    /// The loop goes on where the comparison is this.
    goes_on: bool,
}

/// The trip count of a loop, if it shows.
pub fn find(
    body: &Body,
    cfg: &ControlFlowGraph,
    forest: &LoopForest,
    id: LoopId,
) -> Option<TripCount> {
    let found = forest.get(id);
    let [latch] = found.latches[..] else {
        return None;
    };
    if !found.is_reducible() {
        return None;
    }
    let counters = counters(body, cfg, forest, id, latch);
    if counters.is_empty() {
        return None;
    }
    let tree = DominatorTree::new(cfg.graph(), cfg.entry());
    let mut best: Option<u64> = None;
    for &(from, _) in &found.exits {
        if !tree.dominates(from, latch) || forest.innermost(from) != Some(id) {
            continue;
        }
        let rounds = counters.iter().filter_map(|&counter| {
            let guard = guard(body, forest, id, from, counter)?;
            count(counter, &guard)
        });
        best = rounds.chain(best).min();
    }
    let rounds = best?;
    Some(match found.exits.len() {
        1 => TripCount::Exactly(rounds),
        _ => TripCount::AtMost(rounds),
    })
}

fn number(body: &Body, value: ValueId) -> Option<u128> {
    match body.as_constant(value) {
        Some(Constant::Int(bits)) => Some(bits),
        _ => None,
    }
}

fn counters(
    body: &Body,
    cfg: &ControlFlowGraph,
    forest: &LoopForest,
    id: LoopId,
    latch: BlockId,
) -> Vec<Counter> {
    let header = forest.get(id).header;
    let mut found = vec![];
    for (index, &param) in body.blocks[header].params.iter().enumerate() {
        let mut starts = vec![];
        let mut nexts = vec![];
        let mut before = cfg.predecessors(header).to_vec();
        before.dedup();
        for block in before {
            let targets = body.blocks[block].terminator.targets();
            let arguments = targets
                .filter(|t| t.block == header)
                .map(|t| t.arguments[index]);
            match block == latch {
                true => nexts.extend(arguments),
                false => starts.extend(arguments),
            }
        }
        let (Some(&first), Some(&next)) = (starts.first(), nexts.first()) else {
            continue;
        };
        let same = starts.iter().all(|&v| v == first) && nexts.iter().all(|&v| v == next);
        let (Some(start), Some(width)) = (number(body, first), body.ty(param).int_width()) else {
            continue;
        };
        if let Some(step) = step_of(body, param, next, width).filter(|_| same) {
            found.push(Counter {
                param,
                next,
                width,
                start,
                step,
            });
        }
    }
    found
}

/// What `next` adds to `param`, modulo the width.
fn step_of(body: &Body, param: ValueId, next: ValueId, width: u32) -> Option<u128> {
    let ValueDef::Result(id, _) = body.values[next].def else {
        return None;
    };
    let Instruction::Binary { op, lhs, rhs } = body.instructions[id].instruction else {
        return None;
    };
    match op {
        BinaryOp::Add if lhs == param => number(body, rhs),
        BinaryOp::Add if rhs == param => number(body, lhs),
        BinaryOp::Sub if lhs == param => {
            Some(arithmetic::cut(number(body, rhs)?.wrapping_neg(), width))
        }
        _ => None,
    }
}

/// The condition of a branch that leaves the loop, if it compares the counter with a constant.
fn guard(
    body: &Body,
    forest: &LoopForest,
    id: LoopId,
    block: BlockId,
    counter: Counter,
) -> Option<Guard> {
    let Terminator::Branch {
        condition,
        on_true,
        on_false,
    } = &body.blocks[block].terminator
    else {
        return None;
    };
    let inside = [on_true, on_false].map(|target| forest.contains(id, target.block));
    if inside[0] == inside[1] {
        return None;
    }
    let ValueDef::Result(definition, _) = body.values[*condition].def else {
        return None;
    };
    let Instruction::Compare {
        predicate,
        lhs,
        rhs,
    } = body.instructions[definition].instruction
    else {
        return None;
    };
    let (looked_at, limit, predicate) = match (number(body, lhs), number(body, rhs)) {
        (None, Some(limit)) => (lhs, limit, predicate),
        (Some(limit), None) => (rhs, limit, predicate.swapped()),
        (_, _) => return None,
    };
    let after = match looked_at {
        value if value == counter.param => false,
        value if value == counter.next => true,
        _ => return None,
    };
    Some(Guard {
        predicate,
        after,
        limit,
        goes_on: inside[0],
    })
}

/// Rounds until the guard does not hold.
fn count(counter: Counter, guard: &Guard) -> Option<u64> {
    let mut value = counter.start;
    for rounds in 0..LIMIT {
        let next = arithmetic::binary(BinaryOp::Add, counter.width, value, counter.step);
        let looked_at = if guard.after { next } else { value };
        let holds = arithmetic::compare(guard.predicate, counter.width, looked_at, guard.limit);
        if holds != guard.goes_on {
            return Some(rounds);
        }
        value = next;
    }
    None
}
