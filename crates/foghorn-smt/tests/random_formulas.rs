//! Random well-sorted formulas under random models: the evaluator, Z3 and an SMT-LIB process agree
//! on the value, and rewriting keeps it.
//!
//! A batch of formulas is checked at once: with every symbol fixed to its value, "some formula
//! differs from what the evaluator says" must be unsatisfiable. One formula of each batch is solved
//! freely as well; answers must agree and models must satisfy it.
//!
//! `FOGHORN_RANDOM_FORMULAS=200000 cargo test -p foghorn-smt --test random_formulas` runs the large
//! number; the default is smaller to keep the suite quick.

use foghorn_core::Budget;
use foghorn_smt::SolverError;
use foghorn_smt::sat::SatSolver;
use foghorn_smt::smtlib::{SmtLibProfile, SmtLibSolver};
use foghorn_smt::solver::{Answer, Limits, PushPop, Solver};
use foghorn_smt::z3::Z3Solver;
use foghorn_term::eval::{ArrayValue, Evaluator, Model, Value};
use foghorn_term::generate::{Fragment, Generator};
use foghorn_term::rules::simplifier;
use foghorn_term::{Op, Sort, SortId, TermId, TermPool};
use std::time::Duration;

const BATCH: usize = 200;

fn count() -> usize {
    std::env::var("FOGHORN_RANDOM_FORMULAS")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(4000)
}

fn dependency(path: &str) -> String {
    format!("{}/../../.deps/{path}", env!("CARGO_MANIFEST_DIR"))
}

fn yices() -> SmtLibSolver {
    SmtLibSolver::new(SmtLibProfile::yices(&dependency("yices/bin/yices-smt2")))
}

fn z3_process() -> SmtLibSolver {
    SmtLibSolver::new(SmtLibProfile::z3(&dependency("z3/bin/z3")))
}

/// Terms that fix symbols and applications to a model's values.
struct Pins<'a> {
    pool: &'a mut TermPool,
    pins: Vec<TermId>,
    /// Elements of uninterpreted sorts that were named.
    elements: Vec<(SortId, u64)>,
}

impl Pins<'_> {
    /// A term with this value.
    fn literal(&mut self, sort: SortId, value: &Value) -> TermId {
        if let Some(term) = self.pool.literal(value.clone()) {
            return term;
        }
        match (value, self.pool.sort_of(sort)) {
            (Value::Uninterpreted(number), sort_value) => {
                if !self.elements.contains(&(sort, *number)) {
                    self.elements.push((sort, *number));
                }
                self.pool.symbol(&format!("element{number}"), sort_value)
            }
            (Value::Array(array), Sort::Array { index, element }) => {
                self.array(sort, index, element, array)
            }
            (other, _) => panic!("no literal for {other:?}"),
        }
    }

    /// A constant array with stores. Models are tables with few exceptions.
    fn array(
        &mut self,
        sort: SortId,
        index: SortId,
        element: SortId,
        array: &ArrayValue,
    ) -> TermId {
        let segments = array.segments().expect("a table");
        // The last piece reaches to the end of the domain, so it is the default of infinite ones.
        let default = &segments.last().expect("a piece").1;
        let default_term = self.literal(element, default);
        let mut term = self.pool.constant_array(sort, default_term);
        let starts: Vec<Option<Value>> = segments.iter().map(|(start, _)| start.clone()).collect();
        for (i, (_, value)) in segments.iter().enumerate() {
            let Some(Some(next)) = starts.get(i + 1).cloned() else {
                continue;
            };
            if value == default {
                continue;
            }
            for at in between(starts[i].clone(), &next) {
                let at = self.literal(index, &at);
                let value = self.literal(element, value);
                term = self.pool.store(term, at, value);
            }
        }
        term
    }

    fn pin(&mut self, term: TermId, value: &Value) {
        let literal = self.literal(self.pool.sort_id(term), value);
        let equal = self.pool.equal(term, literal);
        self.pins.push(equal);
    }

    fn distinct_elements(&mut self) {
        for (i, (sort, a)) in self.elements.clone().into_iter().enumerate() {
            for (other, b) in self.elements.clone().into_iter().skip(i + 1) {
                if sort == other {
                    let sort = self.pool.sort_of(sort);
                    let a = self.pool.symbol(&format!("element{a}"), sort);
                    let b = self.pool.symbol(&format!("element{b}"), sort);
                    let apart = self.pool.not_equal(a, b);
                    self.pins.push(apart);
                }
            }
        }
    }
}

/// The values from `start` (the least one if there is none) up to before `end`.
fn between(start: Option<Value>, end: &Value) -> Vec<Value> {
    let mut values = Vec::new();
    let mut at = match (start, end) {
        (Some(start), _) => start,
        (None, Value::BitVec(bits)) => Value::BitVec(foghorn_term::BitVecValue::zero(bits.width())),
        (None, other) => panic!("a domain without a least value: {other:?}"),
    };
    while at != *end {
        values.push(at.clone());
        at = match at {
            Value::BitVec(bits) => {
                let one = foghorn_term::BitVecValue::one(bits.width());
                Value::BitVec(bits.add(&one))
            }
            Value::Int(number) => Value::Int(number + 1),
            other => panic!("indices are numbers: {other:?}"),
        };
        assert!(values.len() < 5000, "a model with a long piece");
    }
    values
}

/// Results that SMT-LIB leaves open, where solvers may differ from our evaluator and each other.
fn is_open(pool: &TermPool, term: TermId) -> bool {
    pool.post_order(&[term]).any(|subterm| {
        matches!(
            pool.op(subterm),
            Op::FloatToSigned(..) | Op::FloatToUnsigned(..) | Op::FloatMin | Op::FloatMax
        )
    })
}

/// Pins for everything the formulas mention.
fn pins(pool: &mut TermPool, model: &Model, formulas: &[TermId]) -> Vec<TermId> {
    let mut fixed: Vec<(TermId, Vec<Value>, Value)> = Vec::new();
    let order: Vec<TermId> = pool.post_order(formulas).collect();
    let mut evaluator = Evaluator::new(pool, model);
    for term in &order {
        if matches!(pool.op(*term), Op::Symbol(_) | Op::Apply(_)) {
            let arguments = pool
                .children(*term)
                .iter()
                .map(|child| evaluator.evaluate(*child).unwrap())
                .collect();
            fixed.push((*term, arguments, evaluator.evaluate(*term).unwrap()));
        }
    }
    let mut pins = Pins {
        pool,
        pins: Vec::new(),
        elements: Vec::new(),
    };
    for (term, arguments, value) in fixed {
        let op = pins.pool.op(term);
        let children = pins.pool.children(term).to_vec();
        let literals: Vec<TermId> = children
            .iter()
            .zip(&arguments)
            .map(|(child, value)| pins.literal(pins.pool.sort_id(*child), value))
            .collect();
        let ground = pins.pool.intern(op, &literals);
        pins.pin(ground, &value);
    }
    pins.distinct_elements();
    pins.pins
}

/// A batch: its formulas and their values.
struct Batch {
    pool: TermPool,
    formulas: Vec<TermId>,
    pins: Vec<TermId>,
    /// True iff some formula differs from the evaluator's value.
    differs: TermId,
}

fn batch(fragment: &Fragment, seed: u64) -> Batch {
    let mut pool = TermPool::new();
    let mut generator = Generator::new(&mut pool, fragment.clone(), seed);
    let mut formulas = Vec::with_capacity(BATCH);
    while formulas.len() < BATCH {
        let steps = 4 + generator.random().index(24);
        let formula = generator.formula(&mut pool, steps);
        if !is_open(&pool, formula) {
            formulas.push(formula);
        }
    }
    let model = generator.model(&pool);
    let mut rewriter = simplifier();
    let mut differences = Vec::new();
    for formula in &formulas {
        let value = Evaluator::new(&pool, &model).evaluate(*formula).unwrap();
        let simpler = rewriter.rewrite(&mut pool, *formula);
        let after = Evaluator::new(&pool, &model).evaluate(simpler).unwrap();
        assert_eq!(value, after, "rewriting changed a value, seed {seed}");
        let differs = if value.as_bool() {
            pool.intern(Op::Not, &[*formula])
        } else {
            *formula
        };
        differences.push(differs);
    }
    let differs = pool.intern(Op::Or, &differences);
    let pins = pins(&mut pool, &model, &formulas);
    Batch {
        pool,
        formulas,
        pins,
        differs,
    }
}

/// The solver agrees with the evaluator on every formula of the batch.
fn agrees<S: PushPop>(solver: &mut S, batch: &Batch, seed: u64) {
    for pin in &batch.pins {
        solver.assert(&batch.pool, *pin).unwrap();
    }
    assert_eq!(
        solver.check(&batch.pool).unwrap(),
        Answer::Satisfiable,
        "{} refuses the model itself, seed {seed}",
        solver.name()
    );
    solver.assert(&batch.pool, batch.differs).unwrap();
    assert_eq!(
        solver.check(&batch.pool).unwrap(),
        Answer::Unsatisfiable,
        "{} disagrees with the evaluator, seed {seed}",
        solver.name()
    );
}

/// A definite answer of a solver to one formula; models are evaluated.
fn solve<S: Solver + Limits>(solver: &mut S, pool: &TermPool, formula: TermId) -> Option<Answer> {
    solver.set_budget(Budget::unlimited().within(Duration::from_secs(10)));
    for term in pool.post_order(&[formula]) {
        if matches!(pool.op(term), Op::Symbol(_)) {
            match solver.declare(pool, term) {
                Err(SolverError::Unsupported { .. }) => return None,
                other => other.unwrap(),
            }
        }
    }
    match solver.assert(pool, formula) {
        Err(SolverError::Unsupported { .. }) => return None,
        other => other.unwrap(),
    }
    let answer = match solver.check(pool) {
        Err(SolverError::Exhausted(_)) => return None,
        other => other.unwrap(),
    };
    if answer == Answer::Satisfiable {
        let value = solver.value(pool, formula).unwrap();
        assert_eq!(value, Value::Bool(true), "{}'s model", solver.name());
    }
    answer.is_definite().then_some(answer)
}

fn run(fragment: &Fragment, share: usize, process: fn() -> SmtLibSolver) {
    let batches = (count() / share).div_ceil(BATCH);
    for number in 0..batches {
        let seed = number as u64;
        let batch = batch(fragment, seed);
        agrees(&mut Z3Solver::new().unwrap(), &batch, seed);
        agrees(&mut process(), &batch, seed);
        let formula = batch.formulas[0];
        let pool = &batch.pool;
        let answers = [
            solve(&mut Z3Solver::new().unwrap(), pool, formula),
            solve(&mut process(), pool, formula),
            solve(&mut SatSolver::new(), pool, formula),
        ];
        let definite: Vec<&Answer> = answers.iter().flatten().collect();
        assert!(
            definite.windows(2).all(|pair| pair[0] == pair[1]),
            "{answers:?}, seed {seed}"
        );
    }
}

// A quarter each; together they are the number asked for.

#[test]
fn bit_vectors() {
    run(&Fragment::bit_vectors(&[1, 3, 8, 17]), 4, yices);
}

#[test]
fn bit_vectors_with_arrays_and_functions() {
    // yices-smt2 knows no constant arrays.
    run(&Fragment::arrays_and_functions(), 4, z3_process);
}

#[test]
fn integers_with_arrays_and_functions() {
    run(&Fragment::linear_integers(), 4, z3_process);
}

#[test]
fn floats() {
    run(&Fragment::floats(), 4, z3_process);
}
