//! `foghorn invariants`: what holds where, in C over source variables.

use super::{CommandResult, Failure};
use crate::arguments::InvariantsArguments;
use crate::exit::Exit;
use crate::program;
use foghorn_core::{CheckSelection, SpanId};
use foghorn_invariants::audit::{AuditOptions, audit};
use foghorn_invariants::{Analysis, AnalysisOptions, RegionTable, TranslationOptions, analyse};
use foghorn_ir::graph::{ControlFlowGraph, LoopForest};
use foghorn_ir::{BlockId, Body, FunctionId, InstId, Module};
use serde::Serialize;
use std::collections::BTreeMap;

/// The memory of a run that is compared with invariants.
const AUDITED_MEMORY: u64 = 256 << 20;

/// What holds at a place.
#[derive(Serialize)]
struct Found {
    function: String,
    file: String,
    line: u32,
    /// `loop`, `function` or `line`.
    place: &'static str,
    invariant: Vec<String>,
}

pub fn execute(arguments: &InvariantsArguments) -> CommandResult {
    let checks: CheckSelection = arguments.check.parse().map_err(Failure::usage)?;
    let given = arguments.program.clone().with_any_arguments();
    let mut module = program::load(&given, &[])?.module;
    let pointers = program::purify(&mut module);
    let regions = RegionTable::new(&module, &pointers);
    let mut options = AnalysisOptions {
        domain: arguments.domain.clone(),
        scope: arguments.inter.scope(),
        translation: TranslationOptions {
            checks: checks.groups().collect(),
            alignment: false,
        },
        ..AnalysisOptions::default()
    };
    if arguments.audit {
        // As proofs are made.
        options.fixpoint.liveness = true;
        return compare(arguments, &module, &regions, &options);
    }
    let mut analysis = analyse(&module, &regions, &options).map_err(Failure::usage)?;
    let found = collect(&module, &mut analysis, arguments.at);
    if arguments.json {
        let text = serde_json::to_string_pretty(&found).map_err(Failure::internal)?;
        println!("{text}");
    } else if arguments.annotate {
        annotate(&found).map_err(Failure::input)?;
    } else {
        for found in &found {
            println!(
                "{}:{} {} {}: {}",
                found.file,
                found.line,
                found.place,
                found.function,
                shown(&found.invariant)
            );
        }
    }
    Ok(Exit::Success)
}

/// Runs the program beside its invariants.
fn compare(
    arguments: &InvariantsArguments,
    module: &Module,
    regions: &RegionTable,
    options: &AnalysisOptions,
) -> CommandResult {
    let run = AuditOptions {
        steps: arguments.steps,
        runs: 1,
        max_memory: AUDITED_MEMORY,
    };
    let mut exit = Exit::Success;
    for domain in options.domain.split(',') {
        let options = AnalysisOptions {
            domain: domain.to_owned(),
            ..options.clone()
        };
        let found = audit(module, regions, &options, run).map_err(Failure::usage)?;
        if let Some(problem) = found.problem {
            return Err(Failure::input(anyhow::anyhow!(problem)));
        }
        for violation in &found.violations {
            println!("{violation}");
            exit = Exit::Internal;
        }
        let excluded = found.violations.len();
        let states = found.states;
        println!("{domain}: {states} states, {excluded} outside the invariants");
    }
    Ok(exit)
}

fn shown(invariant: &[String]) -> String {
    match invariant {
        [] => "true".to_owned(),
        facts => facts.join(" && "),
    }
}

/// The places that are asked for, in the order of the program.
fn collect(module: &Module, analysis: &mut Analysis, at: Option<u32>) -> Vec<Found> {
    let mut found = Vec::new();
    for (id, function) in module.functions.iter() {
        let Some(body) = &function.body else { continue };
        if function.is_model {
            continue;
        }
        let places = match at {
            Some(line) => at_line(module, body, line),
            None => loop_heads(body),
        };
        for (instruction, place) in places {
            found.push(describe(module, analysis, id, body, instruction, place));
        }
    }
    found
}

fn describe(
    module: &Module,
    analysis: &mut Analysis,
    function: FunctionId,
    body: &Body,
    instruction: InstId,
    place: &'static str,
) -> Found {
    let span = module.spans.span(span_of(module, body, instruction));
    Found {
        function: module.functions[function].name.to_string(),
        file: module.spans.file_name(span.file).to_string(),
        line: span.line,
        place,
        invariant: analysis.known_before(module, function, instruction),
    }
}

/// The place of an instruction, or of what follows it if it has none.
fn span_of(module: &Module, body: &Body, instruction: InstId) -> SpanId {
    let is_known = |span: SpanId| module.spans.span(span).line > 0;
    let own = body.instructions[instruction].span;
    let mut blocks = body.blocks.values();
    let block = blocks.find(|block| block.instructions.contains(&instruction));
    let Some(block) = block.filter(|_| !is_known(own)) else {
        return own;
    };
    let after = block
        .instructions
        .iter()
        .skip_while(|id| **id != instruction);
    let mut spans = after.map(|id| body.instructions[*id].span);
    spans.find(|span| is_known(*span)).unwrap_or(own)
}

/// The first instructions of loops.
fn loop_heads(body: &Body) -> Vec<(InstId, &'static str)> {
    let loops = LoopForest::new(&ControlFlowGraph::new(body));
    let first = |block: BlockId| body.blocks[block].instructions.first().copied();
    let heads = loops.iter().filter_map(|(_, each)| first(each.header));
    let mut heads: Vec<InstId> = heads.collect();
    heads.sort_unstable();
    heads.into_iter().map(|head| (head, "loop")).collect()
}

/// The first instruction of a line in each block that has one.
fn at_line(module: &Module, body: &Body, line: u32) -> Vec<(InstId, &'static str)> {
    let on_line = |id: &InstId| {
        let span = body.instructions[*id].span;
        module.spans.span(span).line == line
    };
    let blocks = body.blocks.values();
    let first = blocks.filter_map(|block| block.instructions.iter().copied().find(on_line));
    first.map(|id| (id, "line")).collect()
}

/// Prints the sources with the invariants of loops above their heads.
fn annotate(found: &[Found]) -> anyhow::Result<()> {
    let mut files: BTreeMap<&str, BTreeMap<u32, Vec<&Found>>> = BTreeMap::new();
    for each in found {
        let lines = files.entry(&each.file).or_default();
        lines.entry(each.line).or_default().push(each);
    }
    for (file, lines) in files {
        let text = std::fs::read_to_string(file)
            .map_err(|error| anyhow::anyhow!("cannot read {file}: {error}"))?;
        for (number, line) in (1..).zip(text.lines()) {
            for each in lines.get(&number).into_iter().flatten() {
                let indent = line.len() - line.trim_start().len();
                let blanks = &line[..indent];
                println!("{blanks}/* invariant: {} */", shown(&each.invariant));
            }
            println!("{line}");
        }
    }
    Ok(())
}
