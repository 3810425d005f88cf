//! Random straight-line arithmetic against Rust's own.

use super::*;
use crate::instruction::NondetOrigin;
use crate::interpret::{ChoiceRequest, Seeded};
use crate::types::Type;
use foghorn_core::SpanId;
use std::fmt::Write;

/// Programs per width; raise it by `FOGHORN_ARITHMETIC_PROGRAMS`.
fn program_count() -> u64 {
    let count = std::env::var("FOGHORN_ARITHMETIC_PROGRAMS");
    count
        .ok()
        .and_then(|count| count.parse().ok())
        .unwrap_or(60)
}

struct Random(Seeded);

impl Random {
    fn number(&mut self, width: u8) -> u128 {
        let request = ChoiceRequest {
            origin: &NondetOrigin::Undefined,
            ty: Type::Int(width),
            width: width.into(),
            span: SpanId::UNKNOWN,
            index: 0,
            at: None,
            known: &[],
        };
        self.0.choose(&request).expect("never exhausted")
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.number(64) % bound as u128) as usize
    }
}

macro_rules! straight_lines {
    ($name:ident, $unsigned:ty, $signed:ty) => {
        #[test]
        fn $name() {
            let width = <$unsigned>::BITS as u8;
            for seed in 0..program_count() {
                let mut random = Random(Seeded::new(seed));
                let mut values: Vec<$unsigned> = vec![];
                let mut text = String::new();
                for index in 0..40 {
                    let pick = |random: &mut Random, values: &[$unsigned]| {
                        if values.is_empty() || random.below(4) == 0 {
                            let number = random.number(width) as $unsigned;
                            (number, number.to_string())
                        } else {
                            let index = random.below(values.len());
                            (values[index], format!("v{index}"))
                        }
                    };
                    let (a, left) = pick(&mut random, &values);
                    let (b, right) = pick(&mut random, &values);
                    let (sa, sb) = (a as $signed, b as $signed);
                    let amount = b as u32;
                    let (name, value) = match random.below(11) {
                        0 => ("add", a.wrapping_add(b)),
                        1 => ("sub", a.wrapping_sub(b)),
                        2 => ("mul", a.wrapping_mul(b)),
                        3 if b != 0 => ("udiv", a / b),
                        4 if b != 0 => ("urem", a % b),
                        5 if b != 0 => ("sdiv", sa.wrapping_div(sb) as $unsigned),
                        6 if b != 0 => ("srem", sa.wrapping_rem(sb) as $unsigned),
                        7 => ("shl", a.wrapping_shl(amount)),
                        8 => ("lshr", a.wrapping_shr(amount)),
                        9 => ("ashr", sa.wrapping_shr(amount) as $unsigned),
                        _ => ("xor", a ^ b),
                    };
                    values.push(value);
                    writeln!(text, "v{index}:i{width} = {name} {left}, {right}").expect("a string");
                }
                for (index, value) in values.iter().enumerate() {
                    let number = 100 + index;
                    writeln!(text, "v{number}:i1 = compare eq v{index}, {value}")
                        .expect("a string");
                    writeln!(text, "check assertion v{number}").expect("a string");
                }
                main_exits(&format!("{text} return 0:i32"), 0);
            }
        }
    };
}

straight_lines!(bytes, u8, i8);
straight_lines!(half_words, u16, i16);
straight_lines!(words, u32, i32);
straight_lines!(double_words, u64, i64);
straight_lines!(quad_words, u128, i128);
