//! Random programs with lists on the heap, frees, calls and recursion, in textual IR.
//!
//! As in the programs with [loops over arrays](crate::loop_program) every loop and every recursion ends after a few
//! rounds, so that unwinding decides every check. Some programs use what was freed, free twice, keep what they should
//! free, or read what nobody wrote.

use crate::loop_programs::{Lines, Random, pick};
use std::fmt::Write;

/// Bytes of a node: the next one at 0, a number at 8.
const NODE: u32 = 16;

/// Writes a program line by line.
struct Writer {
    lines: Lines,
    random: Random,
    block: u32,
    /// The functions that are called.
    called: Called,
}

/// Which functions `main` calls.
#[derive(Default)]
struct Called {
    count: bool,
    down: bool,
    touch: bool,
}

impl Writer {
    fn chance(&mut self, of: u64) -> bool {
        self.random.below(of) == 0
    }

    fn begin(&mut self, block: u32, parameters: &str) {
        writeln!(self.lines.text, "block{block}{parameters}:").expect("strings take everything");
    }

    fn define(&mut self, ty: &str, text: &str) -> u32 {
        self.lines.define(ty, text)
    }

    fn emit(&mut self, text: &str) {
        self.lines.emit(text);
    }

    /// Numbers of new block parameters.
    fn parameters<const N: usize>(&mut self) -> [u32; N] {
        let first = self.lines.next;
        self.lines.next += N as u32;
        std::array::from_fn(|place| first + place as u32)
    }

    fn check(&mut self, value: u32) {
        let how = pick(
            &mut self.random,
            &["ne", "ne", "slt", "sle", "sge", "ult", "eq"],
        );
        let limit = pick(&mut self.random, &[0i64, 1, 2, 3, 5, 7, 9, 100, -1, -100]);
        let test = self.define("i1", &format!("compare {how} v{value}, {limit}"));
        self.emit(&format!("check assertion v{test}"));
    }

    /// A number of eight bits, so that sums wrap around.
    fn number(&mut self, counter: u32) -> u32 {
        match self.random.below(6) {
            0 => self.define("i8", "nondet input \"x\""),
            1 => self.define("i8", &format!("add v{counter}, 7")),
            2 => self.define("i8", &format!("mul v{counter}, 50")),
            3 => {
                let sum = self.define("i8", &format!("add v{counter}, v{counter}"));
                self.define("i8", &format!("add v{sum}, 100"))
            }
            4 => self.define("i8", &format!("sub 3:i8, v{counter}")),
            _ => counter,
        }
    }

    fn value_of(&mut self, node: u32) -> u32 {
        self.define("ptr", &format!("pointer-add v{node} + 8"))
    }

    /// A loop that puts nodes in front of a list; the list behind it.
    fn build(&mut self, limit: &str) -> u32 {
        let head = self.block;
        self.block += 3;
        let (inside, behind) = (head + 1, head + 2);
        self.emit(&format!("jump block{head}(0:i8, null)"));
        let [i, list] = self.parameters();
        self.begin(head, &format!("(v{i}:i8, v{list}:ptr)"));
        let test = self.define("i1", &format!("compare slt v{i}, {limit}"));
        self.emit(&format!("branch v{test}, block{inside}, block{behind}"));
        self.begin(inside, "");
        let node = self.define("ptr", &format!("allocate heap {NODE}, align 16"));
        if !self.chance(12) {
            self.emit(&format!("store v{list} to v{node}, align 8"));
        }
        let number = self.number(i);
        let at = self.value_of(node);
        if self.chance(5) {
            self.called.touch = true;
            self.emit(&format!("call @touch(v{node}, v{number})"));
        } else if !self.chance(10) {
            self.emit(&format!("store v{number} to v{at}, align 1"));
        }
        if self.chance(4) {
            let read = self.define("i8", &format!("load v{at}, align 1"));
            self.check(read);
        }
        let more = self.define("i8", &format!("add v{i}, 1"));
        self.emit(&format!("jump block{head}(v{more}, v{node})"));
        self.begin(behind, "");
        list
    }

    /// A loop along a list, with a sum.
    fn walk(&mut self, list: u32) -> u32 {
        let head = self.block;
        self.block += 3;
        let (inside, behind) = (head + 1, head + 2);
        let first = pick(&mut self.random, &[0, 0, 1, 90]);
        self.emit(&format!("jump block{head}(v{list}, {first}:i8)"));
        let [node, sum] = self.parameters();
        self.begin(head, &format!("(v{node}:ptr, v{sum}:i8)"));
        let test = self.define("i1", &format!("compare ne v{node}, null"));
        self.emit(&format!("branch v{test}, block{inside}, block{behind}"));
        self.begin(inside, "");
        let at = self.value_of(node);
        let read = self.define("i8", &format!("load v{at}, align 1"));
        if self.chance(2) {
            self.check(read);
        }
        if self.chance(3) {
            let more = self.define("i8", &format!("add v{read}, 1"));
            self.emit(&format!("store v{more} to v{at}, align 1"));
        }
        let step = match self.random.below(3) {
            0 => "1:i8".to_owned(),
            1 => "60:i8".to_owned(),
            _ => format!("v{read}"),
        };
        let next_sum = self.define("i8", &format!("add v{sum}, {step}"));
        let next = self.define("ptr", &format!("load v{node}, align 8"));
        self.emit(&format!("jump block{head}(v{next}, v{next_sum})"));
        self.begin(behind, "");
        sum
    }

    /// A loop that frees a list, or does it wrong.
    fn release(&mut self, list: u32) {
        let head = self.block;
        self.block += 3;
        let (inside, behind) = (head + 1, head + 2);
        self.emit(&format!("jump block{head}(v{list})"));
        let [node] = self.parameters();
        self.begin(head, &format!("(v{node}:ptr)"));
        let test = self.define("i1", &format!("compare ne v{node}, null"));
        self.emit(&format!("branch v{test}, block{inside}, block{behind}"));
        self.begin(inside, "");
        let fault = self.random.below(12);
        let next = match fault {
            0 => {
                self.emit(&format!("free v{node}"));
                self.define("ptr", &format!("load v{node}, align 8"))
            }
            1 => {
                let next = self.define("ptr", &format!("load v{node}, align 8"));
                self.emit(&format!("free v{node}"));
                self.emit(&format!("free v{node}"));
                next
            }
            2 => self.define("ptr", &format!("load v{node}, align 8")),
            3 => {
                let next = self.define("ptr", &format!("load v{node}, align 8"));
                let at = self.value_of(node);
                self.emit(&format!("free v{at}"));
                next
            }
            _ => {
                let next = self.define("ptr", &format!("load v{node}, align 8"));
                self.emit(&format!("free v{node}"));
                next
            }
        };
        self.emit(&format!("jump block{head}(v{next})"));
        self.begin(behind, "");
    }

    /// A global is changed and read.
    fn global(&mut self, number: u32) {
        if self.chance(2) {
            self.emit(&format!("store v{number} to @g, align 1"));
        }
        let read = self.define("i8", "load @g, align 1");
        self.check(read);
    }

    fn functions(&mut self) -> String {
        let mut text = String::new();
        let mut add = |lines: &[&str]| {
            for line in lines {
                self.lines.line += 1;
                match line.ends_with(['{', '}', ':']) {
                    true => text.push_str(line),
                    false => write!(text, "  {line} ! p.c:{}:1", self.lines.line)
                        .expect("strings take everything"),
                }
                text.push('\n');
            }
        };
        if self.called.count {
            add(&[
                "function @count(ptr) -> i8 {",
                "block0(v0:ptr):",
                "v1:i1 = compare eq v0, null",
                "branch v1, block2(0:i8), block1",
                "block1:",
                "v2:ptr = load v0, align 8",
                "v3:i8 = call @count(v2)",
                "v4:i8 = add v3, 1",
                "jump block2(v4)",
                "block2(v5:i8):",
                "return v5",
                "}",
            ]);
        }
        if self.called.down {
            let step = pick(&mut self.random, &[1, 2, 60]);
            let sum = format!("v4:i8 = add v3, {step}");
            let test = match self.random.below(2) {
                0 => "v5:i1 = compare sge v4, 0",
                _ => "v5:i1 = compare ne v4, 6",
            };
            add(&[
                "function @down(i8) -> i8 {",
                "block0(v0:i8):",
                "v1:i1 = compare sle v0, 0",
                "branch v1, block2(0:i8), block1",
                "block1:",
                "v2:i8 = sub v0, 1",
                "v3:i8 = call @down(v2)",
                &sum,
                test,
                "check assertion v5",
                "jump block2(v4)",
                "block2(v6:i8):",
                "return v6",
                "}",
            ]);
        }
        if self.called.touch {
            add(&[
                "function @touch(ptr, i8) {",
                "block0(v0:ptr, v1:i8):",
                "v2:ptr = pointer-add v0 + 8",
                "v3:i8 = add v1, 1",
                "store v3 to v2, align 1",
                "return",
                "}",
            ]);
        }
        text
    }
}

/// The text of a program: the same for the same seed.
pub fn list_program(seed: u64) -> String {
    let mut writer = Writer {
        lines: Lines::default(),
        random: Random::new(seed),
        block: 1,
        called: Called::default(),
    };
    let limit = match writer.random.below(2) {
        0 => format!("{}:i8", 1 + writer.random.below(3)),
        _ => {
            let input = writer.define("i8", "nondet input \"n\"");
            let small = writer.define("i8", &format!("and v{input}, 3"));
            format!("v{small}")
        }
    };
    let list = writer.build(&limit);
    let mut sum = match writer.chance(4) {
        true => writer.define("i8", "add 2:i8, 0"),
        false => writer.walk(list),
    };
    if writer.chance(3) {
        writer.called.count = true;
        sum = writer.define("i8", &format!("call @count(v{list})"));
    }
    if writer.chance(3) {
        writer.called.down = true;
        let input = writer.define("i8", "nondet input \"m\"");
        let small = writer.define("i8", &format!("and v{input}, 3"));
        sum = writer.define("i8", &format!("call @down(v{small})"));
    }
    if writer.chance(2) {
        writer.global(sum);
    }
    writer.check(sum);
    if !writer.chance(8) {
        writer.release(list);
    }
    if writer.chance(6) {
        let again = writer.define("ptr", &format!("allocate heap {NODE}, align 16"));
        let same = writer.define("i1", &format!("compare ne v{again}, v{list}"));
        writer.emit(&format!("check assertion v{same}"));
        writer.emit(&format!("free v{again}"));
    }
    writer.emit("return 0:i8");
    let first = pick(&mut writer.random, &[0, 1, 7]);
    let functions = writer.functions();
    format!(
        "foghorn-ir 1\nlayout pointer-bytes 8\nentry @main\n\nglobal @g size 1 align 1 = {{ 0: \"\\{first:02x}\" }}\n\n\
         function @main() -> i8 {{\nblock0:\n{}}}\n{functions}",
        writer.lines.text
    )
}
