//! Arguments that are compared with multiples as a quotient and a remainder.
//!
//! The offset of an array's element is a multiple of its size, and `k = 4 · i` is hard to generalise from: lemmas need
//! divisions. So an argument that is compared with multiples of a number becomes two, its quotient and its remainder, and
//! the comparison becomes `quotient = i` and `remainder = 0`. Arguments that rules hand on to each other, or compare with
//! each other, are divided alike. Both answers stay what they are.

use super::simplify::{Simplified, View};
use super::{Application, Rule};
use foghorn_term::{FunctionId, Op, Sort, Substitution, TermId, TermPool};
use num_bigint::BigInt;
use num_integer::Integer;
use rustc_hash::FxHashMap;

/// An argument of a predicate.
type Position = (FunctionId, usize);

/// The positions that are divided, and by what.
type Divisors = FxHashMap<Position, BigInt>;

/// A variable of a rule as its quotient and remainder.
#[derive(Clone)]
struct Parts {
    divisor: BigInt,
    quotient: TermId,
    remainder: TermId,
}

/// The system with its divided arguments; whether there are any.
pub(crate) fn divide(form: &mut Simplified) -> bool {
    let divisors = find(form);
    if divisors.is_empty() {
        return false;
    }
    let renamed = redeclare(form, &divisors);
    let Simplified { pool, system, .. } = form;
    for rule in &mut system.rules {
        rewrite(pool, rule, &divisors);
        for application in rule.body.iter_mut().chain(rule.head.as_mut()) {
            application.predicate = renamed[&application.predicate];
        }
    }
    true
}

/// Classes of positions that belong together.
#[derive(Default)]
struct Classes {
    numbers: FxHashMap<Position, usize>,
    parents: Vec<usize>,
    /// The greatest common divisor of what members are compared with; 0 if that is nothing.
    divisors: Vec<BigInt>,
}

impl Classes {
    fn of(&mut self, position: Position) -> usize {
        let next = self.parents.len();
        let number = *self.numbers.entry(position).or_insert(next);
        if number == next {
            self.parents.push(next);
            self.divisors.push(BigInt::ZERO);
        }
        self.root(number)
    }

    fn root(&self, mut number: usize) -> usize {
        while self.parents[number] != number {
            number = self.parents[number];
        }
        number
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        if a != b {
            let (low, high) = (a.min(b), a.max(b));
            self.parents[high] = low;
            self.divisors[low] = self.divisors[low].gcd(&self.divisors[high]);
        }
    }

    fn note(&mut self, class: usize, divisor: &BigInt) {
        let root = self.root(class);
        self.divisors[root] = self.divisors[root].gcd(divisor);
    }
}

/// Finds what is to be divided.
fn find(form: &Simplified) -> Divisors {
    let pool = &form.pool;
    let mut classes = Classes::default();
    for rule in &form.system.rules {
        let mut of: FxHashMap<TermId, usize> = FxHashMap::default();
        for application in applications(rule) {
            for (place, argument) in application.arguments.iter().enumerate() {
                if pool.sort(*argument) != Sort::Int {
                    continue;
                }
                let class = classes.of((application.predicate, place));
                match pool.op(*argument) {
                    Op::Symbol(_) => match of.get(argument) {
                        Some(other) => classes.join(*other, class),
                        None => {
                            of.insert(*argument, class);
                        }
                    },
                    _ => {
                        if let Some(divisor) = divisor(pool, *argument) {
                            classes.note(class, &divisor);
                        }
                    }
                }
            }
        }
        for term in pool.post_order(&[rule.constraint]) {
            let (Op::Equal, [left, right]) = (pool.op(term), pool.children(term)) else {
                continue;
            };
            match (of.get(left).copied(), of.get(right).copied()) {
                (Some(a), Some(b)) => classes.join(a, b),
                (Some(class), None) | (None, Some(class)) => {
                    let other = if of.contains_key(left) { right } else { left };
                    if let Some(divisor) = divisor(pool, *other) {
                        classes.note(class, &divisor);
                    }
                }
                (None, None) => {}
            }
        }
    }
    let numbers = classes.numbers.iter();
    let divided = numbers.filter_map(|(position, number)| {
        let divisor = &classes.divisors[classes.root(*number)];
        (*divisor > BigInt::from(1)).then(|| (*position, divisor.clone()))
    });
    divided.collect()
}

fn applications(rule: &Rule) -> impl Iterator<Item = &Application> {
    rule.body.iter().chain(rule.head.as_ref())
}

/// What all terms of a sum that is no literal are multiples of, if that is more than 1.
fn divisor(pool: &TermPool, term: TermId) -> Option<BigInt> {
    let found = coefficient(pool, term)?;
    (found > BigInt::from(1) && pool.as_int(term).is_none()).then_some(found)
}

fn coefficient(pool: &TermPool, term: TermId) -> Option<BigInt> {
    if let Some(literal) = pool.as_int(term) {
        return Some(literal.magnitude().clone().into());
    }
    let children = pool.children(term);
    match (pool.op(term), children) {
        (Op::IntMul, [left, right]) => {
            let literal = pool.as_int(*left).or_else(|| pool.as_int(*right))?;
            Some(literal.magnitude().clone().into())
        }
        (Op::IntAdd, _) => {
            let all = children.iter().map(|child| coefficient(pool, *child));
            let all: Option<Vec<BigInt>> = all.collect();
            Some(all?.iter().fold(BigInt::ZERO, |all, it| all.gcd(it)))
        }
        (Op::IntNeg, [of]) => coefficient(pool, *of),
        _ => None,
    }
}

/// The quotient of a term whose parts are all multiples.
fn quotient(pool: &mut TermPool, term: TermId, by: &BigInt) -> Option<TermId> {
    if let Some(literal) = pool.as_int(term).cloned() {
        return literal.is_multiple_of(by).then(|| pool.int(literal / by));
    }
    let children = pool.children(term).to_vec();
    match (pool.op(term), &children[..]) {
        (Op::IntMul, [left, right]) => {
            let (literal, other) = match (pool.as_int(*left), pool.as_int(*right)) {
                (Some(literal), _) => (literal.clone(), *right),
                (None, Some(literal)) => (literal.clone(), *left),
                (None, None) => return None,
            };
            if !literal.is_multiple_of(by) {
                return None;
            }
            let factor = pool.int(literal / by);
            Some(pool.int_mul(factor, other))
        }
        (Op::IntAdd, parts) => {
            let parts: Option<Vec<TermId>> =
                parts.iter().map(|part| quotient(pool, *part, by)).collect();
            Some(pool.int_sum(&parts?))
        }
        (Op::IntNeg, [of]) => {
            let of = quotient(pool, *of, by)?;
            Some(pool.int_neg(of))
        }
        _ => None,
    }
}

/// Declares the predicates with their new arguments, and says what these are of the old ones.
fn redeclare(form: &mut Simplified, divisors: &Divisors) -> FxHashMap<FunctionId, FunctionId> {
    let mut renamed = FxHashMap::default();
    for predicate in &mut form.system.predicates {
        let data = form.pool.function_data(*predicate).clone();
        let (mut sorts, mut views) = (vec![], vec![]);
        for (place, sort) in data.arguments.iter().enumerate() {
            sorts.push(*sort);
            match divisors.get(&(*predicate, place)) {
                None => views.push(View::Same(place)),
                Some(by) => {
                    sorts.push(*sort);
                    let by = form.pool.int(by.clone());
                    views.extend([View::Quotient(place, by), View::Remainder(place, by)]);
                }
            }
        }
        let made = super::simplify::declare(&mut form.pool, &data.name, &sorts);
        form.views.insert(made, views);
        renamed.insert(*predicate, made);
        *predicate = made;
    }
    form.rename(&renamed);
    renamed
}

fn rewrite(pool: &mut TermPool, rule: &mut Rule, divisors: &Divisors) {
    let mut parts: FxHashMap<TermId, Parts> = FxHashMap::default();
    let mut further = vec![];
    for application in applications(rule) {
        for (place, argument) in application.arguments.iter().enumerate() {
            let divisor = divisors.get(&(application.predicate, place));
            if let (Some(divisor), Op::Symbol(_)) = (divisor, pool.op(*argument))
                && !parts.contains_key(argument)
            {
                let made = fresh(pool, divisor, &mut further);
                parts.insert(*argument, made);
            }
        }
    }
    let mut made = parts.values().flat_map(|it| [it.quotient, it.remainder]);
    let mut variables: Vec<TermId> = made.by_ref().collect();
    let constraint = compare_by_parts(pool, rule.constraint, &parts);
    let mut whole = Substitution::new();
    for (variable, of) in &parts {
        let sum = joined(pool, of);
        whole.insert(pool, *variable, sum);
    }
    let mut all = vec![pool.substitute(constraint, &whole)];
    for application in rule.body.iter_mut().chain(rule.head.as_mut()) {
        let mut arguments = vec![];
        for (place, argument) in application.arguments.iter().enumerate() {
            let Some(divisor) = divisors.get(&(application.predicate, place)) else {
                arguments.push(pool.substitute(*argument, &whole));
                continue;
            };
            let (quotient, remainder) = match decompose(pool, *argument, divisor, &parts) {
                Some(found) => found,
                None => {
                    let made = fresh(pool, divisor, &mut further);
                    variables.extend([made.quotient, made.remainder]);
                    let sum = joined(pool, &made);
                    let own = pool.substitute(*argument, &whole);
                    all.push(pool.equal(sum, own));
                    (made.quotient, made.remainder)
                }
            };
            let quotient = pool.substitute(quotient, &whole);
            arguments.extend([quotient, remainder]);
        }
        application.arguments = arguments;
    }
    all.extend(further);
    rule.constraint = pool.and(&all);
    rule.variables.retain(|it| !parts.contains_key(it));
    variables.sort_unstable();
    rule.variables.extend(variables);
}

/// A quotient and a remainder of which nothing else is known.
fn fresh(pool: &mut TermPool, divisor: &BigInt, true_of: &mut Vec<TermId>) -> Parts {
    let quotient = pool.fresh_symbol("quotient", Sort::Int);
    let remainder = pool.fresh_symbol("remainder", Sort::Int);
    let (zero, limit) = (pool.int(0), pool.int(divisor.clone()));
    true_of.push(pool.int_le(zero, remainder));
    true_of.push(pool.int_lt(remainder, limit));
    Parts {
        divisor: divisor.clone(),
        quotient,
        remainder,
    }
}

fn joined(pool: &mut TermPool, parts: &Parts) -> TermId {
    let divisor = pool.int(parts.divisor.clone());
    let product = pool.int_mul(divisor, parts.quotient);
    pool.int_sum(&[product, parts.remainder])
}

/// A term as quotient and remainder.
fn decompose(
    pool: &mut TermPool,
    term: TermId,
    by: &BigInt,
    parts: &FxHashMap<TermId, Parts>,
) -> Option<(TermId, TermId)> {
    if let Some(of) = parts.get(&term).filter(|of| of.divisor == *by) {
        return Some((of.quotient, of.remainder));
    }
    if let Some(literal) = pool.as_int(term).cloned() {
        let (quotient, remainder) = literal.div_mod_floor(by);
        return Some((pool.int(quotient), pool.int(remainder)));
    }
    if let Some(quotient) = quotient(pool, term, by) {
        return Some((quotient, pool.int(0)));
    }
    let Op::IntAdd = pool.op(term) else {
        return None;
    };
    let children = pool.children(term).to_vec();
    let is_divided = |it: &&TermId| parts.get(it).is_some_and(|of| of.divisor == *by);
    let own: Vec<&TermId> = children.iter().filter(is_divided).collect();
    let [own] = own[..] else { return None };
    let Parts {
        quotient: first,
        remainder,
        ..
    } = parts[own].clone();
    let mut sum = vec![first];
    for child in children.iter().filter(|it| *it != own) {
        sum.push(quotient(pool, *child, by)?);
    }
    Some((pool.int_sum(&sum), remainder))
}

/// Equalities of divided variables, part by part.
fn compare_by_parts(
    pool: &mut TermPool,
    constraint: TermId,
    parts: &FxHashMap<TermId, Parts>,
) -> TermId {
    let order: Vec<TermId> = pool.post_order(&[constraint]).collect();
    let mut made: FxHashMap<TermId, TermId> = FxHashMap::default();
    for term in order {
        let (op, children) = (pool.op(term), pool.children(term).to_vec());
        let compared = match (op, &children[..]) {
            (Op::Equal, [left, right]) => equal_parts(pool, *left, *right, parts),
            _ => None,
        };
        let new: Vec<TermId> = children.iter().map(|child| made[child]).collect();
        let result = match compared {
            Some(compared) => compared,
            None if new == children => term,
            None => pool.make(op, &new),
        };
        made.insert(term, result);
    }
    made[&constraint]
}

fn equal_parts(
    pool: &mut TermPool,
    left: TermId,
    right: TermId,
    parts: &FxHashMap<TermId, Parts>,
) -> Option<TermId> {
    let known = parts.get(&left).or_else(|| parts.get(&right))?;
    let by = known.divisor.clone();
    let (a, b) = (
        decompose(pool, left, &by, parts)?,
        decompose(pool, right, &by, parts)?,
    );
    let (quotients, remainders) = (pool.equal(a.0, b.0), pool.equal(a.1, b.1));
    Some(pool.and(&[quotients, remainders]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chc;
    use crate::horn::simplify::simplify;

    const FILL: &str = "(set-logic HORN)
        (declare-fun fill (Int Int Int Int) Bool)
        (assert (forall ((a Int) (k Int) (n Int)) (fill 0 a k n)))
        (assert (forall ((i Int) (a Int) (k Int) (n Int)) (=> (and (fill i a k n) (< i n) (= k (* 4 i))) (fill (+ i 1) 43 k n))))
        (assert (forall ((i Int) (a Int) (k Int) (n Int)) (=> (and (fill i a k n) (< i n) (not (= k (* 4 i)))) (fill (+ i 1) a k n))))
        (assert (forall ((i Int) (a Int) (k Int) (n Int)) (=> (and (fill i a k n) (<= n i) (<= 0 k) (< k (* 4 n)) (not (= a 43))) false)))";

    #[test]
    fn offsets_of_elements_become_indices() {
        let file = chc::read(FILL).expect("it is a system");
        let mut form = simplify(&file.pool, &file.system);
        assert!(divide(&mut form));
        let text = chc::print(&form.pool, &form.system).expect("it can be written");
        assert!(!text.contains("(* i"), "{text}");
        assert!(text.contains("(= remainder"), "{text}");
    }
}
