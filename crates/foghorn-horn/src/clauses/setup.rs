//! What is known of a program before its paths are followed.

use super::explore::Pending;
use super::{FunctionFacts, Maker, Meaning, Needs, NoClauses, SiteRef, constants};
use crate::datum::Datum;
use crate::form::{Form, ProcedureForm, StepSize};
use crate::layout::{Layout, Layouts};
use crate::liveness::Liveness;
use crate::memory::{Contents, Kept, Node};
use crate::objects::{Numbering, ROOM};
use crate::path::numbers::integers;
use crate::path::{Frame, Refusal, State};
use crate::sabotage::Sabotage;
use crate::slice::{Question, Relevance};
use foghorn_core::{SiteKind, SpanId, WhenOff};
use foghorn_encode::execute::plan::FunctionPlan;
use foghorn_encode::execute::settings::Settings;
use foghorn_engine::Task;
use foghorn_ir::graph::{CallGraph, ControlFlowGraph, LoopForest};
use foghorn_ir::interpret::ProgramPoint;
use foghorn_ir::sites::reached_functions;
use foghorn_ir::{
    AllocationKind, BlockId, Body, Builtin, Callee, FunctionId, GlobalContents, InstId,
    Instruction, Module, NondetOrigin, ValueId,
};
use foghorn_smt::horn::{Application, HornSystem};
use foghorn_term::TermPool;
use rustc_hash::{FxHashMap, FxHashSet};

/// Paths that may meet at a block before it becomes a cut.
const MOST_PATHS: usize = 16;

impl<'t> Maker<'t> {
    /// Looks at a program, in this form and without the sites that were dropped.
    pub fn new(
        task: &'t Task,
        settings: Settings,
        form: Form,
        dropped: FxHashSet<SiteRef>,
    ) -> Result<Self, NoClauses> {
        let module = task.pure();
        let entry = module
            .entry
            .filter(|id| module.functions[*id].body.is_some());
        let Some(entry) = entry else {
            return Err(NoClauses::Refused(Refusal {
                construct: "a program without an entry".to_owned(),
                span: SpanId::UNKNOWN,
            }));
        };
        let layouts = Layouts::new(module, task.regions(), form.track);
        let mut maker = Maker {
            task,
            module,
            form,
            pool: TermPool::new(),
            integers: integers(form.integers),
            pointer_bits: module.layout.pointer_bits(),
            numbering: Numbering::new(module, (ROOM, ROOM)),
            layouts,
            relevance: Relevance::default(),
            needs: Needs::default(),
            functions: FxHashMap::default(),
            summarised: summarised(module, entry, form.procedures),
            has_external_contents: has_external_contents(module),
            true_of: FxHashMap::default(),
            ranges: FxHashMap::default(),
            origins: vec![],
            dropped,
            constants: constants::Constants::default(),
            cuts: vec![],
            by_key: FxHashMap::default(),
            queued: FxHashSet::default(),
            summaries: FxHashMap::default(),
            entries: vec![],
            system: HornSystem::default(),
            rules: vec![],
            tracked: None,
            imprecisions: vec![],
            over_approximations: vec![],
            external_calls: vec![],
            current: None,
            procedure: entry,
            arrivals: vec![],
            sabotage: Sabotage::None,
            settings,
        };
        maker.look();
        Ok(maker)
    }

    fn look(&mut self) {
        let functions: Vec<FunctionId> = reached_functions(self.module).into_iter().collect();
        self.needs = self.find_needs(&functions);
        let mut origins: Vec<Option<ProgramPoint>> = vec![];
        for (_, site) in self.task.sites().iter() {
            let point = Some(site.point);
            if matches!(site.kind, SiteKind::Leak | SiteKind::Cleanup) && !origins.contains(&point)
            {
                origins.push(point);
            }
        }
        self.origins = origins;
        let is_open = |function: FunctionId, id: InstId| self.is_watched(function, id);
        let question = Question {
            module: self.module,
            functions: &functions,
            is_open: &is_open,
            lives: self.needs.life,
            sizes: self.needs.size,
        };
        self.relevance = Relevance::new(&question);
        for &function in &functions {
            if self.module.functions[function].body.is_some() {
                let facts = self.function_facts(function);
                self.functions.insert(function, facts);
            }
        }
    }

    /// Whether what an instruction claims, or assumes since the claim is not checked, has to be known.
    fn is_watched(&self, function: FunctionId, id: InstId) -> bool {
        let point = ProgramPoint {
            function,
            instruction: id,
        };
        if self.module.functions[function].is_model {
            return true;
        }
        let data = &self.body(function).instructions[id].instruction;
        match data {
            Instruction::Check { kind, .. } => {
                let site = SiteRef {
                    kind: SiteKind::Explicit(*kind),
                    point: Some(point),
                };
                match self.settings.checks.contains(*kind) {
                    true => self.is_asked(&site),
                    false => kind.when_off() != WhenOff::MachineMeaning,
                }
            }
            Instruction::Load { .. }
            | Instruction::Store { .. }
            | Instruction::MemoryCopy { .. }
            | Instruction::MemorySet { .. }
            | Instruction::Call {
                callee: Callee::Builtin(_),
                ..
            } => {
                let kind = SiteKind::Dereference;
                let site = SiteRef {
                    kind,
                    point: Some(point),
                };
                match self.settings.checks.contains(kind.representative()) {
                    true => self.is_asked(&site),
                    false => true,
                }
            }
            Instruction::Free { .. } => self.is_asked(&SiteRef {
                kind: SiteKind::Free,
                point: Some(point),
            }),
            Instruction::Compare { .. } => self.is_asked(&SiteRef {
                kind: SiteKind::PointerOrder,
                point: Some(point),
            }),
            _ => false,
        }
    }

    fn find_needs(&self, functions: &[FunctionId]) -> Needs {
        let mut needs = Needs::default();
        let is_asked = |kind: SiteKind, point: ProgramPoint| {
            let site = SiteRef {
                kind,
                point: Some(point),
            };
            self.is_asked(&site)
        };
        let mut sites = self.task.sites().iter();
        needs.origin = sites.any(|(_, site)| {
            matches!(site.kind, SiteKind::Leak | SiteKind::Cleanup)
                && is_asked(site.kind, site.point)
        });
        needs.life = needs.origin;
        for &function in functions {
            let Some(body) = &self.module.functions[function].body else {
                continue;
            };
            let inside = self.module.functions[function].is_model;
            for &id in body.blocks.values().flat_map(|block| &block.instructions) {
                let data = &body.instructions[id];
                let point = ProgramPoint {
                    function,
                    instruction: id,
                };
                let selected = self
                    .settings
                    .checks
                    .contains(SiteKind::Dereference.representative());
                match &data.instruction {
                    Instruction::Load { .. }
                    | Instruction::Store { .. }
                    | Instruction::MemoryCopy { .. }
                    | Instruction::MemorySet { .. }
                        if selected && (inside || is_asked(SiteKind::Dereference, point)) =>
                    {
                        self.need_for_access(&mut needs, function, data);
                    }
                    Instruction::Free { .. } => {
                        let selected = self
                            .settings
                            .checks
                            .contains(SiteKind::Free.representative());
                        needs.life |= selected && (inside || is_asked(SiteKind::Free, point));
                    }
                    Instruction::Call {
                        callee: Callee::Builtin(builtin),
                        ..
                    } => match builtin {
                        Builtin::WriteOutput
                        | Builtin::ReadInput
                        | Builtin::FormatFloat
                        | Builtin::HavocMemory
                            if selected && (inside || is_asked(SiteKind::Dereference, point)) =>
                        {
                            (needs.life, needs.size) = (true, true);
                        }
                        Builtin::IsDereferenceable => (needs.life, needs.size) = (true, true),
                        Builtin::ObjectSize => needs.size = true,
                        Builtin::IsAlive => needs.life = true,
                        _ => {}
                    },
                    Instruction::Allocate { kind, .. } => match kind {
                        AllocationKind::Heap => needs.heap |= self.is_repeated(function, body, id),
                        AllocationKind::Stack => {
                            needs.stack |= self.is_repeated(function, body, id);
                        }
                        AllocationKind::Permanent => {}
                    },
                    _ => {}
                }
            }
        }
        needs
    }

    fn need_for_access(
        &self,
        needs: &mut Needs,
        function: FunctionId,
        data: &foghorn_ir::InstructionData,
    ) {
        if data.memory.is_empty() {
            (needs.life, needs.size) = (true, true);
        }
        let layouts: Vec<&Layout> = data
            .memory
            .iter()
            .map(|used| self.layouts.get(function, used.region))
            .collect();
        let is_range = matches!(
            data.instruction,
            Instruction::MemoryCopy { .. } | Instruction::MemorySet { .. }
        );
        needs.life |= layouts.iter().any(|layout| layout.mortal);
        needs.size |= is_range || layouts.iter().any(|layout| layout.size.is_none());
    }

    /// Whether an allocation may be executed more than once, however it is reached.
    fn is_repeated(&self, function: FunctionId, body: &Body, id: InstId) -> bool {
        let calls = CallGraph::new(self.module);
        let forests = |function: FunctionId| {
            let body = self.module.functions[function].body.as_ref();
            body.map(|body| LoopForest::new(&ControlFlowGraph::new(body)))
        };
        let in_loop = |function: FunctionId, body: &Body, id: InstId| {
            let forest = forests(function);
            let mut blocks = body.blocks.iter();
            let block = blocks.find(|(_, data)| data.instructions.contains(&id));
            match (forest, block) {
                (Some(forest), Some((block, _))) => forest.depth(block) > 0,
                _ => true,
            }
        };
        if in_loop(function, body, id) {
            return true;
        }
        // Every function on a way from the entry: if it has a summary or is called in a loop.
        let mut seen: FxHashSet<FunctionId> = FxHashSet::default();
        let mut pending = vec![function];
        while let Some(function) = pending.pop() {
            if !seen.insert(function) {
                continue;
            }
            if self.summarised.contains(&function) || calls.is_recursive(function) {
                return true;
            }
            for &caller in calls.callers(function) {
                let Some(body) = &self.module.functions[caller].body else {
                    continue;
                };
                for (call, data) in body.instructions.iter() {
                    if let Instruction::Call {
                        callee: Callee::Direct(callee),
                        ..
                    } = data.instruction
                        && callee == function
                        && in_loop(caller, body, call)
                    {
                        return true;
                    }
                }
                pending.push(caller);
            }
        }
        false
    }

    fn function_facts(&self, function: FunctionId) -> FunctionFacts {
        let body = self.body(function);
        let cfg = ControlFlowGraph::new(body);
        let forest = LoopForest::new(&cfg);
        let matters = |value: ValueId| self.matters(function, value);
        let reached = cfg.reverse_postorder();
        let in_loops = reached.iter().copied().filter(|it| forest.depth(*it) > 0);
        let (cuts, paths) = self.find_cuts(body, &cfg);
        FunctionFacts {
            liveness: Liveness::new(body, &matters),
            in_loops: in_loops.collect(),
            cuts,
            starts_dead: FunctionPlan::new(body).starts_dead,
            paths,
        }
    }

    /// Where a function is cut: at the targets of edges that go back, and where too many paths meet.
    fn find_cuts(&self, body: &Body, cfg: &ControlFlowGraph) -> (FxHashSet<BlockId>, usize) {
        let mut cuts: FxHashSet<BlockId> = FxHashSet::default();
        let mut paths: FxHashMap<BlockId, usize> = FxHashMap::default();
        let mut returns = 0;
        for &block in cfg.reverse_postorder() {
            let position = cfg.position(block);
            let mut predecessors = cfg.predecessors(block).iter();
            // An edge that does not go forward in the order closes a cycle.
            let is_head =
                predecessors.any(|from| cfg.position(*from) >= position && cfg.is_reachable(*from));
            let meeting: usize = cfg
                .predecessors(block)
                .iter()
                .filter_map(|from| paths.get(from))
                .sum();
            let too_many = meeting > MOST_PATHS && cfg.predecessors(block).len() > 1;
            let small = self.form.step == StepSize::Small && block != body.entry;
            if is_head || too_many || small {
                cuts.insert(block);
                paths.insert(block, 1);
            } else {
                paths.insert(block, meeting.max(1));
            }
            if let foghorn_ir::Terminator::Return { .. } = body.blocks[block].terminator {
                returns += paths[&block];
            }
        }
        (cuts, returns)
    }

    /// The program's start.
    pub(super) fn begin(&mut self, pending: &mut Pending) -> Result<(), NoClauses> {
        let entry = self.procedure;
        let body = self.body(entry);
        let mut state = self.empty_state();
        state.frames.push(Frame {
            function: entry,
            block: body.entry,
            index: 0,
            values: FxHashMap::default(),
            call: None,
            mark: state.next_stack,
        });
        let scalars = self.module.functions[entry].signature.params.len();
        let params = body.blocks[body.entry].params.clone();
        for (number, param) in params.into_iter().enumerate() {
            if number < scalars {
                let name = format!("argument {number}");
                self.input(&mut state, param, None, &NondetOrigin::Input(name.into()));
            } else if let Some(region) = body.ty(param).region() {
                let contents = Contents::new(Node::Initial(Kept::Region(entry, region)));
                self.set(&mut state, param, Datum::Contents(contents));
            }
        }
        self.start(pending, state);
        Ok(())
    }

    fn start(&mut self, pending: &mut Pending, mut state: State) {
        let frame = state.frame();
        state.arriving = self.functions[&frame.function].cuts.contains(&frame.block);
        self.current = None;
        self.push(pending, state);
    }

    /// A path that ends in failure, of whatever kind: where nothing is summarised it derives `false`.
    pub fn emit_error(&mut self, state: &State, meaning: Meaning, name: &str) {
        let head: Option<Application> = self.failure_head(state);
        self.emit(state, head, meaning, name);
    }
}

/// The functions whose calls become summaries.
fn summarised(module: &Module, entry: FunctionId, form: ProcedureForm) -> FxHashSet<FunctionId> {
    let calls = CallGraph::new(module);
    let reached = reached_functions(module).into_iter();
    let chosen = reached.filter(|id| match form {
        ProcedureForm::Inline => calls.is_recursive(*id),
        // What fails in a model of the library is said of its call, so that must be known.
        ProcedureForm::Summaries | ProcedureForm::Mixed => {
            let inside = module.functions[*id].is_model;
            (*id != entry && !inside) || calls.is_recursive(*id)
        }
    });
    chosen
        .filter(|id| module.functions[*id].body.is_some())
        .collect()
}

fn has_external_contents(module: &Module) -> bool {
    let mut globals = module.globals.values();
    globals.any(|global| global.contents == GlobalContents::External || global.is_outside())
}
