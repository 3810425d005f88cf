//! Functions of `<math.h>` by name.
//!
//! Rust's standard library calls the platform's for these, so that results are those of a native
//! run. The `f32` functions are computed in `f32`; their operands arrive widened, which is exact.

/// The value of a function, or `None` for one that is not known or has other operands.
pub(super) fn evaluate(name: &str, operands: &[f64]) -> Option<f64> {
    match operands {
        [x] => unary_f64(name, *x).or_else(|| {
            let single = name.strip_suffix('f')?;
            unary_f32(single, *x as f32).map(f64::from)
        }),
        [x, y] => binary_f64(name, *x, *y).or_else(|| {
            let single = name.strip_suffix('f')?;
            binary_f32(single, *x as f32, *y as f32).map(f64::from)
        }),
        [x, y, z] => match name {
            "fma" => Some(x.mul_add(*y, *z)),
            "fmaf" => Some(f64::from((*x as f32).mul_add(*y as f32, *z as f32))),
            _ => None,
        },
        _ => None,
    }
}

macro_rules! functions {
    ($unary:ident, $binary:ident, $float:ty) => {
        fn $unary(name: &str, x: $float) -> Option<$float> {
            Some(match name {
                "sin" => x.sin(),
                "cos" => x.cos(),
                "tan" => x.tan(),
                "asin" => x.asin(),
                "acos" => x.acos(),
                "atan" => x.atan(),
                "sinh" => x.sinh(),
                "cosh" => x.cosh(),
                "tanh" => x.tanh(),
                "asinh" => x.asinh(),
                "acosh" => x.acosh(),
                "atanh" => x.atanh(),
                "exp" => x.exp(),
                "exp2" => x.exp2(),
                "expm1" => x.exp_m1(),
                "log" => x.ln(),
                "log2" => x.log2(),
                "log10" => x.log10(),
                "log1p" => x.ln_1p(),
                "sqrt" => x.sqrt(),
                "cbrt" => x.cbrt(),
                "fabs" => x.abs(),
                "floor" => x.floor(),
                "ceil" => x.ceil(),
                "trunc" => x.trunc(),
                "round" => x.round(),
                "rint" | "nearbyint" | "roundeven" => x.round_ties_even(),
                _ => return None,
            })
        }

        fn $binary(name: &str, x: $float, y: $float) -> Option<$float> {
            Some(match name {
                "pow" => x.powf(y),
                "atan2" => x.atan2(y),
                "hypot" => x.hypot(y),
                "fmod" => x % y,
                "fmin" => x.min(y),
                "fmax" => x.max(y),
                "fdim" if x.is_nan() || y.is_nan() => x + y,
                "fdim" if x > y => x - y,
                "fdim" => 0.0,
                "copysign" => x.copysign(y),
                "ldexp" | "scalbn" => scale(f64::from(x), f64::from(y)) as $float,
                "nextafter" => {
                    next_after(f64::from(x), f64::from(y), <$float>::MANTISSA_DIGITS) as $float
                }
                _ => return None,
            })
        }
    };
}

functions!(unary_f64, binary_f64, f64);
functions!(unary_f32, binary_f32, f32);

/// `x · 2^n` with one rounding: in steps of which only the last can round.
fn scale(x: f64, n: f64) -> f64 {
    if n.is_nan() {
        return n;
    }
    let mut n = n.clamp(-5000.0, 5000.0) as i32;
    let mut x = x;
    while n > 1000 {
        x *= power_of_two(1000);
        n -= 1000;
    }
    while n < -1022 {
        // Leaves more than 53 bits to the last step, so that no rounding before it matters.
        x *= power_of_two(-969);
        n += 969;
    }
    x * power_of_two(n)
}

/// 2^n for normal results.
fn power_of_two(n: i32) -> f64 {
    f64::from_bits(((1023 + i64::from(n)) as u64) << 52)
}

/// The next number from `x` towards `y`, of a format with that many digits.
fn next_after(x: f64, y: f64, digits: u32) -> f64 {
    if x.is_nan() || y.is_nan() {
        return x + y;
    }
    if x == y {
        return y;
    }
    if digits == f32::MANTISSA_DIGITS {
        let single = x as f32;
        return f64::from(if y > x {
            single.next_up()
        } else {
            single.next_down()
        });
    }
    if y > x { x.next_up() } else { x.next_down() }
}
