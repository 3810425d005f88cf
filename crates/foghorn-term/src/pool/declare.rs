//! What terms refer to by index: symbols, functions, literal values, bound variables.

use super::{TermId, TermPool};
use crate::op::{BoundId, ConstantId, FunctionId, Op, SymbolId};
use crate::sort::{Sort, SortId};
use crate::value::{BitVecValue, FloatValue};
use cranelift_entity::PrimaryMap;
use num_bigint::BigInt;
use rustc_hash::FxHashMap;
use thiserror::Error;

/// A literal value.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Constant {
    BitVec(BitVecValue),
    Int(BigInt),
    Float(FloatValue),
}

/// A free constant, or a function when it has arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Symbol {
    pub name: Box<str>,
    pub arguments: Box<[SortId]>,
    pub sort: SortId,
}

/// A name was declared before, otherwise.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("`{name}` is already declared with another sort")]
pub struct DeclarationError {
    pub name: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Named {
    Symbol(SymbolId),
    Function(FunctionId),
}

#[derive(Clone, Default)]
pub(crate) struct Declarations {
    symbols: PrimaryMap<SymbolId, Symbol>,
    functions: PrimaryMap<FunctionId, Symbol>,
    constants: PrimaryMap<ConstantId, Constant>,
    bound: PrimaryMap<BoundId, SortId>,
    names: FxHashMap<Box<str>, Named>,
    constant_ids: FxHashMap<Constant, ConstantId>,
    fresh: u64,
}

impl Declarations {
    pub fn bytes(&self) -> usize {
        use std::mem::size_of;
        let text: usize = self
            .symbols
            .values()
            .map(|symbol| 2 * symbol.name.len())
            .sum();
        text + self.symbols.len() * 2 * size_of::<Symbol>()
            + self.names.capacity() * (size_of::<(Box<str>, Named)>() + 1)
            + self.functions.len() * 2 * size_of::<Symbol>()
            + self.constants.len() * 2 * size_of::<Constant>()
            + self.constant_ids.capacity() * (size_of::<(Constant, ConstantId)>() + 1)
            + self.bound.len() * 2 * size_of::<SortId>()
    }
}

impl TermPool {
    /// The free constant of that name and sort, declared if it is new.
    pub fn try_symbol(&mut self, name: &str, sort: SortId) -> Result<TermId, DeclarationError> {
        let error = || DeclarationError {
            name: name.to_owned(),
        };
        let id = match self.declarations.names.get(name) {
            Some(&Named::Symbol(id)) if self.declarations.symbols[id].sort == sort => id,
            Some(Named::Symbol(_) | Named::Function(_)) => return Err(error()),
            None => {
                let symbol = Symbol {
                    name: name.into(),
                    arguments: Box::default(),
                    sort,
                };
                let id = self.declarations.symbols.push(symbol);
                self.declarations
                    .names
                    .insert(name.into(), Named::Symbol(id));
                id
            }
        };
        Ok(self.intern(Op::Symbol(id), &[]))
    }

    /// The free constant of that name and sort, declared if it is new.
    ///
    /// # Panics
    /// When the name is taken by another sort; see [`TermPool::try_symbol`].
    pub fn symbol(&mut self, name: &str, sort: Sort) -> TermId {
        let sort = self.sort_intern(sort);
        self.try_symbol(name, sort)
            .expect("invariant: a name has one sort")
    }

    /// A free constant that nothing else refers to. Its name starts with `prefix`.
    pub fn fresh_symbol(&mut self, prefix: &str, sort: Sort) -> TermId {
        loop {
            let name = format!("{prefix}!{}", self.declarations.fresh);
            self.declarations.fresh += 1;
            if !self.declarations.names.contains_key(name.as_str()) {
                return self.symbol(&name, sort);
            }
        }
    }

    /// The free constant of that name, if it is declared.
    pub fn find_symbol(&self, name: &str) -> Option<SymbolId> {
        match self.declarations.names.get(name) {
            Some(&Named::Symbol(id)) => Some(id),
            Some(Named::Function(_)) | None => None,
        }
    }

    /// The function of that name, if it is declared.
    pub fn find_function(&self, name: &str) -> Option<FunctionId> {
        match self.declarations.names.get(name) {
            Some(&Named::Function(id)) => Some(id),
            Some(Named::Symbol(_)) | None => None,
        }
    }

    /// An uninterpreted function (or predicate, when `sort` is Bool), declared if it is new.
    pub fn function(
        &mut self,
        name: &str,
        arguments: &[SortId],
        sort: SortId,
    ) -> Result<FunctionId, DeclarationError> {
        let declared = Symbol {
            name: name.into(),
            arguments: arguments.into(),
            sort,
        };
        match self.declarations.names.get(name) {
            Some(&Named::Function(id)) if self.declarations.functions[id] == declared => Ok(id),
            Some(Named::Symbol(_) | Named::Function(_)) => Err(DeclarationError {
                name: name.to_owned(),
            }),
            None => {
                let id = self.declarations.functions.push(declared);
                self.declarations
                    .names
                    .insert(name.into(), Named::Function(id));
                Ok(id)
            }
        }
    }

    /// Name and sort of a free constant.
    pub fn symbol_data(&self, id: SymbolId) -> &Symbol {
        &self.declarations.symbols[id]
    }

    /// Name and signature of a function.
    pub fn function_data(&self, id: FunctionId) -> &Symbol {
        &self.declarations.functions[id]
    }

    /// Every free constant, in order of declaration.
    pub fn symbols(&self) -> impl Iterator<Item = (SymbolId, &Symbol)> {
        self.declarations.symbols.iter()
    }

    /// Every function, in order of declaration.
    pub fn functions(&self) -> impl Iterator<Item = (FunctionId, &Symbol)> {
        self.declarations.functions.iter()
    }

    /// The sort named so, known by its name only.
    pub fn uninterpreted_sort(&mut self, name: &str) -> Sort {
        Sort::Uninterpreted(self.sorts.name(name))
    }

    /// The name of an uninterpreted sort.
    pub fn sort_name(&self, name: crate::sort::SortName) -> &str {
        self.sorts.name_text(name)
    }

    /// The term of a literal value.
    pub fn constant(&mut self, value: Constant) -> TermId {
        let id = match self.declarations.constant_ids.get(&value) {
            Some(&id) => id,
            None => {
                let id = self.declarations.constants.push(value.clone());
                self.declarations.constant_ids.insert(value, id);
                id
            }
        };
        self.intern(Op::Constant(id), &[])
    }

    /// The value of a literal.
    pub fn constant_data(&self, id: ConstantId) -> &Constant {
        &self.declarations.constants[id]
    }

    /// A new variable for a λ to bind.
    pub fn bound_variable(&mut self, sort: SortId) -> TermId {
        let id = self.declarations.bound.push(sort);
        self.intern(Op::Bound(id), &[])
    }

    /// The sort of a bound variable.
    pub fn bound_sort(&self, id: BoundId) -> SortId {
        self.declarations.bound[id]
    }

    /// The term of a bound variable that is already there.
    pub fn bound_term(&mut self, id: BoundId) -> TermId {
        self.intern(Op::Bound(id), &[])
    }
}
