// One of two callers does not keep what a function requires.
// check:   assertions
// expect:  unsafe assertion @ line 8
// engines: kiki
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int partial(int x) {
  __VERIFIER_assert(x < 100);
  return x & 7;
}
int main(void) {
  int x = partial(__VERIFIER_nondet_int() & 63);
  __VERIFIER_assert(x <= 7);
  x = partial(__VERIFIER_nondet_int() & 127);
  return x;
}
