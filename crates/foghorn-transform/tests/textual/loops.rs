//! Names and trip counts of loops.

use super::parse;
use foghorn_transform::loops::{NamedLoop, TripCount, loops};

fn of(text: &str) -> Vec<NamedLoop> {
    loops(&parse(text))
}

fn counting(start: &str, step: &str, condition: &str, targets: &str) -> Option<TripCount> {
    let text = format!(
        "function @f() {{
        block0:
          jump block1({start})
        block1(v0:i8):
          v1:i1 = compare {condition}
          v2:i8 = {step}
          branch v1, {targets}
        block2:
          return
        }}"
    );
    let found = of(&text);
    assert_eq!(found.len(), 1, "{text}");
    found[0].trip_count
}

#[test]
fn counters_are_counted() {
    let on = "block1(v2), block2";
    let off = "block2, block1(v2)";
    let exactly = |n| Some(TripCount::Exactly(n));
    assert_eq!(counting("0:i8", "add v0, 1", "slt v0, 10", on), exactly(10));
    assert_eq!(counting("10:i8", "sub v0, 2", "sgt v0, 0", on), exactly(5));
    assert_eq!(counting("0:i8", "add v0, 3", "eq v0, 9", off), exactly(3));
    assert_eq!(
        counting("250:i8", "add v0, 1", "uge v0, 250", on),
        exactly(6)
    );
    assert_eq!(
        counting("0:i8", "add v0, 2", "ne v0, 9", on),
        None,
        "never ends"
    );
    assert_eq!(
        counting("0:i8", "mul v0, 2", "ne v0, 9", on),
        None,
        "no counter"
    );
}

#[test]
fn another_way_out_makes_the_count_a_bound() {
    let found = of("function @f(i1) {
        block0(v0:i1):
          jump block1(0:i32)
        block1(v1:i32):
          v2:i1 = compare ult v1, 7
          branch v2, block2, block3
        block2:
          v3:i32 = add v1, 1
          branch v0, block1(v3), block3
        block3:
          return
        }");
    assert_eq!(found[0].trip_count, Some(TripCount::AtMost(7)));
}

#[test]
fn loops_are_numbered_by_line_and_know_what_is_around_them() {
    let found = of("function @g(i1) ! a.c:1 {
        block0(v0:i1):
          branch v0, block3, block1 ! a.c:2
        block1:
          jump block2 ! a.c:20
        block2:
          branch v0, block2, block5 ! a.c:21
        block3:
          branch v0, block4, block1 ! a.c:10
        block4:
          branch v0, block4, block3 ! a.c:11
        block5:
          return
        }");
    let names: Vec<_> = found
        .iter()
        .map(|l| (&*l.name, l.depth, l.parent.as_deref()))
        .collect();
    assert_eq!(
        names,
        [("g.0", 1, None), ("g.1", 2, Some("g.0")), ("g.2", 1, None)]
    );
    assert!(found.iter().all(|l| l.is_reducible));
}

#[test]
fn a_loop_with_two_entries_is_listed_as_such() {
    let found = of("function @h(i1) {
        block0(v0:i1):
          branch v0, block1, block2
        block1:
          branch v0, block2, block3
        block2:
          jump block1
        block3:
          return
        }");
    assert_eq!(found.len(), 1);
    assert!(!found[0].is_reducible && found[0].trip_count.is_none());
}
