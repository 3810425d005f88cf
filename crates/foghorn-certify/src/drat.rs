//! Proofs of a SAT solver, checked without it (Wetzler, Heule and Hunt: DRAT-trim, SAT 2014).
//!
//! A proof is a list of clauses, each of which follows from the clauses before it by unit propagation
//! (RUP), or at least keeps satisfiability by its first literal (RAT), and of clauses that are no longer
//! needed. If the empty clause follows, the formula has no model. Each step is checked forwards.

use rustc_hash::FxHashMap;

/// Why a proof is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DratError {
    #[error("line {0} of the {1} is not understood")]
    Form(usize, &'static str),
    #[error("step {0} of the proof does not follow")]
    Step(usize),
    #[error("the proof does not come to the empty clause")]
    Open,
}

/// Checks that a proof refutes a formula, given as the texts of a DIMACS and of a DRAT file.
pub fn check_drat(formula: &str, proof: &str) -> Result<(), DratError> {
    let mut checker = Checker::default();
    for (number, line) in formula.lines().enumerate() {
        if line.starts_with('c') || line.starts_with('p') || line.trim().is_empty() {
            continue;
        }
        let clause = literals(line).ok_or(DratError::Form(number + 1, "formula"))?;
        checker.add(clause);
    }
    for (number, line) in proof.lines().enumerate() {
        if checker.is_refuted {
            return Ok(());
        }
        let line = line.trim();
        if line.is_empty() || line.starts_with('c') {
            continue;
        }
        let form = DratError::Form(number + 1, "proof");
        if let Some(deleted) = line.strip_prefix('d') {
            checker.delete(literals(deleted).ok_or(form)?);
            continue;
        }
        let clause = literals(line).ok_or(form)?;
        if !checker.follows(&clause) && !checker.keeps_models(&clause) {
            return Err(DratError::Step(number + 1));
        }
        checker.add(clause);
    }
    match checker.is_refuted {
        true => Ok(()),
        false => Err(DratError::Open),
    }
}

/// The literals of a line that ends in 0.
fn literals(line: &str) -> Option<Vec<i32>> {
    let mut found: Vec<i32> = vec![];
    for word in line.split_ascii_whitespace() {
        match word.parse().ok()? {
            0 => return Some(found),
            i32::MIN => return None,
            literal => found.push(literal),
        }
    }
    None
}

#[derive(Default)]
struct Checker {
    clauses: Vec<Option<Vec<i32>>>,
    /// Clauses by their literals in order, for deletion.
    by_literals: FxHashMap<Vec<i32>, Vec<usize>>,
    /// Clauses that watch a literal: one of their first two.
    watches: FxHashMap<i32, Vec<usize>>,
    /// Literals that are true, with those that follow from the clauses alone first.
    trail: Vec<i32>,
    is_true: FxHashMap<i32, ()>,
    /// How far the trail was propagated.
    propagated: usize,
    is_refuted: bool,
}

impl Checker {
    fn value(&self, literal: i32) -> Option<bool> {
        if self.is_true.contains_key(&literal) {
            return Some(true);
        }
        self.is_true.contains_key(&-literal).then_some(false)
    }

    fn assign(&mut self, literal: i32) {
        self.is_true.insert(literal, ());
        self.trail.push(literal);
    }

    /// Adds a clause and what follows from it at once.
    fn add(&mut self, mut clause: Vec<i32>) {
        let mut key = clause.clone();
        key.sort_unstable();
        let id = self.clauses.len();
        self.by_literals.entry(key).or_default().push(id);
        // Literals that are not false come first, to be watched.
        clause.sort_by_key(|literal| self.value(*literal) == Some(false));
        let is_open = |literal: Option<&i32>| {
            literal.is_some_and(|literal| self.value(*literal) != Some(false))
        };
        let (first, second) = (is_open(clause.first()), is_open(clause.get(1)));
        let unit = (first && !second).then(|| clause[0]);
        if clause.len() > 1 {
            for literal in &clause[..2] {
                self.watches.entry(*literal).or_default().push(id);
            }
        }
        self.clauses.push(Some(clause));
        match unit {
            _ if !first => self.is_refuted = true,
            Some(literal) if self.value(literal).is_none() => {
                self.assign(literal);
                self.is_refuted |= !self.propagate();
            }
            Some(_) | None => {}
        }
    }

    /// Forgets a clause, unless what is known rests on it.
    fn delete(&mut self, mut clause: Vec<i32>) {
        let is_reason = {
            let open = clause.iter().filter(|it| self.value(**it) != Some(false));
            let held = clause.iter().any(|it| self.value(*it) == Some(true));
            held && open.count() == 1
        };
        if is_reason {
            return;
        }
        clause.sort_unstable();
        let found = self.by_literals.get_mut(&clause).and_then(Vec::pop);
        if let Some(id) = found {
            self.clauses[id] = None;
        }
    }

    /// Whether the clauses and these literals lead to no contradiction by unit propagation.
    fn propagate(&mut self) -> bool {
        while self.propagated < self.trail.len() {
            let false_literal = -self.trail[self.propagated];
            self.propagated += 1;
            let watching = self.watches.remove(&false_literal).unwrap_or_default();
            let mut kept = vec![];
            let mut consistent = true;
            for id in watching {
                if !consistent {
                    kept.push(id);
                    continue;
                }
                match self.visit(id, false_literal) {
                    Visit::Gone => {}
                    Visit::Moved(to) => self.watches.entry(to).or_default().push(id),
                    Visit::Kept => kept.push(id),
                    Visit::Unit(literal) => {
                        kept.push(id);
                        self.assign(literal);
                    }
                    Visit::Empty => {
                        kept.push(id);
                        consistent = false;
                    }
                }
            }
            self.watches.entry(false_literal).or_default().extend(kept);
            if !consistent {
                return false;
            }
        }
        true
    }

    fn visit(&mut self, id: usize, false_literal: i32) -> Visit {
        let Some(mut clause) = self.clauses[id].take() else {
            return Visit::Gone;
        };
        if clause[0] == false_literal {
            clause.swap(0, 1);
        }
        let visit = match self.value(clause[0]) {
            Some(true) => Visit::Kept,
            first => {
                let found = (2..clause.len()).find(|at| self.value(clause[*at]) != Some(false));
                match (found, first) {
                    (Some(at), _) => {
                        clause.swap(1, at);
                        Visit::Moved(clause[1])
                    }
                    (None, None) => Visit::Unit(clause[0]),
                    (None, Some(_)) => Visit::Empty,
                }
            }
        };
        self.clauses[id] = Some(clause);
        visit
    }

    /// Takes back what was only supposed.
    fn retract(&mut self, to: usize) {
        for literal in self.trail.split_off(to) {
            self.is_true.remove(&literal);
        }
        self.propagated = to;
    }

    /// Whether the opposite of a clause leads to a contradiction by unit propagation.
    fn follows(&mut self, clause: &[i32]) -> bool {
        let before = self.trail.len();
        let mut contradiction = false;
        for literal in clause {
            match self.value(*literal) {
                Some(true) => contradiction = true,
                Some(false) => {}
                None => self.assign(-literal),
            }
        }
        let contradiction = contradiction || !self.propagate();
        self.retract(before);
        contradiction
    }

    /// Whether a clause keeps a model, if there is one: its first literal can be made true, since every
    /// clause with the opposite follows when the rest is false.
    fn keeps_models(&mut self, clause: &[i32]) -> bool {
        let Some(&pivot) = clause.first() else {
            return false;
        };
        let opposing: Vec<Vec<i32>> = self
            .clauses
            .iter()
            .flatten()
            .filter(|other| other.contains(&-pivot))
            .cloned()
            .collect();
        opposing.into_iter().all(|other| {
            let rest = other.into_iter().filter(|literal| *literal != -pivot);
            let resolvent: Vec<i32> = clause.iter().copied().chain(rest).collect();
            let is_tautology = resolvent.iter().any(|it| resolvent.contains(&-it));
            is_tautology || self.follows(&resolvent)
        })
    }
}

enum Visit {
    Gone,
    Kept,
    Moved(i32),
    Unit(i32),
    Empty,
}

#[cfg(test)]
mod tests {
    use super::*;

    const FORMULA: &str = "p cnf 2 4\n1 2 0\n1 -2 0\n-1 2 0\n-1 -2 0\n";

    #[test]
    fn a_refutation_is_accepted() {
        assert_eq!(check_drat(FORMULA, "1 0\n0\n"), Ok(()));
        assert_eq!(check_drat(FORMULA, "2 0\nd 1 2 0\n0\n"), Ok(()));
    }

    #[test]
    fn a_step_that_does_not_follow_is_refused() {
        let satisfiable = "p cnf 2 2\n1 2 0\n-1 2 0\n";
        assert_eq!(
            check_drat(satisfiable, "-2 0\n0\n"),
            Err(DratError::Step(1))
        );
        assert_eq!(check_drat(satisfiable, "2 0\n"), Err(DratError::Open));
        assert_eq!(check_drat(satisfiable, "0\n"), Err(DratError::Step(1)));
        assert_eq!(
            check_drat(FORMULA, "x 0\n"),
            Err(DratError::Form(1, "proof"))
        );
    }

    #[test]
    fn a_clause_that_was_deleted_is_no_premise() {
        let deleted = "d -1 -2 0\n1 0\n0\n";
        assert_eq!(check_drat(FORMULA, deleted), Err(DratError::Step(3)));
    }

    #[test]
    fn a_new_definition_keeps_models() {
        // 3 stands for 1 and 2; the clauses do not follow, and no model is lost.
        let proof = "3 -1 -2 0\n-3 1 0\n-3 2 0\n1 0\n0\n";
        assert_eq!(check_drat(FORMULA, proof), Ok(()));
        // A clause about old variables has to follow.
        let satisfiable = "p cnf 2 1\n1 2 0\n";
        assert_eq!(
            check_drat(satisfiable, "-1 0\n-2 0\n0\n"),
            Err(DratError::Step(1))
        );
    }
}
