//! The body of one function without a body.

use super::{CallBack, HowKnown, Planned};
use foghorn_core::CheckKind;
use foghorn_ir::{
    BlockId, Body, Builtin, Callee, Constant, GlobalId, Instruction, IntPredicate, NondetOrigin,
    Target, Terminator, Type, ValueId,
};

/// Writes one body.
pub(super) struct Writer<'a> {
    function: &'a Planned,
    pub body: Body,
    block: BlockId,
    params: Vec<ValueId>,
    pointer_bytes: u32,
}

impl<'a> Writer<'a> {
    pub fn new(function: &'a Planned, pointer_bytes: u32) -> Self {
        let mut body = Body::new();
        let block = body.entry;
        let types = function.signature.params.iter();
        let params = types.map(|&ty| body.add_param(block, ty)).collect();
        Writer {
            function,
            body,
            block,
            params,
            pointer_bytes,
        }
    }

    fn emit(&mut self, instruction: Instruction, results: &[Type]) -> Option<ValueId> {
        let span = self.function.span;
        let id = self.body.append(self.block, instruction, results, span);
        self.body.instructions[id].results.first().copied()
    }

    fn value(&mut self, instruction: Instruction, ty: Type) -> ValueId {
        self.emit(instruction, &[ty])
            .expect("invariant: it has a result")
    }

    fn nondet(&mut self, origin: NondetOrigin, ty: Type) -> ValueId {
        self.value(Instruction::Nondet { origin }, ty)
    }

    /// A choice of the function.
    fn chosen(&mut self, ty: Type) -> ValueId {
        self.nondet(NondetOrigin::Change(self.function.name.clone()), ty)
    }

    fn end(&mut self, terminator: Terminator) {
        let block = &mut self.body.blocks[self.block];
        block.terminator = terminator;
        block.terminator_span = self.function.span;
    }

    /// Goes to one of two new blocks, and on in the first.
    fn branch(&mut self, condition: ValueId) -> (BlockId, BlockId) {
        let (yes, no) = (self.body.add_block(), self.body.add_block());
        self.end(Terminator::Branch {
            condition,
            on_true: Target::new(yes),
            on_false: Target::new(no),
        });
        self.block = yes;
        (yes, no)
    }

    /// Goes on in a block.
    fn go_on(&mut self, block: BlockId) {
        self.end(Terminator::Jump(Target::new(block)));
        self.block = block;
    }

    /// A call is an error.
    pub fn fail(&mut self) {
        let condition = self.body.int(1, 0);
        let name = &self.function.name;
        let message = format!("call of '{name}', which has no body");
        self.emit(
            Instruction::Check {
                kind: CheckKind::InvalidCall,
                condition,
                message: Some(message.into()),
            },
            &[],
        );
    }

    /// Notes outside what the function is given.
    pub fn give(&mut self) {
        let function = self.function;
        let Some(known) = function.known else { return };
        let given = function.given.iter().map(|(index, _)| *index);
        let all = function.through.iter().copied().chain(given);
        for (slot, index) in all.enumerate() {
            if let Some(&param) = self.params.get(index)
                && self.body.ty(param) == Type::Ptr
            {
                self.store((known, slot), param);
            }
        }
    }

    /// A library keeps nothing.
    pub fn take_back(&mut self) {
        let Some(known) = self.function.known else {
            return;
        };
        for slot in 0..self.function.through.len() + self.function.given.len() {
            let null = self.body.constant(Type::Ptr, Constant::Null);
            self.store((known, slot), null);
        }
    }

    fn place(&mut self, (known, slot): (GlobalId, usize)) -> ValueId {
        let base = self.body.constant(Type::Ptr, Constant::Global(known));
        if slot == 0 {
            return base;
        }
        let constant = i64::from(self.pointer_bytes) * slot as i64;
        let add = Instruction::PointerAdd {
            base,
            constant,
            scaled: vec![],
        };
        self.value(add, Type::Ptr)
    }

    fn store(&mut self, place: (GlobalId, usize), value: ValueId) {
        let pointer = self.place(place);
        let align = self.pointer_bytes;
        self.emit(
            Instruction::Store {
                pointer,
                value,
                align,
            },
            &[],
        );
    }

    fn load(&mut self, place: (GlobalId, usize)) -> ValueId {
        let pointer = self.place(place);
        let align = self.pointer_bytes;
        self.value(Instruction::Load { pointer, align }, Type::Ptr)
    }

    /// Changes memory and calls back, in any order and any number of times.
    pub fn act(&mut self, root: Option<GlobalId>, call_backs: &[&CallBack]) {
        if call_backs.is_empty() {
            root.into_iter().for_each(|root| self.change(root));
            return;
        }
        let head = self.body.add_block();
        self.go_on(head);
        root.into_iter().for_each(|root| self.change(root));
        let more = self.chosen(Type::BOOL);
        let (_, done) = self.branch(more);
        for call_back in call_backs {
            self.call_back(call_back);
        }
        self.end(Terminator::Jump(Target::new(head)));
        self.block = done;
    }

    /// Changes what is reached from a global, or nothing.
    fn change(&mut self, root: GlobalId) {
        let changes = match self.function.assembly {
            true => self.params[0],
            false => self.chosen(Type::BOOL),
        };
        let (_, done) = self.branch(changes);
        let with_pointers = self.chosen(Type::BOOL);
        let root = self.body.constant(Type::Ptr, Constant::Global(root));
        let builtin = Builtin::HavocReachable(self.function.name.clone());
        self.emit(
            Instruction::Call {
                callee: Callee::Builtin(builtin),
                arguments: vec![root, with_pointers],
            },
            &[],
        );
        self.go_on(done);
    }

    /// Calls a function of the program if it was given, or does not.
    fn call_back(&mut self, call_back: &CallBack) {
        let lhs = match call_back.how {
            HowKnown::Given(known, slot) => self.load((known, slot)),
            HowKnown::Stored => self.chosen(Type::Ptr),
        };
        let function = Constant::Function(call_back.function);
        let rhs = self.body.constant(Type::Ptr, function);
        let is_known = Instruction::Compare {
            predicate: IntPredicate::Eq,
            lhs,
            rhs,
        };
        let is_known = self.value(is_known, Type::BOOL);
        let (_, unknown) = self.branch(is_known);
        let calls = self.chosen(Type::BOOL);
        let (_, silent) = self.branch(calls);
        let types = call_back.signature.params.iter();
        let arguments = types
            .map(|&ty| match ty {
                Type::Ptr => self.given_pointer(&call_back.contexts),
                Type::Int(_) | Type::F32 | Type::F64 | Type::Memory(_) => self.chosen(ty),
            })
            .collect();
        self.emit(
            Instruction::Call {
                callee: Callee::Direct(call_back.function),
                arguments,
            },
            &call_back.signature.results,
        );
        self.go_on(silent);
        self.go_on(unknown);
    }

    /// One of the pointers that were given, the first if nothing speaks for another; null without
    /// any.
    fn given_pointer(&mut self, places: &[(GlobalId, usize)]) -> ValueId {
        let Some((&first, others)) = places.split_first() else {
            return self.body.constant(Type::Ptr, Constant::Null);
        };
        let mut pointer = self.load(first);
        for &place in others {
            let on_true = self.load(place);
            let condition = self.chosen(Type::BOOL);
            let select = Instruction::Select {
                condition,
                on_true,
                on_false: pointer,
            };
            pointer = self.value(select, Type::Ptr);
        }
        pointer
    }

    pub fn give_results(&mut self) {
        let origin = NondetOrigin::External(self.function.name.clone());
        let types = self.function.signature.results.clone();
        let values = types.iter().map(|&ty| self.nondet(origin.clone(), ty));
        let values: Vec<ValueId> = values.collect();
        if let (Some(returned), Some(&value)) = (self.function.returned, values.first()) {
            self.store((returned, 0), value);
        }
        self.end(Terminator::Return { values });
    }
}
