//! Convex polyhedra in exact arithmetic, by double description.
//!
//! A [`Polyhedron`] keeps both of its descriptions, constraints and generators, in homogeneous
//! coordinates: column 0 is the constant of a constraint and the denominator of a vertex. One
//! algorithm ([`cone`]) converts either way, because the constraints of a polyhedron are the
//! generators of its polar cone. Whatever is added to one side is added by a single step of that
//! algorithm, which updates the other.
//!
//! Cousot and Halbwachs, *Automatic Discovery of Linear Restraints Among Variables of a Program*
//! (POPL 1978); Le Verge, *A Note on Chernikova's Algorithm* (1992).
//!
//! Invariants: the polyhedron is not empty; both descriptions are irredundant and agree; equalities
//! and lines are in echelon form and eliminated from the rest; every vector is divided by the
//! greatest common divisor of its entries. The trivial constraint 1 ≥ 0 is not stored.

pub mod block;
pub mod cone;
#[cfg(test)]
mod tests;
pub mod vector;

use crate::number::Number;
use cone::{Cone, Kind, Saturation};
use vector::{Vector, combine, dot, unit};

/// Vectors that hold with equality (equations; lines) and those that hold one way (inequalities;
/// rays and vertices).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct System {
    pub both_ways: Vec<Vector>,
    pub one_way: Vec<Vector>,
}

/// A non-empty closed convex polyhedron of `width − 1` dimensions.
#[derive(Clone, Debug)]
pub struct Polyhedron {
    width: usize,
    constraints: System,
    generators: System,
}

/// The outcome of adding a constraint.
#[derive(Debug)]
pub enum Addition {
    Added(Polyhedron),
    Empty,
    /// The result would have more generators than [`cone::MAXIMAL_SIZE`].
    TooLarge,
}

/// The greatest value of a linear form, or that there is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Supremum {
    /// numerator / denominator, the latter positive
    Rational(Number, Number),
    Infinite,
}

impl Polyhedron {
    /// All points of `dimensions` dimensions.
    #[must_use]
    pub fn universe(dimensions: usize) -> Self {
        let width = dimensions + 1;
        let lines = (1..width).map(|column| unit(width, column)).collect();
        let generators = System {
            both_ways: lines,
            one_way: vec![unit(width, 0)],
        };
        Self {
            width,
            constraints: System::default(),
            generators,
        }
    }

    #[must_use]
    pub fn width(&self) -> usize {
        self.width
    }

    #[must_use]
    pub fn constraints(&self) -> &System {
        &self.constraints
    }

    #[must_use]
    pub fn generators(&self) -> &System {
        &self.generators
    }

    /// The inequalities with the positivity of the denominator, which completes them as the
    /// description of a cone.
    fn inequalities_of_cone(&self) -> Vec<Vector> {
        let mut all = vec![unit(self.width, 0)];
        all.extend(self.constraints.one_way.iter().cloned());
        all
    }

    /// The cone of all constraints that hold here. Its rays must be irredundant for adjacency to be
    /// decided rightly, so positivity is one only if no inequality implies it.
    fn polar_cone(&self) -> Cone {
        let rays = &self.generators.one_way;
        let positivity = Saturation::of(&unit(self.width, 0), rays);
        let implied = |it: &Vector| positivity.is_subset(&Saturation::of(it, rays));
        let polar = System {
            both_ways: self.constraints.both_ways.clone(),
            one_way: if self.constraints.one_way.iter().any(implied) {
                self.constraints.one_way.clone()
            } else {
                self.inequalities_of_cone()
            },
        };
        Cone::resume(self.width, polar, rays, self.generators.both_ways.len())
    }

    /// Restricts to the points where `constraint · (1, x)` is zero (or at least zero).
    #[must_use]
    pub fn add(&self, constraint: &Vector, kind: Kind) -> Addition {
        let processed = self.inequalities_of_cone();
        let mut cone = Cone::resume(
            self.width,
            self.generators.clone(),
            &processed,
            self.constraints.both_ways.len(),
        );
        if cone.add(constraint, kind).is_err() {
            return Addition::TooLarge;
        }
        let generators = cone.into_system();
        if !generators.one_way.iter().any(|ray| ray[0].is_positive()) {
            return Addition::Empty;
        }
        let mut constraints = self.constraints.clone();
        match kind {
            Kind::Equality => constraints.both_ways.push(constraint.clone()),
            Kind::Inequality => constraints.one_way.push(constraint.clone()),
        }
        Addition::Added(Self::minimised(self.width, constraints, generators))
    }

    /// The convex hull of both, or `None` when it has too many constraints.
    #[must_use]
    pub fn join(&self, other: &Self) -> Option<Self> {
        let mut cone = self.polar_cone();
        for line in &other.generators.both_ways {
            cone.add(line, Kind::Equality).ok()?;
        }
        for ray in &other.generators.one_way {
            cone.add(ray, Kind::Inequality).ok()?;
        }
        let constraints = cone.into_system();
        let mut generators = self.generators.clone();
        generators
            .both_ways
            .extend(other.generators.both_ways.iter().cloned());
        generators
            .one_way
            .extend(other.generators.one_way.iter().cloned());
        Some(Self::minimised(self.width, constraints, generators))
    }

    /// Existentially quantifies the dimension of `column` and removes it. `None` when the result
    /// has too many constraints.
    #[must_use]
    pub fn project_out(&self, column: usize) -> Option<Self> {
        let mut cone = self.polar_cone();
        cone.add(&unit(self.width, column), Kind::Equality).ok()?;
        let drop = |vectors: Vec<Vector>| -> Vec<Vector> {
            let narrowed = vectors.into_iter().map(|mut vector| {
                vector.remove(column);
                vector
            });
            narrowed
                .filter(|vector| vector.iter().any(|entry| !entry.is_zero()))
                .collect()
        };
        let drop_in = |system: System| System {
            both_ways: drop(system.both_ways),
            one_way: drop(system.one_way),
        };
        let constraints = drop_in(cone.into_system());
        Some(Self::minimised(
            self.width - 1,
            constraints,
            drop_in(self.generators.clone()),
        ))
    }

    /// The product with a polyhedron of other dimensions, whose columns follow. `None` when it has
    /// too many vertices.
    #[must_use]
    pub fn product(&self, other: &Self) -> Option<Self> {
        let width = self.width + other.width - 1;
        let place_left = |vector: &Vector| vector::widened(vector, width, 0);
        let place_right = |vector: &Vector| vector::widened(vector, width, self.width - 1);
        let joined = |left: &[Vector], right: &[Vector]| -> Vec<Vector> {
            left.iter()
                .map(place_left)
                .chain(right.iter().map(place_right))
                .collect()
        };
        let constraints = System {
            both_ways: joined(&self.constraints.both_ways, &other.constraints.both_ways),
            one_way: joined(&self.constraints.one_way, &other.constraints.one_way),
        };
        let lines = joined(&self.generators.both_ways, &other.generators.both_ways);
        let is_ray = |vector: &&Vector| vector[0].is_zero();
        let is_vertex = |vector: &&Vector| !vector[0].is_zero();
        let left_rays = self
            .generators
            .one_way
            .iter()
            .filter(is_ray)
            .map(place_left);
        let right_rays = other
            .generators
            .one_way
            .iter()
            .filter(is_ray)
            .map(place_right);
        let mut rays: Vec<Vector> = left_rays.chain(right_rays).collect();
        for left in self.generators.one_way.iter().filter(is_vertex) {
            for right in other.generators.one_way.iter().filter(is_vertex) {
                let mut sum = combine(&right[0], &place_left(left), &left[0], &place_right(right));
                // Each scaled copy brought the common denominator once.
                sum[0] = &left[0] * &right[0];
                vector::reduce(&mut sum);
                rays.push(sum);
            }
        }
        if rays.len() > cone::MAXIMAL_SIZE {
            return None;
        }
        let generators = System {
            both_ways: lines,
            one_way: rays,
        };
        Some(Self {
            width,
            constraints,
            generators,
        })
    }

    /// The image under x ↦ form · (1, x) at `column`, where the form mentions that column itself.
    #[must_use]
    pub fn invertible_image(&self, column: usize, form: &Vector) -> Self {
        let factor = &form[column];
        debug_assert!(!factor.is_zero());
        let image = |vector: &Vector| {
            let mut moved = vector.clone();
            moved[column] = dot(form, vector);
            vector::reduce(&mut moved);
            moved
        };
        // Substitute x = (x' − rest) / factor in each constraint and multiply by |factor|.
        let sign = Number::from(i64::from(factor.signum()));
        let substituted = |constraint: &Vector| {
            let mut rest = form.clone();
            rest[column] = Number::ZERO;
            let weight = -(&sign * &constraint[column]);
            let mut moved = combine(&factor.abs(), constraint, &weight, &rest);
            moved[column] = &sign * &constraint[column];
            vector::reduce(&mut moved);
            moved
        };
        let map = |system: &System, each: &dyn Fn(&Vector) -> Vector| System {
            both_ways: system.both_ways.iter().map(each).collect(),
            one_way: system.one_way.iter().map(each).collect(),
        };
        Self::minimised(
            self.width,
            map(&self.constraints, &substituted),
            map(&self.generators, &image),
        )
    }

    /// Adds a last dimension that equals form · (1, x).
    #[must_use]
    pub fn extended(&self, form: &Vector) -> Self {
        let width = self.width + 1;
        let widen = |vector: &Vector| vector::widened(vector, width, 0);
        let mut equation = widen(form);
        equation[width - 1] = Number::MINUS_ONE;
        let mut both_ways: Vec<Vector> = self.constraints.both_ways.iter().map(widen).collect();
        both_ways.push(equation);
        let one_way = self.constraints.one_way.iter().map(widen).collect();
        let image = |vector: &Vector| {
            let mut moved = widen(vector);
            moved[width - 1] = dot(form, vector);
            moved
        };
        let generators = System {
            both_ways: self.generators.both_ways.iter().map(image).collect(),
            one_way: self.generators.one_way.iter().map(image).collect(),
        };
        Self::minimised(width, System { both_ways, one_way }, generators)
    }

    /// The least upper bound of form · (1, x).
    #[must_use]
    pub fn supremum(&self, form: &Vector) -> Supremum {
        if self
            .generators
            .both_ways
            .iter()
            .any(|line| !dot(form, line).is_zero())
        {
            return Supremum::Infinite;
        }
        let mut best: Option<(Number, Number)> = None;
        for ray in &self.generators.one_way {
            let value = dot(form, ray);
            if ray[0].is_zero() {
                if value.is_positive() {
                    return Supremum::Infinite;
                }
                continue;
            }
            let better = |(top, bottom): &(Number, Number)| &value * bottom > top * &ray[0];
            if best.as_ref().is_none_or(better) {
                best = Some((value, ray[0].clone()));
            }
        }
        let (top, bottom) = best.expect("invariant: a polyhedron that is not empty has a vertex");
        Supremum::Rational(top, bottom)
    }

    /// Whether every point satisfies the constraint.
    #[must_use]
    pub fn satisfies(&self, constraint: &Vector, kind: Kind) -> bool {
        let zero = |vector: &Vector| dot(constraint, vector).is_zero();
        self.generators.both_ways.iter().all(zero)
            && self.generators.one_way.iter().all(|ray| match kind {
                Kind::Equality => zero(ray),
                Kind::Inequality => !dot(constraint, ray).is_negative(),
            })
    }

    /// Which generators a constraint holds of with equality; two constraints of a polyhedron with
    /// the same answer can stand for each other.
    #[must_use]
    pub fn saturation(&self, constraint: &Vector) -> Saturation {
        Saturation::of(constraint, &self.generators.one_way)
    }

    /// The polyhedron on some of its columns, given that no constraint ties them to the others.
    #[must_use]
    pub fn restricted(&self, columns: &[usize]) -> Self {
        let narrow = |vector: &Vector| -> Vector {
            std::iter::once(0)
                .chain(columns.iter().copied())
                .map(|c| vector[c].clone())
                .collect()
        };
        let inside = |vector: &&Vector| columns.iter().any(|&column| !vector[column].is_zero());
        let keep = |vectors: &[Vector]| -> Vec<Vector> {
            vectors.iter().filter(inside).map(narrow).collect()
        };
        let constraints = System {
            both_ways: keep(&self.constraints.both_ways),
            one_way: keep(&self.constraints.one_way),
        };
        let rays = self.generators.one_way.iter().map(narrow);
        let generators = System {
            both_ways: keep(&self.generators.both_ways),
            one_way: rays
                .filter(|ray| ray.iter().any(|entry| !entry.is_zero()))
                .collect(),
        };
        Self::minimised(columns.len() + 1, constraints, generators)
    }

    /// The polyhedron with its columns in another order.
    #[must_use]
    pub fn permuted(&self, columns: &[usize]) -> Self {
        let reorder = |vector: &Vector| -> Vector {
            std::iter::once(0)
                .chain(columns.iter().copied())
                .map(|c| vector[c].clone())
                .collect()
        };
        let map = |system: &System| System {
            both_ways: vector::echelon(system.both_ways.iter().map(reorder).collect()),
            one_way: system.one_way.iter().map(reorder).collect(),
        };
        let (constraints, generators) = (map(&self.constraints), map(&self.generators));
        Self {
            width: self.width,
            constraints,
            generators,
        }
    }

    fn minimised(width: usize, constraints: System, generators: System) -> Self {
        let mut polar = generators.one_way.clone();
        let constraints = irredundant(constraints, &polar, Some(&unit(width, 0)));
        polar.clear();
        polar.push(unit(width, 0));
        polar.extend(constraints.one_way.iter().cloned());
        let generators = irredundant(generators, &polar, None);
        Self {
            width,
            constraints,
            generators,
        }
    }
}

/// Drops what the rest implies, given the one-way vectors of the other description. `implicit` is a
/// vector that belongs to the system without being stored.
fn irredundant(system: System, polar: &[Vector], implicit: Option<&Vector>) -> System {
    let mut both_ways = system.both_ways;
    let mut candidates: Vec<(Vector, Saturation)> = Vec::new();
    for vector in system.one_way {
        let saturation = Saturation::of(&vector, polar);
        if saturation.is_full() {
            both_ways.push(vector);
        } else {
            candidates.push((vector, saturation));
        }
    }
    let both_ways = vector::echelon(both_ways);
    let implicit = implicit.map(|vector| Saturation::of(vector, polar));
    let mut kept: Vec<Vector> = Vec::new();
    for (index, (vector, saturation)) in candidates.iter().enumerate() {
        let implied = implicit.as_ref().is_some_and(|it| saturation.is_subset(it))
            || candidates.iter().enumerate().any(|(other, (_, theirs))| {
                other != index
                    && saturation.is_subset(theirs)
                    && (other < index || !theirs.is_subset(saturation))
            });
        if !implied {
            kept.push(vector::eliminated(vector, &both_ways));
        }
    }
    System {
        both_ways,
        one_way: kept,
    }
}
