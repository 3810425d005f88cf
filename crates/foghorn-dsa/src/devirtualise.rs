//! Indirect calls become tests on the pointer and direct calls.
//!
//! `call p(x)` with the possible callees `f` and `g` becomes `if p == f then f(x) else if p == g
//! then g(x) else fail`, where the last case is a failing `invalid-call` check. The analysis is
//! sound, so the last case is reached exactly when the original call would have failed. A callee
//! whose signature does not fit is left out: calling it is an `invalid-call` too.

use crate::Analysis;
use foghorn_core::CheckKind;
use foghorn_ir::{
    Block, BlockId, Body, Callee, Constant, FunctionId, InstId, Instruction, IntPredicate, Module,
    Target, Terminator, Type, ValueId,
};
use rustc_hash::FxHashMap;

/// Replaces all indirect calls of the module that was analysed; how many there were.
pub fn devirtualise(module: &mut Module, analysis: &Analysis) -> usize {
    let mut count = 0;
    let functions: Vec<FunctionId> = module.functions.keys().collect();
    for function in functions {
        let Some(mut body) = module.functions[function].body.take() else {
            continue;
        };
        count += devirtualise_body(&mut body, |call| analysis.targets(function, call));
        module.functions[function].body = Some(body);
    }
    count
}

fn devirtualise_body(body: &mut Body, targets: impl Fn(InstId) -> Vec<FunctionId>) -> usize {
    let mut count = 0;
    let mut replaced = FxHashMap::default();
    let mut work: Vec<BlockId> = body.blocks.keys().collect();
    while let Some(block) = work.pop() {
        let instructions = &body.blocks[block].instructions;
        let position = instructions.iter().position(|&id| is_indirect(body, id));
        let Some(position) = position else { continue };
        let call = body.blocks[block].instructions[position];
        let rest = split(body, block, position, &mut replaced);
        dispatch(body, block, rest, call, &targets(call));
        count += 1;
        work.push(rest);
    }
    rename(body, &replaced);
    count
}

fn is_indirect(body: &Body, id: InstId) -> bool {
    matches!(
        body.instructions[id].instruction,
        Instruction::Call {
            callee: Callee::Indirect(_),
            ..
        }
    )
}

/// Moves what follows the call into a new block whose parameters stand for the call's results.
fn split(
    body: &mut Body,
    block: BlockId,
    position: usize,
    replaced: &mut FxHashMap<ValueId, ValueId>,
) -> BlockId {
    let call = body.blocks[block].instructions[position];
    let rest = body.add_block();
    let moved = body.blocks[block].instructions.split_off(position + 1);
    body.blocks[block].instructions.pop();
    let end = std::mem::replace(&mut body.blocks[block].terminator, Terminator::Unreachable);
    let span = body.blocks[block].terminator_span;
    let Block {
        instructions,
        terminator,
        terminator_span,
        ..
    } = &mut body.blocks[rest];
    *instructions = moved;
    *terminator = end;
    *terminator_span = span;
    for result in body.instructions[call].results.clone() {
        let ty = body.ty(result);
        let param = body.add_param(rest, ty);
        body.values[param].name = body.values[result].name.clone();
        replaced.insert(result, param);
    }
    rest
}

/// The tests, from `block` on, each with its direct call that goes on at `rest`.
fn dispatch(body: &mut Body, block: BlockId, rest: BlockId, call: InstId, targets: &[FunctionId]) {
    let data = body.instructions[call].clone();
    let Instruction::Call {
        callee: Callee::Indirect(pointer),
        arguments,
    } = data.instruction
    else {
        return;
    };
    let types: Vec<Type> = data.results.iter().map(|&value| body.ty(value)).collect();
    let mut block = block;
    for &target in targets {
        let address = body.constant(Type::Ptr, Constant::Function(target));
        let compare = Instruction::Compare {
            predicate: IntPredicate::Eq,
            lhs: pointer,
            rhs: address,
        };
        let test = body.append(block, compare, &[Type::BOOL], data.span);
        let condition = body.result(test);
        let (direct, next) = (body.add_block(), body.add_block());
        end(
            body,
            block,
            Terminator::Branch {
                condition,
                on_true: Target::new(direct),
                on_false: Target::new(next),
            },
            call,
        );
        let instruction = Instruction::Call {
            callee: Callee::Direct(target),
            arguments: arguments.clone(),
        };
        let made = body.append(direct, instruction, &types, data.span);
        let jump = Terminator::Jump(Target {
            block: rest,
            arguments: body.instructions[made].results.to_vec(),
        });
        end(body, direct, jump, call);
        block = next;
    }
    let never = body.int(1, 0);
    let check = Instruction::Check {
        kind: CheckKind::InvalidCall,
        condition: never,
        message: Some("call through a pointer that is no function of this type".into()),
    };
    body.append(block, check, &[], data.span);
    // A disabled check does not end the run, but nothing can follow it.
    body.append(
        block,
        Instruction::Assume { condition: never },
        &[],
        data.span,
    );
    end(body, block, Terminator::Unreachable, call);
}

fn end(body: &mut Body, block: BlockId, terminator: Terminator, call: InstId) {
    let span = body.instructions[call].span;
    body.blocks[block].terminator = terminator;
    body.blocks[block].terminator_span = span;
}

/// Uses of the calls' results become uses of the parameters that stand for them.
fn rename(body: &mut Body, replaced: &FxHashMap<ValueId, ValueId>) {
    if replaced.is_empty() {
        return;
    }
    let map = |value: ValueId| replaced.get(&value).copied().unwrap_or(value);
    for data in body.instructions.values_mut() {
        data.instruction.map_operands(map);
    }
    for block in body.blocks.values_mut() {
        block.terminator.map_operands(map);
    }
}
