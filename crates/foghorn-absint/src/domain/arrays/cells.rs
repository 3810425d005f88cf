//! Array expansion: a scalar per constant offset, with byte overlap.

use super::Arrays;
use super::access::is_integer;
use super::content::{Cell, Element, LARGEST_SIZE, scratch};
use crate::domain::{AbstractDomain as _, ProgramDomain, VariableDomain as _};
use crate::language::{ArrayAccess, BinaryOperator, Cast, Endianness, Operand, Statement};
use crate::linear::{LinearConstraint, LinearExpression};
use crate::number::Number;
use crate::variable::{Type, VariableId};

/// A read at an unknown index is split over at most this many cells.
const LARGEST_SPLIT: usize = 16;

impl<D: ProgramDomain> Arrays<D> {
    pub(super) fn initialise_cells(
        &mut self,
        array: VariableId,
        first: u32,
        count: u32,
        value: &Operand,
        element: Element,
    ) {
        let (expression, plain) = Self::stored(value, element);
        let mut cells = Vec::new();
        for number in 0..count {
            let cell = Cell {
                offset: first + number * element.size,
                element,
                plain,
            };
            self.assign(cell.ghost(array), expression.clone());
            cells.push(cell);
        }
        self.set_cells(array, cells);
    }

    pub(super) fn write_cells(
        &mut self,
        access: &ArrayAccess,
        value: &Operand,
        element: Element,
        mut cells: Vec<Cell>,
    ) {
        let indices = self.indices(&access.index);
        let constant = indices.constant();
        let (expression, plain) = Self::stored(value, element);
        let storable = is_integer(value) && element.size <= LARGEST_SIZE;
        let mut lost = Vec::new();
        cells.retain(|cell| {
            let touched = match constant {
                Some(offset) => cell.overlaps(offset, element.size),
                None => indices.may_touch(element.size, cell.offset, cell.element.size),
            };
            // A write that either hits the cell exactly or misses it is a weak update.
            let weak = touched
                && constant.is_none()
                && storable
                && cell.element == element
                && cell.plain == plain
                && !indices.may_touch_partly(element.size, cell.offset);
            let kept = !touched || weak;
            if !kept {
                lost.push(cell.ghost(access.array));
            }
            kept
        });
        self.below.forget(&lost);
        self.alignment.forget(&lost);
        if let Some(offset) = constant {
            if storable && self.policy.largest_expansion() > 0 {
                let cell = Cell {
                    offset,
                    element,
                    plain,
                };
                self.assign(cell.ghost(access.array), expression);
                cells.push(cell);
                cells.sort_by_key(|cell| (cell.offset, cell.element.size));
            }
        } else {
            for cell in cells.clone() {
                if indices.may_be(cell.offset) && cell.element == element {
                    self.weak_assign(cell.ghost(access.array), &expression);
                }
            }
        }
        self.set_cells(access.array, cells);
    }

    /// The target has the new value or keeps its old one.
    pub(super) fn weak_assign(&mut self, target: VariableId, expression: &LinearExpression) {
        let mut written = self.clone();
        written.assign(target, expression.clone());
        *self = self.join(&written);
    }

    pub(super) fn read_cells(
        &mut self,
        target: VariableId,
        access: &ArrayAccess,
        element: Element,
        cells: &[Cell],
    ) {
        let indices = self.indices(&access.index);
        if let Some(offset) = indices.constant() {
            return self.read_constant(target, access.array, offset, element, cells);
        }
        let (Some((first, last)), Some(index)) =
            (indices.interval.as_finite(), access.index.as_variable())
        else {
            return self.havoc(target);
        };
        let (Some(first), Some(last)) = (first.to_u32(), last.to_u32()) else {
            return self.havoc(target);
        };
        let span = (last - first) as usize;
        if span > LARGEST_SPLIT * LARGEST_SIZE as usize {
            return self.havoc(target);
        }
        let offsets: Vec<u32> = (first..=last)
            .filter(|offset| indices.may_be(*offset))
            .collect();
        if offsets.len() > LARGEST_SPLIT {
            return self.havoc(target);
        }
        let cases: Vec<Arrays<D>> = offsets
            .into_iter()
            .map(|offset| {
                let mut case = self.clone();
                case.assume(&LinearConstraint::equal(index, Number::from(offset)).into());
                if !case.is_bottom() {
                    case.read_constant(target, access.array, offset, element, cells);
                }
                case
            })
            .collect();
        self.join_cases(cases);
    }

    fn read_constant(
        &mut self,
        target: VariableId,
        array: VariableId,
        offset: u32,
        element: Element,
        cells: &[Cell],
    ) {
        let exact = cells
            .iter()
            .find(|cell| cell.offset == offset && cell.element == element);
        if let Some(cell) = exact {
            return self.assign(target, LinearExpression::variable(cell.ghost(array)));
        }
        let order = element.endianness;
        // For each byte, a cell that knows it: the least significant byte first.
        let sources: Option<Vec<(Cell, u32)>> = (0..element.size)
            .map(|position| byte_source(cells, place(offset, position, element.size, order)))
            .collect();
        match (sources, order) {
            (Some(sources), Endianness::Little | Endianness::Big) => {
                self.compose(target, array, &sources);
            }
            (Some(_) | None, Endianness::Unknown) | (None, _) => self.havoc(target),
        }
    }

    /// target := the bytes put together, as a signed number.
    fn compose(&mut self, target: VariableId, array: VariableId, sources: &[(Cell, u32)]) {
        let mut sum = LinearExpression::default();
        let mut used = Vec::new();
        for (position, (cell, significance)) in (0u32..).zip(sources) {
            let shifted = Self::scratch(array, 16 + position);
            let byte = scratch(array, 32 + position, Type::Integer { width: 8 });
            let unsigned = Self::scratch(array, 48 + position);
            self.scalar(&Statement::Binary {
                operator: BinaryOperator::ArithmeticShiftRight,
                target: shifted,
                left: Operand::Variable(cell.ghost(array)),
                right: Operand::Constant(Number::from(8 * significance)),
            });
            self.assign(byte, LinearExpression::variable(shifted));
            self.scalar(&Statement::Cast {
                cast: Cast::ZeroExtend,
                target: unsigned,
                source: byte,
            });
            sum.add_term(unsigned, &Number::power_of_two(8 * position));
            used.extend([shifted, byte, unsigned]);
        }
        let size = u32::try_from(sources.len()).expect("invariant: elements are small");
        let whole = scratch(array, 64, Type::Integer { width: 8 * size });
        self.assign(whole, sum);
        self.assign(target, LinearExpression::variable(whole));
        used.push(whole);
        used.retain(|x| *x != target);
        self.below.forget(&used);
        self.alignment.forget(&used);
    }
}

/// The offset of the byte of a significance.
fn place(offset: u32, significance: u32, size: u32, order: Endianness) -> u32 {
    match order {
        Endianness::Little | Endianness::Unknown => offset + significance,
        Endianness::Big => offset + size - 1 - significance,
    }
}

/// A plain cell that has the byte at an offset, and the byte's significance there.
fn byte_source(cells: &[Cell], offset: u32) -> Option<(Cell, u32)> {
    let cell = cells
        .iter()
        .find(|cell| cell.plain && cell.overlaps(offset, 1))?;
    let from_start = offset - cell.offset;
    let significance = match cell.element.endianness {
        Endianness::Little | Endianness::Unknown => from_start,
        Endianness::Big => cell.element.size - 1 - from_start,
    };
    Some((*cell, significance))
}

impl super::access::Indices {
    /// Whether an access may overlap an element of the same size without hitting it exactly.
    fn may_touch_partly(&self, size: u32, offset: u32) -> bool {
        let first = (offset + 1).saturating_sub(size);
        let last = offset + size - 1;
        (first..=last).any(|start| start != offset && self.may_be(start))
    }
}
