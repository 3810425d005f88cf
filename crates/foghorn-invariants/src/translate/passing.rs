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
use crate::contents::{Arrays, Contents, representation};
use crate::dropped::DroppedKind;
use crate::shape::{PointerVariables, Shape};

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

impl FunctionTranslator<'_> {
    /// Contents with variables of their own in the way that a callee follows them.
    fn foreign(&mut self, callee: FunctionId, region: foghorn_ir::RegionId) -> Contents {
        let way = representation(self.module, self.regions, callee, region);
        let types = way.types(self.pointer_bits());
        let variables: Vec<GotoVariable> = types
            .into_iter()
            .map(|ty| self.emitter.temporary(ty))
            .collect();
        way.contents(&variables)
    }

    /// Prepares the regions that a call passes.
    pub(super) fn pass_regions(&mut self, id: InstId, callee: FunctionId) -> Passed {
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
            self.carry(foreign, own);
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
    pub(super) fn take_back(&mut self, passed: Passed) {
        for (own, left) in passed.returned {
            if is_weak(own) && !is_weak(left) {
                // The callee took the objects for one, and changed that.
                havoc_contents(&mut self.emitter, own);
            } else {
                self.carry(own, left);
            }
        }
    }

    /// `target := source`, where what the source says holds of all objects of the target: the
    /// callee's objects are the caller's.
    fn carry(&mut self, target: Contents, source: Contents) {
        match (target, source) {
            (Contents::Scalar { shape: to, .. }, Contents::Scalar { shape: from, .. })
                if same_kind(to, from) =>
            {
                self.copy_shape(to, from);
            }
            (Contents::Array { arrays: to, .. }, Contents::Array { arrays: from, .. })
                if same_arrays(to, from) =>
            {
                let pairs = target.variables().into_iter().zip(source.variables());
                for (to, from) in pairs {
                    self.emitter.push(copy_statement(to, from));
                }
            }
            (Contents::Array { arrays, .. }, Contents::Scalar { shape, start }) => {
                havoc_contents(&mut self.emitter, target);
                self.put(arrays, start, shape);
            }
            (Contents::Scalar { shape, start }, Contents::Array { arrays, .. }) => {
                self.take(shape, start, arrays);
            }
            (_, _) => havoc_contents(&mut self.emitter, target),
        }
    }

    fn put(&mut self, arrays: Arrays, start: i64, shape: Shape) {
        let index = Operand::from(start);
        match (arrays, shape) {
            (Arrays::Integers { array, .. }, Shape::Integer(value)) => {
                let bytes = value.width().unwrap_or_default() / 8;
                self.emitter.push(Statement::ArrayWrite {
                    access: cell(array, index, bytes),
                    value: value.into(),
                });
            }
            (Arrays::Pointers(parts), Shape::Pointer(_)) => {
                let statements = self.pointer_writes(parts, &index, shape);
                self.write(false, statements);
            }
            (Arrays::Integers { .. } | Arrays::Pointers(_), _) => {}
        }
    }

    fn take(&mut self, shape: Shape, start: i64, arrays: Arrays) {
        let index = Operand::from(start);
        match (shape, arrays) {
            (Shape::Integer(target), Arrays::Integers { array, .. }) => {
                let bytes = target.width().unwrap_or_default() / 8;
                self.emitter.push(Statement::ArrayRead {
                    target,
                    access: cell(array, index, bytes),
                });
            }
            (Shape::Pointer(target), Arrays::Pointers(parts)) => {
                self.read_pointer(parts, &index, target);
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
                match (
                    covers(to, length, start, bytes),
                    covers(from, length, place, bytes),
                ) {
                    (Some(false), _) => true,
                    (Some(true), Some(true)) if moved(to, from) == Some(start - place) => {
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
            (Contents::Scalar { .. } | Contents::Array { .. }, _) => false,
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
        Contents::Dropped | Contents::Scalar { .. } => false,
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
