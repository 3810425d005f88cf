//! Nothing is assumed behind the user's back: what is not understood is said, in these words.

use std::path::{Path, PathBuf};
use std::process::Command;

fn foghorn() -> PathBuf {
    std::env::var_os("FOGHORN").map_or(env!("CARGO_BIN_EXE_foghorn").into(), PathBuf::from)
}

/// Writes the files and verifies them together.
fn verify(files: &[(&str, &str)], options: &[&str]) -> serde_json::Value {
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = Command::new(foghorn());
    command.current_dir(folder.path());
    command.args(["verify", "--timeout", "60", "--json", "-"]);
    command.args(options);
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).expect("a file");
        command.arg(Path::new(name));
    }
    let output = command.output().expect("foghorn runs");
    serde_json::from_slice(&output.stdout).expect("a report")
}

#[track_caller]
fn is_unsupported(name: &str, text: &str, construct: &str, line: u32) {
    let report = verify(&[(name, text)], &[]);
    assert_eq!(report["verdict"], "unknown", "{report:#}");
    let expected = format!("unsupported: {construct} at {name}:{line}");
    let reason = report["reason"].as_str().expect("a reason");
    assert!(reason.starts_with(&expected), "{reason}");
}

#[test]
fn threads_processes_and_jumps() {
    let threads = "#include <pthread.h>\nstatic void *f(void *p) { return p; }\nint main(void) {\n  \
        pthread_t t;\n  return pthread_create(&t, 0, f, 0);\n}\n";
    is_unsupported("t.c", threads, "pthread_create", 5);
    let processes = "#include <unistd.h>\nint main(void) {\n  return fork() == 0;\n}\n";
    is_unsupported("p.c", processes, "fork", 3);
    let jumps = "#include <setjmp.h>\njmp_buf b;\nint main(void) {\n  \
        if (setjmp(b)) return 0;\n  longjmp(b, 1);\n}\n";
    is_unsupported("j.c", jumps, "_setjmp", 4);
    let standard = "int thrd_create(unsigned long *, int (*)(void *), void *);\n\
        static int f(void *p) { return p != 0; }\nint main(void) {\n  unsigned long t;\n  \
        return thrd_create(&t, f, 0);\n}\n";
    is_unsupported("s.c", standard, "thrd_create", 5);
}

#[test]
fn exceptions() {
    let thrown = "int main() {\n  throw 3;\n}\n";
    is_unsupported("e.cpp", thrown, "C++ exception", 2);
    let cast = "struct A { virtual ~A() {} };\nstruct B : A {};\nint main() {\n  A a;\n  A *p = &a;\n  \
        return dynamic_cast<B *>(p) != nullptr;\n}\n";
    is_unsupported("d.cpp", cast, "dynamic_cast", 6);
}

#[test]
fn names_of_dialects_that_nobody_knows() {
    for name in [
        "__CPROVER_frobnicate",
        "__VERIFIER_frobnicate",
        "__ESBMC_frobnicate",
        "sea_frobnicate",
        "klee_frobnicate",
    ] {
        let text = format!("int {name}(int);\nint main(void) {{\n  return {name}(1);\n}}\n");
        is_unsupported("n.c", &text, name, 3);
    }
    // Through a pointer too.
    let text = "int klee_frobnicate(int);\nstatic int call(int (*f)(int)) { return f(1); }\n\
        int main(void) { return call(klee_frobnicate); }\n";
    let report = verify(&[("n.c", text)], &[]);
    assert_eq!(report["verdict"], "unknown", "{report:#}");
    // With a body it is an ordinary function.
    let text = "int sea_level(int x) { return x; }\nint main(void) { return sea_level(0); }\n";
    assert_eq!(verify(&[("n.c", text)], &[])["verdict"], "safe");
}

#[test]
fn assertions_of_dialects_in_cxx() {
    let text = "void __VERIFIER_assert(bool);\nint main() {\n  int x = 3;\n  \
        __VERIFIER_assert(x == 4);\n}\n";
    let report = verify(&[("a.cpp", text)], &[]);
    assert_eq!(report["verdict"], "unsafe", "{report:#}");
}

#[test]
fn declarations_of_other_files_must_fit() {
    let callers = [
        (
            "int f(int, int);\nint main(void) { return f(1, 2); }\n",
            "unsafe",
        ),
        (
            "long f(int);\nint main(void) { return f(1) == 7; }\n",
            "unsafe",
        ),
        ("int f(long);\nint main(void) { return f(1); }\n", "unsafe"),
        ("int f(void);\nint main(void) { return f(); }\n", "unsafe"),
        ("int f(int);\nint main(void) { return f(1); }\n", "safe"),
        // Without a prototype, arguments that fit after promotion do.
        (
            "int f();\nint main(void) { short s = 1; return f(s); }\n",
            "safe",
        ),
        // Nobody looks at the result.
        ("void f(int);\nint main(void) { f(1); return 0; }\n", "safe"),
    ];
    for (caller, verdict) in callers {
        let definition = "int f(int a) { return a / 2; }\n";
        let report = verify(&[("caller.c", caller), ("definition.c", definition)], &[]);
        assert_eq!(report["verdict"], verdict, "{caller}\n{report:#}");
        if verdict == "unsafe" {
            let checks = report["checks"].to_string();
            assert!(checks.contains("invalid-call"), "{checks}");
        }
    }
}

#[test]
fn calls_without_a_declaration_are_told() {
    let text = "int main(void) {\n  int x = 3, unused;\n  assert(x == 3);\n  return 0;\n}\n";
    let report = verify(&[("a.c", text)], &[]);
    assert_eq!(report["verdict"], "safe", "{report:#}");
    let warnings = report["warnings"].to_string();
    assert!(
        warnings.contains("a.c:3:3: 'assert' is called without a declaration"),
        "{warnings}"
    );
    assert!(!warnings.contains("clang:"), "{warnings}");
    let report = verify(&[("a.c", text)], &["--warnings"]);
    let warnings = report["warnings"].to_string();
    assert!(
        warnings.contains("clang: a.c:3:3: warning: call to undeclared"),
        "{warnings}"
    );
}

#[test]
fn numbers_are_printed_as_their_types_say() {
    let text = "#include <assert.h>\n#include <stddef.h>\n#include <stdint.h>\n\
        int main(void) {\n  size_t n = -1;\n  uint8_t b = 200;\n  int8_t c = -56;\n  \
        assert(n == b + c);\n}\n";
    let report = verify(&[("n.c", text)], &[]);
    assert_eq!(report["verdict"], "unsafe", "{report:#}");
    let trace = report["checks"].to_string();
    for value in ["18446744073709551615", "\"200\"", "\"-56\""] {
        assert!(trace.contains(value), "{value}: {trace}");
    }
}
