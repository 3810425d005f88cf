//! Which values an open site can depend on. The others are not made, and are no arguments.
//!
//! A value matters if a branch, an assumption or an open check uses it, or if a value that matters is
//! made of it, within a function and across calls. What an instruction that has no other effect makes
//! needs no term if it does not matter.

use foghorn_ir::graph::ControlFlowGraph;
use foghorn_ir::{
    Body, Callee, FunctionId, InstId, Instruction, MemoryRole, Module, Terminator, ValueDef,
    ValueId,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// The values that matter.
#[derive(Clone, Debug, Default)]
pub struct Relevance {
    values: FxHashSet<(FunctionId, ValueId)>,
}

/// What is asked of a program.
pub struct Question<'a> {
    pub module: &'a Module,
    /// The functions that a run may come to.
    pub functions: &'a [FunctionId],
    /// Whether an instruction is checked for what it implies, or stated.
    pub is_open: &'a dyn Fn(FunctionId, InstId) -> bool,
    /// Whether lives of objects are followed.
    pub lives: bool,
    /// Whether sizes of objects are.
    pub sizes: bool,
}

/// A call of a function: who calls, and where.
type CallSites = FxHashMap<FunctionId, Vec<(FunctionId, InstId)>>;

impl Relevance {
    /// The values that the open sites of a program can depend on.
    pub fn new(question: &Question<'_>) -> Self {
        let mut found = Relevance::default();
        let mut pending: Vec<(FunctionId, ValueId)> = vec![];
        let mut calls = CallSites::default();
        for &function in question.functions {
            let Some(body) = &question.module.functions[function].body else {
                continue;
            };
            roots(question, function, body, &mut pending);
            for (id, data) in body.instructions.iter() {
                if let Instruction::Call {
                    callee: Callee::Direct(callee),
                    ..
                } = data.instruction
                {
                    calls.entry(callee).or_default().push((function, id));
                }
            }
        }
        while let Some((function, value)) = pending.pop() {
            if found.values.insert((function, value)) {
                sources(question.module, &calls, function, value, &mut pending);
            }
        }
        found
    }

    /// Whether a value matters.
    pub fn contains(&self, function: FunctionId, value: ValueId) -> bool {
        self.values.contains(&(function, value))
    }
}

/// What matters in itself.
fn roots(
    question: &Question<'_>,
    function: FunctionId,
    body: &Body,
    pending: &mut Vec<(FunctionId, ValueId)>,
) {
    let cfg = ControlFlowGraph::new(body);
    for &block in cfg.reverse_postorder() {
        if let Terminator::Branch { condition, .. } = body.blocks[block].terminator {
            pending.push((function, condition));
        }
        for &id in &body.blocks[block].instructions {
            let mut push = |value: ValueId| pending.push((function, value));
            let open = (question.is_open)(function, id);
            match &body.instructions[id].instruction {
                Instruction::Assume { condition } => push(*condition),
                Instruction::Check { condition, .. } if open => push(*condition),
                Instruction::Load { pointer, .. } | Instruction::Store { pointer, .. } if open => {
                    push(*pointer);
                }
                Instruction::MemoryCopy { .. } | Instruction::MemorySet { .. } if open => {
                    body.instructions[id].instruction.for_each_operand(push);
                }
                Instruction::Compare { lhs, rhs, .. } if open => {
                    push(*lhs);
                    push(*rhs);
                }
                Instruction::Free { pointer }
                | Instruction::LifetimeStart { pointer }
                | Instruction::LifetimeEnd { pointer }
                    if question.lives || open =>
                {
                    push(*pointer);
                }
                Instruction::StackRestore { mark } if question.lives => push(*mark),
                Instruction::Allocate { size, .. } if question.sizes => push(*size),
                Instruction::Call {
                    callee: Callee::Builtin(_),
                    arguments,
                } if open => arguments.iter().copied().for_each(push),
                _ => {}
            }
        }
    }
}

/// What a value is made of.
fn sources(
    module: &Module,
    calls: &CallSites,
    function: FunctionId,
    value: ValueId,
    pending: &mut Vec<(FunctionId, ValueId)>,
) {
    let Some(body) = &module.functions[function].body else {
        return;
    };
    match body.values[value].def {
        ValueDef::Constant(_) => {}
        ValueDef::Param(block, number) => {
            for data in body.blocks.values() {
                for target in data.terminator.targets().filter(|it| it.block == block) {
                    pending.push((function, target.arguments[number as usize]));
                }
            }
            if block == body.entry {
                parameters(module, calls, function, value, number, pending);
            }
        }
        ValueDef::Result(id, number) => {
            let data = &body.instructions[id];
            match &data.instruction {
                Instruction::Call {
                    callee: Callee::Direct(callee),
                    ..
                } if module.functions[*callee].body.is_some() => {
                    returned(module, *callee, number as usize, pending);
                }
                _ => data.for_each_operand(|operand| pending.push((function, operand))),
            }
        }
        ValueDef::Memory(id, number) => {
            let data = &body.instructions[id];
            let used = data.memory[number as usize];
            pending.push((function, used.input));
            match (&data.instruction, used.role) {
                (
                    Instruction::Call {
                        callee: Callee::Direct(callee),
                        ..
                    },
                    MemoryRole::Argument(number),
                ) => returned_memory(module, *callee, number as usize, pending),
                _ => data.for_each_operand(|operand| pending.push((function, operand))),
            }
        }
    }
}

/// What callers pass for a parameter.
fn parameters(
    module: &Module,
    calls: &CallSites,
    function: FunctionId,
    value: ValueId,
    number: u32,
    pending: &mut Vec<(FunctionId, ValueId)>,
) {
    let body = module.functions[function].body.as_ref();
    let memory = body.and_then(|body| {
        let mut memories = body.memory_parameters();
        memories.position(|(parameter, _)| parameter == value)
    });
    for &(caller, call) in calls.get(&function).into_iter().flatten() {
        let Some(theirs) = &module.functions[caller].body else {
            continue;
        };
        let data = &theirs.instructions[call];
        match (memory, &data.instruction) {
            (Some(memory), _) => {
                let used = data.memory.iter();
                let used = used.filter(|it| it.role == MemoryRole::Argument(memory as u32));
                pending.extend(used.map(|it| (caller, it.input)));
            }
            (None, Instruction::Call { arguments, .. }) => {
                pending.extend(arguments.get(number as usize).map(|it| (caller, *it)));
            }
            (None, _) => {}
        }
    }
}

fn returned(
    module: &Module,
    callee: FunctionId,
    number: usize,
    pending: &mut Vec<(FunctionId, ValueId)>,
) {
    let Some(body) = &module.functions[callee].body else {
        return;
    };
    for data in body.blocks.values() {
        if let Terminator::Return { values } = &data.terminator {
            pending.extend(values.get(number).map(|it| (callee, *it)));
        }
    }
}

fn returned_memory(
    module: &Module,
    callee: FunctionId,
    number: usize,
    pending: &mut Vec<(FunctionId, ValueId)>,
) {
    let Some(body) = &module.functions[callee].body else {
        return;
    };
    let Some((_, region)) = body.memory_parameters().nth(number) else {
        return;
    };
    let Some(place) = body.memory_results().position(|it| it == region) else {
        return;
    };
    let scalars = module.functions[callee].signature.results.len();
    returned(module, callee, scalars + place, pending);
}
