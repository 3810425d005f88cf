//! One step of growth: a random operator of the wanted sort over terms that are there.

use super::{Generator, Random};
use crate::op::{Op, RoundingMode};
use crate::pool::{TermId, TermPool};
use crate::sort::{FloatFormat, Sort, SortId};
use crate::value::FloatValue;
use std::collections::BTreeMap;

/// Terms by sort.
pub(super) struct Bank(BTreeMap<SortId, Vec<TermId>>);

impl Bank {
    pub fn new(pool: &TermPool, leaves: &[TermId]) -> Self {
        let mut bank = Bank(BTreeMap::new());
        for &leaf in leaves {
            bank.add(pool, leaf);
        }
        bank
    }

    pub fn add(&mut self, pool: &TermPool, term: TermId) {
        self.0.entry(pool.sort_id(term)).or_default().push(term);
    }

    /// A term of that sort, rather a late one.
    fn pick(&self, random: &mut Random, sort: SortId) -> TermId {
        let terms = &self.0[&sort];
        let late = terms.len().saturating_sub(8);
        let from = if random.one_in(2) { late } else { 0 };
        terms[from + random.index(terms.len() - from)]
    }

    fn sorts_where(&self, pool: &TermPool, test: impl Fn(Sort) -> bool) -> Vec<SortId> {
        self.0
            .keys()
            .copied()
            .filter(|&sort| test(pool.sort_of(sort)))
            .collect()
    }
}

fn is_bitvec(sort: Sort) -> bool {
    matches!(sort, Sort::BitVec(_))
}

fn is_float(sort: Sort) -> bool {
    matches!(sort, Sort::Float(_))
}

impl Generator {
    /// A new term of the wanted sort. Half of the time it is normalised.
    pub(super) fn grow(&mut self, pool: &mut TermPool, bank: &Bank, sort: SortId) -> TermId {
        if self.random.one_in(8) {
            return self.ite(pool, bank, sort);
        }
        if self.random.one_in(10)
            && let Some(term) = self.application(pool, bank, sort)
        {
            return term;
        }
        match pool.sort_of(sort) {
            Sort::Bool => self.grow_bool(pool, bank),
            Sort::BitVec(width) => self.grow_bitvec(pool, bank, sort, width),
            Sort::Int => self.grow_int(pool, bank, sort),
            Sort::Float(format) => self.grow_float(pool, bank, sort, format),
            Sort::Array { index, element } => self.grow_array(pool, bank, sort, index, element),
            Sort::Pointer { width } => self.grow_pointer(pool, bank, sort, width),
            Sort::Memory { width, cell } => self.grow_memory(pool, bank, sort, width, cell),
            Sort::FiniteMap { key, value, size } => {
                self.grow_finite_map(pool, bank, sort, (key, value, size))
            }
            Sort::Uninterpreted(_) => self.ite(pool, bank, sort),
        }
    }

    fn build(&mut self, pool: &mut TermPool, op: Op, children: &[TermId]) -> TermId {
        if self.random.one_in(2) {
            pool.make(op, children)
        } else {
            pool.intern(op, children)
        }
    }

    /// The operator over random terms of these sorts.
    fn over(&mut self, pool: &mut TermPool, bank: &Bank, op: Op, sorts: &[SortId]) -> TermId {
        let children: Vec<TermId> = sorts
            .iter()
            .map(|&sort| bank.pick(&mut self.random, sort))
            .collect();
        self.build(pool, op, &children)
    }

    fn ite(&mut self, pool: &mut TermPool, bank: &Bank, sort: SortId) -> TermId {
        self.over(pool, bank, Op::Ite, &[self.sorts[0], sort, sort])
    }

    fn application(&mut self, pool: &mut TermPool, bank: &Bank, sort: SortId) -> Option<TermId> {
        let fits = |pool: &TermPool, &f: &crate::op::FunctionId| pool.function_data(f).sort == sort;
        let function = *self.functions.iter().find(|f| fits(pool, f))?;
        let arguments = pool.function_data(function).arguments.to_vec();
        Some(self.over(pool, bank, Op::Apply(function), &arguments))
    }

    fn grow_bool(&mut self, pool: &mut TermPool, bank: &Bank) -> TermId {
        let bool = self.sorts[0];
        match self.random.below(12) {
            0 => self.over(pool, bank, Op::Not, &[bool]),
            1 => self.over(pool, bank, Op::And, &[bool, bool]),
            2 => self.over(pool, bank, Op::Or, &[bool, bool, bool]),
            3 => self.over(pool, bank, Op::Xor, &[bool, bool]),
            4 => self.over(pool, bank, Op::Implies, &[bool, bool]),
            5 | 6 => self.equality(pool, bank),
            _ => self.comparison(pool, bank),
        }
    }

    fn equality(&mut self, pool: &mut TermPool, bank: &Bank) -> TermId {
        let lambdas = self.fragment.lambdas;
        let sorts = bank.sorts_where(pool, |sort| match sort {
            // Finite maps and memories have no extensionality in what they are reduced to.
            Sort::Memory { .. } | Sort::FiniteMap { .. } => false,
            Sort::Array { .. } => !lambdas,
            _ => true,
        });
        let sort = *self.random.pick(&sorts);
        self.over(pool, bank, Op::Equal, &[sort, sort])
    }

    fn comparison(&mut self, pool: &mut TermPool, bank: &Bank) -> TermId {
        let sorts = bank.sorts_where(pool, |sort| {
            matches!(
                sort,
                Sort::BitVec(_) | Sort::Int | Sort::Float(_) | Sort::Pointer { .. }
            )
        });
        let Some(&sort) = (!sorts.is_empty()).then(|| self.random.pick(&sorts)) else {
            return self.equality(pool, bank);
        };
        let op = match pool.sort_of(sort) {
            Sort::BitVec(_) => *self.random.pick(&[
                Op::BvUlt,
                Op::BvUle,
                Op::BvSlt,
                Op::BvSle,
                Op::BvUmulOverflow,
                Op::BvSmulOverflow,
            ]),
            Sort::Int => *self.random.pick(&[Op::IntLe, Op::IntLt]),
            Sort::Pointer { .. } => *self.random.pick(&[Op::PointerLt, Op::PointerLe]),
            _ if self.random.one_in(2) => return self.float_class(pool, bank, sort),
            _ => *self.random.pick(&[Op::FloatLt, Op::FloatLe, Op::FloatEq]),
        };
        self.over(pool, bank, op, &[sort, sort])
    }

    fn float_class(&mut self, pool: &mut TermPool, bank: &Bank, sort: SortId) -> TermId {
        let op = *self.random.pick(&[
            Op::FloatIsNan,
            Op::FloatIsInfinite,
            Op::FloatIsZero,
            Op::FloatIsNormal,
            Op::FloatIsSubnormal,
            Op::FloatIsNegative,
            Op::FloatIsPositive,
        ]);
        self.over(pool, bank, op, &[sort])
    }

    fn grow_bitvec(
        &mut self,
        pool: &mut TermPool,
        bank: &Bank,
        sort: SortId,
        width: u32,
    ) -> TermId {
        const BINARY: [Op; 8] = [
            Op::BvAdd,
            Op::BvAdd,
            Op::BvMul,
            Op::BvAnd,
            Op::BvOr,
            Op::BvXor,
            Op::BvShl,
            Op::BvLshr,
        ];
        const DIVISION: [Op; 5] = [Op::BvUdiv, Op::BvUrem, Op::BvSdiv, Op::BvSrem, Op::BvSmod];
        match self.random.below(12) {
            0 => pool.bitvec(self.random.bits(width)),
            1 => self.over(pool, bank, Op::BvNot, &[sort]),
            2 => self.over(pool, bank, Op::BvNeg, &[sort]),
            3 => self.over(pool, bank, Op::BvAshr, &[sort, sort]),
            4 if self.fragment.division => {
                let op = *self.random.pick(&DIVISION);
                self.over(pool, bank, op, &[sort, sort])
            }
            5 | 6 => self.resized(pool, bank, width),
            7 => self.observed(pool, bank, sort),
            _ => {
                let op = *self.random.pick(&BINARY);
                self.over(pool, bank, op, &[sort, sort])
            }
        }
    }

    /// A bit-vector of that width cut, extended or concatenated from others, or taken from a float.
    fn resized(&mut self, pool: &mut TermPool, bank: &Bank, width: u32) -> TermId {
        let sorts = bank.sorts_where(pool, |sort| is_bitvec(sort) || is_float(sort));
        let other = *self.random.pick(&sorts);
        if let Sort::Float(format) = pool.sort_of(other) {
            if format.width() == width {
                return self.over(pool, bank, Op::FloatToBits, &[other]);
            }
            return pool.bitvec(self.random.bits(width));
        }
        let source = bank.pick(&mut self.random, other);
        let old = pool.width(source);
        if old > width {
            let low = self.random.below(u64::from(old - width + 1)) as u32;
            return self.build(pool, Op::Extract(low + width - 1, low), &[source]);
        }
        let by = width - old;
        match self.random.below(3) {
            0 => self.build(pool, Op::ZeroExtend(by), &[source]),
            1 => self.build(pool, Op::SignExtend(by), &[source]),
            _ if by == 0 => source,
            _ => {
                let filler = pool.bitvec(self.random.bits(by));
                self.build(pool, Op::Concat, &[source, filler])
            }
        }
    }

    /// A read from an array, a map or a memory, if there is one that fits.
    fn observed(&mut self, pool: &mut TermPool, bank: &Bank, sort: SortId) -> TermId {
        let sorts = bank.sorts_where(pool, |other| match other {
            Sort::Array { element, .. } => element == sort,
            Sort::FiniteMap { value, .. } => value == sort,
            Sort::Memory { cell, .. } => cell == sort,
            _ => false,
        });
        if sorts.is_empty() {
            return bank.pick(&mut self.random, sort);
        }
        let container = *self.random.pick(&sorts);
        match pool.sort_of(container) {
            Sort::Array { index, .. } => self.over(pool, bank, Op::Select, &[container, index]),
            Sort::FiniteMap { key, .. } => {
                self.over(pool, bank, Op::FiniteMapGet, &[container, key])
            }
            Sort::Memory { width, .. } => {
                let pointer = pool.sort_intern(Sort::Pointer { width });
                self.over(pool, bank, Op::MemoryRead, &[container, pointer])
            }
            other => unreachable!("invariant: {other:?} is a container"),
        }
    }

    fn grow_int(&mut self, pool: &mut TermPool, bank: &Bank, sort: SortId) -> TermId {
        let literal = pool.int(self.random.integer());
        match self.random.below(8) {
            0 => literal,
            1 => self.over(pool, bank, Op::IntNeg, &[sort]),
            2 => {
                let factor = bank.pick(&mut self.random, sort);
                self.build(pool, Op::IntMul, &[factor, literal])
            }
            3 if self.fragment.nonlinear => self.over(pool, bank, Op::IntMul, &[sort, sort]),
            4 if self.fragment.division => {
                let divisor = pool.int(1 + self.random.below(9));
                let dividend = bank.pick(&mut self.random, sort);
                let op = *self.random.pick(&[Op::IntDiv, Op::IntMod]);
                self.build(pool, op, &[dividend, divisor])
            }
            5 => self.observed(pool, bank, sort),
            _ => self.over(pool, bank, Op::IntAdd, &[sort, sort]),
        }
    }

    fn grow_float(
        &mut self,
        pool: &mut TermPool,
        bank: &Bank,
        sort: SortId,
        format: FloatFormat,
    ) -> TermId {
        let mode = *self.random.pick(&RoundingMode::ALL);
        match self.random.below(11) {
            0 => pool.float(FloatValue::from_bits(
                format,
                self.random.bits(format.width()),
            )),
            1 => self.over(pool, bank, Op::FloatNeg, &[sort]),
            2 => self.over(pool, bank, Op::FloatAbs, &[sort]),
            3 | 4 => self.over(pool, bank, Op::FloatAdd(mode), &[sort, sort]),
            5 => self.over(pool, bank, Op::FloatMul(mode), &[sort, sort]),
            6 => self.over(pool, bank, Op::FloatDiv(mode), &[sort, sort]),
            7 => self.over(pool, bank, Op::FloatRoundToIntegral(mode), &[sort]),
            8 => self.over(pool, bank, Op::FloatSqrt(mode), &[sort]),
            9 => self.over(pool, bank, Op::FloatFma(mode), &[sort, sort, sort]),
            _ => self.converted(pool, bank, format, mode),
        }
    }

    fn converted(
        &mut self,
        pool: &mut TermPool,
        bank: &Bank,
        format: FloatFormat,
        mode: RoundingMode,
    ) -> TermId {
        let sorts = bank.sorts_where(pool, |sort| is_bitvec(sort) || is_float(sort));
        let other = *self.random.pick(&sorts);
        let op = match pool.sort_of(other) {
            Sort::Float(_) => Op::FloatFromFloat(mode, format),
            Sort::BitVec(width) if width == format.width() => Op::FloatFromBits(format),
            _ if self.random.one_in(2) => Op::FloatFromSigned(mode, format),
            _ => Op::FloatFromUnsigned(mode, format),
        };
        self.over(pool, bank, op, &[other])
    }

    fn grow_array(
        &mut self,
        pool: &mut TermPool,
        bank: &Bank,
        sort: SortId,
        index: SortId,
        element: SortId,
    ) -> TermId {
        match self.random.below(8) {
            0 => self.over(pool, bank, Op::ConstantArray(sort), &[element]),
            1 if self.fragment.lambdas => self.lambda(pool, bank, sort, index, element),
            2 if self.fragment.ranges => {
                self.over(pool, bank, Op::ArraySet, &[sort, index, element, index])
            }
            3 if self.fragment.ranges => self.over(
                pool,
                bank,
                Op::ArrayCopy,
                &[sort, index, sort, index, index],
            ),
            _ => self.over(pool, bank, Op::Store, &[sort, index, element]),
        }
    }

    /// `λx. ite(x = i, v, select(a, x))`: a store in disguise.
    fn lambda(
        &mut self,
        pool: &mut TermPool,
        bank: &Bank,
        sort: SortId,
        index: SortId,
        element: SortId,
    ) -> TermId {
        let variable = pool.bound_variable(index);
        let (at, value, array) = (
            bank.pick(&mut self.random, index),
            bank.pick(&mut self.random, element),
            bank.pick(&mut self.random, sort),
        );
        let hit = pool.equal(variable, at);
        let old = pool.select(array, variable);
        let body = pool.ite(hit, value, old);
        pool.lambda(variable, body)
    }

    fn grow_pointer(
        &mut self,
        pool: &mut TermPool,
        bank: &Bank,
        sort: SortId,
        width: u32,
    ) -> TermId {
        let bits = pool.sort_intern(Sort::BitVec(width));
        match self.random.below(3) {
            0 => self.over(pool, bank, Op::Pointer, &[bits, bits]),
            1 => self.over(pool, bank, Op::PointerAdd, &[sort, bits]),
            _ => {
                let pointer = bank.pick(&mut self.random, sort);
                let base = self.build(pool, Op::PointerBase, &[pointer]);
                let offset = self.over(pool, bank, Op::PointerDifference, &[sort, sort]);
                self.build(pool, Op::Pointer, &[base, offset])
            }
        }
    }

    fn grow_memory(
        &mut self,
        pool: &mut TermPool,
        bank: &Bank,
        sort: SortId,
        width: u32,
        cell: SortId,
    ) -> TermId {
        let pointer = pool.sort_intern(Sort::Pointer { width });
        let bits = pool.sort_intern(Sort::BitVec(width));
        match self.random.below(6) {
            0 => self.over(pool, bank, Op::ConstantMemory(sort), &[cell]),
            1 => self.over(pool, bank, Op::MemorySet, &[sort, pointer, cell, bits]),
            2 => self.over(
                pool,
                bank,
                Op::MemoryCopy,
                &[sort, pointer, sort, pointer, bits],
            ),
            3 => {
                let (source, from) = (
                    bank.pick(&mut self.random, sort),
                    bank.pick(&mut self.random, pointer),
                );
                let word = self.build(pool, Op::MemoryReadBytes(2), &[source, from]);
                let (memory, at) = (
                    bank.pick(&mut self.random, sort),
                    bank.pick(&mut self.random, pointer),
                );
                self.build(pool, Op::MemoryWriteBytes, &[memory, at, word])
            }
            _ => self.over(pool, bank, Op::MemoryWrite, &[sort, pointer, cell]),
        }
    }

    fn grow_finite_map(
        &mut self,
        pool: &mut TermPool,
        bank: &Bank,
        sort: SortId,
        (key, value, size): (SortId, SortId, u32),
    ) -> TermId {
        if self.random.one_in(3) {
            let sorts: Vec<SortId> = (0..size).flat_map(|_| [key, value]).collect();
            return self.over(pool, bank, Op::FiniteMap, &sorts);
        }
        self.over(pool, bank, Op::FiniteMapSet, &[sort, key, value])
    }
}
