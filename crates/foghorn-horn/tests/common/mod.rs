//! Tasks from textual IR.

use foghorn_core::CheckSelection;
use foghorn_engine::{Circumstances, Task};
use foghorn_ir::parse_module;

/// The task of a program for groups of checks.
pub fn task(text: &str, checks: &str) -> Task {
    let program = parse_module(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let mut pure = program.clone();
    let options = foghorn_dsa::Options::default();
    let pointers = foghorn_dsa::memory_ssa::plan::purify(&mut pure, &options);
    let checks: CheckSelection = checks.parse().expect("groups of checks");
    let made = Task::new(
        program,
        pure,
        &pointers,
        checks,
        false,
        Circumstances::default(),
    );
    made.expect("a task").0
}

/// Programs without their headers, by name.
pub fn program(name: &str) -> &'static str {
    match name {
        "addresses" => {
            "function @main() -> i32 {\n\
             block0:\n v0:ptr = allocate stack 16, align 16\n jump block1(0:i32)\n\
             block1(v1:i32):\n v2:i1 = compare slt v1, 2\n branch v2, block2, block3\n\
             block2:\n v3:ptr = allocate heap 8, align 16\n v4:i64 = ptrtoint v3\n v5:i64 = sext v1\n\
             v6:ptr = pointer-add v0 + v5 * 8\n store v4 to v6, align 8\n free v3\n\
             v7:i32 = add v1, 1\n jump block1(v7)\n\
             block3:\n v8:i64 = load v0, align 8\n v9:ptr = pointer-add v0 + 8\n\
             v10:i64 = load v9, align 8\n v11:i1 = compare ne v8, v10\n check assertion v11\n\
             return 0:i32\n}\n"
        }
        "sum-good" => SUM_GOOD,
        "sum-bad" => {
            "function @main() -> i32 {\n\
             block0:\n v0:i32 = nondet input \"n\"\n v1:i1 = compare ult v0, 1000\n assume v1\n\
             jump block1(0:i32, 0:i32)\n\
             block1(v2:i32, v3:i32):\n v4:i1 = compare slt v2, v0\n branch v4, block2, block3\n\
             block2:\n v5:i32 = add v2, 1\n v6:i32 = add v3, 2\n jump block1(v5, v6)\n\
             block3:\n v7:i1 = compare ne v3, 8\n check assertion v7\n return 0:i32\n}\n"
        }
        "wrap" => {
            "function @main() -> i32 {\n\
             block0:\n v0:i4 = nondet input \"n\"\n jump block1(0:i4)\n\
             block1(v1:i4):\n v2:i1 = compare ne v1, v0\n branch v2, block2, block3\n\
             block2:\n v3:i4 = add v1, 1\n jump block1(v3)\n\
             block3:\n v4:i1 = compare sge v1, 0\n check assertion v4\n return 0:i32\n}\n"
        }
        "wrap-good" => {
            "function @main() -> i32 {\n\
             block0:\n v0:i4 = nondet input \"n\"\n jump block1(0:i4, 0:i4)\n\
             block1(v1:i4, v2:i4):\n v3:i1 = compare ne v1, v0\n branch v3, block2, block3\n\
             block2:\n v4:i4 = add v1, 1\n v5:i4 = add v2, 1\n jump block1(v4, v5)\n\
             block3:\n v6:i1 = compare eq v1, v2\n check assertion v6\n return 0:i32\n}\n"
        }
        "unreached-good" => {
            "function @main() -> i32 {\n\
             block0:\n v0:i32 = nondet input \"n\"\n v1:i32 = and v0, 3\n v2:i1 = compare sgt v1, 3\n\
             branch v2, block2(0:i32), block1(0:i32)\n\
             block1(v3:i32):\n v4:i1 = compare slt v3, 5\n branch v4, block3, block4\n\
             block2(v5:i32):\n v6:i32 = add v5, 1\n jump block2(v6)\n\
             block3:\n v7:i32 = add v3, 1\n jump block1(v7)\n\
             block4:\n v8:i1 = compare eq v3, 5\n check assertion v8\n return 0:i32\n}\n"
        }
        "fill-good" => FILL_GOOD,
        "fill-bad" => {
            "function @main() -> i32 {\n\
             block0:\n v0:ptr = allocate stack 40, align 16\n jump block1(0:i64)\n\
             block1(v1:i64):\n v2:i1 = compare sle v1, 10\n branch v2, block2, block3\n\
             block2:\n v3:ptr = pointer-add v0 + v1 * 4\n store 7:i32 to v3, align 4\n\
             v4:i64 = add v1, 1\n jump block1(v4)\n\
             block3:\n return 0:i32\n}\n"
        }
        "list-good" => LIST_GOOD,
        "list-bad" => {
            "function @main() -> i32 {\n\
             block0:\n jump block1(null)\n\
             block1(v0:ptr):\n v1:i32 = nondet input \"more\"\n v2:i1 = compare ne v1, 0\n\
             branch v2, block2, block3(v0)\n\
             block2:\n v3:ptr = allocate heap 8, align 16\n store v0 to v3, align 8\n jump block1(v3)\n\
             block3(v4:ptr):\n v5:i1 = compare ne v4, null\n branch v5, block4, block5\n\
             block4:\n free v4\n v6:ptr = load v4, align 8\n jump block3(v6)\n\
             block5:\n return 0:i32\n}\n"
        }
        "recursion-good" => RECURSION_GOOD,
        "recursion-bad" => {
            "function @main() -> i32 {\n\
             block0:\n v0:i32 = nondet input \"n\"\n v1:i1 = compare sge v0, 0\n assume v1\n\
             v2:i32 = call @count(v0)\n v3:i1 = compare ne v2, 3\n check assertion v3\n return 0:i32\n}\n\
             function @count(i32) -> i32 {\n\
             block0(v0:i32):\n v1:i1 = compare sle v0, 0\n branch v1, block2(0:i32), block1\n\
             block1:\n v2:i32 = sub v0, 1\n v3:i32 = call @count(v2)\n v4:i32 = add v3, 1\n jump block2(v4)\n\
             block2(v5:i32):\n return v5\n}\n"
        }
        "short-fill-bad" => {
            "function @main() -> i32 {\n\
             block0:\n v0:ptr = allocate stack 16, align 16\n jump block1(0:i64)\n\
             block1(v1:i64):\n v2:i1 = compare slt v1, 4\n branch v2, block2, block3\n\
             block2:\n v3:ptr = pointer-add v0 + v1 * 4\n store 2:i32 to v3, align 4\n\
             v5:i64 = add v1, 1\n jump block1(v5)\n\
             block3:\n v6:i64 = nondet input \"j\"\n v7:i1 = compare ult v6, 4\n assume v7\n\
             v8:ptr = pointer-add v0 + v6 * 4\n v9:i32 = load v8, align 4\n v10:i1 = compare ne v9, 2\n\
             check assertion v10\n return 0:i32\n}\n"
        }
        "wraps-bad" => {
            "function @main() -> i32 {\n\
             block0:\n v0:i8 = nondet input \"n\"\n jump block1(0:i8, v0)\n\
             block1(v1:i8, v2:i8):\n v3:i1 = compare slt v1, 3\n branch v3, block2, block3\n\
             block2:\n v4:i8 = add v1, 1\n v5:i8 = add v2, 1\n jump block1(v4, v5)\n\
             block3:\n v6:i1 = compare sge v2, v0\n check assertion v6\n return 0:i32\n}\n"
        }
        "short-recursion-bad" => {
            "function @main() -> i32 {\n\
             block0:\n v0:i32 = nondet input \"n\"\n v1:i32 = and v0, 3\n\
             v2:i32 = call @count(v1)\n v3:i1 = compare ne v2, 3\n check assertion v3\n return 0:i32\n}\n\
             function @count(i32) -> i32 {\n\
             block0(v0:i32):\n v1:i1 = compare sle v0, 0\n branch v1, block2(0:i32), block1\n\
             block1:\n v2:i32 = sub v0, 1\n v3:i32 = call @count(v2)\n v4:i32 = add v3, 1\n jump block2(v4)\n\
             block2(v5:i32):\n return v5\n}\n"
        }
        "live-bad" => {
            "function @main() -> i32 {\n\
             block0:\n v0:i32 = nondet input \"n\"\n jump block1(0:i32)\n\
             block1(v1:i32):\n v2:i1 = compare slt v1, 3\n branch v2, block2, block3\n\
             block2:\n v3:i32 = add v1, 1\n jump block1(v3)\n\
             block3:\n v4:i1 = compare ne v1, 3\n check assertion v4\n return 0:i32\n}\n"
        }
        "initial-bad" => {
            "global @g size 4 align 4 = { 0: \"\\07\" }\n\
             function @main() -> i32 {\n\
             block0:\n jump block1(0:i32)\n\
             block1(v1:i32):\n v2:i1 = compare slt v1, 2\n branch v2, block2, block3\n\
             block2:\n v3:i32 = add v1, 1\n jump block1(v3)\n\
             block3:\n v4:i32 = load @g, align 4\n v5:i1 = compare slt v4, 7\n check assertion v5\n\
             return 0:i32\n}\n"
        }
        other => panic!("there is no program {other}"),
    }
}

const SUM_GOOD: &str = "function @main() -> i32 {\n\
    block0:\n v0:i32 = nondet input \"n\"\n v1:i1 = compare ult v0, 1000\n assume v1\n\
    jump block1(0:i32, 0:i32)\n\
    block1(v2:i32, v3:i32):\n v4:i1 = compare slt v2, v0\n branch v4, block2, block3\n\
    block2:\n v5:i32 = add v2, 1\n v6:i32 = add v3, 2\n jump block1(v5, v6)\n\
    block3:\n v7:i32 = mul v0, 2\n v8:i1 = compare eq v3, v7\n check assertion v8\n return 0:i32\n}\n";

const FILL_GOOD: &str = "function @main() -> i32 {\n\
    block0:\n v0:ptr = allocate stack 40, align 16\n jump block1(0:i64)\n\
    block1(v1:i64):\n v2:i1 = compare slt v1, 10\n branch v2, block2, block3\n\
    block2:\n v3:ptr = pointer-add v0 + v1 * 4\n store 7:i32 to v3, align 4\n\
    v4:i64 = add v1, 1\n jump block1(v4)\n\
    block3:\n v5:i64 = nondet input \"j\"\n v6:i1 = compare ult v5, 10\n assume v6\n\
    v7:ptr = pointer-add v0 + v5 * 4\n v8:i32 = load v7, align 4\n v9:i1 = compare eq v8, 7\n\
    check assertion v9\n return 0:i32\n}\n";

const LIST_GOOD: &str = "function @main() -> i32 {\n\
    block0:\n jump block1(null)\n\
    block1(v0:ptr):\n v1:i32 = nondet input \"more\"\n v2:i1 = compare ne v1, 0\n\
    branch v2, block2, block3(v0)\n\
    block2:\n v3:ptr = allocate heap 8, align 16\n store v0 to v3, align 8\n jump block1(v3)\n\
    block3(v4:ptr):\n v5:i1 = compare ne v4, null\n branch v5, block4, block5\n\
    block4:\n v6:ptr = load v4, align 8\n free v4\n jump block3(v6)\n\
    block5:\n return 0:i32\n}\n";

const RECURSION_GOOD: &str = "function @main() -> i32 {\n\
    block0:\n v0:i32 = nondet input \"n\"\n v1:i1 = compare sge v0, 0\n assume v1\n\
    v2:i32 = call @count(v0)\n v3:i1 = compare eq v2, v0\n check assertion v3\n return 0:i32\n}\n\
    function @count(i32) -> i32 {\n\
    block0(v0:i32):\n v1:i1 = compare sle v0, 0\n branch v1, block2(0:i32), block1\n\
    block1:\n v2:i32 = sub v0, 1\n v3:i32 = call @count(v2)\n v4:i32 = add v3, 1\n jump block2(v4)\n\
    block2(v5:i32):\n return v5\n}\n";
