//! Intervals of arguments, and what they decide.
//!
//! Clauses of machine integers are full of wrap-arounds that never happen, because a counter is never negative. The
//! intervals in which the arguments of a simplified system lie are found by a fixpoint with widening; where they decide
//! the condition of an `ite` or exclude that a `mod` changes anything, the rule is written without it.
//!
//! Nobody has to believe it: interpretations come back with the intervals beside them, and are checked against the
//! original rules.

use super::simplify::{Image, Simplified, conjuncts};
use super::{Application, Rule};
use foghorn_term::{FunctionId, Op, Sort, TermId, TermPool};
use num_bigint::BigInt;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// Changes of a predicate's intervals before bounds that still move are given up.
const ROUNDS: usize = 8;

/// Numbers between two bounds, where there are any.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Interval {
    low: Option<BigInt>,
    high: Option<BigInt>,
}

impl Interval {
    fn one(number: &BigInt) -> Self {
        Interval {
            low: Some(number.clone()),
            high: Some(number.clone()),
        }
    }

    fn join(&self, other: &Interval) -> Interval {
        let both = |a: &Option<BigInt>, b: &Option<BigInt>| a.clone().zip(b.clone());
        Interval {
            low: both(&self.low, &other.low).map(|(a, b)| a.min(b)),
            high: both(&self.high, &other.high).map(|(a, b)| a.max(b)),
        }
    }

    fn meet(&self, other: &Interval) -> Interval {
        Interval {
            low: self.low.clone().into_iter().chain(other.low.clone()).max(),
            high: self
                .high
                .clone()
                .into_iter()
                .chain(other.high.clone())
                .min(),
        }
    }

    fn widen(&self, next: &Interval) -> Interval {
        Interval {
            low: self.low.clone().filter(|_| self.low == next.low),
            high: self.high.clone().filter(|_| self.high == next.high),
        }
    }

    fn plus(&self, other: &Interval) -> Interval {
        let sum =
            |a: &Option<BigInt>, b: &Option<BigInt>| a.clone().zip(b.clone()).map(|(a, b)| a + b);
        Interval {
            low: sum(&self.low, &other.low),
            high: sum(&self.high, &other.high),
        }
    }

    fn times(&self, factor: &BigInt) -> Interval {
        let scale = |bound: &Option<BigInt>| bound.as_ref().map(|bound| bound * factor);
        let (low, high) = (scale(&self.low), scale(&self.high));
        match *factor < BigInt::ZERO {
            true => Interval {
                low: high,
                high: low,
            },
            false => Interval { low, high },
        }
    }

    fn is_within(&self, low: &BigInt, below: &BigInt) -> bool {
        self.low.as_ref().is_some_and(|own| own >= low)
            && self.high.as_ref().is_some_and(|own| own < below)
    }
}

/// The intervals of a predicate's arguments; `None` where nothing derives it yet.
type Table = FxHashMap<FunctionId, Vec<Interval>>;
/// The intervals of a rule's variables.
type Scope = FxHashMap<TermId, Interval>;

/// Finds intervals and writes the rules without what they decide.
pub(crate) fn decide(form: &mut Simplified) {
    if !form.system.rules.iter().any(|it| is_open(&form.pool, it)) {
        return;
    }
    let table = find(form);
    let Simplified { pool, system, .. } = &mut *form;
    let mut changed = false;
    for rule in &mut system.rules {
        if let Some(scope) = scope(pool, rule, &table) {
            changed |= rewrite(pool, rule, &scope);
        }
    }
    if changed {
        note_bounds(form, &table);
    }
}

/// Leaves out limits of variables that the premises of a rule imply: machine integers are within their ranges everywhere.
pub(crate) fn drop_implied(form: &mut Simplified) {
    let table = find(form);
    let Simplified { pool, system, .. } = &mut *form;
    let mut changed = false;
    for rule in &mut system.rules {
        let Some(scope) = scope_of_premises(pool, rule, &table) else {
            continue;
        };
        let mut conjuncts = conjuncts(pool, rule.constraint);
        let before = conjuncts.len();
        conjuncts.retain(|conjunct| {
            let known = pool.children(*conjunct).iter();
            let known = known.map(|it| (*it, evaluate(pool, *it, &scope)));
            decided(pool, *conjunct, &known.collect()) != Some(true)
        });
        if conjuncts.len() < before {
            rule.constraint = pool.and(&conjuncts);
            changed = true;
        }
    }
    if changed {
        note_bounds(form, &table);
    }
}

fn applications(rule: &Rule) -> impl Iterator<Item = &Application> {
    rule.body.iter().chain(rule.head.as_ref())
}

/// Whether a rule has something that intervals might decide.
fn is_open(pool: &TermPool, rule: &Rule) -> bool {
    let mut roots = vec![rule.constraint];
    roots.extend(applications(rule).flat_map(|it| it.arguments.iter().copied()));
    pool.post_order(&roots)
        .any(|term| matches!(pool.op(term), Op::Ite | Op::IntMod))
}

/// The fixpoint: what was derived grows until nothing changes.
fn find(form: &Simplified) -> Table {
    let rules = &form.system.rules;
    let mut readers: FxHashMap<FunctionId, Vec<usize>> = FxHashMap::default();
    for (index, rule) in rules.iter().enumerate() {
        for premise in &rule.body {
            readers.entry(premise.predicate).or_default().push(index);
        }
    }
    let mut table = Table::default();
    // How often what is known of a predicate has changed.
    let mut changes: FxHashMap<FunctionId, usize> = FxHashMap::default();
    let mut pending: VecDeque<usize> = (0..rules.len()).collect();
    let mut waits = vec![true; rules.len()];
    while let Some(index) = pending.pop_front() {
        waits[index] = false;
        let Some(head) = &rules[index].head else {
            continue;
        };
        let Some(scope) = scope(&form.pool, &rules[index], &table) else {
            continue;
        };
        let found = head.arguments.iter();
        let found: Vec<Interval> = found.map(|it| evaluate(&form.pool, *it, &scope)).collect();
        let count = changes.entry(head.predicate).or_default();
        if !learn(&mut table, head.predicate, found, *count >= ROUNDS) {
            continue;
        }
        *count += 1;
        for reader in readers.get(&head.predicate).into_iter().flatten() {
            if !std::mem::replace(&mut waits[*reader], true) {
                pending.push_back(*reader);
            }
        }
    }
    table
}

/// Joins what was found of a predicate to what is known; true if that changes something.
fn learn(table: &mut Table, predicate: FunctionId, found: Vec<Interval>, widens: bool) -> bool {
    let Some(known) = table.get_mut(&predicate) else {
        table.insert(predicate, found);
        return true;
    };
    let mut changed = false;
    for (own, new) in known.iter_mut().zip(found) {
        let joined = own.join(&new);
        if joined != *own {
            *own = match widens {
                true => own.widen(&joined),
                false => joined,
            };
            changed = true;
        }
    }
    changed
}

/// What is known of the variables of a rule; `None` if nothing derives one of its premises.
fn scope(pool: &TermPool, rule: &Rule, table: &Table) -> Option<Scope> {
    let mut scope = scope_of_premises(pool, rule, table)?;
    for conjunct in conjuncts(pool, rule.constraint) {
        bound(pool, &mut scope, conjunct);
    }
    Some(scope)
}

/// The same without what the rule's constraint says.
fn scope_of_premises(pool: &TermPool, rule: &Rule, table: &Table) -> Option<Scope> {
    let mut scope = Scope::default();
    for premise in &rule.body {
        let known = table.get(&premise.predicate)?;
        for (argument, interval) in premise.arguments.iter().zip(known) {
            narrow(pool, &mut scope, *argument, interval);
        }
    }
    Some(scope)
}

fn narrow(pool: &TermPool, scope: &mut Scope, term: TermId, interval: &Interval) {
    if matches!(pool.op(term), Op::Symbol(_)) && pool.sort(term) == Sort::Int {
        let own = scope.entry(term).or_default();
        *own = own.meet(interval);
    }
}

/// A conjunct that compares a variable with a literal, or says that it does not.
fn bound(pool: &TermPool, scope: &mut Scope, conjunct: TermId) {
    let (compared, is) = match (pool.op(conjunct), pool.children(conjunct)) {
        (Op::Not, [inner]) => (*inner, false),
        _ => (conjunct, true),
    };
    let [left, right] = *pool.children(compared) else {
        return;
    };
    // Both sides as `left <= right - least`, or the other way round if it is denied.
    let (left, right, least) = match (pool.op(compared), is) {
        (Op::IntLe, true) => (left, right, 0),
        (Op::IntLt, true) => (left, right, 1),
        (Op::IntLe, false) => (right, left, 1),
        (Op::IntLt, false) => (right, left, 0),
        _ => return,
    };
    if let Some(limit) = pool.as_int(right) {
        let high = Some(limit - least);
        narrow(pool, scope, left, &Interval { low: None, high });
    }
    if let Some(limit) = pool.as_int(left) {
        let low = Some(limit + least);
        narrow(pool, scope, right, &Interval { low, high: None });
    }
}

fn evaluate(pool: &TermPool, root: TermId, scope: &Scope) -> Interval {
    let mut known: Scope = Scope::default();
    for term in pool.post_order(&[root]) {
        if pool.sort(term) != Sort::Int {
            continue;
        }
        let interval = step(pool, term, scope, &known);
        known.insert(term, interval);
    }
    known.remove(&root).unwrap_or_default()
}

/// The interval of a term whose parts are known.
fn step(pool: &TermPool, term: TermId, scope: &Scope, known: &Scope) -> Interval {
    if let Some(literal) = pool.as_int(term) {
        return Interval::one(literal);
    }
    let of = |term: &TermId| known.get(term).cloned().unwrap_or_default();
    match (pool.op(term), pool.children(term)) {
        (Op::Symbol(_), _) => scope.get(&term).cloned().unwrap_or_default(),
        (Op::IntAdd, parts) => parts
            .iter()
            .fold(Interval::one(&BigInt::ZERO), |sum, part| {
                sum.plus(&of(part))
            }),
        (Op::IntNeg, [inner]) => of(inner).times(&BigInt::from(-1)),
        (Op::IntMul, [left, right]) => match (pool.as_int(*left), pool.as_int(*right)) {
            (Some(factor), _) => of(right).times(factor),
            (None, Some(factor)) => of(left).times(factor),
            (None, None) => Interval::default(),
        },
        (Op::IntMod, [of_what, by]) => match pool.as_int(*by).filter(|by| **by > BigInt::ZERO) {
            Some(by) if of(of_what).is_within(&BigInt::ZERO, by) => of(of_what),
            Some(by) => Interval {
                low: Some(BigInt::ZERO),
                high: Some(by - 1),
            },
            None => Interval::default(),
        },
        (Op::Ite, [_, then, otherwise]) => of(then).join(&of(otherwise)),
        _ => Interval::default(),
    }
}

/// Whether the intervals decide a comparison.
fn decided(pool: &TermPool, condition: TermId, known: &Scope) -> Option<bool> {
    let [left, right] = *pool.children(condition) else {
        return None;
    };
    let (left, right) = (known.get(&left)?, known.get(&right)?);
    let least = match pool.op(condition) {
        Op::IntLe => 0,
        Op::IntLt => 1,
        _ => return None,
    };
    let always = left.high.as_ref().zip(right.low.as_ref());
    if always.is_some_and(|(high, low)| high + least <= *low) {
        return Some(true);
    }
    let never = left.low.as_ref().zip(right.high.as_ref());
    never
        .filter(|(low, high)| *low + least > **high)
        .map(|_| false)
}

/// Writes a rule without what is decided; whether that changed it.
fn rewrite(pool: &mut TermPool, rule: &mut Rule, scope: &Scope) -> bool {
    let mut roots = vec![rule.constraint];
    roots.extend(applications(rule).flat_map(|it| it.arguments.iter().copied()));
    let order: Vec<TermId> = pool.post_order(&roots).collect();
    let mut known: Scope = Scope::default();
    let mut made: FxHashMap<TermId, TermId> = FxHashMap::default();
    for term in order {
        if pool.sort(term) == Sort::Int {
            let interval = step(pool, term, scope, &known);
            known.insert(term, interval);
        }
        let (op, children) = (pool.op(term), pool.children(term).to_vec());
        let new: Vec<TermId> = children.iter().map(|child| made[child]).collect();
        let simple = match (op, &children[..]) {
            (Op::Ite, [condition, ..]) => match decided(pool, *condition, &known) {
                Some(true) => Some(new[1]),
                Some(false) => Some(new[2]),
                None => None,
            },
            (Op::IntMod, [of, by]) => pool
                .as_int(*by)
                .filter(|by| {
                    known
                        .get(of)
                        .is_some_and(|it| it.is_within(&BigInt::ZERO, by))
                })
                .map(|_| new[0]),
            _ => None,
        };
        let result = match simple {
            Some(simple) => simple,
            None if new == children => term,
            None => pool.make(op, &new),
        };
        made.insert(term, result);
    }
    let changed = roots.iter().any(|root| made[root] != *root);
    rule.constraint = made[&rule.constraint];
    for application in rule.body.iter_mut().chain(rule.head.as_mut()) {
        for argument in &mut application.arguments {
            *argument = made[argument];
        }
    }
    changed
}

/// Says of each original predicate in which intervals its arguments lie.
fn note_bounds(form: &mut Simplified, table: &Table) {
    for (original, image) in &form.images {
        let Image::Kept {
            predicate,
            positions,
            ..
        } = image
        else {
            continue;
        };
        let known = table.get(predicate).map_or(&[][..], Vec::as_slice);
        let mut own = vec![];
        for (position, Interval { low, high }) in positions.iter().zip(known) {
            let low = low.as_ref().map(|low| form.pool.int(low.clone()));
            let high = high.as_ref().map(|high| form.pool.int(high.clone()));
            own.push((*position, low, high));
        }
        form.bounds.insert(*original, own);
    }
}
