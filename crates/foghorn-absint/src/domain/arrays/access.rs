//! Initialisation, reads, writes and copies: which representation does what.

use super::content::{Cell, Content, Element, LARGEST_OFFSET, LARGEST_SIZE, scratch};
use super::{Arrays, Policy};
use crate::domain::{AbstractDomain as _, ProgramDomain, VariableDomain as _};
use crate::language::{ArrayAccess, Endianness, Operand, Statement};
use crate::linear::LinearExpression;
use crate::number::Number;
use crate::value::congruence::Congruence;
use crate::value::interval::Interval;
use crate::value::{AbstractValue as _, NumericValue as _};
use crate::variable::{Type, VariableId};

/// Where an access may start: an interval and a congruence class.
pub(super) struct Indices {
    pub interval: Interval,
    pub class: Congruence,
}

impl Indices {
    /// The one offset, if it is known and small.
    pub fn constant(&self) -> Option<u32> {
        self.interval
            .as_point()?
            .to_u32()
            .filter(|offset| *offset < LARGEST_OFFSET)
    }

    pub fn may_be(&self, offset: u32) -> bool {
        let offset = Number::from(offset);
        self.interval.contains(&offset) && self.class.contains(&offset)
    }

    /// Whether an access of `size` bytes may touch bytes `from` to `from + length`.
    pub fn may_touch(&self, size: u32, from: u32, length: u32) -> bool {
        let first = Number::from(from) - Number::from(size) + Number::ONE;
        let last = Number::from(from) + Number::from(length) - Number::ONE;
        let near = self.interval.meet(&Interval::new(first, last));
        !self.class.tighten(&near).is_bottom()
    }
}

impl<D: ProgramDomain> Arrays<D> {
    pub(super) fn indices(&self, index: &Operand) -> Indices {
        match index {
            Operand::Constant(value) => Indices {
                interval: Interval::point(value.clone()),
                class: Congruence::constant(value),
            },
            Operand::Variable(x) => {
                let class = self.alignment.numbers().get(*x);
                let interval = class.tighten(&self.below.bounds(*x));
                Indices { interval, class }
            }
        }
    }

    /// The value an operand has once it is stored in an element.
    pub(super) fn stored(value: &Operand, element: Element) -> (LinearExpression, bool) {
        let known_order = element.endianness != Endianness::Unknown;
        match value {
            Operand::Variable(x) => {
                let plain = known_order && x.width() == Some(8 * element.size);
                (LinearExpression::variable(*x), plain)
            }
            // Bytes cut a constant to their size; a whole fragment keeps it.
            Operand::Constant(number) if known_order => (
                LinearExpression::constant(number.wrap_signed(8 * element.size)),
                true,
            ),
            Operand::Constant(number) => (LinearExpression::constant(number.clone()), false),
        }
    }

    pub(super) fn assign(&mut self, target: VariableId, expression: LinearExpression) {
        self.scalar(&Statement::Assign { target, expression });
    }

    pub(super) fn havoc(&mut self, target: VariableId) {
        self.invalidate_read(&[target]);
        self.scalar(&Statement::Havoc { target });
    }

    pub(super) fn initialise(
        &mut self,
        array: VariableId,
        (lower, upper): (&Operand, &Operand),
        value: &Operand,
        element: Element,
    ) {
        self.drop_array(array);
        if element.size > LARGEST_SIZE || !is_integer(value) {
            return;
        }
        let (from, to) = (self.indices(lower), self.indices(upper));
        let elements = match (from.constant(), to.constant()) {
            (Some(from), Some(to)) => Some((from, to.saturating_sub(from).div_ceil(element.size))),
            (Some(_), None) | (None, _) => None,
        };
        match elements {
            Some((first, count))
                if (1..=self.policy.largest_expansion()).contains(&count.max(1)) =>
            {
                self.initialise_cells(array, first, count, value, element);
            }
            Some(_) | None if self.policy.smashes() => {
                self.initialise_summary(array, (lower, upper), value, element);
            }
            Some(_) | None => {}
        }
    }

    pub(super) fn read(&mut self, target: VariableId, access: &ArrayAccess) {
        let element = Element {
            size: access.size,
            endianness: access.endianness,
        };
        if element.size > LARGEST_SIZE || !target.ty().is_integer() {
            return self.havoc(target);
        }
        match self.content(access.array) {
            Content::Cells(cells) => {
                self.invalidate_read(&[target]);
                self.read_cells(target, access, element, &cells);
            }
            Content::Smashed(own) => self.read_summary(target, access, own == element),
        }
    }

    pub(super) fn write(&mut self, access: &ArrayAccess, value: &Operand) {
        self.invalidate_read(&[access.array]);
        let element = Element {
            size: access.size,
            endianness: access.endianness,
        };
        match self.content(access.array) {
            Content::Cells(cells) => self.write_cells(access, value, element, cells),
            Content::Smashed(own) => self.write_summary(access, value, element, own),
        }
    }

    /// target := source, by copies of the scalars. Summaries are copied by expansion.
    pub(super) fn copy_array(&mut self, target: VariableId, source: VariableId) {
        if target == source {
            return;
        }
        self.drop_array(target);
        let content = self.content(source);
        match &content {
            Content::Cells(cells) => {
                for cell in cells {
                    let value = LinearExpression::variable(cell.ghost(source));
                    self.assign(cell.ghost(target), value);
                }
            }
            Content::Smashed(_) => self.copy_summary(target, source),
        }
        self.set_content(target, content);
    }

    /// Keeps the number of cells within the policy.
    pub(super) fn set_cells(&mut self, array: VariableId, mut cells: Vec<Cell>) {
        let limit = match self.policy {
            Policy::Smash | Policy::Partition => 0,
            Policy::Expand | Policy::Adapt { .. } => 2 * self.policy.largest_expansion() as usize,
        };
        if cells.len() > limit {
            let lost: Vec<VariableId> =
                cells.drain(limit..).map(|cell| cell.ghost(array)).collect();
            self.below.forget(&lost);
            self.alignment.forget(&lost);
        }
        self.set_content(array, Content::Cells(cells));
    }

    /// Joins the states of several cases; ⊥ when there are none.
    pub(super) fn join_cases(&mut self, cases: impl IntoIterator<Item = Arrays<D>>) {
        let mut result: Option<Arrays<D>> = None;
        for case in cases {
            result = Some(match result {
                None => case,
                Some(sum) => sum.join(&case),
            });
        }
        *self = result.unwrap_or_else(|| self.bottom());
    }

    /// An unbounded scratch scalar of an array.
    pub(super) fn scratch(array: VariableId, number: u32) -> VariableId {
        scratch(array, number, Type::Unbounded)
    }
}

/// Pointers and booleans in arrays are not represented.
pub(super) fn is_integer(value: &Operand) -> bool {
    value.as_variable().is_none_or(|x| x.ty().is_integer())
}
