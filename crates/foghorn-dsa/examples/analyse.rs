//! Analyses programs in textual IR and prints one line of counts for each: the file, seconds, and
//! what the statistics say. For measuring the analysis alone, without clang and LLVM.

#![allow(clippy::print_stdout, clippy::print_stderr)]

use foghorn_dsa::{Mode, Options, analyse};
use foghorn_ir::parse_module;
use std::time::Instant;

fn main() {
    for path in std::env::args().skip(1) {
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) => {
                eprintln!("{path}: {error}");
                continue;
            }
        };
        let module = match parse_module(&text) {
            Ok(module) => module,
            Err(error) => {
                eprintln!("{path}: {error:?}");
                continue;
            }
        };
        let start = Instant::now();
        let analysis = analyse(
            &module,
            &Options {
                mode: Mode::Cs,
                ..Options::default()
            },
        );
        let seconds = start.elapsed().as_secs_f64();
        let counts = analysis.statistics(&module);
        println!(
            "{path} seconds {seconds:.3} instructions {} functions {} nodes {} collapsed {} \
             regions {} sites {} collapsed-sites {} indirect {} targets {} rounds {} {}",
            counts.instructions,
            counts.functions,
            counts.nodes,
            counts.collapsed_nodes,
            counts.regions,
            counts.sites,
            counts.collapsed_sites,
            counts.indirect_calls,
            counts.indirect_targets,
            counts.call_graph_rounds,
            counts.rounds,
        );
    }
}
