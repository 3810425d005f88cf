//! Persistent maps from variables to values: big-endian Patricia trees with shared subtrees.
//!
//! Environments are joined and compared far more often than they are changed, and the operands of
//! a join mostly descend from one state. Every merge here therefore returns at once where both
//! trees are the *same* tree, and gives back one of its operands' own subtrees where nothing
//! changed: a join costs as much as the operands differ (Okasaki and Gill; the functional maps of
//! §4.2.4 of the SeaHorn paper).
//!
//! Invariant: a branch splits keys at its highest differing bit, so trees of equal keys have equal
//! shape; the depth is at most 64.

mod differing;
#[cfg(test)]
mod tests;

use std::fmt;
use std::sync::Arc;

use crate::variable::VariableId;

enum Node<V> {
    Leaf {
        variable: VariableId,
        value: V,
    },
    /// Keys agree with `prefix` above `bit`; those with the bit clear are left.
    Branch {
        prefix: u64,
        bit: u64,
        left: Tree<V>,
        right: Tree<V>,
    },
}

type Tree<V> = Arc<Node<V>>;

/// A map from variables to values.
pub struct PersistentMap<V> {
    root: Option<Tree<V>>,
}

/// What a merge makes of two values of one key.
pub enum Merged<V> {
    Left,
    Right,
    Drop,
    New(V),
}

/// What a merge makes of a key that only one map has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OneSided {
    Keep,
    Drop,
}

impl<V> Clone for PersistentMap<V> {
    fn clone(&self) -> PersistentMap<V> {
        PersistentMap {
            root: self.root.clone(),
        }
    }
}

impl<V> Default for PersistentMap<V> {
    fn default() -> PersistentMap<V> {
        PersistentMap { root: None }
    }
}

impl<V> Node<V> {
    fn key(&self) -> u64 {
        match self {
            Node::Leaf { variable, .. } => variable.key(),
            Node::Branch { prefix, .. } => *prefix,
        }
    }
}

/// Whether `key` belongs below a branch.
fn belongs(key: u64, prefix: u64, bit: u64) -> bool {
    // All bits above `bit`.
    let above = !(bit | (bit - 1));
    key & above == prefix & above
}

/// Joins two trees whose keys differ above both.
fn branch_of<V>(a: Tree<V>, b: Tree<V>) -> Tree<V> {
    let (key_a, key_b) = (a.key(), b.key());
    let bit = 1 << (63 - (key_a ^ key_b).leading_zeros());
    let (left, right) = if key_a & bit == 0 { (a, b) } else { (b, a) };
    Arc::new(Node::Branch {
        prefix: key_a & !(bit | (bit - 1)),
        bit,
        left,
        right,
    })
}

fn rebuild<V>(
    prefix: u64,
    bit: u64,
    left: Option<Tree<V>>,
    right: Option<Tree<V>>,
) -> Option<Tree<V>> {
    match (left, right) {
        (Some(left), Some(right)) => Some(Arc::new(Node::Branch {
            prefix,
            bit,
            left,
            right,
        })),
        (one, None) | (None, one) => one,
    }
}

fn insert<V>(tree: &Tree<V>, variable: VariableId, value: V) -> Tree<V> {
    let key = variable.key();
    match &**tree {
        Node::Leaf {
            variable: found, ..
        } if found.key() == key => Arc::new(Node::Leaf { variable, value }),
        Node::Branch {
            prefix,
            bit,
            left,
            right,
        } if belongs(key, *prefix, *bit) => {
            let (left, right) = if key & bit == 0 {
                (insert(left, variable, value), right.clone())
            } else {
                (left.clone(), insert(right, variable, value))
            };
            Arc::new(Node::Branch {
                prefix: *prefix,
                bit: *bit,
                left,
                right,
            })
        }
        Node::Leaf { .. } | Node::Branch { .. } => {
            branch_of(tree.clone(), Arc::new(Node::Leaf { variable, value }))
        }
    }
}

fn remove<V>(tree: &Tree<V>, key: u64) -> Option<Tree<V>> {
    match &**tree {
        Node::Leaf { variable, .. } => (variable.key() != key).then(|| tree.clone()),
        Node::Branch {
            prefix,
            bit,
            left,
            right,
        } => {
            if !belongs(key, *prefix, *bit) {
                return Some(tree.clone());
            }
            let (old, is_left) = if key & bit == 0 {
                (left, true)
            } else {
                (right, false)
            };
            match remove(old, key) {
                Some(same) if Arc::ptr_eq(&same, old) => Some(tree.clone()),
                changed if is_left => rebuild(*prefix, *bit, changed, Some(right.clone())),
                changed => rebuild(*prefix, *bit, Some(left.clone()), changed),
            }
        }
    }
}

/// One merge: what to do with keys of both maps and of only one.
struct Merge<'a, V> {
    both: &'a mut dyn FnMut(VariableId, &V, &V) -> Merged<V>,
    only_left: OneSided,
    only_right: OneSided,
}

impl<V> Merge<'_, V> {
    fn one(side: OneSided, tree: &Tree<V>) -> Option<Tree<V>> {
        (side == OneSided::Keep).then(|| tree.clone())
    }

    fn optional(&mut self, a: Option<&Tree<V>>, b: Option<&Tree<V>>) -> Option<Tree<V>> {
        match (a, b) {
            (Some(a), Some(b)) => self.trees(a, b),
            (Some(a), None) => Merge::one(self.only_left, a),
            (None, Some(b)) => Merge::one(self.only_right, b),
            (None, None) => None,
        }
    }

    fn trees(&mut self, a: &Tree<V>, b: &Tree<V>) -> Option<Tree<V>> {
        if Arc::ptr_eq(a, b) {
            return Some(a.clone());
        }
        match (&**a, &**b) {
            (
                Node::Leaf { variable, value: x },
                Node::Leaf {
                    variable: other,
                    value: y,
                },
            ) if variable.key() == other.key() => match (self.both)(*variable, x, y) {
                Merged::Left => Some(a.clone()),
                Merged::Right => Some(b.clone()),
                Merged::Drop => None,
                Merged::New(value) => Some(Arc::new(Node::Leaf {
                    variable: *variable,
                    value,
                })),
            },
            (
                Node::Branch {
                    prefix,
                    bit,
                    left,
                    right,
                },
                Node::Branch {
                    prefix: other,
                    bit: other_bit,
                    left: l,
                    right: r,
                },
            ) if prefix == other && bit == other_bit => {
                let (new_left, new_right) = (self.trees(left, l), self.trees(right, r));
                reuse(a, b, *prefix, *bit, new_left, new_right)
            }
            (
                Node::Branch {
                    prefix,
                    bit,
                    left,
                    right,
                },
                _,
            ) if belongs(b.key(), *prefix, *bit) && !covers(b, *bit) => {
                let goes_left = b.key() & bit == 0;
                let new_left = self.optional(Some(left), goes_left.then_some(b));
                let new_right = self.optional(Some(right), (!goes_left).then_some(b));
                reuse(a, a, *prefix, *bit, new_left, new_right)
            }
            (
                _,
                Node::Branch {
                    prefix,
                    bit,
                    left,
                    right,
                },
            ) if belongs(a.key(), *prefix, *bit) && !covers(a, *bit) => {
                let goes_left = a.key() & bit == 0;
                let new_left = self.optional(goes_left.then_some(a), Some(left));
                let new_right = self.optional((!goes_left).then_some(a), Some(right));
                reuse(b, b, *prefix, *bit, new_left, new_right)
            }
            (Node::Leaf { .. } | Node::Branch { .. }, Node::Leaf { .. } | Node::Branch { .. }) => {
                match (
                    Merge::one(self.only_left, a),
                    Merge::one(self.only_right, b),
                ) {
                    (Some(a), Some(b)) => Some(branch_of(a, b)),
                    (one, None) | (None, one) => one,
                }
            }
        }
    }
}

/// Whether the tree branches at `bit` or above it.
fn covers<V>(tree: &Tree<V>, bit: u64) -> bool {
    matches!(&**tree, Node::Branch { bit: own, .. } if *own >= bit)
}

fn same<V>(new: Option<&Tree<V>>, old: &Tree<V>) -> bool {
    new.is_some_and(|new| Arc::ptr_eq(new, old))
}

/// A branch of the new subtrees, or `a` or `b` itself when those are its own.
fn reuse<V>(
    a: &Tree<V>,
    b: &Tree<V>,
    prefix: u64,
    bit: u64,
    new_left: Option<Tree<V>>,
    new_right: Option<Tree<V>>,
) -> Option<Tree<V>> {
    for old in [a, b] {
        if let Node::Branch { left, right, .. } = &**old
            && same(new_left.as_ref(), left)
            && same(new_right.as_ref(), right)
        {
            return Some(old.clone());
        }
    }
    rebuild(prefix, bit, new_left, new_right)
}

impl<V> PersistentMap<V> {
    #[must_use]
    pub fn new() -> PersistentMap<V> {
        PersistentMap::default()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.root.is_none()
    }

    #[must_use]
    pub fn get(&self, variable: VariableId) -> Option<&V> {
        let key = variable.key();
        let mut tree = self.root.as_ref()?;
        loop {
            match &**tree {
                Node::Leaf { variable, value } => return (variable.key() == key).then_some(value),
                Node::Branch {
                    prefix,
                    bit,
                    left,
                    right,
                } => {
                    if !belongs(key, *prefix, *bit) {
                        return None;
                    }
                    tree = if key & bit == 0 { left } else { right };
                }
            }
        }
    }

    pub fn insert(&mut self, variable: VariableId, value: V) {
        self.root = Some(match &self.root {
            None => Arc::new(Node::Leaf { variable, value }),
            Some(root) => insert(root, variable, value),
        });
    }

    pub fn remove(&mut self, variable: VariableId) {
        self.root = self
            .root
            .as_ref()
            .and_then(|root| remove(root, variable.key()));
    }

    /// The entries in the order of the keys.
    pub fn iter(&self) -> Iter<'_, V> {
        Iter {
            stack: self.root.as_deref().into_iter().collect(),
        }
    }

    /// Merges two maps. `both` must be idempotent (`both(k, v, v)` yields `v`): it is not asked
    /// about shared subtrees.
    #[must_use]
    pub fn merge(
        &self,
        other: &PersistentMap<V>,
        only_left: OneSided,
        only_right: OneSided,
        mut both: impl FnMut(VariableId, &V, &V) -> Merged<V>,
    ) -> PersistentMap<V> {
        let mut merge = Merge {
            both: &mut both,
            only_left,
            only_right,
        };
        PersistentMap {
            root: merge.optional(self.root.as_ref(), other.root.as_ref()),
        }
    }

    /// Whether every key of `other` is in this map with values in a reflexive `relation`.
    pub fn covers(
        &self,
        other: &PersistentMap<V>,
        mut relation: impl FnMut(&V, &V) -> bool,
    ) -> bool {
        match (&self.root, &other.root) {
            (_, None) => true,
            (None, Some(_)) => false,
            (Some(a), Some(b)) => covered(a, b, &mut relation),
        }
    }

    /// The keys that only one map has, or whose values are not one and the same in memory; none of
    /// them in subtrees that the maps share.
    #[must_use]
    pub fn differing(&self, other: &PersistentMap<V>) -> Vec<VariableId> {
        let mut found = vec![];
        differing::differing(self.root.as_ref(), other.root.as_ref(), &mut found);
        found
    }

    /// Whether both maps are the same tree.
    #[must_use]
    pub fn is_same(&self, other: &PersistentMap<V>) -> bool {
        match (&self.root, &other.root) {
            (None, None) => true,
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            (None, Some(_)) | (Some(_), None) => false,
        }
    }

    /// The number of tree nodes that are not also nodes of `other`: what the two do not share.
    #[must_use]
    pub fn unshared_nodes(&self, other: &PersistentMap<V>) -> usize {
        let mut known = std::collections::BTreeSet::new();
        let mut stack: Vec<&Tree<V>> = other.root.iter().collect();
        while let Some(tree) = stack.pop() {
            known.insert(Arc::as_ptr(tree).addr());
            if let Node::Branch { left, right, .. } = &**tree {
                stack.extend([left, right]);
            }
        }
        let mut count = 0;
        stack.extend(&self.root);
        while let Some(tree) = stack.pop() {
            if known.contains(&Arc::as_ptr(tree).addr()) {
                continue;
            }
            count += 1;
            if let Node::Branch { left, right, .. } = &**tree {
                stack.extend([left, right]);
            }
        }
        count
    }
}

fn covered<V>(a: &Tree<V>, b: &Tree<V>, relation: &mut dyn FnMut(&V, &V) -> bool) -> bool {
    if Arc::ptr_eq(a, b) {
        return true;
    }
    match (&**a, &**b) {
        (
            Node::Leaf { variable, value },
            Node::Leaf {
                variable: other,
                value: wanted,
            },
        ) => variable.key() == other.key() && relation(value, wanted),
        (Node::Leaf { .. }, Node::Branch { .. }) => false,
        (
            Node::Branch {
                prefix,
                bit,
                left,
                right,
            },
            Node::Branch {
                prefix: other,
                bit: other_bit,
                left: l,
                right: r,
            },
        ) if prefix == other && bit == other_bit => {
            covered(left, l, relation) && covered(right, r, relation)
        }
        (
            Node::Branch {
                prefix,
                bit,
                left,
                right,
            },
            _,
        ) => {
            belongs(b.key(), *prefix, *bit)
                && !covers(b, *bit)
                && covered(if b.key() & bit == 0 { left } else { right }, b, relation)
        }
    }
}

/// Entries in the order of the keys.
pub struct Iter<'a, V> {
    stack: Vec<&'a Node<V>>,
}

impl<'a, V> Iterator for Iter<'a, V> {
    type Item = (VariableId, &'a V);

    fn next(&mut self) -> Option<(VariableId, &'a V)> {
        loop {
            match self.stack.pop()? {
                Node::Leaf { variable, value } => return Some((*variable, value)),
                Node::Branch { left, right, .. } => self.stack.extend([&**right, &**left]),
            }
        }
    }
}

impl<'a, V> IntoIterator for &'a PersistentMap<V> {
    type Item = (VariableId, &'a V);
    type IntoIter = Iter<'a, V>;

    fn into_iter(self) -> Iter<'a, V> {
        self.iter()
    }
}

impl<V> FromIterator<(VariableId, V)> for PersistentMap<V> {
    fn from_iter<I: IntoIterator<Item = (VariableId, V)>>(entries: I) -> PersistentMap<V> {
        let mut map = PersistentMap::new();
        for (variable, value) in entries {
            map.insert(variable, value);
        }
        map
    }
}

impl<V: fmt::Debug> fmt::Debug for PersistentMap<V> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_map().entries(self.iter()).finish()
    }
}
