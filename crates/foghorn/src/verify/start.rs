//! What an answer rests on that no engine has to find out: how the program is started, and on what
//! machine.

use crate::arguments::ProgramArguments;
use foghorn_core::{Assumption, AssumptionKind};
use foghorn_ir::graph::CallGraph;
use foghorn_ir::module::START_WITH_ARGUMENTS;
use foghorn_ir::{FunctionId, GlobalContents, MODELS, Module};
use std::collections::BTreeSet;

/// Functions that one sentence names.
const NAMED: usize = 3;

/// The assumptions about a program. In its pure form it is known who calls whom.
pub fn of_program(module: &Module, pure: &Module, program: &ProgramArguments) -> Vec<Assumption> {
    let Some(entry) = module.entry else {
        return vec![];
    };
    let mut assumptions = vec![];
    let function = &module.functions[entry];
    if &*function.name == START_WITH_ARGUMENTS {
        assumptions.push(AssumptionKind::NameOfProgram.into());
        let most = program.max_arguments.map(|most| most.to_string());
        assumptions.extend(most.map(|it| Assumption::of(AssumptionKind::FewArguments, &it)));
    } else if &*function.name != "main" {
        assumptions.extend(other_entry(module, entry));
    }
    assumptions.extend(stack(pure));
    assumptions
}

/// A function that is not where the program really starts.
fn other_entry(module: &Module, entry: FunctionId) -> Vec<Assumption> {
    let function = &module.functions[entry];
    let name = &function.name;
    let mut assumptions = vec![];
    if !function.signature.params.is_empty() {
        assumptions.push(Assumption::of(AssumptionKind::ParametersOfEntry, name));
    }
    let changes = module.globals.values().any(|global| {
        let file = module.spans.file_name(module.spans.span(global.span).file);
        !global.constant
            && matches!(global.contents, GlobalContents::Initialised(_))
            && !file.starts_with(MODELS)
    });
    if changes {
        assumptions.push(Assumption::of(AssumptionKind::InitialGlobals, name));
    }
    assumptions
}

/// Recursion takes as much stack as it needs.
fn stack(module: &Module) -> Option<Assumption> {
    let calls = CallGraph::new(module);
    let mut reached = BTreeSet::new();
    let mut pending = vec![module.entry?];
    while let Some(function) = pending.pop() {
        if reached.insert(function) {
            pending.extend(calls.callees(function));
        }
    }
    let recursive = reached.into_iter().filter(|&id| calls.is_recursive(id));
    let names: Vec<String> = recursive
        .map(|id| format!("'{}'", module.functions[id].name))
        .collect();
    let more = match names.len() {
        0 => return None,
        1..=NAMED => "",
        _ => ", …",
    };
    let named = names[..names.len().min(NAMED)].join(", ");
    let all = format!("{named}{more}");
    Some(Assumption::of(AssumptionKind::UnlimitedStack, &all))
}
