//! clang, as a child process: C in, bitcode out.
//!
//! Undefined behaviour is turned into traps by clang's own sanitizers while it generates code,
//! and no optimiser runs before we read the result (`-disable-llvm-passes`); `-O1` is asked for
//! only because clang then marks where the life of each local variable begins and ends.
//!
//! Old and sloppy C is taken as gcc takes it: what newer clangs call errors are warnings again.

use crate::error::FrontendError;
use crate::options::{DataModel, Options};
use crate::translate::scopes::ATTRIBUTE;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

pub(crate) const LLVM_VERSION: &str = env!("FOGHORN_LLVM_MAJOR");

/// Checks that clang itself puts into the code. Not `pointer-overflow`: it turns pointers into
/// integers, and every object would count as exposed.
const SANITIZERS: &str = "-fsanitize=signed-integer-overflow,shift,integer-divide-by-zero,\
array-bounds,unreachable,return,vla-bound,float-cast-overflow,bool,builtin";

/// One trap per check, so that each keeps its own place in the source.
#[cfg(feature = "llvm22")]
const UNIQUE_TRAPS: &[&str] = &["-fno-sanitize-merge"];
#[cfg(not(feature = "llvm22"))]
const UNIQUE_TRAPS: &[&str] = &["-mllvm", "-ubsan-unique-traps"];

/// Errors of newer clangs that gcc takes with a warning.
const LENIENT: &[&str] = &[
    "implicit-function-declaration",
    "implicit-int",
    "int-conversion",
    "incompatible-pointer-types",
    "incompatible-function-pointer-types",
    "return-type",
    "return-mismatch",
    "builtin-declaration-mismatch",
    "incompatible-library-redeclaration",
    "main-return-type",
    "deprecated-non-prototype",
    "strict-prototypes",
    "asm-operand-widths",
    "ignored-attributes",
    "unknown-attributes",
    "tautological-compare",
    "vla-extension",
    "shift-count-overflow",
    "enum-conversion",
    "duplicate-decl-specifier",
    "address-of-packed-member",
    "macro-redefined",
];

/// A preprocessed file that goes through the preprocessor once more. Names that are macros by
/// tradition must not be replaced a second time.
const PREPROCESSED_AGAIN: [&str; 5] = ["-x", "c", "-Ulinux", "-Uunix", "-Ui386"];

/// What one compilation is asked to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Attempt<'a> {
    Modern,
    /// With what CBMC knows without being told, for files that speak its dialect.
    Cprover,
    /// With gnu89's rules for `extern inline`, and its language.
    Gnu89,
    /// With declarations of what is otherwise built in, for files that declare it after its use.
    Declared,
    /// With another name for what is built in, for files that declare it as a function of their
    /// own: to gcc it then is one.
    Renamed(&'a str),
}

/// Compiles C source to bitcode.
pub(crate) struct Compiler {
    program: PathBuf,
    data_model: DataModel,
    arguments: Vec<String>,
    include: Option<PathBuf>,
    /// Whether accesses of the program are to tell their types.
    effective_types: bool,
    /// Whether models make no text of what is printed.
    quiet: bool,
    chosen_input: bool,
}

/// The bitcode of a compiled file, with clang's warnings.
pub(crate) struct Compiled {
    pub bitcode: Vec<u8>,
    pub warnings: String,
}

impl Compiler {
    pub(crate) fn new(options: &Options, include: Option<PathBuf>) -> Self {
        Compiler {
            program: options.clang.clone().unwrap_or_else(default_clang),
            data_model: options.data_model,
            effective_types: options.effective_types,
            quiet: options.quiet,
            chosen_input: options.chosen_input,
            arguments: options.clang_args.clone(),
            include,
        }
    }

    /// Compiles a file of the program. `extra` are arguments for this file alone.
    pub(crate) fn compile(
        &self,
        source: &Path,
        folder: Option<&Path>,
        extra: &[String],
        output: &Path,
    ) -> Result<Compiled, FrontendError> {
        self.provide_headers()?;
        let attempt = |attempt| self.attempt(source, folder, extra, output, attempt);
        let first = match speaks_of_cprover(source, folder) {
            true => attempt(Attempt::Cprover).or_else(|_| attempt(Attempt::Modern)),
            false => attempt(Attempt::Modern),
        };
        match first {
            Err(FrontendError::Compile { path, diagnostics }) => attempt(Attempt::Gnu89)
                .or_else(|_| attempt(Attempt::Declared))
                .or_else(|error| match redeclared(&diagnostics) {
                    Some(name) => attempt(Attempt::Renamed(name)),
                    None => Err(error),
                })
                .map_err(|_| FrontendError::Compile { path, diagnostics }),
            other => other,
        }
    }

    fn attempt(
        &self,
        source: &Path,
        folder: Option<&Path>,
        extra: &[String],
        output: &Path,
        attempt: Attempt<'_>,
    ) -> Result<Compiled, FrontendError> {
        let mut command = self.base_command(output);
        if let Some(folder) = folder {
            command.current_dir(folder);
        }
        command.arg(SANITIZERS);
        command.arg("-fsanitize-trap=all").args(UNIQUE_TRAPS);
        // A call of memcpy must not overlap; copies that clang makes by itself may.
        command.arg("-fno-builtin-memcpy");
        // Newer versions make an intrinsic with two results of it, where a model is simpler.
        command.args(["-fno-builtin-modf", "-fno-builtin-modff"]);
        // Before the arguments of the user, who may know better.
        command.arg(match self.effective_types {
            true => "-fstrict-aliasing",
            false => "-fno-strict-aliasing",
        });
        if attempt == Attempt::Gnu89 {
            command.args(["-std=gnu89", "-fgnu89-inline"]);
        }
        for warning in LENIENT {
            command.arg(format!("-Wno-error={warning}"));
        }
        // The older languages take it silently.
        command.arg("-Wimplicit-function-declaration");
        command.args(&self.arguments).args(extra);
        let preprocessed = source.extension().is_some_and(|e| e == "i");
        match (attempt, &self.include) {
            (Attempt::Declared, Some(include)) => {
                let header = include.join("include/foghorn/implicit.h");
                command.arg("-include").arg(header);
                if preprocessed {
                    // Only what goes through the preprocessor can have a file put in front.
                    command.args(PREPROCESSED_AGAIN);
                }
            }
            (Attempt::Renamed(name), _) => {
                command.arg(format!("-D{name}=foghorn_redeclared_{name}"));
                if preprocessed {
                    command.args(PREPROCESSED_AGAIN);
                }
            }
            (Attempt::Cprover, Some(include)) => {
                let header = include.join("include/foghorn/prelude.h");
                command.arg("-include").arg(header);
                if preprocessed {
                    command.args(PREPROCESSED_AGAIN);
                }
            }
            (Attempt::Modern | Attempt::Gnu89 | Attempt::Declared | Attempt::Cprover, _)
                if preprocessed =>
            {
                command.args(["-x", "cpp-output"]);
            }
            (Attempt::Modern | Attempt::Gnu89 | Attempt::Declared | Attempt::Cprover, _) => {}
        }
        command.arg("--").arg(source);
        self.run(command, source, output)
    }

    /// Makes our headers readable for clang.
    fn provide_headers(&self) -> Result<(), FrontendError> {
        match &self.include {
            Some(root) => crate::models::unpack_headers(root)
                .map_err(|source| FrontendError::Temporary { source }),
            None => Ok(()),
        }
    }

    /// Compiles one of our models: total by construction, so without sanitizers.
    pub(crate) fn compile_model(
        &self,
        source: &Path,
        root: &Path,
        output: &Path,
    ) -> Result<Vec<u8>, FrontendError> {
        self.provide_headers()?;
        let mut command = self.base_command(output);
        let map = format!("-ffile-prefix-map={}/=<foghorn>/", root.display());
        command.args(["-ffreestanding", "-w", "-fno-strict-aliasing", &map]);
        // A model must not be compiled into a call of itself.
        command.arg("-fno-builtin");
        if self.quiet {
            command.arg("-DFOGHORN_QUIET");
        }
        if self.chosen_input {
            command.arg("-DFOGHORN_CHOSEN_INPUT");
        }
        command.arg("--").arg(source);
        self.run(command, source, output)
            .map(|compiled| compiled.bitcode)
    }

    /// Has clang read bitcode or textual IR and write it again. LLVM's readers crash on some
    /// damaged files; in a child process that is a message like any other.
    pub(crate) fn normalise(&self, path: &Path, output: &Path) -> Result<Vec<u8>, FrontendError> {
        let mut command = Command::new(&self.program);
        command
            .args([
                "-O1",
                "-Xclang",
                "-disable-llvm-passes",
                "-c",
                "-emit-llvm",
                "-x",
                "ir",
            ])
            .args([
                "-fno-discard-value-names",
                "-fno-color-diagnostics",
                "-fno-caret-diagnostics",
            ])
            .args(["-fno-crash-diagnostics", "-Wno-override-module"])
            .arg("-o")
            .arg(output)
            .stdin(Stdio::null())
            .arg("--")
            .arg(path);
        self.run(command, path, output)
            .map(|compiled| compiled.bitcode)
            .map_err(|error| match error {
                FrontendError::Compile { path, diagnostics } => FrontendError::Bitcode {
                    path,
                    version: LLVM_VERSION,
                    message: diagnostics,
                },
                other => other,
            })
    }

    /// What identifies the results of [`Self::compile_model`] besides the text of the model.
    pub(crate) fn identity(&self) -> String {
        let modified = std::fs::metadata(&self.program)
            .and_then(|data| data.modified())
            .map(|time| format!("{time:?}"))
            .unwrap_or_default();
        format!(
            "{} {} {modified} {} {} {} {ATTRIBUTE}",
            self.program.display(),
            LLVM_VERSION,
            self.data_model.name(),
            self.quiet,
            self.chosen_input
        )
    }

    fn base_command(&self, output: &Path) -> Command {
        let mut command = Command::new(&self.program);
        command
            .args([
                "-O1",
                "-Xclang",
                "-disable-llvm-passes",
                "-g",
                "-c",
                "-emit-llvm",
            ])
            .args(["-Xclang", "-default-function-attr", "-Xclang", ATTRIBUTE])
            .args(["-fno-discard-value-names", "-fno-color-diagnostics"])
            .args([
                "-fno-caret-diagnostics",
                "-ferror-limit=5",
                "-U__OPTIMIZE__",
            ])
            .args([
                "-U_FORTIFY_SOURCE",
                "-fno-stack-protector",
                "-ffp-contract=off",
            ])
            .arg(self.data_model.flag());
        if let Some(include) = &self.include {
            command.arg("-I").arg(include.join("include"));
            if self.data_model == DataModel::Ilp32 {
                command.arg("-isystem").arg(include.join("include32"));
            }
        }
        if self.data_model == DataModel::Ilp32 {
            // Headers for i386 are seldom installed; those of x86-64 serve both.
            command.args(["-isystem", "/usr/include/x86_64-linux-gnu"]);
        }
        command.arg("-o").arg(output).stdin(Stdio::null());
        command
    }

    fn run(
        &self,
        mut command: Command,
        source: &Path,
        output: &Path,
    ) -> Result<Compiled, FrontendError> {
        tracing::debug!(?command, "clang");
        let result = command.output().map_err(|source| FrontendError::NoClang {
            clang: self.program.clone(),
            version: LLVM_VERSION,
            source,
        })?;
        let text = String::from_utf8_lossy(&result.stderr).trim().to_owned();
        if !result.status.success() {
            return Err(FrontendError::Compile {
                path: source.to_owned(),
                diagnostics: errors_of(&text, result.status),
            });
        }
        let bitcode =
            std::fs::read(output).map_err(|source| FrontendError::Temporary { source })?;
        Ok(Compiled {
            bitcode,
            warnings: text,
        })
    }
}

/// Whether a file uses names of CBMC.
pub fn speaks_of_cprover(source: &Path, folder: Option<&Path>) -> bool {
    let path = folder.map_or_else(|| source.to_owned(), |folder| folder.join(source));
    let text = std::fs::read(path).unwrap_or_default();
    let name = b"__CPROVER_";
    text.windows(name.len()).any(|window| window == name)
}

/// The first built-in function that clang does not let the file declare.
fn redeclared(diagnostics: &str) -> Option<&str> {
    let (_, name) = diagnostics.split_once("cannot redeclare builtin function '")?;
    name.split('\'').next()
}

/// The lines that say what is wrong, without the warnings.
fn errors_of(text: &str, status: std::process::ExitStatus) -> String {
    let errors: Vec<&str> = text
        .lines()
        .filter(|line| line.contains("error:"))
        .take(5)
        .collect();
    if errors.is_empty() {
        return format!("clang ended with {status}");
    }
    let mut text = errors.join("\n");
    if text.contains("file not found") {
        text +=
            "\n(-I DIR adds a folder of headers; a compile_commands.json says it for all files)";
    }
    text
}

/// The major version of the LLVM we are built with: the version of clang whose output we read.
pub fn llvm_version() -> &'static str {
    LLVM_VERSION
}

/// The clang that belongs to the LLVM we are built with.
pub fn default_clang() -> PathBuf {
    if let Some(given) = std::env::var_os("FOGHORN_CLANG").filter(|it| !it.is_empty()) {
        return given.into();
    }
    let ours = Path::new(env!("FOGHORN_LLVM_BIN")).join("clang");
    if ours.exists() {
        ours
    } else {
        PathBuf::from(format!("clang-{LLVM_VERSION}"))
    }
}
