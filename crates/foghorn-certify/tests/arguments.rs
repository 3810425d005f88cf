//! Arguments that hold are accepted, others are refused, and no question of the check is idle.

use foghorn_certify::prove::{Proof, Sabotage, prove_with_proofs, prove_without};
use foghorn_core::{Budget, CheckSelection};
use foghorn_encode::claim::build::{number, result, signed};
use foghorn_encode::claim::{Argument, Contract, Expression, Formula, LoopClaim, Subject, View};
use foghorn_ir::{BlockId, Body, Instruction, Module, parse_module};

const COUNTING: &str = "foghorn-ir 1
layout pointer-bytes 8
entry @main

function @main() -> i32 {
block0:
  jump block1(0:i32)
block1(v0:i32):
  v1:i1 = compare slt v0, 10
  branch v1, block2, block3
block2:
  v2:i32 = add v0, 1
  jump block1(v2)
block3:
  v3:i1 = compare eq v0, 10
  check assertion v3
  v4:i32 = call @twice(v0)
  v5:i1 = compare sle v4, 20
  check assertion v5
  return v4
}

function @twice(i32) -> i32 {
block0(v0:i32):
  v1:i32 = add v0, v0
  return v1
}
";

/// Two numbers change places; that the first is 0 or 1 needs to look back two iterations.
const SWAPPING: &str = "foghorn-ir 1
layout pointer-bytes 8
entry @main

function @main() -> i32 {
block0:
  jump block1(0:i32, 1:i32, 1:i32)
block1(v0:i32, v1:i32, v2:i32):
  v3:i1 = compare sle v0, 1
  check assertion v3
  v4:i1 = nondet input \"more\"
  branch v4, block2, block3
block2:
  jump block1(v1, v2, v0)
block3:
  return 0:i32
}
";

/// An array of 1000 cells is filled and looked at.
const FILLING: &str = "foghorn-ir 1
layout pointer-bytes 8
entry @main

function @main() -> i32 {
  pure
  region region0 \"a\" word 4 local
block0:
  v0:region0 = nondet uninitialised \"a\"
  v1:ptr = allocate stack 4000, align 16
  v2:i64 = nondet input \"n\"
  v3:i1 = compare ule v2, 1000
  assume v3
  jump block1(0:i64, v0)
block1(v6:i64, v7:region0):
  v8:i1 = compare slt v6, v2
  branch v8, block2, block3
block2:
  v9:ptr = pointer-add v1 + v6 * 4
  store 7:i32 to v9, align 4 [v7 -> v10:region0]
  v11:i64 = add v6, 1
  jump block1(v11, v10)
block3:
  jump block4(0:i64)
block4(v12:i64):
  v13:i1 = compare slt v12, v2
  branch v13, block5, block6
block5:
  v14:ptr = pointer-add v1 + v12 * 4
  v15:i32 = load v14, align 4 [v7]
  v16:i1 = compare eq v15, 7
  check assertion v16
  v17:i64 = add v12, 1
  jump block4(v17)
block6:
  return 0:i32
}
";

fn module(text: &str) -> Module {
    parse_module(text).unwrap_or_else(|error| panic!("{error}"))
}

fn body<'m>(module: &'m Module, function: &str) -> &'m Body {
    let id = module.function_named(function).expect("a function");
    module.functions[id].body.as_ref().expect("a body")
}

fn parameter(body: &Body, block: u32, index: usize) -> Subject {
    Subject::Value(body.blocks[BlockId::from_u32(block)].params[index].as_u32())
}

fn defined(body: &Body, is: impl Fn(&Instruction) -> bool) -> Subject {
    let found = body.instructions.values().find(|it| is(&it.instruction));
    Subject::Value(found.expect("an instruction").results[0].as_u32())
}

fn between(of: Subject, lower: i128, upper: i128) -> Vec<Formula> {
    vec![
        number(lower).at_most(signed(of)),
        signed(of).at_most(number(upper)),
    ]
}

fn check_with(text: &str, groups: &str, argument: &Argument, sabotage: Sabotage) -> Proof {
    let checks: CheckSelection = groups.parse().expect("groups");
    let budget = Budget::unlimited();
    prove_without(&module(text), &checks, argument, &budget, sabotage).expect("a solver")
}

fn check(text: &str, groups: &str, argument: &Argument) -> Proof {
    check_with(text, groups, argument, Sabotage::None)
}

fn proves(proof: &Proof) -> bool {
    proof.holds() && proof.sites.values().all(|holds| *holds)
}

fn counting(upper: i128) -> Argument {
    let module = module(COUNTING);
    let (main, twice) = (body(&module, "main"), body(&module, "twice"));
    let mut argument = Argument::by("test");
    let claim = LoopClaim::invariant(between(parameter(main, 1, 0), 0, upper));
    argument.function("main").loops.insert(1, claim);
    argument.function("twice").contract = Some(Contract::new(
        between(parameter(twice, 0, 0), 0, 10),
        between(result(0), 0, 20),
    ));
    argument
}

fn unwound(times: u32) -> Argument {
    let mut argument = Argument::by("test");
    argument.unwinding = Some(times);
    argument
}

fn filled(value: i128) -> Argument {
    let module = module(FILLING);
    let main = body(&module, "main");
    let (i, memory) = (parameter(main, 1, 0), parameter(main, 1, 1));
    let a = defined(main, |it| matches!(it, Instruction::Allocate { .. }));
    let (k, o) = (Expression::EveryObject, Expression::EveryOffset);
    let is_filled = |upper: Expression| {
        let cell = Expression::content(memory, k.clone(), o.clone(), 4, View::Signed);
        let place = Formula::all([
            k.clone().equals(Expression::Object(a)),
            o.clone().remainder(4).equals(number(0)),
            number(0).at_most(o.clone()),
            o.clone().less(upper.times(4)),
        ]);
        Formula::for_every(place.implies(cell.equals(number(value))))
    };
    let mut argument = Argument::by("test");
    let mut first = between(i, 0, 1000);
    first.push(is_filled(signed(i)));
    let j = parameter(main, 4, 0);
    let nondet = main.instructions.values().find(|it| {
        matches!(it.instruction, Instruction::Nondet { .. })
            && main.ty(it.results[0]) == foghorn_ir::Type::I64
    });
    let n = Subject::Value(nondet.expect("an input").results[0].as_u32());
    first.extend(between(n, 0, 1000));
    let mut second = between(j, 0, 1000);
    second.extend(between(n, 0, 1000));
    second.push(is_filled(signed(n)));
    let claims = argument.function("main");
    first.push(signed(i).at_most(signed(n)));
    claims.loops.insert(1, LoopClaim::invariant(first));
    claims.loops.insert(4, LoopClaim::invariant(second));
    argument
}

#[test]
fn invariants_and_contracts_imply_the_checks() {
    let proof = check(COUNTING, "assertions", &counting(10));
    assert!(proves(&proof), "{proof:?}");
    assert_eq!(proof.sites.len(), 2);
}

#[test]
fn a_bound_that_the_loop_leaves_is_refused() {
    let proof = check(COUNTING, "assertions", &counting(9));
    assert!(!proof.holds(), "{proof:?}");
}

#[test]
fn complete_unwinding_needs_enough_iterations() {
    let proof = check(COUNTING, "assertions", &unwound(10));
    assert!(proves(&proof), "{proof:?}");
    let proof = check(COUNTING, "assertions", &unwound(9));
    assert!(!proof.holds(), "{proof:?}");
}

fn swapped(copies: u32) -> Argument {
    let mut argument = Argument::by("test");
    let holds = vec![];
    let claim = LoopClaim::Invariant { holds, copies };
    argument.function("main").loops.insert(1, claim);
    argument
}

#[test]
fn k_induction_needs_enough_copies() {
    let proof = check(SWAPPING, "assertions", &swapped(4));
    assert!(proves(&proof), "{proof:?}");
    for copies in [1, 2, 3] {
        let proof = check(SWAPPING, "assertions", &swapped(copies));
        assert!(!proves(&proof), "{copies}: {proof:?}");
    }
}

#[test]
fn a_failing_first_iteration_is_found_with_any_number_of_copies() {
    let wrong = SWAPPING.replace("block1(0:i32, 1:i32, 1:i32)", "block1(0:i32, 1:i32, 2:i32)");
    for copies in [1, 3, 4, 6] {
        let proof = check(&wrong, "assertions", &swapped(copies));
        assert!(!proves(&proof), "{copies}: {proof:?}");
    }
}

/// The inner loop is entered twice, and the second time the number is 1.
const ENTERED_TWICE: &str = "foghorn-ir 1
layout pointer-bytes 8
entry @main

function @main() -> i32 {
block0:
  jump block1(0:i32, 0:i32)
block1(v0:i32, v1:i32):
  jump block2(0:i32, v1)
block2(v2:i32, v3:i32):
  v4:i1 = compare eq v3, 0
  check assertion v4
  v5:i1 = compare slt v2, 5
  branch v5, block3, block4
block3:
  v6:i32 = add v2, 1
  jump block2(v6, 0:i32)
block4:
  v7:i32 = add v0, 1
  v8:i1 = compare slt v7, 2
  branch v8, block1(v7, 1:i32), block5
block5:
  return 0:i32
}
";

/// Arrivals at a head count for the entry they belong to: what holds in one says nothing of the first iteration of
/// another, however the loop around is passed.
#[test]
fn an_arrival_of_another_entry_is_not_counted() {
    let right = ENTERED_TWICE.replace("block1(v7, 1:i32)", "block1(v7, 0:i32)");
    let second = parameter(body(&module(ENTERED_TWICE), "main"), 2, 1);
    let zero = signed(second).equals(number(0));
    for (copies, outer) in [
        (1, None),
        (1, Some(1)),
        (2, Some(1)),
        (3, Some(2)),
        (3, None),
    ] {
        let mut argument = Argument::by("test");
        let claims = argument.function("main");
        let holds = match copies {
            1 => vec![zero.clone()],
            _ => vec![],
        };
        let inner = LoopClaim::Invariant { holds, copies };
        claims.loops.insert(2, inner);
        match outer {
            Some(times) => claims.loops.insert(1, LoopClaim::Unwound { times }),
            None => {
                let first = parameter(body(&module(ENTERED_TWICE), "main"), 1, 1);
                let holds = vec![signed(first).equals(number(0))];
                claims.loops.insert(1, LoopClaim::invariant(holds))
            }
        };
        let proof = check(ENTERED_TWICE, "assertions", &argument);
        assert!(!proves(&proof), "{copies} {outer:?}: {proof:?}");
        let proof = check(&right, "assertions", &argument);
        assert!(proves(&proof), "{copies} {outer:?}: {proof:?}");
    }
}

#[test]
fn contents_of_every_cell_imply_checks_and_accesses() {
    let proof = check(FILLING, "assertions,memory-safety", &filled(7));
    assert!(proves(&proof), "{proof:?}");
    assert_eq!(proof.sites.len(), 3);
    let proof = check(FILLING, "assertions,memory-safety", &filled(8));
    assert!(!proof.holds(), "{proof:?}");
}

#[test]
fn an_access_out_of_bounds_does_not_follow() {
    let wrong = FILLING.replace("allocate stack 4000", "allocate stack 3999");
    let proof = check(&wrong, "assertions,memory-safety", &filled(7));
    assert!(proof.sites.values().any(|holds| !*holds), "{proof:?}");
}

/// Each question left out lets something wrong pass.
#[test]
fn no_question_is_idle() {
    let passes = |text: &str, argument: &Argument, sabotage: Sabotage| {
        let groups = "assertions,memory-safety";
        assert!(!proves(&check(text, groups, argument)), "{sabotage:?}");
        let proof = check_with(text, groups, argument, sabotage);
        assert!(proves(&proof), "{sabotage:?}: {proof:?}");
    };
    let main = "main";
    let claim = |argument: &mut Argument, holds: Vec<Formula>| {
        let claims = argument.function(main);
        claims.loops.insert(1, LoopClaim::invariant(holds));
    };
    let counter = parameter(body(&module(COUNTING), main), 1, 0);
    let ten = signed(counter).equals(number(10));

    let mut entering = counting(10);
    claim(&mut entering, vec![ten.clone()]);
    passes(COUNTING, &entering, Sabotage::Entering);

    let below = COUNTING.replace("compare eq v0, 10", "compare eq v0, 0");
    let mut iterating = counting(10);
    claim(&mut iterating, vec![signed(counter).equals(number(0))]);
    let zero = below.replace("compare slt v0, 10\n", "compare slt v0, 0\n");
    assert!(proves(&check(&zero, "assertions", &iterating)));
    let mut iterating = counting(10);
    claim(&mut iterating, between(counter, 0, 5));
    let five = COUNTING.replace("compare eq v0, 10", "compare sle v0, 5");
    passes(&five, &iterating, Sabotage::Iterating);

    let mut requires = counting(10);
    let twice = requires.function("twice");
    let contract = twice.contract.as_mut().expect("a contract");
    let param = parameter(body(&module(COUNTING), "twice"), 0, 0);
    contract.requires = between(param, 0, 4);
    contract.ensures = Some(between(result(0), 0, 8));
    let eight = COUNTING.replace("compare sle v4, 20", "compare sle v4, 8");
    passes(&eight, &requires, Sabotage::Requires);

    let mut ensures = counting(10);
    let twice = ensures.function("twice");
    twice.contract = Some(Contract::new(vec![], between(result(0), 0, 8)));
    passes(&eight, &ensures, Sabotage::Ensures);

    let nine = COUNTING.replace("compare eq v0, 10", "compare sle v0, 9");
    passes(&nine, &unwound(9), Sabotage::Unwinding);

    let eleven = COUNTING.replace("compare eq v0, 10", "compare eq v0, 11");
    passes(&eleven, &counting(10), Sabotage::Sites);

    let indirect = "foghorn-ir 1
layout pointer-bytes 8
entry @main

function @main() -> i32 {
block0:
  v0:ptr = nondet input \"p\"
  v1:i32 = load v0, align 4
  return v1
}
";
    let pure = indirect.replace(
        "block0:\n",
        "  pure\n  region region0 \"m\" word 4 local\nblock0:\n  v9:region0 = nondet uninitialised \"m\"\n",
    );
    let pure = pure.replace("align 4\n", "align 4 [v9]\n");
    let nothing = Argument::by("test");
    assert!(!check(&pure, "assertions", &nothing).holds());
    let proof = check_with(&pure, "assertions", &nothing, Sabotage::Obligations);
    assert!(proof.holds(), "{proof:?}");
}

/// What the solver refutes is refuted by proofs that are checked without it.
#[test]
fn proofs_of_the_solver_are_checked() {
    let folder = std::env::temp_dir().join(format!("foghorn-proofs-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let checks: CheckSelection = "assertions,memory-safety".parse().expect("groups");
    let budget = Budget::unlimited();
    let mut refutations = 0;
    for (text, argument) in [
        (COUNTING, counting(10)),
        (SWAPPING, swapped(4)),
        (FILLING, filled(7)),
    ] {
        let proof = prove_with_proofs(&module(text), &checks, &argument, &budget, &folder);
        let proof = proof.expect("a solver");
        assert!(proves(&proof), "{proof:?}");
        refutations += proof.refutations;
        assert_eq!(proof.refutations_checked, proof.refutations);
    }
    assert!(refutations > 0);
    std::fs::remove_dir_all(&folder).expect("the folder");
}
