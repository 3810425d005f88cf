//! The quantities at a place: what rows speak of, as terms.

use super::lost;
use super::record::{Quantity, State};
use foghorn_encode::execute::{Executor, LoopHead};
use foghorn_ir::{Cell, ValueId};
use foghorn_term::{Sort, TermId};
use rustc_hash::FxHashSet;

/// Where quantities are read.
pub(super) struct Place<'a> {
    pub(super) params: &'a [ValueId],
    pub(super) arguments: &'a [TermId],
    /// The objects that existed when the loop was entered.
    pub(super) known: &'a FxHashSet<u64>,
    /// What the quantities were then.
    pub(super) entered: &'a [TermId],
}

/// The quantities at the head as it is entered.
pub(super) fn state(
    executor: &mut Executor<'_, '_>,
    head: &LoopHead,
    quantities: &[Quantity],
    (known, entered): (&FxHashSet<u64>, &[TermId]),
) -> State {
    let params: Vec<ValueId> = executor.body().blocks[head.block].params.clone();
    let arguments: Vec<TermId> = params.iter().map(|&param| executor.get(param)).collect();
    let guard = executor.guard();
    let place = Place {
        params: &params,
        arguments: &arguments,
        known,
        entered,
    };
    state_of(executor, guard, &place, quantities)
}

pub(super) fn state_of(
    executor: &mut Executor<'_, '_>,
    guard: TermId,
    place: &Place<'_>,
    quantities: &[Quantity],
) -> State {
    let mut values = vec![];
    for quantity in quantities {
        let value = value_of(executor, place, quantity);
        let value = executor.simplify(value);
        values.push(match executor.pool.sort(value) {
            Sort::Bool => executor.pool.bool_to_bv(value),
            _ => value,
        });
    }
    // What reading took for granted is not exact elsewhere either, and is stated where the program reads.
    let _ = executor.memory.take_obligations();
    State {
        guard,
        values,
        position: executor.events().len(),
    }
}

fn value_of(executor: &mut Executor<'_, '_>, place: &Place<'_>, quantity: &Quantity) -> TermId {
    match *quantity {
        Quantity::Register { parameter } => place.arguments[parameter],
        Quantity::Base { parameter } => base_of(executor, place, place.arguments[parameter]),
        Quantity::Offset { parameter } => executor.offset_of(place.arguments[parameter]),
        Quantity::Cell {
            parameter,
            object,
            offset,
        } => read(executor, place, parameter, object, offset),
        Quantity::CellBase {
            parameter,
            object,
            offset,
        } => {
            let pointer = read(executor, place, parameter, object, offset);
            base_of(executor, place, pointer)
        }
        Quantity::CellOffset {
            parameter,
            object,
            offset,
        } => {
            let pointer = read(executor, place, parameter, object, offset);
            executor.offset_of(pointer)
        }
        Quantity::Dead { object } => {
            let known = executor.objects().get(object).map(|object| object.dead);
            known.unwrap_or_else(|| executor.pool.bool(true))
        }
        Quantity::Outer { value } => executor.get(value),
        Quantity::Entered { of } => place.entered[of],
        Quantity::AnyOffset { symbol, .. } => symbol,
        Quantity::AnyElement { of, symbol } => {
            read_at(executor, place, of.parameter, of.object, symbol)
        }
    }
}

/// The object of a pointer, if it existed when the loop was entered; else a lost one.
fn base_of(executor: &mut Executor<'_, '_>, place: &Place<'_>, pointer: TermId) -> TermId {
    let base = executor.base_of(pointer);
    let width = executor.pointer_bits();
    let numbers = executor.objects().in_order().iter().copied();
    let made: Vec<u64> = numbers.filter(|it| !place.known.contains(it)).collect();
    let mut cases = vec![];
    for number in made {
        let literal = executor.pool.bv(width, number);
        cases.push(executor.pool.equal(base, literal));
    }
    let is_made = executor.pool.or(&cases);
    let number = executor.pool.bv(width, lost(width));
    executor.pool.ite(is_made, number, base)
}

/// The contents of a cell at a literal place.
fn read(
    executor: &mut Executor<'_, '_>,
    place: &Place<'_>,
    parameter: usize,
    object: u64,
    offset: u64,
) -> TermId {
    let offset = executor.pool.bv(executor.pointer_bits(), offset);
    read_at(executor, place, parameter, object, offset)
}

/// The contents of a cell of an object.
fn read_at(
    executor: &mut Executor<'_, '_>,
    place: &Place<'_>,
    parameter: usize,
    object: u64,
    offset: TermId,
) -> TermId {
    let body = executor.body();
    let width = executor.pointer_bits();
    let region = body.ty(place.params[parameter]).region();
    let region = region.expect("invariant: cells are of memories");
    let sort = match executor.cell(&body.regions[region]) {
        Cell::Bytes => Sort::BitVec(8),
        Cell::Word { bytes } => Sort::BitVec(8 * bytes),
        Cell::Pointer => Sort::Pointer { width },
    };
    let base = executor.pool.bv(width, object);
    let pointer = executor.pool.pointer(base, offset);
    let (memory, pool) = (&mut *executor.memory, &mut *executor.pool);
    memory.read(pool, place.arguments[parameter], pointer, sort)
}
