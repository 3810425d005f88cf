//! The laws of templates, of each on all states of a few bits: the formula against the states that were joined.

use foghorn_kiki::template::{
    Bits, Difference, Linear, Parts, Power, Reading, Relation, Segment, Split, States, Template,
    Threshold, Values,
};
use foghorn_term::eval::{Evaluator, Model, Value};
use foghorn_term::{BitVecValue, TermId, TermPool};

const WIDTH: u32 = 3;

type State = Vec<BitVecValue>;

fn all_states() -> Vec<State> {
    let numbers = || (0..1_u64 << WIDTH).map(|it| BitVecValue::from_u64(WIDTH, it));
    numbers()
        .flat_map(|x| numbers().map(move |y| vec![x.clone(), y]))
        .collect()
}

struct Bench {
    pool: TermPool,
    symbols: Vec<TermId>,
}

impl Bench {
    fn new() -> Self {
        let mut pool = TermPool::new();
        let symbols = vec![pool.bv_symbol("x", WIDTH), pool.bv_symbol("y", WIDTH)];
        Bench { pool, symbols }
    }

    fn holds(&mut self, template: &dyn Template, state: &State) -> bool {
        let formula = template.formula(&mut self.pool, &self.symbols);
        let mut model = Model::new();
        for (&symbol, value) in self.symbols.iter().zip(state) {
            model.set_term(&self.pool, symbol, Value::BitVec(value.clone()));
        }
        let mut evaluator = Evaluator::new(&self.pool, &model);
        let value = evaluator
            .evaluate(formula)
            .expect("all symbols have values");
        value.as_bool()
    }
}

/// Every law, for joins of all pairs and some longer sequences of states.
fn obeys(make: impl Fn() -> Box<dyn Template>) {
    let states = all_states();
    let mut bench = Bench::new();
    let bottom = make();
    assert!(bottom.is_bottom() && !bottom.is_top());
    assert!(states.iter().all(|state| !bench.holds(&*bottom, state)));
    let mut top = make();
    top.forget();
    assert!(top.is_top() && !top.is_bottom());
    assert!(states.iter().all(|state| bench.holds(&*top, state)));
    for step in [1, 5, 11] {
        let mut template = make();
        let mut covered: Vec<State> = vec![];
        for at in 0..12 {
            let state = states[(7 + at * step) % states.len()].clone();
            let held = bench.holds(&*template, &state);
            let before: Vec<bool> = states
                .iter()
                .map(|it| bench.holds(&*template, it))
                .collect();
            let changed = match at % 4 == 3 {
                true => template.widen(&state),
                false => template.join(&state),
            };
            assert!(
                !(held && changed),
                "a state that was covered changes nothing"
            );
            covered.push(state);
            for state in &covered {
                assert!(
                    bench.holds(&*template, state),
                    "{template:?} covers {state:?}"
                );
            }
            for (state, held) in states.iter().zip(before) {
                assert!(!held || bench.holds(&*template, state), "it only grows");
            }
        }
    }
}

#[test]
fn linear_rows() {
    for reading in [Reading::Signed, Reading::Unsigned] {
        for terms in [
            vec![(0, 1)],
            vec![(1, -1)],
            vec![(0, 1), (1, -1)],
            vec![(0, 1), (1, 1)],
            vec![(0, -1), (1, -1)],
        ] {
            obeys(|| Box::new(Linear::new(terms.clone(), reading, WIDTH)));
        }
    }
}

#[test]
fn bits_values_relations() {
    obeys(|| Box::new(Bits::new(0, WIDTH)));
    obeys(|| Box::new(Values::new(1)));
    obeys(|| Box::new(Values::of_names(1, 4)));
    obeys(|| Box::new(Relation::new(0, Some(1))));
    obeys(|| Box::new(Relation::new(0, None)));
    obeys(|| Box::new(Difference::new(0, 1)));
}

#[test]
fn power() {
    obeys(|| {
        let pattern: Vec<Box<dyn Template>> = vec![
            Box::new(Values::new(1)),
            Box::new(Linear::new(vec![(1, 1)], Reading::Signed, WIDTH)),
        ];
        Box::new(Power::new(0, pattern))
    });
}

#[test]
fn states() {
    obeys(|| Box::new(States::new(vec![0, 1], vec![])));
    obeys(|| {
        let pattern: Vec<Box<dyn Template>> = vec![
            Box::new(Difference::new(0, 1)),
            Box::new(Linear::new(vec![(1, 1)], Reading::Signed, WIDTH)),
        ];
        Box::new(States::new(vec![0], pattern))
    });
}

#[test]
fn split() {
    for (reading, at) in [(Reading::Signed, 1), (Reading::Unsigned, 4)] {
        obeys(|| {
            let pattern: Vec<Box<dyn Template>> = vec![
                Box::new(Bits::new(1, WIDTH)),
                Box::new(Linear::new(vec![(1, 1)], Reading::Signed, WIDTH)),
            ];
            let threshold = Threshold {
                quantity: 0,
                reading,
                at: at.into(),
            };
            Box::new(Split::new(threshold, pattern))
        });
    }
}

/// A cell of two bytes whose offset is one quantity, parted by another; what it holds is the offset once more.
#[test]
fn segments() {
    for scale in [1, 2] {
        obeys(|| {
            let parts = Parts {
                offset: 0,
                bound: 1,
                scale,
                cell: 2,
            };
            let pattern: Vec<Box<dyn Template>> = vec![
                Box::new(Values::new(0)),
                Box::new(Linear::new(vec![(0, 1)], Reading::Signed, WIDTH)),
            ];
            Box::new(Segment::new(parts, pattern))
        });
    }
}

/// A row says of each state what the integers say: a bound one too small or too large would be noticed.
#[test]
fn a_bound_is_exact() {
    let mut bench = Bench::new();
    let states = all_states();
    for joined in &states {
        let mut row = Linear::new(vec![(0, 1), (1, -1)], Reading::Signed, WIDTH);
        row.join(joined);
        let difference = |state: &State| state[0].to_signed() - state[1].to_signed();
        for state in &states {
            let expected = difference(state) <= difference(joined);
            assert_eq!(bench.holds(&row, state), expected, "{joined:?} {state:?}");
        }
    }
}

#[test]
fn a_bound_is_raised_and_never_lowered() {
    let mut row = Linear::new(vec![(0, 1)], Reading::Unsigned, WIDTH);
    row.join(&[BitVecValue::from_u64(WIDTH, 3), BitVecValue::zero(WIDTH)]);
    row.raise(5.into());
    assert_eq!(row.bound(), Some((5.into(), 7.into())));
    row.raise(4.into());
    assert_eq!(row.bound(), Some((5.into(), 7.into())));
    row.raise(7.into());
    assert!(row.is_top());
}
