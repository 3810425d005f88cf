//! Tests of the builder.

use super::*;
use crate::module::{Function, Signature};
use crate::text::print_module;
use crate::verify::verify_module;

fn module_with(name: &str, params: &[Type], results: &[Type]) -> (Module, Body) {
    let mut module = Module::new(DataLayout { pointer_bytes: 8 });
    let mut body = Body::new();
    for &ty in params {
        body.add_param(body.entry, ty);
    }
    module.functions.push(Function {
        name: name.into(),
        signature: Signature {
            params: params.to_vec(),
            results: results.to_vec(),
        },
        body: None,
        span: SpanId::UNKNOWN,
        is_model: false,
    });
    (module, body)
}

fn finish(mut module: Module, body: Body) -> String {
    let only = module.functions.keys().next().expect("one function");
    module.functions[only].body = Some(body);
    assert_eq!(verify_module(&module), []);
    print_module(&module)
}

/// The sum of the first n numbers, with the check that it fits.
#[test]
fn a_loop() {
    let (mut module, mut body) = module_with("sum", &[Type::I32], &[Type::I32]);
    let span = module.spans.at("sum.c", 3, 5);
    let mut b = FunctionBuilder::new(&mut body, module.layout);
    let n = b.param(b.block(), 0);
    let [head, step] = [[Type::I32; 2], [Type::I32; 2]].map(|types| b.new_block(&types));
    let done = b.new_block(&[Type::I32]);
    let (zero, one) = (b.int(32, 0), b.int(32, 1));
    b.jump(head, &[zero, zero]);

    let (i, sum) = (b.param(head, 0), b.param(head, 1));
    let more = b.at_end(head).compare(IntPredicate::Slt, i, n);
    b.branch(more, (step, &[i, sum]), (done, &[sum]));

    let (i, sum) = (b.param(step, 0), b.param(step, 1));
    b.at_end(step).with_span(span);
    let too_large = b.overflows(OverflowOp::Add, true, sum, i);
    let fits = b.not(too_large);
    b.check(CheckKind::SignedOverflow, fits, Some("sum + i"));
    let next_sum = b.add(sum, i);
    let next = b.add(i, one);
    b.jump(head, &[next, next_sum]);

    let result = b.param(done, 0);
    b.at_end(done).with_span(SpanId::UNKNOWN).ret(&[result]);
    let expected = "foghorn-ir 1
layout pointer-bytes 8

function @sum(i32) -> i32 {
block0(v0:i32):
  jump block1(0:i32, 0:i32)
block1(v1:i32, v2:i32):
  v3:i1 = compare slt v1, v0
  branch v3, block2(v1, v2), block3(v2)
block2(v4:i32, v5:i32):
  v6:i1 = overflows signed add v5, v4          ! sum.c:3:5
  v7:i1 = xor v6, true                         ! sum.c:3:5
  check signed-overflow v7 \"sum + i\"           ! sum.c:3:5
  v8:i32 = add v5, v4                          ! sum.c:3:5
  v9:i32 = add v4, 1                           ! sum.c:3:5
  jump block1(v9, v8)                          ! sum.c:3:5
block3(v10:i32):
  return v10
}
";
    assert_eq!(finish(module, body), expected);
}

#[test]
fn inserting_before_an_instruction() {
    let (module, mut body) = module_with("f", &[Type::Ptr], &[]);
    let mut b = FunctionBuilder::new(&mut body, module.layout);
    let pointer = b.param(b.block(), 0);
    let loaded = b.load(Type::I64, pointer, 8);
    b.store(loaded, pointer, 8);
    b.ret(&[]);
    let entry = b.block();
    let null = b.at(entry, 0).address(Constant::Null);
    let valid = b.compare(IntPredicate::Ne, pointer, null);
    b.check(CheckKind::NullDereference, valid, None);
    let text = finish(module, body);
    let expected = "  v1:i1 = compare ne v0, null
  check null-dereference v1
  v2:i64 = load v0, align 8
  store v2 to v0, align 8
  return
";
    assert!(text.contains(expected), "{text}");
}

/// Every method gives what the verifier accepts.
#[test]
fn one_of_each() {
    let params = [Type::I64, Type::Ptr, Type::F64, Type::BOOL];
    let (module, mut body) = module_with("f", &params, &[]);
    let mut b = FunctionBuilder::new(&mut body, module.layout);
    let entry = b.block();
    let [int, pointer, float, bool] = std::array::from_fn(|index| b.param(entry, index));
    let (size, byte, half) = (b.size(16), b.int(8, 0), b.f64(0.5));
    let object = b.allocate(AllocationKind::Heap, size, 16);
    b.memory_set(object, byte, size);
    b.memory_copy(object, pointer, int);
    b.free(object);
    let mark = b.stack_save();
    let local = b.allocate(AllocationKind::Stack, int, 1);
    b.lifetime_start(local);
    b.lifetime_end(local);
    b.stack_restore(mark);
    let field = b.pointer_add(pointer, 8, &[(int, 4)]);
    let difference = b.sub(int, mark);
    let ones = b.unary(UnaryOp::CountOnes, difference);
    let narrow = b.cast(CastOp::Trunc, ones, Type::I32);
    let root = b.float_unary(FloatUnaryOp::Sqrt, float);
    let product = b.float_binary(FloatBinaryOp::Mul, root, half);
    let fused = b.fused_multiply_add(product, root, float);
    let less = b.float_compare(FloatPredicate::Olt, fused, half);
    let chosen = b.select(less, field, pointer);
    let input = b.nondet(Type::I32, NondetOrigin::Input("nd_int".into()));
    b.call(Callee::Indirect(chosen), &[input, narrow], &[]);
    let this = module.functions.keys().next().expect("one function");
    b.call_function(&module, this, &[int, pointer, float, bool]);
    b.assume(bool);
    let [stop, never, failing] = std::array::from_fn(|_| b.new_block(&[]));
    b.branch(bool, (stop, &[]), (never, &[]));
    b.at_end(stop).halt(HaltKind::Abort, narrow);
    b.at_end(never).assume_unreachable();
    b.at_end(failing).fail(CheckKind::Assertion, None);
    finish(module, body);
}
