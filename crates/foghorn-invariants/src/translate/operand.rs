//! Reading, copying and forgetting IR values in the goto language.

use cranelift_entity::EntityRef as _;
use foghorn_absint::language::{Condition, Operand, Statement};
use foghorn_absint::linear::LinearExpression;
use foghorn_absint::number::Number;
use foghorn_absint::variable::{Type as GotoType, VariableId as GotoVariable};
use foghorn_encode::fact::function_size;
use foghorn_ir::{Constant, GlobalContents, Type, ValueDef, ValueId};

use super::FunctionTranslator;
use crate::decision::Decision;
use crate::shape::{Meaning, PointerVariables, Shape, goto_types};

/// Truth values with more cases than this are left open where they are computed.
const MOST_CASES: usize = 6;

/// A truth value: known, or that of a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Truth {
    Constant(bool),
    Variable(GotoVariable),
}

impl Truth {
    /// That it is `value`.
    pub(super) fn is(self, value: bool) -> Condition {
        match self {
            Truth::Constant(constant) => Condition::Constant(constant == value),
            Truth::Variable(variable) => Condition::Boolean { variable, value },
        }
    }
}

/// A pointer, as far as it is known.
#[derive(Clone, Debug)]
pub(super) struct PointerView {
    pub is_object: Truth,
    pub offset: LinearExpression,
    /// `None`: not known.
    pub size: Option<LinearExpression>,
}

/// The signed number of the low `width` bits.
pub(super) fn signed(bits: u128, width: u32) -> Number {
    let unused = 128 - width;
    Number::from((bits << unused).cast_signed() >> unused)
}

impl FunctionTranslator<'_> {
    pub(super) fn pointer_bits(&self) -> u32 {
        self.module.layout.pointer_bits()
    }

    /// Makes the variables of a value.
    pub(super) fn declare(&mut self, value: ValueId) {
        let data = &self.body.values[value];
        let number = value.index();
        let name = match &data.name {
            Some(name) => format!("{name}.{number}"),
            None => format!("v{number}"),
        };
        let types = goto_types(data.ty, self.pointer_bits());
        self.shapes[value] = match (data.ty, &types[..]) {
            (Type::Int(1), [ty]) => {
                let meaning = Meaning::Boolean(value);
                Shape::Boolean(self.emitter.variable(name, *ty, meaning))
            }
            (Type::Int(_), [ty]) => {
                let meaning = Meaning::Integer(value);
                Shape::Integer(self.emitter.variable(name, *ty, meaning))
            }
            (Type::Ptr, [is_object, offset, size]) => {
                let mut ghost = |part: &str, ty: GotoType, meaning: Meaning| {
                    self.emitter.variable(format!("{name}.{part}"), ty, meaning)
                };
                Shape::Pointer(PointerVariables {
                    is_object: ghost("object", *is_object, Meaning::IsObject(value)),
                    offset: ghost("offset", *offset, Meaning::Offset(value)),
                    size: ghost("size", *size, Meaning::Size(value)),
                })
            }
            (Type::Int(_) | Type::Ptr | Type::F32 | Type::F64 | Type::Memory(_), _) => {
                Shape::Nothing
            }
        };
    }

    /// Temporary variables like those of a value.
    pub(super) fn temporary_like(&mut self, value: ValueId) -> Shape {
        match self.shapes[value] {
            Shape::Nothing => Shape::Nothing,
            Shape::Integer(x) => Shape::Integer(self.emitter.temporary(x.ty())),
            Shape::Boolean(x) => Shape::Boolean(self.emitter.temporary(x.ty())),
            Shape::Pointer(p) => Shape::Pointer(PointerVariables {
                is_object: self.emitter.temporary(p.is_object.ty()),
                offset: self.emitter.temporary(p.offset.ty()),
                size: self.emitter.temporary(p.size.ty()),
            }),
        }
    }

    pub(super) fn width(&self, value: ValueId) -> u32 {
        self.body.ty(value).int_width().unwrap_or_default()
    }

    /// An integer of more than one bit.
    pub(super) fn operand(&self, value: ValueId) -> Operand {
        match (self.shapes[value], self.body.as_constant(value)) {
            (Shape::Integer(x), _) => Operand::Variable(x),
            (_, Some(Constant::Int(bits))) => Operand::Constant(signed(bits, self.width(value))),
            (Shape::Nothing | Shape::Boolean(_) | Shape::Pointer(_), _) => {
                unreachable!("invariant: the verifier says that {value} is an integer")
            }
        }
    }

    pub(super) fn expression(&self, value: ValueId) -> LinearExpression {
        self.operand(value).to_expression()
    }

    /// An `i1`.
    pub(super) fn truth(&self, value: ValueId) -> Truth {
        match (self.shapes[value], self.body.as_constant(value)) {
            (Shape::Boolean(x), _) => Truth::Variable(x),
            (_, Some(Constant::Int(bits))) => Truth::Constant(bits & 1 == 1),
            (Shape::Nothing | Shape::Integer(_) | Shape::Pointer(_), _) => {
                unreachable!("invariant: the verifier says that {value} is an i1")
            }
        }
    }

    pub(super) fn pointer(&self, value: ValueId) -> PointerView {
        if let Shape::Pointer(p) = self.shapes[value] {
            return PointerView {
                is_object: Truth::Variable(p.is_object),
                offset: LinearExpression::variable(p.offset),
                size: Some(LinearExpression::variable(p.size)),
            };
        }
        let (is_object, size) = match self.body.as_constant(value) {
            Some(Constant::Global(global)) => {
                let global = &self.module.globals[global];
                let size = match global.contents {
                    GlobalContents::Initialised(_) => Some(Number::from(global.size)),
                    // Its definition elsewhere may be larger.
                    GlobalContents::External => None,
                };
                (true, size)
            }
            Some(Constant::Function(function)) => {
                (true, Some(Number::from(function_size(function))))
            }
            Some(Constant::Null | Constant::Int(_) | Constant::F32(_) | Constant::F64(_))
            | None => (false, Some(Number::ZERO)),
        };
        PointerView {
            is_object: Truth::Constant(is_object),
            offset: LinearExpression::constant(0),
            size: size.map(LinearExpression::constant),
        }
    }

    /// What the truth of an `i1` says.
    pub(super) fn decision(&self, value: ValueId) -> Decision {
        if let Some(decision) = self.decisions.get(&value) {
            return decision.clone();
        }
        Decision::literal(self.truth(value).is(true))
    }

    /// Assumes that an `i1` has a value, and what that says.
    pub(super) fn assume_value(&mut self, value: ValueId, truth: bool) {
        let condition = self.truth(value).is(truth);
        self.emitter.assume(condition.clone());
        let decision = self.decision(value);
        let cases = decision.when(truth);
        if cases != [vec![condition]] {
            self.emitter.assume_any(cases);
        }
    }

    pub(super) fn copy(&mut self, target: Shape, source: ValueId) {
        match target {
            Shape::Nothing => {}
            Shape::Integer(x) => {
                let expression = self.expression(source);
                self.emitter.assign(x, expression);
            }
            Shape::Boolean(x) => {
                let condition = self.truth(source).is(true);
                self.emitter.decide(x, condition);
            }
            Shape::Pointer(target) => {
                let view = self.pointer(source);
                self.set_pointer(target, view);
            }
        }
    }

    pub(super) fn copy_shape(&mut self, target: Shape, source: Shape) {
        let pairs = target.variables().into_iter().zip(source.variables());
        for (target, source) in pairs {
            let statement = foghorn_absint::analysis::interprocedural::passing::copy_statement;
            self.emitter.push(statement(target, source));
        }
    }

    pub(super) fn set_pointer(&mut self, target: PointerVariables, view: PointerView) {
        self.emitter
            .decide(target.is_object, view.is_object.is(true));
        self.emitter.assign(target.offset, view.offset);
        match view.size {
            Some(size) => self.emitter.assign(target.size, size),
            None => {
                self.emitter.havoc(target.size);
                self.emitter.assume_size(target.size);
            }
        }
    }

    pub(super) fn havoc(&mut self, value: ValueId) {
        let shape = self.shapes[value];
        for variable in shape.variables() {
            self.emitter.havoc(variable);
        }
        if let Shape::Pointer(pointer) = shape {
            self.emitter.assume_size(pointer.size);
        }
    }

    /// The variables that hold these values, for a call or a return; constants get temporaries.
    pub(super) fn arguments(&mut self, values: &[ValueId]) -> Vec<GotoVariable> {
        let mut all = Vec::new();
        for &value in values {
            let is_constant = matches!(self.body.values[value].def, ValueDef::Constant(_));
            let shape = if is_constant {
                self.constant_shape(value)
            } else {
                self.shapes[value]
            };
            all.extend(shape.variables());
        }
        all
    }

    fn constant_shape(&mut self, value: ValueId) -> Shape {
        let types = goto_types(self.body.ty(value), self.pointer_bits());
        let variables: Vec<GotoVariable> = types
            .into_iter()
            .map(|ty| self.emitter.temporary(ty))
            .collect();
        let shape = match variables[..] {
            [x] if x.ty() == GotoType::Boolean => Shape::Boolean(x),
            [x] => Shape::Integer(x),
            [is_object, offset, size] => Shape::Pointer(PointerVariables {
                is_object,
                offset,
                size,
            }),
            _ => Shape::Nothing,
        };
        self.copy(shape, value);
        shape
    }

    /// Gives a truth value what the cases of its decision say, if they are few. Cases may speak of
    /// the value itself.
    fn define_by_cases(&mut self, target: GotoVariable, decision: &Decision) {
        self.emitter.havoc(target);
        let (holds, fails) = (&decision.holds, &decision.fails);
        if holds.len() + fails.len() > MOST_CASES {
            return;
        }
        let cases: Vec<_> = holds.iter().chain(fails).cloned().collect();
        self.emitter.fork(&cases, |emitter, case| {
            emitter.decide(target, Condition::Constant(case < holds.len()));
        });
    }

    /// Gives an `i1` its value by its decision.
    pub(super) fn define(&mut self, value: ValueId, decision: Decision) {
        let Shape::Boolean(target) = self.shapes[value] else {
            return;
        };
        match decision.as_literal() {
            Some(condition) => self.emitter.push(Statement::BooleanAssign {
                target,
                condition: condition.clone(),
            }),
            None if decision.holds.is_empty() => {
                self.emitter.decide(target, Condition::Constant(false));
            }
            None if decision.fails.is_empty() => {
                self.emitter.decide(target, Condition::Constant(true));
            }
            None => self.define_by_cases(target, &decision),
        }
        self.decisions.insert(value, decision);
    }
}
