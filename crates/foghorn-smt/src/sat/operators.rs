//! The circuit of each operator, from the words of its children.
//!
//! One table, exhaustive: an operator that is added to the language is either given a circuit here
//! or named among those that are refused. Leaves, sums and divisions need to know more than the
//! words of their children and are built by [`super::blast`] before it asks here.

use super::fragment::unsupported;
use crate::aig::{Aig, Edge};
use crate::circuit::{self, Shift, Word};
use crate::error::SolverError;
use foghorn_term::Op;

/// The words of the children.
pub(super) type Children<'a> = [&'a [Edge]];

/// The word of `op` over `children`; `width` is the number of bits of the result.
pub(super) fn circuit_of(
    aig: &mut Aig,
    op: Op,
    children: &Children<'_>,
    width: usize,
) -> Result<Word, SolverError> {
    let c = children;
    let bit = |edge: Edge| vec![edge];
    Ok(match op {
        Op::True => bit(Edge::TRUE),
        Op::False => bit(Edge::FALSE),
        Op::Not => bit(!c[0][0]),
        Op::And => bit(aig.and_all(&first_bits(c))),
        Op::Or => bit(aig.or_all(&first_bits(c))),
        Op::Xor => bit(aig.xor(c[0][0], c[1][0])),
        Op::Implies => bit(aig.implies(c[0][0], c[1][0])),
        Op::Ite => circuit::mux(aig, c[0][0], c[1], c[2]),
        Op::Equal => bit(circuit::equal(aig, c[0], c[1])),
        Op::BvNot => circuit::complement(c[0]),
        Op::BvNeg => circuit::negate(aig, c[0]),
        Op::BvAdd => fold(aig, c, circuit::add),
        Op::BvMul => fold(aig, c, circuit::multiply),
        Op::BvAnd => fold(aig, c, |aig, a, b| circuit::bitwise(aig, a, b, Aig::and)),
        Op::BvOr => fold(aig, c, |aig, a, b| circuit::bitwise(aig, a, b, Aig::or)),
        Op::BvXor => fold(aig, c, |aig, a, b| circuit::bitwise(aig, a, b, Aig::xor)),
        Op::BvUdiv => circuit::unsigned_divide_and_remainder(aig, c[0], c[1]).0,
        Op::BvUrem => circuit::unsigned_divide_and_remainder(aig, c[0], c[1]).1,
        Op::BvSdiv => circuit::signed_divide(aig, c[0], c[1]),
        Op::BvSrem => circuit::signed_remainder(aig, c[0], c[1]),
        Op::BvSmod => circuit::signed_modulo(aig, c[0], c[1]),
        Op::BvShl => circuit::shift(aig, Shift::Left, c[0], c[1]),
        Op::BvLshr => circuit::shift(aig, Shift::LogicalRight, c[0], c[1]),
        Op::BvAshr => circuit::shift(aig, Shift::ArithmeticRight, c[0], c[1]),
        Op::BvUlt => bit(circuit::less_than(aig, c[0], c[1])),
        Op::BvUle => bit(circuit::less_or_equal(aig, c[0], c[1])),
        Op::BvSlt => bit(circuit::signed_less_than(aig, c[0], c[1])),
        Op::BvSle => bit(circuit::signed_less_or_equal(aig, c[0], c[1])),
        Op::BvUmulOverflow => bit(circuit::unsigned_product_overflows(aig, c[0], c[1])),
        Op::BvSmulOverflow => bit(circuit::signed_product_overflows(aig, c[0], c[1])),
        Op::Concat => c.iter().rev().copied().flatten().copied().collect(),
        Op::Extract(high, low) => c[0][low as usize..=high as usize].to_vec(),
        Op::ZeroExtend(_) => extended(c[0], width, Edge::FALSE),
        Op::SignExtend(_) => extended(c[0], width, c[0][c[0].len() - 1]),
        Op::Pointer => [c[1], c[0]].concat(),
        Op::PointerBase => base(c[0]).to_vec(),
        Op::PointerOffset => offset(c[0]).to_vec(),
        Op::PointerAdd => [circuit::add(aig, offset(c[0]), c[1]), base(c[0]).to_vec()].concat(),
        Op::PointerDifference => circuit::subtract(aig, offset(c[0]), offset(c[1])),
        Op::PointerLt => bit(ordered(aig, c, circuit::signed_less_than)),
        Op::PointerLe => bit(ordered(aig, c, circuit::signed_less_or_equal)),
        Op::Constant(_)
        | Op::Symbol(_)
        | Op::Apply(_)
        | Op::Bound(_)
        | Op::IntAdd
        | Op::IntMul
        | Op::IntNeg
        | Op::IntDiv
        | Op::IntMod
        | Op::IntLe
        | Op::IntLt
        | Op::BvToInt
        | Op::IntToBv(_)
        | Op::FloatAdd(_)
        | Op::FloatMul(_)
        | Op::FloatDiv(_)
        | Op::FloatFma(_)
        | Op::FloatSqrt(_)
        | Op::FloatRem
        | Op::FloatRoundToIntegral(_)
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
        | Op::FloatFromBits(_)
        | Op::FloatToBits
        | Op::FloatFromFloat(..)
        | Op::FloatFromSigned(..)
        | Op::FloatFromUnsigned(..)
        | Op::FloatToSigned(..)
        | Op::FloatToUnsigned(..)
        | Op::Select
        | Op::Store
        | Op::ConstantArray(_)
        | Op::Lambda(_)
        | Op::ArraySet
        | Op::ArrayCopy
        | Op::FiniteMap
        | Op::FiniteMapGet
        | Op::FiniteMapSet
        | Op::ConstantMemory(_)
        | Op::MemoryRead
        | Op::MemoryWrite
        | Op::MemoryReadBytes(_)
        | Op::MemoryWriteBytes
        | Op::MemorySet
        | Op::MemoryCopy => return Err(unsupported(op.kind().name())),
    })
}

fn first_bits(children: &Children<'_>) -> Word {
    children.iter().map(|word| word[0]).collect()
}

fn fold(
    aig: &mut Aig,
    children: &Children<'_>,
    circuit: fn(&mut Aig, &[Edge], &[Edge]) -> Word,
) -> Word {
    let (first, rest) = children
        .split_first()
        .expect("invariant: an n-ary operator has children");
    rest.iter()
        .fold(first.to_vec(), |left, right| circuit(aig, &left, right))
}

fn extended(word: &[Edge], width: usize, fill: Edge) -> Word {
    let mut word = word.to_vec();
    word.resize(width, fill);
    word
}

/// The high half of a pointer.
fn base(pointer: &[Edge]) -> &[Edge] {
    &pointer[pointer.len() / 2..]
}

/// The low half of a pointer.
fn offset(pointer: &[Edge]) -> &[Edge] {
    &pointer[..pointer.len() / 2]
}

/// The same base, and offsets in this order.
fn ordered(
    aig: &mut Aig,
    children: &Children<'_>,
    order: fn(&mut Aig, &[Edge], &[Edge]) -> Edge,
) -> Edge {
    let same = circuit::equal(aig, base(children[0]), base(children[1]));
    let ordered = order(aig, offset(children[0]), offset(children[1]));
    aig.and(same, ordered)
}
