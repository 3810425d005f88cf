//! Which conjuncts are inductive together, in one solver.
//!
//! Every rule is there once, behind a literal that switches it on; every conjunct of a premise behind
//! a literal that says it is still believed; and for every conjunct of a head a literal that says the
//! rule breaks it. A check asks whether a rule breaks any of the conjuncts that are left; the model
//! says which, and these are believed no more. So nothing is said twice, whatever the number of
//! rounds, and what the solver has learned about a rule stays.

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

/// A rule in the solver.
struct Loaded {
    switch: Ast,
    /// The conjuncts of the premises, by number.
    premises: FxHashSet<usize>,
    /// The conjuncts of the head, with the literals that say that the rule breaks them.
    broken: Vec<(usize, Ast)>,
}

struct Prover<'a> {
    context: &'a Rc<Context>,
    converter: &'a mut Converter,
    pool: &'a TermPool,
    engine: Engine,
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
        engine: Engine::new(context.clone(), &EngineKind::Default)?,
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
    fn implies(&self, when: &[Ast], then: Ast) -> Result<(), SolverError> {
        let when = match when {
            [one] => *one,
            many => self.context.build_op(Op::And, many)?,
        };
        self.engine
            .assert(self.context.build_op(Op::Implies, &[when, then])?)
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
        let switch = self.context.fresh_constant(boolean)?;
        let constraint = self
            .converter
            .term(self.context, self.pool, rule.constraint)?;
        self.implies(&[switch], constraint)?;
        let mut premises = FxHashSet::default();
        for application in &rule.body {
            let numbers = self.by_predicate.get(&application.predicate).cloned();
            for number in numbers.unwrap_or_default() {
                let instance = self.instance(number, application)?;
                self.implies(&[switch, self.believed[number]], instance)?;
                premises.insert(number);
            }
        }
        let mut broken = Vec::new();
        for number in self.by_predicate[&head.predicate].clone() {
            let instance = self.instance(number, head)?;
            let literal = self.context.fresh_constant(boolean)?;
            let denied = self.context.build_op(Op::Not, &[instance])?;
            self.implies(&[switch, literal], denied)?;
            broken.push((number, literal));
        }
        let mut some = vec![self.context.build_op(Op::Not, &[switch])?];
        some.extend(broken.iter().map(|(_, literal)| *literal));
        self.engine.assert(self.context.build_op(Op::Or, &some)?)?;
        Ok(Loaded {
            switch,
            premises,
            broken,
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
        let candidates: Vec<(usize, Ast)> = rule
            .broken
            .iter()
            .copied()
            .filter(|(number, _)| left.contains(number))
            .collect();
        if candidates.is_empty() {
            return Ok(Vec::new());
        }
        let mut assumptions = vec![rule.switch];
        let mut believed: Vec<usize> = rule.premises.intersection(left).copied().collect();
        believed.sort_unstable();
        assumptions.extend(believed.iter().map(|number| self.believed[*number]));
        for (_, literal) in rule.broken.iter().filter(|(n, _)| !left.contains(n)) {
            assumptions.push(self.context.build_op(Op::Not, &[*literal])?);
        }
        match self.engine.check(&assumptions, patience)? {
            Answer::Unsatisfiable => Ok(Vec::new()),
            Answer::Satisfiable => self.chosen(&candidates, &self.engine.model()?),
            Answer::Unknown(_) => self.one_at_a_time(&assumptions, &candidates, patience),
        }
    }

    /// The candidates that a model breaks.
    fn chosen(
        &self,
        candidates: &[(usize, Ast)],
        model: &Model,
    ) -> Result<Vec<usize>, SolverError> {
        let mut gone = Vec::new();
        for (number, literal) in candidates {
            let value = model.evaluate(*literal)?;
            if self.context.decl_kind(self.context.app_decl(value)?) == DeclKind::True {
                gone.push(*number);
            }
        }
        if gone.is_empty() {
            return Err(SolverError::Internal(
                "a model breaks a rule but no conjunct".into(),
            ));
        }
        Ok(gone)
    }

    /// Where all together are too hard: those that cannot be proved by themselves.
    fn one_at_a_time(
        &self,
        assumptions: &[Ast],
        candidates: &[(usize, Ast)],
        patience: &Patience,
    ) -> Result<Vec<usize>, SolverError> {
        let mut gone = Vec::new();
        for (number, literal) in candidates {
            let with = [assumptions, &[*literal]].concat();
            if self.engine.check(&with, patience)? != Answer::Unsatisfiable {
                gone.push(*number);
            }
        }
        Ok(gone)
    }
}
