//! The ends of blocks: branches, switches, computed jumps, returns.

use super::Unsupported;
use super::function::FunctionTranslator;
use super::instruction::opcode_name;
use crate::llvm::{BasicBlock, Opcode, Value, ValueKind};
use foghorn_core::CheckKind;
use foghorn_ir::{CastOp, IntPredicate, Target, Terminator, ValueId};

/// A switch with at most this many cases becomes a chain of comparisons, else a tree.
const LONGEST_CHAIN: usize = 8;

impl<'p> FunctionTranslator<'_, 'p> {
    pub(crate) fn translate_terminator(&mut self, from: BasicBlock<'p>, instruction: Value<'p>) {
        let translated = self
            .check_promises(instruction)
            .and_then(|()| self.terminator(from, instruction));
        if let Err(unsupported) = translated {
            self.unsupported(unsupported);
            self.set_terminator(Terminator::Unreachable);
        }
    }

    fn terminator(
        &mut self,
        from: BasicBlock<'p>,
        instruction: Value<'p>,
    ) -> Result<(), Unsupported> {
        match instruction.opcode() {
            Opcode::LLVMRet => self.return_instruction(instruction),
            Opcode::LLVMBr => self.branch_instruction(from, instruction),
            Opcode::LLVMSwitch => self.switch(from, instruction),
            Opcode::LLVMIndirectBr => self.computed_jump(from, instruction),
            Opcode::LLVMInvoke => {
                self.note_no_throw(instruction.callee());
                let results = self.call(instruction)?;
                self.values.insert(instruction, results);
                let target = self.target(from, instruction.normal_destination())?;
                self.jump(target);
                Ok(())
            }
            Opcode::LLVMUnreachable => {
                self.fail(CheckKind::Unreachable, None);
                Ok(())
            }
            // Only an exception gets here, and with panic = abort there is none.
            Opcode::LLVMResume => {
                self.fail(CheckKind::Unreachable, None);
                Ok(())
            }
            Opcode::LLVMCallBr => Err(Unsupported::new("asm goto")),
            _ => Err(Unsupported::new(opcode_name(instruction))),
        }
    }

    /// An exception of a function that nobody sees would go elsewhere.
    fn note_no_throw(&mut self, callee: Value<'p>) {
        let is_unseen = callee.kind() == ValueKind::LLVMFunctionValueKind
            && callee.is_declaration()
            && !callee.function_has("nounwind")
            && !super::dialect::has_meaning(&callee.name(), true);
        self.module.assumes_no_throw |= is_unseen;
    }

    fn return_instruction(&mut self, instruction: Value<'p>) -> Result<(), Unsupported> {
        let values = match instruction.operand_count() {
            0 => vec![],
            _ => self.operand(instruction.operand(0))?.into_vec(),
        };
        self.check_result();
        self.set_terminator(match self.exit {
            None => Terminator::Return { values },
            Some(block) => Terminator::Jump(Target {
                block,
                arguments: values,
            }),
        });
        Ok(())
    }

    fn branch_instruction(
        &mut self,
        from: BasicBlock<'p>,
        instruction: Value<'p>,
    ) -> Result<(), Unsupported> {
        let successors = instruction.successors();
        if !instruction.is_conditional() {
            let target = self.target(from, successors[0])?;
            self.jump(target);
            return Ok(());
        }
        let condition = self.scalar_operand(instruction, 0)?;
        let on_true = self.target(from, successors[0])?;
        let on_false = self.target(from, successors[1])?;
        self.set_terminator(Terminator::Branch {
            condition,
            on_true,
            on_false,
        });
        Ok(())
    }

    fn switch(&mut self, from: BasicBlock<'p>, instruction: Value<'p>) -> Result<(), Unsupported> {
        let successors = instruction.successors();
        let value = self.scalar_operand(instruction, 0)?;
        let otherwise = self.target(from, successors[0])?;
        let mut cases = vec![];
        for (index, &successor) in successors.iter().enumerate().skip(1) {
            let index = u32::try_from(index - 1).expect("invariant: few cases");
            let bits = instruction
                .switch_case(index)
                .int_bits()
                .ok_or_else(|| Unsupported::new("switch over a wide integer"))?;
            cases.push((bits, self.target(from, successor)?));
        }
        if cases.len() > LONGEST_CHAIN {
            cases.sort_by_key(|&(bits, _)| bits);
        }
        self.decide(value, &cases, &otherwise)
    }

    /// Jumps to the case that equals `value`. `cases` is sorted if it is longer than a chain.
    fn decide(
        &mut self,
        value: ValueId,
        cases: &[(u128, Target)],
        otherwise: &Target,
    ) -> Result<(), Unsupported> {
        let width = self.width(value)?;
        // Halves still to be decided, each in its own block; depth is logarithmic.
        let mut open = vec![(self.block, cases)];
        while let Some((block, cases)) = open.pop() {
            self.block = block;
            if cases.len() > LONGEST_CHAIN {
                let (low, high) = cases.split_at(cases.len() / 2);
                let pivot = self.body.int(width, high[0].0.cast_signed());
                let below = self.compare(IntPredicate::Ult, value, pivot);
                let (on_low, on_high) = self.branch(below);
                open.push((on_high, high));
                open.push((on_low, low));
                continue;
            }
            for (bits, target) in cases {
                let number = self.body.int(width, bits.cast_signed());
                let equal = self.compare(IntPredicate::Eq, value, number);
                let next = self.body.add_block();
                self.set_terminator(Terminator::Branch {
                    condition: equal,
                    on_true: target.clone(),
                    on_false: Target::new(next),
                });
                self.block = next;
            }
            self.jump(otherwise.clone());
        }
        Ok(())
    }

    /// A jump to the address of a label. Each label whose address is taken has a number, which
    /// stands for its address.
    fn computed_jump(
        &mut self,
        from: BasicBlock<'p>,
        instruction: Value<'p>,
    ) -> Result<(), Unsupported> {
        let address = self.scalar_operand(instruction, 0)?;
        let size = self.size_type();
        let address = self.cast(CastOp::PtrToInt, address, size);
        let mut seen = vec![];
        for successor in instruction.successors() {
            if seen.contains(&successor) {
                continue;
            }
            seen.push(successor);
            let number = self.module.block_address(successor);
            let number = self.size(number);
            let equal = self.compare(IntPredicate::Eq, address, number);
            let target = self.target(from, successor)?;
            let next = self.body.add_block();
            self.set_terminator(Terminator::Branch {
                condition: equal,
                on_true: target,
                on_false: Target::new(next),
            });
            self.block = next;
        }
        self.fail(
            CheckKind::InvalidCall,
            Some("jump to what is no label of this function"),
        );
        Ok(())
    }
}
