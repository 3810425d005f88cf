// C lets a function end without a return if nobody uses the result.
// check:   undefined
// expect:  safe
// engines: run bmc
// inputs:  1

int __VERIFIER_nondet_int(void);

static int log_level(int x) {
  if (x > 0) return 1;
}

int main(void) {
  log_level(0);
  int x = __VERIFIER_nondet_int();
  return x > 0 ? log_level(x) - 1 : 0;
}
