//! Boolean rules: figure 2.3 of the SEAM thesis, and what conjunctions and disjunctions of BMC formulas need.
//!
//! Negation is pushed inwards as far as it costs nothing; exclusive or and implication are expressed by the others.

use super::{Context, rules};
use crate::op::{Op, OpKind};
use crate::pool::{TermId, TermPool};
use crate::rewrite::Step;
use rustc_hash::{FxHashMap, FxHashSet};

rules! {
    /// Booleans (fig. 2.3).
    table BOOLEAN = "boolean";

    #[doc = "¬¬a = a"]
    rule not_not [Not] ["(not (not a))"] (cx, t) {
        let [a] = cx.args(t)?;
        let [inner] = cx.view(a, OpKind::Not)?;
        Some(Step::done(inner))
    }

    #[doc = "¬⊤ = ⊥, ¬⊥ = ⊤"]
    rule not_literal [Not] ["(not true)", "(not false)"] (cx, t) {
        let [a] = cx.args(t)?;
        let value = cx.pool.as_bool(a)?;
        Some(Step::done(cx.pool.bool(!value)))
    }

    #[doc = "¬ite(c, x, y) = ite(c, ¬x, ¬y) where a branch is a literal or negated (NEG-PUSH)"]
    rule neg_push [Not] ["(not (ite c (not a) b))", "(not (ite c a false))"] (cx, t) {
        let [ite] = cx.args(t)?;
        let [c, x, y] = cx.view(ite, OpKind::Ite)?;
        let gains = |pool: &TermPool, term| pool.is_literal(term) || pool.op(term) == Op::Not;
        if !gains(cx.pool, x) && !gains(cx.pool, y) {
            return None;
        }
        let (x, y) = (cx.pool.not(x), cx.pool.not(y));
        Some(Step::rewrite(2, cx.pool.ite(c, x, y)))
    }

    #[doc = "¬(x < y) = y ≤ x, ¬(x ≤ y) = y < x, unsigned, signed and of integers"]
    rule not_comparison [Not] [
        "(not (bvult x y))", "(not (bvule x y))", "(not (bvslt x y))", "(not (bvsle x y))", "(not (< p q))",
        "(not (<= p q))"
    ] (cx, t) {
        let [compared] = cx.args(t)?;
        let mirrored = match cx.pool.op(compared) {
            Op::BvUlt => Op::BvUle,
            Op::BvUle => Op::BvUlt,
            Op::BvSlt => Op::BvSle,
            Op::BvSle => Op::BvSlt,
            Op::IntLt => Op::IntLe,
            Op::IntLe => Op::IntLt,
            _ => return None,
        };
        let [x, y] = cx.args(compared)?;
        Some(Step::rewrite(1, cx.pool.make(mirrored, &[y, x])))
    }

    #[doc = "a ∧ ⊤ = a, a ∧ ⊥ = ⊥, a ∧ a = a, a ∧ ¬a = ⊥, and likewise for ∨; nested ones are merged"]
    rule junction_normal [And, Or] [
        "(and a true)", "(and a false b)", "(and a b a)", "(and a b (not a))", "(and a (and b c))", "(or a true)",
        "(or a false)", "(or a b a)", "(or a b (not a))", "(or (or a b) c)"
    ] (cx, t) {
        normalised(cx, t)
    }

    #[doc = "a ∧ (a ∨ b) = a and a ∨ (a ∧ b) = a"]
    rule absorption [And, Or] ["(and a (or a b))", "(or (and b a) a)"] (cx, t) {
        let dual = dual(cx.pool.op(t));
        let children = cx.pool.children(t);
        let nested = |child: &TermId| cx.pool.op(*child) == dual;
        if !children.iter().any(nested) {
            return None;
        }
        let operands: FxHashSet<TermId> = children.iter().copied().collect();
        let absorbed = |child: &TermId| {
            nested(child) && cx.pool.children(*child).iter().any(|inner| operands.contains(inner))
        };
        let kept: Vec<TermId> = children.iter().copied().filter(|child| !absorbed(child)).collect();
        shortened(cx, t, &kept)
    }

    #[doc = "a ∨ ¬(a ∧ b) = ⊤ and a ∧ ¬(a ∨ b) = ⊥"]
    rule negated_junction [And, Or] ["(or a (not (and a b)))", "(and b (not (or a b)))"] (cx, t) {
        let op = cx.pool.op(t);
        let children = cx.pool.children(t);
        let negated = |child: &TermId| {
            let [inner] = cx.view(*child, OpKind::Not)?;
            (cx.pool.op(inner) == dual(op)).then_some(inner)
        };
        children.iter().find_map(negated)?;
        let operands: FxHashSet<TermId> = children.iter().copied().collect();
        let mut nested = children.iter().filter_map(negated);
        let meets = nested.any(|inner| cx.pool.children(inner).iter().any(|child| operands.contains(child)));
        meets.then(|| Step::done(cx.pool.bool(op == Op::Or)))
    }

    #[doc = "x < y ∨ y ≤ x = ⊤ and x < y ∧ y ≤ x = ⊥, unsigned, signed and of integers"]
    rule opposite_comparisons [And, Or] [
        "(or (bvult x y) a (bvule y x))", "(and (bvslt x y) (bvsle y x))", "(or (< p q) (<= q p))"
    ] (cx, t) {
        let compared = cx.pool.children(t).iter().map(|&child| literal(cx.pool, child));
        let compared: Vec<Literal> = compared.filter(|(atom, _)| matches!(atom, Atom::Less(..))).collect();
        if compared.len() < 2 {
            return None;
        }
        let all: FxHashSet<Literal> = compared.iter().copied().collect();
        let meets = compared.iter().any(|&(atom, positive)| all.contains(&(atom, !positive)));
        meets.then(|| Step::done(cx.pool.bool(cx.pool.op(t) == Op::Or)))
    }

    #[doc = "a ∧ (¬a ∨ b) = a ∧ b and a ∨ (¬a ∧ b) = a ∨ b"]
    rule unit_resolution [And, Or] [
        "(and a (or (not a) b))", "(or (and a b) (not a))", "(or (bvult x y) (and a (bvule y x)))"
    ] (cx, t) {
        let op = cx.pool.op(t);
        let nested = cx.pool.children(t).iter().any(|&child| cx.pool.op(child) == dual(op));
        let kept = nested.then(|| Propagation::run(cx.pool, t)).flatten()?;
        let children: Vec<TermId> = kept.iter().map(|operands| cx.pool.make(dual(op), operands)).collect();
        Some(Step::rewrite(2, cx.pool.make(op, &children)))
    }

    #[doc = "x = k ∧ x = l is ⊥ for different literals; x ≠ k ∨ x ≠ l is ⊤"]
    rule two_values [And, Or] ["(and (= x zero) a (= x ones))", "(or (not (= x zero)) a (not (= x ones)))"] (cx, t) {
        let conjunction = cx.pool.op(t) == Op::And;
        let mut values: Vec<(TermId, TermId)> = Vec::new();
        for &child in cx.pool.children(t) {
            let equation = if conjunction { Some(child) } else { cx.view(child, OpKind::Not).map(|[inner]| inner) };
            if let Some([x, literal]) = equation.and_then(|equation| cx.view(equation, OpKind::Equal))
                && cx.pool.is_literal(literal)
            {
                values.push((x, literal));
            }
        }
        values.sort_unstable();
        let clash = values.windows(2).any(|pair| pair[0].0 == pair[1].0 && pair[0].1 != pair[1].1);
        clash.then(|| Step::done(cx.pool.bool(!conjunction)))
    }

    #[doc = "a ⇒ b = ¬a ∨ b"]
    rule implies_as_or [Implies] ["(=> a b)", "(=> a false)"] (cx, t) {
        let [a, b] = cx.args(t)?;
        Some(Step::rewrite(2, cx.pool.implies(a, b)))
    }

    #[doc = "a ⊕ b = ¬(a = b)"]
    rule xor_as_equality [Xor] ["(xor a b)", "(xor a true)", "(xor (not a) b)"] (cx, t) {
        let [a, b] = cx.args(t)?;
        Some(Step::rewrite(2, cx.pool.xor(a, b)))
    }
}

fn dual(op: Op) -> Op {
    if op == Op::And { Op::Or } else { Op::And }
}

/// What is asserted or denied: `y ≤ x` denies `x < y`.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Atom {
    Term(TermId),
    Less(OpKind, TermId, TermId),
}

/// An atom and whether it is positive.
type Literal = (Atom, bool);

fn literal(pool: &TermPool, term: TermId) -> Literal {
    let (term, positive) = if pool.op(term) == Op::Not {
        (pool.child(term, 0), false)
    } else {
        (term, true)
    };
    let strict = match pool.op(term) {
        Op::BvUlt | Op::BvUle => OpKind::BvUlt,
        Op::BvSlt | Op::BvSle => OpKind::BvSlt,
        Op::IntLt | Op::IntLe => OpKind::IntLt,
        _ => return (Atom::Term(term), positive),
    };
    let (x, y) = (pool.child(term, 0), pool.child(term, 1));
    if pool.op(term).kind() == strict {
        (Atom::Less(strict, x, y), positive)
    } else {
        (Atom::Less(strict, y, x), !positive)
    }
}

/// Unit propagation to its end in one go, in time linear in the operands: one unit at a time, a chain of implications
/// would make as many passes over the whole conjunction as it is long.
#[derive(Default)]
struct Propagation {
    /// The operands of each child; a child of the other operator is its own only operand.
    clauses: Vec<Vec<TermId>>,
    /// How many operands of each clause are not refuted.
    left: Vec<usize>,
    occurrences: FxHashMap<Literal, Vec<usize>>,
    units: FxHashSet<Literal>,
    queue: Vec<Literal>,
}

impl Propagation {
    /// The operands of each child that are left, if some are refuted.
    fn run(pool: &TermPool, term: TermId) -> Option<Vec<Vec<TermId>>> {
        let mut work = Propagation::default();
        let dual = dual(pool.op(term));
        for (number, &child) in pool.children(term).iter().enumerate() {
            let operands = if pool.op(child) == dual {
                pool.children(child).to_vec()
            } else {
                vec![child]
            };
            if let [only] = operands[..] {
                work.assert(literal(pool, only));
            } else {
                for &operand in &operands {
                    work.occurrences
                        .entry(literal(pool, operand))
                        .or_default()
                        .push(number);
                }
            }
            work.left.push(operands.len());
            work.clauses.push(operands);
        }
        let mut changed = false;
        while let Some((atom, positive)) = work.queue.pop() {
            for number in work
                .occurrences
                .remove(&(atom, !positive))
                .unwrap_or_default()
            {
                changed = true;
                work.left[number] -= 1;
                if work.left[number] == 1 {
                    let last = work.remaining(pool, number).next();
                    last.into_iter()
                        .for_each(|last| work.assert(literal(pool, last)));
                }
            }
        }
        changed.then(|| {
            (0..work.clauses.len())
                .map(|number| work.kept(pool, number))
                .collect()
        })
    }

    fn assert(&mut self, unit: Literal) {
        if self.units.insert(unit) {
            self.queue.push(unit);
        }
    }

    fn remaining(&self, pool: &TermPool, number: usize) -> impl Iterator<Item = TermId> {
        let refuted = |&operand: &TermId| {
            let (atom, positive) = literal(pool, operand);
            self.units.contains(&(atom, !positive))
        };
        let operands: Vec<TermId> = self.clauses[number]
            .iter()
            .copied()
            .filter(|operand| !refuted(operand))
            .collect();
        operands.into_iter()
    }

    /// A child that is a unit stays, even where it contradicts another: the builder sees that they meet.
    fn kept(&self, pool: &TermPool, number: usize) -> Vec<TermId> {
        if self.clauses[number].len() == 1 {
            return self.clauses[number].clone();
        }
        self.remaining(pool, number).collect()
    }
}

/// What the normalising constructor makes of the term.
pub(super) fn normalised(cx: &mut Context<'_>, term: TermId) -> Option<Step> {
    let children = cx.pool.children(term).to_vec();
    let made = cx.pool.make(cx.pool.op(term), &children);
    (made != term).then(|| Step::rewrite(1, made))
}

/// The same operator over fewer children.
fn shortened(cx: &mut Context<'_>, term: TermId, kept: &[TermId]) -> Option<Step> {
    (kept.len() < cx.pool.children(term).len())
        .then(|| Step::rewrite(1, cx.pool.make(cx.pool.op(term), kept)))
}
