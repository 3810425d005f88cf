//! Cells: what one place of a memory holds, and what ranges of bytes mean to cells.
//!
//! A cell of several bytes belongs to a range as a whole or not at all. That is exact where the range starts at a multiple
//! of the cell and its length is one; [`whole_cells`] says so as an obligation where it is not evident.

use super::Obligation;
use foghorn_term::rules::Facts;
use foghorn_term::{Sort, TermId, TermPool};

/// What one cell of a memory holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum CellKind {
    /// A byte; accesses take any number of them, the first the least significant.
    Bytes,
    /// A value of that many bytes; a float is held as its bits.
    Word { bytes: u32 },
    /// A pointer, as the pair that it is.
    Pointer,
}

impl CellKind {
    /// The sort of a cell, for pointers of that width.
    pub fn sort(self, width: u32) -> Sort {
        match self {
            CellKind::Bytes => Sort::BitVec(8),
            CellKind::Word { bytes } => Sort::BitVec(8 * bytes),
            CellKind::Pointer => Sort::Pointer { width },
        }
    }

    /// How many bytes of the program's memory a cell stands for.
    pub fn bytes(self, width: u32) -> u32 {
        match self {
            CellKind::Bytes => 1,
            CellKind::Word { bytes } => bytes,
            CellKind::Pointer => width / 8,
        }
    }

    /// The cells of a memory of this sort of cell. One byte per word is bytes.
    pub(super) fn of_sort(cell: Sort) -> CellKind {
        match cell {
            Sort::BitVec(8) => CellKind::Bytes,
            Sort::BitVec(bits) => CellKind::Word { bytes: bits / 8 },
            Sort::Pointer { .. } => CellKind::Pointer,
            other => panic!("invariant: {other:?} is no sort of a cell"),
        }
    }
}

/// The cell all of whose bytes are `byte`, and what must hold for that: of pointers only null is known by its bytes.
pub(super) fn filled_cell(
    pool: &mut TermPool,
    cell: CellKind,
    width: u32,
    byte: TermId,
    obligations: &mut Vec<Obligation>,
) -> TermId {
    match cell {
        CellKind::Bytes => byte,
        CellKind::Word { bytes } => {
            let repeated = vec![byte; bytes as usize];
            concatenated(pool, &repeated)
        }
        CellKind::Pointer => {
            let zero = pool.bv_zero(8);
            let condition = pool.equal(byte, zero);
            oblige(
                pool,
                obligations,
                condition,
                "pointers are set to zero only",
            );
            let zero = pool.bv_zero(width);
            pool.pointer(zero, zero)
        }
    }
}

/// The bytes in the order of their addresses as one little-endian value.
pub(super) fn concatenated(pool: &mut TermPool, bytes: &[TermId]) -> TermId {
    if let [only] = bytes {
        return *only;
    }
    let most_significant_first: Vec<TermId> = bytes.iter().rev().copied().collect();
    pool.make(foghorn_term::Op::Concat, &most_significant_first)
}

/// Records an obligation unless it is evident.
pub(super) fn oblige(
    pool: &TermPool,
    obligations: &mut Vec<Obligation>,
    condition: TermId,
    what: &'static str,
) {
    if pool.as_bool(condition) != Some(true) {
        obligations.push(Obligation { condition, what });
    }
}

/// Whether a term is a multiple of a power of two, as far as its bits tell.
pub(super) fn is_multiple(pool: &TermPool, facts: &mut Facts, term: TermId, of: u32) -> bool {
    debug_assert!(of.is_power_of_two());
    of == 1
        || facts
            .get(pool, term)
            .is_some_and(|fact| fact.zeros.trailing_ones() >= of.trailing_zeros())
}

/// Obliges a range to consist of whole cells.
pub(super) fn whole_cells(
    pool: &mut TermPool,
    facts: &mut Facts,
    bytes: u32,
    ranges: &[TermId],
    obligations: &mut Vec<Obligation>,
) {
    for &term in ranges {
        let multiple = if bytes.is_power_of_two() {
            is_multiple(pool, facts, term, bytes)
        } else {
            false
        };
        if !multiple {
            let width = pool.width(term);
            let (divisor, zero) = (pool.bv(width, u64::from(bytes)), pool.bv_zero(width));
            let remainder = pool.bv_urem(term, divisor);
            let condition = pool.equal(remainder, zero);
            let what = "a range is a multiple of the cell";
            oblige(pool, obligations, condition, what);
        }
    }
}

/// Obliges an access that is evidently between two cells, which nothing can discharge.
pub(super) fn aligned_access(
    pool: &TermPool,
    bytes: u32,
    offset: TermId,
    obligations: &mut Vec<Obligation>,
) {
    let Some(value) = pool
        .as_bitvec(offset)
        .and_then(foghorn_term::BitVecValue::to_u64)
    else {
        return;
    };
    if bytes > 1 && value % u64::from(bytes) != 0 {
        let what = "an access is at a multiple of the cell";
        oblige(pool, obligations, pool.bool(false), what);
    }
}
