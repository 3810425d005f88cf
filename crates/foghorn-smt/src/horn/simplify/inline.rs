//! Predicates resolved away.
//!
//! A predicate whose rules do not mention it can be replaced, wherever it is a premise, by what its
//! rules derive. That is done where it makes no more rules than it removes.

use super::super::{Application, Rule};
use super::{Draft, Image, Workshop, tidy};
use foghorn_term::{FunctionId, Op, Substitution, TermId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// A resolved rule may be as large as this many terms.
const MOST_TERMS: usize = 20_000;

/// Where a predicate occurs.
#[derive(Clone, Default)]
struct Occurrences {
    heads: BTreeSet<usize>,
    /// Rules with it among their premises.
    users: BTreeSet<usize>,
    premises: usize,
    /// Rules in which it depends on itself or is a premise twice.
    refusing: usize,
}

/// Rules by the predicates in them, kept while rules come and go, and the predicates that may be resolved in the order
/// in which they are: those first whose removal makes fewest rules.
#[derive(Default)]
struct Index {
    drafts: Vec<Option<Draft>>,
    occurrences: FxHashMap<FunctionId, Occurrences>,
    queue: BTreeSet<(usize, FunctionId)>,
    too_large: FxHashSet<FunctionId>,
}

/// What a rule mentions: each predicate once, how often it is a premise, and whether it must not be resolved there.
fn mentions(rule: &Rule) -> Vec<(FunctionId, usize, bool)> {
    let head = rule.head.as_ref().map(|head| head.predicate);
    let mut found: Vec<(FunctionId, usize, bool)> = Vec::new();
    for premise in &rule.body {
        match found.iter_mut().find(|(p, ..)| *p == premise.predicate) {
            Some((_, count, refuses)) => {
                *count += 1;
                *refuses = true;
            }
            None => found.push((premise.predicate, 1, head == Some(premise.predicate))),
        }
    }
    found
}

impl Index {
    fn occurrences(&mut self, predicate: FunctionId) -> &mut Occurrences {
        self.occurrences.entry(predicate).or_default()
    }

    fn add(&mut self, draft: Draft) {
        let number = self.drafts.len();
        let head = draft.rule.head.as_ref().map(|head| head.predicate);
        for (predicate, count, refuses) in mentions(&draft.rule) {
            self.changing(predicate, |of| {
                of.users.insert(number);
                of.premises += count;
                of.refusing += usize::from(refuses);
            });
        }
        if let Some(head) = head {
            self.changing(head, |of| {
                of.heads.insert(number);
            });
        }
        self.drafts.push(Some(draft));
    }

    fn remove(&mut self, number: usize) -> Option<Draft> {
        let draft = self.drafts[number].take()?;
        for (predicate, count, refuses) in mentions(&draft.rule) {
            self.changing(predicate, |of| {
                of.users.remove(&number);
                of.premises -= count;
                of.refusing -= usize::from(refuses);
            });
        }
        if let Some(head) = &draft.rule.head {
            self.changing(head.predicate, |of| {
                of.heads.remove(&number);
            });
        }
        Some(draft)
    }

    /// Changes where a predicate occurs, and its place in the queue with it.
    fn changing(&mut self, predicate: FunctionId, change: impl FnOnce(&mut Occurrences)) {
        let before = self.worth(predicate);
        change(self.occurrences(predicate));
        let after = self.worth(predicate);
        if before != after {
            if let Some(before) = before {
                self.queue.remove(&(before, predicate));
            }
            if let Some(after) = after {
                self.queue.insert((after, predicate));
            }
        }
    }

    /// The rules that the removal of a predicate makes, if these are no more than it removes.
    fn worth(&self, predicate: FunctionId) -> Option<usize> {
        let of = self.occurrences.get(&predicate)?;
        let (made, removed) = (of.heads.len() * of.premises, of.heads.len() + of.premises);
        let occurs = removed > 0;
        (occurs && of.refusing == 0 && made <= removed && !self.too_large.contains(&predicate))
            .then_some(made)
    }

    fn at(&self, numbers: &BTreeSet<usize>) -> Vec<Draft> {
        numbers
            .iter()
            .filter_map(|number| self.drafts[*number].clone())
            .collect()
    }
}

impl Workshop {
    /// Resolves predicates until none qualifies. True if one did.
    pub(super) fn resolve_predicates(&mut self) -> bool {
        let mut index = Index::default();
        for draft in std::mem::take(&mut self.drafts) {
            index.add(draft);
        }
        let mut gone: FxHashSet<FunctionId> = FxHashSet::default();
        while let Some((_, predicate)) = index.queue.first().copied() {
            if self.resolve(&mut index, predicate) {
                gone.insert(predicate);
            } else {
                let worth = index.worth(predicate).unwrap_or_default();
                index.queue.remove(&(worth, predicate));
                index.too_large.insert(predicate);
            }
        }
        // What occurs nowhere any more is derived by nothing.
        let occurs = |predicate: &FunctionId| {
            let of = index.occurrences.get(predicate);
            of.is_some_and(|of| !of.heads.is_empty() || of.premises > 0)
        };
        gone.extend(
            self.predicates
                .iter()
                .filter(|predicate| !occurs(predicate)),
        );
        self.drafts = index.drafts.into_iter().flatten().collect();
        self.predicates
            .retain(|predicate| !gone.contains(predicate));
        for predicate in &gone {
            self.images.insert(*predicate, Image::Resolved);
        }
        !gone.is_empty()
    }

    /// Resolves one predicate; false if a rule would become too large.
    fn resolve(&mut self, index: &mut Index, predicate: FunctionId) -> bool {
        let of = index.occurrences(predicate).clone();
        let (using, deriving) = (index.at(&of.users), index.at(&of.heads));
        let Some(resolvents) = self.resolvents(predicate, &using, &deriving) else {
            return false;
        };
        for number in of.users.iter().chain(&of.heads) {
            index.remove(*number);
        }
        for resolvent in resolvents {
            index.add(resolvent);
        }
        true
    }

    /// Every use with every way to derive it; `None` if one would become too large.
    fn resolvents(
        &mut self,
        predicate: FunctionId,
        using: &[Draft],
        deriving: &[Draft],
    ) -> Option<Vec<Draft>> {
        let mut made = Vec::with_capacity(using.len() * deriving.len());
        for user in using {
            let mut premises = user.rule.body.iter();
            let premise = premises.position(|a| a.predicate == predicate)?;
            for deriver in deriving {
                let mut resolvent = self.resolvent(user, premise, deriver);
                if self.pool.dag_size(&[resolvent.rule.constraint]) > MOST_TERMS {
                    return None;
                }
                if tidy::tidy(&mut self.pool, &mut resolvent.rule) {
                    made.push(resolvent);
                }
            }
        }
        Some(made)
    }

    /// The rule with its premise derived by another rule, whose variables are renamed.
    fn resolvent(&mut self, user: &Draft, premise: usize, deriver: &Draft) -> Draft {
        let mut fresh = Substitution::new();
        let mut variables = user.rule.variables.clone();
        for variable in &deriver.rule.variables {
            let name = match self.pool.op(*variable) {
                Op::Symbol(id) => base_name(&self.pool.symbol_data(id).name).to_owned(),
                _ => "v".to_owned(),
            };
            let sort = self.pool.sort(*variable);
            let renamed = self.pool.fresh_symbol(&name, sort);
            fresh.insert(&self.pool, *variable, renamed);
            variables.push(renamed);
        }
        let mut theirs = deriver.rule.clone();
        tidy::substitute(&mut self.pool, &mut theirs, &fresh);
        let head = theirs.head.expect("invariant: a deriving rule has a head");
        let mut conjuncts = vec![user.rule.constraint, theirs.constraint];
        let wanted: Vec<TermId> = user.rule.body[premise].arguments.clone();
        for (wanted, given) in wanted.into_iter().zip(head.arguments) {
            conjuncts.push(self.pool.equal(wanted, given));
        }
        let mut body: Vec<Application> = user.rule.body.clone();
        body.splice(premise..=premise, theirs.body);
        Draft {
            rule: Rule {
                name: user.rule.name.clone(),
                variables,
                body,
                constraint: self.pool.and(&conjuncts),
                head: user.rule.head.clone(),
            },
            unfolding: user.unfolding.resolve(premise, &deriver.unfolding),
        }
    }
}

/// A name without the number that made it fresh, so that names do not grow.
fn base_name(name: &str) -> &str {
    name.split('!')
        .next()
        .filter(|n| !n.is_empty())
        .unwrap_or("v")
}
