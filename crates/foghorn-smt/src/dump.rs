//! Every query as an SMT-LIB file, with the answer and the time in it.
//!
//! A wrapper around any solver: a maintainer of a solver can be sent the file, and a slow query can
//! be looked at afterwards. The file stands alone: declarations, assertions of all open frames, the
//! assumptions, `(check-sat)`; the answer is its `:status`.
//!
//! A file that cannot be written (a full disk) is an error value of that check, with the path and
//! the reason; the solver behind goes on working.

use crate::error::SolverError;
use crate::patience::Interrupter;
use crate::smtlib::Script;
use crate::solver::{Answer, Interrupt, Limits, Proof, Proofs, PushPop, Solver, UnsatCore};
use foghorn_core::Budget;
use foghorn_term::eval::Value;
use foghorn_term::{TermId, TermPool};
use std::fs::File;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// A solver whose queries are written to a folder.
pub struct Dumping<S> {
    inner: S,
    folder: PathBuf,
    script: Script,
    /// The text of each frame.
    said: Vec<String>,
    written: u32,
}

impl<S: Solver> Dumping<S> {
    /// Makes the folder if it is not there.
    pub fn new(inner: S, folder: impl AsRef<Path>) -> Result<Self, SolverError> {
        let folder = folder.as_ref().to_owned();
        std::fs::create_dir_all(&folder).map_err(|error| SolverError::file(&folder, &error))?;
        Ok(Dumping {
            inner,
            folder,
            script: Script::new(),
            said: vec![String::new()],
            written: 0,
        })
    }

    fn say(&mut self, text: &str) {
        self.said
            .last_mut()
            .expect("invariant: there is always a frame")
            .push_str(text);
    }

    fn write(
        &mut self,
        pool: &TermPool,
        assumptions: &[TermId],
        answer: &Result<Answer, SolverError>,
        time: Duration,
    ) -> Result<(), SolverError> {
        let (status, remark) = match answer {
            Ok(Answer::Unknown(reason)) => ("unknown", reason.clone()),
            Ok(answer) => (answer.word(), answer.word().to_owned()),
            Err(error) => ("unknown", error.to_string()),
        };
        let remark = remark.replace(['\n', '|'], " ");
        let mut text = format!(
            "; solver: {}\n; answer: {remark}\n; time: {:.6} s\n(set-info :status {status})\n\
             (set-logic ALL)\n",
            self.inner.name(),
            time.as_secs_f64()
        );
        text.push_str(&self.said.concat());
        let mut script = self.script.clone();
        for term in assumptions {
            let printed = script.term(pool, *term)?;
            text.push_str(&printed.commands);
            text.push_str(&format!("(assert {})\n", printed.expression));
        }
        text.push_str("(check-sat)\n(exit)\n");
        let name: String = self
            .inner
            .name()
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
            .collect();
        let (path, file) = self.next_file(&name)?;
        write_whole(file, &path, &text)
    }

    /// A file that is not there yet: several solvers may write to one folder.
    fn next_file(&mut self, name: &str) -> Result<(PathBuf, File), SolverError> {
        loop {
            let path = self.folder.join(format!("{name}-{:05}.smt2", self.written));
            self.written += 1;
            match File::create_new(&path) {
                Ok(file) => return Ok((path, file)),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(SolverError::file(&path, &error)),
            }
        }
    }
}

/// Writes all of a file or nothing: half a query would be another query.
fn write_whole(mut file: File, path: &Path, text: &str) -> Result<(), SolverError> {
    let written = file.write_all(text.as_bytes()).and_then(|()| file.flush());
    written.map_err(|error| {
        // The disk is full or gone; if the torn file cannot be removed either, there is no more to
        // say than what follows.
        let _ = std::fs::remove_file(path);
        SolverError::file(path, &error)
    })
}

impl<S: Solver> Solver for Dumping<S> {
    fn name(&self) -> &str {
        self.inner.name()
    }

    fn declare(&mut self, pool: &TermPool, symbol: TermId) -> Result<(), SolverError> {
        let commands = self.script.declare(pool, symbol)?;
        self.say(&commands);
        self.inner.declare(pool, symbol)
    }

    fn assert(&mut self, pool: &TermPool, term: TermId) -> Result<(), SolverError> {
        let printed = self.script.term(pool, term)?;
        self.say(&printed.commands);
        self.say(&format!("(assert {})\n", printed.expression));
        self.inner.assert(pool, term)
    }

    fn check_assuming(
        &mut self,
        pool: &TermPool,
        assumptions: &[TermId],
    ) -> Result<Answer, SolverError> {
        let start = Instant::now();
        let answer = self.inner.check_assuming(pool, assumptions);
        self.write(pool, assumptions, &answer, start.elapsed())?;
        answer
    }

    fn value(&mut self, pool: &TermPool, term: TermId) -> Result<Value, SolverError> {
        self.inner.value(pool, term)
    }
}

impl<S: PushPop> PushPop for Dumping<S> {
    fn push(&mut self) -> Result<(), SolverError> {
        self.script.push();
        self.said.push(String::new());
        self.inner.push()
    }

    fn pop(&mut self, frames: usize) -> Result<(), SolverError> {
        self.inner.pop(frames)?;
        for _ in 0..frames {
            self.script.pop();
            self.said.pop();
        }
        Ok(())
    }
}

impl<S: UnsatCore> UnsatCore for Dumping<S> {
    fn core(&mut self) -> Result<Vec<TermId>, SolverError> {
        self.inner.core()
    }
}

impl<S: Interrupt> Interrupt for Dumping<S> {
    fn interrupter(&self) -> Interrupter {
        self.inner.interrupter()
    }
}

impl<S: Limits> Limits for Dumping<S> {
    fn set_budget(&mut self, budget: Budget) {
        self.inner.set_budget(budget);
    }
}

impl<S: Proofs> Proofs for Dumping<S> {
    fn proof(&mut self) -> Result<Proof, SolverError> {
        self.inner.proof()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sat::SatSolver;
    use crate::z3::context::Context;

    #[test]
    fn the_file_holds_the_query_the_answer_and_the_time() {
        let folder = tempfile::tempdir().unwrap();
        let mut pool = TermPool::new();
        let (x, y) = (pool.bv_symbol("x", 8), pool.bv_symbol("strange name", 8));
        let claim = pool.bv_ult(x, y);
        let back = pool.bv_ult(y, x);
        let mut solver = Dumping::new(SatSolver::new(), folder.path()).unwrap();
        solver.assert(&pool, claim).unwrap();
        solver.check(&pool).unwrap();
        solver.check_assuming(&pool, &[back]).unwrap();
        let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
        let (first, second) = (read("sat-00000.smt2"), read("sat-00001.smt2"));
        assert!(first.contains("; answer: sat\n; time: "), "{first}");
        assert!(first.contains("(set-info :status sat)"));
        assert!(second.contains("(set-info :status unsat)"));
        assert!(second.contains("|strange name|"));
        // Another reader understands it.
        let context = Context::new(&[]).unwrap();
        assert_eq!(context.parse(&second).unwrap().len(), 2);
    }

    #[test]
    fn two_solvers_share_a_folder() {
        let folder = tempfile::tempdir().unwrap();
        let pool = TermPool::new();
        for _ in 0..2 {
            let mut solver = Dumping::new(SatSolver::new(), folder.path()).unwrap();
            solver.check(&pool).unwrap();
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    #[test]
    fn a_folder_that_is_gone_is_an_error_and_not_the_end() {
        let parent = tempfile::tempdir().unwrap();
        let folder = parent.path().join("queries");
        let pool = TermPool::new();
        let mut solver = Dumping::new(SatSolver::new(), &folder).unwrap();
        std::fs::remove_dir(&folder).unwrap();
        let failed = solver.check(&pool);
        assert!(
            matches!(failed, Err(SolverError::File { .. })),
            "{failed:?}"
        );
        std::fs::create_dir(&folder).unwrap();
        assert_eq!(solver.check(&pool).unwrap(), Answer::Satisfiable);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_an_error_with_its_reason() {
        let full = Path::new("/dev/full");
        let file = std::fs::OpenOptions::new().write(true).open(full).unwrap();
        // The path to remove is another one: a device is not ours to delete.
        let folder = tempfile::tempdir().unwrap();
        let torn = folder.path().join("torn.smt2");
        std::fs::write(&torn, "half").unwrap();
        let failed = write_whole(file, &torn, "(check-sat)").unwrap_err();
        assert!(failed.to_string().contains("space"), "{failed}");
        assert!(!torn.exists());
    }
}
