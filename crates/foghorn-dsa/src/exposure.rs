//! Integers that become pointers, as the memory model has them.
//!
//! An object is *exposed* once its address was asked for: turned into an integer, compared by `<`
//! with that of another object, or read byte by byte. An integer that becomes a pointer leads to
//! the exposed object that contains this address, wherever the integer came from: it may have been
//! guessed, or rebuilt bit by bit under branches.
//!
//! Data flow from pointers through integers and back is always followed ([`crate::graph`]). What
//! remains are integers whose flow of data does not tell. With [`Integers::Exposed`] all exposed
//! objects and everything that integers may point to are one collapsed node, shared by all
//! functions like a global; nothing is assumed then. With [`Integers::Carried`] they are taken to
//! lead to what they were computed from, and [`Analysis::assumed_conversions`] names each
//! instruction at which that is assumed. Where there is none, the two are the same.
//!
//! No object lies in the first 64 KiB or above the user half of the address space, as in the
//! interpreter; so small numbers and error codes in pointers lead nowhere.
//!
//! [`Integers::Exposed`]: crate::Integers::Exposed
//! [`Integers::Carried`]: crate::Integers::Carried

use crate::Analysis;
use crate::graph::{AccessKind, Cell, CollapseReason, Field, Flags, Graph, NodeId};
use crate::solve::Solution;
use foghorn_ir::{Body, CastOp, Constant, FunctionId, InstId, Instruction, Module, Type, ValueId};

/// Whether an integer may be the address of an object.
pub fn may_be_address(module: &Module, body: &Body, value: ValueId) -> bool {
    let Some(Constant::Int(bits)) = body.as_constant(value) else {
        return true;
    };
    let addresses = match module.layout.pointer_bytes {
        4 => 0x1_0000..=0xffff_0000,
        _ => 0x1_0000..=0x7fff_ffff_0000,
    };
    addresses.contains(&bits)
}

impl Graph {
    /// Whether a pointer that is read from a field may consist of bytes that are none: integers
    /// share the field, or pointers overlap in it.
    fn is_mixed(&self, field: &Field) -> bool {
        let mut kinds = field.accesses.iter();
        let pointers = kinds.any(|kind| kind == AccessKind::Pointer);
        let numbers = field.accesses.iter().any(|kind| match kind {
            AccessKind::Int { .. } | AccessKind::Float { .. } | AccessKind::Raw => true,
            AccessKind::Pointer => false,
        });
        pointers && (numbers || field.length != i64::from(self.pointer_bytes))
    }

    /// Nodes that integers may point to.
    fn made_from_integers(&self) -> Vec<NodeId> {
        let mut found = vec![];
        for (id, node) in self.representatives() {
            if node.flags.contains(Flags::INT_TO_PTR) {
                found.push(id);
            }
            let mixed = node.fields.values().filter(|field| self.is_mixed(field));
            let links = mixed.filter_map(|field| field.link);
            found.extend(links.map(|link| self.lookup(link).node));
        }
        found
    }

    /// Makes one of everything that is exposed or that integers may point to.
    fn expose(&mut self) {
        let mut nodes = self.made_from_integers();
        let all = self.representatives();
        let exposed = all.filter(|(_, node)| node.flags.contains(Flags::EXPOSED));
        nodes.extend(exposed.map(|(id, _)| id));
        if nodes.is_empty() && self.exposed.is_none() {
            return;
        }
        let one = self.exposed();
        self.collapse(one, CollapseReason::Exposed);
        for node in nodes {
            // Each is counted as what it was, with its own reason.
            self.collapse(Cell::new(node, 0), CollapseReason::Exposed);
            self.unify(Cell::new(node, 0), one);
        }
        self.apply_copies();
    }
}

impl Solution {
    /// Makes the exposed objects of each graph one, if any graph makes pointers from integers;
    /// whether that changed anything.
    pub(crate) fn expose(&mut self) -> bool {
        let mut graphs = self.groups.values();
        if graphs.all(|group| group.graph.made_from_integers().is_empty()) {
            return false;
        }
        let mut changed = false;
        for group in self.groups.values_mut() {
            let before = group.graph.both_versions();
            group.graph.expose();
            changed |= group.graph.both_versions() != before;
        }
        changed
    }
}

impl Analysis {
    /// Instructions that make pointers from integers and of which it was assumed that the integer
    /// is no address but of what it was computed from: conversions, and loads of pointers where
    /// integers were stored. None if the analysis did without.
    pub fn assumed_conversions(&self, module: &Module) -> Vec<(FunctionId, InstId)> {
        let mut found = vec![];
        if self.integers == crate::Integers::Exposed {
            return found;
        }
        for (function, data) in &module.functions {
            let Some(body) = &data.body else { continue };
            let instructions = body.blocks.values().flat_map(|block| &block.instructions);
            let assumed = instructions.filter(|&&id| self.is_assumed(module, function, body, id));
            found.extend(assumed.map(|&id| (function, id)));
        }
        found
    }

    fn is_assumed(&self, module: &Module, function: FunctionId, body: &Body, id: InstId) -> bool {
        let data = &body.instructions[id];
        match &data.instruction {
            Instruction::Cast {
                op: CastOp::IntToPtr,
                operand,
            } => may_be_address(module, body, *operand),
            Instruction::Load { pointer, .. } => {
                let loaded = data.results.first().map(|&result| body.ty(result));
                if loaded != Some(Type::Ptr) {
                    return false;
                }
                let (Some(graph), Some(cell)) =
                    (self.graph(function), self.cell(function, *pointer))
                else {
                    return false;
                };
                let node = &graph.nodes[cell.node];
                let field = node.field_at(cell.offset).map(|at| &node.fields[&at]);
                field.is_some_and(|field| graph.is_mixed(field))
            }
            _other => false,
        }
    }
}
