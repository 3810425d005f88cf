//! Integer vectors in homogeneous coordinates and the little linear algebra that polyhedra need.

use crate::number::Number;

pub type Vector = Vec<Number>;

#[must_use]
pub fn unit(width: usize, column: usize) -> Vector {
    let mut vector = vec![Number::ZERO; width];
    vector[column] = Number::ONE;
    vector
}

#[must_use]
pub fn dot(left: &[Number], right: &[Number]) -> Number {
    dot_of_words(left, right).unwrap_or_else(|| dot_of_numbers(left, right))
}

/// The dot product of vectors of machine words, unless something does not fit.
fn dot_of_words(left: &[Number], right: &[Number]) -> Option<Number> {
    let mut sum = 0i128;
    for (a, b) in left.iter().zip(right) {
        let product = i128::from(a.to_i64()?) * i128::from(b.to_i64()?);
        sum = sum.checked_add(product)?;
    }
    i64::try_from(sum).ok().map(Number::from)
}

fn dot_of_numbers(left: &[Number], right: &[Number]) -> Number {
    let mut sum = Number::ZERO;
    for (a, b) in left.iter().zip(right) {
        if !a.is_zero() && !b.is_zero() {
            sum += &(a * b);
        }
    }
    sum
}

/// p·x + q·y, not reduced.
#[must_use]
pub fn combine(p: &Number, x: &[Number], q: &Number, y: &[Number]) -> Vector {
    x.iter().zip(y).map(|(a, b)| &(p * a) + &(q * b)).collect()
}

/// Divides by the greatest common divisor of the entries.
pub fn reduce(vector: &mut Vector) {
    let divisor = vector
        .iter()
        .fold(Number::ZERO, |gcd, entry| gcd.gcd(entry));
    if !divisor.is_zero() && !divisor.is_one() {
        for entry in vector {
            *entry = entry.div_floor(&divisor);
        }
    }
}

/// The vector in a space of `width`, its columns but the first moved right by `offset`.
#[must_use]
pub fn widened(vector: &[Number], width: usize, offset: usize) -> Vector {
    let mut wide = vec![Number::ZERO; width];
    wide[0] = vector[0].clone();
    for (column, entry) in vector.iter().enumerate().skip(1) {
        wide[column + offset] = entry.clone();
    }
    wide
}

/// The column by which an equation or line is eliminated: the last that is not zero, so that
/// column 0 is chosen only when there is no other.
fn pivot(vector: &[Number]) -> Option<usize> {
    vector.iter().rposition(|entry| !entry.is_zero())
}

/// `vector` without the pivot column of `by`, moved along `by` only.
fn eliminate(vector: &Vector, by: &Vector, column: usize) -> Vector {
    if vector[column].is_zero() {
        return vector.clone();
    }
    let sign = Number::from(i64::from(by[column].signum()));
    let mut moved = combine(&by[column].abs(), vector, &-(&sign * &vector[column]), by);
    reduce(&mut moved);
    moved
}

/// `vector` modulo a system in echelon form.
#[must_use]
pub fn eliminated(vector: &Vector, system: &[Vector]) -> Vector {
    let mut result = vector.clone();
    for row in system {
        if let Some(column) = pivot(row) {
            result = eliminate(&result, row, column);
        }
    }
    reduce(&mut result);
    result
}

/// A reduced echelon form of the span of `vectors`; pivots are positive.
#[must_use]
pub fn echelon(vectors: Vec<Vector>) -> Vec<Vector> {
    let mut rows: Vec<Vector> = Vec::new();
    for vector in vectors {
        let mut row = eliminated(&vector, &rows);
        let Some(column) = pivot(&row) else { continue };
        if row[column].is_negative() {
            row = row.iter().map(|entry| -entry).collect();
        }
        for other in &mut rows {
            *other = eliminate(other, &row, column);
        }
        rows.push(row);
    }
    rows
}
