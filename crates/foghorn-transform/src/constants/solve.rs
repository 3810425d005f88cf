//! The fixpoint: optimistic, over edges that can be executed.

use super::fold::fold;
use cranelift_entity::SecondaryMap;
use foghorn_ir::{BlockId, Body, Constant, InstId, Instruction, Terminator, ValueDef, ValueId};

/// What is known of a value; it only ever moves down this list.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum Known {
    /// Nothing that can be executed defines it so far.
    #[default]
    Nothing,
    Constant(Constant),
    Varies,
}

impl Known {
    fn meet(self, other: Known) -> Known {
        match (self, other) {
            (Known::Nothing, known) | (known, Known::Nothing) => known,
            (Known::Constant(a), Known::Constant(b)) if a == b => self,
            (Known::Constant(_) | Known::Varies, Known::Constant(_) | Known::Varies) => {
                Known::Varies
            }
        }
    }
}

/// Where a value is used.
#[derive(Clone, Copy)]
enum Use {
    Instruction(BlockId, InstId),
    Terminator(BlockId),
}

struct Solver<'b> {
    body: &'b Body,
    known: SecondaryMap<ValueId, Known>,
    uses: SecondaryMap<ValueId, Vec<Use>>,
    entered: SecondaryMap<BlockId, bool>,
    /// Whether each target of the block's terminator can be taken.
    taken: SecondaryMap<BlockId, [bool; 2]>,
    blocks: Vec<BlockId>,
    changed: Vec<ValueId>,
}

/// The values that are always one constant, in the order of their ids.
pub fn solve(body: &Body) -> Vec<(ValueId, Constant)> {
    let mut solver = Solver {
        body,
        known: SecondaryMap::new(),
        uses: uses(body),
        entered: SecondaryMap::new(),
        taken: SecondaryMap::new(),
        blocks: vec![],
        changed: vec![],
    };
    solver.run();
    let found =
        body.values
            .iter()
            .filter_map(|(value, data)| match (solver.known[value], data.def) {
                (_, ValueDef::Constant(_)) => None,
                (Known::Constant(constant), _) => Some((value, constant)),
                (Known::Nothing | Known::Varies, _) => None,
            });
    found.collect()
}

fn uses(body: &Body) -> SecondaryMap<ValueId, Vec<Use>> {
    let mut uses: SecondaryMap<ValueId, Vec<Use>> = SecondaryMap::new();
    for (block, data) in body.blocks.iter() {
        for &id in &data.instructions {
            let instruction = &body.instructions[id].instruction;
            instruction.for_each_operand(|value| uses[value].push(Use::Instruction(block, id)));
        }
        data.terminator
            .for_each_operand(|value| uses[value].push(Use::Terminator(block)));
    }
    uses
}

impl Solver<'_> {
    fn run(&mut self) {
        for (value, data) in self.body.values.iter() {
            if let ValueDef::Constant(constant) = data.def {
                self.known[value] = Known::Constant(constant);
            }
        }
        for &param in &self.body.blocks[self.body.entry].params {
            self.known[param] = Known::Varies;
        }
        self.enter(self.body.entry);
        loop {
            if let Some(value) = self.changed.pop() {
                for index in 0..self.uses[value].len() {
                    match self.uses[value][index] {
                        Use::Instruction(block, id) if self.entered[block] => self.instruction(id),
                        Use::Terminator(block) if self.entered[block] => self.terminator(block),
                        Use::Instruction(..) | Use::Terminator(_) => {}
                    }
                }
            } else if let Some(block) = self.blocks.pop() {
                for &id in &self.body.blocks[block].instructions {
                    self.instruction(id);
                }
                self.terminator(block);
            } else {
                return;
            }
        }
    }

    fn enter(&mut self, block: BlockId) {
        if !std::mem::replace(&mut self.entered[block], true) {
            self.blocks.push(block);
        }
    }

    fn lower(&mut self, value: ValueId, to: Known) {
        let met = self.known[value].meet(to);
        if met != self.known[value] {
            self.known[value] = met;
            self.changed.push(value);
        }
    }

    fn instruction(&mut self, id: InstId) {
        let data = &self.body.instructions[id];
        let [result] = data.results[..] else {
            for &result in &data.results {
                self.lower(result, Known::Varies);
            }
            return;
        };
        if self.known[result] == Known::Varies {
            return;
        }
        let to = self.evaluate(&data.instruction, result);
        self.lower(result, to);
    }

    fn evaluate(&self, instruction: &Instruction, result: ValueId) -> Known {
        // A choice between two equal values needs no condition.
        if let Instruction::Select {
            condition,
            on_true,
            on_false,
        } = instruction
        {
            return match self.known[*condition] {
                Known::Nothing => Known::Nothing,
                Known::Constant(Constant::Int(0)) => self.known[*on_false],
                Known::Constant(_) => self.known[*on_true],
                Known::Varies => self.known[*on_true].meet(self.known[*on_false]),
            };
        }
        if instruction.has_effect() {
            return Known::Varies;
        }
        let mut waits = false;
        instruction.for_each_operand(|operand| waits |= self.known[operand] == Known::Nothing);
        if waits {
            return Known::Nothing;
        }
        let known = |value: ValueId| match self.known[value] {
            Known::Constant(constant) => Some(constant),
            Known::Nothing | Known::Varies => None,
        };
        match fold(self.body, instruction, self.body.ty(result), known) {
            Some(constant) => Known::Constant(constant),
            None => Known::Varies,
        }
    }

    fn terminator(&mut self, block: BlockId) {
        let body = self.body;
        let terminator = &body.blocks[block].terminator;
        let takes = match terminator {
            Terminator::Branch { condition, .. } => match self.known[*condition] {
                Known::Nothing => [false, false],
                Known::Constant(Constant::Int(0)) => [false, true],
                Known::Constant(_) => [true, false],
                Known::Varies => [true, true],
            },
            Terminator::Jump(_) => [true, false],
            Terminator::Return { .. } | Terminator::Halt { .. } | Terminator::Unreachable => {
                [false, false]
            }
        };
        for (index, target) in terminator.targets().enumerate() {
            self.taken[block][index] |= takes[index];
            if !self.taken[block][index] {
                continue;
            }
            for (&param, &argument) in body.blocks[target.block]
                .params
                .iter()
                .zip(&target.arguments)
            {
                self.lower(param, self.known[argument]);
            }
            self.enter(target.block);
        }
    }
}
