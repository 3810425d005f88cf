//! The text syntax and the concrete semantics.

use foghorn_absint::language::interpreter::run::Ending;
use foghorn_absint::language::interpreter::{Event, Frame, Outcome, run};
use foghorn_absint::language::{parse_program, print_program};
use foghorn_absint::laws::random::Random;
use foghorn_absint::number::Number;

/// Runs `main` and returns how it ended, with the integers of its last state by name.
fn execute(text: &str) -> (Ending, Vec<(String, Number)>) {
    let program = parse_program(text).expect("a program");
    let main = program.main().expect("a function");
    let mut last = Frame::default();
    let mut oracle = Random::new(1, "language");
    let ending = run(
        &program,
        main,
        Frame::default(),
        10_000,
        &mut oracle,
        &mut |event| {
            if let Event::Block { frame, .. } | Event::Statement { frame, .. } = event {
                last = (*frame).clone();
            }
        },
    );
    let values = last
        .scalars
        .keys()
        .filter_map(|x| Some((program.name(*x), last.known_integer(*x)?)))
        .collect();
    (ending, values)
}

fn body(declarations: &str, statements: &[&str]) -> String {
    format!(
        "function main() {{\n var {declarations}\n entry:\n {}\n goto end\n end:\n return\n}}",
        statements.join("\n ")
    )
}

#[track_caller]
fn check(declarations: &str, statements: &[&str], expected: &[(&str, i64)]) {
    let (ending, values) = execute(&body(declarations, statements));
    assert_eq!(ending, Ending::Returned);
    for (name, value) in expected {
        let found = values
            .iter()
            .find(|(own, _)| own == name)
            .map(|(_, value)| value.clone());
        assert_eq!(found, Some(Number::from(*value)), "{name}");
    }
}

#[test]
fn machine_integers_wrap() {
    check("x: i8", &["x := 127", "x := x + 1"], &[("x", -128)]);
    check(
        "x: i8, y: i8",
        &["x := -128", "y := sdiv x, -1"],
        &[("y", -128)],
    );
    check(
        "x: i8, y: i8",
        &["x := -1", "y := udiv x, 2"],
        &[("y", 127)],
    );
    check("x: i8, y: i8", &["x := -1", "y := lshr x, 4"], &[("y", 15)]);
    check(
        "x: i8, y: i8",
        &["x := -16", "y := ashr x, 2"],
        &[("y", -4)],
    );
    check("x: i8, y: i16", &["x := -1", "y := zext x"], &[("y", 255)]);
    check("x: int", &["x := 127", "x := x + 1"], &[("x", 128)]);
}

#[test]
fn undefined_operations_stop() {
    let stopped =
        |declarations: &str, statements: &[&str]| execute(&body(declarations, statements)).0;
    let undefined = Ending::Stopped(Outcome::Undefined);
    assert_eq!(stopped("x: i8", &["x := 0", "x := sdiv x, x"]), undefined);
    assert_eq!(stopped("x: i8", &["x := 8", "x := shl x, x"]), undefined);
    assert_eq!(
        stopped("p: ptr, x: i8", &["p := null", "x := load p"]),
        undefined
    );
    assert_eq!(
        stopped("p: ptr, x: i32", &["p := alloc 2", "x := load p"]),
        undefined
    );
    assert_eq!(
        stopped("x: i8", &["x := 1", "assert x == 2"]),
        Ending::Stopped(Outcome::Failed)
    );
    assert_eq!(
        stopped("x: i8", &["x := 1", "assume x == 2"]),
        Ending::Stopped(Outcome::Blocked)
    );
}

#[test]
fn arrays_are_bytes() {
    let write = "array_write a, 0, 258, 2 little";
    check(
        "a: array, x: i8",
        &[write, "x := array_read a, 0, 1 little"],
        &[("x", 2)],
    );
    check(
        "a: array, x: i8",
        &[write, "x := array_read a, 1, 1 little"],
        &[("x", 1)],
    );
    check(
        "a: array, x: i16",
        &[write, "x := array_read a, 0, 2 big"],
        &[("x", 513)],
    );
    let big = "array_write a, 0, 258, 2 big";
    check(
        "a: array, x: i8",
        &[big, "x := array_read a, 0, 1 big"],
        &[("x", 1)],
    );
    // Never written, but the same at each read.
    let reads = [
        "x := array_read a, 5, 1 little",
        "y := array_read a, 5, 1 little",
        "z := x - y",
    ];
    check("a: array, x: i8, y: i8, z: i8", &reads, &[("z", 0)]);
}

#[test]
fn memory_behind_pointers() {
    let statements = [
        "p := alloc 8",
        "x := 77",
        "q := ptradd p, 4",
        "store q, x, 4",
        "y := load q",
        "z := 0",
    ];
    check(
        "p: ptr, q: ptr, x: i32, y: i32, z: i32",
        &statements,
        &[("y", 77)],
    );
}

#[test]
fn errors_name_their_place() {
    let cases = [
        (
            "function main() {\n  entry:\n    x := 1\n    return\n}",
            3,
            "no variable",
        ),
        (
            "function main() {\n  var x: i99999\n  entry:\n    return\n}",
            3,
            "no type",
        ),
        (
            "function main() {\n  var x: i8, x: i8\n  entry:\n    return\n}",
            3,
            "declared twice",
        ),
        (
            "function main() {\n  entry:\n    goto nowhere\n}",
            3,
            "no such label",
        ),
        (
            "function main() {\n  var b: bool\n  entry:\n    b := 3\n    return\n}",
            5,
            "",
        ),
        (
            "function main() {\n  var x: int\n  entry:\n    x := udiv x, x\n    return\n}",
            4,
            "needs",
        ),
        (
            "function main() {\n  var x: i8\n  entry:\n    x := x + $\n    return\n}",
            4,
            "",
        ),
        ("banana", 1, "function"),
    ];
    for (text, line, message) in cases {
        let error = parse_program(text).expect_err(text);
        assert!(error.message.contains(message), "{text}: {error}");
        assert!(error.position.line.abs_diff(line) <= 1, "{text}: {error}");
    }
}

#[test]
fn printing_is_stable() {
    let text = body(
        "x: i8, b: bool, a: array",
        &[
            "x := 3",
            "b := x <u 4",
            "assume not b",
            "a := array_init 0, 8, x, 1 big",
            "x := array_read a, 3, 1",
        ],
    );
    let printed = print_program(&parse_program(&text).expect("a program"));
    assert_eq!(
        print_program(&parse_program(&printed).expect("printed text")),
        printed
    );
}
