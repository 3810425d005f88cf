//! Programs in pure form: they run as in the impure form, and wrong claims about memory are found.

use super::{Outcome, Program, RecordedWorld, Zeros, all_checks};
use crate::text::parse_module;
use crate::verify::verify_module;

/// Adds 1 to each word of a table through a call, copies the table and adds the copy up, by
/// recursion; the sum is 4 + the initial 1 + 2 + 3.
const PROGRAM: &str = r#"
foghorn-ir 1 layout pointer-bytes 8 entry @main
global @table size 16 align 4 = { 0: "\01\00\00\00\02\00\00\00\03\00\00\00" }
function @bump(ptr) {
  pure
  region region0 word word 4 modified
block0(v0:ptr, v1:region0):
  v2:i32 = load v0, align 4 [v1]
  v3:i32 = add v2, 1
  store v3 to v0, align 4 [v1 -> v4:region0]
  return v4
}
function @sum(ptr, i64) -> i32 {
  pure
  region region0 words word 4 read
  region region1 "a local" word 4 local
block0(v0:ptr, v1:i64, v2:region0):
  v3:region1 = nondet uninitialised "a local"
  v4:ptr = allocate stack 4, align 4
  store 0:i32 to v4, align 4 [v3 -> v5:region1]
  v6:i1 = compare eq v1, 0
  branch v6, block2(v5), block1
block1:
  v7:i64 = sub v1, 1
  v8:i32 = call @sum(v0, v7) [0 = v2]
  v9:ptr = pointer-add v0 + v7 * 4
  v10:i32 = load v9, align 4 [v2]
  v11:i32 = add v8, v10
  store v11 to v4, align 4 [v5 -> v12:region1]
  jump block2(v12)
block2(v13:region1):
  v14:i32 = load v4, align 4 [v13]
  return v14
}
function @main() -> i32 {
  pure
  region region0 table word 4 modified
  region region1 copy word 4 local
block0(v0:region0):
  v1:region1 = nondet uninitialised "copy"
  v2:ptr = allocate stack 16, align 4
  jump block1(0:i64, v0)
block1(v3:i64, v4:region0):
  v5:i1 = compare ult v3, 4
  branch v5, block2, block3
block2:
  v6:ptr = pointer-add @table + v3 * 4
  call @bump(v6) [0 = v4 -> v7:region0]
  v8:i64 = add v3, 1
  jump block1(v8, v7)
block3:
  memory-set v2, 0, 16 [to v1 -> v9:region1]
  memory-copy v2, @table, 16 [to v9 -> v10:region1, from v4]
  v11:i32 = call @sum(v2, 4:i64) [0 = v10]
  return v11, v4
}
"#;

/// Runs a text that the verifier may reject.
fn outcome(text: &str) -> Outcome {
    let module = parse_module(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let run = Program::new(&module).run(&all_checks(), &mut Zeros, &mut RecordedWorld::default());
    let run = run.unwrap_or_else(|error| panic!("{error}"));
    assert!(run.choices.is_empty(), "fresh memories are no choices");
    run.outcome
}

fn exits(text: &str, code: i32) {
    let breaches = verify_module(&parse_module(text).unwrap_or_else(|e| panic!("{e}\n{text}")));
    assert!(breaches.is_empty(), "{breaches:?}");
    assert_eq!(outcome(text), Outcome::Exited { code });
}

/// After the change the run is found to be inconsistent.
#[track_caller]
fn inconsistent(from: &str, to: &str, expected: &str) {
    assert!(PROGRAM.contains(from), "{from}");
    match outcome(&PROGRAM.replacen(from, to, 1)) {
        Outcome::Inconsistent { detail, .. } => assert!(detail.contains(expected), "{detail}"),
        other => panic!("{to}: {other:?}"),
    }
}

#[test]
fn the_program_runs() {
    exits(PROGRAM, 10);
}

#[test]
fn old_contents_are_noticed() {
    let current = "not the current contents";
    inconsistent("jump block1(v8, v7)", "jump block1(v8, v4)", current);
    inconsistent("jump block1(v8, v7)", "jump block1(v8, v0)", current);
    inconsistent(
        "[to v9 -> v10:region1, from v4]",
        "[to v1 -> v10:region1, from v4]",
        current,
    );
    inconsistent(
        "[to v9 -> v10:region1, from v4]",
        "[to v9 -> v10:region1, from v0]",
        current,
    );
    inconsistent("[0 = v10]", "[0 = v9]", current);
    inconsistent("return v4\n", "return v1\n", current);
    inconsistent("return v11, v4", "return v11, v0", current);
    inconsistent("load v4, align 4 [v13]", "load v4, align 4 [v3]", current);
}

#[test]
fn bytes_of_another_region_are_noticed() {
    let bytes = "bytes of another region";
    // The table under two names.
    inconsistent(
        "v10:i32 = load v9, align 4 [v2]",
        "v10:i32 = load v9, align 4 [v5]",
        bytes,
    );
    inconsistent("[0 = v10]", "[0 = v4]", bytes);
    inconsistent(
        "memory-set v2, 0, 16 [to v1 -> v9:region1]",
        "memory-set @table, 0, 16 [to v1 -> v9:region1]",
        bytes,
    );
    // Nothing is said at all.
    inconsistent(
        "[0 = v4 -> v7:region0]",
        "[0 = v4 -> v7:region0] v99:i8 = load @table, align 1",
        bytes,
    );
}

#[test]
fn cells_are_noticed() {
    let bytes = "bytes of another region";
    inconsistent("words word 4 read", "words word 8 read", bytes);
    inconsistent(
        "region region0 word word 4",
        "region region0 word pointer",
        bytes,
    );
}

#[test]
fn calls_through_pointers_take_no_memories() {
    inconsistent(
        "call @bump(v6) [0 = v4 -> v7:region0]",
        "call-indirect @bump(v6) jump block1(v3, v4) block9: v7:region0 = nondet undefined",
        "through a pointer",
    );
}

/// Each call has local regions of its own, also where an object of one is passed on.
#[test]
fn a_local_region_does_not_survive_its_call() {
    let text = r#"
        foghorn-ir 1 layout pointer-bytes 8 entry @main
        function @keep(ptr) {
          pure region region0 mine word 4 local
        block0(v0:ptr):
          v1:region0 = nondet undefined
          store 7:i32 to v0, align 4 [v1 -> v2:region0]
          return
        }
        function @main() -> i32 {
          pure
        block0:
          v0:ptr = allocate stack 4, align 4
          call @keep(v0)
          call @keep(v0)
          return 0:i32
        }"#;
    assert!(matches!(outcome(text), Outcome::Inconsistent { .. }));
}

/// A copy of a pair of regions keeps them apart.
#[test]
fn copies_of_structures_pair_their_regions() {
    let text = |load: &str| {
        format!(
            r#"
        foghorn-ir 1 layout pointer-bytes 8 entry @main
        function @main() -> i32 {{
          pure
          region region0 a.x word 4 local region region1 a.y word 4 local
          region region2 b.x word 4 local region region3 b.y word 4 local
        block0:
          v0:region0 = nondet undefined v1:region1 = nondet undefined
          v2:region2 = nondet undefined v3:region3 = nondet undefined
          v4:ptr = allocate stack 8, align 4
          v5:ptr = pointer-add v4 + 4
          v6:ptr = allocate stack 8, align 4
          v7:ptr = pointer-add v6 + 4
          store 1:i32 to v4, align 4 [v0 -> v8:region0]
          store 2:i32 to v5, align 4 [v1 -> v9:region1]
          memory-copy v6, v4, 8 [to v2 -> v10:region2, to v3 -> v11:region3, from v8, from v9]
          v12:i32 = load v7, align 4 [{load}]
          return v12
        }}"#
        )
    };
    exits(&text("v11"), 2);
    assert!(matches!(
        outcome(&text("v10")),
        Outcome::Inconsistent { .. }
    ));
}
