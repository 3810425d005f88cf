//! Translates one program and runs it in the interpreter; for trying out the front end alone.
//!
//! `run FILE… [-- CLANG-ARGS…]`: the program's output, then how it ended on standard error.

#![allow(clippy::print_stderr)]

use foghorn_frontend::{Input, Options, translate};
use foghorn_ir::interpret::{Program, RecordedWorld, Seeded};
use std::io::Write;
use std::path::PathBuf;

fn main() {
    let mut options = Options::default();
    let mut inputs = vec![];
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "-m32" => options.data_model = foghorn_frontend::DataModel::Ilp32,
            "--" => options.clang_args.extend(arguments.by_ref()),
            file => inputs.push(Input::from(PathBuf::from(file))),
        }
    }
    let translation = match translate(&inputs, &options) {
        Ok(translation) => translation,
        Err(error) => {
            eprintln!("{error}");
            std::process::exit(2);
        }
    };
    for breach in foghorn_ir::verify_module(&translation.module) {
        eprintln!("BREACH {breach}");
    }
    let program = Program::new(&translation.module);
    let mut world = RecordedWorld::default();
    let limits = foghorn_ir::interpret::Options {
        max_steps: Some(3_000_000),
        ..Default::default()
    };
    let run = program
        .run(&limits, &mut Seeded::new(1), &mut world)
        .expect("it has an entry");
    std::io::stdout().write_all(&world.output).expect("stdout");
    match run.outcome {
        foghorn_ir::interpret::Outcome::Failed(failure) => {
            eprintln!("{}", failure.describe(&translation.module.spans));
        }
        other => eprintln!("{other:?}"),
    }
}
