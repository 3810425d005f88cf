//! Names that every language takes.

use foghorn_term::{FunctionId, Op, TermId, TermPool};
use rustc_hash::{FxHashMap, FxHashSet};

/// Gives things names of letters, digits and `_`, no two the same.
#[derive(Default)]
pub(super) struct Names {
    symbols: FxHashMap<TermId, String>,
    functions: FxHashMap<FunctionId, String>,
    taken: FxHashSet<String>,
}

impl Names {
    /// A name like `wanted` that is still free.
    pub fn fresh(&mut self, prefix: &str, wanted: &str) -> String {
        let letters = wanted
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' });
        let base: String = prefix.chars().chain(letters).collect();
        let mut name = base.clone();
        let mut number = 1;
        while !self.taken.insert(name.clone()) {
            number += 1;
            name = format!("{base}_{number}");
        }
        name
    }

    /// The name of a variable.
    pub fn variable(&mut self, pool: &TermPool, prefix: &str, variable: TermId) -> String {
        if let Some(name) = self.symbols.get(&variable) {
            return name.clone();
        }
        let wanted = match pool.op(variable) {
            Op::Symbol(id) => pool.symbol_data(id).name.to_string(),
            _ => "v".to_owned(),
        };
        let name = self.fresh(prefix, &wanted);
        self.symbols.insert(variable, name.clone());
        name
    }

    /// The name of a predicate.
    pub fn predicate(&mut self, pool: &TermPool, prefix: &str, predicate: FunctionId) -> String {
        if let Some(name) = self.functions.get(&predicate) {
            return name.clone();
        }
        let wanted = pool.function_data(predicate).name.to_string();
        let name = self.fresh(prefix, &wanted);
        self.functions.insert(predicate, name.clone());
        name
    }
}
