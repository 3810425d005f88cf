//! Deliberately broken domains: what a suite does not catch here, it does not test.
//!
//! [`Faulty`] wraps a sound domain and breaks one operation in one way. Transfer functions are
//! broken by leaving a kind of statement out, so that the state keeps speaking of old values.

use crate::domain::{AbstractDomain, Implication, ProgramDomain, VariableDomain};
use crate::language::{BinaryOperator, Cast, Condition, Statement, UnsignedRelation};
use crate::linear::{LinearConstraint, LinearExpression, Relation};
use crate::number::Number;
use crate::thresholds::Thresholds;
use crate::value::interval::Interval;
use crate::variable::VariableId;

/// What is broken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// Assigns one too many.
    AssignOffByOne,
    /// Additions do not wrap: the result is assumed to be the sum over ℤ.
    NoWrapping,
    IgnoreAssign,
    IgnoreBinary(BinaryOperator),
    IgnoreCast(Cast),
    ZeroExtendAsSignExtend,
    IgnoreBooleanToInteger,
    IgnoreBooleanAssign,
    IgnoreBooleanBinary,
    IgnoreHavoc,
    IgnorePointers,
    IgnoreArrayInit,
    IgnoreArrayRead,
    IgnoreArrayWrite,
    IgnoreArrayAssign,
    /// e ≤ 0 is taken for e < 0.
    AssumeTooMuch,
    UnsignedAsSigned,
    EntailsEverything,
    LeqEverything,
    JoinIsLeft,
    MeetIsBottom,
    WidenIsLeft,
    WidenIsJoin,
    NarrowIsBottom,
    ForgetNothing,
    ProjectNothing,
    RenameNothing,
    ExpandToZero,
    BackwardIsMeet,
}

impl Fault {
    /// Every fault.
    #[must_use]
    pub fn all() -> Vec<Fault> {
        let mut all = vec![
            Fault::AssignOffByOne,
            Fault::NoWrapping,
            Fault::IgnoreAssign,
            Fault::IgnoreCast(Cast::SignExtend),
            Fault::IgnoreCast(Cast::ZeroExtend),
            Fault::IgnoreCast(Cast::Truncate),
            Fault::ZeroExtendAsSignExtend,
            Fault::IgnoreBooleanToInteger,
            Fault::IgnoreBooleanAssign,
            Fault::IgnoreBooleanBinary,
            Fault::IgnoreHavoc,
            Fault::IgnorePointers,
            Fault::IgnoreArrayInit,
            Fault::IgnoreArrayRead,
            Fault::IgnoreArrayWrite,
            Fault::IgnoreArrayAssign,
            Fault::AssumeTooMuch,
            Fault::UnsignedAsSigned,
            Fault::EntailsEverything,
            Fault::LeqEverything,
            Fault::JoinIsLeft,
            Fault::MeetIsBottom,
            Fault::WidenIsLeft,
            Fault::WidenIsJoin,
            Fault::NarrowIsBottom,
            Fault::ForgetNothing,
            Fault::ProjectNothing,
            Fault::RenameNothing,
            Fault::ExpandToZero,
            Fault::BackwardIsMeet,
        ];
        all.extend(BinaryOperator::ALL.map(Fault::IgnoreBinary));
        all
    }
}

/// A domain with a fault.
#[derive(Clone, Debug)]
pub struct Faulty<D> {
    pub domain: D,
    pub fault: Fault,
}

impl<D: ProgramDomain> Faulty<D> {
    fn with(&self, domain: D) -> Faulty<D> {
        Faulty {
            domain,
            fault: self.fault,
        }
    }

    fn ignores(&self, statement: &Statement) -> bool {
        match (self.fault, statement) {
            (Fault::IgnoreAssign, Statement::Assign { .. })
            | (Fault::IgnoreBooleanToInteger, Statement::BooleanToInteger { .. })
            | (Fault::IgnoreBooleanAssign, Statement::BooleanAssign { .. })
            | (Fault::IgnoreBooleanBinary, Statement::BooleanBinary { .. })
            | (Fault::IgnoreHavoc, Statement::Havoc { .. })
            | (Fault::IgnorePointers, Statement::PointerAssign { .. })
            | (Fault::IgnorePointers, Statement::Allocate { .. })
            | (Fault::IgnoreArrayInit, Statement::ArrayInit { .. })
            | (Fault::IgnoreArrayRead, Statement::ArrayRead { .. })
            | (Fault::IgnoreArrayWrite, Statement::ArrayWrite { .. })
            | (Fault::IgnoreArrayAssign, Statement::ArrayAssign { .. }) => true,
            (Fault::IgnoreBinary(broken), Statement::Binary { operator, .. }) => {
                broken == *operator
            }
            (Fault::IgnoreCast(broken), Statement::Cast { cast, .. }) => broken == *cast,
            _ => false,
        }
    }

    fn changed(&self, statement: &Statement) -> Statement {
        match (self.fault, statement) {
            (Fault::AssignOffByOne, Statement::Assign { target, expression }) => {
                let expression = expression.plus_constant(&Number::ONE);
                Statement::Assign {
                    target: *target,
                    expression,
                }
            }
            (
                Fault::ZeroExtendAsSignExtend,
                Statement::Cast {
                    cast: Cast::ZeroExtend,
                    target,
                    source,
                },
            ) => Statement::Cast {
                cast: Cast::SignExtend,
                target: *target,
                source: *source,
            },
            (Fault::AssumeTooMuch | Fault::UnsignedAsSigned, Statement::Assume { condition }) => {
                Statement::Assume {
                    condition: self.changed_condition(condition),
                }
            }
            _ => statement.clone(),
        }
    }

    fn changed_condition(&self, condition: &Condition) -> Condition {
        match (self.fault, condition) {
            (Fault::AssumeTooMuch, Condition::Linear(constraint))
                if constraint.relation == Relation::LessOrEqual =>
            {
                let stronger = constraint.expression.plus_constant(&Number::ONE);
                LinearConstraint::new(stronger, Relation::LessOrEqual).into()
            }
            (
                Fault::UnsignedAsSigned,
                Condition::Unsigned {
                    relation,
                    left,
                    right,
                },
            ) => {
                let (left, right) = (left.to_expression(), right.to_expression());
                match relation {
                    UnsignedRelation::Less => LinearConstraint::less(left, right).into(),
                    UnsignedRelation::LessOrEqual => {
                        LinearConstraint::less_or_equal(left, right).into()
                    }
                }
            }
            _ => condition.clone(),
        }
    }

    /// The sum that an addition is wrongly assumed to equal.
    fn unwrapped_sum(statement: &Statement) -> Option<(VariableId, LinearExpression)> {
        match statement {
            Statement::Binary {
                operator: BinaryOperator::Add,
                target,
                left,
                right,
            } => {
                let sum = left.to_expression().plus(&right.to_expression());
                (!sum.mentions(*target)).then_some((*target, sum))
            }
            _ => None,
        }
    }
}

impl<D: ProgramDomain> AbstractDomain for Faulty<D> {
    fn top(&self) -> Faulty<D> {
        self.with(self.domain.top())
    }

    fn bottom(&self) -> Faulty<D> {
        self.with(self.domain.bottom())
    }

    fn is_top(&self) -> bool {
        self.domain.is_top()
    }

    fn is_bottom(&self) -> bool {
        self.domain.is_bottom()
    }

    fn leq(&self, other: &Faulty<D>) -> bool {
        self.fault == Fault::LeqEverything || self.domain.leq(&other.domain)
    }

    fn join(&self, other: &Faulty<D>) -> Faulty<D> {
        match self.fault {
            Fault::JoinIsLeft => self.clone(),
            _ => self.with(self.domain.join(&other.domain)),
        }
    }

    fn meet(&self, other: &Faulty<D>) -> Faulty<D> {
        match self.fault {
            Fault::MeetIsBottom => self.bottom(),
            _ => self.with(self.domain.meet(&other.domain)),
        }
    }

    fn widen(&self, other: &Faulty<D>, thresholds: &Thresholds) -> Faulty<D> {
        match self.fault {
            Fault::WidenIsLeft => self.clone(),
            Fault::WidenIsJoin => self.with(self.domain.join(&other.domain)),
            _ => self.with(self.domain.widen(&other.domain, thresholds)),
        }
    }

    fn narrow(&self, other: &Faulty<D>) -> Faulty<D> {
        match self.fault {
            Fault::NarrowIsBottom => self.bottom(),
            _ => self.with(self.domain.narrow(&other.domain)),
        }
    }
}

impl<D: ProgramDomain> VariableDomain for Faulty<D> {
    fn forget(&mut self, variables: &[VariableId]) {
        if self.fault != Fault::ForgetNothing {
            self.domain.forget(variables);
        }
    }

    fn project(&mut self, variables: &[VariableId]) {
        if self.fault != Fault::ProjectNothing {
            self.domain.project(variables);
        }
    }

    fn rename(&mut self, from: &[VariableId], to: &[VariableId]) {
        if self.fault != Fault::RenameNothing {
            self.domain.rename(from, to);
        }
    }

    fn expand(&mut self, original: VariableId, copy: VariableId) {
        if self.fault == Fault::ExpandToZero {
            self.domain.assume(&LinearConstraint::equal(copy, 0).into());
        } else {
            self.domain.expand(original, copy);
        }
    }
}

impl<D: ProgramDomain> ProgramDomain for Faulty<D> {
    fn transfer(&mut self, statement: &Statement) {
        if self.ignores(statement) {
            return;
        }
        self.domain.transfer(&self.changed(statement));
        if let (Fault::NoWrapping, Some((target, sum))) =
            (self.fault, Self::unwrapped_sum(statement))
        {
            self.domain
                .assume(&LinearConstraint::equal(target, sum).into());
        }
    }

    fn assume(&mut self, condition: &Condition) {
        self.domain.assume(&self.changed_condition(condition));
    }

    fn entails(&self, condition: &Condition) -> bool {
        self.fault == Fault::EntailsEverything || self.domain.entails(condition)
    }

    fn bounds(&self, variable: VariableId) -> Interval {
        self.domain.bounds(variable)
    }

    fn to_conditions(&self) -> Vec<Condition> {
        self.domain.to_conditions()
    }

    fn implications(&self) -> Vec<Implication> {
        self.domain.implications()
    }

    fn backward(&mut self, statement: &Statement, before: &Faulty<D>) {
        if self.fault == Fault::BackwardIsMeet {
            self.domain = self.domain.meet(&before.domain);
        } else {
            self.domain.backward(statement, &before.domain);
        }
    }
}
