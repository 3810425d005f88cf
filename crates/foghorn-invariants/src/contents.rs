//! How the contents of a region are followed.
//!
//! The pure form names contents by values, but each use takes the latest contents of its region, so
//! the goto language needs one variable per region and function, which writes change in place.
//!
//! - A region that is one cell of one object is a **scalar**.
//! - A region of one object at a time is an **array**, indexed by the offset of the pointer.
//! - A region that is one cell of each of several objects, all of them made by the program, is a
//!   **population**: an array with the cell of the n-th object that was born in the n-th place, and
//!   how many bytes that makes. A pointer that an allocation of the function gave leads to the
//!   place of that object, any other one to some place. So a domain can follow how a list is filled, cell by cell.
//! - Another region of several objects is an array, if none of them is born while the function
//!   runs: what it says of an offset is said of that offset of every object, so a write may change
//!   it or not (*weak*). A new object would have contents that nothing was said of.
//! - Others are **dropped**.
//!
//! A cell that holds pointers is three variables, as a pointer is ([`crate::shape`]).

use cranelift_entity::EntityRef as _;
use foghorn_absint::variable::{Type as GotoType, VariableId as GotoVariable};
use foghorn_ir::{Cell, FunctionId, Module, RegionId};

use crate::shape::{PointerVariables, Shape};
use foghorn_dsa::table::{RegionTable, Start};

/// What one cell is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CellKind {
    /// An integer of so many bytes; with `mixed`, accesses of other widths exist.
    Integer {
        bytes: u32,
        mixed: bool,
    },
    Pointer,
}

/// How a region is followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Representation {
    Dropped,
    /// The cell at this offset.
    Scalar {
        cell: CellKind,
        start: Start,
    },
    Array {
        cell: CellKind,
        weak: bool,
        start: Start,
    },
    Population {
        cell: CellKind,
        start: Start,
    },
}

/// The variables of a region, or none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Contents {
    #[default]
    Dropped,
    Scalar {
        shape: Shape,
        start: Start,
    },
    /// An array of integers, or three for pointers.
    Array {
        arrays: Arrays,
        weak: bool,
    },
    Population(Population),
}

/// One cell of each of many objects, in the order in which they were born.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Population {
    pub arrays: Arrays,
    /// Bytes of each cell.
    pub bytes: u32,
    /// Bytes of all cells: an unbounded integer, since objects may be born and die for ever.
    pub count: GotoVariable,
    /// Where the cell is in its object.
    pub start: Start,
}

/// The arrays of a region.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arrays {
    Integers {
        array: GotoVariable,
        bytes: u32,
        mixed: bool,
        /// Where its first cell is.
        start: Start,
    },
    /// The parts of pointers, each in an array of integers as wide as a pointer.
    Pointers(PointerVariables),
}

impl Contents {
    /// The variables, in the order in which they are passed to calls.
    #[must_use]
    pub fn variables(self) -> Vec<GotoVariable> {
        match self {
            Contents::Dropped => Vec::new(),
            Contents::Scalar { shape, .. } => shape.variables(),
            Contents::Array { arrays, .. } => arrays.variables(),
            Contents::Population(Population { arrays, count, .. }) => {
                let mut variables = arrays.variables();
                variables.push(count);
                variables
            }
        }
    }
}

impl Arrays {
    /// The arrays, in the order in which they are passed to calls.
    #[must_use]
    pub fn variables(self) -> Vec<GotoVariable> {
        match self {
            Arrays::Integers { array, .. } => vec![array],
            Arrays::Pointers(parts) => Shape::Pointer(parts).variables(),
        }
    }
}

impl Representation {
    /// The types of the variables.
    #[must_use]
    pub fn types(self, pointer_bits: u32) -> Vec<GotoType> {
        let address = GotoType::Integer {
            width: pointer_bits,
        };
        match self {
            Representation::Dropped => Vec::new(),
            Representation::Scalar {
                cell: CellKind::Integer { bytes, .. },
                ..
            } => vec![GotoType::Integer { width: 8 * bytes }],
            Representation::Scalar {
                cell: CellKind::Pointer,
                ..
            } => vec![GotoType::Boolean, address, address],
            Representation::Array {
                cell: CellKind::Integer { .. },
                ..
            } => vec![GotoType::Array],
            Representation::Array {
                cell: CellKind::Pointer,
                ..
            } => vec![GotoType::Array; 3],
            Representation::Population {
                cell: CellKind::Integer { .. },
                ..
            } => vec![GotoType::Array, GotoType::Unbounded],
            Representation::Population {
                cell: CellKind::Pointer,
                ..
            } => vec![
                GotoType::Array,
                GotoType::Array,
                GotoType::Array,
                GotoType::Unbounded,
            ],
        }
    }

    /// Variables of these types as contents.
    #[must_use]
    pub fn contents(self, variables: &[GotoVariable], pointer_bytes: u32) -> Contents {
        match (self, variables) {
            (
                Representation::Population {
                    cell: CellKind::Integer { bytes, mixed },
                    start,
                },
                &[array, count],
            ) => Contents::Population(Population {
                arrays: Arrays::Integers {
                    array,
                    bytes,
                    mixed,
                    start: Start::Known(0),
                },
                bytes,
                count,
                start,
            }),
            (
                Representation::Population {
                    cell: CellKind::Pointer,
                    start,
                },
                &[.., count],
            ) => Contents::Population(Population {
                arrays: Arrays::Pointers(pointer(variables)),
                bytes: pointer_bytes,
                count,
                start,
            }),
            (
                Representation::Scalar {
                    cell: CellKind::Integer { .. },
                    start,
                },
                [x],
            ) => Contents::Scalar {
                shape: Shape::Integer(*x),
                start,
            },
            (
                Representation::Scalar {
                    cell: CellKind::Pointer,
                    start,
                },
                parts,
            ) => Contents::Scalar {
                shape: Shape::Pointer(pointer(parts)),
                start,
            },
            (
                Representation::Array {
                    cell: CellKind::Integer { bytes, mixed },
                    weak,
                    start,
                },
                [array],
            ) => Contents::Array {
                arrays: Arrays::Integers {
                    array: *array,
                    bytes,
                    mixed,
                    start,
                },
                weak,
            },
            (
                Representation::Array {
                    cell: CellKind::Pointer,
                    weak,
                    ..
                },
                parts,
            ) => Contents::Array {
                arrays: Arrays::Pointers(pointer(parts)),
                weak,
            },
            (
                Representation::Dropped
                | Representation::Scalar { .. }
                | Representation::Array { .. }
                | Representation::Population { .. },
                _,
            ) => Contents::Dropped,
        }
    }
}

fn pointer(parts: &[GotoVariable]) -> PointerVariables {
    PointerVariables {
        is_object: parts[0],
        offset: parts[1],
        size: parts[2],
    }
}

/// How a region of a function is followed; the same answer for its callers and for itself.
#[must_use]
pub fn representation(
    module: &Module,
    regions: &RegionTable,
    function: FunctionId,
    region: RegionId,
) -> Representation {
    let body = module.functions[function].body.as_ref();
    let Some(cell) = body.and_then(|body| Some(body.regions.get(region)?.cell)) else {
        return Representation::Dropped;
    };
    let Some(facts) = regions.of(function, region) else {
        return Representation::Dropped;
    };
    let pointer_bytes = module.layout.pointer_bytes;
    let (cell, bytes) = match cell {
        Cell::Bytes => {
            let (bytes, mixed) = (1, true);
            (CellKind::Integer { bytes, mixed }, None)
        }
        Cell::Word { bytes } if bytes > 8 => return Representation::Dropped,
        Cell::Word { bytes } => {
            let mixed = false;
            (CellKind::Integer { bytes, mixed }, Some(bytes))
        }
        Cell::Pointer => (CellKind::Pointer, Some(pointer_bytes)),
    };
    let is_cell = facts.length.is_some() && facts.length == bytes.map(i64::from);
    match (facts.single, facts.born_here) {
        (true, _) if is_cell => Representation::Scalar {
            cell,
            start: facts.start,
        },
        (true, _) => Representation::Array {
            cell,
            weak: false,
            start: facts.start,
        },
        (false, _) if is_cell && facts.made_by_program => Representation::Population {
            cell,
            start: facts.start,
        },
        (false, false) => Representation::Array {
            cell,
            weak: true,
            start: facts.start,
        },
        (false, true) => Representation::Dropped,
    }
}

/// The name of a region's variable.
#[must_use]
pub fn variable_name(module: &Module, function: FunctionId, region: RegionId) -> String {
    let body = module.functions[function].body.as_ref();
    let name = body.map(|body| body.regions[region].name.to_string());
    format!("{}.m{}", name.unwrap_or_default(), region.index())
}
