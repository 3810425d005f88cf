//! The shape of a derivation, and its replay.
//!
//! Whatever finds a refutation (Spacer on a transformed system, an unrolling) says only which rules
//! are applied to which premises. [`replay`] gives the variables of every application names of their
//! own, asks a solver for values that make all the constraints true and all the premises fit (long paths part by part
//! first, then all at once), and then checks each application by itself with these values. So a derivation that is returned has
//! been replayed, whoever proposed it.

use super::derivation::{Derivation, Step, StepId};
use super::simplify::Unfolding;
use super::{Application, HornSystem};
use crate::error::SolverError;
use crate::patience::Patience;
use crate::solver::Answer;
use crate::z3::context::{Ast, Context};
use crate::z3::convert::Converter;
use crate::z3::engine::{Engine, EngineKind};
use foghorn_term::{Op, TermPool};
use std::ops::Range;
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

    /// Whether each step has the one before it as its only premise.
    fn is_path(&self) -> bool {
        let fits = |(number, (_, premises)): (usize, &(usize, Vec<usize>))| match number {
            0 => premises.is_empty(),
            _ => premises.as_slice() == [number - 1],
        };
        self.steps.iter().enumerate().all(fits)
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

/// Paths longer than this are replayed part by part first.
const LONG: usize = 256;

/// The steps of a part.
const PART: usize = 64;

/// The values of the variables of each application.
type Values = Vec<Vec<(Ast, Ast)>>;

/// The derivation with values, checked step by step; `None` if there are no such values.
pub(super) fn replay(
    maker: &mut Instances<'_>,
    skeleton: &Skeleton,
    patience: &Patience,
) -> Result<Option<Derivation>, SolverError> {
    let mut instances = Vec::with_capacity(skeleton.steps.len());
    for (rule, _) in &skeleton.steps {
        instances.push(maker.instance(*rule)?);
    }
    let search = Search {
        context: maker.context,
        skeleton,
        instances: &instances,
        patience,
    };
    let mut values = None;
    if skeleton.is_path() && skeleton.steps.len() > LONG {
        values = search.part_by_part()?;
    }
    if values.is_none() {
        values = search.all_at_once()?;
    }
    match values {
        Some(values) => maker.derivation(skeleton, &instances, &values, patience),
        None => Ok(None),
    }
}

/// Looks for values that make all applications fit.
struct Search<'a> {
    context: &'a Rc<Context>,
    skeleton: &'a Skeleton,
    instances: &'a [Instance],
    patience: &'a Patience,
}

impl Search<'_> {
    fn all_at_once(&self) -> Result<Option<Values>, SolverError> {
        let engine = Engine::new(self.context.clone(), &EngineKind::Default)?;
        for step in 0..self.instances.len() {
            self.say(&engine, step)?;
        }
        self.values(&engine, 0..self.instances.len())
    }

    /// A path in parts, each from the fact that the one before it ends with. Where a choice in one part leaves the next
    /// without values this finds none, but nearly deterministic paths of many thousands of steps have little choice, and
    /// one formula for all of them is slow.
    fn part_by_part(&self) -> Result<Option<Values>, SolverError> {
        let mut found: Values = Vec::with_capacity(self.instances.len());
        while found.len() < self.instances.len() {
            let first = found.len();
            let part = first..self.instances.len().min(first + PART);
            let engine = Engine::new(self.context.clone(), &EngineKind::Default)?;
            self.begin(&engine, first, found.last())?;
            for step in first + 1..part.end {
                self.say(&engine, step)?;
            }
            match self.values(&engine, part)? {
                Some(values) => found.extend(values),
                None => return Ok(None),
            }
        }
        Ok(Some(found))
    }

    /// The first application of a part: its premise is the last fact of the part before.
    fn begin(
        &self,
        engine: &Engine,
        step: usize,
        before: Option<&Vec<(Ast, Ast)>>,
    ) -> Result<(), SolverError> {
        engine.assert(self.instances[step].constraint)?;
        let (Some(values), Some(previous)) = (before, step.checked_sub(1)) else {
            return Ok(());
        };
        for arguments in &self.instances[step].body {
            for (wanted, given) in arguments.iter().zip(&self.instances[previous].head) {
                let given = self.context.substitute(*given, values)?;
                let given = self.context.simplify(given)?;
                engine.assert(self.context.build_op(Op::Equal, &[*wanted, given])?)?;
            }
        }
        Ok(())
    }

    /// The constraint of an application, and that its premises are the facts that were derived.
    fn say(&self, engine: &Engine, step: usize) -> Result<(), SolverError> {
        let instance = &self.instances[step];
        engine.assert(instance.constraint)?;
        for (arguments, premise) in instance.body.iter().zip(&self.skeleton.steps[step].1) {
            for (wanted, given) in arguments.iter().zip(&self.instances[*premise].head) {
                engine.assert(self.context.build_op(Op::Equal, &[*wanted, *given])?)?;
            }
        }
        Ok(())
    }

    fn values(&self, engine: &Engine, steps: Range<usize>) -> Result<Option<Values>, SolverError> {
        if engine.check(&[], self.patience)? != Answer::Satisfiable {
            return Ok(None);
        }
        let model = engine.model()?;
        let of = |instance: &Instance| -> Result<Vec<(Ast, Ast)>, SolverError> {
            let variables = instance.variables.iter();
            variables
                .map(|variable| Ok((*variable, model.evaluate(*variable)?)))
                .collect()
        };
        let values: Result<Values, SolverError> = self.instances[steps].iter().map(of).collect();
        values.map(Some)
    }
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

    /// Replays with values.
    fn derivation(
        &self,
        skeleton: &Skeleton,
        instances: &[Instance],
        values: &[Vec<(Ast, Ast)>],
        patience: &Patience,
    ) -> Result<Option<Derivation>, SolverError> {
        let mut derivation = Derivation::default();
        // The head of each step under its values.
        let mut facts: Vec<Vec<Ast>> = Vec::with_capacity(instances.len());
        let steps = skeleton.steps.iter().zip(instances).zip(values);
        for (((rule, premises), instance), values) in steps {
            let given: Vec<&[Ast]> = premises.iter().map(|p| facts[*p].as_slice()).collect();
            let Some(head) = self.apply(instance, values, &given, patience)? else {
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
