//! The shape of a derivation, and its replay.
//!
//! Whatever finds a refutation (Spacer on a transformed system, an unrolling) says only which rules
//! are applied to which premises. [`replay`] gives the variables of every application names of their
//! own, asks a solver for values that make all the constraints true and all the premises fit, and
//! then checks each application by itself with these values. So a derivation that is returned has
//! been replayed, whoever proposed it.

use super::derivation::{Derivation, Step, StepId};
use super::simplify::Unfolding;
use super::{Application, HornSystem};
use crate::error::SolverError;
use crate::patience::Patience;
use crate::solver::Answer;
use crate::z3::context::{Ast, Context};
use crate::z3::convert::Converter;
use crate::z3::engine::{Engine, EngineKind, Model};
use foghorn_term::{Op, TermPool};
use std::rc::Rc;
use z3_sys::DeclKind;

/// Applications of rules in order; the last one derives `false`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Skeleton {
    pub steps: Vec<(usize, Vec<usize>)>,
}

impl Skeleton {
    /// The shape of a derivation.
    pub fn of(derivation: &Derivation) -> Self {
        let steps = derivation.steps.values().map(|step| {
            let premises = step.premises.iter().map(|p| p.as_u32() as usize).collect();
            (step.rule, premises)
        });
        Skeleton {
            steps: steps.collect(),
        }
    }

    /// The same derivation with every rule taken apart into the original ones.
    pub fn unfold(&self, unfoldings: &[Unfolding]) -> Self {
        let mut steps: Vec<(usize, Vec<usize>)> = Vec::new();
        // Where each of our steps ended up.
        let mut ends: Vec<usize> = Vec::with_capacity(self.steps.len());
        for (rule, premises) in &self.steps {
            let unfolding = &unfoldings[*rule];
            let count = unfolding.nodes.len();
            let start = steps.len();
            // Children come after their parents there and before them here.
            let place = |node: usize| start + (count - 1 - node);
            for (node, (original, inner)) in unfolding.nodes.iter().enumerate().rev() {
                let premise = |(position, child): (usize, &Option<usize>)| match child {
                    Some(child) => place(*child),
                    None => {
                        let open = unfolding
                            .open_position(node, position)
                            .expect("invariant: a premise is derived or open");
                        ends[premises[open]]
                    }
                };
                steps.push((*original, inner.iter().enumerate().map(premise).collect()));
            }
            ends.push(steps.len() - 1);
        }
        Skeleton { steps }
    }
}

/// An application of a rule with variables of its own.
pub(super) struct Instance {
    variables: Vec<Ast>,
    pub constraint: Ast,
    /// The arguments of each premise.
    pub body: Vec<Vec<Ast>>,
    pub head: Vec<Ast>,
}

/// Makes instances of a system's rules, and checks them under values.
pub(super) struct Instances<'a> {
    pub context: &'a Rc<Context>,
    pub converter: &'a mut Converter,
    pub pool: &'a TermPool,
    pub system: &'a HornSystem,
}

/// The derivation with values, checked step by step; `None` if there are no such values.
pub(super) fn replay(
    maker: &mut Instances<'_>,
    skeleton: &Skeleton,
    patience: &Patience,
) -> Result<Option<Derivation>, SolverError> {
    let context = maker.context.clone();
    let mut instances = Vec::with_capacity(skeleton.steps.len());
    let engine = Engine::new(context.clone(), &EngineKind::Default)?;
    for (rule, premises) in &skeleton.steps {
        let instance = maker.instance(*rule)?;
        engine.assert(instance.constraint)?;
        for (arguments, premise) in instance.body.iter().zip(premises) {
            let derived: &Instance = &instances[*premise];
            for (wanted, given) in arguments.iter().zip(&derived.head) {
                engine.assert(context.build_op(Op::Equal, &[*wanted, *given])?)?;
            }
        }
        instances.push(instance);
    }
    if engine.check(&[], patience)? != Answer::Satisfiable {
        return Ok(None);
    }
    let model = engine.model()?;
    maker.derivation(skeleton, &instances, &model, patience)
}

impl Instances<'_> {
    /// The rule with variables of its own.
    pub fn instance(&mut self, rule: usize) -> Result<Instance, SolverError> {
        let rule = &self.system.rules[rule];
        let mut renaming = Vec::with_capacity(rule.variables.len());
        for variable in &rule.variables {
            let old = self.converter.term(self.context, self.pool, *variable)?;
            let sort = self.context.sort_of(old)?;
            renaming.push((old, self.context.fresh_constant(sort)?));
        }
        let constraint = self
            .converter
            .term(self.context, self.pool, rule.constraint)?;
        let body = rule.body.iter();
        Ok(Instance {
            constraint: self.context.substitute(constraint, &renaming)?,
            body: body
                .map(|premise| self.arguments(premise, &renaming))
                .collect::<Result<_, _>>()?,
            head: match &rule.head {
                Some(head) => self.arguments(head, &renaming)?,
                None => Vec::new(),
            },
            variables: renaming.into_iter().map(|(_, new)| new).collect(),
        })
    }

    fn arguments(
        &mut self,
        application: &Application,
        renaming: &[(Ast, Ast)],
    ) -> Result<Vec<Ast>, SolverError> {
        let mut arguments = Vec::with_capacity(application.arguments.len());
        for term in &application.arguments {
            let argument = self.converter.term(self.context, self.pool, *term)?;
            arguments.push(self.context.substitute(argument, renaming)?);
        }
        Ok(arguments)
    }

    /// Reads the values and replays with them.
    fn derivation(
        &self,
        skeleton: &Skeleton,
        instances: &[Instance],
        model: &Model,
        patience: &Patience,
    ) -> Result<Option<Derivation>, SolverError> {
        let mut derivation = Derivation::default();
        // The head of each step under its values.
        let mut facts: Vec<Vec<Ast>> = Vec::with_capacity(instances.len());
        for ((rule, premises), instance) in skeleton.steps.iter().zip(instances) {
            let mut values = Vec::with_capacity(instance.variables.len());
            for variable in &instance.variables {
                values.push((*variable, model.evaluate(*variable)?));
            }
            let given: Vec<&[Ast]> = premises.iter().map(|p| facts[*p].as_slice()).collect();
            let Some(head) = self.apply(instance, &values, &given, patience)? else {
                return Ok(None);
            };
            let head_of = self.system.rules[*rule].head.as_ref();
            let text = |ast: &Ast| self.context.ast_text(*ast);
            derivation.steps.push(Step {
                predicate: head_of.map(|head| head.predicate),
                arguments: head.iter().map(text).collect(),
                rule: *rule,
                premises: premises
                    .iter()
                    .map(|p| StepId::from_u32(*p as u32))
                    .collect(),
                values: values.iter().map(|(_, value)| text(value)).collect(),
            });
            facts.push(head);
        }
        Ok(Some(derivation))
    }

    /// One application under values: its head, if the constraint is true and the premises are the
    /// facts that were derived before.
    fn apply(
        &self,
        instance: &Instance,
        values: &[(Ast, Ast)],
        given: &[&[Ast]],
        patience: &Patience,
    ) -> Result<Option<Vec<Ast>>, SolverError> {
        let ground = |ast: &Ast| {
            let made = self.context.substitute(*ast, values)?;
            self.context.simplify(made)
        };
        let mut conditions = vec![ground(&instance.constraint)?];
        for (arguments, fact) in instance.body.iter().zip(given) {
            for (argument, value) in arguments.iter().zip(fact.iter()) {
                let argument = ground(argument)?;
                if argument != *value {
                    let equal = self.context.build_op(Op::Equal, &[argument, *value])?;
                    conditions.push(self.context.simplify(equal)?);
                }
            }
        }
        for condition in conditions {
            match self.context.decl_kind(self.context.app_decl(condition)?) {
                DeclKind::True => {}
                DeclKind::False => return Ok(None),
                // Values of arrays may need more than simplification.
                _ => {
                    let engine = Engine::new(self.context.clone(), &EngineKind::Default)?;
                    engine.assert(self.context.build_op(Op::Not, &[condition])?)?;
                    if engine.check(&[], patience)? != Answer::Unsatisfiable {
                        return Ok(None);
                    }
                }
            }
        }
        instance
            .head
            .iter()
            .map(ground)
            .collect::<Result<_, _>>()
            .map(Some)
    }
}
