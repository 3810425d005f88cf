//! The instructions of one block as terms.
//!
//! A value that the block does not define is a symbol, or what pure instructions made of symbols.
//! What is not expressed (what memory holds, floating-point numbers, addresses) is a fresh symbol;
//! one memory holds one value at one pointer, however often it is loaded. A run goes on behind an
//! instruction only if what the instruction demands holds, so that becomes a fact.

use foghorn_core::{CheckKind, CheckSelection};
use foghorn_encode::fact::function_size;
use foghorn_encode::scalar;
use foghorn_ir::{
    Body, Builtin, Callee, CastOp, Constant, GlobalContents, InstId, Instruction, IntPredicate,
    Module, Type, ValueDef, ValueId,
};
use foghorn_term::{BitVecValue, Sort, TermId, TermPool};
use rustc_hash::FxHashMap;

/// Definitions behind definitions that are looked into.
const MOST_DEFINITIONS: u32 = 24;

/// A value as terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    Integer(TermId),
    Truth(TermId),
    Pointer(Pointer),
    /// Floats and memories.
    Nothing,
}

/// A pointer as terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pointer {
    pub is_object: TermId,
    pub offset: TermId,
    pub size: TermId,
}

/// One block in the making.
pub struct BlockEncoder<'a> {
    pub module: &'a Module,
    pub body: &'a Body,
    pub checks: &'a CheckSelection,
    pub pool: TermPool,
    values: FxHashMap<ValueId, Known>,
    /// What was loaded: of a memory, through a pointer, as a type.
    loaded: FxHashMap<(ValueId, ValueId, Type), Known>,
    /// What no pointer's size is below.
    least_size: i64,
    /// Definitions that are being looked into.
    depth: u32,
    /// What holds where the block is now.
    pub facts: Vec<TermId>,
}

impl<'a> BlockEncoder<'a> {
    pub fn new(
        module: &'a Module,
        body: &'a Body,
        checks: &'a CheckSelection,
        pool: TermPool,
        least_size: i64,
    ) -> Self {
        BlockEncoder {
            least_size,
            module,
            body,
            checks,
            pool,
            values: FxHashMap::default(),
            loaded: FxHashMap::default(),
            depth: 0,
            facts: Vec::new(),
        }
    }

    fn bits(&self) -> u32 {
        self.module.layout.pointer_bits()
    }

    /// Any value of a type.
    pub fn any(&mut self, ty: Type) -> Known {
        let bits = self.bits();
        match ty {
            Type::Int(1) => Known::Truth(self.pool.fresh_symbol("b", Sort::Bool)),
            Type::Int(width) => {
                let sort = Sort::BitVec(width.into());
                Known::Integer(self.pool.fresh_symbol("x", sort))
            }
            Type::Ptr => {
                let pointer = Pointer {
                    is_object: self.pool.fresh_symbol("o", Sort::Bool),
                    offset: self.pool.fresh_symbol("p", Sort::BitVec(bits)),
                    size: self.pool.fresh_symbol("s", Sort::BitVec(bits)),
                };
                let least = signed_literal(&mut self.pool, bits, self.least_size);
                let sane = self.pool.bv_sle(least, pointer.size);
                self.facts.push(sane);
                Known::Pointer(pointer)
            }
            Type::F32 | Type::F64 | Type::Memory(_) => Known::Nothing,
        }
    }

    /// No object is as large as half of the addresses.
    fn size_is_sane(&mut self, size: TermId) {
        let zero = self.pool.bv_zero(self.bits());
        let sane = self.pool.bv_sle(zero, size);
        self.facts.push(sane);
    }

    pub fn get(&mut self, value: ValueId) -> Known {
        if let Some(known) = self.values.get(&value) {
            return *known;
        }
        let known = match self.body.as_constant(value) {
            Some(constant) => self.constant(self.body.ty(value), constant),
            None => {
                let defined = self.defined(value);
                defined.unwrap_or_else(|| self.any(self.body.ty(value)))
            }
        };
        self.values.insert(value, known);
        known
    }

    /// A value of an earlier block by its definition. In SSA form that holds wherever the value is
    /// visible: its operands can change only on a path that defines it again.
    fn defined(&mut self, value: ValueId) -> Option<Known> {
        let ValueDef::Result(id, 0) = self.body.values[value].def else {
            return None;
        };
        let instruction = &self.body.instructions[id].instruction;
        let is_load = matches!(instruction, Instruction::Load { .. });
        let is_pure = is_load || instruction.is_function_of_operands();
        if !is_pure || self.depth >= MOST_DEFINITIONS {
            return None;
        }
        self.depth += 1;
        let known = self.value_of(instruction, Some(value));
        self.depth -= 1;
        known
    }

    /// A constant of that type.
    pub fn constant(&mut self, ty: Type, constant: Constant) -> Known {
        let bits = self.bits();
        match (constant, ty) {
            (Constant::Int(value), Type::Int(1)) => Known::Truth(self.pool.bool(value & 1 == 1)),
            (Constant::Int(value), Type::Int(width)) => {
                let value = BitVecValue::from_u128(width.into(), value);
                Known::Integer(self.pool.bitvec(value))
            }
            (Constant::Null, _) => Known::Pointer(self.null()),
            (Constant::Global(global), _) => {
                let global = &self.module.globals[global];
                let size = match global.contents {
                    GlobalContents::Initialised(_) => self.pool.bv(bits, global.size),
                    GlobalContents::External => {
                        let size = self.pool.fresh_symbol("s", Sort::BitVec(bits));
                        self.size_is_sane(size);
                        size
                    }
                };
                Known::Pointer(self.start_of(size))
            }
            (Constant::Function(function), _) => {
                let size = signed_literal(&mut self.pool, bits, function_size(function));
                Known::Pointer(self.start_of(size))
            }
            (Constant::Int(_) | Constant::F32(_) | Constant::F64(_), _) => self.any(ty),
        }
    }

    fn null(&mut self) -> Pointer {
        let zero = self.pool.bv_zero(self.bits());
        Pointer {
            is_object: self.pool.bool(false),
            offset: zero,
            size: zero,
        }
    }

    fn start_of(&mut self, size: TermId) -> Pointer {
        Pointer {
            is_object: self.pool.bool(true),
            offset: self.pool.bv_zero(self.bits()),
            size,
        }
    }

    pub fn integer(&mut self, value: ValueId) -> Option<TermId> {
        match self.get(value) {
            Known::Integer(term) => Some(term),
            Known::Truth(_) | Known::Pointer(_) | Known::Nothing => None,
        }
    }

    /// An `i1`, which every well-formed program has where one is asked for.
    pub fn truth(&mut self, value: ValueId) -> TermId {
        match self.get(value) {
            Known::Truth(term) => term,
            Known::Integer(_) | Known::Pointer(_) | Known::Nothing => {
                unreachable!("invariant: the verifier says that {value} is an i1")
            }
        }
    }

    fn pointer(&mut self, value: ValueId) -> Pointer {
        match self.get(value) {
            Known::Pointer(pointer) => pointer,
            Known::Integer(_) | Known::Truth(_) | Known::Nothing => {
                unreachable!("invariant: the verifier says that {value} is a pointer")
            }
        }
    }

    pub fn set(&mut self, value: ValueId, known: Known) {
        self.values.insert(value, known);
    }

    /// One instruction; calls of functions with bodies and checks are for whoever walks the block.
    pub fn instruction(&mut self, id: InstId) {
        let body = self.body;
        let data = &body.instructions[id];
        let value = self.value_of(&data.instruction, data.results.first().copied());
        match (value, &data.results[..]) {
            (Some(known), [result]) => self.set(*result, known),
            (_, results) => {
                for &result in results {
                    let any = self.any(body.ty(result));
                    self.set(result, any);
                }
            }
        }
        self.demands(&data.instruction, data.results.first().copied());
    }

    /// The one result of an instruction, if it is expressed.
    fn value_of(&mut self, instruction: &Instruction, result: Option<ValueId>) -> Option<Known> {
        match instruction {
            Instruction::Binary { op, lhs, rhs } => {
                let width = self.body.ty(*lhs).int_width()?;
                let (a, b) = (self.get(*lhs), self.get(*rhs));
                let (a, b) = (term(a)?, term(b)?);
                let value = scalar::binary(&mut self.pool, *op, width, a, b);
                Some(self.known(value))
            }
            Instruction::Overflows {
                op,
                signed,
                lhs,
                rhs,
            } => {
                let (a, b) = (self.get(*lhs), self.get(*rhs));
                let (a, b) = (term(a)?, term(b)?);
                let value = scalar::overflows(&mut self.pool, *op, *signed, a, b);
                Some(Known::Truth(value))
            }
            Instruction::Unary { op, operand } => {
                let operand = term(self.get(*operand))?;
                let value = scalar::unary(&mut self.pool, *op, operand);
                Some(self.known(value))
            }
            Instruction::Compare {
                predicate,
                lhs,
                rhs,
            } => self.compare(*predicate, *lhs, *rhs),
            Instruction::Cast { op, operand } => self.cast(*op, *operand, result?),
            Instruction::Select {
                condition,
                on_true,
                on_false,
            } => {
                let condition = self.truth(*condition);
                let (a, b) = (self.get(*on_true), self.get(*on_false));
                self.select(condition, a, b)
            }
            Instruction::PointerAdd {
                base,
                constant,
                scaled,
            } => self.pointer_add(*base, *constant, scaled),
            Instruction::Allocate { size, .. } => {
                let size = self.integer(*size)?;
                self.size_is_sane(size);
                Some(Known::Pointer(self.start_of(size)))
            }
            Instruction::Call {
                callee: Callee::Builtin(Builtin::ObjectOffset),
                arguments,
            } => {
                let pointer = self.pointer(arguments[0]);
                Some(Known::Integer(pointer.offset))
            }
            Instruction::Load { pointer, .. } => self.load(*pointer, result?),
            _ => None,
        }
    }

    fn load(&mut self, pointer: ValueId, result: ValueId) -> Option<Known> {
        let ValueDef::Result(id, 0) = self.body.values[result].def else {
            return None;
        };
        let &[memory] = &self.body.instructions[id].memory[..] else {
            return None;
        };
        let ty = self.body.ty(result);
        let key = (memory.input, pointer, ty);
        if let Some(known) = self.loaded.get(&key) {
            return Some(*known);
        }
        let any = self.any(ty);
        self.loaded.insert(key, any);
        Some(any)
    }

    fn known(&self, term: TermId) -> Known {
        match self.pool.sort(term) {
            Sort::Bool => Known::Truth(term),
            _ => Known::Integer(term),
        }
    }

    fn select(&mut self, condition: TermId, a: Known, b: Known) -> Option<Known> {
        Some(match (a, b) {
            (Known::Integer(a), Known::Integer(b)) => {
                Known::Integer(self.pool.ite(condition, a, b))
            }
            (Known::Truth(a), Known::Truth(b)) => Known::Truth(self.pool.ite(condition, a, b)),
            (Known::Pointer(a), Known::Pointer(b)) => Known::Pointer(Pointer {
                is_object: self.pool.ite(condition, a.is_object, b.is_object),
                offset: self.pool.ite(condition, a.offset, b.offset),
                size: self.pool.ite(condition, a.size, b.size),
            }),
            (Known::Integer(_) | Known::Truth(_) | Known::Pointer(_) | Known::Nothing, _) => {
                return None;
            }
        })
    }

    fn pointer_add(
        &mut self,
        base: ValueId,
        constant: i64,
        scaled: &[(ValueId, i64)],
    ) -> Option<Known> {
        let bits = self.bits();
        let mut pointer = self.pointer(base);
        let constant = signed_literal(&mut self.pool, bits, constant);
        pointer.offset = self.pool.bv_add(pointer.offset, constant);
        for (index, scale) in scaled {
            let index = self.integer(*index)?;
            let scale = signed_literal(&mut self.pool, bits, *scale);
            let moved = self.pool.bv_mul(index, scale);
            pointer.offset = self.pool.bv_add(pointer.offset, moved);
        }
        Some(Known::Pointer(pointer))
    }

    fn cast(&mut self, op: CastOp, operand: ValueId, result: ValueId) -> Option<Known> {
        let width = self.body.ty(result).int_width();
        match op {
            CastOp::Trunc | CastOp::ZExt | CastOp::SExt => {
                let operand = term(self.get(operand))?;
                let width = width?;
                let value = match op {
                    CastOp::SExt => scalar::sign_resized(&mut self.pool, operand, width),
                    _ => scalar::zero_resized(&mut self.pool, operand, width),
                };
                Some(self.known(value))
            }
            CastOp::IntToPtr => match self.body.as_constant(operand) {
                Some(Constant::Int(0)) => Some(Known::Pointer(self.null())),
                Some(_) | None => None,
            },
            CastOp::PtrToInt
            | CastOp::FpTrunc
            | CastOp::FpExt
            | CastOp::FpToUi
            | CastOp::FpToSi
            | CastOp::UiToFp
            | CastOp::SiToFp
            | CastOp::Bitcast => None,
        }
    }

    fn compare(&mut self, predicate: IntPredicate, lhs: ValueId, rhs: ValueId) -> Option<Known> {
        if self.body.ty(lhs) == Type::Ptr {
            return Some(Known::Truth(self.compare_pointers(predicate, lhs, rhs)));
        }
        let (a, b) = (term(self.get(lhs))?, term(self.get(rhs))?);
        Some(Known::Truth(scalar::compare(
            &mut self.pool,
            predicate,
            a,
            b,
        )))
    }

    fn compare_pointers(&mut self, predicate: IntPredicate, lhs: ValueId, rhs: ValueId) -> TermId {
        let (a, b) = (self.pointer(lhs), self.pointer(rhs));
        let answer = self.pool.fresh_symbol("c", Sort::Bool);
        let same_root = self.root(lhs) == self.root(rhs);
        let is_null = |id: ValueId| self.body.as_constant(id) == Some(Constant::Null);
        let null_test = match (is_null(lhs), is_null(rhs)) {
            (_, true) => Some(a),
            (true, false) => Some(b),
            (false, false) => None,
        };
        let same_offset = self.pool.equal(a.offset, b.offset);
        match predicate {
            IntPredicate::Eq | IntPredicate::Ne => {
                let equal = if let Some(pointer) = null_test {
                    let zero = self.pool.bv_zero(self.bits());
                    let at_zero = self.pool.equal(pointer.offset, zero);
                    let nothing = self.pool.not(pointer.is_object);
                    self.pool.and(&[nothing, at_zero])
                } else if same_root {
                    same_offset
                } else {
                    // Equal pointers to objects lead to one place of one object.
                    let same_size = self.pool.equal(a.size, b.size);
                    let objects = self.pool.and(&[a.is_object, b.is_object, answer]);
                    let same = self.pool.and(&[same_offset, same_size]);
                    let fact = self.pool.implies(objects, same);
                    self.facts.push(fact);
                    if self.is_function(lhs) || self.is_function(rhs) {
                        let both = self.pool.and(&[a.is_object, b.is_object, same]);
                        let fact = self.pool.implies(both, answer);
                        self.facts.push(fact);
                    }
                    answer
                };
                match predicate {
                    IntPredicate::Ne => self.pool.not(equal),
                    _ => equal,
                }
            }
            IntPredicate::Ult | IntPredicate::Ule | IntPredicate::Ugt | IntPredicate::Uge => {
                if same_root {
                    let by_offset = predicate.as_signed();
                    let order = scalar::compare(&mut self.pool, by_offset, a.offset, b.offset);
                    let agrees = self.pool.equal(answer, order);
                    let fact = self.pool.implies(a.is_object, agrees);
                    self.facts.push(fact);
                }
                answer
            }
            IntPredicate::Slt | IntPredicate::Sle | IntPredicate::Sgt | IntPredicate::Sge => answer,
        }
    }

    fn is_function(&self, value: ValueId) -> bool {
        matches!(self.body.as_constant(value), Some(Constant::Function(_)))
    }

    /// The pointer that a pointer is an offset of.
    fn root(&self, pointer: ValueId) -> ValueId {
        let mut root = pointer;
        while let ValueDef::Result(instruction, _) = self.body.values[root].def
            && let Instruction::PointerAdd { base, .. } =
                &self.body.instructions[instruction].instruction
        {
            root = *base;
        }
        root
    }

    /// What must hold for a run to go on behind an instruction.
    fn demands(&mut self, instruction: &Instruction, result: Option<ValueId>) {
        match instruction {
            Instruction::Load { pointer, .. } => {
                if let Some(result) = result {
                    self.access(*pointer, self.store_size(result));
                }
            }
            Instruction::Store { pointer, value, .. } => {
                self.access(*pointer, self.store_size(*value));
            }
            Instruction::MemoryCopy {
                destination,
                source,
                length,
            } => {
                self.range(*destination, *length);
                self.range(*source, *length);
            }
            Instruction::MemorySet {
                destination,
                length,
                ..
            } => self.range(*destination, *length),
            Instruction::Assume { condition } => {
                let condition = self.truth(*condition);
                self.facts.push(condition);
            }
            Instruction::Check {
                kind, condition, ..
            } if self.stops(*kind) => {
                let condition = self.truth(*condition);
                self.facts.push(condition);
            }
            Instruction::Call { callee, arguments } => self.call_demands(callee, arguments),
            _ => {}
        }
    }

    fn call_demands(&mut self, callee: &Callee, arguments: &[ValueId]) {
        match (callee, arguments) {
            // The pointer analysis knows no function that this could call.
            (Callee::Indirect(_), _) => {
                let never = self.pool.bool(false);
                self.facts.push(never);
            }
            (Callee::Builtin(Builtin::WriteOutput | Builtin::ReadInput), [_, pointer, length])
            | (
                Callee::Builtin(Builtin::FormatFloat | Builtin::HavocMemory),
                [pointer, length, ..],
            ) => self.range(*pointer, *length),
            (Callee::Direct(_) | Callee::Builtin(_), _) => {}
        }
    }

    /// Whether a failing check of that kind ends a run.
    pub fn stops(&self, kind: CheckKind) -> bool {
        self.checks.contains(kind) || kind.always_stops()
    }

    fn store_size(&self, value: ValueId) -> u32 {
        let ty = self.body.ty(value);
        ty.store_size(self.module.layout.pointer_bytes)
    }

    /// That so many bytes lie within an object.
    pub fn is_within(&mut self, pointer: ValueId, bytes: u32) -> TermId {
        let bits = self.bits();
        let Pointer {
            is_object,
            offset,
            size,
        } = self.pointer(pointer);
        let zero = self.pool.bv_zero(bits);
        let at_least = self.pool.bv_sle(zero, offset);
        // Two bits more, so that nothing overflows.
        let (offset, size) = (
            self.pool.sign_extend(2, offset),
            self.pool.sign_extend(2, size),
        );
        let length = self.pool.bv(bits + 2, bytes.into());
        let end = self.pool.bv_add(offset, length);
        let at_most = self.pool.bv_sle(end, size);
        self.pool.and(&[is_object, at_least, at_most])
    }

    fn access(&mut self, pointer: ValueId, bytes: u32) {
        let within = self.is_within(pointer, bytes);
        self.facts.push(within);
    }

    fn range(&mut self, pointer: ValueId, length: ValueId) {
        match self.body.as_constant(length) {
            Some(Constant::Int(0)) => {}
            Some(Constant::Int(bytes)) if bytes < 1 << 31 => {
                let bytes = u32::try_from(bytes).unwrap_or_default();
                self.access(pointer, bytes);
            }
            Some(_) | None => {
                if let Some(length) = self.integer(length) {
                    let zero = self.pool.bv_zero(self.bits());
                    let sane = self.pool.bv_sle(zero, length);
                    self.facts.push(sane);
                }
            }
        }
    }

    /// A name for a block parameter or value, in messages.
    pub fn describe(value: u32) -> String {
        format!("v{value}")
    }
}

fn signed_literal(pool: &mut TermPool, bits: u32, value: i64) -> TermId {
    let value = i128::from(value).cast_unsigned();
    let cut = value & (u128::MAX >> (128 - bits));
    pool.bitvec(BitVecValue::from_u128(bits, cut))
}

fn term(known: Known) -> Option<TermId> {
    match known {
        Known::Integer(term) | Known::Truth(term) => Some(term),
        Known::Pointer(_) | Known::Nothing => None,
    }
}
