//! A hunt for wrong verdicts: programs whose truth is known, and every engine's answer.
//!
//! A program ([`source`]) is one that we generate with inputs so small that all of its executions can
//! be made ([`generate`]), a program of the suites that was changed ([`mutate`]), or one from csmith
//! that asserts its own checksum. What is true of it comes from executions ([`truth`]), which are also
//! made on the machine ([`native`]). Then each engine is asked as a user asks it ([`engines`]), and
//! what it says of each check is compared with the truth and with what the others say ([`judge`]).
//!
//! Nothing here depends on time but how many answers are `unknown`; the same seed gives the same
//! programs.

pub mod engines;
mod generate;
mod judge;
mod mutate;
mod native;
#[cfg(test)]
mod planted;
mod random;
pub mod source;
mod truth;

use super::shrink::minimise;
use engines::{Answer, Asker, Engine};
use foghorn_core::CheckSelection;
use foghorn_witness::report::VerdictName;
use judge::{Finding, Sort, judge};
use source::{Case, Suites};
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
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
}

/// How often an engine said what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    pub safe: u64,
    pub unsafe_: u64,
    pub unknown: u64,
    /// It ran out of all patience.
    pub silent: u64,
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
    /// Seeds that gave no program, or none that compiles.
    pub skipped: u64,
    pub tallies: BTreeMap<&'static str, Tally>,
    pub findings: Vec<Kept>,
}

/// A finding, and its program.
#[derive(Debug)]
pub struct Kept {
    pub seed: u64,
    pub origin: String,
    pub sort: &'static str,
    pub engines: String,
    pub what: String,
    /// As small as it became.
    pub program: String,
    pub file: Option<PathBuf>,
}

/// Attempts to make a program smaller; each asks an engine.
const SHRINKING_ATTEMPTS: usize = 400;

impl Hunt {
    /// Hunts; `progress` is told how many programs are done, and of each finding at once.
    pub fn run(&self, progress: &(dyn Fn(u64, Option<&Kept>) + Sync)) -> io::Result<Summary> {
        let summary = Mutex::new(Summary::default());
        let next = AtomicU64::new(0);
        let error = Mutex::new(None);
        std::thread::scope(|scope| {
            for _ in 0..self.jobs.max(1) {
                scope.spawn(|| {
                    if let Err(problem) = self.work(&next, &summary, progress) {
                        *error.lock().expect("invariant: no panic while locked") = Some(problem);
                    }
                });
            }
        });
        let error = error.into_inner();
        if let Some(problem) = error.expect("invariant: no panic while locked") {
            return Err(problem);
        }
        let summary = summary.into_inner();
        let mut summary = summary.expect("invariant: no panic while locked");
        summary.findings.sort_by_key(|kept| kept.seed);
        Ok(summary)
    }

    fn work(
        &self,
        next: &AtomicU64,
        summary: &Mutex<Summary>,
        progress: &(dyn Fn(u64, Option<&Kept>) + Sync),
    ) -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= self.programs {
                return Ok(());
            }
            let seed = self.seed.wrapping_add(number);
            let looked_at = self.look(seed, folder.path())?;
            let mut summary = summary.lock().expect("invariant: no panic while locked");
            let Some(looked_at) = looked_at else {
                summary.skipped += 1;
                progress(summary.programs + summary.skipped, None);
                continue;
            };
            summary.enter(&looked_at);
            progress(summary.programs + summary.skipped, looked_at.kept.as_ref());
            summary.findings.extend(looked_at.kept);
        }
    }

    /// One program: truth, answers, and what is wrong.
    fn look(&self, seed: u64, folder: &Path) -> io::Result<Option<Look>> {
        let Some(case) = source::case(seed, &self.suites, folder)? else {
            return Ok(None);
        };
        let path = folder.join("program.c");
        std::fs::write(&path, &case.text)?;
        let Some(truth) = truth_of(&case, &path) else {
            return Ok(None);
        };
        let engines = engines::asked(&self.engines, seed);
        let mut answers = vec![];
        for engine in &engines {
            let answer = self.asker.ask(engine, &path, &case.check, case.include)?;
            answers.push((engine.name, answer));
        }
        let finding = match self.against_machine(&case, &truth, &path, folder)? {
            Some(finding) => Some(finding),
            None => judge(&truth, &answers).or_else(|| against_header(&case, &answers)),
        };
        let kept = match finding {
            Some(finding) => Some(self.keep(seed, &case, finding, folder)?),
            None => None,
        };
        Ok(Some(Look {
            complete: truth.complete,
            failing: !truth.failing.is_empty(),
            executions: truth.executions.len() as u64,
            verdicts: answers
                .iter()
                .map(|(name, it)| (*name, it.verdict()))
                .collect(),
            kept,
        }))
    }

    /// Whether the machine does the same, of programs whose inputs it can be given.
    fn against_machine(
        &self,
        case: &Case,
        truth: &Truth,
        path: &Path,
        folder: &Path,
    ) -> io::Result<Option<Finding>> {
        if case.domain != Domain::Small {
            return Ok(None);
        }
        let different = native::compare(&self.clang, path, &truth.executions, folder)?;
        Ok(different.map(|what| Finding {
            sort: Sort::Machine,
            engines: vec!["front end"],
            what,
        }))
    }

    /// Shrinks a program and writes it to where such programs are kept.
    fn keep(&self, seed: u64, case: &Case, finding: Finding, folder: &Path) -> io::Result<Kept> {
        let program = match self.shrink {
            true => self.shrunk(case, &finding, folder)?,
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
            sort: finding.sort.name(),
            engines: finding.engines.join(", "),
            what: finding.what,
            program,
            file,
        })
    }

    /// The fewest lines of the program about which the same engines are wrong in the same way.
    fn shrunk(&self, case: &Case, finding: &Finding, folder: &Path) -> io::Result<String> {
        let path = folder.join("smaller.c");
        let engines = self.engines.iter();
        let engines: Vec<&Engine> = engines
            .filter(|engine| finding.engines.contains(&engine.name))
            .collect();
        let lines: Vec<&str> = case
            .text
            .lines()
            .filter(|line| !line.trim().is_empty())
            .collect();
        let kept = minimise(lines, SHRINKING_ATTEMPTS, &mut |lines| {
            let text = lines.join("\n") + "\n";
            std::fs::write(&path, &text)?;
            let Some(truth) = truth_of(case, &path) else {
                return Ok(false);
            };
            let found = match finding.sort {
                Sort::Machine => self.against_machine(case, &truth, &path, folder)?,
                Sort::WrongSafe | Sort::WrongAlarm | Sort::Contradiction | Sort::Broken => {
                    let mut answers = vec![];
                    for engine in &engines {
                        let answer = self.asker.ask(engine, &path, &case.check, case.include)?;
                        answers.push((engine.name, answer));
                    }
                    judge(&truth, &answers)
                }
            };
            Ok(found.is_some_and(|found| found.sort == finding.sort))
        })?;
        Ok(kept.join("\n") + "\n")
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
struct Look {
    complete: bool,
    failing: bool,
    executions: u64,
    verdicts: Vec<(&'static str, Option<VerdictName>)>,
    kept: Option<Kept>,
}

impl Summary {
    fn enter(&mut self, look: &Look) {
        self.programs += 1;
        self.exhausted += u64::from(look.complete);
        self.failing += u64::from(look.failing);
        self.executions += look.executions;
        for (engine, verdict) in &look.verdicts {
            let tally = self.tallies.entry(engine).or_default();
            match verdict {
                Some(VerdictName::Safe) => tally.safe += 1,
                Some(VerdictName::Unsafe) => tally.unsafe_ += 1,
                Some(VerdictName::Unknown) => tally.unknown += 1,
                None => tally.silent += 1,
            }
        }
    }
}
