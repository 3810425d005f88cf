//! What a module is made of, in numbers.
//!
//! Only what can run is counted: blocks that their entry reaches, and instructions in them.

use crate::body::Body;
use crate::graph::{CallGraph, ControlFlowGraph, LoopForest};
use crate::instruction::{Callee, Instruction, NondetOrigin};
use crate::module::{GlobalContents, Module};
use foghorn_core::CheckKind;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;

/// Counts over a module. Maps are sorted, so that equal modules give equal text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Statistics {
    /// Functions with a body, models of the library included.
    pub functions: usize,
    /// Functions of Foghorn's own model of the library.
    pub models: usize,
    /// Names of functions without a body, sorted.
    pub externals: Vec<String>,
    /// Functions that may call themselves.
    pub recursive_functions: usize,
    pub globals: usize,
    pub external_globals: usize,
    /// Bytes of all globals.
    pub global_bytes: u64,
    pub blocks: usize,
    pub instructions: usize,
    /// Instructions by the word that begins them in the text.
    pub opcodes: BTreeMap<&'static str, usize>,
    pub checks: BTreeMap<CheckKind, usize>,
    pub direct_calls: usize,
    pub indirect_calls: usize,
    pub loops: usize,
    pub irreducible_loops: usize,
    /// The greatest number of loops around one block.
    pub loop_depth: u32,
    /// Inputs of the program.
    pub inputs: usize,
    /// Operations that are not modelled precisely, by what they are.
    pub over_approximated: BTreeMap<String, usize>,
}

impl Statistics {
    pub fn new(module: &Module) -> Self {
        let mut statistics = Statistics {
            globals: module.globals.len(),
            ..Statistics::default()
        };
        for global in module.globals.values() {
            statistics.global_bytes = statistics.global_bytes.saturating_add(global.size);
            let external = global.contents == GlobalContents::External;
            statistics.external_globals += usize::from(external);
        }
        let calls = CallGraph::new(module);
        for (id, function) in module.functions.iter() {
            let Some(body) = &function.body else {
                statistics.externals.push(function.name.to_string());
                continue;
            };
            statistics.functions += 1;
            statistics.models += usize::from(function.is_model);
            statistics.recursive_functions += usize::from(calls.is_recursive(id));
            statistics.count_body(body);
        }
        statistics.externals.sort_unstable();
        statistics
    }

    fn count_body(&mut self, body: &Body) {
        let cfg = ControlFlowGraph::new(body);
        let forest = LoopForest::new(&cfg);
        self.loops += forest.len();
        self.irreducible_loops += forest.iter().filter(|(_, l)| !l.is_reducible()).count();
        for &block in cfg.reverse_postorder() {
            self.blocks += 1;
            self.loop_depth = self.loop_depth.max(forest.depth(block));
            for &instruction in &body.blocks[block].instructions {
                self.count(&body.instructions[instruction].instruction);
            }
        }
    }

    fn count(&mut self, instruction: &Instruction) {
        self.instructions += 1;
        *self.opcodes.entry(opcode(instruction)).or_default() += 1;
        if let Instruction::Check { kind, .. } = instruction {
            *self.checks.entry(*kind).or_default() += 1;
        }
        if let Instruction::Call { callee, .. } = instruction {
            match callee {
                Callee::Direct(_) => self.direct_calls += 1,
                Callee::Indirect(_) => self.indirect_calls += 1,
                Callee::Builtin(_) => {}
            }
        }
        if let Instruction::Nondet { origin } = instruction {
            match origin {
                NondetOrigin::Input(_) => self.inputs += 1,
                NondetOrigin::OverApproximated(what) => {
                    *self.over_approximated.entry(what.to_string()).or_default() += 1;
                }
                NondetOrigin::External(_)
                | NondetOrigin::Change(_)
                | NondetOrigin::Uninitialised(_)
                | NondetOrigin::Undefined => {}
            }
        }
    }
}

/// The word that begins an instruction in the text.
fn opcode(instruction: &Instruction) -> &'static str {
    match instruction {
        Instruction::Binary { op, .. } => op.name(),
        Instruction::Overflows { .. } => "overflows",
        Instruction::Unary { op, .. } => op.name(),
        Instruction::Compare { .. } => "compare",
        Instruction::Cast { op, .. } => op.name(),
        Instruction::FloatUnary { op, .. } => op.name(),
        Instruction::FloatBinary { op, .. } => op.name(),
        Instruction::FusedMultiplyAdd { .. } => "fma",
        Instruction::FloatCompare { .. } => "fcompare",
        Instruction::Select { .. } => "select",
        Instruction::PointerAdd { .. } => "pointer-add",
        Instruction::Nondet { .. } => "nondet",
        Instruction::Allocate { .. } => "allocate",
        Instruction::Free { .. } => "free",
        Instruction::LifetimeStart { .. } => "lifetime-start",
        Instruction::LifetimeEnd { .. } => "lifetime-end",
        Instruction::StackSave => "stack-save",
        Instruction::StackRestore { .. } => "stack-restore",
        Instruction::Load { .. } => "load",
        Instruction::Store { .. } => "store",
        Instruction::MemoryCopy { .. } => "memory-copy",
        Instruction::MemorySet { .. } => "memory-set",
        Instruction::Call { callee, .. } => match callee {
            Callee::Direct(_) => "call",
            Callee::Indirect(_) => "call-indirect",
            Callee::Builtin(crate::Builtin::Math(_)) => "call-math",
            Callee::Builtin(crate::Builtin::HavocReachable(_)) => "call-havoc-reachable",
            Callee::Builtin(_) => "call-builtin",
        },
        Instruction::Check { .. } => "check",
        Instruction::Assume { .. } => "assume",
        Instruction::Bind { .. } => "bind",
    }
}

impl fmt::Display for Statistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut row = |name: &str, count: u64| writeln!(f, "{count:10}  {name}");
        let count = |n: usize| n as u64;
        row("functions", count(self.functions))?;
        row("  of them models of the library", count(self.models))?;
        row("  of them recursive", count(self.recursive_functions))?;
        row("external functions", count(self.externals.len()))?;
        row("globals", count(self.globals))?;
        row("  of them external", count(self.external_globals))?;
        row("bytes of globals", self.global_bytes)?;
        row("blocks", count(self.blocks))?;
        row("loops", count(self.loops))?;
        row("  of them irreducible", count(self.irreducible_loops))?;
        row("depth of loops", u64::from(self.loop_depth))?;
        row("direct calls", count(self.direct_calls))?;
        row("indirect calls", count(self.indirect_calls))?;
        row("inputs", count(self.inputs))?;
        row("instructions", count(self.instructions))?;
        for (opcode, &n) in &self.opcodes {
            row(&format!("  {opcode}"), count(n))?;
        }
        row("checks", count(self.checks.values().sum()))?;
        for (kind, &n) in &self.checks {
            row(&format!("  {kind}"), count(n))?;
        }
        row(
            "over-approximated operations",
            count(self.over_approximated.values().sum()),
        )?;
        for (what, &n) in &self.over_approximated {
            row(&format!("  {what}"), count(n))?;
        }
        for name in &self.externals {
            writeln!(f, "  external  {name}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::parse_module;

    const TEXT: &str = r#"foghorn-ir 1 layout pointer-bytes 8
        global @g size 12 align 4 = zero
        external global @e size 8 align 8
        declare @puts(ptr) -> i32
        model function @helper() { block0: call @helper() return }
        function @main(i32) -> i32 {
        block0(v0:i32):
          v1:i32 = nondet input "nd_int"
          v2:f64 = nondet over-approximated "long double fdiv"
          jump block1
        block1:
          v3:i1 = compare slt v1, v0
          check assertion v3
          check shift v3
          check shift v3
          branch v3, block1, block2
        block2:
          v4:i32 = call @puts(@g)
          call-indirect @e()
          return v4
        block3:
          v5:i32 = add v4, 1
          assume false
          unreachable
        }"#;

    #[test]
    fn counts() {
        let module = parse_module(TEXT).unwrap_or_else(|e| panic!("{e}"));
        let statistics = Statistics::new(&module);
        assert_eq!((statistics.functions, statistics.models), (2, 1));
        assert_eq!(statistics.recursive_functions, 1);
        assert_eq!(statistics.externals, ["puts"]);
        assert_eq!((statistics.globals, statistics.external_globals), (2, 1));
        assert_eq!(statistics.global_bytes, 20);
        assert_eq!((statistics.blocks, statistics.instructions), (4, 9));
        assert_eq!(
            statistics.opcodes.get("add"),
            None,
            "block3 is not reachable"
        );
        assert_eq!(statistics.checks[&CheckKind::Shift], 2);
        assert_eq!((statistics.direct_calls, statistics.indirect_calls), (2, 1));
        assert_eq!((statistics.loops, statistics.loop_depth), (1, 1));
        assert_eq!(statistics.inputs, 1);
        assert_eq!(statistics.over_approximated["long double fdiv"], 1);
        let text = statistics.to_string();
        assert!(text.contains("         2    shift\n"), "{text}");
        assert!(text.ends_with("  external  puts\n"), "{text}");
    }
}
