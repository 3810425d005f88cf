//! Float arithmetic against the machine's own, and exhaustively against exact reasoning on a tiny format.

use foghorn_term::generate::Random;
use foghorn_term::{BitVecValue, FloatFormat, FloatValue, RoundingMode};
use std::cmp::Ordering;

/// All values of the tiny format are multiples of its inverse.
const SCALE: f64 = 1024.0;

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

/// Whether `result` is what the mode makes of an exact number, of which it is known how it compares with half of an
/// integer. True as well where the number lies beyond the finite values.
fn rounding_is_right(
    values: &[(FloatValue, i64)],
    compare: &dyn Fn(i64) -> Ordering,
    mode: RoundingMode,
    result: i64,
) -> bool {
    let numbers = || values.iter().map(|&(_, n)| n);
    let below = numbers()
        .filter(|&n| compare(2 * n) != Ordering::Less)
        .max();
    let above = numbers()
        .filter(|&n| compare(2 * n) != Ordering::Greater)
        .min();
    let (Some(below), Some(above)) = (below, above) else {
        return true;
    };
    let negative = compare(0) == Ordering::Less;
    match mode {
        _ if below == above => result == below,
        RoundingMode::TowardPositive => result == above,
        RoundingMode::TowardNegative => result == below,
        RoundingMode::TowardZero => result == if negative { above } else { below },
        RoundingMode::NearestEven | RoundingMode::NearestAway => match compare(below + above) {
            Ordering::Less => result == below,
            Ordering::Greater => result == above,
            Ordering::Equal if mode == RoundingMode::NearestAway => {
                result == if negative { below } else { above }
            }
            Ordering::Equal => {
                let value = values.iter().find(|&&(_, n)| n == result);
                value.is_some_and(|(value, _)| !value.bits().bit(0))
            }
        },
    }
}

/// How `numerator / denominator` compares with half of an integer.
fn rational(numerator: i64, denominator: i64) -> impl Fn(i64) -> Ordering {
    let sign = denominator.signum();
    move |twice| (2 * numerator * sign).cmp(&(twice * denominator.abs()))
}

/// Checks a result where it is finite; counts it.
#[track_caller]
fn check(
    values: &[(FloatValue, i64)],
    exact: &dyn Fn(i64) -> Ordering,
    mode: RoundingMode,
    result: &FloatValue,
) -> u64 {
    if result.is_infinite() {
        return 0;
    }
    let (_, number) = values
        .iter()
        .find(|(value, _)| value == result)
        .expect("a finite value");
    assert!(
        rounding_is_right(values, exact, mode, *number),
        "{mode:?} {result:?}"
    );
    1
}

#[test]
fn results_round_right_in_every_mode() {
    let format = FloatFormat {
        exponent: 3,
        significand: 4,
    };
    let values = finite_values(format);
    let scale = SCALE as i64;
    let mut checked = 0;
    for mode in RoundingMode::ALL {
        for (a, x) in &values {
            if *x > 0 {
                let root = |twice: i64| {
                    if twice < 0 {
                        Ordering::Greater
                    } else {
                        (4 * x * scale).cmp(&(twice * twice))
                    }
                };
                checked += check(&values, &root, mode, &a.sqrt(mode));
            }
            for (b, y) in &values {
                checked += check(&values, &rational(x + y, 1), mode, &a.add(b, mode));
                checked += check(&values, &rational(x * y, scale), mode, &a.mul(b, mode));
                checked += check(
                    &values,
                    &rational(x * y + y * scale, scale),
                    mode,
                    &a.fma(b, b, mode),
                );
                if *y != 0 {
                    checked += check(&values, &rational(x * scale, *y), mode, &a.div(b, mode));
                }
            }
        }
    }
    assert!(checked > 150_000, "{checked}");
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
