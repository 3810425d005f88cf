//! One call from a text to a report: what `foghorn absint FILE.fog` does.

use std::fmt::Write as _;

use crate::analysis::backward::{Target, refine};
use crate::analysis::checker::{Check, CheckKind, CheckStatus, required};
use crate::analysis::forward::{AnalysisOptions, FunctionStates};
use crate::analysis::interprocedural::contexts::{self, ContextOptions};
use crate::analysis::interprocedural::{ProgramStates, summaries};
use crate::domain::{AnyDomain, ProgramDomain};
use crate::language::{
    BlockId, Function, Program, SyntaxError, parse_program, print_condition, print_statement,
};
use crate::registry::{self, RegistryError};
use crate::variable::VariableId;

/// How functions are put together.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Mode {
    /// Bottom-up summaries, then top-down.
    Summaries,
    /// Top-down with memoised contexts.
    #[default]
    Contexts,
}

/// What to print.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Print {
    #[default]
    Invariants,
    Checks,
    Dot,
}

/// A request.
#[derive(Clone, Debug)]
pub struct Request {
    /// As in [`crate::registry`].
    pub domain: String,
    pub print: Print,
    pub mode: Mode,
    pub analysis: AnalysisOptions,
    /// Rounds of backward and forward analysis for each assertion that is not proved.
    pub refinement_rounds: usize,
}

impl Default for Request {
    fn default() -> Request {
        Request {
            domain: "intervals+bool".to_owned(),
            print: Print::default(),
            mode: Mode::default(),
            analysis: AnalysisOptions::default(),
            refinement_rounds: 0,
        }
    }
}

/// A request that cannot be served; both are the user's input.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RequestError {
    #[error(transparent)]
    Syntax(#[from] SyntaxError),
    #[error(transparent)]
    Domain(#[from] RegistryError),
}

/// Analyses a program and checks it.
pub struct Report {
    pub program: Program,
    pub states: ProgramStates<AnyDomain>,
    pub checks: Vec<Check>,
}

/// Parses and analyses.
pub fn analyse_text(text: &str, request: &Request) -> Result<Report, RequestError> {
    let program = parse_program(text)?;
    let top = registry::domain(&request.domain)?;
    Ok(analyse_program(program, &top, request))
}

/// Analyses a program with a domain, given by its ⊤.
#[must_use]
pub fn analyse_program(program: Program, top: &AnyDomain, request: &Request) -> Report {
    let mut states = match request.mode {
        Mode::Summaries => summaries::analyse_program(&program, top, &request.analysis),
        Mode::Contexts => {
            let options = ContextOptions::default();
            contexts::analyse_program(&program, top, &request.analysis, options)
        }
    };
    let mut checks = states.checks(&program);
    for check in &mut checks {
        let open = matches!(check.status, CheckStatus::Warning | CheckStatus::Error);
        if open
            && check.kind == CheckKind::Assertion
            && request.refinement_rounds > 0
            && proved_backwards(&program, &mut states, check, request)
        {
            check.status = CheckStatus::Safe;
        }
    }
    Report {
        program,
        states,
        checks,
    }
}

/// Whether the assertion is proved in every context by alternating directions.
fn proved_backwards(
    program: &Program,
    states: &mut ProgramStates<AnyDomain>,
    check: &Check,
    request: &Request,
) -> bool {
    let target = Target::of_assertion(program, check.place);
    let ProgramStates { functions, calls } = states;
    let mut own = functions
        .iter()
        .filter(|states| states.function == check.place.function);
    own.all(|context| {
        let (calls, options) = (&mut **calls, &request.analysis);
        let rounds = request.refinement_rounds;
        refine(program, &target, context.clone(), calls, options, rounds).proved
    })
}

/// The text of a report.
#[must_use]
pub fn render(report: &mut Report, print: Print) -> String {
    let mut out = String::new();
    let result = match print {
        Print::Invariants => write_invariants(report, &mut out),
        Print::Checks => write_checks(report, &mut out),
        Print::Dot => write_dot(report, &mut out),
    };
    result.expect("invariant: strings take all text");
    out
}

/// The facts of a state, one per line of text, in a stable order.
#[must_use]
pub fn facts<D: ProgramDomain>(program: &Program, state: &D) -> Vec<String> {
    if state.is_bottom() {
        return vec!["false".to_owned()];
    }
    let name = |x: VariableId| program.name(x);
    // Copies of parameters on entry serve summaries; they are not the reader's concern.
    let of_reader = |x: &VariableId| x.copied_from().is_none();
    let mut facts: Vec<String> = state
        .to_conditions()
        .iter()
        .filter(|condition| condition.variables().iter().all(of_reader))
        .map(|condition| print_condition(condition, &name))
        .collect();
    let beyond = state.describe_beyond_conditions(&name);
    facts.extend(beyond.into_iter().filter(|fact| !fact.contains('@')));
    facts
}

fn write_invariants(report: &Report, out: &mut String) -> std::fmt::Result {
    for states in &report.states.functions {
        let function = &report.program.functions[states.function];
        writeln!(out, "function {}", function.name)?;
        for (block, body) in &function.blocks {
            let facts = facts(&report.program, states.before_block(block));
            let text = if facts.is_empty() {
                "true".to_owned()
            } else {
                facts.join(", ")
            };
            writeln!(out, "  {}: {text}", body.label)?;
        }
    }
    Ok(())
}

fn write_checks(report: &Report, out: &mut String) -> std::fmt::Result {
    for Check {
        place,
        kind,
        status,
    } in &report.checks
    {
        let function = &report.program.functions[place.function];
        let block = &function.blocks[place.block];
        let statement = print_statement(&report.program, &block.statements[place.position]);
        writeln!(
            out,
            "{status}: {kind} in {}, {}: {statement}",
            function.name, block.label
        )?;
    }
    Ok(())
}

fn write_dot(report: &Report, out: &mut String) -> std::fmt::Result {
    writeln!(
        out,
        "digraph invariants {{\n  node [shape=box, fontname=monospace];"
    )?;
    for (number, states) in report.states.functions.iter().enumerate() {
        let function = &report.program.functions[states.function];
        writeln!(
            out,
            "  subgraph cluster_{number} {{\n    label=\"{}\";",
            escape(&function.name)
        )?;
        for block in function.blocks.keys() {
            write_dot_block(report, states, function, (number, block), out)?;
        }
        out.push_str("  }\n");
    }
    out.push_str("}\n");
    Ok(())
}

fn write_dot_block(
    report: &Report,
    states: &FunctionStates<AnyDomain>,
    function: &Function,
    (number, block): (usize, BlockId),
    out: &mut String,
) -> std::fmt::Result {
    let body = &function.blocks[block];
    let mut label = format!("{}:\\l", escape(&body.label));
    for fact in facts(&report.program, states.before_block(block)) {
        write!(label, "  // {}\\l", escape(&fact))?;
    }
    for statement in &body.statements {
        write!(
            label,
            "  {}\\l",
            escape(&print_statement(&report.program, statement))
        )?;
    }
    let colour = block_colour(report, states, block);
    writeln!(out, "    f{number}_{block} [label=\"{label}\"{colour}];")?;
    for successor in function.successors(block) {
        writeln!(out, "    f{number}_{block} -> f{number}_{successor};")?;
    }
    Ok(())
}

/// Blocks with a check that may fail are red, those with only safe ones green.
fn block_colour(
    report: &Report,
    states: &FunctionStates<AnyDomain>,
    block: BlockId,
) -> &'static str {
    let body = &report.program.functions[states.function].blocks[block];
    if !body
        .statements
        .iter()
        .any(|statement| required(statement).is_some())
    {
        return "";
    }
    let open = report.checks.iter().any(|check| {
        check.place.function == states.function
            && check.place.block == block
            && matches!(check.status, CheckStatus::Warning | CheckStatus::Error)
    });
    if open {
        ", color=red"
    } else {
        ", color=darkgreen"
    }
}

fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}
