//! Array summaries: contents of memory by a formula, what a loop has written, cell by cell.
//!
//! The memory after a loop is the memory before it with a range copied from a memory of which nothing
//! is known. What is read from that memory is an application of its function; here it is defined.

use super::linear::{Known, Linear};
use foghorn_encode::execute::new_name;
use foghorn_term::{FunctionId, Op, SortId, Substitution, TermId, TermPool};
use rustc_hash::FxHashMap;

/// The cells that the iterations of a loop wrote.
#[derive(Clone, Debug)]
pub struct Contents {
    /// The offset of the cell with index 0.
    pub start: Linear,
    /// From one cell to the next, in bytes: a power of two.
    pub stride: u64,
    /// The value of the cell whose index is the bound symbol.
    pub value: TermId,
}

/// All contents that are defined, by the functions that read them.
#[derive(Debug)]
pub struct Definitions {
    /// The symbol that stands for the index in definitions.
    pub index: TermId,
    contents: FxHashMap<FunctionId, Contents>,
    /// What is known of symbols.
    pub known: Known,
    expanded: FxHashMap<TermId, TermId>,
}

impl Definitions {
    pub fn new(index: TermId) -> Self {
        Definitions {
            index,
            contents: FxHashMap::default(),
            known: Known::default(),
            expanded: FxHashMap::default(),
        }
    }

    /// Defines what a function reads; the value must be expanded.
    pub fn define(&mut self, function: FunctionId, contents: Contents) {
        self.contents.insert(function, contents);
    }

    /// The term without functions that are defined.
    pub fn expand(&mut self, pool: &mut TermPool, term: TermId) -> TermId {
        if self.contents.is_empty() {
            return term;
        }
        if let Some(&known) = self.expanded.get(&term) {
            return known;
        }
        let expanded = &self.expanded;
        let order: Vec<TermId> = pool
            .post_order_where(&[term], |inner| !expanded.contains_key(&inner))
            .collect();
        for inner in order {
            if self.expanded.contains_key(&inner) {
                continue;
            }
            let children: Vec<TermId> = pool.children(inner).to_vec();
            let new: Vec<TermId> = children.iter().map(|child| self.expanded[child]).collect();
            let op = pool.op(inner);
            let result = match op {
                Op::Apply(function) if self.contents.contains_key(&function) => {
                    self.cell(pool, function, new[1])
                }
                _ if new == children => inner,
                _ => pool.make(op, &new),
            };
            self.expanded.insert(inner, result);
        }
        self.expanded[&term]
    }

    /// The cell at an offset. It is asked for only where the offset is that of a cell that was written:
    /// there, indices are at least 0 and their multiples less than half of the address space.
    fn cell(&self, pool: &mut TermPool, function: FunctionId, offset: TermId) -> TermId {
        let contents = &self.contents[&function];
        let width = pool.width(offset);
        let distance = Linear::of(pool, offset).minus(&contents.start);
        let most = (1i128 << (width - 1)) / i128::from(contents.stride);
        let quotient = distance.divide(contents.stride.cast_signed());
        let quotient = quotient.filter(|quotient| {
            let (low, high) = quotient.range(pool, &self.known);
            -most < low && high < 2 * most
        });
        let index = match quotient {
            Some(quotient) => quotient.term(pool),
            None => {
                let distance = distance.term(pool);
                let shift = pool.bv(width, contents.stride.trailing_zeros().into());
                pool.make(Op::BvLshr, &[distance, shift])
            }
        };
        let at = Substitution::from_iter([(self.index, index)]);
        pool.substitute(contents.value, &at)
    }
}

/// A function that nothing else refers to.
pub fn new_function(
    pool: &mut TermPool,
    what: &str,
    arguments: &[SortId],
    sort: SortId,
) -> FunctionId {
    let name = new_name(pool, what);
    let function = pool.function(&name, arguments, sort);
    function.expect("invariant: the name is new")
}
