//! The local graph of a function: one pass over its instructions.
//!
//! Calls of functions in the same group (mutually recursive ones, or all of them in the modes
//! without contexts) unify arguments with parameters; all other calls are left to the
//! inter-procedural passes.

mod scalar;

use crate::external::{self, Effect};
use crate::graph::{AccessKind, Cell, Extent, Flags, Graph, Site};
use crate::integers::carriers;
use crate::options::Sabotage;
use cranelift_entity::{EntityRef, EntitySet};
use foghorn_ir::{
    AllocationKind, Body, Builtin, Callee, Constant, FunctionId, InstId, Instruction, IntPredicate,
    Module, NondetOrigin, Terminator, Type, ValueDef, ValueId,
};

/// The cells of one function's values, in its group's graph.
#[derive(Clone, Debug, Default)]
pub struct FunctionCells {
    values: Vec<Option<Cell>>,
    /// Per result of the function.
    pub returns: Vec<Option<Cell>>,
    pub params: Vec<ValueId>,
}

impl FunctionCells {
    /// The cell that a value points to, or may carry.
    pub fn get(&self, value: ValueId) -> Option<Cell> {
        self.values.get(value.index()).copied().flatten()
    }
}

/// Builds the part of `graph` that one function's own instructions give.
pub fn build(module: &Module, function: FunctionId, graph: &mut Graph) -> FunctionCells {
    let data = &module.functions[function];
    let Some(body) = &data.body else {
        return FunctionCells::default();
    };
    let mut local = Local {
        module,
        function,
        body,
        graph,
        carriers: carriers(body),
        cells: FunctionCells {
            values: vec![None; body.values.len()],
            returns: vec![None; data.signature.results.len()],
            params: body.blocks[body.entry].params.clone(),
        },
    };
    local.function();
    local.cells
}

struct Local<'a> {
    module: &'a Module,
    function: FunctionId,
    body: &'a Body,
    graph: &'a mut Graph,
    carriers: EntitySet<ValueId>,
    cells: FunctionCells,
}

impl Local<'_> {
    fn function(&mut self) {
        for param in self.cells.params.clone() {
            self.cell(param);
        }
        for block in self.body.blocks.values() {
            for &id in &block.instructions {
                self.graph.span = self.body.instructions[id].span;
                self.instruction(id);
            }
            self.graph.span = block.terminator_span;
            self.terminator(&block.terminator);
        }
    }

    /// The cell of a pointer or of an integer that may carry one; `None` for all other values.
    fn cell(&mut self, value: ValueId) -> Option<Cell> {
        if let Some(cell) = self.cells.get(value) {
            return Some(cell);
        }
        let data = &self.body.values[value];
        let cell = match data.def {
            ValueDef::Constant(Constant::Global(global)) => self.graph.global(global),
            ValueDef::Constant(Constant::Function(function)) => self.graph.function(function),
            // Each use of null is a pointer to nothing of its own.
            ValueDef::Constant(Constant::Null) => return Some(self.graph.fresh()),
            ValueDef::Constant(_) | ValueDef::Memory(..) => return None,
            ValueDef::Param(..) | ValueDef::Result(..) => {
                if data.ty != Type::Ptr && !self.carriers.contains(value) {
                    return None;
                }
                self.graph.fresh()
            }
        };
        if data.ty == Type::Ptr {
            self.graph.add_flags(cell, Flags::USED_AS_POINTER);
        }
        self.cells.values[value.index()] = Some(cell);
        Some(cell)
    }

    /// A pointer's cell.
    fn pointer(&mut self, value: ValueId) -> Cell {
        self.cell(value).expect("invariant: pointers have cells")
    }

    /// The value has this cell.
    fn define(&mut self, value: ValueId, cell: Cell) {
        if let Some(own) = self.cell(value) {
            self.graph.unify(own, cell);
        }
    }

    /// Whatever one value carries, the other carries too.
    fn same(&mut self, a: ValueId, b: ValueId) {
        if let (Some(a), Some(b)) = (self.cell(a), self.cell(b)) {
            self.graph.unify(a, b);
        }
    }

    fn terminator(&mut self, terminator: &Terminator) {
        for target in terminator.targets() {
            if self.graph.sabotage == Some(Sabotage::BlockParameters) {
                continue;
            }
            let params = &self.body.blocks[target.block].params;
            for (&param, &argument) in params.iter().zip(&target.arguments) {
                self.same(param, argument);
            }
        }
        if let Terminator::Return { values } = terminator {
            for (index, &value) in values.iter().enumerate() {
                let Some(cell) = self.cell(value) else {
                    continue;
                };
                match self.cells.returns[index] {
                    Some(known) => self.graph.unify(known, cell),
                    None => self.cells.returns[index] = Some(cell),
                }
            }
        }
    }

    fn instruction(&mut self, id: InstId) {
        let data = &self.body.instructions[id];
        let result = data.results.first().copied();
        match &data.instruction {
            Instruction::Binary { .. }
            | Instruction::Unary { .. }
            | Instruction::Cast { .. }
            | Instruction::Select { .. }
            | Instruction::PointerAdd { .. } => {
                if let Some(result) = result {
                    self.scalar(result, &data.instruction);
                }
            }
            Instruction::Nondet { origin } => self.nondet(result, origin),
            Instruction::Allocate { kind, .. } => {
                if let Some(result) = result {
                    self.allocate(id, result, *kind);
                }
            }
            Instruction::Free { pointer } => {
                let cell = self.pointer(*pointer);
                self.graph.add_flags(cell, Flags::FREED);
            }
            Instruction::Load { pointer, .. } => {
                if let Some(result) = result {
                    self.load(*pointer, result);
                }
            }
            Instruction::Store { pointer, value, .. } => self.store(*pointer, *value),
            Instruction::MemoryCopy {
                destination,
                source,
                length,
            } => self.copy(*destination, *source, *length),
            Instruction::MemorySet {
                destination,
                length,
                ..
            } => {
                let cell = self.pointer(*destination);
                self.graph.add_flags(cell, Flags::MODIFIED);
                let length = constant_length(self.body, *length);
                self.graph.add_bulk(cell, Extent::at(0, length));
            }
            Instruction::Call { callee, arguments } => self.call(id, callee, arguments),
            Instruction::Compare {
                predicate,
                lhs,
                rhs,
            } => self.compare(*predicate, *lhs, *rhs),
            Instruction::Overflows { .. }
            | Instruction::FloatUnary { .. }
            | Instruction::FloatBinary { .. }
            | Instruction::FusedMultiplyAdd { .. }
            | Instruction::FloatCompare { .. }
            | Instruction::LifetimeStart { .. }
            | Instruction::LifetimeEnd { .. }
            | Instruction::StackSave
            | Instruction::StackRestore { .. }
            | Instruction::Check { .. }
            | Instruction::Assume { .. }
            | Instruction::Bind { .. } => {}
        }
    }

    /// An order of pointers to different objects is one of their addresses.
    fn compare(&mut self, predicate: IntPredicate, lhs: ValueId, rhs: ValueId) {
        let order = !matches!(predicate, IntPredicate::Eq | IntPredicate::Ne);
        for value in [lhs, rhs] {
            if order && self.body.ty(value) == Type::Ptr {
                let cell = self.pointer(value);
                self.graph.add_flags(cell, Flags::EXPOSED);
            }
        }
    }

    fn nondet(&mut self, result: Option<ValueId>, origin: &NondetOrigin) {
        let Some(result) = result.filter(|&result| self.body.ty(result) == Type::Ptr) else {
            return;
        };
        let flags = match origin {
            NondetOrigin::External(_) | NondetOrigin::Change(_) => Flags::EXTERNAL | Flags::UNKNOWN,
            NondetOrigin::Input(_)
            | NondetOrigin::Uninitialised(_)
            | NondetOrigin::Undefined
            | NondetOrigin::OverApproximated(_) => Flags::UNKNOWN,
        };
        let cell = self.pointer(result);
        self.graph.add_flags(cell, flags);
        self.graph.add_site(cell, Site::Environment);
    }

    fn allocate(&mut self, id: InstId, result: ValueId, kind: AllocationKind) {
        let cell = self.pointer(result);
        let flags = match kind {
            AllocationKind::Stack => Flags::STACK,
            AllocationKind::Heap => Flags::HEAP,
            AllocationKind::Permanent => Flags::GLOBAL,
        };
        self.graph.add_flags(cell, flags);
        self.graph
            .add_site(cell, Site::Instruction(self.function, id));
    }

    fn bytes(&self, ty: Type) -> i64 {
        ty.store_size(self.module.layout.pointer_bytes).into()
    }

    fn load(&mut self, pointer: ValueId, result: ValueId) {
        let ty = self.body.ty(result);
        let (cell, bytes) = (self.pointer(pointer), self.bytes(ty));
        self.graph.touch(cell, bytes, Some(AccessKind::of(ty)));
        self.graph.add_flags(cell, Flags::READ);
        if self.cell(result).is_some() {
            let content = self.graph.load_content(cell, bytes);
            self.define(result, content);
        }
    }

    fn store(&mut self, pointer: ValueId, value: ValueId) {
        let ty = self.body.ty(value);
        let (cell, bytes) = (self.pointer(pointer), self.bytes(ty));
        self.graph.touch(cell, bytes, Some(AccessKind::of(ty)));
        self.graph.add_flags(cell, Flags::MODIFIED);
        if let Some(content) = self.cell(value) {
            self.graph.store_content(cell, bytes, content);
        }
    }

    fn copy(&mut self, destination: ValueId, source: ValueId, length: ValueId) {
        let (to, from) = (self.pointer(destination), self.pointer(source));
        self.graph.add_flags(to, Flags::MODIFIED);
        self.graph.add_flags(from, Flags::READ);
        let length = constant_length(self.body, length);
        if length != Some(0) {
            self.graph.add_copy(to, from, length);
        }
    }

    fn call(&mut self, id: InstId, callee: &Callee, arguments: &[ValueId]) {
        for &argument in arguments {
            self.cell(argument);
        }
        for &result in &self.body.instructions[id].results {
            self.cell(result);
        }
        match callee {
            Callee::Direct(function) => {
                if self.module.functions[*function].body.is_none() {
                    self.external_call(id, *function, arguments);
                }
            }
            Callee::Indirect(pointer) => {
                self.pointer(*pointer);
            }
            Callee::Builtin(Builtin::HavocReachable(_)) => self.havoc_reachable(arguments),
            Callee::Builtin(builtin) => self.builtin(builtin, arguments),
        }
    }

    fn external_call(&mut self, id: InstId, function: FunctionId, arguments: &[ValueId]) {
        let body = self.body;
        let result = body.instructions[id].results.first().copied();
        let result = result.filter(|&result| body.ty(result) == Type::Ptr);
        for &argument in arguments {
            if body.ty(argument) == Type::Ptr {
                let cell = self.pointer(argument);
                self.graph.add_flags(cell, Flags::EXTERNAL);
            }
        }
        let pointer_argument = |index: usize| {
            let argument = arguments.get(index).copied();
            argument.filter(|&value| body.ty(value) == Type::Ptr)
        };
        for effect in external::effects(&self.module.functions[function].name) {
            match *effect {
                Effect::ReturnsArgument { argument, moved } => {
                    if let (Some(result), Some(argument)) = (result, pointer_argument(argument)) {
                        if moved {
                            let cell = self.pointer(argument);
                            self.graph.fold(cell, 1);
                        }
                        self.same(result, argument);
                    }
                }
                Effect::Allocates => {
                    if let Some(result) = result {
                        self.allocate(id, result, AllocationKind::Heap);
                    }
                }
                Effect::Copies => {
                    let pair = (pointer_argument(0), pointer_argument(1), arguments.get(2));
                    if let (Some(to), Some(from), Some(&length)) = pair {
                        self.copy(to, from, length);
                    }
                }
            }
        }
        if let Some(result) = result {
            let cell = self.pointer(result);
            self.graph.add_flags(cell, Flags::EXTERNAL);
            self.graph.add_site(cell, Site::Environment);
        }
    }

    /// What is changed is known once all graphs are ([`Graph::learn`]).
    fn havoc_reachable(&mut self, arguments: &[ValueId]) {
        let root = arguments.first().and_then(|&it| self.body.as_constant(it));
        if let Some(Constant::Global(global)) = root {
            self.graph.outside.insert(global);
        }
    }

    fn builtin(&mut self, builtin: &Builtin, arguments: &[ValueId]) {
        for range in builtin_ranges(builtin) {
            let Some(&pointer) = arguments.get(range.pointer) else {
                continue;
            };
            let cell = self.pointer(pointer);
            let flag = match range.writes {
                true => Flags::MODIFIED,
                false => Flags::READ,
            };
            self.graph.add_flags(cell, flag);
            let length = range.length.and_then(|index| arguments.get(index));
            let constant = length.and_then(|&length| constant_length(self.body, length));
            self.graph.add_bulk(cell, Extent::at(0, constant));
            if let (Some(length), true) = (constant, range.outside) {
                self.graph.covers.push((cell, length));
            } else if range.outside {
                // Bytes that go to or come from outside are there one by one.
                self.graph.fold(cell, 1);
                self.graph.touch(cell, 1, Some(AccessKind::Raw));
            }
        }
    }
}

/// A range of memory that a builtin accesses.
#[derive(Clone, Copy, Debug)]
pub struct BuiltinRange {
    /// Number of the argument that is its start.
    pub pointer: usize,
    /// Number of the argument that is its length.
    pub length: Option<usize>,
    pub writes: bool,
    /// Its bytes are seen by or come from outside the program.
    pub outside: bool,
}

/// The ranges of memory that a builtin accesses. Questions about objects access none.
pub fn builtin_ranges(builtin: &Builtin) -> &'static [BuiltinRange] {
    const fn range(pointer: usize, length: Option<usize>, writes: bool) -> BuiltinRange {
        BuiltinRange {
            pointer,
            length,
            writes,
            outside: true,
        }
    }
    match builtin {
        Builtin::WriteOutput => const { &[range(1, Some(2), false)] },
        Builtin::ReadInput => const { &[range(1, Some(2), true)] },
        Builtin::FormatFloat => const { &[range(0, None, true), range(2, None, false)] },
        Builtin::HavocMemory => {
            const {
                &[BuiltinRange {
                    outside: false,
                    ..range(0, Some(1), true)
                }]
            }
        }
        // No range, but all that is reached: `Graph::changeable_from`.
        Builtin::HavocReachable(_)
        | Builtin::IsDereferenceable
        | Builtin::ObjectSize
        | Builtin::ObjectOffset
        | Builtin::SameObject
        | Builtin::IsAlive
        | Builtin::IsModified
        | Builtin::ResetModified
        | Builtin::IsRead
        | Builtin::ResetRead
        | Builtin::TrackAccesses
        | Builtin::SetShadow
        | Builtin::GetShadow
        | Builtin::Math(_) => &[],
    }
}

/// A length that is a constant, if it is one that objects can have.
pub fn constant_length(body: &Body, length: ValueId) -> Option<i64> {
    match body.as_constant(length) {
        Some(Constant::Int(bits)) => i64::try_from(bits).ok(),
        _other => None,
    }
}
