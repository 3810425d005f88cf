//! How memory is divided into cells: from the coarsest division that may be right to bytes, which always is.

use foghorn_ir::{Cell, Module, Region};

/// Which cells the regions of a program are given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cells {
    /// As wide as all accesses are. That none lies across two is an obligation.
    Likely,
    /// As the pointer analysis promises.
    Promised,
    /// Pointers are kept whole, the rest is bytes.
    Pointers,
    Bytes,
}

impl Cells {
    /// The cells of a region.
    pub fn of(self, region: &Region) -> Cell {
        match (self, region.cell) {
            (Cells::Likely, _) => region.likely,
            (Cells::Promised, cell) | (Cells::Pointers, cell @ Cell::Pointer) => cell,
            (Cells::Pointers, Cell::Bytes | Cell::Word { .. }) | (Cells::Bytes, _) => Cell::Bytes,
        }
    }

    /// Whether nobody promises that each access to a region is of a whole cell.
    pub fn are_guessed(self, region: &Region) -> bool {
        self == Cells::Likely && region.likely != region.cell
    }

    /// The divisions that a program is encoded with, one after the other as long as one is too coarse.
    pub fn attempts(module: &Module) -> impl Iterator<Item = Cells> + use<> {
        let bodies = module.functions.values();
        let bodies = bodies.filter_map(|function| function.body.as_ref());
        let mut regions = bodies.flat_map(|body| body.regions.values());
        let guesses = regions.any(|region| Cells::Likely.are_guessed(region));
        let all = [
            Cells::Likely,
            Cells::Promised,
            Cells::Pointers,
            Cells::Bytes,
        ];
        all.into_iter().skip(usize::from(!guesses))
    }
}
