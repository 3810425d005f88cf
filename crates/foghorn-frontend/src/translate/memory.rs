//! Stack slots, loads, stores, addresses, and aggregates as values.

use super::Unsupported;
use super::function::{FunctionTranslator, Scalars};
use super::module::ModuleTranslator;
use crate::llvm::{Ty, TypeShape, Value, ValueKind};
use foghorn_ir::{AllocationKind, BinaryOp, Instruction, NondetOrigin, Type, ValueId};
use smallvec::smallvec;

/// The name of the inputs that reads of volatile objects are.
const VOLATILE: &str = "__foghorn_volatile";

/// One step of an address computation whose index is not constant: index and bytes per step.
type ScaledIndex<'p> = (Value<'p>, i64);

impl<'p> ModuleTranslator<'p> {
    /// What a `getelementptr` adds to its base: a constant and multiples of the other indices.
    pub(crate) fn element_offset(
        &mut self,
        pointer: Value<'p>,
    ) -> Result<(i64, Vec<ScaledIndex<'p>>), Unsupported> {
        let mut constant = 0i64;
        let mut scaled = vec![];
        let mut ty = pointer.source_element_type();
        for (position, index) in pointer.operands().into_iter().skip(1).enumerate() {
            if position > 0 {
                if let TypeShape::Struct(fields) = ty.shape() {
                    let field = constant_index(index)
                        .and_then(|i| u32::try_from(i).ok())
                        .ok_or_else(|| Unsupported::new("field number that is not constant"))?;
                    let offset = self.program.field_offset(ty, field);
                    constant = constant.wrapping_add(offset.cast_signed());
                    ty = fields[field as usize];
                    continue;
                }
                ty = match ty.shape() {
                    TypeShape::Array(element, _) | TypeShape::Vector(element, _) => element,
                    _ => return Err(Unsupported::new("index into a scalar")),
                };
            }
            let stride = self.program.alloc_size(ty).cast_signed();
            match constant_index(index) {
                Some(number) => constant = constant.wrapping_add(number.wrapping_mul(stride)),
                None => scaled.push((index, stride)),
            }
        }
        if self.module.layout.pointer_bytes == 4 {
            #[allow(clippy::cast_possible_truncation)]
            let wrapped = constant as i32;
            constant = wrapped.into();
        }
        Ok((constant, scaled))
    }
}

/// The value of a constant scalar index; a splat vector counts as its element.
fn constant_index(index: Value<'_>) -> Option<i64> {
    let scalar = match index.ty().shape() {
        TypeShape::Int(_) => index,
        _ if index.is_null_constant() => return Some(0),
        _ => return None,
    };
    let TypeShape::Int(width) = scalar.ty().shape() else {
        return None;
    };
    let bits = scalar.int_bits()?;
    let shift = 128 - width.min(128);
    i64::try_from((bits << shift).cast_signed() >> shift).ok()
}

/// The alignment of something `offset` bytes behind an address aligned to `align`.
fn align_at(align: u32, offset: u64) -> u32 {
    if offset == 0 {
        return align;
    }
    let offset_align = 1u64 << offset.trailing_zeros().min(30);
    u32::try_from(offset_align.min(align.into())).expect("invariant: at most 2^30")
}

impl<'p> FunctionTranslator<'_, 'p> {
    pub(crate) fn element_pointer(&mut self, pointer: Value<'p>) -> Result<Scalars, Unsupported> {
        let bases = self.operand(pointer.operand(0))?;
        let (constant, scaled) = self.module.element_offset(pointer)?;
        let lanes = self.module.leaf_count(pointer.ty())?;
        let width = self.pointer_bits();
        let mut indices: Vec<(Scalars, i64)> = vec![];
        for (index, scale) in scaled {
            let values = self.operand(index)?;
            let values = values
                .into_iter()
                .map(|value| self.resize_signed(value, width))
                .collect::<Result<Scalars, _>>()?;
            indices.push((values, scale));
        }
        let pick = |values: &Scalars, lane: usize| values[if values.len() == 1 { 0 } else { lane }];
        Ok((0..lanes)
            .map(|lane| {
                let scaled = indices.iter().filter(|(_, scale)| *scale != 0);
                let scaled = scaled
                    .map(|(values, scale)| (pick(values, lane), *scale))
                    .collect();
                self.pointer_add(pick(&bases, lane), constant, scaled)
            })
            .collect())
    }

    pub(crate) fn stack_allocation(
        &mut self,
        instruction: Value<'p>,
    ) -> Result<Scalars, Unsupported> {
        let element = self.module.program.alloc_size(instruction.allocated_type());
        let count = instruction.operand(0);
        let size = match count.int_bits() {
            Some(count) => {
                let count = u64::try_from(count).unwrap_or(u64::MAX);
                self.size(element.saturating_mul(count))
            }
            None => {
                let count = self.scalar(count)?;
                let count = self.as_size(count)?;
                let element = self.size(element);
                self.binary(BinaryOp::Mul, count, element)
            }
        };
        let align = instruction.alignment().max(1);
        let slot = self.allocate(AllocationKind::Stack, size, align);
        let name = instruction.name();
        if !name.is_empty() {
            self.body.values[slot].name = Some(name.into());
        }
        self.start_result(instruction, slot);
        Ok(smallvec![slot])
    }

    pub(crate) fn load_instruction(
        &mut self,
        instruction: Value<'p>,
    ) -> Result<Scalars, Unsupported> {
        let pointer = self.scalar_operand(instruction, 0)?;
        let loaded = self.load_value(pointer, instruction.ty(), instruction.alignment().max(1))?;
        if loaded.len() == 1 {
            self.note_effective_type(instruction);
        }
        if instruction.is_volatile() {
            return Ok(self.volatile_read(loaded));
        }
        Ok(loaded)
    }

    /// What a read of a volatile object gives: its contents, or anything if the outside may change
    /// them.
    fn volatile_read(&mut self, contents: Scalars) -> Scalars {
        let id = self.module.function_id(self.function);
        if id.is_some_and(|id| self.module.module.functions[id].is_model) {
            return contents;
        }
        self.module.reads_volatile = true;
        if !self.module.options.volatile_input {
            return contents;
        }
        let origin = NondetOrigin::Input(VOLATILE.into());
        let types: Vec<Type> = contents.iter().map(|&it| self.body.ty(it)).collect();
        let values = types.into_iter();
        values.map(|ty| self.nondet(origin.clone(), ty)).collect()
    }

    /// Notes as which type an instruction accesses one scalar, which has just been done.
    fn note_effective_type(&mut self, instruction: Value<'p>) {
        if !self.module.options.effective_types {
            return;
        }
        let Some(&access) = self.body.blocks[self.block].instructions.last() else {
            return;
        };
        let is_access = matches!(
            self.body.instructions[access].instruction,
            Instruction::Load { .. } | Instruction::Store { .. }
        );
        let Some(tag) = instruction.access_tag().filter(|_| is_access) else {
            return;
        };
        let names = &mut self.module.effective_types;
        let name = names
            .entry(tag)
            .or_insert_with(|| tag.access_type(instruction).map(Into::into));
        self.body.instructions[access].effective_type = name.clone();
    }

    /// Reads a value of any type.
    pub(crate) fn load_value(
        &mut self,
        pointer: ValueId,
        ty: Ty<'p>,
        align: u32,
    ) -> Result<Scalars, Unsupported> {
        let layout = self.module.layout(ty)?;
        if layout.is_bit_vector {
            let width = bit_vector_width(&layout.types())?;
            let whole = self.load(pointer, align, Type::Int(width));
            return self.split_bits(&[whole], &layout.types());
        }
        let leaves = layout.leaves.iter();
        Ok(leaves
            .map(|leaf| {
                let at = self.offset(pointer, leaf.offset.cast_signed());
                self.load(at, align_at(align, leaf.offset), leaf.ty)
            })
            .collect())
    }

    pub(crate) fn store_instruction(
        &mut self,
        instruction: Value<'p>,
    ) -> Result<Scalars, Unsupported> {
        let value = instruction.operand(0);
        let scalars = self.operand(value)?;
        let pointer = self.scalar_operand(instruction, 1)?;
        self.store_value(
            pointer,
            value.ty(),
            &scalars,
            instruction.alignment().max(1),
        )?;
        if scalars.len() == 1 {
            self.note_effective_type(instruction);
        }
        self.note_result(instruction.operand(1));
        Ok(Scalars::new())
    }

    /// Writes a value of any type.
    pub(crate) fn store_value(
        &mut self,
        pointer: ValueId,
        ty: Ty<'p>,
        scalars: &[ValueId],
        align: u32,
    ) -> Result<(), Unsupported> {
        let layout = self.module.layout(ty)?;
        if layout.is_bit_vector {
            let width = bit_vector_width(&layout.types())?;
            let whole = self.split_bits(scalars, &[Type::Int(width)])?;
            self.store(pointer, whole[0], align);
            return Ok(());
        }
        for (leaf, &scalar) in layout.leaves.iter().zip(scalars) {
            let at = self.offset(pointer, leaf.offset.cast_signed());
            self.store(at, scalar, align_at(align, leaf.offset));
        }
        Ok(())
    }

    /// Where the scalars of the element at `path` stand among those of the whole.
    fn element_range(
        &mut self,
        whole: Ty<'p>,
        path: &[u32],
    ) -> Result<std::ops::Range<usize>, Unsupported> {
        let mut start = 0;
        let mut ty = whole;
        for &index in path {
            match ty.shape() {
                TypeShape::Struct(fields) => {
                    for &field in &fields[..index as usize] {
                        start += self.module.leaf_count(field)?;
                    }
                    ty = fields[index as usize];
                }
                TypeShape::Array(element, _) | TypeShape::Vector(element, _) => {
                    start += index as usize * self.module.leaf_count(element)?;
                    ty = element;
                }
                _ => return Err(Unsupported::new("path into a scalar")),
            }
        }
        Ok(start..start + self.module.leaf_count(ty)?)
    }

    pub(crate) fn extract_value(&mut self, instruction: Value<'p>) -> Result<Scalars, Unsupported> {
        let whole = instruction.operand(0);
        let range = self.element_range(whole.ty(), &instruction.indices())?;
        Ok(self.operand(whole)?[range].iter().copied().collect())
    }

    pub(crate) fn insert_value(&mut self, instruction: Value<'p>) -> Result<Scalars, Unsupported> {
        let whole = instruction.operand(0);
        let range = self.element_range(whole.ty(), &instruction.indices())?;
        let part = self.operand(instruction.operand(1))?;
        // Building an aggregate starts from poison, of which nothing remains in the end.
        let is_blank = matches!(
            whole.kind(),
            ValueKind::LLVMPoisonValueKind | ValueKind::LLVMUndefValueValueKind
        );
        let mut scalars = if is_blank {
            let types = self.module.layout(whole.ty())?.types();
            let fill = types.into_iter().enumerate();
            fill.map(|(i, ty)| {
                if range.contains(&i) {
                    part[i - range.start]
                } else {
                    self.undefined(ty)
                }
            })
            .collect()
        } else {
            self.operand(whole)?
        };
        scalars[range].copy_from_slice(&part);
        Ok(scalars)
    }
}

fn bit_vector_width(types: &[Type]) -> Result<u8, Unsupported> {
    let bits: u32 = types.iter().filter_map(|ty| ty.int_width()).sum();
    match u8::try_from(bits) {
        Ok(width @ 1..=128) => Ok(width),
        _ => Err(Unsupported::new("vector of bits in memory")),
    }
}
