//! A hunt for wrong verdicts: programs whose truth is known, and every engine's answer.
//!
//! A program ([`source`]) is one that we generate with inputs so small that all of its executions can
//! be made ([`generate`]), a program of the suites that was changed ([`mutate`]), or one from csmith
//! that asserts its own checksum. What is true of it comes from executions ([`truth`]), which are also
//! made on the machine ([`native`]). Then the engines whose turn it is ([`engines`]) are asked ([`asking`]), and
//! what each says of each check is compared with the truth and with what the others say ([`judge`]).
//!
//! Nothing here depends on time but how many answers are `unknown`; the same seed gives the same
//! programs. What came of each program may be recorded ([`record`]), so that a hunt goes on where it was ended.

pub mod asking;
pub mod engines;
mod generate;
mod judge;
mod mutate;
mod native;
#[cfg(test)]
mod planted;
mod random;
pub mod record;
pub mod source;
mod truth;

use super::shrink::minimise;
use asking::{Asker, Question};
use engines::{Answer, Engine};
use foghorn_core::CheckSelection;
use foghorn_witness::report::VerdictName;
use judge::{Finding, Sort, judge};
use native::{Comparison, Machine};
use record::Record;
use serde::{Deserialize, Serialize};
use source::{Case, Suites};
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use truth::{Domain, Truth};

/// What to hunt for.
pub struct Hunt {
    pub programs: u64,
    pub seed: u64,
    pub jobs: usize,
    pub engines: Vec<Engine>,
    pub suites: Suites,
    pub asker: Asker,
    pub clang: PathBuf,
    pub shrink: bool,
    /// Where programs with findings go.
    pub keep: Option<PathBuf>,
    /// What earlier hunts recorded, and where this one does.
    pub record: Option<PathBuf>,
}

/// How often an engine said what.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tally {
    pub safe: u64,
    pub unsafe_: u64,
    pub unknown: u64,
    /// It ran out of all patience.
    pub silent: u64,
    /// Checks, and those of which it said that they hold or fail.
    pub checks: u64,
    pub decided: u64,
    /// What its answers took, on the wall.
    pub seconds: f64,
}

/// What came of it.
#[derive(Debug, Default)]
pub struct Summary {
    pub programs: u64,
    /// Programs of which every execution was made.
    pub exhausted: u64,
    /// Those of which some run fails.
    pub failing: u64,
    pub executions: u64,
    /// Programs of which executions were compared with the machine.
    pub compared: u64,
    /// Seeds that gave no program, or none that compiles.
    pub skipped: u64,
    /// Seeds that were looked at before, by the record.
    pub recorded: u64,
    pub tallies: BTreeMap<String, Tally>,
    pub findings: Vec<Kept>,
}

/// A finding, and its program.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Kept {
    pub seed: u64,
    pub origin: String,
    pub sort: String,
    pub engines: String,
    pub what: String,
    /// As small as it became.
    pub program: String,
    pub file: Option<PathBuf>,
}

/// How far a hunt is.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'p> {
    pub programs: u64,
    pub findings: usize,
    /// What was just found.
    pub found: Option<&'p Kept>,
}

/// Whoever is told of progress.
pub type Watcher<'w> = dyn Fn(Progress<'_>) + Sync + 'w;

/// Attempts to make a program smaller; each asks an engine.
const SHRINKING_ATTEMPTS: usize = 400;

impl Hunt {
    /// Hunts; `watcher` is told after each program. What was recorded before counts, and is not done again.
    pub fn run(&self, watcher: &Watcher<'_>) -> io::Result<Summary> {
        let mut summary = Summary::default();
        let record = self.record.as_deref().map(Record::open).transpose()?;
        let mut record = record.unwrap_or_default();
        let mut known = BTreeSet::new();
        for (seed, look) in record.take_known() {
            if known.insert(seed) {
                summary.recorded += 1;
                summary.enter(look.as_ref());
            }
        }
        let hunting = Hunting {
            known,
            next: AtomicU64::new(0),
            done: Mutex::new(Done { summary, record }),
            watcher,
        };
        let workers: Vec<io::Result<()>> = std::thread::scope(|scope| {
            let start = |_| scope.spawn(|| self.work(&hunting));
            let workers: Vec<_> = (0..self.jobs.max(1)).map(start).collect();
            let end = |worker: std::thread::ScopedJoinHandle<'_, _>| worker.join();
            workers
                .into_iter()
                .map(|worker| end(worker).expect("invariant: workers do not panic"))
                .collect()
        });
        workers.into_iter().collect::<io::Result<()>>()?;
        let done = hunting.done.into_inner();
        let mut summary = done.unwrap_or_else(PoisonError::into_inner).summary;
        summary.findings.sort_by_key(|kept| kept.seed);
        Ok(summary)
    }

    fn work(&self, hunting: &Hunting<'_>) -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let machine = Machine::new(&self.clang, folder.path())?;
        loop {
            let number = hunting.next.fetch_add(1, Ordering::Relaxed);
            if number >= self.programs {
                return Ok(());
            }
            let seed = self.seed.wrapping_add(number);
            if !hunting.known.contains(&seed) {
                let look = self.look(seed, folder.path(), &machine)?;
                hunting.enter(seed, look.as_ref())?;
            }
        }
    }

    /// One program: truth, answers, and what is wrong.
    fn look(&self, seed: u64, folder: &Path, machine: &Machine) -> io::Result<Option<Look>> {
        let Some(case) = source::case(seed, &self.suites, folder)? else {
            return Ok(None);
        };
        let path = folder.join("program.c");
        std::fs::write(&path, &case.text)?;
        let Some(truth) = truth_of(&case, &path) else {
            return Ok(None);
        };
        let limit = self.asker.limit_of(seed);
        let question = self
            .asker
            .question(&path, &case.check, case.include, limit)?;
        let engines = engines::asked(&self.engines, seed);
        let answers = self.answers(engines.iter(), &question)?;
        let compared = compare(&case, &truth, &path, machine)?;
        let finding = match &compared {
            Comparison::Different(what) => Some(of_machine(what)),
            Comparison::Same | Comparison::None => {
                judge(&truth, &answers).or_else(|| against_header(&case, &answers))
            }
        };
        let look = Look {
            complete: truth.complete,
            failing: !truth.failing.is_empty(),
            executions: truth.executions.len() as u64,
            compared: compared != Comparison::None,
            answers: answers.iter().map(Said::of).collect(),
            kept: None,
        };
        let kept = match finding {
            Some(finding) => Some(self.keep(seed, &case, finding, folder, machine)?),
            None => None,
        };
        Ok(Some(Look { kept, ..look }))
    }

    fn answers<'e>(
        &self,
        engines: impl Iterator<Item = &'e Engine>,
        question: &Question<'_>,
    ) -> io::Result<Vec<(&'static str, Answer)>> {
        let ask = |engine: &Engine| Ok((engine.name, self.asker.ask(engine, question)?));
        engines.map(ask).collect()
    }

    /// Shrinks a program and writes it to where such programs are kept.
    fn keep(
        &self,
        seed: u64,
        case: &Case,
        finding: Finding,
        folder: &Path,
        machine: &Machine,
    ) -> io::Result<Kept> {
        let program = match self.shrink {
            true => self.shrunk(seed, case, &finding, folder, machine)?,
            false => case.text.clone(),
        };
        let mut file = None;
        if let Some(keep) = &self.keep {
            std::fs::create_dir_all(keep)?;
            std::fs::write(keep.join(format!("{seed}.c")), &case.text)?;
            let small = keep.join(format!("{seed}-small.c"));
            std::fs::write(&small, &program)?;
            file = Some(small);
        }
        Ok(Kept {
            seed,
            origin: case.origin.clone(),
            sort: finding.sort.name().to_owned(),
            engines: finding.engines.join(", "),
            what: finding.what,
            program,
            file,
        })
    }

    /// The fewest lines of the program about which the same engines are wrong in the same way.
    fn shrunk(
        &self,
        seed: u64,
        case: &Case,
        finding: &Finding,
        folder: &Path,
        machine: &Machine,
    ) -> io::Result<String> {
        let path = folder.join("smaller.c");
        let limit = self.asker.limit_of(seed);
        let concerned = |engine: &&Engine| finding.engines.contains(&engine.name);
        let lines = case.text.lines();
        let lines: Vec<&str> = lines.filter(|line| !line.trim().is_empty()).collect();
        let kept = minimise(lines, SHRINKING_ATTEMPTS, &mut |lines| {
            let text = lines.join("\n") + "\n";
            std::fs::write(&path, &text)?;
            let Some(truth) = truth_of(case, &path) else {
                return Ok(false);
            };
            Ok(match finding.sort {
                Sort::Machine => matches!(
                    compare(case, &truth, &path, machine)?,
                    Comparison::Different(_)
                ),
                Sort::WrongSafe | Sort::WrongAlarm | Sort::Contradiction | Sort::Broken => {
                    let question = self
                        .asker
                        .question(&path, &case.check, case.include, limit)?;
                    let engines = self.engines.iter().filter(concerned);
                    let found = judge(&truth, &self.answers(engines, &question)?);
                    found.is_some_and(|found| found.sort == finding.sort)
                }
            })
        })?;
        Ok(kept.join("\n") + "\n")
    }
}

/// What the workers of a hunt share.
struct Hunting<'h> {
    /// Seeds that were looked at before.
    known: BTreeSet<u64>,
    next: AtomicU64,
    done: Mutex<Done>,
    watcher: &'h Watcher<'h>,
}

struct Done {
    summary: Summary,
    record: Record,
}

impl Hunting<'_> {
    fn enter(&self, seed: u64, look: Option<&Look>) -> io::Result<()> {
        let mut done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
        done.record.write(seed, look)?;
        done.summary.enter(look);
        (self.watcher)(Progress {
            programs: done.summary.programs + done.summary.skipped,
            findings: done.summary.findings.len(),
            found: look.and_then(|look| look.kept.as_ref()),
        });
        Ok(())
    }
}

/// Whether the machine does the same, of programs whose inputs it can be given.
fn compare(case: &Case, truth: &Truth, path: &Path, machine: &Machine) -> io::Result<Comparison> {
    match case.domain {
        Domain::Small => machine.compare(path, &truth.executions),
        Domain::None | Domain::Some(_) => Ok(Comparison::None),
    }
}

fn of_machine(what: &str) -> Finding {
    Finding {
        sort: Sort::Machine,
        engines: vec!["front end"],
        what: what.to_owned(),
    }
}

/// What is true of a program; `None` if it is no program.
fn truth_of(case: &Case, path: &Path) -> Option<Truth> {
    let module = source::load(path, case.include).ok()?;
    let checks: CheckSelection = case.check.parse().ok()?;
    Some(Truth::of(&module, checks.groups(), case.domain))
}

/// Answers against what the header of the program says of it, where it still means the same.
fn against_header(case: &Case, answers: &[(&'static str, Answer)]) -> Option<Finding> {
    let expected = case.expected?;
    answers.iter().find_map(|(engine, answer)| {
        let sort = match (expected, answer.verdict()?) {
            (VerdictName::Unsafe, VerdictName::Safe) => Sort::WrongSafe,
            (VerdictName::Safe, VerdictName::Unsafe) => Sort::WrongAlarm,
            _ => return None,
        };
        Some(Finding {
            sort,
            engines: vec![engine],
            what: "is not what the header of the unchanged program says".to_owned(),
        })
    })
}

/// One program, looked at.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Look {
    complete: bool,
    failing: bool,
    executions: u64,
    /// Whether the machine was asked.
    compared: bool,
    answers: Vec<Said>,
    kept: Option<Kept>,
}

/// What an engine said, as it is counted.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Said {
    engine: String,
    verdict: Option<VerdictName>,
    checks: u64,
    decided: u64,
    seconds: f64,
}

impl Said {
    fn of((engine, answer): &(&'static str, Answer)) -> Said {
        let (checks, seconds) = match answer {
            Answer::Report(report) => (&report.checks[..], report.time_s),
            Answer::Silent | Answer::Broken(_) => (&[][..], 0.0),
        };
        let decided = checks.iter();
        let decided = decided.filter(|check| check.verdict != VerdictName::Unknown);
        Said {
            engine: (*engine).to_owned(),
            verdict: answer.verdict(),
            checks: checks.len() as u64,
            decided: decided.count() as u64,
            seconds,
        }
    }
}

impl Summary {
    /// Enters a program, or a seed that gave none.
    fn enter(&mut self, look: Option<&Look>) {
        let Some(look) = look else {
            self.skipped += 1;
            return;
        };
        self.programs += 1;
        self.exhausted += u64::from(look.complete);
        self.failing += u64::from(look.failing);
        self.executions += look.executions;
        self.compared += u64::from(look.compared);
        self.findings.extend(look.kept.clone());
        for said in &look.answers {
            let tally = self.tallies.entry(said.engine.clone()).or_default();
            match said.verdict {
                Some(VerdictName::Safe) => tally.safe += 1,
                Some(VerdictName::Unsafe) => tally.unsafe_ += 1,
                Some(VerdictName::Unknown) => tally.unknown += 1,
                None => tally.silent += 1,
            }
            tally.checks += said.checks;
            tally.decided += said.decided;
            tally.seconds += said.seconds;
        }
    }
}
