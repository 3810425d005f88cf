//! Random programs that run: structured control flow, calls and recursion, memory, checks.
//!
//! Unlike arbitrary modules they get somewhere: loops end, most indices are within bounds, most
//! checks hold, and output shows the values. Every instruction has a place of its own.

use foghorn_core::CheckKind;
use foghorn_ir::builder::FunctionBuilder;
use foghorn_ir::{
    AllocationKind, BinaryOp, Body, Builtin, Callee, CastOp, DataLayout, Function, FunctionId,
    Global, GlobalContents, HaltKind, Initializer, IntPredicate, Module, NondetOrigin, OverflowOp,
    Signature, Type, ValueId, Variable, VariableId,
};

const WORD: Type = Type::I32;
/// Bytes of every array.
const ARRAY: i128 = 16;

pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x1234_5678)
    }

    pub fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % limit as u64) as usize
    }

    fn of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }
}

/// What can be used at a place.
#[derive(Clone, Default)]
struct Scope {
    words: Vec<ValueId>,
    truths: Vec<ValueId>,
    arrays: Vec<ValueId>,
}

struct Writer<'m> {
    random: Random,
    module: &'m mut Module,
    line: u32,
    /// Functions that may be called: those declared later, and this one.
    callees: Vec<FunctionId>,
    this: FunctionId,
    /// The parameter that bounds recursion.
    fuel: Option<ValueId>,
    variable: VariableId,
    budget: usize,
}

/// A program of a few functions, about `size` statements each.
pub fn program(seed: u64, size: usize) -> Module {
    let mut module = Module::new(DataLayout { pointer_bytes: 8 });
    let mut random = Random::new(seed);
    for index in 0..3 {
        module.globals.push(Global {
            name: format!("g{index}").into(),
            size: ARRAY as u64,
            align: 4,
            constant: false,
            contents: GlobalContents::Initialised(Initializer::default()),
            span: foghorn_core::SpanId::UNKNOWN,
        });
    }
    let count = 2 + random.below(4);
    for index in 0..count {
        let params = match index {
            0 => vec![],
            _ => vec![WORD, WORD, Type::Ptr],
        };
        module.functions.push(Function {
            name: format!("f{index}").into(),
            signature: Signature {
                params,
                results: vec![WORD],
            },
            body: None,
            span: foghorn_core::SpanId::UNKNOWN,
            is_model: index > 1 && random.below(4) == 0,
        });
    }
    let ids: Vec<FunctionId> = module.functions.keys().collect();
    module.entry = Some(ids[0]);
    for (index, &this) in ids.iter().enumerate() {
        let mut callees: Vec<FunctionId> = ids[index + 1..].to_vec();
        if index > 0 {
            callees.push(this);
            callees.push(ids[1]);
        }
        let mut body = Body::new();
        let params = module.functions[this].signature.params.clone();
        let params: Vec<_> = params
            .iter()
            .map(|&ty| body.add_param(body.entry, ty))
            .collect();
        let variable = body.variables.push(Variable {
            name: "x".into(),
            span: foghorn_core::SpanId::UNKNOWN,
            signed: true,
            slot: None,
        });
        let mut writer = Writer {
            random: Random::new(seed.wrapping_mul(31).wrapping_add(index as u64)),
            module: &mut module,
            line: 1000 * (index as u32 + 1),
            callees,
            this,
            fuel: params.first().copied(),
            variable,
            budget: size,
        };
        writer.function(&mut body, &params);
        module.functions[this].body = Some(body);
    }
    module
}

impl Writer<'_> {
    fn mark(&mut self, builder: &mut FunctionBuilder<'_>) {
        self.line += 1;
        let span = self.module.spans.at("p.c", self.line, 1);
        builder.with_span(span);
    }

    fn function(&mut self, body: &mut Body, params: &[ValueId]) {
        let mut builder = FunctionBuilder::new(body, DataLayout { pointer_bytes: 8 });
        let mut scope = Scope::default();
        self.mark(&mut builder);
        match params {
            [fuel, word, array] => {
                scope.words.extend([*fuel, *word]);
                scope.arrays.push(*array);
            }
            _ => {
                let zero = builder.int(32, 3);
                scope.words.push(zero);
            }
        }
        let size = builder.size(ARRAY);
        let array = builder.allocate(AllocationKind::Stack, size, 4);
        let zero = builder.int(8, 0);
        builder.memory_set(array, zero, size);
        scope.arrays.push(array);
        for global in [0, 1] {
            let global = cranelift_entity::EntityRef::new(global);
            scope
                .arrays
                .push(builder.address(foghorn_ir::Constant::Global(global)));
        }
        let yes = builder.bool(true);
        scope.truths.push(yes);
        self.statements(&mut builder, &mut scope, 3);
        self.mark(&mut builder);
        let result = self.random.of(&scope.words);
        builder.ret(&[result]);
    }

    fn statements(&mut self, builder: &mut FunctionBuilder<'_>, scope: &mut Scope, depth: usize) {
        let count = 2 + self.random.below(6);
        for _ in 0..count {
            if self.budget == 0 {
                return;
            }
            self.budget -= 1;
            self.mark(builder);
            match self.random.below(17) {
                0..=3 => self.arithmetic(builder, scope),
                4 => self.checked(builder, scope),
                5 | 6 => self.access(builder, scope),
                7 => self.input(builder, scope),
                8 => self.call(builder, scope),
                9 => self.print(builder, scope),
                10 | 11 if depth > 0 => self.choice(builder, scope, depth - 1),
                12 | 13 if depth > 0 => self.repeat(builder, scope, depth - 1),
                14 => self.lives(builder, scope),
                15 => self.rare(builder, scope),
                _ => self.truth(builder, scope),
            }
        }
    }

    fn word(&mut self, builder: &mut FunctionBuilder<'_>, scope: &Scope) -> ValueId {
        if self.random.below(3) == 0 {
            let number = self.random.of(&[0, 1, 2, 3, 7, -1, 31, i32::MAX, i32::MIN]);
            return builder.int(32, number.into());
        }
        self.random.of(&scope.words)
    }

    fn arithmetic(&mut self, builder: &mut FunctionBuilder<'_>, scope: &mut Scope) {
        let (lhs, rhs) = (self.word(builder, scope), self.word(builder, scope));
        let op = self.random.of(BinaryOp::ALL);
        let value = match self.random.below(4) {
            0 => {
                let condition = self.random.of(&scope.truths);
                builder.select(condition, lhs, rhs)
            }
            1 => {
                let ty = self.random.of(&[Type::BOOL, Type::I8, Type::Int(17)]);
                let narrow = builder.cast(CastOp::Trunc, lhs, ty);
                let wide = self.random.of(&[CastOp::ZExt, CastOp::SExt]);
                builder.cast(wide, narrow, WORD)
            }
            _ => builder.binary(op, lhs, rhs),
        };
        if self.random.below(3) == 0 {
            builder.bind(self.variable, value);
        }
        scope.words.push(value);
    }

    fn truth(&mut self, builder: &mut FunctionBuilder<'_>, scope: &mut Scope) {
        let (lhs, rhs) = (self.word(builder, scope), self.word(builder, scope));
        let predicate = self.random.of(IntPredicate::ALL);
        let value = match self.random.below(3) {
            0 => {
                let truth = self.random.of(&scope.truths);
                builder.not(truth)
            }
            _ => builder.compare(predicate, lhs, rhs),
        };
        scope.truths.push(value);
    }

    /// An operation with the check that clang would make.
    fn checked(&mut self, builder: &mut FunctionBuilder<'_>, scope: &mut Scope) {
        let (lhs, rhs) = (self.word(builder, scope), self.word(builder, scope));
        match self.random.below(3) {
            0 => {
                let overflows = builder.overflows(OverflowOp::Add, true, lhs, rhs);
                let fits = builder.not(overflows);
                builder.check(CheckKind::SignedOverflow, fits, None);
                scope.words.push(builder.add(lhs, rhs));
            }
            1 => {
                let zero = builder.int(32, 0);
                let fine = builder.compare(IntPredicate::Ne, rhs, zero);
                builder.check(CheckKind::Division, fine, None);
                scope.words.push(builder.binary(BinaryOp::UDiv, lhs, rhs));
            }
            _ => {
                let many = builder.int(32, 1 << 30);
                let fine = builder.compare(IntPredicate::Ult, lhs, many);
                builder.check(CheckKind::Assertion, fine, Some("small"));
            }
        }
    }

    /// A word of an array; now and then beyond its end.
    fn element(&mut self, builder: &mut FunctionBuilder<'_>, scope: &Scope) -> ValueId {
        let array = self.random.of(&scope.arrays);
        let index = self.word(builder, scope);
        let mask = self.random.of(&[3, 3, 3, 3, 3, 3, 3, 7]);
        let mask = builder.int(32, mask);
        let index = builder.binary(BinaryOp::And, index, mask);
        let index = builder.cast(CastOp::ZExt, index, Type::I64);
        match self.random.below(3) {
            0 => builder.pointer_add(array, 4, &[]),
            _ => builder.pointer_add(array, 0, &[(index, 4)]),
        }
    }

    fn access(&mut self, builder: &mut FunctionBuilder<'_>, scope: &mut Scope) {
        let place = self.element(builder, scope);
        if self.random.below(2) == 0 {
            let value = self.word(builder, scope);
            builder.store(value, place, 4);
        } else {
            scope.words.push(builder.load(WORD, place, 4));
        }
    }

    fn input(&mut self, builder: &mut FunctionBuilder<'_>, scope: &mut Scope) {
        let origin = match self.random.below(4) {
            0 => NondetOrigin::Undefined,
            1 => NondetOrigin::Uninitialised("u".into()),
            _ => NondetOrigin::Input("nondet_int".into()),
        };
        scope.words.push(builder.nondet(WORD, origin));
    }

    fn call(&mut self, builder: &mut FunctionBuilder<'_>, scope: &mut Scope) {
        if self.callees.is_empty() {
            return;
        }
        let callee = self.random.of(&self.callees);
        let one = builder.int(32, 1);
        let fuel = match self.fuel {
            // Going back needs fuel, and spends it.
            Some(fuel) if callee <= self.this => {
                let zero = builder.int(32, 0);
                let more = builder.compare(IntPredicate::Sgt, fuel, zero);
                let (calls, after) = (builder.new_block(&[]), builder.new_block(&[WORD]));
                let default = self.word(builder, scope);
                builder.branch(more, (calls, &[]), (after, &[default]));
                builder.at_end(calls);
                let less = builder.sub(fuel, one);
                let value = self.call_with(builder, scope, callee, less);
                builder.jump(after, &[value]);
                builder.at_end(after);
                scope.words.push(builder.param(after, 0));
                return;
            }
            Some(fuel) => builder.sub(fuel, one),
            None => builder.int(32, 3),
        };
        let value = self.call_with(builder, scope, callee, fuel);
        scope.words.push(value);
    }

    fn call_with(
        &mut self,
        builder: &mut FunctionBuilder<'_>,
        scope: &Scope,
        callee: FunctionId,
        fuel: ValueId,
    ) -> ValueId {
        let word = self.word(builder, scope);
        let array = self.random.of(&scope.arrays);
        if self.random.below(6) == 0 {
            let pointer = builder.address(foghorn_ir::Constant::Function(callee));
            return builder.call(Callee::Indirect(pointer), &[fuel, word, array], &[WORD])[0];
        }
        builder.call_function(self.module, callee, &[fuel, word, array])[0]
    }

    fn print(&mut self, builder: &mut FunctionBuilder<'_>, scope: &mut Scope) {
        let value = self.word(builder, scope);
        let size = builder.size(4);
        let buffer = builder.allocate(AllocationKind::Stack, size, 4);
        builder.store(value, buffer, 4);
        let out = builder.int(32, 1);
        let write = Callee::Builtin(Builtin::WriteOutput);
        builder.call(write, &[out, buffer, size], &[Type::I64]);
    }

    fn choice(&mut self, builder: &mut FunctionBuilder<'_>, scope: &mut Scope, depth: usize) {
        let condition = self.random.of(&scope.truths);
        let [left, right] = std::array::from_fn(|_| builder.new_block(&[]));
        let join = builder.new_block(&[WORD, WORD]);
        builder.branch(condition, (left, &[]), (right, &[]));
        for side in [left, right] {
            builder.at_end(side);
            let mut inner = scope.clone();
            self.statements(builder, &mut inner, depth);
            self.mark(builder);
            if self.random.below(30) == 0 {
                let code = builder.int(32, 4);
                builder.halt(HaltKind::Abort, code);
                continue;
            }
            let values = [self.word(builder, &inner), self.word(builder, &inner)];
            builder.jump(join, &values);
        }
        builder.at_end(join);
        scope
            .words
            .extend([0, 1].map(|index| builder.param(join, index)));
    }

    /// A loop that counts, carries a value, and may be left early.
    fn repeat(&mut self, builder: &mut FunctionBuilder<'_>, scope: &mut Scope, depth: usize) {
        let [header, exit] = [[WORD, WORD], [WORD, WORD]].map(|types| builder.new_block(&types));
        let inside = builder.new_block(&[]);
        let zero = builder.int(32, 0);
        let start = self.word(builder, scope);
        builder.jump(header, &[zero, start]);
        builder.at_end(header);
        let (counter, carried) = (builder.param(header, 0), builder.param(header, 1));
        scope.words.extend([counter, carried]);
        self.mark(builder);
        if self.random.below(2) == 0 {
            self.arithmetic(builder, scope);
        }
        let limit = match self.random.below(3) {
            0 => {
                let mask = builder.int(32, 3);
                let word = self.word(builder, scope);
                builder.binary(BinaryOp::And, word, mask)
            }
            _ => {
                let limit = self.random.below(5);
                builder.int(32, limit as i128)
            }
        };
        let more = builder.compare(IntPredicate::Slt, counter, limit);
        scope.truths.push(more);
        let leaving = self.word(builder, scope);
        builder.branch(more, (inside, &[]), (exit, &[counter, leaving]));
        builder.at_end(inside);
        let mut inner = scope.clone();
        self.statements(builder, &mut inner, depth);
        self.mark(builder);
        if self.random.below(3) == 0 {
            let stop = self.random.of(&inner.truths);
            let on = builder.new_block(&[]);
            let last = self.word(builder, &inner);
            builder.branch(stop, (exit, &[last, counter]), (on, &[]));
            builder.at_end(on);
        }
        let one = builder.int(32, 1);
        let next = builder.add(counter, one);
        let value = self.word(builder, &inner);
        builder.jump(header, &[next, value]);
        builder.at_end(exit);
        scope
            .words
            .extend([0, 1].map(|index| builder.param(exit, index)));
    }

    /// Objects that come and go, and are used a little too long now and then.
    fn lives(&mut self, builder: &mut FunctionBuilder<'_>, scope: &mut Scope) {
        let size = builder.size(ARRAY);
        let kind = self
            .random
            .of(&[AllocationKind::Stack, AllocationKind::Heap]);
        let object = builder.allocate(kind, size, 4);
        if kind == AllocationKind::Stack && self.random.below(2) == 0 {
            builder.lifetime_start(object);
        }
        let zero = builder.int(8, 0);
        if self.random.below(4) > 0 {
            builder.memory_set(object, zero, size);
        }
        let mut inner = scope.clone();
        inner.arrays.push(object);
        for _ in 0..self.random.below(4) {
            self.mark(builder);
            self.access(builder, &mut inner);
        }
        scope.words = inner.words;
        self.mark(builder);
        if self.random.below(4) == 0 {
            scope.arrays.push(object);
        }
        match kind {
            AllocationKind::Stack => builder.lifetime_end(object),
            AllocationKind::Heap => builder.free(object),
            AllocationKind::Permanent => {}
        }
    }

    fn rare(&mut self, builder: &mut FunctionBuilder<'_>, scope: &mut Scope) {
        match self.random.below(7) {
            5 => self.keep(builder, scope),
            6 => self.use_kept(builder, scope),
            0 => {
                let condition = self.random.of(&scope.truths);
                let negated = builder.not(condition);
                let either = builder.binary(BinaryOp::Or, condition, negated);
                builder.assume(either);
            }
            1 => {
                let condition = self.random.of(&scope.truths);
                let kind = self.random.of(&[
                    CheckKind::Assertion,
                    CheckKind::Shift,
                    CheckKind::LibraryPrecondition,
                ]);
                builder.check(kind, condition, None);
                builder.check(kind, condition, None);
            }
            2 => {
                let (a, b) = (self.random.of(&scope.arrays), self.random.of(&scope.arrays));
                let predicate = self.random.of(&[IntPredicate::Eq, IntPredicate::Ne]);
                scope.truths.push(builder.compare(predicate, a, b));
            }
            3 => {
                let (a, b) = (self.random.of(&scope.arrays), self.random.of(&scope.arrays));
                let length = builder.size(8);
                builder.memory_copy(a, b, length);
            }
            _ => {
                let mark = builder.stack_save();
                let size = builder.size(ARRAY);
                let object = builder.allocate(AllocationKind::Stack, size, 4);
                let value = self.word(builder, scope);
                builder.store(value, object, 4);
                scope.words.push(builder.load(WORD, object, 4));
                builder.stack_restore(mark);
            }
        }
    }

    /// The global that holds a pointer.
    fn kept(builder: &mut FunctionBuilder<'_>) -> ValueId {
        let global = cranelift_entity::EntityRef::new(2);
        builder.address(foghorn_ir::Constant::Global(global))
    }

    /// Remembers an array beyond the end of this call.
    fn keep(&mut self, builder: &mut FunctionBuilder<'_>, scope: &Scope) {
        let array = self.random.of(&scope.arrays);
        let kept = Self::kept(builder);
        builder.store(array, kept, 8);
    }

    /// Reads the array that was remembered last, alive or not.
    fn use_kept(&mut self, builder: &mut FunctionBuilder<'_>, scope: &mut Scope) {
        let kept = Self::kept(builder);
        let pointer = builder.load(Type::Ptr, kept, 8);
        let null = builder.address(foghorn_ir::Constant::Null);
        let is_one = builder.compare(IntPredicate::Ne, pointer, null);
        let (reads, after) = (builder.new_block(&[]), builder.new_block(&[WORD]));
        let zero = builder.int(32, 0);
        builder.branch(is_one, (reads, &[]), (after, &[zero]));
        builder.at_end(reads);
        let word = builder.load(WORD, pointer, 4);
        builder.jump(after, &[word]);
        builder.at_end(after);
        scope.words.push(builder.param(after, 0));
    }
}
