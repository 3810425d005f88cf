//! Folds in the order of their ends.
//!
//! Where a check is reached, the ends of ranges are mostly in a known order: the solver is asked about
//! comparisons of indices and about ends, a small question each. Then every fold is put together from the
//! same pieces, and two folds over the same cells become the same term.

use super::fold::{Folds, Implied, Leaf, combine, fold_between, has_inverse, tidy, unit};
use super::linear::Linear;
use foghorn_smt::SolverError;
use foghorn_term::{Op, Sort, Substitution, TermId, TermPool};
use rustc_hash::FxHashMap;

/// Comparisons that are asked about.
const MOST_COMPARISONS: usize = 200;
/// Ends of ranges of one function that are put in order.
const MOST_ENDS: usize = 24;

impl Folds {
    /// Whether a term contains folds.
    pub fn occur_in(&self, pool: &TermPool, term: TermId) -> bool {
        pool.post_order(&[term])
            .any(|inner| self.whole_of(pool, inner).is_some())
    }

    fn leaf_of(&self, pool: &TermPool, term: TermId) -> Option<&Leaf> {
        let Op::Apply(function) = pool.op(term) else {
            return None;
        };
        let mut leaves = self.leaves.iter();
        leaves.find(|leaf| leaf.function == function)
    }

    /// A formula that is equal to the given one wherever `implied` speaks of, with folds made of common
    /// pieces; and lemmas about those of which the order is not known.
    pub fn put_in_order(
        &mut self,
        pool: &mut TermPool,
        formula: TermId,
        implied: &mut Implied<'_>,
    ) -> Result<TermId, SolverError> {
        let formula = decide(pool, formula, None, implied)?;
        let formula = self.taken_apart(pool, formula, implied)?;
        let formula = self.merge_parts(pool, formula, implied)?;
        let mut pieces = Substitution::new();
        let mut lemmas = vec![];
        for leaf in &self.leaves {
            let ends = self.ends(pool, formula, leaf);
            match sort_ends(pool, &ends, implied)? {
                Some(ends) => {
                    let ends = with_steps(pool, &ends);
                    leaf.pieces(pool, self.index(), &ends, &mut pieces, implied)?;
                }
                None => leaf.lemmas(pool, self.index(), &ends, &mut lemmas),
            }
        }
        let formula = pool.substitute(formula, &pieces);
        let formula = tidy(pool, formula);
        if lemmas.is_empty() {
            return Ok(formula);
        }
        let lemmas = pool.and(&lemmas);
        Ok(pool.implies(lemmas, formula))
    }

    /// The formula with folds divided into leaves.
    fn taken_apart(
        &mut self,
        pool: &mut TermPool,
        formula: TermId,
        implied: &mut Implied<'_>,
    ) -> Result<TermId, SolverError> {
        let order: Vec<TermId> = pool.post_order(&[formula]).collect();
        let mut parts = Substitution::new();
        for term in order {
            if let Some(made) = self.parts(pool, term, implied)? {
                parts.insert(pool, term, made);
            }
        }
        Ok(pool.substitute(formula, &parts))
    }

    /// The formula with one term for ends that are always equal.
    fn merge_parts(
        &self,
        pool: &mut TermPool,
        formula: TermId,
        implied: &mut Implied<'_>,
    ) -> Result<TermId, SolverError> {
        let mut ends: Vec<TermId> = vec![];
        for leaf in &self.leaves {
            for end in self.ends(pool, formula, leaf) {
                if !ends.contains(&end) {
                    ends.push(end);
                }
            }
        }
        // Numbers first, then what is older.
        ends.sort_by_key(|&end| (pool.as_bitvec(end).is_none(), end));
        let mut kept: Vec<TermId> = vec![];
        let mut replaced: FxHashMap<TermId, TermId> = FxHashMap::default();
        'ends: for &end in ends.iter().take(MOST_ENDS) {
            for &other in &kept {
                let distance = Linear::of(pool, end);
                let distance = distance.minus(&Linear::of(pool, other)).number();
                if distance.is_some_and(|distance| distance != 0) {
                    continue;
                }
                let equal = pool.equal(end, other);
                if implied(pool, equal)? {
                    replaced.insert(end, other);
                    continue 'ends;
                }
            }
            kept.push(end);
        }
        let order: Vec<TermId> = pool.post_order(&[formula]).collect();
        let mut new = Substitution::new();
        for term in order {
            if self.leaf_of(pool, term).is_none() {
                continue;
            }
            let children: Vec<TermId> = pool.children(term).to_vec();
            let merged: Vec<TermId> = children
                .iter()
                .map(|child| replaced.get(child).copied().unwrap_or(*child))
                .collect();
            let op = pool.op(term);
            let merged = pool.make(op, &merged);
            new.insert(pool, term, merged);
        }
        Ok(pool.substitute(formula, &new))
    }

    /// The ends of ranges of a leaf in a formula.
    fn ends(&self, pool: &TermPool, formula: TermId, leaf: &Leaf) -> Vec<TermId> {
        let mut ends = vec![];
        for term in pool.post_order(&[formula]) {
            if pool.op(term) == Op::Apply(leaf.function) {
                for &end in pool.children(term) {
                    if !ends.contains(&end) {
                        ends.push(end);
                    }
                }
            }
        }
        ends
    }
}

impl Leaf {
    /// What stands for each application of the function to ends in this order.
    fn pieces(
        &self,
        pool: &mut TermPool,
        index: TermId,
        ends: &[TermId],
        pieces: &mut Substitution,
        implied: &mut Implied<'_>,
    ) -> Result<(), SolverError> {
        let mut steps = vec![];
        for pair in ends.windows(2) {
            let &[from, to] = pair else { continue };
            let width = pool.width(from);
            let next = Linear::of(pool, from).plus(&Linear::constant(width, 1));
            let next = next.term(pool);
            let is_next = pool.equal(to, next);
            let single = implied(pool, is_next)?;
            steps.push(match single {
                true => {
                    let at = Substitution::from_iter([(index, from)]);
                    Some(pool.substitute(self.value, &at))
                }
                false => None,
            });
        }
        let width = pool.width(self.value);
        if has_inverse(self.fold) {
            let mut before: Option<TermId> = None;
            for (place, &end) in ends.iter().enumerate() {
                let application = pool.apply(self.function, &[end]);
                let step = place.checked_sub(1).and_then(|step| steps[step]);
                let value = match (before, step) {
                    (Some(before), Some(element)) => combine(pool, self.fold, before, element),
                    _ => application,
                };
                if value != application {
                    pieces.insert(pool, application, value);
                }
                before = Some(value);
            }
            return Ok(());
        }
        for from in 0..ends.len() {
            let mut value = unit(pool, self.fold, width);
            for to in from..ends.len() {
                if to > from {
                    let (a, b) = (ends[to - 1], ends[to]);
                    let piece = match steps[to - 1] {
                        Some(element) => element,
                        None => fold_between(pool, self.fold, self.function, a, b),
                    };
                    value = combine(pool, self.fold, value, piece);
                }
                let application = pool.apply(self.function, &[ends[from], ends[to]]);
                if value != application {
                    pieces.insert(pool, application, value);
                }
            }
        }
        Ok(())
    }
}

/// Single steps between ends that are that near to each other are taken one by one.
const NEAR: i64 = 8;

/// Ends in order, with those between that lie a few steps apart.
fn with_steps(pool: &mut TermPool, ends: &[TermId]) -> Vec<TermId> {
    let mut all: Vec<TermId> = vec![];
    for &end in ends {
        if let Some(&before) = all.last() {
            let from = Linear::of(pool, before);
            let distance = Linear::of(pool, end).minus(&from).number();
            let width = pool.width(end);
            for step in 1..distance.filter(|&it| it <= NEAR).unwrap_or(1) {
                let between = from.plus(&Linear::constant(width, step));
                all.push(between.term(pool));
            }
        }
        all.push(end);
    }
    all
}

/// The ends in order, if they always are in one.
fn sort_ends(
    pool: &mut TermPool,
    ends: &[TermId],
    implied: &mut Implied<'_>,
) -> Result<Option<Vec<TermId>>, SolverError> {
    if ends.len() > MOST_ENDS {
        return Ok(None);
    }
    let mut sorted: Vec<TermId> = vec![];
    for &end in ends {
        let mut place = sorted.len();
        while place > 0 {
            let other = sorted[place - 1];
            let above = pool.bv_sle(other, end);
            if implied(pool, above)? {
                break;
            }
            let below = pool.bv_sle(end, other);
            if !implied(pool, below)? {
                return Ok(None);
            }
            place -= 1;
        }
        sorted.insert(place, end);
    }
    Ok(Some(sorted))
}

/// A formula with comparisons of indices replaced by what they always are; those that mention `except` are
/// left alone.
pub fn decide(
    pool: &mut TermPool,
    formula: TermId,
    except: Option<TermId>,
    implied: &mut Implied<'_>,
) -> Result<TermId, SolverError> {
    let mut applied: FxHashMap<TermId, bool> = FxHashMap::default();
    let mut comparisons = vec![];
    for term in pool.post_order(&[formula]) {
        let children = pool.children(term);
        let inner = children.iter().any(|child| applied[child]);
        let is_application = matches!(pool.op(term), Op::Apply(_));
        applied.insert(term, inner || is_application || Some(term) == except);
        let compares = match pool.op(term) {
            Op::BvSle | Op::BvSlt | Op::BvUle | Op::BvUlt => true,
            Op::Equal => matches!(pool.sort(children[0]), Sort::BitVec(_)),
            _ => false,
        };
        if compares && !inner {
            comparisons.push(term);
        }
    }
    let mut known = Substitution::new();
    for &comparison in comparisons.iter().take(MOST_COMPARISONS) {
        let negation = pool.not(comparison);
        for (claim, value) in [(comparison, true), (negation, false)] {
            if implied(pool, claim)? {
                let value = pool.bool(value);
                known.insert(pool, comparison, value);
                break;
            }
        }
    }
    Ok(pool.substitute(formula, &known))
}
