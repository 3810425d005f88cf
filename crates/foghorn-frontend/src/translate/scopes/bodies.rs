//! The bodies of `while` and `do` loops that stand without braces.
//!
//! C makes each body of a loop a block (C11 6.8.5), so that a compound literal in it ends with the
//! iteration. With braces the debug information has a lexical block for it; without, only the names
//! tell that clang gives to basic blocks, and where the loop goes back.

use super::{COMPOUND_LITERAL, Flow};
use crate::llvm::{BasicBlock, Metadata, Value};
use rustc_hash::FxHashSet;

/// What is executed in each iteration, without the condition.
pub(super) struct LoopBody<'p> {
    /// The scope that the loop is in.
    scope: Metadata<'p>,
    pub blocks: FxHashSet<BasicBlock<'p>>,
}

impl<'p> Flow<'p> {
    pub(super) fn loop_bodies(&self) -> Vec<LoopBody<'p>> {
        let mut bodies = vec![];
        for (block, places) in &self.blocks {
            let Some(scope) = places.last().and_then(|place| place.repeats) else {
                continue;
            };
            let next = block.terminator().map_or(vec![], Value::successors);
            for head in next {
                let blocks = self.body_between(head, *block);
                if !blocks.is_empty() {
                    bodies.push(LoopBody { scope, blocks });
                }
            }
        }
        bodies
    }

    /// The body of a loop with this head, that goes back at `latch`; nothing if that is no such loop.
    fn body_between(
        &self,
        head: BasicBlock<'p>,
        latch: BasicBlock<'p>,
    ) -> FxHashSet<BasicBlock<'p>> {
        let is_named = |block: BasicBlock<'p>, name: &str| block.name().starts_with(name);
        let is_while = is_named(head, "while.cond") || is_named(head, "while.body");
        if !is_while && !is_named(head, "do.body") {
            return FxHashSet::default();
        }
        let all = self.blocks_back_to(latch, |block| block == head);
        if !all.contains(&head) {
            return FxHashSet::default();
        }
        // What belongs to the condition: up to its first block from the end of a `do`, up to the body
        // from the head of a `while`.
        let condition = match is_while {
            false => {
                let is_first = |block| is_named(block, "do.cond") || block == head;
                let condition = self.blocks_back_to(latch, is_first);
                match condition.iter().any(|&block| is_named(block, "do.cond")) {
                    true => condition
                        .into_iter()
                        .filter(|&block| block != head)
                        .collect(),
                    false => FxHashSet::default(),
                }
            }
            true => self.blocks_before_body(head, &all),
        };
        all.into_iter()
            .filter(|block| !condition.contains(block))
            .collect()
    }

    /// The blocks from which a block is reached, itself included, as far as the first that are `last`.
    fn blocks_back_to(
        &self,
        from: BasicBlock<'p>,
        last: impl Fn(BasicBlock<'p>) -> bool,
    ) -> FxHashSet<BasicBlock<'p>> {
        let mut found = FxHashSet::default();
        let mut work = vec![from];
        while let Some(block) = work.pop() {
            if found.insert(block) && !last(block) {
                work.extend(self.predecessors.get(&block).into_iter().flatten());
            }
        }
        found
    }

    /// The blocks of a loop that are executed before its body begins.
    fn blocks_before_body(
        &self,
        head: BasicBlock<'p>,
        all: &FxHashSet<BasicBlock<'p>>,
    ) -> FxHashSet<BasicBlock<'p>> {
        let mut found = FxHashSet::default();
        let mut work = vec![head];
        while let Some(block) = work.pop() {
            let begins = block.name().starts_with("while.body") || !all.contains(&block);
            if !begins && found.insert(block) {
                work.extend(block.terminator().map_or(vec![], Value::successors));
            }
        }
        found
    }

    /// The innermost body without braces that a compound literal is in, of which the scope of its uses
    /// says nothing more.
    pub(super) fn body_of_literal<'b>(
        &self,
        slot: Value<'p>,
        scope: Metadata<'p>,
        bodies: &'b [LoopBody<'p>],
    ) -> Option<&'b LoopBody<'p>> {
        if !slot.name().starts_with(COMPOUND_LITERAL) {
            return None;
        }
        let users: FxHashSet<Value<'p>> = slot.users().into_iter().collect();
        let naming = self.blocks.iter().filter(|(_, places)| {
            let mut places = places.iter();
            places.any(|place| users.contains(&place.instruction))
        });
        let naming: Vec<BasicBlock<'p>> = naming.map(|(block, _)| *block).collect();
        bodies
            .iter()
            .filter(|body| body.scope == scope)
            .filter(|body| naming.iter().all(|block| body.blocks.contains(block)))
            .min_by_key(|body| body.blocks.len())
    }
}
