//! Functions and globals that the program cannot come to.
//!
//! The roots are the entry, the constructors and the destructors; a module without an entry is a
//! library, and all its functions are roots. What a reached body calls or names, and what the
//! initialiser of a reached global names, is reached.
//!
//! A model of a library function that was inlined everywhere stays as a declaration: reports ask
//! by name whether a place lies within a model.

use crate::cleanup::compact;
use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{EntitySet, PrimaryMap, SecondaryMap};
use foghorn_ir::{
    Body, Callee, Constant, FunctionId, GlobalContents, GlobalId, Instruction, Module, Symbol,
};
use rustc_hash::FxHashSet;
use std::sync::Arc;

#[derive(Default)]
struct Reached {
    functions: EntitySet<FunctionId>,
    globals: EntitySet<GlobalId>,
    work: Vec<Symbol>,
}

impl Reached {
    fn add(&mut self, symbol: Symbol) {
        let is_new = match symbol {
            Symbol::Function(function) => self.functions.insert(function),
            Symbol::Global(global) => self.globals.insert(global),
        };
        if is_new {
            self.work.push(symbol);
        }
    }
}

/// Removes what is not reached; the numbers of functions (bodies counted) and of globals.
pub fn remove_unreached(module: &mut Module) -> (usize, usize) {
    let reached = reach(module);
    let inlined = inlined_names(module);
    let mut bodies = 0;
    let mut functions: SecondaryMap<FunctionId, PackedOption<FunctionId>> = SecondaryMap::new();
    let mut globals: SecondaryMap<GlobalId, PackedOption<GlobalId>> = SecondaryMap::new();
    let mut kept_functions: PrimaryMap<FunctionId, _> = PrimaryMap::new();
    let mut kept_globals: PrimaryMap<GlobalId, _> = PrimaryMap::new();
    for (id, mut function) in std::mem::take(&mut module.functions) {
        let is_reached = reached.functions.contains(id);
        let is_named = function.is_model && inlined.contains(&function.name);
        if !is_reached && !is_named {
            bodies += 1;
            continue;
        }
        if !is_reached {
            bodies += usize::from(function.body.take().is_some());
        }
        functions[id] = kept_functions.push(function).into();
    }
    let all_globals = module.globals.len();
    for (id, global) in std::mem::take(&mut module.globals) {
        if reached.globals.contains(id) {
            globals[id] = kept_globals.push(global).into();
        }
    }
    module.functions = kept_functions;
    module.globals = kept_globals;
    let gone = (bodies, all_globals - module.globals.len());
    if gone != (0, 0) {
        rename(module, &functions, &globals);
    }
    gone
}

fn reach(module: &Module) -> Reached {
    let mut reached = Reached::default();
    let roots = match module.entry {
        Some(entry) => vec![entry],
        None => module.functions.keys().collect(),
    };
    let others = module.constructors.iter().chain(&module.destructors);
    for &root in roots.iter().chain(others) {
        reached.add(Symbol::Function(root));
    }
    if module.entry.is_none() {
        for global in module.globals.keys() {
            reached.add(Symbol::Global(global));
        }
    }
    while let Some(symbol) = reached.work.pop() {
        match symbol {
            Symbol::Function(function) => {
                if let Some(body) = &module.functions[function].body {
                    reach_from_body(body, &mut reached);
                }
            }
            Symbol::Global(global) => match &module.globals[global].contents {
                GlobalContents::External => {}
                GlobalContents::Initialised(initializer) => {
                    for relocation in &initializer.relocations {
                        reached.add(relocation.target);
                    }
                }
            },
        }
    }
    reached
}

fn reach_from_body(body: &Body, reached: &mut Reached) {
    let mut named = |value| match body.as_constant(value) {
        Some(Constant::Global(global)) => reached.add(Symbol::Global(global)),
        Some(Constant::Function(function)) => reached.add(Symbol::Function(function)),
        Some(Constant::Int(_) | Constant::F32(_) | Constant::F64(_) | Constant::Null) | None => {}
    };
    for block in body.blocks.values() {
        for &id in &block.instructions {
            body.instructions[id]
                .instruction
                .for_each_operand(&mut named);
        }
        block.terminator.for_each_operand(&mut named);
    }
    let placed = body.blocks.values().flat_map(|block| &block.instructions);
    for &id in placed {
        if let Instruction::Call {
            callee: Callee::Direct(function),
            ..
        } = body.instructions[id].instruction
        {
            reached.add(Symbol::Function(function));
        }
    }
}

/// Names of functions that some place was inlined from.
fn inlined_names(module: &Module) -> FxHashSet<Arc<str>> {
    let spans = module.spans.iter();
    let sites = spans.filter_map(|(_, span)| span.inlined_at.as_ref());
    sites.map(|site| site.callee.clone()).collect()
}

/// Gives everything that stayed its new id.
fn rename(
    module: &mut Module,
    functions: &SecondaryMap<FunctionId, PackedOption<FunctionId>>,
    globals: &SecondaryMap<GlobalId, PackedOption<GlobalId>>,
) {
    let function = |id: FunctionId| functions[id].expect("invariant: what is named is reached");
    let global = |id: GlobalId| globals[id].expect("invariant: what is named is reached");
    module.entry = module.entry.map(function);
    for list in [&mut module.constructors, &mut module.destructors] {
        list.iter_mut().for_each(|id| *id = function(*id));
    }
    for data in module.globals.values_mut() {
        if let GlobalContents::Initialised(initializer) = &mut data.contents {
            for relocation in &mut initializer.relocations {
                relocation.target = match relocation.target {
                    Symbol::Function(id) => Symbol::Function(function(id)),
                    Symbol::Global(id) => Symbol::Global(global(id)),
                };
            }
        }
    }
    let constant = |constant: Constant| match constant {
        Constant::Function(id) => Constant::Function(function(id)),
        Constant::Global(id) => Constant::Global(global(id)),
        Constant::Int(_) | Constant::F32(_) | Constant::F64(_) | Constant::Null => constant,
    };
    for body in module
        .functions
        .values_mut()
        .filter_map(|f| f.body.as_mut())
    {
        *body = compact(body, &constant);
        for data in body.instructions.values_mut() {
            if let Instruction::Call {
                callee: Callee::Direct(callee),
                ..
            } = &mut data.instruction
            {
                *callee = function(*callee);
            }
        }
    }
}
