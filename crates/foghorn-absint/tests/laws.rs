//! Every domain of the registry obeys the laws.
//!
//! `FOGHORN_LAW_CASES=7000 cargo test -p foghorn-absint --test laws` runs more than 20,000 cases per
//! law and domain (7,000 for each of the widths 3, 8 and 32, and as many over ℤ); the default keeps
//! the suite quick.

// Tables and timings of a run are wanted by whoever asks for `--nocapture`.
#![allow(clippy::print_stderr)]

use foghorn_absint::laws::faults::{Fault, Faulty};
use foghorn_absint::laws::{Integers, Order, check, check_case, violations};
use foghorn_absint::registry;

fn cases() -> usize {
    std::env::var("FOGHORN_LAW_CASES")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(40)
}

#[test]
fn every_domain_obeys_the_laws() {
    let wanted = std::env::var("FOGHORN_LAW_DOMAIN").ok();
    let mut failures = Vec::new();
    for (description, order) in registry::enrolled() {
        if wanted
            .as_ref()
            .is_some_and(|wanted| !wanted.split(',').any(|one| one == description))
        {
            continue;
        }
        let top = registry::domain(&description).expect("enrolled descriptions are valid");
        let started = std::time::Instant::now();
        let violations = check(&description, &top, order, &Integers::ALL, cases());
        eprintln!(
            "{description}: {:?}, {} violations",
            started.elapsed(),
            violations.len()
        );
        failures.extend(violations.iter().map(ToString::to_string));
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

/// Cases that a long run once found, of domains or of the laws themselves.
const FOUND: &[(&str, &str, Integers, u64)] = &[
    ("polyhedra", "widening covers", Integers::Width(3), 2472),
    ("polyhedra", "widening covers", Integers::Unbounded, 4640),
    ("polyhedra", "meet is sound", Integers::Width(8), 5048),
    ("terms(intervals)", "join covers", Integers::Unbounded, 1015),
    ("terms(zones)", "join covers", Integers::Unbounded, 1005),
    (
        "intervals+smash",
        "backward transfer is sound",
        Integers::Width(3),
        3449,
    ),
    (
        "intervals+adapt",
        "backward transfer is sound",
        Integers::Width(3),
        3449,
    ),
    (
        "intervals+partition",
        "backward transfer is sound",
        Integers::Width(3),
        3449,
    ),
    (
        "zones+partition",
        "backward transfer is sound",
        Integers::Width(3),
        3449,
    ),
    (
        "zones+partition",
        "backward transfer is sound",
        Integers::Width(8),
        6043,
    ),
    (
        "zones+bool+nullity+adapt",
        "backward transfer is sound",
        Integers::Width(3),
        1298,
    ),
    (
        "zones+bool+nullity+adapt",
        "backward transfer is sound",
        Integers::Width(8),
        1298,
    ),
    (
        "boxes+boolint",
        "backward transfer is sound",
        Integers::Width(3),
        6119,
    ),
    (
        "boxes+boolint",
        "backward transfer is sound",
        Integers::Width(8),
        6119,
    ),
    (
        "boxes+boolint",
        "backward transfer is sound",
        Integers::Width(32),
        6119,
    ),
];

#[test]
fn found_cases_stay_fixed() {
    let mut failures = Vec::new();
    for (description, law, integers, seed) in FOUND {
        let enrolled = registry::enrolled();
        let found = enrolled.iter().find(|(name, _)| name == description);
        let (_, order) = found.expect("an enrolled description");
        let top = registry::domain(description).expect("a valid description");
        let violation = check_case(description, &top, *order, *integers, law, *seed);
        failures.extend(violation.map(|it| it.to_string()));
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

/// A suite that finds nothing wrong with these would test nothing.
#[test]
fn broken_domains_are_caught() {
    let domain =
        registry::domain("intervals+bool+nullity+expand").expect("a description of domains");
    let mut missed = Vec::new();
    for fault in Fault::all() {
        let broken = Faulty {
            domain: domain.clone(),
            fault,
        };
        // Small batches first: nearly every fault shows soon.
        let kinds = [Integers::Width(8), Integers::Width(3), Integers::Unbounded];
        let caught = [30, 300, 1500].into_iter().any(|cases| {
            violations("broken", &broken, Order::StatesOnly, &kinds, cases)
                .next()
                .is_some()
        });
        if !caught {
            missed.push(fault);
        }
    }
    assert!(missed.is_empty(), "not caught: {missed:?}");
}
