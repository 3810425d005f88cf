//! The whole program: which functions and globals there are, and the work still to do.
//!
//! Functions and globals get their ids when something names them and are translated later, in
//! the order of their ids; ids therefore depend only on the input.

use super::Unsupported;
use super::dialect;
use super::function::FunctionTranslator;
use super::layout::Layout;
use super::missing_return::MissingReturn;
use crate::llvm::{BasicBlock, Linkage, Program, Ty, Value, ValueKind};
use crate::options::Options;
use crate::paths::Paths;
use crate::report::{OverApproximation, UnsupportedUse};
use foghorn_core::{AssumptionKind, SpanId};
use foghorn_ir::{
    DataLayout, Function, FunctionId, Global, GlobalContents, GlobalId, Module, Signature, Symbol,
    Type,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::Arc;

/// The result of translating a program.
pub(crate) struct Translated {
    pub module: Module,
    pub unsupported: Vec<UnsupportedUse>,
    pub over_approximations: Vec<OverApproximation>,
    pub reads_volatile: bool,
    pub externals: Vec<Arc<str>>,
    /// What is taken for granted.
    pub assumptions: Vec<AssumptionKind>,
}

enum Work<'p> {
    Function(FunctionId, Value<'p>),
    Global(GlobalId, Value<'p>),
}

/// Translates one [`Program`].
pub(crate) struct ModuleTranslator<'p> {
    pub program: &'p Program,
    pub options: &'p Options,
    /// How source files are named.
    pub paths: Paths,
    pub module: Module,
    pub layouts: FxHashMap<Ty<'p>, Result<Rc<Layout>, Unsupported>>,
    pub(super) functions: FxHashMap<Value<'p>, FunctionId>,
    pub(super) globals: FxHashMap<Value<'p>, GlobalId>,
    /// Functions that stand for assembly which may change memory, by the number of operands.
    pub(super) assemblies: FxHashMap<usize, FunctionId>,
    work: VecDeque<Work<'p>>,
    block_addresses: FxHashMap<BasicBlock<'p>, u64>,
    pub unsupported: Vec<UnsupportedUse>,
    unsupported_seen: FxHashSet<(Arc<str>, SpanId)>,
    pub over_approximations: Vec<OverApproximation>,
    over_approximations_seen: FxHashSet<(Arc<str>, SpanId)>,
    /// A volatile object was read outside the models.
    pub reads_volatile: bool,
    /// What is done about the ends of functions, and whether calls through pointers use results.
    pub missing_returns: FxHashMap<Value<'p>, MissingReturn>,
    pub indirect_results: Option<bool>,
    /// Whether a function without a body is called where an exception would be caught.
    pub assumes_no_throw: bool,
    /// Whether the program uses `new` or `delete`, if that was asked.
    has_operators: Option<bool>,
    pub spans: FxHashMap<crate::llvm::Metadata<'p>, SpanId>,
    /// What the tags of accesses say.
    pub effective_types: FxHashMap<crate::llvm::Metadata<'p>, Option<Arc<str>>>,
}

impl<'p> ModuleTranslator<'p> {
    pub(crate) fn new(program: &'p Program, paths: Paths, options: &'p Options) -> Self {
        let layout = DataLayout {
            pointer_bytes: program.pointer_bytes(),
        };
        ModuleTranslator {
            program,
            options,
            paths,
            module: Module::new(layout),
            layouts: FxHashMap::default(),
            functions: FxHashMap::default(),
            globals: FxHashMap::default(),
            assemblies: FxHashMap::default(),
            work: VecDeque::new(),
            block_addresses: FxHashMap::default(),
            unsupported: vec![],
            unsupported_seen: FxHashSet::default(),
            over_approximations: vec![],
            over_approximations_seen: FxHashSet::default(),
            reads_volatile: false,
            missing_returns: FxHashMap::default(),
            indirect_results: None,
            assumes_no_throw: false,
            has_operators: None,
            spans: FxHashMap::default(),
            effective_types: FxHashMap::default(),
        }
    }

    /// Translates everything that `entry`, or without one any visible function, needs.
    pub(crate) fn translate(mut self, entry: Option<Value<'p>>) -> Translated {
        match entry {
            Some(entry) => {
                self.module.entry = self.function_id(entry);
            }
            None => {
                for function in self.program.functions() {
                    if !function.is_declaration() && !function.is_internal() {
                        self.function_id(function);
                    }
                }
            }
        }
        self.module.constructors = self.listed_functions("llvm.global_ctors", false);
        self.module.destructors = self.listed_functions("llvm.global_dtors", true);
        self.translate_work();
        if self.start_with_arguments() {
            self.translate_work();
        }
        let externals = self.externals();
        let assumptions = self.assumptions();
        self.give_bodies();
        Translated {
            assumptions,
            module: self.module,
            unsupported: self.unsupported,
            over_approximations: self.over_approximations,
            reads_volatile: self.reads_volatile,
            externals,
        }
    }

    /// Translates what was named and is not translated yet.
    fn translate_work(&mut self) {
        while let Some(work) = self.work.pop_front() {
            match work {
                Work::Function(id, function) => self.translate_function(id, function),
                Work::Global(id, global) => self.translate_global(id, global),
            }
        }
    }

    fn assumptions(&mut self) -> Vec<AssumptionKind> {
        let mut assumptions = vec![];
        let handlers = ["signal", "__sysv_signal", "sigaction"];
        let mut functions = self.module.functions.values();
        if functions.any(|it| it.is_model && handlers.contains(&&*it.name)) {
            assumptions.push(AssumptionKind::SignalsByRaise);
        }
        if self.has_operators() {
            assumptions.push(AssumptionKind::NewDoesNotThrow);
        }
        if self.assumes_no_throw {
            assumptions.push(AssumptionKind::ExternalFunctionsDoNotThrow);
        }
        assumptions
    }

    /// Whether the program uses `new` or `delete` of the C++ runtime.
    pub(crate) fn has_operators(&mut self) -> bool {
        *self.has_operators.get_or_insert_with(|| {
            let functions = self.program.functions();
            let mut declared = functions.into_iter().filter(|it| it.is_declaration());
            declared.any(|function| super::cxx::is_operator(&function.name()))
        })
    }

    fn externals(&self) -> Vec<Arc<str>> {
        let mut names: Vec<Arc<str>> = self
            .module
            .functions
            .values()
            .filter(|function| function.body.is_none() && &*function.name != super::asm::NAME)
            .map(|function| function.name.clone())
            .collect();
        names.sort();
        names
    }

    fn translate_function(&mut self, id: FunctionId, function: Value<'p>) {
        let mangled = function.name();
        let name = dialect::written_name(&mangled);
        if dialect::has_meaning(name, function.is_declaration()) {
            // Its address was taken: the body is a call to itself, which has the meaning.
            let body = FunctionTranslator::forwarder(self, id, function);
            self.module.functions[id].body = body;
        }
        if self.module.functions[id].body.is_some() {
            return;
        }
        if function.is_declaration() && dialect::belongs_to_dialect(name) {
            let body = FunctionTranslator::refusal(self, id, function);
            self.module.functions[id].body = Some(body);
            return;
        }
        if !function.is_declaration() {
            let body = FunctionTranslator::translate(self, id, function);
            self.module.functions[id].body = Some(body);
        }
    }

    /// The object or function that a global name stands for; `None` for a weak name that nothing
    /// defines, whose address is null.
    pub(crate) fn symbol(&mut self, value: Value<'p>) -> Option<Symbol> {
        match value.kind() {
            ValueKind::LLVMFunctionValueKind => self.function_id(value).map(Symbol::Function),
            _ => self.global_id(value).map(Symbol::Global),
        }
    }

    /// Whether a function is one of our models of the library.
    pub(crate) fn is_model(&self, function: Value<'p>) -> bool {
        function
            .subprogram()
            .and_then(crate::llvm::Metadata::scope_file)
            .is_some_and(|(file, folder)| {
                file.starts_with(foghorn_ir::MODELS) || folder.starts_with(foghorn_ir::MODELS)
            })
    }

    /// The id of a function; `None` if it is weak and defined nowhere.
    pub(crate) fn function_id(&mut self, function: Value<'p>) -> Option<FunctionId> {
        if let Some(&id) = self.functions.get(&function) {
            return Some(id);
        }
        if function.linkage() == Linkage::LLVMExternalWeakLinkage && function.is_declaration() {
            return None;
        }
        let name: Arc<str> = function.name().into();
        let signature = self.signature(function.value_type());
        let span = self.function_span(function);
        let is_model = self.is_model(function);
        let id = self.module.functions.push(Function {
            name,
            signature,
            body: None,
            span,
            is_model,
        });
        self.functions.insert(function, id);
        self.work.push_back(Work::Function(id, function));
        Some(id)
    }

    /// The signature of a function type. A type with parameters that we do not take apart loses
    /// them; a function that has one is unsupported where it is called.
    pub(crate) fn signature(&mut self, ty: Ty<'p>) -> Signature {
        let mut params = vec![];
        for param in ty.params() {
            params.extend(self.types_of(param));
        }
        if ty.is_variadic() {
            params.push(Type::Ptr);
        }
        let results = self.types_of(ty.result());
        Signature { params, results }
    }

    /// The scalars of a type, none if it is unsupported.
    pub(crate) fn types_of(&mut self, ty: Ty<'p>) -> Vec<Type> {
        self.layout(ty)
            .map(|layout| layout.types())
            .unwrap_or_default()
    }

    /// The id of a global variable; `None` if it is weak and defined nowhere.
    pub(crate) fn global_id(&mut self, global: Value<'p>) -> Option<GlobalId> {
        if let Some(&id) = self.globals.get(&global) {
            return Some(id);
        }
        if global.linkage() == Linkage::LLVMExternalWeakLinkage && global.is_declaration() {
            return None;
        }
        let ty = global.value_type();
        let size = if ty.is_sized() {
            self.program.alloc_size(ty)
        } else {
            0
        };
        let align = match global.alignment() {
            0 if ty.is_sized() => self.program.abi_align(ty),
            0 => 1,
            align => align,
        };
        let (name, span) = self.global_name_and_span(global);
        let id = self.module.globals.push(Global {
            name: name.into(),
            size,
            align,
            constant: global.is_global_constant(),
            contents: GlobalContents::External,
            span,
        });
        self.globals.insert(global, id);
        self.work.push_back(Work::Global(id, global));
        Some(id)
    }

    /// A number for a block whose address the program takes; never 0.
    pub(crate) fn block_address(&mut self, block: BasicBlock<'p>) -> u64 {
        let next = self.block_addresses.len() as u64 + 1;
        *self.block_addresses.entry(block).or_insert(next)
    }

    /// Functions of `llvm.global_ctors` or `llvm.global_dtors`, in the order in which they run.
    fn listed_functions(&mut self, list: &str, descending: bool) -> Vec<FunctionId> {
        let Some(array) = self.program.global(list).and_then(Value::initializer) else {
            return vec![];
        };
        let mut entries = vec![];
        let mut index = 0;
        while let Some(entry) = array.aggregate_element(index) {
            let priority = entry
                .aggregate_element(0)
                .and_then(Value::int_bits)
                .unwrap_or(0);
            if let Some(function) = entry
                .aggregate_element(1)
                .filter(|f| f.kind() == ValueKind::LLVMFunctionValueKind)
            {
                entries.push((priority, function));
            }
            index += 1;
        }
        entries.sort_by_key(|&(priority, _)| priority);
        if descending {
            entries.reverse();
        }
        let functions = entries.into_iter();
        functions.filter_map(|(_, f)| self.function_id(f)).collect()
    }

    /// Notes a construct that is not translated.
    pub(crate) fn note_unsupported(&mut self, construct: Arc<str>, span: SpanId) {
        if self.unsupported_seen.insert((construct.clone(), span)) {
            self.unsupported.push(UnsupportedUse { construct, span });
        }
    }

    /// Notes an operation that is translated to more than it does.
    pub(crate) fn note_over_approximation(&mut self, operation: Arc<str>, span: SpanId) {
        if self
            .over_approximations_seen
            .insert((operation.clone(), span))
        {
            self.over_approximations
                .push(OverApproximation { operation, span });
        }
    }
}
