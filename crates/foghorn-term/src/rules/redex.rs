//! Templates: terms with holes for the width, on which rules are tested and proved.
//!
//! A template is a term in our text form over these names, `w` being the width it is instantiated at:
//!
//! | names | stand for |
//! |---|---|
//! | `a b c d` | Boolean symbols |
//! | `x y z` | bit-vector symbols of width w |
//! | `wide` | a bit-vector symbol of width 2w |
//! | `zero one ones min max` | the extreme literals of width w |
//! | `k l` | random literals of width w, different where w > 1 |
//! | `pow low` | a random power of two; a random literal whose set bits are the lowest ones |
//! | `zk ok wk` | literals of width 2w: random below zeros, random below ones, random |
//! | `p q r` | integer symbols |
//! | `m n` | arrays from width w to width w |
//! | `im` | an array from integers to integers |
//! | `fm gm` | finite maps of size 3 over width w |
//! | `s t` | pointer symbols of width w |
//! | `f` | an unary function over width w |
//!
//! and numbers in braces: `{w}`, `{w-1}`, `{2w-1}`, and `{i}`, `{j}` with `j ≤ i < w`, random.

use super::Rule;
use crate::generate::Random;
use crate::pool::{TermId, TermPool};
use crate::sort::Sort;
use crate::text::{ParseError, Scope, parse_term};
use crate::value::BitVecValue;

/// A width and the random literals of an instance.
pub struct Template<'a> {
    pub width: u32,
    pub random: &'a mut Random,
}

impl Template<'_> {
    fn scope(&mut self, pool: &mut TermPool) -> Scope {
        let width = self.width;
        let mut scope = Scope::default();
        let bits = Sort::BitVec(width);
        let mut symbols: Vec<(&str, Sort)> = Vec::new();
        symbols.extend(["a", "b", "c", "d"].map(|name| (name, Sort::Bool)));
        symbols.extend(["x", "y", "z"].map(|name| (name, bits)));
        symbols.extend(["p", "q", "r"].map(|name| (name, Sort::Int)));
        symbols.extend(["s", "t"].map(|name| (name, Sort::Pointer { width })));
        symbols.push(("wide", Sort::BitVec(2 * width)));
        let array = pool.array_sort(bits, bits);
        symbols.extend([("m", array), ("n", array)]);
        symbols.push(("im", pool.array_sort(Sort::Int, Sort::Int)));
        let map = pool.finite_map_sort(bits, bits, 3);
        symbols.extend([("fm", map), ("gm", map)]);
        for (name, sort) in symbols {
            let term = pool.symbol(&format!("{name}.{width}"), sort);
            scope.insert(name.to_owned(), term);
        }
        self.literals(pool, &mut scope);
        scope
    }

    fn literals(&mut self, pool: &mut TermPool, scope: &mut Scope) {
        let width = self.width;
        let k = self.random.bits(width);
        let mut l = self.random.bits(width);
        while width > 1 && l == k {
            l = self.random.bits(width);
        }
        let power = self.random.below(u64::from(width)) as u32;
        let low = 1 + self.random.below(u64::from(width)) as u32;
        let (below_zeros, below_ones) = (self.random.bits(width), self.random.bits(width));
        let literals = [
            ("zk", BitVecValue::zero(width).concat(&below_zeros)),
            ("ok", BitVecValue::ones(width).concat(&below_ones)),
            ("wk", self.random.bits(2 * width)),
            ("zero", BitVecValue::zero(width)),
            ("one", BitVecValue::one(width)),
            ("ones", BitVecValue::ones(width)),
            ("min", BitVecValue::min_signed(width)),
            ("max", BitVecValue::max_signed(width)),
            ("k", k),
            ("l", l),
            ("pow", BitVecValue::one(width).shl_by(power)),
            ("low", BitVecValue::low_mask(width, low)),
        ];
        for (name, value) in literals {
            let term = pool.bitvec(value);
            scope.insert(name.to_owned(), term);
        }
    }

    /// The term of a template.
    pub fn instance(&mut self, pool: &mut TermPool, text: &str) -> Result<TermId, ParseError> {
        let scope = self.scope(pool);
        let width = self.width;
        let high = self.random.below(u64::from(width)) as u32;
        let low = self.random.below(u64::from(high) + 1) as u32;
        let bits = pool.sort_intern(Sort::BitVec(width));
        let function = pool.function(&format!("f.{width}"), &[bits], bits);
        debug_assert!(function.is_ok(), "invariant: the name carries the width");
        let text = text
            .replace("{w}", &width.to_string())
            .replace("{w-1}", &(width - 1).to_string())
            .replace("{2w-1}", &(2 * width - 1).to_string())
            .replace("{i}", &high.to_string())
            .replace("{j}", &low.to_string())
            .replace("(f ", &format!("(f.{width} "));
        parse_term(pool, &scope, &text)
    }
}

/// The redexes of a rule at a width.
pub fn instantiate(
    rule: &Rule,
    pool: &mut TermPool,
    width: u32,
    random: &mut Random,
) -> Result<Vec<TermId>, ParseError> {
    let mut template = Template { width, random };
    rule.redexes
        .iter()
        .map(|text| template.instance(pool, text))
        .collect()
}
