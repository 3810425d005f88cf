//! Random well-sorted terms and random models, for tests that compare two ways of doing the same.
//!
//! A term grows from its leaves: each step applies a random operator to terms that are already there, so results are
//! graphs with sharing, of any size, without recursion. A seed and a fragment name a term for good.

mod fragment;
mod random;
mod step;

pub use fragment::Fragment;
pub use random::Random;

use crate::eval::{ArrayValue, FunctionValue, Model, Value};
use crate::op::FunctionId;
use crate::pool::{TermId, TermPool};
use crate::sort::{Sort, SortId};
use crate::value::{BitVecValue, FloatValue};

/// Draws random terms of one fragment.
pub struct Generator {
    random: Random,
    fragment: Fragment,
    sorts: Vec<SortId>,
    functions: Vec<FunctionId>,
    /// The free constants that terms start from.
    leaves: Vec<TermId>,
}

impl Generator {
    /// A generator over the pool's symbols `v<sort>_<n>`, which it declares.
    pub fn new(pool: &mut TermPool, fragment: Fragment, seed: u64) -> Self {
        let sorts = fragment.sorts(pool);
        let mut leaves = Vec::new();
        for &sort in &sorts {
            for number in 0..fragment.symbols {
                let name = format!("v{}_{number}", sort.as_u32());
                leaves.push(
                    pool.try_symbol(&name, sort)
                        .expect("invariant: names carry the sort"),
                );
            }
        }
        let mut generator = Generator {
            random: Random::new(seed),
            fragment,
            sorts,
            functions: Vec::new(),
            leaves,
        };
        generator.declare_functions(pool);
        generator
    }

    fn declare_functions(&mut self, pool: &mut TermPool) {
        if !self.fragment.functions {
            return;
        }
        let scalar = |pool: &TermPool, sort: SortId| {
            matches!(
                pool.sort_of(sort),
                Sort::Bool | Sort::BitVec(_) | Sort::Int | Sort::Uninterpreted(_)
            )
        };
        let scalars: Vec<SortId> = self
            .sorts
            .iter()
            .copied()
            .filter(|&sort| scalar(pool, sort))
            .collect();
        for (number, &result) in scalars.iter().enumerate() {
            let arguments = [scalars[(number + 1) % scalars.len()], scalars[0]];
            let name = format!("f{}", result.as_u32());
            let function = pool.function(&name, &arguments[..1 + number % 2], result);
            self.functions
                .push(function.expect("invariant: names carry the sort"));
        }
    }

    /// The generator's random numbers.
    pub fn random(&mut self) -> &mut Random {
        &mut self.random
    }

    /// The free constants that terms are made of.
    pub fn leaves(&self) -> &[TermId] {
        &self.leaves
    }

    /// A Boolean term grown in that many steps.
    pub fn formula(&mut self, pool: &mut TermPool, steps: usize) -> TermId {
        let bool = self.sorts[0];
        self.term(pool, bool, steps)
    }

    /// A term of that sort of the fragment, grown in that many steps.
    pub fn term(&mut self, pool: &mut TermPool, sort: SortId, steps: usize) -> TermId {
        let mut bank = step::Bank::new(pool, &self.leaves);
        for _ in 0..steps {
            let sort = *self.random.pick(&self.sorts);
            let grown = self.grow(pool, &bank, sort);
            bank.add(pool, grown);
        }
        // The last few steps aim at the sort asked for, so that most of what grew is used.
        let mut result = self.grow(pool, &bank, sort);
        for _ in 0..steps / 4 {
            bank.add(pool, result);
            result = self.grow(pool, &bank, sort);
        }
        result
    }

    /// A random value for every symbol and function of the pool.
    pub fn model(&mut self, pool: &TermPool) -> Model {
        random_model(pool, &mut self.random)
    }
}

/// A random value for every symbol and function of the pool.
pub fn random_model(pool: &TermPool, random: &mut Random) -> Model {
    let mut model = Model::new();
    for (symbol, data) in pool.symbols() {
        model.set(symbol, random_value(pool, random, data.sort));
    }
    for (function, data) in pool.functions() {
        let default = random_value(pool, random, data.sort);
        let mut value = FunctionValue {
            default,
            entries: std::collections::BTreeMap::new(),
        };
        for _ in 0..random.below(6) {
            let arguments = data
                .arguments
                .iter()
                .map(|&sort| random_value(pool, random, sort))
                .collect();
            value
                .entries
                .insert(arguments, random_value(pool, random, data.sort));
        }
        model.set_function(function, value);
    }
    model
}

/// A random value of a sort. Recursion is over the sort, whose depth is the nesting of array sorts.
pub fn random_value(pool: &TermPool, random: &mut Random, sort: SortId) -> Value {
    match pool.sort_of(sort) {
        Sort::Bool => Value::Bool(random.one_in(2)),
        Sort::BitVec(width) => Value::BitVec(random.bits(width)),
        Sort::Int => Value::Int(random.integer()),
        Sort::Float(format) => {
            Value::Float(FloatValue::from_bits(format, random.bits(format.width())))
        }
        Sort::Pointer { width } => {
            let base = BitVecValue::from_u64(width, random.below(3));
            Value::Pointer {
                base,
                offset: random.bits(width),
            }
        }
        Sort::Uninterpreted(_) => Value::Uninterpreted(random.below(3)),
        Sort::Array { index, element } => random_table(pool, random, index, element),
        Sort::FiniteMap { key, value, .. } => random_table(pool, random, key, value),
        Sort::Memory { width, cell } => {
            let default = random_value(pool, random, cell);
            let entries: Vec<(Value, Value)> = (0..random.below(6))
                .map(|_| {
                    let base = BitVecValue::from_u64(width, random.below(3));
                    let offset = random.bits(width);
                    (
                        Value::Pointer { base, offset },
                        random_value(pool, random, cell),
                    )
                })
                .collect();
            Value::Array(ArrayValue::table(default, entries))
        }
    }
}

fn random_table(pool: &TermPool, random: &mut Random, index: SortId, element: SortId) -> Value {
    let default = random_value(pool, random, element);
    let entries: Vec<(Value, Value)> = (0..random.below(6))
        .map(|_| {
            (
                random_value(pool, random, index),
                random_value(pool, random, element),
            )
        })
        .collect();
    Value::Array(ArrayValue::table(default, entries))
}
