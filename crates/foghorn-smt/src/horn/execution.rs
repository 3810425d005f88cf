//! Rules run forwards on concrete facts.
//!
//! Many systems come from loops that are nearly deterministic, and a refutation of a thousand steps
//! is too deep for a formula but nothing for an interpreter. From each fact every rule with one
//! premise is applied: its premise's variables are read off the fact, and where the rule has further
//! variables a few values are tried for them, small numbers and those that the system mentions. Facts
//! that were seen before are not followed again. The newest fact is followed first, and ever so often
//! the oldest, so that one long run does not starve the others.
//!
//! Finds refutations only. It proposes the rules that are applied; the replay is the proof.

use super::simplify::Simplified;
use super::skeleton::Skeleton;
use super::{Application, Rule};
use crate::patience::Patience;
use foghorn_core::Exhausted;
use foghorn_term::eval::{Evaluator, Model, Value};
use foghorn_term::{FunctionId, Op, Sort, TermId, TermPool};
use num_bigint::BigInt;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// More facts than this are not kept.
const MOST_FACTS: usize = 400_000;

/// Values tried for a rule's own variables, all together.
const MOST_CHOICES: usize = 64;

/// One fact in so many is the oldest that waits.
const OLDEST: usize = 8;

/// The arguments of a derived fact, and how it was derived.
struct Fact {
    predicate: FunctionId,
    arguments: Vec<Value>,
    rule: usize,
    premise: Option<usize>,
}

/// A run of the rules.
struct Execution<'a> {
    pool: &'a TermPool,
    form: &'a Simplified,
    facts: Vec<Fact>,
    seen: FxHashSet<(FunctionId, Vec<Value>)>,
    waiting: VecDeque<usize>,
    by_premise: FxHashMap<FunctionId, Vec<usize>>,
    numbers: Vec<BigInt>,
}

/// The shape of a derivation of `false`, if a run meets one.
pub(super) fn execute(
    form: &Simplified,
    patience: &Patience,
) -> Result<Option<Skeleton>, Exhausted> {
    let mut execution = Execution {
        pool: &form.pool,
        form,
        facts: Vec::new(),
        seen: FxHashSet::default(),
        waiting: VecDeque::new(),
        by_premise: FxHashMap::default(),
        numbers: numbers(form),
    };
    for (index, rule) in form.system.rules.iter().enumerate() {
        match rule.body.as_slice() {
            [] => {
                if let Some(skeleton) = execution.apply(index, None) {
                    return Ok(Some(skeleton));
                }
            }
            [premise] => {
                let rules = execution.by_premise.entry(premise.predicate);
                rules.or_default().push(index);
            }
            _ => {}
        }
    }
    let mut rounds = 0usize;
    loop {
        rounds += 1;
        let next = match rounds % OLDEST {
            0 => execution.waiting.pop_front(),
            _ => execution.waiting.pop_back(),
        };
        let Some(fact) = next else { return Ok(None) };
        if rounds.is_multiple_of(64) {
            patience.check()?;
        }
        let predicate = execution.facts[fact].predicate;
        let rules = execution.by_premise.get(&predicate);
        for rule in rules.cloned().unwrap_or_default() {
            if let Some(skeleton) = execution.apply(rule, Some(fact)) {
                return Ok(Some(skeleton));
            }
        }
        if execution.facts.len() > MOST_FACTS {
            return Ok(None);
        }
    }
}

/// The numbers that the rules mention, with their neighbours.
fn numbers(form: &Simplified) -> Vec<BigInt> {
    let mut found: FxHashSet<BigInt> = FxHashSet::default();
    found.extend([0, 1, -1, 2].map(BigInt::from));
    // Where an equality was solved, its number stands among the arguments.
    let of = |rule: &Rule| {
        let applications = rule.body.iter().chain(rule.head.as_ref());
        let arguments = applications.flat_map(|it| it.arguments.iter().copied());
        arguments.chain([rule.constraint]).collect::<Vec<TermId>>()
    };
    let roots: Vec<TermId> = form.system.rules.iter().flat_map(of).collect();
    for term in form.pool.post_order(&roots) {
        if let Some(number) = form.pool.as_int(term) {
            found.extend([number - 1, number.clone(), number + 1]);
        }
    }
    let mut found: Vec<BigInt> = found.into_iter().collect();
    found.sort_by_key(|number| (number.magnitude().clone(), number.sign()));
    found
}

impl Execution<'_> {
    /// Applies a rule to a fact in all the ways that are tried; a derivation if it is a query.
    fn apply(&mut self, index: usize, premise: Option<usize>) -> Option<Skeleton> {
        let rule = &self.form.system.rules[index];
        let mut known = Model::new();
        let mut bound: FxHashSet<TermId> = FxHashSet::default();
        let mut unsolved = false;
        if let (Some(fact), [application]) = (premise, rule.body.as_slice()) {
            for (term, value) in application
                .arguments
                .iter()
                .zip(&self.facts[fact].arguments)
            {
                if matches!(self.pool.op(*term), Op::Symbol(_)) && bound.insert(*term) {
                    known.set_term(self.pool, *term, value.clone());
                } else {
                    unsolved = true;
                }
            }
        }
        let free: Vec<TermId> = rule
            .variables
            .iter()
            .copied()
            .filter(|variable| !bound.contains(variable))
            .collect();
        for model in self.choices(&known, &free) {
            if unsolved && !self.fits(rule, premise, &model) {
                continue;
            }
            if self.value(&model, rule.constraint) != Some(Value::Bool(true)) {
                continue;
            }
            let Some(head) = &rule.head else {
                return Some(self.skeleton(index, premise));
            };
            self.derive(index, premise, head, &model);
        }
        None
    }

    /// Whether the premise's arguments that are no variables have the fact's values.
    fn fits(&self, rule: &Rule, premise: Option<usize>, model: &Model) -> bool {
        let (Some(fact), [application]) = (premise, rule.body.as_slice()) else {
            return true;
        };
        let pairs = application
            .arguments
            .iter()
            .zip(&self.facts[fact].arguments);
        pairs
            .into_iter()
            .all(|(term, value)| self.value(model, *term).as_ref() == Some(value))
    }

    fn value(&self, model: &Model, term: TermId) -> Option<Value> {
        Evaluator::new(self.pool, model).evaluate(term).ok()
    }

    /// Models that give the free variables values: each variable runs through the numbers while the
    /// others have the first ones, and all have the same.
    fn choices(&self, known: &Model, free: &[TermId]) -> Vec<Model> {
        if free.is_empty() {
            return vec![known.clone()];
        }
        let value = |variable: TermId, choice: usize| match self.pool.sort(variable) {
            Sort::Bool => Value::Bool(choice % 2 == 1),
            Sort::Int => Value::Int(self.numbers[choice % self.numbers.len()].clone()),
            _ => Model::default_value(self.pool, self.pool.sort_id(variable)),
        };
        let with = |choose: &dyn Fn(usize) -> usize| {
            let mut model = known.clone();
            for (place, variable) in free.iter().enumerate() {
                model.set_term(self.pool, *variable, value(*variable, choose(place)));
            }
            model
        };
        let each = (MOST_CHOICES / free.len()).clamp(2, self.numbers.len().max(2));
        let mut models = vec![with(&|_| 0), with(&|_| 1), with(&|place| place % 2)];
        for changed in 0..free.len().min(MOST_CHOICES / 2) {
            for choice in 1..each {
                models.push(with(&|place| if place == changed { choice } else { 0 }));
            }
        }
        models
    }

    fn derive(&mut self, rule: usize, premise: Option<usize>, head: &Application, model: &Model) {
        let arguments: Option<Vec<Value>> = head
            .arguments
            .iter()
            .map(|term| self.value(model, *term))
            .collect();
        let Some(arguments) = arguments else { return };
        if self.seen.insert((head.predicate, arguments.clone())) {
            self.waiting.push_back(self.facts.len());
            self.facts.push(Fact {
                predicate: head.predicate,
                arguments,
                rule,
                premise,
            });
        }
    }

    /// The path to a fact and the query after it.
    fn skeleton(&self, query: usize, premise: Option<usize>) -> Skeleton {
        let mut path = vec![query];
        let mut at = premise;
        while let Some(fact) = at {
            path.push(self.facts[fact].rule);
            at = self.facts[fact].premise;
        }
        path.reverse();
        let step = |(number, rule): (usize, usize)| {
            let premises = number.checked_sub(1).into_iter().collect();
            (rule, premises)
        };
        Skeleton {
            steps: path.into_iter().enumerate().map(step).collect(),
        }
    }
}
