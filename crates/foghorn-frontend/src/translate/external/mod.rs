//! Functions without a body, and what they may do.
//!
//! Such a function returns anything. Unless the user says otherwise ([`External`]) it may also
//! change memory: what the pointers reach that it or any other such function was ever given, and
//! every variable that it can name. It gets a body that says so in IR:
//!
//! ```text
//!   store v0 to @__foghorn_outside.f          what it was given is known outside from now on
//!   v1 = nondet change "f"                    does it change anything?
//!   branch v1, block1, block2
//! block1:
//!   v2 = nondet change "f"                    pointers too?
//!   call-havoc-reachable "f"(@__foghorn_outside, v2)
//! block2:
//!   v3 = nondet external "f"
//!   store v3 to @__foghorn_outside-returned.f if it is a pointer: where it may lead
//!   return v3
//! ```
//!
//! One global, `__foghorn_outside`, points to all variables with external linkage and to the
//! pointers that each function was given. A function that a header of the system declares belongs to
//! a library that does not know the program: it changes what its own arguments reach, keeps nothing,
//! and names nothing. A parameter whose type promises to change nothing (`const char *`) is not
//! changed through.
//!
//! A function of the program whose address it knows it may call, any number of times, with any
//! numbers and with pointers that were given. It knows one that it was given as an argument, and one
//! whose address lies in memory that it reaches: there it chooses a pointer, and if that leads to the
//! function, calls it (`stored`).
//!
//! The pointers that it leaves in memory or returns may lead to anything that it knows
//! (`docs/decisions/0123-pointers-that-are-left-by-others.md`).
//!
//! What remains assumed: the function returns, frees nothing, calls no function by its
//! name, and leaves pointers only to what the program uses in that way
//! (`docs/decisions/0112-functions-without-a-body.md`).

mod stored;
mod writer;

use super::module::ModuleTranslator;
use crate::llvm::Value;
use crate::options::External;
use foghorn_core::SpanId;
use foghorn_ir::{
    Body, Callee, Constant, Function, FunctionId, Global, GlobalContents, GlobalId, Initializer,
    Instruction, OUTSIDE, RETURNED, Relocation, Signature, Symbol, Type,
};
use std::collections::BTreeMap;
use std::sync::Arc;
use writer::Writer;

/// Where system headers are.
const SYSTEM: &[&str] = &["/usr/include", "/usr/lib", "/usr/local/include"];

/// A function that gets a body here.
struct Planned {
    id: FunctionId,
    name: Arc<str>,
    signature: Signature,
    span: SpanId,
    /// Numbers of the parameters that are pointers through which it may change something.
    through: Vec<usize>,
    /// It does not know the program.
    library: bool,
    /// It is assembly: its caller says whether anything is changed.
    assembly: bool,
    /// Functions of the program that it is given, each with the number of the parameter.
    given: Vec<(usize, FunctionId)>,
    /// What holds the pointers it was given: those of `through`, then those of `given`.
    known: Option<GlobalId>,
    /// What holds the pointer that it returned last, if it returns one.
    returned: Option<GlobalId>,
}

/// A function of the program that is known outside.
struct CallBack {
    function: FunctionId,
    signature: Signature,
    how: HowKnown,
    /// Where pointers are that were given with it, or else by others.
    contexts: Vec<(GlobalId, usize)>,
}

/// How code outside comes to know a function of the program.
#[derive(Clone, Copy, PartialEq, Eq)]
enum HowKnown {
    /// The pointer is at this place, if it was given.
    Given(GlobalId, usize),
    /// The pointer may be in memory that is reached.
    Stored,
}

impl<'p> ModuleTranslator<'p> {
    /// Gives every function without a body one that does what it may do.
    pub(crate) fn give_bodies(&mut self) {
        let mut planned = self.planned_externals();
        for function in &mut planned {
            let slots = function.through.len() + function.given.len();
            let returns_pointer = function.signature.results.first() == Some(&Type::Ptr);
            if returns_pointer && (slots > 0 || !function.library) {
                let name = format!("{RETURNED}.{}", function.name);
                function.returned = Some(self.outside_global(name, 1, vec![]));
            }
            if slots > 0 {
                let name = format!("{OUTSIDE}.{}", function.name);
                let returned = function.returned.filter(|_| function.library);
                let returned = returned.into_iter().collect();
                function.known = Some(self.outside_global(name, slots, returned));
            }
        }
        let outside = self.everything_outside(&planned);
        let call_backs = self.call_backs(&planned);
        for function in &planned {
            let root = match function.library {
                true => function.known,
                false => outside,
            };
            let body = self.external_body(function, root, &call_backs);
            self.module.functions[function.id].body = Some(body);
            self.module.functions[function.id].is_model = true;
        }
    }

    /// The functions whose calls do something to memory or fail; all others stay as they are.
    fn planned_externals(&mut self) -> Vec<Planned> {
        let declared: BTreeMap<FunctionId, Value<'p>> = self
            .functions
            .iter()
            .map(|(&value, &id)| (id, value))
            .collect();
        let mut given = self.functions_given();
        let with_address = self.own_functions_with_address();
        let mut planned = vec![];
        for (id, function) in &self.module.functions {
            if function.body.is_some() {
                continue;
            }
            let value = declared.get(&id).copied();
            let mut given = given.remove(&id).unwrap_or_default();
            for parameter in value.map_or(vec![], function_parameters) {
                given.extend(with_address.iter().map(|&it| (parameter, it)));
            }
            given.sort_unstable();
            given.dedup();
            planned.extend(self.plan_external(id, function, value, given));
        }
        planned
    }

    fn plan_external(
        &self,
        id: FunctionId,
        function: &Function,
        declaration: Option<Value<'p>>,
        given: Vec<(usize, FunctionId)>,
    ) -> Option<Planned> {
        let policy = self.options.externals.of(&function.name);
        let library = declaration.is_some_and(is_of_system);
        let pointers = (0..function.signature.params.len())
            .filter(|&index| function.signature.params[index] == Type::Ptr);
        let constant = declaration.map_or(vec![], constant_parameters);
        let through: Vec<usize> = pointers
            .filter(|&index| !constant.get(index).copied().unwrap_or(false))
            .collect();
        match policy {
            External::Pure => return None,
            External::Havoc if library && through.is_empty() && given.is_empty() => return None,
            External::Havoc | External::Fail => {}
        }
        Some(Planned {
            id,
            name: function.name.clone(),
            signature: function.signature.clone(),
            span: function.span,
            through,
            library,
            assembly: declaration.is_none(),
            given,
            known: None,
            returned: None,
        })
    }

    /// The global that points to everything that the program's own functions without a body know;
    /// `None` if that is nothing.
    fn everything_outside(&mut self, planned: &[Planned]) -> Option<GlobalId> {
        let own = planned.iter().filter(|function| !function.library);
        let mut known: Vec<GlobalId> = own.clone().filter_map(|function| function.known).collect();
        own.clone().next()?;
        let mut nameable: Vec<GlobalId> = self
            .globals
            .iter()
            .filter(|(value, id)| self.is_nameable(**value, **id))
            .map(|(_, &id)| id)
            .collect();
        nameable.sort_unstable();
        nameable.append(&mut known);
        nameable.extend(own.filter_map(|function| function.returned));
        if nameable.is_empty() {
            return None;
        }
        Some(self.outside_global(OUTSIDE.to_owned(), 0, nameable))
    }

    /// Whether code in another file could name the variable and change it.
    fn is_nameable(&self, value: Value<'p>, id: GlobalId) -> bool {
        let global = &self.module.globals[id];
        !value.is_internal()
            && global.size > 0
            && self.module.is_changed_outside(id)
            && !global.name.starts_with("__foghorn_")
    }

    /// A global with so many empty places, and then pointers to others.
    fn outside_global(&mut self, name: String, places: usize, targets: Vec<GlobalId>) -> GlobalId {
        let pointer_bytes = self.module.layout.pointer_bytes;
        let slots = (places + targets.len()) as u64;
        let relocations = targets
            .into_iter()
            .zip(places as u64..)
            .map(|(target, index)| Relocation {
                offset: index * u64::from(pointer_bytes),
                target: Symbol::Global(target),
                addend: 0,
            });
        self.module.globals.push(Global {
            name: name.into(),
            size: slots * u64::from(pointer_bytes),
            align: pointer_bytes,
            constant: false,
            contents: GlobalContents::Initialised(Initializer {
                chunks: vec![],
                relocations: relocations.collect(),
            }),
            span: SpanId::UNKNOWN,
        })
    }

    fn external_body(
        &self,
        function: &Planned,
        root: Option<GlobalId>,
        call_backs: &[CallBack],
    ) -> Body {
        let mut writer = Writer::new(function, self.module.layout.pointer_bytes);
        let fails = self.options.externals.of(&function.name) == External::Fail;
        if fails && !function.assembly {
            writer.fail();
        } else {
            writer.give();
            let own = |it: &&CallBack| match it.how {
                HowKnown::Given(known, _) => !function.library || Some(known) == function.known,
                HowKnown::Stored => !function.library && root.is_some(),
            };
            let call_backs: Vec<&CallBack> = call_backs.iter().filter(own).collect();
            writer.act(root, &call_backs);
            if function.library {
                writer.take_back();
            }
        }
        writer.give_results();
        writer.body
    }

    /// Functions of the program whose addresses are arguments of calls of functions without a body,
    /// by these: the number of the argument and the function.
    fn functions_given(&self) -> BTreeMap<FunctionId, Vec<(usize, FunctionId)>> {
        let mut given: BTreeMap<FunctionId, Vec<(usize, FunctionId)>> = BTreeMap::new();
        let bodies = self
            .module
            .functions
            .values()
            .filter_map(|it| it.body.as_ref());
        for body in bodies {
            for data in body.instructions.values() {
                let Instruction::Call {
                    callee: Callee::Direct(callee),
                    arguments,
                } = &data.instruction
                else {
                    continue;
                };
                for (index, &argument) in arguments.iter().enumerate() {
                    if let Some(Constant::Function(function)) = body.as_constant(argument)
                        && self.module.functions[function].body.is_some()
                    {
                        given.entry(*callee).or_default().push((index, function));
                    }
                }
            }
        }
        given
    }

    /// Functions of the program that a pointer can lead to.
    fn own_functions_with_address(&self) -> Vec<FunctionId> {
        let mut functions = self.module.functions_with_address();
        functions.retain(|&id| {
            let function = &self.module.functions[id];
            function.body.is_some() && !function.is_model
        });
        functions
    }

    fn call_backs(&self, planned: &[Planned]) -> Vec<CallBack> {
        let places = |function: &Planned| -> Vec<(GlobalId, usize)> {
            let known = function.known.into_iter();
            known
                .flat_map(|known| (0..function.through.len()).map(move |slot| (known, slot)))
                .collect()
        };
        let own = planned.iter().filter(|function| !function.library);
        let all: Vec<(GlobalId, usize)> = own.flat_map(places).collect();
        let mut found = vec![];
        for function in planned {
            let Some(known) = function.known else {
                continue;
            };
            for (place, &(_, called)) in function.given.iter().enumerate() {
                let near = places(function);
                found.push(CallBack {
                    function: called,
                    signature: self.module.functions[called].signature.clone(),
                    how: HowKnown::Given(known, function.through.len() + place),
                    contexts: if near.is_empty() { all.clone() } else { near },
                });
            }
        }
        for called in self.stored_functions() {
            found.push(CallBack {
                function: called,
                signature: self.module.functions[called].signature.clone(),
                how: HowKnown::Stored,
                contexts: all.clone(),
            });
        }
        found
    }

    /// The function that stands for assembly with so many operands which may change memory.
    pub(crate) fn assembly_function(&mut self, operands: usize) -> FunctionId {
        if let Some(&id) = self.assemblies.get(&operands) {
            return id;
        }
        let id = self.module.functions.push(Function {
            name: super::asm::NAME.into(),
            signature: Signature {
                params: [vec![Type::BOOL], vec![Type::Ptr; operands]].concat(),
                results: vec![],
            },
            body: None,
            span: SpanId::UNKNOWN,
            is_model: true,
        });
        self.assemblies.insert(operands, id);
        id
    }
}

/// Whether a header of the system declares a function.
fn is_of_system(function: Value<'_>) -> bool {
    let file = function
        .subprogram()
        .and_then(crate::llvm::Metadata::scope_file);
    file.is_some_and(|(file, folder)| {
        let starts = |folder: &&str| file.starts_with(folder);
        SYSTEM
            .iter()
            .any(|system| starts(system) || (!file.starts_with('/') && folder.starts_with(system)))
    })
}

/// The numbers of the parameters that are pointers to functions, where types of the source and
/// parameters correspond.
fn function_parameters(function: Value<'_>) -> Vec<usize> {
    let types = source_types(function).into_iter().enumerate();
    types
        .filter(|(_, ty)| ty.is_some_and(|ty| ty.is_function_pointer(function)))
        .map(|(index, _)| index)
        .collect()
}

/// Types of the parameters in the source, if they correspond to the parameters.
fn source_types(function: Value<'_>) -> Vec<Option<crate::llvm::Metadata<'_>>> {
    let subprogram = function.subprogram();
    let types = subprogram.map_or(vec![], |it| it.parameter_types(function));
    match types.len() == function.value_type().params().len() {
        true => types,
        false => vec![],
    }
}

/// Per parameter, whether its type promises that nothing is changed through it. None where types of
/// the source and parameters do not correspond.
fn constant_parameters(function: Value<'_>) -> Vec<bool> {
    let types = source_types(function);
    let promises = |ty: &Option<crate::llvm::Metadata<'_>>| {
        ty.is_some_and(|ty| !ty.reaches_changeable(function))
    };
    types.iter().map(promises).collect()
}
