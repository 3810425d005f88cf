//! Cones of influence: which conjuncts can matter for a goal.

use crate::op::{FunctionId, Op};
use crate::pool::{TermId, TermPool};
use cranelift_entity::{EntityRef, EntitySet, SecondaryMap};
use rustc_hash::FxHashMap;

/// Disjoint classes of terms, by parent links with path halving.
struct Classes {
    parents: SecondaryMap<TermId, Option<TermId>>,
}

impl Classes {
    fn find(&mut self, mut term: TermId) -> TermId {
        while let Some(parent) = self.parents[term] {
            if let Some(grandparent) = self.parents[parent] {
                self.parents[term] = Some(grandparent);
            }
            term = parent;
        }
        term
    }

    fn union(&mut self, a: TermId, b: TermId) {
        let (a, b) = (self.find(a), self.find(b));
        // The older term becomes the parent, so that the outcome does not depend on the order of unions.
        match a.index().cmp(&b.index()) {
            std::cmp::Ordering::Less => self.parents[b] = Some(a),
            std::cmp::Ordering::Greater => self.parents[a] = Some(b),
            std::cmp::Ordering::Equal => {}
        }
    }
}

impl TermPool {
    /// The conjuncts that share a free constant or function with the goals, directly or through other conjuncts, and
    /// those that mention none at all. Order is kept.
    ///
    /// The conjunction of the others is satisfiable or not independently of the goals: dropping them is right where they
    /// are known to be satisfiable, such as definitions of fresh symbols.
    pub fn cone_of_influence(&self, conjuncts: &[TermId], goals: &[TermId]) -> Vec<TermId> {
        let roots: Vec<TermId> = conjuncts.iter().chain(goals).copied().collect();
        let mut classes = Classes {
            parents: SecondaryMap::new(),
        };
        let mut functions: FxHashMap<FunctionId, TermId> = FxHashMap::default();
        let mut ground: EntitySet<TermId> = EntitySet::new();
        for term in self.post_order(&roots) {
            let children = self.children(term);
            let op = self.op(term);
            let leaf =
                children.is_empty() && !matches!(op, Op::Symbol(_) | Op::Apply(_) | Op::Bound(_));
            let apart = !children.is_empty()
                && !matches!(op, Op::Apply(_))
                && children.iter().all(|&child| ground.contains(child));
            if leaf || apart {
                ground.insert(term);
                continue;
            }
            for &child in children.iter().filter(|&&child| !ground.contains(child)) {
                classes.union(term, child);
            }
            if let Op::Apply(function) = op {
                let representative = *functions.entry(function).or_insert(term);
                classes.union(term, representative);
            }
        }
        let mut wanted: EntitySet<TermId> = EntitySet::new();
        for &goal in goals {
            wanted.insert(classes.find(goal));
        }
        let matters = |&conjunct: &TermId| {
            ground.contains(conjunct) || wanted.contains(classes.find(conjunct))
        };
        conjuncts.iter().copied().filter(matters).collect()
    }

    /// The definitions `symbol = term` that the goals depend on: those of the symbols in the goals and in the definitions
    /// taken. Order is kept. Dropping the others keeps satisfiability as long as each symbol is defined once and no
    /// definition depends on itself.
    pub fn cone_of_definitions(
        &self,
        definitions: &[(TermId, TermId)],
        goals: &[TermId],
    ) -> Vec<(TermId, TermId)> {
        let by_symbol: FxHashMap<TermId, TermId> = definitions.iter().copied().collect();
        let mut seen: EntitySet<TermId> = EntitySet::new();
        let mut stack = goals.to_vec();
        while let Some(term) = stack.pop() {
            if seen.insert(term) {
                stack.extend(self.children(term));
                stack.extend(by_symbol.get(&term));
            }
        }
        definitions
            .iter()
            .copied()
            .filter(|&(symbol, _)| seen.contains(symbol))
            .collect()
    }
}
