//! Printing programs in the text syntax.
//!
//! ```text
//! function main(n: i32) -> (i32) {
//!   var x: i32, b: bool, a: array
//!   entry:
//!     x := 0
//!     goto loop
//!   loop:
//!     goto body, exit
//!   body:
//!     assume x < n
//!     x := x + 1
//!     goto loop
//!   exit:
//!     assume x >= n
//!     assert 0 <= x
//!     return x
//! }
//! ```
//!
//! [`crate::language::parser`] reads what is printed here, and gives the same program.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};

use crate::language::program::{Function, Program, Terminator};
use crate::language::statement::{
    ArrayAccess, BooleanOperator, Cast, Condition, Endianness, Operand, Statement, UnsignedRelation,
};
use crate::variable::{GhostKind, Level, VariableId};

/// The name of a ghost of the variable called `base`.
pub(crate) fn ghost_name(base: &str, x: VariableId) -> String {
    let (below, level) = match x.copied_from() {
        Some((below, level)) => (below, Some(level)),
        None => (x, None),
    };
    let mut name = match below.ghost_of() {
        None => base.to_owned(),
        Some((GhostKind::Smashed, payload)) => format!("{base}[*{payload}]"),
        Some((GhostKind::Cell, payload)) => format!("{base}[cell {payload}]"),
        Some((GhostKind::Segment, payload)) => format!("{base}[segment {payload}]"),
        Some((GhostKind::PointerPart, payload)) => format!("{base}.part{payload}"),
        Some((GhostKind::Internal, payload)) => format!("{base}.internal{payload}"),
        Some((GhostKind::Scratch, payload)) => format!("{base}.scratch{payload}"),
    };
    name.push_str(match level {
        None => "",
        Some(Level::Primed) => "'",
        Some(Level::Entry) => "@entry",
        Some(Level::Formal) => "@formal",
        Some(Level::Temporary) => "@temporary",
    });
    name
}

/// The text of a program.
#[must_use]
pub fn print_program(program: &Program) -> String {
    let mut text = String::new();
    for (position, function) in program.functions.values().enumerate() {
        if position > 0 {
            text.push('\n');
        }
        print_function(&mut text, program, function).expect("invariant: strings take all text");
    }
    text
}

/// The text of one statement.
#[must_use]
pub fn print_statement(program: &Program, statement: &Statement) -> String {
    let mut text = String::new();
    let name = |x| program.name(x);
    Printer {
        out: &mut text,
        name: &name,
    }
    .statement(statement)
    .expect("invariant: strings take all text");
    text
}

/// The text of a condition.
#[must_use]
pub fn print_condition(condition: &Condition, name: &dyn Fn(VariableId) -> String) -> String {
    let mut text = String::new();
    Printer {
        out: &mut text,
        name,
    }
    .condition(condition)
    .expect("invariant: strings take all text");
    text
}

/// Names within a function; a name that several variables share gets a number.
fn unique_names(program: &Program, function: &Function) -> BTreeMap<VariableId, String> {
    let mut names = BTreeMap::new();
    let mut taken = std::collections::BTreeSet::new();
    for x in function.variables() {
        let base = program.name(x);
        let mut name = base.clone();
        let mut number = 1;
        while !taken.insert(name.clone()) {
            number += 1;
            name = format!("{base}_{number}");
        }
        names.insert(x, name);
    }
    names
}

fn declarations(variables: &[VariableId], names: &BTreeMap<VariableId, String>) -> String {
    let each: Vec<String> = variables
        .iter()
        .map(|x| format!("{}: {}", names[x], x.ty()))
        .collect();
    each.join(", ")
}

fn print_function(out: &mut String, program: &Program, function: &Function) -> fmt::Result {
    let names = unique_names(program, function);
    let parameters = declarations(&function.parameters, &names);
    write!(out, "function {}({parameters})", function.name)?;
    if !function.results.is_empty() {
        let results: Vec<String> = function.results.iter().map(ToString::to_string).collect();
        write!(out, " -> ({})", results.join(", "))?;
    }
    out.push_str(" {\n");
    let locals: Vec<VariableId> = names
        .keys()
        .copied()
        .filter(|x| !function.parameters.contains(x))
        .collect();
    if !locals.is_empty() {
        writeln!(out, "  var {}", declarations(&locals, &names))?;
    }
    let name = |x: VariableId| names.get(&x).cloned().unwrap_or_else(|| program.name(x));
    for block in function.blocks.values() {
        writeln!(out, "  {}:", block.label)?;
        for statement in &block.statements {
            out.push_str("    ");
            Printer { out, name: &name }.statement(statement)?;
            out.push('\n');
        }
        match &block.terminator {
            Terminator::Goto(targets) => {
                let labels: Vec<&str> = targets
                    .iter()
                    .map(|target| &*function.blocks[*target].label)
                    .collect();
                writeln!(out, "    goto {}", labels.join(", "))?;
            }
            Terminator::Return(results) => {
                let results: Vec<String> = results.iter().map(|x| name(*x)).collect();
                writeln!(
                    out,
                    "{}",
                    format!("    return {}", results.join(", ")).trim_end()
                )?;
            }
        }
    }
    out.push_str("}\n");
    Ok(())
}

struct Printer<'a> {
    out: &'a mut String,
    name: &'a dyn Fn(VariableId) -> String,
}

impl Printer<'_> {
    fn operand(&self, operand: &Operand) -> String {
        match operand {
            Operand::Variable(x) => (self.name)(*x),
            Operand::Constant(value) => value.to_string(),
        }
    }

    fn list(&self, variables: &[VariableId]) -> String {
        variables
            .iter()
            .map(|x| (self.name)(*x))
            .collect::<Vec<_>>()
            .join(", ")
    }

    fn condition(&mut self, condition: &Condition) -> fmt::Result {
        match condition {
            Condition::Constant(value) => write!(self.out, "{value}"),
            Condition::Linear(constraint) => constraint.write(self.out, self.name),
            Condition::Unsigned {
                relation,
                left,
                right,
            } => {
                let symbol = match relation {
                    UnsignedRelation::Less => "<u",
                    UnsignedRelation::LessOrEqual => "<=u",
                };
                write!(
                    self.out,
                    "{} {symbol} {}",
                    self.operand(left),
                    self.operand(right)
                )
            }
            Condition::Boolean { variable, value } => {
                write!(
                    self.out,
                    "{}{}",
                    if *value { "" } else { "not " },
                    (self.name)(*variable)
                )
            }
            Condition::Pointers { equal, left, right } => {
                let symbol = if *equal { "==" } else { "!=" };
                let right = right.map_or("null".to_owned(), self.name);
                write!(self.out, "{} {symbol} {right}", (self.name)(*left))
            }
        }
    }

    fn statement(&mut self, statement: &Statement) -> fmt::Result {
        if let [target] = statement.defined()[..]
            && !matches!(
                statement,
                Statement::ArrayWrite { .. } | Statement::Call { .. }
            )
        {
            write!(self.out, "{} := ", (self.name)(target))?;
        }
        match statement {
            Statement::Assign { expression, .. } => expression.write(self.out, self.name),
            Statement::Binary {
                operator,
                left,
                right,
                ..
            } => {
                let (left, right) = (self.operand(left), self.operand(right));
                write!(self.out, "{} {left}, {right}", operator.keyword())
            }
            Statement::Cast { cast, source, .. } => {
                let keyword = match cast {
                    Cast::SignExtend => "sext",
                    Cast::ZeroExtend => "zext",
                    Cast::Truncate => "trunc",
                };
                write!(self.out, "{keyword} {}", (self.name)(*source))
            }
            Statement::BooleanToInteger { source, .. } => {
                write!(self.out, "booltoint {}", (self.name)(*source))
            }
            Statement::BooleanAssign { condition, .. } => self.condition(condition),
            Statement::BooleanBinary {
                operator,
                left,
                right,
                ..
            } => {
                let keyword = match operator {
                    BooleanOperator::And => "and",
                    BooleanOperator::Or => "or",
                    BooleanOperator::Xor => "xor",
                };
                write!(
                    self.out,
                    "{keyword} {}, {}",
                    (self.name)(*left),
                    (self.name)(*right)
                )
            }
            Statement::Havoc { .. } => write!(self.out, "havoc"),
            Statement::Assume { condition } => {
                self.out.push_str("assume ");
                self.condition(condition)
            }
            Statement::Assert { condition } => {
                self.out.push_str("assert ");
                self.condition(condition)
            }
            Statement::PointerAssign { .. }
            | Statement::Allocate { .. }
            | Statement::Load { .. }
            | Statement::Store { .. }
            | Statement::AddressOfFunction { .. } => self.pointer_statement(statement),
            Statement::ArrayInit { .. }
            | Statement::ArrayRead { .. }
            | Statement::ArrayWrite { .. }
            | Statement::ArrayAssign { .. } => self.array_statement(statement),
            Statement::Call {
                results,
                function,
                arguments,
            } => {
                if !results.is_empty() {
                    write!(self.out, "{} := ", self.list(results))?;
                }
                write!(self.out, "call {function}({})", self.list(arguments))
            }
        }
    }

    fn pointer_statement(&mut self, statement: &Statement) -> fmt::Result {
        match statement {
            Statement::PointerAssign { base, offset, .. } => match base {
                None => write!(self.out, "null"),
                Some(base) => {
                    write!(self.out, "ptradd {}, ", (self.name)(*base))?;
                    offset.write(self.out, self.name)
                }
            },
            Statement::Allocate { size, .. } => write!(self.out, "alloc {}", self.operand(size)),
            Statement::Load { pointer, .. } => write!(self.out, "load {}", (self.name)(*pointer)),
            Statement::Store {
                pointer,
                value,
                size,
            } => {
                write!(
                    self.out,
                    "store {}, {}, {size}",
                    (self.name)(*pointer),
                    self.operand(value)
                )
            }
            Statement::AddressOfFunction { function, .. } => write!(self.out, "&{function}"),
            other => unreachable!("invariant: {other:?} is no pointer statement"),
        }
    }

    fn array_statement(&mut self, statement: &Statement) -> fmt::Result {
        match statement {
            Statement::ArrayInit {
                lower,
                upper,
                value,
                size,
                endianness,
                ..
            } => {
                let (lower, upper) = (self.operand(lower), self.operand(upper));
                let (value, order) = (self.operand(value), order(*endianness));
                write!(
                    self.out,
                    "array_init {lower}, {upper}, {value}, {size}{order}"
                )
            }
            Statement::ArrayRead { access, .. } => {
                let text = self.access(access);
                write!(self.out, "array_read {text}")
            }
            Statement::ArrayWrite { access, value } => {
                let ArrayAccess {
                    array,
                    index,
                    size,
                    endianness,
                } = access;
                let (array, index) = ((self.name)(*array), self.operand(index));
                let (value, order) = (self.operand(value), order(*endianness));
                write!(
                    self.out,
                    "array_write {array}, {index}, {value}, {size}{order}"
                )
            }
            Statement::ArrayAssign { source, .. } => write!(self.out, "{}", (self.name)(*source)),
            other => unreachable!("invariant: {other:?} is no array statement"),
        }
    }

    fn access(&self, access: &ArrayAccess) -> String {
        let ArrayAccess {
            array,
            index,
            size,
            endianness,
        } = access;
        let (array, index) = ((self.name)(*array), self.operand(index));
        format!("{array}, {index}, {size}{}", order(*endianness))
    }
}

fn order(endianness: Endianness) -> &'static str {
    match endianness {
        Endianness::Little => " little",
        Endianness::Big => " big",
        Endianness::Unknown => "",
    }
}
