//! What makes Foghorn at home on a machine: a binary that runs anywhere, `doctor`, completions, manual pages.

use foghorn_testkit::binary;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn foghorn(arguments: &[&str]) -> Output {
    let output = Command::new(binary()).args(arguments).output();
    output.expect("the binary starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The library of the build folder, and the name under which the binary asks for it.
fn library() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.join(".deps/z3/z3/lib/libz3.so")
}

/// As `./x install` lays it out: the folder was never known to the build, and the environment is empty.
#[test]
fn an_installed_binary_runs_anywhere() {
    let folder = tempfile::tempdir().expect("a folder");
    let (bin, lib) = (folder.path().join("bin"), folder.path().join("lib/foghorn"));
    for made in [&bin, &lib] {
        std::fs::create_dir_all(made).expect("a folder");
    }
    std::fs::copy(binary(), bin.join("foghorn")).expect("a copy");
    let program = folder.path().join("program.c");
    let source = "int main(void) { int x = 3; return 3 / (x - 3); }\n";
    std::fs::write(&program, source).expect("a program");
    let verify = || {
        let mut command = Command::new(bin.join("foghorn"));
        command.env_clear().env("PATH", "/usr/bin:/bin");
        let output = command.arg("verify").arg(&program).output();
        output.expect("the binary starts")
    };
    // Without its library it does not run: so it is the copy that is found below.
    assert_eq!(verify().status.code(), Some(127));
    let name = format!("libz3.so.{}", &foghorn_smt_version());
    std::fs::copy(library(), lib.join(name)).expect("a copy");
    let output = verify();
    let said = text(&output.stdout);
    assert_eq!(output.status.code(), Some(10), "{said}");
    assert!(said.contains("error: division at"), "{said}");
}

/// The first two numbers of the version that `doctor` tells.
fn foghorn_smt_version() -> String {
    let report = doctor(&[]);
    let version = finding(&report, "Z3")["found"]
        .as_str()
        .expect("found")
        .to_owned();
    version.split('.').take(2).collect::<Vec<_>>().join(".")
}

fn doctor(environment: &[(&str, &str)]) -> serde_json::Value {
    let mut command = Command::new(binary());
    command.args(["doctor", "--json"]);
    let output = command.envs(environment.iter().copied()).output();
    let output = output.expect("the binary starts");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let code = if report["complete"] == true { 0 } else { 2 };
    assert_eq!(output.status.code(), Some(code));
    report
}

fn finding<'r>(report: &'r serde_json::Value, name: &str) -> &'r serde_json::Value {
    let findings = report["findings"].as_array().expect("a list");
    let found = findings.iter().find(|it| it["name"] == name);
    found.unwrap_or_else(|| panic!("{name} is not in {report}"))
}

#[test]
fn the_doctor_finds_what_is_here_and_says_what_is_not() {
    let report = doctor(&[]);
    assert_eq!(report["complete"], true, "{report}");
    let without = doctor(&[("FOGHORN_CLANG", "/nonexistent/clang")]);
    assert_eq!(without["complete"], false, "{without}");
    let clang = finding(&without, "clang");
    assert!(clang["found"].is_null());
    let install = clang["install"].as_str().expect("advice");
    assert!(install.starts_with("apt-get install clang-"), "{install}");
    let mut command = Command::new(binary());
    command
        .arg("doctor")
        .env("FOGHORN_CLANG", "/nonexistent/clang");
    let said = text(&command.output().expect("the binary starts").stdout);
    assert!(said.contains("MISSING  clang"), "{said}");
    assert!(said.contains("does not have what it needs"), "{said}");
}

/// Another version of clang writes files that our LLVM does not read.
#[test]
fn the_doctor_does_not_take_any_clang() {
    let folder = tempfile::tempdir().expect("a folder");
    let other = folder.path().join("clang");
    let script = "#!/bin/sh\necho 'clang version 3.0.1'\n";
    std::fs::write(&other, script).expect("a script");
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&other, mode).expect("a mode");
    let report = doctor(&[("FOGHORN_CLANG", &other.to_string_lossy())]);
    assert!(finding(&report, "clang")["found"].is_null(), "{report}");
}

/// bash itself reads the completions and completes a command by them.
#[test]
fn bash_completes_commands_and_options() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("foghorn.bash");
    let output = foghorn(&["completions", "bash"]);
    std::fs::write(&file, &output.stdout).expect("a file");
    let complete = |words: &str, last: usize| {
        let script = format!(
            "source '{}'; COMP_WORDS=({words}); COMP_CWORD={last}; \
             _foghorn foghorn \"${{COMP_WORDS[{last}]}}\" ''; echo \"${{COMPREPLY[@]}}\"",
            file.display()
        );
        let output = Command::new("bash").args(["-c", &script]).output();
        text(&output.expect("bash").stdout).trim().to_owned()
    };
    assert_eq!(complete("foghorn veri", 1), "verify");
    assert_eq!(complete("foghorn verify --unwind-s", 2), "--unwind-set");
    // What stages are started by is nobody's to type.
    assert!(!complete("foghorn ''", 1).contains("__stage"));
}

#[test]
fn other_shells_have_completions_too() {
    for (shell, mark) in [("zsh", "#compdef foghorn"), ("fish", "complete -c foghorn")] {
        let said = text(&foghorn(&["completions", shell]).stdout);
        assert!(said.contains(mark), "{shell}");
        assert!(said.contains("unwind-set"), "{shell}");
    }
}

#[test]
fn every_command_has_a_manual_page() {
    let folder = tempfile::tempdir().expect("a folder");
    let pages = folder.path().join("man/man1");
    let output = foghorn(&["manual", &pages.to_string_lossy()]);
    assert_eq!(output.status.code(), Some(0));
    let help = text(&foghorn(&["--help"]).stdout);
    let commands = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let commands = commands.take_while(|line| !line.is_empty());
    let names = commands.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    let names: Vec<&str> = names
        .filter(|name| !name.is_empty() && *name != "help")
        .collect();
    assert!(names.contains(&"verify"), "{help}");
    for name in names {
        let page = pages.join(format!("foghorn-{name}.1"));
        let page = std::fs::read_to_string(&page).unwrap_or_else(|_| panic!("{name}: no page"));
        assert!(page.contains(".SH SYNOPSIS"), "{name}");
    }
    assert!(!pages.join("foghorn-__stage.1").exists());
    let output = foghorn(&["manual", "/proc/nonexistent"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("the folder cannot be made"));
}
