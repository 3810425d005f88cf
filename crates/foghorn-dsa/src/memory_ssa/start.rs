//! Constructors and destructors as calls of the program.
//!
//! The module lists functions that run before and after the entry. Memories pass between them, so
//! in the pure form somebody must say which region of one is which of another. The pointer analysis
//! does that for calls. So the lists become a function that calls them around the entry, and it
//! is the new entry; without lists the entry stays what it is. `exit` calls the destructors itself.

use foghorn_core::SpanId;
use foghorn_ir::builder::FunctionBuilder;
use foghorn_ir::module::START_OF_MAIN;
use foghorn_ir::{Body, Function, FunctionId, Module, NondetOrigin, ValueId};

/// The name of the new entry unless the old one is `main`.
const START: &str = "__foghorn_start";

/// Makes one entry function that runs the whole program, if the module has constructors or
/// destructors.
pub fn call_constructors_and_destructors(module: &mut Module) {
    let Some(entry) = module.entry else { return };
    if module.constructors.is_empty() && module.destructors.is_empty() {
        return;
    }
    let is_main = &*module.functions[entry].name == "main";
    let mut body = Body::new();
    let params = parameters(module, entry, is_main, &mut body);
    let results = calls(module, entry, is_main, params, &mut body);
    let mut signature = module.functions[entry].signature.clone();
    if !is_main {
        signature.params.clear();
    }
    FunctionBuilder::new(&mut body, module.layout).ret(&results);
    let name = if is_main { START_OF_MAIN } else { START };
    let start = module.functions.push(Function {
        name: name.into(),
        signature,
        body: Some(body),
        span: SpanId::UNKNOWN,
        is_model: true,
    });
    module.entry = Some(start);
    module.constructors.clear();
    module.destructors.clear();
}

/// The arguments of `main`, which the new entry passes on.
fn parameters(module: &Module, entry: FunctionId, is_main: bool, body: &mut Body) -> Vec<ValueId> {
    let types = module.functions[entry].signature.params.iter();
    let block = body.entry;
    types
        .filter(|_| is_main)
        .map(|&ty| body.add_param(block, ty))
        .collect()
}

fn calls(
    module: &Module,
    entry: FunctionId,
    is_main: bool,
    params: Vec<ValueId>,
    body: &mut Body,
) -> Vec<ValueId> {
    let mut builder = FunctionBuilder::new(body, module.layout);
    for &constructor in &module.constructors {
        builder.call_function(module, constructor, &[]);
    }
    let arguments = if is_main {
        params
    } else {
        inputs(module, entry, &mut builder)
    };
    let results = builder.call_function(module, entry, &arguments).to_vec();
    for &destructor in &module.destructors {
        builder.call_function(module, destructor, &[]);
    }
    results
}

/// Arguments of another entry are inputs named after its parameters, chosen when it is called.
fn inputs(module: &Module, entry: FunctionId, builder: &mut FunctionBuilder<'_>) -> Vec<ValueId> {
    let function = &module.functions[entry];
    let names: Vec<_> = function
        .body
        .iter()
        .flat_map(|body| {
            let params = body.blocks[body.entry].params.iter();
            params.map(|&param| body.values[param].name.clone())
        })
        .collect();
    let params = function.signature.params.iter().enumerate();
    params
        .map(|(index, &ty)| {
            let name = names.get(index).cloned().flatten();
            let name = name.unwrap_or_else(|| format!("argument {index}").into());
            builder.nondet(ty, NondetOrigin::Input(name))
        })
        .collect()
}
