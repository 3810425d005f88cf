//! What was shown of loops, in the language of certificates (`foghorn_encode::claim`).
//!
//! A claim speaks of one head of one function, whoever called it, and of every arrival there, the first included. So what
//! is claimed was inferred once more with the first arrivals among those that rows have to cover
//! ([`crate::problem::Problem::with_first_arrivals`]). Rows of one loop from several ways of calls are claimed together; who
//! checks them takes out what does not follow.
//!
//! A quantity that has no word there (a cell of an object that a caller allocated, say) makes its row unclaimed.

use crate::answer::ShownInvariant;
use crate::cut::record::Quantity;
use crate::template::{Reading, Words};
use foghorn_encode::claim::build::number;
use foghorn_encode::claim::{
    Argument, Expression, FIRST_OBJECT, Formula, LoopClaim, NULL, Subject, UNKNOWN, View,
};
use foghorn_ir::graph::{ControlFlowGraph, DominatorTree};
use foghorn_ir::interpret::Allocation;
use foghorn_ir::{BlockId, Body, InstId, Module};
use foghorn_term::BitVecValue;

/// Claims at one head beyond this are not made: each is a question to a solver.
const MOST_CLAIMS: usize = 120;

/// The claims that these invariants are, with so many copies of each loop.
pub fn argument(module: &Module, shown: &[ShownInvariant], copies: u32) -> Argument {
    let mut argument = Argument::by("kiki");
    for invariant in shown {
        let function = &module.functions[invariant.key.function];
        let Some(body) = &function.body else { continue };
        let words = WordsAtHead {
            module,
            body,
            dominators: DominatorTree::new(ControlFlowGraph::new(body).graph(), body.entry),
            invariant,
        };
        let claims = argument.function(&function.name);
        let claim = claims
            .loops
            .entry(invariant.key.block.as_u32())
            .or_insert_with(|| LoopClaim::Invariant {
                holds: vec![],
                copies,
            });
        let LoopClaim::Invariant { holds, .. } = claim else {
            continue;
        };
        let rows = invariant.invariant.rows.iter();
        let rows = rows.map(|row| row.template.claim(&words));
        let alive = invariant.alive.iter().map(|object| words.alive(*object));
        for claimed in alive.chain(rows) {
            let new = claimed.filter(|it| !holds.contains(it) && *it != Formula::Constant(true));
            if holds.len() < MOST_CLAIMS {
                holds.extend(new);
            }
        }
    }
    argument
}

/// The words for quantities at the head of a loop.
struct WordsAtHead<'a> {
    module: &'a Module,
    body: &'a Body,
    dominators: DominatorTree<BlockId>,
    invariant: &'a ShownInvariant,
}

impl WordsAtHead<'_> {
    fn parameter(&self, parameter: usize) -> Subject {
        let block = &self.body.blocks[self.invariant.key.block];
        Subject::Value(block.params[parameter].as_u32())
    }

    /// The object that a number of the formulas stands for.
    fn object(&self, number_here: u64) -> Option<Expression> {
        let functions = self.module.functions.len() as u64;
        if number_here == NULL || number_here == UNKNOWN {
            return Some(number(number_here.into()));
        }
        match *self.invariant.objects.get(&number_here)? {
            Allocation::Function(id) => {
                Some(number((FIRST_OBJECT + u64::from(id.as_u32())).into()))
            }
            Allocation::Global(id) => {
                let place = FIRST_OBJECT + functions + u64::from(id.as_u32());
                Some(number(place.into()))
            }
            Allocation::Instruction(function, id) if function == self.invariant.key.function => {
                let is_visible = self.dominates(id);
                let result = self.body.instructions[id].results.first();
                let result = result.filter(|_| is_visible)?;
                Some(Expression::Object(Subject::Value(result.as_u32())))
            }
            Allocation::Instruction(..) | Allocation::Arguments => None,
        }
    }

    /// That an object is alive that the program allocates; others always are.
    fn alive(&self, number_here: u64) -> Option<Formula> {
        match self.invariant.objects.get(&number_here)? {
            Allocation::Instruction(..) => Some(Formula::Alive(self.object(number_here)?)),
            Allocation::Function(_) | Allocation::Global(_) | Allocation::Arguments => None,
        }
    }

    /// Whether every way to the head has passed an instruction.
    fn dominates(&self, id: InstId) -> bool {
        let mut blocks = self.body.blocks.iter();
        let own = blocks.find(|(_, block)| block.instructions.contains(&id));
        own.is_some_and(|(block, _)| {
            let head = self.invariant.key.block;
            self.dominators.strictly_dominates(block, head)
        })
    }

    fn content(&self, cell: (usize, u64, u64), bytes: u32, view: View) -> Option<Expression> {
        let (parameter, object, offset) = cell;
        let memory = self.parameter(parameter);
        let object = self.object(object)?;
        let offset = number(offset.into());
        Some(Expression::content(memory, object, offset, bytes, view))
    }

    fn pointer_bytes(&self) -> u32 {
        self.module.layout.pointer_bits() / 8
    }

    /// An offset, which claims read as signed.
    fn offset(&self, offset: Expression, reading: Reading) -> Expression {
        match reading {
            Reading::Signed => offset,
            Reading::Unsigned => offset.wrapped(self.module.layout.pointer_bits(), false),
        }
    }
}

impl Words for WordsAtHead<'_> {
    fn read(&self, quantity: usize, reading: Reading) -> Option<Expression> {
        let bytes = self.invariant.widths[quantity] / 8;
        let view = match reading {
            Reading::Signed => View::Signed,
            Reading::Unsigned => View::Unsigned,
        };
        match self.invariant.quantities[quantity] {
            Quantity::Register { parameter } => Some(match reading {
                Reading::Signed => Expression::Signed(self.parameter(parameter)),
                Reading::Unsigned => Expression::Unsigned(self.parameter(parameter)),
            }),
            Quantity::Base { parameter } => Some(Expression::Object(self.parameter(parameter))),
            Quantity::Offset { parameter } => {
                let offset = Expression::Offset(self.parameter(parameter));
                Some(self.offset(offset, reading))
            }
            Quantity::Cell {
                parameter,
                object,
                offset,
            } => self.content((parameter, object, offset), bytes, view),
            Quantity::CellBase {
                parameter,
                object,
                offset,
            } => {
                let cell = (parameter, object, offset);
                self.content(cell, self.pointer_bytes(), View::Object)
            }
            Quantity::CellOffset {
                parameter,
                object,
                offset,
            } => {
                let cell = (parameter, object, offset);
                let offset = self.content(cell, self.pointer_bytes(), View::Offset)?;
                Some(self.offset(offset, reading))
            }
            Quantity::Dead { object } => {
                let alive = Formula::Alive(self.object(object)?);
                let (zero, one) = (Box::new(number(0)), Box::new(number(1)));
                Some(Expression::Choice(Box::new(alive), zero, one))
            }
            Quantity::AnyOffset { .. } | Quantity::AnyElement { .. } | Quantity::Entered { .. } => {
                None
            }
            Quantity::Outer { value } => {
                let value = Subject::Value(value.as_u32());
                Some(match reading {
                    Reading::Signed => Expression::Signed(value),
                    Reading::Unsigned => Expression::Unsigned(value),
                })
            }
        }
    }

    fn is(&self, quantity: usize, value: &BitVecValue) -> Option<Formula> {
        match self.invariant.quantities[quantity] {
            Quantity::Base { .. } | Quantity::CellBase { .. } => {
                let object = self.object(value.to_u64()?)?;
                Some(self.read(quantity, Reading::Unsigned)?.equals(object))
            }
            Quantity::Dead { object } => {
                let alive = Formula::Alive(self.object(object)?);
                Some(match value.is_zero() {
                    true => alive,
                    false => alive.negated(),
                })
            }
            Quantity::Register { .. }
            | Quantity::Offset { .. }
            | Quantity::Cell { .. }
            | Quantity::CellOffset { .. }
            | Quantity::Outer { .. }
            | Quantity::Entered { .. }
            | Quantity::AnyOffset { .. }
            | Quantity::AnyElement { .. } => {
                let literal = Expression::Number(value.to_biguint().to_string());
                Some(self.read(quantity, Reading::Unsigned)?.equals(literal))
            }
        }
    }

    /// It was made since the function was called.
    fn is_lost(&self, quantity: usize) -> Option<Formula> {
        let object = self.read(quantity, Reading::Unsigned)?;
        Some(Expression::NextObjectAtEntry.at_most(object))
    }
}
