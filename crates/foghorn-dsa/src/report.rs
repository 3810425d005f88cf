//! The analysis as plain values, for JSON.

use crate::Analysis;
use crate::statistics::Statistics;
use foghorn_ir::{Instruction, Module};
use serde::Serialize;

/// Everything that `foghorn dsa --json` tells.
#[derive(Debug, Serialize)]
pub struct Report {
    pub statistics: Statistics,
    pub functions: Vec<FunctionReport>,
    pub indirect_calls: Vec<IndirectCall>,
    pub collapses: Vec<Collapse>,
    /// The same, each cause once: the most frequent first.
    pub collapse_counts: Vec<CollapseCount>,
}

#[derive(Debug, Serialize)]
pub struct FunctionReport {
    pub name: String,
    pub regions: Vec<Region>,
    /// Names of the memory parameters.
    pub parameters: Vec<String>,
    pub modified: Vec<String>,
    pub accesses: Vec<Access>,
}

#[derive(Debug, Serialize)]
pub struct Region {
    pub name: String,
    /// `bytes`, `word N` or `pointer`.
    pub cells: String,
    pub singleton: bool,
    pub finite: bool,
    pub escapes: bool,
    pub read: bool,
    pub modified: bool,
}

#[derive(Debug, Serialize)]
pub struct Access {
    pub file: String,
    pub line: u32,
    /// `load`, `store`, `copy`, `fill` or `builtin`.
    pub kind: &'static str,
    /// Names of regions.
    pub regions: Vec<String>,
}

#[derive(Debug, Serialize)]
pub struct IndirectCall {
    pub function: String,
    pub location: String,
    pub callees: Vec<String>,
}

#[derive(Debug, Serialize)]
pub struct Collapse {
    pub location: String,
    pub reason: &'static str,
}

#[derive(Debug, Serialize)]
pub struct CollapseCount {
    pub location: String,
    pub reason: &'static str,
    pub count: usize,
}

impl Analysis {
    /// The whole report.
    pub fn report(&self, module: &Module) -> Report {
        let functions = module.functions.iter().filter(|(_, f)| f.body.is_some());
        let indirect = self
            .solution
            .targets
            .iter()
            .map(|(&(function, id), targets)| {
                let data = &module.functions[function];
                let span = data.body.as_ref().map(|body| body.instructions[id].span);
                IndirectCall {
                    function: data.name.to_string(),
                    location: span.map_or_else(String::new, |span| module.spans.describe(span)),
                    callees: targets
                        .iter()
                        .map(|&target| module.functions[target].name.to_string())
                        .collect(),
                }
            });
        Report {
            statistics: self.statistics(module),
            functions: functions
                .map(|(id, _)| self.function_report(module, id))
                .collect(),
            indirect_calls: indirect.collect(),
            collapses: self
                .collapses()
                .into_iter()
                .map(|place| Collapse {
                    location: module.spans.describe(place.span),
                    reason: place.reason.name(),
                })
                .collect(),
            collapse_counts: self
                .collapse_counts()
                .into_iter()
                .map(|(place, count)| CollapseCount {
                    location: module.spans.describe(place.span),
                    reason: place.reason.name(),
                    count,
                })
                .collect(),
        }
    }

    fn function_report(&self, module: &Module, id: foghorn_ir::FunctionId) -> FunctionReport {
        let data = &module.functions[id];
        let own = self.function(id);
        let name = |region: &foghorn_ir::RegionId| own.regions[*region].name.to_string();
        let mut accesses = vec![];
        for (inst, list) in &own.accesses {
            let Some(body) = &data.body else { continue };
            let instruction = &body.instructions[*inst];
            let span = module.spans.span(instruction.span);
            accesses.push(Access {
                file: module.spans.file_name(span.file).to_string(),
                line: span.line,
                kind: kind(&instruction.instruction),
                regions: list.iter().map(|access| name(&access.region)).collect(),
            });
        }
        FunctionReport {
            name: data.name.to_string(),
            regions: own
                .regions
                .values()
                .map(|info| Region {
                    name: info.name.to_string(),
                    cells: info.cell.to_string(),
                    singleton: info.singleton,
                    finite: info.finite,
                    escapes: info.escapes,
                    read: info.read,
                    modified: info.modified,
                })
                .collect(),
            parameters: own.parameters.iter().map(name).collect(),
            modified: own.modified.iter().map(name).collect(),
            accesses,
        }
    }
}

fn kind(instruction: &Instruction) -> &'static str {
    match instruction {
        Instruction::Load { .. } => "load",
        Instruction::Store { .. } => "store",
        Instruction::MemoryCopy { .. } => "copy",
        Instruction::MemorySet { .. } => "fill",
        _other => "builtin",
    }
}
