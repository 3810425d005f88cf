//! Places that a loop comes to, one in each iteration.

use super::function::{Counter, Function};
use foghorn_encode::claim::build::number;
use foghorn_encode::claim::{Expression, Formula, Subject};
use foghorn_ir::{BinaryOp, BlockId, CastOp, Instruction, ValueId};

/// `factor · counter + plus`, over the numbers from before a loop.
#[derive(Clone, Debug)]
struct Linear {
    counter: ValueId,
    factor: i128,
    plus: Expression,
    signed: bool,
}

/// The offset `factor · counter + plus` behind where `base` points; the counter is a parameter of the loop's head.
#[derive(Clone, Debug)]
pub struct Place {
    pub base: ValueId,
    pub counter: ValueId,
    factor: i128,
    plus: Expression,
    signed: bool,
    goes: Option<Counter>,
}

/// Operations within an index.
const DEEPEST: u32 = 6;

/// The place of a pointer, seen from the head of a loop.
pub fn place(function: &Function<'_>, head: BlockId, pointer: ValueId) -> Option<Place> {
    let (mut base, mut sum, mut found) = (pointer, 0_i64, None);
    while !function.is_before(head, base) {
        let Instruction::PointerAdd {
            base: below,
            constant,
            scaled,
        } = function.instruction(base)?
        else {
            return None;
        };
        sum = sum.checked_add(*constant)?;
        for (index, scale) in scaled {
            if found.replace((*index, *scale)).is_some() {
                return None;
            }
        }
        base = *below;
    }
    let (index, scale) = found?;
    let scale = i128::from(scale);
    let linear = linear(function, head, index, true, 0)?;
    let factor = linear.factor.checked_mul(scale)?;
    (factor != 0).then(|| Place {
        base,
        counter: linear.counter,
        factor,
        plus: linear.plus.times(scale).plus(number(sum.into())),
        signed: linear.signed,
        goes: function.counter(head, linear.counter),
    })
}

/// A value as a multiple of a parameter of the head.
fn linear(
    function: &Function<'_>,
    head: BlockId,
    value: ValueId,
    signed: bool,
    depth: u32,
) -> Option<Linear> {
    if function.body.blocks[head].params.contains(&value) {
        return Some(Linear {
            counter: value,
            factor: 1,
            plus: number(0),
            signed,
        });
    }
    if depth == DEEPEST {
        return None;
    }
    let part = |of: ValueId, signed| linear(function, head, of, signed, depth + 1);
    match function.instruction(value)? {
        Instruction::Cast { op, operand } => match op {
            CastOp::SExt => part(*operand, true),
            CastOp::ZExt => part(*operand, false),
            _ => None,
        },
        Instruction::Binary { op, lhs, rhs } => {
            let (left_is_known, right_is_known) = (
                function.is_before(head, *lhs),
                function.is_before(head, *rhs),
            );
            match (op, left_is_known, right_is_known) {
                (BinaryOp::Add, false, true) => {
                    Some(part(*lhs, signed)?.scaled(1, function.known(*rhs)))
                }
                (BinaryOp::Add, true, false) => {
                    Some(part(*rhs, signed)?.scaled(1, function.known(*lhs)))
                }
                (BinaryOp::Sub, false, true) => {
                    let minus = function.known(*rhs).times(-1);
                    Some(part(*lhs, signed)?.scaled(1, minus))
                }
                (BinaryOp::Sub, true, false) => {
                    Some(part(*rhs, signed)?.scaled(-1, function.known(*lhs)))
                }
                (BinaryOp::Mul, false, true) => {
                    let by = function.number(*rhs)?;
                    Some(part(*lhs, signed)?.scaled(by, number(0)))
                }
                (BinaryOp::Shl, false, true) => {
                    let by = u32::try_from(function.number(*rhs)?).ok();
                    let by = by.filter(|it| *it < 32)?;
                    Some(part(*lhs, signed)?.scaled(1 << by, number(0)))
                }
                _ => None,
            }
        }
        _ => None,
    }
}

impl Linear {
    fn scaled(self, by: i128, plus: Expression) -> Linear {
        Linear {
            factor: self.factor.saturating_mul(by),
            plus: self.plus.times(by).plus(plus),
            ..self
        }
    }
}

impl Place {
    pub fn object(&self) -> Expression {
        Expression::Object(Subject::Value(self.base.as_u32()))
    }

    fn base_offset(&self) -> Expression {
        Expression::Offset(Subject::Value(self.base.as_u32()))
    }

    /// The offset in the iteration in which the counter is this.
    pub fn offset(&self, counter: Expression) -> Expression {
        let moved = counter.times(self.factor).plus(self.plus.clone());
        self.base_offset().plus(moved)
    }

    /// The counter of the iteration that came to the offset that is spoken of.
    pub fn iteration(&self) -> Option<Expression> {
        let behind = Expression::EveryOffset
            .minus(self.base_offset())
            .minus(self.plus.clone());
        let by = u64::try_from(self.factor.unsigned_abs()).ok()?;
        Some(match self.factor > 0 {
            true => behind.quotient(by),
            false => behind.times(-1).quotient(by),
        })
    }

    fn now(&self) -> Expression {
        let counter = Subject::Value(self.counter.as_u32());
        match self.signed {
            true => Expression::Signed(counter),
            false => Expression::Unsigned(counter),
        }
    }

    /// That the offset that is spoken of is one to which the loop comes in some iteration of any number, and that it has
    /// been there or not. A counter of which nothing is known may begin with 0 and go by 1.
    pub fn is_passed(&self, function: &Function<'_>, has_been: bool) -> Option<Formula> {
        let (initial, step) = match self.goes {
            Some(counter) => (function.known(counter.initial), counter.step),
            None => (number(0), 1),
        };
        let start = self.offset(initial);
        let here = self.offset(self.now());
        let stride = self.factor.checked_mul(step)?;
        let modulus = u64::try_from(stride.unsigned_abs()).ok()?;
        let every = || Expression::EveryOffset;
        let (distance, order) = match (stride > 0, has_been) {
            (true, true) => (
                every().minus(start.clone()),
                vec![start.at_most(every()), every().less(here)],
            ),
            (true, false) => (every().minus(start), vec![here.at_most(every())]),
            (false, true) => (
                start.clone().minus(every()),
                vec![every().at_most(start), here.less(every())],
            ),
            (false, false) => (start.minus(every()), vec![every().at_most(here)]),
        };
        let mut parts = vec![
            Expression::EveryObject.equals(self.object()),
            distance.remainder(modulus).equals(number(0)),
        ];
        parts.extend(order);
        Some(Formula::all(parts))
    }

    /// Another parameter of the head in the iteration in which the counter is this: both count.
    pub fn other(
        &self,
        function: &Function<'_>,
        head: BlockId,
        other: ValueId,
        counter: &Expression,
    ) -> Option<Expression> {
        if other == self.counter {
            return Some(counter.clone());
        }
        let own = self.goes.filter(|own| own.step.abs() == 1)?;
        let theirs = function.counter(head, other)?;
        let iterations = counter
            .clone()
            .minus(function.known(own.initial))
            .times(own.step);
        let initial = function.known(theirs.initial);
        Some(initial.plus(iterations.times(theirs.step)))
    }
}
