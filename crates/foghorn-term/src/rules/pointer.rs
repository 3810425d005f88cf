//! Rules for pointers: figures 4.2 (comparison) and 4.3 (arithmetic) of the SEAM thesis.
//!
//! A pointer is taken apart into its base and its offset wherever both are known, through `ite`s as well. Equality of
//! pointers becomes equality of bases and of offsets, which is linear in their size where pushing it through the `ite`s of
//! both sides is not.

use super::{Context, rules};
use crate::op::{Op, OpKind};
use crate::pool::TermId;
use crate::rewrite::Step;
use crate::sort::Sort;

rules! {
    /// Pointers (figs. 4.2, 4.3).
    table POINTER = "pointer";

    #[doc = "base(ptr(b, o)) = b, offset(ptr(b, o)) = o"]
    rule part_of_pointer [PointerBase, PointerOffset] ["(ptr.base (ptr x y))", "(ptr.offset (ptr x y))"] (cx, t) {
        let [p] = cx.args(t)?;
        let [b, o] = cx.view(p, OpKind::Pointer)?;
        Some(Step::done(if cx.pool.op(t) == Op::PointerBase { b } else { o }))
    }

    #[doc = "base(p + d) = base(p), offset(p + d) = offset(p) + d"]
    rule part_of_moved [PointerBase, PointerOffset] ["(ptr.base (ptr.add s x))", "(ptr.offset (ptr.add s x))"] (cx, t) {
        let [p] = cx.args(t)?;
        let [p, d] = cx.view(p, OpKind::PointerAdd)?;
        let part = cx.pool.make(cx.pool.op(t), &[p]);
        if cx.pool.op(t) == Op::PointerBase {
            return Some(Step::rewrite(1, part));
        }
        Some(Step::rewrite(2, cx.pool.bv_add(part, d)))
    }

    #[doc = "base(ite(c, p, q)) = ite(c, base(p), base(q)), and likewise for the offset (ITE-PUSH)"]
    rule part_of_ite [PointerBase, PointerOffset] ["(ptr.base (ite c s t))", "(ptr.offset (ite c s (ptr x y)))"] (cx, t) {
        let [p] = cx.args(t)?;
        let [c, p, q] = cx.view(p, OpKind::Ite)?;
        let op = cx.pool.op(t);
        let (p, q) = (cx.pool.make(op, &[p]), cx.pool.make(op, &[q]));
        Some(Step::rewrite(2, cx.pool.ite(c, p, q)))
    }

    #[doc = "ptr(base(p), offset(p)) = p"]
    rule pointer_of_parts [Pointer] ["(ptr (ptr.base s) (ptr.offset s))"] (cx, t) {
        let [b, o] = cx.args(t)?;
        let [p] = cx.view(b, OpKind::PointerBase)?;
        (cx.view(o, OpKind::PointerOffset) == Some([p])).then(|| Step::done(p))
    }

    #[doc = "ptr(b, o) + d = ptr(b, o + d), (p + d) + e = p + (d + e), p + 0 = p"]
    rule pointer_moved [PointerAdd] ["(ptr.add (ptr x y) z)", "(ptr.add (ptr.add s x) y)", "(ptr.add s zero)"] (cx, t) {
        let [p, d] = cx.args(t)?;
        if cx.bits(d).is_some_and(|d| d.is_zero()) {
            return Some(Step::done(p));
        }
        if let Some([b, o]) = cx.view(p, OpKind::Pointer) {
            let offset = cx.pool.bv_add(o, d);
            return Some(Step::rewrite(2, cx.pool.pointer(b, offset)));
        }
        let [p, e] = cx.view(p, OpKind::PointerAdd)?;
        let sum = cx.pool.bv_add(e, d);
        Some(Step::rewrite(2, cx.pool.pointer_add(p, sum)))
    }

    #[doc = "ite(c, p, q) + d = ite(c, p + d, q + d) (ITE-PUSH)"]
    rule ite_moved [PointerAdd] ["(ptr.add (ite c s t) x)", "(ptr.add (ite c (ptr x y) (ptr z y)) k)"] (cx, t) {
        let [p, d] = cx.args(t)?;
        let [c, p, q] = cx.view(p, OpKind::Ite)?;
        let (p, q) = (cx.pool.pointer_add(p, d), cx.pool.pointer_add(q, d));
        Some(Step::rewrite(2, cx.pool.ite(c, p, q)))
    }

    #[doc = "ite(c, ptr(b, o), ptr(b, o')) = ptr(b, ite(c, o, o'))"]
    rule ite_within_object [Ite] ["(ite c (ptr x y) (ptr x z))"] (cx, t) {
        let [c, p, q] = cx.args(t)?;
        let ([b, o], [other, r]) = (cx.view(p, OpKind::Pointer)?, cx.view(q, OpKind::Pointer)?);
        if b != other {
            return None;
        }
        let offset = cx.pool.ite(c, o, r);
        Some(Step::rewrite(2, cx.pool.pointer(b, offset)))
    }

    #[doc = "p - q = offset(p) - offset(q)"]
    rule pointer_distance [PointerDifference] ["(ptr.diff s t)", "(ptr.diff (ptr x y) (ptr x z))"] (cx, t) {
        let [p, q] = cx.args(t)?;
        let (p, q) = (cx.pool.pointer_offset(p), cx.pool.pointer_offset(q));
        Some(Step::rewrite(3, cx.pool.bv_sub(p, q)))
    }

    #[doc = "p < q is base(p) = base(q) ∧ offset(p) < offset(q), signed, and likewise for ≤"]
    rule pointer_order [PointerLt, PointerLe] ["(ptr.lt s t)", "(ptr.le (ptr x y) (ptr z y))"] (cx, t) {
        let [p, q] = cx.args(t)?;
        let (b, o) = (cx.pool.pointer_base(p), cx.pool.pointer_offset(p));
        let (other, r) = (cx.pool.pointer_base(q), cx.pool.pointer_offset(q));
        let same = cx.pool.equal(b, other);
        let ordered = if cx.pool.op(t) == Op::PointerLt { cx.pool.bv_slt(o, r) } else { cx.pool.bv_sle(o, r) };
        Some(Step::rewrite(3, cx.pool.and(&[same, ordered])))
    }

    #[doc = "p = q is base(p) = base(q) ∧ offset(p) = offset(q), where something is known of p or q"]
    rule pointer_equality [Equal] [
        "(= (ptr x y) (ptr z k))", "(= s (ptr x y))", "(= (ptr.add s x) t)", "(= (ite c s t) (ite d t (ptr x y)))"
    ] (cx, t) {
        let [p, q] = cx.args(t)?;
        let Sort::Pointer { .. } = cx.pool.sort(p) else { return None };
        if !is_built(cx, p) && !is_built(cx, q) {
            return None;
        }
        let (b, o) = (cx.pool.pointer_base(p), cx.pool.pointer_offset(p));
        let (other, r) = (cx.pool.pointer_base(q), cx.pool.pointer_offset(q));
        let (bases, offsets) = (cx.pool.equal(b, other), cx.pool.equal(o, r));
        Some(Step::rewrite(3, cx.pool.and(&[bases, offsets])))
    }
}

/// Whether base and offset of a pointer are more than names for themselves.
fn is_built(cx: &Context<'_>, pointer: TermId) -> bool {
    matches!(cx.pool.op(pointer), Op::Pointer | Op::PointerAdd | Op::Ite)
}
