//! Interpretations of a changed system as ones of the original predicates.

use super::Run;
use crate::error::SolverError;
use crate::horn::evidence::Bodies;
use crate::horn::simplify::{Image, View};
use crate::z3::context::Ast;
use foghorn_term::{FunctionId, Op, SortId, TermId};
use rustc_hash::FxHashSet;

impl Run<'_> {
    /// Interpretations of the original predicates, and those that their rules define.
    pub(super) fn map_back(
        &mut self,
        read: &Bodies,
    ) -> Result<(Bodies, FxHashSet<FunctionId>), SolverError> {
        let mut bodies = Bodies::default();
        let mut resolved = FxHashSet::default();
        for original in &self.original.predicates {
            match &self.form.images[original] {
                Image::Resolved => {
                    resolved.insert(*original);
                }
                Image::Empty => bodies.insert(*original, self.context.boolean(false)?),
                Image::Unneeded => {}
                Image::Kept {
                    predicate,
                    positions,
                    constants,
                } => {
                    let body = read.body(*predicate);
                    if let Some(body) =
                        self.widen((*original, *predicate), body, positions, constants)?
                    {
                        bodies.insert(*original, body);
                    }
                }
            }
        }
        Ok((bodies, resolved))
    }

    /// A body over some arguments as one over all of the original predicate's.
    fn widen(
        &mut self,
        (original, image): (FunctionId, FunctionId),
        body: Option<Ast>,
        positions: &[usize],
        constants: &[(usize, TermId)],
    ) -> Result<Option<Ast>, SolverError> {
        let context = self.context.clone();
        let variables = self.variables(original)?;
        let mut conjuncts = Vec::new();
        if let Some(body) = body {
            conjuncts.push(match self.form.views.get(&image) {
                Some(views) if views.iter().any(is_index) => {
                    self.of_all_cells((original, body), positions, views)?
                }
                views => {
                    let mut kept: Vec<Ast> = positions.iter().map(|p| variables[*p]).collect();
                    if let Some(views) = views {
                        kept = self.view(views, &kept, &[])?;
                    }
                    kept.reverse();
                    context.substitute_variables(body, &kept)?
                }
            });
        }
        for (position, value) in constants {
            let value = self.term(*value)?;
            conjuncts.push(context.build_op(Op::Equal, &[variables[*position], value])?);
        }
        for (position, low, high) in self.form.bounds.get(&original).into_iter().flatten() {
            let variable = variables[*position];
            if let Some(low) = low {
                let low = self.term(*low)?;
                conjuncts.push(context.build_op(Op::IntLe, &[low, variable])?);
            }
            if let Some(high) = high {
                let high = self.term(*high)?;
                conjuncts.push(context.build_op(Op::IntLe, &[variable, high])?);
            }
        }
        Ok(match conjuncts.as_slice() {
            [] => None,
            [one] => Some(*one),
            many => Some(context.build_op(Op::And, many)?),
        })
    }

    /// A body over cells as one over arrays: true of the cells at all indices.
    fn of_all_cells(
        &mut self,
        (original, body): (FunctionId, Ast),
        positions: &[usize],
        views: &[View],
    ) -> Result<Ast, SolverError> {
        let context = self.context.clone();
        let sorts = self.form.pool.function_data(original).arguments.clone();
        let formals = self.any_of(&sorts)?;
        let indices: Vec<SortId> = views
            .iter()
            .filter_map(|view| match view {
                View::Index(_, sort) => Some(*sort),
                View::Same(_)
                | View::Quotient(..)
                | View::Remainder(..)
                | View::Literal(_)
                | View::Cell(..) => None,
            })
            .collect();
        let any = self.any_of(&indices)?;
        let kept: Vec<Ast> = positions.iter().map(|p| formals[*p]).collect();
        let mut kept = self.view(views, &kept, &any)?;
        kept.reverse();
        let body = context.substitute_variables(body, &kept)?;
        let all = context.for_all(&any, body)?;
        // The body of a quantifier over the arguments has them as de Bruijn variables.
        let over_arguments = context.for_all(&formals, all)?;
        Ok(context.quantifier(over_arguments)?.0)
    }

    /// A predicate's arguments as de Bruijn variables.
    fn variables(&mut self, predicate: FunctionId) -> Result<Vec<Ast>, SolverError> {
        let context = self.context.clone();
        let sorts = self.form.pool.function_data(predicate).arguments.clone();
        let mut variables = Vec::with_capacity(sorts.len());
        for (position, sort) in sorts.iter().enumerate() {
            let sort = self.converter.sort(&context, &self.form.pool, *sort)?;
            // The variable of index 0 is the last argument.
            let index = u32::try_from(sorts.len() - 1 - position)
                .expect("invariant: a predicate has few arguments");
            variables.push(context.de_bruijn(index, sort)?);
        }
        Ok(variables)
    }

    /// Constants of these sorts.
    fn any_of(&mut self, sorts: &[SortId]) -> Result<Vec<Ast>, SolverError> {
        let context = self.context.clone();
        let mut made = Vec::with_capacity(sorts.len());
        for sort in sorts {
            let sort = self.converter.sort(&context, &self.form.pool, *sort)?;
            made.push(context.fresh_constant(sort)?);
        }
        Ok(made)
    }

    /// The arguments of a changed predicate; `any` are the indices of cells.
    fn view(
        &mut self,
        views: &[View],
        before: &[Ast],
        any: &[Ast],
    ) -> Result<Vec<Ast>, SolverError> {
        let context = self.context.clone();
        let mut made = Vec::with_capacity(views.len());
        for view in views {
            made.push(match view {
                View::Same(place) => before[*place],
                View::Quotient(place, by) => {
                    let by = self.term(*by)?;
                    context.build_op(Op::IntDiv, &[before[*place], by])?
                }
                View::Remainder(place, by) => {
                    let by = self.term(*by)?;
                    context.build_op(Op::IntMod, &[before[*place], by])?
                }
                View::Literal(value) => self.term(*value)?,
                View::Index(number, _) => any[*number],
                View::Cell(place, indices) => {
                    let mut cell = before[*place];
                    for index in indices {
                        cell = context.build_op(Op::Select, &[cell, any[*index]])?;
                    }
                    cell
                }
            });
        }
        Ok(made)
    }
}

fn is_index(view: &View) -> bool {
    matches!(view, View::Index(..))
}
