//! Rules for reads over arrays: figure 2.6 (read-over-write), 2.8 (read-over-set), 2.9 (read-over-copy) and β-reduction
//! (§2.4) of the SEAM thesis.
//!
//! The rules with a side condition come first. What they leave undecided becomes an `ite`; its condition is rewritten
//! again, and the read below goes on (`Full`).

use super::{Context, rules};
use crate::op::{Op, OpKind};
use crate::pool::TermId;
use crate::rewrite::Step;

rules! {
    /// Arrays (figs. 2.6, 2.8, 2.9; §2.4).
    table ARRAY = "array";

    #[doc = "read(write(a, i, v), j) is v where ⊢ i = j and read(a, j) where ⊢ i ≠ j"]
    rule read_over_write_decided [Select] [
        "(select (store m x y) x)", "(select (store m x y) (bvadd x one))", "(select (store im p 3) (+ p 1))",
        "(select (store m zero y) ones)"
    ] (cx, t) {
        let [array, j] = cx.args(t)?;
        let [a, i, v] = cx.view(array, OpKind::Store)?;
        if cx.decide_equal(i, j)? {
            return Some(Step::done(v));
        }
        Some(Step::full(cx.pool.select(a, j)))
    }

    #[doc = "read(write(a, i, v), j) = ite(i = j, v, read(a, j))"]
    rule read_over_write [Select] ["(select (store m x y) z)", "(select (store im p 3) q)"] (cx, t) {
        let [array, j] = cx.args(t)?;
        let [a, i, v] = cx.view(array, OpKind::Store)?;
        let (hit, old) = (cx.pool.equal(i, j), cx.pool.select(a, j));
        Some(Step::full(cx.pool.ite(hit, v, old)))
    }

    #[doc = "read(set(a, p, v, s), i) is v where ⊢ p ≤ i < p + s and read(a, i) where ⊢ not"]
    rule read_over_set_decided [Select] [
        "(select (array.set m x y one) x)", "(select (array.set m x y zero) z)", "(select (array.set im p 3 4) (+ p 2))",
        "(select (array.set im p 3 4) (+ p 4))"
    ] (cx, t) {
        let [array, i] = cx.args(t)?;
        let [a, p, v, s] = cx.view(array, OpKind::ArraySet)?;
        if in_range(cx, i, p, s)? {
            return Some(Step::done(v));
        }
        Some(Step::full(cx.pool.select(a, i)))
    }

    #[doc = "read(set(a, p, v, s), i) = ite(p ≤ i < p + s, v, read(a, i))"]
    rule read_over_set [Select] ["(select (array.set m x y z) k)", "(select (array.set im p 3 q) r)"] (cx, t) {
        let [array, i] = cx.args(t)?;
        let [a, p, v, s] = cx.view(array, OpKind::ArraySet)?;
        let (hit, old) = (cx.pool.in_range(i, p, s), cx.pool.select(a, i));
        Some(Step::full(cx.pool.ite(hit, v, old)))
    }

    #[doc = "read(copy(a, p, b, q, s), i) is read(b, q + (i - p)) where ⊢ p ≤ i < p + s and read(a, i) where ⊢ not"]
    rule read_over_copy_decided [Select] [
        "(select (array.copy m x n y one) x)", "(select (array.copy m x n y zero) z)",
        "(select (array.copy im p im q 4) (+ p 2))", "(select (array.copy im p im q 4) (+ p 4))"
    ] (cx, t) {
        let [array, i] = cx.args(t)?;
        let [a, p, b, q, s] = cx.view(array, OpKind::ArrayCopy)?;
        let read = if in_range(cx, i, p, s)? {
            let source = cx.pool.rebase(i, p, q);
            cx.pool.select(b, source)
        } else {
            cx.pool.select(a, i)
        };
        Some(Step::full(read))
    }

    #[doc = "read(copy(a, p, b, q, s), i) = ite(p ≤ i < p + s, read(b, q + (i - p)), read(a, i))"]
    rule read_over_copy [Select] ["(select (array.copy m x n y z) k)", "(select (array.copy im p im q r) 3)"] (cx, t) {
        let [array, i] = cx.args(t)?;
        let [a, p, b, q, s] = cx.view(array, OpKind::ArrayCopy)?;
        let hit = cx.pool.in_range(i, p, s);
        let source = cx.pool.rebase(i, p, q);
        let (new, old) = (cx.pool.select(b, source), cx.pool.select(a, i));
        Some(Step::full(cx.pool.ite(hit, new, old)))
    }

    #[doc = "read(const(v), i) = v"]
    rule read_over_constant [Select] ["(select ((as const (Array (_ BitVec {w}) (_ BitVec {w}))) y) x)"] (cx, t) {
        let [array, _] = cx.args(t)?;
        let Op::ConstantArray(_) = cx.pool.op(array) else { return None };
        Some(Step::done(cx.pool.child(array, 0)))
    }

    #[doc = "read(ite(c, a, b), i) = ite(c, read(a, i), read(b, i)) (ITE-PUSH)"]
    rule read_over_ite [Select] ["(select (ite c m n) x)", "(select (ite c (store m x y) n) z)"] (cx, t) {
        let [array, i] = cx.args(t)?;
        let [c, a, b] = cx.view(array, OpKind::Ite)?;
        let (then, otherwise) = (cx.pool.select(a, i), cx.pool.select(b, i));
        Some(Step::full(cx.pool.ite(c, then, otherwise)))
    }

    #[doc = "(λi. s)(r) = s[r/i] (β-reduction)"]
    rule beta_reduction [Select] [
        "(select (lambda (% 0 (_ BitVec {w})) (ite (= (% 0 (_ BitVec {w})) x) y (select m (% 0 (_ BitVec {w}))))) z)",
        "(select (lambda (% 0 (_ BitVec {w})) (bvadd x (% 0 (_ BitVec {w})))) y)"
    ] (cx, t) {
        let [array, index] = cx.args(t)?;
        let Op::Lambda(_) = cx.pool.op(array) else { return None };
        Some(Step::full(cx.pool.beta_reduce(array, index)))
    }

    #[doc = "write(write(a, i, v), i, w) = write(a, i, w)"]
    rule write_over_write [Store] ["(store (store m x y) x z)"] (cx, t) {
        let [array, i, w] = cx.args(t)?;
        let [a, j, _] = cx.view(array, OpKind::Store)?;
        (cx.decide_equal(i, j) == Some(true)).then(|| Step::rewrite(1, cx.pool.store(a, i, w)))
    }

    #[doc = "write(a, i, read(a, i)) = a"]
    rule write_of_read [Store] ["(store m x (select m x))"] (cx, t) {
        let [a, i, v] = cx.args(t)?;
        (cx.view(v, OpKind::Select) == Some([a, i])).then(|| Step::done(a))
    }

    #[doc = "writes to different literal indices are ordered by index"]
    rule writes_in_order [Store] ["(store (store m ones x) zero y)"] (cx, t) {
        let [array, i, v] = cx.args(t)?;
        let [a, j, w] = cx.view(array, OpKind::Store)?;
        let (first, second) = (cx.bits(i)?, cx.bits(j)?);
        if !first.ult(&second) {
            return None;
        }
        let inner = cx.pool.store(a, i, v);
        Some(Step::rewrite(2, cx.pool.store(inner, j, w)))
    }

    #[doc = "set and copy of nothing, and copy of an array onto itself in place, change nothing"]
    rule range_without_effect [ArraySet, ArrayCopy] [
        "(array.set m x y zero)", "(array.copy m x n y zero)", "(array.copy m x m x z)", "(array.set im p 3 0)"
    ] (cx, t) {
        let children = cx.pool.children(t).to_vec();
        let size = *children.last()?;
        let empty = cx.bits(size).is_some_and(|size| size.is_zero())
            || cx.pool.as_int(size).is_some_and(|size| size <= &num_bigint::BigInt::ZERO);
        let in_place = matches!(children[..], [a, p, b, q, _] if a == b && p == q);
        (empty || in_place).then(|| Step::done(children[0]))
    }

    #[doc = "set or copy of one element is a write"]
    rule range_of_one [ArraySet, ArrayCopy] ["(array.set m x y one)", "(array.copy m x n y one)", "(array.set im p 3 1)"] (cx, t) {
        let children = cx.pool.children(t).to_vec();
        let size = *children.last()?;
        let single = cx.bits(size).is_some_and(|size| size.is_one())
            || cx.pool.as_int(size) == Some(&num_bigint::BigInt::from(1));
        if !single {
            return None;
        }
        let (a, p) = (children[0], children[1]);
        let value = match children[..] {
            [_, _, b, q, _] => cx.pool.select(b, q),
            _ => children[2],
        };
        Some(Step::full(cx.pool.store(a, p, value)))
    }
}

/// Whether the index is in the range, decided by distance or because the range is empty.
fn in_range(cx: &mut Context<'_>, index: TermId, start: TermId, size: TermId) -> Option<bool> {
    if cx.bits(size).is_some_and(|size| size.is_zero()) {
        return Some(false);
    }
    cx.decide_in_range(index, start, size)
}
