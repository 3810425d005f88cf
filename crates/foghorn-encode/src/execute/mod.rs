//! The executor: symbolic execution of all paths of a program at once, merged where they meet, as terms.
//!
//! It walks each function in weak topological order ([`plan`]), merges paths where they meet
//! ([`guard`]), goes around loops and into calls as it meets them, and writes down what
//! happens ([`event`]). Unwinding and inlining are lazy: where constants decide a branch only
//! one side is followed, so a loop whose trip count is a constant is executed rather than
//! unrolled. What becomes of loops and calls that inputs decide is up to a [`policy`]: bounded unwinding is one.
//!
//! The result is the pure data flow of §2.5 of the SEAM thesis, in one pass: inlining, unrolling,
//! gated SSA and the collection of one assumption and one assertion are the same walk. An explicit
//! stack of frames stands for the calls, so the program's recursion is none of ours.

mod call;
pub mod context;
mod control;
pub mod event;
mod facts;
mod guard;
mod interface;
mod loss;
mod merge;
pub mod plan;
pub mod policy;
pub mod settings;
mod startup;

pub use interface::{BackEdge, Rehearsed, Repetition, new_name};
pub use policy::{Activation, CallTreatment, LoopHead, LoopPolicy, Repeat, Unwind};

use crate::execute::context::{ContextId, Contexts};
use crate::execute::event::{Event, Site, SiteIndex, What};
use crate::execute::loss::Loss;
use crate::execute::plan::FunctionPlan;
use crate::execute::settings::Settings;
use crate::float::FloatEncoder;
use crate::memory::MemoryRepresentation;
use crate::semantics::access::Marks;
use crate::semantics::cells::Cells;
use crate::semantics::object::Objects;
use foghorn_core::{Budget, CheckKind, Exhausted, SiteKind, SpanId};
use foghorn_ir::interpret::ProgramPoint;
use foghorn_ir::loops::LoopNames;
use foghorn_ir::{Body, FunctionId, GlobalContents, InstId, Module, ValueId};
use foghorn_term::{Sort, TermId, TermPool};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use std::sync::Arc;

/// What outlives one run: names, plans of functions, terms.
#[derive(Debug, Default)]
pub struct Memo {
    pub contexts: Contexts,
    pub objects: Objects,
    pub(crate) plans: FxHashMap<FunctionId, Rc<FunctionPlan>>,
    pub(crate) loop_names: FxHashMap<FunctionId, LoopNames>,
    pub floats: FloatEncoder,
    /// Base addresses by object number.
    pub(crate) bases: FxHashMap<u64, TermId>,
}

/// Everything that one run up to a bound found out.
#[derive(Debug, Default)]
pub struct Trace {
    pub events: Vec<Event>,
    pub sites: Vec<Site>,
    /// Facts that hold of symbols in every execution: layouts of memory, bits of floats.
    pub axioms: Vec<TermId>,
    /// What was assumed or left imprecise, for the report.
    pub notes: Notes,
    pub steps: u64,
}

/// What an answer rests on.
#[derive(Clone, Debug, Default)]
pub struct Notes {
    /// Functions without a body that were called.
    pub external_calls: Vec<Arc<str>>,
    /// Operations that were over-approximated, with their first place.
    pub over_approximations: Vec<(Arc<str>, SpanId)>,
    /// `main` was given no arguments.
    pub fixed_arguments: bool,
    /// Integers became pointers to objects. The pointer analysis follows integers that are computed
    /// from an address, and no others.
    pub addresses_as_pointers: bool,
}

/// A path on its way to a block.
#[derive(Clone, Debug)]
pub(crate) struct Edge {
    pub(crate) guard: TermId,
    pub(crate) arguments: Vec<TermId>,
    /// Values of loops that were left, sorted.
    pub(crate) escaped: Vec<(ValueId, TermId)>,
}

/// A loop that is being executed.
#[derive(Clone, Debug)]
pub(crate) struct ActiveLoop {
    pub(crate) component: usize,
    pub(crate) iteration: u32,
    /// Iterations that could have been the last.
    pub(crate) undecided: u32,
    /// The guard of the head in this iteration.
    pub(crate) entered: TermId,
    pub(crate) context: ContextId,
    /// The context of its first iteration, which names the entry into the loop.
    pub(crate) entry: ContextId,
    /// What is known of the next iteration, once somebody asked.
    pub(crate) repetition: Option<Repetition>,
}

/// An active call.
#[derive(Debug)]
pub(crate) struct Frame<'m> {
    pub(crate) function: FunctionId,
    pub(crate) body: &'m Body,
    pub(crate) plan: Rc<FunctionPlan>,
    pub(crate) values: Vec<Option<TermId>>,
    pub(crate) pending: Vec<Vec<Edge>>,
    pub(crate) active: Vec<ActiveLoop>,
    pub(crate) position: usize,
    /// The instruction of the block to be executed next; `None` between blocks.
    pub(crate) next: Option<usize>,
    pub(crate) guard: TermId,
    pub(crate) escaped: Vec<(ValueId, TermId)>,
    pub(crate) context: ContextId,
    /// The guard under which it was called.
    pub(crate) entered: TermId,
    pub(crate) returns: Vec<Edge>,
    /// Stack objects, in the order of their allocation.
    pub(crate) stack_objects: Vec<u64>,
    /// How often its function is active for reasons that inputs decide, itself included.
    pub(crate) undecided_depth: u32,
    /// How often its function is active.
    pub(crate) depth: u32,
}

/// Instructions after which a run is given up.
const MOST_INSTRUCTIONS: u64 = 20_000_000;

/// A run in progress. Its public methods are what a [`LoopPolicy`] may do ([`policy`]).
pub struct Executor<'m, 'r> {
    pub(crate) module: &'m Module,
    /// Where terms are made.
    pub pool: &'r mut TermPool,
    pub(crate) memo: &'r mut Memo,
    /// How memories are made, read and written.
    pub memory: &'r mut dyn MemoryRepresentation,
    pub(crate) settings: &'r Settings,
    pub(crate) cells: Cells,
    /// Taken out while it is asked.
    pub(crate) policy: Option<&'r mut (dyn LoopPolicy + 'r)>,
    pub(crate) budget: &'r Budget,
    pub(crate) frames: Vec<Frame<'m>>,
    pub(crate) trace: Trace,
    pub(crate) site_numbers: FxHashMap<(SiteKind, Option<ProgramPoint>), SiteIndex>,
    /// Results of the call that returned last from the outermost frame.
    pub(crate) returned: Option<(TermId, Vec<TermId>)>,
    pub(crate) pointer_bits: u32,
    /// Marks of accesses, if the program asks for them.
    pub(crate) marks: Option<Marks>,
    pub(crate) shadows: FxHashMap<(u64, u64), TermId>,
    pub(crate) float_axioms: usize,
    /// Some global is defined nowhere: its contents come from outside.
    pub(crate) has_external_contents: bool,
    /// What a policy has replaced.
    pub(crate) loss: Loss,
}

/// Why a run could not be finished.
#[derive(Debug, thiserror::Error)]
pub enum ExecuteError {
    #[error("out of {0}")]
    Exhausted(#[from] Exhausted),
    #[error("the program has no entry function with a body")]
    NoEntry,
    #[error("more than {0} instructions were unwound")]
    TooLarge(u64),
}

impl<'m, 'r> Executor<'m, 'r> {
    /// A run of a module in pure form from its start, with what earlier runs left in the memo.
    pub fn new(
        module: &'m Module,
        pool: &'r mut TermPool,
        memo: &'r mut Memo,
        memory: &'r mut dyn MemoryRepresentation,
        settings: &'r Settings,
        policy: &'r mut (dyn LoopPolicy + 'r),
        budget: &'r Budget,
    ) -> Self {
        memo.objects.restart();
        memory.set_budget(budget);
        Executor {
            module,
            pool,
            memo,
            memory,
            settings,
            cells: Cells::Promised,
            policy: Some(policy),
            budget,
            frames: vec![],
            trace: Trace::default(),
            site_numbers: FxHashMap::default(),
            returned: None,
            pointer_bits: module.layout.pointer_bits(),
            marks: None,
            shadows: FxHashMap::default(),
            float_axioms: 0,
            has_external_contents: module
                .globals
                .values()
                .any(|global| global.contents == GlobalContents::External || global.is_outside()),
            loss: Loss::default(),
        }
    }

    /// Gives the regions other cells than the promised ones.
    pub fn with_cells(self, cells: Cells) -> Self {
        Executor { cells, ..self }
    }

    pub(crate) fn frame(&self) -> &Frame<'m> {
        self.frames.last().expect("invariant: a call is active")
    }

    pub(crate) fn frame_mut(&mut self) -> &mut Frame<'m> {
        self.frames.last_mut().expect("invariant: a call is active")
    }

    /// The condition under which what is executed now is reached.
    pub fn guard(&self) -> TermId {
        self.frames
            .last()
            .map_or_else(|| self.pool.bool(true), |frame| frame.guard)
    }

    /// The value of an operand.
    pub fn get(&mut self, value: ValueId) -> TermId {
        let frame = self.frames.last().expect("invariant: a call is active");
        if let Some(term) = frame.values[cranelift_entity::EntityRef::index(value)] {
            return term;
        }
        let body = frame.body;
        let constant = body
            .as_constant(value)
            .expect("invariant: a definition comes before its uses");
        let term = self.constant(body.ty(value), constant);
        self.set(value, term);
        term
    }

    /// Gives a value of the present call its term.
    pub fn set(&mut self, value: ValueId, term: TermId) {
        let frame = self.frame_mut();
        frame.values[cranelift_entity::EntityRef::index(value)] = Some(term);
    }

    pub(crate) fn set_result(&mut self, instruction: InstId, term: TermId) {
        let body = self.frame().body;
        if let Some(&result) = body.instructions[instruction].results.first() {
            self.set(result, term);
        }
    }

    /// The place that is executed now.
    pub(crate) fn point(&self, instruction: InstId) -> ProgramPoint {
        ProgramPoint {
            function: self.frame().function,
            instruction,
        }
    }

    pub(crate) fn span(&self, instruction: InstId) -> SpanId {
        self.frame().body.instructions[instruction].span
    }

    /// The context of what is executed now: call path and iterations.
    pub(crate) fn context(&self) -> ContextId {
        let frame = self.frame();
        frame
            .active
            .last()
            .map_or(frame.context, |active| active.context)
    }

    /// A symbol for what an instruction leaves open.
    pub(crate) fn symbol(
        &mut self,
        instruction: InstId,
        number: u32,
        name: &str,
        sort: Sort,
    ) -> TermId {
        let context = self.context();
        let Memo { contexts, .. } = &mut *self.memo;
        let pool = &mut *self.pool;
        contexts.symbol(context, instruction, number, || {
            pool.fresh_symbol(name, sort)
        })
    }

    /// Something happens at the place that is executed now.
    pub fn note(&mut self, what: What) {
        let guard = self.guard();
        self.trace.events.push(Event { guard, what });
    }

    /// States a condition at the place that is executed now. A group that is switched off makes it
    /// an assumption.
    pub(crate) fn check(&mut self, kind: SiteKind, instruction: InstId, condition: TermId) {
        let function = &self.module.functions[self.frame().function];
        if function.handed_over().is_some() {
            return;
        }
        let condition = self.memory.simplify(self.pool, condition);
        if self.pool.as_bool(condition) == Some(true) {
            // Worth a site: the report says that it is safe.
            let _ = self.site(kind, instruction);
            return;
        }
        if !self.settings.is_enabled(kind.representative()) {
            self.assume(condition);
            return;
        }
        let site = self.site(kind, instruction);
        if self.settings.is_proved(kind, self.trace.sites[site].point) {
            return;
        }
        self.note(What::Check { condition, site });
        self.learn(condition);
        self.stop_if(condition);
    }

    /// A condition that later events may rely on.
    pub fn assume(&mut self, condition: TermId) {
        let condition = self.memory.simplify(self.pool, condition);
        if self.pool.as_bool(condition) == Some(true) {
            return;
        }
        self.note(What::Assume { condition });
        self.learn(condition);
        self.stop_if(condition);
    }

    /// Tells the representation what holds on every path.
    pub(crate) fn learn(&mut self, condition: TermId) {
        if self.pool.as_bool(self.guard()) == Some(true) {
            self.memory.assume(self.pool, condition);
        }
    }

    /// Nothing goes on behind a condition that is false.
    pub(crate) fn stop_if(&mut self, condition: TermId) {
        if self.pool.as_bool(condition) == Some(false) {
            let never = self.pool.bool(false);
            self.frame_mut().guard = never;
        }
    }

    /// What the representation takes for granted since it was last asked has to be shown.
    pub fn note_obligations(&mut self, instruction: InstId) {
        let span = self.span(instruction);
        for obligation in self.memory.take_obligations() {
            let condition = self.memory.simplify(self.pool, obligation.condition);
            if self.pool.as_bool(condition) != Some(true) {
                let what: Arc<str> = obligation.what.into();
                self.note(What::Obligation {
                    condition,
                    what,
                    span,
                    of_cells: true,
                });
            }
        }
    }

    /// The site of a check.
    pub(crate) fn site(&mut self, kind: SiteKind, instruction: InstId) -> SiteIndex {
        let (point, span) = self.outside_models(instruction);
        self.site_at(kind, Some(point), span)
    }

    /// Where an instruction is, or the call of the outermost library model around it.
    pub(crate) fn outside_models(&self, instruction: InstId) -> (ProgramPoint, SpanId) {
        let mut point = self.point(instruction);
        let mut span = self.span(instruction);
        let mut callers = self.frames.len() - 1;
        while self.module.functions[point.function].is_model && callers > 0 {
            callers -= 1;
            let caller = &self.frames[callers];
            let Some(call) = control::current_instruction(caller) else {
                break;
            };
            point = ProgramPoint {
                function: caller.function,
                instruction: call,
            };
            span = caller.body.instructions[call].span;
        }
        (point, span)
    }

    pub(crate) fn site_at(
        &mut self,
        kind: SiteKind,
        point: Option<ProgramPoint>,
        span: SpanId,
    ) -> SiteIndex {
        let sites = &mut self.trace.sites;
        *self.site_numbers.entry((kind, point)).or_insert_with(|| {
            sites.push(Site { kind, point, span });
            sites.len() - 1
        })
    }

    pub(crate) fn note_over_approximation(&mut self, what: &Arc<str>, span: SpanId) {
        let known = &mut self.trace.notes.over_approximations;
        if !known.iter().any(|(name, _)| name == what) {
            known.push((what.clone(), span));
        }
    }

    pub(crate) fn is_enabled(&self, kind: CheckKind) -> bool {
        self.settings.is_enabled(kind)
    }
}
