//! Parameters of templates: from bottom to a fixpoint, by states that the solver shows (§2.4.1 of the 2LS thesis).
//!
//! Each round asks for a back edge that is taken from a state in the invariant and leads out of it (formula 2.18). The
//! states of the model are joined; when there is none left, the invariant is one: that last answer is the proof. A row
//! that keeps growing is not enumerated to its end. Its bound is searched for ([`search`]), between where it stands and
//! the largest number there is, asking each time whether the bound alone would be inductive; so it takes as many
//! questions as the number has bits, or as the program has constants.

mod search;

use crate::invariant::{Invariants, Row};
use crate::problem::Problem;
use crate::sabotage::Sabotage;
use foghorn_core::Budget;
use foghorn_encode::execute::event::What;
use foghorn_query::Session;
use foghorn_smt::SolverError;
use foghorn_smt::solver::Answer;
use foghorn_term::eval::{EvalError, Evaluator};
use foghorn_term::{BitVecValue, TermId};
use num_bigint::BigInt;
use std::str::FromStr;

/// How parameters are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strategy {
    /// State by state, to the end.
    Enumeration,
    /// Bounds by binary search.
    Search,
    /// A few states, then bounds among the program's constants, then by binary search.
    #[default]
    Mixed,
}

impl Strategy {
    /// How often a row may grow before its bound is searched for.
    fn patience(self) -> u32 {
        match self {
            Strategy::Enumeration => u32::MAX,
            Strategy::Search => 1,
            Strategy::Mixed => 3,
        }
    }
}

/// A name that no strategy has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no strategy `{0}`: choose enumeration, search or mixed")]
pub struct NoSuchStrategy(String);

impl FromStr for Strategy {
    type Err = NoSuchStrategy;

    fn from_str(name: &str) -> Result<Self, NoSuchStrategy> {
        match name {
            "enumeration" => Ok(Strategy::Enumeration),
            "search" => Ok(Strategy::Search),
            "mixed" => Ok(Strategy::Mixed),
            other => Err(NoSuchStrategy(other.to_owned())),
        }
    }
}

/// How often a state may make a row without a bound larger before it is widened.
const PATIENCE_WITH_CASES: u32 = 32;

/// How often a bound is searched for before it is given up.
const MOST_SEARCHES: u32 = 3;

/// States after which rows are widened, and after which those that still grow are given up.
const PATIENCE_WITH_STATES: (u32, u32) = (100, 300);

/// What became of a search for parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Inferred {
    /// The solver has said that nothing leads out.
    Fixpoint,
    /// It has not: nothing is said of any loop.
    GivenUp(String),
}

/// A search for parameters.
pub struct Inference<'a> {
    pub problem: &'a Problem,
    pub session: &'a mut Session,
    pub strategy: Strategy,
    pub budget: &'a Budget,
    /// What holds at heads besides, where loop-back values are selected.
    pub assumed: &'a [TermId],
    /// Numbers of the program, in order.
    pub constants: &'a [BigInt],
    /// States that were joined.
    pub states: u32,
    /// Called with the invariants after each state that was joined.
    pub watch: &'a mut dyn FnMut(&Invariants),
}

impl Inference<'_> {
    /// Finds parameters, from those that there are. In the last third of the time every row is given up that grows once
    /// more, so that what is left is an invariant in most cases.
    pub fn run(&mut self, invariants: &mut Invariants) -> Result<Inferred, SolverError> {
        let most = self.budget.remaining().map(|left| left / 3 * 2);
        let calm = most.map(|most| self.budget.within(most));
        loop {
            let is_hasty = calm.as_ref().is_some_and(|calm| calm.check().is_err());
            if self.budget.check().is_err() {
                invariants.forget();
                return Ok(Inferred::GivenUp("out of time".to_owned()));
            }
            match self.find_way_out(invariants)? {
                Answer::Unsatisfiable => return Ok(Inferred::Fixpoint),
                Answer::Unknown(why) => {
                    invariants.forget();
                    return Ok(Inferred::GivenUp(why));
                }
                Answer::Satisfiable => {
                    let grown = match self.join_model(invariants, is_hasty) {
                        Ok(grown) => grown,
                        Err(Trouble::Solver(error)) => return Err(error),
                        Err(Trouble::Model(error)) => {
                            invariants.forget();
                            return Ok(Inferred::GivenUp(error));
                        }
                    };
                    (self.watch)(invariants);
                    if !grown {
                        invariants.forget();
                        let why = "the solver's model leads out of no invariant".to_owned();
                        return Ok(Inferred::GivenUp(why));
                    }
                    if !is_hasty {
                        self.search_bounds(invariants)?;
                    }
                }
            }
        }
    }

    /// Asks whether something leads out of the invariants.
    fn find_way_out(&mut self, invariants: &Invariants) -> Result<Answer, SolverError> {
        let pool = &mut self.session.pool;
        let mut assumptions = vec![self.problem.taken];
        assumptions.extend_from_slice(self.problem.windows());
        assumptions.extend_from_slice(self.assumed);
        assumptions.extend(self.problem.invariants(pool, invariants));
        for edge in &self.problem.back_edges {
            let cut = &self.problem.loops[edge.cut];
            let Some(invariant) = invariants.of(cut) else {
                continue;
            };
            let mut holds = vec![];
            for row in &invariant.rows {
                let is_forgotten = self.problem.sabotage == Sabotage::ForgottenElement;
                if is_forgotten && row.template.is_of_arrays() {
                    continue;
                }
                let mut template = row.template.clone();
                if let (Sabotage::BoundOffByOne, Some((bound, _))) =
                    (self.problem.sabotage, template.bound())
                {
                    template.raise(bound + 1);
                }
                holds.push(template.formula(pool, &edge.values));
            }
            let holds = pool.and(&holds);
            let left = pool.not(holds);
            assumptions.push(pool.implies(edge.wanted, left));
        }
        ask(self.session, &assumptions, self.budget)
    }

    /// Joins the states of all back edges that the model takes; whether anything grew.
    fn join_model(&mut self, invariants: &mut Invariants, is_hasty: bool) -> Result<bool, Trouble> {
        self.states += 1;
        let problem = self.problem;
        let mut roots: Vec<TermId> = vec![problem.taken];
        for edge in &problem.back_edges {
            roots.push(edge.target.condition);
            roots.extend_from_slice(&edge.values);
        }
        let model = self.session.model(&roots).map_err(Trouble::Solver)?;
        let mut evaluator = Evaluator::new(&self.session.pool, &model);
        let end = first_unpassed(&mut evaluator, problem)?;
        let mut grew = false;
        for edge in &problem.back_edges {
            if edge.target.position > end {
                continue;
            }
            if !evaluator.evaluate(edge.target.condition)?.as_bool() {
                continue;
            }
            let mut state: Vec<BitVecValue> = vec![];
            for &value in &edge.values {
                state.push(evaluator.evaluate(value)?.as_bitvec().clone());
            }
            let Some(invariant) = invariants.of_mut(&problem.loops[edge.cut]) else {
                continue;
            };
            for row in &mut invariant.rows {
                let has_grown = grow(row, &state, self.strategy, self.states);
                // What tells cases apart says nothing before it has all of them.
                if has_grown && is_hasty && !row.template.has_many_cases() {
                    row.template.forget();
                }
                grew |= has_grown;
            }
        }
        Ok(grew)
    }
}

/// Makes a row as much larger as a state needs, or more where it keeps growing; whether it changed.
fn grow(row: &mut Row, state: &[BitVecValue], strategy: Strategy, states: u32) -> bool {
    let is_patient = strategy == Strategy::Enumeration;
    let has_cases = row.template.bound().is_none() && !row.template.is_bottom();
    // Its cases end by themselves.
    let is_patient = is_patient || row.template.has_many_cases();
    let is_slow = has_cases && row.grown > PATIENCE_WITH_CASES;
    let changed = match is_slow || (!is_patient && states > PATIENCE_WITH_STATES.0) {
        true => row.template.widen(state),
        false => row.template.join(state),
    };
    row.grown += u32::from(changed);
    let is_hopeless = row.searched >= MOST_SEARCHES || states > PATIENCE_WITH_STATES.1;
    if changed && !is_patient && is_hopeless {
        row.template.forget();
    }
    changed
}

/// Why a model could not be used.
enum Trouble {
    Solver(SolverError),
    Model(String),
}

impl From<EvalError> for Trouble {
    fn from(error: EvalError) -> Self {
        Trouble::Model(error.to_string())
    }
}

/// The first event whose condition an execution does not pass; the number of all if it passes all.
fn first_unpassed(evaluator: &mut Evaluator<'_>, problem: &Problem) -> Result<usize, EvalError> {
    for (index, event) in problem.events.iter().enumerate() {
        let condition = match &event.what {
            What::Assume { condition }
            | What::Check { condition, .. }
            | What::Obligation { condition, .. } => *condition,
            What::Input { .. } | What::Read { .. } | What::Unwinding { .. } => continue,
        };
        if evaluator.evaluate(event.guard)?.as_bool() && !evaluator.evaluate(condition)?.as_bool() {
            return Ok(index);
        }
    }
    Ok(problem.events.len())
}

/// Asks whether formulas have a common model.
pub fn ask(
    session: &mut Session,
    assumptions: &[TermId],
    budget: &Budget,
) -> Result<Answer, SolverError> {
    session.ask_all(assumptions, budget)
}
