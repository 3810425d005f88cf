// The counter moves by two, and goes past an odd bound.
// check:   assertions
// expect:  unsafe assertion @ line 14
// engines: kiki
unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assert(int);
int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  unsigned i = 0;
  while (i < n) {
    if (__VERIFIER_nondet_uint())
      i += 2;
  }
  __VERIFIER_assert(i == n);
  return 0;
}
