//! Spacer, in process.
//!
//! Three of its traps are handled here: lemmas are believed, so they are proved first and split
//! ([`super::hints`]); transformations of the rules lose derivations, so they are off when one is
//! wanted and when there are hints, whose predicates they might remove; the ground answer is read
//! from the hyper-resolution proof ([`super::derivation`]).
//!
//! An answer is given only after its evidence was checked: `Solved` after every rule was seen to
//! hold under the interpretations. Transformed rules are solved faster, but the interpretations of
//! predicates that were inlined come back with quantifiers and may be hard to check. So without
//! hints the rules are solved both ways, side by side, and the first checked answer counts.

use super::evidence::{Bodies, RuleChecker};
use super::hints::{self, Hint, HintMode};
use super::strongest::define_strongest;
use super::{HornAnswer, HornOptions, HornSolver, HornSystem, Invariants, Rule, derivation};
use crate::error::SolverError;
use crate::patience::Patience;
use crate::solver::Answer;
use crate::z3::context::{Ast, Context};
use crate::z3::convert::Converter;
use crate::z3::engine::Parameter;
use crate::z3::fixedpoint::Fixedpoint;
use foghorn_core::{Budget, Exhausted};
use foghorn_term::{FunctionId, Op, TermId, TermPool};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

/// The Spacer back end.
#[derive(Clone, Copy, Debug, Default)]
pub struct Spacer;

/// A name no predicate of the user has.
const QUERY: &str = "query!false";

/// One run of the engine.
struct Run<'a> {
    context: Rc<Context>,
    converter: Converter,
    pool: &'a TermPool,
    system: &'a HornSystem,
    names: FxHashMap<String, FunctionId>,
    patience: Patience,
}

impl HornSolver for Spacer {
    fn name(&self) -> &str {
        "spacer"
    }

    fn solve(
        &mut self,
        pool: &TermPool,
        system: &HornSystem,
        hints: &[Hint],
        options: &HornOptions,
    ) -> Result<HornAnswer, SolverError> {
        let (pool, system) = (pool.clone(), system.clone());
        let (hints, own) = (hints.to_vec(), options.clone());
        let work = move || {
            if hints.is_empty() {
                return race(&pool, &system, &own);
            }
            let patience = Patience::with(own.budget.clone());
            Run::new(&pool, &system, patience)?.solve(&hints, true)
        };
        within_budget(&options.budget, work)
    }
}

/// How long Z3 gets to notice an interrupt.
const GRACE: Duration = Duration::from_millis(500);

/// How often the budget is looked at.
const HEARTBEAT: Duration = Duration::from_millis(20);

/// Runs the work on a thread of its own and leaves it behind if it does not stop in time: the
/// transformations before Spacer's search do not look at interrupts while they are in one pass. The
/// thread ends by itself at the first place that looks, because its watchdog goes on ringing.
fn within_budget(
    budget: &Budget,
    work: impl FnOnce() -> Result<HornAnswer, SolverError> + Send + 'static,
) -> Result<HornAnswer, SolverError> {
    let (sender, receiver) = mpsc::channel();
    // The receiver is gone if nobody waits any more.
    std::thread::spawn(move || drop(sender.send(work())));
    let mut spent: Option<(Exhausted, Instant)> = None;
    loop {
        match receiver.recv_timeout(HEARTBEAT) {
            Ok(answer) => return answer,
            Err(RecvTimeoutError::Disconnected) => {
                return Err(SolverError::Internal("the Horn solver panicked".into()));
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
        match (spent, budget.check()) {
            (None, Err(exhausted)) => spent = Some((exhausted, Instant::now())),
            (Some((exhausted, since)), _) if since.elapsed() > GRACE => {
                tracing::warn!("Spacer did not stop in time and is left behind");
                return Err(exhausted.into());
            }
            (Some(_) | None, _) => {}
        }
    }
}

/// Whether nobody has to wait for another answer.
fn is_conclusive(answer: &Result<HornAnswer, SolverError>, options: &HornOptions) -> bool {
    match answer {
        Ok(HornAnswer::Solved(_) | HornAnswer::Refuted(Some(_))) => true,
        Ok(HornAnswer::Refuted(None)) => !options.derivation,
        Ok(HornAnswer::Unknown(_)) | Err(_) => false,
    }
}

/// How long the transformed rules are tried alone: most systems are solved by then, and on a busy
/// machine two runs would take each other's time.
const HEAD_START: Duration = Duration::from_secs(3);

/// Waits until the head start is over, the other run has ended or this one is not wanted any more.
fn wait_for_head_start(other_is_over: &AtomicBool, own: &Patience) {
    let start = Instant::now();
    while start.elapsed() < HEAD_START
        && !other_is_over.load(Ordering::Relaxed)
        && own.check().is_ok()
    {
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Solves the rules transformed and as they are, side by side after a head start.
fn race(
    pool: &TermPool,
    system: &HornSystem,
    options: &HornOptions,
) -> Result<HornAnswer, SolverError> {
    let patience = || Patience::with(options.budget.clone());
    let (for_plain, for_transformed) = (patience(), patience());
    let run = |plain: bool, own: &Patience, other: &Patience| {
        let answer = Run::new(pool, system, own.clone()).and_then(|mut run| run.solve(&[], plain));
        if is_conclusive(&answer, options) {
            other.interrupter().interrupt();
        }
        answer
    };
    let transformed_is_over = AtomicBool::new(false);
    let (plain, transformed) = std::thread::scope(|scope| {
        let plain = scope.spawn(|| {
            if !options.derivation {
                wait_for_head_start(&transformed_is_over, &for_plain);
            }
            run(true, &for_plain, &for_transformed)
        });
        let transformed = run(false, &for_transformed, &for_plain);
        transformed_is_over.store(true, Ordering::Relaxed);
        let plain = plain
            .join()
            .unwrap_or_else(|_| Err(SolverError::Internal("a racer panicked".into())));
        (plain, transformed)
    });
    match (plain, transformed) {
        (Ok(HornAnswer::Solved(_)), Ok(HornAnswer::Refuted(_)))
        | (Ok(HornAnswer::Refuted(_)), Ok(HornAnswer::Solved(_))) => Err(SolverError::Internal(
            "Spacer contradicts itself about a system of rules".into(),
        )),
        (Ok(plain @ (HornAnswer::Solved(_) | HornAnswer::Refuted(_))), _) => Ok(plain),
        (_, Ok(transformed @ (HornAnswer::Solved(_) | HornAnswer::Refuted(_)))) => Ok(transformed),
        (Err(SolverError::Exhausted(_)), other) | (other, Err(SolverError::Exhausted(_))) => other,
        (Ok(unknown @ HornAnswer::Unknown(_)), _) => Ok(unknown),
        (Err(error), _) => Err(error),
    }
}

/// How an answer begins whose interpretations did not pass the check.
const UNCHECKED: &str = "Spacer's interpretation did not pass our check";

impl<'a> Run<'a> {
    fn new(
        pool: &'a TermPool,
        system: &'a HornSystem,
        patience: Patience,
    ) -> Result<Self, SolverError> {
        let names = system
            .predicates
            .iter()
            .map(|predicate| (pool.function_data(*predicate).name.to_string(), *predicate))
            .collect();
        Ok(Run {
            context: Rc::new(Context::new(&[])?),
            converter: Converter::default(),
            pool,
            system,
            names,
            patience,
        })
    }

    /// `plain`: leave the rules as they are.
    fn solve(&mut self, hints: &[Hint], plain: bool) -> Result<HornAnswer, SolverError> {
        let fixedpoint = self.engine(hints, plain)?;
        let query = self.load(&fixedpoint)?;
        self.give_hints(&fixedpoint, hints)?;
        match fixedpoint.query(query, &self.patience)? {
            Answer::Unsatisfiable => self.solved(&fixedpoint),
            Answer::Satisfiable => self.refuted(&fixedpoint, plain),
            Answer::Unknown(reason) => Ok(HornAnswer::Unknown(reason)),
        }
    }

    fn engine(&self, hints: &[Hint], plain: bool) -> Result<Fixedpoint, SolverError> {
        let mut parameters = vec![("engine", Parameter::Symbol("spacer"))];
        if plain {
            for name in ["xform.slice", "xform.inline_linear", "xform.inline_eager"] {
                parameters.push((name, Parameter::Bool(false)));
            }
        }
        if hints
            .iter()
            .any(|hint| hint.mode == HintMode::InductionOnly)
        {
            parameters.push(("spacer.use_bg_invs", Parameter::Bool(true)));
        }
        Fixedpoint::new(self.context.clone(), &parameters)
    }

    fn term(&mut self, term: TermId) -> Result<Ast, SolverError> {
        self.converter.term(&self.context, self.pool, term)
    }

    /// Registers predicates and rules; returns the query.
    fn load(&mut self, fixedpoint: &Fixedpoint) -> Result<Ast, SolverError> {
        let context = self.context.clone();
        for predicate in &self.system.predicates {
            let decl = self.converter.function(&context, self.pool, *predicate)?;
            fixedpoint.register(decl)?;
        }
        let query = context.declare(QUERY, &[], context.boolean_sort()?)?;
        fixedpoint.register(query)?;
        let query = context.apply(query, &[])?;
        for rule in &self.system.rules {
            let formula = self.rule(rule, query)?;
            fixedpoint.add_rule(formula, &rule.name)?;
        }
        Ok(query)
    }

    fn rule(&mut self, rule: &Rule, query: Ast) -> Result<Ast, SolverError> {
        let context = self.context.clone();
        let mut body = Vec::with_capacity(rule.body.len() + 1);
        for application in &rule.body {
            body.push(self.application(application.predicate, &application.arguments)?);
        }
        body.push(self.term(rule.constraint)?);
        let head = match &rule.head {
            None => query,
            Some(head) => self.application(head.predicate, &head.arguments)?,
        };
        let body = match body.as_slice() {
            [only] => *only,
            _ => context.build_op(Op::And, &body)?,
        };
        let clause = context.build_op(Op::Implies, &[body, head])?;
        let variables: Vec<Ast> = rule
            .variables
            .iter()
            .map(|variable| self.term(*variable))
            .collect::<Result<_, _>>()?;
        context.for_all(&variables, clause)
    }

    fn application(
        &mut self,
        predicate: FunctionId,
        arguments: &[TermId],
    ) -> Result<Ast, SolverError> {
        let context = self.context.clone();
        let decl = self.converter.function(&context, self.pool, predicate)?;
        let arguments: Vec<Ast> = arguments
            .iter()
            .map(|term| self.term(*term))
            .collect::<Result<_, _>>()?;
        context.apply(decl, &arguments)
    }

    fn give_hints(&mut self, fixedpoint: &Fixedpoint, hints: &[Hint]) -> Result<(), SolverError> {
        let context = self.context.clone();
        let conjuncts = hints::proved(
            &context,
            &mut self.converter,
            self.pool,
            self.system,
            hints,
            &self.patience,
        )?;
        for conjunct in conjuncts {
            let decl = self
                .converter
                .function(&context, self.pool, conjunct.predicate)?;
            let lemma = hints::over_variables(&context, &conjunct)?;
            match conjunct.mode {
                HintMode::EveryFrame => fixedpoint.add_cover_of_every_frame(decl, lemma)?,
                HintMode::InductionOnly => fixedpoint.add_background_invariant(decl, lemma)?,
            }
        }
        Ok(())
    }

    fn checker<'b>(&'b mut self, context: &'b Rc<Context>) -> RuleChecker<'b> {
        RuleChecker {
            context,
            converter: &mut self.converter,
            pool: self.pool,
        }
    }

    fn solved(&mut self, fixedpoint: &Fixedpoint) -> Result<HornAnswer, SolverError> {
        let context = self.context.clone();
        let (system, patience) = (self.system, self.patience.clone());
        let mut bodies = Bodies::read(&context, &self.names, fixedpoint.answer()?)?;
        define_strongest(
            &context,
            &mut self.converter,
            self.pool,
            system,
            &mut bodies,
        )?;
        let failure = self
            .checker(&context)
            .first_failure(&bodies, system, &patience)?;
        if let Some((rule, answer)) = failure {
            let word = answer.word();
            return Ok(HornAnswer::Unknown(format!(
                "{UNCHECKED}: rule {rule} says {word}"
            )));
        }
        let interpretations =
            bodies.definitions(&context, &mut self.converter, self.pool, system)?;
        Ok(HornAnswer::Solved(Invariants { interpretations }))
    }

    fn refuted(&mut self, fixedpoint: &Fixedpoint, plain: bool) -> Result<HornAnswer, SolverError> {
        if !plain {
            return Ok(HornAnswer::Refuted(None));
        }
        let context = self.context.clone();
        let (system, patience) = (self.system, self.patience.clone());
        let names = self.names.clone();
        let proof = fixedpoint.answer()?;
        tracing::debug!(trace = ?fixedpoint.rule_names_along_trace(), "refuted");
        let mut checker = self.checker(&context);
        let found = derivation::rebuild(&mut checker, system, &names, (proof, QUERY), &patience)?;
        Ok(HornAnswer::Refuted(found))
    }
}
