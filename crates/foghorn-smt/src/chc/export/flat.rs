//! Constraints without `ite`, `div` and `mod`, for languages that have none.
//!
//! A term that such a language does not have becomes a new variable and a condition that defines it.
//! Nothing here recurses over the depth of a term: definitions are made bottom up.

use super::unsupported;
use crate::error::SolverError;
use foghorn_term::{Op, Sort, Substitution, TermId, TermPool};

/// A constraint and the variables that were added to say it.
pub(super) struct Flat {
    pub constraint: TermId,
    /// The rule's terms with the new variables in them, in the order they were given.
    pub terms: Vec<TermId>,
    pub added: Vec<TermId>,
}

/// Takes `ite`, `div` and `mod` out of a constraint and of further terms.
pub(super) fn flatten(
    pool: &mut TermPool,
    language: &'static str,
    constraint: TermId,
    terms: &[TermId],
) -> Result<Flat, SolverError> {
    let mut roots = vec![constraint];
    roots.extend(terms);
    let order: Vec<TermId> = pool.post_order(&roots).collect();
    let mut done = Substitution::new();
    let mut added = Vec::new();
    let mut conditions = Vec::new();
    for term in order {
        let op = pool.op(term);
        let children: Vec<TermId> = pool.children(term).to_vec();
        if children.is_empty() {
            continue;
        }
        let new: Vec<TermId> = children
            .iter()
            .map(|child| done.get(*child).unwrap_or(*child))
            .collect();
        let made = match (op, pool.sort(term)) {
            (Op::Ite, Sort::Int) => {
                let variable = pool.fresh_symbol("ite", Sort::Int);
                added.push(variable);
                let (then, otherwise) =
                    (pool.equal(variable, new[1]), pool.equal(variable, new[2]));
                let not = pool.not(new[0]);
                let cases = [pool.and(&[new[0], then]), pool.and(&[not, otherwise])];
                conditions.push(pool.or(&cases));
                variable
            }
            (Op::IntDiv | Op::IntMod, _) => {
                let (quotient, rest) = divide(pool, language, new[0], new[1], &mut conditions)?;
                added.extend([quotient, rest]);
                if op == Op::IntDiv { quotient } else { rest }
            }
            _ if new == children => continue,
            _ => pool.make(op, &new),
        };
        done.insert(pool, term, made);
    }
    conditions.push(done.get(constraint).unwrap_or(constraint));
    let constraint = match conditions.as_slice() {
        [one] => *one,
        many => pool.and(many),
    };
    let terms = terms.iter().map(|t| done.get(*t).unwrap_or(*t)).collect();
    Ok(Flat {
        constraint,
        terms,
        added,
    })
}

/// `dividend = divisor · quotient + rest` with `0 ≤ rest < |divisor|`; the divisor is a number.
fn divide(
    pool: &mut TermPool,
    language: &'static str,
    dividend: TermId,
    divisor: TermId,
    conditions: &mut Vec<TermId>,
) -> Result<(TermId, TermId), SolverError> {
    let number = pool.as_int(divisor).cloned();
    let Some(number) = number.filter(|number| number.magnitude().bits() > 0) else {
        return Err(unsupported(language, "division by what is no number"));
    };
    let quotient = pool.fresh_symbol("quotient", Sort::Int);
    let rest = pool.fresh_symbol("rest", Sort::Int);
    let product = pool.int_mul(divisor, quotient);
    let sum = pool.int_add(product, rest);
    let (zero, size) = (pool.int(0), pool.int(number.magnitude().clone()));
    conditions.extend([
        pool.equal(dividend, sum),
        pool.int_le(zero, rest),
        pool.int_lt(rest, size),
    ]);
    Ok((quotient, rest))
}
