//! Inlining.

use super::parse;
use foghorn_ir::text::print_module;
use foghorn_ir::{Instruction, Module};
use foghorn_transform::{InlineOptions, inline};

/// The program after the pass.
fn run(options: &InlineOptions, text: &str) -> Module {
    let mut module = parse(text);
    inline(&mut module, options);
    let breaches = foghorn_ir::verify_module(&module);
    assert!(breaches.is_empty(), "{breaches:?}");
    module
}

#[test]
fn a_call_becomes_the_body_and_objects_die_at_the_return() {
    let module = run(
        &InlineOptions::default(),
        "entry @main
        function @callee(i32) -> i32 ! a.c:1 {
        block0(v0:i32):
          v1:ptr = allocate stack 4, align 4 ! a.c:2
          store v0 to v1, align 4 ! a.c:3
          v2:i32 = load v1, align 4 ! a.c:4
          return v2 ! a.c:5
        }
        function @main() -> i32 ! a.c:6 {
        block0:
          v0:i32 = call @callee(7:i32) ! a.c:7
          return v0 ! a.c:8
        }",
    );
    let text = print_module(&module);
    assert!(text.contains("inline-site ^0 = \"callee\""), "{text}");
    assert!(text.contains("lifetime-end v0"), "{text}");
    assert_eq!(calls(&module), 0, "{text}");
}

fn count(module: &Module, wanted: impl Fn(&Instruction) -> bool) -> usize {
    let entry = module.entry.expect("an entry");
    let body = module.functions[entry].body.as_ref().expect("a body");
    let placed = body.blocks.values().flat_map(|block| &block.instructions);
    placed
        .filter(|&&id| wanted(&body.instructions[id].instruction))
        .count()
}

fn calls(module: &Module) -> usize {
    count(module, |i| matches!(i, Instruction::Call { .. }))
}

#[test]
fn objects_that_exist_on_some_paths_die_by_restoring_the_stack() {
    let module = run(
        &InlineOptions::default(),
        "entry @main
        function @callee(i1) {
        block0(v0:i1):
          branch v0, block1, block2
        block1:
          v1:ptr = allocate stack 4, align 4
          store 1:i32 to v1, align 4
          jump block2
        block2:
          return
        }
        function @main() -> i32 {
        block0:
          v0:i1 = nondet input \"b\"
          call @callee(v0)
          return 0:i32
        }",
    );
    assert_eq!(count(&module, |i| *i == Instruction::StackSave), 1);
    let restores = |i: &Instruction| matches!(i, Instruction::StackRestore { .. });
    assert_eq!(count(&module, restores), 1);
}

const RECURSIVE: &str = "entry @main
    function @even(i32) -> i1 {
    block0(v0:i32):
      v1:i1 = call @odd(v0)
      return v1
    }
    function @odd(i32) -> i1 {
    block0(v0:i32):
      v1:i1 = call @even(v0)
      return v1
    }
    function @main() -> i32 {
    block0:
      v0:i1 = call @even(4:i32)
      return 0:i32
    }";

#[test]
fn recursive_functions_stay_calls() {
    let module = run(&InlineOptions::everything(), RECURSIVE);
    assert_eq!(calls(&module), 1);
}

#[test]
fn size_and_number_of_calls_decide() {
    let text = "entry @main
        function @big() {
        block0:
          fence
          return
        }
        function @main() -> i32 {
        block0:
          calls
          return 0:i32
        }";
    let stores = "store 1:i32 to null, align 4\n".repeat(10);
    let with = |calls: usize| {
        let text = text.replace("fence", &stores);
        text.replace("calls", &"call @big()\n".repeat(calls))
    };
    let options = InlineOptions {
        small: 9,
        called_once: 10,
        largest_caller: 1_000,
    };
    assert_eq!(calls(&run(&options, &with(1))), 0, "called once");
    assert_eq!(calls(&run(&options, &with(2))), 2, "too large");
    let mut roomy = options;
    roomy.small = 10;
    roomy.largest_caller = 25;
    assert_eq!(calls(&run(&roomy, &with(4))), 1, "until the caller is full");
}

#[test]
fn a_callee_that_never_returns_cuts_the_rest() {
    let module = run(
        &InlineOptions::default(),
        "entry @main
        function @die() -> i32 {
        block0:
          halt abort 3
        }
        function @main() -> i32 {
        block0:
          v0:i32 = call @die()
          return v0
        }",
    );
    let text = print_module(&module);
    assert_eq!(calls(&module), 0, "{text}");
    let main = text.split("@main() ->").nth(1).expect("the entry");
    assert!(
        main.contains("halt abort 3") && !main.contains("return"),
        "{text}"
    );
}
