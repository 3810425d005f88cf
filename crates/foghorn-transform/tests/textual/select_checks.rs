//! Check selection, and the table of implicit checks.

use super::{expect, parse, run};
use foghorn_core::{CheckKind, CheckSelection};
use foghorn_ir::interpret::{Options, Outcome, Program, RecordedWorld, Zeros};
use foghorn_ir::sites::site_checks;
use foghorn_ir::verify_module;
use foghorn_transform::PassOptions;

fn only(groups: &str) -> PassOptions {
    PassOptions {
        checks: groups.parse().expect("groups"),
        ..PassOptions::default()
    }
}

const PROGRAM: &str = "function @f(i1, i1, i1, i1) {
    block0(v0:i1, v1:i1, v2:i1, v3:i1):
      check assertion v0
      check signed-overflow v1
      check division v2
      check library-precondition v3
      check unsupported v0
      return
    }";

#[test]
fn what_is_off_goes_or_is_assumed() {
    expect(
        "select-checks",
        &only("assertions"),
        PROGRAM,
        "function @f(i1, i1, i1, i1) {
        block0(v0:i1, v1:i1, v2:i1, v3:i1):
          check assertion v0
          assume v2
          assume v3
          check unsupported v0
          return
        }",
    );
    expect("select-checks", &only("all"), PROGRAM, PROGRAM);
}

#[test]
fn a_trap_stays_the_end() {
    expect(
        "select-checks",
        &only("assertions"),
        "function @f() {
        block0:
          check signed-overflow false
          unreachable
        }",
        "function @f() {
        block0:
          assume false
          unreachable
        }",
    );
}

/// With a check off, the interpreter on the whole program and on the selected one goes on, or does
/// not, alike: for every kind.
#[test]
fn the_interpreter_agrees_with_the_table_on_every_kind() {
    let none: CheckSelection = [].into_iter().collect();
    let options = PassOptions {
        checks: none,
        ..PassOptions::default()
    };
    for &kind in CheckKind::ALL {
        let text = format!(
            "entry @main\nfunction @main() -> i32 {{\nblock0:\n v0:i32 = nondet input \"n\"\n \
             v1:i1 = compare ne v0, 0\n check {kind} v1\n return 7:i32\n}}"
        );
        let end = |module: &foghorn_ir::Module| {
            let mut world = RecordedWorld::default();
            let run = Options {
                checks: options.checks.groups().collect(),
                ..Options::default()
            };
            let run = Program::new(module).run(&run, &mut Zeros, &mut world);
            match run.expect("has an entry").outcome {
                Outcome::Exited { code: 7 } => "goes on",
                Outcome::AssumedAway { .. } | Outcome::AssumptionViolated { .. } => "assumed",
                Outcome::Unsupported { .. } | Outcome::Failed(_) => "on",
                other => panic!("{kind}: {other:?}"),
            }
        };
        let before = end(&parse(&text));
        assert_eq!(
            before,
            end(&run("select-checks", &options, &text)),
            "{kind}"
        );
        assert_eq!(before == "on", kind.group().is_none(), "{kind}");
    }
}

/// Programs in which one instruction fails, and with what.
#[test]
fn every_implicit_failure_is_in_the_table() {
    let programs = [
        ("v0:i32 = load null, align 4", CheckKind::NullDereference),
        (
            "v1:ptr = allocate stack 2, align 4\n v0:i32 = load v1, align 4",
            CheckKind::OutOfBounds,
        ),
        (
            "v1:ptr = allocate heap 8, align 4\n free v1\n store 1:i32 to v1, align 1",
            CheckKind::UseAfterFree,
        ),
        (
            "v1:ptr = allocate stack 8, align 4\n lifetime-end v1\n \
             v0:i8 = load v1, align 1",
            CheckKind::UseAfterScope,
        ),
        ("store 1:i32 to @c, align 4", CheckKind::ConstantWrite),
        (
            "v1:ptr = nondet uninitialised \"p\"\n v0:i32 = load v1, align 4",
            CheckKind::UninitialisedPointer,
        ),
        (
            "v1:i64 = nondet input \"a\"\n v3:i64 = add v1, 4660\n v2:ptr = inttoptr v3\n \
             memory-set v2, 0:i8, 4:i64",
            CheckKind::UnknownPointer,
        ),
        (
            "v1:ptr = allocate stack 8, align 4\n v2:ptr = pointer-add v1 + 1\n \
             v0:i32 = load v2, align 4",
            CheckKind::Misaligned,
        ),
        (
            "v1:ptr = allocate stack 8, align 4\n free v1",
            CheckKind::InvalidFree,
        ),
        (
            "v1:ptr = allocate heap 8, align 4\n free v1\n free v1",
            CheckKind::DoubleFree,
        ),
        ("call-indirect null()", CheckKind::InvalidCall),
        (
            "v1:ptr = allocate stack 8, align 4\n v0:i1 = compare ult v1, @c",
            CheckKind::PointerComparison,
        ),
    ];
    for (body, kind) in programs {
        let text = format!(
            "entry @main\nconstant @c size 4 align 4 = zero\n\
             function @main() -> i32 {{\nblock0:\n {body}\n return 0:i32\n}}"
        );
        let module = parse(&text);
        assert!(verify_module(&module).is_empty(), "{text}");
        let options = Options {
            alignment: true,
            ..Options::default()
        };
        let mut world = RecordedWorld::default();
        let run = Program::new(&module).run(&options, &mut Zeros, &mut world);
        let Outcome::Failed(failure) = run.expect("has an entry").outcome else {
            panic!("{text} does not fail");
        };
        assert_eq!(failure.kind, kind, "{text}");
        let main = module.entry.expect("has an entry");
        let body = module.functions[main].body.as_ref().expect("has a body");
        let last = body.blocks[body.entry]
            .instructions
            .last()
            .expect("not empty");
        let listed = site_checks(body, &body.instructions[*last].instruction);
        assert!(listed.contains(&kind), "{text}: {listed:?}");
    }
}
