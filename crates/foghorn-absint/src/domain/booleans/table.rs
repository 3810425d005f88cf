//! The consequences of all booleans, and which variables they speak of.
//!
//! A variable that changes takes the consequences with it that speak of it. Most variables are
//! spoken of nowhere, and to find that out must not cost a look at every boolean.
//!
//! Invariant: a variable of a condition in the table is in `mentioned`, which may hold more.

use super::consequences::Consequences;
use crate::persistent_map::{Iter, Merged, OneSided, PersistentMap};
use crate::variable::VariableId;

#[derive(Clone, Debug)]
pub(super) struct Table {
    of: PersistentMap<Consequences>,
    mentioned: PersistentMap<()>,
}

impl Table {
    pub(super) fn new() -> Table {
        Table {
            of: PersistentMap::new(),
            mentioned: PersistentMap::new(),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.of.is_empty()
    }

    pub(super) fn is_same(&self, other: &Table) -> bool {
        self.of.is_same(&other.of)
    }

    /// The booleans whose consequences may differ.
    pub(super) fn differing(&self, other: &Table) -> Vec<VariableId> {
        self.of.differing(&other.of)
    }

    pub(super) fn get(&self, b: VariableId) -> Option<&Consequences> {
        self.of.get(b)
    }

    pub(super) fn iter(&self) -> Iter<'_, Consequences> {
        self.of.iter()
    }

    /// What follows from a boolean, from now on.
    pub(super) fn set(&mut self, b: VariableId, own: Consequences) {
        if own.is_empty() {
            self.of.remove(b);
            return;
        }
        for x in own.mentioned() {
            if self.mentioned.get(x).is_none() {
                self.mentioned.insert(x, ());
            }
        }
        self.of.insert(b, own);
    }

    /// Forgets what follows from variables, and every consequence that speaks of one.
    pub(super) fn forget(&mut self, variables: &[VariableId]) {
        let mut wanted: Vec<VariableId> = vec![];
        for x in variables {
            self.of.remove(*x);
            if self.mentioned.get(*x).is_some() {
                self.mentioned.remove(*x);
                wanted.push(*x);
            }
        }
        if wanted.is_empty() {
            return;
        }
        let affected: Vec<(VariableId, Consequences)> = self
            .of
            .iter()
            .filter(|(_, own)| own.mention_any(&wanted))
            .map(|(b, own)| (b, own.without(&wanted)))
            .collect();
        for (b, rest) in affected {
            self.set(b, rest);
        }
    }

    /// The consequences of both.
    pub(super) fn union(&self, other: &Table) -> Table {
        let of = self
            .of
            .merge(&other.of, OneSided::Keep, OneSided::Keep, |_, x, y| {
                let mut both = x.clone();
                for value in [true, false] {
                    for condition in y.when(value) {
                        both.add(value, condition.clone());
                    }
                }
                if both == *x {
                    Merged::Left
                } else {
                    Merged::New(both)
                }
            });
        let (keep, mine) = (OneSided::Keep, &self.mentioned);
        let mentioned = mine.merge(&other.mentioned, keep, keep, |_, (), ()| Merged::Left);
        Table { of, mentioned }
    }
}

impl FromIterator<(VariableId, Consequences)> for Table {
    fn from_iter<I: IntoIterator<Item = (VariableId, Consequences)>>(entries: I) -> Table {
        let mut table = Table::new();
        for (b, own) in entries {
            table.set(b, own);
        }
        table
    }
}
