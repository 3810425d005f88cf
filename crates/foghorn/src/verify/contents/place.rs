//! Places that a loop comes to, one in each iteration.

use super::affine::Affine;
use super::function::{Counter, Function};
use foghorn_encode::claim::build::number;
use foghorn_encode::claim::{Expression, Formula, Subject};
use foghorn_ir::{BinaryOp, BlockId, CastOp, Instruction, ValueId};

/// `factor · counter + plus`, over the numbers from before a loop.
#[derive(Clone, Debug)]
struct Linear {
    counter: ValueId,
    factor: i128,
    plus: Affine,
    signed: bool,
}

/// The offset `factor · counter + plus`; the counter is a parameter of the loop's head.
#[derive(Clone, Debug)]
pub struct Place {
    pub base: ValueId,
    pub counter: ValueId,
    factor: i128,
    plus: Affine,
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
    let base_offset = Expression::Offset(Subject::Value(base.as_u32()));
    let plus = Affine::of(base_offset).plus(&Affine::constant(sum.into()));
    (factor != 0).then(|| Place {
        base,
        counter: linear.counter,
        factor,
        plus: plus.plus(&linear.plus.times(scale)),
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
            plus: Affine::constant(0),
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
                    Some(part(*lhs, signed)?.scaled(1, &function.known(*rhs)))
                }
                (BinaryOp::Add, true, false) => {
                    Some(part(*rhs, signed)?.scaled(1, &function.known(*lhs)))
                }
                (BinaryOp::Sub, false, true) => {
                    let minus = function.known(*rhs).times(-1);
                    Some(part(*lhs, signed)?.scaled(1, &minus))
                }
                (BinaryOp::Sub, true, false) => {
                    Some(part(*rhs, signed)?.scaled(-1, &function.known(*lhs)))
                }
                (BinaryOp::Mul, false, true) => {
                    let by = function.number(*rhs)?;
                    Some(part(*lhs, signed)?.scaled(by, &Affine::constant(0)))
                }
                (BinaryOp::Shl, false, true) => {
                    let by = u32::try_from(function.number(*rhs)?).ok();
                    let by = by.filter(|it| *it < 32)?;
                    Some(part(*lhs, signed)?.scaled(1 << by, &Affine::constant(0)))
                }
                _ => None,
            }
        }
        _ => None,
    }
}

impl Linear {
    fn scaled(self, by: i128, plus: &Affine) -> Linear {
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

    /// The offset in the iteration in which the counter is this.
    fn offset(&self, counter: Affine) -> Affine {
        counter.times(self.factor).plus(&self.plus)
    }

    /// `factor` times the counter of the iteration that came to the offset that is spoken of.
    fn multiple(&self) -> Affine {
        Affine::of(Expression::EveryOffset).minus(&self.plus)
    }

    /// `by` times that counter. Without a division where it can be: the loop comes to no offset in between.
    fn iteration(&self, by: i128) -> Option<Affine> {
        if by % self.factor == 0 {
            return Some(self.multiple().times(by / self.factor));
        }
        let magnitude = u64::try_from(self.factor.unsigned_abs()).ok()?;
        let dividend = self.multiple().times(self.factor.signum());
        let quotient = dividend.expression().quotient(magnitude);
        Some(Affine::of(quotient).times(by))
    }

    fn now(&self) -> Affine {
        let counter = Subject::Value(self.counter.as_u32());
        Affine::of(match self.signed {
            true => Expression::Signed(counter),
            false => Expression::Unsigned(counter),
        })
    }

    /// That the loop comes to the offset that is spoken of in some iteration, and that it has been there or not. A counter
    /// of which nothing is known may begin with 0 and go by 1.
    pub fn is_passed(&self, function: &Function<'_>, has_been: bool) -> Option<Formula> {
        let (initial, step) = match self.goes {
            Some(counter) => (function.known(counter.initial), counter.step),
            None => (Affine::constant(0), 1),
        };
        let (start, here) = (self.offset(initial), self.offset(self.now()));
        let stride = self.factor.checked_mul(step)?;
        let modulus = u64::try_from(stride.unsigned_abs()).ok()?;
        let every = Affine::of(Expression::EveryOffset);
        // How far the offset and the iteration are behind the first, in the direction in which the loop goes.
        let far = |to: Affine| to.minus(&start).times(stride.signum()).expression();
        let (to_every, to_here) = (far(every), far(here));
        let mut parts = vec![
            Expression::EveryObject.equals(self.object()),
            to_every.clone().remainder(modulus).equals(number(0)),
        ];
        match has_been {
            true => {
                parts.push(number(0).at_most(to_every.clone()));
                parts.push(to_every.less(to_here));
            }
            false => parts.push(to_here.at_most(to_every)),
        }
        Some(Formula::all(parts))
    }

    /// `by` times another parameter of the head, in the iteration that came to the offset that is spoken of: both count.
    fn other(
        &self,
        function: &Function<'_>,
        head: BlockId,
        other: ValueId,
        by: i128,
    ) -> Option<Affine> {
        if other == self.counter {
            return self.iteration(by);
        }
        let own = self.goes.filter(|own| own.step.abs() == 1)?;
        let theirs = function.counter(head, other)?;
        let (own_initial, initial) = (function.known(own.initial), function.known(theirs.initial));
        let slope = own.step.checked_mul(theirs.step)?.checked_mul(by)?;
        let before = initial.times(by).minus(&own_initial.times(slope));
        Some(self.iteration(slope)?.plus(&before))
    }

    /// A parameter of the head in the iteration that came to the offset that is spoken of.
    pub fn parameter(
        &self,
        function: &Function<'_>,
        head: BlockId,
        param: ValueId,
    ) -> Option<Expression> {
        Some(self.other(function, head, param, 1)?.expression())
    }

    /// Where another place is in that iteration.
    pub fn along(
        &self,
        function: &Function<'_>,
        head: BlockId,
        other: &Place,
    ) -> Option<Expression> {
        let moved = self.other(function, head, other.counter, other.factor)?;
        Some(moved.plus(&other.plus).expression())
    }
}
