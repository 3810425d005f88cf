//! From terms to Z3's expressions.
//!
//! Each term is converted once per context and found in the cache afterwards; the walk has its own
//! stack, so a chain of a million nodes is as good as any other. Pointers become bit-vectors (base
//! above offset), memories become arrays over those, and the range operations on arrays and
//! memories become λ-arrays. For a solver, reads of long chains of stores are taken apart
//! ([`super::chains`]).

use super::addresses::{IndexSpace, pointer_operation, read_bytes, write_bytes};
use super::chains::{Chains, Read, Step};
use super::context::{Ast, Context, FuncDecl, SortHandle};
use super::form::{Assembled, FloatConversion, Form, RangeOperation, form};
use crate::error::SolverError;
use foghorn_term::{
    BitVecValue, BoundId, Constant, FunctionId, Op, Sort, SortId, TermId, TermPool,
};
use rustc_hash::FxHashMap;

/// What has been converted so far in one context.
#[derive(Default)]
pub(crate) struct Converter {
    terms: FxHashMap<TermId, Ast>,
    sorts: FxHashMap<SortId, SortHandle>,
    functions: FxHashMap<FunctionId, FuncDecl>,
    bound: FxHashMap<BoundId, Ast>,
    /// Number of λs made for range operations, to name their variables.
    lambdas: u32,
    /// If reads of long chains are taken apart, and what came of those that were.
    chains: Option<Chains>,
    reads: FxHashMap<Read, Ast>,
}

/// What is left to do of a conversion, with what it needs above it on the stack.
enum Work {
    Term(TermId),
    Read(Read),
    /// All children are converted.
    Node(TermId),
    /// The term is this read, which is converted.
    Is(TermId, Read),
    /// All that the step mentions is converted.
    Step(Read, Step),
}

impl Converter {
    /// One that takes reads of long chains apart.
    pub fn for_solving() -> Self {
        Converter {
            chains: Some(Chains::default()),
            ..Converter::default()
        }
    }

    /// Whether some read was taken apart.
    pub fn takes_apart(&self) -> bool {
        !self.reads.is_empty()
    }

    /// The expression of a term.
    pub fn term(
        &mut self,
        context: &Context,
        pool: &TermPool,
        root: TermId,
    ) -> Result<Ast, SolverError> {
        if let Some(found) = self.terms.get(&root) {
            return Ok(*found);
        }
        let mut stack = vec![Work::Term(root)];
        let mut arguments = Vec::new();
        while let Some(work) = stack.pop() {
            match work {
                Work::Term(term) => self.begin(pool, term, &mut stack),
                Work::Read(read) => self.begin_read(pool, read, &mut stack),
                Work::Node(term) => {
                    arguments.clear();
                    arguments.extend(pool.children(term).iter().map(|child| self.terms[child]));
                    let made = self.node(context, pool, term, &arguments)?;
                    self.terms.insert(term, made);
                }
                Work::Is(term, read) => {
                    self.terms.insert(term, self.reads[&read]);
                }
                Work::Step(read, step) => {
                    let made = self.step(context, read, step)?;
                    self.reads.insert(read, made);
                }
            }
        }
        Ok(self.terms[&root])
    }

    fn begin(&mut self, pool: &TermPool, term: TermId, stack: &mut Vec<Work>) {
        if self.terms.contains_key(&term) {
            return;
        }
        let read = self.chains.as_mut().and_then(|it| it.read(pool, term));
        if let Some(read) = read {
            stack.extend([Work::Is(term, read), Work::Read(read)]);
            return;
        }
        stack.push(Work::Node(term));
        let children = pool.children(term).iter().rev();
        stack.extend(children.copied().map(Work::Term));
    }

    fn begin_read(&mut self, pool: &TermPool, read: Read, stack: &mut Vec<Work>) {
        let Some(chains) = self.chains.as_mut() else {
            return;
        };
        if self.reads.contains_key(&read) {
            return;
        }
        let step = chains.step(pool, read);
        stack.push(Work::Step(read, step));
        match step {
            Step::Value(value) => stack.push(Work::Term(value)),
            Step::Store {
                index,
                value,
                below,
            } => {
                let terms = [read.index, index, value].map(Work::Term);
                stack.extend(terms);
                stack.push(Work::Read(below));
            }
            Step::Merge {
                condition,
                on_true,
                on_false,
            } => {
                let reads = [on_true, on_false].map(Work::Read);
                stack.push(Work::Term(condition));
                stack.extend(reads);
            }
            Step::Select(Read { array, index }) => {
                stack.extend([array, index].map(Work::Term));
            }
        }
    }

    /// A read by what it was found to be.
    fn step(&self, context: &Context, read: Read, step: Step) -> Result<Ast, SolverError> {
        match step {
            Step::Value(value) => Ok(self.terms[&value]),
            Step::Store {
                index,
                value,
                below,
            } => {
                let indices = [self.terms[&index], self.terms[&read.index]];
                let hit = context.build_op(Op::Equal, &indices)?;
                choice(context, hit, self.terms[&value], self.reads[&below])
            }
            Step::Merge {
                condition,
                on_true,
                on_false,
            } => {
                let condition = self.terms[&condition];
                choice(
                    context,
                    condition,
                    self.reads[&on_true],
                    self.reads[&on_false],
                )
            }
            Step::Select(Read { array, index }) => {
                context.build_op(Op::Select, &[self.terms[&array], self.terms[&index]])
            }
        }
    }

    pub fn sort(
        &mut self,
        context: &Context,
        pool: &TermPool,
        id: SortId,
    ) -> Result<SortHandle, SolverError> {
        if let Some(found) = self.sorts.get(&id) {
            return Ok(*found);
        }
        // Sorts are shallow and interned before the sorts that contain them, so this ends quickly.
        let made = match pool.sort_of(id) {
            Sort::Bool => context.boolean_sort()?,
            Sort::BitVec(width) => context.bit_vector_sort(width)?,
            Sort::Int => context.integer_sort()?,
            Sort::Float(format) => context.float_sort(format)?,
            Sort::Array { index, element }
            | Sort::FiniteMap {
                key: index,
                value: element,
                size: _,
            } => {
                let index = self.sort(context, pool, index)?;
                let element = self.sort(context, pool, element)?;
                context.array_sort(index, element)?
            }
            Sort::Pointer { width } => context.bit_vector_sort(2 * width)?,
            Sort::Memory { width, cell } => {
                let pointer = context.bit_vector_sort(2 * width)?;
                let cell = self.sort(context, pool, cell)?;
                context.array_sort(pointer, cell)?
            }
            Sort::Uninterpreted(name) => context.uninterpreted_sort(pool.sort_name(name))?,
        };
        self.sorts.insert(id, made);
        Ok(made)
    }

    pub fn function(
        &mut self,
        context: &Context,
        pool: &TermPool,
        id: FunctionId,
    ) -> Result<FuncDecl, SolverError> {
        if let Some(found) = self.functions.get(&id) {
            return Ok(*found);
        }
        let data = pool.function_data(id);
        let domain: Vec<SortHandle> = data
            .arguments
            .iter()
            .map(|sort| self.sort(context, pool, *sort))
            .collect::<Result<_, _>>()?;
        let range = self.sort(context, pool, data.sort)?;
        let made = context.declare(&data.name, &domain, range)?;
        self.functions.insert(id, made);
        Ok(made)
    }

    fn constant_symbol(
        &mut self,
        context: &Context,
        pool: &TermPool,
        name: &str,
        sort: SortId,
    ) -> Result<Ast, SolverError> {
        let sort = self.sort(context, pool, sort)?;
        let decl = context.declare(name, &[], sort)?;
        context.apply(decl, &[])
    }

    fn node(
        &mut self,
        context: &Context,
        pool: &TermPool,
        term: TermId,
        arguments: &[Ast],
    ) -> Result<Ast, SolverError> {
        match form(pool.op(term)) {
            Form::Plain(plain) => context.build(plain, arguments),
            Form::Assembled(assembled) => self.assembled(context, pool, term, assembled, arguments),
        }
    }

    /// What is more than one call.
    fn assembled(
        &mut self,
        context: &Context,
        pool: &TermPool,
        term: TermId,
        assembled: Assembled,
        arguments: &[Ast],
    ) -> Result<Ast, SolverError> {
        match assembled {
            Assembled::Boolean(value) => context.boolean(value),
            Assembled::Literal(id) => self.literal(context, pool, pool.constant_data(id), term),
            Assembled::Symbol(id) => {
                let data = pool.symbol_data(id);
                self.constant_symbol(context, pool, &data.name, data.sort)
            }
            Assembled::Bound(id) => {
                let name = format!("bound!{}", id.as_u32());
                let made = self.constant_symbol(context, pool, &name, pool.bound_sort(id))?;
                self.bound.insert(id, made);
                Ok(made)
            }
            Assembled::Apply(id) => {
                let decl = self.function(context, pool, id)?;
                context.apply(decl, arguments)
            }
            Assembled::Lambda(id) => self.lambda(context, pool, id, arguments[0]),
            Assembled::ConstantArray(sort) => {
                let index = self.index_sort(context, pool, sort)?;
                context.constant_array(index, arguments[0])
            }
            Assembled::Extract(high, low) => context.extract(high, low, arguments[0]),
            Assembled::BitVectorToInt => context.bit_vector_to_int(arguments[0]),
            Assembled::ProductOverflow { signed } => overflow(context, arguments, signed),
            Assembled::Float(conversion) => {
                self.float_conversion(context, pool, term, conversion, arguments[0])
            }
            Assembled::Range(operation) => {
                self.range_operation(context, pool, term, operation, arguments)
            }
            Assembled::Pointer(operation) => {
                pointer_operation(context, pool, term, operation, arguments)
            }
            Assembled::ReadBytes(count) => read_bytes(context, pool, term, count, arguments),
            Assembled::WriteBytes => write_bytes(context, pool, term, arguments),
            Assembled::FiniteMap => self.finite_map(context, pool, term, arguments),
        }
    }

    fn literal(
        &mut self,
        context: &Context,
        pool: &TermPool,
        value: &Constant,
        term: TermId,
    ) -> Result<Ast, SolverError> {
        match value {
            Constant::BitVec(value) => context.bit_vector(&bits_of(value)),
            Constant::Int(value) => {
                let sort = context.integer_sort()?;
                context.numeral(&value.to_string(), sort)
            }
            Constant::Float(value) => {
                let sort = self.sort(context, pool, pool.sort_id(term))?;
                let bits = context.bit_vector(&bits_of(value.bits()))?;
                context.float_from_bits(bits, sort)
            }
        }
    }

    fn lambda(
        &mut self,
        context: &Context,
        pool: &TermPool,
        id: BoundId,
        body: Ast,
    ) -> Result<Ast, SolverError> {
        // The variable need not occur in the body.
        let bound = match self.bound.get(&id) {
            Some(bound) => *bound,
            None => {
                let name = format!("bound!{}", id.as_u32());
                self.constant_symbol(context, pool, &name, pool.bound_sort(id))?
            }
        };
        context.lambda(bound, body)
    }

    /// The index sort of an array or memory sort.
    fn index_sort(
        &mut self,
        context: &Context,
        pool: &TermPool,
        sort: SortId,
    ) -> Result<SortHandle, SolverError> {
        match pool.sort_of(sort) {
            Sort::Array { index, .. } => self.sort(context, pool, index),
            Sort::Memory { width, .. } => context.bit_vector_sort(2 * width),
            Sort::FiniteMap { key, .. } => self.sort(context, pool, key),
            Sort::Bool
            | Sort::BitVec(_)
            | Sort::Int
            | Sort::Float(_)
            | Sort::Pointer { .. }
            | Sort::Uninterpreted(_) => Err(SolverError::Internal(
                "an array operator on a sort that is no array".into(),
            )),
        }
    }

    /// The first entry of a key wins, so it is stored last; elsewhere a map has its sort's default.
    fn finite_map(
        &mut self,
        context: &Context,
        pool: &TermPool,
        term: TermId,
        arguments: &[Ast],
    ) -> Result<Ast, SolverError> {
        let index = self.index_sort(context, pool, pool.sort_id(term))?;
        let default = match pool.sort(pool.child(term, 1)) {
            Sort::Bool => context.boolean(false)?,
            Sort::BitVec(width) => context.bit_vector(&vec![false; width as usize])?,
            Sort::Pointer { width } => context.bit_vector(&vec![false; 2 * width as usize])?,
            Sort::Int => context.numeral("0", context.integer_sort()?)?,
            Sort::Float(_)
            | Sort::Array { .. }
            | Sort::Memory { .. }
            | Sort::FiniteMap { .. }
            | Sort::Uninterpreted(_) => {
                return Err(SolverError::Unsupported {
                    solver: "Z3",
                    construct: "finite maps to values that are no scalars".into(),
                });
            }
        };
        let empty = context.constant_array(index, default)?;
        arguments.chunks(2).rev().try_fold(empty, |map, entry| {
            context.build_op(Op::Store, &[map, entry[0], entry[1]])
        })
    }

    fn float_conversion(
        &mut self,
        context: &Context,
        pool: &TermPool,
        term: TermId,
        conversion: FloatConversion,
        argument: Ast,
    ) -> Result<Ast, SolverError> {
        let sort = self.sort(context, pool, pool.sort_id(term))?;
        match conversion {
            FloatConversion::FromBits => context.float_from_bits(argument, sort),
            FloatConversion::From(source, mode) => context.float_from(source, mode, argument, sort),
            FloatConversion::ToInteger {
                signed,
                mode,
                width,
            } => context.float_to_integer(signed, mode, argument, width),
            FloatConversion::ToBits => {
                // The bits of NaN are ours to fix; Z3 may choose any.
                let Sort::Float(format) = pool.sort(pool.child(term, 0)) else {
                    return Err(SolverError::Internal("bits of something no float".into()));
                };
                let quiet = foghorn_term::FloatValue::nan(format);
                let quiet = context.bit_vector(&bits_of(quiet.bits()))?;
                let is_nan = context.build_op(Op::FloatIsNan, &[argument])?;
                let bits = context.float_to_bits(argument)?;
                context.build_op(Op::Ite, &[is_nan, quiet, bits])
            }
        }
    }

    /// `set` and `copy` as λ-arrays: the new element inside the range, the old one outside.
    fn range_operation(
        &mut self,
        context: &Context,
        pool: &TermPool,
        term: TermId,
        operation: RangeOperation,
        arguments: &[Ast],
    ) -> Result<Ast, SolverError> {
        let index_sort = self.index_sort(context, pool, pool.sort_id(term))?;
        let name = format!("range!{}", self.lambdas);
        self.lambdas += 1;
        let decl = context.declare(&name, &[], index_sort)?;
        let index = context.apply(decl, &[])?;
        let (target, start) = (arguments[0], arguments[1]);
        let space = IndexSpace::of(pool, term)?;
        let size = *arguments
            .last()
            .expect("invariant: range operations have a size");
        let inside = space.inside(context, index, start, size)?;
        let new = match operation {
            RangeOperation::Copy => {
                let from = space.moved(context, index, start, arguments[3])?;
                context.build_op(Op::Select, &[arguments[2], from])?
            }
            RangeOperation::Set => arguments[2],
        };
        let old = context.build_op(Op::Select, &[target, index])?;
        let body = context.build_op(Op::Ite, &[inside, new, old])?;
        context.lambda(index, body)
    }
}

/// One of two expressions, which may be the same.
fn choice(
    context: &Context,
    condition: Ast,
    on_true: Ast,
    on_false: Ast,
) -> Result<Ast, SolverError> {
    if on_true == on_false {
        return Ok(on_true);
    }
    context.build_op(Op::Ite, &[condition, on_true, on_false])
}

/// Bits of a value, least significant first.
pub(crate) fn bits_of(value: &BitVecValue) -> Vec<bool> {
    (0..value.width()).map(|i| value.bit(i)).collect()
}

fn overflow(context: &Context, arguments: &[Ast], signed: bool) -> Result<Ast, SolverError> {
    let fits = context.product_fits(arguments[0], arguments[1], signed)?;
    context.build_op(Op::Not, &[fits])
}
