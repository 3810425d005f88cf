// Repaired twin of: SV-COMP: an input of the outside world, an assumption and an error location.
// check:   assertions
// expect:  safe
// engines: run bmc absint
// inputs:  6

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  __VERIFIER_assume(x > 5);
  if (x < 6)
    reach_error();
  return 0;
}
