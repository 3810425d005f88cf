//! Foghorn's way in: C, preprocessed C, LLVM bitcode and textual LLVM IR become one IR module.
//!
//! [`translate`] compiles C with clang in a child process, reads and links everything with LLVM
//! in this process, links models of the library functions that are used, and translates what the
//! entry reaches. It never prints, and bad input is a [`FrontendError`] that names the file.
//!
//! This is the only crate that knows LLVM.

mod clang;
mod compile_commands;
mod error;
mod link;
mod llvm;
mod models;
mod notes;
mod options;
mod paths;
mod report;
mod translate;

pub use clang::{default_clang, llvm_version, speaks_of_cprover};
pub use compile_commands::{CompileCommands, read_compile_commands};
pub use error::FrontendError;
pub use link::Input;
pub use models::headers;
pub use options::{Arguments, DataModel, Entry, External, Externals, Options};
pub use report::{OverApproximation, Timings, UnsupportedUse};

use clang::Compiler;
use foghorn_core::{Assumption, AssumptionKind};
use foghorn_ir::Module;
use paths::Paths;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;
use translate::{ModuleTranslator, Translated};

/// A program in IR, and what is to be known about its translation.
#[derive(Clone, Debug)]
pub struct Translation {
    pub module: Module,
    /// What clang had to say.
    pub warnings: Vec<String>,
    /// What is worth a warning of ours, a sentence each.
    pub notes: Vec<String>,
    /// What the translation takes for granted.
    pub assumptions: Vec<Assumption>,
    /// What was not translated, in order of discovery.
    pub unsupported: Vec<UnsupportedUse>,
    /// What was translated to more than it does.
    pub over_approximations: Vec<OverApproximation>,
    /// Whether the program, rather than a model, reads a volatile object.
    pub reads_volatile: bool,
    /// Functions that are called or named and have no body, sorted.
    pub externals: Vec<Arc<str>>,
    pub timings: Timings,
}

/// Translates the program that the files make up together.
pub fn translate(inputs: &[Input], options: &Options) -> Result<Translation, FrontendError> {
    let Some((first, rest)) = inputs.split_first() else {
        return Err(FrontendError::NoInput);
    };
    let scratch = tempfile::Builder::new()
        .prefix("foghorn-")
        .tempdir()
        .map_err(|source| FrontendError::Temporary { source })?;
    let runtime = scratch.path().join("runtime");
    let compiler = Compiler::new(options, Some(runtime.clone()));
    let mut timings = Timings::default();
    let mut warnings = vec![];

    let started = Instant::now();
    let output = scratch.path().join("program.bc");
    let unit = link::bitcode(first, &compiler, options, &output, &mut warnings)?;
    let mut others = vec![];
    for input in rest {
        others.push((
            input,
            link::bitcode(input, &compiler, options, &output, &mut warnings)?,
        ));
    }
    timings.compile = started.elapsed();

    let started = Instant::now();
    let mut program = link::open(&first.path, &unit)?;
    let mut paths = vec![first.path.clone()];
    let mut assumptions = assumption_of(&first.path, &unit);
    for (input, unit) in others {
        link::add(&mut program, &input.path, &unit, &paths)?;
        paths.push(input.path.clone());
        assumptions.extend(assumption_of(&input.path, &unit));
    }
    check_target(&program, &paths)?;
    if options.models {
        models::link(&mut program, &compiler, options, &runtime, scratch.path())?;
    }
    timings.link = started.elapsed();

    let started = Instant::now();
    let Translated {
        module,
        unsupported,
        over_approximations,
        reads_volatile,
        externals,
        assumptions: of_runtime,
    } = translate_linked(&program, &paths, Paths::new(inputs), options)?;
    assumptions.extend(of_runtime.into_iter().map(Assumption::from));
    timings.translate = started.elapsed();
    Ok(Translation {
        module,
        notes: notes::of_warnings(&warnings),
        warnings,
        assumptions,
        unsupported,
        over_approximations,
        reads_volatile,
        externals,
        timings,
    })
}

/// What an answer rests on that is about a file which was compiled elsewhere.
fn assumption_of(path: &Path, unit: &link::Unit) -> Vec<Assumption> {
    let name = path.display().to_string();
    let compiled = || Assumption::of(AssumptionKind::CompiledElsewhere, &name);
    unit.is_unchecked.then(compiled).into_iter().collect()
}

fn check_target(program: &llvm::Program, paths: &[PathBuf]) -> Result<(), FrontendError> {
    if program.is_little_endian() && matches!(program.pointer_bytes(), 4 | 8) {
        return Ok(());
    }
    Err(FrontendError::Target {
        files: link::names(paths),
        target: program.triple(),
    })
}

fn translate_linked(
    program: &llvm::Program,
    paths: &[PathBuf],
    shown: Paths,
    options: &Options,
) -> Result<Translated, FrontendError> {
    let entry = match &options.entry {
        Entry::Library => None,
        Entry::Function(name) => {
            let function = program.function(name).filter(|f| !f.is_declaration());
            Some(function.ok_or_else(|| no_entry(program, paths, name))?)
        }
    };
    Ok(ModuleTranslator::new(program, shown, options).translate(entry))
}

fn no_entry(program: &llvm::Program, paths: &[PathBuf], entry: &str) -> FrontendError {
    const SHOWN: usize = 8;
    let functions = program
        .functions()
        .into_iter()
        .filter(|f| !f.is_declaration());
    let mut known: Vec<String> = functions.map(llvm::Value::name).collect();
    if known.is_empty() {
        known.push("none".to_owned());
    }
    if known.len() > SHOWN {
        known.truncate(SHOWN);
        known.push("…".to_owned());
    }
    FrontendError::NoEntry {
        files: link::names(paths),
        entry: entry.to_owned(),
        known: known.join(", "),
    }
}
