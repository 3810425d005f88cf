//! Calls through pointers become tests of the pointer and direct calls.
//!
//! What a pointer may call is known from the analysis. One test per target, in the order of their
//! ids, leads to a direct call; behind the last test the indirect call stays, for a pointer to what
//! is no function or one of another type: it fails there as it did before.

use crate::Analysis;
use cranelift_entity::SecondaryMap;
use foghorn_ir::{
    Block, BlockId, Body, Callee, Constant, FunctionId, InstId, Instruction, IntPredicate, Module,
    Target, Terminator, Type, ValueId,
};

/// Rewrites every indirect call for which the analysis found targets; how many these were.
pub fn devirtualise(module: &mut Module, analysis: &Analysis) -> usize {
    let mut calls = 0;
    let functions: Vec<FunctionId> = module.functions.keys().collect();
    for function in functions {
        let Some(body) = &mut module.functions[function].body else {
            continue;
        };
        let found = indirect_calls(body);
        let mut replaced = Replaced::new();
        for (block, id) in found.into_iter().rev() {
            let targets = analysis.targets(function, id);
            if !targets.is_empty() {
                rewrite(body, block, id, &targets, &mut replaced);
                calls += 1;
            }
        }
        replace(body, &replaced);
    }
    calls
}

/// Blocks and their indirect calls, in order.
fn indirect_calls(body: &Body) -> Vec<(BlockId, InstId)> {
    let mut found = vec![];
    for (block, data) in body.blocks.iter() {
        for &id in &data.instructions {
            if let Instruction::Call {
                callee: Callee::Indirect(_),
                ..
            } = body.instructions[id].instruction
            {
                found.push((block, id));
            }
        }
    }
    found
}

/// Splits the block behind the call. The last calls of a block come first, so that the others are
/// still in it.
fn rewrite(
    body: &mut Body,
    block: BlockId,
    call: InstId,
    targets: &[FunctionId],
    replaced: &mut Replaced,
) {
    let position = body.blocks[block]
        .instructions
        .iter()
        .position(|&id| id == call);
    let position = position.expect("invariant: the call is in the block");
    let span = body.instructions[call].span;
    let after = split(body, block, position, replaced);
    let Instruction::Call { callee, arguments } = body.instructions[call].instruction.clone()
    else {
        return;
    };
    let Callee::Indirect(pointer) = callee else {
        return;
    };
    let mut at = block;
    for &target in targets {
        let condition = compare(body, at, pointer, target, call);
        let (direct, next) = (body.add_block(), body.add_block());
        let results = copy_call(body, direct, call, Callee::Direct(target), &arguments);
        jump(body, direct, after, results, call);
        let data = &mut body.blocks[at];
        data.terminator = Terminator::Branch {
            condition,
            on_true: Target::new(direct),
            on_false: Target::new(next),
        };
        data.terminator_span = span;
        at = next;
    }
    let results = copy_call(body, at, call, callee, &arguments);
    jump(body, at, after, results, call);
}

/// Moves what follows the call at `position` into a new block, whose parameters take the place of
/// the call's results.
fn split(body: &mut Body, block: BlockId, position: usize, replaced: &mut Replaced) -> BlockId {
    let after = body.add_block();
    let data = &mut body.blocks[block];
    let rest = data.instructions.split_off(position + 1);
    let call = data
        .instructions
        .pop()
        .expect("invariant: the call is there");
    let terminator = std::mem::replace(&mut data.terminator, Terminator::Unreachable);
    let span = data.terminator_span;
    body.blocks[after] = Block {
        params: vec![],
        instructions: rest,
        terminator,
        terminator_span: span,
    };
    // The old values remain what they were, results of a call that is in no block.
    for result in body.instructions[call].results.clone() {
        let param = body.add_param(after, body.ty(result));
        body.values[param].name = body.values[result].name.clone();
        replaced[result] = Some(param);
    }
    after
}

/// Results of calls that are no more, and the parameters in their place.
type Replaced = SecondaryMap<ValueId, Option<ValueId>>;

fn replace(body: &mut Body, replaced: &Replaced) {
    let new = |value| replaced[value].unwrap_or(value);
    for data in body.instructions.values_mut() {
        data.map_operands(new);
    }
    for block in body.blocks.values_mut() {
        block.terminator.map_operands(new);
    }
    for variable in body.variables.values_mut() {
        variable.slot = variable.slot.map(new);
    }
}

fn compare(
    body: &mut Body,
    block: BlockId,
    pointer: ValueId,
    target: FunctionId,
    call: InstId,
) -> ValueId {
    let span = body.instructions[call].span;
    let target = body.constant(Type::Ptr, Constant::Function(target));
    let compare = Instruction::Compare {
        predicate: IntPredicate::Eq,
        lhs: pointer,
        rhs: target,
    };
    let id = body.append(block, compare, &[Type::BOOL], span);
    body.result(id)
}

fn copy_call(
    body: &mut Body,
    block: BlockId,
    call: InstId,
    callee: Callee,
    arguments: &[ValueId],
) -> Vec<ValueId> {
    let data = &body.instructions[call];
    let types: Vec<_> = data.results.iter().map(|&value| body.ty(value)).collect();
    let span = data.span;
    let arguments = arguments.to_vec();
    let id = body.append(block, Instruction::Call { callee, arguments }, &types, span);
    body.instructions[id].results.to_vec()
}

fn jump(body: &mut Body, from: BlockId, to: BlockId, arguments: Vec<ValueId>, call: InstId) {
    let span = body.instructions[call].span;
    let data = &mut body.blocks[from];
    data.terminator = Terminator::Jump(Target {
        block: to,
        arguments,
    });
    data.terminator_span = span;
}
