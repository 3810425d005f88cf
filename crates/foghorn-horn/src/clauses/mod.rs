//! All paths of a program as rules.
//!
//! The program is cut at places ([`cut`]); each place has a predicate over what is live there
//! ([`signature`]). From each place every path to the next is followed ([`explore`]) and becomes a rule
//! ([`emit`]); calls by summaries are in [`summary`] and [`called`]. A check that can fail on a path is a rule that derives `false`.

pub mod called;
pub mod constants;
pub mod cut;
pub mod emit;
pub mod explore;
pub mod facts;
pub mod setup;
pub mod signature;
pub mod summary;

pub use cut::{Cut, CutKey};
pub use signature::{Entry, Part, Role, Signature};

use crate::form::{Form, ProcedureForm};
use crate::layout::Layouts;
use crate::liveness::Liveness;
use crate::objects::Numbering;
use crate::path::{Event, Refusal};
use crate::sabotage::Sabotage;
use crate::slice::Relevance;
use foghorn_core::{SiteKind, SpanId};
use foghorn_encode::execute::settings::Settings;
use foghorn_encode::integers::{Integers, Range};
use foghorn_engine::Task;
use foghorn_ir::interpret::ProgramPoint;
use foghorn_ir::{BlockId, FunctionId, InstId, Module};
use foghorn_smt::horn::{HornSystem, Rule};
use foghorn_term::{TermId, TermPool};
use rustc_hash::{FxHashMap, FxHashSet};

/// A site by what it states and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SiteRef {
    pub kind: SiteKind,
    pub point: Option<ProgramPoint>,
}

/// What a rule is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// A path from one place to the next.
    Step,
    /// A check can fail.
    Failure(SiteRef),
    /// The encoding would have to know more: what, and where.
    Obligation(String, SpanId),
    /// A failure of a callee is one of its caller.
    Propagation,
}

/// Where a rule comes from.
#[derive(Clone, Debug)]
pub struct RuleOrigin {
    pub meaning: Meaning,
    /// What a run asks for on the path, in order.
    pub events: Vec<Event>,
    /// Whether the first premise is the place at which the path begins.
    pub continues: bool,
}

/// A rule that derives `false` where a path comes to something, whatever holds there. It is no part of the system.
#[derive(Clone, Debug)]
pub struct Arrival {
    /// A check that the program states; `None` for an end of the program.
    pub at: Option<SiteRef>,
    pub rule: Rule,
}

/// What has to be followed because an open site asks for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    pub life: bool,
    pub size: bool,
    /// Which allocation made an object.
    pub origin: bool,
    /// Objects of the heap, of the stack, are made any number of times.
    pub heap: bool,
    pub stack: bool,
}

/// Static knowledge about a function.
#[derive(Clone, Debug)]
pub struct FunctionFacts {
    pub liveness: Liveness,
    /// Blocks in loops, heads included.
    pub in_loops: FxHashSet<BlockId>,
    /// Where the function is cut.
    pub cuts: FxHashSet<BlockId>,
    pub starts_dead: FxHashSet<InstId>,
    /// Paths from its entry or last cut to its return.
    pub paths: usize,
}

/// Makes the clauses of a program.
pub struct Maker<'t> {
    pub task: &'t Task,
    pub module: &'t Module,
    pub settings: Settings,
    pub form: Form,
    pub pool: TermPool,
    pub integers: Box<dyn Integers>,
    pub pointer_bits: u32,
    pub numbering: Numbering,
    pub layouts: Layouts,
    pub relevance: Relevance,
    pub needs: Needs,
    pub functions: FxHashMap<FunctionId, FunctionFacts>,
    /// Functions whose calls are summaries.
    pub summarised: FxHashSet<FunctionId>,
    /// The pointers of the program may come from outside.
    pub has_external_contents: bool,
    /// What is true of symbols; it goes into each rule that has the symbol.
    pub true_of: FxHashMap<TermId, Vec<TermId>>,
    /// Ranges of symbols.
    pub ranges: FxHashMap<TermId, Range>,
    /// The allocations of the heap that leak sites speak of.
    pub origins: Vec<Option<ProgramPoint>>,
    /// Sites that are not asked about any more, since they were refuted or given up.
    pub dropped: FxHashSet<SiteRef>,
    /// Arguments that are literals.
    pub constants: constants::Constants,
    pub cuts: Vec<Cut>,
    pub by_key: FxHashMap<CutKey, usize>,
    /// Cuts from which paths were or will be followed. A cut can be known before a path has come to it: the
    /// rule that leads there may be begun more than once.
    pub queued: FxHashSet<usize>,
    pub summaries: FxHashMap<FunctionId, summary::Summary>,
    /// Entries of procedures that nobody has looked at yet.
    pub entries: Vec<usize>,
    pub system: HornSystem,
    /// One for each rule.
    pub rules: Vec<RuleOrigin>,
    /// The object and offset that predicates speak of.
    pub tracked: Option<(TermId, TermId)>,
    /// What our own encoding does not say exactly.
    pub imprecisions: Vec<(String, SpanId)>,
    /// What the program itself does not.
    pub over_approximations: Vec<(String, SpanId)>,
    pub external_calls: Vec<String>,
    /// The cut from which paths are followed now; `None` at the program's start.
    pub current: Option<usize>,
    /// The procedure of these paths.
    pub procedure: FunctionId,
    /// Paths to checks and to ends of the program.
    pub arrivals: Vec<Arrival>,
    /// A fault, in tests.
    pub sabotage: Sabotage,
}

/// The clauses of a program, or why there are none.
pub struct Clauses {
    pub pool: TermPool,
    pub system: HornSystem,
    pub rules: Vec<RuleOrigin>,
    /// Paths to checks and to ends of the program.
    pub arrivals: Vec<Arrival>,
    pub cuts: Vec<Cut>,
    pub imprecisions: Vec<(String, SpanId)>,
    pub over_approximations: Vec<(String, SpanId)>,
    pub external_calls: Vec<String>,
    pub numbering: Numbering,
    pub layouts: Layouts,
    pub summaries: FxHashMap<FunctionId, summary::Summary>,
    /// Sites with a rule of their own: the others hold whatever happens.
    pub asked: Vec<SiteRef>,
}

/// Why there are no clauses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoClauses {
    Refused(Refusal),
    /// More rules than anybody could solve.
    TooMany(usize),
    /// The budget ended.
    Exhausted(String),
}

impl Maker<'_> {
    /// Whether a site is among those that are decided here: it is listed, and nobody proved it.
    pub fn is_asked(&self, site: &SiteRef) -> bool {
        let listed = site
            .point
            .is_some_and(|point| self.task.sites().find(site.kind, point).is_some());
        listed && !self.settings.is_proved(site.kind, site.point)
    }

    /// Whether a rule is made for a site.
    pub fn is_open(&self, site: &SiteRef) -> bool {
        self.is_asked(site) && !self.dropped.contains(site)
    }

    /// Whether failures of a site are not considered, since calls that fail are jumps into copies.
    pub fn only_returns(&self, site: &SiteRef) -> bool {
        self.form.procedures == ProcedureForm::Mixed
            && site
                .point
                .is_some_and(|it| Some(it.function) != self.module.entry)
    }

    pub fn in_loop(&self, function: FunctionId, block: BlockId) -> bool {
        self.functions[&function].in_loops.contains(&block)
    }

    /// Whether a stack object waits for the start of its scope.
    pub fn starts_dead(&self, function: FunctionId, id: InstId) -> bool {
        self.functions[&function].starts_dead.contains(&id)
    }

    /// The number of an allocation among those that leak sites speak of; 0 for others.
    pub fn origin_number(&self, point: Option<ProgramPoint>) -> u32 {
        let place = self.origins.iter().position(|known| *known == point);
        place.map_or(0, |place| place as u32 + 1)
    }

    /// Whether the procedure runs once, so that its objects can have numbers of their own.
    pub fn runs_once(&self, _: &crate::path::State) -> bool {
        self.module.entry == Some(self.procedure) && !self.summarised.contains(&self.procedure)
    }

    /// Whether calls of a function are its summary.
    pub fn has_summary(&self, function: FunctionId) -> bool {
        self.summarised.contains(&function)
    }
}
