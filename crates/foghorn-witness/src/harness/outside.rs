//! What functions without a body did in a run, as C that does it again.
//!
//! A harness defines such a function: it notes the pointers that it is given, changes in each call
//! what it changed in the run, and returns what it returned. Objects are found as in the run: by the
//! name of a variable or by a pointer that was given, and then along pointers in memory.

use super::source::{c_type, identifier, literal};
use super::values::Asked;
use foghorn_ir::interpret::{Hop, ObjectId, global_object};
use foghorn_ir::{
    Body, Builtin, Callee, Constant, Function, GlobalId, Instruction, Module, NondetOrigin,
    OUTSIDE, Type, ValueDef, ValueId,
};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// Where the way to an object begins.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Start {
    Variable(String),
    /// The place of a pointer among those that a function was given, and where it points to in its
    /// object.
    Given(String, u64, i64),
}

/// How an object is found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Way {
    start: Start,
    hops: Vec<Hop>,
}

impl Way {
    /// The object's first byte, as C.
    fn expression(&self) -> String {
        let mut way = match &self.start {
            Start::Variable(name) => format!("foghorn_object_{}", identifier(name)),
            Start::Given(function, at, offset) => {
                format!("(foghorn_given_{function}[{}] - {offset})", at / 4)
            }
        };
        for hop in &self.hops {
            way = format!("(*(char **)({way} + {}) - {})", hop.at, hop.offset);
        }
        way
    }

    fn variable(&self) -> Option<&String> {
        match &self.start {
            Start::Variable(name) => Some(name),
            Start::Given(..) => None,
        }
    }
}

/// An object that was changed, and the bytes of it that somebody looked at.
#[derive(Clone, Debug)]
pub struct Changed {
    pub way: Way,
    pub bytes: BTreeMap<i64, u8>,
    /// Pointers that were left in it: to the object that is found so, and so far into it.
    pub pointers: BTreeMap<i64, (Way, i64)>,
}

impl From<Way> for Changed {
    fn from(way: Way) -> Self {
        Changed {
            way,
            bytes: BTreeMap::new(),
            pointers: BTreeMap::new(),
        }
    }
}

/// A function without a body.
#[derive(Clone, Debug)]
pub struct Outsider {
    params: Vec<Type>,
    result: Option<Type>,
    /// By the place among what the function was given: the number of the parameter.
    given: BTreeMap<u64, usize>,
    /// Objects that were changed, by the number of the call.
    pub changes: BTreeMap<usize, Vec<Changed>>,
    /// Pointers into objects that were returned, by the number of the call that returns.
    pub returned: BTreeMap<usize, (Way, i64)>,
}

impl Outsider {
    pub fn returns(&self) -> bool {
        self.result.is_some()
    }
}

/// The functions without a body of a module, by name.
pub fn outsiders(module: &Module) -> BTreeMap<String, Outsider> {
    let functions = module.functions.values();
    let outside = functions.filter(|function| is_outside(function));
    outside
        .map(|function| {
            let outsider = Outsider {
                params: function.signature.params.clone(),
                result: function.signature.results.first().copied(),
                given: function
                    .body
                    .as_ref()
                    .map_or_else(BTreeMap::new, |body| given(module, body)),
                changes: BTreeMap::new(),
                returned: BTreeMap::new(),
            };
            (function.name.to_string(), outsider)
        })
        .collect()
}

/// Whether the program does not define a function: it has no body, or one that chooses in its name.
fn is_outside(function: &Function) -> bool {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if !function.name.chars().all(is_name) || function.name.starts_with("__foghorn_") {
        return false;
    }
    let Some(body) = &function.body else {
        return !function.is_model;
    };
    let mut instructions = body.instructions.values();
    function.is_model
        && instructions.any(|data| match &data.instruction {
            Instruction::Nondet {
                origin: NondetOrigin::External(name) | NondetOrigin::Change(name),
            } => *name == function.name,
            _other => false,
        })
}

/// Which parameter is stored at which place of what the function knows.
fn given(module: &Module, body: &Body) -> BTreeMap<u64, usize> {
    let params = &body.blocks[body.entry].params;
    let mut given = BTreeMap::new();
    for data in body.instructions.values() {
        if let Instruction::Store { pointer, value, .. } = data.instruction
            && let Some(place) = place(module, body, pointer)
            && let Some(index) = params.iter().position(|&param| param == value)
        {
            given.insert(place, index);
        }
    }
    given
}

/// The offset of a pointer into what a function knows.
fn place(module: &Module, body: &Body, pointer: ValueId) -> Option<u64> {
    let outside = |value: ValueId| match body.as_constant(value) {
        Some(Constant::Global(global)) => module.globals[global].is_outside(),
        _other => false,
    };
    if outside(pointer) {
        return Some(0);
    }
    let ValueDef::Result(instruction, _) = body.values[pointer].def else {
        return None;
    };
    match &body.instructions[instruction].instruction {
        Instruction::PointerAdd {
            base,
            constant,
            scaled,
        } if scaled.is_empty() && outside(*base) => u64::try_from(*constant).ok(),
        _other => None,
    }
}

/// How the objects that a function reached are found again; `None` if they cannot be.
pub struct Ways<'m> {
    module: &'m Module,
    globals: BTreeMap<ObjectId, GlobalId>,
    known: BTreeSet<String>,
}

impl<'m> Ways<'m> {
    pub fn new(module: &'m Module, outsiders: &BTreeMap<String, Outsider>) -> Self {
        let globals = module.globals.keys();
        Ways {
            module,
            globals: globals
                .map(|global| (global_object(module, global), global))
                .collect(),
            known: outsiders.keys().cloned().collect(),
        }
    }

    /// An object that the function `by` reached on this route from what it knows.
    pub fn find(&self, by: &str, route: &[Hop]) -> Option<Way> {
        let (first, rest) = route.split_first()?;
        if !self.knows_all(by) {
            return self.given(by, first, rest);
        }
        let global = &self.module.globals[*self.globals.get(&first.to)?];
        let Some(function) = global.name.strip_prefix(OUTSIDE) else {
            return Some(Way {
                start: Start::Variable(global.name.to_string()),
                hops: rest.to_vec(),
            });
        };
        let (second, rest) = rest.split_first()?;
        self.given(function.strip_prefix('.')?, second, rest)
    }

    fn given(&self, function: &str, first: &Hop, rest: &[Hop]) -> Option<Way> {
        self.known.contains(function).then(|| Way {
            start: Start::Given(function.to_owned(), first.at, first.offset),
            hops: rest.to_vec(),
        })
    }

    /// Whether a function knows what all do, rather than only what it is given itself.
    fn knows_all(&self, by: &str) -> bool {
        let function = self.module.function_named(by);
        let body = function.and_then(|id| self.module.functions[id].body.as_ref());
        body.is_some_and(|body| {
            body.instructions
                .values()
                .any(|data| match &data.instruction {
                    Instruction::Call {
                        callee: Callee::Builtin(Builtin::HavocReachable(_)),
                        arguments,
                    } => match arguments.first().and_then(|&root| body.as_constant(root)) {
                        Some(Constant::Global(root)) => &*self.module.globals[root].name == OUTSIDE,
                        _other => false,
                    },
                    _other => false,
                })
        })
    }
}

/// Declarations that the definitions need.
pub fn declarations(outsiders: &BTreeMap<String, Outsider>) -> String {
    let mut text = String::new();
    let mut variables = BTreeSet::new();
    for (name, outsider) in outsiders {
        if let Some(&last) = outsider.given.keys().next_back() {
            let _ = writeln!(text, "static char *foghorn_given_{name}[{}];", last / 4 + 1);
        }
        for changed in outsider.changes.values().flatten() {
            variables.extend(changed.way.variable());
            let targets = changed.pointers.values();
            variables.extend(targets.filter_map(|(way, _)| way.variable()));
        }
        let returned = outsider.returned.values();
        variables.extend(returned.filter_map(|(way, _)| way.variable()));
    }
    for name in variables {
        let safe = identifier(name);
        let _ = writeln!(
            text,
            "extern char foghorn_object_{safe}[] __asm__(\"{name}\");"
        );
    }
    text
}

/// The definition of a function.
pub fn definition(name: &str, outsider: &Outsider, asked: Option<&Asked>) -> String {
    let result = match outsider.result {
        Some(ty) => c_type(name, ty),
        None => "void",
    };
    let params: Vec<String> = outsider
        .params
        .iter()
        .enumerate()
        .map(|(index, &ty)| format!("{} a{index}", c_type("", ty)))
        .collect();
    let params = params.join(", ");
    let mut text = format!("__attribute__((weak)) {result} {name}({params}) {{\n");
    for (place, param) in &outsider.given {
        let _ = writeln!(text, "  foghorn_given_{name}[{}] = a{param};", place / 4);
    }
    if !outsider.changes.is_empty() {
        text += "  static size_t call;\n  switch (call++) {\n";
        for (call, changes) in &outsider.changes {
            let _ = writeln!(text, "  case {call}: {{");
            text += &ways(changes);
            text += "    break;\n  }\n";
        }
        text += "  }\n";
    }
    if let (Some(ty), Some(asked)) = (outsider.result, asked) {
        let values = asked.bits.iter().map(|&bits| literal(result, ty, bits));
        let values: Vec<String> = values.collect();
        let _ = writeln!(
            text,
            "  static {result} const values[] = {{{}}};\n  static size_t next;\n  \
             if (next == sizeof values / sizeof *values)\n    \
             foghorn_no_more_values(\"{name}\");\n{}  return values[next++];",
            values.join(", "),
            returns(outsider)
        );
    }
    text += "}\n\n";
    text
}

/// Returns pointers into objects, which are no constants.
fn returns(outsider: &Outsider) -> String {
    if outsider.returned.is_empty() {
        return String::new();
    }
    let mut text = "  switch (next) {\n".to_owned();
    for (number, (way, offset)) in &outsider.returned {
        let way = way.expression();
        let _ = writeln!(text, "  case {number}: next++; return {way} + {offset};");
    }
    text += "  }\n";
    text
}

/// Finds all objects before it changes any.
fn ways(changes: &[Changed]) -> String {
    let mut text = String::new();
    for (number, changed) in changes.iter().enumerate() {
        let _ = writeln!(text, "    char *to{number} = {};", changed.way.expression());
        for (place, (way, offset)) in &changed.pointers {
            let way = way.expression();
            let _ = writeln!(text, "    char *left{number}_{place} = {way} + {offset};");
        }
    }
    for (number, changed) in changes.iter().enumerate() {
        for (offset, byte) in &changed.bytes {
            let _ = writeln!(text, "    to{number}[{offset}] = (char){byte};");
        }
        for place in changed.pointers.keys() {
            let _ = writeln!(
                text,
                "    *(char **)(to{number} + {place}) = left{number}_{place};"
            );
        }
    }
    text
}
