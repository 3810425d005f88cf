//! Hash-consed sorted terms, their builders, evaluator and rewriter.
//!
//! # A short tour
//!
//! A [`TermPool`] owns everything; a [`TermId`] is a term of it, equal exactly when the term is. Read a term by
//! [`TermPool::op`] (an [`Op`], which carries indices such as those of an extract), [`TermPool::children`] and
//! [`TermPool::sort`]. Walk a term's graph with [`TermPool::post_order`]: each shared subterm once, children first, no
//! recursion.
//!
//! Build with the typed builders, which normalise:
//!
//! ```
//! use foghorn_term::{Sort, TermPool};
//! let mut pool = TermPool::new();
//! let x = pool.bv_symbol("x", 32);
//! let one = pool.bv(32, 1);
//! let sum = pool.bv_add(x, one);
//! let same = pool.bv_add(one, x);
//! assert_eq!(sum, same);
//! assert_eq!(pool.sort(sum), Sort::BitVec(32));
//! ```
//!
//! or by [`TermPool::make`] with an operator and children, or, unnormalised, by [`TermPool::intern`].
//!
//! - Free constants: [`TermPool::symbol`], [`TermPool::fresh_symbol`]; their names by [`TermPool::symbol_data`].
//! - Functions and predicates: [`TermPool::function`], [`TermPool::apply`], [`TermPool::function_data`].
//! - Literals: [`TermPool::bv`], [`TermPool::bitvec`], [`TermPool::int`], [`TermPool::float`]; their values by
//!   [`TermPool::constant_data`] from `Op::Constant`.
//! - λ-arrays: [`TermPool::bound_variable`], then [`TermPool::lambda`]; `Op::Lambda(b)` has the body as its only child and
//!   `Op::Bound(b)` is its variable.
//!
//! Beyond building:
//!
//! - [`eval`]: the value of a term under a [`eval::Model`], for every theory.
//! - [`rewrite`]: the multi-step rewriter; [`rules`]: tables of laws for it; [`rules::simplifier`]: both together.
//! - [`TermPool::substitute`], [`TermPool::beta_reduce`], [`TermPool::free_symbols`], [`TermPool::tree_size`],
//!   [`TermPool::cone_of_influence`], [`TermPool::abstract_shared`].
//! - [`text`]: printing with sharing, and parsing of what is printed. [`generate`]: random terms and models for tests.
//! - [`bench`](mod@bench): what `foghorn bench terms` measures.
//!
//! ```
//! use foghorn_term::rules::simplifier;
//! use foghorn_term::text::print_term;
//! use foghorn_term::{Sort, TermPool};
//! let mut pool = TermPool::new();
//! let sort = pool.array_sort(Sort::BitVec(32), Sort::BitVec(32));
//! let (memory, p, v) = (pool.symbol("m", sort), pool.bv_symbol("p", 32), pool.bv_symbol("v", 32));
//! let four = pool.bv(32, 4);
//! let next = pool.bv_add(p, four);
//! let written = pool.store(memory, p, v);
//! let read = pool.select(written, next);
//! let simplified = simplifier().rewrite(&mut pool, read);
//! assert_eq!(print_term(&pool, simplified), "(select m (bvadd p #x00000004))");
//! ```
//!
//! No function in this crate recurses over the depth of a term.

pub mod bench;
mod build;
mod cone;
mod definitions;
pub mod eval;
pub mod generate;
mod measure;
mod op;
mod pool;
pub mod rewrite;
pub mod rules;
pub mod sexpr;
mod sort;
mod substitute;
pub mod text;
mod value;

pub use build::Children;
pub use definitions::Abstraction;
pub use op::{BoundId, ConstantId, FunctionId, Op, OpKind, RoundingMode, SymbolId};
pub use pool::{Constant, DeclarationError, PostOrder, SortError, Symbol, TermId, TermPool};
pub use sort::{FloatFormat, Sort, SortId, SortName};
pub use substitute::Substitution;
pub use value::{BitVecValue, FloatValue};
