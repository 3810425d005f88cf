//! The executor: all paths of a program at once, up to a bound, as terms.
//!
//! It walks each function in weak topological order ([`crate::plan`]), merges paths where they meet
//! ([`crate::guard`]), goes around loops and into calls as it meets them, and writes down what
//! happens ([`crate::event`]). Unwinding and inlining are lazy: where constants decide a branch only
//! one side is followed, so a loop whose trip count is a constant is executed rather than
//! unrolled, and the bound counts only iterations that could have ended otherwise.
//!
//! The result is the pure data flow of §2.5 of the SEAM thesis, in one pass: inlining, unrolling,
//! gated SSA and the collection of one assumption and one assertion are the same walk. An explicit
//! stack of frames stands for the calls, so the program's recursion is none of ours.

mod access;
mod address;
mod builtin;
mod call;
mod closed;
mod control;
mod facts;
mod lifetime;
mod pointer;
mod reach;
mod scalar;
mod startup;

pub use closed::{Folds, has_closable_loops};

use crate::cells::Cells;
use crate::context::{ContextId, Contexts};
use crate::event::{Event, Site, SiteIndex, What};
use crate::guard;
use crate::object::Objects;
use crate::plan::FunctionPlan;
use crate::settings::{Limits, Settings};
use foghorn_core::{Budget, CheckKind, Exhausted, SiteKind, SpanId};
use foghorn_encode::float::FloatEncoder;
use foghorn_encode::memory::MemoryRepresentation;
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
    plans: FxHashMap<FunctionId, Rc<FunctionPlan>>,
    loop_names: FxHashMap<FunctionId, LoopNames>,
    /// What loops do to their variables, by the number of the loop; `None` if it is not followed.
    shapes: FxHashMap<(FunctionId, usize), Option<Rc<closed::Shape>>>,
    pub floats: FloatEncoder,
    /// Base addresses by object number.
    bases: FxHashMap<u64, TermId>,
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
    /// Sums and the like over the iterations of loops that were closed.
    pub folds: Option<Folds>,
    /// How often a loop was entered that was closed.
    pub closed_loops: u32,
}

/// What an answer rests on.
#[derive(Debug, Default)]
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
struct Edge {
    guard: TermId,
    arguments: Vec<TermId>,
    /// Values of loops that were left, sorted.
    escaped: Vec<(ValueId, TermId)>,
}

/// A loop that is being executed.
#[derive(Clone, Debug)]
struct ActiveLoop {
    component: usize,
    iteration: u32,
    /// Iterations that could have been the last.
    undecided: u32,
    /// The guard of the head in this iteration.
    entered: TermId,
    context: ContextId,
    /// It stands for any iteration; nothing goes back to its head.
    closed: bool,
}

/// An active call.
#[derive(Debug)]
struct Frame<'m> {
    function: FunctionId,
    body: &'m Body,
    plan: Rc<FunctionPlan>,
    values: Vec<Option<TermId>>,
    pending: Vec<Vec<Edge>>,
    active: Vec<ActiveLoop>,
    position: usize,
    /// The instruction of the block to be executed next; `None` between blocks.
    next: Option<usize>,
    guard: TermId,
    escaped: Vec<(ValueId, TermId)>,
    context: ContextId,
    /// The guard under which it was called.
    entered: TermId,
    returns: Vec<Edge>,
    /// Stack objects, in order of birth.
    stack_objects: Vec<u64>,
    /// How often its function is active for reasons that inputs decide, itself included.
    undecided_depth: u32,
    /// How often its function is active.
    depth: u32,
}

/// A run in progress.
pub struct Executor<'m, 'r> {
    module: &'m Module,
    pool: &'r mut TermPool,
    memo: &'r mut Memo,
    memory: &'r mut dyn MemoryRepresentation,
    settings: &'r Settings,
    cells: Cells,
    limits: &'r Limits,
    budget: &'r Budget,
    frames: Vec<Frame<'m>>,
    trace: Trace,
    site_numbers: FxHashMap<(SiteKind, Option<ProgramPoint>), SiteIndex>,
    /// Results of the call that returned last from the outermost frame.
    returned: Option<(TermId, Vec<TermId>)>,
    pointer_bits: u32,
    /// Marks of accesses, if the program asks for them.
    marks: Option<access::Marks>,
    shadows: FxHashMap<(u64, u64), TermId>,
    float_axioms: usize,
    /// Some global is defined nowhere: its contents come from outside.
    has_external_contents: bool,
    /// Loops are closed as far as they can be.
    closed: Option<closed::Closed>,
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
    pub fn new(
        module: &'m Module,
        pool: &'r mut TermPool,
        memo: &'r mut Memo,
        memory: &'r mut dyn MemoryRepresentation,
        settings: &'r Settings,
        limits: &'r Limits,
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
            limits,
            budget,
            frames: vec![],
            trace: Trace::default(),
            site_numbers: FxHashMap::default(),
            returned: None,
            pointer_bits: module.layout.pointer_bits(),
            marks: None,
            shadows: FxHashMap::default(),
            float_axioms: 0,
            closed: None,
            has_external_contents: module
                .globals
                .values()
                .any(|global| global.contents == GlobalContents::External || global.is_outside()),
        }
    }

    /// Gives the regions other cells than the promised ones.
    pub fn with_cells(self, cells: Cells) -> Self {
        Executor { cells, ..self }
    }

    fn frame(&self) -> &Frame<'m> {
        self.frames.last().expect("invariant: a call is active")
    }

    fn frame_mut(&mut self) -> &mut Frame<'m> {
        self.frames.last_mut().expect("invariant: a call is active")
    }

    fn guard(&self) -> TermId {
        self.frames
            .last()
            .map_or_else(|| self.pool.bool(true), |frame| frame.guard)
    }

    /// The value of an operand.
    fn get(&mut self, value: ValueId) -> TermId {
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

    fn set(&mut self, value: ValueId, term: TermId) {
        let frame = self.frame_mut();
        frame.values[cranelift_entity::EntityRef::index(value)] = Some(term);
    }

    fn set_result(&mut self, instruction: InstId, term: TermId) {
        let body = self.frame().body;
        if let Some(&result) = body.instructions[instruction].results.first() {
            self.set(result, term);
        }
    }

    /// The place that is executed now.
    fn point(&self, instruction: InstId) -> ProgramPoint {
        ProgramPoint {
            function: self.frame().function,
            instruction,
        }
    }

    fn span(&self, instruction: InstId) -> SpanId {
        self.frame().body.instructions[instruction].span
    }

    /// The context of what is executed now: call path and iterations.
    fn context(&self) -> ContextId {
        let frame = self.frame();
        frame
            .active
            .last()
            .map_or(frame.context, |active| active.context)
    }

    /// A symbol for what an instruction leaves open.
    fn symbol(&mut self, instruction: InstId, number: u32, name: &str, sort: Sort) -> TermId {
        let context = self.context();
        let Memo { contexts, .. } = &mut *self.memo;
        let pool = &mut *self.pool;
        contexts.symbol(context, instruction, number, || {
            pool.fresh_symbol(name, sort)
        })
    }

    fn note(&mut self, what: What) {
        let guard = self.guard();
        self.trace.events.push(Event { guard, what });
    }

    /// States a condition at the place that is executed now. A group that is switched off makes it
    /// an assumption.
    fn check(&mut self, kind: SiteKind, instruction: InstId, condition: TermId) {
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
        if !self.settings.enabled(kind.representative()) {
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
    fn assume(&mut self, condition: TermId) {
        let condition = self.memory.simplify(self.pool, condition);
        if self.pool.as_bool(condition) == Some(true) {
            return;
        }
        self.note(What::Assume { condition });
        self.learn(condition);
        self.stop_if(condition);
    }

    /// Tells the representation what holds on every path.
    fn learn(&mut self, condition: TermId) {
        if self.pool.as_bool(self.guard()) == Some(true) {
            self.memory.assume(self.pool, condition);
        }
    }

    /// Nothing goes on behind a condition that is false.
    fn stop_if(&mut self, condition: TermId) {
        if self.pool.as_bool(condition) == Some(false) {
            let never = self.pool.bool(false);
            self.frame_mut().guard = never;
        }
    }

    fn obligations(&mut self, instruction: InstId) {
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
    fn site(&mut self, kind: SiteKind, instruction: InstId) -> SiteIndex {
        let (point, span) = self.outside_models(instruction);
        self.site_at(kind, Some(point), span)
    }

    /// Where an instruction is, or the call of the outermost library model around it.
    fn outside_models(&self, instruction: InstId) -> (ProgramPoint, SpanId) {
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

    fn site_at(&mut self, kind: SiteKind, point: Option<ProgramPoint>, span: SpanId) -> SiteIndex {
        let sites = &mut self.trace.sites;
        *self.site_numbers.entry((kind, point)).or_insert_with(|| {
            sites.push(Site { kind, point, span });
            sites.len() - 1
        })
    }

    fn note_over_approximation(&mut self, what: &Arc<str>, span: SpanId) {
        let known = &mut self.trace.notes.over_approximations;
        if !known.iter().any(|(name, _)| name == what) {
            known.push((what.clone(), span));
        }
    }

    /// Two paths that exclude each other as one.
    fn merge_edges(&mut self, mut edges: Vec<Edge>, is_memory: &[bool], body: &Body) -> Edge {
        let mut merged = edges.pop().expect("invariant: something is pending");
        while let Some(edge) = edges.pop() {
            let meeting = guard::meet(self.pool, edge.guard, merged.guard);
            let gate = self.memory.simplify(self.pool, meeting.first);
            let pairs = edge.arguments.into_iter().zip(merged.arguments);
            merged.arguments = pairs
                .zip(is_memory)
                .map(|((first, second), &memory)| self.choose(gate, first, second, memory))
                .collect();
            merged.escaped = self.merge_escaped(gate, &edge.escaped, &merged.escaped, body);
            merged.guard = meeting.guard;
        }
        merged
    }

    fn choose(&mut self, gate: TermId, first: TermId, second: TermId, memory: bool) -> TermId {
        if first == second {
            first
        } else if memory {
            self.memory.merge(self.pool, gate, first, second)
        } else {
            self.pool.ite(gate, first, second)
        }
    }

    /// A value that only one side took along is not used beyond the meeting: its definition does
    /// not dominate it.
    fn merge_escaped(
        &mut self,
        gate: TermId,
        first: &[(ValueId, TermId)],
        second: &[(ValueId, TermId)],
        body: &Body,
    ) -> Vec<(ValueId, TermId)> {
        let mut merged = vec![];
        let mut rest = second.iter().peekable();
        for &(value, a) in first {
            while rest.next_if(|(other, _)| *other < value).is_some() {}
            if let Some(&(_, b)) = rest.next_if(|(other, _)| *other == value) {
                let memory = body.ty(value).region().is_some();
                merged.push((value, self.choose(gate, a, b, memory)));
            }
        }
        merged
    }

    fn enabled(&self, kind: CheckKind) -> bool {
        self.settings.enabled(kind)
    }
}
