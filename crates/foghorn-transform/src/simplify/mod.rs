//! Copies and algebraic identities.
//!
//! Instructions that equal one of their operands or a constant give way to it; those that can be
//! said more simply are. [`rules`] is the table of identities, each with its law; block parameters
//! that only ever receive one value are copies of it ([`copies`]).
//!
//! Kept: every check, every input, every effect. Identities hold for all bits, also where a check
//! before the operation forbids them, and never need an address.

mod copies;
pub mod rules;

use crate::cleanup::cleanup;
use crate::replacements::Replacements;
use foghorn_ir::graph::ControlFlowGraph;
use foghorn_ir::{Body, InstId};
use rules::{RULES, Simpler};

/// Runs the pass on one body; returns how many values gave way to others.
pub fn simplify(body: &mut Body) -> usize {
    let mut replacements = Replacements::default();
    copies::find(body, &mut replacements);
    let cfg = ControlFlowGraph::new(body);
    for &block in cfg.reverse_postorder() {
        for index in 0..body.blocks[block].instructions.len() {
            let id = body.blocks[block].instructions[index];
            let instruction = &mut body.instructions[id].instruction;
            instruction.map_operands(|value| replacements.resolve(value));
            simplify_instruction(body, id, &mut replacements);
        }
        let terminator = &mut body.blocks[block].terminator;
        terminator.map_operands(|value| replacements.resolve(value));
    }
    replacements.apply(body);
    cleanup(body);
    replacements.len()
}

/// Applies rules for as long as one makes the instruction simpler.
fn simplify_instruction(body: &mut Body, id: InstId, replacements: &mut Replacements) {
    loop {
        let step = RULES.iter().find_map(|rule| (rule.apply)(body, id));
        match step {
            None => return,
            Some(Simpler::Instruction(instruction)) => {
                body.instructions[id].instruction = instruction;
            }
            Some(Simpler::Value(value)) => {
                let result = body.result(id);
                if body.ty(value) == body.ty(result) {
                    replacements.set(result, value);
                }
                return;
            }
        }
    }
}
