//! Interpretations of predicates, and whether they make every rule true.

use super::strongest::Strongest;
use super::{Application, HornSystem, Rule};
use crate::error::SolverError;
use crate::patience::Patience;
use crate::solver::Answer;
use crate::z3::context::{Ast, Context, SortHandle};
use crate::z3::convert::Converter;
use crate::z3::engine::{Engine, EngineKind};
use foghorn_term::{FunctionId, Op, TermPool};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use z3_sys::{AstKind, DeclKind};

/// An interpretation of a predicate, as an SMT-LIB definition. It may contain quantifiers, which is
/// why it is not one of our terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interpretation {
    pub predicate: FunctionId,
    /// `(define-fun name ((x!0 Sort) …) Bool body)`
    pub definition: String,
}

/// Interpretations over de Bruijn variables, by predicate; a missing one is `true`.
#[derive(Clone, Default)]
pub(super) struct Bodies {
    bodies: FxHashMap<FunctionId, Ast>,
    /// Predicates that are interpreted by their rules instead, and the order in which they were
    /// defined, those first that others are stated with.
    strongest: FxHashMap<FunctionId, Strongest>,
    order: Vec<FunctionId>,
}

impl Bodies {
    /// Reads what the engine answered: a conjunction of `∀x. p(x) = body`.
    pub fn read(
        context: &Context,
        names: &FxHashMap<String, FunctionId>,
        answer: Ast,
    ) -> Result<Self, SolverError> {
        let mut bodies = FxHashMap::default();
        let mut pending = vec![answer];
        while let Some(ast) = pending.pop() {
            let equation = match context.ast_kind(ast) {
                AstKind::Quantifier => context.quantifier(ast)?.0,
                _ => ast,
            };
            let kind = context.decl_kind(context.app_decl(equation)?);
            let arguments = context.app_arguments(equation)?;
            match (kind, arguments.as_slice()) {
                (DeclKind::And, conjuncts) => pending.extend(conjuncts),
                (DeclKind::True, _) => {}
                (DeclKind::Eq | DeclKind::Iff, [application, body]) => {
                    let name = context.decl_name(context.app_decl(*application)?);
                    if let Some(predicate) = names.get(&name) {
                        bodies.insert(*predicate, *body);
                    }
                }
                // A predicate without arguments, or a trivial equation simplified away.
                (DeclKind::Uninterpreted, _) => {
                    let name = context.decl_name(context.app_decl(equation)?);
                    if let Some(predicate) = names.get(&name) {
                        bodies.insert(*predicate, context.boolean(true)?);
                    }
                }
                (DeclKind::Not, [application]) => {
                    let name = context.decl_name(context.app_decl(*application)?);
                    if let Some(predicate) = names.get(&name) {
                        bodies.insert(*predicate, context.boolean(false)?);
                    }
                }
                _ => {
                    let text: String = context.ast_text(ast).chars().take(200).collect();
                    return Err(SolverError::Z3(format!("an answer we cannot read: {text}")));
                }
            }
        }
        Ok(Bodies {
            bodies,
            ..Self::default()
        })
    }

    /// The body that was read.
    pub fn body(&self, predicate: FunctionId) -> Option<Ast> {
        self.bodies.get(&predicate).copied()
    }

    /// Interprets a predicate by a body over de Bruijn variables.
    pub fn insert(&mut self, predicate: FunctionId, body: Ast) {
        self.bodies.insert(predicate, body);
    }

    /// Interprets a predicate by its rules from now on.
    pub fn interpret(&mut self, predicate: FunctionId, strongest: Strongest) {
        self.strongest.insert(predicate, strongest);
        self.order.push(predicate);
    }

    /// An application among premises, with the constants that this brings with it.
    pub fn premise(
        &self,
        context: &Context,
        predicate: FunctionId,
        arguments: &[Ast],
    ) -> Result<(Ast, Vec<(Ast, SortHandle)>), SolverError> {
        match self.strongest.get(&predicate) {
            Some(strongest) => strongest.instance(context, arguments),
            None => Ok((self.instance(context, predicate, arguments)?, Vec::new())),
        }
    }

    /// The interpretation of a predicate, instantiated.
    fn instance(
        &self,
        context: &Context,
        predicate: FunctionId,
        arguments: &[Ast],
    ) -> Result<Ast, SolverError> {
        if let Some(strongest) = self.strongest.get(&predicate) {
            return strongest.stated(context, arguments);
        }
        match self.bodies.get(&predicate) {
            None => context.boolean(true),
            Some(body) => {
                // The variable of index 0 is the last argument.
                let reversed: Vec<Ast> = arguments.iter().rev().copied().collect();
                context.substitute_variables(*body, &reversed)
            }
        }
    }

    /// Definitions for the outside, each after those it mentions.
    pub fn definitions(
        &self,
        context: &Context,
        converter: &mut Converter,
        pool: &TermPool,
        system: &HornSystem,
    ) -> Result<Vec<Interpretation>, SolverError> {
        let mut definitions = Vec::with_capacity(system.predicates.len());
        let read = system.predicates.iter();
        let read = read.filter(|predicate| !self.strongest.contains_key(predicate));
        for predicate in read.chain(&self.order) {
            let data = pool.function_data(*predicate);
            let mut arguments = Vec::new();
            let mut formals = Vec::new();
            for (i, sort) in data.arguments.iter().enumerate() {
                let name = format!("x!{i}");
                let sort = converter.sort(context, pool, *sort)?;
                formals.push(format!("({name} {})", context.sort_text(sort)));
                arguments.push(context.apply(context.declare(&name, &[], sort)?, &[])?);
            }
            let body = self.instance(context, *predicate, &arguments)?;
            definitions.push(Interpretation {
                predicate: *predicate,
                definition: format!(
                    "(define-fun {} ({}) Bool {})",
                    crate::smtlib::symbol(&data.name),
                    formals.join(" "),
                    context.ast_text(body)
                ),
            });
        }
        Ok(definitions)
    }
}

/// Checks interpretations against rules, each rule by itself.
pub(super) struct RuleChecker<'a> {
    pub context: &'a Rc<Context>,
    pub converter: &'a mut Converter,
    pub pool: &'a TermPool,
}

impl RuleChecker<'_> {
    pub fn arguments(&mut self, application: &Application) -> Result<Vec<Ast>, SolverError> {
        application
            .arguments
            .iter()
            .map(|term| self.converter.term(self.context, self.pool, *term))
            .collect()
    }

    /// The rule's body under the interpretations, as conjuncts.
    pub fn premises(&mut self, bodies: &Bodies, rule: &Rule) -> Result<Vec<Ast>, SolverError> {
        let mut premises = Vec::with_capacity(rule.body.len() + 1);
        for application in &rule.body {
            let arguments = self.arguments(application)?;
            let (premise, _) = bodies.premise(self.context, application.predicate, &arguments)?;
            premises.push(premise);
        }
        premises.push(
            self.converter
                .term(self.context, self.pool, rule.constraint)?,
        );
        Ok(premises)
    }

    /// Whether the rule is true under the interpretations: unsatisfiable means it is.
    pub fn check(
        &mut self,
        bodies: &Bodies,
        rule: &Rule,
        patience: &Patience,
    ) -> Result<Answer, SolverError> {
        let defined = |head: &Application| bodies.strongest.contains_key(&head.predicate);
        if rule.head.as_ref().is_some_and(defined) {
            // The rule is one of the ways to derive its head, by definition.
            return Ok(Answer::Unsatisfiable);
        }
        let engine = Engine::new(self.context.clone(), &EngineKind::Default)?;
        for premise in self.premises(bodies, rule)? {
            engine.assert(premise)?;
        }
        if let Some(head) = &rule.head {
            let arguments = self.arguments(head)?;
            let head = bodies.instance(self.context, head.predicate, &arguments)?;
            engine.assert(self.context.build_op(Op::Not, &[head])?)?;
        }
        engine.check(&[], patience)
    }

    /// The name of the first rule that the interpretations do not make true, with the reason.
    pub fn first_failure(
        &mut self,
        bodies: &Bodies,
        system: &HornSystem,
        patience: &Patience,
    ) -> Result<Option<(String, Answer)>, SolverError> {
        for rule in &system.rules {
            let answer = self.check(bodies, rule, patience)?;
            if answer != Answer::Unsatisfiable {
                return Ok(Some((rule.name.clone(), answer)));
            }
        }
        Ok(None)
    }
}
