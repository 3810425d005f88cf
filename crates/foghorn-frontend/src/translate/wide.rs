//! Integers of more than 128 bits, which the IR does not have.
//!
//! clang makes them for runs of bit-fields in packed structures: it loads all bytes of the run as
//! one integer, shifts, masks and cuts it. Such an integer falls apart into limbs of 64 bits, the
//! lowest first and the highest as short as need be, and these operations regroup the bits of the
//! limbs. Arithmetic on them does not come from C and is unsupported.

use super::Unsupported;
use super::function::{FunctionTranslator, Scalars};
use crate::llvm::{Opcode, Ty, TypeShape, Value};
use foghorn_ir::{BinaryOp, IntPredicate, Type, ValueId};
use smallvec::smallvec;

/// Bits of a limb.
const LIMB: u32 = 64;

/// A run of bits: its position, its width and the value that holds it.
type Piece = (u32, u8, ValueId);

/// The width of an integer type that the IR does not have.
pub(crate) fn wide_width(ty: Ty<'_>) -> Option<u32> {
    match ty.shape() {
        TypeShape::Int(width) if width > 128 => Some(width),
        _ => None,
    }
}

/// The widths of the limbs of an integer.
pub(crate) fn limb_widths(width: u32) -> impl Iterator<Item = u8> {
    let limbs = width.div_ceil(LIMB);
    (0..limbs).map(move |i| {
        u8::try_from((width - i * LIMB).min(LIMB)).expect("invariant: at most a limb")
    })
}

impl<'p> FunctionTranslator<'_, 'p> {
    /// A constant of more than 128 bits.
    pub(crate) fn wide_constant(&mut self, value: Value<'p>) -> Result<Scalars, Unsupported> {
        let width = wide_width(value.ty()).ok_or_else(|| Unsupported::new("integer constant"))?;
        let limbs = value
            .int_limbs()
            .ok_or_else(|| Unsupported::new(format!("constant of {width} bits")))?;
        let limbs = limb_widths(width).zip(limbs);
        Ok(limbs
            .map(|(width, bits)| self.body.int(width, i128::from(bits)))
            .collect())
    }

    /// A bitwise operation or a shift by a constant.
    pub(crate) fn wide_operation(
        &mut self,
        opcode: Opcode,
        instruction: Value<'p>,
        width: u32,
    ) -> Result<Scalars, Unsupported> {
        let amount = || {
            let limbs = instruction.operand(1).int_limbs();
            let amount = limbs.and_then(|limbs| u32::try_from(*limbs.first()?).ok());
            amount.filter(|&amount| amount < width)
        };
        let unsupported = || Unsupported::new(format!("arithmetic on an integer of {width} bits"));
        match opcode {
            Opcode::LLVMAnd => self.elementwise2(instruction, |this, a, b| {
                Ok(this.binary(BinaryOp::And, a, b))
            }),
            Opcode::LLVMOr => self.elementwise2(instruction, |this, a, b| {
                Ok(this.binary(BinaryOp::Or, a, b))
            }),
            Opcode::LLVMXor => self.elementwise2(instruction, |this, a, b| {
                Ok(this.binary(BinaryOp::Xor, a, b))
            }),
            Opcode::LLVMShl => {
                let amount = amount().ok_or_else(unsupported)?;
                let limbs = self.operand(instruction.operand(0))?;
                let mut pieces = vec![];
                self.fill_with(&mut pieces, amount, |this, width| this.body.int(width, 0));
                self.add_pieces(&mut pieces, &limbs)?;
                self.regroup(&pieces, 0, width)
            }
            Opcode::LLVMLShr | Opcode::LLVMAShr => {
                let amount = amount().ok_or_else(unsupported)?;
                let limbs = self.operand(instruction.operand(0))?;
                let is_signed = opcode == Opcode::LLVMAShr;
                let pieces = self.extended(&limbs, width + amount, is_signed)?;
                self.regroup(&pieces, amount, width)
            }
            _ => Err(unsupported()),
        }
    }

    /// A conversion between integers of which at least one is wide.
    pub(crate) fn wide_cast(
        &mut self,
        opcode: Opcode,
        value: Value<'p>,
    ) -> Result<Scalars, Unsupported> {
        let TypeShape::Int(width) = value.ty().shape() else {
            return Err(Unsupported::new("conversion of wide vectors"));
        };
        let from = self.operand(value.operand(0))?;
        let pieces = self.extended(&from, width, opcode == Opcode::LLVMSExt)?;
        match wide_width(value.ty()) {
            Some(width) => self.regroup(&pieces, 0, width),
            None => {
                let width = u8::try_from(width).expect("invariant: not wide");
                Ok(smallvec![self.gather(&pieces, 0, width)?])
            }
        }
    }

    /// A comparison, decided by the highest limbs that differ.
    pub(crate) fn wide_comparison(
        &mut self,
        predicate: IntPredicate,
        lhs: &[ValueId],
        rhs: &[ValueId],
    ) -> ValueId {
        let unsigned = match predicate {
            IntPredicate::Slt => IntPredicate::Ult,
            IntPredicate::Sle => IntPredicate::Ule,
            IntPredicate::Sgt => IntPredicate::Ugt,
            IntPredicate::Sge => IntPredicate::Uge,
            other => other,
        };
        let top = lhs.len() - 1;
        let mut result = None;
        for (i, (&a, &b)) in lhs.iter().zip(rhs).enumerate() {
            let here = self.compare(if i == top { predicate } else { unsigned }, a, b);
            result = Some(match result {
                None => here,
                Some(below) => {
                    let equal = self.compare(IntPredicate::Eq, a, b);
                    self.select(equal, below, here)
                }
            });
        }
        result.expect("invariant: a wide integer has limbs")
    }

    /// The pieces of an integer, extended to at least `width` bits.
    fn extended(
        &mut self,
        limbs: &[ValueId],
        width: u32,
        is_signed: bool,
    ) -> Result<Vec<Piece>, Unsupported> {
        let mut pieces = vec![];
        self.add_pieces(&mut pieces, limbs)?;
        let top = *limbs
            .last()
            .ok_or_else(|| Unsupported::new("empty integer"))?;
        let sign = if is_signed {
            let wide = self.resize_signed(top, 64)?;
            let amount = self.body.int(64, 63);
            Some(self.binary(BinaryOp::AShr, wide, amount))
        } else {
            None
        };
        let end = pieces
            .last()
            .map_or(0, |&(at, width, _)| at + u32::from(width));
        let missing = width.saturating_sub(end);
        self.fill_with(
            &mut pieces,
            missing.next_multiple_of(LIMB),
            |this, width| sign.unwrap_or_else(|| this.body.int(width, 0)),
        );
        Ok(pieces)
    }

    /// Adds `bits` bits of a value that is the same in every limb.
    fn fill_with(
        &mut self,
        pieces: &mut Vec<Piece>,
        bits: u32,
        mut value: impl FnMut(&mut Self, u8) -> ValueId,
    ) {
        let mut at = pieces
            .last()
            .map_or(0, |&(at, width, _)| at + u32::from(width));
        for width in limb_widths(bits) {
            pieces.push((at, width, value(self, width)));
            at += u32::from(width);
        }
    }

    fn add_pieces(
        &mut self,
        pieces: &mut Vec<Piece>,
        limbs: &[ValueId],
    ) -> Result<(), Unsupported> {
        let mut at = pieces
            .last()
            .map_or(0, |&(at, width, _)| at + u32::from(width));
        for &limb in limbs {
            let width = self.width(limb)?;
            pieces.push((at, width, limb));
            at += u32::from(width);
        }
        Ok(())
    }

    /// The limbs of the `width` bits from `start`.
    fn regroup(
        &mut self,
        pieces: &[Piece],
        start: u32,
        width: u32,
    ) -> Result<Scalars, Unsupported> {
        let mut at = start;
        let mut limbs = Scalars::new();
        for width in limb_widths(width) {
            limbs.push(self.gather(pieces, at, width)?);
            at += u32::from(width);
        }
        Ok(limbs)
    }
}

/// The IR types of the limbs.
pub(crate) fn limb_types(width: u32) -> impl Iterator<Item = Type> {
    limb_widths(width).map(Type::Int)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limbs_cover_the_width() {
        assert_eq!(limb_widths(136).collect::<Vec<_>>(), [64, 64, 8]);
        assert_eq!(limb_widths(192).collect::<Vec<_>>(), [64, 64, 64]);
        assert_eq!(limb_widths(0).count(), 0);
    }
}
