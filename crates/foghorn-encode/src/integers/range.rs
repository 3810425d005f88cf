//! Ranges of signed numbers.

use num_bigint::BigInt;

/// All numbers from `low` to `high`. An empty range (of a value that cannot be) is allowed: whatever
/// is concluded from it is true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Range {
    pub low: BigInt,
    pub high: BigInt,
}

impl Range {
    /// From `low` to `high`.
    pub fn new(low: impl Into<BigInt>, high: impl Into<BigInt>) -> Self {
        Range {
            low: low.into(),
            high: high.into(),
        }
    }

    /// One number.
    pub fn one(number: impl Into<BigInt>) -> Self {
        let number = number.into();
        Range {
            low: number.clone(),
            high: number,
        }
    }

    /// The signed integers of a width.
    pub fn signed(width: u32) -> Self {
        let half = power(width - 1);
        Range {
            low: -&half,
            high: half - 1,
        }
    }

    /// The unsigned integers of a width.
    pub fn unsigned(width: u32) -> Self {
        Range::new(0, power(width) - 1)
    }

    /// Whether all of `self` is in `other`.
    pub fn is_within(&self, other: &Range) -> bool {
        self.low >= other.low && self.high <= other.high
    }

    /// The only number.
    pub fn single(&self) -> Option<&BigInt> {
        (self.low == self.high).then_some(&self.low)
    }

    /// No number is negative.
    pub fn is_natural(&self) -> bool {
        self.low >= BigInt::ZERO
    }

    /// Every number is negative.
    pub fn is_negative(&self) -> bool {
        self.high < BigInt::ZERO
    }

    /// What is in both.
    #[must_use]
    pub fn meet(&self, other: &Range) -> Range {
        Range {
            low: self.low.clone().max(other.low.clone()),
            high: self.high.clone().min(other.high.clone()),
        }
    }

    /// The smallest range with both.
    #[must_use]
    pub fn join(&self, other: &Range) -> Range {
        Range {
            low: self.low.clone().min(other.low.clone()),
            high: self.high.clone().max(other.high.clone()),
        }
    }

    /// Moved by a number.
    #[must_use]
    pub fn shift(&self, by: &BigInt) -> Range {
        Range {
            low: &self.low + by,
            high: &self.high + by,
        }
    }

    /// Sums.
    #[must_use]
    pub fn add(&self, other: &Range) -> Range {
        Range {
            low: &self.low + &other.low,
            high: &self.high + &other.high,
        }
    }

    /// Differences.
    #[must_use]
    pub fn sub(&self, other: &Range) -> Range {
        Range {
            low: &self.low - &other.high,
            high: &self.high - &other.low,
        }
    }

    /// Products.
    #[must_use]
    pub fn mul(&self, other: &Range) -> Range {
        let products = [
            &self.low * &other.low,
            &self.low * &other.high,
            &self.high * &other.low,
            &self.high * &other.high,
        ];
        let low = products.iter().min().cloned().unwrap_or_default();
        let high = products.iter().max().cloned().unwrap_or_default();
        Range { low, high }
    }

    /// The largest distance from zero.
    pub fn magnitude(&self) -> BigInt {
        let negated = -&self.low;
        negated.max(self.high.clone()).max(BigInt::ZERO)
    }
}

/// Two to the power of `exponent`.
pub(super) fn power(exponent: u32) -> BigInt {
    BigInt::from(1) << exponent
}

/// The quotient rounded down; the divisor is positive.
pub(super) fn floor_div(dividend: &BigInt, divisor: &BigInt) -> BigInt {
    let quotient = dividend / divisor;
    if *dividend < BigInt::ZERO && &quotient * divisor != *dividend {
        quotient - 1
    } else {
        quotient
    }
}
