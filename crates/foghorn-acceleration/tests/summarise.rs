//! Summarised loops against unwound ones, on random programs with loops over two arrays.
//!
//! Every loop ends after at most four iterations, so unwinding decides every check. What summaries
//! prove must hold there; what fails there must stay open. `FOGHORN_SUMMARISED_PROGRAMS` sets the number of
//! programs.

#[path = "../../foghorn-bmc/tests/common/mod.rs"]
mod common;

use common::{Lines, Random};
use foghorn_acceleration::{Acceleration, Proof};
use foghorn_bmc::{Bmc, SiteVerdict};
use foghorn_core::{Budget, SiteKind, SpanId};
use foghorn_ir::{Module, parse_module};
use std::collections::BTreeMap;
use std::fmt::Write;

/// One of a list.
fn pick<T: Copy>(random: &mut Random, list: &[T]) -> T {
    list[random.below(list.len() as u64) as usize]
}

/// Writes a program line by line; every line has its own place in the source.
struct Writer {
    lines: Lines,
    block: u32,
    random: Random,
    arrays: [u32; 2],
    limit: String,
}

impl Writer {
    fn begin(&mut self, block: u32, parameters: &str) {
        writeln!(self.lines.text, "block{block}{parameters}:").expect("strings take everything");
    }

    fn two_arrays(&mut self) {
        for place in 0..2 {
            let array = self.lines.define("ptr", "allocate stack 32, align 8");
            self.arrays[place] = array;
            if self.random.below(4) == 0 {
                self.lines.emit(&format!("memory-set v{array}, 0, 32"));
                continue;
            }
            for element in 0..8 {
                let at = 4 * element;
                let at = self
                    .lines
                    .define("ptr", &format!("pointer-add v{array} + {at}"));
                let number = element + 2 * place;
                self.lines
                    .emit(&format!("store {number}:i32 to v{at}, align 4"));
            }
        }
        let input = self.lines.define("i32", "nondet input \"n\"");
        self.limit = match self.random.below(3) {
            0 => format!("{}:i32", 1 + self.random.below(4)),
            1 => {
                let small = self.lines.define("i32", &format!("and v{input}, 3"));
                format!("v{small}")
            }
            _ => {
                let small = self.lines.define("i32", &format!("and v{input}, 1"));
                let more = self.lines.define("i32", &format!("add v{small}, 2"));
                format!("v{more}")
            }
        };
    }

    /// A pointer to an element that depends on a counter, or does not.
    fn element(&mut self, counter: u32) -> u32 {
        let which = self.random.below(2) as usize;
        let array = self.arrays[which];
        let constant = 4 * pick(&mut self.random, &[0, 0, 0, 0, 1, 2]);
        if self.random.below(8) == 0 {
            return self
                .lines
                .define("ptr", &format!("pointer-add v{array} + {constant}"));
        }
        let wide = match self.random.below(6) {
            0 => {
                let more = self.lines.define("i32", &format!("add v{counter}, 1"));
                self.lines.define("i64", &format!("sext v{more}"))
            }
            1 => self.lines.define("i64", &format!("zext v{counter}")),
            _ => self.lines.define("i64", &format!("sext v{counter}")),
        };
        let scale = pick(&mut self.random, &[4, 4, 4, 4, 4, 8]);
        let text = format!("pointer-add v{array} + {constant} + v{wide} * {scale}");
        let text = text.replace(" + 0 +", " +");
        self.lines.define("ptr", &text)
    }

    /// A number in an iteration.
    fn number(&mut self, counter: u32, others: [u32; 2]) -> u32 {
        match self.random.below(9) {
            0..=3 => {
                let at = self.element(counter);
                self.lines.define("i32", &format!("load v{at}, align 4"))
            }
            4 => self.lines.define("i32", "nondet input \"x\""),
            5 => self.lines.define("i32", &format!("mul v{counter}, 3")),
            6 => self.lines.define("i32", &format!("add v{counter}, 1")),
            7 => others[self.random.below(2) as usize],
            _ => {
                let (a, b) = (self.element(counter), self.random.below(3));
                let a = self.lines.define("i32", &format!("load v{a}, align 4"));
                let test = self
                    .lines
                    .define("i1", &format!("compare slt v{counter}, {b}"));
                self.lines
                    .define("i32", &format!("select v{test}, v{a}, 7"))
            }
        }
    }

    /// A loop over two numbers, behind which they are what the next block's parameters say.
    fn around(&mut self, numbers: [u32; 2]) -> [u32; 2] {
        let head = self.block;
        self.block += 3;
        let (inside, behind) = (head + 1, head + 2);
        let first = pick(&mut self.random, &[0, 0, 0, 1]);
        let [s, t] = numbers;
        self.lines
            .emit(&format!("jump block{head}({first}:i32, v{s}, v{t})"));
        let [i, s, t] = [self.lines.next, self.lines.next + 1, self.lines.next + 2];
        self.lines.next += 3;
        self.begin(head, &format!("(v{i}:i32, v{s}:i32, v{t}:i32)"));
        let less = pick(&mut self.random, &["slt", "slt", "ult", "sle"]);
        let limit = self.limit.clone();
        let test = self
            .lines
            .define("i1", &format!("compare {less} v{i}, {limit}"));
        self.lines.emit(&format!(
            "branch v{test}, block{inside}, block{behind}(v{s}, v{t})"
        ));
        self.begin(inside, "");
        let mut next = [s, t];
        if self.random.below(4) == 0 {
            next = self.inner(i, next);
        }
        for _ in 0..=self.random.below(2) {
            match self.random.below(6) {
                0 | 1 => {
                    let (value, at) = (self.number(i, next), self.element(i));
                    self.lines
                        .emit(&format!("store v{value} to v{at}, align 4"));
                }
                2 | 3 => {
                    let value = self.number(i, next);
                    let place = self.random.below(2) as usize;
                    let op = pick(&mut self.random, &["add", "add", "sub", "xor", "and", "or"]);
                    let before = next[place];
                    next[place] = self
                        .lines
                        .define("i32", &format!("{op} v{before}, v{value}"));
                }
                4 => {
                    let place = self.random.below(2) as usize;
                    next[place] = self.number(i, next);
                }
                _ => {
                    let value = self.number(i, next);
                    let limit = self.random.below(9);
                    let test = self
                        .lines
                        .define("i1", &format!("compare ne v{value}, {limit}"));
                    self.lines.emit(&format!("check assertion v{test}"));
                }
            }
        }
        let more = self.lines.define("i32", &format!("add v{i}, 1"));
        let again = format!("block{head}(v{more}, v{}, v{})", next[0], next[1]);
        if self.random.below(6) == 0 {
            let value = self.number(i, next);
            let stops = self.lines.define("i1", &format!("compare eq v{value}, 1"));
            let [a, b] = next;
            self.lines.emit(&format!(
                "branch v{stops}, block{behind}(v{a}, v{b}), {again}"
            ));
        } else {
            self.lines.emit(&format!("jump {again}"));
        }
        let numbers = [self.lines.next, self.lines.next + 1];
        self.lines.next += 2;
        self.begin(
            behind,
            &format!("(v{}:i32, v{}:i32)", numbers[0], numbers[1]),
        );
        numbers
    }

    /// A loop of two iterations within one of the loop around it; its head reads and states something.
    fn inner(&mut self, i: u32, [s, t]: [u32; 2]) -> [u32; 2] {
        let head = self.block;
        self.block += 3;
        let (inside, behind) = (head + 1, head + 2);
        self.lines
            .emit(&format!("jump block{head}(0:i32, v{s}, v{t})"));
        let [j, s, t] = [0, 1, 2].map(|more| self.lines.next + more);
        self.lines.next += 3;
        self.begin(head, &format!("(v{j}:i32, v{s}:i32, v{t}:i32)"));
        let value = self.number(i, [s, t]);
        let limit = self.random.below(9);
        let how = pick(&mut self.random, &["ne", "sle", "sge"]);
        let test = self
            .lines
            .define("i1", &format!("compare {how} v{value}, {limit}"));
        self.lines.emit(&format!("check assertion v{test}"));
        let test = self.lines.define("i1", &format!("compare slt v{j}, 2"));
        self.lines
            .emit(&format!("branch v{test}, block{inside}, block{behind}"));
        self.begin(inside, "");
        let counter = pick(&mut self.random, &[i, j]);
        let (number, at) = (self.number(counter, [s, t]), self.element(counter));
        self.lines
            .emit(&format!("store v{number} to v{at}, align 4"));
        let sum = self.lines.define("i32", &format!("add v{s}, v{number}"));
        let more = self.lines.define("i32", &format!("add v{j}, 1"));
        self.lines
            .emit(&format!("jump block{head}(v{more}, v{sum}, v{t})"));
        self.begin(behind, "");
        [s, t]
    }

    /// Two elements change places, or one is overwritten.
    fn between(&mut self) {
        let array = self.arrays[self.random.below(2) as usize];
        let [a, b] = [0, 1].map(|_| {
            let offset = 4 * self.random.below(3);
            self.lines
                .define("ptr", &format!("pointer-add v{array} + {offset}"))
        });
        let kept = self.lines.define("i32", &format!("load v{a}, align 4"));
        let other = self.lines.define("i32", &format!("load v{b}, align 4"));
        self.lines.emit(&format!("store v{other} to v{a}, align 4"));
        if self.random.below(3) > 0 {
            self.lines.emit(&format!("store v{kept} to v{b}, align 4"));
        }
    }

    fn last_check(&mut self, [s, t]: [u32; 2]) {
        let (left, right) = match self.random.below(6) {
            0 => (format!("v{s}"), format!("v{t}")),
            1 => (format!("v{s}"), self.random.below(7).to_string()),
            2 | 3 => {
                let array = self.arrays[self.random.below(2) as usize];
                let offset = 4 * self.random.below(4);
                let at = self
                    .lines
                    .define("ptr", &format!("pointer-add v{array} + {offset}"));
                let value = self.lines.define("i32", &format!("load v{at}, align 4"));
                (format!("v{value}"), self.random.below(7).to_string())
            }
            _ => {
                let [a, b] = [0, 1].map(|_| {
                    let array = self.arrays[self.random.below(2) as usize];
                    let offset = 4 * self.random.below(4);
                    let at = self
                        .lines
                        .define("ptr", &format!("pointer-add v{array} + {offset}"));
                    self.lines.define("i32", &format!("load v{at}, align 4"))
                });
                (format!("v{a}"), format!("v{b}"))
            }
        };
        let how = pick(&mut self.random, &["eq", "eq", "ne", "sle"]);
        let test = self
            .lines
            .define("i1", &format!("compare {how} {left}, {right}"));
        self.lines.emit(&format!("check assertion v{test}"));
    }
}

fn random_program(seed: u64) -> (Module, String) {
    let mut writer = Writer {
        lines: Lines::default(),
        block: 1,
        random: Random(seed),
        arrays: [0; 2],
        limit: String::new(),
    };
    writer.two_arrays();
    let mut numbers = [0, 1].map(|_| {
        let first = writer.random.below(2);
        writer.lines.define("i32", &format!("add {first}:i32, 0"))
    });
    for _ in 0..=writer.random.below(3) {
        numbers = writer.around(numbers);
        if writer.random.below(3) == 0 {
            writer.between();
        }
    }
    writer.last_check(numbers);
    writer.last_check(numbers);
    writer.lines.emit("return 0:i32");
    let text = writer.lines.module_text();
    let mut module = parse_module(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    foghorn_dsa::memory_ssa::plan::purify(&mut module, &foghorn_dsa::Options::default());
    (module, text)
}

type Answers = BTreeMap<(SiteKind, SpanId), Option<bool>>;

/// Whether each check holds, and whether all of the program was looked at.
fn unwind(module: &Module) -> (Answers, bool) {
    let options = Bmc {
        unwind: Some(8),
        vacuity: false,
        ..Bmc::default()
    };
    let report = foghorn_bmc::check(module, &options, &Budget::unlimited(), &mut |_| {});
    let report = report.expect("it solves");
    let answers = report.answers.iter().map(|answer| {
        let holds = match &answer.verdict {
            SiteVerdict::Safe => Some(true),
            SiteVerdict::Unsafe(_) => Some(false),
            SiteVerdict::Unknown(_) => None,
        };
        ((answer.site.kind, answer.site.span), holds)
    });
    (answers.collect(), report.incomplete.is_none())
}

/// The checks that summaries prove, and those that they leave open.
fn summarise(module: &Module) -> Vec<((SiteKind, SpanId), bool)> {
    let options = Acceleration {
        from: 0,
        unwind: 8,
        vacuity: false,
        ..Acceleration::default()
    };
    let report = foghorn_acceleration::check(module, &options, &Budget::unlimited());
    let answers = report.expect("it solves").answers.into_iter();
    let answers = answers.map(|answer| {
        let site = (answer.site.kind, answer.site.span);
        (site, answer.proof == Proof::Proved)
    });
    answers.collect()
}

#[test]
fn what_summaries_prove_holds_when_loops_are_unwound() {
    let count = std::env::var("FOGHORN_SUMMARISED_PROGRAMS")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(400);
    let (mut proved, mut failing) = (0, 0);
    for seed in 0..count {
        let (module, text) = random_program(seed);
        let (expected, is_complete) = unwind(&module);
        assert!(is_complete, "seed {seed} is not decided: {text}");
        for (site, is_proved) in summarise(&module) {
            failing += u64::from(expected.get(&site) == Some(&Some(false)));
            if is_proved {
                proved += 1;
                let truth = expected.get(&site).copied();
                assert_ne!(truth, Some(Some(false)), "seed {seed} at {site:?}\n{text}");
            }
        }
    }
    assert!(
        proved > count && failing > count / 2,
        "{proved} proved, {failing} failing"
    );
}

/// The sum of an array of any length is the same after its first two elements have changed places.
const SUMS: &str = r#"foghorn-ir 1
layout pointer-bytes 8
entry @main

function @main() -> i32 {
block0:
  v0:i32 = nondet input "n"
  v1:i1 = compare sgt v0, 1
  assume v1
  v2:i64 = zext v0
  v3:i64 = mul v2, 4
  v4:ptr = allocate stack v3, align 8
  jump block1(0:i32)
block1(v5:i32):
  v6:i1 = compare slt v5, v0
  branch v6, block2, block3(0:i32, 0:i32)
block2:
  v7:i64 = sext v5
  v8:ptr = pointer-add v4 + v7 * 4
  v9:i32 = nondet input "x"
  store v9 to v8, align 4
  v10:i32 = add v5, 1
  jump block1(v10)
block3(v11:i32, v12:i32):
  v13:i1 = compare slt v11, v0
  branch v13, block4, block5
block4:
  v14:i64 = sext v11
  v15:ptr = pointer-add v4 + v14 * 4
  v16:i32 = load v15, align 4
  v17:i32 = add v12, v16
  v18:i32 = add v11, 1
  jump block3(v18, v17)
block5:
  v19:i32 = load v4, align 4
  v20:ptr = pointer-add v4 + 4
  v21:i32 = load v20, align 4
  store v21 to v4, align 4
  store v19 to v20, align 4
  jump block6(0:i32, 0:i32)
block6(v22:i32, v23:i32):
  v24:i1 = compare slt v22, v0
  branch v24, block7, block8
block7:
  v25:i64 = sext v22
  v26:ptr = pointer-add v4 + v25 * 4
  v27:i32 = load v26, align 4
  v28:i32 = add v23, v27
  v29:i32 = add v22, 1
  jump block6(v29, v28)
block8:
  v30:i1 = compare eq v12, v23
  check assertion v30
  v31:i1 = compare ne v12, v23
  check assertion v31
  return 0:i32
}
"#;

#[test]
fn a_sum_of_any_length_does_not_depend_on_the_order() {
    let mut module = parse_module(SUMS).expect("the text is right");
    foghorn_dsa::memory_ssa::plan::purify(&mut module, &foghorn_dsa::Options::default());
    let options = Acceleration {
        unwind: 1,
        ..Acceleration::default()
    };
    let report = foghorn_acceleration::check(&module, &options, &Budget::unlimited());
    let report = report.expect("it solves");
    assert!(report.incomplete.is_none(), "{:?}", report.incomplete);
    let assertions = report.answers.iter();
    let assertions = assertions.filter(|answer| matches!(answer.site.kind, SiteKind::Explicit(_)));
    let safe: Vec<bool> = assertions
        .map(|answer| answer.proof == Proof::Proved)
        .collect();
    assert_eq!(safe, [true, false]);
}
