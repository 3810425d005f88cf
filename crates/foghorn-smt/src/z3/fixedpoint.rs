//! Z3's fixed-point engine, Spacer. Unsafe calls, under the rules of [`super::context`].

#![allow(unsafe_code)]

use super::context::{Ast, Context, FuncDecl, null_result, text};
use super::engine::{Bell, Parameter};
use crate::error::SolverError;
use crate::patience::{Patience, watched};
use crate::solver::Answer;
use std::rc::Rc;
use z3_sys::{Z3_L_FALSE, Z3_L_TRUE, Z3_fixedpoint};

/// A fixed-point engine with its context.
pub(crate) struct Fixedpoint {
    pub context: Rc<Context>,
    raw: Z3_fixedpoint,
}

impl Fixedpoint {
    pub fn new(
        context: Rc<Context>,
        parameters: &[(&str, Parameter<'_>)],
    ) -> Result<Self, SolverError> {
        let set = context.parameters(parameters)?;
        // SAFETY: the engine is made in this context, checked and counted at once; our count of
        // the parameters is given back.
        let raw = unsafe {
            let raw = z3_sys::Z3_mk_fixedpoint(context.raw);
            context.check_error()?;
            let raw = raw.ok_or_else(null_result)?;
            z3_sys::Z3_fixedpoint_inc_ref(context.raw, raw);
            z3_sys::Z3_fixedpoint_set_params(context.raw, raw, set);
            z3_sys::Z3_params_dec_ref(context.raw, set);
            raw
        };
        let made = Fixedpoint { context, raw };
        made.context.check_error()?;
        Ok(made)
    }

    pub fn register(&self, predicate: FuncDecl) -> Result<(), SolverError> {
        let predicate = self.context.raw_decl(predicate);
        // SAFETY: engine and declaration are of this context.
        unsafe { z3_sys::Z3_fixedpoint_register_relation(self.context.raw, self.raw, predicate) };
        self.context.check_error()
    }

    pub fn add_rule(&self, rule: Ast, name: &str) -> Result<(), SolverError> {
        let name = self.context.symbol(name)?;
        let rule = self.context.raw_ast(rule);
        // SAFETY: engine, rule and symbol are of this context.
        unsafe { z3_sys::Z3_fixedpoint_add_rule(self.context.raw, self.raw, rule, Some(name)) };
        self.context.check_error()
    }

    /// A lemma of every frame, over the de Bruijn variables of the predicate's arguments.
    ///
    /// Spacer believes it. It must have been proved inductive.
    pub fn add_cover_of_every_frame(
        &self,
        predicate: FuncDecl,
        lemma: Ast,
    ) -> Result<(), SolverError> {
        let predicate = self.context.raw_decl(predicate);
        let lemma = self.context.raw_ast(lemma);
        // SAFETY: engine, declaration and lemma are of this context.
        unsafe {
            z3_sys::Z3_fixedpoint_add_cover(self.context.raw, self.raw, -1, predicate, lemma);
        }
        self.context.check_error()
    }

    /// A background invariant, used in inductive generalisation only (with `spacer.use_bg_invs`).
    ///
    /// Spacer believes it. It must have been proved inductive.
    pub fn add_background_invariant(
        &self,
        predicate: FuncDecl,
        lemma: Ast,
    ) -> Result<(), SolverError> {
        let predicate = self.context.raw_decl(predicate);
        let lemma = self.context.raw_ast(lemma);
        // SAFETY: engine, declaration and lemma are of this context.
        unsafe {
            z3_sys::Z3_fixedpoint_add_invariant(self.context.raw, self.raw, predicate, lemma);
        }
        self.context.check_error()
    }

    /// Is the query derivable? Satisfiable means yes.
    pub fn query(&self, query: Ast, patience: &Patience) -> Result<Answer, SolverError> {
        patience.check()?;
        let query = self.context.raw_ast(query);
        let bell = Bell::of(&self.context);
        // SAFETY: engine and query are of this context.
        let run = || unsafe { z3_sys::Z3_fixedpoint_query(self.context.raw, self.raw, query) };
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
        // SAFETY: the engine is of this context; the string is copied at once.
        text(unsafe { z3_sys::Z3_fixedpoint_get_reason_unknown(self.context.raw, self.raw) })
    }

    /// Interpretations of the predicates after "not derivable", a hyper-resolution proof after
    /// "derivable".
    pub fn answer(&self) -> Result<Ast, SolverError> {
        // SAFETY: the engine is of this context.
        let answer = unsafe { z3_sys::Z3_fixedpoint_get_answer(self.context.raw, self.raw) };
        self.context.ast(answer)
    }

    /// Names of the rules along the refutation, as Spacer tells them.
    pub fn rule_names_along_trace(&self) -> Result<Vec<String>, SolverError> {
        let c = self.context.raw;
        // SAFETY: the engine is of this context; the symbol is copied at once.
        let symbol = unsafe { z3_sys::Z3_fixedpoint_get_rule_names_along_trace(c, self.raw) };
        self.context.check_error()?;
        let names = symbol
            .map(|symbol| self.context.symbol_text(symbol))
            .unwrap_or_default();
        Ok(names
            .split(';')
            .filter(|name| !name.is_empty())
            .map(str::to_owned)
            .collect())
    }
}

impl Drop for Fixedpoint {
    fn drop(&mut self) {
        // SAFETY: counted once in `new`; the context outlives us through the `Rc`.
        unsafe { z3_sys::Z3_fixedpoint_dec_ref(self.context.raw, self.raw) };
    }
}

impl Context {
    /// The body of a quantifier and its number of bound variables.
    pub fn quantifier(&self, ast: Ast) -> Result<(Ast, u32), SolverError> {
        let raw = self.raw_ast(ast);
        if self.ast_kind(ast) != z3_sys::AstKind::Quantifier {
            return Err(SolverError::Z3(
                "no quantifier where one was expected".into(),
            ));
        }
        // SAFETY: the kind was checked; the expression is of this context.
        let (body, bound) = unsafe {
            (
                z3_sys::Z3_get_quantifier_body(self.raw, raw),
                z3_sys::Z3_get_quantifier_num_bound(self.raw, raw),
            )
        };
        Ok((self.ast(body)?, bound))
    }
}
