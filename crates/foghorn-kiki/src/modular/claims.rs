//! Contracts in the language of certificates (`foghorn_encode::claim`).
//!
//! What a function ensures is claimed row by row. What it requires is one claim, that not all rows hold which hold of all
//! arguments with which it can fail. A row without words is left out: what is ensured is then less and what is required more,
//! and who checks the claims says whether that is enough.

use super::contract::Contract;
use crate::template::{Reading, Words};
use foghorn_encode::claim::{self, Argument, Expression, Formula, Subject};
use foghorn_ir::{Body, Module};
use foghorn_term::BitVecValue;

/// Adds a contract to the claims about its function, with those about the loops in it.
pub(crate) fn add(argument: &mut Argument, module: &Module, contract: &Contract) {
    let function = &module.functions[contract.function];
    let Some(body) = &function.body else { return };
    for (name, claims) in &contract.claims.functions {
        let own = argument.function(name);
        for (&head, claim) in &claims.loops {
            own.loops.entry(head).or_insert_with(|| claim.clone());
        }
    }
    let words = WordsOfCall { body, contract };
    let ensures = contract.ensures.iter();
    let ensures = ensures.filter_map(|row| row.template.claim(&words));
    let ensures: Vec<Formula> = ensures
        .filter(|it| *it != Formula::Constant(true))
        .collect();
    let never_returns = ensures.contains(&Formula::Constant(false));
    let requires = contract.fails.iter().map(|rows| {
        let rows = rows.iter();
        let parts = rows.filter_map(|row| row.template.claim(&words));
        Formula::all(parts.filter(|it| *it != Formula::Constant(true))).negated()
    });
    argument.function(&function.name).contract = Some(claim::Contract {
        requires: requires.collect(),
        ensures: Some(ensures).filter(|_| !never_returns),
    });
}

/// The words for arguments, and for results after them.
struct WordsOfCall<'a> {
    body: &'a Body,
    contract: &'a Contract,
}

impl Words for WordsOfCall<'_> {
    fn read(&self, quantity: usize, reading: Reading) -> Option<Expression> {
        let arguments = self.contract.arguments;
        let subject = match quantity < arguments {
            true => {
                let params = &self.body.blocks[self.body.entry].params;
                Subject::Value(params[quantity].as_u32())
            }
            false => Subject::Result(u32::try_from(quantity - arguments).ok()?),
        };
        Some(match reading {
            Reading::Signed => Expression::Signed(subject),
            Reading::Unsigned => Expression::Unsigned(subject),
        })
    }

    fn is(&self, quantity: usize, value: &BitVecValue) -> Option<Formula> {
        let literal = Expression::Number(value.to_biguint().to_string());
        Some(self.read(quantity, Reading::Unsigned)?.equals(literal))
    }

    /// Arguments and results name nothing.
    fn is_lost(&self, _: usize) -> Option<Formula> {
        None
    }
}
