//! Branches around a trap become checks.
//!
//! clang writes a check as a branch to a block that traps. After the front end that block is
//! `check KIND false; unreachable`, and a branch to it says the same as a check of the branch's
//! condition followed by a jump. The latter is what every engine wants to see: the condition
//! stands at the check, each check has its own source location, and the graph loses two edges.
//!
//! A signed division has one trap for two faults: a divisor of zero, and a quotient that does not
//! fit. They are of different groups, and become two checks. So does a signed shift to the left, with
//! one trap for a bad amount, for a negative value, and for a result that does not fit.
//!
//! A trap block that several branches share gives each of them its own check. The location of
//! such a check is the branch's if it has one, since a shared trap has lost its own.

use foghorn_core::{CheckKind, SpanId};
use foghorn_ir::{
    BinaryOp, BlockId, Body, Constant, Instruction, IntPredicate, Target, Terminator, Type,
    ValueDef, ValueId,
};
use std::sync::Arc;

/// What a trap block checks.
struct Trap {
    kind: CheckKind,
    message: Option<Arc<str>>,
    span: SpanId,
}

/// Runs the pass; returns how many branches became checks.
pub fn fold_checks(body: &mut Body) -> usize {
    let blocks: Vec<BlockId> = body.blocks.keys().collect();
    let traps: Vec<Option<Trap>> = blocks.iter().map(|&block| as_trap(body, block)).collect();
    let trap = |block: BlockId| traps[cranelift_entity::EntityRef::index(block)].as_ref();
    let mut folded = 0;
    for &block in &blocks {
        let Terminator::Branch {
            condition,
            on_true,
            on_false,
        } = &body.blocks[block].terminator
        else {
            continue;
        };
        let condition = *condition;
        let (trap, negate, rest) = match (trap(on_true.block), trap(on_false.block)) {
            (None, Some(trap)) => (trap, false, on_true.clone()),
            (Some(trap), None) => (trap, true, on_false.clone()),
            (None, None) | (Some(_), Some(_)) => continue,
        };
        replace_branch(body, block, condition, negate, trap, rest);
        folded += 1;
    }
    folded
}

/// The block as a trap: nothing but a check of false, and the end.
fn as_trap(body: &Body, block: BlockId) -> Option<Trap> {
    let data = &body.blocks[block];
    let ([instruction], Terminator::Unreachable, []) =
        (&data.instructions[..], &data.terminator, &data.params[..])
    else {
        return None;
    };
    let data = &body.instructions[*instruction];
    let Instruction::Check {
        kind,
        condition,
        message,
    } = &data.instruction
    else {
        return None;
    };
    // What is not supported is not a property of the program: it must not look like one.
    let fails = body.as_constant(*condition) == Some(Constant::Int(0));
    (fails && *kind != CheckKind::Unsupported).then(|| Trap {
        kind: *kind,
        message: message.clone(),
        span: data.span,
    })
}

fn replace_branch(
    body: &mut Body,
    block: BlockId,
    condition: ValueId,
    negate: bool,
    trap: &Trap,
    rest: Target,
) {
    let branch_span = body.blocks[block].terminator_span;
    // An error that the program itself calls stands at the call; what clang inserted stands at
    // the operation, where the branch is.
    let is_call = matches!(trap.kind, CheckKind::Assertion | CheckKind::ReachError);
    let span = match branch_span.is_known() && !(is_call && trap.span.is_known()) {
        true => branch_span,
        false => trap.span,
    };
    let condition = if negate {
        not(body, block, condition, span)
    } else {
        condition
    };
    let checks = match (trap.kind, conjunction(body, condition)) {
        (CheckKind::Division, Some((not_zero, fits))) => vec![
            (CheckKind::Division, not_zero),
            (CheckKind::DivisionOverflow, fits),
        ],
        (CheckKind::Shift, Some((amount, base))) => {
            let fits = representable(body, block, &rest, amount, span);
            match fits {
                Some((is_positive, fits)) => vec![
                    (CheckKind::Shift, amount),
                    (CheckKind::Shift, is_positive),
                    (CheckKind::ShiftOverflow, fits),
                ],
                None => vec![(CheckKind::Shift, amount), (CheckKind::ShiftOverflow, base)],
            }
        }
        (kind, _) => vec![(kind, condition)],
    };
    for (kind, condition) in checks {
        let check = Instruction::Check {
            kind,
            condition,
            message: trap.message.clone(),
        };
        body.append(block, check, &[], span);
    }
    body.blocks[block].terminator = Terminator::Jump(rest);
}

/// Whether what the shift behind a check shifts is not negative, and whether its result fits: shifted back
/// it is the same. Where the amount is bad that is not asked.
fn representable(
    body: &mut Body,
    block: BlockId,
    rest: &Target,
    amount_is_good: ValueId,
    span: SpanId,
) -> Option<(ValueId, ValueId)> {
    let first = *body.blocks[rest.block].instructions.first()?;
    let Instruction::Binary {
        op: BinaryOp::Shl,
        lhs,
        rhs,
    } = body.instructions[first].instruction
    else {
        return None;
    };
    let ty = body.ty(lhs);
    let zero = body.constant(ty, Constant::Int(0));
    let mut define = |instruction, ty| {
        let id = body.append(block, instruction, &[ty], span);
        body.result(id)
    };
    let compare = |predicate, lhs, rhs| Instruction::Compare {
        predicate,
        lhs,
        rhs,
    };
    let binary = |op, lhs, rhs| Instruction::Binary { op, lhs, rhs };
    let shifted = define(binary(BinaryOp::Shl, lhs, rhs), ty);
    let back = define(binary(BinaryOp::AShr, shifted, rhs), ty);
    let same = define(compare(IntPredicate::Eq, back, lhs), Type::BOOL);
    let is_positive = define(compare(IntPredicate::Sge, lhs, zero), Type::BOOL);
    let is_bad = not(body, block, amount_is_good, span);
    let either = binary(BinaryOp::Or, is_bad, same);
    let id = body.append(block, either, &[Type::BOOL], span);
    Some((is_positive, body.result(id)))
}

/// The two parts of a conjunction.
fn conjunction(body: &Body, value: ValueId) -> Option<(ValueId, ValueId)> {
    if let ValueDef::Result(definition, 0) = body.values[value].def
        && let Instruction::Binary {
            op: BinaryOp::And,
            lhs,
            rhs,
        } = body.instructions[definition].instruction
    {
        return Some((lhs, rhs));
    }
    None
}

/// The negation of a truth value; the operand itself if that is already a negation.
fn not(body: &mut Body, block: BlockId, value: ValueId, span: SpanId) -> ValueId {
    if let ValueDef::Result(definition, 0) = body.values[value].def
        && let Instruction::Binary {
            op: BinaryOp::Xor,
            lhs,
            rhs,
        } = body.instructions[definition].instruction
        && body.as_constant(rhs) == Some(Constant::Int(1))
    {
        return lhs;
    }
    let one = body.constant(Type::BOOL, Constant::Int(1));
    let not = Instruction::Binary {
        op: BinaryOp::Xor,
        lhs: value,
        rhs: one,
    };
    let id = body.append(block, not, &[Type::BOOL], span);
    body.result(id)
}
