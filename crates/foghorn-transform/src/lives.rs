//! Whether a stack object is alive wherever it is accessed.
//!
//! An access to an object out of scope is a failing check, so a pass that removes accesses must
//! know that they cannot be one. Followed here: from each place where an object is not alive (its
//! birth, if it has a `lifetime-start`, and each `lifetime-end`) forward until it is alive again;
//! an access on the way makes the object *outlived*.

use foghorn_ir::graph::ControlFlowGraph;
use foghorn_ir::{BlockId, Body, InstId, Instruction, Terminator, ValueId};
use rustc_hash::{FxHashMap, FxHashSet};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Event {
    Born,
    Start,
    End,
    Access,
}

/// What happens to one object, block by block.
type Events = FxHashMap<BlockId, Vec<Event>>;

/// The objects, named by their allocation's result, of which some access may come when they are
/// not alive. `object_of` gives the object into which a pointer points.
pub fn outlived(
    body: &Body,
    cfg: &ControlFlowGraph,
    object_of: impl Fn(ValueId) -> Option<ValueId>,
) -> FxHashSet<ValueId> {
    let mut objects: FxHashMap<ValueId, Events> = FxHashMap::default();
    let mut marked = false;
    let mut restores = false;
    let mut before_marks: FxHashSet<ValueId> = FxHashSet::default();
    for &block in cfg.reverse_postorder() {
        for &id in &body.blocks[block].instructions {
            let data = &body.instructions[id];
            let (pointer, event) = match data.instruction {
                Instruction::Allocate { .. } => (data.results[0], Event::Born),
                Instruction::LifetimeStart { pointer } => (pointer, Event::Start),
                Instruction::LifetimeEnd { pointer } => (pointer, Event::End),
                Instruction::Load { pointer, .. } | Instruction::Store { pointer, .. } => {
                    (pointer, Event::Access)
                }
                Instruction::MemorySet { destination, .. } => (destination, Event::Access),
                Instruction::StackSave => {
                    marked = true;
                    continue;
                }
                Instruction::StackRestore { .. } => {
                    restores = true;
                    continue;
                }
                _ => continue,
            };
            let Some(object) = object_of(pointer) else {
                continue;
            };
            if event == Event::Born && block == body.entry && !marked {
                before_marks.insert(object);
            }
            let events = objects.entry(object).or_default();
            events.entry(block).or_default().push(event);
        }
    }
    let is_outlived = |object: ValueId, events: &Events| {
        let restored = restores && !before_marks.contains(&object);
        restored || accessed_when_dead(cfg, events)
    };
    let found = objects
        .iter()
        .filter(|&(&object, events)| is_outlived(object, events));
    found.map(|(&object, _)| object).collect()
}

/// Follows the places at which an object is not alive to its next access.
fn accessed_when_dead(cfg: &ControlFlowGraph, events: &Events) -> bool {
    let has = |wanted| events.values().any(|list| list.contains(&wanted));
    let starts_dead = has(Event::Start);
    if !starts_dead && !has(Event::End) {
        return false;
    }
    let mut dead: FxHashSet<BlockId> = FxHashSet::default();
    let mut work: Vec<(BlockId, bool)> = events.keys().map(|&block| (block, true)).collect();
    while let Some((block, mut alive)) = work.pop() {
        for &event in events.get(&block).into_iter().flatten() {
            match event {
                Event::Born => alive = !starts_dead,
                Event::Start => alive = true,
                Event::End => alive = false,
                Event::Access if !alive => return true,
                Event::Access => {}
            }
        }
        if !alive {
            let next = cfg.successors(block).iter().copied();
            work.extend(
                next.filter(|&next| dead.insert(next))
                    .map(|next| (next, false)),
            );
        }
    }
    false
}

/// Whether some way leads from an allocation in a block to a return, or to the allocation again,
/// without a `lifetime-end` of the object.
pub fn is_left_alive(
    body: &Body,
    cfg: &ControlFlowGraph,
    block: BlockId,
    allocation: InstId,
    object: ValueId,
) -> bool {
    let end = Instruction::LifetimeEnd { pointer: object };
    let is_end = |id: &InstId| body.instructions[*id].instruction == end;
    let returns =
        |block: BlockId| matches!(body.blocks[block].terminator, Terminator::Return { .. });
    let mut behind = body.blocks[block].instructions.iter();
    behind.by_ref().find(|&&id| id == allocation);
    if behind.any(is_end) {
        return false;
    }
    if returns(block) {
        return true;
    }
    let mut seen: FxHashSet<BlockId> = FxHashSet::default();
    let mut work: Vec<BlockId> = cfg.successors(block).to_vec();
    while let Some(next) = work.pop() {
        if !seen.insert(next) {
            continue;
        }
        let mut instructions = body.blocks[next].instructions.iter();
        match instructions.find(|id| **id == allocation || is_end(id)) {
            Some(&id) if id == allocation => return true,
            Some(_) => {}
            None if returns(next) => return true,
            None => work.extend_from_slice(cfg.successors(next)),
        }
    }
    false
}
