//! How an engine is asked about a program.
//!
//! The program is prepared once, and every engine is given the same task, each stage in a process of its own: what an
//! answer usually takes is a small part of what translating the program takes. The plan of all engines is asked on the
//! command line instead, as a user does, so that arguments, exit codes, reports and certificates are hunted as well; it
//! prepares the program itself.
//!
//! Invariant: the arguments of an engine say nothing about the program, so the task is the same for all.

use super::super::child;
use super::engines::{Answer, Engine, fault};
use crate::arguments::{Arguments, Command as Subcommand, VerifyArguments};
use crate::command::verify::{cores, preparation, read_property};
use crate::verify::plan::plan;
use crate::verify::processes;
use clap::Parser;
use foghorn_core::{Budget, CheckSelection};
use foghorn_driver::schedule::Prepared;
use foghorn_witness::report::{VerdictName, VerificationReport};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A program that engines are asked about.
pub struct Question<'q> {
    source: &'q Path,
    check: &'q str,
    include: Option<&'q str>,
    /// What each engine may take.
    limit: Duration,
    /// Nothing if it could not be prepared: then each engine tries it by itself, and says why not.
    task: Option<(Prepared, TempDir)>,
}

/// Asks engines.
#[derive(Clone, Debug)]
pub struct Asker {
    /// This binary.
    pub foghorn: PathBuf,
    /// What each engine may take of a usual program.
    pub limit: Duration,
}

/// Of one program in so many engines have more time. Of a hundred programs that an engine decides, it decides all but
/// one or two in the time of the others; those that it does not decide take most of the time of a hunt.
///
/// The number has no factor in common with the numbers of engines that have turns.
const PATIENT_EACH: u64 = 19;
const PATIENCE: u32 = 10;

impl Asker {
    /// What an engine may take beyond its limit before it is stopped.
    const GRACE: Duration = Duration::from_secs(60);

    /// What an engine may take for the program of this seed.
    pub fn limit_of(&self, seed: u64) -> Duration {
        match seed.is_multiple_of(PATIENT_EACH) {
            true => self.limit * PATIENCE,
            false => self.limit,
        }
    }

    /// Prepares a program for the questions about it.
    pub fn question<'q>(
        &self,
        source: &'q Path,
        check: &'q str,
        include: Option<&'q str>,
        limit: Duration,
    ) -> io::Result<Question<'q>> {
        let mut question = Question {
            source,
            check,
            include,
            limit,
            task: None,
        };
        let folder = tempfile::tempdir()?;
        let task = folder.path().join("program.task");
        if let Some(arguments) = question.parse(&[]) {
            let preparation = preparation(&arguments, &task);
            let budget = Budget::unlimited();
            let time = Some(limit + Self::GRACE);
            let ready = processes::prepare(&preparation, time, None, &budget, |_| {});
            if let Ok(Ok(ready)) = ready {
                question.task = Some((processes::prepared(task, &ready), folder));
            }
        }
        Ok(question)
    }

    /// What an engine says.
    pub fn ask(&self, engine: &Engine, question: &Question<'_>) -> io::Result<Answer> {
        match &question.task {
            Some((prepared, _)) if !engine.is_asked_as_by_users() => {
                let answered = catch_unwind(AssertUnwindSafe(|| question.answer(engine, prepared)));
                Ok(match answered {
                    Ok(Some(report)) => checked(report),
                    Ok(None) => Answer::Broken("its arguments are not understood".to_owned()),
                    Err(_) => Answer::Broken("a panic of whoever carries out plans".to_owned()),
                })
            }
            _ => self.ask_on_command_line(engine, question),
        }
    }

    fn ask_on_command_line(&self, engine: &Engine, question: &Question<'_>) -> io::Result<Answer> {
        let mut command = Command::new(&self.foghorn);
        command
            .args(["verify", "--json", "-"])
            .args(question.arguments(engine.arguments));
        if !engine.is_asked_as_by_users() {
            command.arg("--no-certificate");
        }
        let finished = child::run(&mut command, question.limit + Self::GRACE)?;
        Ok(match finished {
            None => Answer::Silent,
            Some(finished) => read(finished.code, &finished.stdout, &finished.stderr),
        })
    }
}

impl Question<'_> {
    /// The arguments of `foghorn verify`.
    fn arguments(&self, engine: &[&str]) -> Vec<String> {
        let mut arguments: Vec<String> = vec!["--check".to_owned(), self.check.to_owned()];
        arguments.extend(["--timeout".to_owned(), self.limit.as_secs_f64().to_string()]);
        arguments.extend(engine.iter().map(|&it| it.to_owned()));
        if let Some(folder) = self.include {
            arguments.extend(["-I".to_owned(), folder.to_owned()]);
        }
        arguments.push(self.source.to_string_lossy().into_owned());
        arguments
    }

    /// The same as the command understands them.
    fn parse(&self, engine: &[&str]) -> Option<VerifyArguments> {
        let command = ["foghorn".to_owned(), "verify".to_owned()];
        let all = command.into_iter().chain(self.arguments(engine));
        match Arguments::try_parse_from(all).ok()?.command {
            Subcommand::Verify(arguments) => read_property(&arguments).ok(),
            _ => None,
        }
    }

    /// Carries out the plan of an engine on the task.
    fn answer(&self, engine: &Engine, prepared: &Prepared) -> Option<VerificationReport> {
        let arguments = self.parse(engine.arguments)?;
        let checks: CheckSelection = arguments.check.parse().ok()?;
        let plan = plan(&arguments, &checks, Some(self.limit), cores().max(1));
        let started = Instant::now();
        let budget = Budget::unlimited();
        let mut report = processes::answer(&plan, prepared, None, started, &budget, &mut |_| {});
        report.time_s = started.elapsed().as_secs_f64();
        report.finish();
        Some(report)
    }
}

/// A report, or what it says that must not happen.
fn checked(report: VerificationReport) -> Answer {
    match fault(&report) {
        Some(what) => Answer::Broken(what),
        None => Answer::Report(Box::new(report)),
    }
}

fn read(code: Option<i32>, stdout: &[u8], stderr: &[u8]) -> Answer {
    let said = String::from_utf8_lossy(stderr);
    let said = said.lines().next().unwrap_or("nothing on stderr");
    let broken = |what: &str| Answer::Broken(format!("{what}: {said}"));
    match (code, serde_json::from_slice::<VerificationReport>(stdout)) {
        (Some(0 | 10 | 20), Ok(report)) => {
            let expected = match report.verdict {
                VerdictName::Safe => 0,
                VerdictName::Unsafe => 10,
                VerdictName::Unknown => 20,
            };
            if code != Some(expected) {
                return broken("the exit code is not the verdict's");
            }
            checked(report)
        }
        (Some(code), Ok(_)) => broken(&format!("exit {code} with a report")),
        (Some(code), Err(error)) => broken(&format!("exit {code}, no report ({error})")),
        (None, _) => broken("ended by a signal"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn some_programs_have_more_time() {
        let asker = Asker {
            foghorn: PathBuf::new(),
            limit: Duration::from_secs(1),
        };
        let patient = (1..=100).filter(|&seed| asker.limit_of(seed) > asker.limit);
        assert_eq!(patient.count(), 5);
    }

    #[test]
    fn arguments_are_those_of_the_command() {
        let question = Question {
            source: Path::new("program.c"),
            check: "assertions",
            include: Some("headers"),
            limit: Duration::from_millis(1500),
            task: None,
        };
        for engine in super::super::engines::ENGINES {
            assert!(
                question.parse(engine.arguments).is_some(),
                "{}",
                engine.name
            );
        }
        assert!(question.parse(&["--engine", "none"]).is_none());
    }

    #[test]
    fn an_answer_is_a_report_and_its_exit_code() {
        let report = br#"{"verdict":"safe","reason":"","checks":[],"assumptions":[],"warnings":[],
            "engine":"bmc","time_s":0.1,"peak_memory_mb":1.0,"statistics":{}}"#;
        let safe = read(Some(0), report, b"");
        assert_eq!(safe.verdict(), Some(VerdictName::Safe), "{safe:?}");
        assert!(matches!(read(Some(10), report, b""), Answer::Broken(_)));
        assert!(matches!(read(Some(70), b"", b"bug"), Answer::Broken(_)));
        assert!(matches!(read(None, b"", b""), Answer::Broken(_)));
    }
}
