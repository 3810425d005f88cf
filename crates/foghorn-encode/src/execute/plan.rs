//! Weak topological orders, and what else the executor must know about a function before it runs it, computed once.
//!
//! Blocks are executed in a weak topological order (Bourdoncle): every edge goes forward or back to
//! the head of a component around its source, so that going through the order, and from the end
//! of a component back to its head as long as something is pending there, meets every block after
//! all that flows into it. This unwinds any control flow, irreducible loops included.
//!
//! A value that is defined in a loop and used outside belongs to the iteration in which the loop
//! was left; the edge that leaves takes it along ([`FunctionPlan::escaping`]).

use cranelift_entity::SecondaryMap;
use foghorn_ir::graph::{ControlFlowGraph, WeakTopologicalOrder, WtoKind};
use foghorn_ir::{BlockId, Body, InstId, Instruction, ValueDef, ValueId};
use rustc_hash::FxHashSet;

/// A loop of the order: the items `start..end`, the first of which is its head.
#[derive(Clone, Debug)]
pub struct Component {
    pub start: usize,
    pub end: usize,
    /// The next larger one around it.
    pub parent: Option<usize>,
    /// Values defined in it and used outside.
    pub escaping: Vec<ValueId>,
}

/// A function ready to be unwound.
#[derive(Debug)]
pub struct FunctionPlan {
    /// Blocks in weak topological order.
    pub blocks: Vec<BlockId>,
    position: SecondaryMap<BlockId, u32>,
    pub components: Vec<Component>,
    /// The innermost component of each position.
    innermost: Vec<Option<usize>>,
    /// The component that begins at a position.
    headed: Vec<Option<usize>>,
    /// Stack objects that are not alive before their `LifetimeStart`.
    pub starts_dead: FxHashSet<InstId>,
    /// The last position at which an escaping value is used.
    last_use: SecondaryMap<ValueId, u32>,
    /// Where an escaping value is defined.
    defined_at: SecondaryMap<ValueId, u32>,
    /// The position of each instruction's block.
    instruction_position: SecondaryMap<InstId, u32>,
}

impl FunctionPlan {
    pub fn new(body: &Body) -> Self {
        let cfg = ControlFlowGraph::new(body);
        let order = WeakTopologicalOrder::new(cfg.graph(), &[body.entry]);
        let items = order.items();
        let blocks: Vec<BlockId> = items.iter().map(|item| item.node).collect();
        let mut position = SecondaryMap::with_default(u32::MAX);
        for (index, &block) in (0..).zip(&blocks) {
            position[block] = index;
        }
        let mut plan = FunctionPlan {
            innermost: vec![None; blocks.len()],
            headed: vec![None; blocks.len()],
            components: vec![],
            blocks,
            position,
            starts_dead: FxHashSet::default(),
            last_use: SecondaryMap::new(),
            defined_at: SecondaryMap::new(),
            instruction_position: SecondaryMap::with_default(u32::MAX),
        };
        for (at, &block) in (0..).zip(&plan.blocks) {
            for &inst in &body.blocks[block].instructions {
                plan.instruction_position[inst] = at;
            }
        }
        plan.find_components(items.iter().map(|item| item.kind));
        plan.find_escaping(body);
        plan.find_lifetimes(body);
        plan
    }

    fn find_components(&mut self, kinds: impl Iterator<Item = WtoKind>) {
        let mut open: Vec<usize> = vec![];
        for (at, kind) in kinds.enumerate() {
            while open.last().is_some_and(|&c| self.components[c].end <= at) {
                open.pop();
            }
            if let WtoKind::Head { end } = kind {
                let number = self.components.len();
                self.components.push(Component {
                    start: at,
                    end,
                    parent: open.last().copied(),
                    escaping: vec![],
                });
                self.headed[at] = Some(number);
                open.push(number);
            }
            self.innermost[at] = open.last().copied();
        }
    }

    fn find_escaping(&mut self, body: &Body) {
        let mut found: FxHashSet<(usize, ValueId)> = FxHashSet::default();
        for at in 0..self.blocks.len() {
            let block = &body.blocks[self.blocks[at]];
            let mut uses: Vec<ValueId> = vec![];
            for &inst in &block.instructions {
                body.instructions[inst].for_each_operand(|value| uses.push(value));
            }
            block.terminator.for_each_operand(|value| uses.push(value));
            for value in uses {
                self.note_use(body, value, at, &mut found);
            }
        }
        for component in &mut self.components {
            component.escaping.sort_unstable();
        }
    }

    fn note_use(
        &mut self,
        body: &Body,
        value: ValueId,
        at: usize,
        found: &mut FxHashSet<(usize, ValueId)>,
    ) {
        let Some(defined_at) = self.definition(body, value) else {
            return;
        };
        let mut component = self.innermost[defined_at];
        while let Some(number) = component {
            if self.contains(number, at) {
                break;
            }
            if found.insert((number, value)) {
                self.components[number].escaping.push(value);
            }
            self.defined_at[value] = defined_at as u32;
            let last = &mut self.last_use[value];
            *last = (*last).max(at as u32);
            component = self.components[number].parent;
        }
    }

    /// The position of the block that defines a value; `None` for constants.
    fn definition(&self, body: &Body, value: ValueId) -> Option<usize> {
        let block = match body.values[value].def {
            ValueDef::Param(block, _) => block,
            ValueDef::Result(inst, _) | ValueDef::Memory(inst, _) => {
                let position = self.instruction_position[inst];
                return (position != u32::MAX).then_some(position as usize);
            }
            ValueDef::Constant(_) => return None,
        };
        self.position(block)
    }

    fn find_lifetimes(&mut self, body: &Body) {
        for &block in &self.blocks {
            for &inst in &body.blocks[block].instructions {
                if let Instruction::LifetimeStart { pointer } = body.instructions[inst].instruction
                    && let ValueDef::Result(allocation, _) = body.values[pointer].def
                    && let Instruction::Allocate { .. } = body.instructions[allocation].instruction
                {
                    self.starts_dead.insert(allocation);
                }
            }
        }
    }

    /// Where a block stands in the order; `None` if the entry does not reach it.
    pub fn position(&self, block: BlockId) -> Option<usize> {
        let position = self.position[block];
        (position != u32::MAX).then_some(position as usize)
    }

    /// The component whose head stands at a position.
    pub fn component_at(&self, position: usize) -> Option<usize> {
        self.headed[position]
    }

    /// Whether the last term of a value that dominates a position belongs to the iteration there: no
    /// loop around its definition was left since.
    pub fn is_of_this_iteration(&self, body: &Body, value: ValueId, position: usize) -> bool {
        let Some(defined_at) = self.definition(body, value) else {
            return false;
        };
        self.innermost[defined_at].is_none_or(|number| self.contains(number, position))
    }

    fn contains(&self, component: usize, position: usize) -> bool {
        let Component { start, end, .. } = self.components[component];
        (start..end).contains(&position)
    }

    /// Values that an edge takes along because it leaves the loops that define them.
    pub fn escaping(&self, from: usize, to: usize) -> impl Iterator<Item = ValueId> + '_ {
        let mut component = self.innermost[from];
        std::iter::from_fn(move || {
            let number = component.filter(|&number| !self.contains(number, to))?;
            component = self.components[number].parent;
            Some(self.components[number].escaping.iter().copied())
        })
        .flatten()
    }

    /// Whether a value that left its loop still counts behind an edge: it is used there or later, and
    /// the edge does not begin another iteration of a loop around its definition. There the value
    /// is defined anew before it is used.
    pub fn survives(&self, value: ValueId, from: usize, to: usize) -> bool {
        if (self.last_use[value] as usize) < to {
            return false;
        }
        let mut component = self.innermost[self.defined_at[value] as usize];
        while let Some(number) = component {
            let begins = self.components[number].start == to || !self.contains(number, from);
            if self.contains(number, to) && begins {
                return false;
            }
            component = self.components[number].parent;
        }
        true
    }
}
