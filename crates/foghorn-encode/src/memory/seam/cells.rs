//! The cells of a store-map: which value is at which offset of one object, on a persistent ordered map.
//!
//! An entry is a run of cells that hold consecutive pieces of one value, at the offset where it starts. Runs never overlap
//! and never wrap around; a write cuts what it covers out of the runs that are there. Keeping a word in one entry makes a
//! write of eight bytes as cheap as one of a byte, and a read that meets it gets the word back whole.

use foghorn_term::TermId;
use imbl::OrdMap;
use imbl::ordmap::DiffItem;
use smallvec::SmallVec;

/// Consecutive cells: pieces `first..first + length` of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Run {
    pub value: TermId,
    pub first: u32,
    pub length: u32,
}

impl Run {
    /// The run without its first cells.
    fn after(self, count: u64) -> Self {
        let count = u32::try_from(count).expect("invariant: a cut is inside its run");
        Run {
            first: self.first + count,
            length: self.length - count,
            ..self
        }
    }

    /// The first cells of the run.
    fn before(self, count: u64) -> Self {
        let length = u32::try_from(count).expect("invariant: a cut is inside its run");
        Run { length, ..self }
    }

    /// The offset of the last cell of a run that starts at `start`.
    fn last(self, start: u64) -> u64 {
        start + u64::from(self.length - 1)
    }
}

/// Runs by offset. A clone shares everything.
#[derive(Clone, Default, Debug)]
pub(super) struct Cells {
    runs: OrdMap<u64, Run>,
}

/// Part of a read that a run answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Piece {
    /// Cells from the start of the read.
    pub position: u32,
    pub run: Run,
}

impl Cells {
    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// Whether both are one and the same map; different maps may be equal.
    pub fn is_same(&self, other: &Self) -> bool {
        self.runs.ptr_eq(&other.runs) || (self.is_empty() && other.is_empty())
    }

    /// Puts a run at an offset; it does not wrap around.
    pub fn put(&mut self, offset: u64, run: Run) {
        let covered = self.runs.get(&offset);
        if covered.is_none_or(|covered| covered.length != run.length) {
            self.cut(offset, run.last(offset));
        }
        self.runs.insert(offset, run);
    }

    /// Removes the cells at the offsets from `from` to `to`, both included.
    pub fn cut(&mut self, from: u64, to: u64) {
        if let Some((&start, &run)) = self.runs.get_prev(&from)
            && start < from
            && run.last(start) >= from
        {
            self.runs.insert(start, run.before(from - start));
            if run.last(start) > to {
                self.runs.insert(to + 1, run.after(to + 1 - start));
            }
        }
        let inside: SmallVec<[(u64, Run); 4]> = self
            .runs
            .range(from..=to)
            .map(|(&start, &run)| (start, run))
            .collect();
        for (start, run) in inside {
            self.runs.remove(&start);
            if run.last(start) > to {
                self.runs.insert(to + 1, run.after(to + 1 - start));
            }
        }
    }

    /// The run that starts at an offset.
    pub fn run_at(&self, offset: u64) -> Option<Run> {
        self.runs.get(&offset).copied()
    }

    /// What answers the `size` cells from an offset on, in order; the range does not wrap around.
    pub fn pieces(&self, offset: u64, size: u32) -> SmallVec<[Piece; 2]> {
        let mut pieces = SmallVec::new();
        let last = offset + u64::from(size - 1);
        if let Some((&start, &run)) = self.runs.get_prev(&offset)
            && run.last(start) >= offset
        {
            let run = run.after(offset - start);
            let length = run.length.min(size);
            let run = Run { length, ..run };
            pieces.push(Piece { position: 0, run });
            if length == size {
                return pieces;
            }
        }
        let next = (
            std::ops::Bound::Excluded(offset),
            std::ops::Bound::Included(last),
        );
        for (&start, &run) in self.runs.range(next) {
            let length = u64::from(run.length).min(last - start + 1);
            let position = u32::try_from(start - offset).expect("invariant: within the read");
            let run = run.before(length);
            pieces.push(Piece { position, run });
        }
        pieces
    }

    /// Whether there is a cell between two offsets, both included.
    pub fn has_between(&self, from: u64, to: u64) -> bool {
        let nearest = self.runs.get_prev(&to);
        nearest.is_some_and(|(&start, run)| run.last(start) >= from)
    }

    /// The runs that have a cell between two offsets, both included.
    pub fn between(&self, from: u64, to: u64) -> Vec<(u64, Run)> {
        let before = self.runs.get_prev(&from).map(|(&start, &run)| (start, run));
        let before = before.filter(|&(start, run)| start < from && run.last(start) >= from);
        let inside = self
            .runs
            .range(from..=to)
            .map(|(&start, &run)| (start, run));
        before.into_iter().chain(inside).collect()
    }

    /// The runs that both have.
    pub fn common(&self, other: &Self) -> Self {
        if self.is_same(other) {
            return self.clone();
        }
        let (mine, theirs) = (self.runs.len(), other.runs.len());
        if mine.min(theirs) <= mine.abs_diff(theirs) {
            // So many runs are on one side only that looking up the few of the smaller map is less work.
            let (small, large) = if mine <= theirs {
                (self, other)
            } else {
                (other, self)
            };
            let shared = |(&start, &run): (&u64, &Run)| {
                (large.runs.get(&start) == Some(&run)).then_some((start, run))
            };
            let runs = small.runs.iter().filter_map(shared).collect();
            return Cells { runs };
        }
        let mut result = self.clone();
        for difference in self.runs.diff(&other.runs) {
            match difference {
                DiffItem::Remove(start, _) => {
                    result.runs.remove(start);
                }
                DiffItem::Update {
                    old: (start, _), ..
                } => {
                    result.runs.remove(start);
                }
                DiffItem::Add(..) => {}
            }
        }
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use foghorn_term::generate::Random;
    use std::collections::BTreeMap;

    /// Runs against a map of single cells.
    #[test]
    fn runs_are_their_cells() {
        let mut random = Random::new(3);
        for _ in 0..200 {
            let (mut cells, mut single) = (Cells::default(), BTreeMap::new());
            let mut older = (cells.clone(), single.clone());
            for step in 0..40u32 {
                let offset = random.below(32);
                let length = 1 + random.below(8) as u32;
                let last = offset + u64::from(length - 1);
                if random.one_in(4) {
                    cells.cut(offset, last);
                    single.retain(|&at, _| at < offset || at > last);
                } else {
                    let value = TermId::from_u32(step);
                    let first = 0;
                    cells.put(
                        offset,
                        Run {
                            value,
                            first,
                            length,
                        },
                    );
                    single.extend((0..length).map(|i| (offset + u64::from(i), (value, i))));
                }
                agree(&cells, &single);
                if random.one_in(8) {
                    let common = cells.common(&older.0);
                    for (at, run) in common.between(0, 64) {
                        for i in 0..run.length {
                            let key = at + u64::from(i);
                            let expected = (run.value, run.first + i);
                            assert_eq!(single.get(&key), Some(&expected));
                            assert_eq!(older.1.get(&key), Some(&expected));
                        }
                    }
                    older = (cells.clone(), single.clone());
                }
            }
        }
    }

    fn agree(cells: &Cells, single: &BTreeMap<u64, (TermId, u32)>) {
        for offset in 0..40 {
            for size in 1..=8 {
                let mut found = BTreeMap::new();
                for piece in cells.pieces(offset, size) {
                    for i in 0..piece.run.length {
                        let at = offset + u64::from(piece.position + i);
                        found.insert(at, (piece.run.value, piece.run.first + i));
                    }
                }
                let range = offset..offset + u64::from(size);
                let expected = single.range(range).map(|(&at, &cell)| (at, cell));
                assert_eq!(found, expected.collect());
            }
        }
    }
}
