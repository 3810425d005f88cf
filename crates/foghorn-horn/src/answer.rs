//! Derivations of `false` as runs.
//!
//! The steps of a derivation that continue each other are a path through the program from its start to
//! the check. What the path took from outside has values in the derivation; the interpreter is given
//! them and runs. Only a run that fails at the check is a failure: premises about different objects need
//! not stem from one execution.

use crate::clauses::{Clauses, Meaning};
use crate::path::Event;
use foghorn_ir::interpret::ProgramPoint;
use foghorn_query::replay::Script;
use foghorn_smt::horn::{Derivation, Step, StepId};
use foghorn_term::eval::{Evaluator, Model, Value};
use foghorn_term::{BitVecValue, Sort, TermId};
use num_bigint::BigInt;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// What the last step of a derivation derived `false` from.
pub fn meaning<'c>(clauses: &'c Clauses, derivation: &Derivation) -> Option<&'c Meaning> {
    let mut found = None;
    visit(clauses, derivation, &mut |step, event| {
        let meaning = &clauses.rules[step.rule].meaning;
        let ends = match meaning {
            Meaning::Failure(_) | Meaning::Obligation(..) => true,
            Meaning::Step | Meaning::Propagation => false,
        };
        if ends && event.is_none() {
            found = Some(meaning);
        }
    });
    found
}

/// What a run is given that follows a derivation. `original` names instructions as the program does that is run; `None` is
/// a choice that it does not make.
pub fn script(
    clauses: &Clauses,
    derivation: &Derivation,
    original: &dyn Fn(ProgramPoint) -> Option<ProgramPoint>,
) -> Script {
    let mut inputs: FxHashMap<Option<ProgramPoint>, VecDeque<u128>> = FxHashMap::default();
    let mut reads: FxHashMap<ProgramPoint, Vec<u128>> = FxHashMap::default();
    visit(clauses, derivation, &mut |step, event| {
        let value = |term: TermId, width: u32| {
            let model = model(clauses, step);
            let mut evaluator = Evaluator::new(&clauses.pool, &model);
            bits(evaluator.evaluate(term).ok(), width)
        };
        match event {
            Some(Event::Input { point, term, width }) => {
                let place = point.map(original);
                if place != Some(None) {
                    let bits = value(*term, *width);
                    inputs.entry(place.flatten()).or_default().push_back(bits);
                }
            }
            Some(Event::Read { point, term, width }) => {
                if let Some(place) = original(*point) {
                    let bits = value(*term, *width);
                    reads.entry(place).or_default().push(bits);
                }
            }
            Some(Event::Called { .. }) | None => {}
        }
    });
    Script::given(inputs, reads)
}

/// Goes along the execution: what each step asks for in its order, calls where they happen, and each step
/// once more at its end, with nothing.
fn visit<'d>(
    clauses: &Clauses,
    derivation: &'d Derivation,
    see: &mut dyn FnMut(&'d Step, Option<&Event>),
) {
    // What is left to do: a step from one of its events on.
    let mut work: Vec<(StepId, usize)> = vec![];
    if let Some(last) = derivation.steps.keys().next_back() {
        push_path(clauses, derivation, last, &mut work);
    }
    while let Some((id, number)) = work.pop() {
        let step = &derivation.steps[id];
        let Some(event) = clauses.rules[step.rule].events.get(number) else {
            see(step, None);
            continue;
        };
        see(step, Some(event));
        work.push((id, number + 1));
        if let Event::Called { premise } = event
            && let Some(callee) = step.premises.get(*premise)
        {
            push_path(clauses, derivation, *callee, &mut work);
        }
    }
}

/// The steps of one procedure that lead to a step, the first on top.
fn push_path(
    clauses: &Clauses,
    derivation: &Derivation,
    last: StepId,
    work: &mut Vec<(StepId, usize)>,
) {
    let mut at = Some(last);
    while let Some(id) = at {
        work.push((id, 0));
        let step = &derivation.steps[id];
        let continues = clauses.rules[step.rule].continues;
        at = step.premises.first().copied().filter(|_| continues);
    }
}

/// The values of a rule's variables.
fn model(clauses: &Clauses, step: &Step) -> Model {
    let mut model = Model::new();
    let variables = &clauses.system.rules[step.rule].variables;
    for (variable, text) in variables.iter().zip(&step.values) {
        if let Some(value) = read(clauses.pool.sort(*variable), text) {
            model.set_term(&clauses.pool, *variable, value);
        }
    }
    model
}

/// A literal of SMT-LIB; `None` for what is none, such as an array.
fn read(sort: Sort, text: &str) -> Option<Value> {
    match sort {
        Sort::Bool => text.parse().ok().map(Value::Bool),
        Sort::Int => {
            let inner = text.strip_prefix('(').and_then(|it| it.strip_suffix(')'));
            let number = match inner.map(str::trim).and_then(|it| it.strip_prefix('-')) {
                Some(digits) => -digits.trim().parse::<BigInt>().ok()?,
                None => text.parse().ok()?,
            };
            Some(Value::Int(number))
        }
        Sort::BitVec(width) => {
            let bits = match (text.strip_prefix("#x"), text.strip_prefix("#b")) {
                (Some(digits), _) => u128::from_str_radix(digits, 16).ok()?,
                (None, Some(digits)) => u128::from_str_radix(digits, 2).ok()?,
                (None, None) => return None,
            };
            Some(Value::BitVec(BitVecValue::from_u128(width, bits)))
        }
        _ => None,
    }
}

/// The low bits of a value.
fn bits(value: Option<Value>, width: u32) -> u128 {
    match value {
        Some(Value::Bool(truth)) => u128::from(truth),
        Some(Value::BitVec(bits)) => bits.to_u128().unwrap_or(0),
        Some(Value::Int(number)) => {
            let modulus = BigInt::from(1) << width;
            let natural = ((number % &modulus) + &modulus) % &modulus;
            u128::try_from(natural).unwrap_or(0)
        }
        _ => 0,
    }
}
