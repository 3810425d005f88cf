//! Both descriptions against each other and against brute force on a grid of points.

use super::cone::{Cone, Kind};
use super::vector::{Vector, dot, unit};
use super::{Addition, Polyhedron, Supremum};
use crate::number::Number;
use proptest::prelude::*;

const DIMENSIONS: usize = 3;

fn vector(entries: &[i64]) -> Vector {
    entries.iter().map(|&entry| Number::from(entry)).collect()
}

fn raw() -> impl Strategy<Value = (Vec<i64>, bool)> {
    let entries = (-6i64..7, prop::collection::vec(-2i64..3, DIMENSIONS));
    (entries, prop::bool::weighted(0.15)).prop_map(|((constant, mut rest), equality)| {
        rest.insert(0, constant);
        (rest, equality)
    })
}

fn raws() -> impl Strategy<Value = Vec<(Vec<i64>, bool)>> {
    prop::collection::vec(raw(), 0..9)
}

fn kind(equality: bool) -> Kind {
    if equality {
        Kind::Equality
    } else {
        Kind::Inequality
    }
}

/// The polyhedron of some constraints, or `None` when it is empty.
fn build(constraints: &[(Vec<i64>, bool)]) -> Option<Polyhedron> {
    constraints.iter().try_fold(
        Polyhedron::universe(DIMENSIONS),
        |polyhedron, (entries, equality)| match polyhedron.add(&vector(entries), kind(*equality)) {
            Addition::Added(next) => Some(next),
            Addition::Empty => None,
            Addition::TooLarge => panic!("small systems stay small"),
        },
    )
}

fn holds(constraint: &Vector, equality: bool, point: &[i64]) -> bool {
    let mut homogeneous = vec![1];
    homogeneous.extend(point);
    let value = dot(constraint, &vector(&homogeneous));
    if equality {
        value.is_zero()
    } else {
        !value.is_negative()
    }
}

fn contains(polyhedron: &Polyhedron, point: &[i64]) -> bool {
    let system = polyhedron.constraints();
    system.both_ways.iter().all(|it| holds(it, true, point))
        && system.one_way.iter().all(|it| holds(it, false, point))
}

fn grid() -> impl Iterator<Item = [i64; DIMENSIONS]> {
    (-4..=4).flat_map(|x| (-4..=4).flat_map(move |y| (-4..=4).map(move |z| [x, y, z])))
}

fn includes(large: &Polyhedron, small: &Polyhedron) -> bool {
    let system = large.constraints();
    system
        .both_ways
        .iter()
        .all(|it| small.satisfies(it, Kind::Equality))
        && system
            .one_way
            .iter()
            .all(|it| small.satisfies(it, Kind::Inequality))
}

fn equal(left: &Polyhedron, right: &Polyhedron) -> bool {
    includes(left, right) && includes(right, left)
}

/// Every generator satisfies every constraint, and the constraints alone yield those generators.
fn check_consistency(polyhedron: &Polyhedron) {
    assert!(includes(polyhedron, polyhedron));
    let mut cone = Cone::whole(polyhedron.width());
    cone.add(&unit(polyhedron.width(), 0), Kind::Inequality)
        .expect("small");
    let system = polyhedron.constraints();
    for equation in &system.both_ways {
        cone.add(equation, Kind::Equality).expect("small");
    }
    for inequality in &system.one_way {
        cone.add(inequality, Kind::Inequality).expect("small");
    }
    let fresh = cone.into_system();
    assert_eq!(
        fresh.both_ways.len(),
        polyhedron.generators().both_ways.len()
    );
    assert_eq!(
        fresh.one_way.len(),
        polyhedron.generators().one_way.len(),
        "{polyhedron:?}"
    );
    let count = fresh
        .one_way
        .iter()
        .filter(|ray| ray[0].is_positive())
        .count();
    let kept = polyhedron
        .generators()
        .one_way
        .iter()
        .filter(|ray| ray[0].is_positive())
        .count();
    assert_eq!(count, kept);
}

fn cases() -> u32 {
    std::env::var("FOGHORN_LAW_CASES")
        .ok()
        .and_then(|it| it.parse().ok())
        .unwrap_or(300)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases()))]

    #[test]
    fn membership_is_that_of_the_constraints(constraints in raws()) {
        let polyhedron = build(&constraints);
        for point in grid() {
            let expected =
                constraints.iter().all(|(entries, eq)| holds(&vector(entries), *eq, &point));
            let found = polyhedron.as_ref().is_some_and(|it| contains(it, &point));
            prop_assert_eq!(found, expected, "{:?} in {:?}", point, polyhedron);
        }
        if let Some(polyhedron) = polyhedron {
            check_consistency(&polyhedron);
        }
    }

    #[test]
    fn the_hull_is_least(left in raws(), right in raws()) {
        let (Some(left), Some(right)) = (build(&left), build(&right)) else { return Ok(()) };
        let hull = left.join(&right).expect("small");
        check_consistency(&hull);
        prop_assert!(includes(&hull, &left) && includes(&hull, &right));
        prop_assert!(equal(&hull, &right.join(&left).expect("small")));
        // Least: every facet touches a generator of an operand, so no constraint can be tightened.
        for facet in &hull.constraints().one_way {
            let form: Vector = facet.iter().map(|entry| -entry).collect();
            let touches = |it: &Polyhedron| match it.supremum(&form) {
                Supremum::Rational(top, _) => top.is_zero(),
                Supremum::Infinite => false,
            };
            prop_assert!(touches(&left) || touches(&right));
        }
    }

    #[test]
    fn projection_is_existential(constraints in raws(), column in 1..=DIMENSIONS) {
        let Some(polyhedron) = build(&constraints) else { return Ok(()) };
        let projected = polyhedron.project_out(column).expect("small");
        check_consistency(&projected);
        for point in grid().filter(|point| contains(&polyhedron, point)) {
            let mut shadow = point.to_vec();
            shadow.remove(column - 1);
            prop_assert!(contains(&projected, &shadow));
        }
        // Exact: each generator of the projection lifts, because generators were projected.
        let count = polyhedron.generators().one_way.len();
        prop_assert!(projected.generators().one_way.len() <= count);
    }

    #[test]
    fn images_are_exact(constraints in raws(), form in prop::collection::vec(-2i64..3, 4), column in 1..=DIMENSIONS) {
        let Some(polyhedron) = build(&constraints) else { return Ok(()) };
        let form = vector(&form);
        let image = if form[column].is_zero() {
            // x := e without x: drop x, add it again at the end.
            let mut rest = form.clone();
            rest.remove(column);
            polyhedron.project_out(column).expect("small").extended(&rest)
        } else {
            polyhedron.invertible_image(column, &form)
        };
        check_consistency(&image);
        for point in grid().filter(|point| contains(&polyhedron, point)) {
            let mut homogeneous = vec![1];
            homogeneous.extend(point);
            let value = dot(&form, &vector(&homogeneous)).to_i64().expect("small");
            let mut moved = point.to_vec();
            if form[column].is_zero() {
                moved.remove(column - 1);
                moved.push(value);
            } else {
                moved[column - 1] = value;
            }
            prop_assert!(contains(&image, &moved));
        }
    }
}
