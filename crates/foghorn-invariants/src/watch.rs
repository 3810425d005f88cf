//! A program that tells its values at the start of every block.
//!
//! The module is instrumented: each block begins with bindings of the values that are visible
//! there to variables of their own, which an observer of the interpreter collects into frames.

use cranelift_entity::EntityRef as _;
use foghorn_absint::language::interpreter::{Frame, Value};
use foghorn_absint::laws::universe::belongs;
use foghorn_absint::number::Number;
use foghorn_core::SpanId;
use foghorn_encode::fact::function_size;
use foghorn_ir::interpret::{Observer, ProgramPoint};
use foghorn_ir::{
    BlockId, Body, Builtin, Callee, Constant, FunctionId, InstId, Instruction, IntPredicate,
    Module, Type, ValueId, Variable, VariableId,
};
use std::collections::BTreeMap;

use crate::analysis::{Analysis, Visibility};
use crate::shape::Shape;
use crate::translate::FunctionTranslation;

/// More values than this are not watched at one block.
const WATCHED_VALUES: usize = 48;

/// What a binding tells about a value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Aspect {
    /// An integer, or the offset of a pointer.
    Bits,
    IsNull,
    IsAlive,
    Size,
}

#[derive(Clone, Copy, Debug)]
struct Watch {
    block: BlockId,
    value: ValueId,
    aspect: Aspect,
    is_last: bool,
}

/// An instrumented module.
pub struct Watched {
    pub module: Module,
    watches: BTreeMap<(FunctionId, VariableId), Watch>,
}

struct Inserter<'b> {
    /// Those that a pointer can name.
    functions: &'b [FunctionId],
    body: &'b mut Body,
    instructions: Vec<InstId>,
    watches: Vec<(VariableId, Watch)>,
    block: BlockId,
}

impl Inserter<'_> {
    fn bind(&mut self, value: ValueId, aspect: Aspect, told: ValueId) {
        let variable = self.body.variables.push(Variable {
            name: "watch".into(),
            span: SpanId::UNKNOWN,
            signed: true,
            slot: None,
        });
        let bind = Instruction::Bind {
            variable,
            value: told,
        };
        let id = self.body.create_instruction(bind, &[], SpanId::UNKNOWN);
        self.instructions.push(id);
        self.watches.push((
            variable,
            Watch {
                block: self.block,
                value,
                aspect,
                is_last: false,
            },
        ));
    }

    fn compute(&mut self, instruction: Instruction, ty: Type) -> ValueId {
        let id = self
            .body
            .create_instruction(instruction, &[ty], SpanId::UNKNOWN);
        self.instructions.push(id);
        self.body.result(id)
    }

    fn watch(&mut self, value: ValueId, size: Type) {
        self.bind(value, Aspect::Bits, value);
        if self.body.ty(value) != Type::Ptr {
            return;
        }
        let null = self.body.constant(Type::Ptr, Constant::Null);
        let compare = Instruction::Compare {
            predicate: IntPredicate::Eq,
            lhs: value,
            rhs: null,
        };
        let told = self.compute(compare, Type::BOOL);
        self.bind(value, Aspect::IsNull, told);
        let ask = |builtin: Builtin| Instruction::Call {
            callee: Callee::Builtin(builtin),
            arguments: vec![value],
        };
        let told = self.compute(ask(Builtin::IsAlive), Type::BOOL);
        self.bind(value, Aspect::IsAlive, told);
        let told = self.compute(ask(Builtin::ObjectSize), size);
        let told = self.size_of_function(value, told, size);
        self.bind(value, Aspect::Size, told);
    }

    /// The size of a function, if a pointer leads into one, or else what it is given.
    fn size_of_function(&mut self, value: ValueId, otherwise: ValueId, size: Type) -> ValueId {
        if self.functions.is_empty() {
            return otherwise;
        }
        let ask = Instruction::Call {
            callee: Callee::Builtin(Builtin::ObjectOffset),
            arguments: vec![value],
        };
        let offset = self.compute(ask, size);
        let back = Instruction::PointerAdd {
            base: value,
            constant: 0,
            scaled: [(offset, -1)].into_iter().collect(),
        };
        let start = self.compute(back, Type::Ptr);
        let mut told = otherwise;
        for function in self.functions {
            let address = self.body.constant(Type::Ptr, Constant::Function(*function));
            let compare = Instruction::Compare {
                predicate: IntPredicate::Eq,
                lhs: start,
                rhs: address,
            };
            let condition = self.compute(compare, Type::BOOL);
            let number = i128::from(function_size(*function));
            let on_true = self
                .body
                .constant(size, Constant::Int(number.cast_unsigned()));
            let choose = Instruction::Select {
                condition,
                on_true,
                on_false: told,
            };
            told = self.compute(choose, size);
        }
        told
    }
}

impl Watched {
    #[must_use]
    pub fn new(module: &Module, analysis: &Analysis) -> Watched {
        let mut watched = Watched {
            module: module.clone(),
            watches: BTreeMap::new(),
        };
        for (id, translation) in analysis.translation.functions.iter() {
            if let Some(translation) = translation {
                watched.instrument(module, id, translation);
            }
        }
        watched
    }

    fn instrument(&mut self, module: &Module, id: FunctionId, translation: &FunctionTranslation) {
        let size = module.layout.pointer_int();
        let (Some(original), Some(body)) = (
            &module.functions[id].body,
            &mut self.module.functions[id].body,
        ) else {
            return;
        };
        let functions = module.functions_with_address();
        let visibility = Visibility::new(original);
        let blocks: Vec<BlockId> = body.blocks.keys().collect();
        for block in blocks {
            if translation.blocks[block].is_none() {
                continue;
            }
            let values = visibility
                .values(block)
                .filter(|value| translation.shapes[*value] != Shape::Nothing)
                .take(WATCHED_VALUES);
            let mut inserter = Inserter {
                functions: &functions,
                body,
                instructions: Vec::new(),
                watches: Vec::new(),
                block,
            };
            for value in values {
                inserter.watch(value, size);
            }
            let Inserter {
                mut instructions,
                mut watches,
                ..
            } = inserter;
            if let Some((_, last)) = watches.last_mut() {
                last.is_last = true;
            }
            instructions.append(&mut body.blocks[block].instructions);
            body.blocks[block].instructions = instructions;
            let own = watches.into_iter();
            self.watches
                .extend(own.map(|(variable, watch)| ((id, variable), watch)));
        }
    }
}

/// Compares what a run tells with invariants.
pub struct Checker<'a> {
    pub watched: &'a Watched,
    pub analysis: &'a Analysis,
    pub pointer_bits: u32,
    /// Added to every integer, so that what is compared is wrong.
    pub distortion: i128,
    told: BTreeMap<(ValueId, Aspect), u128>,
    visits: BTreeMap<(FunctionId, BlockId), u64>,
    pub states: usize,
    pub violations: Vec<String>,
}

impl<'a> Checker<'a> {
    #[must_use]
    pub fn new(watched: &'a Watched, analysis: &'a Analysis) -> Checker<'a> {
        Checker {
            watched,
            analysis,
            pointer_bits: watched.module.layout.pointer_bits(),
            distortion: 0,
            told: BTreeMap::new(),
            visits: BTreeMap::new(),
            states: 0,
            violations: Vec::new(),
        }
    }

    fn frame(&self, function: &FunctionTranslation) -> Frame {
        let mut frame = Frame::default();
        for (&(value, aspect), &bits) in &self.told {
            if aspect != Aspect::Bits {
                continue;
            }
            match function.shapes[value] {
                Shape::Nothing => {}
                Shape::Integer(x) => {
                    let bits = bits.wrapping_add(self.distortion.cast_unsigned());
                    let width = x.width().expect("invariant: machine integers");
                    frame.set(x, integer(bits, width));
                }
                Shape::Boolean(x) => frame.set(x, Value::Boolean(bits & 1 == 1)),
                Shape::Pointer(p) => {
                    frame.set(p.offset, integer(bits, self.pointer_bits));
                    let flag = |aspect| self.told[&(value, aspect)] & 1 == 1;
                    // Of pointers to dead objects and of unknown ones only the offset is known.
                    if flag(Aspect::IsAlive) {
                        let size = self.told[&(value, Aspect::Size)];
                        frame.set(p.is_object, Value::Boolean(true));
                        frame.set(p.size, integer(size, self.pointer_bits));
                    } else if flag(Aspect::IsNull) {
                        frame.set(p.is_object, Value::Boolean(false));
                        frame.set(p.size, Value::Integer(Number::ZERO));
                    }
                }
            }
        }
        frame
    }

    fn compare(&mut self, id: FunctionId, block: BlockId) {
        let visits = self.visits.entry((id, block)).or_default();
        *visits += 1;
        // The first visits, and then ever fewer.
        if *visits > 24 && !visits.is_power_of_two() {
            return;
        }
        let Some(function) = &self.analysis.translation.functions[id] else {
            return;
        };
        let frame = self.frame(function);
        self.states += 1;
        let mut why = vec!["no run comes here".to_owned()];
        for state in self.analysis.states(id, block) {
            match belongs(state, &frame) {
                Ok(()) => return,
                Err(reason) => why.push(reason),
            }
        }
        let name = &self.watched.module.functions[id].name;
        let label = block.index();
        self.violations
            .push(format!("@{name} block{label}: {why:?} for {frame:?}"));
    }
}

fn integer(bits: u128, width: u32) -> Value {
    let unused = 128 - width;
    Value::Integer(Number::from((bits << unused).cast_signed() >> unused))
}

impl Observer for Checker<'_> {
    fn bind(&mut self, at: ProgramPoint, variable: VariableId, _: Type, bits: u128) {
        let Some(watch) = self.watched.watches.get(&(at.function, variable)) else {
            return;
        };
        self.told.insert((watch.value, watch.aspect), bits);
        if watch.is_last {
            let block = watch.block;
            self.compare(at.function, block);
            self.told.clear();
        }
    }
}
