//! Abstract interpretation, standing on its own: a goto language, fixpoint engines, and abstract
//! domains that compose.
//!
//! The library follows §4.2 of the SeaHorn paper (Crab). Its rooms, from the bottom:
//!
//! | module | what |
//! |---|---|
//! | [`number`], [`linear`], [`variable`] | exact integers, linear expressions, typed variables and their ghosts |
//! | [`value`] | abstractions of one value: [`value::interval`], [`value::congruence`], … |
//! | [`domain`] | the traits, and domains over environments of variables |
//! | [`machine`] | machine integers over any numeric domain |
//! | [`language`] | statements, control-flow graphs, text syntax, a concrete interpreter |
//! | [`fixpoint`] | weak topological orders and the iterator; knows no language |
//! | [`analysis`] | forward, backward, inter-procedural; checkers |
//! | [`registry`] | every domain by name: the one place where a new domain is enrolled |
//! | [`pipeline`] | from text to report in one call |
//! | [`laws`] | what every domain must satisfy, as a test suite |
//!
//! # Analysing a program
//!
//! ```
//! use foghorn_absint::pipeline::{Print, Request, analyse_text, render};
//!
//! let text = "
//!     function main(n: i32) {
//!       var i: i32
//!       entry:
//!         i := 0
//!         goto loop
//!       loop:
//!         goto body, exit
//!       body:
//!         assume i < 10
//!         i := i + 1
//!         goto loop
//!       exit:
//!         assume i >= 10
//!         assert i == 10
//!         return
//!     }";
//! let request = Request { domain: "intervals".to_owned(), ..Request::default() };
//! let mut report = analyse_text(text, &request).unwrap();
//! assert!(render(&mut report, Print::Checks).starts_with("safe: assertion"));
//! ```
//!
//! # Tutorial: an analyser of your own language
//!
//! A front end translates to the goto language; everything else is here. The toy language is a list
//! of commands, with loops, over variables that are single letters. Its translator is under sixty
//! lines; the rest runs it.
//!
//! ```
//! use std::collections::BTreeMap;
//!
//! use foghorn_absint::language::{BlockId, FunctionBuilder, Program, Statement};
//! use foghorn_absint::linear::{LinearConstraint, LinearExpression};
//! use foghorn_absint::pipeline::{Print, Request, analyse_program, render};
//! use foghorn_absint::variable::{Type, VariableId};
//!
//! enum Toy {
//!     Set(char, i64),           // x = 3
//!     Add(char, i64),           // x += 3
//!     While(char, i64, Vec<Toy>), // while x < 10 { … }
//!     Check(char, i64),         // assert x <= 10
//! }
//!
//! struct Translator {
//!     program: Program,
//!     names: BTreeMap<char, VariableId>,
//!     function: FunctionBuilder,
//! }
//!
//! impl Translator {
//!     fn variable(&mut self, name: char) -> VariableId {
//!         let program = &mut self.program;
//!         let ty = Type::Integer { width: 32 };
//!         *self.names.entry(name).or_insert_with(|| program.variable(name, ty))
//!     }
//!
//!     /// Translates commands that start in block `at`; returns the block where they end.
//!     fn translate(&mut self, commands: &[Toy], mut at: BlockId) -> BlockId {
//!         for command in commands {
//!             match command {
//!                 Toy::Set(x, value) => {
//!                     let (target, expression) = (self.variable(*x), (*value).into());
//!                     self.function.push(at, Statement::Assign { target, expression });
//!                 }
//!                 Toy::Add(x, value) => {
//!                     let target = self.variable(*x);
//!                     let expression = LinearExpression::variable(target).plus(&(*value).into());
//!                     self.function.push(at, Statement::Assign { target, expression });
//!                 }
//!                 Toy::Check(x, limit) => {
//!                     let condition = LinearConstraint::less_or_equal(self.variable(*x), *limit);
//!                     self.function.push(at, Statement::Assert { condition: condition.into() });
//!                 }
//!                 Toy::While(x, limit, commands) => {
//!                     let guard = LinearConstraint::less(self.variable(*x), *limit);
//!                     let [head, body, exit] = ["head", "body", "exit"].map(|l| self.function.block(l));
//!                     self.function.goto(at, [head]);
//!                     self.function.goto(head, [body, exit]);
//!                     self.function.push(body, Statement::Assume { condition: guard.clone().into() });
//!                     self.function.push(exit, Statement::Assume { condition: guard.negate().into() });
//!                     let end = self.translate(commands, body);
//!                     self.function.goto(end, [head]);
//!                     at = exit;
//!                 }
//!             }
//!         }
//!         at
//!     }
//! }
//!
//! let program = [
//!     Toy::Set('x', 0),
//!     Toy::While('x', 10, vec![Toy::Add('x', 1)]),
//!     Toy::Check('x', 10),
//!     Toy::Check('x', 9),
//! ];
//! let function = FunctionBuilder::new("main");
//! let mut translator = Translator { program: Program::new(), names: BTreeMap::new(), function };
//! let entry = translator.function.block("entry");
//! let end = translator.translate(&program, entry);
//! translator.function.return_from(end, []);
//! translator.function.finish(&mut translator.program);
//! let top = foghorn_absint::registry::domain("intervals").unwrap();
//! let mut report = analyse_program(translator.program, &top, &Request::default());
//! let checks = render(&mut report, Print::Checks);
//! let statuses: Vec<&str> = checks.lines().map(|line| line.split(':').next().unwrap()).collect();
//! assert_eq!(statuses, ["safe", "error"]);
//! ```
//!
//! # A domain of your own
//!
//! Implement [`domain::NumericDomain`] (or only [`value::NumericValue`], if it relates no
//! variables), add a line to a table of [`registry`], and run the tests: the law suite, the random
//! programs and the command line all find it there.

pub mod analysis;
pub mod bench;
pub mod diagram;
pub mod domain;
pub mod fixpoint;
pub mod graph;
pub mod language;
pub mod laws;
pub mod linear;
pub mod machine;
pub mod number;
pub mod persistent_map;
pub mod pipeline;
pub mod polyhedron;
pub mod registry;
pub mod thresholds;
pub mod value;
pub mod variable;
