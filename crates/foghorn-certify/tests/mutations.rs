//! Arguments and programs that were changed at one place.
//!
//! The interpreter is the judge: what the check accepts of a program without inputs must not fail when it
//! is run. What a changed argument may still prove is the checker's own word, so for those the changes are
//! chosen such that the claim is false.
//!
//! `FOGHORN_MUTATIONS=200` tries so many; a sample is tried otherwise.

use foghorn_certify::prove::prove;
use foghorn_core::{Budget, CheckSelection};
use foghorn_encode::claim::build::{number, signed};
use foghorn_encode::claim::{Argument, Contract, Formula, LoopClaim, Subject};
use foghorn_ir::interpret::{Options, Outcome, Program, RecordedWorld, Seeded};
use foghorn_ir::{BlockId, Module, parse_module};

/// A sum in a loop, a callee with a loop of its own, an array that is filled and read.
const PROGRAM: &str = "foghorn-ir 1
layout pointer-bytes 8
entry @main

function @main() -> i32 {
  pure
  region region0 \"a\" word 4 local
block0:
  v0:region0 = nondet uninitialised \"a\"
  v1:ptr = allocate stack 40, align 16
  jump block1(0:i64, 0:i32, v0)
block1(v2:i64, v3:i32, v4:region0):
  v5:i1 = compare slt v2, 10
  branch v5, block2, block3
block2:
  v6:ptr = pointer-add v1 + v2 * 4
  store v3 to v6, align 4 [v4 -> v7:region0]
  v8:i64 = add v2, 1
  v9:i32 = add v3, 3
  jump block1(v8, v9, v7)
block3:
  v10:i1 = compare eq v3, 30
  check assertion v10
  v11:ptr = pointer-add v1 + 36
  v12:i32 = load v11, align 4 [v4]
  v13:i1 = compare eq v12, 27
  check assertion v13
  v14:i32 = call @down(v3)
  v15:i1 = compare eq v14, 0
  check assertion v15
  return v14
}

function @down(i32) -> i32 {
block0(v0:i32):
  jump block1(v0)
block1(v1:i32):
  v2:i1 = compare sgt v1, 0
  branch v2, block2, block3
block2:
  v3:i32 = sub v1, 1
  jump block1(v3)
block3:
  return v1
}
";

fn module(text: &str) -> Option<Module> {
    parse_module(text).ok()
}

fn checks() -> CheckSelection {
    "assertions,memory-safety".parse().expect("groups")
}

fn accepts(module: &Module, argument: &Argument) -> bool {
    let budget = Budget::unlimited();
    let proof = prove(module, &checks(), argument, &budget).expect("a solver");
    proof.holds() && proof.sites.values().all(|holds| *holds)
}

fn unwinding(times: u32) -> Argument {
    Argument {
        unwinding: Some(times),
        ..Argument::by("test")
    }
}

fn parameter(module: &Module, function: &str, block: u32, index: usize) -> Subject {
    let id = module.function_named(function).expect("a function");
    let body = module.functions[id].body.as_ref().expect("a body");
    Subject::Value(body.blocks[BlockId::from_u32(block)].params[index].as_u32())
}

/// The loop of `down` by an invariant, that of `main` unwound.
fn mixed(least: i128, ensured: i128) -> Argument {
    let module = module(PROGRAM).expect("a program");
    let (v0, v1) = (
        parameter(&module, "down", 0, 0),
        parameter(&module, "down", 1, 0),
    );
    let mut argument = unwinding(10);
    let down = argument.function("down");
    let result = Subject::Result(0);
    down.contract = Some(Contract::new(
        vec![number(0).at_most(signed(v0))],
        vec![signed(result).equals(number(ensured))],
    ));
    let holds = vec![number(least).at_most(signed(v1))];
    down.loops.insert(1, LoopClaim::invariant(holds));
    argument
}

/// Whether a run fails a check that is asked for; `None` if that is not known.
fn fails(module: &Module) -> Option<bool> {
    let options = Options {
        checks: checks().groups().collect(),
        max_steps: Some(100_000),
        ..Options::default()
    };
    let mut world = RecordedWorld::with_input("");
    let run = Program::new(module).run(&options, &mut Seeded::new(3), &mut world);
    match run.ok()?.outcome {
        Outcome::Failed(_) => Some(true),
        Outcome::Exited { .. } => Some(false),
        _ => None,
    }
}

#[test]
fn what_is_right_is_accepted() {
    let module = module(PROGRAM).expect("a program");
    assert!(accepts(&module, &unwinding(30)));
    assert!(accepts(&module, &mixed(0, 0)));
}

#[test]
fn claims_that_are_false_are_refused() {
    let module = module(PROGRAM).expect("a program");
    for argument in [
        unwinding(9),
        mixed(1, 0),
        mixed(-1, 0),
        mixed(0, 1),
        mixed(0, -1),
    ] {
        assert!(!accepts(&module, &argument), "{argument:?}");
    }
    let mut never = mixed(0, 0);
    let down = never.function("down");
    down.contract.as_mut().expect("a contract").ensures = None;
    assert!(!accepts(&module, &never));
    let mut moved = mixed(0, 0);
    let down = moved.function("down");
    let claim = down.loops.remove(&1).expect("a claim");
    down.loops.insert(0, claim);
    assert!(!accepts(&module, &moved));
    let mut unreached = mixed(0, 0);
    let nothing = vec![Formula::Constant(false)];
    let down = unreached.function("down");
    down.loops.insert(1, LoopClaim::invariant(nothing));
    assert!(!accepts(&module, &unreached));
    let mut dropped = mixed(0, 0);
    let down = dropped.function("down");
    down.loops.insert(1, LoopClaim::invariant(vec![]));
    assert!(!accepts(&module, &dropped));
}

/// Every number of the program, one after the other, by a little more or less.
fn mutants() -> Vec<String> {
    let mut all = vec![];
    let start = PROGRAM.find("block0:").expect("blocks");
    let bytes = PROGRAM.as_bytes();
    let mut at = start;
    while at < bytes.len() {
        let is_number = bytes[at].is_ascii_digit() && bytes[at - 1] == b' ';
        if !is_number {
            at += 1;
            continue;
        }
        let length = bytes[at..].iter().take_while(|it| it.is_ascii_digit());
        let end = at + length.count();
        let value: i64 = PROGRAM[at..end].parse().expect("a number");
        for change in [-4, -3, -2, -1, 1, 2, 3, 4, 7, 8] {
            let changed = value + change;
            if changed >= 0 {
                all.push(format!("{}{changed}{}", &PROGRAM[..at], &PROGRAM[end..]));
            }
        }
        at = end;
    }
    for (from, to) in [
        ("compare slt v2, 10", "compare sle v2, 10"),
        ("compare sgt v1, 0", "compare sge v1, 0"),
        ("add v3, 3", "sub v3, 3"),
        ("store v3 to v6", "store 27:i32 to v6"),
        ("sub v1, 1", "add v1, 1"),
        ("compare eq v3, 30", "compare ne v3, 30"),
        ("call @down(v3)", "call @down(v12)"),
    ] {
        all.push(PROGRAM.replacen(from, to, 1));
    }
    all
}

#[test]
fn no_program_that_fails_is_certified() {
    let wanted = std::env::var("FOGHORN_MUTATIONS").ok();
    let wanted: usize = wanted.and_then(|text| text.parse().ok()).unwrap_or(40);
    let all = mutants();
    let step = (all.len() / wanted.max(1)).max(1);
    let (mut failing, mut refused, mut accepted) = (0, 0, 0);
    for text in all.iter().step_by(step) {
        let Some(module) = module(text) else { continue };
        for argument in [unwinding(31), mixed(0, 0)] {
            let is_accepted = accepts(&module, &argument);
            if fails(&module) == Some(true) {
                failing += 1;
                assert!(!is_accepted, "accepted by {argument:?}:\n{text}");
            }
            accepted += usize::from(is_accepted);
            refused += usize::from(!is_accepted);
        }
    }
    assert!(failing > 10 && refused > 10, "{failing} {refused}");
    assert!(accepted > 0);
}
