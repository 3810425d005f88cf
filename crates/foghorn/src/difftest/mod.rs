//! Differential testing: random C programs, on the machine and in the interpreter.
//!
//! A case is a csmith program named by its seed. It is compiled by clang at -O0 and at -O2 and
//! run, and it is interpreted by this very binary in a child process, so that a crash of the
//! interpreter is a finding and not the end. All three must agree on output and exit code.
//!
//! With `--invariants` the machine is left out: programs are interpreted, and the state at the start
//! of every block is compared with invariants of intervals and of zones, and each state that comes back
//! to the head of a loop with those of kIkI.
//!
//! What does not count as a finding: a program whose undefined behaviour the interpreter reports
//! and clang's sanitizers report too, a program that does not end natively within the limit (the
//! next seed takes its place), one on which clang at -O0 and -O2 already disagree (it has
//! undefined behaviour or met a bug of clang; counted and shown).
//!
//! With `--verdicts` it is the engines that are tested ([`verdicts`]).
//!
//! The pure form and the pointer analysis are compared with the interpreter alone, on the same
//! programs; of one that takes long, a beginning.

pub mod child;
pub mod generate;
pub mod oracle;
pub mod shrink;
pub mod verdicts;

use oracle::{Comparison, Oracle};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// What to do.
pub struct Plan {
    pub count: u64,
    pub seed: u64,
    pub jobs: usize,
    pub shrink: bool,
    pub keep: Option<PathBuf>,
}

/// Counts over all programs.
#[derive(Debug, Default)]
pub struct Summary {
    pub agreed: u64,
    /// Programs of which only a beginning was compared, and agreed.
    pub beginnings: u64,
    pub skipped: u64,
    pub native_disagreements: u64,
    /// Programs with undefined behaviour that both the interpreter and the sanitizers report.
    pub undefined: u64,
    pub differences: Vec<Difference>,
}

/// A program on which the interpreter and the machine do not agree.
#[derive(Debug)]
pub struct Difference {
    pub seed: u64,
    /// What differs, in one line.
    pub what: String,
    /// It stopped at something that is not supported.
    pub unsupported: bool,
    /// The program after shrinking, preprocessing left out.
    pub program: String,
}

impl Summary {
    /// Programs that were compared.
    pub fn total(&self) -> u64 {
        let others = self.native_disagreements + self.undefined + self.differences.len() as u64;
        self.agreed + self.beginnings + others
    }

    pub fn unsupported(&self) -> usize {
        self.differences.iter().filter(|d| d.unsupported).count()
    }
}

/// Runs the plan; `progress` is called after each program with the number done.
pub fn run(
    plan: &Plan,
    oracle: &Oracle,
    progress: &(dyn Fn(u64) + Sync),
) -> std::io::Result<Summary> {
    let summary = Mutex::new(Summary::default());
    let next = AtomicU64::new(plan.seed);
    let error = Mutex::new(None);
    std::thread::scope(|scope| {
        for _ in 0..plan.jobs.max(1) {
            scope.spawn(|| {
                if let Err(problem) = work(plan, oracle, &next, &summary, progress) {
                    *error.lock().expect("invariant: no panic while locked") = Some(problem);
                }
            });
        }
    });
    if let Some(problem) = error
        .into_inner()
        .expect("invariant: no panic while locked")
    {
        return Err(problem);
    }
    let mut summary = summary
        .into_inner()
        .expect("invariant: no panic while locked");
    summary.differences.sort_by_key(|d| d.seed);
    Ok(summary)
}

fn work(
    plan: &Plan,
    oracle: &Oracle,
    next: &AtomicU64,
    summary: &Mutex<Summary>,
    progress: &(dyn Fn(u64) + Sync),
) -> std::io::Result<()> {
    let folder = tempfile::tempdir()?;
    let lock = || summary.lock().expect("invariant: no panic while locked");
    loop {
        let done = Summary::total;
        // Programs still at work elsewhere may raise the count a little beyond what was asked
        // for; seeds are handed out so that this happens only after skipped programs.
        let seed = {
            let guard = lock();
            let taken = next.load(Ordering::Relaxed) - plan.seed;
            if done(&guard) >= plan.count || taken >= plan.count + guard.skipped {
                return Ok(());
            }
            next.fetch_add(1, Ordering::Relaxed)
        };
        let source = folder.path().join("program.c");
        let comparison = match generate::program(seed, oracle.invariants, &source)? {
            true => oracle.compare(&source, folder.path())?,
            false => Comparison::Skipped,
        };
        let difference = match &comparison {
            Comparison::Agree | Comparison::Beginning => None,
            Comparison::Skipped | Comparison::NativeDisagreement | Comparison::Undefined => None,
            Comparison::Differ { what, unsupported } => Some(report(
                plan,
                oracle,
                seed,
                what,
                *unsupported,
                &source,
                folder.path(),
            )?),
        };
        let mut guard = lock();
        match comparison {
            Comparison::Agree => guard.agreed += 1,
            Comparison::Beginning => guard.beginnings += 1,
            Comparison::Skipped => guard.skipped += 1,
            Comparison::NativeDisagreement => guard.native_disagreements += 1,
            Comparison::Undefined => guard.undefined += 1,
            Comparison::Differ { .. } => guard.differences.extend(difference),
        }
        progress(done(&guard));
    }
}

fn report(
    plan: &Plan,
    oracle: &Oracle,
    seed: u64,
    what: &str,
    unsupported: bool,
    source: &Path,
    folder: &Path,
) -> std::io::Result<Difference> {
    let text = std::fs::read_to_string(source)?;
    let program = if plan.shrink {
        shrink::shrink(oracle, &text, folder)?
    } else {
        text
    };
    if let Some(keep) = &plan.keep {
        std::fs::create_dir_all(keep)?;
        std::fs::copy(source, keep.join(format!("{seed}.c")))?;
        std::fs::write(keep.join(format!("{seed}-small.c")), &program)?;
    }
    Ok(Difference {
        seed,
        what: what.to_owned(),
        unsupported,
        program,
    })
}
