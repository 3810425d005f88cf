//! Rules for shifts: by literals they are slices, which say more about their bits.

use super::rules;
use crate::op::Op;
use crate::rewrite::Step;

rules! {
    /// Shifts.
    table SHIFT = "shift";

    #[doc = "x << 0 = x, 0 << x = 0, and likewise to the right; literals fold"]
    rule shift_trivial [BvShl, BvLshr, BvAshr] [
        "(bvshl x zero)", "(bvlshr x zero)", "(bvashr x zero)", "(bvshl zero x)", "(bvlshr zero x)", "(bvashr zero x)",
        "(bvashr ones x)", "(bvshl k l)"
    ] (cx, t) {
        let [x, amount] = cx.args(t)?;
        if cx.bits(amount).is_some_and(|amount| amount.is_zero()) {
            return Some(Step::done(x));
        }
        let value = cx.bits(x)?;
        if value.is_zero() || (value.is_ones() && cx.pool.op(t) == Op::BvAshr) {
            return Some(Step::done(x));
        }
        super::boolean::normalised(cx, t)
    }

    #[doc = "x << i = x[n-i-1:0] · 0…0, and 0 when i reaches the width"]
    rule shl_as_slice [BvShl] ["(bvshl x one)", "(bvshl x ones)"] (cx, t) {
        let [x, amount] = cx.args(t)?;
        let (amount, width) = (cx.bits(amount)?, cx.pool.width(t));
        let zero = cx.pool.bv_zero(width);
        let Some(amount) = amount.to_u64().filter(|&amount| amount < u64::from(width)) else {
            return Some(Step::done(zero));
        };
        let amount = amount as u32;
        if amount == 0 {
            return Some(Step::done(x));
        }
        let slice = cx.pool.extract(width - amount - 1, 0, x);
        let zeros = cx.pool.bv_zero(amount);
        Some(Step::rewrite(2, cx.pool.concat(slice, zeros)))
    }

    #[doc = "x >> i = 0…0 · x[n-1:i], with sign bits for the arithmetic shift"]
    rule shr_as_slice [BvLshr, BvAshr] ["(bvlshr x one)", "(bvlshr x ones)", "(bvashr x one)", "(bvashr x ones)"] (cx, t) {
        let [x, amount] = cx.args(t)?;
        let (amount, width) = (cx.bits(amount)?, cx.pool.width(t));
        let arithmetic = cx.pool.op(t) == Op::BvAshr;
        let amount = amount.to_u64().filter(|&amount| amount < u64::from(width)).map(|amount| amount as u32);
        let amount = match amount {
            Some(0) => return Some(Step::done(x)),
            Some(amount) => amount,
            None if arithmetic => width - 1,
            None => return Some(Step::done(cx.pool.bv_zero(width))),
        };
        if amount == 0 {
            return Some(Step::done(x));
        }
        let slice = cx.pool.extract(width - 1, amount, x);
        let extension = if arithmetic { Op::SignExtend(amount) } else { Op::ZeroExtend(amount) };
        Some(Step::rewrite(2, cx.pool.make(extension, &[slice])))
    }
}
