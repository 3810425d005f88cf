//! Numbers for generators: the same seed gives the same numbers on every machine.

/// A sequence of pseudo-random numbers (Steele, Lea and Flood's SplitMix64).
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    pub fn new(seed: u64) -> Self {
        let mut random = Random { state: seed };
        // Neighbouring seeds are not to begin alike.
        random.next();
        random
    }

    /// Any 64 bits.
    pub fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.state;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    /// A number below the limit, which is not zero.
    pub fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() % limit as u64).expect("invariant: below a usize")
    }

    /// A number of the range, both ends included.
    pub fn between(&mut self, low: i64, high: i64) -> i64 {
        let width = low.abs_diff(high) + 1;
        low + i64::try_from(self.next() % width).expect("invariant: small ranges")
    }

    /// True in so many of a hundred cases.
    pub fn chance(&mut self, percent: u64) -> bool {
        self.next() % 100 < percent
    }

    /// One of the choices, of which there is at least one.
    pub fn of<'c, T>(&mut self, choices: &'c [T]) -> &'c T {
        &choices[self.below(choices.len())]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_numbers() {
        let draw = |seed| {
            let mut random = Random::new(seed);
            (0..100).map(|_| random.between(-3, 9)).collect::<Vec<_>>()
        };
        assert_eq!(draw(7), draw(7));
        assert_ne!(draw(7), draw(8));
        assert!(draw(7).iter().all(|number| (-3..=9).contains(number)));
        assert!((-3..=9).all(|number| draw(7).contains(&number)));
    }
}
