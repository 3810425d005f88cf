//! Initial contents of global variables.

use super::Unsupported;
use super::module::ModuleTranslator;
use crate::llvm::{Opcode, Ty, TypeShape, Value, ValueKind};
use foghorn_ir::{GlobalContents, GlobalId, Initializer, Relocation, Symbol};

/// A gap of zeros up to this long is kept within one chunk.
const MERGE_GAP: u64 = 16;

/// A constant as an initialiser can hold it: a number, or an address plus a number.
#[derive(Clone, Copy)]
pub(crate) struct Address {
    pub symbol: Option<Symbol>,
    pub addend: i128,
}

impl<'p> ModuleTranslator<'p> {
    pub(crate) fn translate_global(&mut self, id: GlobalId, global: Value<'p>) {
        if global.is_declaration() {
            return;
        }
        let Some(value) = global.initializer() else {
            return;
        };
        let mut initializer = Initializer::default();
        let contents = match self.fill(&mut initializer, 0, value) {
            Ok(()) => GlobalContents::Initialised(initializer),
            Err(Unsupported(construct)) => {
                // Any bytes is more than the unknown ones, so nothing is missed.
                let span = self.module.globals[id].span;
                let construct = format!("initialiser: {construct}");
                self.note_over_approximation(construct.into(), span);
                GlobalContents::External
            }
        };
        self.module.globals[id].contents = contents;
    }

    /// Writes a constant at `offset`. Depth is that of the type.
    fn fill(
        &mut self,
        into: &mut Initializer,
        offset: u64,
        value: Value<'p>,
    ) -> Result<(), Unsupported> {
        if value.is_null_constant() {
            return Ok(());
        }
        match value.kind() {
            ValueKind::LLVMUndefValueValueKind | ValueKind::LLVMPoisonValueKind => Ok(()),
            ValueKind::LLVMConstantIntValueKind => {
                let bits = value
                    .int_bits()
                    .ok_or_else(|| Unsupported::new("integer of more than 128 bits"))?;
                put(into, offset, &bits.to_le_bytes()[..self.size(value.ty())]);
                Ok(())
            }
            ValueKind::LLVMConstantFPValueKind => {
                let bits = value
                    .float_bits()
                    .ok_or_else(|| Unsupported::new("floating-point constant"))?;
                put(into, offset, &bits.to_le_bytes()[..self.size(value.ty())]);
                Ok(())
            }
            ValueKind::LLVMConstantDataArrayValueKind if value.byte_string().is_some() => {
                put(into, offset, &value.byte_string().unwrap_or_default());
                Ok(())
            }
            ValueKind::LLVMConstantArrayValueKind
            | ValueKind::LLVMConstantDataArrayValueKind
            | ValueKind::LLVMConstantVectorValueKind
            | ValueKind::LLVMConstantDataVectorValueKind
            | ValueKind::LLVMConstantStructValueKind => self.fill_elements(into, offset, value),
            _ => self.fill_address(into, offset, value),
        }
    }

    fn size(&self, ty: Ty<'p>) -> usize {
        usize::try_from(self.program.store_size(ty)).expect("invariant: scalars are small")
    }

    fn fill_elements(
        &mut self,
        into: &mut Initializer,
        offset: u64,
        value: Value<'p>,
    ) -> Result<(), Unsupported> {
        let ty = value.ty();
        let shape = ty.shape();
        let mut index = 0;
        while let Some(element) = value.aggregate_element(index) {
            let at = match &shape {
                TypeShape::Struct(_) => {
                    let field = u32::try_from(index).expect("invariant: few fields");
                    self.program.field_offset(ty, field)
                }
                TypeShape::Array(element, _) => index * self.program.alloc_size(*element),
                _ => index * self.program.store_size(element.ty()),
            };
            self.fill(into, offset + at, element)?;
            index += 1;
        }
        Ok(())
    }

    fn fill_address(
        &mut self,
        into: &mut Initializer,
        offset: u64,
        value: Value<'p>,
    ) -> Result<(), Unsupported> {
        let address = self.constant_address(value)?;
        let size = self.size(value.ty());
        match address.symbol {
            None => put(into, offset, &address.addend.to_le_bytes()[..size]),
            Some(target) => {
                if size != self.module.layout.pointer_bytes as usize {
                    return Err(Unsupported::new("address in a field of another width"));
                }
                let addend = i64::try_from(address.addend)
                    .map_err(|_| Unsupported::new("address far outside its object"))?;
                into.relocations.push(Relocation {
                    offset,
                    target,
                    addend,
                });
            }
        }
        Ok(())
    }

    /// Evaluates a constant of pointer or integer type.
    pub(crate) fn constant_address(&mut self, value: Value<'p>) -> Result<Address, Unsupported> {
        let number = |addend| Address {
            symbol: None,
            addend,
        };
        if value.is_null_constant() {
            return Ok(number(0));
        }
        match value.kind() {
            ValueKind::LLVMConstantIntValueKind => {
                let bits = value
                    .int_bits()
                    .ok_or_else(|| Unsupported::new("integer of more than 128 bits"))?;
                Ok(number(sign_extend(bits, value.ty())))
            }
            ValueKind::LLVMFunctionValueKind | ValueKind::LLVMGlobalVariableValueKind => {
                Ok(Address {
                    symbol: self.symbol(value),
                    addend: 0,
                })
            }
            ValueKind::LLVMGlobalAliasValueKind => self.constant_address(value.aliasee()),
            ValueKind::LLVMBlockAddressValueKind => {
                Ok(number(self.block_address(value.block_address()).into()))
            }
            ValueKind::LLVMConstantExprValueKind => self.constant_expression(value),
            ValueKind::LLVMGlobalIFuncValueKind => Err(Unsupported::new("ifunc")),
            _ => Err(Unsupported::new(format!("constant {}", value.print()))),
        }
    }

    fn constant_expression(&mut self, value: Value<'p>) -> Result<Address, Unsupported> {
        let opaque = || Unsupported::new(format!("constant expression {}", value.print()));
        match value.constant_opcode() {
            Opcode::LLVMGetElementPtr => {
                let base = self.constant_address(value.operand(0))?;
                let (constant, scaled) = self.element_offset(value)?;
                if !scaled.is_empty() {
                    return Err(opaque());
                }
                Ok(Address {
                    symbol: base.symbol,
                    addend: base.addend + i128::from(constant),
                })
            }
            Opcode::LLVMPtrToInt
            | Opcode::LLVMIntToPtr
            | Opcode::LLVMBitCast
            | Opcode::LLVMAddrSpaceCast
            | Opcode::LLVMTrunc => self.constant_address(value.operand(0)),
            Opcode::LLVMAdd => {
                let a = self.constant_address(value.operand(0))?;
                let b = self.constant_address(value.operand(1))?;
                let symbol = match (a.symbol, b.symbol) {
                    (Some(_), Some(_)) => return Err(opaque()),
                    (symbol, None) | (None, symbol) => symbol,
                };
                Ok(Address {
                    symbol,
                    addend: a.addend + b.addend,
                })
            }
            Opcode::LLVMSub => {
                let a = self.constant_address(value.operand(0))?;
                let b = self.constant_address(value.operand(1))?;
                let symbol = match (a.symbol, b.symbol) {
                    (x, y) if x == y => None,
                    (symbol, None) => symbol,
                    (_, Some(_)) => return Err(opaque()),
                };
                Ok(Address {
                    symbol,
                    addend: a.addend - b.addend,
                })
            }
            _ => Err(opaque()),
        }
    }
}

fn sign_extend(bits: u128, ty: Ty<'_>) -> i128 {
    let TypeShape::Int(width @ 1..=127) = ty.shape() else {
        return bits.cast_signed();
    };
    (bits << (128 - width)).cast_signed() >> (128 - width)
}

/// Adds bytes behind everything that is there already.
fn put(into: &mut Initializer, offset: u64, bytes: &[u8]) {
    if bytes.is_empty() {
        return;
    }
    if let Some((start, chunk)) = into.chunks.last_mut() {
        let end = *start + chunk.len() as u64;
        let relocated = into.relocations.last().is_some_and(|r| r.offset >= end);
        if offset >= end && offset - end <= MERGE_GAP && !relocated {
            let gap = usize::try_from(offset - end).expect("invariant: a small gap");
            chunk.resize(chunk.len() + gap, 0);
            chunk.extend_from_slice(bytes);
            return;
        }
    }
    into.chunks.push((offset, bytes.to_vec()));
}
