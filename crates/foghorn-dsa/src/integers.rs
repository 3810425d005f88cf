//! Which integers may matter to the pointer analysis.
//!
//! An integer (or float) matters if it may carry an address to where it is used as one: stored,
//! converted to a pointer, passed to a function or returned. Comparisons, indices and branch
//! conditions do not carry. Truth values are left out: they hold one bit. So most integers of a
//! program cost nothing.

use cranelift_entity::EntitySet;
use foghorn_ir::{Body, Callee, CastOp, Instruction, Terminator, Type, ValueDef, ValueId};

/// The values of a body that are no pointers and may carry an address further.
pub fn carriers(body: &Body) -> EntitySet<ValueId> {
    let mut found = Search {
        body,
        carriers: EntitySet::new(),
        work: vec![],
    };
    let mut incoming: Vec<(ValueId, ValueId)> = vec![];
    for block in body.blocks.values() {
        for &id in &block.instructions {
            found.uses(&body.instructions[id].instruction);
        }
        if let Terminator::Return { values } = &block.terminator {
            values.iter().for_each(|&value| found.add(value));
        }
        for target in block.terminator.targets() {
            let params = &body.blocks[target.block].params;
            incoming.extend(params.iter().copied().zip(target.arguments.iter().copied()));
        }
    }
    incoming.sort_unstable();
    while let Some(value) = found.work.pop() {
        match body.values[value].def {
            ValueDef::Constant(_) | ValueDef::Memory(..) => {}
            ValueDef::Param(..) => {
                let first = incoming.partition_point(|&(param, _)| param < value);
                let of_param = incoming[first..].iter();
                for &(_, argument) in of_param.take_while(|&&(param, _)| param == value) {
                    found.add(argument);
                }
            }
            ValueDef::Result(id, _) => found.operands(&body.instructions[id].instruction),
        }
    }
    found.carriers
}

struct Search<'b> {
    body: &'b Body,
    carriers: EntitySet<ValueId>,
    work: Vec<ValueId>,
}

impl Search<'_> {
    fn add(&mut self, value: ValueId) {
        let ty = self.body.ty(value);
        let constant = self.body.as_constant(value).is_some();
        if ty == Type::Ptr || ty == Type::BOOL || constant || self.carriers.contains(value) {
            return;
        }
        self.carriers.insert(value);
        self.work.push(value);
    }

    /// Operands that leave the world of integers here.
    fn uses(&mut self, instruction: &Instruction) {
        match instruction {
            Instruction::Store { value, .. } => self.add(*value),
            Instruction::Cast {
                op: CastOp::IntToPtr,
                operand,
            } => self.add(*operand),
            Instruction::Call { callee, arguments } => match callee {
                Callee::Direct(_) | Callee::Indirect(_) => {
                    arguments.iter().for_each(|&value| self.add(value));
                }
                Callee::Builtin(_) => {}
            },
            _other => {}
        }
    }

    /// Operands that a carrying result is computed from.
    fn operands(&mut self, instruction: &Instruction) {
        match instruction {
            Instruction::Binary { lhs, rhs, .. } => {
                self.add(*lhs);
                self.add(*rhs);
            }
            Instruction::Unary { operand, .. } | Instruction::Cast { operand, .. } => {
                self.add(*operand);
            }
            Instruction::Select {
                on_true, on_false, ..
            } => {
                self.add(*on_true);
                self.add(*on_false);
            }
            _other => {}
        }
    }
}
