//! SMT-LIB's operators as terms.

use foghorn_term::{Op, Sort, TermId, TermPool};

type Made = Result<TermId, String>;

/// Applies an operator without indices.
pub(super) fn apply(pool: &mut TermPool, name: &str, arguments: &[TermId]) -> Made {
    if let Some(op) = simple(name, arguments.len()) {
        return checked(pool, op, arguments);
    }
    match (name, arguments) {
        ("and" | "or" | "+" | "*" | "bvadd" | "bvmul" | "bvand" | "bvor" | "concat", [one]) => {
            Ok(*one)
        }
        ("and", []) => Ok(pool.bool(true)),
        ("or", []) => Ok(pool.bool(false)),
        ("-", [first, rest @ ..]) => {
            let mut sum = vec![*first];
            for term in rest {
                sum.push(checked(pool, Op::IntNeg, &[*term])?);
            }
            checked(pool, Op::IntAdd, &sum)
        }
        ("=>", [premises @ .., conclusion]) => {
            let mut made = *conclusion;
            for premise in premises.iter().rev() {
                made = checked(pool, Op::Implies, &[*premise, made])?;
            }
            Ok(made)
        }
        ("=" | "<=" | "<" | ">=" | ">", _) => chained(pool, name, arguments),
        ("xor", [first, rest @ ..]) => {
            let mut made = *first;
            for term in rest {
                made = checked(pool, Op::Xor, &[made, *term])?;
            }
            Ok(made)
        }
        ("distinct", _) => distinct(pool, arguments),
        ("abs", [x]) => {
            let zero = pool.int(0);
            let negative = checked(pool, Op::IntLt, &[*x, zero])?;
            let minus = checked(pool, Op::IntNeg, &[*x])?;
            checked(pool, Op::Ite, &[negative, minus, *x])
        }
        ("bvsub", [a, b]) => {
            let minus = checked(pool, Op::BvNeg, &[*b])?;
            checked(pool, Op::BvAdd, &[*a, minus])
        }
        ("bvugt", [a, b]) => checked(pool, Op::BvUlt, &[*b, *a]),
        ("bvuge", [a, b]) => checked(pool, Op::BvUle, &[*b, *a]),
        ("bvsgt", [a, b]) => checked(pool, Op::BvSlt, &[*b, *a]),
        ("bvsge", [a, b]) => checked(pool, Op::BvSle, &[*b, *a]),
        _ => Err(format!(
            "the operator {name} with {} arguments is not supported",
            arguments.len()
        )),
    }
}

fn simple(name: &str, arity: usize) -> Option<Op> {
    Some(match (name, arity) {
        ("not", 1) => Op::Not,
        ("and", 2..) => Op::And,
        ("or", 2..) => Op::Or,
        ("ite", 3) => Op::Ite,
        ("+", 2..) => Op::IntAdd,
        ("*", 2..) => Op::IntMul,
        ("-", 1) => Op::IntNeg,
        ("div", 2) => Op::IntDiv,
        ("mod", 2) => Op::IntMod,
        ("select", 2) => Op::Select,
        ("store", 3) => Op::Store,
        ("bvnot", 1) => Op::BvNot,
        ("bvneg", 1) => Op::BvNeg,
        ("bvadd", 2..) => Op::BvAdd,
        ("bvmul", 2..) => Op::BvMul,
        ("bvand", 2..) => Op::BvAnd,
        ("bvor", 2..) => Op::BvOr,
        ("bvxor", 2..) => Op::BvXor,
        ("bvudiv", 2) => Op::BvUdiv,
        ("bvurem", 2) => Op::BvUrem,
        ("bvsdiv", 2) => Op::BvSdiv,
        ("bvsrem", 2) => Op::BvSrem,
        ("bvsmod", 2) => Op::BvSmod,
        ("bvshl", 2) => Op::BvShl,
        ("bvlshr", 2) => Op::BvLshr,
        ("bvashr", 2) => Op::BvAshr,
        ("bvult", 2) => Op::BvUlt,
        ("bvule", 2) => Op::BvUle,
        ("bvslt", 2) => Op::BvSlt,
        ("bvsle", 2) => Op::BvSle,
        ("concat", 2..) => Op::Concat,
        _ => return None,
    })
}

/// The widest bit-vectors that are read. Sums of widths have to fit a machine word, and no system
/// needs as many.
pub(super) const MOST_BITS: u32 = 1 << 16;

/// How wide the result of an operator that makes bit-vectors wider would be.
fn width(pool: &TermPool, op: Op, arguments: &[TermId]) -> u64 {
    let of_arguments = arguments.iter().map(|term| match pool.sort(*term) {
        Sort::BitVec(width) => u64::from(width),
        _ => 0,
    });
    match op {
        Op::Concat => of_arguments.sum(),
        Op::ZeroExtend(by) | Op::SignExtend(by) => of_arguments.sum::<u64>() + u64::from(by),
        Op::IntToBv(width) => u64::from(width),
        _ => 0,
    }
}

/// Interns first, which checks the sorts, then builds, which normalises.
fn checked(pool: &mut TermPool, op: Op, arguments: &[TermId]) -> Made {
    if width(pool, op, arguments) > u64::from(MOST_BITS) {
        return Err(format!(
            "bit-vectors of more than {MOST_BITS} bits are not supported"
        ));
    }
    if op == Op::IntToBv(0) {
        return Err("a bit-vector has at least one bit".into());
    }
    pool.try_intern(op, arguments)
        .map_err(|error| error.to_string())?;
    Ok(pool.make(op, arguments))
}

fn compare(pool: &mut TermPool, name: &str, a: TermId, b: TermId) -> Made {
    match name {
        "=" => checked(pool, Op::Equal, &[a, b]),
        "<=" => checked(pool, Op::IntLe, &[a, b]),
        "<" => checked(pool, Op::IntLt, &[a, b]),
        ">=" => checked(pool, Op::IntLe, &[b, a]),
        _ => checked(pool, Op::IntLt, &[b, a]),
    }
}

fn chained(pool: &mut TermPool, name: &str, arguments: &[TermId]) -> Made {
    let mut links = Vec::new();
    for pair in arguments.windows(2) {
        links.push(compare(pool, name, pair[0], pair[1])?);
    }
    match links.as_slice() {
        [] => Err(format!("{name} needs two arguments")),
        [one] => Ok(*one),
        _ => Ok(pool.and(&links)),
    }
}

fn distinct(pool: &mut TermPool, arguments: &[TermId]) -> Made {
    let mut apart = Vec::new();
    for (i, a) in arguments.iter().enumerate() {
        for b in &arguments[i + 1..] {
            let same = checked(pool, Op::Equal, &[*a, *b])?;
            apart.push(pool.not(same));
        }
    }
    match apart.as_slice() {
        [] => Ok(pool.bool(true)),
        [one] => Ok(*one),
        _ => Ok(pool.and(&apart)),
    }
}

/// Applies an operator with indices.
pub(super) fn apply_indexed(
    pool: &mut TermPool,
    name: &str,
    indices: &[u32],
    value: TermId,
) -> Made {
    let op = match (name, indices) {
        ("extract", [high, low]) => Op::Extract(*high, *low),
        ("zero_extend", [by]) => Op::ZeroExtend(*by),
        ("sign_extend", [by]) => Op::SignExtend(*by),
        ("int2bv" | "int_to_bv", [width]) => Op::IntToBv(*width),
        ("rotate_left" | "rotate_right", [by]) => {
            let Sort::BitVec(width) = pool.sort(value) else {
                return Err("a rotation of something no bit-vector".into());
            };
            let by = by % width;
            let left = if name == "rotate_left" {
                by
            } else {
                (width - by) % width
            };
            if left == 0 {
                return Ok(value);
            }
            let low = checked(pool, Op::Extract(width - left - 1, 0), &[value])?;
            let high = checked(pool, Op::Extract(width - 1, width - left), &[value])?;
            return checked(pool, Op::Concat, &[low, high]);
        }
        _ => return Err(format!("the operator {name} is not supported")),
    };
    checked(pool, op, &[value])
}
