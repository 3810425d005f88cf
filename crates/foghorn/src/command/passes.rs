//! `--passes`: which passes to run on a prepared program, and with which options.

use super::Failure;
use crate::arguments::PassArguments;
use crate::verify::bounds::check_names;
use anyhow::anyhow;
use foghorn_ir::Module;
use foghorn_ir::graph::CallGraph;
use foghorn_transform::unroll::UnrollOptions;
use foghorn_transform::{Pass, PassOptions, parse_passes, run_passes};
use std::collections::BTreeMap;

/// Passes with their options, ready to run.
pub struct Plan {
    passes: Vec<Pass>,
    options: PassOptions,
}

/// What the arguments ask for; a wrong name is a wrong command line.
pub fn plan(arguments: &PassArguments) -> Result<Plan, Failure> {
    let list = arguments.passes.as_deref().unwrap_or_default();
    let passes = parse_passes(list).map_err(Failure::usage)?;
    let checks = arguments.check.parse().map_err(Failure::usage)?;
    let unroll = UnrollOptions {
        bound: arguments.unwind,
        recursion: arguments.unwind,
        bounds: bounds(&arguments.unwind_set)?,
        ..UnrollOptions::default()
    };
    Ok(Plan {
        passes,
        options: PassOptions {
            checks,
            unroll,
            ..PassOptions::default()
        },
    })
}

/// Bounds by name, from `NAME=K`.
fn bounds(list: &[String]) -> Result<BTreeMap<String, u32>, Failure> {
    let bound = |text: &String| {
        let (name, bound) = text.rsplit_once('=')?;
        Some((name.to_owned(), bound.parse().ok()?))
    };
    let parse = |text: &String| {
        bound(text).ok_or_else(|| {
            Failure::usage(anyhow!(
                "'{text}' is not of the form NAME=K with a number K"
            ))
        })
    };
    list.iter().map(parse).collect()
}

impl Plan {
    pub fn run(&self, module: &mut Module) -> Result<(), Failure> {
        let calls = CallGraph::new(module);
        let recursive = module.functions.iter();
        let recursive = recursive.filter(|(id, _)| calls.is_recursive(*id));
        let recursive: Vec<&str> = recursive.map(|(_, function)| &*function.name).collect();
        let names = self.options.unroll.bounds.keys().map(String::as_str);
        check_names(module, names, &recursive)?;
        run_passes(module, &self.passes, &self.options).map_err(Failure::usage)
    }
}
