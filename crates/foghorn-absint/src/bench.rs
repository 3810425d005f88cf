//! Benchmarks of the library, for `foghorn bench absint`.
//!
//! Each builds its own input and compares within one run. A figure is a ratio, an exponent or a
//! count; seconds are detail.

pub mod zones;

use foghorn_core::Figure;
use std::time::Instant;

use crate::analysis::forward::{AnalysisOptions, OpaqueCalls, analyse};
use crate::domain::intervals::Intervals;
use crate::domain::{AbstractDomain as _, NumericDomain as _};
use crate::language::{BinaryOperator, FunctionBuilder, Operand, Program, Statement};
use crate::linear::{LinearConstraint, LinearExpression};
use crate::machine::MachineIntegers;
use crate::number::Number;
use crate::variable::{Type, VariableId};

/// All figures of this library.
#[must_use]
pub fn run() -> Vec<Figure> {
    let mut figures = core();
    figures.extend(zones::run());
    figures
}

/// The figures of the fixpoint engine and of environments.
#[must_use]
pub fn core() -> Vec<Figure> {
    let mut figures = fixpoint_growth(&[2_500, 5_000, 10_000, 20_000]);
    figures.push(shared_joins());
    figures
}

/// A program of `blocks` blocks (about): loops with branches inside, one after another, over
/// `variables` variables.
#[must_use]
pub fn large_program(blocks: usize, variables: usize) -> Program {
    let mut program = Program::new();
    let ty = Type::Integer { width: 32 };
    let all: Vec<VariableId> = (0..variables)
        .map(|n| program.variable(format!("x{n}"), ty))
        .collect();
    let mut f = FunctionBuilder::new("main");
    let entry = f.block("entry");
    for x in &all {
        f.push(
            entry,
            Statement::Assign {
                target: *x,
                expression: LinearExpression::constant(0),
            },
        );
    }
    let mut last = entry;
    for round in 0..blocks / 8 {
        let pick = |n: usize| all[(round * 7 + n * 3) % all.len()];
        last = loop_with_branch(&mut f, last, (pick(0), pick(1), pick(2)), round);
    }
    f.return_from(last, []);
    f.finish(&mut program);
    program
}

/// Eight blocks: a counting loop with a branch in its body. Returns the last one.
fn loop_with_branch(
    f: &mut FunctionBuilder,
    before: crate::language::BlockId,
    (i, x, y): (VariableId, VariableId, VariableId),
    round: usize,
) -> crate::language::BlockId {
    let mut block = |name: &str| f.block(format!("{name}{round}"));
    let (start, head, body) = (block("start"), block("head"), block("body"));
    let (left, right, merge) = (block("left"), block("right"), block("merge"));
    let (exit, after) = (block("exit"), block("after"));
    let assume = |constraint: LinearConstraint| Statement::Assume {
        condition: constraint.into(),
    };
    let limit = i64::try_from(10 + round % 90).expect("invariant: small");
    f.goto(before, [start]);
    f.push(
        start,
        Statement::Assign {
            target: i,
            expression: LinearExpression::constant(0),
        },
    );
    f.goto(start, [head]);
    f.goto(head, [body, exit]);
    f.push(body, assume(LinearConstraint::less(i, limit)));
    f.goto(body, [left, right]);
    f.push(left, assume(LinearConstraint::less(x, 5)));
    let sum = LinearExpression::variable(x).plus_constant(&Number::ONE);
    f.push(
        left,
        Statement::Assign {
            target: x,
            expression: sum,
        },
    );
    f.goto(left, [merge]);
    f.push(right, assume(LinearConstraint::less_or_equal(5, x)));
    f.push(
        right,
        Statement::Binary {
            operator: BinaryOperator::And,
            target: y,
            left: Operand::Variable(x),
            right: Operand::from(7),
        },
    );
    f.goto(right, [merge]);
    let next = LinearExpression::variable(i).plus_constant(&Number::ONE);
    f.push(
        merge,
        Statement::Assign {
            target: i,
            expression: next,
        },
    );
    f.goto(merge, [head]);
    f.push(exit, assume(LinearConstraint::less_or_equal(limit, i)));
    f.goto(exit, [after]);
    after
}

fn seconds_for(blocks: usize) -> (f64, usize, usize) {
    let program = large_program(blocks, 400);
    let main = program
        .main()
        .expect("invariant: the program has a function");
    let real = program.functions[main].blocks.len();
    let top = MachineIntegers::new(Intervals::new());
    let started = Instant::now();
    let options = AnalysisOptions::default();
    let states = analyse(&program, main, &top, &mut OpaqueCalls, &options);
    (started.elapsed().as_secs_f64(), real, states.solution.steps)
}

fn fixpoint_growth(sizes: &[usize]) -> Vec<Figure> {
    let runs: Vec<(f64, usize, usize)> = sizes.iter().map(|size| seconds_for(*size)).collect();
    let detail: Vec<String> = runs
        .iter()
        .map(|(seconds, blocks, steps)| format!("{blocks} blocks: {seconds:.3} s, {steps} steps"))
        .collect();
    let (first, last) = (&runs[0], &runs[runs.len() - 1]);
    let growth = |time: f64, size: f64| time.ln() / size.ln();
    let exponent = growth(last.0 / first.0, last.1 as f64 / first.1 as f64);
    let figure = |name: &str, value: f64, unit: &str| Figure {
        name: name.to_owned(),
        value,
        unit: unit.to_owned(),
        detail: detail.join("; "),
    };
    vec![
        figure("absint/fixpoint-intervals-20k-blocks", last.0, "s"),
        figure(
            "absint/fixpoint-intervals-growth",
            exponent,
            "exponent of time over blocks",
        ),
        figure(
            "absint/fixpoint-intervals-steps-per-block",
            last.2 as f64 / last.1 as f64,
            "block transfers per block",
        ),
    ]
}

/// How much of a large environment a join of two near relatives rebuilds.
fn shared_joins() -> Figure {
    let ty = Type::Integer { width: 32 };
    let variables: Vec<VariableId> = (0..2_000).map(|n| VariableId::new(n, ty)).collect();
    let mut base = Intervals::new();
    for x in &variables {
        base.assign(*x, &LinearExpression::constant(1));
    }
    let mut changed = base.clone();
    for x in variables.iter().step_by(200) {
        changed.assign(*x, &LinearExpression::constant(2));
    }
    let joined = base.join(&changed);
    let widened = base.widen(&changed, &crate::thresholds::Thresholds::none());
    let map = |state: &Intervals| state.map().expect("invariant: not bottom").clone();
    let new = map(&joined).unshared_nodes(&map(&base));
    let new_widened = map(&widened).unshared_nodes(&map(&base));
    let all = map(&joined).unshared_nodes(&crate::persistent_map::PersistentMap::new());
    Figure {
        name: "absint/join-rebuilt-nodes".to_owned(),
        value: new as f64 / all as f64,
        unit: "of all nodes".to_owned(),
        detail: format!(
            "2000 variables, 10 changed: a join makes {new} of {all} nodes, a widening {new_widened}"
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::{fixpoint_growth, shared_joins};

    #[test]
    fn joins_share() {
        assert!(shared_joins().value < 0.05);
    }

    #[test]
    fn the_fixpoint_is_near_linear() {
        let figures = fixpoint_growth(&[500, 2_000]);
        assert!(
            figures
                .iter()
                .all(|figure| figure.value.is_finite() && figure.value > 0.0)
        );
        // Steps do not depend on the machine: each block is transformed a bounded number of times.
        assert!(figures[2].value < 60.0, "{figures:?}");
    }
}
