//! A set of rules as the configuration of a rewriter.

use super::{Context, Facts, Rule, RuleTable, TABLES};
use crate::op::{Op, OpKind};
use crate::pool::{TermId, TermPool};
use crate::rewrite::{RewriteRules, Rewriter, Step};

/// How often each rule fired, in the order of the tables.
pub type RuleStatistics = Vec<(&'static str, u64)>;

/// The rules of some tables, looked up by operator, for the terms of one pool: facts about them are remembered.
pub struct RuleSet {
    by_kind: Vec<Vec<usize>>,
    rules: Vec<&'static Rule>,
    fired: Vec<u64>,
    facts: Facts,
}

impl RuleSet {
    /// The rules of these tables.
    pub fn new(tables: &[&'static RuleTable]) -> Self {
        Self::of(tables.iter().flat_map(|table| table.rules))
    }

    /// These rules, tried in this order.
    pub fn of(rules: impl IntoIterator<Item = &'static Rule>) -> Self {
        let rules: Vec<&'static Rule> = rules.into_iter().collect();
        let mut by_kind = vec![Vec::new(); OpKind::ALL.len()];
        for (number, rule) in rules.iter().enumerate() {
            for &root in rule.roots {
                by_kind[root as usize].push(number);
            }
        }
        let fired = vec![0; rules.len()];
        RuleSet {
            by_kind,
            rules,
            fired,
            facts: Facts::default(),
        }
    }

    /// The first step that a rule of the set takes on the term.
    pub fn step(&mut self, pool: &mut TermPool, term: TermId) -> Option<Step> {
        for &number in &self.by_kind[pool.op(term).kind() as usize] {
            let mut context = Context {
                pool: &mut *pool,
                facts: &mut self.facts,
            };
            if let Some(step) = (self.rules[number].apply)(&mut context, term)
                && step.term != term
            {
                self.fired[number] += 1;
                return Some(step);
            }
        }
        None
    }

    /// How often each rule fired.
    pub fn statistics(&self) -> RuleStatistics {
        self.rules
            .iter()
            .zip(&self.fired)
            .map(|(rule, &count)| (rule.name, count))
            .collect()
    }
}

impl RewriteRules for RuleSet {
    /// Bodies of λs are left alone until they are applied: a chain of λs in which each reads the one before would
    /// otherwise have every body spelled out to the end, which is quadratic.
    fn should_rewrite(&mut self, pool: &TermPool, term: TermId) -> bool {
        !matches!(pool.op(term), Op::Lambda(_))
    }

    fn apply(&mut self, pool: &mut TermPool, term: TermId) -> Step {
        self.step(pool, term).unwrap_or_else(|| Step::done(term))
    }
}

/// A rewriter with all simplifying rules.
pub fn simplifier() -> Rewriter<RuleSet> {
    Rewriter::new(RuleSet::new(TABLES))
}
