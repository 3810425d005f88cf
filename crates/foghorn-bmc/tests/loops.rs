//! Values that leave loops, in textual IR: nested loops whose inner values are used behind them.

use foghorn_bmc::{Bmc, SiteVerdict, check};
use foghorn_core::{Budget, Verdict};
use foghorn_ir::parse_module;

/// `for r in 0..3 { for c in 0..2 { s = s + r } t = s }`, with `s` of the inner loop used outside:
/// the outer loop must see the last inner iteration of its own iteration, not of an earlier one.
const NESTED: &str = r#"foghorn-ir 1
layout pointer-bytes 8
entry @main

function @main() -> i32 {
block0:
  jump block1(0:i32, 0:i32)
block1(v0:i32, v1:i32):
  v2:i1 = compare slt v0, 3
  branch v2, block2, block5
block2:
  jump block3(0:i32, v1)
block3(v3:i32, v4:i32):
  v5:i1 = compare slt v3, 2
  branch v5, block4, block6
block4:
  v6:i32 = add v4, v0
  v7:i32 = add v3, 1
  jump block3(v7, v6)
block6:
  v8:i32 = add v0, 1
  jump block1(v8, v4)
block5:
  v9:i1 = compare eq v1, 6
  check assertion v9
  v10:i1 = compare ne v1, 6
  check assertion v10
  return v1
}
"#;

#[test]
fn a_value_of_an_inner_loop_is_that_of_the_last_iteration() {
    let mut module = parse_module(NESTED).expect("the text is right");
    foghorn_dsa::memory_ssa::plan::purify(&mut module, &foghorn_dsa::Options::default());
    let report = check(&module, &Bmc::default(), &Budget::unlimited(), &mut |_| {})
        .expect("the solver works");
    let safe: Vec<bool> = report
        .answers
        .iter()
        .map(|answer| matches!(answer.verdict, SiteVerdict::Safe))
        .collect();
    assert_eq!(safe, [true, false]);
    assert_eq!(report.verdict(), Verdict::Unsafe);
}
