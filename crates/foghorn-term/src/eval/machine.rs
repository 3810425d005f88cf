//! The machine: a stack of contexts, each with a stack of terms.
//!
//! A context is the body of a λ at one index (or the term asked for). Values of closed terms are kept for good, values of
//! open ones for the length of their context, and the value of a λ at an index for good as well, so that a shared graph
//! is evaluated as a graph. `ite` evaluates only the branch it takes.
//!
//! Choices where SMT-LIB is silent: a float out of range becomes the bit-vector zero; the minimum and the maximum of two
//! zeros of different sign is the second.

use super::array::{ArrayValue, Closure, Piece, add};
use super::model::Model;
use super::ranges::{apply_function_like, finite_map};
use super::scalar::apply_scalar;
use super::value::Value;
use crate::op::{BoundId, Op};
use crate::pool::{TermId, TermPool};
use crate::value::BitVecValue;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::sync::Arc;
use thiserror::Error;

/// Why a term has no value.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum EvalError {
    #[error("the term is open: it mentions a bound variable outside of its λ")]
    OpenTerm,
    #[error("equality of functions that are given by a λ is not decided")]
    FunctionEquality,
}

type Call = (Arc<Closure>, Value);

#[derive(Default)]
struct Context {
    environment: Vec<(BoundId, Value)>,
    values: FxHashMap<TermId, Value>,
    stack: Vec<TermId>,
    /// The call that this context computes; none for the outermost.
    call: Option<Call>,
    /// The term to evaluate.
    root: Option<TermId>,
}

/// Evaluates many terms under one model, sharing the work.
pub struct Evaluator<'a> {
    pool: &'a TermPool,
    model: &'a Model,
    values: FxHashMap<TermId, Value>,
    calls: FxHashMap<Call, Value>,
    contexts: Vec<Context>,
    answer: Option<Value>,
}

enum Outcome {
    Value(Value),
    /// These terms first.
    Need(SmallVec<[TermId; 4]>),
    /// This λ at this index first.
    Call(Call),
}

/// The value of a closed term under a model.
pub fn evaluate(pool: &TermPool, model: &Model, term: TermId) -> Result<Value, EvalError> {
    Evaluator::new(pool, model).evaluate(term)
}

impl<'a> Evaluator<'a> {
    /// An evaluator that has seen nothing yet.
    pub fn new(pool: &'a TermPool, model: &'a Model) -> Self {
        let (values, calls) = (FxHashMap::default(), FxHashMap::default());
        Evaluator {
            pool,
            model,
            values,
            calls,
            contexts: Vec::new(),
            answer: None,
        }
    }

    /// The value of a closed term.
    pub fn evaluate(&mut self, term: TermId) -> Result<Value, EvalError> {
        self.contexts.clear();
        let (stack, root) = (vec![term], Some(term));
        self.contexts.push(Context {
            stack,
            root,
            ..Context::default()
        });
        while let Some(context) = self.contexts.last_mut() {
            match context.stack.last() {
                Some(&next) => self.visit(next)?,
                None => self.leave(),
            }
        }
        Ok(self
            .answer
            .take()
            .expect("invariant: the outermost context answers"))
    }

    fn leave(&mut self) {
        let context = self
            .contexts
            .pop()
            .expect("invariant: a context is finished");
        let root = context
            .root
            .expect("invariant: a context has a term to evaluate");
        let value = context
            .values
            .get(&root)
            .or_else(|| self.values.get(&root))
            .cloned();
        let value = value.expect("invariant: the term was evaluated");
        match context.call {
            Some(call) => _ = self.calls.insert(call, value),
            None => self.answer = Some(value),
        }
    }

    fn top(&mut self) -> &mut Context {
        self.contexts
            .last_mut()
            .expect("invariant: evaluation has a context")
    }

    fn visit(&mut self, term: TermId) -> Result<(), EvalError> {
        if self.value(term).is_some() {
            self.top().stack.pop();
            return Ok(());
        }
        match self.compute(term)? {
            Outcome::Value(value) => self.finish(term, value),
            Outcome::Need(terms) => self.top().stack.extend(terms),
            Outcome::Call(call) => self.enter(call),
        }
        Ok(())
    }

    fn finish(&mut self, term: TermId, value: Value) {
        self.top().stack.pop();
        if self.pool.is_closed(term) {
            self.values.insert(term, value);
        } else {
            self.top().values.insert(term, value);
        }
    }

    fn enter(&mut self, call: Call) {
        let (closure, index) = &call;
        let mut environment = closure.environment.clone();
        environment.retain(|(bound, _)| *bound != closure.bound);
        environment.push((closure.bound, index.clone()));
        let root = closure.body;
        let stack = vec![root];
        let values = FxHashMap::default();
        self.contexts.push(Context {
            environment,
            values,
            stack,
            call: Some(call),
            root: Some(root),
        });
    }

    fn value(&self, term: TermId) -> Option<&Value> {
        if self.pool.is_closed(term) {
            self.values.get(&term)
        } else {
            self.contexts
                .last()
                .and_then(|context| context.values.get(&term))
        }
    }

    fn compute(&self, term: TermId) -> Result<Outcome, EvalError> {
        match self.pool.op(term) {
            Op::Symbol(symbol) => Ok(Outcome::Value(self.model.symbol(self.pool, symbol))),
            Op::Constant(id) => Ok(Outcome::Value(self.pool.constant_data(id).clone().into())),
            Op::Bound(bound) => self.bound(bound).map(Outcome::Value),
            Op::Lambda(bound) => Ok(Outcome::Value(self.closure(term, bound))),
            Op::Ite => Ok(self.ite(term)),
            op => self.strict(op, term),
        }
    }

    fn bound(&self, bound: BoundId) -> Result<Value, EvalError> {
        let context = self
            .contexts
            .last()
            .expect("invariant: evaluation has a context");
        let found = context
            .environment
            .iter()
            .find(|(other, _)| *other == bound);
        found
            .map(|(_, value)| value.clone())
            .ok_or(EvalError::OpenTerm)
    }

    fn closure(&self, term: TermId, bound: BoundId) -> Value {
        let environment = match self.contexts.last() {
            Some(context) if !self.pool.is_closed(term) => context.environment.clone(),
            Some(_) | None => Vec::new(),
        };
        let body = self.pool.child(term, 0);
        Value::Array(ArrayValue::closure(Closure {
            bound,
            body,
            environment,
        }))
    }

    fn ite(&self, term: TermId) -> Outcome {
        let children = self.pool.children(term);
        let need = |term: TermId| Outcome::Need(SmallVec::from_slice(&[term]));
        let Some(condition) = self.value(children[0]) else {
            return need(children[0]);
        };
        let branch = children[if condition.as_bool() { 1 } else { 2 }];
        self.value(branch)
            .map_or_else(|| need(branch), |value| Outcome::Value(value.clone()))
    }

    fn strict(&self, op: Op, term: TermId) -> Result<Outcome, EvalError> {
        let children = self.pool.children(term);
        let mut values: SmallVec<[&Value; 8]> = SmallVec::new();
        for &child in children {
            match self.value(child) {
                Some(value) => values.push(value),
                None => {
                    let missing = children
                        .iter()
                        .copied()
                        .filter(|&c| self.value(c).is_none());
                    return Ok(Outcome::Need(missing.collect()));
                }
            }
        }
        match op {
            Op::Apply(function) => Ok(Outcome::Value(
                self.model.apply(self.pool, function, &values),
            )),
            Op::FiniteMap => {
                let value_sort = self.pool.sort_id(children[1]);
                let default = Model::default_value(self.pool, value_sort);
                Ok(Outcome::Value(finite_map(default, &values)))
            }
            Op::Select => Ok(self.select(values[0].as_array(), values[1])),
            _ => match apply_scalar(op, &values).or_else(|| apply_function_like(op, &values)) {
                Some(value) => Ok(Outcome::Value(value)),
                None => self.unspecified(op, &values).map(Outcome::Value),
            },
        }
    }

    fn select(&self, array: &ArrayValue, index: &Value) -> Outcome {
        match array.piece_at(index) {
            Piece::Constant(value) => Outcome::Value((**value).clone()),
            Piece::Closure(closure, shift) => {
                let index = shift
                    .as_ref()
                    .map_or_else(|| index.clone(), |by| add(index, by));
                let call = (closure.clone(), index);
                match self.calls.get(&call) {
                    Some(value) => Outcome::Value(value.clone()),
                    None => Outcome::Call(call),
                }
            }
        }
    }

    fn unspecified(&self, op: Op, values: &[&Value]) -> Result<Value, EvalError> {
        match op {
            Op::IntDiv => Ok(Value::Int(self.model.divide_by_zero(values[0].as_int()))),
            Op::IntMod => Ok(Value::Int(self.model.modulo_zero(values[0].as_int()))),
            Op::FloatToSigned(_, width) | Op::FloatToUnsigned(_, width) => {
                Ok(Value::BitVec(BitVecValue::zero(width)))
            }
            Op::FloatMin | Op::FloatMax => Ok(values[1].clone()),
            Op::Equal => Err(EvalError::FunctionEquality),
            other => unreachable!("invariant: {other:?} has a value"),
        }
    }
}
