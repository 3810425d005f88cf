//! The fields that each instruction of a function accesses.

use super::types::Refinement;
use super::{AccessRole, RegionKey, key_at};
use crate::graph::{Cell, Graph};
use crate::local::{FunctionCells, builtin_ranges, constant_length};
use crate::solve::{GroupId, Solution};
use foghorn_ir::{
    Body, Builtin, Callee, FunctionId, InstId, Instruction, InstructionData, Module, ValueId,
};

/// An access, by key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyAccess {
    pub key: RegionKey,
    pub reads: bool,
    pub writes: bool,
    pub role: AccessRole,
}

/// Every instruction of a function that accesses memory itself, with what it accesses.
pub fn of_function(
    module: &Module,
    solution: &Solution,
    function: FunctionId,
    refinement: &Refinement,
) -> Vec<(InstId, Vec<KeyAccess>)> {
    let Some(body) = &module.functions[function].body else {
        return vec![];
    };
    let view = View {
        module,
        body,
        group: solution.group_of[function].expect("invariant: has a body"),
        refinement,
        graph: solution.graph_of(function),
        cells: &solution.cells[function],
    };
    let ids = body.blocks.values().flat_map(|block| &block.instructions);
    ids.map(|&id| (id, view.instruction(id)))
        .filter(|(_, accesses)| !accesses.is_empty())
        .collect()
}

struct View<'a> {
    module: &'a Module,
    body: &'a Body,
    group: GroupId,
    refinement: &'a Refinement,
    graph: &'a Graph,
    cells: &'a FunctionCells,
}

impl View<'_> {
    fn instruction(&self, id: InstId) -> Vec<KeyAccess> {
        let data = &self.body.instructions[id];
        match &data.instruction {
            Instruction::Load { pointer, .. } => self.single(data, *pointer, false),
            Instruction::Store { pointer, .. } => self.single(data, *pointer, true),
            Instruction::MemorySet {
                destination,
                length,
                ..
            } => self.range(*destination, Some(*length), true),
            // What the object held is forgotten.
            Instruction::LifetimeStart { pointer } => self.range(*pointer, None, true),
            Instruction::MemoryCopy {
                destination,
                source,
                length,
            } => self.copy(*destination, *source, *length),
            Instruction::Call {
                callee: Callee::Builtin(Builtin::HavocReachable(_)),
                arguments,
            } => self.reachable(arguments),
            Instruction::Call {
                callee: Callee::Builtin(builtin),
                arguments,
            } => {
                let mut found = vec![];
                for range in builtin_ranges(builtin) {
                    let Some(&pointer) = arguments.get(range.pointer) else {
                        continue;
                    };
                    let length = range.length.and_then(|n| arguments.get(n)).copied();
                    found.extend(self.range(pointer, length, range.writes));
                }
                found
            }
            _other => vec![],
        }
    }

    /// The regions of a field.
    fn parts(&self, field: RegionKey) -> Vec<RegionKey> {
        self.refinement.keys(self.group, field)
    }

    /// `None` for null.
    fn cell(&self, pointer: ValueId) -> Option<Cell> {
        self.cells.get(pointer).map(|cell| self.graph.lookup(cell))
    }

    fn single(&self, data: &InstructionData, pointer: ValueId, writes: bool) -> Vec<KeyAccess> {
        let field = self.cell(pointer).and_then(|cell| key_at(self.graph, cell));
        let ty = data.effective_type.as_ref();
        let access = |field| KeyAccess {
            key: self.refinement.key(self.group, field, ty),
            reads: !writes,
            writes,
            role: AccessRole::Access,
        };
        field.map(access).into_iter().collect()
    }

    fn range(&self, pointer: ValueId, length: Option<ValueId>, writes: bool) -> Vec<KeyAccess> {
        let Some(cell) = self.cell(pointer) else {
            return vec![];
        };
        let length = length.and_then(|length| constant_length(self.body, length));
        if length == Some(0) {
            return vec![];
        }
        let starts = self.graph.fields_in(cell, length).into_iter();
        starts
            .flat_map(|start| self.parts(RegionKey::whole(cell.node, start)))
            .map(|key| KeyAccess {
                key,
                reads: !writes,
                writes,
                role: AccessRole::Access,
            })
            .collect()
    }

    /// Everything that code outside the program may change.
    fn reachable(&self, arguments: &[ValueId]) -> Vec<KeyAccess> {
        let Some(root) = arguments.first().and_then(|&root| self.cell(root)) else {
            return vec![];
        };
        let nodes = self.graph.changeable_from(self.module, root).into_iter();
        let fields = nodes.flat_map(|node| {
            let starts = self.graph.nodes[node].fields.keys();
            starts.map(move |&start| RegionKey::whole(node, start))
        });
        fields
            .flat_map(|field| self.parts(field))
            .map(|key| KeyAccess {
                key,
                reads: false,
                writes: true,
                role: AccessRole::Access,
            })
            .collect()
    }

    /// Destinations, then sources in the same order.
    fn copy(&self, destination: ValueId, source: ValueId, length: ValueId) -> Vec<KeyAccess> {
        let (Some(to), Some(from)) = (self.cell(destination), self.cell(source)) else {
            return vec![];
        };
        let length = constant_length(self.body, length);
        if length == Some(0) {
            return vec![];
        }
        let mut pairs: Vec<(RegionKey, RegionKey)> = vec![];
        for start in self.graph.fields_in(from, length) {
            let size = self.graph.nodes[from.node].fields[&start].length;
            let (part, _) = self.graph.part_in(from, length, (start, size));
            let place = to.plus(part.wrapping_sub(from.offset));
            let source = RegionKey::whole(from.node, start);
            let Some(destination) = key_at(self.graph, place) else {
                continue;
            };
            // Both sides are divided in the same way.
            for pair in self.parts(destination).into_iter().zip(self.parts(source)) {
                if !pairs.contains(&pair) {
                    pairs.push(pair);
                }
            }
        }
        let destinations = pairs.iter().map(|&(key, _)| KeyAccess {
            key,
            reads: false,
            writes: true,
            role: AccessRole::Destination,
        });
        let sources = pairs.iter().map(|&(_, key)| KeyAccess {
            key,
            reads: true,
            writes: false,
            role: AccessRole::Source,
        });
        destinations.chain(sources).collect()
    }
}
