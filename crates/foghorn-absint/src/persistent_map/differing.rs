//! Where two maps differ, without a look at what they share.

use std::sync::Arc;

use super::{Iter, Node, Tree, belongs};
use crate::variable::VariableId;

/// The keys of the trees below which two trees are not the same one.
pub(super) fn differing<V>(a: Option<&Tree<V>>, b: Option<&Tree<V>>, found: &mut Vec<VariableId>) {
    let (a, b) = match (a, b) {
        (None, None) => return,
        (Some(only), None) | (None, Some(only)) => {
            let all = Iter { stack: vec![only] };
            return found.extend(all.map(|(variable, _)| variable));
        }
        (Some(a), Some(b)) if Arc::ptr_eq(a, b) => return,
        (Some(a), Some(b)) => (a, b),
    };
    let (bit_a, bit_b) = (top_bit(a), top_bit(b));
    // Both, one of them, or none has the other below it.
    let splits_a = bit_a >= bit_b && bit_a > 0 && belongs(b.key(), a.key(), bit_a);
    let splits_b = bit_b >= bit_a && bit_b > 0 && belongs(a.key(), b.key(), bit_b);
    let bit = if splits_a { bit_a } else { bit_b };
    if splits_a || splits_b {
        for side in [0, bit] {
            differing(half(a, bit, side), half(b, bit, side), found);
        }
    } else if a.key() == b.key() && bit_a == bit_b {
        // Two leaves.
        differing(Some(a), None, found);
    } else {
        differing(Some(a), None, found);
        differing(None, Some(b), found);
    }
}

/// The bit at which a tree branches; 0 for a leaf.
fn top_bit<V>(tree: &Tree<V>) -> u64 {
    match &**tree {
        Node::Leaf { .. } => 0,
        Node::Branch { bit, .. } => *bit,
    }
}

/// What a tree has of the keys whose `bit` is `side`, if it branches there or below.
fn half<V>(tree: &Tree<V>, bit: u64, side: u64) -> Option<&Tree<V>> {
    match &**tree {
        Node::Branch {
            bit: own,
            left,
            right,
            ..
        } if *own == bit => Some(if side == 0 { left } else { right }),
        Node::Leaf { .. } | Node::Branch { .. } => (tree.key() & bit == side).then_some(tree),
    }
}
