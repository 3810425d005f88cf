; Four promises that are kept.
; expect: safe

declare i32 @__VERIFIER_nondet_int()

define i32 @main() {
entry:
  %x = call i32 @__VERIFIER_nondet_int()
  %even = and i32 %x, 124
  %half = lshr exact i32 %even, 1
  %wide = zext nneg i32 %half to i64
  %small = trunc nuw i64 %wide to i8
  %back = zext i8 %small to i32
  %either = or disjoint i32 %back, 1
  ret i32 %either
}
