//! Constants as parameters.
//!
//! A loop that goes round 100,000 times keeps Spacer busy with each single round, while the same loop with any bound `n` is
//! solved at once: its lemmas cannot count. So every large constant of a system becomes a further argument of all
//! predicates, handed on unchanged by every rule, and constants near or multiple of it are written with it. A solution of
//! that system is one for any `n`; with the constants put in it is a solution of the original, and is checked as such. A
//! refutation says nothing: it may be one for another `n`.
//!
//! Of a parameter only what is true of its constant is assumed: that it is positive, fits into 32 bits, and its order among
//! the parameters. Narrower bounds invite lemmas that count again.

use super::simplify::{Simplified, View, declare};
use super::{Application, Rule};
use foghorn_term::{FunctionId, Op, Sort, TermId, TermPool};
use num_bigint::BigInt;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Constants below this are left as they are: Spacer counts so far.
const LEAST: i64 = 16;

/// Most parameters.
const MOST: usize = 4;

/// Constants that differ by no more than this from a multiple of a parameter are written with it.
const NEAR: i64 = 8;

/// Factors that sizes of elements have.
const FACTORS: [i64; 6] = [1, 2, 4, 8, 12, 16];

/// The widths of machine integers, whose limits are no constants of the program.
const WIDTHS: [u32; 8] = [7, 8, 15, 16, 31, 32, 63, 64];

/// A constant that became an argument.
struct Parameter {
    constant: BigInt,
    symbol: TermId,
}

/// The system with its large constants as parameters; `None` if it has none.
pub(crate) fn generalise(mut form: Simplified) -> Option<Simplified> {
    let constants = constants(&form);
    let parameters = choose(&mut form.pool, &constants);
    if parameters.is_empty() {
        return None;
    }
    let written: FxHashMap<TermId, TermId> = constants
        .iter()
        .filter_map(|constant| {
            let term = write(&mut form.pool, &parameters, constant)?;
            Some((form.pool.int(constant.clone()), term))
        })
        .collect();
    let true_of = assumptions(&mut form.pool, &parameters);
    let symbols: Vec<TermId> = parameters.iter().map(|it| it.symbol).collect();
    let values: Vec<TermId> = parameters
        .iter()
        .map(|it| form.pool.int(it.constant.clone()))
        .collect();
    let widened = widen(&mut form, &values);
    let Simplified { pool, system, .. } = &mut form;
    for rule in &mut system.rules {
        replace(pool, rule, &written);
        rule.constraint = pool.and(&[rule.constraint, true_of]);
        rule.variables.extend(&symbols);
        for application in rule.body.iter_mut().chain(rule.head.as_mut()) {
            application.arguments.extend(&symbols);
            application.predicate = widened[&application.predicate];
        }
    }
    form.is_weaker = true;
    Some(form)
}

fn applications(rule: &Rule) -> impl Iterator<Item = &Application> {
    rule.body.iter().chain(rule.head.as_ref())
}

/// Whether the operands of an operator stay what they are: a factor that became a variable would make terms non-linear.
fn keeps_literals(op: Op) -> bool {
    matches!(op, Op::IntMul | Op::IntDiv | Op::IntMod)
}

/// The constants that may become parameters, in ascending order of their absolute values.
fn constants(form: &Simplified) -> Vec<BigInt> {
    let pool = &form.pool;
    let mut found: BTreeSet<(BigInt, BigInt)> = BTreeSet::new();
    for rule in &form.system.rules {
        let mut roots = vec![rule.constraint];
        roots.extend(applications(rule).flat_map(|it| it.arguments.iter().copied()));
        let mut note = |term: TermId| {
            if let Some(constant) = pool.as_int(term)
                && is_general(constant)
            {
                found.insert((constant.magnitude().clone().into(), constant.clone()));
            }
        };
        for term in pool.post_order(&roots) {
            if !keeps_literals(pool.op(term)) {
                pool.children(term).iter().copied().for_each(&mut note);
            }
        }
        roots.into_iter().for_each(&mut note);
    }
    found.into_iter().map(|(_, constant)| constant).collect()
}

/// Whether a constant is large, and not a limit of machine integers.
fn is_general(constant: &BigInt) -> bool {
    let size = BigInt::from(constant.magnitude().clone());
    let is_limit = |width: u32| {
        let limit = BigInt::from(1) << width;
        size == limit || size == &limit - 1 || size == &limit + 1
    };
    size >= BigInt::from(LEAST)
        && size < (BigInt::from(1) << 62u32)
        && !WIDTHS.into_iter().any(is_limit)
}

/// The constants that no other one near them stands for.
fn choose(pool: &mut TermPool, constants: &[BigInt]) -> Vec<Parameter> {
    let mut parameters: Vec<Parameter> = vec![];
    for constant in constants {
        let is_written = parameters
            .iter()
            .any(|parameter| distance(parameter, constant).is_some());
        if is_written || parameters.len() == MOST {
            continue;
        }
        parameters.push(Parameter {
            constant: constant.magnitude().clone().into(),
            symbol: pool.fresh_symbol("constant", Sort::Int),
        });
    }
    parameters
}

/// A constant as `factor · parameter + rest`.
fn distance(parameter: &Parameter, constant: &BigInt) -> Option<(BigInt, BigInt)> {
    let signs = [1, -1];
    let factors = FACTORS
        .into_iter()
        .flat_map(|factor| signs.map(|sign| BigInt::from(factor * sign)));
    factors
        .map(|factor| {
            let rest = constant - &factor * &parameter.constant;
            (factor, rest)
        })
        .find(|(_, rest)| *rest.magnitude() <= BigInt::from(NEAR).magnitude().clone())
}

fn write(pool: &mut TermPool, parameters: &[Parameter], constant: &BigInt) -> Option<TermId> {
    let found = parameters
        .iter()
        .find_map(|it| Some((it.symbol, distance(it, constant)?)));
    let (symbol, (factor, rest)) = found?;
    let factor = pool.int(factor);
    let product = pool.int_mul(factor, symbol);
    let rest = pool.int(rest);
    Some(pool.int_sum(&[product, rest]))
}

/// What is true of the constants.
fn assumptions(pool: &mut TermPool, parameters: &[Parameter]) -> TermId {
    let mut all = vec![];
    let mut previous = pool.int(0);
    for parameter in parameters {
        all.push(pool.int_lt(previous, parameter.symbol));
        previous = parameter.symbol;
        let limit = (BigInt::from(1) << 31u32) - 1;
        if parameter.constant < limit {
            let limit = pool.int(limit);
            all.push(pool.int_lt(parameter.symbol, limit));
        }
    }
    pool.and(&all)
}

/// Declares every predicate with further arguments, which have these values.
fn widen(form: &mut Simplified, values: &[TermId]) -> FxHashMap<FunctionId, FunctionId> {
    let integer = form.pool.sort_intern(Sort::Int);
    let mut widened = FxHashMap::default();
    for predicate in &mut form.system.predicates {
        let data = form.pool.function_data(*predicate).clone();
        let mut sorts = data.arguments.to_vec();
        let before = form.views.remove(predicate);
        let mut views = before.unwrap_or_else(|| (0..sorts.len()).map(View::Same).collect());
        sorts.extend(std::iter::repeat_n(integer, values.len()));
        views.extend(values.iter().map(|value| View::Literal(*value)));
        let made = declare(&mut form.pool, &data.name, &sorts);
        form.views.insert(made, views);
        widened.insert(*predicate, made);
        *predicate = made;
    }
    form.rename(&widened);
    widened
}

/// Puts parameters in the places of constants.
fn replace(pool: &mut TermPool, rule: &mut Rule, written: &FxHashMap<TermId, TermId>) {
    let mut roots = vec![rule.constraint];
    roots.extend(applications(rule).flat_map(|it| it.arguments.iter().copied()));
    let order: Vec<TermId> = pool.post_order(&roots).collect();
    let mut made: FxHashMap<TermId, TermId> = FxHashMap::default();
    for term in order {
        let op = pool.op(term);
        let children: Vec<TermId> = pool.children(term).to_vec();
        let new: Vec<TermId> = children
            .iter()
            .map(|child| match (keeps_literals(op), written.get(child)) {
                (false, Some(parameter)) => *parameter,
                _ => made[child],
            })
            .collect();
        let same = new == children;
        made.insert(term, if same { term } else { pool.make(op, &new) });
    }
    let of = |term: TermId| written.get(&term).copied().unwrap_or(made[&term]);
    rule.constraint = of(rule.constraint);
    for application in rule.body.iter_mut().chain(rule.head.as_mut()) {
        for argument in &mut application.arguments {
            *argument = of(*argument);
        }
    }
}
