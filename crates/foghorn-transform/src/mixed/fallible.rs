//! Which functions can fail, or end the program, inside a call.

use super::{MixedOptions, NotMixed};
use foghorn_ir::graph::CallGraph;
use foghorn_ir::interpret::ProgramPoint;
use foghorn_ir::sites::reached_functions;
use foghorn_ir::{Body, Callee, FunctionId, Instruction, Module, Terminator};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// The functions of a program that get a copy.
pub struct Fallible {
    /// The entry is among them if it is called.
    pub functions: BTreeSet<FunctionId>,
    pub models: FxHashSet<FunctionId>,
    pub entry_is_called: bool,
}

impl Fallible {
    pub fn new(
        module: &Module,
        entry: FunctionId,
        options: &MixedOptions<'_>,
    ) -> Result<Self, NotMixed> {
        let calls = CallGraph::new(module);
        let reached = reached_functions(module);
        let has_body = |id: &FunctionId| module.functions[*id].body.is_some();
        let models = module.functions.iter();
        let models: FxHashSet<FunctionId> = models
            .filter(|(id, function)| function.is_model && *id != entry)
            .map(|(id, _)| id)
            .collect();
        let ending = closure(&reached, &calls, |id| {
            body(module, id).is_some_and(may_halt)
        });
        // What fails or ends the program in a model does so at the model's call, which is an instruction of the caller.
        let own = |id: FunctionId| {
            let fails = body(module, id).is_some_and(|body| fails_itself(body, id, options));
            fails || ending.contains(&id)
        };
        let failing = closure(&reached, &calls, own);
        let called_back = models
            .iter()
            .copied()
            .filter(|model| reached.contains(model));
        let mut called_back: Vec<FunctionId> = called_back
            .filter(|model| {
                let mut callees = calls.callees(*model).iter();
                callees.any(|callee| !models.contains(callee) && failing.contains(callee))
            })
            .collect();
        called_back.sort_unstable();
        if let Some(model) = called_back.first() {
            let name = module.functions[*model].name.to_string();
            return Err(NotMixed::CalledBack(name));
        }
        let indirect = reached
            .iter()
            .any(|id| body(module, *id).is_some_and(has_indirect_calls));
        let mut taken = reached.iter().filter(|id| calls.is_address_taken(**id));
        let pure = body(module, entry).is_some_and(Body::is_pure);
        if let Some(id) = taken.find(|id| indirect && !pure && failing.contains(id)) {
            let name = module.functions[*id].name.to_string();
            return Err(NotMixed::Indirect(name));
        }
        let mut callers = calls.callers(entry).iter();
        let entry_is_called = callers.any(|caller| reached.contains(caller));
        let functions = failing.into_iter().filter(|id| {
            let is_called = *id != entry || entry_is_called;
            is_called && !models.contains(id) && has_body(id)
        });
        Ok(Fallible {
            functions: functions.collect(),
            models,
            entry_is_called,
        })
    }
}

fn body(module: &Module, id: FunctionId) -> Option<&Body> {
    module.functions[id].body.as_ref()
}

/// The functions of which something is true, and those that call one of them.
fn closure(
    reached: &BTreeSet<FunctionId>,
    calls: &CallGraph,
    holds: impl Fn(FunctionId) -> bool,
) -> BTreeSet<FunctionId> {
    let mut pending: Vec<FunctionId> = reached.iter().copied().filter(|it| holds(*it)).collect();
    let mut found: BTreeSet<FunctionId> = BTreeSet::new();
    while let Some(function) = pending.pop() {
        if found.insert(function) {
            let callers = calls.callers(function).iter().copied();
            pending.extend(callers.filter(|caller| reached.contains(caller)));
        }
    }
    found
}

fn fails_itself(body: &Body, function: FunctionId, options: &MixedOptions<'_>) -> bool {
    let mut instructions = body.blocks.values().flat_map(|block| &block.instructions);
    instructions.any(|&instruction| {
        let point = ProgramPoint {
            function,
            instruction,
        };
        match body.instructions[instruction].instruction {
            Instruction::Check { kind, .. } => (options.counts)(point, kind),
            _ => (options.can_fail)(point),
        }
    })
}

fn may_halt(body: &Body) -> bool {
    let mut blocks = body.blocks.values();
    blocks.any(|block| matches!(block.terminator, Terminator::Halt { .. }))
}

fn has_indirect_calls(body: &Body) -> bool {
    let mut instructions = body.blocks.values().flat_map(|block| &block.instructions);
    instructions.any(|id| {
        matches!(
            body.instructions[*id].instruction,
            Instruction::Call {
                callee: Callee::Indirect(_),
                ..
            }
        )
    })
}
