//! Rules for `ite`: figure 2.1 of the SEAM thesis.
//!
//! ITE-PUSH and ITE-PULL are each other's inverse. Here a function is pushed into an `ite` only where all of its operands
//! become literals, which then fold, and pulled out of one only where it is no literal; so they do not chase each other.

use super::rules;
use crate::op::{Op, OpKind};
use crate::pool::TermId;
use crate::rewrite::Step;
use crate::sort::Sort;

rules! {
    /// If-then-else (fig. 2.1).
    table ITE = "ite";

    #[doc = "ite(⊤, x, y) = x, ite(⊥, x, y) = y"]
    rule ite_decided [Ite] ["(ite true x y)", "(ite false x y)"] (cx, t) {
        let [c, x, y] = cx.args(t)?;
        Some(Step::done(if cx.pool.as_bool(c)? { x } else { y }))
    }

    #[doc = "ite(c, x, x) = x"]
    rule ite_same [Ite] ["(ite c x x)"] (cx, t) {
        let [_, x, y] = cx.args(t)?;
        (x == y).then(|| Step::done(x))
    }

    #[doc = "ite(c, ⊤, ⊥) = c, ite(c, ⊥, ⊤) = ¬c"]
    rule ite_is_condition [Ite] ["(ite c true false)", "(ite c false true)"] (cx, t) {
        let [c, x, y] = cx.args(t)?;
        match (cx.pool.as_bool(x)?, cx.pool.as_bool(y)?) {
            (true, false) => Some(Step::done(c)),
            (false, true) => Some(Step::rewrite(1, cx.pool.not(c))),
            (true, true) | (false, false) => None,
        }
    }

    #[doc = "ite(¬c, x, y) = ite(c, y, x)"]
    rule ite_negated_condition [Ite] ["(ite (not c) x y)"] (cx, t) {
        let [c, x, y] = cx.args(t)?;
        let [positive] = cx.view(c, OpKind::Not)?;
        Some(Step::rewrite(1, cx.pool.ite(positive, y, x)))
    }

    #[doc = "ite(c, ⊤, a) = c ∨ a, ite(c, ⊥, a) = ¬c ∧ a, ite(c, a, ⊤) = ¬c ∨ a, ite(c, a, ⊥) = c ∧ a"]
    rule ite_of_booleans [Ite] ["(ite c true a)", "(ite c false a)", "(ite c a true)", "(ite c a false)"] (cx, t) {
        let [c, x, y] = cx.args(t)?;
        let result = match (cx.pool.as_bool(x), cx.pool.as_bool(y)) {
            (Some(true), None) => cx.pool.or(&[c, y]),
            (Some(false), None) => {
                let negated = cx.pool.not(c);
                cx.pool.and(&[negated, y])
            }
            (None, Some(true)) => {
                let negated = cx.pool.not(c);
                cx.pool.or(&[negated, x])
            }
            (None, Some(false)) => cx.pool.and(&[c, x]),
            (Some(_), Some(_)) | (None, None) => return None,
        };
        Some(Step::rewrite(2, result))
    }

    #[doc = "ite(c, c, a) = c ∨ a, ite(c, a, c) = c ∧ a"]
    rule ite_condition_in_branch [Ite] ["(ite c c a)", "(ite c a c)"] (cx, t) {
        let [c, x, y] = cx.args(t)?;
        if x == c {
            Some(Step::rewrite(1, cx.pool.or(&[c, y])))
        } else if y == c {
            Some(Step::rewrite(1, cx.pool.and(&[c, x])))
        } else {
            None
        }
    }

    #[doc = "ite(c, ite(c, x, y), z) = ite(c, x, z), ite(c, x, ite(c, y, z)) = ite(c, x, z)"]
    rule ite_same_condition [Ite] ["(ite c (ite c x y) z)", "(ite c x (ite c y z))"] (cx, t) {
        let [c, x, y] = cx.args(t)?;
        let inner = |term| cx.view::<3>(term, OpKind::Ite).filter(|branches| branches[0] == c);
        let then = inner(x).map_or(x, |[_, then, _]| then);
        let otherwise = inner(y).map_or(y, |[_, _, otherwise]| otherwise);
        ((then, otherwise) != (x, y)).then(|| Step::rewrite(1, cx.pool.ite(c, then, otherwise)))
    }

    #[doc = "ite(c, x, ite(d, x, y)) = ite(c ∨ d, x, y), ite(c, ite(d, x, y), y) = ite(c ∧ d, x, y)"]
    rule ite_merge [Ite] [
        "(ite c x (ite d x y))", "(ite c x (ite d y x))", "(ite c (ite d x y) y)", "(ite c (ite d x y) x)"
    ] (cx, t) {
        let [c, x, y] = cx.args(t)?;
        if let Some([d, inner_x, inner_y]) = cx.view(y, OpKind::Ite) {
            if inner_x == x {
                let either = cx.pool.or(&[c, d]);
                return Some(Step::rewrite(2, cx.pool.ite(either, x, inner_y)));
            }
            if inner_y == x {
                let negated = cx.pool.not(d);
                let either = cx.pool.or(&[c, negated]);
                return Some(Step::rewrite(3, cx.pool.ite(either, x, inner_x)));
            }
        }
        let [d, inner_x, inner_y] = cx.view(x, OpKind::Ite)?;
        if inner_y == y {
            let both = cx.pool.and(&[c, d]);
            return Some(Step::rewrite(2, cx.pool.ite(both, inner_x, y)));
        }
        if inner_x == y {
            let negated = cx.pool.not(d);
            let both = cx.pool.and(&[c, negated]);
            return Some(Step::rewrite(3, cx.pool.ite(both, inner_y, y)));
        }
        None
    }

    #[doc = "ite(x = k, k, x) = x, ite(x = y, x, y) = y"]
    rule ite_of_equality [Ite] ["(ite (= x k) k x)", "(ite (= x y) x y)", "(ite (= x y) y x)"] (cx, t) {
        let [c, x, y] = cx.args(t)?;
        let [a, b] = cx.view(c, OpKind::Equal)?;
        ((a, b) == (x, y) || (b, a) == (x, y)).then(|| Step::done(y))
    }

    #[doc = "ite(c, x, y) = w becomes ite(c, x = w, y = w) where a branch is a literal as w is (ITE-EQ-1)"]
    rule ite_eq_1 [Equal] ["(= (ite c k x) l)", "(= (ite c x k) k)"] (cx, t) {
        let [a, b] = cx.args(t)?;
        let (ite, w) = if cx.pool.is_literal(b) { (a, b) } else { (b, a) };
        let [c, x, y] = cx.view(ite, OpKind::Ite)?;
        let gains = cx.pool.is_literal(w) && (cx.pool.is_literal(x) || cx.pool.is_literal(y));
        if !gains {
            return None;
        }
        let (x, y) = (cx.pool.equal(x, w), cx.pool.equal(y, w));
        Some(Step::rewrite(2, cx.pool.ite(c, x, y)))
    }

    #[doc = "ite(c, x, y) = ite(c, u, w) becomes ite(c, x = u, y = w) (ITE-EQ-2)"]
    rule ite_eq_2 [Equal] ["(= (ite c x y) (ite c y z))"] (cx, t) {
        let [a, b] = cx.args(t)?;
        let [c, x, y] = cx.view(a, OpKind::Ite)?;
        let [d, u, w] = cx.view(b, OpKind::Ite)?;
        if c != d {
            return None;
        }
        let (then, otherwise) = (cx.pool.equal(x, u), cx.pool.equal(y, w));
        Some(Step::rewrite(2, cx.pool.ite(c, then, otherwise)))
    }

    #[doc = "ite(c, x, y) = x becomes c ∨ y = x, ite(c, x, y) = y becomes ¬c ∨ x = y"]
    rule ite_eq_branch [Equal] [
        "(= (ite c x y) x)", "(= y (ite c x y))", "(= (ite c x y) (ite d z (ite c x y)))"
    ] (cx, t) {
        let [a, b] = cx.args(t)?;
        let (condition, other, w) = [(a, b), (b, a)].into_iter().find_map(|(ite, w)| {
            let [c, x, y] = cx.view(ite, OpKind::Ite)?;
            // The equation of floats is not one of the operands' values alone, but `=` is: it holds of NaN and itself.
            match w {
                _ if w == x => Some((c, y, w)),
                _ if w == y => Some((cx.pool.not(c), x, w)),
                _ => None,
            }
        })?;
        let equal = cx.pool.equal(other, w);
        Some(Step::rewrite(2, cx.pool.or(&[condition, equal])))
    }

    #[doc = "f(ite(c, x, y), k…) = ite(c, f(x, k…), f(y, k…)) for literals x, y, k (ITE-PUSH)"]
    rule ite_push [
        BvNot, BvNeg, BvAdd, BvMul, BvUdiv, BvUrem, BvSdiv, BvSrem, BvSmod, BvAnd, BvOr, BvXor, BvShl, BvLshr, BvAshr,
        BvUlt, BvUle, BvSlt, BvSle, Concat, Extract, ZeroExtend, SignExtend, IntAdd, IntMul, IntNeg, IntLe, IntLt,
        BvToInt, IntToBv
    ] [
        "(bvadd (ite c k l) one)", "(bvult (ite c zero one) k)", "((_ zero_extend 3) (ite c k l))", "(<= (ite c 3 -4) 1)"
    ] (cx, t) {
        let op = cx.pool.op(t);
        let children = cx.pool.children(t);
        let position = children.iter().position(|&child| cx.pool.op(child) == Op::Ite)?;
        let children = children.to_vec();
        let others = children.iter().enumerate().filter(|&(other, _)| other != position);
        let all_literals = others.clone().all(|(_, &child)| cx.pool.is_literal(child));
        let [c, x, y] = cx.args(children[position])?;
        if !all_literals || !cx.pool.is_literal(x) || !cx.pool.is_literal(y) {
            return None;
        }
        let mut branch = |value: TermId| {
            let mut children = children.clone();
            children[position] = value;
            cx.pool.make(op, &children)
        };
        let (x, y) = (branch(x), branch(y));
        Some(Step::rewrite(1, cx.pool.ite(c, x, y)))
    }

    #[doc = "ite(c, f(x, z…), f(y, z…)) = f(ite(c, x, y), z…) for scalars that differ in one place (ITE-PULL)"]
    rule ite_pull [Ite] [
        "(ite c (bvnot x) (bvnot y))", "(ite c (bvudiv x z) (bvudiv y z))", "(ite c (bvlshr z x) (bvlshr z y))",
        "(ite c ((_ zero_extend 2) x) ((_ zero_extend 2) y))"
    ] (cx, t) {
        let [c, a, b] = cx.args(t)?;
        let op = cx.pool.op(a);
        let structural = matches!(op, Op::Ite | Op::Select | Op::Store | Op::Lambda(_) | Op::Apply(_) | Op::And | Op::Or)
            || matches!(op, Op::PointerBase | Op::PointerOffset)
            || op.is_commutative();
        let scalar = matches!(cx.pool.sort(a), Sort::BitVec(_) | Sort::Int);
        if structural || !scalar || op != cx.pool.op(b) {
            return None;
        }
        let (left, right) = (cx.pool.children(a).to_vec(), cx.pool.children(b).to_vec());
        if left.len() != right.len() || left.is_empty() {
            return None;
        }
        let mut differing = (0..left.len()).filter(|&position| left[position] != right[position]);
        let (position, None) = (differing.next()?, differing.next()) else { return None };
        if cx.pool.sort_id(left[position]) != cx.pool.sort_id(right[position]) {
            return None;
        }
        let mut children = left.clone();
        children[position] = cx.pool.ite(c, left[position], right[position]);
        Some(Step::rewrite(2, cx.pool.make(op, &children)))
    }
}
