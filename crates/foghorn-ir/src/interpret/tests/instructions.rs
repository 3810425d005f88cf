//! One program or more for each instruction.

use super::*;

#[test]
fn integers_of_every_width() {
    main_exits("v0:i7 = add 100, 100\n v1:i32 = zext v0\n return v1", 72);
    main_exits("v0:i7 = add 100, 0\n v1:i32 = sext v0\n return v1", -28);
    main_exits(
        "v0:i128 = shl 1, 100\n v1:i128 = sub v0, 1\n v2:i128 = ctpop v1\n v3:i32 = trunc v2\n return v3",
        100,
    );
    main_exits(
        "v0:i100 = shl 1, 99\n v1:i128 = sext v0\n v2:i128 = ashr v1, 99\n v3:i32 = trunc v2\n return v3",
        -1,
    );
    main_exits(
        "v0:i128 = mul 0x10000000000000000, 3\n v1:i1 = compare ugt v0, 5\n v2:i32 = zext v1\n return v2",
        1,
    );
    main_exits(
        "v0:i33 = sub 0, 1\n v1:i33 = lshr v0, 30\n v2:i32 = trunc v1\n return v2",
        7,
    );
    main_exits("v0:i32 = sdiv -7, 2\n return v0", -3);
    main_exits("v0:i32 = srem -7, 2\n return v0", -1);
    main_exits("v0:i32 = udiv 7, 0\n return v0", -1);
    main_exits("v0:i32 = shl 1, 33\n return v0", 2);
    main_exits(
        "v0:i16 = bswap 0x1234\n v1:i32 = zext v0\n return v1",
        0x3412,
    );
}

#[test]
fn overflow_tests() {
    main_exits(
        "v0:i1 = overflows signed add 2147483647:i32, 1\n v1:i32 = zext v0\n return v1",
        1,
    );
    main_exits(
        "v0:i1 = overflows unsigned add 2147483647:i32, 1\n v1:i32 = zext v0\n return v1",
        0,
    );
    main_exits(
        "v0:i1 = overflows signed mul 0x40000000000000000000000000000000:i128, 2\n v1:i32 = zext v0\n return v1",
        1,
    );
    main_exits(
        "v0:i1 = overflows unsigned sub 0:i8, 1\n v1:i32 = zext v0\n return v1",
        1,
    );
}

#[test]
fn floats_round_once_in_their_own_format() {
    // 16777216 + 1 is not an f32; the sum of two f32 stays one.
    main_exits(
        "v0:f32 = fadd 16777216.0, 1.0\n v1:i32 = fptosi v0\n return v1",
        16_777_216,
    );
    main_exits(
        "v0:f64 = fdiv 1.0, 3.0\n v1:f64 = fmul v0, 3.0\n v2:i1 = fcompare oeq v1, 1.0\n v3:i32 = zext v2\n return v3",
        1,
    );
    main_exits(
        "v0:f64 = fdiv 0.0, 0.0\n v1:i1 = fcompare uno v0, v0\n v2:i32 = zext v1\n return v2",
        1,
    );
    main_exits(
        "v0:i8 = fptosi 1000.0:f64\n v1:i32 = sext v0\n return v1",
        127,
    );
    main_exits("v0:i8 = fptoui -5.0:f64\n v1:i32 = sext v0\n return v1", 0);
    main_exits(
        "v0:f64 = fsqrt 2.25\n v1:f64 = fmul v0, 2.0\n v2:i32 = fptosi v1\n return v2",
        3,
    );
    main_exits(
        "v0:f64 = froundeven 2.5\n v1:i32 = fptosi v0\n return v1",
        2,
    );
    main_exits("v0:f64 = fround 2.5\n v1:i32 = fptosi v0\n return v1", 3);
    main_exits(
        "v0:f64 = sitofp -3:i32\n v1:f64 = fabs v0\n v2:i32 = fptosi v1\n return v2",
        3,
    );
    main_exits(
        "v0:i64 = bitcast 1.0:f64\n v1:i64 = lshr v0, 52\n v2:i32 = trunc v1\n return v2",
        1023,
    );
    main_exits(
        "v0:f64 = call-math \"pow\"(2.0:f64, 10.0:f64)\n v1:i32 = fptosi v0\n return v1",
        1024,
    );
}

#[test]
fn fused_multiply_add_rounds_once() {
    // (1 + 2^-52)² - (1 + 2^-51) is 2^-104 exactly, and 0 with two roundings.
    let body = "v0:f64 = fma 0x3ff0000000000001, 0x3ff0000000000001, 0xbff0000000000002
        v1:i1 = fcompare ogt v0, 0.0
        v2:i32 = zext v1
        return v2";
    main_exits(body, 1);
}

#[test]
fn select_and_branches_with_parallel_moves() {
    main_exits("v0:i32 = select true, 1, 2\n return v0", 1);
    // Swaps its two parameters each time round.
    let body = "jump block1(1:i32, 2:i32, 0:i32)
        block1(v0:i32, v1:i32, v2:i32):
        v3:i32 = add v2, 1
        v4:i1 = compare slt v3, 6
        branch v4, block1(v1, v0, v3), block2(v0)
        block2(v5:i32):
        return v5";
    main_exits(body, 2);
}

#[test]
fn a_loop_sums() {
    let body = "jump block1(0:i32, 0:i32)
        block1(v0:i32, v1:i32):
        v2:i1 = compare sle v0, 100
        branch v2, block2, block3
        block2:
        v3:i32 = add v1, v0
        v4:i32 = add v0, 1
        jump block1(v4, v3)
        block3:
        return v1";
    main_exits(body, 5050);
}

#[test]
fn pointers_move_by_bytes_and_scaled_indices() {
    let body = "v0:ptr = allocate stack 64, align 8
        memory-set v0, 0, 64
        v1:i64 = sub 0, 2
        v2:ptr = pointer-add v0 + 40 + v1 * 8 + 1 * 4
        store 7:i32 to v2, align 4
        v3:ptr = pointer-add v0 + 28
        v4:i32 = load v3, align 4
        return v4";
    main_exits(body, 7);
}

#[test]
fn odd_widths_occupy_whole_bytes() {
    let body = "v0:ptr = allocate stack 8, align 1
        memory-set v0, -1, 8
        store 5:i17 to v0, align 1
        v1:i32 = load v0, align 1
        return v1";
    main_exits(body, 0xff00_0005_u32 as i32);
    let body = "v0:ptr = allocate stack 16, align 1
        v1:i128 = shl 3, 100
        store v1 to v0, align 1
        v2:ptr = pointer-add v0 + 12
        v3:i32 = load v2, align 1
        v4:i128 = load v0, align 1
        v5:i1 = compare eq v4, v1
        check assertion v5
        return v3";
    main_exits(body, 3 << 4);
}

#[test]
fn the_sum_of_an_array() {
    let items = "global @a size 12 align 4 = { 0: \"\\01\\00\\00\\00\\02\\00\\00\\00\\03\" }";
    let body = "jump block1(0:i64, 0:i32)
        block1(v0:i64, v1:i32):
        v2:ptr = pointer-add @a + v0 * 4
        v3:i32 = load v2, align 4
        v4:i32 = add v1, v3
        v5:i64 = add v0, 1
        v6:i1 = compare ult v5, 3
        branch v6, block1(v5, v4), block2
        block2:
        return v4";
    exits(&with_main(items, body), 6);
}

#[test]
fn assumptions_and_halts_end_the_run() {
    let outcome = |body: &str| run(&with_main("", body)).outcome;
    let unchecked = Options {
        checks: [].into(),
        ..Options::default()
    };
    assert!(matches!(
        outcome("assume false\n return 0:i32"),
        Outcome::AssumptionViolated { .. }
    ));
    assert_eq!(outcome("halt exit 3"), Outcome::Exited { code: 3 });
    assert_eq!(outcome("halt abort 134"), Outcome::Aborted { code: 134 });
    assert!(matches!(
        run_with(
            &with_main("", "check unreachable false\nunreachable"),
            &unchecked,
            &mut Zeros
        )
        .outcome,
        Outcome::AssumedAway {
            kind: CheckKind::Unreachable,
            ..
        }
    ));
    let unsupported = outcome("check unsupported false \"inline assembly\"\n return 0:i32");
    assert!(
        matches!(unsupported, Outcome::Unsupported { construct, .. } if &*construct == "inline assembly")
    );
}

#[test]
fn budgets_end_the_run() {
    let forever = with_main("", "jump block1\nblock1:\n jump block1");
    let options = Options {
        max_steps: Some(1000),
        ..Options::default()
    };
    let run = run_with(&forever, &options, &mut Zeros);
    assert_eq!((run.outcome, run.steps), (Outcome::OutOfSteps, 1000));
    let options = Options::default();
    options.budget.cancel();
    let run = run_with(&forever, &options, &mut Zeros);
    assert!(matches!(run.outcome, Outcome::OutOfBudget(_)));
    let hungry = "jump block1\nblock1:\n v0:ptr = allocate heap 1000000, align 16\n jump block1";
    let options = Options {
        max_memory: 10 << 20,
        ..Options::default()
    };
    let run = run_with(&with_main("", hungry), &options, &mut Zeros);
    assert!(matches!(run.outcome, Outcome::OutOfMemory { .. }));
}

#[test]
fn output_input_and_formatted_floats() {
    let text = with_main(
        "constant @s size 3 align 1 = { 0: \"hi\\0a\" }\nconstant @f size 5 align 1 = { 0: \"%.2f\" }",
        "v0:i64 = call-builtin write-output(1:i32, @s, 3:i64)
        v1:ptr = allocate stack 16, align 1
        v2:i64 = call-builtin read-input(0:i32, v1, 16:i64)
        v3:i64 = call-builtin write-output(2:i32, v1, v2)
        v4:i32 = call-builtin format-float(v1, 16:i64, @f, 2.675:f64)
        v5:i64 = zext v4
        v6:i64 = call-builtin write-output(1:i32, v1, v5)
        v7:i32 = call-builtin format-float(v1, 3:i64, @f, 123.0:f64)
        v8:i64 = call-builtin write-output(1:i32, v1, 3:i64)
        return v7",
    );
    let module = parse(&text);
    let mut world = RecordedWorld::with_input("abc");
    let run = Program::new(&module).run(&all_checks(), &mut Zeros, &mut world);
    assert_eq!(run.expect("starts").outcome, Outcome::Exited { code: 6 });
    assert_eq!(world.output, b"hi\n2.6712\0");
    assert_eq!(world.errors, b"abc");
}

#[test]
fn a_module_without_entry_does_not_start() {
    let module = parse("foghorn-ir 1 layout pointer-bytes 8");
    let start = Program::new(&module).run(
        &Options::default(),
        &mut Zeros,
        &mut RecordedWorld::default(),
    );
    assert_eq!(start, Err(crate::interpret::StartError::NoEntry));
    let text = "foghorn-ir 1 layout pointer-bytes 8 entry @main declare @main() -> i32";
    let module = parse_module(text).expect("well formed");
    let start = Program::new(&module).run(
        &Options::default(),
        &mut Zeros,
        &mut RecordedWorld::default(),
    );
    assert_eq!(
        start.expect_err("no body").to_string(),
        "the entry function 'main' has no body"
    );
}
