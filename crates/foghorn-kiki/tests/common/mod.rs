//! Programs for tests.

use foghorn_encode::execute::settings::Settings;
use foghorn_ir::{Module, parse_module, verify_module};

/// The module of a text, in pure form.
pub fn module(body: &str) -> Module {
    let text = format!("foghorn-ir 1\nlayout pointer-bytes 8\nentry @main\n\n{body}");
    let mut module = parse_module(&text).expect("the text is right");
    let problems = verify_module(&module);
    assert!(problems.is_empty(), "{problems:?}");
    foghorn_dsa::memory_ssa::plan::purify(&mut module, &foghorn_dsa::Options::default());
    module
}

/// Assertions and memory safety are checked.
pub fn settings() -> Settings {
    Settings {
        checks: "assertions,memory-safety".parse().expect("both are groups"),
        ..Settings::default()
    }
}
