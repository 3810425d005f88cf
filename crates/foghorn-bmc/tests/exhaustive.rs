//! Every memory representation against all executions of random small programs.
//!
//! A program takes two inputs of two bits, so sixteen runs of the interpreter say which checks can
//! fail. The engine must say exactly the same, under each representation. `FOGHORN_BMC_PROGRAMS`
//! sets the number of programs (2,000 is the full run).

mod common;

use common::{Lines, Random};
use foghorn_bmc::{Bmc, MemoryChoice, SiteVerdict, check};
use foghorn_core::{Budget, CheckKind, SpanId};
use foghorn_ir::interpret::{Listed, Options, Outcome, Program, RecordedWorld};
use foghorn_ir::{Module, parse_module};
use std::collections::BTreeSet;

/// Writes a program line by line; every line has its own place in the source.
struct Writer {
    lines: Lines,
    pointers: Vec<u32>,
    numbers: Vec<u32>,
    random: Random,
}

impl Writer {
    fn pointer(&mut self) -> u32 {
        let index = self.random.below(self.pointers.len() as u64);
        self.pointers[index as usize]
    }

    fn number(&mut self) -> u32 {
        let index = self.random.below(self.numbers.len() as u64);
        self.numbers[index as usize]
    }

    fn start(&mut self) {
        for name in ["a", "b"] {
            let input = self
                .lines
                .define("i64", &format!("nondet input \"{name}\""));
            let small = self.lines.define("i64", &format!("and v{input}, 3"));
            self.numbers.push(small);
        }
        for _ in 0..2 {
            let kind = ["stack", "heap"][self.random.below(2) as usize];
            let size = 4 + self.random.below(5);
            let object = self
                .lines
                .define("ptr", &format!("allocate {kind} {size}, align 8"));
            let byte = self.random.below(4);
            self.lines
                .emit(&format!("memory-set v{object}, {byte}, {size}"));
            self.pointers.push(object);
        }
    }

    fn step(&mut self) {
        let (pointer, number) = (self.pointer(), self.number());
        match self.random.below(8) {
            0 | 1 => {
                let scale = 1 + self.random.below(2);
                let moved = self.lines.define(
                    "ptr",
                    &format!("pointer-add v{pointer} + v{number} * {scale}"),
                );
                self.pointers.push(moved);
            }
            2 => {
                let value = self.number();
                let width = [8, 16, 32][self.random.below(3) as usize];
                let cut = self
                    .lines
                    .define(&format!("i{width}"), &format!("trunc v{value}"));
                self.lines
                    .emit(&format!("store v{cut} to v{pointer}, align 1"));
            }
            3 => {
                let width = [8, 16, 32][self.random.below(3) as usize];
                let loaded = self
                    .lines
                    .define(&format!("i{width}"), &format!("load v{pointer}, align 1"));
                let wide = self.lines.define("i64", &format!("zext v{loaded}"));
                self.numbers.push(wide);
            }
            4 => {
                let byte = self.random.below(256);
                let small = self.lines.define("i64", &format!("and v{number}, 3"));
                self.lines
                    .emit(&format!("memory-set v{pointer}, {byte}, v{small}"));
            }
            5 => {
                let from = self.pointer();
                let small = self.lines.define("i64", &format!("and v{number}, 3"));
                self.lines
                    .emit(&format!("memory-copy v{pointer}, v{from}, v{small}"));
            }
            6 => {
                let (other, limit) = (self.pointer(), self.random.below(4));
                let test = self
                    .lines
                    .define("i1", &format!("compare ult v{number}, {limit}"));
                let chosen = self
                    .lines
                    .define("ptr", &format!("select v{test}, v{pointer}, v{other}"));
                self.pointers.push(chosen);
            }
            _ => {
                let (other, bound) = (self.number(), self.random.below(6));
                let sum = self
                    .lines
                    .define("i64", &format!("add v{number}, v{other}"));
                let test = self
                    .lines
                    .define("i1", &format!("compare ne v{sum}, {bound}"));
                self.lines.emit(&format!("check assertion v{test}"));
            }
        }
    }
}

fn random_program(seed: u64) -> Module {
    let mut writer = Writer {
        lines: Lines::default(),
        pointers: vec![],
        numbers: vec![],
        random: Random(seed),
    };
    writer.start();
    for _ in 0..6 {
        writer.step();
    }
    // A branch, so that memories meet.
    let (number, pointer) = (writer.number(), writer.pointer());
    let test = writer
        .lines
        .define("i1", &format!("compare ult v{number}, 2"));
    writer
        .lines
        .emit(&format!("branch v{test}, block1, block2"));
    for block in ["block1", "block2"] {
        let index = writer.lines.define("i64", "and 7:i64, 1");
        let marker = format!("  v{index}:i64");
        let at = writer.lines.text.rfind(&marker).expect("just written");
        writer.lines.text.insert_str(at, &format!("{block}:\n"));
        let byte = writer.random.below(9);
        writer
            .lines
            .emit(&format!("store {byte}:i8 to v{pointer}, align 1"));
        writer.lines.emit("jump block3");
    }
    let loaded = writer
        .lines
        .define("i8", &format!("load v{pointer}, align 1"));
    let marker = format!("  v{loaded}:i8");
    let at = writer.lines.text.rfind(&marker).expect("just written");
    writer.lines.text.insert_str(at, "block3:\n");
    let test = writer
        .lines
        .define("i1", &format!("compare ne v{loaded}, 5"));
    writer.lines.emit(&format!("check assertion v{test}"));
    writer.lines.emit("return 0:i32");
    let text = writer.lines.module_text();
    parse_module(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// The kinds and places of failures over all inputs.
fn all_failures(module: &Module) -> BTreeSet<(CheckKind, SpanId)> {
    let program = Program::new(module);
    let mut failures = BTreeSet::new();
    for inputs in 0..16_u128 {
        let mut choices = Listed::of_bits([inputs & 3, inputs >> 2]).then_zeros();
        let run = program
            .run(
                &Options::default(),
                &mut choices,
                &mut RecordedWorld::default(),
            )
            .expect("it has an entry");
        if let Outcome::Failed(failure) = run.outcome
            && failure.kind != CheckKind::Leak
        {
            failures.insert((failure.kind, failure.span));
        }
    }
    failures
}

#[test]
fn all_representations_say_what_all_executions_say() {
    let count = std::env::var("FOGHORN_BMC_PROGRAMS")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(60);
    let mut failing = 0;
    for seed in 0..count {
        let impure = random_program(seed);
        let expected = all_failures(&impure);
        failing += usize::from(!expected.is_empty());
        let mut module = impure.clone();
        foghorn_dsa::memory_ssa::plan::purify(&mut module, &foghorn_dsa::Options::default());
        for memory in [
            MemoryChoice::default(),
            MemoryChoice::Seam {
                arm: true,
                store_map: false,
            },
            MemoryChoice::Lambdas,
            MemoryChoice::Arrays,
        ] {
            let options = Bmc {
                memory,
                ..Bmc::default()
            };
            let report = check(&module, &options, &Budget::unlimited(), &mut |_| {})
                .unwrap_or_else(|error| panic!("program {seed}, {memory:?}: {error}"));
            let expected_places: BTreeSet<SpanId> =
                expected.iter().map(|&(_, span)| span).collect();
            let found: BTreeSet<SpanId> = report
                .answers
                .iter()
                .filter_map(|answer| match &answer.verdict {
                    SiteVerdict::Unsafe(_) => Some(answer.site.span),
                    SiteVerdict::Safe => None,
                    SiteVerdict::Unknown(reason) => {
                        panic!("program {seed}, {memory:?}: {reason}")
                    }
                })
                .collect();
            assert_eq!(found, expected_places, "program {seed}, {memory:?}");
            assert!(
                report.incomplete.is_none(),
                "program {seed}, {memory:?}: {:?}",
                report.incomplete
            );
        }
    }
    assert!(failing * 4 > count as usize, "enough programs fail");
}
