//! What follows from a boolean being true, and from its being false.

use crate::language::{Condition, print_condition};
use crate::variable::VariableId;

/// More consequences than this are not worth their time.
const LIMIT: usize = 6;

#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Consequences {
    when_true: Vec<Condition>,
    when_false: Vec<Condition>,
}

impl Consequences {
    pub(super) fn is_empty(&self) -> bool {
        self.when_true.is_empty() && self.when_false.is_empty()
    }

    pub(super) fn when(&self, value: bool) -> &[Condition] {
        if value {
            &self.when_true
        } else {
            &self.when_false
        }
    }

    fn when_mut(&mut self, value: bool) -> &mut Vec<Condition> {
        if value {
            &mut self.when_true
        } else {
            &mut self.when_false
        }
    }

    pub(super) fn add(&mut self, value: bool, condition: Condition) {
        let list = self.when_mut(value);
        if list.len() < LIMIT && !list.contains(&condition) {
            list.push(condition);
        }
    }

    /// When this is `value`, then `of` = (b, truth) holds, and so do b's own consequences.
    pub(super) fn adopt(&mut self, value: bool, own: &Consequences, of: (VariableId, bool)) {
        for condition in own.when(of.1) {
            self.add(value, condition.clone());
        }
        self.add(
            value,
            Condition::Boolean {
                variable: of.0,
                value: of.1,
            },
        );
    }

    pub(super) fn swap(self) -> Consequences {
        Consequences {
            when_true: self.when_false,
            when_false: self.when_true,
        }
    }

    fn conditions(&self) -> impl Iterator<Item = &Condition> {
        self.when_true.iter().chain(&self.when_false)
    }

    /// The variables that conditions speak of.
    pub(super) fn mentioned(&self) -> impl Iterator<Item = VariableId> {
        self.conditions().flat_map(Condition::variables)
    }

    pub(super) fn mention_any(&self, variables: &[VariableId]) -> bool {
        self.conditions()
            .any(|condition| condition.mentions_any(variables))
    }

    pub(super) fn without(&self, variables: &[VariableId]) -> Consequences {
        self.filtered(|_, condition| !condition.mentions_any(variables))
    }

    pub(super) fn filtered(&self, keep: impl Fn(bool, &Condition) -> bool) -> Consequences {
        let list = |value: bool| {
            self.when(value)
                .iter()
                .filter(|condition| keep(value, condition))
                .cloned()
                .collect()
        };
        Consequences {
            when_true: list(true),
            when_false: list(false),
        }
    }

    pub(super) fn all(&self, holds: impl Fn(bool, &Condition) -> bool) -> bool {
        [true, false]
            .into_iter()
            .all(|value| self.when(value).iter().all(|c| holds(value, c)))
    }

    pub(super) fn rename(&self, renaming: &dyn Fn(VariableId) -> VariableId) -> Consequences {
        let list = |value: bool| {
            self.when(value)
                .iter()
                .map(|c| c.rename(renaming))
                .collect()
        };
        Consequences {
            when_true: list(true),
            when_false: list(false),
        }
    }

    pub(super) fn describe(
        &self,
        own_name: &str,
        name: &dyn Fn(VariableId) -> String,
    ) -> Vec<String> {
        let line = |prefix: &str, condition: &Condition| {
            format!("{prefix}{own_name} => {}", print_condition(condition, name))
        };
        let when_true = self.when_true.iter().map(|c| line("", c));
        let when_false = self.when_false.iter().map(|c| line("not ", c));
        when_true.chain(when_false).collect()
    }
}
