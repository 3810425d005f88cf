//! Linear rows: `Σ factor · quantity <= d` over the integers, for intervals, zones and octagons (formulas 2.20 and 2.30).
//!
//! The sum is computed in so many bits that it cannot overflow, so that a bound says the same of the machine's numbers as
//! of the integers that they are read as.

use super::{LinearFact, Template, Words, literal, read};
use foghorn_encode::claim::{Expression, Formula};
use foghorn_term::{BitVecValue, TermId, TermPool};
use num_bigint::BigInt;
use num_traits::One;

/// How bits are read as a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reading {
    Signed,
    Unsigned,
}

/// One row.
#[derive(Clone, Debug)]
pub struct Linear {
    terms: Vec<(usize, i64)>,
    reading: Reading,
    /// Bits of the widest quantity.
    width: u32,
    bound: Bound,
    /// The first state makes the bound at least this.
    start: Option<BigInt>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Bound {
    Bottom,
    At(BigInt),
    Top,
}

impl Linear {
    /// A row of quantities with small factors, of this width or less.
    pub fn new(terms: Vec<(usize, i64)>, reading: Reading, width: u32) -> Self {
        Linear {
            terms,
            reading,
            width,
            bound: Bound::Bottom,
            start: None,
        }
    }

    /// With a bound that somebody else says is right: states within it do not make the row larger once there is one.
    #[must_use]
    pub fn starting_at(self, start: BigInt) -> Self {
        Linear {
            start: Some(start),
            ..self
        }
    }

    /// The largest value that the sum has, whatever the quantities are.
    fn largest(&self) -> BigInt {
        let (low, high) = match self.reading {
            Reading::Signed => {
                let half = BigInt::one() << (self.width - 1);
                (-half.clone(), half - 1)
            }
            Reading::Unsigned => (BigInt::from(0), (BigInt::one() << self.width) - 1),
        };
        let terms = self.terms.iter();
        let parts = terms.map(|&(_, factor)| match factor < 0 {
            true => &low * factor,
            false => &high * factor,
        });
        parts.sum()
    }

    /// Bits in which no sum overflows, and a bound fits too.
    fn wide(&self) -> u32 {
        let factors: u64 = self.terms.iter().map(|it| it.1.unsigned_abs()).sum();
        self.width + 2 + (u64::BITS - factors.leading_zeros())
    }

    fn sum(&self, pool: &mut TermPool, values: &[TermId]) -> TermId {
        let wide = self.wide();
        let mut parts = vec![];
        for &(quantity, factor) in &self.terms {
            let value = values[quantity];
            let by = wide - pool.width(value);
            let value = match self.reading {
                Reading::Signed => pool.sign_extend(by, value),
                Reading::Unsigned => pool.zero_extend(by, value),
            };
            parts.push(match factor {
                1 => value,
                -1 => pool.bv_neg(value),
                factor => {
                    let factor = pool.bitvec(BitVecValue::from_i64(wide, factor));
                    pool.bv_mul(factor, value)
                }
            });
        }
        pool.bv_sum(&parts)
    }

    fn value(&self, state: &[BitVecValue]) -> BigInt {
        let terms = self.terms.iter();
        let parts = terms.map(|&(quantity, factor)| read(&state[quantity], self.reading) * factor);
        parts.sum()
    }
}

impl Template for Linear {
    fn is_bottom(&self) -> bool {
        self.bound == Bound::Bottom
    }

    fn is_top(&self) -> bool {
        self.bound == Bound::Top
    }

    fn forget(&mut self) {
        self.bound = Bound::Top;
    }

    fn formula(&self, pool: &mut TermPool, values: &[TermId]) -> TermId {
        match &self.bound {
            Bound::Bottom => pool.bool(false),
            Bound::Top => pool.bool(true),
            Bound::At(bound) => {
                let sum = self.sum(pool, values);
                let bound = literal(pool, self.wide(), bound);
                pool.bv_sle(sum, bound)
            }
        }
    }

    fn join(&mut self, state: &[BitVecValue]) -> bool {
        let mut value = self.value(state);
        match &self.bound {
            Bound::Top => return false,
            Bound::At(bound) if value <= *bound => return false,
            Bound::At(_) => {}
            Bound::Bottom => value = self.start.take().map_or(value.clone(), |it| it.max(value)),
        }
        self.bound = match value >= self.largest() {
            true => Bound::Top,
            false => Bound::At(value),
        };
        true
    }

    fn widen(&mut self, state: &[BitVecValue]) -> bool {
        let before = self.bound.clone();
        let changed = self.join(state);
        if changed && before != Bound::Bottom {
            self.bound = Bound::Top;
        }
        changed
    }

    fn bound(&self) -> Option<(BigInt, BigInt)> {
        match &self.bound {
            Bound::At(bound) => Some((bound.clone(), self.largest())),
            Bound::Bottom | Bound::Top => None,
        }
    }

    fn raise(&mut self, bound: BigInt) {
        match &self.bound {
            Bound::At(known) if bound <= *known => {}
            Bound::Top => {}
            Bound::At(_) | Bound::Bottom => {
                self.bound = match bound >= self.largest() {
                    true => Bound::Top,
                    false => Bound::At(bound),
                };
            }
        }
    }

    fn describe(&self, names: &[String]) -> Vec<String> {
        let Bound::At(bound) = &self.bound else {
            return vec![];
        };
        let unsigned = match self.reading {
            Reading::Signed => "",
            Reading::Unsigned => " (unsigned)",
        };
        let text = match self.terms[..] {
            [(quantity, 1)] => format!("{} <= {bound}", names[quantity]),
            [(quantity, -1)] => format!("{} >= {}", names[quantity], -bound),
            _ => {
                let mut sum = String::new();
                for &(quantity, factor) in &self.terms {
                    let sign = match (sum.is_empty(), factor.is_negative()) {
                        (true, true) => "-",
                        (true, false) => "",
                        (false, true) => " - ",
                        (false, false) => " + ",
                    };
                    sum.push_str(sign);
                    if factor.unsigned_abs() != 1 {
                        sum.push_str(&format!("{}*", factor.unsigned_abs()));
                    }
                    sum.push_str(&names[quantity]);
                }
                format!("{sum} <= {bound}")
            }
        };
        vec![format!("{text}{unsigned}")]
    }

    fn claim(&self, words: &dyn Words) -> Option<Formula> {
        let bound = match &self.bound {
            Bound::Bottom => return Some(Formula::Constant(false)),
            Bound::Top => return Some(Formula::Constant(true)),
            Bound::At(bound) => Expression::Number(bound.to_string()),
        };
        let mut sum = vec![];
        for &(quantity, factor) in &self.terms {
            let value = words.read(quantity, self.reading)?;
            sum.push(match factor {
                1 => value,
                factor => value.times(factor.into()),
            });
        }
        let sum = match sum.len() {
            1 => sum.remove(0),
            _ => Expression::Sum(sum),
        };
        Some(sum.at_most(bound))
    }

    fn duplicate(&self) -> Box<dyn Template> {
        Box::new(self.clone())
    }

    fn as_linear(&self) -> Option<LinearFact> {
        match &self.bound {
            Bound::At(bound) => Some(LinearFact {
                terms: self.terms.clone(),
                bound: bound.clone(),
                reading: self.reading,
            }),
            Bound::Bottom | Bound::Top => None,
        }
    }
}
