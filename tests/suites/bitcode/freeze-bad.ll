; What is frozen may have been poison, and then it is any value.
; expect: unsafe reach-error

declare i32 @__VERIFIER_nondet_int()
declare void @reach_error()

define i32 @main() {
entry:
  %x = call i32 @__VERIFIER_nondet_int()
  %sum = add nsw i32 %x, 1
  %frozen = freeze i32 %sum
  %is = icmp eq i32 %frozen, 7
  %max = icmp eq i32 %x, 2147483647
  %both = and i1 %is, %max
  br i1 %both, label %bad, label %good

bad:
  call void @reach_error()
  unreachable

good:
  ret i32 0
}
