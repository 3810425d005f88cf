//! Arithmetic on integers and truth values.
//!
//! The IR's operators are total, those of the goto language are not: division by zero and shifts
//! by the width or more are cases of their own here.

use foghorn_absint::language::{
    BinaryOperator, BooleanOperator, Cast, Condition, Operand, Statement, UnsignedRelation,
};
use foghorn_absint::linear::{LinearConstraint, LinearExpression};
use foghorn_absint::number::Number;
use foghorn_absint::variable::{Type as GotoType, VariableId as GotoVariable};
use foghorn_ir::{
    BinaryOp, CastOp, Constant, InstId, Instruction, OverflowOp, Type, UnaryOp, ValueDef, ValueId,
};

use super::FunctionTranslator;
use super::operand::{Truth, signed};
use crate::decision::Decision;
use crate::dropped::DroppedKind;
use crate::shape::Shape;

/// The operator of the goto language.
fn operator(op: BinaryOp) -> BinaryOperator {
    match op {
        BinaryOp::Add => BinaryOperator::Add,
        BinaryOp::Sub => BinaryOperator::Subtract,
        BinaryOp::Mul => BinaryOperator::Multiply,
        BinaryOp::UDiv => BinaryOperator::UnsignedDivide,
        BinaryOp::SDiv => BinaryOperator::SignedDivide,
        BinaryOp::URem => BinaryOperator::UnsignedRemainder,
        BinaryOp::SRem => BinaryOperator::SignedRemainder,
        BinaryOp::Shl => BinaryOperator::ShiftLeft,
        BinaryOp::LShr => BinaryOperator::LogicalShiftRight,
        BinaryOp::AShr => BinaryOperator::ArithmeticShiftRight,
        BinaryOp::And => BinaryOperator::And,
        BinaryOp::Or => BinaryOperator::Or,
        BinaryOp::Xor => BinaryOperator::Xor,
    }
}

impl FunctionTranslator<'_> {
    pub(super) fn binary(&mut self, id: InstId, op: BinaryOp, lhs: ValueId, rhs: ValueId) {
        let result = self.body.result(id);
        let Shape::Integer(target) = self.shapes[result] else {
            return self.connective(id, op, lhs, rhs);
        };
        let (left, right) = (self.operand(lhs), self.operand(rhs));
        match op {
            BinaryOp::Add => {
                let sum = left.to_expression().plus(&right.to_expression());
                self.emitter.assign(target, sum);
            }
            BinaryOp::Sub => {
                let difference = left.to_expression().minus(&right.to_expression());
                self.emitter.assign(target, difference);
            }
            BinaryOp::Mul | BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => {
                self.apply(operator(op), target, left, right);
            }
            BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::URem | BinaryOp::SRem => {
                self.divide(op, target, left, right);
            }
            BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr => {
                self.shift(op, target, left, &right);
            }
        }
    }

    fn apply(
        &mut self,
        operator: BinaryOperator,
        target: GotoVariable,
        left: Operand,
        right: Operand,
    ) {
        self.emitter.push(Statement::Binary {
            operator,
            target,
            left,
            right,
        });
    }

    fn divide(&mut self, op: BinaryOp, target: GotoVariable, left: Operand, right: Operand) {
        if matches!(&right, Operand::Constant(divisor) if !divisor.is_zero()) {
            return self.apply(operator(op), target, left, right);
        }
        let divisor = right.to_expression();
        let zero = Condition::Linear(LinearConstraint::equal(divisor, 0));
        let cases = [vec![zero.negate()], vec![zero]];
        self.emitter.fork(&cases, |emitter, case| {
            if case == 0 {
                emitter.push(Statement::Binary {
                    operator: operator(op),
                    target,
                    left: left.clone(),
                    right: right.clone(),
                });
                return;
            }
            match op {
                BinaryOp::UDiv => emitter.assign(target, LinearExpression::constant(-1)),
                BinaryOp::URem | BinaryOp::SRem => emitter.assign(target, left.to_expression()),
                BinaryOp::SDiv
                | BinaryOp::Add
                | BinaryOp::Sub
                | BinaryOp::Mul
                | BinaryOp::Shl
                | BinaryOp::LShr
                | BinaryOp::AShr
                | BinaryOp::And
                | BinaryOp::Or
                | BinaryOp::Xor => emitter.havoc(target),
            }
        });
    }

    fn shift(&mut self, op: BinaryOp, target: GotoVariable, left: Operand, right: &Operand) {
        let width = target.width().expect("invariant: machine integers");
        if let Operand::Constant(amount) = right {
            let modulus = Number::from(width.next_power_of_two());
            let amount = amount.modulo(&modulus);
            return self.shift_by(op, target, left, &amount, width);
        }
        let limit = Operand::Constant(Number::from(width));
        let within = Condition::Unsigned {
            relation: UnsignedRelation::Less,
            left: right.clone(),
            right: limit,
        };
        let cases = [vec![within.clone()], vec![within.negate()]];
        self.emitter.fork(&cases, |emitter, case| {
            if case == 0 {
                emitter.push(Statement::Binary {
                    operator: operator(op),
                    target,
                    left: left.clone(),
                    right: right.clone(),
                });
            } else {
                emitter.havoc(target);
            }
        });
    }

    fn shift_by(
        &mut self,
        op: BinaryOp,
        target: GotoVariable,
        left: Operand,
        amount: &Number,
        width: u32,
    ) {
        let last = Number::from(width - 1);
        let beyond = *amount > last;
        if beyond && op != BinaryOp::AShr {
            return self.emitter.assign(target, LinearExpression::constant(0));
        }
        let amount = if beyond { last } else { amount.clone() };
        self.apply(operator(op), target, left, Operand::Constant(amount));
    }

    /// Arithmetic modulo 2: addition is exclusive or, multiplication is conjunction.
    fn connective(&mut self, id: InstId, op: BinaryOp, lhs: ValueId, rhs: ValueId) {
        let (a, b) = (self.decision(lhs), self.decision(rhs));
        let (operator, decision) = match op {
            BinaryOp::And | BinaryOp::Mul => (BooleanOperator::And, a.and(&b)),
            BinaryOp::Or => (BooleanOperator::Or, a.or(&b)),
            BinaryOp::Xor | BinaryOp::Add | BinaryOp::Sub => (BooleanOperator::Xor, a.xor(&b)),
            BinaryOp::UDiv
            | BinaryOp::SDiv
            | BinaryOp::URem
            | BinaryOp::SRem
            | BinaryOp::Shl
            | BinaryOp::LShr
            | BinaryOp::AShr => return self.drop_results(id, DroppedKind::OddArithmetic),
        };
        let result = self.body.result(id);
        let Shape::Boolean(target) = self.shapes[result] else {
            return;
        };
        let (left, right) = (self.truth_variable(lhs), self.truth_variable(rhs));
        self.emitter.push(Statement::BooleanBinary {
            operator,
            target,
            left,
            right,
        });
        if let Some(decision) = decision {
            self.decisions.insert(result, decision);
        }
    }

    fn truth_variable(&mut self, value: ValueId) -> GotoVariable {
        match self.truth(value) {
            Truth::Variable(variable) => variable,
            Truth::Constant(constant) => {
                let variable = self.emitter.temporary(GotoType::Boolean);
                self.emitter.decide(variable, Condition::Constant(constant));
                variable
            }
        }
    }

    pub(super) fn overflows(
        &mut self,
        id: InstId,
        op: OverflowOp,
        is_signed: bool,
        lhs: ValueId,
        rhs: ValueId,
    ) {
        let width = self.width(lhs);
        if width < 2 {
            return self.drop_results(id, DroppedKind::OddArithmetic);
        }
        let (left, right) = (self.operand(lhs), self.operand(rhs));
        let decision = if is_signed {
            let result = self.exact_result(op, &left, &right, width);
            let (smallest, largest) = signed_range(width);
            let above: Condition = LinearConstraint::less(largest, result.clone()).into();
            let below: Condition = LinearConstraint::less(result, smallest).into();
            let (above, below) = (Decision::literal(above), Decision::literal(below));
            above.or(&below).expect("invariant: two alternatives")
        } else {
            Decision::literal(self.unsigned_overflow(op, left, right, width))
        };
        let result = self.body.result(id);
        self.define(result, decision);
    }

    /// The result of an operation on signed numbers, over ℤ.
    fn exact_result(
        &mut self,
        op: OverflowOp,
        left: &Operand,
        right: &Operand,
        width: u32,
    ) -> LinearExpression {
        let (a, b) = (left.to_expression(), right.to_expression());
        match (op, left, right) {
            (OverflowOp::Add, _, _) => a.plus(&b),
            (OverflowOp::Sub, _, _) => a.minus(&b),
            (OverflowOp::Mul, Operand::Constant(factor), _) => b.scaled(factor),
            (OverflowOp::Mul, _, Operand::Constant(factor)) => a.scaled(factor),
            (OverflowOp::Mul, Operand::Variable(_), Operand::Variable(_)) => {
                let wide = GotoType::Integer { width: 2 * width };
                let (x, y) = (self.emitter.temporary(wide), self.emitter.temporary(wide));
                self.emitter.assign(x, a);
                self.emitter.assign(y, b);
                let product = self.emitter.temporary(wide);
                self.apply(BinaryOperator::Multiply, product, x.into(), y.into());
                LinearExpression::variable(product)
            }
        }
    }

    fn unsigned_overflow(
        &mut self,
        op: OverflowOp,
        left: Operand,
        right: Operand,
        width: u32,
    ) -> Condition {
        match op {
            OverflowOp::Add => {
                let sum = self.emitter.temporary(GotoType::Integer { width });
                let exact = left.to_expression().plus(&right.to_expression());
                self.emitter.assign(sum, exact);
                below(Operand::Variable(sum), left, width)
            }
            OverflowOp::Sub => below(left, right, width),
            OverflowOp::Mul => {
                // One bit more than the product needs, so that its signed value is the product.
                let wide = GotoType::Integer {
                    width: 2 * width + 1,
                };
                let (x, y) = (self.extended(left, wide), self.extended(right, wide));
                let product = self.emitter.temporary(wide);
                self.apply(BinaryOperator::Multiply, product, x, y);
                let largest = &Number::power_of_two(width) - &Number::ONE;
                LinearConstraint::less(largest, product).into()
            }
        }
    }

    fn extended(&mut self, operand: Operand, wide: GotoType) -> Operand {
        match operand {
            Operand::Variable(source) => {
                let target = self.emitter.temporary(wide);
                self.emitter.push(Statement::Cast {
                    cast: Cast::ZeroExtend,
                    target,
                    source,
                });
                Operand::Variable(target)
            }
            Operand::Constant(value) => {
                let narrow = wide.width().map_or(1, |width| (width - 1) / 2);
                Operand::Constant(value.modulo(&Number::power_of_two(narrow)))
            }
        }
    }

    pub(super) fn unary(&mut self, id: InstId, op: UnaryOp, operand: ValueId) {
        self.drop_results(id, DroppedKind::BitOperation);
        let width = self.width(operand);
        let Shape::Integer(target) = self.shapes[self.body.result(id)] else {
            return;
        };
        match op {
            UnaryOp::CountOnes | UnaryOp::LeadingZeros | UnaryOp::TrailingZeros => {
                // In narrower types the width itself would be a negative number.
                if width > 4 {
                    self.emitter
                        .assume(LinearConstraint::less_or_equal(0, target).into());
                    let limit = LinearExpression::constant(width);
                    self.emitter
                        .assume(LinearConstraint::less_or_equal(target, limit).into());
                }
            }
            UnaryOp::ByteSwap | UnaryOp::BitReverse => {}
        }
    }

    /// The value of a type that another was made of by extending it.
    fn widened(&self, value: ValueId, ty: Type) -> Option<ValueId> {
        let ValueDef::Result(instruction, _) = self.body.values[value].def else {
            return None;
        };
        let Instruction::Cast {
            op: CastOp::ZExt | CastOp::SExt,
            operand,
        } = self.body.instructions[instruction].instruction
        else {
            return None;
        };
        (self.body.ty(operand) == ty).then_some(operand)
    }

    pub(super) fn cast(&mut self, id: InstId, op: CastOp, operand: ValueId) {
        let result = self.body.result(id);
        match op {
            CastOp::Trunc => match self.widened(operand, self.body.ty(result)) {
                Some(narrow) => self.repeat(id, narrow),
                None => self.truncate(result, operand),
            },
            CastOp::ZExt => self.extend(result, operand, Cast::ZeroExtend),
            CastOp::SExt => self.extend(result, operand, Cast::SignExtend),
            CastOp::FpTrunc
            | CastOp::FpExt
            | CastOp::FpToUi
            | CastOp::FpToSi
            | CastOp::UiToFp
            | CastOp::SiToFp
            | CastOp::Bitcast => self.drop_results(id, DroppedKind::FloatingPoint),
            CastOp::PtrToInt => self.drop_results(id, DroppedKind::PointerConversion),
            CastOp::IntToPtr => {
                if let (Shape::Pointer(target), Some(Constant::Int(0))) =
                    (self.shapes[result], self.body.as_constant(operand))
                {
                    let view = super::memory::null();
                    return self.set_pointer(target, view);
                }
                self.drop_results(id, DroppedKind::PointerConversion);
            }
        }
    }

    fn truncate(&mut self, result: ValueId, operand: ValueId) {
        if self.body.ty(result) == Type::BOOL {
            let lowest = self.emitter.temporary(GotoType::Integer {
                width: self.width(operand),
            });
            let operand = self.operand(operand);
            self.apply(BinaryOperator::And, lowest, operand, Operand::from(1));
            let odd = LinearConstraint::not_equal(lowest, 0);
            return self.define(result, Decision::literal(odd.into()));
        }
        if let Shape::Integer(target) = self.shapes[result] {
            // Assignments wrap.
            let expression = self.expression(operand);
            self.emitter.assign(target, expression);
        }
    }

    fn extend(&mut self, result: ValueId, operand: ValueId, cast: Cast) {
        let Shape::Integer(target) = self.shapes[result] else {
            return;
        };
        match (self.shapes[operand], self.body.as_constant(operand)) {
            (Shape::Boolean(source), _) => {
                self.emitter
                    .push(Statement::BooleanToInteger { target, source });
                if cast == Cast::SignExtend {
                    self.emitter
                        .assign(target, LinearExpression::term(target, -1));
                }
            }
            (Shape::Integer(source), _) => self.emitter.push(Statement::Cast {
                cast,
                target,
                source,
            }),
            (Shape::Nothing | Shape::Pointer(_), Some(Constant::Int(bits))) => {
                let value = match cast {
                    Cast::ZeroExtend => Number::from(bits),
                    Cast::SignExtend | Cast::Truncate => signed(bits, self.width(operand)),
                };
                self.emitter
                    .assign(target, LinearExpression::constant(value));
            }
            (Shape::Nothing | Shape::Pointer(_), _) => self.havoc(result),
        }
    }

    pub(super) fn select(
        &mut self,
        result: ValueId,
        condition: ValueId,
        on_true: ValueId,
        on_false: ValueId,
    ) {
        let target = self.shapes[result];
        if target == Shape::Nothing {
            return;
        }
        let from = self.emitter.current();
        let mut heads = Vec::new();
        let mut ends = Vec::new();
        for (truth, value) in [(true, on_true), (false, on_false)] {
            if self.decision(condition).when(truth).is_empty() {
                continue;
            }
            let head = self.emitter.next_block();
            heads.push(head);
            self.emitter.switch_to(head);
            self.assume_value(condition, truth);
            self.copy(target, value);
            ends.push(self.emitter.current());
        }
        self.emitter.goto(from, heads);
        let meeting = self.emitter.next_block();
        for end in ends {
            self.emitter.goto(end, vec![meeting]);
        }
        self.emitter.switch_to(meeting);
        if let Shape::Boolean(_) = target {
            let (a, b) = (self.decision(on_true), self.decision(on_false));
            if let Some(decision) = self.decision(condition).select(&a, &b) {
                self.decisions.insert(result, decision);
            }
        }
    }
}

fn signed_range(width: u32) -> (Number, Number) {
    let limit = Number::power_of_two(width - 1);
    (-&limit, &limit - &Number::ONE)
}

/// left < right as unsigned numbers.
fn below(left: Operand, right: Operand, width: u32) -> Condition {
    super::comparison::unsigned(UnsignedRelation::Less, left, right, width)
}
