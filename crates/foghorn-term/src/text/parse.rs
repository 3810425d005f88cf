//! Parsing of our text form. The terms come out as written, not normalised.

use crate::op::{BoundId, Op, OpKind, RoundingMode};
use crate::pool::{Constant, TermId, TermPool};
use crate::sexpr::{Document, SExpr, SExprId, SyntaxError};
use crate::sort::{FloatFormat, Sort, SortId};
use crate::value::{BitVecValue, FloatValue};
use num_bigint::{BigInt, BigUint};
use num_traits::Num;
use rustc_hash::FxHashMap;
use thiserror::Error;

/// The text is no term.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{message}")]
pub struct ParseError {
    message: String,
}

impl ParseError {
    pub(super) fn new(message: impl Into<String>) -> Self {
        ParseError {
            message: message.into(),
        }
    }
}

impl From<SyntaxError> for ParseError {
    fn from(error: SyntaxError) -> Self {
        ParseError::new(error.to_string())
    }
}

/// Names that stand for terms, beside the pool's symbols.
pub type Scope = FxHashMap<String, TermId>;

type Parsed<T> = Result<T, ParseError>;

/// Parses one term over the symbols of the pool and the names in scope.
pub fn parse_term(pool: &mut TermPool, scope: &Scope, text: &str) -> Parsed<TermId> {
    let terms = parse(pool, scope.clone(), text)?;
    match terms[..] {
        [term] => Ok(term),
        _ => Err(ParseError::new(format!(
            "one term is expected, not {}",
            terms.len()
        ))),
    }
}

/// Parses declarations and terms; yields the terms.
pub fn parse_script(pool: &mut TermPool, text: &str) -> Parsed<Vec<TermId>> {
    parse(pool, Scope::default(), text)
}

fn parse(pool: &mut TermPool, scope: Scope, text: &str) -> Parsed<Vec<TermId>> {
    let tree = Tree(Document::read(text)?);
    let mut parser = Parser {
        pool,
        tree: &tree,
        scope,
        bound: FxHashMap::default(),
    };
    let mut terms = Vec::new();
    for &root in tree.0.top() {
        if !parser.declaration(root)? {
            terms.push(parser.top(root)?);
        }
    }
    Ok(terms)
}

struct Parser<'p, 't> {
    pool: &'p mut TermPool,
    tree: &'t Tree,
    scope: Scope,
    bound: FxHashMap<u32, TermId>,
}

impl Parser<'_, '_> {
    fn declaration(&mut self, root: SExprId) -> Parsed<bool> {
        let SExpr::List(items) = self.tree.0.get(root) else {
            return Ok(false);
        };
        let keyword = items.first().and_then(|&head| self.tree.atom(head));
        match (keyword, &items[..]) {
            (Some("declare-sort"), [_, name, ..]) => {
                let name = self.tree.name(*name)?;
                self.pool.uninterpreted_sort(name);
            }
            (Some("declare-const"), &[_, name, sort]) => {
                let sort = self.sort(sort)?;
                let name = self.tree.name(name)?;
                self.pool
                    .try_symbol(name, sort)
                    .map_err(|e| ParseError::new(e.to_string()))?;
            }
            (Some("declare-fun"), &[_, name, arguments, sort]) => {
                let arguments = self.tree.list(arguments)?.to_vec();
                let arguments: Vec<SortId> = arguments
                    .into_iter()
                    .map(|item| self.sort(item))
                    .collect::<Parsed<_>>()?;
                let sort = self.sort(sort)?;
                let name = self.tree.name(name)?;
                let declared = self.pool.function(name, &arguments, sort);
                declared.map_err(|e| ParseError::new(e.to_string()))?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// A term, perhaps under `let*`.
    fn top(&mut self, root: SExprId) -> Parsed<TermId> {
        let SExpr::List(items) = self.tree.0.get(root) else {
            return self.term(root);
        };
        match items[..] {
            [head, bindings, body] if self.tree.atom(head) == Some("let*") => {
                for &binding in self.tree.list(bindings)? {
                    let &[name, value] = self.tree.list(binding)? else {
                        return Err(ParseError::new("a binding is a name and a term"));
                    };
                    let value = self.term(value)?;
                    self.scope.insert(self.tree.name(name)?.to_owned(), value);
                }
                self.term(body)
            }
            _ => self.term(root),
        }
    }

    fn term(&mut self, root: SExprId) -> Parsed<TermId> {
        let tree = self.tree;
        // A frame is a list whose items from `next` on are still to be read; `results` holds the terms read so far.
        let mut frames: Vec<(SExprId, usize, Op)> = Vec::new();
        let mut results: Vec<TermId> = Vec::new();
        let mut current = root;
        loop {
            match self.enter(current)? {
                Entered::Leaf(term) => results.push(term),
                Entered::Application(op, first) => frames.push((current, first, op)),
            }
            loop {
                let Some(&mut (list, ref mut next, op)) = frames.last_mut() else {
                    return Ok(results.pop().expect("invariant: a term was read"));
                };
                let items = tree.list(list)?;
                if let Some(&item) = items.get(*next) {
                    *next += 1;
                    current = item;
                    break;
                }
                let first = if matches!(op, Op::Lambda(_)) { 2 } else { 1 };
                let children = results.split_off(results.len() - (items.len() - first));
                results.push(self.application(op, &children)?);
                frames.pop();
            }
        }
    }

    fn application(&mut self, op: Op, children: &[TermId]) -> Parsed<TermId> {
        self.pool
            .try_intern(op, children)
            .map_err(|error| ParseError::new(error.to_string()))
    }

    fn enter(&mut self, id: SExprId) -> Parsed<Entered> {
        let tree = self.tree;
        match tree.0.get(id) {
            SExpr::Atom(_) if tree.0.is_quoted(id) => {
                self.symbol(tree.name(id)?).map(Entered::Leaf)
            }
            SExpr::Atom(_) => self.atom(tree.name(id)?).map(Entered::Leaf),
            SExpr::List(items) => {
                let &head = items
                    .first()
                    .ok_or_else(|| ParseError::new("`()` is no term"))?;
                match self.tree.atom(head) {
                    Some("%") => self.bound(id).map(Entered::Leaf),
                    Some("_") => self.float(items).map(Entered::Leaf),
                    Some("lambda") => {
                        let &binder = items
                            .get(1)
                            .ok_or_else(|| ParseError::new("λ binds a variable"))?;
                        let variable = self.bound(binder)?;
                        Ok(Entered::Application(Op::Lambda(self.bound_id(variable)), 2))
                    }
                    Some(_) | None => Ok(Entered::Application(self.head(head)?, 1)),
                }
            }
        }
    }

    fn bound_id(&self, variable: TermId) -> BoundId {
        match self.pool.op(variable) {
            Op::Bound(bound) => bound,
            other => unreachable!("invariant: {other:?} is a bound variable"),
        }
    }

    fn bound(&mut self, id: SExprId) -> Parsed<TermId> {
        let &[_, number, sort] = self.tree.list(id)? else {
            return Err(ParseError::new("a bound variable is `(% number sort)`"));
        };
        let number = self.tree.number(number)?;
        let sort = self.sort(sort)?;
        let pool = &mut *self.pool;
        let variable = *self
            .bound
            .entry(number)
            .or_insert_with(|| pool.bound_variable(sort));
        if pool.sort_id(variable) == sort {
            Ok(variable)
        } else {
            Err(ParseError::new(format!(
                "the bound variable {number} has two sorts"
            )))
        }
    }

    fn float(&mut self, items: &[SExprId]) -> Parsed<TermId> {
        let &[_, keyword, exponent, significand, bits] = items else {
            return Err(ParseError::new("a float is `(_ float e s bits)`"));
        };
        if self.tree.atom(keyword) != Some("float") {
            return Err(ParseError::new("this indexed identifier is no term"));
        }
        let format = self.format(exponent, significand)?;
        let bits = bits_literal(self.tree.name(bits)?)
            .filter(|bits| bits.width() == format.width())
            .ok_or_else(|| ParseError::new("these bits do not fill the format"))?;
        Ok(self.pool.float(FloatValue::from_bits(format, bits)))
    }

    fn format(&self, exponent: SExprId, significand: SExprId) -> Parsed<FloatFormat> {
        let format = FloatFormat {
            exponent: self.tree.number(exponent)?,
            significand: self.tree.number(significand)?,
        };
        let sensible =
            (2..=30).contains(&format.exponent) && (2..=1 << 16).contains(&format.significand);
        if sensible {
            Ok(format)
        } else {
            Err(ParseError::new("no such float format"))
        }
    }

    fn atom(&mut self, text: &str) -> Parsed<TermId> {
        if let Some(bits) = bits_literal(text) {
            return Ok(self.pool.bitvec(bits));
        }
        match text {
            "true" => return Ok(self.pool.bool(true)),
            "false" => return Ok(self.pool.bool(false)),
            _ => {}
        }
        if text.starts_with(|c: char| c.is_ascii_digit() || c == '-')
            && let Ok(value) = text.parse::<BigInt>()
        {
            return Ok(self.pool.constant(Constant::Int(value)));
        }
        self.symbol(text)
    }

    fn symbol(&mut self, name: &str) -> Parsed<TermId> {
        if let Some(&term) = self.scope.get(name) {
            return Ok(term);
        }
        match self.pool.find_symbol(name) {
            Some(symbol) => Ok(self.pool.intern(Op::Symbol(symbol), &[])),
            None => match self.pool.find_function(name) {
                Some(function) => self.application(Op::Apply(function), &[]),
                None => Err(ParseError::new(format!("`{name}` is not declared"))),
            },
        }
    }

    fn head(&mut self, head: SExprId) -> Parsed<Op> {
        let tree = self.tree;
        let text = match tree.0.get(head) {
            SExpr::List(items) => return self.indexed(items),
            SExpr::Atom(_) if tree.0.is_quoted(head) => return self.function(tree.name(head)?),
            SExpr::Atom(_) => tree.name(head)?,
        };
        let kind = OpKind::ALL.iter().find(|kind| kind.name() == text);
        match kind.and_then(|kind| kind.plain()) {
            Some(op) => Ok(op),
            None => self.function(text),
        }
    }

    fn function(&self, name: &str) -> Parsed<Op> {
        let function = self.pool.find_function(name);
        function
            .map(Op::Apply)
            .ok_or_else(|| ParseError::new(format!("there is no operator or function `{name}`")))
    }

    fn indexed(&mut self, items: &[SExprId]) -> Parsed<Op> {
        let unknown = || ParseError::new("no such indexed operator");
        let &[marker, name, ..] = items else {
            return Err(unknown());
        };
        let (marker, name) = (self.tree.name(marker)?, self.tree.name(name)?);
        let kind = *OpKind::ALL
            .iter()
            .find(|kind| kind.name() == name)
            .ok_or_else(unknown)?;
        let indices = &items[2..];
        if marker == "as" {
            let &[sort] = indices else {
                return Err(unknown());
            };
            let sort = self.sort(sort)?;
            return match kind {
                OpKind::ConstantArray => Ok(Op::ConstantArray(sort)),
                OpKind::ConstantMemory => Ok(Op::ConstantMemory(sort)),
                _ => Err(unknown()),
            };
        }
        let number = |position: usize| {
            self.tree
                .number(*indices.get(position).ok_or_else(unknown)?)
        };
        let mode = || {
            let name = self.tree.name(*indices.first().ok_or_else(unknown)?)?;
            RoundingMode::from_name(name).ok_or_else(unknown)
        };
        let format = |from: usize| match indices.get(from..) {
            Some(&[exponent, significand]) => self.format(exponent, significand),
            Some(_) | None => Err(unknown()),
        };
        Ok(match kind {
            OpKind::Extract => Op::Extract(number(0)?, number(1)?),
            OpKind::ZeroExtend => Op::ZeroExtend(number(0)?),
            OpKind::SignExtend => Op::SignExtend(number(0)?),
            OpKind::IntToBv => Op::IntToBv(number(0)?),
            OpKind::MemoryReadBytes => Op::MemoryReadBytes(number(0)?),
            OpKind::FloatAdd => Op::FloatAdd(mode()?),
            OpKind::FloatMul => Op::FloatMul(mode()?),
            OpKind::FloatDiv => Op::FloatDiv(mode()?),
            OpKind::FloatFma => Op::FloatFma(mode()?),
            OpKind::FloatSqrt => Op::FloatSqrt(mode()?),
            OpKind::FloatRoundToIntegral => Op::FloatRoundToIntegral(mode()?),
            OpKind::FloatFromBits => Op::FloatFromBits(format(0)?),
            OpKind::FloatFromFloat => Op::FloatFromFloat(mode()?, format(1)?),
            OpKind::FloatFromSigned => Op::FloatFromSigned(mode()?, format(1)?),
            OpKind::FloatFromUnsigned => Op::FloatFromUnsigned(mode()?, format(1)?),
            OpKind::FloatToSigned => Op::FloatToSigned(mode()?, number(1)?),
            OpKind::FloatToUnsigned => Op::FloatToUnsigned(mode()?, number(1)?),
            _ => return Err(unknown()),
        })
    }

    /// A sort. Recursion is over nested sorts.
    fn sort(&mut self, id: SExprId) -> Parsed<SortId> {
        let unknown = || ParseError::new("no such sort");
        let tree = self.tree;
        let sort = match tree.0.get(id) {
            SExpr::Atom(_) => match tree.atom(id) {
                Some("Bool") => Sort::Bool,
                Some("Int") => Sort::Int,
                Some(_) | None => self.pool.uninterpreted_sort(tree.name(id)?),
            },
            SExpr::List(items) => {
                let head = items
                    .first()
                    .and_then(|&head| self.tree.atom(head))
                    .ok_or_else(unknown)?;
                match (head, &items[1..]) {
                    ("_", &[_, width]) => Sort::BitVec(self.tree.number(width)?.max(1)),
                    ("_", &[_, exponent, significand]) => {
                        Sort::Float(self.format(exponent, significand)?)
                    }
                    ("Array", &[index, element]) => Sort::Array {
                        index: self.sort(index)?,
                        element: self.sort(element)?,
                    },
                    ("Ptr", &[width]) => Sort::Pointer {
                        width: self.tree.number(width)?.max(1),
                    },
                    ("Mem", &[width, cell]) => Sort::Memory {
                        width: self.tree.number(width)?.max(1),
                        cell: self.sort(cell)?,
                    },
                    ("FMap", &[key, value, size]) => Sort::FiniteMap {
                        key: self.sort(key)?,
                        value: self.sort(value)?,
                        size: self.tree.number(size)?.max(1),
                    },
                    _ => return Err(unknown()),
                }
            }
        };
        Ok(self.pool.sort_intern(sort))
    }
}

/// The text's expressions, with complaints of our own.
struct Tree(Document);

impl Tree {
    /// The atom here, if it is one and stands without bars: a name between bars is never an operator.
    fn atom(&self, id: SExprId) -> Option<&str> {
        self.0.atom(id).filter(|_| !self.0.is_quoted(id))
    }

    /// The name here, between bars or not.
    fn name(&self, id: SExprId) -> Parsed<&str> {
        let missing = || ParseError::new("a name is expected, not a list");
        self.0.atom(id).ok_or_else(missing)
    }

    /// The list here.
    fn list(&self, id: SExprId) -> Parsed<&[SExprId]> {
        let name = || self.0.atom(id).unwrap_or_default();
        let missing = || ParseError::new(format!("a list is expected, not `{}`", name()));
        self.0.list(id).ok_or_else(missing)
    }

    /// The number here.
    fn number(&self, id: SExprId) -> Parsed<u32> {
        let text = self.name(id)?;
        text.parse()
            .map_err(|_| ParseError::new(format!("`{text}` is no number")))
    }
}

enum Entered {
    Leaf(TermId),
    /// An operator, and the position of its first child in the list.
    Application(Op, usize),
}

fn bits_literal(text: &str) -> Option<BitVecValue> {
    let (radix, bits_per_digit, digits) = if let Some(digits) = text.strip_prefix("#b") {
        (2, 1, digits)
    } else {
        (16, 4, text.strip_prefix("#x")?)
    };
    let value = BigUint::from_str_radix(digits, radix).ok()?;
    let width = u32::try_from(digits.len())
        .ok()?
        .checked_mul(bits_per_digit)?;
    (width > 0).then(|| BitVecValue::from_biguint(width, value))
}
