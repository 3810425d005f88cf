//! `auto`: the solver that fits the formula.
//!
//! Quantifier-free bit-vectors with uninterpreted functions go to [`SatSolver`]; as soon as an
//! assertion that counts has something else in it (floats, arrays, integers), the whole set of
//! assertions goes to Z3. The decision is made per check: when the frame that needed Z3 is popped,
//! `sat` takes over again. An assumption outside the fragment sends that one check to Z3.
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
}

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
        let route = self.choose(pool, assumptions);
        let answer = match route {
            Route::Sat => {
                self.tell_sat(pool)?;
                self.sat.check_assuming(pool, assumptions)?
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
}
