//! Spacer behind the Horn trait: evidence for both answers, and its traps.

use foghorn_core::Budget;
use foghorn_smt::SolverError;
use foghorn_smt::chc::{self, ChcOptions};
use foghorn_smt::horn::member::{Form, MEMBERS, Member, Method};
use foghorn_smt::horn::{
    Alone, Application, Hint, HintMode, HornAnswer, HornOptions, HornSolver, HornSystem, Portfolio,
    Rule, Spacer, WorkerCommand,
};
use foghorn_term::{FunctionId, Sort, TermId, TermPool};
use std::time::Duration;

/// x = 0; y = 0; while (x < 10) { x = x + 1; y = y + 2 }; assert(y <= bound)
struct Counter {
    pool: TermPool,
    system: HornSystem,
    inv: FunctionId,
    formals: Vec<TermId>,
}

fn counter(bound: i64) -> Counter {
    let mut pool = TermPool::new();
    let int = pool.sort_intern(Sort::Int);
    let bool = pool.sort_intern(Sort::Bool);
    let inv = pool.function("inv", &[int, int], bool).unwrap();
    let (x, y) = (pool.int_symbol("x"), pool.int_symbol("y"));
    let zero = pool.int(0);
    let starts = [pool.equal(x, zero), pool.equal(y, zero)];
    let start = pool.and(&starts);
    let (one, two, ten) = (pool.int(1), pool.int(2), pool.int(10));
    let goes_on = pool.int_lt(x, ten);
    let (next_x, next_y) = (pool.int_add(x, one), pool.int_add(y, two));
    let bound = pool.int(bound);
    let fails = pool.int_lt(bound, y);
    let application = |arguments: Vec<TermId>| Application {
        predicate: inv,
        arguments,
    };
    let rule = |name: &str, body: bool, constraint, head| Rule {
        name: name.to_owned(),
        variables: vec![x, y],
        body: if body {
            vec![application(vec![x, y])]
        } else {
            vec![]
        },
        constraint,
        head,
    };
    let system = HornSystem {
        predicates: vec![inv],
        rules: vec![
            rule("start", false, start, Some(application(vec![x, y]))),
            rule(
                "step",
                true,
                goes_on,
                Some(application(vec![next_x, next_y])),
            ),
            rule("bad", true, fails, None),
        ],
    };
    let formals = vec![pool.int_symbol("a"), pool.int_symbol("b")];
    Counter {
        pool,
        system,
        inv,
        formals,
    }
}

fn options(derivation: bool) -> HornOptions {
    HornOptions {
        budget: Budget::unlimited().within(Duration::from_secs(60)),
        derivation,
    }
}

fn solve(counter: &Counter, hints: &[Hint], derivation: bool) -> HornAnswer {
    Spacer
        .solve(&counter.pool, &counter.system, hints, &options(derivation))
        .unwrap()
}

impl Counter {
    fn hint(&self, lemma: TermId, mode: HintMode) -> Hint {
        Hint {
            predicate: self.inv,
            formals: self.formals.clone(),
            lemma,
            mode,
        }
    }

    /// b = 2a, a ≤ 10
    fn good(&mut self) -> TermId {
        let (a, b) = (self.formals[0], self.formals[1]);
        let two = self.pool.int(2);
        let double = self.pool.int_mul(two, a);
        let linear = self.pool.equal(b, double);
        let ten = self.pool.int(10);
        let bounded = self.pool.int_le(a, ten);
        self.pool.and(&[linear, bounded])
    }

    /// b ≤ 5, which is false after three steps.
    fn wrong(&mut self) -> TermId {
        let five = self.pool.int(5);
        self.pool.int_le(self.formals[1], five)
    }
}

#[test]
fn a_true_property_comes_with_invariants() {
    let HornAnswer::Solved(invariants) = solve(&counter(20), &[], false) else {
        panic!("the counter is bounded");
    };
    assert_eq!(invariants.interpretations.len(), 1);
    let definition = &invariants.interpretations[0].definition;
    assert!(
        definition.starts_with("(define-fun inv ((x!0 Int) (x!1 Int)) Bool"),
        "{definition}"
    );
}

#[test]
fn a_false_property_comes_with_a_checked_derivation() {
    let counter = counter(6);
    let HornAnswer::Refuted(Some(derivation)) = solve(&counter, &[], true) else {
        panic!("after four steps y is 8");
    };
    let names = derivation.rule_names(&counter.system);
    assert_eq!(names, ["start", "step", "step", "step", "step", "bad"]);
    let steps: Vec<_> = derivation.steps.values().collect();
    assert_eq!(steps[4].arguments, ["4", "8"]);
    assert_eq!(steps[5].predicate, None);
    assert_eq!(steps[5].premises.len(), 1);
}

/// Trap 2: a wrong lemma would make a reachable bug unreachable.
#[test]
fn a_wrong_hint_is_not_believed() {
    for mode in [HintMode::EveryFrame, HintMode::InductionOnly] {
        let mut counter = counter(6);
        let wrong = counter.wrong();
        let hint = counter.hint(wrong, mode);
        let answer = solve(&counter, &[hint], true);
        assert!(
            matches!(answer, HornAnswer::Refuted(Some(_))),
            "{mode:?}: {answer:?}"
        );
    }
}

/// Trap 3: a conjunction given as one lemma makes Spacer give up.
#[test]
fn conjunctive_hints_help_in_both_modes() {
    for mode in [HintMode::EveryFrame, HintMode::InductionOnly] {
        let mut counter = counter(20);
        let (good, wrong) = (counter.good(), counter.wrong());
        let both = counter.pool.and(&[good, wrong]);
        let hint = counter.hint(both, mode);
        let answer = solve(&counter, &[hint], false);
        assert!(
            matches!(answer, HornAnswer::Solved(_)),
            "{mode:?}: {answer:?}"
        );
    }
}

#[test]
fn an_exhausted_budget_is_unknown() {
    let text = std::fs::read_to_string(format!(
        "{}/tests/horn/hard.smt2",
        env!("CARGO_MANIFEST_DIR")
    ))
    .unwrap();
    let file = chc::read(&text).unwrap();
    let options = ChcOptions {
        timeout: Some(Duration::from_millis(500)),
        derivation: false,
        ..ChcOptions::default()
    };
    let start = std::time::Instant::now();
    let answer = chc::solve(&file, &options).unwrap();
    assert_eq!(answer.word(), "unknown");
    assert!(
        start.elapsed() < Duration::from_secs(10),
        "{:?}",
        start.elapsed()
    );
}

fn answer(text: &str) -> HornAnswer {
    let file = chc::read(text).unwrap();
    let options = ChcOptions {
        timeout: Some(Duration::from_secs(60)),
        derivation: true,
        ..ChcOptions::default()
    };
    chc::solve(&file, &options).unwrap()
}

#[test]
fn files_with_let_macros_and_arrays_are_read() {
    let text = "
        (set-logic HORN)
        (define-fun next ((v Int)) Int (+ v 1))
        (declare-fun |p q| (Int (Array Int Int)) Bool)
        (assert (forall ((i Int) (a (Array Int Int)))
            (=> (and (= i 0) (= a ((as const (Array Int Int)) 0))) (|p q| i a))))
        (assert (forall ((i Int) (a (Array Int Int)))
            (let ((j (next i)) (b (store a i 7)))
                (=> (and (|p q| i a) (< i 3)) (|p q| j b)))))
        (assert (forall ((i Int) (a (Array Int Int)))
            (not (and (|p q| i a) (> i 2) (distinct (select a LIMIT) 7)))))
        (check-sat)";
    let safe = answer(&text.replace("LIMIT", "2"));
    assert!(matches!(safe, HornAnswer::Solved(_)), "{safe:?}");
    let unsafe_ = answer(&text.replace("LIMIT", "3"));
    assert!(
        matches!(unsafe_, HornAnswer::Refuted(Some(_))),
        "{unsafe_:?}"
    );
}

#[test]
fn nonlinear_clauses_have_tree_derivations() {
    let file = chc::read(
        "(set-logic HORN)
        (declare-fun fib (Int Int) Bool)
        (assert (forall ((n Int)) (=> (and (<= 0 n) (< n 2)) (fib n n))))
        (assert (forall ((n Int) (a Int) (b Int))
            (=> (and (fib (- n 1) a) (fib (- n 2) b) (>= n 2)) (fib n (+ a b)))))
        (assert (forall ((r Int)) (=> (and (fib 5 r) (= r 5)) false)))
        (check-sat)",
    )
    .unwrap();
    let options = ChcOptions {
        timeout: Some(Duration::from_secs(60)),
        derivation: true,
        ..ChcOptions::default()
    };
    let HornAnswer::Refuted(Some(derivation)) = chc::solve(&file, &options).unwrap() else {
        panic!("the fifth Fibonacci number is 5");
    };
    let last = derivation.steps.values().last().unwrap();
    assert_eq!(last.predicate, None);
    assert!(
        derivation
            .steps
            .values()
            .any(|step| step.premises.len() == 2)
    );
    let text = chc::derivation_text(&file, &derivation);
    assert!(text.contains("(fib 5 5) by clause-1 from "), "{text}");
}

#[test]
fn what_is_not_understood_is_said_with_its_line() {
    let line = |text: &str| chc::read(text).map(|_| ()).unwrap_err().line;
    assert_eq!(line("(set-logic HORN)\n(declare-fun p (Real) Bool)"), 2);
    assert_eq!(line("(declare-fun p () Bool)\n\n(assert (or p p q))"), 3);
    let two_heads = "(declare-fun p () Bool)(declare-fun q () Bool)\n(assert (or p q))";
    assert_eq!(line(two_heads), 2);
    assert_eq!(line("(push 1)"), 1);
}

#[test]
fn deep_lets_are_read_without_recursion() {
    let depth = 20_000;
    let mut text = String::from("(declare-fun p (Int) Bool)\n(assert (forall ((x0 Int)) ");
    for i in 0..depth {
        text.push_str(&format!("(let ((x{} (+ x{i} 1))) ", i + 1));
    }
    text.push_str(&format!("(=> (= x{depth} 0) (p x0))"));
    text.push_str(&")".repeat(depth + 2));
    let file = chc::read(&text).unwrap();
    assert_eq!(file.system.rules.len(), 1);
}

/// A chain of predicates around a loop: most of it is simplified away, and the evidence still is
/// about all of it.
const CHAIN: &str = "
    (declare-fun entry (Int Int) Bool)
    (declare-fun inv (Int Int Int) Bool)
    (declare-fun middle (Int) Bool)
    (declare-fun done (Int Int) Bool)
    (assert (forall ((x Int) (y Int)) (=> (= x 0) (entry x y))))
    (assert (forall ((x Int) (y Int)) (=> (entry x y) (inv x y 5))))
    (assert (forall ((x Int) (y Int) (c Int)) (=> (and (inv x y c) (< x (* 2 c))) (middle x))))
    (assert (forall ((x Int) (y Int)) (=> (middle x) (inv (+ x 1) y 5))))
    (assert (forall ((x Int) (y Int) (c Int)) (=> (and (inv x y c) (>= x 10)) (done x c))))
    (assert (forall ((x Int) (c Int)) (=> (and (done x c) (> (+ x c) BOUND)) false)))";

/// Every member's answer is right or none, and evidence is about the original rules.
#[test]
fn every_member_gives_evidence_about_the_original_rules() {
    for member in MEMBERS {
        // What searches for refutations has no end where there is none.
        let searches = matches!(member.method, Method::Unrolling | Method::Execution);
        for (bound, is_safe) in [(15, true), (14, false)] {
            let file = chc::read(&CHAIN.replace("BOUND", &bound.to_string())).unwrap();
            let mut options = options(true);
            if searches && is_safe {
                options.budget = Budget::unlimited().within(Duration::from_millis(500));
            }
            let answer = Alone(member).solve(&file.pool, &file.system, &[], &options);
            match (answer, is_safe) {
                (Ok(HornAnswer::Solved(invariants)), true) => {
                    assert_eq!(invariants.interpretations.len(), 4, "{}", member.name);
                }
                (Ok(HornAnswer::Refuted(Some(derivation))), false) => {
                    let names = derivation.rule_names(&file.system);
                    assert_eq!(names.len(), 24, "{}: {names:?}", member.name);
                    for step in derivation.steps.values() {
                        let variables = file.system.rules[step.rule].variables.len();
                        assert_eq!(step.values.len(), variables, "{}", member.name);
                    }
                }
                (Ok(HornAnswer::Unknown(_)) | Err(SolverError::Exhausted(_)), true) if searches => {
                }
                // None of the constants is large, there is no array, and there are few ways.
                (Ok(HornAnswer::Unknown(_)), _)
                    if matches!(
                        member.form,
                        Form::Generalised | Form::Merged | Form::Cells | Form::GeneralisedCells
                    ) => {}
                (answer, _) => panic!("{} says {answer:?} of {bound}", member.name),
            }
        }
    }
}

/// Six states, one after the other, each of which adds its number; a premise with a literal, and ranges that are implied.
const MACHINE: &str = "(set-logic HORN)
    (declare-fun at (Int Int) Bool)
    (assert (at 0 0))
    (assert (forall ((s Int) (x Int)) (=> (and (at s x) (= s 0) (<= 0 s) (<= x 100)) (at 1 x))))
    (assert (forall ((s Int) (y Int)) (=> (and (at s y) (= s 1)) (at 2 (+ y 1)))))
    (assert (forall ((x Int)) (=> (at 2 x) (at 3 (+ x 2)))))
    (assert (forall ((s Int) (x Int) (any Int)) (=> (and (at s x) (= s 3) (<= 0 any) (<= any 3)) (at 4 (+ x any)))))
    (assert (forall ((s Int) (x Int)) (=> (and (at s x) (= s 4)) (at 5 x))))
    (assert (forall ((s Int) (x Int)) (=> (and (at s x) (= s 5)) (at 5 x))))
    (assert (forall ((s Int) (x Int)) (=> (and (at s x) (= s 5) (> x BOUND)) false)))";

/// Merged rules have the answers of the rules that they are made of, and their evidence is about those.
#[test]
fn merged_rules_mean_what_their_parts_do() {
    for name in ["spacer-merged", "spacer-merged-plain"] {
        let member = Alone(Member::named(name).unwrap());
        let ask = |bound: &str| {
            let file = chc::read(&MACHINE.replace("BOUND", bound)).unwrap();
            let answer = { member }.solve(&file.pool, &file.system, &[], &options(true));
            (answer.unwrap(), file)
        };
        let (answer, _) = ask("6");
        assert!(
            matches!(answer, HornAnswer::Solved(_)),
            "{name}: {answer:?}"
        );
        let (answer, file) = ask("5");
        let HornAnswer::Refuted(Some(derivation)) = answer else {
            panic!("{name}: {answer:?}");
        };
        let names = derivation.rule_names(&file.system);
        assert_eq!(names.len(), 7, "{name}: {names:?}");
    }
}

/// An array of 100,000 elements is filled and looked at, of which one is followed.
const FILLED: &str = "(set-logic HORN)
    (declare-fun fill (Int Int Int) Bool)
    (declare-fun look (Int Int Int) Bool)
    (assert (forall ((a Int) (k Int)) (fill 0 a k)))
    (assert (forall ((i Int) (a Int) (k Int)) (=> (and (fill i a k) (< i 100000) (= k (* 4 i))) (fill (+ i 1) 43 k))))
    (assert (forall ((i Int) (a Int) (k Int)) (=> (and (fill i a k) (< i 100000) (not (= k (* 4 i)))) (fill (+ i 1) a k))))
    (assert (forall ((i Int) (a Int) (k Int)) (=> (and (fill i a k) (>= i 100000)) (look 0 a k))))
    (assert (forall ((i Int) (a Int) (k Int)) (=> (and (look i a k) (<= i LAST)) (look (+ i 1) a k))))
    (assert (forall ((i Int) (a Int) (k Int)) (=> (and (look i a k) (<= i LAST) (= k (* 4 i)) (not (= a 43))) false)))";

/// What holds for any constant holds for this one, and what fails for another one need not.
#[test]
fn large_constants_are_parameters() {
    let member = Member::named("spacer-generalised").expect("it is in the table");
    for (last, is_safe) in [("99999", true), ("100000", false)] {
        let file = chc::read(&FILLED.replace("LAST", last)).unwrap();
        let answer = Alone(member).solve(&file.pool, &file.system, &[], &options(true));
        match (answer, is_safe) {
            (Ok(HornAnswer::Solved(_)), true) | (Ok(HornAnswer::Unknown(_)), false) => {}
            (answer, _) => panic!("{answer:?} of {last}"),
        }
    }
}

/// A counter that is never negative excludes the wrap-around of an offset; one that may be does not.
#[test]
fn wrap_arounds_that_never_happen_are_not_asked_about() {
    let member = Member::named("spacer-generalised").expect("it is in the table");
    let wrapped = "(+ (mod (+ (* 4 i) 2147483648) 4294967296) (- 2147483648))";
    let filled = FILLED.replace("LAST", "99999").replace("(* 4 i)", wrapped);
    let file = chc::read(&filled).unwrap();
    let answer = Alone(member).solve(&file.pool, &file.system, &[], &options(true));
    assert!(matches!(answer, Ok(HornAnswer::Solved(_))), "{answer:?}");
    // From a very negative counter on offsets wrap around, and an element is filled that nobody looks at.
    let negative = filled.replace("(fill 0 a k)", "(fill (- 1073741824) a k)");
    let wrong = negative.replace("(not (= a 43))", "(= a 43)");
    let file = chc::read(&wrong).unwrap();
    let mut options = options(true);
    options.budget = Budget::unlimited().within(Duration::from_secs(2));
    let answer = Alone(member).solve(&file.pool, &file.system, &[], &options);
    assert!(!matches!(answer, Ok(HornAnswer::Solved(_))), "{answer:?}");
}

/// Small systems with two loops and numbers chosen by chance.
fn random_system(seed: u64) -> String {
    let mut state = seed
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695);
    let mut number = |below: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % below
    };
    let (a, b, c) = (number(4), number(4), number(3));
    let (d, e, f) = (number(9) + 1, number(3) + 1, number(14));
    let cases = [
        "(+ x 1)",
        "(ite (< x 3) (+ x 2) (+ x 1))",
        "(- x 1)",
        "(ite (= (mod x 2) 0) y x)",
    ];
    let step = cases[usize::try_from(number(4)).unwrap()];
    let compare = ["=", ">", "<"][usize::try_from(number(3)).unwrap()];
    format!(
        "(declare-fun p (Int Int Int) Bool)
         (declare-fun q (Int Int) Bool)
         (declare-fun r (Int) Bool)
         (assert (forall ((x Int) (y Int) (z Int)) (=> (and (= x {a}) (= y {b})) (p x y z))))
         (assert (forall ((x Int) (y Int) (z Int)) (=> (and (p x y z) (< x {d})) (p {step} (+ y {c}) z))))
         (assert (forall ((x Int) (y Int) (z Int)) (=> (and (p x y z) (>= x {d})) (r y))))
         (assert (forall ((y Int)) (=> (r y) (q y 0))))
         (assert (forall ((y Int) (n Int)) (=> (and (q y n) (< n {e})) (q (- y 1) (+ n 1)))))
         (assert (forall ((y Int) (n Int)) (=> (and (q y n) (= n {e}) ({compare} y {f})) false)))"
    )
}

/// No two members contradict each other.
#[test]
fn members_agree_on_random_systems() {
    let mut answered = [0, 0];
    for seed in 1..=24 {
        let text = random_system(seed);
        let file = chc::read(&text).unwrap();
        let mut words: Vec<(&str, &str)> = Vec::new();
        for name in [
            "spacer",
            "spacer-transformed",
            "unrolling",
            "execution",
            "spacer-given",
        ] {
            let member = foghorn_smt::horn::Member::named(name).unwrap();
            let budget = Budget::unlimited().within(Duration::from_secs(2));
            let options = HornOptions {
                budget,
                derivation: true,
            };
            match Alone(member).solve(&file.pool, &file.system, &[], &options) {
                Ok(answer) => words.push((name, answer.word())),
                Err(SolverError::Exhausted(_)) => {}
                Err(error) => panic!("{name}: {error}: {text}"),
            }
        }
        let safe = words.iter().any(|(_, word)| *word == "sat");
        let refuted = words.iter().any(|(_, word)| *word == "unsat");
        assert!(!(safe && refuted), "{words:?}: {text}");
        answered[0] += usize::from(safe);
        answered[1] += usize::from(refuted);
    }
    assert!(answered[0] >= 4 && answered[1] >= 4, "{answered:?}");
}

/// A deep refutation of a deterministic loop: too deep for a formula, nothing for a run.
#[test]
fn a_run_of_a_thousand_steps_is_found() {
    let file = chc::read(
        "(declare-fun inv (Int Int) Bool)
         (assert (forall ((a Int)) (inv 0 a)))
         (assert (forall ((x Int) (a Int) (y Int) (b Int))
            (=> (and (inv x a) (= b (ite (= x 400) 0 a)) (= y (ite (<= 200 (div x 5)) (+ x 5) (+ x 1))))
                (inv y b))))
         (assert (forall ((x Int) (a Int)) (=> (and (inv x a) (>= x 2000) (= a 0)) false)))",
    )
    .unwrap();
    let member = foghorn_smt::horn::Member::named("execution").unwrap();
    let answer = Alone(member).solve(&file.pool, &file.system, &[], &options(true));
    let HornAnswer::Refuted(Some(derivation)) = answer.unwrap() else {
        panic!("x reaches 2000");
    };
    assert!(derivation.steps.len() > 1_000, "{}", derivation.steps.len());
}

fn portfolio(program: &str, arguments: &[&str]) -> Portfolio {
    Portfolio::new(WorkerCommand {
        program: program.into(),
        arguments: arguments.iter().map(|a| (*a).to_owned()).collect(),
    })
}

#[test]
fn members_that_die_are_named_and_nothing_is_concluded() {
    let counter = counter(20);
    let mut dead = portfolio("false", &[]).with_jobs(2);
    let answer = dead.solve(&counter.pool, &counter.system, &[], &options(true));
    let HornAnswer::Unknown(reason) = answer.unwrap() else {
        panic!("nobody answered");
    };
    assert!(
        reason.contains("spacer-global: solver spacer-global died: exit status: 1"),
        "{reason}"
    );
    let mut babbling = portfolio("echo", &["Solved"]);
    let answer = babbling.solve(&counter.pool, &counter.system, &[], &options(true));
    assert!(matches!(answer, Ok(HornAnswer::Unknown(_))), "{answer:?}");
}

#[test]
fn a_portfolio_that_cannot_start_is_an_error() {
    let counter = counter(20);
    let mut nothing = portfolio("/nonexistent/foghorn", &[]);
    let answer = nothing.solve(&counter.pool, &counter.system, &[], &options(true));
    assert!(
        matches!(answer, Err(SolverError::CannotStart { .. })),
        "{answer:?}"
    );
}

#[test]
fn members_that_never_answer_end_with_the_budget() {
    let counter = counter(20);
    let mut asleep = portfolio("sleep", &["1000"]).with_jobs(2);
    let short = HornOptions {
        budget: Budget::unlimited().within(Duration::from_millis(300)),
        derivation: true,
    };
    let start = std::time::Instant::now();
    let answer = asleep.solve(&counter.pool, &counter.system, &[], &short);
    assert!(
        matches!(answer, Err(SolverError::Exhausted(_))),
        "{answer:?}"
    );
    assert!(
        start.elapsed() < Duration::from_secs(20),
        "{:?}",
        start.elapsed()
    );
}

/// What a worker hears and says, without a process: the protocol carries systems, hints and both
/// kinds of evidence.
#[test]
fn a_printed_system_reads_as_it_was() {
    let counter = counter(20);
    let text = chc::print(&counter.pool, &counter.system).unwrap();
    let file = chc::read(&text).unwrap();
    assert_eq!(file.system.rules.len(), 3);
    let names: Vec<&str> = file.system.rules.iter().map(|r| r.name.as_str()).collect();
    assert_eq!(names, ["start", "step", "bad"]);
    assert_eq!(
        chc::solve(&file, &ChcOptions::default()).unwrap().word(),
        "sat"
    );
}
