//! Division in claims rounds down, by powers of two as by others.

use foghorn_certify::prove::prove;
use foghorn_core::{Budget, CheckSelection};
use foghorn_encode::claim::build::{number, signed};
use foghorn_encode::claim::{Argument, Expression, Formula, LoopClaim, Subject};
use foghorn_ir::{BlockId, parse_module};

/// A loop in which any number comes up, below 0 too.
const ANY_NUMBER: &str = "foghorn-ir 1
layout pointer-bytes 8
entry @main

function @main() -> i32 {
block0:
  v0:i8 = nondet input \"__VERIFIER_nondet_char\"
  jump block1(v0)
block1(v1:i8):
  v2:i8 = nondet input \"__VERIFIER_nondet_char\"
  v3:i1 = compare eq v2, 0
  branch v3, block2, block1(v2)
block2:
  return 0:i32
}
";

/// Whether a claim about the number is accepted.
fn accepts(claim: impl FnOnce(Expression) -> Formula) -> bool {
    let module = parse_module(ANY_NUMBER).unwrap_or_else(|error| panic!("{error}"));
    let main = module.function_named("main").expect("a function");
    let body = module.functions[main].body.as_ref().expect("a body");
    let param = body.blocks[BlockId::from_u32(1)].params[0];
    let value = signed(Subject::Value(param.as_u32()));
    let mut argument = Argument::by("test");
    let holds = LoopClaim::invariant(vec![claim(value)]);
    argument.function("main").loops.insert(1, holds);
    let checks: CheckSelection = "assertions".parse().expect("groups");
    let proof = prove(&module, &checks, &argument, &Budget::unlimited());
    proof.expect("a solver").holds()
}

#[test]
fn quotient_and_remainder_make_the_number() {
    for by in [1, 2, 3, 4, 7, 8, 64, 128, 1024] {
        assert!(
            accepts(|it| {
                let whole = it.clone().quotient(by).times(by.into());
                let rest = it.clone().remainder(by);
                Formula::all([
                    whole.plus(rest.clone()).equals(it),
                    number(0).at_most(rest.clone()),
                    rest.less(number(by.into())),
                ])
            }),
            "{by}"
        );
    }
}

#[test]
fn numbers_below_zero_are_divided_too() {
    for by in [2, 3, 4] {
        assert!(!accepts(|it| number(0).at_most(it.quotient(by))), "{by}");
        assert!(!accepts(|it| it.remainder(by).equals(number(0))), "{by}");
        assert!(
            !accepts(|it| it.clone().quotient(by).times(by.into()).equals(it)),
            "{by}"
        );
    }
}
