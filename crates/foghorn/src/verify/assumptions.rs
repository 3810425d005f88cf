//! What an answer rests on that no engine has to find out: how the program is started, and on what
//! machine.

use crate::arguments::ProgramArguments;
use foghorn_ir::graph::CallGraph;
use foghorn_ir::module::START_WITH_ARGUMENTS;
use foghorn_ir::{FunctionId, GlobalContents, Module};
use std::collections::BTreeSet;

/// Functions that one sentence names.
const NAMED: usize = 3;

/// How file names of models begin.
const MODELS: &str = "<foghorn>/";

/// The assumptions about a program, a sentence each. In its pure form it is known who calls whom.
pub fn of_program(module: &Module, pure: &Module, program: &ProgramArguments) -> Vec<String> {
    let Some(entry) = module.entry else {
        return vec![];
    };
    let mut sentences = vec![];
    let function = &module.functions[entry];
    if &*function.name == START_WITH_ARGUMENTS {
        sentences.push("argc is at least 1: main is given the name of the program".to_owned());
        sentences.extend(program.max_arguments.map(|most| {
            format!("main is given at most {most} arguments beside that (--max-arguments)")
        }));
    } else if &*function.name != "main" {
        sentences.extend(other_entry(module, entry));
    }
    sentences.extend(stack(pure));
    sentences
}

/// A function that is not where the program really starts.
fn other_entry(module: &Module, entry: FunctionId) -> Vec<String> {
    let function = &module.functions[entry];
    let name = &function.name;
    let mut sentences = vec![];
    if !function.signature.params.is_empty() {
        sentences.push(format!(
            "'{name}' is called with any values; a pointer among them leads to no object"
        ));
    }
    let changes = module.globals.values().any(|global| {
        let file = module.spans.file_name(module.spans.span(global.span).file);
        !global.constant
            && matches!(global.contents, GlobalContents::Initialised(_))
            && !file.starts_with(MODELS)
    });
    if changes {
        sentences.push(format!(
            "globals have their initial values when '{name}' is called"
        ));
    }
    sentences
}

/// Recursion takes as much stack as it needs.
fn stack(module: &Module) -> Option<String> {
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
    Some(format!(
        "the stack has room for every recursive call ({named}{more})"
    ))
}
