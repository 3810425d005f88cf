//! Bit-vectors of any width from one bit up.
//!
//! Widths up to 64 live in a machine word; wider ones in a big integer. Invariant: the representation follows from the
//! width alone and bits beyond the width are zero, so derived equality, order and hash are those of the logic (the order
//! is the unsigned one among vectors of equal width).

use num_bigint::{BigInt, BigUint, Sign};
use num_traits::{One, ToPrimitive, Zero};
use std::fmt;

#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Bits {
    Small(u64),
    Large(BigUint),
}

/// A bit-vector constant.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BitVecValue {
    pub(super) width: u32,
    pub(super) bits: Bits,
}

pub(super) fn mask64(width: u32) -> u64 {
    if width >= 64 {
        u64::MAX
    } else {
        (1u64 << width) - 1
    }
}

pub(super) fn mask_big(width: u32) -> BigUint {
    (BigUint::one() << width) - BigUint::one()
}

impl BitVecValue {
    /// The value modulo 2^width.
    pub fn from_u64(width: u32, value: u64) -> Self {
        assert!(width >= 1, "invariant: bit-vectors have at least one bit");
        let bits = if width <= 64 {
            Bits::Small(value & mask64(width))
        } else {
            Bits::Large(BigUint::from(value))
        };
        BitVecValue { width, bits }
    }

    /// The value modulo 2^width, negative numbers in two's complement.
    pub fn from_i64(width: u32, value: i64) -> Self {
        if width <= 64 {
            Self::from_u64(width, value as u64)
        } else {
            Self::from_bigint(width, &BigInt::from(value))
        }
    }

    /// The value modulo 2^width.
    pub fn from_u128(width: u32, value: u128) -> Self {
        Self::from_biguint(width, BigUint::from(value))
    }

    /// The value modulo 2^width.
    pub fn from_biguint(width: u32, value: BigUint) -> Self {
        assert!(width >= 1, "invariant: bit-vectors have at least one bit");
        let bits = if width <= 64 {
            let low = value.iter_u64_digits().next().unwrap_or(0);
            Bits::Small(low & mask64(width))
        } else if value.bits() > u64::from(width) {
            Bits::Large(value & mask_big(width))
        } else {
            Bits::Large(value)
        };
        BitVecValue { width, bits }
    }

    /// The value modulo 2^width, negative numbers in two's complement.
    pub fn from_bigint(width: u32, value: &BigInt) -> Self {
        let magnitude = Self::from_biguint(width, value.magnitude().clone());
        if value.sign() == Sign::Minus {
            magnitude.neg()
        } else {
            magnitude
        }
    }

    /// A single bit.
    pub fn from_bool(bit: bool) -> Self {
        Self::from_u64(1, u64::from(bit))
    }

    /// All bits clear.
    pub fn zero(width: u32) -> Self {
        Self::from_u64(width, 0)
    }

    /// The number one.
    pub fn one(width: u32) -> Self {
        Self::from_u64(width, 1)
    }

    /// All bits set.
    pub fn ones(width: u32) -> Self {
        if width <= 64 {
            Self::from_u64(width, u64::MAX)
        } else {
            Self::from_biguint(width, mask_big(width))
        }
    }

    /// Only the sign bit set: the least signed number.
    pub fn min_signed(width: u32) -> Self {
        Self::one(width).shl_by(width - 1)
    }

    /// All bits but the sign bit set: the greatest signed number.
    pub fn max_signed(width: u32) -> Self {
        Self::min_signed(width).not()
    }

    /// Number of bits.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Whether all bits are clear.
    pub fn is_zero(&self) -> bool {
        match &self.bits {
            Bits::Small(value) => *value == 0,
            Bits::Large(value) => value.is_zero(),
        }
    }

    /// Whether this is the number one.
    pub fn is_one(&self) -> bool {
        match &self.bits {
            Bits::Small(value) => *value == 1,
            Bits::Large(value) => value.is_one(),
        }
    }

    /// Whether all bits are set.
    pub fn is_ones(&self) -> bool {
        match &self.bits {
            Bits::Small(value) => *value == mask64(self.width),
            Bits::Large(value) => value.count_ones() == u64::from(self.width),
        }
    }

    /// The bit at `index`, counted from the least significant one.
    pub fn bit(&self, index: u32) -> bool {
        match &self.bits {
            Bits::Small(value) => index < 64 && (value >> index) & 1 == 1,
            Bits::Large(value) => value.bit(u64::from(index)),
        }
    }

    /// The sign bit.
    pub fn sign_bit(&self) -> bool {
        self.bit(self.width - 1)
    }

    /// The unsigned number, if it fits.
    pub fn to_u64(&self) -> Option<u64> {
        match &self.bits {
            Bits::Small(value) => Some(*value),
            Bits::Large(value) => value.to_u64(),
        }
    }

    /// The unsigned number, if it fits.
    pub fn to_u128(&self) -> Option<u128> {
        match &self.bits {
            Bits::Small(value) => Some(u128::from(*value)),
            Bits::Large(value) => value.to_u128(),
        }
    }

    /// The unsigned number.
    pub fn to_biguint(&self) -> BigUint {
        match &self.bits {
            Bits::Small(value) => BigUint::from(*value),
            Bits::Large(value) => value.clone(),
        }
    }

    /// The signed number.
    pub fn to_signed(&self) -> BigInt {
        let unsigned = BigInt::from(self.to_biguint());
        if self.sign_bit() {
            unsigned - (BigInt::one() << self.width)
        } else {
            unsigned
        }
    }

    /// Number of set bits.
    pub fn count_ones(&self) -> u32 {
        match &self.bits {
            Bits::Small(value) => value.count_ones(),
            Bits::Large(value) => {
                u32::try_from(value.count_ones()).expect("invariant: at most width bits are set")
            }
        }
    }

    /// `Some(k)` when the value is 2^k.
    pub fn power_of_two(&self) -> Option<u32> {
        (self.count_ones() == 1).then(|| self.trailing_zeros())
    }

    /// Number of clear bits below the lowest set one; the width for zero.
    pub fn trailing_zeros(&self) -> u32 {
        match &self.bits {
            Bits::Small(0) => self.width,
            Bits::Small(value) => value.trailing_zeros(),
            Bits::Large(value) => value.trailing_zeros().map_or(self.width, |n| {
                u32::try_from(n).expect("invariant: below the width")
            }),
        }
    }

    /// Number of bits up to and including the highest set one.
    pub fn active_bits(&self) -> u32 {
        match &self.bits {
            Bits::Small(value) => 64 - value.leading_zeros(),
            Bits::Large(value) => {
                u32::try_from(value.bits()).expect("invariant: at most the width")
            }
        }
    }
}

impl fmt::Display for BitVecValue {
    /// SMT-LIB: hexadecimal where the width is a multiple of four, else binary.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.width.is_multiple_of(4) {
            let digits = (self.width / 4) as usize;
            match &self.bits {
                Bits::Small(value) => write!(f, "#x{value:0digits$x}"),
                Bits::Large(value) => write!(f, "#x{:0>digits$}", value.to_str_radix(16)),
            }
        } else {
            let digits = self.width as usize;
            match &self.bits {
                Bits::Small(value) => write!(f, "#b{value:0digits$b}"),
                Bits::Large(value) => write!(f, "#b{:0>digits$}", value.to_str_radix(2)),
            }
        }
    }
}

impl fmt::Debug for BitVecValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
