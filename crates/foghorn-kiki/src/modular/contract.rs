//! What is known of a function whoever calls it: a summary (§2.4.4 of the 2LS thesis).

use crate::answer::SiteAnswer;
use crate::invariant::{Invariant, Row};
use foghorn_encode::claim::Argument;
use foghorn_ir::{FunctionId, Module};
use foghorn_term::{Sort, TermId, TermPool};

/// A contract: whoever calls the function with arguments of which not all of `fails` hold meets no failure in it, and if it
/// returns, then all of `ensures` hold of arguments and results.
#[derive(Clone, Debug)]
pub struct Contract {
    pub function: FunctionId,
    /// How many arguments it takes; rows number the results after them.
    pub arguments: usize,
    pub ensures: Vec<Row>,
    /// Rows that hold of all arguments with which a check in it can fail; `None` if there are no such arguments.
    pub fails: Option<Vec<Row>>,
    /// The checks in it, and in what it calls without a contract.
    pub sites: Vec<SiteAnswer>,
    /// Claims about the loops in it.
    pub claims: Argument,
}

impl Contract {
    /// That these arguments lead to no failure.
    pub fn requires(&self, pool: &mut TermPool, arguments: &[TermId]) -> TermId {
        match &self.fails {
            None => pool.bool(true),
            Some(rows) => {
                let fails = conjunction(pool, rows, arguments);
                pool.not(fails)
            }
        }
    }

    /// What holds of arguments and results behind a call.
    pub fn ensures(&self, pool: &mut TermPool, values: &[TermId]) -> TermId {
        conjunction(pool, &self.ensures, values)
    }

    /// Whether it says that some arguments are fine.
    pub fn is_useful(&self) -> bool {
        let is_top = |rows: &Vec<Row>| rows.iter().all(|row| row.template.is_top());
        !self.fails.as_ref().is_some_and(is_top)
    }

    /// The contract as lines of text, in the names of the source.
    pub fn describe(&self, module: &Module) -> Vec<String> {
        let function = &module.functions[self.function];
        let names = names(module, self.function);
        let (arguments, results) = names.split_at(self.arguments);
        let mut lines = vec![format!("{}({}):", function.name, arguments.join(", "))];
        if let Some(rows) = &self.fails {
            let parts = rows.iter().flat_map(|row| row.template.describe(&names));
            let parts: Vec<String> = parts.collect();
            lines.push(format!("  requires !({})", parts.join(" && ")));
        }
        let ensures = self.ensures.iter();
        let ensures = ensures.flat_map(|row| row.template.describe(&names));
        let about_results = ensures.filter(|row| mentions(row, results));
        lines.extend(about_results.map(|row| format!("  ensures {row}")));
        lines
    }
}

/// What arguments and results are called.
fn names(module: &Module, function: FunctionId) -> Vec<String> {
    let function = &module.functions[function];
    let mut names = vec![];
    if let Some(body) = &function.body {
        for (index, &value) in body.blocks[body.entry].params.iter().enumerate() {
            let known = body.values[value].name.as_ref();
            names.push(known.map_or_else(|| format!("argument{index}"), ToString::to_string));
        }
    }
    match function.signature.results.len() {
        0 | 1 => names.push("result".to_owned()),
        many => names.extend((0..many).map(|index| format!("result{index}"))),
    }
    names
}

fn mentions(row: &str, names: &[String]) -> bool {
    let is_letter = |c: char| c.is_alphanumeric() || c == '_';
    row.split(|c| !is_letter(c))
        .any(|word| names.iter().any(|name| name == word))
}

fn conjunction(pool: &mut TermPool, rows: &[Row], values: &[TermId]) -> TermId {
    let rows = rows.iter();
    let parts: Vec<TermId> = rows.map(|row| row.template.formula(pool, values)).collect();
    pool.and(&parts)
}

/// Values as bit-vectors, which is what rows speak of.
pub(crate) fn as_numbers(pool: &mut TermPool, values: &[TermId]) -> Vec<TermId> {
    let numbers = values.iter().map(|&value| match pool.sort(value) {
        Sort::Bool => pool.bool_to_bv(value),
        _ => value,
    });
    numbers.collect()
}

/// The rows of all invariants of one loop.
pub(crate) fn rows(invariants: &[&Invariant]) -> Vec<Row> {
    let rows = invariants.iter().flat_map(|invariant| &invariant.rows);
    rows.filter(|row| !row.template.is_top()).cloned().collect()
}
