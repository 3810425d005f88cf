// Of two calls of a function that may end without a return, the second one uses the result.
// check:   undefined
// expect:  unsafe missing-return @ line 17
// engines: run bmc
// inputs:  1 0

int __VERIFIER_nondet_int(void);

static int log_level(int x) {
  if (x > 0) return 1;
}

int main(void) {
  int level = log_level(__VERIFIER_nondet_int() | 1024);
  if (level < 0) return 0;
  log_level(0);
  return log_level(__VERIFIER_nondet_int());
}
