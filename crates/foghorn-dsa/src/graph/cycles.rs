//! Copies that move the contents of a node within itself.
//!
//! Two copies between the same nodes at different distances say that a field at offset `x` also is
//! at `x + d`, hence at `x + 2d` and so on, as far as the copies reach. Over several nodes the same
//! happens along each cycle of copies whose distances do not add up to 0. Rather than make these
//! fields one by one, the node is folded into an array of stride `d`, which says the same.
//!
//! Distances are kept in a weighted union-find. Copies are taken in the order of decreasing length,
//! so that the copy which closes a cycle is the shortest in it and bounds how often the contents
//! can move. A few times are told apart; more are not.

use super::unify::gcd;
use super::{Cell, Graph};
use rustc_hash::FxHashMap;
use std::hash::Hash;

/// Contents that can move so many times become elements of an array.
const MOST_MOVES: i64 = 8;

/// Whether contents that move by a distance within a range of this length do so too often to be
/// told apart.
pub(crate) fn moves_often(length: i64, distance: i64) -> bool {
    distance != 0 && length / MOST_MOVES >= distance.saturating_abs()
}

/// Nodes with their distance to a representative: offset `x` here is `x + d` there.
pub(crate) struct Distances<K>(FxHashMap<K, (K, i64)>);

impl<K> Default for Distances<K> {
    fn default() -> Self {
        Distances(FxHashMap::default())
    }
}

impl<K: Copy + Eq + Hash> Distances<K> {
    fn find(&mut self, node: K) -> (K, i64) {
        let (mut root, mut total) = (node, 0_i64);
        while let Some(&(parent, step)) = self.0.get(&root) {
            root = parent;
            total = total.wrapping_add(step);
        }
        // Every node on the way then points to the root.
        let (mut at, mut left) = (node, total);
        while let Some(entry) = self.0.get_mut(&at) {
            let (parent, step) = *entry;
            *entry = (root, left);
            left = left.wrapping_sub(step);
            at = parent;
            if at == root {
                break;
            }
        }
        (root, total)
    }

    /// Relates two places; the distance of the cycle that this closes.
    pub fn relate(&mut self, a: (K, i64), b: (K, i64)) -> i64 {
        let ((root_a, to_a), (root_b, to_b)) = (self.find(a.0), self.find(b.0));
        let distance = (b.1.wrapping_add(to_b)).wrapping_sub(a.1.wrapping_add(to_a));
        if root_a == root_b {
            return distance;
        }
        self.0.insert(root_a, (root_b, distance));
        0
    }
}

impl Graph {
    /// Folds nodes whose contents copies move within themselves many times.
    pub(super) fn fold_cycles(&mut self) {
        let mut order: Vec<(i64, usize)> = (0..)
            .zip(&self.copies)
            .map(|(index, copy)| (copy.length.unwrap_or(i64::MAX), index))
            .collect();
        order.sort_unstable_by_key(|&(length, index)| (-length, index));
        let (mut structures, mut arrays) = (Distances::default(), Distances::default());
        for (length, index) in order {
            let copy = self.copies[index];
            let (to, from) = (self.find(copy.destination), self.find(copy.source));
            let Some(stride) = self.common_stride(to, from, length) else {
                continue;
            };
            let distances = match stride {
                0 => &mut structures,
                _ => &mut arrays,
            };
            let distance = distances.relate((to.node, to.offset), (from.node, from.offset));
            let often = match stride {
                0 => moves_often(length, distance),
                // Round and round the array, until it is where it began.
                _ => moves_often(stride, gcd(distance, stride) % stride),
            };
            if often {
                self.fold(to, distance);
            }
        }
    }

    /// The stride of both sides of a copy, if they have one. What is copied within one element is
    /// nothing that an array moves.
    fn common_stride(&self, to: Cell, from: Cell, length: i64) -> Option<i64> {
        let (a, b) = (&self.nodes[to.node], &self.nodes[from.node]);
        let whole = a.stride == 0 || length >= a.stride;
        let common = !a.collapsed && !b.collapsed && a.stride == b.stride && whole;
        common.then_some(a.stride)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Graph;

    fn two_distances(length: Option<i64>) -> (i64, usize) {
        let mut graph = Graph::new(8);
        let (a, b) = (graph.fresh(), graph.fresh());
        graph.touch(a, 8, None);
        graph.add_copy(b, a, length);
        graph.add_copy(b.plus(8), a, length);
        graph.apply_copies();
        let node = &graph.nodes[graph.lookup(a).node];
        (node.stride, node.fields.len())
    }

    #[test]
    fn contents_that_move_without_end_are_an_array() {
        assert_eq!(two_distances(None), (8, 1));
        assert_eq!(two_distances(Some(4096)), (8, 1));
    }

    #[test]
    fn contents_that_go_round_an_array_are_a_finer_one() {
        let mut graph = Graph::new(8);
        let (a, b) = (graph.fresh(), graph.fresh());
        graph.touch(a, 8, None);
        graph.fold(a, 4096);
        graph.add_copy(b, a, None);
        graph.add_copy(b.plus(24), a, None);
        graph.apply_copies();
        let node = &graph.nodes[graph.lookup(a).node];
        assert_eq!((node.stride, node.fields.len()), (8, 1));
    }

    /// A range that cuts a field takes along only what is in it, else two such copies would let
    /// the field grow without end.
    #[test]
    fn copies_that_cut_fields_come_to_an_end() {
        let mut graph = Graph::new(8);
        let (buffer, word) = (graph.fresh(), graph.fresh());
        graph.touch(word, 4, None);
        graph.touch(buffer.plus(5), 1, None);
        graph.add_copy(word, buffer.plus(1), Some(4));
        graph.add_copy(buffer.plus(3), word, Some(3));
        graph.apply_copies();
        let lengths = |cell| {
            let node = &graph.nodes[graph.lookup(cell).node];
            let fields = node.fields.iter();
            fields
                .map(|(&at, field)| (at, field.length))
                .collect::<Vec<_>>()
        };
        assert_eq!(lengths(word), [(0, 4)]);
        assert_eq!(lengths(buffer), [(1, 5)]);
    }

    #[test]
    fn contents_that_move_a_few_times_are_fields() {
        let (stride, fields) = two_distances(Some(24));
        assert_eq!(stride, 0);
        assert!((2..=4).contains(&fields), "{fields} fields");
    }
}
