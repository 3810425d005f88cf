//! Whether the address of an object may outlive the object.
//!
//! Followed is where the address goes, without regard to order: into values, into other stack
//! objects (*holders*: the list of variable arguments, a structure that is passed on) and what is
//! read from them, into parameters of functions. It gets away if it is stored anywhere else, or is
//! passed to a function that may keep it. What stays in values of the function must not be used
//! behind the end of the life, and a holder must not live longer than the object.
//!
//! Functions are looked at once per parameter and role, from the assumption that nothing gets away
//! to what follows from it (a least fixpoint).

use super::{Place, Scoped, liveness, root};
use foghorn_ir::graph::{ControlFlowGraph, DominatorTree};
use foghorn_ir::{
    BinaryOp, BlockId, Body, Builtin, Callee, FunctionId, Instruction, Module, Terminator, Type,
    ValueId,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// Ways in which a value has to do with the object; a set of bits.
type Marks = u8;
/// It points into the object, in which no address is followed.
const ADDRESS: Marks = 1;
/// It points into a holder of addresses of the object.
const HOLDER: Marks = 2;
/// It points into a holder of anything else that is followed, such as addresses of holders.
const DEEP_HOLDER: Marks = 4;
/// It was read from a holder, or computed from an address: perhaps an address of the object.
const FLAT: Marks = 8;
/// It was read from a holder of anything: perhaps an address of a holder.
const DEEP: Marks = 16;

/// A parameter of a function that is given a value with some marks.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Parameter {
    function: FunctionId,
    index: usize,
    marks: Marks,
}

/// What a function does with what it is given.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Fate {
    kept: bool,
    returned: Marks,
}

/// Where an address goes in one body.
#[derive(Default)]
struct Trail {
    marks: FxHashMap<ValueId, Marks>,
    fate: Fate,
    changed: bool,
}

impl Trail {
    fn of(&self, value: ValueId) -> Marks {
        self.marks.get(&value).copied().unwrap_or(0)
    }

    fn mark(&mut self, value: ValueId, marks: Marks) {
        let known = self.marks.entry(value).or_default();
        if *known | marks != *known {
            *known |= marks;
            self.changed = true;
        }
    }
}

/// What is known about the functions of a module.
pub(super) struct Escape<'m> {
    module: &'m Module,
    fates: FxHashMap<Parameter, Fate>,
    /// In the order in which they were asked for.
    order: Vec<Parameter>,
    /// So many of them have their final fate.
    settled: usize,
}

impl<'m> Escape<'m> {
    pub(super) fn new(module: &'m Module) -> Self {
        Escape {
            module,
            fates: FxHashMap::default(),
            order: vec![],
            settled: 0,
        }
    }

    /// Whether an address of the object may be used when the life it was taken in is over.
    pub(super) fn outlives(
        &mut self,
        body: &Body,
        cfg: &ControlFlowGraph,
        tree: &DominatorTree<BlockId>,
        scoped: &Scoped,
    ) -> bool {
        let trail = loop {
            let trail = self.follow(body, scoped.object, ADDRESS);
            if self.settled == self.order.len() {
                break trail;
            }
            self.settle();
        };
        if trail.fate.kept {
            return true;
        }
        let mut moving: FxHashSet<ValueId> = FxHashSet::default();
        let mut fixed: FxHashSet<ValueId> = FxHashSet::default();
        for (&value, &marks) in &trail.marks {
            match root(body, value) {
                Some((_, object)) => {
                    let holds = marks & (HOLDER | DEEP_HOLDER) != 0;
                    if object != scoped.object && holds && !is_within(body, tree, scoped, object) {
                        return true;
                    }
                    fixed.insert(value);
                }
                None => {
                    moving.insert(value);
                }
            }
        }
        liveness::is_used_when_dead(body, cfg, &fixed, scoped)
            || (!moving.is_empty() && liveness::is_live_after(body, cfg, &moving, &scoped.ends))
    }

    /// Computes the fates that were asked for and are not known yet.
    fn settle(&mut self) {
        loop {
            let mut changed = false;
            let mut next = self.settled;
            while let Some(&parameter) = self.order.get(next) {
                next += 1;
                let fate = self.fate_in(parameter);
                changed |= self.fates.insert(parameter, fate) != Some(fate);
            }
            if !changed && next == self.order.len() {
                self.settled = next;
                return;
            }
        }
    }

    fn fate_in(&mut self, parameter: Parameter) -> Fate {
        let kept = Fate {
            kept: true,
            returned: 0,
        };
        let Some(body) = &self.module.functions[parameter.function].body else {
            return kept;
        };
        match body.blocks[body.entry].params.get(parameter.index) {
            Some(&value) => self.follow(body, value, parameter.marks).fate,
            None => kept,
        }
    }

    /// The fate of an argument, as far as it is known.
    fn fate(&mut self, parameter: Parameter) -> Fate {
        *self.fates.entry(parameter).or_insert_with(|| {
            self.order.push(parameter);
            Fate::default()
        })
    }

    fn follow(&mut self, body: &Body, value: ValueId, marks: Marks) -> Trail {
        let mut trail = Trail::default();
        trail.mark(value, marks);
        while std::mem::take(&mut trail.changed) && !trail.fate.kept {
            for block in body.blocks.values() {
                for &id in &block.instructions {
                    let data = &body.instructions[id];
                    self.step(body, &mut trail, &data.instruction, &data.results);
                }
                end(body, &mut trail, &block.terminator);
            }
        }
        trail
    }

    fn step(
        &mut self,
        body: &Body,
        trail: &mut Trail,
        instruction: &Instruction,
        results: &[ValueId],
    ) {
        let marks = match instruction {
            Instruction::PointerAdd { base, scaled, .. } => {
                let indices = scaled
                    .iter()
                    .fold(0, |all, (index, _)| all | trail.of(*index));
                trail.of(*base) | computed(indices)
            }
            Instruction::Select {
                on_true, on_false, ..
            } => trail.of(*on_true) | trail.of(*on_false),
            Instruction::Load { pointer, .. } => {
                let content = content(trail.of(*pointer));
                let mut results = results.iter();
                if results.any(|&result| self.may_be_address(body.ty(result))) {
                    content
                } else {
                    0
                }
            }
            Instruction::Store { pointer, value, .. } => {
                keep_in(body, trail, *pointer, trail.of(*value));
                0
            }
            Instruction::MemoryCopy {
                destination,
                source,
                ..
            } => {
                keep_in(body, trail, *destination, content(trail.of(*source)));
                0
            }
            Instruction::MemorySet {
                destination, byte, ..
            } => {
                keep_in(body, trail, *destination, trail.of(*byte));
                0
            }
            // The distance of two places in an object is not an address, and neither are digits.
            Instruction::Binary {
                op: BinaryOp::Sub,
                lhs,
                rhs,
            } if trail.of(*lhs) != 0 && trail.of(*rhs) != 0 => 0,
            Instruction::Binary {
                op: BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::URem | BinaryOp::SRem,
                ..
            } => 0,
            Instruction::Binary { .. }
            | Instruction::Unary { .. }
            | Instruction::Cast { .. }
            | Instruction::FloatUnary { .. }
            | Instruction::FloatBinary { .. }
            | Instruction::FusedMultiplyAdd { .. } => {
                let mut any = 0;
                instruction.for_each_operand(|operand| any |= trail.of(operand));
                computed(any)
            }
            Instruction::Call { callee, arguments } => self.call(trail, callee, arguments),
            Instruction::Overflows { .. }
            | Instruction::Compare { .. }
            | Instruction::FloatCompare { .. }
            | Instruction::Nondet { .. }
            | Instruction::Allocate { .. }
            | Instruction::Free { .. }
            | Instruction::LifetimeStart { .. }
            | Instruction::LifetimeEnd { .. }
            | Instruction::StackSave
            | Instruction::StackRestore { .. }
            | Instruction::Check { .. }
            | Instruction::Assume { .. }
            | Instruction::Bind { .. } => 0,
        };
        if marks != 0 {
            results.iter().for_each(|&result| trail.mark(result, marks));
        }
    }

    /// The marks of what a call gives back.
    fn call(&mut self, trail: &mut Trail, callee: &Callee, arguments: &[ValueId]) -> Marks {
        let mut given_back = 0;
        for (index, &argument) in arguments.iter().enumerate() {
            let marks = trail.of(argument);
            if marks == 0 {
                continue;
            }
            match callee {
                Callee::Builtin(Builtin::SetShadow) if index == 2 => trail.fate.kept = true,
                Callee::Builtin(_) => {}
                Callee::Indirect(_) => trail.fate.kept = true,
                Callee::Direct(function) => {
                    given_back |= self.pass(trail, *function, index, marks);
                }
            }
        }
        given_back
    }

    fn pass(
        &mut self,
        trail: &mut Trail,
        function: FunctionId,
        index: usize,
        marks: Marks,
    ) -> Marks {
        let fate = self.fate(Parameter {
            function,
            index,
            marks,
        });
        trail.fate.kept |= fate.kept;
        fate.returned
    }

    /// Whether an address, or a part of one that is copied bit by bit, is read as this type.
    /// Nobody copies addresses by halves, and numbers of that width are read from argument lists.
    fn may_be_address(&self, ty: Type) -> bool {
        match ty {
            Type::Ptr => true,
            Type::Int(width) => {
                width <= 16 || u32::from(width) >= self.module.layout.pointer_bits()
            }
            Type::F32 | Type::F64 | Type::Memory(_) => false,
        }
    }
}

/// What is read through a pointer with these marks.
fn content(marks: Marks) -> Marks {
    let flat = if marks & HOLDER == 0 { 0 } else { FLAT };
    let deep = if marks & (DEEP_HOLDER | DEEP) == 0 {
        0
    } else {
        DEEP
    };
    flat | deep
}

/// What is computed from values with these marks.
fn computed(marks: Marks) -> Marks {
    match marks {
        0 => 0,
        marks if marks & !(ADDRESS | FLAT) == 0 => FLAT,
        _ => DEEP,
    }
}

/// A value with these marks is stored behind a pointer.
fn keep_in(body: &Body, trail: &mut Trail, pointer: ValueId, marks: Marks) {
    let holder = match computed(marks) {
        0 => return,
        FLAT => HOLDER,
        _ => DEEP_HOLDER,
    };
    match root(body, pointer) {
        Some((_, object)) => trail.mark(object, holder),
        // A holder of the caller.
        None if trail.of(pointer) & !ADDRESS == holder => {}
        None => trail.fate.kept = true,
    }
}

fn end(body: &Body, trail: &mut Trail, terminator: &Terminator) {
    for target in terminator.targets() {
        for (&argument, &param) in target
            .arguments
            .iter()
            .zip(&body.blocks[target.block].params)
        {
            let marks = trail.of(argument);
            if marks != 0 {
                trail.mark(param, marks);
            }
        }
    }
    if let Terminator::Return { values } = terminator {
        for &value in values {
            trail.fate.returned |= trail.of(value);
        }
    }
}

/// Whether each life of a holder begins within a life of the object: whoever reads it there reads
/// what was stored in the same life.
fn is_within(body: &Body, tree: &DominatorTree<BlockId>, scoped: &Scoped, holder: ValueId) -> bool {
    let &[outer] = &scoped.starts[..] else {
        return false;
    };
    let mut starts = vec![];
    for (block, data) in &body.blocks {
        for (at, &id) in data.instructions.iter().enumerate() {
            if body.instructions[id].instruction == (Instruction::LifetimeStart { pointer: holder })
            {
                starts.push(Place { block, at });
            }
        }
    }
    let &[inner] = &starts[..] else {
        return false;
    };
    if inner.block == outer.block {
        outer.at < inner.at
    } else {
        tree.strictly_dominates(outer.block, inner.block)
    }
}
