//! Uninterpreted functions by lazy Ackermann expansion.
//!
//! An application is a word of fresh inputs at first, unrelated to any other. When a model is
//! found, applications of one function with equal argument values and different results show which
//! instance of functional consistency was missed; exactly those are added and the search goes on.
//! Each round adds an instance that the model violated, and there are finitely many, so it ends.

use super::blast::{Application, ApplicationId, Blaster};
use crate::aig::{AigValues, Edge};
use crate::circuit;
use foghorn_term::FunctionId;
use rustc_hash::FxHashMap;

/// The function's arguments in a model, as bits.
pub(super) type Point = (FunctionId, Vec<bool>);

pub(super) fn bits(values: &AigValues, word: &[Edge]) -> Vec<bool> {
    word.iter().map(|edge| values.value(*edge)).collect()
}

fn point(values: &AigValues, application: &Application) -> Point {
    (application.function, bits(values, &application.arguments))
}

/// Pairs of applications that agree in their arguments and not in their results.
pub(super) fn violations(
    blaster: &Blaster,
    values: &AigValues,
) -> Vec<(ApplicationId, ApplicationId)> {
    let mut seen: FxHashMap<Point, ApplicationId> = FxHashMap::default();
    let mut violated = Vec::new();
    for (id, application) in blaster.applications.iter() {
        let first = *seen.entry(point(values, application)).or_insert(id);
        let other = &blaster.applications[first];
        if bits(values, &other.result) != bits(values, &application.result) {
            violated.push((first, id));
        }
    }
    violated
}

/// Equal arguments imply equal results, for these two applications.
pub(super) fn consistency(
    blaster: &mut Blaster,
    (first, second): (ApplicationId, ApplicationId),
) -> Edge {
    let Blaster {
        aig, applications, ..
    } = blaster;
    let (first, second) = (&applications[first], &applications[second]);
    let same_arguments = circuit::equal(aig, &first.arguments, &second.arguments);
    let same_results = circuit::equal(aig, &first.result, &second.result);
    aig.implies(same_arguments, same_results)
}

/// The results a model already gives to a function, by arguments.
pub(super) fn graph(
    blaster: &Blaster,
    values: &AigValues,
    before: ApplicationId,
) -> FxHashMap<Point, Vec<bool>> {
    blaster
        .applications
        .iter()
        .filter(|(id, _)| *id < before)
        .map(|(_, application)| {
            (
                point(values, application),
                bits(values, &application.result),
            )
        })
        .collect()
}

/// The point of one application.
pub(super) fn point_of(blaster: &Blaster, values: &AigValues, id: ApplicationId) -> Point {
    point(values, &blaster.applications[id])
}
