//! Bit-vector values against machine integers: exhaustively at small widths, at random where they are big integers.

use foghorn_term::BitVecValue;
use foghorn_term::generate::Random;

fn mask(width: u32) -> u128 {
    if width == 128 {
        u128::MAX
    } else {
        (1 << width) - 1
    }
}

fn signed(width: u32, value: u128) -> i128 {
    ((value << (128 - width)) as i128) >> (128 - width)
}

/// Every operation on two values, against arithmetic on `u128` and `i128`.
fn check(width: u32, x: u128, y: u128) {
    let (a, b) = (
        BitVecValue::from_u128(width, x),
        BitVecValue::from_u128(width, y),
    );
    let same = |ours: BitVecValue, theirs: u128, what: &str| {
        assert_eq!(
            ours,
            BitVecValue::from_u128(width, theirs & mask(width)),
            "{what} {a:?} {b:?}"
        );
    };
    same(a.add(&b), x.wrapping_add(y), "add");
    same(a.sub(&b), x.wrapping_sub(y), "sub");
    same(a.mul(&b), x.wrapping_mul(y), "mul");
    same(a.neg(), x.wrapping_neg(), "neg");
    same(a.not(), !x, "not");
    same(a.and(&b), x & y, "and");
    same(a.or(&b), x | y, "or");
    same(a.xor(&b), x ^ y, "xor");
    same(a.udiv(&b), x.checked_div(y).unwrap_or(u128::MAX), "udiv");
    same(a.urem(&b), x.checked_rem(y).unwrap_or(x), "urem");
    let (p, q) = (signed(width, x), signed(width, y));
    let by_zero = if p < 0 { 1 } else { -1 };
    same(
        a.sdiv(&b),
        if q == 0 { by_zero } else { p.wrapping_div(q) } as u128,
        "sdiv",
    );
    same(
        a.srem(&b),
        if q == 0 { p } else { p.wrapping_rem(q) } as u128,
        "srem",
    );
    let modulo = |p: i128, q: i128| {
        let rest = p.wrapping_rem(q);
        if rest != 0 && (rest < 0) != (q < 0) {
            rest + q
        } else {
            rest
        }
    };
    same(
        a.smod(&b),
        if q == 0 { p } else { modulo(p, q) } as u128,
        "smod",
    );
    let amount = u32::try_from(y).unwrap_or(u32::MAX).min(width);
    same(
        a.shl(&b),
        x.checked_shl(amount)
            .filter(|_| amount < width)
            .unwrap_or(0),
        "shl",
    );
    same(
        a.lshr(&b),
        x.checked_shr(amount)
            .filter(|_| amount < width)
            .unwrap_or(0),
        "lshr",
    );
    same(a.ashr(&b), (p >> amount.min(127)) as u128, "ashr");
    assert_eq!(
        (a.ult(&b), a.ule(&b), a.slt(&b), a.sle(&b)),
        (x < y, x <= y, p < q, p <= q)
    );
    assert_eq!(a.to_signed(), p.into());
    let fits = |product: Option<i128>| {
        product.is_some_and(|n| signed(width, n as u128 & mask(width)) == n)
    };
    assert_eq!(a.smul_overflows(&b), !fits(p.checked_mul(q)), "{a:?} {b:?}");
    assert_eq!(
        a.umul_overflows(&b),
        x.checked_mul(y).is_none_or(|n| n > mask(width)),
        "{a:?} {b:?}"
    );
    assert_eq!(a.concat(&b).extract(width - 1, 0), b);
    assert_eq!(a.concat(&b).extract(2 * width - 1, width), a);
    assert_eq!(a.sign_extend(70).to_signed(), a.to_signed());
    assert_eq!(a.zero_extend(70).to_biguint(), a.to_biguint());
}

#[test]
fn small_widths_exhaustively() {
    for width in 1..=5 {
        for x in 0..1 << width {
            for y in 0..1 << width {
                check(width, x, y);
            }
        }
    }
}

#[test]
fn large_widths_at_random() {
    let mut random = Random::new(11);
    for width in [31, 32, 63, 64, 65, 66, 100, 127, 128] {
        for _ in 0..2000 {
            let (x, y) = (
                random.bits(width).to_u128().unwrap(),
                random.bits(width).to_u128().unwrap(),
            );
            check(width, x, y);
        }
    }
}

#[test]
fn literals_print_as_smt_lib_writes_them() {
    assert_eq!(BitVecValue::from_u64(8, 0x0f).to_string(), "#x0f");
    assert_eq!(BitVecValue::from_u64(3, 5).to_string(), "#b101");
    assert_eq!(
        BitVecValue::from_u64(72, 1).to_string(),
        "#x000000000000000001"
    );
}
