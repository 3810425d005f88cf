//! Local simplification of one conjunction before it is built.
//!
//! Looks at most two levels deep: at the operands and, where those are conjunctions, at their
//! operands. A rule either finishes (an edge that already exists) or exchanges the operands for
//! existing edges and starts again; so no rule adds a node, and each restart replaces an operand
//! by one of its own, older operands, so the loop ends.
//!
//! The names are those of Brummayer and Biere's tables. `x` stands for an operand with a positive
//! conjunction (x0 ∧ x1), `¬x` for one with a negated conjunction.

use super::{Aig, Edge};

/// What became of the conjunction.
pub(super) enum Outcome {
    /// It is this existing edge.
    Edge(Edge),
    /// Nothing more to be said: build it.
    And(Edge, Edge),
}

enum Step {
    Finished(Edge),
    Again(Edge, Edge),
    Nothing,
}

/// Simplifies `left ∧ right` to an existing edge or to operands no rule applies to.
pub(super) fn simplify(aig: &Aig, left: Edge, right: Edge) -> Outcome {
    let (mut left, mut right) = (left, right);
    loop {
        if let Some(edge) = one_level(left, right) {
            return Outcome::Edge(edge);
        }
        let mut step = asymmetric(aig, left, right);
        if matches!(step, Step::Nothing) {
            step = asymmetric(aig, right, left);
        }
        if matches!(step, Step::Nothing) {
            step = symmetric(aig, left, right);
        }
        match step {
            Step::Finished(edge) => return Outcome::Edge(edge),
            Step::Again(new_left, new_right) => (left, right) = (new_left, new_right),
            Step::Nothing => return Outcome::And(left, right),
        }
    }
}

/// Neutrality, boundedness, idempotence, contradiction.
fn one_level(left: Edge, right: Edge) -> Option<Edge> {
    if left == right || right == Edge::TRUE {
        Some(left)
    } else if left == Edge::TRUE {
        Some(right)
    } else if left == !right || left == Edge::FALSE || right == Edge::FALSE {
        Some(Edge::FALSE)
    } else {
        None
    }
}

/// Rules that open only the operand `x`; `other` stays closed.
fn asymmetric(aig: &Aig, x: Edge, other: Edge) -> Step {
    let Some((x0, x1)) = aig.operands(x) else {
        return Step::Nothing;
    };
    if x.is_negated() {
        // Subsumption: ¬(x0 ∧ x1) ∧ ¬x0 = ¬x0.
        if other == !x0 || other == !x1 {
            return Step::Finished(other);
        }
        // Substitution: ¬(x0 ∧ x1) ∧ x0 = ¬x1 ∧ x0.
        if other == x0 {
            return Step::Again(!x1, other);
        }
        if other == x1 {
            return Step::Again(!x0, other);
        }
        return Step::Nothing;
    }
    // Contradiction: (x0 ∧ x1) ∧ ¬x0 = false.
    if other == !x0 || other == !x1 {
        return Step::Finished(Edge::FALSE);
    }
    // Idempotence: (x0 ∧ x1) ∧ x0 = x0 ∧ x1.
    if other == x0 || other == x1 {
        return Step::Finished(x);
    }
    Step::Nothing
}

/// Rules that open both operands.
fn symmetric(aig: &Aig, x: Edge, y: Edge) -> Step {
    let (Some(xs), Some(ys)) = (aig.operands(x), aig.operands(y)) else {
        return Step::Nothing;
    };
    match (x.is_negated(), y.is_negated()) {
        (false, false) => both_positive(x, xs, y, ys),
        (true, false) => mixed(x, xs, y, ys),
        (false, true) => mixed(y, ys, x, xs),
        (true, true) => both_negative(xs, ys),
    }
}

fn both_positive(x: Edge, (x0, x1): (Edge, Edge), y: Edge, (y0, y1): (Edge, Edge)) -> Step {
    // Contradiction: (x0 ∧ x1) ∧ (¬x0 ∧ y1) = false.
    if x0 == !y0 || x0 == !y1 || x1 == !y0 || x1 == !y1 {
        return Step::Finished(Edge::FALSE);
    }
    // Idempotence: (x0 ∧ x1) ∧ (x0 ∧ y1) = (x0 ∧ x1) ∧ y1.
    if x0 == y0 || x1 == y0 {
        return Step::Again(x, y1);
    }
    if x0 == y1 || x1 == y1 {
        return Step::Again(x, y0);
    }
    debug_assert!(x != y);
    Step::Nothing
}

/// `x` negated, `y` positive.
fn mixed(_x: Edge, (x0, x1): (Edge, Edge), y: Edge, (y0, y1): (Edge, Edge)) -> Step {
    // Subsumption: ¬(x0 ∧ x1) ∧ (¬x0 ∧ y1) = ¬x0 ∧ y1.
    if y0 == !x0 || y0 == !x1 || y1 == !x0 || y1 == !x1 {
        return Step::Finished(y);
    }
    // Substitution: ¬(x0 ∧ x1) ∧ (x0 ∧ y1) = ¬x1 ∧ (x0 ∧ y1).
    if y0 == x0 || y1 == x0 {
        return Step::Again(!x1, y);
    }
    if y0 == x1 || y1 == x1 {
        return Step::Again(!x0, y);
    }
    Step::Nothing
}

/// Resolution: ¬(a ∧ b) ∧ ¬(a ∧ ¬b) = ¬a.
fn both_negative((x0, x1): (Edge, Edge), (y0, y1): (Edge, Edge)) -> Step {
    if (x0 == y0 && x1 == !y1) || (x0 == y1 && x1 == !y0) {
        return Step::Finished(!x0);
    }
    if (x1 == y0 && x0 == !y1) || (x1 == y1 && x0 == !y0) {
        return Step::Finished(!x1);
    }
    Step::Nothing
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All conjunctions of all two-level shapes over three inputs keep their truth tables.
    #[test]
    fn every_two_level_shape_keeps_its_truth_table() {
        let mut aig = Aig::new();
        let inputs: Vec<Edge> = (0..3).map(|_| aig.input()).collect();
        let literals: Vec<Edge> = inputs.iter().flat_map(|e| [*e, !*e]).collect();
        let mut level: Vec<Edge> = literals.clone();
        for a in &literals {
            for b in &literals {
                let edge = aig.and(*a, *b);
                level.extend([edge, !edge]);
            }
        }
        let mut built = Vec::new();
        for a in &level {
            for b in &level {
                built.push((*a, *b, aig.and(*a, *b)));
            }
        }
        for mask in 0..8u32 {
            let values = aig.evaluate(|node| {
                inputs
                    .iter()
                    .position(|e| e.node() == node)
                    .is_some_and(|i| mask >> i & 1 == 1)
            });
            for (a, b, both) in &built {
                assert_eq!(values.value(*both), values.value(*a) && values.value(*b));
            }
        }
    }

    #[test]
    fn the_named_rules_fire() {
        let mut aig = Aig::new();
        let (a, b, c) = (aig.input(), aig.input(), aig.input());
        let ab = aig.and(a, b);
        assert_eq!(aig.and(ab, !a), Edge::FALSE);
        assert_eq!(aig.and(!ab, !a), !a);
        assert_eq!(aig.and(!ab, a), aig.and(a, !b));
        let ac = aig.and(a, c);
        assert_eq!(aig.and(ab, ac), aig.and(ab, c));
        let a_not_b = aig.and(a, !b);
        assert_eq!(aig.and(!ab, !a_not_b), !a);
        assert_eq!(aig.and(ab, a_not_b), Edge::FALSE);
    }
}
