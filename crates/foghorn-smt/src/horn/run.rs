//! One member's run: the system in the member's form, Spacer or an unrolling, and the check.
//!
//! Three of Spacer's traps are handled here: lemmas are believed, so they are proved first and split
//! ([`super::hints`]); its transformations of the rules lose derivations, so they are off when there
//! are hints, whose predicates they might remove; the ground answer is read from the hyper-resolution
//! proof ([`super::derivation`]).
//!
//! An answer is given only after its evidence was mapped back and checked against the original
//! rules: `Solved` after every rule was seen to hold under the interpretations, `Refuted` after the
//! derivation was replayed. A refutation of transformed rules has no derivation, so one is looked for
//! by the same engine on rules that are left as they are.

mod back;

use super::cells::cells;
use super::divide::divide;
use super::evidence::{Bodies, RuleChecker};
use super::generalise::generalise;
use super::hints::{self, Hint, HintMode};
use super::member::{Form, HintUse, Member, Method, Setting};
use super::merge::merge;
use super::simplify::{self, Simplified};
use super::skeleton::{Instances, Skeleton, replay};
use super::strongest::define_strongest;
use super::{
    HornAnswer, HornSystem, Invariants, Rule, derivation, execution, intervals, unrolling,
};
use crate::error::SolverError;
use crate::patience::Patience;
use crate::solver::Answer;
use crate::z3::context::{Ast, Context};
use crate::z3::convert::Converter;
use crate::z3::engine::Parameter;
use crate::z3::fixedpoint::Fixedpoint;
use foghorn_term::{FunctionId, Op, TermId, TermPool};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A name no predicate of the user has.
const QUERY: &str = "query!false";

/// How an answer begins whose interpretations did not pass the check.
const UNCHECKED: &str = "the interpretation did not pass the check";

/// A member for large constants has none.
const NOTHING_TO_GENERALISE: &str = "no constant is large";

/// A member for many ways has few.
const NOTHING_TO_MERGE: &str = "there are few ways from each predicate to each other";

/// A member for arrays has none that it can take apart.
const NO_CELLS: &str = "no predicate has an array of cells";

/// A refutation may be one for other constants, or of cells that no array has together.
const ONLY_WEAKER: &str = "only a weaker system is refuted";

/// A refutation that could not be replayed.
const NOT_REPLAYED: &str = "the refutation could not be replayed";

/// Solves a system the member's way.
pub(super) fn solve_as(
    member: &Member,
    pool: &TermPool,
    system: &HornSystem,
    hints: &[Hint],
    patience: &Patience,
) -> Result<HornAnswer, SolverError> {
    let hints = used(hints, member.hints);
    let form = match form_of(member.form, pool, system, &hints) {
        Ok(form) => form,
        Err(reason) => return Ok(HornAnswer::Unknown(reason.into())),
    };
    let mut run = Run {
        context: Rc::new(Context::new(&[])?),
        converter: Converter::default(),
        names: form
            .system
            .predicates
            .iter()
            .map(|predicate| {
                let name = form.pool.function_data(*predicate).name.to_string();
                (name, *predicate)
            })
            .collect(),
        form: &form,
        original: system,
        patience: patience.clone(),
    };
    match member.method {
        Method::Spacer {
            transformations,
            settings,
        } => run.spacer(&hints, transformations && hints.is_empty(), settings),
        Method::Unrolling => run.unrolling(),
        Method::Execution => run.execution(),
    }
}

/// The system in a form; the reason if there is no such form of it.
fn form_of(
    form: Form,
    pool: &TermPool,
    system: &HornSystem,
    hints: &[Hint],
) -> Result<Simplified, &'static str> {
    // Hints are about predicates that a simplification may remove.
    if form == Form::Given || !hints.is_empty() {
        return Ok(simplify::keep(pool, system));
    }
    let mut made = simplify::simplify(pool, system);
    intervals::decide(&mut made);
    match form {
        Form::Given | Form::Simplified => {
            divide(&mut made);
            Ok(made)
        }
        Form::Generalised => {
            divide(&mut made);
            generalise(made).ok_or(NOTHING_TO_GENERALISE)
        }
        Form::Merged => {
            intervals::drop_implied(&mut made);
            merge(made).ok_or(NOTHING_TO_MERGE)
        }
        Form::Cells => cells(made).ok_or(NO_CELLS),
        Form::GeneralisedCells => {
            let made = cells(made).ok_or(NO_CELLS)?;
            generalise(made).ok_or(NOTHING_TO_GENERALISE)
        }
    }
}

/// The hints that a member uses, in its way.
fn used(hints: &[Hint], use_: HintUse) -> Vec<Hint> {
    match use_ {
        HintUse::Ignored => Vec::new(),
        HintUse::AsGiven => hints.to_vec(),
        HintUse::All(mode) => hints.iter().map(|h| Hint { mode, ..h.clone() }).collect(),
    }
}

/// One run.
struct Run<'a> {
    context: Rc<Context>,
    converter: Converter,
    /// The predicates of the form, by name.
    names: FxHashMap<String, FunctionId>,
    form: &'a Simplified,
    original: &'a HornSystem,
    patience: Patience,
}

impl Run<'_> {
    fn spacer(
        &mut self,
        hints: &[Hint],
        transformations: bool,
        settings: &[Setting],
    ) -> Result<HornAnswer, SolverError> {
        let fixedpoint = self.engine(hints, transformations, settings)?;
        let query = self.load(&fixedpoint)?;
        self.give_hints(&fixedpoint, hints)?;
        match fixedpoint.query(query, &self.patience)? {
            Answer::Unsatisfiable => self.solved(&fixedpoint),
            Answer::Satisfiable if self.form.is_weaker => {
                Ok(HornAnswer::Unknown(ONLY_WEAKER.into()))
            }
            Answer::Satisfiable if transformations => self.spacer(hints, false, settings),
            Answer::Satisfiable => self.refuted(&fixedpoint),
            Answer::Unknown(reason) => Ok(HornAnswer::Unknown(reason)),
        }
    }

    fn engine(
        &self,
        hints: &[Hint],
        transformations: bool,
        settings: &[Setting],
    ) -> Result<Fixedpoint, SolverError> {
        let mut parameters = vec![("engine", Parameter::Symbol("spacer"))];
        if !transformations {
            for name in ["xform.slice", "xform.inline_linear", "xform.inline_eager"] {
                parameters.push((name, Parameter::Bool(false)));
            }
        }
        let in_generalisation = |hint: &Hint| hint.mode == HintMode::InductionOnly;
        if hints.iter().any(in_generalisation) {
            parameters.push(("spacer.use_bg_invs", Parameter::Bool(true)));
        }
        let own = settings.iter();
        parameters.extend(own.map(|(name, value)| (*name, Parameter::Bool(*value))));
        Fixedpoint::new(self.context.clone(), &parameters)
    }

    fn term(&mut self, term: TermId) -> Result<Ast, SolverError> {
        self.converter.term(&self.context, &self.form.pool, term)
    }

    /// Registers predicates and rules; returns the query.
    fn load(&mut self, fixedpoint: &Fixedpoint) -> Result<Ast, SolverError> {
        let context = self.context.clone();
        for predicate in &self.form.system.predicates {
            let decl = self
                .converter
                .function(&context, &self.form.pool, *predicate)?;
            fixedpoint.register(decl)?;
        }
        let query = context.declare(QUERY, &[], context.boolean_sort()?)?;
        fixedpoint.register(query)?;
        let query = context.apply(query, &[])?;
        for rule in &self.form.system.rules {
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
        let decl = self
            .converter
            .function(&context, &self.form.pool, predicate)?;
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
            &self.form.pool,
            &self.form.system,
            hints,
            &self.patience,
        )?;
        for conjunct in conjuncts {
            let decl = self
                .converter
                .function(&context, &self.form.pool, conjunct.predicate)?;
            let lemma = hints::over_variables(&context, &conjunct)?;
            match conjunct.mode {
                HintMode::EveryFrame => fixedpoint.add_cover_of_every_frame(decl, lemma)?,
                HintMode::InductionOnly => fixedpoint.add_background_invariant(decl, lemma)?,
            }
        }
        Ok(())
    }

    /// Maps interpretations back and checks them against the original rules.
    fn solved(&mut self, fixedpoint: &Fixedpoint) -> Result<HornAnswer, SolverError> {
        let context = self.context.clone();
        let read = Bodies::read(&context, &self.names, fixedpoint.answer()?)?;
        let (mut bodies, resolved) = self.map_back(&read)?;
        let (form, system) = (self.form, self.original);
        define_strongest(
            &context,
            &mut self.converter,
            &form.pool,
            system,
            &resolved,
            &mut bodies,
        )?;
        let mut checker = RuleChecker {
            context: &context,
            converter: &mut self.converter,
            pool: &form.pool,
        };
        let failure = checker.first_failure(&bodies, system, &self.patience)?;
        if let Some((rule, answer)) = failure {
            let word = answer.word();
            return Ok(HornAnswer::Unknown(format!(
                "{UNCHECKED}: rule {rule} says {word}"
            )));
        }
        let interpretations =
            bodies.definitions(&context, &mut self.converter, &form.pool, system)?;
        Ok(HornAnswer::Solved(Invariants { interpretations }))
    }

    /// Reads a derivation and replays it on the original rules.
    fn refuted(&mut self, fixedpoint: &Fixedpoint) -> Result<HornAnswer, SolverError> {
        let context = self.context.clone();
        let proof = fixedpoint.answer()?;
        tracing::debug!(trace = ?fixedpoint.rule_names_along_trace(), "refuted");
        let form = self.form;
        let mut checker = RuleChecker {
            context: &context,
            converter: &mut self.converter,
            pool: &form.pool,
        };
        let system = form.unmerged.as_ref().unwrap_or(&form.system);
        let found = derivation::rebuild(
            &mut checker,
            system,
            &self.names,
            (proof, QUERY),
            &self.patience,
        )?;
        match found {
            Some(derivation) => self.replay(&Skeleton::of(&derivation)),
            None => Ok(HornAnswer::Unknown(NOT_REPLAYED.into())),
        }
    }

    fn unrolling(&mut self) -> Result<HornAnswer, SolverError> {
        let context = self.context.clone();
        let form = self.form;
        let mut instances = Instances {
            context: &context,
            converter: &mut self.converter,
            pool: &form.pool,
            system: &form.system,
        };
        match unrolling::unroll(&mut instances, &form.system, &self.patience)? {
            Some(skeleton) => self.replay(&skeleton),
            None => Ok(HornAnswer::Unknown(
                "no derivation of false is small enough to be found".into(),
            )),
        }
    }

    fn execution(&mut self) -> Result<HornAnswer, SolverError> {
        match execution::execute(self.form, &self.patience)? {
            Some(skeleton) => self.replay(&skeleton),
            None => Ok(HornAnswer::Unknown(
                "the runs that were tried derive nothing more".into(),
            )),
        }
    }

    fn replay(&mut self, skeleton: &Skeleton) -> Result<HornAnswer, SolverError> {
        let context = self.context.clone();
        let skeleton = skeleton.unfold(&self.form.unfoldings);
        let mut instances = Instances {
            context: &context,
            converter: &mut self.converter,
            pool: &self.form.pool,
            system: self.original,
        };
        Ok(match replay(&mut instances, &skeleton, &self.patience)? {
            Some(derivation) => HornAnswer::Refuted(Some(derivation)),
            None => HornAnswer::Unknown(NOT_REPLAYED.into()),
        })
    }
}
