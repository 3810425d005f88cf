//! Small ordered sets, as sorted vectors that are shared.
//!
//! Sets of allocation sites and functions are united again and again along the call graph, and
//! nearly always nothing is new. So the common case, "already a subset", is one walk over two
//! slices without a single allocation; order keeps outputs deterministic.
//!
//! In a program whose functions all reach one list, each of them knows the same thousands of
//! sites. Such a set exists once: uniting with an empty set or with a superset shares it, and sets
//! that are shared are known to be equal without a look at them.

use std::cmp::Ordering;
use std::sync::Arc;

/// A set of small values, in order.
#[derive(Clone, Debug)]
pub struct SortedSet<T>(Option<Arc<Vec<T>>>);

impl<T> Default for SortedSet<T> {
    fn default() -> Self {
        SortedSet(None)
    }
}

impl<T> std::ops::Deref for SortedSet<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        self.0.as_ref().map_or(&[], |values| values.as_slice())
    }
}

impl<T: PartialEq> PartialEq for SortedSet<T> {
    fn eq(&self, other: &Self) -> bool {
        self.is_shared_with(other) || **self == **other
    }
}

impl<T: Eq> Eq for SortedSet<T> {}

impl<T> SortedSet<T> {
    fn is_shared_with(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            (None, None) => true,
            (Some(_), None) | (None, Some(_)) => false,
        }
    }
}

impl<T: Ord + Copy> SortedSet<T> {
    /// Whether the value was not in the set before.
    pub fn insert(&mut self, value: T) -> bool {
        match self.binary_search(&value) {
            Ok(_) => false,
            Err(place) => {
                let values = self.0.get_or_insert_default();
                Arc::make_mut(values).insert(place, value);
                true
            }
        }
    }

    /// Adds all of another set; whether any was new.
    pub fn unite(&mut self, other: &Self) -> bool {
        if other.is_subset(self) {
            return false;
        }
        if self.is_subset(other) {
            *self = other.clone();
            return true;
        }
        if other.len() * 8 < self.len() {
            other.iter().for_each(|&value| {
                self.insert(value);
            });
            return true;
        }
        let mut united = Vec::with_capacity(self.len() + other.len());
        let (mut ours, mut theirs) = (self.iter().peekable(), other.iter().peekable());
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
        self.0 = Some(Arc::new(united));
        true
    }

    pub fn is_subset(&self, other: &Self) -> bool {
        if self.is_shared_with(other) {
            return true;
        }
        if self.len() > other.len() {
            return false;
        }
        // A few values are looked up one by one, many are walked along.
        if self.len() * 8 < other.len() {
            return self.iter().all(|value| other.contains(value));
        }
        let mut rest = other.iter();
        self.iter().all(|value| rest.any(|known| known == value))
    }

    /// Whether the value is in the set, found by its place.
    pub fn contains(&self, value: &T) -> bool {
        self.binary_search(value).is_ok()
    }

    /// This set and another, in order.
    #[must_use]
    pub fn with(&self, other: &Self) -> Self {
        let mut all = self.clone();
        all.unite(other);
        all
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
                assert!(set(&left).with(&theirs).iter().eq(expected.iter()));
            }
        }
    }

    #[test]
    fn equal_sets_become_one() {
        let all = set(&[1, 2, 3]);
        let (mut empty, mut part) = (set(&[]), set(&[2]));
        assert!(empty.unite(&all) && part.unite(&all));
        assert!(empty.is_shared_with(&all) && part.is_shared_with(&all));
        part.insert(4);
        assert_eq!(all.len(), 3, "what is shared is not changed");
        assert!(part.contains(&4) && !all.contains(&4));
    }
}
