//! The vocabulary that every part of Foghorn speaks.
//!
//! Source locations ([`span`]), the properties a program is checked for ([`check`], [`selection`], [`site`]), the answers
//! we give ([`verdict`]) and what they rest on ([`assumption`], [`approximation`]), the resources an answer may cost ([`budget`], by the [`clock`]) and measured numbers ([`figure`]); and the one
//! algorithm that parts need which know nothing of each other, weak topological orders ([`wto`]). Nothing here knows about C, LLVM, terms or solvers; everything else may depend on it.

pub mod approximation;
pub mod assumption;
pub mod budget;
pub mod check;
pub mod clock;
pub mod explanation;
pub mod figure;
pub mod selection;
pub mod site;
pub mod span;
pub mod verdict;
pub mod wto;

pub use assumption::{Assumption, AssumptionKind};
pub use budget::{Budget, Exhausted};
pub use check::{CheckGroup, CheckKind};
pub use explanation::{EXPLANATIONS, Explanation};
pub use figure::Figure;
pub use selection::{CheckSelection, ParseSelectionError, WhenOff};
pub use site::SiteKind;
pub use span::{FileId, InlineSite, Span, SpanId, SpanTable};
pub use verdict::{UnknownReason, Verdict};
