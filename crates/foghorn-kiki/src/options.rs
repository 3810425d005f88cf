//! How to check, and what is told meanwhile.

use crate::answer::SiteAnswer;
use crate::bench::Comparison;
use crate::invariant::Invariants;
use crate::problem::Problem;
use crate::sabotage::Sabotage;
use crate::strategy::Strategy;
use crate::template::Selection;
use foghorn_encode::execute::settings::Settings;
use foghorn_encode::fact::BlockFacts;
use foghorn_smt::choice::SolverChoice;
use foghorn_term::TermPool;
use std::sync::{Arc, Mutex};

/// Which of the three parts work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// Invariants of one copy, and what they prove.
    Invariants,
    /// k-induction without invariants.
    Induction,
    /// Failures from the start.
    Bounded,
    #[default]
    All,
}

impl Mode {
    pub(crate) fn infers(self) -> bool {
        matches!(self, Mode::Invariants | Mode::All)
    }

    pub(crate) fn proves(self) -> bool {
        self != Mode::Bounded
    }

    pub(crate) fn refutes(self) -> bool {
        matches!(self, Mode::Bounded | Mode::Induction | Mode::All)
    }
}

/// The usual largest number of copies: time ends before.
pub(crate) const ANY_COPIES: u32 = 4096;

/// How to check.
#[derive(Clone, Debug)]
pub struct Kiki {
    pub settings: Settings,
    pub mode: Mode,
    pub selection: Selection,
    pub strategy: Strategy,
    pub solver: SolverChoice,
    /// The largest number of copies.
    pub most_copies: u32,
    /// Loops that constants decide are executed if they have no more iterations.
    pub decided: u32,
    /// Rows of one loop.
    pub most_rows: usize,
    /// Whether claims are made of what is proved.
    pub argues: bool,
    /// Whether failures of a few iterations are looked for before invariants are.
    pub scouts: bool,
    /// Whether functions are looked at one by one first.
    pub summaries: bool,
    /// What others say of heads of loops: where rows start. It is shown before it is used.
    pub guesses: Vec<BlockFacts>,
    /// Where measurements are kept of asking each question once more, of a solver that starts afresh.
    pub compared: Option<Arc<Mutex<Comparison>>>,
    pub sabotage: Sabotage,
}

impl Default for Kiki {
    fn default() -> Self {
        Kiki {
            settings: Settings::default(),
            mode: Mode::default(),
            selection: Selection::default(),
            strategy: Strategy::default(),
            solver: SolverChoice::default(),
            most_copies: ANY_COPIES,
            decided: 32,
            most_rows: 160,
            argues: true,
            scouts: true,
            summaries: false,
            guesses: vec![],
            compared: None,
            sabotage: Sabotage::None,
        }
    }
}

/// What is told while it works.
pub enum News<'a> {
    /// So many copies are looked at, and what is done with them.
    Progress { copies: u32, phase: &'static str },
    /// A site is decided.
    Decided(&'a SiteAnswer),
    /// The program was executed with cut loops.
    Executed {
        pool: &'a TermPool,
        problem: &'a Problem,
    },
    /// Parameters have changed.
    Parameters(&'a Invariants),
}
