//! Whatever a file says, reading it ends with a value or an error.
//!
//! Seeds are files of this project and what the binary writes. `FOGHORN_FUZZ_SECONDS=600` gives each
//! reader ten minutes, and `FOGHORN_FUZZ_SEED=2` other texts.

use foghorn_certify::{Certificate, ProofCertificate};
use foghorn_core::{Budget, CheckSelection};
use foghorn_ir::interpret::{Listed, Options, Program, RecordedWorld, Zeros};
use foghorn_ir::{Module, parse_module, print_module, verify_module};
use foghorn_testkit::fuzz::Fuzzed;
use foghorn_testkit::processor::ThreadClock;
use foghorn_testkit::workspace::{root, with_extension};
use foghorn_testkit::{binary, fuzz, suites};
use foghorn_witness::{Property, VerificationReport};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// Seeds that are longer take too long to read for what they show.
const LONGEST_SEED: usize = 40_000;

fn files(folder: &Path, extension: &str) -> Vec<String> {
    let paths = with_extension(folder, extension).expect("a folder");
    let texts = paths
        .iter()
        .filter_map(|path| std::fs::read_to_string(path).ok());
    texts.filter(|text| text.len() < LONGEST_SEED).collect()
}

#[expect(clippy::print_stdout, reason = "how much was tried is for people")]
fn assert_clean(name: &str, fuzzed: &Fuzzed) {
    println!(
        "{name}: {} texts, {} of them accepted, the longest took {:.2} s of the processor",
        fuzzed.texts,
        fuzzed.accepted,
        fuzzed.longest.as_secs_f64()
    );
    assert!(fuzzed.faults.is_empty(), "{}", fuzzed.faults.join("\n"));
    assert!(fuzzed.texts > 0, "{name}: nothing was tried");
}

/// What the binary prints about a program.
fn output_of(arguments: &[&str]) -> String {
    let program = root().join("examples/01-binary-search.c");
    let output = Command::new(binary()).args(arguments).arg(program).output();
    String::from_utf8(output.expect("the binary").stdout).expect("text")
}

/// A module that parses is printed as a text that parses to the same, and one that the verifier
/// accepts can be run.
#[test]
fn ir_text() {
    let seeds = files(&suites().join("ir"), "fir");
    let fuzzed = fuzz("ir", &seeds, |text| {
        let Ok(module) = parse_module(text) else {
            return false;
        };
        let printed = print_module(&module);
        let again = parse_module(&printed).expect("what is printed can be read");
        assert_eq!(print_module(&again), printed, "the same text twice");
        if verify_module(&module).is_empty() {
            run_briefly(&module);
        }
        true
    });
    assert_clean("ir", &fuzzed);
}

/// A line of a million tokens takes no longer than a million lines.
#[test]
fn long_lines_of_ir_text() {
    let text = format!("foghorn-ir 1\n{}", "[".repeat(1_000_000));
    let clock = ThreadClock::of_this_thread();
    let begin = clock.now();
    assert!(parse_module(&text).is_err());
    let worked = clock.now() - begin;
    assert!(worked < Duration::from_secs(20), "{worked:?}");
}

fn run_briefly(module: &Module) {
    let options = Options {
        max_steps: Some(20_000),
        max_memory: 16 << 20,
        max_depth: 1000,
        ..Options::default()
    };
    // A module without an entry cannot be run, and says so.
    let _ = Program::new(module).run(&options, &mut Zeros, &mut RecordedWorld::default());
}

/// A loop that fills an array, one that reads it, and a recursion.
const ARGUED: &str = "extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);
int a[1000];
int down(int n) { return n > 0 ? down(n - 1) : 0; }
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 1000) return 0;
  for (int i = 0; i < n; i++) a[i] = 7;
  for (int i = 0; i < n; i++) __VERIFIER_assert(a[i] == 7);
  __VERIFIER_assert(down(3) == 0);
  return 0;
}
";

/// A certificate of version 2 that can be read can be checked: claims of any form, about any value, at any block.
#[test]
fn certificates_of_proofs() {
    let folder = tempfile::tempdir().expect("a folder");
    let (source, file) = (folder.path().join("a.c"), folder.path().join("a.json"));
    std::fs::write(&source, ARGUED).expect("a source");
    let mut command = Command::new(binary());
    command.args([
        "verify",
        "--check",
        "assertions",
        "--timeout",
        "30",
        "--certificate",
    ]);
    let done = command.args([&file, &source]).output().expect("the binary");
    let told = String::from_utf8_lossy(&done.stdout).into_owned();
    assert_eq!(done.status.code(), Some(0), "{told}");
    let seeds = [std::fs::read_to_string(&file).expect("a certificate")];
    assert!(seeds[0].len() < LONGEST_SEED, "{}", seeds[0].len());
    let input = foghorn_frontend::Input::from(source);
    let translation = foghorn_frontend::translate(&[input], &Default::default());
    let mut module = translation.expect("a program").module;
    foghorn_transform::prepare(&mut module, true);
    foghorn_dsa::memory_ssa::plan::purify(&mut module, &foghorn_dsa::Options::default());
    let fuzzed = fuzz("certificate of a proof", &seeds, |text| {
        let Ok(certificate) = serde_json::from_str::<ProofCertificate>(text) else {
            return false;
        };
        if let Ok(checks) = certificate.checks.parse::<CheckSelection>() {
            let budget = Budget::unlimited().within(Duration::from_millis(100));
            for argument in &certificate.arguments {
                let _ = foghorn_certify::prove(&module, &checks, argument, &budget);
            }
        }
        true
    });
    assert_clean("certificate of a proof", &fuzzed);
}

/// A certificate that can be read can be checked, against a program that it was not written for too.
#[test]
fn certificates() {
    let folder = tempfile::tempdir().expect("a folder");
    let (source, file) = (folder.path().join("a.c"), folder.path().join("a.json"));
    let text = "int main(void) { int i = 0; while (i < 10) i++; return i - 10; }\n";
    std::fs::write(&source, text).expect("a source");
    let done = Command::new(binary())
        .args(["check-certificate", "--write"])
        .args([&file, &source])
        .output();
    assert_eq!(done.expect("the binary").status.code(), Some(0));
    let seeds = [std::fs::read_to_string(&file).expect("a certificate")];
    let input = foghorn_frontend::Input::from(source);
    let translation = foghorn_frontend::translate(&[input], &Default::default());
    let mut module = translation.expect("a program").module;
    foghorn_transform::prepare(&mut module, true);
    foghorn_dsa::memory_ssa::plan::purify(&mut module, &foghorn_dsa::Options::default());
    let fuzzed = fuzz("certificate", &seeds, |text| {
        let Ok(certificate) = serde_json::from_str::<Certificate>(text) else {
            return false;
        };
        if let Ok(checks) = certificate.checks.parse::<CheckSelection>() {
            let budget = Budget::unlimited().within(Duration::from_millis(300));
            let _ = foghorn_certify::check(&module, &checks, &certificate, &budget);
        }
        true
    });
    assert_clean("certificate", &fuzzed);
}

#[test]
fn property_files() {
    let seeds = [
        "CHECK( init(main()), LTL(G ! call(reach_error())) )\n",
        "// memory\nCHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\nCHECK( init(main()), LTL(G valid-memtrack) )\n",
        "# others\nCHECK( init(main()), LTL(G ! overflow) )\nCHECK( init(start()), LTL(F end) )\n",
        "CHECK( init(main()), LTL(G valid-memcleanup) )\nCHECK( init(main()), FQL(cover EDGES(@DECISIONEDGE)) )\n",
    ];
    let seeds = seeds.map(str::to_owned);
    let fuzzed = fuzz("property", &seeds, |text| Property::parse(text).is_ok());
    assert_clean("property", &fuzzed);
}

/// Also the text of an error and of a clause can be made.
#[test]
fn horn_clauses() {
    let mut seeds = files(&root().join("crates/foghorn-smt/tests/horn"), "smt2");
    seeds.push(
        "(set-logic HORN)\n(declare-fun inv (Int Int) Bool)\n\
         (declare-fun mem ((_ BitVec 8) (Array (_ BitVec 8) (_ BitVec 8)) Bool) Bool)\n\
         (define-fun half ((x Int) (y Int)) Bool (= (div x 2) y))\n(define-fun top () Int 10)\n\
         (assert (forall ((x Int) (y Int)) (=> (and (half x y) (< x top)) (inv x y))))\n\
         (assert (forall ((x Int) (y Int)) (=> (and (= x 0) (= y 1)) (inv x y))))\n\
         (assert (forall ((x Int) (y Int)) (=> (and (inv x y) (< x 10)) (inv (+ x 1) (let ((z (* 2 y))) (ite (> z 5) z (- y)))))))\n\
         (assert (forall ((i (_ BitVec 8)) (a (Array (_ BitVec 8) (_ BitVec 8)))) (=> (= (select a i) #x0f) (mem (bvadd i #b00000001) (store a i ((_ extract 7 0) (concat i i))) true))))\n\
         (assert (forall ((x Int) (y Int)) (=> (and (inv x y) (not (<= x 10))) false)))\n\
         (check-sat)\n(get-model)\n(exit)\n"
            .to_owned(),
    );
    let fuzzed = fuzz("horn", &seeds, |text| match foghorn_smt::chc::read(text) {
        Ok(_) => true,
        Err(error) => {
            let _ = error.to_string();
            false
        }
    });
    assert_clean("horn", &fuzzed);
}

/// Texts that were once found to be too much for the reader.
#[test]
fn horn_clauses_that_never_end() {
    let nested = format!(
        "{}Int{}",
        "(Array Int ".repeat(100_000),
        ")".repeat(100_000)
    );
    let doubled: String = (1..40)
        .map(|it| format!("(define-fun d{it} () Bool (and d{} d{0}))\n", it - 1))
        .collect();
    let widened: String = (1..40)
        .map(|it| format!("(let ((w{it} (concat w{} w{0}))) ", it - 1))
        .collect();
    for (text, problem) in [
        (
            "(define-fun f () Bool f)\n(assert f)".to_owned(),
            "never end",
        ),
        (
            "(define-fun f ((x Int)) Bool (> x 0))\n(assert (f))".to_owned(),
            "0 arguments",
        ),
        ("(declare-fun p ((_ BitVec 0)) Bool)".to_owned(), "1 to"),
        (
            "(declare-fun p ((_ BitVec 4294967295)) Bool)".to_owned(),
            "1 to",
        ),
        (
            "(assert (= ((_ zero_extend 4294967295) #b1) #b1))".to_owned(),
            "bits are not supported",
        ),
        (format!("(declare-fun p ({nested}) Bool)"), "too deep"),
        (
            format!("(define-fun d0 () Bool true)\n{doubled}(assert d39)"),
            "never end",
        ),
        (
            format!("(assert (let ((w0 #b1)) {widened} true{}))", ")".repeat(39)),
            "not supported",
        ),
    ] {
        let begin: String = text.chars().take(60).collect();
        match foghorn_smt::chc::read(&text) {
            Ok(_) => panic!("accepted: {begin}"),
            Err(error) => assert!(error.to_string().contains(problem), "{begin}: {error}"),
        }
    }
}

#[test]
fn reports() {
    let seeds = [
        output_of(&["verify", "--json", "-"]),
        output_of(&["verify", "--engine", "absint", "--json", "-"]),
    ];
    let fuzzed = fuzz("report", &seeds, |text| {
        serde_json::from_str::<VerificationReport>(text).is_ok()
    });
    assert_clean("report", &fuzzed);
}

#[test]
fn compile_commands() {
    let seeds = [
        r#"[{"directory": "/src", "file": "a.c", "command": "cc -DX=\"a b\" -I include -c a.c -o a.o"},
            {"directory": "sub", "file": "/src/b.c", "arguments": ["clang", "-std=c11", "-isystem", "x", "b.c"]}]"#
            .to_owned(),
        r#"[{"directory": ".", "file": "c.c", "command": "cc 'quoted \\' -D'A(b)=\"c\"' \\\n -include \"d e.h\" c.c"}]"#
            .to_owned(),
    ];
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("compile_commands.json");
    let fuzzed = fuzz("compile-commands", &seeds, |text| {
        std::fs::write(&path, text).expect("a file");
        match foghorn_frontend::read_compile_commands(&path) {
            Ok(commands) => {
                let _ = (commands.all(), commands.choose(&["a.c".into()]));
                true
            }
            Err(error) => {
                let _ = error.to_string();
                false
            }
        }
    });
    assert_clean("compile-commands", &fuzzed);
}

#[test]
fn inputs_of_runs() {
    let seeds =
        ["1\n-2\n0x3f # bits\nname=4.5\naddress=0x1000\ntrue\nnull\nnan\n-inf\n".to_owned()];
    let fuzzed = fuzz("inputs", &seeds, |text| Listed::parse(text).is_ok());
    assert_clean("inputs", &fuzzed);
}

#[test]
fn goto_programs() {
    let seeds = files(&root().join("crates/foghorn-absint/tests"), "fog");
    let fuzzed = fuzz("goto", &seeds, |text| {
        foghorn_absint::language::parse_program(text).is_ok()
    });
    assert_clean("goto", &fuzzed);
}
