//! The table of identities.
//!
//! Each rule is a small function with its law in one line. The laws are tested over all operands
//! at small widths against the interpreter's operators.

use foghorn_ir::interpret::arithmetic::cut;
use foghorn_ir::{
    BinaryOp, Body, CastOp, Constant, InstId, Instruction, IntPredicate, OverflowOp, Type,
    ValueDef, ValueId,
};

/// What an instruction can be replaced by.
#[derive(Clone, Debug, PartialEq)]
pub enum Simpler {
    /// Its result is this value.
    Value(ValueId),
    /// It says the same as this instruction.
    Instruction(Instruction),
}

/// One identity.
pub struct Rule {
    pub name: &'static str,
    pub apply: fn(&mut Body, InstId) -> Option<Simpler>,
}

/// Every rule, tried in this order.
pub const RULES: &[Rule] = &[
    Rule {
        name: "constant-right",
        apply: constant_right,
    },
    Rule {
        name: "binary-identity",
        apply: binary_identity,
    },
    Rule {
        name: "binary-same",
        apply: binary_same,
    },
    Rule {
        name: "double-negation",
        apply: double_negation,
    },
    Rule {
        name: "overflow-never",
        apply: overflow_never,
    },
    Rule {
        name: "compare-same",
        apply: compare_same,
    },
    Rule {
        name: "compare-truth",
        apply: compare_truth,
    },
    Rule {
        name: "compare-extended",
        apply: compare_extended,
    },
    Rule {
        name: "negated-comparison",
        apply: negated_comparison,
    },
    Rule {
        name: "select-same",
        apply: select_same,
    },
    Rule {
        name: "select-truth",
        apply: select_truth,
    },
    Rule {
        name: "cast-of-cast",
        apply: cast_of_cast,
    },
    Rule {
        name: "pointer-plus-nothing",
        apply: pointer_plus_nothing,
    },
    Rule {
        name: "pointer-plus-constant",
        apply: pointer_plus_constant,
    },
];

fn number(body: &Body, value: ValueId) -> Option<u128> {
    match body.as_constant(value) {
        Some(Constant::Int(bits)) => Some(bits),
        _ => None,
    }
}

fn truth(body: &mut Body, value: bool) -> Option<Simpler> {
    let constant = body.constant(Type::BOOL, Constant::Int(value.into()));
    Some(Simpler::Value(constant))
}

/// The instruction that defines a value.
fn definition(body: &Body, value: ValueId) -> Option<&Instruction> {
    match body.values[value].def {
        ValueDef::Result(id, 0) => Some(&body.instructions[id].instruction),
        ValueDef::Result(..)
        | ValueDef::Memory(..)
        | ValueDef::Param(..)
        | ValueDef::Constant(_) => None,
    }
}

/// `c ∘ x = x ∘ c` for commutative ∘, and comparisons turned around: constants stand right.
fn constant_right(body: &mut Body, id: InstId) -> Option<Simpler> {
    let is_constant = |value| body.as_constant(value).is_some();
    match body.instructions[id].instruction {
        Instruction::Binary { op, lhs, rhs }
            if commutes(op) && is_constant(lhs) && !is_constant(rhs) =>
        {
            Some(Simpler::Instruction(Instruction::Binary {
                op,
                lhs: rhs,
                rhs: lhs,
            }))
        }
        Instruction::Compare {
            predicate,
            lhs,
            rhs,
        } if is_constant(lhs) && !is_constant(rhs) && body.ty(lhs) != Type::Ptr => {
            Some(Simpler::Instruction(Instruction::Compare {
                predicate: predicate.swapped(),
                lhs: rhs,
                rhs: lhs,
            }))
        }
        _ => None,
    }
}

/// Whether operands can be exchanged.
pub fn commutes(op: BinaryOp) -> bool {
    match op {
        BinaryOp::Add | BinaryOp::Mul | BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => true,
        BinaryOp::Sub
        | BinaryOp::UDiv
        | BinaryOp::SDiv
        | BinaryOp::URem
        | BinaryOp::SRem
        | BinaryOp::Shl
        | BinaryOp::LShr
        | BinaryOp::AShr => false,
    }
}

/// `x+0 = x−0 = x·1 = x/1 = x|0 = x^0 = x&~0 = x≪0 = x`, `x·0 = x&0 = x%1 = 0`, `x|~0 = ~0`.
fn binary_identity(body: &mut Body, id: InstId) -> Option<Simpler> {
    let Instruction::Binary { op, lhs, rhs } = body.instructions[id].instruction else {
        return None;
    };
    let width = body.ty(lhs).int_width()?;
    let right = number(body, rhs)?;
    let ones = cut(u128::MAX, width);
    // A single set bit of one is minus one to the signed operators.
    let one = right == 1 && width > 1;
    let (keeps, zero, all) = match op {
        BinaryOp::Add | BinaryOp::Sub | BinaryOp::Xor => (right == 0, false, false),
        BinaryOp::Or => (right == 0, false, right == ones),
        BinaryOp::And => (right == ones, right == 0, false),
        BinaryOp::Mul => (right == 1, right == 0, false),
        BinaryOp::UDiv => (right == 1, false, false),
        BinaryOp::SDiv => (one, false, false),
        BinaryOp::URem => (false, right == 1, false),
        BinaryOp::SRem => (false, one, false),
        BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr => (right == 0, false, false),
    };
    let result = body.ty(lhs);
    match (keeps, zero, all) {
        (true, _, _) => Some(Simpler::Value(lhs)),
        (_, true, _) => Some(Simpler::Value(body.constant(result, Constant::Int(0)))),
        (_, _, true) => Some(Simpler::Value(rhs)),
        (false, false, false) => None,
    }
}

/// `x−x = x^x = 0`, `x&x = x|x = x`.
fn binary_same(body: &mut Body, id: InstId) -> Option<Simpler> {
    match body.instructions[id].instruction {
        Instruction::Binary { op, lhs, rhs } if lhs == rhs => match op {
            BinaryOp::Sub | BinaryOp::Xor => {
                let zero = body.constant(body.ty(lhs), Constant::Int(0));
                Some(Simpler::Value(zero))
            }
            BinaryOp::And | BinaryOp::Or => Some(Simpler::Value(lhs)),
            BinaryOp::Add
            | BinaryOp::Mul
            | BinaryOp::UDiv
            | BinaryOp::SDiv
            | BinaryOp::URem
            | BinaryOp::SRem
            | BinaryOp::Shl
            | BinaryOp::LShr
            | BinaryOp::AShr => None,
        },
        _ => None,
    }
}

/// `(x^c)^d = x^(c^d)`.
fn double_negation(body: &mut Body, id: InstId) -> Option<Simpler> {
    let (inner, outer) = xor_by(body, &body.instructions[id].instruction)?;
    let (x, constant) = xor_by(body, definition(body, inner)?)?;
    let rhs = body.constant(body.ty(x), Constant::Int(constant ^ outer));
    Some(Simpler::Instruction(Instruction::Binary {
        op: BinaryOp::Xor,
        lhs: x,
        rhs,
    }))
}

fn xor_by(body: &Body, instruction: &Instruction) -> Option<(ValueId, u128)> {
    match *instruction {
        Instruction::Binary {
            op: BinaryOp::Xor,
            lhs,
            rhs,
        } => Some((lhs, number(body, rhs)?)),
        _ => None,
    }
}

/// `x+0`, `x−0`, `x·0` and, beyond one bit, `x·1` never overflow; nor does unsigned `x−x`.
fn overflow_never(body: &mut Body, id: InstId) -> Option<Simpler> {
    let Instruction::Overflows { op, lhs, rhs, .. } = body.instructions[id].instruction else {
        return None;
    };
    let wide = body.ty(lhs).int_width()? > 1;
    let (left, right) = (number(body, lhs), number(body, rhs));
    let never = match op {
        OverflowOp::Add => left == Some(0) || right == Some(0),
        OverflowOp::Sub => right == Some(0) || lhs == rhs,
        OverflowOp::Mul => {
            let small = |n: Option<u128>| n == Some(0) || (wide && n == Some(1));
            small(left) || small(right)
        }
    };
    if never { truth(body, false) } else { None }
}

/// `x = x`, `x ≤ x`, not `x < x`; of pointers only equality, as order may be a check.
fn compare_same(body: &mut Body, id: InstId) -> Option<Simpler> {
    let Instruction::Compare {
        predicate,
        lhs,
        rhs,
    } = body.instructions[id].instruction
    else {
        return None;
    };
    let equality = matches!(predicate, IntPredicate::Eq | IntPredicate::Ne);
    if lhs != rhs || (body.ty(lhs) == Type::Ptr && !equality) {
        return None;
    }
    match predicate {
        IntPredicate::Eq
        | IntPredicate::Ule
        | IntPredicate::Uge
        | IntPredicate::Sle
        | IntPredicate::Sge => truth(body, true),
        IntPredicate::Ne
        | IntPredicate::Ult
        | IntPredicate::Ugt
        | IntPredicate::Slt
        | IntPredicate::Sgt => truth(body, false),
    }
}

/// Of one bit: `(x = 1) = (x ≠ 0) = x`, `(x = 0) = (x ≠ 1) = x^1`.
fn compare_truth(body: &mut Body, id: InstId) -> Option<Simpler> {
    let (predicate, lhs, right) = comparison_with_number(body, id)?;
    if body.ty(lhs) != Type::BOOL {
        return None;
    }
    truth_or_negation(body, predicate, lhs, right)
}

fn comparison_with_number(body: &Body, id: InstId) -> Option<(IntPredicate, ValueId, u128)> {
    match body.instructions[id].instruction {
        Instruction::Compare {
            predicate,
            lhs,
            rhs,
        } => Some((predicate, lhs, number(body, rhs)?)),
        _ => None,
    }
}

/// Equality of a truth value and 0 or 1.
fn truth_or_negation(
    body: &mut Body,
    predicate: IntPredicate,
    lhs: ValueId,
    right: u128,
) -> Option<Simpler> {
    match (predicate, right) {
        (IntPredicate::Eq, 1) | (IntPredicate::Ne, 0) => Some(Simpler::Value(lhs)),
        (IntPredicate::Eq, 0) | (IntPredicate::Ne, 1) => {
            let rhs = body.constant(Type::BOOL, Constant::Int(1));
            Some(Simpler::Instruction(Instruction::Binary {
                op: BinaryOp::Xor,
                lhs,
                rhs,
            }))
        }
        _ => None,
    }
}

/// `zext x ≠ 0` is `x ≠ 0`, which of one bit is `x`; also with 1 and with equality.
fn compare_extended(body: &mut Body, id: InstId) -> Option<Simpler> {
    let (predicate, lhs, right) = comparison_with_number(body, id)?;
    match *definition(body, lhs)? {
        Instruction::Cast {
            op: CastOp::ZExt,
            operand,
        } if body.ty(operand) == Type::BOOL => truth_or_negation(body, predicate, operand, right),
        _ => None,
    }
}

/// `(a p b)^1 = (a ¬p b)` of integers.
fn negated_comparison(body: &mut Body, id: InstId) -> Option<Simpler> {
    let (inner, 1) = xor_by(body, &body.instructions[id].instruction)? else {
        return None;
    };
    match *definition(body, inner)? {
        Instruction::Compare {
            predicate,
            lhs,
            rhs,
        } if body.ty(inner) == Type::BOOL && body.ty(lhs) != Type::Ptr => {
            Some(Simpler::Instruction(Instruction::Compare {
                predicate: predicate.negated(),
                lhs,
                rhs,
            }))
        }
        _ => None,
    }
}

/// `c ? x : x = x`, and the chosen one where `c` is known.
fn select_same(body: &mut Body, id: InstId) -> Option<Simpler> {
    match body.instructions[id].instruction {
        Instruction::Select {
            condition,
            on_true,
            on_false,
        } => match number(body, condition) {
            Some(0) => Some(Simpler::Value(on_false)),
            Some(_) => Some(Simpler::Value(on_true)),
            None => (on_true == on_false).then_some(Simpler::Value(on_true)),
        },
        _ => None,
    }
}

/// Of one bit: `c ? 1 : 0 = c`, `c ? 0 : 1 = c^1`, `c ? x : 0 = c&x`, `c ? 1 : x = c|x`.
fn select_truth(body: &mut Body, id: InstId) -> Option<Simpler> {
    let Instruction::Select {
        condition,
        on_true,
        on_false,
    } = body.instructions[id].instruction
    else {
        return None;
    };
    if body.ty(on_true) != Type::BOOL {
        return None;
    }
    let binary = |op, rhs| {
        Some(Simpler::Instruction(Instruction::Binary {
            op,
            lhs: condition,
            rhs,
        }))
    };
    match (number(body, on_true), number(body, on_false)) {
        (Some(1), Some(0)) => Some(Simpler::Value(condition)),
        (Some(0), Some(1)) => binary(BinaryOp::Xor, on_false),
        (_, Some(0)) => binary(BinaryOp::And, on_true),
        (Some(1), _) => binary(BinaryOp::Or, on_false),
        (_, _) => None,
    }
}

/// Extensions and truncations of extensions: `trunc (zext x)` back to the width of `x` is `x`;
/// `zext (zext x)`, `sext (sext x)`, `sext (zext x)` and `trunc (trunc x)` are one conversion.
fn cast_of_cast(body: &mut Body, id: InstId) -> Option<Simpler> {
    let Instruction::Cast { op: outer, operand } = body.instructions[id].instruction else {
        return None;
    };
    let Instruction::Cast {
        op: inner,
        operand: x,
    } = *definition(body, operand)?
    else {
        return None;
    };
    let from = body.ty(x);
    let to = body.ty(body.result(id));
    let one = |op| Some(Simpler::Instruction(Instruction::Cast { op, operand: x }));
    match (outer, inner) {
        (CastOp::Trunc, CastOp::ZExt | CastOp::SExt) if from == to => Some(Simpler::Value(x)),
        (CastOp::Trunc, CastOp::ZExt | CastOp::SExt) if from.int_width() > to.int_width() => {
            one(CastOp::Trunc)
        }
        (CastOp::Trunc, CastOp::ZExt | CastOp::SExt) => one(inner),
        (CastOp::ZExt, CastOp::ZExt) | (CastOp::SExt, CastOp::SExt) => one(inner),
        (CastOp::SExt, CastOp::ZExt) => one(CastOp::ZExt),
        (CastOp::Trunc, CastOp::Trunc) => one(CastOp::Trunc),
        (_, _) => None,
    }
}

/// `p + 0 = p`.
fn pointer_plus_nothing(body: &mut Body, id: InstId) -> Option<Simpler> {
    match &body.instructions[id].instruction {
        Instruction::PointerAdd {
            base,
            constant: 0,
            scaled,
        } if scaled.is_empty() => Some(Simpler::Value(*base)),
        _ => None,
    }
}

/// `p + c·k` with a known index is `p + constant`; offsets wrap at the width of a pointer.
fn pointer_plus_constant(body: &mut Body, id: InstId) -> Option<Simpler> {
    let Instruction::PointerAdd {
        base,
        constant,
        scaled,
    } = &body.instructions[id].instruction
    else {
        return None;
    };
    let mut sum = *constant;
    let mut rest = vec![];
    for &(index, scale) in scaled {
        let width = body.ty(index).int_width()?;
        match number(body, index) {
            Some(bits) => {
                let index = i64::try_from(foghorn_ir::interpret::arithmetic::signed(bits, width));
                sum = sum.wrapping_add(index.ok()?.wrapping_mul(scale));
            }
            None => rest.push((index, scale)),
        }
    }
    // Beyond 32 bits the sum need not fit a pointer of a 32-bit module; it stays as it is.
    if rest.len() == scaled.len() || i32::try_from(sum).is_err() {
        return None;
    }
    Some(Simpler::Instruction(Instruction::PointerAdd {
        base: *base,
        constant: sum,
        scaled: rest,
    }))
}
