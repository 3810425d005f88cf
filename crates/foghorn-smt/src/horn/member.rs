//! The members of the portfolio, as data.
//!
//! A member is a form of the system, a way to solve it and a use of hints. All that distinguishes
//! one run of Spacer from another stands in this table, so a new member is one entry.

use super::HintMode;

/// In what form a system is solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// The rules as they are.
    Given,
    /// Without what the answer does not depend on; see `simplify`.
    Simplified,
    /// The same with large constants as parameters: proofs for any constant; see `generalise`.
    Generalised,
    /// One rule for all ways from one predicate to another; see `merge`.
    Merged,
    /// Arrays as any one cell of each: proofs only; see `cells`.
    Cells,
    /// The same with large constants as parameters, if there are any.
    GeneralisedCells,
}

/// A parameter of Z3's fixed-point engine.
pub type Setting = (&'static str, bool);

/// How a system is solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Spacer. Its own transformations of the rules find more, but lose derivations.
    Spacer {
        transformations: bool,
        settings: &'static [Setting],
    },
    /// Derivations of growing depth, each one formula: finds refutations only.
    Unrolling,
    /// Concrete runs of the rules: finds refutations only.
    Execution,
}

/// What becomes of hints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HintUse {
    /// As each hint says.
    AsGiven,
    /// All in one way.
    All(HintMode),
    /// Not used.
    Ignored,
}

/// One member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Member {
    pub name: &'static str,
    /// What it is good for.
    pub about: &'static str,
    pub form: Form,
    pub method: Method,
    pub hints: HintUse,
}

const PLAIN: &[Setting] = &[];
const GLOBAL: &[Setting] = &[("spacer.global", true)];
/// Proof obligations are pushed to later frames, and lemmas are not weakened by counterexamples to pushing: both pay where
/// one rule has many cases (record 0264).
const MERGED: &[Setting] = &[("spacer.push_pob", true), ("spacer.ctp", false)];
const QUANTIFIED: &[Setting] = &[
    ("spacer.q3.use_qgen", true),
    ("spacer.ground_pobs", false),
    ("spacer.mbqi", false),
];

const fn spacer(
    name: &'static str,
    about: &'static str,
    form: Form,
    transformations: bool,
    settings: &'static [Setting],
) -> Member {
    Member {
        name,
        about,
        form,
        method: Method::Spacer {
            transformations,
            settings,
        },
        hints: HintUse::Ignored,
    }
}

/// Spacer on the rules as they are, with all hints used in one way.
const fn hinted(name: &'static str, about: &'static str, hints: HintUse) -> Member {
    Member {
        name,
        about,
        form: Form::Given,
        method: Method::Spacer {
            transformations: false,
            settings: PLAIN,
        },
        hints,
    }
}

/// Every member there is. Which of them a portfolio takes, and in what order, is said by
/// [`super::portfolio`].
pub const MEMBERS: &[Member] = &[
    spacer(
        "spacer",
        "Spacer on the simplified rules",
        Form::Simplified,
        false,
        PLAIN,
    ),
    spacer(
        "spacer-global",
        "with global guidance: more proofs, fewer refutations",
        Form::Simplified,
        false,
        GLOBAL,
    ),
    spacer(
        "spacer-generalised",
        "large constants as parameters, with global guidance: proofs that do not count",
        Form::Generalised,
        false,
        GLOBAL,
    ),
    spacer(
        "spacer-generalised-plain",
        "large constants as parameters, without guidance",
        Form::Generalised,
        false,
        PLAIN,
    ),
    spacer(
        "spacer-merged",
        "all ways between two predicates as one rule: loops with many paths",
        Form::Merged,
        false,
        MERGED,
    ),
    spacer(
        "spacer-merged-plain",
        "the same with Spacer's usual settings",
        Form::Merged,
        false,
        PLAIN,
    ),
    spacer(
        "spacer-quantified",
        "with quantified lemmas: invariants about arrays",
        Form::Simplified,
        false,
        QUANTIFIED,
    ),
    spacer(
        "spacer-cells",
        "arrays as any one cell of each, with global guidance: proofs about all cells",
        Form::Cells,
        false,
        GLOBAL,
    ),
    spacer(
        "spacer-cells-plain",
        "arrays as any one cell of each, without guidance",
        Form::Cells,
        false,
        PLAIN,
    ),
    spacer(
        "spacer-cells-generalised",
        "arrays as any one cell of each and large constants as parameters, with guidance",
        Form::GeneralisedCells,
        false,
        GLOBAL,
    ),
    spacer(
        "spacer-transformed",
        "Spacer on the simplified rules after its own transformations",
        Form::Simplified,
        true,
        PLAIN,
    ),
    spacer(
        "spacer-global-transformed",
        "global guidance after Spacer's own transformations",
        Form::Simplified,
        true,
        GLOBAL,
    ),
    spacer(
        "spacer-quantified-transformed",
        "quantified lemmas after Spacer's own transformations",
        Form::Simplified,
        true,
        QUANTIFIED,
    ),
    hinted(
        "spacer-given",
        "Spacer on the rules as they are; hints as each of them says",
        HintUse::AsGiven,
    ),
    hinted(
        "spacer-hints",
        "hints as lemmas of every frame",
        HintUse::All(HintMode::EveryFrame),
    ),
    hinted(
        "spacer-hints-induction",
        "hints only where lemmas are generalised",
        HintUse::All(HintMode::InductionOnly),
    ),
    spacer(
        "spacer-given-transformed",
        "Spacer on the rules as they are, after its own transformations",
        Form::Given,
        true,
        PLAIN,
    ),
    spacer(
        "spacer-global-given",
        "global guidance on the rules as they are, after Spacer's own transformations",
        Form::Given,
        true,
        GLOBAL,
    ),
    Member {
        name: "unrolling",
        about: "derivations of growing depth as formulas: refutations",
        form: Form::Simplified,
        method: Method::Unrolling,
        hints: HintUse::Ignored,
    },
    Member {
        name: "execution",
        about: "concrete runs of the rules: deep refutations of nearly deterministic systems",
        form: Form::Simplified,
        method: Method::Execution,
        hints: HintUse::Ignored,
    },
];

impl Member {
    /// The member of that name.
    pub fn named(name: &str) -> Option<&'static Member> {
        MEMBERS.iter().find(|member| member.name == name)
    }
}
