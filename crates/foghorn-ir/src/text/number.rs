//! How printed text numbers the values and blocks of a body.

use crate::body::{BlockId, Body, ValueId};
use cranelift_entity::{EntityRef, SecondaryMap};

/// Printed numbers of values and blocks.
#[derive(Clone, Debug)]
pub struct Numbering {
    /// `None`: the indices themselves.
    canonical: Option<Canonical>,
}

#[derive(Clone, Debug)]
struct Canonical {
    values: SecondaryMap<ValueId, u32>,
    blocks: SecondaryMap<BlockId, u32>,
}

/// What stands for an entity that is defined nowhere in the text.
const UNDEFINED: u32 = u32::MAX;

impl Numbering {
    /// In the order of the text, so that it does not depend on how the body came to be.
    pub fn canonical(body: &Body) -> Self {
        let mut values = SecondaryMap::with_default(UNDEFINED);
        let mut blocks = SecondaryMap::with_default(UNDEFINED);
        let mut next_value = 0;
        let mut define = |value| {
            values[value] = next_value;
            next_value += 1;
        };
        for (number, block) in (0..).zip(Self::block_order(body)) {
            blocks[block] = number;
            let Some(block) = body.blocks.get(block) else {
                continue;
            };
            block.params.iter().copied().for_each(&mut define);
            for &instruction in &block.instructions {
                if let Some(data) = body.instructions.get(instruction) {
                    data.for_each_definition(&mut define);
                }
            }
        }
        let canonical = Some(Canonical { values, blocks });
        Numbering { canonical }
    }

    /// The indices in memory, to compare text with what a debugger or the verifier says.
    pub fn raw() -> Self {
        Numbering { canonical: None }
    }

    /// The order in which blocks are printed: the entry, then the others by index.
    pub fn block_order(body: &Body) -> impl Iterator<Item = BlockId> + '_ {
        let others = body.blocks.keys().filter(|&block| block != body.entry);
        std::iter::once(body.entry).chain(others)
    }

    /// Whether the text defines the value.
    pub(super) fn is_defined(&self, value: ValueId) -> bool {
        let canonical = self.canonical.as_ref();
        canonical.is_none_or(|c| c.values[value] != UNDEFINED)
    }

    pub(super) fn value(&self, value: ValueId) -> String {
        let number = self.canonical.as_ref().map(|c| c.values[value]);
        show("v", number, value.index())
    }

    pub(super) fn block(&self, block: BlockId) -> String {
        let number = self.canonical.as_ref().map(|c| c.blocks[block]);
        show("block", number, block.index())
    }
}

fn show(prefix: &str, number: Option<u32>, index: usize) -> String {
    match number {
        Some(UNDEFINED) => format!("{prefix}?{index}"),
        Some(number) => format!("{prefix}{number}"),
        None => format!("{prefix}{index}"),
    }
}
