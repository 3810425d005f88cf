//! Random bodies.
//!
//! A block uses its own values and those of the entry, which dominates every reachable block.

use super::{Generator, NAMES, TYPES};
use crate::body::{BlockId, Body, ValueId, Variable};
use crate::constant::Constant;
use crate::instruction::{
    AllocationKind, Builtin, Callee, HaltKind, Instruction, NondetOrigin, Target, Terminator,
};
use crate::module::{FunctionId, GlobalId, Signature};
use crate::operation::{
    BinaryOp, CastOp, FloatBinaryOp, FloatPredicate, FloatUnaryOp, IntPredicate, OverflowOp,
    UnaryOp,
};
use crate::types::Type;
use cranelift_entity::EntityRef;
use foghorn_core::CheckKind;

const INTS: [u128; 8] = [0, 1, 2, 7, u128::MAX, 1 << 31, 1 << 63, 1 << 127];
const F64S: [f64; 8] = [
    0.0,
    -0.0,
    1.5,
    1e300,
    f64::NAN,
    f64::INFINITY,
    5e-324,
    -123.25,
];

pub(super) struct BodyGenerator<'g> {
    generator: &'g mut Generator,
    body: Body,
    results: Vec<Type>,
    /// Values that dominate the current place: those of the entry, then those of the block.
    available: Vec<ValueId>,
    pointer_int: Type,
}

impl<'g> BodyGenerator<'g> {
    pub fn new(generator: &'g mut Generator, signature: &Signature) -> Self {
        let mut body = Body::new();
        for &ty in &signature.params {
            body.add_param(body.entry, ty);
        }
        let pointer_int = generator.module.layout.pointer_int();
        BodyGenerator {
            generator,
            body,
            results: signature.results.clone(),
            available: vec![],
            pointer_int,
        }
    }

    fn choose(&mut self, limit: usize) -> usize {
        self.generator.choices.below(limit)
    }

    fn of<T: Copy>(&mut self, choices: &[T]) -> T {
        self.generator.choices.of(choices)
    }

    fn name(&mut self) -> std::sync::Arc<str> {
        self.of(&NAMES).into()
    }

    pub fn run(mut self) -> Body {
        for _ in 0..self.choose(3) {
            let params = self.body.blocks[self.body.entry].params.clone();
            let slot = params.get(self.choose(3)).copied();
            let variable = Variable {
                name: self.name(),
                span: self.generator.span(),
                signed: self.choose(2) == 1,
                slot,
            };
            self.body.variables.push(variable);
        }
        for _ in 0..self.choose(5) {
            let block = self.body.add_block();
            for ty in self.generator.types(3) {
                self.body.add_param(block, ty);
            }
        }
        let blocks: Vec<_> = self.body.blocks.keys().collect();
        let mut from_entry = 0;
        let returning = self.choose(blocks.len());
        for (index, &block) in blocks.iter().enumerate() {
            self.available.truncate(from_entry);
            self.available.extend(&self.body.blocks[block].params);
            for _ in 0..self.choose(8) {
                self.instruction(block);
            }
            if block == self.body.entry {
                from_entry = self.available.len();
            }
            let terminator = self.terminator(&blocks, index == returning);
            let span = self.generator.span();
            if terminator == Terminator::Unreachable {
                let condition = self.body.constant(Type::BOOL, Constant::Int(0));
                let assume = Instruction::Assume { condition };
                self.body.append(block, assume, &[], span);
            }
            self.body.blocks[block].terminator = terminator;
            self.body.blocks[block].terminator_span = span;
        }
        self.body
    }

    fn constant(&mut self, ty: Type) -> ValueId {
        let constant = match ty {
            Type::Int(_) => Constant::Int(self.of(&INTS)),
            Type::F32 => Constant::F32((self.of(&F64S) as f32).to_bits()),
            Type::F64 => Constant::F64(self.of(&F64S).to_bits()),
            Type::Ptr => match self.choose(3) {
                0 => Constant::Null,
                1 if !self.generator.module.globals.is_empty() => {
                    Constant::Global(GlobalId::new(0))
                }
                _ => Constant::Function(FunctionId::new(0)),
            },
            Type::Memory(_) => unreachable!("random bodies are impure"),
        };
        self.body.constant(ty, constant)
    }

    fn operand(&mut self, ty: Type) -> ValueId {
        let body = &self.body;
        let fitting = self.available.iter().copied().filter(|&v| body.ty(v) == ty);
        let fitting: Vec<_> = fitting.collect();
        if fitting.is_empty() || self.choose(3) == 0 {
            return self.constant(ty);
        }
        self.of(&fitting)
    }

    fn operands(&mut self, types: &[Type]) -> Vec<ValueId> {
        types.iter().map(|&ty| self.operand(ty)).collect()
    }

    fn int(&mut self) -> Type {
        let ints: Vec<_> = TYPES
            .iter()
            .copied()
            .filter(|t| t.int_width().is_some())
            .collect();
        self.of(&ints)
    }

    fn terminator(&mut self, blocks: &[BlockId], returns: bool) -> Terminator {
        if returns {
            let results = self.results.clone();
            let values = self.operands(&results);
            return Terminator::Return { values };
        }
        match self.choose(5) {
            0 | 1 if blocks.len() > 1 => Terminator::Branch {
                condition: self.operand(Type::BOOL),
                on_true: self.target(blocks),
                on_false: self.target(blocks),
            },
            2 if blocks.len() > 1 => Terminator::Jump(self.target(blocks)),
            3 => Terminator::Halt {
                kind: self.of(&[HaltKind::Exit, HaltKind::Abort]),
                code: self.operand(Type::I32),
            },
            _ => Terminator::Unreachable,
        }
    }

    /// Any block but the entry.
    fn target(&mut self, blocks: &[BlockId]) -> Target {
        let block = self.of(&blocks[1..]);
        let params = self.body.blocks[block].params.clone();
        let types: Vec<_> = params.iter().map(|&p| self.body.ty(p)).collect();
        let arguments = self.operands(&types);
        Target { block, arguments }
    }

    fn instruction(&mut self, block: BlockId) {
        let (instruction, results) = match self.choose(3) {
            0 => self.arithmetic(),
            1 => self.memory(),
            _ => self.other(),
        };
        let span = self.generator.span();
        let id = self.body.append(block, instruction, &results, span);
        for value in self.body.instructions[id].results.clone() {
            if self.choose(4) == 0 {
                self.body.values[value].name = Some(self.name());
            }
            self.available.push(value);
        }
    }

    fn arithmetic(&mut self) -> (Instruction, Vec<Type>) {
        let (int, float) = (self.int(), self.of(&[Type::F32, Type::F64]));
        let (lhs, rhs) = (self.operand(int), self.operand(int));
        let (a, b, c) = (
            self.operand(float),
            self.operand(float),
            self.operand(float),
        );
        match self.choose(9) {
            0 => (
                Instruction::Binary {
                    op: self.of(BinaryOp::ALL),
                    lhs,
                    rhs,
                },
                vec![int],
            ),
            1 => {
                let (op, signed) = (self.of(OverflowOp::ALL), self.choose(2) == 1);
                (
                    Instruction::Overflows {
                        op,
                        signed,
                        lhs,
                        rhs,
                    },
                    vec![Type::BOOL],
                )
            }
            2 => {
                let op = self.of(UnaryOp::ALL);
                let ty = if op == UnaryOp::ByteSwap {
                    Type::Int(48)
                } else {
                    int
                };
                let operand = self.operand(ty);
                (Instruction::Unary { op, operand }, vec![ty])
            }
            3 => {
                let ty = self.of(&[int, Type::Ptr]);
                let (lhs, rhs) = (self.operand(ty), self.operand(ty));
                let predicate = self.of(IntPredicate::ALL);
                (
                    Instruction::Compare {
                        predicate,
                        lhs,
                        rhs,
                    },
                    vec![Type::BOOL],
                )
            }
            4 => self.cast(),
            5 => {
                let op = self.of(FloatUnaryOp::ALL);
                (Instruction::FloatUnary { op, operand: a }, vec![float])
            }
            6 => {
                let op = self.of(FloatBinaryOp::ALL);
                (Instruction::FloatBinary { op, lhs: a, rhs: b }, vec![float])
            }
            7 => (Instruction::FusedMultiplyAdd { a, b, c }, vec![float]),
            _ => {
                let predicate = self.of(FloatPredicate::ALL);
                (
                    Instruction::FloatCompare {
                        predicate,
                        lhs: a,
                        rhs: b,
                    },
                    vec![Type::BOOL],
                )
            }
        }
    }

    fn cast(&mut self) -> (Instruction, Vec<Type>) {
        let op = self.of(CastOp::ALL);
        let (from, to) = match op {
            CastOp::Trunc => (Type::I64, Type::I8),
            CastOp::ZExt | CastOp::SExt => (Type::I8, Type::Int(128)),
            CastOp::FpTrunc => (Type::F64, Type::F32),
            CastOp::FpExt => (Type::F32, Type::F64),
            CastOp::FpToUi | CastOp::FpToSi => (Type::F64, self.int()),
            CastOp::UiToFp | CastOp::SiToFp => (self.int(), Type::F32),
            CastOp::Bitcast => self.of(&[(Type::F32, Type::I32), (Type::I64, Type::F64)]),
            CastOp::PtrToInt => (Type::Ptr, self.int()),
            CastOp::IntToPtr => (self.int(), Type::Ptr),
        };
        let operand = self.operand(from);
        (Instruction::Cast { op, operand }, vec![to])
    }

    fn memory(&mut self) -> (Instruction, Vec<Type>) {
        let pointer = self.operand(Type::Ptr);
        let other = self.operand(Type::Ptr);
        let size = self.operand(self.pointer_int);
        let align = self.of(&[1, 4, 8]);
        match self.choose(11) {
            0 => {
                let scales: Vec<i64> = (0..self.choose(3)).map(|_| self.of(&[1, -4, 24])).collect();
                let index = self.pointer_int;
                let scaled = scales
                    .into_iter()
                    .map(|scale| (self.operand(index), scale))
                    .collect();
                let constant = self.of(&[0, 8, -3]);
                (
                    Instruction::PointerAdd {
                        base: pointer,
                        constant,
                        scaled,
                    },
                    vec![Type::Ptr],
                )
            }
            1 => {
                let kinds = [
                    AllocationKind::Stack,
                    AllocationKind::Heap,
                    AllocationKind::Permanent,
                ];
                let kind = self.of(&kinds);
                (Instruction::Allocate { kind, size, align }, vec![Type::Ptr])
            }
            2 => (Instruction::Free { pointer }, vec![]),
            3 => (Instruction::LifetimeStart { pointer }, vec![]),
            4 => (Instruction::LifetimeEnd { pointer }, vec![]),
            5 => (Instruction::StackSave, vec![self.pointer_int]),
            6 => (Instruction::StackRestore { mark: size }, vec![]),
            7 => (Instruction::Load { pointer, align }, vec![self.of(&TYPES)]),
            8 => {
                let ty = self.of(&TYPES);
                let value = self.operand(ty);
                (
                    Instruction::Store {
                        pointer,
                        value,
                        align,
                    },
                    vec![],
                )
            }
            9 => {
                let (destination, source, length) = (pointer, other, size);
                (
                    Instruction::MemoryCopy {
                        destination,
                        source,
                        length,
                    },
                    vec![],
                )
            }
            _ => {
                let byte = self.operand(Type::I8);
                let (destination, length) = (pointer, size);
                (
                    Instruction::MemorySet {
                        destination,
                        byte,
                        length,
                    },
                    vec![],
                )
            }
        }
    }

    fn other(&mut self) -> (Instruction, Vec<Type>) {
        let condition = self.operand(Type::BOOL);
        match self.choose(6) {
            0 => {
                let ty = self.of(&TYPES);
                let (on_true, on_false) = (self.operand(ty), self.operand(ty));
                (
                    Instruction::Select {
                        condition,
                        on_true,
                        on_false,
                    },
                    vec![ty],
                )
            }
            1 => {
                let origin = match self.choose(6) {
                    0 => NondetOrigin::Input(self.name()),
                    5 => NondetOrigin::Change(self.name()),
                    1 => NondetOrigin::External(self.name()),
                    2 => NondetOrigin::Uninitialised(self.name()),
                    3 => NondetOrigin::Undefined,
                    _ => NondetOrigin::OverApproximated(self.name()),
                };
                (Instruction::Nondet { origin }, vec![self.of(&TYPES)])
            }
            2 => self.call(),
            3 => {
                let message = (self.choose(2) == 1).then(|| self.name());
                let kind = self.of(CheckKind::ALL);
                (
                    Instruction::Check {
                        kind,
                        condition,
                        message,
                    },
                    vec![],
                )
            }
            4 if !self.body.variables.is_empty() => {
                let variable = self.body.variables.keys().next().expect("not empty");
                let ty = self.of(&TYPES);
                let value = self.operand(ty);
                (Instruction::Bind { variable, value }, vec![])
            }
            _ => (Instruction::Assume { condition }, vec![]),
        }
    }

    fn call(&mut self) -> (Instruction, Vec<Type>) {
        let (callee, signature) = match self.choose(5) {
            0 => {
                let pointer = self.operand(Type::Ptr);
                let params = self.generator.types(3);
                let results = self.generator.types(3);
                (Callee::Indirect(pointer), Signature { params, results })
            }
            1 => {
                let builtin = Builtin::ALL[self.choose(Builtin::ALL.len())].clone();
                let signature = builtin.signature(self.generator.module.layout);
                (
                    Callee::Builtin(builtin),
                    signature.expect("not a math function"),
                )
            }
            4 => {
                let builtin = Builtin::HavocReachable(self.name());
                let signature = builtin.signature(self.generator.module.layout);
                let signature = signature.expect("not a math function");
                (Callee::Builtin(builtin), signature)
            }
            2 => {
                let params = vec![Type::F64; 1 + self.choose(2)];
                let results = vec![Type::F64];
                (
                    Callee::Builtin(Builtin::Math(self.name())),
                    Signature { params, results },
                )
            }
            _ => {
                let function = FunctionId::new(self.choose(self.generator.module.functions.len()));
                let signature = self.generator.module.functions[function].signature.clone();
                (Callee::Direct(function), signature)
            }
        };
        let arguments = self.operands(&signature.params);
        (Instruction::Call { callee, arguments }, signature.results)
    }
}
