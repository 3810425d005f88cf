//! The values of a satisfying assignment.
//!
//! The search gives values to inputs; the values of gates follow, in one pass and only as far as
//! somebody asks. Terms met after the search have gates of their own, younger than all others: the
//! pass goes on where it stopped. Their inputs are free (false), but applications of functions must
//! agree with what the model says of the function already.

use super::blast::{ApplicationId, Blaster};
use super::functions::{self, Point};
use crate::aig::{AigNode, AigValues, Edge};
use cranelift_entity::{EntityRef, SecondaryMap};
use rustc_hash::FxHashMap;

/// A satisfying assignment, completed on demand.
pub(super) struct Model {
    inputs: SecondaryMap<AigNode, bool>,
    values: AigValues,
    /// Applications from here on are younger than the model.
    known: ApplicationId,
    /// What functions give, once a younger application asked.
    graph: Option<FxHashMap<Point, Vec<bool>>>,
}

impl Model {
    /// From the values of all inputs that the search knows.
    pub fn new(blaster: &Blaster, inputs: SecondaryMap<AigNode, bool>) -> Self {
        Model {
            inputs,
            values: AigValues::default(),
            known: blaster.application_count(),
            graph: None,
        }
    }

    /// The values of all gates there are now.
    pub fn values(&mut self, blaster: &Blaster) -> &AigValues {
        let end = blaster.application_count();
        if self.known != end {
            self.relate_younger(blaster, end);
        }
        let inputs = &self.inputs;
        let all = AigNode::new(blaster.aig.len());
        blaster
            .aig
            .evaluate_up_to(&mut self.values, all, |node| inputs[node]);
        &self.values
    }

    pub fn bits(&mut self, blaster: &Blaster, word: &[Edge]) -> Vec<bool> {
        functions::bits(self.values(blaster), word)
    }

    /// An application's result is younger than its arguments, so going through the applications
    /// by age sees every argument before the result that depends on it.
    fn relate_younger(&mut self, blaster: &Blaster, end: ApplicationId) {
        for index in self.known.index()..end.index() {
            let id = ApplicationId::new(index);
            let result = &blaster.applications[id].result;
            let Some(first) = result.first() else {
                continue;
            };
            let inputs = &self.inputs;
            blaster
                .aig
                .evaluate_up_to(&mut self.values, first.node(), |node| inputs[node]);
            let (values, known) = (&self.values, self.known);
            let graph = self
                .graph
                .get_or_insert_with(|| functions::graph(blaster, values, known));
            let wanted = graph
                .entry(functions::point_of(blaster, values, id))
                .or_insert_with(|| vec![false; result.len()]);
            for (edge, bit) in result.iter().zip(wanted.iter()) {
                self.inputs[edge.node()] = *bit;
            }
        }
        self.known = end;
    }
}
