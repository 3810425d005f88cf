//! Z3 in process behind the solver traits.

use super::context::{Ast, Context};
use super::convert::Converter;
use super::engine::{Engine, EngineKind, Model};
use super::read;
use crate::error::SolverError;
use crate::patience::{Interrupter, Patience};
use crate::solver::{Answer, Interrupt, Limits, Proof, Proofs, PushPop, Solver, Tactic, UnsatCore};
use foghorn_core::Budget;
use foghorn_term::eval::Value;
use foghorn_term::{TermId, TermPool};
use std::rc::Rc;

/// Z3 in process, with a context of its own.
pub struct Z3Solver {
    context: Rc<Context>,
    converter: Converter,
    engine: Engine,
    kind: EngineKind,
    /// Assertions per frame, to move them to another engine.
    frames: Vec<Vec<Ast>>,
    patience: Patience,
    /// The last check's assumptions, or those to blame, with what stands for them in the engine.
    assumptions: Vec<(TermId, Ast)>,
    last: Last,
    proofs: bool,
}

enum Last {
    Nothing,
    Satisfiable(Model),
    Unsatisfiable,
}

// SAFETY: a Z3 context may be used from any thread as long as no two use it at once. Every `Rc` to
// the context is inside this struct and none is handed out, so they move together, and the methods
// that use it take `&mut self`.
#[allow(unsafe_code)]
unsafe impl Send for Z3Solver {}

impl Z3Solver {
    /// Budget and interrupts are those of whoever uses this solver as a part.
    pub(crate) fn share(&mut self, patience: &Patience) {
        self.patience = patience.clone();
    }

    /// Z3 as it chooses to be.
    pub fn new() -> Result<Self, SolverError> {
        Self::with(&EngineKind::Default, false)
    }

    /// Z3's incremental solver for quantifier-free bit-vectors.
    pub fn for_bit_vectors() -> Result<Self, SolverError> {
        Self::with(&EngineKind::Logic("QF_BV"), false)
    }

    /// Z3 with proof production, which makes it slower.
    pub fn with_proofs() -> Result<Self, SolverError> {
        Self::with(&EngineKind::Default, true)
    }

    fn with(kind: &EngineKind, proofs: bool) -> Result<Self, SolverError> {
        let parameters: &[(&str, &str)] = if proofs { &[("proof", "true")] } else { &[] };
        let context = Rc::new(Context::new(parameters)?);
        Ok(Z3Solver {
            engine: Engine::new(context.clone(), kind)?,
            kind: kind.clone(),
            context,
            converter: Converter::for_solving(),
            frames: vec![Vec::new()],
            patience: Patience::default(),
            assumptions: Vec::new(),
            last: Last::Nothing,
            proofs,
        })
    }

    fn convert(&mut self, pool: &TermPool, term: TermId) -> Result<Ast, SolverError> {
        self.converter.term(&self.context, pool, term)
    }

    /// Converts a formula that is to hold, and changes to the engine that is best for it. No frame
    /// is open but those of the user.
    fn formula(&mut self, pool: &TermPool, term: TermId) -> Result<Ast, SolverError> {
        let ast = self.convert(pool, term)?;
        if self.kind == EngineKind::Default && self.converter.takes_apart() {
            self.move_to(EngineKind::Structural)?;
        }
        Ok(ast)
    }

    /// Goes on with another engine.
    fn move_to(&mut self, kind: EngineKind) -> Result<(), SolverError> {
        let engine = Engine::new(self.context.clone(), &kind)?;
        for (depth, frame) in self.frames.iter().enumerate() {
            if depth > 0 {
                engine.push()?;
            }
            for ast in frame {
                engine.assert(*ast)?;
            }
        }
        self.engine = engine;
        self.kind = kind;
        Ok(())
    }

    /// Tells the engine the assumptions of a check, in a frame that is open for them, and returns
    /// the literals to check under.
    ///
    /// A single assumption is asserted: the frame takes it back, and if anything is to blame for a
    /// refutation beside the assertions it is this one. As a literal it would be a decision, and
    /// all that Z3 concludes from the formula, such as what a chain of stores has at an index, would
    /// be concluded anew after each conflict and restart.
    fn assume(&mut self, pool: &TermPool, assumptions: &[TermId]) -> Result<Vec<Ast>, SolverError> {
        if let [only] = assumptions {
            let ast = self.convert(pool, *only)?;
            self.engine.assert(ast)?;
            self.assumptions.push((*only, ast));
            return Ok(vec![]);
        }
        let mut selectors = Vec::with_capacity(assumptions.len());
        for term in assumptions {
            let selector = self.assumption(pool, *term)?;
            self.assumptions.push((*term, selector));
            selectors.push(selector);
        }
        Ok(selectors)
    }

    /// Checks with assumptions, in a frame that is open for them, and remembers what the answer
    /// comes from.
    fn check_in_frame(
        &mut self,
        pool: &TermPool,
        assumptions: &[TermId],
    ) -> Result<Answer, SolverError> {
        let selectors = self.assume(pool, assumptions)?;
        let answer = self.engine.check(&selectors, &self.patience);
        self.patience.check_is_over();
        self.last = match &answer {
            Ok(Answer::Satisfiable) => Last::Satisfiable(self.engine.model()?),
            Ok(Answer::Unsatisfiable) => {
                if !selectors.is_empty() {
                    let core = self.engine.core()?;
                    self.assumptions.retain(|(_, ast)| core.contains(ast));
                }
                Last::Unsatisfiable
            }
            Ok(Answer::Unknown(_)) | Err(_) => Last::Nothing,
        };
        answer
    }

    /// One of several assumptions must be a literal for Z3 to blame it; any term gets a name that
    /// implies it.
    fn assumption(&mut self, pool: &TermPool, term: TermId) -> Result<Ast, SolverError> {
        let ast = self.convert(pool, term)?;
        let name = format!("assume!{}", term.as_u32());
        let decl = self
            .context
            .declare(&name, &[], self.context.boolean_sort()?)?;
        let selector = self.context.apply(decl, &[])?;
        let guarded = self
            .context
            .build_op(foghorn_term::Op::Implies, &[selector, ast])?;
        self.engine.assert(guarded)?;
        Ok(selector)
    }
}

impl Solver for Z3Solver {
    fn name(&self) -> &str {
        "z3"
    }

    fn declare(&mut self, pool: &TermPool, symbol: TermId) -> Result<(), SolverError> {
        self.convert(pool, symbol).map(|_| ())
    }

    fn assert(&mut self, pool: &TermPool, term: TermId) -> Result<(), SolverError> {
        let ast = self.formula(pool, term)?;
        self.last = Last::Nothing;
        self.engine.assert(ast)?;
        self.frames
            .last_mut()
            .expect("invariant: there is always a frame")
            .push(ast);
        Ok(())
    }

    fn check_assuming(
        &mut self,
        pool: &TermPool,
        assumptions: &[TermId],
    ) -> Result<Answer, SolverError> {
        self.last = Last::Nothing;
        self.assumptions.clear();
        for term in assumptions {
            self.formula(pool, *term)?;
        }
        // A frame of their own for the assumptions, so that they do not pile up.
        let framed = !assumptions.is_empty();
        if framed {
            self.engine.push()?;
        }
        let answer = self.check_in_frame(pool, assumptions);
        if framed {
            self.engine.pop(1)?;
        }
        answer
    }

    fn value(&mut self, pool: &TermPool, term: TermId) -> Result<Value, SolverError> {
        let ast = self.convert(pool, term)?;
        let Last::Satisfiable(model) = &self.last else {
            return Err(SolverError::NoModel);
        };
        let evaluated = model.evaluate(ast)?;
        read::value(&self.context, model, pool, pool.sort_id(term), evaluated)
    }
}

impl PushPop for Z3Solver {
    fn push(&mut self) -> Result<(), SolverError> {
        self.last = Last::Nothing;
        self.frames.push(Vec::new());
        self.engine.push()
    }

    fn pop(&mut self, frames: usize) -> Result<(), SolverError> {
        let available = self.frames.len() - 1;
        if frames > available {
            return Err(SolverError::NothingToPop {
                wanted: frames,
                available,
            });
        }
        self.last = Last::Nothing;
        self.frames.truncate(available + 1 - frames);
        self.engine.pop(super::context::count(frames))
    }
}

impl UnsatCore for Z3Solver {
    fn core(&mut self) -> Result<Vec<TermId>, SolverError> {
        match self.last {
            Last::Unsatisfiable => Ok(self.assumptions.iter().map(|(term, _)| *term).collect()),
            Last::Nothing | Last::Satisfiable(_) => Err(SolverError::NoCore),
        }
    }
}

impl Interrupt for Z3Solver {
    fn interrupter(&self) -> Interrupter {
        self.patience.interrupter()
    }
}

impl Limits for Z3Solver {
    fn set_budget(&mut self, budget: Budget) {
        self.patience.budget = budget;
    }
}

impl Tactic for Z3Solver {
    fn set_tactic(&mut self, tactic: &str) -> Result<(), SolverError> {
        self.move_to(EngineKind::Tactic(tactic.to_owned()))?;
        self.last = Last::Nothing;
        Ok(())
    }
}

impl Proofs for Z3Solver {
    fn proof(&mut self) -> Result<Proof, SolverError> {
        if !self.proofs {
            return Err(SolverError::NoProof("this solver was made without proofs"));
        }
        match self.last {
            Last::Unsatisfiable => self.engine.proof_text().map(Proof::Term),
            Last::Nothing | Last::Satisfiable(_) => Err(SolverError::NoProof(
                "the last check did not say unsatisfiable",
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use foghorn_term::Sort;

    /// An array with a store of each index's own number at each of 64 indices.
    fn identity(pool: &mut TermPool) -> TermId {
        let sort = pool.array_sort(Sort::BitVec(8), Sort::BitVec(8));
        let mut array = pool.symbol("a", sort);
        for number in 0..64 {
            let literal = pool.bv(8, number);
            array = pool.store(array, literal, literal);
        }
        array
    }

    #[test]
    fn frames_survive_the_change_of_engines() {
        let mut pool = TermPool::new();
        let (x, five) = (pool.bv_symbol("x", 8), pool.bv(8, 5));
        let small = pool.bv_ult(x, five);
        let array = identity(&mut pool);
        let read = pool.select(array, x);
        let (other, itself) = (pool.not_equal(read, x), pool.equal(read, x));
        let mut solver = Z3Solver::new().unwrap();
        solver.push().unwrap();
        solver.assert(&pool, small).unwrap();
        assert_eq!(solver.check(&pool).unwrap(), Answer::Satisfiable);
        assert_eq!(solver.kind, EngineKind::Default);
        // As an assumption, which no frame but the user's may see.
        let answer = solver.check_assuming(&pool, &[other]);
        assert_eq!(answer.unwrap(), Answer::Unsatisfiable);
        assert_eq!(solver.core().unwrap(), [other]);
        assert_eq!(solver.kind, EngineKind::Structural);
        solver.assert(&pool, itself).unwrap();
        assert_eq!(solver.check(&pool).unwrap(), Answer::Satisfiable);
        solver.pop(1).unwrap();
        // Without the bound on x, what the array is elsewhere is open.
        let answer = solver.check_assuming(&pool, &[other]);
        assert_eq!(answer.unwrap(), Answer::Satisfiable);
        let value = solver.value(&pool, x).unwrap();
        assert!(value.as_bitvec().to_u64().is_some_and(|value| value >= 64));
        assert!(solver.pop(1).is_err());
    }
}
