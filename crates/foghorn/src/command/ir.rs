//! `foghorn ir`: what Foghorn understood of a program.

use super::{CommandResult, Failure};
use crate::arguments::IrArguments;
use crate::exit::Exit;
use crate::program;
use foghorn_dsa::memory_ssa::plan::purify;
use foghorn_frontend::Translation;
use foghorn_ir::statistics::Statistics;
use foghorn_ir::text::print_module;
use serde::Serialize;
use std::io::Write;

/// The counts that `--stats` prints, and `--json` as JSON.
#[derive(Serialize)]
struct Report {
    #[serde(flatten)]
    statistics: Statistics,
    /// Constructs that were not translated; reaching one is a failing check of its own.
    unsupported: Vec<Place>,
    /// Operations that were translated to something that can do more.
    over_approximations: Vec<Place>,
    /// Seconds in clang, in reading and linking, and in translation.
    seconds: [f64; 3],
}

#[derive(Serialize)]
struct Place {
    what: String,
    location: String,
}

pub fn execute(arguments: &IrArguments) -> CommandResult {
    let program = arguments.program.clone().with_types(arguments.types);
    let mut translation = program::load(&program, &arguments.clang)?;
    if arguments.pure {
        let options = foghorn_dsa::Options {
            types: arguments.types,
            ..foghorn_dsa::Options::default()
        };
        purify(&mut translation.module, &options);
    }
    if arguments.json {
        let text = serde_json::to_string_pretty(&report(&translation));
        println!("{}", text.map_err(Failure::internal)?);
    } else if arguments.stats {
        print_report(&report(&translation));
    } else {
        // A reader that has seen enough (`| head`) is no error.
        let _ = std::io::stdout().write_all(print_module(&translation.module).as_bytes());
    }
    Ok(Exit::Success)
}

fn report(translation: &Translation) -> Report {
    let spans = &translation.module.spans;
    let timings = translation.timings;
    Report {
        statistics: Statistics::new(&translation.module),
        unsupported: translation
            .unsupported
            .iter()
            .map(|u| Place {
                what: u.construct.to_string(),
                location: spans.describe(u.span),
            })
            .collect(),
        over_approximations: translation
            .over_approximations
            .iter()
            .map(|o| Place {
                what: o.operation.to_string(),
                location: spans.describe(o.span),
            })
            .collect(),
        seconds: [timings.compile, timings.link, timings.translate].map(|t| t.as_secs_f64()),
    }
}

fn print_report(report: &Report) {
    print!("{}", report.statistics);
    let lists = [
        ("unsupported", &report.unsupported),
        ("over-approximated", &report.over_approximations),
    ];
    for (title, places) in lists {
        println!("{title}: {}", places.len());
        for place in places {
            println!("  {}: {}", place.location, place.what);
        }
    }
    let [clang, link, translate] = report.seconds;
    println!("seconds: clang {clang:.3}, linking {link:.3}, translation {translate:.3}");
}
