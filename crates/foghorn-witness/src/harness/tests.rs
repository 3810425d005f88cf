//! Harnesses of small programs in textual IR.

use super::command::{Build, Part, shown};
use super::{About, harness};
use crate::trace::Location;
use foghorn_core::CheckKind;
use foghorn_ir::interpret::{Listed, Options, Program, RecordedWorld};
use foghorn_ir::text::parse_module;

fn written(body: &str, inputs: &str) -> super::Harness {
    written_with(body, inputs, &[])
}

fn written_with(body: &str, inputs: &str, layout: &[String]) -> super::Harness {
    let text = format!(
        "foghorn-ir 1\nlayout pointer-bytes 8\nentry @main\n\
         external global @mode size 4 align 4\nfunction @main() -> i32 ! a.c:1 {{\nvariable var0 x signed ! a.c:2\nblock0:\n{body}\n}}"
    );
    let module = parse_module(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let options = Options::default();
    let mut source = Listed::parse(inputs).expect("inputs");
    let run = Program::new(&module).run(&options, &mut source, &mut RecordedWorld::default());
    let choices = run.expect("starts").choices;
    let about = About {
        kind: CheckKind::Assertion,
        location: &Location::default(),
        build: "clang a.c",
        run: "./a.out",
        layout,
    };
    harness(&module, &options, &choices, b"", &about).expect("starts")
}

#[test]
fn each_function_has_its_values_in_order() {
    let body = "v0:i32 = nondet input \"nd_int\"
        v1:i64 = nondet input \"nd_ulong\"
        v2:i32 = nondet input \"nd_int\"
        v3:f32 = nondet input \"verifier.nondet.f\"
        v4:i1 = nondet input \"nd_bool\"
        v5:i32 = nondet uninitialised \"x\"
        check assertion false
        v6:i8 = nondet input \"nd_char\"
        return 0:i32";
    let written = written(body, "-5\n18446744073709551615\n-2147483648\n0.5\n1\n7");
    let source = &written.source;
    for expected in [
        "int nd_int() {\n  static int const values[] = {-5, -2147483648ll};",
        "static unsigned long long const values[] = {18446744073709551615ull};",
        "float verifier_dot_nondet_dot_f() __asm__(\"verifier.nondet.f\");",
        "static float const values[] = {0.5f};",
        "static _Bool const values[] = {1ull};",
        "__attribute__((weak)) signed char nd_char() {",
        "'x' may be read before it is written",
    ] {
        assert!(source.contains(expected), "no {expected} in\n{source}");
    }
    assert_eq!(written.limits.len(), 1);
}

#[test]
fn what_depends_on_the_layout_says_so() {
    let body = "check assertion false\n return 0:i32";
    let layout = ["'b' at 0x1010, directly behind 'a'".to_owned()];
    let written = written_with(body, "", &layout);
    let expected = "depends on where objects lie ('b' at 0x1010, directly behind 'a'); a native run \
                    may not show it";
    assert!(written.source.contains(expected), "{}", written.source);
    assert_eq!(written.limits.len(), 1);
}

#[test]
fn havocked_memory_and_undefined_globals_get_their_bytes() {
    let body = "v0:ptr = allocate stack 8, align 8
        call-builtin havoc-memory(v0, 6:i64)
        v1:ptr = pointer-add v0 + 2
        v2:i16 = load v1, align 2
        v3:i32 = load @mode, align 4
        call-builtin havoc-memory(v0, 1:i64)
        check assertion false
        return 0:i32";
    let written = written(body, "0x0201\n0x40");
    for expected in [
        "foghorn_havoc_0[6] = {0, 0, 1, 2, 0, 0};",
        "foghorn_havoc_1[1] = {0};",
        "unsigned char mode[4] = {64, 0, 0, 0};",
        "foghorn_havoc_count = 2;",
    ] {
        let source = &written.source;
        assert!(source.contains(expected), "no {expected} in\n{source}");
    }
    assert!(written.limits.is_empty(), "{:?}", written.limits);
}

#[test]
fn parts_of_a_project_are_compiled_where_they_are() {
    let part = Part {
        folder: "/project/src".to_owned(),
        source: "a.c".to_owned(),
        arguments: vec!["-DX=1".to_owned()],
        object: "/out/part0.o".to_owned(),
    };
    let build = Build {
        clang: "clang".to_owned(),
        parts: vec![part],
        harness: "out/harness.c".to_owned(),
        program: "out/failing".to_owned(),
        ..Build::default()
    };
    let text = build.command(CheckKind::Leak);
    assert!(text.starts_with("(cd /project/src && clang "), "{text}");
    assert!(
        text.contains("-DX=1 -c a.c -o /out/part0.o) && clang "),
        "{text}"
    );
    assert!(
        text.ends_with("/out/part0.o out/harness.c -o out/failing -lm"),
        "{text}"
    );
}

#[test]
fn the_command_quotes_what_a_shell_would_read() {
    let build = Build {
        clang: "clang".to_owned(),
        sources: vec!["a b.c".to_owned()],
        harness: "h.c".to_owned(),
        program: "failing".to_owned(),
        ..Build::default()
    };
    let words = build.words(CheckKind::Leak);
    let text = shown(&words);
    assert!(text.starts_with("clang -g -O0"), "{text}");
    assert!(text.ends_with("'a b.c' h.c -o failing -lm"), "{text}");
    assert!(text.contains("-fsanitize=address"), "{text}");
}
