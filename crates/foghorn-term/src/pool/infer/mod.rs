//! The sort of an application, or why it has none.

mod memory;

use super::{TermId, TermPool};
use crate::op::{Op, OpKind};
use crate::pool::Constant;
use crate::sort::{FloatFormat, Sort, SortId};
use thiserror::Error;

/// The children do not fit the operator.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SortError {
    #[error("`{operator}` takes {expected} arguments, not {found}")]
    Arity {
        operator: &'static str,
        expected: &'static str,
        found: usize,
    },
    #[error("argument {position} of `{operator}` has a sort that does not fit")]
    Argument {
        operator: &'static str,
        position: usize,
    },
    #[error("the indices of `{operator}` do not fit its argument")]
    Index { operator: &'static str },
}

type Inferred = Result<SortId, SortError>;

struct Application<'a> {
    kind: OpKind,
    children: &'a [TermId],
}

impl Application<'_> {
    fn arity(&self, expected: usize) -> Result<(), SortError> {
        const NUMERALS: [&str; 6] = ["no", "1", "2", "3", "4", "5"];
        if self.children.len() == expected {
            return Ok(());
        }
        let expected = NUMERALS.get(expected).copied().unwrap_or("other");
        Err(self.wrong_arity(expected))
    }

    fn at_least(&self, count: usize) -> Result<(), SortError> {
        if self.children.len() >= count {
            Ok(())
        } else {
            Err(self.wrong_arity("more"))
        }
    }

    fn wrong_arity(&self, expected: &'static str) -> SortError {
        SortError::Arity {
            operator: self.kind.name(),
            expected,
            found: self.children.len(),
        }
    }

    fn argument(&self, position: usize) -> SortError {
        SortError::Argument {
            operator: self.kind.name(),
            position,
        }
    }

    fn index(&self) -> SortError {
        SortError::Index {
            operator: self.kind.name(),
        }
    }

    fn require(&self, fits: bool, position: usize) -> Result<(), SortError> {
        if fits {
            Ok(())
        } else {
            Err(self.argument(position))
        }
    }
}

impl TermPool {
    pub(super) fn infer(&mut self, op: Op, children: &[TermId]) -> Inferred {
        let at = Application {
            kind: op.kind(),
            children,
        };
        match op {
            Op::True | Op::False | Op::Constant(_) | Op::Symbol(_) | Op::Bound(_) => {
                at.arity(0)?;
                Ok(self.leaf_sort(op))
            }
            Op::Not | Op::And | Op::Or | Op::Xor | Op::Implies => self.infer_bool(&at),
            Op::Ite => self.infer_ite(&at),
            Op::Equal => self.infer_equal(&at),
            Op::Apply(function) => {
                let signature = self.function_data(function).clone();
                at.require(signature.arguments.len() == children.len(), children.len())?;
                for (position, (&child, &sort)) in
                    children.iter().zip(&signature.arguments).enumerate()
                {
                    at.require(self.sort_id(child) == sort, position)?;
                }
                Ok(signature.sort)
            }
            Op::BvNot | Op::BvNeg => self.infer_bv(&at, 1, 1),
            Op::BvUdiv | Op::BvUrem | Op::BvSdiv | Op::BvSrem | Op::BvSmod => {
                self.infer_bv(&at, 2, 2)
            }
            Op::BvShl | Op::BvLshr | Op::BvAshr => self.infer_bv(&at, 2, 2),
            Op::BvAdd | Op::BvMul | Op::BvAnd | Op::BvOr | Op::BvXor => {
                self.infer_bv(&at, 2, usize::MAX)
            }
            Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle => self.infer_bv_predicate(&at),
            Op::BvUmulOverflow | Op::BvSmulOverflow => self.infer_bv_predicate(&at),
            Op::Concat | Op::Extract(..) | Op::ZeroExtend(_) | Op::SignExtend(_) => {
                self.infer_slice(op, &at)
            }
            Op::IntAdd
            | Op::IntMul
            | Op::IntNeg
            | Op::IntDiv
            | Op::IntMod
            | Op::IntLe
            | Op::IntLt
            | Op::IntToBv(_) => self.infer_int(op, &at),
            Op::BvToInt => {
                at.arity(1)?;
                self.bv_width(&at, 0)?;
                Ok(self.sort_intern(Sort::Int))
            }
            Op::FloatAdd(_)
            | Op::FloatMul(_)
            | Op::FloatDiv(_)
            | Op::FloatFma(_)
            | Op::FloatSqrt(_)
            | Op::FloatRem
            | Op::FloatRoundToIntegral(_)
            | Op::FloatMin
            | Op::FloatMax
            | Op::FloatAbs
            | Op::FloatNeg => self.infer_float(op, &at),
            Op::FloatEq
            | Op::FloatLt
            | Op::FloatLe
            | Op::FloatIsNan
            | Op::FloatIsInfinite
            | Op::FloatIsZero
            | Op::FloatIsNormal
            | Op::FloatIsSubnormal
            | Op::FloatIsNegative
            | Op::FloatIsPositive => self.infer_float_predicate(op, &at),
            Op::FloatFromBits(_)
            | Op::FloatToBits
            | Op::FloatFromFloat(..)
            | Op::FloatFromSigned(..)
            | Op::FloatFromUnsigned(..)
            | Op::FloatToSigned(..)
            | Op::FloatToUnsigned(..) => self.infer_float_conversion(op, &at),
            Op::Select
            | Op::Store
            | Op::ConstantArray(_)
            | Op::Lambda(_)
            | Op::ArraySet
            | Op::ArrayCopy => self.infer_array(op, &at),
            Op::FiniteMap | Op::FiniteMapGet | Op::FiniteMapSet => self.infer_finite_map(op, &at),
            Op::Pointer
            | Op::PointerBase
            | Op::PointerOffset
            | Op::PointerAdd
            | Op::PointerDifference
            | Op::PointerLt
            | Op::PointerLe => self.infer_pointer(op, &at),
            Op::ConstantMemory(_)
            | Op::MemoryRead
            | Op::MemoryWrite
            | Op::MemoryReadBytes(_)
            | Op::MemoryWriteBytes
            | Op::MemorySet
            | Op::MemoryCopy => self.infer_memory(op, &at),
        }
    }

    fn leaf_sort(&mut self, op: Op) -> SortId {
        match op {
            Op::Constant(id) => {
                let sort = match self.constant_data(id) {
                    Constant::BitVec(value) => Sort::BitVec(value.width()),
                    Constant::Int(_) => Sort::Int,
                    Constant::Float(value) => Sort::Float(value.format()),
                };
                self.sort_intern(sort)
            }
            Op::Symbol(id) => self.symbol_data(id).sort,
            Op::Bound(id) => self.bound_sort(id),
            _ => self.sort_intern(Sort::Bool),
        }
    }

    fn infer_bool(&mut self, at: &Application<'_>) -> Inferred {
        match at.kind {
            OpKind::Not => at.arity(1)?,
            OpKind::Xor | OpKind::Implies => at.arity(2)?,
            _ => at.at_least(2)?,
        }
        for (position, &child) in at.children.iter().enumerate() {
            at.require(self.sort(child) == Sort::Bool, position)?;
        }
        Ok(self.sort_intern(Sort::Bool))
    }

    fn infer_ite(&mut self, at: &Application<'_>) -> Inferred {
        at.arity(3)?;
        at.require(self.sort(at.children[0]) == Sort::Bool, 0)?;
        self.same_sort(at, 1, 2)?;
        Ok(self.sort_id(at.children[1]))
    }

    fn infer_equal(&mut self, at: &Application<'_>) -> Inferred {
        at.arity(2)?;
        self.same_sort(at, 0, 1)?;
        Ok(self.sort_intern(Sort::Bool))
    }

    fn same_sort(&self, at: &Application<'_>, a: usize, b: usize) -> Result<(), SortError> {
        at.require(
            self.sort_id(at.children[a]) == self.sort_id(at.children[b]),
            b,
        )
    }

    fn bv_width(&self, at: &Application<'_>, position: usize) -> Result<u32, SortError> {
        match self.sort(at.children[position]) {
            Sort::BitVec(width) => Ok(width),
            _ => Err(at.argument(position)),
        }
    }

    fn infer_bv(&mut self, at: &Application<'_>, least: usize, most: usize) -> Inferred {
        if at.children.len() < least || at.children.len() > most {
            return Err(at.wrong_arity(if least == 1 { "1" } else { "2" }));
        }
        self.bv_width(at, 0)?;
        for position in 1..at.children.len() {
            self.same_sort(at, 0, position)?;
        }
        Ok(self.sort_id(at.children[0]))
    }

    fn infer_bv_predicate(&mut self, at: &Application<'_>) -> Inferred {
        self.infer_bv(at, 2, 2)?;
        Ok(self.sort_intern(Sort::Bool))
    }

    fn infer_slice(&mut self, op: Op, at: &Application<'_>) -> Inferred {
        if op == Op::Concat {
            at.at_least(2)?;
            let mut width = 0u32;
            for position in 0..at.children.len() {
                let more = self.bv_width(at, position)?;
                width = width.checked_add(more).ok_or_else(|| at.index())?;
            }
            return Ok(self.sort_intern(Sort::BitVec(width)));
        }
        at.arity(1)?;
        let width = self.bv_width(at, 0)?;
        let width = match op {
            Op::Extract(high, low) if low <= high && high < width => Some(high - low + 1),
            Op::ZeroExtend(by) | Op::SignExtend(by) => width.checked_add(by),
            _ => None,
        };
        Ok(self.sort_intern(Sort::BitVec(width.ok_or_else(|| at.index())?)))
    }

    fn infer_int(&mut self, op: Op, at: &Application<'_>) -> Inferred {
        match op {
            Op::IntNeg | Op::IntToBv(_) => at.arity(1)?,
            Op::IntAdd | Op::IntMul => at.at_least(2)?,
            _ => at.arity(2)?,
        }
        for (position, &child) in at.children.iter().enumerate() {
            at.require(self.sort(child) == Sort::Int, position)?;
        }
        let sort = match op {
            Op::IntLe | Op::IntLt => Sort::Bool,
            Op::IntToBv(width) if width >= 1 => Sort::BitVec(width),
            Op::IntToBv(_) => return Err(at.index()),
            _ => Sort::Int,
        };
        Ok(self.sort_intern(sort))
    }

    fn float_format(
        &self,
        at: &Application<'_>,
        position: usize,
    ) -> Result<FloatFormat, SortError> {
        match self.sort(at.children[position]) {
            Sort::Float(format) => Ok(format),
            _ => Err(at.argument(position)),
        }
    }

    fn infer_float(&mut self, op: Op, at: &Application<'_>) -> Inferred {
        match op {
            Op::FloatFma(_) => at.arity(3)?,
            Op::FloatSqrt(_) | Op::FloatRoundToIntegral(_) | Op::FloatAbs | Op::FloatNeg => {
                at.arity(1)?;
            }
            _ => at.arity(2)?,
        }
        self.float_format(at, 0)?;
        for position in 1..at.children.len() {
            self.same_sort(at, 0, position)?;
        }
        Ok(self.sort_id(at.children[0]))
    }

    fn infer_float_predicate(&mut self, op: Op, at: &Application<'_>) -> Inferred {
        match op {
            Op::FloatEq | Op::FloatLt | Op::FloatLe => at.arity(2)?,
            _ => at.arity(1)?,
        }
        self.float_format(at, 0)?;
        for position in 1..at.children.len() {
            self.same_sort(at, 0, position)?;
        }
        Ok(self.sort_intern(Sort::Bool))
    }

    fn infer_float_conversion(&mut self, op: Op, at: &Application<'_>) -> Inferred {
        at.arity(1)?;
        let sort = match op {
            Op::FloatFromBits(format) => {
                at.require(self.bv_width(at, 0)? == format.width(), 0)?;
                Sort::Float(format)
            }
            Op::FloatFromSigned(_, format) | Op::FloatFromUnsigned(_, format) => {
                self.bv_width(at, 0)?;
                Sort::Float(format)
            }
            Op::FloatFromFloat(_, format) => {
                self.float_format(at, 0)?;
                Sort::Float(format)
            }
            Op::FloatToSigned(_, width) | Op::FloatToUnsigned(_, width) if width >= 1 => {
                self.float_format(at, 0)?;
                Sort::BitVec(width)
            }
            Op::FloatToBits => Sort::BitVec(self.float_format(at, 0)?.width()),
            _ => return Err(at.index()),
        };
        Ok(self.sort_intern(sort))
    }
}
