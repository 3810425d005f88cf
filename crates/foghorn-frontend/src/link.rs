//! From files on disk to one linked LLVM module.
//!
//! A file is looked at before anybody parses it, so that a wrong one gets a message that says
//! what is wrong with it rather than what a parser stumbled over.

use crate::clang::{Compiler, LLVM_VERSION};
use crate::error::FrontendError;
use crate::llvm::Program;
use crate::options::Options;
use std::io::Read;
use std::path::{Path, PathBuf};

/// One file to read, with what only it needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    pub path: PathBuf,
    /// The folder in which clang runs, for relative names in `clang_args`.
    pub folder: Option<PathBuf>,
    pub clang_args: Vec<String>,
}

impl From<PathBuf> for Input {
    fn from(path: PathBuf) -> Self {
        Input {
            path,
            folder: None,
            clang_args: vec![],
        }
    }
}

enum Content {
    /// C: clang reads the file itself.
    Source,
    Bitcode,
    /// Textual IR.
    Text,
}

/// How much of a file is looked at to tell what it is.
const GLANCE: usize = 4096;

fn classify(path: &Path) -> Result<Content, FrontendError> {
    let read_error = |source| FrontendError::Read {
        path: path.to_owned(),
        source,
    };
    let data = std::fs::metadata(path).map_err(read_error)?;
    if data.is_dir() {
        return Err(FrontendError::Directory {
            path: path.to_owned(),
        });
    }
    let mut head = vec![];
    let file = std::fs::File::open(path).map_err(read_error)?;
    file.take(GLANCE as u64)
        .read_to_end(&mut head)
        .map_err(read_error)?;
    if head.is_empty() {
        return Err(FrontendError::Empty {
            path: path.to_owned(),
        });
    }
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or("");
    let is_bitcode = head.starts_with(b"BC\xC0\xDE") || head.starts_with(b"\xDE\xC0\x17\x0B");
    if is_bitcode {
        return Ok(Content::Bitcode);
    }
    if head.starts_with(b"\x7fELF") {
        return Err(FrontendError::NotAProgram {
            path: path.to_owned(),
            reason: "machine code, not LLVM bitcode (which `clang -c -emit-llvm` makes)".to_owned(),
        });
    }
    if head.contains(&0) {
        return Err(FrontendError::NotAProgram {
            path: path.to_owned(),
            reason: "binary data that is not LLVM bitcode".to_owned(),
        });
    }
    match extension {
        "ll" => Ok(Content::Text),
        "c" | "i" | "h" | "C" | "cc" | "cpp" | "cxx" | "c++" | "ii" => Ok(Content::Source),
        "bc" => Err(FrontendError::NotAProgram {
            path: path.to_owned(),
            reason: "not LLVM bitcode".to_owned(),
        }),
        _ => Err(FrontendError::NotAProgram {
            path: path.to_owned(),
            reason: "unknown kind of file".to_owned(),
        }),
    }
}

/// What functions are marked with whose code nobody has put checks into.
pub(crate) const UNCHECKED: &str = "foghorn-unchecked";

/// One file as bitcode.
pub(crate) struct Unit {
    pub bytes: Vec<u8>,
    /// Whether it was compiled elsewhere, without the checks that we ask clang for.
    pub is_unchecked: bool,
}

impl Unit {
    fn mark(&self) -> Option<&'static str> {
        self.is_unchecked.then_some(UNCHECKED)
    }
}

/// Compiles or reads one file.
pub(crate) fn bitcode(
    input: &Input,
    compiler: &Compiler,
    options: &Options,
    output: &Path,
    warnings: &mut Vec<String>,
) -> Result<Unit, FrontendError> {
    let unchecked = |bytes| Unit {
        bytes,
        is_unchecked: true,
    };
    let path = match (&input.folder, input.path.is_relative()) {
        (Some(folder), true) => folder.join(&input.path),
        (_, _) => input.path.clone(),
    };
    match classify(&path)? {
        Content::Bitcode if options.isolated => {
            let bytes = std::fs::read(&path).map_err(|source| FrontendError::Read {
                path: path.clone(),
                source,
            });
            bytes.map(unchecked)
        }
        Content::Bitcode | Content::Text => compiler.normalise(&path, output).map(unchecked),
        Content::Source => {
            let compiled = compiler.compile(
                &input.path,
                input.folder.as_deref(),
                &input.clang_args,
                output,
            )?;
            if !compiled.warnings.is_empty() {
                warnings.push(compiled.warnings);
            }
            Ok(Unit {
                bytes: compiled.bitcode,
                is_unchecked: false,
            })
        }
    }
}

/// Reads the first module.
pub(crate) fn open(path: &Path, unit: &Unit) -> Result<Program, FrontendError> {
    let mut program =
        Program::parse(&unit.bytes).map_err(|message| bitcode_error(path, &message))?;
    program
        .verify()
        .map_err(|message| bitcode_error(path, &message))?;
    if let Some(mark) = unit.mark() {
        program.mark_definitions(mark);
    }
    Ok(program)
}

fn bitcode_error(path: &Path, message: &str) -> FrontendError {
    FrontendError::Bitcode {
        path: path.to_owned(),
        version: LLVM_VERSION,
        message: message.trim().to_owned(),
    }
}

/// Adds a further module.
pub(crate) fn add(
    program: &mut Program,
    path: &Path,
    unit: &Unit,
    before: &[PathBuf],
) -> Result<(), FrontendError> {
    // A module of its own first, so that a bad file is told from a clash.
    drop(open(path, unit)?);
    let linked = program.link(&unit.bytes, unit.mark());
    linked.map_err(|message| FrontendError::Link {
        path: path.to_owned(),
        others: names(before),
        message,
    })
}

/// File names for a message.
pub(crate) fn names(paths: &[PathBuf]) -> String {
    let names: Vec<String> = paths
        .iter()
        .map(|path| path.display().to_string())
        .collect();
    names.join(", ")
}
