//! Which value a source variable has at a place.
//!
//! Bindings say from where on a variable has a value. Where paths meet with different values, the
//! variable has the value of a block parameter if that parameter gets, along each edge, just what
//! the variable has there; otherwise it is dead there, and nothing is said of it: a value that it
//! had once must not be taken for the one it has.

use std::collections::BTreeMap;

use cranelift_entity::SecondaryMap;
use foghorn_ir::graph::ControlFlowGraph;
use foghorn_ir::{BlockId, Body, InstId, Instruction, Target, ValueId, VariableId};

/// What is known of the variables at a place; those that are not listed have no known value.
pub type Bound = BTreeMap<VariableId, ValueId>;

/// Rounds after which nothing is said of any variable.
const MOST_ROUNDS: usize = 64;

/// The values of variables at the starts of blocks.
#[derive(Clone, Debug)]
pub struct Bindings<'b> {
    body: &'b Body,
    /// `None`: not reached yet.
    starts: SecondaryMap<BlockId, Option<Bound>>,
}

impl<'b> Bindings<'b> {
    #[must_use]
    pub fn new(body: &'b Body) -> Bindings<'b> {
        let cfg = ControlFlowGraph::new(body);
        let mut bindings = Bindings {
            body,
            starts: SecondaryMap::new(),
        };
        bindings.starts[body.entry] = Some(Bound::new());
        for _ in 0..MOST_ROUNDS {
            let mut changed = false;
            for &block in cfg.reverse_postorder() {
                if block == body.entry {
                    continue;
                }
                let met = bindings.meet(block, &cfg);
                if met != bindings.starts[block] {
                    bindings.starts[block] = met;
                    changed = true;
                }
            }
            if !changed {
                // Each claim follows from those before it along every edge.
                return bindings;
            }
        }
        bindings.starts.clear();
        bindings
    }

    /// What the variables have when a block starts, as far as its predecessors are known.
    fn meet(&self, block: BlockId, cfg: &ControlFlowGraph) -> Option<Bound> {
        let mut edges: Vec<(Bound, &Target)> = Vec::new();
        for &from in cfg.predecessors(block) {
            let Some(after) = self.after(from) else {
                continue;
            };
            let targets = self.body.blocks[from].terminator.targets();
            edges.extend(
                targets
                    .filter(|target| target.block == block)
                    .map(|target| (after.clone(), target)),
            );
        }
        let (first, _) = edges.first()?;
        let params = &self.body.blocks[block].params;
        let mut met = Bound::new();
        for &variable in first.keys() {
            let values: Option<Vec<ValueId>> = edges
                .iter()
                .map(|(bound, _)| bound.get(&variable).copied())
                .collect();
            let Some(values) = values else { continue };
            let same = values.iter().all(|value| *value == values[0]);
            let passed = (0..params.len()).find(|&index| {
                let mut pairs = edges.iter().zip(&values);
                pairs.all(|((_, target), value)| target.arguments[index] == *value)
            });
            let value = match (passed, same) {
                (Some(index), _) => Some(params[index]),
                (None, true) => Some(values[0]),
                (None, false) => None,
            };
            if let Some(value) = value {
                met.insert(variable, value);
            }
        }
        Some(met)
    }

    fn after(&self, block: BlockId) -> Option<Bound> {
        let mut bound = self.starts[block].clone()?;
        for &id in &self.body.blocks[block].instructions {
            self.step(id, &mut bound);
        }
        Some(bound)
    }

    fn step(&self, id: InstId, bound: &mut Bound) {
        if let Instruction::Bind { variable, value } = self.body.instructions[id].instruction {
            bound.insert(variable, value);
        }
    }

    /// The values of variables when a block starts, or just before one of its instructions.
    #[must_use]
    pub fn at(&self, block: BlockId, before: Option<InstId>) -> Bound {
        let mut bound = self.starts[block].clone().unwrap_or_default();
        for &id in &self.body.blocks[block].instructions {
            match before {
                Some(end) if end != id => self.step(id, &mut bound),
                Some(_) | None => break,
            }
        }
        bound
    }
}
