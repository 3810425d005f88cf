//! Functions as control-flow graphs, programs, and the interface to build them.
//!
//! Variables live in one table for the whole program, so that a variable of a callee is never one
//! of its caller; a function lists the parameters it assigns on entry. Control is `goto` with
//! several targets, and the guards are `assume` statements in the targets.

use cranelift_entity::{EntityRef as _, PrimaryMap, entity_impl};

use crate::language::statement::Statement;
use crate::variable::{Type, VariableId};

/// A basic block of a function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BlockId(u32);
entity_impl!(BlockId, "block");

/// A function of a program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FunctionId(u32);
entity_impl!(FunctionId, "function");

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Terminator {
    /// Goes to any of the blocks.
    Goto(Vec<BlockId>),
    /// Ends the function with these results.
    Return(Vec<VariableId>),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    pub label: String,
    pub statements: Vec<Statement>,
    pub terminator: Terminator,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Function {
    pub name: String,
    pub parameters: Vec<VariableId>,
    pub results: Vec<Type>,
    pub blocks: PrimaryMap<BlockId, Block>,
    pub entry: BlockId,
}

impl Function {
    #[must_use]
    pub fn successors(&self, block: BlockId) -> &[BlockId] {
        match &self.blocks[block].terminator {
            Terminator::Goto(targets) => targets,
            Terminator::Return(_) => &[],
        }
    }

    /// The predecessors of every block, in block order.
    #[must_use]
    pub fn predecessors(&self) -> Vec<Vec<BlockId>> {
        let mut result = vec![Vec::new(); self.blocks.len()];
        for block in self.blocks.keys() {
            for successor in self.successors(block) {
                if !result[successor.index()].contains(&block) {
                    result[successor.index()].push(block);
                }
            }
        }
        result
    }

    /// Every variable the function mentions, sorted.
    #[must_use]
    pub fn variables(&self) -> Vec<VariableId> {
        let mut all = self.parameters.clone();
        for block in self.blocks.values() {
            for statement in &block.statements {
                all.extend(statement.defined());
                all.extend(statement.used());
            }
            if let Terminator::Return(results) = &block.terminator {
                all.extend(results);
            }
        }
        all.sort_unstable();
        all.dedup();
        all
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VariableInfo {
    pub name: String,
    pub ty: Type,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Program {
    /// Indexed by [`VariableId::index`].
    pub variables: Vec<VariableInfo>,
    pub functions: PrimaryMap<FunctionId, Function>,
}

impl Program {
    #[must_use]
    pub fn new() -> Program {
        Program::default()
    }

    /// A new variable. Names need only be unique within a function, and only to be read by people.
    pub fn variable(&mut self, name: impl Into<String>, ty: Type) -> VariableId {
        let index = u32::try_from(self.variables.len()).expect("invariant: under 2^32 variables");
        self.variables.push(VariableInfo {
            name: name.into(),
            ty,
        });
        VariableId::new(index, ty)
    }

    #[must_use]
    pub fn function(&self, name: &str) -> Option<FunctionId> {
        self.functions
            .iter()
            .find(|(_, function)| function.name == name)
            .map(|(id, _)| id)
    }

    /// The function an analysis starts from: `main`, or the first one.
    #[must_use]
    pub fn main(&self) -> Option<FunctionId> {
        self.function("main")
            .or_else(|| self.functions.keys().next())
    }

    /// The name of a variable, also of a ghost.
    #[must_use]
    pub fn name(&self, x: VariableId) -> String {
        let base = match self.variables.get(x.index() as usize) {
            Some(info) => info.name.clone(),
            None => return x.to_string(),
        };
        crate::language::printer::ghost_name(&base, x)
    }
}

/// Builds one function of a program.
///
/// ```
/// use foghorn_absint::language::{FunctionBuilder, Program, Statement, Terminator};
/// use foghorn_absint::linear::{LinearConstraint, LinearExpression};
/// use foghorn_absint::variable::Type;
///
/// let mut program = Program::new();
/// let x = program.variable("x", Type::Integer { width: 32 });
/// let mut f = FunctionBuilder::new("main");
/// let (entry, exit) = (f.block("entry"), f.block("exit"));
/// f.push(entry, Statement::Assign { target: x, expression: LinearExpression::constant(3) });
/// f.goto(entry, [exit]);
/// let positive = LinearConstraint::less(0, x);
/// f.push(exit, Statement::Assert { condition: positive.into() });
/// f.finish(&mut program);
/// assert_eq!(program.functions.len(), 1);
/// ```
#[derive(Debug)]
pub struct FunctionBuilder {
    function: Function,
}

impl FunctionBuilder {
    /// The first block that is made is the entry.
    #[must_use]
    pub fn new(name: impl Into<String>) -> FunctionBuilder {
        FunctionBuilder {
            function: Function {
                name: name.into(),
                parameters: Vec::new(),
                results: Vec::new(),
                blocks: PrimaryMap::new(),
                entry: BlockId::new(0),
            },
        }
    }

    pub fn parameters(&mut self, parameters: impl IntoIterator<Item = VariableId>) -> &mut Self {
        self.function.parameters.extend(parameters);
        self
    }

    pub fn results(&mut self, results: impl IntoIterator<Item = Type>) -> &mut Self {
        self.function.results.extend(results);
        self
    }

    /// A new empty block that returns nothing until told otherwise.
    pub fn block(&mut self, label: impl Into<String>) -> BlockId {
        self.function.blocks.push(Block {
            label: label.into(),
            statements: Vec::new(),
            terminator: Terminator::Return(Vec::new()),
        })
    }

    pub fn push(&mut self, block: BlockId, statement: Statement) -> &mut Self {
        self.function.blocks[block].statements.push(statement);
        self
    }

    pub fn goto(&mut self, block: BlockId, targets: impl IntoIterator<Item = BlockId>) {
        self.function.blocks[block].terminator = Terminator::Goto(targets.into_iter().collect());
    }

    pub fn return_from(&mut self, block: BlockId, results: impl IntoIterator<Item = VariableId>) {
        self.function.blocks[block].terminator = Terminator::Return(results.into_iter().collect());
    }

    /// Adds the function to the program. It must have at least one block.
    pub fn finish(self, program: &mut Program) -> FunctionId {
        debug_assert!(
            !self.function.blocks.is_empty(),
            "invariant: a function has an entry block"
        );
        program.functions.push(self.function)
    }
}
