//! The pointer analysis on `tests/suites/dsa`: the partition that each program's header expects.
//!
//! A line with the comment `// @a` gives its loads and stores the label `a`. `regions:` is the
//! expected partition of the labels in `main` (or the function that `in:` names): labels in one
//! group share a region, labels in different groups share none. `ci:` names a group that the mode
//! without contexts does not take apart.

use foghorn_testkit::{binary, suites};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

type Partition = BTreeSet<BTreeSet<String>>;

struct Expected {
    function: String,
    partition: Partition,
    lost_without_contexts: Option<Partition>,
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
        labels: labels.collect(),
    }
}

/// The partition of labels by the regions that their lines access.
fn found(path: &Path, mode: &str, expected: &Expected) -> Partition {
    let output = Command::new(binary())
        .args(["dsa", "--json", "--mode", mode])
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
    let mut count = 0;
    let mut wrong = vec![];
    let mut files: Vec<_> = std::fs::read_dir(suites().join("dsa"))
        .expect("the suite")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.sort();
    for path in files {
        let text = std::fs::read_to_string(&path).expect("text");
        let expected = expected(&text);
        let partition = found(&path, "cs", &expected);
        if partition != expected.partition {
            wrong.push(format!("{}: {partition:?}", path.display()));
        }
        if let Some(lost) = &expected.lost_without_contexts {
            let partition = found(&path, "ci", &expected);
            if !lost.is_subset(&partition) {
                wrong.push(format!("{}: ci finds {partition:?}", path.display()));
            }
        }
        count += 1;
    }
    assert!(count >= 25, "{count} programs");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Runs a program; what was wrong with the regions.
fn audit(path: &Path) -> Option<String> {
    let output = Command::new(binary())
        .args(["dsa", "--audit", "--steps", "200000"])
        .arg(path)
        .output()
        .expect("the binary runs");
    let text = String::from_utf8_lossy(&output.stdout);
    (!output.status.success()).then(|| format!("{}: {text}", path.display()))
}

#[test]
fn runs_stay_within_the_predicted_regions() {
    let mut programs = vec![];
    for folder in ["dsa", "run", "dialects", "verify", "defects"] {
        let mut folders = vec![suites().join(folder)];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).expect("the suite") {
                let path = entry.expect("an entry").path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|extension| extension == "c") {
                    programs.push(path);
                }
            }
        }
    }
    assert!(programs.len() >= 300, "{} programs", programs.len());
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let wrong: Vec<String> = std::thread::scope(|scope| {
        let parts = programs.chunks(programs.len().div_ceil(threads));
        let workers: Vec<_> = parts
            .map(|part| scope.spawn(|| part.iter().filter_map(|path| audit(path)).collect()))
            .collect();
        let found = workers.into_iter().map(std::thread::ScopedJoinHandle::join);
        found
            .flat_map(|found: Result<Vec<String>, _>| found.expect("no panic"))
            .collect()
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
