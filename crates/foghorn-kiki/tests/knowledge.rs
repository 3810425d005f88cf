//! What other engines say of loops: rows start there, and are shown before they are used.

mod common;

use foghorn_core::Budget;
use foghorn_encode::fact::{Aspect, BlockFacts, Fact, Quantity, Relation, Subject};
use foghorn_kiki::{Kiki, KikiReport, Mode, SiteVerdict, check};

/// What two counters add up to is what a third one has: no row of two numbers says that.
const SUM: &str = r#"function @main() -> i32 {
block0:
  v20:i32 = nondet input "n"
  v21:i32 = and v20, 255
  jump block1(0:i32, v21, v21)
block1(v0:i32, v1:i32, v2:i32):
  v3:i1 = compare sgt v1, 0
  branch v3, block2, block3
block2:
  v4:i32 = nondet input "step"
  v5:i32 = and v4, 1
  v6:i32 = add v0, v5
  v7:i32 = sub v1, v5
  v8:i32 = nondet input "more"
  v9:i32 = and v8, 1
  v10:i32 = add v2, v9
  v11:i32 = sub v10, v9
  jump block1(v6, v7, v11)
block3:
  v12:i1 = compare eq v0, v2
  check assertion v12 ! p.c:1:1
  return 0:i32
}
"#;

fn of(value: u32) -> Quantity {
    Quantity {
        subject: Subject::Value(value),
        aspect: Aspect::Integer,
    }
}

fn linear(terms: &[(u32, i64)], constant: i64, relation: Relation) -> Fact {
    let terms = terms.iter();
    Fact::Linear {
        terms: terms
            .map(|&(value, factor)| (of(value), factor.to_string()))
            .collect(),
        constant: constant.to_string(),
        relation,
    }
}

/// The numbers of the parameters of the loop's head.
fn run(facts: impl Fn(&[u32]) -> Vec<Fact>) -> KikiReport {
    let module = common::module(SUM);
    let entry = module.entry.expect("it has one");
    let body = module.functions[entry].body.as_ref().expect("it has one");
    let block = foghorn_ir::BlockId::from_u32(1);
    let values: Vec<u32> = body.blocks[block]
        .params
        .iter()
        .map(|it| it.as_u32())
        .collect();
    let options = Kiki {
        settings: common::settings(),
        mode: Mode::Invariants,
        guesses: vec![BlockFacts {
            function: entry.as_u32(),
            block: block.as_u32(),
            facts: Some(facts(&values)),
        }],
        ..Kiki::default()
    };
    check(&module, &options, &Budget::unlimited(), &mut |_| {}).expect("it solves")
}

fn is_safe(report: &KikiReport) -> bool {
    let mut answers = report.answers.iter();
    answers.all(|answer| matches!(answer.verdict, SiteVerdict::Safe))
}

#[test]
fn a_fact_is_where_a_row_starts() {
    assert!(
        !is_safe(&run(|_| vec![])),
        "rows of two numbers do not suffice"
    );
    let report = run(|values| {
        let sum = [(values[0], 1), (values[1], 1), (values[2], -1)];
        vec![
            linear(&sum, 0, Relation::Equal),
            linear(&[(values[1], -1)], 0, Relation::LessOrEqual),
        ]
    });
    assert!(is_safe(&report), "{:?}", report.invariants);
}

/// A fact that is wrong proves nothing: rows outgrow it.
#[test]
fn a_wrong_fact_is_outgrown() {
    let report = run(|values| {
        vec![
            linear(&[(values[0], 1)], 3, Relation::LessOrEqual),
            linear(&[(values[0], 1), (values[2], -1)], 0, Relation::Equal),
        ]
    });
    assert!(!is_safe(&report), "{:?}", report.invariants);
    let mut rows = report.invariants.iter().flat_map(|it| &it.rows);
    assert!(
        !rows.any(|row| row == "v0 <= -3"),
        "{:?}",
        report.invariants
    );
}
