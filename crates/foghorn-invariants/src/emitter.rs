//! Writing a goto function, one block at a time.
//!
//! There is always a current block, to which statements are appended. Where one IR instruction
//! needs several cases, the current block forks and the cases meet again in a new current block.

use cranelift_entity::{EntityRef as _, PrimaryMap};
use foghorn_absint::language::{
    Block, BlockId, Condition, Function, FunctionId, Program, Statement, Terminator,
};
use foghorn_absint::linear::{LinearConstraint, LinearExpression};
use foghorn_absint::variable::{Type, VariableId};

use crate::decision::Conjunction;
use crate::shape::Meaning;

/// A place between two statements.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Place {
    pub block: BlockId,
    /// The number of statements before it.
    pub position: usize,
}

/// A function under construction.
pub struct Emitter<'p> {
    program: &'p mut Program,
    meanings: &'p mut Vec<Meaning>,
    blocks: PrimaryMap<BlockId, Block>,
    current: BlockId,
    least_size: i64,
}

impl<'p> Emitter<'p> {
    /// `least_size` is what no pointer's size is below ([`foghorn_encode::fact::least_size`]).
    pub fn new(
        program: &'p mut Program,
        meanings: &'p mut Vec<Meaning>,
        least_size: i64,
    ) -> Emitter<'p> {
        Emitter {
            least_size,
            program,
            meanings,
            blocks: PrimaryMap::new(),
            current: BlockId::new(0),
        }
    }

    /// A new variable.
    pub fn variable(&mut self, name: String, ty: Type, meaning: Meaning) -> VariableId {
        debug_assert_eq!(self.meanings.len(), self.program.variables.len());
        self.meanings.push(meaning);
        self.program.variable(name, ty)
    }

    /// Assumes what holds of the size of every pointer.
    pub fn assume_size(&mut self, size: VariableId) {
        let least = self.least_size;
        self.assume(LinearConstraint::less_or_equal(least, size).into());
    }

    pub fn temporary(&mut self, ty: Type) -> VariableId {
        let name = format!("t{}", self.program.variables.len());
        self.variable(name, ty, Meaning::Temporary)
    }

    /// A new block, which ends the execution until it is given a terminator.
    pub fn block(&mut self, label: String) -> BlockId {
        self.blocks.push(Block {
            label,
            statements: Vec::new(),
            terminator: Terminator::Goto(Vec::new()),
        })
    }

    /// A new block named after its number.
    pub fn next_block(&mut self) -> BlockId {
        let label = format!("part{}", self.blocks.len());
        self.block(label)
    }

    pub fn current(&self) -> BlockId {
        self.current
    }

    pub fn switch_to(&mut self, block: BlockId) {
        self.current = block;
    }

    pub fn place(&self) -> Place {
        Place {
            block: self.current,
            position: self.blocks[self.current].statements.len(),
        }
    }

    pub fn push(&mut self, statement: Statement) {
        self.blocks[self.current].statements.push(statement);
    }

    pub fn assign(&mut self, target: VariableId, expression: LinearExpression) {
        self.push(Statement::Assign { target, expression });
    }

    pub fn decide(&mut self, target: VariableId, condition: Condition) {
        self.push(Statement::BooleanAssign { target, condition });
    }

    pub fn havoc(&mut self, target: VariableId) {
        self.push(Statement::Havoc { target });
    }

    pub fn assume(&mut self, condition: Condition) {
        if condition != Condition::Constant(true) {
            self.push(Statement::Assume { condition });
        }
    }

    pub fn assume_all(&mut self, conditions: &[Condition]) {
        for condition in conditions {
            self.assume(condition.clone());
        }
    }

    pub fn terminate(&mut self, block: BlockId, terminator: Terminator) {
        self.blocks[block].terminator = terminator;
    }

    pub fn goto(&mut self, from: BlockId, to: Vec<BlockId>) {
        self.terminate(from, Terminator::Goto(to));
    }

    /// Goes on in one of several ways, each under its assumptions; all meet in a new current block.
    pub fn fork(&mut self, cases: &[Conjunction], mut each: impl FnMut(&mut Self, usize)) {
        let from = self.current;
        let mut heads = Vec::with_capacity(cases.len());
        let mut ends = Vec::with_capacity(cases.len());
        for (index, conditions) in cases.iter().enumerate() {
            let head = self.next_block();
            heads.push(head);
            self.switch_to(head);
            self.assume_all(conditions);
            each(self, index);
            ends.push(self.current);
        }
        self.goto(from, heads);
        let meeting = self.next_block();
        for end in ends {
            self.goto(end, vec![meeting]);
        }
        self.switch_to(meeting);
    }

    /// Goes on under one of several assumptions.
    pub fn assume_any(&mut self, cases: &[Conjunction]) {
        match cases {
            [only] => self.assume_all(only),
            _ => self.fork(cases, |_, _| {}),
        }
    }

    /// Adds the function to the program.
    pub fn finish(
        self,
        name: String,
        parameters: Vec<VariableId>,
        results: Vec<Type>,
        entry: BlockId,
    ) -> FunctionId {
        self.program.functions.push(Function {
            name,
            parameters,
            results,
            blocks: self.blocks,
            entry,
        })
    }
}
