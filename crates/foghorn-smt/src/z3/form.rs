//! How each operator is said in Z3's terms.
//!
//! The one table over all operators, exhaustive: [`form`] names the building function where one call
//! does it, and otherwise what [`super::convert`] has to put together. An operator that is added to
//! the language does not compile until it has a form here.

use super::build::{FloatSource, Plain};
use foghorn_term::{BoundId, ConstantId, FunctionId, Op, RoundingMode, SortId, SymbolId};

/// What an operator becomes.
pub(crate) enum Form {
    /// One call whose arguments are the children.
    Plain(Plain),
    Assembled(Assembled),
}

/// What is more than one call, or needs to know more than the children.
#[derive(Clone, Copy)]
pub(crate) enum Assembled {
    Boolean(bool),
    Literal(ConstantId),
    Symbol(SymbolId),
    Bound(BoundId),
    Apply(FunctionId),
    Lambda(BoundId),
    ConstantArray(SortId),
    Extract(u32, u32),
    BitVectorToInt,
    ProductOverflow { signed: bool },
    Float(FloatConversion),
    Range(RangeOperation),
    Pointer(PointerOperation),
    ReadBytes(u32),
    WriteBytes,
    FiniteMap,
}

/// Conversions between floats and bit-vectors.
#[derive(Clone, Copy)]
pub(crate) enum FloatConversion {
    FromBits,
    ToBits,
    From(FloatSource, RoundingMode),
    ToInteger {
        signed: bool,
        mode: RoundingMode,
        width: u32,
    },
}

/// Operations on a range of indices.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum RangeOperation {
    Set,
    Copy,
}

/// Operations on pointers that look at base and offset.
#[derive(Clone, Copy)]
pub(crate) enum PointerOperation {
    Base,
    Offset,
    Add,
    Difference,
    Less,
    LessOrEqual,
}

/// The form of an operator.
pub(crate) fn form(op: Op) -> Form {
    use Plain::{Fold, Indexed, Many, One, Rounded1, Rounded2, Rounded3, Three, Two};
    let float = |conversion| Form::Assembled(Assembled::Float(conversion));
    let from = |source, mode| float(FloatConversion::From(source, mode));
    let pointer = |operation| Form::Assembled(Assembled::Pointer(operation));
    let to_integer = |signed, mode, width| {
        float(FloatConversion::ToInteger {
            signed,
            mode,
            width,
        })
    };
    let plain = match op {
        Op::True => return Form::Assembled(Assembled::Boolean(true)),
        Op::False => return Form::Assembled(Assembled::Boolean(false)),
        Op::Constant(id) => return Form::Assembled(Assembled::Literal(id)),
        Op::Symbol(id) => return Form::Assembled(Assembled::Symbol(id)),
        Op::Bound(id) => return Form::Assembled(Assembled::Bound(id)),
        Op::Apply(id) => return Form::Assembled(Assembled::Apply(id)),
        Op::Lambda(id) => return Form::Assembled(Assembled::Lambda(id)),
        Op::ConstantArray(sort) | Op::ConstantMemory(sort) => {
            return Form::Assembled(Assembled::ConstantArray(sort));
        }
        Op::Extract(high, low) => return Form::Assembled(Assembled::Extract(high, low)),
        Op::BvToInt => return Form::Assembled(Assembled::BitVectorToInt),
        Op::BvUmulOverflow => {
            return Form::Assembled(Assembled::ProductOverflow { signed: false });
        }
        Op::BvSmulOverflow => return Form::Assembled(Assembled::ProductOverflow { signed: true }),
        Op::FloatFromBits(_) => return float(FloatConversion::FromBits),
        Op::FloatToBits => return float(FloatConversion::ToBits),
        Op::FloatFromFloat(mode, _) => return from(FloatSource::Float, mode),
        Op::FloatFromSigned(mode, _) => return from(FloatSource::Signed, mode),
        Op::FloatFromUnsigned(mode, _) => return from(FloatSource::Unsigned, mode),
        Op::FloatToSigned(mode, width) => return to_integer(true, mode, width),
        Op::FloatToUnsigned(mode, width) => return to_integer(false, mode, width),
        Op::ArraySet | Op::MemorySet => {
            return Form::Assembled(Assembled::Range(RangeOperation::Set));
        }
        Op::ArrayCopy | Op::MemoryCopy => {
            return Form::Assembled(Assembled::Range(RangeOperation::Copy));
        }
        Op::PointerBase => return pointer(PointerOperation::Base),
        Op::PointerOffset => return pointer(PointerOperation::Offset),
        Op::PointerAdd => return pointer(PointerOperation::Add),
        Op::PointerDifference => return pointer(PointerOperation::Difference),
        Op::PointerLt => return pointer(PointerOperation::Less),
        Op::PointerLe => return pointer(PointerOperation::LessOrEqual),
        Op::MemoryReadBytes(count) => return Form::Assembled(Assembled::ReadBytes(count)),
        Op::MemoryWriteBytes => return Form::Assembled(Assembled::WriteBytes),
        Op::FiniteMap => return Form::Assembled(Assembled::FiniteMap),
        Op::Not => One(z3_sys::Z3_mk_not),
        Op::And => Many(z3_sys::Z3_mk_and),
        Op::Or => Many(z3_sys::Z3_mk_or),
        Op::Xor => Two(z3_sys::Z3_mk_xor),
        Op::Implies => Two(z3_sys::Z3_mk_implies),
        Op::Ite => Three(z3_sys::Z3_mk_ite),
        Op::Equal => Two(z3_sys::Z3_mk_eq),
        Op::BvNot => One(z3_sys::Z3_mk_bvnot),
        Op::BvNeg => One(z3_sys::Z3_mk_bvneg),
        Op::BvAdd => Fold(z3_sys::Z3_mk_bvadd),
        Op::BvMul => Fold(z3_sys::Z3_mk_bvmul),
        Op::BvUdiv => Two(z3_sys::Z3_mk_bvudiv),
        Op::BvUrem => Two(z3_sys::Z3_mk_bvurem),
        Op::BvSdiv => Two(z3_sys::Z3_mk_bvsdiv),
        Op::BvSrem => Two(z3_sys::Z3_mk_bvsrem),
        Op::BvSmod => Two(z3_sys::Z3_mk_bvsmod),
        Op::BvAnd => Fold(z3_sys::Z3_mk_bvand),
        Op::BvOr => Fold(z3_sys::Z3_mk_bvor),
        Op::BvXor => Fold(z3_sys::Z3_mk_bvxor),
        Op::BvShl => Two(z3_sys::Z3_mk_bvshl),
        Op::BvLshr => Two(z3_sys::Z3_mk_bvlshr),
        Op::BvAshr => Two(z3_sys::Z3_mk_bvashr),
        Op::BvUlt => Two(z3_sys::Z3_mk_bvult),
        Op::BvUle => Two(z3_sys::Z3_mk_bvule),
        Op::BvSlt => Two(z3_sys::Z3_mk_bvslt),
        Op::BvSle => Two(z3_sys::Z3_mk_bvsle),
        Op::Concat => Fold(z3_sys::Z3_mk_concat),
        Op::ZeroExtend(by) => Indexed(z3_sys::Z3_mk_zero_ext, by),
        Op::SignExtend(by) => Indexed(z3_sys::Z3_mk_sign_ext, by),
        Op::IntAdd => Many(z3_sys::Z3_mk_add),
        Op::IntMul => Many(z3_sys::Z3_mk_mul),
        Op::IntNeg => One(z3_sys::Z3_mk_unary_minus),
        Op::IntDiv => Two(z3_sys::Z3_mk_div),
        Op::IntMod => Two(z3_sys::Z3_mk_mod),
        Op::IntLe => Two(z3_sys::Z3_mk_le),
        Op::IntLt => Two(z3_sys::Z3_mk_lt),
        Op::IntToBv(width) => Indexed(z3_sys::Z3_mk_int2bv, width),
        Op::Select | Op::MemoryRead | Op::FiniteMapGet => Two(z3_sys::Z3_mk_select),
        Op::Store | Op::MemoryWrite | Op::FiniteMapSet => Three(z3_sys::Z3_mk_store),
        Op::Pointer => Two(z3_sys::Z3_mk_concat),
        Op::FloatAdd(mode) => Rounded2(z3_sys::Z3_mk_fpa_add, mode),
        Op::FloatMul(mode) => Rounded2(z3_sys::Z3_mk_fpa_mul, mode),
        Op::FloatDiv(mode) => Rounded2(z3_sys::Z3_mk_fpa_div, mode),
        Op::FloatFma(mode) => Rounded3(z3_sys::Z3_mk_fpa_fma, mode),
        Op::FloatSqrt(mode) => Rounded1(z3_sys::Z3_mk_fpa_sqrt, mode),
        Op::FloatRoundToIntegral(mode) => Rounded1(z3_sys::Z3_mk_fpa_round_to_integral, mode),
        Op::FloatRem => Two(z3_sys::Z3_mk_fpa_rem),
        Op::FloatMin => Two(z3_sys::Z3_mk_fpa_min),
        Op::FloatMax => Two(z3_sys::Z3_mk_fpa_max),
        Op::FloatAbs => One(z3_sys::Z3_mk_fpa_abs),
        Op::FloatNeg => One(z3_sys::Z3_mk_fpa_neg),
        Op::FloatEq => Two(z3_sys::Z3_mk_fpa_eq),
        Op::FloatLt => Two(z3_sys::Z3_mk_fpa_lt),
        Op::FloatLe => Two(z3_sys::Z3_mk_fpa_leq),
        Op::FloatIsNan => One(z3_sys::Z3_mk_fpa_is_nan),
        Op::FloatIsInfinite => One(z3_sys::Z3_mk_fpa_is_infinite),
        Op::FloatIsZero => One(z3_sys::Z3_mk_fpa_is_zero),
        Op::FloatIsNormal => One(z3_sys::Z3_mk_fpa_is_normal),
        Op::FloatIsSubnormal => One(z3_sys::Z3_mk_fpa_is_subnormal),
        Op::FloatIsNegative => One(z3_sys::Z3_mk_fpa_is_negative),
        Op::FloatIsPositive => One(z3_sys::Z3_mk_fpa_is_positive),
    };
    Form::Plain(plain)
}
