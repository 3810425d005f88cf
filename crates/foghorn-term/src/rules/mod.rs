//! The rules: small laws in static tables.
//!
//! A rule is a named function with its law in one line, enrolled in the table of its file by the macro that defines it, so
//! that there is no rule outside of a table. Each carries redexes: templates on which it must fire. Tests instantiate
//! them at many widths and check that rewriting keeps the value, exhaustively where the inputs are few; the solver crate
//! proves the same by queries. A law that holds only of well-formed terms names that condition as `assuming`.
//!
//! To add a rule: write it in the file of its theory. Nothing else refers to rules by name.

mod arithmetic;
mod array;
mod bitvec;
mod boolean;
mod chain;
mod comparison;
mod context;
mod facts;
mod facts_rules;
mod finite_map;
mod ite;
mod lambda;
mod pointer;
mod redex;
mod set;
mod shift;
mod slice;

pub use context::Context;
pub use facts::{Fact, Facts};
pub use finite_map::expand_finite_map;
pub use redex::{Template, instantiate};
pub use set::{RuleSet, RuleStatistics, simplifier};

use crate::op::OpKind;
use crate::pool::{TermId, TermPool};
use crate::rewrite::Step;

/// A rewrite rule.
pub struct Rule {
    pub name: &'static str,
    /// The law, in one line.
    pub law: &'static str,
    /// The operators at whose applications the rule looks.
    pub roots: &'static [OpKind],
    /// One step, if the rule applies.
    pub apply: fn(&mut Context<'_>, TermId) -> Option<Step>,
    /// Terms on which the rule must fire, as templates for [`instantiate`].
    pub redexes: &'static [&'static str],
    /// The condition on the redex under which the law holds; none when it always does.
    pub assuming: Option<fn(&mut TermPool, TermId) -> TermId>,
}

/// Rules that belong together.
pub struct RuleTable {
    pub name: &'static str,
    pub rules: &'static [Rule],
}

/// Defines rules and their table.
macro_rules! rules {
    (
        $(#[$table_doc:meta])* table $table:ident = $title:literal;
        $(
            #[doc = $law:literal]
            $(#[assuming($assuming:path)])?
            rule $name:ident [$($root:ident),+] [$($redex:literal),+ $(,)?] ($cx:ident, $term:ident) $body:block
        )+
    ) => {
        $(
            #[doc = $law]
            fn $name($cx: &mut $crate::rules::Context<'_>, $term: $crate::pool::TermId) -> Option<$crate::rewrite::Step> $body
        )+

        $(#[$table_doc])*
        pub(super) static $table: $crate::rules::RuleTable = $crate::rules::RuleTable {
            name: $title,
            rules: &[$($crate::rules::Rule {
                name: stringify!($name),
                law: $law,
                roots: &[$($crate::op::OpKind::$root),+],
                apply: $name,
                redexes: &[$($redex),+],
                assuming: rules!(@assuming $($assuming)?),
            }),+],
        };
    };
    (@assuming) => { None };
    (@assuming $assuming:path) => { Some($assuming) };
}
pub(crate) use rules;

/// Every table of rules that simplify. The order is the order in which rules are tried.
pub static TABLES: &[&RuleTable] = &[
    &boolean::BOOLEAN,
    &ite::ITE,
    &comparison::COMPARISON,
    &chain::CHAIN,
    &arithmetic::ARITHMETIC,
    &bitvec::BITVEC,
    &shift::SHIFT,
    &slice::SLICE,
    &facts_rules::FACTS,
    &array::ARRAY,
    &finite_map::FINITE_MAP,
    &pointer::POINTER,
];

/// Rules that change the representation of arrays to λ-terms (§2.4 of the thesis): used instead of the array rules by who
/// wants that, never together with rules that undo it.
pub static LAMBDA_ENCODING: &RuleTable = &lambda::LAMBDA;

/// Every rule there is, with its table.
pub fn all_rules() -> impl Iterator<Item = (&'static RuleTable, &'static Rule)> {
    let tables = TABLES
        .iter()
        .copied()
        .chain(std::iter::once(LAMBDA_ENCODING));
    tables.flat_map(|table| table.rules.iter().map(move |rule| (table, rule)))
}
