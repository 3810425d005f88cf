//! SMT-LIB files of the HORN logic: reading, solving, printing evidence.
//!
//! The subset of CHC-COMP and a little more: `declare-fun` of predicates, `declare-var`-free
//! assertions under `forall`, `define-fun` as macros, `let`, the theories Bool, Int, bit-vectors
//! and arrays. What is not understood is an error with its line, never skipped.
//!
//! [`solve`] answers as the SMT-LIB command would: `sat` if interpretations of the predicates make
//! every clause true (they have been checked, clause by clause, when the answer is given), `unsat`
//! if `false` is derivable.

mod clause;
pub mod export;
mod expression;
mod operators;
mod print;

pub use print::print;

use crate::error::SolverError;
use crate::horn::{
    Alone, Derivation, HornAnswer, HornOptions, HornSolver, HornSystem, Invariants, Member,
    Portfolio, Spacer,
};
use expression::{Macro, Reader, Scope};
use foghorn_core::Budget;
use foghorn_term::sexpr::{Document, SExprId};
use foghorn_term::{FunctionId, Sort, TermId, TermPool};
use std::time::Duration;

/// Why a file could not be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct ReadError {
    pub line: usize,
    pub problem: String,
}

/// A file that was read.
pub struct ChcFile {
    pub pool: TermPool,
    pub system: HornSystem,
    /// What was read, for workers that read it again.
    pub text: String,
}

/// Reads the text of a file.
pub fn read(text: &str) -> Result<ChcFile, ReadError> {
    let document = Document::read(text).map_err(|error| ReadError {
        line: error.line,
        problem: error.problem.to_owned(),
    })?;
    let mut file = ChcFile {
        pool: TermPool::new(),
        system: HornSystem::default(),
        text: text.to_owned(),
    };
    let mut scope = Scope::default();
    for command in document.top() {
        if !read_command(&document, *command, &mut file, &mut scope)? {
            break;
        }
    }
    Ok(file)
}

fn error(document: &Document, at: SExprId, problem: impl Into<String>) -> ReadError {
    ReadError {
        line: document.line(at),
        problem: problem.into(),
    }
}

/// False at the end of the script.
fn read_command(
    document: &Document,
    command: SExprId,
    file: &mut ChcFile,
    scope: &mut Scope,
) -> Result<bool, ReadError> {
    let Some((name, arguments)) = document.call(command) else {
        return Err(error(document, command, "this is not a command"));
    };
    match (name, arguments) {
        ("set-logic" | "set-info" | "set-option" | "get-model" | "get-info", _) => {}
        ("check-sat" | "exit", _) => return Ok(name != "exit"),
        ("declare-fun", [name, sorts, range]) => {
            let sorts = document
                .list(*sorts)
                .ok_or_else(|| error(document, command, "argument sorts are missing"))?;
            declare(document, file, scope, *name, sorts, *range)?;
        }
        ("declare-const", [name, range]) => declare(document, file, scope, *name, &[], *range)?,
        ("define-fun", [name, formals, _, body]) => {
            let definition = read_macro(document, *formals, *body)
                .ok_or_else(|| error(document, command, "a malformed definition"))?;
            let name = document.atom(*name).unwrap_or_default();
            scope.macros.insert(name.to_owned(), definition);
        }
        ("assert", [formula]) => read_assertion(document, *formula, file, scope)?,
        (other, _) => {
            let problem = format!("the command {other} is not supported");
            return Err(error(document, command, problem));
        }
    }
    Ok(true)
}

fn read_macro(document: &Document, formals: SExprId, body: SExprId) -> Option<Macro> {
    let formals = document
        .list(formals)?
        .iter()
        .map(|formal| {
            let name = document.list(*formal)?.first()?;
            document.atom(*name).map(str::to_owned)
        })
        .collect::<Option<Vec<_>>>()?;
    Some(Macro { formals, body })
}

fn declare(
    document: &Document,
    file: &mut ChcFile,
    scope: &mut Scope,
    name: SExprId,
    sorts: &[SExprId],
    range: SExprId,
) -> Result<(), ReadError> {
    let text = document.atom(name).unwrap_or_default().to_owned();
    let mut reader = Reader {
        document,
        pool: &mut file.pool,
        scope: &mut *scope,
    };
    let arguments = sorts
        .iter()
        .map(|sort| reader.sort(*sort))
        .collect::<Result<Vec<_>, _>>()?;
    let range_sort = reader.sort(range)?;
    if file.pool.sort_of(range_sort) != Sort::Bool {
        return Err(error(
            document,
            range,
            "only predicates may be declared in the HORN logic",
        ));
    }
    let predicate = file
        .pool
        .function(&text, &arguments, range_sort)
        .map_err(|problem| error(document, name, problem.to_string()))?;
    file.system.predicates.push(predicate);
    scope.predicates.insert(text, predicate);
    Ok(())
}

fn read_assertion(
    document: &Document,
    formula: SExprId,
    file: &mut ChcFile,
    scope: &mut Scope,
) -> Result<(), ReadError> {
    let malformed = |at| error(document, at, "a malformed quantifier");
    let mut names: Vec<String> = Vec::new();
    let mut variables: Vec<TermId> = Vec::new();
    let mut body = formula;
    // `(not (exists x f))` is `forall x (not f)`.
    let mut negated = false;
    let mut name = None;
    loop {
        match document.call(body) {
            Some(("!", [inner, attributes @ ..])) => {
                let named = attributes
                    .iter()
                    .position(|attribute| document.atom(*attribute) == Some(":named"))
                    .and_then(|at| document.atom(*attributes.get(at + 1)?));
                name = named.map(str::to_owned).or(name);
                body = *inner;
            }
            Some(("not", [inner])) if matches!(document.call(*inner), Some(("exists", _))) => {
                negated = true;
                body = *inner;
            }
            Some((quantifier @ ("forall" | "exists"), [bindings, inner]))
                if (quantifier == "exists") == negated =>
            {
                for binding in document.list(*bindings).ok_or_else(|| malformed(body))? {
                    let [name, sort] = document.list(*binding).ok_or_else(|| malformed(body))?
                    else {
                        return Err(malformed(body));
                    };
                    let name = document.atom(*name).ok_or_else(|| malformed(body))?;
                    let mut reader = Reader {
                        document,
                        pool: &mut file.pool,
                        scope: &mut *scope,
                    };
                    let sort = reader.sort(*sort)?;
                    let sort = file.pool.sort_of(sort);
                    let variable = file.pool.fresh_symbol(name, sort);
                    scope.bind(name, variable);
                    names.push(name.to_owned());
                    variables.push(variable);
                }
                body = *inner;
            }
            _ => break,
        }
    }
    let mut reader = Reader {
        document,
        pool: &mut file.pool,
        scope: &mut *scope,
    };
    let term = reader.term(body)?;
    names.iter().for_each(|name| scope.unbind(name));
    let term = if negated { file.pool.not(term) } else { term };
    if file.pool.sort(term) != Sort::Bool {
        return Err(error(document, formula, "an assertion must be Boolean"));
    }
    let name = name.unwrap_or_else(|| format!("clause-{}", file.system.rules.len()));
    let rules = clause::rules(&mut file.pool, &name, &variables, term)
        .map_err(|problem| error(document, formula, problem))?;
    file.system.rules.extend(rules);
    Ok(())
}

/// Reads a formula about a predicate's arguments, which have these names in it. Returns the constants
/// that stand for the arguments, and the formula.
///
/// # Errors
/// Quantifiers, and whatever else is not one of our terms.
pub fn read_formula(
    pool: &mut TermPool,
    predicate: FunctionId,
    names: &[String],
    text: &str,
) -> Result<(Vec<TermId>, TermId), ReadError> {
    let document = Document::read(text).map_err(|error| ReadError {
        line: error.line,
        problem: error.problem.to_owned(),
    })?;
    let nothing = || ReadError {
        line: 1,
        problem: "one formula is expected".to_owned(),
    };
    let [formula] = document.top() else {
        return Err(nothing());
    };
    let sorts = pool.function_data(predicate).arguments.clone();
    let mut scope = Scope::default();
    let mut formals = Vec::with_capacity(names.len());
    for (name, sort) in names.iter().zip(sorts.iter()) {
        let sort = pool.sort_of(*sort);
        let formal = pool.fresh_symbol("argument", sort);
        scope.bind(name.trim_matches('|'), formal);
        formals.push(formal);
    }
    if formals.len() != sorts.len() {
        return Err(nothing());
    }
    let mut reader = Reader {
        document: &document,
        pool,
        scope: &mut scope,
    };
    let formula = reader.term(*formula)?;
    Ok((formals, formula))
}

/// What a run of `chc solve` may cost and should show.
#[derive(Clone, Debug, Default)]
pub struct ChcOptions {
    pub timeout: Option<Duration>,
    pub derivation: bool,
    pub engine: ChcEngine,
}

/// Who solves.
#[derive(Clone, Debug, Default)]
pub enum ChcEngine {
    /// Spacer in this process, on transformed rules and on rules as they are.
    #[default]
    Spacer,
    /// One member of the portfolio, in this process.
    Alone(&'static Member),
    /// Members in processes of their own.
    Portfolio(Portfolio),
}

/// Solves what was read. Running out of time is `unknown` here, not an error.
pub fn solve(file: &ChcFile, options: &ChcOptions) -> Result<HornAnswer, SolverError> {
    let budget = match options.timeout {
        Some(timeout) => Budget::unlimited().within(timeout),
        None => Budget::unlimited(),
    };
    let engine = &options.engine;
    let options = HornOptions {
        budget,
        derivation: options.derivation,
    };
    let answer = match engine {
        ChcEngine::Spacer => Spacer.solve(&file.pool, &file.system, &[], &options),
        ChcEngine::Alone(member) => Alone(member).solve(&file.pool, &file.system, &[], &options),
        ChcEngine::Portfolio(portfolio) => {
            portfolio.solve_text(&file.text, &file.pool, &file.system, &[], &options)
        }
    };
    match answer {
        Err(SolverError::Exhausted(exhausted)) => {
            Ok(HornAnswer::Unknown(format!("out of {exhausted}")))
        }
        other => other,
    }
}

/// Invariants as an SMT-LIB model.
pub fn model_text(invariants: &Invariants) -> String {
    let mut text = String::from("(\n");
    for interpretation in &invariants.interpretations {
        text.push_str(&interpretation.definition);
        text.push('\n');
    }
    text.push_str(")\n");
    text
}

/// A derivation, one step per line: `step: fact by rule from premises`.
pub fn derivation_text(file: &ChcFile, derivation: &Derivation) -> String {
    let mut text = String::new();
    for (id, step) in derivation.steps.iter() {
        let name = step
            .predicate
            .map_or("false", |p| &file.pool.function_data(p).name);
        let fact = if step.arguments.is_empty() {
            name.to_owned()
        } else {
            format!("({name} {})", step.arguments.join(" "))
        };
        let premises: Vec<String> = step.premises.iter().map(ToString::to_string).collect();
        let rule = &file.system.rules[step.rule].name;
        text.push_str(&format!("{id}: {fact} by {rule}"));
        if !premises.is_empty() {
            text.push_str(&format!(" from {}", premises.join(", ")));
        }
        text.push('\n');
    }
    text
}
