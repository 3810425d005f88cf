//! Deterministic randomness: a small generator, and an oracle for the interpreter.

use crate::language::interpreter::Oracle;
use crate::number::Number;
use crate::variable::Type;

/// A splitmix generator.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Different for each seed and each name.
    #[must_use]
    pub fn new(seed: u64, name: &str) -> Random {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        for byte in name.bytes() {
            state = (state ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        Random(state)
    }

    /// Any 64 bits.
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Below `count`, which is at least 1.
    pub fn below(&mut self, count: usize) -> usize {
        usize::try_from(self.draw() % count as u64).expect("invariant: below a usize")
    }

    pub fn flip(&mut self) -> bool {
        self.draw() & 1 == 1
    }

    /// True once in `times`.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    /// A small number, now and then a larger one.
    pub fn small(&mut self) -> Number {
        let spread = if self.once_in(6) { 41 } else { 9 };
        let half = i64::try_from(spread / 2).expect("invariant: small");
        Number::from(i64::try_from(self.below(spread)).expect("invariant: small") - half)
    }
}

impl Oracle for Random {
    fn integer(&mut self, ty: Type) -> Number {
        let Some(width) = ty.width() else {
            return self.small();
        };
        let exact = match self.below(4) {
            0 | 1 => self.small(),
            2 => {
                let limit = Number::power_of_two(width - 1);
                if self.flip() {
                    limit - Number::ONE - self.small().abs()
                } else {
                    -limit + self.small().abs()
                }
            }
            _ => Number::from(self.draw()),
        };
        exact.wrap_signed(width)
    }

    fn boolean(&mut self) -> bool {
        self.flip()
    }

    fn choose(&mut self, count: usize) -> usize {
        self.below(count)
    }
}
