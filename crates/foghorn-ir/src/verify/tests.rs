//! One test per invariant that breaks it and sees it reported, and that valid modules pass.

use super::{Breach, Invariant, verify_function, verify_module};
use crate::body::{BlockId, Body, InstId, ValueId, VariableId};
use crate::constant::Constant;
use crate::instruction::{Instruction, Terminator};
use crate::module::{FunctionId, GlobalContents, GlobalId, Initializer, Module, Symbol};
use crate::random::modules;
use crate::text::{parse_module, print_module};
use crate::types::Type;
use cranelift_entity::EntityRef;
use foghorn_core::SpanId;
use proptest::prelude::*;

const VALID: &str = r#"
foghorn-ir 1 layout pointer-bytes 8
entry @main constructors @setup
global @g size 32 align 8 = { 0: "ab", 8: "\00\00\00\00\00\00\00\00", 8: @g, 16: @setup + 4 }
function @setup() { block0: return }
declare @two(i32) -> i32, ptr
function @main(i32, ptr) -> i32 {
  variable var0 x
block0(v0:i32, v1:ptr):
  bind var0, v0
  v2:i32 = add v0, 1
  v3:i1 = compare slt v2, v0
  branch v3, block1(v2), block2
block1(v4:i32):
  v5:i32, v6:ptr = call @two(v4)
  jump block2
block2:
  v7:i64 = zext v2
  v8:ptr = pointer-add v1 + v7 * 4
  store v7 to v8, align 8
  branch v3, block3, block4
block3:
  assume false
  unreachable
block4:
  return v2
}
"#;

fn valid() -> Module {
    parse_module(VALID).unwrap_or_else(|e| panic!("{e}"))
}

fn main_id(module: &Module) -> FunctionId {
    module.function_named("main").expect("main")
}

/// Breaches after a change to the valid module.
fn after(change: impl FnOnce(&mut Module)) -> Vec<Breach> {
    let mut module = valid();
    change(&mut module);
    // Whatever is wrong, it can be printed.
    let _ = print_module(&module);
    verify_module(&module)
}

/// Breaches after a change to the body of `main`.
fn after_in_main(change: impl FnOnce(&mut Body)) -> Vec<Breach> {
    after(|module| {
        let main = main_id(module);
        change(module.functions[main].body.as_mut().expect("a body"));
    })
}

#[track_caller]
fn assert_only(breaches: &[Breach], invariant: Invariant) {
    assert!(!breaches.is_empty(), "nothing was reported");
    for breach in breaches {
        assert_eq!(breach.invariant, invariant, "{breach}");
    }
}

#[track_caller]
fn assert_at(breaches: &[Breach], invariant: Invariant, place: &str) {
    assert_only(breaches, invariant);
    assert_eq!(breaches[0].place.to_string(), place, "{}", breaches[0]);
}

fn block(index: usize) -> BlockId {
    BlockId::new(index)
}

/// The instruction at an index of a block.
fn at(body: &Body, block: usize, index: usize) -> InstId {
    body.blocks[BlockId::new(block)].instructions[index]
}

fn initializer(module: &mut Module) -> &mut Initializer {
    match &mut module.globals[GlobalId::new(0)].contents {
        GlobalContents::Initialised(initializer) => initializer,
        GlobalContents::External => panic!("initialised"),
    }
}

#[test]
fn the_valid_module_is_valid() {
    assert_eq!(verify_module(&valid()), []);
}

#[test]
fn the_doc_lists_every_invariant() {
    let doc = include_str!("mod.rs");
    for (number, invariant) in (1..).zip(Invariant::ALL) {
        let line = format!("//! {number}. **{}**", invariant.name());
        assert!(doc.contains(&line), "{line}");
    }
}

#[test]
fn layout() {
    let breaches = after(|module| module.layout.pointer_bytes = 5);
    assert!(breaches.iter().any(|b| b.invariant == Invariant::Layout));
}

#[test]
fn names() {
    let breaches = after(|module| module.globals[GlobalId::new(0)].name = "setup".into());
    assert_at(&breaches, Invariant::Names, "module");
}

#[test]
fn alignments() {
    assert_only(
        &after(|m| m.globals[GlobalId::new(0)].align = 3),
        Invariant::Alignments,
    );
    let breaches = after_in_main(|body| {
        let store = at(body, 2, 2);
        if let Instruction::Store { align, .. } = &mut body.instructions[store].instruction {
            *align = 0;
        }
    });
    assert_at(
        &breaches,
        Invariant::Alignments,
        "function main, block2, inst6",
    );
}

#[test]
fn chunks() {
    assert_only(
        &after(|m| initializer(m).chunks[1].0 = 1),
        Invariant::Chunks,
    );
    assert_only(
        &after(|m| initializer(m).chunks[1].0 = 25),
        Invariant::Chunks,
    );
    assert_only(
        &after(|m| initializer(m).chunks[0].1.clear()),
        Invariant::Chunks,
    );
}

#[test]
fn relocations() {
    assert_only(
        &after(|m| initializer(m).relocations[1].offset = 25),
        Invariant::Relocations,
    );
    assert_only(
        &after(|m| initializer(m).relocations[1].offset = 15),
        Invariant::Relocations,
    );
    assert_only(
        &after(|m| initializer(m).chunks[1].1[7] = 1),
        Invariant::Relocations,
    );
    let missing = Symbol::Function(FunctionId::new(9));
    assert_only(
        &after(|m| initializer(m).relocations[0].target = missing),
        Invariant::Relocations,
    );
}

#[test]
fn lists() {
    assert_only(
        &after(|m| m.entry = Some(FunctionId::new(9))),
        Invariant::Lists,
    );
    assert_only(
        &after(|m| m.entry = m.function_named("two")),
        Invariant::Lists,
    );
    assert_only(
        &after(|m| m.constructors = vec![main_id(m)]),
        Invariant::Lists,
    );
    assert_only(
        &after(|m| m.destructors = vec![FunctionId::new(9)]),
        Invariant::Lists,
    );
}

#[test]
fn spans() {
    let bad = SpanId::new(77);
    assert_only(
        &after(|m| m.globals[GlobalId::new(0)].span = bad),
        Invariant::Spans,
    );
    let setup = FunctionId::new(0);
    assert_at(
        &after(|m| m.functions[setup].span = bad),
        Invariant::Spans,
        "function setup",
    );
    let breaches = after_in_main(|body| body.blocks[block(1)].terminator_span = bad);
    assert_at(&breaches, Invariant::Spans, "function main, block1");
    let breaches = after_in_main(|body| {
        let add = at(body, 0, 1);
        body.instructions[add].span = bad;
    });
    assert_at(&breaches, Invariant::Spans, "function main, block0, inst1");
    let variable = VariableId::new(0);
    assert_only(
        &after_in_main(|b| b.variables[variable].span = bad),
        Invariant::Spans,
    );
}

#[test]
fn widths() {
    let two = |m: &Module| m.function_named("two").expect("two");
    let breaches = after(|m| {
        let two = two(m);
        m.functions[two].signature.results.push(Type::Int(0));
    });
    assert!(breaches.iter().any(|b| b.invariant == Invariant::Widths));
    let breaches = after_in_main(|body| {
        body.constant(Type::Int(129), Constant::Int(0));
    });
    assert_at(&breaches, Invariant::Widths, "function main");
}

#[test]
fn ids() {
    let change: [fn(&mut Body); 8] = [
        |body| body.variables[VariableId::new(0)].slot = Some(ValueId::new(99)),
        |body| body.entry = block(9),
        |body| body.blocks[block(1)].instructions.push(InstId::new(99)),
        |body| body.blocks[block(1)].params.push(ValueId::new(99)),
        |body| {
            body.blocks[block(4)].terminator = Terminator::Return {
                values: vec![ValueId::new(99)],
            }
        },
        |body| {
            let bind = at(body, 0, 0);
            let value = ValueId::new(0);
            let variable = VariableId::new(9);
            body.instructions[bind].instruction = Instruction::Bind { variable, value };
        },
        |body| {
            body.constant(Type::Ptr, Constant::Global(GlobalId::new(9)));
        },
        |body| {
            body.blocks[block(1)]
                .terminator
                .targets_mut()
                .for_each(|t| t.block = block(9));
        },
    ];
    for change in change {
        assert_only(&after_in_main(change), Invariant::Ids);
    }
    let breaches = after_in_main(|body| {
        let add = at(body, 0, 1);
        body.instructions[add]
            .instruction
            .map_operands(|_| ValueId::new(99));
    });
    assert_at(&breaches, Invariant::Ids, "function main, block0, inst1");
}

#[test]
fn placement() {
    let breaches = after_in_main(|body| {
        let add = at(body, 0, 1);
        body.blocks[block(1)].instructions.push(add);
    });
    assert_at(
        &breaches,
        Invariant::Placement,
        "function main, block1, inst1",
    );
}

#[test]
fn definitions() {
    let breaches = after_in_main(|body| body.blocks[block(0)].params.swap(0, 1));
    assert_at(&breaches, Invariant::Definitions, "function main, block0");
    let breaches = after_in_main(|body| {
        let add = at(body, 0, 1);
        body.instructions[add].results.clear();
    });
    assert_at(&breaches, Invariant::Definitions, "function main");
}

#[test]
fn constants() {
    let breaches = after_in_main(|body| {
        body.constant(Type::Ptr, Constant::Int(3));
    });
    assert_at(&breaches, Invariant::Constants, "function main");
    let breaches = after_in_main(|body| {
        let value = body.int(8, 3);
        body.values[value].def = crate::ValueDef::Constant(Constant::Int(256));
    });
    assert_only(&breaches, Invariant::Constants);
    let breaches = after_in_main(|body| {
        let value = body.int(8, 3);
        let copy = body.values[value].clone();
        body.values.push(copy);
        body.values[value].name = Some("three".into());
    });
    assert_only(&breaches, Invariant::Constants);
    assert_eq!(breaches.len(), 2);
}

#[test]
fn entry() {
    let breaches = after_in_main(|body| {
        body.add_param(body.entry, Type::I8);
    });
    assert_at(&breaches, Invariant::Entry, "function main, block0");
    let breaches = after(|module| {
        let setup = module.function_named("setup").expect("setup");
        let body = module.functions[setup].body.as_mut().expect("a body");
        body.blocks[block(0)].terminator = Terminator::Jump(crate::Target::new(block(0)));
    });
    assert_at(&breaches, Invariant::Entry, "function setup, block0");
}

#[test]
fn targets() {
    let breaches = after_in_main(|body| {
        let drop = |target: &mut crate::Target| target.arguments.clear();
        body.blocks[block(0)]
            .terminator
            .targets_mut()
            .for_each(drop);
    });
    assert_at(&breaches, Invariant::Targets, "function main, block0");
}

#[test]
fn returns() {
    let breaches = after_in_main(|body| {
        body.blocks[block(4)].terminator = Terminator::Return { values: vec![] };
    });
    assert_at(&breaches, Invariant::Returns, "function main, block4");
    let breaches = after_in_main(|body| {
        let terminator = body.blocks[block(4)].terminator.clone();
        body.blocks[block(3)].terminator = terminator;
    });
    assert_at(&breaches, Invariant::Returns, "function main, block4");
}

/// A function whose only instructions, over one value of each type, are these.
fn typed(instructions: &str) -> Vec<Breach> {
    let text = format!(
        "foghorn-ir 1 layout pointer-bytes 8 declare @two(i32) -> i32, ptr
         function @f(i1, i8, i32, i64, ptr, f32, f64) {{
         block0(v0:i1, v1:i8, v2:i32, v3:i64, v4:ptr, v5:f32, v6:f64): {instructions} return }}"
    );
    verify_module(&parse_module(&text).unwrap_or_else(|e| panic!("{e}: {instructions}")))
}

#[test]
fn operands() {
    let wrong = [
        "v9:i32 = add v2, v3",
        "v9:i64 = add v2, v2",
        "v9:f32 = add v5, v5",
        "add v2, v2",
        "v9:i32, v10:i32 = add v2, v2",
        "v9:i32 = overflows signed add v2, v2",
        "v9:i1 = overflows signed add v2, v3",
        "v9:i8 = bswap v1",
        "v9:i1 = compare eq v5, v5",
        "v9:i1 = compare eq v4, v3",
        "v9:i32 = trunc v2",
        "v9:i64 = trunc v2",
        "v9:i32 = zext v3",
        "v9:i32 = sext v2",
        "v9:f32 = fptrunc v5",
        "v9:f32 = fpext v6",
        "v9:f32 = fptosi v6",
        "v9:i32 = uitofp v2",
        "v9:f64 = bitcast v2",
        "v9:i32 = bitcast v3",
        "v9:ptr = ptrtoint v3",
        "v9:i64 = inttoptr v4",
        "v9:i32 = fneg v2",
        "v9:f64 = fadd v5, v6",
        "v9:f64 = fma v6, v6, v5",
        "v9:i1 = fcompare oeq v2, v2",
        "v9:i32 = select v2, v2, v2",
        "v9:i32 = select v0, v2, v3",
        "v9:ptr = pointer-add v3",
        "v9:ptr = pointer-add v4 + v2 * 4",
        "v9:i64 = pointer-add v4",
        "nondet undefined",
        "v9:ptr = allocate heap v2, align 8",
        "v9:i64 = allocate heap v3, align 8",
        "free v3",
        "lifetime-start v3",
        "lifetime-end v3",
        "v9:i32 = stack-save",
        "stack-restore v2",
        "v9:i32 = load v3, align 4",
        "load v4, align 4",
        "store v4 to v3, align 4",
        "memory-copy v4, v3, v3",
        "memory-copy v4, v4, v2",
        "memory-set v4, v2, v3",
        "v9:i32, v10:ptr = call @two(v3)",
        "v9:i32 = call @two(v2)",
        "call-indirect v3()",
        "v9:i32 = call-builtin object-size(v4)",
        "v9:i64 = call-builtin object-size(v4, v4)",
        "v9:f64 = call-math \"sin\"(v5)",
        "v9:f64 = call-math \"sin\"()",
        "check assertion v2",
        "assume v2",
    ];
    for instruction in wrong {
        let breaches = typed(instruction);
        assert_at(&breaches, Invariant::Operands, "function f, block0, inst0");
    }
    let breaches = typed("halt exit v3 block1:");
    assert_at(&breaches, Invariant::Operands, "function f, block0");
    let breaches = typed("branch v2, block1, block1 block1:");
    assert_at(&breaches, Invariant::Operands, "function f, block0");
}

#[test]
fn dominance() {
    let breaches = after_in_main(|body| {
        let of_block1 = body.blocks[block(1)].params[0];
        let values = vec![of_block1];
        body.blocks[block(4)].terminator = Terminator::Return { values };
    });
    assert_at(&breaches, Invariant::Dominance, "function main, block4");
    let breaches = after_in_main(|body| body.blocks[block(0)].instructions.swap(1, 2));
    assert_at(
        &breaches,
        Invariant::Dominance,
        "function main, block0, inst2",
    );
    let breaches = after_in_main(|body| {
        body.blocks[block(2)].instructions.remove(0);
    });
    assert_eq!(breaches.len(), 2, "both uses of the missing value");
    assert_only(&breaches, Invariant::Dominance);
}

#[test]
fn unreachable() {
    let breaches = after_in_main(|body| {
        body.blocks[block(3)].instructions.clear();
    });
    assert_at(&breaches, Invariant::Unreachable, "function main, block3");
}

#[test]
fn all_breaches_are_reported() {
    let breaches = after(|module| {
        module.globals[GlobalId::new(0)].align = 3;
        let main = main_id(module);
        let body = module.functions[main].body.as_mut().expect("a body");
        body.blocks[block(3)].instructions.clear();
        body.blocks[block(4)].terminator = Terminator::Return { values: vec![] };
    });
    let found: Vec<_> = breaches.iter().map(|b| b.invariant).collect();
    assert_eq!(
        found,
        [
            Invariant::Alignments,
            Invariant::Returns,
            Invariant::Unreachable
        ]
    );
    assert_eq!(
        breaches[2].to_string(),
        "function main, block3: no check or assumption of false precedes the end (invariant 18, unreachable)"
    );
}

#[test]
fn one_function_alone() {
    let mut module = valid();
    module.globals[GlobalId::new(0)].align = 3;
    let main = main_id(&module);
    assert_eq!(verify_function(&module, main), []);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn random_modules_are_valid(module in modules()) {
        let breaches = verify_module(&module);
        prop_assert!(breaches.is_empty(), "{}\n{}", breaches[0], module);
    }
}
