//! Models of library functions, compiled in where a program needs them.
//!
//! The sources under `runtime/` are part of the binary. `runtime/libc/INDEX` says which file
//! defines which name. After the program is linked, every name that is used, not defined, and
//! in the index brings its file; that repeats until nothing is missing. Compiled models are kept
//! in the user's cache under a hash of everything that decides them; files appear there whole,
//! by renaming, so runs at the same time do not disturb each other.

use crate::clang::Compiler;
use crate::error::FrontendError;
use crate::llvm::Program;
use crate::options::Options;
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

include!(concat!(env!("OUT_DIR"), "/runtime_files.rs"));

/// The text of an embedded file.
fn embedded(path: &str) -> Option<&'static str> {
    let found = FILES.binary_search_by_key(&path, |&(name, _)| name).ok()?;
    Some(FILES[found].1)
}

/// Writes the headers below `root`, for clang to read, unless that was done before.
pub(crate) fn unpack_headers(root: &Path) -> std::io::Result<()> {
    if root.join("include").exists() {
        return Ok(());
    }
    unpack(root, |name| !name.starts_with(SOURCES))
}

/// Writes the sources of models below `root` unless that was done before. Most programs need none: models are taken
/// from the cache, and half a hundred files take longer to write than a program to compile.
fn unpack_sources(root: &Path) -> std::io::Result<()> {
    if root.join(SOURCES).exists() {
        return Ok(());
    }
    unpack(root, |name| name.starts_with(SOURCES))
}

/// Where the sources of models are among the embedded files.
const SOURCES: &str = "libc/";

fn unpack(root: &Path, is_wanted: impl Fn(&str) -> bool) -> std::io::Result<()> {
    for (name, text) in FILES.iter().filter(|(name, _)| is_wanted(name)) {
        let path = root.join(name);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent)?;
        }
        std::fs::write(path, text)?;
    }
    Ok(())
}

/// The headers of verification dialects, by their paths below a folder of headers.
pub fn headers() -> impl Iterator<Item = (&'static str, &'static str)> {
    let files = FILES.iter();
    files.filter_map(|&(name, text)| Some((name.strip_prefix("include/")?, text)))
}

/// A number that changes whenever any embedded file does.
pub(crate) fn fingerprint() -> u64 {
    let mut hasher = DefaultHasher::new();
    FILES.hash(&mut hasher);
    hasher.finish()
}

/// Which file defines which name.
fn index() -> BTreeMap<&'static str, &'static str> {
    let text = embedded("libc/INDEX").unwrap_or_default();
    text.lines()
        .filter_map(|line| line.trim().split_once(char::is_whitespace))
        .map(|(name, file)| (name, file.trim()))
        .collect()
}

/// Names that the program uses and nobody defines.
fn missing(program: &Program) -> BTreeSet<String> {
    let functions = program
        .functions()
        .into_iter()
        .filter(|f| f.is_declaration());
    let globals = program.globals().into_iter().filter(|g| g.is_declaration());
    functions
        .chain(globals)
        .filter(|value| value.is_used())
        .map(crate::llvm::Value::name)
        .filter(|name| !name.starts_with("llvm.") && !crate::translate::is_known_library(name))
        .collect()
}

/// The file that has the environment as a list, and how the names of its functions begin.
const LIST: (&str, &str) = ("environment.c", "__model_listed_");

/// The functions of which there is a version for a program that sees the environment as a list.
const LISTED: &[&str] = &[
    "getenv",
    "secure_getenv",
    "setenv",
    "unsetenv",
    "putenv",
    "clearenv",
];

/// Links the models that the program needs. `runtime` is where the sources were unpacked.
pub(crate) fn link(
    program: &mut Program,
    compiler: &Compiler,
    options: &Options,
    runtime: &Path,
    scratch: &Path,
) -> Result<(), FrontendError> {
    let index = index();
    let roots = crate::translate::models_of_start(program, options);
    let mut linked: BTreeSet<&str> = BTreeSet::new();
    loop {
        if linked.contains(LIST.0) {
            for name in LISTED {
                program.redirect(name, &format!("{}{name}", LIST.1));
            }
        }
        let missing = missing(program);
        let names = missing.iter().map(String::as_str);
        let mut needed: BTreeSet<&str> = names
            .chain(roots.iter().copied())
            .filter_map(|name| index.get(name).copied())
            .filter(|file| !linked.contains(file))
            .collect();
        if needed.contains(LIST.0) {
            // It decides which file the others come from.
            needed = BTreeSet::from([LIST.0]);
        }
        if needed.is_empty() {
            return Ok(());
        }
        for file in needed {
            let bitcode = compiled(file, compiler, options, runtime, scratch)?;
            program
                .link_if_needed(&bitcode)
                .map_err(|message| FrontendError::Model {
                    model: file.to_owned(),
                    diagnostics: message,
                })?;
            linked.insert(file);
        }
    }
}

fn compiled(
    file: &str,
    compiler: &Compiler,
    options: &Options,
    runtime: &Path,
    scratch: &Path,
) -> Result<Vec<u8>, FrontendError> {
    let place = options
        .cache
        .as_ref()
        .map(|cache| cache_path(cache, file, compiler));
    if let Some(bitcode) = place.as_ref().and_then(|path| std::fs::read(path).ok())
        && bitcode.starts_with(b"BC")
    {
        return Ok(bitcode);
    }
    let output = scratch.join(format!("model-{file}.bc"));
    let source = runtime.join(SOURCES).join(file);
    let unpacked = unpack_sources(runtime);
    unpacked.map_err(|source| FrontendError::Temporary { source })?;
    let bitcode =
        compiler
            .compile_model(&source, runtime, &output)
            .map_err(|error| match error {
                FrontendError::Compile { diagnostics, .. } => FrontendError::Model {
                    model: file.to_owned(),
                    diagnostics,
                },
                other => other,
            })?;
    if let Some(path) = place {
        // A cache that cannot be written is no reason to fail.
        if let Err(error) = store(&path, &bitcode) {
            tracing::debug!(%error, "model cache");
        }
    }
    Ok(bitcode)
}

fn cache_path(cache: &Path, file: &str, compiler: &Compiler) -> PathBuf {
    let mut hasher = DefaultHasher::new();
    fingerprint().hash(&mut hasher);
    compiler.identity().hash(&mut hasher);
    env!("CARGO_PKG_VERSION").hash(&mut hasher);
    cache
        .join("models")
        .join(format!("{file}-{:016x}.bc", hasher.finish()))
}

fn store(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)?;
    let file = tempfile::NamedTempFile::new_in(folder)?;
    std::fs::write(file.path(), bytes)?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}
