//! Small ordered sets, as sorted vectors.
//!
//! Sets of allocation sites and functions are united again and again along the call graph, and
//! nearly always nothing is new. So the common case, "already a subset", is one walk over two
//! slices without a single allocation; order keeps outputs deterministic.

use std::cmp::Ordering;

/// A set of small values, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SortedSet<T>(Vec<T>);

impl<T> Default for SortedSet<T> {
    fn default() -> Self {
        SortedSet(vec![])
    }
}

impl<T: Ord + Copy> SortedSet<T> {
    /// Whether the value was not in the set before.
    pub fn insert(&mut self, value: T) -> bool {
        match self.0.binary_search(&value) {
            Ok(_) => false,
            Err(place) => {
                self.0.insert(place, value);
                true
            }
        }
    }

    /// Adds all of another set; whether any was new.
    pub fn unite(&mut self, other: &Self) -> bool {
        if other.is_subset(self) {
            return false;
        }
        let mut united = Vec::with_capacity(self.0.len() + other.0.len());
        let (mut ours, mut theirs) = (self.0.iter().peekable(), other.0.iter().peekable());
        while let (Some(&a), Some(&b)) = (ours.peek(), theirs.peek()) {
            let order = a.cmp(b);
            united.push(*a.min(b));
            if order != Ordering::Greater {
                ours.next();
            }
            if order != Ordering::Less {
                theirs.next();
            }
        }
        united.extend(ours);
        united.extend(theirs);
        self.0 = united;
        true
    }

    pub fn is_subset(&self, other: &Self) -> bool {
        if self.0.len() > other.0.len() {
            return false;
        }
        // A few values are looked up one by one, many are walked along.
        if self.0.len() * 8 < other.0.len() {
            return self.0.iter().all(|value| other.contains(value));
        }
        let mut rest = other.0.iter();
        self.0.iter().all(|value| rest.any(|known| known == value))
    }

    pub fn contains(&self, value: &T) -> bool {
        self.0.binary_search(value).is_ok()
    }

    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.0.iter()
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// This set and another, in order.
    #[must_use]
    pub fn with(&self, other: &Self) -> Self {
        let mut all = self.clone();
        all.unite(other);
        all
    }

    pub fn into_vec(self) -> Vec<T> {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::SortedSet;
    use std::collections::BTreeSet;

    fn set(values: &[u32]) -> SortedSet<u32> {
        let mut set = SortedSet::default();
        for &value in values {
            set.insert(value);
        }
        set
    }

    #[test]
    fn is_a_set() {
        // All pairs of subsets of {0, …, 5}, compared with the standard library.
        for a in 0_u32..64 {
            for b in 0_u32..64 {
                let members = |bits: u32| (0..6).filter(move |i| bits >> i & 1 == 1);
                let (left, right): (Vec<u32>, Vec<u32>) =
                    (members(a).collect(), members(b).collect());
                let mut ours = set(&left);
                let theirs = set(&right);
                assert_eq!(theirs.is_subset(&ours), b & !a == 0);
                assert_eq!(ours.unite(&theirs), b & !a != 0);
                let expected: BTreeSet<u32> = members(a | b).collect();
                assert!(ours.iter().eq(expected.iter()));
            }
        }
    }
}
