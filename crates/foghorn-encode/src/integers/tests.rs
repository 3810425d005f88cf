//! Every operator against the interpreter, on all operands of small widths.

use super::{Bits, Integers, Linear, Products, Range, Value};
use foghorn_ir::interpret::arithmetic;
use foghorn_ir::{BinaryOp, IntPredicate, OverflowOp, UnaryOp};
use foghorn_term::eval::{self, Model};
use foghorn_term::{Sort, TermId, TermPool};
use num_bigint::BigInt;

const WIDTHS: std::ops::RangeInclusive<u32> = 1..=5;

/// The bits of a term's value under a model.
fn bits(pool: &TermPool, model: &Model, width: u32, term: TermId) -> u128 {
    match eval::evaluate(pool, model, term).expect("all symbols have values") {
        eval::Value::Bool(truth) => u128::from(truth),
        eval::Value::BitVec(value) => value.to_u128().expect("widths are small"),
        eval::Value::Int(number) => {
            let range = Range::signed(width);
            assert!(
                Range::one(number.clone()).is_within(&range),
                "{number} is no canonical number of {width} bits"
            );
            arithmetic::cut(
                i128::try_from(number).expect("widths are small") as u128,
                width,
            )
        }
        other => panic!("no integer: {other:?}"),
    }
}

fn signed(width: u32, bits: u128) -> BigInt {
    BigInt::from(arithmetic::signed(bits, width))
}

/// An operand as an encoding sees it, and the values it may have.
struct Operand {
    value: Value,
    values: Vec<u128>,
}

/// Unknown, known, and known to be in a part of the range.
fn operands(
    pool: &mut TermPool,
    integers: &mut dyn Integers,
    name: &str,
    width: u32,
) -> Vec<Operand> {
    let all: Vec<u128> = (0..1 << width).collect();
    let sort = integers.sort(width);
    let symbol = pool.symbol(&format!("{name}{width}"), sort);
    let any = integers.any(width, symbol);
    let mut found = Vec::new();
    if width > 1 {
        let half = 1 << (width - 1);
        let parts = [
            Range::new(0, half - 1),
            Range::new(-half, -1),
            Range::new(0, 1),
            Range::new(-half / 2, half / 2),
            Range::new(1, 2.min(half - 1)),
        ];
        for part in parts {
            let inside = |bits: &u128| Range::one(signed(width, *bits)).is_within(&part);
            found.push(Operand {
                value: any.within(&part),
                values: all.iter().copied().filter(inside).collect(),
            });
        }
    }
    for number in &all {
        found.push(Operand {
            value: integers.literal(pool, width, *number),
            values: vec![*number],
        });
    }
    found.push(Operand {
        value: any,
        values: all,
    });
    found
}

fn assign(pool: &TermPool, model: &mut Model, term: TermId, width: u32, bits: u128) {
    let value = match pool.sort(term) {
        Sort::Bool => eval::Value::Bool(bits == 1),
        Sort::Int => eval::Value::Int(signed(width, bits)),
        _ => eval::Value::BitVec(foghorn_term::BitVecValue::from_u128(width, bits)),
    };
    if !pool.is_literal(term) {
        model.set_term(pool, term, value);
    }
}

/// Checks a result on all operands. One that is not exact must allow the right value.
fn agrees(
    pool: &TermPool,
    width: u32,
    (lhs, rhs): (&Operand, &Operand),
    result: (&Value, u32),
    havocs: &[super::Havoc],
    expected: impl Fn(u128, u128) -> u128,
    what: &str,
) {
    for a in &lhs.values {
        for b in &rhs.values {
            let mut model = Model::new();
            assign(pool, &mut model, lhs.value.term, width, *a);
            assign(pool, &mut model, rhs.value.term, width, *b);
            let right = expected(*a, *b);
            let said = format!("{what} i{width} {a} {b}");
            if let [havoc] = havocs {
                // The one fresh constant is the result itself.
                assert_eq!(havoc.symbol, result.0.term, "{said}");
                assign(pool, &mut model, havoc.symbol, result.1, right);
                let allowed = eval::evaluate(pool, &model, havoc.assumption);
                assert_eq!(allowed.ok(), Some(eval::Value::Bool(true)), "{said}");
                continue;
            }
            assert!(havocs.is_empty(), "{said}");
            assert_eq!(bits(pool, &model, result.1, result.0.term), right, "{said}");
            if result.1 > 1 {
                let number = Range::one(signed(result.1, right));
                assert!(
                    number.is_within(&result.0.range),
                    "{said}: {:?}",
                    result.0.range
                );
            }
        }
    }
}

fn all_operators(make: &dyn Fn() -> Box<dyn Integers>) -> usize {
    let mut inexact = 0;
    for width in WIDTHS {
        let mut pool = TermPool::new();
        let mut integers = make();
        let left = operands(&mut pool, &mut *integers, "a", width);
        let right = operands(&mut pool, &mut *integers, "b", width);
        for lhs in &left {
            for rhs in &right {
                let pair = (lhs, rhs);
                for &op in BinaryOp::ALL {
                    let made = integers.binary(&mut pool, op, width, &lhs.value, &rhs.value);
                    let havocs = integers.take_havocs();
                    inexact += havocs.len();
                    let expected = |a, b| arithmetic::binary(op, width, a, b);
                    let what = format!("{op:?}");
                    agrees(&pool, width, pair, (&made, width), &havocs, expected, &what);
                }
                for &predicate in IntPredicate::ALL {
                    let made =
                        integers.compare(&mut pool, predicate, width, &lhs.value, &rhs.value);
                    let made = integers.any(1, made);
                    let expected = |a, b| u128::from(arithmetic::compare(predicate, width, a, b));
                    let what = format!("{predicate:?}");
                    agrees(&pool, width, pair, (&made, 1), &[], expected, &what);
                }
                for &op in OverflowOp::ALL {
                    for is_signed in [false, true] {
                        let values = (&lhs.value, &rhs.value);
                        let made = integers.overflows(&mut pool, op, is_signed, width, values);
                        let made = integers.any(1, made);
                        let havocs = integers.take_havocs();
                        inexact += havocs.len();
                        let expected =
                            |a, b| u128::from(arithmetic::overflows(op, is_signed, width, a, b));
                        let what = format!("overflow {op:?} {is_signed}");
                        agrees(&pool, width, pair, (&made, 1), &havocs, expected, &what);
                    }
                }
            }
        }
    }
    inexact
}

#[test]
fn bit_vectors_agree_with_the_interpreter() {
    assert_eq!(all_operators(&|| Box::new(Bits)), 0);
}

#[test]
fn linear_integers_agree_with_the_interpreter() {
    let inexact = all_operators(&|| Box::new(Linear::new(Products::Havoc)));
    assert!(inexact > 0, "products of unknown numbers are not linear");
}

#[test]
fn linear_integers_with_products_agree_with_the_interpreter() {
    // What is left is `and`, `or` and `xor` of two unknown numbers.
    all_operators(&|| Box::new(Linear::new(Products::Terms)));
}

#[test]
fn casts_and_operators_on_one_integer_agree_with_the_interpreter() {
    let makers: [&dyn Fn() -> Box<dyn Integers>; 2] =
        [&|| Box::new(Bits), &|| Box::new(Linear::default())];
    for make in makers {
        for from in WIDTHS {
            let mut pool = TermPool::new();
            let mut integers = make();
            for operand in operands(&mut pool, &mut *integers, "a", from) {
                let none = Operand {
                    value: integers.literal(&mut pool, from, 0),
                    values: vec![0],
                };
                let pair = (&operand, &none);
                for to in 1..=7 {
                    if to <= from {
                        let made = integers.truncate(&mut pool, from, to, &operand.value);
                        let cut = |a, _| arithmetic::cut(a, to);
                        agrees(&pool, from, pair, (&made, to), &[], cut, "trunc");
                    }
                    if to >= from {
                        let made = integers.zero_extend(&mut pool, from, to, &operand.value);
                        agrees(&pool, from, pair, (&made, to), &[], |a, _| a, "zext");
                        let made = integers.sign_extend(&mut pool, from, to, &operand.value);
                        let extended =
                            |a, _| arithmetic::cut(arithmetic::signed(a, from) as u128, to);
                        agrees(&pool, from, pair, (&made, to), &[], extended, "sext");
                    }
                }
                for &op in UnaryOp::ALL {
                    if op == UnaryOp::ByteSwap {
                        continue;
                    }
                    let made = integers.unary(&mut pool, op, from, &operand.value);
                    let havocs = integers.take_havocs();
                    let expected = |a, _| arithmetic::unary(op, from, a);
                    let what = format!("{op:?}");
                    agrees(&pool, from, pair, (&made, from), &havocs, expected, &what);
                }
            }
        }
    }
}

#[test]
fn a_carry_is_left_out_where_the_range_excludes_it() {
    let mut pool = TermPool::new();
    let mut integers = Linear::default();
    let symbol = pool.int_symbol("x");
    let one = integers.literal(&mut pool, 32, 1);
    let any = integers.any(32, symbol);
    let small = any.within(&Range::new(0, 1000));
    let text = |pool: &mut TermPool, integers: &mut Linear, value: &Value| {
        let sum = integers.binary(pool, BinaryOp::Add, 32, value, &one);
        (sum.range, pool.dag_size(&[sum.term]))
    };
    let (range, size) = text(&mut pool, &mut integers, &small);
    assert_eq!((range, size), (Range::new(1, 1001), 3));
    let (range, size) = text(&mut pool, &mut integers, &any);
    assert_eq!(range, Range::signed(32));
    assert!(size > 3, "an unknown number may wrap");
}

#[test]
fn masks_by_numbers_are_linear_at_every_width() {
    let mut pool = TermPool::new();
    let mut integers = Linear::default();
    let symbol = pool.int_symbol("x");
    for width in [8, 32, 64] {
        let any = integers.any(width, symbol);
        for mask in [0xff, 0xf0, 1, arithmetic::cut(u128::MAX - 7, width)] {
            let number = integers.literal(&mut pool, width, mask);
            for op in [BinaryOp::And, BinaryOp::Or, BinaryOp::Xor, BinaryOp::Shl] {
                integers.binary(&mut pool, op, width, &any, &number);
                assert!(integers.take_havocs().is_empty(), "{op:?} {mask:#x}");
            }
        }
    }
}
