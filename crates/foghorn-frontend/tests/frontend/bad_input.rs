//! Bad input: one clear message that names the file, never a crash.

use foghorn_frontend::{FrontendError, Input, Options, translate};
use std::path::{Path, PathBuf};

fn attempt(paths: &[&Path]) -> Result<(), FrontendError> {
    let inputs: Vec<Input> = paths.iter().map(|p| Input::from(p.to_path_buf())).collect();
    translate(&inputs, &Options::default()).map(|_| ())
}

fn fails(path: &Path) -> FrontendError {
    let error = attempt(&[path]).expect_err("bad input");
    let message = error.to_string();
    assert!(
        message.contains(&path.display().to_string()),
        "does not name the file: {message}"
    );
    error
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

fn file(folder: &tempfile::TempDir, name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).expect("writable");
    path
}

/// Bitcode of a small program, from clang.
fn bitcode(folder: &tempfile::TempDir) -> Vec<u8> {
    let source = file(folder, "small.c", b"int main(void) { return 0; }");
    let output = folder.path().join("small.bc");
    let clang = format!("{}/clang", env!("FOGHORN_LLVM_BIN"));
    let status = std::process::Command::new(clang)
        .args(["-c", "-emit-llvm", "-o"])
        .arg(&output)
        .arg(&source)
        .status()
        .expect("clang starts");
    assert!(status.success());
    std::fs::read(output).expect("written")
}

#[test]
fn no_files() {
    assert!(matches!(attempt(&[]), Err(FrontendError::NoInput)));
}

#[test]
fn missing_file() {
    let folder = folder();
    let error = fails(&folder.path().join("nowhere.c"));
    assert!(matches!(error, FrontendError::Read { .. }));
}

#[test]
fn directory() {
    let folder = folder();
    assert!(matches!(
        fails(folder.path()),
        FrontendError::Directory { .. }
    ));
}

#[test]
fn empty_file() {
    let folder = folder();
    for name in ["empty.c", "empty.bc", "empty.ll"] {
        assert!(matches!(
            fails(&file(&folder, name, b"")),
            FrontendError::Empty { .. }
        ));
    }
}

#[test]
fn syntax_error_shows_the_line() {
    let folder = folder();
    let path = file(&folder, "wrong.c", b"int main(void) {\n  return 0 0;\n}\n");
    let error = fails(&path);
    assert!(matches!(error, FrontendError::Compile { .. }));
    assert!(error.to_string().contains("wrong.c:2:"), "{error}");
}

#[test]
fn garbage() {
    let folder = folder();
    let bytes: Vec<u8> = (0..5000u32)
        .map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8)
        .collect();
    for name in ["noise.c", "noise.bc", "noise.ll", "noise"] {
        let error = fails(&file(&folder, name, &bytes));
        assert!(
            matches!(error, FrontendError::NotAProgram { .. }),
            "{error}"
        );
    }
}

#[test]
fn two_hundred_megabytes_of_zeros() {
    let folder = folder();
    for name in ["zeros.bc", "zeros.c"] {
        let path = folder.path().join(name);
        let handle = std::fs::File::create(&path).expect("writable");
        handle.set_len(200 << 20).expect("sparse file");
        assert!(matches!(fails(&path), FrontendError::NotAProgram { .. }));
    }
}

#[test]
fn truncated_bitcode() {
    let folder = folder();
    let whole = bitcode(&folder);
    for length in [4, 5, 64, whole.len() / 3, whole.len() / 2, whole.len() - 4] {
        let path = file(&folder, "cut.bc", &whole[..length]);
        assert!(
            matches!(fails(&path), FrontendError::Bitcode { .. }),
            "{length} bytes"
        );
    }
}

#[test]
fn damaged_bitcode_never_crashes() {
    let folder = folder();
    let whole = bitcode(&folder);
    for position in (8..whole.len()).step_by(311) {
        let mut damaged = whole.clone();
        damaged[position] ^= 0x55;
        // Some damage is not noticeable; what counts is that we come back.
        let _ = attempt(&[&file(&folder, "damaged.bc", &damaged)]);
    }
}

#[test]
fn text_that_is_no_ir() {
    let folder = folder();
    let path = file(
        &folder,
        "prose.ll",
        b"define i32 @main() {\n  ret i33 0\n}\n",
    );
    let error = fails(&path);
    assert!(matches!(error, FrontendError::Bitcode { .. }));
    assert!(error.to_string().contains(":2:"), "no line: {error}");
}

#[test]
fn no_main() {
    let folder = folder();
    let path = file(&folder, "library.c", b"int twice(int x) { return 2 * x; }");
    let error = fails(&path);
    assert!(matches!(error, FrontendError::NoEntry { .. }));
    assert!(error.to_string().contains("twice"), "{error}");
}

#[test]
fn one_name_defined_twice() {
    let folder = folder();
    let first = file(
        &folder,
        "first.c",
        b"int f(void) { return 1; } int main(void) { return f(); }",
    );
    let second = file(&folder, "second.c", b"int f(void) { return 2; }");
    let error = attempt(&[&first, &second]).expect_err("a clash");
    let message = error.to_string();
    assert!(matches!(error, FrontendError::Link { .. }));
    assert!(
        message.contains("first.c") && message.contains("second.c"),
        "{message}"
    );
    assert!(message.contains('f'), "{message}");
}
