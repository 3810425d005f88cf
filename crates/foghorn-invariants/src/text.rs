//! Invariants in C syntax over source variables, for people.
//!
//! Only variables whose value at the place is known are spoken of ([`crate::source`]), and regions
//! that are one variable. What C cannot say of a pointer is said by `offset(p)` and `size(p)`: the
//! bytes from the start of its object, and of the object; `is_object(p)` is true of pointers that
//! name one.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use foghorn_absint::domain::AnyDomain;
use foghorn_absint::language::{Condition, Operand, UnsignedRelation};
use foghorn_absint::linear::{LinearConstraint, Relation};
use foghorn_absint::number::Number;
use foghorn_absint::variable::VariableId as GotoVariable;
use foghorn_encode::fact::function_size;
use foghorn_ir::{Body, Constant, FunctionId, InstId, Module, ValueId};

use crate::analysis::{Invariant, conditions};
use crate::shape::Shape;
use crate::source::Bindings;
use crate::translate::FunctionTranslation;

/// What can be spoken of at a place, and how it is called.
pub struct Scene {
    names: BTreeMap<GotoVariable, String>,
    /// Pointers, by the variable that is their size.
    pointers: BTreeMap<GotoVariable, String>,
    /// Functions, by what stands for their size.
    functions: BTreeMap<Number, String>,
    /// Variables that are constants there.
    constants: Vec<String>,
}

impl Scene {
    /// At the place just before an instruction.
    #[must_use]
    pub fn new(
        module: &Module,
        function: FunctionId,
        body: &Body,
        translation: &FunctionTranslation,
        instruction: InstId,
    ) -> Scene {
        let mut scene = Scene {
            names: BTreeMap::new(),
            pointers: BTreeMap::new(),
            functions: functions(module),
            constants: Vec::new(),
        };
        let mut blocks = body.blocks.iter();
        let block = blocks.find(|(_, block)| block.instructions.contains(&instruction));
        if let Some((block, _)) = block {
            let bindings = Bindings::new(body);
            for (variable, value) in bindings.at(block, Some(instruction)) {
                let name = &body.variables[variable].name;
                scene.add(body, translation, name, value);
            }
        }
        let own = format!("{}.", module.functions[function].name);
        for (region, data) in body.regions.iter() {
            let contents = translation.contents[region];
            if let crate::contents::Contents::Scalar { shape, .. } = contents {
                let name = data.name.strip_prefix(&own).unwrap_or(&data.name);
                scene.add_shape(name, shape);
            }
        }
        scene
    }

    fn add(&mut self, body: &Body, translation: &FunctionTranslation, name: &str, value: ValueId) {
        match body.as_constant(value) {
            Some(Constant::Int(bits)) => {
                let width = body.ty(value).int_width().unwrap_or(1);
                let unused = 128 - width;
                let number = (bits << unused).cast_signed() >> unused;
                self.constants.push(format!("{name} == {number}"));
            }
            Some(Constant::Null) => self.constants.push(format!("{name} == NULL")),
            Some(
                Constant::F32(_) | Constant::F64(_) | Constant::Global(_) | Constant::Function(_),
            ) => {}
            None => self.add_shape(name, translation.shapes[value]),
        }
    }

    fn add_shape(&mut self, name: &str, shape: Shape) {
        match shape {
            Shape::Nothing => {}
            Shape::Integer(x) | Shape::Boolean(x) => {
                self.names.insert(x, name.to_owned());
            }
            Shape::Pointer(pointer) => {
                for (part, x) in [
                    ("is_object", pointer.is_object),
                    ("offset", pointer.offset),
                    ("size", pointer.size),
                ] {
                    self.names.insert(x, format!("{part}({name})"));
                }
                self.pointers.insert(pointer.size, name.to_owned());
            }
        }
    }

    /// What a state says, one fact after the other in a stable order.
    #[must_use]
    pub fn facts(&self, state: AnyDomain) -> Vec<String> {
        let visible: Vec<GotoVariable> = self.names.keys().copied().collect();
        let Invariant::Conditions(conditions) = conditions(state, &visible) else {
            return vec!["false".to_owned()];
        };
        let mut facts = self.constants.clone();
        facts.extend(self.in_c(&conditions));
        facts.dedup();
        facts
    }

    fn name(&self, x: GotoVariable) -> &str {
        self.names.get(&x).map_or("?", String::as_str)
    }

    /// Bounds of one variable in one fact, then everything else.
    fn in_c(&self, conditions: &[Condition]) -> Vec<String> {
        let mut bounds: BTreeMap<GotoVariable, Bounds> = BTreeMap::new();
        let mut others = Vec::new();
        for condition in conditions {
            match condition {
                Condition::Linear(constraint) => match bound(constraint) {
                    Some((x, found)) => bounds.entry(x).or_default().add(found),
                    None => others.push(self.linear(constraint)),
                },
                Condition::Unsigned {
                    relation,
                    left,
                    right,
                } => others.push(self.unsigned(*relation, left, right)),
                Condition::Boolean { variable, value } => {
                    let not = if *value { "" } else { "!" };
                    others.push(format!("{not}{}", self.name(*variable)));
                }
                Condition::Constant(_) | Condition::Pointers { .. } => {}
            }
        }
        let mut facts: Vec<String> = Vec::new();
        for (x, mut bounds) in bounds {
            if let Some(pointer) = self.pointers.get(&x) {
                facts.extend(bounds.functions(pointer, &self.functions));
            }
            facts.extend(bounds.facts(self.name(x)));
        }
        facts.extend(others);
        facts
    }

    /// Terms with positive factors on the left, with negative ones on the right.
    fn linear(&self, constraint: &LinearConstraint) -> String {
        let expression = &constraint.expression;
        let (mut left, mut right) = (Vec::new(), Vec::new());
        for (x, factor) in expression.terms() {
            let magnitude = if *factor < Number::ZERO {
                -factor
            } else {
                factor.clone()
            };
            let mut term = String::new();
            if magnitude != Number::ONE {
                let _ = write!(term, "{magnitude} * ");
            }
            term += self.name(*x);
            if *factor < Number::ZERO {
                right.push(term);
            } else {
                left.push(term);
            }
        }
        let constant = expression.constant_part();
        if *constant < Number::ZERO {
            right.push((-constant).to_string());
        } else if !constant.is_zero() {
            left.push(constant.to_string());
        }
        let relation = match constraint.relation {
            Relation::LessOrEqual => "<=",
            Relation::Equal => "==",
            Relation::NotEqual => "!=",
        };
        let side = |terms: Vec<String>| match terms.is_empty() {
            true => "0".to_owned(),
            false => terms.join(" + "),
        };
        format!("{} {relation} {}", side(left), side(right))
    }

    fn unsigned(&self, relation: UnsignedRelation, left: &Operand, right: &Operand) -> String {
        let operand = |operand: &Operand| match operand {
            Operand::Variable(x) => format!("(unsigned){}", self.name(*x)),
            Operand::Constant(value) => format!("(unsigned){value}"),
        };
        let relation = match relation {
            UnsignedRelation::Less => "<",
            UnsignedRelation::LessOrEqual => "<=",
        };
        format!("{} {relation} {}", operand(left), operand(right))
    }
}

/// What is known of one variable by itself.
#[derive(Default)]
struct Bounds {
    lower: Option<Number>,
    upper: Option<Number>,
    excluded: Vec<Number>,
}

enum Bound {
    Lower(Number),
    Upper(Number),
    Exactly(Number),
    Not(Number),
}

/// The bound that a constraint on one variable is.
fn bound(constraint: &LinearConstraint) -> Option<(GotoVariable, Bound)> {
    let [(x, factor)] = constraint.expression.terms() else {
        return None;
    };
    let constant = constraint.expression.constant_part();
    let positive = *factor == Number::ONE;
    if !positive && *factor != Number::MINUS_ONE {
        return None;
    }
    let value = if positive {
        -constant
    } else {
        constant.clone()
    };
    let bound = match (constraint.relation, positive) {
        (Relation::Equal, _) => Bound::Exactly(value),
        (Relation::NotEqual, _) => Bound::Not(value),
        (Relation::LessOrEqual, true) => Bound::Upper(value),
        (Relation::LessOrEqual, false) => Bound::Lower(value),
    };
    Some((*x, bound))
}

/// What stands for the sizes of functions that pointers can name.
fn functions(module: &Module) -> BTreeMap<Number, String> {
    let named = module.functions_with_address().into_iter();
    let sizes = named.map(|id| {
        let name = module.functions[id].name.to_string();
        (Number::from(function_size(id)), name)
    });
    sizes.collect()
}

impl Bounds {
    /// Takes out what speaks of functions, and says it by their names.
    fn functions(&mut self, pointer: &str, functions: &BTreeMap<Number, String>) -> Vec<String> {
        let name = |size: &Number| functions.get(size);
        let is_negative = |it: &Number| *it < Number::ZERO;
        let mut facts: Vec<String> = vec![];
        if self.lower == self.upper
            && let Some(function) = self.lower.as_ref().and_then(name)
        {
            facts.push(format!("{pointer} == {function}"));
        }
        let excluded = self.excluded.iter().filter_map(name);
        facts.extend(excluded.map(|function| format!("{pointer} != {function}")));
        self.excluded.retain(|it| !is_negative(it));
        self.lower.take_if(|it| is_negative(it));
        self.upper.take_if(|it| is_negative(it));
        facts
    }

    fn add(&mut self, bound: Bound) {
        match bound {
            Bound::Lower(value) => self.lower = Some(value),
            Bound::Upper(value) => self.upper = Some(value),
            Bound::Exactly(value) => {
                self.lower = Some(value.clone());
                self.upper = Some(value);
            }
            Bound::Not(value) => self.excluded.push(value),
        }
    }

    fn facts(&self, name: &str) -> Vec<String> {
        let mut facts = match (&self.lower, &self.upper) {
            (Some(lower), Some(upper)) if lower == upper => vec![format!("{name} == {lower}")],
            (lower, upper) => {
                let lower = lower.iter().map(|lower| format!("{lower} <= {name}"));
                let upper = upper.iter().map(|upper| format!("{name} <= {upper}"));
                lower.chain(upper).collect()
            }
        };
        facts.extend(self.excluded.iter().map(|it| format!("{name} != {it}")));
        facts
    }
}
