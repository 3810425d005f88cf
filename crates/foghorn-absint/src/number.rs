//! Exact integers with a fast path.
//!
//! Abstract domains compute over ℤ: a bound that silently wrapped would be an unsound invariant.
//! Almost every bound fits in a machine word, so [`Number`] keeps those inline and turns to a heap
//! allocated big integer only when an operation overflows.
//!
//! Invariant: a value that fits in an `i64` is always `Small`, so that equality and hashing are
//! those of the representation.

use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};
use std::str::FromStr;

use num_bigint::BigInt;
use num_integer::Integer as _;
use num_traits::{Signed as _, ToPrimitive as _, Zero as _};

/// An integer of ℤ.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Number(Repr);

#[derive(Clone, PartialEq, Eq, Hash)]
enum Repr {
    Small(i64),
    Large(Box<BigInt>),
}

use Repr::{Large, Small};

impl Number {
    pub const ZERO: Number = Number(Small(0));
    pub const ONE: Number = Number(Small(1));
    pub const MINUS_ONE: Number = Number(Small(-1));

    fn from_big(value: BigInt) -> Number {
        match value.to_i64() {
            Some(small) => Number(Small(small)),
            None => Number(Large(Box::new(value))),
        }
    }

    fn to_big(&self) -> BigInt {
        match &self.0 {
            Small(value) => BigInt::from(*value),
            Large(value) => (**value).clone(),
        }
    }

    /// 2^`exponent`.
    #[must_use]
    pub fn power_of_two(exponent: u32) -> Number {
        if exponent < 63 {
            Number(Small(1 << exponent))
        } else {
            Number::from_big(BigInt::from(1) << exponent)
        }
    }

    #[must_use]
    pub fn is_zero(&self) -> bool {
        matches!(self.0, Small(0))
    }

    #[must_use]
    pub fn is_one(&self) -> bool {
        matches!(self.0, Small(1))
    }

    #[must_use]
    pub fn is_negative(&self) -> bool {
        self.signum() < 0
    }

    #[must_use]
    pub fn is_positive(&self) -> bool {
        self.signum() > 0
    }

    /// −1, 0 or 1.
    #[must_use]
    pub fn signum(&self) -> i32 {
        match &self.0 {
            Small(value) => value.signum() as i32,
            Large(value) => {
                if value.is_negative() {
                    -1
                } else {
                    1
                }
            }
        }
    }

    #[must_use]
    pub fn abs(&self) -> Number {
        if self.is_negative() {
            -self
        } else {
            self.clone()
        }
    }

    #[must_use]
    pub fn to_i64(&self) -> Option<i64> {
        match &self.0 {
            Small(value) => Some(*value),
            Large(_) => None,
        }
    }

    #[must_use]
    pub fn to_i128(&self) -> Option<i128> {
        match &self.0 {
            Small(value) => Some(i128::from(*value)),
            Large(value) => value.to_i128(),
        }
    }

    #[must_use]
    pub fn to_u32(&self) -> Option<u32> {
        self.to_i64().and_then(|value| u32::try_from(value).ok())
    }

    /// Whether `divisor` divides this number; 0 divides only 0.
    #[must_use]
    pub fn is_multiple_of(&self, divisor: &Number) -> bool {
        if divisor.is_zero() {
            self.is_zero()
        } else {
            self.modulo(divisor).is_zero()
        }
    }

    fn divide_with(
        &self,
        divisor: &Number,
        small: impl FnOnce(i64, i64) -> Option<i64>,
        large: impl FnOnce(&BigInt, &BigInt) -> BigInt,
    ) -> Number {
        assert!(
            !divisor.is_zero(),
            "invariant: callers exclude division by zero"
        );
        if let (Small(a), Small(b)) = (&self.0, &divisor.0)
            && let Some(result) = small(*a, *b)
        {
            return Number(Small(result));
        }
        Number::from_big(large(&self.to_big(), &divisor.to_big()))
    }

    /// ⌊self / divisor⌋. The divisor must not be zero.
    #[must_use]
    pub fn div_floor(&self, divisor: &Number) -> Number {
        let small = |a: i64, b: i64| {
            if b == -1 {
                a.checked_neg()
            } else {
                Some(num_integer::Integer::div_floor(&a, &b))
            }
        };
        self.divide_with(divisor, small, num_integer::Integer::div_floor)
    }

    /// ⌈self / divisor⌉. The divisor must not be zero.
    #[must_use]
    pub fn div_ceil(&self, divisor: &Number) -> Number {
        let small = |a: i64, b: i64| {
            if b == -1 {
                a.checked_neg()
            } else {
                Some(num_integer::Integer::div_ceil(&a, &b))
            }
        };
        self.divide_with(divisor, small, num_integer::Integer::div_ceil)
    }

    /// Division rounded towards zero, as in C. The divisor must not be zero.
    #[must_use]
    pub fn div_truncate(&self, divisor: &Number) -> Number {
        self.divide_with(divisor, i64::checked_div, |a, b| a / b)
    }

    /// Remainder of [`Number::div_truncate`]: it has the sign of the dividend.
    #[must_use]
    pub fn rem_truncate(&self, divisor: &Number) -> Number {
        self.divide_with(
            divisor,
            |a, b| if b == -1 { Some(0) } else { Some(a % b) },
            |a, b| a % b,
        )
    }

    /// The representative of `self` in `[0, |divisor|)`.
    #[must_use]
    pub fn modulo(&self, divisor: &Number) -> Number {
        let modulus = divisor.abs();
        let small = |a: i64, b: i64| Some(a.rem_euclid(b));
        self.divide_with(&modulus, small, num_integer::Integer::mod_floor)
    }

    #[must_use]
    pub fn gcd(&self, other: &Number) -> Number {
        match (&self.0, &other.0) {
            (Small(a), Small(b)) if *a != i64::MIN && *b != i64::MIN => Number(Small(a.gcd(b))),
            _ => Number::from_big(self.to_big().gcd(&other.to_big())),
        }
    }

    #[must_use]
    pub fn lcm(&self, other: &Number) -> Number {
        if self.is_zero() || other.is_zero() {
            return Number::ZERO;
        }
        &self.abs().div_floor(&self.gcd(other)) * &other.abs()
    }

    fn bitwise(
        &self,
        other: &Number,
        small: impl FnOnce(i64, i64) -> i64,
        large: impl FnOnce(BigInt, BigInt) -> BigInt,
    ) -> Number {
        match (&self.0, &other.0) {
            (Small(a), Small(b)) => Number(Small(small(*a, *b))),
            _ => Number::from_big(large(self.to_big(), other.to_big())),
        }
    }

    /// Bitwise and, of infinite two's complement representations.
    #[must_use]
    pub fn bit_and(&self, other: &Number) -> Number {
        self.bitwise(other, |a, b| a & b, |a, b| a & b)
    }

    #[must_use]
    pub fn bit_or(&self, other: &Number) -> Number {
        self.bitwise(other, |a, b| a | b, |a, b| a | b)
    }

    #[must_use]
    pub fn bit_xor(&self, other: &Number) -> Number {
        self.bitwise(other, |a, b| a ^ b, |a, b| a ^ b)
    }

    /// self · 2^`amount`.
    #[must_use]
    pub fn shift_left(&self, amount: u32) -> Number {
        self * &Number::power_of_two(amount)
    }

    /// ⌊self / 2^`amount`⌋.
    #[must_use]
    pub fn shift_right(&self, amount: u32) -> Number {
        match &self.0 {
            Small(value) => Number(Small(value >> amount.min(63))),
            Large(value) => Number::from_big((**value).clone() >> amount),
        }
    }

    /// The number of bits of the magnitude: 0 for 0, 3 for 5 and for −5.
    #[must_use]
    pub fn bit_length(&self) -> u64 {
        match &self.0 {
            Small(value) => u64::from(64 - value.unsigned_abs().leading_zeros()),
            Large(value) => value.bits(),
        }
    }

    /// The value in `[-2^(width-1), 2^(width-1))` equal to `self` modulo 2^`width`.
    #[must_use]
    pub fn wrap_signed(&self, width: u32) -> Number {
        let half = Number::power_of_two(width - 1);
        &(self + &half).modulo(&Number::power_of_two(width)) - &half
    }

    /// The value in `[0, 2^width)` equal to `self` modulo 2^`width`.
    #[must_use]
    pub fn wrap_unsigned(&self, width: u32) -> Number {
        self.modulo(&Number::power_of_two(width))
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Number) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Number {
    fn cmp(&self, other: &Number) -> Ordering {
        match (&self.0, &other.0) {
            (Small(a), Small(b)) => a.cmp(b),
            (Large(a), Large(b)) => a.cmp(b),
            // A large number lies outside the range of every small one.
            (Small(_), Large(b)) => {
                if b.is_negative() {
                    Ordering::Greater
                } else {
                    Ordering::Less
                }
            }
            (Large(a), Small(_)) => {
                if a.is_negative() {
                    Ordering::Less
                } else {
                    Ordering::Greater
                }
            }
        }
    }
}

impl Default for Number {
    fn default() -> Number {
        Number::ZERO
    }
}

macro_rules! from_primitive {
    ($($source:ty),*) => {$(
        impl From<$source> for Number {
            fn from(value: $source) -> Number {
                match i64::try_from(value) {
                    Ok(small) => Number(Small(small)),
                    Err(_) => Number::from_big(BigInt::from(value)),
                }
            }
        }
    )*};
}

from_primitive!(i32, i64, i128, u8, u16, u32, u64, u128, usize);

macro_rules! ring_operation {
    ($operation:ident, $method:ident, $checked:ident) => {
        impl $operation<&Number> for &Number {
            type Output = Number;

            fn $method(self, other: &Number) -> Number {
                if let (Small(a), Small(b)) = (&self.0, &other.0)
                    && let Some(result) = a.$checked(*b)
                {
                    return Number(Small(result));
                }
                Number::from_big($operation::$method(self.to_big(), other.to_big()))
            }
        }

        impl $operation<Number> for Number {
            type Output = Number;

            fn $method(self, other: Number) -> Number {
                $operation::$method(&self, &other)
            }
        }

        impl $operation<&Number> for Number {
            type Output = Number;

            fn $method(self, other: &Number) -> Number {
                $operation::$method(&self, other)
            }
        }

        impl $operation<Number> for &Number {
            type Output = Number;

            fn $method(self, other: Number) -> Number {
                $operation::$method(self, &other)
            }
        }
    };
}

ring_operation!(Add, add, checked_add);
ring_operation!(Sub, sub, checked_sub);
ring_operation!(Mul, mul, checked_mul);

impl Neg for &Number {
    type Output = Number;

    fn neg(self) -> Number {
        &Number::ZERO - self
    }
}

impl Neg for Number {
    type Output = Number;

    fn neg(self) -> Number {
        -&self
    }
}

impl AddAssign<&Number> for Number {
    fn add_assign(&mut self, other: &Number) {
        *self = &*self + other;
    }
}

impl SubAssign<&Number> for Number {
    fn sub_assign(&mut self, other: &Number) {
        *self = &*self - other;
    }
}

impl fmt::Display for Number {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Small(value) => fmt::Display::fmt(value, formatter),
            Large(value) => fmt::Display::fmt(value, formatter),
        }
    }
}

impl fmt::Debug for Number {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

/// The text is not a decimal integer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not an integer")]
pub struct NotANumber(String);

impl FromStr for Number {
    type Err = NotANumber;

    fn from_str(text: &str) -> Result<Number, NotANumber> {
        if let Ok(small) = text.parse::<i64>() {
            return Ok(Number(Small(small)));
        }
        let big = BigInt::from_str(text).map_err(|_| NotANumber(text.to_owned()))?;
        debug_assert!(!big.is_zero());
        Ok(Number::from_big(big))
    }
}

#[cfg(test)]
mod tests {
    use super::Number;

    fn number(value: i128) -> Number {
        Number::from(value)
    }

    #[test]
    fn large_results_return_to_small() {
        let large = Number::power_of_two(70);
        assert_eq!(&large - &(&large - &number(5)), number(5));
        assert_eq!(
            (&large * &large).div_floor(&large).div_floor(&large),
            Number::ONE
        );
        assert_eq!(-number(i128::from(i64::MIN)), number(1 << 63));
    }

    #[test]
    fn divisions_agree_with_wide_arithmetic() {
        for a in -20i128..=20 {
            for b in (-7i128..=7).filter(|b| *b != 0) {
                for scale in [1i128, 1 << 62] {
                    let (x, y) = (a * scale, b);
                    assert_eq!(number(x).div_truncate(&number(y)), number(x / y));
                    assert_eq!(number(x).rem_truncate(&number(y)), number(x % y));
                    let floor = x.div_euclid(y) - i128::from(y < 0 && x.rem_euclid(y) != 0);
                    assert_eq!(number(x).div_floor(&number(y)), number(floor), "{x}/{y}");
                    assert_eq!(number(x).modulo(&number(y)), number(x.rem_euclid(y)));
                }
            }
        }
    }

    #[test]
    fn wrapping() {
        assert_eq!(number(130).wrap_signed(8), number(-126));
        assert_eq!(number(-1).wrap_unsigned(64), number((1 << 64) - 1));
        assert_eq!(number(-129).wrap_signed(8), number(127));
    }
}
