//! Whole modules.
//!
//! The goto program starts in a function of its own, `main`, which calls any of the functions that
//! the outside may call, with any arguments: the entry, constructors and destructors, in the impure
//! form every function whose address is taken, and all functions of a library.

use cranelift_entity::{EntityRef as _, SecondaryMap};
use foghorn_absint::language::{Program, Statement, Terminator};
use foghorn_encode::fact::least_size;
use foghorn_ir::graph::{ControlFlowGraph, DominatorTree};
use foghorn_ir::sites::root_functions;
use foghorn_ir::{BlockId, Body, FunctionId, Module};
use rustc_hash::FxHashMap;

use super::again::Computed;
use super::initial::initial_contents;
use super::{FunctionTranslator, Translation, TranslationOptions};
use crate::dropped::Dropped;
use crate::emitter::Emitter;
use crate::shape::{Meaning, goto_types};
use foghorn_dsa::table::RegionTable;

/// The name of a function in the goto program. Names need not be identifiers of C, and `main` is
/// another function there.
pub(super) fn goto_name(module: &Module, function: FunctionId) -> String {
    format!("{}_{}", module.functions[function].name, function.index())
}

/// Translates every function that has a body.
#[must_use]
pub fn translate(
    module: &Module,
    regions: &RegionTable,
    options: &TranslationOptions,
) -> Translation {
    let mut program = Program::new();
    let mut meanings: Vec<Meaning> = Vec::new();
    let mut dropped = Dropped::default();
    let mut functions = SecondaryMap::new();
    let least_size = least_size(module);
    for (id, function) in module.functions.iter() {
        let Some(body) = &function.body else { continue };
        let translator = FunctionTranslator {
            module,
            function: id,
            body,
            regions,
            options,
            emitter: Emitter::new(&mut program, &mut meanings, least_size),
            dropped: &mut dropped,
            shapes: SecondaryMap::new(),
            places: SecondaryMap::new(),
            returns: None,
            contents: SecondaryMap::new(),
            blocks: SecondaryMap::new(),
            newborn: FxHashMap::default(),
            decisions: FxHashMap::default(),
            computed: Computed::new(dominators(body)),
            obligations: Vec::new(),
        };
        functions[id] = Some(translator.run());
    }
    let emitter = Emitter::new(&mut program, &mut meanings, least_size);
    outside(module, regions, emitter);
    Translation {
        program,
        meanings,
        functions,
        dropped,
    }
}

fn dominators(body: &Body) -> DominatorTree<BlockId> {
    DominatorTree::new(ControlFlowGraph::new(body).graph(), body.entry)
}

fn outside(module: &Module, regions: &RegionTable, mut emitter: Emitter<'_>) {
    let entry = emitter.block("outside".to_owned());
    let mut heads = Vec::new();
    for root in root_functions(module) {
        let Some(body) = &module.functions[root].body else {
            continue;
        };
        let block = emitter.next_block();
        heads.push(block);
        emitter.switch_to(block);
        let bits = module.layout.pointer_bits();
        let types = module.functions[root].signature.params.iter();
        let types: Vec<_> = types.flat_map(|ty| goto_types(*ty, bits)).collect();
        let fresh = types.into_iter().map(|ty| emitter.temporary(ty));
        let mut arguments: Vec<_> = fresh.collect();
        for argument in &arguments {
            emitter.havoc(*argument);
        }
        for (_, region) in body.memory_parameters() {
            let contents = initial_contents(module, regions, &mut emitter, root, region);
            arguments.extend(contents);
        }
        emitter.push(Statement::Call {
            results: Vec::new(),
            function: goto_name(module, root),
            arguments,
        });
        emitter.terminate(block, Terminator::Return(Vec::new()));
    }
    emitter.goto(entry, heads);
    emitter.finish("main".to_owned(), Vec::new(), Vec::new(), entry);
}
