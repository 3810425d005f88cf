//! A whole program: globals, functions, and what they share.

use crate::body::{Body, ValueDef};
use crate::constant::Constant;
use crate::types::Type;
use cranelift_entity::{PrimaryMap, entity_impl};
use foghorn_core::{SpanId, SpanTable};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A global variable of a [`Module`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct GlobalId(u32);
entity_impl!(GlobalId, "g");

/// A function of a [`Module`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FunctionId(u32);
entity_impl!(FunctionId, "fn");

/// Sizes that the target fixes. Byte order is little-endian on every target we take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DataLayout {
    /// 4 (ILP32) or 8 (LP64).
    pub pointer_bytes: u32,
}

impl DataLayout {
    /// Width of a pointer in bits.
    pub fn pointer_bits(self) -> u32 {
        self.pointer_bytes * 8
    }

    /// The integer type as wide as a pointer: sizes, offsets and lengths have it.
    pub fn pointer_int(self) -> Type {
        Type::Int(if self.pointer_bytes == 4 { 32 } else { 64 })
    }
}

/// The name of an entry that does nothing but call constructors, `main` with its own arguments, and
/// destructors.
pub const START_OF_MAIN: &str = "__foghorn_main";

/// The name of an entry that makes arguments and calls `main` with them.
pub const START_WITH_ARGUMENTS: &str = "__foghorn_start_with_arguments";

/// How the names of models begin that make what the outside hands to the program: its arguments, its
/// environment.
const HANDED_IN: &str = "__model_outside_";
/// How the names of globals begin that only say what code outside the program knows: the pointers
/// that it was given, and the variables that it can name. Nothing changes but by the stores that put
/// pointers there.
pub const OUTSIDE: &str = "__foghorn_outside";

/// How the globals begin that hold the last pointer which a function without a body returned. Like
/// others that begin with [`OUTSIDE`] they are no part of the program's own memory.
pub const RETURNED: &str = "__foghorn_outside-returned";

/// How file names of Foghorn's own models of the C library begin.
pub const MODELS: &str = "<foghorn>/";

/// A program in IR.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Module {
    pub layout: DataLayout,
    pub spans: SpanTable,
    pub globals: PrimaryMap<GlobalId, Global>,
    pub functions: PrimaryMap<FunctionId, Function>,
    /// Where the program starts; `None` for a library.
    pub entry: Option<FunctionId>,
    /// Functions that run before the entry, in this order.
    pub constructors: Vec<FunctionId>,
    /// Functions that run after the entry returned or `exit` was called, in this order.
    pub destructors: Vec<FunctionId>,
}

impl Module {
    pub fn new(layout: DataLayout) -> Self {
        Module {
            layout,
            spans: SpanTable::default(),
            globals: PrimaryMap::new(),
            functions: PrimaryMap::new(),
            entry: None,
            constructors: vec![],
            destructors: vec![],
        }
    }

    /// The function of that name.
    pub fn function_named(&self, name: &str) -> Option<FunctionId> {
        self.functions
            .iter()
            .find(|(_, f)| &*f.name == name)
            .map(|(id, _)| id)
    }

    /// Functions that a pointer can name: those whose address is a value or part of a global.
    pub fn functions_with_address(&self) -> Vec<FunctionId> {
        let mut found = vec![];
        for body in self.functions.values().filter_map(|it| it.body.as_ref()) {
            let values = body.values.values();
            found.extend(values.filter_map(|value| match value.def {
                ValueDef::Constant(Constant::Function(function)) => Some(function),
                ValueDef::Constant(_)
                | ValueDef::Param(..)
                | ValueDef::Result(..)
                | ValueDef::Memory(..) => None,
            }));
        }
        for global in self.globals.values() {
            if let GlobalContents::Initialised(initializer) = &global.contents {
                let targets = initializer.relocations.iter().map(|it| it.target);
                found.extend(targets.filter_map(|target| match target {
                    Symbol::Function(function) => Some(function),
                    Symbol::Global(_) => None,
                }));
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Whether code outside the program that reaches the global may change it: not if it is constant,
    /// only says what such code knows, or belongs to the models of the library.
    pub fn is_changed_outside(&self, global: GlobalId) -> bool {
        let data = &self.globals[global];
        let file = self.spans.file_name(self.spans.span(data.span).file);
        !data.constant && !data.is_outside() && !file.starts_with(MODELS)
    }

    /// The global of that name.
    pub fn global_named(&self, name: &str) -> Option<GlobalId> {
        self.globals
            .iter()
            .find(|(_, g)| &*g.name == name)
            .map(|(id, _)| id)
    }
}

/// A variable that lives as long as the program.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Global {
    pub name: Arc<str>,
    /// Size in bytes.
    pub size: u64,
    /// Alignment in bytes, a power of two.
    pub align: u32,
    /// Writing to it is an error.
    pub constant: bool,
    pub contents: GlobalContents,
    pub span: SpanId,
}

impl Global {
    /// Whether it only says what code outside the program knows ([`OUTSIDE`]).
    pub fn is_outside(&self) -> bool {
        self.name.starts_with(OUTSIDE)
    }

    /// Whether it holds a pointer that code outside the program returned ([`RETURNED`]).
    pub fn is_returned(&self) -> bool {
        self.name.starts_with(RETURNED)
    }
}

/// What a global holds when the program starts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum GlobalContents {
    /// Defined by the program.
    Initialised(Initializer),
    /// Declared here and defined nowhere: any bytes.
    External,
}

/// The initial bytes of a global: zero but for the chunks and the relocations.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Initializer {
    /// Runs of bytes at increasing offsets that do not overlap.
    pub chunks: Vec<(u64, Vec<u8>)>,
    /// Addresses, at increasing offsets that do not overlap each other; chunks are zero there.
    pub relocations: Vec<Relocation>,
}

/// An address within an initialiser.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Relocation {
    pub offset: u64,
    pub target: Symbol,
    /// Bytes added to the target's address.
    pub addend: i64,
}

/// Something that has an address before the program runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Symbol {
    Global(GlobalId),
    Function(FunctionId),
}

/// Types of a function's parameters and results.
///
/// A variadic function has one more parameter, the last, of type `ptr`: the address of a stack
/// object of the caller that holds the variable arguments in the layout of the target's
/// `va_list`. So nothing below the front end knows variadic functions.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct Signature {
    pub params: Vec<Type>,
    pub results: Vec<Type>,
}

/// A function, with or without a body.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Function {
    pub name: Arc<str>,
    pub signature: Signature,
    /// `None`: declared only. A call returns nondet, changes no memory, and is listed among the
    /// assumptions.
    pub body: Option<Body>,
    pub span: SpanId,
    /// Part of Foghorn's own model of the C library: a failure inside is reported at the call.
    pub is_model: bool,
}

impl Function {
    /// For a model that makes an object which the outside hands to the program, what that is called.
    /// What such a model does to memory is right by construction: engines make no checks of it.
    pub fn handed_over(&self) -> Option<&str> {
        self.name.strip_prefix(HANDED_IN).filter(|_| self.is_model)
    }
}
