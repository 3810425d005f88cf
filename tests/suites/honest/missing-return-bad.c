// The end of a function is reached without a return, and the result is used.
// check:   undefined
// expect:  unsafe missing-return @ line 11
// engines: run bmc
// inputs:  0

int __VERIFIER_nondet_int(void);

static int sign(int x) {
  if (x > 0) return 1;
}

int main(void) { return sign(__VERIFIER_nondet_int()); }
