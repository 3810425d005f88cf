//! Why there is no program to analyse. Each message names the file and says what to do.

use std::path::PathBuf;

/// An error in the input, or in the tools that read it.
#[derive(Debug, thiserror::Error)]
pub enum FrontendError {
    #[error("no input files")]
    NoInput,
    #[error("{path}: {source}", path = path.display())]
    Read {
        path: PathBuf,
        source: std::io::Error,
    },
    #[error("{path}: is a directory; give the files themselves, or a compile_commands.json", path = path.display())]
    Directory { path: PathBuf },
    #[error("{path}: the file is empty", path = path.display())]
    Empty { path: PathBuf },
    #[error("{path}: {reason}; expected C (.c, .i), LLVM bitcode (.bc) or textual LLVM IR (.ll)", path = path.display())]
    NotAProgram { path: PathBuf, reason: String },
    #[error("{path}: clang does not accept it:\n{diagnostics}", path = path.display())]
    Compile { path: PathBuf, diagnostics: String },
    #[error("{path}: cannot be read as LLVM IR of version {version}: {message}", path = path.display())]
    Bitcode {
        path: PathBuf,
        version: &'static str,
        message: String,
    },
    #[error("{path}: cannot be linked with {others}: {message}", path = path.display())]
    Link {
        path: PathBuf,
        others: String,
        message: String,
    },
    #[error(
        "{files}: there is no function '{entry}'; name the entry with --entry (functions here: {known})"
    )]
    NoEntry {
        files: String,
        entry: String,
        known: String,
    },
    #[error("{clang}: cannot be started: {source}; run ./x setup, or install clang {version}", clang = clang.display())]
    NoClang {
        clang: PathBuf,
        version: &'static str,
        source: std::io::Error,
    },
    #[error("{path}: {message}", path = path.display())]
    CompileCommands { path: PathBuf, message: String },
    #[error(
        "{files}: the target '{target}' is not supported; only little-endian ones with 32- or 64-bit pointers are"
    )]
    Target { files: String, target: String },
    #[error("cannot write temporary files: {source}")]
    Temporary { source: std::io::Error },
    #[error("Foghorn's own model of {model} does not compile: {diagnostics}")]
    Model { model: String, diagnostics: String },
}
