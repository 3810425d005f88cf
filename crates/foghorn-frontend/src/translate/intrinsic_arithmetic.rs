//! Intrinsics on integers and floats, scalar or elementwise on vectors.

use super::Unsupported;
use super::function::{FunctionTranslator, Scalars};
use crate::llvm::Value;
use foghorn_ir::{
    BinaryOp, CastOp, FloatBinaryOp, FloatPredicate, FloatUnaryOp, Instruction, IntPredicate,
    OverflowOp, Type, UnaryOp, ValueId,
};

impl<'p> FunctionTranslator<'_, 'p> {
    pub(crate) fn arithmetic_intrinsic(
        &mut self,
        stem: &str,
        call: Value<'p>,
    ) -> Result<Option<Scalars>, Unsupported> {
        if let Some(results) = self.overflow_intrinsic(stem, call)? {
            return Ok(Some(results));
        }
        if let Some(results) = self.integer_intrinsic(stem, call)? {
            return Ok(Some(results));
        }
        self.float_intrinsic(stem, call)
    }

    /// `llvm.sadd.with.overflow` and its kin: results, then flags.
    fn overflow_intrinsic(
        &mut self,
        stem: &str,
        call: Value<'p>,
    ) -> Result<Option<Scalars>, Unsupported> {
        let Some(operation) = stem.strip_suffix(".with.overflow") else {
            return Ok(None);
        };
        let (signed, op, overflow) = match operation {
            "sadd" => (true, BinaryOp::Add, OverflowOp::Add),
            "ssub" => (true, BinaryOp::Sub, OverflowOp::Sub),
            "smul" => (true, BinaryOp::Mul, OverflowOp::Mul),
            "uadd" => (false, BinaryOp::Add, OverflowOp::Add),
            "usub" => (false, BinaryOp::Sub, OverflowOp::Sub),
            "umul" => (false, BinaryOp::Mul, OverflowOp::Mul),
            _ => return Ok(None),
        };
        let mut results = self.elementwise2(call, |this, a, b| Ok(this.binary(op, a, b)))?;
        results.extend(self.elementwise2(call, |this, a, b| {
            Ok(this.overflows(overflow, signed, a, b))
        })?);
        Ok(Some(results))
    }

    fn integer_intrinsic(
        &mut self,
        stem: &str,
        call: Value<'p>,
    ) -> Result<Option<Scalars>, Unsupported> {
        let results = match stem {
            "ctpop" => self.elementwise(call, |t, v| Ok(t.unary(UnaryOp::CountOnes, v)))?,
            "ctlz" => self.elementwise(call, |t, v| Ok(t.unary(UnaryOp::LeadingZeros, v)))?,
            "cttz" => self.elementwise(call, |t, v| Ok(t.unary(UnaryOp::TrailingZeros, v)))?,
            "bswap" => self.elementwise(call, |t, v| Ok(t.unary(UnaryOp::ByteSwap, v)))?,
            "bitreverse" => self.elementwise(call, |t, v| Ok(t.unary(UnaryOp::BitReverse, v)))?,
            "abs" => self.elementwise(call, Self::absolute)?,
            "smax" => self.extreme(call, IntPredicate::Sgt)?,
            "smin" => self.extreme(call, IntPredicate::Slt)?,
            "umax" => self.extreme(call, IntPredicate::Ugt)?,
            "umin" => self.extreme(call, IntPredicate::Ult)?,
            "scmp" => self.three_way(call, IntPredicate::Slt)?,
            "ucmp" => self.three_way(call, IntPredicate::Ult)?,
            "fshl" | "fshr" => self.funnel_shift(call, stem == "fshl")?,
            "sadd.sat" => self.signed_saturation(call, BinaryOp::Add, OverflowOp::Add)?,
            "ssub.sat" => self.signed_saturation(call, BinaryOp::Sub, OverflowOp::Sub)?,
            "uadd.sat" => self.elementwise2(call, |t, a, b| t.unsigned_saturation(a, b, true))?,
            "usub.sat" => self.elementwise2(call, |t, a, b| t.unsigned_saturation(a, b, false))?,
            _ => return Ok(None),
        };
        Ok(Some(results))
    }

    fn absolute(&mut self, value: ValueId) -> Result<ValueId, Unsupported> {
        let zero = self.zero(self.body.ty(value));
        let negated = self.binary(BinaryOp::Sub, zero, value);
        let negative = self.compare(IntPredicate::Slt, value, zero);
        Ok(self.select(negative, negated, value))
    }

    fn extreme(
        &mut self,
        call: Value<'p>,
        predicate: IntPredicate,
    ) -> Result<Scalars, Unsupported> {
        self.elementwise2(call, |this, a, b| {
            let first = this.compare(predicate, a, b);
            Ok(this.select(first, a, b))
        })
    }

    /// -1, 0 or 1.
    fn three_way(&mut self, call: Value<'p>, less: IntPredicate) -> Result<Scalars, Unsupported> {
        let types = self.element_types(call)?;
        let Some(&Type::Int(width)) = types.first() else {
            return Err(Unsupported::new("three-way comparison"));
        };
        self.elementwise2(call, |this, a, b| {
            let below = this.compare(less, a, b);
            let above = this.compare(less.swapped(), a, b);
            let (minus, zero, one) = (
                this.body.int(width, -1),
                this.body.int(width, 0),
                this.body.int(width, 1),
            );
            let rest = this.select(above, one, zero);
            Ok(this.select(below, minus, rest))
        })
    }

    fn funnel_shift(&mut self, call: Value<'p>, left: bool) -> Result<Scalars, Unsupported> {
        let high = self.operand(call.operand(0))?;
        let low = self.operand(call.operand(1))?;
        let amount = self.operand(call.operand(2))?;
        let lanes = high.into_iter().zip(low).zip(amount);
        lanes
            .map(|((high, low), amount)| self.funnel_lane(high, low, amount, left))
            .collect()
    }

    /// The concatenation of two words, shifted; amounts count modulo the width. A shift by the
    /// whole width is undone by a selection, because shifts wrap at the width.
    fn funnel_lane(
        &mut self,
        high: ValueId,
        low: ValueId,
        amount: ValueId,
        left: bool,
    ) -> Result<ValueId, Unsupported> {
        let width = self.width(high)?;
        let bits = self.body.int(width, width.into());
        let amount = self.binary(BinaryOp::URem, amount, bits);
        let rest = self.binary(BinaryOp::Sub, bits, amount);
        let (a, b) = if left { (amount, rest) } else { (rest, amount) };
        let upper = self.binary(BinaryOp::Shl, high, a);
        let lower = self.binary(BinaryOp::LShr, low, b);
        let both = self.binary(BinaryOp::Or, upper, lower);
        let zero = self.body.int(width, 0);
        let none = self.compare(IntPredicate::Eq, amount, zero);
        Ok(self.select(none, if left { high } else { low }, both))
    }

    fn signed_saturation(
        &mut self,
        call: Value<'p>,
        op: BinaryOp,
        overflow: OverflowOp,
    ) -> Result<Scalars, Unsupported> {
        self.elementwise2(call, |this, a, b| {
            let width = this.width(a)?;
            let wrapped = this.binary(op, a, b);
            let beyond = this.overflows(overflow, true, a, b);
            // Past the top if the first operand is not negative, else past the bottom.
            let top = this
                .body
                .int(width, ((1u128 << (width - 1)) - 1).cast_signed());
            let bottom = this.body.int(width, (1u128 << (width - 1)).cast_signed());
            let zero = this.body.int(width, 0);
            let negative = this.compare(IntPredicate::Slt, a, zero);
            let limit = this.select(negative, bottom, top);
            Ok(this.select(beyond, limit, wrapped))
        })
    }

    fn unsigned_saturation(
        &mut self,
        a: ValueId,
        b: ValueId,
        add: bool,
    ) -> Result<ValueId, Unsupported> {
        let width = self.width(a)?;
        let (op, overflow) = if add {
            (BinaryOp::Add, OverflowOp::Add)
        } else {
            (BinaryOp::Sub, OverflowOp::Sub)
        };
        let wrapped = self.binary(op, a, b);
        let beyond = self.overflows(overflow, false, a, b);
        let limit = self.body.int(width, if add { -1 } else { 0 });
        Ok(self.select(beyond, limit, wrapped))
    }

    fn float_intrinsic(
        &mut self,
        stem: &str,
        call: Value<'p>,
    ) -> Result<Option<Scalars>, Unsupported> {
        let results = match stem {
            "fabs" => self.elementwise(call, Self::absolute_float)?,
            "minnum" | "minimumnum" => {
                self.elementwise2(call, |t, a, b| Ok(t.float_binary(FloatBinaryOp::Min, a, b)))?
            }
            "maxnum" | "maximumnum" => {
                self.elementwise2(call, |t, a, b| Ok(t.float_binary(FloatBinaryOp::Max, a, b)))?
            }
            "copysign" => self.elementwise2(call, |t, a, b| {
                Ok(t.float_binary(FloatBinaryOp::CopySign, a, b))
            })?,
            "fmuladd" | "fma" => self.multiply_add(call, stem == "fma")?,
            "is.fpclass" => self.float_class(call)?,
            "fptosi.sat" => self.simple_cast(CastOp::FpToSi, call)?,
            "fptoui.sat" => self.simple_cast(CastOp::FpToUi, call)?,
            "lrint" | "llrint" => self.round_to_integer(call, FloatUnaryOp::RoundEven)?,
            "lround" | "llround" => self.round_to_integer(call, FloatUnaryOp::Round)?,
            "canonicalize" => self.operand(call.operand(0))?,
            "modf" => self.integral_and_fraction(call)?,
            "powi" | "ldexp" | "frexp" | "sincos" => {
                return self.scaled_power(stem, call).map(Some);
            }
            _ => return self.math_intrinsic(stem, call),
        };
        Ok(Some(results))
    }

    /// Clears the sign, which is the highest bit of every format.
    fn absolute_float(&mut self, value: ValueId) -> Result<ValueId, Unsupported> {
        Ok(match self.body.ty(value) {
            Type::Int(width) => {
                let mask = self
                    .body
                    .int(width, ((1u128 << (width - 1)) - 1).cast_signed());
                self.binary(BinaryOp::And, value, mask)
            }
            Type::Ptr | Type::F32 | Type::F64 | Type::Memory(_) => {
                self.float_unary(FloatUnaryOp::Abs, value)
            }
        })
    }

    fn multiply_add(&mut self, call: Value<'p>, fused: bool) -> Result<Scalars, Unsupported> {
        let a = self.operand(call.operand(0))?;
        let b = self.operand(call.operand(1))?;
        let c = self.operand(call.operand(2))?;
        let lanes = a.into_iter().zip(b).zip(c);
        Ok(lanes
            .map(|((a, b), c)| {
                let ty = self.body.ty(a);
                if fused && ty.is_float() {
                    return self.emit1(Instruction::FusedMultiplyAdd { a, b, c }, ty);
                }
                let product = self.float_binary(FloatBinaryOp::Mul, a, b);
                self.float_binary(FloatBinaryOp::Add, product, c)
            })
            .collect())
    }

    fn round_to_integer(
        &mut self,
        call: Value<'p>,
        op: FloatUnaryOp,
    ) -> Result<Scalars, Unsupported> {
        let to = self.element_types(call)?;
        self.elementwise_to(call, &to, |this, v, ty| {
            if !this.body.ty(v).is_float() {
                return Ok(this.over_approximated("long double rounding", ty));
            }
            let rounded = this.float_unary(op, v);
            Ok(this.cast(CastOp::FpToSi, rounded, ty))
        })
    }

    /// `modf`: the fraction and the integral part, both with the sign of the whole; the fraction
    /// of an infinity is zero.
    fn integral_and_fraction(&mut self, call: Value<'p>) -> Result<Scalars, Unsupported> {
        let whole = self.scalar_operand(call, 0)?;
        let ty = self.body.ty(whole);
        let integral = self.float_unary(FloatUnaryOp::Trunc, whole);
        let rest = self.float_binary(FloatBinaryOp::Sub, whole, integral);
        if !ty.is_float() {
            return Ok(smallvec::smallvec![rest, integral]);
        }
        let zero = self.zero(ty);
        let is_whole = Instruction::FloatCompare {
            predicate: FloatPredicate::Oeq,
            lhs: whole,
            rhs: integral,
        };
        let is_whole = self.emit1(is_whole, Type::BOOL);
        let rest = self.select(is_whole, zero, rest);
        let fraction = self.float_binary(FloatBinaryOp::CopySign, rest, whole);
        Ok(smallvec::smallvec![fraction, integral])
    }

    /// Functions with integer arguments or results, which have no operation of their own.
    fn scaled_power(&mut self, stem: &str, call: Value<'p>) -> Result<Scalars, Unsupported> {
        let types = self.element_types(call)?;
        Ok(types
            .into_iter()
            .map(|ty| self.over_approximated(stem, ty))
            .collect())
    }

    /// `llvm.sin` and the like, which are functions of `<math.h>`.
    fn math_intrinsic(
        &mut self,
        stem: &str,
        call: Value<'p>,
    ) -> Result<Option<Scalars>, Unsupported> {
        let name = match stem {
            "minimum" | "maximum" => return Err(Unsupported::new(format!("llvm.{stem}"))),
            other => other,
        };
        if !super::library::is_math(name) || call.operand_count() == 0 {
            return Ok(None);
        }
        let arguments = self.argument_scalars(call)?;
        let types = self.element_types(call)?;
        let mut results = Scalars::new();
        for (lane, &ty) in types.iter().enumerate() {
            let values: Vec<ValueId> = arguments
                .iter()
                .filter_map(|a| a.get(lane).copied())
                .collect();
            let value = match ty {
                Type::F32 | Type::F64 => {
                    self.math_call(name, ty == Type::F32, &values).map(|v| v[0])
                }
                Type::Int(_) | Type::Ptr | Type::Memory(_) => {
                    Some(self.over_approximated(&format!("long double {name}"), ty))
                }
            };
            results.push(value.ok_or_else(|| Unsupported::new(format!("llvm.{stem}")))?);
        }
        Ok(Some(results))
    }

    /// `llvm.is.fpclass`: tests of the bits, by the mask's classes.
    fn float_class(&mut self, call: Value<'p>) -> Result<Scalars, Unsupported> {
        let mask = call.operand(1).int_bits().unwrap_or(0);
        self.elementwise(call, |this, value| match this.body.ty(value) {
            Type::F32 | Type::F64 => Ok(this.float_class_of(value, mask)),
            Type::Int(_) | Type::Ptr | Type::Memory(_) => {
                Ok(this.over_approximated("long double classification", Type::BOOL))
            }
        })
    }

    /// Bits of the mask: signalling NaN, quiet NaN, -∞, -normal, -subnormal, -0, +0, +subnormal,
    /// +normal, +∞.
    fn float_class_of(&mut self, value: ValueId, mask: u128) -> ValueId {
        let (width, mantissa): (u8, u8) = match self.body.ty(value) {
            Type::F32 => (32, 23),
            _ => (64, 52),
        };
        let bits = self.cast(CastOp::Bitcast, value, Type::Int(width));
        let sign_bit = 1u128 << (width - 1);
        let infinity = ((1u128 << (width - 1 - mantissa)) - 1) << mantissa;
        let quiet = infinity | (1u128 << (mantissa - 1));
        let smallest_normal = 1u128 << mantissa;
        // Ranges [low, high) of the magnitude, for both signs.
        let ranges = [
            (infinity + 1, quiet, 0b1, 0b1),
            (quiet, sign_bit, 0b10, 0b10),
            (infinity, infinity + 1, 0b10_0000_0000, 0b100),
            (smallest_normal, infinity, 0b1_0000_0000, 0b1000),
            (1, smallest_normal, 0b1000_0000, 0b1_0000),
            (0, 1, 0b100_0000, 0b10_0000),
        ];
        let mut result = self.bool(false);
        for (low, high, positive, negative) in ranges {
            for (bit, sign) in [(positive, 0), (negative, sign_bit)] {
                if mask & bit != 0 {
                    let within = self.in_range(bits, sign | low, high - low, width);
                    result = self.or(result, within);
                }
            }
        }
        result
    }

    fn in_range(&mut self, bits: ValueId, low: u128, length: u128, width: u8) -> ValueId {
        let low = self.body.int(width, low.cast_signed());
        let length = self.body.int(width, length.cast_signed());
        let distance = self.binary(BinaryOp::Sub, bits, low);
        self.compare(IntPredicate::Ult, distance, length)
    }

    /// `llvm.vector.reduce.*`.
    pub(crate) fn reduction(
        &mut self,
        stem: &str,
        call: Value<'p>,
    ) -> Result<Scalars, Unsupported> {
        let arguments = self.argument_scalars(call)?;
        // The ordered float reductions start from their first argument.
        let mut lanes = arguments.into_iter().flatten();
        let mut result = lanes
            .next()
            .ok_or_else(|| Unsupported::new("empty reduction"))?;
        for lane in lanes {
            result = self.reduce(stem, result, lane)?;
        }
        Ok(smallvec::smallvec![result])
    }

    fn reduce(&mut self, stem: &str, a: ValueId, b: ValueId) -> Result<ValueId, Unsupported> {
        let extreme = |this: &mut Self, predicate| {
            let first = this.compare(predicate, a, b);
            this.select(first, a, b)
        };
        Ok(match stem.rsplit('.').next().unwrap_or(stem) {
            "add" => self.binary(BinaryOp::Add, a, b),
            "mul" => self.binary(BinaryOp::Mul, a, b),
            "and" => self.binary(BinaryOp::And, a, b),
            "or" => self.binary(BinaryOp::Or, a, b),
            "xor" => self.binary(BinaryOp::Xor, a, b),
            "smax" => extreme(self, IntPredicate::Sgt),
            "smin" => extreme(self, IntPredicate::Slt),
            "umax" => extreme(self, IntPredicate::Ugt),
            "umin" => extreme(self, IntPredicate::Ult),
            "fadd" => self.float_binary(FloatBinaryOp::Add, a, b),
            "fmul" => self.float_binary(FloatBinaryOp::Mul, a, b),
            "fmax" => self.float_binary(FloatBinaryOp::Max, a, b),
            "fmin" => self.float_binary(FloatBinaryOp::Min, a, b),
            other => return Err(Unsupported::new(format!("llvm.vector.reduce.{other}"))),
        })
    }
}
