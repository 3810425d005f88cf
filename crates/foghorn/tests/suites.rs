//! Whole-path tests: the programs of `tests/suites/` through the release binary.

use foghorn_testkit::{FoghornIr, FoghornRun, Sanitizer, check_snapshots, run_suite, suites};

#[test]
fn defects_are_found_and_repaired_twins_are_not_reported() {
    run_suite(&suites().join("defects"), &[&FoghornRun::new()]).assert_clean();
}

#[test]
fn programs_print_what_the_machine_prints() {
    run_suite(&suites().join("run"), &[&FoghornRun::new()]).assert_clean();
}

#[test]
fn every_dialect_is_understood() {
    run_suite(&suites().join("dialects"), &[&FoghornRun::new()]).assert_clean();
}

#[test]
fn sanitizers_agree_with_the_headers() {
    run_suite(&suites().join("defects"), &[&Sanitizer::new()]).assert_clean();
}

#[test]
fn printed_ir_of_each_language_feature() {
    check_snapshots(&suites().join("ir"), &FoghornIr::new()).assert_clean();
}

/// The pure form finds the same, prints the same and makes the same choices.
#[test]
fn the_pure_form_means_the_same() {
    for suite in ["run", "defects", "dialects"] {
        run_suite(&suites().join(suite), &[&FoghornRun::pure()]).assert_clean();
    }
}
