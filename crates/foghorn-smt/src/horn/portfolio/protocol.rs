//! What the portfolio and its workers say to each other: a request on standard input, one reply on
//! standard output, both JSON around SMT-LIB.

use crate::chc;
use crate::error::SolverError;
use crate::horn::derivation::{Derivation, Step, StepId};
use crate::horn::evidence::Interpretation;
use crate::horn::member::Member;
use crate::horn::spacer::Alone;
use crate::horn::{Hint, HintMode, HornAnswer, HornOptions, HornSolver, HornSystem, Invariants};
use crate::smtlib::{Script, symbol};
use foghorn_core::{Budget, clock};
use foghorn_term::{Op, TermPool};
use rustix::process::{Signal, set_parent_process_death_signal};
use serde::{Deserialize, Serialize};
use std::io::{Read, Write};
use std::time::Duration;

/// A hint as text.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct HintText {
    predicate: usize,
    /// The names that the lemma has for the arguments.
    formals: Vec<String>,
    lemma: String,
    every_frame: bool,
}

/// What a worker is asked.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Request {
    member: String,
    text: String,
    hints: Vec<HintText>,
    timeout: Option<Duration>,
    memory_bytes: Option<u64>,
}

/// A step of a derivation; rules by name, predicates by their place in the system.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ReplyStep {
    predicate: Option<usize>,
    arguments: Vec<String>,
    rule: String,
    premises: Vec<u32>,
    values: Vec<String>,
}

/// What a worker answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Reply {
    /// Definitions of predicates, by their place in the system.
    Solved(Vec<(usize, String)>),
    Refuted(Vec<ReplyStep>),
    Unknown(String),
}

impl Request {
    pub fn new(
        text: &str,
        pool: &TermPool,
        system: &HornSystem,
        hints: &[Hint],
        options: &HornOptions,
    ) -> Result<Self, SolverError> {
        let hints = hints
            .iter()
            .map(|hint| HintText::new(pool, system, hint))
            .collect::<Result<_, _>>()?;
        Ok(Request {
            member: String::new(),
            text: text.to_owned(),
            hints,
            timeout: options.budget.remaining(),
            memory_bytes: options.budget.memory_bytes(),
        })
    }

    /// The request as one member hears it.
    pub fn text_for(&self, member: &Member) -> Result<String, SolverError> {
        let request = Request {
            member: member.name.to_owned(),
            ..self.clone()
        };
        serde_json::to_string(&request).map_err(|error| SolverError::Internal(error.to_string()))
    }

    fn solve(self) -> Reply {
        let Some(member) = Member::named(&self.member) else {
            return Reply::Unknown(format!("there is no member {}", self.member));
        };
        let mut file = match chc::read(&self.text) {
            Ok(file) => file,
            Err(error) => return Reply::Unknown(error.to_string()),
        };
        let mut hints = Vec::with_capacity(self.hints.len());
        for hint in &self.hints {
            match hint.read(&mut file) {
                Ok(hint) => hints.push(hint),
                Err(error) => return Reply::Unknown(error),
            }
        }
        let mut budget = Budget::unlimited();
        if let Some(timeout) = self.timeout {
            budget = budget.within(timeout);
        }
        if let Some(bytes) = self.memory_bytes {
            budget = budget.with_memory(bytes);
        }
        let options = HornOptions {
            budget,
            derivation: true,
        };
        let answer = Alone(member).solve(&file.pool, &file.system, &hints, &options);
        Reply::new(answer, &file.system)
    }
}

impl HintText {
    fn new(pool: &TermPool, system: &HornSystem, hint: &Hint) -> Result<Self, SolverError> {
        let place = system.predicates.iter().position(|p| *p == hint.predicate);
        let formal = |term: &foghorn_term::TermId| match pool.op(*term) {
            Op::Symbol(id) => Ok(symbol(&pool.symbol_data(id).name)),
            _ => Err(SolverError::Internal("a formal is no variable".into())),
        };
        Ok(HintText {
            predicate: place
                .ok_or_else(|| SolverError::Internal("a hint about no predicate".into()))?,
            formals: hint.formals.iter().map(formal).collect::<Result<_, _>>()?,
            lemma: Script::new().closed_term(pool, hint.lemma)?.expression,
            every_frame: hint.mode == HintMode::EveryFrame,
        })
    }

    fn read(&self, file: &mut chc::ChcFile) -> Result<Hint, String> {
        let predicate = *file
            .system
            .predicates
            .get(self.predicate)
            .ok_or("a hint about no predicate")?;
        let (formals, lemma) =
            chc::read_formula(&mut file.pool, predicate, &self.formals, &self.lemma)
                .map_err(|error| error.to_string())?;
        Ok(Hint {
            predicate,
            formals,
            lemma,
            mode: if self.every_frame {
                HintMode::EveryFrame
            } else {
                HintMode::InductionOnly
            },
        })
    }
}

impl Reply {
    fn new(answer: Result<HornAnswer, SolverError>, system: &HornSystem) -> Self {
        let place = |predicate| system.predicates.iter().position(|p| *p == predicate);
        match answer {
            Ok(HornAnswer::Solved(invariants)) => Reply::Solved(
                invariants
                    .interpretations
                    .into_iter()
                    .filter_map(|i| Some((place(i.predicate)?, i.definition)))
                    .collect(),
            ),
            Ok(HornAnswer::Refuted(Some(derivation))) => {
                let step = |step: &Step| ReplyStep {
                    predicate: step.predicate.and_then(place),
                    arguments: step.arguments.clone(),
                    rule: system.rules[step.rule].name.clone(),
                    premises: step.premises.iter().map(|p| p.as_u32()).collect(),
                    values: step.values.clone(),
                };
                Reply::Refuted(derivation.steps.values().map(step).collect())
            }
            Ok(HornAnswer::Refuted(None)) => Reply::Unknown("refuted without a derivation".into()),
            Ok(HornAnswer::Unknown(reason)) => Reply::Unknown(reason),
            Err(error) => Reply::Unknown(error.to_string()),
        }
    }

    /// `None` if this is no reply.
    pub fn read(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok()
    }

    pub fn is_conclusive(&self) -> bool {
        match self {
            Reply::Solved(_) | Reply::Refuted(_) => true,
            Reply::Unknown(_) => false,
        }
    }

    /// Why it is not conclusive.
    pub fn reason(&self) -> String {
        match self {
            Reply::Solved(_) | Reply::Refuted(_) => String::new(),
            Reply::Unknown(reason) => reason.clone(),
        }
    }

    /// The answer about the system that was sent.
    pub fn into_answer(self, system: &HornSystem) -> HornAnswer {
        match self {
            Reply::Solved(definitions) => {
                let interpretation = |(place, definition): (usize, String)| {
                    let predicate = *system.predicates.get(place)?;
                    Some(Interpretation {
                        predicate,
                        definition,
                    })
                };
                HornAnswer::Solved(Invariants {
                    interpretations: definitions.into_iter().filter_map(interpretation).collect(),
                })
            }
            Reply::Refuted(steps) => {
                let mut derivation = Derivation::default();
                for step in steps {
                    let rule = system.rules.iter().position(|r| r.name == step.rule);
                    let Some(rule) = rule else {
                        return HornAnswer::Unknown(format!("there is no rule {}", step.rule));
                    };
                    derivation.steps.push(Step {
                        predicate: step
                            .predicate
                            .and_then(|place| system.predicates.get(place).copied()),
                        arguments: step.arguments,
                        rule,
                        premises: step.premises.into_iter().map(StepId::from_u32).collect(),
                        values: step.values,
                    });
                }
                HornAnswer::Refuted(Some(derivation))
            }
            Reply::Unknown(reason) => HornAnswer::Unknown(reason),
        }
    }
}

/// The worker's side: reads a request, solves it, writes the reply.
///
/// # Errors
/// When the request cannot be read or the reply not be written.
pub fn serve(mut input: impl Read, mut output: impl Write) -> std::io::Result<()> {
    // A worker that was stopped while its portfolio was killed would wait for ever.
    set_parent_process_death_signal(Some(Signal::KILL))?;
    clock::count_attention();
    let mut text = String::new();
    input.read_to_string(&mut text)?;
    let request: Request = serde_json::from_str(&text)?;
    let reply = request.solve();
    output.write_all(serde_json::to_string(&reply)?.as_bytes())?;
    output.flush()
}
