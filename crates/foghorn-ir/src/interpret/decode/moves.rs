//! Parallel moves in sequence.

use super::op::Register;

/// An order of moves `(to, from)` with the effect of doing all at once. Targets are distinct; a
/// cycle goes through the spare register.
pub(super) fn sequential(
    mut moves: Vec<(Register, Register)>,
    spare: Register,
) -> Vec<(Register, Register)> {
    moves.retain(|(to, from)| to != from);
    let mut ordered = Vec::with_capacity(moves.len());
    while !moves.is_empty() {
        let free = moves
            .iter()
            .position(|&(to, _)| !moves.iter().any(|&(_, from)| from == to));
        match free {
            Some(index) => ordered.push(moves.swap_remove(index)),
            None => {
                // Every target is still needed: keep one old value aside.
                let kept = moves[0].0;
                ordered.push((spare, kept));
                for (_, from) in &mut moves {
                    if *from == kept {
                        *from = spare;
                    }
                }
            }
        }
    }
    ordered
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every way to give 4 registers values of 4 registers, done in sequence and at once.
    #[test]
    fn sequences_do_what_parallel_moves_do() {
        for code in 0..256_u32 {
            let sources: Vec<u32> = (0..4).map(|i| code >> (2 * i) & 3).collect();
            let parallel: Vec<u32> = sources.iter().map(|&from| 10 + from).collect();
            let moves = (0..4).zip(sources).collect();
            let mut registers = [10, 11, 12, 13, 0];
            for (to, from) in sequential(moves, 4) {
                registers[to as usize] = registers[from as usize];
            }
            assert_eq!(registers[..4], parallel, "{code}");
        }
    }
}
