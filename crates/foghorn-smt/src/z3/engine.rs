//! Z3's solver objects, models and proofs. Unsafe calls, under the rules of [`super::context`].

#![allow(unsafe_code)]

use super::context::{Ast, Context, FuncDecl, c_string, count, no_memory, null_result, text};
use crate::error::SolverError;
use crate::patience::{Patience, watched};
use crate::solver::Answer;
use std::rc::Rc;
use z3_sys::{Z3_L_FALSE, Z3_L_TRUE, Z3_ast, Z3_context, Z3_lbool, Z3_model, Z3_params, Z3_solver};

/// Rings a context from another thread.
pub(super) struct Bell(Z3_context);

// SAFETY: Z3 documents interrupting as the one call that may come from another thread while the
// context is in use; the bell is only used while the context is borrowed by a running check.
unsafe impl Send for Bell {}

impl Bell {
    pub fn of(context: &Context) -> Self {
        Bell(context.raw)
    }

    pub fn ring(&self) {
        // SAFETY: see above; the context outlives the check that the bell is made for.
        unsafe { z3_sys::Z3_interrupt(self.0) };
    }
}

/// A value of a solver parameter.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Parameter<'a> {
    Bool(bool),
    Number(u32),
    Symbol(&'a str),
}

impl Context {
    pub(super) fn parameters(
        &self,
        values: &[(&str, Parameter<'_>)],
    ) -> Result<Z3_params, SolverError> {
        // SAFETY: the parameter set is made here and kept alive; names are symbols of this context.
        unsafe {
            let set = z3_sys::Z3_mk_params(self.raw).ok_or_else(no_memory)?;
            z3_sys::Z3_params_inc_ref(self.raw, set);
            for (name, value) in values {
                let name = self.symbol(name)?;
                match value {
                    Parameter::Bool(value) => {
                        z3_sys::Z3_params_set_bool(self.raw, set, name, *value);
                    }
                    Parameter::Number(value) => {
                        z3_sys::Z3_params_set_uint(self.raw, set, name, *value);
                    }
                    Parameter::Symbol(value) => {
                        let value = self.symbol(value)?;
                        z3_sys::Z3_params_set_symbol(self.raw, set, name, value);
                    }
                }
            }
            self.check_error()?;
            Ok(set)
        }
    }
}

/// Which solver Z3 should make.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum EngineKind {
    /// Chooses by itself.
    Default,
    /// Chooses by itself, but keeps the structure of the formula and follows it: for deep nests of
    /// choices, of which few matter at a time. It decides what matters next and not what was in many
    /// conflicts, and leaves conjunctions and disjunctions nested, as what they share is long.
    Structural,
    /// For a logic.
    Logic(&'static str),
    /// From a tactic.
    Tactic(String),
}

/// Z3's number for splitting cases along the structure of the formula.
const BY_RELEVANCE: u32 = 3;

/// A Z3 solver with its context.
pub(crate) struct Engine {
    pub context: Rc<Context>,
    raw: Z3_solver,
}

impl Engine {
    pub fn new(context: Rc<Context>, kind: &EngineKind) -> Result<Self, SolverError> {
        // SAFETY: the context is alive; what Z3 returns is checked and counted at once.
        let raw = unsafe {
            match kind {
                EngineKind::Default | EngineKind::Structural => z3_sys::Z3_mk_solver(context.raw),
                EngineKind::Logic(logic) => {
                    let logic = context.symbol(logic)?;
                    z3_sys::Z3_mk_solver_for_logic(context.raw, logic)
                }
                EngineKind::Tactic(name) => {
                    let name = c_string(name);
                    let tactic = z3_sys::Z3_mk_tactic(context.raw, name.as_ptr());
                    context.check_error()?;
                    let tactic = tactic.ok_or_else(null_result)?;
                    z3_sys::Z3_tactic_inc_ref(context.raw, tactic);
                    let solver = z3_sys::Z3_mk_solver_from_tactic(context.raw, tactic);
                    z3_sys::Z3_tactic_dec_ref(context.raw, tactic);
                    solver
                }
            }
        };
        context.check_error()?;
        let raw = raw.ok_or_else(null_result)?;
        // SAFETY: Z3 has just returned the solver.
        unsafe { z3_sys::Z3_solver_inc_ref(context.raw, raw) };
        let engine = Engine { context, raw };
        if *kind == EngineKind::Structural {
            engine.set(&[
                ("auto_config", Parameter::Bool(false)),
                ("case_split", Parameter::Number(BY_RELEVANCE)),
                ("flat_and_or", Parameter::Bool(false)),
            ])?;
        }
        Ok(engine)
    }

    /// Sets parameters, before anything else is done with the solver.
    fn set(&self, values: &[(&str, Parameter<'_>)]) -> Result<(), SolverError> {
        let parameters = self.context.parameters(values)?;
        // SAFETY: solver and parameters are of this context; the parameters were counted when they
        // were made, and once the solver has its copy nobody else needs them.
        unsafe {
            z3_sys::Z3_solver_set_params(self.context.raw, self.raw, parameters);
            z3_sys::Z3_params_dec_ref(self.context.raw, parameters);
        }
        self.context.check_error()
    }

    pub fn assert(&self, ast: Ast) -> Result<(), SolverError> {
        let ast = self.context.raw_ast(ast);
        // SAFETY: solver and expression are of this context.
        unsafe { z3_sys::Z3_solver_assert(self.context.raw, self.raw, ast) };
        self.context.check_error()
    }

    pub fn push(&self) -> Result<(), SolverError> {
        // SAFETY: the solver is of this context.
        unsafe { z3_sys::Z3_solver_push(self.context.raw, self.raw) };
        self.context.check_error()
    }

    pub fn pop(&self, frames: u32) -> Result<(), SolverError> {
        // SAFETY: the solver is of this context; the caller counts frames.
        unsafe { z3_sys::Z3_solver_pop(self.context.raw, self.raw, frames) };
        self.context.check_error()
    }

    /// Checks under assumptions, within the patience.
    pub fn check(&self, assumptions: &[Ast], patience: &Patience) -> Result<Answer, SolverError> {
        patience.check()?;
        let assumptions: Vec<Z3_ast> = self.context.raw_asts(assumptions);
        let bell = Bell::of(&self.context);
        let run = || -> Z3_lbool {
            // SAFETY: solver and assumptions are of this context, as many as we say.
            unsafe {
                if assumptions.is_empty() {
                    z3_sys::Z3_solver_check(self.context.raw, self.raw)
                } else {
                    z3_sys::Z3_solver_check_assumptions(
                        self.context.raw,
                        self.raw,
                        count(assumptions.len()),
                        assumptions.as_ptr(),
                    )
                }
            }
        };
        let (verdict, spent) = watched(patience, move || bell.ring(), run);
        match verdict {
            Z3_L_TRUE => Ok(Answer::Satisfiable),
            Z3_L_FALSE => Ok(Answer::Unsatisfiable),
            _ => match spent {
                Some(exhausted) => Err(exhausted.into()),
                None => {
                    self.context.check_error()?;
                    Ok(Answer::Unknown(self.reason_unknown()))
                }
            },
        }
    }

    fn reason_unknown(&self) -> String {
        // SAFETY: the solver is of this context; the string is copied at once.
        text(unsafe { z3_sys::Z3_solver_get_reason_unknown(self.context.raw, self.raw) })
    }

    /// The assumptions to blame for the last unsatisfiable answer.
    pub fn core(&self) -> Result<Vec<Ast>, SolverError> {
        // SAFETY: the solver is of this context.
        let vector = unsafe { z3_sys::Z3_solver_get_unsat_core(self.context.raw, self.raw) };
        self.context.check_error()?;
        self.context.vector(vector)
    }

    pub fn proof_text(&self) -> Result<String, SolverError> {
        // SAFETY: the solver is of this context.
        let proof = unsafe { z3_sys::Z3_solver_get_proof(self.context.raw, self.raw) };
        let proof = self.context.ast(proof)?;
        Ok(self.context.ast_text(proof))
    }

    pub fn model(&self) -> Result<Model, SolverError> {
        // SAFETY: the solver is of this context; the model is counted at once.
        let raw = unsafe { z3_sys::Z3_solver_get_model(self.context.raw, self.raw) };
        self.context.check_error()?;
        Model::own(self.context.clone(), raw)
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // SAFETY: counted once in `new`; the context outlives us through the `Rc`.
        unsafe { z3_sys::Z3_solver_dec_ref(self.context.raw, self.raw) };
    }
}

/// A function of a model: exceptions and default.
pub(crate) type Graph = (Vec<(Vec<Ast>, Ast)>, Ast);

/// A model.
pub(crate) struct Model {
    context: Rc<Context>,
    raw: Z3_model,
}

impl Model {
    pub(super) fn own(context: Rc<Context>, raw: Option<Z3_model>) -> Result<Self, SolverError> {
        let raw = raw.ok_or_else(null_result)?;
        // SAFETY: Z3 has just returned the model.
        unsafe { z3_sys::Z3_model_inc_ref(context.raw, raw) };
        Ok(Model { context, raw })
    }

    /// The value of an expression; what the model leaves open is filled in.
    pub fn evaluate(&self, ast: Ast) -> Result<Ast, SolverError> {
        let mut value: Option<Z3_ast> = None;
        // SAFETY: model and expression are of this context. `Option<Z3_ast>` is a nullable
        // pointer, so its address is what the call expects to write a `Z3_ast` to.
        let done = unsafe {
            z3_sys::Z3_model_eval(
                self.context.raw,
                self.raw,
                self.context.raw_ast(ast),
                true,
                (&raw mut value).cast(),
            )
        };
        self.context.check_error()?;
        if !done {
            return Err(SolverError::Z3("the model does not evaluate".into()));
        }
        self.context.ast(value)
    }

    /// The entries and the default of a function that an array of the model is made of.
    pub fn function(&self, decl: FuncDecl) -> Result<Graph, SolverError> {
        let c = self.context.raw;
        // SAFETY: model and declaration are of this context; the interpretation is kept alive
        // while its entries, below their number, are read.
        unsafe {
            let interpretation =
                z3_sys::Z3_model_get_func_interp(c, self.raw, self.context.raw_decl(decl));
            self.context.check_error()?;
            let interpretation = interpretation.ok_or_else(null_result)?;
            z3_sys::Z3_func_interp_inc_ref(c, interpretation);
            let mut entries = Vec::new();
            for i in 0..z3_sys::Z3_func_interp_get_num_entries(c, interpretation) {
                let entry = z3_sys::Z3_func_interp_get_entry(c, interpretation, i)
                    .ok_or_else(null_result)?;
                z3_sys::Z3_func_entry_inc_ref(c, entry);
                let arguments = (0..z3_sys::Z3_func_entry_get_num_args(c, entry))
                    .map(|k| self.context.ast(z3_sys::Z3_func_entry_get_arg(c, entry, k)))
                    .collect::<Result<Vec<_>, _>>()?;
                let value = self
                    .context
                    .ast(z3_sys::Z3_func_entry_get_value(c, entry))?;
                z3_sys::Z3_func_entry_dec_ref(c, entry);
                entries.push((arguments, value));
            }
            let default = self
                .context
                .ast(z3_sys::Z3_func_interp_get_else(c, interpretation))?;
            z3_sys::Z3_func_interp_dec_ref(c, interpretation);
            Ok((entries, default))
        }
    }

    /// The function behind an as-array value.
    pub fn as_array(&self, ast: Ast) -> Result<FuncDecl, SolverError> {
        let c = self.context.raw;
        // SAFETY: the caller has seen that the expression is an as-array of this context.
        let decl = unsafe { z3_sys::Z3_get_as_array_func_decl(c, self.context.raw_ast(ast)) };
        self.context.decl(decl)
    }
}

impl Drop for Model {
    fn drop(&mut self) {
        // SAFETY: counted once in `own`; the context outlives us through the `Rc`.
        unsafe { z3_sys::Z3_model_dec_ref(self.context.raw, self.raw) };
    }
}
