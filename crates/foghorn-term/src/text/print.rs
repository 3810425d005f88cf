//! Printing with sharing: what occurs more than once is named once.

use super::quoted;
use crate::op::{FunctionId, Op, SymbolId};
use crate::pool::{Constant, TermId, TermPool};
use crate::sort::{Sort, SortId};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::fmt::Write;

/// A sort as text. Recursion is over nested sorts.
pub fn print_sort(pool: &TermPool, sort: SortId) -> String {
    match pool.sort_of(sort) {
        Sort::Bool => "Bool".to_owned(),
        Sort::Int => "Int".to_owned(),
        Sort::BitVec(width) => format!("(_ BitVec {width})"),
        Sort::Float(format) => format!(
            "(_ FloatingPoint {} {})",
            format.exponent, format.significand
        ),
        Sort::Array { index, element } => {
            format!(
                "(Array {} {})",
                print_sort(pool, index),
                print_sort(pool, element)
            )
        }
        Sort::Pointer { width } => format!("(Ptr {width})"),
        Sort::Memory { width, cell } => format!("(Mem {width} {})", print_sort(pool, cell)),
        Sort::FiniteMap { key, value, size } => {
            format!(
                "(FMap {} {} {size})",
                print_sort(pool, key),
                print_sort(pool, value)
            )
        }
        Sort::Uninterpreted(name) => quoted(pool.sort_name(name)),
    }
}

/// A term as text; a subterm that occurs more than once is bound by `let*`.
pub fn print_term(pool: &TermPool, term: TermId) -> String {
    Printer::new(pool, term).print(term)
}

/// Declarations of everything the term mentions, then the term.
pub fn print_script(pool: &TermPool, term: TermId) -> String {
    let (mut symbols, mut functions) = (BTreeSet::<SymbolId>::new(), BTreeSet::<FunctionId>::new());
    let mut sorts = BTreeSet::new();
    for subterm in pool.post_order(&[term]) {
        if let Sort::Uninterpreted(name) = pool.sort(subterm) {
            sorts.insert(name);
        }
        match pool.op(subterm) {
            Op::Symbol(symbol) => _ = symbols.insert(symbol),
            Op::Apply(function) => _ = functions.insert(function),
            _ => {}
        }
    }
    let mut text = String::new();
    for sort in sorts {
        _ = writeln!(text, "(declare-sort {})", quoted(pool.sort_name(sort)));
    }
    for symbol in symbols {
        let data = pool.symbol_data(symbol);
        _ = writeln!(
            text,
            "(declare-const {} {})",
            quoted(&data.name),
            print_sort(pool, data.sort)
        );
    }
    for function in functions {
        let data = pool.function_data(function);
        let arguments: Vec<String> = data
            .arguments
            .iter()
            .map(|&sort| print_sort(pool, sort))
            .collect();
        let (name, sort) = (quoted(&data.name), print_sort(pool, data.sort));
        _ = writeln!(
            text,
            "(declare-fun {name} ({}) {sort})",
            arguments.join(" ")
        );
    }
    text + &print_term(pool, term) + "\n"
}

struct Printer<'a> {
    pool: &'a TermPool,
    names: FxHashMap<TermId, usize>,
    text: String,
}

enum Work {
    Term(TermId),
    Close,
}

impl<'a> Printer<'a> {
    fn new(pool: &'a TermPool, root: TermId) -> Self {
        let mut uses: FxHashMap<TermId, u32> = FxHashMap::default();
        let order: Vec<TermId> = pool.post_order(&[root]).collect();
        for &term in &order {
            for &child in pool.children(term) {
                *uses.entry(child).or_default() += 1;
            }
        }
        let shared = |term: &TermId| {
            !pool.children(*term).is_empty() && uses.get(term).is_some_and(|&n| n > 1)
        };
        let names = order
            .iter()
            .copied()
            .filter(shared)
            .enumerate()
            .map(|(n, term)| (term, n))
            .collect();
        Printer {
            pool,
            names,
            text: String::new(),
        }
    }

    fn print(mut self, root: TermId) -> String {
        let mut shared: Vec<(usize, TermId)> = self
            .names
            .iter()
            .map(|(&term, &name)| (name, term))
            .collect();
        shared.sort_unstable();
        if !shared.is_empty() {
            self.text.push_str("(let* (");
            for &(name, term) in &shared {
                _ = write!(self.text, "\n (.{name} ");
                self.expression(term);
                self.text.push(')');
            }
            self.text.push_str(")\n ");
        }
        self.expression(root);
        if !shared.is_empty() {
            self.text.push(')');
        }
        self.text
    }

    /// The term spelled out, its shared subterms by name.
    fn expression(&mut self, root: TermId) {
        let mut stack = vec![Work::Term(root)];
        let mut first = true;
        while let Some(work) = stack.pop() {
            let Work::Term(term) = work else {
                self.text.push(')');
                continue;
            };
            if !first {
                self.text.push(' ');
            }
            match self.names.get(&term) {
                Some(name) if !first => _ = write!(self.text, ".{name}"),
                Some(_) | None => self.open(term, &mut stack),
            }
            first = false;
        }
    }

    fn open(&mut self, term: TermId, stack: &mut Vec<Work>) {
        let children = self.pool.children(term);
        if children.is_empty() && !matches!(self.pool.op(term), Op::Apply(_)) {
            return self.leaf(term);
        }
        self.text.push('(');
        self.head(term);
        stack.push(Work::Close);
        stack.extend(children.iter().rev().map(|&child| Work::Term(child)));
    }

    fn leaf(&mut self, term: TermId) {
        match self.pool.op(term) {
            Op::Symbol(symbol) => self
                .text
                .push_str(&quoted(&self.pool.symbol_data(symbol).name)),
            Op::Bound(bound) => {
                let sort = print_sort(self.pool, self.pool.bound_sort(bound));
                _ = write!(self.text, "(% {} {sort})", bound.as_u32());
            }
            Op::Constant(id) => self.literal(id),
            op => self.text.push_str(op.kind().name()),
        }
    }

    fn literal(&mut self, id: crate::op::ConstantId) {
        match self.pool.constant_data(id) {
            Constant::BitVec(value) => _ = write!(self.text, "{value}"),
            Constant::Int(value) => _ = write!(self.text, "{value}"),
            Constant::Float(value) => {
                let format = value.format();
                let (e, s, bits) = (format.exponent, format.significand, value.bits());
                _ = write!(self.text, "(_ float {e} {s} {bits})");
            }
        }
    }

    fn head(&mut self, term: TermId) {
        let op = self.pool.op(term);
        let name = op.kind().name();
        let text = &mut self.text;
        match op {
            Op::Apply(function) => text.push_str(&quoted(&self.pool.function_data(function).name)),
            Op::Extract(high, low) => _ = write!(text, "(_ {name} {high} {low})"),
            Op::ZeroExtend(n) | Op::SignExtend(n) | Op::IntToBv(n) | Op::MemoryReadBytes(n) => {
                _ = write!(text, "(_ {name} {n})");
            }
            Op::FloatAdd(mode)
            | Op::FloatMul(mode)
            | Op::FloatDiv(mode)
            | Op::FloatFma(mode)
            | Op::FloatSqrt(mode)
            | Op::FloatRoundToIntegral(mode) => _ = write!(text, "(_ {name} {})", mode.name()),
            Op::FloatFromBits(format) => {
                _ = write!(
                    text,
                    "(_ {name} {} {})",
                    format.exponent, format.significand
                );
            }
            Op::FloatFromFloat(mode, format)
            | Op::FloatFromSigned(mode, format)
            | Op::FloatFromUnsigned(mode, format) => {
                let (mode, e, s) = (mode.name(), format.exponent, format.significand);
                _ = write!(text, "(_ {name} {mode} {e} {s})");
            }
            Op::FloatToSigned(mode, width) | Op::FloatToUnsigned(mode, width) => {
                _ = write!(text, "(_ {name} {} {width})", mode.name());
            }
            Op::ConstantArray(sort) | Op::ConstantMemory(sort) => {
                _ = write!(text, "(as {name} {})", print_sort(self.pool, sort));
            }
            Op::Lambda(bound) => {
                let sort = print_sort(self.pool, self.pool.bound_sort(bound));
                _ = write!(text, "{name} (% {} {sort})", bound.as_u32());
            }
            _ => text.push_str(name),
        }
    }
}
