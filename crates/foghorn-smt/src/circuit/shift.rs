//! Shifts by a variable amount: one stage of multiplexers per bit of the amount that matters.

use super::Word;
use crate::aig::{Aig, Edge};

/// Which shift.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shift {
    Left,
    LogicalRight,
    ArithmeticRight,
}

/// `word` shifted by `amount`; an amount of the width or more shifts everything out.
pub fn shift(aig: &mut Aig, kind: Shift, word: &[Edge], amount: &[Edge]) -> Word {
    let width = word.len();
    let fill = match kind {
        Shift::Left | Shift::LogicalRight => Edge::FALSE,
        Shift::ArithmeticRight => word.last().copied().unwrap_or(Edge::FALSE),
    };
    let mut result = word.to_vec();
    let mut too_far = Vec::new();
    for (stage, bit) in amount.iter().enumerate() {
        match 1usize.checked_shl(u32::try_from(stage).unwrap_or(u32::MAX)) {
            Some(distance) if distance < width => {
                result = shift_stage(aig, kind, &result, distance, *bit, fill);
            }
            Some(_) | None => too_far.push(*bit),
        }
    }
    let out = aig.or_all(&too_far);
    result.iter().map(|bit| aig.mux(out, fill, *bit)).collect()
}

fn shift_stage(
    aig: &mut Aig,
    kind: Shift,
    word: &[Edge],
    distance: usize,
    condition: Edge,
    fill: Edge,
) -> Word {
    (0..word.len())
        .map(|i| {
            let source = match kind {
                Shift::Left => i.checked_sub(distance),
                Shift::LogicalRight | Shift::ArithmeticRight => Some(i + distance),
            };
            let moved = source.and_then(|j| word.get(j)).copied().unwrap_or(fill);
            aig.mux(condition, moved, word[i])
        })
        .collect()
}
