//! A derivation of `false`: ground facts, each with the rule and the facts it follows from.
//!
//! Read from the hyper-resolution proof that Spacer answers with (its "ground satisfying answer"
//! call returns nothing useful), then rebuilt: for each fact a rule is searched whose constraint is
//! satisfiable with exactly these facts as body and head. So a derivation that is returned has been
//! checked step by step, whatever the proof said.

use super::evidence::RuleChecker;
use super::{HornSystem, Rule};
use crate::error::SolverError;
use crate::patience::Patience;
use crate::solver::Answer;
use crate::z3::context::{Ast, Context};
use crate::z3::engine::{Engine, EngineKind};
use cranelift_entity::{PrimaryMap, entity_impl};
use foghorn_term::{FunctionId, Op};
use rustc_hash::FxHashMap;
use z3_sys::DeclKind;

/// A step of a derivation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StepId(u32);
entity_impl!(StepId, "step");

/// A ground argument, in SMT-LIB's syntax.
pub type GroundTerm = String;

/// One application of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// `None` for the last step, which derives `false`.
    pub predicate: Option<FunctionId>,
    pub arguments: Vec<GroundTerm>,
    /// Index into the system's rules.
    pub rule: usize,
    /// The facts that the rule's body needs, in the body's order.
    pub premises: Vec<StepId>,
    /// The values of the rule's variables, in its order.
    pub values: Vec<GroundTerm>,
}

/// Steps in order: premises come before what follows from them; the last step derives `false`.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Derivation {
    pub steps: PrimaryMap<StepId, Step>,
}

impl Derivation {
    /// The names of the rules, from the first step to `false`.
    pub fn rule_names<'a>(&self, system: &'a HornSystem) -> Vec<&'a str> {
        self.steps
            .values()
            .map(|step| system.rules[step.rule].name.as_str())
            .collect()
    }
}

/// A node of the proof: a ground fact and the nodes it was resolved from.
struct Node {
    fact: Ast,
    premises: Vec<Ast>,
}

/// The part of a hyper-resolution proof that matters, children before parents.
fn nodes(context: &Context, root: Ast) -> Result<Vec<(Ast, Node)>, SolverError> {
    let mut done: FxHashMap<Ast, ()> = FxHashMap::default();
    let mut order = Vec::new();
    let mut stack = vec![(root, false)];
    while let Some((ast, children_done)) = stack.pop() {
        if done.contains_key(&ast) {
            continue;
        }
        let (fact, premises) = open(context, ast)?;
        if children_done {
            done.insert(ast, ());
            order.push((ast, Node { fact, premises }));
        } else {
            stack.push((ast, true));
            stack.extend(premises.iter().rev().map(|premise| (*premise, false)));
        }
    }
    Ok(order)
}

/// The fact of a proof node and the nodes of its ground premises.
fn open(context: &Context, proof: Ast) -> Result<(Ast, Vec<Ast>), SolverError> {
    let kind = context.decl_kind(context.app_decl(proof)?);
    let arguments = context.app_arguments(proof)?;
    match (kind, arguments.split_last()) {
        // The first argument is the rule, the last the conclusion.
        (DeclKind::PrHyperResolve, Some((fact, rest))) => {
            Ok((*fact, rest.get(1..).unwrap_or_default().to_vec()))
        }
        (DeclKind::PrAsserted, Some((fact, _))) => Ok((*fact, Vec::new())),
        _ => Err(unreadable(context, proof)),
    }
}

/// The node that concludes our query. Around it Z3 wraps a query of its own, and around that the
/// step to `false`; both have what they follow from as their first premise.
fn conclusion(context: &Context, proof: Ast, query: &str) -> Result<Ast, SolverError> {
    let mut at = proof;
    loop {
        let kind = context.decl_kind(context.app_decl(at)?);
        let arguments = context.app_arguments(at)?;
        at = match (kind, arguments.as_slice()) {
            (DeclKind::PrHyperResolve, [.., fact])
                if context.decl_name(context.app_decl(*fact)?) == query =>
            {
                return Ok(at);
            }
            (DeclKind::PrHyperResolve, [_, premise, _, ..]) => *premise,
            (DeclKind::PrModusPonens, [premise, ..]) => *premise,
            _ => return Err(unreadable(context, at)),
        };
    }
}

fn unreadable(context: &Context, proof: Ast) -> SolverError {
    let text: String = context.ast_text(proof).chars().take(200).collect();
    SolverError::Z3(format!("a proof we cannot read: {text}"))
}

/// A ground fact.
#[derive(Clone)]
struct Fact {
    predicate: Option<FunctionId>,
    arguments: Vec<Ast>,
}

/// Reads and rebuilds the derivation; `None` if some step cannot be justified.
pub(super) fn rebuild(
    checker: &mut RuleChecker<'_>,
    system: &HornSystem,
    names: &FxHashMap<String, FunctionId>,
    (proof, query): (Ast, &str),
    patience: &Patience,
) -> Result<Option<Derivation>, SolverError> {
    let context = checker.context.clone();
    let proof = conclusion(&context, proof, query)?;
    let mut derivation = Derivation::default();
    let mut steps: FxHashMap<Ast, (StepId, Fact)> = FxHashMap::default();
    for (ast, node) in nodes(&context, proof)? {
        let decl = context.app_decl(node.fact)?;
        let fact = Fact {
            predicate: names.get(&context.decl_name(decl)).copied(),
            arguments: context.app_arguments(node.fact)?,
        };
        let premises: Vec<(StepId, Fact)> = node
            .premises
            .iter()
            .map(|premise| steps[premise].clone())
            .collect();
        let Some((rule, order)) = justify(checker, system, &fact, &premises, patience)? else {
            return Ok(None);
        };
        let step = derivation.steps.push(Step {
            predicate: fact.predicate,
            arguments: fact
                .arguments
                .iter()
                .map(|a| context.ast_text(*a))
                .collect(),
            rule,
            premises: order,
            // The replay on the original rules finds them.
            values: Vec::new(),
        });
        steps.insert(ast, (step, fact));
    }
    Ok(Some(derivation))
}

/// The rule that derives the fact from the premises, and the premises in its body's order.
fn justify(
    checker: &mut RuleChecker<'_>,
    system: &HornSystem,
    fact: &Fact,
    premises: &[(StepId, Fact)],
    patience: &Patience,
) -> Result<Option<(usize, Vec<StepId>)>, SolverError> {
    for (index, rule) in system.rules.iter().enumerate() {
        if rule.head.as_ref().map(|head| head.predicate) != fact.predicate
            || rule.body.len() != premises.len()
        {
            continue;
        }
        for order in matchings(rule, premises) {
            let ordered: Vec<&Fact> = order.iter().map(|i| &premises[*i].1).collect();
            if applies(checker, rule, fact, &ordered, patience)? {
                let steps = order.iter().map(|i| premises[*i].0).collect();
                return Ok(Some((index, steps)));
            }
        }
    }
    Ok(None)
}

/// More orders of premises than this are not tried.
const MOST_MATCHINGS: usize = 720;

/// The ways to hand the premises to the rule's body so that predicates fit.
fn matchings(rule: &Rule, premises: &[(StepId, Fact)]) -> Vec<Vec<usize>> {
    let mut partial: Vec<Vec<usize>> = vec![Vec::new()];
    for application in &rule.body {
        let mut longer = Vec::new();
        for order in &partial {
            for (i, (_, fact)) in premises.iter().enumerate() {
                if fact.predicate == Some(application.predicate) && !order.contains(&i) {
                    longer.push(order.iter().copied().chain([i]).collect());
                }
            }
        }
        longer.truncate(MOST_MATCHINGS);
        partial = longer;
    }
    partial
}

/// Whether the rule's constraint allows exactly these facts.
fn applies(
    checker: &mut RuleChecker<'_>,
    rule: &Rule,
    head: &Fact,
    body: &[&Fact],
    patience: &Patience,
) -> Result<bool, SolverError> {
    let context = checker.context.clone();
    let engine = Engine::new(context.clone(), &EngineKind::Default)?;
    let constraint = checker
        .converter
        .term(&context, checker.pool, rule.constraint)?;
    engine.assert(constraint)?;
    let pairs = rule
        .body
        .iter()
        .zip(body.iter().copied())
        .chain(rule.head.iter().zip([head]));
    for (application, fact) in pairs {
        for (formal, ground) in checker.arguments(application)?.iter().zip(&fact.arguments) {
            engine.assert(context.build_op(Op::Equal, &[*formal, *ground])?)?;
        }
    }
    Ok(engine.check(&[], patience)? == Answer::Satisfiable)
}
