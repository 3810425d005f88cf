//! Loop-closed SSA: on examples, and as an invariant on random programs.

use super::expect;
use foghorn_ir::graph::{ControlFlowGraph, LoopForest};
use foghorn_ir::{BlockId, Body, InstId, ValueDef, ValueId};
use foghorn_transform::PassOptions;
use std::collections::HashMap;

#[test]
fn a_value_leaves_a_nest_through_two_parameters() {
    expect(
        "loop-closed",
        &PassOptions::default(),
        "function @f(i1, i1) -> i32 {
        block0(v0:i1, v1:i1):
          jump block1
        block1:
          check assertion v1
          jump block2
        block2:
          v2:i32 = nondet input \"n\"
          branch v0, block2, block3
        block3:
          branch v1, block1, block4
        block4:
          return v2
        }",
        "function @f(i1, i1) -> i32 {
        block0(v0:i1, v1:i1):
          jump block1
        block1:
          check assertion v1
          jump block2
        block2:
          v2:i32 = nondet input \"n\"
          branch v0, block2, block3(v2)
        block3(v3:i32):
          branch v1, block1, block4(v3)
        block4(v4:i32):
          return v4
        }",
    );
}

/// Panics at a value that is used beyond its loop.
pub fn assert_closed(body: &Body) {
    let cfg = ControlFlowGraph::new(body);
    let forest = LoopForest::new(&cfg);
    let mut places: HashMap<InstId, BlockId> = HashMap::new();
    for &block in cfg.reverse_postorder() {
        places.extend(
            body.blocks[block]
                .instructions
                .iter()
                .map(|&id| (id, block)),
        );
    }
    for &block in cfg.reverse_postorder() {
        let check = |value: ValueId| {
            let definition = match body.values[value].def {
                ValueDef::Param(block, _) => block,
                ValueDef::Result(id, _) | ValueDef::Memory(id, _) => places[&id],
                ValueDef::Constant(_) => return,
            };
            if let Some(around) = forest.innermost(definition) {
                assert!(forest.contains(around, block), "{value} is used in {block}");
            }
        };
        for &id in &body.blocks[block].instructions {
            body.instructions[id].instruction.for_each_operand(check);
        }
        body.blocks[block].terminator.for_each_operand(check);
    }
}

#[test]
fn an_exit_that_is_shared_with_others_is_split() {
    let text = "function @f(i1, i1) -> i32 {
        block0(v0:i1, v1:i1):
          branch v0, block1, block3(5:i32)
        block1:
          v2:i32 = nondet input \"n\"
          branch v1, block2, block4
        block2:
          branch v0, block1, block3(v2)
        block4:
          v4:i32 = add v2, v2
          jump block3(v4)
        block3(v3:i32):
          return v3
        }";
    let module = super::run("loop-closed", &PassOptions::default(), text);
    let body = module
        .functions
        .values()
        .next()
        .and_then(|f| f.body.as_ref());
    assert_closed(body.expect("a body"));
}
