//! Intrinsics on memory and on the stack.

use super::Unsupported;
use super::function::{FunctionTranslator, Scalars};
use crate::llvm::Value;
use foghorn_ir::{BinaryOp, CastOp, Instruction, Type, ValueId};
use smallvec::smallvec;

impl<'p> FunctionTranslator<'_, 'p> {
    pub(crate) fn memory_intrinsic(
        &mut self,
        stem: &str,
        call: Value<'p>,
    ) -> Result<Option<Scalars>, Unsupported> {
        match stem {
            "memcpy" | "memmove" | "memcpy.inline" | "memcpy.element.unordered.atomic" => {
                let destination = self.scalar_operand(call, 0)?;
                let source = self.scalar_operand(call, 1)?;
                let length = self.length_operand(call, 2)?;
                self.memory_copy(destination, source, length);
            }
            "memset" | "memset.inline" => {
                let destination = self.scalar_operand(call, 0)?;
                let byte = self.scalar_operand(call, 1)?;
                let length = self.length_operand(call, 2)?;
                let fill = Instruction::MemorySet {
                    destination,
                    byte,
                    length,
                };
                self.emit(fill, &[]);
            }
            "lifetime.start" | "lifetime.end" => self.lifetime(stem, call)?,
            "stacksave" => {
                let ty = self.size_type();
                let mark = self.emit1(Instruction::StackSave, ty);
                return Ok(Some(smallvec![self.cast(
                    CastOp::IntToPtr,
                    mark,
                    Type::Ptr
                )]));
            }
            "stackrestore" => {
                let mark = self.stack_mark(call)?;
                self.emit(Instruction::StackRestore { mark }, &[]);
            }
            "va_start" => {
                let list = self.scalar_operand(call, 0)?;
                self.start_variable_arguments(list)?;
            }
            "va_copy" => {
                let destination = self.scalar_operand(call, 0)?;
                let source = self.scalar_operand(call, 1)?;
                let length = self.size(self.variable_list_size());
                self.memory_copy(destination, source, length);
            }
            "invariant.start" => return Ok(Some(smallvec![self.null()])),
            "objectsize" => return self.object_size(call).map(Some),
            "ptrmask" => return self.pointer_mask(call).map(Some),
            "load.relative" => return Err(Unsupported::new("relative address")),
            _ => return Ok(None),
        }
        Ok(Some(Scalars::new()))
    }

    fn length_operand(&mut self, call: Value<'p>, index: u32) -> Result<ValueId, Unsupported> {
        let length = self.scalar_operand(call, index)?;
        self.as_size(length)
    }

    /// LLVM 22 passes the slot alone; before that its size came first.
    fn lifetime(&mut self, stem: &str, call: Value<'p>) -> Result<(), Unsupported> {
        let last = *call
            .arguments()
            .last()
            .ok_or_else(|| Unsupported::new("lifetime marker without a slot"))?;
        let pointer = self.scalar(last)?;
        let instruction = match stem {
            "lifetime.start" => Instruction::LifetimeStart { pointer },
            _ => Instruction::LifetimeEnd { pointer },
        };
        self.emit(instruction, &[]);
        Ok(())
    }

    /// The mark that `stacksave` gave, without its detour over a pointer where that is plain.
    fn stack_mark(&mut self, call: Value<'p>) -> Result<ValueId, Unsupported> {
        use foghorn_ir::ValueDef;
        let pointer = self.scalar_operand(call, 0)?;
        if let ValueDef::Result(id, _) = self.body.values[pointer].def
            && let Instruction::Cast {
                op: CastOp::IntToPtr,
                operand,
            } = self.body.instructions[id].instruction
        {
            return Ok(operand);
        }
        let size = self.size_type();
        Ok(self.cast(CastOp::PtrToInt, pointer, size))
    }

    /// Never known here: all ones for the greatest size, 0 for the least, as the flag asks.
    fn object_size(&mut self, call: Value<'p>) -> Result<Scalars, Unsupported> {
        let least = call.operand(1).int_bits() == Some(1);
        let types = self.element_types(call)?;
        let Some(&Type::Int(width)) = types.first() else {
            return Err(Unsupported::new("llvm.objectsize"));
        };
        Ok(smallvec![self.body.int(width, if least { 0 } else { -1 })])
    }

    /// Clears low bits of an address within its object.
    fn pointer_mask(&mut self, call: Value<'p>) -> Result<Scalars, Unsupported> {
        let pointer = self.scalar_operand(call, 0)?;
        let mask = self.length_operand(call, 1)?;
        let size = self.size_type();
        let address = self.cast(CastOp::PtrToInt, pointer, size);
        let masked = self.binary(BinaryOp::And, address, mask);
        let change = self.binary(BinaryOp::Sub, masked, address);
        Ok(smallvec![self.pointer_add(pointer, 0, vec![(change, 1)])])
    }
}
