//! Which variables come first.
//!
//! The order of variables is free, but decision diagrams test them in it: with the state of a state
//! machine at the top a diagram is the sum of what is known in each state, with it at the bottom
//! the product of all that is known of the rest. So values that are told apart by many constants
//! come first. A variable of the source is many values, which edges pass to one another; their
//! constants count together.

use std::collections::{BTreeMap, BTreeSet};

use foghorn_ir::{Body, Constant, Instruction, Type, ValueDef, ValueId};

/// Fewer constants than this are no state machine.
const FEWEST_CONSTANTS: usize = 3;

/// Values that are passed to one another, each with a representative.
struct Webs {
    parents: BTreeMap<ValueId, ValueId>,
}

impl Webs {
    fn find(&mut self, value: ValueId) -> ValueId {
        let mut root = value;
        while let Some(&parent) = self.parents.get(&root) {
            root = parent;
        }
        let mut step = value;
        while step != root {
            let next = self.parents.insert(step, root);
            step = next.expect("invariant: only the root has no parent");
        }
        root
    }

    fn unite(&mut self, left: ValueId, right: ValueId) {
        let (left, right) = (self.find(left), self.find(right));
        if left != right {
            self.parents.insert(left.max(right), left.min(right));
        }
    }
}

/// What the body says of integers: pairs of which one is passed for the other, and constants that
/// a value is given or compared with.
struct Facts {
    passed: Vec<(ValueId, ValueId)>,
    constants: Vec<(ValueId, u128)>,
}

impl Facts {
    fn of(body: &Body) -> Facts {
        let mut facts = Facts {
            passed: Vec::new(),
            constants: Vec::new(),
        };
        for block in body.blocks.values() {
            for target in block.terminator.targets() {
                let params = &body.blocks[target.block].params;
                for (param, argument) in params.iter().zip(&target.arguments) {
                    facts.pass(body, *param, *argument);
                }
            }
        }
        for data in body.instructions.values() {
            if let Instruction::Compare { lhs, rhs, .. } = data.instruction {
                facts.compare(body, lhs, rhs);
                facts.compare(body, rhs, lhs);
            }
        }
        facts
    }

    fn pass(&mut self, body: &Body, param: ValueId, argument: ValueId) {
        match body.values[argument].def {
            ValueDef::Constant(Constant::Int(bits)) => self.constants.push((param, bits)),
            ValueDef::Param(..) | ValueDef::Result(..) if is_number(body, param) => {
                self.passed.push((param, argument));
            }
            ValueDef::Param(..)
            | ValueDef::Result(..)
            | ValueDef::Memory(..)
            | ValueDef::Constant(_) => {}
        }
    }

    fn compare(&mut self, body: &Body, value: ValueId, with: ValueId) {
        if let ValueDef::Constant(Constant::Int(bits)) = body.values[with].def
            && is_number(body, value)
        {
            self.constants.push((value, bits));
        }
    }
}

fn is_number(body: &Body, value: ValueId) -> bool {
    matches!(body.ty(value), Type::Int(width) if width > 1)
}

/// The values that come first, in their order.
pub(super) fn leading_values(body: &Body) -> Vec<ValueId> {
    let facts = Facts::of(body);
    let mut webs = Webs {
        parents: BTreeMap::new(),
    };
    for (param, argument) in &facts.passed {
        webs.unite(*param, *argument);
    }
    let mut constants: BTreeMap<ValueId, BTreeSet<u128>> = BTreeMap::new();
    for (value, bits) in facts.constants {
        constants.entry(webs.find(value)).or_default().insert(bits);
    }
    let mut members: BTreeMap<ValueId, BTreeSet<ValueId>> = BTreeMap::new();
    for (param, argument) in &facts.passed {
        let web = webs.find(*param);
        members.entry(web).or_default().extend([*param, *argument]);
    }
    let mut found: Vec<(usize, ValueId)> = constants
        .into_iter()
        .map(|(web, constants)| (constants.len(), web))
        .filter(|(count, _)| *count >= FEWEST_CONSTANTS)
        .collect();
    found.sort_by_key(|(count, web)| (std::cmp::Reverse(*count), *web));
    let webs = found
        .into_iter()
        .filter_map(|(_, web)| members.remove(&web));
    webs.flatten().collect()
}
