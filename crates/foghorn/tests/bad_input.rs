//! Bad input gets one clear message that names the file, exit code 2, and no panic.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The release binary if the test command built one, else the one that cargo built.
fn foghorn() -> PathBuf {
    std::env::var_os("FOGHORN").map_or(env!("CARGO_BIN_EXE_foghorn").into(), PathBuf::from)
}

fn run(command: &str, file: &Path) -> Output {
    Command::new(foghorn())
        .arg(command)
        .arg(file)
        .output()
        .expect("the binary starts")
}

/// Runs both commands on the file and checks what is promised for bad input.
#[track_caller]
fn check(file: &Path, expected: &str) {
    for command in ["ir", "run"] {
        let output = run(command, file);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(
            output.status.code(),
            Some(2),
            "{command} {}: {stderr}",
            file.display()
        );
        assert!(output.stdout.is_empty(), "{command} printed to stdout");
        let name = file.file_name().expect("a file").to_string_lossy();
        assert!(stderr.contains(&*name), "no file name in: {stderr}");
        assert!(stderr.contains(expected), "no '{expected}' in: {stderr}");
        assert!(!stderr.contains("panicked"), "{stderr}");
    }
}

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Folder(tempfile::tempdir().expect("a folder"))
    }

    fn file(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.0.path().join(name);
        std::fs::write(&path, bytes).expect("a file");
        path
    }
}

#[test]
fn missing_file() {
    check(Path::new("/nonexistent/program.c"), "No such file");
}

#[test]
fn c_syntax_error() {
    let folder = Folder::new();
    check(
        &folder.file("broken.c", b"int main(void) { return 0 }\n"),
        "expected ';'",
    );
}

#[test]
fn text_that_is_no_bitcode() {
    let folder = Folder::new();
    check(
        &folder.file("text.bc", b"this is not bitcode"),
        "not LLVM bitcode",
    );
}

#[test]
fn broken_assembly_names_the_line() {
    let folder = Folder::new();
    let text = b"define i32 @main() {\n  ret i32 %nothing\n}\n";
    check(&folder.file("broken.ll", text), "2");
}

#[test]
fn truncated_bitcode() {
    let folder = Folder::new();
    let source = folder.file("whole.c", b"int main(void) { return 0; }\n");
    let whole = folder.0.path().join("whole.bc");
    let clang = foghorn_frontend::default_clang();
    let built = Command::new(clang)
        .args(["-c", "-emit-llvm", "-o"])
        .arg(&whole)
        .arg(&source)
        .status();
    assert!(built.expect("clang starts").success());
    let bytes = std::fs::read(&whole).expect("bitcode");
    for keep in [5, 200, bytes.len() / 2, bytes.len() - 4] {
        check(
            &folder.file("cut.bc", &bytes[..keep]),
            "cannot be read as LLVM IR",
        );
    }
}

#[test]
fn no_entry_function() {
    let folder = Folder::new();
    let file = folder.file("library.c", b"int twice(int x) { return 2 * x; }\n");
    let output = run("run", &file);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(
        stderr.contains("library.c") && stderr.contains("'main'"),
        "{stderr}"
    );
    assert!(stderr.contains("--entry"), "what to do is said: {stderr}");
}

#[test]
fn binary_garbage() {
    let folder = Folder::new();
    let mut state = 88_172_645_463_325_252_u64;
    let garbage: Vec<u8> = std::iter::repeat_with(|| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()[0]
    })
    .take(5000)
    .collect();
    check(&folder.file("garbage.bc", &garbage), "not LLVM bitcode");
    check(&folder.file("garbage.c", &garbage), "garbage.c");
    check(&folder.file("garbage.ll", &garbage), "garbage.ll");
    check(&folder.file("garbage", &garbage), "garbage");
    let magic = [b"BC\xc0\xde".as_slice(), &garbage].concat();
    check(
        &folder.file("magic.bc", &magic),
        "cannot be read as LLVM IR",
    );
}

#[test]
fn empty_files() {
    let folder = Folder::new();
    check(&folder.file("empty.bc", b""), "empty");
    check(&folder.file("empty.c", b""), "empty");
}

#[test]
fn a_directory() {
    let folder = Folder::new();
    let path = folder.0.path().join("folder.c");
    std::fs::create_dir(&path).expect("a folder");
    check(&path, "folder");
}

#[test]
fn two_hundred_megabytes_of_zeros() {
    let folder = Folder::new();
    for name in ["zeros.bc", "zeros.c", "zeros.ll"] {
        let path = folder.0.path().join(name);
        let file = std::fs::File::create(&path).expect("a file");
        file.set_len(200 << 20).expect("a sparse file");
        check(&path, name);
    }
}

#[test]
fn unknown_options_are_usage_errors() {
    let output = Command::new(foghorn())
        .args(["run", "--nonsense"])
        .output()
        .expect("starts");
    assert_eq!(output.status.code(), Some(1));
    let output = Command::new(foghorn())
        .arg("--help")
        .output()
        .expect("starts");
    assert_eq!(output.status.code(), Some(0));
    assert!(String::from_utf8_lossy(&output.stdout).contains("Examples:"));
}
