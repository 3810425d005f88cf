//! Where paths meet: the gates of gated SSA (§2.5 of the SEAM thesis).

use super::{Edge, Executor, guard};
use foghorn_ir::{Body, ValueId};
use foghorn_term::TermId;

impl Executor<'_, '_> {
    /// Two paths that exclude each other as one.
    pub(crate) fn merge_edges(
        &mut self,
        mut edges: Vec<Edge>,
        is_memory: &[bool],
        body: &Body,
    ) -> Edge {
        let mut merged = edges.pop().expect("invariant: something is pending");
        while let Some(edge) = edges.pop() {
            let meeting = guard::meet(self.pool, edge.guard, merged.guard);
            let gate = self.memory.simplify(self.pool, meeting.first);
            let pairs = edge.arguments.into_iter().zip(merged.arguments);
            merged.arguments = pairs
                .zip(is_memory)
                .map(|((first, second), &memory)| self.choose(gate, first, second, memory))
                .collect();
            merged.escaped = self.merge_escaped(gate, &edge.escaped, &merged.escaped, body);
            merged.guard = meeting.guard;
        }
        merged
    }

    pub(crate) fn choose(
        &mut self,
        gate: TermId,
        first: TermId,
        second: TermId,
        memory: bool,
    ) -> TermId {
        if first == second {
            first
        } else if memory {
            self.memory.merge(self.pool, gate, first, second)
        } else {
            self.pool.ite(gate, first, second)
        }
    }

    /// A value that only one side took along is not used beyond the meeting: its definition does
    /// not dominate it.
    pub(crate) fn merge_escaped(
        &mut self,
        gate: TermId,
        first: &[(ValueId, TermId)],
        second: &[(ValueId, TermId)],
        body: &Body,
    ) -> Vec<(ValueId, TermId)> {
        let mut merged = vec![];
        let mut rest = second.iter().peekable();
        for &(value, a) in first {
            while rest.next_if(|(other, _)| *other < value).is_some() {}
            if let Some(&(_, b)) = rest.next_if(|(other, _)| *other == value) {
                let memory = body.ty(value).region().is_some();
                merged.push((value, self.choose(gate, a, b, memory)));
            }
        }
        merged
    }
}
