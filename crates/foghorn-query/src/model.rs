//! Models: the values that a solver gives to all that a formula mentions.

use foghorn_smt::SolverError;
use foghorn_smt::solver::Solver;
use foghorn_term::eval::{FunctionValue, Model};
use foghorn_term::{FunctionId, Op, TermId, TermPool};
use std::collections::BTreeMap;

/// The values of everything that a formula mentions in the solver's model.
pub fn model(
    solver: &mut dyn Solver,
    pool: &TermPool,
    roots: &[TermId],
) -> Result<Model, SolverError> {
    let mut model = Model::new();
    for term in pool.post_order(roots) {
        let outcome = match pool.op(term) {
            Op::Symbol(symbol) => solver
                .value(pool, term)
                .map(|value| model.set(symbol, value)),
            Op::Apply(function) => application(solver, pool, term, function, &mut model),
            _ => Ok(()),
        };
        match outcome {
            // What the solver cannot even speak of was not in its question, and may be anything.
            Ok(()) | Err(SolverError::Unsupported { .. }) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(model)
}

/// One point of a function.
fn application(
    solver: &mut dyn Solver,
    pool: &TermPool,
    term: TermId,
    function: FunctionId,
    model: &mut Model,
) -> Result<(), SolverError> {
    let arguments = pool
        .children(term)
        .iter()
        .map(|&argument| solver.value(pool, argument))
        .collect::<Result<Vec<_>, _>>()?;
    let value = solver.value(pool, term)?;
    let mut known = model.function(function).cloned().unwrap_or_else(|| {
        let sort = pool.function_data(function).sort;
        FunctionValue {
            default: Model::default_value(pool, sort),
            entries: BTreeMap::new(),
        }
    });
    known.entries.insert(arguments, value);
    model.set_function(function, known);
    Ok(())
}
