//! Expressions of SMT-LIB scripts, read into terms.
//!
//! A machine with an explicit stack, so that deeply nested `let`s do no harm. Names resolve to the
//! innermost binding (quantifier, `let`, parameter of a macro), then to declarations.

use super::ReadError;
use super::operators::MOST_BITS;
use foghorn_term::sexpr::{Document, SExprId};
use foghorn_term::{BitVecValue, FunctionId, Op, Sort, SortId, TermId, TermPool};
use num_bigint::{BigInt, BigUint};
use rustc_hash::FxHashMap;

/// A `define-fun`.
#[derive(Clone)]
pub(super) struct Macro {
    pub formals: Vec<String>,
    pub body: SExprId,
}

/// What names mean.
#[derive(Default)]
pub(super) struct Scope {
    pub predicates: FxHashMap<String, FunctionId>,
    pub macros: FxHashMap<String, Macro>,
    bound: FxHashMap<String, Vec<TermId>>,
}

impl Scope {
    pub fn bind(&mut self, name: &str, term: TermId) {
        self.bound.entry(name.to_owned()).or_default().push(term);
    }

    pub fn unbind(&mut self, name: &str) {
        if let Some(stack) = self.bound.get_mut(name) {
            stack.pop();
        }
    }

    fn lookup(&self, name: &str) -> Option<TermId> {
        self.bound.get(name).and_then(|stack| stack.last()).copied()
    }
}

/// How deep sorts nest: arrays of arrays of …
const DEEPEST_SORT: u32 = 64;
/// How often definitions are written out in one assertion. One that names itself never ends.
const MOST_EXPANSIONS: usize = 1 << 18;

/// What remains to be done.
enum Task {
    Read(SExprId),
    /// Apply the operator that this list starts with to that many values.
    Apply(SExprId, usize),
    /// Bind names to as many values, in order.
    Bind(Vec<String>),
    Unbind(Vec<String>),
}

pub(super) struct Reader<'a> {
    pub document: &'a Document,
    pub pool: &'a mut TermPool,
    pub scope: &'a mut Scope,
}

/// What an expression has come to so far.
#[derive(Default)]
struct Progress {
    tasks: Vec<Task>,
    values: Vec<TermId>,
    /// Definitions written out.
    expansions: usize,
}

impl Reader<'_> {
    fn error(&self, at: SExprId, problem: impl Into<String>) -> ReadError {
        ReadError {
            line: self.document.line(at),
            problem: problem.into(),
        }
    }

    /// A sort.
    pub fn sort(&mut self, at: SExprId) -> Result<SortId, ReadError> {
        self.sort_within(at, DEEPEST_SORT)
    }

    /// A sort whose arrays of arrays nest at most so deep.
    fn sort_within(&mut self, at: SExprId, depth: u32) -> Result<SortId, ReadError> {
        if depth == 0 {
            return Err(self.error(at, "this sort nests too deep"));
        }
        let sort = match self.document.atom(at) {
            Some("Bool") => Sort::Bool,
            Some("Int") => Sort::Int,
            Some(other) => return Err(self.error(at, format!("the sort {other} is not supported"))),
            None => match self.document.call(at) {
                Some(("_", [name, width])) if self.document.atom(*name) == Some("BitVec") => {
                    let width = self.document.atom(*width).and_then(|w| w.parse().ok());
                    let width = width.ok_or_else(|| self.error(at, "a width is missing"))?;
                    if !(1..=MOST_BITS).contains(&width) {
                        let problem = format!("bit-vectors have 1 to {MOST_BITS} bits");
                        return Err(self.error(at, problem));
                    }
                    Sort::BitVec(width)
                }
                Some(("Array", [index, element])) => {
                    let (index, element) = (*index, *element);
                    let index = self.sort_within(index, depth - 1)?;
                    let element = self.sort_within(element, depth - 1)?;
                    Sort::Array { index, element }
                }
                _ => return Err(self.error(at, "this sort is not supported")),
            },
        };
        Ok(self.pool.sort_intern(sort))
    }

    /// Reads an expression without quantifiers.
    pub fn term(&mut self, root: SExprId) -> Result<TermId, ReadError> {
        let mut progress = Progress::default();
        progress.tasks.push(Task::Read(root));
        while let Some(task) = progress.tasks.pop() {
            let values = &mut progress.values;
            match task {
                Task::Read(at) => self.read(at, &mut progress)?,
                Task::Apply(at, count) => {
                    let arguments = values.split_off(values.len() - count);
                    let made = self.apply(at, &arguments)?;
                    values.push(made);
                }
                Task::Bind(names) => {
                    let terms = values.split_off(values.len() - names.len());
                    for (name, term) in names.iter().zip(terms) {
                        self.scope.bind(name, term);
                    }
                }
                Task::Unbind(names) => names.iter().for_each(|name| self.scope.unbind(name)),
            }
        }
        let made = progress.values.pop();
        made.ok_or_else(|| self.error(root, "an expression is missing"))
    }

    /// Writes out a definition for so many arguments.
    fn expand(
        &self,
        at: SExprId,
        expansion: Macro,
        arguments: usize,
        progress: &mut Progress,
    ) -> Result<(), ReadError> {
        progress.expansions += 1;
        if progress.expansions > MOST_EXPANSIONS {
            return Err(self.error(at, "definitions that never end, or nearly never"));
        }
        if expansion.formals.len() != arguments {
            let wanted = expansion.formals.len();
            let problem = format!("{arguments} arguments for a definition that takes {wanted}");
            return Err(self.error(at, problem));
        }
        let tasks = &mut progress.tasks;
        tasks.push(Task::Unbind(expansion.formals.clone()));
        tasks.push(Task::Read(expansion.body));
        tasks.push(Task::Bind(expansion.formals));
        Ok(())
    }

    fn read(&mut self, at: SExprId, progress: &mut Progress) -> Result<(), ReadError> {
        if let Some(atom) = self.document.atom(at) {
            let atom = atom.to_owned();
            if let Some(expansion) = self.scope.macros.get(&atom).cloned() {
                return self.expand(at, expansion, 0, progress);
            }
            let term = self.atom(at, &atom)?;
            progress.values.push(term);
            return Ok(());
        }
        let tasks = &mut progress.tasks;
        let items = self.document.list(at).unwrap_or_default();
        match self.document.call(at) {
            Some(("let", [bindings, body])) => self.open_let(at, *bindings, *body, tasks),
            Some(("!", [annotated, ..])) => {
                tasks.push(Task::Read(*annotated));
                Ok(())
            }
            Some(("forall" | "exists", _)) => {
                Err(self.error(at, "a quantifier inside a clause is not supported"))
            }
            Some(("_", _)) => {
                let term = self.indexed_literal(at)?;
                progress.values.push(term);
                Ok(())
            }
            Some((name, arguments)) => {
                match self.scope.macros.get(name).cloned() {
                    Some(expansion) => self.expand(at, expansion, arguments.len(), progress)?,
                    None => tasks.push(Task::Apply(at, arguments.len())),
                }
                progress
                    .tasks
                    .extend(arguments.iter().rev().map(|a| Task::Read(*a)));
                Ok(())
            }
            None => {
                // ((_ extract 7 0) x) or ((as const S) v)
                let arguments = items.get(1..).unwrap_or_default();
                tasks.push(Task::Apply(at, arguments.len()));
                tasks.extend(arguments.iter().rev().map(|a| Task::Read(*a)));
                Ok(())
            }
        }
    }

    fn open_let(
        &mut self,
        at: SExprId,
        bindings: SExprId,
        body: SExprId,
        tasks: &mut Vec<Task>,
    ) -> Result<(), ReadError> {
        let malformed = || self.error(at, "a malformed let");
        let mut names = Vec::new();
        let mut bound = Vec::new();
        for binding in self.document.list(bindings).ok_or_else(malformed)? {
            let [name, value] = self.document.list(*binding).ok_or_else(malformed)? else {
                return Err(malformed());
            };
            names.push(self.document.atom(*name).ok_or_else(malformed)?.to_owned());
            bound.push(*value);
        }
        tasks.push(Task::Unbind(names.clone()));
        tasks.push(Task::Read(body));
        tasks.push(Task::Bind(names));
        tasks.extend(bound.into_iter().rev().map(Task::Read));
        Ok(())
    }

    fn atom(&mut self, at: SExprId, atom: &str) -> Result<TermId, ReadError> {
        if let Some(term) = self.scope.lookup(atom) {
            return Ok(term);
        }
        if let Some(predicate) = self.scope.predicates.get(atom) {
            return self
                .pool
                .try_intern(Op::Apply(*predicate), &[])
                .map_err(|error| self.error(at, error.to_string()));
        }
        match atom {
            "true" => return Ok(self.pool.bool(true)),
            "false" => return Ok(self.pool.bool(false)),
            _ => {}
        }
        if let Some(digits) = atom.strip_prefix("#b") {
            let number = BigUint::parse_bytes(digits.as_bytes(), 2);
            return self.bits(at, digits.len(), number);
        }
        if let Some(digits) = atom.strip_prefix("#x") {
            let number = BigUint::parse_bytes(digits.as_bytes(), 16);
            return self.bits(at, 4 * digits.len(), number);
        }
        match atom.parse::<BigInt>() {
            Ok(number) => Ok(self.pool.int(number)),
            Err(_) => Err(self.error(at, format!("{atom} is not declared"))),
        }
    }

    fn bits(
        &mut self,
        at: SExprId,
        width: usize,
        number: Option<BigUint>,
    ) -> Result<TermId, ReadError> {
        let width = u32::try_from(width).unwrap_or(0);
        match number {
            Some(number) if (1..=MOST_BITS).contains(&width) => {
                Ok(self.pool.bitvec(BitVecValue::from_biguint(width, number)))
            }
            Some(_) | None => Err(self.error(at, "a malformed bit-vector")),
        }
    }

    /// `(_ bv5 32)`
    fn indexed_literal(&mut self, at: SExprId) -> Result<TermId, ReadError> {
        if let Some((_, [number, width])) = self.document.call(at) {
            let digits = self
                .document
                .atom(*number)
                .and_then(|n| n.strip_prefix("bv"));
            let width = self.document.atom(*width).and_then(|w| w.parse().ok());
            if let (Some(digits), Some(width)) = (digits, width) {
                let number = BigUint::parse_bytes(digits.as_bytes(), 10);
                return self.bits(at, width, number);
            }
        }
        Err(self.error(at, "this literal is not supported"))
    }

    fn apply(&mut self, at: SExprId, arguments: &[TermId]) -> Result<TermId, ReadError> {
        let Some((name, _)) = self.document.call(at) else {
            return self.apply_indexed(at, arguments);
        };
        if let Some(predicate) = self.scope.predicates.get(name) {
            return self
                .pool
                .try_intern(Op::Apply(*predicate), arguments)
                .map_err(|error| self.error(at, error.to_string()));
        }
        let name = name.to_owned();
        let made = super::operators::apply(self.pool, &name, arguments);
        made.map_err(|problem| self.error(at, problem))
    }

    /// `((_ extract 7 0) x)` and `((as const (Array Int Int)) v)`.
    fn apply_indexed(&mut self, at: SExprId, arguments: &[TermId]) -> Result<TermId, ReadError> {
        let unsupported = |reader: &Self| reader.error(at, "this operator is not supported");
        let head = self
            .document
            .list(at)
            .and_then(|items| items.first())
            .copied();
        let head = head.ok_or_else(|| unsupported(self))?;
        match (self.document.call(head), arguments) {
            (Some(("as", [constant, sort])), [value]) => {
                if self.document.atom(*constant) != Some("const") {
                    return Err(unsupported(self));
                }
                let sort = self.sort(*sort)?;
                self.pool
                    .try_intern(Op::ConstantArray(sort), &[*value])
                    .map_err(|error| self.error(at, error.to_string()))
            }
            (Some(("_", [name, indices @ ..])), [value]) => {
                let name = self.document.atom(*name).unwrap_or_default().to_owned();
                let numbers: Option<Vec<u32>> = indices
                    .iter()
                    .map(|i| self.document.atom(*i).and_then(|n| n.parse().ok()))
                    .collect();
                let numbers = numbers.ok_or_else(|| unsupported(self))?;
                let made = super::operators::apply_indexed(self.pool, &name, &numbers, *value);
                made.map_err(|problem| self.error(at, problem))
            }
            _ => Err(unsupported(self)),
        }
    }
}
