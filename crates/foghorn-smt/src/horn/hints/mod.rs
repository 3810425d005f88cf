//! Invariants from elsewhere that may help Spacer.
//!
//! Two ways (§4.2.7 of the SeaHorn paper): as permanent lemmas that initialise every frame, which
//! confines the exploration to states that satisfy them; or only in the induction rule, which
//! leaves the exploration alone and can improve generalisation.
//!
//! Spacer trusts what it is given, and a wrong lemma makes it answer wrongly. So [`proved`] keeps
//! only what is inductive: all hints are cut into conjuncts and conjuncts are dropped until the rest
//! proves itself, rule by rule, in solvers that stay ([`prove`]). Cutting also matters because Spacer fails without a reason on a
//! lemma that is a conjunction.

mod bench;
mod one_by_one;
mod prove;

pub use bench::measure;

use super::HornSystem;
use crate::error::SolverError;
use crate::patience::Patience;
use crate::z3::context::{Ast, Context};
use crate::z3::convert::Converter;
use foghorn_term::{FunctionId, TermId, TermPool};
use std::rc::Rc;
use z3_sys::DeclKind;

/// How a hint is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HintMode {
    /// A lemma of every frame from the start.
    EveryFrame,
    /// Only to strengthen the induction rule.
    InductionOnly,
}

/// A formula that is hoped to hold of a predicate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    pub predicate: FunctionId,
    /// Free constants that stand for the predicate's arguments, in order.
    pub formals: Vec<TermId>,
    pub lemma: TermId,
    pub mode: HintMode,
}

/// A conjunct of a hint, over constants that stand for the arguments.
#[derive(Clone)]
pub(super) struct Conjunct {
    pub predicate: FunctionId,
    pub formals: Vec<Ast>,
    pub formula: Ast,
    pub mode: HintMode,
}

/// The conjuncts of all hints that are inductive together.
pub(super) fn proved(
    context: &Rc<Context>,
    converter: &mut Converter,
    pool: &TermPool,
    system: &HornSystem,
    hints: &[Hint],
    patience: &Patience,
) -> Result<Vec<Conjunct>, SolverError> {
    let mut kept = Vec::new();
    for hint in hints {
        kept.extend(split(context, converter, pool, hint)?);
    }
    prove::inductive(context, converter, pool, system, kept, patience)
}

fn split(
    context: &Context,
    converter: &mut Converter,
    pool: &TermPool,
    hint: &Hint,
) -> Result<Vec<Conjunct>, SolverError> {
    let formals: Vec<Ast> = hint
        .formals
        .iter()
        .map(|term| converter.term(context, pool, *term))
        .collect::<Result<_, _>>()?;
    let lemma = converter.term(context, pool, hint.lemma)?;
    let mut pending = vec![context.simplify(lemma)?];
    let mut conjuncts = Vec::new();
    while let Some(formula) = pending.pop() {
        match context.decl_kind(context.app_decl(formula)?) {
            DeclKind::And => pending.extend(context.app_arguments(formula)?),
            DeclKind::True => {}
            _ => conjuncts.push(Conjunct {
                predicate: hint.predicate,
                formals: formals.clone(),
                formula,
                mode: hint.mode,
            }),
        }
    }
    conjuncts.reverse();
    Ok(conjuncts)
}

/// The conjunct over de Bruijn variables, the way Spacer wants lemmas: variable `i` is argument `i`.
pub(super) fn over_variables(context: &Context, conjunct: &Conjunct) -> Result<Ast, SolverError> {
    let mut pairs = Vec::with_capacity(conjunct.formals.len());
    for (index, formal) in (0u32..).zip(&conjunct.formals) {
        let sort = context.sort_of(*formal)?;
        pairs.push((*formal, context.de_bruijn(index, sort)?));
    }
    context.substitute(conjunct.formula, &pairs)
}
