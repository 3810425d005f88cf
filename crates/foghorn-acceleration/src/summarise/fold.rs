//! Array folds (aggregates): sums and the like over ranges of indices.
//!
//! What a loop adds up is a function of the index, by cases: one value at one index, others within a
//! range. A fold is kept as it is, an application of a function to the end of its range, until a check
//! asks for it. There the solver can be asked how indices lie to each other, and the range is divided where a
//! case begins or ends ([`cases`](super::cases)); what is left within a part is a constant, or a function without cases.
//! Of the latter one *leaf* is kept for each function up to a shift of the index, and
//! [`order`](super::order) makes all folds of a leaf of the same pieces. So two loops that add up the same
//! cells in another order, or shifted, are seen to have the same result.
//!
//! Operators with inverses need one end only: the fold of `a..b` is the difference of two prefixes.

use super::cases::Making;
use super::definition::new_function;
use super::linear::{Known, Linear};
use super::shape::Fold;
use foghorn_smt::SolverError;
use foghorn_term::{FunctionId, Op, Sort, Substitution, TermId, TermPool};

/// Parts into which a range is divided before it is given up.
const MOST_PARTS: usize = 96;
/// Ends of ranges of one leaf for which lemmas are made.
const MOST_ENDS: usize = 14;

/// A fold as a loop makes it.
#[derive(Debug)]
pub struct Whole {
    pub fold: Fold,
    /// What is combined, a term of the bound index.
    pub element: TermId,
    /// The first index. It is at least 0, and at most the end.
    pub low: TermId,
    /// The most that an index can be.
    pub most: i128,
    /// Of the end of the range, behind the last index.
    pub function: FunctionId,
}

/// A fold over a function without cases.
#[derive(Clone, Debug)]
pub struct Leaf {
    pub fold: Fold,
    /// The function, of the bound index.
    pub value: TermId,
    pub function: FunctionId,
}

/// All folds of a run.
#[derive(Debug)]
pub struct Folds {
    /// The symbol that stands for the index.
    index: TermId,
    /// What is known of symbols.
    pub known: Known,
    wholes: Vec<Whole>,
    pub leaves: Vec<Leaf>,
}

/// Whether a formula holds wherever the check is reached.
pub type Implied<'a> = dyn FnMut(&mut TermPool, TermId) -> Result<bool, SolverError> + 'a;

impl Folds {
    pub fn new(index: TermId) -> Self {
        Folds {
            index,
            known: Known::default(),
            wholes: vec![],
            leaves: vec![],
        }
    }

    /// The symbol that stands for the index.
    pub fn index(&self) -> TermId {
        self.index
    }

    /// The fold of `element`, a term of the bound index, over the indices from `low` on below `high`.
    pub fn keep(
        &mut self,
        pool: &mut TermPool,
        (fold, element): (Fold, TermId),
        (low, high): (TermId, TermId),
        most: i128,
    ) -> TermId {
        let function = function(pool, self.index, 1, element);
        self.wholes.push(Whole {
            fold,
            element,
            low,
            most,
            function,
        });
        pool.apply(function, &[high])
    }

    /// The fold that an application stands for.
    pub fn whole_of(&self, pool: &TermPool, term: TermId) -> Option<&Whole> {
        let Op::Apply(function) = pool.op(term) else {
            return None;
        };
        let mut wholes = self.wholes.iter();
        wholes.find(|whole| whole.function == function)
    }

    /// The fold that an application stands for, made of leaves. `None` where it has too many parts.
    pub fn parts(
        &mut self,
        pool: &mut TermPool,
        application: TermId,
        implied: &mut Implied<'_>,
    ) -> Result<Option<TermId>, SolverError> {
        let Some(whole) = self.whole_of(pool, application) else {
            return Ok(None);
        };
        let (fold, low, most) = (whole.fold, whole.low, whole.most);
        let element = whole.element;
        let high = pool.child(application, 0);
        let mut known = self.known.clone();
        known.insert(self.index, (0, most));
        let element = super::order::decide(pool, element, Some(self.index), implied)?;
        let mut making = Making {
            pool,
            known: &known,
            index: self.index,
            fold,
            implied,
        };
        self.make(&mut making, element, (low, high))
    }

    /// The fold of an element, which for sums is the sum of the folds of its summands.
    fn make(
        &mut self,
        making: &mut Making<'_, '_>,
        element: TermId,
        range: (TermId, TermId),
    ) -> Result<Option<TermId>, SolverError> {
        let outer = making.pool.op(element);
        let narrowed = match (outer, making.fold) {
            (Op::SignExtend(_), Fold::And | Fold::Or | Fold::Xor)
            | (Op::ZeroExtend(_), Fold::Or | Fold::Xor) => Some(making.pool.child(element, 0)),
            _ => None,
        };
        if let Some(inner) = narrowed {
            let inner = self.make(making, inner, range)?;
            return Ok(inner.map(|inner| making.pool.make(outer, &[inner])));
        }
        let width = making.pool.width(element);
        if making.fold != Fold::Add || width > 64 {
            return self.fold_by_cases(making, element, range);
        }
        let sum = Linear::of(making.pool, element);
        let constant = sum.constant_term(making.pool);
        let mut total = making.repeat(constant, range.0, range.1);
        for (term, by) in sum.summands() {
            let Some(part) = self.fold_by_cases(making, term, range)? else {
                return Ok(None);
            };
            let by = making.pool.bv(width, by);
            let part = making.pool.bv_mul(part, by);
            total = making.pool.bv_add(total, part);
        }
        Ok(Some(total))
    }

    /// The fold of an element by cases.
    fn fold_by_cases(
        &mut self,
        making: &mut Making<'_, '_>,
        element: TermId,
        (low, high): (TermId, TermId),
    ) -> Result<Option<TermId>, SolverError> {
        let fold = making.fold;
        let mut total = unit(making.pool, fold, making.pool.width(element));
        let mut open = vec![(element, low, high)];
        let mut count = 0;
        while let Some((element, low, high)) = open.pop() {
            count += 1;
            if count > MOST_PARTS {
                return Ok(None);
            }
            if making.is_empty(low, high)? {
                continue;
            }
            let part = match making.case(element)? {
                Some((comparison, place)) => {
                    making.divide(element, comparison, &place, (low, high), &mut open)?
                }
                None => match self.part(making, element, low, high)? {
                    Some(part) => Some(part),
                    None => return Ok(None),
                },
            };
            if let Some(part) = part {
                total = combine(making.pool, fold, total, part);
            }
        }
        Ok(Some(total))
    }

    /// The fold over a range without cases.
    fn part(
        &mut self,
        making: &mut Making<'_, '_>,
        element: TermId,
        low: TermId,
        high: TermId,
    ) -> Result<Option<TermId>, SolverError> {
        if !mentions(making.pool, element, making.index) {
            return Ok(Some(making.repeat(element, low, high)));
        }
        let (element, shift) = making.canonical(element);
        let [low, high] = [low, high].map(|end| {
            let end = Linear::of(making.pool, end).plus(&shift);
            end.term(making.pool)
        });
        // A range that is shifted across the largest number is none.
        if making.compare(low, high)? != Ok(true) {
            return Ok(None);
        }
        let fold = making.fold;
        let mut known = self.leaves.iter();
        let known = known.find(|leaf| leaf.fold == fold && leaf.value == element);
        let function = match known {
            Some(leaf) => leaf.function,
            None => {
                let ends = if has_inverse(fold) { 1 } else { 2 };
                let function = function(making.pool, making.index, ends, element);
                self.leaves.push(Leaf {
                    fold,
                    value: element,
                    function,
                });
                function
            }
        };
        Ok(Some(fold_between(making.pool, fold, function, low, high)))
    }
}

/// A function of ends of ranges.
fn function(pool: &mut TermPool, index: TermId, ends: usize, element: TermId) -> FunctionId {
    let arguments = vec![pool.sort_id(index); ends];
    let sort = pool.sort_id(element);
    new_function(pool, "fold", &arguments, sort)
}

impl Leaf {
    /// Facts about folds between some ends that hold by the definition.
    pub fn lemmas(
        &self,
        pool: &mut TermPool,
        index: TermId,
        ends: &[TermId],
        lemmas: &mut Vec<TermId>,
    ) {
        let ends = &ends[..ends.len().min(MOST_ENDS)];
        for &a in ends {
            for &b in ends {
                self.of_two(pool, index, (a, b), lemmas);
                if has_inverse(self.fold) {
                    continue;
                }
                for &c in ends {
                    self.of_three(pool, [a, b, c], lemmas);
                }
            }
        }
    }

    /// The fold of a range of one element, and of none.
    fn of_two(
        &self,
        pool: &mut TermPool,
        index: TermId,
        (a, b): (TermId, TermId),
        lemmas: &mut Vec<TermId>,
    ) {
        let width = pool.width(a);
        let after = Linear::of(pool, a).plus(&Linear::constant(width, 1));
        let distance = Linear::of(pool, b).minus(&after);
        let (least, most) = distance.range(pool, &Known::default());
        if least <= 0 && most >= 0 {
            let after = after.term(pool);
            let is_next = pool.equal(b, after);
            let does_not_wrap = pool.bv_slt(a, b);
            let is_next = pool.and(&[is_next, does_not_wrap]);
            let at = Substitution::from_iter([(index, a)]);
            let element = pool.substitute(self.value, &at);
            let fold = fold_between(pool, self.fold, self.function, a, b);
            let equal = pool.equal(fold, element);
            lemmas.push(pool.implies(is_next, equal));
        }
        if !has_inverse(self.fold) && least <= -1 && most >= -1 {
            let same = pool.equal(a, b);
            let unit = unit(pool, self.fold, pool.width(self.value));
            let fold = fold_between(pool, self.fold, self.function, a, b);
            let equal = pool.equal(fold, unit);
            lemmas.push(pool.implies(same, equal));
        }
    }

    /// A range is the sum of its parts.
    fn of_three(&self, pool: &mut TermPool, [a, b, c]: [TermId; 3], lemmas: &mut Vec<TermId>) {
        if a == b || b == c || a == c {
            return;
        }
        // Lemmas hold whatever the program does, so only what the forms of terms say is used.
        let nothing = Known::default();
        let mut ordered = |low: TermId, high: TermId| match compare(pool, &nothing, low, high) {
            Ok(true) => pool.bool(true),
            Ok(false) | Err(_) => pool.bv_sle(low, high),
        };
        let (first, second) = (ordered(a, b), ordered(b, c));
        let in_order = pool.and(&[first, second]);
        if pool.as_bool(in_order) == Some(false) {
            return;
        }
        let parts = [(a, b), (b, c), (a, c)];
        let [left, right, whole] =
            parts.map(|(from, to)| fold_between(pool, self.fold, self.function, from, to));
        let sum = combine(pool, self.fold, left, right);
        let equal = pool.equal(whole, sum);
        lemmas.push(pool.implies(in_order, equal));
    }
}

/// Whether `a ≤ b`: if the terms show it, else a formula. Equal numbers may be said to be either.
pub fn compare(pool: &mut TermPool, known: &Known, a: TermId, b: TermId) -> Result<bool, TermId> {
    let half = 1i128 << (pool.width(a) - 1);
    let ends = [a, b].map(|end| Linear::of(pool, end));
    // The difference says something only if nothing wraps around.
    let exact = ends.iter().all(|end| {
        let (low, high) = end.range(pool, known);
        -half <= low && high < half
    });
    let (least, most) = ends[1].minus(&ends[0]).range(pool, known);
    match (exact && least >= 0, exact && most <= 0) {
        (true, _) => Ok(true),
        (_, true) => Ok(false),
        _ => Err(pool.bv_sle(a, b)),
    }
}

/// Whether a term contains another one.
pub fn mentions(pool: &TermPool, term: TermId, part: TermId) -> bool {
    pool.post_order_where(&[term], |inner| inner >= part)
        .any(|inner| inner == part)
}

/// The term with sums in one form: equal sums are the same term.
pub fn tidy(pool: &mut TermPool, term: TermId) -> TermId {
    let order: Vec<TermId> = pool.post_order(&[term]).collect();
    let mut done = rustc_hash::FxHashMap::default();
    let is_sum = |op: Op| matches!(op, Op::BvAdd | Op::BvMul | Op::BvNeg);
    for inner in order {
        let children: Vec<TermId> = pool.children(inner).to_vec();
        let op = pool.op(inner);
        let new: Vec<TermId> = children
            .iter()
            .map(|child| {
                let child = done[child];
                match pool.sort(child) {
                    // The outermost sum is the one that counts.
                    Sort::BitVec(1..=64) if !is_sum(op) => Linear::of(pool, child).term(pool),
                    _ => child,
                }
            })
            .collect();
        let result = match new == children {
            true => inner,
            false => pool.make(op, &new),
        };
        done.insert(inner, result);
    }
    done[&term]
}

pub fn has_inverse(fold: Fold) -> bool {
    matches!(fold, Fold::Add | Fold::Xor)
}

/// The fold of nothing.
pub fn unit(pool: &mut TermPool, fold: Fold, width: u32) -> TermId {
    match fold {
        Fold::And => pool.bv_ones(width),
        Fold::Add | Fold::Xor | Fold::Or => pool.bv_zero(width),
    }
}

pub fn combine(pool: &mut TermPool, fold: Fold, a: TermId, b: TermId) -> TermId {
    match fold {
        Fold::Add => pool.bv_add(a, b),
        Fold::Xor => pool.make(Op::BvXor, &[a, b]),
        Fold::And => pool.make(Op::BvAnd, &[a, b]),
        Fold::Or => pool.make(Op::BvOr, &[a, b]),
    }
}

/// The fold of a leaf over a range.
pub fn fold_between(
    pool: &mut TermPool,
    fold: Fold,
    function: FunctionId,
    low: TermId,
    high: TermId,
) -> TermId {
    if !has_inverse(fold) {
        return pool.apply(function, &[low, high]);
    }
    let (from, to) = (pool.apply(function, &[low]), pool.apply(function, &[high]));
    match fold {
        Fold::Xor => pool.make(Op::BvXor, &[to, from]),
        _ => pool.bv_sub(to, from),
    }
}
