//! A Horn system as an SMT-LIB file of the HORN logic.
//!
//! What is printed is in the subset of CHC-COMP but for the names of rules (`:named`), and [`super::read`]
//! reads the same system back: the same predicates in the same order, the same rules under the same
//! names with the same variables in the same order.

use crate::error::SolverError;
use crate::horn::{Application, HornSystem, Rule};
use crate::smtlib::{Script, sort_text, symbol};
use foghorn_term::{Op, TermId, TermPool};

/// The text of a file that asks whether the system has a solution.
///
/// # Errors
/// Sorts and operators that SMT-LIB does not have are unsupported.
pub fn print(pool: &TermPool, system: &HornSystem) -> Result<String, SolverError> {
    let mut text = String::from("(set-logic HORN)\n");
    for predicate in &system.predicates {
        let data = pool.function_data(*predicate);
        let sorts: Vec<String> = data
            .arguments
            .iter()
            .map(|sort| sort_text(pool, *sort))
            .collect::<Result<_, _>>()?;
        text.push_str(&format!(
            "(declare-fun {} ({}) Bool)\n",
            symbol(&data.name),
            sorts.join(" ")
        ));
    }
    for rule in &system.rules {
        print_rule(pool, rule, &mut text)?;
    }
    text.push_str("(check-sat)\n(exit)\n");
    Ok(text)
}

fn print_rule(pool: &TermPool, rule: &Rule, text: &mut String) -> Result<(), SolverError> {
    let mut variables = Vec::with_capacity(rule.variables.len());
    for variable in &rule.variables {
        let Op::Symbol(id) = pool.op(*variable) else {
            return Err(SolverError::Internal(
                "a rule quantifies what is no variable".into(),
            ));
        };
        let sort = sort_text(pool, pool.sort_id(*variable))?;
        variables.push(format!("({} {sort})", symbol(&pool.symbol_data(id).name)));
    }
    let mut body = Vec::with_capacity(rule.body.len() + 1);
    for premise in &rule.body {
        body.push(application(pool, premise)?);
    }
    body.push(expression(pool, rule.constraint)?);
    let head = match &rule.head {
        Some(head) => application(pool, head)?,
        None => "false".to_owned(),
    };
    let clause = format!("(=> (and {}) {head})", body.join(" "));
    let closed = match variables.is_empty() {
        true => clause,
        false => format!("(forall ({}) {clause})", variables.join(" ")),
    };
    let name = symbol(&rule.name);
    text.push_str(&format!("(assert (! {closed} :named {name}))\n"));
    Ok(())
}

fn application(pool: &TermPool, application: &Application) -> Result<String, SolverError> {
    let name = symbol(&pool.function_data(application.predicate).name);
    if application.arguments.is_empty() {
        return Ok(name);
    }
    let mut text = format!("({name}");
    for argument in &application.arguments {
        text.push(' ');
        text.push_str(&expression(pool, *argument)?);
    }
    text.push(')');
    Ok(text)
}

/// A term with `let`; its symbols are bound by the rule's quantifier.
fn expression(pool: &TermPool, term: TermId) -> Result<String, SolverError> {
    Ok(Script::new().closed_term(pool, term)?.expression)
}
