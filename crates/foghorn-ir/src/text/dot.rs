//! Drawings of control flow and of calls, in the language of Graphviz.

use super::number::Numbering;
use super::print_instruction::InstructionPrinter;
use crate::body::Body;
use crate::graph::{CallGraph, ControlFlowGraph, LoopForest};
use crate::instruction::Terminator;
use crate::module::{Function, FunctionId, Module};

/// The control-flow graph of a function: instructions in the blocks, headers of loops in bold,
/// edges to them dashed. Empty for a function without a body.
pub fn draw_control_flow(module: &Module, function: FunctionId) -> String {
    let function = &module.functions[function];
    let mut text = format!("digraph {} {{\n", quoted(&function.name));
    text += "  node [shape=box, fontname=monospace];\n";
    if let Some(body) = &function.body {
        draw_body(&mut text, module, body);
    }
    text + "}\n"
}

fn draw_body(text: &mut String, module: &Module, body: &Body) {
    let numbering = Numbering::canonical(body);
    let printer = InstructionPrinter {
        module,
        body,
        numbering: &numbering,
    };
    let cfg = ControlFlowGraph::new(body);
    let loops = LoopForest::new(&cfg);
    for &id in cfg.reverse_postorder() {
        let block = &body.blocks[id];
        let name = numbering.block(id);
        let mut lines = vec![format!("{name}:")];
        for &instruction in &block.instructions {
            let data = &body.instructions[instruction];
            let results: Vec<_> = data.results.iter().map(|&v| numbering.value(v)).collect();
            let equals = if results.is_empty() { "" } else { " = " };
            lines.push(format!(
                "{}{equals}{}",
                results.join(", "),
                printer.instruction(data)
            ));
        }
        lines.push(printer.terminator(&block.terminator));
        let style = if loops.with_header(id).is_some() {
            ", style=bold"
        } else {
            ""
        };
        *text += &format!("  {name} [label={}{style}];\n", label(&lines));
        let labels: &[&str] = match block.terminator {
            Terminator::Branch { .. } => &["true", "false"],
            Terminator::Jump(_)
            | Terminator::Return { .. }
            | Terminator::Halt { .. }
            | Terminator::Unreachable => &[""],
        };
        for (target, edge) in block.terminator.targets().zip(labels) {
            let header = loops.with_header(target.block);
            let is_back = header.is_some_and(|header| loops.contains(header, id));
            let style = if is_back { ", style=dashed" } else { "" };
            let to = numbering.block(target.block);
            *text += &format!("  {name} -> {to} [label={}{style}];\n", quoted(edge));
        }
    }
}

/// The call graph: functions without a body dashed, those of the library's model grey, calls
/// through pointers dashed.
pub fn draw_calls(module: &Module) -> String {
    let calls = CallGraph::new(module);
    let mut text = "digraph calls {\n  node [shape=box];\n".to_owned();
    for (id, function) in module.functions.iter() {
        text += &format!(
            "  {id} [label={}{}];\n",
            quoted(&function.name),
            look(function)
        );
    }
    for caller in module.functions.keys() {
        let sites = calls.sites(caller);
        let direct = |callee| {
            sites
                .iter()
                .any(|s| !s.is_indirect && s.callees.contains(callee))
        };
        for callee in calls.callees(caller) {
            let style = if direct(callee) {
                ""
            } else {
                " [style=dashed]"
            };
            text += &format!("  {caller} -> {callee}{style};\n");
        }
    }
    text + "}\n"
}

fn look(function: &Function) -> &'static str {
    match (&function.body, function.is_model) {
        (None, _) => ", style=dashed",
        (Some(_), true) => ", color=grey, fontcolor=grey",
        (Some(_), false) => "",
    }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", escaped(text))
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

/// Lines set to the left.
fn label(lines: &[String]) -> String {
    let lines: String = lines.iter().map(|line| escaped(line) + "\\l").collect();
    format!("\"{lines}\"")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::parse_module;

    #[test]
    fn drawings() {
        let module = parse_module(
            r#"foghorn-ir 1 layout pointer-bytes 8
            declare @puts(ptr) -> i32
            function @main() -> i32 {
            block0: jump block1
            block1:
              v0:i1 = nondet input "a\5cb"
              branch v0, block1, block2
            block2:
              v1:i32 = call @puts(null)
              call-indirect @main()
              return v1
            }"#,
        )
        .unwrap_or_else(|e| panic!("{e}"));
        let main = module.function_named("main").expect("main");
        let drawing = draw_control_flow(&module, main);
        assert!(
            drawing.contains("block1 -> block1 [label=\"true\", style=dashed];"),
            "{drawing}"
        );
        assert!(
            drawing.contains("block1 -> block2 [label=\"false\"];"),
            "{drawing}"
        );
        assert!(
            drawing.contains("v0 = nondet input \\\"a\\\\5cb\\\"\\l"),
            "{drawing}"
        );
        let calls = draw_calls(&module);
        assert!(calls.contains("fn1 -> fn0;"), "{calls}");
        assert!(
            calls.contains("fn0 [label=\"puts\", style=dashed];"),
            "{calls}"
        );
    }
}
