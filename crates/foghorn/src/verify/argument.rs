//! Arguments for what engines proved, where the engine gives none of its own.
//!
//! Complete unwinding is an argument by itself: a bound. For what holds in any number of iterations the
//! invariants of the abstract interpreter are claimed, with more that is merely likely (what pointers lead
//! to is alive, what loops leave in arrays, what holds in each state of a machine); what does not follow is
//! taken out again.

use super::{cases, contents, residues};
use foghorn_absint::registry::RegistryError;
use foghorn_core::CheckSelection;
use foghorn_encode::claim::{
    Argument, Contract, Expression, FIRST_OBJECT, Formula, LoopClaim, NULL, Subject,
};
use foghorn_encode::fact::Fact;
use foghorn_invariants::{
    Analysis, AnalysisOptions, RegionTable, Scope, TranslationOptions, analyse,
};
use foghorn_ir::graph::{CallGraph, ControlFlowGraph, DominatorTree, LoopForest};
use foghorn_ir::{BlockId, Body, FunctionId, Module, Type, ValueDef, ValueId};

/// Claims about pointers at one place beyond this are not made.
const MOST_POINTERS: usize = 12;

/// All loops and recursions end within a bound.
pub fn unwinding(by: &str, bound: u32) -> Argument {
    Argument {
        unwinding: Some(bound),
        ..Argument::by(by)
    }
}

/// The invariants of an analysis of its own as an argument.
pub fn invariants(
    module: &Module,
    checks: &CheckSelection,
    domain: &str,
) -> Result<Argument, RegistryError> {
    let options = AnalysisOptions {
        domain: domain.to_owned(),
        scope: Scope::Contexts,
        contexts: 1,
        translation: TranslationOptions {
            checks: checks.groups().collect(),
            alignment: false,
        },
        ..AnalysisOptions::default()
    };
    let mut analysis = analyse(module, &RegionTable::default(), &options)?;
    let calls = CallGraph::new(module);
    let mut argument = Argument::by("absint");
    for (id, function) in module.functions.iter() {
        let Some(body) = &function.body else { continue };
        let cfg = ControlFlowGraph::new(body);
        let loops = LoopForest::new(&cfg);
        let heads: Vec<BlockId> = loops.iter().map(|(_, it)| it.header).collect();
        if heads.is_empty() && !calls.is_recursive(id) {
            continue;
        }
        let dominators = DominatorTree::new(cfg.graph(), body.entry);
        let claims = argument.function(&function.name);
        for head in heads {
            let mut holds = facts_at(module, &mut analysis, id, head);
            holds.extend(alive_pointers(body, &dominators, head));
            let claim = LoopClaim::invariant(holds);
            claims.loops.insert(head.as_u32(), claim);
        }
        if module.entry != Some(id) || calls.is_recursive(id) {
            let mut requires = facts_at(module, &mut analysis, id, body.entry);
            requires.extend(alive_parameters(body));
            let returned = analysis.facts_returned(module, id);
            claims.contract = Some(Contract {
                requires,
                ensures: returned.map(|facts| claimed(&facts)),
            });
        }
    }
    contents::add_filled(module, &mut argument);
    Ok(argument)
}

/// The same with what may hold case by case and of remainders, which takes longer.
pub fn with_cases(module: &Module, mut argument: Argument) -> Argument {
    cases::add_cases(module, &mut argument);
    residues::add_residues(module, &mut argument);
    argument
}

/// What an engine claims, with what an analysis says of the same places. A function of which every loop is unwound stays
/// part of its callers; others are called by the contract of the analysis, unless the engine has one.
pub fn union(module: &Module, engine: &Argument, analysis: &Argument) -> Argument {
    let calls = CallGraph::new(module);
    let mut both = engine.clone();
    for (name, theirs) in &analysis.functions {
        let claims = both.function(name);
        for (head, claim) in &theirs.loops {
            let LoopClaim::Invariant { holds: more, .. } = claim else {
                continue;
            };
            match claims.loops.get_mut(head) {
                Some(LoopClaim::Invariant { holds, .. }) => {
                    let new = more.iter().filter(|it| !holds.contains(it));
                    let new: Vec<Formula> = new.cloned().collect();
                    holds.extend(new);
                }
                Some(LoopClaim::Unwound { .. }) => {}
                None => {
                    claims.loops.insert(*head, claim.clone());
                }
            }
        }
        let mut loops = claims.loops.values();
        let has_invariant = loops.any(|it| matches!(it, LoopClaim::Invariant { .. }));
        let is_recursive = module
            .function_named(name)
            .is_some_and(|id| calls.is_recursive(id));
        if claims.contract.is_none() && (has_invariant || is_recursive) {
            claims.contract.clone_from(&theirs.contract);
        }
    }
    both
}

fn claimed(facts: &[Fact]) -> Vec<Formula> {
    facts.iter().filter_map(Fact::claim).collect()
}

/// What an analysis knows where a block starts; that no run comes there is a claim too.
fn facts_at(
    module: &Module,
    analysis: &mut Analysis,
    function: FunctionId,
    block: BlockId,
) -> Vec<Formula> {
    match analysis.facts(module, function, block) {
        Some(mut facts) => {
            facts.extend(analysis.implied_facts(module, function, block));
            claimed(&facts)
        }
        None => vec![Formula::Constant(false)],
    }
}

/// That a pointer leads to an object that is alive, and, weaker, that it does if it leads anywhere.
fn alive(value: ValueId) -> [Formula; 2] {
    let object = || Expression::Object(Subject::Value(value.as_u32()));
    let null = Expression::Number(NULL.to_string());
    let first = Expression::Number(FIRST_OBJECT.to_string());
    let is_alive = Formula::Alive(object());
    let lives = Formula::all([first.at_most(object()), is_alive.clone()]);
    let weaker = Formula::any([object().equals(null), is_alive]);
    [lives, weaker]
}

fn alive_parameters(body: &Body) -> Vec<Formula> {
    let params = body.blocks[body.entry].params.iter().copied();
    let pointers = params.filter(|value| body.ty(*value) == Type::Ptr);
    pointers.take(MOST_POINTERS).flat_map(alive).collect()
}

fn alive_pointers(body: &Body, dominators: &DominatorTree<BlockId>, head: BlockId) -> Vec<Formula> {
    let mut defining: Vec<(ValueId, BlockId)> = vec![];
    for (block, data) in body.blocks.iter() {
        let params = data.params.iter().map(|value| (*value, block));
        let results = data.instructions.iter().flat_map(|&id| {
            let results = body.instructions[id].results.iter();
            results.map(move |value| (*value, block))
        });
        defining.extend(params.chain(results));
    }
    let visible = defining.into_iter().filter(|&(value, block)| {
        let is_parameter = matches!(body.values[value].def, ValueDef::Param(..));
        let is_before = match is_parameter {
            true => dominators.dominates(block, head),
            false => dominators.strictly_dominates(block, head),
        };
        body.ty(value) == Type::Ptr && is_before
    });
    let visible = visible.map(|(value, _)| value).take(MOST_POINTERS);
    visible.flat_map(alive).collect()
}
