; One lane of a sum of vectors may not fit, and the other one is used.
; expect: safe

declare i32 @__VERIFIER_nondet_int()

define i32 @main() {
entry:
  %x = call i32 @__VERIFIER_nondet_int()
  %vector = insertelement <2 x i32> <i32 1, i32 1>, i32 %x, i64 1
  %sum = add nsw <2 x i32> %vector, <i32 1, i32 1>
  %lane = extractelement <2 x i32> %sum, i64 0
  ret i32 %lane
}
