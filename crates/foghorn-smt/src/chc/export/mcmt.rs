//! A transition system in the language of Sally (MCMT), for rules with one premise at most.
//!
//! The state is the predicate of the last fact (`pc`: 0 before any, 1 for `false`) and its
//! arguments, a variable for each predicate and place. A rule is a case of the transition; its own
//! variables are inputs. The query says that `false` is never reached.

use super::unsupported;
use super::words::Names;
use crate::error::SolverError;
use crate::horn::{Application, HornSystem, Rule};
use crate::smtlib::{Script, sort_text};
use foghorn_term::{FunctionId, Substitution, TermId, TermPool};
use rustc_hash::FxHashMap;

const LANGUAGE: &str = "MCMT";

/// Where the arguments of predicates are in the state.
struct State {
    places: FxHashMap<FunctionId, (usize, Vec<String>)>,
    declared: Vec<String>,
}

pub(super) fn export(pool: &TermPool, system: &HornSystem) -> Result<String, SolverError> {
    let mut pool = pool.clone();
    let mut names = Names::default();
    names.fresh("", "pc");
    let state = lay_out(&pool, system, &mut names)?;
    let mut inputs = Vec::new();
    let mut cases = Vec::new();
    for rule in &system.rules {
        cases.push(case(&mut pool, &mut names, &state, rule, &mut inputs)?);
    }
    let fields = state.declared.join(" ");
    Ok(format!(
        ";; Constrained Horn clauses as a transition system: pc 1 is false.\n\
         (define-state-type state (\n  (pc Int) {fields})\n  ({}))\n\
         (define-states start state (= pc 0))\n\
         (define-transition step state (or\n  {}))\n\
         (define-transition-system clauses state start step)\n\
         (query clauses (not (= pc 1)))\n",
        inputs.join(" "),
        cases.join("\n  "),
    ))
}

fn lay_out(pool: &TermPool, system: &HornSystem, names: &mut Names) -> Result<State, SolverError> {
    let mut state = State {
        places: FxHashMap::default(),
        declared: Vec::new(),
    };
    for (number, predicate) in (2..).zip(&system.predicates) {
        let data = pool.function_data(*predicate);
        let mut fields = Vec::with_capacity(data.arguments.len());
        for (place, sort) in data.arguments.iter().enumerate() {
            let name = names.fresh("", &format!("{}_{place}", data.name));
            state
                .declared
                .push(format!("({name} {})", sort_text(pool, *sort)?));
            fields.push(name);
        }
        state.places.insert(*predicate, (number, fields));
    }
    Ok(state)
}

/// A rule as a condition on a state and the next one.
fn case(
    pool: &mut TermPool,
    names: &mut Names,
    state: &State,
    rule: &Rule,
    inputs: &mut Vec<String>,
) -> Result<String, SolverError> {
    let mut inside = Substitution::new();
    for variable in &rule.variables {
        let name = names.fresh("", "input");
        let sort = sort_text(pool, pool.sort_id(*variable))?;
        inputs.push(format!("({name} {sort})"));
        let sort = pool.sort(*variable);
        let symbol = pool.symbol(&format!("input.{name}"), sort);
        inside.insert(pool, *variable, symbol);
    }
    let mut conditions = Vec::new();
    let mut says = |pool: &mut TermPool, when: &str, application: &Application| {
        let (number, fields) = &state.places[&application.predicate];
        conditions.push(format!("(= {when}.pc {number})"));
        for (field, argument) in fields.iter().zip(&application.arguments) {
            let argument = expression(pool, *argument, &inside)?;
            conditions.push(format!("(= {when}.{field} {argument})"));
        }
        Ok::<(), SolverError>(())
    };
    match rule.body.as_slice() {
        [] => {}
        [premise] => says(pool, "state", premise)?,
        _ => return Err(unsupported(LANGUAGE, "a rule with several premises")),
    }
    if let Some(head) = &rule.head {
        says(pool, "next", head)?;
    } else {
        conditions.push("(= next.pc 1)".to_owned());
    }
    if rule.body.is_empty() {
        conditions.push("(= state.pc 0)".to_owned());
    }
    conditions.push(expression(pool, rule.constraint, &inside)?);
    Ok(format!("(and {})", conditions.join(" ")))
}

fn expression(
    pool: &mut TermPool,
    term: TermId,
    inside: &Substitution,
) -> Result<String, SolverError> {
    let renamed = pool.substitute(term, inside);
    Ok(Script::new().closed_term(pool, renamed)?.expression)
}
