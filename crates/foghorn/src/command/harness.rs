//! `--harness DIR`: a failing run written down as a C file, with the command that builds it.

use super::Failure;
use crate::arguments::{DataModelArgument, ProgramArguments};
use anyhow::Context;
use foghorn_ir::Module;
use foghorn_ir::interpret::{Choice, Options};
use foghorn_witness::harness::command::{Build, shown};
use foghorn_witness::harness::{About, harness};
use foghorn_witness::report::HarnessReport;
use foghorn_witness::trace::FailedCheck;
use std::path::Path;

/// A run that failed.
pub struct FailingRun<'a> {
    pub module: &'a Module,
    pub options: &'a Options,
    pub choices: &'a [Choice],
    pub stdin: &'a [u8],
    pub failure: &'a FailedCheck,
}

/// Writes `harness.c`, the dialects' headers and what the program read.
pub fn write(
    folder: &Path,
    program: &ProgramArguments,
    clang: &[String],
    run: &FailingRun<'_>,
) -> Result<HarnessReport, Failure> {
    let path = |name: &str| folder.join(name).to_string_lossy().into_owned();
    let build = Build {
        clang: foghorn_frontend::default_clang()
            .to_string_lossy()
            .into_owned(),
        sources: shown_files(program),
        harness: path("harness.c"),
        program: path("failing"),
        arguments: arguments(program, clang),
        headers: Some(path("include")),
        wraps_main: foghorn_witness::harness::outside::is_needed(run.module),
    };
    let build = shown(&build.words(run.failure.kind));
    let mut words = vec![path("failing")];
    let own = run.options.arguments.iter().skip(1);
    words.extend(own.map(|word| String::from_utf8_lossy(word).into_owned()));
    let mut start = shown(&words);
    if !run.stdin.is_empty() {
        start = format!("{start} < {}", shown(&[path("stdin")]));
    }
    let about = About {
        kind: run.failure.kind,
        location: &run.failure.location,
        build: &build,
        run: &start,
    };
    let written = harness(run.module, run.options, run.choices, run.stdin, &about);
    let written = written.map_err(Failure::internal)?;
    put(folder, "harness.c", written.source.as_bytes())?;
    if !run.stdin.is_empty() {
        put(folder, "stdin", run.stdin)?;
    }
    for (name, text) in foghorn_frontend::headers() {
        put(&folder.join("include"), name, text.as_bytes())?;
    }
    Ok(HarnessReport {
        file: path("harness.c"),
        build,
        run: start,
        notes: written.limits,
    })
}

fn put(folder: &Path, name: &str, bytes: &[u8]) -> Result<(), Failure> {
    let path = folder.join(name);
    let parent = path.parent().unwrap_or(folder);
    std::fs::create_dir_all(parent)
        .and_then(|()| std::fs::write(&path, bytes))
        .with_context(|| format!("cannot write {}", path.display()))
        .map_err(Failure::input)
}

fn shown_files(program: &ProgramArguments) -> Vec<String> {
    let files = program.files.iter();
    files
        .map(|file| file.to_string_lossy().into_owned())
        .collect()
}

/// What the user told clang.
fn arguments(program: &ProgramArguments, clang: &[String]) -> Vec<String> {
    let mut words = vec![];
    if program.data_model == DataModelArgument::Ilp32 {
        words.push("-m32".to_owned());
    }
    let folders = program.include.iter();
    words.extend(folders.map(|folder| format!("-I{}", folder.display())));
    words.extend(program.define.iter().map(|define| format!("-D{define}")));
    words.extend(program.clang_arg.iter().chain(clang).cloned());
    words
}
