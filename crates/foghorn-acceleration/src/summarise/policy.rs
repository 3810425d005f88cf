//! Loop summarisation as a policy of the executor.

use super::Summariser;
use super::definition::Definitions;
use super::fold::Folds;
use super::shape::Shape;
use foghorn_encode::execute::context::ContextId;
use foghorn_encode::execute::event::What;
use foghorn_encode::execute::plan::FunctionPlan;
use foghorn_encode::execute::{
    Activation, CallTreatment, Executor, LoopHead, LoopPolicy, Repeat, Trace, Unwind,
};
use foghorn_ir::{Cell, FunctionId, Instruction, Module, Type};
use foghorn_term::{Sort, TermPool};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// The policy: loops are summarised as far as they can be, and unwound where not.
#[derive(Debug)]
pub struct Summarise {
    /// Loops with fewer iterations, as constants decide, are executed.
    from: u32,
    /// What becomes of other loops, and of recursion.
    unwind: Unwind,
    /// What loops do to their variables, by the number of the loop; `None` if it is not followed.
    shapes: FxHashMap<(FunctionId, usize), Option<Rc<Shape>>>,
    /// The entries into loops that were summarised in this run.
    entries: FxHashSet<ContextId>,
    /// What is known in this run.
    known: Option<Known>,
}

impl Summarise {
    /// A policy with another one for what cannot be summarised.
    pub fn new(from: u32, unwind: Unwind) -> Self {
        Summarise {
            from,
            unwind,
            shapes: FxHashMap::default(),
            entries: FxHashSet::default(),
            known: None,
        }
    }

    /// How often a loop was entered for any number of iterations at once.
    pub fn summarised_loops(&self) -> u32 {
        self.entries.len() as u32
    }

    /// The sums and the like over the iterations of the last run.
    pub fn into_folds(self) -> Option<Folds> {
        self.known.map(|known| known.folds)
    }

    /// What a loop of the present function does to its variables.
    fn shape(&mut self, executor: &Executor<'_, '_>, component: usize) -> Option<Rc<Shape>> {
        let (module, body, plan) = (executor.module(), executor.body(), executor.plan());
        let key = (executor.function(), component);
        let shapes = &mut self.shapes;
        let shape = shapes
            .entry(key)
            .or_insert_with(|| Shape::of(module, body, &plan, component).map(Rc::new));
        shape.clone()
    }

    /// Puts the state after any number of iterations in the place of that at the first entry. `false` if
    /// the loop has to be unwound.
    fn summarise(&mut self, executor: &mut Executor<'_, '_>, component: usize) -> bool {
        if executor.has_marks() {
            return false;
        }
        let Some(shape) = self.shape(executor, component) else {
            return false;
        };
        let Some(known) = &mut self.known else {
            return false;
        };
        let mut own = Summariser { executor, known };
        own.replace_state(&shape, self.from)
    }
}

impl LoopPolicy for Summarise {
    fn begin(&mut self, executor: &mut Executor<'_, '_>) {
        self.entries.clear();
        self.known = Some(Known::new(executor));
    }

    fn enter(&mut self, executor: &mut Executor<'_, '_>, head: &LoopHead) {
        if head.iteration == 0 && self.summarise(executor, head.component) {
            self.entries.insert(head.entry);
        }
    }

    fn repeat(&mut self, executor: &mut Executor<'_, '_>, head: &LoopHead) -> Repeat {
        match self.entries.contains(&head.entry) {
            // The state at the head was that of any iteration.
            true => Repeat::Stop,
            false => self.unwind.repeat(executor, head),
        }
    }

    fn call(
        &mut self,
        executor: &mut Executor<'_, '_>,
        activation: &Activation<'_>,
    ) -> CallTreatment {
        self.unwind.call(executor, activation)
    }

    /// Replaces what is defined in all that happened, and keeps the folds.
    fn finish(&mut self, pool: &mut TermPool, trace: &mut Trace) {
        if let Some(known) = &mut self.known {
            known.expand_all(pool, trace);
        }
    }
}

/// What is known of all loops that were summarised.
#[derive(Debug)]
pub(super) struct Known {
    pub definitions: Definitions,
    pub folds: Folds,
    /// Whether contents may become anything: no pointer is read as bits.
    pub may_forget: bool,
}

/// Whether a program has a loop that counts and that can be summarised.
pub fn has_summarisable_loops(module: &Module) -> bool {
    let mut bodies = module.functions.values().filter_map(|it| it.body.as_ref());
    bodies.any(|body| {
        let plan = FunctionPlan::new(body);
        (0..plan.components.len()).any(|component| {
            let shape = Shape::of(module, body, &plan, component);
            shape.is_some_and(|shape| shape.counter.is_some())
        })
    })
}

impl Known {
    fn new(executor: &mut Executor<'_, '_>) -> Known {
        let width = executor.pointer_bits();
        let index = executor.pool.fresh_symbol("index", Sort::BitVec(width));
        let may_forget = executor.module().functions.values().all(|function| {
            let bodies = function.body.iter();
            bodies.into_iter().all(|body| {
                body.blocks.values().all(|block| {
                    block.instructions.iter().all(|&id| {
                        let data = &body.instructions[id];
                        let is_load = matches!(data.instruction, Instruction::Load { .. });
                        let is_pointer = is_load && body.ty(data.results[0]) == Type::Ptr;
                        !is_pointer || {
                            let region = &body.regions[data.memory[0].region];
                            executor.cell(region) == Cell::Pointer
                        }
                    })
                })
            })
        });
        Known {
            definitions: Definitions::new(index),
            folds: Folds::new(index),
            may_forget,
        }
    }

    fn expand_all(&mut self, pool: &mut TermPool, trace: &mut Trace) {
        let definitions = &mut self.definitions;
        self.folds.known.clone_from(&definitions.known);
        for axiom in &mut trace.axioms {
            *axiom = definitions.expand(pool, *axiom);
        }
        for event in &mut trace.events {
            event.guard = definitions.expand(pool, event.guard);
            match &mut event.what {
                What::Input { bits: term, .. }
                | What::Read { bits: term, .. }
                | What::Assume { condition: term }
                | What::Check {
                    condition: term, ..
                }
                | What::Obligation {
                    condition: term, ..
                } => *term = definitions.expand(pool, *term),
                What::Unwinding { .. } => {}
            }
        }
    }
}
