//! Renaming: every use gets the contents that reach it.

use super::liveness::Joins;
use super::{Plan, Sabotage};
use cranelift_entity::SecondaryMap;
use foghorn_ir::graph::DominatorTree;
use foghorn_ir::{BlockId, Body, Callee, InstId, Instruction, RegionId, Terminator, Type, ValueId};

/// A step of the walk over the dominator tree.
enum Visit {
    Enter(BlockId),
    /// Undoes what the block made current, once the blocks that it dominates are done.
    Leave {
        definitions: usize,
    },
}

struct Renamer<'a> {
    plan: &'a Plan,
    joins: &'a Joins,
    sabotage: Option<Sabotage>,
    current: SecondaryMap<RegionId, Option<ValueId>>,
    /// What was current before each definition on the path from the root.
    overwritten: Vec<(RegionId, Option<ValueId>)>,
}

pub(super) fn run(
    body: &mut Body,
    tree: &DominatorTree<BlockId>,
    plan: &Plan,
    joins: &Joins,
    first: &[(RegionId, ValueId)],
    sabotage: Option<Sabotage>,
) {
    for block in joins.keys() {
        for &region in &joins[block] {
            body.add_param(block, Type::Memory(region));
        }
    }
    let mut renamer = Renamer {
        plan,
        joins,
        sabotage,
        current: SecondaryMap::new(),
        overwritten: vec![],
    };
    for &(region, memory) in first {
        renamer.define(region, memory);
    }
    let mut work = vec![Visit::Enter(tree.root())];
    while let Some(visit) = work.pop() {
        match visit {
            Visit::Leave { definitions } => renamer.undo(definitions),
            Visit::Enter(block) => {
                let definitions = renamer.overwritten.len();
                work.push(Visit::Leave { definitions });
                renamer.block(body, block);
                work.extend(
                    tree.children(block)
                        .iter()
                        .map(|&child| Visit::Enter(child)),
                );
            }
        }
    }
}

impl Renamer<'_> {
    fn define(&mut self, region: RegionId, memory: ValueId) {
        let before = self.current[region].replace(memory);
        self.overwritten.push((region, before));
    }

    fn undo(&mut self, definitions: usize) {
        for (region, before) in self.overwritten.drain(definitions..).rev() {
            self.current[region] = before;
        }
    }

    fn contents(&self, region: RegionId) -> ValueId {
        self.current[region].expect("invariant: every region that is used begins in the entry")
    }

    fn block(&mut self, body: &mut Body, block: BlockId) {
        let joins = &self.joins[block];
        let params = &body.blocks[block].params;
        let own: Vec<ValueId> = params[params.len() - joins.len()..].to_vec();
        for (&region, param) in joins.iter().zip(own) {
            self.define(region, param);
        }
        for index in 0..body.blocks[block].instructions.len() {
            let id = body.blocks[block].instructions[index];
            self.instruction(body, id);
        }
        self.terminator(body, block);
    }

    fn instruction(&mut self, body: &mut Body, id: InstId) {
        let plan = self.plan;
        let uses = plan.uses_of(id);
        // All of an instruction's uses take what was there before it.
        let inputs: Vec<_> = uses
            .iter()
            .map(|planned| self.contents(planned.region))
            .collect();
        let ignored = self.is_sabotaged(&body.instructions[id].instruction);
        for (planned, input) in uses.iter().zip(inputs) {
            let output =
                body.add_memory_use(id, planned.region, input, planned.role, planned.modifies);
            if let Some(output) = output.filter(|_| !ignored) {
                self.define(planned.region, output);
            }
        }
    }

    fn is_sabotaged(&self, instruction: &Instruction) -> bool {
        match self.sabotage {
            None | Some(Sabotage::Joins) => false,
            Some(Sabotage::Calls) => matches!(
                instruction,
                Instruction::Call {
                    callee: Callee::Direct(_),
                    ..
                }
            ),
            Some(Sabotage::Copies) => matches!(instruction, Instruction::MemoryCopy { .. }),
        }
    }

    fn terminator(&mut self, body: &mut Body, block: BlockId) {
        let joins = self.joins;
        for target in body.blocks[block].terminator.targets_mut() {
            let needed = joins[target.block].iter();
            let contents = needed.map(|&region| self.contents(region));
            target.arguments.extend(contents);
        }
        if let Terminator::Return { values } = &mut body.blocks[block].terminator {
            values.extend(self.plan.results().map(|region| self.contents(region)));
        }
    }
}
