//! Where the scopes of local objects begin and end that clang does not mark.
//!
//! clang marks the lives of local variables by `llvm.lifetime.start` and `.end`, but not those of
//! compound literals, nor of variables that a jump or a label makes hard for it (a declaration in
//! the body of a `switch`, or behind a label); without optimisation it marks none. C ends them all
//! with their block, so they are found by the debug information: it has a *lexical block* for each
//! block of the source, and each instruction tells in which one it is.
//!
//! An object lives while instructions of its block (or of one inside) are executed: from an
//! instruction outside to one inside a life begins, from one inside to one outside it ends. What
//! has no place in the source changes nothing, and what names the object is inside whatever it
//! says. The jump back of a loop leaves the block that is its body, and a jump to a label before a
//! block leaves the block, even where clang leaves no instruction in between: loops and labels
//! tell where they are.
//!
//! The body of a `while` or `do` without braces is a block of C's too, but not of the debug
//! information: there the names of clang's blocks tell ([`bodies`]).
//!
//! Only code that clang generated and nobody optimised tells the truth about places: ours, which
//! bears an attribute, and that of `-O0`.

mod bodies;

use crate::llvm::{BasicBlock, Metadata, Opcode, Value};
use rustc_hash::{FxHashMap, FxHashSet};

/// The attribute of functions that were compiled here ([`crate::clang`]).
pub(crate) const ATTRIBUTE: &str = "foghorn-scopes";

/// How clang calls the slot of a compound literal.
const COMPOUND_LITERAL: &str = ".compoundliteral";

/// The beginning or the end of an object's life.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mark<'p> {
    Start(Value<'p>),
    End(Value<'p>),
}

/// Where marks are to be added to a function.
#[derive(Default)]
pub(crate) struct ScopeMarks<'p> {
    /// Before instructions.
    pub before: FxHashMap<Value<'p>, Vec<Mark<'p>>>,
    /// On the way from one block to another.
    pub between: FxHashMap<(BasicBlock<'p>, BasicBlock<'p>), Vec<Mark<'p>>>,
}

/// Where control may come from or be, with regard to a scope; a set of bits.
type Sides = u8;
const INSIDE: Sides = 1;
const OUTSIDE: Sides = 2;

impl<'p> ScopeMarks<'p> {
    /// The marks of a function whose blocks are given, each after its dominators.
    pub(crate) fn new(function: Value<'p>, order: &[BasicBlock<'p>]) -> Self {
        let mut marks = ScopeMarks::default();
        let truthful = function.function_has("optnone") || function.has_attribute_text(ATTRIBUTE);
        let Some(&entry) = order.first().filter(|_| truthful) else {
            return marks;
        };
        let slots = unmarked_slots(entry);
        if slots.is_empty() {
            return marks;
        }
        let flow = Flow::new(function, order);
        let bodies = flow.loop_bodies();
        for (scope, slots) in flow.scopes_of(&slots) {
            let (within, others): (Vec<_>, Vec<_>) = slots
                .iter()
                .map(|&slot| (slot, flow.body_of_literal(slot, scope, &bodies)))
                .partition(|(_, body)| body.is_some());
            for (slot, body) in within {
                let is_inside = |block| body.is_some_and(|body| body.blocks.contains(&block));
                let side = |block, _: &Place<'p>| match is_inside(block) {
                    true => INSIDE,
                    false => OUTSIDE,
                };
                flow.mark(&[slot], side, &mut marks);
            }
            let slots: Vec<Value<'p>> = others.into_iter().map(|(slot, _)| slot).collect();
            let users: FxHashSet<Value<'p>> = slots.iter().flat_map(|slot| slot.users()).collect();
            if flow.parents.contains_key(&scope) && !slots.is_empty() {
                flow.mark(
                    &slots,
                    |_, place| flow.side(place, scope, &users),
                    &mut marks,
                );
            }
        }
        marks
    }
}

/// The stack slots of the entry without marks.
fn unmarked_slots<'p>(entry: BasicBlock<'p>) -> Vec<Value<'p>> {
    let allocations = entry
        .instructions()
        .into_iter()
        .filter(|instruction| instruction.opcode() == Opcode::LLVMAlloca);
    let is_mark = |user: &Value<'p>| {
        user.opcode() == Opcode::LLVMCall && user.callee().name().starts_with("llvm.lifetime.")
    };
    allocations
        .filter(|slot| slot.operand(0).int_bits().is_some() && !slot.users().iter().any(is_mark))
        .collect()
}

/// The instructions of a function and the scopes they are in.
struct Flow<'p> {
    blocks: Vec<(BasicBlock<'p>, Vec<Place<'p>>)>,
    entry: BasicBlock<'p>,
    predecessors: FxHashMap<BasicBlock<'p>, Vec<BasicBlock<'p>>>,
    /// The scope around each scope.
    parents: FxHashMap<Metadata<'p>, Metadata<'p>>,
    /// The scope of the variable in each slot.
    declared: FxHashMap<Value<'p>, Metadata<'p>>,
}

/// An instruction or a label before it, the innermost scope that it is in, and that of the loop
/// that it repeats.
#[derive(Clone, Copy)]
struct Place<'p> {
    instruction: Value<'p>,
    scope: Option<Metadata<'p>>,
    repeats: Option<Metadata<'p>>,
    is_label: bool,
}

impl<'p> Flow<'p> {
    fn new(function: Value<'p>, order: &[BasicBlock<'p>]) -> Self {
        let mut flow = Flow {
            blocks: vec![],
            entry: order[0],
            predecessors: FxHashMap::default(),
            parents: FxHashMap::default(),
            declared: FxHashMap::default(),
        };
        for &block in order {
            let mut places = vec![];
            for instruction in block.instructions() {
                for variable in instruction.debug_variables() {
                    if let Some(scope) = variable.variable.variable_scope(function)
                        && variable.is_address
                    {
                        flow.note_scope(scope, function);
                        flow.declared.insert(variable.value, scope);
                    }
                }
                for label in instruction.debug_labels() {
                    let scope = label.outermost_scope();
                    places.push(Place {
                        instruction,
                        scope,
                        repeats: None,
                        is_label: true,
                    });
                    scope
                        .iter()
                        .for_each(|&scope| flow.note_scope(scope, function));
                }
                let location = instruction.debug_location();
                let scope = location.and_then(Metadata::outermost_scope);
                let repeats = instruction
                    .loop_location()
                    .and_then(Metadata::outermost_scope);
                for scope in [scope, repeats].into_iter().flatten() {
                    flow.note_scope(scope, function);
                }
                places.push(Place {
                    instruction,
                    scope,
                    repeats,
                    is_label: false,
                });
            }
            let successors = block.terminator().map_or(vec![], Value::successors);
            for next in successors {
                let known = flow.predecessors.entry(next).or_default();
                if !known.contains(&block) {
                    known.push(block);
                }
            }
            flow.blocks.push((block, places));
        }
        flow
    }

    /// Notes the scopes around a scope.
    fn note_scope(&mut self, scope: Metadata<'p>, context: Value<'p>) {
        let mut scope = scope;
        while !self.parents.contains_key(&scope)
            && let Some(parent) = scope.block_parent(context)
        {
            self.parents.insert(scope, parent);
            scope = parent;
        }
    }

    fn is_within(&self, scope: Metadata<'p>, outer: Metadata<'p>) -> bool {
        let mut scope = scope;
        loop {
            if scope == outer {
                return true;
            }
            match self.parents.get(&scope) {
                Some(&parent) => scope = parent,
                None => return false,
            }
        }
    }

    /// The slots by the scopes that they belong to.
    fn scopes_of(&self, slots: &[Value<'p>]) -> Vec<(Metadata<'p>, Vec<Value<'p>>)> {
        let mut scopes: Vec<(Metadata<'p>, Vec<Value<'p>>)> = vec![];
        for &slot in slots {
            let scope = match self.declared.get(&slot) {
                Some(&scope) => Some(scope),
                None if is_of_source(&slot.name()) => self.scope_of_uses(slot),
                None => None,
            };
            let Some(scope) = scope else {
                continue;
            };
            match scopes.iter_mut().find(|(known, _)| *known == scope) {
                Some((_, slots)) => slots.push(slot),
                None => scopes.push((scope, vec![slot])),
            }
        }
        scopes
    }

    /// The innermost scope around everything that names a slot.
    fn scope_of_uses(&self, slot: Value<'p>) -> Option<Metadata<'p>> {
        let users: FxHashSet<Value<'p>> = slot.users().into_iter().collect();
        let places = self.blocks.iter().flat_map(|(_, places)| places);
        let mut common: Option<Metadata<'p>> = None;
        for place in places {
            let Some(scope) = place.scope.filter(|_| users.contains(&place.instruction)) else {
                continue;
            };
            let mut around = common.unwrap_or(scope);
            while !self.is_within(scope, around) {
                around = *self.parents.get(&around)?;
            }
            common = Some(around);
        }
        common
    }

    /// On which side of a scope an instruction is; 0 if it does not tell.
    fn side(&self, place: &Place<'p>, scope: Metadata<'p>, users: &FxHashSet<Value<'p>>) -> Sides {
        let instruction = place.instruction;
        if !place.is_label && users.contains(&instruction) {
            return INSIDE;
        }
        // A mere jump bears the place of whatever came before it, a return that of its statement.
        let jumps = match instruction.opcode() {
            Opcode::LLVMBr => !instruction.is_conditional(),
            opcode => opcode == Opcode::LLVMRet,
        };
        match (place.scope, place.repeats) {
            (_, Some(repeats)) if !self.is_within(repeats, scope) => OUTSIDE,
            (None, _) => 0,
            (Some(_), _) if jumps && !place.is_label => 0,
            (Some(place), _) if self.is_within(place, scope) => INSIDE,
            (Some(_), _) => OUTSIDE,
        }
    }

    fn mark(
        &self,
        slots: &[Value<'p>],
        side: impl Fn(BasicBlock<'p>, &Place<'p>) -> Sides,
        marks: &mut ScopeMarks<'p>,
    ) {
        let sides: Vec<Vec<Sides>> = self
            .blocks
            .iter()
            .map(|(block, places)| places.iter().map(|place| side(*block, place)).collect())
            .collect();
        let behind = self.sides_behind(&sides);
        for ((block, places), sides) in self.blocks.iter().zip(&sides) {
            let before = self.predecessors.get(block).map_or(&[][..], Vec::as_slice);
            let comes_from = |side: Sides| {
                let mut before = before.iter();
                let begins = *block == self.entry && side == OUTSIDE;
                begins || before.any(|block| behind[block] & side != 0)
            };
            let mut now = 0;
            for (place, &side) in places.iter().zip(sides) {
                if side == 0 {
                    continue;
                }
                let was = |other| {
                    if now == 0 {
                        comes_from(other)
                    } else {
                        now == other
                    }
                };
                let (other, mark): (Sides, fn(Value<'p>) -> Mark<'p>) = match side {
                    INSIDE => (OUTSIDE, Mark::Start),
                    _ => (INSIDE, Mark::End),
                };
                if was(other) {
                    // Where ways from both sides meet, the mark is on those from the other: an
                    // end is of the object that was alive there.
                    if now == 0 && comes_from(side) {
                        let others = before.iter().filter(|block| behind[block] & other != 0);
                        for &from in others {
                            add(marks.between.entry((from, *block)), slots, mark);
                        }
                    } else {
                        add(marks.before.entry(place.instruction), slots, mark);
                    }
                }
                now = side;
            }
        }
    }

    /// The sides on which control may be behind each block.
    fn sides_behind(&self, sides: &[Vec<Sides>]) -> FxHashMap<BasicBlock<'p>, Sides> {
        let blocks = self.blocks.iter().map(|(block, _)| *block);
        let mut behind: FxHashMap<BasicBlock<'p>, Sides> = blocks.map(|block| (block, 0)).collect();
        loop {
            let mut changed = false;
            for ((block, _), sides) in self.blocks.iter().zip(sides) {
                let last = sides.iter().rev().find(|side| **side != 0).copied();
                let side = last.unwrap_or_else(|| {
                    let before = self.predecessors.get(block).into_iter().flatten();
                    let begins = if *block == self.entry { OUTSIDE } else { 0 };
                    before.fold(begins, |all, block| {
                        all | behind.get(block).copied().unwrap_or(0)
                    })
                });
                changed |= behind.insert(*block, side) != Some(side);
            }
            if !changed {
                return behind;
            }
        }
    }
}

/// Whether a slot without a declaration is an object of the source all the same: a compound
/// literal, or a variable whose declaration nothing reaches, as those before the first `case`.
fn is_of_source(slot: &str) -> bool {
    let is_identifier = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let own = ["retval", "tmp", "saved_stack"];
    slot.starts_with(COMPOUND_LITERAL)
        || (!slot.is_empty()
            && slot.chars().all(is_identifier)
            && !own.iter().any(|name| slot.starts_with(name)))
}

fn add<'p, K>(
    entry: std::collections::hash_map::Entry<'_, K, Vec<Mark<'p>>>,
    slots: &[Value<'p>],
    mark: impl Fn(Value<'p>) -> Mark<'p>,
) {
    let marks = entry.or_default();
    for &slot in slots {
        let mark = mark(slot);
        if !marks.contains(&mark) {
            marks.push(mark);
        }
    }
}
