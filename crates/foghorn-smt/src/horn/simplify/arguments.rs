//! Arguments that always have one value, and arguments that nothing reads.

use super::{Gone, Workshop, tidy};
use foghorn_term::{FunctionId, Op, Substitution, TermId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// What is known of an argument: nothing was derived yet, one value, or several.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Known {
    Nothing,
    One(TermId),
    Many,
}

type Position = (FunctionId, usize);

impl Workshop {
    /// Removes arguments that have one value in every derivation. True if there was one.
    pub(super) fn propagate_constants(&mut self) -> bool {
        let known = self.known_values();
        let constant = |predicate: FunctionId, position: usize| match known[&predicate][position] {
            Known::One(value) => Some(value),
            Known::Nothing | Known::Many => None,
        };
        let mut gone: Gone = FxHashMap::default();
        for predicate in &self.predicates {
            let arity = known[predicate].len();
            let own: Vec<(usize, Option<TermId>)> = (0..arity)
                .filter_map(|p| constant(*predicate, p).map(|value| (p, Some(value))))
                .collect();
            if !own.is_empty() {
                gone.insert(*predicate, own);
            }
        }
        self.assume_constants(&gone);
        self.remove_arguments(&gone);
        !gone.is_empty()
    }

    /// Where a predicate is a premise, the arguments are equal to their one value.
    fn assume_constants(&mut self, gone: &Gone) {
        for draft in &mut self.drafts {
            let rule = &mut draft.rule;
            let mut conjuncts = vec![rule.constraint];
            for premise in &rule.body {
                for (position, value) in gone.get(&premise.predicate).into_iter().flatten() {
                    let value = value.expect("invariant: constants have values");
                    conjuncts.push(self.pool.equal(premise.arguments[*position], value));
                }
            }
            if conjuncts.len() > 1 {
                rule.constraint = self.pool.and(&conjuncts);
            }
        }
    }

    /// The least fixed point over all rules.
    fn known_values(&mut self) -> FxHashMap<FunctionId, Vec<Known>> {
        let mut known: FxHashMap<FunctionId, Vec<Known>> = FxHashMap::default();
        for draft in &self.drafts {
            for application in draft.rule.body.iter().chain(draft.rule.head.as_ref()) {
                let arity = application.arguments.len();
                known
                    .entry(application.predicate)
                    .or_insert_with(|| vec![Known::Nothing; arity]);
            }
        }
        for predicate in &self.predicates {
            known.entry(*predicate).or_default();
        }
        let mut readers: FxHashMap<FunctionId, Vec<usize>> = FxHashMap::default();
        for (index, draft) in self.drafts.iter().enumerate() {
            for premise in &draft.rule.body {
                readers.entry(premise.predicate).or_default().push(index);
            }
        }
        // Only rules whose premises have changed say something new.
        let mut pending: VecDeque<usize> = (0..self.drafts.len()).collect();
        let mut waits = vec![true; self.drafts.len()];
        while let Some(index) = pending.pop_front() {
            waits[index] = false;
            if !self.transfer(index, &mut known) {
                continue;
            }
            let head = self.drafts[index].rule.head.as_ref().map(|h| h.predicate);
            let readers = head.and_then(|head| readers.get(&head));
            for reader in readers.into_iter().flatten() {
                if !std::mem::replace(&mut waits[*reader], true) {
                    pending.push_back(*reader);
                }
            }
        }
        known
    }

    /// One rule's effect on its head.
    fn transfer(&mut self, index: usize, known: &mut FxHashMap<FunctionId, Vec<Known>>) -> bool {
        let rule = &self.drafts[index].rule;
        let Some(head) = rule.head.clone() else {
            return false;
        };
        let mut values = Substitution::new();
        for premise in &rule.body {
            let facts = &known[&premise.predicate];
            if !facts.is_empty() && facts.iter().all(|fact| *fact == Known::Nothing) {
                return false;
            }
            for (argument, fact) in premise.arguments.iter().zip(facts) {
                if let (Known::One(value), Op::Symbol(_)) = (fact, self.pool.op(*argument)) {
                    values.insert(&self.pool, *argument, *value);
                }
            }
        }
        let mut changed = false;
        for (position, argument) in head.arguments.iter().enumerate() {
            let old = known[&head.predicate][position];
            if old == Known::Many {
                continue;
            }
            let value = tidy::replaced(&mut self.pool, *argument, &values);
            let new = match old {
                _ if !self.pool.is_literal(value) => Known::Many,
                Known::Nothing => Known::One(value),
                Known::One(one) if one == value => old,
                Known::One(_) | Known::Many => Known::Many,
            };
            if new != old {
                changed = true;
                if let Some(facts) = known.get_mut(&head.predicate) {
                    facts[position] = new;
                }
            }
        }
        changed
    }

    /// Removes arguments that no constraint depends on. True if there was one.
    pub(super) fn remove_unused_arguments(&mut self) -> bool {
        let needed = self.needed_positions();
        let arities = self.arities();
        let mut gone: Gone = FxHashMap::default();
        for predicate in &self.predicates {
            let Some(arity) = arities.get(predicate) else {
                continue;
            };
            let own: Vec<(usize, Option<TermId>)> = (0..*arity)
                .filter(|position| !needed.contains(&(*predicate, *position)))
                .map(|position| (position, None))
                .collect();
            if !own.is_empty() {
                gone.insert(*predicate, own);
            }
        }
        self.remove_arguments(&gone);
        !gone.is_empty()
    }

    /// How many arguments the predicates have today.
    fn arities(&self) -> FxHashMap<FunctionId, usize> {
        self.drafts
            .iter()
            .flat_map(|draft| draft.rule.body.iter().chain(draft.rule.head.as_ref()))
            .map(|application| (application.predicate, application.arguments.len()))
            .collect()
    }

    /// The arguments that some constraint depends on, directly or through heads. A premise reads
    /// its argument unless that is a variable that occurs nowhere else but in heads' arguments that
    /// nothing reads.
    fn needed_positions(&self) -> FxHashSet<Position> {
        let mut needed: FxHashSet<Position> = FxHashSet::default();
        let mut pending: Vec<Position> = Vec::new();
        // For an argument of a head, those of premises that it is made of.
        let mut made_of: FxHashMap<Position, Vec<Position>> = FxHashMap::default();
        for index in 0..self.drafts.len() {
            let reading = self.reading(index);
            pending.extend(reading.always);
            for (position, through) in reading.through_head {
                for head in through {
                    made_of.entry(head).or_default().push(position);
                }
            }
        }
        while let Some(position) = pending.pop() {
            if needed.insert(position) {
                pending.extend(made_of.get(&position).into_iter().flatten());
            }
        }
        needed
    }

    fn reading(&self, index: usize) -> Reading {
        let rule = &self.drafts[index].rule;
        let constrained: FxHashSet<TermId> = tidy::leaves(&self.pool, rule.constraint)
            .into_iter()
            .collect();
        let mut occurrences: FxHashMap<TermId, usize> = FxHashMap::default();
        for argument in rule.body.iter().flat_map(|a| a.arguments.iter()) {
            for leaf in tidy::leaves(&self.pool, *argument) {
                *occurrences.entry(leaf).or_default() += 1;
            }
        }
        let mut in_head: FxHashMap<TermId, Vec<Position>> = FxHashMap::default();
        if let Some(head) = &rule.head {
            for (position, argument) in head.arguments.iter().enumerate() {
                for leaf in tidy::leaves(&self.pool, *argument) {
                    in_head
                        .entry(leaf)
                        .or_default()
                        .push((head.predicate, position));
                }
            }
        }
        let variables: FxHashSet<TermId> = rule.variables.iter().copied().collect();
        let mut reading = Reading::default();
        for premise in &rule.body {
            for (index, argument) in premise.arguments.iter().enumerate() {
                let position = (premise.predicate, index);
                let is_variable = variables.contains(argument);
                if !is_variable || constrained.contains(argument) || occurrences[argument] > 1 {
                    reading.always.push(position);
                } else if let Some(through) = in_head.get(argument) {
                    reading.through_head.push((position, through.clone()));
                }
            }
        }
        reading
    }
}

/// What a rule reads of its premises.
#[derive(Default)]
struct Reading {
    always: Vec<Position>,
    /// Read if one of the head's arguments is.
    through_head: Vec<(Position, Vec<Position>)>,
}
