//! Invariants of programs in IR, by abstract interpretation.
//!
//! [`translate()`] turns a module into a program of the goto language of `foghorn-absint`;
//! [`analyse`] runs one of its domains on that and maps what it finds back: invariants at the start
//! of IR blocks, as terms for other engines and as text for people, and a verdict on every check
//! and access. This is what Clam does for LLVM (§4.2.6 and §4.2.7 of the SeaHorn paper).
//!
//! - [`shape`], [`contents`]: which goto variables stand for an IR value, and for a region;
//! - [`translate`](mod@translate): the translation;
//! - [`decision`]: what truth values say about numbers;
//! - [`obligation`], [`dropped`]: what has to be shown, and what is not expressed;
//! - [`analysis`]: running a domain, and its results;
//! - [`site`]: what is known of check sites;
//! - [`prove`](mod@prove), `backward`: checks, by one domain after the other, and from their failures;
//! - `fact`, [`source`], [`text`]: invariants for engines, and in C for people;
//! - [`audit`], [`watch`]: invariants against execution.
//!
//! Invariant: every state of the interpreter at the start of a block satisfies the invariant there.

pub mod analysis;
pub mod audit;
mod backward;
pub mod contents;
pub mod decision;
pub mod door;
pub mod dropped;
mod emitter;
mod fact;
pub mod obligation;
pub mod prove;
pub mod shape;
pub mod site;
pub mod source;
pub mod text;
pub mod translate;
pub mod watch;

pub use analysis::{Analysis, AnalysisOptions, CheckResult, Invariant, Scope, analyse};
pub use emitter::Place;
pub use foghorn_dsa::table::RegionTable;
pub use prove::{Proof, ProofOptions, prove};
pub use translate::{FunctionTranslation, Translation, TranslationOptions, translate};
