//! The worked examples of §2.4 of the 2LS thesis, with the parameters on the way.

mod common;

use common::module;
use foghorn_core::Budget;
use foghorn_kiki::strategy::Strategy;
use foghorn_kiki::template::{Kind, Selection};
use foghorn_kiki::{Kiki, KikiReport, Mode, News, SiteVerdict, check};

/// `x = 0; while (x < 10) x++; assert(x == 10)`: the program of fig. 2.3.
const COUNTS: &str = r#"function @main() -> i32 {
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
  return 0:i32
}
"#;

fn run(text: &str, options: &Kiki) -> (KikiReport, Vec<Vec<String>>) {
    let module = module(text);
    let mut parameters = vec![];
    let report = check(&module, options, &Budget::unlimited(), &mut |news| {
        if let News::Parameters(invariants) = news {
            let rows = invariants.iter().flat_map(|(_, _, invariant)| {
                let rows = invariant.rows.iter();
                rows.flat_map(|row| row.template.describe(&invariant.names))
            });
            parameters.push(rows.collect());
        }
    });
    (report.expect("the solver works"), parameters)
}

fn options(kind: Kind, strategy: Strategy) -> Kiki {
    Kiki {
        settings: common::settings(),
        mode: Mode::Invariants,
        selection: Selection::of(&[kind]),
        strategy,
        decided: 0,
        ..Kiki::default()
    }
}

fn is_safe(report: &KikiReport) -> bool {
    let mut answers = report.answers.iter();
    report.incomplete.is_none() && answers.all(|it| matches!(it.verdict, SiteVerdict::Safe))
}

/// Formulas 2.24 to 2.27: from [1, 1] by one to [1, 10], and the first value is not part of it.
#[test]
fn intervals_by_enumeration_see_the_bounds_of_the_thesis() {
    let (report, parameters) = run(COUNTS, &options(Kind::Intervals, Strategy::Enumeration));
    let expected: Vec<Vec<String>> = (1..=10)
        .map(|upper| {
            ["", " (unsigned)"]
                .iter()
                .flat_map(|reading| {
                    [
                        format!("v0 <= {upper}{reading}"),
                        format!("v0 >= 1{reading}"),
                    ]
                })
                .collect()
        })
        .collect();
    assert_eq!(parameters, expected);
    assert!(is_safe(&report), "{:?}", report.answers);
    assert_eq!(report.invariants[0].rows, expected[9]);
}

#[test]
fn search_finds_the_same_bounds() {
    for strategy in [Strategy::Search, Strategy::Mixed] {
        let (report, _) = run(COUNTS, &options(Kind::Intervals, strategy));
        assert!(is_safe(&report));
        let rows = &report.invariants[0].rows;
        assert!(rows.contains(&"v0 <= 10".to_owned()), "{rows:?}");
    }
}

/// The bound is 2^30: enumeration would ask as often, a search about as often as it has bits.
#[test]
fn a_search_is_logarithmic() {
    let large = COUNTS.replace("slt v0, 10", "slt v0, 1073741824");
    let large = large.replace("eq v0, 10", "eq v0, 1073741824");
    let (report, _) = run(&large, &options(Kind::Intervals, Strategy::Search));
    assert!(is_safe(&report));
    let queries = report.statistics.queries;
    assert!(queries < 200, "{queries} questions");
}

/// `inc` adds one to what it is given (fig. 2.4): zones say that the results differ by one. Here the call is in a loop,
/// so that the difference of two numbers is what has to be found (formulas 2.30 to 2.32).
const INCREMENTS: &str = r#"function @inc(i32) -> i32 {
block0(v0:i32):
  v1:i32 = add v0, 1
  return v1
}

function @main() -> i32 {
block0:
  jump block1(0:i32, 1:i32)
block1(v0:i32, v1:i32):
  v2:i1 = compare slt v0, 1000
  branch v2, block2, block3
block2:
  v3:i32 = call @inc(v0)
  v4:i32 = call @inc(v1)
  jump block1(v3, v4)
block3:
  v5:i32 = sub v1, v0
  v6:i1 = compare eq v5, 1
  check assertion v6
  return 0:i32
}
"#;

#[test]
fn zones_relate_what_is_incremented() {
    let (report, parameters) = run(INCREMENTS, &options(Kind::Zones, Strategy::Enumeration));
    let expected = vec!["v0 - v1 <= -1".to_owned(), "-v0 + v1 <= 1".to_owned()];
    assert_eq!(parameters, vec![expected]);
    assert!(is_safe(&report));
    let (report, _) = run(INCREMENTS, &options(Kind::Intervals, Strategy::Mixed));
    assert!(!is_safe(&report), "intervals do not suffice");
}
