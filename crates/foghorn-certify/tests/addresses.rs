//! Addresses and shadows: what the memory model promises follows, and nothing else does.

use foghorn_certify::prove::prove;
use foghorn_core::{Budget, CheckSelection};
use foghorn_encode::claim::Argument;
use foghorn_ir::parse_module;

/// Whether complete unwinding proves a program without loops, whose blocks are these lines.
fn proves(lines: &str) -> bool {
    let text = format!(
        "foghorn-ir 1
layout pointer-bytes 8
entry @main

function @main() -> i32 {{
  pure
  region region0 \"m\" word 4 local
block0:
  v90:region0 = nondet uninitialised \"m\"
{lines}  return 0:i32
}}
"
    );
    let module = parse_module(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let checks: CheckSelection = "assertions,memory-safety".parse().expect("groups");
    let argument = Argument {
        unwinding: Some(1),
        ..Argument::by("test")
    };
    let proof = prove(&module, &checks, &argument, &Budget::unlimited()).expect("a solver");
    assert!(!proof.sites.is_empty(), "nothing is asked: {text}");
    proof.holds() && proof.sites.values().all(|holds| *holds)
}

#[test]
fn bases_are_aligned_as_much_as_is_promised_and_no_more() {
    let aligned = |mask: u32| {
        proves(&format!(
            "  v0:ptr = allocate stack 64, align 8
  v1:i64 = ptrtoint v0
  v2:i64 = and v1, {mask}
  v3:i1 = compare eq v2, 0
  check assertion v3
"
        ))
    };
    assert!(aligned(7));
    assert!(!aligned(15));
}

/// Two objects of these sizes, of which the first may be freed before the second is made.
fn two_objects(kind: &str, size: u32, between: &str) -> bool {
    proves(&format!(
        "  v0:ptr = allocate {kind} {size}, align 1
  v1:i64 = ptrtoint v0
{between}  v2:ptr = allocate {kind} {size}, align 1
  v3:i64 = ptrtoint v2
  v4:i1 = compare ne v1, v3
  check assertion v4
"
    ))
}

#[test]
fn objects_lie_apart_if_they_are_alive_together() {
    assert!(two_objects("heap", 4, ""));
    assert!(!two_objects("heap", 4, "  free v0\n"));
    // On the heap even what has no bytes has an address of its own.
    assert!(two_objects("heap", 0, ""));
    assert!(!two_objects("stack", 0, ""));
}

#[test]
fn objects_lie_apart_that_were_alive_together_once() {
    let program = |free_before: &str, free_behind: &str| {
        proves(&format!(
            "  v0:ptr = allocate heap 4, align 1
{free_before}  v1:ptr = allocate heap 4, align 1
{free_behind}  v2:i64 = ptrtoint v0
  v3:i64 = ptrtoint v1
  v4:i1 = compare ne v2, v3
  check assertion v4
"
        ))
    };
    assert!(program("", "  free v0\n"));
    assert!(!program("  free v0\n", ""));
}

/// A number leads to the living object that contains it, if its address was made a number before.
#[test]
fn numbers_lead_to_living_objects() {
    let program = |between: &str, offset: u32| {
        proves(&format!(
            "  v0:ptr = allocate heap 8, align 8
  v1:i64 = ptrtoint v0
  v2:i64 = or v1, 1
  v3:i64 = sub v2, 1
  v4:i64 = add v3, {offset}
{between}  v5:ptr = inttoptr v4
  store 7:i32 to v5, align 4 [v90 -> v91:region0]
"
        ))
    };
    assert!(program("", 0));
    assert!(program("", 4));
    assert!(!program("", 8));
    assert!(!program("  free v0\n", 0));
}

/// Shadows of objects are 0 at first, are what was noted, and of one object each.
#[test]
fn shadows_are_what_was_noted() {
    let program = |read: &str, slot: u32, expected: u32| {
        proves(&format!(
            "  v0:ptr = allocate heap 8, align 8
  v1:ptr = allocate heap 8, align 8
  call-builtin set-shadow(2:i8, v0, 9:i64)
  v2:i64 = call-builtin get-shadow({slot}:i8, {read})
  v3:i1 = compare eq v2, {expected}
  check assertion v3
"
        ))
    };
    assert!(program("v0", 2, 9));
    assert!(program("v0", 3, 0));
    assert!(program("v1", 2, 0));
    assert!(!program("v1", 2, 9));
    assert!(!program("v0", 2, 0));
}
