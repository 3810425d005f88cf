//! What other engines say of heads of loops, as rows: facts of the abstract interpreter, mostly.
//!
//! A fact that was certified is assumed wherever its block is entered, as by every engine that executes. As a row it need
//! not be: the row starts where the fact says that it ends, grows if a state is outside, and is an invariant only if the
//! solver says so in the end. So a fact that is wrong costs time and nothing else.

use crate::cut::record::{CutLoop, Quantity};
use crate::invariant::{Invariants, Row};
use crate::template::{Linear, Reading, Template};
use foghorn_encode::fact::Quantity as Named;
use foghorn_encode::fact::{Aspect, BlockFacts, Fact, Operand, Relation, Subject};
use foghorn_ir::{Module, ValueId};
use foghorn_term::TermPool;
use num_bigint::BigInt;

/// Rows of one loop that others suggest.
const MOST: usize = 24;

/// Larger factors make sums too wide.
const LARGEST_FACTOR: i64 = 1 << 20;

/// What is suggested.
pub(crate) struct Guesses<'a> {
    module: &'a Module,
    facts: &'a [BlockFacts],
}

impl<'a> Guesses<'a> {
    pub(crate) fn new(module: &'a Module, facts: &'a [BlockFacts]) -> Self {
        Guesses { module, facts }
    }

    /// Adds the rows that are suggested for these loops.
    pub(crate) fn add_rows(&self, pool: &TermPool, loops: &[CutLoop], all: &mut Invariants) {
        let mut done: Vec<&CutLoop> = vec![];
        for cut in loops {
            // Entries that share an invariant share its rows.
            let is_same = |it: &&CutLoop| it.key == cut.key && it.quantities == cut.quantities;
            if done.iter().any(is_same) {
                continue;
            }
            done.push(cut);
            let rows = self.rows(pool, cut);
            all.extend(cut, rows);
        }
    }

    fn rows(&self, pool: &TermPool, cut: &CutLoop) -> Vec<Row> {
        let place = (cut.key.function.as_u32(), cut.key.block.as_u32());
        let facts = self.facts.iter();
        let own = facts.filter(|of| (of.function, of.block) == place);
        let facts = own.flat_map(|of| of.facts.iter().flatten());
        let mut rows = vec![];
        for fact in facts {
            let found = self.linear_rows(pool, cut, fact).unwrap_or_default();
            rows.extend(found.into_iter().map(Row::new));
        }
        rows.truncate(MOST);
        rows
    }

    /// A fact as rows; `None` if it speaks of something else than this loop carries or uses, or is none of rows.
    fn linear_rows(
        &self,
        pool: &TermPool,
        cut: &CutLoop,
        fact: &Fact,
    ) -> Option<Vec<Box<dyn Template>>> {
        match fact {
            Fact::Linear {
                terms,
                constant,
                relation,
            } => {
                let constant: BigInt = constant.parse().ok()?;
                let mut sum = vec![];
                for (named, factor) in terms {
                    let factor: i64 = factor.parse().ok()?;
                    if factor.abs() > LARGEST_FACTOR {
                        return None;
                    }
                    sum.push((self.quantity(cut, named)?, factor));
                }
                if sum.is_empty() {
                    return None;
                }
                let negated = sum.iter().map(|&(of, factor)| (of, -factor)).collect();
                match relation {
                    Relation::LessOrEqual => Some(vec![row(pool, cut, sum, -constant)]),
                    Relation::Equal => Some(vec![
                        row(pool, cut, sum, -constant.clone()),
                        row(pool, cut, negated, constant),
                    ]),
                    Relation::NotEqual => None,
                }
            }
            Fact::Unsigned {
                strict,
                left: Operand::Quantity(named),
                right: Operand::Number(number),
            } => {
                let bound: BigInt = number.parse().ok()?;
                let bound = bound - i32::from(*strict);
                let quantity = self.quantity(cut, named)?;
                let width = pool.width(cut.first.values[quantity]);
                let row = Linear::new(vec![(quantity, 1)], Reading::Unsigned, width);
                Some(vec![Box::new(row.starting_at(bound))])
            }
            Fact::Unsigned { .. } | Fact::Truth { .. } | Fact::Implied { .. } => None,
        }
    }

    /// The number of what a fact names among the quantities of a loop.
    fn quantity(&self, cut: &CutLoop, named: &Named) -> Option<usize> {
        let Subject::Value(number) = named.subject else {
            return None;
        };
        let body = self.module.functions[cut.key.function].body.as_ref()?;
        let params = &body.blocks[cut.key.block].params;
        let is_it = |value: ValueId| value.as_u32() == number;
        let mut quantities = cut.quantities.iter();
        quantities.position(|quantity| match *quantity {
            Quantity::Register { parameter } => {
                named.aspect == Aspect::Integer && is_it(params[parameter])
            }
            Quantity::Offset { parameter } => {
                named.aspect == Aspect::Offset && is_it(params[parameter])
            }
            Quantity::Outer { value } => named.aspect == Aspect::Integer && is_it(value),
            Quantity::Base { .. }
            | Quantity::Cell { .. }
            | Quantity::CellBase { .. }
            | Quantity::CellOffset { .. }
            | Quantity::Dead { .. }
            | Quantity::Entered { .. }
            | Quantity::AnyOffset { .. }
            | Quantity::AnyElement { .. } => false,
        })
    }
}

/// A row of signed numbers that starts at a bound.
fn row(
    pool: &TermPool,
    cut: &CutLoop,
    terms: Vec<(usize, i64)>,
    bound: BigInt,
) -> Box<dyn Template> {
    let widths = terms
        .iter()
        .map(|&(of, _)| pool.width(cut.first.values[of]));
    let width = widths.max().unwrap_or(1);
    Box::new(Linear::new(terms, Reading::Signed, width).starting_at(bound))
}
