//! Values as solvers print them, back to ours.

use crate::error::SolverError;
use foghorn_term::eval::{ArrayValue, Value};
use foghorn_term::sexpr::{Document, SExprId};
use foghorn_term::{BitVecValue, FloatFormat, FloatValue, Sort, SortId, TermPool};
use num_bigint::{BigInt, BigUint};

/// Reads a value of the given sort; `None` if the text is no such value.
pub(super) fn value(
    document: &Document,
    pool: &TermPool,
    sort: SortId,
    id: SExprId,
) -> Option<Value> {
    match pool.sort_of(sort) {
        Sort::Bool => match document.atom(id)? {
            "true" => Some(Value::Bool(true)),
            "false" => Some(Value::Bool(false)),
            _ => None,
        },
        Sort::BitVec(width) => bits(document, id, width).map(Value::BitVec),
        Sort::Int => integer(document, id).map(Value::Int),
        Sort::Float(format) => float(document, id, format).map(Value::Float),
        Sort::Pointer { width } => pointer(document, id, width),
        Sort::Array { index, element } => {
            array(document, id, &|i| value(document, pool, index, i), &|i| {
                value(document, pool, element, i)
            })
        }
        Sort::Memory { width, cell } => {
            array(document, id, &|i| pointer(document, i, width), &|i| {
                value(document, pool, cell, i)
            })
        }
        Sort::FiniteMap { .. } => None,
        // Names differ between solvers; the number at the end tells elements of one sort apart.
        Sort::Uninterpreted(_) => {
            let name = match document.atom(id) {
                Some(atom) => atom,
                // (as @a Sort)
                None => document.atom(*document.list(id)?.get(1)?)?,
            };
            let digits = name.rsplit(|c: char| !c.is_ascii_digit()).next()?;
            digits.parse().ok().map(Value::Uninterpreted)
        }
    }
}

fn pointer(document: &Document, id: SExprId, width: u32) -> Option<Value> {
    let both = bits(document, id, 2 * width)?;
    Some(Value::Pointer {
        base: both.extract(2 * width - 1, width),
        offset: both.extract(width - 1, 0),
    })
}

fn integer(document: &Document, id: SExprId) -> Option<BigInt> {
    if let Some(atom) = document.atom(id) {
        return atom.parse().ok();
    }
    match document.call(id)? {
        ("-", [inner]) => document.atom(*inner)?.parse::<BigInt>().ok().map(|n| -n),
        _ => None,
    }
}

fn bits(document: &Document, id: SExprId, width: u32) -> Option<BitVecValue> {
    let number = match document.atom(id) {
        Some(atom) => {
            if let Some(digits) = atom.strip_prefix("#b") {
                BigUint::parse_bytes(digits.as_bytes(), 2)?
            } else {
                BigUint::parse_bytes(atom.strip_prefix("#x")?.as_bytes(), 16)?
            }
        }
        None => match document.call(id)? {
            ("_", [number, _]) => document.atom(*number)?.strip_prefix("bv")?.parse().ok()?,
            _ => return None,
        },
    };
    (number.bits() <= u64::from(width)).then(|| BitVecValue::from_biguint(width, number))
}

fn float(document: &Document, id: SExprId, format: FloatFormat) -> Option<FloatValue> {
    match document.call(id)? {
        ("fp", [sign, exponent, fraction]) => {
            let sign = bits(document, *sign, 1)?;
            let exponent = bits(document, *exponent, format.exponent)?;
            let fraction = bits(document, *fraction, format.significand - 1)?;
            let all = sign.concat(&exponent).concat(&fraction);
            Some(FloatValue::from_bits(format, all))
        }
        ("_", [name, _, _]) => match document.atom(*name)? {
            "NaN" => Some(FloatValue::nan(format)),
            "+oo" => Some(FloatValue::infinity(format, false)),
            "-oo" => Some(FloatValue::infinity(format, true)),
            "+zero" => Some(FloatValue::zero(format, false)),
            "-zero" => Some(FloatValue::zero(format, true)),
            _ => None,
        },
        _ => None,
    }
}

type Read<'a> = &'a dyn Fn(SExprId) -> Option<Value>;

/// Stores on a constant array. The outermost store wins, so it is applied last.
fn array(document: &Document, id: SExprId, index: Read<'_>, element: Read<'_>) -> Option<Value> {
    let mut stores = Vec::new();
    let mut rest = id;
    let default = loop {
        if let Some(("store", [inner, at, what])) = document.call(rest) {
            stores.push((*at, *what));
            rest = *inner;
            continue;
        }
        match document.list(rest)? {
            [constant, what] if matches!(document.call(*constant), Some(("as", _))) => {
                break element(*what)?;
            }
            _ => return None,
        }
    };
    let entries = stores
        .into_iter()
        .rev()
        .map(|(at, what)| Some((index(at)?, element(what)?)))
        .collect::<Option<Vec<_>>>()?;
    Some(Value::Array(ArrayValue::table(default, entries)))
}

/// The value in an answer to `get-value` for one term.
pub(super) fn answered_value(
    answer: &str,
    pool: &TermPool,
    sort: SortId,
    program: &str,
) -> Result<Value, SolverError> {
    let garbage = || SolverError::Garbage {
        program: program.to_owned(),
        answer: answer.chars().take(200).collect(),
        expected: "a value",
    };
    let document = Document::read(answer).map_err(|_| garbage())?;
    let find = || {
        let pairs = document.list(*document.top().first()?)?;
        let pair = document.list(*pairs.first()?)?;
        value(&document, pool, sort, *pair.get(1)?)
    };
    find().ok_or_else(garbage)
}
