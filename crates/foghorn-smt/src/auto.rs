//! `auto`: the solver that fits the formula.
//!
//! Quantifier-free bit-vectors with uninterpreted functions go to [`SatSolver`]; as soon as an
//! assertion that counts has something else in it (floats, arrays, integers), the whole set of
//! assertions goes to Z3. The decision is made per check: when the frame that needed Z3 is popped,
//! `sat` takes over again. An assumption outside the fragment sends that one check to Z3.
//!
//! Formulas about linked structures in memory that nobody wrote are made of equations between
//! pointers, most of them values of functions at pointers that are such values themselves. Z3 sees
//! through many of these at once, where bits take seconds; so it has a moment first. If that is not
//! enough it is not asked again.
//!
//! Each of the two hears an assertion only when a check is to be made by it, so the one that is not
//! needed costs nothing; Z3 is not even started.

use crate::error::SolverError;
use crate::patience::{Interrupter, Patience};
use crate::sat::{Fragment, SatSolver};
use crate::solver::{Answer, Interrupt, Limits, PushPop, Solver, UnsatCore};
use crate::z3::Z3Solver;
use foghorn_core::Budget;
use foghorn_term::eval::Value;
use foghorn_term::{TermId, TermPool};
use std::time::Duration;

/// Who does the work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Route {
    Sat,
    Z3,
}

/// What a solver that joins late has to be told.
#[derive(Clone, Copy)]
enum Command {
    Declare(TermId),
    Assert(TermId),
    Push,
}

/// What one of the two solvers has heard: a prefix of the commands that count.
#[derive(Default)]
struct Heard {
    commands: usize,
    frames: usize,
}

/// Routes each check to `sat` or to Z3.
pub struct AutoSolver {
    sat: SatSolver,
    z3: Option<Z3Solver>,
    heard_by_sat: Heard,
    heard_by_z3: Heard,
    fragment: Fragment,
    /// Everything that counts, pushes included.
    commands: Vec<Command>,
    /// Where each open frame begins in `commands`.
    frames: Vec<usize>,
    /// How many commands before which nothing is outside the fragment.
    first_outside: Option<usize>,
    patience: Patience,
    last: Option<Route>,
    /// Z3 had its moment and found nothing.
    moment_spent: bool,
}

/// What Z3 has for formulas that `sat` could solve too.
const MOMENT: Duration = Duration::from_secs(1);

impl Default for AutoSolver {
    fn default() -> Self {
        Self::new()
    }
}

impl AutoSolver {
    pub fn new() -> Self {
        let patience = Patience::default();
        let mut sat = SatSolver::new();
        sat.share(&patience);
        AutoSolver {
            sat,
            z3: None,
            heard_by_sat: Heard::default(),
            heard_by_z3: Heard::default(),
            fragment: Fragment::default(),
            commands: Vec::new(),
            frames: Vec::new(),
            first_outside: None,
            patience,
            last: None,
            moment_spent: false,
        }
    }

    /// Who made the last check.
    pub fn route(&self) -> Option<Route> {
        self.last
    }

    fn note(&mut self, pool: &TermPool, term: TermId, command: Command) {
        if self.fragment.check(pool, term).is_err() {
            self.first_outside.get_or_insert(self.commands.len());
        }
        self.commands.push(command);
        self.last = None;
    }

    fn z3(&mut self) -> Result<&mut Z3Solver, SolverError> {
        if self.z3.is_none() {
            let mut made = Z3Solver::new()?;
            made.share(&self.patience);
            self.z3 = Some(made);
        }
        let made = self.z3.as_mut();
        Ok(made.expect("invariant: it was made when it was missing"))
    }

    fn choose(&mut self, pool: &TermPool, assumptions: &[TermId]) -> Route {
        let inside = self.first_outside.is_none()
            && assumptions
                .iter()
                .all(|term| self.fragment.check(pool, *term).is_ok());
        if inside { Route::Sat } else { Route::Z3 }
    }

    /// What Z3 says within a moment, if the formula looks like one for it.
    fn moment_of_z3(
        &mut self,
        pool: &TermPool,
        assumptions: &[TermId],
    ) -> Result<Option<Answer>, SolverError> {
        if self.moment_spent || !self.fragment.gives_pointers() {
            return Ok(None);
        }
        self.tell_z3(pool)?;
        let mut patience = self.patience.clone();
        let eighth = patience.budget.remaining().map(|left| left / 8);
        let moment = eighth.map_or(MOMENT, |eighth| eighth.min(MOMENT));
        patience.budget = patience.budget.within(moment);
        let z3 = self.z3()?;
        z3.share(&patience);
        let answer = z3.check_assuming(pool, assumptions);
        let outer = self.patience.clone();
        self.z3()?.share(&outer);
        match answer {
            Ok(answer @ (Answer::Satisfiable | Answer::Unsatisfiable)) => Ok(Some(answer)),
            Ok(Answer::Unknown(_)) | Err(SolverError::Exhausted(_)) => {
                self.patience.check()?;
                self.moment_spent = true;
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    fn tell_sat(&mut self, pool: &TermPool) -> Result<(), SolverError> {
        tell(&mut self.sat, &mut self.heard_by_sat, pool, &self.commands)
    }

    fn tell_z3(&mut self, pool: &TermPool) -> Result<(), SolverError> {
        self.z3()?;
        let z3 = self.z3.as_mut().expect("invariant: it was just made");
        tell(z3, &mut self.heard_by_z3, pool, &self.commands)
    }
}

/// Repeats what a solver has not heard yet.
fn tell(
    solver: &mut impl PushPop,
    heard: &mut Heard,
    pool: &TermPool,
    commands: &[Command],
) -> Result<(), SolverError> {
    for command in &commands[heard.commands..] {
        match command {
            Command::Declare(symbol) => solver.declare(pool, *symbol)?,
            Command::Assert(term) => solver.assert(pool, *term)?,
            Command::Push => {
                solver.push()?;
                heard.frames += 1;
            }
        }
        heard.commands += 1;
    }
    Ok(())
}

/// Takes back the frames of a solver that begin at command `end` or later.
fn forget(
    solver: &mut impl PushPop,
    heard: &mut Heard,
    end: usize,
    frames: usize,
) -> Result<(), SolverError> {
    if heard.frames > frames {
        solver.pop(heard.frames - frames)?;
        heard.frames = frames;
    }
    heard.commands = heard.commands.min(end);
    Ok(())
}

impl Solver for AutoSolver {
    fn name(&self) -> &str {
        "auto"
    }

    fn declare(&mut self, pool: &TermPool, symbol: TermId) -> Result<(), SolverError> {
        self.note(pool, symbol, Command::Declare(symbol));
        Ok(())
    }

    fn assert(&mut self, pool: &TermPool, term: TermId) -> Result<(), SolverError> {
        self.note(pool, term, Command::Assert(term));
        Ok(())
    }

    fn check_assuming(
        &mut self,
        pool: &TermPool,
        assumptions: &[TermId],
    ) -> Result<Answer, SolverError> {
        self.last = None;
        let mut route = self.choose(pool, assumptions);
        let answer = match route {
            Route::Sat => {
                if let Some(answer) = self.moment_of_z3(pool, assumptions)? {
                    route = Route::Z3;
                    answer
                } else {
                    self.tell_sat(pool)?;
                    self.sat.check_assuming(pool, assumptions)?
                }
            }
            Route::Z3 => {
                self.tell_z3(pool)?;
                self.z3()?.check_assuming(pool, assumptions)?
            }
        };
        tracing::debug!(?route, answer = answer.word(), "routed");
        self.last = Some(route);
        Ok(answer)
    }

    fn value(&mut self, pool: &TermPool, term: TermId) -> Result<Value, SolverError> {
        match self.last {
            None => Err(SolverError::NoModel),
            Some(Route::Sat) => self.sat.value(pool, term),
            Some(Route::Z3) => self.z3()?.value(pool, term),
        }
    }
}

impl PushPop for AutoSolver {
    fn push(&mut self) -> Result<(), SolverError> {
        self.frames.push(self.commands.len());
        self.commands.push(Command::Push);
        self.last = None;
        Ok(())
    }

    fn pop(&mut self, frames: usize) -> Result<(), SolverError> {
        let available = self.frames.len();
        if frames > available {
            return Err(SolverError::NothingToPop {
                wanted: frames,
                available,
            });
        }
        self.last = None;
        let left = available - frames;
        let Some(end) = self.frames.get(left).copied() else {
            return Ok(());
        };
        self.frames.truncate(left);
        self.commands.truncate(end);
        self.first_outside = self.first_outside.filter(|first| *first < end);
        forget(&mut self.sat, &mut self.heard_by_sat, end, left)?;
        match &mut self.z3 {
            None => Ok(()),
            Some(z3) => forget(z3, &mut self.heard_by_z3, end, left),
        }
    }
}

impl UnsatCore for AutoSolver {
    fn core(&mut self) -> Result<Vec<TermId>, SolverError> {
        match self.last {
            None => Err(SolverError::NoCore),
            Some(Route::Sat) => self.sat.core(),
            Some(Route::Z3) => self.z3()?.core(),
        }
    }
}

impl Interrupt for AutoSolver {
    fn interrupter(&self) -> Interrupter {
        self.patience.interrupter()
    }
}

impl Limits for AutoSolver {
    fn set_budget(&mut self, budget: Budget) {
        self.patience.budget = budget;
        self.sat.share(&self.patience);
        if let Some(z3) = &mut self.z3 {
            z3.share(&self.patience);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use foghorn_term::Sort;

    #[test]
    fn what_is_asserted_decides_who_answers() {
        let mut pool = TermPool::new();
        let x = pool.bv_symbol("x", 8);
        let (five, n) = (pool.bv(8, 5), pool.symbol("n", Sort::Int));
        let small = pool.bv_ult(x, five);
        let number = pool.int(7);
        let positive = pool.equal(n, number);
        let mut solver = AutoSolver::new();
        solver.assert(&pool, small).unwrap();
        assert_eq!(solver.check(&pool).unwrap(), Answer::Satisfiable);
        assert_eq!(solver.route(), Some(Route::Sat));
        assert!(solver.z3.is_none());
        solver.push().unwrap();
        solver.assert(&pool, positive).unwrap();
        assert_eq!(solver.check(&pool).unwrap(), Answer::Satisfiable);
        assert_eq!(solver.route(), Some(Route::Z3));
        assert_eq!(solver.value(&pool, n).unwrap(), Value::Int(7.into()));
        solver.pop(1).unwrap();
        // An assumption sends one check to Z3, which remembers the first assertion.
        let large = pool.not(small);
        assert_eq!(
            solver.check_assuming(&pool, &[positive, large]).unwrap(),
            Answer::Unsatisfiable
        );
        assert_eq!(solver.route(), Some(Route::Z3));
        assert_eq!(
            solver.check_assuming(&pool, &[large]).unwrap(),
            Answer::Unsatisfiable
        );
        assert_eq!(solver.route(), Some(Route::Sat));
        assert_eq!(solver.core().unwrap(), vec![large]);
    }

    #[test]
    fn pointers_from_functions_have_a_moment_of_z3() {
        let mut pool = TermPool::new();
        let pointer = pool.sort_intern(Sort::Pointer { width: 16 });
        let next = pool.function("next", &[pointer], pointer).unwrap();
        let p = pool.symbol("p", Sort::Pointer { width: 16 });
        let q = pool.apply(next, &[p]);
        let r = pool.apply(next, &[q]);
        let back = pool.equal(q, p);
        let not_back = pool.equal(r, p);
        let not_back = pool.not(not_back);
        let mut solver = AutoSolver::new();
        solver.assert(&pool, back).unwrap();
        assert_eq!(solver.check(&pool).unwrap(), Answer::Satisfiable);
        assert_eq!(solver.route(), Some(Route::Z3));
        let answer = solver.check_assuming(&pool, &[not_back]);
        assert_eq!(answer.unwrap(), Answer::Unsatisfiable);
        solver.moment_spent = true;
        let answer = solver.check_assuming(&pool, &[not_back]);
        assert_eq!(answer.unwrap(), Answer::Unsatisfiable);
        assert_eq!(solver.route(), Some(Route::Sat));
    }
}
