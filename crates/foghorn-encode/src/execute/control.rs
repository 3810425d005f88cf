//! The walk: blocks, loops, calls and returns.

use super::policy::{Activation, CallTreatment, LoopPolicy, Repeat};
use super::{ActiveLoop, Edge, ExecuteError, Executor, Frame, Repetition};
use crate::execute::context::Step;
use crate::execute::plan::FunctionPlan;
use cranelift_entity::EntityRef;
use foghorn_ir::{
    BlockId, Body, Callee, FunctionId, InstId, Instruction, Target, Terminator, ValueId,
};
use foghorn_term::TermId;
use std::rc::Rc;

/// Instructions between two looks at the clock.
const BURST: u64 = 1 << 10;

/// The instruction that a frame executes now.
pub(crate) fn current_instruction(frame: &Frame<'_>) -> Option<InstId> {
    let block = *frame.plan.blocks.get(frame.position)?;
    let at = frame.next?.checked_sub(1)?;
    frame.body.blocks[block].instructions.get(at).copied()
}

impl<'m> Executor<'m, '_> {
    /// Runs until every call has returned.
    pub(crate) fn run(&mut self) -> Result<(), ExecuteError> {
        while !self.frames.is_empty() {
            match self.frame().next {
                Some(at) => self.step(at)?,
                None => self.advance(),
            }
        }
        Ok(())
    }

    /// Executes one instruction, or the terminator.
    fn step(&mut self, at: usize) -> Result<(), ExecuteError> {
        let frame = self.frame();
        if self.pool.as_bool(frame.guard) == Some(false) {
            self.frame_mut().next = None;
            return Ok(());
        }
        let body: &'m Body = frame.body;
        let block = frame.plan.blocks[frame.position];
        self.count_step()?;
        match body.blocks[block].instructions.get(at) {
            Some(&instruction) => {
                self.frame_mut().next = Some(at + 1);
                self.instruction(instruction);
            }
            None => {
                self.frame_mut().next = None;
                self.terminator(&body.blocks[block].terminator);
            }
        }
        Ok(())
    }

    fn count_step(&mut self) -> Result<(), ExecuteError> {
        self.trace.steps += 1;
        if self.trace.steps.is_multiple_of(BURST) {
            self.budget.check()?;
            if self.trace.steps > super::MOST_INSTRUCTIONS {
                return Err(ExecuteError::TooLarge(super::MOST_INSTRUCTIONS));
            }
        }
        Ok(())
    }

    fn terminator(&mut self, terminator: &'m Terminator) {
        match terminator {
            Terminator::Jump(target) => {
                let guard = self.frame().guard;
                self.follow(guard, target);
            }
            Terminator::Branch {
                condition,
                on_true,
                on_false,
            } => self.branch(*condition, on_true, on_false),
            Terminator::Return { values } => {
                let arguments = values.iter().map(|&value| self.get(value)).collect();
                let frame = self.frame_mut();
                let guard = frame.guard;
                frame.returns.push(Edge {
                    guard,
                    arguments,
                    escaped: vec![],
                });
            }
            Terminator::Halt { kind, .. } => self.halt(*kind),
            Terminator::Unreachable => {}
        }
    }

    fn branch(&mut self, condition: ValueId, on_true: &Target, on_false: &Target) {
        let condition = self.get(condition);
        let condition = self.memory.simplify(self.pool, condition);
        let guard = self.frame().guard;
        let negation = self.pool.not(condition);
        let taken = self.pool.and(&[guard, condition]);
        let other = self.pool.and(&[guard, negation]);
        if on_true == on_false {
            return self.follow(guard, on_true);
        }
        // A condition that the guard implies or excludes is decided.
        match (self.pool.as_bool(taken), self.pool.as_bool(other)) {
            (Some(false), _) => self.follow(guard, on_false),
            (_, Some(false)) => self.follow(guard, on_true),
            _ => {
                self.follow(taken, on_true);
                self.follow(other, on_false);
            }
        }
    }

    /// Puts the path to a block on hold until all paths to it are known.
    fn follow(&mut self, guard: TermId, target: &Target) {
        if self.pool.as_bool(guard) == Some(false) {
            return;
        }
        let arguments = target
            .arguments
            .iter()
            .map(|&value| self.get(value))
            .collect();
        let frame = self.frames.last_mut().expect("invariant: a call is active");
        let Some(to) = frame.plan.position(target.block) else {
            return;
        };
        let plan = Rc::clone(&frame.plan);
        let mut escaped: Vec<(ValueId, TermId)> = frame
            .escaped
            .iter()
            .copied()
            .filter(|&(value, _)| plan.survives(value, frame.position, to))
            .collect();
        for value in plan.escaping(frame.position, to) {
            if let Some(term) = frame.values[value.index()] {
                match escaped.binary_search_by_key(&value, |&(other, _)| other) {
                    Ok(at) => escaped[at].1 = term,
                    Err(at) => escaped.insert(at, (value, term)),
                }
            }
        }
        frame.pending[to].push(Edge {
            guard,
            arguments,
            escaped,
        });
    }

    /// Goes to the next block that something leads to.
    fn advance(&mut self) {
        let mut position = self.frame().position + 1;
        loop {
            position = match self.end_of_loop(position) {
                Some(head) => head,
                None => position,
            };
            let frame = self.frame();
            if position >= frame.plan.blocks.len() {
                return self.leave_function();
            }
            if !frame.pending[position].is_empty() {
                return self.enter_block(position);
            }
            self.enter_loop(position);
            position += 1;
        }
    }

    /// At the end of the innermost loop: back to its head, if something is pending there and the
    /// bound allows; out of it otherwise.
    fn end_of_loop(&mut self, position: usize) -> Option<usize> {
        loop {
            let frame = self.frame();
            let active = frame.active.last()?;
            let component = &frame.plan.components[active.component];
            if component.end != position {
                return None;
            }
            let head = component.start;
            if !frame.pending[head].is_empty() && self.iterate(head) {
                return Some(head);
            }
            self.frame_mut().active.pop();
        }
    }

    /// Begins another iteration, if the policy wants one; `false` if the loop ends here.
    fn iterate(&mut self, head: usize) -> bool {
        let of = self.loop_head();
        if self.ask_policy(|policy, executor| policy.repeat(executor, &of)) == Repeat::Stop {
            self.frame_mut().pending[head].clear();
            return false;
        }
        let Repetition { undecided, .. } = self.repetition();
        let (parent, iteration) = {
            let frame = self.frame();
            let outer = frame.active.len().checked_sub(2);
            let parent = outer.map_or(frame.context, |at| frame.active[at].context);
            let active = frame.active.last().expect("invariant: in a loop");
            (parent, active.iteration + 1)
        };
        let step = Step::Iteration(iteration, head as u32);
        let context = self.memo.contexts.enter(Some(parent), step);
        let active = self.frame_mut().active.last_mut();
        let active = active.expect("invariant: in a loop");
        active.iteration = iteration;
        active.undecided = undecided;
        active.context = context;
        active.repetition = None;
        true
    }

    /// Asks the policy. Meanwhile the executor has none, so that a policy goes through instructions and
    /// not through blocks.
    pub(crate) fn ask_policy<T>(
        &mut self,
        ask: impl FnOnce(&mut dyn LoopPolicy, &mut Self) -> T,
    ) -> T {
        let policy = self.policy.take();
        let policy = policy.expect("invariant: a policy does not execute blocks");
        let answer = ask(policy, self);
        self.policy = Some(policy);
        answer
    }

    fn enter_loop(&mut self, position: usize) {
        let frame = self.frame();
        let Some(component) = frame.plan.component_at(position) else {
            return;
        };
        if frame
            .active
            .last()
            .is_some_and(|active| active.component == component)
        {
            return;
        }
        let parent = self.context();
        let step = Step::Iteration(0, position as u32);
        let context = self.memo.contexts.enter(Some(parent), step);
        let entered = self.pool.bool(false);
        self.frame_mut().active.push(ActiveLoop {
            component,
            iteration: 0,
            undecided: 0,
            entered,
            context,
            entry: context,
            repetition: None,
        });
    }

    fn enter_block(&mut self, position: usize) {
        self.enter_loop(position);
        let frame = self.frame_mut();
        let body = frame.body;
        let edges = std::mem::take(&mut frame.pending[position]);
        let block = frame.plan.blocks[position];
        let params = &body.blocks[block].params;
        let is_memory: Vec<bool> = params
            .iter()
            .map(|&param| body.ty(param).region().is_some())
            .collect();
        let merged = self.merge_edges(edges, &is_memory, body);
        for (&param, &argument) in params.iter().zip(&merged.arguments) {
            self.set(param, argument);
        }
        for &(value, term) in &merged.escaped {
            self.set(value, term);
        }
        let frame = self.frame_mut();
        frame.position = position;
        frame.guard = merged.guard;
        frame.escaped = merged.escaped;
        frame.next = Some(0);
        let headed = frame.plan.component_at(position);
        if headed.is_some()
            && let Some(active) = frame.active.last_mut()
        {
            active.entered = merged.guard;
            let head = self.loop_head();
            self.ask_policy(|policy, executor| policy.enter(executor, &head));
        }
        self.assume_facts(block);
    }

    /// Starts a call with the values of all parameters, memories included.
    pub(crate) fn push_frame(
        &mut self,
        function: FunctionId,
        arguments: Vec<TermId>,
        step: Step,
    ) -> bool {
        let module = self.module;
        let Some(body) = &module.functions[function].body else {
            return false;
        };
        let plans = &mut self.memo.plans;
        let plan = plans
            .entry(function)
            .or_insert_with(|| Rc::new(FunctionPlan::new(body)));
        let plan = Rc::clone(plan);
        let guard = self.guard();
        let previous = self
            .frames
            .iter()
            .rev()
            .find(|frame| frame.function == function);
        let (depth, undecided_depth) = previous.map_or((1, 0), |frame| {
            (
                frame.depth + 1,
                frame.undecided_depth + u32::from(frame.entered != guard),
            )
        });
        if !self.frames.is_empty() {
            let activation = Activation {
                function,
                arguments: &arguments,
                depth,
                undecided_depth,
            };
            match self.ask_policy(|policy, executor| policy.call(executor, &activation)) {
                CallTreatment::Enter => {}
                CallTreatment::Stop => {
                    let never = self.pool.bool(false);
                    self.frame_mut().guard = never;
                    return true;
                }
                CallTreatment::Replace(values) => {
                    let call = current_instruction(self.frame());
                    self.take_results(call.expect("invariant: a call waits"), &values);
                    return true;
                }
            }
        }
        let parent = (!self.frames.is_empty()).then(|| self.context());
        let context = self.memo.contexts.enter(parent, step);
        let mut pending: Vec<Vec<Edge>> = vec![vec![]; plan.blocks.len()];
        let entry = plan
            .position(body.entry)
            .expect("invariant: the entry is reached");
        pending[entry].push(Edge {
            guard,
            arguments,
            escaped: vec![],
        });
        self.frames.push(Frame {
            function,
            body,
            values: vec![None; body.values.len()],
            pending,
            active: vec![],
            position: 0,
            next: None,
            guard,
            escaped: vec![],
            context,
            entered: guard,
            returns: vec![],
            stack_objects: vec![],
            undecided_depth,
            depth,
            plan,
        });
        // The entry is the first block of the order.
        self.enter_block(0);
        true
    }

    /// Returns to the caller with the merged results of all returns.
    fn leave_function(&mut self) {
        let frame = self.frames.pop().expect("invariant: a call is active");
        let always = self.pool.bool(true);
        for &object in &frame.stack_objects {
            self.memo.objects.end(self.pool, object, always);
        }
        let (guard, values) = if frame.returns.is_empty() {
            (self.pool.bool(false), vec![])
        } else {
            let is_memory = return_types(frame.body, frame.plan.blocks.iter().copied());
            let merged = self.merge_edges(frame.returns, &is_memory, frame.body);
            (merged.guard, merged.arguments)
        };
        if self.frames.is_empty() {
            self.returned = Some((guard, values));
            return;
        }
        self.frame_mut().guard = guard;
        let call = current_instruction(self.frame()).expect("invariant: a call waits");
        if !values.is_empty() {
            self.take_results(call, &values);
        }
    }

    /// Gives the results of a call their values: scalars first, then the memories that it modified.
    fn take_results(&mut self, call: InstId, values: &[TermId]) {
        let body = self.frame().body;
        let data = &body.instructions[call];
        debug_assert!(matches!(
            data.instruction,
            Instruction::Call {
                callee: Callee::Direct(_),
                ..
            }
        ));
        let outputs = data.memory.iter().filter_map(|memory| memory.output);
        let targets: Vec<ValueId> = data.results.iter().copied().chain(outputs).collect();
        for (target, &value) in targets.into_iter().zip(values) {
            self.set(target, value);
        }
    }
}

/// Which values of a function's return are memories.
fn return_types(body: &Body, blocks: impl Iterator<Item = BlockId>) -> Vec<bool> {
    for block in blocks {
        if let Terminator::Return { values } = &body.blocks[block].terminator {
            let memory = values
                .iter()
                .map(|&value| body.ty(value).region().is_some());
            return memory.collect();
        }
    }
    vec![]
}
