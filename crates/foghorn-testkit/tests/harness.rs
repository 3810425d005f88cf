//! Executable counterexamples: every defective program of the suite and of the examples, built
//! with its harness by plain clang with sanitizers, fails at the line that Foghorn reported.
//!
//! By default every fourth program is built, since each takes a second of clang;
//! `FOGHORN_HARNESS=all` builds them all. The binary is the one that the variable `FOGHORN` names,
//! else `target/release/foghorn`.

use foghorn_testkit::process::{self, Finished};
use foghorn_testkit::{Case, Expectation, header, sanitizer, suites, workspace};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// Defects that a real machine with sanitizers does not show, and why.
const INVISIBLE: &[(&str, &str)] = &[
    (
        "assert-own-bad",
        "the program's own error function does nothing",
    ),
    (
        "compound-literal-bad",
        "no sanitizer sees the end of a compound literal",
    ),
    (
        "compound-literal-body-bad",
        "no sanitizer sees the end of a compound literal",
    ),
    (
        "compound-literal-goto-bad",
        "no sanitizer sees the end of a compound literal",
    ),
    (
        "compound-literal-if-bad",
        "no sanitizer sees the end of a compound literal",
    ),
    (
        "compound-literal-loop-bad",
        "no sanitizer sees the end of a compound literal",
    ),
    (
        "ctype-function-bad",
        "the table of characters is large enough by chance",
    ),
    (
        "ctype-table-bad",
        "the table of characters is large enough by chance",
    ),
    (
        "found-equals-bad",
        "which of several equal elements is found is the library's choice, and the harness says so",
    ),
    (
        "goto-in-loop-bad",
        "the object of the next iteration lies in the same place",
    ),
    (
        "goto-loop-bad",
        "the object of the next iteration lies in the same place",
    ),
    (
        "invalid-call-data-bad",
        "the wild jump leaves no frame with a line",
    ),
    (
        "kept-by-callee-bad",
        "the object of the next iteration lies in the same place",
    ),
    (
        "kept-in-struct-bad",
        "the object of the next iteration lies in the same place",
    ),
    (
        "left-at-abort-bad",
        "nobody looks for leaks of a program that aborts",
    ),
    (
        "left-at-failure-bad",
        "nobody looks for leaks of a program that aborts",
    ),
    (
        "library-precondition-printf-null-bad",
        "glibc prints (null)",
    ),
    (
        "list-of-locals-bad",
        "the object of the next iteration lies in the same place",
    ),
    (
        "loop-array-bad",
        "the object of the next iteration lies in the same place",
    ),
    (
        "missing-return-bad",
        "no sanitizer looks for a missing return in C",
    ),
    (
        "missing-return-unused-bad",
        "no sanitizer looks for a missing return in C",
    ),
    (
        "no-elements-bad",
        "the array of no elements is reported first",
    ),
    (
        "not-freed-exit-bad",
        "the block is still reachable when the program ends",
    ),
    ("not-freed-global-bad", "a global still points to the block"),
    (
        "reach-error-defined-bad",
        "the program's own error function does nothing",
    ),
    (
        "seahorn-modified-bad",
        "nobody notes natively which bytes were written",
    ),
    (
        "seahorn-shadow-bad",
        "the shadow of an object has no native meaning",
    ),
    (
        "sign-of-comparison-bad",
        "what is returned besides the sign is the library's choice, and the harness says so",
    ),
    (
        "sorted-equals-bad",
        "the order of equal elements is the library's choice, and the machine's keeps it",
    ),
    (
        "switch-body-bad",
        "the object of the next iteration lies in the same place",
    ),
    (
        "variable-length-bad",
        "the object of the next iteration lies in the same place",
    ),
];

/// The examples and the lines at which they fail.
const EXAMPLES: &[(&str, u32)] = &[
    ("01-binary-search", 13),
    ("02-bit-set", 11),
    ("03-matrix", 14),
    ("04-queue", 19),
    ("05-ring-buffer", 26),
    ("06-string-builder", 31),
    ("07-linked-list", 52),
    ("08-hash-table", 27),
    ("09-config-reader", 20),
    ("10-parser", 43),
];

const LIMIT: Duration = Duration::from_secs(120);

fn name_of(path: &Path) -> String {
    path.file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

fn shell(command: &str) -> Finished {
    let mut shell = Command::new("sh");
    shell.args(["-c", command]).current_dir(workspace::root());
    process::run(&mut shell, b"", LIMIT).unwrap_or_else(|error| panic!("{command}: {error}"))
}

/// Has Foghorn write the harness, builds and runs it; its report.
fn built_and_run(
    path: &Path,
    options: &[String],
    arguments: &[String],
) -> Result<Finished, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let mut run = Command::new(workspace::binary());
    run.current_dir(workspace::root());
    run.arg("run").arg(workspace::shown(path)).args(options);
    run.arg("--harness").arg(folder.path());
    if !arguments.is_empty() {
        run.arg("--").args(arguments);
    }
    let told = process::run(&mut run, b"", LIMIT).map_err(|error| error.to_string())?;
    let file = folder.path().join("harness.c");
    let text = std::fs::read_to_string(file)
        .map_err(|error| format!("no harness: {error}\n{}", told.stderr))?;
    let command = |key: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(key));
        line.unwrap_or_else(|| panic!("no '{key}' in\n{text}"))
            .to_owned()
    };
    let built = shell(&command(" * build: "));
    if built.code != Some(0) {
        return Err(format!("clang says\n{}", built.stderr));
    }
    Ok(shell(&command(" * run:   ")))
}

/// Whether a report names the line of the program.
fn names_line(finished: &Finished, path: &Path, line: u32) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let mention = format!("{name}:{line}");
    let mut places = finished.stderr.split(&mention).skip(1);
    finished.code != Some(0) && places.any(|rest| !rest.starts_with(|c: char| c.is_ascii_digit()))
}

fn options(case: &Case) -> Vec<String> {
    let groups: Vec<_> = case.checks.iter().map(|group| group.name()).collect();
    let mut options = vec!["--check".to_owned(), groups.join(",")];
    if case.checks.contains(&foghorn_core::CheckGroup::Undefined) {
        options.push("--misaligned".to_owned());
    }
    options.extend(case.options.iter().cloned());
    options
}

/// A failing run that `verify` found, made again by the machine.
struct Repeated {
    finished: Finished,
    /// The report says that it depends on where objects lie, and the harness that a machine may not
    /// show it.
    depends_on_layout: bool,
}

/// Has Foghorn look for a failing run, builds the harness of the one at this line and runs it.
fn verified_built_and_run(path: &Path, options: &[String], line: u32) -> Result<Repeated, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let mut verify = Command::new(workspace::binary());
    verify.current_dir(workspace::root());
    verify.arg("verify").arg(workspace::shown(path));
    verify
        .args(options)
        .args(["--timeout", "60", "--json", "-", "--harness"]);
    verify.arg(folder.path());
    let told = process::run(&mut verify, b"", LIMIT).map_err(|error| error.to_string())?;
    let report: serde_json::Value = serde_json::from_slice(&told.stdout)
        .map_err(|error| format!("no report: {error}\n{}", told.stderr))?;
    let checks = report["checks"].as_array().map_or(&[][..], Vec::as_slice);
    let failed = checks
        .iter()
        .find(|check| check["line"] == line && check["verdict"] == "unsafe");
    let failed = failed.ok_or_else(|| format!("{}: {}", report["verdict"], report["reason"]))?;
    let harness = &failed["harness"];
    let layout = failed["trace"]["failure"]["layout"].as_array();
    let warns = harness["notes"].to_string().contains("may not show it");
    let depends_on_layout = layout.is_some_and(|layout| !layout.is_empty()) && warns;
    let command = |key: &str| harness[key].as_str().unwrap_or_default().to_owned();
    let built = shell(&command("build"));
    if built.code != Some(0) {
        return Err(format!("clang says\n{}", built.stderr));
    }
    Ok(Repeated {
        finished: shell(&command("run")),
        depends_on_layout,
    })
}

/// Who finds the failing run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum By {
    Run,
    Verify,
}

/// `Err` with what went wrong.
fn check(path: &Path, by: By) -> Result<(), String> {
    let case = header::read(path).map_err(|error| error.to_string())?;
    let Expectation::Unsafe { line, .. } = case.expect else {
        return Ok(());
    };
    let name = name_of(path);
    let invisible = INVISIBLE.iter().find(|(known, _)| *known == name);
    let repeated = match by {
        By::Run => built_and_run(path, &options(&case), &case.arguments).map(|finished| Repeated {
            finished,
            depends_on_layout: false,
        }),
        By::Verify if case.unknown.contains_key("bmc") => return Ok(()),
        By::Verify => verified_built_and_run(path, &options(&case), line),
    };
    let repeated = repeated.map_err(|problem| format!("{name}: {problem}"))?;
    if repeated.depends_on_layout {
        return Ok(());
    }
    let finished = repeated.finished;
    match (names_line(&finished, path, line), invisible) {
        (true, None) | (false, Some(_)) => Ok(()),
        (false, None) => Err(format!(
            "{name}: does not fail at line {line}, but: {:?}\n{}",
            finished.code, finished.stderr
        )),
        (true, Some((_, why))) => Err(format!("{name}: improved: it was said that {why}")),
    }
}

/// The defective programs of a suite; by default every fourth.
fn defective(suite: &str) -> Vec<std::path::PathBuf> {
    let all = std::env::var_os("FOGHORN_HARNESS").is_some_and(|value| value == "all");
    let programs = workspace::programs(&suites().join(suite)).expect("the suite");
    let unsafe_one = |path: &std::path::PathBuf| {
        let case = header::read(path).expect("a header");
        matches!(case.expect, Expectation::Unsafe { .. })
    };
    let found = programs.into_iter().filter(unsafe_one);
    found.step_by(if all { 1 } else { 4 }).collect()
}

#[test]
fn defects_fail_natively_at_the_reported_line() {
    let chosen = defective("defects");
    let problems = chosen.iter().filter_map(|path| check(path, By::Run).err());
    let problems: Vec<String> = problems.collect();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// The runs that `verify` finds by itself, for every suite of programs with known defects.
#[test]
fn what_verify_refutes_fails_natively_at_the_reported_line() {
    let mut problems = vec![];
    for suite in ["defects", "dialects", "verify"] {
        let chosen = defective(suite);
        let found = chosen
            .iter()
            .filter_map(|path| check(path, By::Verify).err());
        problems.extend(found);
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// What was read is given to the native program: standard input, files, and the rest of the library.
#[test]
fn what_verify_finds_in_readers_fails_natively() {
    let mut problems = vec![];
    for suite in ["inputs", "readers"] {
        let chosen = defective(suite);
        let found = chosen
            .iter()
            .filter_map(|path| check(path, By::Verify).err());
        problems.extend(found);
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// Lives of objects, their addresses, C++ and what a new user tries first. What depends on where
/// objects lie says so; files of LLVM's own language are no sources that a sanitizer sees.
#[test]
fn what_is_honest_fails_natively() {
    let mut problems = vec![];
    for suite in ["addresses", "cpp", "honest", "lifetimes"] {
        let chosen = defective(suite);
        let found = chosen
            .iter()
            .filter_map(|path| check(path, By::Verify).err());
        problems.extend(found);
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// The same for sources whose bitcode is looked at elsewhere; their headers say only what is expected.
#[test]
fn what_fails_as_bitcode_fails_natively() {
    let programs = workspace::programs(&suites().join("bitcode")).expect("the suite");
    for path in programs {
        let text = std::fs::read_to_string(&path).expect("a program");
        let expected = text
            .lines()
            .find_map(|line| line.strip_prefix("// expect: unsafe "));
        let Some((_, line)) = expected.and_then(|expected| expected.split_once(" @ line ")) else {
            continue;
        };
        let line = line.trim().parse().expect("a line");
        let repeated = verified_built_and_run(&path, &[], line);
        let repeated = repeated.unwrap_or_else(|problem| panic!("{}: {problem}", name_of(&path)));
        let report = &repeated.finished.stderr;
        let named = names_line(&repeated.finished, &path, line);
        assert!(named, "{}:{line}\n{report}", name_of(&path));
    }
}

/// The examples, by `verify` alone: no inputs are given.
#[test]
fn examples_are_refuted_and_fail_natively() {
    let programs = workspace::programs(&workspace::root().join("examples")).expect("examples");
    for (path, line) in programs.iter().filter_map(|path| {
        let stem = name_of(path);
        let line = EXAMPLES.iter().find(|(name, _)| *name == stem)?.1;
        Some((path, line))
    }) {
        let repeated = verified_built_and_run(path, &[], line);
        let repeated = repeated.unwrap_or_else(|problem| panic!("{}: {problem}", name_of(path)));
        let finished = repeated.finished;
        let report = &finished.stderr;
        assert!(
            names_line(&finished, path, line),
            "{}:{line}\n{report}",
            name_of(path)
        );
    }
}

/// The examples fail with their inputs, in the interpreter and natively; their repairs do not.
#[test]
fn examples_fail_and_their_repairs_do_not() {
    let programs = workspace::programs(&workspace::root().join("examples")).expect("examples");
    assert_eq!(programs.len(), 20);
    for path in programs
        .iter()
        .filter(|path| !name_of(path).ends_with("-fixed"))
    {
        let inputs = path.with_extension("inputs");
        let inputs = ["--inputs".to_owned(), workspace::shown(&inputs)];
        let stem = name_of(path);
        let fixed = path.with_file_name(format!("{stem}-fixed.c"));
        let mut run = Command::new(workspace::binary());
        run.current_dir(workspace::root()).arg("run").args(&inputs);
        run.arg(workspace::shown(&fixed));
        let repaired = process::run(&mut run, b"", LIMIT).expect("runs");
        assert_eq!(repaired.code, Some(0), "{stem}-fixed: {}", repaired.stderr);

        let finished = built_and_run(path, &inputs, &[]).expect("a harness");
        let told = shell(&format!(
            "{} run {} {}",
            workspace::binary().display(),
            workspace::shown(path),
            inputs.join(" ")
        ));
        assert_eq!(told.code, Some(10), "{stem}: {}", told.stderr);
        let place = format!("{stem}.c:");
        let line = told
            .stderr
            .split(&place)
            .nth(1)
            .and_then(|rest| rest.split(':').next());
        let line = line.and_then(|line| line.parse().ok()).expect("a line");
        let report = &finished.stderr;
        assert!(names_line(&finished, path, line), "{stem}:{line}\n{report}");
    }
}

/// Every example compiles without a warning.
#[test]
fn examples_are_clean_c() {
    let programs = workspace::programs(&workspace::root().join("examples")).expect("examples");
    for path in programs {
        let mut command = Command::new(sanitizer::clang());
        command
            .args(["-Wall", "-Wextra", "-Werror", "-fsyntax-only"])
            .arg(&path);
        let finished = process::run(&mut command, b"", LIMIT).expect("runs");
        assert_eq!(finished.code, Some(0), "{}", finished.stderr);
    }
}

/// What memory held after a havoc, and what functions without a body returned, is forced too.
#[test]
fn every_dialect_s_inputs_are_forced() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("dialects.c");
    let program = "#include <klee/klee.h>\n#include <seahorn/seahorn.h>\n\
        extern int nd_int(void); extern _Bool nondet_bool(void);\n\
        extern unsigned char sensor(void); extern double __VERIFIER_nondet_double(void);\n\
        struct point { short x, y; };\n\
        int main(void) {\n  struct point p;\n  klee_make_symbolic(&p, sizeof p, \"p\");\n  \
        __VERIFIER_assume(p.y == -3);\n  __CPROVER_assume(nd_int() == -70000);\n  \
        __VERIFIER_assume(nondet_bool());\n  klee_assume(sensor() == 200);\n  \
        __VERIFIER_assume(__VERIFIER_nondet_double() == 0.1);\n  sassert(p.x != 12);\n  return 0;\n}\n";
    std::fs::write(&path, program).expect("written");
    let inputs = folder.path().join("inputs");
    let values = "p=-3\nnd_int=-70000\nnondet_bool=1\nsensor=200\n__VERIFIER_nondet_double=0.1\n\
                  p=12\n0\n0\n0\n";
    std::fs::write(&inputs, values).expect("written");
    let options = ["--inputs".to_owned(), inputs.to_string_lossy().into_owned()];
    let finished = built_and_run(&path, &options, &[]).expect("a harness");
    assert!(names_line(&finished, &path, 14), "{}", finished.stderr);
}
