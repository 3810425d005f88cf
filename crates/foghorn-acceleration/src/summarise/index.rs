//! The induction variable: the counter of a loop as an index that does not wrap around.

use super::linear::Linear;
use foghorn_term::{Op, Substitution, TermId, TermPool};

/// The counter in a rehearsal, and what it stands for.
#[derive(Clone, Debug)]
pub struct Index {
    /// The symbol that the counter is in a rehearsal.
    pub symbol: TermId,
    /// The symbol as a number of the width of addresses.
    pub wide: TermId,
    pub signed: bool,
    /// The first value of the counter, in the counter's width.
    pub first: TermId,
}

/// A sum of the counter and a number that a rehearsal extends to the width of addresses: exact for
/// indices for which the sum does not leave the range of the counter's type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Extension {
    pub signed: bool,
    pub plus: i64,
}

impl Index {
    /// A number of the counter's width as one of the width of addresses.
    pub fn widen(&self, pool: &mut TermPool, width: u32, term: TermId) -> TermId {
        match self.signed {
            true => pool.sign_resize(width, term),
            false => pool.zero_resize(width, term),
        }
    }

    /// A term of a rehearsal as one of the index `bound`, which is as wide as an address, and the
    /// extensions that are taken to be exact.
    pub fn lift(
        &self,
        pool: &mut TermPool,
        term: TermId,
        bound: TermId,
        extensions: &mut Vec<Extension>,
    ) -> TermId {
        let (width, narrow) = (pool.width(bound), pool.width(self.symbol));
        let mut substitution = Substitution::new();
        let inner: Vec<TermId> = pool.post_order(&[term]).collect();
        for inner in inner {
            let signed = match pool.op(inner) {
                Op::SignExtend(_) => true,
                Op::ZeroExtend(_) => false,
                _ => continue,
            };
            let of = pool.child(inner, 0);
            let bits = pool.width(inner);
            if bits > width || pool.width(of) != narrow {
                continue;
            }
            let (by, rest) = Linear::of(pool, of).split(self.symbol);
            let (1, Some(plus)) = (by, rest.number()) else {
                continue;
            };
            let extension = Extension { signed, plus };
            if !extensions.contains(&extension) {
                extensions.push(extension);
            }
            let plus = Linear::constant(width, plus);
            let sum = Linear::of(pool, bound).plus(&plus).term(pool);
            let sum = match bits == width {
                true => sum,
                false => pool.extract(bits - 1, 0, sum),
            };
            substitution.insert(pool, inner, sum);
        }
        let cut = match narrow == width {
            true => bound,
            false => pool.extract(narrow - 1, 0, bound),
        };
        substitution.insert(pool, self.symbol, cut);
        pool.substitute(term, &substitution)
    }

    /// A term of a rehearsal for one value of the counter.
    pub fn at(&self, pool: &mut TermPool, term: TermId, counter: TermId) -> TermId {
        let at = Substitution::from_iter([(self.symbol, counter)]);
        pool.substitute(term, &at)
    }
}
