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
//!   return v3
//! ```
//!
//! One global, `__foghorn_outside`, points to all variables with external linkage and to the
//! pointers that each function was given. A function that a header of the system declares belongs to
//! a library that does not know the program: it changes what its own arguments reach, keeps nothing,
//! and names nothing. A parameter whose type promises to change nothing (`const char *`) is not
//! changed through.
//!
//! What remains assumed: the function returns, frees nothing, and leaves no pointers to one object
//! of the program in another (`docs/decisions/0112-functions-without-a-body.md`).

use super::module::ModuleTranslator;
use crate::llvm::Value;
use crate::options::External;
use foghorn_core::{CheckKind, SpanId};
use foghorn_ir::{
    BlockId, Body, Builtin, Callee, Constant, Function, FunctionId, Global, GlobalContents,
    GlobalId, Initializer, Instruction, NondetOrigin, OUTSIDE, Relocation, Signature, Symbol,
    Target, Terminator, Type, ValueId,
};
use std::collections::BTreeMap;
use std::sync::Arc;

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
    /// It is assembly, whose choices are not those of a function.
    assembly: bool,
    /// What holds the pointers it was given.
    known: Option<GlobalId>,
}

impl<'p> ModuleTranslator<'p> {
    /// Gives every function without a body one that does what it may do.
    pub(crate) fn give_bodies(&mut self) {
        let mut planned = self.planned_externals();
        for function in &mut planned {
            let slots = function.through.len();
            if slots > 0 {
                let name = format!("{OUTSIDE}.{}", function.name);
                function.known = Some(self.outside_global(name, slots as u64, vec![]));
            }
        }
        let outside = self.everything_outside(&planned);
        for function in &planned {
            let root = match function.library {
                true => function.known,
                false => outside,
            };
            let body = self.external_body(function, root);
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
        let mut planned = vec![];
        for (id, function) in &self.module.functions {
            if function.body.is_some() {
                continue;
            }
            let value = declared.get(&id).copied();
            let Some(plan) = self.plan_external(id, function, value) else {
                continue;
            };
            planned.push(plan);
        }
        planned
    }

    fn plan_external(
        &self,
        id: FunctionId,
        function: &Function,
        declaration: Option<Value<'p>>,
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
            External::Havoc if library && through.is_empty() => return None,
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
            known: None,
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
        if nameable.is_empty() {
            return None;
        }
        let count = nameable.len() as u64;
        Some(self.outside_global(OUTSIDE.to_owned(), count, nameable))
    }

    /// Whether code in another file could name the variable and change it.
    fn is_nameable(&self, value: Value<'p>, id: GlobalId) -> bool {
        let global = &self.module.globals[id];
        !value.is_internal()
            && global.size > 0
            && self.module.is_changed_outside(id)
            && !global.name.starts_with("__foghorn_")
    }

    fn outside_global(&mut self, name: String, slots: u64, targets: Vec<GlobalId>) -> GlobalId {
        let pointer_bytes = self.module.layout.pointer_bytes;
        let relocations = targets
            .into_iter()
            .zip(0..)
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

    fn external_body(&self, function: &Planned, root: Option<GlobalId>) -> Body {
        let mut writer = Writer::new(function, self.module.layout.pointer_bytes);
        if self.options.externals.of(&function.name) == External::Fail {
            writer.fail();
        } else {
            writer.give();
            if let Some(root) = root {
                writer.change(root);
            }
            if function.library {
                writer.take_back();
            }
        }
        writer.give_results();
        writer.body
    }

    /// The function that stands for assembly with so many operands which may change memory.
    pub(crate) fn assembly_function(&mut self, operands: usize) -> FunctionId {
        if let Some(&id) = self.assemblies.get(&operands) {
            return id;
        }
        let id = self.module.functions.push(Function {
            name: super::asm::NAME.into(),
            signature: Signature {
                params: vec![Type::Ptr; operands],
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
    let file = function.subprogram().and_then(|it| it.scope_file());
    file.is_some_and(|(file, folder)| {
        let starts = |folder: &&str| file.starts_with(folder);
        SYSTEM
            .iter()
            .any(|system| starts(system) || (!file.starts_with('/') && folder.starts_with(system)))
    })
}

/// Per parameter, whether its type promises that nothing is changed through it. None where types of
/// the source and parameters do not correspond.
fn constant_parameters(function: Value<'_>) -> Vec<bool> {
    let Some(subprogram) = function.subprogram() else {
        return vec![];
    };
    let types = subprogram.parameter_types(function);
    if types.len() != function.value_type().params().len() {
        return vec![];
    }
    let promises = |ty: &Option<crate::llvm::Metadata<'_>>| {
        ty.is_some_and(|ty| !ty.reaches_changeable(function))
    };
    types.iter().map(promises).collect()
}

/// Writes one body.
struct Writer<'a> {
    function: &'a Planned,
    body: Body,
    block: BlockId,
    params: Vec<ValueId>,
    pointer_bytes: u32,
}

impl<'a> Writer<'a> {
    fn new(function: &'a Planned, pointer_bytes: u32) -> Self {
        let mut body = Body::new();
        let block = body.entry;
        let types = function.signature.params.iter();
        let params = types.map(|&ty| body.add_param(block, ty)).collect();
        Writer {
            function,
            body,
            block,
            params,
            pointer_bytes,
        }
    }

    fn emit(&mut self, instruction: Instruction, results: &[Type]) -> Option<ValueId> {
        let span = self.function.span;
        let id = self.body.append(self.block, instruction, results, span);
        self.body.instructions[id].results.first().copied()
    }

    fn nondet(&mut self, origin: NondetOrigin, ty: Type) -> ValueId {
        self.emit(Instruction::Nondet { origin }, &[ty])
            .expect("invariant: a nondet has a result")
    }

    fn end(&mut self, terminator: Terminator) {
        let block = &mut self.body.blocks[self.block];
        block.terminator = terminator;
        block.terminator_span = self.function.span;
    }

    /// A call is an error.
    fn fail(&mut self) {
        let condition = self.body.int(1, 0);
        let name = &self.function.name;
        let message = format!("call of '{name}', which has no body");
        self.emit(
            Instruction::Check {
                kind: CheckKind::InvalidCall,
                condition,
                message: Some(message.into()),
            },
            &[],
        );
    }

    /// Notes outside what the function is given.
    fn give(&mut self) {
        for (slot, index) in self.function.through.clone().into_iter().enumerate() {
            self.store(slot, self.params[index]);
        }
    }

    /// A library keeps nothing.
    fn take_back(&mut self) {
        for slot in 0..self.function.through.len() {
            let null = self.body.constant(Type::Ptr, Constant::Null);
            self.store(slot, null);
        }
    }

    fn store(&mut self, slot: usize, value: ValueId) {
        let Some(known) = self.function.known else {
            return;
        };
        let base = self.body.constant(Type::Ptr, Constant::Global(known));
        let constant = i64::from(self.pointer_bytes) * slot as i64;
        let pointer = match constant {
            0 => base,
            _ => self
                .emit(
                    Instruction::PointerAdd {
                        base,
                        constant,
                        scaled: vec![],
                    },
                    &[Type::Ptr],
                )
                .expect("invariant: an address is a result"),
        };
        let align = self.pointer_bytes;
        self.emit(
            Instruction::Store {
                pointer,
                value,
                align,
            },
            &[],
        );
    }

    /// Changes what is reached from a global, or nothing.
    fn change(&mut self, root: GlobalId) {
        let name = &self.function.name;
        let origin = match self.function.assembly {
            true => NondetOrigin::OverApproximated(name.clone()),
            false => NondetOrigin::Change(name.clone()),
        };
        let changes = self.nondet(origin.clone(), Type::BOOL);
        let (changing, done) = (self.body.add_block(), self.body.add_block());
        self.end(Terminator::Branch {
            condition: changes,
            on_true: Target::new(changing),
            on_false: Target::new(done),
        });
        self.block = changing;
        let with_pointers = self.nondet(origin, Type::BOOL);
        let root = self.body.constant(Type::Ptr, Constant::Global(root));
        let builtin = Builtin::HavocReachable(self.function.name.clone());
        self.emit(
            Instruction::Call {
                callee: Callee::Builtin(builtin),
                arguments: vec![root, with_pointers],
            },
            &[],
        );
        self.end(Terminator::Jump(Target::new(done)));
        self.block = done;
    }

    fn give_results(&mut self) {
        let origin = NondetOrigin::External(self.function.name.clone());
        let types = self.function.signature.results.clone();
        let values = types.iter().map(|&ty| self.nondet(origin.clone(), ty));
        let values = values.collect();
        self.end(Terminator::Return { values });
    }
}
