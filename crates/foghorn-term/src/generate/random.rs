//! A small deterministic random number generator (splitmix64), so that a failing case is named by its seed.

use crate::value::BitVecValue;
use num_bigint::{BigInt, BigUint};

/// The generator's state.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The sequence of that seed.
    pub fn new(seed: u64) -> Self {
        Random(seed)
    }

    /// 64 random bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`.
    pub fn below(&mut self, bound: u64) -> u64 {
        assert!(bound > 0, "invariant: there is a number below the bound");
        ((u128::from(self.next_u64()) * u128::from(bound)) >> 64) as u64
    }

    /// An index into something of that length.
    pub fn index(&mut self, length: usize) -> usize {
        self.below(length as u64) as usize
    }

    /// True once in `times`.
    pub fn one_in(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }

    /// One of the items.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.index(items.len())]
    }

    /// A bit-vector; extreme and small values come often.
    pub fn bits(&mut self, width: u32) -> BitVecValue {
        match self.below(8) {
            0 => BitVecValue::zero(width),
            1 => BitVecValue::ones(width),
            2 => BitVecValue::min_signed(width),
            3 => BitVecValue::max_signed(width),
            4 => BitVecValue::from_u64(width, self.below(4)),
            5 => BitVecValue::one(width).shl_by(self.below(u64::from(width)) as u32),
            _ => {
                let words = width.div_ceil(32);
                let digits = (0..words).map(|_| self.next_u64() as u32).collect();
                BitVecValue::from_biguint(width, BigUint::new(digits))
            }
        }
    }

    /// An integer; small values come often.
    pub fn integer(&mut self) -> BigInt {
        let magnitude = match self.below(4) {
            0 | 1 => self.below(5),
            2 => self.below(1000),
            _ => self.next_u64(),
        };
        let value = BigInt::from(magnitude);
        if self.one_in(2) { -value } else { value }
    }
}
