//! Rules for sums and products, of bit-vectors and of integers: figure 2.4 of the SEAM thesis and the ring laws around it.
//!
//! The normal form is a sum of products with one literal last. Negation moves to the leaves of a sum.

use super::{Context, rules};
use crate::op::{Op, OpKind};
use crate::pool::TermId;
use crate::rewrite::Step;
use crate::sort::Sort;
use crate::value::BitVecValue;
use num_bigint::BigInt;

rules! {
    /// Sums and products (fig. 2.4).
    table ARITHMETIC = "arithmetic";

    #[doc = "a + (b + c) = a + b + c, and literals add up (ADD-FLATTEN, ADD-COMPRESS); likewise for products"]
    rule add_flatten_compress [BvAdd, IntAdd, BvMul, IntMul] [
        "(bvadd x (bvadd y z))", "(bvadd x k l)", "(bvadd x zero)", "(+ p (+ q 1) 2)", "(+ p 0)",
        "(bvmul x (bvmul y z))", "(bvmul k x l)", "(bvmul x zero)", "(* 1 p)", "(* p 0)"
    ] (cx, t) {
        super::boolean::normalised(cx, t)
    }

    #[doc = "x + -x = 0 inside a sum"]
    rule add_cancel [BvAdd, IntAdd] ["(bvadd x y (bvneg x))", "(bvadd x (bvneg x))", "(+ p (- p))"] (cx, t) {
        let negation = if cx.pool.op(t) == Op::BvAdd { OpKind::BvNeg } else { OpKind::IntNeg };
        let mut children = few_children(cx, t)?;
        let (positive, negative) = children.iter().enumerate().find_map(|(negative, &child)| {
            let [inner] = cx.view(child, negation)?;
            let positive = children.iter().position(|&other| other == inner)?;
            Some((positive, negative))
        })?;
        children.remove(positive.max(negative));
        children.remove(positive.min(negative));
        Some(Step::rewrite(1, sum(cx, t, &children)))
    }

    #[doc = "x + ~x = -1 inside a sum"]
    rule add_complement [BvAdd] ["(bvadd x (bvnot x))", "(bvadd x y (bvnot x))"] (cx, t) {
        let mut children = few_children(cx, t)?;
        let (positive, negative) = children.iter().enumerate().find_map(|(negative, &child)| {
            let [inner] = cx.view(child, OpKind::BvNot)?;
            let positive = children.iter().position(|&other| other == inner)?;
            Some((positive, negative))
        })?;
        children.remove(positive.max(negative));
        children.remove(positive.min(negative));
        children.push(cx.pool.bv_ones(cx.pool.width(t)));
        Some(Step::rewrite(1, sum(cx, t, &children)))
    }

    #[doc = "~x + k = -x + (k - 1): complement and literal in a sum"]
    rule add_complement_and_literal [BvAdd] ["(bvadd (bvnot x) one)", "(bvadd y (bvnot x) one)"] (cx, t) {
        let children = cx.pool.children(t).to_vec();
        let (&last, rest) = children.split_last()?;
        let literal = cx.bits(last)?;
        let position = rest.iter().position(|&child| cx.pool.op(child) == Op::BvNot)?;
        let mut new = rest.to_vec();
        new[position] = cx.pool.bv_neg(cx.pool.child(rest[position], 0));
        let less = literal.sub(&BitVecValue::one(literal.width()));
        new.push(cx.pool.bitvec(less));
        Some(Step::rewrite(2, sum(cx, t, &new)))
    }

    #[doc = "k·x + l·x = (k + l)·x: like summands are collected"]
    rule add_collect [BvAdd, IntAdd] [
        "(bvadd x x)", "(bvadd (bvmul x k) x)", "(bvadd (bvmul x k) y (bvmul x l))", "(+ p p)", "(+ (* p 3) (- p))",
        "(bvadd x (bvmul x ones))"
    ] (cx, t) {
        let children = few_children(cx, t)?;
        let parts: Vec<(TermId, TermId)> = children.iter().map(|&child| scaled(cx, child)).collect();
        let (first, second) = (0..parts.len()).find_map(|second| {
            let first = (0..second).find(|&first| parts[first].0 == parts[second].0)?;
            Some((first, second)).filter(|_| !cx.pool.is_literal(parts[first].0))
        })?;
        let integer = cx.pool.sort(t) == Sort::Int;
        let (add, mul) = if integer { (Op::IntAdd, Op::IntMul) } else { (Op::BvAdd, Op::BvMul) };
        let factor = cx.pool.make(add, &[parts[first].1, parts[second].1]);
        let product = cx.pool.make(mul, &[parts[first].0, factor]);
        let mut new = children;
        new.remove(second);
        new[first] = product;
        Some(Step::rewrite(2, sum(cx, t, &new)))
    }

    #[doc = "--x = x and -k folds"]
    rule neg_neg [BvNeg, IntNeg] ["(bvneg (bvneg x))", "(- (- p))", "(bvneg k)"] (cx, t) {
        let [a] = cx.args(t)?;
        if cx.pool.is_literal(a) {
            return super::boolean::normalised(cx, t);
        }
        let [inner] = cx.view(a, cx.pool.op(t).kind())?;
        Some(Step::done(inner))
    }

    #[doc = "-(x + k) = -x + -k for a literal k"]
    rule neg_of_sum [BvNeg, IntNeg] ["(bvneg (bvadd x one))", "(- (+ p 2))"] (cx, t) {
        let [inner] = cx.args(t)?;
        let negation = cx.pool.op(t);
        let add = if negation == Op::BvNeg { Op::BvAdd } else { Op::IntAdd };
        let children = cx.pool.children(inner).to_vec();
        if cx.pool.op(inner) != add || !children.last().is_some_and(|&last| cx.pool.is_literal(last)) {
            return None;
        }
        let negated: Vec<TermId> = children.iter().map(|&child| cx.pool.make(negation, &[child])).collect();
        Some(Step::rewrite(2, cx.pool.make(add, &negated)))
    }

    #[doc = "x + y - (x + z) = y - z"]
    rule add_cancel_sum [BvAdd, IntAdd] ["(bvadd x y (bvneg (bvadd x z)))", "(+ p q (- (+ q r)))"] (cx, t) {
        let negation = if cx.pool.op(t) == Op::BvAdd { OpKind::BvNeg } else { OpKind::IntNeg };
        let children = few_children(cx, t)?;
        let (position, inner) = children.iter().enumerate().find_map(|(position, &child)| {
            let [inner] = cx.view(child, negation)?;
            let shares = cx.pool.op(inner) == cx.pool.op(t)
                && cx.pool.children(inner).iter().any(|summand| children.contains(summand));
            shares.then_some((position, inner))
        })?;
        let (mut kept, mut subtracted) = (children, few_children(cx, inner)?);
        let negated = kept.remove(position);
        subtracted.retain(|summand| match kept.iter().position(|other| other == summand) {
            Some(common) => {
                kept.remove(common);
                false
            }
            None => true,
        });
        let rest = sum(cx, inner, &subtracted);
        kept.push(cx.pool.make(cx.pool.op(negated), &[rest]));
        Some(Step::rewrite(2, sum(cx, t, &kept)))
    }

    #[doc = "-(x·k) = x·-k for a literal k"]
    rule neg_of_product [BvNeg, IntNeg] ["(bvneg (bvmul x k))", "(- (* p 3))"] (cx, t) {
        let [inner] = cx.args(t)?;
        let negation = cx.pool.op(t);
        let mul = if negation == Op::BvNeg { Op::BvMul } else { Op::IntMul };
        let mut children = cx.pool.children(inner).to_vec();
        let last = *children.last().filter(|&&last| cx.pool.is_literal(last))?;
        if cx.pool.op(inner) != mul {
            return None;
        }
        children.pop();
        children.push(cx.pool.make(negation, &[last]));
        Some(Step::rewrite(1, cx.pool.make(mul, &children)))
    }

    #[doc = "x·-1 = -x"]
    rule mul_minus_one [BvMul, IntMul] ["(bvmul x ones)", "(* p -1)"] (cx, t) {
        let [x, factor] = cx.args(t)?;
        if let Some(bits) = cx.pool.as_bitvec(factor) {
            return bits.is_ones().then(|| Step::rewrite(1, cx.pool.bv_neg(x)));
        }
        let minus_one = cx.pool.as_int(factor)? == &BigInt::from(-1);
        minus_one.then(|| Step::rewrite(1, cx.pool.int_neg(x)))
    }

    #[doc = "-x·y = -(x·y): the sign leaves a product"]
    rule mul_of_negation [BvMul, IntMul] ["(bvmul (bvneg x) y)", "(* (- p) q)"] (cx, t) {
        let op = cx.pool.op(t);
        let negation = if op == Op::BvMul { Op::BvNeg } else { Op::IntNeg };
        let mut children = cx.pool.children(t).to_vec();
        let position = children.iter().position(|&child| cx.pool.op(child) == negation)?;
        children[position] = cx.pool.child(children[position], 0);
        let product = cx.pool.make(op, &children);
        Some(Step::rewrite(2, cx.pool.make(negation, &[product])))
    }

    #[doc = "x / 1 = x, x / 0 = -1 (unsigned); x % 1 = 0, x % 0 = x"]
    rule division_by_trivial [BvUdiv, BvUrem, BvSdiv, BvSrem, BvSmod] [
        "(bvudiv x zero)", "(bvurem x zero)", "(bvurem x one)", "(bvsrem x zero)", "(bvsmod x zero)", "(bvudiv k l)"
    ] (cx, t) {
        let [x, divisor] = cx.args(t)?;
        if cx.pool.is_literal(x) {
            return super::boolean::normalised(cx, t);
        }
        let width = cx.pool.width(x);
        let divisor = cx.bits(divisor)?;
        let zero = divisor.is_zero();
        // In one bit, one is minus one: the signed operators have laws of their own there.
        let one = divisor.is_one() && width > 1;
        match cx.pool.op(t) {
            Op::BvUdiv if zero => Some(Step::done(cx.pool.bv_ones(width))),
            Op::BvUdiv if divisor.is_one() => Some(Step::done(x)),
            Op::BvUrem if divisor.is_one() => Some(Step::done(cx.pool.bv_zero(width))),
            Op::BvUrem | Op::BvSrem | Op::BvSmod if zero => Some(Step::done(x)),
            Op::BvSrem | Op::BvSmod if one => Some(Step::done(cx.pool.bv_zero(width))),
            Op::BvSdiv if one => Some(Step::done(x)),
            _ => None,
        }
    }

    #[doc = "x / 2^i = x >> i, x % 2^i = x & (2^i - 1), unsigned"]
    rule division_by_power [BvUdiv, BvUrem] ["(bvudiv x pow)", "(bvurem x pow)"] (cx, t) {
        let [x, divisor] = cx.args(t)?;
        let divisor = cx.bits(divisor)?;
        let power = divisor.power_of_two()?;
        let width = cx.pool.width(x);
        if cx.pool.op(t) == Op::BvUdiv {
            let amount = cx.pool.bv(width, u64::from(power));
            return Some(Step::rewrite(1, cx.pool.bv_lshr(x, amount)));
        }
        let low = cx.pool.bitvec(BitVecValue::low_mask(width, power));
        Some(Step::rewrite(1, cx.pool.bv_and(x, low)))
    }

    #[doc = "x·2^i = x << i"]
    rule mul_by_power [BvMul] ["(bvmul x pow)"] (cx, t) {
        let [x, factor] = cx.args(t)?;
        let power = cx.bits(factor)?.power_of_two()?;
        let amount = cx.pool.bv(cx.pool.width(x), u64::from(power));
        Some(Step::rewrite(1, cx.pool.bv_shl(x, amount)))
    }

    #[doc = "p div 1 = p, p mod 1 = 0, and p mod k mod k = p mod k"]
    rule integer_division [IntDiv, IntMod] ["(div p 1)", "(mod p 1)", "(mod (mod p 5) 5)", "(div 7 2)"] (cx, t) {
        let [a, b] = cx.args(t)?;
        let op = cx.pool.op(t);
        let divisor = cx.pool.as_int(b)?.clone();
        if cx.pool.is_literal(a) && divisor != BigInt::ZERO {
            return super::boolean::normalised(cx, t);
        }
        if divisor == BigInt::from(1) {
            return Some(Step::done(if op == Op::IntDiv { a } else { cx.pool.int(0) }));
        }
        let [_, inner] = cx.view(a, OpKind::IntMod)?;
        (op == Op::IntMod && inner == b && divisor != BigInt::ZERO).then(|| Step::done(a))
    }

    #[doc = "k·(x + l) = k·x + k·l for literals k, l"]
    rule mul_distributes [BvMul, IntMul] ["(bvmul (bvadd x one) k)", "(* (+ p 2) 3)"] (cx, t) {
        let [inner, factor] = cx.args(t)?;
        let op = cx.pool.op(t);
        let add = if op == Op::BvMul { Op::BvAdd } else { Op::IntAdd };
        let children = cx.pool.children(inner).to_vec();
        let literals = cx.pool.is_literal(factor) && children.last().is_some_and(|&last| cx.pool.is_literal(last));
        if cx.pool.op(inner) != add || !literals || children.len() > 2 {
            return None;
        }
        let products: Vec<TermId> = children.iter().map(|&child| cx.pool.make(op, &[child, factor])).collect();
        Some(Step::rewrite(2, cx.pool.make(add, &products)))
    }

    #[doc = "int_to_bv(ubv_to_int(x)) is x cut or zero-extended"]
    rule int_to_bv_of_bv [IntToBv] ["((_ int_to_bv {w}) (ubv_to_int x))", "((_ int_to_bv 3) (ubv_to_int wide))"] (cx, t) {
        let [inner] = cx.args(t)?;
        let [x] = cx.view(inner, OpKind::BvToInt)?;
        Some(Step::rewrite(1, cx.pool.zero_resize(cx.pool.width(t), x)))
    }
}

/// The children, unless there are so many that comparing all with all would be felt.
fn few_children(cx: &Context<'_>, term: TermId) -> Option<Vec<TermId>> {
    const FEW: usize = 64;
    let children = cx.pool.children(term);
    (children.len() <= FEW).then(|| children.to_vec())
}

/// A sum of any number of summands, of the sort of `like`.
fn sum(cx: &mut Context<'_>, like: TermId, children: &[TermId]) -> TermId {
    match (children, cx.pool.sort(like)) {
        ([], Sort::BitVec(width)) => cx.pool.bv_zero(width),
        ([], _) => cx.pool.int(0),
        ([only], _) => *only,
        _ => cx.pool.make(cx.pool.op(like), children),
    }
}

/// The term as something times a literal.
fn scaled(cx: &mut Context<'_>, term: TermId) -> (TermId, TermId) {
    let sort = cx.pool.sort(term);
    let mut literal = |value: i64| match sort {
        Sort::BitVec(width) => cx.pool.bitvec(BitVecValue::from_i64(width, value)),
        _ => cx.pool.int(value),
    };
    let (one, minus_one) = (literal(1), literal(-1));
    match cx.pool.op(term) {
        Op::BvNeg | Op::IntNeg => (cx.pool.child(term, 0), minus_one),
        Op::BvMul | Op::IntMul => match cx.args(term) {
            Some([x, factor]) if cx.pool.is_literal(factor) => (x, factor),
            Some(_) | None => (term, one),
        },
        // A shift by a literal is a product in disguise, which is how products with powers of two are written.
        Op::BvShl => match cx.args(term) {
            Some([x, amount]) if let Some(amount) = cx.bits(amount) => {
                let factor = BitVecValue::one(amount.width()).shl(&amount);
                (x, cx.pool.bitvec(factor))
            }
            Some(_) | None => (term, one),
        },
        _ => (term, one),
    }
}
