//! The start of a program whose `main` takes arguments: any number of them, each any string.
//!
//! A function of our own becomes the entry. It has the models of `arguments.c` make the arguments and
//! calls `main` with them, so that engines, interpreter and replay see calls and allocations like any
//! others. What the program does not look at is not made: without a use of `argv` there is no vector,
//! and where `argv` is used with constant indices only, in `main` or in what it passes `argv` to, nobody
//! can see the arguments behind the largest.
//! Then nothing at the start goes on without end, and a program can be proved by unwinding it.

use super::module::ModuleTranslator;
use crate::llvm::Program;
use crate::options::{Arguments, Entry, Options};
use foghorn_core::SpanId;
use foghorn_ir::builder::FunctionBuilder;
use foghorn_ir::module::START_WITH_ARGUMENTS;
use foghorn_ir::{
    AllocationKind, Body, Callee, Constant, Function, FunctionId, Instruction, Module, Type,
    ValueDef, ValueId,
};
use std::collections::BTreeSet;

const COUNT: &str = "__model_outside_count";
const ARGUMENT_VECTOR: &str = "__model_outside_argv";
const ENVIRONMENT: &str = "__model_outside_environ";

/// The models that the start of the program calls.
pub(crate) fn models_of_start(program: &Program, options: &Options) -> Vec<&'static str> {
    let main = match (&options.arguments, &options.entry) {
        (Arguments::Any { .. }, Entry::Function(name)) if name == "main" => program.function(name),
        (Arguments::Any { .. } | Arguments::Given, _) => None,
    };
    match main.map_or(0, |main| main.params().len()) {
        0 => vec![],
        1 | 2 => vec![COUNT, ARGUMENT_VECTOR],
        _ => vec![COUNT, ARGUMENT_VECTOR, ENVIRONMENT],
    }
}

/// The arguments that a program can see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Seen {
    First(i64),
    All,
}

impl ModuleTranslator<'_> {
    /// Makes the entry call `main` with any arguments, if that is asked for and `main` takes some.
    pub(super) fn start_with_arguments(&mut self) -> bool {
        let Arguments::Any { most } = self.options.arguments else {
            return false;
        };
        let Some(main) = self.module.entry else {
            return false;
        };
        let function = &self.module.functions[main];
        let vectors = match function.signature.params[..] {
            [Type::I32] => 0,
            [Type::I32, Type::Ptr] => 1,
            [Type::I32, Type::Ptr, Type::Ptr] => 2,
            _ => return false,
        };
        if &*function.name != "main" {
            return false;
        }
        let Some(start) = self.start_body(main, vectors, most) else {
            return false;
        };
        let signature = foghorn_ir::Signature {
            params: vec![],
            results: self.module.functions[main].signature.results.clone(),
        };
        let start = self.module.functions.push(Function {
            name: START_WITH_ARGUMENTS.into(),
            signature,
            body: Some(start),
            span: SpanId::UNKNOWN,
            is_model: true,
        });
        self.module.entry = Some(start);
        true
    }

    /// `None` if there are no models.
    fn start_body(&mut self, main: FunctionId, vectors: usize, most: Option<u32>) -> Option<Body> {
        let count = self.model(COUNT)?;
        let of_main = self.module.functions[main].body.as_ref()?;
        let params = 1..of_main.blocks[of_main.entry].params.len();
        let look = |param| seen(&self.module, main, param, &mut vec![]);
        let seen: Vec<Seen> = params.map(look).collect();
        let mut makers = vec![];
        for (name, seen) in [ARGUMENT_VECTOR, ENVIRONMENT]
            .into_iter()
            .zip(seen)
            .take(vectors)
        {
            makers.push(match seen {
                Seen::First(0) => None,
                seen => Some((self.model(name)?, seen)),
            });
        }
        let mut body = Body::new();
        let mut builder = FunctionBuilder::new(&mut body, self.module.layout);
        // With the name of the program.
        let most = most.map_or(i32::MAX, |most| {
            i32::try_from(most).unwrap_or(i32::MAX).saturating_add(1)
        });
        let most = builder.int(32, most.into());
        let count = builder.call_function(&self.module, count, &[most])[0];
        let mut arguments = vec![count];
        for (index, maker) in makers.into_iter().enumerate() {
            arguments.push(match maker {
                None => builder.address(Constant::Null),
                Some((maker, _)) if index > 0 => builder.call_function(&self.module, maker, &[])[0],
                Some((maker, seen)) => {
                    let seen = match seen {
                        Seen::First(count) => count.into(),
                        Seen::All => i32::MAX.into(),
                    };
                    let seen = builder.int(32, seen);
                    builder.call_function(&self.module, maker, &[count, seen])[0]
                }
            });
        }
        let results = builder
            .call_function(&self.module, main, &arguments)
            .to_vec();
        builder.ret(&results);
        Some(body)
    }

    fn model(&mut self, name: &str) -> Option<FunctionId> {
        let function = self.program.function(name);
        self.function_id(function.filter(|f| !f.is_declaration())?)
    }
}

/// More arguments than these are made by a loop of which nobody knows the end, as all are.
const MOST_SEEN: i64 = 64;

/// Which elements of a vector a function can look at that gets it as this parameter, by itself or by
/// the functions it calls. `active` are those that are looked at already.
fn seen(module: &Module, function: FunctionId, param: usize, active: &mut Vec<FunctionId>) -> Seen {
    let Some(body) = &module.functions[function].body else {
        return Seen::All;
    };
    let Some(&vector) = body.blocks[body.entry].params.get(param) else {
        return Seen::All;
    };
    if active.contains(&function) {
        return Seen::All;
    }
    active.push(function);
    let mut elements = Elements {
        module,
        body,
        word: i64::from(module.layout.pointer_bytes),
        vectors: BTreeSet::from([vector]),
        slots: slots(body, vector),
        active,
        count: 0,
    };
    for data in body.instructions.values() {
        if let Instruction::Load { pointer, .. } = data.instruction
            && elements.slots.contains(&pointer)
        {
            elements.vectors.extend(&data.results);
        }
    }
    let found = match elements.collect() {
        Some(()) if elements.count <= MOST_SEEN => Seen::First(elements.count),
        Some(()) | None => Seen::All,
    };
    active.pop();
    found
}

/// Local variables that hold the vector and nothing else, as far as stores tell.
fn slots(body: &Body, vector: ValueId) -> BTreeSet<ValueId> {
    let is_local = |value: ValueId| {
        matches!(body.values[value].def, ValueDef::Result(id, _) if matches!(
            body.instructions[id].instruction,
            Instruction::Allocate { kind: AllocationKind::Stack, .. }
        ))
    };
    let stores = body
        .instructions
        .values()
        .filter_map(|data| match data.instruction {
            Instruction::Store { pointer, value, .. } => Some((pointer, value)),
            _ => None,
        });
    let stores: Vec<(ValueId, ValueId)> = stores.collect();
    let holds_only = |slot: ValueId| {
        stores
            .iter()
            .all(|&(to, value)| to != slot || value == vector)
    };
    let of_vector = stores.iter().filter(|(_, value)| *value == vector);
    let slots = of_vector.map(|(slot, _)| *slot);
    slots
        .filter(|&slot| is_local(slot) && holds_only(slot))
        .collect()
}

/// The elements that a function reads or writes of a vector.
struct Elements<'b> {
    module: &'b Module,
    body: &'b Body,
    word: i64,
    /// Values that are the vector.
    vectors: BTreeSet<ValueId>,
    slots: BTreeSet<ValueId>,
    active: &'b mut Vec<FunctionId>,
    /// One more than the largest index so far.
    count: i64,
}

impl Elements<'_> {
    /// `None` if something else may be done with the vector.
    fn collect(&mut self) -> Option<()> {
        for data in self
            .body
            .blocks
            .values()
            .flat_map(|block| &block.instructions)
        {
            let data = &self.body.instructions[*data];
            match &data.instruction {
                Instruction::Bind { .. } => {}
                Instruction::LifetimeStart { pointer } | Instruction::LifetimeEnd { pointer }
                    if self.slots.contains(pointer) => {}
                Instruction::Store { pointer, value, .. }
                    if self.slots.contains(pointer) && self.vectors.contains(value) => {}
                Instruction::Load { pointer, .. } if self.slots.contains(pointer) => {}
                Instruction::Load { pointer, .. } if self.element(*pointer).is_some() => {
                    let index = self.element(*pointer)?;
                    if self.body.ty(data.results[0]) != Type::Ptr || index < 0 {
                        return None;
                    }
                    self.count = self.count.max(index + 1);
                }
                Instruction::Store { pointer, value, .. }
                    if self.element(*pointer).is_some() && !self.is_vector_or_slot(*value) =>
                {
                    let index = self.element(*pointer)?;
                    if self.body.ty(*value) != Type::Ptr || index < 0 {
                        return None;
                    }
                    self.count = self.count.max(index + 1);
                }
                Instruction::Call {
                    callee: Callee::Direct(callee),
                    arguments,
                } => self.call(*callee, arguments)?,
                Instruction::PointerAdd { .. } if self.element(data.results[0]).is_some() => {}
                other => {
                    let mut is_used = false;
                    other.for_each_operand(|value| is_used |= self.is_vector_or_slot(value));
                    if is_used {
                        return None;
                    }
                }
            }
        }
        for block in self.body.blocks.values() {
            let mut is_used = false;
            let terminator = &block.terminator;
            terminator.for_each_operand(|value| is_used |= self.is_vector_or_slot(value));
            if is_used {
                return None;
            }
        }
        Some(())
    }

    /// A call that may get the vector itself.
    fn call(&mut self, callee: FunctionId, arguments: &[ValueId]) -> Option<()> {
        for (index, argument) in arguments.iter().enumerate() {
            if self.vectors.contains(argument) {
                match seen(self.module, callee, index, self.active) {
                    Seen::First(count) => self.count = self.count.max(count),
                    Seen::All => return None,
                }
            } else if self.is_vector_or_slot(*argument) {
                return None;
            }
        }
        Some(())
    }

    fn is_vector_or_slot(&self, value: ValueId) -> bool {
        self.slots.contains(&value) || self.element(value).is_some()
    }

    /// The index of the element at which a pointer points, if it was computed from the vector by a
    /// constant; an index that is no whole number is negative.
    fn element(&self, pointer: ValueId) -> Option<i64> {
        if self.vectors.contains(&pointer) {
            return Some(0);
        }
        let ValueDef::Result(id, _) = self.body.values[pointer].def else {
            return None;
        };
        match &self.body.instructions[id].instruction {
            Instruction::PointerAdd {
                base,
                constant,
                scaled,
            } if scaled.is_empty() => {
                let before = self.element(*base)?;
                match (before, constant % self.word) {
                    (0.., 0) => Some(before + constant / self.word),
                    (_, _) => Some(-1),
                }
            }
            _ => None,
        }
    }
}
