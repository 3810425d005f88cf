//! Contents of regions as parameters and results of calls (purification), and copies of memory.
//!
//! Caller and callee may follow one region in different ways: the callee may know of more objects.
//! The contents are then carried over cell by cell where that says the same, else they are unknown.

use foghorn_absint::analysis::interprocedural::passing::copy_statement;
use foghorn_absint::language::{Operand, Statement};
use foghorn_absint::linear::LinearExpression;
use foghorn_absint::number::Number;
use foghorn_absint::variable::{Type as GotoType, VariableId as GotoVariable};
use foghorn_ir::{FunctionId, InstId, MemoryRole, MemoryUse, ValueId};

use super::FunctionTranslator;
use super::contents::{cell, covers, havoc_contents};
use super::operand::Truth;
use super::population::any_count;
use crate::contents::{Arrays, Contents, representation};
use crate::dropped::DroppedKind;
use crate::shape::{PointerVariables, Shape};
use foghorn_dsa::table::Start;

/// Copies of more cells than this are not followed one by one.
const MOST_CELLS: i64 = 16;

/// The variables that a call takes and gives for regions, and how results come home.
#[derive(Default)]
pub(super) struct Passed {
    pub arguments: Vec<GotoVariable>,
    pub results: Vec<GotoVariable>,
    /// Contents of the caller, and what the call left for them.
    returned: Vec<(Contents, Contents)>,
}

/// Where a cell is in its object, if a pointer names that object.
struct CellPlace {
    offset: LinearExpression,
    is_object: Truth,
}

impl FunctionTranslator<'_> {
    /// Contents with variables of their own in the way that a callee follows them.
    fn foreign(&mut self, callee: FunctionId, region: foghorn_ir::RegionId) -> Contents {
        let way = representation(self.module, self.regions, callee, region);
        let types = way.types(self.pointer_bits());
        let variables: Vec<GotoVariable> = types
            .into_iter()
            .map(|ty| self.emitter.temporary(ty))
            .collect();
        way.contents(&variables, self.module.layout.pointer_bytes)
    }

    /// Prepares the regions that a call passes.
    pub(super) fn pass_regions(
        &mut self,
        id: InstId,
        callee: FunctionId,
        given: &[ValueId],
    ) -> Passed {
        let module = self.module;
        let mut passed = Passed::default();
        let Some(body) = &module.functions[callee].body else {
            return passed;
        };
        let uses = &self.body.instructions[id].memory;
        let results: Vec<_> = body.memory_results().collect();
        for (number, (_, region)) in (0..).zip(body.memory_parameters()) {
            let role = MemoryRole::Argument(number);
            let own = uses.iter().find(|it| it.role == role);
            let own = own.map_or(Contents::Dropped, |it| self.contents[it.region]);
            let foreign = self.foreign(callee, region);
            let place = self.place_between(own, foreign, given);
            self.carry(foreign, own, place.as_ref());
            passed.arguments.extend(foreign.variables());
            if results.contains(&region) {
                let left = self.foreign(callee, region);
                passed.results.extend(left.variables());
                passed.returned.push((own, left));
            }
        }
        passed
    }

    /// Takes over what a call left in regions.
    pub(super) fn take_back(&mut self, callee: FunctionId, passed: Passed, given: &[ValueId]) {
        for region in self.body.regions.keys() {
            let own = self.contents[region];
            let returned = passed.returned.iter().any(|(it, _)| *it == own);
            if let Contents::Population(population) = own
                && !returned
                && self.regions.may_be_born_in(self.function, region, callee)
            {
                self.grow(population);
            }
        }
        for (own, left) in passed.returned {
            if is_weak(own) && !is_weak(left) {
                // The callee took the objects for one, and changed that.
                havoc_contents(&mut self.emitter, own);
            } else {
                let place = self.place_between(own, left, given);
                self.bring_home(own, left, place.as_ref());
            }
        }
    }

    /// As [`Self::carry`], but a callee that knows of one cell has changed no other.
    fn bring_home(&mut self, own: Contents, left: Contents, place: Option<&CellPlace>) {
        match (own, left) {
            (Contents::Scalar { shape, .. }, Contents::Population(population)) => {
                // It was given one object.
                let index = self.any_place(population).into();
                return self.take(shape, &index, population.arrays);
            }
            (Contents::Population(own), Contents::Population(left))
                if same_arrays(own.arrays, left.arrays) => {}
            (Contents::Population(population), _) => {
                self.grow(population);
                return havoc_contents(&mut self.emitter, own);
            }
            (Contents::Dropped | Contents::Scalar { .. } | Contents::Array { .. }, _) => {}
        }
        let (Contents::Array { arrays, .. }, Contents::Scalar { shape, .. }, Some(place)) =
            (own, left, place)
        else {
            return self.carry(own, left, place);
        };
        self.at_place(place, |translator, index| match index {
            Some(index) => translator.put(arrays, &index, shape),
            None => havoc_contents(&mut translator.emitter, own),
        });
    }

    /// Where the cell is that one of caller and callee follows by itself, the other in an array.
    fn place_between(
        &self,
        own: Contents,
        foreign: Contents,
        given: &[ValueId],
    ) -> Option<CellPlace> {
        let params = &self.body.blocks[self.body.entry].params;
        match (own, foreign) {
            (Contents::Array { .. }, Contents::Scalar { start, .. }) => self.place(start, given),
            (Contents::Scalar { start, .. }, Contents::Array { .. }) => self.place(start, params),
            (
                Contents::Dropped
                | Contents::Scalar { .. }
                | Contents::Array { .. }
                | Contents::Population(_),
                _,
            ) => None,
        }
    }

    /// Where a region begins, of a function whose parameters have these values.
    fn place(&self, start: Start, values: &[ValueId]) -> Option<CellPlace> {
        match start {
            Start::Known(offset) => Some(CellPlace {
                offset: LinearExpression::constant(offset),
                is_object: Truth::Constant(true),
            }),
            Start::Parameter { number, shift } => {
                let view = self.pointer(*values.get(number)?);
                Some(CellPlace {
                    offset: view.offset.plus_constant(&Number::from(shift)),
                    is_object: view.is_object,
                })
            }
            Start::Unknown => None,
        }
    }

    /// Where a region of this function begins. If that is told by a parameter, it is so only while
    /// that points to an object, as it does where an offset of it is accessed.
    pub(super) fn own_place(&self, start: Start) -> Option<LinearExpression> {
        let params = &self.body.blocks[self.body.entry].params;
        Some(self.place(start, params)?.offset)
    }

    /// `target := source`, where what the source says holds of all objects of the target: the
    /// callee's objects are the caller's.
    fn carry(&mut self, target: Contents, source: Contents, place: Option<&CellPlace>) {
        match (target, source) {
            (Contents::Scalar { shape: to, .. }, Contents::Scalar { shape: from, .. })
                if same_kind(to, from) =>
            {
                self.copy_shape(to, from);
            }
            (Contents::Array { arrays: to, .. }, Contents::Array { arrays: from, .. })
                if same_arrays(to, from) =>
            {
                self.copy_variables(target, source);
            }
            (Contents::Array { arrays, .. }, Contents::Scalar { shape, .. }) => {
                havoc_contents(&mut self.emitter, target);
                if let Some(place) = place {
                    self.at_place(place, |translator, index| {
                        index.inspect(|index| translator.put(arrays, index, shape));
                    });
                }
            }
            (Contents::Scalar { shape, .. }, Contents::Array { arrays, .. }) => {
                havoc_contents(&mut self.emitter, target);
                if let Some(place) = place {
                    self.at_place(place, |translator, index| {
                        index.inspect(|index| translator.take(shape, index, arrays));
                    });
                }
            }
            (Contents::Population(to), Contents::Population(from))
                if same_arrays(to.arrays, from.arrays) =>
            {
                self.copy_variables(target, source);
            }
            (Contents::Population(population), Contents::Scalar { shape, .. }) => {
                self.settle_one(population);
                self.put(population.arrays, &0.into(), shape);
            }
            (Contents::Population(population), _) => {
                any_count(&mut self.emitter, population);
                havoc_contents(&mut self.emitter, target);
            }
            (_, _) => havoc_contents(&mut self.emitter, target),
        }
    }

    /// `target := source`, followed in the same way.
    fn copy_variables(&mut self, target: Contents, source: Contents) {
        let pairs = target.variables().into_iter().zip(source.variables());
        for (to, from) in pairs {
            self.emitter.push(copy_statement(to, from));
        }
    }

    /// Does something with a cell: at its place in the runs in which that is known, else without.
    fn at_place(&mut self, place: &CellPlace, mut each: impl FnMut(&mut Self, Option<Operand>)) {
        let from = self.emitter.current();
        let (known, meeting) = (self.emitter.next_block(), self.emitter.next_block());
        let mut heads = vec![known];
        if let Truth::Variable(_) = place.is_object {
            let unknown = self.emitter.next_block();
            self.emitter.switch_to(unknown);
            self.emitter.assume(place.is_object.is(false));
            each(self, None);
            let end = self.emitter.current();
            self.emitter.goto(end, vec![meeting]);
            heads.push(unknown);
        }
        self.emitter.goto(from, heads);
        self.emitter.switch_to(known);
        self.emitter.assume(place.is_object.is(true));
        let index = self.index(place.offset.clone());
        each(self, Some(index));
        let end = self.emitter.current();
        self.emitter.goto(end, vec![meeting]);
        self.emitter.switch_to(meeting);
    }

    fn put(&mut self, arrays: Arrays, index: &Operand, shape: Shape) {
        match (arrays, shape) {
            (Arrays::Integers { array, .. }, Shape::Integer(value)) => {
                let bytes = value.width().unwrap_or_default() / 8;
                self.emitter.push(Statement::ArrayWrite {
                    access: cell(array, index.clone(), bytes),
                    value: value.into(),
                });
            }
            (Arrays::Pointers(parts), Shape::Pointer(_)) => {
                let statements = self.pointer_writes(parts, index, shape);
                self.write(false, statements);
            }
            (Arrays::Integers { .. } | Arrays::Pointers(_), _) => {}
        }
    }

    fn take(&mut self, shape: Shape, index: &Operand, arrays: Arrays) {
        match (shape, arrays) {
            (Shape::Integer(target), Arrays::Integers { array, .. }) => {
                let bytes = target.width().unwrap_or_default() / 8;
                self.emitter.push(Statement::ArrayRead {
                    target,
                    access: cell(array, index.clone(), bytes),
                });
            }
            (Shape::Pointer(target), Arrays::Pointers(parts)) => {
                self.read_pointer(parts, index, target);
            }
            (
                Shape::Nothing | Shape::Boolean(_) | Shape::Integer(_) | Shape::Pointer(_),
                Arrays::Integers { .. } | Arrays::Pointers(_),
            ) => self.havoc_shape(shape),
        }
    }

    /// Copies ranges between regions; the n-th source feeds the n-th destination.
    pub(super) fn copy_memory(
        &mut self,
        id: InstId,
        destination: ValueId,
        source: ValueId,
        length: ValueId,
    ) {
        let body = self.body;
        let uses = &body.instructions[id].memory;
        let with = |role| uses.iter().filter(move |memory| memory.role == role);
        let mut sources = with(MemoryRole::Source);
        let (to, from) = (
            self.pointer(destination).offset,
            self.pointer(source).offset,
        );
        let length = self.expression(length);
        for destination in with(MemoryRole::Destination) {
            let source = sources.next().copied();
            if !self.copy_region(destination, source, &to, &from, &length) {
                self.dropped.count(DroppedKind::Memory);
                self.havoc_region(destination.region);
            }
        }
    }

    /// False if the copy is not followed.
    fn copy_region(
        &mut self,
        destination: &MemoryUse,
        source: Option<MemoryUse>,
        to: &LinearExpression,
        from: &LinearExpression,
        length: &LinearExpression,
    ) -> bool {
        let target = self.contents[destination.region];
        let origin = source.map_or(Contents::Dropped, |it| self.contents[it.region]);
        match (target, origin) {
            (Contents::Dropped, _) => true,
            (
                Contents::Scalar { shape, start },
                Contents::Scalar {
                    shape: value,
                    start: place,
                },
            ) if same_kind(shape, value) => {
                let bytes = self.bytes_of(shape);
                let (start, place) = (self.own_place(start), self.own_place(place));
                let (Some(start), Some(place)) = (start, place) else {
                    return false;
                };
                match (
                    covers(to, length, &start, bytes),
                    covers(from, length, &place, bytes),
                ) {
                    (Some(false), _) => true,
                    (Some(true), Some(true)) if moved(to, &start) == moved(from, &place) => {
                        self.copy_shape(shape, value);
                        true
                    }
                    (Some(true) | None, _) => false,
                }
            }
            (
                Contents::Array {
                    arrays: Arrays::Integers { array, bytes, .. },
                    weak: false,
                },
                Contents::Array {
                    arrays:
                        Arrays::Integers {
                            array: origin,
                            bytes: own,
                            ..
                        },
                    ..
                },
            ) if bytes == own => self.copy_cells(array, origin, bytes, (to, from, length)),
            (Contents::Scalar { .. } | Contents::Array { .. } | Contents::Population(_), _) => {
                false
            }
        }
    }

    /// A few cells of constant number, read before any is written.
    fn copy_cells(
        &mut self,
        target: GotoVariable,
        origin: GotoVariable,
        bytes: u32,
        (to, from, length): (&LinearExpression, &LinearExpression, &LinearExpression),
    ) -> bool {
        let size = i64::from(bytes);
        let Some(length) = length.as_constant().and_then(Number::to_i64) else {
            return false;
        };
        if length % size != 0 || length / size > MOST_CELLS {
            return false;
        }
        let ty = GotoType::Integer { width: 8 * bytes };
        let mut values = Vec::new();
        for number in 0..length / size {
            let index = self.index(from.plus_constant(&Number::from(number * size)));
            let value = self.emitter.temporary(ty);
            self.emitter.push(Statement::ArrayRead {
                target: value,
                access: cell(origin, index, bytes),
            });
            values.push(value);
        }
        for (number, value) in (0..).zip(values) {
            let index = self.index(to.plus_constant(&Number::from(number * size)));
            self.emitter.push(Statement::ArrayWrite {
                access: cell(target, index, bytes),
                value: value.into(),
            });
        }
        true
    }

    fn bytes_of(&self, shape: Shape) -> u32 {
        match shape {
            Shape::Integer(x) => x.width().unwrap_or_default() / 8,
            Shape::Pointer(PointerVariables { .. }) => self.module.layout.pointer_bytes,
            Shape::Nothing | Shape::Boolean(_) => 0,
        }
    }
}

/// By how much a copy moves what it copies, if that is constant.
fn moved(to: &LinearExpression, from: &LinearExpression) -> Option<i64> {
    to.minus(from).as_constant().and_then(Number::to_i64)
}

fn is_weak(contents: Contents) -> bool {
    match contents {
        Contents::Array { weak, .. } => weak,
        Contents::Dropped | Contents::Scalar { .. } | Contents::Population(_) => false,
    }
}

fn same_kind(left: Shape, right: Shape) -> bool {
    match (left, right) {
        (Shape::Integer(x), Shape::Integer(y)) => x.width() == y.width(),
        (Shape::Pointer(_), Shape::Pointer(_)) => true,
        (Shape::Nothing | Shape::Boolean(_) | Shape::Integer(_) | Shape::Pointer(_), _) => false,
    }
}

fn same_arrays(left: Arrays, right: Arrays) -> bool {
    match (left, right) {
        (Arrays::Integers { bytes: a, .. }, Arrays::Integers { bytes: b, .. }) => a == b,
        (Arrays::Pointers(_), Arrays::Pointers(_)) => true,
        (Arrays::Integers { .. } | Arrays::Pointers(_), _) => false,
    }
}
