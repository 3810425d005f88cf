//! The pointer analysis on `tests/suites/dsa`: the partition that each program's header expects.
//!
//! A line with the comment `// @a` gives its loads and stores the label `a`. `regions:` is the
//! expected partition of the labels in `main` (or the function that `in:` names): labels in one
//! group share a region, labels in different groups share none. `ci:` names a group that the mode
//! without contexts does not take apart; `types:` is the partition with regions divided by types.
//! `types-audit: violated` marks a program that breaks the rule of effective types in its run.

use foghorn_testkit::{binary, programs, suites};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

type Partition = BTreeSet<BTreeSet<String>>;

struct Expected {
    function: String,
    partition: Partition,
    lost_without_contexts: Option<Partition>,
    with_types: Option<Partition>,
    labels: BTreeMap<u64, String>,
}

fn groups(text: &str) -> Partition {
    let inside = text
        .split('{')
        .skip(1)
        .filter_map(|part| part.split('}').next());
    inside
        .map(|group| group.split_whitespace().map(str::to_owned).collect())
        .collect()
}

fn expected(text: &str) -> Expected {
    let value = |key: &str| {
        let mut lines = text.lines();
        lines.find_map(|line| line.strip_prefix(&format!("// {key}: ")))
    };
    let labels = text.lines().zip(1..).filter_map(|(line, number)| {
        let (_, label) = line.split_once("// @")?;
        Some((number, label.trim().to_owned()))
    });
    Expected {
        function: value("in").unwrap_or("main").to_owned(),
        partition: groups(value("regions").expect("a header with 'regions:'")),
        lost_without_contexts: value("ci").map(groups),
        with_types: value("types").map(groups),
        labels: labels.collect(),
    }
}

/// The partition of labels by the regions that their lines access.
fn found(path: &Path, options: &[&str], expected: &Expected) -> Partition {
    let output = Command::new(binary())
        .args(["dsa", "--json"])
        .args(options)
        .arg(path)
        .output()
        .expect("the binary runs");
    assert!(output.status.success(), "{}: {output:?}", path.display());
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let functions = report["functions"].as_array().expect("a list");
    let function = functions
        .iter()
        .find(|f| f["name"] == expected.function.as_str());
    let accesses = function.expect("the function")["accesses"]
        .as_array()
        .expect("a list");
    let mut by_label: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for access in accesses {
        let line = access["line"].as_u64().expect("a number");
        if let Some(label) = expected.labels.get(&line) {
            let regions = access["regions"].as_array().expect("a list");
            let names = regions.iter().filter_map(Value::as_str);
            by_label.entry(label).or_default().extend(names);
        }
    }
    let share = |a: &str, b: &str| !by_label[a].is_disjoint(&by_label[b]);
    let labels = by_label.keys();
    labels
        .map(|a| {
            by_label
                .keys()
                .filter(|b| share(a, b))
                .map(|b| (*b).to_owned())
                .collect()
        })
        .collect()
}

#[test]
fn partitions_are_as_expected() {
    let (mut count, mut typed) = (0, 0);
    let mut wrong = vec![];
    let mut files: Vec<_> = std::fs::read_dir(suites().join("dsa"))
        .expect("the suite")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.sort();
    for path in files {
        let text = std::fs::read_to_string(&path).expect("text");
        let expected = expected(&text);
        let partition = found(&path, &["--mode", "cs"], &expected);
        if partition != expected.partition {
            wrong.push(format!("{}: {partition:?}", path.display()));
        }
        if let Some(lost) = &expected.lost_without_contexts {
            let partition = found(&path, &["--mode", "ci"], &expected);
            if !lost.is_subset(&partition) {
                wrong.push(format!("{}: ci finds {partition:?}", path.display()));
            }
        }
        if let Some(with_types) = &expected.with_types {
            let partition = found(&path, &["--types"], &expected);
            if partition != *with_types {
                wrong.push(format!("{}: types give {partition:?}", path.display()));
            }
            typed += 1;
        }
        count += 1;
    }
    assert!(
        count >= 25 && typed >= 8,
        "{count} programs, {typed} by types"
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Runs a program in both forms; what was wrong with the regions.
fn audit(path: &Path, options: &[&str]) -> Option<String> {
    let output = Command::new(binary())
        .args(["dsa", "--audit", "--audit-pure", "--steps", "200000"])
        .args(options)
        .arg(path)
        .output()
        .expect("the binary runs");
    let text = String::from_utf8_lossy(&output.stdout);
    (!output.status.success()).then(|| format!("{}: {text}", path.display()))
}

/// The programs of some suites, of which there are so many.
fn programs_of(folders: &[&str], least: usize) -> Vec<PathBuf> {
    let all: Vec<PathBuf> = folders
        .iter()
        .flat_map(|folder| programs(&suites().join(folder)).expect("the suite"))
        .collect();
    assert!(all.len() >= least, "{} programs", all.len());
    all
}

/// Runs programs side by side; what was wrong.
fn audit_all(programs: &[PathBuf], options: &[&str]) -> Vec<String> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        let parts = programs.chunks(programs.len().div_ceil(threads));
        let audit_part = |part: &[PathBuf]| -> Vec<String> {
            part.iter()
                .filter_map(|path| audit(path, options))
                .collect()
        };
        let workers: Vec<_> = parts
            .map(|part| scope.spawn(move || audit_part(part)))
            .collect();
        let found = workers.into_iter().map(std::thread::ScopedJoinHandle::join);
        found.flat_map(|found| found.expect("no panic")).collect()
    })
}

#[test]
fn runs_stay_within_the_predicted_regions() {
    let folders = ["dsa", "run", "dialects", "verify", "defects"];
    let wrong = audit_all(&programs_of(&folders, 300), &[]);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn runs_stay_within_regions_by_types_unless_they_break_the_rule() {
    let is_violated = |path: &PathBuf| {
        let text = std::fs::read_to_string(path).expect("text");
        text.lines().any(|line| line == "// types-audit: violated")
    };
    let all = programs_of(&["dsa", "run"], 100);
    let (violated, clean): (Vec<_>, Vec<_>) = all.into_iter().partition(is_violated);
    let wrong = audit_all(&clean, &["--types"]);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // With one node for all memory, everything that is told apart is told apart by types.
    let mut small = programs_of(&["dsa"], 40);
    small.retain(|path| !is_violated(path));
    let wrong = audit_all(&small, &["--types", "--mode", "flat"]);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(violated.len() >= 2, "{} programs", violated.len());
    for path in violated {
        let noticed = audit(&path, &["--types"]);
        assert!(
            noticed.is_some_and(|text| text.contains("was written as another type")),
            "{}",
            path.display()
        );
    }
}

/// What dividing by types came to.
fn refinement(arguments: &[&str]) -> Value {
    let output = Command::new(binary())
        .args(["dsa", "--json"])
        .arg(suites().join("dsa/types-arena.c"))
        .args(arguments)
        .output()
        .expect("the binary runs");
    assert!(output.status.success(), "{output:?}");
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    report["statistics"]["types"].clone()
}

#[test]
fn what_is_assumed_of_types_is_told() {
    assert!(refinement(&[]).is_null(), "off unless asked for");
    let on = refinement(&["--types"]);
    assert_eq!(on["assumption"], "accesses respect effective types");
    assert_eq!(on["divided_fields"], 1);
    assert_eq!(on["untyped_accesses"], 0);
    let lenient = refinement(&["--types", "--", "-fno-strict-aliasing"]);
    assert_eq!(lenient["typed_accesses"], 0);
    assert_eq!(lenient["divided_fields"], 0);
    assert_eq!(lenient["whole_fields"]["an access of any type"], 2);
}

/// Whether each region of a function with an integer behind a pointer is finite.
fn finite_integers(program: &str, function: &str) -> Vec<bool> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("program.c");
    std::fs::write(&path, program).expect("a file");
    let output = Command::new(binary())
        .args(["dsa", "--json"])
        .arg(&path)
        .output()
        .expect("the binary runs");
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let functions = report["functions"].as_array().expect("a list");
    let found = functions.iter().find(|it| it["name"] == function);
    let regions = found.expect("the function")["regions"].as_array();
    let regions = regions.expect("a list").iter();
    let integers = regions.filter(|region| region["cells"] == "word 4");
    integers
        .map(|region| region["finite"].as_bool().expect("a truth value"))
        .collect()
}

/// What a call makes without bound is not finite, wherever below the call it is made.
#[test]
fn repeated_allocations_of_callees_are_not_finite() {
    let program = |functions: &str| {
        format!(
            "extern int __VERIFIER_nondet_int(void);
             void *malloc(unsigned long);
             struct holder {{ int *number; }};
             {functions}
             int main(void) {{
               struct holder h = {{ 0 }};
               f(&h, __VERIFIER_nondet_int());
               return 0;
             }}"
        )
    };
    let make = "s->number = malloc(4); *s->number = n;";
    let recursive = program(&format!(
        "void f(struct holder *s, int n) {{ if (n <= 0) return; {make} f(s, n - 1); }}"
    ));
    let in_a_loop = program(&format!(
        "void g(struct holder *s, int n) {{ while (__VERIFIER_nondet_int()) {{ {make} }} }}
         void f(struct holder *s, int n) {{ g(s, n); }}"
    ));
    let called_in_a_loop = program(&format!(
        "void g(struct holder *s, int n) {{ {make} }}
         void f(struct holder *s, int n) {{ while (__VERIFIER_nondet_int()) g(s, n); }}"
    ));
    let once = program(&format!(
        "void g(struct holder *s, int n) {{ {make} }}
         void f(struct holder *s, int n) {{ g(s, n); }}"
    ));
    for unbounded in [recursive, in_a_loop, called_in_a_loop] {
        assert_eq!(finite_integers(&unbounded, "f"), [false], "{unbounded}");
    }
    assert_eq!(finite_integers(&once, "f"), [true], "{once}");
}
