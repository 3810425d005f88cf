; A sum that may not fit, computed before it is known whether it is needed; where it does not fit
; it is not needed.
; expect: safe

declare i32 @__VERIFIER_nondet_int()

define i32 @main() {
entry:
  %x = call i32 @__VERIFIER_nondet_int()
  %sum = add nsw i32 %x, 1
  %needed = icmp slt i32 %x, 5
  %result = select i1 %needed, i32 %sum, i32 0
  ret i32 %result
}
