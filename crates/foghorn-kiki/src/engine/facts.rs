//! What other engines are told: invariants that hold whenever a head is reached, as facts.
//!
//! An invariant speaks of the state after each iteration, on one way of calls. A fact speaks of a block, however it is
//! reached. So a row becomes a fact only if its loop is entered on one way of calls and cut wherever it is entered, and if
//! the solver says that the row holds of the first values too. Who uses facts has them certified before.

use super::Engine;
use crate::cut::record::{CutLoop, Quantity};
use crate::invariant::Invariants;
use crate::problem::{Problem, Target};
use crate::strategy::ask;
use crate::template::{LinearFact, Reading};
use foghorn_encode::fact::Quantity as Named;
use foghorn_encode::fact::{Aspect, BlockFacts, Fact, Operand, Relation, Subject};
use foghorn_ir::{Module, Type};
use foghorn_smt::SolverError;
use foghorn_smt::solver::Answer;

/// Rows of a loop that are asked about.
const MOST: usize = 24;

impl Engine<'_> {
    /// Makes facts of the rows that hold of the first values too.
    pub(super) fn find_facts(
        &mut self,
        problem: &Problem,
        invariants: &Invariants,
        assumed: &[foghorn_term::TermId],
    ) -> Result<(), SolverError> {
        for (index, cut) in problem.loops.iter().enumerate() {
            let others = problem.loops.iter().enumerate();
            let is_alone = others.into_iter().all(|(other, it)| {
                other == index
                    || (it.key.function, it.key.block) != (cut.key.function, cut.key.block)
            });
            let Some(invariant) = invariants.of(cut).filter(|_| is_alone) else {
                continue;
            };
            if self
                .cut
                .is_unwound_somewhere(cut.key.function, cut.key.block)
            {
                continue;
            }
            let mut facts = vec![];
            for row in invariant.rows.iter().take(MOST) {
                let linear = row.template.as_linear();
                let Some(fact) = linear.and_then(|it| fact(self.module, cut, &it)) else {
                    continue;
                };
                let pool = &mut self.session.pool;
                let holds = row.template.formula(pool, &cut.first.values);
                let fails = pool.not(holds);
                let target = Target {
                    position: cut.first.position,
                    condition: pool.and(&[cut.first.guard, fails]),
                };
                let mut formulas = vec![problem.reach(pool, vec![target])];
                formulas.extend_from_slice(problem.windows());
                formulas.extend_from_slice(assumed);
                if ask(&mut self.session, &formulas, self.budget)? == Answer::Unsatisfiable {
                    facts.push(fact);
                }
            }
            if !facts.is_empty() {
                self.report.facts.push(BlockFacts {
                    function: cut.key.function.as_u32(),
                    block: cut.key.block.as_u32(),
                    facts: Some(facts),
                });
            }
        }
        Ok(())
    }
}

/// A row as a fact, if it speaks of registers only.
fn fact(module: &Module, cut: &CutLoop, row: &LinearFact) -> Option<Fact> {
    let body = module.functions[cut.key.function].body.as_ref()?;
    let params = &body.blocks[cut.key.block].params;
    let mut terms = vec![];
    for &(quantity, factor) in &row.terms {
        let value = match cut.quantities[quantity] {
            Quantity::Register { parameter } => params[parameter],
            Quantity::Outer { value } => value,
            Quantity::Base { .. }
            | Quantity::Offset { .. }
            | Quantity::Cell { .. }
            | Quantity::CellBase { .. }
            | Quantity::CellOffset { .. }
            | Quantity::Dead { .. }
            | Quantity::Entered { .. }
            | Quantity::AnyOffset { .. }
            | Quantity::AnyElement { .. } => return None,
        };
        match body.ty(value) {
            Type::Int(width) if width > 1 => {}
            _ => return None,
        }
        let named = Named {
            subject: Subject::Value(value.as_u32()),
            aspect: Aspect::Integer,
        };
        terms.push((named, factor));
    }
    match (row.reading, &terms[..]) {
        (Reading::Signed, _) => Some(Fact::Linear {
            terms: terms.iter().map(|(of, it)| (*of, it.to_string())).collect(),
            constant: (-&row.bound).to_string(),
            relation: Relation::LessOrEqual,
        }),
        (Reading::Unsigned, [(of, 1)]) => Some(Fact::Unsigned {
            strict: false,
            left: Operand::Quantity(*of),
            right: Operand::Number(row.bound.to_string()),
        }),
        (Reading::Unsigned, _) => None,
    }
}
