//! Functions of the C library that the IR has operations for: allocation and mathematics.
//!
//! Allocations are made here rather than in a model so that the object bears the line of the
//! program's own call.

use super::cxx::Family;
use super::function::{FunctionTranslator, Scalars};
use foghorn_core::CheckKind;
use foghorn_ir::{
    AllocationKind, BinaryOp, Builtin, CastOp, Constant, FloatBinaryOp, FloatUnaryOp, Instruction,
    IntPredicate, NondetOrigin, OverflowOp, Target, Type, ValueId,
};
use smallvec::smallvec;

/// The name of the input that decides whether an allocation fails.
const ALLOCATION_FAILS: &str = "__foghorn_allocation_fails";

/// Alignment that `malloc` promises.
const HEAP_ALIGN: u32 = 16;

const ALLOCATION: &[&str] = &[
    "malloc",
    "calloc",
    "free",
    "cfree",
    "sea_free",
    "__foghorn_alloc",
    "__foghorn_alloc_permanent",
    "__foghorn_free",
    "memcpy",
    "memmove",
    "memset",
    "__rust_alloc",
    "__rust_alloc_zeroed",
    "__rust_dealloc",
    "__rust_realloc",
];

const UNARY: &[(&str, FloatUnaryOp)] = &[
    ("fabs", FloatUnaryOp::Abs),
    ("sqrt", FloatUnaryOp::Sqrt),
    ("floor", FloatUnaryOp::Floor),
    ("ceil", FloatUnaryOp::Ceil),
    ("trunc", FloatUnaryOp::Trunc),
    ("round", FloatUnaryOp::Round),
    ("rint", FloatUnaryOp::RoundEven),
    ("nearbyint", FloatUnaryOp::RoundEven),
    ("roundeven", FloatUnaryOp::RoundEven),
];

const BINARY: &[(&str, FloatBinaryOp)] = &[
    ("fmod", FloatBinaryOp::Rem),
    ("fmin", FloatBinaryOp::Min),
    ("fmax", FloatBinaryOp::Max),
    ("copysign", FloatBinaryOp::CopySign),
];

/// Functions of `<math.h>` that stay calls, with their number of arguments.
const MATH: &[(&str, usize)] = &[
    ("sin", 1),
    ("cos", 1),
    ("tan", 1),
    ("asin", 1),
    ("acos", 1),
    ("atan", 1),
    ("atan2", 2),
    ("sinh", 1),
    ("cosh", 1),
    ("tanh", 1),
    ("asinh", 1),
    ("acosh", 1),
    ("atanh", 1),
    ("exp", 1),
    ("exp2", 1),
    ("exp10", 1),
    ("expm1", 1),
    ("log", 1),
    ("log2", 1),
    ("log10", 1),
    ("log1p", 1),
    ("logb", 1),
    ("pow", 2),
    ("cbrt", 1),
    ("hypot", 2),
    ("erf", 1),
    ("erfc", 1),
    ("tgamma", 1),
    ("lgamma", 1),
    ("fdim", 2),
    ("remainder", 2),
    ("nextafter", 2),
];

/// A function of `<math.h>`: its name for `double`, and whether this is the `float` variant.
fn math_name(name: &str) -> Option<(&'static str, bool)> {
    let all = || {
        let unary = UNARY.iter().map(|&(name, _)| name);
        let binary = BINARY.iter().map(|&(name, _)| name);
        let math = MATH.iter().map(|&(name, _)| name);
        unary.chain(binary).chain(math).chain(["fma"])
    };
    if let Some(found) = all().find(|&known| known == name) {
        return Some((found, false));
    }
    let stem = name.strip_suffix('f')?;
    all()
        .find(|&known| known == stem)
        .map(|found| (found, true))
}

/// Whether this is a function of `<math.h>` that the front end knows.
pub(crate) fn is_math(name: &str) -> bool {
    math_name(name).is_some()
}

/// Whether the front end knows a library function by itself.
pub(crate) fn is_known(name: &str) -> bool {
    ALLOCATION.contains(&name) || super::cxx::is_operator(name) || math_name(name).is_some()
}

impl FunctionTranslator<'_, '_> {
    pub(crate) fn library_call(
        &mut self,
        name: &str,
        arguments: &[Scalars],
        results: &[Type],
    ) -> Option<Scalars> {
        let values: Vec<ValueId> = arguments.iter().flatten().copied().collect();
        let produced = match math_name(name) {
            Some((function, single)) => self.math_call(function, single, &values)?,
            None => self.allocation_call(name, &values)?,
        };
        Some(self.fit_results(&produced, results))
    }

    fn allocation_call(&mut self, name: &str, values: &[ValueId]) -> Option<Scalars> {
        let size_type = self.size_type();
        let size = |this: &mut Self, index: usize| {
            let value = *values.get(index)?;
            Some(this.adapt(value, size_type))
        };
        let pointer = |this: &mut Self, index: usize| {
            let value = *values.get(index)?;
            Some(this.adapt(value, Type::Ptr))
        };
        match name {
            "__foghorn_alloc" => {
                let size = size(self, 0)?;
                Some(smallvec![self.allocate(
                    AllocationKind::Heap,
                    size,
                    HEAP_ALIGN
                )])
            }
            "__foghorn_alloc_permanent" => {
                let bytes = size(self, 0)?;
                let align = self.constant_align(values.get(1).copied());
                let object = self.allocate(AllocationKind::Permanent, bytes, align);
                Some(smallvec![object])
            }
            "malloc" => {
                let size = size(self, 0)?;
                let allocate =
                    |this: &mut Self| this.allocate(AllocationKind::Heap, size, HEAP_ALIGN);
                Some(smallvec![self.perhaps(|this| this.fitting(size, allocate))])
            }
            "__rust_alloc" => {
                let bytes = size(self, 0)?;
                let align = self.constant_align(values.get(1).copied());
                Some(smallvec![self.allocate(AllocationKind::Heap, bytes, align)])
            }
            "__rust_alloc_zeroed" => {
                let bytes = size(self, 0)?;
                let align = self.constant_align(values.get(1).copied());
                Some(smallvec![self.zeroed(bytes, align)])
            }
            "calloc" => {
                let (count, each) = (size(self, 0)?, size(self, 1)?);
                let allocate = |this: &mut Self| this.calloc(count, each);
                Some(smallvec![self.perhaps(allocate)])
            }
            "free" | "cfree" | "sea_free" | "__foghorn_free" | "__rust_dealloc" => {
                let pointer = pointer(self, 0)?;
                self.check_family(pointer, Family::Malloc);
                self.emit(Instruction::Free { pointer }, &[]);
                Some(Scalars::new())
            }
            "__rust_realloc" => {
                let (old, old_size) = (pointer(self, 0)?, size(self, 1)?);
                let new_size = size(self, 3)?;
                let align = self.constant_align(values.get(2).copied());
                Some(smallvec![self.reallocate(old, old_size, new_size, align)])
            }
            "memcpy" => {
                let (to, from) = (pointer(self, 0)?, pointer(self, 1)?);
                let length = size(self, 2)?;
                self.check_overlap(to, from, length);
                self.memory_copy(to, from, length);
                Some(smallvec![to])
            }
            "memmove" => {
                let (to, from) = (pointer(self, 0)?, pointer(self, 1)?);
                let length = size(self, 2)?;
                self.memory_copy(to, from, length);
                Some(smallvec![to])
            }
            "memset" => {
                let destination = pointer(self, 0)?;
                let byte = self.adapt(*values.get(1)?, Type::I8);
                let length = size(self, 2)?;
                let fill = Instruction::MemorySet {
                    destination,
                    byte,
                    length,
                };
                self.emit(fill, &[]);
                Some(smallvec![destination])
            }
            _ => self.operator_call(name, values),
        }
    }

    /// An allocation; where the user says that they can fail, null in some executions.
    pub(super) fn perhaps(&mut self, allocate: impl FnOnce(&mut Self) -> ValueId) -> ValueId {
        if !self.module.options.malloc_may_fail {
            return allocate(self);
        }
        let fails = self.nondet(NondetOrigin::Input(ALLOCATION_FAILS.into()), Type::BOOL);
        self.null_if(fails, allocate)
    }

    /// An allocation of `size` bytes; null if they are more than half of the address space, as no
    /// object can be: the difference of two of its pointers would not fit.
    pub(super) fn fitting(
        &mut self,
        size: ValueId,
        allocate: impl FnOnce(&mut Self) -> ValueId,
    ) -> ValueId {
        let bits = self.pointer_bits();
        let largest = (1u128 << (bits - 1)) - 1;
        if let Some(Constant::Int(known)) = self.body.as_constant(size)
            && known <= largest
        {
            return allocate(self);
        }
        let largest = self.body.int(bits, largest.cast_signed());
        let too_large = self.compare(IntPredicate::Ugt, size, largest);
        self.null_if(too_large, allocate)
    }

    /// Null if the condition holds, else what is allocated.
    fn null_if(
        &mut self,
        condition: ValueId,
        allocate: impl FnOnce(&mut Self) -> ValueId,
    ) -> ValueId {
        let join = self.body.add_block();
        let result = self.body.add_param(join, Type::Ptr);
        let (on_failure, on_success) = self.branch(condition);
        self.block = on_failure;
        let null = self.null();
        self.jump(Target {
            block: join,
            arguments: vec![null],
        });
        self.block = on_success;
        let object = allocate(self);
        self.jump(Target {
            block: join,
            arguments: vec![object],
        });
        self.block = join;
        result
    }

    fn constant_align(&self, value: Option<ValueId>) -> u32 {
        match value.and_then(|value| self.body.as_constant(value)) {
            Some(Constant::Int(bits)) => u32::try_from(bits).unwrap_or(HEAP_ALIGN).max(1),
            _ => HEAP_ALIGN,
        }
    }

    fn zeroed(&mut self, size: ValueId, align: u32) -> ValueId {
        let object = self.allocate(AllocationKind::Heap, size, align);
        let byte = self.body.int(8, 0);
        let fill = Instruction::MemorySet {
            destination: object,
            byte,
            length: size,
        };
        self.emit(fill, &[]);
        object
    }

    /// Null if the size of the whole does not fit.
    fn calloc(&mut self, count: ValueId, each: ValueId) -> ValueId {
        let constant = |this: &Self, value| match this.body.as_constant(value) {
            Some(Constant::Int(bits)) => Some(bits),
            _ => None,
        };
        let bits = u32::from(self.pointer_bits());
        if let (Some(a), Some(b)) = (constant(self, count), constant(self, each))
            && a.checked_mul(b).is_some_and(|product| product >> bits == 0)
        {
            let size = self.binary(BinaryOp::Mul, count, each);
            return self.fitting(size, |this| this.zeroed(size, HEAP_ALIGN));
        }
        let too_much = self.overflows(OverflowOp::Mul, false, count, each);
        self.null_if(too_much, |this| {
            let size = this.binary(BinaryOp::Mul, count, each);
            this.fitting(size, |this| this.zeroed(size, HEAP_ALIGN))
        })
    }

    fn reallocate(
        &mut self,
        old: ValueId,
        old_size: ValueId,
        new_size: ValueId,
        align: u32,
    ) -> ValueId {
        let new = self.allocate(AllocationKind::Heap, new_size, align);
        let shrinks = self.compare(IntPredicate::Ult, new_size, old_size);
        let length = self.select(shrinks, new_size, old_size);
        self.memory_copy(new, old, length);
        self.emit(Instruction::Free { pointer: old }, &[]);
        new
    }

    /// `memcpy` forbids overlap: distinct objects, or offsets at least `length` apart.
    fn check_overlap(&mut self, a: ValueId, b: ValueId, length: ValueId) {
        let size_type = self.size_type();
        let same = self.builtin(Builtin::SameObject, vec![a, b], &[Type::BOOL])[0];
        let apart = self.not(same);
        let offset_a = self.builtin(Builtin::ObjectOffset, vec![a], &[size_type])[0];
        let offset_b = self.builtin(Builtin::ObjectOffset, vec![b], &[size_type])[0];
        let forward = self.binary(BinaryOp::Sub, offset_a, offset_b);
        let backward = self.binary(BinaryOp::Sub, offset_b, offset_a);
        let forward = self.compare(IntPredicate::Uge, forward, length);
        let backward = self.compare(IntPredicate::Uge, backward, length);
        let distant = self.and(forward, backward);
        let fine = self.or(apart, distant);
        self.check(CheckKind::Overlap, fine, None);
    }

    /// A function of `<math.h>`; `single` for its `float` variant.
    pub(crate) fn math_call(
        &mut self,
        name: &str,
        single: bool,
        values: &[ValueId],
    ) -> Option<Scalars> {
        let ty = if single { Type::F32 } else { Type::F64 };
        let argument = |this: &mut Self, index: usize| {
            let value = *values.get(index)?;
            Some(this.adapt(value, ty))
        };
        if let Some(&(_, op)) = UNARY.iter().find(|(known, _)| *known == name) {
            let operand = argument(self, 0)?;
            return Some(smallvec![self.float_unary(op, operand)]);
        }
        if let Some(&(_, op)) = BINARY.iter().find(|(known, _)| *known == name) {
            let (lhs, rhs) = (argument(self, 0)?, argument(self, 1)?);
            return Some(smallvec![self.float_binary(op, lhs, rhs)]);
        }
        if name == "fma" {
            let (a, b, c) = (argument(self, 0)?, argument(self, 1)?, argument(self, 2)?);
            return Some(smallvec![
                self.emit1(Instruction::FusedMultiplyAdd { a, b, c }, ty)
            ]);
        }
        let &(_, count) = MATH.iter().find(|(known, _)| *known == name)?;
        let mut arguments = vec![];
        for index in 0..count {
            let value = argument(self, index)?;
            arguments.push(match single {
                true => self.cast(CastOp::FpExt, value, Type::F64),
                false => value,
            });
        }
        // The float variants round differently from the double ones, so they keep their name.
        let name = if single {
            format!("{name}f")
        } else {
            name.to_owned()
        };
        let result = self.builtin(Builtin::Math(name.into()), arguments, &[Type::F64])[0];
        Some(smallvec![match single {
            true => self.cast(CastOp::FpTrunc, result, Type::F32),
            false => result,
        }])
    }
}
