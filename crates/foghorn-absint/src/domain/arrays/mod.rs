//! Array contents: smashing, expansion, and their adaptive product (§4.2.4 of the SeaHorn paper).
//!
//! Arrays are byte sequences. Two representations of one array, over any domain of scalars:
//!
//! - **cells** (*expansion*): a scalar per constant offset and size. Writes to a constant index
//!   are strong; reads that overlap cells of another size are put together from bytes;
//! - **smashed**: one *summary* scalar for all elements of one size in a range, with weak updates.
//!   The range is kept in two scalars of the domain below, so it may be symbolic.
//!
//! [`Policy`] says which are used: adaptive takes cells while they are few, else it smashes.
//! Array partitioning is a richer summary (module `segments`).
//!
//! Both need to know that an index is aligned, which domains like zones cannot say; a congruence
//! domain runs beside for that. A summary stands for many values, so it is never copied by
//! assignment but by `expand`. Elements that were never written may hold anything: only indices
//! inside the range are summarised.
//!
//! Invariant: the scalars of a representation that an array does not have are unconstrained below.

mod access;
mod cells;
mod content;
mod segments;
mod summary;

use crate::domain::congruences::Congruences;
use crate::domain::{AbstractDomain, Implication, ProgramDomain, VariableDomain};
use crate::language::{Condition, Statement};
use crate::machine::MachineIntegers;
use crate::persistent_map::{Merged, OneSided, PersistentMap};
use crate::thresholds::Thresholds;
use crate::value::interval::Interval;
use crate::variable::{Type, VariableId};
use content::Content;
use segments::LastRead;

/// Which representations may be used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Policy {
    Smash,
    Expand,
    /// Cells where there are at most this many, else a summary.
    Adapt {
        cells: u32,
    },
    /// A segment that grows as it is written, with what relates neighbours (module `segments`).
    Partition,
}

impl Policy {
    fn largest_expansion(self) -> u32 {
        match self {
            Policy::Smash | Policy::Partition => 0,
            Policy::Expand => 256,
            Policy::Adapt { cells } => cells,
        }
    }

    fn smashes(self) -> bool {
        self != Policy::Expand
    }
}

/// Array contents over a domain of scalars.
#[derive(Clone, Debug)]
pub struct Arrays<D> {
    below: D,
    alignment: MachineIntegers<Congruences>,
    contents: PersistentMap<Content>,
    policy: Policy,
    /// Under [`Policy::Partition`]: a scalar that holds an element.
    last_read: Option<LastRead>,
}

impl<D: ProgramDomain> Arrays<D> {
    #[must_use]
    pub fn new(below: D, policy: Policy) -> Arrays<D> {
        Arrays {
            below,
            alignment: MachineIntegers::new(Congruences::new()),
            contents: PersistentMap::new(),
            policy,
            last_read: None,
        }
    }

    fn with(&self, below: D, alignment: MachineIntegers<Congruences>) -> Arrays<D> {
        Arrays {
            below,
            alignment,
            contents: self.contents.clone(),
            policy: self.policy,
            last_read: self.last_read.clone(),
        }
    }

    /// Applies a statement on scalars to the domains below.
    fn scalar(&mut self, statement: &Statement) {
        self.below.transfer(statement);
        self.alignment.transfer(statement);
    }

    fn set_content(&mut self, array: VariableId, content: Content) {
        if content.is_unknown() {
            self.contents.remove(array);
        } else {
            self.contents.insert(array, content);
        }
    }

    fn content(&self, array: VariableId) -> Content {
        self.contents
            .get(array)
            .cloned()
            .unwrap_or(Content::Cells(Vec::new()))
    }

    /// Forgets all that is known of an array.
    fn drop_array(&mut self, array: VariableId) {
        self.invalidate_read(&[array]);
        let ghosts = self.content(array).ghosts(array);
        self.below.forget(&ghosts);
        self.alignment.forget(&ghosts);
        self.contents.remove(array);
    }

    /// Restricts both to the contents that both have, so that they can be joined.
    fn common(&self, other: &Arrays<D>) -> (Arrays<D>, Arrays<D>) {
        if self.partitions() {
            let (left, right) = (self.filled_from(other), other.filled_from(self));
            return left.common_contents(&right);
        }
        self.common_contents(other)
    }

    fn common_contents(&self, other: &Arrays<D>) -> (Arrays<D>, Arrays<D>) {
        let contents = self.contents.merge(
            &other.contents,
            OneSided::Drop,
            OneSided::Drop,
            |_, x, y| {
                let both = x.common(y);
                if both.is_unknown() {
                    Merged::Drop
                } else if both == *x {
                    Merged::Left
                } else {
                    Merged::New(both)
                }
            },
        );
        let (mut left, right) = (self.restricted(&contents), other.restricted(&contents));
        if left.last_read != right.last_read {
            left.last_read = None;
        }
        (left, right)
    }

    /// The join without regard to empty segments.
    fn join_plainly(&self, other: &Arrays<D>) -> Arrays<D> {
        let (left, right) = self.common_contents(other);
        left.with(
            left.below.join(&right.below),
            left.alignment.join(&right.alignment),
        )
    }

    fn restricted(&self, contents: &PersistentMap<Content>) -> Arrays<D> {
        let mut result = self.clone();
        for (array, own) in &self.contents {
            let kept = contents
                .get(array)
                .map(|kept| kept.ghosts(array))
                .unwrap_or_default();
            let mut lost = own.ghosts(array);
            lost.retain(|ghost| !kept.contains(ghost));
            if !lost.is_empty() {
                result.below.forget(&lost);
                result.alignment.forget(&lost);
            }
        }
        result.contents = contents.clone();
        result
    }

    fn normalized(self) -> Arrays<D> {
        if self.below.is_bottom() || self.alignment.is_bottom() {
            self.bottom()
        } else {
            self
        }
    }

    /// The variables and, for arrays, the scalars that represent them.
    fn with_ghosts(&self, variables: &[VariableId]) -> Vec<VariableId> {
        let mut all = variables.to_vec();
        for x in variables.iter().filter(|x| x.ty() == Type::Array) {
            all.extend(self.content(*x).ghosts(*x));
        }
        all
    }
}

impl<D: ProgramDomain> AbstractDomain for Arrays<D> {
    fn top(&self) -> Arrays<D> {
        Arrays::new(self.below.top(), self.policy)
    }

    fn bottom(&self) -> Arrays<D> {
        Arrays::new(self.below.bottom(), self.policy)
    }

    fn is_top(&self) -> bool {
        self.below.is_top() && self.alignment.is_top() && self.contents.is_empty()
    }

    fn is_bottom(&self) -> bool {
        self.below.is_bottom() || self.alignment.is_bottom()
    }

    fn leq(&self, other: &Arrays<D>) -> bool {
        if self.is_bottom() {
            return true;
        }
        let read_is_known = other.last_read.is_none() || self.last_read == other.last_read;
        if !read_is_known || !self.contents.covers(&other.contents, Content::knows) {
            return false;
        }
        if self.below.leq(&other.below) && self.alignment.leq(&other.alignment) {
            return true;
        }
        // Scalars of an empty segment may have any value, also one that the other has.
        self.partitions() && {
            let (own, wanted) = self.without_empty(other);
            own.below.leq(&wanted.below) && own.alignment.leq(&wanted.alignment)
        }
    }

    fn join(&self, other: &Arrays<D>) -> Arrays<D> {
        if self.is_bottom() {
            return other.clone();
        }
        if other.is_bottom() {
            return self.clone();
        }
        let (left, right) = self.common(other);
        left.with(
            left.below.join(&right.below),
            left.alignment.join(&right.alignment),
        )
    }

    /// Of an array that both represent differently, the left representation is kept.
    fn meet(&self, other: &Arrays<D>) -> Arrays<D> {
        if self.is_bottom() || other.is_bottom() {
            return self.bottom();
        }
        let contents = self.contents.merge(
            &other.contents,
            OneSided::Keep,
            OneSided::Keep,
            |_, x, y| x.combined(y).map_or(Merged::Left, Merged::New),
        );
        let right = other.restricted_to_compatible(&contents, &self.contents);
        let mut result = self.with(
            self.below.meet(&right.below),
            self.alignment.meet(&right.alignment),
        );
        result.contents = contents;
        result.normalized()
    }

    fn widen(&self, other: &Arrays<D>, thresholds: &Thresholds) -> Arrays<D> {
        if self.is_bottom() {
            return other.clone();
        }
        if other.is_bottom() {
            return self.clone();
        }
        let (left, right) = self.common(other);
        left.with(
            left.below.widen(&right.below, thresholds),
            left.alignment.widen(&right.alignment, thresholds),
        )
    }

    fn narrow(&self, other: &Arrays<D>) -> Arrays<D> {
        if self.is_bottom() || other.is_bottom() {
            return self.bottom();
        }
        let right = other.restricted_to_compatible(&self.contents, &self.contents);
        let narrowed = self.with(
            self.below.narrow(&right.below),
            self.alignment.narrow(&right.alignment),
        );
        narrowed.normalized()
    }
}

impl<D: ProgramDomain> Arrays<D> {
    /// Forgets the scalars of arrays that `contents` represents in another way.
    fn restricted_to_compatible(
        &self,
        contents: &PersistentMap<Content>,
        left: &PersistentMap<Content>,
    ) -> Arrays<D> {
        let mut result = self.clone();
        for (array, own) in &self.contents {
            // What the other side does not represent is taken over as it is.
            if left.get(array).is_none() && contents.get(array) == Some(own) {
                continue;
            }
            let kept = contents
                .get(array)
                .map(|kept| kept.ghosts(array))
                .unwrap_or_default();
            let compatible = contents
                .get(array)
                .is_some_and(|kept| kept.combined(own).is_some());
            let mut lost = own.ghosts(array);
            lost.retain(|ghost| !compatible || !kept.contains(ghost));
            result.below.forget(&lost);
            result.alignment.forget(&lost);
        }
        result
    }
}

impl<D: ProgramDomain> VariableDomain for Arrays<D> {
    fn forget(&mut self, variables: &[VariableId]) {
        let all = self.with_ghosts(variables);
        self.invalidate_read(variables);
        self.below.forget(&all);
        self.alignment.forget(&all);
        for x in variables {
            self.contents.remove(*x);
        }
    }

    fn project(&mut self, variables: &[VariableId]) {
        let all = self.with_ghosts(variables);
        self.last_read = None;
        self.below.project(&all);
        self.alignment.project(&all);
        let kept = variables
            .iter()
            .filter_map(|x| Some((*x, self.contents.get(*x)?.clone())));
        self.contents = kept.collect();
    }

    fn rename(&mut self, from: &[VariableId], to: &[VariableId]) {
        self.last_read = None;
        let (mut all_from, mut all_to) = (from.to_vec(), to.to_vec());
        let mut moved = Vec::new();
        for (old, new) in from
            .iter()
            .zip(to)
            .filter(|(old, _)| old.ty() == Type::Array)
        {
            let content = self.content(*old);
            all_from.extend(content.ghosts(*old));
            all_to.extend(content.ghosts(*new));
            self.contents.remove(*old);
            moved.push((*new, content));
        }
        self.below.rename(&all_from, &all_to);
        self.alignment.rename(&all_from, &all_to);
        for (array, content) in moved {
            self.set_content(array, content);
        }
    }

    fn expand(&mut self, original: VariableId, copy: VariableId) {
        if original.ty() == Type::Array {
            self.copy_array(copy, original);
        } else {
            self.below.expand(original, copy);
            if original.ty().is_integer() {
                self.alignment.expand(original, copy);
            }
        }
    }
}

impl<D: ProgramDomain> ProgramDomain for Arrays<D> {
    fn transfer(&mut self, statement: &Statement) {
        if self.is_bottom() {
            return;
        }
        match statement {
            Statement::ArrayInit {
                target,
                lower,
                upper,
                value,
                size,
                endianness,
            } => {
                let element = content::Element {
                    size: *size,
                    endianness: *endianness,
                };
                self.initialise(*target, (lower, upper), value, element);
            }
            Statement::ArrayRead { target, access } => self.read(*target, access),
            Statement::ArrayWrite { access, value } => self.write(access, value),
            Statement::ArrayAssign { target, source } => self.copy_array(*target, *source),
            Statement::Assign { .. }
            | Statement::Binary { .. }
            | Statement::Cast { .. }
            | Statement::BooleanToInteger { .. }
            | Statement::BooleanAssign { .. }
            | Statement::BooleanBinary { .. }
            | Statement::Havoc { .. }
            | Statement::Assume { .. }
            | Statement::Assert { .. }
            | Statement::PointerAssign { .. }
            | Statement::Allocate { .. }
            | Statement::Load { .. }
            | Statement::Store { .. }
            | Statement::AddressOfFunction { .. }
            | Statement::Call { .. } => {
                self.scalar(statement);
                self.invalidate_read(&statement.defined());
                for x in statement.defined() {
                    if x.ty() == Type::Array {
                        self.drop_array(x);
                    }
                }
            }
        }
        if self.is_bottom() {
            *self = self.bottom();
        }
    }

    fn assume(&mut self, condition: &Condition) {
        self.below.assume(condition);
        self.alignment.assume(condition);
        if self.is_bottom() {
            *self = self.bottom();
        }
    }

    fn entails(&self, condition: &Condition) -> bool {
        self.is_bottom() || self.below.entails(condition) || self.alignment.entails(condition)
    }

    fn bounds(&self, variable: VariableId) -> Interval {
        self.below.bounds(variable)
    }

    fn to_conditions(&self) -> Vec<Condition> {
        if self.is_bottom() {
            vec![Condition::Constant(false)]
        } else {
            self.below.to_conditions()
        }
    }

    fn implications(&self) -> Vec<Implication> {
        self.below.implications()
    }

    fn describe_beyond_conditions(&self, name: &dyn Fn(VariableId) -> String) -> Vec<String> {
        self.below.describe_beyond_conditions(name)
    }

    /// Statements on arrays go backwards by forgetting what they defined.
    fn backward(&mut self, statement: &Statement, before: &Arrays<D>) {
        // A read after the statement says nothing of the states before it.
        self.last_read = None;
        let scalars_only = match statement {
            Statement::ArrayInit { .. }
            | Statement::ArrayRead { .. }
            | Statement::ArrayWrite { .. }
            | Statement::ArrayAssign { .. } => false,
            Statement::Assign { .. }
            | Statement::Binary { .. }
            | Statement::Cast { .. }
            | Statement::BooleanToInteger { .. }
            | Statement::BooleanAssign { .. }
            | Statement::BooleanBinary { .. }
            | Statement::Havoc { .. }
            | Statement::Assume { .. }
            | Statement::Assert { .. }
            | Statement::PointerAssign { .. }
            | Statement::Allocate { .. }
            | Statement::Load { .. }
            | Statement::Store { .. }
            | Statement::AddressOfFunction { .. }
            | Statement::Call { .. } => statement.defined().iter().all(|x| x.ty() != Type::Array),
        };
        if !scalars_only {
            self.forget(&statement.defined());
            *self = self.meet(before);
            return;
        }
        // The domains below see the scalars of arrays too, so both must have the same ones. Empty
        // segments are not filled: their relations to what is assigned hold on one side only.
        let (mut after, before_common) = self.common_contents(before);
        after.below.backward(statement, &before_common.below);
        after
            .alignment
            .backward(statement, &before_common.alignment);
        *self = after.normalized().meet(before);
    }
}
