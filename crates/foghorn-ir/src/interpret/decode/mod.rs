//! Translation of a body into [`Code`], once per function and only when it is first called.
//!
//! Registers of a frame: first the constants, copied in at each call; then the parameters; then
//! every other value; last one spare register for exchanging values. Arguments of a jump become
//! moves, in an order in which none destroys what another still needs.

mod fuse;
mod instruction;
mod moves;
pub(crate) mod op;

use super::value::{ObjectId, ObjectKind, Slot};
use crate::body::{BlockId, Body, InstId, ValueDef, ValueId};
use crate::constant::Constant;
use crate::instruction::{Instruction, Target, Terminator};
use crate::module::{FunctionId, GlobalId, Module};
use crate::types::Type;
use cranelift_entity::{EntityRef, SecondaryMap};
use op::{Label, Op, Place, Register};

/// The executable form of a body.
#[derive(Debug)]
pub(crate) struct Code {
    pub ops: Vec<Op>,
    /// Where each op comes from.
    pub places: Vec<Place>,
    /// The first registers of a frame.
    pub constants: Vec<Slot>,
    /// The register of each value that has one.
    pub registers: SecondaryMap<ValueId, Register>,
    pub frame_size: usize,
    /// The first parameter's register; the others follow.
    pub first_param: usize,
    /// Lists of registers for returns.
    pub pool: Vec<Register>,
    pub sites: Vec<CallSite>,
    /// Registers that hold pointers.
    pub pointer_registers: Vec<Register>,
    /// Stack objects that are not alive before their `LifetimeStart`.
    pub starts_dead: SecondaryMap<InstId, bool>,
}

/// Registers of a call.
#[derive(Debug)]
pub(crate) struct CallSite {
    pub arguments: Box<[Register]>,
    pub results: Box<[Register]>,
}

/// The object that a function is.
pub(crate) fn function_object(function: FunctionId) -> ObjectId {
    ObjectId::new(1, ObjectKind::Function, 1 + function.index())
}

/// The object that a global is.
pub(crate) fn global_object(module: &Module, global: GlobalId) -> ObjectId {
    let slot = 1 + module.functions.len() + global.index();
    ObjectId::new(1, ObjectKind::Global, slot)
}

/// A label that is not known yet.
enum Pending {
    Block(BlockId),
    /// The moves before a jump, which are laid out after the branch.
    Stub(usize),
}

struct Decoder<'a> {
    module: &'a Module,
    body: &'a Body,
    code: Code,
    uses: SecondaryMap<ValueId, u32>,
    labels: SecondaryMap<BlockId, Label>,
    pending: Vec<(usize, Pending)>,
    spare: Register,
    place: Place,
    /// Whether blocks and bindings are told to an observer.
    events: bool,
}

/// Translates a body.
pub(crate) fn decode(module: &Module, body: &Body, events: bool) -> Code {
    let order = reachable_blocks(body);
    let mut decoder = Decoder {
        module,
        body,
        code: Code {
            ops: vec![],
            places: vec![],
            constants: vec![],
            registers: SecondaryMap::new(),
            frame_size: 0,
            first_param: 0,
            pool: vec![],
            sites: vec![],
            pointer_registers: vec![],
            starts_dead: SecondaryMap::new(),
        },
        uses: SecondaryMap::new(),
        labels: SecondaryMap::new(),
        pending: vec![],
        spare: 0,
        place: Place::Terminator(body.entry),
        events,
    };
    decoder.assign_registers(&order);
    decoder.find_lifetimes(&order);
    for (index, &block) in order.iter().enumerate() {
        decoder.block(block, order.get(index + 1).copied());
    }
    decoder.patch();
    decoder.code
}

/// Blocks that control can come to, the entry first.
fn reachable_blocks(body: &Body) -> Vec<BlockId> {
    let mut order = vec![];
    let mut seen: SecondaryMap<BlockId, bool> = SecondaryMap::new();
    let mut stack = vec![body.entry];
    while let Some(block) = stack.pop() {
        if std::mem::replace(&mut seen[block], true) {
            continue;
        }
        order.push(block);
        stack.extend(
            body.blocks[block]
                .terminator
                .targets()
                .map(|target| target.block),
        );
    }
    order
}

impl Decoder<'_> {
    fn assign_registers(&mut self, order: &[BlockId]) {
        let body = self.body;
        let mut constants = vec![];
        let uses = &mut self.uses;
        let mut operand = |value: ValueId| {
            uses[value] += 1;
            if let (1, ValueDef::Constant(constant)) = (uses[value], body.values[value].def) {
                constants.push((value, constant));
            }
        };
        for &block in order {
            for &instruction in &body.blocks[block].instructions {
                body.instructions[instruction]
                    .instruction
                    .for_each_operand(&mut operand);
            }
            body.blocks[block].terminator.for_each_operand(&mut operand);
        }
        for (index, (value, constant)) in constants.into_iter().enumerate() {
            self.code.registers[value] = index as Register;
            self.code
                .constants
                .push(constant_slot(self.module, constant));
        }
        self.code.first_param = self.code.constants.len();
        let mut next = self.code.first_param as Register;
        for &block in order {
            for &param in &body.blocks[block].params {
                self.give_register(param, &mut next);
            }
            for &instruction in &body.blocks[block].instructions {
                body.instructions[instruction]
                    .for_each_definition(|value| self.give_register(value, &mut next));
            }
        }
        self.spare = next;
        self.code.frame_size = next as usize + 1;
    }

    fn give_register(&mut self, value: ValueId, next: &mut Register) {
        self.code.registers[value] = *next;
        if self.body.ty(value) == Type::Ptr {
            self.code.pointer_registers.push(*next);
        }
        *next += 1;
    }

    /// Notes the allocations whose life a `LifetimeStart` of this body begins.
    fn find_lifetimes(&mut self, order: &[BlockId]) {
        let body = self.body;
        for &block in order {
            for &instruction in &body.blocks[block].instructions {
                if let Instruction::LifetimeStart { pointer } =
                    body.instructions[instruction].instruction
                    && let ValueDef::Result(allocation, _) = body.values[pointer].def
                    && let Instruction::Allocate { .. } = body.instructions[allocation].instruction
                {
                    self.code.starts_dead[allocation] = true;
                }
            }
        }
    }

    fn register(&self, value: ValueId) -> Register {
        self.code.registers[value]
    }

    fn emit(&mut self, op: Op) {
        self.code.ops.push(op);
        self.code.places.push(self.place);
    }

    fn here(&self) -> Label {
        self.code.ops.len() as Label
    }

    fn block(&mut self, block: BlockId, next: Option<BlockId>) {
        let body = self.body;
        let data = &body.blocks[block];
        self.labels[block] = self.here();
        self.place = Place::Terminator(block);
        if self.events {
            self.emit(Op::EnterBlock { block });
        }
        let fused = self.fused_compare(block);
        let mut rest = &data.instructions[..data.instructions.len() - usize::from(fused.is_some())];
        while let Some((&instruction, later)) = rest.split_first() {
            if let Some((check, op, later)) = self.fused_check(rest) {
                self.place = Place::Instruction(check);
                self.emit(op);
                rest = later;
                continue;
            }
            self.place = Place::Instruction(instruction);
            self.instruction(instruction);
            rest = later;
        }
        self.place = Place::Terminator(block);
        match &data.terminator {
            Terminator::Jump(target) => self.jump(target, next),
            Terminator::Branch {
                condition,
                on_true,
                on_false,
            } => {
                let branch = self.branch_op(*condition, fused);
                self.branch(branch, on_true, on_false, next);
            }
            Terminator::Return { values } => {
                if body.is_pure() {
                    self.emit(Op::Slow);
                }
                let start = self.code.pool.len() as u32;
                let registers = values.iter().map(|&value| self.code.registers[value]);
                self.code.pool.extend(registers);
                let count = values.len() as u32;
                self.emit(Op::Return {
                    values: start,
                    count,
                });
            }
            Terminator::Halt { .. } | Terminator::Unreachable => self.emit(Op::End),
        }
    }

    fn branch(&mut self, op: Op, on_true: &Target, on_false: &Target, next: Option<BlockId>) {
        let at = self.code.ops.len();
        self.emit(op);
        if self.needs_moves(on_true) {
            self.jump(on_false, None);
            self.pending.push((at, Pending::Stub(self.code.ops.len())));
            self.jump(on_true, next);
        } else {
            self.pending.push((at, Pending::Block(on_true.block)));
            self.jump(on_false, next);
        }
    }

    fn jump(&mut self, target: &Target, next: Option<BlockId>) {
        for (to, from) in moves::sequential(self.moves(target), self.spare) {
            self.emit(Op::Move { to, from });
        }
        if next != Some(target.block) {
            self.pending
                .push((self.code.ops.len(), Pending::Block(target.block)));
            self.emit(Op::Jump { to: 0 });
        }
    }

    /// Pairs of a parameter's register and its argument's.
    fn moves(&self, target: &Target) -> Vec<(Register, Register)> {
        let params = &self.body.blocks[target.block].params;
        params
            .iter()
            .zip(&target.arguments)
            .map(|(&param, &argument)| (self.register(param), self.register(argument)))
            .collect()
    }

    fn needs_moves(&self, target: &Target) -> bool {
        self.moves(target).iter().any(|(to, from)| to != from)
    }

    fn patch(&mut self) {
        for (at, pending) in std::mem::take(&mut self.pending) {
            let label = match pending {
                Pending::Block(block) => self.labels[block],
                Pending::Stub(at) => at as Label,
            };
            if let Op::Jump { to } | Op::Branch { to, .. } | Op::BranchCompare { to, .. } =
                &mut self.code.ops[at]
            {
                *to = label;
            }
        }
    }
}

/// The register contents of a constant.
fn constant_slot(module: &Module, constant: Constant) -> Slot {
    match constant {
        Constant::Int(bits) => Slot::wide(bits),
        Constant::F32(bits) => Slot::narrow(bits.into()),
        Constant::F64(bits) => Slot::narrow(bits),
        Constant::Null => Slot::default(),
        Constant::Global(global) => Slot {
            low: 0,
            high: global_object(module, global).0,
        },
        Constant::Function(function) => Slot {
            low: 0,
            high: function_object(function).0,
        },
    }
}
