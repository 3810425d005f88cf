//! What other engines proved about values where paths begin. Only facts that were proved again are here.

use super::Maker;
use crate::datum::Datum;
use crate::form::IntegerForm;
use crate::path::{State, Step};
use foghorn_encode::fact::{Aspect, Fact, Quantity, Relation, Subject};
use foghorn_ir::ValueId;
use foghorn_term::TermId;
use num_bigint::BigInt;

impl Maker<'_> {
    /// Assumes what is known of the blocks at which a path begins.
    pub fn assume_facts(&mut self, state: &mut State) -> Step<()> {
        let top = state.frames.len() - 1;
        let frame = &state.frames[top];
        if frame.index != 0 {
            return Ok(());
        }
        let (function, block) = (frame.function, frame.block);
        let Some(known) = self.settings.facts.at(function, block).cloned() else {
            return Ok(());
        };
        let Some(facts) = known else {
            return Err(crate::path::Interrupt::Stopped);
        };
        for fact in facts {
            if let Some(condition) = self.condition_of(state, &fact) {
                self.assume(state, condition)?;
            }
        }
        Ok(())
    }

    fn condition_of(&mut self, state: &State, fact: &Fact) -> Option<TermId> {
        let terms = fact.quantities().map(|of| self.term_of(state, of));
        let terms = terms.collect::<Option<Vec<TermId>>>()?;
        match (fact, self.form.integers) {
            (_, IntegerForm::Bits) | (Fact::Truth { .. } | Fact::Implied { .. }, _) => {
                fact.term(&mut self.pool, &terms)
            }
            (
                Fact::Linear {
                    terms: addends,
                    constant,
                    relation,
                },
                IntegerForm::Linear,
            ) => {
                let constant: BigInt = constant.parse().ok()?;
                let mut sum = vec![];
                for ((_, factor), term) in addends.iter().zip(terms) {
                    let factor: BigInt = factor.parse().ok()?;
                    let factor = self.pool.int(factor);
                    sum.push(self.pool.int_mul(factor, term));
                }
                if let ([only], Some((_, factor))) = (&sum[..], addends.first()) {
                    return self.bound_of(*only, factor, &constant, *relation);
                }
                sum.push(self.pool.int(constant));
                let sum = self.pool.int_sum(&sum);
                let zero = self.pool.int(0);
                Some(match relation {
                    Relation::LessOrEqual => self.pool.int_le(sum, zero),
                    Relation::Equal => self.pool.equal(sum, zero),
                    Relation::NotEqual => self.pool.not_equal(sum, zero),
                })
            }
            (Fact::Unsigned { .. }, IntegerForm::Linear) => None,
        }
    }

    /// `factor · x + constant` compared with 0, as a bound of `x` where that is one.
    fn bound_of(
        &mut self,
        product: TermId,
        factor: &str,
        constant: &BigInt,
        relation: Relation,
    ) -> Option<TermId> {
        let limit = self.pool.int(-constant);
        Some(match (relation, factor) {
            (Relation::LessOrEqual, "-1") => {
                let x = self.pool.int_neg(product);
                let least = self.pool.int(constant.clone());
                self.pool.int_le(least, x)
            }
            (Relation::LessOrEqual, _) => self.pool.int_le(product, limit),
            (Relation::Equal, _) => self.pool.equal(product, limit),
            (Relation::NotEqual, _) => self.pool.not_equal(product, limit),
        })
    }

    fn term_of(&mut self, state: &State, quantity: Quantity) -> Option<TermId> {
        let Subject::Value(number) = quantity.subject else {
            return None;
        };
        let value = ValueId::from_u32(number);
        let frame = state.frame();
        let body = self.body(frame.function);
        if !body.values.is_valid(value) {
            return None;
        }
        let known = body.as_constant(value).is_some() || frame.values.contains_key(&value);
        if !known {
            return None;
        }
        match (self.get(state, value), quantity.aspect) {
            (Datum::Number { value, .. }, Aspect::Integer | Aspect::Boolean) => Some(value.term),
            _ => None,
        }
    }
}
