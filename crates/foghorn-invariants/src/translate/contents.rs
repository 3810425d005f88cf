//! Reading and writing the contents of regions.

use foghorn_absint::language::{
    ArrayAccess, BinaryOperator, Cast, Condition, Endianness, Operand, Statement,
};
use foghorn_absint::linear::{LinearConstraint, LinearExpression};
use foghorn_absint::number::Number;
use foghorn_absint::variable::{Type as GotoType, VariableId as GotoVariable};
use foghorn_ir::{InstId, MemoryUse, RegionId, Type, ValueId};

use super::FunctionTranslator;
use crate::contents::{Arrays, Contents, representation, variable_name};
use crate::decision::Decision;
use crate::dropped::DroppedKind;
use crate::emitter::Emitter;
use crate::shape::{Meaning, PointerVariables, Shape};

/// An access to a cell of an array.
pub(super) fn cell(array: GotoVariable, index: Operand, size: u32) -> ArrayAccess {
    ArrayAccess {
        array,
        index,
        size,
        endianness: Endianness::Little,
    }
}

impl FunctionTranslator<'_> {
    /// Makes the variables of all regions.
    pub(super) fn declare_regions(&mut self) {
        let bits = self.pointer_bits();
        for region in self.body.regions.keys() {
            let way = representation(self.module, self.regions, self.function, region);
            let types = way.types(bits);
            let name = variable_name(self.module, self.function, region);
            let mut variables = Vec::new();
            for (number, ty) in types.iter().enumerate() {
                let meaning = match &types[..] {
                    [GotoType::Integer { .. }] => Meaning::Contents(region),
                    _ => Meaning::Temporary,
                };
                let name = format!("{name}.{number}");
                variables.push(self.emitter.variable(name, *ty, meaning));
            }
            let bytes = self.module.layout.pointer_bytes;
            self.contents[region] = way.contents(&variables, bytes);
        }
    }

    /// Forgets what a region holds.
    pub(super) fn havoc_region(&mut self, region: RegionId) {
        havoc_contents(&mut self.emitter, self.contents[region]);
    }

    /// Forgets what an instruction writes in ways that are not followed.
    pub(super) fn havoc_written(&mut self, id: InstId) {
        let body = self.body;
        for memory in &body.instructions[id].memory {
            if memory.output.is_some() {
                self.dropped.count(DroppedKind::Memory);
                self.havoc_region(memory.region);
            }
        }
    }

    /// An operand that stands for an expression.
    pub(super) fn index(&mut self, expression: LinearExpression) -> Operand {
        if let Some(constant) = expression.as_constant() {
            return Operand::Constant(constant.clone());
        }
        if let [(x, factor)] = expression.terms()
            && *factor == Number::ONE
            && expression.constant_part().is_zero()
        {
            return Operand::Variable(*x);
        }
        let ty = GotoType::Integer {
            width: self.pointer_bits(),
        };
        let index = self.emitter.temporary(ty);
        self.emitter.assign(index, expression);
        Operand::Variable(index)
    }

    /// What a load gives.
    pub(super) fn read_memory(&mut self, id: InstId, pointer: ValueId) {
        let result = self.body.result(id);
        let memory = self.body.instructions[id].memory.first().copied();
        let region = memory.map(|it| it.region);
        let (contents, index) = self.cell_of(region, pointer);
        if !self.read_cell(contents, index, result) {
            self.drop_results(id, DroppedKind::Load);
        }
    }

    /// Reads a value from a cell; false if nothing is known of it.
    fn read_cell(&mut self, contents: Contents, offset: LinearExpression, result: ValueId) -> bool {
        let size = self.store_size(result);
        match (contents, self.shapes[result]) {
            (
                Contents::Scalar {
                    shape: Shape::Integer(cell),
                    ..
                },
                Shape::Integer(_) | Shape::Boolean(_),
            ) => {
                self.cut_cell(result, cell);
                true
            }
            (
                Contents::Scalar {
                    shape: source @ Shape::Pointer(_),
                    ..
                },
                target @ Shape::Pointer(_),
            ) => {
                self.copy_shape(target, source);
                true
            }
            (
                Contents::Array {
                    arrays: Arrays::Integers { array, .. },
                    ..
                },
                Shape::Integer(_) | Shape::Boolean(_),
            ) if size <= 8 => {
                let index = self.index(offset);
                let read = self
                    .emitter
                    .temporary(GotoType::Integer { width: 8 * size });
                let access = cell(array, index, size);
                self.emitter.push(Statement::ArrayRead {
                    target: read,
                    access,
                });
                self.cut_cell(result, read);
                true
            }
            (
                Contents::Array {
                    arrays: Arrays::Pointers(parts),
                    ..
                },
                Shape::Pointer(target),
            ) => {
                let index = self.index(offset);
                self.read_pointer(parts, &index, target);
                true
            }
            (
                Contents::Dropped
                | Contents::Scalar { .. }
                | Contents::Array { .. }
                | Contents::Population(_),
                _,
            ) => false,
        }
    }

    /// How a region is accessed through a pointer, and at which index if it is an array. A place in
    /// a population is an element like any other.
    fn cell_of(
        &mut self,
        region: Option<RegionId>,
        pointer: ValueId,
    ) -> (Contents, LinearExpression) {
        let contents = region.map_or(Contents::Dropped, |region| self.contents[region]);
        match (contents, region) {
            (Contents::Population(population), Some(region)) => {
                let (arrays, weak) = (population.arrays, false);
                let place = self.place_in(population, region, pointer);
                let index = LinearExpression::variable(place);
                (Contents::Array { arrays, weak }, index)
            }
            (contents, _) => (contents, self.pointer(pointer).offset),
        }
    }

    pub(super) fn read_pointer(
        &mut self,
        parts: PointerVariables,
        index: &Operand,
        target: PointerVariables,
    ) {
        let bytes = self.module.layout.pointer_bytes;
        let flag = self
            .emitter
            .temporary(GotoType::Integer { width: 8 * bytes });
        let reads = [
            (flag, parts.is_object),
            (target.offset, parts.offset),
            (target.size, parts.size),
        ];
        for (target, array) in reads {
            let access = cell(array, index.clone(), bytes);
            self.emitter.push(Statement::ArrayRead { target, access });
        }
        let set = LinearConstraint::not_equal(flag, 0);
        self.emitter
            .decide(target.is_object, Condition::Linear(set));
        self.emitter.assume_size(target.size);
    }

    /// Cuts what lies in memory to the type of a value.
    fn cut_cell(&mut self, result: ValueId, cell: GotoVariable) {
        match self.shapes[result] {
            Shape::Integer(target) => {
                // Assignments wrap.
                self.emitter
                    .assign(target, LinearExpression::variable(cell));
            }
            Shape::Boolean(_) => {
                let low = self.low_bit(cell);
                let odd = LinearConstraint::not_equal(low, 0);
                self.define(result, Decision::literal(odd.into()));
            }
            Shape::Nothing | Shape::Pointer(_) => {}
        }
    }

    fn low_bit(&mut self, cell: GotoVariable) -> GotoVariable {
        let low = self.emitter.temporary(cell.ty());
        self.emitter.push(Statement::Binary {
            operator: BinaryOperator::And,
            target: low,
            left: cell.into(),
            right: 1.into(),
        });
        low
    }

    /// What a store leaves behind.
    pub(super) fn write_memory(&mut self, id: InstId, pointer: ValueId, value: ValueId) {
        let Some(memory) = self.body.instructions[id].memory.first().copied() else {
            return;
        };
        let (contents, offset) = self.cell_of(Some(memory.region), pointer);
        match contents {
            Contents::Dropped | Contents::Population(_) => self.dropped.count(DroppedKind::Memory),
            Contents::Scalar { shape, .. } => self.write_scalar(shape, value),
            Contents::Array { arrays, weak } => {
                let index = self.index(offset);
                let statements = self.array_write(arrays, &index, value);
                self.write(weak, statements);
            }
        }
    }

    fn write_scalar(&mut self, shape: Shape, value: ValueId) {
        match (shape, self.body.ty(value)) {
            (Shape::Integer(cell), Type::Int(_)) => self.extend_to_cell(cell, value),
            (Shape::Pointer(_), Type::Ptr) => self.copy(shape, value),
            (
                Shape::Integer(_) | Shape::Pointer(_) | Shape::Nothing | Shape::Boolean(_),
                Type::Int(_) | Type::Ptr | Type::F32 | Type::F64 | Type::Memory(_),
            ) => self.havoc_shape(shape),
        }
    }

    /// Extends a value to what lies in memory.
    fn extend_to_cell(&mut self, cell: GotoVariable, value: ValueId) {
        match self.shapes[value] {
            Shape::Integer(source) if source.width() == cell.width() => {
                self.emitter
                    .assign(cell, LinearExpression::variable(source));
            }
            Shape::Integer(source) => self.emitter.push(Statement::Cast {
                cast: Cast::ZeroExtend,
                target: cell,
                source,
            }),
            Shape::Boolean(source) => self.emitter.push(Statement::BooleanToInteger {
                target: cell,
                source,
            }),
            Shape::Nothing | Shape::Pointer(_) => match self.body.as_constant(value) {
                Some(foghorn_ir::Constant::Int(bits)) => {
                    let width = cell.width().expect("invariant: cells are machine integers");
                    let number = super::operand::signed(bits, width);
                    self.emitter
                        .assign(cell, LinearExpression::constant(number));
                }
                Some(_) | None => self.emitter.havoc(cell),
            },
        }
    }

    /// The statements that write a value to a cell.
    fn array_write(&mut self, arrays: Arrays, index: &Operand, value: ValueId) -> Vec<Statement> {
        let size = self.store_size(value);
        let ty = GotoType::Integer { width: 8 * size };
        match arrays {
            Arrays::Integers { array, .. } => {
                let stored = self.emitter.temporary(ty);
                match self.body.ty(value) {
                    Type::Int(_) => self.extend_to_cell(stored, value),
                    Type::Ptr | Type::F32 | Type::F64 | Type::Memory(_) => {
                        self.emitter.havoc(stored);
                    }
                }
                vec![Statement::ArrayWrite {
                    access: cell(array, index.clone(), size),
                    value: stored.into(),
                }]
            }
            Arrays::Pointers(parts) => {
                let shape = Shape::Pointer(PointerVariables {
                    is_object: self.emitter.temporary(GotoType::Boolean),
                    offset: self.emitter.temporary(ty),
                    size: self.emitter.temporary(ty),
                });
                match self.body.ty(value) {
                    Type::Ptr => self.copy(shape, value),
                    Type::Int(_) | Type::F32 | Type::F64 | Type::Memory(_) => {
                        self.havoc_shape(shape);
                    }
                }
                self.pointer_writes(parts, index, shape)
            }
        }
    }

    /// The statements that write the parts of a pointer to their arrays.
    pub(super) fn pointer_writes(
        &mut self,
        arrays: PointerVariables,
        index: &Operand,
        shape: Shape,
    ) -> Vec<Statement> {
        let bytes = self.module.layout.pointer_bytes;
        let Shape::Pointer(parts) = shape else {
            return Vec::new();
        };
        let flag = self
            .emitter
            .temporary(GotoType::Integer { width: 8 * bytes });
        self.emitter.push(Statement::BooleanToInteger {
            target: flag,
            source: parts.is_object,
        });
        let pairs = [
            (arrays.is_object, flag),
            (arrays.offset, parts.offset),
            (arrays.size, parts.size),
        ];
        pairs
            .into_iter()
            .map(|(array, value)| Statement::ArrayWrite {
                access: cell(array, index.clone(), bytes),
                value: value.into(),
            })
            .collect()
    }

    /// Writes to the one object of a region, or to one of several.
    pub(super) fn write(&mut self, weak: bool, statements: Vec<Statement>) {
        if !weak {
            statements.into_iter().for_each(|it| self.emitter.push(it));
            return;
        }
        let either = [Vec::new(), Vec::new()];
        self.emitter.fork(&either, |emitter, case| {
            if case == 0 {
                statements.iter().for_each(|it| emitter.push(it.clone()));
            }
        });
    }

    /// Fills the regions of a range with a byte.
    pub(super) fn fill(
        &mut self,
        id: InstId,
        destination: ValueId,
        byte: ValueId,
        length: ValueId,
    ) {
        let body = self.body;
        let offset = self.pointer(destination).offset;
        let length = self.expression(length);
        let value = self.body.as_constant(byte);
        for memory in &body.instructions[id].memory {
            let done = match value {
                Some(foghorn_ir::Constant::Int(bits)) => {
                    self.fill_region(memory, destination, (&offset, &length), bits & 0xff)
                }
                Some(_) | None => false,
            };
            if !done {
                self.dropped.count(DroppedKind::Memory);
                self.havoc_region(memory.region);
            }
        }
    }

    /// False if the fill is not followed.
    fn fill_region(
        &mut self,
        memory: &MemoryUse,
        destination: ValueId,
        (offset, length): (&LinearExpression, &LinearExpression),
        byte: u128,
    ) -> bool {
        match self.contents[memory.region] {
            Contents::Dropped => true,
            Contents::Population(population) => {
                let place = population.start.known().map(LinearExpression::constant);
                let place = place.as_ref();
                match place.and_then(|it| covers(offset, length, it, population.bytes)) {
                    Some(true) => self.fill_place(population, memory.region, destination, byte),
                    Some(false) => true,
                    None => false,
                }
            }
            Contents::Scalar { shape, start } => {
                let Shape::Integer(cell) = shape else {
                    return false;
                };
                let width = cell.width().unwrap_or_default();
                let covered = self
                    .own_place(start)
                    .and_then(|place| covers(offset, length, &place, width / 8));
                match covered {
                    Some(true) => {
                        let number = splat(byte, width);
                        self.emitter
                            .assign(cell, LinearExpression::constant(number));
                        true
                    }
                    Some(false) => true,
                    None => false,
                }
            }
            Contents::Array {
                arrays: Arrays::Integers { array, bytes, .. },
                weak: false,
            } => {
                // The last cell counts only if it is filled to its end.
                let last = i64::from(bytes) - 1;
                let mut end = offset.plus(length);
                end.add_constant(&Number::from(-last));
                let (lower, upper) = (self.index(offset.clone()), self.index(end));
                let value = splat(byte, 8 * bytes);
                self.emitter.push(Statement::ArrayInit {
                    target: array,
                    lower,
                    upper,
                    value: Operand::Constant(value),
                    size: bytes,
                    endianness: Endianness::Little,
                });
                true
            }
            Contents::Array { .. } => false,
        }
    }

    pub(super) fn havoc_shape(&mut self, shape: Shape) {
        for variable in shape.variables() {
            self.emitter.havoc(variable);
        }
        if let Shape::Pointer(pointer) = shape {
            self.emitter.assume_size(pointer.size);
        }
    }
}

/// Forgets contents.
pub(super) fn havoc_contents(emitter: &mut Emitter<'_>, contents: Contents) {
    if let Contents::Array {
        arrays:
            Arrays::Integers {
                array,
                bytes,
                mixed: false,
                start,
            },
        weak: false,
    } = contents
    {
        // Nothing is known of a fresh array of no cells, but a domain can follow how it is filled.
        let start = start.known().unwrap_or_default();
        emitter.push(Statement::ArrayInit {
            target: array,
            lower: start.into(),
            upper: start.into(),
            value: 0.into(),
            size: bytes,
            endianness: Endianness::Little,
        });
        return;
    }
    if let Contents::Population(population) = contents {
        // As many objects as before.
        return super::population::forget(emitter, population);
    }
    for variable in contents.variables() {
        emitter.havoc(variable);
    }
    if let Contents::Scalar {
        shape: Shape::Pointer(pointer),
        ..
    } = contents
    {
        emitter.assume_size(pointer.size);
    }
}

/// Whether a range at a constant distance and of constant length has all of a cell, or nothing;
/// `None` if it has a part, or if it is not constant.
pub(super) fn covers(
    offset: &LinearExpression,
    length: &LinearExpression,
    place: &LinearExpression,
    bytes: u32,
) -> Option<bool> {
    let offset = i128::from(offset.minus(place).as_constant()?.to_i64()?);
    let end = offset + i128::from(length.as_constant()?.to_i64()?);
    let (first, last) = (0, i128::from(bytes));
    if offset <= first && last <= end {
        Some(true)
    } else if end <= first || last <= offset {
        Some(false)
    } else {
        None
    }
}

/// The number whose bytes are all the same.
pub(super) fn splat(byte: u128, width: u32) -> Number {
    let word = (0..width / 8).fold(0, |word, _| word << 8 | byte);
    super::operand::signed(word, width)
}
