//! Rules for extract, concat and the extensions, and comparisons of what they yield.

use super::rules;
use crate::op::{Op, OpKind};
use crate::pool::TermId;
use crate::rewrite::Step;

rules! {
    /// Slices.
    table SLICE = "slice";

    #[doc = "x[n-1:0] = x, and slices of literals fold"]
    rule extract_all [Extract] ["((_ extract {w-1} 0) x)", "((_ extract {i} {j}) k)"] (cx, t) {
        super::boolean::normalised(cx, t)
    }

    #[doc = "x[i:j][k:l] = x[k+j:l+j]"]
    rule extract_of_extract [Extract] ["((_ extract {i} {j}) ((_ extract {w} 1) wide))"] (cx, t) {
        let Op::Extract(high, low) = cx.pool.op(t) else { return None };
        let [inner] = cx.args(t)?;
        let Op::Extract(_, by) = cx.pool.op(inner) else { return None };
        let x = cx.pool.child(inner, 0);
        Some(Step::rewrite(1, cx.pool.extract(high + by, low + by, x)))
    }

    #[doc = "a slice of a concatenation is the concatenation of the slices of the parts it meets"]
    rule extract_of_concat [Extract] [
        "((_ extract {i} {j}) (concat x y))", "((_ extract {w} {j}) (concat x y))", "((_ extract {2w-1} {w}) (concat x y))"
    ] (cx, t) {
        let Op::Extract(high, low) = cx.pool.op(t) else { return None };
        let [inner] = cx.args(t)?;
        if cx.pool.op(inner) != Op::Concat {
            return None;
        }
        let parts = cx.pool.children(inner).to_vec();
        let mut bottom = 0;
        let mut slices: Vec<TermId> = Vec::new();
        for &part in parts.iter().rev() {
            let top = bottom + cx.pool.width(part) - 1;
            if bottom <= high && low <= top {
                slices.push(cx.pool.extract(high.min(top) - bottom, low.max(bottom) - bottom, part));
            }
            bottom = top + 1;
        }
        slices.reverse();
        let result = if let [only] = slices[..] { only } else { cx.pool.make(Op::Concat, &slices) };
        Some(Step::rewrite(2, result))
    }

    #[doc = "a slice of an extension is a slice of the operand, extended as far as it reaches over it"]
    rule extract_of_extension [Extract] [
        "((_ extract {i} {j}) ((_ zero_extend 3) x))", "((_ extract {w} {w}) ((_ zero_extend 3) x))",
        "((_ extract {w} {j}) ((_ sign_extend 3) x))", "((_ extract {w} {w}) ((_ sign_extend 3) x))"
    ] (cx, t) {
        let Op::Extract(high, low) = cx.pool.op(t) else { return None };
        let [inner] = cx.args(t)?;
        let signed = match cx.pool.op(inner) {
            Op::ZeroExtend(_) => false,
            Op::SignExtend(_) => true,
            _ => return None,
        };
        let x = cx.pool.child(inner, 0);
        let width = cx.pool.width(x);
        let by = (high + 1).saturating_sub(width);
        if low >= width {
            let count = high - low + 1;
            if !signed {
                return Some(Step::done(cx.pool.bv_zero(count)));
            }
            let sign = cx.pool.extract(width - 1, width - 1, x);
            return Some(Step::rewrite(2, cx.pool.sign_extend(count - 1, sign)));
        }
        let slice = cx.pool.extract(high.min(width - 1), low, x);
        let extension = if signed { Op::SignExtend(by) } else { Op::ZeroExtend(by) };
        Some(Step::rewrite(2, cx.pool.make(extension, &[slice])))
    }

    #[doc = "(x & k)[i:j] = x[i:j] & k[i:j], likewise |, ⊕, ~, and the low bits of +, · and -"]
    rule extract_of_bitwise [Extract] [
        "((_ extract {i} {j}) (bvand x k))", "((_ extract {i} {j}) (bvnot x))", "((_ extract {i} 0) (bvadd x k))",
        "((_ extract {i} 0) (bvneg x))"
    ] (cx, t) {
        let Op::Extract(high, low) = cx.pool.op(t) else { return None };
        let [inner] = cx.args(t)?;
        let op = cx.pool.op(inner);
        let children = cx.pool.children(inner).to_vec();
        let literal = children.last().is_some_and(|&last| cx.pool.is_literal(last));
        let fits = match op {
            Op::BvNot => true,
            Op::BvAnd | Op::BvOr | Op::BvXor => literal,
            Op::BvNeg => low == 0,
            Op::BvAdd | Op::BvMul => low == 0 && literal,
            _ => false,
        };
        if !fits || high - low + 1 == cx.pool.width(inner) {
            return None;
        }
        let slices: Vec<TermId> = children.iter().map(|&child| cx.pool.extract(high, low, child)).collect();
        Some(Step::rewrite(2, cx.pool.make(op, &slices)))
    }

    #[doc = "ite(c, x, y)[i:j] = ite(c, x[i:j], y[i:j]) where a branch is a literal, a concatenation or an extension"]
    rule extract_of_ite [Extract] ["((_ extract {i} {j}) (ite c x k))", "((_ extract {i} {j}) (ite c (concat x y) wide))"] (cx, t) {
        let Op::Extract(high, low) = cx.pool.op(t) else { return None };
        let [inner] = cx.args(t)?;
        let [c, x, y] = cx.view(inner, OpKind::Ite)?;
        let gains = |term| {
            cx.pool.is_literal(term)
                || matches!(cx.pool.op(term), Op::Concat | Op::ZeroExtend(_) | Op::SignExtend(_))
        };
        if (!gains(x) && !gains(y)) || high - low + 1 == cx.pool.width(inner) {
            return None;
        }
        let (x, y) = (cx.pool.extract(high, low, x), cx.pool.extract(high, low, y));
        Some(Step::rewrite(2, cx.pool.ite(c, x, y)))
    }

    #[doc = "x[i:j+1] · x[j:k] = x[i:k]; neighbouring literals and nested concatenations are joined"]
    rule concat_joins [Concat] [
        "(concat ((_ extract {2w-1} {w}) wide) ((_ extract {w-1} 0) wide))", "(concat x k l)", "(concat (concat x y) z)",
        "(concat x ((_ extract {2w-1} {w}) wide) ((_ extract {w-1} 0) wide) y)"
    ] (cx, t) {
        let children = cx.pool.children(t).to_vec();
        let mut joined: Vec<TermId> = Vec::new();
        for child in children {
            let pair = joined.last().map(|&last| (last, cx.pool.op(last), cx.pool.op(child)));
            match pair {
                Some((last, Op::Extract(high, middle), Op::Extract(below, low)))
                    if middle == below + 1 && cx.pool.child(last, 0) == cx.pool.child(child, 0) =>
                {
                    joined.pop();
                    let x = cx.pool.child(child, 0);
                    joined.push(cx.pool.extract(high, low, x));
                }
                Some(_) | None => joined.push(child),
            }
        }
        let result = if let [only] = joined[..] { only } else { cx.pool.make(Op::Concat, &joined) };
        (result != t).then(|| Step::rewrite(2, result))
    }

    #[doc = "0…0 · x is a zero extension"]
    rule concat_of_zeros [Concat] ["(concat zero x)", "(concat zero x y)"] (cx, t) {
        let children = cx.pool.children(t).to_vec();
        let (&first, rest) = children.split_first()?;
        let zeros = cx.bits(first)?;
        if !zeros.is_zero() {
            return None;
        }
        let rest = if let [only] = *rest { only } else { cx.pool.make(Op::Concat, rest) };
        Some(Step::rewrite(2, cx.pool.zero_extend(zeros.width(), rest)))
    }

    #[doc = "extensions by nothing are none, extensions of extensions are one, and literals fold"]
    rule extension_of_extension [ZeroExtend, SignExtend] [
        "((_ zero_extend 0) x)", "((_ sign_extend 0) x)", "((_ zero_extend 2) ((_ zero_extend 3) x))",
        "((_ sign_extend 2) ((_ sign_extend 3) x))", "((_ sign_extend 2) ((_ zero_extend 3) x))", "((_ sign_extend 1) k)"
    ] (cx, t) {
        let [inner] = cx.args(t)?;
        match (cx.pool.op(t), cx.pool.op(inner)) {
            (Op::ZeroExtend(by), Op::ZeroExtend(more)) => {
                let x = cx.pool.child(inner, 0);
                Some(Step::rewrite(1, cx.pool.zero_extend(by + more, x)))
            }
            (Op::SignExtend(by), Op::SignExtend(more)) => {
                let x = cx.pool.child(inner, 0);
                Some(Step::rewrite(1, cx.pool.sign_extend(by + more, x)))
            }
            (Op::SignExtend(by), Op::ZeroExtend(more)) if more > 0 => {
                let x = cx.pool.child(inner, 0);
                Some(Step::rewrite(1, cx.pool.zero_extend(by + more, x)))
            }
            _ => super::boolean::normalised(cx, t),
        }
    }

    #[doc = "extensions of the same kind are equal, or ordered, as their operands are"]
    rule comparison_of_extensions [Equal, BvUlt, BvUle, BvSlt, BvSle] [
        "(= ((_ zero_extend 2) x) ((_ zero_extend 2) y))", "(= ((_ sign_extend 2) x) ((_ sign_extend 2) y))",
        "(bvult ((_ zero_extend 2) x) ((_ zero_extend 2) y))", "(bvslt ((_ sign_extend 2) x) ((_ sign_extend 2) y))",
        "(bvsle ((_ zero_extend 2) x) ((_ zero_extend 2) y))", "(bvule ((_ sign_extend 2) x) ((_ sign_extend 2) y))"
    ] (cx, t) {
        let [a, b] = cx.args(t)?;
        let extension = cx.pool.op(a);
        if extension != cx.pool.op(b) || matches!(extension, Op::ZeroExtend(0) | Op::SignExtend(0)) {
            return None;
        }
        let op = match (cx.pool.op(t), extension) {
            // Zero extensions are not negative, so signed order on them is unsigned order below.
            (Op::BvSlt, Op::ZeroExtend(_)) => Op::BvUlt,
            (Op::BvSle, Op::ZeroExtend(_)) => Op::BvUle,
            (op, Op::ZeroExtend(_) | Op::SignExtend(_)) => op,
            _ => return None,
        };
        let (x, y) = (cx.pool.child(a, 0), cx.pool.child(b, 0));
        if cx.pool.sort_id(x) != cx.pool.sort_id(y) {
            return None;
        }
        Some(Step::rewrite(1, cx.pool.make(op, &[x, y])))
    }

    #[doc = "an extension equals a literal where its operand equals the low bits and the high bits are the extension's"]
    rule equality_of_extension_and_literal [Equal] [
        "(= ((_ zero_extend {w}) x) wk)", "(= ((_ zero_extend {w}) x) zk)", "(= ok ((_ sign_extend {w}) x))",
        "(= ((_ sign_extend {w}) x) wk)"
    ] (cx, t) {
        let [a, b] = cx.args(t)?;
        let (side, literal) = if cx.pool.is_literal(b) { (a, b) } else { (b, a) };
        let literal = cx.bits(literal)?;
        let (signed, by) = match cx.pool.op(side) {
            Op::ZeroExtend(by) => (false, by),
            Op::SignExtend(by) => (true, by),
            _ => return None,
        };
        let x = cx.pool.child(side, 0);
        let low = literal.extract(cx.pool.width(x) - 1, 0);
        let extended = if signed { low.sign_extend(by) } else { low.zero_extend(by) };
        if extended != literal {
            return Some(Step::done(cx.pool.bool(false)));
        }
        let low = cx.pool.bitvec(low);
        Some(Step::rewrite(1, cx.pool.equal(x, low)))
    }

    #[doc = "concatenations that are cut alike are equal where their parts are"]
    rule equality_of_concats [Equal] ["(= (concat x y) (concat y z))", "(= (concat x y) (concat x z))", "(= (concat x y) (concat k l))"] (cx, t) {
        let [a, b] = cx.args(t)?;
        let (a, b) = if cx.pool.op(a) == Op::Concat { (a, b) } else { (b, a) };
        let [high, low] = cx.view(a, OpKind::Concat)?;
        let (high_width, low_width) = (cx.pool.width(high), cx.pool.width(low));
        let (other_high, other_low) = super::bitvec::split(cx, b, high_width, low_width)?;
        let (first, second) = (cx.pool.equal(high, other_high), cx.pool.equal(low, other_low));
        Some(Step::rewrite(2, cx.pool.and(&[first, second])))
    }

    #[doc = "0…0 · x < k is x < k's low bits where k's high bits are zero, else ⊤; and mirrored"]
    rule comparison_of_zero_extension_and_literal [BvUlt] [
        "(bvult ((_ zero_extend {w}) x) zk)", "(bvult ((_ zero_extend {w}) x) ok)", "(bvult zk ((_ zero_extend {w}) x))",
        "(bvult ok ((_ zero_extend {w}) x))"
    ] (cx, t) {
        let [a, b] = cx.args(t)?;
        let extended_left = matches!(cx.pool.op(a), Op::ZeroExtend(_));
        let (side, literal) = if extended_left { (a, b) } else { (b, a) };
        let Op::ZeroExtend(by) = cx.pool.op(side) else { return None };
        let literal = cx.bits(literal)?;
        let x = cx.pool.child(side, 0);
        let low = literal.extract(cx.pool.width(x) - 1, 0);
        if low.zero_extend(by) != literal {
            return Some(Step::done(cx.pool.bool(extended_left)));
        }
        let low = cx.pool.bitvec(low);
        let (left, right) = if extended_left { (x, low) } else { (low, x) };
        Some(Step::rewrite(1, cx.pool.bv_ult(left, right)))
    }
}
