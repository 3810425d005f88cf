//! Copies and identities, and the laws of the rules over all operands at small widths.

use super::expect;
use foghorn_core::SpanId;
use foghorn_ir::interpret::arithmetic::{binary, compare, cut, overflows};
use foghorn_ir::{
    BinaryOp, Body, Constant, InstId, Instruction, IntPredicate, OverflowOp, Type, ValueDef,
    ValueId,
};
use foghorn_transform::PassOptions;
use foghorn_transform::simplify::rules::{RULES, Simpler};

#[test]
fn a_parameter_that_receives_one_value_is_that_value() {
    expect(
        "simplify",
        &PassOptions::default(),
        "function @f(i32, i1) -> i32 {
        block0(v0:i32, v1:i1):
          jump block1(v0, v0)
        block1(v2:i32, v3:i32):
          v4:i32 = add v2, 0
          branch v1, block1(v4, v3), block2
        block2:
          v5:i32 = sub v4, v3
          return v5
        }",
        "function @f(i32, i1) -> i32 {
        block0(v0:i32, v1:i1):
          jump block1(v0)
        block1(v2:i32):
          branch v1, block1(v2), block2
        block2:
          v3:i32 = sub v2, v0
          return v3
        }",
    );
}

#[test]
fn truth_values_that_went_through_int() {
    expect(
        "simplify",
        &PassOptions::default(),
        "function @f(i32) {
        block0(v0:i32):
          v1:i1 = compare slt v0, 5
          v2:i32 = zext v1
          v3:i1 = compare ne v2, 0
          v4:i1 = xor v3, true
          v5:i1 = xor v4, true
          check assertion v5
          return
        }",
        "function @f(i32) {
        block0(v0:i32):
          v1:i1 = compare slt v0, 5
          check assertion v1
          return
        }",
    );
}

/// The value of an expression, with the parameters of the entry given.
fn evaluate(body: &Body, value: ValueId, inputs: &[u128]) -> u128 {
    match body.values[value].def {
        ValueDef::Constant(Constant::Int(bits)) => bits,
        ValueDef::Constant(other) => panic!("{other:?} is no integer"),
        ValueDef::Param(_, index) => inputs[index as usize],
        ValueDef::Memory(..) => panic!("memory is no integer"),
        ValueDef::Result(id, _) => evaluate_instruction(
            body,
            &body.instructions[id].instruction,
            body.ty(value),
            inputs,
        ),
    }
}

fn evaluate_instruction(
    body: &Body,
    instruction: &Instruction,
    result: Type,
    inputs: &[u128],
) -> u128 {
    let of = |value: ValueId| evaluate(body, value, inputs);
    let width = |value: ValueId| body.ty(value).int_width().expect("an integer");
    match *instruction {
        Instruction::Binary { op, lhs, rhs } => binary(op, width(lhs), of(lhs), of(rhs)),
        Instruction::Overflows {
            op,
            signed,
            lhs,
            rhs,
        } => overflows(op, signed, width(lhs), of(lhs), of(rhs)).into(),
        Instruction::Compare {
            predicate,
            lhs,
            rhs,
        } => compare(predicate, width(lhs), of(lhs), of(rhs)).into(),
        Instruction::Select {
            condition,
            on_true,
            on_false,
        } => match of(condition) {
            0 => of(on_false),
            _ => of(on_true),
        },
        Instruction::Cast { op, operand } => {
            foghorn_ir::interpret::float::cast(op, body.ty(operand), result, of(operand))
                .expect("a cast of integers")
        }
        ref other => panic!("{other:?} is not tried here"),
    }
}

/// Applies every rule that fits and compares over all inputs of the widths of the parameters.
fn try_rules(body: &mut Body, id: InstId, used: &mut [usize]) {
    let old = body.instructions[id].instruction.clone();
    let result = body.ty(body.result(id));
    for (index, rule) in RULES.iter().enumerate() {
        let Some(simpler) = (rule.apply)(body, id) else {
            continue;
        };
        used[index] += 1;
        let params = body.blocks[body.entry].params.clone();
        let widths: Vec<u32> = params
            .iter()
            .filter_map(|&p| body.ty(p).int_width())
            .collect();
        for number in 0..1_u128 << widths.iter().sum::<u32>() {
            let mut rest = number;
            let mut inputs = vec![];
            for &width in &widths {
                inputs.push(cut(rest, width));
                rest >>= width;
            }
            let before = evaluate_instruction(body, &old, result, &inputs);
            let after = match &simpler {
                Simpler::Value(value) => evaluate(body, *value, &inputs),
                Simpler::Instruction(new) => evaluate_instruction(body, new, result, &inputs),
            };
            assert_eq!(before, after, "{}: {old:?} on {inputs:?}", rule.name);
        }
    }
}

#[test]
fn every_rule_is_a_law_at_small_widths() {
    let mut used = vec![0; RULES.len()];
    for width in 1..=4_u8 {
        let mut body = Body::new();
        let ty = Type::Int(width);
        let entry = body.entry;
        let [x, y] = [ty, ty].map(|ty| body.add_param(entry, ty));
        let [c, d] = [Type::BOOL; 2].map(|ty| body.add_param(entry, ty));
        let mut operands = vec![x, y];
        operands.extend((0..1 << width).map(|n| body.int(width, n)));
        let truths = [c, d, body.int(1, 0), body.int(1, 1)];
        let add = |body: &mut Body, instruction, ty| {
            let id = body.append(entry, instruction, &[ty], SpanId::UNKNOWN);
            (id, body.result(id))
        };
        let (_, wide) = add(&mut body, zext(c), Type::Int(width + 1));
        let (_, negated) = add(&mut body, not_of(&operands, x), ty);
        let (_, smaller) = add(&mut body, compare_of(IntPredicate::Ult, x, y), Type::BOOL);
        operands.push(negated);
        let mut new = vec![];
        for &lhs in &operands {
            for &rhs in &operands {
                for &op in BinaryOp::ALL {
                    new.push((Instruction::Binary { op, lhs, rhs }, ty));
                }
                for &predicate in IntPredicate::ALL {
                    new.push((compare_of(predicate, lhs, rhs), Type::BOOL));
                }
                for &op in OverflowOp::ALL {
                    for signed in [false, true] {
                        let overflows = Instruction::Overflows {
                            op,
                            signed,
                            lhs,
                            rhs,
                        };
                        new.push((overflows, Type::BOOL));
                    }
                }
            }
        }
        for &predicate in IntPredicate::ALL {
            for number in 0..1 << (width + 1) {
                let rhs = body.int(width + 1, number);
                new.push((compare_of(predicate, wide, rhs), Type::BOOL));
            }
        }
        let one = body.int(1, 1);
        let not_smaller = Instruction::Binary {
            op: BinaryOp::Xor,
            lhs: smaller,
            rhs: one,
        };
        new.push((not_smaller, Type::BOOL));
        for &on_true in &truths {
            for &on_false in &truths {
                let select = Instruction::Select {
                    condition: c,
                    on_true,
                    on_false,
                };
                new.push((select, Type::BOOL));
            }
        }
        casts(&mut body, x, width, &mut new);
        for (instruction, ty) in new {
            let (id, _) = add(&mut body, instruction, ty);
            try_rules(&mut body, id, &mut used);
        }
    }
    for (rule, used) in RULES.iter().zip(used) {
        let of_pointers = rule.name.starts_with("pointer");
        assert_eq!(
            used > 0,
            !of_pointers,
            "{} was used {used} times",
            rule.name
        );
    }
}

fn zext(operand: ValueId) -> Instruction {
    Instruction::Cast {
        op: foghorn_ir::CastOp::ZExt,
        operand,
    }
}

fn not_of(constants: &[ValueId], lhs: ValueId) -> Instruction {
    Instruction::Binary {
        op: BinaryOp::Xor,
        lhs,
        rhs: constants[3],
    }
}

fn compare_of(predicate: IntPredicate, lhs: ValueId, rhs: ValueId) -> Instruction {
    Instruction::Compare {
        predicate,
        lhs,
        rhs,
    }
}

/// Every conversion of every conversion of `x`.
fn casts(body: &mut Body, x: ValueId, width: u8, new: &mut Vec<(Instruction, Type)>) {
    use foghorn_ir::CastOp::{SExt, Trunc, ZExt};
    for inner in [ZExt, SExt, Trunc] {
        for middle in 1..8 {
            let fits = if inner == Trunc {
                middle < width
            } else {
                middle > width
            };
            if !fits {
                continue;
            }
            let cast = Instruction::Cast {
                op: inner,
                operand: x,
            };
            let id = body.append(body.entry, cast, &[Type::Int(middle)], SpanId::UNKNOWN);
            let operand = body.result(id);
            for op in [ZExt, SExt, Trunc] {
                for last in 1..9 {
                    if if op == Trunc {
                        last < middle
                    } else {
                        last > middle
                    } {
                        new.push((Instruction::Cast { op, operand }, Type::Int(last)));
                    }
                }
            }
        }
    }
}

#[test]
fn offsets_of_known_indices_are_added_up() {
    expect(
        "simplify",
        &PassOptions::default(),
        "function @f(ptr, i64) -> ptr {
        block0(v0:ptr, v1:i64):
          v2:ptr = pointer-add v0 + 3:i64 * 4 + v1 * 8
          v3:ptr = pointer-add v2 + 0:i64 * 4
          return v3
        }",
        "function @f(ptr, i64) -> ptr {
        block0(v0:ptr, v1:i64):
          v2:ptr = pointer-add v0 + 12 + v1 * 8
          return v2
        }",
    );
}
