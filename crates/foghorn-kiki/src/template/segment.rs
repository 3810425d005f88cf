//! Contents of an array on both sides of a place that a loop carries: `a[j]` for `j < i`, and for `j >= i`.
//!
//! The offset of `a[j]` is one symbol that stands for any: what an iteration keeps for it, it keeps for all of them
//! ([`crate::arrays`]). Whoever reads the array is told what holds of the offset that is read.

use super::{Template, Words, read};
use crate::template::Reading;
use foghorn_encode::claim::Formula;
use foghorn_term::{BitVecValue, Op, TermId, TermPool};
use num_bigint::BigInt;

/// What parts an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parts {
    /// The quantity that is the offset, in bytes.
    pub offset: usize,
    /// The quantity that parts the array, read as signed, and the bytes that one of it stands for.
    pub bound: usize,
    pub scale: u32,
    /// Bytes of a cell: nothing is said of offsets between cells.
    pub cell: u32,
}

/// Rows of the cell at any offset, of offsets below a bound and of those from it on.
#[derive(Clone, Debug)]
pub struct Segment {
    parts: Parts,
    /// Whether a state has come back.
    has_begun: bool,
    /// `None` if nothing is said.
    sides: Option<[Vec<Box<dyn Template>>; 2]>,
}

impl Segment {
    /// The rows of `pattern`, on each side of a bound.
    pub fn new(parts: Parts, pattern: Vec<Box<dyn Template>>) -> Self {
        Segment {
            parts,
            has_begun: false,
            sides: Some([pattern.clone(), pattern]),
        }
    }

    /// The side that a state speaks of; `None` if it is of no cell.
    fn side(&self, state: &[BitVecValue]) -> Option<usize> {
        let offset = read(&state[self.parts.offset], Reading::Signed);
        let bound = read(&state[self.parts.bound], Reading::Signed) * self.parts.scale;
        let is_cell = offset >= BigInt::from(0) && &offset % self.parts.cell == BigInt::from(0);
        is_cell.then(|| usize::from(offset >= bound))
    }

    /// That the offset is of a cell below the bound, and that it is of one from there on.
    fn guards(&self, pool: &mut TermPool, values: &[TermId]) -> [TermId; 2] {
        let offset = values[self.parts.offset];
        let width = pool.width(offset);
        // In so many bits nothing overflows, so that the formula says what `side` does.
        let wide = width.max(pool.width(values[self.parts.bound])) + 32;
        let mut extend = |value: TermId| {
            let by = wide - pool.width(value);
            pool.sign_extend(by, value)
        };
        let (place, bound) = (extend(offset), extend(values[self.parts.bound]));
        let scale = pool.bv(wide, u64::from(self.parts.scale));
        let bound = pool.bv_mul(bound, scale);
        let zero = pool.bv_zero(width);
        let mask = pool.bv(width, u64::from(self.parts.cell) - 1);
        let between = pool.make(Op::BvAnd, &[offset, mask]);
        let (is_aligned, is_inside) = (pool.equal(between, zero), pool.bv_sle(zero, offset));
        let is_cell = pool.and(&[is_aligned, is_inside]);
        let is_beyond = pool.bv_sle(bound, place);
        let is_below = pool.not(is_beyond);
        [
            pool.and(&[is_cell, is_below]),
            pool.and(&[is_cell, is_beyond]),
        ]
    }

    fn grow(
        &mut self,
        state: &[BitVecValue],
        grow: impl Fn(&mut Box<dyn Template>, &[BitVecValue]) -> bool,
    ) -> bool {
        let side = self.side(state);
        let Some(sides) = &mut self.sides else {
            return false;
        };
        let mut changed = !std::mem::replace(&mut self.has_begun, true);
        if let Some(side) = side {
            for row in &mut sides[side] {
                changed |= grow(row, state);
            }
        }
        changed
    }
}

impl Template for Segment {
    fn is_bottom(&self) -> bool {
        !self.has_begun && self.sides.is_some()
    }

    fn is_top(&self) -> bool {
        self.sides.is_none()
    }

    fn forget(&mut self) {
        self.sides = None;
    }

    fn formula(&self, pool: &mut TermPool, values: &[TermId]) -> TermId {
        let Some(sides) = &self.sides else {
            return pool.bool(true);
        };
        if !self.has_begun {
            return pool.bool(false);
        }
        let guards = self.guards(pool, values);
        let mut parts = vec![];
        for (guard, rows) in guards.into_iter().zip(sides) {
            let rows: Vec<TermId> = rows.iter().map(|row| row.formula(pool, values)).collect();
            let rows = pool.and(&rows);
            parts.push(pool.implies(guard, rows));
        }
        pool.and(&parts)
    }

    fn join(&mut self, state: &[BitVecValue]) -> bool {
        self.grow(state, |row, state| row.join(state))
    }

    fn widen(&mut self, state: &[BitVecValue]) -> bool {
        self.grow(state, |row, state| row.widen(state))
    }

    fn bound(&self) -> Option<(BigInt, BigInt)> {
        None
    }

    /// Bounds are not searched for on each side.
    fn raise(&mut self, _: BigInt) {}

    fn describe(&self, names: &[String]) -> Vec<String> {
        let Some(sides) = self.sides.as_ref().filter(|_| self.has_begun) else {
            return vec![];
        };
        let Parts {
            offset,
            bound,
            scale,
            ..
        } = self.parts;
        let mut all = vec![];
        for (sign, rows) in ["<", ">="].into_iter().zip(sides) {
            let when = format!("{} {sign} {scale}*{}", names[offset], names[bound]);
            if rows.iter().all(|row| row.is_bottom()) {
                all.push(format!("!({when})"));
            }
            let rows = rows.iter().flat_map(|row| row.describe(names));
            all.extend(rows.map(|row| format!("{when} => {row}")));
        }
        all
    }

    /// Claims have no word for any offset of an array.
    fn claim(&self, _: &dyn Words) -> Option<Formula> {
        None
    }

    fn is_of_arrays(&self) -> bool {
        true
    }

    fn duplicate(&self) -> Box<dyn Template> {
        Box::new(self.clone())
    }
}
