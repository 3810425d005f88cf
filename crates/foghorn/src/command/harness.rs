//! `--harness DIR`: a failing run written down as a C file, with the command that builds it.

use super::Failure;
use crate::arguments::{DataModelArgument, ProgramArguments};
use anyhow::Context;
use foghorn_ir::interpret::{Choice, Options};
use foghorn_ir::{Module, NondetOrigin, Type};
use foghorn_witness::harness::command::{Build, Part, shown};
use foghorn_witness::harness::{About, harness};
use foghorn_witness::report::HarnessReport;
use foghorn_witness::trace::FailedCheck;
use std::path::{Path, PathBuf};

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
    let (sources, parts) = sources(folder, program)?;
    // A part is compiled in another folder, from which this one is found too.
    let headers = match parts.is_empty() {
        true => path("include"),
        false => absolute(&folder.join("include")),
    };
    let build = Build {
        clang: foghorn_frontend::default_clang()
            .to_string_lossy()
            .into_owned(),
        sources,
        parts,
        harness: path("harness.c"),
        program: path("failing"),
        arguments: [arguments(program, clang), fills(run.choices)].concat(),
        prelude: speaks_of_cprover(program).then(|| format!("{headers}/foghorn/prelude.h")),
        headers: Some(headers),
        wraps_main: foghorn_witness::harness::start::is_needed(run.module),
    };
    let build = build.command(run.failure.kind);
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
        layout: &run.failure.layout,
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

/// What variables hold that the run reads before they are written: anything but zero, if that is what
/// they held. Which value it is, nobody can say for a machine.
fn fills(choices: &[Choice]) -> Vec<String> {
    let mut unwritten = choices.iter().filter(|choice| match choice.origin {
        NondetOrigin::Uninitialised(_) => choice.ty != Type::Ptr,
        NondetOrigin::Input(_)
        | NondetOrigin::External(_)
        | NondetOrigin::Change(_)
        | NondetOrigin::Undefined
        | NondetOrigin::OverApproximated(_) => false,
    });
    match unwritten.any(|choice| choice.bits != 0) {
        true => vec!["-ftrivial-auto-var-init=pattern".to_owned()],
        false => vec![],
    }
}

/// Whether any source uses names of CBMC, which knows some without being told.
fn speaks_of_cprover(program: &ProgramArguments) -> bool {
    let inputs = crate::program::inputs(program).unwrap_or_default();
    inputs
        .iter()
        .any(|input| foghorn_frontend::speaks_of_cprover(&input.path, input.folder.as_deref()))
}

fn put(folder: &Path, name: &str, bytes: &[u8]) -> Result<(), Failure> {
    let path = folder.join(name);
    let parent = path.parent().unwrap_or(folder);
    let mut unfinished = path.as_os_str().to_owned();
    unfinished.push(format!(".{}", std::process::id()));
    let unfinished = PathBuf::from(unfinished);
    std::fs::create_dir_all(parent)
        .and_then(|()| std::fs::write(&unfinished, bytes))
        .and_then(|()| std::fs::rename(&unfinished, &path))
        .with_context(|| format!("cannot write {}", path.display()))
        .map_err(Failure::input)
}

/// The files that are compiled with the harness, and those that are compiled as their project does it.
fn sources(folder: &Path, program: &ProgramArguments) -> Result<(Vec<String>, Vec<Part>), Failure> {
    let inputs = crate::program::inputs(program).map_err(Failure::input)?;
    let (mut files, mut parts) = (vec![], vec![]);
    for input in inputs {
        let name = input.path.to_string_lossy().into_owned();
        match input.folder {
            Some(place) => parts.push(Part {
                folder: place.to_string_lossy().into_owned(),
                source: name,
                arguments: input.clang_args,
                object: absolute(&folder.join(format!("part{}.o", parts.len()))),
            }),
            None if program.read_once.contains(&input.path) => {
                // It is gone when the command ends.
                let end = input.path.extension().unwrap_or_default();
                let copy = format!("program.{}", end.to_string_lossy());
                let text = std::fs::read(&input.path).map_err(Failure::input)?;
                put(folder, &copy, &text)?;
                files.push(folder.join(copy).to_string_lossy().into_owned());
            }
            None => files.push(name),
        }
    }
    Ok((files, parts))
}

fn absolute(path: &Path) -> String {
    let whole = std::path::absolute(path);
    whole
        .as_deref()
        .unwrap_or(path)
        .to_string_lossy()
        .into_owned()
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
