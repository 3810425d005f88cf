//! What reports say is true: the verdict line names what it rests on and what it does not show, counts
//! count, limits are named by their names, advice fits.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The release binary if the test command built one, else the one that cargo built.
fn foghorn() -> PathBuf {
    std::env::var_os("FOGHORN").map_or(env!("CARGO_BIN_EXE_foghorn").into(), PathBuf::from)
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Folder(tempfile::tempdir().expect("a folder"))
    }

    fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.path().join(name);
        std::fs::write(&path, text).expect("a file");
        path
    }

    /// Runs a command in the folder.
    fn run(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(foghorn());
        command.current_dir(self.0.path()).args(arguments);
        command.output().expect("the binary starts")
    }
}

/// The verdict line about a program.
#[track_caller]
fn verdict(program: &str, options: &[&str]) -> String {
    let folder = Folder::new();
    folder.file("program.c", program);
    let output = folder.run(&[&["verify"], options, &["program.c"]].concat());
    let report = text(&output.stdout);
    let line = report.lines().last().unwrap_or_default().to_owned();
    assert!(
        line.starts_with("verdict: "),
        "{report}{}",
        text(&output.stderr)
    );
    line
}

#[test]
fn the_verdict_line_names_what_it_rests_on() {
    let malloc = "#include <stdlib.h>
        int main(void) { int *p = malloc(4); *p = 1; free(p); return 0; }";
    let line = verdict(malloc, &[]);
    assert!(
        line.starts_with("verdict: safe, if malloc does not fail: "),
        "{line}"
    );
    let line = verdict(malloc, &["--malloc-may-fail"]);
    assert!(line.starts_with("verdict: unsafe: 1 of "), "{line}");
    // Invariants rest on it too.
    let looping = "#include <stdlib.h>
        int main(void) { char *p = malloc(8); for (int i = 0; i < 8; i++) p[i] = 0; return 0; }";
    for engine in ["absint", "bmc"] {
        let line = verdict(looping, &["--engine", engine]);
        assert!(
            line.starts_with("verdict: safe, if malloc does not fail: "),
            "{line}"
        );
    }
    let nothing = "int main(void) { int x = 0; return 10 / (x + 2); }";
    let line = verdict(nothing, &[]);
    assert!(line.starts_with("verdict: safe: "), "{line}");
    let line = verdict(nothing, &["--check", "undefined"]);
    assert!(
        line.contains("if assertions hold, memory is safe and no division"),
        "{line}"
    );
}

#[test]
fn a_proof_of_nothing_says_so_in_the_verdict_line() {
    let line = verdict("int main(void) { return 0; }", &[]);
    assert!(line.contains("safe: 0 checks: "), "{line}");
    let unreached = "extern int __VERIFIER_nondet_int(void);
        extern void __VERIFIER_assert(int);
        int main(void) {
          unsigned x = __VERIFIER_nondet_int();
          if (x * x % 4 == 3) __VERIFIER_assert(x == 7);
          return 0;
        }";
    let line = verdict(unreached, &[]);
    assert!(line.contains("no execution reaches"), "{line}");
    let contradiction = "extern int __VERIFIER_nondet_int(void);
        extern void __VERIFIER_assume(int);
        extern void __VERIFIER_assert(int);
        int main(void) {
          int x = __VERIFIER_nondet_int();
          __VERIFIER_assume(x > 3);
          __VERIFIER_assume(x < 2);
          __VERIFIER_assert(x == 7);
          return 0;
        }";
    let line = verdict(contradiction, &[]);
    assert!(
        line.contains("no execution satisfies the program's assumptions"),
        "{line}"
    );
    let sound = contradiction
        .replace("x < 2", "x < 8")
        .replace("== 7", "> 3");
    let line = verdict(&sound, &[]);
    assert!(line.contains("1 check holds in every execution"), "{line}");
}

/// One failure that a single run shows, and one question that takes hours.
const HARD_AND_WRONG: &str = "extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_assert(int);
int main(void) {
  unsigned long long a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
  if (__VERIFIER_nondet_uint() != 77)
    __VERIFIER_assert(__VERIFIER_nondet_uint() == 0xdeadbeef);
  __VERIFIER_assume(a > 1 && b > 1);
  __VERIFIER_assert(a * b != 9223372036854775783ull);
}
";

#[test]
fn after_a_failure_the_search_does_not_claim_to_be_out_of_time() {
    let folder = Folder::new();
    folder.file("program.c", HARD_AND_WRONG);
    let output = folder.run(&["verify", "--timeout", "60", "program.c"]);
    let report = text(&output.stdout);
    assert_eq!(output.status.code(), Some(10), "{report}");
    assert!(!report.contains("out of time"), "{report}");
    assert!(report.contains("soon after the first failure"), "{report}");
    assert!(report.contains("--after-failure rest"), "{report}");
    let line = report.lines().last().unwrap_or_default();
    assert!(!line.contains("1 of 1 check fails ["), "{line}");
    // With it, the limit is the user's.
    let output = folder.run(&["verify", "--keep-going", "--timeout", "9", "program.c"]);
    let report = text(&output.stdout);
    assert_eq!(output.status.code(), Some(10), "{report}");
    assert!(report.contains("out of time"), "{report}");
    assert!(!report.contains("--after-failure rest"), "{report}");
}

#[test]
fn a_certificate_that_leaves_a_check_open_is_no_success() {
    let folder = Folder::new();
    let program = "extern int __VERIFIER_nondet_int(void);
        extern void __VERIFIER_assert(int);
        int main(void) {
          int x = __VERIFIER_nondet_int() & 7;
          __VERIFIER_assert(x <= 7);
          __VERIFIER_assert(x != 5);
          return 0;
        }";
    folder.file("program.c", program);
    let output = folder.run(&["check-certificate", "program.c"]);
    let told = text(&output.stdout);
    assert_eq!(output.status.code(), Some(20), "{told}");
    assert!(told.contains("does not prove the program"), "{told}");
    folder.file("program.c", &program.replace("x != 5", "x >= 0"));
    let output = folder.run(&["check-certificate", "program.c"]);
    let told = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{told}");
    assert!(told.contains("all 2 checks follow"), "{told}");
}

#[test]
fn groups_of_checks() {
    let leaking = "#include <stdlib.h>
        int main(void) { int *p = malloc(4); p = 0; return 1 / (1 - (p == 0)); }";
    let folder = Folder::new();
    folder.file("program.c", leaking);
    let output = folder.run(&["verify", "--check", "default,memory-leak", "program.c"]);
    let report = text(&output.stdout);
    assert!(report.contains("error: division"), "{report}");
    let whole = leaking.replace("1 / (1 - (p == 0))", "0");
    folder.file("program.c", &whole);
    let output = folder.run(&["verify", "--check", "default,memory-leak", "program.c"]);
    let report = text(&output.stdout);
    assert!(report.contains("error: leak"), "{report}");
    for command in ["verify", "run", "bmc", "invariants"] {
        let output = folder.run(&[command, "--check", "termination", "program.c"]);
        let told = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{command}: {told}");
        assert!(told.contains("not checked yet"), "{command}: {told}");
        let help = folder.run(&[command, "--help"]);
        let help = text(&help.stdout);
        assert!(help.contains("memory-cleanup"), "{command}: {help}");
    }
    let output = folder.run(&["verify", "--check", "assertion", "program.c"]);
    let told = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(
        told.contains("unknown group of checks 'assertion'"),
        "{told}"
    );
}

#[test]
fn a_bound_for_a_loop_that_does_not_exist() {
    let folder = Folder::new();
    folder.file(
        "program.c",
        "int main(int c, char **v) { int s = 0; while (s < 9) s += c; return s; }",
    );
    for command in [&["verify"][..], &["bmc"]] {
        let arguments = [command, &["--unwind-set", "main.7=3", "program.c"]].concat();
        let output = folder.run(&arguments);
        let told = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{command:?}: {told}");
        assert!(
            told.contains("no loop 'main.7'; loops here: main.0"),
            "{told}"
        );
    }
}

#[test]
fn a_loop_that_goes_on_is_told_with_its_own_bound() {
    let folder = Folder::new();
    let program = "extern int __VERIFIER_nondet_int(void);
        int main(void) {
          int n = __VERIFIER_nondet_int(), s = 0;
          while (s < n) s += 2;
          return s;
        }";
    folder.file("program.c", program);
    let bounds = ["--unwind", "9", "--unwind-set", "main.0=1", "program.c"];
    let output = folder.run(&[&["verify", "--engine", "bmc"], &bounds[..]].concat());
    let report = text(&output.stdout);
    assert!(
        report.contains("main.0 can go beyond bound 1\n"),
        "{report}"
    );
}

/// A macro puts its checks at one place of the source; a failure is one of one of them.
#[test]
fn checks_of_one_macro_are_told_apart() {
    let program = "#include <assert.h>
        #define BOTH(a, b) do { assert(a); assert(b); } while (0)
        int main(void) { int x = 4; BOTH(x != 3, x != 4); return 0; }";
    for engine in ["auto", "bmc", "kiki", "trial"] {
        let line = verdict(program, &["--engine", engine]);
        assert!(
            line.starts_with("verdict: unsafe: 1 of 2 checks fails"),
            "{engine}: {line}"
        );
    }
    let loops = "extern int __VERIFIER_nondet_int(void);
        #include <assert.h>
        #define BOTH(a, b) do { assert(a); assert(b); } while (0)
        int main(void) {
          int x = __VERIFIER_nondet_int();
          if (x < 1 || x > 10) return 0;
          BOTH(x != 0, x * x != 49);
          BOTH(x != 8, x != 0);
          return 0;
        }";
    let line = verdict(loops, &["--after-failure", "rest"]);
    assert!(line.starts_with("verdict: unsafe: 2 of "), "{line}");
}

/// The copies of a check are checks of their own, and reports show the calls all the same.
#[test]
fn a_failure_in_a_function_that_was_put_in_place_of_its_call() {
    let program = "#include <assert.h>
        void f(int x) { assert(x != 3); }
        void g(int x) { f(x + 1); }
        int main(void) { g(1); g(2); return 0; }";
    let folder = Folder::new();
    folder.file("program.c", program);
    let output = folder.run(&["verify", "--inline=all", "program.c"]);
    let report = text(&output.stdout);
    assert_eq!(output.status.code(), Some(10), "{report}");
    assert_eq!(report.matches("error: assertion").count(), 1, "{report}");
    let calls = [
        "  in f at program.c:2:",
        "  in g at program.c:3:",
        "  in main at program.c:4:",
    ];
    assert!(calls.iter().all(|call| report.contains(call)), "{report}");
    let plain = text(&folder.run(&["ir", "program.c"]).stdout);
    let inlined = text(&folder.run(&["ir", "--inline", "program.c"]).stdout);
    let calls = |text: &str| text.matches("call @g(").count();
    assert_eq!((calls(&plain), calls(&inlined)), (2, 0), "{inlined}");
}

#[test]
fn a_run_warns_of_calls_that_nobody_declared() {
    let folder = Folder::new();
    folder.file("program.c", "int main(void) { f(1); return 0; }");
    let output = folder.run(&["run", "program.c"]);
    let told = text(&output.stderr);
    assert!(told.contains("warning: program.c:1:18: "), "{told}");
}

#[test]
fn an_error_is_json_where_json_is_asked_for() {
    let folder = Folder::new();
    folder.file("broken.c", "int main(void) { return 0 }\n");
    let error = |arguments: &[&str], exit: i32| {
        let output = folder.run(arguments);
        assert_eq!(output.status.code(), Some(exit), "{}", text(&output.stderr));
        let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(json["error"]["exit_code"], exit);
        json["error"].clone()
    };
    let missing = error(&["verify", "--json", "-", "missing.c"], 2);
    assert_eq!(missing["kind"], "input");
    assert!(
        missing["message"].to_string().contains("missing.c"),
        "{missing}"
    );
    let broken = error(&["verify", "--json", "-", "broken.c"], 2);
    assert!(
        broken["message"].to_string().contains("expected ';'"),
        "{broken}"
    );
    let usage = error(&["verify", "--check", "x", "--json", "-", "broken.c"], 1);
    assert_eq!(usage["kind"], "usage");
    error(&["loops", "--json", "missing.c"], 2);
    folder.run(&["verify", "--json", "out.json", "missing.c"]);
    let written = std::fs::read_to_string(folder.0.path().join("out.json")).expect("a file");
    assert!(written.contains("\"input\""), "{written}");
}

#[test]
fn help_for_a_command() {
    let folder = Folder::new();
    let asked = folder.run(&["help", "verify"]);
    assert_eq!(asked.status.code(), Some(0));
    let told = text(&asked.stdout);
    assert!(told.contains("foghorn verify --check assertions"), "{told}");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let way_in = Command::new(root.join("x")).arg("help").output();
    let told = text(&way_in.expect("./x starts").stdout);
    assert!(told.contains("verify ARGS"), "{told}");
}

#[test]
fn a_picture_of_nothing_says_so() {
    let folder = Folder::new();
    folder.file("program.c", "int main(void) { return 0; }");
    let output = folder.run(&["dsa", "program.c", "--svg", "-"]);
    let picture = text(&output.stdout);
    assert!(!picture.contains("height=\"0\""), "{picture}");
    assert!(picture.contains("nothing to draw"), "{picture}");
}

#[test]
fn memory_is_limited_unless_the_user_says_otherwise() {
    let folder = Folder::new();
    folder.file("program.c", "int main(void) { return 0; }");
    let plan = |options: &[&str]| {
        let output = folder.run(&[&["verify", "--explain"], options, &["program.c"]].concat());
        text(&output.stdout)
    };
    assert!(!plan(&[]).contains("no memory limit"), "{}", plan(&[]));
    assert!(plan(&["--memory-limit", "0"]).contains("no memory limit"));
    assert!(plan(&["--memory-limit", "77"]).contains("77 MB"));
}

fn piped(arguments: &[&str], input: &str) -> Output {
    let mut command = Command::new(foghorn());
    command.args(arguments).stdin(Stdio::piped());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the binary starts");
    let mut stdin = child.stdin.take().expect("piped");
    std::io::Write::write_all(&mut stdin, input.as_bytes()).expect("it reads");
    drop(stdin);
    child.wait_with_output().expect("it ends")
}

#[test]
fn a_program_on_standard_input() {
    let program = "int main(void) {\n  int x = 3;\n  return 1 / (x - 3);\n}\n";
    for name in ["-", "/dev/stdin"] {
        let output = piped(&["verify", "--timeout", "30", name], program);
        let report = text(&output.stdout);
        assert_eq!(
            output.status.code(),
            Some(10),
            "{report}{}",
            text(&output.stderr)
        );
        assert!(
            report.contains("error: division at <stdin>:3:12"),
            "{report}"
        );
        assert!(report.contains("return 1 / (x - 3);"), "{report}");
        let output = piped(&["run", name], program);
        let told = text(&output.stderr);
        assert!(told.contains("error: division at <stdin>:3:12"), "{told}");
        for command in [
            "ir",
            "loops",
            "dsa",
            "invariants",
            "check-certificate",
            "bmc",
        ] {
            let output = piped(&[command, name], program);
            let told = text(&output.stderr);
            assert!(
                output.status.code() != Some(2) && told.is_empty(),
                "{command}: {told}"
            );
        }
    }
    let output = piped(&["verify", "-"], "int main(void) { return 0 }\n");
    let told = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(told.contains("<stdin>: clang does not accept it"), "{told}");
    assert!(told.contains("<stdin>:1:"), "{told}");
    let output = piped(&["verify", "-", "-"], program);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let output = piped(&["verify", "-"], "");
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
}

#[test]
fn the_harness_of_standard_input_keeps_the_program() {
    let folder = Folder::new();
    let out = folder.0.path().join("out");
    let out = out.to_str().expect("text");
    let program = "int main(void) { int x = 3; return 1 / (x - 3); }\n";
    let output = piped(&["verify", "--harness", out, "-"], program);
    assert_eq!(output.status.code(), Some(10), "{}", text(&output.stderr));
    let kept = Path::new(out).join("program.c");
    assert!(kept.exists(), "{}", text(&output.stdout));
}
