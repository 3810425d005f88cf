//! Variables to test with, and random conditions, statements, states and elements over them.

use crate::domain::ProgramDomain;
use crate::language::interpreter::{
    Frame, Heap, Oracle as _, Outcome, PointerValue, Value, evaluate_condition, step,
};
use crate::language::{
    ArrayAccess, BinaryOperator, BooleanOperator, Cast, Condition, Endianness, Operand, Program,
    Statement, UnsignedRelation,
};
use crate::laws::Integers;
use crate::laws::random::Random;
use crate::linear::{LinearConstraint, LinearExpression, Relation};
use crate::number::Number;
use crate::variable::{Type, VariableId};

/// The variables of a suite.
#[derive(Clone, Debug)]
pub struct Universe {
    pub integers: Integers,
    /// The integers that most statements work on.
    pub numbers: Vec<VariableId>,
    /// A narrower and a wider integer, when the integers have a width.
    pub narrow: Option<VariableId>,
    pub wide: Option<VariableId>,
    /// What is stored in arrays, with its size.
    pub stored: Vec<(VariableId, u32)>,
    pub booleans: Vec<VariableId>,
    pub pointers: Vec<VariableId>,
    pub arrays: Vec<VariableId>,
    /// Never mentioned by statements, for renaming and expanding.
    pub fresh: VariableId,
}

impl Universe {
    #[must_use]
    pub fn new(integers: Integers) -> Universe {
        Universe::starting_at(integers, 0)
    }

    /// A universe whose variables are new ones of a program.
    pub fn declare(program: &mut Program, integers: Integers) -> Universe {
        let first = u32::try_from(program.variables.len()).expect("invariant: ids are u32");
        let universe = Universe::starting_at(integers, first);
        for index in first..=universe.fresh.index() {
            let ty = universe.type_of(index);
            let declared = program.variable(format!("v{index}"), ty);
            debug_assert_eq!(declared.index(), index);
        }
        universe
    }

    fn type_of(&self, index: u32) -> Type {
        let mut all = self.scalars();
        all.extend(&self.arrays);
        let found = all.into_iter().find(|x| x.index() == index);
        found.unwrap_or(self.fresh).ty()
    }

    fn starting_at(integers: Integers, first: u32) -> Universe {
        let mut next = first;
        let mut variable = |ty: Type| {
            next += 1;
            VariableId::new(next - 1, ty)
        };
        let ty = match integers {
            Integers::Width(width) => Type::Integer { width },
            Integers::Unbounded => Type::Unbounded,
        };
        let other_width = |f: fn(u32) -> u32| match integers {
            Integers::Width(width) => Some(Type::Integer { width: f(width) }),
            Integers::Unbounded => None,
        };
        let numbers = (0..3).map(|_| variable(ty)).collect();
        let narrow = other_width(|width| width.div_ceil(2)).map(&mut variable);
        let wide = other_width(|width| width * 2).map(&mut variable);
        let stored = match integers {
            Integers::Width(_) => vec![
                (variable(Type::Integer { width: 8 }), 1),
                (variable(Type::Integer { width: 16 }), 2),
            ],
            Integers::Unbounded => vec![(variable(ty), 4), (variable(ty), 2)],
        };
        Universe {
            integers,
            numbers,
            narrow,
            wide,
            stored,
            booleans: (0..2).map(|_| variable(Type::Boolean)).collect(),
            pointers: vec![
                variable(Type::Pointer),
                variable(Type::Pointer),
                variable(Type::Reference),
            ],
            arrays: (0..2).map(|_| variable(Type::Array)).collect(),
            fresh: variable(ty),
        }
    }

    /// The scalars that statements mention.
    #[must_use]
    pub fn scalars(&self) -> Vec<VariableId> {
        let mut all = self.numbers.clone();
        all.extend(self.narrow);
        all.extend(self.wide);
        all.extend(self.stored.iter().map(|(x, _)| *x));
        all.extend(&self.booleans);
        all.extend(&self.pointers);
        all
    }

    fn integer_variable(&self, random: &mut Random) -> VariableId {
        match random.below(8) {
            0 => random.pick(&self.stored).0,
            1 => self.narrow.unwrap_or(self.numbers[0]),
            2 => self.wide.unwrap_or(self.numbers[1]),
            _ => *random.pick(&self.numbers),
        }
    }

    fn operand(&self, x: VariableId, random: &mut Random) -> Operand {
        if random.once_in(3) {
            Operand::Constant(random.integer(x.ty()))
        } else if self.numbers.contains(&x) {
            Operand::Variable(*random.pick(&self.numbers))
        } else {
            Operand::Variable(x)
        }
    }

    fn expression(&self, random: &mut Random) -> LinearExpression {
        let constant = if random.once_in(4) {
            random.integer(self.numbers[0].ty())
        } else {
            random.small()
        };
        let mut result = LinearExpression::constant(constant);
        for _ in 0..random.below(3) {
            let coefficients = [1, 1, 1, -1, -1, 2, 3, -2].map(Number::from);
            let coefficient = random.pick(&coefficients);
            result.add_term(self.integer_variable(random), coefficient);
        }
        result
    }

    pub fn condition(&self, random: &mut Random) -> Condition {
        match random.below(10) {
            0 | 1 => {
                let x = self.integer_variable(random);
                let (left, right) = (Operand::Variable(x), self.operand(x, random));
                if self.integers == Integers::Unbounded {
                    return self.linear_condition(random);
                }
                let relation = if random.flip() {
                    UnsignedRelation::Less
                } else {
                    UnsignedRelation::LessOrEqual
                };
                if random.flip() {
                    Condition::Unsigned {
                        relation,
                        left,
                        right,
                    }
                } else {
                    Condition::Unsigned {
                        relation,
                        left: right,
                        right: left,
                    }
                }
            }
            2 => Condition::Boolean {
                variable: *random.pick(&self.booleans),
                value: random.flip(),
            },
            3 => Condition::Pointers {
                equal: random.flip(),
                left: *random.pick(&self.pointers),
                right: random.flip().then(|| *random.pick(&self.pointers)),
            },
            _ => self.linear_condition(random),
        }
    }

    fn linear_condition(&self, random: &mut Random) -> Condition {
        let mut expression = self.expression(random);
        if expression.is_constant() {
            expression.add_term(self.integer_variable(random), &Number::ONE);
        }
        let relations = [
            Relation::LessOrEqual,
            Relation::LessOrEqual,
            Relation::LessOrEqual,
            Relation::Equal,
            Relation::NotEqual,
        ];
        Condition::Linear(LinearConstraint::new(expression, *random.pick(&relations)))
    }

    /// A condition that holds in the frame.
    pub fn true_condition(&self, frame: &Frame, random: &mut Random) -> Condition {
        let condition = self.condition(random);
        if evaluate_condition(&condition, &mut frame.clone(), random) {
            condition
        } else {
            condition.negate()
        }
    }

    /// A random statement, of every kind that is not a call.
    pub fn statement(&self, random: &mut Random) -> Statement {
        match random.below(22) {
            0..=4 => Statement::Assign {
                target: self.integer_variable(random),
                expression: self.expression(random),
            },
            5..=9 => self.binary(random),
            10 => self.cast(random),
            11 => Statement::BooleanToInteger {
                target: *random.pick(&self.numbers),
                source: *random.pick(&self.booleans),
            },
            12 => Statement::BooleanAssign {
                target: *random.pick(&self.booleans),
                condition: self.condition(random),
            },
            13 => Statement::BooleanBinary {
                operator: *random.pick(&[
                    BooleanOperator::And,
                    BooleanOperator::Or,
                    BooleanOperator::Xor,
                ]),
                target: *random.pick(&self.booleans),
                left: *random.pick(&self.booleans),
                right: *random.pick(&self.booleans),
            },
            14 => Statement::Havoc {
                target: *random.pick(&self.scalars()),
            },
            15 | 16 => Statement::Assume {
                condition: self.condition(random),
            },
            17 => self.pointer_statement(random),
            _ => self.array_statement(random),
        }
    }

    fn binary(&self, random: &mut Random) -> Statement {
        let target = *random.pick(&self.numbers);
        let operator = *random.pick(&BinaryOperator::ALL);
        if self.integers == Integers::Unbounded && operator.needs_width() {
            return self.binary(random);
        }
        let left = self.operand(target, random);
        let right = match operator {
            BinaryOperator::ShiftLeft
            | BinaryOperator::LogicalShiftRight
            | BinaryOperator::ArithmeticShiftRight
                if random.flip() =>
            {
                Operand::Constant(Number::from(random.below(5)))
            }
            _ => self.operand(target, random),
        };
        Statement::Binary {
            operator,
            target,
            left,
            right,
        }
    }

    fn cast(&self, random: &mut Random) -> Statement {
        let (Some(narrow), Some(wide)) = (self.narrow, self.wide) else {
            return self.binary(random);
        };
        let number = *random.pick(&self.numbers);
        match random.below(5) {
            0 => Statement::Cast {
                cast: Cast::SignExtend,
                target: wide,
                source: number,
            },
            1 => Statement::Cast {
                cast: Cast::ZeroExtend,
                target: wide,
                source: number,
            },
            2 => Statement::Cast {
                cast: Cast::ZeroExtend,
                target: number,
                source: narrow,
            },
            3 => Statement::Cast {
                cast: Cast::Truncate,
                target: number,
                source: wide,
            },
            _ => Statement::Cast {
                cast: Cast::Truncate,
                target: narrow,
                source: number,
            },
        }
    }

    fn pointer_statement(&self, random: &mut Random) -> Statement {
        let target = *random.pick(&self.pointers);
        match random.below(4) {
            0 => Statement::Allocate {
                target,
                size: Operand::Constant(Number::from(8)),
            },
            1 => Statement::AddressOfFunction {
                target,
                function: "f".to_owned(),
            },
            _ => Statement::PointerAssign {
                target,
                base: (!random.once_in(3)).then(|| *random.pick(&self.pointers)),
                offset: LinearExpression::constant(random.small()),
            },
        }
    }

    /// A random statement on arrays.
    pub fn array_statement(&self, random: &mut Random) -> Statement {
        let (scalar, size) = *random.pick(&self.stored);
        let array = *random.pick(&self.arrays);
        let endianness = match random.below(8) {
            0 => Endianness::Unknown,
            1 | 2 => Endianness::Big,
            _ => Endianness::Little,
        };
        let index = if random.once_in(3) {
            Operand::Variable(*random.pick(&self.numbers))
        } else {
            Operand::Constant(Number::from(random.below(6)))
        };
        let value = if random.once_in(3) {
            Operand::Constant(random.integer(scalar.ty()))
        } else {
            Operand::Variable(scalar)
        };
        let access = ArrayAccess {
            array,
            index,
            size,
            endianness,
        };
        match random.below(9) {
            0 => Statement::ArrayAssign {
                target: array,
                source: *random.pick(&self.arrays),
            },
            1 | 2 => Statement::ArrayInit {
                target: array,
                lower: Operand::Constant(Number::from(random.below(3))),
                upper: if random.once_in(4) {
                    Operand::Variable(*random.pick(&self.numbers))
                } else {
                    Operand::Constant(Number::from(random.below(12)))
                },
                value,
                size,
                endianness,
            },
            3..=5 => Statement::ArrayRead {
                target: scalar,
                access,
            },
            _ => Statement::ArrayWrite { access, value },
        }
    }

    /// A random state, with a value for every scalar.
    pub fn frame(&self, random: &mut Random) -> Frame {
        let mut frame = Frame::default();
        for x in self.scalars() {
            let value = match x.ty() {
                // Distinct objects, so that pointers are often different.
                Type::Pointer if random.flip() => Value::Pointer(PointerValue::Null),
                Type::Pointer | Type::Reference => Value::Pointer(PointerValue::Object {
                    object: usize::MAX - random.below(2),
                    offset: Number::ZERO,
                }),
                Type::Boolean => Value::Boolean(random.flip()),
                Type::Integer { .. } | Type::Unbounded | Type::Array => {
                    Value::Integer(random.integer(x.ty()))
                }
            };
            frame.set(x, value);
        }
        frame
    }

    /// A random element with witnesses that belong to it.
    pub fn element<D: ProgramDomain>(&self, top: &D, random: &mut Random) -> Element<D> {
        let mut element = self.path(top, random);
        if random.once_in(3) {
            let other = self.path(top, random);
            element.domain = element.domain.join(&other.domain);
            element.witnesses.extend(other.witnesses);
            element.history.push(Step::Join);
            element.history.extend(other.history);
        }
        element
    }

    fn path<D: ProgramDomain>(&self, top: &D, random: &mut Random) -> Element<D> {
        let mut element = Element {
            domain: top.top(),
            witnesses: vec![self.frame(random), self.frame(random)],
            history: Vec::new(),
        };
        for _ in 0..random.below(3) {
            // Bounds around both witnesses keep the element from being ⊤.
            element.enclose(*random.pick(&self.numbers));
        }
        for _ in 0..random.below(7) {
            let statement = if random.once_in(3) {
                let condition = self.true_condition(&element.witnesses[0], random);
                Statement::Assume { condition }
            } else {
                self.statement(random)
            };
            element.advance(&statement, random);
        }
        element
    }
}

/// An element of a domain and states that belong to it.
#[derive(Clone, Debug)]
pub struct Element<D> {
    pub domain: D,
    pub witnesses: Vec<Frame>,
    /// How it was made, for reports.
    pub history: Vec<Step>,
}

/// A step in the making of an element.
#[derive(Clone, Debug)]
pub enum Step {
    Enclose(VariableId, Number, Number),
    Statement(Statement),
    /// What follows was made by itself and joined.
    Join,
}

impl<D: ProgramDomain> Element<D> {
    fn enclose(&mut self, x: VariableId) {
        let mut values: Vec<Number> = self
            .witnesses
            .iter()
            .filter_map(|frame| frame.known_integer(x))
            .collect();
        values.sort_unstable();
        if let (Some(lower), Some(upper)) = (values.first(), values.last()) {
            let below = LinearConstraint::less_or_equal(lower.clone(), x);
            let above = LinearConstraint::less_or_equal(x, upper.clone());
            self.domain.assume(&below.into());
            self.domain.assume(&above.into());
            self.history
                .push(Step::Enclose(x, lower.clone(), upper.clone()));
        }
    }

    /// Applies a statement to the element and to its witnesses, unless none would survive.
    pub fn advance(&mut self, statement: &Statement, random: &mut Random) {
        let after: Vec<Frame> = self
            .witnesses
            .iter()
            .filter_map(|frame| successor(statement, frame, random))
            .collect();
        if !after.is_empty() {
            self.domain.transfer(statement);
            self.witnesses = after;
            self.history.push(Step::Statement(statement.clone()));
        }
    }
}

/// The state after a statement, if there is one.
pub fn successor(statement: &Statement, frame: &Frame, random: &mut Random) -> Option<Frame> {
    let mut after = frame.clone();
    let outcome = step(statement, &mut after, &mut Heap::default(), random);
    (outcome == Outcome::Continue).then_some(after)
}

/// Why a state does not belong to an element, if it does not.
pub fn belongs<D: ProgramDomain>(domain: &D, frame: &Frame) -> Result<(), String> {
    if domain.is_bottom() {
        return Err("the element is bottom".to_owned());
    }
    let mut point = domain.clone();
    for (x, value) in &frame.scalars {
        match value {
            Value::Integer(number) => {
                if !domain.bounds(*x).contains(number) {
                    return Err(format!(
                        "{x} = {number} is not within {}",
                        domain.bounds(*x)
                    ));
                }
                point.assume(&LinearConstraint::equal(*x, number.clone()).into());
            }
            Value::Boolean(value) => {
                point.assume(&Condition::Boolean {
                    variable: *x,
                    value: *value,
                });
            }
            Value::Pointer(pointer) => point.assume(&Condition::Pointers {
                equal: *pointer == PointerValue::Null,
                left: *x,
                right: None,
            }),
        }
        if point.is_bottom() {
            return Err(format!("bottom when {x} = {value:?} is assumed"));
        }
    }
    for condition in domain.to_conditions() {
        let known = |x: &VariableId| frame.scalars.contains_key(x);
        if condition.variables().iter().all(known)
            && !evaluate_condition(&condition, &mut frame.clone(), &mut Random::new(0, ""))
        {
            return Err(format!("the condition {condition:?} does not hold"));
        }
    }
    for implication in domain.implications() {
        let (b, value) = implication.when;
        let known = |x: &VariableId| frame.scalars.contains_key(x);
        let then = &implication.then;
        if frame.scalars.get(&b) == Some(&Value::Boolean(value))
            && then.variables().iter().all(known)
            && !evaluate_condition(then, &mut frame.clone(), &mut Random::new(0, ""))
        {
            return Err(format!("the implication {implication:?} does not hold"));
        }
    }
    Ok(())
}
