//! The analysis against execution, on textual IR: right as it is, noticed when it is broken on
//! purpose.

use foghorn_dsa::devirtualise::devirtualise;
use foghorn_dsa::observe::RegionObserver;
use foghorn_dsa::{Integers, Mode, Options, Sabotage, analyse};
use foghorn_ir::interpret::{Options as RunOptions, Outcome, Program, RecordedWorld, Zeros};
use foghorn_ir::{Callee, Instruction, Module, parse_module, verify_module};
use std::collections::BTreeSet;

const PROGRAMS: &[(&str, &str)] = &[
    ("context-alias", include_str!("programs/context-alias.fir")),
    ("container-of", include_str!("programs/container-of.fir")),
    (
        "function-table",
        include_str!("programs/function-table.fir"),
    ),
    (
        "global-through-callee",
        include_str!("programs/global-through-callee.fir"),
    ),
    ("integer-field", include_str!("programs/integer-field.fir")),
    (
        "integer-tagged",
        include_str!("programs/integer-tagged.fir"),
    ),
    ("memcpy-struct", include_str!("programs/memcpy-struct.fir")),
    ("one-list", include_str!("programs/one-list.fir")),
    (
        "recursion-tree",
        include_str!("programs/recursion-tree.fir"),
    ),
    ("two-elements", include_str!("programs/two-elements.fir")),
    ("two-parts", include_str!("programs/two-parts.fir")),
];

fn module(text: &str) -> Module {
    parse_module(text).expect("the program parses")
}

/// Violations of a run, and how many accesses were compared.
fn violations(module: &Module, options: &Options) -> (u64, u64) {
    let analysis = analyse(module, options);
    let mut observer = RegionObserver::new(module, &analysis);
    Program::new(module)
        .run_observed(
            &RunOptions::default(),
            &mut Zeros,
            &mut RecordedWorld::default(),
            &mut observer,
        )
        .expect("the program has an entry");
    (observer.violation_count, observer.accesses)
}

#[test]
fn runs_stay_within_their_regions_in_every_mode() {
    for (name, text) in PROGRAMS {
        for mode in Mode::ALL {
            let options = Options {
                mode,
                ..Options::default()
            };
            let (violations, accesses) = violations(&module(text), &options);
            assert_eq!(violations, 0, "{name} in mode {}", mode.name());
            assert!(accesses > 0, "{name} accesses memory");
        }
    }
}

#[test]
fn broken_unifications_are_noticed() {
    let breaks = [
        (Sabotage::Stores, "global-through-callee"),
        (Sabotage::Export, "context-alias"),
        (Sabotage::BlockParameters, "one-list"),
        (Sabotage::Copies, "memcpy-struct"),
        (Sabotage::Distances, "two-elements"),
        (Sabotage::Distances, "two-parts"),
    ];
    for (sabotage, name) in breaks {
        let text = PROGRAMS.iter().find(|(other, _)| *other == name);
        let options = Options {
            sabotage: Some(sabotage),
            ..Options::default()
        };
        let (violations, _) = violations(&module(text.expect("listed").1), &options);
        assert!(violations > 0, "{sabotage:?} goes unnoticed in {name}");
    }
}

#[test]
fn calls_bind_different_parameters_to_different_regions() {
    for (name, text) in PROGRAMS {
        let module = module(text);
        for mode in Mode::ALL {
            let options = Options {
                mode,
                ..Options::default()
            };
            let analysis = analyse(&module, &options);
            for id in module.functions.keys() {
                for binding in analysis.function(id).calls.values().flatten() {
                    let different: BTreeSet<_> = binding.regions.iter().collect();
                    assert_eq!(different.len(), binding.regions.len(), "{name}");
                    let callee = analysis.function(binding.callee);
                    for (&theirs, &ours) in callee.parameters.iter().zip(&binding.regions) {
                        let ours = analysis.function(id).regions[ours].cell;
                        assert_eq!(callee.regions[theirs].cell, ours, "{name}: layouts agree");
                    }
                }
            }
        }
    }
}

#[test]
fn devirtualised_programs_do_the_same() {
    for (name, text) in PROGRAMS {
        let original = module(text);
        let mut direct = original.clone();
        let analysis = analyse(&original, &Options::default());
        let count = devirtualise(&mut direct, &analysis);
        assert!(verify_module(&direct).is_empty(), "{name}");
        let indirect = direct
            .functions
            .values()
            .filter_map(|function| function.body.as_ref())
            .flat_map(|body| {
                let blocks = body.blocks.values();
                blocks.flat_map(|block| block.instructions.iter().map(|&id| &body.instructions[id]))
            })
            .filter(|data| {
                matches!(
                    data.instruction,
                    Instruction::Call {
                        callee: Callee::Indirect(_),
                        ..
                    }
                )
            });
        assert_eq!(indirect.count(), 0, "{name}");
        assert_eq!(count > 0, *name == "function-table", "{name}: {count}");
        assert_eq!(outcome(&direct), outcome(&original), "{name}");
        assert_eq!(violations(&direct, &Options::default()).0, 0, "{name}");
    }
}

fn outcome(module: &Module) -> Outcome {
    let run = Program::new(module).run(
        &RunOptions::default(),
        &mut Zeros,
        &mut RecordedWorld::default(),
    );
    run.expect("the program has an entry").outcome
}

#[test]
fn the_same_program_gives_the_same_answer() {
    for (name, text) in PROGRAMS {
        let module = module(text);
        let first = analyse(&module, &Options::default());
        let second = analyse(&module, &Options::default());
        assert_eq!(
            first.statistics(&module),
            second.statistics(&module),
            "{name}"
        );
        for id in module.functions.keys() {
            let (a, b) = (first.function(id), second.function(id));
            assert!(a.regions.values().eq(b.regions.values()), "{name}");
            assert_eq!(a.accesses, b.accesses, "{name}");
            assert_eq!(a.calls, b.calls, "{name}");
        }
    }
}

/// The address is found by counting: no data flows from the pointer to the integer.
const GUESS: &str = "foghorn-ir 1
layout pointer-bytes 8
entry @main

function @main() -> i32 {
block0:
  v0:ptr = allocate heap 4, align 16
  v1:ptr = allocate heap 4, align 16
  v2:i64 = ptrtoint v0
  jump block1(65536:i64)
block1(v3:i64):
  v4:i1 = compare eq v3, v2
  branch v4, block3, block2
block2:
  v5:i64 = add v3, 1
  jump block1(v5)
block3:
  v6:ptr = inttoptr v3
  store 1:i32 to v6, align 4
  store 2:i32 to v1, align 4
  v7:i32 = load v0, align 4
  return v7
}
";

#[test]
fn guessed_addresses_reach_exposed_objects_and_no_others() {
    let module = module(GUESS);
    let options = |integers| Options {
        integers,
        ..Options::default()
    };
    let (exposed, carried) = (options(Integers::Exposed), options(Integers::Carried));
    assert_eq!(violations(&module, &exposed).0, 0);
    assert!(violations(&module, &carried).0 > 0, "the assumption fails");
    let assumed = |options| analyse(&module, options).assumed_conversions(&module).len();
    assert_eq!((assumed(&exposed), assumed(&carried)), (0, 1));
    let analysis = analyse(&module, &exposed);
    let regions = analysis.function(module.entry.expect("has one"));
    assert_eq!(regions.regions.len(), 2, "the other object is apart");
}

/// The second and third call of `g` are equal from the start; the first one joins them once the
/// call of `h` was looked at.
const JOINED: &str = "foghorn-ir 1
layout pointer-bytes 8
entry @main

function @g(ptr) {
block0(v0:ptr):
  store 1:i32 to v0, align 4
  return
}

function @h(ptr, ptr, i32) {
block0(v0:ptr, v1:ptr, v2:i32):
  v3:i1 = compare slt v2, 1
  branch v3, block1(v0), block1(v1)
block1(v4:ptr):
  store 2:i32 to v4, align 4
  return
}

function @main(i32) -> i32 {
block0(v0:i32):
  v1:ptr = allocate heap 4, align 16
  v2:ptr = allocate heap 4, align 16
  v3:ptr = allocate heap 4, align 16
  call @g(v1)
  call @g(v2)
  call @g(v3)
  call @h(v1, v2, v0)
  v4:i1 = compare slt v0, 1
  branch v4, block1(v2), block1(v3)
block1(v5:ptr):
  v6:i32 = load v5, align 4
  return v6
}
";

#[test]
fn calls_that_become_equal_one_after_the_other_are_bound() {
    let module = module(JOINED);
    assert_eq!(violations(&module, &Options::default()).0, 0);
    let analysis = analyse(&module, &Options::default());
    let main = analysis.function(module.entry.expect("has one"));
    assert_eq!(main.regions.len(), 1);
    let bound: Vec<usize> = main
        .calls
        .values()
        .flatten()
        .map(|b| b.regions.len())
        .collect();
    assert_eq!(bound, [1, 1, 1, 1]);
}

/// Three objects whose addresses are asked for, of which a pointer is made from one.
const COLLAPSING: &str = "foghorn-ir 1
layout pointer-bytes 8
entry @main

function @main() -> i32 {
block0:
  v0:ptr = allocate heap 16, align 16
  v1:ptr = allocate heap 16, align 16
  store 1:i32 to v0, align 4
  store 1:i32 to v1, align 4
  v2:i64 = ptrtoint v0
  v3:i64 = ptrtoint v1
  v7:ptr = allocate heap 16, align 16
  store 1:i32 to v7, align 4
  v8:i64 = ptrtoint v7
  v4:i64 = and v2, 4294967295
  v5:ptr = inttoptr v4
  v6:i32 = load v5, align 4
  return v6
}
";

#[test]
fn equal_causes_of_collapses_are_counted() {
    let module = module(COLLAPSING);
    let analysis = analyse(&module, &Options::default());
    let counts = analysis.collapse_counts();
    let total: usize = counts.iter().map(|(_, count)| count).sum();
    assert_eq!(total, analysis.collapses().len());
    assert!(counts.iter().any(|(_, count)| *count > 1), "{counts:?}");
    assert!(counts.is_sorted_by_key(|&(_, count)| std::cmp::Reverse(count)));
    let places: BTreeSet<_> = counts.iter().map(|(place, _)| place).collect();
    assert_eq!(places.len(), counts.len(), "each once");
}

/// The second pointer covers half of the first, which is then read as one.
const OVERLAPPING: &str = "foghorn-ir 1
layout pointer-bytes 8
entry @main

function @main() -> i32 {
block0:
  v0:ptr = allocate heap 16, align 16
  v1:ptr = allocate heap 4, align 16
  v2:ptr = allocate heap 4, align 16
  store v1 to v0, align 8
  v3:ptr = pointer-add v0 + 4
  store v2 to v3, align 4
  v4:ptr = load v0, align 8
  v5:i1 = compare eq v4, v1
  v6:i32 = zext v5
  return v6
}
";

#[test]
fn what_is_read_of_overlapping_pointers_is_made_from_an_integer() {
    let module = module(OVERLAPPING);
    let carried = Options {
        integers: Integers::Carried,
        ..Options::default()
    };
    let analysis = analyse(&module, &carried);
    assert_eq!(analysis.assumed_conversions(&module).len(), 1);
    assert_eq!(violations(&module, &Options::default()).0, 0);
    let apart = OVERLAPPING.replace("pointer-add v0 + 4", "pointer-add v0 + 8");
    let apart = parse_module(&apart).expect("the program parses");
    let analysis = analyse(&apart, &carried);
    assert_eq!(analysis.assumed_conversions(&apart).len(), 0);
}
