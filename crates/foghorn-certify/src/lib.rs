//! Certificates: what engines claim is proved again, by code that knows none of them.
//!
//! An engine says why its proofs hold as an [argument](foghorn_encode::claim::Argument): invariants,
//! contracts, bounds. [`prove()`] executes the program piece by piece between these claims, with an
//! encoding of its own, and asks a solver whether every claim and every check follows. Nothing of how the
//! claims were found is used, and integers are the machine's.
//!
//! - [`document`]: a certificate as it is written;
//! - [`rules`]: an argument made complete; [`piece`]: the execution; [`prove`](mod@prove): the questions;
//! - [`strengthen`]: the inductive part of an argument;
//! - [`drat`]: the proofs of a SAT solver, checked without it.
//!
//! Facts that engines tell each other are certified block by block, which is faster and says less:
//!
//! - [`certificate`]: the data;
//! - [`encode`](mod@encode): instructions of one block as terms;
//! - [`check`](mod@check): the questions;
//! - [`weaken`](mod@weaken): the inductive part of facts.
//!
//! Invariants: what an encoding does not express is any value, so a claim that passes holds.

mod ask;
pub mod certificate;
pub mod check;
pub mod document;
pub mod drat;
pub mod encode;
mod entering;
mod exposure;
pub mod piece;
pub mod prove;
pub mod rules;
pub mod strengthen;
pub mod weaken;

pub use certificate::{Certificate, FunctionCertificate};
pub use check::{Claim, Failure, Outcome, check};
pub use document::{ProofCertificate, SiteRecord};
pub use prove::{Proof, prove};
pub use strengthen::inductive_part;
pub use weaken::weaken;
