; A sum that may not fit, computed before it is known whether it is needed, and needed.
; expect: unsafe signed-overflow

declare i32 @__VERIFIER_nondet_int()

define i32 @main() {
entry:
  %x = call i32 @__VERIFIER_nondet_int()
  %sum = add nsw i32 %x, 1
  %needed = icmp sgt i32 %x, 5
  %result = select i1 %needed, i32 %sum, i32 0
  ret i32 %result
}
