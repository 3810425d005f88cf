//! Known bits: `x & mask == bits`, which is what masks, flags and alignments need.

use super::{Reading, Template, Words};
use foghorn_encode::claim::{BitOperation, Expression, Formula};
use foghorn_term::{BitVecValue, Op, TermId, TermPool};
use num_bigint::BigInt;

/// The bits of one quantity that are always the same.
#[derive(Clone, Debug)]
pub struct Bits {
    quantity: usize,
    width: u32,
    /// The known bits and their values; `None` before the first state.
    known: Option<(BitVecValue, BitVecValue)>,
}

impl Bits {
    pub fn new(quantity: usize, width: u32) -> Self {
        Bits {
            quantity,
            width,
            known: None,
        }
    }
}

impl Template for Bits {
    fn is_bottom(&self) -> bool {
        self.known.is_none()
    }

    fn is_top(&self) -> bool {
        let known = self.known.as_ref();
        known.is_some_and(|(mask, _)| mask.is_zero())
    }

    fn forget(&mut self) {
        let zero = BitVecValue::zero(self.width);
        self.known = Some((zero.clone(), zero));
    }

    fn formula(&self, pool: &mut TermPool, values: &[TermId]) -> TermId {
        let Some((mask, bits)) = &self.known else {
            return pool.bool(false);
        };
        let (mask, bits) = (pool.bitvec(mask.clone()), pool.bitvec(bits.clone()));
        let masked = pool.make(Op::BvAnd, &[values[self.quantity], mask]);
        pool.equal(masked, bits)
    }

    fn join(&mut self, state: &[BitVecValue]) -> bool {
        let value = &state[self.quantity];
        let joined = match &self.known {
            None => (BitVecValue::ones(self.width), value.clone()),
            Some((mask, bits)) => {
                let agree = bits.xor(value).not();
                let mask = mask.and(&agree);
                let bits = bits.and(&mask);
                (mask, bits)
            }
        };
        let changed = self.known.as_ref() != Some(&joined);
        self.known = Some(joined);
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
        match &self.known {
            Some((mask, bits)) if !mask.is_zero() => {
                let (mask, bits) = (mask.to_biguint(), bits.to_biguint());
                vec![format!("({} & {mask}) == {bits}", names[self.quantity])]
            }
            Some(_) | None => vec![],
        }
    }

    fn claim(&self, words: &dyn Words) -> Option<Formula> {
        let Some((mask, bits)) = &self.known else {
            return Some(Formula::Constant(false));
        };
        if mask.is_zero() {
            return Some(Formula::Constant(true));
        }
        let literal = |value: &BitVecValue| Expression::Number(value.to_biguint().to_string());
        let value = words.read(self.quantity, Reading::Unsigned)?;
        let masked = value.with_bits(BitOperation::And, self.width, literal(mask));
        Some(masked.equals(literal(bits)))
    }

    fn duplicate(&self) -> Box<dyn Template> {
        Box::new(self.clone())
    }
}
