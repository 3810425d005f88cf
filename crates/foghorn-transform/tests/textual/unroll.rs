//! Unrolling of loops and recursion.

use super::{expect, parse, run};
use foghorn_ir::graph::{CallGraph, ControlFlowGraph, LoopForest};
use foghorn_ir::text::print_module;
use foghorn_transform::PassOptions;
use foghorn_transform::unroll::{UnrollError, UnrollOptions, unroll};

fn to(bound: u32) -> PassOptions {
    PassOptions {
        unroll: UnrollOptions {
            bound,
            recursion: bound,
            ..UnrollOptions::default()
        },
        ..PassOptions::default()
    }
}

const COUNT: &str = "function @count(i32) -> i32 {
    block0(v0:i32):
      jump block1(0:i32)
    block1(v1:i32):
      v2:i1 = compare slt v1, v0
      branch v2, block2, block3
    block2:
      v3:i32 = add v1, 1
      jump block1(v3)
    block3:
      return v1
    }";

#[test]
fn one_round_and_then_a_check() {
    let module = run("unroll,constants", &to(1), COUNT);
    let text = print_module(&module);
    assert!(is_acyclic(&module), "{text}");
    let check = "check unwinding false \"loop count.0 goes on after 1 rounds\"";
    assert_eq!(text.matches(check).count(), 1, "{text}");
    assert_eq!(text.matches("compare slt").count(), 2, "{text}");
}

#[test]
fn enough_rounds_leave_no_check_behind() {
    let text = COUNT.replace("slt v1, v0", "slt v1, 3");
    let done = "function @count(i32) -> i32 {
        block0(v0:i32):
          return 3:i32
        }";
    expect("unroll,constants", &to(3), &text, done);
}

fn is_acyclic(module: &foghorn_ir::Module) -> bool {
    let calls = CallGraph::new(module);
    module.functions.iter().all(|(id, function)| {
        let loops = function.body.as_ref().map_or(0, |body| {
            LoopForest::new(&ControlFlowGraph::new(body)).len()
        });
        loops == 0 && !calls.is_recursive(id)
    })
}

#[test]
fn an_irreducible_nest_becomes_acyclic() {
    let text = "function @f(i1, i1) {
        block0(v0:i1, v1:i1):
          branch v0, block1, block2
        block1:
          branch v1, block2, block4
        block2:
          branch v0, block3, block1
        block3:
          branch v1, block3, block2
        block4:
          return
        }";
    for bound in 0..4 {
        assert!(
            is_acyclic(&run("unroll", &to(bound), text)),
            "bound {bound}"
        );
    }
}

const RECURSIVE: &str = "entry @main
    function @down(i32) -> i32 {
    block0(v0:i32):
      v1:i1 = compare sgt v0, 0
      branch v1, block1, block2
    block1:
      v2:i32 = sub v0, 1
      v3:i32 = call @down(v2)
      jump block2
    block2:
      return v0
    }
    function @main() -> i32 {
    block0:
      v0:i32 = call @down(2:i32)
      return v0
    }";

#[test]
fn recursion_is_copied_level_by_level() {
    let module = run("unroll", &to(2), RECURSIVE);
    let names: Vec<_> = module
        .functions
        .values()
        .map(|f| f.name.to_string())
        .collect();
    assert_eq!(names, ["down", "main", "down#1", "down#2"]);
    assert!(is_acyclic(&module));
}

#[test]
fn bounds_go_by_name_and_a_wrong_name_is_an_error() {
    let mut options = to(0).unroll;
    options.bounds.insert("down".into(), 3);
    let mut module = parse(RECURSIVE);
    let done = unroll(&mut module, &options).expect("known names");
    assert_eq!((done.functions, module.functions.len()), (1, 5));
    options.bounds.insert("down.0".into(), 3);
    let error = unroll(&mut parse(RECURSIVE), &options).expect_err("no such loop");
    assert_eq!(
        error,
        UnrollError::UnknownLoop {
            name: "down.0".into()
        }
    );
}

#[test]
fn what_would_be_too_large_is_refused() {
    let mut options = to(1_000_000).unroll;
    options.max_instructions = 1_000;
    let error = unroll(&mut parse(COUNT), &options).expect_err("too large");
    assert!(
        error.to_string().contains("'count.0' 1000000 times"),
        "{error}"
    );
}

#[test]
fn recursion_through_a_pointer_is_named() {
    let text = "entry @main
        function @again(ptr) {
        block0(v0:ptr):
          call-indirect v0(v0)
          return
        }
        function @main() -> i32 {
        block0:
          call @again(@again)
          return 0:i32
        }";
    let done = unroll(&mut parse(text), &UnrollOptions::default()).expect("bounds are fine");
    assert_eq!(done.still_recursive, ["again".into()]);
}
