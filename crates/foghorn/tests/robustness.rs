//! What goes wrong around a verification costs what was not found yet, and nothing else: limits
//! hold, an interrupt and the death of a worker end in a report, a full disk is said.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// The release binary if the test command built one, else the one that cargo built.
fn foghorn() -> PathBuf {
    std::env::var_os("FOGHORN").map_or(env!("CARGO_BIN_EXE_foghorn").into(), PathBuf::from)
}

/// No two factors of a prime: true, and beyond any solver for hours.
const HARD: &str = "extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_assert(int);
int main(void) {
  unsigned long long a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
  __VERIFIER_assume(a > 1 && b > 1);
  __VERIFIER_assert(a * b != 9223372036854775783ull);
}
";

/// The same behind a failure that takes one run to see.
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

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Folder(tempfile::tempdir().expect("a folder"))
    }

    fn program(&self, text: &str) -> PathBuf {
        let path = self.0.path().join("program.c");
        std::fs::write(&path, text).expect("a file");
        path
    }
}

fn verify(program: &Path, options: &[&str]) -> Command {
    let mut command = Command::new(foghorn());
    command.arg("verify").args(options).arg(program);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The report as JSON, and nothing else on standard output.
fn json(output: &Output) -> serde_json::Value {
    let report = serde_json::from_slice(&output.stdout);
    report.unwrap_or_else(|error| panic!("{error}\n{}", text(&output.stderr)))
}

/// The process of a stage of a running command; each of its threads may have started one.
fn worker(child: &Child) -> u32 {
    let threads = format!("/proc/{}/task", child.id());
    let deadline = Instant::now() + Duration::from_secs(20);
    while Instant::now() < deadline {
        let threads = std::fs::read_dir(&threads).into_iter().flatten().flatten();
        let lists = threads.map(|thread| thread.path().join("children"));
        let lists: Vec<String> = lists.flat_map(std::fs::read_to_string).collect();
        for process in lists.iter().flat_map(|list| list.split_whitespace()) {
            let command = std::fs::read_to_string(format!("/proc/{process}/cmdline"));
            if command.is_ok_and(|command| command.contains("__stage")) {
                return process.parse().expect("a process id");
            }
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("no stage was started");
}

fn signal(process: u32, name: &str) {
    let status = Command::new("kill")
        .args([&format!("-{name}"), &process.to_string()])
        .status();
    assert!(status.expect("kill starts").success());
}

/// What a command says after it was disturbed; it must end soon.
fn disturbed(mut child: Child, disturb: impl FnOnce(&Child)) -> Output {
    disturb(&child);
    let disturbed_at = Instant::now();
    let (mut stdout, mut stderr) = (vec![], vec![]);
    let mut out = child.stdout.take().expect("piped");
    out.read_to_end(&mut stdout).expect("readable");
    let mut err = child.stderr.take().expect("piped");
    err.read_to_end(&mut stderr).expect("readable");
    let status = child.wait().expect("it ends");
    let took = disturbed_at.elapsed();
    assert!(took < Duration::from_secs(3), "it took {took:?} to end");
    Output {
        status,
        stdout,
        stderr,
    }
}

/// Gone, or dead and not yet collected.
fn has_ended(process: u32) -> bool {
    match std::fs::read_to_string(format!("/proc/{process}/stat")) {
        Ok(stat) => stat.contains(") Z "),
        Err(_) => true,
    }
}

#[test]
fn the_time_limit_holds_within_a_second() {
    let folder = Folder::new();
    let program = folder.program(HARD);
    for limit in ["1", "2.5"] {
        let started = Instant::now();
        let output = verify(&program, &["--timeout", limit]).output();
        let output = output.expect("the binary starts");
        let took = started.elapsed().as_secs_f64();
        let limit: f64 = limit.parse().expect("a number");
        assert!(took < limit + 1.0, "{took} s instead of {limit} s");
        assert_eq!(output.status.code(), Some(20), "{}", text(&output.stderr));
        let report = text(&output.stdout);
        assert!(report.contains("verdict: unknown: out of time"), "{report}");
        assert!(report.contains("a larger --timeout"), "{report}");
    }
}

/// A store to anywhere in a table, again and again, takes memory quickly.
#[test]
fn the_memory_limit_holds_within_a_tenth() {
    let folder = Folder::new();
    let program = folder.program(
        "extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assert(int);
unsigned table[4096];
int main(void) {
  unsigned rounds = __VERIFIER_nondet_uint();
  for (unsigned i = 0; i < rounds; i++)
    table[__VERIFIER_nondet_uint() % 4096] ^= table[__VERIFIER_nondet_uint() % 4096] * 6 + 2 * i;
  __VERIFIER_assert(table[__VERIFIER_nondet_uint() % 4096] % 2 == 0);
}
",
    );
    let options = [
        "--engine",
        "bmc",
        "--memory-limit",
        "200",
        "--timeout",
        "60",
        "--no-trials",
        "--json",
        "-",
    ];
    let output = verify(&program, &options).output().expect("it starts");
    let report = json(&output);
    assert_eq!(report["reason"], "out of memory", "{report}");
    assert_eq!(output.status.code(), Some(20));
    let peak = report["peak_memory_mb"].as_f64().expect("a number");
    let limit = 200.0 * 1.048_576;
    assert!(peak < limit * 1.1, "{peak} MB instead of {limit} MB");
}

#[test]
fn the_death_of_the_worker_is_a_line_of_the_report() {
    let folder = Folder::new();
    let program = folder.program(HARD_AND_WRONG);
    let bmc = ["--engine", "bmc", "--no-trials", "--after-failure", "rest"];
    let child = verify(&program, &[&bmc[..], &["--timeout", "60"]].concat())
        .spawn()
        .expect("starts");
    let output = disturbed(child, |child| {
        let process = worker(child);
        std::thread::sleep(Duration::from_secs(3));
        signal(process, "KILL");
    });
    let report = text(&output.stdout);
    let why = "the engine crashed: it was ended by signal 9";
    // What was found before stands.
    assert!(report.contains("error: assertion at"), "{report}");
    assert!(report.contains("program.c:7:5"), "{report}");
    assert!(report.contains(why), "{report}");
    assert_eq!(output.status.code(), Some(10), "{report}");
}

#[test]
fn an_interrupt_keeps_what_was_found() {
    let folder = Folder::new();
    for (text_of_program, code, verdict) in [
        (HARD, 20, "verdict: unknown: interrupted"),
        (HARD_AND_WRONG, 10, "verdict: unsafe: 1 "),
    ] {
        let program = folder.program(text_of_program);
        let child = verify(&program, &["--after-failure", "rest", "--timeout", "60"])
            .spawn()
            .expect("starts");
        let mut process = 0;
        let output = disturbed(child, |child| {
            process = worker(child);
            std::thread::sleep(Duration::from_secs(3));
            signal(child.id(), "INT");
        });
        let report = text(&output.stdout);
        assert!(report.contains(verdict), "{report}");
        assert!(report.contains("interrupted"), "{report}");
        assert_eq!(output.status.code(), Some(code), "{report}");
        assert!(has_ended(process), "the worker is left behind");
    }
}

/// A limit on the size of files stands for a full disk: writing fails in the middle of a query. The
/// shell ignores the signal that goes with it, so that writing returns an error as on a full disk.
#[test]
fn a_full_disk_under_the_dump_folder_is_said() {
    let folder = Folder::new();
    let program = folder.program(
        "extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assert(int);
unsigned char text[64];
int main(void) {
  for (int i = 0; i < 64; i++)
    text[i] = (unsigned char)(text[__VERIFIER_nondet_uint() % 64] * 7 + i);
  __VERIFIER_assert(text[5] != 3);
  __VERIFIER_assert(text[__VERIFIER_nondet_uint() % 64] != 77);
}
",
    );
    let dump = folder.0.path().join("queries");
    let script = format!(
        "trap '' XFSZ; ulimit -f 60; exec '{}' verify --engine bmc --timeout 60 --no-trials --loops unwound --dump-smt '{}' '{}'",
        foghorn().display(),
        dump.display(),
        program.display()
    );
    let output = Command::new("bash").args(["-c", &script]).output();
    let output = output.expect("a shell");
    let report = text(&output.stdout);
    assert!(report.contains("unknown: cannot write "), "{report}");
    assert!(report.contains("queries/auto-00000.smt2"), "{report}");
    assert!(report.contains("File too large"), "{report}");
    assert!(report.contains("try: room for that file"), "{report}");
    let stderr = text(&output.stderr);
    assert_eq!(output.status.code(), Some(20), "{report}{stderr}");
    assert!(!stderr.contains("panicked"), "{stderr}");
    let left = std::fs::read_dir(&dump).expect("the folder").count();
    assert_eq!(left, 0, "half a query is no query");
}
