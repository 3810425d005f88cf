//! Every header of the suites of programs can be read, without running anything.

use foghorn_testkit::{header, suites, workspace};

#[test]
fn every_header_is_in_order() {
    let mut count = 0;
    for suite in ["defects", "run", "lifetimes"] {
        for path in workspace::programs(&suites().join(suite)).expect("a suite") {
            count += 1;
            if let Err(error) = header::read(&path) {
                panic!("{}:{}: {error}", workspace::shown(&path), error.line);
            }
        }
    }
    assert!(count >= 120, "only {count} programs");
}

/// A defective program `x-bad.c` and its repaired twin `x-good.c` come together.
#[test]
fn every_defect_has_its_repaired_twin() {
    let programs = workspace::programs(&suites().join("defects")).expect("the suite");
    for path in programs {
        let case = header::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let name = path.to_string_lossy().into_owned();
        let (twin, defective) = match name.strip_suffix("-bad.c") {
            Some(stem) => (format!("{stem}-good.c"), true),
            None => (name.replace("-good.c", "-bad.c"), false),
        };
        assert!(
            std::path::Path::new(&twin).exists(),
            "{name} has no twin {twin}"
        );
        let is_unsafe = case.expect != foghorn_testkit::Expectation::Safe;
        assert_eq!(
            is_unsafe, defective,
            "{name}: the name and 'expect' disagree"
        );
    }
}
