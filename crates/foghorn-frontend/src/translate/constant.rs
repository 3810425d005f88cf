//! Operands: values already translated, and constants.
//!
//! The IR has no constant expressions, so those become instructions where they are used.

use super::Unsupported;
use super::function::{FunctionTranslator, Scalars};
use super::wide::wide_width;
use crate::llvm::{Opcode, TypeShape, Value, ValueKind};
use foghorn_ir::{CastOp, Constant, Symbol, Type, ValueId};
use smallvec::smallvec;

impl<'p> FunctionTranslator<'_, 'p> {
    /// The scalars of an operand.
    pub(crate) fn operand(&mut self, value: Value<'p>) -> Result<Scalars, Unsupported> {
        if let Some(scalars) = self.values.get(&value) {
            return Ok(scalars.clone());
        }
        if !value.is_constant() {
            return Err(Unsupported::new(format!("operand {}", value.print())));
        }
        self.constant(value)
    }

    /// The only scalar of an operand.
    pub(crate) fn scalar(&mut self, value: Value<'p>) -> Result<ValueId, Unsupported> {
        match self.operand(value)?.as_slice() {
            &[scalar] => Ok(scalar),
            _ => Err(Unsupported::new("aggregate where a scalar is expected")),
        }
    }

    /// The scalar operand at `index`.
    pub(crate) fn scalar_operand(
        &mut self,
        of: Value<'p>,
        index: u32,
    ) -> Result<ValueId, Unsupported> {
        self.scalar(of.operand(index))
    }

    fn constant(&mut self, value: Value<'p>) -> Result<Scalars, Unsupported> {
        match value.kind() {
            ValueKind::LLVMConstantIntValueKind if wide_width(value.ty()).is_some() => {
                self.wide_constant(value)
            }
            ValueKind::LLVMConstantIntValueKind if !is_vector(value) => {
                let bits = value
                    .int_bits()
                    .ok_or_else(|| Unsupported::new("integer of more than 128 bits"))?;
                Ok(smallvec![self.typed_bits(value, bits)?])
            }
            ValueKind::LLVMConstantFPValueKind if !is_vector(value) => {
                let bits = value
                    .float_bits()
                    .ok_or_else(|| Unsupported::new("floating-point constant"))?;
                Ok(smallvec![self.typed_bits(value, bits)?])
            }
            ValueKind::LLVMUndefValueValueKind | ValueKind::LLVMPoisonValueKind => {
                let types = self.module.layout(value.ty())?.types();
                Ok(types.into_iter().map(|ty| self.undefined(ty)).collect())
            }
            ValueKind::LLVMConstantPointerNullValueKind
            | ValueKind::LLVMConstantAggregateZeroValueKind
            | ValueKind::LLVMConstantTargetNoneValueKind => {
                let types = self.module.layout(value.ty())?.types();
                Ok(types.into_iter().map(|ty| self.zero(ty)).collect())
            }
            ValueKind::LLVMConstantArrayValueKind
            | ValueKind::LLVMConstantStructValueKind
            | ValueKind::LLVMConstantVectorValueKind
            | ValueKind::LLVMConstantDataArrayValueKind
            | ValueKind::LLVMConstantDataVectorValueKind
            | ValueKind::LLVMConstantIntValueKind
            | ValueKind::LLVMConstantFPValueKind => {
                let mut scalars = Scalars::new();
                let mut index = 0;
                while let Some(element) = value.aggregate_element(index) {
                    scalars.extend(self.constant(element)?);
                    index += 1;
                }
                Ok(scalars)
            }
            ValueKind::LLVMFunctionValueKind | ValueKind::LLVMGlobalVariableValueKind => {
                Ok(smallvec![self.symbol(value)])
            }
            ValueKind::LLVMGlobalAliasValueKind => self.constant(value.aliasee()),
            ValueKind::LLVMBlockAddressValueKind => {
                let number = self.module.block_address(value.block_address());
                let number = self.size(number);
                Ok(smallvec![self.cast(CastOp::IntToPtr, number, Type::Ptr)])
            }
            ValueKind::LLVMConstantExprValueKind => self.expression(value),
            ValueKind::LLVMGlobalIFuncValueKind => Err(Unsupported::new("ifunc")),
            _ => Err(Unsupported::new(format!("constant {}", value.print()))),
        }
    }

    fn typed_bits(&mut self, value: Value<'p>, bits: u128) -> Result<ValueId, Unsupported> {
        let layout = self.module.layout(value.ty())?;
        let ty = layout.leaves[0].ty;
        let low = || u64::try_from(bits & u128::from(u64::MAX)).expect("invariant: masked");
        let constant = match ty {
            Type::Int(_) => Constant::Int(bits),
            Type::F32 => {
                Constant::F32(u32::try_from(low() & 0xffff_ffff).expect("invariant: masked"))
            }
            Type::F64 => Constant::F64(low()),
            Type::Ptr | Type::Memory(_) => return Err(Unsupported::new("pointer with bits")),
        };
        Ok(self.body.constant(ty, constant))
    }

    fn symbol(&mut self, value: Value<'p>) -> ValueId {
        match self.module.symbol(value) {
            None => self.null(),
            Some(Symbol::Global(id)) => self.body.constant(Type::Ptr, Constant::Global(id)),
            Some(Symbol::Function(id)) => self.body.constant(Type::Ptr, Constant::Function(id)),
        }
    }

    fn expression(&mut self, value: Value<'p>) -> Result<Scalars, Unsupported> {
        match value.constant_opcode() {
            Opcode::LLVMGetElementPtr => self.element_pointer(value),
            opcode @ (Opcode::LLVMPtrToInt
            | Opcode::LLVMIntToPtr
            | Opcode::LLVMTrunc
            | Opcode::LLVMBitCast
            | Opcode::LLVMAddrSpaceCast) => self.conversion(opcode, value),
            opcode @ (Opcode::LLVMAdd
            | Opcode::LLVMSub
            | Opcode::LLVMXor
            | Opcode::LLVMMul
            | Opcode::LLVMShl) => self.integer_operation(opcode, value),
            _ => Err(Unsupported::new(format!(
                "constant expression {}",
                value.print()
            ))),
        }
    }
}

fn is_vector(value: Value<'_>) -> bool {
    matches!(value.ty().shape(), TypeShape::Vector(..))
}
