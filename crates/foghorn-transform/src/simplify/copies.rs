//! Block parameters that are copies.
//!
//! A parameter that receives one value from everywhere, itself not counted, is that value, which
//! then dominates the block: the first arrival comes over an edge that does not carry the
//! parameter itself. One copy found makes others, so users are looked at again.

use crate::replacements::Replacements;
use cranelift_entity::SecondaryMap;
use foghorn_ir::graph::ControlFlowGraph;
use foghorn_ir::{Body, ValueDef, ValueId};

/// Notes every parameter that is a copy.
pub fn find(body: &Body, replacements: &mut Replacements) {
    let cfg = ControlFlowGraph::new(body);
    let mut sources: SecondaryMap<ValueId, Vec<ValueId>> = SecondaryMap::new();
    let mut feeds: SecondaryMap<ValueId, Vec<ValueId>> = SecondaryMap::new();
    let mut work = vec![];
    for &block in cfg.reverse_postorder() {
        for target in body.blocks[block].terminator.targets() {
            let params = &body.blocks[target.block].params;
            for (&param, &argument) in params.iter().zip(&target.arguments) {
                sources[param].push(argument);
                if let ValueDef::Param(..) = body.values[argument].def {
                    feeds[argument].push(param);
                }
            }
        }
        if block != body.entry {
            work.extend(&body.blocks[block].params);
        }
    }
    work.reverse();
    while let Some(param) = work.pop() {
        if replacements.resolve(param) != param {
            continue;
        }
        if let Some(only) = only_source(param, &sources[param], replacements) {
            replacements.set(param, only);
            work.extend(&feeds[param]);
            // The users of the copy are users of the original from now on.
            let moved = std::mem::take(&mut feeds[param]);
            feeds[only].extend(moved);
        }
    }
}

fn only_source(
    param: ValueId,
    sources: &[ValueId],
    replacements: &mut Replacements,
) -> Option<ValueId> {
    let mut only = None;
    for &source in sources {
        let source = replacements.resolve(source);
        if source == param || only == Some(source) {
            continue;
        }
        if only.is_some() {
            return None;
        }
        only = Some(source);
    }
    only
}
