//! Bitcode from rustc (panic = abort): right output, and a panic is a failed check at its line.

use foghorn_core::CheckKind;
use foghorn_frontend::{Input, Options, translate};
use foghorn_ir::interpret::{Outcome, Program, RecordedWorld, Zeros};

/// What the program prints, how it ends, and the line where it failed.
fn run(source: &str, optimise: bool) -> (String, Outcome, u32) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("program.rs");
    let output = folder.path().join("program.bc");
    std::fs::write(&path, source).expect("writable");
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let status = std::process::Command::new(rustc)
        .args([
            "--edition=2021",
            "--emit=llvm-bc",
            "-g",
            "-C",
            "panic=abort",
            "-C",
        ])
        .arg(format!("opt-level={}", if optimise { 3 } else { 0 }))
        .arg("-o")
        .arg(&output)
        .arg(&path)
        .status()
        .expect("rustc starts");
    assert!(status.success());
    let translation =
        translate(&[Input::from(output)], &Options::default()).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(translation.unsupported, []);
    assert_eq!(foghorn_ir::verify_module(&translation.module), []);
    let mut world = RecordedWorld::default();
    let options = foghorn_ir::interpret::Options {
        max_steps: Some(1_000_000),
        ..Default::default()
    };
    let outcome = Program::new(&translation.module)
        .run(&options, &mut Zeros, &mut world)
        .expect("it starts")
        .outcome;
    let line = match &outcome {
        Outcome::Failed(failure) => translation.module.spans.span(failure.span).line,
        _ => 0,
    };
    (
        String::from_utf8_lossy(&world.output).into_owned(),
        outcome,
        line,
    )
}

#[test]
fn recursion_and_foreign_output() {
    let source = r#"
extern "C" { fn printf(format: *const u8, ...) -> i32; }
fn fib(n: u32) -> u32 { if n < 2 { n } else { fib(n - 1) + fib(n - 2) } }
fn main() { for i in 0..8 { unsafe { printf(b"%u \0".as_ptr(), fib(i)); } } }
"#;
    for optimise in [false, true] {
        let (output, outcome, _) = run(source, optimise);
        assert_eq!(outcome, Outcome::Exited { code: 0 });
        assert_eq!(output, "0 1 1 2 3 5 8 13 ");
    }
}

#[test]
fn enums_slices_and_boxes() {
    let source = r#"
extern "C" { fn printf(format: *const u8, ...) -> i32; }
struct Point { x: i32, y: i32 }
enum Shape { Circle(i32), Rect(Point, Point), Empty }
fn area(shape: &Shape) -> i32 {
    match shape {
        Shape::Circle(r) => 3 * r * r,
        Shape::Rect(a, b) => (b.x - a.x) * (b.y - a.y),
        Shape::Empty => 0,
    }
}
fn main() {
    let shapes = [Shape::Circle(2), Shape::Rect(Point { x: 0, y: 1 }, Point { x: 3, y: 5 }), Shape::Empty];
    let total = Box::new(shapes.iter().map(area).sum::<i32>());
    unsafe { printf(b"%d %d\0".as_ptr(), *total, shapes.len() as i32); }
}
"#;
    for optimise in [false, true] {
        let (output, outcome, _) = run(source, optimise);
        assert_eq!(outcome, Outcome::Exited { code: 0 });
        assert_eq!(output, "24 3");
    }
}

#[test]
fn a_panic_is_a_failed_check_at_its_line() {
    let source = "fn at(v: &[i32], i: usize) -> i32 {\n    v[i]\n}\nfn main() {\n    let v = [1, 2, 3];\n    std::process::exit(at(&v, v.len()));\n}\n";
    let (_, outcome, line) = run(source, false);
    assert!(
        matches!(&outcome, Outcome::Failed(f) if f.kind == CheckKind::Assertion),
        "{outcome:?}"
    );
    assert_eq!(line, 2);
    let source = "#[inline(never)]\nfn add(a: u8, b: u8) -> u8 {\n    a + b\n}\nfn main() {\n    if add(250, 10) > 3 { std::process::exit(3); }\n}\n";
    let (_, outcome, line) = run(source, false);
    assert!(
        matches!(&outcome, Outcome::Failed(f) if f.message.contains("add overflow")),
        "{outcome:?}"
    );
    assert_eq!(line, 3);
}
