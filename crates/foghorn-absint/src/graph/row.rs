//! One row of a sparse graph: the edges that leave (or enter) one vertex.
//!
//! Rows of closed split graphs are short, so a sorted vector beats any tree: merging two rows, the
//! inner loop of joins and widenings, is one linear pass, and the order of iteration is fixed.
//!
//! Invariant: vertices strictly ascend.

use super::Weight;

/// The edges at one vertex, by the vertex at their other end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    edges: Vec<(u32, Weight)>,
}

impl Row {
    #[must_use]
    pub fn get(&self, vertex: u32) -> Option<Weight> {
        let at = self
            .edges
            .binary_search_by_key(&vertex, |edge| edge.0)
            .ok()?;
        Some(self.edges[at].1)
    }

    /// Sets the weight of the edge at `vertex`, whatever it was.
    pub fn set(&mut self, vertex: u32, weight: Weight) {
        match self.edges.binary_search_by_key(&vertex, |edge| edge.0) {
            Ok(at) => self.edges[at].1 = weight,
            Err(at) => self.edges.insert(at, (vertex, weight)),
        }
    }

    pub fn remove(&mut self, vertex: u32) {
        if let Ok(at) = self.edges.binary_search_by_key(&vertex, |edge| edge.0) {
            self.edges.remove(at);
        }
    }

    /// Adds `delta` to each weight, dropping the edges for which `keep` says no.
    pub fn shift(&mut self, delta: Weight, keep: impl Fn(u32, Weight) -> bool) {
        self.edges.retain_mut(|(vertex, weight)| {
            *weight += delta;
            keep(*vertex, *weight)
        });
    }

    pub fn iter(&self) -> impl ExactSizeIterator<Item = (u32, Weight)> + '_ {
        self.edges.iter().copied()
    }

    #[must_use]
    pub fn len(&self) -> usize {
        self.edges.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.edges.is_empty()
    }

    /// Visits the union of two rows in ascending order.
    pub fn zip(
        left: &Self,
        right: &Self,
        mut visit: impl FnMut(u32, Option<Weight>, Option<Weight>),
    ) {
        let (mut i, mut j) = (0, 0);
        loop {
            match (left.edges.get(i), right.edges.get(j)) {
                (Some(&(a, x)), Some(&(b, y))) if a == b => {
                    visit(a, Some(x), Some(y));
                    i += 1;
                    j += 1;
                }
                (Some(&(a, x)), Some(&(b, _))) if a < b => {
                    visit(a, Some(x), None);
                    i += 1;
                }
                (Some(&(a, x)), None) => {
                    visit(a, Some(x), None);
                    i += 1;
                }
                (Some(_) | None, Some(&(b, y))) => {
                    visit(b, None, Some(y));
                    j += 1;
                }
                (None, None) => return,
            }
        }
    }
}

/// Builds a row from edges in ascending order.
impl FromIterator<(u32, Weight)> for Row {
    fn from_iter<I: IntoIterator<Item = (u32, Weight)>>(edges: I) -> Self {
        let edges: Vec<_> = edges.into_iter().collect();
        debug_assert!(edges.windows(2).all(|pair| pair[0].0 < pair[1].0));
        Self { edges }
    }
}
