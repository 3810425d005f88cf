//! The libc models against the C library of this machine, and their index against their text.
//!
//! Both are scripts beside this file, which say what they do; they need clang with its sanitizers
//! and no verifier. `libc_models/run 20000` makes the long comparison.

use std::path::Path;
use std::process::Command;

fn run(script: &str, argument: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/libc_models");
    let output = Command::new(folder.join(script))
        .arg(argument)
        .env("CLANG", Path::new(env!("FOGHORN_LLVM_BIN")).join("clang"))
        .output()
        .expect("the script starts");
    assert!(
        output.status.success(),
        "{script} {argument}\n{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn models_agree_with_the_c_library() {
    run("run", "300");
}

#[test]
fn index_lists_what_the_models_define() {
    run("index", "--check");
}
