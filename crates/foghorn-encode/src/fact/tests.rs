//! Terms of facts against what they say, on all values of small widths.

use super::{Aspect, Fact, Operand, Quantity, Relation, Subject};
use foghorn_term::eval::{Evaluator, Model, Value};
use foghorn_term::{BitVecValue, Op, Sort, TermPool};

fn quantity(number: u32) -> Quantity {
    Quantity {
        subject: Subject::Value(number),
        aspect: Aspect::Integer,
    }
}

const WIDTH: u32 = 3;

fn signed(value: u64) -> i128 {
    let value = i128::from(value);
    if value >= 1 << (WIDTH - 1) {
        value - (1 << WIDTH)
    } else {
        value
    }
}

/// Asserts that a fact about two values of three bits says the same as `meaning`, everywhere.
fn agrees(fact: &Fact, meaning: impl Fn(u64, u64) -> bool) {
    let mut pool = TermPool::new();
    let symbols = [0, 1].map(|number| {
        let sort = Sort::BitVec(WIDTH);
        (quantity(number), pool.fresh_symbol("x", sort))
    });
    let of = |wanted| symbols.iter().find(|it| it.0 == wanted).unwrap().1;
    let terms: Vec<_> = fact.quantities().map(of).collect();
    let term = fact.term(&mut pool, &terms).unwrap();
    for (x, y) in (0..8).flat_map(|x| (0..8).map(move |y| (x, y))) {
        let mut model = Model::default();
        for (value, (_, symbol)) in [x, y].into_iter().zip(symbols) {
            let value = BitVecValue::from_u128(WIDTH, u128::from(value));
            let Op::Symbol(symbol) = pool.op(symbol) else {
                unreachable!("a fresh symbol");
            };
            model.set(symbol, Value::BitVec(value));
        }
        let found = Evaluator::new(&pool, &model).evaluate(term).unwrap();
        assert_eq!(found, Value::Bool(meaning(x, y)), "{fact} at {x}, {y}");
    }
}

#[test]
fn linear_facts_are_about_the_integers() {
    for relation in [Relation::LessOrEqual, Relation::Equal, Relation::NotEqual] {
        let compare = |sum: i128| match relation {
            Relation::LessOrEqual => sum <= 0,
            Relation::Equal => sum == 0,
            Relation::NotEqual => sum != 0,
        };
        for (a, b) in [(1, 0), (-1, 0), (1, -1), (-1, 1), (1, 1), (3, -2), (-4, -1)] {
            for constant in [-9, -4, -1, 0, 3, 4, 8] {
                let factors = [(quantity(0), a), (quantity(1), b)].into_iter();
                let terms = factors.filter(|(_, factor)| *factor != 0);
                let fact = Fact::Linear {
                    terms: terms.map(|(of, it)| (of, it.to_string())).collect(),
                    constant: constant.to_string(),
                    relation,
                };
                agrees(&fact, |x, y| {
                    compare(i128::from(a) * signed(x) + i128::from(b) * signed(y) + constant)
                });
            }
        }
    }
}

#[test]
fn unsigned_facts_compare_as_the_machine_does() {
    for strict in [false, true] {
        let compare = |x: u64, y: u64| if strict { x < y } else { x <= y };
        let both = Fact::Unsigned {
            strict,
            left: Operand::Quantity(quantity(1)),
            right: Operand::Quantity(quantity(0)),
        };
        agrees(&both, |x, y| compare(y, x));
        let number = Fact::Unsigned {
            strict,
            left: Operand::Number("5".to_owned()),
            right: Operand::Quantity(quantity(1)),
        };
        agrees(&number, |_, y| compare(5, y));
    }
}
