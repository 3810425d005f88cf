//! Terms in SMT-LIB's words.
//!
//! [`head`] says how an operator is written in front of its arguments; the few that SMT-LIB does
//! not have are spelled out by [`expansion`] as a template over the arguments. [`super::script`]
//! puts the pieces together, names shared subterms and walks without recursion.

use crate::error::SolverError;
use foghorn_term::{Constant, FloatFormat, FloatValue, Op, Sort, SortId, TermId, TermPool};

/// A piece of an operator's template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    Text(String),
    /// The argument of this position.
    Argument(usize),
}

/// A name as a symbol: quoted where it has to be.
pub(crate) fn symbol(name: &str) -> String {
    let simple = |c: char| c.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/".contains(c);
    let starts_well = name.chars().next().is_some_and(|c| !c.is_ascii_digit());
    if starts_well && name.chars().all(simple) {
        return name.to_owned();
    }
    format!("|{}|", name.replace(['|', '\\'], "_"))
}

/// A sort. Sorts nest a few levels only.
pub(crate) fn sort(pool: &TermPool, id: SortId) -> Result<String, SolverError> {
    Ok(match pool.sort_of(id) {
        Sort::Bool => "Bool".to_owned(),
        Sort::BitVec(width) => format!("(_ BitVec {width})"),
        Sort::Int => "Int".to_owned(),
        Sort::Float(f) => format!("(_ FloatingPoint {} {})", f.exponent, f.significand),
        Sort::Array { index, element } => {
            format!("(Array {} {})", sort(pool, index)?, sort(pool, element)?)
        }
        Sort::Pointer { width } => format!("(_ BitVec {})", 2 * width),
        Sort::Memory { width, cell } => {
            format!("(Array (_ BitVec {}) {})", 2 * width, sort(pool, cell)?)
        }
        Sort::FiniteMap { .. } => return Err(unsupported("finite maps")),
        Sort::Uninterpreted(name) => symbol(pool.sort_name(name)),
    })
}

fn unsupported(construct: &str) -> SolverError {
    SolverError::Unsupported {
        solver: "SMT-LIB",
        construct: construct.to_owned(),
    }
}

/// A literal.
pub(super) fn literal(value: &Constant) -> String {
    match value {
        Constant::BitVec(value) => binary(value.width(), |i| value.bit(i)),
        Constant::Int(value) => {
            let digits = value.magnitude().to_string();
            if value.sign() == num_bigint::Sign::Minus {
                format!("(- {digits})")
            } else {
                digits
            }
        }
        Constant::Float(value) => float(value),
    }
}

fn binary(width: u32, bit: impl Fn(u32) -> bool) -> String {
    let digits = (0..width).rev().map(|i| if bit(i) { '1' } else { '0' });
    "#b".chars().chain(digits).collect()
}

fn float(value: &FloatValue) -> String {
    let FloatFormat {
        exponent,
        significand,
    } = value.format();
    let bits = value.bits();
    let bits = binary(bits.width(), |i| bits.bit(i));
    format!("((_ to_fp {exponent} {significand}) {bits})")
}

/// How an operator with plain arguments is written: `(head a b c)`. `None` if it needs a template.
pub(super) fn head(op: Op) -> Option<String> {
    Some(match op {
        Op::Extract(high, low) => format!("(_ extract {high} {low})"),
        Op::ZeroExtend(by) => format!("(_ zero_extend {by})"),
        Op::SignExtend(by) => format!("(_ sign_extend {by})"),
        Op::IntToBv(width) => format!("(_ int2bv {width})"),
        Op::BvToInt => "bv2nat".to_owned(),
        Op::FloatAdd(mode)
        | Op::FloatMul(mode)
        | Op::FloatDiv(mode)
        | Op::FloatFma(mode)
        | Op::FloatSqrt(mode)
        | Op::FloatRoundToIntegral(mode) => format!("{} {}", op.kind().name(), mode.name()),
        Op::FloatFromBits(f) => format!("(_ to_fp {} {})", f.exponent, f.significand),
        Op::FloatFromFloat(mode, f) | Op::FloatFromSigned(mode, f) => {
            format!("(_ to_fp {} {}) {}", f.exponent, f.significand, mode.name())
        }
        Op::FloatFromUnsigned(mode, f) => {
            let (e, s) = (f.exponent, f.significand);
            format!("(_ to_fp_unsigned {e} {s}) {}", mode.name())
        }
        Op::FloatToSigned(mode, width) => format!("(_ fp.to_sbv {width}) {}", mode.name()),
        Op::FloatToUnsigned(mode, width) => format!("(_ fp.to_ubv {width}) {}", mode.name()),
        Op::MemoryRead => "select".to_owned(),
        Op::MemoryWrite => "store".to_owned(),
        Op::Pointer => "concat".to_owned(),
        Op::Not
        | Op::And
        | Op::Or
        | Op::Xor
        | Op::Implies
        | Op::Ite
        | Op::Equal
        | Op::BvNot
        | Op::BvNeg
        | Op::BvAdd
        | Op::BvMul
        | Op::BvUdiv
        | Op::BvUrem
        | Op::BvSdiv
        | Op::BvSrem
        | Op::BvSmod
        | Op::BvAnd
        | Op::BvOr
        | Op::BvXor
        | Op::BvShl
        | Op::BvLshr
        | Op::BvAshr
        | Op::BvUlt
        | Op::BvUle
        | Op::BvSlt
        | Op::BvSle
        | Op::Concat
        | Op::IntAdd
        | Op::IntMul
        | Op::IntNeg
        | Op::IntDiv
        | Op::IntMod
        | Op::IntLe
        | Op::IntLt
        | Op::FloatRem
        | Op::FloatMin
        | Op::FloatMax
        | Op::FloatAbs
        | Op::FloatNeg
        | Op::FloatEq
        | Op::FloatLt
        | Op::FloatLe
        | Op::FloatIsNan
        | Op::FloatIsInfinite
        | Op::FloatIsZero
        | Op::FloatIsNormal
        | Op::FloatIsSubnormal
        | Op::FloatIsNegative
        | Op::FloatIsPositive
        | Op::Select
        | Op::Store => op.kind().name().to_owned(),
        Op::True
        | Op::False
        | Op::Constant(_)
        | Op::Symbol(_)
        | Op::Bound(_)
        | Op::Apply(_)
        | Op::BvUmulOverflow
        | Op::BvSmulOverflow
        | Op::FloatToBits
        | Op::ConstantArray(_)
        | Op::Lambda(_)
        | Op::ArraySet
        | Op::ArrayCopy
        | Op::FiniteMap
        | Op::FiniteMapGet
        | Op::FiniteMapSet
        | Op::PointerBase
        | Op::PointerOffset
        | Op::PointerAdd
        | Op::PointerDifference
        | Op::PointerLt
        | Op::PointerLe
        | Op::ConstantMemory(_)
        | Op::MemoryReadBytes(_)
        | Op::MemoryWriteBytes
        | Op::MemorySet
        | Op::MemoryCopy => return None,
    })
}

/// Splits a text with `{0}`, `{1}`, … at the places of arguments.
fn template(text: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(open) = rest.find('{') {
        let close = open + rest[open..].find('}').expect("invariant: templates close");
        pieces.push(Piece::Text(rest[..open].to_owned()));
        let index = rest[open + 1..close]
            .parse()
            .expect("invariant: templates hold numbers");
        pieces.push(Piece::Argument(index));
        rest = &rest[close + 1..];
    }
    pieces.push(Piece::Text(rest.to_owned()));
    pieces
}

/// An operator that SMT-LIB has no word for, spelled out. Arguments may occur more than once, so
/// the caller gives them names first.
pub(super) fn expansion(pool: &TermPool, term: TermId) -> Result<Vec<Piece>, SolverError> {
    let child_sort = |i: usize| pool.sort(pool.child(term, i));
    let text = match pool.op(term) {
        Op::BvUmulOverflow => product_overflow(pool.width(pool.child(term, 0)), false),
        Op::BvSmulOverflow => product_overflow(pool.width(pool.child(term, 0)), true),
        Op::FloatToBits => match child_sort(0) {
            Sort::Float(format) => {
                let quiet = FloatValue::nan(format);
                let quiet = binary(format.width(), |i| quiet.bits().bit(i));
                format!("(ite (fp.isNaN {{0}}) {quiet} (fp.to_ieee_bv {{0}}))")
            }
            _ => return Err(SolverError::Internal("bits of something no float".into())),
        },
        Op::ConstantArray(id) | Op::ConstantMemory(id) => {
            format!("((as const {}) {{0}})", sort(pool, id)?)
        }
        Op::PointerBase
        | Op::PointerOffset
        | Op::PointerAdd
        | Op::PointerDifference
        | Op::PointerLt
        | Op::PointerLe => match child_sort(0) {
            Sort::Pointer { width } => pointer(pool.op(term), width),
            _ => {
                return Err(SolverError::Internal(
                    "a pointer operator on no pointer".into(),
                ));
            }
        },
        Op::MemoryReadBytes(count) => match child_sort(1) {
            Sort::Pointer { width } => read_bytes(width, count),
            _ => return Err(SolverError::Internal("a read through no pointer".into())),
        },
        Op::MemoryWriteBytes => match child_sort(1) {
            Sort::Pointer { width } => write_bytes(width, pool.width(pool.child(term, 2)) / 8),
            _ => return Err(SolverError::Internal("a write through no pointer".into())),
        },
        other => return Err(unsupported(other.kind().name())),
    };
    Ok(template(&text))
}

fn product_overflow(width: u32, signed: bool) -> String {
    let extend = if signed { "sign_extend" } else { "zero_extend" };
    let product = format!("(bvmul ((_ {extend} {width}) {{0}}) ((_ {extend} {width}) {{1}}))");
    let low = if signed { width - 1 } else { width };
    let high = 2 * width - 1;
    let top = format!("((_ extract {high} {low}) {product})");
    let zeros = binary(high - low + 1, |_| false);
    if !signed {
        return format!("(not (= {top} {zeros}))");
    }
    let ones = binary(high - low + 1, |_| true);
    format!("(let ((top {top})) (not (or (= top {zeros}) (= top {ones}))))")
}

fn base(width: u32, argument: usize) -> String {
    format!("((_ extract {} {width}) {{{argument}}})", 2 * width - 1)
}

fn offset(width: u32, argument: usize) -> String {
    format!("((_ extract {} 0) {{{argument}}})", width - 1)
}

fn pointer(op: Op, width: u32) -> String {
    let (base0, offset0) = (base(width, 0), offset(width, 0));
    let ordered = |less: &str| {
        format!(
            "(and (= {base0} {}) ({less} {offset0} {}))",
            base(width, 1),
            offset(width, 1)
        )
    };
    match op {
        Op::PointerBase => base0,
        Op::PointerOffset => offset0,
        Op::PointerAdd => format!("(concat {base0} (bvadd {offset0} {{1}}))"),
        Op::PointerDifference => format!("(bvsub {offset0} {})", offset(width, 1)),
        Op::PointerLt => ordered("bvslt"),
        _ => ordered("bvsle"),
    }
}

/// The pointer `distance` cells after the one that is argument 1.
fn after(width: u32, distance: u32) -> String {
    let amount = binary(width, |i| i < 32 && distance >> i & 1 == 1);
    format!(
        "(concat {} (bvadd {} {amount}))",
        base(width, 1),
        offset(width, 1)
    )
}

fn read_bytes(width: u32, count: u32) -> String {
    let bytes: Vec<String> = (0..count)
        .rev()
        .map(|i| format!("(select {{0}} {})", after(width, i)))
        .collect();
    match bytes.as_slice() {
        [one] => one.clone(),
        _ => format!("(concat {})", bytes.join(" ")),
    }
}

fn write_bytes(width: u32, count: u32) -> String {
    (0..count).fold("{0}".to_owned(), |memory, i| {
        let (high, low) = (8 * i + 7, 8 * i);
        let at = after(width, i);
        format!("(store {memory} {at} ((_ extract {high} {low}) {{2}}))")
    })
}
