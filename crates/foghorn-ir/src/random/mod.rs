//! Random modules that the verifier accepts, for property tests.
//!
//! A module is made from a sequence of numbers, so that a failing case shrinks with the sequence.

mod body;

use crate::module::{
    DataLayout, Function, FunctionId, Global, GlobalContents, GlobalId, Initializer, Module,
    Relocation, Signature, Symbol,
};
use crate::types::Type;
use body::BodyGenerator;
use cranelift_entity::EntityRef;
use foghorn_core::{InlineSite, SpanId};
use proptest::prelude::*;

/// Decisions still to be taken; zero for ever once they are used up.
pub struct Choices {
    numbers: std::vec::IntoIter<u64>,
}

impl Choices {
    fn next(&mut self) -> u64 {
        self.numbers.next().unwrap_or(0)
    }

    pub fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() % limit as u64).expect("small")
    }

    fn of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    fn flag(&mut self) -> bool {
        self.below(2) == 1
    }
}

pub fn modules() -> impl Strategy<Value = Module> {
    prop::collection::vec(any::<u64>(), 0..600).prop_map(|numbers| {
        let numbers = numbers.into_iter();
        Generator::new(Choices { numbers }).run()
    })
}

const NAMES: [&str; 8] = [
    "x", "v1", "a b", "", "é\"\\\n", "block0.1", "x.addr", "signed",
];
const TYPES: [Type; 9] = [
    Type::I32,
    Type::BOOL,
    Type::I8,
    Type::I64,
    Type::Ptr,
    Type::F32,
    Type::F64,
    Type::Int(128),
    Type::Int(48),
];
struct Generator {
    choices: Choices,
    module: Module,
    spans: Vec<SpanId>,
}

impl Generator {
    fn new(mut choices: Choices) -> Self {
        let pointer_bytes = choices.of(&[8, 4]);
        Generator {
            choices,
            module: Module::new(DataLayout { pointer_bytes }),
            spans: vec![SpanId::UNKNOWN],
        }
    }

    fn run(mut self) -> Module {
        self.make_spans();
        let globals = self.choices.below(4);
        let functions = 1 + self.choices.below(3);
        for index in 0..functions {
            self.declare_function(index);
        }
        for index in 0..globals {
            self.global(index, globals);
        }
        for id in self.module.functions.keys().collect::<Vec<_>>() {
            if self.choices.below(4) != 3 {
                let signature = self.module.functions[id].signature.clone();
                let body = BodyGenerator::new(&mut self, &signature).run();
                self.module.functions[id].body = Some(body);
            }
        }
        let takes_nothing = |f: &Function| f.signature == Signature::default();
        let plain = self
            .module
            .functions
            .iter()
            .filter(|(_, f)| takes_nothing(f));
        let plain: Vec<FunctionId> = plain.map(|(id, _)| id).collect();
        self.module.constructors.clone_from(&plain);
        self.module.destructors = plain;
        let with_body = self.module.functions.iter().find(|(_, f)| f.body.is_some());
        self.module.entry = with_body.map(|(id, _)| id).filter(|_| self.choices.flag());
        self.module
    }

    fn make_spans(&mut self) {
        for _ in 0..self.choices.below(6) {
            let file = self
                .choices
                .of(&["main.c", "a b.c", "x:y.c", "../d/<e>.h", "é.c"]);
            let line = u32::try_from(self.choices.below(50)).expect("small");
            let column = u32::try_from(self.choices.below(3)).expect("small");
            let plain = self.module.spans.at(file, line + 1, column);
            let site = InlineSite {
                callee: self.choices.of(&NAMES).into(),
                call: self.choices.of(&self.spans.clone()),
            };
            let span = match self.choices.flag() {
                true => self.module.spans.inlined(plain, &site),
                false => plain,
            };
            self.spans.push(span);
        }
    }

    fn span(&mut self) -> SpanId {
        let spans = &self.spans;
        spans[self.choices.below(spans.len())]
    }

    fn types(&mut self, limit: usize) -> Vec<Type> {
        (0..self.choices.below(limit))
            .map(|_| self.choices.of(&TYPES))
            .collect()
    }

    fn declare_function(&mut self, index: usize) {
        let signature = Signature {
            params: self.types(4),
            results: self.types(3),
        };
        let name = format!("{}{index}", self.choices.of(&NAMES)).into();
        let span = self.span();
        let is_model = self.choices.flag();
        self.module.functions.push(Function {
            name,
            signature,
            body: None,
            span,
            is_model,
        });
    }

    fn global(&mut self, index: usize, globals: usize) {
        let pointer = u64::from(self.module.layout.pointer_bytes);
        let mut initializer = Initializer::default();
        let mut size = 0;
        for _ in 0..self.choices.below(4) {
            size += self.choices.below(3) as u64;
            if self.choices.flag() {
                let bytes: Vec<u8> = (0..1 + self.choices.below(100))
                    .map(|_| self.choices.of(b"az\"\\\0\xff\n"))
                    .collect();
                let length = bytes.len() as u64;
                initializer.chunks.push((size, bytes));
                size += length;
            } else {
                let target = match self.choices.flag() {
                    true => Symbol::Global(GlobalId::new(self.choices.below(globals))),
                    false => Symbol::Function(FunctionId::new(0)),
                };
                initializer.relocations.push(Relocation {
                    offset: size,
                    target,
                    addend: self.choices.of(&[0, 4, -8]),
                });
                size += pointer;
            }
        }
        let contents = match self.choices.below(4) {
            0 => GlobalContents::External,
            _ => GlobalContents::Initialised(initializer),
        };
        let global = Global {
            name: format!("g{}{index}", self.choices.of(&NAMES)).into(),
            size: size + self.choices.below(3) as u64,
            align: self.choices.of(&[1, 4, 16]),
            constant: self.choices.flag(),
            contents,
            span: self.span(),
        };
        self.module.globals.push(global);
    }
}
