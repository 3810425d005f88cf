; Poison goes around a loop before a branch looks at it.
; expect: unsafe poison

declare i8 @__VERIFIER_nondet_uchar()

define i32 @main() {
entry:
  br label %head

head:
  %i = phi i8 [ 0, %entry ], [ %next, %body ]
  %last = phi i8 [ 0, %entry ], [ %sum, %body ]
  %done = icmp eq i8 %i, 3
  br i1 %done, label %end, label %body

body:
  %x = call i8 @__VERIFIER_nondet_uchar()
  %sum = add nuw i8 %x, 1
  %next = add i8 %i, 1
  br label %head

end:
  %zero = icmp eq i8 %last, 0
  br i1 %zero, label %yes, label %no

yes:
  ret i32 1

no:
  ret i32 0
}
