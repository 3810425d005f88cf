//! `Cut(k)`: loops of which k copies are executed from any state (§2.3.2 of the 2LS thesis).
//!
//! At the first entry of a head each parameter becomes `select ? loop-back : first`, where the loop-back values are
//! anything: registers, pointers, memories, and the lives of those objects whose lives the loop can change
//! ([`effects`]). k copies of the body follow, and the last back edge is recorded and dropped. Which numbers of the state
//! rows speak of is decided before: parameters always, cells of memory where an earlier run has shown that the formula
//! reads them ([`Cut::follow`]).
//!
//! # Objects that the loop makes
//! The number of an object that a copy makes stands for another object in each iteration. What is said of the state at a
//! head is about objects that existed when the loop was entered; every other one is [`lost`] there. So rows speak of no
//! cell of an object that the loop makes, and a pointer that leads to one leads to a lost one at the next head.
//!
//! Invariants:
//! - Nothing that a loop can change keeps its first value: what is not a parameter of the head is a life, or a reason to
//!   refuse the program ([`Cut::refusal`]), or lost ([`Executor::lose_track`]).
//! - Loop-back values have the same terms in every run of one policy, so that the solver keeps what it has learned.

mod arrays;
pub mod calls;
pub mod effects;
mod names;
mod outer;
pub mod record;
mod state;

use crate::sabotage::Sabotage;
use calls::{Calls, MetCalls, Results};
use effects::Effects;
use foghorn_encode::execute::context::ContextId;
use foghorn_encode::execute::{
    Activation, CallTreatment, Executor, LoopHead, LoopPolicy, Repeat, Repetition,
};
use foghorn_encode::semantics::object::Kind;
use foghorn_ir::{BlockId, Cell, FunctionId, Type, ValueId};
use foghorn_term::{Sort, TermId, TermPool};
use names::describe;
use outer::entered;
use record::{Array, Copy, CutLoop, Followed, LoopKey, Quantity};
use rustc_hash::{FxHashMap, FxHashSet};
use state::{Place, state, state_of};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The number of every object that a loop has made, from the next head on; numbers from here on are of such objects.
pub fn lost(pointer_bits: u32) -> u64 {
    1 << (pointer_bits - 1)
}

/// The policy. It lives through all runs of an analysis.
#[derive(Debug, Default)]
pub struct Cut {
    copies: u32,
    /// Iterations of a loop that constants decide are executed up to this many.
    decided: u32,
    /// Cells that rows speak of, by the entry into the loop.
    followed: BTreeMap<ContextId, BTreeSet<Followed>>,
    /// Arrays that rows speak of, by the loop, with the symbol for any offset.
    arrays: BTreeMap<LoopKey, BTreeMap<Array, Option<TermId>>>,
    /// Loop-back values by entry and place.
    loop_back: FxHashMap<(ContextId, usize), TermId>,
    lives: FxHashMap<(ContextId, u64), TermId>,
    selects: FxHashMap<ContextId, TermId>,
    effects: FxHashMap<(FunctionId, usize), Effects>,
    /// Values that loops use and do not compute.
    outer: FxHashMap<(FunctionId, usize), Rc<Vec<ValueId>>>,
    /// Loops that inputs were seen to decide.
    undecided: FxHashSet<LoopKey>,
    /// Loops that constants decide, after more iterations than are executed.
    long: FxHashSet<LoopKey>,
    /// What becomes of calls.
    calls: Calls,
    results: Results,
    run: Run,
    sabotage: Sabotage,
}

/// What the present run has met.
#[derive(Debug, Default)]
struct Run {
    loops: Vec<CutLoop>,
    by_entry: FxHashMap<ContextId, usize>,
    /// Heads that were entered without being cut.
    unwound: FxHashSet<(FunctionId, BlockId)>,
    recursion: Option<FunctionId>,
    refusal: Option<&'static str>,
    lost_heap: bool,
    calls: MetCalls,
}

impl Cut {
    /// A policy that cuts loops, after the iterations that constants decide if they are no more than `decided`.
    pub fn new(decided: u32) -> Self {
        Cut {
            decided,
            ..Cut::default()
        }
    }

    /// With a fault.
    #[must_use]
    pub fn with_sabotage(self, sabotage: Sabotage) -> Self {
        Cut { sabotage, ..self }
    }

    /// How many copies the next run makes.
    pub fn set_copies(&mut self, copies: u32) {
        self.copies = copies.max(1);
    }

    /// How many iterations of a loop that constants decide the next run executes.
    pub fn set_decided(&mut self, decided: u32) {
        if decided > self.decided {
            self.decided = decided;
            self.long.clear();
        }
    }

    /// Rows may speak of a cell from the next run on; whether that is new.
    pub fn follow(&mut self, entry: ContextId, cell: Followed) -> bool {
        self.followed.entry(entry).or_default().insert(cell)
    }

    /// The loops of the last run.
    pub fn loops(&self) -> &[CutLoop] {
        &self.run.loops
    }

    /// Whether the last run cut a loop in the middle, since it had seemed that constants decide it. The next run cuts it
    /// where it is entered.
    pub fn has_late_cut(&self) -> bool {
        self.run.loops.iter().any(|cut| cut.head.iteration > 0)
    }

    /// The loops of the last run.
    pub fn take_loops(&mut self) -> Vec<CutLoop> {
        self.run.by_entry.clear();
        std::mem::take(&mut self.run.loops)
    }

    /// Whether the last run executed a loop without cutting it, on some way.
    pub fn is_unwound_somewhere(&self, function: FunctionId, block: BlockId) -> bool {
        self.run.unwound.contains(&(function, block))
    }

    /// The heads of loops that the last run executed without cutting them, on some way.
    pub fn unwound(&self) -> Vec<(FunctionId, BlockId)> {
        let mut all: Vec<(FunctionId, BlockId)> = self.run.unwound.iter().copied().collect();
        all.sort_unstable();
        all
    }

    /// A function that calls itself, if the last run met one: what it does was left out.
    pub fn recursion(&self) -> Option<FunctionId> {
        self.run.recursion
    }

    /// Why nothing that the last run says may be believed.
    pub fn refusal(&self) -> Option<&'static str> {
        self.run.refusal
    }

    /// Whether heap objects may be left at the end of which the last run knew nothing.
    pub fn has_lost_heap(&self) -> bool {
        self.run.lost_heap
    }

    fn effects(&mut self, executor: &Executor<'_, '_>, head: &LoopHead) -> Effects {
        let key = (head.function, head.component);
        let effects = self.effects.entry(key).or_insert_with(|| {
            let (module, body, plan) = (executor.module(), executor.body(), executor.plan());
            Effects::of_loop(module, body, &plan, head.component)
        });
        *effects
    }

    /// Puts `select ? loop-back : first` in the place of all that the loop can change.
    fn cut(&mut self, executor: &mut Executor<'_, '_>, head: &LoopHead) {
        let effects = self.effects(executor, head);
        executor.lose_track(effects.makes_objects);
        self.run.lost_heap |= effects.makes_heap_objects;
        let name = executor.loop_name(head);
        let entry = head.entry;
        let selects = &mut self.selects;
        let select = *selects.entry(entry).or_insert_with(|| {
            let pool = &mut *executor.pool;
            pool.fresh_symbol(&format!("{name}.select"), Sort::Bool)
        });
        let lives = self.changing_lives(executor, effects);
        let mut quantities = self.quantities(executor, head, &lives);
        let outer = self.outer_values(executor, head);
        quantities.extend(outer.iter().map(|&value| Quantity::Outer { value }));
        quantities.extend(self.array_quantities(executor, head));
        let known: Rc<FxHashSet<u64>> =
            Rc::new(executor.objects().in_order().iter().copied().collect());
        let mut first = state(executor, head, &quantities, (&known, &[]));
        let entered = entered(executor.pool, &quantities, &first.values);
        for &of in &entered {
            first.values.push(first.values[of]);
        }
        let memories = self.choose_parameters(executor, head, select);
        for &object in &lives {
            self.choose_life(executor, entry, object, select);
        }
        let alive = known.iter().copied().filter(|&number| {
            let object = executor.objects().get(number);
            object.is_some_and(|object| executor.pool.as_bool(object.dead) == Some(false))
        });
        let mut alive: Vec<u64> = alive.collect();
        alive.sort_unstable();
        let names = quantities.iter();
        let mut names: Vec<String> = names
            .map(|quantity| describe(executor, head, quantity))
            .collect();
        names.extend(
            entered
                .iter()
                .map(|&of| format!("entered({})", names[of]))
                .collect::<Vec<_>>(),
        );
        quantities.extend(entered.into_iter().map(|of| Quantity::Entered { of }));
        self.run.by_entry.insert(entry, self.run.loops.len());
        self.run.loops.push(CutLoop {
            head: *head,
            key: key_of(executor, head),
            name,
            select,
            quantities,
            names,
            known,
            alive,
            first,
            copies: vec![],
            placeholders: vec![],
            places: vec![],
            memories,
        });
    }

    /// The objects whose lives the loop can change.
    fn changing_lives(&self, executor: &Executor<'_, '_>, effects: Effects) -> Vec<u64> {
        let objects = executor.objects();
        let numbers = objects.in_order().iter().copied();
        let changing = numbers.filter(|&number| {
            let kind = objects.get(number).map(|object| object.kind);
            match kind {
                Some(Kind::Heap) => effects.frees,
                Some(Kind::Stack) => effects.changes_scopes,
                Some(Kind::Global | Kind::Function(_)) | None => false,
            }
        });
        changing.collect()
    }

    /// What rows may speak of at this head.
    fn quantities(
        &self,
        executor: &Executor<'_, '_>,
        head: &LoopHead,
        lives: &[u64],
    ) -> Vec<Quantity> {
        let body = executor.body();
        let mut quantities = vec![];
        for (parameter, &value) in body.blocks[head.block].params.iter().enumerate() {
            match body.ty(value) {
                Type::Int(_) => quantities.push(Quantity::Register { parameter }),
                Type::Ptr => quantities
                    .extend([Quantity::Base { parameter }, Quantity::Offset { parameter }]),
                Type::F32 | Type::F64 | Type::Memory(_) => {}
            }
        }
        for followed in self.followed.get(&head.entry).into_iter().flatten() {
            let &Followed {
                parameter,
                object,
                offset,
            } = followed;
            // The number of an object that the loop makes means another one at the next head.
            if executor.objects().get(object).is_none() {
                continue;
            }
            let param = body.blocks[head.block].params[parameter];
            let Some(region) = body.ty(param).region() else {
                continue;
            };
            match executor.cell(&body.regions[region]) {
                Cell::Pointer => quantities.extend([
                    Quantity::CellBase {
                        parameter,
                        object,
                        offset,
                    },
                    Quantity::CellOffset {
                        parameter,
                        object,
                        offset,
                    },
                ]),
                Cell::Bytes | Cell::Word { .. } => quantities.push(Quantity::Cell {
                    parameter,
                    object,
                    offset,
                }),
            }
        }
        quantities.extend(lives.iter().map(|&object| Quantity::Dead { object }));
        quantities
    }

    /// The functions of the loop-back memories, with the parameter of each.
    fn choose_parameters(
        &mut self,
        executor: &mut Executor<'_, '_>,
        head: &LoopHead,
        select: TermId,
    ) -> Vec<(String, usize)> {
        let body = executor.body();
        let mut memories = vec![];
        for (parameter, &param) in body.blocks[head.block].params.iter().enumerate() {
            let first = executor.get(param);
            let key = (head.entry, parameter);
            let ty = body.ty(param);
            let chosen = match ty {
                Type::Memory(region) => {
                    if self.sabotage == Sabotage::ForgottenMemory && memories.is_empty() {
                        memories.push((String::new(), parameter));
                        continue;
                    }
                    let name = memory_name(head.entry, parameter);
                    let cell = executor.cell(&body.regions[region]);
                    let back = executor.any_contents(&name, cell);
                    memories.push((format!("{name}.read"), parameter));
                    executor.memory.merge(executor.pool, select, back, first)
                }
                Type::Ptr => {
                    let known = self.loop_back.get(&key).copied();
                    let back = known.unwrap_or_else(|| executor.any_pointer("loop_back"));
                    self.loop_back.insert(key, back);
                    executor.pool.ite(select, back, first)
                }
                Type::Int(_) | Type::F32 | Type::F64 => {
                    let known = self.loop_back.get(&key).copied();
                    let back = known.unwrap_or_else(|| {
                        let any = executor.arbitrary_value(ty, "loop_back");
                        any.expect("invariant: it is no pointer")
                    });
                    self.loop_back.insert(key, back);
                    executor.pool.ite(select, back, first)
                }
            };
            executor.set(param, chosen);
        }
        memories
    }

    fn choose_life(
        &mut self,
        executor: &mut Executor<'_, '_>,
        entry: ContextId,
        object: u64,
        select: TermId,
    ) {
        if self.sabotage == Sabotage::ForgottenLives {
            return;
        }
        let Some(first) = executor.objects().get(object).map(|object| object.dead) else {
            return;
        };
        let lives = &mut self.lives;
        let back = *lives
            .entry((entry, object))
            .or_insert_with(|| executor.pool.fresh_symbol("loop_back_dead", Sort::Bool));
        let dead = executor.pool.ite(select, back, first);
        executor.set_life(object, dead);
    }

    /// Whether an entry that is not cut may go on without: constants have decided all so far.
    fn is_unwound(&self, executor: &Executor<'_, '_>, head: &LoopHead) -> bool {
        let is_driver = |target: calls::Target| target.driver == head.function;
        if self.calls.target.is_some_and(is_driver) {
            return false;
        }
        let key = key_of(executor, head);
        let is_cut = self.undecided.contains(&key) || self.long.contains(&key);
        head.iteration < self.decided && !is_cut
    }

    fn subjects(&self, index: usize) -> (Vec<Quantity>, Rc<FxHashSet<u64>>, Vec<TermId>) {
        let cut = &self.run.loops[index];
        let entered = cut.first.values.clone();
        (cut.quantities.clone(), Rc::clone(&cut.known), entered)
    }

    fn begin_copy(&mut self, executor: &mut Executor<'_, '_>, head: &LoopHead) {
        let Some(&index) = self.run.by_entry.get(&head.entry) else {
            return;
        };
        let (quantities, known, entered) = self.subjects(index);
        let state = state(executor, head, &quantities, (&known, &entered));
        let position = state.position;
        self.run.loops[index].copies.push(Copy {
            head: state,
            back: None,
            events: position..position,
        });
    }
}

fn key_of(executor: &Executor<'_, '_>, head: &LoopHead) -> LoopKey {
    LoopKey {
        calls: executor.calls_to(head.entry),
        function: head.function,
        block: head.block,
    }
}

fn memory_name(entry: ContextId, parameter: usize) -> String {
    format!("loop_back_memory.{entry:?}.{parameter}")
}

impl LoopPolicy for Cut {
    fn begin(&mut self, executor: &mut Executor<'_, '_>) {
        self.run = Run::default();
        if executor.may_have_hidden_state() {
            self.run.refusal =
                Some("marks of accesses or shadows of memory in a program with loops");
        }
    }

    fn enter(&mut self, executor: &mut Executor<'_, '_>, head: &LoopHead) {
        let is_cut = self.run.by_entry.contains_key(&head.entry);
        if !is_cut {
            if self.is_unwound(executor, head) {
                self.run.unwound.insert((head.function, head.block));
                return;
            }
            self.cut(executor, head);
        }
        self.begin_copy(executor, head);
    }

    fn repeat(&mut self, executor: &mut Executor<'_, '_>, head: &LoopHead) -> Repeat {
        let Some(&index) = self.run.by_entry.get(&head.entry) else {
            let Repetition { undecided, .. } = executor.repetition();
            // In the next run it is cut where it is entered.
            if undecided > 0 {
                self.undecided.insert(key_of(executor, head));
            } else if head.iteration + 1 >= self.decided {
                self.long.insert(key_of(executor, head));
            }
            return Repeat::Again;
        };
        let edge = executor.back_edge();
        let params = executor.body().blocks[head.block].params.clone();
        let (quantities, known, entered) = self.subjects(index);
        let place = Place {
            params: &params,
            arguments: &edge.arguments,
            known: &known,
            entered: &entered,
        };
        let back = state_of(executor, edge.guard, &place, &quantities);
        let copies = &mut self.run.loops[index].copies;
        let made = copies.len() as u32;
        if let Some(copy) = copies.last_mut() {
            copy.events.end = back.position;
            copy.back = Some(back);
        }
        match made < self.copies {
            true => Repeat::Again,
            false => Repeat::Stop,
        }
    }

    fn call(
        &mut self,
        executor: &mut Executor<'_, '_>,
        activation: &Activation<'_>,
    ) -> CallTreatment {
        if let Some(treatment) = self.replace_call(executor, activation) {
            return treatment;
        }
        let most = self.decided.max(self.copies);
        if activation.depth <= most && activation.undecided_depth < self.copies {
            return CallTreatment::Enter;
        }
        self.run.recursion.get_or_insert(activation.function);
        executor.note_recursion_beyond(activation.function);
        CallTreatment::Stop
    }

    fn finish(&mut self, _: &mut TermPool, trace: &mut foghorn_encode::execute::Trace) {
        let end = trace.events.len();
        let driver = self.calls.target.map(|target| target.driver);
        for cut in &mut self.run.loops {
            if Some(cut.head.function) == driver {
                cut.placeholders.clone_from(&self.run.calls.placeholders);
            }
            for copy in &mut cut.copies {
                if copy.back.is_none() {
                    copy.events.end = end;
                }
            }
        }
    }
}
