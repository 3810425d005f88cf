//! Hash-consed terms and the bindings of variables to them.
//!
//! Invariants: definitions are acyclic; no two terms have the same definition, except opaque ones.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use crate::linear::LinearExpression;
use crate::number::Number;
use crate::value::ArithmeticOperator;
use crate::variable::VariableId;

/// A term of one state.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct TermId(pub(super) u32);

/// What a term is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Definition {
    /// Some value.
    Opaque,
    Constant(Number),
    /// Σ factor·term + constant, by factor and then by term, so that sums of one shape list their
    /// factors alike; neither a constant nor a single term.
    Linear {
        terms: Vec<(TermId, Number)>,
        constant: Number,
    },
    Application {
        operator: ArithmeticOperator,
        left: TermId,
        right: TermId,
    },
}

impl Definition {
    /// The definition of a linear expression over values of terms.
    #[must_use]
    pub fn linear(expression: &LinearExpression) -> Self {
        let constant = expression.constant_part().clone();
        if expression.is_constant() {
            return Self::Constant(constant);
        }
        let mut terms: Vec<(TermId, Number)> = expression
            .terms()
            .iter()
            .map(|(value, c)| (term_of(*value), c.clone()))
            .collect();
        terms.sort_unstable_by(|(x, c), (y, d)| (c, x).cmp(&(d, y)));
        Self::Linear { terms, constant }
    }

    /// Operands of commutative operations are ordered, so that x·y and y·x are one term.
    #[must_use]
    pub fn application(operator: ArithmeticOperator, left: TermId, right: TermId) -> Self {
        let (left, right) = match operator {
            ArithmeticOperator::Add
            | ArithmeticOperator::Multiply
            | ArithmeticOperator::And
            | ArithmeticOperator::Or
            | ArithmeticOperator::Xor => (left.min(right), left.max(right)),
            ArithmeticOperator::Subtract
            | ArithmeticOperator::Divide
            | ArithmeticOperator::Remainder
            | ArithmeticOperator::ShiftLeft
            | ArithmeticOperator::ShiftRight => (left, right),
        };
        Self::Application {
            operator,
            left,
            right,
        }
    }

    /// The terms that this one is made of.
    #[must_use]
    pub fn children(&self) -> Vec<TermId> {
        match self {
            Self::Opaque | Self::Constant(_) => Vec::new(),
            Self::Linear { terms, .. } => terms.iter().map(|(term, _)| *term).collect(),
            Self::Application { left, right, .. } => vec![*left, *right],
        }
    }

    /// The same with other children, in the order of [`Definition::children`].
    #[must_use]
    pub fn with_children(&self, children: &[TermId]) -> Self {
        match self {
            Self::Opaque | Self::Constant(_) => self.clone(),
            Self::Linear { terms, constant } => {
                let mut sum = LinearExpression::constant(constant.clone());
                for ((_, factor), child) in terms.iter().zip(children) {
                    sum.add_term(value_of(*child), factor);
                }
                Self::linear(&sum)
            }
            Self::Application { operator, .. } => {
                Self::application(*operator, children[0], children[1])
            }
        }
    }
}

const VALUE: u32 = 8;
const NEW_VALUE: u32 = 9;

/// The variable of the domain below that stands for the value of a term.
#[must_use]
pub fn value_of(term: TermId) -> VariableId {
    VariableId::scratch(term.0, VALUE)
}

/// A second set of such variables, while terms are renumbered.
#[must_use]
pub fn new_value_of(term: TermId) -> VariableId {
    VariableId::scratch(term.0, NEW_VALUE)
}

fn term_of(value: VariableId) -> TermId {
    TermId(value.index())
}

/// The terms of a state.
#[derive(Clone, Debug, Default)]
pub struct Table {
    definitions: BTreeMap<TermId, Definition>,
    unique: FxHashMap<Definition, TermId>,
    bindings: BTreeMap<VariableId, TermId>,
    next: u32,
}

impl Table {
    #[must_use]
    pub fn len(&self) -> usize {
        self.definitions.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.definitions.is_empty()
    }

    #[must_use]
    pub fn variables(&self) -> usize {
        self.bindings.len()
    }

    /// Whether the bindings alone restrict nothing: different variables have different opaque terms.
    #[must_use]
    pub fn says_nothing(&self) -> bool {
        let terms: BTreeSet<TermId> = self.bindings.values().copied().collect();
        terms.len() == self.bindings.len()
            && terms
                .iter()
                .all(|term| self.definitions[term] == Definition::Opaque)
    }

    #[must_use]
    pub fn binding(&self, x: VariableId) -> Option<TermId> {
        self.bindings.get(&x).copied()
    }

    pub fn bindings(&self) -> impl Iterator<Item = (VariableId, TermId)> + '_ {
        self.bindings.iter().map(|(x, term)| (*x, *term))
    }

    #[must_use]
    pub fn definition(&self, term: TermId) -> &Definition {
        &self.definitions[&term]
    }

    /// The first variable bound to each term.
    #[must_use]
    pub fn representatives(&self) -> BTreeMap<TermId, VariableId> {
        let mut first = BTreeMap::new();
        for (x, term) in self.bindings() {
            first.entry(term).or_insert(x);
        }
        first
    }

    pub fn bind(&mut self, x: VariableId, term: TermId) {
        self.bindings.insert(x, term);
    }

    pub fn unbind(&mut self, x: VariableId) {
        self.bindings.remove(&x);
    }

    pub fn opaque(&mut self) -> TermId {
        let term = TermId(self.next);
        self.next += 1;
        self.definitions.insert(term, Definition::Opaque);
        term
    }

    /// A term with a number of the caller's choice, above all others from now on.
    pub(super) fn define(&mut self, term: TermId, definition: Definition) {
        self.next = self.next.max(term.0 + 1);
        if definition != Definition::Opaque {
            self.unique.entry(definition.clone()).or_insert(term);
        }
        self.definitions.insert(term, definition);
    }

    /// The term of a definition, and whether it is new.
    pub fn intern(&mut self, definition: Definition) -> (TermId, bool) {
        if let Definition::Linear { terms, constant } = &definition
            && let ([(term, factor)], true) = (&terms[..], constant.is_zero())
            && factor.is_one()
        {
            return (*term, false);
        }
        if let Some(known) = self.unique.get(&definition) {
            return (*known, false);
        }
        let term = self.opaque();
        self.define(term, definition);
        (term, true)
    }

    pub fn bound_or_opaque(&mut self, x: VariableId) -> TermId {
        if let Some(term) = self.binding(x) {
            return term;
        }
        let term = self.opaque();
        self.bind(x, term);
        term
    }

    /// The terms that `roots` are made of, themselves included.
    #[must_use]
    pub fn reachable(&self, roots: impl IntoIterator<Item = TermId>) -> BTreeSet<TermId> {
        let mut stack: Vec<TermId> = roots.into_iter().collect();
        let mut seen = BTreeSet::new();
        while let Some(term) = stack.pop() {
            if seen.insert(term) {
                stack.extend(self.definitions[&term].children());
            }
        }
        seen
    }

    /// Drops and returns the terms that no variable depends on.
    pub fn collect(&mut self) -> Vec<TermId> {
        let live = self.reachable(self.bindings.values().copied());
        let dead: Vec<TermId> = self
            .definitions
            .keys()
            .copied()
            .filter(|term| !live.contains(term))
            .collect();
        for term in &dead {
            self.definitions.remove(term);
        }
        self.unique.retain(|_, term| live.contains(term));
        dead
    }

    /// Makes two terms one, and then all terms that have become alike (congruence closure). Returns
    /// the pairs (kept, merged) in the order they were merged.
    pub fn merge(&mut self, first: TermId, second: TermId) -> Vec<(TermId, TermId)> {
        let mut merged = Vec::new();
        let mut pending = vec![(first, second)];
        while let Some((a, b)) = pending.pop() {
            if a == b {
                continue;
            }
            // The term with more structure stays; none may come to contain itself.
            let a_is_opaque = self.definitions[&a] == Definition::Opaque;
            let (kept, gone) = if a_is_opaque { (b, a) } else { (a, b) };
            if self.reachable([kept]).contains(&gone) || self.reachable([gone]).contains(&kept) {
                continue;
            }
            merged.push((kept, gone));
            pending = pending
                .into_iter()
                .map(|(x, y)| (replaced(x, gone, kept), replaced(y, gone, kept)))
                .collect();
            pending.extend(self.replace(gone, kept));
        }
        merged
    }

    /// Puts `new` for `old` everywhere; returns pairs of terms that have become alike.
    fn replace(&mut self, old: TermId, new: TermId) -> Vec<(TermId, TermId)> {
        self.definitions.remove(&old);
        for term in self.bindings.values_mut() {
            *term = replaced(*term, old, new);
        }
        let mut alike = Vec::new();
        self.unique.clear();
        for (term, definition) in &mut self.definitions {
            let children = definition.children();
            if children.contains(&old) {
                let children: Vec<TermId> = children
                    .into_iter()
                    .map(|child| replaced(child, old, new))
                    .collect();
                *definition = definition.with_children(&children);
            }
            if *definition != Definition::Opaque {
                match self.unique.get(definition) {
                    Some(known) => alike.push((*known, *term)),
                    None => {
                        self.unique.insert(definition.clone(), *term);
                    }
                }
            }
        }
        alike
    }
}

fn replaced(term: TermId, old: TermId, new: TermId) -> TermId {
    if term == old { new } else { term }
}
