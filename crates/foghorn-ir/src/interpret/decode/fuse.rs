//! Several instructions in one op, where only the last needs the results of the others.
//!
//! A comparison with the branch or check that it is for, and the three instructions that check
//! an operation for overflow. The results in between get no value, which nobody can see.

use super::Decoder;
use super::instruction::order;
use super::op::Op;
use crate::body::{BlockId, InstId, ValueDef, ValueId};
use crate::constant::Constant;
use crate::instruction::{Instruction, Terminator};
use crate::operation::BinaryOp;
use crate::types::Type;

impl Decoder<'_> {
    /// The last comparison of a block if only its branch uses it.
    pub(super) fn fused_compare(&self, block: BlockId) -> Option<InstId> {
        let data = &self.body.blocks[block];
        let Terminator::Branch { condition, .. } = data.terminator else {
            return None;
        };
        let last = *data.instructions.last()?;
        let Instruction::Compare { lhs, .. } = self.body.instructions[last].instruction else {
            return None;
        };
        let fits = self.body.values[condition].def == ValueDef::Result(last, 0)
            && self.uses[condition] == 1
            && matches!(self.body.ty(lhs), Type::Int(width) if width <= 64);
        fits.then_some(last)
    }

    pub(super) fn branch_op(&self, condition: ValueId, fused: Option<InstId>) -> Op {
        let fused = fused.map(|instruction| &self.body.instructions[instruction].instruction);
        if let Some(Instruction::Compare {
            predicate,
            lhs,
            rhs,
        }) = fused
            && let Type::Int(width) = self.body.ty(*lhs)
        {
            let (order, swapped) = order(*predicate);
            let (lhs, rhs) = if swapped { (rhs, lhs) } else { (lhs, rhs) };
            return Op::BranchCompare {
                order,
                lhs: self.register(*lhs),
                rhs: self.register(*rhs),
                width,
                to: 0,
            };
        }
        Op::Branch {
            condition: self.register(condition),
            to: 0,
        }
    }

    /// The check that the first instructions of a list are for, its op, and the rest of the list.
    pub(super) fn fused_check<'l>(
        &self,
        instructions: &'l [InstId],
    ) -> Option<(InstId, Op, &'l [InstId])> {
        match *self.at(instructions, 0)? {
            Instruction::Overflows {
                op,
                signed,
                lhs,
                rhs,
            } => {
                let truth = self.only_use(instructions, 0)?;
                let Instruction::Binary {
                    op: BinaryOp::Xor,
                    lhs: negated,
                    rhs: one,
                } = *self.at(instructions, 1)?
                else {
                    return None;
                };
                let is_negation = self.body.as_constant(one) == Some(Constant::Int(1));
                if negated != truth || !is_negation {
                    return None;
                }
                let condition = self.only_use(instructions, 1)?;
                self.checks(instructions, 2, condition)?;
                let op = Op::RequireNoOverflow {
                    op,
                    signed,
                    lhs: self.register(lhs),
                    rhs: self.register(rhs),
                    width: self.narrow_width(lhs)?,
                };
                Some((instructions[2], op, &instructions[3..]))
            }
            Instruction::Compare {
                predicate,
                lhs,
                rhs,
            } => {
                let condition = self.only_use(instructions, 0)?;
                self.checks(instructions, 1, condition)?;
                let width = self.narrow_width(lhs)?;
                let (order, swapped) = order(predicate);
                let (lhs, rhs) = if swapped { (rhs, lhs) } else { (lhs, rhs) };
                let op = Op::RequireOrder {
                    order,
                    lhs: self.register(lhs),
                    rhs: self.register(rhs),
                    width,
                };
                Some((instructions[1], op, &instructions[2..]))
            }
            _ => None,
        }
    }

    fn at(&self, instructions: &[InstId], index: usize) -> Option<&Instruction> {
        let id = *instructions.get(index)?;
        Some(&self.body.instructions[id].instruction)
    }

    /// The result of an instruction that is used once.
    fn only_use(&self, instructions: &[InstId], index: usize) -> Option<ValueId> {
        let result = *self.body.instructions[instructions[index]]
            .results
            .first()?;
        (self.uses[result] == 1).then_some(result)
    }

    /// Whether the instruction at `index` demands that `wanted` holds.
    fn checks(&self, instructions: &[InstId], index: usize, wanted: ValueId) -> Option<()> {
        match *self.at(instructions, index)? {
            Instruction::Check { condition, .. } | Instruction::Assume { condition } => {
                (condition == wanted).then_some(())
            }
            _ => None,
        }
    }

    fn narrow_width(&self, value: ValueId) -> Option<u8> {
        match self.body.ty(value) {
            Type::Int(width) if width <= 64 => Some(width),
            Type::Int(_) | Type::Ptr | Type::F32 | Type::F64 | Type::Memory(_) => None,
        }
    }
}
