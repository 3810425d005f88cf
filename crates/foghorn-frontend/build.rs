//! Links LLVM statically.
//!
//! `llvm-sys` could do this itself, but it would also pass `-lz3`, which LLVM was built with but
//! never needs here, and another Z3 than the one Foghorn's solver crate asks for would come into
//! the process. So we ask `llvm-config` ourselves and leave that library out.

use std::path::PathBuf;
use std::process::Command;

const COMPONENTS: &[&str] = &[
    "core",
    "irreader",
    "bitreader",
    "bitwriter",
    "linker",
    "analysis",
    "target",
];

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=runtime");
    println!("cargo:rerun-if-env-changed=FOGHORN_LLVM_PREFIX");
    let version = if std::env::var_os("CARGO_FEATURE_LLVM22").is_some() {
        "22"
    } else if std::env::var_os("CARGO_FEATURE_LLVM19").is_some() {
        "19"
    } else {
        panic!("foghorn-frontend needs one of the features llvm22 and llvm19");
    };
    let prefix = std::env::var_os("FOGHORN_LLVM_PREFIX").map_or_else(
        || PathBuf::from(format!("/usr/lib/llvm-{version}")),
        PathBuf::from,
    );
    let ask = |arguments: &[&str]| llvm_config(&prefix, arguments);

    println!(
        "cargo:rustc-link-search=native={}",
        ask(&["--libdir"]).trim()
    );
    let mut query = vec!["--link-static", "--libs"];
    query.extend(COMPONENTS);
    for library in ask(&query).split_whitespace() {
        if let Some(name) = library.strip_prefix("-l") {
            println!("cargo:rustc-link-lib=static={name}");
        }
    }
    for library in ask(&["--link-static", "--system-libs"]).split_whitespace() {
        if let Some(name) = library
            .strip_prefix("-l")
            .filter(|name| !name.contains("z3"))
        {
            println!("cargo:rustc-link-lib=dylib={name}");
        }
    }
    println!("cargo:rustc-link-lib=dylib=stdc++");
    println!("cargo:rustc-env=FOGHORN_LLVM_MAJOR={version}");
    println!(
        "cargo:rustc-env=FOGHORN_LLVM_BIN={}",
        ask(&["--bindir"]).trim()
    );
    embed_runtime();
}

fn llvm_config(prefix: &std::path::Path, arguments: &[&str]) -> String {
    let program = prefix.join("bin/llvm-config");
    let output = Command::new(&program)
        .args(arguments)
        .output()
        .unwrap_or_else(|error| panic!("{}: {error}; run ./x setup", program.display()));
    assert!(output.status.success(), "llvm-config {arguments:?} failed");
    String::from_utf8(output.stdout).expect("llvm-config prints text")
}

/// Lists every file under `runtime/` with its text, so that the binary needs no data files.
fn embed_runtime() {
    let root = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").expect("set by cargo"));
    let runtime = root.join("runtime");
    let mut files = vec![];
    let mut folders = vec![runtime.clone()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else {
            continue;
        };
        for entry in entries.flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_none_or(|e| e == "c" || e == "h") {
                files.push(path);
            }
        }
    }
    files.sort();
    let mut text = String::from(
        "/// Path below `runtime/` and text of every embedded file.\npub const FILES: &[(&str, &str)] = &[\n",
    );
    for path in files {
        println!("cargo:rerun-if-changed={}", path.display());
        let name = path.strip_prefix(&runtime).expect("below runtime");
        text += &format!("    ({:?}, include_str!({:?})),\n", name, path);
    }
    text += "];\n";
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("set by cargo"));
    std::fs::write(out.join("runtime_files.rs"), text).expect("OUT_DIR is writable");
}
