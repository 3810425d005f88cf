//! Templates: formulas over the numbers that a loop carries, with parameters to be found (§2.4.1 of the 2LS thesis).
//!
//! A template is one row or a few that belong together. Its parameter is an element of a lattice, from bottom (the
//! formula is false: nothing has come back yet) to top (the formula is true). It is only ever made larger, by the states
//! that models show ([`Template::join`]) or by a guess of where a bound ends ([`Template::raise`]); whether what is
//! reached is an invariant, the solver says.
//!
//! Laws, tested for each in `tests/laws.rs`: the formula of top is true and that of bottom false; the formula after a
//! join holds of the state that was joined, and of all states of which it held before; a join with a state of which the
//! formula holds changes nothing.
//!
//! Guards (§2.4.2) are not part of templates: whoever states one says where.

mod bits;
pub(crate) mod choose;
mod difference;
mod linear;
mod power;
mod relation;
mod segment;
mod split;
mod states;
mod values;

pub use bits::Bits;
pub use choose::{Chosen, Count, Kind, NoSuchTemplate, Pairs, Selection, Shape, choose};
pub use difference::Difference;
pub use linear::{Linear, Reading};
pub use power::Power;
pub use relation::Relation;
pub use segment::{Parts, Segment};
pub use split::{Split, Threshold};
pub use states::States;
pub use values::Values;

use foghorn_encode::claim::{Expression, Formula};
use foghorn_term::{BitVecValue, TermId, TermPool};
use num_bigint::BigInt;
use std::fmt;

/// A formula with parameters.
pub trait Template: fmt::Debug {
    /// Nothing has come back yet: the formula is false.
    fn is_bottom(&self) -> bool;

    /// The formula is true.
    fn is_top(&self) -> bool;

    /// Makes the formula true.
    fn forget(&mut self);

    /// The formula for the quantities at one place.
    fn formula(&self, pool: &mut TermPool, values: &[TermId]) -> TermId;

    /// Makes the parameter as much larger as a state needs; whether it changed.
    fn join(&mut self, state: &[BitVecValue]) -> bool;

    /// A join after which only finitely many more can change anything, and few: what keeps growing is given up.
    fn widen(&mut self, state: &[BitVecValue]) -> bool;

    /// The bound of a row that can be searched for, and the largest that it may have; `None` if there is no such row or
    /// nothing to find.
    fn bound(&self) -> Option<(BigInt, BigInt)>;

    /// Makes the bound larger; bounds are never made smaller.
    fn raise(&mut self, bound: BigInt);

    /// What it says, with these names for the quantities.
    fn describe(&self, names: &[String]) -> Vec<String>;

    /// The formula as a claim, in these words for the quantities; `None` if a word is missing.
    fn claim(&self, words: &dyn Words) -> Option<Formula>;

    /// Another one with the same parameter.
    fn duplicate(&self) -> Box<dyn Template>;

    /// Whether it speaks of any offset of an array.
    fn is_of_arrays(&self) -> bool {
        false
    }

    /// Whether states of which it has not heard add cases that end by themselves: it grows often, and is not given up for
    /// that.
    fn has_many_cases(&self) -> bool {
        false
    }

    /// A quantity, and how many values it has if they are few; `None` of a template that does not say it.
    fn counted_values(&self) -> Option<(usize, Option<usize>)> {
        None
    }

    /// As a fact that other engines understand, of the quantities by number; `None` if it is none.
    fn as_linear(&self) -> Option<LinearFact> {
        None
    }
}

/// What quantities are called in claims.
pub trait Words {
    /// A quantity as a number.
    fn read(&self, quantity: usize, reading: Reading) -> Option<Expression>;

    /// That a quantity has a value; of one that names an object, that it names that one.
    fn is(&self, quantity: usize, value: &BitVecValue) -> Option<Formula>;

    /// That a quantity names an object without a number.
    fn is_lost(&self, quantity: usize) -> Option<Formula>;
}

/// `Σ factor · quantity <= bound`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinearFact {
    pub terms: Vec<(usize, i64)>,
    pub bound: BigInt,
    pub reading: Reading,
}

impl Clone for Box<dyn Template> {
    fn clone(&self) -> Self {
        self.duplicate()
    }
}

/// A number as the machine reads it.
pub(crate) fn read(value: &BitVecValue, reading: Reading) -> BigInt {
    match reading {
        Reading::Signed => value.to_signed(),
        Reading::Unsigned => BigInt::from(value.to_biguint()),
    }
}

/// A literal of a width for a number that fits.
pub(crate) fn literal(pool: &mut TermPool, width: u32, value: &BigInt) -> TermId {
    let value = BitVecValue::from_bigint(width, value);
    pool.bitvec(value)
}
