//! Construction with one region for all memory, checked by the verifier and by execution.

use super::start::call_constructors_and_destructors;
use super::{Plan, PlannedUse, Sabotage, construct};
use foghorn_ir::interpret::{Options, Outcome, Program, RecordedWorld, Run, Zeros};
use foghorn_ir::{
    Builtin, Callee, Cell, FunctionId, Instruction, Interface, MemoryRole, Module, Region,
    parse_module, print_module, verify_module,
};
use std::collections::BTreeMap;

/// How a function uses memory.
#[derive(Clone, Copy, Default, PartialEq)]
struct Usage {
    touches: bool,
    writes: bool,
}

/// Accesses of an instruction by role, or the function that it calls.
fn roles(instruction: &Instruction) -> (Vec<(MemoryRole, bool)>, Option<FunctionId>) {
    use MemoryRole::{Access, Destination, Source};
    let roles = match instruction {
        Instruction::Load { .. } => vec![(Access, false)],
        Instruction::Store { .. } => vec![(Access, true)],
        Instruction::MemorySet { .. } | Instruction::LifetimeStart { .. } => {
            vec![(Destination, true)]
        }
        Instruction::MemoryCopy { .. } => vec![(Destination, true), (Source, false)],
        Instruction::Call {
            callee: Callee::Direct(callee),
            ..
        } => return (vec![], Some(*callee)),
        Instruction::Call {
            callee: Callee::Builtin(Builtin::WriteOutput),
            ..
        } => vec![(Source, false)],
        _ => vec![],
    };
    (roles, None)
}

fn usages(module: &Module) -> BTreeMap<FunctionId, Usage> {
    let mut usages: BTreeMap<FunctionId, Usage> = BTreeMap::new();
    loop {
        let before = usages.clone();
        for (id, function) in module.functions.iter() {
            let mut usage = Usage::default();
            let instructions = function
                .body
                .iter()
                .flat_map(|body| body.instructions.values());
            for data in instructions {
                let (roles, callee) = roles(&data.instruction);
                let called = callee.and_then(|callee| usages.get(&callee)).copied();
                let called = called.unwrap_or_default();
                usage.touches |= !roles.is_empty() || called.touches;
                usage.writes |= roles.iter().any(|role| role.1) || called.writes;
            }
            usages.insert(id, usage);
        }
        if usages == before {
            return usages;
        }
    }
}

/// One region of bytes for all memory.
fn flat(module: &Module, function: FunctionId, usages: &BTreeMap<FunctionId, Usage>) -> Plan {
    let mut plan = Plan::default();
    let usage = usages[&function];
    if !usage.touches {
        return plan;
    }
    let interface = if usage.writes {
        Interface::Modified
    } else {
        Interface::Read
    };
    let region = plan.regions.push(Region {
        name: "memory".into(),
        cell: Cell::Bytes,
        likely: Cell::Bytes,
        typed: false,
        interface,
    });
    plan.parameters.push(region);
    let body = module.functions[function].body.as_ref().expect("a body");
    for (id, data) in body.instructions.iter() {
        let (mut roles, callee) = roles(&data.instruction);
        if let Some(callee) = callee.filter(|callee| usages[callee].touches) {
            roles.push((MemoryRole::Argument(0), usages[&callee].writes));
        }
        let uses = roles.into_iter().map(|(role, modifies)| PlannedUse {
            region,
            role,
            modifies,
        });
        plan.uses.insert(id, uses.collect());
    }
    plan
}

fn purify(module: &mut Module, sabotage: Option<Sabotage>) {
    call_constructors_and_destructors(module);
    let usages = usages(module);
    let plans: Vec<_> = module
        .functions
        .keys()
        .filter(|&id| module.functions[id].body.is_some())
        .map(|id| (id, flat(module, id, &usages)))
        .collect();
    for (id, plan) in plans {
        let body = module.functions[id].body.as_mut().expect("a body");
        construct(body, &plan, sabotage);
    }
}

fn parse(text: &str) -> Module {
    parse_module(text).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

fn run(module: &Module) -> Run {
    let options = Options {
        max_steps: Some(100_000),
        ..Options::default()
    };
    let mut world = RecordedWorld::default();
    let run = Program::new(module).run(&options, &mut Zeros, &mut world);
    run.unwrap_or_else(|e| panic!("{e}"))
}

const PROGRAM: &str = r#"
foghorn-ir 1 layout pointer-bytes 8 entry @main constructors @setup destructors @finish
global @counter size 4 align 4 = zero
function @setup() { block0: store 3:i32 to @counter, align 4 return }
function @finish() {
block0:
  v0:i32 = load @counter, align 4
  v1:i1 = compare eq v0, 13
  check assertion v1
  return
}
function @even(i32) -> i1 {
block0(v0:i32):
  v1:i1 = compare eq v0, 0
  branch v1, block2(true), block1
block1:
  v2:i32 = load @counter, align 4
  v3:i32 = add v2, 1
  store v3 to @counter, align 4
  v4:i32 = sub v0, 1
  v5:i1 = call @odd(v4)
  jump block2(v5)
block2(v6:i1):
  return v6
}
function @odd(i32) -> i1 {
block0(v0:i32):
  v1:i1 = compare eq v0, 0
  branch v1, block2(false), block1
block1:
  v2:i32 = sub v0, 1
  v3:i1 = call @even(v2)
  jump block2(v3)
block2(v4:i1):
  return v4
}
function @peek() -> i32 { block0: v0:i32 = load @counter, align 4 return v0 }
function @main() -> i32 {
block0:
  v0:ptr = allocate stack 4, align 4
  v1:ptr = allocate stack 4, align 4
  store 0:i32 to v0, align 4
  jump block1
block1:
  v2:i32 = load v0, align 4
  v3:i1 = compare ult v2, 10
  branch v3, block2, block5
block2:
  v4:i1 = call @even(v2)
  branch v4, block3, block4
block3:
  memory-copy v1, v0, 4
  jump block4
block4:
  v5:i32 = add v2, 1
  store v5 to v0, align 4
  jump block1
block5:
  v6:i32 = load v1, align 4
  v7:i32 = call @peek()
  v8:i32 = mul v7, 10
  v9:i32 = add v8, v6
  store 13:i32 to @counter, align 4
  return v9
}
"#;

#[test]
fn the_pure_form_does_what_the_impure_one_does() {
    let mut module = parse(PROGRAM);
    let impure = run(&module).outcome;
    assert_eq!(impure, Outcome::Exited { code: 288 });
    purify(&mut module, None);
    assert_eq!(verify_module(&module), [], "{}", print_module(&module));
    assert_eq!(run(&module).outcome, impure, "{}", print_module(&module));
    let text = print_module(&module);
    let again = parse(&text);
    assert_eq!(print_module(&again), text);
    assert_eq!(run(&again).outcome, impure);
}

#[test]
fn parameters_are_pruned() {
    let mut module = parse(PROGRAM);
    purify(&mut module, None);
    let joins = |name: &str| {
        let id = module.function_named(name).expect(name);
        let body = module.functions[id].body.as_ref().expect("a body");
        let params = body.blocks.iter().filter(|(block, _)| *block != body.entry);
        let params = params.flat_map(|(_, block)| &block.params);
        params
            .filter(|&&param| body.ty(param).region().is_some())
            .count()
    };
    // The loop's head and the join after the copy; nothing before the last block.
    assert_eq!(joins("main"), 2);
    assert_eq!(joins("even"), 1);
    let odd = module.function_named("odd").expect("odd");
    let odd = module.functions[odd].body.as_ref().expect("a body");
    assert_eq!(odd.memory_results().count(), 1);
    let peek = module.function_named("peek").expect("peek");
    let peek = module.functions[peek].body.as_ref().expect("a body");
    assert_eq!(
        (
            peek.memory_parameters().count(),
            peek.memory_results().count()
        ),
        (1, 0)
    );
}

#[test]
fn mistakes_of_the_construction_are_found_by_verifier_and_execution() {
    for sabotage in [Sabotage::Joins, Sabotage::Calls, Sabotage::Copies] {
        let mut module = parse(PROGRAM);
        purify(&mut module, Some(sabotage));
        let breaches = verify_module(&module);
        assert!(!breaches.is_empty(), "{sabotage:?}");
        let outcome = run(&module).outcome;
        assert!(
            matches!(outcome, Outcome::Inconsistent { .. }),
            "{sabotage:?}: {outcome:?}"
        );
    }
}

#[test]
fn unreachable_blocks_lose_what_would_need_memory() {
    let mut module = parse(
        "foghorn-ir 1 layout pointer-bytes 8 entry @main
         function @main() { block0: return block1: store 1:i8 to null, align 1 jump block1 }",
    );
    purify(&mut module, None);
    assert_eq!(verify_module(&module), []);
}

/// An entry other than `main` gets inputs when it is called, after the constructors.
#[test]
fn arguments_of_the_entry_are_chosen_where_they_were() {
    let text = "foghorn-ir 1 layout pointer-bytes 8 entry @f constructors @setup
         global @g size 4 align 4 = zero
         function @setup() { block0: v0:i32 = nondet input \"first\" store v0 to @g, align 4 return }
         function @f(i32, i64) -> i32 { block0(v0.x:i32, v1:i64): return v0 }";
    let mut module = parse(text);
    let impure = run(&module);
    purify(&mut module, None);
    assert_eq!(verify_module(&module), []);
    let pure = run(&module);
    assert_eq!(pure.outcome, impure.outcome);
    let origins = |run: &Run| {
        run.choices
            .iter()
            .map(|c| (c.origin.clone(), c.bits))
            .collect::<Vec<_>>()
    };
    assert_eq!(origins(&pure), origins(&impure));
    assert_eq!(pure.choices.len(), 3);
}

/// A table of functions that is called through, a list on the heap, and a structure that is copied.
const POINTERS: &str = r#"
foghorn-ir 1 layout pointer-bytes 8 entry @main
global @table size 16 align 8 = { 0: @twice, 8: @next }
global @calls size 4 align 4 = zero
function @twice(ptr) -> i32 {
block0(v0:ptr):
  v1:i32 = load v0, align 4
  v2:i32 = add v1, v1
  store v2 to v0, align 4
  return v2
}
function @next(ptr) -> i32 {
block0(v0:ptr):
  v1:i32 = load @calls, align 4
  v2:i32 = add v1, 1
  store v2 to @calls, align 4
  return v2
}
function @push(ptr, i32) -> ptr {
block0(v0:ptr, v1:i32):
  v2:ptr = allocate heap 16, align 8
  store v0 to v2, align 8
  v3:ptr = pointer-add v2 + 8
  store v1 to v3, align 4
  return v2
}
function @main() -> i32 {
block0:
  v0:ptr = allocate stack 8, align 4
  v1:ptr = allocate stack 8, align 4
  v2:ptr = pointer-add v0 + 4
  store 5:i32 to v0, align 4
  store 7:i32 to v2, align 4
  memory-copy v1, v0, 8
  v3:ptr = call @push(null, 1:i32)
  v4:ptr = call @push(v3, 2:i32)
  jump block1(0:i64, 0:i32)
block1(v5:i64, v6:i32):
  v7:i1 = compare ult v5, 2
  branch v7, block2, block3
block2:
  v8:ptr = pointer-add @table + v5 * 8
  v9:ptr = load v8, align 8
  v10:i32 = call-indirect v9(v1)
  v11:i32 = call-indirect v9(v1)
  v12:i32 = add v6, v10
  v13:i32 = add v12, v11
  v14:i64 = add v5, 1
  jump block1(v14, v13)
block3:
  v15:ptr = load v4, align 8
  v16:ptr = pointer-add v15 + 8
  v17:i32 = load v16, align 4
  v18:ptr = pointer-add v1 + 4
  v19:i32 = load v18, align 4
  v20:i32 = add v17, v19
  v21:i32 = add v20, v6
  free v15
  free v4
  return v21
}
"#;

#[test]
fn regions_of_the_analysis_in_every_mode() {
    use crate::{Mode, Options as Analysing};
    for mode in Mode::ALL {
        let mut module = parse(POINTERS);
        let impure = run(&module).outcome;
        assert_eq!(impure, Outcome::Exited { code: 41 });
        let options = Analysing {
            mode,
            ..Analysing::default()
        };
        super::plan::purify(&mut module, &options);
        let text = print_module(&module);
        assert_eq!(verify_module(&module), [], "{mode:?}\n{text}");
        assert_eq!(run(&module).outcome, impure, "{mode:?}\n{text}");
        let main = module.function_named("main").expect("main");
        let main = module.functions[main].body.as_ref().expect("a body");
        let words = main
            .regions
            .values()
            .filter(|r| r.cell == Cell::Word { bytes: 4 });
        let pointers = main.regions.values().filter(|r| r.cell == Cell::Pointer);
        match mode {
            Mode::Flat => assert_eq!(main.regions.len(), 1),
            Mode::Ci => {}
            // Two fields of two structures, the counter, the numbers of two elements; the links of
            // both and the table.
            Mode::Cs => assert_eq!((words.count(), pointers.count()), (7, 3), "{text}"),
        }
    }
}

#[test]
fn an_analysis_that_leaves_out_unifications_is_noticed() {
    use crate::{Options as Analysing, Sabotage as Mistake};
    let mut module = parse(POINTERS);
    let options = Analysing {
        sabotage: Some(Mistake::BlockParameters),
        ..Analysing::default()
    };
    let text = POINTERS.replace(
        "block3:\n",
        "block3:\n jump block4(v0)\nblock4(v90:ptr):\n v91:i32 = load v90, align 4\n",
    );
    assert_eq!(text.matches("block4").count(), 2);
    let mut changed = parse(&text);
    super::plan::purify(&mut module, &options);
    super::plan::purify(&mut changed, &options);
    assert!(matches!(
        run(&changed).outcome,
        Outcome::Inconsistent { .. }
    ));
}
