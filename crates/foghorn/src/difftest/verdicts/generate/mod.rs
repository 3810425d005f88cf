//! Small C programs of our own whose executions can be counted.
//!
//! What a program is given are a few inputs of one to three bits ([`INPUTS`]), so that executing it
//! for all of them is the whole truth about it ([`super::truth`]). It has loops over them, arrays,
//! pointers, structures, unions, lists on the heap, frees, calls, pointers to functions and
//! recursion. Every third is *plain*: a few statements about numbers and arrays, since an engine that gives up on
//! a larger program is never wrong about it. Most programs are *careful*: indices are cut to size, pointers are
//! tested, lists are freed. The others forget to, now and then, so that every kind of failure occurs.
//!
//! A program is first a [`Draft`]: where it will assert something there is a *probe*, an expression
//! whose values are observed over all executions. [`Draft::assert_of`] then turns each probe into an
//! assertion that holds tightly (the bounds that were observed, and no wider ones) or, at a few,
//! into one that just fails. An engine that is wrong by one, anywhere, is wrong about one of these.
//!
//! One statement is one line, which is the unit of shrinking.

mod assertion;
mod expression;
mod function;
mod heap;
mod scope;
mod statement;

use super::random::Random;
use scope::Scope;
use std::fmt::Write;

pub use assertion::Observed;

/// The functions that give inputs, and how many values of each have to be tried for all: what the
/// programs take of them is masked, in [`INPUT_FUNCTIONS`], to as many.
pub const INPUTS: [(&str, u64); 3] = [
    ("__VERIFIER_nondet_uchar", 4),
    ("__VERIFIER_nondet_ushort", 8),
    ("__VERIFIER_nondet_bool", 2),
];

const DECLARATIONS: &str = "\
#include <assert.h>
#include <stdlib.h>
#include <string.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned short __VERIFIER_nondet_ushort(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);
struct node { int value; signed char tag; struct node *next; };
struct pair { short left; int right; unsigned char bytes[4]; };
union mix { int whole; unsigned char bytes[4]; short halves[2]; };
";

const INPUT_FUNCTIONS: &str = "\
static unsigned two_bits(void) { return __VERIFIER_nondet_uchar() & 3u; }
static unsigned three_bits(void) { return __VERIFIER_nondet_ushort() & 7u; }
static int flag(void) { return __VERIFIER_nondet_bool() ? 1 : 0; }
";

const PROBE: &str = "\
extern long write(int, const void *, unsigned long);
static void probe(long number, long value) { long record[2] = {number, value}; write(1, record, sizeof record); }
";

/// A line of a draft.
#[derive(Clone, Debug)]
enum Line {
    Text(String),
    /// The expression that is observed, and its indentation.
    Probe(usize, String),
}

/// A program whose assertions are not decided yet.
#[derive(Clone, Debug)]
pub struct Draft {
    lines: Vec<Line>,
    random: Random,
}

impl Draft {
    /// The program of that seed.
    pub fn new(seed: u64) -> Self {
        let mut generator = Generator::new(Random::new(seed));
        generator.program();
        Draft {
            lines: generator.lines,
            random: generator.random,
        }
    }

    /// How many probes it has.
    pub fn probes(&self) -> usize {
        let probes = self.lines.iter();
        probes
            .filter(|line| matches!(line, Line::Probe(..)))
            .count()
    }

    /// The program that prints what it observes: two words of 64 bits for each probe that it passes,
    /// its number and the value.
    pub fn observing(&self) -> String {
        self.render(
            &format!("{DECLARATIONS}{INPUT_FUNCTIONS}{PROBE}"),
            |number, expression| format!("probe({number}, (long)({expression}));"),
        )
    }

    /// The program that asserts what was observed of each probe.
    pub fn assert_of(&self, observed: &[Observed]) -> String {
        let mut random = self.random.clone();
        let broken = match random.chance(45) {
            true => Some(random.below(observed.len().max(1))),
            false => None,
        };
        self.render(
            &format!("{DECLARATIONS}{INPUT_FUNCTIONS}"),
            |number, expression| {
                let breaks = broken == Some(number);
                let condition = observed[number].condition(expression, breaks, &mut random);
                format!("assert({condition});")
            },
        )
    }

    fn render(&self, begin: &str, mut probe: impl FnMut(usize, &str) -> String) -> String {
        let mut text = begin.to_owned();
        let mut number = 0;
        for line in &self.lines {
            // Writing to a string does not fail.
            let _ = match line {
                Line::Text(line) => writeln!(text, "{line}"),
                Line::Probe(indent, expression) => {
                    number += 1;
                    let statement = probe(number - 1, expression);
                    writeln!(text, "{:1$}{statement}", "", 2 * indent)
                }
            };
        }
        text
    }
}

/// A program in the making.
struct Generator {
    random: Random,
    lines: Vec<Line>,
    indent: usize,
    /// How often, of a hundred times, a precaution is forgotten.
    carelessness: u64,
    /// Whether there are numbers and arrays only.
    is_plain: bool,
    /// Inputs that may still be asked for.
    inputs: usize,
    /// Statements that may still be written.
    statements: usize,
    /// Names given so far.
    names: usize,
    functions: Vec<function::Signature>,
    /// How deep loops are nested.
    loops: usize,
}

/// Inputs of one execution; each has at most eight values.
const MOST_INPUTS: usize = 4;
/// Statements of a program, those of its functions included.
const MOST_STATEMENTS: usize = 34;
/// Statements of a plain program.
const MOST_PLAIN_STATEMENTS: usize = 9;
/// Probes of a program.
const MOST_PROBES: usize = 8;

impl Generator {
    fn new(mut random: Random) -> Self {
        let carelessness = match random.below(3) {
            0 => 6,
            _ => 0,
        };
        let is_plain = random.chance(33);
        let statements = match is_plain {
            true => 3 + random.below(MOST_PLAIN_STATEMENTS - 2),
            false => 10 + random.below(MOST_STATEMENTS - 10),
        };
        Generator {
            random,
            lines: vec![],
            indent: 0,
            carelessness,
            is_plain,
            inputs: MOST_INPUTS,
            statements,
            names: 0,
            functions: vec![],
            loops: 0,
        }
    }

    fn program(&mut self) {
        let mut globals = Scope::default();
        self.globals(&mut globals);
        let functions = match self.is_plain {
            true => self.random.below(2),
            false => {
                self.list_functions();
                self.random.below(4)
            }
        };
        for _ in 0..functions {
            self.function(&globals);
        }
        self.open("int main(void) {");
        let mut scope = globals;
        self.locals(&mut scope);
        let count = 4 + self.random.below(8);
        self.block(&mut scope, count);
        while self.probes() < 2 {
            self.probe(&scope);
        }
        self.release(&scope);
        let result = self.variable(&scope);
        self.line(&format!("return ({result}) & 127;"));
        self.close();
    }

    fn probes(&self) -> usize {
        let probes = self.lines.iter();
        probes
            .filter(|line| matches!(line, Line::Probe(..)))
            .count()
    }

    /// Whether to leave out a precaution here.
    fn forgets(&mut self) -> bool {
        let carelessness = self.carelessness;
        self.random.chance(carelessness)
    }

    fn name(&mut self, stem: &str) -> String {
        self.names += 1;
        format!("{stem}{}", self.names)
    }

    fn line(&mut self, text: &str) {
        let indented = format!("{:1$}{text}", "", 2 * self.indent);
        self.lines.push(Line::Text(indented));
    }

    fn open(&mut self, text: &str) {
        self.line(text);
        self.indent += 1;
    }

    fn close(&mut self) {
        self.indent -= 1;
        self.line("}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_program() {
        assert_eq!(Draft::new(3).observing(), Draft::new(3).observing());
        assert_ne!(Draft::new(3).observing(), Draft::new(4).observing());
    }

    #[test]
    fn every_construct_occurs() {
        let all: String = (0..200).map(|seed| Draft::new(seed).observing()).collect();
        for construct in [
            "for (",
            "while (",
            "do {",
            "switch (",
            "malloc(",
            "free(",
            "push(",
            "->next",
            "memcpy(",
            "break;",
            "continue;",
            "? ",
            "recurse",
            "(*",
            "__VERIFIER_assume(",
            ".bytes[",
            "goto ",
        ] {
            assert!(all.contains(construct), "{construct}");
        }
    }

    #[test]
    fn every_third_program_is_plain() {
        let is_plain = |seed: &u64| !Draft::new(*seed).observing().contains("push(");
        let plain = (0..300).filter(is_plain).count();
        assert!((70..130).contains(&plain), "{plain}");
    }

    #[test]
    fn assertions_take_the_place_of_probes() {
        let draft = Draft::new(11);
        let observed = vec![Observed::default(); draft.probes()];
        let text = draft.assert_of(&observed);
        assert!(!text.contains("probe("));
        assert_eq!(text.matches("assert(").count(), draft.probes());
    }
}
