//! What only some solvers can do: proofs, tactics, refusing politely, terms of great depth.

use foghorn_smt::SolverError;
use foghorn_smt::portfolio::{Portfolio, Runner};
use foghorn_smt::sat::SatSolver;
use foghorn_smt::smtlib::Script;
use foghorn_smt::solver::{Answer, Proof, Proofs, Solver, Tactic};
use foghorn_smt::z3::Z3Solver;
use foghorn_term::{FloatFormat, Op, Sort, TermId, TermPool};
use std::collections::HashSet;
use std::path::Path;

/// x + y ≠ y + x, in a spelling that builders do not fold.
fn unsatisfiable(pool: &mut TermPool) -> TermId {
    let (x, y) = (pool.bv_symbol("x", 6), pool.bv_symbol("y", 6));
    let left = pool.intern(Op::BvMul, &[x, y]);
    let right = pool.intern(Op::BvMul, &[y, x]);
    let equal = pool.intern(Op::Equal, &[left, right]);
    pool.intern(Op::Not, &[equal])
}

/// Clauses or proof lines: literals, and whether the line deletes.
fn lines(path: &Path) -> Vec<(bool, Vec<i32>)> {
    let text = std::fs::read_to_string(path).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with(['p', 'c']));
    lines
        .map(|line| {
            let (deletes, rest) = match line.strip_prefix("d ") {
                Some(rest) => (true, rest),
                None => (false, line),
            };
            let numbers = rest.split_whitespace().map(|n| n.parse::<i32>().unwrap());
            (deletes, numbers.filter(|n| *n != 0).collect())
        })
        .collect()
}

/// Whether unit propagation refutes the clauses with these literals assumed.
fn refutes(clauses: &[Vec<i32>], assumed: &[i32]) -> bool {
    let mut truth: HashSet<i32> = assumed.iter().copied().collect();
    loop {
        let mut changed = false;
        for clause in clauses {
            if clause.iter().any(|l| truth.contains(l)) {
                continue;
            }
            let open: Vec<i32> = clause
                .iter()
                .copied()
                .filter(|l| !truth.contains(&-l))
                .collect();
            match open.as_slice() {
                [] => return true,
                [unit] => changed |= truth.insert(*unit),
                _ => {}
            }
        }
        if !changed {
            return false;
        }
    }
}

/// A step is right if propagation refutes its negation, or if it resolves so with every clause that
/// has the negation of its first literal.
fn step_is_right(clauses: &[Vec<i32>], clause: &[i32]) -> bool {
    let negated: Vec<i32> = clause.iter().map(|l| -l).collect();
    if refutes(clauses, &negated) {
        return true;
    }
    let Some(pivot) = clause.first() else {
        return false;
    };
    clauses.iter().filter(|c| c.contains(&-pivot)).all(|other| {
        let mut assumed = negated.clone();
        assumed.extend(other.iter().filter(|l| **l != -pivot).map(|l| -l));
        let clash = assumed.iter().any(|l| assumed.contains(&-l));
        clash || refutes(clauses, &assumed)
    })
}

/// Checks a DRAT proof; true if it derives the empty clause.
fn drat_is_right(formula: &Path, proof: &Path) -> bool {
    let mut clauses: Vec<Vec<i32>> = lines(formula).into_iter().map(|(_, c)| c).collect();
    for (deletes, clause) in lines(proof) {
        if deletes {
            let mut sorted = clause.clone();
            sorted.sort_unstable();
            let same = |c: &Vec<i32>| {
                let mut c = c.clone();
                c.sort_unstable();
                c == sorted
            };
            if let Some(position) = clauses.iter().position(same) {
                clauses.swap_remove(position);
            }
            continue;
        }
        assert!(step_is_right(&clauses, &clause), "a wrong step: {clause:?}");
        if clause.is_empty() {
            return true;
        }
        clauses.push(clause);
    }
    refutes(&clauses, &[])
}

#[test]
fn sat_writes_a_drat_proof_that_checks() {
    let folder = tempfile::tempdir().unwrap();
    let mut solver = SatSolver::with_proofs(folder.path());
    let mut pool = TermPool::new();
    let (x, y) = (pool.bv_symbol("x", 4), pool.bv_symbol("y", 4));
    let less = pool.bv_ult(x, y);
    let more = pool.bv_ult(y, x);
    solver.assert(&pool, less).unwrap();
    assert!(matches!(solver.proof(), Err(SolverError::NoProof(_))));
    let answer = solver.check_assuming(&pool, &[more]).unwrap();
    assert_eq!(answer, Answer::Unsatisfiable);
    let Proof::Drat { formula, proof } = solver.proof().unwrap() else {
        panic!("sat writes DRAT");
    };
    assert!(drat_is_right(&formula, &proof));
    // A proof of something else is not a proof of this.
    std::fs::write(&formula, "p cnf 2 1\n1 2 0\n").unwrap();
    std::fs::write(&proof, "0\n").unwrap();
    assert!(std::panic::catch_unwind(|| drat_is_right(&formula, &proof)).is_err());
}

#[test]
fn z3_shows_a_proof_term_and_takes_tactics() {
    let mut pool = TermPool::new();
    let claim = unsatisfiable(&mut pool);
    let mut solver = Z3Solver::with_proofs().unwrap();
    solver.assert(&pool, claim).unwrap();
    assert_eq!(solver.check(&pool).unwrap(), Answer::Unsatisfiable);
    assert!(matches!(solver.proof().unwrap(), Proof::Term(text) if !text.is_empty()));

    let mut solver = Z3Solver::new().unwrap();
    solver.assert(&pool, claim).unwrap();
    solver.set_tactic("qfbv").unwrap();
    assert_eq!(solver.check(&pool).unwrap(), Answer::Unsatisfiable);
    assert!(matches!(
        solver.set_tactic("no such tactic"),
        Err(SolverError::Z3(_))
    ));
    assert!(matches!(solver.proof(), Err(SolverError::NoProof(_))));
}

#[test]
fn sat_refuses_what_it_cannot_do_and_a_portfolio_goes_on() {
    let mut pool = TermPool::new();
    let f = pool.symbol("f", Sort::Float(FloatFormat::HALF));
    let nan = pool.intern(Op::FloatIsNan, &[f]);
    let n = pool.int_symbol("n");
    let zero = pool.int(0);
    let negative = pool.int_lt(n, zero);
    for term in [nan, negative] {
        let error = SatSolver::new().assert(&pool, term).unwrap_err();
        assert!(
            matches!(error, SolverError::Unsupported { solver: "sat", .. }),
            "{error}"
        );
    }
    let mut both = Portfolio::new(SatSolver::new(), Z3Solver::new().unwrap());
    both.assert(&pool, nan).unwrap();
    both.assert(&pool, negative).unwrap();
    assert_eq!(both.check(&pool).unwrap(), Answer::Satisfiable);
    assert_eq!(both.winner(), Some(Runner::Second));
    assert!(both.value(&pool, nan).unwrap().as_bool());
}

/// Converting and printing have their own stacks: a small thread suffices for a long chain.
#[test]
fn deep_terms_are_converted_without_recursion() {
    let work = || {
        let mut pool = TermPool::new();
        let (x, y) = (pool.bv_symbol("x", 2), pool.bv_symbol("y", 2));
        let mut term = x;
        for _ in 0..100_000 {
            let masked = pool.intern(Op::BvAnd, &[term, y]);
            term = pool.intern(Op::BvOr, &[masked, x]);
        }
        Z3Solver::new().unwrap().declare(&pool, term).unwrap();
        SatSolver::new().declare(&pool, term).unwrap();
        let printed = Script::new().term(&pool, term).unwrap();
        assert!(printed.commands.len() < 200 * 100_000);
    };
    std::thread::Builder::new()
        .stack_size(512 * 1024)
        .spawn(work)
        .unwrap()
        .join()
        .unwrap();
}
