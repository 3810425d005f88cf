//! Printing that nobody looks at and that cannot fail is left out.
//!
//! The model of `printf` walks along its format, which takes an engine that does not know the format
//! byte by byte a long time, and which an abstract one cannot follow at all. A call whose format is
//! a constant that only converts numbers, with enough arguments, and whose result nobody uses has
//! no effect but its output. Strings are read, so a call that prints one stays.

use foghorn_ir::graph::CallGraph;
use foghorn_ir::{
    Body, Callee, Constant, FunctionId, GlobalContents, GlobalId, InstId, Instruction, Module,
    ValueDef, ValueId,
};
use std::collections::BTreeSet;

/// Removes calls of `printf` that only print; returns how many.
pub fn leave_out_printing(module: &mut Module) -> usize {
    let is_printf = |id: &FunctionId| {
        let function = &module.functions[*id];
        function.is_model && &*function.name == "printf"
    };
    let Some(printf) = module.functions.keys().find(is_printf) else {
        return 0;
    };
    let mut removed = 0;
    let functions: Vec<FunctionId> = module.functions.keys().collect();
    for function in functions {
        let idle = match &module.functions[function].body {
            Some(body) => idle_calls(module, body, printf),
            None => continue,
        };
        removed += idle.len();
        if let Some(body) = &mut module.functions[function].body {
            for block in body.blocks.values_mut() {
                block.instructions.retain(|id| !idle.contains(id));
            }
        }
    }
    if removed > 0 {
        forget_unreached_models(module);
    }
    removed
}

/// Models that nothing calls any more need no body.
fn forget_unreached_models(module: &mut Module) {
    if module.entry.is_none() {
        return;
    }
    let calls = CallGraph::new(module);
    let taken = module
        .functions
        .keys()
        .filter(|id| calls.is_address_taken(*id));
    let own = module.functions.iter().filter(|(_, it)| !it.is_model);
    let mut pending: Vec<FunctionId> = own.map(|(id, _)| id).chain(taken).collect();
    pending.extend(module.constructors.iter().chain(&module.destructors));
    pending.extend(module.entry);
    let mut reached = BTreeSet::new();
    while let Some(function) = pending.pop() {
        if reached.insert(function) {
            pending.extend(calls.callees(function));
        }
    }
    for (id, function) in module.functions.iter_mut() {
        if !reached.contains(&id) {
            function.body = None;
        }
    }
}

fn idle_calls(module: &Module, body: &Body, printf: FunctionId) -> BTreeSet<InstId> {
    let used = used_values(body);
    let placed = body.blocks.values().flat_map(|block| &block.instructions);
    placed
        .copied()
        .filter(|id| {
            let data = &body.instructions[*id];
            let Instruction::Call {
                callee: Callee::Direct(callee),
                arguments,
            } = &data.instruction
            else {
                return false;
            };
            *callee == printf
                && data.results.iter().all(|result| !used.contains(result))
                && only_prints_numbers(module, body, arguments)
        })
        .collect()
}

fn used_values(body: &Body) -> BTreeSet<ValueId> {
    let mut used = BTreeSet::new();
    for block in body.blocks.values() {
        for id in &block.instructions {
            let instruction = &body.instructions[*id].instruction;
            instruction.for_each_operand(|value| {
                used.insert(value);
            });
        }
        block.terminator.for_each_operand(|value| {
            used.insert(value);
        });
    }
    used
}

fn only_prints_numbers(module: &Module, body: &Body, arguments: &[ValueId]) -> bool {
    let (Some(format), rest) = (arguments.first(), arguments.get(1)) else {
        return false;
    };
    let Some(Constant::Global(format)) = body.as_constant(*format) else {
        return false;
    };
    let Some(text) = text(module, format) else {
        return false;
    };
    let slot = module.layout.pointer_bytes;
    let is_long = text.windows(2).any(|pair| pair == b"ll") || text.contains(&b'j');
    match numbers(&text) {
        Some(0) => true,
        // A number may take two slots.
        Some(_) if slot < 8 && is_long => false,
        Some(wanted) => rest.is_some_and(|rest| room(body, *rest) >= wanted * u128::from(slot)),
        None => false,
    }
}

/// The bytes of a constant string, up to its end.
fn text(module: &Module, global: GlobalId) -> Option<Vec<u8>> {
    let global = &module.globals[global];
    let GlobalContents::Initialised(initializer) = &global.contents else {
        return None;
    };
    if !global.constant || !initializer.relocations.is_empty() {
        return None;
    }
    let size = usize::try_from(global.size).ok()?;
    let mut bytes = vec![0; size];
    for (start, chunk) in &initializer.chunks {
        let start = usize::try_from(*start).ok()?;
        bytes
            .get_mut(start..start + chunk.len())?
            .copy_from_slice(chunk);
    }
    let end = bytes.iter().position(|byte| *byte == 0)?;
    bytes.truncate(end);
    Some(bytes)
}

/// How many numbers a format prints; `None` if it does anything else.
fn numbers(format: &[u8]) -> Option<u128> {
    let mut count = 0;
    let mut rest = format.iter();
    while rest.any(|byte| *byte == b'%') {
        let modifiers = b"-+ #0123456789.hljzt";
        let conversion = rest.find(|byte| !modifiers.contains(byte))?;
        match conversion {
            b'%' => {}
            b'd' | b'i' | b'u' | b'x' | b'X' | b'o' | b'c' => count += 1,
            _ => return None,
        }
    }
    Some(count)
}

/// Bytes of the stack object that a value is.
fn room(body: &Body, value: ValueId) -> u128 {
    let ValueDef::Result(instruction, _) = body.values[value].def else {
        return 0;
    };
    let Instruction::Allocate { size, .. } = body.instructions[instruction].instruction else {
        return 0;
    };
    match body.as_constant(size) {
        Some(Constant::Int(bits)) => bits,
        Some(_) | None => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::numbers;

    #[test]
    fn formats_of_numbers_are_told_from_others() {
        assert_eq!(numbers(b"done\n"), Some(0));
        assert_eq!(numbers(b"%d of %5.2lu, 100%%\n"), Some(2));
        assert_eq!(numbers(b"%s\n"), None);
        assert_eq!(numbers(b"%*d\n"), None);
        assert_eq!(numbers(b"%n"), None);
        assert_eq!(numbers(b"%"), None);
    }
}
