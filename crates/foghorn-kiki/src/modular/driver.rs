//! Programs that call one function with any arguments, for ever: what holds after each call is its summary.
//!
//! A function is looked at by itself if all that it does shows in its results: integers in, integers out, and no memory. Of
//! others nothing general is said, and they are executed where they are called.

use foghorn_core::{CheckGroup, CheckSelection, SpanId};
use foghorn_ir::{
    Body, Callee, Form, Function, FunctionId, Instruction, Module, NondetOrigin, Signature, Target,
    Terminator, Type, ValueId,
};
use rustc_hash::FxHashSet;

/// The functions that can be looked at by themselves, callees before callers.
pub(super) fn candidates(module: &Module, checks: &CheckSelection) -> Vec<FunctionId> {
    let mut order = vec![];
    let Some(entry) = module.entry else {
        return order;
    };
    let mut seen: FxHashSet<FunctionId> = FxHashSet::default();
    seen.insert(entry);
    // The second part says that the callees were visited.
    let mut stack = vec![(entry, false)];
    while let Some((function, is_done)) = stack.pop() {
        if is_done {
            order.push(function);
            continue;
        }
        stack.push((function, true));
        for callee in callees(module, function) {
            if seen.insert(callee) {
                stack.push((callee, false));
            }
        }
    }
    let may_halt = ends_are_unchecked(checks);
    let mut plain = plain_functions(module, may_halt);
    plain.remove(&entry);
    order.retain(|function| plain.contains(function));
    order
}

/// Whether a function that can be looked at by itself calls itself, by itself or through others.
pub(crate) fn recurs(module: &Module, checks: &CheckSelection) -> bool {
    let mut functions = candidates(module, checks).into_iter();
    functions.any(|function| {
        let mut seen: FxHashSet<FunctionId> = FxHashSet::default();
        let mut called = callees(module, function);
        while let Some(callee) = called.pop() {
            if callee == function {
                return true;
            }
            if seen.insert(callee) {
                called.extend(callees(module, callee));
            }
        }
        false
    })
}

/// The end of the program is checked for objects that are left: such checks are not those of one function.
fn ends_are_unchecked(checks: &CheckSelection) -> bool {
    let about_ends = [CheckGroup::MemoryLeak, CheckGroup::MemoryCleanup];
    !checks.groups().any(|group| about_ends.contains(&group))
}

fn callees(module: &Module, function: FunctionId) -> Vec<FunctionId> {
    let mut found = vec![];
    if let Some(body) = &module.functions[function].body {
        for data in body.instructions.values() {
            if let Instruction::Call {
                callee: Callee::Direct(callee),
                ..
            } = data.instruction
            {
                found.push(callee);
            }
        }
    }
    found
}

/// The largest set of functions that touch no memory and call only each other.
fn plain_functions(module: &Module, may_halt: bool) -> FxHashSet<FunctionId> {
    let functions = module.functions.iter();
    let own = functions.filter(|(_, function)| is_plain(function, may_halt));
    let mut plain: FxHashSet<FunctionId> = own.map(|(id, _)| id).collect();
    loop {
        let calls_others = |function: &FunctionId| {
            let callees = callees(module, *function).into_iter();
            let mut with_body = callees.filter(|it| module.functions[*it].body.is_some());
            with_body.any(|callee| !plain.contains(&callee))
        };
        let lost: Vec<FunctionId> = plain.iter().copied().filter(calls_others).collect();
        if lost.is_empty() {
            return plain;
        }
        for function in lost {
            plain.remove(&function);
        }
    }
}

fn is_plain(function: &Function, may_halt: bool) -> bool {
    let Some(body) = function.body.as_ref().filter(|_| !function.is_model) else {
        return false;
    };
    let is_integer = |ty: &Type| matches!(ty, Type::Int(width) if *width <= 64);
    let signature = &function.signature;
    let params = body.blocks[body.entry].params.iter();
    let types: Vec<Type> = params.map(|&value| body.ty(value)).collect();
    types.iter().all(is_integer)
        && types == signature.params
        && signature.results.iter().all(is_integer)
        // A pointer that is looked at here may be one that others have to know of.
        && body.values.values().all(|value| matches!(value.ty, Type::Int(_)))
        && body.blocks.values().all(|block| {
            let mut instructions = block.instructions.iter();
            let halts = matches!(block.terminator, Terminator::Halt { .. });
            (may_halt || !halts)
                && instructions.all(|&id| {
                    let data = &body.instructions[id];
                    data.memory.is_empty() && is_plain_instruction(&data.instruction)
                })
        })
}

fn is_plain_instruction(instruction: &Instruction) -> bool {
    match instruction {
        Instruction::Binary { .. }
        | Instruction::Overflows { .. }
        | Instruction::Unary { .. }
        | Instruction::Compare { .. }
        | Instruction::Cast { .. }
        | Instruction::Select { .. }
        | Instruction::Nondet { .. }
        | Instruction::Check { .. }
        | Instruction::Assume { .. }
        | Instruction::Bind { .. }
        | Instruction::Call {
            callee: Callee::Direct(_),
            ..
        } => true,
        Instruction::FloatUnary { .. }
        | Instruction::FloatBinary { .. }
        | Instruction::FusedMultiplyAdd { .. }
        | Instruction::FloatCompare { .. }
        | Instruction::PointerAdd { .. }
        | Instruction::StackSave
        | Instruction::StackRestore { .. }
        | Instruction::Allocate { .. }
        | Instruction::Free { .. }
        | Instruction::LifetimeStart { .. }
        | Instruction::LifetimeEnd { .. }
        | Instruction::Load { .. }
        | Instruction::Store { .. }
        | Instruction::MemoryCopy { .. }
        | Instruction::MemorySet { .. }
        | Instruction::Call {
            callee: Callee::Indirect(_) | Callee::Builtin(_),
            ..
        } => false,
    }
}

/// Adds a function that calls another with any arguments, for ever. The head of its loop has the arguments and results of
/// the last call as its parameters.
pub(super) fn add_driver(module: &mut Module, of: FunctionId) -> FunctionId {
    let signature = module.functions[of].signature.clone();
    let mut body = Body::new();
    body.form = Form::Pure;
    let (entry, head) = (body.entry, body.add_block());
    let carried = signature.params.iter().chain(&signature.results);
    let carried: Vec<Type> = carried.copied().collect();
    for &ty in &carried {
        body.add_param(head, ty);
    }
    let zeros = carried.iter().map(|&ty| match ty {
        Type::Int(width) => body.int(width, 0),
        Type::Ptr | Type::F32 | Type::F64 | Type::Memory(_) => {
            unreachable!("invariant: arguments and results are integers")
        }
    });
    let zeros: Vec<ValueId> = zeros.collect();
    body.blocks[entry].terminator = Terminator::Jump(Target {
        block: head,
        arguments: zeros,
    });
    let mut values = vec![];
    for &ty in &signature.params {
        let any = Instruction::Nondet {
            origin: NondetOrigin::Input("any".into()),
        };
        let id = body.append(head, any, &[ty], SpanId::UNKNOWN);
        values.push(body.result(id));
    }
    let call = Instruction::Call {
        callee: Callee::Direct(of),
        arguments: values.clone(),
    };
    let id = body.append(head, call, &signature.results, SpanId::UNKNOWN);
    values.extend(body.instructions[id].results.iter().copied());
    body.blocks[head].terminator = Terminator::Jump(Target {
        block: head,
        arguments: values,
    });
    let name = format!("any-call-of-{}", module.functions[of].name);
    module.functions.push(Function {
        name: name.into(),
        signature: Signature::default(),
        body: Some(body),
        span: SpanId::UNKNOWN,
        is_model: false,
    })
}
