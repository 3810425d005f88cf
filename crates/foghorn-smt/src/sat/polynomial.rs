//! Arithmetic terms as polynomials modulo 2^width.
//!
//! Sums, products, negations, complements (`~x = -x - 1`) and shifts by constants are polynomials
//! over the words they are made of. Two terms with the same polynomial have the same value, so the
//! second one needs no circuit: `(a + b) * c` and `a * c + b * c` become one word, and no search
//! has to find out that they are equal, which for multipliers it hardly can. An equation between
//! polynomials is decided if their difference is constant, and loses what both sides share.
//!
//! The normal form is kept small: a term whose polynomial would have more than [`MOST_MONOMIALS`]
//! monomials, or one of a higher degree than [`HIGHEST_DEGREE`], is an indeterminate of its own for
//! the terms above it. So each step costs a constant and a chain of sums stays linear.
//!
//! Equal polynomials are equal functions, but not the other way round (`x * x + x` has an even value
//! everywhere); nothing here relies on the converse.

use crate::aig::{Aig, Edge};
use crate::circuit::{self, Word};
use cranelift_entity::{EntityRef, entity_impl};
use foghorn_term::{BitVecValue, TermId};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::Arc;

const MOST_MONOMIALS: usize = 16;
const HIGHEST_DEGREE: usize = 4;

/// An indeterminate: a word that is no arithmetic.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Indeterminate(u32);
entity_impl!(Indeterminate, "x");

/// A product of indeterminates, in order; the empty one is 1.
type Monomial = Vec<Indeterminate>;

/// Coefficients of monomials, none of them zero.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Polynomial {
    width: u32,
    coefficients: BTreeMap<Monomial, BitVecValue>,
}

impl Polynomial {
    pub fn constant(value: &BitVecValue) -> Self {
        let mut made = Polynomial {
            width: value.width(),
            coefficients: BTreeMap::new(),
        };
        made.accumulate(Vec::new(), value);
        made
    }

    fn indeterminate(width: u32, x: Indeterminate) -> Self {
        Self::monomial(width, vec![x])
    }

    fn monomial(width: u32, monomial: Monomial) -> Self {
        Polynomial {
            width,
            coefficients: BTreeMap::from([(monomial, BitVecValue::one(width))]),
        }
    }

    fn accumulate(&mut self, monomial: Monomial, coefficient: &BitVecValue) {
        let width = self.width;
        let entry = self.coefficients.entry(monomial);
        let entry = entry.or_insert_with(|| BitVecValue::zero(width));
        *entry = entry.add(coefficient);
        if entry.is_zero() {
            self.coefficients.retain(|_, value| !value.is_zero());
        }
    }

    pub fn add(&self, other: &Self) -> Option<Self> {
        let mut sum = self.clone();
        for (monomial, coefficient) in &other.coefficients {
            sum.accumulate(monomial.clone(), coefficient);
        }
        sum.if_small()
    }

    pub fn scale(&self, by: &BitVecValue) -> Self {
        let mut scaled = Polynomial {
            width: self.width,
            coefficients: BTreeMap::new(),
        };
        for (monomial, coefficient) in &self.coefficients {
            scaled.accumulate(monomial.clone(), &coefficient.mul(by));
        }
        scaled
    }

    pub fn negate(&self) -> Self {
        self.scale(&BitVecValue::ones(self.width))
    }

    pub fn multiply(&self, other: &Self) -> Option<Self> {
        let mut product = Polynomial {
            width: self.width,
            coefficients: BTreeMap::new(),
        };
        for (left, a) in &self.coefficients {
            for (right, b) in &other.coefficients {
                let mut monomial = [left.as_slice(), right].concat();
                monomial.sort_unstable();
                product.accumulate(monomial, &a.mul(b));
            }
        }
        product.if_small()
    }

    fn if_small(self) -> Option<Self> {
        let small = self.coefficients.len() <= MOST_MONOMIALS
            && self.coefficients.keys().all(|m| m.len() <= HIGHEST_DEGREE);
        small.then_some(self)
    }

    pub fn as_constant(&self) -> Option<BitVecValue> {
        let mut coefficients = self.coefficients.iter();
        match (coefficients.next(), coefficients.next()) {
            (None, _) => Some(BitVecValue::zero(self.width)),
            (Some((monomial, value)), None) if monomial.is_empty() => Some(value.clone()),
            (Some(_), _) => None,
        }
    }

    fn as_indeterminate(&self) -> Option<Indeterminate> {
        let (monomial, value) = self.coefficients.iter().next()?;
        match monomial.as_slice() {
            [x] if self.coefficients.len() == 1 && value.is_one() => Some(*x),
            _ => None,
        }
    }

    /// `self = 0` as an equation between two simpler sides, if it is one.
    fn equation(&self) -> Option<Equation> {
        let constant = self.coefficients.get(&Vec::new());
        let rest: Vec<_> = self
            .coefficients
            .iter()
            .filter(|(monomial, _)| !monomial.is_empty())
            .collect();
        match rest.as_slice() {
            [] => Some(Equation::Decided(constant.is_none())),
            [(monomial, factor)] => {
                let [x] = monomial.as_slice() else {
                    return None;
                };
                let zero = BitVecValue::zero(self.width);
                let constant = constant.unwrap_or(&zero);
                // x + c = 0, and -x + c = 0.
                let value = if factor.is_one() {
                    constant.neg()
                } else if factor.is_ones() {
                    constant.clone()
                } else {
                    return None;
                };
                Some(Equation::Value(*x, value))
            }
            [(left, one), (right, other)] if constant.is_none() => {
                let ([x], [y]) = (left.as_slice(), right.as_slice()) else {
                    return None;
                };
                let opposite = one.neg() == **other && (one.is_one() || other.is_one());
                opposite.then_some(Equation::Same(*x, *y))
            }
            _ => None,
        }
    }
}

/// What an equation between polynomials comes to.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Equation {
    Decided(bool),
    Value(Indeterminate, BitVecValue),
    Same(Indeterminate, Indeterminate),
}

/// An equation between words.
pub(super) enum WordEquation {
    Decided(bool),
    Value(Word, BitVecValue),
    Same(Word, Word),
}

/// The polynomials of the terms met so far.
#[derive(Default)]
pub(super) struct Polynomials {
    of_term: FxHashMap<TermId, Arc<Polynomial>>,
    /// Indeterminates by their words, so that terms with one word are one indeterminate.
    indeterminates: FxHashMap<Word, Indeterminate>,
    words: Vec<Word>,
    /// The word that was built for a polynomial.
    built: FxHashMap<Arc<Polynomial>, Word>,
}

impl Polynomials {
    /// The polynomial of a term whose word is known: its own, or an indeterminate.
    pub fn of(&mut self, term: TermId, word: &[Edge]) -> Arc<Polynomial> {
        if let Some(known) = self.of_term.get(&term) {
            return known.clone();
        }
        let width = u32::try_from(word.len()).expect("invariant: widths fit in 32 bits");
        let made = match crate::circuit::as_constant(word) {
            Some(bits) => Polynomial::constant(&super::bit_vector(&bits)),
            None => Polynomial::indeterminate(width, self.indeterminate(word)),
        };
        let made = Arc::new(made);
        self.of_term.insert(term, made.clone());
        made
    }

    fn indeterminate(&mut self, word: &[Edge]) -> Indeterminate {
        if let Some(known) = self.indeterminates.get(word) {
            return *known;
        }
        let made = Indeterminate::new(self.words.len());
        self.words.push(word.to_vec());
        self.indeterminates.insert(word.to_vec(), made);
        made
    }

    /// The word of this polynomial, if there is one already or it needs none.
    pub fn word(&self, polynomial: &Arc<Polynomial>) -> Option<Word> {
        if let Some(value) = polynomial.as_constant() {
            let bit = |i| value.bit(u32::try_from(i).unwrap_or(u32::MAX));
            return Some(crate::circuit::constant(polynomial.width as usize, bit));
        }
        if let Some(x) = polynomial.as_indeterminate() {
            return Some(self.words[x.index()].clone());
        }
        self.built.get(polynomial).cloned()
    }

    /// The word of a polynomial of several monomials as the sum of theirs, if the products among
    /// them are there already or cost little: `(n - 1) * s` is `n * s - s`, one subtraction, where
    /// `n * s` is known, and what the two have to do with each other is plain to see.
    pub fn expanded(&mut self, aig: &mut Aig, polynomial: &Polynomial) -> Option<Word> {
        if polynomial.coefficients.len() < 2 {
            return None;
        }
        let mut wide = 0;
        for monomial in polynomial.coefficients.keys() {
            let single = Polynomial::monomial(polynomial.width, monomial.clone());
            match monomial[..] {
                [] | [_] => {}
                [x, y] if self.built.contains_key(&single) || self.is_narrow(x, y) => {}
                [_, _] => wide += 1,
                _ => return None,
            }
        }
        if wide > 1 {
            return None;
        }
        let mut total: Option<Word> = None;
        for (monomial, coefficient) in &polynomial.coefficients {
            let word = self.monomial(aig, polynomial.width, monomial);
            let bit = |i| coefficient.bit(u32::try_from(i).unwrap_or(u32::MAX));
            let factor = circuit::constant(word.len(), bit);
            total = Some(match total {
                None => circuit::multiply(aig, &word, &factor),
                Some(total) if coefficient.is_ones() => circuit::subtract(aig, &total, &word),
                Some(total) => {
                    let scaled = circuit::multiply(aig, &word, &factor);
                    circuit::add(aig, &total, &scaled)
                }
            });
        }
        total
    }

    /// Whether a product takes few rows.
    fn is_narrow(&self, x: Indeterminate, y: Indeterminate) -> bool {
        const FEW: usize = 4;
        [x, y].iter().any(|x| {
            let bits = self.words[x.index()].iter();
            bits.filter(|bit| **bit != Edge::FALSE).count() <= FEW
        })
    }

    fn monomial(&mut self, aig: &mut Aig, width: u32, monomial: &[Indeterminate]) -> Word {
        let single = Arc::new(Polynomial::monomial(width, monomial.to_vec()));
        if let Some(word) = self.word(&single) {
            return word;
        }
        let factors = monomial.iter().map(|x| self.words[x.index()].clone());
        let word = factors.reduce(|product, factor| circuit::multiply(aig, &product, &factor));
        let word = word.expect("invariant: the empty monomial is a constant");
        self.built.insert(single, word.clone());
        word
    }

    /// Remembers the word that was built for a term with this polynomial.
    pub fn record(&mut self, term: TermId, polynomial: Arc<Polynomial>, word: &[Edge]) {
        self.built
            .entry(polynomial.clone())
            .or_insert_with(|| word.to_vec());
        self.of_term.insert(term, polynomial);
    }

    /// Whether a term is known as more than an indeterminate.
    pub fn is_arithmetic(&self, term: TermId) -> bool {
        self.of_term
            .get(&term)
            .is_some_and(|polynomial| polynomial.as_indeterminate().is_none())
    }

    /// The equation of two terms in a simpler form, if there is one.
    pub fn equation(&self, left: &Polynomial, right: &Polynomial) -> Option<WordEquation> {
        let difference = left.add(&right.negate())?;
        let word = |x: Indeterminate| self.words[x.index()].clone();
        Some(match difference.equation()? {
            Equation::Decided(value) => WordEquation::Decided(value),
            Equation::Value(x, value) => WordEquation::Value(word(x), value),
            Equation::Same(x, y) => WordEquation::Same(word(x), word(y)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variable(index: usize) -> Polynomial {
        Polynomial::indeterminate(8, Indeterminate::new(index))
    }

    fn number(value: u64) -> Polynomial {
        Polynomial::constant(&BitVecValue::from_u64(8, value))
    }

    #[test]
    fn products_distribute_over_sums() {
        let (a, b, c) = (variable(0), variable(1), variable(2));
        let left = a.add(&b).unwrap().multiply(&c).unwrap();
        let right = c.multiply(&b).unwrap().add(&a.multiply(&c).unwrap());
        assert_eq!(left, right.unwrap());
    }

    #[test]
    fn coefficients_wrap() {
        let x = variable(0);
        let half = x.multiply(&number(128)).unwrap();
        assert_eq!(half.add(&half).unwrap(), number(0));
        assert_eq!(
            x.add(&x.negate()).unwrap().as_constant(),
            number(0).as_constant()
        );
    }

    #[test]
    fn equations_lose_what_both_sides_share() {
        let (x, y) = (variable(0), variable(1));
        let five = x.add(&number(5)).unwrap();
        let seven = y.add(&number(7)).unwrap();
        let nine = number(9);
        let difference = |a: &Polynomial, b: &Polynomial| a.add(&b.negate()).unwrap().equation();
        assert_eq!(
            difference(&five, &nine),
            Some(Equation::Value(
                Indeterminate::new(0),
                BitVecValue::from_u64(8, 4)
            ))
        );
        assert_eq!(
            difference(&nine, &five),
            Some(Equation::Value(
                Indeterminate::new(0),
                BitVecValue::from_u64(8, 4)
            ))
        );
        assert_eq!(difference(&five, &x), Some(Equation::Decided(false)));
        assert_eq!(difference(&five, &five), Some(Equation::Decided(true)));
        assert_eq!(difference(&five, &seven), None);
        let shared = seven.add(&x).unwrap();
        let other = five.add(&number(2)).unwrap().add(&x).unwrap();
        assert_eq!(
            difference(&shared, &other),
            Some(Equation::Same(Indeterminate::new(0), Indeterminate::new(1)))
        );
    }

    #[test]
    fn large_polynomials_are_refused() {
        let mut sum = variable(0);
        for index in 1..MOST_MONOMIALS {
            sum = sum.add(&variable(index)).unwrap();
        }
        assert!(sum.add(&variable(MOST_MONOMIALS)).is_none());
        let square = variable(0).multiply(&variable(0)).unwrap();
        let fourth = square.multiply(&square).unwrap();
        assert!(fourth.multiply(&variable(0)).is_none());
    }

    #[test]
    fn products_of_sums_share_their_multipliers() {
        let mut aig = Aig::default();
        let mut polynomials = Polynomials::default();
        let mut word = || -> Word { (0..8).map(|_| aig.input()).collect() };
        let [n, s] = [word(), word()].map(|word| {
            let x = polynomials.indeterminate(&word);
            Polynomial::indeterminate(8, x)
        });
        let product = n.multiply(&s).unwrap();
        let less = n.add(&number(255)).unwrap().multiply(&s).unwrap();
        assert_eq!(
            polynomials.expanded(&mut aig, &product),
            None,
            "one monomial"
        );
        let word = polynomials
            .expanded(&mut aig, &less)
            .expect("one multiplier");
        let known = polynomials.built[&product].clone();
        let s = polynomials.words[1].clone();
        assert_eq!(word, circuit::subtract(&mut aig, &known, &s));
    }

    #[test]
    fn products_that_take_more_multipliers_stay_as_they_are() {
        let mut aig = Aig::default();
        let mut polynomials = Polynomials::default();
        let mut word = || -> Word { (0..8).map(|_| aig.input()).collect() };
        let [a, b, c] = [word(), word(), word()].map(|word| {
            let x = polynomials.indeterminate(&word);
            Polynomial::indeterminate(8, x)
        });
        let product = a.add(&b).unwrap().multiply(&c).unwrap();
        assert_eq!(polynomials.expanded(&mut aig, &product), None);
    }
}
