//! Definitions of SMT-LIB as conditions of claims.
//!
//! A solver's interpretation is a conjunction over the arguments of a predicate. Each conjunct is read by itself: one with
//! a quantifier, an array or an argument that claims have no word for is left out, and the others are claimed.

use super::bits::{self, Bits};
use super::sum::{Part, Sum};
use super::words::Word;
use foghorn_encode::claim::{Expression, Formula};
use foghorn_term::sexpr::{Document, SExprId};
use num_bigint::BigInt;
use rustc_hash::FxHashMap;

/// Expressions that are read of one conjunct: shared ones (`let`) are read wherever they stand.
const MOST_READ: usize = 20_000;

/// What an expression is.
#[derive(Clone, Debug)]
pub enum Read {
    Truth(Formula),
    Number(Sum),
    Bits(Bits),
}

/// The conjuncts of a definition `(define-fun name ((x!0 Sort) …) Bool body)` that claims can say, and how many there are.
pub fn conjuncts(definition: &str, words: &[Option<Word>]) -> (Vec<Formula>, usize) {
    let Ok(document) = Document::read(definition) else {
        return (vec![], 1);
    };
    let parts = document.top().first().and_then(|top| document.list(*top));
    let Some([_, _, formals, _, body]) = parts else {
        return (vec![], 1);
    };
    let formals = document.list(*formals).unwrap_or_default();
    let names = formals.iter().filter_map(|formal| {
        let pair = document.list(*formal)?;
        document.atom(*pair.first()?)
    });
    let mut reader = Reader {
        document: &document,
        words: names.zip(words.iter().map(Option::as_ref)).collect(),
        bound: FxHashMap::default(),
        left: 0,
    };
    let mut all = vec![];
    reader.divide(*body, true, &mut all);
    let count = all.len();
    (all.into_iter().flatten().collect(), count)
}

struct Reader<'d> {
    document: &'d Document,
    words: FxHashMap<&'d str, Option<&'d Word>>,
    /// What `let` has bound; an inner binding hides an outer one.
    bound: FxHashMap<&'d str, SExprId>,
    left: usize,
}

impl<'d> Reader<'d> {
    /// Takes a conjunction, or the negation of a disjunction, apart.
    fn divide(&mut self, id: SExprId, is: bool, all: &mut Vec<Option<Formula>>) {
        let document = self.document;
        if let Some(bound) = document.atom(id).and_then(|name| self.bound.get(name)) {
            return self.divide(*bound, is, all);
        }
        match (document.call(id), is) {
            (Some(("and", parts)), true) | (Some(("or", parts)), false) => {
                for part in parts {
                    self.divide(*part, is, all);
                }
            }
            (Some(("not", [inner])), _) => self.divide(*inner, !is, all),
            (Some(("let", [bindings, body])), _) => {
                self.bind(*bindings);
                self.divide(*body, is, all);
            }
            _ => {
                self.left = MOST_READ;
                let read = self.truth(id).filter(|it| *it != Formula::Constant(is));
                let always = matches!(document.atom(id), Some("true")) && is;
                if !always {
                    all.push(read.map(|it| if is { it } else { it.negated() }));
                }
            }
        }
    }

    /// Z3 gives every binding a name of its own, so they are never taken back.
    fn bind(&mut self, bindings: SExprId) {
        let document = self.document;
        for binding in document.list(bindings).unwrap_or_default() {
            if let Some([name, what]) = document.list(*binding)
                && let Some(name) = document.atom(*name)
            {
                self.bound.insert(name, *what);
            }
        }
    }

    fn truth(&mut self, id: SExprId) -> Option<Formula> {
        match self.read(id)? {
            Read::Truth(formula) => Some(formula),
            Read::Number(_) | Read::Bits(_) => None,
        }
    }

    fn truths(&mut self, ids: &[SExprId]) -> Option<Vec<Formula>> {
        ids.iter().map(|id| self.truth(*id)).collect()
    }

    fn number(&mut self, id: SExprId) -> Option<Sum> {
        match self.read(id)? {
            Read::Number(sum) => Some(sum),
            Read::Truth(_) | Read::Bits(_) => None,
        }
    }

    fn numbers(&mut self, ids: &[SExprId]) -> Option<Vec<Sum>> {
        ids.iter().map(|id| self.number(*id)).collect()
    }

    fn read(&mut self, id: SExprId) -> Option<Read> {
        self.left = self.left.checked_sub(1)?;
        let document = self.document;
        if let Some(name) = document.atom(id) {
            return self.atom(name);
        }
        if let Some((operator, operands)) = document.call(id) {
            return self.apply(operator, operands);
        }
        // `((_ extract 7 0) x)`
        let (head, operands) = document.list(id)?.split_first()?;
        let ("_", [name, indices @ ..]) = document.call(*head)? else {
            return None;
        };
        let indices = indices.iter().map(|it| document.atom(*it)?.parse().ok());
        let indices: Option<Vec<u32>> = indices.collect();
        let operands = self.all_bits(operands)?;
        let name = document.atom(*name)?;
        bits::indexed(name, &indices?, &operands).map(Read::Bits)
    }

    fn atom(&mut self, name: &'d str) -> Option<Read> {
        if let Some(bound) = self.bound.get(name).copied() {
            return self.read(bound);
        }
        if let Some(word) = self.words.get(name) {
            return word.map(Word::read);
        }
        match name {
            "true" => Some(Read::Truth(Formula::Constant(true))),
            "false" => Some(Read::Truth(Formula::Constant(false))),
            _ => match bits::literal(name) {
                Some(bits) => Some(Read::Bits(bits)),
                None => Some(Read::Number(Sum::literal(name.parse().ok()?))),
            },
        }
    }

    fn apply(&mut self, operator: &str, operands: &[SExprId]) -> Option<Read> {
        match (operator, operands) {
            ("let", [bindings, body]) => {
                self.bind(*bindings);
                self.read(*body)
            }
            ("ite", [condition, then, otherwise]) => self.choice(*condition, *then, *otherwise),
            ("=", [left, right]) => self.equality(*left, *right).map(Read::Truth),
            ("distinct", [left, right]) => {
                let equal = self.equality(*left, *right)?;
                Some(Read::Truth(equal.negated()))
            }
            ("and" | "or" | "not" | "=>" | "xor", _) => {
                let parts = self.truths(operands)?;
                connective(operator, parts).map(Read::Truth)
            }
            ("<=" | "<" | ">=" | ">", [left, right]) => {
                let (left, right) = (self.number(*left)?, self.number(*right)?);
                Some(Read::Truth(order(operator, left, right)))
            }
            ("+" | "-" | "*" | "div" | "mod", _) => {
                let parts = self.numbers(operands)?;
                arithmetic(operator, parts).map(Read::Number)
            }
            ("_", [name, width]) => {
                let digits = self.document.atom(*name)?.strip_prefix("bv")?;
                let width = self.document.atom(*width)?.parse().ok()?;
                let digits = digits.parse().ok()?;
                Some(Read::Bits(Bits::literal(&digits, width)))
            }
            _ => {
                let parts = self.all_bits(operands)?;
                bits::apply(operator, &parts)
            }
        }
    }

    fn all_bits(&mut self, ids: &[SExprId]) -> Option<Vec<Bits>> {
        let all = ids.iter().map(|id| match self.read(*id)? {
            Read::Bits(bits) => Some(bits),
            Read::Truth(_) | Read::Number(_) => None,
        });
        all.collect()
    }

    fn choice(&mut self, condition: SExprId, then: SExprId, otherwise: SExprId) -> Option<Read> {
        let condition = self.truth(condition)?;
        match (self.read(then)?, self.read(otherwise)?) {
            (Read::Truth(then), Read::Truth(otherwise)) => Some(Read::Truth(Formula::all([
                condition.clone().implies(then),
                Formula::any([condition, otherwise]),
            ]))),
            (Read::Number(then), Read::Number(otherwise)) => {
                let chosen = Expression::Choice(
                    Box::new(condition),
                    Box::new(then.expression()),
                    Box::new(otherwise.expression()),
                );
                Some(Read::Number(Sum::of(Part::Number(chosen))))
            }
            (Read::Bits(then), Read::Bits(otherwise)) => {
                bits::choice(condition, then, otherwise).map(Read::Bits)
            }
            _ => None,
        }
    }

    fn equality(&mut self, left: SExprId, right: SExprId) -> Option<Formula> {
        match (self.read(left)?, self.read(right)?) {
            (Read::Truth(left), Read::Truth(right)) => connective("=", vec![left, right]),
            (Read::Number(left), Read::Number(right)) => {
                Some(left.plus(right.times(&BigInt::from(-1))).is_zero())
            }
            (Read::Bits(left), Read::Bits(right)) => Some(left.unsigned.equals(right.unsigned)),
            _ => None,
        }
    }
}

fn connective(operator: &str, mut parts: Vec<Formula>) -> Option<Formula> {
    match (operator, parts.len()) {
        ("and", _) => Some(Formula::All(parts)),
        ("or", _) => Some(Formula::Any(parts)),
        ("not", 1) => Some(parts.remove(0).negated()),
        ("=>", 2) => {
            let then = parts.remove(1);
            Some(parts.remove(0).implies(then))
        }
        ("=" | "xor", 2) => {
            let (right, left) = (parts.remove(1), parts.remove(0));
            let same = Formula::all([left.clone().implies(right.clone()), right.implies(left)]);
            Some(if operator == "=" {
                same
            } else {
                same.negated()
            })
        }
        _ => None,
    }
}

/// A comparison as one with 0: `<=` of a difference.
fn order(operator: &str, left: Sum, right: Sum) -> Formula {
    let (opposite, one) = (BigInt::from(-1), Sum::literal(BigInt::from(1)));
    let (left, right) = match operator {
        "<=" | "<" => (left, right),
        _ => (right, left),
    };
    let difference = left.plus(right.times(&opposite));
    match operator {
        "<=" | ">=" => difference.at_most_zero(),
        _ => difference.plus(one).at_most_zero(),
    }
}

fn arithmetic(operator: &str, mut parts: Vec<Sum>) -> Option<Sum> {
    let opposite = BigInt::from(-1);
    match (operator, parts.len()) {
        ("+", _) => Some(parts.into_iter().fold(Sum::default(), Sum::plus)),
        ("-", 1) => Some(parts.remove(0).times(&opposite)),
        ("-", _) => {
            let first = parts.remove(0);
            let subtract = |sum: Sum, part: Sum| sum.plus(part.times(&opposite));
            Some(parts.into_iter().fold(first, subtract))
        }
        ("*", _) => {
            let mut factor = BigInt::from(1);
            let mut product: Option<Sum> = None;
            for part in parts {
                match (part.as_literal(), &product) {
                    (Some(literal), _) => factor *= literal,
                    (None, None) => product = Some(part),
                    (None, Some(other)) => {
                        let (left, right) = (other.expression(), part.expression());
                        let both = Expression::Product(Box::new(left), Box::new(right));
                        product = Some(Sum::of(Part::Number(both)));
                    }
                }
            }
            let product = product.unwrap_or_else(|| Sum::literal(BigInt::from(1)));
            Some(product.times(&factor))
        }
        ("div" | "mod", 2) => {
            let by = parts[1].as_literal().filter(|by| **by > BigInt::ZERO)?;
            let (of, by) = (Box::new(parts[0].expression()), by.to_string());
            let part = match operator {
                "div" => Expression::Quotient(of, by),
                _ => Expression::Remainder(of, by),
            };
            Some(Sum::of(Part::Number(part)))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use foghorn_encode::claim::Subject;
    use foghorn_encode::claim::build::value;

    fn word(subject: Subject) -> Option<Word> {
        Some(Word::integer(subject, 32, false))
    }

    fn read(body: &str) -> Vec<String> {
        let text = format!("(define-fun p ((x!0 Int) (x!1 Int) (x!2 Bool)) Bool {body})");
        let words = [word(value(4)), word(value(5)), None];
        let (found, _) = conjuncts(&text, &words);
        found.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn conjuncts_are_read_one_by_one() {
        let body = "(let ((a!1 (not (<= (+ x!0 (* (- 1) x!1)) 3)))) (and a!1 (or x!2 (= x!0 1)) \
                    (not (or (>= x!0 100) (= (mod x!1 4) 1)))))";
        let expected = [
            "!((v4 + -1 * v5 + -3) <= 0)",
            "!((-1 * v4 + 100) <= 0)",
            "!(((v5) mod 4 + -1) == 0)",
        ];
        assert_eq!(read(body), expected);
    }

    #[test]
    fn what_has_no_word_is_left_out() {
        let text = "(define-fun p ((x!0 Int)) Bool (and (exists ((y Int)) (= x!0 y)) (= x!0 2)))";
        let (found, count) = conjuncts(text, &[word(value(4))]);
        let found: Vec<String> = found.iter().map(ToString::to_string).collect();
        assert_eq!((&found[..], count), (&["(v4 + -2) == 0".to_owned()][..], 2));
        assert!(read("true").is_empty());
        assert!(read("(").is_empty());
    }
}
