//! From Z3's values back to ours.
//!
//! Arrays may come as constant arrays with stores on top or as the graph of a function of the
//! model; both end as a table. The chain of stores is walked in a loop.

use super::context::{Ast, Context};
use super::engine::Model;
use crate::error::SolverError;
use foghorn_term::eval::{ArrayValue, Value};
use foghorn_term::{BitVecValue, FloatValue, Sort, SortId, TermPool};
use num_bigint::{BigInt, BigUint};
use z3_sys::DeclKind;

/// Reads a value of the given sort out of an evaluated expression.
pub(super) fn value(
    context: &Context,
    model: &Model,
    pool: &TermPool,
    sort: SortId,
    ast: Ast,
) -> Result<Value, SolverError> {
    match pool.sort_of(sort) {
        Sort::Bool => boolean(context, ast).map(Value::Bool),
        Sort::BitVec(width) => bits(context, ast, width).map(Value::BitVec),
        Sort::Int => integer(context, ast).map(Value::Int),
        Sort::Float(format) => {
            let encoded = context.simplify(context.float_to_bits(ast)?)?;
            if context.is_numeral(encoded) {
                let encoded = bits(context, encoded, format.width())?;
                return Ok(Value::Float(FloatValue::from_bits(format, encoded)));
            }
            // Only NaN has no bits of its own.
            Ok(Value::Float(FloatValue::nan(format)))
        }
        Sort::Pointer { width } => {
            let both = bits(context, ast, 2 * width)?;
            Ok(Value::Pointer {
                base: both.extract(2 * width - 1, width),
                offset: both.extract(width - 1, 0),
            })
        }
        Sort::Array { index, element }
        | Sort::FiniteMap {
            key: index,
            value: element,
            size: _,
        } => {
            let index = IndexSort::Sort(index);
            array(context, model, pool, index, element, ast)
        }
        Sort::Memory { width, cell } => {
            array(context, model, pool, IndexSort::Pointer(width), cell, ast)
        }
        Sort::Uninterpreted(_) => element(context, ast),
    }
}

fn boolean(context: &Context, ast: Ast) -> Result<bool, SolverError> {
    match context.decl_kind(context.app_decl(ast)?) {
        DeclKind::True => Ok(true),
        DeclKind::False => Ok(false),
        _ => Err(unreadable(context, ast)),
    }
}

fn integer(context: &Context, ast: Ast) -> Result<BigInt, SolverError> {
    if !context.is_numeral(ast) {
        return Err(unreadable(context, ast));
    }
    let digits = context.numeral_text(ast)?;
    digits.parse().map_err(|_| unreadable(context, ast))
}

fn bits(context: &Context, ast: Ast, width: u32) -> Result<BitVecValue, SolverError> {
    let number: BigUint = integer(context, ast)?
        .try_into()
        .map_err(|_| unreadable(context, ast))?;
    Ok(BitVecValue::from_biguint(width, number))
}

/// Elements of uninterpreted sorts are called `Sort!val!NUMBER`.
fn element(context: &Context, ast: Ast) -> Result<Value, SolverError> {
    let name = context.decl_name(context.app_decl(ast)?);
    name.rsplit('!')
        .next()
        .and_then(|digits| digits.parse().ok())
        .map(Value::Uninterpreted)
        .ok_or_else(|| unreadable(context, ast))
}

#[derive(Clone, Copy)]
enum IndexSort {
    Sort(SortId),
    Pointer(u32),
}

impl IndexSort {
    fn read(
        self,
        context: &Context,
        model: &Model,
        pool: &TermPool,
        ast: Ast,
    ) -> Result<Value, SolverError> {
        match self {
            IndexSort::Sort(sort) => value(context, model, pool, sort, ast),
            IndexSort::Pointer(width) => {
                let both = bits(context, ast, 2 * width)?;
                Ok(Value::Pointer {
                    base: both.extract(2 * width - 1, width),
                    offset: both.extract(width - 1, 0),
                })
            }
        }
    }
}

fn array(
    context: &Context,
    model: &Model,
    pool: &TermPool,
    index: IndexSort,
    element_sort: SortId,
    ast: Ast,
) -> Result<Value, SolverError> {
    let mut stores: Vec<(Ast, Ast)> = Vec::new();
    let mut rest = ast;
    let default = loop {
        let decl = context.app_decl(rest)?;
        let arguments = context.app_arguments(rest)?;
        match (context.decl_kind(decl), arguments.as_slice()) {
            (DeclKind::Store, [array, at, element]) => {
                stores.push((*at, *element));
                rest = *array;
            }
            (DeclKind::ConstArray, [element]) => break *element,
            (DeclKind::AsArray, []) => {
                let (entries, default) = model.function(model.as_array(rest)?)?;
                for (arguments, element) in entries.into_iter().rev() {
                    let [at] = arguments.as_slice() else {
                        return Err(unreadable(context, rest));
                    };
                    stores.push((*at, element));
                }
                break default;
            }
            _ => return Err(unreadable(context, rest)),
        }
    };
    let default = value(context, model, pool, element_sort, default)?;
    // The outermost store wins, so it is applied last.
    let entries: Vec<(Value, Value)> = stores
        .iter()
        .rev()
        .map(|(at, element)| {
            Ok((
                index.read(context, model, pool, *at)?,
                value(context, model, pool, element_sort, *element)?,
            ))
        })
        .collect::<Result<_, SolverError>>()?;
    Ok(Value::Array(ArrayValue::table(default, entries)))
}

fn unreadable(context: &Context, ast: Ast) -> SolverError {
    let text: String = context.ast_text(ast).chars().take(200).collect();
    SolverError::Z3(format!("a model value we cannot read: {text}"))
}
