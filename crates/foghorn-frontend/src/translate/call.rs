//! Calls.
//!
//! A name with a meaning and no body is that meaning ([`super::dialect`]); an `llvm.` name is an
//! intrinsic; anything else is a call. Old C calls functions through other types than they have.
//! A direct call adapts arguments and results as the machine would: registers are cut or
//! extended, missing ones hold anything, surplus ones are ignored.

use super::Unsupported;
use super::dialect;
use super::function::{FunctionTranslator, Scalars};
use crate::llvm::{Ty, Value, ValueKind};
use foghorn_core::CheckKind;
use foghorn_ir::{
    Callee, CastOp, FunctionId, Instruction, IntPredicate, NondetOrigin, Target, Terminator, Type,
    ValueId,
};

/// Arguments as the callee gets them, and the stack objects that hold copies of some.
pub(crate) struct Passed {
    pub values: Vec<ValueId>,
    pub temporaries: Vec<ValueId>,
}

impl<'p> FunctionTranslator<'_, 'p> {
    /// The results of a `call` or `invoke`.
    pub(crate) fn call(&mut self, call: Value<'p>) -> Result<Scalars, Unsupported> {
        let mut callee = call.callee();
        while callee.kind() == ValueKind::LLVMGlobalAliasValueKind {
            callee = callee.aliasee();
        }
        match callee.kind() {
            ValueKind::LLVMInlineAsmValueKind => self.inline_assembly(call),
            ValueKind::LLVMFunctionValueKind => self.call_function(call, callee),
            _ => self.call_indirect(call),
        }
    }

    fn call_function(
        &mut self,
        call: Value<'p>,
        callee: Value<'p>,
    ) -> Result<Scalars, Unsupported> {
        let name = callee.name();
        if name.starts_with("llvm.") {
            return self.intrinsic(&name, call);
        }
        if callee.is_declaration() {
            if let Some(results) = self.rust_runtime_call(&name, call)? {
                return Ok(results);
            }
            if dialect::has_meaning(&name, true) {
                let arguments = self.argument_scalars(call)?;
                let types = self.element_types(call)?;
                if let Some(results) = self.named_call(&name, &arguments, &types) {
                    return Ok(results);
                }
            }
            if dialect::is_non_local_jump(&name) {
                return Err(Unsupported::new(name));
            }
        } else if self.is_error_function(&name) {
            let never = self.bool(false);
            self.check(CheckKind::ReachError, never, None);
        } else if let Some(results) = self.scan_call(&name, call, callee)? {
            return Ok(results);
        }
        self.call_direct(call, callee)
    }

    /// The scalars of each argument.
    pub(crate) fn argument_scalars(
        &mut self,
        call: Value<'p>,
    ) -> Result<Vec<Scalars>, Unsupported> {
        call.arguments()
            .into_iter()
            .map(|a| self.operand(a))
            .collect()
    }

    pub(crate) fn is_error_function(&self, name: &str) -> bool {
        self.module
            .options
            .error_functions
            .iter()
            .any(|f| f == name)
    }

    /// An error function that the program defines is an error wherever it is called from; calls
    /// through pointers are caught at its entry.
    pub(crate) fn guard_error_function(&mut self) {
        if !self.is_error_function(&self.function.name()) {
            return;
        }
        let function = self.function;
        let is_callee = |user: &Value<'p>| {
            user.kind() == ValueKind::LLVMInstructionValueKind
                && user.opcode() == crate::llvm::Opcode::LLVMCall
                && user.callee() == function
        };
        if !function.users().iter().all(is_callee) {
            let never = self.bool(false);
            self.check(CheckKind::ReachError, never, None);
        }
    }

    fn call_direct(&mut self, call: Value<'p>, callee: Value<'p>) -> Result<Scalars, Unsupported> {
        let ty = callee.value_type();
        let fixed = ty.params().len();
        let passed =
            self.pass_arguments(call, fixed, ty.is_variadic() && !callee.is_declaration())?;
        let Passed {
            mut values,
            temporaries,
        } = passed;
        let Some(id) = self.module.function_id(callee) else {
            // Weak and undefined: the address called is null.
            let callee = Callee::Indirect(self.null());
            let results = self.element_types(call)?;
            return Ok(self.emit_call(callee, values, &results, &temporaries));
        };
        let signature = self.module.module.functions[id].signature.clone();
        let is_model = self.module.module.functions[id].is_model;
        if is_model && !ty.is_variadic() && values.len() < signature.params.len() {
            // Not the library's function, only its name.
            let origin = NondetOrigin::External(callee.name().into());
            let types = self.element_types(call)?;
            if types.is_empty() {
                // Nobody looks at it; that the function was called is said by it.
                self.nondet(origin.clone(), Type::BOOL);
            }
            let results = types.iter().map(|&ty| self.nondet(origin.clone(), ty));
            return Ok(results.collect());
        }
        self.adapt_arguments(&mut values, &signature.params);
        let results = self.emit_call(Callee::Direct(id), values, &signature.results, &temporaries);
        if callee.is_declaration() && call.call_has("noreturn") {
            let never = self.bool(false);
            self.assume(never);
            self.terminate(Terminator::Unreachable);
        }
        self.adapt_results(&results, call.ty())
    }

    fn call_indirect(&mut self, call: Value<'p>) -> Result<Scalars, Unsupported> {
        let pointer = self.scalar(call.callee())?;
        let ty = call.called_type();
        let fixed = ty.params().len();
        let has_variable = call.arguments().len() > fixed;
        let passed = self.pass_arguments(call, fixed, has_variable)?;
        let results = self.element_types(call)?;
        if ty.is_variadic() && !has_variable {
            return self.call_perhaps_variadic(call, pointer, &passed, &results);
        }
        let callee = Callee::Indirect(pointer);
        Ok(self.emit_call(callee, passed.values, &results, &passed.temporaries))
    }

    /// A call through a type without a prototype, `int (*)()`, looks like a call of a variadic
    /// function without variable arguments. Functions that really are variadic get a null
    /// pointer to these; all others are called as they are.
    fn call_perhaps_variadic(
        &mut self,
        call: Value<'p>,
        pointer: ValueId,
        passed: &Passed,
        results: &[Type],
    ) -> Result<Scalars, Unsupported> {
        let join = self.body.add_block();
        let joined: Scalars = results
            .iter()
            .map(|&ty| self.body.add_param(join, ty))
            .collect();
        for candidate in self.variadic_candidates(call.called_type()) {
            let Some(id) = self.module.function_id(candidate) else {
                continue;
            };
            let address = foghorn_ir::Constant::Function(id);
            let address = self.body.constant(Type::Ptr, address);
            let equal = self.compare(IntPredicate::Eq, pointer, address);
            let (here, next) = self.branch(equal);
            self.block = here;
            let mut values = passed.values.clone();
            values.push(self.null());
            let values = self.emit_call(Callee::Direct(id), values, results, &[]);
            self.jump(Target {
                block: join,
                arguments: values.into_vec(),
            });
            self.block = next;
        }
        let callee = Callee::Indirect(pointer);
        let values = self.emit_call(callee, passed.values.clone(), results, &[]);
        self.jump(Target {
            block: join,
            arguments: values.into_vec(),
        });
        self.block = join;
        for &temporary in &passed.temporaries {
            self.end_temporary(temporary);
        }
        Ok(joined)
    }

    /// Variadic functions of exactly this type whose address is taken.
    fn variadic_candidates(&mut self, ty: Ty<'p>) -> Vec<Value<'p>> {
        let program = self.module.program;
        program
            .functions()
            .into_iter()
            .filter(|f| f.value_type() == ty && !f.name().starts_with("llvm."))
            .filter(|f| {
                f.users().iter().any(|user| {
                    user.kind() != ValueKind::LLVMInstructionValueKind
                        || user.opcode() != crate::llvm::Opcode::LLVMCall
                        || user.callee() != *f
                })
            })
            .collect()
    }

    /// Emits a call and ends the life of the copies made for it.
    fn emit_call(
        &mut self,
        callee: Callee,
        arguments: Vec<ValueId>,
        results: &[Type],
        temporaries: &[ValueId],
    ) -> Scalars {
        let id = self.emit(Instruction::Call { callee, arguments }, results);
        for &temporary in temporaries {
            self.end_temporary(temporary);
        }
        self.body.instructions[id].results.clone()
    }

    /// The first `fixed` arguments flattened, those passed by value copied, and the others, if
    /// `variadic`, stored where the callee's `va_list` will look.
    fn pass_arguments(
        &mut self,
        call: Value<'p>,
        fixed: usize,
        variadic: bool,
    ) -> Result<Passed, Unsupported> {
        let mut values = vec![];
        let mut temporaries = vec![];
        let arguments = call.arguments();
        for (index, &argument) in arguments.iter().enumerate().take(fixed) {
            let index = u32::try_from(index).expect("invariant: few arguments");
            match call.by_value_type(index) {
                Some(ty) => {
                    let copy = self.copy_argument(argument, ty)?;
                    values.push(copy);
                    temporaries.push(copy);
                }
                None => values.extend(self.operand(argument)?),
            }
        }
        if variadic {
            match self.variable_argument_area(call, fixed)? {
                Some(area) => {
                    values.push(area);
                    temporaries.push(area);
                }
                None => values.push(self.null()),
            }
        } else {
            // Without a body nobody reads them, and without a prototype nobody counts them.
            for &argument in arguments.iter().skip(fixed) {
                values.extend(self.operand(argument)?);
            }
        }
        Ok(Passed {
            values,
            temporaries,
        })
    }

    fn copy_argument(&mut self, pointer: Value<'p>, ty: Ty<'p>) -> Result<ValueId, Unsupported> {
        let source = self.scalar(pointer)?;
        let size = self.module.program.alloc_size(ty);
        let align = self.module.program.abi_align(ty).max(8);
        let copy = self.temporary(size, align);
        let size = self.size(size);
        self.memory_copy(copy, source, size);
        Ok(copy)
    }

    fn adapt_arguments(&mut self, values: &mut Vec<ValueId>, params: &[Type]) {
        values.truncate(params.len());
        for (index, &ty) in params.iter().enumerate() {
            match values.get(index).copied() {
                Some(value) => values[index] = self.adapt(value, ty),
                None => {
                    let missing = self.undefined(ty);
                    values.push(missing);
                }
            }
        }
    }

    /// Calls a function with a body of its own signature.
    pub(crate) fn call_adapted(&mut self, id: FunctionId, mut values: Vec<ValueId>) -> Scalars {
        let signature = self.module.module.functions[id].signature.clone();
        self.adapt_arguments(&mut values, &signature.params);
        self.emit_call(Callee::Direct(id), values, &signature.results, &[])
    }

    pub(crate) fn adapt_results(
        &mut self,
        results: &[ValueId],
        ty: Ty<'p>,
    ) -> Result<Scalars, Unsupported> {
        let types = self.module.layout(ty)?.types();
        let expected = types.into_iter().enumerate();
        Ok(expected
            .map(|(index, ty)| match results.get(index) {
                Some(&value) => self.adapt(value, ty),
                None => self.undefined(ty),
            })
            .collect())
    }

    /// A register seen as another type.
    pub(crate) fn adapt(&mut self, value: ValueId, ty: Type) -> ValueId {
        match (self.body.ty(value), ty) {
            (from, to) if from == to => value,
            (Type::Int(from), Type::Int(to)) => {
                let op = if from < to {
                    CastOp::ZExt
                } else {
                    CastOp::Trunc
                };
                self.cast(op, value, ty)
            }
            (Type::Ptr, Type::Int(_)) => self.cast(CastOp::PtrToInt, value, ty),
            (Type::Int(_), Type::Ptr) => match self.as_size(value) {
                Ok(number) => self.cast(CastOp::IntToPtr, number, ty),
                Err(_) => self.undefined(ty),
            },
            (Type::F32, Type::F64) => self.cast(CastOp::FpExt, value, ty),
            (Type::F64, Type::F32) => self.cast(CastOp::FpTrunc, value, ty),
            (_, _) => self.undefined(ty),
        }
    }
}
