//! A system of Horn clauses made smaller, with the way back.
//!
//! Four steps, repeated until nothing changes: predicates that nothing derives or that no query
//! needs go away ([`reach`]); arguments that always have one value and arguments that nothing reads
//! go away ([`arguments`]); predicates that do not depend on themselves are resolved where that
//! makes no more rules ([`inline`]); and each rule's equalities are solved ([`tidy`]).
//!
//! Each step keeps both answers. The way back is kept beside the system: [`Image`] says what an
//! original predicate is in terms of a kept one, and [`Unfolding`] which original rules a rule is
//! made of. Nobody has to believe this module: interpretations and derivations are mapped back and
//! then checked against the original rules.

mod arguments;
mod inline;
mod reach;
mod tidy;
mod unfolding;

pub(crate) use tidy::conjuncts;
pub(crate) use unfolding::Unfolding;

use super::{HornSystem, Rule};
use foghorn_term::{FunctionId, Sort, SortId, TermId, TermPool};
use rustc_hash::FxHashMap;

/// What an original predicate is in the smaller system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Image {
    /// A predicate over some of its arguments; others have the same value everywhere.
    Kept {
        predicate: FunctionId,
        positions: Vec<usize>,
        constants: Vec<(usize, TermId)>,
    },
    /// Resolved: it is what its rules derive.
    Resolved,
    /// Nothing derives it.
    Empty,
    /// No query needs it.
    Unneeded,
}

/// A smaller system and the way back.
pub(crate) struct Simplified {
    /// The original pool with more in it: terms of the original system mean the same here.
    pub pool: TermPool,
    pub system: HornSystem,
    pub images: FxHashMap<FunctionId, Image>,
    /// For each rule the original rules it is made of.
    pub unfoldings: Vec<Unfolding>,
    /// What the arguments of predicates that were changed further are, in terms of those that images speak of.
    pub views: FxHashMap<FunctionId, Vec<View>>,
    /// The rules that those of the system were merged from, where they were: unfoldings speak of these; see `merge`.
    pub unmerged: Option<HornSystem>,
    /// A refutation is one of a weaker system; see `generalise`.
    pub is_weaker: bool,
    /// Least and greatest values of arguments of original predicates; see `intervals`.
    pub bounds: FxHashMap<FunctionId, Vec<Bounds>>,
}

/// An argument with its least and its greatest value, where they are known.
pub(crate) type Bounds = (usize, Option<TermId>, Option<TermId>);

/// An argument of a changed predicate, in terms of the arguments before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum View {
    Same(usize),
    /// The quotient and the remainder of a division by a literal; see `divide`.
    Quotient(usize, TermId),
    Remainder(usize, TermId),
    /// A literal; see `generalise`.
    Literal(TermId),
    /// Any index of that sort, the same wherever its number is; see `cells`.
    Index(usize, SortId),
    /// The cell of an array at the indices of these numbers.
    Cell(usize, Vec<usize>),
}

impl Simplified {
    /// Follows predicates that were declared anew.
    pub fn rename(&mut self, renamed: &FxHashMap<FunctionId, FunctionId>) {
        for image in self.images.values_mut() {
            if let Image::Kept { predicate, .. } = image
                && let Some(new) = renamed.get(predicate)
            {
                *predicate = *new;
            }
        }
    }
}

/// A rule on its way, with what it is made of.
#[derive(Clone)]
struct Draft {
    rule: Rule,
    unfolding: Unfolding,
}

/// The state of the work.
struct Workshop {
    pool: TermPool,
    predicates: Vec<FunctionId>,
    drafts: Vec<Draft>,
    images: FxHashMap<FunctionId, Image>,
}

/// Positions of today that go away, ascending, with the value that is known there.
type Gone = FxHashMap<FunctionId, Vec<(usize, Option<TermId>)>>;

fn drop_positions<T>(list: &mut Vec<T>, gone: &[(usize, Option<TermId>)]) {
    let mut next = gone.iter().map(|(position, _)| *position).peekable();
    let mut position = 0;
    list.retain(|_| {
        let goes = next.next_if_eq(&position).is_some();
        position += 1;
        !goes
    });
}

/// Rounds of all steps; each is cheap and most systems are done after two.
const MOST_ROUNDS: usize = 6;

/// Makes a system smaller.
pub(crate) fn simplify(pool: &TermPool, system: &HornSystem) -> Simplified {
    let mut shop = Workshop::new(pool.clone(), system);
    for _ in 0..MOST_ROUNDS {
        shop.tidy();
        let mut changed = shop.remove_unreachable();
        changed |= shop.propagate_constants();
        changed |= shop.remove_unused_arguments();
        changed |= shop.resolve_predicates();
        if !changed {
            break;
        }
    }
    shop.finish()
}

/// The system as it is, with the trivial way back.
pub(crate) fn keep(pool: &TermPool, system: &HornSystem) -> Simplified {
    let shop = Workshop::new(pool.clone(), system);
    let unfoldings = shop.drafts.into_iter().map(|d| d.unfolding).collect();
    Simplified {
        pool: shop.pool,
        system: system.clone(),
        images: shop.images,
        unfoldings,
        views: FxHashMap::default(),
        unmerged: None,
        is_weaker: false,
        bounds: FxHashMap::default(),
    }
}

impl Workshop {
    fn new(pool: TermPool, system: &HornSystem) -> Self {
        let image = |predicate: &FunctionId| {
            let arity = pool.function_data(*predicate).arguments.len();
            let kept = Image::Kept {
                predicate: *predicate,
                positions: (0..arity).collect(),
                constants: Vec::new(),
            };
            (*predicate, kept)
        };
        let images = system.predicates.iter().map(image).collect();
        let draft = |(index, rule): (usize, &Rule)| Draft {
            rule: rule.clone(),
            unfolding: Unfolding::of_rule(index, rule.body.len()),
        };
        Workshop {
            drafts: system.rules.iter().enumerate().map(draft).collect(),
            predicates: system.predicates.clone(),
            pool,
            images,
        }
    }

    /// Solves the equalities of every rule and drops the rules that say nothing.
    fn tidy(&mut self) {
        let mut kept = Vec::with_capacity(self.drafts.len());
        for mut draft in std::mem::take(&mut self.drafts) {
            if tidy::tidy(&mut self.pool, &mut draft.rule) {
                kept.push(draft);
            }
        }
        self.drafts = kept;
    }

    /// Forgets a predicate; rules that mention it are gone or go now.
    fn forget(&mut self, predicate: FunctionId, image: Image) {
        self.predicates.retain(|p| *p != predicate);
        self.images.insert(predicate, image);
    }

    /// Removes arguments of predicates everywhere.
    fn remove_arguments(&mut self, gone: &Gone) {
        if gone.is_empty() {
            return;
        }
        for draft in &mut self.drafts {
            let rule = &mut draft.rule;
            for application in rule.body.iter_mut().chain(rule.head.as_mut()) {
                if let Some(gone) = gone.get(&application.predicate) {
                    drop_positions(&mut application.arguments, gone);
                }
            }
        }
        for (predicate, gone) in gone {
            if let Some(Image::Kept {
                positions,
                constants,
                ..
            }) = self.images.get_mut(predicate)
            {
                for (position, value) in gone {
                    constants.extend(value.map(|value| (positions[*position], value)));
                }
                drop_positions(positions, gone);
            }
        }
    }

    /// Declares the predicates with the arguments that are left.
    fn finish(mut self) -> Simplified {
        self.tidy();
        let mut renamed: FxHashMap<FunctionId, FunctionId> = FxHashMap::default();
        for predicate in &self.predicates {
            let Some(Image::Kept { positions, .. }) = self.images.get(predicate) else {
                continue;
            };
            let data = self.pool.function_data(*predicate).clone();
            if positions.len() == data.arguments.len() {
                continue;
            }
            let sorts: Vec<SortId> = positions.iter().map(|p| data.arguments[*p]).collect();
            renamed.insert(*predicate, declare(&mut self.pool, &data.name, &sorts));
        }
        let new = |predicate: FunctionId| renamed.get(&predicate).copied().unwrap_or(predicate);
        for draft in &mut self.drafts {
            let rule = &mut draft.rule;
            for application in rule.body.iter_mut().chain(rule.head.as_mut()) {
                application.predicate = new(application.predicate);
            }
        }
        for image in self.images.values_mut() {
            if let Image::Kept { predicate, .. } = image {
                *predicate = new(*predicate);
            }
        }
        let (rules, unfoldings) = self
            .drafts
            .into_iter()
            .map(|d| (d.rule, d.unfolding))
            .unzip();
        Simplified {
            pool: self.pool,
            system: HornSystem {
                predicates: self.predicates.into_iter().map(new).collect(),
                rules,
            },
            images: self.images,
            unfoldings,
            views: FxHashMap::default(),
            unmerged: None,
            is_weaker: false,
            bounds: FxHashMap::default(),
        }
    }
}

/// Solves the equalities of a rule by itself. False if the rule says nothing.
pub(crate) fn tidy_rule(pool: &mut TermPool, rule: &mut Rule) -> bool {
    tidy::tidy(pool, rule)
}

/// A predicate of a name that is still free.
pub(crate) fn declare(pool: &mut TermPool, name: &str, sorts: &[SortId]) -> FunctionId {
    let bool = pool.sort_intern(Sort::Bool);
    (0..)
        .find_map(|number| pool.function(&format!("{name}!{number}"), sorts, bool).ok())
        .expect("invariant: there are more numbers than names")
}

#[cfg(test)]
mod tests;
