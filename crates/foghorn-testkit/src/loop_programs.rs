//! Random programs with loops over two arrays, in textual IR.
//!
//! Every loop ends after at most four iterations, so that unwinding decides every check: whoever says something about any
//! number of iterations is compared with it.

use std::fmt::Write;

/// Numbers from a seed.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Random(seed)
    }

    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (bits ^ (bits >> 31)) % limit
    }
}

/// A function's text; every line has its own place in the source.
#[derive(Default)]
pub(crate) struct Lines {
    pub(crate) text: String,
    pub(crate) line: u32,
    /// The number of the next value.
    pub(crate) next: u32,
}

impl Lines {
    pub(crate) fn emit(&mut self, text: &str) {
        self.line += 1;
        let line = self.line;
        writeln!(self.text, "  {text} ! p.c:{line}:1").expect("strings take everything");
    }

    pub(crate) fn define(&mut self, ty: &str, text: &str) -> u32 {
        let value = self.next;
        self.next += 1;
        self.emit(&format!("v{value}:{ty} = {text}"));
        value
    }

    /// A module with these lines as its function `main`.
    fn module_text(&self) -> String {
        format!(
            "foghorn-ir 1\nlayout pointer-bytes 8\nentry @main\n\nfunction @main() -> i32 {{\nblock0:\n{}}}\n",
            self.text
        )
    }
}

/// One of a list.
pub(crate) fn pick<T: Copy>(random: &mut Random, list: &[T]) -> T {
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

/// The text of a program: the same for the same seed.
pub fn loop_program(seed: u64) -> String {
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
    writer.lines.module_text()
}
