//! Vectors, which are lists of scalars, and conversions that regroup bits.

use super::Unsupported;
use super::function::{FunctionTranslator, Scalars};
use crate::llvm::Value;
use foghorn_ir::{BinaryOp, CastOp, IntPredicate, Type, ValueId};
use smallvec::smallvec;

impl<'p> FunctionTranslator<'_, 'p> {
    pub(crate) fn extract_element(
        &mut self,
        instruction: Value<'p>,
    ) -> Result<Scalars, Unsupported> {
        let vector = self.operand(instruction.operand(0))?;
        let index = instruction.operand(1);
        if let Some(index) = index.int_bits().and_then(|i| usize::try_from(i).ok()) {
            return Ok(match vector.get(index) {
                Some(&value) => smallvec![value],
                None => self.undefined_of(instruction),
            });
        }
        let index = self.scalar(index)?;
        let width = self.width(index)?;
        let mut result = *vector
            .last()
            .ok_or_else(|| Unsupported::new("empty vector"))?;
        for (i, &value) in vector.iter().enumerate().rev().skip(1) {
            let number = self.body.int(width, i as i128);
            let here = self.compare(IntPredicate::Eq, index, number);
            result = self.select(here, value, result);
        }
        Ok(smallvec![result])
    }

    pub(crate) fn insert_element(
        &mut self,
        instruction: Value<'p>,
    ) -> Result<Scalars, Unsupported> {
        let mut vector = self.operand(instruction.operand(0))?;
        let value = self.scalar_operand(instruction, 1)?;
        let index = instruction.operand(2);
        if let Some(index) = index.int_bits().and_then(|i| usize::try_from(i).ok()) {
            if let Some(place) = vector.get_mut(index) {
                *place = value;
            }
            return Ok(vector);
        }
        let index = self.scalar(index)?;
        let width = self.width(index)?;
        let old = vector.into_iter().enumerate();
        Ok(old
            .map(|(i, old)| {
                let number = self.body.int(width, i as i128);
                let here = self.compare(IntPredicate::Eq, index, number);
                self.select(here, value, old)
            })
            .collect())
    }

    pub(crate) fn shuffle(&mut self, instruction: Value<'p>) -> Result<Scalars, Unsupported> {
        let mut both = self.operand(instruction.operand(0))?;
        both.extend(self.operand(instruction.operand(1))?);
        let types = self.element_types(instruction)?;
        let picks = instruction.shuffle_mask().into_iter().zip(types);
        Ok(picks
            .map(|(pick, ty)| match pick.and_then(|p| both.get(p as usize)) {
                Some(&value) => value,
                None => self.undefined(ty),
            })
            .collect())
    }

    pub(crate) fn bitcast(&mut self, value: Value<'p>) -> Result<Scalars, Unsupported> {
        let from = self.operand(value.operand(0))?;
        let to = self.element_types(value)?;
        let same =
            from.len() == to.len() && from.iter().zip(&to).all(|(&v, &ty)| self.body.ty(v) == ty);
        if same {
            return Ok(from);
        }
        self.split_bits(&from, &to)
    }

    /// The same bits, grouped into other types. The first scalar has the lowest bits.
    pub(crate) fn split_bits(
        &mut self,
        from: &[ValueId],
        to: &[Type],
    ) -> Result<Scalars, Unsupported> {
        let mut pieces = vec![];
        let mut position = 0u32;
        for &value in from {
            let bits = self.bits_of(value)?;
            let width = self.width(bits)?;
            pieces.push((position, width, bits));
            position += u32::from(width);
        }
        let mut start = 0u32;
        let mut scalars = Scalars::new();
        for &ty in to {
            let width = self.bit_width(ty);
            let bits = self.gather(&pieces, start, width)?;
            scalars.push(self.value_of_bits(bits, ty));
            start += u32::from(width);
        }
        Ok(scalars)
    }

    fn bit_width(&self, ty: Type) -> u8 {
        match ty {
            Type::Int(width) => width,
            Type::F32 => 32,
            Type::F64 => 64,
            Type::Ptr => self.pointer_bits(),
            Type::Memory(_) => unreachable!("the front end gives the impure form"),
        }
    }

    fn bits_of(&mut self, value: ValueId) -> Result<ValueId, Unsupported> {
        let ty = self.body.ty(value);
        let bits = Type::Int(self.bit_width(ty));
        Ok(match ty {
            Type::Int(_) => value,
            Type::F32 | Type::F64 => self.cast(CastOp::Bitcast, value, bits),
            Type::Ptr => self.cast(CastOp::PtrToInt, value, bits),
            Type::Memory(_) => unreachable!("the front end gives the impure form"),
        })
    }

    fn value_of_bits(&mut self, bits: ValueId, ty: Type) -> ValueId {
        match ty {
            Type::Int(_) => bits,
            Type::F32 | Type::F64 => self.cast(CastOp::Bitcast, bits, ty),
            Type::Ptr => self.cast(CastOp::IntToPtr, bits, ty),
            Type::Memory(_) => unreachable!("the front end gives the impure form"),
        }
    }

    /// The `width` bits from `start` of what `pieces` (position, width, bits) make up.
    pub(crate) fn gather(
        &mut self,
        pieces: &[(u32, u8, ValueId)],
        start: u32,
        width: u8,
    ) -> Result<ValueId, Unsupported> {
        let end = start + u32::from(width);
        let mut whole = None;
        for &(position, piece_width, bits) in pieces {
            if position + u32::from(piece_width) <= start || position >= end {
                continue;
            }
            let mut part = bits;
            if position < start {
                let amount = self.body.int(piece_width, (start - position).into());
                part = self.binary(BinaryOp::LShr, part, amount);
            }
            part = self.resize_unsigned(part, width)?;
            if position > start {
                let amount = self.body.int(width, (position - start).into());
                part = self.binary(BinaryOp::Shl, part, amount);
            }
            whole = Some(match whole {
                None => part,
                Some(whole) => self.or(whole, part),
            });
        }
        whole.ok_or_else(|| Unsupported::new("bitcast between types of different size"))
    }
}
