//! What other engines are told: linear conjuncts about values, as facts.
//!
//! A fact speaks of a block however it is reached, so it is one only if it was found on every way of calls. Who uses facts
//! has them certified before.

use foghorn_encode::claim::{Comparison, Expression, Formula, Subject};
use foghorn_encode::fact::{Aspect, BlockFacts, Fact, Quantity, Relation};
use foghorn_ir::{BlockId, FunctionId, Module, Type, ValueId};
use num_bigint::BigInt;

/// The facts at a head of which this was found, on each way.
pub fn at_head(
    module: &Module,
    (function, head): (FunctionId, BlockId),
    ways: &[Vec<Formula>],
) -> Option<BlockFacts> {
    let (first, others) = ways.split_first()?;
    let common = first
        .iter()
        .filter(|it| others.iter().all(|way| way.contains(it)));
    let facts: Vec<Fact> = common
        .filter_map(fact)
        .filter(|fact| speaks_of_integers(module, function, fact))
        .collect();
    (!facts.is_empty()).then(|| BlockFacts {
        function: function.as_u32(),
        block: head.as_u32(),
        facts: Some(facts),
    })
}

fn speaks_of_integers(module: &Module, function: FunctionId, fact: &Fact) -> bool {
    let Some(body) = &module.functions[function].body else {
        return false;
    };
    fact.quantities().all(|quantity| match quantity.subject {
        Subject::Value(value) => {
            matches!(body.ty(ValueId::from_u32(value)), Type::Int(width) if width > 1)
        }
        Subject::Result(_) => false,
    })
}

/// A conjunct as a fact, if it compares a sum with 0.
fn fact(formula: &Formula) -> Option<Fact> {
    let (compared, is) = match formula {
        Formula::Not(inner) => (&**inner, false),
        other => (other, true),
    };
    let Formula::Compare {
        relation,
        left,
        right: Expression::Number(zero),
    } = compared
    else {
        return None;
    };
    if zero != "0" {
        return None;
    }
    let (mut terms, mut constant) = linear(left)?;
    let relation = match (relation, is) {
        (Comparison::LessOrEqual, true) => Relation::LessOrEqual,
        // Not x <= 0 is 1 - x <= 0.
        (Comparison::LessOrEqual, false) => {
            for (_, factor) in &mut terms {
                *factor = -&*factor;
            }
            constant = BigInt::from(1) - constant;
            Relation::LessOrEqual
        }
        (Comparison::Equal, true) => Relation::Equal,
        (Comparison::Equal, false) => Relation::NotEqual,
        (Comparison::Less | Comparison::NotEqual, _) => return None,
    };
    let terms = terms.into_iter().map(|(subject, factor)| {
        let aspect = Aspect::Integer;
        (Quantity { subject, aspect }, factor.to_string())
    });
    Some(Fact::Linear {
        terms: terms.collect(),
        constant: constant.to_string(),
        relation,
    })
}

type Terms = Vec<(Subject, BigInt)>;

fn linear(expression: &Expression) -> Option<(Terms, BigInt)> {
    match expression {
        Expression::Signed(of) => Some((vec![(*of, BigInt::from(1))], BigInt::ZERO)),
        Expression::Number(number) => Some((vec![], number.parse().ok()?)),
        Expression::Scaled(factor, of) => match &**of {
            Expression::Signed(of) => Some((vec![(*of, factor.parse().ok()?)], BigInt::ZERO)),
            _ => None,
        },
        Expression::Sum(parts) => {
            let (mut terms, mut constant) = (vec![], BigInt::ZERO);
            for part in parts {
                let (more, further) = linear(part)?;
                terms.extend(more);
                constant += further;
            }
            Some((terms, constant))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use foghorn_encode::claim::build::{number, signed, value};

    #[test]
    fn a_negated_bound_is_the_opposite_bound() {
        let sum = signed(value(4)).minus(signed(value(5)));
        let formula = sum.at_most(number(0)).negated();
        let Some(Fact::Linear {
            terms,
            constant,
            relation,
        }) = fact(&formula)
        else {
            panic!("it is linear");
        };
        let factors: Vec<&str> = terms.iter().map(|(_, factor)| factor.as_str()).collect();
        assert_eq!((&factors[..], constant.as_str()), (&["-1", "1"][..], "1"));
        assert_eq!(relation, Relation::LessOrEqual);
        assert_eq!(fact(&Formula::Constant(true)), None);
    }
}
