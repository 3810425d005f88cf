//! Translates each file given by itself and prints one line per file: time, size, what is
//! unsupported. For measuring the front end on large sets of programs.
//!
//! `translate [--library] [--data-model ilp32] [--dump] FILE… [-- CLANG-ARGS…]`

#![allow(clippy::print_stdout)]

use foghorn_frontend::{Entry, Input, Options, translate};
use std::time::Instant;

fn main() {
    let mut options = Options::default();
    let mut files = vec![];
    let mut dump = false;
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--library" => options.entry = Entry::Library,
            "--no-models" => options.models = false,
            "--dump" => dump = true,
            "--data-model" => {
                let name = arguments.next().expect("a data model");
                options.data_model = name.parse().expect("ilp32 or lp64");
            }
            "--" => options.clang_args.extend(arguments.by_ref()),
            file => files.push(file.to_owned()),
        }
    }
    for file in files {
        let started = Instant::now();
        let result = translate(&[Input::from(std::path::PathBuf::from(&file))], &options);
        let seconds = started.elapsed().as_secs_f64();
        match result {
            Err(error) => println!(
                "{file}\tERROR\t{seconds:.3}\t{}",
                error.to_string().replace('\n', " | ")
            ),
            Ok(translation) => {
                let spans = &translation.module.spans;
                let unsupported: Vec<String> = translation
                    .unsupported
                    .iter()
                    .map(|u| format!("{} ({})", u.construct, spans.describe(u.span)))
                    .collect();
                let instructions: usize = translation
                    .module
                    .functions
                    .values()
                    .filter_map(|f| f.body.as_ref())
                    .map(|body| {
                        body.blocks
                            .values()
                            .map(|b| b.instructions.len())
                            .sum::<usize>()
                    })
                    .sum();
                let breaches = foghorn_ir::verify_module(&translation.module);
                for breach in breaches.iter().take(5) {
                    println!("{file}\tBREACH\t{breach}");
                }
                let t = translation.timings;
                println!(
                    "{file}\tOK\t{seconds:.3}\tcompile {:.3} link {:.3} translate {:.3}\t{} functions {instructions} instructions\tunsupported {}: {}",
                    t.compile.as_secs_f64(),
                    t.link.as_secs_f64(),
                    t.translate.as_secs_f64(),
                    translation.module.functions.len(),
                    unsupported.len(),
                    unsupported.join("; ")
                );
                if dump {
                    print!("{}", foghorn_ir::print_module(&translation.module));
                }
            }
        }
    }
}
