//! Wrapped intervals: environments of arcs, native to machine integers.
//!
//! Unlike the domains over ℤ this one needs no adapter: additions wrap without loss, and signed and
//! unsigned operations cut the circle where they need to ([`crate::value::wrapped`]). Unbounded
//! integers have plain intervals beside.
//!
//! Invariant: no arc in the map is empty (the state is ⊥ then) or everything (absence says so).

mod conditions;
mod transfer;

use crate::domain::intervals::Intervals;
use crate::domain::{AbstractDomain, NumericDomain as _, ProgramDomain, VariableDomain};
use crate::language::{Condition, Operand, Statement, UnsignedRelation};
use crate::number::Number;
use crate::persistent_map::{Merged, OneSided, PersistentMap};
use crate::thresholds::Thresholds;
use crate::value::AbstractValue as _;
use crate::value::interval::Interval;
use crate::value::wrapped::WrappedInterval;
use crate::variable::VariableId;

/// Arcs of machine integers and intervals of unbounded ones.
#[derive(Clone, Debug)]
pub struct WrappedIntervals {
    /// `None` is ⊥.
    arcs: Option<PersistentMap<WrappedInterval>>,
    unbounded: Intervals,
}

impl Default for WrappedIntervals {
    fn default() -> Self {
        Self {
            arcs: Some(PersistentMap::new()),
            unbounded: Intervals::new(),
        }
    }
}

fn keep(
    left: &WrappedInterval,
    right: &WrappedInterval,
    result: WrappedInterval,
) -> Merged<WrappedInterval> {
    if result.is_all() {
        Merged::Drop
    } else if result == *left {
        Merged::Left
    } else if result == *right {
        Merged::Right
    } else {
        Merged::New(result)
    }
}

impl WrappedIntervals {
    /// ⊤.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The arc of a machine integer.
    #[must_use]
    pub fn arc(&self, x: VariableId, width: u32) -> WrappedInterval {
        match &self.arcs {
            None => WrappedInterval::empty(width),
            Some(arcs) => arcs
                .get(x)
                .copied()
                .unwrap_or_else(|| WrappedInterval::all(width)),
        }
    }

    fn set_arc(&mut self, x: VariableId, arc: WrappedInterval) {
        let Some(arcs) = &mut self.arcs else { return };
        if arc.is_empty() {
            self.become_bottom();
        } else if arc.is_all() {
            arcs.remove(x);
        } else {
            arcs.insert(x, arc);
        }
    }

    fn become_bottom(&mut self) {
        *self = self.bottom();
    }

    /// ⊥ in one part is ⊥.
    fn settle(&mut self) {
        if self.unbounded.is_bottom() {
            self.become_bottom();
        }
    }

    /// The values of a variable over ℤ.
    fn interval(&self, x: VariableId) -> Interval {
        match x.width() {
            Some(width) => self.arc(x, width).signed_hull(),
            None => self.unbounded.bounds(x),
        }
    }

    fn merge(
        &self,
        other: &Self,
        sides: OneSided,
        unbounded: Intervals,
        combine: impl Fn(&WrappedInterval, &WrappedInterval) -> WrappedInterval,
    ) -> Self {
        let (Some(left), Some(right)) = (&self.arcs, &other.arcs) else {
            return self.bottom();
        };
        let mut empty = false;
        let arcs = left.merge(right, sides, sides, |_, x, y| {
            let result = combine(x, y);
            empty |= result.is_empty();
            keep(x, y, result)
        });
        let mut merged = Self {
            arcs: Some(arcs),
            unbounded,
        };
        if empty {
            merged.become_bottom();
        }
        merged.settle();
        merged
    }
}

impl AbstractDomain for WrappedIntervals {
    fn top(&self) -> Self {
        Self::default()
    }

    fn bottom(&self) -> Self {
        Self {
            arcs: None,
            unbounded: self.unbounded.bottom(),
        }
    }

    fn is_top(&self) -> bool {
        self.arcs.as_ref().is_some_and(PersistentMap::is_empty) && self.unbounded.is_top()
    }

    fn is_bottom(&self) -> bool {
        self.arcs.is_none()
    }

    fn leq(&self, other: &Self) -> bool {
        match (&self.arcs, &other.arcs) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(left), Some(right)) => {
                left.covers(right, WrappedInterval::leq) && self.unbounded.leq(&other.unbounded)
            }
        }
    }

    fn join(&self, other: &Self) -> Self {
        match (self.is_bottom(), other.is_bottom()) {
            (true, _) => other.clone(),
            (false, true) => self.clone(),
            (false, false) => {
                let unbounded = self.unbounded.join(&other.unbounded);
                self.merge(other, OneSided::Drop, unbounded, WrappedInterval::join)
            }
        }
    }

    fn meet(&self, other: &Self) -> Self {
        let unbounded = self.unbounded.meet(&other.unbounded);
        self.merge(other, OneSided::Keep, unbounded, WrappedInterval::meet)
    }

    fn widen(&self, other: &Self, thresholds: &Thresholds) -> Self {
        match (self.is_bottom(), other.is_bottom()) {
            (true, _) => other.clone(),
            (false, true) => self.clone(),
            (false, false) => {
                let unbounded = self.unbounded.widen(&other.unbounded, thresholds);
                let widen = |x: &WrappedInterval, y: &WrappedInterval| x.widen(y, thresholds);
                self.merge(other, OneSided::Drop, unbounded, widen)
            }
        }
    }

    fn narrow(&self, other: &Self) -> Self {
        let unbounded = self.unbounded.narrow(&other.unbounded);
        self.merge(other, OneSided::Keep, unbounded, WrappedInterval::narrow)
    }
}

impl VariableDomain for WrappedIntervals {
    fn forget(&mut self, variables: &[VariableId]) {
        if let Some(arcs) = &mut self.arcs {
            variables.iter().for_each(|x| arcs.remove(*x));
        }
        self.unbounded.forget(variables);
    }

    fn project(&mut self, variables: &[VariableId]) {
        if let Some(arcs) = &self.arcs {
            let kept = variables.iter().filter_map(|x| Some((*x, *arcs.get(*x)?)));
            self.arcs = Some(kept.collect());
        }
        self.unbounded.project(variables);
    }

    fn rename(&mut self, from: &[VariableId], to: &[VariableId]) {
        if let Some(arcs) = &mut self.arcs {
            let moved: Vec<_> = from.iter().map(|x| arcs.get(*x).copied()).collect();
            from.iter().for_each(|x| arcs.remove(*x));
            for (x, arc) in to.iter().zip(moved) {
                if let Some(arc) = arc {
                    arcs.insert(*x, arc);
                }
            }
        }
        self.unbounded.rename(from, to);
    }

    fn expand(&mut self, original: VariableId, copy: VariableId) {
        match original.width() {
            Some(width) => self.set_arc(copy, self.arc(original, width)),
            None if original.ty().is_integer() => self.unbounded.expand(original, copy),
            None => {}
        }
    }
}

impl ProgramDomain for WrappedIntervals {
    fn transfer(&mut self, statement: &Statement) {
        if !self.is_bottom() {
            self.forward(statement);
            self.settle();
        }
    }

    fn assume(&mut self, condition: &Condition) {
        if !self.is_bottom() {
            self.restrict(condition);
            self.settle();
        }
    }

    fn bounds(&self, variable: VariableId) -> Interval {
        if self.is_bottom() {
            Interval::bottom()
        } else {
            self.interval(variable)
        }
    }

    fn to_conditions(&self) -> Vec<Condition> {
        let Some(arcs) = &self.arcs else {
            return vec![Condition::Constant(false)];
        };
        let mut conditions: Vec<Condition> = Vec::new();
        for (x, arc) in arcs {
            conditions.extend(arc_conditions(x, arc));
        }
        let unbounded = self.unbounded.to_linear_constraints();
        conditions.extend(unbounded.into_iter().map(Condition::Linear));
        conditions
    }

    fn describe_beyond_conditions(&self, name: &dyn Fn(VariableId) -> String) -> Vec<String> {
        let through_both =
            |arc: &WrappedInterval| arc.signed_parts().len() > 1 && arc.unsigned_parts().len() > 1;
        let arcs = self.arcs.iter().flat_map(PersistentMap::iter);
        arcs.filter(|(_, arc)| through_both(arc))
            .map(|(x, arc)| format!("{} in {arc}", name(x)))
            .collect()
    }

    fn backward(&mut self, statement: &Statement, before: &Self) {
        self.invert(statement, before);
        self.settle();
    }
}

/// What an arc says as comparisons of signed or of unsigned numbers.
fn arc_conditions(x: VariableId, arc: &WrappedInterval) -> Vec<Condition> {
    if let [interval] = &arc.signed_parts()[..] {
        let constraints = super::environment::interval_constraints(x, interval);
        return constraints.into_iter().map(Condition::Linear).collect();
    }
    if let [interval] = &arc.unsigned_parts()[..] {
        let Some((lower, upper)) = interval.as_finite() else {
            return Vec::new();
        };
        let at_most = |left: Operand, right: Operand| Condition::Unsigned {
            relation: UnsignedRelation::LessOrEqual,
            left,
            right,
        };
        let constant = |value: &Number| Operand::Constant(value.clone());
        return vec![
            at_most(constant(lower), Operand::Variable(x)),
            at_most(Operand::Variable(x), constant(upper)),
        ];
    }
    Vec::new()
}
