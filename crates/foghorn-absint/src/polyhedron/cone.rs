//! Chernikova's algorithm as refined by Le Verge: the generators of a polyhedral cone, one
//! constraint at a time.
//!
//! Each ray knows which inequalities it saturates. A new inequality splits the rays by the sign of
//! their product with it; new rays lie between adjacent rays of opposite sign, and two rays are
//! adjacent if no third saturates all that both saturate. Sizes can grow exponentially, so there is
//! a limit: beyond it the caller gives up precision, never the process its memory.

use super::System;
use super::vector::{Vector, combine, dot, reduce, unit};
use crate::number::Number;

/// The largest number of rays (or, dually, of inequalities) that is ever kept.
pub const MAXIMAL_SIZE: usize = 128;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Equality,
    Inequality,
}

/// The description would exceed [`MAXIMAL_SIZE`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

/// A set of indices, as bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Saturation {
    bits: Vec<u64>,
    length: usize,
}

impl Saturation {
    /// The indices of the vectors orthogonal to `vector`.
    #[must_use]
    pub fn of(vector: &[Number], others: &[Vector]) -> Self {
        let mut set = Self {
            bits: Vec::new(),
            length: 0,
        };
        for other in others {
            set.push(dot(vector, other).is_zero());
        }
        set
    }

    fn push(&mut self, member: bool) {
        if self.length.is_multiple_of(64) {
            self.bits.push(0);
        }
        if member {
            self.bits[self.length / 64] |= 1 << (self.length % 64);
        }
        self.length += 1;
    }

    /// Whether every index pushed so far is a member.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.count() == self.length
    }

    fn full(length: usize) -> Self {
        let mut set = Self {
            bits: Vec::new(),
            length: 0,
        };
        (0..length).for_each(|_| set.push(true));
        set
    }

    fn count(&self) -> usize {
        self.bits
            .iter()
            .map(|word| word.count_ones() as usize)
            .sum()
    }

    #[must_use]
    pub fn is_subset(&self, other: &Self) -> bool {
        self.bits.iter().zip(&other.bits).all(|(a, b)| a & !b == 0)
    }

    fn intersection(&self, other: &Self) -> Self {
        let bits = self
            .bits
            .iter()
            .zip(&other.bits)
            .map(|(a, b)| a & b)
            .collect();
        Self {
            bits,
            length: self.length,
        }
    }
}

#[derive(Clone, Debug)]
struct Ray {
    vector: Vector,
    saturation: Saturation,
}

/// A cone given by its lines and rays, together with what the rays saturate.
#[derive(Clone, Debug)]
pub struct Cone {
    lines: Vec<Vector>,
    rays: Vec<Ray>,
    inequalities: usize,
    /// Dimension of the space minus the equations in force.
    dimension: usize,
}

impl Cone {
    /// The whole space.
    #[must_use]
    pub fn whole(width: usize) -> Self {
        let lines = (0..width).map(|column| unit(width, column)).collect();
        Self {
            lines,
            rays: Vec::new(),
            inequalities: 0,
            dimension: width,
        }
    }

    /// Continues from known generators of the cone of `inequalities` and some `equations`.
    #[must_use]
    pub fn resume(
        width: usize,
        generators: System,
        inequalities: &[Vector],
        equations: usize,
    ) -> Self {
        let rays = generators.one_way.into_iter().map(|vector| {
            let saturation = Saturation::of(&vector, inequalities);
            Ray { vector, saturation }
        });
        Self {
            lines: generators.both_ways,
            rays: rays.collect(),
            inequalities: inequalities.len(),
            dimension: width - equations,
        }
    }

    #[must_use]
    pub fn into_system(self) -> System {
        let one_way = self.rays.into_iter().map(|ray| ray.vector).collect();
        System {
            both_ways: self.lines,
            one_way,
        }
    }

    /// Restricts the cone to the vectors whose product with `constraint` is zero (at least zero).
    pub fn add(&mut self, constraint: &Vector, kind: Kind) -> Result<(), TooLarge> {
        let crossing = self
            .lines
            .iter()
            .position(|line| !dot(constraint, line).is_zero());
        match crossing {
            Some(index) => {
                self.cut_line(index, constraint, kind);
                Ok(())
            }
            None => self.cut_rays(constraint, kind),
        }
    }

    /// A line leaves the constraint's hyperplane: everything else is moved along it into the plane.
    fn cut_line(&mut self, index: usize, constraint: &Vector, kind: Kind) {
        let mut line = self.lines.swap_remove(index);
        let mut product = dot(constraint, &line);
        if product.is_negative() {
            line = line.iter().map(|entry| -entry).collect();
            product = -product;
        }
        let into_plane = |vector: &Vector| {
            let mut moved = combine(&product, vector, &-dot(constraint, vector), &line);
            reduce(&mut moved);
            moved
        };
        for other in &mut self.lines {
            *other = into_plane(other);
        }
        for ray in &mut self.rays {
            ray.vector = into_plane(&ray.vector);
        }
        match kind {
            Kind::Equality => self.dimension -= 1,
            Kind::Inequality => {
                self.rays
                    .iter_mut()
                    .for_each(|ray| ray.saturation.push(true));
                let mut saturation = Saturation::full(self.inequalities);
                saturation.push(false);
                self.rays.push(Ray {
                    vector: line,
                    saturation,
                });
                self.inequalities += 1;
            }
        }
    }

    fn cut_rays(&mut self, constraint: &Vector, kind: Kind) -> Result<(), TooLarge> {
        let products: Vec<Number> = self
            .rays
            .iter()
            .map(|ray| dot(constraint, &ray.vector))
            .collect();
        let fresh = self.rays_between(&products)?;
        if kind == Kind::Equality && products.iter().any(|product| !product.is_zero()) {
            self.dimension -= 1;
        }
        let mut kept = Vec::new();
        for (mut ray, product) in std::mem::take(&mut self.rays).into_iter().zip(&products) {
            let stays = match kind {
                Kind::Equality => product.is_zero(),
                Kind::Inequality => !product.is_negative(),
            };
            if stays {
                if kind == Kind::Inequality {
                    ray.saturation.push(product.is_zero());
                }
                kept.push(ray);
            }
        }
        for mut ray in fresh {
            if kind == Kind::Inequality {
                ray.saturation.push(true);
            }
            kept.push(ray);
        }
        if kind == Kind::Inequality {
            self.inequalities += 1;
        }
        self.rays = kept;
        if self.rays.len() > MAXIMAL_SIZE {
            Err(TooLarge)
        } else {
            Ok(())
        }
    }

    /// The rays in the constraint's hyperplane between adjacent rays on either side of it.
    fn rays_between(&self, products: &[Number]) -> Result<Vec<Ray>, TooLarge> {
        let side = |positive: bool| {
            (0..self.rays.len()).filter(move |&index| {
                let sign = products[index].signum();
                if positive { sign > 0 } else { sign < 0 }
            })
        };
        let mut fresh = Vec::new();
        for above in side(true) {
            for below in side(false) {
                let Some(common) = self.adjacent(above, below) else {
                    continue;
                };
                let (a, b) = (&self.rays[above].vector, &self.rays[below].vector);
                let mut vector = combine(&products[above], b, &-&products[below], a);
                reduce(&mut vector);
                fresh.push(Ray {
                    vector,
                    saturation: common,
                });
                if fresh.len() > 2 * MAXIMAL_SIZE {
                    return Err(TooLarge);
                }
            }
        }
        Ok(fresh)
    }

    /// What two rays saturate in common, if they are adjacent.
    fn adjacent(&self, first: usize, second: usize) -> Option<Saturation> {
        let common = self.rays[first]
            .saturation
            .intersection(&self.rays[second].saturation);
        if common.count() + 2 + self.lines.len() < self.dimension {
            return None;
        }
        let between = self.rays.iter().enumerate().any(|(index, ray)| {
            index != first && index != second && common.is_subset(&ray.saturation)
        });
        (!between).then_some(common)
    }
}
