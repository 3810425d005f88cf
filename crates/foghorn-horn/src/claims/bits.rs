//! Bit-vectors as numbers of claims: each is the number that its bits are, read as unsigned.

use super::read::Read;
use foghorn_encode::claim::{BitOperation, Expression, Formula};
use num_bigint::{BigInt, BigUint};

/// A bit-vector.
#[derive(Clone, Debug)]
pub struct Bits {
    pub width: u32,
    pub unsigned: Expression,
}

impl Bits {
    pub fn literal(number: &BigUint, width: u32) -> Self {
        let unsigned = Expression::Number(number.to_string());
        Bits { width, unsigned }
    }

    fn signed(&self) -> Expression {
        self.unsigned.clone().wrapped(self.width, true)
    }

    /// The low bits of a number.
    fn low(width: u32, of: Expression) -> Self {
        let unsigned = of.wrapped(width, false);
        Bits { width, unsigned }
    }

    fn as_literal(&self) -> Option<BigUint> {
        match &self.unsigned {
            Expression::Number(number) => number.parse().ok(),
            _ => None,
        }
    }
}

/// `#x…` or `#b…`.
pub fn literal(text: &str) -> Option<Bits> {
    let (digits, radix, each) = match (text.strip_prefix("#x"), text.strip_prefix("#b")) {
        (Some(digits), _) => (digits, 16, 4),
        (None, Some(digits)) => (digits, 2, 1),
        (None, None) => return None,
    };
    let number = BigUint::parse_bytes(digits.as_bytes(), radix)?;
    let width = u32::try_from(digits.len()).ok()? * each;
    Some(Bits::literal(&number, width))
}

fn power(exponent: u32) -> BigInt {
    BigInt::from(1) << exponent
}

fn scaled(of: &Expression, factor: &BigInt) -> Expression {
    Expression::Scaled(factor.to_string(), Box::new(of.clone()))
}

/// An operator with indices.
pub fn indexed(name: &str, indices: &[u32], operands: &[Bits]) -> Option<Bits> {
    let [of] = operands else { return None };
    match (name, indices) {
        ("extract", [high, low]) => {
            let shifted = match low {
                0 => of.unsigned.clone(),
                _ => Expression::Quotient(Box::new(of.unsigned.clone()), power(*low).to_string()),
            };
            Some(Bits::low(high.checked_sub(*low)? + 1, shifted))
        }
        ("zero_extend", [more]) => Some(Bits {
            width: of.width + more,
            unsigned: of.unsigned.clone(),
        }),
        ("sign_extend", [more]) => Some(Bits::low(of.width + more, of.signed())),
        _ => None,
    }
}

/// An operator.
pub fn apply(operator: &str, operands: &[Bits]) -> Option<Read> {
    match operands {
        [of] => unary(operator, of).map(Read::Bits),
        [left, right] => match comparison(operator, left, right) {
            Some(formula) => Some(Read::Truth(formula)),
            None => binary(operator, left, right).map(Read::Bits),
        },
        [first, rest @ ..] => {
            let is_associative = matches!(
                operator,
                "bvadd" | "bvmul" | "bvand" | "bvor" | "bvxor" | "concat"
            );
            let mut folded = Some(first.clone()).filter(|_| is_associative);
            for next in rest {
                folded = folded.and_then(|it| binary(operator, &it, next));
            }
            folded.map(Read::Bits)
        }
        [] => None,
    }
}

fn unary(operator: &str, of: &Bits) -> Option<Bits> {
    let minus = scaled(&of.unsigned, &BigInt::from(-1));
    match operator {
        "bvneg" => Some(Bits::low(of.width, minus)),
        "bvnot" => {
            let ones: BigInt = power(of.width) - 1;
            let ones = Expression::Number(ones.to_string());
            let unsigned = Expression::Sum(vec![ones, minus]);
            Some(Bits {
                width: of.width,
                unsigned,
            })
        }
        _ => None,
    }
}

fn comparison(operator: &str, left: &Bits, right: &Bits) -> Option<Formula> {
    let unsigned = || (left.unsigned.clone(), right.unsigned.clone());
    let ((left, right), strict, swapped) = match operator {
        "bvule" => (unsigned(), false, false),
        "bvult" => (unsigned(), true, false),
        "bvuge" => (unsigned(), false, true),
        "bvugt" => (unsigned(), true, true),
        "bvsle" => ((left.signed(), right.signed()), false, false),
        "bvslt" => ((left.signed(), right.signed()), true, false),
        "bvsge" => ((left.signed(), right.signed()), false, true),
        "bvsgt" => ((left.signed(), right.signed()), true, true),
        _ => return None,
    };
    let (left, right) = if swapped {
        (right, left)
    } else {
        (left, right)
    };
    Some(match strict {
        true => left.less(right),
        false => left.at_most(right),
    })
}

fn binary(operator: &str, left: &Bits, right: &Bits) -> Option<Bits> {
    let width = left.width;
    let (a, b) = (left.unsigned.clone(), right.unsigned.clone());
    let literal = right.as_literal();
    let bitwise = |operation| Bits {
        width,
        unsigned: a.clone().with_bits(operation, width, b.clone()),
    };
    match (operator, literal) {
        ("bvadd", _) => Some(Bits::low(width, a.plus(b))),
        ("bvsub", _) => Some(Bits::low(width, a.minus(b))),
        ("bvmul", _) => {
            let product = Expression::Product(Box::new(a), Box::new(b));
            Some(Bits::low(width, product))
        }
        ("bvand", _) => Some(bitwise(BitOperation::And)),
        ("bvor", _) => Some(bitwise(BitOperation::Or)),
        ("bvxor", _) => Some(bitwise(BitOperation::Xor)),
        ("concat", _) => {
            let unsigned = scaled(&a, &power(right.width)).plus(b);
            Some(Bits {
                width: width + right.width,
                unsigned,
            })
        }
        ("bvudiv" | "bvudiv_i", Some(by)) if by > BigUint::ZERO => Some(Bits {
            width,
            unsigned: Expression::Quotient(Box::new(a), by.to_string()),
        }),
        ("bvurem" | "bvurem_i", Some(by)) if by > BigUint::ZERO => Some(Bits {
            width,
            unsigned: Expression::Remainder(Box::new(a), by.to_string()),
        }),
        ("bvshl", Some(by)) => {
            let by = u32::try_from(by).ok().filter(|by| *by < width)?;
            Some(Bits::low(width, scaled(&a, &power(by))))
        }
        ("bvlshr", Some(by)) => {
            let by = u32::try_from(by).ok().filter(|by| *by < width)?;
            Some(Bits {
                width,
                unsigned: Expression::Quotient(Box::new(a), power(by).to_string()),
            })
        }
        _ => None,
    }
}

/// One of two.
pub fn choice(condition: Formula, then: Bits, otherwise: Bits) -> Option<Bits> {
    let same = then.width == otherwise.width;
    same.then(|| Bits {
        width: then.width,
        unsigned: Expression::Choice(
            Box::new(condition),
            Box::new(then.unsigned),
            Box::new(otherwise.unsigned),
        ),
    })
}
