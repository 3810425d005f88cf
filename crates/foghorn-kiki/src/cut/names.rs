//! What people call quantities: by the names of the source where there are such.

use super::record::Quantity;
use foghorn_encode::execute::{Executor, LoopHead};
use foghorn_ir::ValueId;
use foghorn_ir::interpret::Allocation;

/// What people call a quantity.
pub(super) fn describe(
    executor: &Executor<'_, '_>,
    head: &LoopHead,
    quantity: &Quantity,
) -> String {
    let body = executor.body();
    let name_of = |value: ValueId| match &body.values[value].name {
        Some(name) => name.to_string(),
        None => format!("{value}"),
    };
    let name = |parameter: usize| name_of(body.blocks[head.block].params[parameter]);
    match *quantity {
        Quantity::Register { parameter } => name(parameter),
        Quantity::Base { parameter } => format!("object({})", name(parameter)),
        Quantity::Offset { parameter } => format!("offset({})", name(parameter)),
        Quantity::Cell { object, offset, .. } => cell_name(executor, object, offset),
        Quantity::CellBase { object, offset, .. } => {
            format!("object({})", cell_name(executor, object, offset))
        }
        Quantity::CellOffset { object, offset, .. } => {
            format!("offset({})", cell_name(executor, object, offset))
        }
        Quantity::Dead { object } => format!("dead({})", object_name(executor, object)),
        Quantity::Outer { value } => name_of(value),
        Quantity::Entered { of } => format!("entered({of})"),
        Quantity::AnyOffset { of, .. } => format!("any({})", object_name(executor, of.object)),
        Quantity::AnyElement { of, .. } => {
            let object = object_name(executor, of.object);
            format!("{object}[any({object})]")
        }
    }
}

fn cell_name(executor: &Executor<'_, '_>, object: u64, offset: u64) -> String {
    let object = object_name(executor, object);
    match offset {
        0 => object,
        offset => format!("{object}[{offset}]"),
    }
}

fn object_name(executor: &Executor<'_, '_>, number: u64) -> String {
    let allocation = executor.objects().get(number).map(|it| it.allocation);
    match allocation {
        Some(Allocation::Global(global)) => executor.module().globals[global].name.to_string(),
        Some(Allocation::Function(function)) => {
            executor.module().functions[function].name.to_string()
        }
        Some(Allocation::Instruction(..) | Allocation::Arguments) | None => {
            format!("object{number}")
        }
    }
}
