//! What C's `printf` makes of a floating-point number.
//!
//! Digits are exact: `%f` and `%e` round the exact decimal expansion, ties to even, as the C
//! library does in its default rounding mode. `%g` is defined by `%e` and `%f`, `%a` by the bits.

/// A conversion specification such as `%-+8.3e`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Conversion {
    left: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    zero: bool,
    width: usize,
    precision: Option<usize>,
    /// `f`, `e`, `g` or `a`.
    style: char,
    upper: bool,
}

/// Widths and precisions beyond this are cut, as no program prints so much by intention.
const LIMIT: usize = 1 << 20;

/// The text of a number, or `None` if the specification is not one for floats. Length modifiers
/// are accepted and have no effect.
pub fn format(specification: &str, value: f64) -> Option<String> {
    let conversion = parse(specification)?;
    let negative = value.is_sign_negative();
    let sign = match (negative, conversion.plus, conversion.space) {
        (true, _, _) => "-",
        (false, true, _) => "+",
        (false, false, true) => " ",
        (false, false, false) => "",
    };
    let magnitude = value.abs();
    let mut body = if value.is_nan() {
        "nan".to_owned()
    } else if value.is_infinite() {
        "inf".to_owned()
    } else {
        digits(&conversion, magnitude)
    };
    if conversion.upper {
        body = body.to_ascii_uppercase();
    }
    let zero = conversion.zero && value.is_finite();
    Some(pad(&conversion, sign, &body, zero))
}

fn parse(specification: &str) -> Option<Conversion> {
    let mut rest = specification.strip_prefix('%')?.chars().peekable();
    let mut conversion = Conversion::default();
    while let Some(&flag) = rest.peek() {
        match flag {
            '-' => conversion.left = true,
            '+' => conversion.plus = true,
            ' ' => conversion.space = true,
            '#' => conversion.alternate = true,
            '0' => conversion.zero = true,
            _ => break,
        }
        rest.next();
    }
    conversion.width = number(&mut rest);
    if rest.next_if_eq(&'.').is_some() {
        conversion.precision = Some(number(&mut rest));
    }
    while rest
        .next_if(|letter| matches!(letter, 'l' | 'L' | 'h'))
        .is_some()
    {}
    let letter = rest.next()?;
    if rest.next().is_some() {
        return None;
    }
    conversion.upper = letter.is_ascii_uppercase();
    conversion.style = letter.to_ascii_lowercase();
    matches!(conversion.style, 'f' | 'e' | 'g' | 'a').then_some(conversion)
}

fn number(rest: &mut std::iter::Peekable<std::str::Chars<'_>>) -> usize {
    let mut number = 0;
    while let Some(digit) = rest.peek().and_then(|letter| letter.to_digit(10)) {
        number = (number * 10 + digit as usize).min(LIMIT);
        rest.next();
    }
    number
}

fn pad(conversion: &Conversion, sign: &str, body: &str, zero: bool) -> String {
    let missing = conversion.width.saturating_sub(sign.len() + body.len());
    if conversion.left {
        format!("{sign}{body}{}", " ".repeat(missing))
    } else if zero {
        // Zeros go between a hexadecimal prefix and its digits.
        let (prefix, digits) = match body.get(..2) {
            Some(prefix @ ("0x" | "0X")) => (prefix, &body[2..]),
            Some(_) | None => ("", body),
        };
        format!("{sign}{prefix}{}{digits}", "0".repeat(missing))
    } else {
        format!("{}{sign}{body}", " ".repeat(missing))
    }
}

/// A number that is finite and not negative.
fn digits(conversion: &Conversion, value: f64) -> String {
    let alternate = conversion.alternate;
    match conversion.style {
        'f' => fixed(value, conversion.precision.unwrap_or(6), alternate),
        'e' => exponential(value, conversion.precision.unwrap_or(6), alternate),
        'g' => general(value, conversion.precision.unwrap_or(6), alternate),
        _ => hexadecimal(value, conversion.precision, alternate),
    }
}

fn fixed(value: f64, precision: usize, alternate: bool) -> String {
    let point = if precision == 0 && alternate { "." } else { "" };
    format!("{value:.precision$}{point}")
}

/// Mantissa digits with their point, and the exponent.
fn scientific(value: f64, precision: usize) -> (String, i32) {
    let text = format!("{value:.precision$e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    (mantissa.to_owned(), exponent.parse().unwrap_or(0))
}

fn exponential(value: f64, precision: usize, alternate: bool) -> String {
    let (mantissa, exponent) = scientific(value, precision);
    let point = if precision == 0 && alternate { "." } else { "" };
    format!("{mantissa}{point}{}", decimal_exponent(exponent))
}

fn decimal_exponent(exponent: i32) -> String {
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("e{sign}{:02}", exponent.unsigned_abs())
}

fn general(value: f64, precision: usize, alternate: bool) -> String {
    let precision = precision.max(1);
    let (mantissa, exponent) = scientific(value, precision - 1);
    let significant = precision as i32;
    if (-4..significant).contains(&exponent) {
        let text = fixed(value, (significant - 1 - exponent) as usize, alternate);
        if alternate {
            text
        } else {
            without_zeros(&text)
        }
    } else if alternate {
        exponential(value, precision - 1, true)
    } else {
        without_zeros(&mantissa) + &decimal_exponent(exponent)
    }
}

/// Without the zeros at the end of a fraction, and without a point that nothing follows.
fn without_zeros(text: &str) -> String {
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text.to_owned()
    }
}

const FRACTION_BITS: u32 = 52;

fn hexadecimal(value: f64, precision: Option<usize>, alternate: bool) -> String {
    let bits = value.to_bits();
    let biased = (bits >> FRACTION_BITS) as i32;
    let fraction = bits & ((1 << FRACTION_BITS) - 1);
    let (mut leading, exponent) = match (biased, fraction) {
        (0, 0) => (0, 0),
        (0, _) => (0, -1022),
        _ => (1, biased - 1023),
    };
    let fraction_digits = (FRACTION_BITS / 4) as usize;
    let mut digits = format!("{fraction:0fraction_digits$x}");
    match precision {
        None => digits.truncate(digits.trim_end_matches('0').len()),
        Some(count) if count >= fraction_digits => {
            digits.push_str(&"0".repeat(count - fraction_digits));
        }
        Some(count) => {
            let (carry, kept) = rounded(leading, fraction, count);
            leading = carry;
            digits = if count == 0 {
                String::new()
            } else {
                format!("{kept:0count$x}")
            };
        }
    }
    let point = if digits.is_empty() && !alternate {
        ""
    } else {
        "."
    };
    let sign = if exponent < 0 { '-' } else { '+' };
    format!(
        "0x{leading}{point}{digits}p{sign}{}",
        exponent.unsigned_abs()
    )
}

/// The leading digit and the first `count` hexadecimal digits, to nearest, ties to even.
fn rounded(leading: u64, fraction: u64, count: usize) -> (u64, u64) {
    let dropped = FRACTION_BITS - 4 * count as u32;
    let whole = (leading << FRACTION_BITS) | fraction;
    let (kept, rest) = (whole >> dropped, whole & ((1 << dropped) - 1));
    let half = 1 << (dropped - 1);
    let up = rest > half || (rest == half && kept & 1 == 1);
    let kept = kept + u64::from(up);
    let bits = 4 * count as u32;
    (kept >> bits, kept & ((1 << bits) - 1))
}

#[cfg(test)]
mod tests;
