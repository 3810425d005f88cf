//! The types that instructions and terminators demand and give.
//!
//! The rules are the match of [`Typing::instruction`], one line or two per instruction; `size` is
//! the integer as wide as a pointer.

use super::body::list;
use super::{Invariant, Report};
use crate::body::{Body, InstructionData, ValueId};
use crate::instruction::{Builtin, Callee, Instruction, Terminator};
use crate::module::{Module, Signature};
use crate::operation::{CastOp, UnaryOp};
use crate::types::Type;

pub(super) fn verify(module: &Module, body: &Body, report: &mut Report) {
    let mut typing = Typing {
        module,
        body,
        report,
    };
    for (id, block) in body.blocks.iter() {
        for &instruction in &block.instructions {
            typing.report.at(Some(id), Some(instruction));
            typing.instruction(&body.instructions[instruction]);
        }
        typing.report.at(Some(id), None);
        typing.terminator(&block.terminator);
    }
    report.at(None, None);
}

struct Typing<'a> {
    module: &'a Module,
    body: &'a Body,
    report: &'a mut Report,
}

impl Typing<'_> {
    fn instruction(&mut self, data: &InstructionData) {
        let size = self.module.layout.pointer_int();
        let results: Vec<Type> = data.results.iter().map(|&v| self.body.ty(v)).collect();
        match &data.instruction {
            Instruction::Binary { lhs, rhs, .. } => {
                let ty = self.int(*lhs);
                self.operands(&[*rhs], &[ty]);
                self.gives(&results, &[ty]);
            }
            Instruction::Overflows { lhs, rhs, .. } => {
                let ty = self.int(*lhs);
                self.operands(&[*rhs], &[ty]);
                self.gives(&results, &[Type::BOOL]);
            }
            Instruction::Unary { op, operand } => {
                let ty = self.int(*operand);
                let width = ty.int_width().unwrap_or(0);
                self.demand(*op != UnaryOp::ByteSwap || width.is_multiple_of(16), || {
                    format!("bswap of {width} bits")
                });
                self.gives(&results, &[ty]);
            }
            Instruction::Compare { lhs, rhs, .. } => {
                let ty = self.body.ty(*lhs);
                let comparable = ty == Type::Ptr || ty.int_width().is_some();
                self.demand(comparable, || format!("compares values of type {ty}"));
                self.operands(&[*rhs], &[ty]);
                self.gives(&results, &[Type::BOOL]);
            }
            Instruction::Cast { op, operand } => self.cast(*op, *operand, &results),
            Instruction::FloatUnary { operand, .. } => {
                let ty = self.float(*operand);
                self.gives(&results, &[ty]);
            }
            Instruction::FloatBinary { lhs, rhs, .. } => {
                let ty = self.float(*lhs);
                self.operands(&[*rhs], &[ty]);
                self.gives(&results, &[ty]);
            }
            Instruction::FusedMultiplyAdd { a, b, c } => {
                let ty = self.float(*a);
                self.operands(&[*b, *c], &[ty, ty]);
                self.gives(&results, &[ty]);
            }
            Instruction::FloatCompare { lhs, rhs, .. } => {
                let ty = self.float(*lhs);
                self.operands(&[*rhs], &[ty]);
                self.gives(&results, &[Type::BOOL]);
            }
            Instruction::Select {
                condition,
                on_true,
                on_false,
            } => {
                let ty = self.body.ty(*on_true);
                self.operands(&[*condition, *on_false], &[Type::BOOL, ty]);
                self.gives(&results, &[ty]);
            }
            Instruction::PointerAdd { base, scaled, .. } => {
                self.operands(&[*base], &[Type::Ptr]);
                scaled
                    .iter()
                    .for_each(|&(index, _)| self.operands(&[index], &[size]));
                self.gives(&results, &[Type::Ptr]);
            }
            Instruction::Nondet { .. } => self.gives_one(&results),
            Instruction::Allocate {
                size: bytes, align, ..
            } => {
                self.operands(&[*bytes], &[size]);
                self.align(*align);
                self.gives(&results, &[Type::Ptr]);
            }
            Instruction::Free { pointer }
            | Instruction::LifetimeStart { pointer }
            | Instruction::LifetimeEnd { pointer } => {
                self.operands(&[*pointer], &[Type::Ptr]);
                self.gives(&results, &[]);
            }
            Instruction::StackSave => self.gives(&results, &[size]),
            Instruction::StackRestore { mark } => {
                self.operands(&[*mark], &[size]);
                self.gives(&results, &[]);
            }
            Instruction::Load { pointer, align } => {
                self.operands(&[*pointer], &[Type::Ptr]);
                self.align(*align);
                self.gives_one(&results);
            }
            Instruction::Store { pointer, align, .. } => {
                self.operands(&[*pointer], &[Type::Ptr]);
                self.align(*align);
                self.gives(&results, &[]);
            }
            Instruction::MemoryCopy {
                destination,
                source,
                length,
            } => {
                let operands = [*destination, *source, *length];
                self.operands(&operands, &[Type::Ptr, Type::Ptr, size]);
                self.gives(&results, &[]);
            }
            Instruction::MemorySet {
                destination,
                byte,
                length,
            } => {
                self.operands(
                    &[*destination, *byte, *length],
                    &[Type::Ptr, Type::I8, size],
                );
                self.gives(&results, &[]);
            }
            Instruction::Call { callee, arguments } => self.call(callee, arguments, &results),
            Instruction::Check { condition, .. } | Instruction::Assume { condition } => {
                self.operands(&[*condition], &[Type::BOOL]);
                self.gives(&results, &[]);
            }
            Instruction::Bind { .. } => self.gives(&results, &[]),
        }
    }

    fn terminator(&mut self, terminator: &Terminator) {
        match terminator {
            Terminator::Branch { condition, .. } => self.operands(&[*condition], &[Type::BOOL]),
            Terminator::Halt { code, .. } => self.operands(&[*code], &[Type::I32]),
            // Arguments and returned values have invariants of their own.
            Terminator::Jump(_) | Terminator::Return { .. } | Terminator::Unreachable => {}
        }
    }

    fn cast(&mut self, op: CastOp, operand: ValueId, results: &[Type]) {
        self.gives_one(results);
        let &[to] = results else { return };
        let from = self.body.ty(operand);
        let widths = from.int_width().zip(to.int_width());
        let fits = match op {
            CastOp::Trunc => widths.is_some_and(|(from, to)| to < from),
            CastOp::ZExt | CastOp::SExt => widths.is_some_and(|(from, to)| from < to),
            CastOp::FpTrunc => (from, to) == (Type::F64, Type::F32),
            CastOp::FpExt => (from, to) == (Type::F32, Type::F64),
            CastOp::FpToUi | CastOp::FpToSi => from.is_float() && to.int_width().is_some(),
            CastOp::UiToFp | CastOp::SiToFp => from.int_width().is_some() && to.is_float(),
            CastOp::Bitcast => {
                let pair = if from.is_float() {
                    (to, from)
                } else {
                    (from, to)
                };
                pair == (Type::I32, Type::F32) || pair == (Type::I64, Type::F64)
            }
            CastOp::PtrToInt => from == Type::Ptr && to.int_width().is_some(),
            CastOp::IntToPtr => from.int_width().is_some() && to == Type::Ptr,
        };
        self.demand(fits, || format!("{} from {from} to {to}", op.name()));
    }

    fn call(&mut self, callee: &Callee, arguments: &[ValueId], results: &[Type]) {
        let signature = match callee {
            Callee::Direct(function) => self.module.functions[*function].signature.clone(),
            Callee::Builtin(builtin) => match builtin.signature(self.module.layout) {
                Some(signature) => signature,
                None => self.math(builtin, arguments),
            },
            Callee::Indirect(pointer) => return self.operands(&[*pointer], &[Type::Ptr]),
        };
        let types: Vec<_> = arguments.iter().map(|&v| self.body.ty(v)).collect();
        self.demand(types == signature.params, || {
            let (found, expected) = (list(&types), list(&signature.params));
            format!("the arguments are {found}, the parameters {expected}")
        });
        self.gives(results, &signature.results);
    }

    fn math(&mut self, builtin: &Builtin, arguments: &[ValueId]) -> Signature {
        self.demand(!arguments.is_empty(), || {
            format!("{} without arguments", builtin.name())
        });
        Signature {
            params: vec![Type::F64; arguments.len()],
            results: vec![Type::F64],
        }
    }

    fn int(&mut self, value: ValueId) -> Type {
        let ty = self.body.ty(value);
        self.demand(ty.int_width().is_some(), || {
            format!("{value} is {ty}, not an integer")
        });
        ty
    }

    fn float(&mut self, value: ValueId) -> Type {
        let ty = self.body.ty(value);
        self.demand(ty.is_float(), || format!("{value} is {ty}, not a float"));
        ty
    }

    fn operands(&mut self, values: &[ValueId], types: &[Type]) {
        for (&value, &expected) in values.iter().zip(types) {
            let ty = self.body.ty(value);
            self.demand(ty == expected, || {
                format!("{value} is {ty}, not {expected}")
            });
        }
    }

    fn gives(&mut self, results: &[Type], expected: &[Type]) {
        self.demand(results == expected, || {
            format!("the results are {}, not {}", list(results), list(expected))
        });
    }

    fn gives_one(&mut self, results: &[Type]) {
        let count = results.len();
        self.demand(count == 1, || format!("there are {count} results, not one"));
    }

    fn align(&mut self, align: u32) {
        self.report
            .require(align.is_power_of_two(), Invariant::Alignments, || {
                format!("aligned to {align}")
            });
    }

    fn demand(&mut self, holds: bool, detail: impl FnOnce() -> String) {
        self.report.require(holds, Invariant::Operands, detail);
    }
}
