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
mod options;
mod paths;
mod report;
mod translate;

pub use clang::default_clang;
pub use compile_commands::{CompileCommands, read_compile_commands};
pub use error::FrontendError;
pub use link::Input;
pub use models::headers;
pub use options::{DataModel, Entry, Options};
pub use report::{OverApproximation, Timings, UnsupportedUse};

use clang::Compiler;
use foghorn_ir::Module;
use paths::Paths;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;
use translate::{ModuleTranslator, Translated};

/// A program in IR, and what is to be known about its translation.
#[derive(Clone, Debug)]
pub struct Translation {
    pub module: Module,
    /// What clang had to say.
    pub warnings: Vec<String>,
    /// What was not translated, in order of discovery.
    pub unsupported: Vec<UnsupportedUse>,
    /// What was translated to more than it does.
    pub over_approximations: Vec<OverApproximation>,
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
    let bytes = link::bitcode(first, &compiler, options, &output, &mut warnings)?;
    let mut others = vec![];
    for input in rest {
        others.push((
            input,
            link::bitcode(input, &compiler, options, &output, &mut warnings)?,
        ));
    }
    timings.compile = started.elapsed();

    let started = Instant::now();
    let mut program = link::open(&first.path, &bytes)?;
    let mut paths = vec![first.path.clone()];
    for (input, bytes) in others {
        link::add(&mut program, &input.path, &bytes, &paths)?;
        paths.push(input.path.clone());
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
        externals,
    } = translate_linked(&program, &paths, Paths::new(inputs), options)?;
    timings.translate = started.elapsed();
    Ok(Translation {
        module,
        warnings,
        unsupported,
        over_approximations,
        externals,
        timings,
    })
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
