//! Equalities and disequalities of two quantities, and of one with zero.

use super::{Reading, Template, Words};
use foghorn_encode::claim::Formula;
use foghorn_encode::claim::build::number;
use foghorn_term::{BitVecValue, TermId, TermPool};
use num_bigint::BigInt;

/// How two quantities of one width, or one and zero, are related.
#[derive(Clone, Debug)]
pub struct Relation {
    left: usize,
    /// `None` for zero.
    right: Option<usize>,
    known: Known,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Known {
    Bottom,
    Equal,
    Different,
    Top,
}

impl Relation {
    pub fn new(left: usize, right: Option<usize>) -> Self {
        Relation {
            left,
            right,
            known: Known::Bottom,
        }
    }

    fn is_equal(&self, state: &[BitVecValue]) -> bool {
        match self.right {
            Some(right) => state[self.left] == state[right],
            None => state[self.left].is_zero(),
        }
    }
}

impl Template for Relation {
    fn is_bottom(&self) -> bool {
        self.known == Known::Bottom
    }

    fn is_top(&self) -> bool {
        self.known == Known::Top
    }

    fn forget(&mut self) {
        self.known = Known::Top;
    }

    fn formula(&self, pool: &mut TermPool, values: &[TermId]) -> TermId {
        let left = values[self.left];
        let right = match self.right {
            Some(right) => values[right],
            None => pool.bv_zero(pool.width(left)),
        };
        match self.known {
            Known::Bottom => pool.bool(false),
            Known::Equal => pool.equal(left, right),
            Known::Different => pool.not_equal(left, right),
            Known::Top => pool.bool(true),
        }
    }

    fn join(&mut self, state: &[BitVecValue]) -> bool {
        let joined = match (self.known, self.is_equal(state)) {
            (Known::Bottom | Known::Equal, true) => Known::Equal,
            (Known::Bottom | Known::Different, false) => Known::Different,
            (Known::Equal | Known::Top, false) | (Known::Different | Known::Top, true) => {
                Known::Top
            }
        };
        let changed = joined != self.known;
        self.known = joined;
        changed
    }

    fn widen(&mut self, state: &[BitVecValue]) -> bool {
        self.join(state)
    }

    fn bound(&self) -> Option<(BigInt, BigInt)> {
        None
    }

    fn raise(&mut self, _: BigInt) {}

    fn describe(&self, names: &[String]) -> Vec<String> {
        let right = self.right.map_or("0", |right| &names[right]);
        let sign = match self.known {
            Known::Equal => "==",
            Known::Different => "!=",
            Known::Bottom | Known::Top => return vec![],
        };
        vec![format!("{} {sign} {right}", names[self.left])]
    }

    fn claim(&self, words: &dyn Words) -> Option<Formula> {
        let is_equal = match self.known {
            Known::Bottom => return Some(Formula::Constant(false)),
            Known::Top => return Some(Formula::Constant(true)),
            Known::Equal => true,
            Known::Different => false,
        };
        let (left, right) = match self.right {
            Some(right) => (
                words.read(self.left, Reading::Unsigned)?,
                words.read(right, Reading::Unsigned)?,
            ),
            None => (words.read(self.left, Reading::Unsigned)?, number(0)),
        };
        Some(match is_equal {
            true => left.equals(right),
            false => left.differs(right),
        })
    }

    fn duplicate(&self) -> Box<dyn Template> {
        Box::new(self.clone())
    }
}
