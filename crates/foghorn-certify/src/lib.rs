//! Certificates: invariants that a solver re-proves on the IR.
//!
//! An engine claims that conditions hold at the starts of blocks and of what functions return. A
//! [`Certificate`] is these claims as data; [`check()`] asks a solver, once per edge of the control
//! flow, whether what holds before it and the exact meaning of the instructions imply what is
//! claimed behind it, and the same for calls, returns and checks. Nothing of how the claims were
//! found is used, and integers are the machine's.
//!
//! - [`certificate`]: the data;
//! - [`encode`](mod@encode): instructions of one block as terms;
//! - [`check`](mod@check): the questions;
//! - [`weaken`](mod@weaken): the inductive part of claims.
//!
//! Invariants: what the encoding does not express is any value, so a claim that passes holds; what
//! memory contains is any value throughout.

pub mod certificate;
pub mod check;
pub mod document;
pub mod encode;
mod entering;
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
