//! Models: values for free constants and functions, with a default for everything that is not mentioned.

use super::array::ArrayValue;
use super::value::Value;
use crate::op::{FunctionId, Op, SymbolId};
use crate::pool::{TermId, TermPool};
use crate::sort::{Sort, SortId};
use crate::value::{BitVecValue, FloatValue};
use num_bigint::BigInt;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// An uninterpreted function: finitely many exceptions to a default.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FunctionValue {
    pub default: Value,
    pub entries: BTreeMap<Vec<Value>, Value>,
}

/// An interpretation. What is not mentioned is zero, `false`, empty.
#[derive(Clone, Default, Debug)]
pub struct Model {
    symbols: FxHashMap<SymbolId, Value>,
    functions: FxHashMap<FunctionId, FunctionValue>,
    divide_by_zero: BTreeMap<BigInt, BigInt>,
    modulo_zero: BTreeMap<BigInt, BigInt>,
}

impl Model {
    /// The model that mentions nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the value of a free constant.
    pub fn set(&mut self, symbol: SymbolId, value: Value) {
        self.symbols.insert(symbol, value);
    }

    /// Sets the value of a term that is a free constant.
    ///
    /// # Panics
    /// When the term is something else.
    pub fn set_term(&mut self, pool: &TermPool, term: TermId, value: Value) {
        let Op::Symbol(symbol) = pool.op(term) else {
            panic!("invariant: a model gives values to free constants");
        };
        self.set(symbol, value);
    }

    /// The value of a free constant, if it is mentioned.
    pub fn get(&self, symbol: SymbolId) -> Option<&Value> {
        self.symbols.get(&symbol)
    }

    /// Sets the value of a function.
    pub fn set_function(&mut self, function: FunctionId, value: FunctionValue) {
        self.functions.insert(function, value);
    }

    /// The value of a function, if it is mentioned.
    pub fn function(&self, function: FunctionId) -> Option<&FunctionValue> {
        self.functions.get(&function)
    }

    /// Sets the quotient and the remainder of `dividend` by zero, which SMT-LIB leaves to the model.
    pub fn set_division_by_zero(&mut self, dividend: BigInt, quotient: BigInt, remainder: BigInt) {
        self.divide_by_zero.insert(dividend.clone(), quotient);
        self.modulo_zero.insert(dividend, remainder);
    }

    /// The quotient by zero: zero unless set.
    pub fn divide_by_zero(&self, dividend: &BigInt) -> BigInt {
        self.divide_by_zero
            .get(dividend)
            .cloned()
            .unwrap_or_default()
    }

    /// The remainder by zero: the dividend unless set.
    pub fn modulo_zero(&self, dividend: &BigInt) -> BigInt {
        self.modulo_zero.get(dividend).unwrap_or(dividend).clone()
    }

    /// The value of an application of an uninterpreted function.
    pub(super) fn apply(
        &self,
        pool: &TermPool,
        function: FunctionId,
        arguments: &[&Value],
    ) -> Value {
        let Some(value) = self.functions.get(&function) else {
            return default_value(pool, pool.function_data(function).sort);
        };
        let key: Vec<Value> = arguments.iter().map(|&argument| argument.clone()).collect();
        value.entries.get(&key).unwrap_or(&value.default).clone()
    }

    pub(super) fn symbol(&self, pool: &TermPool, symbol: SymbolId) -> Value {
        match self.symbols.get(&symbol) {
            Some(value) => value.clone(),
            None => default_value(pool, pool.symbol_data(symbol).sort),
        }
    }

    /// The value that a free constant of this sort has when the model does not mention it.
    pub fn default_value(pool: &TermPool, sort: SortId) -> Value {
        default_value(pool, sort)
    }
}

/// Peels the sort down to its innermost element, then wraps it up again: no recursion over nested sorts.
fn default_value(pool: &TermPool, sort: SortId) -> Value {
    let mut depth = 0usize;
    let mut sort = sort;
    let scalar = loop {
        match pool.sort_of(sort) {
            Sort::Array { element, .. }
            | Sort::Memory { cell: element, .. }
            | Sort::FiniteMap { value: element, .. } => {
                depth += 1;
                sort = element;
            }
            Sort::Bool => break Value::Bool(false),
            Sort::BitVec(width) => break Value::BitVec(BitVecValue::zero(width)),
            Sort::Int => break Value::Int(BigInt::ZERO),
            Sort::Float(format) => break Value::Float(FloatValue::zero(format, false)),
            Sort::Pointer { width } => {
                let (base, offset) = (BitVecValue::zero(width), BitVecValue::zero(width));
                break Value::Pointer { base, offset };
            }
            Sort::Uninterpreted(_) => break Value::Uninterpreted(0),
        }
    };
    (0..depth).fold(scalar, |value, _| Value::Array(ArrayValue::constant(value)))
}
