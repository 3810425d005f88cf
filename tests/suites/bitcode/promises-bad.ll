; Three promises that are kept and one that is not: the operands of the last operation share a bit.
; expect: unsafe poison

declare i32 @__VERIFIER_nondet_int()

define i32 @main() {
entry:
  %x = call i32 @__VERIFIER_nondet_int()
  %even = and i32 %x, 126
  %half = lshr exact i32 %even, 1
  %wide = zext nneg i32 %half to i64
  %small = trunc nuw i64 %wide to i8
  %back = zext i8 %small to i32
  %either = or disjoint i32 %back, 1
  ret i32 %either
}
