//! The fields that each instruction of a function accesses.

use super::{AccessRole, RegionKey, key_at};
use crate::graph::{Cell, Graph};
use crate::local::{FunctionCells, builtin_ranges, constant_length};
use crate::solve::Solution;
use foghorn_ir::{Body, Callee, FunctionId, InstId, Instruction, Module, ValueId};

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
) -> Vec<(InstId, Vec<KeyAccess>)> {
    let Some(body) = &module.functions[function].body else {
        return vec![];
    };
    let view = View {
        body,
        graph: solution.graph_of(function),
        cells: &solution.cells[function],
    };
    let ids = body.blocks.values().flat_map(|block| &block.instructions);
    ids.map(|&id| (id, view.instruction(id)))
        .filter(|(_, accesses)| !accesses.is_empty())
        .collect()
}

struct View<'a> {
    body: &'a Body,
    graph: &'a Graph,
    cells: &'a FunctionCells,
}

impl View<'_> {
    fn instruction(&self, id: InstId) -> Vec<KeyAccess> {
        match &self.body.instructions[id].instruction {
            Instruction::Load { pointer, .. } => self.single(*pointer, false),
            Instruction::Store { pointer, .. } => self.single(*pointer, true),
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

    /// `None` for null.
    fn cell(&self, pointer: ValueId) -> Option<Cell> {
        self.cells.get(pointer).map(|cell| self.graph.lookup(cell))
    }

    fn single(&self, pointer: ValueId, writes: bool) -> Vec<KeyAccess> {
        let key = self.cell(pointer).and_then(|cell| key_at(self.graph, cell));
        let access = |key| KeyAccess {
            key,
            reads: !writes,
            writes,
            role: AccessRole::Access,
        };
        key.map(access).into_iter().collect()
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
            .map(|start| KeyAccess {
                key: RegionKey {
                    node: cell.node,
                    start,
                },
                reads: !writes,
                writes,
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
            let place = to.plus(start.wrapping_sub(from.offset));
            let source = RegionKey {
                node: from.node,
                start,
            };
            if let Some(destination) = key_at(self.graph, place)
                && !pairs.contains(&(destination, source))
            {
                pairs.push((destination, source));
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
