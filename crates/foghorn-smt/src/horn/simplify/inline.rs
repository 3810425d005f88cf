//! Predicates resolved away.
//!
//! A predicate whose rules do not mention it can be replaced, wherever it is a premise, by what its
//! rules derive. That is done where it makes no more rules than it removes.

use super::super::{Application, Rule};
use super::{Draft, Image, Workshop, tidy};
use foghorn_term::{FunctionId, Op, Substitution, TermId};
use rustc_hash::FxHashMap;

/// How a predicate occurs.
#[derive(Clone, Copy, Default)]
struct Count {
    heads: usize,
    premises: usize,
    /// Depends on itself directly, or is a premise twice in a rule.
    refused: bool,
}

/// A resolved rule may be as large as this many terms.
const MOST_TERMS: usize = 20_000;

impl Workshop {
    /// Resolves predicates until none qualifies. True if one did.
    pub(super) fn resolve_predicates(&mut self) -> bool {
        let mut resolved = false;
        let mut too_large: Vec<FunctionId> = Vec::new();
        while let Some(predicate) = self.cheapest(&too_large) {
            if self.resolve(predicate) {
                resolved = true;
            } else {
                too_large.push(predicate);
            }
        }
        resolved
    }

    /// The predicate whose removal makes fewest rules, if these are no more than it removes.
    fn cheapest(&self, refused: &[FunctionId]) -> Option<FunctionId> {
        let mut counts: FxHashMap<FunctionId, Count> = FxHashMap::default();
        for draft in &self.drafts {
            let rule = &draft.rule;
            let head = rule.head.as_ref().map(|head| head.predicate);
            if let Some(head) = head {
                counts.entry(head).or_default().heads += 1;
            }
            for (index, premise) in rule.body.iter().enumerate() {
                let count = counts.entry(premise.predicate).or_default();
                count.premises += 1;
                let again = rule.body[..index]
                    .iter()
                    .any(|other| other.predicate == premise.predicate);
                count.refused |= again || head == Some(premise.predicate);
            }
        }
        let worth = |predicate: &FunctionId| {
            let count = counts.get(predicate).copied().unwrap_or_default();
            let (made, removed) = (count.heads * count.premises, count.heads + count.premises);
            (!count.refused && made <= removed && !refused.contains(predicate))
                .then_some((made, *predicate))
        };
        self.predicates
            .iter()
            .filter_map(worth)
            .min()
            .map(|(_, p)| p)
    }

    /// Resolves one predicate; false if a rule would become too large.
    fn resolve(&mut self, predicate: FunctionId) -> bool {
        let (mut deriving, mut using, mut others) = (Vec::new(), Vec::new(), Vec::new());
        for draft in std::mem::take(&mut self.drafts) {
            let rule = &draft.rule;
            let head = rule.head.as_ref().map(|head| head.predicate);
            if head == Some(predicate) {
                deriving.push(draft);
            } else if rule.body.iter().any(|a| a.predicate == predicate) {
                using.push(draft);
            } else {
                others.push(draft);
            }
        }
        let resolved = self.resolvents(predicate, &using, &deriving);
        let done = resolved.is_some();
        match resolved {
            Some(resolvents) => {
                others.extend(resolvents);
                self.forget(predicate, Image::Resolved);
            }
            None => others.extend(using.into_iter().chain(deriving)),
        }
        self.drafts = others;
        done
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
