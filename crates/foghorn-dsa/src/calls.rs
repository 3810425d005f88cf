//! Who calls whom: direct calls as they stand, indirect ones by what their pointers hold.

use crate::solve::Solution;
use foghorn_ir::graph::CallGraph;
use foghorn_ir::{Callee, FunctionId, InstId, Instruction, Module, Signature};
use std::collections::{BTreeMap, BTreeSet};

/// What indirect calls may call.
pub type Targets = BTreeMap<(FunctionId, InstId), BTreeSet<FunctionId>>;

/// Adds callees that were found; whether any was new. Where any was, those of the fallback are
/// added too.
pub fn extend(targets: &mut Targets, found: Targets, fallback: Option<&Targets>) -> bool {
    let mut grew = false;
    for (site, functions) in found {
        let known = targets.entry(site).or_default();
        let before = known.len();
        known.extend(functions);
        if known.len() != before {
            grew = true;
            let more = fallback.and_then(|fallback| fallback.get(&site));
            known.extend(more.into_iter().flatten());
        }
    }
    grew
}

pub fn targets_by_type(module: &Module) -> Targets {
    let calls = CallGraph::new(module);
    let mut targets = Targets::new();
    for caller in module.functions.keys() {
        for site in calls.sites(caller) {
            if site.is_indirect {
                let callees = site.callees.iter().copied().collect();
                targets.insert((caller, site.instruction), callees);
            }
        }
    }
    targets
}

/// All calls of a body by what they may call.
pub fn calls_of<'a>(
    module: &'a Module,
    caller: FunctionId,
    targets: &'a Targets,
) -> impl Iterator<Item = (InstId, Vec<FunctionId>)> + 'a {
    let body = module.functions[caller].body.as_ref();
    let blocks = body.into_iter().flat_map(|body| {
        let blocks = body.blocks.values();
        blocks.flat_map(move |block| block.instructions.iter().map(move |&id| (body, id)))
    });
    blocks.filter_map(move |(body, id)| match &body.instructions[id].instruction {
        Instruction::Call { callee, .. } => match callee {
            Callee::Direct(function) => Some((id, vec![*function])),
            Callee::Indirect(_) => {
                let found = targets.get(&(caller, id));
                Some((id, found.into_iter().flatten().copied().collect()))
            }
            Callee::Builtin(_) => None,
        },
        _other => None,
    })
}

impl Solution {
    /// What the pointers of indirect calls hold.
    pub(crate) fn resolve(&self, module: &Module) -> Targets {
        let mut found = Targets::new();
        for (caller, function) in &module.functions {
            let (Some(body), Some(group)) = (&function.body, self.group_of[caller]) else {
                continue;
            };
            let graph = &self.groups[group].graph;
            for block in body.blocks.values() {
                for &id in &block.instructions {
                    let data = &body.instructions[id];
                    let Instruction::Call { callee, arguments } = &data.instruction else {
                        continue;
                    };
                    let Callee::Indirect(pointer) = callee else {
                        continue;
                    };
                    let signature = Signature {
                        params: arguments.iter().map(|&v| body.ty(v)).collect(),
                        results: data.results.iter().map(|&v| body.ty(v)).collect(),
                    };
                    let cell = self.cells[caller].get(*pointer);
                    let node = cell.map(|cell| &graph.nodes[graph.lookup(cell).node]);
                    let fitting = node
                        .map(crate::graph::Node::all_functions)
                        .unwrap_or_default();
                    let fitting = fitting
                        .iter()
                        .copied()
                        .filter(|&id| module.functions[id].signature == signature);
                    found.insert((caller, id), fitting.collect());
                }
            }
        }
        found
    }
}
