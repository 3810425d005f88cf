//! Values that were computed before a loop and that the loop uses, bounds of counters mostly; and what its own quantities were
//! when it was entered.
//!
//! They are no parameters of the head, since iterations do not change them, and yet most relational invariants speak of
//! one of them (`i <= n`).

use super::Cut;
use super::record::Quantity;
use foghorn_encode::execute::plan::FunctionPlan;
use foghorn_encode::execute::{Executor, LoopHead};
use foghorn_ir::{BlockId, Body, Type, ValueDef, ValueId};
use foghorn_term::{TermId, TermPool};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use std::rc::Rc;

/// More of them than this are not spoken of: each is compared with every counter.
const MOST: usize = 6;

impl Cut {
    /// The values that a loop uses and does not compute.
    pub(super) fn outer_values(
        &mut self,
        executor: &Executor<'_, '_>,
        head: &LoopHead,
    ) -> Rc<Vec<ValueId>> {
        let key = (head.function, head.component);
        let known = self.outer.entry(key).or_insert_with(|| {
            let (body, plan) = (executor.body(), executor.plan());
            Rc::new(outer_values(body, &plan, head.component))
        });
        Rc::clone(known)
    }
}

/// The integers that a loop uses and does not compute, in the order of their numbers.
fn outer_values(body: &Body, plan: &FunctionPlan, component: usize) -> Vec<ValueId> {
    let range = plan.components[component].start..plan.components[component].end;
    let inside = &plan.blocks[range];
    let blocks: FxHashSet<BlockId> = inside.iter().copied().collect();
    let mut computed: FxHashSet<ValueId> = FxHashSet::default();
    let mut used: BTreeSet<ValueId> = BTreeSet::new();
    for &block in inside {
        let block = &body.blocks[block];
        for &id in &block.instructions {
            let data = &body.instructions[id];
            computed.extend(data.results.iter().copied());
            data.for_each_operand(|value| {
                used.insert(value);
            });
        }
        block.terminator.for_each_operand(|value| {
            used.insert(value);
        });
    }
    let is_outer = |value: &ValueId| match body.values[*value].def {
        ValueDef::Param(block, _) => !blocks.contains(&block),
        ValueDef::Result(..) => !computed.contains(value),
        ValueDef::Memory(..) | ValueDef::Constant(_) => false,
    };
    let is_integer =
        |value: &ValueId| matches!(body.ty(*value), Type::Int(width) if width > 1 && width <= 64);
    let outer = used.into_iter().filter(is_outer).filter(is_integer);
    outer.take(MOST).collect()
}

/// More quantities than this are not related to what they were when the loop was entered.
const MOST_ENTERED: usize = 24;

/// The numbers among the quantities whose first values rows may speak of.
pub(super) fn entered(pool: &TermPool, quantities: &[Quantity], first: &[TermId]) -> Vec<usize> {
    let all = quantities.iter().zip(first).enumerate();
    let numbers = all.filter(|(_, (quantity, value))| {
        let is_number = matches!(
            quantity,
            Quantity::Register { .. } | Quantity::Cell { .. } | Quantity::Offset { .. }
        );
        is_number && (2..=64).contains(&pool.width(**value))
    });
    numbers.map(|(at, _)| at).take(MOST_ENTERED).collect()
}
