//! Prints instructions, terminators and their operands.

use super::number::Numbering;
use super::print::{function_name, global_name};
use super::quote;
use crate::body::{Body, InstructionData, ValueDef, ValueId};
use crate::constant::Constant;
use crate::instruction::{
    AllocationKind, Builtin, Callee, HaltKind, Instruction, NondetOrigin, Target, Terminator,
};
use crate::module::Module;
use crate::types::Type;

/// Prints the instructions of one body. Prints something for every body, also for one that the
/// verifier rejects.
pub(super) struct InstructionPrinter<'a> {
    pub module: &'a Module,
    pub body: &'a Body,
    pub numbering: &'a Numbering,
}

impl InstructionPrinter<'_> {
    /// Without the results.
    pub fn instruction(&self, data: &InstructionData) -> String {
        let result = data.results.first().and_then(|&value| self.ty(value));
        let size = Some(self.module.layout.pointer_int());
        let bool = |&value: &ValueId| self.operand(value, Some(Type::BOOL));
        let pointer = |&value: &ValueId| self.operand(value, Some(Type::Ptr));
        let sized = |&value: &ValueId| self.operand(value, size);
        let own = |&value: &ValueId| self.operand(value, None);
        match &data.instruction {
            Instruction::Binary { op, lhs, rhs } => {
                format!("{} {}", op.name(), self.list(&[*lhs, *rhs], result))
            }
            Instruction::Overflows {
                op,
                signed,
                lhs,
                rhs,
            } => {
                let sign = if *signed { "signed" } else { "unsigned" };
                format!("overflows {sign} {} {}", op.name(), self.pair(*lhs, *rhs))
            }
            Instruction::Unary { op, operand } => {
                format!("{} {}", op.name(), self.operand(*operand, result))
            }
            Instruction::Compare {
                predicate,
                lhs,
                rhs,
            } => {
                format!("compare {} {}", predicate.name(), self.pair(*lhs, *rhs))
            }
            Instruction::Cast { op, operand } => format!("{} {}", op.name(), own(operand)),
            Instruction::FloatUnary { op, operand } => {
                format!("{} {}", op.name(), self.operand(*operand, result))
            }
            Instruction::FloatBinary { op, lhs, rhs } => {
                format!("{} {}", op.name(), self.list(&[*lhs, *rhs], result))
            }
            Instruction::FusedMultiplyAdd { a, b, c } => {
                format!("fma {}", self.list(&[*a, *b, *c], result))
            }
            Instruction::FloatCompare {
                predicate,
                lhs,
                rhs,
            } => {
                format!("fcompare {} {}", predicate.name(), self.pair(*lhs, *rhs))
            }
            Instruction::Select {
                condition,
                on_true,
                on_false,
            } => {
                let values = self.list(&[*on_true, *on_false], result);
                format!("select {}, {values}", bool(condition))
            }
            Instruction::PointerAdd {
                base,
                constant,
                scaled,
            } => self.pointer_add(*base, *constant, scaled),
            Instruction::Nondet { origin } => nondet(origin),
            Instruction::Allocate { kind, size, align } => {
                let kind = match kind {
                    AllocationKind::Stack => "stack",
                    AllocationKind::Heap => "heap",
                    AllocationKind::Permanent => "permanent",
                };
                format!("allocate {kind} {}, align {align}", sized(size))
            }
            Instruction::Free { pointer: p } => format!("free {}", pointer(p)),
            Instruction::LifetimeStart { pointer: p } => format!("lifetime-start {}", pointer(p)),
            Instruction::LifetimeEnd { pointer: p } => format!("lifetime-end {}", pointer(p)),
            Instruction::StackSave => "stack-save".to_owned(),
            Instruction::StackRestore { mark } => format!("stack-restore {}", sized(mark)),
            Instruction::Load { pointer: p, align } => {
                format!("load {}, align {align}", pointer(p))
            }
            Instruction::Store {
                pointer: p,
                value,
                align,
            } => {
                format!("store {} to {}, align {align}", own(value), pointer(p))
            }
            Instruction::MemoryCopy {
                destination: to,
                source: from,
                length,
            } => format!(
                "memory-copy {}, {}, {}",
                pointer(to),
                pointer(from),
                sized(length)
            ),
            Instruction::MemorySet {
                destination: to,
                byte,
                length,
            } => {
                let byte = self.operand(*byte, Some(Type::I8));
                format!("memory-set {}, {byte}, {}", pointer(to), sized(length))
            }
            Instruction::Call { callee, arguments } => {
                format!("{}({})", self.callee(callee), self.list(arguments, None))
            }
            Instruction::Check {
                kind,
                condition,
                message,
            } => {
                let message = message.as_ref().map(|m| format!(" {}", quote::string(m)));
                format!(
                    "check {kind} {}{}",
                    bool(condition),
                    message.unwrap_or_default()
                )
            }
            Instruction::Assume { condition } => format!("assume {}", bool(condition)),
            Instruction::Bind { variable, value } => format!("bind {variable}, {}", own(value)),
        }
    }

    fn pointer_add(&self, base: ValueId, constant: i64, scaled: &[(ValueId, i64)]) -> String {
        let mut text = format!("pointer-add {}", self.operand(base, Some(Type::Ptr)));
        if constant != 0 {
            text += &format!(" + {constant}");
        }
        let size = Some(self.module.layout.pointer_int());
        for &(index, scale) in scaled {
            text += &format!(" + {} * {scale}", self.operand(index, size));
        }
        text
    }

    fn callee(&self, callee: &Callee) -> String {
        match callee {
            Callee::Direct(function) => format!("call {}", function_name(self.module, *function)),
            Callee::Indirect(pointer) => {
                format!("call-indirect {}", self.operand(*pointer, Some(Type::Ptr)))
            }
            Callee::Builtin(Builtin::Math(name)) => format!("call-math {}", quote::string(name)),
            Callee::Builtin(Builtin::HavocReachable(name)) => {
                format!("call-havoc-reachable {}", quote::string(name))
            }
            Callee::Builtin(builtin) => format!("call-builtin {}", builtin.name()),
        }
    }

    pub fn terminator(&self, terminator: &Terminator) -> String {
        match terminator {
            Terminator::Jump(target) => format!("jump {}", self.target(target)),
            Terminator::Branch {
                condition,
                on_true,
                on_false,
            } => {
                let condition = self.operand(*condition, Some(Type::BOOL));
                format!(
                    "branch {condition}, {}, {}",
                    self.target(on_true),
                    self.target(on_false)
                )
            }
            Terminator::Return { values } if values.is_empty() => "return".to_owned(),
            Terminator::Return { values } => format!("return {}", self.list(values, None)),
            Terminator::Halt { kind, code } => {
                let kind = match kind {
                    HaltKind::Exit => "exit",
                    HaltKind::Abort => "abort",
                };
                format!("halt {kind} {}", self.operand(*code, Some(Type::I32)))
            }
            Terminator::Unreachable => "unreachable".to_owned(),
        }
    }

    fn target(&self, target: &Target) -> String {
        let block = self.numbering.block(target.block);
        if target.arguments.is_empty() {
            block
        } else {
            format!("{block}({})", self.list(&target.arguments, None))
        }
    }

    fn list(&self, values: &[ValueId], expected: Option<Type>) -> String {
        let operands: Vec<_> = values.iter().map(|&v| self.operand(v, expected)).collect();
        operands.join(", ")
    }

    /// Two operands of one type that the text gives at most once.
    fn pair(&self, lhs: ValueId, rhs: ValueId) -> String {
        let ty = self.ty(lhs);
        format!("{}, {}", self.operand(lhs, None), self.operand(rhs, ty))
    }

    fn ty(&self, value: ValueId) -> Option<Type> {
        self.body.values.get(value).map(|data| data.ty)
    }

    /// A value by number, or a constant; its type is left out if it is the expected one.
    fn operand(&self, value: ValueId, expected: Option<Type>) -> String {
        let Some(data) = self.body.values.get(value) else {
            return format!("v?{value}");
        };
        match data.def {
            ValueDef::Param(..) | ValueDef::Result(..) | ValueDef::Memory(..) => {
                self.numbering.value(value)
            }
            ValueDef::Constant(constant) => {
                let (text, shows_type) = self.constant(data.ty, constant);
                if shows_type || expected == Some(data.ty) {
                    text
                } else {
                    format!("{text}:{}", data.ty)
                }
            }
        }
    }

    /// The text of a constant, and whether it alone tells the type.
    fn constant(&self, ty: Type, constant: Constant) -> (String, bool) {
        match constant {
            Constant::Int(bits) if ty == Type::BOOL && bits <= 1 => {
                (if bits == 1 { "true" } else { "false" }.to_owned(), true)
            }
            Constant::Int(bits) => (signed(bits, ty).to_string(), false),
            Constant::F32(bits) => {
                let value = f32::from_bits(bits);
                let hex = || format!("0x{bits:x}");
                (
                    if value.is_finite() {
                        format!("{value:?}")
                    } else {
                        hex()
                    },
                    false,
                )
            }
            Constant::F64(bits) => {
                let value = f64::from_bits(bits);
                let hex = || format!("0x{bits:x}");
                (
                    if value.is_finite() {
                        format!("{value:?}")
                    } else {
                        hex()
                    },
                    false,
                )
            }
            Constant::Null => ("null".to_owned(), true),
            Constant::Global(global) => (global_name(self.module, global), true),
            Constant::Function(function) => (function_name(self.module, function), true),
        }
    }
}

/// The bits as a number in two's complement.
fn signed(bits: u128, ty: Type) -> i128 {
    let unused = 128 - ty.int_width().unwrap_or(128).clamp(1, 128);
    (bits << unused).cast_signed() >> unused
}

fn nondet(origin: &NondetOrigin) -> String {
    match origin {
        NondetOrigin::Input(name) => format!("nondet input {}", quote::string(name)),
        NondetOrigin::External(name) => format!("nondet external {}", quote::string(name)),
        NondetOrigin::Change(name) => format!("nondet change {}", quote::string(name)),
        NondetOrigin::Uninitialised(name) => {
            format!("nondet uninitialised {}", quote::string(name))
        }
        NondetOrigin::Undefined => "nondet undefined".to_owned(),
        NondetOrigin::OverApproximated(what) => {
            format!("nondet over-approximated {}", quote::string(what))
        }
    }
}
