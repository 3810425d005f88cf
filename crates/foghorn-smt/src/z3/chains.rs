//! Reads of long chains of stores at literal indices.
//!
//! Bounded model checking of programs that print, or that have tables, makes arrays with hundreds of stores at literal
//! indices, one for each byte of what is initialised. Z3 relates each index at which such an array is read or written
//! to each store of the chain, also to those above the read: n² instances of read-over-write for n stores, most of them
//! about two literals, and again after each backtracking. So reads of such a chain are told to Z3 as what they are by
//! the axioms of arrays, read from the front:
//!
//! - `select(store(a, i, v), j)` is `v` if `i` is `j`, `select(a, j)` if bits of the two that are literal differ, and
//!   `ite(i = j, v, select(a, j))` else;
//! - `select(ite(c, a, b), j)` is `ite(c, select(a, j), select(b, j))`;
//! - `select(const(v), j)` is `v`.
//!
//! This holds for an array with at least [`LONG`] literal stores on some way down. A shorter one, and what is left of a
//! long one further down, is an array for Z3, which reads it when it has to: there the instances are few and laziness
//! pays. Nothing is assumed about indices but their literal bits.

use foghorn_term::{BitVecValue, Op, TermId, TermPool};
use rustc_hash::FxHashMap;

/// Stores at literal indices from which on a chain is long.
const LONG: u32 = 32;

/// Reads that are taken apart at most: symbolic indices can make as many as there are pairs of a read and a store.
const MOST_READS: usize = 1 << 20;

/// How many pairs of cases of two indices are compared before they count as possibly equal.
const MOST_CASES: u32 = 64;

/// The element of an array at an index.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Read {
    pub array: TermId,
    pub index: TermId,
}

/// What a read is by the axioms of arrays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Step {
    /// This term.
    Value(TermId),
    /// The value where the indices are equal, what is read below elsewhere.
    Store {
        index: TermId,
        value: TermId,
        below: Read,
    },
    /// One of two reads.
    Merge {
        condition: TermId,
        on_true: Read,
        on_false: Read,
    },
    /// For Z3 to find out.
    Select(Read),
}

/// What is known of chains.
#[derive(Default)]
pub(super) struct Chains {
    /// Literal stores on the way down that has most of them, up to [`LONG`].
    lengths: FxHashMap<TermId, u32>,
    steps: usize,
}

impl Chains {
    /// The read that a term is, if it is one of a long chain.
    pub fn read(&mut self, pool: &TermPool, term: TermId) -> Option<Read> {
        if pool.op(term) != Op::Select {
            return None;
        }
        let read = Read {
            array: pool.child(term, 0),
            index: pool.child(term, 1),
        };
        self.is_long(pool, read.array).then_some(read)
    }

    /// What a read is, past all stores that it surely misses.
    pub fn step(&mut self, pool: &TermPool, read: Read) -> Step {
        self.steps += 1;
        let Read { mut array, index } = read;
        while self.is_long(pool, array) && self.steps <= MOST_READS {
            let children = pool.children(array);
            match (pool.op(array), children) {
                (Op::Store, &[_, stored, value]) if stored == index => return Step::Value(value),
                (Op::Store, &[below, stored, _]) if differ(pool, stored, index) => array = below,
                (Op::Store, &[below, stored, value]) => {
                    return Step::Store {
                        index: stored,
                        value,
                        below: Read {
                            array: below,
                            index,
                        },
                    };
                }
                (Op::Ite, &[condition, on_true, on_false]) => {
                    let of = |array| Read { array, index };
                    return Step::Merge {
                        condition,
                        on_true: of(on_true),
                        on_false: of(on_false),
                    };
                }
                _ => break,
            }
        }
        match pool.op(array) {
            Op::ConstantArray(_) => Step::Value(pool.child(array, 0)),
            _ => Step::Select(Read { array, index }),
        }
    }

    fn is_long(&mut self, pool: &TermPool, array: TermId) -> bool {
        if let Some(&length) = self.lengths.get(&array) {
            return length >= LONG;
        }
        let mut stack = vec![array];
        while let Some(&term) = stack.last() {
            let below = arrays_below(pool, term);
            let open = below.iter().flatten();
            let open = open.filter(|term| !self.lengths.contains_key(term));
            let before = stack.len();
            stack.extend(open);
            if stack.len() == before {
                let most = below.iter().flatten().map(|term| self.lengths[term]).max();
                let own = u32::from(is_literal_store(pool, term));
                let length = (most.unwrap_or(0) + own).min(LONG);
                self.lengths.insert(term, length);
                stack.pop();
            }
        }
        self.lengths[&array] >= LONG
    }
}

/// The arrays that an array is made of by a store or a choice.
fn arrays_below(pool: &TermPool, array: TermId) -> [Option<TermId>; 2] {
    match (pool.op(array), pool.children(array)) {
        (Op::Store, &[below, _, _]) => [Some(below), None],
        (Op::Ite, &[_, on_true, on_false]) => [Some(on_true), Some(on_false)],
        _ => [None, None],
    }
}

fn is_literal_store(pool: &TermPool, array: TermId) -> bool {
    pool.op(array) == Op::Store && pool.as_bitvec(pool.child(array, 1)).is_some()
}

/// Whether literal bits tell two indices apart, in each of their cases.
fn differ(pool: &TermPool, left: TermId, right: TermId) -> bool {
    let mut pairs = vec![(left, right)];
    let mut compared = 0;
    while let Some((left, right)) = pairs.pop() {
        compared += 1;
        if compared > MOST_CASES {
            return false;
        }
        match (cases(pool, left), cases(pool, right)) {
            (Some(lefts), _) => pairs.extend(lefts.map(|left| (left, right))),
            (None, Some(rights)) => pairs.extend(rights.map(|right| (left, right))),
            (None, None) if heads_differ(pool, left, right) => {}
            (None, None) => return false,
        }
    }
    true
}

/// The two values of a choice.
fn cases(pool: &TermPool, term: TermId) -> Option<[TermId; 2]> {
    match (pool.op(term), pool.children(term)) {
        (Op::Ite, &[_, on_true, on_false]) => Some([on_true, on_false]),
        _ => None,
    }
}

fn heads_differ(pool: &TermPool, left: TermId, right: TermId) -> bool {
    let (Some(left), Some(right)) = (head(pool, left), head(pool, right)) else {
        return false;
    };
    let common = left.width().min(right.width());
    let top = |value: &BitVecValue| value.extract(value.width() - 1, value.width() - common);
    top(&left) != top(&right)
}

/// The most significant bits of a bit-vector, as far as they are evidently literal.
fn head(pool: &TermPool, term: TermId) -> Option<BitVecValue> {
    match pool.op(term) {
        Op::Concat => pool.as_bitvec(pool.child(term, 0)).cloned(),
        Op::ZeroExtend(by) if by > 0 => Some(BitVecValue::zero(by)),
        _ => pool.as_bitvec(term).cloned(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::context::Context;
    use super::super::convert::Converter;
    use super::super::engine::{Engine, EngineKind};
    use super::*;
    use crate::patience::Patience;
    use crate::solver::Answer;
    use foghorn_term::Sort;
    use std::rc::Rc;

    /// Numbers that look random and are the same each time.
    struct Dice(u64);

    impl Dice {
        fn below(&mut self, end: u64) -> u64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005);
            self.0 = self.0.wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) % end
        }
    }

    /// Arrays over indices of six bits, of which three are literal at times: stores often meet.
    struct Maker {
        pool: TermPool,
        dice: Dice,
    }

    impl Maker {
        fn new(seed: u64) -> Self {
            Maker {
                pool: TermPool::new(),
                dice: Dice(seed),
            }
        }

        fn array(&mut self, name: &str) -> TermId {
            let sort = self.pool.array_sort(Sort::BitVec(6), Sort::BitVec(4));
            self.pool.symbol(name, sort)
        }

        fn condition(&mut self) -> TermId {
            let name = format!("c{}", self.dice.below(3));
            self.pool.symbol(&name, Sort::Bool)
        }

        fn part(&mut self, width: u32) -> TermId {
            let name = format!("x{width}.{}", self.dice.below(3));
            self.pool.bv_symbol(&name, width)
        }

        fn literal(&mut self, width: u32) -> TermId {
            let value = self.dice.below(1 << width);
            self.pool.bv(width, value)
        }

        fn index(&mut self) -> TermId {
            match self.dice.below(16) {
                0 => self.part(6),
                1 => {
                    let (head, tail) = (self.literal(3), self.part(3));
                    self.pool.concat(head, tail)
                }
                2 => {
                    let tail = self.part(3);
                    self.pool.zero_extend(3, tail)
                }
                3 => {
                    let (condition, a, b) = (self.condition(), self.index(), self.index());
                    self.pool.ite(condition, a, b)
                }
                _ => self.literal(6),
            }
        }

        /// An array with so many stores on each way down, and a read of it.
        fn read(&mut self, stores: u32) -> TermId {
            let mut array = match self.dice.below(3) {
                0 => {
                    let value = self.part(4);
                    let sort = self.pool.array_sort(Sort::BitVec(6), Sort::BitVec(4));
                    let sort = self.pool.sort_intern(sort);
                    self.pool.constant_array(sort, value)
                }
                _ => self.array("a"),
            };
            for number in 0..stores {
                let (index, value) = (self.index(), self.value(array));
                let stored = self.pool.store(array, index, value);
                array = match number % 8 {
                    7 => {
                        let (condition, index) = (self.condition(), self.index());
                        let value = self.part(4);
                        let other = self.pool.store(array, index, value);
                        self.pool.ite(condition, stored, other)
                    }
                    _ => stored,
                };
            }
            let index = self.index();
            self.pool.select(array, index)
        }

        fn value(&mut self, array: TermId) -> TermId {
            match self.dice.below(4) {
                0 => {
                    let index = self.index();
                    self.pool.select(array, index)
                }
                1 => self.literal(4),
                _ => self.part(4),
            }
        }
    }

    fn differ_somewhere(maker: &Maker, read: TermId) -> Answer {
        let context = Rc::new(Context::new(&[]).unwrap());
        let mut apart = Converter::for_solving();
        let by_us = apart.term(&context, &maker.pool, read).unwrap();
        assert!(apart.takes_apart());
        let mut whole = Converter::default();
        let by_z3 = whole.term(&context, &maker.pool, read).unwrap();
        let engine = Engine::new(context.clone(), &EngineKind::Default).unwrap();
        let same = context.build_op(Op::Equal, &[by_us, by_z3]).unwrap();
        let differ = context.build_op(Op::Not, &[same]).unwrap();
        engine.assert(differ).unwrap();
        engine.check(&[], &Patience::default()).unwrap()
    }

    #[test]
    fn a_read_taken_apart_is_what_z3_reads() {
        for seed in 0..30 {
            let mut maker = Maker::new(seed);
            let read = maker.read(2 * LONG);
            let answer = differ_somewhere(&maker, read);
            assert_eq!(answer, Answer::Unsatisfiable, "seed {seed}");
        }
    }

    #[test]
    fn only_literal_stores_make_a_chain_long() {
        let mut maker = Maker::new(0);
        let (x, y) = (maker.pool.bv_symbol("x", 6), maker.pool.bv_symbol("y", 4));
        let mut array = maker.array("a");
        let mut chains = Chains::default();
        for number in 0..LONG {
            array = maker.pool.store(array, x, y);
            let read = maker.pool.select(array, x);
            assert_eq!(chains.read(&maker.pool, read), None);
            let literal = maker.pool.bv(6, u64::from(number));
            array = maker.pool.store(array, literal, y);
        }
        let read = maker.pool.select(array, x);
        let Some(read) = chains.read(&maker.pool, read) else {
            panic!("a chain with {LONG} literal stores is long");
        };
        assert!(matches!(chains.step(&maker.pool, read), Step::Store { .. }));
    }

    #[test]
    fn stores_at_other_literals_are_passed() {
        let mut maker = Maker::new(0);
        let symbol = maker.array("a");
        let y = maker.pool.bv_symbol("y", 4);
        let mut array = symbol;
        for number in 0..LONG + 8 {
            let index = maker.pool.bv(6, u64::from(number));
            array = maker.pool.store(array, index, y);
        }
        let index = maker.pool.bv(6, 60);
        let read = Read { array, index };
        let Step::Select(rest) = Chains::default().step(&maker.pool, read) else {
            panic!("no store is at 60");
        };
        assert_eq!(rest.index, index);
        let index = maker.pool.bv(6, u64::from(LONG) + 3);
        let step = Chains::default().step(&maker.pool, Read { array, index });
        assert_eq!(step, Step::Value(y));
    }

    #[test]
    fn indices_differ_if_all_their_cases_do() {
        let mut maker = Maker::new(0);
        let pool = &mut maker.pool;
        let (c, t) = (pool.symbol("c", Sort::Bool), pool.bv_symbol("t", 3));
        let (two, three) = (pool.bv(3, 2), pool.bv(3, 3));
        let at_two = pool.concat(two, t);
        let at_three = pool.concat(three, t);
        let low = pool.zero_extend(3, t);
        let literal = pool.bv(6, 0b010_111);
        let either = pool.ite(c, at_three, low);
        assert!(differ(pool, at_two, at_three) && differ(pool, low, at_two));
        assert!(differ(pool, literal, at_three) && !differ(pool, literal, at_two));
        assert!(differ(pool, either, literal) && differ(pool, at_two, either));
        assert!(!differ(pool, either, at_three) && !differ(pool, t, t));
    }
}
