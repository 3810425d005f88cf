//! Claims that hold pass, and claims that do not are found.

use foghorn_certify::{Certificate, FunctionCertificate, Outcome, check};
use foghorn_core::{Budget, CheckSelection};
use foghorn_encode::fact::{Aspect, Fact, Quantity, Relation, Subject};
use foghorn_ir::{BlockId, Module, parse_module};
use std::collections::BTreeMap;

const COUNTING: &str = "foghorn-ir 1
layout pointer-bytes 8
entry @main

function @main() -> i32 {
block0:
  jump block1(0:i32)
block1(v0:i32):
  v1:i1 = compare slt v0, 10
  branch v1, block2, block3
block2:
  v2:i32 = add v0, 1
  jump block1(v2)
block3:
  v3:i1 = compare eq v0, 10
  check assertion v3
  v4:i32 = call @twice(v0)
  v5:i1 = compare sle v4, 20
  check assertion v5
  return v4
}

function @twice(i32) -> i32 {
block0(v0:i32):
  v1:i32 = add v0, v0
  return v1
}
";

fn module() -> Module {
    parse_module(COUNTING).unwrap_or_else(|error| panic!("{error}"))
}

/// `factor · quantity + constant <= 0`.
fn at_most(subject: Subject, factor: i64, constant: i64) -> Fact {
    let aspect = Aspect::Integer;
    Fact::Linear {
        terms: vec![(Quantity { subject, aspect }, factor.to_string())],
        constant: constant.to_string(),
        relation: Relation::LessOrEqual,
    }
}

fn between(subject: Subject, lower: i64, upper: i64) -> Vec<Fact> {
    vec![at_most(subject, 1, -upper), at_most(subject, -1, lower)]
}

/// The first parameter of a block of a function.
fn parameter(function: &str, block: u32) -> Subject {
    let module = module();
    let mut functions = module.functions.values();
    let found = functions.find(|it| &*it.name == function);
    let body = found.and_then(|it| it.body.as_ref()).expect("a body");
    Subject::Value(body.blocks[BlockId::from_u32(block)].params[0].as_u32())
}

fn certificate(loop_upper: i64, result_upper: i64) -> Certificate {
    let counter = between(parameter("main", 1), 0, loop_upper);
    let at_exit = between(parameter("main", 1), 10, loop_upper.max(10));
    let main = FunctionCertificate {
        blocks: BTreeMap::from([
            (0, vec![]),
            (1, counter),
            (2, between(parameter("main", 1), 0, 9)),
            (3, at_exit),
        ]),
        returns: Some(vec![]),
    };
    let twice = FunctionCertificate {
        blocks: BTreeMap::from([(0, between(parameter("twice", 0), 0, 10))]),
        returns: Some(between(Subject::Result(0), 0, result_upper)),
    };
    Certificate {
        version: 1,
        checks: "assertions".to_owned(),
        functions: BTreeMap::from([("main".to_owned(), main), ("twice".to_owned(), twice)]),
    }
}

fn checked(certificate: &Certificate) -> Outcome {
    let checks: CheckSelection = "assertions".parse().expect("a group");
    let budget = Budget::unlimited();
    check(&module(), &checks, certificate, &budget).expect("a solver")
}

fn places(outcome: &Outcome) -> Vec<String> {
    let failures = outcome.failures.iter();
    failures
        .map(|it| format!("{} {} {}", it.function, it.block, it.place))
        .collect()
}

#[test]
fn inductive_claims_pass_and_imply_the_checks() {
    let outcome = checked(&certificate(10, 20));
    assert_eq!(outcome.failures, []);
    assert_eq!((outcome.checks_proved, outcome.checks_open), (2, 0));
    assert!(outcome.edges >= 7, "{outcome:?}");
}

#[test]
fn a_bound_that_the_loop_leaves_is_found() {
    let outcome = checked(&certificate(9, 20));
    assert!(
        places(&outcome).contains(&"main 2 the edge to block1".to_owned()),
        "{outcome:?}"
    );
}

#[test]
fn a_claim_that_is_true_and_not_inductive_is_found() {
    // Nothing says that the argument is not negative.
    let mut weaker = certificate(10, 20);
    let twice = weaker.functions.get_mut("twice").expect("a function");
    twice.blocks.insert(0, vec![]);
    let outcome = checked(&weaker);
    assert_eq!(
        places(&outcome),
        ["twice 0 the return", "twice 0 the return"]
    );
}

#[test]
fn a_block_that_is_called_unreached_is_found() {
    let mut wrong = certificate(10, 20);
    let main = wrong.functions.get_mut("main").expect("a function");
    main.blocks.remove(&3);
    assert_eq!(places(&checked(&wrong)), ["main 1 the edge to block3"]);
}

#[test]
fn a_function_that_is_called_uncalled_is_found() {
    let mut wrong = certificate(10, 20);
    wrong.functions.remove("twice");
    let outcome = checked(&wrong);
    assert_eq!(places(&outcome), ["main 3 the call of twice"]);
}
