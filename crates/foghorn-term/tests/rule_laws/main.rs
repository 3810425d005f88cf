//! Every enrolled rule keeps the value of what it rewrites: exhaustively over all inputs at small widths, by random inputs
//! at large ones, and in concert on random terms. Also tests these tests with a rule that is wrong.

mod check;
mod concert;

use check::{Failure, check_rule};
use foghorn_term::generate::Random;
use foghorn_term::rewrite::Step;
use foghorn_term::rules::{Context, Rule, RuleSet, all_rules, instantiate};
use foghorn_term::{OpKind, TermId, TermPool};
use std::collections::BTreeSet;

#[test]
fn every_rule_keeps_its_law() {
    let mut failures = Vec::new();
    for (table, rule) in all_rules() {
        if let Err(failure) = check_rule(rule, &[1, 2, 3, 4], &[7, 8, 33, 64, 65, 100, 128, 129]) {
            failures.push(format!("{}/{}: {failure}", table.name, rule.name));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn every_rule_fires_on_each_of_its_redexes() {
    let mut silent = Vec::new();
    for (table, rule) in all_rules() {
        for number in 0..rule.redexes.len() {
            let mut random = Random::new(7);
            let fires = (0..60).any(|round| {
                let mut pool = TermPool::new();
                let width = [3, 5, 8, 16][round % 4];
                let redex = instantiate(rule, &mut pool, width, &mut random)
                    .expect("a template parses")[number];
                check::fire(rule, &mut pool, redex).is_some()
            });
            if !fires {
                silent.push(format!(
                    "{}/{}: {}",
                    table.name, rule.name, rule.redexes[number]
                ));
            }
        }
    }
    assert!(silent.is_empty(), "{}", silent.join("\n"));
}

/// Counts the definitions in the source: a rule in a file whose table is not enrolled is found here.
#[test]
fn every_rule_in_the_source_is_enrolled() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/rules");
    let mut defined = BTreeSet::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        for line in text.lines() {
            let Some(rest) = line.strip_prefix("    rule ") else {
                continue;
            };
            let name = rest.split([' ', '[']).next().unwrap();
            if !name.starts_with('$') {
                assert!(
                    defined.insert(name.to_owned()),
                    "two rules are called {name}"
                );
            }
        }
    }
    let enrolled: BTreeSet<String> = all_rules().map(|(_, rule)| rule.name.to_owned()).collect();
    assert_eq!(defined, enrolled);
    assert!(enrolled.len() >= 90, "{}", enrolled.len());
}

/// Claims `x + x = x`.
fn wrong(cx: &mut Context<'_>, term: TermId) -> Option<Step> {
    let [a, b] = cx.args(term)?;
    (a == b).then(|| Step::done(a))
}

static WRONG: Rule = Rule {
    name: "wrong",
    law: "x + x = x",
    roots: &[OpKind::BvAdd],
    apply: wrong,
    redexes: &["(bvadd x x)"],
    assuming: None,
};

/// Wrong at one value in 2^w only: `x + -1 < x` fails at zero.
fn almost_right(cx: &mut Context<'_>, term: TermId) -> Option<Step> {
    let [a, b] = cx.args(term)?;
    let [x, literal] = cx.view(a, OpKind::BvAdd)?;
    (x == b && cx.bits(literal)?.is_ones()).then(|| Step::done(cx.pool.bool(true)))
}

static ALMOST_RIGHT: Rule = Rule {
    name: "almost_right",
    law: "x - 1 < x",
    roots: &[OpKind::BvUlt],
    apply: almost_right,
    redexes: &["(bvult (bvadd x ones) x)"],
    assuming: None,
};

#[test]
fn a_wrong_rule_is_caught() {
    for rule in [&WRONG, &ALMOST_RIGHT] {
        let failure = check_rule(rule, &[1, 2, 3, 4], &[]).expect_err("the rule is wrong");
        assert!(matches!(failure, Failure::Differs { .. }), "{failure}");
    }
    let concert = std::panic::catch_unwind(|| concert::check(|| RuleSet::of([&WRONG]), 0..40));
    assert!(concert.is_err(), "random terms catch it as well");
}

#[test]
fn a_rule_that_never_fires_is_caught() {
    static SILENT: Rule = Rule {
        apply: |_, _| None,
        ..WRONG
    };
    let mut pool = TermPool::new();
    let redex = instantiate(&SILENT, &mut pool, 8, &mut Random::new(1)).unwrap()[0];
    assert!(check::fire(&SILENT, &mut pool, redex).is_none());
}
