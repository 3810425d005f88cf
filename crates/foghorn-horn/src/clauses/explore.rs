//! Every path from every cut.

use super::{Clauses, Maker, Meaning, NoClauses};
use crate::path::{Interrupt, State};
use foghorn_core::Budget;
use foghorn_ir::{HaltKind, InstId, Instruction, Target as JumpTarget, Terminator};
use std::collections::{BTreeSet, VecDeque};

/// More rules than this nobody solves.
const MOST_RULES: usize = 20_000;

/// Calls of functions with more paths to their return are followed by a cut.
const MOST_RETURNS: usize = 4;

/// Instructions on the paths from one cut.
const MOST_STEPS: usize = 4_000_000;

/// Conditions that one path is divided by. A path that is divided more often finds another condition in each attempt.
const MOST_SPLITS: usize = 1_000;

/// What is left to follow.
#[derive(Default)]
pub(super) struct Pending {
    cuts: VecDeque<usize>,
    paths: Vec<State>,
    steps: usize,
}

impl Pending {
    /// Cuts to begin at.
    pub fn add_cuts(&mut self, cuts: Vec<usize>) {
        self.cuts.extend(cuts);
    }
}

impl Maker<'_> {
    /// Makes all rules.
    pub fn explore(mut self, budget: &Budget) -> Result<Clauses, NoClauses> {
        let mut pending = Pending::default();
        self.begin(&mut pending)?;
        loop {
            self.follow(&mut pending, budget)?;
            if let Some(number) = pending.cuts.pop_front() {
                self.current = Some(number);
                self.procedure = self.cuts[number].key.procedure;
                let mut state = self.state_at(number);
                if self.cuts[number].is_entry() {
                    self.arrive(&mut state);
                }
                if self.assume_facts(&mut state).is_ok() {
                    pending.paths.push(state);
                }
                continue;
            }
            if !self.begin_summary(&mut pending) {
                break;
            }
        }
        let asked = self.rules.iter().filter_map(|rule| match &rule.meaning {
            Meaning::Failure(site) => Some(*site),
            _ => None,
        });
        let asked: BTreeSet<_> = asked.collect();
        Ok(Clauses {
            pool: self.pool,
            system: self.system,
            rules: self.rules,
            arrivals: self.arrivals,
            cuts: self.cuts,
            imprecisions: self.imprecisions,
            over_approximations: self.over_approximations,
            external_calls: self.external_calls,
            numbering: self.numbering,
            layouts: self.layouts,
            summaries: self.summaries,
            asked: asked.into_iter().collect(),
        })
    }

    /// A path to follow.
    pub(super) fn push(&mut self, pending: &mut Pending, state: State) {
        pending.paths.push(state);
    }

    fn follow(&mut self, pending: &mut Pending, budget: &Budget) -> Result<(), NoClauses> {
        while let Some(state) = pending.paths.pop() {
            budget
                .check()
                .map_err(|exhausted| NoClauses::Exhausted(exhausted.to_string()))?;
            if self.system.rules.len() > MOST_RULES {
                return Err(NoClauses::TooMany(MOST_RULES));
            }
            self.follow_path(state, pending)?;
        }
        pending.steps = 0;
        Ok(())
    }

    /// Follows a path until it ends or divides.
    fn follow_path(&mut self, mut state: State, pending: &mut Pending) -> Result<(), NoClauses> {
        loop {
            pending.steps += 1;
            if pending.steps > MOST_STEPS {
                return Err(NoClauses::TooMany(MOST_STEPS));
            }
            let (rules, arrivals) = (self.rules.len(), self.arrivals.len());
            let before = self.may_divide(&state).then(|| state.clone());
            let interrupt = match self.advance(&mut state, pending) {
                Ok(true) => continue,
                Ok(false) => return Ok(()),
                Err(interrupt) => interrupt,
            };
            match (interrupt, before) {
                (Interrupt::Stopped, _) => return Ok(()),
                (Interrupt::Refused(refusal), _) => return Err(NoClauses::Refused(refusal)),
                (Interrupt::Split(condition), Some(before)) => {
                    // What was found in the attempt is found again on both sides.
                    self.rules.truncate(rules);
                    self.system.rules.truncate(rules);
                    self.arrivals.truncate(arrivals);
                    let opposite = self.pool.not(condition);
                    for side in [opposite, condition] {
                        let mut path = before.clone();
                        path.splits += 1;
                        if path.splits > MOST_SPLITS {
                            return Err(NoClauses::TooMany(MOST_SPLITS));
                        }
                        if self.assume(&mut path, side).is_ok() {
                            pending.paths.push(path);
                        }
                    }
                    return Ok(());
                }
                (Interrupt::Split(_), None) => {
                    unreachable!("invariant: what divides was expected to")
                }
            }
        }
    }

    /// Whether the next step may depend on something that is open.
    fn may_divide(&self, state: &State) -> bool {
        match self.next(state) {
            Some(id) => {
                let body = self.body(state.frame().function);
                matches!(
                    body.instructions[id].instruction,
                    Instruction::Load { .. }
                        | Instruction::Store { .. }
                        | Instruction::MemoryCopy { .. }
                        | Instruction::MemorySet { .. }
                        | Instruction::Free { .. }
                        | Instruction::Call { .. }
                        | Instruction::Check { .. }
                        | Instruction::Compare { .. }
                        | Instruction::Cast { .. }
                )
            }
            None => true,
        }
    }

    fn next(&self, state: &State) -> Option<InstId> {
        let frame = state.frame();
        if state.arriving {
            return None;
        }
        let block = &self.body(frame.function).blocks[frame.block];
        block.instructions.get(frame.index).copied()
    }

    /// One step; whether the path goes on.
    fn advance(&mut self, state: &mut State, pending: &mut Pending) -> Result<bool, Interrupt> {
        if state.arriving {
            let new = self.emit_arrival(state)?;
            pending.cuts.extend(new);
            return Ok(false);
        }
        if let Some(id) = self.next(state) {
            let depth = state.frames.len();
            self.instruction(state, id)?;
            if state.frames.len() == depth {
                state.frame_mut().index += 1;
            } else {
                self.arrive(state);
            }
            return Ok(true);
        }
        let function = state.frame().function;
        let body = self.body(function);
        match &body.blocks[state.frame().block].terminator {
            Terminator::Jump(target) => {
                self.jump(state, target);
                Ok(true)
            }
            Terminator::Branch {
                condition,
                on_true,
                on_false,
            } => {
                let condition = self.number(state, *condition).term;
                match self.known(state, condition) {
                    Some(true) => self.jump(state, on_true),
                    Some(false) => self.jump(state, on_false),
                    None => {
                        let opposite = self.pool.not(condition);
                        for (side, target) in [(opposite, on_false), (condition, on_true)] {
                            let mut path = state.clone();
                            if self.assume(&mut path, side).is_ok() {
                                self.jump(&mut path, target);
                                pending.paths.push(path);
                            }
                        }
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Terminator::Return { values } if state.frames.len() > 1 => {
                let many = self.functions[&function].paths > MOST_RETURNS;
                self.leave(state, values);
                // Paths that meet behind a call are one again.
                state.arriving = many;
                Ok(true)
            }
            Terminator::Return { values } => {
                self.end_procedure(state, values)?;
                Ok(false)
            }
            Terminator::Halt { kind, .. } => {
                self.halt(state, *kind)?;
                Ok(false)
            }
            Terminator::Unreachable => Ok(false),
        }
    }

    fn jump(&mut self, state: &mut State, target: &JumpTarget) {
        let function = state.frame().function;
        let params = &self.body(function).blocks[target.block].params;
        let mut data = vec![];
        for (param, argument) in params.iter().zip(&target.arguments) {
            if self.matters(function, *param) {
                data.push((*param, self.get(state, *argument)));
            }
        }
        let frame = state.frame_mut();
        frame.values.extend(data);
        (frame.block, frame.index) = (target.block, 0);
        self.arrive(state);
    }

    /// Whether the path is over where it has come to.
    fn arrive(&self, state: &mut State) {
        let frame = state.frame();
        state.arriving = self.functions[&frame.function].cuts.contains(&frame.block);
    }

    /// The program ends, in whatever procedure.
    fn halt(&mut self, state: &mut State, kind: HaltKind) -> Result<(), Interrupt> {
        self.end_program(state, kind)
    }
}
