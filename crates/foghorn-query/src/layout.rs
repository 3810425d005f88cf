//! Where objects lie in a model of the solver.
//!
//! A base is part of a formula only if the program asks for the address. For the objects of each
//! allocation that has one, in the order in which they are made, the model says where they are; the
//! interpreter asks in the same terms.

use foghorn_encode::semantics::object::{Object, Objects};
use foghorn_ir::interpret::Allocation;
use foghorn_term::TermId;
use foghorn_term::eval::{EvalError, Evaluator};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;

/// Addresses that operating systems give to programs: not the first pages, nor the upper half of
/// what 64-bit machines have wires for.
pub const USER_ADDRESSES: Range<u64> = 1 << 16..1 << 46;

/// The bases of a model; 0 where there is none.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    bases: FxHashMap<Allocation, Vec<u64>>,
}

/// The objects whose place is asked for, and others of the same allocations.
fn relevant(objects: &Objects) -> Vec<&Object> {
    let all = objects.in_order().iter();
    let all: Vec<&Object> = all.filter_map(|&number| objects.get(number)).collect();
    let placed = all.iter().filter(|object| object.base.is_some());
    let placed: FxHashSet<Allocation> = placed.map(|object| object.allocation).collect();
    let relevant = all.into_iter();
    relevant
        .filter(|object| placed.contains(&object.allocation))
        .collect()
}

impl Layout {
    /// The terms whose values a layout is made of.
    pub fn terms(objects: &Objects) -> Vec<TermId> {
        let relevant = relevant(objects).into_iter();
        relevant
            .flat_map(|object| object.base.into_iter().chain([object.allocated]))
            .collect()
    }

    /// The layout of a model.
    pub fn new(evaluator: &mut Evaluator<'_>, objects: &Objects) -> Result<Self, EvalError> {
        let mut layout = Layout::default();
        for object in relevant(objects) {
            if !evaluator.evaluate(object.allocated)?.as_bool() {
                continue;
            }
            let base = match object.base {
                Some(base) => evaluator.evaluate(base)?.as_bitvec().to_u64().unwrap_or(0),
                None => 0,
            };
            layout
                .bases
                .entry(object.allocation)
                .or_default()
                .push(base);
        }
        Ok(layout)
    }

    /// No address is asked for.
    pub fn is_empty(&self) -> bool {
        self.bases.is_empty()
    }

    /// Whether an object lies where no program has objects.
    pub fn is_unlikely(&self) -> bool {
        let mut bases = self.bases.values().flatten();
        bases.any(|base| *base != 0 && !USER_ADDRESSES.contains(base))
    }

    /// Where the n-th object of an allocation lies.
    pub fn base(&self, allocation: Allocation, place: usize) -> Option<u64> {
        let bases = self.bases.get(&allocation)?;
        bases.get(place).copied().filter(|&base| base != 0)
    }
}
