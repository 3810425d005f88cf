//! What a policy sees of the run and may do to it ([`super::policy`]), besides what instructions do.

use super::context::ContextId;
use super::event::{Event, What};
use super::plan::FunctionPlan;
use super::policy::LoopHead;
use super::{Executor, guard};
use crate::semantics::object::Objects;
use foghorn_ir::loops::LoopNames;
use foghorn_ir::{
    Body, Builtin, Callee, Cell, FunctionId, InstId, Instruction, Module, Region, Type, ValueId,
};
use foghorn_term::{Op, Sort, TermId, TermPool};
use std::rc::Rc;
use std::sync::Arc;

/// What leads back to the head of a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repetition {
    /// The condition under which an iteration follows.
    pub guard: TermId,
    /// Iterations that could have been the last one, that one included.
    pub undecided: u32,
}

/// All paths back to the head of a loop as one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BackEdge {
    /// The condition under which an iteration follows.
    pub guard: TermId,
    /// The values of the head's parameters in it.
    pub arguments: Vec<TermId>,
}

/// What was gone through without consequences.
#[derive(Debug)]
pub struct Rehearsed<T> {
    /// What the rehearsal gave.
    pub result: T,
    /// What would have happened.
    pub events: Vec<Event>,
    /// Whether nothing goes on behind it.
    pub is_stopped: bool,
    /// The values of the call as they were in the end.
    pub values: Vec<(ValueId, TermId)>,
}

/// A name that no other symbol or memory has.
pub fn new_name(pool: &mut TermPool, what: &str) -> String {
    let symbol = pool.fresh_symbol(what, Sort::Bool);
    let Op::Symbol(symbol) = pool.op(symbol) else {
        unreachable!("invariant: a symbol was made")
    };
    format!("{}.of", pool.symbol_data(symbol).name)
}

/// Whether an operation uses marks or shadows.
fn is_hidden_state(builtin: &Builtin) -> bool {
    match builtin {
        Builtin::IsModified
        | Builtin::IsRead
        | Builtin::ResetModified
        | Builtin::ResetRead
        | Builtin::TrackAccesses
        | Builtin::SetShadow
        | Builtin::GetShadow => true,
        Builtin::WriteOutput
        | Builtin::ReadInput
        | Builtin::FormatFloat
        | Builtin::IsDereferenceable
        | Builtin::ObjectSize
        | Builtin::ObjectOffset
        | Builtin::SameObject
        | Builtin::IsAlive
        | Builtin::HavocMemory
        | Builtin::HavocReachable(_)
        | Builtin::Math(_) => false,
    }
}

impl<'m> Executor<'m, '_> {
    /// The program.
    pub fn module(&self) -> &'m Module {
        self.module
    }

    /// The function that is executed.
    pub fn function(&self) -> FunctionId {
        self.frame().function
    }

    /// Its body.
    pub fn body(&self) -> &'m Body {
        self.frame().body
    }

    /// The order of its blocks and its loops.
    pub fn plan(&self) -> Rc<FunctionPlan> {
        Rc::clone(&self.frame().plan)
    }

    /// The width of addresses.
    pub fn pointer_bits(&self) -> u32 {
        self.pointer_bits
    }

    /// The cells that a region has in this run.
    pub fn cell(&self, region: &Region) -> Cell {
        self.cells.of(region)
    }

    /// Whether accesses leave marks: memories that are no parameters of heads.
    pub fn has_marks(&self) -> bool {
        self.marks.is_some()
    }

    /// Whether some instruction of the program uses marks of accesses or the user's shadows: state that is no parameter
    /// of heads and that a loop may change.
    pub fn may_have_hidden_state(&self) -> bool {
        let mut bodies = self.module.functions.values();
        bodies.any(|function| {
            let body = function.body.iter();
            let mut data = body.flat_map(|body| body.instructions.values());
            data.any(|data| match &data.instruction {
                Instruction::Call {
                    callee: Callee::Builtin(builtin),
                    ..
                } => is_hidden_state(builtin),
                _ => false,
            })
        })
    }

    /// What has happened so far.
    pub fn events(&self) -> &[Event] {
        &self.trace.events
    }

    /// The calls on the way to a context, without the iterations of loops.
    pub fn calls_to(&self, context: ContextId) -> Vec<InstId> {
        self.memo.contexts.calls_to(context)
    }

    /// The objects of the run so far.
    pub fn objects(&self) -> &Objects {
        &self.memo.objects
    }

    /// From now on the life of an object has ended under exactly this condition.
    pub fn set_life(&mut self, object: u64, dead: TermId) {
        self.memo.objects.set_dead(object, dead);
    }

    /// The term as the memory representation simplifies it, with what is known on every path.
    pub fn simplify(&mut self, term: TermId) -> TermId {
        self.memory.simplify(self.pool, term)
    }

    /// A value of a type of which nothing is known, memories included; `None` for pointers, which may not be
    /// just any pair of numbers.
    pub fn arbitrary_value(&mut self, ty: Type, name: &str) -> Option<TermId> {
        match ty {
            Type::Ptr => None,
            Type::Int(_) | Type::F32 | Type::F64 => {
                let sort = self.sort(ty);
                Some(self.pool.fresh_symbol(name, sort))
            }
            Type::Memory(region) => {
                let cell = self.cell(&self.body().regions[region]);
                let name = new_name(self.pool, name);
                Some(self.arbitrary_memory(&name, cell))
            }
        }
    }

    /// Something happens under a guard.
    pub fn note_under(&mut self, guard: TermId, what: What) {
        self.trace.events.push(Event { guard, what });
    }

    /// Iterations of a loop are left out that happen under a guard.
    pub fn note_loop_beyond(&mut self, guard: TermId, head: &LoopHead) {
        let name = self.loop_name(head);
        let span = self.frame().body.blocks[head.block].terminator_span;
        self.note_under(guard, What::Unwinding { name, span });
    }

    /// The activation of a recursive function is left out.
    pub fn note_recursion_beyond(&mut self, function: FunctionId) {
        let function = &self.module.functions[function];
        let (name, span) = (function.name.clone(), function.span);
        self.note(What::Unwinding { name, span });
    }

    /// The name by which people know a loop of the function that is executed.
    pub fn loop_name(&mut self, head: &LoopHead) -> Arc<str> {
        let (module, function, body) = (self.module, head.function, self.frame().body);
        debug_assert_eq!(function, self.frame().function);
        let names = &mut self.memo.loop_names;
        let names = names
            .entry(function)
            .or_insert_with(|| LoopNames::new(module, function, body));
        let name = names.of_header(head.block);
        name.expect("invariant: components are the loops of the forest")
            .clone()
    }

    /// The innermost loop that is executed.
    pub(crate) fn loop_head(&self) -> LoopHead {
        let frame = self.frame();
        let active = frame.active.last().expect("invariant: in a loop");
        LoopHead {
            function: frame.function,
            block: frame.plan.blocks[frame.plan.components[active.component].start],
            component: active.component,
            entry: active.entry,
            iteration: active.iteration,
        }
    }

    /// What leads back to the head of the innermost loop; something must.
    pub fn repetition(&mut self) -> Repetition {
        let frame = self.frame();
        let active = frame.active.last().expect("invariant: in a loop");
        if let Some(known) = active.repetition {
            return known;
        }
        let (entered, before) = (active.entered, active.undecided);
        let head = frame.plan.components[active.component].start;
        let edges = frame.pending[head].iter();
        let guards: Vec<TermId> = edges.map(|edge| edge.guard).collect();
        let guard = self.disjunction(&guards);
        let repetition = Repetition {
            guard,
            undecided: before + u32::from(guard != entered),
        };
        let active = self.frame_mut().active.last_mut();
        active.expect("invariant: in a loop").repetition = Some(repetition);
        repetition
    }

    /// All paths that lead back to the head of the innermost loop, as one. They stay where they are: whether they are
    /// followed is what the policy answers.
    pub fn back_edge(&mut self) -> BackEdge {
        let frame = self.frame();
        let active = frame.active.last().expect("invariant: in a loop");
        let head = frame.plan.components[active.component].start;
        let body = frame.body;
        let edges = frame.pending[head].clone();
        let params = &body.blocks[frame.plan.blocks[head]].params;
        let is_memory: Vec<bool> = params
            .iter()
            .map(|&param| body.ty(param).region().is_some())
            .collect();
        let merged = self.merge_edges(edges, &is_memory, body);
        BackEdge {
            guard: merged.guard,
            arguments: merged.arguments,
        }
    }

    fn disjunction(&mut self, guards: &[TermId]) -> TermId {
        let (&last, rest) = guards
            .split_last()
            .expect("invariant: something is pending");
        rest.iter().rev().fold(last, |merged, &other| {
            guard::meet(self.pool, other, merged).guard
        })
    }

    /// Goes through something without consequences: what happens is handed back instead of noted, and values are as
    /// before. Objects must neither be made nor die in it, and no function may be entered.
    pub fn rehearse<T>(&mut self, perform: impl FnOnce(&mut Self) -> T) -> Rehearsed<T> {
        let saved = self.frame().values.clone();
        let guard = self.frame().guard;
        let (first, objects) = (self.trace.events.len(), self.memo.objects.in_order().len());
        // Facts are learned only on every path, and this is none.
        let never_mind = self.pool.fresh_symbol("rehearsal", Sort::Bool);
        self.frame_mut().guard = never_mind;
        let depth = self.frames.len();
        let result = perform(self);
        debug_assert_eq!(depth, self.frames.len(), "a rehearsal enters no function");
        debug_assert_eq!(objects, self.memo.objects.in_order().len());
        let events = self.trace.events.drain(first..).collect();
        let is_stopped = self.pool.as_bool(self.frame().guard) == Some(false);
        let _ = self.memory.take_obligations();
        let values = std::mem::replace(&mut self.frame_mut().values, saved);
        self.frame_mut().guard = guard;
        let values = values.into_iter().enumerate();
        Rehearsed {
            result,
            events,
            is_stopped,
            values: values
                .filter_map(|(at, term)| Some((ValueId::from_u32(at as u32), term?)))
                .collect(),
        }
    }
}
