//! Operators on scalars.
//!
//! All are total: where the machine gives no meaning the doc says what we define, and a
//! [`crate::Instruction::Check`] before the operation states that it does not happen.

use serde::{Deserialize, Serialize};

macro_rules! operators {
    ($(#[$meta:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $text:literal,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        pub enum $name { $($(#[$doc])* $variant,)* }

        impl $name {
            /// Every operator, in the order of declaration.
            pub const ALL: &'static [$name] = &[$($name::$variant,)*];

            /// The name in textual IR.
            pub fn name(self) -> &'static str {
                match self { $($name::$variant => $text,)* }
            }

            /// The operator with that name.
            pub fn from_name(text: &str) -> Option<$name> {
                match text { $($text => Some($name::$variant),)* _ => None }
            }
        }
    };
}

operators! {
    /// Integer operators on two operands of one width; results wrap.
    BinaryOp {
        Add = "add",
        Sub = "sub",
        Mul = "mul",
        /// Division by zero gives all ones.
        UDiv = "udiv",
        /// Truncates; by zero gives all ones for dividends ≥ 0, else 1; smallest / -1 wraps.
        SDiv = "sdiv",
        /// Remainder by zero gives the dividend.
        URem = "urem",
        /// Sign of the dividend; by zero gives the dividend; smallest % -1 is 0.
        SRem = "srem",
        /// Shift amounts are unsigned and taken modulo the width rounded up to a power of two,
        /// as the machine does; if that is still at least the width, the result is 0.
        Shl = "shl",
        LShr = "lshr",
        /// As `lshr`, but an amount beyond the width gives the sign everywhere.
        AShr = "ashr",
        And = "and",
        Or = "or",
        Xor = "xor",
    }
}

operators! {
    /// Operations whose mathematical result may not fit ([`crate::Instruction::Overflows`]).
    OverflowOp {
        Add = "add",
        Sub = "sub",
        Mul = "mul",
    }
}

operators! {
    /// Integer operators on one operand.
    UnaryOp {
        /// Number of one bits.
        CountOnes = "ctpop",
        /// Zero bits above the highest one; the width for 0.
        LeadingZeros = "ctlz",
        /// Zero bits below the lowest one; the width for 0.
        TrailingZeros = "cttz",
        /// Bytes reversed; the width is a multiple of 16.
        ByteSwap = "bswap",
        BitReverse = "bitreverse",
    }
}

operators! {
    /// Comparison of integers, or of pointers. Then `Eq` and `Ne` compare objects and offsets
    /// (addresses where a pointer is unknown), and the order compares addresses; that of pointers
    /// to two different objects, null not counted, is a `pointer-comparison`.
    IntPredicate {
        Eq = "eq",
        Ne = "ne",
        Ult = "ult",
        Ule = "ule",
        Ugt = "ugt",
        Uge = "uge",
        Slt = "slt",
        Sle = "sle",
        Sgt = "sgt",
        Sge = "sge",
    }
}

operators! {
    /// Conversions.
    CastOp {
        Trunc = "trunc",
        ZExt = "zext",
        SExt = "sext",
        /// f64 to f32, to nearest, ties to even.
        FpTrunc = "fptrunc",
        FpExt = "fpext",
        /// Towards zero. NaN gives 0 and values out of range saturate.
        FpToUi = "fptoui",
        FpToSi = "fptosi",
        UiToFp = "uitofp",
        SiToFp = "sitofp",
        /// The same bits as another type of the same size, between integers and floats.
        Bitcast = "bitcast",
        /// The address; exposes the object. Zero-extended or truncated to the width asked for.
        PtrToInt = "ptrtoint",
        /// The exposed live object that contains the address, else an unknown pointer; 0 is null.
        IntToPtr = "inttoptr",
    }
}

operators! {
    /// Floating-point operators on one operand.
    FloatUnaryOp {
        Neg = "fneg",
        Abs = "fabs",
        Sqrt = "fsqrt",
        Floor = "ffloor",
        Ceil = "fceil",
        Trunc = "ftrunc",
        /// To nearest, ties away from zero.
        Round = "fround",
        /// To nearest, ties to even (also `rint`, `nearbyint`).
        RoundEven = "froundeven",
    }
}

operators! {
    /// Floating-point operators on two operands, rounding to nearest, ties to even.
    FloatBinaryOp {
        Add = "fadd",
        Sub = "fsub",
        Mul = "fmul",
        Div = "fdiv",
        /// C's `fmod`.
        Rem = "frem",
        /// C's `fmin`: a NaN loses against a number.
        Min = "fmin",
        Max = "fmax",
        CopySign = "fcopysign",
    }
}

operators! {
    /// Comparison of floats: `O…` false and `U…` true if either is NaN.
    FloatPredicate {
        False = "false",
        Oeq = "oeq",
        Ogt = "ogt",
        Oge = "oge",
        Olt = "olt",
        Ole = "ole",
        One = "one",
        Ord = "ord",
        Uno = "uno",
        Ueq = "ueq",
        Ugt = "ugt",
        Uge = "uge",
        Ult = "ult",
        Ule = "ule",
        Une = "une",
        True = "true",
    }
}

impl IntPredicate {
    /// The predicate with its operands exchanged: `a p b` iff `b p.swapped() a`.
    #[must_use]
    pub fn swapped(self) -> Self {
        match self {
            Self::Eq => Self::Eq,
            Self::Ne => Self::Ne,
            Self::Ult => Self::Ugt,
            Self::Ule => Self::Uge,
            Self::Ugt => Self::Ult,
            Self::Uge => Self::Ule,
            Self::Slt => Self::Sgt,
            Self::Sle => Self::Sge,
            Self::Sgt => Self::Slt,
            Self::Sge => Self::Sle,
        }
    }

    /// The same order of signed numbers.
    #[must_use]
    pub fn as_signed(self) -> Self {
        match self {
            Self::Ult => Self::Slt,
            Self::Ule => Self::Sle,
            Self::Ugt => Self::Sgt,
            Self::Uge => Self::Sge,
            Self::Eq | Self::Ne | Self::Slt | Self::Sle | Self::Sgt | Self::Sge => self,
        }
    }

    /// The negation: `!(a p b)` iff `a p.negated() b`.
    #[must_use]
    pub fn negated(self) -> Self {
        match self {
            Self::Eq => Self::Ne,
            Self::Ne => Self::Eq,
            Self::Ult => Self::Uge,
            Self::Ule => Self::Ugt,
            Self::Ugt => Self::Ule,
            Self::Uge => Self::Ult,
            Self::Slt => Self::Sge,
            Self::Sle => Self::Sgt,
            Self::Sgt => Self::Sle,
            Self::Sge => Self::Slt,
        }
    }

    /// Whether the order is of signed numbers.
    pub fn is_signed(self) -> bool {
        matches!(self, Self::Slt | Self::Sle | Self::Sgt | Self::Sge)
    }
}
