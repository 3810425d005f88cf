//! Float arithmetic against the machine's own, and exhaustively against exact reasoning on a tiny format.

use foghorn_term::generate::Random;
use foghorn_term::{BitVecValue, FloatFormat, FloatValue, RoundingMode};

const EVEN: RoundingMode = RoundingMode::NearestEven;

fn f64_bits(random: &mut Random) -> f64 {
    match random.below(4) {
        0 => f64::from_bits(random.next_u64()),
        1 => f64::from_bits(random.bits(64).to_u64().unwrap()),
        2 => (random.below(2000) as f64 - 1000.0) / 8.0,
        // Near the subnormal range and near one another.
        _ => f64::from_bits(random.below(1 << 54)),
    }
}

#[track_caller]
fn same64(ours: &FloatValue, theirs: f64, what: &str) {
    assert_eq!(ours, &FloatValue::from_f64(theirs), "{what}: {theirs:?}");
}

#[test]
fn doubles_agree_with_the_machine() {
    let mut random = Random::new(1);
    for _ in 0..20_000 {
        let (x, y, z) = (
            f64_bits(&mut random),
            f64_bits(&mut random),
            f64_bits(&mut random),
        );
        let (a, b, c) = (
            FloatValue::from_f64(x),
            FloatValue::from_f64(y),
            FloatValue::from_f64(z),
        );
        same64(&a.add(&b, EVEN), x + y, "add");
        same64(&a.mul(&b, EVEN), x * y, "mul");
        same64(&a.div(&b, EVEN), x / y, "div");
        same64(&a.sqrt(EVEN), x.sqrt(), "sqrt");
        same64(&a.fma(&b, &c, EVEN), x.mul_add(y, z), "fma");
        same64(
            &a.round_to_integral(EVEN),
            x.round_ties_even(),
            "round even",
        );
        same64(
            &a.round_to_integral(RoundingMode::NearestAway),
            x.round(),
            "round away",
        );
        same64(
            &a.round_to_integral(RoundingMode::TowardPositive),
            x.ceil(),
            "ceil",
        );
        same64(
            &a.round_to_integral(RoundingMode::TowardNegative),
            x.floor(),
            "floor",
        );
        same64(
            &a.round_to_integral(RoundingMode::TowardZero),
            x.trunc(),
            "trunc",
        );
        assert_eq!(a.ieee_lt(&b), x < y);
        assert_eq!(a.ieee_le(&b), x <= y);
        assert_eq!(a.ieee_eq(&b), x == y);
        let single = a.convert(FloatFormat::SINGLE, EVEN);
        assert_eq!(single, FloatValue::from_f32(x as f32), "{x:?} to single");
        same64(
            &single.convert(FloatFormat::DOUBLE, EVEN),
            f64::from(x as f32),
            "back to double",
        );
    }
}

#[test]
fn integers_agree_with_the_machine() {
    let mut random = Random::new(2);
    for _ in 0..20_000 {
        let number = random.bits(64);
        let bits = number.to_u64().unwrap();
        let unsigned = num_bigint::BigInt::from(bits);
        same64(
            &FloatValue::from_integer(FloatFormat::DOUBLE, EVEN, &unsigned),
            bits as f64,
            "u64",
        );
        let signed = number.to_signed();
        same64(
            &FloatValue::from_integer(FloatFormat::DOUBLE, EVEN, &signed),
            bits as i64 as f64,
            "i64",
        );
        let x = f64_bits(&mut random);
        let ours = FloatValue::from_f64(x).to_signed_bits(32, RoundingMode::TowardZero);
        let fits = x.trunc() >= f64::from(i32::MIN) && x.trunc() <= f64::from(i32::MAX);
        assert_eq!(
            ours,
            fits.then(|| BitVecValue::from_i64(32, x as i64)),
            "{x:?}"
        );
    }
}

/// All values of a tiny format with their exact number times a power of two, NaN and infinities left out.
fn finite_values(format: FloatFormat) -> Vec<(FloatValue, i64)> {
    const SCALE: f64 = 1024.0;
    let all = (0..1u64 << format.width())
        .map(|bits| FloatValue::from_bits(format, BitVecValue::from_u64(format.width(), bits)));
    all.filter(|value| !value.is_nan() && !value.is_infinite())
        .map(|value| {
            let wide = value.convert(FloatFormat::DOUBLE, EVEN);
            let number = f64::from_bits(wide.bits().to_u64().unwrap());
            assert_eq!((number * SCALE).fract(), 0.0);
            (value, (number * SCALE) as i64)
        })
        .collect()
}

/// The neighbours of `exact` among the values: the greatest not above and the least not below, as numbers.
fn rounding_is_right(
    values: &[(FloatValue, i64)],
    exact: i64,
    mode: RoundingMode,
    result: i64,
) -> bool {
    let below = values.iter().map(|&(_, n)| n).filter(|&n| n <= exact).max();
    let above = values.iter().map(|&(_, n)| n).filter(|&n| n >= exact).min();
    let (Some(below), Some(above)) = (below, above) else {
        return true;
    };
    if below == above {
        return result == exact;
    }
    match mode {
        RoundingMode::TowardPositive => result == above,
        RoundingMode::TowardNegative => result == below,
        RoundingMode::TowardZero => result == if exact >= 0 { below } else { above },
        RoundingMode::NearestEven | RoundingMode::NearestAway => {
            let (down, up) = (exact - below, above - exact);
            let away = if exact >= 0 { above } else { below };
            match down.cmp(&up) {
                std::cmp::Ordering::Less => result == below,
                std::cmp::Ordering::Greater => result == above,
                std::cmp::Ordering::Equal if mode == RoundingMode::NearestAway => result == away,
                std::cmp::Ordering::Equal => {
                    let value = values.iter().find(|&&(_, n)| n == result);
                    value.is_some_and(|(value, _)| !value.bits().bit(0))
                }
            }
        }
    }
}

#[test]
fn sums_round_right_in_every_mode() {
    let format = FloatFormat {
        exponent: 3,
        significand: 4,
    };
    let values = finite_values(format);
    let mut checked = 0;
    for (a, x) in &values {
        for (b, y) in &values {
            for mode in RoundingMode::ALL {
                let sum = a.add(b, mode);
                if sum.is_infinite() {
                    continue;
                }
                let (_, number) = values.iter().find(|(value, _)| *value == sum).unwrap();
                assert!(
                    rounding_is_right(&values, x + y, mode, *number),
                    "{a:?} + {b:?} {mode:?} = {sum:?}"
                );
                checked += 1;
            }
        }
    }
    assert!(checked > 50_000, "{checked}");
}

#[test]
fn remainder_agrees_with_its_definition() {
    let format = FloatFormat {
        exponent: 3,
        significand: 4,
    };
    let values = finite_values(format);
    for (a, x) in &values {
        for (b, y) in values.iter().filter(|(_, y)| *y != 0) {
            let rest = a.rem(b);
            let (_, number) = values.iter().find(|(value, _)| *value == rest).unwrap();
            assert_eq!((x - number) % y, 0, "{a:?} rem {b:?}");
            assert!(2 * number.abs() <= y.abs(), "{a:?} rem {b:?} = {rest:?}");
            if 2 * number.abs() == y.abs() {
                assert_eq!(((x - number) / y) % 2, 0, "ties go to even");
            }
        }
    }
}
