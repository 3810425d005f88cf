//! Forged arguments: claims that an adversary makes so that a wrong program passes. Every program here fails when it is
//! run, so whatever is claimed of it, the check must not accept it.

use foghorn_certify::prove::prove;
use foghorn_core::{Budget, CheckSelection};
use foghorn_encode::claim::build::{number, signed};
use foghorn_encode::claim::{
    Argument, BitOperation, Contract, Expression, Formula, LoopClaim, Subject,
};
use foghorn_ir::{BlockId, Module, parse_module};

fn module(text: &str) -> Module {
    parse_module(text).unwrap_or_else(|error| panic!("{error}"))
}

fn accepts(text: &str, argument: &Argument) -> bool {
    let checks: CheckSelection = "assertions,memory-safety".parse().expect("groups");
    let module = module(text);
    let proof = prove(&module, &checks, argument, &Budget::unlimited()).expect("a solver");
    proof.holds() && proof.sites.values().all(|holds| *holds)
}

fn value(index: u32) -> Expression {
    signed(Subject::Value(index))
}

/// The parameters of a block of `main`.
fn parameters(text: &str, block: u32) -> Vec<u32> {
    let module = module(text);
    let main = module.function_named("main").expect("a function");
    let body = module.functions[main].body.as_ref().expect("a body");
    let params = body.blocks[BlockId::from_u32(block)].params.iter();
    params.map(|it| it.as_u32()).collect()
}

/// What the last instruction of a block of `main` defines, or another one from the back.
fn defined(text: &str, block: u32, from_the_back: usize) -> u32 {
    let module = module(text);
    let main = module.function_named("main").expect("a function");
    let body = module.functions[main].body.as_ref().expect("a body");
    let mut instructions = body.blocks[BlockId::from_u32(block)].instructions.iter();
    let id = instructions
        .nth_back(from_the_back)
        .expect("an instruction");
    body.instructions[*id].results[0].as_u32()
}

fn at_loop(head: u32, holds: Vec<Formula>, copies: u32) -> Argument {
    let mut argument = Argument::by("forger");
    let claim = LoopClaim::Invariant { holds, copies };
    argument.function("main").loops.insert(head, claim);
    argument
}

/// The check fails in the third iteration: the first sets the second number to the lowest bit of an input, and if that bit
/// is another one in the second, the bit is not computed once more and the first number becomes 1.
const LEFT_BEHIND: &str = "foghorn-ir 1
layout pointer-bytes 8
entry @main

function @main() -> i32 {
block0:
  jump block1(0:i32, 2:i32)
block1(v0:i32, v1:i32):
  v2:i1 = compare eq v0, 0
  check assertion v2
  v4:i1 = compare ne v1, 2
  v3:i32 = nondet input \"n\"
  v5:i32 = and v3, 1
  v6:i1 = compare ne v5, v1
  v7:i1 = and v4, v6
  branch v7, block1(1:i32, v1), block2
block2:
  v9:i1 = nondet input \"end\"
  v8:i32 = and v3, 1
  branch v9, block3, block1(0:i32, v8)
block3:
  return 0:i32
}
";

/// A value that is not computed on every way to the head has no definition there: a claim may not use it.
#[test]
fn a_claim_about_a_value_out_of_scope_is_refused() {
    let numbers = parameters(LEFT_BEHIND, 1);
    let (input, bit) = (defined(LEFT_BEHIND, 1, 3), defined(LEFT_BEHIND, 2, 0));
    let low = value(input).with_bits(BitOperation::And, 32, number(1));
    let is_defined = value(bit).equals(low);
    let is_good = value(numbers[0]).equals(number(0));
    let is_kept = value(numbers[1]).equals(value(bit));
    let is_first = value(numbers[1]).equals(number(2));
    let claims = vec![
        is_defined.implies(is_good),
        Formula::any([is_first, is_kept]),
    ];
    assert!(!accepts(LEFT_BEHIND, &at_loop(1, claims, 1)));
}

/// Two blocks that lead to each other and are both entered from outside: in the first whole iteration the number is 1.
const ENTERED_ASIDE: &str = "foghorn-ir 1
layout pointer-bytes 8
entry @main

function @main() -> i32 {
block0:
  v0:i1 = nondet input \"c\"
  branch v0, block1(0:i32), block2(1:i32)
block1(v1:i32):
  v2:i1 = compare eq v1, 0
  check assertion v2
  jump block2(0:i32)
block2(v3:i32):
  v4:i1 = nondet input \"more\"
  branch v4, block1(v3), block3
block3:
  return 0:i32
}
";

/// Whoever comes in aside has not been through the first iterations.
#[test]
fn k_induction_counts_no_iteration_that_was_entered_aside() {
    for copies in 1..5 {
        for head in [1, 2] {
            assert!(
                !accepts(ENTERED_ASIDE, &at_loop(head, vec![], copies)),
                "{copies} {head}"
            );
        }
        let mut both = at_loop(1, vec![], copies);
        let claim = LoopClaim::Invariant {
            holds: vec![],
            copies,
        };
        both.function("main").loops.insert(2, claim);
        assert!(!accepts(ENTERED_ASIDE, &both), "{copies}");
    }
}

/// The check fails after three iterations.
const COUNTING: &str = "foghorn-ir 1
layout pointer-bytes 8
entry @main

function @main() -> i32 {
block0:
  jump block1(0:i32)
block1(v0:i32):
  v1:i1 = compare slt v0, 3
  branch v1, block2, block3
block2:
  v2:i32 = add v0, 1
  jump block1(v2)
block3:
  v3:i1 = compare ne v0, 3
  check assertion v3
  return v0
}
";

#[test]
fn contradictions_are_shown_like_any_claim() {
    let never = Formula::Constant(false);
    let counter = || value(parameters(COUNTING, 1)[0]);
    let both = vec![counter().equals(number(0)), counter().equals(number(1))];
    let vacuous = Formula::for_every(Formula::Constant(false));
    let small = Formula::for_every(
        Expression::EveryObject
            .less(number(0))
            .implies(Formula::Constant(false)),
    );
    for copies in [1, 2, 3, 4, 5, 9] {
        for claims in [
            vec![never.clone()],
            both.clone(),
            vec![vacuous.clone()],
            vec![small.clone()],
            vec![counter().at_most(number(2))],
            vec![counter().differs(number(3))],
            vec![],
        ] {
            for head in [0, 1, 2, 3, 7] {
                let argument = at_loop(head, claims.clone(), copies);
                assert!(!accepts(COUNTING, &argument), "{argument:?}");
            }
        }
    }
    // Negations and conditions around the quantifier do not turn it round.
    for formula in [
        Formula::Not(Box::new(vacuous.clone())),
        vacuous.clone().implies(never.clone()),
        Formula::any([vacuous.clone(), never.clone()]),
    ] {
        assert!(!accepts(COUNTING, &at_loop(1, vec![formula], 1)));
    }
}

#[test]
fn bounds_that_are_too_small_are_noticed() {
    for times in [0, 1, 2, 3, 100, u32::MAX] {
        let mut argument = Argument::by("forger");
        argument.unwinding = Some(times);
        assert!(!accepts(COUNTING, &argument), "{times}");
        let mut argument = Argument::by("forger");
        let claim = LoopClaim::Unwound { times };
        argument.function("main").loops.insert(1, claim);
        assert!(!accepts(COUNTING, &argument), "{times}");
    }
}

/// Two functions call each other; the result is the number of calls, and the check says that there are none.
const RECURSION: &str = "foghorn-ir 1
layout pointer-bytes 8
entry @main

function @main() -> i32 {
block0:
  v0:i32 = call @even(3:i32)
  v1:i1 = compare eq v0, 0
  check assertion v1
  return v0
}

function @even(i32) -> i32 {
block0(v0:i32):
  v1:i1 = compare eq v0, 0
  branch v1, block2(0:i32), block1
block1:
  v2:i32 = sub v0, 1
  v3:i32 = call @odd(v2)
  jump block2(v3)
block2(v4:i32):
  return v4
}

function @odd(i32) -> i32 {
block0(v0:i32):
  v1:i1 = compare eq v0, 0
  branch v1, block2(1:i32), block1
block1:
  v2:i32 = sub v0, 1
  v3:i32 = call @even(v2)
  jump block2(v3)
block2(v4:i32):
  return v4
}
";

/// A contract is used by whoever calls, and has to be shown of every call, that of the program included.
#[test]
fn contracts_do_not_hold_each_other_up() {
    let result = || signed(Subject::Result(0));
    let zero = || vec![result().equals(number(0))];
    let never = || vec![Formula::Constant(false)];
    let contracts = [
        Contract::new(vec![], zero()),
        Contract::new(never(), zero()),
        Contract::new(vec![], never()),
        Contract {
            requires: vec![],
            ensures: None,
        },
        Contract::new(vec![], vec![]),
    ];
    for even in &contracts {
        for odd in &contracts {
            for unwinding in [None, Some(2), Some(9)] {
                let mut argument = Argument::by("forger");
                argument.function("even").contract = Some(even.clone());
                argument.function("odd").contract = Some(odd.clone());
                argument.unwinding = unwinding;
                assert!(!accepts(RECURSION, &argument), "{argument:?}");
                argument.functions.remove("odd");
                assert!(!accepts(RECURSION, &argument), "{argument:?}");
            }
        }
    }
}

/// Of the values of another function, of results where nothing returns, and of values that do not exist.
#[test]
fn a_claim_about_what_is_not_there_says_nothing() {
    let (sum, holds) = (defined(COUNTING, 2, 0), defined(COUNTING, 3, 1));
    for number_of_value in [sum, holds, 99, u32::MAX - 1, u32::MAX] {
        for formula in [
            value(number_of_value).equals(number(0)),
            value(number_of_value).differs(value(number_of_value)),
            Formula::Truth(Subject::Value(number_of_value)),
            Formula::Alive(Expression::Object(Subject::Value(number_of_value))),
        ] {
            assert!(!accepts(COUNTING, &at_loop(1, vec![formula], 1)));
        }
    }
    let result = signed(Subject::Result(0)).equals(number(0));
    assert!(!accepts(COUNTING, &at_loop(1, vec![result], 1)));
}

/// An allocation of a negative size behind the loop, on a way that no run takes.
const NEVER_ALLOCATED: &str = "foghorn-ir 1
layout pointer-bytes 8
entry @main

function @main() -> i32 {
block0:
  jump block1(0:i32)
block1(v0:i32):
  v1:i1 = compare slt v0, 3
  branch v1, block2, block3
block2:
  v2:i32 = add v0, 1
  jump block1(v2)
block3:
  v3:i1 = compare ne v0, 3
  check assertion v3
  v4:ptr = allocate heap -8, align 8
  return v0
}
";

/// What an allocation promises is promised only where it was made.
#[test]
fn an_allocation_that_was_not_made_promises_nothing() {
    let pointer = defined(NEVER_ALLOCATED, 3, 0);
    let object = Expression::Object(Subject::Value(pointer));
    let claim = number(0).at_most(object);
    assert!(!accepts(NEVER_ALLOCATED, &at_loop(1, vec![claim], 1)));
}

/// A call through a pointer to no known function may return, and what it does is not in the program.
#[test]
fn a_call_that_leads_nowhere_known_ends_no_proof() {
    let text = "foghorn-ir 1
layout pointer-bytes 8
entry @main

function @main() -> i32 {
block0:
  check invalid-call false
  assume false
  unreachable
}
";
    let checks: CheckSelection = "assertions".parse().expect("groups");
    let argument = Argument {
        unwinding: Some(1),
        ..Argument::by("forger")
    };
    let proof = prove(&module(text), &checks, &argument, &Budget::unlimited());
    assert!(!proof.expect("a solver").holds());
}
