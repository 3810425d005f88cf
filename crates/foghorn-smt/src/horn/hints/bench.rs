//! Hints proved with a solver for each rule against a solver for each rule and round.

use super::super::{Application, HornSystem, Rule};
use super::{Conjunct, Hint, HintMode, one_by_one, prove, split};
use crate::error::SolverError;
use crate::patience::Patience;
use crate::z3::context::Context;
use crate::z3::convert::Converter;
use foghorn_core::Figure;
use foghorn_term::{FunctionId, Sort, TermId, TermPool};
use std::rc::Rc;
use std::time::Instant;

/// A ring of loops over counters: each hands its counters to the next, one of them one larger.
struct Ring {
    pool: TermPool,
    system: HornSystem,
    hints: Vec<Hint>,
}

/// Bounds and differences, of which some are inductive, some fall at once and some only when others
/// have fallen.
fn ring(loops: usize, counters: usize) -> Ring {
    let mut pool = TermPool::new();
    let (int, bool) = (pool.sort_intern(Sort::Int), pool.sort_intern(Sort::Bool));
    let predicates: Vec<FunctionId> = (0..loops)
        .map(|number| {
            let sorts = vec![int; counters];
            let made = pool.function(&format!("loop{number}"), &sorts, bool);
            made.expect("invariant: the names are fresh")
        })
        .collect();
    let formals: Vec<TermId> = (0..counters)
        .map(|number| pool.int_symbol(&format!("x{number}")))
        .collect();
    let (zero, one, hundred) = (pool.int(0), pool.int(1), pool.int(100));
    let starts: Vec<TermId> = formals.iter().map(|x| pool.equal(*x, zero)).collect();
    let apply = |predicate: FunctionId, arguments: &[TermId]| Application {
        predicate,
        arguments: arguments.to_vec(),
    };
    let mut rules = vec![Rule {
        name: "start".to_owned(),
        variables: formals.clone(),
        body: Vec::new(),
        constraint: pool.and(&starts),
        head: Some(apply(predicates[0], &formals)),
    }];
    for number in 0..loops {
        let mut next = formals.clone();
        let moved = number % counters;
        next[moved] = pool.int_add(formals[moved], one);
        rules.push(Rule {
            name: format!("step{number}"),
            variables: formals.clone(),
            body: vec![apply(predicates[number], &formals)],
            constraint: pool.int_lt(formals[moved], hundred),
            head: Some(apply(predicates[(number + 1) % loops], &next)),
        });
    }
    let mut lemmas = Vec::new();
    for (place, x) in formals.iter().enumerate() {
        lemmas.push(pool.int_le(zero, *x));
        lemmas.push(pool.int_le(*x, hundred));
        let few = pool.int(i64::try_from(place).unwrap_or(0) + 3);
        lemmas.push(pool.int_le(*x, few));
        for y in &formals[..place] {
            lemmas.push(pool.int_le(*x, *y));
        }
    }
    let lemma = pool.and(&lemmas);
    let hint = |predicate: &FunctionId| Hint {
        predicate: *predicate,
        formals: formals.clone(),
        lemma,
        mode: HintMode::EveryFrame,
    };
    let hints = predicates.iter().map(hint).collect();
    Ring {
        system: HornSystem { predicates, rules },
        pool,
        hints,
    }
}

type Way = fn(
    &Rc<Context>,
    &mut Converter,
    &TermPool,
    &HornSystem,
    Vec<Conjunct>,
    &Patience,
) -> Result<Vec<Conjunct>, SolverError>;

/// Proves the ring's hints one way; how many are left, and the seconds.
fn prove_ring(ring: &Ring, way: Way) -> Result<(usize, f64), SolverError> {
    let start = Instant::now();
    let context = Rc::new(Context::new(&[])?);
    let mut converter = Converter::default();
    let mut conjuncts = Vec::new();
    for hint in &ring.hints {
        conjuncts.extend(split(&context, &mut converter, &ring.pool, hint)?);
    }
    let patience = Patience::default();
    let (pool, system) = (&ring.pool, &ring.system);
    let left = way(&context, &mut converter, pool, system, conjuncts, &patience)?;
    Ok((left.len(), start.elapsed().as_secs_f64()))
}

/// Times both ways on the same hints.
///
/// # Errors
/// When the ways disagree.
pub fn measure() -> Result<Vec<Figure>, SolverError> {
    let mut figures = Vec::new();
    // In the order of the ring what falls at one loop falls at the next in the same round; against it
    // every loop takes a round.
    for (loops, counters, against) in [(12, 6, false), (12, 6, true), (40, 4, true)] {
        let mut ring = ring(loops, counters);
        if against {
            ring.system.rules.reverse();
        }
        let (left, old) = prove_ring(&ring, one_by_one::inductive)?;
        let (same, new) = prove_ring(&ring, prove::inductive)?;
        if left != same {
            return Err(SolverError::Internal(format!(
                "of the hints {left} are inductive one by one, but {same} with solvers that stay"
            )));
        }
        figures.push(Figure {
            name: format!(
                "solvers/hints/{loops}x{counters}{}",
                if against { "-reversed" } else { "" }
            ),
            value: old / new.max(1e-9),
            unit: "ratio".to_owned(),
            detail: format!(
                "{old:.3} s one by one / {new:.3} s with solvers that stay, {left} inductive"
            ),
        });
    }
    Ok(figures)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_keep_the_same_hints() {
        for (loops, counters) in [(1, 1), (2, 2), (3, 2), (4, 3)] {
            let ring = ring(loops, counters);
            let one_by_one = prove_ring(&ring, one_by_one::inductive).unwrap().0;
            let together = prove_ring(&ring, prove::inductive).unwrap().0;
            assert_eq!(one_by_one, together, "{loops} loops, {counters} counters");
            assert!(together > 0, "the bounds are inductive");
        }
    }
}
