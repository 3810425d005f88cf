//! Which original rules a resolved rule is made of.

/// A tree of original rules. Children come after their parents, so nothing here recurses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unfolding {
    /// The rule, and the node that each of its premises is derived by; `None` where the premise is
    /// one of the resolved rule.
    pub nodes: Vec<(usize, Vec<Option<usize>>)>,
    /// The open premises in the order of the resolved rule's body: node and position.
    open: Vec<(usize, usize)>,
}

impl Unfolding {
    /// A rule by itself.
    pub fn of_rule(rule: usize, premises: usize) -> Self {
        Unfolding {
            nodes: vec![(rule, vec![None; premises])],
            open: (0..premises).map(|position| (0, position)).collect(),
        }
    }

    /// This rule with an open premise derived by another.
    pub fn resolve(&self, premise: usize, other: &Unfolding) -> Self {
        let offset = self.nodes.len();
        let mut made = self.clone();
        let (node, position) = self.open[premise];
        made.nodes[node].1[position] = Some(offset);
        let moved = |(rule, premises): &(usize, Vec<Option<usize>>)| {
            let premises = premises.iter().map(|p| p.map(|p| p + offset)).collect();
            (*rule, premises)
        };
        made.nodes.extend(other.nodes.iter().map(moved));
        let theirs = other.open.iter().map(|(node, at)| (node + offset, *at));
        made.open.splice(premise..=premise, theirs);
        made
    }

    /// For each node its premises, open ones as positions in the resolved rule's body.
    pub fn open_position(&self, node: usize, position: usize) -> Option<usize> {
        self.open.iter().position(|open| *open == (node, position))
    }
}
