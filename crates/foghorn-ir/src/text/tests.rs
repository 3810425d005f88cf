//! Tests of the text form.

use super::parse::Problem;
use super::{Numbering, parse_module, print_function, print_module};
use crate::module::FunctionId;
use crate::random::modules;
use cranelift_entity::EntityRef;
use proptest::prelude::*;

const SAMPLE: &str = r#"foghorn-ir 1
layout pointer-bytes 8
entry @main
constructors @setup
inline-site ^0 = "outer" ! main.c:30:3
inline-site ^1 = "inner" ! main.c:20:5 ^0

constant @text size 3 align 1 = { 0: "hi\00" } ! main.c:1:12

global @table size 24 align 8 = {
  0: "\01\02",
  8: @main,
  16: @text + 1
}

external global @environ size 8 align 8

global @zeros size 400 align 4 = zero

declare @puts(ptr) -> i32

model function @setup() {
block0:
  return
}

function @main(i32, ptr) -> i32 ! main.c:8 {
  variable var0 argc signed ! main.c:8:14
block0(v0.argc:i32, v1."the arguments":ptr):
  bind var0, v0
  v2:i1 = overflows signed mul v0, 2           ! main.c:3:20 ^1
  v3:i1 = xor v2, true
  check signed-overflow v3 "v * 2 is too large"
  v4.twice:i32 = mul v0, 2                     ! main.c:3:20 ^1
  v5:ptr = pointer-add @table + 8 + 3 * 8
  v6:f64 = fadd 1.5, 0x7ff8000000000000
  store -1:i8 to v5, align 1
  v7:i1 = compare slt 7:i32, v4
  branch v7, block1(v4, 0:i64), block2
block1(v8:i32, v9:i64):
  v10:i32 = call @puts(@text)
  v11:f64 = call-math "sin"(v6)
  v12:i64 = call-builtin object-size(v1)
  v13:i64 = add v9, 1
  v14:i1 = fcompare oeq v11, 0.0
  branch v14, block1(v10, v13), block2
block2:
  return 0:i32
}
"#;

#[test]
fn the_sample_round_trips() {
    let module = parse_module(SAMPLE).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(print_module(&module), SAMPLE);
}

#[test]
fn meanings_of_the_sample() {
    let module = parse_module(SAMPLE).unwrap_or_else(|e| panic!("{e}"));
    let main = module.function_named("main").expect("main");
    assert_eq!(module.entry, Some(main));
    let function = &module.functions[main];
    let body = function.body.as_ref().expect("a body");
    assert_eq!(body.blocks.len(), 3);
    let overflow = body.blocks[body.entry].instructions[1];
    let span = module.spans.span(body.instructions[overflow].span);
    let site = span.inlined_at.as_ref().expect("inlined");
    assert_eq!((span.line, &*site.callee), (3, "inner"));
    assert_eq!(module.spans.describe(site.call), "main.c:20:5");
    assert_eq!(module.spans.describe(function.span), "main.c:8");
    assert!(module.functions[module.constructors[0]].is_model);
}

#[test]
fn raw_numbers_are_those_in_memory() {
    let module = parse_module(SAMPLE).unwrap_or_else(|e| panic!("{e}"));
    let main = module.function_named("main").expect("main");
    let body = module.functions[main].body.as_ref().expect("a body");
    let last = *body.blocks[body.entry]
        .instructions
        .last()
        .expect("not empty");
    let text = print_function(&module, main, &Numbering::raw());
    let definition = format!("{}:i1 = compare slt", body.result(last));
    assert!(text.contains(&definition), "{text}");
}

/// The first line and column of the error, and the error.
fn error(text: &str) -> (u32, u32, Problem) {
    let error = parse_module(text).expect_err("an error");
    (error.line, error.column, error.problem)
}

fn function(body: &str) -> String {
    format!("foghorn-ir 1 layout pointer-bytes 8\nfunction @f(i32) -> i32 {{\n{body}\n}}\n")
}

#[test]
fn errors_name_the_place_and_what_was_expected() {
    let cases = [
        ("", "1:1: expected 'foghorn-ir', found the end of the text"),
        ("foghorn-ir 2", "1:12: expected version 1, found '2'"),
        (
            "foghorn-ir 1 layout pointer-bytes 2",
            "1:35: expected 4 or 8, found '2'",
        ),
        (
            "foghorn-ir 1 layout pointer-bytes 8\nentry @main",
            "2:7: @main is not defined",
        ),
        (
            "foghorn-ir 1 layout pointer-bytes 8\nglobal @g size 1 align 1 = zero\nglobal @g size 1 align 1 = zero",
            "3:8: @g is defined twice",
        ),
        (
            "foghorn-ir 1 layout pointer-bytes 8 global @g size 1 align 1 = { 0: \"a\\4\" }",
            "1:72: expected two hexadecimal digits after '\\', found '4'",
        ),
        (
            "foghorn-ir 1 layout pointer-bytes 8 declare @f(i0)",
            "1:48: expected a type, found 'i0'",
        ),
        (
            "foghorn-ir 1 layout pointer-bytes 8 function @f() {",
            "1:52: expected '}', found the end of the text",
        ),
    ];
    for (text, expected) in cases {
        let error = parse_module(text).expect_err(text);
        assert_eq!(error.to_string(), expected, "{text}");
    }
}

#[test]
fn errors_in_bodies() {
    let cases = [
        ("block0(v0:i32):\n  return v1", "4:10: v1 is not defined"),
        (
            "block0(v0:i32):\n  jump block7",
            "4:8: block7 is not defined",
        ),
        ("block0(v0:i32):\nblock0:", "4:1: block0 is defined twice"),
        (
            "block0(v0:i32):\n v0:i32 = add v0, 1",
            "4:2: v0 is defined twice",
        ),
        (
            "block0(v0:i32):\n  v1:i8 = add 256, 1",
            "4:15: expected a number of 8 bits, found a greater one",
        ),
        (
            "block0(v0:i32):\n  return 1",
            "5:1: expected ':' and the type of the number, found '}'",
        ),
        (
            "block0(v0:i32):\n  frobnicate v0",
            "4:3: expected an instruction, found 'frobnicate'",
        ),
        (
            "block0(v0:i32):\n  check fire v0",
            "4:9: expected a kind of check, found 'fire'",
        ),
        (
            "block0(v0:i32):\n  v1:i32 = load v0",
            "5:1: expected ',', found '}'",
        ),
        (
            "block0(v0:i32):\n  bind var0, v0",
            "4:8: var0 is not defined",
        ),
        ("block0(v0:i32):\n  call @g()", "4:8: @g is not defined"),
        (
            "block0(v0:i32):\n  v1:f64 = fadd 1, 2.0",
            "4:17: expected a number with a point, or the bits in hexadecimal, found an integer",
        ),
        (
            "block0(v0:i32):\n  return v0 ! a.c:1 ^3",
            "4:21: site ^3 is not defined",
        ),
        (
            "v0:i32 = add 1, 2",
            "3:1: expected a block such as 'block0:', or '}', found 'v0'",
        ),
    ];
    for (body, expected) in cases {
        let (line, column, problem) = error(&function(body));
        assert_eq!(format!("{line}:{column}: {problem}"), expected, "{body}");
    }
}

#[test]
fn blocks_and_values_may_be_used_before_their_definition() {
    let text = function(
        "block5(v9:i32): jump block2 block1: return v3 block2: v3:i32 = add v9, 1 jump block1",
    );
    let module = parse_module(&text).unwrap_or_else(|e| panic!("{e}"));
    let body = module.functions[FunctionId::new(0)]
        .body
        .as_ref()
        .expect("a body");
    assert_eq!(body.blocks.len(), 3);
    let printed = print_module(&module);
    assert!(
        printed.contains("block1:\n  return v1\nblock2:\n  v1:i32 = add v0, 1\n"),
        "{printed}"
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn random_modules_round_trip(module in modules()) {
        let printed = print_module(&module);
        let parsed = parse_module(&printed)
            .map_err(|e| TestCaseError::fail(format!("{e}\n{printed}")))?;
        prop_assert_eq!(print_module(&parsed), printed);
        prop_assert_eq!(parsed.globals.values().collect::<Vec<_>>().len(), module.globals.len());
    }

    /// Whatever is done to a text, the parser answers.
    #[test]
    fn damaged_texts_do_not_panic(at in 0usize..SAMPLE.len(), cut in 0usize..40, with in "[ -~]{0,4}") {
        let end = (at + cut).min(SAMPLE.len());
        let text = format!("{}{with}{}", &SAMPLE[..at], &SAMPLE[end..]);
        if let Err(error) = parse_module(&text) {
            prop_assert!(error.line >= 1 && error.column >= 1);
        }
    }
}
