//! The program in the form that engines work on: made once, written down, read by every engine's
//! process.

use crate::circumstances::Circumstances;
use crate::hash::ProgramHash;
use foghorn_core::CheckSelection;
use foghorn_dsa::table::RegionTable;
use foghorn_ir::Module;
use foghorn_ir::graph::{CallGraph, ControlFlowGraph, LoopForest};
use foghorn_ir::sites::SiteTable;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// What is to be verified.
#[derive(Clone, Debug)]
pub struct Task {
    parts: Parts,
    hash: ProgramHash,
}

/// What of a task is written down.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Parts {
    /// What wrote it: another version may mean something else by the same bytes.
    version: String,
    program: Module,
    pure: Module,
    regions: RegionTable,
    sites: SiteTable,
    checks: CheckSelection,
    alignment: bool,
    circumstances: Circumstances,
}

/// Why a task cannot be written or read.
#[derive(Debug, thiserror::Error)]
pub enum TaskError {
    #[error("cannot write the program to {path}: {source}")]
    Write {
        path: String,
        source: std::io::Error,
    },
    #[error("cannot read the program from {path}: {source}")]
    Read {
        path: String,
        source: std::io::Error,
    },
    #[error("the program in {path} is not the one that was prepared: it has changed meanwhile")]
    Changed { path: String },
    #[error("the program cannot be read or written: {0}")]
    Form(#[from] postcard::Error),
}

const VERSION: &str = concat!("foghorn-task 1 of ", env!("CARGO_PKG_VERSION"));

impl Task {
    /// The task for a program in both forms, the pure one by this pointer analysis.
    pub fn new(
        program: Module,
        pure: Module,
        pointers: &foghorn_dsa::Analysis,
        checks: CheckSelection,
        alignment: bool,
        circumstances: Circumstances,
    ) -> Result<(Task, Vec<u8>), TaskError> {
        let parts = Parts {
            version: VERSION.to_owned(),
            regions: RegionTable::new(&pure, pointers),
            sites: SiteTable::new(&pure, &checks, alignment),
            program,
            pure,
            checks,
            alignment,
            circumstances,
        };
        let bytes = postcard::to_stdvec(&parts)?;
        let hash = ProgramHash::of(&bytes);
        Ok((Task { parts, hash }, bytes))
    }

    /// Reads a task that was written as bytes, if it is the one with this hash.
    pub fn read(path: &Path, hash: ProgramHash) -> Result<Task, TaskError> {
        let name = || path.display().to_string();
        let bytes = std::fs::read(path).map_err(|source| TaskError::Read {
            path: name(),
            source,
        })?;
        if ProgramHash::of(&bytes) != hash {
            return Err(TaskError::Changed { path: name() });
        }
        let parts: Parts = postcard::from_bytes(&bytes)?;
        match parts.version == VERSION {
            true => Ok(Task { parts, hash }),
            false => Err(TaskError::Changed { path: name() }),
        }
    }

    /// Writes what [`Task::new`] gave, for [`Task::read`].
    pub fn write(bytes: &[u8], path: &Path) -> Result<(), TaskError> {
        std::fs::write(path, bytes).map_err(|source| TaskError::Write {
            path: path.display().to_string(),
            source,
        })
    }

    /// What names the task.
    pub fn hash(&self) -> ProgramHash {
        self.hash
    }

    /// The program as the front end made it: runs are told in its terms.
    pub fn program(&self) -> &Module {
        &self.parts.program
    }

    /// The program with memory as values.
    pub fn pure(&self) -> &Module {
        &self.parts.pure
    }

    /// What the pointer analysis says about the regions of the pure form.
    pub fn regions(&self) -> &RegionTable {
        &self.parts.regions
    }

    /// All checks of the program.
    pub fn sites(&self) -> &SiteTable {
        &self.parts.sites
    }

    /// The groups of checks that are made.
    pub fn checks(&self) -> &CheckSelection {
        &self.parts.checks
    }

    /// Whether misaligned accesses are failures.
    pub fn alignment(&self) -> bool {
        self.parts.alignment
    }

    /// What an answer rests on.
    pub fn circumstances(&self) -> &Circumstances {
        &self.parts.circumstances
    }

    /// Whether nothing in the program could fail. In the pure form what stands behind a call that leads
    /// nowhere known is gone, so the program as it was is looked at too.
    pub fn has_nothing(&self) -> bool {
        let as_it_was = || SiteTable::new(self.program(), self.checks(), self.alignment());
        self.sites().is_empty() && as_it_was().is_empty()
    }

    /// Whether every execution is as short as the program.
    pub fn is_loop_free(&self) -> bool {
        is_loop_free(self.program())
    }
}

/// Whether a program has neither loops nor recursion.
pub fn is_loop_free(module: &Module) -> bool {
    let calls = CallGraph::new(module);
    module.functions.iter().all(|(id, function)| {
        let has_loops = function.body.as_ref().is_some_and(|body| {
            let cfg = ControlFlowGraph::new(body);
            !LoopForest::new(&cfg).is_empty()
        });
        !has_loops && !calls.is_recursive(id)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use foghorn_ir::{parse_module, print_module};

    const TEXT: &str = "foghorn-ir 1\nlayout pointer-bytes 8\nentry @main\n\
        function @main() -> i32 {\nblock0:\nv0:ptr = allocate stack 4, align 4\n\
        store 7:i32 to v0, align 4\nv1:i32 = load v0, align 4\nv2:i1 = compare eq v1, 7:i32\n\
        check assertion v2\nreturn v1\n}\n";

    fn task() -> (Task, Vec<u8>) {
        let program = parse_module(TEXT).unwrap_or_else(|error| panic!("{error}"));
        let mut pure = program.clone();
        let options = foghorn_dsa::Options::default();
        let pointers = foghorn_dsa::memory_ssa::plan::purify(&mut pure, &options);
        let checks = CheckSelection::default();
        let task = Task::new(
            program,
            pure,
            &pointers,
            checks,
            false,
            Circumstances::default(),
        );
        task.expect("a task")
    }

    #[test]
    fn what_is_read_is_what_was_written() {
        let (task, bytes) = task();
        let again: Parts = postcard::from_bytes(&bytes).expect("readable");
        assert_eq!(print_module(&again.pure), print_module(task.pure()));
        assert_eq!(print_module(&again.program), print_module(task.program()));
        assert_eq!(&again.regions, task.regions());
        assert_eq!(again.sites.len(), task.sites().len());
        assert_eq!(postcard::to_stdvec(&again).expect("writable"), bytes);
        assert!(!task.sites().is_empty());
        assert!(task.is_loop_free());
    }

    #[test]
    fn a_file_that_changed_is_refused() {
        let (task, mut bytes) = task();
        let folder = std::env::temp_dir().join(format!("foghorn-task-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let path = folder.join("program.task");
        Task::write(&bytes, &path).expect("written");
        assert!(Task::read(&path, task.hash()).is_ok());
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        Task::write(&bytes, &path).expect("written");
        let error = Task::read(&path, task.hash()).expect_err("it has changed");
        assert!(matches!(error, TaskError::Changed { .. }));
        std::fs::remove_dir_all(&folder).expect("removed");
    }
}
