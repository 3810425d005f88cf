//! The headers of the suite of defects against the machine: clang's sanitizers must see each
//! defect where and as its header says.
//!
//! With `FOGHORN_TWINS=1` also: they see nothing in the repaired twins. That doubles the time.

use foghorn_testkit::judge::Class;
use foghorn_testkit::{Sanitizer, run_suite, suites};

#[test]
fn sanitizers_agree_with_the_headers() {
    let twins = std::env::var_os("FOGHORN_TWINS").is_some_and(|value| value == "1");
    let sanitizer = Sanitizer::new().with_twins(twins);
    run_suite(&suites().join("defects"), &[&sanitizer]).assert_clean();
}

/// That the test above can fail.
#[test]
fn a_wrong_header_is_noticed() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = "int main(int argc, char **argv) {\n  return 1 << (argc + 40);\n}\n";
    for (name, expect) in [
        ("kind", "unsafe division @ line 7"),
        ("line", "unsafe shift @ line 6"),
        ("right", "unsafe shift @ line 7"),
    ] {
        let header = format!(
            "// Shifts too far.\n// check: undefined\n// expect: {expect}\n// engines: run\n\
             // sanitizer: undefined\n"
        );
        let path = folder.path().join(name).with_extension("c");
        std::fs::write(path, header + program).expect("written");
    }
    let report = run_suite(folder.path(), &[&Sanitizer::new()]);
    assert_eq!((report.count, report.failures.len()), (3, 2), "{report}");
    assert!(
        report
            .failures
            .iter()
            .all(|f| f.class == Class::WrongReport),
        "{report}"
    );
}
