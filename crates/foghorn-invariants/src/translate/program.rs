//! Whole modules.
//!
//! The goto program starts in a function of its own, `main`, which calls any of the functions that
//! the outside may call, with any arguments: the entry, constructors and destructors, every
//! function whose address is taken, and all functions of a library.

use cranelift_entity::{EntityRef as _, SecondaryMap};
use foghorn_absint::language::{Program, Statement, Terminator};
use foghorn_ir::graph::CallGraph;
use foghorn_ir::{FunctionId, Module};
use rustc_hash::FxHashMap;

use super::{FunctionTranslator, Translation, TranslationOptions};
use crate::dropped::Dropped;
use crate::emitter::Emitter;
use crate::shape::{Meaning, goto_types};

/// The name of a function in the goto program. Names need not be identifiers of C, and `main` is
/// another function there.
pub(super) fn goto_name(module: &Module, function: FunctionId) -> String {
    format!("{}_{}", module.functions[function].name, function.index())
}

/// Translates every function that has a body.
#[must_use]
pub fn translate(module: &Module, options: &TranslationOptions) -> Translation {
    let mut program = Program::new();
    let mut meanings: Vec<Meaning> = Vec::new();
    let mut dropped = Dropped::default();
    let mut functions = SecondaryMap::new();
    for (id, function) in module.functions.iter() {
        let Some(body) = &function.body else { continue };
        let translator = FunctionTranslator {
            module,
            body,
            options,
            emitter: Emitter::new(&mut program, &mut meanings),
            dropped: &mut dropped,
            shapes: SecondaryMap::new(),
            blocks: SecondaryMap::new(),
            decisions: FxHashMap::default(),
            obligations: Vec::new(),
        };
        functions[id] = Some(translator.run(id));
    }
    outside(module, Emitter::new(&mut program, &mut meanings));
    Translation {
        program,
        meanings,
        functions,
        dropped,
    }
}

/// The functions that may be called from outside.
#[must_use]
pub fn roots(module: &Module) -> Vec<FunctionId> {
    let calls = CallGraph::new(module);
    let is_root = |id: FunctionId| {
        module.entry.is_none()
            || module.entry == Some(id)
            || module.constructors.contains(&id)
            || module.destructors.contains(&id)
            || calls.is_address_taken(id)
    };
    let defined = module.functions.iter().filter(|(_, it)| it.body.is_some());
    defined
        .map(|(id, _)| id)
        .filter(|id| is_root(*id))
        .collect()
}

fn outside(module: &Module, mut emitter: Emitter<'_>) {
    let entry = emitter.block("outside".to_owned());
    let bits = module.layout.pointer_bits();
    let mut heads = Vec::new();
    for root in roots(module) {
        let block = emitter.next_block();
        heads.push(block);
        emitter.switch_to(block);
        let signature = &module.functions[root].signature;
        let mut fresh = |types: &[foghorn_ir::Type]| {
            let types = types.iter().flat_map(|ty| goto_types(*ty, bits));
            let types: Vec<_> = types.collect();
            types
                .into_iter()
                .map(|ty| emitter.temporary(ty))
                .collect::<Vec<_>>()
        };
        let (arguments, results) = (fresh(&signature.params), fresh(&signature.results));
        for argument in &arguments {
            emitter.havoc(*argument);
        }
        emitter.push(Statement::Call {
            results,
            function: goto_name(module, root),
            arguments,
        });
        emitter.terminate(block, Terminator::Return(Vec::new()));
    }
    emitter.goto(entry, heads);
    emitter.finish("main".to_owned(), Vec::new(), Vec::new(), entry);
}
