//! What regions hold when the program starts: the contents of globals, and else anything.

use foghorn_absint::language::{Condition, Endianness, Operand, Statement};
use foghorn_absint::linear::LinearExpression;
use foghorn_absint::number::Number;
use foghorn_absint::variable::VariableId as GotoVariable;
use foghorn_encode::fact::function_size;
use foghorn_ir::{FunctionId, Global, GlobalContents, Initializer, Module, RegionId, Symbol};

use super::contents::{cell, havoc_contents};
use super::operand::signed;
use super::population::any_count;
use crate::contents::{Arrays, Contents, representation};
use crate::emitter::Emitter;
use crate::shape::{PointerVariables, Shape};
use foghorn_dsa::table::{RegionTable, Start};

/// More cells than this that are not zero are not listed.
const MOST_CELLS: usize = 64;

/// The variables of a region of a function that the outside calls, with what they hold then.
pub(super) fn initial_contents(
    module: &Module,
    regions: &RegionTable,
    emitter: &mut Emitter<'_>,
    function: FunctionId,
    region: RegionId,
) -> Vec<GotoVariable> {
    let way = representation(module, regions, function, region);
    let types = way.types(module.layout.pointer_bits());
    let variables: Vec<GotoVariable> = types.into_iter().map(|ty| emitter.temporary(ty)).collect();
    let contents = way.contents(&variables, module.layout.pointer_bytes);
    if let Contents::Population(population) = contents {
        // What constructors made may be there.
        let none = module.entry == Some(function) && module.constructors.is_empty();
        match none {
            true => emitter.assign(population.count, LinearExpression::constant(0)),
            false => any_count(emitter, population),
        }
    }
    havoc_contents(emitter, contents);
    let facts = regions.of(function, region);
    let global = facts
        .and_then(|facts| facts.global)
        .map(|id| &module.globals[id]);
    if module.entry == Some(function)
        && let Some(global) = global
        && let GlobalContents::Initialised(initializer) = &global.contents
    {
        match contents {
            // A global is in no population.
            Contents::Dropped | Contents::Population(_) => {}
            Contents::Scalar { shape, start } => {
                initial_scalar(module, emitter, shape, start, global, initializer);
            }
            Contents::Array { arrays, .. } => {
                let pointer_bytes = u64::from(module.layout.pointer_bytes);
                let touches = |offset: u64, bytes: u64| {
                    facts.is_none_or(|facts| facts.touches(offset, bytes))
                };
                let mut addresses = initializer.relocations.iter();
                if !addresses.any(|it| touches(it.offset, pointer_bytes)) {
                    initial_array(emitter, arrays, global, initializer, &touches);
                }
            }
        }
    }
    variables
}

/// The bytes of a global from an offset on, as a little-endian number; `None` where an address is,
/// or where the global has ended.
fn number_at(
    global: &Global,
    initializer: &Initializer,
    offset: u64,
    bytes: u32,
    pointer_bytes: u32,
) -> Option<u128> {
    let end = offset + u64::from(bytes);
    let touches = |start: u64| start < end && offset < start + u64::from(pointer_bytes);
    let mut relocations = initializer.relocations.iter();
    if end > global.size || relocations.any(|it| touches(it.offset)) {
        return None;
    }
    let mut number = 0u128;
    for (start, chunk) in &initializer.chunks {
        for (place, byte) in (*start..).zip(chunk) {
            if (offset..end).contains(&place) {
                number |= u128::from(*byte) << (8 * (place - offset));
            }
        }
    }
    Some(number)
}

fn initial_scalar(
    module: &Module,
    emitter: &mut Emitter<'_>,
    shape: Shape,
    start: Start,
    global: &Global,
    initializer: &Initializer,
) {
    let Some(offset) = start.known().and_then(|it| u64::try_from(it).ok()) else {
        return;
    };
    let pointer_bytes = module.layout.pointer_bytes;
    match shape {
        Shape::Integer(x) => {
            let width = x.width().unwrap_or_default();
            let found = number_at(global, initializer, offset, width / 8, pointer_bytes);
            if let Some(bits) = found {
                emitter.assign(x, LinearExpression::constant(signed(bits, width)));
            }
        }
        Shape::Pointer(pointer) => {
            initial_pointer(module, emitter, pointer, offset, global, initializer);
        }
        Shape::Nothing | Shape::Boolean(_) => {}
    }
}

fn initial_pointer(
    module: &Module,
    emitter: &mut Emitter<'_>,
    pointer: PointerVariables,
    offset: u64,
    global: &Global,
    initializer: &Initializer,
) {
    let mut relocations = initializer.relocations.iter();
    if let Some(relocation) = relocations.find(|it| it.offset == offset) {
        emitter.decide(pointer.is_object, Condition::Constant(true));
        let addend = Number::from(relocation.addend);
        emitter.assign(pointer.offset, LinearExpression::constant(addend));
        let size = match relocation.target {
            Symbol::Function(function) => Some(Number::from(function_size(function))),
            Symbol::Global(target) => {
                let target = &module.globals[target];
                let own = matches!(target.contents, GlobalContents::Initialised(_));
                own.then(|| Number::from(target.size))
            }
        };
        if let Some(size) = size {
            emitter.assign(pointer.size, LinearExpression::constant(size));
        }
        return;
    }
    let bytes = module.layout.pointer_bytes;
    if number_at(global, initializer, offset, bytes, bytes) == Some(0) {
        emitter.decide(pointer.is_object, Condition::Constant(false));
        emitter.assign(pointer.offset, LinearExpression::constant(0));
        emitter.assign(pointer.size, LinearExpression::constant(0));
    }
}

/// All cells zero, then those that are not. Addresses are left unknown, and so is all of an array
/// of them.
fn initial_array(
    emitter: &mut Emitter<'_>,
    arrays: Arrays,
    global: &Global,
    initializer: &Initializer,
    touches: &dyn Fn(u64, u64) -> bool,
) {
    let Arrays::Integers {
        array,
        bytes,
        mixed: false,
        ..
    } = arrays
    else {
        return;
    };
    let size = u64::from(bytes);
    let mut cells: Vec<u64> = Vec::new();
    for (start, chunk) in &initializer.chunks {
        let set = (*start..).zip(chunk).filter(|(_, byte)| **byte != 0);
        cells.extend(set.map(|(place, _)| place - place % size));
    }
    cells.sort_unstable();
    cells.dedup();
    cells.retain(|offset| touches(*offset, size));
    if cells.len() > MOST_CELLS {
        return;
    }
    emitter.push(Statement::ArrayInit {
        target: array,
        lower: Operand::from(0),
        upper: Operand::Constant(Number::from(global.size - global.size % size)),
        value: Operand::from(0),
        size: bytes,
        endianness: Endianness::Little,
    });
    for offset in cells {
        let found = number_at(global, initializer, offset, bytes, bytes);
        let Some(bits) = found else { continue };
        emitter.push(Statement::ArrayWrite {
            access: cell(array, Operand::Constant(Number::from(offset)), bytes),
            value: Operand::Constant(signed(bits, 8 * bytes)),
        });
    }
}
