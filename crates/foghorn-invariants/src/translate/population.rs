//! Births of objects, and their places in populations ([`crate::contents`]).
//!
//! What makes this sound is that a population counts every object that a pointer of its region can
//! lead to: those of the callers, which are passed with the count, those that this function makes,
//! and those that callees make, also where they leave them untouched and pass nothing back.

use foghorn_absint::language::{Endianness, Operand, Statement};
use foghorn_absint::linear::{LinearConstraint, LinearExpression};
use foghorn_absint::number::Number;
use foghorn_absint::variable::{Type as GotoType, VariableId as GotoVariable};
use foghorn_ir::{InstId, RegionId, ValueDef, ValueId};

use super::FunctionTranslator;
use super::contents::{cell, splat};
use super::memory::null;
use crate::contents::{Arrays, Contents, Population};
use crate::emitter::Emitter;
use crate::shape::{PointerVariables, Shape};

/// Forgets what the objects of a population hold, not how many they are. A domain can still follow
/// those that are born later.
pub(super) fn forget(emitter: &mut Emitter<'_>, population: Population) {
    for target in population.arrays.variables() {
        emitter.push(Statement::ArrayInit {
            target,
            lower: population.count.into(),
            upper: population.count.into(),
            value: 0.into(),
            size: population.bytes,
            endianness: Endianness::Little,
        });
    }
}

/// Any number of objects.
pub(super) fn any_count(emitter: &mut Emitter<'_>, population: Population) {
    let bytes = any_multiple(emitter, population);
    emitter.assign(population.count, LinearExpression::variable(bytes));
}

/// The bytes of any number of cells.
fn any_multiple(emitter: &mut Emitter<'_>, population: Population) -> GotoVariable {
    let number = emitter.temporary(GotoType::Unbounded);
    let bytes = emitter.temporary(GotoType::Unbounded);
    emitter.havoc(number);
    let factor = Number::from(population.bytes);
    emitter.assign(bytes, LinearExpression::variable(number).scaled(&factor));
    emitter.assume(LinearConstraint::less_or_equal(0, bytes).into());
    bytes
}

impl FunctionTranslator<'_> {
    /// What a call keeps to itself has no objects yet.
    pub(super) fn start_populations(&mut self) {
        let body = self.body;
        let passed: Vec<RegionId> = body.memory_parameters().map(|(_, region)| region).collect();
        for region in body.regions.keys().filter(|it| !passed.contains(it)) {
            if let Contents::Population(population) = self.contents[region] {
                self.emitter
                    .assign(population.count, LinearExpression::constant(0));
                forget(&mut self.emitter, population);
            }
        }
    }

    /// An allocation adds an object.
    pub(super) fn bear(&mut self, id: InstId, region: RegionId, population: Population) {
        let place = self.emitter.temporary(GotoType::Unbounded);
        let count = LinearExpression::variable(population.count);
        self.emitter.assign(place, count.clone());
        let more = count.plus_constant(&Number::from(population.bytes));
        self.emitter.assign(population.count, more);
        self.newborn.insert((id, region), place);
    }

    /// Adds any number of objects of which nothing is known.
    pub(super) fn grow(&mut self, population: Population) {
        let more = any_multiple(&mut self.emitter, population);
        let count = LinearExpression::variable(population.count);
        let sum = count.plus(&LinearExpression::variable(more));
        self.emitter.assign(population.count, sum);
    }

    /// Makes it one object, of which nothing is known.
    pub(super) fn settle_one(&mut self, population: Population) {
        let count = population.count;
        self.emitter.assign(count, LinearExpression::constant(0));
        forget(&mut self.emitter, population);
        let one = LinearExpression::constant(population.bytes);
        self.emitter.assign(count, one);
    }

    /// The place of the object to which a pointer leads. The pointer leads to one.
    pub(super) fn place_in(
        &mut self,
        population: Population,
        region: RegionId,
        pointer: ValueId,
    ) -> GotoVariable {
        if let ValueDef::Result(id, _) = self.body.values[self.root(pointer)].def
            && let Some(place) = self.newborn.get(&(id, region))
        {
            return *place;
        }
        self.any_place(population)
    }

    /// A place that some object has.
    pub(super) fn any_place(&mut self, population: Population) -> GotoVariable {
        let place = any_multiple(&mut self.emitter, population);
        let end = LinearExpression::variable(place).plus_constant(&Number::from(population.bytes));
        let exists = LinearConstraint::less_or_equal(end, population.count);
        self.emitter.assume(exists.into());
        place
    }

    /// Fills one cell with a byte; false if that is not followed.
    pub(super) fn fill_place(
        &mut self,
        population: Population,
        region: RegionId,
        pointer: ValueId,
        byte: u128,
    ) -> bool {
        let place = self.place_in(population, region, pointer);
        match population.arrays {
            Arrays::Integers { array, bytes, .. } => {
                let value = splat(byte, 8 * bytes);
                self.emitter.push(Statement::ArrayWrite {
                    access: cell(array, place.into(), bytes),
                    value: Operand::Constant(value),
                });
                true
            }
            Arrays::Pointers(parts) if byte == 0 => {
                let ty = GotoType::Integer {
                    width: self.pointer_bits(),
                };
                let pointer = PointerVariables {
                    is_object: self.emitter.temporary(GotoType::Boolean),
                    offset: self.emitter.temporary(ty),
                    size: self.emitter.temporary(ty),
                };
                self.set_pointer(pointer, null());
                let writes = self.pointer_writes(parts, &place.into(), Shape::Pointer(pointer));
                self.write(false, writes);
                true
            }
            Arrays::Pointers(_) => false,
        }
    }
}
