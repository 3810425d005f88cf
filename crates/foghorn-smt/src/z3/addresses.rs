//! Pointers as bit-vectors, base above offset, and ranges of indices.

use super::context::{Ast, Context};
use super::convert::bits_of;
use super::form::PointerOperation;
use crate::error::SolverError;
use foghorn_term::{BitVecValue, Op, Sort, TermId, TermPool};

/// What indices of a range operation are.
#[derive(Clone, Copy)]
pub(super) enum IndexSpace {
    Int,
    BitVec,
    /// Base and offset, each of this width.
    Pointer(u32),
}

impl IndexSpace {
    pub(super) fn of(pool: &TermPool, term: TermId) -> Result<Self, SolverError> {
        match pool.sort(term) {
            Sort::Memory { width, .. } => Ok(IndexSpace::Pointer(width)),
            Sort::Array { index, .. } => match pool.sort_of(index) {
                Sort::Int => Ok(IndexSpace::Int),
                Sort::BitVec(_) => Ok(IndexSpace::BitVec),
                Sort::Bool
                | Sort::Float(_)
                | Sort::Array { .. }
                | Sort::Pointer { .. }
                | Sort::Memory { .. }
                | Sort::FiniteMap { .. }
                | Sort::Uninterpreted(_) => Err(range_of_nothing()),
            },
            Sort::Bool
            | Sort::BitVec(_)
            | Sort::Int
            | Sort::Float(_)
            | Sort::Pointer { .. }
            | Sort::FiniteMap { .. }
            | Sort::Uninterpreted(_) => Err(range_of_nothing()),
        }
    }

    pub(super) fn inside(
        self,
        context: &Context,
        index: Ast,
        start: Ast,
        size: Ast,
    ) -> Result<Ast, SolverError> {
        match self {
            IndexSpace::Int => {
                let end = context.build_op(Op::IntAdd, &[start, size])?;
                let after = context.build_op(Op::IntLe, &[start, index])?;
                let before = context.build_op(Op::IntLt, &[index, end])?;
                context.build_op(Op::And, &[after, before])
            }
            IndexSpace::BitVec => {
                let distance = subtract(context, index, start)?;
                context.build_op(Op::BvUlt, &[distance, size])
            }
            IndexSpace::Pointer(width) => {
                let (base, offset) = split(context, index, width)?;
                let (start_base, start_offset) = split(context, start, width)?;
                let same = context.build_op(Op::Equal, &[base, start_base])?;
                let distance = subtract(context, offset, start_offset)?;
                let near = context.build_op(Op::BvUlt, &[distance, size])?;
                context.build_op(Op::And, &[same, near])
            }
        }
    }

    /// The index as far from `origin` as `index` is from `start`.
    pub(super) fn moved(
        self,
        context: &Context,
        index: Ast,
        start: Ast,
        origin: Ast,
    ) -> Result<Ast, SolverError> {
        match self {
            IndexSpace::Int => {
                let minus = context.build_op(Op::IntNeg, &[start])?;
                context.build_op(Op::IntAdd, &[index, minus, origin])
            }
            IndexSpace::BitVec => {
                let distance = subtract(context, index, start)?;
                context.build_op(Op::BvAdd, &[distance, origin])
            }
            IndexSpace::Pointer(width) => {
                let (_, offset) = split(context, index, width)?;
                let (_, start_offset) = split(context, start, width)?;
                let (base, origin_offset) = split(context, origin, width)?;
                let distance = subtract(context, offset, start_offset)?;
                let moved = context.build_op(Op::BvAdd, &[distance, origin_offset])?;
                context.build_op(Op::Concat, &[base, moved])
            }
        }
    }
}

fn range_of_nothing() -> SolverError {
    SolverError::Unsupported {
        solver: "Z3",
        construct: "a range operation over indices that are neither numbers nor pointers".into(),
    }
}

fn subtract(context: &Context, left: Ast, right: Ast) -> Result<Ast, SolverError> {
    let minus = context.build_op(Op::BvNeg, &[right])?;
    context.build_op(Op::BvAdd, &[left, minus])
}

/// Base and offset of a pointer.
fn split(context: &Context, pointer: Ast, width: u32) -> Result<(Ast, Ast), SolverError> {
    Ok((
        context.extract(2 * width - 1, width, pointer)?,
        context.extract(width - 1, 0, pointer)?,
    ))
}

fn pointer_width(pool: &TermPool, pointer: TermId) -> Result<u32, SolverError> {
    let Sort::Pointer { width } = pool.sort(pointer) else {
        return Err(SolverError::Internal(
            "a pointer operator on no pointer".into(),
        ));
    };
    Ok(width)
}

pub(super) fn pointer_operation(
    context: &Context,
    pool: &TermPool,
    term: TermId,
    operation: PointerOperation,
    arguments: &[Ast],
) -> Result<Ast, SolverError> {
    let width = pointer_width(pool, pool.child(term, 0))?;
    let (base, offset) = split(context, arguments[0], width)?;
    let compare = |op: Op| {
        let (other_base, other_offset) = split(context, arguments[1], width)?;
        let same = context.build_op(Op::Equal, &[base, other_base])?;
        let ordered = context.build_op(op, &[offset, other_offset])?;
        context.build_op(Op::And, &[same, ordered])
    };
    match operation {
        PointerOperation::Base => Ok(base),
        PointerOperation::Offset => Ok(offset),
        PointerOperation::Add => add_to_pointer(context, base, offset, arguments[1]),
        PointerOperation::Difference => {
            let (_, other) = split(context, arguments[1], width)?;
            subtract(context, offset, other)
        }
        PointerOperation::Less => compare(Op::BvSlt),
        PointerOperation::LessOrEqual => compare(Op::BvSle),
    }
}

fn add_to_pointer(
    context: &Context,
    base: Ast,
    offset: Ast,
    more: Ast,
) -> Result<Ast, SolverError> {
    let moved = context.build_op(Op::BvAdd, &[offset, more])?;
    context.build_op(Op::Concat, &[base, moved])
}

/// The pointers to `count` consecutive cells.
fn consecutive(
    context: &Context,
    pool: &TermPool,
    pointer_term: TermId,
    pointer: Ast,
    count: u32,
) -> Result<Vec<Ast>, SolverError> {
    let width = pointer_width(pool, pointer_term)?;
    let (base, offset) = split(context, pointer, width)?;
    (0..count)
        .map(|i| {
            let distance = BitVecValue::from_u64(width, u64::from(i));
            let distance = context.bit_vector(&bits_of(&distance))?;
            add_to_pointer(context, base, offset, distance)
        })
        .collect()
}

pub(super) fn read_bytes(
    context: &Context,
    pool: &TermPool,
    term: TermId,
    count: u32,
    arguments: &[Ast],
) -> Result<Ast, SolverError> {
    let pointers = consecutive(context, pool, pool.child(term, 1), arguments[1], count)?;
    let mut bytes: Vec<Ast> = pointers
        .iter()
        .map(|pointer| context.build_op(Op::Select, &[arguments[0], *pointer]))
        .collect::<Result<_, _>>()?;
    bytes.reverse();
    context.build_op(Op::Concat, &bytes)
}

pub(super) fn write_bytes(
    context: &Context,
    pool: &TermPool,
    term: TermId,
    arguments: &[Ast],
) -> Result<Ast, SolverError> {
    let count = pool.width(pool.child(term, 2)) / 8;
    let pointers = consecutive(context, pool, pool.child(term, 1), arguments[1], count)?;
    (0u32..)
        .zip(pointers)
        .try_fold(arguments[0], |memory, (i, pointer)| {
            let byte = context.extract(8 * i + 7, 8 * i, arguments[2])?;
            context.build_op(Op::Store, &[memory, pointer, byte])
        })
}
