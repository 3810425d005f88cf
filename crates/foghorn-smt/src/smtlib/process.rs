//! Any SMT-LIB 2 solver as a process.
//!
//! Driven incrementally over a pipe. What has been said in each open frame is kept, so that after
//! a crash, garbage, silence or an interrupt the process is killed and the next check starts
//! another one and says it all again. Each check has the budget's deadline, enforced by killing.

use super::conversation::{Conversation, SolverCommand};
use super::script::Script;
use super::values::answered_value;
use crate::error::SolverError;
use crate::patience::{Interrupter, Patience};
use crate::solver::{Answer, Interrupt, Limits, PushPop, Solver, UnsatCore};
use foghorn_core::Budget;
use foghorn_term::eval::Value;
use foghorn_term::sexpr::Document;
use foghorn_term::{TermId, TermPool};
use std::time::Duration;

/// How a solver wants to be spoken to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SmtLibProfile {
    pub name: String,
    pub command: SolverCommand,
    /// The first commands, before anything else.
    pub preamble: String,
}

impl SmtLibProfile {
    fn new(name: &str, program: &str, arguments: &[&str]) -> Self {
        SmtLibProfile {
            name: name.to_owned(),
            command: SolverCommand::new(program, arguments),
            preamble: "(set-option :print-success false)\n(set-option :produce-models true)\n\
                       (set-option :produce-unsat-assumptions true)\n(set-logic ALL)\n"
                .to_owned(),
        }
    }

    /// Z3's binary.
    pub fn z3(program: &str) -> Self {
        Self::new("z3-process", program, &["-in", "-smt2"])
    }

    /// Yices' `yices-smt2`. It decides by the logic what engine it uses; this one is for
    /// bit-vectors, arrays and uninterpreted functions.
    pub fn yices(program: &str) -> Self {
        let mut profile = Self::new("yices-smt2", program, &["--incremental"]);
        profile.preamble = profile.preamble.replace("ALL", "QF_AUFBV");
        profile
    }

    /// cvc5's binary.
    pub fn cvc5(program: &str) -> Self {
        Self::new("cvc5", program, &["--incremental", "--lang=smt2"])
    }
}

/// A solver that is a process.
pub struct SmtLibSolver {
    profile: SmtLibProfile,
    running: Option<Conversation>,
    script: Script,
    /// The commands of each frame, for a process that has to start anew.
    said: Vec<String>,
    patience: Patience,
    /// The last check's assumptions with the names they were given.
    assumptions: Vec<(TermId, String)>,
    last: Last,
    /// Names given to assumptions so far.
    selectors: u64,
}

#[derive(Clone, PartialEq, Eq)]
enum Last {
    Nothing,
    Satisfiable,
    Unsatisfiable { core: Vec<String> },
}

/// How much longer than the budget an answer after the check (a value, a core) may take.
const AFTERTHOUGHT: Duration = Duration::from_secs(10);

impl SmtLibSolver {
    pub fn new(profile: SmtLibProfile) -> Self {
        SmtLibSolver {
            profile,
            running: None,
            script: Script::new(),
            said: vec![String::new()],
            patience: Patience::default(),
            assumptions: Vec::new(),
            last: Last::Nothing,
            selectors: 0,
        }
    }

    /// Remembers commands and passes them on to a running process.
    fn say(&mut self, commands: &str) -> Result<(), SolverError> {
        self.said
            .last_mut()
            .expect("invariant: there is always a frame")
            .push_str(commands);
        self.tell(commands)
    }

    /// Passes commands on without remembering them. A process that does not take them is given up;
    /// the next check starts another one.
    fn tell(&mut self, commands: &str) -> Result<(), SolverError> {
        if let Some(running) = &self.running
            && running.send(commands.to_owned()).is_err()
        {
            self.running = None;
        }
        Ok(())
    }

    fn conversation(&mut self) -> Result<&mut Conversation, SolverError> {
        if self.running.is_none() {
            let memory = self.patience.budget.memory_bytes();
            let started = Conversation::start(&self.profile.command, memory)?;
            started.send(self.profile.preamble.clone())?;
            started.send(self.said.join("(push 1)\n"))?;
            self.running = Some(started);
        }
        self.running
            .as_mut()
            .ok_or_else(|| SolverError::Internal("the process is gone".into()))
    }

    /// Asks and waits. Whatever goes wrong ends the process, because what it says next would be
    /// the answer to a question that is gone.
    fn ask(&mut self, question: String, patience: &Patience) -> Result<String, SolverError> {
        let answer = self.try_ask(question, patience);
        let failed = match &answer {
            Ok(text) => is_error(text),
            Err(_) => true,
        };
        if failed {
            self.running = None;
        }
        answer
    }

    fn try_ask(&mut self, question: String, patience: &Patience) -> Result<String, SolverError> {
        let conversation = self.conversation()?;
        conversation.send(question)?;
        conversation.answer(&|| patience.check())
    }

    fn garbage(&self, answer: &str, expected: &'static str) -> SolverError {
        SolverError::Garbage {
            program: self.profile.command.program.clone(),
            answer: answer.chars().take(200).collect(),
            expected,
        }
    }

    fn run_check(
        &mut self,
        pool: &TermPool,
        assumptions: &[TermId],
    ) -> Result<Answer, SolverError> {
        self.patience.check()?;
        for term in assumptions {
            let printed = self.script.term(pool, *term)?;
            let name = format!("assume!{}", self.selectors);
            self.selectors += 1;
            self.say(&printed.commands)?;
            self.say(&format!(
                "(declare-fun {name} () Bool)\n(assert (=> {name} {}))\n",
                printed.expression
            ))?;
            self.assumptions.push((*term, name));
        }
        let question = if assumptions.is_empty() {
            "(check-sat)\n".to_owned()
        } else {
            let names: Vec<&str> = self.assumptions.iter().map(|(_, n)| n.as_str()).collect();
            format!("(check-sat-assuming ({}))\n", names.join(" "))
        };
        let patience = self.patience.clone();
        let answer = self.ask(question, &patience)?;
        match answer.as_str() {
            "sat" => {
                self.last = Last::Satisfiable;
                Ok(Answer::Satisfiable)
            }
            "unsat" => {
                let core = self.read_core(!assumptions.is_empty())?;
                self.last = Last::Unsatisfiable { core };
                Ok(Answer::Unsatisfiable)
            }
            "unknown" => Ok(Answer::Unknown("the solver says unknown".into())),
            other => {
                self.running = None;
                Err(self.garbage(other, "sat, unsat or unknown"))
            }
        }
    }

    fn read_core(&mut self, assumed: bool) -> Result<Vec<String>, SolverError> {
        if !assumed {
            return Ok(Vec::new());
        }
        let answer = self.ask_after("(get-unsat-assumptions)\n".to_owned())?;
        let read = || {
            let document = Document::read(&answer).ok()?;
            let list = document.list(*document.top().first()?)?;
            list.iter()
                .map(|id| document.atom(*id).map(str::to_owned))
                .collect::<Option<Vec<_>>>()
        };
        read().ok_or_else(|| self.garbage(&answer, "a list of assumptions"))
    }

    /// A question after a check: it has a little time of its own.
    fn ask_after(&mut self, question: String) -> Result<String, SolverError> {
        let patience = Patience::with(Budget::unlimited().within(AFTERTHOUGHT));
        self.ask(question, &patience)
    }
}

fn is_error(answer: &str) -> bool {
    answer.starts_with("(error")
}

impl Solver for SmtLibSolver {
    fn name(&self) -> &str {
        &self.profile.name
    }

    fn declare(&mut self, pool: &TermPool, symbol: TermId) -> Result<(), SolverError> {
        let commands = self.script.declare(pool, symbol)?;
        self.say(&commands)
    }

    fn assert(&mut self, pool: &TermPool, term: TermId) -> Result<(), SolverError> {
        let printed = self.script.term(pool, term)?;
        self.last = Last::Nothing;
        self.say(&printed.commands)?;
        self.say(&format!("(assert {})\n", printed.expression))
    }

    fn check_assuming(
        &mut self,
        pool: &TermPool,
        assumptions: &[TermId],
    ) -> Result<Answer, SolverError> {
        self.last = Last::Nothing;
        self.assumptions.clear();
        let answer = self.run_check(pool, assumptions);
        self.patience.check_is_over();
        answer
    }

    fn value(&mut self, pool: &TermPool, term: TermId) -> Result<Value, SolverError> {
        if self.last != Last::Satisfiable {
            return Err(SolverError::NoModel);
        }
        let mut aside = self.script.clone();
        let printed = aside.closed_term(pool, term)?;
        if !printed.commands.is_empty() {
            return Err(SolverError::Unsupported {
                solver: "SMT-LIB",
                construct: "the value of a term with symbols that were never declared".into(),
            });
        }
        let answer = self.ask_after(format!("(get-value ({}))\n", printed.expression))?;
        let program = &self.profile.command.program;
        answered_value(&answer, pool, pool.sort_id(term), program)
    }
}

impl PushPop for SmtLibSolver {
    fn push(&mut self) -> Result<(), SolverError> {
        self.last = Last::Nothing;
        self.script.push();
        self.said.push(String::new());
        self.tell("(push 1)\n")
    }

    fn pop(&mut self, frames: usize) -> Result<(), SolverError> {
        let available = self.said.len() - 1;
        if frames > available {
            return Err(SolverError::NothingToPop {
                wanted: frames,
                available,
            });
        }
        self.last = Last::Nothing;
        for _ in 0..frames {
            self.script.pop();
            self.said.pop();
        }
        self.tell(&format!("(pop {frames})\n"))
    }
}

impl UnsatCore for SmtLibSolver {
    fn core(&mut self) -> Result<Vec<TermId>, SolverError> {
        let Last::Unsatisfiable { core } = &self.last else {
            return Err(SolverError::NoCore);
        };
        let blamed = self.assumptions.iter().filter(|(_, n)| core.contains(n));
        Ok(blamed.map(|(term, _)| *term).collect())
    }
}

impl Interrupt for SmtLibSolver {
    fn interrupter(&self) -> Interrupter {
        self.patience.interrupter()
    }
}

impl Limits for SmtLibSolver {
    fn set_budget(&mut self, budget: Budget) {
        self.patience.budget = budget;
    }
}
