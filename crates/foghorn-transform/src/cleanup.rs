//! Clean-up of control flow and of what nothing uses.
//!
//! Keeps every check, every effect and every [`Instruction::Bind`]; removes blocks that nothing
//! reaches, jumps that go nowhere else, arithmetic and block parameters whose values are not used.
//! Afterwards every block of the body is reachable from its entry, and entities are numbered in
//! reverse postorder, so that printed IR reads from top to bottom.

use cranelift_entity::SecondaryMap;
use foghorn_ir::graph::ControlFlowGraph;
use foghorn_ir::sites::site_checks;
use foghorn_ir::{
    BlockId, Body, Constant, Instruction, NondetOrigin, Target, Terminator, ValueDef, ValueId,
};

/// Runs the pass.
pub fn cleanup(body: &mut Body) {
    decide_branches(body);
    skip_empty_blocks(body);
    clear_unreachable(body);
    merge_blocks(body);
    remove_dead_values(body);
    *body = compact(body);
}

/// Branches on constants, or with two equal targets, become jumps.
fn decide_branches(body: &mut Body) {
    for block in body.blocks.keys() {
        let Terminator::Branch {
            condition,
            on_true,
            on_false,
        } = &body.blocks[block].terminator
        else {
            continue;
        };
        let target = match body.as_constant(*condition) {
            Some(Constant::Int(0)) => on_false,
            Some(_) => on_true,
            None if on_true == on_false => on_true,
            None => continue,
        };
        body.blocks[block].terminator = Terminator::Jump(target.clone());
    }
}

/// A jump to a block that only jumps on goes there directly.
fn skip_empty_blocks(body: &mut Body) {
    let forward = |body: &Body, target: &Target| -> Option<Target> {
        let data = &body.blocks[target.block];
        match &data.terminator {
            Terminator::Jump(next)
                if data.instructions.is_empty()
                    && data.params.is_empty()
                    && next.block != target.block =>
            {
                Some(next.clone())
            }
            _ => None,
        }
    };
    // Each round shortens every chain by one block; a chain is as long as the nesting of scopes
    // that end together, so a few rounds are enough and a cycle of empty blocks is left alone.
    for _ in 0..8 {
        let mut changed = false;
        for block in body.blocks.keys() {
            let mut terminator =
                std::mem::replace(&mut body.blocks[block].terminator, Terminator::Unreachable);
            for target in terminator.targets_mut() {
                if target.block != block
                    && let Some(next) = forward(body, target)
                {
                    *target = next;
                    changed = true;
                }
            }
            body.blocks[block].terminator = terminator;
        }
        if !changed {
            return;
        }
    }
}

/// Empties the blocks that nothing reaches, so that no pass has to keep them consistent.
pub fn clear_unreachable(body: &mut Body) {
    let cfg = ControlFlowGraph::new(body);
    for (id, block) in body.blocks.iter_mut() {
        if !cfg.is_reachable(id) {
            block.params.clear();
            block.instructions.clear();
            block.terminator = Terminator::Unreachable;
        }
    }
}

/// A block and the only block that jumps to it, and only to it, become one.
fn merge_blocks(body: &mut Body) {
    let cfg = ControlFlowGraph::new(body);
    let mut replaced: SecondaryMap<ValueId, Option<ValueId>> = SecondaryMap::new();
    let mut merged: SecondaryMap<BlockId, bool> = SecondaryMap::new();
    let reachable_predecessors = |b: BlockId| {
        cfg.predecessors(b)
            .iter()
            .filter(|&&p| cfg.is_reachable(p))
            .count()
    };
    for &head in cfg.reverse_postorder() {
        if merged[head] {
            continue;
        }
        while let Terminator::Jump(target) = &body.blocks[head].terminator {
            let next = target.block;
            if next == head || next == body.entry || reachable_predecessors(next) != 1 {
                break;
            }
            let arguments = target.arguments.clone();
            let params = std::mem::take(&mut body.blocks[next].params);
            for (param, argument) in params.into_iter().zip(arguments) {
                replaced[param] = Some(resolve(&replaced, argument));
            }
            let rest = std::mem::take(&mut body.blocks[next].instructions);
            let terminator =
                std::mem::replace(&mut body.blocks[next].terminator, Terminator::Unreachable);
            let span = body.blocks[next].terminator_span;
            let block = &mut body.blocks[head];
            block.instructions.extend(rest);
            block.terminator = terminator;
            block.terminator_span = span;
            merged[next] = true;
        }
    }
    replace_all(body, &replaced);
}

fn resolve(replaced: &SecondaryMap<ValueId, Option<ValueId>>, mut value: ValueId) -> ValueId {
    while let Some(next) = replaced[value] {
        value = next;
    }
    value
}

fn replace_all(body: &mut Body, replaced: &SecondaryMap<ValueId, Option<ValueId>>) {
    for data in body.instructions.values_mut() {
        data.map_operands(|value| resolve(replaced, value));
    }
    for block in body.blocks.values_mut() {
        block
            .terminator
            .map_operands(|value| resolve(replaced, value));
    }
}

/// Whether an instruction stays even if nothing uses its results.
///
/// Clean-up comes before any engine or replay, so a value that comes from no input of the program
/// and that nothing looks at need not be chosen at all.
fn is_root(body: &Body, instruction: &Instruction) -> bool {
    match instruction {
        Instruction::Bind { .. } => true,
        Instruction::Nondet {
            origin: NondetOrigin::Undefined | NondetOrigin::Uninitialised(_),
        } => false,
        // The order of pointers is compared for a check of its own, whoever uses the result.
        other => other.has_effect() || !site_checks(body, other).is_empty(),
    }
}

/// Removes arithmetic whose results are unused, and unused block parameters with their arguments.
fn remove_dead_values(body: &mut Body) {
    let live = live_values(body);
    let entry = body.entry;
    for block in body.blocks.keys() {
        let mut instructions = std::mem::take(&mut body.blocks[block].instructions);
        instructions.retain(|&id| {
            let data = &body.instructions[id];
            let mut used = false;
            data.for_each_definition(|value| used |= live[value]);
            used || is_root(body, &data.instruction)
        });
        body.blocks[block].instructions = instructions;
    }
    let keep: SecondaryMap<BlockId, Vec<bool>> = body
        .blocks
        .iter()
        .map(|(id, block)| {
            block
                .params
                .iter()
                .map(|&p| id == entry || live[p])
                .collect()
        })
        .collect::<Vec<_>>()
        .into();
    for (id, block) in body.blocks.iter_mut() {
        retain_by(&mut block.params, &keep[id]);
        for target in block.terminator.targets_mut() {
            retain_by(&mut target.arguments, &keep[target.block]);
        }
    }
    renumber_params(body);
}

fn retain_by(values: &mut Vec<ValueId>, keep: &[bool]) {
    let mut index = 0;
    values.retain(|_| {
        index += 1;
        keep[index - 1]
    });
}

fn renumber_params(body: &mut Body) {
    for (id, block) in body.blocks.iter() {
        for (index, &param) in (0..).zip(&block.params) {
            body.values[param].def = ValueDef::Param(id, index);
        }
    }
}

/// Values that an effect, a terminator or a live value depends on.
fn live_values(body: &Body) -> SecondaryMap<ValueId, bool> {
    let mut live: SecondaryMap<ValueId, bool> = SecondaryMap::new();
    let mut work: Vec<ValueId> = vec![];
    let mut sources: SecondaryMap<ValueId, Vec<ValueId>> = SecondaryMap::new();
    for block in body.blocks.values() {
        for &id in &block.instructions {
            if is_root(body, &body.instructions[id].instruction) {
                body.instructions[id].for_each_operand(|value| work.push(value));
            }
        }
        // Arguments of targets count only once their parameter does.
        for target in block.terminator.targets() {
            for (&param, &argument) in body.blocks[target.block]
                .params
                .iter()
                .zip(&target.arguments)
            {
                sources[param].push(argument);
            }
        }
        match &block.terminator {
            Terminator::Branch { condition, .. } => work.push(*condition),
            Terminator::Return { values } => work.extend(values),
            Terminator::Halt { code, .. } => work.push(*code),
            Terminator::Jump(_) | Terminator::Unreachable => {}
        }
    }
    while let Some(value) = work.pop() {
        if std::mem::replace(&mut live[value], true) {
            continue;
        }
        match body.values[value].def {
            ValueDef::Param(..) => work.extend(&sources[value]),
            ValueDef::Result(id, _) | ValueDef::Memory(id, _) => {
                body.instructions[id].for_each_operand(|operand| work.push(operand));
            }
            ValueDef::Constant(_) => {}
        }
    }
    live
}

/// The same body with only what is reachable, numbered in reverse postorder.
fn compact(old: &Body) -> Body {
    let cfg = ControlFlowGraph::new(old);
    let mut new = Body::new();
    new.variables = old.variables.clone();
    new.form = old.form;
    new.regions = old.regions.clone();
    let mut blocks: SecondaryMap<BlockId, Option<BlockId>> = SecondaryMap::new();
    let mut values: SecondaryMap<ValueId, Option<ValueId>> = SecondaryMap::new();
    for &block in cfg.reverse_postorder() {
        let id = if block == old.entry {
            new.entry
        } else {
            new.add_block()
        };
        blocks[block] = Some(id);
        for &param in &old.blocks[block].params {
            let copy = new.add_param(id, old.ty(param));
            new.values[copy].name = old.values[param].name.clone();
            values[param] = Some(copy);
        }
    }
    for &block in cfg.reverse_postorder() {
        copy_instructions(
            old,
            &mut new,
            block,
            blocks[block].expect("invariant: entered"),
            &mut values,
        );
    }
    for &block in cfg.reverse_postorder() {
        let id = blocks[block].expect("invariant: entered above");
        let mut terminator = old.blocks[block].terminator.clone();
        terminator.map_operands(|value| copied(old, &mut new, &mut values, value));
        for target in terminator.targets_mut() {
            target.block = blocks[target.block].expect("invariant: successors are reachable");
        }
        new.blocks[id].terminator = terminator;
        new.blocks[id].terminator_span = old.blocks[block].terminator_span;
    }
    for variable in new.variables.values_mut() {
        variable.slot = variable.slot.and_then(|slot| values[slot]);
    }
    new
}

/// Copies instructions in reverse postorder of blocks: definitions come before uses.
fn copy_instructions(
    old: &Body,
    new: &mut Body,
    from: BlockId,
    to: BlockId,
    values: &mut SecondaryMap<ValueId, Option<ValueId>>,
) {
    for &id in &old.blocks[from].instructions {
        let data = &old.instructions[id];
        let mut instruction = data.instruction.clone();
        instruction.map_operands(|value| copied(old, new, values, value));
        let types: Vec<_> = data.results.iter().map(|&result| old.ty(result)).collect();
        let copy = new.append(to, instruction, &types, data.span);
        new.instructions[copy].effective_type = data.effective_type.clone();
        for (&result, copy) in data
            .results
            .iter()
            .zip(new.instructions[copy].results.clone())
        {
            new.values[copy].name = old.values[result].name.clone();
            values[result] = Some(copy);
        }
        for memory in &data.memory {
            let input = copied(old, new, values, memory.input);
            let modifies = memory.output.is_some();
            let output = new.add_memory_use(copy, memory.region, input, memory.role, modifies);
            if let (Some(output), Some(copy)) = (memory.output, output) {
                new.values[copy].name = old.values[output].name.clone();
                values[output] = Some(copy);
            }
        }
    }
}

fn copied(
    old: &Body,
    new: &mut Body,
    values: &mut SecondaryMap<ValueId, Option<ValueId>>,
    value: ValueId,
) -> ValueId {
    match (values[value], old.values[value].def) {
        (Some(copy), _) => copy,
        (None, ValueDef::Constant(known)) => {
            let copy = new.constant(old.ty(value), known);
            values[value] = Some(copy);
            copy
        }
        (None, ValueDef::Param(..) | ValueDef::Result(..) | ValueDef::Memory(..)) => {
            unreachable!("invariant: a definition comes before its uses in reverse postorder")
        }
    }
}
