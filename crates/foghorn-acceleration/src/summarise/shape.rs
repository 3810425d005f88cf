//! Recurrences: what a loop does to its variables, as its blocks show it.

use foghorn_encode::execute::plan::FunctionPlan;
use foghorn_ir::{
    BinaryOp, BlockId, Body, Callee, CastOp, Constant, FunctionId, InstId, Instruction,
    IntPredicate, Module, Terminator, Type, ValueDef, ValueId,
};
use rustc_hash::FxHashSet;

/// A loop that can be summarised.
#[derive(Debug)]
pub struct Shape {
    /// The blocks that every iteration runs through from the head on, as far as there is one way.
    pub path: Vec<BlockId>,
    /// Whether the path leads back to the head.
    pub is_straight: bool,
    /// What becomes of each parameter of the head.
    pub changes: Vec<Change>,
    /// The parameter that counts the iterations, one by one.
    pub counter: Option<Counter>,
}

/// What an iteration that goes on does to a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// Nothing.
    Kept,
    /// It moves by a number of bytes or by a number.
    Moved(i64),
    /// It is combined with values that do not depend on it.
    Folded(Fold, Vec<Part>),
    /// It gets this value.
    Set(ValueId),
    /// Its contents are changed by these stores, in order.
    Stored(Vec<InstId>),
    /// Something else.
    Other,
}

/// What a variable is combined with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    pub value: ValueId,
    /// It is subtracted.
    pub negative: bool,
}

/// An operator that is associative and commutative.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fold {
    Add,
    Xor,
    And,
    Or,
}

/// A parameter that grows by one and that the head compares so that it does not wrap around.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counter {
    pub parameter: usize,
    /// Whether it counts signed numbers.
    pub signed: bool,
}

impl Shape {
    /// `None` if iterations do what is not followed here: allocations and deaths of objects, pointers that
    /// are stored, addresses as numbers, several entries.
    pub fn of(
        module: &Module,
        body: &Body,
        plan: &FunctionPlan,
        component: usize,
    ) -> Option<Shape> {
        let found = &plan.components[component];
        let inside = &plan.blocks[found.start..found.end];
        let head = inside[0];
        let is_inside = |block: BlockId| {
            let position = plan.position(block);
            position.is_some_and(|at| (found.start..found.end).contains(&at))
        };
        for &block in &plan.blocks {
            let mut targets = body.blocks[block].terminator.targets();
            if !is_inside(block) && targets.any(|t| is_inside(t.block) && t.block != head) {
                return None;
            }
        }
        let mut seen = FxHashSet::default();
        if !inside
            .iter()
            .all(|&block| is_followed(module, body, block, &mut seen))
        {
            return None;
        }
        let (path, is_straight) = path(body, head, &is_inside);
        let nexts = nexts(body, inside, head);
        let params = &body.blocks[head].params;
        let changes: Vec<Change> = params
            .iter()
            .zip(&nexts)
            .map(|(&param, &next)| change(body, param, next))
            .collect();
        let counter = counter(body, head, &changes, &is_inside);
        Some(Shape {
            path,
            is_straight,
            changes,
            counter,
        })
    }
}

/// Whether all that a block does, calls included, is followed here.
fn is_followed(
    module: &Module,
    body: &Body,
    block: BlockId,
    seen: &mut FxHashSet<FunctionId>,
) -> bool {
    let instructions = &body.blocks[block].instructions;
    instructions.iter().all(|&id| {
        let data = &body.instructions[id];
        match &data.instruction {
            Instruction::Binary { .. }
            | Instruction::Overflows { .. }
            | Instruction::Unary { .. }
            | Instruction::Compare { .. }
            | Instruction::FloatUnary { .. }
            | Instruction::FloatBinary { .. }
            | Instruction::FusedMultiplyAdd { .. }
            | Instruction::FloatCompare { .. }
            | Instruction::Select { .. }
            | Instruction::PointerAdd { .. }
            | Instruction::Load { .. }
            | Instruction::Check { .. }
            | Instruction::Assume { .. }
            | Instruction::Bind { .. } => true,
            Instruction::Cast { op, .. } => !matches!(op, CastOp::PtrToInt | CastOp::IntToPtr),
            Instruction::Store { value, .. } => body.ty(*value) != Type::Ptr,
            Instruction::Nondet { .. } => {
                let results = data.results.iter();
                results
                    .into_iter()
                    .all(|&result| body.ty(result) != Type::Ptr)
            }
            Instruction::MemorySet { .. } => true,
            Instruction::Call {
                callee: Callee::Direct(function),
                ..
            } => is_followed_within(module, *function, seen),
            Instruction::Call { .. }
            | Instruction::MemoryCopy { .. }
            | Instruction::Allocate { .. }
            | Instruction::Free { .. }
            | Instruction::LifetimeStart { .. }
            | Instruction::LifetimeEnd { .. }
            | Instruction::StackSave
            | Instruction::StackRestore { .. } => false,
        }
    })
}

/// A function is looked at once; one that calls itself is unwound to a bound anyway.
fn is_followed_within(
    module: &Module,
    function: FunctionId,
    seen: &mut FxHashSet<FunctionId>,
) -> bool {
    if !seen.insert(function) {
        return true;
    }
    match &module.functions[function].body {
        Some(body) => {
            let mut blocks = body.blocks.keys();
            blocks.all(|block| is_followed(module, body, block, seen))
        }
        None => true,
    }
}

/// The one way through the loop, as far as there is one, and whether it closes.
fn path(body: &Body, head: BlockId, is_inside: &dyn Fn(BlockId) -> bool) -> (Vec<BlockId>, bool) {
    let mut path = vec![head];
    loop {
        let last = *path.last().expect("invariant: the path begins at the head");
        let targets = body.blocks[last].terminator.targets();
        let mut next = targets.filter(|t| is_inside(t.block));
        let (Some(only), None) = (next.next(), next.next()) else {
            return (path, false);
        };
        if only.block == head {
            return (path, true);
        }
        if path.contains(&only.block) {
            return (path, false);
        }
        path.push(only.block);
    }
}

/// What all jumps back give each parameter of the head, where they agree.
fn nexts(body: &Body, inside: &[BlockId], head: BlockId) -> Vec<Option<ValueId>> {
    let back = inside
        .iter()
        .flat_map(|&block| body.blocks[block].terminator.targets())
        .filter(|target| target.block == head);
    let mut nexts: Option<Vec<Option<ValueId>>> = None;
    for target in back {
        let arguments = target.arguments.iter().map(|&value| Some(value));
        match &mut nexts {
            None => nexts = Some(arguments.collect()),
            Some(known) => {
                for (known, new) in known.iter_mut().zip(arguments) {
                    if *known != new {
                        *known = None;
                    }
                }
            }
        }
    }
    nexts.unwrap_or_default()
}

fn change(body: &Body, param: ValueId, next: Option<ValueId>) -> Change {
    let Some(next) = next else {
        return Change::Other;
    };
    if next == param {
        return Change::Kept;
    }
    if body.ty(param).region().is_some() {
        return stores(body, param, next).map_or(Change::Other, Change::Stored);
    }
    if let ValueDef::Result(id, _) = body.values[next].def
        && let Instruction::PointerAdd {
            base,
            constant,
            scaled,
        } = &body.instructions[id].instruction
        && *base == param
        && scaled.is_empty()
    {
        return Change::Moved(*constant);
    }
    combine_with(body, param, next).unwrap_or(Change::Set(next))
}

/// How often operators of one kind are looked through.
const LONGEST_CHAIN: usize = 32;

/// What `next` combines the parameter with, looking through operators of one kind.
fn combine_with(body: &Body, param: ValueId, next: ValueId) -> Option<Change> {
    let (fold, _) = operands(body, next)?;
    let mut open = vec![(next, false)];
    let (mut parts, mut own) = (vec![], 0);
    for _ in 0..LONGEST_CHAIN {
        let Some((value, negative)) = open.pop() else {
            break;
        };
        if value == param && !negative {
            own += 1;
            continue;
        }
        match operands(body, value) {
            Some((same, inner)) if same == fold => {
                let inner = inner.map(|part| (part.value, part.negative != negative));
                open.extend(inner);
            }
            _ => parts.push(Part { value, negative }),
        }
    }
    if own != 1 || !open.is_empty() || parts.iter().any(|part| part.value == param) {
        return None;
    }
    let width = body.ty(param).int_width();
    let width = width.filter(|width| (2..=64).contains(width))?;
    if let ([part], Fold::Add) = (&parts[..], fold)
        && let Some(Constant::Int(bits)) = body.as_constant(part.value)
    {
        let unused = 64 - width;
        let by = ((bits as u64) << unused) as i64 >> unused;
        let by = if part.negative { by.wrapping_neg() } else { by };
        return Some(Change::Moved(by));
    }
    Some(Change::Folded(fold, parts))
}

/// The operator and operands of a value that an operator makes.
fn operands(body: &Body, value: ValueId) -> Option<(Fold, [Part; 2])> {
    let ValueDef::Result(id, _) = body.values[value].def else {
        return None;
    };
    let Instruction::Binary { op, lhs, rhs } = body.instructions[id].instruction else {
        return None;
    };
    let fold = match op {
        BinaryOp::Add | BinaryOp::Sub => Fold::Add,
        BinaryOp::Xor => Fold::Xor,
        BinaryOp::And => Fold::And,
        BinaryOp::Or => Fold::Or,
        _ => return None,
    };
    let part = |value, negative| Part { value, negative };
    Some((fold, [part(lhs, false), part(rhs, op == BinaryOp::Sub)]))
}

/// The stores between the contents at the head and those at its end, if there is nothing else.
fn stores(body: &Body, param: ValueId, next: ValueId) -> Option<Vec<InstId>> {
    let mut stores = vec![];
    let mut contents = next;
    while contents != param {
        let ValueDef::Memory(id, number) = body.values[contents].def else {
            return None;
        };
        let data = &body.instructions[id];
        let Instruction::Store { .. } = data.instruction else {
            return None;
        };
        stores.push(id);
        contents = data.memory[number as usize].input;
    }
    stores.reverse();
    Some(stores)
}

/// The parameter that counts, with the comparison at the head that keeps it from wrapping around.
fn counter(
    body: &Body,
    head: BlockId,
    changes: &[Change],
    is_inside: &dyn Fn(BlockId) -> bool,
) -> Option<Counter> {
    let Terminator::Branch {
        condition,
        on_true,
        on_false,
    } = &body.blocks[head].terminator
    else {
        return None;
    };
    let goes_on = match [on_true, on_false].map(|target| is_inside(target.block)) {
        [true, false] => true,
        [false, true] => false,
        _ => return None,
    };
    let ValueDef::Result(id, _) = body.values[*condition].def else {
        return None;
    };
    let Instruction::Compare {
        predicate,
        lhs,
        rhs,
    } = body.instructions[id].instruction
    else {
        return None;
    };
    let params = &body.blocks[head].params;
    let at = |value: ValueId| params.iter().position(|&param| param == value);
    let (parameter, limit, predicate) = match (at(lhs), at(rhs)) {
        (Some(parameter), None) => (parameter, rhs, predicate),
        (None, Some(parameter)) => (parameter, lhs, predicate.swapped()),
        _ => return None,
    };
    let predicate = if goes_on {
        predicate
    } else {
        predicate.negated()
    };
    if changes[parameter] != Change::Moved(1) {
        return None;
    }
    let width = body.ty(params[parameter]).int_width();
    let width = width.filter(|&width| width <= 64)?;
    let largest = |signed: bool| match body.as_constant(limit) {
        Some(Constant::Int(bits)) => {
            let largest = (1u128 << (width - u32::from(signed))) - 1;
            bits == largest
        }
        _ => true,
    };
    let signed = match predicate {
        IntPredicate::Slt => true,
        IntPredicate::Ult => false,
        IntPredicate::Sle if !largest(true) => true,
        IntPredicate::Ule if !largest(false) => false,
        _ => return None,
    };
    Some(Counter { parameter, signed })
}
