//! Calls, recursion, arguments of the program, constructors and destructors.

use super::*;

#[test]
fn recursion_is_deep_without_recursion_here() {
    let items = "function @down(i32) -> i32 {
        block0(v0:i32):
        v1:i1 = compare eq v0, 0
        branch v1, block1(0:i32), block2
        block1(v9:i32):
        return v9
        block2:
        v2:ptr = allocate stack 4, align 4
        v3:i32 = sub v0, 1
        store v3 to v2, align 4
        v4:i32 = call @down(v3)
        v5:i32 = load v2, align 4
        v6:i32 = sub v5, v3
        v7:i32 = add v4, 1
        v8:i32 = add v7, v6
        jump block1(v8)
        }";
    exits(
        &with_main(items, "v0:i32 = call @down(50000:i32)\n return v0"),
        50_000,
    );
    let text = with_main(items, "v0:i32 = call @down(200000:i32)\n return v0");
    assert!(matches!(run(&text).outcome, Outcome::TooDeep { .. }));
}

#[test]
fn fibonacci() {
    let items = "function @fib(i32) -> i32 {
        block0(v0:i32):
        v1:i1 = compare slt v0, 2
        branch v1, block1(v0), block2
        block1(v2:i32):
        return v2
        block2:
        v3:i32 = sub v0, 1
        v4:i32 = call @fib(v3)
        v5:i32 = sub v0, 2
        v6:i32 = call @fib(v5)
        v7:i32 = add v4, v6
        jump block1(v7)
        }";
    exits(
        &with_main(items, "v0:i32 = call @fib(20:i32)\n return v0"),
        6765,
    );
}

#[test]
fn several_results_and_calls_through_pointers() {
    let items = "function @swap(i32, f64) -> f64, i32 {\nblock0(v0:i32, v1:f64):\n return v1, v0\n}
        global @table size 16 align 8 = { 8: @swap }";
    let body = "v0:ptr = pointer-add @table + 8
        v1:ptr = load v0, align 8
        v2:f64, v3:i32 = call-indirect v1(5:i32, 7.0:f64)
        v4:i32 = fptosi v2
        v5:i32 = mul v4, 10
        v6:i32 = add v5, v3
        return v6";
    exits(&with_main(items, body), 75);
}

#[test]
fn functions_without_a_body_return_a_choice_and_are_listed() {
    let items = "declare @get(ptr) -> i32";
    let body = "v0:ptr = allocate stack 4, align 4
        store 5:i32 to v0, align 4
        v1:i32 = call @get(v0)
        v2:i32 = call-indirect @get(v0)
        v3:i32 = load v0, align 4
        v4:i32 = add v1, v3
        v5:i32 = mul v4, v2
        return v5";
    let mut inputs = super::super::Listed::parse("get=2\nget=3").expect("well formed");
    let run = run_with(&with_main(items, body), &all_checks(), &mut inputs);
    assert_eq!(run.outcome, Outcome::Exited { code: 21 });
    assert_eq!(run.external_calls, ["get".into()]);
    assert!(run.is_trustworthy());
}

#[test]
fn main_gets_its_arguments() {
    let text = "foghorn-ir 1\nlayout pointer-bytes 8\nentry @main
        function @main(i32, ptr) -> i32 {
        block0(v0:i32, v1:ptr):
        v2:ptr = pointer-add v1 + 8
        v3:ptr = load v2, align 8
        v4:ptr = pointer-add v3 + 1
        v5:i8 = load v4, align 1
        v6:ptr = pointer-add v1 + 16
        v7:ptr = load v6, align 8
        v8:i1 = compare eq v7, null
        check assertion v8
        v9:i32 = zext v5
        v10:i32 = mul v9, v0
        return v10
        }";
    let options = Options {
        arguments: vec![b"prog".to_vec(), b"ab".to_vec()],
        ..all_checks()
    };
    let run = run_with(text, &options, &mut Zeros);
    assert_eq!(
        run.outcome,
        Outcome::Exited {
            code: 2 * i32::from(b'b')
        }
    );
}

#[test]
fn another_entry_gets_chosen_arguments() {
    let text = "foghorn-ir 1\nlayout pointer-bytes 8\nentry @f
        function @f(i32, i32) -> i32 {\nblock0(v0.left:i32, v1:i32):\n v2:i32 = sub v0, v1\n return v2\n}";
    let mut inputs = super::super::Listed::parse("9\nleft=30").expect("well formed");
    let run = run_with(text, &all_checks(), &mut inputs);
    assert_eq!(run.outcome, Outcome::Exited { code: 21 });
}

#[test]
fn constructors_come_before_and_destructors_after() {
    let text = "foghorn-ir 1\nlayout pointer-bytes 8\nentry @main\nconstructors @before\ndestructors @after
        global @g size 8 align 8 = zero
        function @before() {\nblock0:\n v0:ptr = allocate heap 4, align 4\n store 7:i32 to v0, align 4\n store v0 to @g, align 8\n return\n}
        function @after() {\nblock0:\n v0:ptr = load @g, align 8\n free v0\n return\n}
        function @main() -> i32 {\nblock0:\n v0:ptr = load @g, align 8\n v1:i32 = load v0, align 4\n return v1\n}";
    exits(text, 7);
}
