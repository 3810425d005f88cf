//! Writes as λ-terms: §2.4 of the SEAM thesis, the LAMBDAS encoding. Together with β-reduction no array operator is left.

use super::rules;
use crate::pool::{TermId, TermPool};
use crate::rewrite::Step;
use crate::sort::Sort;

rules! {
    /// The λ-encoding (§2.4).
    table LAMBDA = "lambda";

    #[doc = "write(a, j, v) = λi. ite(i = j, v, read(a, i))"]
    rule write_as_lambda [Store] ["(store m x y)"] (cx, t) {
        let [a, j, v] = cx.args(t)?;
        let i = index_variable(cx.pool, t);
        let (hit, old) = (cx.pool.equal(i, j), cx.pool.select(a, i));
        let body = cx.pool.ite(hit, v, old);
        Some(Step::full(cx.pool.lambda(i, body)))
    }

    #[doc = "set(a, p, v, s) = λi. ite(p ≤ i < p + s, v, read(a, i))"]
    rule set_as_lambda [ArraySet] ["(array.set m x y z)"] (cx, t) {
        let [a, p, v, s] = cx.args(t)?;
        let i = index_variable(cx.pool, t);
        let (hit, old) = (cx.pool.in_range(i, p, s), cx.pool.select(a, i));
        let body = cx.pool.ite(hit, v, old);
        Some(Step::full(cx.pool.lambda(i, body)))
    }

    #[doc = "copy(a, p, b, q, s) = λi. ite(p ≤ i < p + s, read(b, q + (i - p)), read(a, i))"]
    rule copy_as_lambda [ArrayCopy] ["(array.copy m x n y z)"] (cx, t) {
        let [a, p, b, q, s] = cx.args(t)?;
        let i = index_variable(cx.pool, t);
        let hit = cx.pool.in_range(i, p, s);
        let source = cx.pool.rebase(i, p, q);
        let (new, old) = (cx.pool.select(b, source), cx.pool.select(a, i));
        let body = cx.pool.ite(hit, new, old);
        Some(Step::full(cx.pool.lambda(i, body)))
    }

    #[doc = "const(v) = λi. v"]
    rule constant_as_lambda [ConstantArray] ["((as const (Array (_ BitVec {w}) (_ BitVec {w}))) y)"] (cx, t) {
        let [v] = cx.args(t)?;
        let i = index_variable(cx.pool, t);
        Some(Step::full(cx.pool.lambda(i, v)))
    }
}

/// A new variable for the indices of an array.
fn index_variable(pool: &mut TermPool, array: TermId) -> TermId {
    match pool.sort(array) {
        Sort::Array { index, .. } => pool.bound_variable(index),
        other => unreachable!("invariant: {other:?} is an array sort"),
    }
}
