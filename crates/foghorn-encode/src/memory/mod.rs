//! Memory representations: what a memory value is and how it is read (§2.5 and chapters 4–6 of the SEAM thesis).
//!
//! | | memory value | read | set and copy |
//! |---|---|---|---|
//! | [`Arrays`] | SMT array over the flattened pointer | `select` | unrolled, up to a bound |
//! | [`Lambdas`] | λ over the flattened pointer | β-reduction | exact |
//! | [`Seam`] | term of the theory of memory | read-over-write rules, ARM, STORE-MAP | exact |
//!
//! All three say the same of a program: tests compare each with the evaluator of the theory of memory and with the others.
//!
//! # Pointers and cells
//! A pointer is a pair of base (which object) and offset in bytes, of one width; offsets are counted modulo 2^width. A
//! memory holds bytes, or cells of one width, or pointers ([`CellKind`]). Cells of several bytes sit at offsets that are
//! multiples of their size; whoever chooses cells for a region answers for that. An access at an offset that is a literal
//! and no such multiple is not exact and leaves an [`Obligation`] that cannot be discharged.
//!
//! # Obligations
//! Where a representation says something that is true under a condition only (the length of a copy is within the bound of
//! ARRAYS, the length of a set is a multiple of the cell), it leaves that condition behind as an obligation. The engine
//! proves it at that point of the program or reports that it could not; until then nothing that follows is trusted.

mod arrays;
mod cell;
mod choice;
mod flat;
mod lambdas;
mod pointer;
mod restrict;
mod seam;

pub use arrays::Arrays;
pub use cell::CellKind;
pub use choice::{GivenMemory, MemoryChoice};
pub use lambdas::Lambdas;
pub use seam::{Seam, SeamOptions};

use foghorn_core::Budget;
use foghorn_term::{Sort, TermId, TermPool};
use std::time::{Duration, Instant};

/// A condition under which what a representation said is exact.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Obligation {
    /// To be proved where the operation happens.
    pub condition: TermId,
    /// What it says, for people.
    pub what: &'static str,
}

/// What a representation did.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Statistics {
    /// Reads asked for.
    pub reads: u64,
    /// Reads answered from memory of earlier reads.
    pub remembered: u64,
    /// Writes, sets and copies that a read was found to hit (ROW-HIT).
    pub hits: u64,
    /// Writes, sets and copies that a read was found to miss (ROW-SKIP), whoever decided it.
    pub skips: u64,
    /// Those of `skips` that only the address range map decides.
    pub arm_skips: u64,
    /// Writes, sets and copies for which a read became a case split.
    pub splits: u64,
    /// Reads that a store-map answered (R-HIT).
    pub store_map_hits: u64,
    /// Reads that a store-map passed on (R-MISS and R-SKIP).
    pub store_map_misses: u64,
    /// Reads for which a store-map was taken apart (R-ABORT).
    pub store_map_aborts: u64,
    /// Writes that joined a store-map (SMAP-NEW, SMAP-HIT and the commuting rules).
    pub store_map_writes: u64,
    /// Time spent inside the representation.
    pub preprocessing: Duration,
    /// Where that time went.
    pub phases: Phases,
}

/// The time spent inside a representation, by what it was asked to do.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Phases {
    pub reading: Duration,
    /// Writes, sets and copies.
    pub writing: Duration,
    pub merging: Duration,
    pub assuming: Duration,
    pub simplifying: Duration,
}

/// What a representation is asked to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    Read,
    Write,
    Merge,
    Assume,
    Simplify,
}

impl Statistics {
    /// Counts the time since a start for a phase.
    fn spent(&mut self, phase: Phase, start: Instant) {
        let time = start.elapsed();
        let phases = &mut self.phases;
        let sum = match phase {
            Phase::Read => &mut phases.reading,
            Phase::Write => &mut phases.writing,
            Phase::Merge => &mut phases.merging,
            Phase::Assume => &mut phases.assuming,
            Phase::Simplify => &mut phases.simplifying,
        };
        *sum += time;
        self.preprocessing += time;
    }
}

/// How memory values are made and read. Memory values are terms of the representation's own making: they are only
/// passed to the representation that made them. Each call takes the pool that all terms are of, always the same one.
pub trait MemoryRepresentation {
    /// The name by which the user chooses it.
    fn name(&self) -> &'static str;

    /// A memory with indeterminate contents: the same at each read until written. One name, one memory.
    fn arbitrary(&mut self, pool: &mut TermPool, name: &str, cell: CellKind) -> TermId;

    /// The value at `pointer`: a bit-vector of whole bytes from a memory of bytes, a cell from one of cells, a pointer
    /// from one of pointers. `sort` is the sort of the result.
    fn read(&mut self, pool: &mut TermPool, memory: TermId, pointer: TermId, sort: Sort) -> TermId;

    /// The memory after `value` is written at `pointer`.
    fn write(
        &mut self,
        pool: &mut TermPool,
        memory: TermId,
        pointer: TermId,
        value: TermId,
    ) -> TermId;

    /// The memory after the `length` bytes from `pointer` on are all set to `byte` (`memset`).
    fn set(
        &mut self,
        pool: &mut TermPool,
        memory: TermId,
        pointer: TermId,
        byte: TermId,
        length: TermId,
    ) -> TermId;

    /// The memory after the `length` bytes of `source_memory` from `source` on are placed at `destination` (`memcpy` and
    /// `memmove`: the source is read as it was).
    fn copy(
        &mut self,
        pool: &mut TermPool,
        destination_memory: TermId,
        destination: TermId,
        source_memory: TermId,
        source: TermId,
        length: TermId,
    ) -> TermId;

    /// The memory that is `on_true` where the condition holds and `on_false` elsewhere.
    fn merge(
        &mut self,
        pool: &mut TermPool,
        condition: TermId,
        on_true: TermId,
        on_false: TermId,
    ) -> TermId;

    /// A fact that holds in every execution that comes this far. What is read from here on may rely on it, so a check
    /// that comes before the fact must have been read before.
    fn assume(&mut self, pool: &mut TermPool, fact: TermId);

    /// A scalar term or formula reduced as far as this representation can. What is left over contains no memory
    /// operation but reads of arbitrary memories, in the form that the solver takes.
    fn simplify(&mut self, pool: &mut TermPool, term: TermId) -> TermId;

    /// The obligations since this was last asked, oldest first.
    fn take_obligations(&mut self) -> Vec<Obligation>;

    /// What was done so far.
    fn statistics(&self) -> Statistics;

    /// Bounds the work to come. A representation whose single operations can take long stops in
    /// the middle of one when the budget ends; from then on what it returns has the right sort and
    /// no meaning, and whoever gave the budget, and sees that it ended, gives up.
    fn set_budget(&mut self, _budget: &Budget) {}
}
