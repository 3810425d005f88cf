//! One rule against the evaluator.

use foghorn_term::eval::{EvalError, Evaluator, Model, Value};
use foghorn_term::generate::{Random, random_value};
use foghorn_term::rules::{Context, Facts, Rule, instantiate};
use foghorn_term::text::print_term;
use foghorn_term::{BitVecValue, Sort, SymbolId, TermId, TermPool};
use std::fmt;

/// Inputs up to this many are all tried.
const EXHAUSTIVE: u64 = 4096;

pub enum Failure {
    Differs {
        redex: String,
        result: String,
        width: u32,
    },
    Template(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Differs {
                redex,
                result,
                width,
            } => write!(f, "at width {width} {redex} became {result}"),
            Failure::Template(error) => write!(f, "a template does not parse: {error}"),
        }
    }
}

/// The outcome of the rule on a term, if it fires and changes something.
pub fn fire(rule: &Rule, pool: &mut TermPool, redex: TermId) -> Option<TermId> {
    if !rule.roots.contains(&pool.op(redex).kind()) {
        return None;
    }
    let mut facts = Facts::default();
    let step = (rule.apply)(
        &mut Context {
            pool,
            facts: &mut facts,
        },
        redex,
    )?;
    (step.term != redex).then_some(step.term)
}

pub fn check_rule(rule: &Rule, small: &[u32], large: &[u32]) -> Result<(), Failure> {
    for (&width, rounds) in small
        .iter()
        .map(|w| (w, 3))
        .chain(large.iter().map(|w| (w, 8)))
    {
        let mut random = Random::new(u64::from(width));
        for _ in 0..rounds {
            let mut pool = TermPool::new();
            let redexes = instantiate(rule, &mut pool, width, &mut random)
                .map_err(|error| Failure::Template(error.to_string()))?;
            for redex in redexes {
                check_redex(rule, &mut pool, redex, width, &mut random)?;
            }
        }
    }
    Ok(())
}

fn check_redex(
    rule: &Rule,
    pool: &mut TermPool,
    redex: TermId,
    width: u32,
    random: &mut Random,
) -> Result<(), Failure> {
    let Some(result) = fire(rule, pool, redex) else {
        return Ok(());
    };
    let assuming = rule.assuming.map(|assuming| assuming(pool, redex));
    let (left, right) = observable(pool, redex, result);
    let symbols = pool.free_symbols(&[left, right]);
    let count = symbols.iter().fold(1u64, |count, &symbol| {
        count.saturating_mul(inputs(pool, symbol))
    });
    let trials = if count <= EXHAUSTIVE { count } else { 40 };
    for trial in 0..trials {
        let mut model = Model::new();
        for &symbol in &symbols {
            model.set(
                symbol,
                random_value(pool, random, pool.symbol_data(symbol).sort),
            );
        }
        if count <= EXHAUSTIVE {
            enumerate(pool, &mut model, &symbols, trial);
        }
        let mut evaluator = Evaluator::new(pool, &model);
        if let Some(assuming) = assuming
            && evaluator.evaluate(assuming) == Ok(Value::Bool(false))
        {
            continue;
        }
        match (evaluator.evaluate(left), evaluator.evaluate(right)) {
            (Ok(before), Ok(after)) if before == after => {}
            (Err(EvalError::FunctionEquality), _) => {}
            _ => {
                let (redex, result) = (print_term(pool, redex), print_term(pool, result));
                return Err(Failure::Differs {
                    redex,
                    result,
                    width,
                });
            }
        }
    }
    Ok(())
}

/// Arrays are compared by what is read from them anywhere.
fn observable(pool: &mut TermPool, a: TermId, b: TermId) -> (TermId, TermId) {
    let Sort::Array { index, .. } = pool.sort(a) else {
        return (a, b);
    };
    let at = pool.fresh_symbol("at", pool.sort_of(index));
    let read = |pool: &mut TermPool, array| pool.intern(foghorn_term::Op::Select, &[array, at]);
    (read(pool, a), read(pool, b))
}

/// Number of values of a symbol that are enumerated; random functions count as few.
fn inputs(pool: &TermPool, symbol: SymbolId) -> u64 {
    match pool.sort_of(pool.symbol_data(symbol).sort) {
        Sort::Bool => 2,
        Sort::BitVec(width) if width <= 12 => 1 << width,
        Sort::BitVec(_) => u64::MAX,
        Sort::Int => 7,
        _ => 4,
    }
}

/// Sets the scalars to the `number`-th combination of their values.
fn enumerate(pool: &TermPool, model: &mut Model, symbols: &[SymbolId], mut number: u64) {
    for &symbol in symbols {
        let count = inputs(pool, symbol);
        let digit = number % count;
        number /= count;
        let value = match pool.sort_of(pool.symbol_data(symbol).sort) {
            Sort::Bool => Value::Bool(digit == 1),
            Sort::BitVec(width) => Value::BitVec(BitVecValue::from_u64(width, digit)),
            Sort::Int => Value::Int((digit as i64 - 3).into()),
            _ => continue,
        };
        model.set(symbol, value);
    }
}
