//! The ways through a piece.
//!
//! Blocks are executed in the order of their keys, so that each comes after all that flows into it; where
//! ways meet, values are chosen by the guards of the ways. What must follow is written down as
//! [`Question`]s; nobody is asked yet.

use super::formula::Scope;
use super::plan::{Key, Plan};
use super::world::{Known, LifeId, MemoryId, World};
use crate::rules::Rules;
use foghorn_core::{Budget, CheckKind, SiteKind};
use foghorn_encode::claim::{Formula, LoopClaim, Subject};
use foghorn_ir::{BlockId, Body, FunctionId, HaltKind, InstId, Target, Terminator, Type, ValueId};
use foghorn_term::TermId;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// Blocks of one piece beyond this are too many.
const MOST_BLOCKS: u32 = 60_000;

/// What changes on a way besides values.
#[derive(Clone, Copy, Debug)]
pub struct State {
    /// The condition under which a run is on this way.
    pub guard: TermId,
    pub life: LifeId,
    /// What the program noted of objects.
    pub shadows: MemoryId,
}

/// What must follow: the goal, on a way.
#[derive(Clone, Debug)]
pub struct Question {
    pub guard: TermId,
    pub goal: TermId,
    pub what: What,
}

/// What a question is about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum What {
    /// A check of the program.
    Site(FunctionId, InstId, SiteKind),
    /// A claim, by where it stands and which of those there it is.
    Claim(ClaimPlace, usize),
    /// A claim that cannot be expressed where it has to hold.
    Inexpressible(ClaimPlace, usize),
    /// No run goes round so often: a loop by its head, a recursion by its function.
    Unwinding(FunctionId, Option<u32>),
    /// The encoding is right only if this holds.
    Obligation(&'static str),
}

/// Where a claim stands.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ClaimPlace {
    Loop(FunctionId, u32),
    Requires(FunctionId),
    Ensures(FunctionId),
}

/// Something that was claimed of every object, and is known on a way.
pub struct Premise {
    pub guard: TermId,
    pub formula: Formula,
    pub scope: Scope,
}

/// Whether a run can be on a way, as far as somebody can tell.
pub type Possible<'n> = &'n mut dyn FnMut(&mut World<'_>, TermId) -> bool;

/// What a piece leaves behind.
pub struct Notes<'n> {
    pub questions: Vec<Question>,
    pub premises: Vec<Premise>,
    pub blocks: u32,
    /// How often a loop or recursion went round that was unwound.
    pub rounds: u32,
    /// Why the piece was not executed to its end.
    pub gave_up: Option<String>,
    /// Asked before a loop is unwound further.
    is_possible: Possible<'n>,
    /// Guards that were found possible.
    possible: FxHashSet<TermId>,
    /// What calls with literal arguments return that do nothing else.
    pub(super) computed: FxHashMap<(FunctionId, Vec<TermId>), Vec<TermId>>,
}

impl<'n> Notes<'n> {
    /// Nothing is written down yet.
    pub fn new(is_possible: Possible<'n>) -> Self {
        Notes {
            questions: vec![],
            premises: vec![],
            blocks: 0,
            rounds: 0,
            gave_up: None,
            is_possible,
            possible: FxHashSet::default(),
            computed: FxHashMap::default(),
        }
    }

    fn is_possible(&mut self, world: &mut World<'_>, guard: TermId) -> bool {
        match world.pool.as_bool(guard) {
            Some(decided) => decided,
            None if self.possible.contains(&guard) => true,
            None => {
                let is_possible = (self.is_possible)(world, guard);
                if is_possible {
                    self.possible.insert(guard);
                }
                is_possible
            }
        }
    }
}

/// Where a function was entered.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    pub life: LifeId,
    pub next: TermId,
}

/// One activation of a function on its way.
pub struct Walker<'a, 'w, 'n> {
    pub(super) world: &'w mut World<'a>,
    pub(super) rules: &'w Rules<'a>,
    pub(super) notes: &'w mut Notes<'n>,
    pub(super) budget: &'w Budget,
    pub(super) function: FunctionId,
    pub(super) body: &'a Body,
    pub(super) plan: &'w Plan,
    pub(super) entry: Entry,
    /// The functions that this one is part of.
    pub(super) stack: Vec<FunctionId>,
    /// Values of the block at hand.
    pub(super) known: FxHashMap<ValueId, Known>,
    /// Values from before the piece.
    pub(super) outer: FxHashMap<ValueId, Known>,
    pub(super) outer_allocations: Vec<TermId>,
    /// How things stood when the piece began, if it began at the head of a loop.
    pub(super) before: Option<Entry>,
    /// The loop whose head the piece starts at, and how many copies of it are looked at.
    pub(super) copies: Option<(BlockId, u32)>,
    /// What is asked here is known already.
    pub(super) muted: bool,
}

/// Ways that lead to one block.
struct Arrival {
    block: BlockId,
    ways: Vec<Way>,
}

struct Way {
    state: State,
    live: Vec<Known>,
    params: Vec<Known>,
}

/// Where a function returns, all ways together.
pub struct Returned {
    pub state: State,
    pub values: Vec<Known>,
}

impl<'a, 'w, 'n> Walker<'a, 'w, 'n> {
    /// One that begins in a function.
    pub fn new(
        world: &'w mut World<'a>,
        rules: &'w Rules<'a>,
        notes: &'w mut Notes<'n>,
        budget: &'w Budget,
        (function, body): (FunctionId, &'a Body),
        entry: Entry,
    ) -> Self {
        Walker {
            world,
            rules,
            notes,
            budget,
            function,
            body,
            plan: rules.plan(function),
            entry,
            stack: vec![],
            known: FxHashMap::default(),
            outer: FxHashMap::default(),
            outer_allocations: vec![],
            before: None,
            copies: None,
            muted: false,
        }
    }

    /// The same from the head of a loop, of which so many copies are looked at.
    #[must_use]
    pub fn from_head(mut self, head: BlockId, copies: u32, before: Entry) -> Self {
        self.copies = Some((head, copies));
        self.before = Some(before);
        self
    }

    /// Executes from a block on.
    ///
    /// What is asked is in the notes; the piece knows nothing of solvers.
    pub fn walk(&mut self, start: BlockId, params: Vec<Known>, state: State) -> Option<Returned> {
        let mut pending: BTreeMap<Key, Arrival> = BTreeMap::new();
        let live: Vec<ValueId> = self.plan.live(start).to_vec();
        let live = live
            .into_iter()
            .map(|value| self.outer_value(value))
            .collect();
        let way = Way {
            state,
            live,
            params,
        };
        let arrival = Arrival {
            block: start,
            ways: vec![way],
        };
        pending.insert(self.plan.first_key(start), arrival);
        let mut returned: Vec<(State, Vec<Known>)> = vec![];
        while let Some((key, arrival)) = pending.pop_first() {
            self.notes.blocks += 1;
            if self.notes.blocks > MOST_BLOCKS || self.budget.check().is_err() {
                let why = "the piece is too large for the time that it has";
                self.notes.gave_up.get_or_insert(why.to_owned());
            }
            if self.notes.gave_up.is_some() {
                return None;
            }
            let mut state = self.arrive(&arrival);
            if self.is_false(state.guard) {
                continue;
            }
            self.muted = self.is_early(&key);
            self.block(arrival.block, &mut state);
            if !self.is_false(state.guard) {
                let at = (arrival.block, &key);
                self.leave(at, state, &mut pending, &mut returned);
            }
        }
        self.muted = false;
        self.join_returns(returned)
    }

    fn is_false(&self, guard: TermId) -> bool {
        self.world.pool.as_bool(guard) == Some(false)
    }

    /// Whether the block is in a copy of the loop before the last one.
    fn is_early(&self, key: &Key) -> bool {
        let Some((head, copies)) = self.copies else {
            return false;
        };
        let level = self.plan.level(head);
        self.is_in_first_entry(head, key) && key[level].1 + 1 < copies
    }

    /// Whether a place is in the loop of a head as the piece found it. A way that leaves the loop and comes back through
    /// a loop around it that is unwound enters it anew: what is known of the first entry says nothing of another one.
    fn is_in_first_entry(&self, head: BlockId, key: &Key) -> bool {
        let level = self.plan.level(head);
        let first = self.plan.first_key(head);
        key.len() > level + 1 && key[..level] == first[..level] && key[level].0 == first[level].0
    }

    /// Joins the ways to a block.
    fn arrive(&mut self, arrival: &Arrival) -> State {
        let mut ways = arrival.ways.iter();
        let first = ways.next().expect("invariant: somebody came");
        let mut state = first.state;
        let (mut live, mut params) = (first.live.clone(), first.params.clone());
        for way in ways {
            let guard = way.state.guard;
            for (known, theirs) in live.iter_mut().zip(&way.live) {
                *known = self.world.choose(guard, *theirs, *known);
            }
            for (known, theirs) in params.iter_mut().zip(&way.params) {
                *known = self.world.choose(guard, *theirs, *known);
            }
            state.life = self.world.choose_life(guard, way.state.life, state.life);
            let theirs = way.state.shadows;
            state.shadows = self.world.choose_memory(guard, theirs, state.shadows);
            state.guard = self.world.pool.or(&[state.guard, guard]);
        }
        let body = self.body;
        self.known.clear();
        let values = self.plan.live(arrival.block).iter().copied().zip(live);
        self.known.extend(values);
        let own = body.blocks[arrival.block]
            .params
            .iter()
            .copied()
            .zip(params);
        self.known.extend(own);
        state
    }

    fn block(&mut self, block: BlockId, state: &mut State) {
        let body = self.body;
        for &id in &body.blocks[block].instructions {
            match &body.instructions[id].instruction {
                foghorn_ir::Instruction::Call { callee, arguments } => {
                    self.call(id, callee, arguments, state);
                }
                _ => self.instruction(id, state),
            }
            if self.is_false(state.guard) || self.notes.gave_up.is_some() {
                return;
            }
        }
    }

    fn leave(
        &mut self,
        (block, key): (BlockId, &Key),
        state: State,
        pending: &mut BTreeMap<Key, Arrival>,
        returned: &mut Vec<(State, Vec<Known>)>,
    ) {
        let body = self.body;
        match &body.blocks[block].terminator {
            Terminator::Jump(target) => self.edge((block, key), target, state, pending),
            Terminator::Branch {
                condition,
                on_true,
                on_false,
            } => {
                let condition = super::instruction::term(self.get(*condition));
                let opposite = self.world.pool.not(condition);
                for (condition, target) in [(condition, on_true), (opposite, on_false)] {
                    let mut state = state;
                    self.assume(&mut state, condition);
                    if !self.is_false(state.guard) {
                        self.edge((block, key), target, state, pending);
                    }
                }
            }
            Terminator::Return { values } if !self.muted => {
                let values: Vec<Known> = values.iter().map(|value| self.get(*value)).collect();
                let mut state = state;
                state.life = self.world.end_stack(state.life, self.entry.next);
                self.ensure(block, &state, &values);
                if self.stack.is_empty() && self.rules.is_entry(self.function) {
                    self.ask_all_freed(&state, true);
                }
                returned.push((state, values));
            }
            Terminator::Halt { kind, .. } => self.ask_all_freed(&state, *kind == HaltKind::Exit),
            Terminator::Return { .. } | Terminator::Unreachable => {}
        }
    }

    /// One way to a successor.
    fn edge(
        &mut self,
        (block, key): (BlockId, &Key),
        target: &Target,
        mut state: State,
        pending: &mut BTreeMap<Key, Arrival>,
    ) {
        let to = target.block;
        let next = self.plan.next_key(key, block, to);
        if self.muted && !self.stays_in_loop(&next) {
            // Runs that leave so early are those of the first iterations, and looked at there.
            return;
        }
        let params: Vec<Known> = target.arguments.iter().map(|it| self.get(*it)).collect();
        if self.plan.is_head(to) && !self.pass_head(to, &next, &params, &mut state) {
            return;
        }
        let live: Vec<ValueId> = self.plan.live(to).to_vec();
        let live = live.into_iter().map(|value| self.get(value)).collect();
        let way = Way {
            state,
            live,
            params,
        };
        let arrival = pending.entry(next).or_insert_with(|| Arrival {
            block: to,
            ways: vec![],
        });
        arrival.ways.push(way);
    }

    fn stays_in_loop(&self, next: &Key) -> bool {
        match self.copies {
            Some((head, _)) => self.is_in_first_entry(head, next),
            None => true,
        }
    }

    /// A way comes to the head of a loop; whether it goes on from there.
    fn pass_head(
        &mut self,
        head: BlockId,
        next: &Key,
        params: &[Known],
        state: &mut State,
    ) -> bool {
        let iteration = next[self.plan.level(head)].1;
        let rules = self.rules;
        match rules.loop_claim(self.function, head) {
            LoopClaim::Unwound { times } => {
                if iteration > *times {
                    let never = self.world.pool.bool(false);
                    let what = What::Unwinding(self.function, Some(head.as_u32()));
                    self.question(state, never, what);
                    return false;
                }
                self.goes_round(iteration, state)
            }
            LoopClaim::Invariant { holds, .. } => {
                let copies = rules.copies(self.function, head);
                let place = ClaimPlace::Loop(self.function, head.as_u32());
                let own: Vec<ValueId> = self.body.blocks[head].params.clone();
                let scope = self.scope(state, holds, |walker, subject| match subject {
                    Subject::Value(number) => {
                        let position = own.iter().position(|it| it.as_u32() == number);
                        match position {
                            Some(index) => params.get(index).copied(),
                            None => walker.value_in_scope(head, number),
                        }
                    }
                    Subject::Result(_) => None,
                });
                let is_first_entry = match self.copies {
                    Some((start, _)) => start == head && self.is_in_first_entry(head, next),
                    None => false,
                };
                match is_first_entry {
                    true if 0 < iteration && iteration < copies => {
                        self.suppose(state, holds, &scope);
                        true
                    }
                    true => {
                        self.demand(state, &place, holds, &scope);
                        false
                    }
                    false => {
                        self.demand(state, &place, holds, &scope);
                        iteration + 1 < copies
                    }
                }
            }
        }
    }

    /// Whether a run can be in another iteration or deeper in a recursion.
    pub(super) fn goes_round(&mut self, times: u32, state: &State) -> bool {
        if times > 0 && !self.notes.is_possible(self.world, state.guard) {
            return false;
        }
        self.notes.rounds = self.notes.rounds.max(times);
        true
    }

    fn join_returns(&mut self, returned: Vec<(State, Vec<Known>)>) -> Option<Returned> {
        let mut all = returned.into_iter();
        let (mut state, mut values) = all.next()?;
        for (other, theirs) in all {
            for (value, their) in values.iter_mut().zip(theirs) {
                *value = self.world.choose(other.guard, their, *value);
            }
            state.life = self.world.choose_life(other.guard, other.life, state.life);
            let theirs = other.shadows;
            state.shadows = self.world.choose_memory(other.guard, theirs, state.shadows);
            state.guard = self.world.pool.or(&[state.guard, other.guard]);
        }
        Some(Returned { state, values })
    }

    /// A value of the function by its number, which a claim at a block may have made up; `None` if it is not in scope there.
    pub(super) fn value_in_scope(&mut self, block: BlockId, number: u32) -> Option<Known> {
        if number == u32::MAX {
            return None;
        }
        let value = ValueId::from_u32(number);
        if !self.body.values.is_valid(value) {
            return None;
        }
        let is_constant = self.body.as_constant(value).is_some();
        (is_constant || self.plan.is_in_scope(block, value)).then(|| self.get(value))
    }

    pub(super) fn get(&mut self, value: ValueId) -> Known {
        if let Some(constant) = self.body.as_constant(value) {
            return self.constant(self.body.ty(value), constant);
        }
        match self.known.get(&value) {
            Some(known) => *known,
            None => self.outer_value(value),
        }
    }

    pub(super) fn set(&mut self, value: ValueId, known: Known) {
        self.known.insert(value, known);
    }

    pub(super) fn is_set(&self, value: ValueId) -> bool {
        self.known.contains_key(&value)
    }

    /// Any value of a type that exists by now.
    pub(super) fn any(&mut self, ty: Type) -> Known {
        let bound = self.world.next_object();
        self.world.any(ty, bound)
    }

    /// From here on only runs in which this holds.
    pub(super) fn assume(&mut self, state: &mut State, condition: TermId) {
        state.guard = self.world.pool.and(&[state.guard, condition]);
    }

    pub(super) fn question(&mut self, state: &State, goal: TermId, what: What) {
        if self.muted {
            return;
        }
        self.notes.questions.push(Question {
            guard: state.guard,
            goal,
            what,
        });
    }

    /// A check of the program.
    pub(super) fn ask(&mut self, state: &State, id: InstId, kind: SiteKind, goal: TermId) {
        self.question(state, goal, What::Site(self.function, id, kind));
    }

    pub(super) fn oblige(&mut self, state: &State, goal: TermId, what: &'static str) {
        if self.world.pool.as_bool(goal) != Some(true) {
            self.question(state, goal, What::Obligation(what));
        }
    }

    pub(super) fn heap_number(&self, id: InstId) -> u16 {
        self.rules.heap_number(self.function, id)
    }

    /// The program ends: what was allocated on the heap is freed. A leak is less, and implied.
    pub(super) fn ask_all_freed(&mut self, state: &State, leaks: bool) {
        let mut kinds = vec![];
        if self.world.checks.contains(CheckKind::NotFreed) {
            kinds.push(SiteKind::Cleanup);
        }
        if leaks && self.world.checks.contains(CheckKind::Leak) {
            kinds.push(SiteKind::Leak);
        }
        if kinds.is_empty() {
            return;
        }
        let every = self.arbitrary();
        let alive = self.world.is_alive(state.life, every.object);
        let sites: Vec<(FunctionId, InstId)> = self.rules.heap_sites().to_vec();
        for (function, id) in sites {
            let number = self.rules.heap_number(function, id);
            let is_own = self
                .world
                .is_kind(every.object, super::world::Kind::Heap(number));
            let left = self.world.pool.and(&[is_own, alive]);
            let goal = self.world.pool.not(left);
            for kind in &kinds {
                self.question(state, goal, What::Site(function, id, *kind));
            }
        }
    }
}
