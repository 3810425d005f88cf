//! Which conjuncts are inductive together, each rule said once.
//!
//! Every rule has a solver that lives through all rounds: every conjunct of a premise stands behind a
//! literal that says it is still believed, and for every conjunct of a head there is a literal that
//! says the rule breaks it. A check asks whether the rule breaks any of the conjuncts that are left;
//! the model says which, and these are believed no more. So nothing is said twice, whatever the number
//! of rounds, and what a solver has learned about its rule stays.

use super::super::{Application, HornSystem, Rule};
use super::Conjunct;
use crate::error::SolverError;
use crate::patience::Patience;
use crate::solver::Answer;
use crate::z3::context::{Ast, Context};
use crate::z3::convert::Converter;
use crate::z3::engine::{Engine, EngineKind, Model};
use foghorn_term::{FunctionId, Op, TermPool};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use std::rc::Rc;
use z3_sys::DeclKind;

/// A rule in its solver.
struct Loaded {
    engine: Engine,
    /// The conjuncts of the premises, by number.
    premises: FxHashSet<usize>,
    head: Vec<Promise>,
}

/// A conjunct of a head.
#[derive(Clone, Copy)]
struct Promise {
    number: usize,
    instance: Ast,
    /// Says that the rule breaks it.
    broken: Ast,
}

struct Prover<'a> {
    context: &'a Rc<Context>,
    converter: &'a mut Converter,
    pool: &'a TermPool,
    conjuncts: &'a [Conjunct],
    /// For each conjunct the literal that says it is believed.
    believed: Vec<Ast>,
    by_predicate: FxHashMap<FunctionId, Vec<usize>>,
}

/// The conjuncts that are inductive together.
pub(super) fn inductive(
    context: &Rc<Context>,
    converter: &mut Converter,
    pool: &TermPool,
    system: &HornSystem,
    conjuncts: Vec<Conjunct>,
    patience: &Patience,
) -> Result<Vec<Conjunct>, SolverError> {
    let mut by_predicate: FxHashMap<FunctionId, Vec<usize>> = FxHashMap::default();
    for (number, conjunct) in conjuncts.iter().enumerate() {
        by_predicate
            .entry(conjunct.predicate)
            .or_default()
            .push(number);
    }
    let boolean = context.boolean_sort()?;
    let mut prover = Prover {
        context,
        converter,
        pool,
        believed: conjuncts
            .iter()
            .map(|_| context.fresh_constant(boolean))
            .collect::<Result<_, _>>()?,
        conjuncts: &conjuncts,
        by_predicate,
    };
    let mut rules = Vec::new();
    for rule in &system.rules {
        if let Some(head) = &rule.head
            && prover.by_predicate.contains_key(&head.predicate)
        {
            rules.push(prover.load(rule, head)?);
        }
    }
    let left = prover.settle(&rules, patience)?;
    let mut number = 0;
    let mut kept = conjuncts;
    kept.retain(|_| {
        number += 1;
        left.contains(&(number - 1))
    });
    Ok(kept)
}

impl Prover<'_> {
    fn implies(&self, engine: &Engine, when: Ast, then: Ast) -> Result<(), SolverError> {
        engine.assert(self.context.build_op(Op::Implies, &[when, then])?)
    }

    /// A conjunct about the arguments of an application.
    fn instance(&mut self, number: usize, of: &Application) -> Result<Ast, SolverError> {
        let conjunct = &self.conjuncts[number];
        let mut pairs = Vec::with_capacity(of.arguments.len());
        for (formal, argument) in conjunct.formals.iter().zip(&of.arguments) {
            let argument = self.converter.term(self.context, self.pool, *argument)?;
            pairs.push((*formal, argument));
        }
        self.context.substitute(conjunct.formula, &pairs)
    }

    /// Says a rule once.
    fn load(&mut self, rule: &Rule, head: &Application) -> Result<Loaded, SolverError> {
        let boolean = self.context.boolean_sort()?;
        let engine = Engine::new(self.context.clone(), &EngineKind::Default)?;
        let constraint = self
            .converter
            .term(self.context, self.pool, rule.constraint)?;
        engine.assert(constraint)?;
        let mut premises = FxHashSet::default();
        for application in &rule.body {
            let numbers = self.by_predicate.get(&application.predicate).cloned();
            for number in numbers.unwrap_or_default() {
                let instance = self.instance(number, application)?;
                self.implies(&engine, self.believed[number], instance)?;
                premises.insert(number);
            }
        }
        let mut promises = Vec::new();
        for number in self.by_predicate[&head.predicate].clone() {
            let instance = self.instance(number, head)?;
            let literal = self.context.fresh_constant(boolean)?;
            let denied = self.context.build_op(Op::Not, &[instance])?;
            self.implies(&engine, literal, denied)?;
            promises.push(Promise {
                number,
                instance,
                broken: literal,
            });
        }
        let some: Vec<Ast> = promises.iter().map(|promise| promise.broken).collect();
        match some.as_slice() {
            [one] => engine.assert(*one)?,
            many => engine.assert(self.context.build_op(Op::Or, many)?)?,
        }
        Ok(Loaded {
            engine,
            premises,
            head: promises,
        })
    }

    /// Drops conjuncts until no rule breaks one that is left; returns what is left.
    fn settle(
        &self,
        rules: &[Loaded],
        patience: &Patience,
    ) -> Result<FxHashSet<usize>, SolverError> {
        let mut left: FxHashSet<usize> = (0..self.conjuncts.len()).collect();
        let mut queue: VecDeque<usize> = (0..rules.len()).collect();
        let mut queued: FxHashSet<usize> = queue.iter().copied().collect();
        while let Some(index) = queue.pop_front() {
            queued.remove(&index);
            let gone = self.broken(&rules[index], &left, patience)?;
            if gone.is_empty() {
                continue;
            }
            left.retain(|number| !gone.contains(number));
            // Whoever relied on them is looked at again, and this rule too.
            for (other, rule) in rules.iter().enumerate() {
                let relies = gone.iter().any(|number| rule.premises.contains(number));
                if (relies || other == index) && queued.insert(other) {
                    queue.push_back(other);
                }
            }
        }
        Ok(left)
    }

    /// Conjuncts of those left that the rule breaks: none, or some of them.
    fn broken(
        &self,
        rule: &Loaded,
        left: &FxHashSet<usize>,
        patience: &Patience,
    ) -> Result<Vec<usize>, SolverError> {
        let (candidates, fallen): (Vec<Promise>, Vec<Promise>) = rule
            .head
            .iter()
            .partition(|promise| left.contains(&promise.number));
        if candidates.is_empty() {
            return Ok(Vec::new());
        }
        let mut assumptions = Vec::new();
        let mut believed: Vec<usize> = rule.premises.intersection(left).copied().collect();
        believed.sort_unstable();
        assumptions.extend(believed.iter().map(|number| self.believed[*number]));
        for promise in fallen {
            assumptions.push(self.context.build_op(Op::Not, &[promise.broken])?);
        }
        match rule.engine.check(&assumptions, patience)? {
            Answer::Unsatisfiable => Ok(Vec::new()),
            Answer::Satisfiable => self.chosen(&candidates, &rule.engine.model()?),
            Answer::Unknown(_) => one_at_a_time(rule, &assumptions, &candidates, patience),
        }
    }

    /// The candidates that a model breaks: also those that it was not asked for, so that as many as
    /// possible fall at once.
    fn chosen(&self, candidates: &[Promise], model: &Model) -> Result<Vec<usize>, SolverError> {
        let mut gone = Vec::new();
        for promise in candidates {
            let value = model.evaluate(promise.instance)?;
            if self.context.decl_kind(self.context.app_decl(value)?) == DeclKind::False {
                gone.push(promise.number);
            }
        }
        if gone.is_empty() {
            // A value that is not evaluated to the end; the literals are.
            for promise in candidates {
                let value = model.evaluate(promise.broken)?;
                if self.context.decl_kind(self.context.app_decl(value)?) == DeclKind::True {
                    gone.push(promise.number);
                }
            }
        }
        if gone.is_empty() {
            return Err(SolverError::Internal(
                "a model breaks a rule but no conjunct".into(),
            ));
        }
        Ok(gone)
    }
}

/// Where all together are too hard: those that cannot be proved by themselves.
fn one_at_a_time(
    rule: &Loaded,
    assumptions: &[Ast],
    candidates: &[Promise],
    patience: &Patience,
) -> Result<Vec<usize>, SolverError> {
    let mut gone = Vec::new();
    for promise in candidates {
        let with = [assumptions, &[promise.broken]].concat();
        if rule.engine.check(&with, patience)? != Answer::Unsatisfiable {
            gone.push(promise.number);
        }
    }
    Ok(gone)
}
