// The third activation of a function fails.
// check:   assertions
// expect:  unsafe assertion @ line 8
// engines: kiki
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int deep(int n) {
  __VERIFIER_assert(n != 5);
  return deep(n + 1);
}
int main(void) {
  return deep(3);
}
