//! The operators of all theories, in one table.
//!
//! An operator carries everything that is not a child: indices of an extract, a rounding mode, the identity of a symbol.
//! It is `Copy` and twelve bytes, because a pool holds one per node. Comparisons exist in one direction only (`>` is `<`
//! with its operands swapped) and there is no binary minus (`a - b` is `a + -b`), so that equal things look equal.
//!
//! What gives every operator something (a sort, a value) matches on all of them and stops compiling when one is added;
//! what looks for a shape, as rules do, matches on that shape only.

use crate::sort::{FloatFormat, SortId};
use cranelift_entity::entity_impl;

/// Index of a free constant: a name with a sort.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SymbolId(u32);
entity_impl!(SymbolId, "symbol");

/// Index of an uninterpreted function or predicate.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FunctionId(u32);
entity_impl!(FunctionId, "function");

/// Index of a literal value: bit-vector, integer or float.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ConstantId(u32);
entity_impl!(ConstantId, "constant");

/// Index of a variable bound by a λ.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BoundId(u32);
entity_impl!(BoundId, "bound");

/// IEEE 754 rounding.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum RoundingMode {
    NearestEven,
    NearestAway,
    TowardPositive,
    TowardNegative,
    TowardZero,
}

impl RoundingMode {
    /// Every mode.
    pub const ALL: [RoundingMode; 5] = [
        RoundingMode::NearestEven,
        RoundingMode::NearestAway,
        RoundingMode::TowardPositive,
        RoundingMode::TowardNegative,
        RoundingMode::TowardZero,
    ];

    /// The mode with that abbreviation.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.name() == name)
    }

    /// SMT-LIB's abbreviation.
    pub fn name(self) -> &'static str {
        match self {
            RoundingMode::NearestEven => "RNE",
            RoundingMode::NearestAway => "RNA",
            RoundingMode::TowardPositive => "RTP",
            RoundingMode::TowardNegative => "RTN",
            RoundingMode::TowardZero => "RTZ",
        }
    }
}

macro_rules! operators {
    ($($(#[$doc:meta])* $name:ident $(($($payload:ty),+))? = $text:literal,)+) => {
        /// An operator with its indices.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub enum Op { $($(#[$doc])* $name $(($($payload),+))?,)+ }

        /// An operator without its indices: what rules are looked up by.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        #[repr(u8)]
        pub enum OpKind { $($name,)+ }

        impl Op {
            /// The operator without its indices.
            pub fn kind(self) -> OpKind {
                match self { $(operators!(@pattern $name $(($($payload),+))?) => OpKind::$name,)+ }
            }
        }

        impl OpKind {
            /// Every kind, in the order of the table.
            pub const ALL: &'static [OpKind] = &[$(OpKind::$name,)+];

            /// The operator of this kind, if it has no indices.
            pub fn plain(self) -> Option<Op> {
                match self { $(OpKind::$name => operators!(@plain $name $(($($payload),+))?),)+ }
            }

            /// The name in our text form: SMT-LIB's where SMT-LIB has one.
            pub fn name(self) -> &'static str {
                match self { $(OpKind::$name => $text,)+ }
            }
        }
    };
    (@plain $name:ident) => { Some(Op::$name) };
    (@plain $name:ident ($($payload:ty),+)) => { None };
    (@pattern $name:ident) => { Op::$name };
    (@pattern $name:ident ($($payload:ty),+)) => { Op::$name(..) };
}

operators! {
    // Leaves.
    True = "true",
    False = "false",
    /// A literal bit-vector, integer or float.
    Constant(ConstantId) = "constant",
    /// A free constant.
    Symbol(SymbolId) = "symbol",
    /// A variable bound by the λ that names it.
    Bound(BoundId) = "bound",

    // Core.
    Not = "not",
    /// N-ary conjunction.
    And = "and",
    /// N-ary disjunction.
    Or = "or",
    /// Binary exclusive disjunction.
    Xor = "xor",
    Implies = "=>",
    /// Condition (Bool), then, else; of any sort.
    Ite = "ite",
    /// Binary equality of any sort.
    Equal = "=",
    /// Application of an uninterpreted function.
    Apply(FunctionId) = "apply",

    // Bit-vectors.
    BvNot = "bvnot",
    BvNeg = "bvneg",
    /// N-ary sum.
    BvAdd = "bvadd",
    /// N-ary product.
    BvMul = "bvmul",
    BvUdiv = "bvudiv",
    BvUrem = "bvurem",
    BvSdiv = "bvsdiv",
    BvSrem = "bvsrem",
    BvSmod = "bvsmod",
    /// N-ary.
    BvAnd = "bvand",
    /// N-ary.
    BvOr = "bvor",
    /// N-ary.
    BvXor = "bvxor",
    BvShl = "bvshl",
    BvLshr = "bvlshr",
    BvAshr = "bvashr",
    BvUlt = "bvult",
    BvUle = "bvule",
    BvSlt = "bvslt",
    BvSle = "bvsle",
    /// The unsigned product overflows (Bool).
    BvUmulOverflow = "bvumulo",
    /// The signed product overflows (Bool).
    BvSmulOverflow = "bvsmulo",
    /// N-ary; the first child is the most significant.
    Concat = "concat",
    /// Bits `high..=low`.
    Extract(u32, u32) = "extract",
    /// By that many zero bits.
    ZeroExtend(u32) = "zero_extend",
    /// By that many copies of the sign bit.
    SignExtend(u32) = "sign_extend",

    // Integers.
    /// N-ary sum.
    IntAdd = "+",
    /// N-ary product.
    IntMul = "*",
    IntNeg = "-",
    /// Euclidean quotient; by zero it is a function of the dividend that the model chooses.
    IntDiv = "div",
    /// Euclidean remainder; by zero it is a function of the dividend that the model chooses.
    IntMod = "mod",
    IntLe = "<=",
    IntLt = "<",
    /// The unsigned number of a bit-vector.
    BvToInt = "ubv_to_int",
    /// Modulo 2^width.
    IntToBv(u32) = "int_to_bv",

    // Floats.
    FloatAdd(RoundingMode) = "fp.add",
    FloatMul(RoundingMode) = "fp.mul",
    FloatDiv(RoundingMode) = "fp.div",
    /// x * y + z, rounded once.
    FloatFma(RoundingMode) = "fp.fma",
    FloatSqrt(RoundingMode) = "fp.sqrt",
    /// IEEE remainder: x - y * n, n the integer nearest to x / y.
    FloatRem = "fp.rem",
    FloatRoundToIntegral(RoundingMode) = "fp.roundToIntegral",
    FloatMin = "fp.min",
    FloatMax = "fp.max",
    FloatAbs = "fp.abs",
    FloatNeg = "fp.neg",
    /// IEEE comparison; `Equal` is the other equality, under which NaN equals itself and zeros differ.
    FloatEq = "fp.eq",
    FloatLt = "fp.lt",
    FloatLe = "fp.leq",
    FloatIsNan = "fp.isNaN",
    FloatIsInfinite = "fp.isInfinite",
    FloatIsZero = "fp.isZero",
    FloatIsNormal = "fp.isNormal",
    FloatIsSubnormal = "fp.isSubnormal",
    FloatIsNegative = "fp.isNegative",
    FloatIsPositive = "fp.isPositive",
    /// The float with these interchange bits.
    FloatFromBits(FloatFormat) = "fp.from_bits",
    /// The interchange bits; of NaN, the canonical quiet NaN's.
    FloatToBits = "fp.to_bits",
    FloatFromFloat(RoundingMode, FloatFormat) = "fp.to_fp",
    FloatFromSigned(RoundingMode, FloatFormat) = "fp.from_sbv",
    FloatFromUnsigned(RoundingMode, FloatFormat) = "fp.from_ubv",
    /// To a signed bit-vector of that width; out of range it is unspecified.
    FloatToSigned(RoundingMode, u32) = "fp.to_sbv",
    /// To an unsigned bit-vector of that width; out of range it is unspecified.
    FloatToUnsigned(RoundingMode, u32) = "fp.to_ubv",

    // Arrays.
    Select = "select",
    Store = "store",
    /// The array of that sort that holds its child everywhere.
    ConstantArray(SortId) = "const",
    /// λ: the array whose element at the bound variable is the child.
    Lambda(BoundId) = "lambda",
    /// `set(a, p, v, s)`: `v` at the `s` indices from `p` on (fig. 2.7 of the thesis).
    ArraySet = "array.set",
    /// `copy(a, p, b, q, s)`: the `s` elements of `b` from `q` on, placed at `p` (fig. 2.7).
    ArrayCopy = "array.copy",

    // Finite maps (§5 of the finite-maps paper).
    /// Children k0, v0, k1, v1, …
    FiniteMap = "fmap",
    FiniteMapGet = "fmap.get",
    FiniteMapSet = "fmap.set",

    // The theory of memory (chapter 4 of the thesis).
    /// Base and offset.
    Pointer = "ptr",
    PointerBase = "ptr.base",
    PointerOffset = "ptr.offset",
    /// Pointer plus offset.
    PointerAdd = "ptr.add",
    /// Difference of the offsets.
    PointerDifference = "ptr.diff",
    /// Same base and signed less offset.
    PointerLt = "ptr.lt",
    /// Same base and signed less or equal offset.
    PointerLe = "ptr.le",
    /// The memory of that sort that holds its child in every cell.
    ConstantMemory(SortId) = "mem.const",
    /// One cell.
    MemoryRead = "mem.read",
    /// One cell.
    MemoryWrite = "mem.write",
    /// That many consecutive byte cells, the first the least significant.
    MemoryReadBytes(u32) = "mem.read_bytes",
    /// As many consecutive byte cells as the value has, the first the least significant.
    MemoryWriteBytes = "mem.write_bytes",
    /// `memset(m, p, v, s)`: cell `v` at the `s` offsets from `p` on.
    MemorySet = "mem.set",
    /// `memcpy(m, p, n, q, s)`: the `s` cells of `n` from `q` on, placed at `p`.
    MemoryCopy = "mem.copy",
}

impl Op {
    /// Whether the order of the children does not matter. Builders sort the children of these.
    pub fn is_commutative(self) -> bool {
        matches!(
            self.kind(),
            OpKind::And
                | OpKind::Or
                | OpKind::Xor
                | OpKind::Equal
                | OpKind::BvAdd
                | OpKind::BvMul
                | OpKind::BvAnd
                | OpKind::BvOr
                | OpKind::BvXor
                | OpKind::BvUmulOverflow
                | OpKind::BvSmulOverflow
                | OpKind::IntAdd
                | OpKind::IntMul
                | OpKind::FloatEq
        )
    }

    /// Whether nested applications may be merged into one with more children.
    pub fn is_associative(self) -> bool {
        matches!(
            self.kind(),
            OpKind::And
                | OpKind::Or
                | OpKind::BvAdd
                | OpKind::BvMul
                | OpKind::BvAnd
                | OpKind::BvOr
                | OpKind::BvXor
                | OpKind::IntAdd
                | OpKind::IntMul
                | OpKind::Concat
        )
    }
}
