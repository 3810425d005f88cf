//! Predicates interpreted by what their rules derive.
//!
//! Spacer solves much faster when it may inline predicates, but gives an inlined predicate back as
//! a quantified formula, and a rule with such a formula in its head is beyond most solvers. The
//! interpretation that is meant needs no quantifier to be checked: it is the strongest one, "some
//! rule of the predicate derives it". Under it every rule of the predicate is true by definition.
//! Where the predicate is used, it stands among the premises, and there the variables that the
//! definition quantifies are just further free constants.
//!
//! A predicate qualifies if it was resolved, or if its interpretation has quantifiers and its rules depend
//! on no other such predicate in a circle; those of a circle keep the interpretation they have. The
//! definitions are put together from the ones they depend on, those first, so nothing recurses over
//! the depth of calls. Rules of a predicate are alternatives, so what several of them need of one other
//! predicate is unfolded once, for constants that each of them sets equal to its own arguments:
//! otherwise definitions would double with each call on the way down.

use super::evidence::Bodies;
use super::{Application, HornSystem, Rule};
use crate::error::SolverError;
use crate::z3::context::{Ast, Context, SortHandle};
use crate::z3::convert::Converter;
use foghorn_term::{FunctionId, Op, TermPool};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::Cell;
use std::rc::Rc;
use z3_sys::AstKind;

/// Definitions with more quantified variables than this are not unfolded.
const MOST_LOCALS: usize = 20_000;

/// A formula over constants for the arguments, with constants that are quantified existentially.
#[derive(Clone)]
struct Definition {
    locals: Vec<(Ast, SortHandle)>,
    formula: Ast,
}

/// What the rules of a predicate derive.
#[derive(Clone)]
pub(super) struct Strongest {
    formals: Vec<Ast>,
    /// Without predicates: for checking.
    unfolded: Definition,
    /// In terms of the predicates in the bodies of its rules: for showing.
    stated: Definition,
    /// Whether the locals of `unfolded` are in use: the first instance takes them as they are, since renaming them at
    /// each level of calls would make a formula of the size of all levels below each time. Copies share it.
    in_use: Rc<Cell<bool>>,
}

impl Strongest {
    /// The formula for these arguments, with locals that nobody else has.
    pub fn instance(
        &self,
        context: &Context,
        arguments: &[Ast],
    ) -> Result<(Ast, Vec<(Ast, SortHandle)>), SolverError> {
        let mut pairs: Vec<(Ast, Ast)> = self
            .formals
            .iter()
            .copied()
            .zip(arguments.iter().copied())
            .collect();
        let Definition {
            locals: old,
            formula,
        } = &self.unfolded;
        if !self.in_use.replace(true) {
            return Ok((context.substitute(*formula, &pairs)?, old.clone()));
        }
        let mut locals = Vec::with_capacity(old.len());
        for (local, sort) in old {
            let renamed = context.fresh_constant(*sort)?;
            pairs.push((*local, renamed));
            locals.push((renamed, *sort));
        }
        Ok((context.substitute(*formula, &pairs)?, locals))
    }

    /// The interpretation with its quantifiers, in terms of other predicates.
    pub fn stated(&self, context: &Context, arguments: &[Ast]) -> Result<Ast, SolverError> {
        let formals = self.formals.iter().copied();
        let pairs: Vec<(Ast, Ast)> = formals.zip(arguments.iter().copied()).collect();
        let formula = context.substitute(self.stated.formula, &pairs)?;
        let locals: Vec<Ast> = self.stated.locals.iter().map(|(l, _)| *l).collect();
        // ∃ is not ∀ not.
        let denied = context.build_op(Op::Not, &[formula])?;
        let never = context.for_all(&locals, denied)?;
        context.build_op(Op::Not, &[never])
    }
}

/// Defines predicates by their rules: those that were resolved, and those whose interpretation has
/// quantifiers.
pub(super) fn define_strongest(
    context: &Context,
    converter: &mut Converter,
    pool: &TermPool,
    system: &HornSystem,
    resolved: &FxHashSet<FunctionId>,
    bodies: &mut Bodies,
) -> Result<(), SolverError> {
    let quantified: FxHashSet<FunctionId> = system
        .predicates
        .iter()
        .copied()
        .filter(|predicate| {
            resolved.contains(predicate) || has_quantifier(context, bodies.body(*predicate))
        })
        .collect();
    let mut rules_of: FxHashMap<FunctionId, Vec<&Rule>> = FxHashMap::default();
    for rule in &system.rules {
        if let Some(head) = &rule.head {
            rules_of.entry(head.predicate).or_default().push(rule);
        }
    }
    for predicate in dependencies_first(system, &quantified, resolved, &rules_of) {
        let rules = rules_of.get(&predicate).map_or(&[][..], Vec::as_slice);
        let mut definer = Definer {
            context,
            converter: &mut *converter,
            pool,
            bodies,
        };
        // A definition that is too large keeps the body that was read, and so do those above it.
        if let Some(made) = definer.define(predicate, rules)? {
            bodies.interpret(predicate, made);
        }
    }
    Ok(())
}

fn has_quantifier(context: &Context, body: Option<Ast>) -> bool {
    let mut pending: Vec<Ast> = body.into_iter().collect();
    let mut seen: FxHashSet<Ast> = pending.iter().copied().collect();
    while let Some(ast) = pending.pop() {
        match context.ast_kind(ast) {
            AstKind::Quantifier => return true,
            AstKind::App => {
                let arguments = context.app_arguments(ast).unwrap_or_default();
                pending.extend(arguments.into_iter().filter(|a| seen.insert(*a)));
            }
            _ => {}
        }
    }
    false
}

/// The quantified predicates that depend on no circle of them, each after those it depends on. One that was resolved has
/// no body, so it comes in any case: the others of a circle keep theirs.
fn dependencies_first(
    system: &HornSystem,
    quantified: &FxHashSet<FunctionId>,
    resolved: &FxHashSet<FunctionId>,
    rules_of: &FxHashMap<FunctionId, Vec<&Rule>>,
) -> Vec<FunctionId> {
    let needed = |predicate: &FunctionId| -> Vec<FunctionId> {
        let rules = rules_of.get(predicate).into_iter().flatten();
        let used = rules.flat_map(|rule| rule.body.iter().map(|a| a.predicate));
        used.filter(|p| quantified.contains(p)).collect()
    };
    let mut waiting: Vec<FunctionId> = system
        .predicates
        .iter()
        .copied()
        .filter(|p| quantified.contains(p))
        .collect();
    let mut order = Vec::new();
    let mut done: FxHashSet<FunctionId> = FxHashSet::default();
    loop {
        let (ready, rest): (Vec<_>, Vec<_>) = waiting
            .into_iter()
            .partition(|p| needed(p).iter().all(|q| done.contains(q)));
        if !ready.is_empty() {
            done.extend(ready.iter().copied());
            order.extend(ready);
            waiting = rest;
            continue;
        }
        let (bodiless, with_bodies): (Vec<_>, Vec<_>) =
            rest.into_iter().partition(|p| resolved.contains(p));
        if with_bodies.is_empty() {
            return order;
        }
        done.extend(with_bodies);
        waiting = bodiless;
    }
}

/// One formula per rule, in both forms.
#[derive(Default)]
struct Ways {
    stated: Vec<Ast>,
    stated_locals: Vec<(Ast, SortHandle)>,
    unfolded: Vec<Ast>,
    unfolded_locals: Vec<(Ast, SortHandle)>,
}

/// A predicate, and how often it was a premise of the same rule before.
type Occurrence = (FunctionId, usize);

/// Constants for arguments, the formula about them, and the locals that it brings with it.
type Unfolded = (Vec<Ast>, Ast, Vec<(Ast, SortHandle)>);

/// The premises of a rule.
fn occurrences(rule: &Rule) -> impl Iterator<Item = (Occurrence, &Application)> {
    rule.body.iter().enumerate().map(|(index, application)| {
        let same = |other: &&Application| other.predicate == application.predicate;
        let before = rule.body[..index].iter().filter(same).count();
        ((application.predicate, before), application)
    })
}

/// Premises of more than one rule of a predicate.
#[derive(Default)]
struct Shared {
    several: FxHashSet<Occurrence>,
    known: FxHashMap<Occurrence, (Vec<Ast>, Ast)>,
}

impl Shared {
    fn of(rules: &[&Rule]) -> Self {
        let mut seen: FxHashSet<Occurrence> = FxHashSet::default();
        let places = rules.iter().flat_map(|rule| occurrences(rule));
        let several = places.filter(|(place, _)| !seen.insert(*place));
        Shared {
            several: several.map(|(place, _)| place).collect(),
            known: FxHashMap::default(),
        }
    }
}

struct Definer<'a> {
    context: &'a Context,
    converter: &'a mut Converter,
    pool: &'a TermPool,
    bodies: &'a Bodies,
}

impl Definer<'_> {
    /// `None` if the definition would be too large.
    fn define(
        &mut self,
        predicate: FunctionId,
        rules: &[&Rule],
    ) -> Result<Option<Strongest>, SolverError> {
        let sorts = self.pool.function_data(predicate).arguments.clone();
        let mut formals = Vec::with_capacity(sorts.len());
        for sort in sorts.iter() {
            let sort = self.converter.sort(self.context, self.pool, *sort)?;
            formals.push(self.context.fresh_constant(sort)?);
        }
        let mut ways = Ways::default();
        let mut shared = Shared::of(rules);
        for rule in rules {
            self.derived_by(rule, &formals, &mut ways, &mut shared)?;
            if ways.unfolded_locals.len() > MOST_LOCALS {
                return Ok(None);
            }
        }
        let unfolded = Definition {
            formula: self.joined(Op::Or, &ways.unfolded)?,
            locals: ways.unfolded_locals,
        };
        let stated = Definition {
            formula: self.joined(Op::Or, &ways.stated)?,
            locals: ways.stated_locals,
        };
        Ok(Some(Strongest {
            formals,
            unfolded,
            stated,
            in_use: Rc::default(),
        }))
    }

    /// The rule's premises hold and its head is about these arguments.
    fn derived_by(
        &mut self,
        rule: &Rule,
        formals: &[Ast],
        ways: &mut Ways,
        shared: &mut Shared,
    ) -> Result<(), SolverError> {
        let mut renaming = Vec::with_capacity(rule.variables.len());
        for variable in &rule.variables {
            let old = self.converter.term(self.context, self.pool, *variable)?;
            let sort = self.context.sort_of(old)?;
            let new = self.context.fresh_constant(sort)?;
            renaming.push((old, new));
            ways.stated_locals.push((new, sort));
            ways.unfolded_locals.push((new, sort));
        }
        let mut stated = Vec::new();
        let constraint = self
            .converter
            .term(self.context, self.pool, rule.constraint)?;
        stated.push(self.context.substitute(constraint, &renaming)?);
        let head = rule
            .head
            .as_ref()
            .expect("invariant: the rules of a predicate have heads");
        for (formal, argument) in formals.iter().zip(self.arguments(head, &renaming)?) {
            stated.push(self.context.build_op(Op::Equal, &[*formal, argument])?);
        }
        let mut unfolded = stated.clone();
        for (place, application) in occurrences(rule) {
            let arguments = self.arguments(application, &renaming)?;
            let predicate = application.predicate;
            let decl = self
                .converter
                .function(self.context, self.pool, predicate)?;
            stated.push(self.context.apply(decl, &arguments)?);
            let (given, premise, more) = match shared.several.contains(&place) {
                true => self.share(place, shared)?,
                false => {
                    let (premise, more) =
                        self.bodies.premise(self.context, predicate, &arguments)?;
                    (vec![], premise, more)
                }
            };
            for (constant, argument) in given.into_iter().zip(arguments) {
                unfolded.push(self.context.build_op(Op::Equal, &[constant, argument])?);
            }
            unfolded.push(premise);
            ways.unfolded_locals.extend(more);
        }
        ways.stated.push(self.joined(Op::And, &stated)?);
        ways.unfolded.push(self.joined(Op::And, &unfolded)?);
        Ok(())
    }

    /// What several rules need of another predicate: the constants that stand for its arguments, the formula, and the
    /// locals that are new with it.
    fn share(&mut self, place: Occurrence, shared: &mut Shared) -> Result<Unfolded, SolverError> {
        if let Some((constants, premise)) = shared.known.get(&place) {
            return Ok((constants.clone(), *premise, vec![]));
        }
        let sorts = self.pool.function_data(place.0).arguments.clone();
        let (mut constants, mut locals) = (Vec::with_capacity(sorts.len()), vec![]);
        for sort in sorts.iter() {
            let sort = self.converter.sort(self.context, self.pool, *sort)?;
            let constant = self.context.fresh_constant(sort)?;
            constants.push(constant);
            locals.push((constant, sort));
        }
        let (premise, more) = self.bodies.premise(self.context, place.0, &constants)?;
        locals.extend(more);
        shared.known.insert(place, (constants.clone(), premise));
        Ok((constants, premise, locals))
    }

    fn arguments(
        &mut self,
        application: &Application,
        renaming: &[(Ast, Ast)],
    ) -> Result<Vec<Ast>, SolverError> {
        let mut arguments = Vec::with_capacity(application.arguments.len());
        for term in &application.arguments {
            let argument = self.converter.term(self.context, self.pool, *term)?;
            arguments.push(self.context.substitute(argument, renaming)?);
        }
        Ok(arguments)
    }

    fn joined(&self, op: Op, parts: &[Ast]) -> Result<Ast, SolverError> {
        match parts {
            [] => self.context.boolean(op == Op::And),
            [only] => Ok(*only),
            _ => self.context.build_op(op, parts),
        }
    }
}
