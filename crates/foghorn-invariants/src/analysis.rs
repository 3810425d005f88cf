//! Running a domain on a translated module, and what comes out.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use foghorn_absint::analysis::checker::CheckStatus;
use foghorn_absint::analysis::forward::{
    AnalysisOptions as FixpointOptions, OpaqueCalls, analyse as analyse_function,
    transfer_statement,
};
use foghorn_absint::analysis::interprocedural::contexts::{self, ContextOptions};
use foghorn_absint::analysis::interprocedural::{ProgramStates, summaries};
use foghorn_absint::domain::{
    AbstractDomain as _, AnyDomain, ProgramDomain as _, VariableDomain as _,
};
use foghorn_absint::language::{BlockId as GotoBlock, Condition};
use foghorn_absint::registry::{self, RegistryError};
use foghorn_absint::variable::VariableId as GotoVariable;
use foghorn_ir::graph::{ControlFlowGraph, DominatorTree};
use foghorn_ir::{BlockId, Body, FunctionId, InstId, Module, ValueId};

use crate::emitter::Place;
use crate::obligation::{Obligation, ObligationKind};
use crate::shape::Shape;
use crate::text::Scene;
use crate::translate::{FunctionTranslation, Translation, TranslationOptions, translate};
use foghorn_dsa::table::RegionTable;

/// How functions are put together.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Scope {
    /// Each by itself, from any arguments; calls give any results.
    #[default]
    Function,
    /// Bottom-up summaries, then top-down.
    Summaries,
    /// From the entry, with memoised contexts.
    Contexts,
}

/// How to analyse a module.
#[derive(Clone, Debug)]
pub struct AnalysisOptions {
    /// As in the registry of `foghorn-absint`.
    pub domain: String,
    pub scope: Scope,
    /// Under [`Scope::Contexts`]: the most contexts of a function that are kept apart, at least 1.
    pub contexts: usize,
    pub fixpoint: FixpointOptions,
    pub translation: TranslationOptions,
}

impl Default for AnalysisOptions {
    fn default() -> AnalysisOptions {
        AnalysisOptions {
            domain: "intervals+bool".to_owned(),
            scope: Scope::default(),
            contexts: ContextOptions::default().limit,
            fixpoint: FixpointOptions::default(),
            translation: TranslationOptions::default(),
        }
    }
}

/// What is known of a check or access.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CheckResult {
    pub function: FunctionId,
    pub instruction: InstId,
    pub kind: ObligationKind,
    /// Never `Error`: that a violation is possible is not shown.
    pub status: CheckStatus,
}

/// What holds at a place of the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Invariant {
    /// No run comes here.
    Unreachable,
    /// All of these hold; the variables are those of [`Translation::meanings`].
    Conditions(Vec<Condition>),
}

/// The results of an analysis.
pub struct Analysis {
    /// Shared, since it is the same for every domain.
    pub translation: Rc<Translation>,
    pub(crate) states: ProgramStates<AnyDomain>,
}

/// Translates and analyses a module. The only error is a description that names no domain.
pub fn analyse(
    module: &Module,
    regions: &RegionTable,
    options: &AnalysisOptions,
) -> Result<Analysis, RegistryError> {
    let translation = Rc::new(translate(module, regions, &options.translation));
    analyse_translation(&translation, options)
}

/// Analyses a program that is translated already.
pub fn analyse_translation(
    translation: &Rc<Translation>,
    options: &AnalysisOptions,
) -> Result<Analysis, RegistryError> {
    let top = registry::domain(&options.domain)?;
    let program = &translation.program;
    let states = match options.scope {
        Scope::Function => by_function(translation, &top, &options.fixpoint),
        Scope::Summaries => summaries::analyse_program(program, &top, &options.fixpoint),
        Scope::Contexts => {
            let contexts = ContextOptions {
                limit: options.contexts.max(1),
                ..ContextOptions::default()
            };
            contexts::analyse_program(program, &top, &options.fixpoint, contexts)
        }
    };
    Ok(Analysis {
        translation: Rc::clone(translation),
        states,
    })
}

fn by_function(
    translation: &Translation,
    top: &AnyDomain,
    options: &FixpointOptions,
) -> ProgramStates<AnyDomain> {
    let own = translation.functions.values().flatten();
    let functions = own.map(|function| {
        let (program, calls) = (&translation.program, &mut OpaqueCalls);
        analyse_function(program, function.goto, top, calls, options)
    });
    ProgramStates {
        functions: functions.collect(),
        calls: Box::new(OpaqueCalls),
    }
}

impl Analysis {
    fn function(&self, function: FunctionId) -> Option<&FunctionTranslation> {
        self.translation.functions[function].as_ref()
    }

    /// The states at the start of a block, one per context in which its function was analysed; none
    /// if no run comes there.
    pub fn states(
        &self,
        function: FunctionId,
        block: BlockId,
    ) -> impl Iterator<Item = &AnyDomain> + '_ {
        let place = self
            .function(function)
            .and_then(|it| Some((it.goto, it.blocks[block]?)));
        place.into_iter().flat_map(|(function, block)| {
            let contexts = self.states.of(function);
            contexts
                .map(move |states| states.before_block(block))
                .filter(|state| !state.is_bottom())
        })
    }

    /// All states at the start of a block; none if no run comes there.
    pub(crate) fn joined(&self, function: FunctionId, block: BlockId) -> Option<AnyDomain> {
        let mut states = self.states(function, block);
        let first = states.next()?.clone();
        Some(states.fold(first, |joined, state| joined.join(state)))
    }

    /// What holds whenever a block starts, of the values that are defined there.
    #[must_use]
    pub fn invariant(&self, module: &Module, function: FunctionId, block: BlockId) -> Invariant {
        let Some(joined) = self.joined(function, block) else {
            return Invariant::Unreachable;
        };
        let visible = self.visible_variables(module, function, block);
        conditions(joined, &visible)
    }

    /// What holds of parameters and returned values whenever a function returns; `None` if it never
    /// does.
    pub fn returned(&mut self, module: &Module, function: FunctionId) -> Option<Vec<Condition>> {
        let Analysis {
            translation,
            states,
        } = self;
        let body = module.functions[function].body.as_ref()?;
        let own = translation.functions[function].as_ref()?;
        let (place, values) = own.returns.as_ref()?;
        let params = &body.blocks[body.entry].params;
        let spoken_of = params.iter().chain(values);
        let mut visible: Vec<_> = spoken_of
            .flat_map(|it| own.shapes[*it].variables())
            .collect();
        visible.sort_unstable();
        visible.dedup();
        let mut joined: Option<AnyDomain> = None;
        visit_places(translation, own, states, &[*place], |_, state| {
            if !state.is_bottom() {
                let known = joined.take();
                joined = Some(known.map_or_else(|| state.clone(), |it| it.join(state)));
            }
        });
        match conditions(joined?, &visible) {
            Invariant::Unreachable => None,
            Invariant::Conditions(conditions) => Some(conditions),
        }
    }

    pub(crate) fn visible_variables(
        &self,
        module: &Module,
        function: FunctionId,
        block: BlockId,
    ) -> Vec<GotoVariable> {
        let (Some(translation), Some(body)) =
            (self.function(function), &module.functions[function].body)
        else {
            return Vec::new();
        };
        let visibility = Visibility::new(body);
        let values = visibility.values(block);
        let shapes = values.map(|value| translation.shapes[value]);
        let mut variables: Vec<_> = shapes.flat_map(Shape::variables).collect();
        variables.sort_unstable();
        variables
    }

    /// What is known of every check and access, in the order of functions and places.
    pub fn checks(&mut self) -> Vec<CheckResult> {
        let Analysis {
            translation,
            states,
        } = self;
        let mut all = Vec::new();
        for (id, function) in translation.functions.iter() {
            let Some(function) = function else { continue };
            let mut statuses = vec![CheckStatus::Unreachable; function.obligations.len()];
            visit_obligations(translation, function, states, |index, state| {
                let found = status(state, &function.obligations[index]);
                statuses[index] = statuses[index].combine(found);
            });
            for (obligation, status) in function.obligations.iter().zip(statuses) {
                all.push(CheckResult {
                    function: id,
                    instruction: obligation.instruction,
                    kind: obligation.kind,
                    status,
                });
            }
        }
        all
    }

    /// What is known of source variables where obligations stand, by their number in the list of
    /// [`Analysis::checks`].
    pub fn known_at_obligations(
        &mut self,
        module: &Module,
        wanted: &BTreeSet<usize>,
    ) -> BTreeMap<usize, Vec<String>> {
        let mut places: Vec<(usize, FunctionId, InstId, Place)> = Vec::new();
        let mut number = 0;
        for (id, function) in self.translation.functions.iter() {
            for obligation in function.iter().flat_map(|it| &it.obligations) {
                if wanted.contains(&number) {
                    places.push((number, id, obligation.instruction, obligation.place));
                }
                number += 1;
            }
        }
        let mut found = BTreeMap::new();
        for (number, function, instruction, place) in places {
            let known = self.known(module, function, instruction, place);
            found.insert(number, known);
        }
        found
    }

    /// What is known of source variables just before an instruction.
    pub fn known_before(
        &mut self,
        module: &Module,
        function: FunctionId,
        instruction: InstId,
    ) -> Vec<String> {
        let translation = self.function(function);
        let place = translation.and_then(|it| it.places[instruction]);
        match place {
            Some(place) => self.known(module, function, instruction, place),
            None => vec!["false".to_owned()],
        }
    }

    fn known(
        &mut self,
        module: &Module,
        function: FunctionId,
        instruction: InstId,
        place: Place,
    ) -> Vec<String> {
        let Analysis {
            translation,
            states,
        } = self;
        let (Some(body), Some(own)) = (
            &module.functions[function].body,
            &translation.functions[function],
        ) else {
            return Vec::new();
        };
        let mut joined: Option<AnyDomain> = None;
        visit_places(translation, own, states, &[place], |_, state| {
            if !state.is_bottom() {
                joined = Some(match &joined {
                    Some(known) => known.join(state),
                    None => state.clone(),
                });
            }
        });
        let Some(state) = joined else {
            return vec!["false".to_owned()];
        };
        let scene = Scene::new(module, function, body, own, instruction);
        scene.facts(state)
    }
}

/// What a state says about variables.
pub(crate) fn conditions(mut state: AnyDomain, visible: &[GotoVariable]) -> Invariant {
    state.project(visible);
    let mut conditions = state.to_conditions();
    // A domain may speak of variables of its own.
    conditions.retain(|it| {
        it.variables()
            .iter()
            .all(|x| visible.binary_search(x).is_ok())
    });
    Invariant::Conditions(conditions)
}

/// Shows the state at each obligation of a function, in each of its contexts.
fn visit_obligations(
    translation: &Translation,
    function: &FunctionTranslation,
    states: &mut ProgramStates<AnyDomain>,
    visit: impl FnMut(usize, &AnyDomain),
) {
    let places: Vec<Place> = function.obligations.iter().map(|it| it.place).collect();
    visit_places(translation, function, states, &places, visit);
}

/// Shows the state at each of some places of a function, by number, in each of its contexts.
fn visit_places(
    translation: &Translation,
    function: &FunctionTranslation,
    states: &mut ProgramStates<AnyDomain>,
    places: &[Place],
    mut visit: impl FnMut(usize, &AnyDomain),
) {
    let mut of_block: BTreeMap<GotoBlock, Vec<usize>> = BTreeMap::new();
    for (index, place) in places.iter().enumerate() {
        of_block.entry(place.block).or_default().push(index);
    }
    let ProgramStates { functions, calls } = states;
    for context in functions.iter().filter(|it| it.function == function.goto) {
        for (block, indices) in &of_block {
            let mut state = context.before_block(*block).clone();
            let body = &translation.program.functions[function.goto].blocks[*block];
            let mut pending = indices.iter().peekable();
            for position in 0..=body.statements.len() {
                while let Some(&&index) = pending.peek()
                    && places[index].position == position
                {
                    pending.next();
                    visit(index, &state);
                }
                if pending.peek().is_none() {
                    break;
                }
                transfer_statement(&body.statements[position], &mut state, &mut **calls);
            }
        }
    }
}

fn status(state: &AnyDomain, obligation: &Obligation) -> CheckStatus {
    if state.is_bottom() {
        return CheckStatus::Unreachable;
    }
    let refuted = obligation.violations.iter().all(|violation| {
        let mut violating = state.clone();
        for condition in violation {
            violating.assume(condition);
            if violating.is_bottom() {
                return true;
            }
        }
        false
    });
    if refuted {
        CheckStatus::Safe
    } else {
        CheckStatus::Warning
    }
}

/// Which values are defined where, in one body.
pub struct Visibility<'b> {
    body: &'b Body,
    dominators: DominatorTree<BlockId>,
}

impl<'b> Visibility<'b> {
    #[must_use]
    pub fn new(body: &'b Body) -> Visibility<'b> {
        let cfg = ControlFlowGraph::new(body);
        Visibility {
            body,
            dominators: DominatorTree::new(cfg.graph(), body.entry),
        }
    }

    /// The values that are defined whenever a block starts: its own parameters, and what the blocks
    /// define that dominate it, the nearest first. None for blocks that the entry does not reach.
    pub fn values(&self, block: BlockId) -> impl Iterator<Item = ValueId> + '_ {
        let reachable = self.dominators.contains(block).then_some(block);
        let params = |block: BlockId| self.body.blocks[block].params.iter().copied();
        let own = reachable.into_iter().flat_map(params);
        let above = |block: &BlockId| self.dominators.immediate_dominator(*block);
        let dominators = std::iter::successors(reachable, above).skip(1);
        own.chain(dominators.flat_map(move |dominator| {
            let instructions = self.body.blocks[dominator].instructions.iter().rev();
            let results = instructions.flat_map(|id| self.body.instructions[*id].results.iter());
            results.copied().chain(params(dominator))
        }))
    }
}
