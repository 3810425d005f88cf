//! Comparisons, and what they say about numbers.

use foghorn_absint::language::{Condition, Operand, UnsignedRelation};
use foghorn_absint::linear::{LinearConstraint, LinearExpression};
use foghorn_absint::number::Number;
use foghorn_core::CheckKind;
use foghorn_ir::{CastOp, Constant, InstId, Instruction, IntPredicate, Type, ValueDef, ValueId};

use super::FunctionTranslator;
use super::operand::signed;
use crate::decision::Conjunction;
use crate::decision::Decision;
use crate::dropped::DroppedKind;
use crate::obligation::ObligationKind;
use crate::shape::Shape;

/// A comparison of unsigned numbers; one of constants is decided here, as it has no width.
pub(super) fn unsigned(
    relation: UnsignedRelation,
    left: Operand,
    right: Operand,
    width: u32,
) -> Condition {
    if let (Operand::Constant(a), Operand::Constant(b)) = (&left, &right) {
        let modulus = Number::power_of_two(width);
        let (a, b) = (a.modulo(&modulus), b.modulo(&modulus));
        return Condition::Constant(match relation {
            UnsignedRelation::Less => a < b,
            UnsignedRelation::LessOrEqual => a <= b,
        });
    }
    Condition::Unsigned {
        relation,
        left,
        right,
    }
}

/// A linear condition, or whether it holds if it is about constants only.
pub(super) fn linear(constraint: LinearConstraint) -> Condition {
    match constraint.as_constant() {
        Some(truth) => Condition::Constant(truth),
        None => Condition::Linear(constraint),
    }
}

fn compare_numbers(
    predicate: IntPredicate,
    left: Operand,
    right: Operand,
    width: u32,
) -> Condition {
    let (less, at_most) = (UnsignedRelation::Less, UnsignedRelation::LessOrEqual);
    match predicate {
        IntPredicate::Ult => unsigned(less, left, right, width),
        IntPredicate::Ule => unsigned(at_most, left, right, width),
        IntPredicate::Ugt => unsigned(less, right, left, width),
        IntPredicate::Uge => unsigned(at_most, right, left, width),
        IntPredicate::Eq
        | IntPredicate::Ne
        | IntPredicate::Slt
        | IntPredicate::Sle
        | IntPredicate::Sgt
        | IntPredicate::Sge => {
            compare_signed(predicate, left.to_expression(), right.to_expression())
        }
    }
}

/// Of signed numbers; the order of unsigned ones is read as that of signed ones.
fn compare_signed(predicate: IntPredicate, a: LinearExpression, b: LinearExpression) -> Condition {
    linear(match predicate {
        IntPredicate::Eq => LinearConstraint::equal(a, b),
        IntPredicate::Ne => LinearConstraint::not_equal(a, b),
        IntPredicate::Slt | IntPredicate::Ult => LinearConstraint::less(a, b),
        IntPredicate::Sle | IntPredicate::Ule => LinearConstraint::less_or_equal(a, b),
        IntPredicate::Sgt | IntPredicate::Ugt => LinearConstraint::less(b, a),
        IntPredicate::Sge | IntPredicate::Uge => LinearConstraint::less_or_equal(b, a),
    })
}

fn is_unsigned(predicate: IntPredicate) -> bool {
    match predicate {
        IntPredicate::Ult | IntPredicate::Ule | IntPredicate::Ugt | IntPredicate::Uge => true,
        IntPredicate::Eq
        | IntPredicate::Ne
        | IntPredicate::Slt
        | IntPredicate::Sle
        | IntPredicate::Sgt
        | IntPredicate::Sge => false,
    }
}

/// The same relation of numbers that are not negative.
fn without_sign(predicate: IntPredicate) -> IntPredicate {
    match predicate {
        IntPredicate::Slt => IntPredicate::Ult,
        IntPredicate::Sle => IntPredicate::Ule,
        IntPredicate::Sgt => IntPredicate::Ugt,
        IntPredicate::Sge => IntPredicate::Uge,
        IntPredicate::Eq
        | IntPredicate::Ne
        | IntPredicate::Ult
        | IntPredicate::Ule
        | IntPredicate::Ugt
        | IntPredicate::Uge => predicate,
    }
}

impl FunctionTranslator<'_> {
    pub(super) fn compare(
        &mut self,
        id: InstId,
        predicate: IntPredicate,
        lhs: ValueId,
        rhs: ValueId,
    ) {
        let result = self.body.result(id);
        match self.body.ty(lhs) {
            Type::Ptr => {
                self.order(id, predicate, lhs, rhs);
                self.compare_pointers(id, predicate, lhs, rhs);
            }
            Type::Int(1) => self.compare_truths(id, predicate, lhs, rhs),
            Type::Int(_) | Type::F32 | Type::F64 | Type::Memory(_) => {
                if let Some(decision) = self.compare_extended_truth(predicate, lhs, rhs) {
                    return self.define(result, decision);
                }
                let (left, right) = (self.operand(lhs), self.operand(rhs));
                let condition = compare_numbers(predicate, left, right, self.width(lhs));
                self.define(result, Decision::literal(condition));
                if let Some(narrow) = self.compare_extended(predicate, lhs, rhs) {
                    self.also(result, &narrow);
                }
            }
        }
    }

    /// Adds to a decision what is true exactly if it is.
    fn also(&mut self, value: ValueId, condition: &Condition) {
        if let Some(decision) = self.decisions.get_mut(&value) {
            let holds = decision.holds.iter_mut();
            holds.for_each(|case| case.push(condition.clone()));
            let fails = decision.fails.iter_mut();
            fails.for_each(|case| case.push(condition.negate()));
        }
    }

    /// Numbers are extended before they are compared: what a comparison with a constant says of the
    /// narrow one.
    fn compare_extended(
        &self,
        predicate: IntPredicate,
        lhs: ValueId,
        rhs: ValueId,
    ) -> Option<Condition> {
        let ValueDef::Result(instruction, _) = self.body.values[lhs].def else {
            return None;
        };
        let Instruction::Cast { op, operand } = self.body.instructions[instruction].instruction
        else {
            return None;
        };
        let Some(Constant::Int(bits)) = self.body.as_constant(rhs) else {
            return None;
        };
        let Shape::Integer(x) = self.shapes[operand] else {
            return None;
        };
        let width = self.width(operand);
        let constant = signed(bits, self.width(rhs));
        let narrow = signed(bits, width);
        let predicate = match op {
            CastOp::SExt if narrow == constant && !is_unsigned(predicate) => predicate,
            CastOp::ZExt if narrow.modulo(&Number::power_of_two(width)) == constant => {
                without_sign(predicate)
            }
            _ => return None,
        };
        let (left, right) = (Operand::Variable(x), Operand::Constant(narrow));
        Some(compare_numbers(predicate, left, right, width))
    }

    fn compare_truths(&mut self, id: InstId, predicate: IntPredicate, lhs: ValueId, rhs: ValueId) {
        let (a, b) = (self.decision(lhs), self.decision(rhs));
        let different = a.xor(&b);
        let decision = match predicate {
            IntPredicate::Ne => different,
            IntPredicate::Eq => different.map(Decision::negated),
            IntPredicate::Ult
            | IntPredicate::Ule
            | IntPredicate::Ugt
            | IntPredicate::Uge
            | IntPredicate::Slt
            | IntPredicate::Sle
            | IntPredicate::Sgt
            | IntPredicate::Sge => None,
        };
        match decision {
            Some(decision) => self.define(self.body.result(id), decision),
            None => self.drop_results(id, DroppedKind::OddArithmetic),
        }
    }

    /// C makes an integer of a truth value only to compare it with zero again.
    fn compare_extended_truth(
        &self,
        predicate: IntPredicate,
        lhs: ValueId,
        rhs: ValueId,
    ) -> Option<Decision> {
        let Some(Constant::Int(constant @ (0 | 1))) = self.body.as_constant(rhs) else {
            return None;
        };
        let ValueDef::Result(instruction, _) = self.body.values[lhs].def else {
            return None;
        };
        let Instruction::Cast {
            op: CastOp::ZExt,
            operand,
        } = &self.body.instructions[instruction].instruction
        else {
            return None;
        };
        if self.body.ty(*operand) != Type::BOOL {
            return None;
        }
        let decision = self.decision(*operand);
        match (predicate, constant) {
            (IntPredicate::Ne, 0) | (IntPredicate::Eq, 1) => Some(decision),
            (IntPredicate::Eq, 0) | (IntPredicate::Ne, 1) => Some(decision.negated()),
            _ => None,
        }
    }

    fn compare_pointers(
        &mut self,
        id: InstId,
        predicate: IntPredicate,
        lhs: ValueId,
        rhs: ValueId,
    ) {
        let is_null = |value: ValueId| self.body.as_constant(value) == Some(Constant::Null);
        let equality = matches!(predicate, IntPredicate::Eq | IntPredicate::Ne);
        let decision = if equality && is_null(rhs) {
            Some(self.null_test(lhs))
        } else if equality && is_null(lhs) {
            Some(self.null_test(rhs))
        } else if equality {
            Some(self.equal_pointers(id, predicate == IntPredicate::Eq, lhs, rhs))
        } else {
            None
        };
        let decision = match decision {
            Some(equal) if predicate == IntPredicate::Ne => Some(equal.negated()),
            Some(equal) => Some(equal),
            None => match predicate {
                IntPredicate::Ugt if is_null(rhs) => Some(self.above_null(lhs)),
                IntPredicate::Ult if is_null(lhs) => Some(self.above_null(rhs)),
                IntPredicate::Ule if is_null(rhs) => Some(self.above_null(lhs).negated()),
                IntPredicate::Uge if is_null(lhs) => Some(self.above_null(rhs).negated()),
                _ => self.ordered_pointers(predicate, lhs, rhs),
            },
        };
        match decision {
            Some(decision) => self.define(self.body.result(id), decision),
            None => self.drop_results(id, DroppedKind::PointerComparison),
        }
    }

    /// Pointers that are ordered belong to one object, or one of them is null.
    fn order(&mut self, id: InstId, predicate: IntPredicate, lhs: ValueId, rhs: ValueId) {
        let ordered = !matches!(predicate, IntPredicate::Eq | IntPredicate::Ne);
        if !ordered || !self.is_on(CheckKind::PointerComparison) {
            return;
        }
        let violations = if self.root(lhs) == self.root(rhs) {
            Vec::new()
        } else {
            let neither = self
                .null_test(lhs)
                .negated()
                .and(&self.null_test(rhs).negated());
            neither.map_or_else(|| vec![Vec::new()], |neither| neither.holds)
        };
        self.oblige(id, ObligationKind::PointerOrder, violations);
    }

    /// Null names no object and has the offset 0.
    pub(super) fn null_test(&self, pointer: ValueId) -> Decision {
        let view = self.pointer(pointer);
        let at_zero = linear(LinearConstraint::equal(view.offset, 0));
        let no_object = Decision::literal(view.is_object.is(false));
        let decision = no_object.and(&Decision::literal(at_zero));
        decision.expect("invariant: one alternative of two literals")
    }

    /// Whether an address is greater than 0, as all addresses within objects are.
    fn above_null(&self, pointer: ValueId) -> Decision {
        let view = self.pointer(pointer);
        let (object, none) = (view.is_object.is(true), view.is_object.is(false));
        let zero = LinearConstraint::equal(view.offset.clone(), 0);
        let before = LinearConstraint::less(view.offset.clone(), 0);
        let mut fails = vec![
            vec![none.clone(), linear(zero.clone())],
            vec![object.clone(), linear(before)],
        ];
        fails.push(match view.size {
            Some(size) => {
                let beyond = LinearConstraint::less(size, view.offset);
                vec![object.clone(), linear(beyond)]
            }
            None => vec![object.clone()],
        });
        let holds = vec![vec![object], vec![none, linear(zero).negate()]];
        Decision { holds, fails }
    }

    /// Within one object, equality is that of offsets. Pointers into the only object there is
    /// belong to one object, unless they name none. Otherwise equal pointers to objects have
    /// one object and one offset, and nothing is said of others, nor of different ones.
    /// `when_equal` is the value of the instruction for equal pointers.
    fn equal_pointers(
        &mut self,
        id: InstId,
        when_equal: bool,
        lhs: ValueId,
        rhs: ValueId,
    ) -> Decision {
        let (a, b) = (self.pointer(lhs), self.pointer(rhs));
        let same_offset = linear(LinearConstraint::equal(a.offset, b.offset));
        if self.root(lhs) == self.root(rhs) {
            return Decision::literal(same_offset);
        }
        if self.is_function(lhs) || self.is_function(rhs) {
            return self.equal_functions(id, when_equal, lhs, rhs);
        }
        let shared = self.regions.share_object(self.function, lhs, rhs);
        self.dropped.count(DroppedKind::PointerComparison);
        let result = self.truth(self.body.result(id));
        let mut same = vec![
            result.is(when_equal),
            a.is_object.is(true),
            b.is_object.is(true),
        ];
        let mut different = same.clone();
        different[0] = result.is(!when_equal);
        different.push(same_offset.negate());
        same.push(same_offset);
        if let (Some(x), Some(y)) = (a.size, b.size) {
            same.push(linear(LinearConstraint::equal(x, y)));
        }
        let mut decision = Decision {
            holds: vec![same],
            fails: match shared {
                true => vec![different],
                false => vec![vec![result.is(!when_equal)]],
            },
        };
        for view in [a.is_object, b.is_object] {
            decision
                .holds
                .push(vec![result.is(when_equal), view.is(false)]);
            if shared {
                let otherwise = vec![result.is(!when_equal), view.is(false)];
                decision.fails.push(otherwise);
            }
        }
        for cases in [&mut decision.holds, &mut decision.fails] {
            cases.retain(|case| !case.contains(&Condition::Constant(false)));
        }
        decision
    }

    fn is_function(&self, value: ValueId) -> bool {
        matches!(self.body.as_constant(value), Some(Constant::Function(_)))
    }

    /// A function has a size of its own, so pointers to objects are equal to it exactly where offset
    /// and size are. Nothing is said of addresses without an object.
    fn equal_functions(
        &self,
        id: InstId,
        when_equal: bool,
        lhs: ValueId,
        rhs: ValueId,
    ) -> Decision {
        let (a, b) = (self.pointer(lhs), self.pointer(rhs));
        let result = self.truth(self.body.result(id));
        let mut same = vec![a.is_object.is(true), b.is_object.is(true)];
        let mut different: Vec<Conjunction> = vec![];
        let mut pairs = vec![(a.offset, b.offset)];
        pairs.extend(a.size.zip(b.size));
        for (x, y) in pairs {
            let equal = linear(LinearConstraint::equal(x, y));
            let objects = [a.is_object.is(true), b.is_object.is(true)];
            different.push([&objects[..], &[equal.negate()]].concat());
            same.push(equal);
        }
        let addresses = [a.is_object, b.is_object].map(|it| vec![it.is(false)]);
        let cases = |mut cases: Vec<Conjunction>, value: bool| {
            cases.extend(addresses.clone());
            cases.retain(|case| !case.contains(&Condition::Constant(false)));
            for case in &mut cases {
                case.insert(0, result.is(value));
            }
            cases
        };
        Decision {
            holds: cases(vec![same], when_equal),
            fails: cases(different, !when_equal),
        }
    }

    /// The order within one object is that of offsets. Pointers with one root that is no object are
    /// addresses, of which nothing is said.
    fn ordered_pointers(
        &self,
        predicate: IntPredicate,
        lhs: ValueId,
        rhs: ValueId,
    ) -> Option<Decision> {
        let root = self.root(lhs);
        let one_root = root == self.root(rhs);
        if predicate.is_signed()
            || !(one_root || self.regions.share_object(self.function, lhs, rhs))
        {
            return None;
        }
        let (a, b) = (self.pointer(lhs), self.pointer(rhs));
        let named = match one_root {
            true => vec![self.pointer(root).is_object],
            false => vec![a.is_object, b.is_object],
        };
        let mut guarded = Decision::literal(compare_signed(predicate, a.offset, b.offset));
        for is_object in named {
            let no_object = is_object.is(false);
            if no_object == Condition::Constant(false) {
                continue;
            }
            for cases in [&mut guarded.holds, &mut guarded.fails] {
                cases
                    .iter_mut()
                    .for_each(|case| case.push(is_object.is(true)));
                cases.push(vec![no_object.clone()]);
            }
        }
        Some(guarded)
    }
}
