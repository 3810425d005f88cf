//! Every rewrite rule, proved at small widths: the redex and what it becomes cannot differ.
//!
//! The rules come from the term crate's own list, so a new rule is proved without anybody enrolling
//! it here. A rule that is wrong on purpose is caught.

use foghorn_core::Budget;
use foghorn_smt::solver::{Answer, Limits, PushPop, Solver};
use foghorn_smt::z3::Z3Solver;
use foghorn_term::generate::Random;
use foghorn_term::rewrite::Step;
use foghorn_term::rules::{Context, Facts, Rule, all_rules, instantiate};
use foghorn_term::text::print_term;
use foghorn_term::{OpKind, TermId, TermPool};
use std::time::Duration;

/// No proof needs longer than a small part of this.
const PATIENCE: Duration = Duration::from_secs(20);

/// What a rule makes of a term, if it fires.
fn fire(rule: &Rule, pool: &mut TermPool, redex: TermId) -> Option<TermId> {
    if !rule.roots.contains(&pool.op(redex).kind()) {
        return None;
    }
    let mut facts = Facts::default();
    let mut context = Context {
        pool,
        facts: &mut facts,
    };
    (rule.apply)(&mut context, redex).map(|step| step.term)
}

/// Proves a rule at a width; the number of proofs, or the counterexample.
fn prove(rule: &Rule, width: u32, rounds: u64) -> Result<usize, String> {
    let mut random = Random::new(u64::from(width));
    let mut proofs = 0;
    for _ in 0..rounds {
        let mut pool = TermPool::new();
        let mut solver = Z3Solver::new().unwrap();
        let redexes =
            instantiate(rule, &mut pool, width, &mut random).map_err(|error| error.to_string())?;
        for redex in redexes {
            let Some(result) = fire(rule, &mut pool, redex) else {
                continue;
            };
            solver.set_budget(Budget::unlimited().within(PATIENCE));
            solver.push().unwrap();
            if let Some(assuming) = rule.assuming {
                let condition = assuming(&mut pool, redex);
                solver.assert(&pool, condition).unwrap();
            }
            let same = pool.intern(foghorn_term::Op::Equal, &[redex, result]);
            let differ = pool.intern(foghorn_term::Op::Not, &[same]);
            solver.assert(&pool, differ).unwrap();
            let answer = solver.check(&pool).map_err(|error| error.to_string())?;
            if answer != Answer::Unsatisfiable {
                let (redex, result) = (print_term(&pool, redex), print_term(&pool, result));
                return Err(format!(
                    "width {width}: {redex} became {result}: {answer:?}"
                ));
            }
            solver.pop(1).unwrap();
            proofs += 1;
        }
    }
    Ok(proofs)
}

#[test]
fn every_rule_is_proved_at_small_widths() {
    let (mut rules, mut proofs) = (0, 0);
    let mut failures = Vec::new();
    for (table, rule) in all_rules() {
        rules += 1;
        let mut of_this_rule = 0;
        for width in [1, 2, 3, 4] {
            match prove(rule, width, 1) {
                Ok(count) => of_this_rule += count,
                Err(failure) => failures.push(format!("{}/{}: {failure}", table.name, rule.name)),
            }
        }
        proofs += of_this_rule;
        if of_this_rule == 0 {
            failures.push(format!("{}/{}: never fired", table.name, rule.name));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(
        rules >= 90 && proofs > 3 * rules,
        "{rules} rules, {proofs} proofs"
    );
}

/// Claims `x + x = x`.
fn wrong(cx: &mut Context<'_>, term: TermId) -> Option<Step> {
    let [a, b] = cx.args(term)?;
    (a == b).then(|| Step::done(a))
}

#[test]
fn a_wrong_rule_is_caught() {
    let rule = Rule {
        name: "wrong",
        law: "x + x = x",
        roots: &[OpKind::BvAdd, OpKind::BvMul],
        apply: wrong,
        redexes: &["(bvmul x x)"],
        assuming: None,
    };
    assert!(prove(&rule, 1, 1).is_ok(), "over one bit x * x is x");
    assert!(prove(&rule, 3, 1).is_err());
}
