//! The pure form: its text, and that each breach of its invariants is reported.

use super::{Breach, Invariant, verify_module};
use crate::body::Body;
use crate::memory::{Cell, Interface, MemoryRole};
use crate::text::{parse_module, print_module};

/// A loop that adds the words of a table into a result, with everything that uses memory.
const PURE: &str = r#"foghorn-ir 1
layout pointer-bytes 8
entry @main

global @table size 16 align 4 = zero

function @bump(ptr) {
  pure
  region region0 "the word" word 4 modified
  region region1 limits bytes read
block0(v0:ptr, v1:region0, v2:region1):
  v3:i32 = load v0, align 4 [v1]
  v4:i8 = load @table, align 1 [v2]
  v5:i32 = zext v4
  v6:i32 = add v3, v5
  store v6 to v0, align 4 [v1 -> v7.after:region0]
  return v7
}

function @main() -> i32 {
  pure
  region region0 sum word 4 local
  region region1 table bytes modified
  region region2 copy bytes local
block0(v0:region1):
  v1:region0 = nondet uninitialised "sum"
  v2:region2 = nondet uninitialised "copy"
  v3:ptr = allocate stack 4, align 4
  v4:ptr = allocate stack 16, align 4
  lifetime-start v4 [to v2 -> v5:region2]
  store 0:i32 to v3, align 4 [v1 -> v6:region0]
  memory-set v4, 0, 16 [to v5 -> v7:region2]
  jump block1(0:i32, v6)
block1(v8:i32, v9:region0):
  v10:i1 = compare ult v8, 4
  branch v10, block2, block3
block2:
  call @bump(v3) [0 = v9 -> v11:region0, 1 = v0]
  v12:i32 = add v8, 1
  jump block1(v12, v11)
block3:
  memory-copy @table, v4, 16 [to v0 -> v13:region1, from v7]
  v14:i64 = call-builtin write-output(1:i32, @table, 16:i64) [from v13]
  v15:i32 = load v3, align 4 [v9]
  return v15, v13
}
"#;

fn verify(text: &str) -> Vec<Breach> {
    let module = parse_module(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    // Whatever is wrong, it can be printed.
    let _ = print_module(&module);
    verify_module(&module)
}

#[track_caller]
fn assert_breach(from: &str, to: &str, invariant: Invariant) {
    assert!(PURE.contains(from), "{from}");
    let breaches = verify(&PURE.replacen(from, to, 1));
    let found: Vec<_> = breaches.iter().map(ToString::to_string).collect();
    assert!(
        breaches.iter().any(|breach| breach.invariant == invariant),
        "{to}: {found:#?}"
    );
}

fn main_body(text: &str) -> Body {
    let module = parse_module(text).unwrap_or_else(|e| panic!("{e}"));
    let main = module.function_named("main").expect("main");
    module.functions[main].body.clone().expect("a body")
}

#[test]
fn the_sample_is_valid_and_round_trips() {
    let module = parse_module(PURE).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(verify_module(&module), []);
    assert_eq!(print_module(&module), PURE);
}

#[test]
fn meanings_of_the_sample() {
    let body = main_body(PURE);
    assert!(body.is_pure());
    let regions: Vec<_> = body.regions.values().collect();
    assert_eq!(&*regions[0].name, "sum");
    assert_eq!(regions[0].cell, Cell::Word { bytes: 4 });
    assert_eq!(regions[1].interface, Interface::Modified);
    assert_eq!(body.memory_parameters().count(), 1);
    assert_eq!(body.memory_results().count(), 1);
    let uses = body.instructions.values().flat_map(|data| &data.memory);
    let roles: Vec<_> = uses
        .map(|memory| (memory.role, memory.output.is_some()))
        .collect();
    assert_eq!(
        roles,
        [
            (MemoryRole::Destination, true),
            (MemoryRole::Access, true),
            (MemoryRole::Destination, true),
            (MemoryRole::Argument(0), true),
            (MemoryRole::Argument(1), false),
            (MemoryRole::Destination, true),
            (MemoryRole::Source, false),
            (MemoryRole::Source, false),
            (MemoryRole::Access, false),
        ]
    );
}

#[test]
fn operands_and_definitions_include_memories() {
    let body = main_body(PURE);
    let mut instructions = body.instructions.values();
    let copy = instructions.find(|data| data.memory.len() == 2);
    let copy = copy.expect("the call");
    let (mut operands, mut definitions) = (0, 0);
    copy.for_each_operand(|_| operands += 1);
    copy.for_each_definition(|_| definitions += 1);
    let mut scalars = 0;
    copy.instruction.for_each_operand(|_| scalars += 1);
    assert_eq!((operands - scalars, definitions), (2, 1));
    let mut renamed = copy.clone();
    renamed.map_operands(|_| body.blocks[body.entry].params[0]);
    assert_eq!(renamed.memory[0].input, body.blocks[body.entry].params[0]);
}

#[test]
fn form() {
    for text in [
        "declare @f(region0)",
        "function @f() { region region0 r bytes local block0: return }",
        "function @f() { block0: v0:i32 = nondet undefined return } function @g() { pure block0: call @f() return }",
    ] {
        let breaches = verify(&format!("foghorn-ir 1 layout pointer-bytes 8 {text}"));
        let form = |breach: &Breach| breach.invariant == Invariant::Form;
        assert!(
            !breaches.is_empty() && breaches.iter().all(form),
            "{text}: {breaches:?}"
        );
    }
    let impure = "region region1 limits bytes read";
    assert_breach(
        &format!("  pure\n  region region0 \"the word\" word 4 modified\n  {impure}"),
        &format!("  region region0 w word 4 modified {impure}"),
        Invariant::Form,
    );
}

#[test]
fn regions() {
    let regions = Invariant::Regions;
    assert_breach("sum word 4 local", "sum word 17 local", regions);
    assert_breach("table bytes modified", "table bytes local", regions);
    assert_breach("sum word 4 local", "sum word 4 read", regions);
    assert_breach(
        "block0(v0:ptr, v1:region0, v2:region1)",
        "block0(v1:region0, v0:ptr, v2:region1)",
        regions,
    );
    assert_breach("v2:region1):", "v2:region1, v99:region1):", regions);
    assert_breach(
        "v1:region0 = nondet uninitialised \"sum\"",
        "v1:region0 = select true, v0, v0",
        regions,
    );
    assert_breach("v9:region0", "v9:region7", Invariant::Ids);
}

#[test]
fn memory_uses() {
    let uses = Invariant::MemoryUses;
    assert_breach(
        "v3:i32 = load v0, align 4 [v1]",
        "v3:i32 = load v0, align 4",
        uses,
    );
    assert_breach(
        "align 4 [v1 -> v7.after:region0]\n  return v7",
        "align 4 [v1]\n  return v1",
        uses,
    );
    assert_breach("align 4 [v1]", "align 4 [to v1 -> v99:region0]", uses);
    assert_breach("16 [to v5 -> v7:region2]", "16 [v5 -> v7:region2]", uses);
    assert_breach(", from v7]", "]", uses);
    assert_breach(", from v7]", ", from v7, from v9]", uses);
    assert_breach("[from v13]", "[to v13 -> v99:region1]", uses);
    assert_breach(
        "v10:i1 = compare ult v8, 4",
        "v10:i1 = compare ult v8, 4 [v9]",
        uses,
    );
    assert_breach("[v1 -> v6:region0]", "[v1 -> v6:region2]", uses);
    assert_breach(
        "[to v5 -> v7:region2]",
        "[to v5 -> v7:region2, to v5 -> v99:region2]",
        uses,
    );
    assert_breach(
        "v10:i1 = compare ult v8, 4",
        "v10:i1 = compare eq v9, v9",
        uses,
    );
}

#[test]
fn bindings() {
    let bindings = Invariant::Bindings;
    let call = "[0 = v9 -> v11:region0, 1 = v0]";
    assert_breach(call, "[0 = v9 -> v11:region0]", bindings);
    assert_breach(call, "[1 = v9 -> v11:region0, 0 = v0]", bindings);
    assert_breach(
        call,
        "[0 = v9 -> v11:region0, 1 = v0 -> v99:region1]",
        bindings,
    );
    assert_breach(call, "[0 = v0 -> v11:region1, 1 = v9]", bindings);
    assert_breach("sum word 4", "sum word 8", bindings);
    // One region under two names, one of which is changed.
    assert_breach(call, "[0 = v9 -> v11:region0, 1 = v9]", bindings);
}

#[test]
fn versions() {
    let versions = Invariant::Versions;
    // Reads what the store consumed.
    assert_breach(
        "memory-set v4, 0, 16 [to v5",
        "memory-set v4, 0, 16 [to v2",
        versions,
    );
    // Passes old contents on.
    assert_breach("jump block1(0:i32, v6)", "jump block1(0:i32, v1)", versions);
    assert_breach("jump block1(v12, v11)", "jump block1(v12, v9)", versions);
    assert_breach("return v15, v13", "return v15, v0", versions);
    // A join without a parameter.
    let text = PURE
        .replace("(0:i32, v6)", "(0:i32)")
        .replace("(v8:i32, v9:region0)", "(v8:i32)")
        .replace("(v12, v11)", "(v12)")
        .replace("v9", "v6");
    let breaches = verify(&text);
    assert!(!breaches.is_empty());
    for breach in breaches {
        assert_eq!(breach.invariant, versions, "{breach}");
        assert!(breach.detail.contains("nothing is current"), "{breach}");
    }
}

#[test]
fn interfaces_and_dominance() {
    assert_breach("return v15, v13", "return v15", Invariant::Returns);
    assert_breach(
        "load v3, align 4 [v9]",
        "load v3, align 4 [v11]",
        Invariant::Dominance,
    );
}
