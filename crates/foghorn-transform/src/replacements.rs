//! Values that stand for other values.
//!
//! A pass that finds out that one value equals another notes it here and applies all notes at
//! once. Chains are shortened when they are followed, so that any sequence of notes costs almost
//! linear time.

use cranelift_entity::SecondaryMap;
use cranelift_entity::packed_option::PackedOption;
use foghorn_ir::{Body, ValueId};

/// What stands for each value.
#[derive(Clone, Debug, Default)]
pub struct Replacements {
    map: SecondaryMap<ValueId, PackedOption<ValueId>>,
    count: usize,
}

impl Replacements {
    /// Notes that `new` stands for `old` from now on.
    pub fn set(&mut self, old: ValueId, new: ValueId) {
        debug_assert_ne!(self.resolve(new), old, "a value does not stand for itself");
        self.map[old] = new.into();
        self.count += 1;
    }

    /// What stands for `value` in the end: itself if nothing was noted.
    pub fn resolve(&mut self, value: ValueId) -> ValueId {
        let mut last = value;
        while let Some(next) = self.map[last].expand() {
            last = next;
        }
        let mut at = value;
        while let Some(next) = self.map[at].expand() {
            self.map[at] = last.into();
            at = next;
        }
        last
    }

    fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Replaces every operand of every instruction and terminator, and the slots of variables.
    pub fn apply(&mut self, body: &mut Body) {
        if self.is_empty() {
            return;
        }
        for block in body.blocks.keys() {
            for &id in &body.blocks[block].instructions {
                let instruction = &mut body.instructions[id].instruction;
                instruction.map_operands(|value| self.resolve(value));
            }
            let terminator = &mut body.blocks[block].terminator;
            terminator.map_operands(|value| self.resolve(value));
        }
        for variable in body.variables.values_mut() {
            variable.slot = variable.slot.map(|slot| self.resolve(slot));
        }
    }
}
