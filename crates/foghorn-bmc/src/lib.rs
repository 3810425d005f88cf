//! Bounded model checking of pure IR (SeaBMC and SEAM: the SEAM thesis).
//!
//! [`engine::check`] unwinds the program with growing bounds ([`foghorn_encode::execute`]), asks one question per
//! bound for all open checks ([`foghorn_query::question`]), runs every model in the interpreter before it is
//! believed ([`replay`]), and stops when nothing is open or no execution goes beyond the bound:
//! then what is not refuted is proved, without a bound.
//!
//! Invariants:
//! - `Unsafe` is only ever said of a check at which the interpreter failed.
//! - `Safe` is only ever said when every execution is covered: all loops were unwound completely,
//!   and every obligation of the encoding holds.
//! - Symbols and objects have the same names under every bound, so one solver serves all.

pub mod answer;
pub mod door;
pub mod engine;

pub use answer::{BmcReport, News, SiteAnswer, SiteVerdict};
pub use engine::{Bmc, Heard, check, check_listening};
pub use foghorn_encode::execute::settings::{Facts, InitialRegion, InitialRegions, Settings};
pub use foghorn_encode::memory::{GivenMemory, MemoryChoice};
pub use foghorn_query::replay;
