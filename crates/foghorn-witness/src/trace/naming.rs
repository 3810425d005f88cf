//! How objects and places are called in a trace.

use super::Location;
use foghorn_core::SpanId;
use foghorn_ir::interpret::{
    Access, Allocation, ObjectId, ObjectKind, function_object, global_object,
};
use foghorn_ir::{Module, Variable};
use std::collections::{BTreeMap, BTreeSet};

/// Names of the objects of one run, and of places.
pub(super) struct Names<'m> {
    module: &'m Module,
    models: BTreeSet<&'m str>,
    variables: BTreeSet<&'m str>,
    objects: BTreeMap<ObjectId, String>,
    /// Sizes of objects in bytes.
    sizes: BTreeMap<ObjectId, u64>,
    heap_objects: usize,
}

impl<'m> Names<'m> {
    pub fn new(module: &'m Module) -> Self {
        let functions = module.functions.iter();
        let mut objects: BTreeMap<ObjectId, String> = functions
            .map(|(id, function)| (function_object(id), function.name.to_string()))
            .collect();
        let mut sizes = BTreeMap::new();
        for (id, global) in module.globals.iter() {
            sizes.insert(global_object(module, id), global.size);
            objects.insert(global_object(module, id), global.name.to_string());
        }
        let models = module
            .functions
            .values()
            .filter(|function| function.is_model);
        Names {
            module,
            models: models.map(|function| &*function.name).collect(),
            variables: source_variables(module),
            objects,
            sizes,
            heap_objects: 0,
        }
    }

    /// Gives a new object its name: its variable's, or a number for a heap object.
    pub fn enter(&mut self, access: &Access) {
        let name = match access.object.kind() {
            ObjectKind::Heap => {
                self.heap_objects += 1;
                format!("heap object {}", self.heap_objects)
            }
            ObjectKind::Stack | ObjectKind::Global | ObjectKind::Function => {
                let handed_over = match access.allocation {
                    Allocation::Instruction(function, _) => {
                        self.module.functions[function].handed_over()
                    }
                    Allocation::Global(_) | Allocation::Function(_) | Allocation::Arguments => None,
                };
                match handed_over.or_else(|| self.variable_of(access.allocation)) {
                    Some(name) => name.to_owned(),
                    None => "a temporary".to_owned(),
                }
            }
        };
        self.objects.insert(access.object, name);
        self.sizes.insert(access.object, access.length);
    }

    /// What a store writes: a whole object, or the part of one at an offset.
    pub fn target(&self, access: &Access) -> String {
        let name = self.object(access.object);
        let whole = self.sizes.get(&access.object) == Some(&access.length);
        match access.offset {
            0 if whole => name,
            offset if offset < 0 => format!("{name} - {}", offset.unsigned_abs()),
            offset => format!("{name} + {offset}"),
        }
    }

    /// The name of an object; objects that nobody introduced belong to the program's arguments.
    pub fn object(&self, id: ObjectId) -> String {
        match self.objects.get(&id) {
            Some(name) => name.clone(),
            None => "argv".to_owned(),
        }
    }

    fn variable_of(&self, allocation: Allocation) -> Option<&str> {
        let Allocation::Instruction(function, id) = allocation else {
            return None;
        };
        let body = self.module.functions[function].body.as_ref()?;
        let result = *body.instructions[id].results.first()?;
        body.values[result].name.as_deref()
    }

    /// Whether the source declares a variable of that name; the compiler has some of its own.
    pub fn is_variable(&self, name: &str) -> bool {
        self.variables.contains(name)
    }

    /// The source variable that lives in an object.
    pub fn variable_in(&self, allocation: Allocation) -> Option<&'m Variable> {
        let Allocation::Instruction(function, id) = allocation else {
            return None;
        };
        let body = self.module.functions[function].body.as_ref()?;
        let result = *body.instructions[id].results.first()?;
        body.variables.values().find(|v| v.slot == Some(result))
    }

    /// The place without the library models that were inlined into it, in the given function
    /// unless it was inlined there.
    pub fn location(&self, span: SpanId, function: &str) -> Location {
        let mut id = span;
        while let Some(site) = &self.module.spans.span(id).inlined_at
            && self.models.contains(&*site.callee)
        {
            id = site.call;
        }
        let span = self.module.spans.span(id);
        let function = match &span.inlined_at {
            Some(site) => &site.callee,
            None => function,
        };
        Location {
            file: self.module.spans.file_name(span.file).to_string(),
            line: span.line,
            column: span.column,
            function: function.to_owned(),
        }
    }
}

/// The names of all variables that the program's own functions declare.
pub(crate) fn source_variables(module: &Module) -> BTreeSet<&str> {
    let functions = module.functions.values().filter(|f| !f.is_model);
    let bodies = functions.filter_map(|function| function.body.as_ref());
    bodies
        .flat_map(|body| body.variables.values())
        .map(|variable| &*variable.name)
        .collect()
}
