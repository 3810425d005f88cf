//! Arrays that rows speak of: any offset, and what is there ([`crate::arrays`]).

use super::record::{Array, LoopKey, Quantity};
use super::{Cut, key_of};
use foghorn_encode::execute::{Executor, LoopHead};
use foghorn_ir::Cell;
use foghorn_term::Sort;

impl Cut {
    /// Rows may speak of an array from the next run on; whether that is new.
    pub fn follow_array(&mut self, of: &LoopKey, array: Array) -> bool {
        let known = self.arrays.entry(of.clone()).or_default();
        let is_new = !known.contains_key(&array);
        known.entry(array).or_default();
        is_new
    }

    /// Any offset, and what is there, of the arrays that rows speak of at this head.
    pub(super) fn array_quantities(
        &mut self,
        executor: &mut Executor<'_, '_>,
        head: &LoopHead,
    ) -> Vec<Quantity> {
        let (key, body) = (key_of(executor, head), executor.body());
        let mut quantities = vec![];
        for (&of, symbol) in self.arrays.get_mut(&key).into_iter().flatten() {
            let param = body.blocks[head.block].params[of.parameter];
            let region = body.ty(param).region();
            let cell = region.map(|region| executor.cell(&body.regions[region]));
            let has_numbers = matches!(cell, Some(Cell::Bytes | Cell::Word { .. }));
            // The number of an object that the loop makes means another one at the next head.
            if !has_numbers || executor.objects().get(of.object).is_none() {
                continue;
            }
            let sort = Sort::BitVec(executor.pointer_bits());
            let symbol = *symbol.get_or_insert_with(|| executor.pool.fresh_symbol("any", sort));
            quantities.push(Quantity::AnyOffset { of, symbol });
            quantities.push(Quantity::AnyElement { of, symbol });
        }
        quantities
    }
}
