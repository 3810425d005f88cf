//! Failures that depend on where objects lie.
//!
//! A program that looks at addresses can fail with one layout of its objects and pass with another.
//! A real machine has a layout of its own, so whoever reads of such a failure has to know. It is
//! found out by running: if the same choices do not fail at the same check with other layouts, the
//! failure depends on the layout.

use foghorn_ir::Module;
use foghorn_ir::interpret::address::COMPACT;
use foghorn_ir::interpret::report::MAX_PLACEMENTS;
use foghorn_ir::interpret::{
    Choice, Listed, ObjectKind, Options, Outcome, Placement, Program, RecordedWorld, Run,
};
use std::fmt::Write;

/// Layouts that are tried, by their seeds: upwards, downwards with gaps, and without gaps.
const SEEDS: [u64; 3] = [0, 1, COMPACT];
/// Objects that are told.
const TOLD: usize = 6;

/// Where the objects lay whose addresses matter, a clause each; nothing if the failure does not
/// depend on it.
pub fn dependence(
    module: &Module,
    options: &Options,
    choices: &[Choice],
    stdin: &[u8],
    run: &Run,
) -> Vec<String> {
    let Outcome::Failed(failure) = &run.outcome else {
        return vec![];
    };
    if run.layout.is_empty() {
        return vec![];
    }
    let program = Program::new(module);
    let fails_with = |seed: u64| {
        let options = Options {
            address_seed: seed,
            layout: vec![],
            max_steps: Some(run.steps.saturating_mul(2).saturating_add(10_000)),
            ..options.clone()
        };
        let mut world = RecordedWorld::with_input(stdin);
        let again = program.run(&options, &mut Listed::replay(choices), &mut world);
        matches!(
            again.map(|run| run.outcome),
            Ok(Outcome::Failed(again))
                if again.kind == failure.kind && again.is_at(failure.span, failure.point)
        )
    };
    // Finding the lowest place takes long among very many objects.
    let few = run.layout.len() < MAX_PLACEMENTS;
    let mut seeds = SEEDS.into_iter().filter(|&seed| few || seed != COMPACT);
    if seeds.all(fails_with) {
        return vec![];
    }
    clauses(module, &run.layout)
}

/// One clause for each object, in the order in which the program asked.
fn clauses(module: &Module, layout: &[Placement]) -> Vec<String> {
    let named = |placement: &Placement| name(module, placement);
    let mut clauses: Vec<String> = vec![];
    for (index, placement) in layout.iter().enumerate().take(TOLD) {
        let own = named(placement);
        // Writing to a string does not fail.
        let mut clause = format!("{own} at {:#x}", placement.base);
        let earlier = layout[..index].iter().rev();
        let mut neighbours = earlier.filter_map(|other| Some((relation(placement, other)?, other)));
        if let Some((relation, other)) = neighbours.next() {
            let _ = write!(clause, ", {relation} {}", named(other));
        }
        clauses.push(clause);
    }
    if layout.len() > TOLD {
        clauses.push(format!("{} more", layout.len() - TOLD));
    }
    clauses
}

/// How an object lies to one of which the reader knows.
fn relation(placement: &Placement, other: &Placement) -> Option<&'static str> {
    let end = |placement: &Placement| placement.base.wrapping_add(placement.size);
    if other.base == placement.base {
        Some("in the place of")
    } else if end(other) == placement.base {
        Some("directly behind")
    } else if end(placement) == other.base {
        Some("directly in front of")
    } else {
        None
    }
}

fn name(module: &Module, placement: &Placement) -> String {
    if let Some(name) = &placement.name {
        return format!("'{name}'");
    }
    let kind = match placement.kind {
        ObjectKind::Function => "a function",
        ObjectKind::Global => "a global",
        ObjectKind::Stack => "a stack object",
        ObjectKind::Heap => "the memory",
    };
    match placement.allocated_at.is_known() {
        true => format!(
            "{kind} of {}",
            module.spans.describe(placement.allocated_at)
        ),
        false => kind.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use crate::replay;
    use foghorn_ir::interpret::Options;
    use foghorn_ir::text::parse_module;

    /// Two bytes of the stack, compared as numbers.
    fn told(compared: &str, layout: Vec<u64>) -> Option<Vec<String>> {
        let text = format!(
            "foghorn-ir 1\nlayout pointer-bytes 8\nentry @main
            function @main() -> i32 ! a.c:1 {{
            block0:
              v0:ptr = allocate stack 16, align 1 ! a.c:2:1
              v1:ptr = allocate stack 16, align 1 ! a.c:3:1
              v2:i64 = ptrtoint v0 ! a.c:4:1
              v3:i64 = ptrtoint v1 ! a.c:4:1
              v4:i64 = sub v3, v2 ! a.c:4:1
              {compared} ! a.c:5:1
              check assertion v5 ! a.c:5:1
              return 0:i32 ! a.c:8:1
            }}"
        );
        let module = parse_module(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let options = Options {
            layout,
            ..Options::default()
        };
        let again = replay(&module, &options, &[], b"").expect("starts");
        again.trace.map(|trace| trace.failure.layout)
    }

    #[test]
    fn a_failure_of_one_layout_says_so() {
        let apart = "v5:i1 = compare ne v4, 16";
        assert_eq!(told(apart, vec![]), None);
        let touching = told(apart, vec![0x1000, 0x1010]).expect("fails");
        assert_eq!(touching.len(), 2);
        assert!(
            touching[1].contains("at 0x1010, directly behind a stack object of a.c:2:1"),
            "{touching:?}"
        );
    }

    #[test]
    fn a_failure_of_every_layout_says_nothing() {
        let never = "v5:i1 = compare eq v4, 3";
        assert_eq!(told(never, vec![]), Some(vec![]));
        assert_eq!(told(never, vec![0x1000, 0x1010]), Some(vec![]));
    }

    #[test]
    fn a_layout_that_cannot_be_is_not_taken() {
        let apart = "v5:i1 = compare uge v4, 16";
        assert_eq!(told(apart, vec![0x1000, 0x1008]), None);
    }
}
