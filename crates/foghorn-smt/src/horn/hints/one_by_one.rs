//! The plain way to prove hints inductive: a solver for each rule and round. It is what the
//! incremental way is tested and measured against.

use super::super::{HornSystem, Rule};
use super::Conjunct;
use crate::error::SolverError;
use crate::patience::Patience;
use crate::solver::Answer;
use crate::z3::context::{Ast, Context};
use crate::z3::convert::Converter;
use crate::z3::engine::{Engine, EngineKind};
use foghorn_term::{FunctionId, Op, TermId, TermPool};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The conjuncts that are inductive together.
pub(super) fn inductive(
    context: &Rc<Context>,
    converter: &mut Converter,
    pool: &TermPool,
    system: &HornSystem,
    mut kept: Vec<Conjunct>,
    patience: &Patience,
) -> Result<Vec<Conjunct>, SolverError> {
    loop {
        let before = kept.len();
        for rule in &system.rules {
            let Some(head) = &rule.head else { continue };
            let mut prover = Prover {
                context,
                converter: &mut *converter,
                pool,
            };
            let survivors = prover.survivors(&kept, rule, head.predicate, patience)?;
            let mut survivors = survivors.into_iter();
            kept.retain(|conjunct| {
                conjunct.predicate != head.predicate || survivors.next().unwrap_or(false)
            });
        }
        if kept.len() == before {
            return Ok(kept);
        }
    }
}

struct Prover<'a> {
    context: &'a Rc<Context>,
    converter: &'a mut Converter,
    pool: &'a TermPool,
}

impl Prover<'_> {
    fn instance(&mut self, conjunct: &Conjunct, arguments: &[TermId]) -> Result<Ast, SolverError> {
        let mut pairs = Vec::with_capacity(arguments.len());
        for (formal, argument) in conjunct.formals.iter().zip(arguments) {
            let argument = self.converter.term(self.context, self.pool, *argument)?;
            pairs.push((*formal, argument));
        }
        self.context.substitute(conjunct.formula, &pairs)
    }

    /// Which conjuncts of the head's predicate the rule preserves, assuming all of the body's.
    fn survivors(
        &mut self,
        kept: &[Conjunct],
        rule: &Rule,
        predicate: FunctionId,
        patience: &Patience,
    ) -> Result<Vec<bool>, SolverError> {
        let engine = Engine::new(self.context.clone(), &EngineKind::Default)?;
        let by_predicate = group(kept);
        for application in &rule.body {
            for conjunct in by_predicate
                .get(&application.predicate)
                .into_iter()
                .flatten()
            {
                let instance = self.instance(conjunct, &application.arguments)?;
                engine.assert(instance)?;
            }
        }
        let constraint = self
            .converter
            .term(self.context, self.pool, rule.constraint)?;
        engine.assert(constraint)?;
        let head = rule
            .head
            .as_ref()
            .ok_or_else(|| SolverError::Internal("a query has no head".into()))?;
        let mut survivors = Vec::new();
        for conjunct in kept.iter().filter(|c| c.predicate == predicate) {
            let instance = self.instance(conjunct, &head.arguments)?;
            engine.push()?;
            engine.assert(self.context.build_op(Op::Not, &[instance])?)?;
            // Unknown counts as not proved.
            survivors.push(engine.check(&[], patience)? == Answer::Unsatisfiable);
            engine.pop(1)?;
        }
        Ok(survivors)
    }
}

fn group(conjuncts: &[Conjunct]) -> FxHashMap<FunctionId, Vec<&Conjunct>> {
    let mut groups: FxHashMap<FunctionId, Vec<&Conjunct>> = FxHashMap::default();
    for conjunct in conjuncts {
        groups.entry(conjunct.predicate).or_default().push(conjunct);
    }
    groups
}
